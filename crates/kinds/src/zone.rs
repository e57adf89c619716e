//! Time zones behind times: `16:00 UTC`, `16 Uhr (MESZ)`, `16:00 UTC+1`.

use crate::calendar::{civil, days};
use crate::moment::{DAY, Form, Moment};
use crate::placeholders::is_placeholder;

const HOUR: i64 = 3600;

/// Bytes of the longest time with a zone.
const LONGEST: usize = 250;

/// A time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Zone {
    name: &'static str,
    /// Seconds ahead of UTC.
    offset: i64,
    /// The name of the same clocks in the other half of the year, and whether that is the summer.
    other: Option<(&'static str, bool)>,
}

const fn all_year(name: &'static str) -> Zone {
    Zone { name, offset: 0, other: None }
}

const fn winter(name: &'static str, hours: i64, other: &'static str) -> Zone {
    Zone { name, offset: hours * HOUR, other: Some((other, true)) }
}

const fn summer(name: &'static str, hours: i64, other: &'static str) -> Zone {
    Zone { name, offset: hours * HOUR, other: Some((other, false)) }
}

/// Abbreviations that mean one zone wherever people use them. `CST` is a zone of America and one of China.
const ZONES: [Zone; 8] = [
    all_year("UTC"),
    all_year("GMT"),
    winter("CET", 1, "CEST"),
    summer("CEST", 2, "CET"),
    winter("MEZ", 1, "MESZ"),
    summer("MESZ", 2, "MEZ"),
    winter("EET", 2, "EEST"),
    summer("EEST", 3, "EET"),
];

/// Signs between a time and its zone, and behind that.
const BEFORE: [char; 5] = [' ', '\u{a0}', ',', '(', '['];
const BEHIND: [char; 4] = [' ', '\u{a0}', ')', ']'];

impl Zone {
    /// The moment at which clocks of the zone show this time.
    ///
    /// # Errors
    /// A sentence: these clocks show summer time then, or do not. People who write `MEZ` in July mean another hour than it says.
    pub fn moment(self, local: Moment) -> Result<Moment, String> {
        let seconds = local.seconds - self.offset;
        if let Some((other, other_is_of_summer)) = self.other
            && is_in_summer(seconds) == other_is_of_summer
        {
            let name = self.name;
            return Err(format!(
                "the zone is not {name} but {other} at this time. Write {other} behind the time, or the distance from UTC, such as 16:00 UTC+1."
            ));
        }
        Ok(Moment { form: Form::Utc, seconds })
    }
}

/// Clocks in Europe show summer time at these seconds of UTC (directive 2000/84/EC): from the last Sunday of March, 1:00 UTC, to that of
/// October, 1:00 UTC.
fn is_in_summer(seconds: i64) -> bool {
    let year = u32::try_from(civil(seconds.div_euclid(DAY)).0).unwrap_or_default();
    // The first day of all, 1 January 1970, is a Thursday.
    let change = |month| {
        let last = days(year, month, 31);
        (last - (last + 4).rem_euclid(7)) * DAY + HOUR
    };
    (change(3)..change(10)).contains(&seconds)
}

/// The text before a zone, and the zone.
pub(crate) fn with_zone(text: &str) -> Option<(&str, Zone)> {
    if text.len() > LONGEST || !text.bytes().any(|byte| byte.is_ascii_alphabetic()) {
        return None;
    }
    let upper = text.to_ascii_uppercase();
    ZONES.into_iter().find_map(|zone| {
        let place = upper.rfind(zone.name)?;
        let before = text[..place].trim_end_matches(BEFORE);
        let rest = text[place + zone.name.len()..].trim_matches(BEHIND);
        let is_word = !text[..place].ends_with(char::is_alphabetic);
        let offset = match rest {
            "" => Some(zone.offset),
            _ if zone.other.is_none() => offset(rest),
            _ => None,
        };
        offset.filter(|_| is_word && !before.is_empty()).map(|offset| (before, Zone { offset, ..zone }))
    })
}

/// Seconds of `+1`, `-5`, `+05:30` or `+0530`.
fn offset(text: &str) -> Option<i64> {
    let (sign, digits) = match text.strip_prefix('+') {
        Some(digits) => (1, digits),
        None => (-1, text.strip_prefix(['-', '−', '–'])?),
    };
    let (hours, minutes) = match digits.split_once(':') {
        Some(parts) => parts,
        None => digits.split_at_checked(2).filter(|_| digits.len() == 4).unwrap_or((digits, "00")),
    };
    let is_number =
        |text: &str| (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(hours) || !is_number(minutes) || minutes.len() != 2 {
        return None;
    }
    let [hours, minutes]: [i64; 2] = [hours.parse().ok()?, minutes.parse().ok()?];
    (hours <= 14 && minutes < 60).then_some(sign * (hours * HOUR + minutes * 60))
}

/// The text before the abbreviation or name of another zone, and that: `10:00 EST`, `16:00 (Europe/Berlin)`.
pub(crate) fn with_other_zone(text: &str) -> Option<(&str, &str)> {
    let text = Some(text.trim_end_matches(BEHIND)).filter(|text| text.len() <= LONGEST)?;
    let name = text.rsplit(BEFORE).next()?;
    let before = text[..text.len() - name.len()].trim_end_matches(BEFORE);
    // `DE` is a language or a country.
    let is_short = (3..=4).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_uppercase());
    let is_long = || {
        let parts = name.split_once('/');
        parts.is_some_and(|(area, city)| {
            [area, city].iter().all(|part| part.starts_with(|first: char| first.is_ascii_uppercase()))
        })
    };
    ((is_short || is_long()) && !is_placeholder(name)).then_some((before, name))
}

/// A zone in the name of a column of times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ZoneInName<'n> {
    /// The name without it.
    pub rest: &'n str,
    /// The zone: `UTC+1`.
    pub zone: &'n str,
    /// Seconds ahead of UTC. None: times are not read in it.
    pub offset: Option<i64>,
}

impl ZoneInName<'_> {
    /// Times are read in it.
    pub fn is_known(&self) -> bool {
        self.offset.is_some()
    }
}

/// Abbreviations that are not read, since some mean several zones.
const OTHERS: &str = "ET EST EDT CT CST CDT MT MST MDT PT PST PDT AKST HST BST IST WET WEST MSK TRT SAST GST PKT ICT WIB HKT SGT JST KST AWST ACST AEST AEDT \
    NZST NZDT BRT ART CLT";

/// Beginnings of names in the database of time zones (IANA).
const AREAS: &str = "Africa America Asia Atlantic Australia Etc Europe Indian Pacific";

/// The zone in `Start (UTC)`, `Uhrzeit (MEZ)`, `Start (PST/PDT)` or `Start time (Europe/Berlin)`. One that is not known stands in brackets.
pub fn zone_in_name(name: &str) -> Option<ZoneInName<'_>> {
    // In Dutch, an end with its day.
    if name.trim_end().to_lowercase().ends_with("tot en met") {
        return None;
    }
    let is_around = |character: char| BEFORE.contains(&character) || BEHIND.contains(&character);
    if let Some((rest, zone)) = with_zone(name) {
        let offset = Some(zone.offset);
        return Some(ZoneInName { rest, zone: name[rest.len()..].trim_matches(is_around), offset });
    }
    let (rest, zone) = name.strip_suffix([')', ']'])?.rsplit_once(['(', '['])?;
    let is_in = |word: &str, list: &str| list.split_ascii_whitespace().any(|each| each == word);
    let is_zone = zone.split([' ', '/']).all(|each| is_in(each, OTHERS))
        || zone.split_once('/').is_some_and(|(area, _)| is_in(area, AREAS));
    is_zone.then_some(ZoneInName { rest, zone, offset: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_stand_behind_times() {
        for (text, clock, hours) in [
            ("16:00 UTC", "16:00", 0),
            ("16:00UTC", "16:00", 0),
            ("16 Uhr (MESZ)", "16 Uhr", 2),
            ("4 pm, gmt", "4 pm", 0),
            ("16:00 UTC+1", "16:00", 1),
            ("16:00 (UTC -5)", "16:00", -5),
            ("16:00 GMT+01:00", "16:00", 1),
            ("16:00 GMT−0300", "16:00", -3),
            ("15:00 - 16:00 EET", "15:00 - 16:00", 2),
        ] {
            let found = with_zone(text).map(|(clock, zone)| (clock, zone.offset));
            assert_eq!(found, Some((clock, hours * HOUR)), "{text}");
        }
        for text in [
            "UTC",
            "16:00",
            "16:00 XUTC",
            "16:00 UTC+1h",
            "16:00 UTC+15",
            "16:00 CET+1",
            "16:00 EST",
            "UTC 16:00",
        ] {
            assert_eq!(with_zone(text), None, "{text}");
        }
        for (text, found) in [
            ("10:00 AM EST", Some(("10:00 AM", "EST"))),
            ("10:00 (ACST)", Some(("10:00", "ACST"))),
            ("20:00 (DE)", None),
            ("20:00 PARIS", None),
            ("16:00 Europe/Berlin", Some(("16:00", "Europe/Berlin"))),
            ("10:00 TBA", None),
            ("10:00 Halle", None),
            ("10:00", None),
        ] {
            assert_eq!(with_other_zone(text), found, "{text}");
        }
    }

    #[test]
    fn summer_is_from_a_last_sunday_to_another() {
        for (date, is_summer) in [
            ("2027-03-28 00:59:59", false),
            ("2027-03-28 01:00", true),
            ("2027-10-31 00:59:59", true),
            ("2027-10-31 01:00", false),
            ("2026-03-29 01:00", true),
            ("2026-10-25 01:00", false),
        ] {
            assert_eq!(is_in_summer(Moment::parse(date).unwrap().seconds), is_summer, "{date}");
        }
    }
}
