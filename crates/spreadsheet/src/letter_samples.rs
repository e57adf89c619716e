//! Values that show people whether the letters of a file are read right.

use std::collections::HashSet;

use encoding_rs::{Encoding, ISO_8859_2, WINDOWS_1250, WINDOWS_1252, WINDOWS_1254};

use crate::columns::shortened;

/// Values that are shown.
const SAMPLES: usize = 3;

/// Characters of a value that are shown, and of these the most before the letter that it is about.
const SHOWN: usize = 60;
const BEFORE: usize = 30;

/// The part of a text around a letter at this place, or its first one that is not ASCII.
pub(crate) fn around(text: &str, place: Option<usize>) -> String {
    let place = place.or_else(|| text.chars().position(|letter| !letter.is_ascii())).unwrap_or(0);
    let left_out = if place + BEFORE < SHOWN { 0 } else { place - BEFORE };
    let start = text.char_indices().nth(left_out).map_or(0, |(start, _)| start);
    let before = if start > 0 { "…" } else { "" };
    format!("{before}{}", shortened(&text[start..], SHOWN))
}

/// The values, and the letters by which they tell.
#[derive(Debug)]
pub(crate) struct LetterSamples {
    encoding: Option<&'static Encoding>,
    values: Vec<Sample>,
    /// Letters of values so far, by whether they are others in another encoding.
    others: HashSet<char>,
    same: HashSet<char>,
}

#[derive(Debug)]
struct Sample {
    place: String,
    text: String,
    /// Letters that are others in another encoding, and that no value before this one has.
    letters: usize,
}

impl LetterSamples {
    /// Samples of a file that is read in an encoding of this name.
    pub fn new(name: &str) -> Self {
        let encoding = Encoding::for_label(name.as_bytes());
        Self { encoding, values: Vec::new(), others: HashSet::new(), same: HashSet::new() }
    }

    /// Takes a value that is not ASCII. A value with letters that are others in another encoding goes before those without, and before one
    /// with fewer of them. Returns true if the value has such a letter.
    pub fn add(&mut self, text: &str, place: impl FnOnce() -> String) -> bool {
        let (mut first, mut letters) = (None, 0);
        for (index, letter) in text.chars().enumerate().filter(|(_, letter)| !letter.is_ascii()) {
            if self.same.contains(&letter) {
                continue;
            }
            let is_new = !self.others.contains(&letter);
            if is_new && !self.encoding.is_some_and(|encoding| is_other(letter, encoding)) {
                self.same.insert(letter);
                continue;
            }
            self.others.insert(letter);
            letters += usize::from(is_new);
            if is_new || first.is_none() {
                first.get_or_insert(index);
            }
        }
        if letters > 0 && letters == self.others.len() {
            // The first value that tells: those before it tell nothing.
            self.values.clear();
        }
        let is_telling = first.is_some();
        if is_telling != self.others.is_empty() {
            let fewest = || {
                let all = self.values.iter().enumerate().rev();
                all.min_by_key(|(_, value)| value.letters).filter(|(_, value)| value.letters < letters)
            };
            if self.values.len() == SAMPLES {
                match fewest().map(|(index, _)| index) {
                    Some(index) => _ = self.values.remove(index),
                    None => return is_telling,
                }
            }
            let text = around(text, first);
            if !self.values.iter().any(|value| value.text == text) {
                self.values.push(Sample { place: place(), text, letters });
            }
        }
        is_telling
    }

    /// The values with their places. None: every value is ASCII.
    pub fn sentence(&self) -> Option<String> {
        let all = self.values.iter().map(|value| format!("{}: {}", value.place, value.text));
        (!self.values.is_empty()).then(|| all.collect::<Vec<_>>().join("; "))
    }
}

/// The letter, read in an encoding, is another character in one that such files often have.
fn is_other(letter: char, encoding: &'static Encoding) -> bool {
    // The small `ı` and the capital `İ` of Windows-1254 are `ý` and `Ý` in the others.
    let others: &[&Encoding] = if encoding == WINDOWS_1252 {
        &[WINDOWS_1250, WINDOWS_1254]
    } else if [WINDOWS_1250, WINDOWS_1254, ISO_8859_2].contains(&encoding) {
        &[WINDOWS_1252]
    } else {
        return false;
    };
    let mut buffer = [0; 4];
    letter.is_alphabetic() && {
        let (bytes, _, _) = encoding.encode(letter.encode_utf8(&mut buffer));
        // Windows-1254 has nothing in the place of `Ž`.
        let is_another = |other: char| other != letter && !other.is_control();
        others.iter().any(|other| other.decode_without_bom_handling(&bytes).0.contains(is_another))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(encoding: &'static Encoding, values: &[&str]) -> String {
        let mut samples = LetterSamples::new(encoding.name());
        for (row, value) in values.iter().enumerate() {
            samples.add(value, || row.to_string());
        }
        samples.sentence().unwrap_or_default()
    }

    #[test]
    fn values_that_tell_encodings_apart_are_shown() {
        for (encoding, values, expected) in [
            (WINDOWS_1252, &["Šumperk", "Žatec", "Náchod", "Plzeò", "Tøebíè"][..], "3: Plzeò; 4: Tøebíè"),
            (WINDOWS_1250, &["Šumperk", "Žatec", "Náchod", "Plzeň", "Třebíč"], "3: Plzeň; 4: Třebíč"),
            (WINDOWS_1252, &["Küche", "Größe", "Tür", "Küche", "Öl"], "0: Küche; 1: Größe; 2: Tür"),
            (WINDOWS_1252, &["è", "bè", "cè", "dè", "Èoviæ", "ø"], "0: è; 4: Èoviæ; 5: ø"),
            (WINDOWS_1252, &["è", "è", "æ", "ø", "Èìþ"], "0: è; 2: æ; 4: Èìþ"),
            (
                encoding_rs::WINDOWS_1251,
                &["Москва", "Тула", "Москва", "Омск", "Уфа"],
                "0: Москва; 1: Тула; 3: Омск",
            ),
            (WINDOWS_1252, &[], ""),
        ] {
            assert_eq!(shown(encoding, values), expected, "{values:?}");
        }
    }
}
