//! Rows cut into groups of eight modules, for tables that draw a group at a time.

use qrpress_symbol::ROW_WORDS;

/// The number of windows: a group's eight modules and the module before it.
pub(crate) const WINDOWS: usize = 512;

/// Calls `draw` with the windows of the groups from `start`, 0 or 1, to before `end`. Bits 1 to 8 of a window are its
/// group's modules, bit 0 is the module before them: light before the first.
///
/// Each number of words in a row is worth code of its own, which the caller compiles by having it as `WORDS`.
#[inline]
pub(crate) fn for_each_window<const WORDS: usize>(
    row: &[u64; WORDS],
    start: usize,
    end: usize,
    mut draw: impl FnMut(usize),
) {
    for word in 0..WORDS {
        if word > 0 || start == 0 {
            if end <= 8 * word {
                return;
            }
            draw(window(row, 8 * word));
        }
        let mut rest = row[word] >> 7;
        for _ in 8 * word + 1..end.min(8 * word + 8) {
            draw((rest & 0x1ff) as usize);
            rest >>= 8;
        }
    }
}

/// One window of `row`.
#[inline]
pub(crate) fn window<const WORDS: usize>(row: &[u64; WORDS], group: usize) -> usize {
    let (word, in_word) = (group / 8, group % 8);
    let window = match (word, in_word) {
        (0, 0) => row[0] << 1,
        (_, 0) => row[word] << 1 | row[word - 1] >> 63,
        _ => row[word] >> (8 * in_word - 1),
    };
    (window & 0x1ff) as usize
}

/// The first `WORDS` words of `row` moved `modules` columns to the right, 0 to 7, light modules before it.
#[inline]
pub(crate) fn shifted<const WORDS: usize>(row: &[u64; ROW_WORDS], modules: u32) -> [u64; WORDS] {
    std::array::from_fn(|word| {
        let carry = if word > 0 { (row[word - 1] >> 1) >> (63 - modules) } else { 0 };
        row[word] << modules | carry
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_overlap_by_one_module_across_words() {
        let row = [0x8123_4567_89ab_cdef, 0xfedc_ba98_7654_3210, 0x0001_0203_0405_0607];
        let bit = |x: usize| row[x / 64] >> (x % 64) & 1;
        let expected = |group: usize| {
            let before = if group == 0 { 0 } else { bit(8 * group - 1) };
            (0..8).fold(before, |window, module| window | bit(8 * group + module) << (module + 1)) as usize
        };
        for start in 0..=1 {
            for end in start..=24 {
                let mut drawn = Vec::new();
                for_each_window(&row, start, end, |window| drawn.push(window));
                assert_eq!(drawn, (start..end).map(expected).collect::<Vec<_>>());
                drawn.clear();
                for_each_window(&[row[0]], start, end.min(8), |window| drawn.push(window));
                assert_eq!(drawn, (start..end.min(8)).map(expected).collect::<Vec<_>>());
            }
        }
        for group in 0..24 {
            assert_eq!(window(&row, group), expected(group));
        }
    }

    #[test]
    fn shifting_carries_across_words() {
        let row = [u64::MAX, 0, u64::MAX >> 8];
        assert_eq!(shifted(&row, 0), row);
        assert_eq!(shifted(&row, 7), [u64::MAX << 7, 0x7f, (u64::MAX >> 1) & !0x7f]);
        assert_eq!(shifted(&row, 7), [u64::MAX << 7]);
    }
}
