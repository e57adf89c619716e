//! Between sRGB (IEC 61966-2-1) and linear light, in integers, so that every machine gets the same pixels.

use std::sync::LazyLock;

/// Full intensity in linear light.
pub(crate) const ONE: u32 = u16::MAX as u32;

/// Linear light of every sRGB value.
pub(crate) static LINEAR: [u16; 256] = {
    let mut table = [0; 256];
    let mut value = 0;
    while value < 256 {
        table[value] = linear(value as u32, 255);
        value += 1;
    }
    table
};

/// The nearest sRGB value of every intensity in linear light.
static SRGB: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut table = Vec::with_capacity(1 << 16);
    for value in 0..=255_u8 {
        // Up to halfway between this value and the next.
        let end = if value == 255 { 1 << 16 } else { usize::from(linear(2 * u32::from(value) + 1, 510)) };
        table.resize(end, value);
    }
    table
});

/// The nearest sRGB value of an intensity in linear light.
pub(crate) fn srgb(linear: u16) -> u8 {
    SRGB[usize::from(linear)]
}

/// Linear light of the sRGB value `numerator / denominator`, by the standard's curve.
const fn linear(numerator: u32, denominator: u32) -> u16 {
    let (numerator, denominator) = (numerator as u128, denominator as u128);
    if numerator * 100_000 <= denominator * 4045 {
        return ((200 * ONE as u128 * numerator / (1292 * denominator)) as u16).div_ceil(2);
    }
    // b to the power of 2.4 is b² times the fifth root of b². The squares have 60 fractional bits, the root 24.
    let base = ((1000 * numerator + 55 * denominator) << 30) / (1055 * denominator);
    let square = base * base;
    let mut root: u128 = 0;
    let mut bit = 1 << 24;
    while bit > 0 {
        let next = root | bit;
        if next <= 1 << 24 && next * next * next * next * next <= square << 60 {
            root = next;
        }
        bit >>= 1;
    }
    ((square * root * ONE as u128 + (1 << 83)) >> 84) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::disallowed_methods, reason = "the naive twin uses floats")]
    fn the_curve_is_the_standards() {
        for (value, linear) in (0..=255_u8).zip(LINEAR) {
            let value = f64::from(value) / 255.0;
            let exact = if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) };
            assert!((f64::from(linear) - exact * f64::from(ONE)).abs() < 1.0, "{value}: {linear}");
        }
    }

    #[test]
    fn there_and_back_is_the_same() {
        assert_eq!((LINEAR[0], LINEAR[255]), (0, u16::MAX));
        for value in 0..=255 {
            assert_eq!(srgb(LINEAR[usize::from(value)]), value);
        }
        assert!((1..=u16::MAX).all(|linear| srgb(linear) >= srgb(linear - 1)));
    }
}
