//! Sheets whose cells are days, times and words, and whose names speak for no kind: they may be events, and as well deliveries or shifts.

use std::collections::BTreeMap;

use qrpress_kinds::ValueForm;

use crate::fault::Fault;
use crate::moments::{is_date, time};
use crate::row::{Cell, Row};
use crate::table::Table;

/// Rows that show what a column holds, at least.
const FEWEST_ROWS: usize = 2;
/// Columns of times: starts, and ends.
const MOST_TIMES: usize = 2;

/// What all cells of a column are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    Day,
    Time,
    Words,
    /// A number with decimals: a measurement, or an amount.
    Decimal,
    Other,
}

/// The first cells of columns.
#[derive(Default)]
pub(crate) struct Contents {
    columns: BTreeMap<u32, (Content, usize)>,
}

impl Contents {
    /// The columns that all these rows fill with the same content.
    fn count(&self, content: Content, rows: usize) -> usize {
        self.columns.values().filter(|column| **column == (content, rows)).count()
    }
}

/// The content of a cell, by its text.
fn content_of(text: &str) -> Content {
    let letters = text.chars().filter(|character| character.is_alphabetic()).count();
    let plain = text.replace(',', ".");
    match text {
        _ if is_date(text) => Content::Day,
        _ if time(text) == Some(true) => Content::Time,
        _ if plain.parse::<f64>().is_ok() && plain.contains('.') => Content::Decimal,
        _ if letters >= 2 && !text.contains(['@', '/']) => Content::Words,
        _ => Content::Other,
    }
}

impl Table<'_> {
    /// Looks what the columns of a row hold, where no name tells the kind of the codes.
    pub(crate) fn look_for_events(&mut self, row: &Row) {
        if self.report.proposal.is_some() || !matches!(self.columns.unclear, Some(Fault::NoDataColumn(_))) {
            return;
        }
        let content = |cell: &Cell| {
            let moment = cell.number.as_ref().and_then(|number| number.value(ValueForm::Moment).ok());
            content_of(moment.as_deref().unwrap_or(row.text(cell)).trim())
        };
        for cell in &row.cells {
            let found = content(cell);
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
