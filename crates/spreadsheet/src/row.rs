//! Rows on their way from a file to the table.

use std::ops::Range;

use crate::error::Halt;
use crate::fault::Fault;
use crate::problem::Problem;

/// Bytes that a cell may have: 32,767 characters, the most that a spreadsheet program takes, in UTF-8.
pub(crate) const CELL_BYTES: usize = 100_000;

/// Bytes of the texts of a row, as far as they are used; of the first rows all are.
pub(crate) const ROW_BYTES: usize = 1_000_000;

/// Rows that a sheet may have.
pub(crate) const ROWS: u64 = 1_048_576;

/// Columns that a sheet may have.
pub(crate) const COLUMNS: u32 = 16_384;

/// A cell that is wanted.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    /// The column's position, from 0.
    pub column: u32,
    text: Range<usize>,
    /// The reason why the cell's text cannot be taken.
    pub fault: Option<Fault>,
    /// The text is written as in English, and looks different in other countries.
    pub varies: bool,
}

/// A row, whose memory is used again for the next one.
#[derive(Clone, Debug, Default)]
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
    text: String,
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
        self.text.clear();
    }

    /// Adds a cell. One that shows nothing but spaces is empty.
    pub fn push(&mut self, column: u32, text: &str, fault: Option<Fault>) -> Result<(), Halt> {
        if text.trim().is_empty() && fault.is_none() {
            return Ok(());
        }
        let start = self.text.len();
        if start + text.len() > ROW_BYTES {
            return Err(Halt::Refused(Problem::of_row(self.number, Fault::LongRow)));
        }
        self.text.push_str(text);
        self.cells.push(Cell { column, text: start..self.text.len(), fault, varies: false });
        Ok(())
    }

    /// The text of one of the row's cells.
    pub fn text(&self, cell: &Cell) -> &str {
        &self.text[cell.text.clone()]
    }

    /// Bytes of all cells.
    pub fn len(&self) -> usize {
        self.text.len()
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
