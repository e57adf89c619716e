//! The error of a text that cannot be read.

use std::fmt;

use memchr::memchr_iter;

/// The reason why a text has no next token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum JsonError {
    /// The text stops being JSON, or nests deeper than is read.
    Syntax {
        /// Bytes before the place.
        offset: usize,
        /// The tokens that could have stood there.
        expected: &'static str,
    },
    /// An object has more members than are read.
    TooManyMembers {
        /// Bytes before the name of the first that is too many.
        offset: usize,
    },
}

impl JsonError {
    /// Bytes before the place of the error.
    pub fn offset(&self) -> usize {
        match self {
            Self::Syntax { offset, .. } | Self::TooManyMembers { offset } => *offset,
        }
    }

    /// The sentence for people, about the text that was read, whose first line has the number `first_line`. In another text the
    /// place is its end, or the start of the character there.
    pub fn describe(&self, text: &str, first_line: u64) -> String {
        let mut place = self.offset().min(text.len());
        while !text.is_char_boundary(place) {
            place -= 1;
        }
        let (before, after) = text.split_at(place);
        let found = match after.chars().next() {
            None => "the end".to_owned(),
            Some(character) if character.is_ascii_graphic() || character.is_alphanumeric() => {
                format!("`{character}`")
            }
            Some(character) => format!("U+{:04X}", character as u32),
        };
        let line = first_line + memchr_iter(b'\n', before.as_bytes()).count() as u64;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        format!("expected {}, found {found} at line {line}, column {column}", self.expected())
    }

    /// The tokens that could have stood at the place of the error.
    pub fn expected(&self) -> &'static str {
        match self {
            Self::Syntax { expected, .. } => expected,
            Self::TooManyMembers { .. } => "an object with at most 10,000 members",
        }
    }
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {} at byte {}", self.expected(), self.offset())
    }
}

impl std::error::Error for JsonError {}
