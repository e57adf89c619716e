//! The outline of a glyph as its font has it.

use harfrust::GlyphId;
use harfrust::font::glyph::outline::{DrawMemory, DrawOptions, PathSink};

use crate::face::Face;

/// Parts of a font unit that coordinates are kept in: compact fonts have fractions.
pub(crate) const FRACTIONS: i32 = 64;

/// The same as a factor of what the font parser gives out.
const FRACTIONS_PER_UNIT: f32 = 64.0;

/// A point: in 1/64 font units, y upwards, unless a function says otherwise.
pub(crate) type Point = (i32, i32);

/// A step of an outline. Every contour begins with `Move` and is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Segment {
    /// The start of a contour.
    Move((i32, i32)),
    /// A straight line.
    Line((i32, i32)),
    /// A curve of one control point.
    Quadratic((i32, i32), (i32, i32)),
    /// A curve of two control points.
    Cubic((i32, i32), (i32, i32), (i32, i32)),
}

impl Segment {
    /// The same step with its points moved.
    pub(crate) fn map(self, place: impl Fn(Point) -> Point) -> Self {
        match self {
            Self::Move(to) => Self::Move(place(to)),
            Self::Line(to) => Self::Line(place(to)),
            Self::Quadratic(control, to) => Self::Quadratic(place(control), place(to)),
            Self::Cubic(first, second, to) => Self::Cubic(place(first), place(second), place(to)),
        }
    }
}

/// Fills `out` with the outline of `glyph`; with nothing when it has none, or a malformed one.
pub(crate) fn outline(face: &Face, glyph: u32, out: &mut Vec<Segment>) {
    out.clear();
    let Some(outline) = face.font.outline_glyphs().get(GlyphId::new(glyph)) else { return };
    if outline.draw(&DrawOptions::new(), DrawMemory::Scratch, &mut Sink(out)).is_err() {
        out.clear();
    }
}

struct Sink<'a>(&'a mut Vec<Segment>);

/// Multiplying by a power of two is exact, and the cast cuts and saturates: the same on every machine.
fn point(x: f32, y: f32) -> Point {
    let fixed = |value: f32| ((value * FRACTIONS_PER_UNIT) as i32).clamp(-MAX_COORDINATE, MAX_COORDINATE);
    (fixed(x), fixed(y))
}

/// 32,768 font units: what the formats can hold.
const MAX_COORDINATE: i32 = FRACTIONS << 15;

impl PathSink for Sink<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.push(Segment::Move(point(x, y)));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.0.push(Segment::Line(point(x, y)));
    }

    fn quad_to(&mut self, cx0: f32, cy0: f32, x: f32, y: f32) {
        self.0.push(Segment::Quadratic(point(cx0, cy0), point(x, y)));
    }

    fn curve_to(&mut self, cx0: f32, cy0: f32, cx1: f32, cy1: f32, x: f32, y: f32) {
        self.0.push(Segment::Cubic(point(cx0, cy0), point(cx1, cy1), point(x, y)));
    }

    fn close(&mut self) {}
}
