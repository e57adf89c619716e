//! Files that no program writes, and that people change by hand: each is read as it says, or refused.

use std::fs;

use crate::workbook::{
    ITEM, read, read_items, read_text, relation, relations, request, sentences, sheet, write_workbook,
};
use qrpress_spreadsheet::{ReadRequest, read_spreadsheet};

/// The sentences of the problems that a workbook with this sheet has.
fn problems_of(sheet: &str) -> Vec<String> {
    let report = read(&[("sheet.xml", sheet)]);
    sentences(&report)
}

#[test]
fn the_totals_of_a_table_are_inside_it() {
    for (reference, count, problem) in [
        ("A1:A9", "1", None),
        ("A1:A9", "9", Some("no row below")),
        ("A1:A2", "1", Some("no row below")),
        ("A1:A2", "0", None),
        ("A1:A1048576", "1", None),
        ("A1:A1048577", "1", Some("damaged")),
        ("A1:A18446744073709551615", "1", Some("damaged")),
        ("A0:A9", "1", Some("damaged")),
        ("A9:A1", "1", Some("damaged")),
        ("A1:A9", "10", Some("damaged")),
        ("A1:A9", "18446744073709551615", Some("damaged")),
        ("A1:A9", "-1", Some("damaged")),
    ] {
        let table = format!("<table ref=\"{reference}\" totalsRowCount=\"{count}\"/>");
        let report = read(&[
            ("_rels/sheet.xml.rels", &relations(&relation("t", "table", "table.xml"))),
            ("table.xml", &table),
        ]);
        let found = report.problems.first().map(|problem| report.sentence(problem));
        match problem {
            None => assert_eq!((report.items, found), (1, None), "{table}"),
            Some(problem) => {
                assert!(found.as_ref().is_some_and(|found| found.contains(problem)), "{table}: {found:?}");
            }
        }
    }
}

#[test]
fn elements_inside_others_of_their_kind_are_damage() {
    let row = |number: u32, inside: &str| format!("<row r=\"{number}\">{inside}</row>");
    let text = |inside: &str| format!("<c r=\"A2\" t=\"inlineStr\"><is>{inside}</is></c>");
    let usual = row(2, &text("<t>a</t>"));
    assert_eq!(problems_of(&sheet(&usual, "")), Vec::<String>::new());
    for rows in [
        row(2, &(text("<t>a</t>") + &row(3, "<c r=\"A3\"><v>3</v></c>"))),
        row(2, "<c r=\"A2\"><v>1</v><c r=\"B2\"><v>2</v></c></c>"),
        row(2, "<c r=\"A2\"><v>1</v><v>2</v></c>"),
        row(2, "<c r=\"A2\"><v>1<v>2</v></v></c>"),
        row(2, "<c r=\"A2\"><v>1<f>2</f></v></c>"),
        row(2, "<c r=\"A2\"><v>1</v><row r=\"3\"/></c>"),
        row(2, &text("<t>a<t>b</t></t>")),
        row(2, &text("<t>a<r><t>b</t></r></t>")),
        format!("{usual}<c r=\"B2\"><v>2</v></c>"),
        format!("{usual}<sheetData/>"),
        format!("{usual}</sheetData><sheetData>{}", row(3, "<c r=\"A3\"><v>3</v></c>")),
    ] {
        let problems = problems_of(&sheet(&rows, ""));
        assert!(problems.iter().any(|problem| problem.contains("damaged")), "{rows}: {problems:?}");
    }
}

#[test]
fn shared_texts_inside_others_are_damage() {
    let rows = "<row r=\"2\"><c r=\"A2\" t=\"s\"><v>1</v></c></row>";
    let strings = "<sst><si><t>a</t><si><t>b</t></si></si><si><t>c</t></si></sst>";
    let report = read(&[("sheet.xml", &sheet(rows, "")), ("strings.xml", strings)]);
    assert!(report.sentence(&report.problems[0]).contains("damaged"), "{:?}", report.problems);
}

/// The other elements of a sheet may have names such as those of its rows.
#[test]
fn rows_of_other_things_are_no_rows() {
    let rest = "<controls><control><anchor><from><row>5</row></from></anchor></control></controls>";
    assert_eq!(read(&[("sheet.xml", &sheet(ITEM, rest))]).items, 1);
}

#[test]
fn dates_that_do_not_exist_are_refused() {
    let styles = crate::workbook::styles("yyyy-mm-dd\\Thh:mm:ss");
    for (date, shown) in [
        ("2026-02-28", Some("2026-02-28T00:00:00")),
        ("2024-02-29", Some("2024-02-29T00:00:00")),
        ("2000-02-29T23:59:59", Some("2000-02-29T23:59:59")),
        ("2026-01-31T12:30", Some("2026-01-31T12:30:00")),
        ("2026-01-31T12:30:05.25Z", Some("2026-01-31T12:30:05")),
        ("2026-02-29", None),
        ("2025-02-29", None),
        ("2100-02-29", None),
        ("2026-02-30", None),
        ("2026-04-31", None),
        ("2026-00-10", None),
        ("2026-13-01", None),
        ("2026-01-00", None),
        ("2026-01-32", None),
        ("2026-01-31T24:00:00", None),
        ("2026-01-31T25:00:00", None),
        ("2026-01-31T12:60:00", None),
        ("2026-01-31T12:30:60", None),
        ("2026-01-31T12:30:61", None),
        ("2026-01-31T12.5:30:00", None),
        ("2026-01-31T12:30:00:00", None),
        ("2026-01-31T12:30:1e1", None),
        ("2026-01-31-05", None),
        ("2026-+1-+3", None),
        ("2026-01-31T", None),
        ("2026-01-31Tx", None),
    ] {
        let rows = format!("<row r=\"2\"><c r=\"A2\" s=\"1\" t=\"d\"><v>{date}</v></c></row>");
        let (report, items) = read_items(&[("sheet.xml", &sheet(&rows, "")), ("styles.xml", &styles)]);
        if let Some(shown) = shown {
            assert_eq!(items, [format!("{{\"data\":\"{shown}\"}}")], "{date}");
        } else {
            let problems = sentences(&report);
            let expected = format!("Row 2, column A (data): there is no date {date}. Correct the cell.");
            assert_eq!(problems, [expected]);
        }
    }
}

/// The last half of a second of a day belongs to it.
#[test]
fn a_date_is_not_that_of_the_next_day() {
    let rows = "<row r=\"2\"><c r=\"A2\" s=\"1\"><v>46053.999998</v></c></row>";
    let shown = |code: &str| {
        read_items(&[("sheet.xml", &sheet(rows, "")), ("styles.xml", &crate::workbook::styles(code))])
    };
    assert_eq!(shown("yyyy-mm-dd").1, ["{\"data\":\"2026-01-31\"}"]);
    assert_eq!(shown("[h]:mm:ss").1, ["{\"data\":\"1105296:00:00\"}"]);
    let (report, items) = shown("yyyy-mm-dd hh:mm:ss");
    assert!(
        items.is_empty() && report.sentence(&report.problems[0]).contains("midnight"),
        "{items:?} {:?}",
        report.problems
    );
}

#[test]
fn a_nul_is_no_quote() {
    let utf16 = |text: &str| -> Vec<u8> {
        "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
    };
    let (_, items) = read_text(&utf16("data\n=\"a\"\"b\"\n=\"\"\"\"\n"));
    assert_eq!(items, ["{\"data\":\"a\\\"b\"}", "{\"data\":\"\\\"\"}"]);
    for value in ["=\"a\0b\"", "a\0b"] {
        let (report, items) = read_text(&utf16(&format!("data\n{value}\n")));
        assert!(items.is_empty(), "{items:?}");
        let what = "Row 2, column A (data): the control character U+0000 is no text.";
        assert!(report.sentence(&report.problems[0]).starts_with(what), "{:?}", report.problems);
    }
    for formula in ["=\"a\"b\"", "=\"a\"\"\"b\"", "=\"\"\""] {
        let (report, items) = read_text(format!("data,name\n{formula},n\n").as_bytes());
        assert!(
            items.is_empty() && report.sentence(&report.problems[0]).contains("formula"),
            "{formula}: {items:?}"
        );
    }
}

#[test]
fn nul_bytes_are_in_a_row() {
    for (text, row) in [
        ("data\na\0b\n".to_owned(), 2),
        ("data\r\na\r\nb\r\n\0".to_owned(), 4),
        ("data\ra\rb\0\r".to_owned(), 3),
        ("data\n\"a\nb\n\"\"c\"\nd\0\n".to_owned(), 3),
        ("data\n".to_owned() + &"x\n".repeat(100_000) + "\0\n", 100_002),
        ("data\r\n".to_owned() + &"xx\r\n".repeat(100_000) + "\0\r\n", 100_002),
    ] {
        let (report, _) = read_text(text.as_bytes());
        assert_eq!(report.problems[0].row, Some(row));
        let what = format!("Row {row}: the file is no text: a NUL byte stands here.");
        assert!(report.sentence(&report.problems[0]).starts_with(&what), "{:?}", report.problems);
    }
}

#[test]
fn a_question_about_columns_names_the_sheet() {
    let sheets = |list: &str| {
        let rows = "<row r=\"1\"><c r=\"A1\" t=\"inlineStr\"><is><t>Artikel</t></is></c></row>";
        let report = read(&[
            ("workbook.xml", &format!("<workbook><sheets>{list}</sheets></workbook>")),
            ("sheet.xml", &format!("<worksheet><sheetData>{rows}</sheetData></worksheet>")),
        ]);
        report.sentence(&report.problems[0]).clone()
    };
    let one = "<sheet name=\"One\" id=\"s\"/>";
    let question = "Which column holds the link or text? The columns are A (Artikel).";
    assert_eq!(sheets(one), question);
    assert_eq!(
        sheets(&format!("{one}<sheet name=\"Two\" id=\"s\"/>")),
        format!("{question} Only the sheet One is read. The workbook has another sheet: Two.")
    );
}

#[test]
fn a_first_column_called_id_is_no_sylk_file() {
    for text in ["ID;Product;URL\r\n1;Drill;a\r\n", "ID;Preis;URL\n", "ID;P;URL\nP1;2;a\n", "ID;Preis;URL"] {
        let (report, _) = read_text(text.as_bytes());
        let found = sentences(&report);
        assert!(!found.iter().any(|message| message.contains("SYLK")), "{text:?}: {found:?}");
    }
    for text in ["ID;PWXL;N;E\r\nP;PGeneral\r\n", "ID;PCALCOOO32\nB;Y2;X2\n", "ID;P\rC;Y1;X1;K\"data\"\rE\r"]
    {
        let (report, _) = read_text(text.as_bytes());
        assert!(
            report.sentence(&report.problems[0]).contains("a SYLK file"),
            "{text:?}: {:?}",
            report.problems
        );
    }
}

#[test]
fn compound_files_are_told_by_their_streams() {
    for (streams, what) in [
        (&["Workbook"][..], "an Excel file of the old kind (.xls)"),
        (&["Book"], "an Excel file of the old kind (.xls)"),
        (&["WordDocument"], "a Word file of the old kind (.doc)"),
        (&["PowerPoint Document"], "a PowerPoint file of the old kind (.ppt)"),
        (&["Workbook", "WordDocument"], "an Excel file of the old kind (.xls)"),
    ] {
        let mut bytes = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".to_vec();
        bytes.extend(streams.iter().flat_map(|name| name.encode_utf16().flat_map(u16::to_le_bytes)));
        let (report, _) = read_text(&bytes);
        assert!(
            report.sentence(&report.problems[0]).starts_with(&format!("The file is {what}.")),
            "{streams:?}"
        );
    }
}

#[test]
fn a_sheet_is_found_by_a_name_with_spaces_around_it() {
    let workbook =
        "<workbook><sheets><sheet name=\"A\" id=\"s\"/><sheet name=\" B \" id=\"s\"/></sheets></workbook>";
    for name in [" B ", "B", "b"] {
        let folder = qrpress_testkit::TempDir::new();
        let (file, body) = (folder.path().join("file"), folder.path().join("body"));
        write_workbook(&file, &[("workbook.xml", workbook)]);
        fs::write(&body, "").unwrap();
        let request = ReadRequest { sheet: Some(name), ..request(&file, &body) };
        let report = read_spreadsheet(&request).unwrap();
        assert_eq!(
            (report.sheet.as_deref(), report.items),
            (Some(" B "), 1),
            "{name:?}: {:?}",
            report.problems
        );
    }
}
