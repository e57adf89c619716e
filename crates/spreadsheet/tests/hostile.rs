//! Small workbooks that claim much: each is answered by a short report, in a short time.
#![allow(clippy::unwrap_used, reason = "the functions are parts of a test")]

use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;

use qrpress_spreadsheet::{Layout, Limits, ReadRequest, Report, read_spreadsheet};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const TYPES: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// The longest text of an attribute or cell that is read, about.
const LONG: usize = 900_000;

/// Bytes of a report that lists 100 problems, at most.
const REPORT_BYTES: usize = 60_000;

fn relations(list: &str) -> String {
    format!("<Relationships>{list}</Relationships>")
}

fn relation(id: &str, kind: &str, target: &str) -> String {
    format!("<Relationship Id=\"{id}\" Type=\"{TYPES}/{kind}\" Target=\"{target}\"/>")
}

fn sheet(rows: &str, rest: &str) -> String {
    format!(
        "<worksheet><sheetData><row r=\"1\"><c r=\"A1\" t=\"inlineStr\"><is><t>data</t></is></c></row>{rows}</sheetData>{rest}</worksheet>"
    )
}

const ITEM: &str = "<row r=\"2\"><c r=\"A2\" t=\"inlineStr\"><is><t>a</t></is></c></row>";

/// Reads a workbook of one sheet, some of whose parts are replaced.
fn read(replaced: &[(&str, &str)]) -> Report {
    let folder = tempfile::tempdir().unwrap();
    let (file, body) = (folder.path().join("file"), folder.path().join("body"));
    let mut zip = ZipWriter::new(File::create(&file).unwrap());
    let usual = [
        ("_rels/.rels", relations(&relation("r", "officeDocument", "workbook.xml"))),
        ("workbook.xml", "<workbook><sheets><sheet name=\"S\" id=\"s\"/></sheets></workbook>".to_owned()),
        (
            "_rels/workbook.xml.rels",
            relations(&(relation("s", "worksheet", "sheet.xml") + &relation("f", "styles", "styles.xml"))),
        ),
        ("sheet.xml", sheet(ITEM, "")),
        ("styles.xml", "<styleSheet/>".to_owned()),
    ];
    let is_replaced = |name: &str| replaced.iter().any(|(other, _)| *other == name);
    let usual =
        usual.iter().filter(|(name, _)| !is_replaced(name)).map(|(name, text)| (*name, text.as_str()));
    for (name, text) in usual.chain(replaced.iter().copied()) {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap();
    read_spreadsheet(&ReadRequest {
        file: &file,
        body: &body,
        meta: "{}",
        sheet: None,
        columns: &[],
        recognise: true,
        layout: Layout::Header,
        limits: Limits { max_items: 1_000_000, max_bytes: 100_000_000, max_problems: 100 },
    })
    .unwrap()
}

fn assert_short(report: &Report) {
    let bytes = format!("{report:?}").len();
    assert!(bytes < REPORT_BYTES, "the report has {bytes} bytes");
}

#[test]
fn usual_parts_make_an_item() {
    let report = read(&[]);
    assert_eq!((report.items, report.sheets), (1, vec!["S".to_owned()]));
}

#[test]
fn long_names_of_sheets_are_shortened() {
    let mut sheets = String::new();
    for sheet in 0..5 {
        write!(sheets, "<sheet name=\"{sheet}{}\" id=\"s\"/>", "n".repeat(LONG)).unwrap();
    }
    let report = read(&[("workbook.xml", &format!("<workbook><sheets>{sheets}</sheets></workbook>"))]);
    assert_eq!(report.items, 1);
    assert_short(&report);
}

#[test]
fn long_errors_are_shortened() {
    let rows = format!("<row r=\"2\"><c r=\"A2\" t=\"e\"><v>{}</v></c></row>", "E".repeat(LONG));
    let report = read(&[("sheet.xml", &sheet(&rows, ""))]);
    assert_eq!(report.problem_count, 1);
    assert_short(&report);
}

#[test]
fn long_references_of_merged_cells_are_shortened() {
    let merged = format!("<mergeCells><mergeCell ref=\"A{}2:A3\"/></mergeCells>", "0".repeat(LONG));
    let report = read(&[("sheet.xml", &sheet(ITEM, &merged))]);
    assert_eq!(report.problem_count, 1);
    assert_short(&report);
}

/// A sheet may name the same table a thousand times.
#[test]
fn a_table_begins_with_its_element() {
    let table = "<?x?>".repeat(1_000) + "<table/>";
    let parts =
        [("_rels/sheet.xml.rels", &*relations(&relation("t", "table", "table.xml"))), ("table.xml", &table)];
    let report = read(&parts);
    assert!(report.problems[0].message.contains("larger than any program"), "{:?}", report.problems);
}

#[test]
fn codes_of_number_formats_are_bounded_together() {
    let mut formats = String::new();
    for id in 200..1_300 {
        write!(formats, "<numFmt numFmtId=\"{id}\" formatCode=\"{}\"/>", "0".repeat(1_000)).unwrap();
    }
    let report = read(&[("styles.xml", &format!("<styleSheet><numFmts>{formats}</numFmts></styleSheet>"))]);
    assert!(report.problems[0].message.contains("larger than any program"), "{:?}", report.problems);
}
