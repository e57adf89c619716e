//! A contact as vCard 3.0 (RFC 2426) or 4.0 (RFC 6350). Lines are not folded: both documents only advise it, and it makes the
//! code larger. The lines of an organisation are its name and its units.

use crate::mail::{is_address, without_name};
use crate::percent::{RESERVED, encode, is_triplet};
use crate::phone::{
    direct, extension, refuse_date, refuse_desk_alone, with_bare_code, with_hyphens, without_prefix,
};
use crate::values::{Fault, Values, trimmed};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    Three,
    Four,
}

/// The properties of numbers with their fields. The second one of a kind is read back as that of the other number.
pub(crate) const NUMBERS: [(&str, &str); 5] = [
    ("TEL;TYPE=voice", "phone"),
    ("TEL;TYPE=cell", "mobile"),
    ("TEL;TYPE=home", "homePhone"),
    ("TEL;TYPE=voice", "otherPhone"),
    ("TEL;TYPE=fax", "fax"),
];

/// The fields of addresses.
const EMAILS: [&str; 2] = ["email", "otherEmail"];

pub(crate) fn compose(values: Values<'_>, version: Version) -> Result<String, Fault> {
    let [name, first, last] = ["name", "firstName", "lastName"].map(|field| escaped(values.trimmed(field)));
    // A name of one part is its first, the family name.
    let parts = if first.is_empty() && last.is_empty() {
        format!("{name};;;;")
    } else {
        // The prefix stands before both, such as `Dr.`
        let both = format!("{first} {last}");
        let prefix = name.strip_suffix(both.trim()).map_or("", str::trim);
        format!("{last};{first};;{prefix};")
    };
    let units: Vec<String> = values
        .trimmed("organisation")
        .lines()
        .map(trimmed)
        .filter(|unit| !unit.is_empty())
        .map(escaped)
        .collect();
    let names = [name, format!("{first} {last}").trim().to_owned()];
    let name = names
        .into_iter()
        .find(|name| !name.is_empty())
        .unwrap_or_else(|| units.first().cloned().unwrap_or_default());
    let mut card = Lines::begin("VCARD");
    match version {
        Version::Three => {
            // Version 3.0 requires the parts of a name.
            card.line("VERSION", "3.0");
            card.line("N", &parts);
        }
        Version::Four => {
            card.line("VERSION", "4.0");
            if !parts.ends_with(";;;;") {
                card.line("N", &parts);
            }
        }
    }
    card.line("FN", &name);
    if !units.is_empty() {
        card.line("ORG", &units.join(";"));
    }
    card.text("TITLE", values.trimmed("title"));
    for (property, field) in NUMBERS {
        card.text(property, &number(values, field)?);
    }
    for field in EMAILS {
        let line = values.line(field)?;
        let email = without_name(line);
        if !line.is_empty() && !is_address(email) {
            return Err(Fault::new(field, "this is no address, such as name@example.org."));
        }
        card.text("EMAIL", email);
    }
    let url = values.line("url")?;
    if !url.is_empty() {
        card.line("URL", &uri(url)?);
    }
    let address = ["street", "city", "region", "postcode", "country"].map(|field| values.trimmed(field));
    if address.iter().any(|part| !part.is_empty()) {
        let parts = address.map(escaped).join(";");
        card.line("ADR", &format!(";;{parts}"));
    }
    card.text("NOTE", values.trimmed("note"));
    Ok(card.end("VCARD"))
}

/// A number, with its extension behind a comma: phones dial it after a pause. Without a digit it is none.
fn number(values: Values<'_>, field: &'static str) -> Result<String, Fault> {
    let text = with_hyphens(values.line(field)?);
    refuse_date(field, &text)?;
    refuse_desk_alone(field, &text)?;
    let text = with_bare_code(&text);
    let text = &*without_prefix(&text);
    // An extension may be missing: `089 1234-`.
    let has_digit = text.contains(char::is_numeric);
    let text = if has_digit { text.trim_end_matches(['-', '/', ' ']) } else { text };
    if let Some(number) = direct(text, None) {
        return Ok(number);
    }
    if let Some((number, extension)) = extension(text) {
        return Ok(format!("{number},{extension}"));
    }
    if text.is_empty() || has_digit {
        return Ok(text.to_owned());
    }
    Err(Fault::new(field, "this is no number to call: it has no digit. Leave it empty where there is none."))
}

fn uri(text: &str) -> Result<String, Fault> {
    let scheme = text.split_once(':').map(|(scheme, _)| scheme).unwrap_or_default();
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.chars().all(|character| character.is_ascii_alphanumeric() || "+-.".contains(character));
    if !is_scheme {
        return Err(Fault::new("url", "a link begins with its scheme, such as https://."));
    }
    let mut uri = String::with_capacity(text.len());
    for (place, character) in text.char_indices() {
        if " \"<>\\^`{|}".contains(character) {
            return Err(Fault::new(
                "url",
                "a link has no spaces, quotes, backslashes or brackets of other kinds.",
            ));
        }
        if character == '%' && is_triplet(&text[place..]) {
            uri.push('%');
        } else {
            encode(character.encode_utf8(&mut [0; 4]), RESERVED, &mut uri);
        }
    }
    Ok(uri)
}

/// The text with `\`, `;`, `,` and line ends escaped, as vCard and iCalendar (RFC 5545, section 3.3.11) have it.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\r' if characters.peek() == Some(&'\n') => {}
            '\r' | '\n' => out.push_str("\\n"),
            '\\' | ';' | ',' => {
                out.push('\\');
                out.push(character);
            }
            _ => out.push(character),
        }
    }
    out
}

/// Lines of `NAME:value`, each with the line end that both documents ask for.
pub(crate) struct Lines {
    pub text: String,
}

impl Lines {
    pub fn begin(component: &str) -> Self {
        let mut lines = Self { text: String::with_capacity(256) };
        lines.line("BEGIN", component);
        lines
    }

    pub fn line(&mut self, name: &str, value: &str) {
        self.text.push_str(name);
        self.text.push(':');
        self.text.push_str(value);
        self.text.push_str("\r\n");
    }

    /// Adds a text, unless it is empty.
    pub fn text(&mut self, name: &str, value: &str) {
        if !value.is_empty() {
            self.line(name, &escaped(value));
        }
    }

    pub fn end(mut self, component: &str) -> String {
        self.line("END", component);
        self.text
    }
}
