//! Scores the eight masked variants of a symbol (ISO/IEC 18004, clause 7.8.3.1 and table 11).
//!
//! Rule N3 speaks of a pattern of ratio 1:1:3:1:1 between light modules four wide. It is read here as free of scale: dark
//! and light runs of exactly n, n, 3n, n and n modules between light runs of at least n on one side and 4n on the other, each
//! order of the sides counting once, the quiet zone counting as light. This module counts n = 1; wider patterns, which are
//! rare and can only add, are `finder_like`'s.

use crate::lanes::{Lanes, Line, add_count, from_left, from_right, lanes};

/// Points of rule N3 for a pattern.
pub(crate) const N3: u64 = 40;
/// Points of rule N2 for a block of 2 × 2 modules.
const N2: u64 = 3;
/// Points of rule N4 for each 5 % beyond the first that the dark modules are away from half.
const N4: u64 = 10;

/// Light rows above the first line and below the last.
pub(crate) const LIGHT_ROWS: usize = 7;

/// The variants' penalties, N3 for n = 1 only. The first and the last [`LIGHT_ROWS`] of `lines` are light and no part of
/// the symbol.
#[inline(always)]
pub(crate) fn penalties<const W: usize>(lines: &[Line<W>]) -> Lanes {
    let size = lines.len() - 2 * LIGHT_ROWS;
    let columns = first_columns::<W>(size);
    // The columns that have a right neighbour.
    let pairs = first_columns::<W>(size - 1);
    let zero = [Lanes::ZERO; W];

    // Runs have 3 points for five modules and 1 for every further one: as many as modules, less 2.
    let mut runs = Lanes::ZERO;
    let mut blocks = Lanes::ZERO;
    let mut finder_like = Lanes::ZERO;
    let mut dark = Lanes::ZERO;
    // Modules that equal their right neighbour; the one above; the two above; the four above. The number says how many
    // lines ago.
    let mut right_1 = zero;
    let mut one_1 = zero;
    let (mut two_1, mut two_2) = (zero, zero);
    let (mut four_1, mut four_2) = (zero, zero);
    // Finder-like patterns with light modules below.
    let mut below_1 = zero;

    for y in LIGHT_ROWS..LIGHT_ROWS + size {
        let line = &lines[y];
        add_count(&mut dark, line);

        let left = from_left::<W, 1>(line);
        let next = from_right::<W, 1>(line);
        let right = lanes!(|line, next, pairs| !(line ^ next) & pairs);
        add_count(&mut runs, &horizontal_runs(&right));
        add_count(&mut finder_like, &horizontal_finder_like(line, &left, &next));
        // Patterns are six apart at least, so that those of the line before may be counted in the same modules.
        let [above, below] = vertical_finder_like(&lines[y - LIGHT_ROWS..=y + LIGHT_ROWS]);
        add_count(&mut finder_like, &lanes!(|above, below_1| above | below_1));
        below_1 = below;

        let mut one = zero;
        if y > LIGHT_ROWS {
            let above = &lines[y - 1];
            one = lanes!(|line, above, columns| !(line ^ above) & columns);
        }
        // Equal to the one above, and both to their right neighbours.
        add_count(&mut blocks, &lanes!(|right, right_1, one| right & right_1 & one));
        let two = lanes!(|one, one_1| one & one_1);
        let four = lanes!(|two, two_2| two & two_2);
        add_count(&mut runs, &lanes!(|four, four_1, four_2| four | four_1 | four_2));

        right_1 = right;
        one_1 = one;
        (two_1, two_2) = (two, two_1);
        (four_1, four_2) = (four, four_1);
    }
    // The runs that reach the last line go on for two lines more.
    add_count(&mut runs, &lanes!(|four_1, four_2| four_1 | four_2));
    add_count(&mut runs, &four_1);
    add_count(&mut finder_like, &below_1);

    let mut penalties = Lanes::ZERO;
    for lane in 0..8 {
        penalties.0[lane] = runs.0[lane]
            + N2 * blocks.0[lane]
            + N3 * finder_like.0[lane]
            + N4 * steps_from_half(dark.0[lane], (size * size) as u64);
    }
    penalties
}

/// As many modules as the points of a line's runs: all but two of a run of five or more.
///
/// A run of L modules has L − 1 that equal their right neighbours. The first L − 4 of them are the first of four such; with the two
/// that follow each, they are L − 2.
#[inline(always)]
fn horizontal_runs<const W: usize>(right: &Line<W>) -> Line<W> {
    let next = from_right::<W, 1>(right);
    let two = lanes!(|right, next| right & next);
    let next_two = from_right::<W, 2>(&two);
    let four = lanes!(|two, next_two| two & next_two);
    let once = from_left::<W, 1>(&four);
    let twice = from_left::<W, 2>(&four);
    lanes!(|four, once, twice| four | once | twice)
}

/// The patterns 1011101 of a line, a module for each side on which four light modules follow. `left` and `right` are the
/// modules' neighbours.
#[inline(always)]
fn horizontal_finder_like<const W: usize>(line: &Line<W>, left: &Line<W>, right: &Line<W>) -> Line<W> {
    let single = lanes!(|line, left, right| line & !left & !right);
    let triple = lanes!(|line, left, right| line & left & right);
    let dark_near = lanes!(|line, left, right| line | left | right);
    // Centred on the middle: single modules three away, no dark ones five to seven away.
    let arm_left = from_left::<W, 3>(&single);
    let arm_right = from_right::<W, 3>(&single);
    let core = lanes!(|triple, arm_left, arm_right| triple & arm_left & arm_right);
    let dark_left = from_left::<W, 6>(&dark_near);
    let dark_right = from_right::<W, 6>(&dark_near);
    // Middles are six apart at least: a module beside the middle stands for the right side.
    let open_right = lanes!(|core, dark_right| core & !dark_right);
    let beside = from_left::<W, 1>(&open_right);
    lanes!(|core, dark_left, beside| core & !dark_left | beside)
}

/// The columns' patterns whose middle is in the middle of 15 lines: those with four light modules above, and below.
#[inline(always)]
#[allow(clippy::many_single_char_names, reason = "fifteen lines, the topmost first")]
fn vertical_finder_like<const W: usize>(lines: &[Line<W>]) -> [Line<W>; 2] {
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = lines else { return [[Lanes::ZERO; W]; 2] };
    let arms = lanes!(|d, e, f, j, k, l| !d & e & !f & !j & k & !l);
    let core = lanes!(|arms, g, h, i| arms & g & h & i);
    [lanes!(|core, a, b, c| core & !(a | b | c)), lanes!(|core, m, n, o| core & !(m | n | o))]
}

/// Five per cents, beyond the first begun one, that the dark modules are away from half of `total`. `total` is odd.
#[inline(always)]
fn steps_from_half(dark: u64, total: u64) -> u64 {
    // Away from half in twentieths of a module, 1 to 10 × total.
    let away = (20 * dark).abs_diff(10 * total);
    let mut steps = 0;
    for step in 1..10 {
        steps += u64::from(away > step * total);
    }
    steps
}

/// The bits of the first `count` columns.
#[inline(always)]
fn first_columns<const W: usize>(count: usize) -> Line<W> {
    let mut line = [Lanes::ZERO; W];
    for (word, lanes) in line.iter_mut().enumerate() {
        // From bit 1 to bit `count`.
        let end = (count + 1).saturating_sub(64 * word);
        let bits = if end < 64 { (1 << end) - 1 } else { u64::MAX };
        *lanes = Lanes([if word == 0 { bits & !1 } else { bits }; 8]);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finder_like::Variant;

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

    fn assert_as_naive<const W: usize>(size: usize, state: &mut u64) {
        let grids: Vec<_> = (0..8).map(|_| grid(size, state)).collect();
        // Half of the grids lie on their side.
        let is_dark = |lane: usize, x: usize, y: usize| {
            let (x, y) = if lane < 4 { (x, y) } else { (y, x) };
            grids[lane][y][x]
        };
        let mut lines = vec![[Lanes::ZERO; W]; size + 2 * LIGHT_ROWS];
        for lane in 0..8 {
            for (x, y) in (0..size * size).map(|i| (i % size, i / size)) {
                lines[LIGHT_ROWS + y][(x + 1) / 64].0[lane] |=
                    u64::from(is_dark(lane, x, y)) << ((x + 1) % 64);
            }
        }
        let penalties = penalties(&lines);
        for lane in 0..8 {
            let mut variant = Variant::BLANK;
            variant.resize::<W>(size);
            for (y, line) in lines[LIGHT_ROWS..][..size].iter().enumerate() {
                variant.set_row(y, &line.map(|words| words.0[lane]));
            }
            let wide = variant.count_wide::<W>();
            let expected = naive(size, &|x, y| is_dark(lane, x, y));
            assert_eq!(penalties.0[lane] + N3 * wide, expected, "lane {lane} of size {size}");
        }
    }

    #[test]
    fn penalties_are_the_naive_ones() {
        let mut state = 1;
        for _ in 0..8 {
            for size in (21..=61).step_by(4) {
                assert_as_naive::<1>(size, &mut state);
            }
            for size in (65..=125).step_by(4) {
                assert_as_naive::<2>(size, &mut state);
            }
            for size in (129..=177).step_by(4) {
                assert_as_naive::<3>(size, &mut state);
            }
        }
    }
}
