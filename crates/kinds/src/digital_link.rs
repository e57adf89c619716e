//! A GS1 Digital Link (GS1 Digital Link URI Syntax 1.6): the GTIN as key, lot and serial number as its qualifiers in their order,
//! the dates of production, best before and expiry as attributes.

use crate::date::{names_no_day, numbers};
use crate::percent::{encoded, is_triplet};
use crate::time::{Form, Moment};
use crate::values::{Fault, Values};
use qrpress_gs1::{check_digit, is_cset_82, is_date};

/// The resolver of GS1.
const DOMAIN: &str = "https://id.gs1.org";

/// Digits of a GTIN in a Digital Link.
const GTIN_DIGITS: usize = 14;

/// Digits of a GTIN-8 of which a spreadsheet program left out a zero.
const FEWEST_DIGITS: usize = 7;

/// Digits of the numbers of goods that cannot be longer ones without their first digit, or with one missing: those of 12 may be of 13.
const WHOLE_DIGITS: [usize; 3] = [8, 13, 14];

/// Characters of a lot and of a serial number.
const QUALIFIER_CHARACTERS: usize = 20;

pub(crate) fn compose(values: Values<'_>) -> Result<String, Fault> {
    let mut link = format!("{}/01/{}", domain(values)?, gtin(values)?);
    for (field, key) in [("lot", "10"), ("serial", "21")] {
        let value = values.trimmed(field);
        if value.is_empty() {
            continue;
        }
        if value.contains([' ', '\u{a0}']) {
            return Err(Fault::new(field, format!("the {field} has a space, which GS1 does not allow.")));
        }
        if value.chars().count() > QUALIFIER_CHARACTERS || !value.chars().all(is_cset_82) {
            return Err(Fault::new(
                field,
                format!("the {field} has at most {QUALIFIER_CHARACTERS} letters, digits and signs of GS1."),
            ));
        }
        // Readers of URLs take these parts of a path away, however they are encoded.
        if matches!(value, "." | "..") {
            return Err(Fault::new(field, format!("the {field} {value} would be lost in a link.")));
        }
        link.extend(["/", key, "/", &encoded(value)]);
    }
    let mut before = "?";
    for (field, key) in [("productionDate", "11"), ("bestBefore", "15"), ("expiry", "17")] {
        if let Some(date) = date(values, field)? {
            link.extend([before, key, "=", &date]);
            before = "&";
        }
    }
    Ok(link)
}

fn gtin(values: Values<'_>) -> Result<String, Fault> {
    // Shops write an apostrophe before it, so that spreadsheet programs keep its zeros.
    let text = values.trimmed("gtin").trim_start_matches('\'');
    if !is_number_of_goods(text) {
        return Err(Fault::new("gtin", "a GTIN has 8, 12, 13 or 14 digits."));
    }
    let gtin = format!("{text:0>GTIN_DIGITS$}");
    let right = check_digit(&gtin[..GTIN_DIGITS - 1]);
    if !gtin.ends_with(right) {
        let is_whole = WHOLE_DIGITS.contains(&text.len());
        return Err(Fault::new(
            "gtin",
            if is_whole {
                format!("the check digit of {text} is wrong; {right} would be right.")
            } else {
                let digits = text.len();
                format!(
                    "the check digit of {text} is wrong. It has {digits} digits: one may be missing. If none is, {right} would be right at its end."
                )
            },
        ));
    }
    Ok(gtin)
}

fn is_number_of_goods(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit()) && (FEWEST_DIGITS..=GTIN_DIGITS).contains(&text.len())
}

/// The number of goods is too short for any, and gets zeros in front: spreadsheet programs leave these out. It may be cut off instead, and
/// have the right check digit by chance.
pub fn lacks_digits(text: &str) -> bool {
    let text = text.trim().trim_start_matches('\'');
    is_number_of_goods(text) && matches!(text.len(), FEWEST_DIGITS | 9..=11)
}

/// The number of goods with the check digit that it should have, where it has another one. None where a digit may be missing.
pub fn with_right_check_digit(text: &str) -> Option<String> {
    let text = text.trim().trim_start_matches('\'');
    if !is_number_of_goods(text) || !WHOLE_DIGITS.contains(&text.len()) {
        return None;
    }
    let digits = &text[..text.len() - 1];
    let right = check_digit(digits);
    (!text.ends_with(right)).then(|| format!("{digits}{right}"))
}

/// `YYMMDD`, from itself or from a date such as `2026-01-31`. Day 00 is the last of the month.
fn date(values: Values<'_>, field: &'static str) -> Result<Option<String>, Fault> {
    let text = values.trimmed(field);
    if text.is_empty() {
        return Ok(None);
    }
    let date = match Moment::parse(text) {
        Some(moment) if moment.form == Form::Date && moment.date().starts_with("20") => {
            moment.date().split_off(2)
        }
        _ => month(text).unwrap_or_else(|| text.to_owned()),
    };
    if names_no_day(text) {
        return Err(Fault::no_day(field));
    }
    if !is_date(&date, true) {
        return Err(Fault::new(
            field,
            "write the date as 2026-01-31, 31.01.2026 or 260131, and a month alone as 2026-01 or 01/2026.",
        ));
    }
    Ok(Some(date))
}

/// `YYMM00` of a month such as `2027-03` or `03/2027`.
fn month(text: &str) -> Option<String> {
    let separators = ['-', '/', '.'].into_iter();
    let [year, month] =
        separators.clone().find_map(|separator| numbers(text, separator, [4..=4, 1..=2])).or_else(|| {
            let found = separators.clone().find_map(|separator| numbers(text, separator, [1..=2, 4..=4]));
            found.map(|[month, year]| [year, month])
        })?;
    (2000..2100).contains(&year).then(|| format!("{:02}{month:02}00", year - 2000))
}

fn domain(values: Values<'_>) -> Result<String, Fault> {
    let text = values.line("domain")?.trim_end_matches('/');
    if text.is_empty() {
        return Ok(DOMAIN.to_owned());
    }
    let (scheme, address) = text.split_once("://").unwrap_or(("https", text));
    let (authority, path) = address.split_at(address.find('/').unwrap_or(address.len()));
    let (host, port) = authority.split_once(':').unwrap_or((authority, "443"));
    let is_scheme = scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http");
    let is_port =
        port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok_and(|port| port > 0);
    if !is_scheme || !is_host(host) || !is_port || !is_path(path) {
        return Err(Fault::new(
            "domain",
            "write a domain such as id.example.org, or its address with https://.",
        ));
    }
    Ok(if address.len() == text.len() { format!("https://{text}") } else { text.to_owned() })
}

/// RFC 1123, section 2.1.
fn is_host(host: &str) -> bool {
    let is_inside = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    host.len() <= 253
        && host.split('.').all(|label| {
            (1..=63).contains(&label.len())
                && label.bytes().all(is_inside)
                && !label.starts_with('-')
                && !label.ends_with('-')
        })
}

/// Segments that stay what they are when a link is resolved (RFC 3986, section 3.3).
fn is_path(path: &str) -> bool {
    let is_written = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~%".contains(&byte);
    path.bytes().all(is_written)
        && path.match_indices('%').all(|(place, _)| is_triplet(&path[place..]))
        && path.split('/').skip(1).all(|segment| !matches!(segment, "" | "." | ".."))
}
