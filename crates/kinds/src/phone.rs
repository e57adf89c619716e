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

/// Words before an extension that phones dial after a pause, in small letters and without their point.
const EXTENSIONS: [&str; 15] = [
    "ext",
    "extension",
    "x",
    "wew",
    "w",
    "poste",
    "int",
    "interno",
    "toestel",
    "tst",
    "klapka",
    "linka",
    "mellék",
    "mellek",
    "anknytning",
];

/// Words before the last digits of a desk's own number, which people dial right behind those of the firm.
const DIRECT: [&str; 6] = ["dw", "durchwahl", "nst", "nebenstelle", "klappe", "kl"];

/// Austria's code.
const AUSTRIA: &str = "43";

/// Codes of countries where people do so. Elsewhere, as in Switzerland, phones dial such digits after a pause.
const OF_DIRECT: [&str; 2] = [AUSTRIA, "49"];

/// Digits of a country's code in brackets.
const CODE: std::ops::RangeInclusive<usize> = 2..=3;

/// Digits of an extension.
const EXTENSION: std::ops::RangeInclusive<usize> = 1..=6;

/// The number of `22 123 45 69 wew. 12`, the word, and the digits behind it.
fn parted(text: &str) -> Option<(&str, String, &str)> {
    let (number, rest) = text.split_at(text.find(char::is_alphabetic)?);
    let (word, digits) = rest.split_at(rest.find(|letter: char| !letter.is_alphabetic())?);
    let number = number.trim_end_matches(|character: char| {
        (is_separator(character) && character != '-') || ",;".contains(character)
    });
    let digits = digits.trim_start_matches(|character: char| is_separator(character) || character == ':');
    let digits = digits.trim_end_matches(')');
    let is_whole = number.contains(|character: char| character.is_ascii_digit()) && is_extension(digits);
    is_whole.then(|| (number, word.to_lowercase(), digits))
}

fn is_extension(digits: &str) -> bool {
    EXTENSION.contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The number has the code of one of these countries, or is one without a code in a `country` of them.
fn is_of(number: &str, country: Option<&str>, codes: &[&str]) -> bool {
    let number = trimmed(number);
    let code = number.strip_prefix('+').or_else(|| number.strip_prefix("00")).or(country).unwrap_or_default();
    codes.iter().any(|each| code.trim_start_matches(['(', ' ']).starts_with(each))
}

/// The number and its extension: `22 123 45 69 wew. 12`, or `+48221234569,12`, as phones dial it after a pause. So they
/// dial the digits of a desk that are not `direct`.
pub(crate) fn extension(text: &str) -> Option<(&str, &str)> {
    let dialled = text.split_once(',').filter(|(_, digits)| text.starts_with('+') && is_extension(digits));
    if dialled.is_some() {
        return dialled;
    }
    let (number, word, digits) = parted(text)?;
    let is_known = EXTENSIONS.contains(&&*word) || DIRECT.contains(&&*word);
    is_known.then(|| (number.trim_end_matches(is_separator), digits))
}

/// The number of a desk, as phones dial it: `01 234567-15` of `01 234567 DW 15`. None: it has no such digits, or it is not plain where they
/// belong. `country`: the code of numbers without one.
pub(crate) fn direct(text: &str, country: Option<&str>) -> Option<String> {
    let text = with_hyphens(text);
    let (number, digits) = desk(&text, country)?;
    with_desk(number, digits, is_of(number, country, &[AUSTRIA]))
}

/// The number of a firm, and the digits of a desk that people dial right behind it. `country`: the code of numbers without one.
fn desk<'t>(text: &'t str, country: Option<&str>) -> Option<(&'t str, &'t str)> {
    // The words are German. Numbers with a 0 in front and no country are those of these countries.
    let is_german = |number: &str| country.is_none() && number.starts_with('0') && !number.starts_with("00");
    let (number, word, digits) = parted(text)?;
    let is_dialled = DIRECT.contains(&&*word) && (is_of(number, country, &OF_DIRECT) || is_german(number));
    is_dialled.then_some((number, digits))
}

/// The digits of a desk that stand in a cell of their own: `12`, `-12` or `DW 12`.
pub fn digits_of_desk(text: &str) -> Option<&str> {
    let text = trimmed(text);
    let (word, digits) = text.split_at(text.find(|sign: char| sign.is_ascii_digit())?);
    let is_between = |sign: char| " -.:\u{a0}".contains(sign) || DASHES.contains(&sign);
    let word = word.trim_matches(is_between).to_lowercase();
    ((word.is_empty() || DIRECT.contains(&&*word)) && is_extension(digits)).then_some(digits)
}

/// Refuses the digits of a desk where it is not plain where they belong.
pub(crate) fn refuse_desk(field: &'static str, text: &str, country: Option<&str>) -> Result<(), Fault> {
    let is_plain = desk(text, country).is_none() || direct(text, country).is_some();
    let message = "the extension may belong in place of the last digits, or behind them. Write the number with its extension, such as \
        +43 1 5880010.";
    if is_plain { Ok(()) } else { Err(Fault::new(field, message)) }
}

/// The number of a firm with the last digits of a desk. A lone 0 at its end is that of the switchboard, and gives way to them. None: the number
/// has those of another desk, as it seems, or may have the 0 of the switchboard right behind its own digits. Such a 0 stands apart in Austria.
pub fn with_desk(number: &str, desk: &str, is_austrian: bool) -> Option<String> {
    /// Digits of a desk's part, of which no firm has as few behind its area code.
    const OF_DESK: std::ops::RangeInclusive<usize> = 1..=3;

    let main = match number.rsplit_once(['-', '/', ' ']) {
        Some((main, "0" | "")) => main.trim_end_matches(is_separator),
        Some((main, last)) if number[main.len()..].starts_with('-') && OF_DESK.contains(&last.len()) => {
            return None;
        }
        _ if number.ends_with('0') && !is_austrian => return None,
        _ => number,
    };
    Some(format!("{main}-{desk}"))
}

/// The number without its extension, or the text.
pub(crate) fn without_extension(text: &str) -> &str {
    extension(text).map_or(text, |(number, _)| number)
}

/// The digits are a number of a service in Ireland, which nobody dials behind the country's code: `1800 123 456`.
pub(crate) fn is_irish_service(digits: &str) -> bool {
    digits.len() == 10 && ["1800", "1850", "1890"].iter().any(|start| digits.starts_with(start))
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
    /// Digits of the longest desk that stands behind a slash without a hyphen.
    const LONGEST_DESK: usize = 3;
    /// Words between numbers.
    const OR: [&str; 15] =
        ["od.", "od", "oder", "bzw.", "bzw", "or", "ou", "of", "o", "lub", "und", "u.", "and", "et", "en"];

    let is_sign = |sign: char| is_of_number(sign) || sign == '\r' || BETWEEN.contains(&sign);
    let is_written = |text: &str| text.split(' ').all(|part| OR.contains(&part) || part.chars().all(is_sign));
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).count();
    let is_start = |text: &str| text.trim_start_matches([' ', '(']).starts_with(['+', '0']);
    let is_second = |sign: &str, first: &str, second: &str| {
        let least = if sign == "/" && !is_start(second) { FEWEST_AT_SLASH } else { FEWEST };
        digits(first) >= least && digits(second) >= least
    };
    if text.len() > LONGEST {
        return None;
    }
    // `089 1234-10 / -11` and `089 1234-10/11`: the second has only its last digits.
    let mut slashes = text.match_indices('/').map(|(place, _)| (&text[..place], &text[place + 1..]));
    // Of other countries, these may be the parts of one number.
    let is_german = ["+43", "+49", "0043", "0049"].iter().any(|code| text.starts_with(code))
        || (text.starts_with('0') && !text.starts_with("00"));
    let is_as_long = |first: &str, second: &str| {
        let (main, last) = first.trim_end().rsplit_once('-').unwrap_or_default();
        let is_desk = |desk: &str| desk.len() <= LONGEST_DESK && is_desk_number(desk);
        digits(main) > FEWEST && is_desk(last) && is_desk(second.trim()) && last.len() == second.trim().len()
    };
    let of_desks = slashes.find(|(first, second)| {
        let is_cut = OF_DESK.contains(&digits(second)) && second.trim_start().starts_with('-');
        digits(first) >= FEWEST && (is_cut || (is_german && is_as_long(first, second)))
    });
    if let Some((first, second)) = of_desks.filter(|_| is_written(text)) {
        return Some((trimmed(first), second));
    }
    let signs = text.match_indices(BETWEEN);
    let words = text.match_indices(' ').filter_map(|(place, _)| {
        let (word, _) = text[place + 1..].split_once(' ')?;
        OR.contains(&word).then_some((place + 1, word))
    });
    let mut pairs =
        words.chain(signs).map(|(place, sign)| (sign, &text[..place], &text[place + sign.len()..]));
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

/// The text is the digits of a desk without the number before them: `-12`.
pub fn is_desk_alone(text: &str) -> bool {
    with_hyphens(trimmed(text)).strip_prefix('-').is_some_and(is_desk_number)
}

/// Refuses the digits of a desk without the number before them.
pub(crate) fn refuse_desk_alone(field: &'static str, text: &str) -> Result<(), Fault> {
    let message = "this is an extension alone. Write the whole number.";
    if is_desk_alone(text) { Err(Fault::new(field, message)) } else { Ok(()) }
}

/// Refuses two numbers in one text, which phones would dial as one.
pub(crate) fn refuse_two(field: &'static str, text: &str) -> Result<(), Fault> {
    match two_numbers(text) {
        Some(_) => Err(Fault::new(field, "these are two numbers to call. Leave one of them.")),
        None => Ok(()),
    }
}

/// The number without what stands between its digits, and with its extension.
fn number(values: Values<'_>) -> Result<String, Fault> {
    let text = values.line("number")?;
    refuse_date("number", text)?;
    refuse_desk_alone("number", text)?;
    refuse_two("number", text)?;
    refuse_desk("number", text, None)?;
    if let Some(number) = direct(text, None) {
        return digits(&number);
    }
    match extension(text) {
        Some((number, extension)) => Ok(format!("{},{extension}", digits(number)?)),
        None => digits(text),
    }
}

/// The number without brackets around the code of its country: `(+43) 660 123456`, `(0041) 79 123 45 67`. Behind the code, nobody dials the
/// 0 but in Italy.
pub(crate) fn with_bare_code(text: &str) -> Cow<'_, str> {
    let Some((code, number)) = text.strip_prefix('(').and_then(|rest| rest.split_once(')')) else {
        return text.into();
    };
    let digits = code.strip_prefix('+').or_else(|| code.strip_prefix("00")).unwrap_or_default();
    let is_code = CODE.contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    let begins_with_zero = number.trim_start_matches([' ', '(']).starts_with('0');
    if is_code && (!begins_with_zero || digits == "39") {
        format!("{code} {}", number.trim_start()).into()
    } else {
        text.into()
    }
}

/// The number without the (0) behind a country's code, which nobody dials but in Italy.
pub(crate) fn without_prefix(text: &str) -> Cow<'_, str> {
    let code = text.strip_prefix('+').or_else(|| text.strip_prefix("00"));
    let Some(code) = code.filter(|_| text.contains("(0)")) else { return text.into() };
    if code.starts_with("39") {
        text.replace("(0)", "0")
    } else {
        text.replace("(0) ", "").replace("(0)", "")
    }
    .into()
}

fn digits(text: &str) -> Result<String, Fault> {
    let text = with_bare_code(text);
    let text = &*without_prefix(&text);
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
        SHORT.contains(&digits.len()) || is_irish_service(&digits)
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
    fn codes_in_parentheses() {
        for (text, number) in [
            ("(+43) 660 345", "+43 660 345"),
            ("(0041)79 345", "0041 79 345"),
            ("(01) 234567", "(01) 234567"),
            ("(001) 234567", "(001) 234567"),
            ("(+49) 0711 345", "(+49) 0711 345"),
            ("(+49) (0711) 345", "(+49) (0711) 345"),
            ("(+39) 06 345", "+39 06 345"),
            ("(0511) 234567", "(0511) 234567"),
            ("(+43 660) 345", "(+43 660) 345"),
        ] {
            assert_eq!(with_bare_code(text), number);
        }
    }

    #[test]
    fn prefixes_in_parentheses() {
        for (text, number) in [
            ("+43 (0)664 345", "+43 664 345"),
            ("0043 (0) 664 345", "0043 664 345"),
            ("0039 (0)471 345", "0039 0471 345"),
            ("0664 (0) 345", "0664 (0) 345"),
        ] {
            assert_eq!(without_prefix(text), number);
        }
    }

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
            ("+49 7151 1234-10 / -11", "+49 7151 1234-10"),
            ("0732 6543-250 / 251", "0732 6543-250"),
            ("0732 6543-10/11", "0732 6543-10"),
            ("0664 1234567 od. 01 2345678", "0664 1234567"),
            ("01/2345678 oder 0664/1234567", "01/2345678"),
            ("06 12 34 56 78 ou 01 23 45 67 89", "06 12 34 56 78"),
        ] {
            assert_eq!(two_numbers(text).map(|(first, _)| first), Some(first), "{text}");
        }
        for text in [
            "0711/123400",
            "089 / 1234 56",
            "+49 711/1234567",
            "+49 (0)7151 / 1234567",
            "0049 7151/1234567",
            "+49221234569,12",
            "0711 1234567 / Anna 0171 1234567",
            "0711 1234567 od. Anna 0171 1234567",
            "0711 1234567 od. 68",
            "089/-1234567",
            "089-1234/567",
            "+44 20-7946/0958",
            "+41 44-123/456",
            "+39 0471 12-34/56",
            "0471-123/456",
            "+43 1-58801/12345",
            "116/117",
            "0711/1234-10",
            "089 123456/-",
            "",
        ] {
            assert_eq!(two_numbers(text), None, "{text}");
        }
    }
}
