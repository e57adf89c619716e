//! The currency and the payees of payments, as the cells tell them beside the names of columns.

use qrpress_kinds::{Kind, cents_of_payment};

use crate::columns::Columns;
use crate::composition::Source;
use crate::currencies::{is_currency_code, is_other_currency};
use crate::fault::Fault;
use crate::problem::Problem;
use crate::role::Role;
use crate::row::Row;
use crate::table::Table;

/// Digits of the shortest number of a payee, and letters that one may have beside them: `V0001`, `LF-1001`.
const FEWEST_DIGITS: usize = 2;
const MOST_LETTERS: usize = 4;

/// The payee is a number or code, and no name.
fn is_number(text: &str) -> bool {
    let text = text.trim();
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let letters = text.chars().filter(|character| character.is_alphabetic()).count();
    !text.contains(char::is_whitespace)
        && digits >= FEWEST_DIGITS
        && letters <= MOST_LETTERS
        && letters < digits
}

impl Table<'_> {
    /// Looks at a row of payments.
    pub(crate) fn look_at_payment(&mut self, row: &Row) {
        let Some(Source::Kind { kind: Kind::Payment, .. }) = self.columns.data() else { return };
        for cell in self.columns.payees().into_iter().filter_map(|column| row.cell(column)) {
            *self.shown.payees.entry(cell.column).or_insert(true) &= is_number(row.text(cell));
        }
        let width = self.columns.all.len();
        for cell in row.cells.iter().filter(|cell| (cell.column as usize) < width) {
            if self.columns.names_pictures(cell.column) {
                self.notices.note_other(row.text(cell));
            }
            if self.columns.is_used(cell.column) {
                continue;
            }
            let [are_codes, has_other] = self.shown.currencies.entry(cell.column).or_insert([true, false]);
            self.notices.note_other(if is_currency_code(row.text(cell)) { "" } else { row.text(cell) });
            *are_codes &= is_currency_code(row.text(cell));
            *has_other |= is_other_currency(row.text(cell));
        }
    }

    /// The column of currencies of payments, where no name tells it.
    pub(crate) fn currencies_by_cells(&self) -> Option<u32> {
        if self.columns.of_currencies.is_some() {
            return None;
        }
        let all = self.shown.currencies.iter().filter(|(_, [are_codes, _])| *are_codes);
        let column = all.min_by_key(|(column, [_, has_other])| (!has_other, **column))?;
        Some(*column.0)
    }

    /// The columns of payees that are numbers, where `resolve` finds another one without them.
    pub(crate) fn payees_of_numbers(&self, resolve: impl FnOnce(&[u32]) -> Columns) -> Vec<u32> {
        let all = self.shown.payees.iter().filter(|(_, are_numbers)| **are_numbers);
        let numbers: Vec<u32> = all.map(|(column, _)| *column).collect();
        let has_other = || resolve(&numbers).of_payees().is_some_and(|other| !numbers.contains(&other));
        if !numbers.is_empty() && has_other() { numbers } else { Vec::new() }
    }

    /// Refuses a payment that is the total of those above it, unless it `is_refused`: a row has one problem. Its amount may be in a sum all
    /// the same.
    pub(crate) fn judge_total(&mut self, row: &Row, is_refused: bool) {
        if self.columns.account().is_none() {
            return;
        }
        let cents = cents_of_payment(&self.composed[Role::Data as usize]);
        if self.above.add(row, cents, self.report.faulty_rows) && !is_refused {
            self.add_problem(Problem::of_row(row.number, Fault::Total));
        }
    }

    /// Notes the payee of a payment, and one that is a number.
    pub(crate) fn note_payee(&mut self, row: &Row) {
        let Some(cell) = self.columns.of_payees().and_then(|column| row.cell(column)) else { return };
        self.notices.note_payee(row.text(cell).trim());
        if is_number(row.text(cell)) {
            self.notices.note_number_of_payee(row, cell);
        }
    }
}
