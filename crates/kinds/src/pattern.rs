//! Patterns over the columns' names: URI templates (RFC 6570) of levels 1 and 2, whose names are any text but braces.

use std::{fmt, mem};

use crate::percent::{RESERVED, encode, is_triplet};

/// The schemes of links with their colons, in lower case.
pub const LINK_SCHEMES: [&str; 9] =
    ["http:", "https:", "ftp:", "mailto:", "sms:", "smsto:", "tel:", "geo:", "urn:"];

/// The reason why a text is no pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PatternError {
    /// Nothing, or only spaces.
    Empty,
    /// A brace without its other, or one inside braces.
    Brace,
    /// Braces without a name.
    Nameless,
    /// `{#name}` in a pattern that is no link.
    Fragment,
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "is empty",
            Self::Brace => "has a brace without its other one; a brace that is text is written twice",
            Self::Nameless => "has braces without the name of a column",
            Self::Fragment => "has braces that begin with #, which only links have",
        })
    }
}

impl std::error::Error for PatternError {}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    /// The value as it stands.
    Plain,
    /// `{name}` of a link.
    Simple,
    /// `{+name}` of a link.
    Reserved,
    /// `{#name}` of a link.
    Fragment,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Literal(String),
    Value(Operator),
}

/// A pattern that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    parts: Vec<Part>,
    names: Vec<String>,
}

impl Pattern {
    /// Reads the pattern of a code's data: that of a link percent-encodes values as RFC 6570 says, any other takes them as they are.
    ///
    /// # Errors
    /// Braces that are not in pairs, or without a name.
    pub fn of_data(text: &str) -> Result<Self, PatternError> {
        let begins =
            |link: &&str| text.get(..link.len()).is_some_and(|start| start.eq_ignore_ascii_case(link));
        Self::parse(text, LINK_SCHEMES.iter().chain(&["{+"]).any(begins))
    }

    /// Reads a pattern that takes values as they are.
    ///
    /// # Errors
    /// Braces that are not in pairs, or without a name.
    pub fn of_text(text: &str) -> Result<Self, PatternError> {
        Self::parse(text, false)
    }

    fn parse(text: &str, is_link: bool) -> Result<Self, PatternError> {
        if text.trim().is_empty() {
            return Err(PatternError::Empty);
        }
        let mut pattern = Self { parts: Vec::new(), names: Vec::new() };
        let mut literal = String::new();
        let mut rest = text;
        while let Some(place) = rest.find(['{', '}']) {
            let brace = &rest[place..=place];
            literal.push_str(&rest[..place]);
            rest = &rest[place + 1..];
            if let Some(after) = rest.strip_prefix(brace) {
                literal.push_str(brace);
                rest = after;
                continue;
            }
            let end = rest.find(['{', '}']).filter(|&end| brace == "{" && rest[end..].starts_with('}'));
            let (inside, after) = rest.split_at(end.ok_or(PatternError::Brace)?);
            rest = &after[1..];
            let inside = inside.trim();
            let (operator, name) = match (inside.as_bytes().first(), is_link) {
                (Some(b'+'), true) => (Operator::Reserved, &inside[1..]),
                (Some(b'#'), true) => (Operator::Fragment, &inside[1..]),
                (Some(b'#'), false) => return Err(PatternError::Fragment),
                (Some(b'+'), false) => (Operator::Plain, &inside[1..]),
                (_, true) => (Operator::Simple, inside),
                (_, false) => (Operator::Plain, inside),
            };
            if name.trim().is_empty() {
                return Err(PatternError::Nameless);
            }
            pattern.literal(&mem::take(&mut literal), is_link);
            pattern.parts.push(Part::Value(operator));
            pattern.names.push(name.trim().to_owned());
        }
        literal.push_str(rest);
        pattern.literal(&literal, is_link);
        Ok(pattern)
    }

    fn literal(&mut self, text: &str, is_link: bool) {
        if !text.is_empty() {
            self.parts.push(Part::Literal(if is_link { as_uri(text) } else { text.to_owned() }));
        }
    }

    /// The names in braces, in order; one that stands twice is listed twice.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The pattern is `https://` with a value behind it that is taken as it is.
    pub fn writes_scheme(&self) -> bool {
        matches!(&self.parts[..], [Part::Literal(text), Part::Value(Operator::Reserved)] if text == "https://")
    }

    /// Appends the expansion with these values, in the order of the names. Stops early once `out` exceeds `most` bytes; callers
    /// check the length.
    pub fn expand<'v>(&self, values: impl IntoIterator<Item = &'v str>, most: usize, out: &mut String) {
        let mut values = values.into_iter();
        for part in &self.parts {
            if out.len() > most {
                return;
            }
            match part {
                Part::Literal(text) => out.push_str(text),
                Part::Value(operator) => Self::value(*operator, values.next().unwrap_or_default(), out),
            }
        }
    }

    fn value(operator: Operator, value: &str, out: &mut String) {
        if operator == Operator::Fragment {
            out.push('#');
        }
        match operator {
            Operator::Plain => out.push_str(value),
            Operator::Simple => encode(value, "", out),
            Operator::Reserved | Operator::Fragment => reserved(value, out),
        }
    }
}

/// RFC 6570, section 3.2.3: reserved characters and encoded bytes are left.
fn reserved(value: &str, out: &mut String) {
    for (place, character) in value.char_indices() {
        if character == '%' && is_triplet(&value[place..]) {
            out.push('%');
        } else {
            encode(character.encode_utf8(&mut [0; 4]), RESERVED, out);
        }
    }
}

/// RFC 6570, section 3.1: characters that no URI has are encoded.
fn as_uri(literal: &str) -> String {
    let mut out = String::with_capacity(literal.len());
    reserved(literal, &mut out);
    out
}
