//! Programmes of events, in which a day stands in its first row alone, or in a merged cell.

use std::fs;

use qrpress_spreadsheet::{Composition, DateOrder, Kind, ReadRequest, Report, Role, read_spreadsheet};

use crate::composed::{Choices, kind, read};
use crate::workbook::{request, sentences, styles, write_workbook};

fn events() -> Choices {
    Choices { composed: vec![kind("event", &[])], ..Choices::default() }
}

/// The starts of the events, and the report.
fn starts(csv: &str, choices: &Choices) -> (Vec<String>, Report) {
    let (report, items) = read(csv, choices);
    let starts = items.iter().map(|item| {
        let (_, start) = item["data"].as_str().unwrap().split_once("\nDTSTART").unwrap();
        start.lines().next().unwrap().split_once(':').unwrap().1.to_owned()
    });
    (starts.collect(), report)
}

#[test]
fn rows_without_a_day_take_that_of_the_row_above() {
    let csv = "Datum;Uhrzeit;Veranstaltung\nSa 12.06.2027;10:00;Eröffnung\n;11:30;Führung\n;11:30;Musik\n;14:00;Konzert\n\
        So 13.06.2027;9:00;Messe\n;11:00;Frühschoppen\n";
    assert_eq!(read(csv, &Choices::default()).0.proposal.map(|found| found.kind), Some(Kind::Event));
    let (found, report) = starts(csv, &events());
    assert_eq!(sentences(&report), Vec::<String>::new());
    let expected = ["12T100000", "12T113000", "12T113000", "12T140000", "13T090000", "13T110000"];
    assert_eq!(found, expected.map(|start| format!("202706{start}")));
    assert_eq!(report.notices, ["4 rows have no date and take the last one above them; the first is row 3."]);
}

#[test]
fn days_of_whole_events_and_days_yet_to_be_told_are_carried_as_well() {
    let csv = "Date,Start time,End time,Event\n2027-06-12,,,Market day\n,10:00,11:00,Tour\n,14:00,15:00,Talk\n,,,Raffle\n";
    let (found, report) = starts(csv, &events());
    assert_eq!(found, ["20270612", "20270612T100000", "20270612T140000"]);
    let told = sentences(&report);
    assert!(told.len() == 1 && told[0].starts_with("Row 5"), "{told:?}");
    let csv = "Date,Time,Event\n01/02/2027,10:00,A\n,11:00,B\n,12:00,C\n03/02/2027,9:00,D\n";
    assert!(read(csv, &events()).0.asks_for_dates);
    let (found, report) = starts(csv, &Choices { dates: Some(DateOrder::DayFirst), ..events() });
    assert_eq!(sentences(&report), Vec::<String>::new());
    assert_eq!(found[1..], ["20270201T110000", "20270201T120000", "20270203T090000"]);
}

#[test]
fn rows_that_may_be_of_another_day_stay_refused() {
    for (csv, refused) in [
        // One of many may have no day yet.
        ("Datum;Zeit;Kurs\n12.06.2027;10:00;A\n;11:30;B\n13.06.2027;14:00;C\n14.06.2027;14:00;D\n", vec![3]),
        ("Datum;Zeit;Kurs\n12.06.2027;10:00;A\n;11:30;B\n", vec![3]),
        // The day is written again in the next row: it is missing elsewhere.
        ("Datum;Zeit;Kurs\n12.06.2027;10:00;A\n12.06.2027;11:00;B\n;11:30;C\n;14:00;D\n", vec![4, 5]),
        // Rows do not begin with the day.
        ("Kurs;Datum;Zeit\nA;12.06.2027;10:00\nB;;11:30\nC;;14:00\n", vec![3, 4]),
        // The first row has none.
        ("Datum;Zeit;Kurs\n;10:00;A\n12.06.2027;11:30;B\n;12:00;C\n;14:00;D\n", vec![2, 4, 5]),
        // A row without a title keeps the day for those below it.
        ("Datum;Zeit;Kurs\n12.06.2027;10:00;A\n;11:00;\n;12:00;B\n;13:00;C\n", vec![3]),
        // Times go back: those below may be of the next day, too.
        ("Datum;Zeit;Kurs\n12.06.2027;20:00;A\n;22:00;B\n;1:00;C\n;2:00;D\n", vec![4, 5]),
        ("Datum;Zeit;Kurs\n12.06.2027;10:00;A\n;14:00;B\n;9:00;C\n;15:00;D\n", vec![4, 5]),
        // A column before the time has the days of the week.
        (
            "Datum;Wochentag;Zeit;Kurs\n07.06.2027;Montag;18:00;A\n;Dienstag;18:00;B\n;Mittwoch;19:00;C\n",
            vec![3, 4],
        ),
        // Fewer rows than half have no day, or those below the last one alone.
        (
            "Datum;Zeit;Kurs\n01.06.2027;18:00;A\n02.06.2027;18:00;B\n;18:00;C\n05.06.2027;18:00;D\n;18:00;E\n\
             06.06.2027;18:00;F\n",
            vec![4, 6],
        ),
        ("Datum;Zeit;Kurs\n01.06.2027;18:00;A\n08.06.2027;18:00;B\n;18:00;C\n;19:00;D\n", vec![4, 5]),
        // A row between may be the name of another day.
        (
            "Datum;Zeit;Kurs\n12.06.2027;10:00;A\n;11:00;B\n;;Sonntag, 13.06.2027\n;12:00;C\n;13:00;D\n",
            vec![4, 5, 6],
        ),
        // The row above is no event, or lasts for days.
        ("Datum;Zeit;Kurs\n12.06.2027;10:00;A\n13.06.2027;10:00;\n;11:00;B\n;12:00;C\n", vec![3, 4, 5]),
        ("Datum;Zeit;Kurs\n12.06.2027;10:00;A\nBühne 2;10:00;B\n;11:00;C\n;12:00;D\n", vec![3, 4, 5]),
        ("Datum;Zeit;Kurs\n12.06.-14.06.2027;;A\n;11:00;C\n;12:00;D\n", vec![3, 4]),
    ] {
        let (_, report) = starts(csv, &events());
        let rows: Vec<u64> = report.problems.iter().filter_map(|problem| problem.row).collect();
        assert_eq!(rows, refused, "{csv}: {:?}", sentences(&report));
    }
}

fn text(reference: &str, text: &str) -> String {
    format!("<c r=\"{reference}\" t=\"inlineStr\"><is><t>{text}</t></is></c>")
}

/// A programme with these cells of days and these rest, as a workbook.
fn programme(rows: &[(Option<u32>, &str)], rest: &str) -> (Report, String) {
    let folder = qrpress_testkit::TempDir::new();
    let [file, body] = ["file", "body"].map(|name| folder.path().join(name));
    let header = text("A1", "Datum") + &text("B1", "Uhrzeit") + &text("C1", "Veranstaltung");
    let cells = |(row, (day, time)): (usize, &(Option<u32>, &str))| {
        let day = day.map_or(String::new(), |day| format!("<c r=\"A{row}\" s=\"1\"><v>{day}</v></c>"));
        let time = if time.is_empty() { String::new() } else { text(&format!("B{row}"), time) };
        format!("<row r=\"{row}\">{day}{time}{}</row>", text(&format!("C{row}"), &format!("Event {row}")))
    };
    let rows: String = (2..).zip(rows).map(cells).collect();
    let sheet =
        format!("<worksheet><sheetData><row r=\"1\">{header}</row>{rows}</sheetData>{rest}</worksheet>");
    write_workbook(&file, &[("sheet.xml", &sheet), ("styles.xml", &styles("dd.mm.yyyy"))]);
    fs::write(&body, "").unwrap();
    let composed =
        [(Role::Data, Composition::Kind { kind: Kind::Event, fields: Vec::new(), are_open: false })];
    let report = read_spreadsheet(&ReadRequest { composed: &composed, ..request(&file, &body) }).unwrap();
    (report, fs::read_to_string(&body).unwrap())
}

#[test]
fn merged_cells_of_days_hold_for_their_rows() {
    let day = Some(46_550);
    let next = Some(46_551);
    let rows =
        [(day, "10:00"), (None, "11:30"), (None, "14:00"), (next, "09:00"), (None, "10:00"), (None, "8:00")];
    let merged = |areas: &[&str]| {
        let cells: Vec<String> = areas.iter().map(|area| format!("<mergeCell ref=\"{area}\"/>")).collect();
        let cells = cells.concat();
        format!("<mergeCells>{cells}</mergeCells>")
    };
    let (report, body) = programme(&rows[..4], &merged(&["A2:A4"]));
    assert_eq!((sentences(&report), report.items), (vec![], 4));
    for start in ["12T100000", "12T113000", "12T140000", "13T090000"] {
        assert!(body.contains(&format!("DTSTART:202706{start}")), "{body}");
    }
    assert_eq!(report.notices, ["2 rows have no date and take the last one above them; the first is row 3."]);
    // One is enough where it is merged.
    let (report, _) = programme(&[rows[0], rows[1], rows[3]], &merged(&["A2:A3"]));
    assert_eq!((sentences(&report), report.items), (vec![], 3));
    // Other rows have no day.
    let (report, _) = programme(&[rows[0], rows[1], rows[2], rows[3]], &merged(&["A2:A3"]));
    assert_eq!(report.problems.iter().map(|problem| problem.row).collect::<Vec<_>>(), [Some(4)]);
    // Without times, and over other columns, they are refused.
    let (report, _) = programme(&[(day, ""), (None, "")], &merged(&["A2:A3"]));
    assert!(sentences(&report).iter().any(|told| told.contains("merged")), "{:?}", sentences(&report));
    let (report, _) = programme(&rows[..4], &merged(&["A2:A4", "C2:C3"]));
    assert!(sentences(&report).iter().any(|told| told.contains("merged")), "{:?}", sentences(&report));
    let (report, _) = programme(&rows[..4], &merged(&["A2:B4"]));
    assert!(sentences(&report).iter().any(|told| told.contains("merged")), "{:?}", sentences(&report));
}
