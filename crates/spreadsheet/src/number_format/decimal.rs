//! Decimal digits of a number, as many as spreadsheet programs keep.
#![allow(clippy::cast_possible_wrap, reason = "a number has few digits")]

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
