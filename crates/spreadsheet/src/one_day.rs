//! Events that are all on one day, which a person types: the list has times alone.

use std::borrow::Cow;

use qrpress_kinds::{Kind, ValueForm, has_weekday, is_day, is_name_of_weekday, lacks_year, says_whole_day};

use crate::columns::{Columns, shortened};
use crate::composition::Source;
use crate::fault::Fault;
use crate::moments::{is_date, is_time_of_day};
use crate::names::words;
use crate::problem::Problem;
use crate::role::Role;
use crate::row::Row;
use crate::table::Table;
use crate::things::days;
use crate::typed_day::OneDay;

/// Events start then, or later. Those before it may be on the next day, or in the afternoon.
const MORNING: &str = "T060000";
/// Characters of a row that a sentence shows.
const SHOWN: usize = 60;
/// Words of a heading such as `Day 2: night`, at most. One without a number has fewer: `Zweiter Tag`.
const MOST_WORDS: usize = 3;
/// Digits of a day in a calendar: `20270612`.
const DAY_DIGITS: usize = 8;

/// The start of an event, as a calendar has it: `20270612T100000`, or `20270612` of a whole day.
fn start_of(event: &str) -> Option<&str> {
    event.split_once("\nDTSTART")?.1.lines().next()?.split_once(':').map(|(_, start)| start)
}

/// The text is a time, and no day.
fn is_time_alone(text: &str) -> bool {
    // Zones of the summer are none in winter.
    let is_of_summer = || Kind::Event.compose(&["-", "2027-07-31", text]).is_ok();
    !is_date(text) && (is_time_of_day(text) || is_of_summer())
}

/// The text names a day, perhaps without its date: `Sonntag`, `13.6.`, `Day 2`, `Zweiter Tag`.
fn names_day(text: &str) -> bool {
    let is_counted = || {
        let words = words(text);
        let has_number = words.iter().any(|word| word.starts_with(char::is_numeric));
        words.len() <= if has_number { MOST_WORDS } else { MOST_WORDS - 1 }
            && words.iter().any(|word| days().any(|day| day == word))
    };
    is_name_of_weekday(text) || has_weekday(text) || is_date(text) || lacks_year(text) || is_counted()
}

impl Columns {
    /// The day that was typed for all events.
    pub(crate) fn typed_day(&self) -> Option<&str> {
        let Some(Source::Kind { kind: Kind::Event, typed, .. }) = self.data() else { return None };
        let start = Kind::Event.fields().iter().position(|field| field.name == "start")?;
        Some(typed[start].as_str()).filter(|day| !day.is_empty())
    }

    /// Puts an event on the day that was typed. The column of starts may have times alone.
    pub(crate) fn put_on_day(&self, values: &mut [Cow<'_, str>]) {
        let Some(day) = self.typed_day() else { return };
        let place = |name: &str| Kind::Event.fields().iter().position(|field| field.name == name);
        let (Some(start), Some(time)) = (place("start"), place("startTime")) else { return };
        if !values[start].trim().is_empty() {
            if !values[time].trim().is_empty() || is_day(&values[start]) {
                return;
            }
            values[time] = std::mem::take(&mut values[start]);
        }
        values[start] = day.to_owned().into();
    }
}

impl Table<'_> {
    /// Begins a list whose events are all on a day that was typed.
    pub(crate) fn begin_day(&mut self) {
        let event = self.columns.typed_day().and_then(|day| Kind::Event.compose(&["-", day]).ok());
        let day = event.as_deref().and_then(start_of).map(str::to_owned);
        self.one_day = day.map(|day| OneDay { day, ..OneDay::default() });
    }

    /// Looks whether the row has a day.
    pub(crate) fn look_for_day(&mut self, row: &Row) {
        let is_known = self.times_alone.days > 0 || self.columns.typed_day().is_some();
        if !self.columns.make_events() || is_known {
            return;
        }
        let value = |column: Option<u32>| {
            let value = self.value(row, Role::Data, column?, ValueForm::Moment).ok();
            value.filter(|value| !value.trim().is_empty())
        };
        let [time, ..] = self.columns.beside_starts();
        let (start, time) = (value(self.columns.of_starts()), value(time));
        // A heading between the rows, such as `Samstag`, says nothing of all.
        if row.cells.len() == 1 && row.other.is_none() && !start.as_ref().is_some_and(|start| is_date(start))
        {
            return;
        }
        let is_time = |text: &Cow<'_, str>| is_time_alone(text);
        let has_day = start.as_ref().is_some_and(|start| !is_time(start))
            || time.as_ref().is_some_and(|time| is_date(time))
            || self.weekday_of(row).is_some();
        let has_time = start.iter().chain(&time).any(is_time);
        self.times_alone.days += u64::from(has_day);
        self.times_alone.times += u64::from(has_time);
    }

    /// Refuses an event that may be on another day than the one that was typed.
    pub(crate) fn judge_on_day(&mut self, row: &Row) {
        let Some(start) = start_of(&self.composed[Role::Data as usize]).map(str::to_owned) else { return };
        if self.one_day.is_none() {
            return;
        }
        let weekday = self.weekday_of(row);
        let [time, ..] = self.columns.beside_starts();
        let time = time.or(self.columns.of_starts()).and_then(|column| row.cell(column));
        let is_whole = self.whole_days(row) == Some(true)
            || time.is_some_and(|time| says_whole_day(row.text(time).trim()));
        let Some(one) = &mut self.one_day else { return };
        let has_zone = start.ends_with('Z');
        let clock = &start[DAY_DIGITS..];
        let is_back = one.above.as_deref().is_some_and(|above| start.as_str() < above);
        let fault = if !start.starts_with(&one.day) && !has_zone {
            Some(Fault::OtherDay)
        } else if clock.is_empty() {
            (!is_whole).then_some(Fault::NoTime)
        } else if let Some((above, text)) = one.other.clone() {
            Some(Fault::BelowOtherDay { row: above, text })
        } else if let (Some(first), Some(own)) = (&one.weekday, &weekday)
            && first.0 == own.0
            && first.1 != own.1
        {
            Some(Fault::OtherWeekday([&first.1, &own.1].map(|text| shortened(text, SHOWN))))
        } else if is_back && (has_zone || one.is_broken || (clock < MORNING && one.is_past_morning)) {
            one.is_broken = true;
            Some(Fault::EarlyTime)
        } else {
            None
        };
        if let Some(fault) = fault {
            self.add_problem(Problem::of_row(row.number, fault));
            return;
        }
        if clock.is_empty() {
            return;
        }
        one.is_broken = false;
        one.is_past_morning |= clock >= MORNING;
        one.weekday = one.weekday.take().or(weekday);
        one.above = Some(start);
        if is_back {
            self.notices.note_back(row.number);
        }
    }

    /// The first cell that is a day of the week and nothing else. The title may be one.
    fn weekday_of(&self, row: &Row) -> Option<(u32, String)> {
        let is_title = |column: u32| self.columns.field(column) == Some("title");
        let mut cells = row.cells.iter().filter(|cell| !is_title(cell.column));
        let cell = cells.find(|cell| is_name_of_weekday(row.text(cell)))?;
        Some((cell.column, row.text(cell).trim().to_owned()))
    }

    /// Looks whether a refused row without a time begins another day.
    pub(crate) fn look_for_other_day(&mut self, row: &Row) {
        let Some(one) = &mut self.one_day else { return };
        let mut texts = row.cells.iter().map(|cell| row.text(cell).trim());
        if texts.clone().any(is_time_alone) {
            return;
        }
        let Some(text) = texts.find(|text| names_day(text)) else { return };
        let event = is_date(text).then(|| Kind::Event.compose(&["-", text]).ok()).flatten();
        let day = event.as_deref().and_then(start_of);
        let is_first = one.above.is_none() && day.is_none();
        let is_same = day.is_some_and(|day| day.starts_with(&one.day));
        if is_same {
            one.other = None;
        } else if !is_first {
            one.other = Some((row.number, shortened(text, SHOWN)));
        }
    }
}
