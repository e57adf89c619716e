//! Scores the eight masked variants of a symbol (ISO/IEC 18004, clause 7.8.3.1 and table 11).
//!
//! | Rule | Counts | Points | Module |
//! |---|---|---|---|
//! | N1 | runs of five modules of one colour and more | 3, and 1 for each module beyond five | `runs` |
//! | N2 | blocks of 2 × 2 modules of one colour | 3 | `blocks_and_balance` |
//! | N3 | patterns like a finder pattern | 40 | `runs`, `wide_finders` |
//! | N4 | begun steps of 5 % that the share of dark modules is away from half, but the first | 10 | `blocks_and_balance` |
//!
//! Rule N3 speaks of a pattern of ratio 1:1:3:1:1 between light modules four wide. It is read here as free of scale: runs of
//! n, n, 3n, n and n modules, the first one dark, between light runs of at least n on one side and 4n on the other. A pattern
//! with 4n on both sides counts twice, and the quiet zone counts as light. `runs` counts the patterns with n = 1. Wider patterns
//! are rare and can only add to a penalty, so `wide_finders` counts them in the best variant alone.
//!
//! The variants of all eight masks are counted side by side, in the lanes of vectors (`variants`).

mod blocks_and_balance;
mod runs;
mod variants;
mod wide_finders;

use qrpress_simd::{Simd, Words};

use crate::Mask;
use crate::bit_matrix::{BitMatrix, first_bits, line_words};
use blocks_and_balance::blocks_and_dark;
use runs::{Counts, count_strip, has_last_rows_in_words, within_words};
use variants::{VARIANTS, Variants};
use wide_finders::count_wide;

pub(crate) use variants::MaskLanes;

/// Points of rule N2 for a block of 2 × 2 modules.
const N2: u64 = 3;
/// Points of rule N3 for a pattern.
const N3: u64 = 40;
/// Points of rule N4 for each 5 % beyond the first that the dark modules are away from half.
const N4: u64 = 10;

/// The mask with the least penalty, the first of equals. Leaves the modules with that mask in `masked`.
///
/// `overlays` has the overlay of each mask, `mask_lanes` the same words with those of the eight masks side by side.
#[inline(always)]
pub(crate) fn least_penalty<S: Simd>(
    simd: S,
    placed: &BitMatrix,
    mask_lanes: &[MaskLanes],
    overlays: &[Vec<u64>; VARIANTS],
    masked: &mut BitMatrix,
) -> Mask {
    let mut penalties = penalties(simd, placed, mask_lanes);
    let mut current = None;
    // Penalties to which the wide patterns were added.
    let mut complete = [false; VARIANTS];
    loop {
        // The lane in the low bits makes the first of equals the least.
        let mut least = u64::MAX;
        for lane in 0..VARIANTS {
            least = least.min(penalties[lane] << 3 | lane as u64);
        }
        let best = (least & 7) as usize;
        if current != Some(best) {
            masked.overlay(placed, &overlays[best]);
            current = Some(best);
        }
        if complete[best] {
            return Mask::ALL[best];
        }
        // The penalties of the other masks may lack wide patterns, which could only add to them.
        let wide = count_wide(simd, masked);
        if wide == 0 {
            return Mask::ALL[best];
        }
        penalties[best] += N3 * wide;
        complete[best] = true;
    }
}

/// The penalties of the variants, with rule N3 for n = 1 only. The overlay is in the order of strips, and of lines in a strip.
#[inline(always)]
fn penalties<S: Simd>(simd: S, matrix: &BitMatrix, overlay: &[MaskLanes]) -> [u64; VARIANTS] {
    let size = matrix.version().size();
    let mut counts = [[0; VARIANTS]; 4];
    for first in (0..VARIANTS).step_by(S::Words::LANES) {
        let variants = Variants { simd, matrix, overlay, first };
        let lines = runs_and_finders(&variants);
        let [blocks, dark] = blocks_and_dark(&variants);
        for (counts, counted) in counts.iter_mut().zip([lines.run_points, lines.finders, blocks, dark]) {
            counted.store(&mut counts[first..]);
        }
    }
    let [run_points, finders, blocks, dark] = counts;
    let mut penalties = [0; VARIANTS];
    for lane in 0..VARIANTS {
        let steps = steps_from_half(dark[lane], (size * size) as u64);
        penalties[lane] = run_points[lane] + N2 * blocks[lane] + N3 * finders[lane] + N4 * steps;
    }
    penalties
}

/// Counts for rules N1 and N3 in the rows and columns.
#[inline(always)]
fn runs_and_finders<S: Simd>(variants: &Variants<S>) -> Counts<S::Words> {
    let mut counts = Counts::new(variants.simd);
    let (size, version) = (variants.size(), variants.matrix.version());
    let last_in_words = has_last_rows_in_words(version);
    let whole_strips = line_words(version) - usize::from(last_in_words);
    for strip in 0..whole_strips {
        count_strip(variants, strip, first_bits(2 * size, strip), &mut counts);
    }
    if last_in_words {
        within_words(variants, size - 2..size, &mut counts);
    }
    counts
}

/// Begun steps of 5 % that the dark modules are away from half of `total`, but the first. `total` is odd.
#[inline(always)]
fn steps_from_half(dark: u64, total: u64) -> u64 {
    // The distance from half in twentieths of a module, 1 to 10 × total.
    let away = (20 * dark).abs_diff(10 * total);
    u64::from((away as u32 - 1) / total as u32)
}

#[cfg(test)]
mod tests {
    use qrpress_simd::Portable;
    use qrpress_testkit::Random;

    use super::*;
    use crate::Version;
    use crate::bit_matrix::WordsOfRows;

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
    fn grid(size: usize, random: &mut Random) -> Vec<Vec<bool>> {
        let mut next = |below: u64| random.below(below);
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

    fn assert_as_naive(version: Version, random: &mut Random) {
        let size = version.size();
        let grids: Vec<_> = (0..8).map(|_| grid(size, random)).collect();
        // Half of the grids lie on their side.
        let is_dark = |lane: usize, x: usize, y: usize| {
            let (x, y) = if lane < 4 { (x, y) } else { (y, x) };
            grids[lane][y][x]
        };
        let mut variants = vec![BitMatrix::BLANK; 8];
        for (lane, variant) in variants.iter_mut().enumerate() {
            let mut rows: WordsOfRows = [[0; 192]; 3];
            let mut columns = rows;
            for (x, y) in (0..size * size).map(|i| (i % size, i / size)) {
                rows[x / 64][y] |= u64::from(is_dark(lane, x, y)) << (x % 64);
                columns[y / 64][x] |= u64::from(is_dark(lane, x, y)) << (y % 64);
            }
            variant.join(version, &rows, &columns);
        }
        // The first grid becomes the others by inverting modules.
        let overlay: Vec<MaskLanes> = (0..line_words(version) * size)
            .map(|i| {
                MaskLanes([0, 1, 2, 3, 4, 5, 6, 7].map(|lane| {
                    let word = |lane: usize| variants[lane].strip(i / size)[i % size];
                    word(0) ^ word(lane)
                }))
            })
            .collect();
        let penalties = penalties(Portable, &variants[0], &overlay);
        for lane in 0..8 {
            let wide = count_wide(Portable, &variants[lane]);
            let expected = naive(size, &|x, y| is_dark(lane, x, y));
            assert_eq!(penalties[lane] + N3 * wide, expected, "lane {lane} of size {size}");
        }
    }

    #[test]
    fn penalties_are_the_naive_ones() {
        let mut random = Random(1);
        for _ in 0..8 {
            for version in (1..=40).filter_map(Version::new) {
                assert_as_naive(version, &mut random);
            }
        }
    }
}
