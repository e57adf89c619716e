//! Lines that are a name and a value each, such as `SSID: Guest`: a table of networks or contacts on its side.

use qrpress_kinds::Kind;

use super::line_fields::{COLONS, Field, field_of, fields_in, is_wireless};
use super::secret::{LOGINS, OTHER_KEYS, PASSPHRASE, is_pair, is_secret, is_sure_name};
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
    let fields: Vec<Field<'t>> = lines.iter().copied().map(Field::of).collect();
    // The name and the password of one network would be the name of another.
    let is_whole = |line: &str| {
        let fields = fields_in(line);
        is_network(&fields)
            || fields.iter().any(|field| field.thing() == Some("ssid") && is_pair(field.text()))
    };
    rows_in(text, &fields, Kind::Wifi)
        .filter(|_| !lines.iter().any(|line| is_whole(line)))
        .or_else(|| networks_in_lines(text, lines))
}

/// True for the fields of a line that says how to join a network, and which.
fn is_network(fields: &[Field<'_>]) -> bool {
    is_joined(fields) && names_network(fields)
}

fn is_joined(fields: &[Field<'_>]) -> bool {
    fields.iter().any(|field| field.thing() == Some("password") || field.is_open())
}

fn names_network(fields: &[Field<'_>]) -> bool {
    fields.iter().any(|field| field.thing() == Some("ssid") || is_plain(field))
}

/// The rows of lines that are a network each, with the words beside their names as captions.
fn networks_in_lines<'t>(text: &'t str, lines: &[&'t str]) -> Option<Rows<'t>> {
    // Of a list that has none in its first lines, the others are not looked at.
    let mut first = lines.iter().filter(|line| line.contains(COLONS)).take(MOST_OTHERS + 1);
    first.any(|line| is_network(&fields_in(line))).then_some(())?;
    let of_lines: Vec<Vec<Field<'t>>> = lines.iter().copied().map(fields_in).collect();
    // The password in a line is never that of a network in another.
    if of_lines.iter().any(|fields| is_joined(fields) != names_network(fields)) {
        return None;
    }
    // Other lines would be lost.
    let is_other = |fields: &Vec<Field<'t>>| {
        fields.iter().any(|field| !field.text().is_empty())
            && !fields.iter().any(|field| field.thing().is_some() || is_plain(field))
    };
    let fields = of_lines.concat();
    if of_lines.iter().any(is_other) || (fields.iter().any(Field::is_open) && !is_wireless(text)) {
        return None;
    }
    let mut rows = rows_in(text, &fields, Kind::Wifi)?;
    // Prose has such names, too: `WLAN: included, Password: reception`.
    let names: Vec<&str> = rows.first()?.iter().copied().flatten().collect();
    let column = |thing: &str| names.iter().position(|name| field_of(name) == Some(thing));
    let [ssid, password, encryption] = ["ssid", "password", "encryption"].map(column);
    let value = |row: &Vec<Option<&'t str>>, column: Option<usize>| row.get(column?).copied().flatten();
    let joins = |row: &Vec<Option<&'t str>>| {
        let password = value(row, password);
        let is_name = is_sure_name(value(row, ssid).unwrap_or_default(), password.is_none());
        is_name && password.map_or_else(|| value(row, encryption) == Field::OPEN.value, is_secret)
    };
    let are_logins = names.iter().any(|name| is_one_of(&simplified(name), LOGINS));
    if are_logins || !rows[1..].iter().all(joins) {
        return None;
    }
    let are_captions = |name: &&str| role_of(name) == Some(Role::Caption);
    let networks = fields.iter().filter(|field| field.thing() == Some("ssid") && !field.text().is_empty());
    let words: Vec<&str> = networks.filter_map(|field| words_beside(field.name)).collect();
    if words.len() == rows.len() - 1 && !names.iter().any(are_captions) {
        rows[0][ssid?] = Some("SSID");
        add_captions(&mut rows, words);
    }
    Some(rows)
}

/// The words beside the word for a network in its name: `Reception` in `WiFi Reception`.
fn words_beside(name: &str) -> Option<&str> {
    let is_network = |word: &str| is_name_of("ssid", &simplified(word));
    let [first, last] = [name.split_once(' ')?, name.rsplit_once(' ')?];
    match name {
        _ if is_network(name) => None,
        _ if is_network(first.0) => Some(first.1.trim_start()),
        _ => Some(last.0.trim_end_matches([' ', '-', '–', '—', ':'])).filter(|_| is_network(last.1)),
    }
}

/// True for a name with that of another field, or a value, within it: `Room 101 - wifi Guest, password`.
fn has_others(name: &str) -> bool {
    let is_of = |thing: &'static str| move |word: &&str| is_name_of(thing, &simplified(word));
    let words: Vec<&str> = name.split_whitespace().collect();
    let mut behind = words.iter().copied().skip_while(|word| !is_of("ssid")(word)).skip_while(is_of("ssid"));
    name.contains(',')
        || (behind.next().is_some_and(|word| !is_of("password")(&word))
            && behind.any(|word| is_of("password")(&word)))
}

/// Adds the column of captions to rows with their names.
fn add_captions<'t>(rows: &mut Rows<'t>, captions: Vec<&'t str>) {
    let columns = rows[0].len();
    for (row, caption) in rows.iter_mut().zip([CAPTION].into_iter().chain(captions)) {
        row.resize(columns, None);
        row.push(Some(caption));
    }
}

/// The rows of lines that are contacts and nothing else: each has a telephone number or a mail address. Between them stand blank lines, if
/// there are any.
fn contacts_in<'t>(text: &'t str, lines: &[&'t str]) -> Option<Rows<'t>> {
    const FEWEST_DIGITS: usize = 6;

    if !lines.iter().all(|line| line.contains(COLONS)) {
        return None;
    }
    let fields: Vec<Field<'t>> = lines.iter().copied().map(Field::of).collect();
    let rows = rows_in(text, &fields, Kind::Contact)?;
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
fn rows_in<'t>(text: &'t str, lines: &[Field<'t>], kind: Kind) -> Option<Rows<'t>> {
    let others = lines.iter().filter(|line| line.value.is_none());
    // Networks that are written otherwise would be lost.
    let names_password = |line: &&Field<'t>| {
        line.name
            .split(|sign: char| !sign.is_alphanumeric())
            .any(|word| is_name_of("password", &simplified(word)))
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
    for Field { name, value } in lines {
        let Some(behind) = value else { continue };
        let value = behind.trim_start();
        let is_new = kind == Kind::Wifi && !value.is_empty() && !names.contains(name);
        if is_new && name.len() <= LONGEST && has_others(name) {
            return None;
        }
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
        let (name, Some(value)) = (line.name, line.value.map(str::trim_start)) else {
            above = Some(line.name);
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
        && is_wireless(text)
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
        rows.insert(0, names.into_iter().map(Some).collect());
        add_captions(&mut rows, titles);
    } else {
        rows.insert(0, names.into_iter().map(Some).collect());
    }
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

/// True for a field whose name is no more than `Name`.
fn is_plain(field: &Field<'_>) -> bool {
    field.value.is_some() && is_plain_name(field.name)
}

/// The table of such lines with its names in the first row, and tabs between its cells.
pub(super) fn table_of(text: &str) -> Option<String> {
    let quoted = |cell: Option<&str>| format!("\"{}\"", cell.unwrap_or_default().replace('"', "\"\""));
    let line = |row: Vec<Option<&str>>| row.into_iter().map(quoted).collect::<Vec<_>>().join("\t") + "\n";
    Some(rows_of(text)?.1.into_iter().map(line).collect())
}

/// The kind of codes whose fields the lines name: networks such as `SSID: Guest` and `Password: secret`, or contacts. True where the table
/// of them leaves out other lines, which are no captions.
pub fn kind_of_fields(text: &str) -> Option<(Kind, bool)> {
    let (kind, rows) = rows_of(text)?;
    let captions: Vec<&str> = if rows[0].last() == Some(&Some(CAPTION)) {
        rows[1..].iter().filter_map(|row| row.last().copied().flatten()).collect()
    } else {
        Vec::new()
    };
    let mut others = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.contains(COLONS));
    Some((kind, others.any(|line| !captions.contains(&line))))
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
            "WiFi Bar: Guest / password: a;b\"c123\nWiFi Hall: Museum (no password)",
            "SSID: Gast\nGuest WLAN Passwort: geheim123",
            "Bonjour,\nVoici le Wi-Fi de la salle :\nRéseau : Invités\nMot de passe : secret123\nMerci\nLéa",
        ] {
            assert!(matches!(kind_of_fields(text), Some((Kind::Wifi, _))), "{text}");
        }
    }

    #[test]
    fn lines_with_fields_of_nothing_that_is_sure() {
        for text in [
            "",
            "SSID: Gast",
            "Password: geheim123",
            "SSID: Gast\nWillkommen",
            "WLAN: Gast, Passwort: abc12345\nFrühstück: 7 bis 10 Uhr",
            "WLAN: Gast, Passwort: abc12345\nWLAN: Bar, Passwort: abc12345 bitte nicht teilen",
            "WLAN: Gast, Passwort: liegt in Raum 12",
            "WLAN: im ganzen Haus (offen)\nWLAN: Gast, Passwort: abc12345",
            "Room 3 wifi Bay Guest, password: abc12345\nPub wifi: TheSnug / pw: craic2025",
            "Room 3 wifi Bay password: abc12345\nPub wifi: TheSnug",
            "Pub wifi: TheSnug / pw: craic2025\nPassword: abc12345",
            "WiFi Pub: TheSnug / craic2025\nPassword: abc12345",
            "Netz: Halle (offen)\nNetz: Dach (offen)",
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
    fn networks_of_one_line_each() {
        assert_eq!(
            table_of("WLAN-Name: Gast; PW: abc12345").unwrap(),
            "\"WLAN-Name\"\t\"PW\"\n\"Gast\"\t\"abc12345\"\n"
        );
        // Values are whole where each name has a line of its own.
        assert_eq!(
            table_of("Network: Floor 2, Room: 5\nPassword: secret 12").unwrap(),
            "\"Network\"\t\"Password\"\n\"Floor 2, Room: 5\"\t\"secret 12\"\n"
        );
        assert_eq!(
            table_of("WiFi Bar: Guest / password: a;b\"c123\nWiFi Old Hall: Museum (no password)").unwrap(),
            "\"SSID\"\t\"password\"\t\"encryption\"\t\"caption\"\n\
             \"Guest\"\t\"a;b\"\"c123\"\t\"\"\t\"Bar\"\n\
             \"Museum\"\t\"\"\t\"none\"\t\"Old Hall\"\n"
        );
        let text = "Room 101 - wifi BA-101, password: fuchsia;4471\nRoom 102 - wifi BA-102, password: heather8812\n\
                    Pub wifi: TheSnug / pw: craic2025\nZimmer 3: WLAN Gast-3, Passwort: abcd1234";
        assert_eq!(
            table_of(text).unwrap(),
            "\"SSID\"\t\"password\"\t\"caption\"\n\
             \"BA-101\"\t\"fuchsia;4471\"\t\"Room 101\"\n\
             \"BA-102\"\t\"heather8812\"\t\"Room 102\"\n\
             \"TheSnug\"\t\"craic2025\"\t\"Pub\"\n\
             \"Gast-3\"\t\"abcd1234\"\t\"Zimmer 3\"\n"
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
    fn rows_of_lines() {
        let text = "SSID: a\nPassword: p\"1\nSSID: b\nSSID: c\nRoom: 7\nPassword:\nSSID:\nPassword: p2\n";
        assert_eq!(
            table_of(text).unwrap(),
            "\"SSID\"\t\"Password\"\t\"Room\"\n\"a\"\t\"p\"\"1\"\n\"b\"\n\"c\"\t\"\"\t\"7\"\n\"\"\t\"p2\"\n"
        );
    }
}
