//! One section of a number format.

use std::cmp::Ordering;
use std::fmt::Write;

use super::decimal::Decimal;
use super::digit_places::DigitPlaces;
use super::token::Token;
use crate::bounds::CELL_BYTES;

/// A comparison that decides whether a section is for a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Condition {
    accepts_less: bool,
    accepts_equal: bool,
    accepts_greater: bool,
    limit: f64,
}

impl Condition {
    fn parse(text: &str) -> Option<Self> {
        let digits = text.find(|character: char| !"<>=".contains(character))?;
        let (operator, limit) = text.split_at(digits);
        Some(Self {
            accepts_less: operator.contains('<'),
            accepts_equal: operator.contains('='),
            accepts_greater: operator.contains('>'),
            limit: limit.trim().parse().ok()?,
        })
    }

    pub fn holds(self, number: f64) -> bool {
        (self.accepts_less && number < self.limit)
            || (self.accepts_greater && number > self.limit)
            || (self.accepts_equal && number.partial_cmp(&self.limit).is_some_and(Ordering::is_eq))
    }

    /// It is `>0` or `>=0`.
    pub fn is_for_positive(self) -> bool {
        self.accepts_greater
            && !self.accepts_less
            && self.limit.partial_cmp(&0.0).is_some_and(Ordering::is_eq)
    }

    /// No number above zero holds.
    pub fn is_for_negative(self) -> bool {
        !self.accepts_greater && self.limit <= 0.0
    }
}

/// The primary language of English (MS-LCID).
pub(crate) const ENGLISH: u32 = 0x09;

/// A language that is known by its name alone.
const OTHER_LANGUAGE: u32 = 0x3ff;

/// A parsed section.
#[derive(Clone, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is a thing that the code says or does not say")]
pub(crate) struct Section {
    pub tokens: Vec<Token>,
    pub condition: Option<Condition>,
    /// The primary language of its locale (MS-LCID), 0 without one.
    pub language: u32,
    /// The section means the format of the country.
    pub depends_on_country: bool,
    is_unknown: bool,
    /// A `/` stands outside quotes: the country's separator in a date, and a fraction in a number.
    has_slash: bool,
    /// Tokens before the exponent.
    mantissa: usize,
    /// The places of their digits; nothing for a section that no program writes.
    digit_places: Option<DigitPlaces>,
}

/// The sections of a code, at semicolons outside quotes.
pub(crate) fn split(code: &str) -> Vec<&str> {
    let (mut sections, mut start, mut quoted, mut escaped, mut bracketed) =
        (Vec::new(), 0, false, false, false);
    for (index, character) in code.char_indices() {
        if escaped {
            escaped = false;
            continue;
        }
        match character {
            '"' => quoted = !quoted,
            _ if quoted => {}
            '\\' | '_' | '*' => escaped = true,
            '[' => bracketed = true,
            ']' => bracketed = false,
            ';' if !bracketed => {
                sections.push(&code[start..index]);
                start = index + 1;
            }
            _ => {}
        }
    }
    sections.push(&code[start..]);
    sections
}

/// The text from `rest` up to `end`, and what follows it.
fn until(rest: &str, end: char) -> (&str, &str) {
    rest.split_once(end).unwrap_or((rest, ""))
}

impl Section {
    pub fn parse(code: &str) -> Self {
        let mut section = Self::default();
        let mut rest = code;
        // Tokens up to the last that is no gap.
        let mut drawn = 0;
        while let Some(character) = rest.chars().next() {
            let after = &rest[character.len_utf8()..];
            let before = section.tokens.len();
            rest = match character {
                '"' => {
                    let (literal, after) = until(after, '"');
                    section.literal(literal);
                    after
                }
                '\\' => {
                    let next = after.chars().next().unwrap_or(' ');
                    section.literal(&next.to_string());
                    after.get(next.len_utf8()..).unwrap_or("")
                }
                // A gap as wide as the next character. At the edge of a cell it is no part of what the cell says.
                '_' => {
                    if before > 0 {
                        section.literal(" ");
                    }
                    after.get(after.chars().next().map_or(0, char::len_utf8)..).unwrap_or("")
                }
                '*' => after.get(after.chars().next().map_or(0, char::len_utf8)..).unwrap_or(""),
                '[' => {
                    let (inside, after) = until(after, ']');
                    section.bracket(inside);
                    after
                }
                _ => section.plain(rest, character),
            };
            if character != '_' && section.tokens.len() > before {
                drawn = section.tokens.len();
            }
        }
        section.tokens.truncate(drawn);
        let exponent = section.tokens.iter().position(|token| matches!(token, Token::Exponent { .. }));
        section.mantissa = exponent.unwrap_or(section.tokens.len());
        section.digit_places = DigitPlaces::of(&section.tokens[..section.mantissa]);
        section
    }

    fn literal(&mut self, text: &str) {
        self.tokens.push(Token::Literal(text.to_owned()));
    }

    /// Takes the characters at the start of `rest` that belong together; returns what follows.
    fn plain<'c>(&mut self, rest: &'c str, character: char) -> &'c str {
        let begins =
            |word: &str| rest.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
        let (token, length) = match character.to_ascii_lowercase() {
            '0' | '#' | '?' => (Token::Digit(character), 1),
            '.' => (Token::Point, 1),
            ',' => (Token::Comma, 1),
            '%' => (Token::Percent, 1),
            '@' => (Token::Text, 1),
            'e' if begins("E+") => (Token::Exponent { shows_plus: true }, 2),
            'e' if begins("E-") => (Token::Exponent { shows_plus: false }, 2),
            'g' if begins("General") => (Token::General, 7),
            'a' if begins("AM/PM") => (Token::HalfDay(["AM", "PM"].map(str::to_owned)), 5),
            'a' if begins("A/P") => (Token::HalfDay([&rest[..1], &rest[2..3]].map(str::to_owned)), 3),
            letter @ ('y' | 'm' | 'd' | 'h' | 's') => {
                let count = rest.chars().take_while(|next| next.eq_ignore_ascii_case(&letter)).count();
                (Token::Date(letter, count), count)
            }
            letter if letter.is_ascii_alphabetic() => {
                self.is_unknown = true;
                return &rest[1..];
            }
            _ => {
                self.has_slash |= character == '/';
                // The halves of a day in another language.
                let follows_word =
                    matches!(self.tokens.last(), Some(Token::Literal(text)) if !text.is_ascii());
                self.is_unknown |= character == '/' && follows_word;
                (Token::Literal(character.to_string()), character.len_utf8())
            }
        };
        self.tokens.push(token);
        &rest[length..]
    }

    fn bracket(&mut self, inside: &str) {
        let lower = inside.to_ascii_lowercase();
        let colours = ["black", "blue", "cyan", "green", "magenta", "red", "white", "yellow"];
        if let Some(currency) = inside.strip_prefix('$') {
            let (symbol, locale) = currency.split_once('-').unwrap_or((currency, ""));
            self.literal(symbol);
            self.locale(locale);
        } else if lower.starts_with(['<', '>', '=']) {
            self.condition = Condition::parse(inside);
            self.is_unknown |= self.condition.is_none();
        } else if let Some(letter) = lower.chars().next()
            && "hms".contains(letter)
            && lower.chars().all(|next| next == letter)
        {
            self.tokens.push(Token::Elapsed(letter, lower.len()));
        } else if !colours.contains(&lower.as_str()) && !lower.starts_with("color") {
            self.is_unknown = true;
        }
    }

    /// A locale, by number such as `407` (MS-LCID) or by name such as `de-DE`.
    fn locale(&mut self, locale: &str) {
        let (locale, digits) = locale.split_once(',').unwrap_or((locale, ""));
        self.is_unknown |= !digits.is_empty();
        if let Ok(number) = u32::from_str_radix(locale, 16) {
            self.depends_on_country |= matches!(number & 0xffff, 0xf800 | 0xf400);
            // Digits and calendars are in the upper bytes: 1 are Western digits, and the Gregorian calendar.
            self.is_unknown |= number.to_be_bytes()[..2].iter().any(|&byte| byte > 1);
            self.language = number & 0x3ff;
        } else if locale.to_ascii_lowercase().starts_with("x-sys") {
            self.depends_on_country = true;
        } else if !locale.is_empty() {
            let is_english = locale.split('-').next().is_some_and(|name| name.eq_ignore_ascii_case("en"));
            self.language = if is_english { ENGLISH } else { OTHER_LANGUAGE };
        }
    }

    /// The section shows a date or a time.
    pub fn is_date(&self) -> bool {
        self.tokens.iter().any(|token| matches!(token, Token::Date(..) | Token::Elapsed(..)))
    }

    /// The section shows a date or a time, and no duration.
    pub fn is_moment(&self) -> bool {
        self.is_date() && !self.tokens.iter().any(|token| matches!(token, Token::Elapsed(..)))
    }

    /// The section shows a time.
    pub fn has_time(&self) -> bool {
        self.tokens.iter().any(|token| matches!(token, Token::Date('h' | 's', _)))
    }

    /// The section shows a month, and no day of it.
    pub fn is_month(&self) -> bool {
        let has = |wanted: fn(&Token) -> bool| self.tokens.iter().any(wanted);
        has(|token| matches!(token, Token::Date('m', _)))
            && !has(|token| matches!(token, Token::Date('d' | 'h' | 's', _)))
    }

    /// The section shows what a number is of, such as `CHF`, `$` or `%`: the number alone says something else. All is in euros.
    pub fn has_unit(&self) -> bool {
        let literals = self.tokens.iter().filter_map(|token| match token {
            Token::Literal(text) => Some(text.as_str()),
            _ => None,
        });
        let text = literals.collect::<String>().to_lowercase();
        let is_euro = ["", "€", "eur", "euro"].contains(&text.trim());
        let is_sign = |character: char| {
            character.is_alphabetic()
                || ('\u{20a0}'..='\u{20cf}').contains(&character)
                || "$£¥¢﷼".contains(character)
        };
        self.tokens.contains(&Token::Percent) || (!is_euro && text.contains(is_sign))
    }

    /// The section shows a power of ten.
    pub fn has_exponent(&self) -> bool {
        self.tokens.iter().any(|token| matches!(token, Token::Exponent { .. }))
    }

    /// A number that is `shown` by this section looks different in programs of other countries.
    pub fn varies(&self, shown: &str) -> bool {
        let has = |wanted: fn(&Token) -> bool| self.tokens.iter().any(wanted);
        if self.is_date() {
            let names = has(|token| matches!(token, Token::Date('m' | 'd', 3..)));
            return self.language != ENGLISH && (self.has_slash || names);
        }
        let separates = has(|token| matches!(token, Token::Point | Token::Comma | Token::General));
        separates && shown.contains(['.', ','])
    }

    /// Nothing can be said about what it shows.
    pub fn is_unknown(&self) -> bool {
        self.is_unknown
    }

    /// The cell's text in this format, cut off once it is longer than a cell. `None` if that is not known.
    pub fn text(&self, text: &str) -> Option<String> {
        if self.is_unknown || !self.is_plain() {
            return None;
        }
        let mut shown = String::new();
        for token in &self.tokens {
            shown.push_str(if let Token::Literal(literal) = token { literal } else { text });
            if shown.len() > CELL_BYTES {
                break;
            }
        }
        Some(shown)
    }

    /// The section has literals, and numbers or texts as they are.
    pub fn is_plain(&self) -> bool {
        let is_plain = |token: &Token| matches!(token, Token::Literal(_) | Token::General | Token::Text);
        self.tokens.iter().all(is_plain)
    }

    /// The text that a number shows; nothing where that is not known.
    pub fn number(&self, number: &Decimal) -> Option<String> {
        if self.is_unknown || self.has_slash {
            return None;
        }
        if self.is_plain() {
            return Some(self.general(number));
        }
        let (mantissa, power) = self.tokens.split_at(self.mantissa);
        let digit_places = self.digit_places.as_ref()?;
        let mut number = number.clone();
        number.shift(digit_places.tens);
        let mut shown = String::new();
        if let [Token::Exponent { shows_plus }, digits @ ..] = power {
            if digit_places.whole != 1 {
                return None;
            }
            let mut tens = number.exponent();
            number.shift(-tens);
            number.round(digit_places.places);
            if number.exponent() == 1 {
                number.shift(-1);
                tens += 1;
            }
            push_minus(&number, &mut shown);
            digit_places.fill(mantissa, &number, &mut shown);
            shown.push_str(if tens < 0 {
                "E-"
            } else if *shows_plus {
                "E+"
            } else {
                "E"
            });
            let width = digits.iter().take_while(|token| matches!(token, Token::Digit(_))).count();
            let _ = write!(shown, "{:0width$}", tens.abs());
            for token in &digits[width..] {
                let Token::Literal(literal) = token else { return None };
                shown.push_str(literal);
            }
            return Some(shown);
        }
        number.round(digit_places.places);
        push_minus(&number, &mut shown);
        digit_places.fill(mantissa, &number, &mut shown);
        Some(shown)
    }

    /// `General`, with literals around it; or a part that is longer than a cell.
    fn general(&self, number: &Decimal) -> String {
        let mut positive = number.clone();
        positive.negative = false;
        let digits = positive.general();
        let mut shown = String::new();
        push_minus(number, &mut shown);
        for token in &self.tokens {
            shown.push_str(if let Token::Literal(literal) = token { literal } else { &digits });
            if shown.len() > CELL_BYTES {
                break;
            }
        }
        shown
    }
}

/// Writes the sign of a number that is shown as more than 0.
fn push_minus(number: &Decimal, shown: &mut String) {
    if number.negative && !number.is_zero() {
        shown.push('-');
    }
}
