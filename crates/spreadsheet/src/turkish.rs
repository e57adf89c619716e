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
    // Icelandic has `þ` between vowels in no word, nor two `ý`, nor `z` beside `ð` or `þ`. Neither it nor Czech has `Ý` before these.
    let has_pair = |is_such: fn(char, char, char) -> bool| {
        let letters: Vec<char> = word.chars().collect();
        letters.windows(3).any(|three| is_such(three[0], three[1], three[2]))
    };
    let has_between =
        || has_pair(|before, letter, behind| letter == 'þ' && is_vowel(before) && is_vowel(behind));
    let has_beside_y = || has_pair(|before, letter, _| "yY".contains(before) && letter == 'ý');
    let has_several = || word.matches(['ý', 'Ý']).count() > 1 && !word.ends_with('ý');
    let has_z = || word.contains('z') && word.contains(['ð', 'þ', 'Þ']);
    let begins = || ["Ýst", "Ýzm", "ÝST", "ÝZM"].iter().any(|start| word.starts_with(start));
    word.contains(|letter| OTHERS.contains(letter))
        && (word.contains(['Ç', 'Ü', 'ç', 'ü'])
            || has_end()
            || has_between()
            || has_beside_y()
            || has_several()
            || has_z()
            || begins())
}

fn is_vowel(letter: char) -> bool {
    "aeiouyöýAEIOUYÖÝ".contains(letter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{WINDOWS_1250, WINDOWS_1254};

    #[test]
    fn turkish_words_are_found_and_others_are_not() {
        for text in [
            "Beşiktaş",
            "Kılıç, Doğan",
            "İşletme",
            "Çarşı; Ağrı",
            "Şişli",
            "Güneş, İzmir",
            "Ayşe Yılmaz",
            "Oğuz",
            "Yıldız",
            "Işık",
            "Eskişehir",
            "Kırıkkale",
            "İstanbul",
            "İzmir",
            "Uşak",
        ] {
            let (bytes, _, _) = WINDOWS_1254.encode(text);
            assert!(may_be_turkish(&bytes), "{text}");
        }
        for text in [
            "Þórður Guðmundsson",
            "Müller, Guðmundsson, Þrastarlundur",
            "Ýmir, alþingi, Öræfi",
            "Beþiktaþ, José",
            "Größe, façade",
            "Hveragerði, Egilsstaðir",
            "Borgarfjörður; Seyðisfjörður",
            "Sigurður Þór Daðason",
            "Hafþór, Steinþór, Alþýðublaðið",
            "Mývatn, Grýla, Lýður, Ýr, Ýsa",
            "Norðragøta, Suðuroy",
        ] {
            let (bytes, _, _) = WINDOWS_1252.encode(text);
            assert!(!may_be_turkish(&bytes), "{text}");
        }
        let (bytes, _, _) = WINDOWS_1250.encode("Nový, Veselý, Müller, Výborný");
        assert!(!may_be_turkish(&bytes));
    }
}
