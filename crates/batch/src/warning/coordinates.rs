//! Coordinates in decimal degrees, as maps show them.

use std::ops::Range;

use qrpress_kinds::Kind;

/// Digits behind the points of coordinates, at least: alone, and within other text, where rates and measures have four, and are above 0.
const FEWEST_DECIMALS: usize = 4;
const FEWEST_WITHIN: usize = 5;

/// Coordinates alone, as `geo:`. Numbers with fewer decimals may be others.
pub(super) fn coordinates(text: &str) -> Option<String> {
    with_decimals(text, FEWEST_DECIMALS)
}

fn with_decimals(text: &str, fewest: usize) -> Option<String> {
    let are_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let is_degrees = |number: &str| {
        let (whole, decimals) =
            number.strip_prefix('-').unwrap_or(number).split_once('.').unwrap_or_default();
        (1..=3).contains(&whole.len())
            && decimals.len() >= fewest
            && are_digits(whole)
            && are_digits(decimals)
    };
    let (latitude, longitude) = text.split_once(',')?;
    let both = [latitude, longitude.trim_start()];
    both.into_iter().all(is_degrees).then(|| Kind::Geo.compose(&both).ok())?
}

/// The place of the first coordinates in a text, alone, or behind words, a colon or a bracket, and their `geo:`.
pub(super) fn coordinates_in(text: &str) -> Option<(Range<usize>, String)> {
    let is_of_number = |sign: char| sign.is_ascii_digit() || ".-".contains(sign);
    text.match_indices(',').find_map(|(comma, _)| {
        let start = text[..comma].trim_end_matches(is_of_number).len();
        let rest = text[comma + 1..].trim_start().trim_start_matches(is_of_number);
        let end = text[..text.len() - rest.len()].trim_end_matches('.').len();
        let [before, behind] = [&text[..start], text[end..].trim_start_matches('.')];
        // Of three numbers, no two are a place.
        let is_begin =
            before.is_empty() || before.ends_with(|sign: char| sign.is_whitespace() || ":([".contains(sign));
        let is_end =
            behind.trim().is_empty() || behind.trim_start().starts_with([')', ']', '(', '–', '—', '-', '|']);
        let is_behind_number =
            before.trim_end().ends_with(|sign: char| sign.is_ascii_digit() || ",;".contains(sign));
        if !is_begin || !is_end || is_behind_number {
            return None;
        }
        let place = text.get(start..end)?;
        let is_alone = before.is_empty() && behind.trim().is_empty();
        let fewest = if is_alone || place.contains('-') { FEWEST_DECIMALS } else { FEWEST_WITHIN };
        Some((start..end, with_decimals(place, fewest)?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_within_texts() {
        for (text, expected) in [
            ("Marienplatz: 48.13743, 11.57549", "48.13743, 11.57549"),
            ("Stop 12 (51.48690,-3.27270).", "51.48690,-3.27270"),
            ("Cardiff, bus stop 51.4869, -3.2727", "51.4869, -3.2727"),
            ("51.48691, -3.27272 – Bus stop", "51.48691, -3.27272"),
            ("51.4869, -3.2727.", "51.4869, -3.2727"),
        ] {
            assert_eq!(coordinates_in(text).map(|(place, _)| &text[place]), Some(expected), "{text}");
        }
        for text in [
            "",
            ",",
            "Prices: 1.25, 2.50",
            "EUR/USD 1.0876, 1.0912",
            "Vector 1.23456 2.34567, 3.45678",
            "Prices: 1.2500, 2.5000, 3.7500",
            "Far: 151.4869, -3.2727",
            "A51.4869, 3.2727",
            "51.4869, 3.2727E",
            "51.4869, 3.2727 and more",
            "51,4869, 3,2727",
            "51.4869,",
            "51.4869, \u{a0}x",
        ] {
            assert_eq!(coordinates_in(text), None, "{text}");
        }
    }
}
