//! Things that stand beside the items of a workbook: boxes, blank texts, other columns' names and merged cells are no faults.

use std::fmt::Write as _;
use std::fs;

use qrpress_spreadsheet::{Composition, Kind, ReadRequest, Role, read_spreadsheet};

use crate::workbook::{read, read_items, request, sheet, write_workbook};

/// A cell of a text.
fn text(place: &str, text: &str) -> String {
    format!("<c r=\"{place}\" t=\"inlineStr\"><is><t xml:space=\"preserve\">{text}</t></is></c>")
}

/// A sheet with `items` items in column A, and in its rows, and in as many below them, `beside` in column C.
fn sheet_with(items: usize, beside: impl Fn(&str) -> String) -> String {
    let mut rows = String::new();
    for row in 2..2 + 2 * items {
        let data = if row < 2 + items { text(&format!("A{row}"), "a") } else { String::new() };
        write!(rows, "<row r=\"{row}\">{data}{}</row>", beside(&format!("C{row}"))).unwrap();
    }
    sheet(&rows, "")
}

/// Spreadsheet programs fill whole columns with these.
#[test]
fn boxes_that_nobody_has_ticked_and_blank_texts_are_no_rows() {
    let strings = "<sst><si><t xml:space=\"preserve\"> </t></si><si><t/></si></sst>";
    for beside in [
        "t=\"b\"><v>0</v></c>",
        "t=\"b\"><v>false</v></c>",
        "t=\"s\"><v>0</v></c>",
        "t=\"s\"><v>1</v></c>",
        "t=\"str\"><f>\"\"</f><v> </v></c>",
        "t=\"inlineStr\"><is><t xml:space=\"preserve\"> </t></is></c>",
    ] {
        // The first rows are shown before a job is made, and are read whole.
        for items in [2, 20] {
            let sheet = sheet_with(items, |place| format!("<c r=\"{place}\" {beside}"));
            let (report, found) = read_items(&[("sheet.xml", &sheet), ("strings.xml", strings)]);
            assert_eq!((report.problems.as_slice(), found.len()), (&[][..], items), "{beside}");
        }
    }
    for beside in ["t=\"b\"><v>1</v></c>", "t=\"b\"><v>true</v></c>", "><v>0</v></c>"] {
        for items in [2, 20] {
            let report =
                read(&[("sheet.xml", &sheet_with(items, |place| format!("<c r=\"{place}\" {beside}")))]);
            assert_eq!(report.problem_count, items as u64, "{beside}");
        }
    }
}

#[test]
fn no_picture_is_named_after_a_recognised_column_with_merged_cells() {
    let row = |number: u32, [a, b]: [&str; 2]| {
        let a = if a.is_empty() { String::new() } else { text(&format!("A{number}"), a) };
        format!("<row r=\"{number}\">{a}{}</row>", text(&format!("B{number}"), b))
    };
    let rows = row(1, ["Name", "Link"])
        + &row(2, ["Press 1", "https://example.org/1"])
        + &row(3, ["", "https://example.org/2"]);
    let merged = "<mergeCells><mergeCell ref=\"A2:A3\"/></mergeCells>";
    let sheet = format!("<worksheet><sheetData>{rows}</sheetData>{merged}</worksheet>");
    let (report, items) = read_items(&[("sheet.xml", &sheet)]);
    assert_eq!((report.problems.as_slice(), items.len()), (&[][..], 2));
    assert!(!items[0].contains("Press"), "{}", items[0]);
    let told = "No picture is named after column A (Name): its cells A2:A3 are merged.";
    assert!(report.notices.iter().any(|notice| notice == told), "{:?}", report.notices);

    // A note below the list is left out, for which the sheet is read once more.
    let rows = rows + &row(4, ["", "Angaben ohne Gewähr"]);
    let folder = qrpress_testkit::TempDir::new();
    let (file, body) = (folder.path().join("file"), folder.path().join("body"));
    let sheet = format!("<worksheet><sheetData>{rows}</sheetData>{merged}</worksheet>");
    write_workbook(&file, &[("sheet.xml", &sheet)]);
    fs::write(&body, "").unwrap();
    let report =
        read_spreadsheet(&ReadRequest { leaves_placeholders: true, ..request(&file, &body) }).unwrap();
    assert!(report.items == 2 && report.notices.iter().any(|notice| notice == told), "{report:?}");
}

/// A field of a network is such a box.
#[test]
fn boxes_that_nobody_has_ticked_are_no_items_where_they_are_used() {
    let [header, item] = [(1, ["ssid", "password"]), (2, ["Guests", "welcome-1"])]
        .map(|(row, [a, b])| format!("{}{}", text(&format!("A{row}"), a), text(&format!("B{row}"), b)));
    let hidden = text("C1", "hidden");
    let mut rows = format!("<row r=\"1\">{header}{hidden}</row><row r=\"2\">{item}</row>");
    for row in 3..30 {
        write!(rows, "<row r=\"{row}\"><c r=\"C{row}\" t=\"b\"><v>0</v></c></row>").unwrap();
    }
    let sheet = format!("<worksheet><sheetData>{rows}</sheetData></worksheet>");
    let composed =
        [(Role::Data, Composition::Kind { kind: Kind::Wifi, fields: Vec::new(), are_open: false })];
    let folder = qrpress_testkit::TempDir::new();
    let (file, body) = (folder.path().join("file"), folder.path().join("body"));
    write_workbook(&file, &[("sheet.xml", &sheet)]);
    fs::write(&body, "").unwrap();
    let report = read_spreadsheet(&ReadRequest { composed: &composed, ..request(&file, &body) }).unwrap();
    assert_eq!((report.problems.as_slice(), report.items), (&[][..], 1));
    // A box may be what a code says.
    let rows = "<row r=\"2\"><c r=\"A2\" t=\"b\"><v>0</v></c></row>";
    let (_, items) = read_items(&[("sheet.xml", &crate::workbook::sheet(rows, ""))]);
    assert_eq!(items, ["{\"data\":\"FALSE\"}"]);
}

/// A plan may have days above its columns.
#[test]
fn a_name_that_cannot_be_read_matters_where_columns_are_asked_for() {
    let styles = "<styleSheet><cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/></cellXfs></styleSheet>";
    let sheet = |name: &str| {
        let names = text("A1", name) + &text("B1", "Room");
        let first = format!("<row r=\"1\">{names}<c r=\"C1\" s=\"1\"><v>46053</v></c></row>");
        format!(
            "<worksheet><sheetData>{first}<row r=\"2\">{}<c r=\"C2\"><v>8</v></c></row></sheetData></worksheet>",
            text("A2", "a")
        )
    };
    let (report, items) = read_items(&[("sheet.xml", &sheet("url")), ("styles.xml", styles)]);
    assert_eq!((report.problems.as_slice(), items), (&[][..], vec!["{\"data\":\"a\"}".to_owned()]));
    assert_eq!(report.unused_columns.unwrap(), "Not in the codes: column C.");
    let report = read(&[("sheet.xml", &sheet("Artikel")), ("styles.xml", styles)]);
    assert!(report.problems.iter().any(|problem| (problem.row, problem.column) == (Some(1), Some(2))));
    assert!(report.asks_for_columns);
}

#[test]
fn merged_cells_matter_where_rows_show_something() {
    let row = |number: u32, cells: &str| format!("<row r=\"{number}\">{cells}</row>");
    let items = row(2, &text("A2", "a")) + &row(3, &text("A3", "b"));
    let empty = "<c r=\"A9\"/><c r=\"B9\"/>";
    let merged = |cells: &str| format!("<mergeCells><mergeCell ref=\"{cells}\"/></mergeCells>");
    for (rows, cells, count) in [
        (items.clone(), "A2:A3", 1),
        (items.clone(), "A3:A4", 1),
        (items.clone(), "A4:A5", 0),
        (items.clone() + &row(9, empty), "A9:B12", 0),
        (items.clone() + &row(9, &text("A9", "c")), "A9:B9", 0),
        (items.clone() + &row(9, &text("A9", "c")), "A9:B12", 1),
    ] {
        let report = read(&[("sheet.xml", &sheet(&rows, &merged(cells)))]);
        assert_eq!(report.problem_count, count, "{cells}: {:?}", report.problems);
    }
}
