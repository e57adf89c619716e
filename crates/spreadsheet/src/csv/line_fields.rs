//! The names of a network's fields with their values, as they stand in a line: `WLAN: Guest, Password: secret`.

use qrpress_kinds::{Kind, names_encryption, opposite, says_no_password};

use crate::fields::names_field;
use crate::names::{simplified, words};
use crate::things::is_name_of;

/// Bytes of a line in which several names are looked for, at most: the service looks beside other requests.
pub(super) const LONGEST_LINE: usize = 200;
/// Names that are looked for in a line, and bytes of each, at most.
const MOST_IN_LINE: usize = 6;
const LONGEST_IN_LINE: usize = 60;
/// Words of a name that follows another value at once, such as `mot de passe`, and of a place before a network, at most.
pub(super) const MOST_WORDS: usize = 4;
/// Words for wireless networks: logins have `Name` and a password, too.
const WIRELESS: [&str; 4] = ["wlan", "w-lan", "wifi", "wi-fi"];
pub(super) const COLONS: [char; 2] = [':', '：'];
/// Signs between the fields of a line.
const MARKS: [char; 4] = [',', ';', '/', '|'];
const DASHES: [char; 3] = ['-', '–', '—'];
/// Marks of a list before a line.
const BULLETS: [char; 7] = ['-', '–', '—', '•', '·', '*', '▪'];

/// A name, and the value behind its colon. A text without a colon is a name alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Field<'t> {
    pub name: &'t str,
    pub value: Option<&'t str>,
}

impl<'t> Field<'t> {
    /// The encryption of an open network.
    pub const OPEN: Self = Self { name: "encryption", value: Some("none") };

    pub fn of(text: &'t str) -> Self {
        let (name, value) = text.split_once(COLONS).map_or((text, None), |(name, value)| (name, Some(value)));
        Self { name: name.trim_end(), value }
    }

    /// The field of a network that the name is called as.
    pub fn thing(&self) -> Option<&'static str> {
        self.value.and_then(|_| field_of(self.name))
    }

    pub fn text(&self) -> &'t str {
        self.value.unwrap_or_default().trim()
    }

    /// It says that the network is open.
    pub fn is_open(&self) -> bool {
        *self == Self::OPEN
    }
}

/// The field of a network that the name is called as.
pub(super) fn field_of(name: &str) -> Option<&'static str> {
    let mut fields = Kind::Wifi.fields().iter().map(|field| field.name);
    fields.find(|field| names_field(Kind::Wifi, field, name))
}

/// True for a text with a word for wireless networks.
pub(super) fn is_wireless(text: &str) -> bool {
    let text = text.to_lowercase();
    WIRELESS.into_iter().any(|word| text.contains(word))
}

/// The fields that stand in a line. A network that is said to have no password has the encryption `none` in its place.
pub(super) fn fields_in(line: &str) -> Vec<Field<'_>> {
    let line = without_bullet(line);
    let mut found = fields_of_place(line).map_or_else(|| labelled_fields(line), Vec::from);
    say_open(&mut found);
    found
}

/// The fields that have a colon each.
fn labelled_fields(line: &str) -> Vec<Field<'_>> {
    let (mut found, mut start) = (Vec::new(), 0);
    for (colon, sign) in
        line.match_indices(COLONS).take(MOST_IN_LINE).skip(1).filter(|_| line.len() <= LONGEST_LINE)
    {
        let is_label = line[colon + sign.len()..].starts_with(char::is_whitespace);
        if let Some((end, next)) = next_name(&line[start..colon], is_label) {
            found.push(Field::of(&line[start..start + end]));
            start += next;
        }
    }
    found.push(Field::of(&line[start..]));
    found
}

/// The network and the password in a line such as `Room 101 - wifi BA-101, password: secret`, with a colon behind the password's name alone.
fn fields_of_place(line: &str) -> Option<[Field<'_>; 2]> {
    let is_between = |sign: char| sign.is_whitespace() || MARKS.contains(&sign);
    let is_beside = |sign: char| is_between(sign) || DASHES.contains(&sign);
    // A place may have a colon, too.
    line.match_indices(COLONS).take(2).filter(|_| line.len() <= LONGEST_LINE).find_map(|(colon, sign)| {
        let before = line[..colon].trim_end();
        let names = before.rmatch_indices(is_between).take(MOST_WORDS).map(|(start, _)| start);
        let is_password = |start: &usize| {
            is_name_of("password", &simplified(before[*start..].trim_start_matches(is_between)))
        };
        let start = names.filter(is_password).last()?;
        let network = before[..start].trim_end_matches(is_beside);
        let label = network.rsplit_once(char::is_whitespace)?.0.trim_end();
        let (place, word) = label.rsplit_once(char::is_whitespace).unwrap_or(("", label));
        let is_label = WIRELESS.contains(&&*word.to_lowercase());
        let place = place.trim_end_matches(|sign: char| is_beside(sign) || COLONS.contains(&sign));
        let is_place = words(place).len() <= MOST_WORDS && !place.contains(MARKS) && !place.contains(COLONS);
        let name = &network[label.len()..];
        (is_label && is_place && !is_wireless(place) && is_no_word(name.trim_start())).then_some([
            Field { name: label, value: Some(name) },
            Field {
                name: before[start..].trim_start_matches(is_between),
                value: Some(&line[colon + sign.len()..]),
            },
        ])
    })
}

/// True for a name such as `Guest-3`, `my_network` and `TheBar`: words behind `WLAN` have other signs.
fn is_no_word(name: &str) -> bool {
    let has_capital = || {
        let mut is_small = false;
        name.chars().any(|sign| std::mem::replace(&mut is_small, sign.is_lowercase()) && sign.is_uppercase())
    };
    name.starts_with(char::is_alphabetic)
        && name.ends_with(char::is_alphanumeric)
        && (name.contains('_') || name.contains(char::is_numeric) || has_capital())
        && !names_encryption(name)
}

/// A line without the mark of a list before it.
pub(super) fn without_bullet(line: &str) -> &str {
    let is_mark = |rest: &&str| rest.starts_with(char::is_whitespace);
    line.strip_prefix(BULLETS).filter(is_mark).map_or(line, str::trim_start)
}

/// Puts the encryption in place of words for no password.
fn say_open(fields: &mut Vec<Field<'_>>) {
    let is_of = |thing: &'static str| move |field: &Field<'_>| field.thing() == Some(thing);
    if fields.iter().any(is_of("encryption")) {
        return;
    }
    if let Some(password) = fields.iter().position(is_of("password")) {
        if says_no_password(fields[password].text(), "") {
            fields[password] = Field::OPEN;
        }
    } else if let Some(network) = fields.iter().position(is_of("ssid"))
        && let Some(name) = name_of_open(fields[network].text())
    {
        fields[network].value = Some(name);
        fields.push(Field::OPEN);
    }
}

/// The text before words for an open network, in brackets or behind a sign: `Guest (no password)`, `Gast - offen`.
pub(super) fn name_of_open(text: &str) -> Option<&str> {
    let is_between = |sign: char| sign.is_whitespace() || "-–—,;/|".contains(sign);
    let (name, words) = if let Some(inner) = text.strip_suffix([')', ']']) {
        inner.rsplit_once(['(', '['])?
    } else {
        let dash = [" - ", " – ", " — "].into_iter().filter_map(|dash| text.rfind(dash)).max();
        let (name, behind) = text.split_at(dash.max(text.rfind(MARKS))?);
        (name, behind.trim_start_matches(is_between))
    };
    let name = name.trim_end().trim_end_matches([',', ';', '|']).trim_end();
    // `No` may say that there is no network.
    let is_open =
        words.contains(char::is_alphabetic) && opposite(words).is_none() && says_no_password(words, "");
    (is_open && !name.is_empty()).then_some(name)
}

/// The end of a value, and the place of the name of another field that ends the text. Before a name of several words that may be those of
/// the value stands a comma, a dash or the like. `is_label`: a space is behind the colon, as behind all names of fields.
fn next_name(text: &str, is_label: bool) -> Option<(usize, usize)> {
    let is_mark = |character: char| MARKS.contains(&character);
    let (name, value) = text.split_once(COLONS).filter(|(name, _)| name.len() <= LONGEST_IN_LINE)?;
    let field = field_of(name);
    let from = text.len() - value.len();
    let between = value.rmatch_indices(|character: char| character.is_whitespace() || is_mark(character));
    let mut found = None;
    for (place, sign) in between.take(MOST_WORDS) {
        let (before, next) = (value[..place].trim_end(), value[place + sign.len()..].trim_start());
        let without_dash = before.strip_suffix(DASHES).filter(|rest| rest.ends_with(char::is_whitespace));
        let is_spaced = !sign.contains(is_mark) && (before.ends_with(is_mark) || without_dash.is_some());
        let ends = is_spaced || sign.contains(is_mark);
        let is_sure = || ["ssid", "password"].iter().any(|thing| is_name_of(thing, &simplified(next)));
        let is_other = || field_of(next).map_or(is_spaced && is_label, |next| Some(next) != field);
        // More signs may be those of a password.
        let kept = without_dash
            .or_else(|| before.strip_suffix(is_mark).filter(|_| is_spaced))
            .unwrap_or(before)
            .trim_end();
        let may_be_name = !next.is_empty() && next.len() <= LONGEST_IN_LINE && (ends || is_sure());
        if may_be_name && (!kept.trim().is_empty() || field.is_none()) && is_other() {
            found = Some((from + kept.len(), text.len() - next.len()));
        }
        if ends && !next.is_empty() {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_fields_in_a_line() {
        for (line, found) in [
            ("WLAN: Gast, Passwort: a,b", vec!["WLAN: Gast", "Passwort: a,b"]),
            ("WLAN: Gast - Haus - WLAN Passwort: a-b", vec!["WLAN: Gast - Haus", "WLAN Passwort: a-b"]),
            ("WLAN: Gast Haus Mot de passe: a", vec!["WLAN: Gast Haus", "Mot de passe: a"]),
            ("SSID: WLAN - Passwort: a", vec!["SSID: WLAN", "Passwort: a"]),
            ("SSID: Gast WLAN - Passwort: a", vec!["SSID: Gast WLAN", "Passwort: a"]),
            ("Passwort: a / SSID: Gast / Typ: WPA", vec!["Passwort: a", "SSID: Gast", "Typ: WPA"]),
            ("Passwort: a;, SSID: Gast", vec!["Passwort: a;", "SSID: Gast"]),
            ("Halle: WLAN: Gast, PW: a", vec!["Halle:", "WLAN: Gast", "PW: a"]),
            ("Netz: Gast / 2. Stock, Gästepasswort: a", vec!["Netz: Gast / 2. Stock", "Gästepasswort: a"]),
            ("WLAN: Gast, Raum: 5, Passwort: a", vec!["WLAN: Gast", "Raum: 5", "Passwort: a"]),
            ("- WLAN: Gast, Passwort: a", vec!["WLAN: Gast", "Passwort: a"]),
            ("Hall - wifi BA-1, pw: a", vec!["Hall - wifi: BA-1", "pw: a"]),
            ("wifi my_net mot de passe: a", vec!["wifi: my_net", "mot de passe: a"]),
            // A password has marks.
            ("Passwort: a,key:b", vec!["Passwort: a,key:b"]),
            ("Password: my key: a", vec!["Password: my key: a"]),
            ("Passwort: a Typ: b", vec!["Passwort: a Typ: b"]),
            ("WiFi: Guest / password: a;b\"c:d", vec!["WiFi: Guest", "password: a;b\"c:d"]),
            ("SSID: Gast Haus-Nr: 5", vec!["SSID: Gast Haus-Nr: 5"]),
        ] {
            let fields: Vec<Field<'_>> = found.into_iter().map(Field::of).collect();
            assert_eq!(fields_in(line), fields, "{line}");
        }
    }

    #[test]
    fn networks_without_a_password() {
        for words in [
            "(no password)",
            "(open)",
            "[offen]",
            ", no password needed",
            "/ open network",
            "- ohne Passwort",
            "– offen",
            ", password: none",
            "Passwort: keins nötig",
        ] {
            let line = format!("WiFi Museum: The-Museum {words}");
            let fields = fields_in(&line);
            assert_eq!(fields.len(), 2, "{line}");
            assert_eq!((fields[0].text(), fields[1].is_open()), ("The-Museum", true), "{line}");
        }
        for line in [
            "WiFi: The-Museum",
            "WiFi: open",
            "WiFi: (open)",
            "WiFi: The-Museum, no",
            "WiFi: The-Museum (open until 5)",
            "WiFi: The-Museum, password: open-wifi",
            "WiFi: The-Museum, password:",
            "Shop: Gate 7 (open)",
        ] {
            assert!(!fields_in(line).iter().any(Field::is_open), "{line}");
        }
    }
}
