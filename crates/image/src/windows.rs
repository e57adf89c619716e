//! Rows cut into groups of eight modules, for tables that draw a group at a time.

use qrpress_symbol::ROW_WORDS;

/// The number of windows. Bits 1 to 8 of a window are its group's modules, bit 0 is the module before them: light before the
/// first.
pub(crate) const WINDOWS: usize = 512;

/// The number of windows in a word of [`window_quads`].
pub(crate) const WINDOWS_IN_QUAD: usize = 4;

/// The windows of the groups from number 1 on, four to a word, each a byte above the one before, where `row` is moved
/// `modules` columns to the right, 0 to 7. Two neighbours share the bit of one module:
///
/// ```text
/// bit of a word   0       8       16      24      32
/// window 0        |-------|
/// window 1                |-------|
/// window 2                        |-------|
/// window 3                                |-------|
/// ```
#[inline]
pub(crate) fn window_quads(row: &[u64; ROW_WORDS], modules: u32) -> [[u64; 2]; ROW_WORDS] {
    let start = 7 - modules;
    std::array::from_fn(|word| {
        let next = if word + 1 < ROW_WORDS { row[word + 1] } else { 0 };
        [row[word] >> start, (row[word] >> 32 | next << 32) >> start]
    })
}

/// One of four windows.
#[inline]
pub(crate) fn window_of(quad: u64, index: usize) -> usize {
    (quad >> (8 * index) & 0x1ff) as usize
}

/// The modules of a window's group: all bits but bit 0, the module before.
#[inline]
pub(crate) fn own_modules(window: usize) -> usize {
    window >> 1
}

/// The window of the first group, where `row` is moved `modules` columns to the right, 0 to 7.
#[inline]
pub(crate) fn first_window(row: &[u64; ROW_WORDS], modules: u32) -> usize {
    (row[0] << (modules + 1) & 0x1ff) as usize
}

/// One window of `row`.
#[inline]
pub(crate) fn window(row: &[u64; ROW_WORDS], group: usize) -> usize {
    let (word, in_word) = (group / 8, group % 8);
    let window = match (word, in_word) {
        (0, 0) => row[0] << 1,
        (_, 0) => row[word] << 1 | row[word - 1] >> 63,
        _ => row[word] >> (8 * in_word - 1),
    };
    (window & 0x1ff) as usize
}

/// `row` moved `modules` columns to the right, 0 to 7, light modules before it.
#[inline]
pub(crate) fn shifted(row: &[u64; ROW_WORDS], modules: u32) -> [u64; ROW_WORDS] {
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
        for group in 0..24 {
            let before = if group == 0 { 0 } else { bit(8 * group - 1) };
            let own = (0..8).map(|module| bit(8 * group + module) << (module + 1));
            assert_eq!(window(&row, group), own.fold(before, |window, bit| window | bit) as usize);
        }
    }

    #[test]
    fn fours_are_windows_of_the_shifted_row() {
        let row = [0x8123_4567_89ab_cdef, 0xfedc_ba98_7654_3210, 0x0001_0203_0405_0607];
        for modules in 0..=7 {
            let shifted = shifted(&row, modules);
            assert_eq!(first_window(&row, modules), window(&shifted, 0));
            let window_quads = window_quads(&row, modules);
            for group in 1..24 {
                let quad = window_quads.as_flattened()[(group - 1) / WINDOWS_IN_QUAD];
                assert_eq!(window_of(quad, (group - 1) % WINDOWS_IN_QUAD), window(&shifted, group));
            }
        }
    }

    #[test]
    fn shifting_carries_across_words() {
        let row = [u64::MAX, 0, u64::MAX >> 8];
        assert_eq!(shifted(&row, 0), row);
        assert_eq!(shifted(&row, 7), [u64::MAX << 7, 0x7f, (u64::MAX >> 1) & !0x7f]);
    }
}
