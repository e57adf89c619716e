//! Merged cells on the way through the rows of a workbook.

use std::collections::BTreeMap;

use crate::row::Row;

/// The first rows and the columns of merged cells, with their last rows.
pub(crate) type MergedCells = BTreeMap<(u64, u32), u64>;

/// Merged cells on the way through the rows.
#[derive(Default)]
pub(crate) struct Merging {
    /// Those of this reading.
    pub all: MergedCells,
    /// True for a cell whose rows have taken its text.
    pub taken: BTreeMap<(u64, u32), bool>,
    /// Columns of those that reach to the next row, with their cell in the first row and the number of the last.
    pub open: BTreeMap<u32, (Row, u64)>,
    /// Refused rows with one cell, with its column: notes and headings.
    pub alone: BTreeMap<u64, u32>,
}
