//! The grammar: text in, one token at a time out.

use crate::JsonError;
use crate::text::{Text, code_unit};

/// The depth to which arrays and objects may nest. RFC 8259, clause 9, lets a reader set this limit; no valid body
/// needs more than 4.
const MAX_DEPTH: u32 = 128;

/// A step through a JSON text.
#[derive(Clone, Copy, Debug)]
pub enum Token<'a> {
    /// `{`
    Object,
    /// `}`
    EndObject,
    /// `[`
    Array,
    /// `]`
    EndArray,
    /// The name of the member whose value comes next.
    Name(Text<'a>),
    /// A string.
    String(Text<'a>),
    /// A number, as it is written.
    Number(&'a str),
    /// `true`
    True,
    /// `false`
    False,
    /// `null`
    Null,
    /// The value is complete, and nothing but white space follows.
    End,
}

impl Token<'_> {
    /// The kind of token that begins here, in words, for the start of a value.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Object | Self::EndObject => "an object",
            Self::Array | Self::EndArray => "an array",
            Self::Name(_) | Self::String(_) => "a string",
            Self::Number(_) => "a number",
            Self::True | Self::False => "a boolean",
            Self::Null => "null",
            Self::End => "nothing",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Value,
    /// After `[`.
    FirstElement,
    /// After `{`.
    FirstName,
    AfterValue,
}

/// Reads one JSON text.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    text: &'a str,
    position: usize,
    state: State,
    depth: u32,
    /// The open containers, innermost in bit 0: 1 is an object.
    kinds: u128,
}

impl<'a> Reader<'a> {
    /// A reader at the start of `text`.
    pub fn new(text: &'a str) -> Self {
        Self { text, position: 0, state: State::Value, depth: 0, kinds: 0 }
    }

    /// Bytes read so far: the end of the token that was read last.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Number of open arrays and objects.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// The string whose first character, after its quote, stands at `offset`.
    ///
    /// # Errors
    /// When it is not well-formed, so not for one that was read before.
    pub fn text_at(&self, offset: usize) -> Result<Text<'a>, JsonError> {
        Self { position: offset, ..self.clone() }.string()
    }

    /// Returns true if the strings at two offsets, as [`text_at`](Self::text_at) takes them, are equal.
    ///
    /// # Errors
    /// As [`text_at`](Self::text_at).
    #[inline]
    pub fn are_equal(&self, one: usize, other: usize) -> Result<bool, JsonError> {
        let first = |offset| self.text.as_bytes().get(offset);
        // The names of an item begin with different characters: they need no more than a look.
        if first(one) != first(other) && first(one) != Some(&b'\\') && first(other) != Some(&b'\\') {
            return Ok(false);
        }
        Ok(self.text_at(one)?.equals(&self.text_at(other)?))
    }

    /// The start of the next token.
    pub fn token_start(&mut self) -> usize {
        self.peek();
        self.position
    }

    /// The next token.
    ///
    /// # Errors
    /// The place at which the text breaks the grammar. The reader must not be used after that.
    #[inline]
    pub fn next_token(&mut self) -> Result<Token<'a>, JsonError> {
        let byte = self.peek();
        match self.state {
            State::FirstElement if byte == Some(b']') => Ok(self.close(Token::EndArray)),
            State::Value | State::FirstElement => self.value(byte),
            State::FirstName if byte == Some(b'}') => Ok(self.close(Token::EndObject)),
            State::FirstName => self.name(byte, "a member's name or `}`"),
            State::AfterValue if self.depth == 0 => match byte {
                None => Ok(Token::End),
                Some(_) => Err(self.expected("the end")),
            },
            State::AfterValue if self.kinds & 1 == 1 => match byte {
                Some(b',') => {
                    self.position += 1;
                    let byte = self.peek();
                    self.name(byte, "a member's name")
                }
                Some(b'}') => Ok(self.close(Token::EndObject)),
                _ => Err(self.expected("`,` or `}`")),
            },
            State::AfterValue => match byte {
                Some(b',') => {
                    self.position += 1;
                    let byte = self.peek();
                    self.value(byte)
                }
                Some(b']') => Ok(self.close(Token::EndArray)),
                _ => Err(self.expected("`,` or `]`")),
            },
        }
    }

    /// Reads to the end of the value that `first` begins.
    ///
    /// # Errors
    /// As [`next_token`](Self::next_token).
    pub fn skip(&mut self, first: Token<'a>) -> Result<(), JsonError> {
        if matches!(first, Token::Object | Token::Array) {
            let outside = self.depth - 1;
            while self.depth > outside {
                self.next_token()?;
            }
        }
        Ok(())
    }

    fn expected(&self, expected: &'static str) -> JsonError {
        JsonError::Syntax { offset: self.position, expected }
    }

    fn rest(&self) -> &'a [u8] {
        &self.text.as_bytes()[self.position..]
    }

    /// The first byte after white space.
    #[inline]
    fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.position) {
            if !matches!(byte, b' ' | b'\t' | b'\n' | b'\r') {
                return Some(byte);
            }
            self.position += 1;
        }
        None
    }

    #[inline]
    fn value(&mut self, byte: Option<u8>) -> Result<Token<'a>, JsonError> {
        self.state = State::AfterValue;
        match byte {
            Some(b'"') => {
                self.position += 1;
                self.string().map(Token::String)
            }
            Some(b'{') => self.open(Token::Object, State::FirstName, 1),
            Some(b'[') => self.open(Token::Array, State::FirstElement, 0),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.literal("true", Token::True),
            Some(b'f') => self.literal("false", Token::False),
            Some(b'n') => self.literal("null", Token::Null),
            _ => Err(self.expected("a value")),
        }
    }

    #[inline]
    fn open(&mut self, token: Token<'a>, state: State, kind: u128) -> Result<Token<'a>, JsonError> {
        if self.depth == MAX_DEPTH {
            return Err(self.expected("at most 128 levels of nesting"));
        }
        self.position += 1;
        self.depth += 1;
        self.kinds = self.kinds << 1 | kind;
        self.state = state;
        Ok(token)
    }

    #[inline]
    fn close(&mut self, token: Token<'a>) -> Token<'a> {
        self.position += 1;
        self.depth -= 1;
        self.kinds >>= 1;
        self.state = State::AfterValue;
        token
    }

    #[inline]
    fn name(&mut self, byte: Option<u8>, expected: &'static str) -> Result<Token<'a>, JsonError> {
        if byte != Some(b'"') {
            return Err(self.expected(expected));
        }
        self.position += 1;
        let name = self.string()?;
        if self.peek() != Some(b':') {
            return Err(self.expected("`:`"));
        }
        self.position += 1;
        self.state = State::Value;
        Ok(Token::Name(name))
    }

    /// Reads a string whose opening quote is read.
    #[inline]
    fn string(&mut self) -> Result<Text<'a>, JsonError> {
        let start = self.position;
        let (mut escaped, mut unpaired) = (false, false);
        loop {
            self.position += plain_length(self.rest());
            match self.rest().first() {
                Some(b'"') => {
                    let raw = &self.text[start..self.position];
                    self.position += 1;
                    return Ok(Text { raw, start, escaped, unpaired });
                }
                Some(b'\\') => {
                    escaped = true;
                    unpaired |= !self.escape()?;
                }
                Some(_) => return Err(self.expected("an escape instead of a control character")),
                None => return Err(self.expected("a closing quote")),
            }
        }
    }

    /// Reads one escape, or two that make a surrogate pair. Returns true if it stands for a character.
    fn escape(&mut self) -> Result<bool, JsonError> {
        self.position += 1;
        match self.rest().first() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                self.position += 1;
                Ok(true)
            }
            Some(b'u') => {
                self.position += 1;
                let unit = code_unit(self.rest()).ok_or_else(|| self.expected("four hexadecimal digits"))?;
                self.position += 4;
                match unit {
                    0xd800..0xdc00 => {
                        let low = self.rest().strip_prefix(b"\\u").and_then(code_unit);
                        let paired = matches!(low, Some(0xdc00..0xe000));
                        self.position += if paired { 6 } else { 0 };
                        Ok(paired)
                    }
                    0xdc00..0xe000 => Ok(false),
                    _ => Ok(true),
                }
            }
            _ => Err(self.expected("one of `\"\\/bfnrtu` after a backslash")),
        }
    }

    fn number(&mut self) -> Result<Token<'a>, JsonError> {
        let start = self.position;
        if self.rest().first() == Some(&b'-') {
            self.position += 1;
        }
        if self.rest().first() == Some(&b'0') {
            self.position += 1;
        } else {
            self.digits()?;
        }
        if self.rest().first() == Some(&b'.') {
            self.position += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.rest().first() {
            self.position += 1;
            if let Some(b'+' | b'-') = self.rest().first() {
                self.position += 1;
            }
            self.digits()?;
        }
        Ok(Token::Number(&self.text[start..self.position]))
    }

    /// Reads one digit or more.
    fn digits(&mut self) -> Result<(), JsonError> {
        let count = self.rest().iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.position += count;
        if count == 0 { Err(self.expected("a digit")) } else { Ok(()) }
    }

    fn literal(&mut self, word: &'static str, token: Token<'a>) -> Result<Token<'a>, JsonError> {
        if !self.rest().starts_with(word.as_bytes()) {
            return Err(self.expected("a value"));
        }
        self.position += word.len();
        Ok(token)
    }
}

/// Length of the run of bytes at the start of `bytes` that need no attention inside a string: no quote, backslash, or
/// control character.
#[inline]
fn plain_length(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::MAX / 255;
    const HIGH: u64 = ONES << 7;
    let (words, tail) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let quote = word ^ (ONES * b'"' as u64);
        let backslash = word ^ (ONES * b'\\' as u64);
        // Subtracting borrows into the high bit of a byte that is smaller. A borrow can also spoil the bytes above it,
        // but never the lowest hit, and only that one is used.
        let hits = (word.wrapping_sub(ONES * 0x20) & !word
            | quote.wrapping_sub(ONES) & !quote
            | backslash.wrapping_sub(ONES) & !backslash)
            & HIGH;
        if hits != 0 {
            return index * 8 + hits.trailing_zeros() as usize / 8;
        }
    }
    let plain = |byte: &&u8| !matches!(byte, b'"' | b'\\' | ..0x20);
    words.len() * 8 + tail.iter().take_while(plain).count()
}
