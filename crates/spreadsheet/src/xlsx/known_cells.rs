//! Cells that formulas of links refer to: those of the row that is read, and of the first rows.

use std::borrow::Cow;
use std::ops::Range;

use super::link_formulas::{FORMULA_BYTES, Place};
use super::strings::{Strings, unescaped};

/// Rows that stay known: an address that others begin with stands above the list.
const FIRST_ROWS: u64 = 20;

/// Bytes of all cells that are known.
const BYTES: usize = 1_000_000;

/// Numbers below this keep all of their digits in spreadsheet programs.
const DIGITS: f64 = 1e15;

/// The meaning of a cell's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    Text,
    /// A text with escapes such as `_x000A_`.
    Escaped,
    /// The index of a shared text.
    Shared,
    Number,
    /// The cell shows something else.
    Other,
}

#[derive(Debug)]
struct Known {
    row: u64,
    column: u32,
    content: Content,
    bytes: Range<usize>,
}

/// The cells, in order.
#[derive(Debug, Default)]
pub(super) struct KnownCells {
    row: u64,
    cells: Vec<Known>,
    text: String,
    /// Cells and bytes of the first rows.
    kept: (usize, usize),
}

impl KnownCells {
    /// Goes on to a row below.
    pub fn begin_row(&mut self, row: u64) {
        if self.row <= FIRST_ROWS {
            self.kept = (self.cells.len(), self.text.len());
        }
        self.row = row;
        self.cells.truncate(self.kept.0);
        self.text.truncate(self.kept.1);
    }

    /// Adds a cell of the row that is not empty. A long text is not known: no address has it.
    pub fn add(&mut self, column: u32, content: Content, bytes: &str) {
        let start = self.text.len();
        let fits = bytes.len() <= FORMULA_BYTES && start + bytes.len() <= BYTES;
        let content = if fits { content } else { Content::Other };
        if fits && content != Content::Other {
            self.text.push_str(bytes);
        }
        self.cells.push(Known { row: self.row, column, content, bytes: start..self.text.len() });
    }

    /// The text of a cell as formulas join it to others. None: it is not known.
    pub fn value<'k>(&'k self, (column, row): Place, strings: &'k Strings) -> Option<Cow<'k, str>> {
        if row != self.row && row > FIRST_ROWS.min(self.row) {
            return None;
        }
        let Ok(place) = self.cells.binary_search_by_key(&(row, column), |cell| (cell.row, cell.column))
        else {
            return Some("".into());
        };
        let cell = &self.cells[place];
        let bytes = &self.text[cell.bytes.clone()];
        match cell.content {
            Content::Text => Some(bytes.into()),
            Content::Escaped => Some(unescaped(bytes)),
            Content::Shared => strings.get(bytes.parse().ok()?).map(Cow::Borrowed),
            // Decimals have a point or a comma, as the program does.
            Content::Number => {
                let is_whole = |number: &f64| number.fract() == 0.0 && number.abs() < DIGITS;
                bytes.parse().ok().filter(is_whole).map(|number| (number as i64).to_string().into())
            }
            Content::Other => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_the_row_and_of_the_first_rows_are_known() {
        let strings = Strings::default();
        let mut cells = KnownCells::default();
        for row in [1, 2, 20, 21, 22] {
            cells.begin_row(row);
            cells.add(0, Content::Text, &row.to_string());
            cells.add(2, Content::Number, "1.5");
            cells.add(3, Content::Number, "7.0");
            let known: Vec<_> = [1, 2, 20, 21, 22, 23].map(|row| cells.value((0, row), &strings)).to_vec();
            let expected = [1, 2, 20, 21, 22, 23]
                .map(|other| (other <= row.min(20) || other == row).then(|| Cow::from(other.to_string())));
            assert_eq!(known, expected, "{row}");
        }
        let [empty, decimal, whole] = [1, 2, 3].map(|column| cells.value((column, 22), &strings));
        assert_eq!((empty.as_deref(), decimal, whole.as_deref()), (Some(""), None, Some("7")));
        cells.add(4, Content::Text, &"x".repeat(FORMULA_BYTES + 1));
        for column in 5..100 {
            cells.add(column, Content::Text, &"x".repeat(FORMULA_BYTES));
        }
        let is_known = |column| cells.value((column, 22), &strings).is_some();
        assert_eq!([4, 5, 99].map(is_known), [false, true, false]);
    }
}
