//! Words and signs in a cell that has nothing yet, or never will.

/// The words, in lower case. Words that are names of people or countries in some language, such as `na` and `nil`, are none.
const WORDS: &str = "n/a|n.a.|n. a.|#n/a|#nv|-|--|–|—|?|??|…|x|xx|n.n.|n. n.|tbd|t.b.d.|tba|tbc|todo|none|null|pending|unknown|see above|see below|\
    keine|keiner|kein|folgt|k.a.|k. a.|entfällt|unbekannt|siehe aushang|siehe oben|wird noch vergeben|wird nachgereicht|néant|inconnu|inconnue|\
    à venir|voir affichage|voir ci-dessus|sin datos|pendiente|desconocido|desconocida|nessuno|sconosciuto|sconosciuta|desconhecido|brak|\
    nieznany|geen|onbekend|volgt|zie boven|saknas|okänd|ukjent|ukendt|tuntematon|neznámý|ismeretlen|bilinmiyor";
/// Bytes of the longest of them, in capitals too.
const LONGEST: usize = 24;
/// Signs from which on a repeated one stands for nothing.
const FEWEST_SIGNS: usize = 3;
/// Zeros of which the last part of no telephone number is made, and with which no number ends.
const FEWEST_ZEROS: usize = 5;
const MOST_ZEROS: usize = 6;

/// The text stands for nothing, whatever it is the value of.
pub fn is_placeholder(text: &str) -> bool {
    let text = text.trim();
    if text.len() <= LONGEST {
        let lower = text.to_lowercase();
        if WORDS.split('|').any(|word| word == lower) {
            return true;
        }
    }
    let mut signs = text.chars();
    let Some(first) = signs.next().filter(|sign| !sign.is_alphanumeric() || "xX".contains(*sign)) else {
        return false;
    };
    signs.clone().count() + 1 >= FEWEST_SIGNS && signs.all(|sign| sign == first)
}

/// The telephone number is none: `0`, `+49 221 0000000`.
pub fn is_no_number(text: &str) -> bool {
    let text = text.trim();
    let is_digit = |sign: char| sign.is_ascii_digit();
    let last = text.rsplit(|sign| !is_digit(sign)).next().unwrap_or_default();
    let zeros = |text: &str| text.len() - text.trim_end_matches('0').len();
    let digits: String = text.chars().filter(|sign| is_digit(*sign)).collect();
    let ends = zeros(&digits);
    ends > 0
        && (ends == digits.len() || ends > MOST_ZEROS || (zeros(last) == last.len() && ends >= FEWEST_ZEROS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_whole_texts() {
        for word in WORDS.split('|') {
            assert!(word.len() <= LONGEST, "{word}");
            assert!(is_placeholder(&word.to_uppercase()), "{word}");
        }
        for text in ["********", "xxxxxxxx", "XXX", "----", "k. A.     ", "....", "N.N.", "Unbekannt"] {
            assert!(is_placeholder(text), "{text}");
        }
        for text in
            ["", " ", "AAA", "111", "0", "Gate -", "X1", "Na", "**a**", "Sommer-2026-K", "keine Ahnung"]
        {
            assert!(!is_placeholder(text), "{text}");
        }
    }

    #[test]
    fn numbers_of_zeros_are_none() {
        for text in ["0", "000000", "+49 221 0000000", "+1 800 000 0000", "0221/00000", "+00 000"] {
            assert!(is_no_number(text), "{text}");
        }
        for text in ["", "-", "+49 30 900000", "0221 4711-0", "+49 800 1000000", "110", "0171 1234567"] {
            assert!(!is_no_number(text), "{text}");
        }
    }
}
