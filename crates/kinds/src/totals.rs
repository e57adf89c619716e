//! Texts of a row of totals below a list, or between the rows of its parts.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Words with which such a text begins, in small letters. Each text of a list is looked up among them.
static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| ALL_WORDS.split_ascii_whitespace().collect());

const ALL_WORDS: &str = "total totale totaal totaux totales totais totalt gesamt gesamtsumme gesamtbetrag gesamtzahl summe zwischensumme \
    teilsumme endsumme anzahl durchschnitt mittelwert average sum subtotal subtotale subtotaal sous-total somme suma sumă somma soma summa \
    razem ogółem ogolem lacznie łącznie celkem celkom spolu súčet součet soucet összesen osszesen yhteensä yhteensa kokku kopā ialt ukupno \
    skupaj toplam σύνολο συνολο итого всего разом усього общо";

/// Bytes of the longest of these words.
const LONGEST: usize = 30;

/// The text begins with a word for totals.
pub fn begins_with_total(text: &str) -> bool {
    split(text).is_some()
}

/// The text is a word for totals, alone, with a number, or with a colon behind it: `Gesamt`, `Summe: 4`, `Total links: 2`.
pub fn is_total(text: &str) -> bool {
    let counts = |rest: &str| {
        rest.split_once(':')
            .is_some_and(|(_, count)| count.trim_start().starts_with(|sign: char| sign.is_ascii_digit()))
    };
    split(text)
        .is_some_and(|rest| rest.starts_with(':') || counts(rest) || !rest.contains(char::is_alphabetic))
}

/// The text behind a word for totals.
fn split(text: &str) -> Option<&str> {
    let text = text.trim_start_matches(|sign: char| !sign.is_alphanumeric());
    let text = text.strip_prefix("Grand ").unwrap_or(text);
    let end = text.find(|sign: char| !sign.is_alphanumeric() && sign != '-').unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    (word.len() <= LONGEST && WORDS.contains(&*word.to_lowercase())).then(|| rest.trim_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_and_other_texts() {
        for text in [
            "Gesamt",
            "SUMME:",
            "Summe: 4",
            "Total: 2 links",
            "Total links: 2",
            "Total : 2 liens",
            "Zwischensumme",
            "Grand total",
            "Total 2027",
            "Total - 12",
            "= Somme 1.234,50 €",
            "* Razem",
            "Итого: 3",
            "Sous-total",
        ] {
            assert!(is_total(text) && begins_with_total(text), "{text}");
        }
        for text in ["Total SA", "Total Quartz 5W-40", "Summe der Teile"] {
            assert!(!is_total(text) && begins_with_total(text), "{text}");
        }
        for text in ["", ":", "Totalschaden", "Gesamtschule 4", "SUM-0041", "Sum41", "4 Total", "Der Gesamt"]
        {
            assert!(!begins_with_total(text), "{text}");
        }
    }
}
