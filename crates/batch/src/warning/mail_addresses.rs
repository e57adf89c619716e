//! Mail addresses as people write them: alone, and with names or several in a line, as mail programs copy them.

use memchr::{memchr, memchr_iter};

/// Words of a text that is a mail address and a name. Sentences have more.
const MOST_WORDS: usize = 5;
/// Marks around an address.
const MARKS: [char; 8] = ['(', ')', '[', ']', '<', '>', ',', ';'];

/// Returns true for one address and nothing else.
pub(super) fn is_mail_address(data: &str) -> bool {
    let is_of_name =
        |character: char| character.is_alphanumeric() || "!#$%&'*+-/=?^_`{|}~.".contains(character);
    let is_host = |host: &str| {
        let top = host.rsplit('.').next().unwrap_or_default();
        let is_of_label = |character: char| character.is_alphanumeric() || character == '-';
        top.chars().count() > 1
            && top.chars().all(char::is_alphabetic)
            && host.contains('.')
            && host.split('.').all(|label| !label.is_empty() && label.chars().all(is_of_label))
    };
    data.split_once('@').is_some_and(|(name, host)| {
        !name.is_empty() && name.chars().all(is_of_name) && !name.starts_with('/') && is_host(host)
    })
}

/// Addresses that phones show as text, as the end of a sentence: `Anna <anna@a.example>`, `a@a.example; b@b.example`.
#[inline]
pub(super) fn named_mail_addresses(data: &str) -> Option<String> {
    memchr(b'@', data.as_bytes())?;
    look(data).map(str::to_owned)
}

#[cold]
fn look(data: &str) -> Option<&'static str> {
    // Links and other codes have addresses within them.
    if data.contains(['\n', '\r', ':']) {
        return None;
    }
    let data = data.trim_end_matches([';', ',', ' ']);
    if bracketed(data).is_some() {
        return Some(
            "a name or brackets stand beside the mail address: phones show it as text. A code with mailto: and the address alone opens a mail",
        );
    }
    let are_addresses = |part: &str| {
        let mut parts = part.split([';', ',']).map(str::trim).filter(|part| !part.is_empty());
        parts.all(is_mail_address)
    };
    // Names have commas, too.
    let is_part = |part: &str| bracketed(part).is_some() || are_addresses(part);
    let are_several = data.contains([';', ',']);
    (are_several && data.split_inclusive('>').all(is_part)).then_some(
        "several mail addresses stand in it: phones show them as text. A code with mailto: and one address alone opens a mail",
    )
}

/// Returns true for an address with a few words beside it: `Anna: anna@a.example`, `anna@a.example (Anna)`.
pub(super) fn has_words_beside(data: &str) -> bool {
    if memchr_iter(b'@', data.as_bytes()).count() != 1 || data.contains(['\n', '\r']) {
        return false;
    }
    let bare = |word: &str| is_mail_address(word.trim_matches(MARKS));
    let words = data.split_whitespace().count();
    // With words behind it, it is rather the name of an account.
    let is_last = data.split_whitespace().next_back().is_some_and(bare);
    let is_first = data.split_once(char::is_whitespace).is_some_and(|(first, rest)| {
        bare(first) && rest.trim_start().starts_with(['(', '[']) && rest.trim_end().ends_with([')', ']'])
    });
    (2..=MOST_WORDS).contains(&words) && (is_last || is_first)
}

/// The address in brackets behind a name, or without one: `Anna <anna@a.example>`.
fn bracketed(text: &str) -> Option<&str> {
    let (_, address) = text.strip_suffix('>')?.rsplit_once('<')?;
    Some(address.trim()).filter(|address| is_mail_address(address))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_alone() {
        for data in ["info@firma.de", "Anna.Maier+x@mail.firma.technology", "a@b-c.example", "INFO@FIRMA.DE"]
        {
            assert!(is_mail_address(data), "{data}");
        }
        for data in [
            "info@firma",
            "@firma.de",
            "info@",
            "a@b.1",
            "a@10.0.0.1",
            "a@b..de",
            "a b@c.de",
            "a@b.de c",
            "mailto:a@b.de",
            "a@b.de?subject=Hi",
            "a@b@c.de",
            "https://a@b.de",
            "//a@b.de",
            "Gate 7 @ Nord",
            "npm@10.2.0",
            "SN@7",
        ] {
            assert!(!is_mail_address(data), "{data}");
        }
    }

    #[test]
    fn words_beside_addresses() {
        for data in [
            "Anna Meier: anna@firma.de",
            "Anna Meier - anna@firma.de",
            "Anna Meier, anna@firma.de",
            "anna@firma.de (Anna)",
        ] {
            assert!(has_words_beside(data), "{data}");
        }
        for data in [
            "anna@firma.de",
            "Write to anna@firma.de until the end of May",
            "Anna: anna@firma.de\nBen",
            "a@x.example b@x.example",
            "mailto:a@x.example?subject=Hello there",
            "Username: anna@a.example Password: x1",
            "anna@a.example secret12",
            "Gate 7 @ Nord",
        ] {
            assert!(!has_words_beside(data), "{data}");
        }
    }

    #[test]
    fn addresses_with_names_and_several() {
        for (data, words) in [
            ("Anna Maier <anna.maier@firma.de>", "a name or brackets"),
            ("Maier, Anna <anna.maier@firma.de>", "a name or brackets"),
            ("\"Anna Maier\" <anna@firma.de>", "a name or brackets"),
            ("<anna@firma.de>", "a name or brackets"),
            ("A <a@x.example>; B <b@x.example>;", "a name or brackets"),
            ("A <a@x.example>; B <b@x.example>; c@x.example", "several"),
            ("a@x.example, b@x.example", "several"),
            ("Maier, Anna <a@x.example>; b@x.example", "several"),
            ("\"Maier, Anna\" <a@x.example>, c@x.example, b@x.example;", "several"),
        ] {
            assert!(named_mail_addresses(data).is_some_and(|found| found.contains(words)), "{data}");
        }
        for data in [
            "info@firma.de",
            "info@firma.de;",
            "mailto:a@x.example,b@x.example",
            "mailto:a@x.example",
            "MATMSG:TO:a@x.example;SUB:a;;",
            "MECARD:N:Anna;EMAIL:a@x.example;;",
            "https://a.example/?to=<a@x.example>",
            "BEGIN:VCARD\r\nFN:A <a@x.example>\r\nEND:VCARD",
            "Fragen an a@x.example und b@x.example",
            "Anna, a@x.example",
            "Maier, Anna <a@x.example>; Ben",
            "Maier, Anna <a@x.example>, room 7, b@x.example",
            "Anna;Maier;a@x.example;b@x.example",
            "a <b> @ c",
            "if a<b@c>",
            "Gate 7; @2",
        ] {
            assert_eq!(named_mail_addresses(data), None, "{data}");
        }
    }
}
