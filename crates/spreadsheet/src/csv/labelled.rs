//! Lines that are a name and a value each, such as `SSID: Guest`: a table on its side.

use std::fmt::Write as _;

use qrpress_kinds::Kind;

use crate::bounds::ROW_BYTES;
use crate::proposal::proposal;

/// Names behind each other, at most.
const MOST_NAMES: usize = 30;

/// A table whose rows were written as lines of names and values.
pub(super) struct Labelled<'t> {
    kind: Kind,
    names: Vec<&'t str>,
    /// A cell for each name, or fewer.
    rows: Vec<Vec<Option<&'t str>>>,
}

impl<'t> Labelled<'t> {
    /// Reads lines whose names are those of two fields of a kind, or more. A name that the row has already begins another one. Names without
    /// a value are headings, or empty cells. Links are no names and values.
    pub fn read(text: &'t str) -> Option<Self> {
        let (mut names, mut rows) = (Vec::new(), Vec::<Vec<Option<&str>>>::new());
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (name, value) = line.split_once([':', '：'])?;
            let (name, value) = (name.trim_end(), value.trim_start());
            if value.starts_with("//") {
                return None;
            }
            if value.is_empty() {
                continue;
            }
            let column = names.iter().position(|known| *known == name).unwrap_or_else(|| {
                names.push(name);
                names.len() - 1
            });
            if names.len() > MOST_NAMES {
                return None;
            }
            let is_other = |row: &Vec<Option<&str>>| row.get(column).is_some_and(Option::is_some);
            if rows.last().is_none_or(is_other) {
                rows.push(Vec::new());
            }
            let row = rows.last_mut()?;
            row.resize(row.len().max(column + 1), None);
            row[column] = Some(value);
        }
        let proposal = proposal(&names, true).filter(|proposal| proposal.fields.len() > 1)?;
        Some(Self { kind: proposal.kind, names, rows })
    }

    /// The table with its names in the first row, and tabs between its cells.
    pub fn table(&self) -> String {
        let mut table = String::new();
        let names = self.names.iter().copied().map(Some).collect();
        for row in [&names].into_iter().chain(&self.rows) {
            for (column, cell) in row.iter().enumerate() {
                let tab = if column > 0 { "\t" } else { "" };
                let _ = write!(table, "{tab}\"{}\"", cell.unwrap_or_default().replace('"', "\"\""));
            }
            table.push('\n');
        }
        table
    }
}

/// The kind of codes whose fields the lines name, such as `SSID: Guest` and `Password: secret`. Longer texts are read as no such lines.
pub fn kind_of_labelled(text: &str) -> Option<Kind> {
    Some(text).filter(|text| text.len() <= ROW_BYTES).and_then(Labelled::read).map(|labelled| labelled.kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_with_the_names_of_fields() {
        for (text, kind) in [
            ("SSID: Gast\nPassword: geheim123", Kind::Wifi),
            ("SSID:Gast\r\n\r\nPasswort:geheim123\r\n", Kind::Wifi),
            ("WLAN: Gast\nPasswort: geheim123", Kind::Wifi),
            ("Netzwerk: Gast\nKennwort: geheim123", Kind::Wifi),
            ("Réseau : Invités\nMot de passe : secret123", Kind::Wifi),
            ("Network name: Guest\nPassword: a:b\nEncryption: WPA", Kind::Wifi),
            ("Rete: Ospiti\nPassword: segreto1\nRete: Ufficio\nPassword: segreto2", Kind::Wifi),
            ("Name: Anna Meier\nTelefon: 0711 123456\nE-Mail: a@example.org", Kind::Contact),
            ("Name：Anna\nTel：0711 123456", Kind::Contact),
            ("Gäste-WLAN:\nSSID: Gast\nPasswort: geheim123", Kind::Wifi),
        ] {
            assert_eq!(kind_of_labelled(text), Some(kind), "{text}");
        }
        for text in [
            "",
            "SSID: Gast",
            "Password: geheim123",
            "SSID: Gast\nWillkommen",
            "SSID: Gast\nPassword: geheim123\nWillkommen",
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
        ] {
            assert_eq!(kind_of_labelled(text), None, "{text}");
        }
    }

    #[test]
    fn rows_of_lines() {
        let text = "SSID: a\nPassword: p\"1\nSSID: b\nSSID: c\nRoom: 7\nPassword:\n";
        assert_eq!(
            Labelled::read(text).unwrap().table(),
            "\"SSID\"\t\"Password\"\t\"Room\"\n\"a\"\t\"p\"\"1\"\n\"b\"\n\"c\"\t\"\"\t\"7\"\n"
        );
    }
}
