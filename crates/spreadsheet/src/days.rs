//! Days of programmes, which stand in the first row of each day: the rows below it have times alone.

use std::collections::BTreeMap;

use qrpress_kinds::{Kind, ValueForm, is_day};

use crate::role::Role;
use crate::row::Row;
use crate::table::Table;
use crate::xlsx::Area;

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
    event: Option<(Row, String)>,
}

impl Table<'_> {
    /// The columns of days and of start times.
    fn columns_of_days(&self) -> Option<[u32; 2]> {
        let [time, ..] = self.columns.beside_starts();
        Some([self.columns.of_starts()?, time?])
    }

    /// Looks whether each day stands in one row.
    pub(crate) fn look_for_days(&mut self, row: &Row) {
        let Some([day, time]) = self.columns_of_days() else { return };
        let written = row.cell(day).map(|cell| row.text(cell).trim().to_owned());
        let has_time = row.cell(time).is_some();
        let days = &mut self.days;
        days.timed += u64::from(has_time);
        if written.is_some() {
            days.is_disproved |= days.day_above == written;
        } else if has_time {
            let first = row.cells.first().map(|cell| cell.column).into_iter().chain(row.other).min();
            days.undated += 1;
            days.is_disproved |= !days.has_day || first < Some(day);
        }
        days.has_day |= written.is_some();
        days.day_above = written;
    }

    /// The merged cells of days, which the next reading needs. None: rows without a day have none.
    pub(crate) fn merged_days(&self) -> Option<MergedDays> {
        let Days { timed, undated, is_disproved, merged, .. } = &self.days;
        let is_shown = !is_disproved && *undated >= FEWEST && MOST_ROWS * undated >= *timed;
        (*undated > 0 && (is_shown || !merged.is_empty())).then(|| merged.clone())
    }

    /// Keeps merged cells in the column of days. Returns true if the events of their rows take the day.
    pub(crate) fn note_merged_days(&mut self, Area { left, right, top, bottom }: Area) -> bool {
        if self.columns_of_days().is_none_or(|[day, _]| [left, right] != [day; 2]) {
            return false;
        }
        if self.days.merged.len() < MOST_MERGED {
            self.days.merged.insert(top, bottom);
        }
        self.found.days.as_ref().is_some_and(|days| days.get(&top) == Some(&bottom))
    }

    /// The row with the day of the row above, and its start, where it has a time alone. An event that would start before the one above it may be
    /// on another day: it has none.
    pub(crate) fn with_day_above(&self, row: &Row) -> Option<(Row, String)> {
        let merged = self.found.days.as_ref()?;
        let (above, last) = self.days.event.as_ref()?;
        let [day, time] = self.columns_of_days()?;
        let is_merged = || merged.get(&above.number).is_some_and(|bottom| row.number <= *bottom);
        if row.cell(day).is_some() || row.cell(time).is_none() || !(merged.is_empty() || is_merged()) {
            return None;
        }
        let whole = row.with_cell_of(above, day)?;
        let start = self.start_of(&whole)?;
        (start.len() == last.len() && start >= *last).then_some((whole, start))
    }

    /// Keeps the start of an event of this row, which has its own day or that of the row above.
    pub(crate) fn keep_day(&mut self, row: &Row, above: Option<String>) {
        match (above, &mut self.days.event) {
            (Some(start), Some((_, last))) => {
                *last = start;
                self.notices.note_day_above(row.number);
            }
            _ if self.found.days.is_some() => {
                self.days.event = self.start_of(row).map(|start| (row.clone(), start))
            }
            _ => {}
        }
    }

    /// Forgets the day of the rows above: this row has another one, and is no event.
    pub(crate) fn forget_day(&mut self, row: &Row) {
        if self.columns_of_days().is_some_and(|[day, _]| row.cell(day).is_some()) {
            self.days.event = None;
        }
    }

    /// The start of the row's event as a calendar has it: `20270612T100000`. None: it has no single day.
    fn start_of(&self, row: &Row) -> Option<String> {
        let [day, time] = self.columns_of_days()?;
        let day = self.value(row, Role::Data, day, ValueForm::Moment).ok().filter(|day| is_day(day))?;
        let time = self.value(row, Role::Data, time, Kind::Event.value_form("startTime")).ok()?;
        let event = Kind::Event.compose(&["-", &day, &time]).ok()?;
        let start = event.split_once("\nDTSTART")?.1.lines().next()?.split_once(':')?.1;
        Some(if start.contains('T') { start.to_owned() } else { format!("{start}T000000") })
    }
}
