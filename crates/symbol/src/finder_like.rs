//! Counts the patterns of rule N3 that are wider than seven modules, in one finished symbol.
//!
//! They are rare: a test that few other lines pass picks the rows and columns whose runs are then looked at.

use crate::{ROW_WORDS, Version};

/// Patterns of runs n, n, 3n, n, n with n ≥ 2 in the rows and columns, as `penalty` reads rule N3. Column `x` of a row is
/// bit `x + 1`.
#[inline(always)]
pub(crate) fn count_wide<const W: usize>(rows: &[[u64; W]]) -> u64 {
    let mut count = 0;
    if rows.iter().fold(0, |any, row| any | suspicion(row)) != 0 {
        for row in rows.iter().filter(|row| suspicion(row) != 0) {
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

/// Other than zero for a row that may have a pattern.
#[inline(always)]
fn suspicion<const W: usize>(row: &[u64; W]) -> u64 {
    let dark_2 = both(row, &right::<W, 1>(row));
    let dark_3 = both(&dark_2, &right::<W, 2>(row));
    let dark_6 = both(&dark_3, &right::<W, 3>(&dark_3));
    let dark_9 = both(&dark_6, &right::<W, 6>(&dark_3));
    let light = not(row);
    let light_2 = both(&light, &right::<W, 1>(&light));
    let light_3 = both(&light_2, &right::<W, 2>(&light));
    // For n = 2, the runs 2, 2, 6, 2 and 2.
    let arm_left = both(&dark_2, &right::<W, 2>(&light_2));
    let arm_right = both(&light_2, &right::<W, 2>(&dark_2));
    let narrow = both(&both(&arm_left, &right::<W, 4>(&dark_6)), &right::<W, 10>(&arm_right));
    // For larger n, how the middle begins and how it ends.
    let begins = both(&light_3, &right::<W, 3>(&dark_9));
    let ends = both(&dark_9, &right::<W, 9>(&light_3));
    any_set(&narrow) | if any_set(&begins) == 0 { 0 } else { any_set(&ends) }
}

/// The columns that may have a pattern, as bits of a row; the same tests.
#[inline(always)]
fn suspect_columns<const W: usize>(rows: &[[u64; W]]) -> [u64; W] {
    let words = rows.as_flattened();
    let mut narrow = [0; W];
    let mut begins = [0; W];
    let mut ends = [0; W];
    for word in 0..W {
        for start in (word..words.len().saturating_sub(11 * W)).step_by(W) {
            let at = |y: usize| words[start + y * W];
            let (a, b, c) = (at(0), at(1), at(2));
            let middle = at(3) & at(4) & at(5) & at(6) & at(7) & at(8);
            let (x, y, z) = (at(9), at(10), at(11));
            begins[word] |= !(a | b | c) & middle & x & y & z;
            ends[word] |= a & b & c & middle & !(x | y | z);
        }
        for start in (word..words.len().saturating_sub(13 * W)).step_by(W) {
            let at = |y: usize| words[start + y * W];
            let arms = at(0) & at(1) & !(at(2) | at(3)) & !(at(10) | at(11)) & at(12) & at(13);
            narrow[word] |= arms & at(4) & at(5) & at(6) & at(7) & at(8) & at(9);
        }
    }
    let mut suspects = [0; W];
    for word in 0..W {
        suspects[word] = narrow[word] | begins[word] & ends[word];
    }
    suspects
}

/// The patterns of a row or column: module `i` is bit `i + 1`.
fn count_in_line(line: [u64; ROW_WORDS], size: usize) -> u64 {
    // Where runs begin, those of dark modules at even indices.
    let mut starts = [0; Version::MAX.size() + 1];
    let mut runs = 0;
    let mut carry = 0;
    for (index, word) in line.into_iter().enumerate() {
        let mut changes = word ^ (word << 1 | carry);
        carry = word >> 63;
        while changes != 0 {
            starts[runs] = 64 * index + changes.trailing_zeros() as usize;
            runs += 1;
            changes &= changes - 1;
        }
    }
    let starts = &starts[..runs];
    let mut count = 0;
    for (index, core) in starts.windows(6).enumerate().step_by(2) {
        let unit = core[1] - core[0];
        let is_core = core[3] - core[2] == 3 * unit
            && core[2] - core[1] == unit
            && core[4] - core[3] == unit
            && core[5] - core[4] == unit;
        if is_core && unit >= 2 {
            // Light around the symbol is as wide as need be.
            let before = if index == 0 { size } else { core[0] - starts[index - 1] };
            let after = starts.get(index + 6).map_or(size, |end| end - core[5]);
            count += u64::from(before >= 4 * unit && after >= unit);
            count += u64::from(after >= 4 * unit && before >= unit);
        }
    }
    count
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
