//! Check digits, and the characters and dates that values may have.

/// The check digit behind these digits (GS1 General Specifications, section 7.9): weights 3 and 1 from the right.
pub fn check_digit(digits: &str) -> char {
    let weighted = digits.bytes().rev().zip([3, 1].into_iter().cycle());
    let sum: u32 = weighted.map(|(digit, weight)| u32::from(digit.wrapping_sub(b'0')) * weight).sum();
    char::from(b'0' + ((10 - sum % 10) % 10) as u8)
}

/// The two check characters behind these characters of set 82, at most 23 of them (GS1 General Specifications, section 7.9.5).
/// None for others.
pub(crate) fn check_characters(text: &str) -> Option<[char; 2]> {
    /// From the right.
    const WEIGHTS: [u32; 23] =
        [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83];
    /// By value.
    const SET_82: &str =
        "!\"%&'()*+,-./0123456789:;<=>?ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";
    const SET_32: &[u8; 32] = b"23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
    if text.len() > WEIGHTS.len() {
        return None;
    }
    let mut sum = 0;
    for (character, weight) in text.chars().rev().zip(WEIGHTS) {
        sum += SET_82.find(character)? as u32 * weight;
    }
    let value = sum as usize % 1021;
    Some([value >> 5, value & 31].map(|place| char::from(SET_32[place])))
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
