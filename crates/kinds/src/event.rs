//! An event as iCalendar (RFC 5545). Lines are not folded: the document only advises it, and it makes the code larger.

use sha2::{Digest, Sha256};

use crate::contact::Lines;
use crate::time::{Form, Moment};
use crate::values::{Fault, Values};

pub(crate) fn compose(values: Values<'_>) -> Result<String, Fault> {
    let start = moment(values, "start")?.ok_or_else(|| fault("start"))?;
    let end = moment(values, "end")?;
    if let Some(end) = end {
        if end.form != start.form {
            return Err(Fault::new(
                "end",
                "start and end are both dates, both times, or both times with a zone.",
            ));
        }
        let is_later =
            end.seconds > start.seconds || (end.form == Form::Date && end.seconds == start.seconds);
        if !is_later {
            return Err(Fault::new("end", "the end is before the start, or at the same time."));
        }
    }
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

fn moment(values: Values<'_>, field: &'static str) -> Result<Option<Moment>, Fault> {
    let text = values.trimmed(field);
    if text.is_empty() {
        return Ok(None);
    }
    Moment::parse(text).map(Some).ok_or_else(|| fault(field))
}

fn fault(field: &'static str) -> Fault {
    Fault::new(
        field,
        "write dates and times as 2026-01-31, 2026-01-31 18:00, 31.01.2026 18:00 or 2026-01-31T18:00:00+01:00.",
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
