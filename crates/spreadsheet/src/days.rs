//! The days of a programme: whether each stands in one row.

use std::collections::BTreeMap;

use crate::row::Row;

/// Rows without a day, at least, of a sheet that writes each day once.
const FEWEST: u64 = 2;
/// Rows with a time for each of them, at most.
const MOST_ROWS: u64 = 4;
/// Merged cells of days that are kept.
const MOST_MERGED: usize = 10_000;

/// The first rows of merged cells of days, with the last ones. None are needed where other rows show that each day stands in one row.
pub(crate) type MergedDays = BTreeMap<u64, u64>;

/// Findings about the days of the rows so far.
#[derive(Default)]
pub(crate) struct Days {
    /// Rows with a time.
    timed: u64,
    /// Those of them without a day.
    undated: u64,
    has_day: bool,
    /// A row without a day has something before it or stands above all days, or a row repeats the day of the row above.
    is_disproved: bool,
    /// The day of the row above, as it is written.
    day_above: Option<String>,
    merged: MergedDays,
    /// The last event that has a day, and the start of the last one on it.
    pub event: Option<(Row, String)>,
}

impl Days {
    /// Takes a row with these columns of days and of start times.
    pub fn add(&mut self, row: &Row, [day, time]: [u32; 2]) {
        let written = row.cell(day).map(|cell| row.text(cell).trim().to_owned());
        let has_time = row.cell(time).is_some();
        self.timed += u64::from(has_time);
        if written.is_some() {
            self.is_disproved |= self.day_above == written;
        } else if has_time {
            let first = row.cells.first().map(|cell| cell.column).into_iter().chain(row.other).min();
            self.undated += 1;
            self.is_disproved |= !self.has_day || first < Some(day);
        }
        self.has_day |= written.is_some();
        self.day_above = written;
    }

    /// Keeps merged cells of days.
    pub fn add_merged(&mut self, top: u64, bottom: u64) {
        if self.merged.len() < MOST_MERGED {
            self.merged.insert(top, bottom);
        }
    }

    /// The merged cells of days, which the next reading needs. None: rows without a day have none.
    pub fn merged(&self) -> Option<MergedDays> {
        let is_shown = !self.is_disproved && self.undated >= FEWEST && MOST_ROWS * self.undated >= self.timed;
        (self.undated > 0 && (is_shown || !self.merged.is_empty())).then(|| self.merged.clone())
    }
}
