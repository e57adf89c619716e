//! What is known of the events above a row, where a person types the day of all, or may be asked for it.

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
    /// A row that seems to begin another day, and what it says.
    pub other: Option<(u64, String)>,
    /// The first day of the week, and its column.
    pub weekday: Option<(u32, String)>,
}

/// Rows of a list of events without a typed day: those that have times alone, and those that have days.
#[derive(Default)]
pub(crate) struct TimesAlone {
    pub times: u64,
    pub days: u64,
}

impl TimesAlone {
    /// No row has a day.
    pub fn lack_day(&self) -> bool {
        self.times > 0 && self.days == 0
    }
}
