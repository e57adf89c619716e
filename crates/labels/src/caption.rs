//! Captions on labels: their lines, and their glyphs as filled paths.

use std::sync::Arc;

use qrpress_batch::FontSet;
use qrpress_text::{Alignment, PlacedGlyph, Segment, Typesetter};
use rustc_hash::FxHashMap;

use crate::numbers::push_decimal;

/// Parts of the font size that layouts are counted in: one layout serves every size.
pub(crate) const UNITS_PER_EM: u32 = 64;
/// Parts of the font size that drawn coordinates are counted in.
pub(crate) const DRAWN_PER_EM: u64 = 1000;
/// Parts of a pixel that glyphs are counted in.
const PARTS_PER_PX: i64 = 256;

/// Bytes of glyphs that are kept; past it, all are let go.
const MAX_BYTES: usize = 4 << 20;
/// The memory of an entry beside its text.
const ENTRY_BYTES: usize = 64;

/// The lines of a caption, in [`UNITS_PER_EM`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lines {
    /// With the gaps above and below.
    pub height: u32,
    pub top_gap: u32,
    gaps: u32,
    /// The left and the right side of the text, from the left of its band.
    pub sides: [u32; 2],
    /// A line is wider than the room.
    pub overflows: bool,
    /// A line ends inside a word.
    pub breaks_words: bool,
}

impl Lines {
    /// Without the gaps.
    pub fn text_height(&self) -> u32 {
        self.height.saturating_sub(self.gaps)
    }
}

/// Lays captions out, the same one once where it comes again.
pub(crate) struct CaptionLines {
    typesetter: Typesetter,
    text: String,
    width: u32,
    alignment: Alignment,
    lines: Lines,
}

impl CaptionLines {
    pub fn new(fonts: &Arc<FontSet>) -> Self {
        Self {
            typesetter: Typesetter::new(Arc::clone(fonts), UNITS_PER_EM),
            text: String::new(),
            width: 0,
            alignment: Alignment::Centre,
            lines: Lines::default(),
        }
    }

    /// Lays a caption out in a band of that width, in [`UNITS_PER_EM`].
    pub fn lay_out(&mut self, text: &str, width: u32, alignment: Alignment) -> Lines {
        if (&*self.text, self.width, self.alignment) != (text, width, alignment) {
            self.text.clear();
            self.text.push_str(text);
            (self.width, self.alignment) = (width, alignment);
            self.typesetter.align(alignment);
            let [top_gap, bottom_gap] = self.typesetter.gaps_px();
            let layout = self.typesetter.lay_out(text, width);
            self.lines = Lines {
                height: layout.height_px(),
                top_gap,
                gaps: top_gap + bottom_gap,
                sides: layout.sides_px(),
                overflows: layout.overflows(),
                breaks_words: layout.breaks_words(),
            };
        }
        self.lines
    }
}

/// Draws captions.
pub(crate) struct CaptionPainter {
    /// The operators of glyphs, by font and number.
    glyphs: FxHashMap<(u8, u32), Box<[u8]>>,
    bytes: usize,
    outline: Vec<Segment>,
    /// The caption that was drawn last, with the width and the place of its lines.
    drawn: Vec<u8>,
    drawn_text: String,
    drawn_as: (u32, Alignment),
}

impl CaptionPainter {
    pub fn new() -> Self {
        Self {
            glyphs: FxHashMap::default(),
            bytes: 0,
            outline: Vec::new(),
            drawn: Vec::new(),
            drawn_text: String::new(),
            drawn_as: (0, Alignment::Centre),
        }
    }

    /// Appends the glyphs of a caption, in thousandths of its font size from the top left corner of its band, y downwards.
    pub fn draw(
        &mut self,
        lines: &mut CaptionLines,
        (text, width, alignment): (&str, u32, Alignment),
        out: &mut Vec<u8>,
    ) {
        if (&*self.drawn_text, self.drawn_as) != (text, (width, alignment)) {
            self.drawn.clear();
            self.drawn_text.clear();
            self.drawn_text.push_str(text);
            self.drawn_as = (width, alignment);
            lines.lay_out(text, width, alignment);
            let mut pen = (0, 0);
            for glyph in lines.typesetter.glyphs() {
                self.draw_glyph(&lines.typesetter, glyph, &mut pen);
            }
        }
        out.extend_from_slice(&self.drawn);
    }

    /// Draws a glyph, and moves the origin from the pen of the one before to its own.
    fn draw_glyph(&mut self, typesetter: &Typesetter, glyph: &PlacedGlyph, pen: &mut (i64, i64)) {
        if self.bytes >= MAX_BYTES {
            self.glyphs.clear();
            self.bytes = 0;
        }
        let Self { glyphs, bytes, outline, drawn, .. } = self;
        let units = |(x, y): (i32, i32)| (to_units(x), to_units(y));
        let path = glyphs.entry((glyph.face, glyph.glyph)).or_insert_with(|| {
            typesetter.glyph_outline(glyph, outline);
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
fn to_units(length: i32) -> i64 {
    let em = i64::from(UNITS_PER_EM) * PARTS_PER_PX;
    (i64::from(length) * DRAWN_PER_EM as i64 + em / 2).div_euclid(em)
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
