//! Passwords of networks in prose: which texts are one as they stand.

use super::line_fields::{COLONS, field_of};

/// Bytes of a password of WPA (IEEE 802.11, annex J.4).
pub(super) const PASSPHRASE: std::ops::RangeInclusive<usize> = 8..=63;
/// Signs around a password, which may be part of it.
const AROUND: &str = "\"'()[]<>";
/// Names of passwords that are those of other keys and codes, too.
pub(super) const OTHER_KEYS: &str = "key schlüssel clé clef clave chave sleutel code";
/// Names of people at a login.
pub(super) const LOGINS: &str = "user username login benutzer benutzername anmeldename utilisateur identifiant utente usuario gebruiker gebruikersnaam";
/// First words of a text that says where the password is.
const PLACES: &str = "an ask at auf bitte demander frag on see siehe vedi ver voir zie";

/// True for a text that is a password from its first to its last sign, and no words of a sentence, which may follow a password, too.
pub(super) fn is_secret(text: &str) -> bool {
    let is_around = |sign: char| AROUND.contains(sign);
    let is_marked =
        text.starts_with(is_around) || text.ends_with(|sign: char| is_around(sign) || ".,;".contains(sign));
    let mut cuts = text.match_indices(char::is_whitespace).map(|(place, _)| &text[..place]);
    may_be_secret(text) && !is_marked && !says_where(text) && !has_name(text) && !cuts.any(may_be_secret)
}

/// True for a text of a password's length that has more than words.
fn may_be_secret(text: &str) -> bool {
    let text = text.trim_end_matches([',', ';', '.']);
    let has_spaces = text.contains(char::is_whitespace);
    let is_of_words = |sign: char| sign.is_alphabetic() || (has_spaces && !sign.is_ascii_digit());
    PASSPHRASE.contains(&text.len()) && !text.chars().all(is_of_words)
}

/// True for words such as `siehe Aushang 12`.
pub(super) fn says_where(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default().to_lowercase();
    text.contains(char::is_whitespace) && PLACES.split(' ').any(|word| word == first)
}

/// True for a text with the name of another field within it: `abc12345 Typ: WPA`.
fn has_name(text: &str) -> bool {
    let is_name = |before: &str| {
        before.rsplit(|sign: char| !sign.is_alphabetic() && sign != '-').next().and_then(field_of).is_some()
    };
    text.match_indices(COLONS).any(|(place, _)| is_name(text[..place].trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_that_are_sure() {
        for text in
            ["Seal&Otter22", "scone;cream\"jam", "a:b,c|d/e;", "moin moin 28217", "Lernen2027!", "12345678"]
        {
            assert_eq!(is_secret(text), !text.ends_with(';'), "{text}");
        }
        for text in [
            "",
            "abc1234",
            "Rezeption",
            "ask at bar 12",
            "under the fridge",
            "on the door",
            "abc12345.",
            "abc12345,",
            "abc12345)",
            "\"abc12345\"",
            "<secret 12>",
            "abc12345 please do not share",
            "abc12345, until 2027",
            "abc12345 (small letters)",
            "abc12345 Typ: WPA2",
            "abc12345 key:b",
            "one-two-three and four",
        ] {
            assert!(!is_secret(text), "{text}");
        }
    }
}
