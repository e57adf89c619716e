//! Strings as they are written between their quotes.

use std::borrow::Cow;

use memchr::memchr;

/// A string or member name in a text. Its syntax is checked.
#[derive(Clone, Copy, Debug)]
pub struct Text<'a> {
    /// The characters between the quotes, escapes included.
    pub raw: &'a str,
    /// The start of `raw` in the text, in bytes.
    pub start: usize,
    /// `raw` has escapes.
    pub escaped: bool,
    /// One of the escapes is a surrogate without its other half, so that the string is no text.
    pub unpaired: bool,
}

impl<'a> Text<'a> {
    /// The text of the string. A surrogate without its other half becomes U+FFFD.
    pub fn decode(&self) -> Cow<'a, str> {
        if !self.escaped {
            return Cow::Borrowed(self.raw);
        }
        let mut decoded = String::with_capacity(self.raw.len());
        self.pieces(|piece| decoded.push_str(piece));
        Cow::Owned(decoded)
    }

    /// The number of characters (code points) of the string.
    pub fn characters(&self) -> usize {
        let mut count = 0;
        self.pieces(|piece| count += piece.chars().count());
        count
    }

    /// Returns true if the string is `word`, which is ASCII.
    pub fn is(&self, word: &str) -> bool {
        // No escape is longer than six bytes: a name as long as the body isn't decoded to find out that it differs.
        self.raw == word || self.escaped && self.raw.len() <= 6 * word.len() && self.decode() == word
    }

    /// Returns true if both are the same text, however they are written.
    pub fn equals(&self, other: &Self) -> bool {
        if self.escaped || other.escaped { self.decode() == other.decode() } else { self.raw == other.raw }
    }

    /// Hands over the text of the string, piece by piece.
    fn pieces(&self, mut take: impl FnMut(&str)) {
        let mut rest = self.raw;
        while let Some(plain) = memchr(b'\\', rest.as_bytes()) {
            take(&rest[..plain]);
            let (character, after) = unescape(&rest[plain..]);
            take(character.encode_utf8(&mut [0; 4]));
            rest = after;
        }
        take(rest);
    }
}

/// The character that the escape at the start of `escape` stands for, and what follows it.
fn unescape(escape: &str) -> (char, &str) {
    let character = match escape.as_bytes()[1] {
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => return unescape_unit(&escape[2..]),
        itself => itself as char,
    };
    (character, &escape[2..])
}

/// The character of the `\u` escape, or of the two, whose digits stand at the start of `digits`.
fn unescape_unit(digits: &str) -> (char, &str) {
    let (unit, rest) = (code_unit(digits.as_bytes()).unwrap_or(0xfffd), &digits[4..]);
    let low = rest.strip_prefix("\\u").and_then(|digits| code_unit(digits.as_bytes()));
    let pair = char::decode_utf16([unit, low.unwrap_or_default()]).next();
    let character = pair.and_then(Result::ok).unwrap_or(char::REPLACEMENT_CHARACTER);
    (character, if character.len_utf16() == 2 { &rest[6..] } else { rest })
}

/// The UTF-16 code unit that four hexadecimal digits at the start of `digits` spell.
pub(super) fn code_unit(digits: &[u8]) -> Option<u16> {
    let digits = digits.first_chunk::<4>()?;
    digits.iter().try_fold(0, |unit, &digit| Some(unit << 4 | (digit as char).to_digit(16)? as u16))
}
