//! Moments as people write them in sheets: ISO 8601, as RFC 3339 or with a space and without seconds or zone, and dates in other forms.

use crate::calendar::{MONTHS, WEEKDAYS, days, is_date};
use crate::clock::time_of_day;
use crate::date::{of_numbers, western_year, with_name, with_points, without_word};
pub(crate) use crate::moment::{DAY, Form, Moment};
use crate::month::with_thai_name;
use crate::values::trimmed;
use crate::weekday::{may_be_zone, names_day_alone, without_weekday};
use crate::zone::with_other_zone;

impl Moment {
    /// `2026-01-31`, `2026-01-31 18:00`, `2026-01-31T18:00:00+01:00`, `31.1.2026 18:00`, `2026. 01. 31. 18:00`, `31 January 2026 18:00`, `2026年1月31日 18:00`; years from 1900 to 2199.
    /// Parts of a second are left out. Times may also be written as for [`time_of_day`].
    /// The name of a day of the week may stand beside: `Sat, Dec 5, 2026`.
    pub fn parse(text: &str) -> Option<Self> {
        let is_known = |moment: &Self| {
            let is_zone = |(_, name): (_, &str)| may_be_zone(name, moment.weekday());
            moment.form == Form::Date || !with_other_zone(text).is_some_and(is_zone)
        };
        Self::of(text).or_else(|| Self::of(&without_weekday(text)?).filter(is_known))
    }

    fn of(text: &str) -> Option<Self> {
        Self::of_calendar(text)
            .or_else(|| Self::of_person(text))
            .or_else(|| Self::of_person(&with_slashes(text)?))
            .or_else(|| Self::of_person(&with_thai_name(text)?))
    }

    /// As in files of calendars (RFC 5545, sections 3.3.4 and 3.3.5): `20260131`, `20260131T180000`, `20260131T180000Z`.
    fn of_calendar(text: &str) -> Option<Self> {
        let (date, time) = text.split_once('T').map_or((text, None), |(date, time)| (date, Some(time)));
        let [year, month, day] =
            [date.get(..4)?, date.get(4..6)?, date.get(6..8).filter(|_| date.len() == 8)?];
        let date = Self::of_person(&format!("{year}-{month}-{day}"))?;
        let Some(time) = time else { return Some(date) };
        let [hour, minute, second] = [time.get(..2)?, time.get(2..4)?, time.get(4..)?];
        Self::at_time(date.seconds, &format!("{hour}:{minute}:{second}"))
    }

    fn of_person(text: &str) -> Option<Self> {
        let (date, rest) = text.split_at(text.find(['T', ' ']).unwrap_or(text.len()));
        let ([year, month, day], rest) = match of_numbers(date) {
            Some(date) if rest.starts_with('T') => (date, rest.get(1..)),
            Some(date) => (date, Some(without_word(rest)).filter(|rest| !rest.is_empty())),
            None => with_name(text)
                .or_else(|| with_points(text))
                .map(|(date, rest)| (date, Some(rest).filter(|rest| !rest.is_empty())))?,
        };
        let year = western_year(year);
        if !(1900..2200).contains(&year) || !is_date(year, month, day) {
            return None;
        }
        let date = days(year, month, day) * DAY;
        let Some(rest) = rest else { return Some(Self { form: Form::Date, seconds: date }) };
        let local = || Some(Self { form: Form::Local, seconds: date + time_of_day(rest.trim())? });
        Self::at_time(date, rest).or_else(local)
    }
}

/// The text with `2026/1/31 ` in place of `2026年1月31日` or `2026년 1월 31일`.
fn with_slashes(text: &str) -> Option<String> {
    let signs =
        [['年', '月', '日'], ['년', '월', '일']].into_iter().find(|[year, ..]| text.contains(*year))?;
    let (year, rest) = text.split_once(signs[0])?;
    let (month, rest) = rest.split_once(signs[1])?;
    let (day, rest) = rest.split_once(signs[2])?;
    Some(
        format!("{}/{}/{} {}", year.trim(), month.trim(), day.trim(), rest.trim_start())
            .trim_end()
            .to_owned(),
    )
}

/// The time before capitals that name a day of the week, and no zone: `18:00 SAT`.
pub fn before_weekday(time: &str) -> Option<&str> {
    with_other_zone(time).filter(|(_, name)| names_day_alone(name)).map(|(time, _)| time)
}

/// The text is a date without a time.
pub fn is_day(text: &str) -> bool {
    Moment::parse(trimmed(text)).is_some_and(|moment| moment.form == Form::Date)
}

/// The day of a text: `Saturday, 12 June 2027`.
pub fn day_in_words(text: &str) -> Option<String> {
    let day = Moment::parse(trimmed(text)).filter(|moment| moment.form == Form::Date)?;
    let date = day.date();
    let (year, month, number) =
        (&date[..4], date[4..6].parse::<usize>().ok()?, date[6..].trim_start_matches('0'));
    Some(format!("{}, {number} {} {year}", WEEKDAYS.get(day.weekday())?, MONTHS.get(month - 1)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_have_names_of_months_in_many_languages() {
        for text in [
            "17 Mayıs 2027",
            "17 MAYIS 2027",
            "2027. május 17.",
            "17. toukokuuta 2027",
            "17 Μαΐου 2027",
            "17 мая 2027 г.",
            "17 мая 2027г.",
            "17 мая 2027 года",
            "2027 m. gegužės 17 d.",
            "2027. gada 17. maijs",
            "17. maijs 2027",
            "17 de maio de 2027",
            "17 maj 2027",
            "17 mai 2027",
            "17. svibnja 2027.",
            "17. svibnja 2027. godine",
            "17. maja 2027",
            "17. mája 2027",
            "17 травня 2027 р.",
            "17 май 2027 г.",
            "17. mai 2027",
            "17 maja 2027 r.",
            "17 maja 2027r.",
            "2027 May 17",
        ] {
            let date = Moment::parse(text).filter(|moment| moment.form == Form::Date).map(Moment::date);
            assert_eq!(date.as_deref(), Some("20270517"), "{text}");
        }
        for (text, date) in [
            ("17 listopada 2027", Some("20271117")),
            ("17 listopada 2027 r.", Some("20271117")),
            ("17. listopada 2027.", Some("20271017")),
            ("17. lis 2027.", Some("20271017")),
            ("17. listopadu 2027", Some("20271117")),
            ("17. listopada 2027", None),
            ("17. listopad 2027", None),
            ("17. listopad 2027.", None),
            ("17-lis-2027", None),
            ("17. srp 2027", None),
            ("17 Marras 2027", Some("20271117")),
            ("17 mar 2027", Some("20270317")),
        ] {
            assert_eq!(Moment::parse(text).map(Moment::date).as_deref(), date, "{text}");
        }
        for text in [
            "17. svibnja 2027. u 18 h",
            "2027. május 17. 18:00",
            "17 мая 2027 г., 18:00",
            "2027 m. gegužės 17 d. 18 val.",
        ] {
            let moment = Moment::parse(text).map(Moment::date_time);
            assert_eq!(moment.as_deref(), Some("20270517T180000"), "{text}");
        }
    }

    #[test]
    fn years_of_two_digits_stand_behind_slashes_where_nothing_else_can_be_one() {
        for (text, date) in [
            ("13/02/27", Some("20270213")),
            ("Fri 05/05/28", Some("20280505")),
            ("2/13/27", Some("20270213")),
            ("31/01/26", None),
            ("25/12/27", None),
            ("05/03/27", None),
            ("27/02/13", None),
            ("13/02/85", None),
            ("13-02-27", None),
        ] {
            assert_eq!(Moment::parse(text).map(Moment::date).as_deref(), date, "{text}");
        }
    }

    #[test]
    fn years_of_the_thai_calendar_are_those_of_others() {
        for (text, date) in [
            ("16/01/2570", Some("20270116")),
            ("2570-01-16", Some("20270116")),
            ("16 January 2570", Some("20270116")),
            ("16/01/2527", None),
            ("16/01/2270", None),
        ] {
            assert_eq!(Moment::parse(text).map(Moment::date).as_deref(), date, "{text}");
        }
    }
}
