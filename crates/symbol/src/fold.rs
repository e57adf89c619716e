//! The last strip of the lines, folded: where few of its bits are in use, parts of its lines lie side by side in a word.
//!
//! What is looked for along lines depends on lines before. So a part begins with the last lines of the part before it, at
//! which nothing is counted.

use crate::Version;
use crate::along::ROOM;
use crate::lines::{Lines, first_bits};
use crate::penalty::Lanes;

/// Lines at the beginning of a part that are there for those after them: as far as patterns reach back, and whole fours.
pub(crate) const LEAD: usize = 12;
/// Lines that a run of five has before its last.
const BEFORE_LAST: usize = 4;
/// Folded lines that there may be: those of two parts of the largest version.
const MAX_FOLDED: usize = LEAD + (Version::MAX.size() + ROOM).div_ceil(2).next_multiple_of(4);

/// How the last strip of a version is folded.
pub(crate) struct Fold {
    strip: usize,
    size: usize,
    parts: usize,
    /// Bits of a part.
    bits: usize,
    /// Lines of a part in which something is counted: whole fours.
    length: usize,
    fours: Vec<FoldedFour>,
}

/// What is known of four folded lines.
#[derive(Clone)]
pub(crate) struct FoldedFour {
    /// What makes their variants.
    pub(crate) overlay: [Lanes; 4],
    /// The bits in which no run of five ends.
    pub(crate) no_run: [u64; 4],
}

/// The folded words of a strip.
#[repr(C, align(64))]
pub(crate) struct Folded([u64; MAX_FOLDED]);

impl Folded {
    pub(crate) const BLANK: Self = Self([0; MAX_FOLDED]);
}

impl Fold {
    /// The fold for a version with that overlay; none where more than half of the last strip's bits are in use, or so few
    /// that the rows they are fit in a word each.
    pub(crate) fn new(version: Version, overlay: &[Lanes]) -> Option<Self> {
        let size = version.size();
        let (strip, bits) = (2 * size / 64, 2 * size % 64);
        let parts = 64 / bits;
        if parts < 2 || has_last_rows_in_words(version) {
            return None;
        }
        let length = (size + ROOM).div_ceil(parts).next_multiple_of(4);
        let blank = FoldedFour { overlay: [Lanes([0; 8]); 4], no_run: [0; 4] };
        let fours = vec![blank; (LEAD + length) / 4];
        let mut fold = Self { strip, size, parts, bits, length, fours };
        let mut folded = Folded::BLANK;
        for lane in 0..8 {
            let words: Vec<u64> = overlay[strip * size..].iter().map(|lanes| lanes.0[lane]).collect();
            fold.fold_words(&words, &mut folded);
            for (line, word) in folded.0[..LEAD + length].iter().enumerate() {
                fold.fours[line / 4].overlay[line % 4].0[lane] = *word;
            }
        }
        let last = |line| if line < BEFORE_LAST { 0 } else { first_bits(bits, 0) };
        let lasts: Vec<u64> = (0..size).map(last).collect();
        fold.fold_words(&lasts, &mut folded);
        for (line, lasts) in folded.0[..LEAD + length].iter().enumerate() {
            fold.fours[line / 4].no_run[line % 4] = !lasts;
        }
        Some(fold)
    }

    /// Folds the strip of those lines.
    #[inline(always)]
    pub(crate) fn fold<'a>(&'a self, lines: &Lines, folded: &'a mut Folded) -> (&'a Self, &'a Folded) {
        self.fold_words(&lines.strip(self.strip)[..self.size], folded);
        (self, folded)
    }

    /// The folded lines, four by four.
    #[inline(always)]
    pub(crate) fn fours<'a>(&'a self, folded: &'a Folded) -> (&'a [[u64; 4]], &'a [FoldedFour]) {
        (&folded.0.as_chunks().0[..self.fours.len()], &self.fours)
    }

    /// Folds the words of lines; light ones come before the first and after the last.
    #[inline(always)]
    fn fold_words(&self, words: &[u64], folded: &mut Folded) {
        folded.0[..LEAD + self.length].fill(0);
        for part in 0..self.parts {
            let start = part * self.length;
            let to = &mut folded.0[LEAD.saturating_sub(start)..LEAD + self.length];
            let from = words.get(start.saturating_sub(LEAD)..).unwrap_or(&[]);
            for (folded, word) in to.iter_mut().zip(from) {
                *folded |= word << (part * self.bits);
            }
        }
    }
}

/// Whether the last strip has just two rows, each of which fits in a word, with [`ROOM`]: as in version 4, which many URLs
/// take.
pub(crate) fn has_last_rows_in_words(version: Version) -> bool {
    2 * version.size() % 64 == 2 && version.size() + ROOM <= 64
}
