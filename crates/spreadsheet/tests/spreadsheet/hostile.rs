//! Small workbooks that claim much: each is answered by a short report, in a short time.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::Path;
use std::thread;
use std::time::Duration;

use crate::workbook::{ITEM, read, relation, relations, request, sheet, styles, write_workbook};
use qrpress_spreadsheet::{Composition, ReadRequest, Report, Role, SpreadsheetError, read_spreadsheet};

/// The longest text of an attribute or cell that is read, about.
const LONG: usize = 900_000;

/// The longest code of a number format.
const CODE: usize = 255;

/// Bytes of a report that lists 100 problems, at most.
const REPORT_BYTES: usize = 60_000;

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
    assert!(
        report.sentence(&report.problems[0]).contains("larger than any program"),
        "{:?}",
        report.problems
    );
}

#[test]
fn codes_of_number_formats_are_bounded_together() {
    let mut formats = String::new();
    for id in 200..4_200 {
        write!(formats, "<numFmt numFmtId=\"{id}\" formatCode=\"{}\"/>", "0".repeat(1_000)).unwrap();
    }
    let report = read(&[("styles.xml", &format!("<styleSheet><numFmts>{formats}</numFmts></styleSheet>"))]);
    assert!(
        report.sentence(&report.problems[0]).contains("larger than any program"),
        "{:?}",
        report.problems
    );
}

/// Rows from 2 on, whose cell in column A is `cell`.
fn rows(count: usize, cell: &str) -> String {
    let mut rows = String::new();
    for row in 2..count + 2 {
        write!(rows, "<row r=\"{row}\"><c r=\"A{row}\" {cell}</c></row>").unwrap();
    }
    rows
}

fn strings(text: &str) -> String {
    format!("<sst><si><t>{text}</t></si></sst>")
}

#[test]
fn a_text_of_many_texts_is_longer_than_a_cell() {
    for text in [1_000, LONG / 2] {
        let report = read(&[
            ("sheet.xml", &sheet(&rows(1, "s=\"1\" t=\"s\"><v>0</v>"), "")),
            ("styles.xml", &styles(&"@".repeat(CODE))),
            ("strings.xml", &strings(&"x".repeat(text))),
        ]);
        assert_eq!(report.problem_count, 1);
        let what = "Row 2, column A (data): the cell is longer than a spreadsheet program allows.";
        assert_eq!(report.sentence(&report.problems[0]), what);
    }
}

/// Excel writes no such code, and what each byte of it does in each row is work.
#[test]
fn numbers_with_codes_that_are_too_long_are_refused() {
    for code in ["#".repeat(CODE + 1), "0;".repeat(4) + "0"] {
        let report =
            read(&[("sheet.xml", &sheet(&rows(1, "s=\"1\"><v>7</v>"), "")), ("styles.xml", &styles(&code))]);
        assert!(report.sentence(&report.problems[0]).contains("is not known here"), "{:?}", report.problems);
        assert_short(&report);
    }
}

/// A hundred megabytes of attributes are a hundred kilobytes of a file.
#[test]
fn tags_are_bounded_together() {
    let attribute = "x".repeat(LONG);
    let long = format!("<row r=\"3\" a=\"{attribute}\"/><!--{attribute}-->");
    let mut filled = rows(1, "t=\"s\"><v>0</v>");
    for row in 3..30 {
        filled += &long.replace("\"3\"", &format!("\"{row}\""));
    }
    let report = read(&[("sheet.xml", &sheet(&filled, "")), ("strings.xml", &strings("text"))]);
    assert!(
        report.sentence(&report.problems[0]).contains("larger than any program"),
        "{:?}",
        report.problems
    );
    assert!(report.work < 40_000_000, "{} bytes were looked at", report.work);
}

/// Each row is a few bytes, and much work.
#[test]
fn rows_that_refer_to_long_texts_are_not_all_read() {
    let long = "x".repeat(90_000);
    for (count, cell, code, text) in [
        (250_000, "t=\"s\"><v>0</v>", "General", long.as_str()),
        (250_000, "t=\"s\"><v>0</v>", "General", &format!("{long}&#xfffd;")),
        (250_000, "t=\"s\"><v>0</v>", "General", &"x".repeat(LONG / 2)),
        (250_000, "t=\"s\" s=\"1\"><v>0</v>", &"@".repeat(CODE), "some text"),
        (250_000, "s=\"1\"><v>0.00000000000000000000000000001</v>", &"@".repeat(CODE), ""),
        (450_000, "s=\"1\"><v>7</v>", &"#".repeat(CODE), ""),
        (450_000, "s=\"1\"><v>7</v>", &";".repeat(CODE), ""),
    ] {
        let report = read(&[
            ("sheet.xml", &sheet(&rows(count, cell), "")),
            ("styles.xml", &styles(code)),
            ("strings.xml", &strings(text)),
        ]);
        // The refusal is the last problem, which is listed where there is room.
        let refusal = report.problems.iter().find(|problem| problem.row.is_none());
        let is_refused = refusal.is_some_and(|problem| problem.fault.to_string().contains("Split the file"));
        assert!(is_refused || report.problem_count > 100, "{code}: {:?}", report.problems.first());
        let read = report.items + report.problem_count;
        assert!(read < count as u64 * 9 / 10, "{code}: {read} rows");
        assert_short(&report);
    }
}

/// The result of reading files of many rows, in `time`; `meanwhile` runs beside, and gets the path of the body.
fn read_many(time: Duration, meanwhile: fn(&Path)) -> Vec<Result<Report, SpreadsheetError>> {
    let folder = qrpress_testkit::TempDir::new();
    let path = |name: &str| folder.path().join(name);
    let rows = rows(250_000, "t=\"s\"><v>0</v>");
    write_workbook(
        &path("xlsx"),
        &[("sheet.xml", &sheet(&rows, "")), ("strings.xml", &strings("some data"))],
    );
    fs::write(path("csv"), "data\n".to_owned() + &"some data\n".repeat(250_000)).unwrap();
    ["xlsx", "csv"]
        .map(|name| {
            let (file, body) = (path(name), path("body"));
            File::create(&body).unwrap();
            thread::scope(|scope| {
                scope.spawn(|| meanwhile(&body));
                read_spreadsheet(&ReadRequest { time, ..request(&file, &body) })
            })
        })
        .into()
}

#[test]
fn a_reading_has_a_time() {
    for read in read_many(Duration::ZERO, |_| {}) {
        assert!(matches!(read, Err(SpreadsheetError::OutOfTime)), "{read:?}");
    }
}

#[test]
fn a_reading_ends_when_its_body_is_deleted() {
    let delete_once_written = |body: &Path| {
        while fs::metadata(body).unwrap().len() == 0 {
            thread::yield_now();
        }
        fs::remove_file(body).unwrap();
    };
    for read in read_many(Duration::from_secs(600), delete_once_written) {
        assert!(matches!(read, Err(SpreadsheetError::Cancelled)), "{read:?}");
    }
}

#[test]
fn a_body_that_was_deleted_does_not_come_back() {
    let folder = qrpress_testkit::TempDir::new();
    let (file, body) = (folder.path().join("file"), folder.path().join("body"));
    write_workbook(&file, &[]);
    let read = read_spreadsheet(&request(&file, &body));
    assert!(matches!(read, Err(SpreadsheetError::Cancelled)) && !body.exists(), "{read:?}");
}

#[test]
fn a_pattern_with_many_names_is_looked_up_in_many_columns() {
    let mut rows = String::new();
    for row in 10..29 {
        for column in 0..15_000 {
            write!(rows, "{row}{column},").unwrap();
        }
        rows.push_str("z\n");
    }
    let folder = qrpress_testkit::TempDir::new();
    let (file, body) = (folder.path().join("file"), folder.path().join("body"));
    fs::write(&file, rows).unwrap();
    fs::write(&body, "").unwrap();
    // One by one, each name in each cell of each row, this is hours.
    let pattern = "{z}".repeat(100_000) + "{missing}";
    let composed = [(Role::Data, Composition::Pattern(pattern))];
    let report = read_spreadsheet(&ReadRequest { composed: &composed, ..request(&file, &body) }).unwrap();
    assert!(report.sentence(&report.problems[0]).contains("no column missing"), "{:?}", report.problems);
}

/// The result of reading two rows below names, which are repeated in so many columns.
fn read_wide(names: &[&str], columns: usize, time: Duration) -> Result<Report, SpreadsheetError> {
    let folder = qrpress_testkit::TempDir::new();
    let (file, body) = (folder.path().join("file"), folder.path().join("body"));
    let row = |cells: &[&str]| {
        let cells: Vec<&str> = cells.iter().cycle().take(columns).copied().collect();
        cells.join(";") + "\n"
    };
    fs::write(&file, row(names) + &row(&["a", "b", "c"]).repeat(2)).unwrap();
    fs::write(&body, "").unwrap();
    read_spreadsheet(&ReadRequest { time, ..request(&file, &body) })
}

const KNOWN: [&str; 7] = ["Website", "Lat", "Title", "Uhrzeit", "Ort", "Film", "Band"];

#[test]
fn known_names_of_many_columns_are_looked_at_once() {
    for names in [&KNOWN[..], &["Code", "Code", "SSID"]] {
        // Beside each other name, each name is minutes.
        let report = read_wide(names, 4_096, Duration::from_secs(600)).unwrap();
        assert_eq!(report.columns.len(), 4_096);
    }
}

#[test]
fn names_of_many_columns_take_time() {
    let read = read_wide(&KNOWN, 4_096, Duration::from_millis(20));
    assert!(matches!(read, Err(SpreadsheetError::OutOfTime)));
}
