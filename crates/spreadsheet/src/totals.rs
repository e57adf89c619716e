//! The row of totals below payments to an account that is typed once: nothing else keeps it from a code.

use crate::names::{folded, is_one_of, words};
use crate::row::Row;

/// Words with which a cell begins in a row of totals.
const TOTALS: &str = "total totale totaal totaux totales totais totalt gesamt gesamtsumme gesamtbetrag summe zwischensumme endsumme \
    sum subtotal subtotale subtotaal somme suma soma somma sumă summa razem ogółem lacznie łącznie celkem celkom spolu súčet \
    součet soucet összesen osszesen yhteensä yhteensa kokku kopā ialt ukupno skupaj toplam σύνολο συνολο итого всего \
    разом усього общо";

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

impl Above {
    /// Takes a payment of so many cents. Returns true for one that is the total of those above it: it has two of three signs, of which one
    /// alone may be by chance, as a family pays as much as two members.
    pub fn add(&mut self, row: &Row, cents: Option<u64>) -> bool {
        let cells = row.cells.len();
        if let Some(cents) = cents.filter(|_| self.rows >= FEWEST_ROWS) {
            let names_total = || row.cells.iter().any(|cell| begins_with_total(row.text(cell)));
            let signs = [cents == self.sum, cells < self.fewest_cells];
            if signs == [true; 2] || (signs != [false; 2] && names_total()) {
                return true;
            }
        }
        self.fewest_cells = if self.rows == 0 { cells } else { self.fewest_cells.min(cells) };
        self.rows += 1;
        self.sum = self.sum.saturating_add(cents.unwrap_or_default());
        false
    }
}

/// The text begins with a word for totals.
fn begins_with_total(text: &str) -> bool {
    words(text).first().is_some_and(|word| is_one_of(word, TOTALS) || is_one_of(&folded(word), TOTALS))
}
