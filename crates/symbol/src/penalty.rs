//! Scores the eight masked variants of a symbol (ISO/IEC 18004, clause 7.8.3.1 and table 11).
//!
//! Rule N3 speaks of a pattern of ratio 1:1:3:1:1 between light modules four wide. It is read here as free of scale: dark
//! and light runs of exactly n, n, 3n, n and n modules between light runs of at least n on one side and 4n on the other, each
//! order of the sides counting once, the quiet zone counting as light. This module counts n = 1; wider patterns, which are
//! rare and can only add, are `finder_like`'s.

use std::ops::Range;

use crate::along::{Counts, across_folded, across_lines, within_words};
use crate::fold::{Fold, Folded, has_last_rows_in_words};
use crate::lines::{Lines, first_bits, line_words, row_words};
use crate::vector::{Level, Vector};

/// Points of rule N3 for a pattern.
pub(crate) const N3: u64 = 40;
/// Points of rule N2 for a block of 2 × 2 modules.
const N2: u64 = 3;
/// Points of rule N4 for each 5 % beyond the first that the dark modules are away from half.
const N4: u64 = 10;
/// Variants, one for each mask.
const VARIANTS: usize = 8;

/// A word of each variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct Lanes(pub(crate) [u64; VARIANTS]);

/// Some of the variants, as many as a vector has words.
#[derive(Clone, Copy)]
pub(crate) struct Variants<'a, L> {
    pub(crate) level: L,
    lines: &'a Lines,
    overlay: &'a [Lanes],
    first: usize,
}

impl<L: Level> Variants<'_, L> {
    /// Their modules, from a word of the lines and the overlay there.
    #[inline(always)]
    pub(crate) fn mask(&self, word: u64, overlay: &Lanes) -> L::Vector {
        self.level.splat(word) ^ self.level.load(&overlay.0[self.first..])
    }

    /// The words of a strip and the overlay there, line by line.
    #[inline(always)]
    pub(crate) fn strip(&self, strip: usize) -> (&[u64], &[Lanes]) {
        let size = self.size();
        (&self.lines.strip(strip)[..size], &self.overlay[strip * size..][..size])
    }

    /// The first word of a line.
    #[inline(always)]
    pub(crate) fn word(&self, line: usize) -> L::Vector {
        self.mask(self.lines.strip(0)[line], &self.overlay[line])
    }

    #[inline(always)]
    pub(crate) fn size(&self) -> usize {
        self.lines.version().size()
    }
}

/// The variants' penalties, N3 for n = 1 only. The overlay has, strip by strip and line by line, what makes the variants
/// of the lines, by exclusive or; where the version has a fold, the last strip comes folded.
#[inline(always)]
pub(crate) fn penalties<L: Level>(
    level: L,
    lines: &Lines,
    overlay: &[Lanes],
    folded: Option<(&Fold, &Folded)>,
) -> [u64; VARIANTS] {
    let size = lines.version().size();
    let mut counts = [[0; VARIANTS]; 4];
    for first in (0..VARIANTS).step_by(L::Vector::WORDS) {
        let variants = Variants { level, lines, overlay, first };
        let along = along_lines(&variants, folded);
        let [blocks, dark] = blocks_and_dark(&variants);
        for (counts, counted) in counts.iter_mut().zip([along.runs, along.patterns, blocks, dark]) {
            counted.store(&mut counts[first..]);
        }
    }
    let [runs, patterns, blocks, dark] = counts;
    let mut penalties = [0; VARIANTS];
    for lane in 0..VARIANTS {
        let steps = steps_from_half(dark[lane], (size * size) as u64);
        penalties[lane] = runs[lane] + N2 * blocks[lane] + N3 * patterns[lane] + N4 * steps;
    }
    penalties
}

/// Counts what rules N1 and N3 look for in the rows and columns.
#[inline(always)]
fn along_lines<L: Level>(variants: &Variants<L>, folded: Option<(&Fold, &Folded)>) -> Counts<L::Vector> {
    let mut counts = Counts::new(variants.level);
    let (size, version) = (variants.size(), variants.lines.version());
    let last_in_words = has_last_rows_in_words(version);
    let whole_strips = line_words(version) - usize::from(last_in_words || folded.is_some());
    for strip in 0..whole_strips {
        across_lines(variants, strip, first_bits(2 * size, strip), &mut counts);
    }
    if last_in_words {
        within_words(variants, size - 2..size, &mut counts);
    }
    if let Some((fold, folded)) = folded {
        across_folded(variants, fold, folded, &mut counts);
    }
    counts
}

/// Counts the blocks of rule N2 and the dark modules of rule N4.
#[inline(always)]
fn blocks_and_dark<L: Level>(variants: &Variants<L>) -> [L::Vector; 2] {
    let size = variants.size();
    // The last columns are few in some versions, and then rather lines of their own than a word of every row.
    let few = size % 64 <= 32;
    match row_words(variants.lines.version()) {
        1 => blocks_and_dark_in::<L, 1, false>(variants, &Area::whole(size)),
        2 if few => {
            let left = blocks_and_dark_in::<L, 1, false>(variants, &Area::left_of(64, size));
            let right = blocks_and_dark_in::<L, 2, true>(variants, &Area::right_of(64, size));
            [left[0] + right[0], left[1] + right[1]]
        }
        2 => blocks_and_dark_in::<L, 2, false>(variants, &Area::whole(size)),
        _ if few => {
            let left = blocks_and_dark_in::<L, 2, false>(variants, &Area::left_of(128, size));
            let right = blocks_and_dark_in::<L, 3, true>(variants, &Area::right_of(128, size));
            [left[0] + right[0], left[1] + right[1]]
        }
        _ => blocks_and_dark_in::<L, 3, false>(variants, &Area::whole(size)),
    }
}

/// A part of the symbol in which blocks and dark modules are counted.
struct Area {
    lines: Range<usize>,
    /// The strip in which its bits begin.
    strip: usize,
    /// Bits, counted from the strip's first, of modules that are counted where they are dark.
    modules: Range<usize>,
    /// Bits of modules that begin a block with the next bit and the line above.
    pairs: Range<usize>,
}

impl Area {
    fn whole(size: usize) -> Self {
        Self { lines: 0..size, strip: 0, modules: 0..size, pairs: 0..size - 1 }
    }

    /// The columns before the last one that is left of `edge`, and the blocks with that one.
    fn left_of(edge: usize, size: usize) -> Self {
        Self { lines: 0..size, strip: 0, modules: 0..edge - 1, pairs: 0..edge - 1 }
    }

    /// The columns that [`left_of`](Self::left_of) leaves, as lines.
    fn right_of(edge: usize, size: usize) -> Self {
        let first = size % 64;
        Self {
            lines: edge - 1..size,
            strip: size / 64,
            modules: first..first + size,
            pairs: first..first + size - 1,
        }
    }
}

/// Counts those of an area whose bits are in so many words; `INSIDE` where it begins inside of the first.
#[inline(always)]
fn blocks_and_dark_in<L: Level, const WORDS: usize, const INSIDE: bool>(
    variants: &Variants<L>,
    area: &Area,
) -> [L::Vector; 2] {
    let level = variants.level;
    let none = level.splat(0);
    let last = WORDS - 1;
    let mut counted = [none; WORDS];
    let mut pairs = [none; WORDS];
    let mut strips = [variants.strip(area.strip); WORDS];
    for word in 0..WORDS {
        let bits = |bits: &Range<usize>| first_bits(bits.end, word) & !first_bits(bits.start, word);
        counted[word] = level.splat(bits(&area.modules));
        pairs[word] = level.splat(bits(&area.pairs));
        strips[word] = variants.strip(area.strip + word);
    }
    let (mut blocks, mut dark) = (none, none);
    // Of the line above: all modules, and those that equal the next ones.
    let (mut above, mut equal_above) = ([none; WORDS], [none; WORDS]);
    for line in area.lines.clone() {
        let mut modules = [none; WORDS];
        for word in 0..WORDS {
            let (words, overlay) = strips[word];
            modules[word] = variants.mask(words[line], &overlay[line]);
        }
        for word in 0..WORDS {
            let mut next = modules[word] >> 1;
            if word < last {
                next = next | modules[word + 1] << 63;
            }
            let mut equal = !(modules[word] ^ next);
            let mut inside = modules[word];
            if word == last || INSIDE && word == 0 {
                equal = equal & pairs[word];
                inside = inside & counted[word];
            }
            let same_as_above = !(modules[word] ^ above[word]);
            blocks = blocks + (equal & equal_above[word] & same_as_above).count_ones();
            dark = dark + inside.count_ones();
            equal_above[word] = equal;
        }
        above = modules;
    }
    [blocks, dark]
}

/// Five per cents, beyond the first begun one, that the dark modules are away from half of `total`. `total` is odd.
#[inline(always)]
fn steps_from_half(dark: u64, total: u64) -> u64 {
    // Away from half in twentieths of a module, 1 to 10 × total.
    let away = (20 * dark).abs_diff(10 * total);
    u64::from((away as u32 - 1) / total as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Version;
    use crate::finder_like::count_wide;
    use crate::lines::{Squares, line_words};
    use crate::vector::Portable;

    /// The rules, module by module.
    fn naive(size: usize, is_dark: &dyn Fn(usize, usize) -> bool) -> u64 {
        let mut penalty = 0;
        for i in 0..size {
            penalty += naive_line(&(0..size).map(|j| is_dark(j, i)).collect::<Vec<_>>());
            penalty += naive_line(&(0..size).map(|j| is_dark(i, j)).collect::<Vec<_>>());
        }
        for y in 1..size {
            for x in 1..size {
                let block = [(x, y), (x - 1, y), (x, y - 1), (x - 1, y - 1)].map(|(x, y)| is_dark(x, y));
                penalty += if block == [block[0]; 4] { 3 } else { 0 };
            }
        }
        let dark = (0..size * size).filter(|i| is_dark(i % size, i / size)).count();
        // Twentieths are five per cent.
        penalty + 10 * ((20 * dark).abs_diff(10 * size * size) / (size * size)) as u64
    }

    fn naive_line(line: &[bool]) -> u64 {
        let runs = line.chunk_by(|a, b| a == b);
        let mut penalty = runs.map(|run| if run.len() >= 5 { run.len() as u64 - 2 } else { 0 }).sum();
        let light = vec![false; line.len()];
        let padded = [&light, line, &light].concat();
        let runs: Vec<usize> = padded.chunk_by(|a, b| a == b).map(<[bool]>::len).collect();
        // Light runs are at even indices.
        for runs in runs.windows(7).step_by(2) {
            let n = runs[1];
            if runs[2..6] == [n, 3 * n, n, n] {
                penalty += if runs[0] >= 4 * n && runs[6] >= n { 40 } else { 0 };
                penalty += if runs[6] >= 4 * n && runs[0] >= n { 40 } else { 0 };
            }
        }
        penalty
    }

    /// Random runs in rows or columns, some of them patterns of one unit or another.
    fn grid(size: usize, state: &mut u64) -> Vec<Vec<bool>> {
        let mut next = |below: u64| {
            *state ^= *state << 13;
            *state ^= *state >> 7;
            *state ^= *state << 17;
            (*state >> 32) % below
        };
        let mut lines = Vec::new();
        while lines.len() < size {
            let mut line = Vec::new();
            while line.len() < size {
                let largest = 1 + next(4);
                let unit = 1 + next(largest) as usize;
                if next(4) == 0 {
                    let before = unit * (1 + next(4) as usize);
                    for (index, run) in [before, unit, unit, 3 * unit, unit, unit].into_iter().enumerate() {
                        line.extend(vec![index % 2 == 1; run]);
                    }
                } else {
                    line.extend(vec![next(2) == 1; unit]);
                }
            }
            line.truncate(size);
            for _ in 0..=next(3) {
                lines.push(line.clone());
            }
        }
        lines.truncate(size);
        lines
    }

    fn assert_as_naive(version: Version, state: &mut u64) {
        let size = version.size();
        let grids: Vec<_> = (0..8).map(|_| grid(size, state)).collect();
        // Half of the grids lie on their side.
        let is_dark = |lane: usize, x: usize, y: usize| {
            let (x, y) = if lane < 4 { (x, y) } else { (y, x) };
            grids[lane][y][x]
        };
        let mut variants = vec![Lines::BLANK; 8];
        for (lane, variant) in variants.iter_mut().enumerate() {
            let mut rows: Squares = [[0; 192]; 3];
            let mut columns = rows;
            for (x, y) in (0..size * size).map(|i| (i % size, i / size)) {
                rows[x / 64][y] |= u64::from(is_dark(lane, x, y)) << (x % 64);
                columns[y / 64][x] |= u64::from(is_dark(lane, x, y)) << (y % 64);
            }
            variant.join(version, &rows, &columns);
        }
        // The first grid becomes the others by inverting modules.
        let overlay: Vec<Lanes> = (0..line_words(version) * size)
            .map(|i| {
                Lanes([0, 1, 2, 3, 4, 5, 6, 7].map(|lane| {
                    let word = |lane: usize| variants[lane].strip(i / size)[i % size];
                    word(0) ^ word(lane)
                }))
            })
            .collect();
        let fold = Fold::new(version, &overlay);
        let mut folded = Folded::BLANK;
        let folded = fold.as_ref().map(|fold| fold.fold(&variants[0], &mut folded));
        let penalties = penalties(Portable, &variants[0], &overlay, folded);
        for lane in 0..8 {
            let wide = count_wide(Portable, &variants[lane]);
            let expected = naive(size, &|x, y| is_dark(lane, x, y));
            assert_eq!(penalties[lane] + N3 * wide, expected, "lane {lane} of size {size}");
        }
    }

    #[test]
    fn penalties_are_the_naive_ones() {
        let mut state = 1;
        for _ in 0..8 {
            for version in (1..=40).filter_map(Version::new) {
                assert_as_naive(version, &mut state);
            }
        }
    }
}
