//! A wireless network, as phones read it: `WIFI:T:WPA;S:name;P:password;;`.

use crate::values::{Fault, Values, one_line};

/// Bytes of a network's name (IEEE 802.11).
const SSID_BYTES: usize = 32;

pub(crate) fn compose(values: Values<'_>) -> Result<String, Fault> {
    // Spaces around a name or a password are part of it.
    let ssid = one_line("ssid", values.text("ssid"))?;
    let password = one_line("password", values.text("password"))?;
    if ssid.len() > SSID_BYTES {
        return Err(Fault::new("ssid", format!("the name of a network has at most {SSID_BYTES} bytes.")));
    }
    let encryption = values.trimmed("encryption").to_ascii_lowercase();
    let is_open = match encryption.as_str() {
        "" => password.is_empty(),
        "none" | "nopass" => true,
        "wpa" | "wep" => false,
        _ => return Err(Fault::new("encryption", "write WPA (also for WPA2 and WPA3), WEP or none.")),
    };
    if is_open && !password.is_empty() {
        return Err(Fault::new("password", "a network without encryption has no password."));
    }
    if !is_open && password.is_empty() {
        return Err(Fault::new(
            "password",
            "the cell is empty, but a network with encryption has a password.",
        ));
    }
    let is_wep = encryption == "wep";
    if !is_open && !is_wep && !is_passphrase(password) {
        return Err(Fault::new("password", "a password of WPA has 8 to 63 characters of ASCII."));
    }
    if is_wep && !is_wep_key(password) {
        return Err(Fault::new(
            "password",
            "a password of WEP has 5 or 13 characters of ASCII, or 10 or 26 hexadecimal digits.",
        ));
    }
    let name = if is_open {
        "nopass"
    } else if is_wep {
        "WEP"
    } else {
        "WPA"
    };
    let mut code = format!("WIFI:T:{name};S:{};", escaped(ssid));
    if !password.is_empty() {
        code.extend(["P:", &escaped(password), ";"]);
    }
    match values.trimmed("hidden").to_ascii_lowercase().as_str() {
        "" | "false" | "no" | "0" => {}
        "true" | "yes" | "1" => code.push_str("H:true;"),
        _ => return Err(Fault::new("hidden", "write true or false.")),
    }
    code.push(';');
    Ok(code)
}

/// IEEE 802.11: 8 to 63 characters of ASCII, or a key of 64 hexadecimal digits.
fn is_passphrase(password: &str) -> bool {
    let bytes = password.as_bytes();
    let is_key = bytes.len() == 64 && bytes.iter().all(u8::is_ascii_hexdigit);
    is_key || ((8..=63).contains(&bytes.len()) && is_printable(bytes))
}

fn is_printable(ascii: &[u8]) -> bool {
    ascii.iter().all(|byte| (32..=126).contains(byte))
}

/// Keys of 40 and 104 bits.
fn is_wep_key(password: &str) -> bool {
    let bytes = password.as_bytes();
    match bytes.len() {
        5 | 13 => is_printable(bytes),
        10 | 26 => bytes.iter().all(u8::is_ascii_hexdigit),
        _ => false,
    }
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if "\\;,:\"".contains(character) {
            out.push('\\');
        }
        out.push(character);
    }
    out
}
