//! Short texts of Polish and Czech in Windows-1250, whose letters of Windows-1252 no Western language has in such places: `Gdañsk` for
//! `Gdańsk`, `Jiøí` for `Jiří`.

use encoding_rs::{WINDOWS_1250, WINDOWS_1252};

/// Letters of Polish and of Czech that are not ASCII.
const POLISH: &str = "ĄĆĘŁŃÓŚŹŻąćęłńóśźż";
const CZECH: &str = "ÁČĎÉĚÍŇÓŘŠŤÚŮÝŽáčďéěíňóřšťúůýž";

/// Letters of other languages in names of people, which are the same in both encodings.
const OTHERS: &str = "ÄÖÜßäöüé";

const VOWELS: &str = "aeiouyóêAEIOUYÓÊ";

/// The text may be Polish or Czech in Windows-1250: its letters are those of one of them, and one stands where it cannot be that of
/// Windows-1252.
pub(crate) fn may_be_polish_or_czech(bytes: &[u8]) -> bool {
    let [text, western] =
        [WINDOWS_1250, WINDOWS_1252].map(|encoding| encoding.decode_without_bom_handling(bytes).0);
    let letters = text.chars().zip(western.chars()).filter(|(letter, _)| !letter.is_ascii());
    let is_of = |own: &str| {
        letters.clone().all(|(letter, other)| {
            own.contains(letter) || OTHERS.contains(letter) || (letter == other && !letter.is_alphabetic())
        })
    };
    let has_sign = |is_sign: fn(char, char, char) -> bool| {
        let western = western.as_ref();
        let behind = western.chars().skip(1).chain([' ']);
        let before = [' '].into_iter().chain(western.chars());
        before
            .zip(western.chars())
            .zip(behind)
            .any(|((before, letter), behind)| is_sign(before, letter, behind))
    };
    (is_of(POLISH) && has_sign(is_polish)) || (is_of(CZECH) && has_sign(is_czech))
}

/// The letter stands where Polish has another one, and Western languages do not have it. Spanish has a vowel behind `ñ`. French has no vowel
/// before `œ`. No Western language has `ê` behind `z`, or `¿` within a word.
fn is_polish(before: char, letter: char, behind: char) -> bool {
    let is_vowel = |letter: char| VOWELS.contains(letter);
    match letter {
        'ñ' => {
            is_vowel(before)
                && !is_vowel(behind)
                && (behind.is_ascii_lowercase() || !behind.is_alphanumeric())
        }
        'œ' => is_vowel(before),
        'ê' => before == 'z',
        // `£om¿a`.
        '¿' => before.is_ascii_lowercase() && behind.is_ascii_lowercase(),
        _ => false,
    }
}

/// Danish and Faroese have no vowel with an accent behind `ø`, and Italian neither `ì` before `è` nor `è` before `í`.
fn is_czech(_: char, letter: char, behind: char) -> bool {
    match letter {
        'ø' => "áéíìùý".contains(behind),
        'ì' => "èøšžò".contains(behind),
        'è' => "íìá".contains(behind),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polish_and_czech_are_found_and_others_are_not() {
        for text in [
            "Gdańsk",
            "Toruń, Bydgoszcz",
            "Kraków; Końskie",
            "Tychy, Wiśniewska",
            "Gęś",
            "Częstochowa",
            "Łomża",
            "Dvořák",
            "Jiří, Tomáš",
            "Děčín",
            "Příbram",
            "Müller, Poznań",
        ] {
            let (bytes, _, _) = WINDOWS_1250.encode(text);
            assert!(may_be_polish_or_czech(&bytes), "{text}");
        }
        for text in [
            "Peña, Núñez",
            "España",
            "Logroño; ¿Qué?",
            "Œuvre, cœur",
            "Crêpe, forêt",
            "Onze, même",
            "Tromsø, Bodø",
            "Norðragøta",
            "Perché, Niccolò",
            "Ciência, Português",
            "Müller, Groß",
            "Þórður",
            "Vilâo",
            "Brüssel, Liège",
            "10 € – 5 £",
            "",
        ] {
            let (bytes, _, _) = WINDOWS_1252.encode(text);
            assert!(!may_be_polish_or_czech(&bytes), "{text}");
        }
    }
}
