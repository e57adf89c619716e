//! Spreadsheets, CSV and XLSX.

use qrpress_spreadsheet::{ColumnChoice, Layout, Limits, ReadRequest, Role, read_spreadsheet};
use serde_json::Value;

use crate::body::scratch_folder;

/// Reads a spreadsheet in each layout. What comes of it are items with data that can be drawn, one for each line of the
/// body that is not blank.
///
/// # Panics
/// When a law is broken.
pub fn spreadsheet(bytes: &[u8]) {
    let folder = scratch_folder();
    let (file, body) = (folder.path().join("file"), folder.path().join("body"));
    std::fs::write(&file, bytes).expect("the scratch folder takes files");
    for (layout, columns) in [
        (Layout::Header, vec![]),
        (Layout::NoHeader, vec![(Role::Data, ColumnChoice::At(0)), (Role::Caption, ColumnChoice::At(1))]),
        (Layout::Lines, vec![]),
    ] {
        let request = ReadRequest {
            file: &file,
            body: &body,
            meta: "{}",
            sheet: None,
            columns: &columns,
            recognise: true,
            layout,
            limits: Limits { max_items: 1_000, max_bytes: 1_000_000, max_problems: 100 },
        };
        let report = read_spreadsheet(&request).expect("the file is there");
        assert!(report.problem_count >= report.problems.len() as u64 && report.problems.len() <= 100);
        assert!(report.items > 0 || report.problem_count > 0);
        let text = std::fs::read_to_string(&body).expect("a body is text");
        let lines: Vec<&str> = text.lines().skip(1).filter(|line| !line.is_empty()).collect();
        assert_eq!(lines.len() as u64, report.items);
        for line in lines {
            let item: Value = serde_json::from_str(line).expect("a line is JSON");
            let data = item["data"].as_str().expect("an item has data");
            assert!(!data.is_empty() && !data.contains(['\0', '\u{fffd}']), "{data:?}");
        }
    }
}
