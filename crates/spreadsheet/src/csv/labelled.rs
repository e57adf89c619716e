//! Lines that are a name and a value each, such as `SSID: Guest`: a table of networks or contacts on its side.

use qrpress_kinds::Kind;

use crate::fields::names_field;
use crate::names::{LONGEST, is_one_of, is_plain_name, looks_like_data, role_of, simplified};
use crate::proposal::proposal;
use crate::role::Role;
use crate::things::is_name_of;

/// Names behind each other, at most.
const MOST_NAMES: usize = 30;
/// Lines of the message around the networks, such as a greeting, at most.
const MOST_OTHERS: usize = 6;
/// Rows with a title above each, at least, for the titles to be captions: one may be a greeting.
const FEWEST_TITLED: usize = 2;
/// The name of the column of captions.
const CAPTION: &str = "caption";
/// Bytes of a line in which several names are looked for, at most: the service looks beside other requests.
const LONGEST_LINE: usize = 200;
/// Names that are looked for in a line, and bytes of each, at most.
const MOST_IN_LINE: usize = 6;
const LONGEST_IN_LINE: usize = 60;
/// Words of a name that follows another value at once, such as `mot de passe`, at most.
const MOST_WORDS: usize = 4;
/// Words behind `WLAN:` that are no name.
const NO_NAMES: &str = "ja yes oui si sim tak kostenlos frei free gratis gratuit gratuito inklusive included inclus vorhanden available störung ok";
/// Networks that become codes at once, at most: the engine has other requests.
const MOST_NETWORKS: u32 = 2_000;
/// Words of a name in a line that becomes a code, at most.
const MOST_WORDS_OF_NAME: usize = 2;
/// Bytes of a password of WPA (IEEE 802.11, annex J.4).
const PASSPHRASE: std::ops::RangeInclusive<usize> = 8..=63;
/// Names of passwords that are those of other keys and codes, too.
const OTHER_KEYS: &str = "key schlüssel clé clef clave chave sleutel code";
/// Names of people at a login.
const LOGINS: &str = "user username login benutzer benutzername anmeldename utilisateur identifiant utente usuario gebruiker gebruikersnaam";
/// Words for wireless networks: logins have `Name` and a password, too.
const WIRELESS: [&str; 4] = ["wlan", "w-lan", "wifi", "wi-fi"];
const COLONS: [char; 2] = [':', '：'];

/// The cells of rows, the names in the first. A row may have fewer than that.
type Rows<'t> = Vec<Vec<Option<&'t str>>>;

/// The names of the lines, and the values of each row, as far as the last one that it has. Rows begin with the first name that has a value,
/// and have each name once: a value is never that of the row beside it. Names that never have a value are headings. Links and other codes
/// are no names and values. A message may stand around networks. Lines with the names of other kinds are calendars and mails, too.
fn rows_of(text: &str) -> Option<(Kind, Rows<'_>)> {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let networks = networks_in(text, &lines).map(|rows| (Kind::Wifi, rows));
    networks.or_else(|| contacts_in(text, &lines).map(|rows| (Kind::Contact, rows)))
}

/// The rows of lines that are networks. A line may have several names.
fn networks_in<'t>(text: &'t str, lines: &[&'t str]) -> Option<Rows<'t>> {
    rows_in(text, lines, Kind::Wifi).or_else(|| {
        // Of a list that has none in its first lines, the others are not looked at.
        let mut first =
            lines.iter().filter(|line| line.matches(COLONS).nth(1).is_some()).take(MOST_OTHERS + 1);
        let is_network = |line: &&str| {
            let fields = fields_in(line);
            let has = |thing: &str| {
                fields.iter().any(|field| {
                    field.split_once(COLONS).is_some_and(|(name, _)| field_of(name) == Some(thing))
                })
            };
            has("password") && (has("ssid") || fields.iter().any(|field| is_plain(field)))
        };
        first.any(is_network).then_some(())?;
        let fields: Vec<&str> = lines.iter().copied().flat_map(fields_in).collect();
        let rows = rows_in(text, &fields, Kind::Wifi)?;
        // Prose has such names, too: `WLAN: included, Password: reception`.
        let names: Vec<&str> = rows.first()?.iter().copied().flatten().collect();
        let password = names.iter().position(|name| field_of(name) == Some("password"))?;
        let joins = |row: &Vec<Option<&str>>| {
            joins(row, password) && row[password].is_some_and(|text| !text.chars().all(char::is_alphabetic))
        };
        let are_logins = names.iter().any(|name| is_one_of(&simplified(name), LOGINS));
        (!are_logins && rows[1..].iter().all(joins)).then_some(rows)
    })
}

/// The rows of lines that are contacts and nothing else: each has a telephone number or a mail address. Between them stand blank lines, if
/// there are any.
fn contacts_in<'t>(text: &'t str, lines: &[&'t str]) -> Option<Rows<'t>> {
    const FEWEST_DIGITS: usize = 6;

    if !lines.iter().all(|line| line.contains(COLONS)) {
        return None;
    }
    let rows = rows_in(text, lines, Kind::Contact)?;
    let can_be_reached = |row: &Vec<Option<&str>>| {
        row.iter().copied().flatten().any(|value| {
            value.contains('@') || value.bytes().filter(u8::is_ascii_digit).count() >= FEWEST_DIGITS
        })
    };
    let name_of = |line: &'t str| Some(line.split_once(COLONS)?.0.trim_end());
    let first = name_of(lines.first()?);
    let mut is_blank = true;
    let begin_contacts = text.lines().map(str::trim).all(|line| {
        let begins = is_blank && !line.is_empty();
        is_blank = line.is_empty();
        !begins || name_of(line) == first
    });
    let names: Vec<&str> = rows[0].iter().copied().flatten().collect();
    let has = |fields: &[&'static str], name: &&str| {
        fields.iter().any(|field| names_field(Kind::Contact, field, name))
    };
    let begins_with_name = has(&["name", "firstName", "lastName"], &names[0]);
    // One card may be that of a place, an event or an animal.
    let is_card = |fields: &[&'static str]| names.iter().any(|name| has(fields, name));
    let are_several = rows.len() > 2 || (is_card(&["phone", "mobile"]) && is_card(&["email"]));
    (begin_contacts && begins_with_name && are_several && rows[1..].iter().all(can_be_reached))
        .then_some(rows)
}

/// The rows of lines that have a name and a value each, for codes of that kind.
fn rows_in<'t>(text: &'t str, lines: &[&'t str], kind: Kind) -> Option<Rows<'t>> {
    let pairs: Vec<_> = lines.iter().filter_map(|line| line.split_once(COLONS)).collect();
    let others = lines.iter().filter(|line| !line.contains(COLONS));
    // Networks that are written otherwise would be lost.
    let names_password = |line: &&&str| {
        line.split(|sign: char| !sign.is_alphanumeric()).any(|word| is_name_of("password", &simplified(word)))
    };
    if others.clone().count() > MOST_OTHERS || others.filter(names_password).count() > 1 {
        return None;
    }
    let mut names: Vec<&str> = Vec::new();
    let mut rows: Rows<'_> = Vec::new();
    // `Network` and `SSID` are one column.
    let is_same = |known: &str, name: &str| {
        known == name
            || (kind == Kind::Wifi && field_of(known).is_some_and(|field| field_of(name) == Some(field)))
    };
    for (name, behind) in &pairs {
        let (name, value) = (name.trim_end(), behind.trim_start());
        if !value.is_empty() && !names.iter().any(|known| is_same(known, name)) {
            names.push(name);
        }
        // A space stands behind a name: `WiFi: Guest` is no code.
        let is_code = value.starts_with("//") || (value == *behind && looks_like_data(&format!("{name}:")));
        if names.len() > MOST_NAMES || name.len() > LONGEST || is_code {
            return None;
        }
    }
    let mut titles = Vec::new();
    let mut above = None;
    for line in lines {
        let Some((name, value)) =
            line.split_once(COLONS).map(|(name, behind)| (name.trim_end(), behind.trim_start()))
        else {
            above = Some(*line);
            continue;
        };
        let Some(column) = names.iter().position(|known| is_same(known, name)) else {
            above = Some(name);
            continue;
        };
        if column == 0 {
            rows.push(Vec::new());
            titles.extend(above);
        }
        above = None;
        let row = rows.last_mut()?;
        row.resize(row.len().max(column + 1), None);
        if row[column].replace(value).is_some() {
            return None;
        }
    }
    if let Some(network) = plain_network(&names, &rows)
        && lines.iter().any(|line| is_wireless(line))
    {
        names[network] = "SSID";
    }
    proposal(&names, true).filter(|found| found.kind == kind && found.fields.len() > 1)?;
    let is_title = |title: &&str| begins_part(text, title) && !title.ends_with([',', '.', '!', '?', ')']);
    if rows.len() >= FEWEST_TITLED
        && titles.len() == rows.len()
        && titles.iter().all(is_title)
        && names.iter().all(|name| role_of(name) != Some(Role::Caption))
    {
        for (row, title) in rows.iter_mut().zip(titles) {
            row.resize(names.len(), None);
            row.push(Some(title));
        }
        names.push(CAPTION);
    }
    rows.insert(0, names.into_iter().map(Some).collect());
    Some(rows)
}

/// True for the first line of a text, one behind a blank line, or one with a colon at its end: others may belong to what stands above them.
fn begins_part(text: &str, title: &str) -> bool {
    let mut is_blank = true;
    text.lines().map(str::trim).any(|line| {
        let begins = is_blank || line.ends_with(COLONS);
        is_blank = line.is_empty();
        begins && line.trim_end_matches(COLONS).trim_end() == title.trim_end_matches(COLONS).trim_end()
    })
}

/// The place of a name such as `Name`, where all others are those of a network's fields, with a password that joins one.
fn plain_network(names: &[&str], rows: &[Vec<Option<&str>>]) -> Option<usize> {
    let network = names.iter().position(|name| is_plain_name(name))?;
    let password = names.iter().position(|name| {
        let simple = simplified(name);
        is_name_of("password", &simple) && !is_one_of(&simple, OTHER_KEYS)
    })?;
    let are_fields = (0..names.len())
        .all(|place| place == network || field_of(names[place]).is_some_and(|field| field != "ssid"));
    let is_network = |row: &Vec<Option<&str>>| {
        joins(row, password) && !row.get(network).copied().flatten().unwrap_or_default().contains(['@', ':'])
    };
    (are_fields && rows.iter().all(is_network)).then_some(network)
}

/// True for a row with a password that may join a network: it is as long as WPA has it, and without spaces.
fn joins(row: &[Option<&str>], password: usize) -> bool {
    let secret = row.get(password).copied().flatten().unwrap_or_default();
    PASSPHRASE.contains(&secret.len()) && !secret.contains(char::is_whitespace)
}

/// True for a text with a word for wireless networks.
fn is_wireless(line: &str) -> bool {
    let line = line.to_lowercase();
    WIRELESS.into_iter().any(|word| line.contains(word))
}

/// True for a field whose name is no more than `Name`.
fn is_plain(field: &str) -> bool {
    field.split_once(COLONS).is_some_and(|(name, _)| is_plain_name(name.trim_end()))
}

/// The field of a network that the name is called as.
fn field_of(name: &str) -> Option<&'static str> {
    let mut fields = Kind::Wifi.fields().iter().map(|field| field.name);
    fields.find(|field| names_field(Kind::Wifi, field, name))
}

/// The names with their values that stand in a line: `WLAN: Guest, Password: secret`.
fn fields_in(line: &str) -> Vec<&str> {
    let (mut found, mut start) = (Vec::new(), 0);
    for (colon, sign) in
        line.match_indices(COLONS).take(MOST_IN_LINE).skip(1).filter(|_| line.len() <= LONGEST_LINE)
    {
        let is_label = line[colon + sign.len()..].starts_with(char::is_whitespace);
        if let Some((end, next)) = next_name(&line[start..colon], is_label) {
            found.push(&line[start..start + end]);
            start += next;
        }
    }
    found.push(&line[start..]);
    found
}

/// The end of a value, and the place of the name of another field that ends the text. Before a name of several words that may be those of
/// the value stands a comma, a dash or the like. `is_label`: a space is behind the colon, as behind all names of fields.
fn next_name(text: &str, is_label: bool) -> Option<(usize, usize)> {
    let is_mark = |character: char| ",;/|".contains(character);
    let (name, value) = text.split_once(COLONS).filter(|(name, _)| name.len() <= LONGEST_IN_LINE)?;
    let field = field_of(name);
    let from = text.len() - value.len();
    let between = value.rmatch_indices(|character: char| character.is_whitespace() || is_mark(character));
    let mut found = None;
    for (place, sign) in between.take(MOST_WORDS) {
        let (before, next) = (value[..place].trim_end(), value[place + sign.len()..].trim_start());
        let without_dash =
            before.strip_suffix(['-', '–', '—']).filter(|rest| rest.ends_with(char::is_whitespace));
        let is_spaced = !sign.contains(is_mark) && (before.ends_with(is_mark) || without_dash.is_some());
        let ends = is_spaced || sign.contains(is_mark);
        let is_sure = || ["ssid", "password"].iter().any(|thing| is_name_of(thing, &simplified(next)));
        let is_other = || field_of(next).map_or(is_spaced && is_label, |next| Some(next) != field);
        let kept = without_dash
            .unwrap_or(before)
            .trim_end_matches(|sign: char| is_mark(sign) || sign.is_whitespace());
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

/// The table of such lines with its names in the first row, and tabs between its cells.
pub(super) fn table_of(text: &str) -> Option<String> {
    let quoted = |cell: Option<&str>| format!("\"{}\"", cell.unwrap_or_default().replace('"', "\"\""));
    let line = |row: Vec<Option<&str>>| row.into_iter().map(quoted).collect::<Vec<_>>().join("\t") + "\n";
    Some(rows_of(text)?.1.into_iter().map(line).collect())
}

/// The lines, those that say a name and a password as codes of their networks: `WLAN: Guest, Password: abc12345`.
pub fn with_networks(text: &str) -> String {
    let (mut changed, mut looked_at) = (String::with_capacity(text.len()), 0);
    for line in text.split_inclusive('\n') {
        looked_at += u32::from(may_be_network(line));
        match if looked_at <= MOST_NETWORKS { network_of(line) } else { None } {
            Some(code) => changed.push_str(&line.replace(line.trim(), &code)),
            None => changed.push_str(line),
        }
    }
    changed
}

/// The lines that are a network each, counted from 1.
pub fn lines_of_networks(text: &str) -> impl Iterator<Item = u32> {
    (1..).zip(text.split('\n')).filter(|(_, line)| network_of(line).is_some()).map(|(place, _)| place)
}

/// The code of the network that a line says.
fn network_of(line: &str) -> Option<String> {
    let line = line.trim();
    let parts = if may_be_network(line) { fields_in(line) } else { return None };
    let rows = networks_in(line, &parts)?;
    let [names, values] = &rows[..] else { return None };
    let value_of = |name: &str| {
        let column = names.iter().position(|known| known.and_then(field_of) == Some(name));
        column.and_then(|column| values.get(column).copied().flatten()).unwrap_or_default()
    };
    let fields: Vec<&str> = Kind::Wifi.fields().iter().map(|field| value_of(field.name)).collect();
    let [ssid, password] = ["ssid", "password"].map(value_of);
    // Prose has such names, too.
    let is_secret = PASSPHRASE.contains(&password.len())
        && !password.contains(|sign: char| "\"“”„«»".contains(sign))
        && !password.ends_with('.')
        && !is_sentence(password)
        && !password.chars().all(char::is_alphabetic);
    // Another field may stand in it, or another network.
    let is_network =
        !ssid.is_empty() && !ssid.contains([':', '/']) && !is_one_of(&simplified(ssid), NO_NAMES);
    // Words before a name are those of a place, which the code would not have.
    let is_other = |name: &&str| {
        field_of(name).is_none()
            || is_one_of(&simplified(name), OTHER_KEYS)
            || name.split_whitespace().nth(MOST_WORDS_OF_NAME).is_some()
    };
    let has_others = names.iter().flatten().any(is_other) || parts.len() > names.len();
    if has_others || !is_secret || !is_network { None } else { Kind::Wifi.compose(&fields).ok() }
}

/// True for a line that may say the name and the password of a network.
fn may_be_network(line: &str) -> bool {
    let line = line.trim();
    line.len() <= LONGEST_LINE
        && line.matches(COLONS).nth(1).is_some()
        && (is_wireless(line) || line.to_lowercase().contains("ssid"))
}

/// True for words such as `siehe Aushang 12`, and for words without a digit. A password may have spaces, too.
fn is_sentence(password: &str) -> bool {
    const NO_PASSWORD: [&str; 14] = [
        "an", "ask", "at", "auf", "bitte", "demander", "frag", "on", "see", "siehe", "vedi", "ver", "voir",
        "zie",
    ];

    let first = password.split_whitespace().next().unwrap_or_default().to_lowercase();
    password.contains(char::is_whitespace)
        && (NO_PASSWORD.contains(&&*first) || !password.contains(|sign: char| sign.is_ascii_digit()))
}

/// The kind of codes whose fields the lines name: networks such as `SSID: Guest` and `Password: secret`, or contacts. True where the table
/// of them leaves out other lines, which are no captions.
pub fn kind_of_fields(text: &str) -> Option<(Kind, bool)> {
    let (kind, rows) = rows_of(text)?;
    let others = text.lines().filter(|line| !line.trim().is_empty() && !line.contains(COLONS)).count();
    let titles = if rows[0].last() == Some(&Some(CAPTION)) { rows.len() - 1 } else { 0 };
    Some((kind, others > titles))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_with_the_fields_of_networks() {
        for text in [
            "SSID: Gast\nPassword: geheim123",
            "SSID:Gast\r\n\r\nPasswort:geheim123\r\n",
            "WLAN: Gast\nPasswort: geheim123",
            "Netzwerk: Gast\nKennwort: geheim123",
            "SSID：Gast\nPasswort：geheim123",
            "Réseau : Invités\nMot de passe : secret123",
            "Network name: Guest\nPassword: a:b\nEncryption: WPA",
            "Rete: Ospiti\nPassword: segreto1\nRete: Ufficio\nPassword: segreto2",
            "Gäste-WLAN:\nSSID: Gast\nPasswort: geheim123",
            "WiFi: Gast\nPassword: geheim123",
            "WiFi: Gast\nPassword: geheim123\nTel: 0711 123456",
            "SSID: Gast\nPW: abc12345",
            "Hallo, hier das WLAN:\nName: Gast\nPW: abc12345\nLG Anna",
            "Wi-Fi\nNom : Invités\nMot de passe : secret123",
            "Wi-Fi\nName: Gast\nPassword: geheim123\nSecurity: WPA2\nName: Team\nPassword: geheim456",
            "WLAN: Gast, Passwort: abc12345",
            "WLAN: Gast; Passwort: abc12345\nWLAN: Team; Passwort: abc12346",
            "WLAN: Gast / Passwort: abc12345",
            "Das WLAN\nName: Gast - Passwort: abc12345",
            "Hallo zusammen,\nunten das WLAN: Gast Passwort: abc12345\nViele Grüße",
            "Zimmer 5: WLAN: Gast | PW: abc12345",
            "Bonjour,\nVoici le Wi-Fi de la salle :\nRéseau : Invités\nMot de passe : secret123\nMerci\nLéa",
        ] {
            assert!(matches!(kind_of_fields(text), Some((Kind::Wifi, _))), "{text}");
        }
        for text in [
            "",
            "SSID: Gast",
            "Password: geheim123",
            "SSID: Gast\nWillkommen",
            "Hall - wifi: Hall-Guest password: lantern77\nBlack Box, network Box, pw abcd!123\nKitchen, network Eir, no password",
            "SSID: Gast\nPassword: geheim123\na\nb\nc\nd\ne\nf\ng",
            "SSID: Gast\nPassword: geheim123\nhttps://example.org",
            "SSID: Gast\nPassword: geheim123\ntel:+49711123456",
            "WLAN: Gast\nFrühstück: 7 bis 10 Uhr",
            "Room 1: Manual\nRoom 2: Manual",
            "Anna: 0711 123456\nBen: 0711 123457",
            "Tel: 0711 123456\nFax: 0711 123457",
            "Email: a@example.org\nWeb: https://example.org",
            "Monday: closed\nTuesday: 9:00 to 18:00",
            "tel:+49711123456\nmailto:a@example.org\nsms:+49711123456\ngeo:48.1,11.5",
            "https://example.org/a\nhttps://example.org/b",
            "WIFI:S:Saal;T:WPA;P:geheim123;;\nWIFI:S:Dach;T:WPA;P:geheim123;;",
            "Note: open the door\nTitle: Welcome",
            "Serial: 17\nModel: X",
            "Price: 5\nDate: 3 May",
            "Name: Anna\nTel: 0711 123456\nTel: 0711 123457\nName: Ben",
            "Name: Anna\nTel: 0711 123456\nName: Ben",
            "Name: Anna\nTel: 0711 123456\nSekretariat",
            "Name: Anna\nTel: 0711 123456\n\nFirma: Roth\nE-Mail: b@example.org",
            "Name: Bohrer\nTelefon: nein\nPreis: 5",
            "Name: Sommerfest\nOrt: Halle\nTel: 0711 123456",
            "Name: Rex\nChip: 276098100000000\nTelefon: 0711 123456",
            "Betreff: Angebot\nName: Anna\nTel: 0711 123456\nE-Mail: a@example.org",
            // The fields of other kinds stand in calendars, mails and lists of goods, too.
            "BEGIN:VCARD\nFN:Anna\nTEL;TYPE=CELL:0711 123456\nEMAIL:a@example.org\nORG:X\nTITLE:Chef\nEND:VCARD",
            "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:X\nDTSTART:20270601\nEND:VEVENT\nEND:VCALENDAR",
            "Von: Anna\nDatum: 1.6.2027\nBetreff: Rechnung",
            "Betreff: Rechnung 17\nDatum: 1.6.2027\nBetrag: 5",
            "Länge: 80 mm\nBreite: 60 mm",
            "Name: Anna\nUser: anna\nPassword: geheim123",
            "Name: Anna, User: anna, Password: geheim123",
            "Benutzername: anna\nPasswort: geheim123",
            "User: anna\nPassword: geheim123",
            "Login: anna, Passwort: geheim123",
            "Name: Anna Huber\nPasswort: Sommer2027",
            "Name: ahuber\nPW: xY3kk91q\nName: bmaier\nPW: zz81kk22",
            "Name: Anna Huber, Passwort: Sommer2027",
            "WLAN: im ganzen Haus, Passwort: an der Rezeption",
            "WLAN: Gast, Passwort: siehe Aushang",
            "WLAN: ja, Code: frag uns",
            "Unterkunft: WLAN: vorhanden, Schlüssel: im Safe",
            "Netz: 230 V, Schlüssel: A12",
            "Network: LAN 1, Key: F7",
            "WLAN: inklusive, Passwort: Rezeption",
            "Network: VPN1, User: bos, Password: abc12345",
            "Name: PC1, Passwort: abc12345, Typ: Laptop",
            "Name: anna@example.org\nPasswort: geheim123",
            "Name: Anna\nPasswort: geheim123\nURL: example.org",
            "Name: Tor 1\nSchlüssel: A17-B18-C19",
            "Name: Tor 1\nPasswort: beim Hausmeister",
            "Name: Anna, Ort: Ulm",
            "Vorname: Anna, Passwort: geheim123",
            "wifi:S:a\nPassword:geheim123",
            // A value may be that of the network before it, or behind it.
            "SSID: a\nPassword: secret-1\nPassword: secret-2\nSSID: b",
            "SSID: a\nPassword:\nPassword: secret-2\nSSID: b",
            "Room: 1\nSSID: a\nPassword: secret-1\nSSID: b\nPassword: secret-2",
            "SSID:\nPassword: secret-1\nSSID: b\nPassword: secret-2",
            &format!("SSID: a\nPassword: secret-1\n{}: x", "b".repeat(LONGEST + 1)),
        ] {
            assert_eq!(kind_of_fields(text), None, "{text}");
        }
    }

    #[test]
    fn lines_with_the_fields_of_contacts() {
        for text in [
            "Name: Anna Meier\nTelefon: 0711 123456\nE-Mail: a@example.org",
            "Name: Anna\nTel: 0711 123456\n\nName: Ben\nEmail: b@example.org\n",
            "Name: Anna\nTel: 0711 123456\nName: Ben\nTel: 0711 123457",
            "Vorname: Anna\nNachname: Meier\nE-Mail: a@example.org\nTelefon: 0711 123456",
        ] {
            assert_eq!(kind_of_fields(text), Some((Kind::Contact, false)), "{text}");
        }
    }

    #[test]
    fn several_fields_in_a_line() {
        for (line, found) in [
            ("WLAN: Gast, Passwort: a,b", vec!["WLAN: Gast", "Passwort: a,b"]),
            ("WLAN: Gast - Haus - WLAN Passwort: a-b", vec!["WLAN: Gast - Haus", "WLAN Passwort: a-b"]),
            ("WLAN: Gast Haus Mot de passe: a", vec!["WLAN: Gast Haus", "Mot de passe: a"]),
            ("SSID: WLAN - Passwort: a", vec!["SSID: WLAN", "Passwort: a"]),
            ("SSID: Gast WLAN - Passwort: a", vec!["SSID: Gast WLAN", "Passwort: a"]),
            ("Passwort: a / SSID: Gast / Typ: WPA", vec!["Passwort: a", "SSID: Gast", "Typ: WPA"]),
            ("Halle: WLAN: Gast, PW: a", vec!["Halle:", "WLAN: Gast", "PW: a"]),
            ("Netz: Gast / 2. Stock, Gästepasswort: a", vec!["Netz: Gast / 2. Stock", "Gästepasswort: a"]),
            ("WLAN: Gast, Raum: 5, Passwort: a", vec!["WLAN: Gast", "Raum: 5", "Passwort: a"]),
            // A password has marks.
            ("Passwort: a,key:b", vec!["Passwort: a,key:b"]),
            ("Password: my key: a", vec!["Password: my key: a"]),
            ("Passwort: a Typ: b", vec!["Passwort: a Typ: b"]),
            ("SSID: Gast Haus-Nr: 5", vec!["SSID: Gast Haus-Nr: 5"]),
        ] {
            assert_eq!(fields_in(line), found, "{line}");
        }
        assert_eq!(
            table_of("WLAN-Name: Gast; PW: abc12345").unwrap(),
            "\"WLAN-Name\"\t\"PW\"\n\"Gast\"\t\"abc12345\"\n"
        );
        // Values are whole where each name has a line of its own.
        assert_eq!(
            table_of("Network: Floor 2, Room: 5\nPassword: secret 12").unwrap(),
            "\"Network\"\t\"Password\"\n\"Floor 2, Room: 5\"\t\"secret 12\"\n"
        );
    }

    #[test]
    fn names_of_one_field() {
        assert_eq!(
            table_of("Network: a\nPassword: secret-1\n\nSSID: b\nPasswort: secret-2").unwrap(),
            "\"Network\"\t\"Password\"\n\"a\"\t\"secret-1\"\n\"b\"\t\"secret-2\"\n"
        );
    }

    #[test]
    fn titles_of_rows() {
        for text in [
            "Lounge\nSSID: a\nPassword: secret-1\n\nOffice:\nSSID: b\nPassword: secret-2",
            "Lounge\nSSID: a\nPassword: secret-1\nOffice:\nSSID: b\nPassword: secret-2\nKind regards",
        ] {
            assert_eq!(
                table_of(text).unwrap(),
                "\"SSID\"\t\"Password\"\t\"caption\"\n\"a\"\t\"secret-1\"\t\"Lounge\"\n\"b\"\t\"secret-2\"\t\"Office\"\n"
            );
        }
        for text in [
            "Hello,\nSSID: a\nPassword: secret-1",
            "Hello,\nSSID: a\nPassword: secret-1\nSSID: b\nPassword: secret-2",
            "Guests\nSSID: a\nPassword: secret-1\n5 GHz only\nSSID: b\nPassword: secret-2",
            "Hello\nSSID: a\nPassword: secret-1\n(in small letters)\nSSID: b\nPassword: secret-2",
        ] {
            assert!(!table_of(text).unwrap().contains("caption"), "{text}");
        }
    }

    #[test]
    fn networks_in_lines() {
        for (line, code) in [
            ("WLAN: Gast, Passwort: abc12345", "WIFI:T:WPA;S:Gast;P:abc12345;;"),
            ("WiFi: TSV-Gast, password: moin moin 28217", "WIFI:T:WPA;S:TSV-Gast;P:moin moin 28217;;"),
            ("  WiFi: Guest; password: a;b12345\n", "  WIFI:T:WPA;S:Guest;P:a\\;b12345;;\n"),
        ] {
            assert_eq!(with_networks(line), code);
        }
        for line in [
            "WLAN: Gast, Passwort: siehe Aushang 12",
            "WLAN: inklusive, Passwort: Rezeption",
            "WLAN: Gast",
            "Name: Anna, Passwort: abc12345",
            "WLAN: Gast, Raum: 5, Passwort: abc12345",
            "Flat 3 WiFi: BT-EF56 password: qwe45rty",
            "Klasse 3b: WLAN: Schule, Passwort: Lernen2027!",
            "WLAN: Schule, Passwort: \"Lernen2027!\"",
            "Router Netzwerk: LAN1 Passwort: admin1234",
            "SSID: Gast Verschlüsselung: WPA2 Passwort: abc12345",
            "SSID: Gast Room: 5 Passwort: abc12345",
            "Free WiFi: yes, password: guest2027",
            "WLAN: Gast-2G / Gast-5G, Passwort: abc12345",
            "WLAN: Störung, Code: E1234567",
            "WLAN: Gast, Passwort: abc12345.",
            "Login: anna, Passwort: abc12345",
            "WIFI:S:Saal;T:WPA;P:geheim123;;",
            "Gate 7",
        ] {
            assert_eq!(with_networks(line), line);
            assert_eq!(lines_of_networks(line).next(), None);
        }
    }

    #[test]
    fn rows_of_lines() {
        let text = "SSID: a\nPassword: p\"1\nSSID: b\nSSID: c\nRoom: 7\nPassword:\nSSID:\nPassword: p2\n";
        assert_eq!(
            table_of(text).unwrap(),
            "\"SSID\"\t\"Password\"\t\"Room\"\n\"a\"\t\"p\"\"1\"\n\"b\"\n\"c\"\t\"\"\t\"7\"\n\"\"\t\"p2\"\n"
        );
    }
}
