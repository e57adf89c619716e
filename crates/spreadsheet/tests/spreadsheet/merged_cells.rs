//! Cells that are merged downwards, and notes in merged cells.

use std::fs;

use qrpress_spreadsheet::{Composition, CountryChoice, Kind, ReadRequest, Report, Role, read_spreadsheet};
use serde_json::Value;

use crate::workbook::{request, sentences, write_workbook};

/// Codes of a kind from rows of cells. An empty cell is none.
fn codes(kind: Kind, rows: &[&[&str]], areas: &[&str], leaves_placeholders: bool) -> (Report, Vec<String>) {
    read(kind, rows, areas, |request| request.leaves_placeholders = leaves_placeholders)
}

/// The same with the choices of a request.
fn read(
    kind: Kind,
    rows: &[&[&str]],
    areas: &[&str],
    choose: impl FnOnce(&mut ReadRequest<'_>),
) -> (Report, Vec<String>) {
    let folder = qrpress_testkit::TempDir::new();
    let [file, body] = ["file", "body"].map(|name| folder.path().join(name));
    let cell = |(row, column, text): (usize, u8, &str)| {
        let letter = char::from(b'A' + column);
        format!("<c r=\"{letter}{row}\" t=\"inlineStr\"><is><t>{text}</t></is></c>")
    };
    let row = |(row, cells): (usize, &&[&str])| {
        let filled = (0..).zip(*cells).filter(|(_, text)| !text.is_empty());
        let cells: String = filled.map(|(column, text)| cell((row, column, text))).collect();
        format!("<row r=\"{row}\">{cells}</row>")
    };
    let rows: String = (1..).zip(rows).map(row).collect();
    let areas: Vec<String> = areas.iter().map(|area| format!("<mergeCell ref=\"{area}\"/>")).collect();
    let areas = areas.concat();
    let sheet =
        format!("<worksheet><sheetData>{rows}</sheetData><mergeCells>{areas}</mergeCells></worksheet>");
    write_workbook(&file, &[("sheet.xml", &sheet)]);
    fs::write(&body, "").unwrap();
    let composed = [(Role::Data, Composition::Kind { kind, fields: Vec::new(), are_open: false })];
    let mut request = ReadRequest { composed: &composed, ..request(&file, &body) };
    choose(&mut request);
    let report = read_spreadsheet(&request).unwrap();
    let lines = fs::read_to_string(&body).unwrap();
    let items = lines.lines().skip(1).filter(|line| !line.is_empty());
    let data = |line: &str| serde_json::from_str::<Value>(line).unwrap()["data"].as_str().unwrap().to_owned();
    (report, items.map(data).collect())
}

#[test]
fn what_a_merged_cell_shows_counts_for_all_its_rows() {
    let rows: &[&[&str]] = &[
        &["SSID", "Passwort", "Raum"],
        &["Gäste", "geheim-1", "101"],
        &["", "", "102"],
        &["", "geheim-2", "103"],
        &["Büro", "geheim-3", "104"],
    ];
    let (report, data) = codes(Kind::Wifi, rows, &["A2:A4", "B2:B3"], false);
    assert_eq!(sentences(&report), Vec::<String>::new());
    let network = |name, password| format!("WIFI:T:WPA;S:{name};P:{password};;");
    let expected =
        [("Gäste", "geheim-1"), ("Gäste", "geheim-1"), ("Gäste", "geheim-2"), ("Büro", "geheim-3")];
    assert_eq!(data, expected.map(|(name, password)| network(name, password)));
    let told = "2 merged cells count for all their rows; the first is “Gäste”, for rows 2 to 4.";
    assert!(report.notices.iter().any(|notice| notice == told), "{:?}", report.notices);
    let (report, _) = codes(Kind::Wifi, &rows[..4], &["B2:B3"], false);
    assert!(!sentences(&report).is_empty());
    let told = "The merged cell “geheim-1” counts for rows 2 to 3.";
    assert!(report.notices.iter().any(|notice| notice == told), "{:?}", report.notices);
}

#[test]
fn merged_countries_and_currencies_count_for_all_their_rows() {
    let calls: &[&[&str]] = &[
        &["Name", "Telefon", "Land"],
        &["Ada", "01 2345678", "Österreich"],
        &["Bo", "0664 1234567", ""],
        &["Cy", "044 1234567", "Schweiz"],
    ];
    let (report, data) = read(Kind::Phone, calls, &["C2:C3"], |request| {
        request.country = Some(CountryChoice::OfRow);
    });
    assert_eq!(sentences(&report), Vec::<String>::new());
    assert_eq!(data, ["tel:+4312345678", "tel:+436641234567", "tel:+41441234567"]);
    let told = "The merged cell “Österreich” counts for rows 2 to 3.";
    assert!(report.notices.iter().any(|notice| notice == told), "{:?}", report.notices);
    // Cells that are merged sideways say nothing of other rows, and refuse none.
    let (report, _) = codes(Kind::Phone, calls, &["C4:D4"], false);
    assert!(!sentences(&report).iter().any(|told| told.contains("merged")));
    let iban = "DE89370400440532013000";
    for name in ["Währung", "Info"] {
        let payments: &[&[&str]] = &[
            &["Name", "IBAN", "Betrag", name],
            &["Ada", iban, "12.50", "CHF"],
            &["Bo", iban, "13", ""],
            &["Cy", iban, "3", "EUR"],
        ];
        let (report, data) = codes(Kind::Payment, payments, &["D2:D3"], false);
        assert_eq!((report.faulty_rows, data.len()), (2, 1), "{name}");
    }
}

#[test]
fn merged_cells_that_may_mean_something_else_are_refused() {
    let merged = |kind, rows: &[&[&str]], area| {
        let (report, _) = codes(kind, rows, &[area], false);
        sentences(&report).iter().any(|told| told.contains("are merged"))
    };
    // Nobody knows how two payments share an amount.
    let iban = "DE89370400440532013000";
    let payments: &[&[&str]] =
        &[&["Name", "IBAN", "Betrag"], &["Ada", iban, "12.50"], &["Bo", iban, ""], &["Cy", iban, "3"]];
    assert!(merged(Kind::Payment, payments, "C2:C3"));
    // Below the first cell there is a text that nobody sees.
    let networks: &[&[&str]] = &[&["SSID", "Passwort"], &["a", "geheim-1"], &["b", "geheim-2"]];
    assert!(merged(Kind::Wifi, networks, "A2:A3"));
    assert!(merged(Kind::Wifi, networks, "A2:B2"));
    assert!(merged(Kind::Wifi, networks, "A2:B3"));
}

#[test]
fn notes_in_merged_cells_are_left_out_like_others() {
    let rows: &[&[&str]] = &[
        &["Datum", "Uhrzeit", "Veranstaltung"],
        &["12.06.2027", "10:00", "Chor"],
        &["Nachmittag", "", ""],
        &["12.06.2027", "14:00", "Tanz"],
        &["", "", ""],
        &["Stand: Mai 2027", "", ""],
    ];
    let areas = ["A3:C3", "A6:C7"];
    let (report, data) = codes(Kind::Event, rows, &areas, false);
    let refused: Vec<_> = report.problems.iter().map(|problem| problem.row).collect();
    assert_eq!((refused, report.faulty_rows, data.len()), (vec![Some(3), Some(6)], 2, 2));
    assert_eq!((report.placeholder_rows, report.placeholder_places.as_slice()), (1, &[6][..]));
    let told = "Row 6: the row has nothing but “Stand: Mai 2027”. If it is a note, delete it, or skip it.";
    assert!(sentences(&report).iter().any(|sentence| sentence == told), "{:?}", sentences(&report));
    let (report, _) = codes(Kind::Event, rows, &areas, true);
    let choices: Vec<_> = report.problems.iter().map(|problem| problem.fault.choice()).collect();
    assert_eq!(choices, [None, Some("placeholder")]);
    let told = "Row 6, column A (Datum): the cell holds the note “Stand: Mai 2027”.";
    assert!(sentences(&report).iter().any(|sentence| sentence == told), "{:?}", sentences(&report));
}

#[test]
fn rows_that_lack_something_are_no_notes() {
    let iban = "AT61 1904 3002 3457 3201";
    let cases: [(Kind, &[&str], &[&str], bool); 9] = [
        (Kind::Payment, &["Name", "IBAN", "Betrag", "Zweck"], &["", iban, "", ""], false),
        (Kind::Payment, &["Name", "IBAN", "Betrag", "Zweck"], &["", "", "", "Beitrag Juni 2027"], false),
        (Kind::Payment, &["IBAN", "Name", "Betrag", "Zweck"], &[iban, "", "", ""], false),
        (Kind::Contact, &["Name", "Straße"], &["", "Am Graben 1, Wien"], false),
        (Kind::Sms, &["Nummer", "Text"], &["", "Bitte rufen Sie an"], false),
        (Kind::Email, &["E-Mail", "Betreff"], &["", "Ihr Termin morgen"], false),
        (Kind::Wifi, &["SSID", "Passwort"], &["", "bitte nicht weitergeben"], false),
        (Kind::Event, &["Datum", "Veranstaltung"], &["12. Juni 2027", ""], false),
        (Kind::Event, &["Datum", "Veranstaltung"], &["Änderungen sind vorbehalten", ""], true),
    ];
    for (kind, names, row, is_note) in cases {
        let (report, _) = codes(kind, &[names, row], &[], false);
        let told = sentences(&report);
        assert_eq!(told.iter().any(|told| told.contains("nothing but")), is_note, "{row:?}: {told:?}");
        assert_eq!((report.placeholder_rows, report.faulty_rows), (u64::from(is_note), 1), "{row:?}");
    }
}
