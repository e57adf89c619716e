//! Cells of a workbook that are merged downwards: what they show counts for all their rows. A workbook lists them behind its rows, so that the
//! next reading takes them.

use crate::columns::shortened;
use crate::row::{Cell, Row};
use crate::table::Table;
use crate::xlsx::Area;

/// Merged cells that are kept.
const MOST: usize = 10_000;
/// The last row of merged cells for which a sheet is read again.
const LAST_ROW: u64 = 100_000;
/// Characters of a cell that a sentence shows.
const SHOWN: usize = 40;

impl Table<'_> {
    /// Keeps merged cells of one column that is used, or of countries or currencies. Returns true if their rows have taken what they show.
    /// Nobody knows how an amount is shared.
    pub(crate) fn note_merged_cells(&mut self, Area { left, right, top, bottom }: Area) -> bool {
        let is_one = self.columns.used_between(left, right) == 1 && self.columns.is_used(left);
        let others = [self.columns.of_countries, self.columns.of_currencies, self.currencies_by_cells()];
        let is_beside = left == right && others.contains(&Some(left));
        let is_amount = self.columns.make_payments() && self.columns.takes_number(left);
        let is_day = self.columns_of_days().is_some_and(|[day, _]| day == left);
        let are_many = self.merging.all.len() >= MOST || bottom > LAST_ROW;
        if top == bottom || !(is_one || is_beside) || is_amount || is_day || are_many {
            return false;
        }
        self.merging.all.insert((top, left), bottom);
        self.merging.taken.get(&(top, left)) == Some(&true)
    }

    /// The row with what merged cells show that begin above it.
    pub(crate) fn with_merged_cells(&mut self, row: &Row) -> Option<Row> {
        if self.found.merged.is_empty() {
            return None;
        }
        let number = row.number;
        self.merging.open.retain(|_, (_, bottom)| number <= *bottom);
        let mut whole: Option<Row> = None;
        for (column, (first, bottom)) in &self.merging.open {
            // A cell below the first one may have a text that nobody sees.
            let is_filled = row.cell(*column).is_none()
                && whole.get_or_insert_with(|| row.clone()).add_cell_of(first, *column);
            *self.merging.taken.entry((first.number, *column)).or_insert(true) &= is_filled;
            if let Some(cell) = first.cell(*column).filter(|_| is_filled) {
                let text = shortened(first.text(cell).trim(), SHOWN);
                self.notices.note_merged_cell([first.number, *bottom], *column, &text);
            }
        }
        for ((_, column), bottom) in self.found.merged.range((number, 0)..=(number, u32::MAX)) {
            self.merging.open.insert(*column, (row.of_cell(*column), *bottom));
        }
        whole
    }

    /// Keeps a refused row that has one cell.
    pub(crate) fn note_refused(&mut self, row: &Row) {
        if let ([Cell { column, .. }], None) = (row.cells.as_slice(), row.other)
            && self.merging.alone.len() < MOST
        {
            self.merging.alone.insert(row.number, *column);
        }
    }

    /// The merged cells are a note or heading, whose row is refused and has nothing else.
    pub(crate) fn is_refused_alone(&self, Area { left, right, top, bottom }: Area, last_row: u64) -> bool {
        let is_one_row = top == bottom || top == last_row;
        is_one_row && self.merging.alone.get(&top).is_some_and(|column| (left..=right).contains(column))
    }
}
