//! References to cells: `B3`, `B3:C7`.

use crate::bounds::ROWS;
use crate::problem::position;

/// Cells of a rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Area {
    /// The first column, from 0.
    pub left: u32,
    /// The last column.
    pub right: u32,
    /// The first row, from 1.
    pub top: u64,
    /// The last row.
    pub bottom: u64,
}

/// The column, from 0, and row, from 1, of a reference such as `B3`.
pub(super) fn place_of(reference: &str) -> Option<(u32, u64)> {
    let digits = reference.find(|character: char| character.is_ascii_digit())?;
    let (column, row) = reference.split_at(digits);
    let row = row.parse().ok().filter(|row| (1..=ROWS).contains(row))?;
    Some((position(column)?, row))
}

/// The cells of a reference such as `B3:C7`.
pub(crate) fn area_of(reference: &str) -> Option<Area> {
    let (first, last) = reference.split_once(':').unwrap_or((reference, reference));
    let ((left, top), (right, bottom)) = (place_of(first)?, place_of(last)?);
    (left <= right && top <= bottom).then_some(Area { left, right, top, bottom })
}
