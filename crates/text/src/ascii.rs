//! The short way for captions of printable ASCII that fit one line: glyphs from a table of pairs.
//!
//! Such a caption is set by the first face, from left to right, and each of its letters depends on the next one alone
//! (kerning). Pairs are learnt from the shaper. Where a pair is more than two letters side by side (a ligature),
//! the whole caption goes the long way. A test holds the two ways against each other.

use crate::FontSet;
use crate::shape::{ShapedGlyph, Shaper, Style};

const FIRST: u8 = b' ';
const LETTERS: usize = 95;
/// The column of a letter that ends a word.
const END: usize = LETTERS;

/// Unknown yet; more than two letters side by side.
const UNKNOWN: i32 = i32::MIN;
const COMPLEX: i32 = i32::MAX;

/// Printable ASCII in the first face, at one size.
pub(crate) struct LatinPairs {
    /// Glyph numbers; 0: not met yet, or missing.
    glyphs: [u32; LETTERS],
    /// The distance that the pen moves from a letter to the next, or to the word's end.
    advances: Vec<[i32; LETTERS + 1]>,
    shaped: Vec<ShapedGlyph>,
}

impl LatinPairs {
    pub(crate) fn new() -> Self {
        Self { glyphs: [0; LETTERS], advances: vec![[UNKNOWN; LETTERS + 1]; LETTERS], shaped: Vec::new() }
    }

    /// Appends the glyphs of `text`, when it is one line of printable ASCII that is at most `limit` wide. Otherwise
    /// returns false and leaves `out` empty.
    pub(crate) fn shape(
        &mut self,
        fonts: &FontSet,
        shaper: &mut Shaper,
        text: &[u8],
        limit: i32,
        out: &mut Vec<ShapedGlyph>,
    ) -> bool {
        out.clear();
        let mut width = 0_i32;
        for (at, &letter) in text.iter().enumerate() {
            let left = usize::from(letter.wrapping_sub(FIRST));
            let next = text.get(at + 1).copied().unwrap_or(FIRST);
            let right = usize::from(next.wrapping_sub(FIRST));
            if left >= LETTERS || right >= LETTERS {
                out.clear();
                return false;
            }
            // Words are shaped with the spaces behind them: see `Paragraph`.
            let ends = at + 1 == text.len() || (letter == b' ' && next != b' ');
            let right = if ends { END } else { right };
            let mut advance = self.advances[left][right];
            if advance == UNKNOWN {
                advance = self.learn(fonts, shaper, left, right);
            }
            width = width.saturating_add(advance);
            if advance == COMPLEX || width > limit {
                out.clear();
                return false;
            }
            let glyph = self.glyphs[left];
            out.push(ShapedGlyph { face: 0, glyph, cluster: at as u32, advance, offset: (0, 0) });
        }
        !text.is_empty()
    }

    #[cold]
    fn learn(&mut self, fonts: &FontSet, shaper: &mut Shaper, left: usize, right: usize) -> i32 {
        let mut advance = COMPLEX;
        if let Some(single) = self.single(fonts, shaper, left) {
            self.glyphs[left] = single.glyph;
            if right == END {
                advance = single.advance;
            } else if let Some(next) = self.single(fonts, shaper, right) {
                self.shape_letters(fonts, shaper, &[left, right]);
                if let [first, second] = self.shaped[..]
                    && (first.glyph, first.offset) == (single.glyph, single.offset)
                    && (second.glyph, second.offset, second.advance)
                        == (next.glyph, next.offset, next.advance)
                {
                    advance = first.advance;
                }
            }
        }
        self.advances[left][right] = advance;
        advance
    }

    /// A letter by itself, when it is one glyph of the first face that stands on the pen.
    fn single(&mut self, fonts: &FontSet, shaper: &mut Shaper, letter: usize) -> Option<ShapedGlyph> {
        if fonts.first_face(char::from(FIRST + letter as u8)) != Some(0) {
            return None;
        }
        self.shape_letters(fonts, shaper, &[letter]);
        match self.shaped[..] {
            [glyph] if glyph.offset == (0, 0) => Some(glyph),
            _ => None,
        }
    }

    fn shape_letters(&mut self, fonts: &FontSet, shaper: &mut Shaper, letters: &[usize]) {
        let text: String = letters.iter().map(|&letter| char::from(FIRST + letter as u8)).collect();
        self.shaped.clear();
        shaper.shape(fonts.face(0), Style::LATIN, &text, 0, &mut self.shaped);
    }
}

impl Style {
    /// The properties that `Paragraph` shapes ASCII with.
    const LATIN: Self = Self { face: 0, script: *b"Latn", right_to_left: false };
}
