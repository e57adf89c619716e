//! Web addresses that go on in the next line, as they are pasted from pages whose lines are short.

use super::group::{Group, shown};
use super::kind::{Warning, WarningCode};
use super::mail_addresses::is_mail_address;
use super::web_address::{Address, address};

/// Bytes of the shortest address that a line was too short for.
const FEWEST_BYTES: usize = 30;
/// Bytes of the shortest rest with a slash: `and/or` is none.
const FEWEST_OF_REST: usize = 8;
/// Ends of the names of pages, and of files that links lead to.
const ENDINGS: [&str; 6] = [".htm", ".html", ".pdf", ".php", ".aspx", ".jsp"];

/// The way in which a line ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum End {
    /// No address goes on behind it.
    #[default]
    Closed,
    /// The path of an address may go on.
    Path,
    /// A sign at its end says that it goes on.
    Sign,
}

impl End {
    /// The end of a line behind another one.
    pub fn after(before: Self, text: &str) -> Self {
        let goes_on = is_rest(before, text);
        let path = text.split_once("://").and_then(|(_, rest)| rest.split_once('/'));
        let is_open = goes_on
            || (text.len() >= FEWEST_BYTES
                && address(text) == Address::Whole
                && !text.contains(char::is_whitespace)
                && path.is_some_and(|(_, path)| !path.is_empty()));
        match text.bytes().next_back() {
            Some(b'=' | b'&' | b'?' | b'%' | b'-' | b'_') if is_open => Self::Sign,
            Some(last) if is_open && last != b'/' && !has_ending(text) => Self::Path,
            _ => Self::Closed,
        }
    }
}

/// Returns true for a line that is the rest of an address: `th/to/page.html`.
pub(super) fn is_rest(before: End, text: &str) -> bool {
    let is_part = || {
        text.bytes().all(|byte| byte.is_ascii_graphic() && !b"<>\"|".contains(&byte))
            && text.bytes().any(|byte| byte.is_ascii_alphanumeric())
            && address(text) == Address::None
            && !is_mail_address(text)
    };
    let has_sign = || {
        let has_letter = text.bytes().any(|byte| byte.is_ascii_lowercase());
        let has_slash = text.len() >= FEWEST_OF_REST && text.contains('/');
        let begins_so = !text.starts_with(|first: char| first.is_ascii_uppercase());
        has_letter && begins_so && (has_slash || text.contains('=') || has_ending(text))
    };
    match before {
        End::Closed => false,
        End::Path => is_part() && has_sign(),
        End::Sign => is_part(),
    }
}

fn has_ending(text: &str) -> bool {
    ENDINGS.iter().any(|ending| text.ends_with(ending))
}

/// The rests of addresses among the items so far.
#[derive(Debug, Default)]
pub(super) struct BrokenLinks {
    /// The end of the last item.
    end: End,
    rests: Option<Group>,
}

impl BrokenLinks {
    /// Takes note of the next item. Returns true for the rest of an address.
    pub fn add(&mut self, index: u64, data: &str) -> bool {
        let is_rest = is_rest(self.end, data);
        if is_rest {
            Group::add(&mut self.rests, index, || data.to_owned());
        }
        self.end = End::after(self.end, data);
        is_rest
    }

    /// Takes in what was found in the part of the job that follows. The last address before it does not go on in it: parts are long.
    pub fn append(&mut self, later: Self) {
        Group::append(&mut self.rests, later.rests);
        self.end = later.end;
    }

    /// The warning about a job of `total` items.
    pub fn finish(self, total: u64) -> Option<Warning> {
        let group = self.rests?;
        let first = shown(&group.words);
        let are = match group.items {
            1 => format!(
                "1 item is probably not meant: {first:?} seems to be the rest of the web address before it"
            ),
            items => format!(
                "{items} items are probably not meant: they seem to be the rest of the web address before them, the first of them {first:?}"
            ),
        };
        let message = format!("{are}. Join these lines.");
        Some(group.warning(WarningCode::SuspiciousData, message, total))
    }
}

/// Lines in which addresses are whole that go on in the next one.
pub(super) fn with_links_joined(lines: &str) -> String {
    let mut joined = String::new();
    let mut end = End::Closed;
    for line in lines.split_inclusive('\n') {
        let text = line.trim();
        if text.is_empty() {
            // The rest may stand on the next page.
            joined.push_str(line);
            continue;
        }
        if is_rest(end, text) {
            joined.truncate(joined.trim_end().len());
            joined.push_str(line.trim_start());
        } else {
            joined.push_str(line);
        }
        end = End::after(end, text);
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINK: &str = "https://www.example.org/very/long/pa";

    fn joined(lines: &[&str]) -> Vec<String> {
        with_links_joined(&lines.join("\n")).lines().map(str::to_owned).collect()
    }

    #[test]
    fn addresses_over_several_lines() {
        for (rest, whole) in [
            (&["th/to/page.html"][..], "https://www.example.org/very/long/path/to/page.html"),
            (&["th.html"], "https://www.example.org/very/long/path.html"),
            (&["", "th.pdf"], "https://www.example.org/very/long/path.pdf"),
            (&["th?id=12"], "https://www.example.org/very/long/path?id=12"),
            (&["th?id=", "12345"], "https://www.example.org/very/long/path?id=12345"),
            (&["th/of/the-", "Page"], "https://www.example.org/very/long/path/of/the-Page"),
        ] {
            let lines = [&["Menu", LINK], rest, &["Gate 7"]].concat();
            assert_eq!(joined(&lines), ["Menu", whole, "Gate 7"]);
        }
        assert_eq!(with_links_joined(&format!("{LINK}\r\nth.html\r\n")), format!("{LINK}th.html\r\n"));
    }

    #[test]
    fn other_lines_behind_addresses() {
        for other in [
            "Gate 7",
            "SN-0017",
            "sn-0017",
            "12/05/2027",
            "and/or",
            "n/a",
            "Room=5",
            "Menu/Karte",
            "1234567",
            "a@laden.example",
            "https://laden.example/b",
            "www.laden.example/b",
            "laden.example/speisekarte",
            "mailto:a@laden.example",
            "tel:+49711123456",
            "WIFI:S:a;P:b=c;;",
            "th/to/page.html and more",
            "über/alles.html",
            "\"th/to/page.html\"",
        ] {
            assert_eq!(joined(&[LINK, other]), [LINK, other]);
        }
        for link in [
            "https://www.example.org/very/long/path/",
            "https://www.example.org/very/long/page.html",
            "https://www.very-long-example.example.org",
            "https://laden.example/pa",
            "Menu: https://www.example.org/very/long/pa",
            "Gate 7",
        ] {
            assert_eq!(joined(&[link, "th/to/page.html"]), [link, "th/to/page.html"]);
        }
    }

    #[test]
    fn items_over_several_lines() {
        let mut links = BrokenLinks::default();
        let items = ["Menu", LINK, "th/to/the-", "Page", "https://laden.example/b", "th/to/page.html"];
        let rests: Vec<bool> = (0..).zip(items).map(|(index, item)| links.add(index, item)).collect();
        assert_eq!(rests, [false, false, true, true, false, false]);
        let warning = links.finish(6).unwrap();
        assert_eq!(warning.listed, [2, 3]);
        assert_eq!(
            warning.message,
            "2 items are probably not meant: they seem to be the rest of the web address before them, the first of them \"th/to/the-\". Join \
             these lines."
        );
    }
}
