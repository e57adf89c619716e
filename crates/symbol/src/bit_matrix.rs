//! The modules of a symbol as lines: each row with the column of the same number beside it.
//!
//! The penalty rules look along rows and along columns. With both side by side, an operation between two lines that follow
//! one another goes one module down in every column, and one module to the right in every row. In version 1:
//!
//! ```text
//!            bit 0       bit 20   bit 21       bit 41   bits 42 to 63
//! line 0     row 0                column 0              light
//! line 1     row 1                column 1              light
//!   ⋮
//! line 20    row 20               column 20             light
//! line 21    light                light                 light
//! ```
//!
//! Down the lines, bit `x` is column `x` from top to bottom, and bit `21 + y` is row `y` from left to right. A line of a
//! larger version takes up to six words. Word `i` of all lines is *strip* `i`; a strip lies in memory as one slice.

use crate::{ROW_WORDS, Version};

/// Words of the longest line.
pub(crate) const MAX_LINE_WORDS: usize = line_words(Version::MAX);
/// Light lines after the last one, which the windows of `penalty::wide_finders` reach into.
pub(crate) const LINES_BELOW: usize = 9;
/// Lines of a strip: whole vectors, so that every strip begins where a cache line does.
const MAX_LINES: usize = (Version::MAX.size() + LINES_BELOW).next_multiple_of(8);

/// Words of a line of a version.
pub(crate) const fn line_words(version: Version) -> usize {
    (2 * version.size()).div_ceil(64)
}

/// Words of a row of a version.
pub(crate) const fn row_words(version: Version) -> usize {
    version.size().div_ceil(64)
}

/// The mask of a line's first `count` bits, as far as they are in word `word` of it.
pub(crate) const fn first_bits(count: usize, word: usize) -> u64 {
    let count = count.saturating_sub(64 * word);
    if count < 64 { (1 << count) - 1 } else { u64::MAX }
}

/// Rows or columns: word `i` of all of them is element `i`. Their number is rounded up to whole squares of 64.
pub(crate) type WordsOfRows = [[u64; 64 * ROW_WORDS]; ROW_WORDS];

/// Word `index` of all rows or columns, which have words 0 to `last`; light modules where they have no such word.
#[inline(always)]
fn word_of(words: &WordsOfRows, index: Option<usize>, last: usize) -> &[u64; 64 * ROW_WORDS] {
    index.filter(|&index| index <= last).map_or(LIGHT, |index| &words[index])
}

/// A word of rows or columns without modules.
static LIGHT: &[u64; 64 * ROW_WORDS] = &[0; 64 * ROW_WORDS];

/// The lines of a symbol, strip by strip. Bits past a line's end and lines past the last are light.
#[derive(Clone)]
#[repr(C, align(64))]
pub(crate) struct BitMatrix {
    strips: [[u64; MAX_LINES]; MAX_LINE_WORDS],
    version: Version,
}

impl BitMatrix {
    pub(crate) const BLANK: Self = Self { strips: [[0; MAX_LINES]; MAX_LINE_WORDS], version: Version::MIN };

    /// Makes it a matrix of that version, whose lines the caller is to set.
    #[inline(always)]
    fn resize(&mut self, version: Version) {
        self.version = version;
        let size = version.size();
        for strip in &mut self.strips[..line_words(version)] {
            strip[size..size + LINES_BELOW].fill(0);
        }
    }

    /// Makes it the matrix of these rows and columns.
    #[inline(always)]
    pub(crate) fn join(&mut self, version: Version, rows: &WordsOfRows, columns: &WordsOfRows) {
        self.resize(version);
        let size = version.size();
        // A size is odd, so no shift is by nothing.
        let (first, shift) = (size / 64, size % 64);
        for (index, strip) in self.strips[..line_words(version)].iter_mut().enumerate() {
            let rows = word_of(rows, Some(index), first);
            let low = word_of(columns, index.checked_sub(first), first);
            let high = word_of(columns, index.checked_sub(first + 1), first);
            for ((word, row), (low, high)) in strip[..size].iter_mut().zip(rows).zip(low.iter().zip(high)) {
                *word = row | low << shift | high >> (64 - shift);
            }
        }
    }

    /// Makes it another matrix, with the modules of `overlay` inverted: the words of one strip after those of another.
    #[inline(always)]
    pub(crate) fn overlay(&mut self, other: &Self, overlay: &[u64]) {
        self.resize(other.version);
        let size = self.version.size();
        for ((masked, strip), overlay) in
            self.strips.iter_mut().zip(&other.strips).zip(overlay.chunks_exact(size))
        {
            for ((masked, word), overlay) in masked.iter_mut().zip(&strip[..size]).zip(overlay) {
                *masked = word ^ overlay;
            }
        }
    }

    pub(crate) fn version(&self) -> Version {
        self.version
    }

    /// The strips: a word of every line and of [`LINES_BELOW`] more.
    #[inline(always)]
    pub(crate) fn strips(&self) -> impl Iterator<Item = &[u64]> {
        let lines = self.version.size() + LINES_BELOW;
        self.strips[..line_words(self.version)].iter().map(move |strip| &strip[..lines])
    }

    #[inline(always)]
    pub(crate) fn strip(&self, index: usize) -> &[u64] {
        &self.strips[index][..self.version.size() + LINES_BELOW]
    }

    /// The row or column that a bit of all lines makes: module `i` is bit `i`.
    pub(crate) fn row_or_column(&self, bit: usize) -> [u64; ROW_WORDS] {
        let size = self.version.size();
        // A column is also the second part of a line, and a row is the first part.
        let (line, start) = if bit < size { (bit, size) } else { (bit - size, 0) };
        let mut across = [0; ROW_WORDS];
        for (word, bits) in across.iter_mut().enumerate() {
            let strip = |index: usize| self.strips.get(index).map_or(0, |strip| u128::from(strip[line]));
            let index = start / 64 + word;
            *bits = ((strip(index + 1) << 64 | strip(index)) >> (start % 64)) as u64 & first_bits(size, word);
        }
        across
    }

    /// Writes the rows.
    #[inline(always)]
    pub(crate) fn write_rows(&self, rows: &mut [[u64; ROW_WORDS]]) {
        let size = self.version.size();
        let bits = [0, 1, 2].map(|word| first_bits(size, word));
        let [first, second, third, ..] = &self.strips;
        for (((row, first), second), third) in rows.iter_mut().zip(first).zip(second).zip(third) {
            *row = [first & bits[0], second & bits[1], third & bits[2]];
        }
    }
}
