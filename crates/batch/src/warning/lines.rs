//! Typed lines, changed as the warnings about them advise.

use std::cmp::Ordering;
use std::iter;

use memchr::memchr2;
use qrpress_kinds::CallingCode;

use super::broken_links::{Rests, with_links_joined};
use super::bullets::{Bullets, without_bullet};
use super::coordinates::coordinates;
use super::mail_addresses::is_mail_address;
use super::numbered::{Numbered, without_number};
use super::phone_list::{Number, PhoneList, number_among_phones, number_in};
use super::phones::{called_from_abroad, is_label_of_phones, is_never_called, is_phone_number};
use super::spaces::{goes_on, has_file_with_spaces};
use super::suspicious::without_invisible;
use super::unsure_numbers::with_calls;
use super::web_address::{
    Address, Fault, address, begins_with_other_scheme, is_list_mark, scheme_of, tabbed_mark,
};
use super::within::{
    Found, LONGEST_LINE, SIGNS, begins, call, end_of_call, found_in, has_address_within, link_of_words,
    words_of,
};

/// A change of lines that a warning advises. A line that it is not about stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineChange {
    /// Each address stands in a line by itself, as phones open it. Lines without one go, unless they may be codes.
    Addresses,
    /// The same, as rows of a table with the columns `data` and `caption`: the words beside an address are its caption.
    Captions,
    /// The marks of lists before addresses go, and the one before nearly all texts.
    Marks,
    /// Web addresses get `https://`.
    Https,
    /// Mail addresses get `mailto:`.
    Mailto,
    /// Phone numbers get `tel:`.
    Tel,
    /// Coordinates get `geo:`.
    Geo,
    /// Three words that name a place get the web address that opens it.
    Words,
    /// A line that goes on with the web address before it is joined to it.
    Join,
    /// Numbers that may be those of phones get `tel:` where they stand.
    Calls,
    /// Spaces in the paths of web addresses get `%20`.
    Spaces,
    /// Characters that nobody sees go.
    Invisible,
    /// Web addresses begin with `https://` or `http://` instead of something that is nearly that.
    Schemes,
    /// Calls within a country get the country's code. In rows of a table, captions stand behind them.
    Country(CallingCode),
}

/// Marks of lists that stand in lists.
const MOST_MARKS: usize = 2;
/// Words that say what an address is, beside those for phones.
const LABELS: [&str; 7] = ["e-mail", "email", "link", "mail", "url", "web", "website"];
/// Digits outside of the addresses that may be a number by themselves.
const DIGITS_OF_NUMBER: usize = 7;
/// The fewest addresses with a title each, above which digits are no codes.
const FEWEST_TITLED: usize = 2;
/// Characters of a name in a chat.
const LONGEST_NAME: usize = 40;

/// Lines after a change.
#[derive(Debug)]
pub struct ChangedLines {
    /// The lines, or the rows of a table.
    pub lines: String,
    /// The lines that were left out: they have no address.
    pub left_out: Vec<String>,
}

/// Changes lines. A line may become several, or none. Captions have so many characters at most. `keeps_texts`: lines without an address stay.
pub fn change_lines(
    lines: &str,
    change: LineChange,
    most_caption_characters: usize,
    keeps_texts: bool,
) -> ChangedLines {
    let rows = || Rows::of(lines, most_caption_characters, keeps_texts);
    let mut changed = match change {
        LineChange::Captions => with_captions(&rows()),
        LineChange::Addresses => with_addresses_alone(lines, &rows()),
        LineChange::Join => ChangedLines { lines: with_links_joined(lines), left_out: Vec::new() },
        _ => with_texts_changed(lines, change),
    };
    if !lines.ends_with('\n') && changed.lines.ends_with('\n') {
        changed.lines.pop();
    }
    changed
}

/// Each line with its text changed. A heading above lines that are all changed goes.
fn with_texts_changed(lines: &str, change: LineChange) -> ChangedLines {
    let list = matches!(change, LineChange::Tel | LineChange::Calls).then(|| phone_list(lines));
    if change == LineChange::Calls && !list.as_ref().is_some_and(PhoneList::asks) {
        return ChangedLines { lines: lines.to_owned(), left_out: Vec::new() };
    }
    let takes_digits = list.is_some_and(|list| list.are_phones());
    let bullet = if change == LineChange::Marks { Bullets::of(lines).mark() } else { None };
    let are_numbered = change == LineChange::Marks && bullet.is_none() && Numbered::of(lines).are_numbered();
    let unmarked = |text: &str| {
        let rest = match bullet {
            Some(bullet) => without_bullet(text, bullet),
            None => without_number(text).filter(|_| are_numbered),
        };
        rest.map(str::to_owned)
    };
    let changed_text = |text: &str| text_changed(text, change, takes_digits).or_else(|| unmarked(text));
    let mut texts = lines.lines().map(str::trim).filter(|text| !text.is_empty());
    let mut heading = texts.next().filter(|first| is_heading(first));
    let mut others = texts.peekable();
    if others.peek().is_none() || !others.all(|text| changed_text(text).is_some()) {
        heading = None;
    }
    let mut changed = ChangedLines { lines: String::new(), left_out: Vec::new() };
    for line in lines.split_inclusive('\n') {
        let text = line.trim();
        match changed_text(text) {
            None if heading == Some(text) => changed.left_out.extend(heading.take().map(str::to_owned)),
            None => changed.lines.push_str(line),
            Some(text) => changed.lines.extend([&text, "\n"]),
        }
    }
    changed
}

/// The phone numbers of lines.
fn phone_list(lines: &str) -> PhoneList {
    let mut list = PhoneList::default();
    for text in lines.lines().map(str::trim) {
        let kind = address(text);
        if matches!(kind, Address::OtherScheme | Address::Behind | Address::None) {
            list.add(0, text, kind);
        }
    }
    list
}

/// The addresses in lines, one in each, and the lines that stay.
fn with_addresses_alone(lines: &str, rows: &Rows<'_>) -> ChangedLines {
    let mut changed = ChangedLines { lines: String::new(), left_out: Vec::new() };
    let mut all = rows.all.iter().enumerate();
    for line in lines.split_inclusive('\n') {
        let row = if line.trim().is_empty() { None } else { all.next() };
        let Some((place, Row { text, found, .. })) = row else {
            // No blank line stands above the first line that is left.
            if !changed.lines.is_empty() {
                changed.lines.push_str(line);
            }
            continue;
        };
        match found {
            None if !rows.keeps_texts
                && rows.has_titles_of_all()
                && rows.is_title(place)
                && may_be_title(text) =>
            {
                changed.left_out.push((*text).to_owned());
            }
            None => changed.lines.push_str(line),
            Some(found) if found.is_empty() => changed.left_out.push((*text).to_owned()),
            Some(found) => found.iter().for_each(|found| changed.lines.extend([&found.data, "\n"])),
        }
    }
    changed
}

/// A line that is to become rows of a table.
struct Row<'l> {
    text: &'l str,
    /// Its addresses. None where it stays.
    found: Option<Vec<Found>>,
    /// It has no address, and may be the title of the next line.
    is_title: bool,
    /// It has an address, and no words beside the first.
    is_bare: bool,
}

/// Lines with a text.
struct Rows<'l> {
    all: Vec<Row<'l>>,
    /// Each address has its title in the line above.
    have_titles: bool,
    most_caption_characters: usize,
    keeps_texts: bool,
}

impl<'l> Rows<'l> {
    fn of(lines: &'l str, most_caption_characters: usize, keeps_texts: bool) -> Self {
        let takes_digits = phone_list(lines).are_phones();
        let texts = lines.lines().map(str::trim).filter(|text| !text.is_empty());
        let mut rests = Rests::default();
        let row_of = |text: &'l str, kind: Address<'_>, is_rest: bool| {
            let found = if is_rest { None } else { addresses_of(text, takes_digits) };
            let has_number = text.bytes().filter(u8::is_ascii_digit).count() >= DIGITS_OF_NUMBER;
            let is_title = match &found {
                _ if has_number => false,
                Some(found) => found.is_empty(),
                None => !is_rest && kind == Address::None && !has_address_within(text, Address::None),
            };
            let is_bare = match &found {
                Some(found) => found.first().is_some_and(|first| {
                    words_beside(text, found, first, most_caption_characters).is_empty()
                }),
                None => !is_title,
            };
            Row { text, found, is_title, is_bare }
        };
        let mut all: Vec<Row<'l>> = Vec::new();
        for text in texts {
            let kind = address(text);
            let is_rest = rests.take(text, kind);
            // The address is not parted from its rest.
            if let Some(before) = all.last_mut().filter(|_| is_rest) {
                before.found = None;
            }
            all.push(row_of(text, kind, is_rest));
        }
        let mut rows = Self { all, have_titles: true, most_caption_characters, keeps_texts };
        rows.have_titles = rows.all.iter().enumerate().all(|(place, row)| {
            let is_kept_title = row.is_title && row.found.is_none();
            (!row.is_bare || rows.title_above(place).is_some()) && (!is_kept_title || rows.is_title(place))
        });
        // A line above a single address may be a text of its own, if other addresses have words beside them.
        let has_words =
            |row: &Row<'_>| !row.is_bare && row.found.as_ref().is_some_and(|found| !found.is_empty());
        rows.have_titles = rows.has_titles_of_all() || (rows.have_titles && !rows.all.iter().any(has_words));
        if keeps_texts {
            for row in &mut rows.all {
                row.found = row.found.take().filter(|found| !found.is_empty());
            }
        }
        rows
    }

    /// The title in the line above, where each address has one.
    fn title_above(&self, place: usize) -> Option<&'l str> {
        let above = self.all.get(place.checked_sub(1)?)?;
        (self.have_titles && self.all[place].is_bare && above.is_title).then_some(above.text)
    }

    /// The line is a title of the next one.
    fn is_title(&self, place: usize) -> bool {
        let next = self.all.get(place + 1);
        self.have_titles && self.all[place].is_title && next.is_some_and(|next| next.is_bare)
    }

    /// Each of several addresses has a title, so that it is none of the codes.
    fn has_titles_of_all(&self) -> bool {
        self.have_titles && self.all.iter().filter(|row| row.is_bare).count() >= FEWEST_TITLED
    }
}

/// The rows of a table of the addresses in lines, and of lines that stay.
fn with_captions(rows: &Rows<'_>) -> ChangedLines {
    let most = rows.most_caption_characters;
    let mut changed = ChangedLines { lines: String::from("data\tcaption\n"), left_out: Vec::new() };
    for (place, Row { text, found, .. }) in rows.all.iter().enumerate() {
        let title = rows.title_above(place).map_or(String::new(), |title| caption_of(title, most));
        match found {
            _ if rows.is_title(place) => {}
            None => push_row(&mut changed.lines, [text, &title]),
            Some(found) if found.is_empty() => changed.left_out.push((*text).to_owned()),
            Some(found) => {
                for each in found {
                    let words = words_beside(text, found, each, most);
                    push_row(
                        &mut changed.lines,
                        [&each.data, if words.is_empty() { &title } else { &words }],
                    );
                }
            }
        }
    }
    changed
}

/// Adds a row of two cells.
fn push_row(rows: &mut String, cells: [&str; 2]) {
    let cells = cells.map(|cell| {
        if cell.contains(['"', '\t']) {
            format!("\"{}\"", cell.replace('"', "\"\""))
        } else {
            cell.to_owned()
        }
    });
    rows.extend([&cells[0], "\t", &cells[1], "\n"]);
}

/// The text of a line with a change that adds no line. None where the change is not about it.
fn text_changed(text: &str, change: LineChange, takes_digits: bool) -> Option<String> {
    match change {
        LineChange::Marks => {
            without_marks(text).or_else(|| tabbed_mark(text).map(|(_, rest)| rest)).map(str::to_owned)
        }
        LineChange::Https => (address(text) == Address::Bare).then(|| format!("https://{text}")),
        LineChange::Mailto => is_mail_address(text).then(|| format!("mailto:{text}")),
        LineChange::Tel => {
            let is_among_phones = || number_among_phones(text).is_some_and(|place| place.start == 0);
            (is_phone_number(text) || (takes_digits && is_among_phones())).then(|| call(text))
        }
        LineChange::Geo => coordinates(text),
        LineChange::Words => link_of_words(text),
        LineChange::Calls => text_with_calls(text, takes_digits),
        LineChange::Invisible => without_invisible(text),
        LineChange::Schemes => match address(text) {
            Address::Faulty(Fault::Scheme(start)) => {
                let rest = text.get(start.len()..)?.trim_start_matches('/');
                Some(if begins(rest, "http") {
                    rest.to_owned()
                } else {
                    format!("{}{rest}", scheme_of(start))
                })
            }
            _ => None,
        },
        LineChange::Country(code) => {
            let (data, caption) = text.split_at(text.find('\t').unwrap_or(text.len()));
            Some(called_from_abroad(data, code)? + caption)
        }
        LineChange::Spaces => has_file_with_spaces(text).then(|| text.replace(' ', "%20")),
        LineChange::Addresses | LineChange::Captions | LineChange::Join => None,
    }
}

/// A text with `tel:` before its numbers, where none is sure to be that of a phone.
fn text_with_calls(text: &str, takes_digits: bool) -> Option<String> {
    let is_text = matches!(address(text), Address::Behind | Address::None);
    let is_sure = || match number_in(text) {
        Some(Number::Sure(_)) => true,
        Some(Number::Among(_)) => takes_digits,
        None => false,
    };
    if is_text && !is_sure() { with_calls(text) } else { None }
}

/// A text without the marks of a list before something that phones open.
fn without_marks(text: &str) -> Option<&str> {
    let mut rest = text;
    for _ in 0..MOST_MARKS {
        let (mark, behind) = rest.split_once(char::is_whitespace)?;
        if !is_list_mark(mark) {
            break;
        }
        rest = behind.trim_start();
        let is_opened = match address(rest) {
            // Lists may stand in lists.
            Address::Faulty(Fault::ListMark(_)) => false,
            Address::Behind | Address::None | Address::OtherScheme => {
                is_mail_address(rest) || is_phone_number(rest) || begins_with_other_scheme(rest)
            }
            _ => true,
        };
        if is_opened {
            return Some(rest);
        }
    }
    None
}

/// The addresses that a line is to become. None where it stays.
fn addresses_of(text: &str, takes_digits: bool) -> Option<Vec<Found>> {
    let kind = address(text);
    let is_faulty = matches!(kind, Address::Faulty(Fault::Scheme(_) | Fault::Comma(_) | Fault::NoDot(_)));
    if text.is_empty() || text.len() > LONGEST_LINE || kind == Address::OtherScheme || is_faulty {
        return None;
    }
    if kind == Address::Named {
        let end = memchr2(b',', b';', text.as_bytes()).unwrap_or(text.len());
        return Some(vec![Found { place: 0..end, data: text[..end].to_owned() }]);
    }
    let stamp = stamp_of(text);
    if words_of(text).any(|word| is_other_code(&text[word.clone()]) && end_of_call(text, &word).is_none()) {
        return None;
    }
    let mut found = found_in(text, kind, stamp);
    if let Some(place) = number_among_phones(text).filter(|_| takes_digits && found.is_empty()) {
        found.push(Found { data: call(&text[place.clone()]), place });
    }
    match &found[..] {
        [] if may_be_code(&text[stamp..]) => None,
        [only] if stamp == 0 && goes_on(text, only) => None,
        _ if lacks_number(text, stamp, &found) => None,
        // A space within the host.
        _ if found.iter().any(|Found { data, .. }| matches!(address(data), Address::Faulty(_))) => None,
        _ => Some(found),
    }
}

/// Returns true for a line that [`LineChange::Addresses`] changes or leaves out.
pub(super) fn is_separable(text: &str) -> bool {
    addresses_of(text, false).is_some()
}

/// Returns true for a web address with text behind it.
pub(super) fn has_text_behind(text: &str) -> bool {
    begins(text, "http")
        && text.contains(char::is_whitespace)
        && !text.contains(['\n', '\r'])
        && addresses_of(text, false).is_some_and(|found| !found.is_empty())
}

/// A code within a text, which may have spaces. `mailto:` with an address alone is no such code.
fn is_other_code(word: &str) -> bool {
    begins_with_other_scheme(word)
        && !word.split_once(':').is_some_and(|(_, address)| is_mail_address(address))
}

/// Returns true where a number may stand beside the addresses, which are no web addresses.
fn lacks_number(text: &str, stamp: usize, found: &[Found]) -> bool {
    if found.is_empty() || found.iter().any(|Found { data, .. }| begins(data, "http")) {
        return false;
    }
    parts_beside(text, stamp, found).into_iter().any(|part| {
        // Nobody calls the number of a fax machine.
        let name = part.split(|sign: char| sign.is_ascii_digit()).next().unwrap_or_default();
        let mut numbers = part.split(|sign: char| sign.is_alphabetic());
        !is_never_called(name)
            && numbers.any(|number| number.bytes().filter(u8::is_ascii_digit).count() >= DIGITS_OF_NUMBER)
    })
}

/// The parts of a text before, between and behind its addresses.
fn parts_beside<'t>(text: &'t str, stamp: usize, found: &[Found]) -> Vec<&'t str> {
    let mut from = stamp;
    let places =
        found.iter().map(|Found { place, .. }| place.clone()).chain(iter::once(text.len()..text.len()));
    places
        .map(|place| {
            let part = &text[from..place.start];
            from = place.end;
            part
        })
        .collect()
}

/// Bytes of the start of a line of a chat: `12.05.27, 18:03 - Anna:`. 0 where it is none.
fn stamp_of(text: &str) -> usize {
    let are_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_date = |word: &str| {
        ['.', '/', '-'].iter().any(|sign| word.split(*sign).count() == 3 && word.split(*sign).all(are_digits))
    };
    let is_time = |word: &str| word.contains(':') && word.split(':').all(are_digits);
    let mut rest = text.strip_prefix('[').unwrap_or(text);
    let mut word = || {
        let (word, behind) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        rest = behind;
        word.trim_end_matches([',', ']'])
    };
    let [first, second] = [word(), word()];
    let is_moment = (is_date(first) && is_time(second)) || (is_time(first) && is_date(second));
    match rest.split_once(':') {
        // No address is a name.
        Some((name, message)) if is_moment && !message.starts_with("//") => {
            let is_name =
                (1..=LONGEST_NAME).contains(&name.chars().count()) && !["mailto", "tel"].contains(&name);
            if is_name { text.len() - message.len() } else { 0 }
        }
        _ => 0,
    }
}

/// Returns true for a text without an address that may be one, or a code: years and words are titles of lists.
pub(super) fn may_be_code(text: &str) -> bool {
    let is_year = |digits: &str| {
        text.contains(' ') && digits.len() == 4 && (digits.starts_with("19") || digits.starts_with("20"))
    };
    let mut numbers = text.split(|sign: char| !sign.is_ascii_digit());
    let has_number = numbers.any(|digits| !digits.is_empty() && !is_year(digits));
    let has_dot_within = || {
        let mut signs = text.chars().peekable();
        let mut before = ' ';
        while let Some(sign) = signs.next() {
            if sign == '.' && !before.is_whitespace() && signs.peek().is_some_and(|next| next.is_alphabetic())
            {
                return true;
            }
            before = sign;
        }
        false
    };
    has_number || text.contains('@') || has_dot_within()
}

/// Returns true for a word that says what the lines below it are: `URL`, `Links`.
pub(super) fn is_heading(text: &str) -> bool {
    let word = text.trim_matches(|sign: char| sign.is_whitespace() || SIGNS.contains(sign)).to_lowercase();
    is_label(word.strip_suffix('s').unwrap_or(&word))
}

/// Returns true for a word before an address or a number, such as `Tel`.
fn is_label(word: &str) -> bool {
    let word = word.to_lowercase();
    LABELS.contains(&&*word) || is_label_of_phones(&word)
}

/// Returns true for a text that rather is a title than a code: `Flat 5`, and not `SN-0017`.
pub(super) fn may_be_title(text: &str) -> bool {
    let text = text.trim_end_matches(':');
    let has_digit = text.contains(|sign: char| sign.is_ascii_digit());
    text.contains(char::is_alphabetic)
        && (!has_digit || text.contains(' '))
        && !text.contains(['@', '/', ':', ';', '|', '\t'])
}

/// The words of a text before an address where they begin with a capital letter, as names do. Else the first words beside the addresses.
fn words_beside(text: &str, found: &[Found], address: &Found, most: usize) -> String {
    let parts = parts_beside(text, stamp_of(text), found);
    let place = found.iter().position(|each| each.place == address.place).unwrap_or_default();
    let own = caption_of(parts[place], most);
    if own.starts_with(char::is_uppercase) {
        return own;
    }
    parts.into_iter().map(|part| caption_of(part, most)).find(|words| !words.is_empty()).unwrap_or_default()
}

/// A text as a caption, without the signs around it, and the word at its end that says what the address is. Empty where it has more
/// characters.
fn caption_of(text: &str, most: usize) -> String {
    let is_around = |sign: char| sign.is_whitespace() || SIGNS.contains(sign);
    let text = without_mark(text).trim_matches(is_around);
    let mut words: Vec<&str> = text.split_whitespace().collect();
    let is_label = |word: &&str| is_label(word.trim_matches(is_around));
    if words.last().is_some_and(is_label) {
        words.pop();
    }
    let mut caption = words.join(" ").trim_end_matches(is_around).to_owned();
    // Brackets within it stay whole.
    match caption.matches('(').count().cmp(&caption.matches(')').count()) {
        Ordering::Greater => caption.push(')'),
        Ordering::Less => caption.insert(0, '('),
        Ordering::Equal => {}
    }
    if caption.chars().count() > most { String::new() } else { caption }
}

fn without_mark(text: &str) -> &str {
    match text.trim_start().split_once(char::is_whitespace) {
        Some((mark, behind)) if is_list_mark(mark) => behind,
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(lines: &str, change: LineChange) -> Vec<String> {
        change_lines(lines, change, 120, false).lines.lines().map(str::to_owned).collect()
    }

    /// Addresses that stand alone in one line each.
    fn alone(line: &str) -> Vec<String> {
        changed(line, LineChange::Addresses)
    }

    #[test]
    fn addresses_within_other_text() {
        for (line, expected) in [
            ("Anna: https://laden.example/a", &["https://laden.example/a"][..]),
            ("“https://laden.example/b”,", &["https://laden.example/b"]),
            ("« https://laden.example/b »", &["https://laden.example/b"]),
            ("- [Book](https://laden.example/c_(d))", &["https://laden.example/c_(d)"]),
            ("(https://laden.example/e).", &["https://laden.example/e"]),
            ("Dates: https://laden.example/g until 1.3.", &["https://laden.example/g"]),
            (
                "See https://laden.example/h, and https://laden.example/i",
                &["https://laden.example/h", "https://laden.example/i"],
            ),
            (
                "https://laden.example/h,https://laden.example/i",
                &["https://laden.example/h", "https://laden.example/i"],
            ),
            ("[https://laden.example/l](https://laden.example/l)", &["https://laden.example/l"]),
            ("• Menu: https://laden.example/j (PDF)", &["https://laden.example/j"]),
            ("https://laden.example/1,Eingang Nord", &["https://laden.example/1"]),
            ("https://laden.example/w (album)", &["https://laden.example/w"]),
            ("Menu: www.laden.example/a", &["https://www.laden.example/a"]),
            ("Venue: laden.example/v", &["https://laden.example/v"]),
            ("Band – laden.example", &["https://laden.example"]),
            ("Kurse: laden.de (Anmeldung)", &["https://laden.de"]),
            ("<laden.example/a>", &["https://laden.example/a"]),
            (
                "Anna <a@laden.example>; Ben <b@laden.example>",
                &["mailto:a@laden.example", "mailto:b@laden.example"],
            ),
            (
                "Roth, Anna <a@laden.example>; b@laden.example",
                &["mailto:a@laden.example", "mailto:b@laden.example"],
            ),
            ("Office, Mail:c@laden.example", &["mailto:c@laden.example"]),
            ("a@laden.example", &["mailto:a@laden.example"]),
            (
                "Menu: https://laden.example/m, or ask a@laden.example.",
                &["https://laden.example/m", "mailto:a@laden.example"],
            ),
            ("Office: +41 31 301 45 67", &["tel:+41313014567"]),
            ("Parish clerk: 07700 900461", &["tel:07700900461"]),
            ("T: +353 1 555 0123 | M: +353 87 245 1190", &["tel:+35315550123", "tel:+353872451190"]),
            ("Anna Meier, a@laden.example, 0711 123456", &["mailto:a@laden.example", "tel:0711123456"]),
            ("Gareth 07700900789", &["tel:07700900789"]),
            ("U11 girls: Siobhán (07700) 900321", &["tel:07700900321"]),
            (
                "Welfare officer - Karen - 07700 900123 - a@laden.example",
                &["tel:07700900123", "mailto:a@laden.example"],
            ),
            ("Plumber 087-1234567", &["tel:0871234567"]),
            ("Plumber: 085-111 2233", &["tel:0851112233"]),
            ("Tel:0871234567", &["tel:0871234567"]),
            ("Anna, Tel.: 0214501234", &["tel:0214501234"]),
            ("Tel 0214501234 | Mob 0871234567", &["tel:0214501234", "tel:0871234567"]),
            ("Phone number: 087-123 4567", &["tel:0871234567"]),
            ("Friseur 0171-2345678 (abends)", &["tel:01712345678"]),
            ("087-1234567 / 086-4501234", &["tel:0871234567", "tel:0864501234"]),
            ("Handy 07242-471234", &["tel:07242471234"]),
            ("Anna 0871234567", &["tel:0871234567"]),
            ("Samaritans 1800 205 050", &["tel:1800205050"]),
            ("Freephone, Tel: 1800372999", &["tel:1800372999"]),
            ("Write to mailto:a@laden.example please", &["mailto:a@laden.example"]),
            ("[12.03.26, 14:05] Anna: https://laden.example/p", &["https://laden.example/p"]),
            (
                "12/05/2026, 18:44 - Mam: https://laden.example/x?si=1 first song",
                &["https://laden.example/x?si=1"],
            ),
        ] {
            assert_eq!(alone(line), expected, "{line}");
        }
    }

    #[test]
    fn lines_without_an_address() {
        for line in [
            "Hello all,",
            "Our links",
            "Menu 2027 for all",
            "[12.03.26, 14:05:33] Ben: thanks!",
            "6:44 12/05/2026 - Ben: ok",
            "[12.03.26, 14:05:33] +49 171 1234567: ok",
            "12/03/2026, 14:05 - Anna: ok",
            "2026-03-12 14:05 - Ben: ok",
        ] {
            assert!(alone(line).is_empty(), "{line}");
        }
        for line in [
            "",
            "https://laden.example/my file.pdf",
            "https://laden.example/late arrivals",
            "laden.example/Late arrivals.pdf",
            "www.laden,example",
            "www.laden,example open daily",
            "Sizes 12.5000 13.9000",
            "https://my laden.example/5",
            "Sign in: https://laden.example/k PIN: 1234",
            "Anna https://laden.example/?q=one two",
            "WIFI:S:www.laden.example;T:WPA;P:secret12;;",
            "mailto:a@laden.example?body=See https://laden.example/i",
            "tel:+4471",
            "htps://laden.example/a",
            "https://laden,example/a",
            "https://laden/a",
            "File: menu.pdf",
            "NHS 111",
            "Gate 7",
            "Office: 0485 12.03.45",
            "Desk: 0711-12-34-56",
            "Bar 0485/98.76.5",
            "Ask laden.example for more",
            "SN-0017",
            "1987",
            "INV-2024",
            "0711-12-34: Anna: Chef",
            "192.168.1.1: Router: OG",
            "Urs 079 124 98 08 abends",
            "Laptop SN: 0712345678",
            "Milk 070470003023",
            "Drill 0815-4711",
            "Drill 08154-71123",
            "Part 0815-471123",
            "Inv.-Nr. 0815-471123",
            "Kundennummer: 0815-471123",
            "Zähler 0815\u{2013}471123",
            "Invoice 1800 20 50 50",
            "Drill 087-1234567-A",
            "087-1234567/1",
            "Tax: 04-1234567",
            "Ref. 087-1234567",
            "Electrician: 0214501234",
            "Size T 0214501234",
            "Tel. 0711-12",
            "Samaritans 1800372999",
            "ISBN 0-306-40615-2",
            "Order 0123456789",
            "Invoice 1800000123",
            "WLAN: WIFI:S:Gast;T:WPA;P:geheim 12;;",
            "Anna: SMSTO:0711 123456:Hallo",
            "Mail: mailto:a@laden.example?subject=Hallo Welt",
            "0711 123456 or 0171 1234567",
            "Anna 0171 1234567 Ben 0172 7654321",
        ] {
            assert_eq!(change_lines(line, LineChange::Addresses, 120, false).lines, line);
        }
        // A heading is no item. Others may be.
        for (lines, change, expected) in [
            ("E-Mail\na@laden.example\n", LineChange::Mailto, "mailto:a@laden.example\n"),
            ("Websites:\n\nwww.laden.example", LineChange::Https, "\nhttps://www.laden.example"),
            ("Tel\n0711 123456\nGate 7", LineChange::Tel, "Tel\ntel:0711123456\nGate 7"),
            ("Phone", LineChange::Tel, "Phone"),
            ("Anna\n0711 123456", LineChange::Tel, "Anna\ntel:0711123456"),
        ] {
            assert_eq!(change_lines(lines, change, 120, false).lines, expected);
        }
        // Nothing is left to change.
        let once =
            change_lines("Menu: www.laden.example\nAnna: a@laden.example", LineChange::Addresses, 120, false)
                .lines;
        assert_eq!(once, "https://www.laden.example\nmailto:a@laden.example");
        assert_eq!(change_lines(&once, LineChange::Addresses, 120, false).lines, once);
        for change in [LineChange::Addresses, LineChange::Captions] {
            assert_eq!(
                change_lines("Hello,\n\nAnna: a@laden.example\n", change, 120, false).left_out,
                ["Hello,"]
            );
        }
    }

    #[test]
    fn words_as_captions() {
        for (line, expected) in [
            ("Parish clerk: 07700 900461", &["tel:07700900461\tParish clerk"][..]),
            ("• Menu: https://laden.example/j (PDF)", &["https://laden.example/j\tMenu"]),
            ("https://laden.example/w (album)", &["https://laden.example/w\talbum"]),
            ("https://laden.example/1,Eingang Nord", &["https://laden.example/1\tEingang Nord"]),
            ("[Anna](https://laden.example/a)", &["https://laden.example/a\tAnna"]),
            ("Anna Meier, Tel. 0711 123456", &["tel:0711123456\tAnna Meier"]),
            (
                "Anna \"Ani\" Meier: a@laden.example, 0711 123456",
                &[
                    "mailto:a@laden.example\t\"Anna \"\"Ani\"\" Meier\"",
                    "tel:0711123456\t\"Anna \"\"Ani\"\" Meier\"",
                ],
            ),
            ("12.03.26, 14:05 - Anna: https://laden.example/p", &["https://laden.example/p\t"]),
            ("https://laden.example/a", &["https://laden.example/a\t"]),
            ("NHS\t111", &["\"NHS\t111\"\t"]),
            ("Our links", &[]),
            (
                "Anna Roth <a@laden.example>; Ben <b@laden.example>",
                &["mailto:a@laden.example\tAnna Roth", "mailto:b@laden.example\tBen"],
            ),
            (
                "Plan https://laden.example/h or https://laden.example/i",
                &["https://laden.example/h\tPlan", "https://laden.example/i\tPlan"],
            ),
            ("Tel: 0711 123456", &["tel:0711123456\t"]),
            ("Bus stop: 51.4869, -3.2727", &["geo:51.4869,-3.2727\tBus stop"]),
            ("Overflow field: 56.45721 -5.43988", &["geo:56.45721,-5.43988\tOverflow field"]),
            ("Jetty: 56°27'12.4\"N 5°26'48.1\"W", &["geo:56.453444,-5.446694\tJetty"]),
            ("Main gate ///daring.lion.race", &["https://w3w.co/daring.lion.race\tMain gate"]),
            ("///daring.lion.race (main gate)", &["https://w3w.co/daring.lion.race\tmain gate"]),
            ("www.laden.example/a Anna's page", &["https://www.laden.example/a\tAnna's page"]),
            ("https://laden.example/a Anna's page", &["https://laden.example/a Anna's page\t"]),
            ("laden.example/a – anna", &["https://laden.example/a\tanna"]),
            ("NHS 24: tel:111", &["tel:111\tNHS 24"]),
            ("Stop 12 (51.4869, -3.2727)", &["geo:51.4869,-3.2727\tStop 12"]),
            ("Plumber 087-1234567", &["tel:0871234567\tPlumber"]),
            ("Anna, mob: 087-1234567", &["tel:0871234567\tAnna"]),
            ("Anna, Tel.: 0214501234", &["tel:0214501234\tAnna"]),
            ("Karen (Welfare) 07700 900123", &["tel:07700900123\tKaren (Welfare)"]),
            ("Karen (Welfare) Holroyd: 07700900123", &["tel:07700900123\tKaren (Welfare) Holroyd"]),
        ] {
            let rows = changed(line, LineChange::Captions);
            assert_eq!(rows[0], "data\tcaption");
            assert_eq!(rows[1..], *expected, "{line}");
        }
    }

    #[test]
    fn lines_above_addresses_as_captions() {
        let lines = "Hello,\n\nRegistration 2026/27:\nhttps://laden.example/r\n\nVolunteers (all)\ntel:+4471\nMenu: https://laden.example/m\n";
        let rows = [
            "https://laden.example/r\tRegistration 2026/27",
            "tel:+4471\tVolunteers (all)",
            "https://laden.example/m\tMenu",
        ];
        assert_eq!(changed(lines, LineChange::Captions)[1..], rows);
        // Other lines are codes.
        let rows = changed("SN-1\nSN-2\nhttps://laden.example/r", LineChange::Captions);
        assert_eq!(rows[1..], ["SN-1\t", "SN-2\t", "https://laden.example/r\t"]);
        let pairs = "Washing machine Flat 5\nhttps://laden.example/r\nFlat 6, 2nd floor\nWIFI:S:a;T:WPA;P:geheim12;;\n";
        let rows = [
            "https://laden.example/r\tWashing machine Flat 5",
            "WIFI:S:a;T:WPA;P:geheim12;;\tFlat 6, 2nd floor",
        ];
        assert_eq!(changed(pairs, LineChange::Captions)[1..], rows);
        let alone = change_lines(pairs, LineChange::Addresses, 120, false);
        assert_eq!(alone.lines, "https://laden.example/r\nWIFI:S:a;T:WPA;P:geheim12;;\n");
        assert_eq!(alone.left_out, ["Washing machine Flat 5", "Flat 6, 2nd floor"]);
        for codes in [
            "SN-1\nhttps://laden.example/r\nSN-2\nhttps://laden.example/s",
            "Flat 5\nhttps://laden.example/r",
        ] {
            assert_eq!(change_lines(codes, LineChange::Addresses, 120, false).lines, codes);
        }
        // It is the rest of the address before.
        let broken =
            ["https://www.example.org/minutes-and-agendas/2027/pa", "th/to/page", "https://laden.example/r"];
        assert_eq!(changed(&broken.join("\n"), LineChange::Captions)[2], "th/to/page\t");
        // They have a number that may be called.
        let phones = "Desk: 024-3608800\nMail: a@laden.example\nOffice: 024-3608820\nMail: b@laden.example";
        let rows = changed(phones, LineChange::Captions);
        assert_eq!(rows[1..3], ["Desk: 024-3608800\t", "mailto:a@laden.example\t"]);
        // It is a text of its own.
        let texts = ["Caretaker Dai 07700 900318", "Stopcock: under the sink", "hall@laden.example"];
        assert_eq!(changed(&texts.join("\n"), LineChange::Captions)[2..], ["mailto:hall@laden.example\t"]);
        assert_eq!(
            change_lines(&texts.join("\n"), LineChange::Captions, 120, true).lines.lines().nth(2),
            Some("Stopcock: under the sink\t")
        );
        let pages = "Our links\n\nMenu\nhttps://laden.example/m\nMap\nhttps://laden.example/k";
        let kept = change_lines(pages, LineChange::Captions, 120, true).lines;
        assert_eq!(
            kept.lines().skip(1).collect::<Vec<_>>(),
            ["Our links\t", "https://laden.example/m\tMenu", "https://laden.example/k\tMap"]
        );
        // One stands above them all.
        let rows =
            changed("Our links\nhttps://laden.example/r\nhttps://laden.example/s", LineChange::Captions);
        assert_eq!(rows[1..], ["https://laden.example/r\t", "https://laden.example/s\t"]);
    }

    #[test]
    fn addresses_that_go_on_in_the_next_line() {
        let walk = "Ganavan walk https://www.walks.example/argyll/ganavan-\nsands.shtml\nMap https://laden.example/m";
        let parted = alone(walk);
        assert_eq!(parted[..2], walk.lines().collect::<Vec<_>>()[..2]);
        let whole = ["https://www.walks.example/argyll/ganavan-sands.shtml", "https://laden.example/m"];
        assert_eq!(alone(&changed(&parted.join("\n"), LineChange::Join).join("\n")), whole);
        let rows = changed(&changed(walk, LineChange::Join).join("\n"), LineChange::Captions);
        assert_eq!(rows[1..], [format!("{}\tGanavan walk", whole[0]), format!("{}\tMap", whole[1])]);
        let rows = changed(walk, LineChange::Captions);
        assert_eq!(rows[1..], [&format!("{}\t", parted[0]), "sands.shtml\t", "https://laden.example/m\tMap"]);
    }

    #[test]
    fn digits_among_phone_numbers() {
        let lines = "021 4501234\n021 4507777\n0214501234\nElectrician: 0214501235";
        assert_eq!(
            alone(lines),
            ["tel:0214501234", "tel:0214507777", "tel:0214501234", "Electrician: 0214501235"]
                .map(str::to_owned)
        );
        let calls = changed(lines, LineChange::Tel);
        assert_eq!(calls[1..], ["tel:0214507777", "tel:0214501234", "Electrician: 0214501235"]);
        let others = ["087-1234567", "085-111 2233", "0214501234", "Electrician: 0214501235"].join("\n");
        assert_eq!(alone(&others)[2..], ["0214501234", "Electrician: 0214501235"]);
        assert_eq!(changed(&others, LineChange::Tel)[2], "0214501234");
    }

    #[test]
    fn numbers_of_fax_machines() {
        assert_eq!(alone("Praxis | Tel +49 711 123457 | Fax +49 711 123458"), ["tel:+49711123457"]);
        assert_eq!(alone("Anna a@laden.example | Fax 030 123458"), ["mailto:a@laden.example"]);
        assert_eq!(alone("Tél. 01 23 45 67 83 / Fax 01 23 45 67 84"), ["tel:0123456783"]);
    }

    #[test]
    fn numbers_that_a_person_lets_phones_call() {
        let lines = [
            "Anna 0711 123456",
            "0214501234",
            "087 123 4567",
            "Ward: 0214501235",
            "Night: 01632 960002 or 07700 900 777",
            "https://laden.example/0711 123456",
            "geo:48.1,11.5",
            "Alarm: 112",
            "Gate 7",
        ]
        .join("\n");
        let called = changed(&lines, LineChange::Calls);
        let marked = ["Ward: tel:0214501235", "Night: tel:01632960002 or tel:07700900777"];
        assert_eq!(called[1], "tel:0214501234");
        assert_eq!(called[3..5], marked);
        assert_eq!(called[7], "Alarm: tel:112");
        for kept in [0, 2, 5, 6, 8] {
            assert_eq!(Some(&*called[kept]), lines.lines().nth(kept));
        }
        assert_eq!(alone(&marked.join("\n")), ["tel:0214501235", "tel:01632960002", "tel:07700900777"]);
        assert_eq!(
            changed(
                "Hours: tel:01632960002 or tel:07700900777\nNote: tel:0711 123456 x12",
                LineChange::Captions
            )[1..],
            ["tel:01632960002\tHours", "tel:07700900777\tHours", "Note: tel:0711 123456 x12\t"]
        );
    }

    #[test]
    fn mistakes_in_texts() {
        for (change, line, expected) in [
            (LineChange::Invisible, "https://laden.example/\u{200b}a", "https://laden.example/a"),
            (LineChange::Invisible, "Gate\u{200b} 7", "Gate 7"),
            (LineChange::Schemes, "https//laden.example/a", "https://laden.example/a"),
            (LineChange::Schemes, "http:/laden.example/a", "http://laden.example/a"),
            (LineChange::Schemes, "Gate 7", "Gate 7"),
            (LineChange::Marks, "1.\tNHS 111", "NHS 111"),
            (LineChange::Marks, "1. NHS 111", "1. NHS 111"),
        ] {
            assert_eq!(changed(line, change), [expected]);
        }
    }

    #[test]
    fn codes_of_countries() {
        let change = LineChange::Country(CallingCode::of("44").unwrap());
        for (line, expected) in [
            ("tel:01631566120", "tel:+441631566120"),
            ("tel:07700900122\tVet: nights", "tel:+447700900122\tVet: nights"),
            ("tel:0163156", "tel:0163156"),
            ("tel:0800123456", "tel:0800123456"),
            ("tel:999", "tel:999"),
            ("tel:+353871234567", "tel:+353871234567"),
            ("Vet: 01631 566120", "Vet: 01631 566120"),
        ] {
            assert_eq!(changed(line, change), [expected]);
        }
    }

    #[test]
    fn spaces_in_addresses() {
        for (line, expected) in [
            ("https://laden.example/Menu May.pdf", "https://laden.example/Menu%20May.pdf"),
            (
                "https://laden.example/files/2027 05/Menu May.pdf",
                "https://laden.example/files/2027%2005/Menu%20May.pdf",
            ),
            ("laden.example/late arrivals", "laden.example/late arrivals"),
            ("laden.example/Late arrivals.pdf", "laden.example/Late%20arrivals.pdf"),
            ("https://laden.example/x or ask for flyer.pdf", "https://laden.example/x or ask for flyer.pdf"),
            ("laden.example/a Anna's page", "laden.example/a Anna's page"),
            ("Menu May.pdf", "Menu May.pdf"),
        ] {
            assert_eq!(changed(line, LineChange::Spaces), [expected]);
        }
    }

    #[test]
    fn long_captions() {
        let line = "Ärzte: https://laden.example/a";
        assert_eq!(
            change_lines(line, LineChange::Captions, 5, false).lines,
            "data\tcaption\nhttps://laden.example/a\tÄrzte"
        );
        assert_eq!(
            change_lines(line, LineChange::Captions, 4, false).lines,
            "data\tcaption\nhttps://laden.example/a\t"
        );
    }

    #[test]
    fn marks_of_lists() {
        for (line, expected) in [
            ("- https://laden.example/b", "https://laden.example/b"),
            ("2.\thttps://laden.example/b", "https://laden.example/b"),
            ("- 1. www.laden.example", "www.laden.example"),
            ("• a@laden.example", "a@laden.example"),
            ("o 0711 123456", "0711 123456"),
            ("• WIFI:S:a b;P:c;;", "WIFI:S:a b;P:c;;"),
            ("- Menu: https://laden.example", "- Menu: https://laden.example"),
            ("- Gate 7", "- Gate 7"),
            ("https://laden.example/b", "https://laden.example/b"),
        ] {
            assert_eq!(changed(line, LineChange::Marks), [expected], "{line}");
        }
    }

    #[test]
    fn numbers_of_nearly_all_texts() {
        let lines = "1. Treadmill TM-1\n2. Bench 4\n3. Rower\nhttps://laden.example/a\n";
        assert_eq!(
            changed(lines, LineChange::Marks),
            ["Treadmill TM-1", "Bench 4", "Rower", "https://laden.example/a"]
        );
        let floors = ["1. Stock", "2. Stock", "3. Stock"];
        assert_eq!(changed(&floors.join("\n"), LineChange::Marks), floors);
    }

    #[test]
    fn marks_of_nearly_all_texts() {
        let lines = [
            "• Gas bottles: swap at reception",
            "• Menu: https://laden.example/m",
            "• 5 mph",
            "• https://laden.example/b",
            "• 1. www.laden.example",
            "-5 °C",
            "- Gate 7",
            "tel:112",
        ];
        let expected = [
            "Gas bottles: swap at reception",
            "Menu: https://laden.example/m",
            "5 mph",
            "https://laden.example/b",
            "www.laden.example",
            "-5 °C",
            "- Gate 7",
            "tel:112",
        ];
        // Two others of eight are few of them.
        let more = ["• No fires", "• Dogs on leads", "• Quiet after 10"];
        let all = [&lines[..], &more].concat().join("\n");
        let without = [&expected[..], &more.map(|line| &line["• ".len()..])].concat();
        assert_eq!(changed(&all, LineChange::Marks), without);
        assert_eq!(changed(&lines[4..].join("\n"), LineChange::Marks), expected[4..]);
    }

    #[test]
    fn schemes() {
        let lines = [
            "www.laden.example/a",
            "a@laden.example",
            "+49 (0)711 123456",
            "48.13743, 11.57549",
            "Room 4",
            "///a.b.c",
        ];
        for (change, place, expected) in [
            (LineChange::Https, 0, "https://www.laden.example/a"),
            (LineChange::Mailto, 1, "mailto:a@laden.example"),
            (LineChange::Tel, 2, "tel:+49711123456"),
            (LineChange::Geo, 3, "geo:48.13743,11.57549"),
            (LineChange::Words, 5, "https://w3w.co/a.b.c"),
        ] {
            let mut all = lines;
            all[place] = expected;
            assert_eq!(changed(&lines.join("\n"), change), all);
        }
        for (line, expected) in [
            ("0485/98.76.54", "tel:0485987654"),
            ("1800 123 456", "tel:1800123456"),
            ("0032 485 98 76 54", "tel:+32485987654"),
            ("12.03.2026", "12.03.2026"),
        ] {
            assert_eq!(changed(line, LineChange::Tel), [expected]);
        }
        for line in [
            "48.1, 11.5",
            "48,13743, 11,57549",
            "148.13743, 11.57549",
            "48.13743",
            "1.234, 5.678, 9.012",
            "1.250, 2.500",
        ] {
            assert_eq!(changed(line, LineChange::Geo), [line]);
        }
    }
}
