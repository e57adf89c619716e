//! Numbers as a content stream has them: decimals of a fixed number of digits, made of integers.

/// Decimal digits of a length in points: a thousandth of a micrometre is not seen.
const DIGITS: u32 = 6;
/// Parts of a point that lengths are counted in.
const PARTS: u64 = 1_000_000;

/// A length in millionths of a point, 1/72 inch. A micrometre is 360/127 thousandths of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Points(i64);

impl Points {
    pub fn from_um(um: i64) -> Self {
        Self::from_nm_by(um * 1000, 1)
    }

    /// The length of `nm` / `divisor` nanometres, `nm` below 2⁴⁶ and `divisor` below 2²⁴, rounded to the nearest.
    pub fn from_nm_by(nm: i64, divisor: u64) -> Self {
        let (dividend, divisor) = (nm * 360, divisor as i64 * 127);
        Self((dividend + divisor / 2).div_euclid(divisor))
    }

    pub fn minus(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }

    pub fn negated(self) -> Self {
        Self(-self.0)
    }

    /// The nearest number of the type that PDF files are written with. Division is exact to the last bit on every machine.
    pub fn as_f32(self) -> f32 {
        (self.0 as f64 / PARTS as f64) as f32
    }

    /// Appends the number, and a space.
    pub fn push(self, out: &mut Vec<u8>) {
        push_decimal(self.0, DIGITS, out);
    }
}

/// Appends `value` / 10^`digits` in as few digits as say it, and a space.
pub(crate) fn push_decimal(value: i64, digits: u32, out: &mut Vec<u8>) {
    let (mut rest, mut digits) = (value.unsigned_abs(), digits);
    while digits > 0 && rest.is_multiple_of(10) {
        rest /= 10;
        digits -= 1;
    }
    // The digits from the last one on.
    let mut text = [0; 24];
    let mut at = text.len();
    let mut put = |byte: u8| {
        at -= 1;
        text[at] = byte;
    };
    put(b' ');
    for _ in 0..digits {
        put(b'0' + (rest % 10) as u8);
        rest /= 10;
    }
    if digits > 0 {
        put(b'.');
    }
    if rest == 0 && digits == 0 {
        put(b'0');
    }
    while rest > 0 {
        put(b'0' + (rest % 10) as u8);
        rest /= 10;
    }
    if value < 0 {
        put(b'-');
    }
    out.extend_from_slice(&text[at..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: i64, digits: u32) -> String {
        let mut out = Vec::new();
        push_decimal(value, digits, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn decimals_have_no_digit_too_many() {
        assert_eq!(text(0, 6), "0 ");
        assert_eq!(text(1_500_000, 6), "1.5 ");
        assert_eq!(text(-1, 6), "-.000001 ");
        assert_eq!(text(20, 0), "20 ");
        assert_eq!(text(i64::MIN, 6), "-9223372036854.775808 ");
    }

    #[test]
    fn an_inch_is_72_points() {
        assert_eq!(Points::from_um(25_400), Points(72 * PARTS as i64));
        assert_eq!(Points::from_nm_by(63_500_000, 3), Points(60 * PARTS as i64));
        assert_eq!(Points::from_um(-25_400), Points(-72 * PARTS as i64));
        assert_eq!(Points::from_um(1), Points(2_835));
    }
}
