//! Rows below a list that are none of it: totals whose word stands in any column, and notes.

use qrpress_kinds::{is_amount, is_note, is_total};

use crate::columns::shortened;
use crate::composition::Source;
use crate::fault::Fault;
use crate::names::{is_bare_link, is_link};
use crate::notices::note_place;
use crate::one_day::{is_time_alone, says_day};
use crate::problem::Problem;
use crate::row::{Cell, Row};
use crate::table::Table;

/// Fields of titles and names.
const TITLES: [&str; 6] = ["title", "name", "firstName", "lastName", "organisation", "ssid"];

/// Characters of a row that a sentence shows.
const SHOWN: usize = 60;

impl Table<'_> {
    /// Looks at a row that can be an item: it may be a total, or a note below the list.
    pub(crate) fn judge_below(&mut self, row: &Row) {
        if self.is_of_lines() {
            self.add_row(row);
            return;
        }
        let total = self.total_in(row).map(|cell| (cell, Fault::Placeholder as fn(String) -> Fault));
        let note = || self.note_among_links(row).map(|cell| (cell, Fault::Note as fn(String) -> Fault));
        if let Some((cell, fault)) = total.or_else(note) {
            let text = shortened(row.text(cell).trim(), SHOWN);
            if !self.leave_out(row, cell, fault) {
                self.notices.note_rows_below(1, row.number, text);
            }
            return;
        }
        let Some(text) = self.note_in(row) else {
            self.add_row(row);
            return;
        };
        if self.found.notes_below.is_some_and(|last| row.number > last) {
            self.add_problem(Problem::of_row(row.number, Fault::Note(shortened(text, SHOWN))));
        }
        self.below.notes += 1;
        note_place(&mut self.below.note_rows, row.number);
        self.below.first.get_or_insert_with(|| (row.number, shortened(text, SHOWN)));
    }

    /// The studio made the table of typed lines, of which each is a code.
    fn is_of_lines(&self) -> bool {
        self.columns.all.iter().map(|column| &*column.name).eq(["data", "caption"])
    }

    /// Counts a row that is left out if the person chooses so, for what this cell says. Returns true if it is.
    pub(crate) fn leave_out(&mut self, row: &Row, cell: &Cell, fault: fn(String) -> Fault) -> bool {
        self.report.placeholder_rows += 1;
        note_place(&mut self.report.placeholder_places, row.number);
        if self.request.leaves_placeholders {
            let text = shortened(self.taken(row, cell).trim(), SHOWN);
            self.add_problem(Problem::of_cell(row.number, cell.column, fault(text)));
        }
        self.request.leaves_placeholders
    }

    /// The row holds a total.
    pub(crate) fn is_of_totals(&self, row: &Row) -> bool {
        self.total_in(row).is_some()
    }

    /// Refuses a faulty row that holds a total, or leaves it out.
    pub(crate) fn judge_faulty_total(&mut self, row: &Row) {
        if let Some(cell) = self.total_in(row)
            && !self.leave_out(row, cell, Fault::Placeholder)
        {
            self.add_problem(Problem::of_row(row.number, Fault::TotalOfColumns));
        }
    }

    /// The row lacks what codes of its kind need, and has nothing but a note in the first column that is used, or words where a day or a time
    /// belongs. Other fields may have any words, and a row that lacks the rest.
    pub(crate) fn is_note_alone(&self, row: &Row) -> bool {
        let [cell] = row.cells.as_slice() else { return false };
        let text = row.text(cell).trim();
        let is_title = self.columns.field(cell.column).is_some_and(|field| TITLES.contains(&field));
        let are_words = || {
            text.contains(char::is_whitespace)
                && text.contains(char::is_alphabetic)
                && !says_day(text)
                && !is_time_alone(text)
        };
        let is_whole = |data: &Source| data.is_whole(|column| column == cell.column);
        let is_alone = row.other.is_none()
            && self.columns.make_fields()
            && self.columns.is_used(cell.column)
            && self.columns.used_between(0, cell.column) == 1
            && !self.columns.data().is_some_and(is_whole);
        is_alone
            && ((is_title && is_note(text))
                || (self.is_of_moments(cell.column) && (is_note(text) || are_words())))
    }

    /// Refuses a note that is no code, or leaves it out.
    pub(crate) fn judge_note_alone(&mut self, row: &Row) {
        if let Some(cell) = row.cells.first().filter(|_| !self.is_of_totals(row))
            && !self.leave_out(row, cell, Fault::Note)
        {
            let text = shortened(row.text(cell).trim(), SHOWN);
            self.add_problem(Problem::of_row(row.number, Fault::NoteAlone(text)));
        }
        self.report.passwordless_networks -= u64::from(self.notices.take_network_back(row.number));
    }

    /// Counts the notes at the end of the list as rows that may be left out.
    pub(crate) fn settle_notes_below(&mut self) {
        let Some((row, text)) = self.below.first.take() else { return };
        self.report.placeholder_rows += self.below.notes;
        self.report.placeholder_places.append(&mut self.below.note_rows);
        self.report.notes_below = Some(self.below.last_row);
        if self.found.notes_below.is_none() {
            self.notices.note_rows_below(self.below.notes, row, text);
        }
    }

    /// The word for totals of a row that has nothing but numbers beside it. Other columns than those of the data may have anything.
    fn total_in<'r>(&self, row: &'r Row) -> Option<&'r Cell> {
        let is_number = |cell: &&Cell| is_amount(row.text(cell));
        let word = row.cells.iter().find(|cell| is_total(row.text(cell)))?;
        let mut others = row.cells.iter().filter(|cell| cell.column != word.column);
        others.all(|cell| !self.columns.makes_data(cell.column) || is_number(&cell)).then_some(word)
    }

    /// The cell of a row between links that has the form of a note: `Seite 1 von 2` where the next page follows.
    fn note_among_links<'r>(&self, row: &'r Row) -> Option<&'r Cell> {
        let [cell] = row.cells.as_slice() else { return None };
        let text = row.text(cell);
        let is_one = self.below.are_links && self.columns.makes_data(cell.column);
        (is_one && is_note(text) && !is_link(text)).then_some(cell)
    }

    /// The text of a row that has nothing else, where it may be a note below the list.
    fn note_in<'r>(&self, row: &'r Row) -> Option<&'r str> {
        let Some(&Source::Column(data)) = self.columns.data() else { return None };
        let [cell] = row.cells.as_slice() else { return None };
        let text = row.text(cell).trim();
        let has_form = is_note(text) && !self.below.has_form;
        let is_text = self.below.are_links && !self.is_lines && text.contains(char::is_whitespace);
        let is_one = cell.column == data && row.other.is_none() && !is_link(text) && !is_bare_link(text);
        (is_one && self.below.rows > 0 && (has_form || is_text)).then_some(text)
    }

    /// Takes a row that is neither: notes above it are rows of the list.
    fn add_row(&mut self, row: &Row) {
        let Some(&Source::Column(data)) = self.columns.data() else { return };
        let Some(text) = row.cell(data).map(|cell| row.text(cell).trim()) else { return };
        let below = &mut self.below;
        below.are_links = (below.are_links || below.rows == 0) && below.notes == 0 && is_link(text);
        below.has_form |= below.notes > 0 || is_note(text);
        below.rows += 1;
        below.last_row = row.number;
        below.notes = 0;
        below.first = None;
        below.note_rows.clear();
    }
}
