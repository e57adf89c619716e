//! A telephone number as `tel:` (RFC 3966), and a text message to one.
//!
//! Cameras of phones read `SMSTO:number:text`. Some leave out the text of `sms:number?body=text` (RFC 5724), so that form is
//! used for messages without a text alone.

use std::borrow::Cow;

use crate::date::day_and_month;
use crate::time::is_day;
use crate::values::{Fault, Values, trimmed};

/// Digits of a number with the country's code (E.164).
const GLOBAL: std::ops::RangeInclusive<usize> = 4..=15;

/// Digits of a number that has no country's code, such as 112 or 80800.
pub(crate) const SHORT: std::ops::RangeInclusive<usize> = 2..=6;

pub(crate) fn compose(values: Values<'_>) -> Result<String, Fault> {
    Ok(format!("tel:{}", number(values)?))
}

pub(crate) fn compose_message(values: Values<'_>) -> Result<String, Fault> {
    if extension(values.line("number")?).is_some() {
        return Err(Fault::new("number", "a text message cannot go to an extension."));
    }
    let number = number(values)?;
    let text = values.trimmed("text");
    Ok(if text.is_empty() { format!("sms:{number}") } else { format!("SMSTO:{number}:{text}") })
}

/// The character stands between digits of a number.
pub(crate) fn is_separator(character: char) -> bool {
    " -./()\u{a0}\u{202f}".contains(character) || DASHES.contains(&character)
}

/// Dashes that word processors and web pages have in place of hyphens: hyphen, non-breaking hyphen, figure dash, en dash, minus.
const DASHES: [char; 5] = ['\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}', '\u{2212}'];

/// The number with hyphens in place of dashes.
pub fn with_hyphens(number: &str) -> Cow<'_, str> {
    if number.contains(DASHES) { number.replace(DASHES, "-").into() } else { number.into() }
}

/// A number may have the character: a digit, a plus, or one between digits.
pub fn is_of_number(character: char) -> bool {
    character.is_ascii_digit() || character == '+' || is_separator(character)
}

/// Words before an extension, in small letters and without their point.
const EXTENSIONS: [&str; 20] = [
    "ext",
    "extension",
    "x",
    "wew",
    "w",
    "dw",
    "durchwahl",
    "nst",
    "nebenstelle",
    "poste",
    "int",
    "interno",
    "toestel",
    "tst",
    "kl",
    "klapka",
    "linka",
    "mellék",
    "mellek",
    "anknytning",
];

/// Digits of an extension.
const EXTENSION: std::ops::RangeInclusive<usize> = 1..=6;

/// The number and its extension: `22 123 45 69 wew. 12`, or `+48221234569,12`, as phones dial it after a pause.
pub(crate) fn extension(text: &str) -> Option<(&str, &str)> {
    let is_extension =
        |digits: &str| EXTENSION.contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    let dialled = text.split_once(',').filter(|(_, digits)| text.starts_with('+') && is_extension(digits));
    if dialled.is_some() {
        return dialled;
    }
    let (number, rest) = text.split_at(text.find(char::is_alphabetic)?);
    let (word, digits) = rest.split_at(rest.find(|letter: char| !letter.is_alphabetic())?);
    let number =
        number.trim_end_matches(|character: char| is_separator(character) || ",;".contains(character));
    let digits = digits.trim_start_matches(|character: char| is_separator(character) || character == ':');
    let digits = digits.trim_end_matches(')');
    let is_known = EXTENSIONS.contains(&word.to_lowercase().as_str());
    (is_known && number.contains(|character: char| character.is_ascii_digit()) && is_extension(digits))
        .then_some((number, digits))
}

/// Digits of a number that is an extension, or a short one such as 112.
const OF_DESK: std::ops::RangeInclusive<usize> = 1..=5;

/// The text is a few digits, such as the extension of a desk without the number before it.
pub fn is_desk_number(text: &str) -> bool {
    let text = trimmed(text);
    OF_DESK.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The first number of a text with several, and the rest: `0711 123400 / 0171 1234500`. The slash behind the code of an area separates none.
pub fn two_numbers(text: &str) -> Option<(&str, &str)> {
    /// Digits of the shortest number beside another.
    const FEWEST: usize = 7;
    /// Digits beside a slash, where the second number does not begin with + or 0: `+49 (0)7151` is no number.
    const FEWEST_AT_SLASH: usize = 8;
    /// Bytes of the longest text that is looked at: signs between numbers are tried one by one.
    const LONGEST: usize = 300;
    const BETWEEN: [char; 5] = ['/', ',', ';', '|', '\n'];

    let is_written =
        |text: &str| text.chars().all(|sign| is_of_number(sign) || sign == '\r' || BETWEEN.contains(&sign));
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).count();
    let is_start = |text: &str| text.trim_start_matches([' ', '(']).starts_with(['+', '0']);
    let is_second = |sign: &str, first: &str, second: &str| {
        let least = if sign == "/" && !is_start(second) { FEWEST_AT_SLASH } else { FEWEST };
        digits(first) >= least && digits(second) >= least
    };
    if text.len() > LONGEST {
        return None;
    }
    let mut pairs =
        text.match_indices(BETWEEN).map(|(place, sign)| (sign, &text[..place], &text[place + 1..]));
    let (_, first, second) = pairs.find(|(sign, first, second)| is_second(sign, first, second))?;
    is_written(text).then_some((trimmed(first), second))
}

/// The text has letters that phones do not dial, and no extension.
pub fn has_letters(text: &str) -> bool {
    text.contains(char::is_alphabetic) && extension(trimmed(text)).is_none()
}

/// Refuses a date with a year of four digits, such as the day of a list below it: `01.11.2026`.
pub(crate) fn refuse_date(field: &'static str, text: &str) -> Result<(), Fault> {
    let parts: Vec<&str> = text.split(['.', '-', '/']).map(trimmed).collect();
    let is_year = |part: &&str| part.len() == 4 && (part.starts_with("19") || part.starts_with("20"));
    let is_date = parts.len() == 3
        && [parts[0], parts[2]].iter().any(is_year)
        && (is_day(text) || day_and_month(text).is_some());
    if is_date {
        Err(Fault::new(field, "this is a date, and no number to call. Correct the cell."))
    } else {
        Ok(())
    }
}

/// The number without what stands between its digits, and with its extension.
fn number(values: Values<'_>) -> Result<String, Fault> {
    let text = values.line("number")?;
    refuse_date("number", text)?;
    match extension(text) {
        Some((number, extension)) => Ok(format!("{},{extension}", digits(number)?)),
        None => digits(text),
    }
}

/// The number without the (0) behind a country's code, which nobody dials but in Italy.
pub(crate) fn without_prefix(text: &str) -> Cow<'_, str> {
    if !text.starts_with('+') || !text.contains("(0)") {
        return text.into();
    }
    if text.starts_with("+39") {
        text.replace("(0)", "0")
    } else {
        text.replace("(0) ", "").replace("(0)", "")
    }
    .into()
}

fn digits(text: &str) -> Result<String, Fault> {
    let text = &*without_prefix(text);
    let refuse = |message: &str| Err(Fault::new("number", message));
    let (plus, rest) = match text.strip_prefix('+') {
        Some(rest) => ("+", rest),
        None => ("", text),
    };
    let digits: String = rest.chars().filter(char::is_ascii_digit).collect();
    if !rest.chars().all(|character| character.is_ascii_digit() || is_separator(character)) {
        return refuse("a number has digits, spaces, points, hyphens and parentheses alone.");
    }
    let is_right = if plus.is_empty() {
        SHORT.contains(&digits.len())
    } else {
        GLOBAL.contains(&digits.len()) && !digits.starts_with('0')
    };
    if !is_right {
        return refuse("a number begins with + and the country's code, such as +49 30 123456.");
    }
    Ok(format!("{plus}{digits}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_numbers_are_told_from_the_code_of_an_area() {
        for (text, first) in [
            ("0711 123400 / 0171 1234500", "0711 123400"),
            ("0711 123400/+49 171 1234500", "0711 123400"),
            ("+44 20 7946 0958, +44 7700 900123", "+44 20 7946 0958"),
            ("912 345 678 / 600 123 456", "912 345 678"),
            ("030/123456/0171 1234567", "030/123456"),
            ("0711 1234567; 0171 1234567; 0172 1234567", "0711 1234567"),
            ("0711 1234567\r\n0171 1234567", "0711 1234567"),
        ] {
            assert_eq!(two_numbers(text).map(|(first, _)| first), Some(first), "{text}");
        }
        for text in [
            "0711/123400",
            "089 / 1234 56",
            "+49 711/1234567",
            "+49 (0)7151 / 1234567",
            "0049 7151/1234567",
            "+49 7151 1234-10 / -11",
            "+49221234569,12",
            "0711 1234567 / Anna 0171 1234567",
            "",
        ] {
            assert_eq!(two_numbers(text), None, "{text}");
        }
    }
}
