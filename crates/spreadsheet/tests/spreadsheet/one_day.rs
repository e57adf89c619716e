//! Events whose day is typed once, as their list has times alone.

use qrpress_spreadsheet::{ColumnChoice, Composition, Kind, Report, Role};
use serde_json::Value;

use crate::composed::{Choices, kind, read};
use crate::workbook::sentences;

/// Events on this day, with columns by their places.
fn on(day: &str, columns: &[(&str, u32)]) -> Choices {
    let typed = ("start".to_owned(), ColumnChoice::Typed(day.to_owned()));
    let placed = columns.iter().map(|(field, place)| ((*field).to_owned(), ColumnChoice::At(*place)));
    let fields = placed.chain([typed]).collect();
    let composition = Composition::Kind { kind: Kind::Event, fields, are_open: false };
    Choices { composed: vec![(Role::Data, composition)], ..Choices::default() }
}

/// The times of the events, as calendars have them.
fn times(items: &[Value]) -> Vec<String> {
    let line = |data: &str, name: &str| {
        let line = data.lines().find(|line| line.starts_with(name))?;
        line.split_once(':').map(|(_, time)| time.to_owned())
    };
    let both = |item: &Value| {
        let data = item["data"].as_str().unwrap();
        [line(data, "DTSTART"), line(data, "DTEND")].into_iter().flatten().collect::<Vec<_>>().join("/")
    };
    items.iter().map(both).collect()
}

fn on_saturday(csv: &str) -> (Report, Vec<String>) {
    let (report, items) = read(csv, &on("2027-06-12", &[]));
    let times = times(&items);
    (report, times)
}

#[test]
fn times_without_a_day_ask_for_it() {
    let events = Choices { composed: vec![kind("event", &[])], ..Choices::default() };
    for (csv, asks) in [
        ("Uhrzeit;Programmpunkt;Ort\n10:00;Eröffnung;Halle\n", true),
        ("Uhrzeit;Stück;Ort\n10:00;Eröffnung;Halle\n", true),
        ("Beginn;Ende;Titel\n10:00;11:00;Eröffnung\n11:30;12:00;Chor\n", true),
        ("Beginn;Titel\n10:00 - 11:00;Eröffnung\n", true),
        ("Datum;Uhrzeit;Titel\n;10:00;Eröffnung\n;11:00;Chor\n", true),
        ("Start time;Title\n10:00 CEST;A\n11:00 CEST;B\n", true),
        ("Datum;Uhrzeit;Titel\n12.06.2027;10:00;Eröffnung\n;11:00;Chor\n", false),
        ("Tag;Uhrzeit;Titel\nSa;10:00;Eröffnung\nSo;11:00;Chor\n", false),
        ("Datum;Uhrzeit;Titel\n12.6.;10:00;Eröffnung\n13.6.;11:00;Chor\n", false),
        ("Beginn;Titel\n2027-06-12 10:00;Eröffnung\n10:00;Chor\n", false),
        // The words or another column say the day: nobody knows that it is one.
        ("Uhrzeit;Titel\nSamstag;\n10:00;A\n", false),
        ("Beginn;Titel\nSa;\n10:00;A\n", false),
        ("Uhrzeit;Titel\nHalle 1;\n10:00;A\n", true),
        ("Uhrzeit Samstag;Titel\n10:00;A\n", false),
        ("Paarung;Spieltermin;Uhrzeit\nA - B;12.06.2027;10:00\nC - D;13.06.2027;11:00\n", false),
        ("Titel;Spieltermin;Uhrzeit;Ort\nA;12.06.2027;10:00;Platz 1\nB;13.06.2027;11:00;Platz 2\n", false),
        ("Titel;Fällig;Uhrzeit\nA;12. Juni;10:00\nB;13. Juni;11:00\n", false),
        ("Titel;Lieferung;Uhrzeit\nA;12/6;10:00\nB;13/6;11:00\n", false),
        ("Titel;Lieferung;Uhrzeit\nA;12.6;10:00\nB;13.6;11:00\n", false),
        ("Titel;Schicht;Uhrzeit\nA;Mo;10:00\nB;Di;11:00\n", false),
        ("Titel;Termine;Uhrzeit\nA;jeden Montag;10:00\nB;offen;11:00\n", false),
        ("Titel;Tage;Uhrzeit\nA;Mo-Fr;10:00\nB;Sa und So;11:00\n", false),
        ("Titel;Woche;Uhrzeit\nA;KW 23;10:00\nB;KW24;11:00\n", false),
        ("Uhrzeit;Titel;Leitung\n10:00;A;Mo\n11:00;B;Kai\n12:00;C;Fr\n", true),
        ("Uhrzeit;Titel;Preis\n10:00;A;10.50\n11:00;B;12.06\n", true),
        ("Uhrzeit;Titel;Ort\n10:00;A;Sonntagberg\n11:00;Tag der offenen Tür;Halle\n", true),
        ("Datum;Uhrzeit;Titel\n12.06.2027;;\n;10:00;A\n;11:00;B\n", false),
        ("Zeit;Titel\n12.06.2027 10:00;A\n13.06.2027 10:00;B\n", false),
        ("Wochentag;Uhrzeit;Kurs\nMo;18:00;A\nDi;18:00;B\n", false),
        ("Titel;Ort\nEröffnung;Halle\n", false),
        ("Uhrzeit;Titel;Monat\n10:00;A;Juni\n11:00;B;Juli\n", false),
        ("Uhrzeit;Titel;KW\n10:00;A;23\n11:00;B;24\n", false),
        ("Uhrzeit;Titel;Spieltag\n10:00;A;1\n11:00;B;2\n", false),
        ("Uhrzeit;Titel;Rhythmus\n10:00;A;wöchentlich\n11:00;B;14-tägig\n", false),
        ("Uhrzeit;Titel\n10:00;Montag Yoga\n11:00;Dienstag Pilates\n", false),
        ("Uhrzeit;Titel\n10:00;Sitzung 3.6.2027\n11:00;Sitzung 10.6.2027\n", false),
        ("Uhrzeit;Titel;Ort\n10:00;A;Mo Halle 1\n11:00;B;Di Halle 2\n", false),
        // A column of groups, of days or of others.
        ("Gruppe;Uhrzeit;Titel\nSamstag;10:00;A\n;11:00;B\nSonntag;9:00;C\n", false),
        ("Gruppe;Uhrzeit;Titel\nI;10:00;A\n;11:00;B\nII;9:00;C\n", true),
        ("Gruppe;Uhrzeit;Titel\nI;10:00;A\nI;11:00;B\nII;9:00;C\n", true),
        ("Ende;Titel\n10:00;Eröffnung\n", false),
    ] {
        let (report, items) = read(csv, &events);
        assert_eq!(report.asks_for_day, asks, "{csv}");
        assert_eq!(items.is_empty(), asks || report.items == 0, "{csv}");
        assert!(!read(csv, &on("2027-06-12", &[])).0.asks_for_day, "{csv}");
    }
}

#[test]
fn all_events_are_on_the_typed_day() {
    let told = "All events are on Saturday, 12 June 2027.";
    for (csv, expected) in [
        (
            "Uhrzeit;Programmpunkt;Ort\n10:00;Eröffnung;Halle\n11:30 - 12:15;Chor;Bühne\n",
            ["20270612T100000", "20270612T113000/20270612T121500"],
        ),
        (
            "Beginn;Ende;Titel\n10:00;11:00;Eröffnung\n22:00;01:00;Tanz\n",
            ["20270612T100000/20270612T110000", "20270612T220000/20270613T010000"],
        ),
        (
            "Datum;Uhrzeit;Titel\n;10:00;Eröffnung\n12.06.2027;11 Uhr;Chor\n",
            ["20270612T100000", "20270612T110000"],
        ),
        ("Uhrzeit;Titel\nganztägig;Markt\n9 Uhr;Lauf\n", ["20270612", "20270612T090000"]),
    ] {
        let (report, found) = on_saturday(csv);
        assert_eq!((sentences(&report), found), (vec![], expected.map(str::to_owned).to_vec()), "{csv}");
        assert!(report.notices.iter().any(|notice| notice == told), "{:?}", report.notices);
    }
    // A person may choose the columns, too.
    let csv = "Was;Wann\nA;10:00\nB;12:00\n";
    for field in ["start", "startTime"] {
        let (report, items) = read(csv, &on("12.06.2027", &[("title", 0), (field, 1)]));
        assert_eq!(sentences(&report), Vec::<String>::new());
        assert_eq!(times(&items), ["20270612T100000", "20270612T120000"]);
    }
    let (report, _) = read(csv, &on("2027-02-30", &[("title", 0), ("startTime", 1)]));
    assert_eq!(sentences(&report), ["Write the day of all events as 2027-06-12."]);
    assert!(!report.asks_for_day);
}

#[test]
fn rows_that_may_be_on_another_day_are_refused() {
    for (csv, refused) in [
        // Behind midnight, or in the afternoon.
        ("Uhrzeit;Titel\n20:00;A\n23:30;B\n00:30;C\n2:00;D\n", vec![4, 5]),
        ("Uhrzeit;Titel\n9:00;A\n11:00;B\n1:00;C\n3:00;D\n", vec![4, 5]),
        ("Time;Title\n9:00;A\n12:00;B\n1:30;C\n6:30;D\n12:30;E\n8:00;F\n", vec![4, 5]),
        ("Start time;Title\n10:00 CEST;A\n00:30 CEST;B\n", vec![3]),
        ("Uhrzeit;Titel\n5:00;A\n9:00;B\n", vec![]),
        // Another day, in a column or between the rows.
        (
            "Datum;Uhrzeit;Titel\n12.06.2027;10:00;A\n13.06.2027;11:00;B\n;12:00;C\n12.06.2027;13:00;D\n;14:00;E\n",
            vec![3, 4],
        ),
        ("Beginn;Titel\n10:00;A\n13.06.2027 11:00;B\n", vec![3]),
        ("Wochentag;Uhrzeit;Titel\nSamstag;10:00;A\nSonntag;11:00;B\nSamstag;12:00;C\n", vec![2, 3, 4]),
        ("Uhrzeit;Titel\nSamstag;\n10:00;A\nSonntag;\n11:00;B\n12:00;C\n", vec![2, 3, 4, 5, 6]),
        ("Uhrzeit;Titel\nSonntag;\n10:00;A\n11:00;B\n", vec![2, 3, 4]),
        ("Uhrzeit;Titel\nTag 1;\n10:00;A\n", vec![2]),
        ("Woche;Uhrzeit;Titel\n;10:00;A\n23;;\n;11:00;B\n", vec![3, 4]),
        ("Titel;Spieltermin;Uhrzeit\nA - B;12.06.2027;10:00\nC - D;13.06.2027;11:00\n", vec![3]),
        ("Titel;Spieltermin;Uhrzeit\nA;12.06.2027;10:00\nB;13.06.2027;11:00\nC;;12:00\n", vec![3, 4]),
        ("Titel;Schicht;Uhrzeit\nA;Mo;10:00\nB;Di;11:00\nC;;12:00\n", vec![2, 3, 4]),
        ("Titel;Lieferung;Uhrzeit\nA;12/6;10:00\nB;13/6;11:00\n", vec![2, 3]),
        ("Titel;Termine;Uhrzeit\nA;jeden Montag;10:00\nB;offen;11:00\n", vec![2, 3]),
        ("Titel;Tage;Uhrzeit\nA;Mo-Fr;10:00\nB;Di;11:00\n", vec![2, 3]),
        ("Titel;Woche;Uhrzeit\nA;KW 23;10:00\nB;KW 24;11:00\n", vec![2, 3]),
        ("Uhrzeit;Titel\nSonntag 10:00;A\n11:00;B\n", vec![2, 3]),
        (
            "Titel;Planung;Fällig;Uhrzeit\nA;12.06.2027;13.06.2027;10:00\nB;12.06.2027;12.06.2027;11:00\n",
            vec![2],
        ),
        ("Time;Title\n10:00 SAT;A\n11:00 (So);B\n", vec![2, 3]),
        // Initials, prices, places and titles.
        ("Uhrzeit;Titel;Leitung\n10:00;A;Mo\n11:00;B;Fr\n12:00;C;Sam\n13:00;D;Kai\n", vec![]),
        ("Uhrzeit;Titel;Initials\n10:00;A;Th\n11:00;B;Mo\n12:00;C;BA\n13:00;D;KL\n", vec![]),
        ("Uhrzeit;Titel;Preis\n10:00;A;10.50\n11:00;B;12.06\n", vec![]),
        ("Uhrzeit;Titel;Ort\n10:00;Sonntagsbrunch;Sonntagberg\n", vec![]),
        ("Uhrzeit;Titel\n12.06.2027;\n10:00;A\n13.06.2027;\n11:00;B\n", vec![2, 4, 5]),
        ("Uhrzeit;Titel\n10:00;A\n;2. Tag\n11:00;B\n", vec![3, 4]),
        ("Tijd;Titel\n10:00;A\nZondagochtend;\n11:00;B\n", vec![3, 4]),
        ("Uhrzeit;Titel\n10:00;A\nTag der offenen Tür;\n11:00;B\nSo geht es weiter;\n12:00;C\n", vec![3, 5]),
        ("Tijd;Titel\n10:00;A\n;Tweede dag\n11:00;B\n", vec![3, 4]),
        ("Uhrzeit;Titel\n10:00;A\n;So 13.6.\n11:00;B\n", vec![3, 4]),
        // Neither a note nor a heading is an event of the whole day.
        ("Uhrzeit;Titel\n10:00;A\n;Halle 2\n11:00;B\n;Änderungen vorbehalten\n", vec![3, 5]),
    ] {
        let (report, found) = on_saturday(csv);
        let rows: Vec<u64> = report.problems.iter().filter_map(|problem| problem.row).collect();
        assert_eq!(rows, refused, "{csv}: {:?}", sentences(&report));
        assert_eq!(found.len() + refused.len(), csv.lines().count() - 1, "{csv}");
    }
}

#[test]
fn a_day_that_is_written_once_is_of_the_rows_below() {
    for name in ["Tag", "Datum", "Wochentag", "Spieltag", "Woche", "Block"] {
        for [first, second] in [
            ["Samstag", "Sonntag"],
            ["12.6.", "13.6."],
            ["Tag 1", "Tag 2"],
            ["1", "2"],
            ["KW 23", "KW 24"],
            ["Sa 12.6.", "So 13.6."],
        ] {
            let csv = format!("{name};Uhrzeit;Titel\n{first};10:00;A\n;11:00;B\n{second};9:00;C\n;12:00;D\n");
            let (report, found) = on_saturday(&csv);
            let rows: Vec<u64> = report.problems.iter().filter_map(|problem| problem.row).collect();
            // A block with a number is none of days.
            if [name, first] == ["Block", "1"] {
                assert_eq!(found.len(), 4, "{csv}");
                continue;
            }
            assert!(rows.contains(&3) && rows.contains(&5), "{csv}: {found:?}");
            assert!(name == "Block" || found.is_empty(), "{csv}: {found:?}");
        }
    }
}

#[test]
fn other_dates_are_no_days_of_events() {
    for csv in [
        "Leitung;Preis;Uhrzeit;Titel\nAnna;5 €;10:00;A\n;;11:00;B\n",
        "Klasse;Uhrzeit;Titel\n5/6;10:00;A\n7/8;11:00;B\n",
        "Dauer (Tage);Uhrzeit;Titel\n1;10:00;A\n1;11:00;B\n",
        "Uhrzeit;Titel;Beschreibung\n10:00;A;Ersatz für Sonntagskonzert\n11:00;B;Anmeldung bis 1.6.2027\n",
        "Uhrzeit;Titel;Anmeldeschluss\n10:00;A;1.6.2027\n11:00;B;2.6.2027\n",
        "Uhrzeit;Titel;Erstellt am\n10:00;A;1.3.2027\n11:00;B;2.3.2027\n",
    ] {
        let (report, found) = on_saturday(csv);
        assert_eq!((sentences(&report), found.len()), (vec![], 2), "{csv}");
    }
    let (report, _) = on_saturday("Uhrzeit;Titel;Beschreibung\n10:00;A;Sonntag\n");
    assert_eq!(report.problem_count, 1);
}

#[test]
fn times_before_noon_are_on_the_next_day() {
    for (time, told) in [
        (
            "12:15 am",
            "Row 3: this time may be on the next day: events above start later. Write the day of each event into a column.",
        ),
        (
            "1:15",
            "Row 3: this time may be on the next day, or in the afternoon: events above start later. Write 13:00 for an afternoon. For the next \
             day, write the day of each event into a column.",
        ),
    ] {
        let (report, _) = on_saturday(&format!("Time;Title\n11:00 pm;A\n{time};B\n"));
        assert_eq!(sentences(&report), [told]);
    }
}

#[test]
fn times_that_go_back_are_told() {
    let (report, found) = on_saturday("Uhrzeit;Titel;Ort\n10:00;A;Halle\n14:00;B;Halle\n9:00;C;Platz\n");
    assert_eq!((report.problem_count, found.len()), (0, 3));
    let told = "All events are on Saturday, 12 June 2027. 1 event starts before the one above it: row 4. Look whether that is meant: it may be on another day, or in the afternoon.";
    assert!(report.notices.iter().any(|notice| notice == told), "{:?}", report.notices);
}

#[test]
fn cells_speak_for_a_kind() {
    for (csv, likely) in [
        (
            "Disziplin;Datum;Uhrzeit;Ort\nWeitsprung;12.06.2027;10:00;Platz\nLauf;12.06.2027;11:00;Bahn\n",
            Some("event"),
        ),
        ("Taak;Datum;Uur;Locatie\nKoor;12-06-2027;20u00;Zaal\nDans;13-06-2027;21u00;Zaal\n", Some("event")),
        ("Taak;Uur;Wie\nKoor;20u00;Ada\nDans;21u00;Bo\n", Some("event")),
        ("Ort;Breite;Länge;Höhe\nA;47.2692;11.4041;1200\nB;47,3692;-11,5041;1300\n", Some("geo")),
        ("Wer;Anmeldung Praxis Tel.\nAda;0512 123456\nBo;0512 123457\n", Some("contact")),
        ("Wer;Wohin\nAda;ada@a.example\nBo;bo@a.example\n", Some("contact")),
        ("Wer;Wohin\nAda;DE75512108001245126199\nBo;AT61 1904 3002 3457 3201\n", Some("payment")),
        ("Wer;Tag;Von;Bis\nAda;2027-06-12;10:00;12:00\nBo;2027-06-12;11:00;12:00\n", Some("event")),
        // Names speak for events.
        ("Veranstaltung;Datum;Uhrzeit\nChor;12.06.2027;10:00\nTanz;13.06.2027;10:00\n", None),
        // Measurements and amounts.
        ("Datum;Uhrzeit;Temperatur\n12.06.2027;10:00;21,5\n12.06.2027;11:00;22,0\n", None),
        ("Datum;Uhrzeit;Temperatur;Wer\n12.06.2027;10:00;21,5;Ada\n12.06.2027;11:00;22,0;Bo\n", None),
        ("Datum;Uhrzeit;Kunde;Summe\n12.06.2027;10:00;Ada;12.50\n12.06.2027;11:00;Bo;3.00\n", None),
        // No times, no words, and one row alone.
        ("Taak;Datum;Wie\nKoor;12-06-2027;Ada\nDans;13-06-2027;Bo\n", None),
        ("Nr;Datum;Uur\n1;12-06-2027;20u00\n2;13-06-2027;21u00\n", None),
        ("Disziplin;Datum;Uhrzeit;Ort\nWeitsprung;12.06.2027;10:00;Platz\n", None),
        ("Wer;Anmeldung\nAda;0512 123456\nBo;bald\n", None),
        ("Wer;Betrag CHF;Konto\nAda;20;CH9300762011623852957\nBo;30;CH9300762011623852957\n", None),
        (
            "Reise;von;bis;Treffpunkt\nRom;12.06.2027;15.06.2027;Bahnhof\nWien;13.07.2027;15.07.2027;Platz\n",
            Some("event"),
        ),
        ("Was;Wie\nBuch;978-3-16-148410-0\nTee;4006381333931\nSaft;bald\n", Some("digital-link")),
        ("Titel;ISBN\nA;9783192754272\nB;3-12-517290-X\nC;978 3 8421 0912 4\n", Some("digital-link")),
        ("An wen;Betreff;Was\na@a.example;Kurs;Yoga\nb@a.example;Kurs;Chor\n", Some("email")),
        // Deadlines, durations, and days in several columns.
        ("Taak;Datum;Duur\nKoor;12-06-2027;1:30\nDans;13-06-2027;0:45\n", None),
        ("Taak;Van;Tot;Uur\nKoor;12-06-2027;13-06-2027;20:00\nDans;13-06-2027;14-06-2027;21:00\n", None),
        (
            "Wer;Datum;Uhrzeit;Link\nA;12.06.2027;10:00;https://a.example\nB;12.06.2027;11:00;https://b.example\n",
            None,
        ),
    ] {
        let (report, _) = read(csv, &Choices::default());
        assert_eq!(report.likely_kind.map(Kind::name), likely, "{csv}");
        let events = Choices { composed: vec![kind("event", &[])], ..Choices::default() };
        assert_eq!(read(csv, &events).0.likely_kind, None, "{csv}");
    }
}
