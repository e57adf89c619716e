//! Glyphs as SVG path data, each made once per font size: its commands are relative, so that one text serves every place.

use std::collections::HashMap;

use crate::FontSet;
use crate::glyph_outline::{FRACTIONS, Point, Segment, outline};
use crate::units::{PX, Size};

/// Bytes of path data that are kept; past it, all are let go.
const MAX_BYTES: usize = 4 << 20;
/// The memory of an entry beside its text.
const ENTRY_BYTES: usize = 64;

pub(crate) struct SvgGlyphs {
    size: Size,
    decimals: Decimals,
    glyphs: HashMap<(u8, u32), Box<[u8]>>,
    bytes: usize,
    path: Vec<Segment>,
}

impl SvgGlyphs {
    pub(crate) fn new(size: Size) -> Self {
        Self { size, decimals: Decimals::for_size(size), glyphs: HashMap::new(), bytes: 0, path: Vec::new() }
    }

    /// Appends a glyph whose pen stands at `at`, in 1/256 px, `top_px` lower down.
    pub(crate) fn write(
        &mut self,
        fonts: &FontSet,
        face: u8,
        glyph: u32,
        at: (i32, i32),
        top_px: u32,
        out: &mut Vec<u8>,
    ) {
        if self.bytes >= MAX_BYTES {
            self.glyphs.clear();
            self.bytes = 0;
        }
        let data = self.glyphs.entry((face, glyph)).or_insert_with(|| {
            let face = fonts.face(face);
            outline(face, glyph, &mut self.path);
            let data = relative_data(&self.path, self.size, face.units_per_em, self.decimals);
            self.bytes += data.len() + ENTRY_BYTES;
            data.into()
        });
        if data.is_empty() {
            return;
        }
        let y = i64::from(at.1) + i64::from(top_px) * i64::from(PX);
        out.push(b'M');
        self.decimals.push(out, self.decimals.round(i64::from(at.0)), true);
        self.decimals.push(out, self.decimals.round(y), false);
        out.extend_from_slice(data);
    }
}

/// The outline after an absolute move to the pen.
fn relative_data(path: &[Segment], size: Size, units_per_em: i32, decimals: Decimals) -> Vec<u8> {
    let em = units_per_em * FRACTIONS;
    let place = |(x, y): Point| {
        (decimals.round(i64::from(size.scale(x, em))), decimals.round(i64::from(size.scale(-y, em))))
    };
    let mut out = Vec::new();
    let (mut start, mut pen) = ((0, 0), (0, 0));
    let mut open = false;
    for &segment in path {
        let mut command = |letter: u8, points: &[Point], pen: &mut (i64, i64)| {
            out.push(letter);
            let mut first = true;
            let mut last = *pen;
            for &point in points {
                last = place(point);
                decimals.push(&mut out, last.0 - pen.0, first);
                decimals.push(&mut out, last.1 - pen.1, false);
                first = false;
            }
            *pen = last;
        };
        match segment {
            Segment::Move(to) => {
                if open {
                    // Closing takes the pen back to where its contour began.
                    command(b'z', &[], &mut pen);
                    pen = start;
                }
                command(b'm', &[to], &mut pen);
                (start, open) = (pen, true);
            }
            Segment::Line(to) => command(b'l', &[to], &mut pen),
            Segment::Quadratic(control, to) => command(b'q', &[control, to], &mut pen),
            Segment::Cubic(first, second, to) => command(b'c', &[first, second, to], &mut pen),
        }
    }
    if open {
        out.push(b'z');
    }
    out
}

/// The precision of coordinates: hundredths of a pixel, tenths where a pixel is less than 1/64 em.
#[derive(Clone, Copy)]
struct Decimals {
    per_px: i64,
    digits: usize,
}

impl Decimals {
    fn for_size(size: Size) -> Self {
        if size.px() < 64 { Self { per_px: 100, digits: 2 } } else { Self { per_px: 10, digits: 1 } }
    }

    /// 1/256 px to the written unit, to the nearest, halves up.
    fn round(self, length: i64) -> i64 {
        (length * self.per_px + i64::from(PX) / 2).div_euclid(i64::from(PX))
    }

    /// Appends a number in the fewest characters: a space only where two numbers would run together.
    fn push(self, out: &mut Vec<u8>, value: i64, is_first: bool) {
        let (whole, mut part) =
            (value.unsigned_abs() / self.per_px as u64, value.unsigned_abs() % self.per_px as u64);
        let mut digits = self.digits;
        while digits > 0 && part.is_multiple_of(10) {
            part /= 10;
            digits -= 1;
        }
        if value < 0 {
            out.push(b'-');
        } else if !is_first {
            out.push(b' ');
        }
        if whole > 0 || digits == 0 {
            push_decimal(out, whole, 1);
        }
        if digits > 0 {
            out.push(b'.');
            push_decimal(out, part, digits);
        }
    }
}

/// Appends `value` with at least `digits` digits.
fn push_decimal(out: &mut Vec<u8>, mut value: u64, digits: usize) {
    let mut text = [b'0'; 20];
    let mut at = text.len();
    while value > 0 {
        at -= 1;
        text[at] += (value % 10) as u8;
        value /= 10;
    }
    out.extend_from_slice(&text[at.min(text.len() - digits)..]);
}
