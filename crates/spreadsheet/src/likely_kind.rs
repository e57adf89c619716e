//! The kind of codes that the cells of a sheet speak for, where the names of its columns speak for none. It may be another: days with times
//! are those of deliveries, too.

use qrpress_kinds::Kind;

use crate::contents::Content;
use crate::currencies::other_currency;
use crate::fault::Fault;
use crate::fields::names_field;
use crate::row::Row;
use crate::table::Table;

/// Rows that show what a column holds, at least.
const FEWEST_ROWS: usize = 2;
/// Columns of times: starts, and ends.
const MOST_TIMES: usize = 2;

impl Table<'_> {
    /// Looks what the columns of a row hold, where none has the data. The values may speak against the kind that the names speak for.
    pub(crate) fn look_for_kind(&mut self, row: &Row) {
        if !matches!(self.columns.unclear, Some(Fault::NoDataColumn(_))) {
            return;
        }
        for cell in &row.cells {
            self.contents.add(cell.column, row.moment_or_text(cell).trim());
        }
    }

    /// The kind that the first rows may be of: most of them have what its codes need.
    pub(crate) fn likely_kind(&self) -> Option<Kind> {
        let rows = self.report.first_rows.len();
        if self.report.proposal.is_some() || self.report.links_column.is_some() || rows < FEWEST_ROWS {
            return None;
        }
        let count = |content| self.contents.count(content, rows);
        let names = |has_meaning: &dyn Fn(&str) -> bool| {
            self.columns.all.iter().any(|column| has_meaning(&column.name))
        };
        let has_words = count(Content::Words) > 0;
        let has_times = (1..=MOST_TIMES).contains(&count(Content::Time));
        let are_from_day_to_day = count(Content::Day) == 2 && count(Content::Time) == 0;
        let are_events = has_words
            && ((count(Content::Day) <= 1 && has_times) || are_from_day_to_day)
            // Measurements or amounts.
            && count(Content::Decimal) == 0;
        if are_events {
            Some(Kind::Event)
        } else if count(Content::Degrees) == 2 && names(&|name| names_field(Kind::Geo, "latitude", name)) {
            Some(Kind::Geo)
        } else if count(Content::Account) > 0 {
            // Codes of payments know the euro alone.
            let has_other_currency = names(&|name| other_currency(name).is_some());
            (count(Content::Account) == 1 && !has_other_currency).then_some(Kind::Payment)
        } else if count(Content::Mail) == 1 && names(&|name| names_field(Kind::Email, "subject", name)) {
            Some(Kind::Email)
        } else if count(Content::Goods) == 1 {
            Some(Kind::DigitalLink)
        } else {
            (has_words && count(Content::Phone) + count(Content::Mail) > 0).then_some(Kind::Contact)
        }
    }
}
