//! Patterns over the columns' names: URI templates (RFC 6570) of levels 1 and 2, whose names are any text but braces.

use std::fmt;

use crate::percent::{RESERVED, encode, is_triplet};

/// The way in which values are put in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expansion {
    /// Percent-encoded, as RFC 6570 says.
    Uri,
    /// As they are.
    Plain,
}

/// The reason why a text is no pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PatternError {
    /// Nothing, or spaces alone.
    Empty,
    /// A brace without its other, or one inside braces.
    Brace,
    /// Braces without a name.
    Nameless,
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "is empty",
            Self::Brace => "has a brace without its other one",
            Self::Nameless => "has braces without the name of a column",
        })
    }
}

impl std::error::Error for PatternError {}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    /// `{name}`
    Simple,
    /// `{+name}`
    Reserved,
    /// `{#name}`
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
    expansion: Expansion,
}

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// Braces that are not in pairs, or without a name.
    pub fn parse(text: &str, expansion: Expansion) -> Result<Self, PatternError> {
        if text.trim().is_empty() {
            return Err(PatternError::Empty);
        }
        let mut pattern = Self { parts: Vec::new(), names: Vec::new(), expansion };
        // A text that is no link has no other characters than its sender wrote.
        let is_link = expansion == Expansion::Uri && text.contains("://");
        let mut rest = text;
        while !rest.is_empty() {
            let (literal, after) = match rest.find(['{', '}']) {
                Some(end) if rest[end..].starts_with('}') => return Err(PatternError::Brace),
                Some(end) => (&rest[..end], &rest[end + 1..]),
                None => (rest, ""),
            };
            let is_last = literal.len() == rest.len();
            if !literal.is_empty() {
                pattern.parts.push(Part::Literal(if is_link { as_uri(literal) } else { literal.to_owned() }));
            }
            if is_last {
                break;
            }
            let end = after.find(['{', '}']).filter(|&end| after[end..].starts_with('}'));
            let end = end.ok_or(PatternError::Brace)?;
            let (operator, name) = match after[..end].trim() {
                name if name.starts_with('+') => (Operator::Reserved, &name[1..]),
                name if name.starts_with('#') => (Operator::Fragment, &name[1..]),
                name => (Operator::Simple, name),
            };
            if name.trim().is_empty() {
                return Err(PatternError::Nameless);
            }
            pattern.parts.push(Part::Value(operator));
            pattern.names.push(name.trim().to_owned());
            rest = &after[end + 1..];
        }
        Ok(pattern)
    }

    /// The names in braces, in order; one that stands twice is listed twice.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Appends the pattern with these values, in the order of its names; or a part of that with which `out` has more than `most`
    /// bytes.
    pub fn expand<'v>(&self, values: impl IntoIterator<Item = &'v str>, most: usize, out: &mut String) {
        let mut values = values.into_iter();
        for part in &self.parts {
            if out.len() > most {
                return;
            }
            match part {
                Part::Literal(text) => out.push_str(text),
                Part::Value(operator) => self.value(*operator, values.next().unwrap_or_default(), out),
            }
        }
    }

    fn value(&self, operator: Operator, value: &str, out: &mut String) {
        if operator == Operator::Fragment {
            out.push('#');
        }
        match (self.expansion, operator) {
            (Expansion::Plain, _) => out.push_str(value),
            (Expansion::Uri, Operator::Simple) => encode(value, "", out),
            (Expansion::Uri, Operator::Reserved | Operator::Fragment) => reserved(value, out),
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
