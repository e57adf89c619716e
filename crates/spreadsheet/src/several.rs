//! Several values of a contact in one cell: the first one is used, and a second number is the other one.

use qrpress_kinds::{is_desk_number, two_numbers};

use crate::row::Row;
use crate::table::Table;

/// The field of contacts for a second number.
pub(crate) const OTHER_PHONE: &str = "otherPhone";

impl Table<'_> {
    /// The first of several values of a contact.
    pub(crate) fn first_of_several<'t>(&self, column: u32, text: &'t str) -> &'t str {
        self.several(column, text).map_or(text, |(first, _)| first)
    }

    /// The first of several values of a contact, as Google writes them into a cell, or of addresses as people do, and the others.
    pub(crate) fn several<'t>(&self, column: u32, text: &'t str) -> Option<(&'t str, &'t str)> {
        if !self.columns.are_of_contacts() {
            return None;
        }
        let holds_mails = || matches!(self.columns.field(column), Some("email" | "otherEmail"));
        let values = text.split_once(" ::: ").or_else(|| {
            let is_address = |text: &str| text.contains('@');
            text.split_once([';', ','])
                .filter(|(one, other)| holds_mails() && is_address(one) && is_address(other))
        });
        values.or_else(|| self.columns.telephone(column).and_then(|_| two_numbers(text)))
    }

    /// The second number in a cell of telephone numbers, the first of these in the row, with the column and with what stands behind the
    /// number. It is the contact's other number, where no cell has that, or the mobile one of a column for both.
    pub(crate) fn second_number<'r>(&self, row: &'r Row) -> Option<(u32, &'r str, &'r str)> {
        let has = |field: &str| {
            let mut columns = (0..).zip(&self.columns.all);
            columns.any(|(position, column)| column.field == Some(field) && row.cell(position).is_some())
        };
        let (has_other, has_mobile) = (has(OTHER_PHONE), has("mobile"));
        row.cells.iter().find_map(|cell| {
            if has_other && (has_mobile || self.columns.phones_and_mobiles(cell.column).is_none()) {
                return None;
            }
            self.columns.telephone(cell.column)?;
            let (_, others) = self.several(cell.column, row.text(cell))?;
            let (second, rest) = self.several(cell.column, others).unwrap_or((others, ""));
            // The last digits alone are no number.
            if second.trim().starts_with('-') || is_desk_number(second.trim()) {
                return None;
            }
            Some((cell.column, second.trim(), rest))
        })
    }
}
