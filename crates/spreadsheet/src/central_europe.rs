//! Short texts of Polish, Czech, Slovene and Croatian in Windows-1250, whose letters of Windows-1252 no Western language has in such places:
//! `Gdañsk` for `Gdańsk`, `Jiøí` for `Jiří`, `Èoviæ` for `Čović`.

use encoding_rs::{WINDOWS_1250, WINDOWS_1252};

/// Letters of each language that are not ASCII.
const POLISH: &str = "ĄĆĘŁŃÓŚŹŻąćęłńóśźż";
const CZECH: &str = "ÁČĎÉĚÍŇÓŘŠŤÚŮÝŽáčďéěíňóřšťúůýž";

/// Letters of Slovene and Croatian.
const SOUTHERN: &str = "ČĆĐŠŽčćđšž";

/// Letters of other languages in names of people, which are the same in both encodings.
const OTHERS: &str = "ÄÖÜßäöüé";

const VOWELS: &str = "aeiouyóêAEIOUYÓÊ";

/// The text may be Polish, Czech, Slovene or Croatian in Windows-1250: its letters are those of one of them, and one stands where it cannot
/// be that of Windows-1252.
pub(crate) fn may_be_central_european(bytes: &[u8]) -> bool {
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
    let has_word =
        |is_such: fn(&str) -> bool| western.split(|letter: char| !letter.is_alphabetic()).any(is_such);
    (is_of(POLISH) && has_sign(is_polish))
        || (is_of(CZECH) && (has_sign(is_czech) || has_word(is_czech_word)))
        || (is_of(SOUTHERN) && (has_sign(is_southern) || has_word(is_southern_word)))
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

/// Danish and Faroese have no vowel with an accent behind `ø`. Italian has neither `ì` before `è` nor `è` before `í`, and `ì` and `ù` at
/// the ends of words alone.
fn is_czech(before: char, letter: char, behind: char) -> bool {
    match letter {
        'ø' => "áéíìùý".contains(behind),
        'ì' | 'ù' if before.is_ascii_alphabetic() && behind.is_ascii_lowercase() => {
            !VOWELS.contains(behind)
        }
        'ì' => "èøšžò".contains(behind),
        'è' => "íìá".contains(behind),
        _ => false,
    }
}

/// Danish and Faroese have neither `š`, `ž` nor an accent such as that of `è` in a word with `ø`. Few words end in `eò`, and they are verbs.
fn is_czech_word(word: &str) -> bool {
    (word.contains(['ø', 'Ø']) && word.contains(['è', 'ì', 'ò', 'ù', 'š', 'ž']))
        || (word.ends_with("eò") && word.starts_with(char::is_uppercase))
}

/// French has no vowel behind `È` or `è`.
fn is_southern(before: char, letter: char, behind: char) -> bool {
    match letter {
        'È' => !before.is_alphabetic() && "aeiou".contains(behind),
        'è' => before.is_ascii_alphabetic() && "aeo".contains(behind),
        _ => false,
    }
}

/// `Ðurða`, `Èoviæ`, `Poreè`: Icelandic words do not begin with `Ð`. No Western word ends in `iæ` or `eè`, and only short ones in `iè` or `oè`.
fn is_southern_word(word: &str) -> bool {
    (word.starts_with('Ð') && word.contains('ð'))
        || word.ends_with("iæ")
        || word.ends_with("eè")
        || ((word.ends_with("iè") || word.ends_with("oè")) && word.chars().count() > 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_of_central_europe_are_found_and_others_are_not() {
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
            "Šumperk, Žatec, Náchod, Plzeň",
            "Třebíč",
            "Dejvická; Anděl",
            "Můstek",
            "Křižíkova",
            "Žiga Novak, Miha Čovič",
            "Đorđe",
            "Anja Košir; Ćuk, Kovačič",
            "Šibenik; Poreč",
            "Čakovec",
            "Café Šport, Babić",
            "Đurđa",
        ] {
            let (bytes, _, _) = WINDOWS_1250.encode(text);
            assert!(may_be_central_european(&bytes), "{text}");
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
            "Però, andò, Gesù, lunedì, caffè",
            "Où, Hélène, Ève, très",
            "Ærø, Sæby, Søndersø, Vejlø",
            "Hélène Dubois, Petra Žižek",
            "Guðmundsson, Sigurður Ægisson",
            "Tjørnuvík, Vágur",
            "Piè, cioè, È",
            "Sloèka",
            "Ðiauliai",
            "",
        ] {
            let (bytes, _, _) = WINDOWS_1252.encode(text);
            assert!(!may_be_central_european(&bytes), "{text}");
        }
    }
}
