//! The heights of a caption: its leading, the ink of its faces, and the gaps above and below the lines.

use crate::FontSet;
use crate::face::Face;
use crate::units::Size;

/// The distances that a line reaches from its baseline, in whole pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LineHeight {
    pub(crate) ascent_px: u32,
    pub(crate) descent_px: u32,
}

impl LineHeight {
    pub(crate) fn total_px(self) -> u32 {
        self.ascent_px + self.descent_px
    }

    fn max(self, other: Self) -> Self {
        Self {
            ascent_px: self.ascent_px.max(other.ascent_px),
            descent_px: self.descent_px.max(other.descent_px),
        }
    }
}

/// The heights at one font size.
pub(crate) struct Heights {
    /// Between the code's picture and the first line: a quarter of the font size, rounded up.
    pub(crate) top_gap_px: u32,
    /// Below the last line: half of the font size, rounded up.
    pub(crate) bottom_gap_px: u32,
    /// A line of any script, as the first face asks for it: the sum is the distance of two baselines.
    pub(crate) line: LineHeight,
    /// The most that a line grows for the ink of each face.
    by_face: Vec<LineHeight>,
    /// The tallest of `by_face`.
    tallest: LineHeight,
    /// Of lines of ASCII: the first face's, when it has all of it.
    ascii: LineHeight,
}

impl Heights {
    pub(crate) fn new(fonts: &FontSet, size: Size) -> Self {
        let first = fonts.face(0);
        // A line without height would let later ones be drawn over it.
        let line = LineHeight {
            ascent_px: size.scale_up_px(first.extents.ascent, first.units_per_em).max(1),
            descent_px: size.scale_up_px(first.extents.descent, first.units_per_em),
        };
        let tallest_ink = |face: &Face| {
            let clipping = LineHeight {
                ascent_px: size.scale_up_px(face.clipping.ascent, face.units_per_em),
                descent_px: size.scale_up_px(face.clipping.descent, face.units_per_em),
            };
            clipping.max(line)
        };
        let by_face: Vec<LineHeight> = fonts.faces().iter().map(tallest_ink).collect();
        let tallest = by_face.iter().fold(line, |tallest, &own| tallest.max(own));
        let first_has_ascii = (' '..='~').all(|character| fonts.first_face(character) == Some(0));
        Self {
            top_gap_px: size.px().div_ceil(4),
            bottom_gap_px: size.px().div_ceil(2),
            line,
            ascii: if first_has_ascii { by_face[0] } else { tallest },
            by_face,
            tallest,
        }
    }

    /// The most that a line grows for the ink of a face.
    pub(crate) fn tallest_ink(&self, face: u8) -> LineHeight {
        self.by_face[usize::from(face)]
    }

    /// A height that no line's ink passes.
    pub(crate) fn bound(&self, is_ascii: bool) -> LineHeight {
        if is_ascii { self.ascii } else { self.tallest }
    }
}
