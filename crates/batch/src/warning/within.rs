//! Texts with an address or a phone number within them, which phones show and do not open.

use memchr::memmem;

use super::mail_addresses::is_mail_address;
use super::phones::is_phone_number;
use super::web_address::{is_list_mark, is_sure};

/// Words before a phone number. More are a sentence, or the name of something else with digits.
const MOST_WORDS: usize = 5;
/// Marks around an address.
const MARKS: &str = "<>()[]{}\"'“”„«»‹›.,;:!?";

/// Returns true for `Menu: https://a.example (PDF)`, `- 0711 123456` and the like. Texts of several lines are other codes.
pub(super) fn has_address_within(data: &str) -> bool {
    let has = |part: &str| memmem::find(data.as_bytes(), part.as_bytes()).is_some();
    let may_have_address = ["/", "www.", "@"].into_iter().any(has);
    let is_address = |word: &str| {
        let word = word.trim_matches(|character| MARKS.contains(character));
        is_mail_address(word) || ((word.contains('/') || word.starts_with("www.")) && is_sure(word))
    };
    !data.contains(['\n', '\r'])
        && ((may_have_address && data.split_whitespace().any(is_address)) || has_phone_number(data))
}

/// Returns true for a phone number behind a few words, or behind the mark of a list.
fn has_phone_number(data: &str) -> bool {
    let (rest, is_listed) = match data.split_once(' ') {
        Some((mark, rest)) if is_list_mark(mark) => (rest, true),
        _ => (data, false),
    };
    let Some(place) = rest.find(|character: char| character.is_ascii_digit() || "+(".contains(character))
    else {
        return false;
    };
    let words = rest[..place].split_whitespace().count();
    (is_listed || words > 0) && words <= MOST_WORDS && is_phone_number(rest[place..].trim_end())
}

#[cfg(test)]
mod tests {
    use super::has_address_within;

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
        ] {
            assert!(has_address_within(data), "{data}");
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
            "0170 1234567",
        ] {
            assert!(!has_address_within(data), "{data}");
        }
    }
}
