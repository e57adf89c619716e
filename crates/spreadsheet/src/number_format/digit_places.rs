//! Digits and the places that a section has for them.

use super::decimal::Decimal;
use super::token::Token;

/// The places of a section's digits.
#[derive(Clone, Debug)]
pub(super) struct DigitPlaces {
    /// Places for digits before the point.
    pub whole: usize,
    /// Places for digits behind the point.
    pub places: usize,
    /// Digits before the point are in groups of three.
    pub is_grouped: bool,
    /// The power of ten that percent signs and commas at the end multiply by.
    pub tens: i32,
}

impl DigitPlaces {
    /// Nothing for a section that no program writes.
    pub fn of(tokens: &[Token]) -> Option<Self> {
        let point = tokens.iter().position(|token| *token == Token::Point).unwrap_or(tokens.len());
        let is_digit = |token: &Token| matches!(token, Token::Digit(_));
        let (before, behind) = tokens.split_at(point);
        let whole = before.iter().filter(|token| is_digit(token)).count();
        let places = behind.iter().filter(|token| is_digit(token)).count();
        let last_digit = tokens.iter().rposition(is_digit)?;
        let first_digit = tokens.iter().position(is_digit)?;
        let commas = |range: &[Token]| range.iter().filter(|token| **token == Token::Comma).count();
        let last_whole = before.iter().rposition(is_digit).unwrap_or(0);
        let is_grouped = before.get(first_digit..last_whole).is_some_and(|range| commas(range) > 0);
        let scaling =
            commas(&tokens[last_digit..]) + before.get(last_whole..).filter(|_| places > 0).map_or(0, commas);
        let percents = tokens.iter().filter(|token| **token == Token::Percent).count();
        let is_known = |token: &Token| {
            matches!(
                token,
                Token::Literal(_) | Token::Digit(_) | Token::Point | Token::Comma | Token::Percent
            )
        };
        let points = tokens.iter().filter(|token| **token == Token::Point).count();
        if points > 1 || !tokens.iter().all(is_known) {
            return None;
        }
        let tens = 2 * i32::try_from(percents).ok()? - 3 * i32::try_from(scaling).ok()?;
        Some(Self { whole, places, is_grouped, tens })
    }

    pub fn fill(&self, tokens: &[Token], number: &Decimal, shown: &mut String) {
        let whole = number.whole();
        let fraction = number.fraction(self.places);
        let significant = fraction.iter().rposition(|&digit| digit > 0).map_or(0, |last| last + 1);
        // Places left to the first one that is not yet filled, counted from the point.
        let mut left = self.whole;
        let mut place = 0;
        let mut behind_point = false;
        for token in tokens {
            match token {
                Token::Literal(literal) => shown.push_str(literal),
                Token::Percent => shown.push('%'),
                Token::Point => {
                    if self.whole == 0 {
                        push_digits(shown, &whole);
                    }
                    behind_point = true;
                    shown.push('.');
                }
                Token::Digit(kind) if behind_point => {
                    if place < significant || *kind == '0' {
                        push_digits(shown, &fraction[place..=place]);
                    } else if *kind == '?' {
                        shown.push(' ');
                    }
                    place += 1;
                }
                Token::Digit(kind) => {
                    let top = if left == self.whole { whole.len().max(left) } else { left };
                    for position in (left - 1..top).rev() {
                        // Digits count from the point to the left.
                        let digit = whole.len().checked_sub(position + 1).map(|index| whole[index]);
                        match digit {
                            Some(digit) => push_digits(shown, &[digit]),
                            None if *kind == '0' => shown.push('0'),
                            None if *kind == '?' => shown.push(' '),
                            None => continue,
                        }
                        if self.is_grouped && position > 0 && position % 3 == 0 {
                            shown.push(',');
                        }
                    }
                    left -= 1;
                }
                _ => {}
            }
        }
    }
}

/// Writes digits.
pub(super) fn push_digits(shown: &mut String, digits: &[u8]) {
    shown.extend(digits.iter().map(|digit| char::from(b'0' + digit)));
}
