//! The check of a GS1 Digital Link (GS1 Digital Link URI Syntax 1.6).

use std::borrow::Cow;

use crate::characters::{check_characters, check_digit, is_cset_39, is_cset_82, is_date};
use crate::table::{Identifier, identifier};

/// Digits that each key of more than two digits begins with: the prefix of a company.
const PREFIX_DIGITS: usize = 6;

/// The host of GS1's own resolver: whatever follows is meant as a Digital Link.
const RESOLVER: &str = "id.gs1.org";

/// Characters of the shortest such key that is looked at.
const KEY_CHARACTERS: usize = 8;

/// The first fault of each sort, as a clause that follows 'In the first, '.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkFaults {
    /// A check digit, or a pair of check characters.
    pub check_digit: Option<String>,
    /// An identifier, its place, or the form of a value.
    pub syntax: Option<String>,
}

/// Returns true for a web address with an AI and its value in its path.
pub fn is_link(data: &str) -> bool {
    may_be_link(data.as_bytes()) && path_of(data).is_some_and(|(host, path, _)| key_in(host, path).is_some())
}

/// The link's faults; none where the data is no Digital Link.
pub fn faults_of(data: &str) -> Option<LinkFaults> {
    if !may_be_link(data.as_bytes()) {
        return None;
    }
    let (host, path, query) = path_of(data)?;
    let start = key_in(host, path)?;
    let mut faults = LinkFaults::default();
    let mut segments = path[start..].trim_end_matches('/').split('/');
    let mut used: Vec<&str> = Vec::new();
    // The key, then its qualifiers.
    while let Some(name) = segments.next() {
        let Some(value) = segments.next() else {
            faults.note(format!("{} has no value", shown(name)));
            break;
        };
        match identifier(name) {
            Some(found) if used.is_empty() || is_next(used[0], &used[1..], name) => {
                faults.note_value(name, value, found);
            }
            Some(_) => faults.note(format!("{name} is no qualifier of {} in this place", used[0])),
            None => faults.note(format!("{} is no application identifier", shown(name))),
        }
        used.push(name);
    }
    for pair in query.split(['&', ';']) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        // Names that are no numbers belong to other systems.
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_digit()) {
            continue;
        }
        match identifier(name) {
            Some(_) if used.contains(&name) => faults.note(format!("{name} stands twice")),
            Some(found) => faults.note_value(name, value, found),
            None => faults.note(format!("{} is no application identifier", shown(name))),
        }
        used.push(name);
    }
    Some(faults)
}

impl LinkFaults {
    fn note(&mut self, what: String) {
        self.syntax.get_or_insert(what);
    }

    fn note_value(&mut self, name: &str, value: &str, identifier: &Identifier) {
        match flaw_of(&decoded(value), identifier.form) {
            None => {}
            Some(Flaw::CheckDigit(right)) => {
                let what = format!("{name} ends in a check digit that should be {right}");
                self.check_digit.get_or_insert(what);
            }
            Some(Flaw::CheckCharacters([first, second])) => {
                let what = format!("{name} ends in check characters that should be {first}{second}");
                self.check_digit.get_or_insert(what);
            }
            Some(Flaw::Form) => self.note(format!("the value of {name} does not have its form")),
        }
    }
}

/// A cheap look, since every item of a job is looked at: the address has a segment of two to four digits.
fn may_be_link(data: &[u8]) -> bool {
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    matches!(data.first(), Some(b'h' | b'H'))
        && data.windows(4).enumerate().any(|(place, four)| {
            four[0] == b'/'
                && is_digit(&four[1])
                && is_digit(&four[2])
                && data[place + 3..].iter().take(3).find(|byte| !is_digit(byte)) == Some(&b'/')
        })
}

/// The host, the path and the query of a web address.
fn path_of(data: &str) -> Option<(&str, &str, &str)> {
    let (scheme, rest) = data.split_once("://")?;
    if !scheme.eq_ignore_ascii_case("https") && !scheme.eq_ignore_ascii_case("http") {
        return None;
    }
    let rest = rest.split_once('#').map_or(rest, |(before, _)| before);
    let (address, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (host, path) = address.split_at(address.find('/')?);
    Some((host, path, query))
}

/// The place of the key in the path. Other links have numbers in their paths too: months, pages, statuses.
fn key_in(host: &str, path: &str) -> Option<usize> {
    let is_of_gs1 = host.eq_ignore_ascii_case(RESOLVER);
    let mut before = "";
    let mut start = 1;
    while start < path.len() {
        let end = path[start..].find('/').map(|length| start + length)?;
        let name = &path[start..end];
        let rest = &path[end + 1..];
        let is_first_of_gs1 = is_of_gs1 && before.is_empty() && !rest.is_empty() && is_key(name);
        if is_first_of_gs1 || ((2..=4).contains(&name.len()) && is_plausible(before, name, rest)) {
            return Some(start);
        }
        before = name;
        start = end + 1;
    }
    None
}

fn is_key(name: &str) -> bool {
    identifier(name).is_some_and(|found| found.qualifiers.is_some())
}

/// The name is that of a key, and what stands around it speaks for it: a number that is as long as the key's, or nearly for a GTIN,
/// which people write with 8, 12, 13 or 14 digits.
fn is_plausible(before: &str, name: &str, rest: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let Some(found) = identifier(name).filter(|found| found.qualifiers.is_some()) else { return false };
    let (value, next) = rest.split_once('/').unwrap_or((rest, ""));
    let next = next.split('/').next().unwrap_or_default();
    let begins_with = |digits: usize| value.get(..digits).is_some_and(is_number);
    let is_long = value.len() >= KEY_CHARACTERS && begins_with(PREFIX_DIGITS);
    let fixed = found.form.strip_prefix('N').and_then(|length| length[..2].parse().ok());
    match (name, fixed) {
        ("01", _) if before.is_empty() => is_long,
        // A month of a year.
        ("01", _) => is_long && !(before.len() == 4 && is_number(before)),
        (_, Some(digits)) => begins_with(digits),
        (_, None) => is_long && (next.is_empty() || is_number(next)),
    }
}

/// The qualifier may stand behind those that were used, in some list of the key.
fn is_next(key: &str, used: &[&str], name: &str) -> bool {
    let lists = identifier(key).and_then(|found| found.qualifiers).unwrap_or_default();
    lists.split('|').any(|list| {
        let mut order = list.split(',');
        used.iter().chain([&name]).all(|qualifier| order.any(|allowed| allowed == *qualifier))
    })
}

enum Flaw {
    CheckDigit(char),
    CheckCharacters([char; 2]),
    Form,
}

fn flaw_of(value: &str, form: &str) -> Option<Flaw> {
    let mut rest = value;
    let mut check = None;
    for component in form.split(' ') {
        if rest.is_empty() && component.ends_with('?') {
            break;
        }
        let set = component.as_bytes()[0];
        let digits = |character: char| character.is_ascii_digit();
        let length = component[1..].trim_matches(|character: char| !character.is_ascii_digit());
        let most: usize = length.parse().unwrap_or_default();
        let least = if component[1..].starts_with('.') { 1 } else { most };
        let count = rest.len().min(most);
        let Some((text, after)) = rest.split_at_checked(count).filter(|_| count >= least) else {
            return Some(Flaw::Form);
        };
        let is_right = match set {
            b'N' => text.chars().all(digits),
            b'X' => text.chars().all(is_cset_82),
            b'Y' => text.chars().all(is_cset_39),
            _ => text.is_ascii(),
        };
        let is_dated = match component.trim_end_matches('?').as_bytes().last() {
            Some(b'd') => is_right && is_date(text, true),
            Some(b'D') => is_right && is_date(text, false),
            _ => true,
        };
        if !is_right || !is_dated {
            return Some(Flaw::Form);
        }
        if component.contains('c') {
            let right = check_digit(&text[..text.len() - 1]);
            check = check.or((!text.ends_with(right)).then_some(Flaw::CheckDigit(right)));
        }
        if component.contains('m') {
            let start = text.len().checked_sub(2).filter(|start| *start > 0);
            let Some(right) = start.and_then(|start| check_characters(&text[..start])) else {
                return Some(Flaw::Form);
            };
            let is_right = text.chars().rev().take(2).eq(right.into_iter().rev());
            check = check.or((!is_right).then_some(Flaw::CheckCharacters(right)));
        }
        rest = after;
    }
    if rest.is_empty() { check } else { Some(Flaw::Form) }
}

/// The value without percent-encoding. What is no UTF-8 becomes a character that no value has.
fn decoded(value: &str) -> Cow<'_, str> {
    if !value.contains('%') {
        return Cow::Borrowed(value);
    }
    let mut bytes = Vec::with_capacity(value.len());
    let mut rest = value.as_bytes();
    while let [first, after @ ..] = rest {
        let pair = after.get(..2).filter(|pair| *first == b'%' && pair.iter().all(u8::is_ascii_hexdigit));
        let pair = pair.and_then(|pair| std::str::from_utf8(pair).ok());
        let byte = pair.and_then(|pair| u8::from_str_radix(pair, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &after[2..] } else { after };
    }
    Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
}

/// The first characters of an identifier that is none.
fn shown(name: &str) -> String {
    if name.is_empty() { "an empty segment".to_owned() } else { name.chars().take(20).collect() }
}
