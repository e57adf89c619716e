//! Lines that are a name and a value each, such as `SSID: Guest`: a table of networks on its side.

use qrpress_kinds::Kind;

use crate::names::{LONGEST, looks_like_data};
use crate::proposal::proposal;

/// Names behind each other, at most.
const MOST_NAMES: usize = 30;
/// Lines of the message around the networks, such as a greeting, at most.
const MOST_OTHERS: usize = 6;

/// The names of the lines, and the values of each row, as far as the last one that it has. Rows begin with the first name that has a value,
/// and have each name once: a value is never that of the row beside it. Names that never have a value are headings. Links and other codes
/// are no names and values. A message may stand around the lines. Only networks are written so: lines with the names of other kinds are
/// cards, calendars and mails, too.
fn rows_of(text: &str) -> Option<Vec<Vec<Option<&str>>>> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let (pairs, others): (Vec<_>, Vec<_>) =
        lines.map(|line| line.split_once([':', '：'])).partition(Option::is_some);
    let pairs = pairs.into_iter().flatten().map(|(name, value)| (name.trim_end(), value.trim_start()));
    if others.len() > MOST_OTHERS {
        return None;
    }
    let mut names = Vec::new();
    for (name, value) in pairs.clone() {
        if !value.is_empty() && !names.contains(&name) {
            names.push(name);
        }
        let is_code = value.starts_with("//") || looks_like_data(&format!("{name}:"));
        if names.len() > MOST_NAMES || name.len() > LONGEST || is_code {
            return None;
        }
    }
    proposal(&names, true).filter(|found| found.kind == Kind::Wifi && found.fields.len() > 1)?;
    let mut rows: Vec<Vec<Option<&str>>> = Vec::new();
    for (name, value) in pairs {
        let Some(column) = names.iter().position(|known| *known == name) else { continue };
        if column == 0 {
            rows.push(Vec::new());
        }
        let row = rows.last_mut()?;
        row.resize(row.len().max(column + 1), None);
        if row[column].replace(value).is_some() {
            return None;
        }
    }
    rows.insert(0, names.into_iter().map(Some).collect());
    Some(rows)
}

/// The table of such lines with its names in the first row, and tabs between its cells.
pub(super) fn table_of(text: &str) -> Option<String> {
    let quoted = |cell: Option<&str>| format!("\"{}\"", cell.unwrap_or_default().replace('"', "\"\""));
    let line = |row: Vec<Option<&str>>| row.into_iter().map(quoted).collect::<Vec<_>>().join("\t") + "\n";
    Some(rows_of(text)?.into_iter().map(line).collect())
}

/// True for lines that name the fields of networks, such as `SSID: Guest` and `Password: secret`.
pub fn are_fields_of_networks(text: &str) -> bool {
    rows_of(text).is_some()
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
            "Bonjour,\nVoici le Wi-Fi de la salle :\nRéseau : Invités\nMot de passe : secret123\nMerci\nLéa",
        ] {
            assert!(are_fields_of_networks(text), "{text}");
        }
        for text in [
            "",
            "SSID: Gast",
            "Password: geheim123",
            "SSID: Gast\nWillkommen",
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
            // The fields of other kinds stand in cards, calendars, mails and lists of goods, too.
            "Name: Anna Meier\nTelefon: 0711 123456\nE-Mail: a@example.org",
            "Name: Anna\nTel: 0711 123456\nTel: 0711 123457\nName: Ben",
            "BEGIN:VCARD\nFN:Anna\nTEL;TYPE=CELL:0711 123456\nEMAIL:a@example.org\nORG:X\nTITLE:Chef\nEND:VCARD",
            "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:X\nDTSTART:20270601\nEND:VEVENT\nEND:VCALENDAR",
            "Von: Anna\nDatum: 1.6.2027\nBetreff: Rechnung",
            "Betreff: Rechnung 17\nDatum: 1.6.2027\nBetrag: 5",
            "Länge: 80 mm\nBreite: 60 mm",
            "Name: Anna\nUser: anna\nPassword: geheim123",
            // A value may be that of the network before it, or behind it.
            "SSID: a\nPassword: secret-1\nPassword: secret-2\nSSID: b",
            "SSID: a\nPassword:\nPassword: secret-2\nSSID: b",
            "Room: 1\nSSID: a\nPassword: secret-1\nSSID: b\nPassword: secret-2",
            "SSID:\nPassword: secret-1\nSSID: b\nPassword: secret-2",
            &format!("SSID: a\nPassword: secret-1\n{}: x", "b".repeat(LONGEST + 1)),
        ] {
            assert!(!are_fields_of_networks(text), "{text}");
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
