//! Draws labels: each a code with its quiet zone in the middle, its caption, and the job's logo.

use std::sync::Arc;

use qrpress_batch::{FontSet, Record, ResolvedStyle};
use qrpress_image::{Colour, Style, image_side_px};
use qrpress_symbol::{Encoder, Version};

use crate::Labels;
use crate::caption::{CaptionPainter, UNITS_PER_EM};
use crate::logo::LabelLogo;
use crate::modules::push_modules;
use crate::numbers::{Points, push_decimal};
use crate::picture::{Extent, Scale};

/// Draws the labels of a part.
pub(crate) struct Painter<'a> {
    labels: &'a Labels,
    style: &'a ResolvedStyle,
    inks: Inks,
    encoder: Encoder,
    captions: CaptionPainter,
    /// The logo by version.
    logos: [Option<Box<LabelLogo>>; Version::MAX.number() as usize],
    /// The page's height, from which the file counts upwards.
    page_height: Points,
}

impl<'a> Painter<'a> {
    pub fn new(labels: &'a Labels, style: &'a ResolvedStyle, fonts: &Arc<FontSet>) -> Self {
        Self {
            labels,
            style,
            inks: Inks::new(&style.picture),
            encoder: Encoder::new(),
            captions: CaptionPainter::new(fonts, style),
            logos: [const { None }; _],
            page_height: Points::from_um(labels.sheet.page_um[1]),
        }
    }

    /// Appends the operators of a label. The label of data that no symbol holds stays empty: no checked item has such.
    pub fn draw(&mut self, label: u64, record: &Record<'_>, out: &mut Vec<u8>) {
        let Self { labels, style, inks, encoder, captions, logos, page_height } = self;
        let Ok(symbol) = style.encode(record.data.as_bytes(), encoder) else { return };
        let caption = record.caption.unwrap_or(&style.caption);
        let ResolvedStyle { picture, logo, font_size_px, .. } = style;
        let width_px = image_side_px(picture, symbol.version());
        let caption_px = captions.height_px(caption, width_px);
        let extent = Extent::new(picture, symbol.version(), caption_px);
        let place = Place::new(labels, label, extent, *page_height);
        let logo = &**logos[usize::from(symbol.version().number()) - 1]
            .get_or_insert_with(|| Box::new(LabelLogo::new(picture, symbol.version(), logo.as_ref())));

        let corner_px = picture.quiet_zone_modules * picture.pixels_per_module;
        if let Some(backdrop) = inks.backdrop {
            place.open([0, 0], 1, 1, out);
            push_colour(backdrop, out);
            out.extend_from_slice(b"0 0 ");
            push_decimal(extent.width_px.into(), 0, out);
            push_decimal(extent.height_px.into(), 0, out);
            out.extend_from_slice(b"re\n");
            if inks.is_flipped {
                // The dark modules are a hole, whose outline runs against the other.
                let edge = i64::from(extent.symbol_px);
                for number in [corner_px.into(), i64::from(corner_px) + edge, edge, -edge] {
                    push_decimal(number, 0, out);
                }
                out.extend_from_slice(b"re\n");
            }
            out.extend_from_slice(b"f\nQ\n");
        }
        let draw_logo = |out: &mut Vec<u8>| {
            if !logo.operators.is_empty() {
                place.open([0, 0], 1, 1, out);
                out.extend_from_slice(&logo.operators);
                out.extend_from_slice(b"Q\n");
            }
        };
        // Below the code, so that every module is whole; above it where the light modules are painted.
        if !inks.is_flipped {
            draw_logo(out);
        }
        place.open([corner_px; 2], picture.pixels_per_module.into(), 1, out);
        push_colour(inks.code, out);
        push_modules(symbol, inks.is_flipped, &logo.cleared, out);
        out.extend_from_slice(b"f\nQ\n");
        if inks.is_flipped {
            draw_logo(out);
        }
        if caption_px > 0 {
            place.open([0, extent.width_px], (*font_size_px).into(), UNITS_PER_EM as u64, out);
            push_colour(inks.caption, out);
            captions.draw(out);
            out.extend_from_slice(b"Q\n");
        }
    }
}

/// The colours that are printed.
struct Inks {
    /// Behind the code; none where the paper shows. White is the paper's.
    backdrop: Option<[u8; 3]>,
    /// Of the painted modules.
    code: [u8; 3],
    caption: [u8; 3],
    /// True where the light modules are painted, and not the dark ones.
    is_flipped: bool,
}

impl Inks {
    fn new(picture: &Style) -> Self {
        // All members by name: the compiler asks what becomes of a new one.
        let &Style {
            foreground,
            background,
            caption_colour: caption,
            // In the places of things.
            pixels_per_module: _,
            quiet_zone_modules: _,
            // A label has its own size.
            dots_per_inch: _,
        } = picture;
        let backdrop = match background {
            Colour::Rgb(rgb) if rgb != [255; 3] => Some(rgb),
            _ => None,
        };
        let code = match (foreground, background) {
            (Colour::Rgb(rgb), _) | (_, Colour::Rgb(rgb)) => rgb,
            _ => [0; 3],
        };
        Self { backdrop, code, caption, is_flipped: foreground == Colour::Transparent }
    }
}

/// The place of a picture on its page.
struct Place {
    /// The label's corner and edges.
    corner_um: [u32; 2],
    label_um: [u32; 2],
    picture_px: [u32; 2],
    scale: Scale,
    page_height: Points,
}

impl Place {
    fn new(labels: &Labels, label: u64, extent: Extent, page_height: Points) -> Self {
        Self {
            corner_um: labels.sheet.corner_um(label),
            label_um: labels.sheet.label_um,
            picture_px: [extent.width_px, extent.height_px],
            scale: extent.scale(labels),
            page_height,
        }
    }

    /// Opens a state whose unit is `px` / `divisor` pixels, and whose origin is `from_px`, both of the picture; y downwards.
    fn open(&self, from_px: [u32; 2], px: u64, divisor: u64, out: &mut Vec<u8>) {
        let Scale { um, px: scale_px } = self.scale;
        let unit = Points::from_um_by(um * px, scale_px * divisor);
        // The picture stands in the middle of the label: all in halves of micrometres, times pixels.
        let [x, y] = [0, 1].map(|axis| {
            let middle = u64::from(2 * self.corner_um[axis] + self.label_um[axis]) * scale_px;
            let picture = u64::from(self.picture_px[axis]) * um;
            let from = 2 * u64::from(from_px[axis]) * um;
            Points::from_um_by((middle + from).saturating_sub(picture), 2 * scale_px)
        });
        out.extend_from_slice(b"q\n");
        unit.push(out);
        out.extend_from_slice(b"0 0 ");
        unit.negated().push(out);
        x.push(out);
        self.page_height.minus(y).push(out);
        out.extend_from_slice(b"cm\n");
    }
}

/// Appends the operator that fills in a colour: black as black ink alone.
pub(crate) fn push_colour(rgb: [u8; 3], out: &mut Vec<u8>) {
    if rgb == [0; 3] {
        out.extend_from_slice(b"0 0 0 1 k\n");
        return;
    }
    for channel in rgb {
        // Three decimals tell 256 values apart.
        push_decimal((i64::from(channel) * 1000 + 127) / 255, 3, out);
    }
    out.extend_from_slice(b"rg\n");
}
