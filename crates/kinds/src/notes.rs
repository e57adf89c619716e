//! Notes that people and programs write below a list: `Page 1 of 3`, `Stand: 12.05.2027`, `gez. Müller`, `Printed on 3 May`.

/// Words with which such a note begins, in small letters: what was done to the list, where it comes from, and how old it is.
const WORDS: &str = "erstellt gedruckt exportiert stand quelle hinweis anmerkung gezeichnet printed created generated exported prepared source note \
    imprimé créé généré exporté établi édité impreso creado generado exportado fuente stampato creato generato esportato fonte impresso \
    criado gerado afgedrukt aangemaakt gemaakt bron wydrukowano utworzono wygenerowano źródło utskriven skapad källa vytištěno vytvořeno \
    zdroj nyomtatva készült forrás";

/// Characters of the words before a colon, and letters of an abbreviation before a name, at most.
const MOST_BEFORE_COLON: usize = 30;
const MOST_ABBREVIATED: usize = 4;

/// Bytes of the longest number of a page, and of the longest word of a note.
const LONGEST_PAGE: usize = 60;
const LONGEST_WORD: usize = 30;

/// Signs of an amount, and digits of the longest one of a list.
const SIGNS: &str = ".,'’-+€$£%";
const MOST_DIGITS: usize = 9;

/// The text has the form of a note below a list. Rows of a list may have it, too: the caller looks at the rows above.
pub fn is_note(text: &str) -> bool {
    let text = text.trim();
    is_page(text) || is_named(text) || is_signed(text) || begins_with_word(text)
}

/// The text is a number, as the total of a list is one: an amount or a count, and no number of a telephone or an article.
pub fn is_amount(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    (1..=MOST_DIGITS).contains(&digits)
        && !text.trim().starts_with('+')
        && !text
            .trim()
            .strip_prefix('0')
            .is_some_and(|rest| rest.starts_with(|sign: char| sign.is_ascii_digit()))
        && text.chars().all(|sign| sign.is_ascii_digit() || sign.is_whitespace() || SIGNS.contains(sign))
}

/// `Page 1 of 3`, `Seite 1/3`.
fn is_page(text: &str) -> bool {
    if text.len() > LONGEST_PAGE {
        return false;
    }
    let is_word = |word: &&str| word.chars().all(char::is_alphabetic);
    let is_number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    let words: Vec<&str> = text.split([' ', '\u{a0}', '/']).filter(|word| !word.is_empty()).collect();
    match words.as_slice() {
        [page, number, of, all] => is_word(page) && is_number(number) && is_word(of) && is_number(all),
        [page, number, all] => text.contains('/') && is_word(page) && is_number(number) && is_number(all),
        _ => false,
    }
}

/// `Stand: 12.05.2027`, `Erstellt von: Ada`. No text behind the colon is a link, and none before it has a digit.
fn is_named(text: &str) -> bool {
    let Some((name, rest)) = text.split_once(':') else { return false };
    let is_name = |sign: char| sign.is_alphabetic() || " .-".contains(sign);
    name.chars().count() <= MOST_BEFORE_COLON
        && name.starts_with(char::is_alphabetic)
        && name.chars().all(is_name)
        && rest.starts_with(char::is_whitespace)
}

/// `gez. Müller`, `i. A. Weber`.
fn is_signed(text: &str) -> bool {
    let Some((short, rest)) = text.split_once(". ") else { return false };
    (1..=MOST_ABBREVIATED).contains(&short.chars().count())
        && short.chars().all(char::is_lowercase)
        && rest.starts_with(char::is_uppercase)
}

fn begins_with_word(text: &str) -> bool {
    let Some((word, rest)) = text.split_once(char::is_whitespace) else { return false };
    if word.len() > LONGEST_WORD {
        return false;
    }
    let word = word.to_lowercase();
    rest.contains(char::is_alphanumeric) && WORDS.split_ascii_whitespace().any(|each| each == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_and_other_texts() {
        for text in [
            "gez. Müller",
            "i. A. Weber",
            "Stand: 12.05.2027",
            "Stand 12.05.2027",
            "Erstellt von Ada Müller",
            "Erstellt am: 3. Mai",
            "Printed on 3 May 2027",
            "Page 1 of 3",
            "Seite 1 von 3",
            "Seite 1/3",
            "Source: https://a.example",
            "Quelle: Stadtarchiv",
            "Imprimé le 3 mai",
        ] {
            assert!(is_note(text), "{text}");
        }
        for text in [
            "",
            "https://a.example",
            "WIFI:T:WPA;S:a;;",
            "SN-0017",
            "Tür 3",
            "St. Pauli",
            "Gate 3: left",
            "Created",
            "Raum 12 links",
            "a:b",
        ] {
            assert!(!is_note(text), "{text}");
        }
    }

    #[test]
    fn amounts_and_other_numbers() {
        for text in ["5", "1.234,00", "1 234,00 €", "$ 12.50", "100 %", "0", "0,50"] {
            assert!(is_amount(text), "{text}");
        }
        for text in ["", "-", "0301234567", "+49 30 1", "4006381333931", "5 Stück", "A1"] {
            assert!(!is_amount(text), "{text}");
        }
    }
}
