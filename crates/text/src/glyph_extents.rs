//! The reach of glyphs' ink from the baseline, each found once.

use rustc_hash::FxHashMap;

use crate::FontSet;
use crate::glyph_outline::{FRACTIONS, Segment, outline};
use crate::units::Size;

/// Glyphs that are kept; past it, all are let go.
const MAX_GLYPHS: usize = 1 << 14;

/// Upwards and downwards from the baseline in 1/256 px; upwards is negative where the ink is all below.
pub(crate) type Reach = (i32, i32);

/// The reach of the glyphs of one font size.
pub(crate) struct GlyphExtents {
    size: Size,
    reaches: FxHashMap<(u8, u32), Option<Reach>>,
    path: Vec<Segment>,
}

impl GlyphExtents {
    pub(crate) fn new(size: Size) -> Self {
        Self { size, reaches: FxHashMap::default(), path: Vec::new() }
    }

    /// The reach of a glyph, or a little more: curves stay within their control points. None for a glyph without ink.
    pub(crate) fn reach(&mut self, fonts: &FontSet, face: u8, glyph: u32) -> Option<Reach> {
        if let Some(&reach) = self.reaches.get(&(face, glyph)) {
            return reach;
        }
        if self.reaches.len() >= MAX_GLYPHS {
            self.reaches.clear();
        }
        let reach = self.measure(fonts, face, glyph);
        self.reaches.insert((face, glyph), reach);
        reach
    }

    fn measure(&mut self, fonts: &FontSet, face: u8, glyph: u32) -> Option<Reach> {
        let face = fonts.face(face);
        outline(face, glyph, &mut self.path);
        let heights = || {
            self.path.iter().flat_map(|segment| match *segment {
                Segment::Move(to) | Segment::Line(to) => [to.1; 3],
                Segment::Quadratic(control, to) => [control.1, to.1, to.1],
                Segment::Cubic(first, second, to) => [first.1, second.1, to.1],
            })
        };
        let (top, bottom) = (heights().max()?, heights().min()?);
        let scale = |height| self.size.scale(height, face.units_per_em * FRACTIONS);
        Some((scale(top), scale(bottom).saturating_neg()))
    }
}
