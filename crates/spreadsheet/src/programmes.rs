//! Programmes, in which a day stands in the first row of its events: the rows below it have times alone, and take it.

use qrpress_kinds::{Kind, ValueForm, is_day};

use crate::role::Role;
use crate::row::Row;
use crate::table::Table;
use crate::xlsx::Area;

impl Table<'_> {
    /// The columns of days and of start times.
    pub(crate) fn columns_of_days(&self) -> Option<[u32; 2]> {
        let [time, ..] = self.columns.beside_starts();
        Some([self.columns.of_starts()?, time?])
    }

    /// Looks whether each day stands in one row.
    pub(crate) fn look_for_days(&mut self, row: &Row) {
        if let Some(columns) = self.columns_of_days() {
            self.days.add(row, columns);
        }
    }

    /// Keeps merged cells in the column of days. Returns true if the events of their rows take the day.
    pub(crate) fn note_merged_days(&mut self, Area { left, right, top, bottom }: Area) -> bool {
        if self.columns_of_days().is_none_or(|[day, _]| [left, right] != [day; 2]) {
            return false;
        }
        self.days.add_merged(top, bottom);
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
                self.days.event = self.start_of(row).map(|start| (row.clone(), start));
            }
            _ => {}
        }
    }

    /// Forgets the day of the rows above: a row between has another one, or none that is known.
    pub(crate) fn forget_day(&mut self) {
        self.days.event = None;
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
