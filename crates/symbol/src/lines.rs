//! The modules of a symbol, row and column side by side.
//!
//! A line is a row, and after it, as further bits, the column of the same number. What the lines have one after another is
//! what every column and every row has along its length, so that one rule between lines serves both directions.

use crate::finder_like::LINES_BELOW;
use crate::{ROW_WORDS, Version};

/// Words of the longest line.
pub(crate) const MAX_LINE_WORDS: usize = line_words(Version::MAX);
/// Lines that there is room for: whole vectors, so that those of every strip begin where a cache line does.
const MAX_LINES: usize = (Version::MAX.size() + LINES_BELOW).next_multiple_of(8);

/// Words of a line of that version.
pub(crate) const fn line_words(version: Version) -> usize {
    (2 * version.size()).div_ceil(64)
}

/// Words of a row of that version.
pub(crate) const fn row_words(version: Version) -> usize {
    version.size().div_ceil(64)
}

/// Rows or columns in whole squares of 64: for each word of theirs, that word of all.
pub(crate) type Squares = [[u64; 64 * ROW_WORDS]; ROW_WORDS];

/// That word of all rows or columns; light modules where they have none, `last` being the last.
#[inline(always)]
fn word_of(words: &Squares, index: Option<usize>, last: usize) -> &[u64; 64 * ROW_WORDS] {
    index.filter(|&index| index <= last).map_or(LIGHT, |index| &words[index])
}

/// A word of rows or columns without modules.
static LIGHT: &[u64; 64 * ROW_WORDS] = &[0; 64 * ROW_WORDS];

/// Lines, in strips: for each word of a line, that word of all lines. Bit `x` of line `y` is row `y`, column `x`; bit
/// `size + y` of line `x` is the same module. Other bits, and lines past the last, are light.
#[derive(Clone)]
#[repr(C, align(64))]
pub(crate) struct Lines {
    strips: [[u64; MAX_LINES]; MAX_LINE_WORDS],
    version: Version,
}

impl Lines {
    pub(crate) const BLANK: Self = Self { strips: [[0; MAX_LINES]; MAX_LINE_WORDS], version: Version::MIN };

    /// Makes them lines of that version, which the caller is to set.
    #[inline(always)]
    fn resize(&mut self, version: Version) {
        self.version = version;
        let size = version.size();
        for strip in &mut self.strips[..line_words(version)] {
            strip[size..size + LINES_BELOW].fill(0);
        }
    }

    /// Makes them the lines of these rows and columns.
    #[inline(always)]
    pub(crate) fn join(&mut self, version: Version, rows: &Squares, columns: &Squares) {
        self.resize(version);
        let size = version.size();
        // A size is odd, so that no shift is by nothing.
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

    /// Makes them `lines` with the modules of `overlay` inverted: a strip's words after another's.
    #[inline(always)]
    pub(crate) fn overlay(&mut self, lines: &Self, overlay: &[u64]) {
        self.resize(lines.version);
        let size = self.version.size();
        for ((masked, strip), overlay) in
            self.strips.iter_mut().zip(&lines.strips).zip(overlay.chunks_exact(size))
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

    /// The row or column that a bit of all lines is: module `i` is bit `i`.
    pub(crate) fn across(&self, bit: usize) -> [u64; ROW_WORDS] {
        let size = self.version.size();
        // A column is also the second part of a line, and a row the first one.
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

/// The first `count` bits of a line, as far as they are in that word of it.
pub(crate) const fn first_bits(count: usize, word: usize) -> u64 {
    let count = count.saturating_sub(64 * word);
    if count < 64 { (1 << count) - 1 } else { u64::MAX }
}
