//! Counts the patterns of rule N3 that are wider than seven modules, in one finished symbol.
//!
//! They are rare: a test that few other lines pass picks the rows and columns whose runs are then looked at.

use crate::penalty::LIGHT_ROWS;
use crate::{ROW_WORDS, Version};

/// Patterns of runs n, n, 3n, n, n with n ≥ 2 in the rows and columns, as `penalty` reads rule N3. `lines` are as there.
#[inline(always)]
pub(crate) fn count_wide<const W: usize>(lines: &[[u64; W]]) -> u64 {
    let rows = &lines[LIGHT_ROWS..lines.len() - LIGHT_ROWS];
    let mut count = 0;
    let mut suspects = [0; Version::MAX.size()];
    if suspect_rows(rows, &mut suspects) {
        for (row, _) in rows.iter().zip(suspects).filter(|&(_, suspect)| suspect != 0) {
            let mut line = [0; ROW_WORDS];
            line[..W].copy_from_slice(row);
            count += count_in_line(line, rows.len());
        }
    }
    for (word, mut columns) in suspect_columns(rows).into_iter().enumerate() {
        while columns != 0 {
            let column = columns.trailing_zeros();
            columns &= columns - 1;
            let mut line = [0; ROW_WORDS];
            for (y, row) in rows.iter().enumerate() {
                line[(y + 1) / 64] |= (row[word] >> column & 1) << ((y + 1) % 64);
            }
            count += count_in_line(line, rows.len());
        }
    }
    count
}

/// Sets the words of rows that may have a pattern to other than zero; tells whether there are any.
#[inline(always)]
fn suspect_rows<const W: usize>(rows: &[[u64; W]], suspects: &mut [u64]) -> bool {
    let mut any = 0;
    for (row, suspect) in rows.iter().zip(suspects) {
        let dark_2 = both(row, &right::<W, 1>(row));
        let dark_3 = both(&dark_2, &right::<W, 2>(row));
        let dark_6 = both(&dark_3, &right::<W, 3>(&dark_3));
        let dark_9 = both(&dark_6, &right::<W, 6>(&dark_3));
        let light = not(row);
        let light_2 = both(&light, &right::<W, 1>(&light));
        let light_3 = both(&light_2, &right::<W, 2>(&light));
        let left_half = both(&dark_2, &right::<W, 2>(&light_2));
        let middle = both(&right::<W, 4>(&dark_6), &right::<W, 10>(&light_2));
        let of_two = both(&both(&left_half, &middle), &right::<W, 12>(&dark_2));
        let starts = both(&light_3, &right::<W, 3>(&dark_9));
        let ends = both(&dark_9, &right::<W, 9>(&light_3));
        let wider = if any_set(&starts) == 0 { 0 } else { any_set(&ends) };
        *suspect = any_set(&of_two) | wider;
        any |= *suspect;
    }
    any != 0
}

/// The columns that may have a pattern, as bits of a row.
#[inline(always)]
fn suspect_columns<const W: usize>(rows: &[[u64; W]]) -> [u64; W] {
    let words = rows.as_flattened();
    let mut of_two = [0; W];
    let mut starts = [0; W];
    let mut ends = [0; W];
    for word in 0..W {
        for start in (word..words.len().saturating_sub(11 * W)).step_by(W) {
            let at = |y: usize| words[start + y * W];
            let (a, b, c) = (at(0), at(1), at(2));
            let middle = at(3) & at(4) & at(5) & at(6) & at(7) & at(8);
            let (x, y, z) = (at(9), at(10), at(11));
            starts[word] |= !(a | b | c) & middle & x & y & z;
            ends[word] |= a & b & c & middle & !(x | y | z);
        }
        for start in (word..words.len().saturating_sub(13 * W)).step_by(W) {
            let at = |y: usize| words[start + y * W];
            let arms = at(0) & at(1) & !(at(2) | at(3)) & !(at(10) | at(11)) & at(12) & at(13);
            of_two[word] |= arms & at(4) & at(5) & at(6) & at(7) & at(8) & at(9);
        }
    }
    let mut suspects = [0; W];
    for word in 0..W {
        suspects[word] = of_two[word] | starts[word] & ends[word];
    }
    suspects
}

/// The patterns of a row or column: module `i` is bit `i + 1`.
fn count_in_line(mut line: [u64; ROW_WORDS], size: usize) -> u64 {
    // The last seven runs, the newest last; light before and after the line is as wide as need be.
    let mut runs = [0; 7];
    let mut start = 0;
    let mut dark = false;
    let mut count = 0;
    // What differs from the module before it begins a run.
    let mut carry = 0;
    for word in &mut line {
        (*word, carry) = (*word ^ (*word << 1 | carry), *word >> 63);
    }
    for word in 0..ROW_WORDS {
        while line[word] != 0 {
            let end = 64 * word + line[word].trailing_zeros() as usize;
            line[word] &= line[word] - 1;
            runs.rotate_left(1);
            runs[6] = if start == 0 { size } else { end - start };
            if !dark {
                count += count_at_end(&runs);
            }
            start = end;
            dark = !dark;
        }
    }
    runs.rotate_left(1);
    runs[6] = size;
    count + count_at_end(&runs)
}

/// Whether the dark and light runs between the first and the last, which are light, are a pattern; once for each side
/// that is four units wide.
fn count_at_end(runs: &[usize; 7]) -> u64 {
    let unit = runs[1];
    if unit < 2 || runs[2..6] != [unit, 3 * unit, unit, unit] {
        return 0;
    }
    let (before, after) = (runs[0], runs[6]);
    u64::from(before >= 4 * unit && after >= unit) + u64::from(after >= 4 * unit && before >= unit)
}

/// Every module takes the place of the one `N` columns to its left; light modules come in.
#[inline(always)]
fn right<const W: usize, const N: u32>(line: &[u64; W]) -> [u64; W] {
    let mut result = [0; W];
    for word in 0..W {
        let next = if word + 1 < W { line[word + 1] } else { 0 };
        result[word] = line[word] >> N | next << (64 - N);
    }
    result
}

#[inline(always)]
fn both<const W: usize>(a: &[u64; W], b: &[u64; W]) -> [u64; W] {
    let mut result = [0; W];
    for word in 0..W {
        result[word] = a[word] & b[word];
    }
    result
}

#[inline(always)]
fn not<const W: usize>(line: &[u64; W]) -> [u64; W] {
    let mut result = [0; W];
    for word in 0..W {
        result[word] = !line[word];
    }
    result
}

/// Other than zero when a bit is set.
#[inline(always)]
fn any_set<const W: usize>(line: &[u64; W]) -> u64 {
    let mut any = 0;
    for word in 0..W {
        any |= line[word];
    }
    any
}
