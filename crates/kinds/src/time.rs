//! Moments as people write them in sheets: ISO 8601, as RFC 3339 or with a space and without seconds or zone, and dates in other forms.

use crate::calendar::{civil, days, is_date};
use crate::date::{numbers, of_numbers, with_name, with_points, without_weekday};
use crate::values::trimmed;

/// A date, or a time on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    pub form: Form,
    /// Seconds since 1970-01-01 00:00, in UTC or in no zone.
    pub seconds: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Date,
    /// The time of the place where the code is read (RFC 5545, section 3.3.5, form 1).
    Local,
    Utc,
}

const DAY: i64 = 86_400;

impl Moment {
    /// `2026-01-31`, `2026-01-31 18:00`, `2026-01-31T18:00:00+01:00`, `31.1.2026 18:00`, `2026. 01. 31. 18:00`, `31 January 2026 18:00`; years from 1900 to 2999.
    /// Parts of a second are left out. Times may also be written as for [`time_of_day`].
    /// The name of a day of the week may stand before: `Sat, Dec 5, 2026`.
    pub fn parse(text: &str) -> Option<Self> {
        Self::of(text).or_else(|| Self::of(without_weekday(text)?))
    }

    fn of(text: &str) -> Option<Self> {
        Self::of_calendar(text).or_else(|| Self::of_person(text))
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
            Some(date) => (date, if rest.is_empty() { None } else { rest.get(1..) }),
            None => with_name(text)
                .or_else(|| with_points(text))
                .map(|(date, rest)| (date, Some(rest).filter(|rest| !rest.is_empty())))?,
        };
        if !(1900..3000).contains(&year) || !is_date(year, month, day) {
            return None;
        }
        let date = days(year, month, day) * DAY;
        let Some(rest) = rest else { return Some(Self { form: Form::Date, seconds: date }) };
        let local = || Some(Self { form: Form::Local, seconds: date + time_of_day(rest.trim())? });
        Self::at_time(date, rest).or_else(local)
    }

    /// The time `18:00`, `18:00:00.5` or `18:00Z` on the day that begins at these seconds.
    fn at_time(date: i64, text: &str) -> Option<Self> {
        let (time, zone) = text.split_at(text.find(['Z', '+', '-']).unwrap_or(text.len()));
        let (time, fraction) =
            time.split_once('.').map_or((time, None), |(time, digits)| (time, Some(digits)));
        let is_fraction =
            |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if !fraction.is_none_or(is_fraction) {
            return None;
        }
        // Spreadsheet programs show hours before ten with one digit, unless they are told to show two.
        let hour_digits = if time.find(':') == Some(1) { 1 } else { 2 };
        let [hour, minute, second] = if fraction.is_none() && time.len() == hour_digits + 3 {
            numbers(time, ':', [hour_digits..=hour_digits, 2..=2]).map(|[hour, minute]| [hour, minute, 0])?
        } else {
            numbers(time, ':', [hour_digits..=hour_digits, 2..=2, 2..=2])?
        };
        if hour > 23 || minute > 59 || second > 59 {
            return None;
        }
        let seconds = date + i64::from(hour * 3600 + minute * 60 + second);
        let offset = match zone {
            "" => return Some(Self { form: Form::Local, seconds }),
            "Z" => 0,
            // Nothing stands behind a Z.
            _ if zone.starts_with('Z') => return None,
            _ => {
                let [hours, minutes] = numbers(&zone[1..], ':', [2..=2, 2..=2])?;
                // No place has such an offset: the end of an event stands there.
                if hours > if zone.starts_with('-') { 11 } else { 14 } || minutes > 59 {
                    return None;
                }
                let offset = i64::from(hours * 3600 + minutes * 60);
                if zone.starts_with('-') { -offset } else { offset }
            }
        };
        Some(Self { form: Form::Utc, seconds: seconds - offset })
    }

    /// The time so many seconds after the midnight that the day begins with.
    pub fn at(self, seconds: i64) -> Self {
        Self { form: Form::Local, seconds: self.seconds - self.seconds.rem_euclid(DAY) + seconds }
    }

    /// The last day of an event that ends here, where that is at midnight or a minute before.
    pub fn last_day(self) -> Option<Self> {
        let end = match self.seconds.rem_euclid(DAY) {
            0 => self.seconds - DAY,
            time if time >= DAY - 60 => self.seconds - time,
            _ => return None,
        };
        Some(Self { form: Form::Date, seconds: end })
    }

    pub fn add_days(self, days: i64) -> Self {
        Self { seconds: self.seconds + days * DAY, ..self }
    }

    /// The digits of the date: `20260131`.
    pub fn date(self) -> String {
        let (year, month, day) = civil(self.seconds.div_euclid(DAY));
        format!("{year:04}{month:02}{day:02}")
    }

    /// The digits of date and time: `20260131T180000`.
    pub fn date_time(self) -> String {
        let time = self.seconds.rem_euclid(DAY);
        format!("{}T{:02}{:02}{:02}", self.date(), time / 3600, time / 60 % 60, time % 60)
    }
}

/// The text is a date without a time.
pub fn is_day(text: &str) -> bool {
    Moment::parse(trimmed(text)).is_some_and(|moment| moment.form == Form::Date)
}

/// The start, as `read` reads it, and the seconds from midnight to the end in `18:00 - 19:30 Uhr`, `18–20 h` and `6 to 8 pm`.
pub(crate) fn start_and_end(text: &str, read: impl Fn(&str) -> Option<Moment>) -> Option<(Moment, i64)> {
    let text = [" bis ", " to "].into_iter().fold(text.to_owned(), |text, word| text.replacen(word, "-", 1));
    let (first, last) = text.rsplit_once(['-', '–', '—'])?;
    let (first, last) = (first.trim(), last.trim());
    let end = time_of_day(last)?;
    let word = last.rsplit(|character: char| character.is_ascii_digit()).next()?.trim();
    let Some(start) =
        Some(word).filter(|word| !word.is_empty()).and_then(|word| read(&format!("{first} {word}")))
    else {
        return Some((read(first)?, end));
    };
    // In `10 - 2 pm` the start is in the morning.
    let is_of_start = end > start.seconds.rem_euclid(DAY) || !word.to_lowercase().contains('m');
    is_of_start.then_some((start, end))
}

/// Words before times, such as `klo`, `ore` and `um`. One that begins with another stands before it.
const BEFORE: [&str; 24] = [
    "klo", "kl.", "kl", "kell", "plkst.", "à", "às", "a las", "um", "om", "alle ore", "alle", "ore",
    "la ora", "ora", "o godz.", "godz.", "o", "ob", "u", "saat", "στις", "в", "о",
];

/// Words behind times, without the point that may end them. One that ends with another stands before it.
const BEHIND: [(&str, Option<i64>); 16] = [
    ("a.m", Some(0)),
    ("am", Some(0)),
    ("p.m", Some(12)),
    ("pm", Some(12)),
    ("uhr", None),
    ("uur", None),
    ("hodin", None),
    ("hod", None),
    ("val", None),
    ("óra", None),
    ("uri", None),
    ("часов", None),
    ("год", None),
    ("ч", None),
    ("u", None),
    ("h", None),
];

/// Seconds since midnight of `18:00`, `klo 18.00`, `9:30`, `18:00:00`, `6:00 PM`, `6 pm`, `18.00`, `18.00 Uhr`, `18 Uhr`, `18h30`, `18:00 h`, `18 h`,
/// `ore 19`, `19.00 uur` and `18.30 hod.`.
pub(crate) fn time_of_day(text: &str) -> Option<i64> {
    /// Minutes behind a point that may be a quarter or half of an hour.
    const PARTS_OF_HOURS: [&str; 2] = ["25", "50"];

    let lower = text.to_lowercase();
    let after = |word: &&str| Some(lower.strip_prefix(*word)?.strip_prefix([' ', '\u{a0}'])?.trim_start());
    let after = BEFORE.iter().find_map(after);
    let (lower, is_said) = (after.unwrap_or(&lower), after.is_some());
    let whole = lower.strip_suffix('.').unwrap_or(lower);
    let word = BEHIND.into_iter().find_map(|(word, half)| Some((whole.strip_suffix(word)?, half)));
    let (clock, half) = word.unwrap_or((lower, None));
    let clock = clock.trim_end();
    let clock = match clock.split_once(['.', 'h']) {
        _ if clock.contains(':') => clock.to_owned(),
        Some((hour, minutes)) if clock.contains('h') => {
            format!("{}:{:0>2}", hour.trim_end(), minutes.trim_start())
        }
        Some((_, minutes)) if !is_said && word.is_none() && PARTS_OF_HOURS.contains(&minutes) => return None,
        Some((hour, minutes)) => format!("{hour}:{minutes}"),
        None if is_said || word.is_some() => format!("{clock}:00"),
        None => return None,
    };
    let time = Moment::at_time(0, &clock).filter(|time| time.form == Form::Local)?.seconds;
    let (hour, rest) = (time / 3600, time % 3600);
    match half {
        Some(half) => (1..=12).contains(&hour).then_some((hour % 12 + half) * 3600 + rest),
        None => Some(time),
    }
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
    fn times_have_words_of_many_languages() {
        for text in [
            "18.30 uur",
            "18:30 uur",
            "ore 18.30",
            "ora 18:30",
            "18.30 hod",
            "18:30 hod.",
            "u 18:30 h",
            "18.30 h",
            "18h30",
            "18 h 30",
            "18:30 val.",
            "klo 18.30",
            "o godz. 18:30",
            "às 18h30",
            "saat 18:30",
            "18.30 u",
            "om 18.30 uur",
            "в 18:30",
            "ob 18.30 uri",
            "6.30 p.m.",
        ] {
            assert_eq!(time_of_day(text), Some(66_600), "{text}");
        }
        for text in
            ["ore 18", "18 h", "u 18 h", "18 val.", "18 uur", "18h", "18 ч", "klo 18", "6 p.m.", "18 hod."]
        {
            assert_eq!(time_of_day(text), Some(64_800), "{text}");
        }
        for text in ["18", "18.", "18.50", "u", "h", "ore", "18 hours", "18 kg", "25 h", "18.30."] {
            assert_eq!(time_of_day(text), None, "{text}");
        }
    }
}
