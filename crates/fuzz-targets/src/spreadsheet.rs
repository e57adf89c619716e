//! Spreadsheets, CSV and XLSX.

use std::fs;
use std::io::{Cursor, Write as _};
use std::path::Path;
use std::time::Duration;

use qrpress_spreadsheet::{ColumnChoice, Limits, ReadRequest, Report, Role, SheetLayout, read_spreadsheet};
use serde_json::Value;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::body::scratch_folder;

/// Bytes that a body may have.
const BODY_BYTES: u64 = 1_000_000;

/// Work on cells for each byte that a body may have.
const CELL_WORK: u64 = 2;

/// Work for each byte of a workbook's parts: a node may have a single byte, and a sheet with links is read twice.
const PART_WORK: u64 = 80;

/// The parts of a workbook that are replaced, by the first byte of a piece.
const PARTS: [&str; 7] = [
    "_rels/.rels",
    "workbook.xml",
    "_rels/workbook.xml.rels",
    "sheet.xml",
    "styles.xml",
    "strings.xml",
    "_rels/sheet.xml.rels",
];

/// The name of the part that none of [`PARTS`] is.
const TABLE: &str = "table.xml";

/// The byte between the pieces of an input, which XML has not.
const END_OF_PIECE: u8 = 0x1e;

/// Reads a spreadsheet in each layout. What comes of it are items with data that can be drawn, one for each line of the
/// body that is not blank.
///
/// # Panics
/// When a law is broken.
pub fn spreadsheet(bytes: &[u8]) {
    for (layout, columns) in [
        (SheetLayout::Header, vec![]),
        (
            SheetLayout::NoHeader,
            vec![(Role::Data, ColumnChoice::At(0)), (Role::Caption, ColumnChoice::At(1))],
        ),
        (SheetLayout::Lines, vec![]),
    ] {
        read(bytes, layout, &columns);
    }
}

/// Reads a workbook whose parts are the pieces of the input: past the ZIP file's checksums and compression, which hide most
/// changes of a fuzzer. The work that it makes grows with its bytes, whatever they say.
///
/// # Panics
/// When a law is broken.
pub fn workbook(bytes: &[u8]) {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let mut parts: Vec<(&str, &[u8])> = usual_parts();
    for piece in bytes.split(|&byte| byte == END_OF_PIECE) {
        let Some((&part, text)) = piece.split_first() else { continue };
        let name = PARTS.get(usize::from(part.wrapping_sub(b'0'))).copied().unwrap_or(TABLE);
        parts.retain(|(other, _)| *other != name);
        parts.push((name, text));
    }
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (name, text) in &parts {
        zip.start_file(*name, options).expect("each part has another name");
        zip.write_all(text).expect("memory takes bytes");
    }
    let file = zip.finish().expect("memory takes bytes").into_inner();
    let part_bytes: u64 = parts.iter().map(|(_, text)| text.len() as u64).sum();
    let report = read(&file, SheetLayout::Header, &[]);
    let most = CELL_WORK * BODY_BYTES + PART_WORK * part_bytes;
    assert!(report.work <= most, "work {} of {most}", report.work);
}

fn usual_parts() -> Vec<(&'static str, &'static [u8])> {
    vec![
        (
            PARTS[0],
            br#"<Relationships><Relationship Id="r" Type="/officeDocument" Target="workbook.xml"/></Relationships>"#,
        ),
        (PARTS[1], br#"<workbook><sheets><sheet name="S" id="s"/></sheets></workbook>"#),
        (
            PARTS[2],
            br#"<Relationships><Relationship Id="s" Type="/worksheet" Target="sheet.xml"/><Relationship Id="f" Type="/styles" Target="styles.xml"/><Relationship Id="t" Type="/sharedStrings" Target="strings.xml"/></Relationships>"#,
        ),
        (
            PARTS[3],
            br#"<worksheet><sheetData><row><c t="str"><v>data</v></c></row><row><c t="s"><v>0</v></c></row></sheetData></worksheet>"#,
        ),
        (PARTS[4], b"<styleSheet/>"),
        (PARTS[5], b"<sst><si><t>text</t></si></sst>"),
        (
            PARTS[6],
            br#"<Relationships><Relationship Id="t" Type="/table" Target="table.xml"/></Relationships>"#,
        ),
        (TABLE, b"<table/>"),
    ]
}

/// The report of a file, whose body keeps the laws.
fn read(bytes: &[u8], layout: SheetLayout, columns: &[(Role, ColumnChoice)]) -> Report {
    let folder = scratch_folder();
    let (file, body) = (folder.path().join("file"), folder.path().join("body"));
    write(&file, bytes);
    write(&body, b"");
    let request = ReadRequest {
        file: &file,
        body: &body,
        meta: "{}",
        sheet: None,
        columns,
        composed: &[],
        recognise: true,
        layout,
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
            max_items: 1_000,
            max_bytes: BODY_BYTES,
            max_problems: 100,
            max_archive_name_characters: 100,
        },
        time: Duration::from_secs(600),
    };
    let report = read_spreadsheet(&request).expect("the files are there");
    assert!(report.problem_count >= report.problems.len() as u64 && report.problems.len() <= 100);
    assert!(report.items > 0 || report.problem_count > 0);
    let text = fs::read_to_string(&body).expect("a body is text");
    let lines: Vec<&str> = text.lines().skip(1).filter(|line| !line.is_empty()).collect();
    assert_eq!(lines.len() as u64, report.items);
    for line in lines {
        let item: Value = serde_json::from_str(line).expect("a line is JSON");
        let data = item["data"].as_str().expect("an item has data");
        assert!(!data.is_empty() && !data.contains(['\0', '\u{fffd}']), "{data:?}");
    }
    report
}

fn write(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).expect("the scratch folder takes files");
}
