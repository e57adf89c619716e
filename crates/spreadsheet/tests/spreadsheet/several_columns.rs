//! Values of kinds that stand in several columns, or several in one cell.

use serde_json::Value;

use crate::composed::{Choices, kind, read};

/// The items of a list of this kind without a problem, and what its columns give: a field, a part, or the name of the picture.
fn read_kind(name: &str, csv: &str) -> (Vec<Value>, Vec<&'static str>, Vec<String>) {
    let (report, items) = read(csv, &Choices { composed: vec![kind(name, &[])], ..Choices::default() });
    assert_eq!(report.problems, [], "{csv}");
    let gives = report.columns.iter().map(|column| {
        let role = column.role.map(qrpress_spreadsheet::Role::as_str);
        column.field.or(column.part_of).or(role).unwrap_or_default()
    });
    (items, gives.collect(), report.notices)
}

#[test]
fn payees_have_first_and_last_names_in_two_columns() {
    for (header, row, payee, gives) in [
        ("Vorname;Name;IBAN;Betrag;Zweck", "Eva;Bos", "Eva Bos", ["name", "name"]),
        ("Nachname;Vorname;IBAN;Betrag;Verwendungszweck", "Bos;Eva", "Eva Bos", ["name", "name"]),
        ("First name;Last name;IBAN;Amount;Purpose", "Eva;Bos", "Eva Bos", ["name", "name"]),
        ("Payee first name;Payee last name;IBAN;Amount;Purpose", "Eva;Bos", "Eva Bos", ["name", "name"]),
        ("Nom;Prénom;IBAN;Montant;Motif", "Bos;Eva", "Eva Bos", ["name", "name"]),
        ("Nombre;Apellidos;IBAN;Importe;Concepto", "Eva;Bos Díaz", "Eva Bos Díaz", ["name", "name"]),
        ("Nome;Cognome;IBAN;Importo;Causale", "Eva;Bos", "Eva Bos", ["name", "name"]),
        ("Imię;Nazwisko;IBAN;Kwota;Tytułem", "Eva;Bos", "Eva Bos", ["name", "name"]),
        ("Vezetéknév;Keresztnév;IBAN;Összeg;Közlemény", "Bos;Eva", "Bos Eva", ["name", "name"]),
        ("Vorname;Kontoinhaber;IBAN;Betrag;Zweck", "Eva;Jan Bos", "Jan Bos", ["", "name"]),
    ] {
        let csv = format!("{header}\n{row};DE02120300000000202051;12,50;May\n");
        let (items, columns, _) = read_kind("payment", &csv);
        let data = items[0]["data"].as_str().unwrap();
        assert_eq!(data.lines().nth(5), Some(payee), "{header}");
        assert_eq!(items[0]["filename"], format!("{payee} May"), "{header}");
        assert_eq!(columns[..2], gives, "{header}");
    }
}

#[test]
fn second_lines_of_addresses_stand_behind_the_street() {
    for (header, line) in [
        ("Name;Straße;Adresszusatz;PLZ;Ort", "Ringweg 1\\, Haus B;Ulm;;89073;"),
        ("Name;Address 1;Address 2;ZIP;City", "Ringweg 1\\, Haus B;Ulm;;89073;"),
        ("Name;Address line 1;Address line 2;ZIP;City", "Ringweg 1\\, Haus B;Ulm;;89073;"),
        ("Nom;Adresse;Complément d’adresse;Code postal;Ville", "Ringweg 1\\, Haus B;Ulm;;89073;"),
        ("Naam;Adres;Adresregel 2;Postcode;Plaats", "Ringweg 1\\, Haus B;Ulm;;89073;"),
    ] {
        let (items, columns, _) =
            read_kind("contact", &format!("{header}\nBos;Ringweg 1;Haus B;89073;Ulm\n"));
        let data = items[0]["data"].as_str().unwrap();
        assert!(data.contains(&format!("\r\nADR:;;{line}\r\n")), "{header} {data}");
        assert_eq!(columns[1..3], ["street", "street"], "{header}");
    }
}

#[test]
fn games_have_both_teams_in_their_titles() {
    for header in [
        "Datum;Anstoß;Heim;Gast;Ort",
        "Datum;Anpfiff;Heimteam;Gastteam;Sporthalle",
        "Datum;Tid;Hemmalag;Bortalag;Arena",
        "Date;Kick-off;Home team;Away team;Venue",
        "Date;Heure;Domicile;Extérieur;Lieu",
        "Data;Ora;Casa;Trasferta;Luogo",
        "Datum;Tijd;Thuis;Uit;Plaats",
        "Fecha;Hora;Local;Visitante;Lugar",
        "Data;Godzina;Gospodarz;Gość;Miejsce",
    ] {
        let csv = format!("{header}\n12.06.2027;15:30;SV Ulm;FC Au;Park\n");
        let (items, columns, notices) = read_kind("event", &csv);
        let data = items[0]["data"].as_str().unwrap();
        for line in ["DTSTART:20270612T153000", "SUMMARY:SV Ulm – FC Au", "LOCATION:Park"] {
            assert!(data.contains(&format!("\r\n{line}\r\n")), "{header} {data}");
        }
        assert_eq!(columns, ["start", "startTime", "title", "title", "location"], "{header}");
        assert_eq!(items[0]["filename"], "SV Ulm – FC Au", "{header}");
        assert_eq!(notices, Vec::<String>::new(), "{header}");
        let proposal = read(&csv, &Choices::default()).0.proposal.map(|proposal| proposal.kind);
        assert_eq!(proposal, Some(qrpress_spreadsheet::Kind::Event), "{header}");
    }
    // A house has no guests.
    let (_, columns, _) = read_kind("contact", "Name;Telefon;Gast\nBos;+49 30 1234;x\n");
    assert_eq!(columns[2], "");
}

#[test]
fn a_second_number_in_a_cell_is_the_other_one() {
    for (csv, lines, notices) in [
        (
            "Name;Telefon\nBos;+49 711 1234001 / +49 711 1234002\n",
            &["TEL;TYPE=voice:+49 711 1234001", "TEL;TYPE=voice:+49 711 1234002"][..],
            0,
        ),
        (
            "Name;Phone;Mobile\nBos;+44 20 7946 0958;\"+44 7700 900123, +44 7700 900124\"\n",
            &[
                "TEL;TYPE=voice:+44 20 7946 0958",
                "TEL;TYPE=cell:+44 7700 900123",
                "TEL;TYPE=voice:+44 7700 900124",
            ],
            0,
        ),
        // A code has one of them.
        (
            "Nom;Téléphone\nBos;01 23 45 67 89 / 06 12 34 56 78 / 06 12 34 56 79\n",
            &["TEL;TYPE=voice:01 23 45 67 89", "TEL;TYPE=voice:06 12 34 56 78"],
            1,
        ),
        (
            "Name;Telefon;Zweitnummer\nBos;+49 711 1234001 / +49 711 1234002;+49 711 1234003\n",
            &["TEL;TYPE=voice:+49 711 1234001", "TEL;TYPE=voice:+49 711 1234003"],
            1,
        ),
    ] {
        let (items, _, told) = read_kind("contact", csv);
        let data = items[0]["data"].as_str().unwrap();
        let numbers: Vec<&str> = data.lines().filter(|line| line.starts_with("TEL")).collect();
        assert_eq!(numbers, lines, "{csv}");
        assert_eq!(told.iter().filter(|notice| notice.contains("several values")).count(), notices, "{csv}");
    }
}

#[test]
fn events_whose_times_may_be_those_of_each_day_are_told() {
    let tail = "If these are the times of each day, write a row for each day.";
    let one = "1 event lasts without a break from its start time on the first day to its end time on the last; it is in row 2.";
    for (header, rows) in [
        ("Titel;Datum;Uhrzeit", "Projekttage;20.09.2027 bis 22.09.2027;8.00 – 13.00 Uhr"),
        ("Evento;Inizio;Fine;Ora inizio;Ora fine", "Sagra;17/09/2027;19/09/2027;18:00;23:30"),
        ("Event;Start date;End date;Start time;End time", "Fair;2027-09-17;2027-09-18;10:00;18:00"),
        ("Event;Start date;End date;Start time;End time", "Fair;2027-09-17;2027-09-18 00:00:00;10:00;18:00"),
        ("Event;Start date;End date;Start time;End time", "Fair;2027-09-17;2027-09-18;18:00;24:00"),
        ("Kurs;Beginn;Ende;Uhrzeit", "Yoga;03.05.2027;05.05.2027;18:00–19:30"),
        (
            "Event;Start date;End date;Start time (UTC);End time (UTC)",
            "Fair;2027-09-17;2027-09-18;10:00;18:00",
        ),
    ] {
        let (_, _, notices) = read_kind("event", &format!("{header}\n{rows}\n"));
        assert_eq!(notices, [format!("{one} {tail}")], "{header}: {rows}");
    }
    let (_, _, notices) = read_kind(
        "event",
        "Titel;Datum;Uhrzeit\nA;20.–22.09.2027;8–13 Uhr\nB;23.09.2027;8–13 Uhr\nC;24.–25.09.2027;8–13 Uhr\n",
    );
    let two = "2 events last without a break from their start times on the first day to their end times on the last; the first is in row 2.";
    assert_eq!(notices, [format!("{two} {tail}")]);
    // Nights, camps, whole days, and times that stand with their days.
    for (header, rows) in [
        ("Event;Start date;End date;Start time;End time", "Ball;2027-09-17;2027-09-18;20:00;02:00"),
        ("Event;Start date;End date;Start time;End time", "Camp;2027-09-17;2027-09-19;18:00;14:00"),
        ("Event;Start date;End date;Start time;End time", "Watch;2027-09-17;2027-09-18;10:00;10:00"),
        ("Event;Start date;End date;Start time;End time", "Ball;2027-09-17;2027-09-18;20:00;00:00"),
        ("Event;Start date;End date;Start time;End time", "Ball;2027-09-17;2027-09-17;20:00;24:00"),
        ("Event;Date;Start time;End time", "Ball;2027-09-17;20:00;02:00"),
        ("Event;Date;Start time;End", "Fair;2027-09-17;10:00;2027-09-18 18:00"),
        ("Event;Start;End", "Fair;2027-09-17 10:00;2027-09-18 18:00"),
        ("Event;Start;End", "Fair;2027-09-17;2027-09-18"),
        ("Event;Start date;End date;Start time;End time", "Fair;2027-09-17;2027-09-18;all day;"),
    ] {
        let (_, _, notices) = read_kind("event", &format!("{header}\n{rows}\n"));
        assert!(!notices.iter().any(|notice| notice.contains("each day")), "{header}: {rows}: {notices:?}");
    }
}

#[test]
fn events_that_last_for_weeks_are_told() {
    for (header, rows, told) in [
        (
            "Kurs;Beginn;Ende;Uhrzeit",
            "Yoga;03.05.2027;28.06.2027;18:00–19:30\nLauf;04.05.2027;29.06.2027;18:00–19:30\nFest;05.05.2027;06.05.2027;18:00–02:00",
            Some("2 events last longer than a week; the first is in row 2. "),
        ),
        (
            "Course;Start date;End date;Start time;End time",
            "Yoga;03.05.2027;28.06.2027;18:00;19:30",
            Some("1 event lasts longer than a week; it is in row 2. "),
        ),
        (
            "Cours;Date de début;Date de fin",
            "Yoga;03.05.2027;28.06.2027",
            Some("1 event lasts longer than a week; it is in row 2. "),
        ),
        ("Corso;Inizio;Fine", "Festa;03.05.2027;10.05.2027", None),
        ("Course;Start;End", "Camp;2027-05-07 18:00;2027-05-09 14:00", None),
    ] {
        let (_, _, notices) = read_kind("event", &format!("{header}\n{rows}\n"));
        let expected = told.map(|told| {
            format!(
                "{told}Calendars show one event from the first day to the last. If people meet again and again, write a row for each \
                 meeting, or choose no column for the end."
            )
        });
        assert_eq!(notices, Vec::from_iter(expected), "{header}");
    }
}

#[test]
fn a_cell_has_the_first_and_the_last_day() {
    for (header, text, lines) in [
        (
            "Veranstaltung;Datum",
            "12.-13.06.2027",
            ["DTSTART;VALUE=DATE:20270612", "DTEND;VALUE=DATE:20270614"],
        ),
        (
            "Veranstaltung;Datum",
            "28.05. – 02.06.2027",
            ["DTSTART;VALUE=DATE:20270528", "DTEND;VALUE=DATE:20270603"],
        ),
        (
            "Veranstaltung;Datum",
            "12. bis 13. Juni 2027",
            ["DTSTART;VALUE=DATE:20270612", "DTEND;VALUE=DATE:20270614"],
        ),
        (
            "Veranstaltung;Datum",
            "12./13.06.2027",
            ["DTSTART;VALUE=DATE:20270612", "DTEND;VALUE=DATE:20270614"],
        ),
        (
            "Ausstellung;Datum",
            "12. und 13. Juni 2027",
            ["DTSTART;VALUE=DATE:20270612", "DTEND;VALUE=DATE:20270614"],
        ),
        (
            "Activiteit;Datum",
            "12 t/m 13 juni 2027",
            ["DTSTART;VALUE=DATE:20270612", "DTEND;VALUE=DATE:20270614"],
        ),
        ("Event;Date", "12–13 June 2027", ["DTSTART;VALUE=DATE:20270612", "DTEND;VALUE=DATE:20270614"]),
        ("Event;Date", "June 12-13, 2027", ["DTSTART;VALUE=DATE:20270612", "DTEND;VALUE=DATE:20270614"]),
        ("Event;Date", "30 May to 2 June 2027", ["DTSTART;VALUE=DATE:20270530", "DTEND;VALUE=DATE:20270603"]),
        (
            "Événement;Date",
            "du 12 au 13 juin 2027",
            ["DTSTART;VALUE=DATE:20270612", "DTEND;VALUE=DATE:20270614"],
        ),
        (
            "Evento;Fecha",
            "12 al 13 de junio de 2027",
            ["DTSTART;VALUE=DATE:20270612", "DTEND;VALUE=DATE:20270614"],
        ),
        (
            "Event;Date",
            "2027-06-12 - 2027-06-13",
            ["DTSTART;VALUE=DATE:20270612", "DTEND;VALUE=DATE:20270614"],
        ),
        ("กิจกรรม;วันที่", "12 มิถุนายน 2570", ["DTSTART;VALUE=DATE:20270612", "SUMMARY:Fest"]),
        ("กิจกรรม;วันที่", "วันเสาร์ที่ 12 มิ.ย. พ.ศ. 2570", ["DTSTART;VALUE=DATE:20270612", "SUMMARY:Fest"]),
    ] {
        let (items, ..) = read_kind("event", &format!("{header}\nFest;\"{text}\"\n"));
        let data = items[0]["data"].as_str().unwrap();
        for line in lines {
            assert!(data.contains(&format!("\r\n{line}\r\n")), "{text} {data}");
        }
    }
    for text in ["13.-12.06.2027", "12.-31.06.2027", "01.02.2027-x", "12. und 19.06.2027"] {
        let choices = Choices { composed: vec![kind("event", &[])], ..Choices::default() };
        assert_eq!(read(&format!("Event;Date\nFest;{text}\n"), &choices).0.problem_count, 1, "{text}");
    }
}

#[test]
fn dates_without_a_year_are_told() {
    for text in ["12.06.", "12.6", "Sa 12.06.", "12. Juni", "June 12", "12 juin", "12.06. 18:00", "12/06"] {
        let choices = Choices { composed: vec![kind("event", &[])], ..Choices::default() };
        let found = crate::composed::problems(&format!("Event;Date\nFest;{text}\n"), &choices);
        assert_eq!(
            found,
            ["Row 2, column B (Date): the date has no year. Write it, too, such as 31.01.2027."],
            "{text}"
        );
    }
}

#[test]
fn pictures_are_named_after_the_column_that_tells_them_apart() {
    let iban = "DE02120300000000202051";
    for (name, csv, names) in [
        ("wifi", "Parkplatz;SSID;Passwort\nP1;Gast;welcome-1\nP2;Gast;welcome-1\n".to_owned(), ["P1", "P2"]),
        ("phone", "Machine;Phone\nDrill;+49 30 1234\nSaw;+49 30 1235\n".to_owned(), ["Drill", "Saw"]),
        (
            "sms",
            "Équipement;Mobile;Message\nA-1;+33 6 1234;Aide\nA-2;+33 6 1234;Aide\n".to_owned(),
            ["A-1", "A-2"],
        ),
        (
            "email",
            "Asset;E-Mail;Betreff\n4711;a@b.de;Hilfe\n4712;a@b.de;Hilfe\n".to_owned(),
            ["4711", "4712"],
        ),
        ("geo", "Hydrant;Latitude;Longitude\nH 1;48.1;11.5\nH 2;48.2;11.6\n".to_owned(), ["H 1", "H 2"]),
        (
            "geo",
            "Arbre;Latitude;Longitude\nTilleul 1;48.1;1.5\nTilleul 2;48.2;1.6\n".to_owned(),
            ["Tilleul 1", "Tilleul 2"],
        ),
        ("event", "Gruppe;Kurs;Datum\nA;Yoga;12.06.2027\nB;Yoga;13.06.2027\n".to_owned(), ["A", "B"]),
        (
            "payment",
            format!("Parzelle;Empfänger;IBAN;Betrag\nA1;Verein;{iban};5\nA2;Verein;{iban};6\n"),
            ["A1", "A2"],
        ),
    ] {
        let (items, columns, notices) = read_kind(name, &csv);
        assert_eq!(items.iter().map(|item| &item["filename"]).collect::<Vec<_>>(), names, "{csv}");
        assert_eq!(columns[0], "filename", "{csv}");
        assert!(notices.iter().all(|notice| !notice.contains("Not in the codes")), "{notices:?}");
    }
    for (name, csv, first) in [
        // A chosen name, names that tell the codes apart, texts that repeat, secrets, dates and links.
        ("wifi", "Platz;Name;SSID;Passwort\nP1;A;Gast;welcome-1\nP2;A;Gast;welcome-1\n", "A"),
        ("wifi", "Stock;SSID;Passwort\nP1;Gast 1;welcome-1\nP2;Gast 2;welcome-1\n", "Gast 1"),
        ("wifi", "Stock;SSID;Passwort\nP1;Gast;welcome-1\np1;Gast;welcome-1\n", "Gast"),
        ("wifi", "Stock;SSID;Passwort\nP1;Gast;welcome-1\n;Gast;welcome-1\n", "Gast"),
        ("wifi", "Router-Login;SSID;Passwort\nsecret-a;Gast;welcome-1\nsecret-b;Gast;welcome-1\n", "Gast"),
        ("wifi", "PIN;SSID;Passwort\n1234;Gast;welcome-1\n1235;Gast;welcome-1\n", "Gast"),
        ("wifi", "Seit;SSID;Passwort\n12.06.2026;Gast;welcome-1\n13.06.2026;Gast;welcome-1\n", "Gast"),
        ("geo", "Latitude;Longitude;Price\n48.1;11.5;5\n48.2;11.6;6\n", "48.1,11.5"),
        ("geo", "Asset;Latitude;Longitude\nA;48.1;11.5\n", "A"),
        ("wifi", "Asset;SSID;Passwort\nA;Gast;welcome-1\n", "Gast"),
        ("phone", "Bemerkung;Telefon\nbitte klingeln;+49 30 1234\nhinten;+49 30 1235\n", "+49 30 1234"),
        (
            "event",
            "Leitung;Kurs;Datum\nEva;Yoga;12.06.2027\nJan;Lauf;13.06.2027\nTom;Yoga;14.06.2027\n",
            "Yoga",
        ),
        ("event", "Nr.;Kurs;Datum\n1;Yoga;12.06.2027\n2;Lauf;13.06.2027\n3;Yoga;14.06.2027\n", "Yoga"),
    ] {
        let (items, ..) = read_kind(name, csv);
        assert_eq!(items[0]["filename"], first, "{csv}");
    }
    // The second column of places counts where the first is empty.
    let halls = "Title;Start;Location;Ort\nTraining;1.6.2027;;Halle A\nTraining;2.6.2027;;Halle B\n";
    let (items, ..) = read_kind("event", halls);
    assert!(items[0]["data"].as_str().unwrap().contains("LOCATION:Halle A"), "{items:?}");
    let nothing = Choices {
        composed: vec![kind("wifi", &[])],
        columns: vec![(qrpress_spreadsheet::Role::Filename, qrpress_spreadsheet::ColumnChoice::Nothing)],
        ..Choices::default()
    };
    let (_, items) = read("Parkplatz;SSID;Passwort\nP1;Gast;welcome-1\nP2;Gast;welcome-1\n", &nothing);
    assert_eq!(items[1]["filename"], "Gast");
}

/// A sheet may have thousands of columns.
#[test]
fn names_are_looked_for_in_the_first_columns() {
    let [names, cells] = ["Feld Nummer", "gleich"].map(|text| format!(";{text}").repeat(3_000));
    let rows: Vec<String> = (0..100).map(|row| format!("Gast;welcome-1{cells};P{row}\n")).collect();
    let (items, ..) = read_kind("wifi", &format!("SSID;Passwort{names};Stock\n{}", rows.concat()));
    assert_eq!((items.len(), items[99]["filename"].as_str()), (100, Some("Gast")));
}

#[test]
fn people_to_ask_at_a_firm_are_contacts() {
    for header in
        ["Empresa;Contacto;Teléfono", "Société;Interlocuteur;Téléphone", "Placówka;Osoba kontaktowa;Telefon"]
    {
        let (items, ..) = read_kind("contact", &format!("{header}\nNúñez SL;María Núñez;+34 91 123 45 67\n"));
        let data = items[0]["data"].as_str().unwrap();
        for line in ["FN:María Núñez", "ORG:Núñez SL"] {
            assert!(data.contains(&format!("\r\n{line}\r\n")), "{header} {data}");
        }
    }
}

#[test]
fn accounts_that_may_be_those_of_payers_are_told() {
    let payment = Choices { composed: vec![kind("payment", &[])], ..Choices::default() };
    let csv = |name: &str, second: &str| {
        format!("{name};IBAN;Beitrag\nAnna;DE89370400440532013000;48,00\nBernd;{second};48,00\n")
    };
    let other = "DE75512108001245126199";
    let told = "The 2 payments go to 2 accounts: each to the one in its row. If these belong to the people who pay, type the one account \
                that gets the money.";
    for (name, second, is_told) in [
        ("Name", other, true),
        ("Name", "DE89370400440532013000", false),
        ("Empfänger", other, false),
        ("Name des Empfängers", other, false),
        ("Lieferant", other, false),
        ("Kontoinhaber", other, true),
        ("Account holder", other, true),
        ("Name Kontoinhaber", other, true),
        ("Titulaire du compte", other, true),
    ] {
        let (report, _) = read(&csv(name, second), &payment);
        assert_eq!(
            report.notices.iter().any(|notice| notice == told),
            is_told,
            "{name} {:?}",
            report.notices
        );
    }
    // Names of payers may stand beside the account of the club, which is the same in all rows.
    let club = |name| read(&csv(name, "DE89370400440532013000"), &payment).0.notices;
    let one = "The 2 payments go to one account, each to the payee whom its row names. If these people pay, type the payee once for all codes.";
    assert!(club("Name").iter().any(|notice| notice == one));
    assert!(club("Verein").iter().any(|notice| notice == one));
    assert!(!club("Empfänger").iter().any(|notice| notice == one));
    // Members of a family share an account. Most of the accounts are different ones.
    let third = format!("{}Cem;DE89370400440532013000;48,00\n", csv("Name", other));
    let shared = told.replace("2 payments", "3 payments");
    assert!(read(&third, &payment).0.notices.contains(&shared));
    let fourth = format!("{third}Dora;DE89370400440532013000;48,00\n");
    assert!(!read(&fourth, &payment).0.notices.iter().any(|notice| notice.contains("belong to the people")));
}
