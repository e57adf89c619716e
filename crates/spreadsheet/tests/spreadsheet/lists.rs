//! Lists as other programs write them: titles above the names, columns without a name, quotes inside cells.

use std::fmt::Write as _;
use std::fs;

use qrpress_spreadsheet::{
    CallingCode, ColumnChoice, Composition, CountryChoice, Encoding, Kind, ReadRequest, Report, Role,
    SheetLayout, read_spreadsheet,
};

use crate::composed::{self, Choices};
use crate::workbook::{read_text, relation, relations, request, sentences, write_workbook};

/// A sheet with these texts in the columns from A on; an empty text is no cell.
fn sheet_of(rows: &[(u32, &[&str])]) -> String {
    let mut xml = String::new();
    for (row, cells) in rows {
        write!(xml, "<row r=\"{row}\">").unwrap();
        for (column, text) in ('A'..='Z').zip(*cells).filter(|(_, text)| !text.is_empty()) {
            write!(
                xml,
                "<c r=\"{column}{row}\" t=\"inlineStr\"><is><t xml:space=\"preserve\">{text}</t></is></c>"
            )
            .unwrap();
        }
        xml.push_str("</row>");
    }
    format!("<worksheet><sheetData>{xml}</sheetData></worksheet>")
}

/// The report of a sheet, and its lines of items; `data` is the column of the data.
fn read_sheet(rows: &[(u32, &[&str])], data: Option<u32>) -> (Report, Vec<String>) {
    let folder = qrpress_testkit::TempDir::new();
    let (file, body) = (folder.path().join("file"), folder.path().join("body"));
    write_workbook(&file, &[("sheet.xml", &sheet_of(rows))]);
    read_with(&ReadRequest {
        columns: &data.map(|column| (Role::Data, ColumnChoice::At(column))).into_iter().collect::<Vec<_>>(),
        ..request(&file, &body)
    })
}

fn read_with(request: &ReadRequest<'_>) -> (Report, Vec<String>) {
    fs::write(request.body, "").unwrap();
    let report = read_spreadsheet(request).unwrap();
    let body = fs::read_to_string(request.body).unwrap();
    (report, body.lines().skip(1).filter(|line| !line.is_empty()).map(str::to_owned).collect())
}

fn names(report: &Report) -> Vec<&str> {
    report.columns.iter().map(|column| column.name.as_str()).collect()
}

#[test]
fn titles_of_several_cells_are_no_names() {
    let rows: [(u32, &[&str]); 5] = [
        (1, &["Liste 2026"]),
        (3, &["Filiale", "Nord"]),
        (5, &["Nr", "Bezeichnung", "Aushang"]),
        (6, &["1", "Tür", "https://example.org/1"]),
        (7, &["2", "Tor", "https://example.org/2"]),
    ];
    let (report, _) = read_sheet(&rows, None);
    assert_eq!(names(&report), ["Nr", "Bezeichnung", "Aushang"]);
    assert_eq!((report.asks_for_columns, report.links_column), (true, Some(2)));
    let (report, items) = read_sheet(&rows, Some(2));
    assert_eq!(items, ["{\"data\":\"https://example.org/1\"}", "{\"data\":\"https://example.org/2\"}"]);
    assert_eq!(report.notices, ["Rows 1 to 3 are not used: they stand above the names of the columns."]);
}

#[test]
fn columns_without_a_name_are_listed_by_their_letters() {
    let rows: [(u32, &[&str]); 3] = [
        (1, &["Nr", "Bezeichnung"]),
        (2, &["1", "Tür", "https://example.org/1"]),
        (3, &["2", "Tor", "", "x"]),
    ];
    let (report, _) = read_sheet(&rows, None);
    assert_eq!((names(&report), report.links_column), (vec!["Nr", "Bezeichnung", "", ""], Some(2)));
    let (_, items) = read_sheet(&rows[..2], Some(2));
    assert_eq!(items, ["{\"data\":\"https://example.org/1\"}"]);

    // Those that only later rows fill.
    let mut many: Vec<(u32, &[&str])> = vec![(1, &["url", "Preis", "", "Ort"])];
    many.extend((2..200).map(|row| (row, &["https://example.org/1", "5"][..])));
    many.push((200, &["https://example.org/1", "5", "x", "", "", "y", "z"]));
    let (report, items) = read_sheet(&many, None);
    assert_eq!(items.len(), 199);
    assert_eq!(
        report.unused_columns.as_deref(),
        Some("Not in the codes: Preis, column C, column F, column G.")
    );
}

#[test]
fn the_line_above_the_names_of_datev_is_none() {
    let line = "\"EXTF\";700;16;\"Debitoren/Kreditoren\";5;20261101120000000;;\"RE\";\"\";\"\";29098;55003;20260101;4;;;\"\"\r\n";
    let names = "\"Konto\";\"Name\";\"Ort\";\"Internet\"\r\n10001;\"Maier\";\"Bonn\";\"www.example.org\"\r\n";
    let (report, _) = read_text(format!("{line}{names}").as_bytes());
    assert_eq!(self::names(&report), ["Konto", "Name", "Ort", "Internet"]);
    let (report, items) = read_text(format!("{line}{}", names.replace("Internet", "Link")).as_bytes());
    assert_eq!(items, ["{\"data\":\"www.example.org\",\"filename\":\"Maier\"}"], "{:?}", report.problems);
}

#[test]
fn tables_below_a_title_in_a_text_file_are_tables() {
    let folder = qrpress_testkit::TempDir::new();
    let (file, body) = (folder.path().join("file"), folder.path().join("body"));
    let read = |text: &str| {
        fs::write(&file, text).unwrap();
        read_with(&ReadRequest { layout: SheetLayout::Lines, ..request(&file, &body) })
    };
    let sap = |name: &str| {
        format!(
            "01.11.2026       Liste, dynamisch       1\r\n\r\n\tMaterial\tText\tMenge\t{name}\r\n\r\n\
             \t000123\tSchraube\t  1.250\thttps://example.org/1\r\n\t000124\tMutter M8 \"lang\"\t500-\thttps://example.org/2\r\n\
             \t\t\t* 1.750\t\r\n"
        )
    };
    let (report, items) = read(&sap("URL"));
    assert_eq!(
        items,
        [
            "{\"data\":\"https://example.org/1\",\"caption\":\"Schraube\"}",
            "{\"data\":\"https://example.org/2\",\"caption\":\"Mutter M8 \\\"lang\\\"\"}"
        ]
    );
    assert_eq!((report.problem_count, report.faulty_rows), (1, 1), "{:?}", report.problems);
    let (report, _) = read(&sap("Aushang"));
    assert_eq!(names(&report), ["", "Material", "Text", "Menge", "Aushang"]);
    assert_eq!((report.asks_for_columns, report.links_column), (true, Some(4)));

    let bars = "Anlagenliste Seite 1\n\n|Anlage |Bezeichnung |Link |\n|100001 |Motor |https://sap.example.com/a/1 |\n\
        |100002 |Ofen |https://sap.example.com/a/2 |\n";
    for text in [bars.to_owned(), bars.replace("|\n", "\n").replace("\n|", "\n").replace('|', ";")] {
        let (report, items) = read(&text);
        assert_eq!((report.problem_count, items.len()), (0, 2), "{:?}", report.problems);
        assert!(items[0].contains("\"data\":\"https://sap.example.com/a/1\""), "{}", items[0]);
    }
    // Lines of which one has a tab are lines.
    let (_, items) = read("Hello\nyou\tthere\nand all\nthe others\n");
    assert_eq!(items.len(), 4);
}

#[test]
fn spaces_around_links_are_left_out() {
    let rows: [(u32, &[&str]); 5] = [
        (1, &["data"]),
        (2, &["  https://example.org/1"]),
        (3, &["HTTPS://example.org/2\u{a0}"]),
        (4, &[" myapp://open?a=1 "]),
        (5, &[" Hinweis: 5 "]),
    ];
    let (report, items) = read_sheet(&rows, None);
    let data = ["https://example.org/1", "HTTPS://example.org/2", "myapp://open?a=1", " Hinweis: 5 "];
    assert_eq!(items, data.map(|data| format!("{{\"data\":\"{data}\"}}")));
    assert_eq!(
        report.notices,
        [
            "1 row has data that is probably not meant: row 5 (“Hinweis: 5”) seems to be a total or a note.",
            "1 value begins or ends with a space, which is kept; the first is in row 5, column A.",
            "3 links begin or end with a space, which is left out; the first is in row 2, column A."
        ]
    );

    let folder = qrpress_testkit::TempDir::new();
    let (file, body) = (folder.path().join("file"), folder.path().join("body"));
    let composed = [(Role::Data, Composition::Pattern("{+data}?by=qr".to_owned()))];
    write_workbook(&file, &[("sheet.xml", &sheet_of(&rows[..3]))]);
    let (_, items) = read_with(&ReadRequest { composed: &composed, ..request(&file, &body) });
    assert_eq!(
        items,
        ["{\"data\":\"https://example.org/1?by=qr\"}", "{\"data\":\"HTTPS://example.org/2?by=qr\"}"]
    );
}

#[test]
fn the_table_below_a_title_tells_the_separator() {
    for (title, separator) in
        [("Liste 2026", ","), ("Liste, Stand 2026", ";"), ("Liste; Stand 2026, neu", "\t")]
    {
        let table = "Nr;Text;Aushang\r\n1;a;https://example.org/1\r\n2;b;https://example.org/2\r\n";
        let (report, _) = read_text(format!("{title}\r\n\r\n{}", table.replace(';', separator)).as_bytes());
        assert_eq!(
            (names(&report), report.links_column),
            (vec!["Nr", "Text", "Aushang"], Some(2)),
            "{title}"
        );
    }
    let (report, _) = read_text("Aushang\nHallo, Welt\nfoo, bar\n".as_bytes());
    assert_eq!(names(&report), ["Aushang"]);
}

#[test]
fn a_quote_inside_a_cell_is_a_character() {
    for separator in [";", "\t"] {
        let text =
            "Nr;Text;Link\n1;Größe \"XL\";https://example.org/1\n2;5\" Rohr;https://example.org/\"2\"\n"
                .replace(';', separator);
        let (report, items) = read_text(text.as_bytes());
        assert_eq!(
            items,
            [
                "{\"data\":\"https://example.org/1\",\"caption\":\"Größe \\\"XL\\\"\"}",
                "{\"data\":\"https://example.org/\\\"2\\\"\",\"caption\":\"5\\\" Rohr\"}"
            ],
            "{:?}",
            report.problems
        );
    }
}

#[test]
fn the_sheet_that_was_in_sight_is_opened_before_others() {
    let folder = qrpress_testkit::TempDir::new();
    let (file, body) = (folder.path().join("file"), folder.path().join("body"));
    let list = relations(
        &(["old", "chart", "new", "none", "away"].map(|id| {
            relation(id, if id == "chart" { "chartsheet" } else { "worksheet" }, &format!("{id}.xml"))
        }))
        .concat(),
    );
    let [old, new, away] = ["old", "new", "away"].map(|name| sheet_of(&[(1, &["data"]), (2, &[name])]));
    let none = sheet_of(&[(1, &["Welcome"])]);
    let read = |active: &str, finds_sheet: bool, sheet: Option<&str>| {
        let sheets = ["away", "old", "chart", "new", "none"].map(|id| {
            let state = if id == "away" { "hidden" } else { "visible" };
            format!("<sheet name=\"{id}\" id=\"{id}\" state=\"{state}\"/>")
        });
        let workbook = format!(
            "<workbook><bookViews><workbookView {active}/></bookViews><sheets>{}</sheets></workbook>",
            sheets.concat()
        );
        let parts = [
            ("workbook.xml", workbook.as_str()),
            ("_rels/workbook.xml.rels", list.as_str()),
            ("old.xml", old.as_str()),
            ("new.xml", new.as_str()),
            ("away.xml", away.as_str()),
            ("none.xml", none.as_str()),
        ];
        write_workbook(&file, &parts);
        read_with(&ReadRequest { sheet, finds_sheet, ..request(&file, &body) }).0
    };
    for (active, found) in [
        ("", "old"),
        ("activeTab=\"0\"", "old"),
        ("activeTab=\"1\"", "old"),
        ("activeTab=\"2\"", "old"),
        ("activeTab=\"3\"", "new"),
        ("activeTab=\"4\"", "old"),
        ("activeTab=\"99\"", "old"),
    ] {
        assert_eq!(read(active, true, None).sheet.as_deref(), Some(found), "{active}");
    }
    let report = read("activeTab=\"3\"", true, None);
    assert_eq!(report.fitting_sheets, ["new", "old"]);
    assert_eq!(report.sheets, ["old", "new", "none", "away"]);
    assert_eq!(report.notices, ["Only the sheet new is read. The workbook has other sheets: old, none."]);
    assert_eq!(read("activeTab=\"3\"", false, None).sheet.as_deref(), Some("old"));
    assert_eq!(read("", true, Some("away")).items, 1);
    let report = read("", true, Some("absent"));
    assert_eq!(sentences(&report), ["There is no sheet absent. The sheets are: away, old, new, none."]);
}

#[test]
fn letters_of_a_mac_and_of_hungarian_are_asked_for() {
    for (label, proposed, value) in
        [("macintosh", "macintosh", "Größe"), ("windows-1250", "windows-1250", "Szűcs Ádám")]
    {
        let text = format!("Nr;Text;Link\n1;{value};https://example.org/1\n");
        let (bytes, _, _) = Encoding::for_label(label.as_bytes()).unwrap().encode(&text);
        let (report, items) = read_text(&bytes);
        assert_eq!((report.encoding, report.asks_for_encoding), (Some(proposed), true));
        assert_eq!(items, [format!("{{\"data\":\"https://example.org/1\",\"caption\":\"{value}\"}}")]);
    }
}

#[test]
fn letters_of_turkish_are_asked_for() {
    let (bytes, _, _) = Encoding::for_label(b"windows-1254")
        .unwrap()
        .encode("Text;Link\nBeşiktaş, Doğan;https://a.example\n");
    let (report, items) = read_text(&bytes);
    assert_eq!((report.encoding, report.asks_for_encoding), (Some("windows-1254"), true));
    assert_eq!(items.len(), 1);
}

#[test]
fn words_with_symbols_of_windows_1250_are_of_iso_8859_2() {
    let (report, items) = read_text(b"Imi\xea;Nazwa pliku;Link\n\xa3ucja;\xacrebiec;https://a.example/1\n");
    assert_eq!((report.encoding, report.asks_for_encoding), (Some("ISO-8859-2"), true));
    assert!(items.len() == 1 && items[0].contains("Źrebiec"), "{items:?}");
    // In Windows-1250 that letter is another byte.
    let (report, _) = read_text(b"Imi\xea;Nazwa pliku;Link\n\xa3ucja;\x8frebiec;https://a.example/1\n");
    assert_eq!(report.encoding, Some("windows-1250"));
}

#[test]
fn the_euro_of_iso_8859_15_is_found() {
    let (report, _) = read_text(b"Name;Betrag \xa4;Link\nB\xe4r;10 \xa4;https://a.example\n");
    assert_eq!((report.encoding, report.columns[1].name.as_str()), (Some("ISO-8859-15"), "Betrag €"));
    // In an encoding of DOS it is a letter, and in Windows-1252 other bytes have characters, too.
    for bytes in
        [&b"Ort;Link\nEspa\xa4a;https://a.example\n"[..], b"Ort;Link\n10 \xa4 \x96 \xe4;https://a.example\n"]
    {
        assert_ne!(read_text(bytes).0.encoding, Some("ISO-8859-15"), "{bytes:x?}");
    }
}

#[test]
fn a_sheet_with_many_more_rows_goes_before_a_small_one() {
    let folder = qrpress_testkit::TempDir::new();
    let (file, body) = (folder.path().join("file"), folder.path().join("body"));
    let list = relations(
        &["info", "alt", "list"].map(|id| relation(id, "worksheet", &format!("{id}.xml"))).concat(),
    );
    let read = |active: u32, rows: u32, small: [&[&str]; 2], target: &str| {
        let alt = sheet_of(&[(1, small[0]), (2, small[1])]);
        let head: [(u32, &[&str]); 3] =
            [(1, &["Stand 28.11."]), (3, &["Von: Bos"]), (4, &["Nr.", "Name", "Raum", target])];
        let item: &[&str] = &["1", "a", "b", "https://list.example/1"];
        let rows: Vec<_> = head.into_iter().chain((5..5 + rows).map(|row| (row, item))).collect();
        let sheets = ["info", "alt", "list"].map(|id| format!("<sheet name=\"{id}\" id=\"{id}\"/>")).concat();
        let views = format!("<bookViews><workbookView activeTab=\"{active}\"/></bookViews>");
        let parts = [
            ("workbook.xml", &*format!("<workbook>{views}<sheets>{sheets}</sheets></workbook>")),
            ("_rels/workbook.xml.rels", list.as_str()),
            ("info.xml", &sheet_of(&[(1, &["Welcome"])])),
            ("alt.xml", &alt),
            ("list.xml", &sheet_of(&rows)),
        ];
        write_workbook(&file, &parts);
        read_with(&ReadRequest { finds_sheet: true, ..request(&file, &body) }).0
    };
    for (active, rows, found, others) in
        [(0, 40, "list", ["list", "alt"]), (1, 40, "alt", ["alt", "list"]), (0, 5, "alt", ["alt", "list"])]
    {
        let small: [&[&str]; 2] = [&["Code", "Link"], &["1", "https://alt.example/1"]];
        let report = read(active, rows, small, "QR-Ziel");
        assert_eq!(
            (report.sheet.as_deref(), report.problems.as_slice()),
            (Some(found), &[][..]),
            "{active} {rows}"
        );
        assert_eq!(report.fitting_sheets, others);
    }
    // No column of the list is called as that of links, and the small sheet is of a kind.
    let small: [&[&str]; 2] = [&["SSID", "Password"], &["a", "welcome-1"]];
    for (rows, found) in [(40, "list"), (5, "alt")] {
        assert_eq!(read(0, rows, small, "Seite der Vereine").sheet.as_deref(), Some(found));
    }
}

#[test]
fn lines_of_names_and_values_are_the_cells_of_rows() {
    let (report, _) =
        read_text(b"sep=:\nSSID: Gast\nPassword: geheim:123\n\nSSID: Flur\nPassword: geheim456\n");
    assert_eq!(names(&report), ["SSID", "Password"]);
    assert_eq!(report.proposal.as_ref().map(|proposal| proposal.kind), Some(Kind::Wifi));
    let rows: Vec<_> = report.first_rows.iter().map(|row| row.cells.join(" / ")).collect();
    assert_eq!(rows, ["Gast / geheim:123", "Flur / geheim456"]);
    // The lines of a form that is not filled in make no code, and no network takes the password of the next one.
    let (report, _) =
        read_text(b"sep=:\nWiFi Bar: Guest / password: scone;c\"jam\nWiFi Hall: Museum (no password)\n");
    assert_eq!(names(&report), ["SSID", "password", "encryption", "caption"]);
    assert_eq!(report.proposal.as_ref().map(|proposal| proposal.kind), Some(Kind::Wifi));
    let (report, _) = read_text(b"sep=:\nSSID: a\nPassword: p1\nSSID:\nPassword: p2\nSSID:\nPassword:\n");
    let rows: Vec<_> = report.first_rows.iter().map(|row| row.cells.join(" / ")).collect();
    assert_eq!(rows, ["a / p1", " / p2"]);
    // Colons may separate columns.
    let (report, items) = read_text(b"sep=:\nlink:caption\na:SSID\nb:Password\n");
    assert_eq!(names(&report), ["link", "caption"]);
    assert_eq!(items.len(), 2);
}

/// The kind that is proposed for rows below these names.
fn proposed(csv: &str) -> Option<Kind> {
    composed::read(csv, &Choices::default()).0.proposal.map(|proposal| proposal.kind)
}

#[test]
fn numbers_of_telephones_and_for_help_are_offered_as_calls() {
    for csv in [
        "Stelle;Nummer\nFeuerwehr;122\nPolizei;133\n",
        "Dienst;Nummer\nEinsatzleiter;0664 1234567\nZeugwart;0664 1234568\n",
        "Service;Number\nOffice;+44 20 7946 0123\n",
        "Naam;Nummer\nBrandweer;112\n",
        "Dienst;Nummer\nRettung;144\nPolizei;133\nArzt;0732 123456\n",
        "Service;Number\nAmbulance;999\nOffice;+44 20 7946 0123\n",
        "Dienst;Rufnummer 1;Rufnummer 2\nPflege;0732 123456;0732 123457\n",
        "Gerät;Rufnr.\nAufzug;0732 123456\n",
    ] {
        assert_eq!(proposed(csv), Some(Kind::Phone), "{csv}");
        let phone = Choices {
            composed: vec![composed::kind("phone", &[])],
            country: CallingCode::of("43").map(CountryChoice::All),
            ..Choices::default()
        };
        let (report, items) = composed::read(csv, &phone);
        assert_eq!((report.problems, items.len()), (vec![], csv.lines().count() - 1), "{csv}");
    }
    for csv in [
        "Artikel;Nummer\nBohrer;4711\n",
        "Zimmer;Nummer\nSaal;101\n",
        "Name;Nummer\nAnna;1\nBen;112\n",
        "Rechnung;Nummer\nMiete;2027-001\n",
        "Buch;Nummer;Verlag\nWolf Hall;000412;Mantel\n",
        "Konto;Nummer;Bank;Ort;Land\nA;0664 1234567;B;C;D\n",
        "Stelle;Nummer;Link\nFeuerwehr;122;https://example.org\n",
        "Anlage;Rufnummernart\nA;0732 123456\n",
        "Anlage;Rufnummernblock\nA;0732 123456\n",
        "Zimmer;Nummer\nSaal;144\nBad;145\n",
        "Zimmer;Nummer\nSaal;144\nBad;140\n",
        "Raum;Nummer\nSaal;144\nBad;140\nBüro;112\n",
        "Zimmer;Nummer\nSaal;144\n",
        "Artikel;Nummer\nBohrer;140\nSäge;0123456\n",
    ] {
        assert_eq!(proposed(csv), None, "{csv}");
    }
}

#[test]
fn extensions_alone_are_no_numbers() {
    let csv = "Name;Telefon\nZentrale;05921 8347-0\nBüro;-10\nSaal;\u{2013}11\n";
    for kind_of_code in ["phone", "contact"] {
        let composed = vec![composed::kind(kind_of_code, &[])];
        let choices = Choices {
            composed,
            country: CallingCode::of("49").map(CountryChoice::All),
            ..Choices::default()
        };
        let (report, items) = composed::read(csv, &choices);
        assert_eq!((items.len(), report.problem_count), (1, 2), "{:?}", sentences(&report));
        assert!(sentences(&report)[0].contains("this is an extension alone. Write the whole number."));
    }
}

#[test]
fn isbns_are_goods_where_all_have_13_digits_and_books_alone_are_listed() {
    let proposed =
        |csv: &str| composed::read(csv, &Choices::default()).0.proposal.map(|proposal| proposal.kind);
    for csv in [
        "ISBN\n9783161484100\n",
        "Titre;ISBN\nA;978-3-16-148410-0\nB;979-10-90636-07-1\n",
        "Title;Author;Publisher;Year;ISBN;Price\nA;B;C;2020;9783161484100;12\n",
    ] {
        assert_eq!(proposed(csv), Some(Kind::DigitalLink), "{csv}");
    }
    for csv in [
        "Titre;ISBN\nA;9783161484101\n",
        "Titre;ISBN\nA;316148410X\n",
        "Titre;ISBN\nA;9783161484100\nB;3161484100\n",
        "Titre;ISBN\nA;4006381333931\n",
        "Titre;ISBN;Inventarnummer\nA;9783161484100;B-12\n",
        "ISBN;Cote;Exemplar\n9783161484100;A 1;1\n",
        "Titre;ISBN;Entliehen von;Rückgabe\nA;9783161484100;Anna Bos;01.02.2027\n",
        "Titre;ISBN;Standort\nA;9783161484100;Regal 4\n",
    ] {
        assert_eq!(proposed(csv), None, "{csv}");
    }
    // With zeros in front, the digits of an old one may be those of something else.
    let choices = Choices { composed: vec![composed::kind("digital-link", &[])], ..Choices::default() };
    for name in ["ISBN", "ISBN-13"] {
        let csv = format!("Titre;{name}\nA;9783161484100\nB;3161484100\nC;0306406152\n");
        let (report, items) = composed::read(&csv, &choices);
        let right = [(3, ", which begins with 978 or 979."), (4, ": 9780306406157.")];
        let told = right.map(|(row, isbn)| {
            format!("Row {row}, column B ({name}): an ISBN of 10 digits is no GTIN. Write the one of 13 digits{isbn}")
        });
        assert_eq!(sentences(&report), told, "{name}");
        assert_eq!(items.len(), 1);
    }
    // Another column has the numbers.
    let csv = "Titre;ISBN;EAN\nA;3161484100;4006381333931\n";
    assert_eq!(composed::read(csv, &choices).1[0]["data"], "https://id.gs1.org/01/04006381333931");
}
