//! Rows that people may leave out: those with a placeholder in their data, and contacts with nothing but a name.

use qrpress_kinds::{is_no_name, is_no_number, is_placeholder, is_total, name_of_contact};

use crate::columns::shortened;
use crate::fault::Fault;
use crate::notices::{NAMED_ROWS, note_place};
use crate::problem::Problem;
use crate::role::Role;
use crate::row::{Cell, Row};
use crate::table::Table;

/// Characters of a contact's name that a sentence repeats.
const NAME_CHARACTERS: usize = 60;

impl Table<'_> {
    /// Counts a row whose data has a placeholder, or leaves it out. Returns true for such a row.
    pub(crate) fn judge_placeholders(&mut self, row: &Row) -> bool {
        let one = |column: u32| {
            let cell = row.cell(column).filter(|cell| self.has_placeholder(row, cell));
            cell.filter(|_| !self.columns.may_be_empty(column))
        };
        let found = self.columns.data().and_then(|data| data.columns().find_map(one));
        let is_name_alone = self.contacts.add(&self.composed[Role::Data as usize]);
        let Some(cell) = found else {
            if is_name_alone {
                self.judge_name_alone(row);
            }
            return is_name_alone;
        };
        self.leave_out(row, cell, Fault::Placeholder);
        true
    }

    /// Counts a contact with nothing but a name, or leaves it out.
    fn judge_name_alone(&mut self, row: &Row) {
        let name = name_of_contact(&self.composed[Role::Data as usize]).unwrap_or_default();
        let is_no_name = is_no_name(name);
        self.report.name_rows += 1;
        self.report.no_names += u64::from(is_no_name);
        note_place(&mut self.name_places[usize::from(is_no_name)], row.number);
        let leaves = self.found.leaves_names_alone || (is_no_name && self.request.leaves_placeholders);
        if let Some(name) = row.cells.iter().find(|cell| leaves && self.columns.makes_data(cell.column)) {
            let text = shortened(row.text(name).trim(), NAME_CHARACTERS);
            self.add_problem(Problem::of_row(row.number, Fault::NameAlone(text)));
        }
    }

    /// Contacts with nothing but names are like rows with a placeholder where most others can be reached, or where the name is none.
    pub(crate) fn settle_names_alone(&mut self) {
        let [names, no_names] = &mut self.name_places;
        self.report.placeholder_places.append(no_names);
        let mut names = std::mem::take(names);
        if self.contacts.has_odd_names() {
            self.report.placeholder_places.append(&mut names);
        } else {
            self.report.name_rows = self.report.no_names;
        }
        self.report.placeholder_rows += self.report.name_rows;
    }

    /// Puts the first rows that may be left out in order.
    pub(crate) fn settle_places(&mut self) {
        let places = &mut self.report.placeholder_places;
        places.sort_unstable();
        places.dedup();
        places.truncate(NAMED_ROWS);
    }

    /// The cell has a placeholder, and the code does without it.
    pub(crate) fn leaves_empty(&self, row: &Row, cell: &Cell) -> bool {
        self.columns.may_be_empty(cell.column) && self.has_placeholder(row, cell)
    }

    /// The cell has a placeholder, or a total in place of a link or text.
    pub(crate) fn has_placeholder(&self, row: &Row, cell: &Cell) -> bool {
        let (column, text) = (cell.column, self.taken(row, cell));
        !self.columns.takes_number(column)
            && !self.columns.holds_marks(column)
            && self.columns.takes(column, text)
            && !self.has_no_password(row, cell)
            && (is_placeholder(text)
                || (!self.columns.make_fields() && is_total(text))
                || (self.columns.telephone(column).is_some() && is_no_number(text)))
    }
}
