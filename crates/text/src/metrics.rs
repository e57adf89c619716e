//! The heights of a caption: its lines, and the gaps above and below them.

use crate::FontSet;
use crate::units::Size;

/// How far a line reaches from its baseline, in whole pixels.
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
    /// Between the code's quiet zone and the first line: a quarter of the font size, rounded up.
    pub(crate) top_gap_px: u32,
    /// Below the last line: half of the font size, rounded up.
    pub(crate) bottom_gap_px: u32,
    /// A line that holds each face. The first face's is what it asks for, and the least of every line; a line with another
    /// face has room for all that face draws, since stacked scripts would else run into the next line.
    by_face: Vec<LineHeight>,
    /// The tallest of `by_face`.
    tallest: LineHeight,
    /// Of lines of ASCII: the first face's, when it has all of it.
    ascii: LineHeight,
}

impl Heights {
    pub(crate) fn new(fonts: &FontSet, size: Size) -> Self {
        let mut by_face = Vec::with_capacity(fonts.len());
        for (number, face) in fonts.faces().iter().enumerate() {
            let extents = if number == 0 { face.extents } else { face.clipping };
            let own = LineHeight {
                ascent_px: size.scale_up_px(extents.ascent, face.units_per_em),
                descent_px: size.scale_up_px(extents.descent, face.units_per_em),
            };
            // A line without height would let later ones be drawn over it.
            let least = by_face.first().copied().unwrap_or(LineHeight { ascent_px: 1, descent_px: 0 });
            by_face.push(own.max(least));
        }
        let tallest = by_face.iter().fold(by_face[0], |tallest, &own| tallest.max(own));
        let first_has_ascii = (' '..='~').all(|character| fonts.first_face(character) == Some(0));
        Self {
            top_gap_px: size.px().div_ceil(4),
            bottom_gap_px: size.px().div_ceil(2),
            ascii: if first_has_ascii { by_face[0] } else { tallest },
            by_face,
            tallest,
        }
    }

    /// The height of a line of which `faces` draw something.
    pub(crate) fn line(&self, faces: impl Iterator<Item = u8>) -> LineHeight {
        faces.fold(self.by_face[0], |line, face| line.max(self.by_face[usize::from(face)]))
    }

    /// A height that no line passes.
    pub(crate) fn bound(&self, is_ascii: bool) -> LineHeight {
        if is_ascii { self.ascii } else { self.tallest }
    }
}
