//! Dates and times: days since 1900 or 1904, and parts of days.

use qrpress_kinds::calendar::{self, MONTHS, WEEKDAYS};

use super::section::{ENGLISH, Section};
use super::token::Token;
use crate::columns::shortened;
use crate::fault::Fault;

/// Days between the two systems.
pub(super) const DAYS_TO_1904: i32 = 1462;

/// The day after 31 December 9999.
pub(super) const END: f64 = 2_958_466.0;

pub(super) const DAY_MILLISECONDS: i32 = 86_400_000;

/// The first day that has the same number in every program: Excel counts a 29 February 1900, which never was.
pub(super) const MARCH_1900: f64 = 61.0;

/// A moment in its parts.
struct Moment {
    year: i64,
    month: u32,
    day: u32,
    /// Monday is 0.
    weekday: usize,
    /// Milliseconds since midnight of the first day of the workbook's system.
    milliseconds: i64,
}

/// The text that a date section shows; nothing where that is not known, an error where there is no such date.
pub(crate) fn shown(section: &Section, number: f64, is_1904: bool) -> Option<Result<String, Fault>> {
    let first_day = if is_1904 { DAYS_TO_1904 } else { 0 };
    let serial = number + f64::from(first_day);
    let names = section.tokens.iter().any(|token| matches!(token, Token::Date('m' | 'd', 3..)));
    if section.is_unknown() || (names && section.language != 0 && section.language != ENGLISH) {
        return None;
    }
    let has = |wanted: &dyn Fn(usize, &Token) -> bool| {
        section.tokens.iter().enumerate().any(|(index, token)| wanted(index, token))
    };
    let has_date = has(&|index, token| match token {
        Token::Date('y' | 'd', _) => true,
        Token::Date('m', count) => *count > 2 || !is_minute(&section.tokens, index),
        _ => false,
    });
    if number < 0.0 || serial >= END {
        return Some(Err(Fault::NoDateOfNumber));
    }
    if has_date && serial < MARCH_1900 {
        return Some(Err(Fault::EarlyDate));
    }
    let has_time = has(&|index, token| match token {
        Token::Date('h' | 's', _) | Token::Elapsed(..) => true,
        Token::Date('m', 1 | 2) => is_minute(&section.tokens, index),
        _ => false,
    });
    let milliseconds = (number * f64::from(DAY_MILLISECONDS)).round() as i64;
    let moment = Moment::of(milliseconds, first_day);
    if !has_time {
        return fill(section, &moment).map(Ok);
    }
    // Times are rounded to what is shown of a second.
    let seconds = section.tokens.iter().position(|token| matches!(token, Token::Date('s', _)));
    let places = seconds.map_or(0, |index| places_behind(&section.tokens[index + 1..]).min(3));
    let step = 10_i64.pow(3 - places as u32);
    let rounded = Moment::of((milliseconds + step / 2) / step * step, first_day);
    if has_date && rounded.day != moment.day {
        return Some(Err(Fault::Midnight));
    }
    fill(section, &rounded).map(Ok)
}

/// Decimal places of seconds, by the tokens behind them.
fn places_behind(tokens: &[Token]) -> usize {
    match tokens {
        [Token::Point, digits @ ..] => digits.iter().take_while(|token| **token == Token::Digit('0')).count(),
        _ => 0,
    }
}

impl Moment {
    fn of(milliseconds: i64, first_day: i32) -> Self {
        let serial = milliseconds.div_euclid(DAY_MILLISECONDS.into()) + i64::from(first_day);
        let (year, month, day) = calendar::civil(serial - 25_569);
        let weekday = usize::try_from((serial + 5).rem_euclid(7)).unwrap_or(0);
        Self { year, month, day, weekday, milliseconds }
    }
}

/// The number of a date such as `2026-01-31T12:00:00` (ISO 8601), in the time of the place where it is read.
///
/// # Errors
/// There is no such date, or it has the time zone of a place.
pub(crate) fn serial_of_iso(text: &str, is_1904: bool) -> Result<f64, Fault> {
    if let Some(serial) = serial_without_zone(text, is_1904) {
        return Ok(serial);
    }
    let (local, zone) = text.split_at_checked(text.len().saturating_sub(6)).unwrap_or((text, ""));
    let has_zone = zone.starts_with(['+', '-'])
        && numbers::<2>(&zone[1..], ':').is_some()
        && serial_without_zone(local, is_1904).is_some();
    let text = shortened(text, 40);
    Err(if has_zone { Fault::ZonedDate(text) } else { Fault::NoDate(text) })
}

fn serial_without_zone(text: &str, is_1904: bool) -> Option<f64> {
    let (date, time) = text.split_once('T').map_or((text, None), |(date, time)| (date, Some(time)));
    let [year, month, day] = numbers(date, '-')?;
    if !(1900..=9999).contains(&year) || !calendar::is_date(year, month, day) {
        return None;
    }
    let days = calendar::days(year, month, day) + 25_569;
    let days = if days <= 60 { days - 1 } else { days };
    let serial = f64::from(i32::try_from(days).ok()?) + time.map_or(Some(0.0), seconds_of_iso)? / 86_400.0;
    Some(if is_1904 { serial - f64::from(DAYS_TO_1904) } else { serial })
}

/// The seconds of a time such as `12:30`, `12:30:05`, `12:30:05.25Z` or `12:30:05+00:00`.
fn seconds_of_iso(time: &str) -> Option<f64> {
    let zones = ["Z", "+00:00", "-00:00"];
    let time = zones.into_iter().find_map(|zone| time.strip_suffix(zone)).unwrap_or(time);
    let (whole, fraction) = time.split_once('.').map_or((time, None), |(whole, rest)| (whole, Some(rest)));
    let [hours, minutes, seconds] = match (numbers(whole, ':'), fraction) {
        (Some(numbers), _) => numbers,
        (None, None) => numbers(whole, ':').map(|[hours, minutes]| [hours, minutes, 0])?,
        (None, Some(_)) => return None,
    };
    if hours > 23 || minutes > 59 || seconds > 59 {
        return None;
    }
    let fraction = match fraction {
        Some(digits) if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            return None;
        }
        Some(digits) => format!("0.{digits}").parse().ok()?,
        None => 0.0,
    };
    Some(f64::from(hours * 3600 + minutes * 60 + seconds) + fraction)
}

/// Numbers with a separator between them.
fn numbers<const COUNT: usize>(text: &str, separator: char) -> Option<[u32; COUNT]> {
    let numbers: Option<Vec<u32>> = text.split(separator).map(number).collect();
    numbers?.try_into().ok()
}

/// A number of nothing but one to nine digits.
fn number(digits: &str) -> Option<u32> {
    let is_number = digits.len() <= 9 && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_number)
}

fn fill(section: &Section, moment: &Moment) -> Option<String> {
    let tokens = &section.tokens;
    let is_half_day = tokens.iter().any(|token| matches!(token, Token::HalfDay(_)));
    let seconds = moment.milliseconds.div_euclid(1000);
    let hour = seconds.div_euclid(3600).rem_euclid(24);
    let mut shown = String::new();
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        index += 1;
        match token {
            Token::Literal(text) => shown.push_str(text),
            Token::Date('y', 1 | 2) => shown.push_str(&padded(moment.year % 100, 2)),
            Token::Date('y', _) => shown.push_str(&padded(moment.year, 4)),
            Token::Date('m', count @ (1 | 2)) if is_minute(tokens, index - 1) => {
                shown.push_str(&padded(seconds.div_euclid(60).rem_euclid(60), *count));
            }
            Token::Date('m', 1 | 2) if is_uncertain(tokens, index - 1) => return None,
            Token::Date('m', count @ (1 | 2)) => shown.push_str(&padded(i64::from(moment.month), *count)),
            Token::Date('m', count) => {
                let name = MONTHS[moment.month as usize - 1];
                shown.push_str(match count {
                    3 => &name[..3],
                    5 => &name[..1],
                    _ => name,
                });
            }
            Token::Date('d', count @ (1 | 2)) => shown.push_str(&padded(i64::from(moment.day), *count)),
            Token::Date('d', count) => {
                let name = WEEKDAYS[moment.weekday];
                shown.push_str(if *count == 3 { &name[..3] } else { name });
            }
            Token::Date('h', count) => {
                let hour = if is_half_day { (hour + 11) % 12 + 1 } else { hour };
                shown.push_str(&padded(hour, (*count).min(2)));
            }
            Token::Date('s', count) => {
                shown.push_str(&padded(seconds.rem_euclid(60), (*count).min(2)));
                if tokens.get(index) == Some(&Token::Point) {
                    let places = places_behind(&tokens[index..]);
                    if !(1..=3).contains(&places) {
                        return None;
                    }
                    let parts = format!("{:03}", moment.milliseconds.rem_euclid(1000));
                    shown.push('.');
                    shown.push_str(&parts[..places]);
                    index += 1 + places;
                }
            }
            Token::Elapsed(letter, count) => {
                let unit = match letter {
                    'h' => 3600,
                    'm' => 60,
                    _ => 1,
                };
                shown.push_str(&padded(seconds.div_euclid(unit), *count));
            }
            Token::HalfDay(halves) => shown.push_str(&halves[usize::from(hour >= 12)]),
            Token::Comma => shown.push(','),
            Token::Point => shown.push('.'),
            _ => return None,
        }
    }
    Some(shown)
}

/// `m` behind `s` means minutes in some programs, and the month in others.
fn is_uncertain(tokens: &[Token], index: usize) -> bool {
    let is_time = |token: &&Token| matches!(token, Token::Date(..) | Token::Elapsed(..));
    let before = tokens[..index].iter().rev().find(is_time);
    matches!(before, Some(Token::Date('s', _) | Token::Elapsed('s', _))) && !is_minute(tokens, index)
}

/// `m` means minutes behind hours, and before seconds.
fn is_minute(tokens: &[Token], index: usize) -> bool {
    let is_time = |token: &&Token| matches!(token, Token::Date(..) | Token::Elapsed(..));
    let before = tokens[..index].iter().rev().find(is_time);
    let behind = tokens[index + 1..].iter().find(is_time);
    matches!(before, Some(Token::Date('h', _) | Token::Elapsed('h', _)))
        || matches!(behind, Some(Token::Date('s', _) | Token::Elapsed('s', _)))
}

fn padded(number: i64, count: usize) -> String {
    if count == 1 { number.to_string() } else { format!("{number:0count$}") }
}
