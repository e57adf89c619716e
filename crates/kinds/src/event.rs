//! An event as iCalendar (RFC 5545). Lines are not folded: the document only advises it, and it makes the code larger.

use std::cmp::Ordering;

use sha2::{Digest, Sha256};

use crate::clock::{is_end_of_day, start_and_end, time_of_day, time_of_end};
use crate::contact::Lines;
use crate::date::names_no_day;
use crate::days::{first_and_last, lacks_year};
use crate::time::{DAY, Form, Moment, before_weekday, is_day};
use crate::values::{Fault, Values, trimmed};
use crate::whole_day::says_whole_day;
use crate::zone::{Zone, with_other_zone, with_zone};

pub(crate) fn compose(values: Values<'_>) -> Result<String, Fault> {
    let composed =
        compose_one(values).or_else(|fault| compose_without_weekdays(values).unwrap_or(Err(fault)));
    composed.or_else(|fault| {
        let start = Some(values.trimmed("start")).filter(|_| values.trimmed("end").is_empty());
        start.and_then(first_and_last).map_or(Err(fault), |days| compose_days(values, days))
    })
}

/// The event whose times stand before names of days: `18:00 SAT`. None: it has no such times.
fn compose_without_weekdays(values: Values<'_>) -> Option<Result<String, Fault>> {
    let time = |field: &str| before_day(Some(values.trimmed(field)).filter(|_| TIMES.contains(&field))?);
    TIMES.into_iter().find_map(time)?;
    let fields = values.fields();
    let texts: Vec<&str> =
        fields.iter().map(|field| time(field.name).unwrap_or_else(|| values.text(field.name))).collect();
    Some(Values::new(fields, &texts).and_then(compose_one))
}

/// The event from the first day or time to the last, which stand in one value.
fn compose_days(values: Values<'_>, days: [Moment; 2]) -> Result<String, Fault> {
    let [first, last] =
        days.map(|moment| if moment.form == Form::Date { moment.date() } else { moment.date_time() });
    let fields = values.fields();
    let texts = fields.iter().map(|field| match field.name {
        "start" => first.as_str(),
        "end" => last.as_str(),
        name => values.text(name),
    });
    compose_one(Values::new(fields, &texts.collect::<Vec<_>>())?)
}

/// Whole days from the day on which an event starts to that on which it ends. None: the data is none, or the event ends on the same day.
pub fn days_of_event(data: &str) -> Option<i64> {
    let lines = || data.strip_prefix("BEGIN:VCALENDAR").into_iter().flat_map(str::lines);
    let day = |name: &str| {
        let value = lines().find_map(|line| line.strip_prefix(name)?.split_once(':'))?.1;
        Moment::parse(value.get(..8)?).map(|day| day.seconds / DAY)
    };
    Some(day("DTEND")? - day("DTSTART")?).filter(|days| *days > 0)
}

/// The data is an event of several days, and its times may be those of each day: it ends a day or more behind its start, and at a later time.
pub fn may_be_daily(data: &str) -> bool {
    let Some(days) = days_of_event(data) else { return false };
    let clock = |name: &str| data.split_once(name)?.1.lines().next()?.split_once('T').map(|(_, clock)| clock);
    let (Some(start), Some(end)) = (clock("\nDTSTART:"), clock("\nDTEND:")) else { return false };
    if end.starts_with("000000") { days > 1 } else { end > start }
}

/// The data is an event that starts at midnight by the clock of the place, and has no end.
pub fn is_event_at_midnight(data: &str) -> bool {
    let start = data.split_once("\nDTSTART:").and_then(|(_, start)| start.lines().next());
    start.is_some_and(|start| start.ends_with("T000000")) && !data.contains("\nDTEND")
}

/// The data is an event of whole days.
pub fn is_event_of_whole_days(data: &str) -> bool {
    data.starts_with("BEGIN:VCALENDAR") && data.contains("\nDTSTART;VALUE=DATE:")
}

/// The data is an event whose last day is that of this end, which says midnight.
pub fn is_last_day_at_midnight(data: &str, end: &str) -> bool {
    let last = |end: Moment| format!("\nDTEND;VALUE=DATE:{}", end.add_days(1).date());
    midnight(end).is_some_and(|end| data.contains(&last(end)))
}

/// The data is an event whose last day is the one before that of this end, which says midnight.
pub fn is_midnight_behind_last_day(data: &str, end: &str) -> bool {
    let behind = |end: Moment| format!("\nDTEND;VALUE=DATE:{}\r", end.date());
    midnight(end).is_some_and(|end| data.contains(&behind(end)))
}

/// The first day of an event of whole days, and the last one where it has an end, by its times in the order of [`TIMES`], which are those of
/// midnight where there are any. An end at midnight is the first moment behind the event, as calendars write it. So is an end on a day alone if
/// `has_end_behind`. None: one of the times is another one, or the end is before the start.
pub fn days_of_calendar(
    [start, start_time, end, end_time]: [&str; 4],
    has_end_behind: bool,
) -> Option<(String, Option<String>)> {
    let (first, _) = day_at_midnight(start, start_time)?;
    if trimmed(end).is_empty() && trimmed(end_time).is_empty() {
        return Some((first.date(), None));
    }
    let (end, is_at_midnight) = day_at_midnight(if trimmed(end).is_empty() { start } else { end }, end_time)?;
    let days = (end.seconds - first.seconds) / DAY;
    let is_behind = days > 0 && (is_at_midnight || has_end_behind);
    let last = if is_behind { end.add_days(-1) } else { end };
    (days >= 0).then(|| (first.date(), Some(last.date())))
}

/// The day of a text, alone or with the time of midnight in one of the texts, and whether it has that.
fn day_at_midnight(day: &str, time: &str) -> Option<(Moment, bool)> {
    let day = Moment::parse(trimmed(day)).filter(|day| day.form == Form::Date || is_midnight(*day))?;
    let has_time = !trimmed(time).is_empty();
    (!has_time || time_of_day(trimmed(time)) == Some(0)).then(|| (day, has_time || day.form == Form::Local))
}

fn midnight(text: &str) -> Option<Moment> {
    Moment::parse(trimmed(text)).filter(|moment| is_midnight(*moment))
}

/// It is midnight by the clock of the place.
fn is_midnight(moment: Moment) -> bool {
    moment.form == Form::Local && moment == moment.at(0)
}

fn compose_one(values: Values<'_>) -> Result<String, Fault> {
    let (start, end) = start_and_end_of(values)?;
    let mut rest = Lines { text: String::new() };
    property(&mut rest, "DTSTART", start);
    if let Some(end) = end {
        // The last day, which people write, is part of the event; the document wants the first day that is not.
        property(&mut rest, "DTEND", if end.form == Form::Date { end.add_days(1) } else { end });
    }
    rest.text("SUMMARY", values.trimmed("title"));
    rest.text("LOCATION", values.trimmed("location"));
    rest.text("DESCRIPTION", values.trimmed("description"));

    let mut event = Lines::begin("VCALENDAR");
    event.line("VERSION", "2.0");
    event.line("PRODID", "-//qrpress//EN");
    event.line("BEGIN", "VEVENT");
    // The document requires both. Neither comes from a clock: the same row gives the same code.
    event.line("UID", &format!("{}@qrpress", identifier(&rest.text)));
    event.line("DTSTAMP", &format!("{}Z", start.date_time()));
    event.text.push_str(&rest.text);
    event.line("END", "VEVENT");
    Ok(event.end("VCALENDAR"))
}

/// The fields of times.
const TIMES: [&str; 4] = ["start", "startTime", "end", "endTime"];

/// Start and end: of whole days where words say that in place of a time, and in UTC where zones stand behind times.
fn start_and_end_of(values: Values<'_>) -> Result<(Moment, Option<Moment>), Fault> {
    let whole =
        ["startTime", "end", "endTime"].into_iter().find(|field| says_whole_day(values.trimmed(field)));
    let zones = TIMES.map(|field| zone(values, field));
    let has_zone = zones.iter().any(Option::is_some);
    if whole.is_none() && !has_zone {
        let (start, end_time) = start(values)?;
        return Ok(whole_days(start, end(values, start, end_time, false)?));
    }
    let fields = values.fields();
    let plain: Vec<&str> = fields.iter().map(|field| plain(values, field.name, &zones)).collect();
    let plain = Values::new(fields, &plain)?;
    let (start, end_time) = start(plain)?;
    let end = end(plain, start, end_time, has_zone)?;
    let (start, end) = if has_zone { (start, end) } else { whole_days(start, end) };
    match whole {
        Some(_) if !has_zone && is_midnight(start) && end.is_none() => {
            Ok((Moment { form: Form::Date, ..start }, None))
        }
        Some("startTime") if start.form != Form::Date => {
            Err(Fault::new("startTime", "the start has a time already. Leave one of them empty."))
        }
        Some(field) if start.form != Form::Date => {
            let message = "the start has a time, so the event is not of the whole day";
            Err(Fault::new(field, format!("{message}. Write the time of the end, or leave it empty.")))
        }
        _ if has_zone => in_utc(plain, &zones, start, end),
        _ => Ok((start, end)),
    }
}

/// The time before a zone, and the zone. Behind a day alone it is the name of a day of the week: `4.2.2027 cet`.
fn zone<'v>(values: Values<'v>, field: &str) -> Option<(&'v str, Zone)> {
    with_zone(values.trimmed(field)).filter(|(clock, _)| !is_day(clock))
}

/// Zones behind times, with the texts before them, in the order of [`TIMES`].
type Zones<'v> = [Option<(&'v str, Zone)>; TIMES.len()];

/// The value of a field without a zone, and without words for the whole day.
fn plain<'v>(values: Values<'v>, field: &str, zones: &Zones<'v>) -> &'v str {
    let place = TIMES.iter().position(|time| *time == field);
    match field {
        "startTime" | "end" | "endTime" if says_whole_day(values.trimmed(field)) => "",
        field => place.and_then(|place| zones[place]).map_or_else(|| values.text(field), |(clock, _)| clock),
    }
}

/// Start and end, as clocks of their zones show them, in UTC. The zone behind the start is that of the end, too, where one value has both.
fn in_utc(
    plain: Values<'_>,
    zones: &Zones<'_>,
    start: Moment,
    end: Option<Moment>,
) -> Result<(Moment, Option<Moment>), Fault> {
    let zone = |place: usize| zones[place].map(|(_, zone)| (TIMES[place], zone));
    let [of_start, of_start_time, of_end, of_end_time] = [0, 1, 2, 3].map(zone);
    let has_end = ["end", "endTime"].iter().any(|field| !plain.text(field).is_empty());
    let of_start = of_start_time.or(of_start);
    let of_end = of_end_time.or(of_end).or(of_start.filter(|_| !has_end));
    let at = |moment: Moment, zone: Option<(&'static str, Zone)>| match zone {
        Some((field, zone)) if moment.form == Form::Local => {
            zone.moment(moment).map_err(|message| Fault::new(field, message))
        }
        _ => Ok(moment),
    };
    let start = at(start, of_start)?;
    let Some(end) = end else { return Ok((start, None)) };
    let field = if plain.trimmed("endTime").is_empty() { "end" } else { "endTime" };
    let end = at(end, of_end)?;
    if end.form != start.form {
        return Err(Fault::new(field, FORMS));
    }
    if end.seconds <= start.seconds {
        return Err(Fault::new(field, "the end is before the start, or at the same time."));
    }
    Ok((start, Some(end)))
}

/// Days from midnight to midnight, as calendars export events of whole days, or to the last minute of a day.
fn whole_days(start: Moment, end: Option<Moment>) -> (Moment, Option<Moment>) {
    let Some(last) = end.filter(|_| is_midnight(start)).and_then(Moment::last_day) else {
        return (start, end);
    };
    (Moment { form: Form::Date, ..start }, Some(last))
}

const FORMS: &str = "start and end are both dates, both times, or both times with a zone.";

/// Seconds of the longest event that ends on the next day without saying so. One from 11:00 to 1:00 may end at 13:00.
const LONGEST_NIGHT: i64 = 12 * 3600;

/// The value of a field for a time.
#[derive(Clone, Copy)]
enum Time {
    /// Seconds since midnight. Those of an end may be a day.
    OfDay(i64),
    /// The time with its day.
    Whole(Moment),
}

/// The start, and the time of the end where the same value has both: `18:00 - 19:30 Uhr`.
fn start(values: Values<'_>) -> Result<(Moment, Option<Time>), Fault> {
    let end = |seconds| Some(Time::OfDay(seconds));
    if values.trimmed("startTime").is_empty() {
        let text = values.trimmed("start");
        let read = |text: &str| Moment::parse(text).filter(|start| start.form == Form::Local);
        let both = || start_and_end(before_weekday(text).unwrap_or(text), read);
        let has_end = || ["end", "endTime"].into_iter().any(|field| !values.trimmed(field).is_empty());
        return match moment(values, "start") {
            Ok(start) if start.form == Form::Utc && !has_end() && !is_of_program(text) => {
                match range_of_offset(start, text) {
                    None => Ok((start, None)),
                    Some(_) if has_year_first(text) => Err(Fault::new("start", END_OR_OFFSET)),
                    Some((start, last)) => Ok((start, end(last))),
                }
            }
            Ok(start) => Ok((start, None)),
            Err(fault) => both().map(|(start, last)| (start, end(last))).ok_or(fault),
        };
    }
    let day = moment(values, "start")?;
    if let Some((first, last)) =
        start_and_end(values.trimmed("startTime"), |text| Some(day.at(time_of_day(text)?)))
    {
        return Ok((joined(day, "startTime", Time::Whole(first))?, end(last)));
    }
    let start = time(values, "startTime")?.map_or(Ok(day), |time| joined(day, "startTime", time))?;
    Ok((start, None))
}

const END_OR_OFFSET: &str = "the time behind the hyphen may be the end, or the distance from UTC. Write the end as 10:00 - 11:00, with spaces, \
     and the distance as 10:00 UTC-11.";

/// The start and the end, where `-11:00` in `10:00-11:00` was read as the distance from UTC.
fn range_of_offset(start: Moment, text: &str) -> Option<(Moment, i64)> {
    let (_, last) = before_weekday(text).unwrap_or(text).rsplit_once('-')?;
    let last = time_of_day(last)?;
    Some((Moment { form: Form::Local, seconds: start.seconds - last }, last)).filter(may_be_range)
}

/// Programs write distances from UTC behind a `T` or behind seconds: `2026-01-31T10:00-05:00`.
fn is_of_program(text: &str) -> bool {
    let is_digit = |character: char| character.is_ascii_digit();
    // `1T` of `1TH` is none.
    let is_between =
        |place: usize| text[..place].ends_with(is_digit) && text[place + 1..].starts_with(is_digit);
    text.match_indices('T').any(|(place, _)| is_between(place)) || text.matches(':').count() > 2
}

/// The first number is the year, as programs write dates: `2026-01-31`, `Sat 2026/01/31`.
fn has_year_first(text: &str) -> bool {
    let mut numbers = text.split(|character: char| !character.is_ascii_digit());
    numbers.find(|number| !number.is_empty()).is_some_and(|first| first.len() == 4)
}

/// An event may start and end so, perhaps on the next day.
fn may_be_range((start, last): &(Moment, i64)) -> bool {
    let first = start.seconds.rem_euclid(DAY);
    *last > first || (*last < first && last + DAY - first <= LONGEST_NIGHT)
}

/// The end. `of_start`: its time, which stands in the value of the start.
fn end(
    values: Values<'_>,
    start: Moment,
    of_start: Option<Time>,
    has_zone: bool,
) -> Result<Option<Moment>, Fault> {
    let text = values.trimmed("end");
    let time = time(values, "endTime")?;
    if time.is_some() && of_start.is_some() {
        return Err(Fault::new(
            "endTime",
            "the start has the time of the end already. Leave one of them empty.",
        ));
    }
    let (field, end, has_day) = match (time_of_end(text), time.or(of_start)) {
        (_, None) if text.is_empty() => return Ok(None),
        (_, Some(Time::Whole(end))) if text.is_empty() => ("endTime", end, true),
        (_, Some(Time::OfDay(seconds))) if text.is_empty() => ("endTime", start.at(seconds), false),
        (Some(seconds), None) => ("end", start.at(seconds), false),
        (None, None) => {
            let end = end_of_day(text).map_or_else(
                || {
                    let end = moment(values, "end")?;
                    let is_last_day = !has_zone && is_last_day(values, start, end);
                    Ok(if is_last_day { end.add_days(1) } else { end })
                },
                Ok,
            );
            ("end", end?, true)
        }
        (Some(_), Some(_)) => {
            return Err(Fault::new("endTime", "the end has a time already. Leave one of them empty."));
        }
        (None, Some(time)) => ("endTime", joined(moment(values, "end")?, "endTime", time)?, true),
    };
    if end.form == Form::Date && start.form == Form::Local {
        return without_time(start, end);
    }
    if end.form != start.form {
        return Err(Fault::new(field, FORMS));
    }
    let next = end.add_days(1);
    let is_after_midnight =
        !has_day && end.seconds < start.seconds && next.seconds - start.seconds <= LONGEST_NIGHT;
    let end = if is_after_midnight { next } else { end };
    let is_later = end.seconds > start.seconds || (end.form == Form::Date && end.seconds == start.seconds);
    if !is_later {
        let message = "the end is before the start, or at the same time.";
        let remedy = if has_day { "" } else { " If it is on a later day, write its date, too." };
        return Err(Fault::new(field, format!("{message}{remedy}")));
    }
    Ok(Some(end))
}

/// The end of a day: `12.06.2027 24:00`.
fn end_of_day(text: &str) -> Option<Moment> {
    let (date, clock) = text.split_at(text.rfind("24")?);
    let date = date.strip_suffix(['T', ' '])?.trim_end_matches([',', ' ']);
    let day = Moment::parse(date).filter(|day| day.form == Form::Date)?;
    is_end_of_day(clock).then(|| day.at(DAY))
}

/// The end at midnight is the last day, which got that time from the format of a sheet. In the form of programs, and one day behind the start,
/// it is the first moment behind the event, as calendars export whole days.
fn is_last_day(values: Values<'_>, start: Moment, end: Moment) -> bool {
    let is_exported = || {
        end == start.add_days(1)
            || ["start", "end"].into_iter().any(|field| is_of_program(values.trimmed(field)))
    };
    is_midnight(start)
        && is_midnight(end)
        && values.trimmed("startTime").is_empty()
        && (end == start || !is_exported())
}

/// The end of an event that starts at a time, where only its day is known. An event that ends on the same day has none.
fn without_time(start: Moment, day: Moment) -> Result<Option<Moment>, Fault> {
    match day.date().cmp(&start.date()) {
        Ordering::Equal => Ok(None),
        Ordering::Less => Err(Fault::new("end", "the end is before the start.")),
        Ordering::Greater => Err(Fault::new(
            "end",
            "the end is on a later day, and its time is missing. Write the time, too, or leave the time of the start out.",
        )),
    }
}

/// The day at the time that another field has.
fn joined(day: Moment, field: &'static str, time: Time) -> Result<Moment, Fault> {
    let name = field.trim_end_matches("Time");
    let whole = match time {
        Time::OfDay(seconds) => day.at(seconds),
        Time::Whole(moment) if moment.date() != day.date() => {
            return Err(Fault::new(field, format!("this is another day than that of the {name}.")));
        }
        Time::Whole(moment) => moment,
    };
    // Databases write days with the time of midnight.
    let is_day = day.form == Form::Date || day == day.at(0);
    if !is_day && whole != day {
        return Err(Fault::new(field, format!("the {name} has another time already.")));
    }
    Ok(whole)
}

fn time(values: Values<'_>, field: &'static str) -> Result<Option<Time>, Fault> {
    let text = values.trimmed(field);
    if text.is_empty() {
        return Ok(None);
    }
    let whole = || Moment::parse(text).filter(|moment| moment.form != Form::Date).map(Time::Whole);
    let of_day = match field {
        // The midnight of a day may be the one before it.
        "endTime" if values.trimmed("end").is_empty() || is_end_of_day(text) => time_of_end(text),
        _ => time_of_day(text),
    };
    of_day.map(Time::OfDay).or_else(whole).map(Some).ok_or_else(|| {
        other_zone(field, text).unwrap_or_else(|| {
            let message = "write times as 18:00, 9:30, 18:00:00 or 6:00 PM";
            let empty = "Leave the cell empty for an event of the whole day";
            Fault::new(field, format!("{message}. {empty}."))
        })
    })
}

/// The refusal of a time with a zone that may be another one elsewhere.
fn other_zone(field: &'static str, text: &str) -> Option<Fault> {
    let (clock, name) = with_other_zone(text)?;
    is_local_time(clock).then(|| {
        let message =
            format!("the time zone {name} is not known here. Write its distance from UTC behind the time");
        Fault::new(field, format!("{message}, such as 16:00 UTC+1 or 16:00 UTC-5."))
    })
}

/// The text is a time without a zone, with or without its day, or from one time to another.
fn is_local_time(text: &str) -> bool {
    let local = |text: &str| {
        let time = time_of_end(text).map(|seconds| Moment { form: Form::Local, seconds });
        time.or_else(|| end_of_day(text))
            .or_else(|| Moment::parse(text))
            .filter(|moment| moment.form == Form::Local)
    };
    local(text).is_some() || start_and_end(text, local).is_some()
}

/// The time before the name of a day: `18:00 SAT`.
fn before_day(text: &str) -> Option<&str> {
    before_weekday(text).filter(|time| is_local_time(time))
}

/// The time with a zone behind it. None for days, for times with a zone of their own, and for all that is no time.
pub fn with_zone_behind(time: &str, zone: &str) -> Option<String> {
    let time = trimmed(time);
    let time = before_day(time).unwrap_or(time);
    (with_zone(time).is_none() && is_local_time(time)).then(|| format!("{time} {zone}"))
}

fn moment(values: Values<'_>, field: &'static str) -> Result<Moment, Fault> {
    let text = values.trimmed(field);
    Moment::parse(text).ok_or_else(|| match text {
        _ if names_no_day(text) => Fault::no_day(field),
        _ if lacks_year(text) => {
            Fault::new(field, "the date has no year. Write it, too, such as 31.01.2027.")
        }
        _ => other_zone(field, text).unwrap_or_else(|| fault(field)),
    })
}

fn fault(field: &'static str) -> Fault {
    if field == "end" {
        return Fault::new(
            field,
            "write the end as a time such as 21:00, or as a date and time such as 31.01.2026 21:00. Leave the cell empty where nobody knows it.",
        );
    }
    Fault::new(
        field,
        "write dates and times as 2026-01-31, 2026-01-31 18:00, 31.01.2026 18:00, 31 January 2026 or 2026-01-31T18:00:00+01:00.",
    )
}

fn property(lines: &mut Lines, name: &str, moment: Moment) {
    match moment.form {
        Form::Date => lines.line(&format!("{name};VALUE=DATE"), &moment.date()),
        Form::Local => lines.line(name, &moment.date_time()),
        Form::Utc => lines.line(name, &format!("{}Z", moment.date_time())),
    }
}

/// The first 100 bits of SHA-256 as letters and digits: calendars take two events with one UID for the same.
fn identifier(text: &str) -> String {
    /// Base 32 (RFC 4648), in small letters.
    const DIGITS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
    let hash = Sha256::digest(text);
    let bits = hash.iter().take(16).fold(0_u128, |bits, byte| bits << 8 | u128::from(*byte));
    (1..=20).map(|place| char::from(DIGITS[(bits >> (128 - 5 * place)) as usize % 32])).collect()
}
