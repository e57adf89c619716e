//! Draws labels: each a code with its quiet zone, its caption, and the job's logo.

use std::sync::Arc;

use qrpress_batch::{FontSet, Record, ResolvedStyle};
use qrpress_image::{Colour, Style};
use qrpress_symbol::{Encoder, Version};

use crate::Labels;
use crate::caption::{CaptionPainter, DRAWN_PER_EM};
use crate::logo::LabelLogo;
use crate::modules::push_modules;
use crate::numbers::{Points, push_decimal};
use crate::placement::Placer;

/// Draws the labels of a part.
pub(crate) struct Painter<'a> {
    labels: &'a Labels,
    style: &'a ResolvedStyle,
    inks: Inks,
    encoder: Encoder,
    placer: Placer<'a>,
    captions: CaptionPainter,
    /// The logo by version.
    logos: [Option<Box<LabelLogo>>; Version::MAX.number() as usize],
}

impl<'a> Painter<'a> {
    pub fn new(labels: &'a Labels, style: &'a ResolvedStyle, fonts: &Arc<FontSet>) -> Self {
        Self {
            labels,
            style,
            inks: Inks::new(&style.picture),
            encoder: Encoder::new(),
            placer: Placer::new(labels, style, fonts),
            captions: CaptionPainter::new(),
            logos: [const { None }; _],
        }
    }

    /// Appends the operators of a label. The label of data that no symbol holds stays empty: no checked item has such.
    pub fn draw(&mut self, label: u64, record: &Record<'_>, out: &mut Vec<u8>) {
        let Self { labels, style, inks, encoder, placer, captions, logos } = self;
        let Ok(symbol) = style.encode(record.data.as_bytes(), encoder) else { return };
        // All members by name: the compiler asks what becomes of a new one.
        let ResolvedStyle {
            picture,
            logo,
            caption: common,
            // In the symbol.
            level: _,
            eci: _,
            version: _,
            // In the caption.
            font_size_px: _,
        } = style;
        let caption = record.caption.unwrap_or(common);
        let placement = placer.place(symbol.version(), caption);
        let paper = Paper::new(labels, label);
        let (corner_nm, module_nm) = (placement.corner_nm, placement.module_nm);
        let symbol_nm =
            corner_nm.map(|edge| edge + (u64::from(picture.quiet_zone_modules) * module_nm) as i64);
        let logo = &**logos[usize::from(symbol.version().number()) - 1]
            .get_or_insert_with(|| Box::new(LabelLogo::new(picture, symbol.version(), logo.as_ref())));

        if let Some(backdrop) = inks.backdrop {
            // In micrometres.
            paper.open([0; 2], 1000, 1, out);
            push_colour(backdrop, out);
            let [from, to] = placement.field_nm;
            push_rectangle(from, [to[0] - from[0], to[1] - from[1]], out);
            if inks.is_flipped {
                // The dark modules are a hole, whose outline runs against the other.
                let edge = (symbol.size() as u64 * module_nm) as i64;
                push_rectangle([symbol_nm[0], symbol_nm[1] + edge], [edge, -edge], out);
            }
            out.extend_from_slice(b"f\nQ\n");
        }
        let draw_logo = |out: &mut Vec<u8>| {
            if !logo.operators.is_empty() {
                paper.open(corner_nm, module_nm, picture.pixels_per_module.into(), out);
                out.extend_from_slice(&logo.operators);
                out.extend_from_slice(b"Q\n");
            }
        };
        // Below the code, so that every module is whole; above it where the light modules are painted.
        if !inks.is_flipped {
            draw_logo(out);
        }
        paper.open(symbol_nm, module_nm, 1, out);
        push_colour(inks.code, out);
        push_modules(symbol, inks.is_flipped, &logo.cleared, out);
        out.extend_from_slice(b"f\nQ\n");
        if inks.is_flipped {
            draw_logo(out);
        }
        if let Some(placed) = placement.caption {
            paper.open(placed.corner_nm, placed.em_nm, DRAWN_PER_EM, out);
            push_colour(inks.caption, out);
            captions.draw(&mut placer.lines, (caption, placed.width, placed.alignment), out);
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

/// A label on its page.
struct Paper {
    /// From the page's top left corner to the label's.
    corner_nm: [i64; 2],
    /// The page's height, from which the file counts upwards.
    height: Points,
}

impl Paper {
    fn new(labels: &Labels, label: u64) -> Self {
        let corner_um = labels.sheet.corner_um(label);
        let nm = |axis: usize| (i64::from(corner_um[axis]) + i64::from(labels.shift_um[axis])) * 1000;
        Self { corner_nm: [nm(0), nm(1)], height: Points::from_um(labels.sheet.page_um[1].into()) }
    }

    /// Opens a state whose unit is `nm` / `divisor` nanometres, and whose origin is `from_nm` from the label's corner; y downwards.
    fn open(&self, from_nm: [i64; 2], nm: u64, divisor: u64, out: &mut Vec<u8>) {
        let unit = Points::from_nm_by(nm as i64, divisor);
        let [x, y] = [0, 1].map(|axis| Points::from_nm_by(self.corner_nm[axis] + from_nm[axis], 1));
        out.extend_from_slice(b"q\n");
        unit.push(out);
        out.extend_from_slice(b"0 0 ");
        unit.negated().push(out);
        x.push(out);
        self.height.minus(y).push(out);
        out.extend_from_slice(b"cm\n");
    }
}

/// Appends a rectangle, in micrometres.
fn push_rectangle(from_nm: [i64; 2], size_nm: [i64; 2], out: &mut Vec<u8>) {
    for length in from_nm.into_iter().chain(size_nm) {
        push_decimal(length, 3, out);
    }
    out.extend_from_slice(b"re\n");
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
