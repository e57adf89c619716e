//! Web addresses that go on in the next line, as they are pasted from pages whose lines are short.

use super::group::{Group, shown};
use super::kind::{Warning, WarningCode};
use super::mail_addresses::is_mail_address;
use super::web_address::{Address, Fault, address};

/// Bytes of the shortest line that ends with an address for which it was too short.
const FEWEST_BYTES: usize = 50;
/// Bytes of the shortest rest with a slash: `and/or` is none.
const FEWEST_OF_REST: usize = 8;
/// Ends of the names of pages, and of files that links lead to.
const ENDINGS: [&str; 7] = [".htm", ".html", ".shtml", ".pdf", ".php", ".aspx", ".jsp"];

/// Tells the rests of addresses from other lines, one line after the other.
#[derive(Debug, Default)]
pub(super) struct Rests {
    /// The address of the last line may go on.
    open: Option<Open>,
}

/// The place of an address that may go on in the next line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    /// It is all of its line.
    Alone,
    /// It ends a line of other text. Between such lines, texts of their own are more likely.
    BehindText,
}

impl Rests {
    /// Takes the next line, which is an address in that way. Returns true for the rest of the address before it.
    pub fn take(&mut self, text: &str, kind: Address<'_>) -> bool {
        let before = self.open.filter(|open| may_be_rest(text, kind, *open));
        self.open = match before {
            Some(open) => may_go_on(text).then_some(open),
            None => open_in(text, kind),
        };
        before.is_some()
    }
}

/// The address that ends a line and may go on in the next one.
fn open_in(text: &str, kind: Address<'_>) -> Option<Open> {
    if text.len() < FEWEST_BYTES {
        return None;
    }
    let word = text.rsplit(char::is_whitespace).next()?;
    let open = match kind {
        Address::Whole if word == text => Open::Alone,
        Address::Behind | Address::Faulty(Fault::ListMark(_)) if address(word) == Address::Whole => {
            Open::BehindText
        }
        _ => return None,
    };
    let (_, path) = word.split_once("://")?.1.split_once('/')?;
    // A file of its own may stand below an address that is whole.
    let is_cut = open == Open::Alone || word.ends_with('-');
    (!path.is_empty() && is_cut && may_go_on(word)).then_some(open)
}

/// Returns true for an address, or a rest of one, that may go on in the next line.
fn may_go_on(part: &str) -> bool {
    // Names of videos and the like end with signs. A hyphen in the name of a page is a place to break a line.
    let is_cut = part.ends_with('-') && !part.contains('?');
    (is_cut || part.ends_with(char::is_alphanumeric)) && !has_ending(part)
}

/// Returns true for a line that may be the rest of an address: `th/to/page.html`.
fn may_be_rest(text: &str, kind: Address<'_>, open: Open) -> bool {
    let has_slash = || open == Open::Alone && text.len() >= FEWEST_OF_REST && text.contains('/');
    text.bytes().all(|byte| byte.is_ascii_graphic() && !b"<>\"|".contains(&byte))
        && text.bytes().any(|byte| byte.is_ascii_lowercase())
        && !text.starts_with(|first: char| first.is_ascii_uppercase())
        && (has_slash() || has_ending(text))
        && kind == Address::None
        && !is_mail_address(text)
}

fn has_ending(text: &str) -> bool {
    ENDINGS.iter().any(|ending| text.ends_with(ending))
}

/// The rests of addresses among the items so far.
#[derive(Debug, Default)]
pub(super) struct BrokenLinks {
    rests: Rests,
    found: Option<Group>,
}

impl BrokenLinks {
    /// Takes note of the next item, which is an address in that way. Returns true for the rest of an address.
    pub fn add(&mut self, index: u64, data: &str, address: Address<'_>) -> bool {
        let is_rest = self.rests.take(data, address);
        if is_rest {
            Group::add(&mut self.found, index, || data.to_owned());
        }
        is_rest
    }

    /// Takes in what was found in the part of the job that follows. The last address before it does not go on in it: parts are long.
    pub fn append(&mut self, later: Self) {
        Group::merge(&mut self.found, later.found);
        self.rests = later.rests;
    }

    /// The warning about a job of `total` items.
    pub fn finish(self, total: u64) -> Option<Warning> {
        let group = self.found?;
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
    let mut rests = Rests::default();
    for line in lines.split_inclusive('\n') {
        let text = line.trim();
        if text.is_empty() {
            // The rest may stand on the next page.
            joined.push_str(line);
            continue;
        }
        if rests.take(text, address(text)) {
            joined.truncate(joined.trim_end().len());
            joined.push_str(line.trim_start());
        } else {
            joined.push_str(line);
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINK: &str = "https://www.example.org/minutes-and-agendas/2027/pa";

    fn joined(lines: &[&str]) -> Vec<String> {
        with_links_joined(&lines.join("\n")).lines().map(str::to_owned).collect()
    }

    #[test]
    fn addresses_over_several_lines() {
        for (rest, whole) in [
            (&["th/to/page.html"][..], "https://www.example.org/minutes-and-agendas/2027/path/to/page.html"),
            (&["th.html"], "https://www.example.org/minutes-and-agendas/2027/path.html"),
            (&["", "th.pdf"], "https://www.example.org/minutes-and-agendas/2027/path.pdf"),
            (&["th.shtml"], "https://www.example.org/minutes-and-agendas/2027/path.shtml"),
            (
                &["th/of/the", "/page.html"],
                "https://www.example.org/minutes-and-agendas/2027/path/of/the/page.html",
            ),
        ] {
            let lines = [&["Menu", LINK], rest, &["Gate 7"]].concat();
            assert_eq!(joined(&lines), ["Menu", whole, "Gate 7"]);
        }
        assert_eq!(with_links_joined(&format!("{LINK}\r\nth.html\r\n")), format!("{LINK}th.html\r\n"));
    }

    #[test]
    fn addresses_behind_text_over_several_lines() {
        for (line, rest) in [
            ("Ganavan walk https://www.walks.example/argyll/ganavan-", "sands.shtml"),
            ("• Walks along the shore www https://www.example.org/pa-", "th/to/page.html"),
            ("- https://www.example.org/minutes-and-agendas/2027/pa-", "th.pdf"),
        ] {
            assert_eq!(joined(&[line, rest, "Gate 7"]), [&format!("{line}{rest}"), "Gate 7"]);
        }
        let line = "Lunch at the lake: https://www.example.org/minutes-and-agendas/2027/menu";
        for other in
            ["tea/coffee", "tea/coffee/cake", "sands", "Sands.shtml", "sands.shtml is the page", "mai.pdf"]
        {
            assert_eq!(joined(&[line, other]), [line, other]);
        }
    }

    #[test]
    fn other_lines_behind_addresses() {
        for other in [
            "Gate 7",
            "SN-0017",
            "sn-0017",
            "user=gast",
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
            "https://www.example.org/minutes-and-agendas/2027/path/",
            "https://www.example.org/minutes-and-agendas/2027/page.html",
            "https://www.the-very-long-name-of-an-example.example.org",
            "https://laden.example/pa",
            "https://www.example.org/watch/minutes-and-agendas?v=abcdefghij-",
            "https://www.example.org/minutes-and-agendas/verify?token=YWJjZA==",
            "Menu: https://laden.example/minutes/pa",
            "Menu: https://www.example.org/minutes-and-agendas/2027/pa with pictures",
            "Menu: https://www.the-very-long-name-of-an-example.example.org",
            "Menu: https://www.example.org/minutes-and-agendas/2027/page.html",
            "Song: https://www.example.org/watch/songs?v=abcdefghij-",
            "mailto:a@laden.example?body=See https://www.example.org/minutes/pa",
            "Gate 7",
        ] {
            assert_eq!(joined(&[link, "th/to/page.html"]), [link, "th/to/page.html"]);
        }
    }

    #[test]
    fn items_over_several_lines() {
        let mut links = BrokenLinks::default();
        let items = ["Menu", LINK, "th/to/the", "/page.html", "https://laden.example/b", "th/to/page.html"];
        let rests: Vec<bool> =
            (0..).zip(items).map(|(index, item)| links.add(index, item, address(item))).collect();
        assert_eq!(rests, [false, false, true, true, false, false]);
        let warning = links.finish(6).unwrap();
        assert_eq!(warning.listed, [2, 3]);
        assert_eq!(
            warning.message,
            "2 items are probably not meant: they seem to be the rest of the web address before them, the first of them \"th/to/the\". Join \
             these lines."
        );
    }
}
