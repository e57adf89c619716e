//! Rows on their way from a file to the table.

use std::borrow::Cow;
use std::ops::Range;

use crate::error::Halt;

/// Bytes that a cell may have: 32,767 characters, the most that a spreadsheet program takes, in UTF-8.
pub(crate) const CELL_BYTES: usize = 100_000;

/// Columns that a sheet may have.
pub(crate) const COLUMNS: u32 = 16_384;

/// A cell that is wanted.
#[derive(Debug)]
pub(crate) struct Cell {
    /// The column's position, from 0.
    pub column: u32,
    text: Range<usize>,
    /// Why the cell's text cannot be taken.
    pub fault: Option<String>,
}

/// A row, whose memory is used again for the next one.
#[derive(Debug, Default)]
pub(crate) struct Row {
    /// As the spreadsheet program numbers it, from 1.
    pub number: u64,
    /// Cells that the file has for the row, empty ones too.
    pub width: u32,
    /// The row is hidden, by hand or by a filter.
    pub hidden: bool,
    /// Cells that are wanted and not empty, in order.
    pub cells: Vec<Cell>,
    /// The first cell that is not wanted, and not empty.
    pub other: Option<u32>,
    /// A cell outside quotes holds a separator that does not separate the columns of the header.
    pub unseparated: bool,
    bytes: Vec<u8>,
}

impl Row {
    /// Begins another row.
    pub fn clear(&mut self, number: u64) {
        self.number = number;
        self.width = 0;
        self.hidden = false;
        self.cells.clear();
        self.other = None;
        self.unseparated = false;
        self.bytes.clear();
    }

    /// Adds a cell.
    pub fn push(&mut self, column: u32, text: &[u8], fault: Option<String>) {
        if !text.is_empty() || fault.is_some() {
            let start = self.bytes.len();
            self.bytes.extend_from_slice(text);
            self.cells.push(Cell { column, text: start..self.bytes.len(), fault });
        }
    }

    /// The text of one of the row's cells.
    pub fn text(&self, cell: &Cell) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes[cell.text.clone()])
    }

    /// Bytes of all cells.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The row shows nothing.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty() && self.other.is_none()
    }
}

/// Takes rows.
pub(crate) trait RowSink {
    /// The text of the column's cells is needed.
    fn wants(&self, column: u32) -> bool;
    /// Takes a row.
    fn row(&mut self, row: &Row) -> Result<(), Halt>;
}
