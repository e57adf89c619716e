//! The phone numbers of a list: digits alone, or with a hyphen, are some where others of the list are written as phone numbers are.

use std::ops::Range;

use super::group::{Group, shown};
use super::kind::{Warning, WarningCode};
use super::phones::{
    MOST_WORDS, has_word_of_others, is_of_digits, is_phone_number, numbers_within, words_in,
};
use super::unsure_numbers::{unsure_numbers, with_calls};
use super::web_address::Address;

/// The fewest sure phone numbers of a list in which digits alone may be some, too.
const LEAST_SURE: u64 = 2;
/// Digits of an area's code before a hyphen, and behind it.
const BEFORE_HYPHEN: std::ops::RangeInclusive<usize> = 3..=5;
const FEWEST_BEHIND_HYPHEN: usize = 5;
/// Bytes of the longest text in which numbers are looked for.
const LONGEST: usize = 200;
/// Items that are asked about, for each with a sure number, at most: of more, the list is one of other numbers.
const MOST_ASKED: u64 = 2;

/// The phone numbers of a list, and the digits that may be some.
#[derive(Debug, Default)]
pub(super) struct PhoneList {
    /// Items with a sure number.
    sure: u64,
    /// A bit for each length and beginning of sure numbers, and of digits alone.
    sure_forms: u64,
    forms: u64,
    /// Items that are nothing but such digits, which may have a hyphen.
    alone: Option<Group>,
    /// Items with words before digits with a hyphen.
    hyphened_behind_words: Option<Group>,
    /// Items with other numbers that may be called.
    unsure: Option<Group>,
}

impl PhoneList {
    /// Takes note of an item that is no web address.
    pub fn add(&mut self, index: u64, data: &str, kind: Address<'_>) {
        if data.len() > LONGEST || data.contains("://") {
            return;
        }
        let (text, number) = match data.strip_prefix("tel:") {
            Some(text) => (text, Some(Number::Sure(0..text.len()))),
            None => (data, number_in(data)),
        };
        match number {
            Some(Number::Sure(place)) => {
                self.sure += 1;
                self.sure_forms |= form_of(&text[place]);
            }
            Some(Number::Among(place)) => {
                let group = if place.start == 0 { &mut self.alone } else { &mut self.hyphened_behind_words };
                Group::add(group, index, || text.to_owned());
                self.forms |= form_of(&text[place]);
            }
            None if kind != Address::OtherScheme && !unsure_numbers(text).is_empty() => {
                Group::add(&mut self.unsure, index, || text.to_owned());
            }
            None => {}
        }
    }

    /// Takes in what was found in the part of the job that follows.
    pub fn append(&mut self, later: Self) {
        self.sure += later.sure;
        self.sure_forms |= later.sure_forms;
        self.forms |= later.forms;
        Group::merge(&mut self.alone, later.alone);
        Group::merge(&mut self.hyphened_behind_words, later.hyphened_behind_words);
        Group::merge(&mut self.unsure, later.unsure);
    }

    /// Returns true where digits alone in an item, and those with a hyphen, are taken for phone numbers: each begins as a sure one of the same
    /// length does.
    pub fn are_phones(&self) -> bool {
        let digits =
            [&self.alone, &self.hyphened_behind_words].into_iter().flatten().map(|group| group.items).sum();
        self.sure >= LEAST_SURE && self.sure >= digits && self.forms & !self.sure_forms == 0
    }

    /// Returns true where people are asked about the other numbers: of many, the list is one of other numbers.
    pub fn asks(&self) -> bool {
        let is_untaken = |_: &&Option<Group>| !self.are_phones();
        let digits = [&self.alone, &self.hyphened_behind_words].into_iter().filter(is_untaken);
        let asked = digits.chain([&self.unsure]).flatten().map(|group| group.items).sum::<u64>();
        (1..=MOST_ASKED * self.sure).contains(&asked)
    }

    /// Items that are taken for phone numbers, and those with words before them, and the warning that asks about others.
    pub fn finish(mut self, total: u64) -> ([Option<Group>; 2], Option<Warning>) {
        let asks = self.asks();
        let are_phones = self.are_phones();
        let taken =
            if are_phones { [self.alone.take(), self.hyphened_behind_words.take()] } else { [None, None] };
        let mut asked = self.unsure;
        Group::merge(&mut asked, self.alone);
        Group::merge(&mut asked, self.hyphened_behind_words);
        let warning = asked.filter(|_| asks).and_then(|group| {
            let changed = with_calls(&group.words)?;
            let is_alone = changed.starts_with("tel:");
            let [first, changed] = [&group.words, &changed].map(|text| shown(text));
            let (may_have, each) = match group.items {
                1 => (format!("1 item may have a phone number that phones show as text: {first:?}"), "the"),
                items => (
                    format!(
                        "{items} items may have a phone number that phones show as text, the first of them {first:?}"
                    ),
                    "each",
                ),
            };
            let next = if is_alone {
                String::new()
            } else {
                format!(" A second step then keeps {each} number alone, so that phones call it.")
            };
            let message = format!("{may_have}. Write tel: before {each} number: {changed:?}.{next}");
            Some(group.warning(WarningCode::SuspiciousData, message, total))
        });
        (taken, warning)
    }
}

/// A number in a text, and its place.
pub(super) enum Number {
    /// It is a phone number.
    Sure(Range<usize>),
    /// It is one where others of the list are.
    Among(Range<usize>),
}

/// The first number of a text that no person need judge.
pub(super) fn number_in(text: &str) -> Option<Number> {
    let sure =
        if is_phone_number(text) { Some(0..text.len()) } else { numbers_within(text).into_iter().next() };
    sure.map(Number::Sure).or_else(|| number_among_phones(text).map(Number::Among))
}

/// The place of digits at the end of a text that are a phone number where others of the list are: alone, or with a hyphen behind a few
/// words.
pub(super) fn number_among_phones(text: &str) -> Option<Range<usize>> {
    let name = text.trim_end_matches(|sign: char| sign.is_ascii_digit() || sign == '-');
    let is_name = name.ends_with(|sign: char| sign == ':' || sign.is_whitespace())
        && !name.contains(|sign: char| sign.is_ascii_digit() || sign == '@')
        && (1..=MOST_WORDS).contains(&words_in(name))
        && !has_word_of_others(name);
    let number = &text[name.len()..];
    let is_number = if name.is_empty() {
        is_of_digits(number) || has_hyphen(number)
    } else {
        is_name && has_hyphen(number)
    };
    is_number.then_some(name.len()..text.len())
}

/// Returns true for `030-2761144`, as phone numbers are written, and numbers of other things.
fn has_hyphen(number: &str) -> bool {
    number.split_once('-').is_some_and(|(area, rest)| {
        BEFORE_HYPHEN.contains(&area.len())
            && rest.len() >= FEWEST_BEHIND_HYPHEN
            && is_of_digits(&format!("{area}{rest}"))
    })
}

/// The bit for the length and the beginning of a number without a country's code. 0 for others.
fn form_of(number: &str) -> u64 {
    let digits: String = number.chars().filter(char::is_ascii_digit).collect();
    match digits.as_bytes() {
        _ if number.starts_with('+') || !is_of_digits(&digits) => 0,
        [b'0', second, ..] => 1 << ((digits.len() % 3) * 10 + usize::from(second - b'0')),
        _ => 1 << 30,
    }
}

#[cfg(test)]
mod tests {
    use super::super::web_address::address;
    use super::*;

    fn judged(items: &[&str]) -> (bool, Option<String>) {
        let mut digits = PhoneList::default();
        for (index, item) in (0..).zip(items) {
            digits.add(index, item, address(item));
        }
        let are_phones = digits.are_phones();
        (are_phones, digits.finish(items.len() as u64).1.map(|warning| warning.message))
    }

    #[test]
    fn digits_among_phone_numbers() {
        for items in [
            &["021 4501234", "Doctor: 021 4507777", "0214501234"][..],
            &["tel:0871234567", "087 1234568", "0871234569"],
            &["1800 205 050", "Anna 1800 372 999", "1800372999"],
            &["030 234 56 78", "Piet: +31 6 48213390", "Glans: 030-2761144", "030-2761145"],
            // Nothing is to be judged.
            &["021 4501234", "+353 87 123 4567"],
        ] {
            assert_eq!(judged(items), (true, None), "{items:?}");
        }
        let (are_phones, message) =
            judged(&["087-1234567", "085-111 2233", "Electrician: 0214501234", "Gate 7"]);
        assert!(are_phones);
        assert_eq!(
            message.unwrap_or_default(),
            "1 item may have a phone number that phones show as text: \"Electrician: 0214501234\". Write tel: before the number: \
             \"Electrician: tel:0214501234\". A second step then keeps the number alone, so that phones call it."
        );
    }

    #[test]
    fn other_digits() {
        for items in [
            &["0214501234", "0214501235"][..],
            &["021 4501234", "+353 87 123 4567", "Konto: 0214501234"],
            &["021 4501234", "021 4501235", "Open: 0800-1800", "Room: 0301-2027"],
            &["021 4501234", "021 4501235", "0001234567", "012345678905", "01234567"],
            &["021 4501234", "021 4501235", "Router0214501234", "SN-0214501234"],
        ] {
            assert!(judged(items).1.is_none(), "{items:?}");
        }
        let (are_phones, message) = judged(&["021 4501234", "021 4501235", "Office 0123-456789"]);
        assert!(!are_phones && message.is_some());
        // There are more of them than of sure numbers, and then many more.
        let items = ["021 4501234", "021 4501235", "0214501236", "0214501237", "0214501238"];
        let (are_phones, message) = judged(&items);
        assert!(!are_phones && message.is_some());
        let (are_phones, message) = judged(&[&items[..], &["0214501239", "0214501240"]].concat());
        assert!(!are_phones && message.is_none());
    }

    #[test]
    fn the_order_of_parts_does_not_matter() {
        let items = ["0871234567", "0871234568", "087 1234569", "tel:0871234560"];
        let mut parts = items.map(|item| {
            let mut part = PhoneList::default();
            part.add(0, item, address(item));
            part
        });
        let [first, rest @ ..] = &mut parts;
        for part in rest {
            first.append(std::mem::take(part));
        }
        assert!(first.are_phones());
    }
}
