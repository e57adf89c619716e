//! The eight data masks (ISO/IEC 18004, table 10).

/// Whether mask `number`, 0 to 7, inverts column `x` of row `y`.
pub(crate) fn inverts(number: u8, x: usize, y: usize) -> bool {
    match number {
        0 => (x + y).is_multiple_of(2),
        1 => y.is_multiple_of(2),
        2 => x.is_multiple_of(3),
        3 => (x + y).is_multiple_of(3),
        4 => (x / 3 + y / 2).is_multiple_of(2),
        5 => x * y % 2 + x * y % 3 == 0,
        6 => (x * y % 2 + x * y % 3).is_multiple_of(2),
        _ => ((x + y) % 2 + x * y % 3).is_multiple_of(2),
    }
}
