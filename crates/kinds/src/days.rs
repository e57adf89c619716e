//! The first and the last day of an event in one text: `12.–13.06.2027`, `30 May to 2 June 2027`.

use crate::clock::{BETWEEN, time_of_day};
use crate::date::{LONGEST_OF_SEVERAL, in_one_order, without_from};
use crate::moment::{Form, Moment};
use crate::values::trimmed;

/// Words from one day to another, beside those between two times.
const BETWEEN_DAYS: [&str; 5] = [" au ", " bis zum ", " t/m ", " t.e.m. ", " t.o.m. "];

/// Signs and words between two days, of which the second one is the next.
const AND: [&str; 13] =
    ["./", " / ", "+", "&", " und ", " and ", " et ", " y ", " e ", " en ", " och ", " og ", " i "];

/// A year with all days that there are.
const YEAR: &str = "2028";

/// Bytes of the longest date without a year.
const LONGEST: usize = 60;

/// Both days, or both times with their days, the first of them first.
pub(crate) fn first_and_last(text: &str) -> Option<[Moment; 2]> {
    if text.len() > LONGEST_OF_SEVERAL {
        return None;
    }
    let lower = text.to_lowercase();
    let lower = in_one_order(&lower).unwrap_or(lower);
    let text = without_from(&lower).unwrap_or(&lower);
    let signs = BETWEEN.into_iter().chain(BETWEEN_DAYS);
    let found =
        |(place, sign): (usize, &str)| pair(trimmed(&text[..place]), trimmed(&text[place + sign.len()..]));
    let are_next = |days: &[Moment; 2]| days[0].add_days(1) == days[1];
    let next = || AND.into_iter().flat_map(|sign| text.match_indices(sign)).filter_map(found).find(are_next);
    signs.flat_map(|sign| text.match_indices(sign)).find_map(found).or_else(next)
}

/// The days of both texts. One completes the other with the month or the year.
fn pair(first: &str, last: &str) -> Option<[Moment; 2]> {
    let is_digit = |character: char| character.is_ascii_digit();
    let (_, behind) = last.split_at(last.find(|character| !is_digit(character))?);
    let plain = first.trim_end_matches('.');
    let (month, _) = plain.split_at(plain.trim_end_matches(is_digit).len());
    let year = &last[last.trim_end_matches(is_digit).len()..];
    let whole = || Some([Moment::parse(first)?, Moment::parse(last)?]);
    let are_local = |days: &[Moment; 2]| days.iter().all(|moment| moment.form == Form::Local);
    if let Some([first, last]) = whole().filter(are_local) {
        return (first.seconds < last.seconds).then_some([first, last]);
    }
    let both = [
        [first.to_owned(), last.to_owned()],
        [format!("{plain}{behind}"), last.to_owned()],
        [format!("{first}{year}"), last.to_owned()],
        [format!("{first} {year}"), last.to_owned()],
        [format!("{first}/{year}"), last.to_owned()],
        [format!("{plain}{behind}"), format!("{month}{last}")],
    ];
    let day = |text: &String| Moment::parse(text).filter(|moment| moment.form == Form::Date);
    both.iter()
        .filter_map(|[first, last]| Some([day(first)?, day(last)?]))
        .find(|[first, last]| first.seconds < last.seconds)
}

/// The text is a date without its year, and a time may stand behind it: `12.06.`, `Sat 12 June`, `12/06 18:00`.
pub fn lacks_year(text: &str) -> bool {
    if text.len() > LONGEST_OF_SEVERAL {
        return false;
    }
    let ends = text.match_indices(' ').map(|(place, _)| place).chain([text.len()]);
    let is_day = |text: String| Moment::parse(&text).is_some_and(|moment| moment.form == Form::Date);
    let mut dates = ends.filter(|end| {
        let rest = trimmed(&text[*end..]);
        rest.is_empty() || time_of_day(rest).is_some()
    });
    dates.any(|end| {
        let date = text[..end].trim_end_matches([',', ' ']);
        let has_number = date.contains(|character: char| character.is_ascii_digit());
        let is_short = has_number && date.len() <= LONGEST && !date.ends_with(YEAR);
        // The month goes first or last before a slash.
        is_short
            && (["", ".", " "].iter().any(|sign| is_day(format!("{date}{sign}{YEAR}")))
                || crate::date::day_and_month(&format!("{date}/{YEAR}")).is_some())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::date::day_and_month;

    #[test]
    fn long_texts_are_no_days() {
        let rest = "2 June 2027";
        for text in ["-".repeat(100_000), format!("x{}", " ".repeat(100_000)), "12.06. ".repeat(14_000)] {
            assert_eq!(first_and_last(&format!("30 May 2027{text}{rest}")), None);
            assert!(!lacks_year(&format!("12.06.{text}x")));
        }
        for count in [1, 2500, 100_000] {
            let text = "03/01/2027-".repeat(count);
            assert_eq!(day_and_month(&text).is_some(), count == 1);
            assert_eq!(in_one_order(&format!("13/{text}")), None);
        }
    }

    #[test]
    fn days_with_long_names_are_both_read() {
        for text in [
            "from Wednesday 29 September 2027 to Thursday 30 September 2027",
            "Τετάρτη 29 Σεπτεμβρίου 2027 έως Πέμπτη 30 Σεπτεμβρίου 2027",
            "29 พฤศจิกายน 2570 - 30 พฤศจิกายน 2570",
        ] {
            assert!(first_and_last(text).is_some(), "{text}");
        }
    }
}
