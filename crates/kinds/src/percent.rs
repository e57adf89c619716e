//! Percent-encoding (RFC 3986).

use std::fmt::Write as _;

/// Appends `text` with every character encoded that is neither unreserved nor in `kept`, which is ASCII.
pub(crate) fn encode(text: &str, kept: &str, out: &mut String) {
    for byte in text.bytes() {
        if is_unreserved(byte) || kept.as_bytes().contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
}

/// The text with every character encoded that is not unreserved.
pub(crate) fn encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    encode(text, "", &mut out);
    out
}

/// The characters of RFC 3986, section 2.2.
pub(crate) const RESERVED: &str = ":/?#[]@!$&'()*+,;=";

/// RFC 3986, section 2.3.
fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)
}

/// Returns true if the text begins with an encoded byte.
pub(crate) fn is_triplet(text: &str) -> bool {
    matches!(text.as_bytes(), [b'%', high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit())
}
