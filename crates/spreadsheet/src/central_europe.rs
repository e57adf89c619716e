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

/// Signs of different kinds that tell only together: a text of another language may have one of them.
const WEAK_SIGNS: usize = 2;

const VOWELS: &str = "aeiouyóêAEIOUYÓÊ";

/// The text may be Polish, Czech, Slovene or Croatian in Windows-1250: its letters are those of one of them, and one stands where it cannot
/// be that of Windows-1252, or several stand where they seldom are.
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
    let words = || western.split(|letter: char| !letter.is_alphabetic());
    let has_word = |is_such: fn(&str) -> bool| words().any(is_such);
    let has_carons = || {
        let mut found = words().filter(|word| word.contains(['š', 'ž', 'Š', 'Ž']));
        let first = found.next();
        found.any(|word| Some(word) != first)
    };
    let of_czech =
        || [has_sign(is_like_czech) || has_word(ends_like_czech), has_word(is_like_czech_word), has_carons()];
    let of_south = || {
        [
            has_word(begins_like_southern),
            has_sign(is_like_southern),
            has_word(ends_like_southern),
            has_carons(),
        ]
    };
    let are_enough = |signs: &[bool]| signs.iter().filter(|is_there| **is_there).count() >= WEAK_SIGNS;
    (is_of(POLISH) && has_sign(is_polish))
        || (is_of(CZECH) && (has_sign(is_czech) || has_word(is_czech_word) || are_enough(&of_czech())))
        || (is_of(SOUTHERN) && (has_word(is_southern_word) || are_enough(&of_south())))
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

/// Danish and Faroese have no vowel with an accent behind `ø`. Italian has neither `ì` before `è` nor `è` before `í`. No Western language
/// has `è` behind the accents of `í`: `Tøebíè`.
fn is_czech(before: char, letter: char, behind: char) -> bool {
    match letter {
        'ø' => "áéíìùý".contains(behind),
        'ì' => "èøšžò".contains(behind),
        'è' => "íìá".contains(behind) || "áíýú".contains(before),
        _ => false,
    }
}

/// Danish and Faroese have neither `š`, `ž` nor `ì`, `ù` in a word with `ø`.
fn is_czech_word(word: &str) -> bool {
    word.contains(['ø', 'Ø']) && word.contains(['ì', 'ù', 'š', 'ž'])
}

/// Italian has `ì` and `ù` at the ends of words alone, save in dictionaries. Gaelic and Occitan have them within words, too.
fn is_like_czech(before: char, letter: char, behind: char) -> bool {
    "ìù".contains(letter)
        && before.is_ascii_alphabetic()
        && behind.is_ascii_lowercase()
        && !VOWELS.contains(behind)
}

/// `Plzeò`. Italian has verbs such as `creò`: this is no other kind of sign than `ì` within a word.
fn ends_like_czech(word: &str) -> bool {
    word.ends_with("eò") && word.starts_with(char::is_uppercase)
}

/// Norwegians write `kafè` for `kafé`.
fn is_like_czech_word(word: &str) -> bool {
    word.contains(['ø', 'Ø']) && word.contains(['è', 'ò'])
}

/// `Ðurða`: Icelandic words do not begin with `Ð`.
fn is_southern_word(word: &str) -> bool {
    word.starts_with('Ð') && word.contains('ð')
}

/// `Èakovec`, `Ðakovo`. Gaelic has `Èi` and `Èo`, and Old English `Ðe`.
fn begins_like_southern(word: &str) -> bool {
    let mut letters = word.chars();
    matches!(letters.next(), Some('È' | 'Ð')) && letters.next().is_some_and(|second| "aeo".contains(second))
}

/// `Kovaèeviæ` has `èe`, but so has `Andrèe` for `Andrée`; and `Andrèa` is for `Andréa`.
fn is_like_southern(before: char, letter: char, behind: char) -> bool {
    letter == 'è' && before.is_ascii_alphabetic() && "ao".contains(behind)
}

/// `Babiæ`, `Poreè`, `Kovaèiè`. Latin has `Mariæ`; `Zoè` and `Noè` are names.
fn ends_like_southern(word: &str) -> bool {
    word.ends_with("iæ") || word.ends_with("eè") || (word.ends_with("iè") && word.chars().count() > 4)
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
            "Dejvická; Anděl; Žižkov, Želivského",
            "Křižíkova",
            "Žiga Novak, Miha Čovič",
            "Đorđe",
            "Anja Košir; Ćuk, Kovačič, Žan",
            "Šibenik, Žminj, Poreč",
            "Čakovec, Poreč",
            "Café Šport, Žiga, Babić",
            "Đurđa",
            "Šumperk, Žatec, Náchod, Plzeň, Třebíč",
            "Žiga Novak, Špela Zupan, Žan Kos, Miha Čovič, Đorđe Ćuk, Anja Košir",
            "Šibenik, Žminj, Šolta, Zadar, Poreč, Čakovec, Đakovo",
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
            "Noèl;Zoè;Chloè",
            "Andrèe;Renèe;Irène",
            "Lycèe",
            "Desirèe;Andrèa;Café",
            "I princìpi;sùbito;però",
            "Creò la scuola;Forlì",
            "Dùn Èideann, Sìne, Èolas",
            "Ave Mariæ",
            "Besièrs;Foìs",
            "Sjøkafè, Bjørnallè",
            "Noèl;Andrèa;Petra Žižek, Petra Žižek",
            "",
        ] {
            let (bytes, _, _) = WINDOWS_1252.encode(text);
            assert!(!may_be_central_european(&bytes), "{text}");
        }
    }
}
