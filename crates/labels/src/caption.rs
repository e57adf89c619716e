//! Captions on labels: their height, and their glyphs as filled paths.

use std::sync::Arc;

use qrpress_batch::{FontSet, ResolvedStyle};
use qrpress_text::{PlacedGlyph, Segment, Typesetter};
use rustc_hash::FxHashMap;

use crate::numbers::push_decimal;

/// Parts of the font size that coordinates are counted in.
pub(crate) const UNITS_PER_EM: i64 = 1000;
/// Parts of a pixel that layouts are counted in.
const PARTS_PER_PX: i64 = 256;

/// Bytes of glyphs that are kept; past it, all are let go.
const MAX_BYTES: usize = 4 << 20;
/// The memory of an entry beside its text.
const ENTRY_BYTES: usize = 64;

/// Lays captions out, the same one once where it comes again.
pub(crate) struct CaptionLines {
    typesetter: Typesetter,
    text: String,
    width_px: u32,
    height_px: u32,
}

impl CaptionLines {
    pub fn new(fonts: &Arc<FontSet>, style: &ResolvedStyle) -> Self {
        let typesetter = style.typesetter(Arc::clone(fonts));
        Self { typesetter, text: String::new(), width_px: 0, height_px: 0 }
    }

    /// The height of a caption below a code whose picture has that width, both in pixels. 0: there is none.
    pub fn height_px(&mut self, text: &str, width_px: u32) -> u32 {
        if text.is_empty() {
            return 0;
        }
        if !self.holds(text, width_px) {
            self.text.clear();
            self.text.push_str(text);
            self.width_px = width_px;
            self.height_px = self.typesetter.lay_out(text, width_px).height_px();
        }
        self.height_px
    }

    fn holds(&self, text: &str, width_px: u32) -> bool {
        self.width_px == width_px && self.text == text
    }
}

/// Draws captions.
pub(crate) struct CaptionPainter {
    lines: CaptionLines,
    font_size_px: i64,
    /// The operators of glyphs, by font and number.
    glyphs: FxHashMap<(u8, u32), Box<[u8]>>,
    bytes: usize,
    outline: Vec<Segment>,
    /// The caption that was drawn last.
    drawn: Vec<u8>,
}

impl CaptionPainter {
    pub fn new(fonts: &Arc<FontSet>, style: &ResolvedStyle) -> Self {
        Self {
            lines: CaptionLines::new(fonts, style),
            font_size_px: style.font_size_px.into(),
            glyphs: FxHashMap::default(),
            bytes: 0,
            outline: Vec::new(),
            drawn: Vec::new(),
        }
    }

    /// As [`CaptionLines::height_px`].
    pub fn height_px(&mut self, text: &str, width_px: u32) -> u32 {
        if !self.lines.holds(text, width_px) {
            self.drawn.clear();
        }
        self.lines.height_px(text, width_px)
    }

    /// Appends the glyphs of the caption that was measured last, in thousandths of its font size from the top left corner of
    /// its band, y downwards.
    pub fn draw(&mut self, out: &mut Vec<u8>) {
        if self.drawn.is_empty() {
            let mut pen = (0, 0);
            let count = self.lines.typesetter.glyphs().len();
            for number in 0..count {
                let glyph = self.lines.typesetter.glyphs()[number];
                self.draw_glyph(&glyph, &mut pen);
            }
        }
        out.extend_from_slice(&self.drawn);
    }

    /// Draws a glyph, and moves the origin from the pen of the one before to its own.
    fn draw_glyph(&mut self, glyph: &PlacedGlyph, pen: &mut (i64, i64)) {
        if self.bytes >= MAX_BYTES {
            self.glyphs.clear();
            self.bytes = 0;
        }
        let Self { lines, font_size_px, glyphs, bytes, outline, drawn } = self;
        let units = |(x, y): (i32, i32)| (to_units(x, *font_size_px), to_units(y, *font_size_px));
        let path = glyphs.entry((glyph.face, glyph.glyph)).or_insert_with(|| {
            lines.typesetter.glyph_outline(glyph, outline);
            let path = operators(outline, units);
            *bytes += path.len() + ENTRY_BYTES;
            path.into()
        });
        if path.is_empty() {
            return;
        }
        let at = units(glyph.at);
        drawn.extend_from_slice(b"1 0 0 1 ");
        push_decimal(at.0 - pen.0, 0, drawn);
        push_decimal(at.1 - pen.1, 0, drawn);
        drawn.extend_from_slice(b"cm\n");
        drawn.extend_from_slice(path);
        *pen = at;
    }
}

/// 1/256 px to thousandths of the font size, to the nearest, halves up.
fn to_units(length: i32, font_size_px: i64) -> i64 {
    let em = font_size_px * PARTS_PER_PX;
    (i64::from(length) * UNITS_PER_EM + em / 2).div_euclid(em)
}

/// The operators that fill an outline. A curve of one control point becomes one of two.
fn operators(outline: &[Segment], units: impl Fn((i32, i32)) -> (i64, i64)) -> Vec<u8> {
    let mut out = Vec::new();
    let mut pen = (0, 0);
    let mut put = |points: &[(i32, i32)], operator: &[u8]| {
        for &point in points {
            let (x, y) = units(point);
            push_decimal(x, 0, &mut out);
            push_decimal(y, 0, &mut out);
        }
        out.extend_from_slice(operator);
    };
    // Two thirds of the way to the control point.
    let third = |end: i32, control: i32| (end + 2 * control).div_euclid(3);
    let towards = |end: (i32, i32), control: (i32, i32)| (third(end.0, control.0), third(end.1, control.1));
    for &segment in outline {
        pen = match segment {
            Segment::Move(to) => {
                put(&[to], b"m\n");
                to
            }
            Segment::Line(to) => {
                put(&[to], b"l\n");
                to
            }
            Segment::Quadratic(control, to) => {
                put(&[towards(pen, control), towards(to, control), to], b"c\n");
                to
            }
            Segment::Cubic(first, second, to) => {
                put(&[first, second, to], b"c\n");
                to
            }
        };
    }
    // Filling closes the contours.
    if !out.is_empty() {
        out.extend_from_slice(b"f\n");
    }
    out
}
