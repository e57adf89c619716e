//! Small files for the tests: a text file, or a workbook of one sheet, some of whose parts are replaced.

use std::fs;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use qrpress_spreadsheet::{Limits, ReadRequest, Report, SheetLayout, read_spreadsheet};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

const TYPES: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// A row with an item.
pub const ITEM: &str = "<row r=\"2\"><c r=\"A2\" t=\"inlineStr\"><is><t>a</t></is></c></row>";

/// The part of a list of relations.
pub fn relations(list: &str) -> String {
    format!("<Relationships>{list}</Relationships>")
}

/// One of the relations.
pub fn relation(id: &str, kind: &str, target: &str) -> String {
    format!("<Relationship Id=\"{id}\" Type=\"{TYPES}/{kind}\" Target=\"{target}\"/>")
}

/// A sheet whose column A is called `data`; `rest` stands behind its rows.
pub fn sheet(rows: &str, rest: &str) -> String {
    format!(
        "<worksheet><sheetData><row r=\"1\"><c r=\"A1\" t=\"inlineStr\"><is><t>data</t></is></c></row>{rows}</sheetData>{rest}</worksheet>"
    )
}

/// Styles of which number 1 has a format with this code.
pub fn styles(code: &str) -> String {
    format!(
        "<styleSheet><numFmts><numFmt numFmtId=\"200\" formatCode=\"{code}\"/></numFmts>\
         <cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"200\"/></cellXfs></styleSheet>"
    )
}

/// Writes a workbook.
pub fn write_workbook(file: &Path, replaced: &[(&str, &str)]) {
    let mut zip = ZipWriter::new(File::create(file).unwrap());
    let parts = relation("s", "worksheet", "sheet.xml")
        + &relation("f", "styles", "styles.xml")
        + &relation("t", "sharedStrings", "strings.xml");
    let usual = [
        ("_rels/.rels", relations(&relation("r", "officeDocument", "workbook.xml"))),
        ("workbook.xml", "<workbook><sheets><sheet name=\"S\" id=\"s\"/></sheets></workbook>".to_owned()),
        ("_rels/workbook.xml.rels", relations(&parts)),
        ("sheet.xml", sheet(ITEM, "")),
        ("styles.xml", "<styleSheet/>".to_owned()),
        ("strings.xml", "<sst/>".to_owned()),
    ];
    let is_replaced = |name: &str| replaced.iter().any(|(other, _)| *other == name);
    let usual =
        usual.iter().filter(|(name, _)| !is_replaced(name)).map(|(name, text)| (*name, text.as_str()));
    for (name, text) in usual.chain(replaced.iter().copied()) {
        zip.start_file(name, SimpleFileOptions::default().compression_method(CompressionMethod::Stored))
            .unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap();
}

/// A request to read `file` into `body`.
pub fn request<'r>(file: &'r Path, body: &'r Path) -> ReadRequest<'r> {
    ReadRequest {
        file,
        body,
        meta: "{}",
        sheet: None,
        columns: &[],
        composed: &[],
        recognise: true,
        layout: SheetLayout::Header,
        links: None,
        dates: None,
        leaves_placeholders: false,
        mends_check_digits: false,
        country: None,
        encoding: None,
        encoded_twice: false,
        finds_sheet: false,
        finds_header: false,
        limits: Limits {
            max_items: 1_000_000,
            max_bytes: 100_000_000,
            max_problems: 100,
            max_archive_name_characters: 100,
        },
        time: Duration::from_secs(600),
    }
}

/// The report of a file, and the lines of its items.
fn read_file(write: impl FnOnce(&Path)) -> (Report, Vec<String>) {
    let folder = qrpress_testkit::TempDir::new();
    let (file, body) = (folder.path().join("file"), folder.path().join("body"));
    write(&file);
    File::create(&body).unwrap();
    let report = read_spreadsheet(&request(&file, &body)).unwrap();
    let body = fs::read_to_string(body).unwrap();
    (report, body.lines().skip(1).filter(|line| !line.is_empty()).map(str::to_owned).collect())
}

/// The sentences of a report's problems.
pub fn sentences(report: &Report) -> Vec<String> {
    report.problems.iter().map(|problem| report.sentence(problem)).collect()
}

/// Reads a workbook, some of whose parts are replaced.
pub fn read(replaced: &[(&str, &str)]) -> Report {
    read_items(replaced).0
}

/// Reads a workbook; with the lines of its items.
pub fn read_items(replaced: &[(&str, &str)]) -> (Report, Vec<String>) {
    read_file(|file| write_workbook(file, replaced))
}

/// Reads a text file; with the lines of its items.
pub fn read_text(bytes: &[u8]) -> (Report, Vec<String>) {
    read_file(|file| fs::write(file, bytes).unwrap())
}
