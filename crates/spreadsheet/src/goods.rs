//! Numbers of goods, and their check digits.

use qrpress_kinds::{lacks_digits, with_hyphens, with_right_check_digit};

use crate::books::isbn_of_13_digits;
use crate::fault::Fault;
use crate::names::words;
use crate::proposal::FEWEST_WITH_HYPHENS;
use crate::row::{Cell, Row};
use crate::table::Table;

impl Table<'_> {
    /// The refusal of an ISBN of 10 digits, or 9 in old books: with zeros in front, it would be the number of something else.
    pub(crate) fn wrong_isbn(&self, row: &Row, cell: &Cell) -> Option<Fault> {
        /// Digits of it.
        const OLD: std::ops::RangeInclusive<usize> = 9..=10;

        let is_of_books = self.columns.holds_goods(cell.column)
            && words(&self.columns.all[cell.column as usize].name)
                .iter()
                .any(|word| word.starts_with("isbn"));
        let is_old = OLD.contains(&row.text(cell).chars().filter(char::is_ascii_digit).count());
        (is_of_books && is_old).then(|| Fault::OldIsbn(isbn_of_13_digits(row.text(cell))))
    }

    /// The cell is a number of goods whose check digit is wrong, and whose digits are all there.
    pub(crate) fn has_wrong_check_digit(&self, row: &Row, cell: &Cell) -> bool {
        self.columns.holds_goods(cell.column)
            && with_right_check_digit(&without_signs(row.text(cell))).is_some()
    }

    /// The cell is a number of goods that gets zeros in front.
    pub(crate) fn gets_zeros(&self, row: &Row, cell: &Cell) -> bool {
        self.columns.holds_goods(cell.column) && lacks_digits(&without_signs(row.text(cell)))
    }

    /// The number of goods, which may be written as it is printed below a barcode.
    pub(crate) fn number_of_goods(&self, text: &str) -> String {
        let number = without_signs(text);
        let right = with_right_check_digit(&number).filter(|_| self.request.mends_check_digits);
        right.unwrap_or(number)
    }
}

/// The digits of a number as books and sheet music print it, `978-3-16-148410-0`. Shorter ones with hyphens are other numbers.
fn without_signs(text: &str) -> String {
    let number: String = text.split_whitespace().collect();
    let digits = with_hyphens(&number).replace('-', "");
    if digits.len() >= FEWEST_WITH_HYPHENS { digits } else { number }
}
