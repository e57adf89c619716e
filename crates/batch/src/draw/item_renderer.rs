//! The renderer of a job's pictures: everything that a thread builds once for all of them.

use std::cell::RefCell;
use std::convert::Infallible;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use qrpress_filenames::EXTENSIONS;
use qrpress_image::{PngRenderer, SvgRenderer, image_side_px};
use qrpress_symbol::Encoder;
use qrpress_text::FontSet;
use qrpress_zip::{SegmentWriter, ZipError};

use crate::caption::CaptionRenderer;
use crate::panic_message::panic_message;
use crate::{BatchError, OutputFormat, Record, RenderStyle, ResolvedStyle, SpoolHeader};

/// Renderers that a thread keeps: as many jobs can take turns on it without building the tables of a style twice.
const KEPT_RENDERERS: usize = 4;

/// Bytes that these take in all. One that has drawn all versions in their largest size, with a photograph as its logo, takes
/// some 30 MB.
const KEPT_BYTES: usize = 128 << 20;

thread_local! {
    /// Renderers with the bytes that they take. The one that was used last is at the end.
    static RENDERERS: RefCell<Vec<(ItemRenderer, usize)>> = const { RefCell::new(Vec::new()) };
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
            let place = renderers.iter().position(|(renderer, _)| fits(renderer))?;
            Some(renderers.remove(place).0)
        });
        let new = || Ok(Self::new(header.clone(), ResolvedStyle::new(header)?, Arc::clone(fonts)));
        kept.map_or_else(new, Ok)
    }

    /// Gives the renderer back to the thread, for its next chunk. Those that were not used for longest make room for it.
    pub fn keep(self) {
        RENDERERS.with_borrow_mut(|renderers| {
            let bytes = self.memory_bytes();
            renderers.push((self, bytes));
            let kept = fitting(renderers.iter().rev().map(|&(_, bytes)| bytes));
            renderers.drain(..renderers.len() - kept);
        });
    }

    /// The memory that the renderer takes, in bytes.
    fn memory_bytes(&self) -> usize {
        let logo = self.style.logo.as_ref().map_or(0, |placed| placed.logo.memory_bytes());
        let header = self.header.style.logo.as_ref().map_or(0, |logo| logo.data_url.len());
        header + logo + self.png.memory_bytes() + self.svg.memory_bytes() + self.waiting_svg.capacity()
    }

    /// Does the work on an item. A panic in it is the item's failure.
    pub fn attempt(&mut self, work: impl FnOnce(&mut Self) -> Result<(), Failure>) -> Result<(), Failure> {
        catch_unwind(AssertUnwindSafe(|| work(self))).unwrap_or_else(|payload| {
            // Work that the panic left half done goes with the old renderer.
            *self = Self::new(self.header.clone(), self.style.clone(), Arc::clone(&self.fonts));
            Err(Failure::Item(panic_message(&*payload)))
        })
    }

    /// Adds the entries of an item to the segment, all or none.
    pub fn draw<W: Write, D: Write>(
        &mut self,
        record: &Record<'_>,
        writer: &mut SegmentWriter<W, D>,
    ) -> Result<(), Failure> {
        let Self { header, style, encoder, png, svg, captions, name, waiting_svg, fonts } = self;
        let encoded = style.encode(record.data.as_bytes(), encoder);
        let symbol = encoded.map_err(|error| Failure::Item(error.to_string()))?;
        let caption = record.caption.unwrap_or(&style.caption);
        if !caption.is_empty() && captions.is_none() {
            let mut renderer = CaptionRenderer::new(Arc::clone(fonts), style);
            *png = renderer.tune(style.png());
            *captions = Some(renderer);
        }
        if let Some(captions) = captions {
            captions.set(caption, image_side_px(&style.picture, symbol.version()));
        }
        let mut add = |extension, draw: &mut dyn FnMut(&mut Vec<u8>)| {
            debug_assert!(EXTENSIONS.contains(&extension), "readers of the archive know its files by these");
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
            OutputFormat::Png => add(".png", &mut |out| {
                png.render(symbol, captions.as_mut().and_then(CaptionRenderer::pixels), out);
            }),
            OutputFormat::Svg => add(".svg", &mut |out| {
                svg.render(symbol, captions.as_mut().and_then(CaptionRenderer::outline), out);
            }),
            OutputFormat::Both => {
                // Drawn first, so that its failure leaves no PNG behind.
                waiting_svg.clear();
                svg.render(symbol, captions.as_mut().and_then(CaptionRenderer::outline), waiting_svg);
                add(".png", &mut |out| {
                    png.render(symbol, captions.as_mut().and_then(CaptionRenderer::pixels), out);
                })?;
                add(".svg", &mut |out| out.extend_from_slice(waiting_svg))
            }
        }
    }
}

/// Draws a symbol in the default style as an SVG file.
///
/// # Errors
/// [`BatchError::FieldTooLong`] for a text that no symbol holds.
pub fn draw_symbol(text: &str, pixels_per_module: u8) -> Result<Vec<u8>, BatchError> {
    let style = RenderStyle { pixels_per_module, ..RenderStyle::default() };
    let style = ResolvedStyle::new(&SpoolHeader::new(OutputFormat::Svg, style))?;
    let mut encoder = Encoder::new();
    let symbol = style.encode(text.as_bytes(), &mut encoder);
    let symbol = symbol.map_err(|_| BatchError::FieldTooLong { bytes: text.len() })?;
    let mut out = Vec::new();
    style.svg().render(symbol, None, &mut out);
    Ok(out)
}

/// The number of renderers that a thread keeps, of those that take so many bytes, the one that was used last first.
fn fitting(bytes: impl Iterator<Item = usize>) -> usize {
    let sums = bytes.scan(0, |sum, bytes| {
        *sum += bytes;
        Some(*sum)
    });
    sums.take(KEPT_RENDERERS).take_while(|&sum| sum <= KEPT_BYTES).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use qrpress_testkit::fonts;

    #[test]
    fn a_panic_is_a_failure_of_its_item_alone() {
        let style = RenderStyle { pixels_per_module: 2, ..RenderStyle::default() };
        let mut renderer = ItemRenderer::take(&SpoolHeader::new(OutputFormat::Both, style), fonts()).unwrap();
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
                        renderer.draw(&record, &mut writer)
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

    #[test]
    fn kept_renderers_are_few_and_bounded_in_bytes() {
        let mega = 1 << 20;
        assert_eq!(fitting([mega; 9].into_iter()), KEPT_RENDERERS);
        assert_eq!(fitting([60 * mega, 60 * mega, 8 * mega, 1].into_iter()), 3);
        assert_eq!(fitting([60 * mega, 60 * mega, 9 * mega, 1].into_iter()), 2);
        assert_eq!(fitting([129 * mega, 1].into_iter()), 0, "one that is too large alone is not kept");
    }
}
