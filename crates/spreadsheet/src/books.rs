//! Numbers of books.

use qrpress_kinds::{with_hyphens, with_right_check_digit};

use crate::names::simplified;
use crate::things::is_name_of;

/// Digits of an ISBN that is a GTIN.
const DIGITS: usize = 13;

/// The column is called `ISBN`, and may hold those of 10 digits.
pub(crate) fn names_isbn(name: &str) -> bool {
    is_name_of("isbn", &simplified(name))
}

/// The text is an ISBN of 13 digits, the last of which is right.
pub(crate) fn is_isbn(text: &str) -> bool {
    let written: String = text.split_whitespace().collect();
    let digits = with_hyphens(&written).replace('-', "");
    digits.len() == DIGITS
        && ["978", "979"].iter().any(|start| digits.starts_with(start))
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && with_right_check_digit(&digits).is_none()
}

/// The ISBN of 13 digits for one of 10, whose check digit is right (ISBN Users' Manual, 7th edition, 5.6).
pub(crate) fn isbn_of_13_digits(text: &str) -> Option<String> {
    let signs: Vec<char> = text.chars().filter(char::is_ascii_alphanumeric).collect();
    let (last, digits) = signs.split_last()?;
    let digits: Vec<u32> = digits.iter().filter_map(|sign| sign.to_digit(10)).collect();
    let last = if matches!(last, 'X' | 'x') { Some(10) } else { last.to_digit(10) }?;
    let sum: u32 = (2..=10).rev().zip(&digits).map(|(weight, digit)| weight * digit).sum();
    if signs.len() != 10 || digits.len() != 9 || !(sum + last).is_multiple_of(11) {
        return None;
    }
    let number: String = digits.iter().map(u32::to_string).collect();
    let guess = format!("978{number}0");
    Some(with_right_check_digit(&guess).unwrap_or(guess))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn books_of_ten_digits() {
        for (text, isbn) in [
            ("3-12-517290-X", Some("9783125172906")),
            ("0-306-40615-2", Some("9780306406157")),
            ("080442957X", Some("9780804429573")),
            ("0306406153", None),
            ("306406152", None),
            ("ISBN 0306406152", None),
            ("", None),
        ] {
            assert_eq!(isbn_of_13_digits(text).as_deref(), isbn, "{text}");
        }
    }
}
