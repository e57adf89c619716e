//! Every spreadsheet of `test/spreadsheets`: the items that come of it with their rows, or the problems, and the notices.
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use qrpress_spreadsheet::{
    ColumnChoice, Limits, LinkChoice, ReadRequest, Report, Role, SheetLayout, read_spreadsheet,
};
use serde_json::{Value, json};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/spreadsheets")
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().map(|text| text.as_str().unwrap().to_owned()).collect()
}

/// The words of a pattern such as `a.*b`, in order; `.` stands for one character, `|` for a choice of patterns.
fn matches(pattern: &str, text: &str) -> bool {
    pattern.split('|').any(|pattern| {
        let mut rest: Vec<char> = text.chars().collect();
        pattern.split(".*").all(|part| {
            let part: Vec<char> = part.chars().collect();
            let fits = |window: &[char]| {
                part.iter().zip(window).all(|(expected, found)| *expected == '.' || expected == found)
            };
            match rest.windows(part.len().max(1)).position(fits) {
                Some(start) => {
                    rest.drain(..start + part.len());
                    true
                }
                None => false,
            }
        })
    })
}

fn read(file: &Path, options: &Value) -> (Report, Vec<(u64, Value)>) {
    let scratch = qrpress_testkit::TempDir::new();
    let body = scratch.path().join("body");
    fs::write(&body, "").unwrap();
    let mut columns = Vec::new();
    for role in Role::ALL {
        if let Some(name) = options["columns"][role.as_str()].as_str() {
            columns.push((role, ColumnChoice::Named(name.to_owned())));
        }
    }
    let report = read_spreadsheet(&ReadRequest {
        file,
        body: &body,
        meta: "{}",
        sheet: options["sheet"].as_str(),
        columns: &columns,
        composed: &[],
        recognise: true,
        layout: match options["layout"].as_str() {
            Some("rows") => SheetLayout::NoHeader,
            Some("lines") => SheetLayout::Lines,
            _ => SheetLayout::Header,
        },
        dates: None,
        leaves_placeholders: false,
        mends_check_digits: false,
        country: None,
        encoded_twice: false,
        links: match options["links"].as_str() {
            Some("text") => Some(LinkChoice::Text),
            Some("address") => Some(LinkChoice::Address),
            _ => None,
        },
        encoding: None,
        finds_sheet: false,
        finds_header: false,
        limits: Limits {
            max_items: 1_000_000,
            max_bytes: 100_000_000,
            max_problems: 100,
            max_archive_name_characters: 100,
        },
        time: Duration::from_secs(600),
    })
    .unwrap();
    let body = fs::read_to_string(&body).unwrap();
    let items = (1_i64..).zip(body.lines()).skip(1).filter(|(_, line)| !line.is_empty());
    let row = |line: i64| u64::try_from(line + report.rows_before_line_1).unwrap();
    let items = items.map(|(line, text)| (row(line), serde_json::from_str(text).unwrap())).collect();
    (report, items)
}

#[test]
fn every_spreadsheet_is_read_rightly_or_refused_with_a_sentence() {
    let corpus: Value =
        serde_json::from_str(&fs::read_to_string(folder().join("corpus.json")).unwrap()).unwrap();
    let mut wrong = Vec::new();
    for entry in corpus.as_array().unwrap() {
        let name = entry["file"].as_str().unwrap();
        let (report, items) = read(&folder().join("files").join(name), &entry["options"]);
        let problems: Vec<String> = report.problems.iter().map(|problem| report.sentence(problem)).collect();
        let mut expect = |what: &str, holds: bool| {
            if !holds {
                wrong.push(format!("{name}: {what}; found {items:?} {problems:?} {:?}", report.notices));
            }
        };
        if let Some(expected) = entry["items"].as_array() {
            let values: Vec<&Value> = items.iter().map(|(_, value)| value).collect();
            expect("other items", values == expected.iter().collect::<Vec<_>>());
            expect("problems", problems.is_empty());
            expect("another count", report.items == expected.len() as u64);
        }
        if let Some(rows) = entry["rows"].as_array() {
            expect("other rows", json!(items.iter().map(|(row, _)| row).collect::<Vec<_>>()) == json!(rows));
        }
        let patterns = texts(&entry["problems"]);
        if entry["items"].is_null() {
            expect("other problems", patterns.len() == problems.len());
            expect("another count of problems", report.problem_count == problems.len() as u64);
        }
        for (pattern, problem) in patterns.iter().zip(&problems) {
            expect(pattern, matches(pattern, problem));
        }
        let notices = texts(&entry["notices"]);
        let found: Vec<&String> = report.notices.iter().chain(&report.unused_columns).collect();
        expect("other notices", notices.len() == found.len());
        for (pattern, notice) in notices.iter().zip(found) {
            expect(pattern, matches(pattern, notice));
        }
        if let Some(sheet) = entry["sheet"].as_str() {
            expect("another sheet", report.sheet.as_deref() == Some(sheet));
        }
        let asks = entry["asks"].as_str();
        expect(
            "a question",
            report.asks_for_columns == asks.is_some() && report.asks_for_header == (asks == Some("header")),
        );
    }
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        corpus.as_array().unwrap().len(),
        wrong.join("\n")
    );
}
