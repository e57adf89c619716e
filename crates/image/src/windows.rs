//! Rows cut into groups of eight modules, for tables that draw a group at a time.

use qrpress_symbol::ROW_WORDS;

/// The number of windows: a group's eight modules and the module before it.
pub(crate) const WINDOWS: usize = 512;

/// Calls `draw` with the windows of the first `groups` groups of `row`, in order. Bits 1 to 8 of a window are the
/// group's modules, bit 0 is the module before the group: light before the first.
#[inline]
pub(crate) fn for_each_window(row: &[u64; ROW_WORDS], groups: usize, mut draw: impl FnMut(usize)) {
    let mut before = 0;
    for (index, &word) in row.iter().enumerate() {
        let in_word = groups.saturating_sub(8 * index).min(8);
        if in_word == 0 {
            return;
        }
        draw((word << 1 & 0x1fe | before) as usize);
        let mut rest = word >> 7;
        for _ in 1..in_word {
            draw((rest & 0x1ff) as usize);
            rest >>= 8;
        }
        before = word >> 63;
    }
}

/// `row` moved `modules` columns to the right, 0 to 7, light modules before it.
#[inline]
pub(crate) fn shifted(row: &[u64; ROW_WORDS], modules: u32) -> [u64; ROW_WORDS] {
    let [a, b, c] = *row;
    let carry = |word: u64| (word >> 1) >> (63 - modules);
    [a << modules, b << modules | carry(a), c << modules | carry(b)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_overlap_by_one_module_across_words() {
        let row = [0x8123_4567_89ab_cdef, 0xfedc_ba98_7654_3210, 0x0001_0203_0405_0607];
        let bit = |x: usize| row[x / 64] >> (x % 64) & 1;
        for groups in 0..=24 {
            let mut drawn = Vec::new();
            for_each_window(&row, groups, |window| drawn.push(window as u64));
            let expected: Vec<u64> = (0..groups)
                .map(|group| {
                    let before = if group == 0 { 0 } else { bit(8 * group - 1) };
                    (0..8).fold(before, |window, module| window | bit(8 * group + module) << (module + 1))
                })
                .collect();
            assert_eq!(drawn, expected);
        }
    }

    #[test]
    fn shifting_carries_across_words() {
        assert_eq!(shifted(&[u64::MAX, 0, u64::MAX >> 8], 0), [u64::MAX, 0, u64::MAX >> 8]);
        assert_eq!(shifted(&[u64::MAX, 0, u64::MAX >> 8], 7), [u64::MAX << 7, 0x7f, u64::MAX >> 1 & !0x7f]);
    }
}
