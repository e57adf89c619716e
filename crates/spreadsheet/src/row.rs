//! Rows on their way from a file to the table.

use std::borrow::Cow;
use std::ops::Range;

use qrpress_kinds::ValueForm;

use crate::bounds::ROW_BYTES;
use crate::error::Halt;
use crate::fault::Fault;
use crate::number_format::CellNumber;
use crate::problem::Problem;
use crate::xlsx::Area;

/// Nodes that the XML of a sheet's first rows may have.
const FIRST_NODES: u64 = 1_000_000;

/// A cell that is wanted.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    /// The column's position, from 0.
    pub column: u32,
    text: Range<usize>,
    address: Range<usize>,
    /// The cell is a link, and its formula does not tell the address.
    pub hides_address: bool,
    /// The number that the cell shows.
    pub number: Option<CellNumber>,
    /// The reason why the cell's text cannot be taken.
    pub fault: Option<Fault>,
    /// The text is written as in English, and looks different in other countries.
    pub varies: bool,
    /// Spaces around the text, outside quotes, were left out.
    pub lost_spaces: bool,
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
    /// Cells that say what the header says, until one does not.
    header_cells: usize,
    differs_from_header: bool,
    /// The texts and addresses of cells.
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
        self.header_cells = 0;
        self.differs_from_header = false;
        self.text.clear();
    }

    /// Adds a cell, and returns it. One that shows nothing but spaces is empty.
    pub fn push(&mut self, column: u32, text: &str, fault: Option<Fault>) -> Result<Option<&mut Cell>, Halt> {
        if text.trim().is_empty() && fault.is_none() {
            return Ok(None);
        }
        let text = self.add(text)?;
        let cell = Cell {
            column,
            text,
            address: 0..0,
            hides_address: false,
            number: None,
            fault,
            varies: false,
            lost_spaces: false,
        };
        self.cells.push(cell);
        Ok(self.cells.last_mut())
    }

    /// Makes a cell a link. No address: its formula does not tell it.
    pub fn link(&mut self, column: u32, address: Option<&str>) -> Result<(), Halt> {
        let Some(place) = self.place(column) else { return Ok(()) };
        match address {
            Some(address) => self.cells[place].address = self.add(address)?,
            None => self.cells[place].hides_address = true,
        }
        Ok(())
    }

    fn add(&mut self, text: &str) -> Result<Range<usize>, Halt> {
        let start = self.text.len();
        if start + text.len() > ROW_BYTES {
            return Err(Halt::Refused(Problem::of_row(self.number, Fault::LongRow)));
        }
        self.text.push_str(text);
        Ok(start..self.text.len())
    }

    /// The text of one of the row's cells.
    pub fn text(&self, cell: &Cell) -> &str {
        &self.text[cell.text.clone()]
    }

    /// The day or time of a cell that has a number with such a format, as text, or its text.
    pub fn moment_or_text(&self, cell: &Cell) -> Cow<'_, str> {
        let moment = cell.number.as_ref().and_then(|number| number.value(ValueForm::Moment).ok());
        moment.map_or_else(|| self.text(cell).into(), Cow::Owned)
    }

    /// The texts of the first `width` columns, which reach to the last cell. Those without a cell are empty.
    pub fn texts(&self, width: u32) -> Vec<String> {
        let mut texts = vec![String::new(); width as usize];
        for cell in &self.cells {
            self.text(cell).clone_into(&mut texts[cell.column as usize]);
        }
        texts
    }

    /// The address of a cell that is a link to something else than its text.
    pub fn address(&self, cell: &Cell) -> Option<&str> {
        Some(&self.text[cell.address.clone()]).filter(|address| !address.is_empty())
    }

    /// The row's cell in a column, unless it is empty.
    pub fn cell(&self, column: u32) -> Option<&Cell> {
        self.place(column).map(|place| &self.cells[place])
    }

    fn place(&self, column: u32) -> Option<usize> {
        self.cells.binary_search_by_key(&column, |cell| cell.column).ok()
    }

    /// Counts a cell that is not empty.
    pub fn compare(&mut self, is_as_in_header: bool) {
        self.header_cells += 1;
        self.differs_from_header |= !is_as_in_header;
    }

    /// The row with a cell of another row, in a column where it has none.
    pub fn with_cell_of(&self, other: &Self, column: u32) -> Option<Self> {
        let mut row = self.clone();
        row.add_cell_of(other, column).then_some(row)
    }

    /// Adds a cell of another row, in a column where this row has none. Returns false where it cannot.
    pub fn add_cell_of(&mut self, other: &Self, column: u32) -> bool {
        let Some(cell) = other.cell(column) else { return false };
        let (Ok(text), Ok(address)) =
            (self.add(other.text(cell)), self.add(other.address(cell).unwrap_or_default()))
        else {
            return false;
        };
        let place = self.cells.partition_point(|each| each.column < column);
        self.cells.insert(place, Cell { text, address, ..cell.clone() });
        true
    }

    /// A row with nothing but one cell of this one.
    pub fn of_cell(&self, column: u32) -> Self {
        let mut row = Self { number: self.number, ..Self::default() };
        row.add_cell_of(self, column);
        row
    }

    /// Every cell so far says what the header says.
    pub fn is_as_header(&self) -> bool {
        !self.differs_from_header
    }

    /// Number of cells that say what the header says; nothing where one does not.
    pub fn header_cells(&self) -> Option<usize> {
        self.is_as_header().then_some(self.header_cells)
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
    /// The header says this in the column.
    fn is_in_header(&self, _column: u32, _text: &str) -> bool {
        false
    }
    /// Nodes that the XML of the rows may have.
    fn most_nodes(&self) -> u64 {
        FIRST_NODES
    }
    /// Leaves out a row with the totals of a table in these columns; false where it takes the row.
    fn skips_totals(&mut self, _row: u64, _first: u32, _last: u32) -> bool {
        false
    }
    /// There are no more rows.
    fn end_rows(&mut self) -> Result<(), Halt> {
        Ok(())
    }
    /// Cells of the rows are merged.
    fn merged(&mut self, _area: Area, _reference: &str) {}
}
