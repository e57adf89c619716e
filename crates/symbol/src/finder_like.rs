//! Counts the patterns of rule N3 that are wider than seven modules, in one finished symbol.
//!
//! They are rare: a test that few other lines pass picks the rows and columns whose runs are then looked at.

use crate::lanes::{Lanes, Line, from_right, lanes};
use crate::{ROW_WORDS, Version};

/// Rows that are tested at once, in lanes.
const GROUP: usize = 8;
/// Rows below the last group that the test for columns reads.
const ROWS_BELOW: usize = 13;
/// Rows that there is room for.
const MAX_ROWS: usize = Version::MAX.size().next_multiple_of(GROUP) + ROWS_BELOW;

/// One masked variant of a symbol: for each word of a row, that word of all rows. Column `x` is bit `x + 1`, all other
/// bits and rows are light.
pub(crate) struct Variant {
    size: usize,
    words: [[u64; MAX_ROWS]; ROW_WORDS],
}

impl Variant {
    pub(crate) const BLANK: Self = Self { size: 0, words: [[0; MAX_ROWS]; ROW_WORDS] };

    /// Makes it a variant of that size, whose rows the caller is to set.
    #[inline(always)]
    pub(crate) fn resize<const W: usize>(&mut self, size: usize) {
        self.size = size;
        let end = size.next_multiple_of(GROUP) + ROWS_BELOW;
        for word in 0..W {
            self.words[word][size..end].fill(0);
        }
    }

    #[inline(always)]
    pub(crate) fn set_row<const W: usize>(&mut self, y: usize, row: &[u64; W]) {
        for word in 0..W {
            self.words[word][y] = row[word];
        }
    }

    #[inline(always)]
    pub(crate) fn row<const W: usize>(&self, y: usize) -> [u64; W] {
        let mut row = [0; W];
        for word in 0..W {
            row[word] = self.words[word][y];
        }
        row
    }

    /// Patterns of runs n, n, 3n, n, n with n ≥ 2 in the rows and columns, as `penalty` reads rule N3.
    #[inline(always)]
    pub(crate) fn count_wide<const W: usize>(&self) -> u64 {
        let mut count = 0;
        for y in (0..self.size).step_by(GROUP) {
            let suspects = suspect_rows(&self.group::<W>(y)).0;
            if suspects != [0; GROUP] {
                let suspects = (y..self.size).zip(suspects).filter(|&(_, suspect)| suspect != 0);
                count += suspects.map(|(y, _)| self.count_in_row::<W>(y)).sum::<u64>();
            }
        }
        let end = self.size.next_multiple_of(GROUP) + ROWS_BELOW;
        for word in 0..W {
            let mut columns = suspect_columns(&self.words[word][..end]);
            while columns != 0 {
                count += self.count_in_column(word, columns.trailing_zeros());
                columns &= columns - 1;
            }
        }
        count
    }

    /// The rows from `y` on.
    #[inline(always)]
    fn group<const W: usize>(&self, y: usize) -> Line<W> {
        let mut rows = [Lanes::ZERO; W];
        for word in 0..W {
            rows[word].0.copy_from_slice(&self.words[word][y..y + GROUP]);
        }
        rows
    }

    fn count_in_row<const W: usize>(&self, y: usize) -> u64 {
        let mut line = [0; ROW_WORDS];
        line[..W].copy_from_slice(&self.row::<W>(y));
        count_in_line(line, self.size)
    }

    fn count_in_column(&self, word: usize, bit: u32) -> u64 {
        let mut line = [0; ROW_WORDS];
        for (y, row) in self.words[word][..self.size].iter().enumerate() {
            line[(y + 1) / 64] |= (row >> bit & 1) << ((y + 1) % 64);
        }
        count_in_line(line, self.size)
    }
}

/// Other than zero for the rows that may have a pattern.
#[inline(always)]
fn suspect_rows<const W: usize>(rows: &Line<W>) -> Lanes {
    let next = from_right::<W, 1>(rows);
    let after_next = from_right::<W, 2>(rows);
    let dark_2 = lanes!(|rows, next| rows & next);
    let light_2 = lanes!(|rows, next| !(rows | next));
    let dark_3 = lanes!(|dark_2, after_next| dark_2 & after_next);
    let light_3 = lanes!(|light_2, after_next| light_2 & !after_next);
    let dark_3_next = from_right::<W, 3>(&dark_3);
    let dark_6 = lanes!(|dark_3, dark_3_next| dark_3 & dark_3_next);
    let dark_6_next = from_right::<W, 3>(&dark_6);
    let dark_9 = lanes!(|dark_3, dark_6_next| dark_3 & dark_6_next);
    // For n = 2, the runs 2, 2, 6, 2 and 2.
    let light_2_next = from_right::<W, 2>(&light_2);
    let arm_left = lanes!(|dark_2, light_2_next| dark_2 & light_2_next);
    let dark_2_next = from_right::<W, 2>(&dark_2);
    let arm_right = lanes!(|light_2, dark_2_next| light_2 & dark_2_next);
    let middle = from_right::<W, 4>(&dark_6);
    let arm_right = from_right::<W, 10>(&arm_right);
    let narrow = lanes!(|arm_left, middle, arm_right| arm_left & middle & arm_right);
    // For larger n, how the middle begins and how it ends.
    let dark_9_next = from_right::<W, 3>(&dark_9);
    let begins = lanes!(|light_3, dark_9_next| light_3 & dark_9_next);
    let light_3_next = from_right::<W, 9>(&light_3);
    let ends = lanes!(|dark_9, light_3_next| dark_9 & light_3_next);

    let mut suspects = Lanes::ZERO;
    for lane in 0..GROUP {
        let (mut any_narrow, mut any_begins, mut any_ends) = (0, 0, 0);
        for word in 0..W {
            any_narrow |= narrow[word].0[lane];
            any_begins |= begins[word].0[lane];
            any_ends |= ends[word].0[lane];
        }
        suspects.0[lane] = any_narrow | if any_begins == 0 { 0 } else { any_ends };
    }
    suspects
}

/// The columns that may have a pattern, as bits of a word of the rows; the same tests. The number of rows is a multiple of
/// [`GROUP`] and [`ROWS_BELOW`] more.
#[inline(always)]
#[allow(clippy::many_single_char_names, reason = "fourteen rows, the topmost first")]
fn suspect_columns(rows: &[u64]) -> u64 {
    let (mut narrow, mut begins, mut ends) = (0, 0, 0);
    for window in rows.windows(ROWS_BELOW + 1) {
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = *window else { break };
        let dark = e & f & g & h & i;
        narrow |= a & b & !(c | d) & dark & j & !(k | l) & m & n;
        begins |= !(a | b | c) & d & dark & j & k & l;
        ends |= a & b & c & d & dark & !(j | k | l);
    }
    narrow | begins & ends
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
