//! The field of 256 elements over which codewords are corrected: x⁸ + x⁴ + x³ + x² + 1 (ISO/IEC 18004, clause 7.5.2).

/// Powers of the primitive element 2, twice round.
const POWERS: [u8; 510] = {
    let mut powers = [0; 510];
    let mut element: u16 = 1;
    let mut exponent = 0;
    while exponent < 510 {
        powers[exponent] = element as u8;
        element <<= 1;
        if element >= 256 {
            element ^= 0b1_0001_1101;
        }
        exponent += 1;
    }
    powers
};

/// The exponent of each element but 0.
const EXPONENTS: [u8; 256] = {
    let mut exponents = [0; 256];
    let mut exponent = 0;
    while exponent < 255 {
        exponents[POWERS[exponent] as usize] = exponent as u8;
        exponent += 1;
    }
    exponents
};

/// The element to the power of `exponent`, which may be any number.
pub(crate) fn power(exponent: usize) -> u8 {
    POWERS[exponent % 255]
}

/// The exponent of an element that is not 0.
pub(crate) fn exponent(element: u8) -> usize {
    usize::from(EXPONENTS[usize::from(element)])
}

pub(crate) const fn product(one: u8, other: u8) -> u8 {
    if one == 0 || other == 0 {
        return 0;
    }
    POWERS[EXPONENTS[one as usize] as usize + EXPONENTS[other as usize] as usize]
}

/// `other` is not 0.
pub(crate) fn quotient(one: u8, other: u8) -> u8 {
    if one == 0 { 0 } else { power(255 + exponent(one) - exponent(other)) }
}
