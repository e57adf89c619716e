//! Names and passwords of networks in prose: which texts are one as they stand.

use super::line_fields::{COLONS, field_of};
use crate::names::{is_one_of, simplified};

/// Bytes of a password of WPA (IEEE 802.11, annex J.4).
pub(super) const PASSPHRASE: std::ops::RangeInclusive<usize> = 8..=63;
/// Signs around a password, which may be part of it.
const AROUND: &str = "\"'()[]{}<>";
/// Words behind `WLAN:` that are no name.
const NO_NAMES: &str = "ja yes oui si sim tak kostenlos frei free gratis gratuit gratuito inklusive included inclus vorhanden available störung ok";
/// Names of passwords that are those of other keys and codes, too.
pub(super) const OTHER_KEYS: &str = "key schlüssel clé clef clave chave sleutel code";
/// Names of people at a login.
pub(super) const LOGINS: &str = "user username login benutzer benutzername anmeldename utilisateur identifiant utente usuario gebruiker gebruikersnaam";

/// True for a text that may be the name of a network, and of one only: no other field stands in it.
pub(super) fn may_be_name(text: &str) -> bool {
    !text.is_empty() && !text.contains([':', '/']) && !is_one_of(&simplified(text), NO_NAMES)
}

/// True for a name that is probably no words of a sentence. No password stands behind the name of an open network, so that most of what is
/// said about a network could be one.
pub(super) fn is_sure_name(text: &str, is_open: bool) -> bool {
    let is_of_names = |sign: char| sign.is_uppercase() || sign.is_numeric() || "_-".contains(sign);
    let has_spaces = text.contains(char::is_whitespace);
    let is_sure = if is_open {
        !has_spaces && text.contains(is_of_names)
    } else {
        !has_spaces || !text.starts_with(char::is_lowercase)
    };
    is_sure && may_be_name(text)
}

/// True for a text that is a password from its first to its last sign. One with a space may be words of a sentence.
pub(super) fn is_secret(text: &str) -> bool {
    let is_around = |sign: char| AROUND.contains(sign);
    let is_marked =
        text.starts_with(is_around) || text.ends_with(|sign: char| is_around(sign) || ".,;".contains(sign));
    PASSPHRASE.contains(&text.len())
        && !text.contains(char::is_whitespace)
        && !text.chars().all(char::is_alphabetic)
        && !is_of_one_sign(text)
        && !is_marked
        && !has_name(text)
}

/// True for a name and a password with a slash between them: `Guest / abc12345`.
pub(super) fn is_pair(text: &str) -> bool {
    text.split_once(" / ").is_some_and(|(name, password)| !name.is_empty() && is_secret(password.trim()))
}

/// True for a text that stands for a password, such as `________` and `XXXX-XXXX`.
fn is_of_one_sign(text: &str) -> bool {
    let mut signs = text.chars().filter(|sign| sign.is_alphanumeric()).map(|sign| sign.to_ascii_lowercase());
    signs.next().is_none_or(|first| signs.all(|sign| sign == first))
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
            ["Seal&Otter22", "scone;cream\"jam", "a:b,c|d/e", "moin-moin-28217", "Lernen2027!", "12345678"]
        {
            assert!(is_secret(text), "{text}");
        }
        for text in [
            "",
            "abc1234",
            "Rezeption",
            "ask at bar 12",
            "moin moin 28217",
            "printed on key card 2",
            "Zimmer 12",
            "chiedi al bar 2",
            "cafe27 thanks",
            "________",
            "********",
            "XXXX-XXXX",
            "{abc12345}",
            "a:b,c|d/e;",
            "abc12345,key:b",
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

    #[test]
    fn names_that_are_sure() {
        for (text, sure) in [
            ("Ardmore_Museum", [true, true]),
            ("gast-2", [true, true]),
            ("Gast", [true, true]),
            ("gast", [true, false]),
            ("FRITZ!Box 7590", [true, false]),
            ("works in all rooms", [false, false]),
            ("überall", [true, false]),
            ("Free", [false, false]),
            ("A/B", [false, false]),
            ("", [false, false]),
        ] {
            assert_eq!([false, true].map(|is_open| is_sure_name(text, is_open)), sure, "{text}");
        }
    }
}
