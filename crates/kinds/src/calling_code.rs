//! Telephone numbers without their country's code, and the numbers that they are in a country (ITU-T E.123, E.129, E.164).

use std::ops::RangeInclusive;

use crate::Kind;
use crate::phone::{SHORT, extension, is_separator};
use crate::values::{Fault, trimmed};

/// The code of a country, and the way in which people write numbers without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallingCode {
    /// Its digits.
    code: &'static str,
    /// The national prefix, which nobody dials after the code.
    prefix: &'static str,
    /// The least and most digits of a number without the prefix.
    digits: (usize, usize),
}

/// Every country that people can choose.
const COUNTRIES: [(&str, &str, (usize, usize)); 48] = [
    ("1", "1", (10, 10)),
    ("20", "0", (8, 10)),
    ("212", "0", (9, 9)),
    ("27", "0", (9, 9)),
    ("30", "", (10, 10)),
    ("31", "0", (9, 9)),
    ("32", "0", (8, 9)),
    ("33", "0", (9, 9)),
    ("34", "", (9, 9)),
    ("351", "", (9, 9)),
    ("353", "0", (7, 9)),
    ("354", "", (7, 7)),
    ("355", "0", (8, 9)),
    ("358", "0", (5, 12)),
    ("359", "0", (7, 9)),
    ("36", "06", (8, 9)),
    ("371", "", (8, 8)),
    ("372", "", (7, 8)),
    // People dial 8, and 0 before the area code.
    ("375", "80", (9, 9)),
    ("380", "0", (9, 9)),
    ("381", "0", (8, 10)),
    ("385", "0", (7, 9)),
    ("386", "0", (8, 8)),
    ("387", "0", (8, 9)),
    ("389", "0", (8, 8)),
    // A number of 11 digits may be one with the code.
    (ITALY, "", (6, 10)),
    ("40", "0", (9, 9)),
    ("41", "0", (9, 9)),
    ("420", "", (9, 9)),
    ("421", "0", (9, 9)),
    ("43", "0", (5, 13)),
    ("44", "0", (7, 10)),
    ("45", "", (8, 8)),
    ("46", "0", (7, 9)),
    ("47", "", (8, 8)),
    ("48", "", (9, 9)),
    ("49", "0", (5, 13)),
    ("52", "", (10, 10)),
    ("55", "0", (10, 11)),
    ("61", "0", (9, 9)),
    ("64", "0", (8, 10)),
    ("7", "8", (10, 10)),
    ("81", "0", (9, 10)),
    ("82", "0", (8, 10)),
    ("86", "0", (10, 11)),
    ("90", "0", (10, 10)),
    ("91", "0", (10, 10)),
    ("972", "0", (8, 9)),
];

/// The country whose numbers keep their first 0.
const ITALY: &str = "39";

/// Digits from which on a number without the national prefix has its area code: spreadsheet programs take the prefix away.
const WITH_AREA: RangeInclusive<usize> = 9..=15;

/// The digits of a number without + and its country's code. None of a short number, which has no country, and of other texts.
fn national(text: &str) -> Option<String> {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let is_number = text.chars().all(|character| character.is_ascii_digit() || is_separator(character));
    (is_number && digits.len() > *SHORT.end()).then_some(digits)
}

/// The text is a number without + and its country's code, and no short one.
pub fn is_national_number(text: &str) -> bool {
    let text = trimmed(text);
    national(extension(text).map_or(text, |(number, _)| number)).is_some()
}

impl Kind {
    /// The field is a telephone number.
    pub fn is_telephone(self, field: &str) -> bool {
        match self {
            Self::Contact | Self::ContactV4 => {
                ["phone", "mobile", "homePhone", "otherPhone", "fax"].contains(&field)
            }
            Self::Sms | Self::Phone => field == "number",
            _ => false,
        }
    }
}

impl CallingCode {
    /// The country's code of these digits.
    pub fn of(code: &str) -> Option<Self> {
        let (code, prefix, digits) = COUNTRIES.into_iter().find(|country| country.0 == code)?;
        Some(Self { code, prefix, digits })
    }

    /// The digits of the country's code.
    pub fn digits(self) -> &'static str {
        self.code
    }

    /// The number gets the country's code: it has none, not even behind 00.
    pub fn is_added_to(self, text: &str) -> bool {
        is_national_number(text) && !trimmed(text).starts_with("00")
    }

    /// The number with + and the country's code, and its extension behind a comma; None of a text that is no number without them.
    ///
    /// # Errors
    /// The country has no such number, or the number may have the code already.
    pub fn complete(self, field: &'static str, text: &str) -> Result<Option<String>, Fault> {
        let text = trimmed(text);
        if let Some((number, extension)) = extension(text) {
            let number = self.complete(field, number)?;
            return Ok(number.map(|number| format!("{number},{extension}")));
        }
        let Some(digits) = national(text) else { return Ok(None) };
        let Self { code, prefix, digits: (least, most) } = self;
        // In America it is another prefix.
        if let Some(rest) = text.strip_prefix("00").filter(|_| code != "1") {
            return Ok(Some(format!("+{rest}")));
        }
        let stripped = digits.strip_prefix(prefix);
        let number = stripped.unwrap_or(&digits);
        let begins_with_zero = number.starts_with('0') && code != ITALY;
        if begins_with_zero || !(least..=most).contains(&number.len()) {
            let count = if least == most { least.to_string() } else { format!("{least} to {most}") };
            let begin = match prefix {
                "" if code == ITALY => String::new(),
                "" => " and does not begin with 0".to_owned(),
                _ => format!(" behind a first {prefix}"),
            };
            let message = format!(
                "a number of +{code} has {count} digits{begin}. Correct it, or write it with + and its country's code."
            );
            return Err(Fault::new(field, message));
        }
        let behind_code = number.strip_prefix(code).map_or(0, str::len);
        if stripped.is_none() && (!WITH_AREA.contains(&number.len()) || (least..=most).contains(&behind_code))
        {
            let message = format!(
                "the number begins neither with {prefix} nor with +. Write it with its area code, or with + and its country's code."
            );
            return Err(Fault::new(field, message));
        }
        Ok(Some(format!("+{code}{number}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_completed_as_their_country_writes_them() {
        for (code, text, expected) in [
            ("49", "0171 2345678", Some("+491712345678")),
            ("49", "(030) 12-34.56", Some("+4930123456")),
            ("49", "1712345678", Some("+491712345678")),
            ("49", "030\u{2013}1234\u{2011}56\u{2012}7\u{2212}8", Some("+493012345678")),
            ("49", "0043 664 1234567", Some("+43 664 1234567")),
            ("43", "0664/1234567", Some("+436641234567")),
            ("41", "079 123 45 67", Some("+41791234567")),
            ("44", "07700 900123", Some("+447700900123")),
            ("33", "06 12 34 56 78", Some("+33612345678")),
            ("39", "06 1234 5678", Some("+390612345678")),
            ("39", "392 123 4567", Some("+393921234567")),
            ("34", "612 345 678", Some("+34612345678")),
            ("48", "48 123 45 67", Some("+48481234567")),
            ("36", "06 30 123 4567", Some("+36301234567")),
            ("1", "(212) 555-0101", Some("+12125550101")),
            ("1", "1 212 555 0101", Some("+12125550101")),
            ("1", "(212) 555-0101x12", Some("+12125550101,12")),
            ("48", "22 123 45 69 wew. 12", Some("+48221234569,12")),
            ("48", "22 123 45 69 (W.12)", Some("+48221234569,12")),
            ("49", "030 123456 Durchwahl: 5", Some("+4930123456,5")),
            ("36", "06 1 123 4567 MELLÉK 3", Some("+3611234567,3")),
            ("33", "01 23 45 67 89, poste 21", Some("+33123456789,21")),
            ("7", "8 (916) 123-45-67", Some("+79161234567")),
            ("7", "701 123 45 67", Some("+77011234567")),
            ("375", "8 (029) 123-45-67", Some("+375291234567")),
            ("90", "0532 123 45 67", Some("+905321234567")),
            ("91", "91234 56789", Some("+919123456789")),
            ("86", "138 0013 8000", Some("+8613800138000")),
            ("55", "(55) 99123-4567", Some("+5555991234567")),
            ("81", "090-1234-5678", Some("+819012345678")),
            ("372", "5123 4567", Some("+37251234567")),
            ("52", "55 1234 5678", Some("+525512345678")),
        ] {
            let completed = CallingCode::of(code).unwrap().complete("number", text);
            assert_eq!(completed.unwrap().as_deref(), expected, "{code} {text}");
        }
        for text in ["+49 171 2345678", "112", "116117", "", "0171 CALL"] {
            assert_eq!(CallingCode::of("49").unwrap().complete("number", text), Ok(None), "{text}");
            assert!(!is_national_number(text), "{text}");
        }
    }

    #[test]
    fn numbers_that_may_be_others_are_refused() {
        for (code, text, expected) in [
            ("45", "0171 2345678", "a number of +45 has 8 digits and does not begin with 0."),
            ("48", "48 501 234 567", "a number of +48 has 9 digits and does not begin with 0."),
            ("33", "33 6 12 34 56 78", "a number of +33 has 9 digits behind a first 0."),
            ("39", "39 06 1234 5678", "a number of +39 has 6 to 10 digits."),
            ("1", "0049 171 2345678", "a number of +1 has 10 digits behind a first 1."),
            ("49", "2345678", "the number begins neither with 0 nor with +."),
            ("7", "7 916 123 45 67", "a number of +7 has 10 digits behind a first 8."),
            ("7", "800 100 20 30", "a number of +7 has 10 digits behind a first 8."),
            ("375", "029 123 45 67", "a number of +375 has 9 digits behind a first 80."),
            ("52", "01 55 1234 5678", "a number of +52 has 10 digits and does not begin with 0."),
            ("64", "64 3 123 4567", "the number begins neither with 0 nor with +."),
            ("49", "49 30 123456", "the number begins neither with 0 nor with +."),
        ] {
            let fault = CallingCode::of(code).unwrap().complete("number", text).unwrap_err();
            assert!(fault.message.starts_with(expected), "{code} {text}: {}", fault.message);
        }
    }
}
