//! Addresses and phone numbers within other text, where phones show them and do not open them.

use std::ops::Range;

use qrpress_kinds::is_of_number;

use super::coordinates::coordinates_in;
use super::mail_addresses::is_mail_address;
use super::phones::{is_phone_number, numbers_within};
use super::web_address::{Address, address, is_sure, three_words};

/// Signs that people write around addresses, and between them and words.
pub(super) const SIGNS: &str = "<>()[]{}\"'“”„«»‹›‚‘’.,;:!?|*=–—-·•…→";
/// Signs that end an address in a text.
const ENDS: &str = "<>\"“”„«»‚‘‹›";
/// Signs behind an address that are hardly part of it.
const MARKS: &str = "*`.,;:!?'’]\u{200b}\u{200c}\u{200d}";
/// Bytes of the longest text in which addresses are looked for.
pub(super) const LONGEST_LINE: usize = 3_000;

/// An address in a text.
pub(super) struct Found {
    /// Its place in the text, in bytes.
    pub place: Range<usize>,
    /// The data of a code that opens it.
    pub data: String,
}

/// Returns true for `Menu: https://a.example (PDF)`, `- 0711 123456` and the like. Texts of several lines are other codes.
pub(super) fn has_address_within(text: &str, kind: Address<'_>) -> bool {
    let may_have = |sign: u8| matches!(sign, b'/' | b'@' | b'.' | b'0'..=b'9');
    kind == Address::Behind
        || (text.bytes().any(may_have)
            && text.len() <= LONGEST_LINE
            && !text.contains(['\n', '\r'])
            && !found_in(text, kind, 0).is_empty())
}

/// The addresses behind the stamp of a text, in their order, each once. Numbers beside web addresses may be of other things.
pub(super) fn found_in(text: &str, kind: Address<'_>, stamp: usize) -> Vec<Found> {
    let links = links_in(text, stamp);
    let mut found: Vec<Found> = Vec::new();
    for place in links.iter().cloned() {
        let link = &text[place.clone()];
        let data = if begins(link, "http") { link.to_owned() } else { format!("https://{link}") };
        found.push(Found { place, data });
    }
    let is_free = |place: &Range<usize>| {
        place.start >= stamp && links.iter().all(|link| place.end <= link.start || link.end <= place.start)
    };
    found.extend(words_of(text).filter(is_free).filter_map(|place| {
        if let Some(end) = end_of_call(text, &place) {
            let data = call(&text[place.start + "tel:".len()..end]);
            return Some(Found { place: place.start..end, data });
        }
        let data = data_of_word(&text[place.clone()], text, kind)?;
        Some(Found { place, data })
    }));
    if found.iter().all(|Found { data, .. }| !begins(data, "http")) {
        let is_alone = is_phone_number(text).then_some(0..text.len());
        let within = numbers_within(&text[stamp..]).into_iter();
        let numbers = is_alone.into_iter().chain(within.map(|place| stamp + place.start..stamp + place.end));
        found.extend(numbers.map(|place| Found { data: call(&text[place.clone()]), place }));
        let coordinates = coordinates_in(&text[stamp..]);
        found.extend(
            coordinates.map(|(place, data)| Found { place: stamp + place.start..stamp + place.end, data }),
        );
    }
    found.sort_by_key(|found| found.place.start);
    let mut known = Vec::new();
    let mut end = 0;
    found.retain(|found| {
        let is_new = found.place.start >= end && !known.contains(&found.data);
        if is_new {
            end = found.place.end;
            known.push(found.data.clone());
        }
        is_new
    });
    found
}

/// A number as `tel:`, without the 0 that is dialled within its country alone.
pub(super) fn call(number: &str) -> String {
    let number = number.strip_prefix("00").map_or_else(|| number.to_owned(), |rest| format!("+{rest}"));
    // Numbers of Italy keep it.
    let is_within_country = number.starts_with('+') && !number.starts_with("+39");
    let number = if is_within_country { number.replace("(0", "(") } else { number };
    format!("tel:{}", number.replace(|sign: char| sign != '+' && !sign.is_ascii_digit(), ""))
}

/// The places of web addresses that begin with `http://`, `https://` or `www.`.
fn links_in(text: &str, stamp: usize) -> Vec<Range<usize>> {
    let mut links = Vec::new();
    let mut from = stamp;
    while let Some(start) = start_of_link(text, from) {
        let rest = &text[start..];
        let end = rest.find(|sign: char| sign.is_whitespace() || ENDS.contains(sign)).unwrap_or(rest.len());
        let end = rest.find("](").map_or(end, |place| place.min(end));
        push_links(&mut links, text, start..start + end);
        from = start + end;
    }
    links
}

/// The place at which the next web address begins.
fn start_of_link(text: &str, from: usize) -> Option<usize> {
    let joins = |before: char| before.is_alphanumeric() || "./@-_".contains(before);
    let is_start = |&(place, _): &(usize, char)| {
        let rest = &text[place..];
        let is_bare = || begins(rest, "www.") && !text[..place].ends_with(joins);
        begins(rest, "http://") || begins(rest, "https://") || is_bare()
    };
    let signs = text[from..].char_indices().map(|(place, sign)| (from + place, sign));
    signs.filter(|(_, sign)| matches!(sign, 'h' | 'H' | 'w' | 'W')).find(is_start).map(|(place, _)| place)
}

/// Adds the addresses that commas separate, without marks behind them, and without brackets that they do not open.
fn push_links(links: &mut Vec<Range<usize>>, text: &str, place: Range<usize>) {
    let mut start = place.start;
    let is_cut = |at: usize| {
        let behind = text.as_bytes().get(at + 1..).unwrap_or_default();
        matches!(text.as_bytes()[at], b',' | b';' | b'|')
            && [&b"http://"[..], b"https://"].iter().any(|start| begins_with(behind, start))
    };
    let cuts = place.clone().filter(|&at| is_cut(at));
    for end in cuts.chain([place.end]) {
        let mut link = &text[start..end];
        let mut unopened = link.matches(')').count().saturating_sub(link.matches('(').count());
        while let Some(last) = link.chars().next_back() {
            if last == ')' && unopened > 0 {
                unopened -= 1;
            } else if !MARKS.contains(last) {
                break;
            }
            link = &link[..link.len() - last.len_utf8()];
        }
        links.push(start..start + link.len());
        start = end + 1;
    }
}

pub(super) fn begins(text: &str, start: &str) -> bool {
    begins_with(text.as_bytes(), start.as_bytes())
}

fn begins_with(text: &[u8], start: &[u8]) -> bool {
    text.get(..start.len()).is_some_and(|found| found.eq_ignore_ascii_case(start))
}

/// The places of the words of a text, without the signs around them.
pub(super) fn words_of(text: &str) -> impl Iterator<Item = Range<usize>> {
    let is_between = |sign: char| sign.is_whitespace() || "<>()[]{}\"“”„«»‹›,;|".contains(sign);
    let mut from = 0;
    text.split_inclusive(is_between).filter_map(move |word| {
        let start = from;
        from += word.len();
        let bare = word.trim_matches(|sign: char| is_between(sign) || SIGNS.contains(sign));
        let place = start + word.find(bare)?;
        (!bare.is_empty()).then(|| place..place + bare.len())
    })
}

/// The end of a number behind `tel:` at that place of a text, which may have spaces: `tel:+49 711 123456`.
pub(super) fn end_of_call(text: &str, place: &Range<usize>) -> Option<usize> {
    const DIGITS: std::ops::RangeInclusive<usize> = 3..=15;

    let start = place.start + "tel:".len();
    let rest = text[place.clone()].starts_with("tel:").then(|| &text[start..])?;
    let end = rest.find(|sign: char| !is_of_number(sign)).unwrap_or(rest.len());
    let number = rest[..end].trim_end_matches(|sign: char| !sign.is_ascii_digit());
    let digits = number.bytes().filter(u8::is_ascii_digit).count();
    let behind = &rest[number.len()..];
    let has_more = |text: &str| text.contains(|sign: char| sign.is_ascii_digit());
    let goes_on =
        behind.starts_with(char::is_alphanumeric) || behind.split("tel:").next().is_some_and(has_more);
    (DIGITS.contains(&digits) && !goes_on && !rest.starts_with(char::is_whitespace))
        .then_some(start + number.len())
}

/// The data that opens a word of a text of that kind: a mail address, a web address without a scheme, or three words that name a place.
fn data_of_word(word: &str, text: &str, kind: Address<'_>) -> Option<String> {
    let behind_label = word.rsplit(':').next().unwrap_or(word);
    if is_mail_address(behind_label) {
        return Some(format!("mailto:{behind_label}"));
    }
    // Names of firms in sentences are web addresses, too.
    let is_alone = || text.trim_matches(|sign: char| sign.is_whitespace() || SIGNS.contains(sign)) == word;
    let is_meant = || kind == Address::Behind || word.contains('/') || is_alone();
    match address(word) {
        Address::ThreeWords => link_of_words(word),
        Address::Bare if is_meant() && is_sure(word) => Some(format!("https://{word}")),
        _ => None,
    }
}

/// The web address of three words that name a place.
pub(super) fn link_of_words(text: &str) -> Option<String> {
    three_words(text).map(|words| format!("https://w3w.co/{words}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_numbers_within_texts() {
        for data in [
            "• Menu: https://laden.example/menu",
            "- https://laden.example/menu – Menu",
            "1. https://laden.example/menu (Menu)",
            "Room 101 https://laden.example/101 floor 1",
            "See www.laden.example for more.",
            "see laden.example/menu for our menu",
            "our menu (laden.de/menu) and more",
            "Write to anna@laden.example until the end of May",
            "- 0170 1234567",
            "1. +49 170 1234567",
            "Anna Schmidt 0170 1234567",
            "Tel. 030 1234567",
            "Taxi 041 982 4621 (24h)",
            "T: +353 1 555 0123 | M: +353 87 245 1190",
            "0711 123456 – Anna",
            "(Tel. 0711 123456)",
            "Hotline: 0711 123456, 0171 1234567",
            "Bus stop: 51.48691, -3.27272",
            "Bus stop: 51.48691 -3.27272",
            "Main gate ///daring.lion.race",
            "Main gate (///daring.lion.race)",
        ] {
            assert!(has_address_within(data, address(data)), "{data}");
        }
        for data in [
            "Room 101",
            "Gate 7 @ North",
            "See index.html",
            "See index.html/x or Art.Nr/12, and/or Node.js/React",
            "Ask laden.example for more",
            "St. Gallen",
            "Order 0123/2027",
            "Invoice 2027-0170",
            "Shelf 0170",
            "Anna\nhttps://laden.example",
            "and/or://",
            "Price +5",
            "Card 0123 4567 8901 2345",
            "Account 0711 123456 bank 600 501 01",
            "IBAN DE12 0711 1234 56",
            "Part 0711 123456 blue",
            "Part 0123456789",
            "Part 4006381333931",
            "\"·0",
            "0\u{200b}",
            "NL91 ABNA 0417 1643 00",
            "Sort code 09-01-28 account 0123 4567",
            "Lot 0123 45678, best before 12.2027",
        ] {
            assert!(!has_address_within(data, address(data)), "{data}");
        }
    }
}
