//! The renderer of a job's pictures: everything that a thread builds once for all of them.

use std::any::Any;
use std::cell::RefCell;
use std::convert::Infallible;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use qrpress_image::{Logo, PlacedLogo, PngRenderer, Style, SvgRenderer, image_side_px};
use qrpress_symbol::{Encoder, Symbol};
use qrpress_text::FontSet;
use qrpress_zip::{SegmentWriter, ZipError};

use crate::caption::CaptionRenderer;
use crate::{BatchError, Colour, LogoStyle, OutputFormat, Record, RenderStyle, SpoolHeader};

/// Renderers that a thread keeps: as many jobs can take turns on it without building the tables of a style twice.
const KEPT_RENDERERS: usize = 4;

thread_local! {
    /// The one that was used last is at the end.
    static RENDERERS: RefCell<Vec<ItemRenderer>> = const { RefCell::new(Vec::new()) };
}

/// The reason why an item is not in the segment.
pub(super) enum Failure {
    /// The item's own failure.
    Item(String),
    /// The segment can't be written any more.
    Segment(io::Error),
}

impl From<ZipError> for Failure {
    fn from(error: ZipError) -> Self {
        match error {
            ZipError::Io(error) => Self::Segment(error),
            refused => Self::Item(refused.to_string()),
        }
    }
}

/// The renderer that a thread builds once for the chunks of a job, and for the next job that looks the same.
pub(super) struct ItemRenderer {
    header: SpoolHeader,
    style: ResolvedStyle,
    encoder: Encoder,
    png: PngRenderer,
    svg: SvgRenderer,
    /// The renderer of proofs where a colour is transparent. None before the first of them.
    opaque: Option<PngRenderer>,
    /// The renderer of captions. None before the first of them.
    captions: Option<CaptionRenderer>,
    fonts: Arc<FontSet>,
    /// The name of the entry that is being written.
    name: String,
    /// An SVG that waits for the PNG of its item.
    waiting_svg: Vec<u8>,
}

impl ItemRenderer {
    fn new(header: SpoolHeader, style: ResolvedStyle, fonts: Arc<FontSet>) -> Self {
        Self {
            encoder: Encoder::new(),
            png: style.png(),
            svg: style.svg(),
            opaque: None,
            captions: None,
            fonts,
            name: String::new(),
            waiting_svg: Vec::new(),
            header,
            style,
        }
    }

    /// The thread's renderer for that header, which is the caller's until it is kept again.
    pub fn take(header: &SpoolHeader, fonts: &Arc<FontSet>) -> Result<Self, BatchError> {
        let kept = RENDERERS.with_borrow_mut(|renderers| {
            let fits = |renderer: &Self| renderer.header == *header && Arc::ptr_eq(&renderer.fonts, fonts);
            let place = renderers.iter().position(fits)?;
            Some(renderers.remove(place))
        });
        let new = || Ok(Self::new(header.clone(), ResolvedStyle::new(&header.style)?, Arc::clone(fonts)));
        kept.map_or_else(new, Ok)
    }

    /// Gives the renderer back to the thread, for its next chunk.
    pub fn keep(self) {
        RENDERERS.with_borrow_mut(|renderers| {
            if renderers.len() == KEPT_RENDERERS {
                renderers.remove(0);
            }
            renderers.push(self);
        });
    }

    /// Does the work on an item. A panic in it is the item's failure.
    pub fn attempt(&mut self, work: impl FnOnce(&mut Self) -> Result<(), Failure>) -> Result<(), Failure> {
        catch_unwind(AssertUnwindSafe(|| work(self))).unwrap_or_else(|payload| {
            // Work that the panic left half done goes with the old renderer.
            *self = Self::new(self.header.clone(), self.style.clone(), Arc::clone(&self.fonts));
            Err(Failure::Item(panic_message(&*payload)))
        })
    }

    /// Adds the entries of an item to the segment, all or none, and puts a PNG file into `proof` that shows its code.
    pub fn draw<W: Write, D: Write>(
        &mut self,
        record: &Record<'_>,
        writer: &mut SegmentWriter<W, D>,
        mut proof: Option<&mut Vec<u8>>,
    ) -> Result<(), Failure> {
        let Self { header, style, encoder, png, svg, opaque, captions, name, waiting_svg, fonts } = self;
        let encoded = encoder.encode(record.data.as_bytes(), header.style.error_correction_level);
        let symbol = encoded.map_err(|error| Failure::Item(error.to_string()))?;
        let caption = record.caption.unwrap_or(&header.style.caption.text);
        if !caption.is_empty() && captions.is_none() {
            let mut renderer = CaptionRenderer::new(Arc::clone(fonts), &header.style);
            *png = renderer.tune(style.png());
            *captions = Some(renderer);
        }
        if let Some(captions) = captions {
            captions.set(caption, image_side_px(&style.style, symbol.version()));
        }
        if style.is_transparent()
            && let Some(proof) = proof.take()
        {
            opaque.get_or_insert_with(|| style.opaque().png()).render(symbol, None, proof);
        }
        let mut add = |extension, draw: &mut dyn FnMut(&mut Vec<u8>)| {
            name.clear();
            name.push_str(record.name);
            name.push_str(extension);
            let Ok(()) = writer.entry(name, |out| {
                draw(out);
                Ok::<(), Infallible>(())
            })?;
            Ok(())
        };
        match header.format {
            OutputFormat::Png => {
                add(".png", &mut |out| draw_png(png, symbol, captions, proof.as_deref_mut(), out))
            }
            OutputFormat::Svg => {
                if let Some(proof) = proof {
                    png.render(symbol, captions.as_mut().and_then(CaptionRenderer::pixels), proof);
                }
                add(".svg", &mut |out| {
                    svg.render(symbol, captions.as_mut().and_then(CaptionRenderer::outline), out);
                })
            }
            OutputFormat::Both => {
                // Drawn first, so that its failure leaves no PNG behind.
                waiting_svg.clear();
                svg.render(symbol, captions.as_mut().and_then(CaptionRenderer::outline), waiting_svg);
                add(".png", &mut |out| draw_png(png, symbol, captions, proof.as_deref_mut(), out))?;
                add(".svg", &mut |out| out.extend_from_slice(waiting_svg))
            }
        }
    }
}

/// Appends a PNG file to `out`, and a copy of it to `proof`.
fn draw_png(
    png: &mut PngRenderer,
    symbol: &Symbol,
    captions: &mut Option<CaptionRenderer>,
    proof: Option<&mut Vec<u8>>,
    out: &mut Vec<u8>,
) {
    let start = out.len();
    png.render(symbol, captions.as_mut().and_then(CaptionRenderer::pixels), out);
    if let Some(proof) = proof {
        proof.extend_from_slice(&out[start..]);
    }
}

/// The style as the image crate knows it.
#[derive(Clone)]
struct ResolvedStyle {
    style: Style,
    logo: Option<PlacedLogo<Arc<Logo>>>,
}

impl ResolvedStyle {
    /// A style that is refused here was never written to a spool.
    fn new(style: &RenderStyle) -> Result<Self, BatchError> {
        let corrupt = |reason| BatchError::CorruptSpool { offset: 16, reason };
        let (pixels, quiet_zone) = (style.pixels_per_module.into(), style.quiet_zone_modules.into());
        let picture = Style::new(pixels, quiet_zone, style.foreground, style.background)
            .and_then(|picture| match style.dots_per_inch {
                Some(dots) => picture.with_dots_per_inch(dots.into()),
                None => Ok(picture),
            })
            .map_err(|_| corrupt("settings that no style has"))?;
        let decode = |logo: &LogoStyle| match Logo::from_data_url(&logo.data_url) {
            Ok(decoded) => Ok(PlacedLogo {
                logo: Arc::new(decoded),
                ratio_millionths: logo.ratio_millionths,
                level: style.error_correction_level,
            }),
            Err(_) => Err(corrupt("a logo that is no picture")),
        };
        Ok(Self {
            style: picture.with_caption_colour(style.caption.colour),
            logo: style.logo.as_ref().map(decode).transpose()?,
        })
    }

    fn is_transparent(&self) -> bool {
        [self.style.foreground(), self.style.background()].contains(&Colour::Transparent)
    }

    /// The style with white or black for a transparent colour: with what has more contrast to the other colour.
    fn opaque(&self) -> Self {
        let (foreground, background) = (self.style.foreground(), self.style.background());
        let beside = |other: Colour| match other.luminance() {
            // WCAG 2.2: the contrast to white is that to black where the luminance is 0.179.
            Some(luminance) if luminance > Colour::WHITE_LUMINANCE / 1000 * 179 => Colour::BLACK,
            _ => Colour::WHITE,
        };
        let or_beside = |colour, other| if colour == Colour::Transparent { beside(other) } else { colour };
        let style = Style::new(
            self.style.pixels_per_module(),
            self.style.quiet_zone_modules(),
            or_beside(foreground, background),
            or_beside(background, foreground),
        );
        Self { style: style.unwrap_or_default(), logo: self.logo.clone() }
    }

    fn png(&self) -> PngRenderer {
        let renderer = PngRenderer::new(self.style.clone());
        match &self.logo {
            Some(logo) => renderer.with_logo(logo.clone()),
            None => renderer,
        }
    }

    fn svg(&self) -> SvgRenderer {
        let renderer = SvgRenderer::new(self.style.clone());
        match &self.logo {
            Some(logo) => renderer.with_logo(logo.clone()),
            None => renderer,
        }
    }
}

/// The message of a panic.
fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("panic without a message").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use qrpress_testkit::fonts;

    #[test]
    fn a_panic_is_a_failure_of_its_item_alone() {
        let style =
            RenderStyle { pixels_per_module: 2, background: Colour::Transparent, ..RenderStyle::default() };
        let mut renderer =
            ItemRenderer::take(&SpoolHeader { format: OutputFormat::Both, style }, fonts()).unwrap();
        let mut segment_with = |defect: bool| {
            let (mut segment, mut index) = (Vec::new(), Vec::new());
            let mut writer = SegmentWriter::new(&mut segment, &mut index);
            for name in ["before", "broken", "after"] {
                let outcome = renderer.attempt(|renderer| match name {
                    "broken" if defect => {
                        let half = |out: &mut Vec<u8>| -> Result<(), Infallible> {
                            out.extend_from_slice(b"half");
                            panic!("a defect")
                        };
                        writer.entry("broken.png", half)?;
                        Ok(())
                    }
                    "broken" => Ok(()),
                    _ => {
                        let record = Record { data: name, name, caption: None, reference: None };
                        renderer.draw(&record, &mut writer, None)
                    }
                });
                match outcome {
                    Err(Failure::Item(message)) => assert!(defect && message == "a defect"),
                    outcome => assert!(outcome.is_ok() && !(defect && name == "broken")),
                }
            }
            assert_eq!(writer.finish().unwrap().entries, 4);
            (segment, index)
        };
        assert_eq!(segment_with(true), segment_with(false));
    }
}
