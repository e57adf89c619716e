//! Data that was probably not meant: what spreadsheets, web pages and programs leave in texts.

use std::iter;

use memchr::memchr;
use qrpress_kinds::{is_placeholder, is_total, is_unfilled_link};
use quick_xml::escape::resolve_html5_entity;

use super::group::shown;
use super::spaces::has_file_with_spaces;
use super::web_address::is_sure;
use super::within::begins;
use crate::item::grouped;

/// Words that programs write for nothing.
const WORDS_FOR_NOTHING: [&str; 10] =
    ["NULL", "null", "None", "nan", "NaN", "NaT", "<NA>", "N/A", "undefined", "[object Object]"];
/// Bytes of the longest of them.
const LONGEST_WORD: usize = 15;
/// First lines of contacts and events.
const BEGINS: [&str; 3] = ["BEGIN:VCARD", "BEGIN:VCALENDAR", "BEGIN:VEVENT"];
const QUOTES: &str = "“”„‟‘’‚‛«»‹›";

/// The thing that is suspicious about data, as the end of a sentence; none where nothing is.
#[inline]
pub(super) fn suspicion(data: &str) -> Option<String> {
    if data.len() <= LONGEST_WORD && WORDS_FOR_NOTHING.contains(&data) {
        return Some(format!("the data is the word {data}"));
    }
    // Sums instead of branches, of which the compiler makes vector code. A byte below `!` wraps around.
    let kind = |byte: u8| u8::from(byte.wrapping_sub(b'!') > b'~' - b'!') | u8::from(byte == b'&') << 1;
    let kinds = data.bytes().fold(0, |kinds, byte| kinds | kind(byte));
    let found = if kinds & 1 == 0 { None } else { look(data) };
    if found.is_some() || kinds & 2 == 0 {
        return found;
    }
    entity(data).map(|entity| format!("{entity} is an entity of HTML"))
}

/// Data that stands for nothing in the lists of people, or for their totals, as the end of a sentence. The data of programs may be a dash,
/// too.
#[inline]
pub(super) fn placeholder(data: &str) -> Option<String> {
    if is_total(data) {
        return Some(format!("the data is {}, as in a row of totals", shown(data)));
    }
    is_placeholder(data).then(|| {
        let shown = shown(data);
        if is_unfilled_link(data) {
            format!("the address {shown} has a part that is to be filled in")
        } else {
            format!("the data is {shown}, as in a cell that has none")
        }
    })
}

/// The address of a file that no phone opens, as the end of a sentence: `file:///C:/a.pdf`, `\\server\a.pdf`, `C:\a.pdf`.
#[inline]
pub(super) fn local_file(data: &str) -> Option<String> {
    let is_share = || {
        let path = data.strip_prefix("\\\\");
        path.is_some_and(|path| path.starts_with(char::is_alphanumeric) && path.contains('\\'))
    };
    let is_on_drive = || matches!(data.as_bytes(), [b'A'..=b'Z' | b'a'..=b'z', b':', b'\\', _, ..]);
    (begins(data, "file:/") || is_share() || is_on_drive())
        .then(|| format!("{} is a file on a computer or in a network, which phones cannot open", shown(data)))
}

/// The part of a typed network that phones read otherwise than it is meant, as the end of a sentence.
#[inline]
pub(super) fn faulty_network(data: &str) -> Option<String> {
    let rest = data.strip_prefix("WIFI:")?;
    if !rest.ends_with(';') {
        return Some("the network does not end with ;;".to_owned());
    }
    let is_part = |part: &str| {
        let (name, value) = part.split_once(':').unwrap_or_default();
        (1..=3).contains(&name.len())
            && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
            && (matches!(name, "S" | "P") || !value.contains(':'))
    };
    let (mut start, mut is_escaped) = (0, false);
    for (place, byte) in rest.bytes().enumerate() {
        if byte == b';' && !is_escaped {
            let part = &rest[start..place];
            if !part.is_empty() && !is_part(part) {
                return Some(format!(
                    "{} in the network is no part of it: in a name or password, ; is written \\;",
                    shown(part)
                ));
            }
            start = place + 1;
        }
        is_escaped = byte == b'\\' && !is_escaped;
    }
    None
}

/// The first line of a contact or an event by itself, as the end of a sentence: each line of it became an item.
#[inline]
pub(super) fn lone_begin(data: &str) -> Option<String> {
    let is_begin = BEGINS.into_iter().any(|begin| data.eq_ignore_ascii_case(begin));
    let what = if data.ends_with(['D', 'd']) { "a contact" } else { "a calendar entry" };
    is_begin.then(|| format!("the data is {data} alone: each line of {what} became a code of its own"))
}

/// A space in the address of a file without `https://`, as the end of a sentence.
#[inline]
pub(super) fn space_in_bare_address(data: &str) -> Option<String> {
    has_file_with_spaces(data).then(|| white_space_in(data))
}

fn white_space_in(address: &str) -> String {
    let advice = if has_file_with_spaces(address) { ": write %20 for each space" } else { "" };
    format!("the address has white space{advice}")
}

/// Looks at data that has a character which is not a mark of ASCII.
#[cold]
fn look(data: &str) -> Option<String> {
    let data = without_last_line_end(data);
    if data.starts_with(char::is_whitespace) {
        return Some("the data begins with white space".to_owned());
    }
    if data.ends_with(char::is_whitespace) {
        return Some("the data ends with white space".to_owned());
    }
    if let Some((place, character)) = invisible(data) {
        let number = u32::from(character);
        let place = grouped(data[..place].chars().count() + 1);
        return Some(format!("character {place} is U+{number:04X}, which nobody sees"));
    }
    if is_web_address(data) && data.contains(char::is_whitespace) {
        return Some(white_space_in(data));
    }
    let mut ends = data.chars();
    let quoted = ends.next().zip(ends.next_back());
    let is_quoted = quoted.is_some_and(|(first, last)| QUOTES.contains(first) && QUOTES.contains(last));
    is_quoted.then(|| {
        let is_around = |sign: char| QUOTES.contains(sign) || sign.is_whitespace();
        if is_sure(data.trim_matches(is_around)) {
            "the address is in typographic quotes: a code opens one that stands alone".to_owned()
        } else {
            "the data is in typographic quotes".to_owned()
        }
    })
}

/// The data without the line end that a vCard and a calendar end with (RFC 6350, clause 3.2; RFC 5545, clause 3.1).
fn without_last_line_end(data: &str) -> &str {
    if BEGINS.into_iter().any(|start| begins(data, start)) {
        let data = data.strip_suffix('\n').unwrap_or(data);
        data.strip_suffix('\r').unwrap_or(data)
    } else {
        data
    }
}

fn is_web_address(data: &str) -> bool {
    begins(data, "http:") || begins(data, "https:")
}

/// The first character that controls or is not seen, and its place in bytes.
pub(super) fn invisible(data: &str) -> Option<(usize, char)> {
    all_invisible(data).next()
}

/// The characters that nobody sees, with their places in bytes.
fn all_invisible(data: &str) -> impl Iterator<Item = (usize, char)> {
    let mut before = None;
    let mut characters = data.char_indices().peekable();
    iter::from_fn(move || {
        let (place, character) = characters.next()?;
        let after = characters.peek().map(|&(_, after)| after);
        let is_meant = match character {
            '\t' | '\r' | '\n' => true,
            '\u{200d}' if before.is_some_and(is_emoji) && after.is_some_and(is_emoji) => true,
            '\u{200c}' | '\u{200d}' => before.is_some_and(joins) && after.is_some_and(joins),
            _ => false,
        };
        before = Some(character);
        Some((place, character, !is_meant && (character.is_control() || is_invisible(character))))
    })
    .filter_map(|(place, character, is_unseen)| is_unseen.then_some((place, character)))
}

/// A text without the characters that nobody sees. None where it has none.
pub(super) fn without_invisible(text: &str) -> Option<String> {
    let mut changed = String::with_capacity(text.len());
    let mut from = 0;
    for (place, character) in all_invisible(text) {
        changed.push_str(&text[from..place]);
        from = place + character.len_utf8();
    }
    changed.push_str(&text[from..]);
    (changed.len() < text.len()).then_some(changed)
}

fn is_invisible(character: char) -> bool {
    matches!(character,
        '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{ad}'
        // Unicode Bidirectional Algorithm, 2.1 to 2.6.
        | '\u{61c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns true for the characters that emoji are joined of: pictographs, skin tones, and the choice of an emoji's look.
fn is_emoji(character: char) -> bool {
    matches!(character, '\u{2190}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}' | '\u{fe0f}' | '\u{e007f}')
}

/// Returns true for letters and marks of scripts whose letters join or form clusters: Arabic to Mandaic, those of India and
/// their neighbours, Mongolian.
fn joins(character: char) -> bool {
    matches!(character,
        '\u{600}'..='\u{85f}' | '\u{870}'..='\u{dff}' | '\u{f00}'..='\u{109f}' | '\u{1780}'..='\u{18af}'
        | '\u{a8e0}'..='\u{a8ff}' | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'
        | '\u{10f30}'..='\u{10f6f}' | '\u{11000}'..='\u{11fff}' | '\u{1e900}'..='\u{1e95f}')
}

/// The first entity of HTML in a text: one of its table, or a number.
fn entity(data: &str) -> Option<&str> {
    memchr(b';', data.as_bytes())?;
    data.match_indices('&').find_map(|(start, _)| {
        let name = data[start + 1..].split_once(';')?.0;
        let is_entity = match name.strip_prefix('#') {
            Some(number) => match number.strip_prefix(['x', 'X']) {
                Some(digits) => !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_hexdigit()),
                None => !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit()),
            },
            None => resolve_html5_entity(name).is_some(),
        };
        is_entity.then(|| &data[start..start + name.len() + 2])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_no_addresses_for_phones() {
        for data in
            ["file:///C:/x.pdf", "FILE://server/x.pdf", "\\\\server\\x.pdf", "C:\\x.pdf", "p:\\a b.docx"]
        {
            assert!(local_file(data).is_some(), "{data}");
        }
        for data in [
            "https://a.example/file:///a",
            "file: a",
            "\\\\",
            "\\\\a",
            "\\a\\b",
            "C:",
            "C:\\",
            "C: a",
            "x.pdf",
        ] {
            assert_eq!(local_file(data), None, "{data}");
        }
    }

    #[test]
    fn networks_that_phones_read_otherwise() {
        for (data, words) in [
            ("WIFI:T:WPA;S:Saal;P:geheim123", "does not end with ;;"),
            ("WIFI:T:WPA;S:Saal;P:pass;wort1;;", "wort1"),
        ] {
            let found = faulty_network(data).unwrap_or_default();
            assert!(found.contains(words), "{data}: {found}");
        }
        for data in [
            "WIFI:T:WPA;S:Saal;P:pass\\;wort1;;",
            "WIFI:S:a:b;P:abc:def,ghi;T:WPA;H:true;;",
            "WIFI:T:WPA2-EAP;S:a;E:PEAP;PH2:MSCHAPV2;A:x;I:y;P:a\\\\;;",
            "WIFI:T:nopass;S:a;",
            "A text about WIFI: a;b",
        ] {
            assert_eq!(faulty_network(data), None, "{data}");
        }
    }

    #[test]
    fn first_lines_of_contacts_and_events_alone() {
        for (data, words) in [
            ("BEGIN:VCARD", "each line of a contact became a code"),
            ("begin:vcard", "each line of a contact"),
            ("BEGIN:VEVENT", "each line of a calendar entry"),
            ("BEGIN:VCALENDAR", "each line of a calendar entry"),
        ] {
            assert!(lone_begin(data).is_some_and(|found| found.contains(words)), "{data}");
        }
        for data in [
            "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Eva\r\nEND:VCARD\r\n",
            "BEGIN:VEVENT\nEND:VEVENT",
            "END:VCARD",
            "BEGIN:VCARDS",
            "BEGIN:7",
            "BEGIN",
        ] {
            assert_eq!(lone_begin(data), None, "{data}");
        }
    }

    #[test]
    fn what_is_suspicious_and_what_is_not() {
        let bad = [
            ("https://example.org/a ", "ends with white space"),
            ("\tx", "begins with white space"),
            ("a\n", "ends with white space"),
            ("\u{a0}x", "begins with white space"),
            ("a\u{0}b", "character 2 is U+0000,"),
            ("é\u{7f}", "character 2 is U+007F,"),
            ("https://example.org/\u{200b}a", "character 21 is U+200B,"),
            ("\u{feff}a", "character 1 is U+FEFF,"),
            ("soft\u{ad}hyphen", "U+00AD"),
            ("a\u{202e}b", "U+202E"),
            ("a\u{200d}b", "U+200D"),
            ("Zürich\u{200c}1", "U+200C"),
            ("https://exam ple.org", "the address has white space"),
            ("HTTP://example.org/a\nb", "the address has white space"),
            ("https://example.org/Menu May.pdf", "white space: write %20 for each space"),
            ("https://example.org/?a=1&amp;b=2", "&amp; is an entity"),
            ("caf&eacute;", "&eacute; is an entity"),
            ("a&#38;b", "&#38; is an entity"),
            ("a&b&#xE9;", "&#xE9; is an entity"),
            ("“quoted”", "typographic quotes"),
            ("„so“", "the data is in typographic quotes"),
            ("„https://laden.example/a“", "the address is in typographic quotes"),
            ("« laden.de »", "the address is in typographic quotes"),
            ("N/A", "the word N/A"),
            ("[object Object]", "the word [object Object]"),
        ];
        for (data, part) in bad {
            assert!(
                suspicion(data).is_some_and(|words| words.contains(part)),
                "{data:?}: {:?}",
                suspicion(data)
            );
        }
        for data in WORDS_FOR_NOTHING {
            assert!(suspicion(data).is_some(), "{data}");
        }
        let good = [
            "https://example.org/?a=1&b=2;c",
            "https://example.org/?a=1&foo;",
            "AT&T; & more",
            "Name: Drill & bit, SN 12",
            "one\ttwo\r\nthree",
            "BEGIN:VCARD\r\nVERSION:3.0\r\nEND:VCARD\r\n",
            "begin:vcalendar\nEND:VCALENDAR\n",
            "👩‍👩‍👧‍👦",
            "👩🏽‍🚀 🏳️‍🌈 ❤️‍🔥 🙂‍↔️",
            "می‌خواهم",
            "ශ්‍රී",
            "None of these",
            "nullify",
            "\"quoted\"",
            "“quoted” twice",
            "“",
            "&#;&#x;&;",
        ];
        for data in good {
            assert_eq!(suspicion(data), None, "{data:?}");
        }
        assert!(suspicion("BEGIN:VCARD\nEND:VCARD\n\n").is_some());
    }
}
