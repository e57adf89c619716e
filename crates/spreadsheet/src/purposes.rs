//! The text of a payment, or the reference of the creditor in its place: a code has one of the two.

use qrpress_kinds::is_payment_without_text;

use crate::role::Role;
use crate::row::{Cell, Row};
use crate::table::Table;

impl Table<'_> {
    /// The text that a code takes, of the column of texts: none beside a reference of a creditor, and the number of an invoice where the row
    /// has no text.
    pub(crate) fn purpose(&self, row: &Row, column: u32) -> String {
        let reference = self.reference(row);
        if reference.is_some_and(|cell| self.columns.takes(cell.column, row.text(cell))) {
            return String::new();
        }
        let text = self.lines_of_purpose(row, column);
        if text.is_empty() { reference.map_or(text, |cell| row.text(cell).to_owned()) } else { text }
    }

    /// The text of the row, whose lines may have columns of their own.
    pub(crate) fn lines_of_purpose(&self, row: &Row, column: u32) -> String {
        let lines: Vec<&str> =
            self.cells_of_purpose(row, column).map(|cell| self.taken(row, cell).trim()).collect();
        lines.join(" ")
    }

    /// Notes a text that a code leaves out for the reference of a creditor, or a reference of another kind that it leaves out for the text.
    pub(crate) fn note_purpose(&mut self, row: &Row) {
        let (Some(reference), Some(column)) = (self.reference(row), self.columns.of_purposes()) else {
            return;
        };
        let Some(text) = self.cells_of_purpose(row, column).next() else { return };
        if unspaced(&self.lines_of_purpose(row, column)) == unspaced(row.text(reference)) {
            return;
        }
        if self.columns.takes(reference.column, row.text(reference)) {
            self.notices.note_text(row, text);
        } else {
            self.notices.note_reference(row, reference);
        }
    }

    /// Notes a payment with neither text nor reference.
    pub(crate) fn note_text_beside(&mut self, row: &Row) {
        if is_payment_without_text(&self.composed[Role::Data as usize]) {
            let has_cell = |column: &&u32| row.cell(**column).is_some();
            let other = self.columns.of_other_texts.iter().find(has_cell).copied();
            self.notices.note_without_text(other);
        }
    }

    fn cells_of_purpose<'r>(&self, row: &'r Row, column: u32) -> impl Iterator<Item = &'r Cell> {
        let parts = self.columns.parts(column).map(|part| part.column);
        let cells = [column].into_iter().chain(parts).filter_map(|column| row.cell(column));
        cells.filter(|cell| !row.text(cell).trim().is_empty())
    }

    fn reference<'r>(&self, row: &'r Row) -> Option<&'r Cell> {
        row.cell(self.columns.of_references()?).filter(|cell| !row.text(cell).trim().is_empty())
    }
}

/// A reference has spaces on paper alone.
fn unspaced(text: &str) -> String {
    text.split_whitespace().collect::<String>().to_uppercase()
}
