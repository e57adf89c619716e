//! Texts of Windows-1254, whose letters of Turkish are others in Windows-1252: `Beþiktaþ` for `Beşiktaş`.

use encoding_rs::WINDOWS_1252;

/// Letters in whose place Windows-1254 has those of Turkish alone.
const OTHERS: &str = "ÐÝÞðýþ";

/// The letters of Turkish that are the same in both encodings, and are not ASCII.
const SAME: &str = "ÂÇÎÖÛÜâçîöûü";

/// The text may be Turkish in Windows-1254: it has no letter of other languages, and a word that neither Icelandic nor Czech has. Those
/// have no word with `ç` or `ü` beside such a letter, and `þ` stands at the end of no syllable.
pub(crate) fn may_be_turkish(bytes: &[u8]) -> bool {
    let (text, _) = WINDOWS_1252.decode_without_bom_handling(bytes);
    let is_letter = |letter: char| {
        letter.is_ascii() || !letter.is_alphabetic() || OTHERS.contains(letter) || SAME.contains(letter)
    };
    text.chars().all(is_letter) && text.split(|letter: char| !letter.is_alphabetic()).any(is_turkish)
}

/// The word is Turkish, and of no other language, in the letters of Windows-1252.
fn is_turkish(word: &str) -> bool {
    let has_end = || {
        let behind = word.chars().skip(2).map(Some).chain([None]);
        let mut pairs = word.chars().skip(1).zip(behind);
        pairs.any(|(letter, next)| letter == 'þ' && next.is_none_or(|next| "bcdfgklmnpst".contains(next)))
    };
    word.contains(|letter| OTHERS.contains(letter)) && (word.contains(['Ç', 'Ü', 'ç', 'ü']) || has_end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{WINDOWS_1250, WINDOWS_1254};

    #[test]
    fn turkish_words_are_found_and_others_are_not() {
        for text in ["Beşiktaş", "Kılıç, Doğan", "İşletme", "Çarşı; Ağrı", "Şişli", "Güneş, İzmir"]
        {
            let (bytes, _, _) = WINDOWS_1254.encode(text);
            assert!(may_be_turkish(&bytes), "{text}");
        }
        for text in [
            "Þórður Guðmundsson",
            "Müller, Guðmundsson, Þrastarlundur",
            "Ýmir, alþingi, Öræfi",
            "Beþiktaþ, José",
            "Größe, façade",
        ] {
            let (bytes, _, _) = WINDOWS_1252.encode(text);
            assert!(!may_be_turkish(&bytes), "{text}");
        }
        let (bytes, _, _) = WINDOWS_1250.encode("Nový, Veselý, Müller, Výborný");
        assert!(!may_be_turkish(&bytes));
    }
}
