//! Dates as people write them in sheets: with dots, slashes, hyphens, or the name of a month.

use std::borrow::Cow;
use std::fmt::Write;

use crate::calendar::is_date;
use crate::month::{Form, month_of};
use crate::weekday::without_weekday;

/// Words between the parts of a date: `28 de noviembre de 2026`, `2027 m. gegužės 17 d.`, `2027. gada 17. maijs`.
const BETWEEN: [&str; 9] = ["de", "del", "of", "m", "gada", "den", "d", "le", "the"];

/// Words behind a year or a day, longest first: `17 maja 2027 r.`, `17 мая 2027 г.`.
const BEHIND: [&str; 9] = ["godine", "года", "року", "roku", "god", "г", "р", "r", "d"];

/// Ends of days as ordinal numbers: `1st`, `1er`.
const ORDINALS: [&str; 7] = ["st", "nd", "rd", "th", "er", "º", "°"];

/// Two digits of a year up to this are of this century. Others are of no event and no expiry that is to come.
const LATEST: u32 = 69;

/// Two digits behind slashes are a year from this on.
const EARLIEST: u32 = 20;

/// Bytes of the longest text that is looked at for such a date: cells may have a million.
const LONGEST: usize = 100;

/// Bytes of the longest text of two dates, or of a date and a time. Each sign between them is tried, and a cell may have thousands.
pub(crate) const LONGEST_OF_SEVERAL: usize = 250;

/// Words before the first of two days.
const BEFORE: [&str; 7] = ["vom ", "du ", "del ", "dal ", "from ", "van ", "od "];

/// Year, month and day.
type Date = [u32; 3];

/// The year, which is 543 less than that of the Thai calendar. No event and no expiry is in the years of that.
pub(crate) fn western_year(year: u32) -> u32 {
    const THAI: std::ops::Range<u32> = 2563..2613;

    if THAI.contains(&year) { year - 543 } else { year }
}

/// The order of day and month in a date with slashes or hyphens whose year is last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DayAndMonth {
    /// `28/11/2026`.
    DayFirst,
    /// `11/28/2026`.
    MonthFirst,
    /// `01/02/2026`: the same text with the date as `2026-02-01`, and as `2026-01-02`.
    Either([String; 2]),
}

/// The order of day and month in a text that begins with a date such as `28/11/2026`. None of other texts, and where both are the same.
/// Another date behind it has the same order: `28/12/2026 - 03/01/2027`.
pub fn day_and_month(text: &str) -> Option<DayAndMonth> {
    let text =
        &*from_date(Some(crate::values::trimmed(text)).filter(|text| text.len() <= LONGEST_OF_SEVERAL)?);
    year_last(text.split(between_dates(text)).next()?)?;
    match [true, false].map(|is_day_first| in_order(text, is_day_first)) {
        [Some(day_first), Some(month_first)] => {
            (day_first != month_first).then_some(DayAndMonth::Either([day_first, month_first]))
        }
        [Some(_), None] => Some(DayAndMonth::DayFirst),
        [None, Some(_)] => Some(DayAndMonth::MonthFirst),
        [None, None] => None,
    }
}

/// The text without a word before the first of two days.
pub(crate) fn without_from(text: &str) -> Option<&str> {
    BEFORE.iter().find_map(|word| {
        let (start, rest) = text.split_at_checked(word.len())?;
        start.eq_ignore_ascii_case(word).then_some(rest)
    })
}

/// The text without a day of the week before its date, or a word before the first of two: `du 28/12/2026 au 03/01/2027`.
fn from_date(text: &str) -> Cow<'_, str> {
    let text = crate::values::trimmed(text);
    if text.starts_with(|first: char| first.is_ascii_digit()) {
        return text.into();
    }
    let are_two = |text: &&str| text.split(between_dates(text)).filter_map(year_last).nth(1).is_some();
    match without_from(text).filter(are_two) {
        Some(dates) => dates.into(),
        None => without_weekday(text).map_or(text.into(), Cow::Owned),
    }
}

/// Signs behind the dates of a text. A hyphen is one beside dates with slashes.
fn between_dates(text: &str) -> impl Fn(char) -> bool + Copy {
    let has_slashes = text.split([' ', 'T']).next().is_some_and(|date| date.contains('/'));
    move |sign| [' ', 'T', '–', '—'].contains(&sign) || (sign == '-' && has_slashes)
}

/// The text with its dates that have the year last as `2026-11-28`. None: one of them is no day in this order.
fn in_order(text: &str, is_day_first: bool) -> Option<String> {
    let mut whole = String::with_capacity(text.len());
    let is_between = between_dates(text);
    for part in text.split_inclusive(is_between) {
        let date = part.trim_end_matches(is_between);
        let Some([first, second, year]) = year_last(date) else {
            whole.push_str(part);
            continue;
        };
        let [month, day] = if is_day_first { [second, first] } else { [first, second] };
        if !is_date(year, month, day) {
            return None;
        }
        let _ = write!(whole, "{year:04}-{month:02}-{day:02}{}", &part[date.len()..]);
    }
    Some(whole)
}

/// The text with its dates in the one order that all of them can have. None: its first date may begin with the year.
pub(crate) fn in_one_order(text: &str) -> Option<String> {
    let is_day_first = match day_and_month(text)? {
        DayAndMonth::DayFirst => true,
        DayAndMonth::MonthFirst => false,
        DayAndMonth::Either(_) => return None,
    };
    let text = &*from_date(text);
    let first = text.split(between_dates(text)).next().and_then(short_year_last);
    if first.is_some_and(may_begin_with_year) { None } else { in_order(text, is_day_first) }
}

/// The text begins with a date that no calendar has, such as `31-02-2027`.
pub(crate) fn names_no_day(text: &str) -> bool {
    let date = text.split(['T', ' ']).next().unwrap_or_default();
    let found = of_numbers(date).or_else(|| year_last(date).filter(|_| day_and_month(date).is_none()));
    let found = found.or_else(|| with_name(text).or_else(|| with_points(text)).map(|(date, _)| date));
    found.is_some_and(|[year, month, day]| !is_date(year, month, day))
}

/// `2026-01-31`, `2026/1/31`, `31.1.2026`, `31.1.26`, `2026.1.31`, `31/1/2026`, `13/1/26`, `1/31/2026`; not `1/2/2026`, of which nobody knows
/// the month, and not `25/12/27`, of which nobody knows the year.
pub(crate) fn of_numbers(date: &str) -> Option<Date> {
    numbers(date, '-', [4..=4, 2..=2, 2..=2])
        .or_else(|| dotted(date))
        .or_else(|| numbers(date, '/', [4..=4, 1..=2, 1..=2]))
        .or_else(|| {
            let [first, second, year] = year_last(date)
                .filter(|found| short_year_last(date).is_none() || !may_begin_with_year(*found))?;
            match day_and_month(date) {
                Some(DayAndMonth::DayFirst) => Some([year, second, first]),
                Some(DayAndMonth::MonthFirst) => Some([year, first, second]),
                Some(DayAndMonth::Either(_)) => None,
                None => (first == second).then_some([year, first, second]),
            }
        })
}

fn dotted(date: &str) -> Option<Date> {
    with_points(date).filter(|(_, rest)| rest.is_empty()).map(|(date, _)| date)
}

/// The date of `2.3.2027`, `2. 3. 2027`, `2027.03.02` or `2027. 03. 02.`, and the text behind it. Wherever dates have points and the
/// year last, the day goes first.
pub(crate) fn with_points(text: &str) -> Option<(Date, &str)> {
    let is_space = [' ', '\u{a0}'];
    let mut rest = text;
    let mut next = |point: &str| {
        let start = rest.strip_prefix(point)?.trim_start_matches(is_space);
        let (digits, behind) =
            start.split_at(start.find(|end: char| !end.is_ascii_digit()).unwrap_or(start.len()));
        rest = behind;
        Some((digits.parse().ok()?, digits.len()))
    };
    let [(first, digits), (second, 1..=2), (third, last)] = [next("")?, next(".")?, next(".")?] else {
        return None;
    };
    let date = match (digits, last) {
        (4, 1..=2) => [first, second, third],
        (1..=2, _) => [full_year(third, last)?, second, first],
        _ => return None,
    };
    let behind = without_word(rest);
    (rest.is_empty() || behind.len() < rest.len()).then_some((date, behind))
}

fn year_last(date: &str) -> Option<Date> {
    let mut separators = ['/', '-'].into_iter();
    separators
        .find_map(|separator| numbers(date, separator, [1..=2, 1..=2, 4..=4]))
        .or_else(|| short_year_last(date))
}

/// `13/02/27`. A date that ends in another number may begin with the year: `27/02/13`.
fn short_year_last(date: &str) -> Option<Date> {
    let [first, second, year] = numbers(date, '/', [1..=2, 1..=2, 2..=2])?;
    let is_date = [first, second].iter().all(|number| (1..=31).contains(number)) && year >= EARLIEST;
    is_date.then_some([first, second, full_year(year, 2)?])
}

/// The place of a year of two digits in a date with slashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShortYear {
    /// `13/02/27`, `05/03/27`.
    Last,
    /// `25/12/27`: the same text with the date as `2027-12-25`. It may also be meant as `2025-12-27`.
    Either(String),
}

/// The place of the year in a text that begins with a date such as `13/02/27`. None of other texts.
pub fn short_year(text: &str) -> Option<ShortYear> {
    let text = &*from_date(Some(text).filter(|text| crate::values::trimmed(text).len() <= LONGEST)?);
    let mut dates = text.split(between_dates(text)).map(short_year_last);
    let first = dates.next()??;
    if !may_begin_with_year(first) {
        return Some(ShortYear::Last);
    }
    // `27/02/20 - 27/02/25` are days of one month, or the same day of several years.
    let is_sure = dates.flatten().all(|[day, ..]| day != first[0]);
    is_sure.then(|| in_order(text, true)).flatten().map(ShortYear::Either)
}

fn may_begin_with_year([first, month, year]: Date) -> bool {
    first >= EARLIEST && is_date(2000 + first, month, year - 2000) && is_date(year, month, first)
}

/// The year of so many digits.
fn full_year(year: u32, digits: usize) -> Option<u32> {
    match digits {
        4 => Some(year),
        2 if year <= LATEST => Some(2000 + year),
        _ => None,
    }
}

/// The date of `28. November 2026`, `Nov 28, 2026`, `28-Nov-26` or `2026. november 28.`, and the text behind it.
pub(crate) fn with_name(text: &str) -> Option<(Date, &str)> {
    let is_between = |character: char| " \u{a0},.-/".contains(character);
    let mut rest = text;
    let mut next = || {
        loop {
            let start = rest.trim_start_matches(is_between);
            let (word, behind) = start.split_at(start.find(is_between).unwrap_or(start.len()));
            rest = behind;
            if !BETWEEN.contains(&word) {
                return (word, behind);
            }
        }
    };
    let [(first, behind_first), (second, behind_second), (third, behind_third)] = [next(), next(), next()];
    let form = match (behind_first.starts_with('.'), behind_third.starts_with('.')) {
        (true, true) => Form::Points,
        (false, _) if behind_first.starts_with(' ') && behind_second.starts_with(' ') => Form::Spaces,
        _ => Form::Other,
    };
    let of = |word| month_of(word, form);
    let is_year = |text: &str| text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    let (month, day, year) = if is_year(first) {
        of(second).map(|month| (month, third, first)).or_else(|| Some((of(third)?, second, first)))?
    } else {
        of(first).map(|month| (month, second, third)).or_else(|| Some((of(second)?, first, third)))?
    };
    let day = ORDINALS.into_iter().find_map(|ordinal| day.strip_suffix(ordinal)).unwrap_or(day);
    let [day] = numbers(day, ' ', [1..=2])?;
    let digits = BEHIND.into_iter().find_map(|word| year.strip_suffix(word)).unwrap_or(year);
    let [year] = numbers(digits, ' ', [2..=4])?;
    Some(([full_year(year, digits.len())?, month, day], without_word(rest)))
}

/// The text behind a date, without the point and the word that end the date.
pub(crate) fn without_word(text: &str) -> &str {
    let is_between = [' ', '\u{a0}', ',', '.'];
    let text = text.trim_start_matches(is_between);
    let is_whole = |rest: &&str| rest.is_empty() || rest.starts_with(is_between);
    let behind = BEHIND.into_iter().find_map(|word| text.strip_prefix(word).filter(is_whole));
    behind.map_or(text, |rest| rest.trim_start_matches(is_between))
}

/// The numbers between separators, each of so many digits.
pub(crate) fn numbers<const N: usize>(
    text: &str,
    separator: char,
    lengths: [std::ops::RangeInclusive<usize>; N],
) -> Option<[u32; N]> {
    let mut parts = text.split(separator);
    let mut found = [0; N];
    for (number, length) in found.iter_mut().zip(lengths) {
        let part = parts.next().filter(|part| length.contains(&part.len()))?;
        *number = part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse().ok()).flatten()?;
    }
    parts.next().is_none().then_some(found)
}
