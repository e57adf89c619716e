//! A telephone number as `tel:` (RFC 3966), and a text message to one.
//!
//! Cameras of phones read `SMSTO:number:text`. Some leave out the text of `sms:number?body=text` (RFC 5724), so that form is
//! used for messages without a text alone.

use crate::values::{Fault, Values};

/// Digits of a number with the country's code (E.164).
const GLOBAL: std::ops::RangeInclusive<usize> = 4..=15;

/// Digits of a number that has no country's code, such as 112 or 80800.
pub(crate) const SHORT: std::ops::RangeInclusive<usize> = 2..=6;

pub(crate) fn compose(values: Values<'_>) -> Result<String, Fault> {
    Ok(format!("tel:{}", number(values)?))
}

pub(crate) fn compose_message(values: Values<'_>) -> Result<String, Fault> {
    let number = number(values)?;
    let text = values.trimmed("text");
    Ok(if text.is_empty() { format!("sms:{number}") } else { format!("SMSTO:{number}:{text}") })
}

/// The character stands between digits of a number.
pub(crate) fn is_separator(character: char) -> bool {
    " -./()\u{a0}".contains(character)
}

/// The number without what stands between its digits.
fn number(values: Values<'_>) -> Result<String, Fault> {
    let text = values.line("number")?;
    let refuse = |message: &str| Err(Fault::new("number", message));
    let (plus, rest) = match text.strip_prefix('+') {
        Some(rest) => ("+", rest),
        None => ("", text),
    };
    if !plus.is_empty() && rest.contains("(0)") {
        return refuse("leave out the (0), which nobody dials after the country's code.");
    }
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
