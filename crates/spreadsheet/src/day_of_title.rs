//! Programmes whose day stands in a title above the names of the columns: the rows have times alone.

use qrpress_kinds::{Kind, ShortYear, is_day, short_year};

use crate::composition::Composition;
use crate::fault::Fault;
use crate::moments::{ends_in_date, is_date};
use crate::role::{ColumnChoice, Role};
use crate::row::Row;
use crate::table::Table;

/// The field that takes the day.
const START: &str = "start";

/// An event that begins before this time of the day, below one that begins later, is on the next day.
const NIGHT: &str = "05";

/// The only day that the rows of titles say. It stands alone, and no other row has a number but a year: `13.–14. June 2026` are two days,
/// and `Stand:` may stand beside a date.
fn day_of(titles: &[Row]) -> Option<&str> {
    let is_clear = |text: &str| is_day(text) && short_year(text) != Some(ShortYear::Last);
    let day = |row: &Row| match row.cells.as_slice() {
        [cell] => is_clear(row.text(cell)),
        _ => false,
    };
    let has_number = |row: &Row| row.cells.iter().any(|cell| !has_years_alone(row.text(cell)));
    let mut days = titles.iter().filter(|row| day(row));
    let (first, None) = (days.next()?, days.next()) else { return None };
    let has_others = titles.iter().filter(|row| row.number != first.number).any(has_number);
    (!has_others).then(|| first.text(&first.cells[0]).trim())
}

/// The digits of a text are years.
fn has_years_alone(text: &str) -> bool {
    let mut numbers = text.split(|sign: char| !sign.is_ascii_digit()).filter(|digits| !digits.is_empty());
    numbers.all(|digits| digits.len() == 4 && ["19", "20"].iter().any(|century| digits.starts_with(century)))
}

/// The word is the name of a day of the week.
fn is_weekday(word: &str) -> bool {
    let word = word.trim();
    !word.is_empty() && word.chars().all(char::is_alphabetic) && is_day(&format!("{word} 2026-06-13"))
}

/// The compositions with this day for all events.
pub(crate) fn on_day(composed: &[(Role, Composition)], day: &str) -> Vec<(Role, Composition)> {
    let mut composed = composed.to_vec();
    for (_, composition) in &mut composed {
        if let Composition::Kind { kind: Kind::Event, fields, .. } = composition {
            fields.push((START.to_owned(), ColumnChoice::Typed(day.to_owned())));
        }
    }
    composed
}

impl Table<'_> {
    /// Takes the day of the titles, where events have times and nothing else lacks but their day.
    pub(crate) fn look_for_title_day(&mut self, titles: &[Row]) {
        let lacks_day = matches!(
            self.columns.unclear,
            Some(Fault::NoFieldColumn { field: START, kind: Kind::Event, .. })
        );
        if lacks_day && self.columns.beside_starts()[0].is_some() {
            self.report.day_of_title = day_of(titles).map(str::to_owned);
        }
    }

    /// Looks whether a row may be on another day than the title: it says one, or stands below a row without a time.
    pub(crate) fn look_for_other_days(&mut self, row: &Row) {
        let ([Some(time), ..], Some(_)) = (self.columns.beside_starts(), &self.found.day_of_title) else {
            return;
        };
        let says_day = |text: &str| is_date(text) || ends_in_date(text) || is_weekday(text);
        let has_weekday = |text: &str| text.split(|sign: char| !sign.is_alphabetic()).any(is_weekday);
        let timed = row.cell(time);
        self.report.has_other_days |= row.cells.iter().any(|cell| says_day(row.text(cell)))
            || timed.is_some_and(|cell| self.title_day.is_below_section || has_weekday(row.text(cell)));
        self.title_day.is_below_section |= timed.is_none();
    }

    /// Looks whether the event of the row may be in the night behind the day of the title.
    pub(crate) fn look_for_nights(&mut self) {
        if self.found.day_of_title.is_none() {
            return;
        }
        let event = &self.composed[Role::Data as usize];
        let start = event.split_once("\nDTSTART").and_then(|(_, rest)| rest.lines().next()?.split_once('T'));
        let Some((_, time)) = start else { return };
        self.report.has_other_days |= time < NIGHT && self.title_day.has_daytime;
        self.title_day.has_daytime |= time >= NIGHT;
    }
}
