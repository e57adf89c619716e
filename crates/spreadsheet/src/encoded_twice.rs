//! UTF-8 that was read as another encoding, and encoded as UTF-8 once more: `KÃ¶ln`.

use encoding_rs::{Encoding, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1254};

/// Encodings that programs take UTF-8 for where they are set to a language.
const OTHERS: [&Encoding; 3] = [WINDOWS_1250, WINDOWS_1251, WINDOWS_1254];

/// The text as it may be meant: `Köln` for `KÃ¶ln`, `Novák` for `NovĂˇk`, `Да` for `Р”Р°`.
pub(crate) fn decoded_again(text: &str) -> Option<String> {
    if text.is_ascii() || !has_pair(text) {
        return None;
    }
    let western = decoded_from(WINDOWS_1252, text).filter(|meant| !meant.contains(is_rare));
    western.or_else(|| {
        let mut meant = OTHERS.iter().map(|encoding| (*encoding, decoded_from(encoding, text)));
        meant.find_map(|(encoding, meant)| meant.filter(|meant| is_likely(encoding, text, meant)))
    })
}

fn decoded_from(encoding: &'static Encoding, text: &str) -> Option<String> {
    let (bytes, _, has_others) = encoding.encode(text);
    String::from_utf8(bytes.into_owned()).ok().filter(|_| !has_others)
}

/// Signs above letters, and scripts of few lists, which `VÝŽIVA` and `FUß“` would have.
fn is_rare(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36f}' | '\u{700}'..='\u{7ff}')
}

/// The text has a character that a first byte of UTF-8 becomes, followed by one that is neither of ASCII nor a Cyrillic letter.
fn has_pair(text: &str) -> bool {
    let mut before = '\0';
    text.chars().any(|character| {
        let is_first = matches!(before, 'Â'..='ô' | 'Ă' | 'Ĺ' | 'В' | 'Р' | 'С' | 'в');
        before = character;
        is_first && !character.is_ascii() && !('А'..='я').contains(&character)
    })
}

/// Such a text has letters that programs of that language know. Capitals such as `PÄŤ` may be a word by themselves: one pair of
/// letters needs others beside it, and one of Cyrillic letters a second pair.
fn is_likely(encoding: &'static Encoding, text: &str, meant: &str) -> bool {
    let letters = meant.chars().filter(|letter| !letter.is_ascii()).count();
    let is_word = text.chars().all(char::is_alphanumeric) && !text.contains(char::is_lowercase);
    let is_known = !encoding.encode(meant).2;
    is_known && (letters > 1 || (encoding != WINDOWS_1251 && !is_word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_were_encoded_twice_are_decoded_again() {
        for (text, meant) in [
            ("KÃ¶ln", "Köln"),
            ("Â© ACME", "© ACME"),
            ("â‚¬ 5", "€ 5"),
            ("Ð”Ð°", "Да"),
            // Windows-1250, 1251 and 1254; some bytes have no character there.
            ("NovĂˇk", "Novák"),
            ("PotoÄŤnik", "Potočnik"),
            ("Ĺ\u{98}etÄ›z", "Řetěz"),
            ("FĹ±rĂ©sz", "Fűrész"),
            ("Ĺ\u{81}ĂłdĹş", "Łódź"),
            ("РџРѕР»РєР°", "Полка"),
            ("Å\u{9e}iÅŸli", "Şişli"),
            ("Ã\u{81}gua", "Água"),
        ] {
            assert_eq!(decoded_again(text).as_deref(), Some(meant), "{text}");
        }
    }

    #[test]
    fn texts_that_are_right_are_left() {
        for text in [
            "Köln",
            "SÃO PAULO",
            "„Ä“",
            "Ã¶ und ö",
            "ÅÄÖ",
            "Да",
            "Ã",
            "",
            "PÄŤ",
            "DEVÄŤ",
            "VÝŽIVA",
            "SÍŤ",
            "DÍŠ",
            "FUß“",
            "MĂŞTI",
            "Россия",
            "РІ",
            "РІВНЕ",
            "Сіль",
            "Р№5",
            "ГОСТ Р № 5",
            "Рёв",
            "Київ",
            "Çağrı",
            "ÂĞÂH",
        ] {
            assert_eq!(decoded_again(text), None, "{text}");
        }
    }
}
