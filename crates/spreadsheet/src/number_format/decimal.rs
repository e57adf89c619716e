//! Decimal digits of a number, as many as spreadsheet programs keep.
#![allow(clippy::cast_possible_wrap, reason = "a number has few digits")]

/// Powers of ten of the first digit with which a cell without a format shows no power.
const SMALLEST_GENERAL: i32 = -4;
const LARGEST_GENERAL: i32 = 10;

/// Decimal places of a number below ten in such a cell.
const GENERAL_PLACES: i32 = 9;

/// Decimal places before a power of ten in such a cell.
const GENERAL_POWER_PLACES: usize = 5;

fn ascii(digit: u8) -> char {
    char::from(b'0' + digit)
}

/// `0.d₁d₂… × 10^point`, without zeros at either end of the digits. Zero has no digits.
#[derive(Clone, Debug)]
pub(crate) struct Decimal {
    pub negative: bool,
    digits: Vec<u8>,
    point: i32,
}

impl Decimal {
    /// The nearest number of 15 digits.
    pub fn of(number: f64) -> Self {
        let text = format!("{:.14e}", number.abs());
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let digits = mantissa.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect();
        let mut decimal =
            Self { negative: number < 0.0, digits, point: exponent.parse::<i32>().unwrap_or(0) + 1 };
        decimal.trim();
        decimal
    }

    /// Multiplies by a power of ten.
    pub fn shift(&mut self, tens: i32) {
        self.point += tens;
    }

    /// Rounds to a number of decimal places, halves away from zero.
    pub fn round(&mut self, places: usize) {
        let kept = self.point + i32::try_from(places).unwrap_or(i32::MAX / 2);
        let Ok(kept) = usize::try_from(kept) else {
            self.digits.clear();
            return;
        };
        if kept >= self.digits.len() {
            return;
        }
        let up = self.digits[kept] >= 5;
        self.digits.truncate(kept);
        if up {
            if let Some(last) = self.digits.iter().rposition(|&digit| digit < 9) {
                self.digits.truncate(last + 1);
                self.digits[last] += 1;
            } else {
                self.digits = vec![1];
                self.point += 1;
            }
        }
        self.trim();
    }

    /// The power of ten of the first digit; 0 of zero.
    pub fn exponent(&self) -> i32 {
        if self.digits.is_empty() { 0 } else { self.point - 1 }
    }

    /// Digits before the decimal point, without leading zeros.
    pub fn whole(&self) -> Vec<u8> {
        (0..self.point).map(|index| self.digit(index)).skip_while(|&digit| digit == 0).collect()
    }

    /// The first digits behind the decimal point.
    pub fn fraction(&self, places: usize) -> Vec<u8> {
        (0..places as i32).map(|place| self.digit(self.point + place)).collect()
    }

    /// Digits behind the decimal point until the last that is not 0.
    pub fn places(&self) -> usize {
        usize::try_from(self.digits.len() as i32 - self.point).unwrap_or(0)
    }

    /// The number is 0.
    pub fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    /// All digits, with a point where there are some behind it.
    pub fn plain(&self) -> String {
        let mut plain = String::new();
        if self.negative && !self.is_zero() {
            plain.push('-');
        }
        let whole = self.whole();
        plain.extend((if whole.is_empty() { &[0][..] } else { &whole }).iter().map(|&digit| ascii(digit)));
        if self.places() > 0 {
            plain.push('.');
            plain.extend(self.fraction(self.places()).into_iter().map(ascii));
        }
        plain
    }

    /// The text in a cell without a format, whose eleven characters have room for ten digits and a point. A whole number has
    /// all its digits, since codes need them.
    pub fn general(&self) -> String {
        if self.places() == 0 {
            return self.plain();
        }
        let mut rounded = self.clone();
        let exponent = self.exponent();
        if (SMALLEST_GENERAL..=LARGEST_GENERAL).contains(&exponent) {
            rounded.round((GENERAL_PLACES - exponent.max(0)).max(0).unsigned_abs() as usize);
            return rounded.plain();
        }
        if exponent < SMALLEST_GENERAL && self.places() <= GENERAL_PLACES as usize {
            return self.plain();
        }
        rounded.shift(-exponent);
        rounded.round(GENERAL_POWER_PLACES);
        let carried = rounded.exponent();
        rounded.shift(-carried);
        let tens = exponent + carried;
        let sign = if tens < 0 { '-' } else { '+' };
        format!("{}E{sign}{:02}", rounded.plain(), tens.abs())
    }

    /// The digit at an index, where the first digit has index 0.
    fn digit(&self, index: i32) -> u8 {
        usize::try_from(index).ok().and_then(|index| self.digits.get(index).copied()).unwrap_or(0)
    }

    fn trim(&mut self) {
        let leading = self.digits.iter().take_while(|&&digit| digit == 0).count();
        self.digits.drain(..leading);
        self.point -= leading as i32;
        while self.digits.last() == Some(&0) {
            self.digits.pop();
        }
        if self.digits.is_empty() {
            self.point = 0;
        }
    }
}
