//! Texts of ISO-8859-2, some of whose letters are symbols in Windows-1250.

/// Letters of ISO-8859-2 in words, where Windows-1250 has symbols: `¬rebiec` for `Źrebiec`, `s±` for `są`. Bytes without a letter in
/// ISO-8859-2 are those of another encoding.
pub(crate) fn is_iso_8859_2(bytes: &[u8]) -> bool {
    let is_letter = |place: usize| {
        let is_small = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_lowercase);
        let before = place.checked_sub(1).and_then(|place| bytes.get(place));
        let after = bytes.get(place + 1);
        match bytes[place] {
            0xa1 | 0xa6 | 0xa9 | 0xac | 0xae => is_small(after),
            0xb1 | 0xb6 => is_small(after) || (is_small(before) && !after.is_some_and(u8::is_ascii_digit)),
            _ => false,
        }
    };
    bytes.iter().all(|byte| !(0x80..=0x9f).contains(byte)) && (0..bytes.len()).any(is_letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_of_windows_1250_in_words_are_letters() {
        for bytes in [&b"\xacrebiec"[..], b"\xb6roda", b"s\xb1", b"\xa9koda 1", b"\xaei\xbekov"] {
            assert!(is_iso_8859_2(bytes), "{bytes:?}");
        }
        for bytes in
            [&b"\xa3ucja"[..], b"\x8f \xacrebiec", b"10 \xb1 2", b"Acme\xae", b"\xa9 2026", b"kg\xb12"]
        {
            assert!(!is_iso_8859_2(bytes), "{bytes:?}");
        }
    }
}
