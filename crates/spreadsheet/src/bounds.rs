//! The size of what a sheet may have.

/// Bytes that a cell may have: 32,767 characters, the most that a spreadsheet program takes, in UTF-8.
pub(crate) const CELL_BYTES: usize = 100_000;

/// Bytes of the texts of a row, as far as they are used; of the first rows all are.
pub(crate) const ROW_BYTES: usize = 1_000_000;

/// Rows that a sheet may have.
pub(crate) const ROWS: u64 = 1_048_576;

/// Columns that a sheet may have.
pub(crate) const COLUMNS: u32 = 16_384;
