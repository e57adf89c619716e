//! Sheets whose cells are days, times and words, and whose names speak for no kind: they may be events, and as well deliveries or shifts.

use crate::contents::{Content, content_of};
use crate::fault::Fault;
use crate::row::Row;
use crate::table::Table;

/// Rows that show what a column holds, at least.
const FEWEST_ROWS: usize = 2;
/// Columns of times: starts, and ends.
const MOST_TIMES: usize = 2;

impl Table<'_> {
    /// Looks what the columns of a row hold, where no name tells the kind of the codes.
    pub(crate) fn look_for_events(&mut self, row: &Row) {
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

    /// The first rows may be events: each has a day, a time and words, and none a measurement or an amount.
    pub(crate) fn may_be_events(&self) -> bool {
        let rows = self.report.first_rows.len();
        let count = |content| self.contents.count(content, rows);
        self.report.proposal.is_none()
            && self.report.links_column.is_none()
            && rows >= FEWEST_ROWS
            && count(Content::Day) == 1
            && (1..=MOST_TIMES).contains(&count(Content::Time))
            && count(Content::Words) > 0
            && self.contents.columns.values().all(|(content, _)| *content != Content::Decimal)
    }
}
