//! A mail as `mailto:` (RFC 6068).

use crate::percent::{encode, encoded};
use crate::values::{Fault, Values, trimmed};

pub(crate) fn compose(values: Values<'_>) -> Result<String, Fault> {
    let mut uri = "mailto:".to_owned();
    for (index, address) in values.line("to")?.split([',', ';']).map(trimmed).map(without_name).enumerate() {
        if !is_address(address) {
            return Err(Fault::new("to", "this is no address, such as name@example.org."));
        }
        if index > 0 {
            uri.push(',');
        }
        encode(address, "@+", &mut uri);
    }
    let subject = values.line("subject")?;
    let body = values.text("body");
    let mut separator = '?';
    for (name, value) in [("subject", encoded(subject)), ("body", encoded(&with_crlf(body)))] {
        if !value.is_empty() {
            uri.push(separator);
            uri.push_str(name);
            uri.push('=');
            uri.push_str(&value);
            separator = '&';
        }
    }
    Ok(uri)
}

/// RFC 6068, section 5: line ends are CRLF.
fn with_crlf(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n").replace('\n', "\r\n")
}

/// The address in `Town hall <hall@town.example>`, as mail programs write it.
pub(crate) fn without_name(text: &str) -> &str {
    let bracket = text.strip_suffix('>').and_then(|rest| rest.rsplit_once('<'));
    bracket.map_or(text, |(_, address)| trimmed(address))
}

/// An address of dot-atoms (RFC 5322, section 3.4.1), or of characters outside ASCII (RFC 6532). Its host has a dot, without which no other
/// network finds it.
pub(crate) fn is_address(text: &str) -> bool {
    text.split_once('@').is_some_and(|(local, domain)| {
        let is_atom = |character: char| {
            character.is_ascii_alphanumeric()
                || !character.is_ascii()
                || "!#$%&'*+-/=?^_`{|}~".contains(character)
        };
        let is_host =
            |character: char| character.is_ascii_alphanumeric() || !character.is_ascii() || character == '-';
        has_parts(local, is_atom) && domain.contains('.') && has_parts(domain, is_host)
    })
}

/// Parts between dots, none of which is empty.
fn has_parts(text: &str, is_right: impl Fn(char) -> bool) -> bool {
    text.split('.').all(|part| !part.is_empty() && part.chars().all(&is_right))
}
