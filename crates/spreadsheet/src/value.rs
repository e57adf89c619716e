//! Values that would make a wrong code.

use crate::columns::shortened;
use crate::encoded_twice::decoded_again;
use crate::fault::Fault;

/// Errors as spreadsheet programs show them, without the marks around them: English first, and then in other languages, a line for
/// each or for a few.
const ERRORS: &str = "N/A REF DIV/0 NAME NULL NUM VALUE SPILL CALC FIELD BLOCKED CONNECT UNKNOWN BUSY DATA EXTERNAL TIMEOUT PYTHON \
    MACRO ERROR GETTING_DATA \
    NV BEZUG WERT ZAHL ÜBERLAUF KALK FELD BLOCKIERT VERBINDEN UNBEKANNT DATEN_ABRUFEN \
    VALEUR NOMBRE NOM NUL PROPAGATION EPARS CHAMP BLOQUÉ CONNEXION INCONNU CHARGEMENT_DONNEES OBTENTION_DONNEES \
    VALOR NOMBRE NULO DESBORDAMIENTO CAMPO BLOQUEADO CONECTAR DESCONOCIDO OBTENIENDO_DATOS \
    N/D RIF VALORE NOME NULLO ESPANSIONE BLOCCATO CONNETTI SCONOSCIUTO ESTRAZIONE_DATI \
    NÚM DESPEJAR DESCONHECIDO OBTENDO_DADOS \
    N/B VERW WAARDE GETAL NAAM LEEG DEEL/0 OVERLOOP BEREKENEN VELD GEBLOKKEERD ONBEKEND GEGEVENS_OPHALEN \
    ADR ARG LICZBA NAZWA ZERO DZIEL/0 ROZLANIE OBL POLE POBIERANIE_DANYCH \
    SAKNAS REFERENS VÄRDEFEL OGILTIGT NAMN SKÄRNING DIVISION/0 BERÄKNA FÄLT \
    I/T VÆRDI REFERENCE NAVN OVERLØB BEREGN FELT VERDI OVERFLYT \
    PUUTTUU ARVO LUKU JAKO/0 NIMI VIITTAUS TYHJÄ LEVITTYMINEN YLIVUOTO LASKE KENTTÄ \
    NENÍ_K_DISPOZICI HODNOTA ČÍSLO DĚLENÍ_NULOU NÁZEV ODKAZ PŘESAH NEDOSTUPNÝ NEDOSTUPNÉ DELENIENULOU DELENIE_NULOU NÁZOV \
    HIÁNYZIK ÉRTÉK SZÁM ZÉRÓOSZTÓ NÉV HIV NULLA KITÖLTÉS MEZŐ \
    VRIJEDNOST BROJ DIJ/0 NAZIV N/V VREDN ŠTEV DEL/0 IME SKLIC NIČ VALOARE NUME \
    YOK DEĞER SAYI SAYI/0 AD BAŞV BOŞ TAŞMA HESAPLA ALAN \
    Н/Д ЗНАЧ ЧИСЛО ДЕЛ/0 ИМЯ ССЫЛКА ПУСТО ПЕРЕНОС ВЫЧИСЛ ПОЛЕ ДАННЫЕ ЗАБЛОКИРОВАНО ПОДКЛЮЧЕНИЕ НЕИЗВЕСТНО ЗАНЯТО \
    ОЖИДАНИЕ_ДАННЫХ ПОЛУЧЕНИЕ_ДАННЫХ ДІЛ/0 ПОСИЛ ІМ'Я ІМ’Я СТОЙНОСТ \
    Δ/Υ ΤΙΜΗ ΑΡΙΘ ΔΙΑΙΡ./0 ΔΙΑΙΡ/0 ΟΝΟΜΑ ΑΝΑΦ ΚΕΝΟ";

/// Digits from which on a number is rather a key than an amount.
const LONG_DIGITS: usize = 7;

/// Characters of a text that a sentence shows.
const SHOWN: usize = 40;

/// Digits behind the point from which on `1.234E5` is a number, and no key.
const POWER_DIGITS: usize = 3;

/// Errors that end without a mark.
const UNMARKED: &str = "N/A NV N/D N/B N/V I/T YOK Н/Д Δ/Υ HIÁNYZIK NENÍ_K_DISPOZICI NEDOSTUPNÝ NEDOSTUPNÉ GETTING_DATA DATEN_ABRUFEN \
    CHARGEMENT_DONNEES OBTENTION_DONNEES OBTENIENDO_DATOS ESTRAZIONE_DATI OBTENDO_DADOS GEGEVENS_OPHALEN POBIERANIE_DANYCH \
    ОЖИДАНИЕ_ДАННЫХ ПОЛУЧЕНИЕ_ДАННЫХ";

/// The reason why a cell's text cannot be drawn.
pub(crate) fn fault_of(text: &str) -> Option<Fault> {
    unreadable(text).or_else(|| failed(text))
}

/// The reason why a cell of a CSV file cannot be taken as it is.
pub(crate) fn csv_fault_of(text: &str) -> Option<Fault> {
    is_formula(text).then_some(Fault::Formula)
}

/// A character that no picture may hold.
pub(crate) fn unreadable(text: &str) -> Option<Fault> {
    if text.contains('\u{fffd}') {
        return Some(Fault::DamagedCharacter);
    }
    let control = |character: &char| character.is_control() && !"\t\n\r".contains(*character);
    let control = text.chars().find(control)?;
    Some(match decoded_again(text) {
        Some(meant) => Fault::EncodedTwice([text, &meant].map(|text| shortened(text, SHOWN))),
        None => Fault::ControlCharacter(control),
    })
}

/// An error of a formula, or a number that was too wide for its column.
fn failed(text: &str) -> Option<Fault> {
    let text = text.trim();
    if text.len() >= 3 && text.bytes().all(|byte| byte == b'#') {
        return Some(Fault::NarrowColumn);
    }
    let is_numbered = text
        .split_once(':')
        .is_some_and(|(word, number)| word == "Err" && number.len() == 3 && number.parse::<u16>().is_ok());
    let inner = text.strip_prefix('#').map(|rest| rest.trim_start_matches(['¡', '¿']));
    let is_one_of = |word: &str, errors: &str| errors.split_ascii_whitespace().any(|error| error == word);
    // Programs in French write a space before the mark.
    let is_marked = inner
        .and_then(|inner| inner.strip_suffix(['!', '?']))
        .is_some_and(|word| is_one_of(word.trim_end_matches([' ', '\u{a0}', '\u{202f}']), ERRORS));
    let is_unmarked = text.strip_prefix('#').is_some_and(|word| is_one_of(word, UNMARKED));
    (is_numbered || is_marked || is_unmarked).then(|| Fault::ErrorValue(text.to_owned()))
}

/// A text that a spreadsheet program takes for a formula: `=>` and `= ` are none.
fn is_formula(text: &str) -> bool {
    text.strip_prefix('=')
        .and_then(|rest| rest.chars().next())
        .is_some_and(|first| first.is_alphanumeric() || "(\"'+-@{#$._[".contains(first))
}

/// The reason why a number of a CSV file is not the one that the person typed.
pub(crate) fn number_fault_of(text: &str) -> Option<Fault> {
    let is_digits = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = text.split_once(['.', ',']).unwrap_or((text, ""));
    if is_shortened_number(text) {
        return Some(Fault::ShortenedNumber);
    }
    // Programs write this of whole numbers in columns with empty cells.
    if fraction == "0" && whole.len() >= LONG_DIGITS && is_digits(whole) {
        return Some(Fault::AddedDecimal);
    }
    let has_power = fraction.split_once(['E', 'e']).is_some_and(|(digits, power)| {
        digits.len() >= POWER_DIGITS && power.len() <= 3 && is_digits(digits) && is_digits(power)
    });
    let is_power = has_power && whole.len() == 1 && is_digits(whole);
    is_power.then_some(Fault::PowerOfTen)
}

/// A number such as `4.00638E+12`, of which a spreadsheet program wrote the first digits.
fn is_shortened_number(text: &str) -> bool {
    let Some((digits, exponent)) = text.split_once(['E', 'e']) else { return false };
    let is_exponent = exponent
        .strip_prefix('+')
        .is_some_and(|rest| (2..=3).contains(&rest.len()) && rest.bytes().all(|byte| byte.is_ascii_digit()));
    let bytes = digits.strip_prefix('-').unwrap_or(digits).as_bytes();
    let is_fraction = match bytes {
        [first, b'.' | b',', rest @ ..] => first.is_ascii_digit() && rest.iter().all(u8::is_ascii_digit),
        [first] => first.is_ascii_digit(),
        _ => false,
    };
    is_exponent && is_fraction
}

/// A character that cannot be seen, and that does not join others as U+200D does.
pub(crate) fn is_invisible(character: char) -> bool {
    matches!(character, '\u{ad}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// A number of more than 15 digits with zeros from the 16th on, as spreadsheet programs write what they could not keep.
pub(crate) fn ends_in_zeros(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() > 15
        && bytes[0] != b'0'
        && bytes.iter().all(u8::is_ascii_digit)
        && bytes[15..].iter().all(|&digit| digit == b'0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_no_values() {
        for text in [
            "#N/A",
            "#REF!",
            "#DIV/0!",
            "#NAME?",
            "#NULL!",
            "#NUM!",
            "#VALUE!",
            "#NV",
            "#BEZUG!",
            "#WERT!",
            "#ZAHL!",
            "#VALEUR!",
            "#NOM?",
            "#¡REF!",
            "#¿NOMBRE?",
            "#¡DIV/0!",
            "#RIF!",
            "#N/D",
            "#N/B",
            "#ADR!",
            "#SPILL!",
            "#ÜBERLAUF!",
            "#ЗНАЧ!",
            "#Н/Д",
            "#I/T",
            "#YOK",
            "#BAŞV!",
            "#PUUTTUU!",
            "#VALEUR !",
            "#HIÁNYZIK",
            "#NENÍ_K_DISPOZICI",
            "#Δ/Υ",
            "#ΔΙΑΙΡ./0!",
            "#VÆRDI!",
            "Err:502",
            "###",
            "##########",
            " #N/A ",
        ] {
            assert!(fault_of(text).is_some(), "{text}");
        }
        for text in [
            "#",
            "##",
            "#1",
            "#hashtag",
            "#SALE!",
            "# NULL!",
            "N/A",
            "Err:",
            "Err: 502",
            "ERR:502a",
            "#N/A or so",
        ] {
            assert_eq!(fault_of(text), None, "{text}");
        }
    }

    #[test]
    fn formulas_are_no_values() {
        for text in [
            "=1+1",
            "=A1",
            "=SUMME(A1:A3)",
            "=\"a\"&B1",
            "=-1",
            "=HYPERLINK(\"https://example.org\")",
            "=Ä1",
            "=@x",
        ] {
            assert!(csv_fault_of(text).is_some(), "{text}");
        }
        for text in ["=", "==", "=>", "= 5", "a=b", "+49 30 1", "-5", "@name", "=)"] {
            assert_eq!(csv_fault_of(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_that_programs_changed_are_no_values() {
        for text in
            ["4,00638E+12", "4.00638e+12", "4E+12", "4.006381333931E12", "4006381333931.0", "4006381333931,0"]
        {
            assert!(number_fault_of(text).is_some(), "{text}");
        }
        for text in [
            "4006381333931",
            "12.5",
            "5.0",
            "1.0E5",
            "4E12",
            "1E05",
            "192.168.1.0",
            "4006381333931.05",
            "v1.2345E6",
        ] {
            assert_eq!(number_fault_of(text), None, "{text}");
        }
    }

    #[test]
    fn digits_that_were_left_out_show() {
        assert!(ends_in_zeros("340123450000000000") && !ends_in_zeros("340123450000000018"));
        assert!(!ends_in_zeros("100000000000000") && !ends_in_zeros("00000000000000000"));
    }
}
