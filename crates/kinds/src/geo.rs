//! A place as `geo:` (RFC 5870), in degrees of WGS 84.

use crate::values::{Fault, Values, trimmed};

const COORDINATES: &str = "coordinates";

/// Numbers from this one on are those of metres, as in the national grid of Switzerland: 2600000, 1200000.
const GRID: f64 = 10_000.0;

pub(crate) fn compose(values: Values<'_>) -> Result<String, Fault> {
    let own = ["latitude", "longitude"].map(|field| values.trimmed(field));
    let both = values.line(COORDINATES)?;
    let (fields, [latitude, longitude]) = if both.is_empty() {
        (["latitude", "longitude"], own)
    } else if own == ["", ""] {
        let message = "write latitude and longitude, such as 52.5163, -0.1276.";
        ([COORDINATES; 2], pair_of_degrees(both).ok_or_else(|| Fault::new(COORDINATES, message))?)
    } else {
        return Err(Fault::new(COORDINATES, "the place has a latitude and a longitude already."));
    };
    let latitude = degrees(fields[0], "latitude", latitude, 90.0)?;
    let longitude = degrees(fields[1], "longitude", longitude, 180.0)?;
    Ok(format!("geo:{latitude},{longitude}"))
}

/// The two values of `52.5163, -0.1276`, `52,5163 -0,1276`, `52,5163; -0,1276`, `52.5163,-0.1276` or `48°08'14"N 11°34'31"E`. `52,5163`
/// may be a latitude alone.
pub fn pair_of_degrees(text: &str) -> Option<[&str; 2]> {
    if let Some(letter) = text.find(['N', 'S', 'n', 's']) {
        let longitude = if letter == 0 { text.find(['E', 'W', 'e', 'w'])? } else { letter + 1 };
        let (latitude, longitude) = text.split_at(longitude);
        return Some([latitude, longitude].map(|part| part.trim_matches([' ', ',', ';', '\u{a0}'])));
    }
    let separator = [";", ", ", " ", ","].into_iter().find(|separator| text.contains(separator))?;
    let (latitude, longitude) = text.split_once(separator)?;
    let is_clear = separator != "," || (text.contains('.') && !longitude.contains(','));
    is_clear.then_some([latitude, longitude].map(trimmed))
}

/// The text is a latitude and a longitude with three decimals or more each: `47.6593, 9.1775`.
pub fn is_pair_of_degrees(text: &str) -> bool {
    const FEWEST_DECIMALS: usize = 3;

    let text = trimmed(text);
    let is_degrees = |part: &str, most: f64| {
        let decimals = part.rsplit_once('.').map_or(0, |(_, decimals)| decimals.len());
        let number = part.strip_prefix('-').unwrap_or(part);
        is_number(number)
            && decimals >= FEWEST_DECIMALS
            && number.parse().is_ok_and(|degrees: f64| degrees <= most)
    };
    // Two numbers with decimal commas and a space alone may be any two.
    let has_commas = text.contains(';');
    text.contains([',', ';'])
        && pair_of_degrees(text).is_some_and(|[latitude, longitude]| {
            let written = |part: &str| if has_commas { part.replace(',', ".") } else { part.to_owned() };
            is_degrees(&written(latitude), 90.0) && is_degrees(&written(longitude), 180.0)
        })
}

/// The degrees as a number: of `48.1373`, `48,1373`, `48°08'14"N`, `48 08.233 N` or `S 48° 8.233'`.
pub(crate) fn decimal(name: &str, text: &str) -> Option<String> {
    // A decimal comma: degrees have no thousands.
    let text = text.replace(',', ".");
    if is_number(text.strip_prefix('-').unwrap_or(&text)) {
        return Some(text);
    }
    let text = text.to_uppercase().replace("''", "\"");
    let (positive, negative) = if name == "latitude" { ('N', 'S') } else { ('E', 'W') };
    let without = |letter: char| text.strip_suffix(letter).or_else(|| text.strip_prefix(letter));
    let mut is_marked = text.contains(['°', 'º', '˚']);
    let (sign, rest) = match (without(positive), without(negative), text.strip_prefix('-')) {
        (Some(rest), ..) => {
            is_marked = true;
            ("", rest)
        }
        (_, Some(rest), _) => {
            is_marked = true;
            ("-", rest)
        }
        (_, _, Some(rest)) => ("-", rest),
        _ => ("", text.as_str()),
    };
    let parts = parts(rest)?;
    let (&last, whole) = parts.split_last()?;
    // A space may stand for a decimal point.
    if !is_marked || whole.iter().any(|part| part.contains('.')) {
        return None;
    }
    if whole.is_empty() {
        return Some(format!("{sign}{last}"));
    }
    let numbers: Vec<f64> = parts.iter().map(|part| part.parse()).collect::<Result<_, _>>().ok()?;
    if numbers[1..].iter().any(|&part| part >= 60.0) {
        return None;
    }
    let degrees = numbers.iter().rev().fold(0.0, |below, part| part + below / 60.0);
    Some(format!("{sign}{}", format!("{degrees:.6}").trim_end_matches('0').trim_end_matches('.')))
}

/// Degrees, minutes and seconds: each with its mark, or a space behind it.
fn parts(text: &str) -> Option<Vec<&str>> {
    const MARKS: [[char; 4]; 3] = [['°', 'º', '˚', '°'], ['\'', '’', '′', '´'], ['"', '”', '″', '“']];

    let is_space = [' ', '\u{a0}'];
    let mut rest = text.trim_matches(is_space);
    let mut parts = Vec::new();
    for marks in MARKS {
        if rest.is_empty() {
            break;
        }
        let end = rest.find(|character: char| !character.is_ascii_digit() && character != '.');
        let (number, behind) = rest.split_at(end.unwrap_or(rest.len()));
        if !is_number(number) {
            return None;
        }
        parts.push(number);
        let next = behind.trim_start_matches(is_space);
        let marked = next.strip_prefix(marks);
        if marked.is_none() && next.len() == behind.len() && !behind.is_empty() {
            return None;
        }
        rest = marked.unwrap_or(next).trim_start_matches(is_space);
    }
    rest.is_empty().then_some(parts)
}

fn is_number(text: &str) -> bool {
    let (whole, fraction) =
        text.split_once('.').map_or((text, None), |(whole, digits)| (whole, Some(digits)));
    let is_digits = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_digits(whole) && fraction.is_none_or(is_digits)
}

fn degrees(field: &'static str, name: &str, text: &str, most: f64) -> Result<String, Fault> {
    let Some(text) = decimal(name, text) else {
        let has_o = text.ends_with(['O', 'o']) && text.contains(|letter: char| letter.is_ascii_digit());
        if has_o && name == "longitude" {
            let message = "the letter O may mean the east (Ost) or the west (Ouest, Oeste). Write E or W.";
            return Err(Fault::new(field, message));
        }
        return Err(Fault::new(field, "write degrees as 52.5163, -0.1276 or 48°08'14\"N."));
    };
    if text.parse().is_ok_and(|number: f64| number.abs() >= GRID) {
        let message = "this is no number of degrees, and those of national grids are not supported";
        return Err(Fault::new(field, format!("{message}. Write degrees, such as 46.9511 and 7.4386.")));
    }
    if !text.parse().is_ok_and(|degrees: f64| degrees.abs() <= most) {
        return Err(Fault::new(field, format!("the {name} is between -{most} and {most} degrees.")));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_of_degrees_are_told_from_other_numbers() {
        for text in [
            "47.6593, 9.1775",
            "47.6593,9.1775",
            "-33.8688, 151.2093",
            "47,6593; 9,1775",
            " 47.65930, -0.127 ",
        ] {
            assert!(is_pair_of_degrees(text), "{text}");
        }
        for text in [
            "",
            "47.6593",
            "47,6593",
            "47,6593 9,1775",
            "1.234 5.678",
            "47.65, 9.17",
            "47.6593, 9",
            "91.1234, 9.1775",
            "47.6593, 181.1234",
            "2600000.123, 1200000.123",
            "Seestr. 5, 78464",
            "12.50, 13.90",
            "10.11.2026, 12.11.2026",
        ] {
            assert!(!is_pair_of_degrees(text), "{text}");
        }
    }
}
