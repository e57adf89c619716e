//! Coordinates in degrees, as maps show them.

use std::ops::Range;

use qrpress_kinds::{Kind, pair_of_degrees};

/// Digits behind the points of coordinates, at least: of those with a letter or a minus sign, or alone with a comma, and of others. Rates
/// and measures have four.
const FEWEST_DECIMALS: usize = 4;
const FEWEST_OF_OTHERS: usize = 5;
/// Signs of degrees.
const DEGREES: [char; 3] = ['°', 'º', '˚'];
/// Letters of the directions.
const LATITUDE: [char; 2] = ['N', 'S'];
const LONGITUDE: [char; 2] = ['E', 'W'];

/// Coordinates alone, as `geo:`. Numbers with fewer decimals may be others.
pub(super) fn coordinates(text: &str) -> Option<String> {
    coordinates_in(text).filter(|(place, _)| *place == (0..text.len())).map(|(_, data)| data)
}

/// The place of the first coordinates in a text, alone, or behind words, a colon or a bracket, and their `geo:`.
pub(super) fn coordinates_in(text: &str) -> Option<(Range<usize>, String)> {
    [is_of_decimals, is_of_degrees].into_iter().find_map(|is_of_run: fn(char) -> bool| {
        let mut from = 0;
        text.split_inclusive(|sign| !is_of_run(sign)).find_map(|run| {
            let start = from;
            from += run.len();
            coordinates_of_run(text, start, run.trim_end_matches(|sign| !is_of_run(sign)))
        })
    })
}

fn is_of_decimals(sign: char) -> bool {
    sign.is_ascii_digit() || ".,;- \u{a0}".contains(sign)
}

fn is_of_degrees(sign: char) -> bool {
    is_of_decimals(sign) || DEGREES.contains(&sign) || "NSEW'’′´\"”″“".contains(sign)
}

/// The place and the `geo:` of a run of numbers, which begins at that place of a text and is nothing but coordinates.
fn coordinates_of_run(text: &str, start: usize, run: &str) -> Option<(Range<usize>, String)> {
    let first = run.find(|sign: char| sign.is_ascii_alphanumeric())?;
    let end = start + run.trim_end_matches(|sign| " ,;.-\u{a0}".contains(sign)).len();
    let start = start + first - usize::from(run[..first].ends_with('-'));
    let (before, place) = (&text[..start], text.get(start..end)?);
    let behind = text[end..].trim_start_matches('.').trim_start();
    let is_begin =
        before.is_empty() || before.ends_with(|sign: char| sign.is_whitespace() || ":([".contains(sign));
    let is_end = behind.is_empty() || behind.starts_with([')', ']', '(', '–', '—', '-', '|']);
    if !is_begin || !is_end {
        return None;
    }
    // Of three numbers, no two are a place.
    let pair @ [latitude, longitude] = pair_of_degrees(place)?;
    let has_letters = latitude.contains(LATITUDE) && longitude.contains(LONGITUDE);
    let is_alone = before.is_empty() && behind.is_empty();
    let is_exact = |part: &str| {
        let number = part.trim_matches(|sign: char| !sign.is_ascii_digit());
        if has_letters {
            return number.contains(DEGREES) || has_decimals(&number.replace(',', "."), FEWEST_DECIMALS);
        }
        let has_sign = place.contains('-') || (is_alone && place.contains(','));
        has_decimals(number, if has_sign { FEWEST_DECIMALS } else { FEWEST_OF_OTHERS })
    };
    // The letter of a direction belongs to one number alone.
    let lacks_letter =
        || before.split_whitespace().next_back().is_some_and(|word| ["N", "S", "E", "W"].contains(&word));
    // Two measurements have neither.
    let is_separated = place.contains([',', ';', '-']);
    let are_degrees = has_letters || (place.chars().all(is_of_decimals) && is_separated && !lacks_letter());
    let geo = || Kind::Geo.compose(&pair).ok().map(|data| (start..end, data));
    if are_degrees && pair.into_iter().all(is_exact) { geo() } else { None }
}

fn has_decimals(number: &str, fewest: usize) -> bool {
    let are_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    number.split_once('.').is_some_and(|(whole, decimals)| {
        (1..=3).contains(&whole.len())
            && decimals.len() >= fewest
            && are_digits(whole)
            && are_digits(decimals)
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
            ("Overflow field: 56.45721 -5.43988", "56.45721 -5.43988"),
            ("Field - 56.4572 -5.4398 - wet", "56.4572 -5.4398"),
            ("Gate: 56°27'12.4\"N 5°26'48.1\"W", "56°27'12.4\"N 5°26'48.1\"W"),
            ("East gate N 56° 27.207' W 5° 26.802' (wet)", "N 56° 27.207' W 5° 26.802'"),
            ("WEST 56.4534° N, 5.4467° W", "56.4534° N, 5.4467° W"),
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
            "Sizes 12.50312 13.90421",
            "56.45721 5.43988",
            "12.5000 13.9000",
            "1.25000 2.50000 3.75000",
            "51.48691; 2.34567; 3.45678",
            "51.48691 3.27272 kg",
            "51.48691 3.27272 W",
            "S 33.86880 151.20930",
            "51.48691\n3.27272",
            "Oven 20° 30°",
            "56°27'12.4\" 5°26'48.1\"",
            "56°27'12.4\"N",
            "56°27'12.4\"N 5°26'48.1\"O",
            "56°72'12.4\"N 5°26'48.1\"W",
            "5 N 3 W",
            "5° N 3° W",
            "X56°27'12.4\"N 5°26'48.1\"W",
            "56°27'12.4\"N 5°26'48.1\"W or so",
            "NEWS",
            "-",
            "°",
        ] {
            assert_eq!(coordinates_in(text), None, "{text}");
        }
    }

    #[test]
    fn coordinates_alone() {
        for (text, expected) in [
            ("56.4572, 5.4398", "geo:56.4572,5.4398"),
            ("56.45721 -5.43988", "geo:56.45721,-5.43988"),
            ("56.45721; -5.43988", "geo:56.45721,-5.43988"),
            ("56°27'12.4\"N 5°26'48.1\"W", "geo:56.453444,-5.446694"),
            ("56°27′12.4″ N, 5°26′48.1″ W", "geo:56.453444,-5.446694"),
            ("N 56° 27.207' W 5° 26.802'", "geo:56.45345,-5.4467"),
            ("56,4534° N, 5,4467° W", "geo:56.4534,-5.4467"),
        ] {
            assert_eq!(coordinates(text).as_deref(), Some(expected), "{text}");
        }
        assert_eq!(coordinates("Gate: 56.45721, -5.43988"), None);
    }
}
