//! Rows of totals and notes below a list: people are asked about them, and leave them out by one choice.

use qrpress_spreadsheet::Report;

use crate::composed::{Choices, kind, read};
use crate::workbook::sentences;

fn read_list(csv: &str, of_kind: Option<&str>, leaves_placeholders: bool) -> (Report, usize) {
    let composed = of_kind.map(|name| kind(name, &[])).into_iter().collect();
    let (report, items) = read(csv, &Choices { composed, leaves_placeholders, ..Choices::default() });
    (report, items.len())
}

/// The rows that the choice leaves out: those that it offers.
fn left_out(csv: &str, of_kind: Option<&str>) -> u64 {
    let (asked, _) = read_list(csv, of_kind, false);
    let (left, items) = read_list(csv, of_kind, true);
    assert_eq!(asked.placeholder_rows, left.placeholder_rows, "{csv}");
    let places: Vec<u64> = left.problems.iter().filter_map(|problem| problem.row).take(5).collect();
    assert_eq!([asked.placeholder_places, left.placeholder_places], [places.clone(), places], "{csv}");
    assert_eq!(left.faulty_rows, left.placeholder_rows, "{csv}");
    assert_eq!(left.items, items as u64, "{csv}");
    asked.placeholder_rows
}

#[test]
fn totals_in_columns_that_are_not_used_are_left_out_by_the_same_choice() {
    for (csv, of_kind) in [
        ("Name;Anzahl;Link\nA;2;https://a.example/1\nB;3;https://a.example/2\nSumme;5;\n", None),
        ("Name;Anzahl;Link\nA;2;https://a.example/1\nB;3;https://a.example/2\nTotal;;1.234,00\n", None),
        ("Nr;Name;Data\n1;A;SN-1\n2;B;SN-2\n;Gesamt:;2\n", None),
        ("Name;Phone\nEva;+49 30 1234567\nAda;+49 30 1234568\nSumme;2\n", Some("phone")),
        ("Artikel;GTIN\nA;4006381333931\nB;4006381333931\nTotal;2\n", Some("digital-link")),
    ] {
        assert_eq!(left_out(csv, of_kind), 1, "{csv}");
    }
    for (csv, of_kind) in [
        ("Name;Link\nTotal;https://a.example/1\nB;https://a.example/2\n", None),
        ("Name;Phone\nTotal;+49 30 1234567\n", Some("phone")),
        ("Artikel;GTIN\nTotal 5;4006381333931\n", Some("digital-link")),
        ("Name;Data\nTotal SA;5\nA;6\n", None),
    ] {
        assert_eq!(left_out(csv, of_kind), 0, "{csv}");
    }
    // Many rows above it: no text of columns that are not used is kept, but for the first ones.
    let rows =
        (0..50).map(|row| format!("Tür {row};2;https://a.example/{row}\n")).collect::<Vec<_>>().concat();
    assert_eq!(left_out(&format!("Name;Anzahl;Link\n{rows}Summe;100;\n"), None), 1);
    let (report, _) =
        read_list("Name;Anzahl;Link\nA;2;https://a.example/1\nSumme;5;\nB;3;x\nTotal;1;2\n", None, false);
    assert_eq!(
        sentences(&report),
        ["Row 3: the row seems to be the total of the rows above it. Delete it, or skip it."]
    );
    let told = "1 row has data that is probably not meant: row 5 (“Total”) seems to be a total or a note.";
    assert!(report.notices.contains(&told.to_owned()), "{:?}", report.notices);
}

#[test]
fn notes_below_a_list_are_left_out_by_the_same_choice() {
    let links = "Link\nhttps://a.example/1\nhttps://a.example/2\n";
    let codes = "Data\nSN-1\nSN-2\n";
    for note in [
        "gez. Müller",
        "Stand: 12.05.2027",
        "Erstellt von Ada",
        "Printed on 3 May 2027",
        "Page 1 of 3",
        "Seite 1 von 3",
        "Source: Town archive",
        "Quelle: https://a.example",
    ] {
        assert_eq!(left_out(&format!("{links}{note}\n"), None), 1, "{note}");
        assert_eq!(left_out(&format!("{codes}\n{note}\nSeite 2 von 3\n"), None), 2, "{note}");
    }
    // Among links, any text with a space is one. There may be fewer links than notes.
    assert_eq!(left_out("Link\nhttps://a.example/1\nAll doors\nAsk at the desk\nOr call us\n", None), 3);
    let pages = "Link\nhttps://a.example/1\nSeite 1 von 2\nhttps://a.example/2\nSeite 2 von 2\n";
    assert_eq!(left_out(pages, None), 2);
    for csv in [
        // Each row has the form, or one below it is none.
        "data\nBox: 1\nBox: 2\nBox: 3\n",
        "data\nPage 1 of 3\nPage 2 of 3\nPage 3 of 3\n",
        "data\nSN-1\nSource: a\nSN-2\n",
        "data\nHello world\nGood morning\n",
        "Link\nhttps://a.example/1\nHall A\nhttps://a.example/2\n",
        // Codes of a list that has links and numbers.
        "Link\nhttps://a.example/1\nSN-0017\n",
    ] {
        assert_eq!(left_out(csv, None), 0, "{csv}");
    }
    let (report, items) = read_list(&format!("{links}Stand: heute\nSeite 1 von 3\n"), None, false);
    assert_eq!((report.problem_count, items), (0, 4));
    assert_eq!(
        report.notices,
        [
            "2 rows have data that is probably not meant: they seem to be totals or notes. The first is row 4 (“Stand: heute”)."
        ]
    );
    let (report, items) = read_list(&format!("{links}Stand: heute\nSeite 1 von 3\n"), None, true);
    assert_eq!(items, 2);
    assert_eq!(
        sentences(&report),
        [
            "Row 4, column A (Link): the cell holds the note “Stand: heute”.",
            "Row 5, column A (Link): the cell holds the note “Seite 1 von 3”."
        ]
    );
}

#[test]
fn totals_that_are_refused_offer_no_other_choice() {
    let csv = "Artikel;GTIN\nA;4006381333931\nSumme;12345678\n";
    let (report, items) = read_list(csv, Some("digital-link"), false);
    assert_eq!((report.problem_count, report.placeholder_rows, items), (1, 1, 1));
    assert_eq!(report.wrong_check_digits, 0);
    let csv = "Name;Phone\nEva;+49 30 1234567\nSumme;1234567\n";
    let (report, items) = read_list(csv, Some("phone"), false);
    assert_eq!((report.problem_count, report.placeholder_rows, items), (1, 1, 1));
    assert_eq!((report.national_numbers, report.asks_for_country), (0, false));
}
