//! Texts with an address or a phone number within them, which phones show and do not open.

use memchr::memmem;

use super::mail_addresses::is_mail_address;
use super::phones::numbers_within;
use super::web_address::is_sure;

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
        && ((may_have_address && data.split_whitespace().any(is_address)) || !numbers_within(data).is_empty())
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
            "Taxi 041 982 4621 (24h)",
            "T: +353 1 555 0123 | M: +353 87 245 1190",
            "0711 123456 – Anna",
            "(Tel. 0711 123456)",
            "Hotline: 0711 123456, 0171 1234567",
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
            "Card 0123 4567 8901 2345",
            "Account 0711 123456 bank 600 501 01",
            "IBAN DE12 0711 1234 56",
            "Part 0711 123456 blue",
        ] {
            assert!(!has_address_within(data), "{data}");
        }
    }
}
