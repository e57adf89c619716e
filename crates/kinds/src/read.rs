//! The way back: the fields from which the data of a code was put together.

use crate::Kind;
use crate::time::Moment;

/// Values by the names of their fields.
type Found = Vec<(&'static str, String)>;

/// The beginning of a kind's data, and the reader of the rest.
type Form = (&'static str, Kind, fn(&str) -> Option<Found>);

const FORMS: &[Form] = &[
    ("WIFI:", Kind::Wifi, wifi),
    ("BCD\n002\n1\nSCT\n", Kind::Payment, payment),
    ("mailto:", Kind::Email, mail),
    ("SMSTO:", Kind::Sms, message),
    ("sms:", Kind::Sms, number),
    ("tel:", Kind::Phone, number),
    ("geo:", Kind::Geo, place),
    ("BEGIN:VCARD\r\nVERSION:3.0\r\n", Kind::Contact, contact),
    ("BEGIN:VCARD\r\nVERSION:4.0\r\n", Kind::ContactV4, contact),
    ("BEGIN:VCALENDAR\r\n", Kind::Event, event),
];

impl Kind {
    /// The kind of a code, and its values in the order of [`Kind::fields`]. `None` for links, texts, and data that
    /// [`Kind::compose`] would not write in the same way, byte for byte.
    pub fn read(data: &str) -> Option<(Self, Vec<String>)> {
        let (kind, mut found) = FORMS.iter().find_map(|(start, kind, read)| {
            data.strip_prefix(start).map(|rest| Some((*kind, read(rest)?)))
        })??;
        let mut value_of = |name| {
            let place = found.iter().position(|(field, _)| *field == name);
            place.map(|place| found.swap_remove(place).1).unwrap_or_default()
        };
        let values: Vec<String> = kind.fields().iter().map(|field| value_of(field.name)).collect();
        let texts: Vec<&str> = values.iter().map(String::as_str).collect();
        kind.compose(&texts).is_ok_and(|composed| composed == data).then_some((kind, values))
    }
}

/// `T:WPA;S:name;P:password;;`.
fn wifi(text: &str) -> Option<Found> {
    let parts = parts(text);
    let members = parts.iter().filter(|part| !part.is_empty());
    members
        .map(|part| match part.split_once(':')? {
            ("T", "nopass") => Some(("encryption", "none".to_owned())),
            ("T", encryption) => Some(("encryption", encryption.to_owned())),
            ("S", name) => Some(("ssid", name.to_owned())),
            ("P", password) => Some(("password", password.to_owned())),
            ("H", "true") => Some(("hidden", "yes".to_owned())),
            _ => None,
        })
        .collect()
}

/// The lines behind the fourth. The fifth of these is of no field.
fn payment(text: &str) -> Option<Found> {
    let lines = ["bic", "name", "iban", "amount", "", "reference", "text"].into_iter().zip(text.split('\n'));
    lines
        .map(|(name, line)| match name {
            "amount" if !line.is_empty() => Some((name, line.strip_prefix("EUR")?.to_owned())),
            _ => Some((name, line.to_owned())),
        })
        .collect()
}

fn mail(text: &str) -> Option<Found> {
    let (to, members) = text.split_once('?').unwrap_or((text, ""));
    let mut found = vec![("to", decoded(to)?)];
    for member in members.split('&').filter(|member| !member.is_empty()) {
        found.push(match member.split_once('=')? {
            ("subject", value) => ("subject", decoded(value)?),
            ("body", value) => ("body", decoded(value)?),
            _ => return None,
        });
    }
    Some(found)
}

fn message(text: &str) -> Option<Found> {
    let (number, text) = text.split_once(':')?;
    Some(vec![("number", number.to_owned()), ("text", text.to_owned())])
}

fn number(text: &str) -> Option<Found> {
    (!text.is_empty()).then(|| vec![("number", text.to_owned())])
}

fn place(text: &str) -> Option<Found> {
    let (latitude, longitude) = text.split_once(',')?;
    Some(vec![("latitude", latitude.to_owned()), ("longitude", longitude.to_owned())])
}

fn contact(text: &str) -> Option<Found> {
    let mut found = Found::new();
    let [mut first, mut last] = [const { String::new() }; 2];
    for line in text.split("\r\n") {
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        match name {
            "N" => {
                let parts = <[String; 5]>::try_from(parts(value)).ok()?;
                [last, first, ..] = parts;
            }
            "FN" => found.push(("name", unescaped(value))),
            "ADR" => {
                let fields = ["", "", "street", "city", "region", "postcode", "country"];
                found.extend(fields.into_iter().zip(parts(value)));
            }
            "ORG" => found.push(("organisation", parts(value).join("\n"))),
            "URL" => found.push(("url", value.to_owned())),
            "" | "END" => {}
            _ => {
                let field = text_field(name)?;
                let is_second = found.iter().any(|(other, _)| *other == field);
                let field = match field {
                    "phone" if is_second => "otherPhone",
                    "email" if is_second => "otherEmail",
                    _ => field,
                };
                found.push((field, unescaped(value)));
            }
        }
    }
    // An organisation is the name where no person has one.
    if first.is_empty() && last.is_empty() {
        let organisation = found.iter().find(|(field, _)| *field == "organisation");
        let organisation =
            organisation.and_then(|(_, name)| name.lines().next()).unwrap_or_default().to_owned();
        found.retain(|(field, name)| *field != "name" || *name != organisation);
    }
    // Without a first name, the last one may be all of the name. The name is put together from both where it is not written.
    if !first.is_empty() {
        found.retain(|(field, name)| *field != "name" || *name != format!("{first} {last}").trim());
        found.extend([("firstName", first), ("lastName", last)]);
    }
    Some(found)
}

fn event(text: &str) -> Option<Found> {
    let mut found = Found::new();
    for (name, value) in text.split("\r\n").filter_map(|line| line.split_once(':')) {
        match name {
            "DTSTART" | "DTSTART;VALUE=DATE" => found.push(("start", moment(value)?)),
            "DTEND" => found.push(("end", moment(value)?)),
            "DTEND;VALUE=DATE" => {
                // The first day that is not part of the event.
                let day = Moment::parse(&moment(value)?)?.add_days(-1);
                found.push(("end", moment(&day.date())?));
            }
            _ => found.extend(text_field(name).map(|field| (field, unescaped(value)))),
        }
    }
    Some(found)
}

/// The field of a property that is a text.
fn text_field(property: &str) -> Option<&'static str> {
    Some(match property {
        "TITLE" | "SUMMARY" => "title",
        "TEL;TYPE=voice" => "phone",
        "TEL;TYPE=cell" => "mobile",
        "TEL;TYPE=home" => "homePhone",
        "TEL;TYPE=fax" => "fax",
        "EMAIL" => "email",
        "NOTE" => "note",
        "LOCATION" => "location",
        "DESCRIPTION" => "description",
        _ => return None,
    })
}

/// `20260131T180000Z` as people write it: `2026-01-31 18:00Z`.
fn moment(text: &str) -> Option<String> {
    let (date, time) = text.split_once('T').unwrap_or((text, ""));
    let date = format!("{}-{}-{}", date.get(..4)?, date.get(4..6)?, date.get(6..)?);
    if time.is_empty() {
        return Some(date);
    }
    let (hour, minute, rest) = (time.get(..2)?, time.get(2..4)?, time.get(4..)?);
    let (second, zone) = rest.split_at_checked(2)?;
    let second = if second == "00" { String::new() } else { format!(":{second}") };
    Some(format!("{date} {hour}:{minute}{second}{zone}"))
}

/// Texts between semicolons.
fn parts(text: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut is_escaped = false;
    for (place, character) in text.char_indices() {
        if character == ';' && !is_escaped {
            parts.push(unescaped(&text[start..place]));
            start = place + 1;
        }
        is_escaped = character == '\\' && !is_escaped;
    }
    parts.push(unescaped(&text[start..]));
    parts
}

/// The text without the backslashes before its characters.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => out.extend(characters.next().map(|next| if next == 'n' { '\n' } else { next })),
            _ => out.push(character),
        }
    }
    out
}

/// The text of percent-encoded UTF-8 (RFC 3986).
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if first == '%' {
            bytes.push(u8::from_str_radix(rest.get(1..3)?, 16).ok()?);
            rest = &rest[3..];
        } else {
            let (character, after) = rest.split_at(first.len_utf8());
            bytes.extend_from_slice(character.as_bytes());
            rest = after;
        }
    }
    String::from_utf8(bytes).ok()
}
