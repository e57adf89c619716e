//! The kind of codes that the cells of a sheet speak for, where the names of its columns speak for none. It may be another: days with times
//! are those of deliveries, too.

use qrpress_kinds::Kind;

use crate::contents::{Content, content_of};
use crate::currencies::other_currency;
use crate::fault::Fault;
use crate::row::Row;
use crate::table::Table;

/// Rows that show what a column holds, at least.
const FEWEST_ROWS: usize = 2;
/// Columns of times: starts, and ends.
const MOST_TIMES: usize = 2;

impl Table<'_> {
    /// Looks what the columns of a row hold, where no name tells the kind of the codes.
    pub(crate) fn look_for_kind(&mut self, row: &Row) {
        if self.report.proposal.is_some() || !matches!(self.columns.unclear, Some(Fault::NoDataColumn(_))) {
            return;
        }
        for cell in &row.cells {
            let found = content_of(row.moment_or_text(cell).trim());
            let (all, rows) = self.contents.columns.entry(cell.column).or_insert((found, 0));
            *all = if *all == found { found } else { Content::Other };
            *rows += 1;
        }
    }

    /// The kind that the first rows may be of: all of them have what its codes need.
    pub(crate) fn likely_kind(&self) -> Option<Kind> {
        let rows = self.report.first_rows.len();
        if self.report.proposal.is_some() || self.report.links_column.is_some() || rows < FEWEST_ROWS {
            return None;
        }
        let count = |content| self.contents.count(content, rows);
        let has = |content| self.contents.columns.values().any(|(each, _)| *each == content);
        let has_words = count(Content::Words) > 0;
        let are_events = has_words
            && count(Content::Day) <= 1
            && (1..=MOST_TIMES).contains(&count(Content::Time))
            // Measurements or amounts.
            && !has(Content::Decimal);
        // Codes of payments know the euro alone.
        let has_other_currency =
            || self.columns.all.iter().any(|column| other_currency(&column.name).is_some());
        let are_people = has_words && count(Content::Phone) + count(Content::Mail) > 0;
        if are_events {
            Some(Kind::Event)
        } else if count(Content::Degrees) == 2 {
            Some(Kind::Geo)
        } else if has(Content::Account) {
            (count(Content::Account) == 1 && !has_other_currency()).then_some(Kind::Payment)
        } else {
            are_people.then_some(Kind::Contact)
        }
    }
}
