//! Tables without names of columns, as people paste them from documents: the first row is a code like the others.

use std::fs;

use qrpress_spreadsheet::{ColumnChoice, ReadRequest, Role, SheetLayout, read_spreadsheet};

use crate::composed::{Choices, kind, read};
use crate::workbook::{request, sentences, styles, write_workbook};

const TOLD: &str = "No row names the columns: row 1 is the first code.";

fn choices(columns: Vec<(Role, ColumnChoice)>) -> Choices {
    Choices { columns, finds_header: true, ..Choices::default() }
}

fn data(column: u32) -> Choices {
    choices(vec![(Role::Data, ColumnChoice::At(column))])
}

#[test]
fn first_rows_that_look_like_those_below_them_are_codes() {
    for (csv, column) in [
        ("Feuerwehr\t122\nPolizei\t133\nRettung\t144\n", 1),
        ("000412\tWolf Hall\n000413\tBring Up the Bodies\n000414\tThe Mirror\n", 0),
        ("000412\tWolf Hall\n000413\tBring Up the Bodies\n", 0),
        ("Kohl Anna\t0664 1234567\nHuber Karl\t+43 664 1234568\n", 1),
        ("Kohl Anna;0664/1234567;Linz\nHuber Karl;0664/1234568;Wels\n", 1),
        ("Kohl Anna\t6641234567\nHuber Karl\t66412345678\n", 1),
        // Numbers for help among longer ones.
        ("Feuerwehr\t122\nGemeinde\t07234 8220\nPolizei\t133\nBauhof\t07234 82215\n", 1),
        ("Rathaus\t07234 82200\nFeuerwehr\t122\nBauhof\tsiehe Aushang 3\nArzt\t07234 82215\n", 1),
        ("01.06.2027;Konzert\n02.06.2027;Zeltfest\n03.06.2027;Yoga\n", 1),
        ("Foyer\thttps://example.org/a\nSaal\thttps://example.org/b\n", 1),
        ("https://example.org/a\nhttps://example.org/b\n", 0),
        ("Foyer,example.org/a\nSaal,example.org/b\n", 1),
        ("anna@example.org;Anna\nben@example.org;Ben\n", 0),
        ("Yoga;2027-06-01;18:00\nPilates;2027-06-02;19:00\n", 0),
        ("Sa 12.06.2027;Eröffnung\nSo 13.06.2027;Führung\n", 1),
        ("9780007230204;Wolf Hall\n9780007315109;Bring Up the Bodies\n", 0),
        ("Laptop Dell 5420\tINV-001\nBeamer Epson\tINV-002\nKamera Sony\tINV-003\n", 1),
        ("00412;2009;Wolf Hall\n00413;2012;Bring Up the Bodies\n00414;2020;The Mirror\n", 0),
        // A word that may be a name of a column stands in other rows, too.
        ("Training;Mo 07.06.2027\nTurnier;Di 08.06.2027\nTraining;Mi 09.06.2027\n", 0),
    ] {
        let rows = csv.trim_end().lines().count();
        let (report, items) = read(csv, &data(column));
        assert_eq!((report.problems, items.len()), (vec![], rows), "{csv}");
        assert!(report.first_code.is_some() && !report.asks_for_header, "{csv}");
        assert_eq!(report.notices[0], TOLD, "{csv}");
        assert!(report.columns.iter().all(|column| column.name.is_empty()), "{csv}");
        // A client that sends a file says where the names are.
        let (report, items) = read(csv, &Choices { finds_header: false, ..data(column) });
        assert!(report.first_code.is_none() && items.len() < rows, "{csv}");
    }
}

#[test]
fn columns_of_tables_without_names_are_asked_for() {
    let csv = "Kohl Anna\t0664 1234567\nHuber Karl\t0664 1234568\n";
    let (report, _) = read(csv, &choices(Vec::new()));
    assert!(report.first_code.is_some() && report.asks_for_columns && !report.asks_for_header);
    assert_eq!(report.notices, [TOLD]);
    let first = &report.first_rows[0];
    assert_eq!((first.row, first.cells.join("|")), (1, "Kohl Anna|0664 1234567".to_owned()));
    let composed = vec![kind("contact", &[("name", "A"), ("phone", "B")])];
    let (report, items) = read(csv, &Choices { composed, ..choices(Vec::new()) });
    assert_eq!((sentences(&report), items.len()), (vec![], 2));
    let first = items[0]["data"].as_str().unwrap();
    assert!(first.contains("FN:Kohl Anna") || first.contains("Kohl"), "{first}");
}

#[test]
fn titles_may_stand_above_tables_without_names() {
    let csv = "Wichtige Nummern\n\nFeuerwehr;122\nPolizei;133\nRettung;144\n";
    let (report, items) = read(csv, &data(1));
    assert_eq!((report.problems, items.len()), (vec![], 3));
    let told = "No row names the columns: row 3 is the first code.";
    assert_eq!(report.notices[..2], [told, "Row 1 is not used: it stands above the first code."]);
    assert_eq!(report.rows_before_line_1, 1);
}

#[test]
fn rows_of_names_stay_rows_of_names() {
    for (csv, column) in [
        // Years, sizes and numbers name columns.
        ("Filiale;2025;2026\nNord;2026;2027\nOst;1800;2000\nWest;1900;2001\n", 1),
        ("2025;2026\n2026;2027\n1800;2000\n", 1),
        ("1;2;3\n101;102;103\n104;105;106\n", 1),
        ("Größe;110;116;122\nHemd;120;130;140\nHose;125;135;145\n", 1),
        ("Motor;1600;1800\nAlpha;1200;1300\nBeta;1250;1350\n", 1),
        ("Bier;0,33;0,50\nMärzen;3,90;4,90\nPils;3,95;4,95\n", 1),
        ("Linie;06:00;07:00\nOst;06:05;07:05\nWest;06:07;07:07\n", 1),
        ("Gast;01.06.2027;02.06.2027\nAnna;x;\nBen;;x\n", 1),
        ("Q1 2027;Q2 2027\n120;130\n125;135\n", 1),
        ("Person;Tel 2\nAnna;0711 123456\nBob;0711 99887\n", 1),
        ("Ware;Preis 2026\nSchraube;12,50\nMutter;3,50\n", 1),
        // The name of another column is one.
        ("Room;101\nKitchen;102\nHall;103\n", 1),
        ("INV-001;Link\nINV-002;a\nINV-003;b\n", 0),
        // Words above values are their name.
        ("Jourdienst;122\n0664 1234567;123\n0664 1234568;124\n", 1),
        ("Jourtelefon\n0664 1234567\n0664 1234568\n", 0),
        ("Name;10023456\nHuber;12345\nMai;12399\n", 0),
        ("Artikel;40012345\nBohrer;12345\nSäge;12399\n", 0),
        ("Artikel;12345;12346\nRot;10000;20000\nBlau;10001;30000\n", 0),
        ("Wer;07.06.2027;14.06.2027\nHuber;08.06.2027;15.06.2027\nMai;09.06.2027;16.06.2027\n", 0),
        ("Hemd;116;;122\nHose;117;;123\nRock;118;;124\n", 0),
        ("Motor;5000\nA;1200\nB;1300\nC;1400\n", 0),
        ("01.06.2027;;\n;Frühschicht;Spätschicht\n02.06.2027;Anna;Ben\n03.06.2027;Eva;Kai\n", 1),
        ("Abfuhr ab;01.06.2027\nStraße;\nWeg 1;02.06.2027\nWeg 2;03.06.2027\n", 0),
        // The names stand below a title with a number.
        ("Bücherei;4060\nWer;Jourtelefon\nAnna;0664 1234567\nBen;0664 1234568\n", 1),
        ("Dienste ab;01.06.2027\nWer;Zunft\nAnna;02.06.2027\nBen;03.06.2027\nEva;04.06.2027\n", 1),
        // A single row below may have as many digits by chance.
        ("Verleih;122\nBohrer;133\n", 1),
    ] {
        let read = |finds_header| {
            let (mut report, items) = read(csv, &Choices { finds_header, ..data(column) });
            report.work = 0;
            (report, items)
        };
        assert!(read(true).0.first_code.is_none(), "{csv}");
        assert_eq!(read(true), read(false), "{csv}");
    }
}

#[test]
fn workbooks_without_names_of_columns_are_read_from_their_first_row() {
    let folder = qrpress_testkit::TempDir::new();
    let [file, body] = ["file", "body"].map(|name| folder.path().join(name));
    let rows: Vec<String> = (412..415)
        .map(|number| {
            let row = number - 411;
            format!(
                "<row r=\"{row}\"><c r=\"A{row}\" s=\"1\"><v>{number}</v></c>\
                 <c r=\"B{row}\" t=\"inlineStr\"><is><t>Book</t></is></c></row>"
            )
        })
        .collect();
    let sheet = format!("<worksheet><sheetData>{}</sheetData></worksheet>", rows.concat());
    write_workbook(&file, &[("sheet.xml", &sheet), ("styles.xml", &styles("000000"))]);
    for (finds_header, layout, expected) in [
        (true, SheetLayout::Header, (true, 3)),
        (false, SheetLayout::Header, (false, 2)),
        (true, SheetLayout::NoHeader, (false, 3)),
    ] {
        fs::write(&body, "").unwrap();
        let columns = [(Role::Data, ColumnChoice::At(0))];
        let read = ReadRequest { finds_header, layout, columns: &columns, ..request(&file, &body) };
        let report = read_spreadsheet(&read).unwrap();
        if layout == SheetLayout::Header && !finds_header {
            // The number looks like data: it is asked for.
            assert!(report.asks_for_header && report.first_code.is_none());
            continue;
        }
        assert_eq!((report.first_code.is_some(), report.items), expected);
    }
    assert!(fs::read_to_string(&body).unwrap().contains("000412"));
}
