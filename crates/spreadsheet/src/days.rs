//! The days of a programme: whether each stands in one row.

use std::collections::BTreeMap;

use crate::row::Row;

/// Rows without a day, at least, of a sheet that writes each day once.
const FEWEST: u64 = 2;
/// Rows with a time for each of them, at most.
const MOST_ROWS: u64 = 2;
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
    /// Rows with a day.
    dated: u64,
    /// Rows without a day stand below a day that is not the last one.
    is_before_last: bool,
    /// A row without a day does not begin with its time or stands above all days, or a row repeats the day of the row above.
    is_disproved: bool,
    /// The row above has a time and no day.
    is_undated_above: bool,
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
            self.dated += 1;
            self.is_disproved |= self.day_above == written;
            self.is_before_last |= self.is_undated_above;
        } else if has_time {
            // A column before the time may have another day, such as that of the week.
            let first = row.cells.first().map(|cell| cell.column).into_iter().chain(row.other).min();
            self.undated += 1;
            self.is_disproved |= self.dated == 0 || first < Some(day.max(time));
        }
        self.is_undated_above = written.is_none() && has_time;
        self.day_above = written;
    }

    /// Keeps merged cells of days.
    pub fn add_merged(&mut self, top: u64, bottom: u64) {
        if self.merged.len() < MOST_MERGED {
            self.merged.insert(top, bottom);
        }
    }

    /// The merged cells of days, which the next reading needs. None: rows without a day take none. Below the last of several days alone, they
    /// may be on days that nobody knows yet.
    pub fn merged(&self) -> Option<MergedDays> {
        let is_shown = self.undated >= FEWEST
            && MOST_ROWS * self.undated >= self.timed
            && (self.dated == 1 || self.is_before_last);
        let is_merged = self.undated > 0 && !self.merged.is_empty();
        (!self.is_disproved && (is_shown || is_merged)).then(|| self.merged.clone())
    }
}
