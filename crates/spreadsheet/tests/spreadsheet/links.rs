//! Cells that are links, header rows in the middle, and cells whose numbers are what counts.

use std::fmt::Write as _;
use std::fs;

use crate::workbook::{
    read_items, read_text, relation, relations, request, sentences, sheet, styles, write_workbook,
};
use qrpress_spreadsheet::{
    Composition, Encoding, Fault, Kind, LinkChoice, ReadRequest, Report, Role, SheetLayout, read_spreadsheet,
};

fn text(place: &str, text: &str) -> String {
    format!("<c r=\"{place}\" t=\"inlineStr\"><is><t>{text}</t></is></c>")
}

fn row(number: u32, cells: &str) -> String {
    format!("<row r=\"{number}\">{cells}</row>")
}

fn read_with(parts: &[(&str, &str)], change: impl FnOnce(&mut ReadRequest<'_>)) -> (Report, Vec<String>) {
    let folder = qrpress_testkit::TempDir::new();
    let (file, body) = (folder.path().join("file"), folder.path().join("body"));
    write_workbook(&file, parts);
    fs::write(&body, "").unwrap();
    let mut request = request(&file, &body);
    change(&mut request);
    let report = read_spreadsheet(&request).unwrap();
    let body = fs::read_to_string(&body).unwrap();
    (report, body.lines().skip(1).filter(|line| !line.is_empty()).map(str::to_owned).collect())
}

/// A sheet of links, and its relations.
fn linked() -> (String, String) {
    let link = |id: &str, target: &str| {
        relation(id, "hyperlink", target).replace("/>", " TargetMode=\"External\"/>")
    };
    let list = link("r1", "https://a.example/1")
        + &link("r2", "https://a.example/")
        + &link("r3", "mailto:x@a.example");
    let rows = row(2, &text("A2", "Open"))
        + &row(3, &text("A3", "https://a.example"))
        + &row(4, &text("A4", "x@a.example"))
        + &row(5, "<c r=\"A5\" t=\"str\"><f>HYPERLINK(\"https://a.example/5\",\"Five\")</f><v>Five</v></c>")
        + &row(6, &text("A6", "Part"))
        + &row(7, &text("A7", "Sheet"))
        + &row(8, &text("A8", "more"));
    let links = "<hyperlinks><hyperlink ref=\"A8:B9\" r:id=\"r1\" location=\"x\"/><hyperlink ref=\"A2\" r:id=\"r1\"/>\
        <hyperlink ref=\"A3\" r:id=\"r2\"/><hyperlink ref=\"A4\" r:id=\"r3\"/><hyperlink ref=\"A7\" location=\"S!A1\"/>\
        </hyperlinks>";
    (sheet(&rows, links), relations(&list))
}

#[test]
fn a_cell_whose_text_is_not_its_address_is_refused_unless_it_is_said_which_is_meant() {
    let (sheet, relations) = linked();
    let parts = [("sheet.xml", sheet.as_str()), ("_rels/sheet.xml.rels", relations.as_str())];
    let (report, items) = read_items(&parts);
    assert_eq!((report.link_cells, report.asks_for_links, items.len()), (3, true, 4));
    let first = "Row 2, column A (data): the cell shows Open and is a link to https://a.example/1. \
        Say whether codes take the texts of links or their addresses.";
    assert_eq!(sentences(&report)[0], first);
    assert!(matches!(report.problems[0].fault, Fault::Link { .. }));
    let choose = |links| read_with(&parts, |request| request.links = Some(links));
    let (report, items) = choose(LinkChoice::Text);
    assert_eq!((report.problem_count, report.link_cells, report.asks_for_links), (0, 3, false));
    assert_eq!(items[0], "{\"data\":\"Open\"}");
    assert_eq!(report.first_rows[0].cells, ["Open"]);
    let (report, items) = choose(LinkChoice::Address);
    assert_eq!(sentences(&report), [""; 0]);
    assert_eq!(report.first_rows[0].cells, ["https://a.example/1"]);
    let data = |item: &String| item["{\"data\":\"".len()..item.len() - 2].to_owned();
    assert_eq!(
        items.iter().map(data).collect::<Vec<_>>(),
        [
            "https://a.example/1",
            "https://a.example",
            "x@a.example",
            "https://a.example/5",
            "Part",
            "Sheet",
            "https://a.example/1#x",
        ]
    );
}

/// Formulas that put the address together, as people fill them down.
#[test]
fn addresses_of_formulas_are_asked_for_too() {
    let shown = |place: &str, formula: &str, shown: &str| {
        format!("<c r=\"{place}\" t=\"str\">{formula}<v>{shown}</v></c>")
    };
    let formula = |formula: &str| format!("<f>HYPERLINK({formula})</f>");
    let rows = row(1, &(text("A1", "Raum") + &text("B1", "Link") + &text("D1", "https://a.example/")))
        + &row(2, &(text("A2", "R2") + &shown("B2", &formula("\"https://a.example/\"&amp;A2,A2"), "R2")))
        + &row(3, &(text("A3", "https://b.example/3") + &shown("B3", &formula("A3,\"Raum 3\""), "Raum 3")))
        + &row(
            4,
            &("<c r=\"A4\"><v>7</v></c>".to_owned()
                + &shown(
                    "B4",
                    "<f t=\"shared\" ref=\"B4:B5\" si=\"0\">HYPERLINK($D$1&amp;C4&amp;A4,\"x\")</f>",
                    "x",
                )
                + &text("C4", "later/")),
        )
        + &row(5, &(text("A5", "R5") + &shown("B5", "<f t=\"shared\" si=\"0\"/>", "x")));
    let book = |rows: &str| format!("<worksheet><sheetData>{rows}</sheetData></worksheet>");
    let sheet = book(&rows);
    let parts = [("sheet.xml", sheet.as_str())];
    let (report, items) = read_items(&parts);
    assert_eq!((report.link_cells, report.asks_for_links, items.len()), (4, true, 0));
    let choose = |parts: &[(&str, &str)], links| read_with(parts, |request| request.links = Some(links));
    let (report, items) = choose(&parts, LinkChoice::Address);
    assert_eq!(sentences(&report), [""; 0]);
    let addresses = ["a.example/R2", "b.example/3", "a.example/later/7", "a.example/R5"];
    assert_eq!(items, addresses.map(|address| format!("{{\"data\":\"https://{address}\"}}")));
    assert_eq!(choose(&parts, LinkChoice::Text).1.len(), 4);

    // The formula takes a cell of another sheet.
    let hidden = book(&(rows + &row(6, &shown("B6", &formula("Two!A6,\"Raum 6\""), "Raum 6"))));
    let parts = [("sheet.xml", hidden.as_str())];
    let (report, items) = choose(&parts, LinkChoice::Address);
    assert_eq!(
        sentences(&report),
        [
            "Row 6, column B (Link): the cell shows Raum 6 and is a link, but its formula does not tell the address. Make codes of the \
             texts of links, or write the addresses into a column of their own."
        ]
    );
    assert_eq!((report.link_cells, items.len()), (5, 4));
    assert_eq!((read_items(&parts).0.problem_count, choose(&parts, LinkChoice::Text).1.len()), (5, 5));
    // The text of such a cell may be the address.
    let told = book(
        &(row(1, &text("A1", "Link"))
            + &row(2, &shown("A2", &formula("Two!A2"), "a.example/2"))
            + &row(3, &shown("A3", &formula("Two!A3,Two!A3"), "https://a.example/3"))
            + &row(4, &shown("A4", "<f>IFERROR(HYPERLINK(\"tel:\"&amp;C4),\"\")</f>", "tel:+4930123"))
            + &row(
                5,
                &shown("A5", "<f>IF(C5=\"\",\"\",HYPERLINK(\"a.example/\"&amp;C5))</f>", "a.example/5"),
            )
            + &row(6, &shown("A6", &formula("Two!A6,Two!A6"), "tel:+4930126"))
            + &row(7, &shown("A7", &formula("Two!A7,Two!A7"), "shop.example/7"))),
    );
    let (report, items) = read_items(&[("sheet.xml", &told)]);
    assert_eq!((sentences(&report), items.len()), (Vec::new(), 6));
}

/// A caption may be a link. A contact has the address of a mail without its scheme.
#[test]
fn links_matter_in_columns_that_make_the_data() {
    let link = |id: &str, target: &str| {
        relation(id, "hyperlink", target).replace("/>", " TargetMode=\"External\"/>")
    };
    let rows = row(1, &(text("A1", "name") + &text("B1", "email") + &text("C1", "caption")))
        + &row(2, &(text("A2", "Jane") + &text("B2", "Write") + &text("C2", "Open")));
    let sheet = format!(
        "<worksheet><sheetData>{rows}</sheetData><hyperlinks><hyperlink ref=\"B2\" r:id=\"m\"/>\
         <hyperlink ref=\"C2\" r:id=\"c\"/></hyperlinks></worksheet>"
    );
    let list = relations(&(link("m", "mailto:jane@a.example") + &link("c", "https://a.example")));
    let composed =
        [(Role::Data, Composition::Kind { kind: Kind::Contact, fields: Vec::new(), are_open: false })];
    let parts = [("sheet.xml", sheet.as_str()), ("_rels/sheet.xml.rels", list.as_str())];
    let read = |links| {
        let folder = qrpress_testkit::TempDir::new();
        let (file, body) = (folder.path().join("file"), folder.path().join("body"));
        write_workbook(&file, &parts);
        fs::write(&body, "").unwrap();
        let report =
            read_spreadsheet(&ReadRequest { composed: &composed, links, ..request(&file, &body) }).unwrap();
        (report, fs::read_to_string(body).unwrap())
    };
    let (report, _) = read(None);
    assert_eq!(report.problems.iter().map(|problem| problem.column).collect::<Vec<_>>(), [Some(1)]);
    let (report, body) = read(Some(LinkChoice::Address));
    assert_eq!(sentences(&report), [""; 0]);
    assert!(body.contains("EMAIL:jane@a.example") && body.contains("\"caption\":\"Open\""), "{body}");
    assert_eq!(report.first_rows[0].cells, ["Jane", "jane@a.example", "Open"]);
}

#[test]
fn a_row_that_repeats_the_header_is_refused() {
    let (report, items) = read_text(b"url,name,note\na,b,c\nurl,name,note\nurl,name,other\nurl,name\nd,,\n");
    assert_eq!(sentences(&report), ["Row 3: the row repeats the names of the columns. Delete it."]);
    assert_eq!((report.faulty_rows, items.len()), (1, 4));
    let (report, _) = read_text(b"url\na\n URL\nurl\n");
    assert_eq!(sentences(&report), ["Row 4: the row repeats the names of the columns. Delete it."]);
    let header = |number: u32| {
        let year = format!("<c r=\"C{number}\"><v>2026</v></c>");
        row(number, &(text(&format!("A{number}"), "data") + &text(&format!("B{number}"), "Room") + &year))
    };
    let mut rows = header(1);
    for number in 2..20 {
        rows += &row(number, &(text(&format!("A{number}"), "a") + &text(&format!("B{number}"), "r")));
    }
    rows += &header(20);
    let sheet = format!("<worksheet><sheetData>{rows}</sheetData></worksheet>");
    let (report, items) = read_items(&[("sheet.xml", &sheet)]);
    assert_eq!(sentences(&report), ["Row 20: the row repeats the names of the columns. Delete it."]);
    assert_eq!(items.len(), 18);
}

/// Rows before the header is known wait for it.
#[test]
fn a_header_is_repeated_among_the_first_rows_too() {
    let folder = qrpress_testkit::TempDir::new();
    let (file, body) = (folder.path().join("file"), folder.path().join("body"));
    fs::write(&file, "Target,Room\na,b\nTarget,Room\nc,d\n").unwrap();
    fs::write(&body, "").unwrap();
    let columns = [(Role::Data, qrpress_spreadsheet::ColumnChoice::At(0))];
    let report = read_spreadsheet(&ReadRequest { columns: &columns, ..request(&file, &body) }).unwrap();
    assert_eq!(sentences(&report), ["Row 3: the row repeats the names of the columns. Delete it."]);
}

#[test]
fn an_escape_stands_in_one_run() {
    let rows = row(2, "<c r=\"A2\" t=\"inlineStr\"><is><r><t>_x00</t></r><r><t>41_</t></r></is></c>")
        + &row(3, "<c r=\"A3\" t=\"inlineStr\"><is><r><t>_x0041_</t></r><r><t>b</t></r></is></c>")
        + &row(4, "<c r=\"A4\" t=\"s\"><v>0</v></c>");
    let strings = "<sst><si><r><t>_x00</t></r><r><t>41_</t></r></si></sst>";
    let (_, items) = read_items(&[("sheet.xml", &sheet(&rows, "")), ("strings.xml", strings)]);
    assert_eq!(items, ["{\"data\":\"_x0041_\"}", "{\"data\":\"Ab\"}", "{\"data\":\"_x0041_\"}"]);
}

#[test]
fn a_date_has_decimals_and_no_zone_of_a_place() {
    let styles = styles("yyyy-mm-dd hh:mm:ss");
    let read = |date: &str| {
        let rows = row(2, &format!("<c r=\"A2\" s=\"1\" t=\"d\"><v>{date}</v></c>"));
        read_items(&[("sheet.xml", &sheet(&rows, "")), ("styles.xml", &styles)])
    };
    for date in ["2026-01-31T12:30:05.0000000001", "2026-01-31T12:30:05+00:00", "2026-01-31T12:30:05.1Z"] {
        assert_eq!(read(date).1, ["{\"data\":\"2026-01-31 12:30:05\"}"], "{date}");
    }
    let (report, _) = read("2026-01-31T12:30:05+01:00");
    assert!(matches!(report.problems[0].fault, Fault::ZonedDate(_)));
    for date in ["2026-01-31T12:30:05.", "2026-01-31T12:30:05.1e1", "2026-02-31T12:30:05+01:00"] {
        assert!(matches!(read(date).0.problems[0].fault, Fault::NoDate(_)), "{date}");
    }
}

#[test]
fn the_mark_of_the_end_of_a_file_is_no_text() {
    for end in ["\u{1a}", "\n\u{1a}", "\u{1a}\u{1a}\u{1a}"] {
        let (report, items) = read_text(format!("url\na\nb{end}").as_bytes());
        assert_eq!(sentences(&report), [""; 0], "{end:?}");
        assert_eq!(items, ["{\"data\":\"a\"}", "{\"data\":\"b\"}"], "{end:?}");
    }
    // It stands at the border of two blocks.
    let long = format!("url\n{}\u{1a}", "x".repeat(64 * 1024 - 5));
    assert_eq!(read_text(long.as_bytes()).0.problem_count, 0);
    assert!(matches!(read_text(b"url\na\x1ab\n").0.problems[0].fault, Fault::ControlCharacter(_)));
}

fn read_kind(kind: Kind, parts: &[(&str, &str)]) -> (Report, Vec<String>) {
    let composed = [(Role::Data, Composition::Kind { kind, fields: Vec::new(), are_open: false })];
    let folder = qrpress_testkit::TempDir::new();
    let (file, body) = (folder.path().join("file"), folder.path().join("body"));
    write_workbook(&file, parts);
    fs::write(&body, "").unwrap();
    let report = read_spreadsheet(&ReadRequest { composed: &composed, ..request(&file, &body) }).unwrap();
    let body = fs::read_to_string(body).unwrap();
    (report, body.lines().skip(1).filter(|line| !line.is_empty()).map(str::to_owned).collect())
}

fn kind_sheet(names: &[&str], cells: &[&str]) -> String {
    let mut rows = String::from("<row r=\"1\">");
    for (letter, name) in ('A'..).zip(names) {
        rows += &text(&format!("{letter}1"), name);
    }
    rows += "</row><row r=\"2\">";
    for (letter, cell) in ('A'..).zip(cells) {
        write!(rows, "<c r=\"{letter}2\" {cell}</c>").unwrap();
    }
    format!("<worksheet><sheetData>{rows}</row></sheetData></worksheet>")
}

#[test]
fn fields_of_dates_take_the_value_of_a_cell() {
    let title = "t=\"inlineStr\"><is><t>Fair</t></is>";
    for (format, number, expected) in [
        ("dd.mm.yyyy hh:mm", "46110.375", "DTSTART:20260329T090000"),
        ("mm-dd-yy h:mm", "46110.41666666666", "DTSTART:20260329T100000"),
        ("[$-407]d. mmmm yyyy", "46110", "DTSTART;VALUE=DATE:20260329"),
        ("hh:mm", "46110.375", "DTSTART:20260329T090000"),
    ] {
        let start = format!("s=\"1\"><v>{number}</v>");
        let sheet = kind_sheet(&["title", "start"], &[title, &start]);
        let parts = [("sheet.xml", sheet.as_str()), ("styles.xml", &styles(format))];
        let (report, items) = read_kind(Kind::Event, &parts);
        assert_eq!(sentences(&report), [""; 0], "{format}");
        assert!(items[0].contains(expected) && report.notices.is_empty(), "{items:?} {:?}", report.notices);
    }
    let country = "<styleSheet><cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/></cellXfs></styleSheet>";
    let sheet = kind_sheet(&["title", "start"], &[title, "s=\"1\"><v>46110</v>"]);
    let (report, items) = read_kind(Kind::Event, &[("sheet.xml", &sheet), ("styles.xml", country)]);
    assert_eq!((sentences(&report), items.len()), (Vec::new(), 1));
    // Cells of times, and of moments that show the time alone.
    let formats = "<styleSheet><cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/><xf numFmtId=\"20\"/></cellXfs></styleSheet>";
    let cells = ["s=\"1\"><v>46110</v>", "s=\"2\"><v>0.75</v>", "s=\"2\"><v>46110.875</v>"];
    let sheet = kind_sheet(&["title", "Datum", "Uhrzeit", "Endzeit"], &[title, cells[0], cells[1], cells[2]]);
    let (report, items) = read_kind(Kind::Event, &[("sheet.xml", &sheet), ("styles.xml", formats)]);
    assert_eq!((sentences(&report), items.len()), (Vec::new(), 1));
    let expected = "DTSTART:20260329T180000\\r\\nDTEND:20260329T210000\\r\\n";
    assert!(items[0].contains(expected) && report.notices.is_empty(), "{items:?} {:?}", report.notices);
    let sheet = kind_sheet(&["title", "Datum", "Uhrzeit"], &[title, cells[0], "><v>0.75</v>"]);
    let (report, _) = read_kind(Kind::Event, &[("sheet.xml", &sheet), ("styles.xml", formats)]);
    assert!(matches!(report.problems[0].fault, Fault::NumberForDate));
    // A number in no date format is no date, and what a caption shows has to be known.
    let sheet = kind_sheet(&["title", "start"], &[title, "><v>46110</v>"]);
    let (report, _) = read_kind(Kind::Event, &[("sheet.xml", &sheet)]);
    assert!(matches!(report.problems[0].fault, Fault::NumberForDate));
}

#[test]
fn fields_of_numbers_take_the_value_of_a_cell() {
    let cells = |amount: &str| {
        let text = |text: &str| format!("t=\"inlineStr\"><is><t>{text}</t></is>");
        kind_sheet(&["name", "iban", "amount"], &[&text("A"), &text("BE68539007547034"), amount])
    };
    for (format, number, expected) in [
        ("#,##0.00 &quot;€&quot;", "1234.5", Ok("EUR1234.50")),
        ("#,##0", "12.299999999999999", Ok("EUR12.30")),
        ("0", "0.25", Ok("EUR0.25")),
        ("#,##0.00", "1.005", Err(None)),
        ("[$EUR] #,##0.00", "5", Ok("EUR5.00")),
        ("_-* #,##0.00\\ [$€-407]_-", "5", Ok("EUR5.00")),
        ("yyyy-mm-dd", "46110", Err(Some(Fault::DateForNumber))),
        ("[$$-409]#,##0.00", "5", Err(Some(Fault::NumberWithUnit))),
        ("[$CHF] #,##0.00", "5", Err(Some(Fault::NumberWithUnit))),
        ("#,##0.00\\ &quot;zł&quot;", "5", Err(Some(Fault::NumberWithUnit))),
        ("_-£* #,##0.00_-", "5", Err(Some(Fault::NumberWithUnit))),
        ("0%", "0.05", Err(Some(Fault::NumberWithUnit))),
        ("0.00;0.00", "-5", Err(None)),
    ] {
        let sheet = cells(&format!("s=\"1\"><v>{number}</v>"));
        let parts = [("sheet.xml", sheet.as_str()), ("styles.xml", &styles(format))];
        let (report, items) = read_kind(Kind::Payment, &parts);
        match expected {
            Ok(amount) => assert!(items.len() == 1 && items[0].contains(amount), "{format} {items:?}"),
            Err(expected) => {
                let fault = report.problems.first().map(|problem| &problem.fault);
                let is_expected = expected
                    .map_or(matches!(fault, Some(Fault::Kind(_))), |expected| fault == Some(&expected));
                assert!(is_expected, "{format}: {fault:?}");
            }
        }
    }
}

#[test]
fn an_expiry_that_shows_a_month_is_its_end() {
    for (format, name, expected) in [
        ("mmm-yy", "expiry", "?17=260300"),
        ("mm/yyyy", "expiry", "?17=260300"),
        ("dd.mm.yyyy", "expiry", "?17=260301"),
        ("mm/yyyy", "MHD", "?15=260300"),
        ("dd.mm.yyyy", "MHD", "?15=260301"),
    ] {
        let gtin = "t=\"inlineStr\"><is><t>4006381333931</t></is>";
        let sheet = kind_sheet(&["gtin", name], &[gtin, "s=\"1\"><v>46082</v>"]);
        let parts = [("sheet.xml", sheet.as_str()), ("styles.xml", &styles(format))];
        let (_, items) = read_kind(Kind::DigitalLink, &parts);
        assert!(items.len() == 1 && items[0].contains(expected), "{format} {items:?}");
    }
}

#[test]
fn all_columns_and_their_first_cells_are_told() {
    let (mut names, mut cells) = (String::from("x"), String::from("y"));
    for column in 1..500 {
        write!(names, ",n{column}").unwrap();
        write!(cells, ",v{column}").unwrap();
    }
    let (report, items) = read_text(format!("{names},url\n{cells},a\n").as_bytes());
    assert_eq!(items, ["{\"data\":\"a\"}"]);
    assert_eq!((report.columns.len(), report.columns[500].role), (501, Some(Role::Data)));
    assert_eq!(report.first_rows[0].cells[499], "v499");
    // The cells that are told are bounded together.
    let wide = format!("{}url\n{}a\n", "n,".repeat(3_000), format!("{},", "v".repeat(100)).repeat(3_000));
    let (report, _) = read_text(wide.as_bytes());
    let bytes: usize = report.first_rows[0].cells.iter().map(String::len).sum();
    assert!((90_000..=100_000).contains(&bytes), "{bytes}");
}

#[test]
fn the_first_sheet_with_what_the_codes_need_is_opened_where_it_is_looked_for() {
    let workbook = "<workbook><sheets><sheet name=\"Cover\" id=\"s\"/><sheet name=\"Hidden\" state=\"hidden\" id=\"c\"/>\
        <sheet name=\"Codes\" id=\"c\"/></sheets></workbook>";
    let list =
        relations(&(relation("s", "worksheet", "sheet.xml") + &relation("c", "worksheet", "codes.xml")));
    let cover = format!("<worksheet><sheetData>{}</sheetData></worksheet>", row(1, &text("A1", "Welcome")));
    let codes = sheet(&row(2, &text("A2", "a")), "");
    let parts = [
        ("workbook.xml", workbook),
        ("_rels/workbook.xml.rels", list.as_str()),
        ("sheet.xml", cover.as_str()),
        ("codes.xml", codes.as_str()),
    ];
    let (report, items) = read_with(&parts, |request| request.finds_sheet = true);
    assert_eq!((report.sheet.as_deref(), items.len()), (Some("Codes"), 1));
    assert_eq!((report.sheets.len(), report.fitting_sheets), (3, vec!["Codes".to_owned()]));
    let (report, _) =
        read_with(&parts, |request| (request.sheet, request.finds_sheet) = (Some("Cover"), true));
    assert_eq!(report.sheet.as_deref(), Some("Cover"));
    let (report, _) = read_with(&parts, |request| {
        (request.layout, request.finds_sheet) = (SheetLayout::NoHeader, true);
    });
    assert_eq!(report.sheet.as_deref(), Some("Cover"));
    assert_eq!(read_with(&parts, |_| ()).0.sheet.as_deref(), Some("Cover"));
}

#[test]
fn a_sheet_that_speaks_for_a_kind_is_opened_where_none_has_links() {
    let workbook = "<workbook><sheets><sheet name=\"Cover\" id=\"s\"/><sheet name=\"Networks\" id=\"c\"/></sheets></workbook>";
    let list =
        relations(&(relation("s", "worksheet", "sheet.xml") + &relation("c", "worksheet", "networks.xml")));
    let cover = format!("<worksheet><sheetData>{}</sheetData></worksheet>", row(1, &text("A1", "Welcome")));
    let rows = row(1, &(text("A1", "SSID") + &text("B1", "Passwort")))
        + &row(2, &(text("A2", "a") + &text("B2", "welcome-1")));
    let networks = format!("<worksheet><sheetData>{rows}</sheetData></worksheet>");
    let parts = [
        ("workbook.xml", workbook),
        ("_rels/workbook.xml.rels", list.as_str()),
        ("sheet.xml", cover.as_str()),
        ("networks.xml", networks.as_str()),
    ];
    let (report, _) = read_with(&parts, |request| request.finds_sheet = true);
    assert_eq!((report.sheet.as_deref(), report.asks_for_columns), (Some("Networks"), true));
    assert_eq!(report.proposal.map(|proposal| proposal.fields), Some(vec![("ssid", 0), ("password", 1)]));
    assert!(report.fitting_sheets.is_empty());
}

#[test]
fn a_sheet_with_links_is_opened_where_none_names_its_data() {
    let workbook = "<workbook><sheets><sheet name=\"Cover\" id=\"s\"/><sheet name=\"Objects\" id=\"c\"/></sheets></workbook>";
    let list =
        relations(&(relation("s", "worksheet", "sheet.xml") + &relation("c", "worksheet", "objects.xml")));
    let of = |rows: String| format!("<worksheet><sheetData>{rows}</sheetData></worksheet>");
    let pair = |number: u32, first: &str, second: &str| {
        row(number, &(text(&format!("A{number}"), first) + &text(&format!("B{number}"), second)))
    };
    let cover = of(pair(1, "Museum:", "www.museum.example") + &pair(2, "Editor:", "Ada"));
    let objects = of(row(1, &text("A1", "All objects"))
        + &pair(3, "No.", "Audio guide")
        + &pair(4, "1", "https://museum.example/1"));
    let parts = [
        ("workbook.xml", workbook),
        ("_rels/workbook.xml.rels", list.as_str()),
        ("sheet.xml", cover.as_str()),
        ("objects.xml", objects.as_str()),
    ];
    let (report, _) = read_with(&parts, |request| request.finds_sheet = true);
    assert_eq!((report.sheet.as_deref(), report.links_column), (Some("Objects"), Some(1)));
}

#[test]
fn links_to_pages_go_before_pictures() {
    let read = |text: &str| read_text(text.as_bytes()).0;
    let pictures = "EAN;Bild;Blatt;Seite\n4006381333931;https://a.example/1.JPG?w=9;https://a.example/1.pdf;";
    assert_eq!(read(&format!("{pictures}https://a.example/1\n")).links_column, Some(3));
    assert_eq!(read(&format!("{pictures}\n")).links_column, Some(1));
}

#[test]
fn other_columns_of_links_are_told() {
    let told = |text: &str| read_text(text.as_bytes()).0.notices;
    let rows = "a,https://a.example/1,https://s.example/1\nb,https://a.example/2,https://s.example/2\n";
    assert_eq!(
        told(&format!("Name,Destination,Short URL\n{rows}")),
        ["Column B (Destination) holds links, too; the codes have those of column C (Short URL)."]
    );
    assert_eq!(
        told(&format!("Caption,Filename,Short URL\n{rows}")),
        Vec::<String>::new(),
        "the other ones are used"
    );
    assert_eq!(
        told(
            "URL,Short,Page,Picture\nhttps://a.example,https://b.example,www.c.example,https://d.example/1.png\n"
        ),
        ["Columns B (Short) and C (Page) hold links, too; the codes have those of column A (URL)."]
    );
    assert_eq!(told("Link,Short\nGate 7,https://b.example\n"), Vec::<String>::new());
    let text = format!("Name,Destination,Short URL\n{rows}");
    let folder = qrpress_testkit::TempDir::new();
    let (file, body) = (folder.path().join("file"), folder.path().join("body"));
    fs::write(&file, text).unwrap();
    fs::write(&body, "").unwrap();
    let columns = [(Role::Data, qrpress_spreadsheet::ColumnChoice::At(2))];
    let report = read_spreadsheet(&ReadRequest { columns: &columns, ..request(&file, &body) }).unwrap();
    assert_eq!(report.notices, Vec::<String>::new(), "the person chose");
    fs::write(&file, "Landing page,Full URL\nhttps://a.example/1,https://a.example/1?utm=2\n").unwrap();
    let columns = [(Role::Data, qrpress_spreadsheet::ColumnChoice::At(0))];
    let report = read_spreadsheet(&ReadRequest { columns: &columns, ..request(&file, &body) }).unwrap();
    assert_eq!(
        report.notices,
        ["Column B (Full URL) holds links, too; the codes have those of column A (Landing page)."]
    );
    let columns = [(Role::Data, qrpress_spreadsheet::ColumnChoice::Named("Full URL".to_owned()))];
    let report = read_spreadsheet(&ReadRequest { columns: &columns, ..request(&file, &body) }).unwrap();
    assert_eq!(report.notices, Vec::<String>::new(), "the person chose by the name");
}

#[test]
fn titles_of_groups_of_columns_are_above_their_names() {
    let titles = row(1, &(text("A1", "Person") + &text("C1", "Reach") + &text("D1", "Place")));
    let names = ["Vorname", "Nachname", "Telefon", "Ort"];
    let cells = |number: u32, texts: [&str; 4]| {
        let columns = ["A", "B", "C", "D"].into_iter().zip(texts);
        row(
            number,
            &columns.map(|(column, cell)| text(&format!("{column}{number}"), cell)).collect::<String>(),
        )
    };
    let rows = titles + &cells(2, names) + &cells(3, ["Eva", "Meier", "+49 221 2345", "Berlin"]);
    let merged = "<mergeCells><mergeCell ref=\"A1:B1\"/></mergeCells>";
    let sheet = format!("<worksheet><sheetData>{rows}</sheetData>{merged}</worksheet>");
    let (report, items) = read_kind(Kind::Contact, &[("sheet.xml", &sheet)]);
    assert_eq!(sentences(&report), [""; 0]);
    assert_eq!(report.columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>(), names);
    assert!(items.len() == 1 && items[0].contains("Meier"), "{items:?}");
}

/// A cell that is merged downwards shows that the names take two rows.
#[test]
fn a_heading_of_two_rows_names_the_columns() {
    let cells = |number: u32, texts: [&str; 3]| {
        let columns = ["A", "B", "C"].into_iter().zip(texts).filter(|(_, cell)| !cell.is_empty());
        row(
            number,
            &columns.map(|(column, cell)| text(&format!("{column}{number}"), cell)).collect::<String>(),
        )
    };
    let book = |heading: &str, merged: &[&str]| {
        let merged = merged.join("\"/><mergeCell ref=\"");
        let links = ["1", "2", "3"].map(|place| format!("https://a.example/{place}"));
        let items: String =
            (0..3).map(|index| cells(index + 3, ["1", "2", &links[index as usize]])).collect();
        format!(
            "<worksheet><sheetData>{heading}{items}</sheetData><mergeCells><mergeCell ref=\"{merged}\"/></mergeCells></worksheet>"
        )
    };
    let names = |report: &Report| report.columns.iter().map(|column| column.name.clone()).collect::<Vec<_>>();
    let two = cells(1, ["Regal", "", "Link"]) + &cells(2, ["Reihe", "Fach", ""]);
    let (report, items) = read_items(&[("sheet.xml", &book(&two, &["A1:B1", "C1:C2"]))]);
    assert_eq!(sentences(&report), [""; 0]);
    assert_eq!((names(&report), items.len()), (vec!["Reihe".into(), "Fach".into(), "Link".into()], 3));
    assert_eq!((report.rows_before_line_1, report.first_rows[0].row), (1, 3));
    // Places may be numbers.
    let numbers = cells(1, ["Regal", "", "Link"]) + &cells(2, ["1", "2", ""]);
    let (report, items) = read_items(&[("sheet.xml", &book(&numbers, &["A1:B1", "C1:C2"]))]);
    assert_eq!((sentences(&report).len(), items.len()), (0, 3));
    // Every cell is merged.
    let all = cells(1, ["Regal", "Fach", "Link"]);
    let (report, items) = read_items(&[("sheet.xml", &book(&all, &["A1:A2", "B1:B2", "C1:C2"]))]);
    assert_eq!((sentences(&report).len(), items.len()), (0, 3));
    // The names are in the second row.
    let second = cells(1, ["Regal", "", "Notiz"]) + &cells(2, ["Reihe", "Link", ""]);
    let (report, _) = read_items(&[("sheet.xml", &book(&second, &["A1:B1", "C1:C2"]))]);
    assert_eq!(names(&report), ["Reihe", "Link", "Notiz"]);
    // A row that has a link is an item.
    let item = cells(1, ["Regal", "Fach", "Link"]) + &cells(2, ["", "1", "https://a.example/0"]);
    let (report, items) = read_items(&[("sheet.xml", &book(&item, &["A1:A2"]))]);
    assert_eq!((sentences(&report).len(), items.len()), (0, 4));
}

/// More rows are there than are looked at for the column that names pictures.
#[test]
fn a_heading_of_two_rows_is_kept_where_a_column_names_the_pictures() {
    let cells = |number: u32, texts: [&str; 4]| {
        let columns = ["A", "B", "C", "D"].into_iter().zip(texts).filter(|(_, cell)| !cell.is_empty());
        row(
            number,
            &columns.map(|(column, cell)| text(&format!("{column}{number}"), cell)).collect::<String>(),
        )
    };
    let mut rows = cells(1, ["Caption", "Network", "", ""]) + &cells(2, ["", "SSID", "Password", "Asset"]);
    for number in 3..=122 {
        rows += &cells(number, [&format!("Cap {number}"), "Net", "secret-1", &format!("Asset {number} x")]);
    }
    let merged = "<mergeCells><mergeCell ref=\"A1:A2\"/><mergeCell ref=\"B1:D1\"/></mergeCells>";
    let sheet = format!("<worksheet><sheetData>{rows}</sheetData>{merged}</worksheet>");
    let (report, items) = read_kind(Kind::Wifi, &[("sheet.xml", &sheet)]);
    assert_eq!((sentences(&report).len(), items.len()), (0, 120));
    for part in ["\"filename\":\"Asset 3 x\"", "\"caption\":\"Cap 3\""] {
        assert!(items[0].contains(part), "{}", items[0]);
    }
}

#[test]
fn numbers_of_contacts_that_lost_their_start_are_told() {
    let number = |place: &str, number: &str| format!("<c r=\"{place}\"><v>{number}</v></c>");
    let rows = row(1, &(text("A1", "Name") + &text("B1", "Mobil")))
        + &row(2, &(text("A2", "Eva") + &number("B2", "1712345678")))
        + &row(3, &(text("A3", "Jan") + &number("B3", "491719876543")))
        + &row(4, &(text("A4", "Uli") + &text("B4", "(0171) 5556677")))
        + &row(5, &(text("A5", "Ada") + &text("B5", "+49 171 5556677")));
    let sheet = format!("<worksheet><sheetData>{rows}</sheetData></worksheet>");
    let (report, items) = read_kind(Kind::Contact, &[("sheet.xml", &sheet)]);
    assert_eq!((sentences(&report), items.len()), (Vec::new(), 4));
    assert_eq!(
        report.notices[1..],
        [
            "2 telephone numbers have neither a plus nor a 0 at the start: choose the country, or phones may not dial what is meant; \
             the first is in row 2, column B."
        ]
    );
}

#[test]
fn a_text_is_read_in_the_encoding_that_the_person_names() {
    let bytes = b"data,caption\nhttps://example.org,Slo\xe8ka\n";
    let (report, items) = read_text(bytes);
    assert_eq!((report.encoding, items.len()), (Some("windows-1252"), 1));
    assert!(
        items[0].contains("Sloèka")
            && report.notices[0].contains("Look at these values: row 2, column B: Sloèka.")
    );
    let folder = qrpress_testkit::TempDir::new();
    let (file, body) = (folder.path().join("file"), folder.path().join("body"));
    let encoding = Encoding::for_label(b"windows-1250");
    let read = |bytes: &[u8]| {
        fs::write(&file, bytes).unwrap();
        fs::write(&body, "").unwrap();
        read_spreadsheet(&ReadRequest { encoding, ..request(&file, &body) }).unwrap()
    };
    let report = read(bytes);
    assert!(
        report.notices[0].starts_with("The file is not UTF-8; it is read as Windows-1250."),
        "{:?}",
        report.notices
    );
    assert!(fs::read_to_string(&body).unwrap().contains("Sločka"));
    // A byte order mark goes before, and a sure guess is as good as a name.
    assert_eq!(read("\u{feff}data\nDvořák\n".as_bytes()).encoding, None);
    let (cyrillic, items) = read_text(b"data,caption\na,\xcc\xee\xf1\xea\xe2\xe0\n");
    assert_eq!((cyrillic.encoding, cyrillic.asks_for_encoding), (Some("windows-1251"), false));
    assert!(items[0].contains("Москва"));
    // Czech, with a byte that Windows-1252 has no character for, which may stand far down.
    for rows in [1, 40_000] {
        let czech =
            [&b"Otev\xf8en\xe1;\xddlut\xe1\n"[..], &b"\xe8;x\n".repeat(rows)[..], b"Hradi\x9a\x9d;x\n"]
                .concat();
        let (report, _) = read_text(&[b"data;caption\n".as_slice(), &czech].concat());
        assert_eq!((report.encoding, report.problem_count), (Some("windows-1250"), 0));
    }
}

#[test]
fn the_letters_in_doubt_of_a_long_value_are_shown() {
    let sample = |text: &str| {
        let bytes = Encoding::for_label(b"windows-1252").unwrap().encode(text).0;
        let (report, _) = read_text(&[b"url;caption\nhttps://example.org;", &bytes[..], b"\n"].concat());
        let (_, value) = report.notices[0].split_once("column B: ").unwrap();
        value.split_once(". Where they are wrong").unwrap().0.to_owned()
    };
    let words = "word ".repeat(20);
    assert_eq!(
        sample(&format!("{words}Sloèka {words}")),
        format!("…{}Sloèka {}…", &words[73..], &words[..26])
    );
    // Letters that are the same in both encodings are in no doubt.
    assert_eq!(sample(&format!("Küche {words}Sloèka")), format!("…{}Sloèka", &words[73..]));
    assert_eq!(sample(&format!("Küche {words}")), format!("Küche {}…", &words[..54]));
    // Values without a letter in doubt show nothing.
    let samples = sample("Küche\nx;Größe\nx;Tür\nx;Sloèka\nx;Šuèka\nx;Bjørk");
    assert_eq!(samples, "Sloèka; row 6, column B: Šuèka; row 7, column B: Bjørk");
    assert_eq!(sample(&format!("{}ø{words}", &words[..29])), format!("{}ø{}…", &words[..29], &words[..30]));
}

#[test]
fn short_lists_of_central_europe_are_windows_1250() {
    for (list, shown) in [
        ("Šumperk\nŽatec\nNáchod\nPlzeň\nTřebíč", "row 5, column A: Plzeň; row 6, column A: Třebíč"),
        ("Žiga\nŠpela\nMiha Čovič\nĐorđe", "row 4, column A: Miha Čovič; row 5, column A: Đorđe"),
        ("Šibenik\nPoreč\nČakovec", "row 3, column A: Poreč; row 4, column A: Čakovec"),
        (
            "Žiga\nCafé Šport\nŽarko\nCafé Šport\nČović\nĐurđa",
            "row 6, column A: Čović; row 7, column A: Đurđa",
        ),
    ] {
        let bytes = Encoding::for_label(b"windows-1250").unwrap();
        let (report, _) = read_text(&bytes.encode(&format!("data\n{list}\n")).0);
        assert_eq!((report.encoding, report.asks_for_encoding), (Some("windows-1250"), true), "{list}");
        assert!(
            report.notices[0].contains(&format!("Look at these values: {shown}.")),
            "{:?}",
            report.notices
        );
    }
}

#[test]
fn names_of_columns_tell_windows_1250() {
    for (bytes, value) in [
        (&b"Odkaz;N\xe1zev souboru;Popisek\r\nhttps://example.org;a;Dvo\xf8\xe1k\r\n"[..], "Dvořák"),
        (b"sep=;\n\"Odkaz\";\"Popisek\"\nhttps://example.org;Dvo\xf8\xe1k\n", "Dvořák"),
        (b"url,Tytu\xb3\nhttps://example.org,\xa3\xf3dka\n", "Łódka"),
        (b"url\tFelirat\nhttps://example.org\tGy\xf5r\n", "Győr"),
    ] {
        let (report, items) = read_text(bytes);
        assert_eq!(
            (report.encoding, items.len()),
            (Some("windows-1250"), 1),
            "{value}: {:?}",
            report.problems
        );
        assert!(items[0].contains(value) && report.notices[0].contains(value), "{items:?}");
        assert!(report.notices[0].contains("read as Windows-1250"), "{:?}", report.notices);
    }
    for bytes in [
        &b"url;L\xe9gende\nhttps://example.org;Caf\xe9\n"[..],
        b"l\xe4nk;namn\nhttps://example.org;\xc5se\n",
        b"dane;navn\nhttps://example.org;S\xf8ren\n",
    ] {
        assert_eq!(read_text(bytes).0.encoding, Some("windows-1252"), "{bytes:x?}");
    }
}

#[test]
fn letters_that_are_others_in_another_encoding_are_asked_for() {
    let asks = |bytes: &[u8]| read_text(bytes).0.asks_for_encoding;
    assert!(asks(b"url;caption\nhttps://example.org;Slo\xe8ka\n"));
    // Polish, of which the bytes may be those of a Mac, or of ISO-8859-2.
    assert!(asks(b"url;caption\nhttps://example.org;Wo\x9fniak\n"));
    assert!(asks(b"url;caption\nhttps://example.org;Wroc\xb3aw\n"));
    // In both encodings these are the same letters, or no letters.
    assert!(!asks(b"url;caption\nhttps://example.org;K\xfcche, 5 \x80, 3 \xa3\n"));
    assert!(!asks(b"url;note\nhttps://example.org;Slo\xe8ka\n"));
    assert!(!asks("url;caption\nhttps://example.org;Søren\n".as_bytes()));
}

#[test]
fn titles_of_people_are_no_captions() {
    let role = |names: &str| {
        read_text(format!("{names}\nMr,Tom,Byrne,https://example.org\n").as_bytes()).0.columns[0].role
    };
    assert_eq!(role("Title,First name,Surname,RSVP link"), None);
    assert_eq!(role("Title,First name,Number,Link"), Some(Role::Caption));
}

#[test]
fn a_column_of_nothing_but_links_is_found_without_a_name() {
    let found = |text: &str| read_text(text.as_bytes()).0.links_column;
    assert_eq!(found("Teil;Ziel;Bild\na;https://example.org/1;x\nb;WWW.example.org;y\n"), Some(1));
    assert_eq!(found("Teil;Ziel\na;https://example.org/1\nb;none\n"), None);
    assert_eq!(found("Bild;Audio\na;audio.museum.example/de/1\nb;audio.museum.example/de/2\n"), Some(1));
    assert_eq!(found("Teil;Ort\na;St.Gallen/CH\nb;km/h\n"), None);
    assert_eq!(found("https://example.org/1;x\nhttps://example.org/2;y\n"), Some(0));
    assert_eq!(found("Teil;url;Ziel\na;b;https://example.org/1\n"), None);
    assert_eq!(found("Raum;SSID;Passwort;Ziel\nA;B;welcome-1;https://example.org/1\n"), Some(3));
    let (report, _) = read_text(b"Telefon;Ziel\n030 1234;https://example.org/1\n");
    assert_eq!((report.links_column, report.proposal), (Some(1), None));

    let links = "<hyperlinks><hyperlink ref=\"B2\" r:id=\"r1\"/><hyperlink ref=\"B3\" r:id=\"r1\"/>\
        <hyperlink ref=\"A2\" r:id=\"r2\"/><hyperlink ref=\"A3\" r:id=\"r2\"/></hyperlinks>";
    let external = |id: &str, target: &str| {
        relation(id, "hyperlink", target).replace("/>", " TargetMode=\"External\"/>")
    };
    let targets = external("r1", "https://a.example/1") + &external("r2", "mailto:x@a.example");
    let rows = [["Gast", "Karte"], ["Ada", "Zum Ticket"], ["Ben", "Zum Ticket"]];
    let rows = (1..).zip(rows).fold(String::new(), |rows, (number, [a, b])| {
        rows + &row(number, &(text(&format!("A{number}"), a) + &text(&format!("B{number}"), b)))
    });
    let sheet = format!("<worksheet><sheetData>{rows}</sheetData>{links}</worksheet>");
    let parts = [("sheet.xml", sheet.as_str()), ("_rels/sheet.xml.rels", &relations(&targets))];
    assert_eq!(read_items(&parts).0.links_column, Some(1));
}

#[test]
fn a_polish_list_with_a_czech_name_is_windows_1250() {
    let bytes = Encoding::for_label(b"windows-1250").unwrap();
    let list = "Imię;Nazwisko;Telefon;Treść\nJiří;Dvořák;1;a\nPaweł;Michałowski;2;b\n";
    let (report, _) = read_text(&bytes.encode(list).0);
    assert_eq!((report.encoding, report.problems.as_slice()), (Some("windows-1250"), &[][..]));
    assert!(!report.asks_for_encoding);
}
