//! Events that are all on one day, which a person types: the list has times alone.

use std::borrow::Cow;

use qrpress_kinds::{
    Kind, ValueForm, before_weekday, has_weekday, has_weekdays_alone, is_day, is_name_of_weekday, lacks_year,
    says_whole_day,
};

use crate::columns::{Columns, shortened};
use crate::fault::Fault;
use crate::moments::{ends_in_date, is_date, is_time_of_day};
use crate::names::words;
use crate::problem::Problem;
use crate::role::Role;
use crate::row::{Cell, Row};
use crate::table::Table;
use crate::things::is_name_of;
use crate::typed_day::{Groups, OneDay};

/// Events start then, or later. Those before it may be on the next day, or in the afternoon.
const MORNING: &str = "T060000";
/// Characters of a row that a sentence shows.
const SHOWN: usize = 60;
/// Characters of the longest text that is looked at for a day.
const LONGEST: usize = 60;
/// Bytes of the longest date without a year, or with one of two digits, that is looked for.
const LONGEST_WITHOUT_YEAR: usize = 24;
const YEAR_DIGITS: usize = 4;
/// Digits of a date with its year, at least: `5/6/27`.
const DATE_DIGITS: usize = 4;
/// Words for weeks, and `KW`.
const WEEKS: [&str; 13] = [
    "kw",
    "woche",
    "kalenderwoche",
    "week",
    "semaine",
    "settimana",
    "semana",
    "tydzień",
    "týden",
    "týždeň",
    "uke",
    "uge",
    "vecka",
];
/// Other words in names of columns of days, months and repetitions.
const DAYS: [&str; 39] = [
    "date",
    "dates",
    "days",
    "weekday",
    "monat",
    "month",
    "mois",
    "mese",
    "mes",
    "mês",
    "maand",
    "miesiąc",
    "měsíc",
    "mesiac",
    "månad",
    "måned",
    "rhythmus",
    "turnus",
    "wiederholung",
    "intervall",
    "frequency",
    "repeat",
    "repeats",
    "recurrence",
    "fréquence",
    "frequenza",
    "frecuencia",
    "weeks",
    "months",
    "fecha",
    "día",
    "dia",
    "dzień",
    "deň",
    "jour",
    "jours",
    "giorno",
    "giorni",
    "päivä",
];
/// Ends of such words.
const ENDS_OF_DAYS: [&str; 7] = ["tag", "tage", "datum", "dag", "woche", "week", "monat"];
/// Words in names of columns of other days than the event's.
const OTHER_DATES: [&str; 12] = [
    "erstellt",
    "stand",
    "deadline",
    "rechnungsdatum",
    "geändert",
    "geaendert",
    "created",
    "updated",
    "due",
    "modified",
    "frist",
    "anmeldefrist",
];
/// Words of a date, at most: `3. Juni 2027`.
const DATE_WORDS: usize = 3;
/// Fields whose words are those of codes: `Tag der offenen Tür`, `Sonntagberg`.
const OF_WORDS: [&str; 2] = ["title", "location"];
/// Fields of days and times.
const OF_MOMENTS: [&str; 4] = ["start", "startTime", "end", "endTime"];
/// Words of a heading such as `Day 2: night`, at most. One without a number has fewer: `Zweiter Tag`.
const MOST_WORDS: usize = 3;
/// Digits of a day in a calendar: `20270612`.
const DAY_DIGITS: usize = 8;

/// The start of an event, as a calendar has it: `20270612T100000`, or `20270612` of a whole day.
fn start_of(event: &str) -> Option<&str> {
    event.split_once("\nDTSTART")?.1.lines().next()?.split_once(':').map(|(_, start)| start)
}

/// The text is a time, and no day.
pub(crate) fn is_time_alone(text: &str) -> bool {
    // Zones of the summer are none in winter.
    let is_of_summer = || Kind::Event.compose(&["-", "2027-07-31", text]).is_ok();
    !is_date(text) && (is_time_of_day(text) || is_of_summer())
}

fn is_short(text: &str) -> bool {
    text.chars().nth(LONGEST).is_none()
}

/// The text is or ends in a date with its year.
fn has_date(text: &str) -> bool {
    let is_year = |digits: &str| digits.len() == YEAR_DIGITS && digits.starts_with(['1', '2']);
    let has_year = || text.split(|character: char| !character.is_ascii_digit()).any(is_year);
    // A year of two digits.
    let is_of_digits = || text.bytes().filter(u8::is_ascii_digit).nth(DATE_DIGITS - 1).is_some();
    is_short(text)
        && if has_year() {
            is_date(text) || ends_in_date(text)
        } else {
            text.len() <= LONGEST_WITHOUT_YEAR && is_of_digits() && is_date(text)
        }
}

/// The one day of the text, as a calendar has it.
fn date_of(text: &str) -> Option<String> {
    let event = Kind::Event.compose(&["-", text]).ok()?;
    let start = start_of(&event)?;
    (start.len() > DAY_DIGITS || is_day(text)).then(|| start[..DAY_DIGITS].to_owned())
}

/// The text counts days or weeks: `Day 2`, `Zweiter Tag`, `KW 23`.
fn is_counted(text: &str) -> bool {
    if text.split_whitespace().nth(MOST_WORDS).is_some() {
        return false;
    }
    let words = words(text);
    let has_number = words.iter().any(|word| word.contains(char::is_numeric));
    let is_week = |word: &String| WEEKS.contains(&word.trim_matches(char::is_numeric));
    words.len() <= if has_number { MOST_WORDS } else { MOST_WORDS - 1 }
        && words.iter().any(|word| is_name_of("day", word) || (has_number && is_week(word)))
}

/// The text names a day, perhaps without its date: `jeden Sonntag`, `13.6.`. A number such as `12.06` may be a price.
fn names_day(text: &str) -> bool {
    let is_date_or_number = |text: &str| text.contains(char::is_alphabetic) || text.ends_with('.');
    let has_number = text.contains(|character: char| character.is_ascii_digit());
    is_short(text)
        && (has_weekday(text)
            || has_date(text)
            || (has_number
                && text.len() <= LONGEST_WITHOUT_YEAR
                && is_date_or_number(text)
                && lacks_year(text)))
}

/// The text names or counts days or weeks.
pub(crate) fn says_day(text: &str) -> bool {
    names_day(text) || (is_short(text) && is_counted(text))
}

/// The text may be a day where others like it are: `Mo` may be initials.
fn may_be_day(text: &str) -> bool {
    // `5/6` is two classes.
    let are_neighbours = |(first, last): (&str, &str)| {
        first
            .parse()
            .ok()
            .zip(last.parse().ok())
            .is_some_and(|(first, last): (u8, u8)| first.checked_add(1) == Some(last))
    };
    let is_date = || lacks_year(text) && !text.split_once('/').is_some_and(are_neighbours);
    is_short(text) && (has_weekdays_alone(text) || is_date())
}

/// All of the text is a day.
fn is_day_alone(text: &str) -> bool {
    is_short(text) && (is_date(text) || is_name_of_weekday(text) || may_be_day(text) || is_counted(text))
}

/// The day with which words begin or end.
fn day_beside_words(text: &str) -> Option<String> {
    let text = Some(text).filter(|text| is_short(text))?;
    let first = text.split_whitespace().next()?.trim_end_matches([',', '.', ':']);
    if is_name_of_weekday(first) {
        return Some(first.to_lowercase());
    }
    let last: Vec<&str> = text.rsplit(char::is_whitespace).take(DATE_WORDS).collect();
    (is_date(text) || ends_in_date(text)).then(|| last.join(" "))
}

/// The name is of days, weeks, months or repetitions.
fn names_days(name: &str) -> bool {
    const OF_DURATIONS: [&str; 5] = ["dauer", "duration", "durée", "durata", "vortag"];

    let words = words(name);
    let is_duration = words.iter().any(|word| OF_DURATIONS.contains(&word.as_str()));
    !is_duration
        && words.iter().any(|word| {
            is_name_of("day", word)
                || WEEKS.contains(&word.as_str())
                || DAYS.contains(&word.as_str())
                || ENDS_OF_DAYS.iter().any(|end| word.ends_with(end))
        })
}

/// The name is of a day that is not the event's: `Anmeldeschluss`.
fn names_other_date(name: &str) -> bool {
    words(name).iter().any(|word| {
        OTHER_DATES.contains(&word.as_str()) || word.ends_with("schluss") || word.starts_with("rechnungs")
    })
}

/// The time says that it is before noon: `12:15 am`.
fn says_morning(time: &str) -> bool {
    words(time).iter().any(|word| word.trim_start_matches(char::is_numeric) == "am")
        || time.to_lowercase().contains("a.m")
}

impl Columns {
    /// The day that was typed for all events.
    pub(crate) fn typed_day(&self) -> Option<&str> {
        let (_, day) = self.given("start");
        Some(day).filter(|day| self.make_events() && !day.is_empty())
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
        // `Samstag` above a column says the day of all.
        self.times_alone.days += u64::from(self.columns.all.iter().any(|column| has_weekday(&column.name)));
    }

    /// The texts of cells that may say a day and are no words of the code, with their columns.
    fn beside_words<'r>(&self, row: &'r Row) -> impl Iterator<Item = (u32, Cow<'r, str>)> {
        let is_beside =
            |cell: &&Cell| self.columns.field(cell.column).is_none_or(|field| !OF_WORDS.contains(&field));
        row.cells.iter().filter(is_beside).map(|cell| {
            let text = match row.moment_or_text(cell) {
                Cow::Borrowed(text) => text.trim().into(),
                moment @ Cow::Owned(_) => moment,
            };
            (cell.column, text)
        })
    }

    /// The column has such a name.
    fn names(&self, column: u32, has_meaning: fn(&str) -> bool) -> bool {
        self.columns.all.get(column as usize).is_some_and(|column| has_meaning(&column.name))
    }

    /// The first column of days whose cell is empty below a filled one. Such days stand before the times, and give nothing to the codes.
    fn group_above(&self, row: &Row, groups: &mut Groups) -> Option<(u64, String)> {
        let [time, ..] = self.columns.beside_starts();
        let times = time.or(self.columns.of_starts())?;
        let is_group =
            |column: &u32| !self.columns.is_used(*column) && !self.names(*column, names_other_date);
        let is_day = |cell: &&Cell| {
            let text = row.text(cell).trim();
            is_day_alone(text) || says_day(text) || self.names(cell.column, names_days)
        };
        let cells = row.cells.iter().filter(|cell| cell.column < times && is_group(&cell.column));
        for cell in cells.filter(is_day) {
            groups.insert(cell.column, (row.number, shortened(row.text(cell).trim(), SHOWN)));
        }
        let is_empty = |column: u32| row.cell(column).is_none_or(|cell| row.text(cell).trim().is_empty());
        groups.iter().find(|(column, _)| is_empty(**column)).map(|(_, group)| group.clone())
    }

    /// The column has days or times.
    pub(crate) fn is_of_moments(&self, column: u32) -> bool {
        self.columns.field(column).is_some_and(|field| OF_MOMENTS.contains(&field))
    }

    /// The title or place has another day than those above: `Montag Yoga`, `Sitzung 3.6.2027`.
    fn has_other_words(&mut self, row: &Row) -> bool {
        let is_of_words =
            |cell: &&Cell| self.columns.field(cell.column).is_some_and(|field| OF_WORDS.contains(&field));
        let days: Vec<String> = row
            .cells
            .iter()
            .filter(is_of_words)
            .filter_map(|cell| day_beside_words(row.text(cell).trim()))
            .collect();
        days.into_iter().any(|day| *self.times_alone.in_words.get_or_insert_with(|| day.clone()) != day)
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
        let is_heading = row.cells.len() == 1 && row.other.is_none();
        let is_time = |text: &Cow<'_, str>| is_time_alone(text);
        if is_heading && !start.as_ref().is_some_and(is_time) {
            let text = row.text(&row.cells[0]).trim();
            let is_of_days = self.names(row.cells[0].column, names_days);
            self.times_alone.days += u64::from(names_day(text) || is_name_of_weekday(text) || is_of_days);
            return;
        }
        let has_day = start.as_ref().is_some_and(|start| !is_time(start))
            || time.as_ref().is_some_and(|time| is_date(time))
            || self.beside_words(row).any(|(_, text)| says_day(&text) && !is_time_alone(&text))
            || self.beside_words(row).any(|(column, text)| {
                !text.is_empty() && !self.is_of_moments(column) && self.names(column, names_days)
            });
        let has_time = start.iter().chain(&time).any(is_time);
        let mut groups = std::mem::take(&mut self.times_alone.groups);
        let has_day = self.group_above(row, &mut groups).is_some_and(|_| has_time) || has_day;
        self.times_alone.groups = groups;
        let has_day = self.has_other_words(row) || has_day;
        self.times_alone.days += u64::from(has_day);
        self.times_alone.times += u64::from(has_time);
        let mut columns = std::mem::take(&mut self.times_alone.columns);
        for (column, text) in
            self.beside_words(row).filter(|(column, _)| !has_day && !self.is_of_moments(*column))
        {
            columns.note(column, || may_be_day(&text));
        }
        self.times_alone.columns = columns;
    }

    /// The day that the row says beside its words and times, with the date where it is one with its year. One that is another than the typed
    /// day goes before.
    fn own_day(&mut self, row: &Row) -> Option<(Option<String>, String)> {
        let mut one = self.one_day.take()?;
        let mut own: Option<(Option<String>, String)> = None;
        for (column, text) in self.beside_words(row) {
            let is_description = self.columns.field(column) == Some("description");
            if self.names(column, names_other_date) || (is_description && !is_day_alone(&text)) {
                continue;
            }
            let is_of_moments = self.is_of_moments(column);
            let has_weekday = || has_weekday(&text) || before_weekday(&text).is_some();
            let says = is_short(&text)
                && if is_of_moments {
                    has_weekday()
                } else {
                    says_day(&text) || self.names(column, names_days)
                };
            if !says && !is_of_moments {
                one.columns.note(column, || may_be_day(&text));
            }
            let is_found = own.as_ref().is_some_and(|(date, _)| date.as_ref() != Some(&one.day));
            if !is_found && (says || self.found.columns_of_days.contains(&column)) {
                own = Some((date_of(&text), text.into_owned()));
            }
        }
        self.one_day = Some(one);
        own
    }

    /// Refuses an event that may be on another day than the one that was typed.
    pub(crate) fn judge_on_day(&mut self, row: &Row) {
        let Some(start) = start_of(&self.composed[Role::Data as usize]).map(str::to_owned) else { return };
        if self.one_day.is_none() {
            return;
        }
        let own = self.own_day(row);
        let mut groups = self.one_day.as_mut().map(|one| std::mem::take(&mut one.groups)).unwrap_or_default();
        let group = self.group_above(row, &mut groups);
        let [time, ..] = self.columns.beside_starts();
        let time = time.or(self.columns.of_starts()).and_then(|column| row.cell(column));
        let is_whole = self.whole_days(row) == Some(true)
            || time.is_some_and(|time| says_whole_day(row.text(time).trim()));
        let is_morning = time.is_some_and(|time| says_morning(row.text(time)));
        let starts = self.columns.of_starts().and_then(|column| row.cell(column)).map(|cell| row.text(cell));
        let Some(one) = &mut self.one_day else { return };
        one.groups = groups;
        let has_zone = start.ends_with('Z');
        let clock = &start[DAY_DIGITS..];
        let is_back = one.above.as_deref().is_some_and(|above| start.as_str() < above);
        let is_other = |(date, _): &(Option<String>, String)| date.as_ref() != Some(&one.day);
        if starts.is_some_and(is_day) || own.as_ref().is_some_and(|own| !is_other(own)) {
            one.other = None;
        }
        let fault = if !start.starts_with(&one.day) && !has_zone {
            one.other = starts.map(|text| (row.number, shortened(text.trim(), SHOWN)));
            Some(Fault::OtherDay)
        } else if clock.is_empty() {
            (!is_whole).then_some(Fault::NoTime)
        } else if let Some((_, text)) = own.filter(is_other) {
            let text = shortened(&text, SHOWN);
            one.other = Some((row.number, text.clone()));
            Some(Fault::OwnDay(text))
        } else if let Some((above, text)) = one.other.clone().or(group) {
            Some(Fault::BelowOtherDay { row: above, text })
        } else if is_back && (has_zone || one.is_broken || (clock < MORNING && one.is_past_morning)) {
            one.is_broken = true;
            Some(if is_morning { Fault::EarlyMorning } else { Fault::EarlyTime })
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
        one.above = Some(start);
        if is_back {
            self.notices.note_back(row.number);
        }
    }

    /// Looks whether a refused row without a time begins another day.
    pub(crate) fn look_for_other_day(&mut self, row: &Row) {
        let [time, ..] = self.columns.beside_starts();
        let starts = self.columns.of_starts().filter(|_| time.is_some());
        let start = starts.and_then(|start| self.value(row, Role::Data, start, ValueForm::Moment).ok());
        let is_of_days = row.cells.len() == 1 && self.names(row.cells[0].column, names_days);
        let Some(one) = &mut self.one_day else { return };
        // A day that is written once for the rows below it.
        if let Some(text) = start.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
            && !is_time_alone(&text)
        {
            let is_same = date_of(&text).as_ref() == Some(&one.day);
            one.other = (!is_same).then(|| (row.number, shortened(&text, SHOWN)));
            return;
        }
        let mut texts = row.cells.iter().map(|cell| row.text(cell).trim()).filter(|text| is_short(text));
        if texts.clone().any(is_time_alone) {
            return;
        }
        // Two letters beside others may be initials.
        let is_heading = row.cells.len() == 1;
        let is_weekday = |text: &str| is_heading && is_name_of_weekday(text);
        let Some(text) = texts.find(|text| says_day(text) || is_weekday(text) || is_of_days) else { return };
        let event = is_date(text).then(|| Kind::Event.compose(&["-", text]).ok()).flatten();
        let day = event.as_deref().and_then(start_of);
        // The first day that is counted may be the typed one.
        let is_first = one.above.is_none() && !names_day(text) && !is_weekday(text);
        let is_same = day.is_some_and(|day| day.starts_with(&one.day));
        if is_same {
            one.other = None;
        } else if !is_first {
            one.other = Some((row.number, shortened(text, SHOWN)));
        }
    }
}
