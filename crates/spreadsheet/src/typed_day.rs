//! The events above a row, where a person types the day of all events, or may be asked for it.

use std::collections::BTreeMap;

/// The last cells of columns that may have groups, with their rows.
pub(crate) type Groups = BTreeMap<u32, (u64, String)>;

/// The events of the rows so far.
#[derive(Default)]
pub(crate) struct OneDay {
    /// The day that was typed, as a calendar has it.
    pub day: String,
    /// The start of the event above.
    pub above: Option<String>,
    /// An event above starts in the morning, or later.
    pub is_past_morning: bool,
    /// The row above is refused for its time: those below it that start before the last event may be on its day.
    pub is_broken: bool,
    /// A row above that names a day, and what it says.
    pub other: Option<(u64, String)>,
    pub columns: DayColumns,
    pub groups: Groups,
}

/// Columns with cells beside the events, and whether all of them may be days.
#[derive(Default)]
pub(crate) struct DayColumns(BTreeMap<u32, bool>);

impl DayColumns {
    /// Looks at a cell, unless another one of its column is no day.
    pub fn note(&mut self, column: u32, may_be_day: impl FnOnce() -> bool) {
        let are_days = self.0.entry(column).or_insert(true);
        *are_days = *are_days && may_be_day();
    }

    /// Those that have days alone.
    pub fn of_days(&self) -> impl Iterator<Item = u32> {
        self.0.iter().filter(|(_, are_days)| **are_days).map(|(column, _)| *column)
    }
}

/// Rows of a list of events without a typed day: those that have times alone, and those that have days.
#[derive(Default)]
pub(crate) struct TimesAlone {
    pub times: u64,
    pub days: u64,
    pub columns: DayColumns,
    pub groups: Groups,
    /// The first day with which a title or place begins or ends.
    pub in_words: Option<String>,
}

impl TimesAlone {
    /// No row has a day.
    pub fn lack_day(&self) -> bool {
        self.times > 0 && self.days == 0 && self.columns.of_days().next().is_none()
    }
}
