//! Lists of events as clubs and schools write them.

use std::fs;

use qrpress_spreadsheet::{Kind, ReadRequest, Role, read_spreadsheet};

use crate::composed::{Choices, items, kind, problems, read};
use crate::workbook::{request, styles, write_workbook};

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
    for (name, cells) in [
        ("Duration", ["8:00", "6:30"]),
        ("Länge", ["1:30", "12:00"]),
        ("Dauer (h)", ["7:30", "8:00"]),
        ("Lap", ["1:30:05", "1:31:12"]),
        ("Result", ["2:10", "2:12"]),
        ("Bible", ["3:16", "5:3"]),
    ] {
        let csv = format!("Event;Date;{name}\nA;2027-02-03;{}\nB;2027-02-04;{}\n", cells[0], cells[1]);
        assert_eq!(told(&csv), (vec![format!("Not in the codes: {name}.")], None), "{csv}");
    }
    for name in ["Dauer", "Durée", "Duration", "Duración"] {
        let (notices, _) = told(&format!("Event;Date;Start time;{name}\nA;2027-02-03;18:00;1:30\n"));
        assert_eq!(notices, [format!("Not in the codes: {name}.")]);
    }
}

#[test]
fn an_empty_column_of_start_times_is_not_told_where_another_one_is_chosen() {
    let csv = "Event;Date;Start time;XY\nA;2027-02-03;;18:00\nB;2027-02-04;;19:30\n";
    let event = Choices { composed: vec![kind("event", &[])], ..Choices::default() };
    let (report, _) = read(csv, &event);
    assert_eq!(report.times_column, Some(3), "{:?}", report.notices);
    let event = Choices { composed: vec![kind("event", &[("startTime", "XY")])], ..Choices::default() };
    let (report, found) = read(csv, &event);
    assert_eq!(report.notices, Vec::<String>::new());
    assert_eq!(dates_of(found[0]["data"].as_str().unwrap()), "START:20270203T180000");
}

#[test]
fn fields_and_courts_are_places_of_events_where_no_other_column_is() {
    for (header, name, place) in [
        ("Evento;Fecha;Hora", "Campo", "Lugar"),
        ("Evento;Fecha;Hora", "Campo", "Nombre del lugar"),
        ("Evento;Data;Ora", "Campo", "Sede"),
        ("Arrangement;Dato;Tidspunkt", "Bane", "Sted"),
        ("Tapahtuma;Päivä;Klo", "Kenttä", "Paikka"),
        ("Event;Date;Time", "Court", "Venue"),
        ("Événement;Date;Heure", "Terrain", "Stade"),
        ("Wydarzenie;Data;Godzina", "Boisko", "Miejsce"),
        ("Akce;Datum;Čas", "Hřiště", "Místo"),
        ("Esemény;Dátum;Időpont", "Pálya", "Helyszín"),
    ] {
        let data = first_event(&format!("{header};{name}"), "A;2027-02-03;18:00;North 2");
        assert!(data.contains("LOCATION:North 2\r\n"), "{name}: {data}");
        for (columns, cells) in
            [(format!("{name};{place}"), "North 2;Hall"), (format!("{place};{name}"), "Hall;North 2")]
        {
            let data = first_event(&format!("{header};{columns}"), &format!("A;2027-02-03;18:00;{cells}"));
            assert!(data.contains("LOCATION:Hall\r\n"), "{columns}: {data}");
        }
    }
    let data = first_event("Event;Date;Time;Pitch", "A;2027-02-03;18:00;We sell things");
    assert!(!data.contains("LOCATION"), "{data}");
}

#[test]
fn starts_at_midnight_without_an_end_are_told() {
    let told = |csv: &str| times(csv).1;
    let of = |events: &str, row: u64| {
        format!(
            "{events} at midnight; the first is in row {row}, column B. For an event of the whole day, write or format its date without the time."
        )
    };
    let two = of("2 events start", 2);
    assert_eq!(told("Event;Start\nA;2027-02-03 00:00\nB;2027-02-04 0:00\n"), [two.as_str()]);
    let one = of("1 event starts", 3);
    for csv in [
        "Event;Start\nA;2027-02-04 18:00\nB;2027-02-03 00:00\n",
        "Titel;Beginn;Ende;Ort\nA;04.02.2027 18:00;04.02.2027 19:00;Heim\nPutztag;03.02.2027 00:00;;Heim\n",
        "Event;Start;End;All day\nA;2027-02-03 00:00;;yes\nB;2027-02-03 00:00;;\n",
    ] {
        assert!(told(csv).contains(&one), "{csv}: {:?}", told(csv));
    }
    for csv in [
        "Event;Start\nA;2027-02-03\nB;2027-02-04\n",
        "Event;Date;Time\nA;2027-02-03;00:00\nB;2027-02-04;00:00\n",
        "Event;Start;End\nA;2027-02-03 00:00;2027-02-03 12:00\nB;2027-02-04 00:00;2027-02-04 12:00\n",
        "Event;Start\nA;2027-02-03 00:00 - 12:00\nB;2027-02-04 00:00 - 12:00\n",
        "Event;Start (UTC)\nA;2027-02-03 00:00\n",
    ] {
        assert_eq!(told(csv), Vec::<String>::new(), "{csv}");
    }
    let csv = "Event;Start;Duration\nA;2027-02-03 00:00;2 h\nB;2027-02-04 0:00;3 h\n";
    assert_eq!(told(csv), ["Not in the codes: Duration."]);
}

/// The days and times of the events of a sheet, with what is told of them.
fn times(csv: &str) -> (Vec<String>, Vec<String>) {
    let event = Choices { composed: vec![kind("event", &[])], ..Choices::default() };
    let (report, found) = read(csv, &event);
    assert_eq!(report.problems, [], "{csv}");
    (found.iter().map(|item| dates_of(item["data"].as_str().unwrap())).collect(), report.notices)
}

fn dates_of(data: &str) -> String {
    let lines = data.lines().filter_map(|line| line.strip_prefix("DT"));
    lines.filter(|line| !line.starts_with("STAMP")).collect::<Vec<_>>().join(" ")
}

#[test]
fn events_from_midnight_to_midnight_last_to_the_end_of_their_last_day() {
    let camp = "START;VALUE=DATE:20270802 END;VALUE=DATE:20270807";
    let cup = "START:20270925T090000 END:20270925T180000";
    let told = "1 event (row 2) has no start time. It is of a whole day.";
    let csv = "Titre,Début,Fin,Lieu\nStage d'été,02/08/2027 00:00,06/08/2027 00:00,Gymnase\n\
               Tournoi,25/09/2027 09:00,25/09/2027 18:00,Stade\n";
    let (dates, notices) = times(csv);
    assert_eq!(dates, [camp, cup]);
    assert!(notices.contains(&told.to_owned()) && notices.contains(&last_day_at_midnight(3)), "{notices:?}");
    let last_day = Some(last_day_at_midnight(3));
    let behind = Some(behind_last_day());
    for (start, end, dates, told) in [
        (
            "04.09.2027 00:00",
            "04.09.2027 00:00",
            "START;VALUE=DATE:20270904 END;VALUE=DATE:20270905",
            &last_day,
        ),
        ("2027-08-02 0:00", "2027-08-06 0:00", camp, &last_day),
        ("04.09.2027 18:00", "05.09.2027 00:00", "START:20270904T180000 END:20270905T000000", &None),
        ("02.08.2027", "06.08.2027", camp, &None),
        // Calendars write the day after the last one.
        ("20270802T000000", "20270807T000000", camp, &behind),
        ("2027-08-02T00:00:00", "2027-08-07T00:00:00", camp, &behind),
        ("2027-08-02T00:00:00.000", "2027-08-07T00:00:00.000", camp, &behind),
        (
            "2027-08-02T00:00",
            "2027-08-02T00:00",
            "START;VALUE=DATE:20270802 END;VALUE=DATE:20270803",
            &last_day,
        ),
    ] {
        let csv = format!("Event;Start;End\nA;{start};{end}\n");
        assert_eq!(times(&csv), (vec![dates.to_owned()], Vec::from_iter(told.clone())), "{csv}");
    }
    for header in [
        "Summary;DTSTART;DTEND;Days",
        "Event;Start;End;All day",
        "Event;Start;End;Is all-day event?",
        "Titel;Beginn;Ende;Ganztägiges Ereignis",
        "Titre;Début;Fin;Journée entière",
        "Subject;Start;End;AllDayEvent",
        "Titolo;Inizio;Fine;Tutto il giorno",
        "Onderwerp;Begin;Einde;Duurt hele dag",
    ] {
        let csv = format!("{header}\nA;02.08.2027 00:00;07.08.2027 00:00;true\n");
        let told =
            if header.contains("DTEND") { "Not in the codes: Days.".to_owned() } else { behind_last_day() };
        assert_eq!(times(&csv), (vec![camp.to_owned()], vec![told]), "{csv}");
    }
    // These say nothing of the form of the ends.
    for (name, cell) in [
        ("Full day price", "40"),
        ("Price per full day", "40"),
        ("Journée", "true"),
        ("All day ticket", "40"),
        ("Ganztags", "ja"),
        ("Full day", "yes"),
        ("Full-day", "yes"),
        ("Heldag", "ja"),
        ("Journée complète", "oui"),
        ("All day", "no"),
        ("Ganztägig", "nein"),
        ("Ganztägig", "40"),
        ("All day", ""),
    ] {
        let csv = format!("Event;Start;End;{name}\nA;02.08.2027 00:00;06.08.2027 00:00;{cell}\n");
        let (dates, notices) = times(&csv);
        assert_eq!(dates, [camp], "{csv}");
        assert!(notices.contains(&last_day_at_midnight(3)), "{notices:?}");
    }
}

#[test]
fn starts_at_midnight_are_days_where_a_column_says_so() {
    let day = "START;VALUE=DATE:20270509";
    let one_day = "START;VALUE=DATE:20270509 END;VALUE=DATE:20270510";
    let two_days = "START;VALUE=DATE:20270509 END;VALUE=DATE:20270511";
    for (names, cells, dates) in [
        ("Start;End;All day", "2027-05-09 00:00;;Yes", day),
        ("Start;All day", "2027-05-09T00:00:00;x", day),
        ("Beginn;Ende;Ganztägig", "09.05.2027 00:00;;wahr", day),
        ("Beginn;Ende;Ganztägig", "09.05.2027 00:00;;ganztägig", day),
        ("Start date;Start time;All day", "2027-05-09;00:00;Yes", day),
        ("Start date;Start time;All day", "2027-05-09 00:00;0:00;✓", day),
        ("Start date;Start time;End time;All day", "2027-05-09;00:00;00:00;Yes", one_day),
        ("Start date;Start time;End time;All day", "2027-05-09;00:00;23:59;Yes", one_day),
        ("Start date;Start time;End date;End time;All day", "2027-05-09;00:00;2027-05-09;00:00;Yes", one_day),
        (
            "Start date;Start time;End date;End time;All day",
            "2027-05-09;00:00;2027-05-11;00:00;Yes",
            two_days,
        ),
        ("Start;End date;All day", "2027-05-09 00:00;2027-05-10;Yes", two_days),
        ("Start (CET);All day", "2027-05-09 00:00;Yes", day),
        // The days of people.
        ("Start;End;All day", "2027-05-09;2027-05-10;Yes", two_days),
        // These events have times.
        ("Start;End;All day", "2027-05-09 18:00;;Yes", "START:20270509T180000"),
        (
            "Start;End;All day",
            "2027-05-09 00:00;2027-05-09 12:00;Yes",
            "START:20270509T000000 END:20270509T120000",
        ),
        ("Start date;Start time;All day", "2027-05-09;00:00;No", "START:20270509T000000"),
        ("Start date;Start time;All day", "2027-05-09;00:00;", "START:20270509T000000"),
        ("Start date;Start time;All day ticket", "2027-05-09;00:00;yes", "START:20270509T000000"),
    ] {
        let csv = format!("Event;{names}\nOpen day;{cells}\n");
        assert_eq!(times(&csv).0, [dates], "{csv}");
    }
    for (name, word) in [
        ("Journée entière", "Oui"),
        ("Todo el día", "Sí"),
        ("Tutto il giorno", "Vero"),
        ("Hele dag", "Ja"),
        ("Cały dzień", "Tak"),
        ("Celodenní", "Ano"),
        ("Весь день", "Да"),
        ("Terve päev", "Jah"),
        ("Visu dienu", "Jā"),
        ("Visą dieną", "Taip"),
        ("終日", "はい"),
        ("Cả ngày", "Có"),
        ("Sepanjang hari", "Ya"),
        ("ทั้งวัน", "ใช่"),
        ("All day", "✔"),
        ("All day", "☑"),
    ] {
        let csv = format!("Event;Start;{name}\nA;2027-05-09 00:00;{word}\nB;2027-05-10 18:00;\n");
        let (dates, notices) = times(&csv);
        assert_eq!(dates[0], day, "{csv}");
        assert!(!notices.iter().any(|notice| notice.starts_with("Not in the codes")), "{notices:?}");
    }
    // A column cannot take times away from an event, and answers for midnights.
    let csv = "Event;Start;End;All day\nA;2027-05-09 09:00;2027-05-09 17:00;yes\nB;2027-05-10 00:00;;no\n";
    let keeps = "1 event of the whole day has a time, and keeps it; the first is in row 2, column D.";
    assert_eq!(times(csv).1, [keeps]);
    // Midnight of a zone is a time.
    let csv = "Summary,DTSTART UTC,DTEND UTC\nA,2027-06-15 00:00,2027-06-17 00:00\n";
    assert_eq!(times(csv).0, ["START:20270615T000000Z END:20270617T000000Z"]);
    // Nobody knows the meaning of these.
    for word in ["40", "perhaps"] {
        let csv = format!("Event;Start;All day\nA;2027-05-09;{word}\nB;2027-05-10;yes\n");
        assert_eq!(times(&csv).1, ["Not in the codes: All day."], "{word}");
    }
}

#[test]
fn ends_at_midnight_behind_the_last_day_are_told_of() {
    let one_day = "START;VALUE=DATE:20270807 END;VALUE=DATE:20270808";
    let told = behind_last_day();
    for [start, end] in [
        ["07.08.2027 00:00", "08.08.2027 00:00"],
        ["2027-08-07 0:00", "2027-08-08 00:00:00"],
        ["20270807T000000", "20270808T000000"],
        ["2027-08-07T00:00:00", "2027-08-08T00:00:00"],
    ] {
        let csv = format!("Event;Start;End\nA;{start};{end}\n");
        assert_eq!(times(&csv), (vec![one_day.to_owned()], vec![told.clone()]), "{csv}");
    }
    let csv = "Event;Start;End\nA;07.08.2027 00:00;08.08.2027 00:00\nB;07.08.2027 00:00;08.08.2027 00:00\n\
               C;09.08.2027 00:00;11.08.2027 00:00\n";
    let of_two = "2 ends at midnight are taken for the ends of the days before; the first is in row 2, column C. If such a day is part of its \
                  event, write the days without times.";
    assert!(times(csv).1.contains(&of_two.to_owned()), "{:?}", times(csv).1);
    for csv in [
        "Event;DTSTART;DTEND\nA;07.08.2027 00:00;08.08.2027 00:00\n",
        "Event;Date;Start time;End\nA;07.08.2027;00:00;08.08.2027 00:00\n",
        "Event;Start;End\nA;07.08.2027;07.08.2027\n",
    ] {
        let (dates, notices) = times(csv);
        assert!(
            dates == [one_day] && !notices.iter().any(|notice| notice.contains("midnight")),
            "{notices:?}"
        );
    }
}

#[test]
fn times_of_reminders_are_not_those_to_choose() {
    for (name, is_told) in [
        ("Reminder Time", false),
        ("Erinnerungszeit", false),
        ("Hora del aviso", false),
        ("Heure du rappel", false),
        ("Godzina przypomnienia", false),
        ("Tid for påmindelse", false),
        ("Čas připomenutí", false),
        ("Einlasszeit", true),
        ("Meeting time", true),
        ("Avisos: hora", true),
    ] {
        let csv = format!(
            "Subject;Start Date;Start Time;End Date;End Time;{name}\nA;2027-06-01;18:00;2027-06-01;19:00;17:45\n"
        );
        let (dates, notices) = times(&csv);
        assert_eq!(dates, ["START:20270601T180000 END:20270601T190000"]);
        let told = notices.iter().any(|notice| notice.contains("choose their columns"));
        assert_eq!(told, is_told, "{name}: {notices:?}");
        assert!(told || notices == [format!("Not in the codes: {name}.")], "{notices:?}");
    }
    // Nor where no event has a start time.
    let event = Choices { composed: vec![kind("event", &[])], ..Choices::default() };
    for (name, column) in [("Reminder Time", None), ("XY", Some(2))] {
        let (report, _) = read(&format!("Subject;Start Date;{name}\nA;2027-06-01;17:45\n"), &event);
        assert_eq!(report.times_column, column, "{:?}", report.notices);
    }
}

#[test]
fn days_of_calendars_speak_for_events() {
    for (csv, kind) in [
        ("SUMMARY,DTSTART,DTEND,LOCATION\nA,20270601,20270602,Hall\n", Some(Kind::Event)),
        ("SUMMARY,DTSTART,DTEND,LOCATION\nA,2027-06-01,2027-06-02,Hall\n", Some(Kind::Event)),
        ("Summary,Start,End,Location\nA,20270601,20270602,Hall\n", None),
    ] {
        assert_eq!(found(csv).0, kind, "{csv}");
    }
}

#[test]
fn days_in_a_column_called_as_the_ends_of_calendars_are_those_behind_the_events() {
    let one_day = "START;VALUE=DATE:20270601 END;VALUE=DATE:20270602";
    let two_days = "START;VALUE=DATE:20270601 END;VALUE=DATE:20270603";
    for (names, start, end, dates) in [
        ("Summary,DTSTART,DTEND", "2027-06-01", "2027-06-02", one_day),
        ("summary,dtstart,dtend", "20270601", "20270602", one_day),
        ("SUMMARY,DTSTART,DTEND", "2027-06-01", "2027-06-03", two_days),
        ("SUMMARY,DTSTART,DTEND", "2027-06-01", "2027-06-01", one_day),
        ("SUMMARY,DTSTART,DTEND", "2027-06-01", "", "START;VALUE=DATE:20270601"),
        (
            "SUMMARY,DTSTART,DTEND",
            "20270601T180000",
            "20270602T000000",
            "START:20270601T180000 END:20270602T000000",
        ),
        ("Summary,DTSTART (UTC),DTEND (UTC)", "2027-06-01", "2027-06-02", one_day),
        ("Summary,DTSTART (day),DTEND (day)", "2027-06-01", "2027-06-02", one_day),
        ("Summary,DTSTART VALUE=DATE,DTEND VALUE=DATE", "2027-06-01", "2027-06-02", one_day),
        ("Summary,\"DTSTART;VALUE=DATE\",\"DTEND;VALUE=DATE\"", "20270601", "20270602", one_day),
        (
            "Summary,DTSTART (UTC),DTEND (UTC)",
            "20270601T180000",
            "20270602T000000",
            "START:20270601T180000Z END:20270602T000000Z",
        ),
        // Other names have the last day.
        ("Summary,Start,End", "2027-06-01", "2027-06-02", two_days),
        ("Summary,DTSTART,End date", "2027-06-01", "2027-06-02", two_days),
        ("Summary,DTSTART,Last day", "2027-06-01", "2027-06-02", "START;VALUE=DATE:20270601"),
    ] {
        let csv = format!("{names}\nHoliday,{start},{end}\n");
        assert_eq!(times(&csv).0, [dates], "{csv}");
    }
    let csv = "Summary,Date,Start time,DTEND,End time\nA,2027-06-01,18:00,2027-06-02,20:00\n";
    assert_eq!(times(csv).0, ["START:20270601T180000 END:20270602T200000"]);
}

/// The notice of one event that ends before the midnight of its end, in row 2.
fn behind_last_day() -> String {
    let told = "1 end at midnight is taken for the end of the day before; the first is in row 2, column C. If such a day is part of its event, \
                write the days without times.";
    told.to_owned()
}

/// The notice of one event whose end is such a day, in row 2.
fn last_day_at_midnight(column: usize) -> String {
    let letter = ["A", "B", "C"][column - 1];
    format!("1 end at midnight is taken for the last day; the first is in row 2, column {letter}.")
}

#[test]
fn days_whose_format_shows_midnight_are_whole_days() {
    let text = |cell: &str, text: &str| format!("<c r=\"{cell}\" t=\"inlineStr\"><is><t>{text}</t></is></c>");
    let number = |cell: &str, number: &str| format!("<c r=\"{cell}\" s=\"1\"><v>{number}</v></c>");
    let header = text("A1", "Titel") + &text("B1", "Beginn") + &text("C1", "Ende");
    let camp = text("A2", "Freizeit") + &number("B2", "46601") + &number("C2", "46605");
    let cup = text("A3", "Turnier") + &number("B3", "46655.375") + &number("C3", "46655.75");
    let sheet = format!(
        "<worksheet><sheetData><row r=\"1\">{header}</row><row r=\"2\">{camp}</row><row r=\"3\">{cup}</row></sheetData></worksheet>"
    );
    let event = [kind("event", &[])];
    let folder = qrpress_testkit::TempDir::new();
    let (file, body) = (folder.path().join("file"), folder.path().join("body"));
    write_workbook(&file, &[("sheet.xml", &sheet), ("styles.xml", &styles("dd.mm.yyyy hh:mm"))]);
    fs::write(&body, "").unwrap();
    let report = read_spreadsheet(&ReadRequest { composed: &event, ..request(&file, &body) }).unwrap();
    let body = fs::read_to_string(body).unwrap();
    assert!(
        body.contains(r"DTSTART;VALUE=DATE:20270802\r\nDTEND;VALUE=DATE:20270807\r\n")
            && body.contains(r"DTSTART:20270925T090000\r\nDTEND:20270925T180000\r\n"),
        "{body}"
    );
    assert_eq!(
        report.notices,
        ["1 event (row 2) has no start time. It is of a whole day.", last_day_at_midnight(3).as_str()]
    );
}

#[test]
fn ticked_boxes_make_whole_days_in_all_rows_of_a_workbook() {
    let text = |cell: &str, text: &str| format!("<c r=\"{cell}\" t=\"inlineStr\"><is><t>{text}</t></is></c>");
    let names = ["Titel", "Beginn", "Ende", "Ort", "Raum", "A", "B", "C", "D", "E", "F", "Ganztägig"];
    let header: String = ('A'..).zip(names).map(|(letter, name)| text(&format!("{letter}1"), name)).collect();
    let row = |row: u32| {
        let title = text(&format!("A{row}"), &format!("Putztag {row}"));
        format!(
            "<row r=\"{row}\">{title}<c r=\"B{row}\" s=\"1\"><v>{}</v></c><c r=\"L{row}\" t=\"b\"><v>1</v></c></row>",
            46600 + row
        )
    };
    let rows: String = (2..12).map(row).collect();
    let sheet = format!("<worksheet><sheetData><row r=\"1\">{header}</row>{rows}</sheetData></worksheet>");
    let event = [kind("event", &[])];
    let folder = qrpress_testkit::TempDir::new();
    let (file, body) = (folder.path().join("file"), folder.path().join("body"));
    write_workbook(&file, &[("sheet.xml", &sheet), ("styles.xml", &styles("dd.mm.yyyy hh:mm"))]);
    fs::write(&body, "").unwrap();
    let report = read_spreadsheet(&ReadRequest { composed: &event, ..request(&file, &body) }).unwrap();
    let body = fs::read_to_string(body).unwrap();
    assert_eq!(body.matches("DTSTART;VALUE=DATE:").count(), 10, "{body}");
    assert_eq!(report.notices, Vec::<String>::new());
}

#[test]
fn a_zone_in_the_name_of_one_column_is_that_of_all_times() {
    let utc = "START:20270203T160000Z END:20270203T170000Z";
    for header in [
        "Title;Date;Start time (CET);End time",
        "Titel;Datum;Uhrzeit von;Uhrzeit bis (MEZ)",
        "Title;Date;Start;End (CET)",
        "Title;Date (UTC+1);Start;End",
        "Title;Date;Start time;End time (CET)",
        "Title;Date;Start;End;Start (UTC);End (UTC)",
        "Title;Date;Start;End;Date (UTC)",
    ] {
        let is_plain = header.matches("(UTC)").count() > 0;
        let dates = if is_plain { "START:20270203T170000 END:20270203T180000" } else { utc };
        let (found, _) = times(&format!("{header}\nA;2027-02-03;17:00;18:00\n"));
        assert_eq!(found, [dates], "{header}");
    }
    for header in [
        "Title;From;To (CET)",
        "Titel;Von;Bis (MEZ)",
        "Title;Start;End (CET)",
        "Title;Start (CET);End",
        "Title;Start (UTC+1);End (CET)",
    ] {
        let csv = format!("{header}\nA;2027-02-03 17:00;2027-02-03 18:00\n");
        assert_eq!(times(&csv), (vec![utc.to_owned()], vec![]), "{header}");
    }
    let csv = "Title;Start date (CET);Start time;End date;End time\nA;2027-02-03;17:00;2027-02-03;18:00\n";
    assert_eq!(times(csv), (vec![utc.to_owned()], vec![]));
}

#[test]
fn times_of_the_place_get_no_zone_of_another_column() {
    let event = Choices { composed: vec![kind("event", &[])], ..Choices::default() };
    for (header, cells) in [
        ("Event;Date;Start (local time);End (UTC)", "17:00;18:00"),
        ("Titre;Date;Heure de début (UTC);Heure locale;Heure de fin", "16:00;17:00;18:00"),
    ] {
        let told = problems(&format!("{header}\nA;2027-02-03;{cells}\n"), &event);
        assert!(told.len() == 1 && told[0].ends_with("or both times with a zone."), "{header}: {told:?}");
    }
    for (header, dates) in [
        ("Event;Date (UTC);Start (local time);End (local time)", "START:20270203T170000 END:20270203T180000"),
        ("Event;Date;Start local time (CET);End", "START:20270203T160000Z END:20270203T170000Z"),
        // A place.
        ("Evento;Data;Início (UTC);Fim;Local", "START:20270203T170000Z END:20270203T180000Z"),
    ] {
        let (found, _) = times(&format!("{header}\nA;2027-02-03;17:00;18:00\n"));
        assert_eq!(found, [dates], "{header}");
    }
}

#[test]
fn names_without_a_zone_go_before_those_with_one() {
    for header in ["Event;Start;Start (UTC)", "Event;Start (UTC);Start"] {
        let cells = if header.ends_with(')') { "19:00;2027-02-03 18:00" } else { "18:00;2027-02-03 19:00" };
        let (dates, _) = times(&format!("{header}\nA;2027-02-03 {cells}\n"));
        assert_eq!(dates, ["START:20270203T190000"], "{header}");
    }
    let csv = "Event;Start;End;Start (UTC);End (UTC)\nA;2027-02-03 17:00;18:00;2027-02-03 16:00;17:00\n";
    assert_eq!(times(csv).0, ["START:20270203T170000 END:20270203T180000"]);
    // Nobody knows where the phone is.
    let csv = "Event;Date;Time (ET);Time (CT);Time (PT)\nA;2027-02-03;17:00;16:00;14:00\n";
    let told = "The times in the columns C (Time (ET)), D (Time (CT)), E (Time (PT)) are not used. An event takes a start time and an end \
                time: choose their columns.";
    assert_eq!(times(csv), (vec!["START;VALUE=DATE:20270203".to_owned()], vec![told.to_owned()]));
}

#[test]
fn starts_and_ends_of_several_zones_are_those_of_one() {
    let local = "START:20270203T170000 END:20270203T180000";
    let start = "START:20270203T170000";
    let utc = "START:20270203T160000Z END:20270203T180000Z";
    let day = "START;VALUE=DATE:20270203";
    for (header, cells, dates) in [
        ("Event;Start;Start (UTC);End (UTC)", "2027-02-03 17:00;2027-02-03 16:00;2027-02-03 18:00", start),
        ("Event;Date;Start;Start (UTC);End (UTC)", "2027-02-03;17:00;16:00;18:00", start),
        ("Event;Date;Time;Start (UTC);End (UTC)", "2027-02-03;17:00;16:00;18:00", start),
        ("Titel;Datum;Uhrzeit;Beginn (UTC);Ende (UTC)", "2027-02-03;17:00;16:00;18:00", start),
        ("Event;Date;Start;End (CET);Start (CET)", "2027-02-03;17:00;18:00;17:00", start),
        // A general name with a zone is not better than that of a start.
        ("Event;Date;Start;End;Time (UTC)", "2027-02-03;17:00;18:00;16:00", local),
        ("Event;Date;Time (UTC);Start;End", "2027-02-03;16:00;17:00;18:00", local),
        ("Titel;Datum;Von;Bis;Uhrzeit (UTC)", "2027-02-03;17:00;18:00;16:00", local),
        ("Titel;Datum;Beginn;Ende;Startzeit (UTC)", "2027-02-03;17:00;18:00;16:00", local),
        ("Titre;Date;Début;Fin;Heure UTC", "2027-02-03;17:00;18:00;16:00", local),
        ("Event;Date;From;To;Time (UTC)", "2027-02-03;17:00;18:00;16:00", local),
        ("Event;Date;Begin;End;Time (CET)", "2027-02-03;17:00;18:00;16:00", local),
        ("Event;Date;Start;End;Time (ET)", "2027-02-03;17:00;18:00;11:00", local),
        ("Event;Day;Start;End;Date (UTC)", "2027-02-03;17:00;18:00;2027-02-03", day),
    ] {
        let (found, notices) = times(&format!("{header}\nA;{cells}\n"));
        assert_eq!(found, [dates], "{header}");
        assert!(!notices.is_empty(), "{header}");
    }
    // Days of the week, places, and whole moments are no other times.
    for (header, cells) in [
        ("Titel;Tag;Datum;Beginn (UTC);Ende", "Mi;2027-02-03;16:00;18:00"),
        ("Event;Day;Date (UTC);Start (UTC);End (UTC)", "Wed;2027-02-03;16:00;18:00"),
        ("Event;Date;Time (UTC);End;Local", "2027-02-03;16:00;18:00;Hall"),
        ("Event;Date (UTC);Start;End", "2027-02-03;16:00;18:00"),
        ("Event;Start (UTC);End (UTC);Start (ET);End (ET)", "2027-02-03 16:00;18:00;2027-02-03 11:00;13:00"),
        (
            "Event;Date (UTC);Time (UTC);End (UTC);Date (ET);Time (ET)",
            "2027-02-03;16:00;18:00;2027-02-03;11:00",
        ),
        ("Event;Start (UTC);End (UTC);Local time", "2027-02-03 16:00;18:00;17:00"),
    ] {
        assert_eq!(times(&format!("{header}\nA;{cells}\n")).0, [utc], "{header}");
    }
    for header in ["Vortrag;Von;Datum;Uhrzeit (UTC)", "Talk;From;Date;Time (UTC)"] {
        assert_eq!(times(&format!("{header}\nA;Anna Bos;2027-02-03;16:00\n")).0, ["START:20270203T160000Z"]);
    }
    // Nobody knows of which zone the starts are.
    let event = Choices { composed: vec![kind("event", &[])], ..Choices::default() };
    for header in ["Event;Start;End;Time (ET)", "Event;Von;Bis;Uhrzeit (UTC)", "Event;Début;Fin;Heure UTC"] {
        let csv = format!("{header}\nA;2027-02-03 17:00;2027-02-03 18:00;16:00\n");
        assert_eq!(problems(&csv, &event).len(), 1, "{header}");
    }
    // Also where a person chose the columns.
    let choices = Choices {
        composed: vec![kind("event", &[("startTime", "Start"), ("endTime", "End (UTC)")])],
        ..Choices::default()
    };
    let csv = "Event;Date;Start;Start (UTC);End (UTC)\nA;2027-02-03;17:00;16:00;18:00\n";
    assert!(problems(csv, &choices)[0].ends_with("or both times with a zone."));
}

#[test]
fn words_in_a_column_called_as_times_leave_these_to_columns_of_one_zone() {
    let utc = "START:20270203T160000Z END:20270203T170000Z";
    for name in ["Time", "Zeit", "Uhrzeit", "Von", "From", "To", "Bis", "Until", "Beginn", "Start"] {
        for word in ["abends", "Anna Bos", "tba\nC;2027-02-03;17:00;18:00;Anna Bos"] {
            let csv = format!(
                "Event;Date;Start time (CET);End time (CET);{name}\nA;2027-02-03;17:00;18:00;{word}\n"
            );
            assert_eq!(times(&csv).0[0], utc, "{csv}");
        }
    }
    let csv = "Event;Start date;End date;Start time (GMT);End time (GMT);Time\nA;2027-02-03;2027-02-03;16:00;17:00;online\n";
    assert_eq!(times(csv).0, [utc]);
    let csv = "Event;Date;Start;End;Start (UTC);End (UTC)\nA;2027-02-03;abends;spät;16:00;17:00\n";
    assert_eq!(times(csv).0, [utc]);
    // Times of the place.
    for (name, cell) in [("Time", "19:00"), ("Uhrzeit", "19.00"), ("Von", "19 Uhr"), ("Beginn", "7 pm")] {
        let csv = format!(
            "Event;Date;Start time (CET);End time (CET);{name}\nA;2027-02-03;17:00;18:00;{cell}\nB;2027-02-03;17:00;18:00;\n"
        );
        assert_eq!(times(&csv).0[0], "START:20270203T190000", "{csv}");
    }
    // No column of one zone has the other side, or that of the words is one of times too.
    let event = Choices { composed: vec![kind("event", &[])], ..Choices::default() };
    for (header, cells) in [
        ("Event;Date;Start;End;Time (UTC)", "abends;18:00;16:00"),
        ("Event;Date;Start;End;Start (UTC);End (UTC)", "abends;18:00;16:00;17:00"),
        ("Event;Date;Start (CET);End (UTC);Time", "16:00;18:00;abends"),
        ("Event;Date;Time;Start;End", "abends;18:00;16:00"),
        ("Event;Date;Start (CET);End (CET);Beginn", "17:00;18:00;25"),
    ] {
        let told = problems(&format!("{header}\nA;2027-02-03;{cells}\n"), &event);
        assert!(told.len() == 1 && told[0].starts_with("Row 2, column "), "{header}: {told:?}");
    }
}

#[test]
fn times_of_two_zones_beside_a_day_are_asked_about() {
    let csv =
        "Event;Date;Start (CET);End (CET);Start (UTC);End (UTC)\nA;2027-02-03;17:00;18:00;16:00;17:00\n";
    let of =
        |fields: &[(&str, &str)]| Choices { composed: vec![kind("event", fields)], ..Choices::default() };
    let (report, _) = read(csv, &of(&[]));
    assert_eq!(report.asked_fields, ["startTime", "endTime"]);
    assert_eq!(
        problems(csv, &of(&[])),
        ["The columns C (Start (CET)) and E (Start (UTC)) could both be the startTime. Say which one it is."]
    );
    for fields in [
        &[("startTime", "Start (CET)")][..],
        &[("startTime", "Start (UTC)")],
        &[("endTime", "End (UTC)")],
        &[("startTime", "Start (CET)"), ("endTime", "End (CET)")],
        &[("startTime", "Start (CET)"), ("end", "End (CET)")],
        &[("end", "End (UTC)")],
        &[("start", "Date"), ("startTime", "Start (CET)")],
        &[("start", "Date"), ("startTime", "Start (UTC)")],
    ] {
        let data = items(csv, &of(fields))[0]["data"].as_str().unwrap().to_owned();
        assert_eq!(dates_of(&data), "START:20270203T160000Z END:20270203T170000Z", "{fields:?}");
    }
    for (header, cells, dates) in [
        (
            "Event;Date (CET);Start (CET);End (CET);Start (UTC);End (UTC)",
            "2027-02-03;17:00;18:00;16:00;17:00",
            "START:20270203T160000Z END:20270203T170000Z",
        ),
        (
            "Event;Date;Start;End;Start (CET);End (CET);Start (UTC);End (UTC)",
            "2027-02-03;17:00;18:00;17:00;18:00;16:00;17:00",
            "START:20270203T170000 END:20270203T180000",
        ),
        (
            "Event;Date;Start (CET);End (CET);Start (MEZ)",
            "2027-02-03;17:00;18:00;17:00",
            "START:20270203T160000Z END:20270203T170000Z",
        ),
        (
            "Event;Date;Start (UTC);End (UTC);Start (GMT);End (GMT)",
            "2027-02-03;16:00;17:00;16:00;17:00",
            "START:20270203T160000Z END:20270203T170000Z",
        ),
        (
            "Event;Date;Start (UTC);End (UTC);Local venue",
            "2027-02-03;16:00;17:00;Hall",
            "START:20270203T160000Z END:20270203T170000Z",
        ),
        ("Event;Date;Time (UTC);Local date", "2027-02-03;16:00;2027-02-04", "START;VALUE=DATE:20270203"),
    ] {
        assert_eq!(times(&format!("{header}\nA;{cells}\n")).0, [dates], "{header}");
    }
}

#[test]
fn starts_by_several_clocks_are_asked_about_where_fewer_have_ends() {
    let of =
        |fields: &[(&str, &str)]| Choices { composed: vec![kind("event", fields)], ..Choices::default() };
    for (header, cells, asked, choice, dates) in [
        ("Time (CET);Time (EST)", "17:00;11:00", 1, "Time (CET)", "START:20270203T160000Z"),
        ("Uhrzeit (MEZ);Uhrzeit (UTC)", "17:00;16:00", 1, "Uhrzeit (UTC)", "START:20270203T160000Z"),
        // The day may be another one in the zone of the time.
        ("Time (ET);Time (UTC)", "20:00;01:00", 1, "Time (UTC)", "START:20270203T010000Z"),
        ("Time (PT);Time (ET);Time (CET)", "14:00;17:00;23:00", 1, "Time (CET)", "START:20270203T220000Z"),
        (
            "Start (UTC);Local start;End",
            "16:00;17:00;18:00",
            1,
            "Local start",
            "START:20270203T170000 END:20270203T180000",
        ),
        ("Time (local);Time (UTC)", "17:00;16:00", 1, "Time (local)", "START:20270203T170000"),
        (
            "Start (CET);End (CET);Start (UTC)",
            "17:00;18:00;16:00",
            1,
            "Start (CET)",
            "START:20270203T160000Z END:20270203T170000Z",
        ),
        (
            "Start (CET);End (CET);Start (UTC)",
            "17:00;18:00;16:00",
            1,
            "Start (UTC)",
            "START:20270203T160000Z",
        ),
        (
            "Start (CET);End (CET);Local time",
            "17:00;18:00;11:00",
            1,
            "Start (CET)",
            "START:20270203T160000Z END:20270203T170000Z",
        ),
        (
            "Start (UTC);End (UTC);Local start;Local end",
            "16:00;18:00;17:00;19:00",
            2,
            "Local start",
            "START:20270203T170000 END:20270203T190000",
        ),
        (
            "Start (ET);Start (UTC);End (ET);End (UTC)",
            "11:00;16:00;13:00;18:00",
            2,
            "Start (UTC)",
            "START:20270203T160000Z END:20270203T180000Z",
        ),
    ] {
        let csv = format!("Event;Date;{header}\nA;2027-02-03;{cells}\n");
        assert_eq!(read(&csv, &of(&[])).0.asked_fields, &["startTime", "endTime"][..asked], "{header}");
        let data = items(&csv, &of(&[("startTime", choice)]))[0]["data"].as_str().unwrap().to_owned();
        assert_eq!(dates_of(&data), dates, "{header} {choice}");
    }
}

#[test]
fn zones_in_names_of_columns_are_those_of_their_times() {
    let utc = "START:20270203T160000Z END:20270203T170000Z";
    for (csv, dates) in [
        ("Event;Start (UTC);End (UTC)\nA;2027-02-03 16:00;2027-02-03 17:00\n", utc),
        ("Titel;Datum;Uhrzeit (MEZ)\nA;03.02.2027;17:00\n", "START:20270203T160000Z"),
        ("Titel;Datum;Uhrzeit (MEZ)\nA;03.02.2027;17-18 Uhr\n", utc),
        ("Title;Date;Time (CET)\nA;2027-02-03;17:00 WED\n", "START:20270203T160000Z"),
        ("Event;Start (UTC)\nA;2027-02-03 16:00 WED\n", "START:20270203T160000Z"),
        ("Title;Start date;Start time (CET);End time (CET)\nA;2027-02-03;17:00;18:00\n", utc),
        ("Title;Start [UTC+1];End [UTC+1]\nA;2027-02-03 17:00;18:00\n", utc),
        ("Title;Date (UTC);Time\nA;2027-02-03;16:00\n", "START:20270203T160000Z"),
        // The time has its own.
        ("Event;Start (UTC)\nA;2027-02-03 17:00 CET\n", "START:20270203T160000Z"),
        ("Event;Start (UTC)\nA;2027-02-03T16:00:00Z\n", "START:20270203T160000Z"),
        // Days have none.
        (
            "Event;Start (UTC);End (UTC)\nA;2027-02-03;2027-02-04\n",
            "START;VALUE=DATE:20270203 END;VALUE=DATE:20270205",
        ),
        ("Titel;Datum;Uhrzeit (MEZ)\nA;03.02.2027;ganztägig\n", "START;VALUE=DATE:20270203"),
    ] {
        assert_eq!(times(csv), (vec![dates.to_owned()], vec![]), "{csv}");
        assert_eq!(found(csv).0, Some(Kind::Event), "{csv}");
    }
    for (name, dates) in
        [("Start (EST)", "START:20270203T160000"), ("Start (Europe/Berlin)", "START:20270203T160000")]
    {
        let told = format!(
            "The time zone in the name of the column B ({name}) is not known here: a time without a zone is that of the place where the \
             phone is. Write zones behind the times, such as 16:00 UTC+1."
        );
        let csv = format!("Event;{name}\nA;2027-02-03 16:00\n");
        assert_eq!(times(&csv), (vec![dates.to_owned()], vec![told]));
    }
    let summer = problems(
        "Titel;Datum;Uhrzeit (MEZ)\nA;03.07.2027;17:00\n",
        &Choices { composed: vec![kind("event", &[])], ..Choices::default() },
    );
    assert_eq!(
        summer,
        [
            "Row 2, column C (Uhrzeit (MEZ)): the zone is not MEZ but MESZ at this time. Write MESZ behind the time, or the distance from UTC, such as 16:00 UTC+1."
        ]
    );
}

#[test]
fn zones_in_words_in_names_of_columns_are_told() {
    let told = |name: &str, columns: &str| {
        let sentence = format!(
            "If the name of the column {columns} ({name}) says a time zone, it is not in the codes: a time without a zone is that of the place where \
             the phone is. Write zones behind the times, such as 16:00 UTC+1."
        );
        vec![sentence]
    };
    for name in [
        "Start (New York time)",
        "Start (Eastern time)",
        "Start time [UK time]",
        "Inicio (hora de Madrid)",
        "Début (heure de Paris)",
        "Beginn (Berliner Zeit)",
        "Start time (zone of Berlin)",
    ] {
        let csv = format!("Event;{name}\nA;2027-02-03 16:00\n");
        assert_eq!(times(&csv), (vec!["START:20270203T160000".to_owned()], told(name, "B")), "{csv}");
    }
    let name = "End (London time)";
    let csv = format!("Event;Start;{name}\nA;2027-02-03 16:00;2027-02-03 17:00\n");
    assert_eq!(times(&csv), (vec!["START:20270203T160000 END:20270203T170000".to_owned()], told(name, "C")));
    for name in ["Start (PST/PDT)", "Start (ET/CT)"] {
        let notices = times(&format!("Event;{name}\nA;2027-02-03 16:00\n")).1;
        assert!(notices.len() == 1 && notices[0].contains("is not known here"), "{notices:?}");
    }
    // No zone of another column is that of such times.
    let event = Choices { composed: vec![kind("event", &[])], ..Choices::default() };
    let csv = "Event;Start (New York time);End (UTC)\nA;2027-02-03 16:00;2027-02-03 17:00\n";
    assert!(problems(csv, &event)[0].ends_with("or both times with a zone."));
    // Other things in brackets.
    for name in [
        "Start time (local)",
        "Start (local time)",
        "Start (Local time)",
        "Beginn (Ortszeit)",
        "Beginn (Uhrzeit)",
        "Start time (required)",
        "Start Time (Required)",
        "Start time (24h)",
        "Start time (24 Hour)",
        "Start time (HH:MM)",
        "Start time (AM/PM)",
        "Start time (Start)",
        "Start (date and time)",
        "Start (Date and Time)",
        "Start time (doors)",
        "Start time (Doors)",
        "Start time (Zoom)",
        "Start time (Actual)",
        "Start time (Sunday)",
        "Start time (Team A)",
        "Start time (Game time)",
        "Start (Show Time)",
        "Start (Military Time)",
        "Start (Standard Time)",
        "Start time (Daylight)",
        "Hora de inicio (Lugar)",
        "Heure de début (Messe)",
        // A place alone may be that of the event.
        "Start time (London)",
        "Hora de inicio (Madrid)",
        "Hora de inicio (24 horas)",
        "Start time",
    ] {
        let notices = times(&format!("Event;{name}\nA;2027-02-03 16:00\n")).1;
        assert_eq!(notices, Vec::<String>::new(), "{name}");
    }
}

#[test]
fn empty_starts_in_a_second_zone_are_not_asked_about() {
    let cet = "START:20270203T160000Z END:20270203T170000Z";
    for (header, cells, dates) in [
        ("Start (CET);End (CET);Start (UTC);End (UTC)", "17:00;18:00;;", cet),
        ("Start (UTC);End (UTC);Start (CET);End (CET)", ";;17:00;18:00", cet),
        ("Time (ET);Time (CET)", ";17:00", "START:20270203T160000Z"),
    ] {
        let csv = format!("Event;Date;{header}\nA;2027-02-03;{cells}\n");
        assert_eq!(times(&csv), (vec![dates.to_owned()], vec![]), "{csv}");
    }
    let event = Choices { composed: vec![kind("event", &[])], ..Choices::default() };
    let csv = "Event;Date;Start (CET);Start (UTC)\nA;2027-02-03;17:00;\nB;2027-02-03;;16:00\n";
    assert_eq!(read(csv, &event).0.asked_fields, ["startTime"]);
}

#[test]
fn columns_called_as_times_that_hold_none_are_not_told_as_times() {
    for (name, cell, is_told) in [
        ("Show time as", "2", false),
        ("Show time as", "Busy", false),
        ("Meeting time", "17:45", true),
        ("Meeting time", "2027-06-01 17:45", true),
        ("Meeting time", "tba", true),
    ] {
        let csv = format!("Subject;Start Date;Start Time;{name}\nA;2027-06-01;18:00;{cell}\n");
        let notices = times(&csv).1;
        let told = notices.iter().any(|notice| notice.contains("choose their columns"));
        assert_eq!(told, is_told, "{csv}: {notices:?}");
        assert!(told || notices == [format!("Not in the codes: {name}.")], "{notices:?}");
    }
}

#[test]
fn ends_that_are_no_times_are_refused_with_times_to_write() {
    let event = Choices { composed: vec![kind("event", &[])], ..Choices::default() };
    for end in ["late", "ca. 21 Uhr"] {
        let told = problems(&format!("Event;Start;End\nA;2027-02-03 18:00;{end}\n"), &event);
        assert_eq!(
            told,
            [
                "Row 2, column C (End): write the end as a time such as 21:00, or as a date and time such as 31.01.2026 21:00. Leave the cell empty \
              where nobody knows it."
            ]
        );
    }
}

#[test]
fn short_words_say_a_side_at_the_end_of_a_name_and_none_before_others() {
    for (start_day, start_time, end_day, end_time) in [
        ("Data wydarzenia od", "Godzina od", "Data wydarzenia do", "Godzina do"),
        ("Data zajęć od", "Godzina zajęć od", "Data zajęć do", "Godzina zajęć do"),
        ("Data od dnia", "Godzina pracy od", "Data do dnia", "Godzina pracy do"),
        ("Datum trvání od", "Čas výuky od", "Datum trvání do", "Čas výuky do"),
        ("Datum događaja od", "Vrijeme održavanja od", "Datum događaja do", "Vrijeme održavanja do"),
        ("Datum akce od", "Čas od", "Datum akce do", "Čas do"),
        ("Datum konání od", "Čas od", "Datum konání do", "Čas do"),
        ("Dato arrangement fra", "Tid fra", "Dato arrangement til", "Tid til"),
    ] {
        let csv = format!(
            "Kurs;{start_day};{start_time};{end_day};{end_time}\nA;13.06.2027;10:00;14.06.2027;12:00\n"
        );
        assert_eq!(times(&csv).0, ["START:20270613T100000 END:20270614T120000"], "{csv}");
    }
    let csv = "Kurs;Data i godzina od;Data i godzina do\nA;13.06.2027 10:00;13.06.2027 12:00\n";
    assert_eq!(times(csv).0, ["START:20270613T100000 END:20270613T120000"]);
    // Before another word they belong to it.
    for name in [
        "Data do lembrete",
        "Hora do lembrete",
        "Datum van betaling",
        "Date du paiement",
        "Data do pagamento",
    ] {
        let csv = format!("Curso;Data do evento;Hora do evento;{name}\nA;13.06.2027;10:00;12:00\n");
        assert_eq!(times(&csv).0, ["START:20270613T100000"], "{csv}");
    }
}

#[test]
fn works_and_volumes_of_unknown_names_are_no_titles_and_no_performers_either() {
    let event = Choices { composed: vec![kind("event", &[])], ..Choices::default() };
    for (header, first, second) in [
        ("Stück;Künstler", "Faust", "Anna Bos"),
        ("Gig;Artist", "Tour", "Anna Bos"),
        ("Pièce;Artiste", "Tartuffe", "Anna Bos"),
        ("Künstler;Werk", "Anna Bos", "Faust"),
        ("Buch;Band", "Lesung", "2"),
        ("Reihe;Band", "Lesung", "2"),
    ] {
        let csv = format!("{header};Datum;Uhrzeit;Ort\n{first};{second};2027-06-01;18:00;Rex\n");
        let found = problems(&csv, &event);
        assert!(found.len() == 1 && found[0].contains("title"), "{csv}: {found:?}");
    }
    for (header, first, second, title) in [
        ("Nr;Künstler", "1", "Anna Bos", "Anna Bos"),
        ("Website;Artist", "https://a.example", "Anna Bos", "Anna Bos"),
        ("Sujet;Artiste", "Fête", "Anna Bos", "Fête"),
        ("Film;Sujet", "Metropolis", "Fête", "Fête"),
        ("Künstler;Film", "Anna Bos", "Metropolis", "Metropolis"),
        ("Künstler;Konzert", "Anna Bos", "Messe", "Messe"),
        ("Regie;Film", "Fritz Lang", "Metropolis", "Metropolis"),
    ] {
        let csv = format!("{header};Datum;Uhrzeit;Ort\n{first};{second};2027-06-01;18:00;Rex\n");
        let found = items(&csv, &event);
        assert!(
            found[0]["data"].as_str().unwrap().contains(&format!("SUMMARY:{title}\r")),
            "{csv}: {found:?}"
        );
    }
}

#[test]
fn contracts_may_be_concluded_before_they_start() {
    let csv = "Titre;Date de conclusion;Date de début\nA;2027-05-01;2027-06-01\n";
    assert_eq!(times(csv).0, ["START;VALUE=DATE:20270601"]);
    for (start, end) in [
        ("Data di inizio", "Data di conclusione"),
        ("Fecha de inicio", "Fecha de conclusión"),
        ("Data de início", "Data de conclusão"),
    ] {
        let csv = format!("Evento;{start};{end}\nA;2027-06-01;2027-06-02\n");
        assert_eq!(times(&csv).0, ["START;VALUE=DATE:20270601 END;VALUE=DATE:20270603"], "{csv}");
    }
}

#[test]
fn words_in_brackets_of_other_columns_take_no_zone_away() {
    for (start, end) in [
        ("Start (UTC)", "End time (Doors)"),
        ("Start (UTC)", "End time (Optional)"),
        ("Start (GMT)", "End time (Approx)"),
        ("Start (GMT)", "End (Show Time)"),
    ] {
        let csv = format!("Event;{start};{end}\nA;2027-02-03 16:00;2027-02-03 17:00\n");
        assert_eq!(
            times(&csv),
            (vec!["START:20270203T160000Z END:20270203T170000Z".to_owned()], vec![]),
            "{csv}"
        );
    }
}

#[test]
fn ends_of_other_things_than_the_event_are_none() {
    for (header, day) in [
        ("Název;Datum;Datum přihlášení do", "Datum přihlášení do"),
        ("Název;Datum;Datum úhrady do", "Datum úhrady do"),
        ("Nazwa wydarzenia;Data;Data zgłoszeń do", "Data zgłoszeń do"),
        ("Nazwa wydarzenia;Data;Data zapisów do", "Data zapisów do"),
        ("Naziv;Datum;Datum prijave do", "Datum prijave do"),
        ("Titel;Dato;Dato for tilmelding til", "Dato for tilmelding til"),
        ("Titel;Datum;Datum Anmeldung bis", "Datum Anmeldung bis"),
        ("Título;Fecha;Fecha inscripción hasta", "Fecha inscripción hasta"),
        ("Titel;Datum;Datum inschrijving tot", "Datum inschrijving tot"),
        ("Titel;Datum;Datum Anmeldung ab", "Datum Anmeldung ab"),
    ] {
        for cell in ["2027-06-12", "2027-06-01"] {
            let csv = format!("{header}\nA;2027-06-10;{cell}\n");
            let told = vec![format!("Not in the codes: {day}.")];
            assert_eq!(times(&csv), (vec!["START;VALUE=DATE:20270610".to_owned()], told), "{csv}");
        }
    }
    let csv = "Événement;Date;Date inscriptions du;Date inscriptions au;Lieu\nA;2027-06-10;2027-05-01;2027-06-12;Rex\n";
    assert_eq!(times(csv).0, ["START;VALUE=DATE:20270610"]);
    let csv = "Événement;Date;Heure;Heure inscriptions au\nA;2027-06-10;18:00;19:00\n";
    assert_eq!(times(csv).0, ["START:20270610T180000"]);
    // Starts have the same words, or none are but those of times and events.
    for header in [
        "Titel;Datum Belegung von;Datum Belegung bis",
        "Titel;Datum Kurs von;Datum Kurs bis",
        "Titel;Datum;Datum bis",
        "Název;Datum konání;Datum konání do",
        "Titre;Date du séjour du;Date du séjour au",
        "Titel;Datum;Datum Anmeldung bis;Datum Ende",
    ] {
        let cells = if header.ends_with("Ende") {
            "2027-06-10;2027-06-01;2027-06-12"
        } else {
            "2027-06-10;2027-06-12"
        };
        let csv = format!("{header}\nA;{cells}\n");
        assert_eq!(times(&csv).0, ["START;VALUE=DATE:20270610 END;VALUE=DATE:20270613"], "{csv}");
    }
}

#[test]
fn doors_prices_and_genres_are_no_works_beside_performers() {
    for (header, cells) in [
        ("Künstler;Datum;Einlass;Beginn;Ort", "Anna Bos;2027-06-01;18:00;19:00;Rex"),
        ("Artist;Date;Doors;Start time;Venue;Price", "Anna Bos;2027-06-01;18:00;19:00;Rex;12"),
        ("Artiste;Date;Heure;Lieu;Tarif", "Anna Bos;2027-06-01;19:00;Rex;12"),
        ("Artist;Date;Time;Venue;Genre;Ticket price;Capacity", "Anna Bos;2027-06-01;19:00;Rex;Folk;12;200"),
        ("Künstler;Datum;Beginn;Ort;Eintritt;Vorverkauf;FSK", "Anna Bos;2027-06-01;19:00;Rex;12;10;6"),
        ("Künstler;Datum;Beginn;Einlasszeit;Ort;Dauer", "Anna Bos;2027-06-01;19:00;18:00;Rex;90"),
    ] {
        let csv = format!("{header}\n{cells}\n");
        assert_eq!(found(&csv).0, Some(Kind::Event), "{csv}");
        let event = Choices { composed: vec![kind("event", &[])], ..Choices::default() };
        assert!(items(&csv, &event)[0]["data"].as_str().unwrap().contains("SUMMARY:Anna Bos\r"), "{csv}");
    }
}

/// Times of the events in the sheet, and the number of its problems.
fn told(csv: &str) -> (String, usize) {
    let event = Choices { composed: vec![kind("event", &[])], ..Choices::default() };
    let (report, found) = read(csv, &event);
    let dates: Vec<String> = found.iter().map(|item| dates_of(item["data"].as_str().unwrap())).collect();
    (dates.join(", "), report.problems.len())
}

#[test]
fn lists_of_schools_clubs_and_churches_are_events_from_a_time_to_another() {
    let both = "START:20270614T183000 END:20270614T200000";
    for header in [
        "Datum;Beginuur;Einduur;Activiteit;Lokaal",
        "Datum;Startuur;Einduur;Voorstelling;Zaal",
        "Datum;Uur van;Uur tot;Vergadering;Leslokaal",
        "Date;Heure début;Heure fin;Réunion;Lieu",
        "Data;Dalle;Alle;Riunione;Luogo",
        "Data;Godzina od;Godzina do;Zebranie;Sala",
    ] {
        let csv = format!("{header}\n2027-06-14;18:30;20:00;X;Y\n");
        assert_eq!(found(&csv).0, Some(Kind::Event), "{csv}");
        assert_eq!(told(&csv), (both.to_owned(), 0), "{csv}");
    }
    for header in [
        "Datum;Uhrzeit;Tour;Treffpunkt",
        "Künstler/in;Datum;Uhrzeit;Ort",
        "Date;Heure;Messe;Église",
        "Data;Godzina;Msza;Kościół",
        "Datum;Čas;Mše;Kostel",
    ] {
        let cells = if header.starts_with('K') { "X;2027-06-14;18:30;Y" } else { "2027-06-14;18:30;X;Y" };
        let csv = format!("{header}\n{cells}\n");
        assert_eq!(found(&csv).0, Some(Kind::Event), "{csv}");
        assert_eq!(told(&csv), ("START:20270614T183000".to_owned(), 0), "{csv}");
    }
    let event = Choices { composed: vec![kind("event", &[])], ..Choices::default() };
    // A meeting point is no place beside one.
    let csv = "Treffpunkt;Ort;Tour;Datum\nBus;Alm;A;2027-06-14\n";
    assert!(items(csv, &event)[0]["data"].as_str().unwrap().contains("LOCATION:Alm\r"));
    // Hours of lessons, of rent and of nature are no times.
    for header in [
        "Datum;Uur;Activiteit;Plaats",
        "Datum;Lesuur;Activiteit;Plaats",
        "Datum;Huur;Activiteit;Plaats",
        "Datum;Aantal uur;Activiteit;Plaats",
        "Datum;Start huur;Activiteit;Plaats",
        "Datum;Begin verhuur;Activiteit;Plaats",
    ] {
        let csv = format!("{header}\n2027-06-14;3;X;Y\n");
        assert_eq!(told(&csv), ("START;VALUE=DATE:20270614".to_owned(), 0), "{csv}");
    }
    // Absences of people, and marks of all groups.
    for csv in [
        "Mitarbeiter;Ferien;von;bis\nBo;12;04.10.2027;15.10.2027\n",
        "Werknemer;Vakantie;Van;Tot\nBo;x;2027-10-04;2027-10-15\n",
        "Property;Tenant;Start;End;Rent\n1;Bo;2027-10-04;2027-10-15;5\n",
        "Fach;Tag;Zeit;Raum\nMathe;Mo;08:00;12\n",
    ] {
        assert_eq!(found(csv).0, None, "{csv}");
    }
    let csv = "Alle;Datum;Veranstaltung\nx;2027-06-14;A\n";
    assert_eq!(told(csv), ("START;VALUE=DATE:20270614".to_owned(), 0));
    // The number of a fixture is no title beside its teams.
    let csv = "Spiel;Datum;Uhrzeit;Heim;Gast;Ort\n17;14.06.2027;18:30;SV A;TV B;Halle 1\n";
    assert!(items(csv, &event)[0]["data"].as_str().unwrap().contains("SUMMARY:SV A – TV B\r"));
    // Deliveries, and subjects without a day.
    for csv in [
        "Datum;Fach;Preis\n2027-06-14;A4;3\n",
        "Fach;Lehrer;Raum\nMathe;Bo;1\n",
        "Date;Property;Price\n2027-06-14;A;5\n",
    ] {
        assert_eq!(found(csv).0, None, "{csv}");
    }
}

#[test]
fn labels_are_titles_where_nothing_else_is() {
    for (csv, title) in [
        ("Bezeichnung;von;bis\nSommerferien;2027-07-05;2027-07-09\n", "Sommerferien"),
        ("Führung;Datum;Uhrzeit;Treffpunkt\nAltstadt;2027-07-05;10:00;Brunnen\n", "Altstadt"),
        ("Titel;Führung;Datum;Ort\nFest;Bos;2027-07-05;Ulm\n", "Fest"),
        ("Heim;Gast;Bezeichnung;Datum;Uhrzeit\nA;B;Liga;2027-07-05;10:00\n", "A – B"),
        ("Bezeichnung;Kurs;Datum;Uhrzeit\nA1;Töpfern;2027-07-05;10:00\n", "Töpfern"),
    ] {
        let event = Choices { composed: vec![kind("event", &[])], ..Choices::default() };
        assert!(items(csv, &event)[0]["data"].as_str().unwrap().contains(&format!("SUMMARY:{title}\r")));
    }
    // Days of the last one are whole.
    for end in ["Tot en met", "Einde"] {
        let csv = format!("Activiteit;Van;{end}\nKrokusvakantie;2027-02-08;2027-02-14\n");
        assert_eq!(told(&csv), ("START;VALUE=DATE:20270208 END;VALUE=DATE:20270215".to_owned(), 0));
    }
    assert_eq!(
        found("Führung;Datum;Uhrzeit;Treffpunkt\nAltstadt;2027-07-05;10:00;Brunnen\n").0,
        Some(Kind::Event)
    );
    for csv in [
        "Bezeichnung;von;bis\nRohr;10;20\n",
        "Vertrag;Bezeichnung;Beginn;Ende\n1;Miete;2027-07-05;2027-07-09\n",
        "Bezeichnung;Datum;Menge\nRohr;2027-07-05;20\n",
        "Führung;Abteilung;Seit\nBos;Verkauf;2020\n",
    ] {
        assert_eq!(found(csv).0, None, "{csv}");
    }
}

#[test]
fn columns_of_times_are_told_beside_days_that_show_midnight() {
    let event = Choices { composed: vec![kind("event", &[])], ..Choices::default() };
    let csv = "Datum;Einlass;Veranstaltung\n14.06.2027 00:00;18:00;A\n15.06.2027 00:00;19:00;B\n";
    let (report, _) = read(csv, &event);
    assert_eq!(report.times_column, Some(1));
    let says = |text: &str| report.notices.iter().any(|notice| notice.contains(text));
    assert!(
        says("No event has a start time, but the column B (Einlass) holds times.") && says("at midnight")
    );
    let csv = "Datum;Einlass;Veranstaltung\n14.06.2027 00:00;18:00;A\n15.06.2027 20:00;19:00;B\n";
    assert_eq!(read(csv, &event).0.times_column, None);
}

#[test]
fn days_from_one_to_another_have_one_order() {
    let days = |rows: &[&str]| told(&format!("Event;Date\nA;{}\n", rows.join("\nA;")));
    for (text, expected) in [
        ("28/03/27 - 30/03/27", "START;VALUE=DATE:20270328 END;VALUE=DATE:20270331"),
        ("13/03/27 - 28/03/27", "START;VALUE=DATE:20270313 END;VALUE=DATE:20270329"),
        ("28/12/27 - 03/01/28", "START;VALUE=DATE:20271228 END;VALUE=DATE:20280104"),
        ("28/12/2027 - 03/01/2028", "START;VALUE=DATE:20271228 END;VALUE=DATE:20280104"),
        ("28/12/2027-03/01/2028", "START;VALUE=DATE:20271228 END;VALUE=DATE:20280104"),
        ("03/12/2027 - 28/12/2027", "START;VALUE=DATE:20271203 END;VALUE=DATE:20271229"),
        ("Du 03/12/2027 au 28/12/2027", "START;VALUE=DATE:20271203 END;VALUE=DATE:20271229"),
        ("12/28/2027 - 01/03/2028", "START;VALUE=DATE:20271228 END;VALUE=DATE:20280104"),
        ("28/03 - 30/03/2027", "START;VALUE=DATE:20270328 END;VALUE=DATE:20270331"),
        ("12.03.27 19:00 - 14.03.27 12:00", "START:20270312T190000 END:20270314T120000"),
        ("2027-03-12 19:00 - 2027-03-14 12:00", "START:20270312T190000 END:20270314T120000"),
    ] {
        assert_eq!(days(&[text]), (expected.to_owned(), 0), "{text}");
    }
    let (report, _) = read(
        "Event;Date\nA;10/03/27 - 12/03/27\n",
        &Choices { composed: vec![kind("event", &[])], ..Choices::default() },
    );
    assert_eq!(report.ambiguous_dates, 1);
    let both = "START;VALUE=DATE:20270310 END;VALUE=DATE:20270313, START;VALUE=DATE:20270328 END;VALUE=DATE:20270331";
    assert_eq!(days(&["10/03/2027 - 12/03/2027", "28/03/2027 - 30/03/2027"]), (both.to_owned(), 0));
    // Years may be first in these, and the others are no days.
    for text in [
        "27/02/20 - 27/02/25",
        "27/12/20 - 27/12/21",
        "28/03/2027 - 03/28/2027",
        "from 13/06/2027",
        "12. 19:00 - 14.03.2027 12:00",
    ] {
        assert_eq!(days(&[text]), (String::new(), 1), "{text}");
    }
}

#[test]
fn exhibitions_are_events_from_the_day_they_open() {
    let days = "START;VALUE=DATE:20270614 END;VALUE=DATE:20270831";
    for header in [
        "Exhibition|Opens|Closes|Venue",
        "Exhibition|Opening date|Closing date|Venue",
        "Exposition|Ouverture|Clôture|Lieu",
        "Titel|Vernissage|Finissage|Ort",
    ] {
        let csv = format!("{header}\nMonet|14 June 2027|30 August 2027|Tate\n");
        assert_eq!(found(&csv).0, Some(Kind::Event), "{header}");
        assert_eq!(told(&csv), (days.to_owned(), 0), "{header}");
    }
    // Hours of shops, accounts and days to apply.
    for (header, cells) in [
        ("Exhibition|Opens|Closes|Venue", "09:00|18:00"),
        ("Shop|Opens|Closes|Location", "09:00|18:00"),
        ("Name|Opening|Closing|Location", "09:00|18:00"),
        ("Account|Opening date|Closing date|Branch", "2027-06-14|2027-08-30"),
        ("Course|Opening date|Closing date|Venue", "2027-06-14|2027-08-30"),
        ("Grant|Opens|Closes|Place", "2027-06-14|2027-08-30"),
    ] {
        assert_eq!(found(&format!("{header}\nMonet|{cells}|Tate\n")).0, None, "{header}");
    }
    for header in ["Exhibition|Start date|Closing date|Venue", "Exhibition|Date|Closes|Venue"] {
        let csv = format!("{header}\nClay|14 June 2027|30 August 2027|Tate\n");
        assert_eq!(told(&csv).0, "START;VALUE=DATE:20270614", "{header}");
    }
}

#[test]
fn items_of_programmes_and_outlines_are_titles() {
    for (header, cells) in [
        ("Programmpunkt;Datum;Uhrzeit", "A;12.09.2026;18:00"),
        ("Datum;Uhrzeit;Programmpunkt;Ort", "12.09.2026;18:00;A;Saal"),
        ("Datum;Beginuur;Omschrijving", "12.09.2026;18:00;A"),
        ("Datum;Tijd;Omschrijving;Plaats", "12.09.2026;18:00;A;Zaal"),
        ("Bezeichnung;von;bis", "A;12.09.2026 18:00;12.09.2026 19:00"),
    ] {
        let data = first_event(header, cells);
        assert!(data.contains("DTSTART:20260912T180000\r\n") && data.contains("SUMMARY:A\r\n"), "{data}");
    }
    // Other names say more.
    let data = first_event("Activiteit;Datum;Tijd;Omschrijving", "A;12.09.2026;18:00;b");
    assert!(data.contains("SUMMARY:A\r\n") && data.contains("DESCRIPTION:b\r\n"), "{data}");
    let event = Choices { composed: vec![kind("event", &[])], ..Choices::default() };
    let (report, _) = read("Datum;Tijd;Wie weet;Omschrijving\n12.09.2026;18:00;A;b\n", &event);
    assert_eq!(report.asks_for_field, Some("title"));
    for csv in [
        "Bezeichnung;von;bis\nA;100;200\n",
        "Bezeichnung;von;bis\nA;Linz;Wels\n",
        "Datum;Bedrag;Omschrijving\n12.09.2026;5,00;A\n",
        "Artikel;Omschrijving\nA;b\n",
    ] {
        assert_eq!(found(csv).0, None, "{csv}");
    }
}
