//! Check digits, and the characters that values may have.

/// The check digit behind these digits (GS1 General Specifications, section 7.9): weights 3 and 1 from the right.
pub(crate) fn check_digit(digits: &str) -> char {
    let weighted = digits.bytes().rev().zip([3, 1].into_iter().cycle());
    let sum: u32 = weighted.map(|(digit, weight)| u32::from(digit.wrapping_sub(b'0')) * weight).sum();
    char::from(b'0' + ((10 - sum % 10) % 10) as u8)
}

/// Character set 82 (GS1 General Specifications, figure 7.11-1).
pub(crate) fn is_cset_82(character: char) -> bool {
    character.is_ascii_alphanumeric() || "!\"%&'()*+,-./:;<=>?_".contains(character)
}

/// Character set 39 (GS1 General Specifications, figure 7.11-2).
pub(crate) fn is_cset_39(character: char) -> bool {
    character.is_ascii_uppercase() || character.is_ascii_digit() || "#-/".contains(character)
}
