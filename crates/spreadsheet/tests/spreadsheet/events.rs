//! Lists of events as clubs and schools write them.

use qrpress_spreadsheet::{Kind, Role};

use crate::composed::{Choices, items, kind, problems, read};

/// The kind that is proposed, and the name of the column that the data is in.
fn found(csv: &str) -> (Option<Kind>, Option<String>) {
    let (report, _) = read(csv, &Choices::default());
    let data = report.columns.iter().find(|column| column.role == Some(Role::Data));
    (report.proposal.map(|proposal| proposal.kind), data.map(|column| column.name.clone()))
}

#[test]
fn columns_of_events_called_data_hold_dates_though_one_has_a_word_before_it() {
    let event = Choices { composed: vec![kind("event", &[])], ..Choices::default() };
    for (header, other) in [
        ("Wydarzenie;Data;Godzina;Miejsce", "od 25.10.2026"),
        ("Wydarzenie;Data;Godzina;Miejsce", "jesienią"),
        ("Evento;Data;Ora;Luogo", "dal 12/11/2026"),
        ("Evento;Data;Ora;Luogo", "da definire"),
        ("Evento;Data;Hora;Local", "a partir de 25/11/2026"),
        ("Eveniment;Data;Ora;Locul", "începând cu 25.11.2026"),
        ("Arrangement;Dato;Tidspunkt;Sted", "fra 25.10.2026"),
    ] {
        for rows in [["12.09.2026", other], [other, "12.09.2026"]] {
            let [first, second] = rows;
            let csv = format!("{header}\nA;{first};18:00;Aula\nB;{second};19:00;Aula\n");
            assert_eq!(found(&csv), (Some(Kind::Event), None), "{csv}");
            let told = problems(&csv, &event);
            let row = if first == other { 2 } else { 3 };
            let start = format!("Row {row}, column B ({}): write dates", &header.split(';').nth(1).unwrap());
            assert!(told.len() == 1 && told[0].starts_with(&start), "{told:?}");
        }
    }
    // None has a day yet.
    assert_eq!(found("Evento;Data;Ora;Luogo\nA;da definire;18:00;Aula\n"), (Some(Kind::Event), None));
}

#[test]
fn columns_called_data_hold_dates_beside_what_other_codes_need() {
    for (kind, csv) in [
        (
            Kind::Payment,
            "Nome;IBAN;Importo;Data\nA;IT60X0542811101000000123456;5;12/09/2026\nB;IT60X0542811101000000123456;6;da definire\n",
        ),
        (Kind::Wifi, "SSID;Password;Data\na;abcdefgh1;12.09.2026\nb;abcdefgh2;od 12.09.2026\n"),
        (Kind::Contact, "Nome;Telefono;Data\nA;+39 06 1234567;12/09/2026\nB;+39 06 1234568;dal 12/10/2026\n"),
    ] {
        assert_eq!(found(csv), (Some(kind), None), "{csv}");
    }
}

#[test]
fn columns_called_data_hold_codes_where_few_are_dates() {
    for csv in [
        "Name;Data;Caption\nA;Hello of 2026-01-01;x\nB;Good morning;y\n",
        "Event;Data;Time;Location\nFair;https://example.org/1;18:00;Hall\nBall;12.09.2026;18:00;Hall\n",
        "Nome;Data;Titolo\nA;https://example.org/1;uno\nB;12.09.2026;due\n",
        "Nr;Data\n1;SN 1\n2;SN 2\n3;12.09.2026\n",
    ] {
        assert_eq!(found(csv), (None, Some("Data".to_owned())), "{csv}");
    }
}

/// The first row of these columns as an event.
fn first_event(header: &str, cells: &str) -> String {
    let csv = format!("{header}\n{cells}\n");
    assert_eq!(found(&csv).0, Some(Kind::Event), "{csv}");
    let found = items(&csv, &Choices { composed: vec![kind("event", &[])], ..Choices::default() });
    found[0]["data"].as_str().unwrap().to_owned()
}

#[test]
fn names_are_titles_beside_the_day_and_time_of_a_start() {
    for header in [
        "Name;Start date;Start time;Location",
        "Name;Startdatum;Startzeit;Ort",
        "Nom;Date de début;Heure de début;Lieu",
        "Nombre;Fecha de inicio;Hora de inicio;Lugar",
        "Nazwa;Data rozpoczęcia;Godzina rozpoczęcia;Miejsce",
        "Namn;Startdatum;Starttid;Plats",
        "Name;Date;Time;Location",
        "Nazwa;Data;Godzina;Miejsce",
    ] {
        let data = first_event(header, "A;2026-09-12;18:00;Aula");
        assert!(data.contains("\r\nDTSTART:20260912T180000\r\nSUMMARY:A\r\nLOCATION:Aula\r\n"), "{header}");
    }
    let header = "Nazwa;Data rozpoczęcia;Godzina rozpoczęcia;Data zakończenia;Godzina zakończenia";
    let data = first_event(header, "A;12.09.2026;18:00;13.09.2026;1:00");
    assert!(data.contains("DTSTART:20260912T180000\r\nDTEND:20260913T010000\r\nSUMMARY:A\r\n"), "{data}");
}

#[test]
fn columns_may_hold_days_with_their_times() {
    for header in [
        "Event;Date and time;Venue",
        "Event;Date/Time;Venue",
        "Event;Datetime;Place",
        "Veranstaltung;Datum und Uhrzeit;Ort",
        "Événement;Date et heure;Lieu",
        "Evento;Fecha y hora;Lugar",
        "Evento;Data e ora;Luogo",
        "Evento;Data e hora;Local",
        "Activiteit;Datum en tijd;Locatie",
        "Wydarzenie;Data i godzina;Miejsce",
        "Akce;Datum a čas;Místo",
        "Aktivitet;Datum och tid;Plats",
        "Händelse;Datum;Plats",
        "Quoi;Quand;Où",
        "Qué;Cuándo;Dónde",
        "Wat;Wanneer;Waar",
        "Vad;När;Var",
    ] {
        let data = first_event(header, "A;25.05.2027 18:00;Aula");
        assert!(data.contains("DTSTART:20270525T180000\r\nSUMMARY:A\r\nLOCATION:Aula\r\n"), "{header}");
    }
    for header in [
        "Event;Start date and time;End date and time",
        "Événement;Date et heure de début;Date et heure de fin",
        "Evento;Fecha y hora de inicio;Fecha y hora de fin",
        "Activité;Du;Au",
        "Attività;Dal;Al",
    ] {
        let data = first_event(header, "A;25.05.2027 18:00;26.05.2027 19:00");
        assert!(data.contains("DTSTART:20270525T180000\r\nDTEND:20270526T190000\r\n"), "{header}: {data}");
    }
}

#[test]
fn more_lists_of_events_are_read() {
    for (header, cells) in [
        ("Termin;Uhrzeit;Veranstaltung", "12.09.2026;18:00 - 20:00;A"),
        ("Termin;Godzina;Nazwa wydarzenia", "12.09.2026;18:00-20:00;A"),
        ("Date;Start;Finish;Fixture", "12.09.2026;6pm;8pm;A"),
    ] {
        let data = first_event(header, cells);
        let expected = "DTSTART:20260912T180000\r\nDTEND:20260912T200000\r\nSUMMARY:A\r\n";
        assert!(data.contains(expected), "{header}: {data}");
    }
}

#[test]
fn webinars_are_events_and_their_time_zones_are_told() {
    let event = Choices { composed: vec![kind("event", &[])], ..Choices::default() };
    let csv = "Webinar,Starts,Ends,Time zone\nA,2027-02-03 10:00,2027-02-03 11:00,America/New_York\n";
    assert_eq!(found(csv).0, Some(Kind::Event));
    let (report, items) = read(csv, &event);
    let told = "The time zones in the column D (Time zone) are not used: a time without a zone is that of the place where the phone \
                is. Write zones behind the times, such as 16:00 UTC+1.";
    assert_eq!(report.notices, [told]);
    assert!(items[0]["data"].as_str().unwrap().contains("DTSTART:20270203T100000\r\n"), "{items:?}");
    for name in ["Timezone", "Zeitzone", "Fuseau horaire", "Zona horaria"] {
        let (report, _) = read(&csv.replace("Time zone", name), &event);
        assert!(
            report.notices.len() == 1 && report.notices[0].contains("time zones in"),
            "{:?}",
            report.notices
        );
    }
    let (report, _) = read(&csv.replace("Time zone", "Zone"), &event);
    assert_eq!(report.notices, ["Not in the codes: Zone."]);
}

#[test]
fn cells_of_times_say_zones_and_whole_days() {
    let event = Choices { composed: vec![kind("event", &[])], ..Choices::default() };
    let csv = "Event,Date,Time\nA,2027-02-03,15:00 - 16:00 GMT\nB,2027-02-03,ganztägig\nC,2027-02-03,18:00\n";
    let (report, items) = read(csv, &event);
    assert_eq!(report.notices, Vec::<String>::new());
    let start = |index: usize, line: &str| items[index]["data"].as_str().unwrap().contains(line);
    assert!(start(0, "DTSTART:20270203T150000Z\r\nDTEND:20270203T160000Z\r\n"), "{items:?}");
    assert!(start(1, "DTSTART;VALUE=DATE:20270203\r\n"), "{items:?}");
    assert_eq!(
        problems("Event,Start\nA,2027-02-03 16:00 CET\nB,2027-02-03 10:00 EST\n", &event),
        [
            "Row 3, column B (Start): the time zone EST is not known here. Write its distance from UTC behind the time, such as \
            16:00 UTC+1 or 16:00 UTC-5."
        ]
    );
}

#[test]
fn times_in_a_column_of_an_unknown_name_are_told_where_no_event_has_one() {
    let event = Choices { composed: vec![kind("event", &[])], ..Choices::default() };
    let told = |csv: &str| {
        let (report, _) = read(csv, &event);
        (report.notices, report.times_column)
    };
    let one = "No event has a start time, but the column C (XY) holds times. If events start then, choose it as the start time.";
    for cells in [
        ["18:00", "19:30", "20:15"],
        ["19h30", "20 h", "tba"],
        ["18:00 - 20:00", "18 Uhr", "16:00 UTC"],
        ["klo 18", "18.30 Uhr", "later"],
    ] {
        let [first, second, third] = cells;
        let csv = format!(
            "Event;Date;XY;Ort;Sold\nA;2027-02-03;{first};Hall;one\nB;2027-02-04;{second};Hall;two\nC;2027-02-05;{third};Hall;three\n"
        );
        let expected = ["Not in the codes: Sold.".to_owned(), one.to_owned()];
        assert_eq!(told(&csv), (expected.to_vec(), Some(2)), "{csv}");
    }
    let several = "No event has a start time, but the columns C (X), D (Y) hold times. If events start then, choose the right one as the \
                   start time.";
    let csv = "Event;Date;X;Y\nA;2027-02-03;18:00;20:00\n";
    assert_eq!(told(csv), (vec![several.to_owned()], None));
    // Prices, days, ages, and times of some other thing.
    for (header, cells) in [
        ("Event;Date;XY", "A;2027-02-03;12.30"),
        ("Event;Date;XY", "A;2027-02-03;2027-02-03 18:00"),
        ("Event;Date;XY", "A;2027-02-03;12"),
        ("Event;Date;XY", "A;2027-02-03;10-12"),
        ("Event;Date;XY", "A;2027-02-03;all day"),
        ("Event;Date;XY;Start time", "A;2027-02-03;1:30;18:00"),
        ("Event;Date;XY", "A;2027-02-03 18:00;1:30"),
    ] {
        let (notices, column) = told(&format!("{header}\n{cells}\n"));
        assert_eq!((notices, column), (vec!["Not in the codes: XY.".to_owned()], None), "{cells}");
    }
    for name in ["Dauer", "Durée", "Duration", "Duración"] {
        let (notices, _) = told(&format!("Event;Date;Start time;{name}\nA;2027-02-03;18:00;1:30\n"));
        assert_eq!(notices, [format!("Not in the codes: {name}.")]);
    }
}

#[test]
fn fields_and_courts_are_places_of_events() {
    for (header, name) in [
        ("Evento;Fecha;Hora", "Campo"),
        ("Arrangement;Dato;Tidspunkt", "Bane"),
        ("Tapahtuma;Päivä;Klo", "Kenttä"),
        ("Event;Date;Time", "Pitch"),
    ] {
        let data = first_event(&format!("{header};{name}"), "A;2027-02-03;18:00;North 2");
        assert!(data.contains("LOCATION:North 2\r\n"), "{name}: {data}");
    }
}
