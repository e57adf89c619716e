//! Rows of totals and notes, and what is known of the rows above them. A row of totals below payments to an account that is typed once
//! has nothing else that keeps it from a code.

use qrpress_kinds::{begins_with_total, is_total};

use crate::row::Row;

/// First columns in which a word for totals is looked for, used or not.
pub(crate) const TOTAL_COLUMNS: u32 = 4;
/// Rows of payments that a total may add up.
const FEWEST_ROWS: u64 = 2;

/// The payments of the rows above another one.
#[derive(Default)]
pub(crate) struct Above {
    rows: u64,
    /// Cents of all.
    sum: u64,
    /// Cells of the row that has the fewest.
    fewest_cells: usize,
}

/// Notes that stand below the rows so far.
#[derive(Default)]
pub(crate) struct Below {
    /// Rows of the list that are no notes.
    pub rows: u64,
    /// The last of them.
    pub last_row: u64,
    /// All rows of the list so far are links.
    pub are_links: bool,
    /// A row of the list has the form of a note.
    pub has_form: bool,
    pub notes: u64,
    /// The first rows of these notes.
    pub note_rows: Vec<u64>,
    /// The row of the first note, and what it says.
    pub first: Option<(u64, String)>,
}

impl Above {
    /// Takes a payment of so many cents. Returns true for one that is the total of those above it: it has an amount alone, or two of three
    /// signs, of which one alone may be by chance, as a family pays as much as two members. Beside refused rows, which are `not_in_sum`, its
    /// name tells.
    pub fn add(&mut self, row: &Row, cents: Option<u64>, not_in_sum: u64) -> bool {
        let cells = row.cells.len();
        if let Some(cents) = cents.filter(|_| self.rows >= FEWEST_ROWS) {
            let has = |is_it: fn(&str) -> bool| row.cells.iter().any(|cell| is_it(row.text(cell)));
            let signs = [cents == self.sum, cells < self.fewest_cells];
            if signs == [true; 2]
                || (signs[1] && cells == 1)
                || (signs != [false; 2] && has(begins_with_total))
                || (not_in_sum > 0 && has(is_total))
            {
                return true;
            }
        }
        self.fewest_cells = if self.rows == 0 { cells } else { self.fewest_cells.min(cells) };
        self.rows += 1;
        self.sum = self.sum.saturating_add(cents.unwrap_or_default());
        false
    }
}
