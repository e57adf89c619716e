//! Check digits, and the characters and dates that values may have.

/// The check digit behind these digits (GS1 General Specifications, section 7.9): weights 3 and 1 from the right.
pub fn check_digit(digits: &str) -> char {
    let weighted = digits.bytes().rev().zip([3, 1].into_iter().cycle());
    let sum: u32 = weighted.map(|(digit, weight)| u32::from(digit.wrapping_sub(b'0')) * weight).sum();
    char::from(b'0' + ((10 - sum % 10) % 10) as u8)
}

/// Character set 82 (GS1 General Specifications, figure 7.11-1).
pub fn is_cset_82(character: char) -> bool {
    character.is_ascii_alphanumeric() || "!\"%&'()*+,-./:;<=>?_".contains(character)
}

/// Character set 39 (GS1 General Specifications, figure 7.11-2).
pub(crate) fn is_cset_39(character: char) -> bool {
    character.is_ascii_uppercase() || character.is_ascii_digit() || "#-/".contains(character)
}

/// Returns true for the digits of a date, `YYMMDD` of this century. `may_be_open`: day 00 is the last of the month.
pub fn is_date(text: &str, may_be_open: bool) -> bool {
    if text.len() != 6 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let [year, month, day] = [0, 2, 4].map(|start| text[start..start + 2].parse::<u32>().unwrap_or_default());
    let days = match month {
        2 if year.is_multiple_of(4) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return false,
    };
    (u32::from(!may_be_open)..=days).contains(&day)
}
