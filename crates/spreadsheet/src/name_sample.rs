//! The column that tells codes apart where the names of their pictures would not: `Parkplatz` beside the same network in each row.

use std::collections::{BTreeMap, HashSet};

use qrpress_kinds::ValueForm;

use crate::moments::is_date;
use crate::names::{is_mail_address, is_web_link};
use crate::row::{Cell, Row};

/// Rows with items that are looked at.
const ROWS: usize = 100;

/// Characters of the longest name, digits of the longest number of one, and those of an account.
const CHARACTERS: usize = 60;
const DIGITS: usize = 6;
const DIGITS_OF_ACCOUNT: usize = 10;

/// The names of the first pictures, as their kind gives them, and the columns that may have better ones.
#[derive(Debug, Default)]
pub(crate) struct NameSample {
    /// A column is looked for.
    is_sought: bool,
    rows: usize,
    names: HashSet<String>,
    /// Names that are numbers.
    numbers: usize,
    columns: BTreeMap<u32, Candidate>,
}

/// A column that gives nothing to the items, and that has had another name in each row so far.
#[derive(Debug, Default)]
struct Candidate {
    texts: HashSet<String>,
    are_numbers: bool,
}

impl NameSample {
    /// A column is looked for from here on.
    pub fn begin(&mut self) {
        self.is_sought = true;
    }

    /// More rows are looked at.
    pub fn is_open(&self) -> bool {
        self.is_sought && self.rows < ROWS
    }

    /// No row was looked at yet: the columns with a text in the first one are looked at.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Looks at a column from here on.
    pub fn add_column(&mut self, column: u32) {
        self.columns.insert(column, Candidate::default());
    }

    /// Takes the cells of a row whose picture the kind gives this name, which is a number or says more.
    pub fn add_row(&mut self, row: &Row, name: &str, is_number: bool) {
        self.columns.retain(|column, candidate| {
            let Some(cell) = row.cell(*column) else { return false };
            let text = row.text(cell).trim();
            let Some(is_number) = number_or_name(cell, text) else { return false };
            candidate.are_numbers |= is_number;
            candidate.texts.insert(text.to_lowercase())
        });
        self.rows += 1;
        self.numbers += usize::from(is_number);
        self.names.insert(name.to_lowercase());
    }

    /// The first column with a text of its own in each row, where at least half of the names repeat others or none has a letter. One of
    /// whole numbers may count the rows, and goes behind the others.
    pub fn column(&self) -> Option<u32> {
        let repeats = self.rows - self.names.len();
        let are_numbers = self.numbers == self.rows;
        if self.rows == 0 || (!are_numbers && 2 * repeats < self.rows) {
            return None;
        }
        let of_words = self.columns.iter().find(|(_, column)| !column.are_numbers);
        of_words.or_else(|| self.columns.first_key_value()).map(|(column, _)| *column)
    }
}

/// True for a name that is a whole number. None: the text is a date, a link, an account or the like.
fn number_or_name(cell: &Cell, text: &str) -> Option<bool> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    let is_moment =
        || cell.number.as_ref().is_some_and(|number| !is_number && number.value(ValueForm::Moment).is_ok());
    let is_other = cell.fault.is_some()
        || text.chars().count() > CHARACTERS
        || text.contains(char::is_control)
        || text.chars().filter(char::is_ascii_digit).count() > DIGITS_OF_ACCOUNT
        || (is_number && text.len() > DIGITS)
        || (!is_number && !text.contains(char::is_alphabetic))
        || is_mail_address(text)
        || is_web_link(text)
        || is_moment()
        || is_date(text);
    (!is_other).then_some(is_number)
}
