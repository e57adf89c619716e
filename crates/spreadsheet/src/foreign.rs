//! Texts that are no UTF-8, and that Windows-1252 would misread.

use std::ops::RangeInclusive;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GBK, SHIFT_JIS, WINDOWS_1250, WINDOWS_1252};
use qrpress_kinds::Kind;

use crate::fields::names_field;
use crate::names::{is_central_european, role_of};

/// Encodings of other scripts than Latin, of a byte for each character.
const SCRIPTS: [&str; 14] = [
    "windows-1251",
    "KOI8-R",
    "KOI8-U",
    "IBM866",
    "ISO-8859-5",
    "windows-1253",
    "ISO-8859-7",
    "windows-1255",
    "ISO-8859-8",
    "ISO-8859-8-I",
    "windows-1256",
    "ISO-8859-6",
    "windows-874",
    "x-mac-cyrillic",
];

/// Symbols of Windows-1252 that stand beside words, and not inside them.
const SYMBOLS: &str = "³¹¥£¯¾¼¿•†‡ˆ‰™˜";

/// Letters of Polish that Windows-1250 has and Windows-1252 has not.
const POLISH: &str = "ĄĆĘŁŃŚŹŻąćęłńśźż";

/// The name of encodings that their bytes do not tell apart, in a message. Those of DOS cannot be chosen.
pub(crate) const MAC_OR_DOS: &str = "Mac Roman or an encoding of DOS";

/// The name of an encoding that nothing tells, in a message.
pub(crate) const OTHER: &str = "another encoding than Windows-1252";

/// Letters of a word without any of ASCII that is of another script. Longer ones may be lists of letters.
const WORD_LETTERS: RangeInclusive<usize> = 4..=8;

/// First lines that may name the columns, and bytes of them.
const HEADER_LINES: usize = 4;
const HEADER_BYTES: usize = 4096;

/// Bytes that mean nothing in Windows-1252. In Windows-1250 three of them are letters.
pub(crate) fn is_undefined(byte: u8) -> bool {
    matches!(byte, 0x81 | 0x8d | 0x8f | 0x90 | 0x9d)
}

/// The encoding that the bytes are in, where they are surely not Windows-1252. `has_undefined`: the file has a byte that means
/// nothing there.
///
/// A guess alone does not do: of a few letters such as `ÅÄÖ` any guess may be wrong. Between Latin encodings it decides
/// nothing here. Of files in Windows-1252 with one Western place name it takes a fifth for Windows-1250 or 1257, and a
/// fiftieth of those with ten; of files in Windows-1250 with ten names it finds three quarters.
pub(crate) fn foreign(bytes: &[u8], has_undefined: bool) -> Option<&'static str> {
    if is_of_polish_1250(bytes) {
        return Some(WINDOWS_1250.name());
    }
    if is_of_mac_or_dos(bytes) {
        return Some(MAC_OR_DOS);
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let guess = detector.guess(None, Utf8Detection::Deny);
    if has_undefined && guess == WINDOWS_1250 {
        return Some(guess.name());
    }
    let is_multibyte = [SHIFT_JIS, GBK, BIG5, EUC_JP, EUC_KR].contains(&guess);
    let is_sure =
        (is_multibyte && has_symbols_in_words(bytes)) || (is_script(guess) && has_foreign_words(bytes));
    // Of a few bytes without a meaning the guess may be wrong.
    if is_sure {
        Some(guess.name())
    } else {
        (has_undefined || has_symbol_inside_word(bytes)).then_some(OTHER)
    }
}

/// The names of the columns are Czech, Polish or Hungarian, or Windows-1252 spells them as no names.
pub(crate) fn has_names_of_1250(bytes: &[u8]) -> bool {
    let is_known = |name: &str| {
        let names_field = |kind: Kind| kind.fields().iter().any(|field| names_field(kind, field.name, name));
        role_of(name).is_some() || Kind::ALL.into_iter().any(names_field)
    };
    let head = &bytes[..bytes.len().min(HEADER_BYTES)];
    let lines = head.split(|byte| b"\r\n".contains(byte)).filter(|line| !line.is_empty()).take(HEADER_LINES);
    lines.flat_map(|line| line.split(|byte| b",;\t".contains(byte))).any(|cell| {
        let [name, other] =
            [WINDOWS_1250, WINDOWS_1252].map(|encoding| encoding.decode_without_bom_handling(cell).0);
        let name = name.trim_matches('"');
        is_central_european(name) || (is_known(name) && !is_known(other.trim_matches('"')))
    })
}

/// Polish in Windows-1250: `ł` stands inside a word, and so does a letter whose byte is another one in ISO-8859-2. Every other
/// letter is one of Polish, or the same in Windows-1252. Beside a word that Windows-1252 has a symbol in, it is any of Windows-1250.
fn is_of_polish_1250(bytes: &[u8]) -> bool {
    let is_eastern = has_symbol_inside_word(bytes);
    let [text, western] =
        [WINDOWS_1250, WINDOWS_1252].map(|encoding| encoding.decode_without_bom_handling(bytes).0);
    let mut before = ' ';
    let (mut has_l, mut has_other) = (false, false);
    text.chars().zip(western.chars()).all(|(letter, other)| {
        if before.is_alphabetic() {
            has_l |= letter == 'ł';
            has_other |= "śąź".contains(letter);
        }
        before = letter;
        letter == other || POLISH.contains(letter) || (is_eastern && letter.is_alphabetic())
    }) && has_l
        && has_other
}

/// The text may be Windows-1250, though its bytes do not tell it for sure: its letters are those of Polish, or the same in
/// Windows-1252, and stand as in Polish words. Symbols inside words, or a capital behind a small letter, are letters of another encoding.
/// `ź` and `ż` do not follow consonants but `d`: on a Mac they are `ü` and `ø`. Letters of other languages count beside `ł`, or one whose
/// byte ISO-8859-2 has no letter for.
pub(crate) fn may_be_1250(bytes: &[u8]) -> bool {
    let [text, western] =
        [WINDOWS_1250, WINDOWS_1252].map(|encoding| encoding.decode_without_bom_handling(bytes).0);
    let is_symbol = |character: char| {
        !character.is_ascii()
            && !character.is_alphanumeric()
            && !character.is_whitespace()
            && !"’–—".contains(character)
    };
    let is_eastern = text.contains(|letter| "łŚŤŹśťź".contains(letter));
    let mut before = [' '; 2];
    let mut has_polish = false;
    text.chars().zip(western.chars()).all(|(letter, other)| {
        let [first, previous] = before;
        before = [previous, letter];
        has_polish |= letter != other;
        let follows_consonant =
            previous.is_alphabetic() && !"aeiouyóąęd".contains(previous.to_ascii_lowercase());
        (letter == other || POLISH.contains(letter) || (is_eastern && letter.is_alphabetic()))
            && !(first.is_alphabetic() && is_symbol(previous) && letter.is_lowercase())
            && !(previous.is_lowercase() && !letter.is_ascii() && letter.is_uppercase())
            && !("źż".contains(letter) && follows_consonant)
    }) && has_polish
}

fn is_script(guess: &'static Encoding) -> bool {
    SCRIPTS.contains(&guess.name())
}

/// The text may be Hungarian in Windows-1250, whose `ő` and `ű` are `õ` and `û` in Windows-1252: it has no letter of other languages, and
/// both, or one in a word that is neither French, Estonian nor Portuguese, where `e` follows `õ`.
pub(crate) fn may_be_hungarian(bytes: &[u8]) -> bool {
    let (text, _) = WINDOWS_1252.decode_without_bom_handling(bytes);
    let mut others = text.chars().filter(|letter| letter.is_alphabetic() && !letter.is_ascii());
    let has_pair = |is_such: fn(char, char) -> bool| {
        text.chars().zip(text.chars().skip(1).chain([' '])).any(|(letter, next)| is_such(letter, next))
    };
    let has_o = has_pair(|letter, next| "õÕ".contains(letter) && !"eE".contains(next));
    let has_u = text.contains(['û', 'Û']);
    let has_others = text.contains(|letter| "áíóúÁÍÓÚ".contains(letter));
    let is_behind_others =
        || has_pair(|before, letter| letter == 'û' && "gkntvyz".contains(before.to_ascii_lowercase()));
    others.all(|letter| "áéíóöúüõûÁÉÍÓÖÚÜÕÛ".contains(letter))
        && (has_o || has_u)
        && (has_others || (has_o && has_u) || is_behind_others())
}

/// `§` stands inside a word: on a Mac it is `ß`.
pub(crate) fn has_sharp_s_of_mac(bytes: &[u8]) -> bool {
    let (text, _) = WINDOWS_1252.decode_without_bom_handling(bytes);
    has_inside(&text, |before, letter, after| {
        letter == '§' && before.is_alphabetic() && after[0].is_lowercase()
    })
}

/// Letters of Mac Roman stand where Windows-1252 has others that such words do not have: `Kšln` and `€rzte` for `Köln` and `Ärzte`. Names
/// such as `Miloš` and `Krško` have a vowel or `r` before `š`.
pub(crate) fn may_be_mac(bytes: &[u8]) -> bool {
    let (text, _) = WINDOWS_1252.decode_without_bom_handling(bytes);
    has_inside(&text, |before, letter, [after, next]| {
        let is_small = after.is_ascii_lowercase();
        match letter {
            'š' => {
                "bcdfghkmtwz".contains(before.to_ascii_lowercase()) && is_small && !"aeiouy".contains(after)
            }
            '€' => {
                !before.is_alphanumeric()
                    && is_small
                    && next.is_ascii_lowercase()
                    && [after, next] != ['u', 'r']
            }
            _ => false,
        }
    })
}

/// A character is such, by the one before it and the two behind it.
fn has_inside(text: &str, is_such: impl Fn(char, char, [char; 2]) -> bool) -> bool {
    let (mut before, mut rest) = (' ', text.chars());
    while let Some(letter) = rest.next() {
        if !letter.is_ascii() {
            let mut behind = rest.clone();
            if is_such(before, letter, [(); 2].map(|()| behind.next().unwrap_or(' '))) {
                return true;
            }
        }
        before = letter;
    }
    false
}

/// `Ž` and `Ÿ` behind small letters, and low quotes behind letters: those of Mac and DOS are `é`, `ü` and `ä` there.
fn is_of_mac_or_dos(bytes: &[u8]) -> bool {
    let around = |index: usize| {
        let before = index.checked_sub(1).map_or(b' ', |before| bytes[before]);
        (before, bytes.get(index + 1).copied().unwrap_or(b' '))
    };
    bytes.iter().enumerate().any(|(index, byte)| {
        let (before, after) = around(index);
        match byte {
            // Š, Ž, Ÿ; on a Mac ä, é, ü.
            0x8a | 0x8e | 0x9f => {
                before.is_ascii_lowercase() || (before.is_ascii_uppercase() && after.is_ascii_lowercase())
            }
            // Œ; on a Mac å, in DOS î.
            0x8c => before.is_ascii_lowercase(),
            // Low quotes; in DOS é, ä.
            0x82 | 0x84 => before.is_ascii_alphabetic(),
            // Nothing, and a closing quote; in DOS ü, ö.
            0x81 | 0x94 => before.is_ascii_alphabetic() && (after.is_ascii_lowercase() || after >= 0xe0),
            _ => false,
        }
    })
}

/// Bytes that Windows-1252 has for symbols stand beside others that are no ASCII.
fn has_symbols_in_words(bytes: &[u8]) -> bool {
    bytes.windows(2).any(|pair| {
        let is_symbol = |byte: u8| (0x80..0xc0).contains(&byte) && !(0x91..=0x97).contains(&byte);
        pair.iter().all(|byte| !byte.is_ascii()) && pair.iter().any(|&byte| is_symbol(byte))
    })
}

/// A symbol stands between letters, where other encodings of a byte for each character have a letter: `Wroc³aw`, `na•ve`.
fn has_symbol_inside_word(bytes: &[u8]) -> bool {
    let (text, _) = WINDOWS_1252.decode_without_bom_handling(bytes);
    let mut before = [' '; 2];
    text.chars().any(|character| {
        let [first, symbol] = before;
        before = [symbol, character];
        first.is_alphabetic() && SYMBOLS.contains(symbol) && character.is_lowercase()
    })
}

/// A word of several letters, none of them of ASCII. Few of them are capitals inside it, or the first one is the only small
/// letter, as Cyrillic in KOI8-R and Arabic look here: lists such as `ÄÖÜäöü` are no words. Two different ones are words
/// however they look, as Cyrillic in capitals and Thai do.
fn has_foreign_words(bytes: &[u8]) -> bool {
    let (text, _) = WINDOWS_1252.decode_without_bom_handling(bytes);
    let words = text.split(|character: char| !character.is_alphanumeric() && character.is_ascii());
    let mut foreign = words.filter(|word| {
        word.chars().count() >= *WORD_LETTERS.start() && word.chars().all(|letter| !letter.is_ascii())
    });
    let Some(first) = foreign.next() else { return false };
    looks_like_a_word(first) || foreign.any(|word| word != first)
}

fn looks_like_a_word(word: &str) -> bool {
    let tail = word.chars().skip(1);
    let capitals = tail.clone().filter(|letter| letter.is_uppercase()).count();
    let is_inverted = word.chars().next().is_some_and(char::is_lowercase);
    let count = tail.count();
    WORD_LETTERS.contains(&(count + 1))
        && (4 * capitals <= count || (is_inverted && 4 * capitals >= 3 * count))
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{IBM866, KOI8_R, WINDOWS_874, WINDOWS_1251, WINDOWS_1253, WINDOWS_1255};

    #[test]
    fn western_texts_are_windows_1252() {
        for text in [
            "Café",
            "5 €",
            "Größe 5\nTür 1",
            "äöüß",
            "éèêë",
            "ÄÖÜäöüß",
            "È",
            "ñ",
            "naïve façade – “œuvre” ’s…",
            "Åse Øyvind Ærø",
            "Señor Ñandú ¿qué? ¡olé!",
            "São João ção",
            "25 °C ±2 µm ½ ² ³ § © ®",
            "Þórður Guðmundsson",
            "10 £\n™",
            "Šž",
            "ÀÉÎÕÜ",
            "«Bonjour»",
            "·",
            "ÅÄÖåäö",
            "ÉCOLE FRANÇAISE",
            "GRÖSSE ÜBER ÄRA",
            "ß",
            "Crème brûlée",
            "„Hallo“ ‚du‘",
            "5,00 €;7,00 €",
            "Škoda, Žižkov",
            "l’été",
            "«été»",
            "col·legi, 5 m³ Wasser, GB£ 5, 25°c, it´s",
            "àâäéèêëîïôöùûüÿç",
            "ÄÖÜ, ÉÈÊË, ÀÂÎÔÛ",
            "ÅÄÖÅ, ÆØÅÆ",
            "Cœur de bœuf, 5 m³, crème brûlée, pêche",
            "Søren Kjærgård, Ærø, Gößweinstein, Jyväskylä, Malmö, 3 m³",
            "Señor Peña, São João, Citroën, Curaçao, coöperatie, één",
            "L’œuvre, m¹, naïf, à côté, Noël; Straße, Øst, Åre",
        ] {
            let text = format!("data;caption\r\nhttps://example.org;{text}\r\n");
            let (bytes, _, _) = WINDOWS_1252.encode(&text);
            assert_eq!(foreign(&bytes, bytes.iter().copied().any(is_undefined)), None, "{text}");
        }
    }

    #[test]
    fn other_scripts_are_not_windows_1252() {
        for (encoding, texts) in [
            (SHIFT_JIS, &["東京都", "リンゴ", "会議室"][..]),
            (GBK, &["北京", "会议室三", "上海市"]),
            (BIG5, &["台北市", "會議室"]),
            (EUC_JP, &["東京都"]),
            (EUC_KR, &["회의실 하나"]),
            (WINDOWS_1251, &["Москва", "Большой зал", "МОСКВА, ПЕРВЫЙ ЗАЛ"]),
            (IBM866, &["Москва"]),
            (KOI8_R, &["Москва, большой зал"]),
            (WINDOWS_1253, &["Αθήνα", "ΑΘΗΝΑ, ΠΕΙΡΑΙΑΣ"]),
            (WINDOWS_1255, &["שלום"]),
            (WINDOWS_874, &["กรุงเทพ, เชียงใหม่"]),
        ] {
            for text in texts {
                let text = format!("data,caption\nhttps://example.org,{text}\n");
                let (bytes, _, _) = encoding.encode(&text);
                assert!(foreign(&bytes, false).is_some(), "{} {text}", encoding.name());
            }
        }
    }

    #[test]
    fn bytes_without_a_meaning_are_not_windows_1252() {
        for text in ["Otevřená síť, účet", "Šťastný, Plzeň", "Ťažký, Žilina, byť"] {
            let text = format!("data,caption\nhttps://example.org,{text}\n");
            let (bytes, _, _) = WINDOWS_1250.encode(&text);
            assert_eq!(
                foreign(&bytes, bytes.iter().copied().any(is_undefined)),
                Some("windows-1250"),
                "{text}"
            );
        }
        assert_eq!(foreign(b"\x81ller", true), Some(OTHER));
    }

    #[test]
    fn polish_words_tell_their_encoding() {
        for (texts, is_polish) in [
            (&["Wrocław, Bolesław, ul. Wiśniowa 5"][..], true),
            (&["Łódź, Małgorzata Mazurkiewicz-Müller, Gołąb"], true),
            (&["„Kłącze” – łaźnia"], true),
            (
                &[
                    "Bogusław Wiśniewski, Dvořák",
                    "Paweł Król, Jiří Dvořák, Szabó Győző, Michał Wiśniewski, Ţepeş, Michałowska, Đurić",
                ],
                true,
            ),
            (&["Bogusław"], false),
        ] {
            for text in texts {
                let text = format!("data,caption\nhttps://example.org,{text}\n");
                let (bytes, _, _) = WINDOWS_1250.encode(&text);
                let found = foreign(&bytes, bytes.iter().copied().any(is_undefined));
                assert!(found.is_some(), "{text}");
                assert_eq!(found == Some("windows-1250"), is_polish, "{text}");
            }
        }
        // ISO-8859-2 has other bytes for these letters.
        let (bytes, _, _) = encoding_rs::ISO_8859_2.encode("data\nWrocław, Wiśniewski\n");
        assert_eq!(foreign(&bytes, false), Some(OTHER));
    }

    #[test]
    fn polish_that_may_be_of_another_encoding_is_asked_for() {
        for text in [
            "Woźniak, Dvořák",
            "Kuźnia Raciborska",
            "Wrocław",
            "Wrocław, Dvořák, Kőszeg, Kovač, Timişoara",
            "Grażyna Żak, łódź",
            "Łódź – „Źródło”",
        ] {
            let (bytes, _, _) = WINDOWS_1250.encode(text);
            assert!(may_be_1250(&bytes), "{text}");
        }
        for (encoding, text) in [
            (encoding_rs::MACINTOSH, "Müller"),
            (encoding_rs::MACINTOSH, "Café, naïve"),
            (encoding_rs::MACINTOSH, "Søren"),
            (encoding_rs::ISO_8859_2, "Wrocław, Wiśniewski"),
            (encoding_rs::ISO_8859_2, "Łódź, żółty"),
            (encoding_rs::ISO_8859_2, "Tomáš Dvořák, Růžena"),
            (WINDOWS_1252, "Größe, Ærø"),
        ] {
            let (bytes, _, _) = encoding.encode(text);
            assert!(!may_be_1250(&bytes), "{text}");
        }
    }

    #[test]
    fn hungarian_is_asked_for() {
        for text in ["Szűcs Ádám", "Őz, Győr, Kovács", "Számla;Tűzoltó Kft.", "Szűcs, Őz", "Fűz, Szűcs, Név"]
        {
            let (bytes, _, _) = WINDOWS_1250.encode(text);
            assert!(may_be_hungarian(&bytes), "{text}");
        }
        for text in [
            "Szucs, Ádám",
            "août, brûlée, goûter",
            "août à côté, Martínez",
            "Tõnu, Võru, Jõgeva",
            "Simões, José, João",
            "Simões, Lourdes, Tomás",
            "Müller, Größe",
            "Tõnu, Pärnu, Tomás",
        ] {
            let (bytes, _, _) = WINDOWS_1252.encode(text);
            assert!(!may_be_hungarian(&bytes), "{text}");
        }
    }

    #[test]
    fn mac_roman_is_asked_for() {
        let is_found = |bytes: &[u8]| has_sharp_s_of_mac(bytes) || may_be_mac(bytes);
        for text in ["Größe", "Köln", "Ärzte", "schön;1", "Straße 5", "Möller"] {
            let (bytes, _, _) = encoding_rs::MACINTOSH.encode(text);
            assert!(is_found(&bytes), "{text}");
        }
        for text in [
            "Miloš, Tomaš, Krško, Vršac, Škoda, menšt",
            "§ 5, §5a, 5 §",
            "5 €, 5€ab, €uro",
            "Größe, Straße, Köln",
            "Œuvre, cœur, SŒUR, naïf",
        ] {
            let (bytes, _, _) = WINDOWS_1252.encode(text);
            assert!(!is_found(&bytes) && foreign(&bytes, false).is_none(), "{text}");
        }
    }

    #[test]
    fn mac_and_dos_are_not_windows_1252() {
        for bytes in [
            &b"na\x95ve"[..],
            b"Wroc\xb3aw",
            b"\xa3\xf3d\xbc \xaf\xf3\xb3ty",
            b"Caf\x8e",
            b"p\x8c",
            b"Gr\x9a\xa7e T\x9fr",
            b"Gr\x94\xe1e",
            b"Caf\x82",
            b"M\x84nner",
            b"M\x81ller",
        ] {
            assert!(foreign(bytes, false).is_some(), "{bytes:x?}");
            let is_of_both = !matches!(bytes, b"na\x95ve" | b"Wroc\xb3aw" | b"\xa3\xf3d\xbc \xaf\xf3\xb3ty");
            assert_eq!(foreign(bytes, true) == Some(MAC_OR_DOS), is_of_both, "{bytes:x?}");
        }
    }
}
