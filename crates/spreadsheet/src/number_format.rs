//! Number formats (ECMA-376-1, 18.8.31): what a cell with a number shows.
//!
//! The formats that people use are drawn digit by digit, as Excel does in English. Of the others, and of those that look
//! different in every country, the cell is refused: a wrong date on a label is worse than a question.

mod cell_number;
mod date;
mod decimal;
mod digit_places;
#[cfg(test)]
mod pairs;
mod section;
mod token;

use std::borrow::Cow;

pub(crate) use cell_number::{CellNumber, Shows};
pub(crate) use date::serial_of_iso;

use crate::fault::Fault;

use decimal::Decimal;
use section::{Condition, Section};
use token::Token;

/// A number from which on spreadsheet programs do not keep every digit.
const INEXACT: f64 = 1e15;

/// A number from which on spreadsheet programs show an exponent by themselves.
const SHORTENED: f64 = 1e11;

/// Characters of a code: Excel's own limit. Of longer ones nothing is known.
pub(crate) const CODE_CHARACTERS: usize = 255;

/// Sections of a code: for numbers above zero, below, and zero, and for texts.
const SECTIONS: usize = 4;

/// A parsed format.
#[derive(Debug)]
pub(crate) struct NumberFormat {
    /// For numbers.
    sections: Vec<Section>,
    /// For texts.
    text: Option<Section>,
    code: String,
    /// Bytes of the code: the work of showing a number grows with them.
    pub code_bytes: u64,
    depends_on_country: bool,
}

/// The format of an identifier that no workbook needs to define.
pub(crate) fn built_in(id: u32) -> NumberFormat {
    let code = match id {
        0 => "General",
        1 => "0",
        2 => "0.00",
        3 => "#,##0",
        4 => "#,##0.00",
        9 => "0%",
        10 => "0.00%",
        11 => "0.00E+00",
        12 => "# ?/?",
        13 => "# ??/??",
        15 => "d-mmm-yy",
        16 => "d-mmm",
        17 => "mmm-yy",
        18 => "h:mm AM/PM",
        19 => "h:mm:ss AM/PM",
        20 => "h:mm",
        21 => "h:mm:ss",
        37 => "#,##0 ;(#,##0)",
        38 => "#,##0 ;[Red](#,##0)",
        39 => "#,##0.00;(#,##0.00)",
        40 => "#,##0.00;[Red](#,##0.00)",
        45 => "mm:ss",
        46 => "[h]:mm:ss",
        47 => "mmss.0",
        48 => "##0.0E+0",
        49 => "@",
        _ => return NumberFormat { depends_on_country: true, ..NumberFormat::parse(of_country(id)) },
    };
    NumberFormat::parse(code)
}

/// A code that shows a date, a time or a number as the format of the identifier does, in another way in every country (ECMA-376-1,
/// 18.8.30).
fn of_country(id: u32) -> &'static str {
    match id {
        14 | 27..=31 | 36 | 50..=54 | 57 | 58 => "yyyy-mm-dd",
        22 => "yyyy-mm-dd hh:mm",
        32..=35 | 55 | 56 => "hh:mm",
        _ => "General",
    }
}

impl NumberFormat {
    /// Reads a format code.
    pub fn parse(code: &str) -> Self {
        let is_too_long = code.chars().nth(CODE_CHARACTERS).is_some();
        let parts = section::split(code);
        let parts = if is_too_long || parts.len() > SECTIONS { vec!["[unknown]"] } else { parts };
        let mut sections: Vec<Section> = parts.into_iter().map(Section::parse).collect();
        let last_is_text = sections.len() == SECTIONS
            || (sections.len() > 1
                && sections.last().is_some_and(|section| section.tokens.contains(&Token::Text)));
        let text = if last_is_text { sections.pop() } else { None };
        let only_text = sections.len() == 1 && sections[0].tokens.contains(&Token::Text);
        Self {
            text: text.or_else(|| only_text.then(|| sections[0].clone())),
            depends_on_country: sections.iter().any(|section| section.depends_on_country),
            sections,
            code: code.chars().take(60).collect(),
            code_bytes: code.len() as u64,
        }
    }

    /// The text that a cell with this text shows, or a part of it that is longer than a cell.
    pub fn text<'t>(&self, text: &'t str) -> Result<Cow<'t, str>, Fault> {
        match &self.text {
            Some(section) => section.text(text).map(Cow::Owned).ok_or_else(|| self.unknown()),
            None => Ok(Cow::Borrowed(text)),
        }
    }

    /// The text that a cell with this number shows.
    pub fn number(&self, number: f64, is_1904: bool) -> Result<String, Fault> {
        if number.abs().round() >= INEXACT {
            return Err(Fault::ManyDigits);
        }
        if self.depends_on_country {
            return Err(Fault::CountryFormat);
        }
        let (index, shows_minus) = self.section_of(number).ok_or_else(|| self.unknown())?;
        let section = self.sections.get(index).ok_or_else(|| self.unknown())?;
        if section.is_date() {
            return date::shown(section, number, is_1904).unwrap_or_else(|| Err(self.unknown()));
        }
        let mut decimal = Decimal::of(number);
        decimal.negative &= shows_minus;
        let shown = section.number(&decimal).ok_or_else(|| self.unknown())?;
        let shown = shown.trim_matches(' ').to_owned();
        let lacks_sign = number < 0.0 && !shows_minus && !shown.is_empty();
        if lacks_sign && self.shows_alike(&decimal, &shown) {
            return Err(Fault::HiddenSign);
        }
        let has_all_digits = if section.is_plain() {
            number.abs() < SHORTENED - 0.5 || number.fract() == 0.0
        } else {
            number.abs() < SHORTENED || !section.has_exponent() || shown.parse() == Ok(number)
        };
        if !has_all_digits {
            return Err(Fault::HiddenDigits);
        }
        Ok(shown)
    }

    /// The positive number shows the same text.
    fn shows_alike(&self, positive: &Decimal, shown: &str) -> bool {
        let other = self.sections.first().and_then(|section| section.number(positive));
        other.is_some_and(|other| other.trim_matches(' ') == shown)
    }

    /// The thing that a cell with this number shows.
    pub fn shows(&self, number: f64) -> Shows {
        let section = self.section_of(number).and_then(|(index, _)| self.sections.get(index));
        match section {
            Some(section) if section.is_moment() && section.has_time() => Shows::Time,
            Some(section) if section.is_moment() && section.is_month() => Shows::Month,
            Some(section) if section.is_moment() => Shows::Date,
            Some(section) if section.has_unit() => Shows::Unit,
            _ => Shows::Number,
        }
    }

    /// A cell with this number, which is `shown` here, looks different in programs of other countries.
    pub fn varies(&self, number: f64, shown: &str) -> bool {
        let section = self.section_of(number).and_then(|(index, _)| self.sections.get(index));
        section.is_some_and(|section| section.varies(shown))
    }

    /// Index of the section, and whether it prints the sign. `None` if programs disagree. The index may be out of range.
    fn section_of(&self, number: f64) -> Option<(usize, bool)> {
        let condition = |index: usize| self.sections.get(index).and_then(|section| section.condition);
        let (first, second) = (condition(0), condition(1));
        if (0..self.sections.len()).all(|index| condition(index).is_none()) {
            return Some(match self.sections.len() {
                0 | 1 => (0, true),
                2 => (usize::from(number < 0.0), false),
                _ if number > 0.0 => (0, false),
                _ if number < 0.0 => (1, false),
                _ => (2, false),
            });
        }
        let is_for_positive = first.is_some_and(Condition::is_for_positive);
        if first.is_some_and(|first| first.holds(number)) {
            let is_certain = number >= 0.0 || !first.is_some_and(Condition::is_for_negative);
            return is_certain.then_some((0, true));
        }
        match second {
            Some(second) if second.holds(number) => {
                let has_own_sign = number < 0.0 && second.is_for_negative();
                (!has_own_sign || is_for_positive).then_some((1, !has_own_sign))
            }
            Some(_) => Some((2, true)),
            // As if it had the condition `<0`.
            None if self.sections.len() > 2 => {
                is_for_positive.then_some((if number < 0.0 { 1 } else { 2 }, false))
            }
            None => Some((1, !is_for_positive)),
        }
    }

    fn unknown(&self) -> Fault {
        Fault::UnknownFormat(self.code.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(code: &str, number: f64) -> String {
        NumberFormat::parse(code).number(number, false).unwrap_or_else(|error| format!("refused: {error}"))
    }

    #[test]
    fn numbers_are_shown_as_excel_shows_them() {
        for (code, number, expected) in [
            ("General", 4_006_381_333_931.0, "4006381333931"),
            ("General", 0.1 + 0.2, "0.3"),
            ("General", -12.5, "-12.5"),
            ("General", 0.0, "0"),
            ("General", 1e-7, "0.0000001"),
            ("0", 4_006_381_333_931.0, "4006381333931"),
            ("00000", 1067.0, "01067"),
            ("0000000000000", 12_345.0, "0000000012345"),
            ("0.00", 2.675, "2.68"),
            ("0.00", 1.005, "1.01"),
            ("0.00", -3.24159, "-3.24"),
            ("0.0", 9.96, "10.0"),
            ("#,##0", 1_234_567.0, "1,234,567"),
            ("#,##0", 12.0, "12"),
            ("#,##0.00", 1234.5, "1,234.50"),
            ("0%", 0.285, "29%"),
            ("0.00%", 0.12345, "12.35%"),
            ("0.##", 5.0, "5."),
            ("0.##", 5.25, "5.25"),
            ("#", 0.0, ""),
            ("0.00E+00", 12_345.0, "1.23E+04"),
            ("0.00E+00", 0.000_999_9, "1.00E-03"),
            ("0-000000-000000", 4_006_381_333_931.0, "4-006381-333931"),
            ("\"No. \"000", 7.0, "No. 007"),
            ("000\\.000", 123_456.0, "123.456"),
            ("#,##0.00 [$€-407]", 1234.5, "1,234.50 €"),
            ("[$$-409]#,##0.00", 5.0, "$5.00"),
            ("#,##0;(#,##0)", -1234.0, "(1,234)"),
            ("0;-0;\"none\"", 0.0, "none"),
            ("[Red]0;[Blue]-0", -5.0, "-5"),
            ("_(* #,##0_);_(* (#,##0);_(* \"-\"_);_(@_)", 0.0, "-"),
            ("0,", 12_345.0, "12"),
            ("@", 42.0, "42"),
            (";;;", 42.0, ""),
            ("[<=9999999]000-0000;(000) 000-0000", 2_125_551_234.0, "(212) 555-1234"),
        ] {
            assert_eq!(shown(code, number), expected, "{number} as {code}");
        }
    }

    #[test]
    fn dates_are_shown_as_excel_shows_them() {
        // 31 January 2026, 13:05:09.
        let serial = 46_053.0 + f64::from(13 * 3600 + 5 * 60 + 9) / 86_400.0;
        for (code, expected) in [
            ("yyyy-mm-dd", "2026-01-31"),
            ("dd.mm.yyyy", "31.01.2026"),
            ("d/m/yy", "31/1/26"),
            ("m/d/yyyy", "1/31/2026"),
            ("d-mmm-yy", "31-Jan-26"),
            ("dddd, d mmmm yyyy", "Saturday, 31 January 2026"),
            ("[$-409]mmm d, yyyy;@", "Jan 31, 2026"),
            ("[$-en-GB]d mmmm yyyy;@", "31 January 2026"),
            ("[$-de-DE]dd.mm.yyyy", "31.01.2026"),
            ("[$-407]dd.mm.yyyy", "31.01.2026"),
            ("[$-010c09]d/mm/yyyy", "31/01/2026"),
            ("[$-1010409]m/d/yyyy", "1/31/2026"),
            ("yyyy\\-mm\\-dd\\Thh:mm:ss", "2026-01-31T13:05:09"),
            ("h:mm AM/PM", "1:05 PM"),
            ("h:mm am/pm", "1:05 PM"),
            ("h:mmA/P", "1:05P"),
            ("h:mm a/p", "1:05 p"),
            ("hh:mm", "13:05"),
            ("mm:ss", "05:09"),
            ("yyyymmdd", "20260131"),
        ] {
            assert_eq!(shown(code, serial), expected, "{code}");
        }
        assert_eq!(shown("[h]:mm", 1.5), "36:00");
        assert_eq!(NumberFormat::parse("yyyy-mm-dd").number(44_591.0, true).unwrap(), "2026-01-31");
        assert_eq!(serial_of_iso("2026-01-31T12:00:00", false), Ok(46_053.5));
        assert_eq!(serial_of_iso("1900-02-28", false), Ok(59.0));
        assert_eq!(serial_of_iso("1900-03-01", false), Ok(61.0));
    }

    #[test]
    fn a_section_for_the_rest_shows_the_sign() {
        for (code, number, expected) in [
            ("[>=1000]0.0,\"K\";0", -50.0, "-50"),
            ("[>=1000]0.0,\"K\";0", 50.0, "50"),
            ("[>=1000000]0.0,,\"M\";[>=1000]0.0,\"K\";0", -1500.0, "-1500"),
            ("[>100]0.0;[<-100]-0;0", -50.0, "-50"),
            ("[<100]0.0;0", -5.0, "-5.0"),
            ("[>=0]0;-0", -5.0, "-5"),
            ("[>0]0;[<0](0);0", -5.0, "(5)"),
            ("[=0]\"none\";0", -0.0, "none"),
            ("[>0]+0%;-0%;0%", 0.0, "0%"),
            ("[>0]+0%;-0%;0%", -0.05, "-5%"),
        ] {
            assert_eq!(shown(code, number), expected, "{number} as {code}");
        }
        // Programs differ in whether they add a sign to a section of negative numbers alone.
        for code in ["[>100]0.0;[<-100]-0;0", "[>100]0.0;[<-100]0;0", "[<0]0;0.0", "[<=-1]0;[<0]0;0.0"] {
            assert!(shown(code, -500.0).starts_with("refused"), "{code}");
        }
    }

    #[test]
    fn a_number_that_no_condition_holds_for_is_refused() {
        for code in ["[>100]0", "[>100]0;[<10]0", "[>100]0;0;0"] {
            assert!(shown(code, 50.0).starts_with("refused"), "{code}");
        }
    }

    #[test]
    fn times_do_not_count_from_1904() {
        let shown = |code, number| NumberFormat::parse(code).number(number, true);
        assert_eq!(shown("[h]:mm", 1.5), Ok("36:00".to_owned()));
        assert_eq!(shown("[mm]:ss", 0.5), Ok("720:00".to_owned()));
        assert_eq!(shown("h:mm", 0.5), Ok("12:00".to_owned()));
        assert_eq!(shown("yyyy-mm-dd", 0.0), Ok("1904-01-01".to_owned()));
        for code in ["h:mm", "[h]:mm", "yyyy-mm-dd"] {
            assert!(shown(code, -0.5).is_err(), "{code}");
        }
    }

    #[test]
    fn parts_of_seconds_are_rounded() {
        for (code, seconds, expected) in [
            ("mm:ss.0", 9.96, "00:10.0"),
            ("ss.00", 59.999, "00.00"),
            ("mm:ss.000", 59.999, "00:59.999"),
            ("h:mm:ss.0", 3599.95, "1:00:00.0"),
            ("mm:ss.0", 9.94, "00:09.9"),
        ] {
            assert_eq!(shown(code, seconds / 86_400.0), expected, "{seconds} as {code}");
        }
        assert!(shown("d h:mm:ss.0", 46_053.0 + 86_399.96 / 86_400.0).starts_with("refused"));
    }

    #[test]
    fn months_before_march_1900_are_refused() {
        // Excel shows 01: its day 1 is 1 January 1900.
        for code in ["mm", "m", "[h] mm/dd"] {
            assert!(shown(code, 1.0).starts_with("refused"), "{code}");
        }
        assert_eq!(shown("mm", 46_053.0), "01");
    }

    #[test]
    fn what_is_not_certain_is_refused() {
        for (code, number) in [
            ("General", 1e15),
            ("General", 999_999_999_999_999.9),
            ("# ?/8", 1.5),
            ("0/8", 0.5),
            ("上午/下午h\"時\"", 46_053.5),
            ("# ?/?", 0.5),
            ("[$-F800]dddd, mmmm dd, yyyy", 46_053.0),
            ("[$-407]d. mmmm yyyy", 46_053.0),
            ("[$-de-DE]d. mmmm yyyy", 46_053.0),
            ("[$-x-sysdate]dddd, mmmm dd, yyyy", 46_053.0),
            ("[$-ar-SA,117]yyyy-mm-dd", 46_053.0),
            ("[$-2000401]yyyy-mm-dd", 46_053.0),
            ("[$-030411]yyyy-mm-dd", 46_053.0),
            ("yyyy-mm-dd", -1.0),
            ("yyyy-mm-dd", 60.0),
            ("dd.mm.yyyy hh:mm", 0.5),
            ("0.00;[Red]0.00", -5.0),
            ("0.00E+00", 4_006_381_333_931.0),
            ("yyyy-mm-dd", 1e9),
            ("##0.0E+0", 12.0),
            ("[DBNum1]0", 1.0),
        ] {
            assert!(shown(code, number).starts_with("refused"), "{code}");
        }
        for id in [5, 14, 22, 30, 44, 80] {
            assert!(built_in(id).number(46_053.0, false).is_err(), "{id}");
        }
    }

    #[test]
    fn some_formats_look_different_in_other_countries() {
        for (code, number, varies) in [
            ("#,##0.00", 1234.5, true),
            ("General", 12.5, true),
            ("dd/mm/yyyy", 46_053.0, true),
            ("d-mmm-yy", 46_053.0, true),
            ("General", 12.0, false),
            ("#,##0", 12.0, false),
            ("\"No. \"000", 7.0, false),
            ("dd.mm.yyyy", 46_053.0, false),
            ("dd\\/mm\\/yyyy", 46_053.0, false),
            ("[$-409]d-mmm-yy", 46_053.0, false),
        ] {
            let format = NumberFormat::parse(code);
            let shown = format.number(number, false).unwrap();
            assert_eq!(format.varies(number, &shown), varies, "{code}");
        }
    }

    #[test]
    fn texts_are_shown_with_their_section() {
        assert_eq!(NumberFormat::parse("General").text("a"), Ok("a".into()));
        assert_eq!(NumberFormat::parse("\"ID-\"@").text("7"), Ok("ID-7".into()));
        assert_eq!(NumberFormat::parse(";;;").text("a"), Ok("".into()));
        assert_eq!(NumberFormat::parse("0;-0;0;@").text("a"), Ok("a".into()));
    }

    /// Formats for amounts of money keep all values of a column away from the edges of their cells, and texts among them.
    #[test]
    fn gaps_at_the_edges_of_a_cell_are_no_text() {
        for code in [
            "_(* #,##0.00_);_(* \\(#,##0.00\\);_(* \"-\"??_);_(@_)",
            "_-* #,##0.00\\ \"€\"_-;\\-* #,##0.00\\ \"€\"_-;_-* \"-\"??\\ \"€\"_-;_-@_-",
            "[Red]_(@_)* ",
        ] {
            let format = NumberFormat::parse(code);
            assert_eq!(format.text("https://example.org"), Ok("https://example.org".into()), "{code}");
            assert_eq!(format.text(" a "), Ok(" a ".into()), "{code}");
        }
        assert_eq!(NumberFormat::parse("@_-\"x\"").text("a"), Ok("a x".into()));
        for code in ["yyyy-mm-dd_)", "_(yyyy-mm-dd_)"] {
            assert_eq!(shown(code, 46_053.0), "2026-01-31", "{code}");
        }
        assert_eq!(shown("_-* \"-\"??\\ \"€\"_-", 0.0), "-   €");
    }
}
