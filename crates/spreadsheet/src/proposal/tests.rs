use super::*;

pub(super) fn proposed(names: &[&str]) -> Option<(&'static str, Vec<(&'static str, u32)>)> {
    proposal(names, true).map(|proposal| (proposal.kind.name(), proposal.fields))
}

#[test]
fn numbers_to_text_to_are_those_of_messages() {
    for names in [&["Text number", "Message"][..], &["Name", "Text to", "Message"]] {
        assert_eq!(proposed(names).map(|(kind, _)| kind), Some("sms"), "{names:?}");
    }
    for names in [
        &["Text number", "Title"][..],
        &["Text number", "Text"],
        &["Textnummer", "Text"],
        &["Text to", "Name"],
    ] {
        assert_eq!(proposed(names), None, "{names:?}");
    }
}

#[test]
fn sheets_speak_for_their_kind_in_every_language() {
    for (kind, sheets) in [
        (
            "wifi",
            &[
                &["Room", "SSID", "Password"][..],
                &["Raum", "Netzwerk", "Passwort", "Verschlüsselung"],
                &["Réseau", "Mot de passe"],
                &["Red", "Contraseña"],
                &["Сеть", "Пароль"],
                &["网络", "密码"],
                &["SSID", "Encryption"],
                &["Oda No", "Kablosuz Ağ Adı", "Şifre", "Güvenlik Türü"],
                &["Wi-Fi Adı", "Wi-Fi Şifresi"],
                &["Raum", "WLAN Gäste (SSID)", "WLAN Gäste (Passwort)", "WLAN intern (SSID)"],
            ][..],
        ),
        (
            "payment",
            &[
                &["Name", "IBAN", "Amount"],
                &["Zahlungsempfänger", "IBAN", "BIC", "Betrag", "Verwendungszweck"],
                &["Bénéficiaire", "IBAN", "Montant"],
                &["Firma", "IBAN", "Betrag"],
            ],
        ),
        (
            "contact",
            &[
                &["First name", "Last name", "Company", "Phone", "Mobile", "E-mail", "Website"],
                &["Vorname", "Nachname", "Telefon"],
                &["Nom", "Prénom", "Courriel"],
                &["Name", "Mobile"],
                &["Firma", "Telefon", "E-Mail"],
                &["Firma", "Telefon", "Webseite"],
                &["姓名", "手机"],
                &["Имя", "Фамилия", "Телефон"],
                &["ФИО", "Рабочий телефон"],
                &["Ime in priimek", "Telefon"],
                &["Name", "Direct line"],
            ],
        ),
        ("digital-link", &[&["GTIN", "Lot"], &["EAN", "Chargennummer", "MHD"], &["Article", "EAN-13"]]),
        (
            "geo",
            &[
                &["Ort", "Breitengrad", "Längengrad"],
                &["lat", "lng"],
                &["Name", "Koordinaten"],
                &["Coordinates"],
                &["Lieu", "Coordonnées GPS"],
                &["Γεωγραφικό πλάτος", "Γεωγραφικό μήκος"],
                &["Πλάτος", "Μήκος"],
            ],
        ),
        (
            "email",
            &[
                &["E-Mail", "Betreff", "Text"],
                &["E-Mail", "Betreff"],
                &["Name", "Email", "Subject", "Message"],
                &["E-Mail", "Text"],
                &["Courriel", "Objet", "Texte"],
                &["Empfänger", "Betreff", "Nachricht"],
            ],
        ),
        (
            "sms",
            &[
                &["Nummer", "Nachricht"],
                &["Phone", "Message"],
                &["Name", "Handy", "Nachricht"],
                &["Mobile", "Text"],
            ],
        ),
        (
            "event",
            &[
                &["Event", "Start", "End"],
                &["Veranstaltung", "Beginn", "Ende"],
                &["Titel", "Start", "Ende"],
                &["Titel", "Datum", "Uhrzeit"],
                &["Título", "Fecha", "Hora"],
                &["Titre", "Date de début", "Heure de début"],
                &["Subject", "Start Date", "Start Time", "End Date", "End Time", "All day event"],
                &["Betreff", "Datum"],
                &["Titolo", "Data", "Ora"],
                &["Onderwerp", "Begindatum", "Begintijd", "Einddatum", "Eindtijd", "Locatie"],
                &["Název", "Začátek", "Konec", "Místo"],
                &["Esemény", "Kezdés", "Befejezés", "Helyszín"],
                &["Předmět", "Začátek", "Konec"],
                &["Tárgy", "Kezdés", "Befejezés"],
                &["Datum", "Uhrzeit", "Raum", "Vortrag", "Referent:in"],
                &["Tapahtuma", "Alkaa", "Päättyy", "Paikka"],
            ],
        ),
    ] {
        for names in sheets {
            assert_eq!(proposed(names).map(|(kind, _)| kind), Some(kind), "{names:?}");
        }
    }
}

#[test]
fn names_that_say_little_speak_for_a_kind_beside_others() {
    for (kind, names) in [
        ("email", &["Adres e-mail", "Temat", "Treść"][..]),
        ("sms", &["Cellulare", "Testo"]),
        ("sms", &["Numéro de portable", "Message"]),
        ("sms", &["Numer telefonu", "Treść SMS"]),
        ("sms", &["Telefon", "Treść"]),
        ("phone", &["Abteilung", "Telefonnummer"]),
        ("phone", &["Service", "Téléphone"]),
        ("phone", &["Aufzug", "Standort", "Notrufnummer"]),
        ("phone", &["Phone"]),
        ("contact", &["Име", "Фамилия", "Телефон", "Имейл"]),
        ("contact", &["Nama", "No. HP", "Email"]),
        ("email", &["Empfänger-E-Mail", "Betreff", "Nachricht"]),
        ("email", &["E-Mail"]),
        ("email", &["Abteilung", "E-Mail-Adresse"]),
        ("event", &["Naam", "Datum", "Begintijd"]),
        ("event", &["Titel", "Von", "Bis"]),
        ("event", &["Wann?", "Was", "Wo", "Wer"]),
        ("event", &["Intitulé", "Date de début", "Heure de début", "Date de fin", "Heure de fin", "Lieu"]),
        ("event", &["Kurs", "Von", "Bis"]),
        ("event", &["Rubrik", "Startdatum", "Starttid", "Slutdatum", "Sluttid", "Plats"]),
        ("event", &["件名", "開始日", "開始時刻", "終了日", "終了時刻", "場所"]),
        ("event", &["الحدث", "التاريخ", "الوقت", "المكان"]),
        ("event", &["נושא", "תאריך התחלה", "שעת התחלה", "תאריך סיום", "שעת סיום"]),
        ("event", &["Sự kiện", "Ngày", "Giờ"]),
        ("wifi", &["Δωμάτιο", "Όνομα δικτύου", "Κωδικός"]),
        ("wifi", &["Δίκτυο", "Κωδικός πρόσβασης"]),
        ("wifi", &["Netz", "Passwort", "Raum"]),
        ("wifi", &["Rete", "Password di rete"]),
        ("wifi", &["Síť", "Heslo k síti"]),
        ("wifi", &["Netwerk", "Netwerkwachtwoord"]),
        ("wifi", &["اسم الشبكة", "كلمة المرور"]),
        ("wifi", &["Tên mạng", "Mật khẩu"]),
        ("wifi", &["Mreža", "Lozinka"]),
        ("contact", &["الاسم", "الهاتف", "البريد الإلكتروني"]),
        ("contact", &["Họ và tên", "Số điện thoại", "Email"]),
        ("contact", &["Nombre", "Fijo"]),
        ("digital-link", &["Descripción", "Cód. barras", "Lote"]),
        ("digital-link", &["Articolo", "Cod. a barre"]),
        ("geo", &["Lugar", "Coordenadas GPS"]),
        ("geo", &["Hely", "GPS koordináták"]),
        ("geo", &["Ort", "Geogr. Breite", "Geogr. Länge"]),
        ("geo", &["Geografska širina", "Geografska dužina"]),
        ("geo", &["خط العرض", "خط الطول"]),
        ("email", &["البريد الإلكتروني", "الموضوع", "الرسالة"]),
        ("sms", &["رقم الهاتف", "الرسالة"]),
        ("geo", &["Szerokość geograficzna", "Długość geograficzna"]),
        ("geo", &["Bod", "Zeměpisná šířka", "Zeměpisná délka"]),
        ("geo", &["Pont", "Szélesség", "Hosszúság"]),
        ("geo", &["Name", "Breitengrad", "Längengrad", "Höhe"]),
        ("payment", &["Begunstigde", "Rekeningnummer", "Bedrag"]),
        ("payment", &["Projekt", "Verwendungszweck", "Betrag"]),
        ("payment", &["Rechnungsnr.", "Kunde", "Rechnungsdatum", "Betrag"]),
        ("sms", &["Lokation", "Sms-nummer", "Besked"]),
        ("sms", &["Ort", "SMS an", "SMS-Text"]),
        ("sms", &["SMS to", "SMS message"]),
        ("sms", &["SMS-Nr.", "Text"]),
        ("sms", &["N° SMS", "Message"]),
        ("sms", &["Numéro SMS", "Texte SMS"]),
        ("payment", &["Socio", "Importe", "Concepto", "IBAN"]),
        ("payment", &["Socio", "Importo", "Causale", "IBAN"]),
        ("payment", &["Adhérent", "Montant", "Motif", "IBAN"]),
        ("payment", &["Lid", "Bedrag", "Omschrijving", "IBAN"]),
        ("payment", &["Sócio", "Valor", "Descrição", "IBAN"]),
        ("payment", &["Mitglied", "Betrag", "Zweck", "IBAN"]),
        ("contact", &["Vorname", "Nachname", "E-Mail", "Beitrag", "IBAN"]),
        ("wifi", &["Ruum", "Võrk", "Parool"]),
        ("wifi", &["Wi-Fi võrgu nimi", "Wi-Fi parool"]),
        ("wifi", &["Tīkls", "Parole"]),
        ("wifi", &["Tīkla nosaukums", "Tīkla parole"]),
        ("wifi", &["Tinklas", "Slaptažodis"]),
        ("wifi", &["Tinklo pavadinimas", "Tinklo slaptažodis"]),
        ("digital-link", &["Produit", "Code-barres"]),
        ("digital-link", &["Codice EAN"]),
        ("digital-link", &["Handle", "Title", "Variant Price", "Variant Barcode", "Image Src"]),
    ] {
        assert_eq!(proposed(names).map(|(kind, _)| kind), Some(kind), "{names:?}");
    }
}

#[test]
fn goods_have_contents() {
    for names in [&["Artikel", "EAN", "Inhalt"][..], &["Barcode", "Contents"], &["GTIN", "Inhoud", "Prijs"]] {
        assert_eq!(proposal(names, false).map(|found| found.kind), Some(Kind::DigitalLink), "{names:?}");
    }
    for names in [&["Artikel", "Inhalt"][..], &["EAN", "data"], &["EAN", "QR-Inhalt"]] {
        assert_eq!(proposal(names, false), None, "{names:?}");
    }
}

#[test]
fn sheets_of_links_speak_for_none() {
    for names in [
        &["URL", "Name"][..],
        &["GTIN", "Link"],
        &["data", "ssid", "password"],
        &["QR code", "First name", "Last name", "Phone"],
        &["Name", "Price"],
        &["Network"],
        &["Network", "Room"],
        &["Network", "Type"],
        &["IBAN"],
        &["Start", "Ende"],
        &["Titel", "Datum"],
        &["Name", "Datum", "Uhrzeit"],
        &["Titel", "Text"],
        &["Name", "Text"],
        &["Nummer", "Text"],
        &["Firma", "Telefon", "Link"],
        &["E-Mail", "Betreff", "URL"],
        &["Předmět", "Datum"],
        &["Koordinaten", "Link"],
        &["Platz", "Breite", "Länge", "Höhe (cm)"],
        &["Regał", "Szerokość", "Długość", "Głębokość"],
        &["Πλάτος", "Μήκος", "Ύψος"],
        &["Titel", "Datum van publicatie"],
        &["Abteilung", "Telefon", "Link"],
        &["Order", "Date", "Total", "Phone", "Status"],
        &["Rechnungsnr.", "Betrag", "Link"],
        &["Artikel", "Preis", "Beschreibung"],
        &["Numer", "Telefon", "Treść"],
        &["Titel", "Start", "Ende", "Link"],
        &["Numero", "Testo"],
        &["Rubrik", "Datum"],
        &["Rubrik", "Text"],
        &["Fijo", "Variable"],
        &["Red Wine", "Key"],
        &["Netz", "Stationen", "Code"],
        &["Thema", "Datum", "Link"],
        &["Código", "Descripción", "Precio"],
        &["Širina", "Dužina", "Visina"],
        &["Kontakt", "Link"],
        &["N°", "Code", "Note"],
        &["Betrag", "IBAN", "Link"],
        &["An", "Nachricht", "Link"],
        &[],
    ] {
        assert_eq!(proposal(names, false), None, "{names:?}");
    }
}

#[test]
fn names_as_long_as_texts_are_not_looked_at() {
    let network = |spaces: usize| format!("SS{}ID", " ".repeat(spaces));
    assert!(proposed(&[&network(196), "Password"]).is_some());
    assert_eq!(proposed(&[&network(197), "Password"]), None);
}

#[test]
fn events_have_their_times_in_columns_of_their_own() {
    for (names, expected) in [
        (
            &["Datum", "Titel", "Beginn", "Ende"][..],
            &[("title", 1), ("start", 0), ("startTime", 2), ("end", 3)][..],
        ),
        (&["Titel", "Beginn", "Ende"], &[("title", 0), ("start", 1), ("end", 2)]),
        (
            &["Titel", "Startdatum", "Startzeit", "Enddatum", "Endzeit"],
            &[("title", 0), ("start", 1), ("startTime", 2), ("end", 3), ("endTime", 4)],
        ),
        (
            &["Subject", "Start Time", "Start Date", "End Time", "End Date"],
            &[("title", 0), ("start", 2), ("startTime", 1), ("end", 4), ("endTime", 3)],
        ),
        (
            &["Titel", "Startdatum", "Beginn", "Enddatum", "Ende"],
            &[("title", 0), ("start", 1), ("startTime", 2), ("end", 3), ("endTime", 4)],
        ),
        (
            &["Event", "Date", "Start time", "End time"],
            &[("title", 0), ("start", 1), ("startTime", 2), ("endTime", 3)],
        ),
        (&["Event", "Start time", "End time"], &[("title", 0), ("start", 1), ("endTime", 2)]),
        (
            &["Event", "Datum", "Uhrzeit (von)", "Uhrzeit (bis)", "Ort"],
            &[("title", 0), ("start", 1), ("startTime", 2), ("endTime", 3), ("location", 4)],
        ),
        (&["Event", "Datum", "von", "bis"], &[("title", 0), ("start", 1), ("startTime", 2), ("endTime", 3)]),
        (
            &["Kurs", "Kursbeginn", "Kursende", "Uhrzeit von", "Uhrzeit bis", "Kursleiter", "Raum"],
            &[("title", 0), ("start", 1), ("startTime", 3), ("end", 2), ("endTime", 4), ("location", 6)],
        ),
        (&["Event", "Beginn", "Einlasszeit"], &[("title", 0), ("start", 1)]),
        (&["Event", "AM", "Beginn"], &[("title", 0), ("start", 2)]),
        (
            &["Betreff", "Beginnt am", "Beginnt um", "Endet am", "Endet um", "Ort", "Beschreibung"],
            &[
                ("title", 0),
                ("start", 1),
                ("startTime", 2),
                ("end", 3),
                ("endTime", 4),
                ("location", 5),
                ("description", 6),
            ],
        ),
        (&["Event", "Datum", "Ende", "Uhrzeit"], &[("title", 0), ("start", 1), ("startTime", 3), ("end", 2)]),
        (
            &["Événement", "Date de début", "Heure de début", "Date de fin", "Heure de fin"],
            &[("title", 0), ("start", 1), ("startTime", 2), ("end", 3), ("endTime", 4)],
        ),
        (
            &["Evento", "Data inizio", "Ora inizio", "Data fine", "Ora fine"],
            &[("title", 0), ("start", 1), ("startTime", 2), ("end", 3), ("endTime", 4)],
        ),
        (
            &["Wydarzenie", "Data rozpoczęcia", "Godzina rozpoczęcia", "Godzina zakończenia"],
            &[("title", 0), ("start", 1), ("startTime", 2), ("endTime", 3)],
        ),
        (
            &["Событие", "Дата начала", "Время начала", "Время окончания"],
            &[("title", 0), ("start", 1), ("startTime", 2), ("endTime", 3)],
        ),
        (
            &["Actividad", "Fecha", "Hora inicio", "Hora fin", "Sala"],
            &[("title", 0), ("start", 1), ("startTime", 2), ("endTime", 3), ("location", 4)],
        ),
        (
            &["What", "Date", "Start", "End", "Where"],
            &[("title", 0), ("start", 1), ("startTime", 2), ("end", 3), ("location", 4)],
        ),
        (
            &["Activiteit", "Datum", "Van", "Tot", "Locatie"],
            &[("title", 0), ("start", 1), ("startTime", 2), ("endTime", 3), ("location", 4)],
        ),
        (
            &["Manifestation", "Date de début", "Heure", "Date de fin", "Lieu"],
            &[("title", 0), ("start", 1), ("startTime", 2), ("end", 3), ("location", 4)],
        ),
        (
            &["活动", "开始日期", "开始时间", "结束日期", "结束时间"],
            &[("title", 0), ("start", 1), ("startTime", 2), ("end", 3), ("endTime", 4)],
        ),
    ] {
        assert_eq!(proposed(names), Some(("event", expected.to_vec())), "{names:?}");
    }
}

#[test]
fn calendars_of_outlook_have_starts_and_ends_and_no_reminders() {
    let whole = [("title", 0), ("start", 1), ("startTime", 2), ("end", 3), ("endTime", 4), ("location", 7)];
    for names in [
        [
            "Asunto",
            "Fecha de comienzo",
            "Comienzo",
            "Fecha de finalización",
            "Finalización",
            "Fecha del aviso",
            "Hora del aviso",
            "Lugar",
        ],
        [
            "Assunto",
            "Data de Início",
            "Hora de Início",
            "Data de Término",
            "Hora de Término",
            "Data do Lembrete",
            "Hora do Lembrete",
            "Local",
        ],
        [
            "Assunto",
            "Data de início",
            "Hora de início",
            "Data de conclusão",
            "Hora de conclusão",
            "Data do lembrete",
            "Hora do lembrete",
            "Local",
        ],
        [
            "Oggetto",
            "Data inizio",
            "Ora inizio",
            "Data fine",
            "Ora fine",
            "Data promemoria",
            "Ora promemoria",
            "Luogo",
        ],
        [
            "Objet",
            "Date de début",
            "Heure de début",
            "Date de fin",
            "Heure de fin",
            "Date de rappel",
            "Heure du rappel",
            "Lieu",
        ],
    ] {
        assert_eq!(proposed(&names), Some(("event", whole.to_vec())), "{names:?}");
    }
    let start = [("title", 0), ("start", 1), ("startTime", 2)];
    let names = ["Assunto", "Data de início", "Hora de início", "Data do lembrete", "Hora do lembrete"];
    assert_eq!(proposed(&names), Some(("event", start.to_vec())));
    let polish = ["Wydarzenie", "Data", "Godzina od", "Godzina do"];
    let expected = [("title", 0), ("start", 1), ("startTime", 2), ("endTime", 3)];
    assert_eq!(proposed(&polish), Some(("event", expected.to_vec())));
    for names in [
        &["Contrato", "Comienzo", "Finalización"][..],
        &["Proyecto", "Finalización"],
        &["Título", "Comienzo"],
        &["Título", "Conclusão"],
    ] {
        assert_eq!(proposed(names), None, "{names:?}");
    }
}

#[test]
fn totals_with_tax_and_objects_of_french_invoices_are_amounts_and_texts() {
    let invoice = ["Facture", "Bénéficiaire", "IBAN", "Total HT", "TVA", "Total TTC", "Objet"];
    let fields = [("name", 1), ("iban", 2), ("amount", 5), ("text", 6)];
    assert_eq!(proposed(&invoice), Some(("payment", fields.to_vec())));
    for (name, field) in [
        ("Total TTC (€)", Some("amount")),
        ("TOTAL T.T.C. EUR", Some("amount")),
        ("Total HT", None),
        ("Total TVA", None),
        ("Total TTC HT", None),
        ("Objet", Some("text")),
        ("Objets trouvés", None),
    ] {
        let (kind, fields) = proposed(&["Bénéficiaire", "IBAN", name]).unwrap();
        let found = fields.iter().find(|(_, column)| *column == 2).map(|(field, _)| *field);
        assert_eq!((kind, found), ("payment", field), "{name}");
    }
    // A column that says more goes before.
    for name in ["Motif", "N° facture", "Description"] {
        let (_, fields) = proposed(&["Objet", "Bénéficiaire", "IBAN", "Montant", name]).unwrap();
        assert_eq!(fields, [("name", 1), ("iban", 2), ("amount", 3), ("text", 4)], "{name}");
    }
    for names in [&["Objet", "Date", "Prix"][..], &["Objet", "Total TTC"], &["Objet", "Lieu"]] {
        assert_eq!(proposed(names), None, "{names:?}");
    }
}

#[test]
fn films_and_artists_are_titles_of_events_beside_a_day_and_a_time_of_a_place() {
    for (names, expected) in [
        (
            &["Film", "Datum", "Uhrzeit", "Saal"][..],
            &[("title", 0), ("start", 1), ("startTime", 2), ("location", 3)][..],
        ),
        (
            &["Datum", "Einlass", "Beginn", "Theaterstück", "Ort", "VVK"],
            &[("title", 3), ("start", 0), ("startTime", 2), ("location", 4)],
        ),
        (
            &["Artiste", "Date", "Heure", "Lieu"],
            &[("title", 0), ("start", 1), ("startTime", 2), ("location", 3)],
        ),
        (
            &["Künstlerin", "Datum", "Beginn", "Ort"],
            &[("title", 0), ("start", 1), ("startTime", 2), ("location", 3)],
        ),
        // Other titles go before.
        (
            &["Band", "Konzert", "Datum", "Beginn", "Ort"],
            &[("title", 1), ("start", 2), ("startTime", 3), ("location", 4)],
        ),
    ] {
        assert_eq!(proposed(names), Some(("event", expected.to_vec())), "{names:?}");
    }
    for names in [
        &["Film", "Regie", "Jahr"][..],
        &["Band", "Titel", "Jahr"],
        &["Artist", "Title", "Length"],
        &["Artist", "Date", "Price"],
        &["Film", "Datum", "Ort"],
        &["Band", "Datum", "Uhrzeit"],
        &["Stück", "Datum", "Uhrzeit", "Ort"],
        &["Band", "Datum", "Uhrzeit", "Ort"],
        // The work may be in the other one.
        &["Stück", "Künstler", "Datum", "Uhrzeit", "Ort"],
        &["Festnetz", "Armband", "Datum", "Uhrzeit", "Ort"],
    ] {
        assert_eq!(proposed(names).filter(|(kind, _)| *kind == "event"), None, "{names:?}");
    }
}

#[test]
fn events_and_places_have_links_too() {
    for (kind, names) in [
        ("event", &["Veranstaltung", "Datum", "Uhrzeit", "Ort", "Website"][..]),
        ("event", &["Title", "Start", "End", "Timezone", "Location", "URL"]),
        ("event", &["Film", "Datum", "Uhrzeit", "Saal", "Link"]),
        ("event", &["Heim", "Gast", "Datum", "Uhrzeit", "Ort", "Link"]),
        ("geo", &["Hütte", "Lat", "Lon", "Telefon", "Website"]),
        ("geo", &["Place", "Latitude", "Longitude", "Website"]),
    ] {
        assert_eq!(proposed(names).map(|(kind, _)| kind), Some(kind), "{names:?}");
    }
    for names in [
        &["Title", "Start", "End", "URL"][..],
        &["Kampagne", "Start", "Ende", "Website"],
        &["Title", "Date", "Location", "URL"],
        &["Job title", "Start date", "Location", "Link"],
        &["Place", "Latitude", "Longitude", "Link"],
        &["Lat", "Lon", "QR code"],
        &["Event", "Date", "Time", "Location", "QR code"],
        &["GTIN", "Website"],
        &["Name", "Start", "End", "Location", "URL"],
        &["Name", "Ort", "Start", "Ende", "Website"],
        &["Titel", "Vorname", "Nachname", "Ort", "Beginn", "Ende", "Link"],
        &["Produkt", "Länge", "Breite", "Webseite"],
    ] {
        assert_eq!(proposal(names, false), None, "{names:?}");
    }
}

#[test]
fn columns_fill_one_field_each() {
    let (_, fields) =
        proposed(&["First name", "Last name", "Company", "Phone", "Mobile", "E-mail", "Website"]).unwrap();
    let expected = [
        ("firstName", 0),
        ("lastName", 1),
        ("organisation", 2),
        ("phone", 3),
        ("mobile", 4),
        ("email", 5),
        ("url", 6),
    ];
    assert_eq!(fields, expected);
    let (_, fields) = proposed(&["Empfänger", "IBAN", "Verwendungszweck"]).unwrap();
    assert_eq!(fields, [("name", 0), ("iban", 1), ("text", 2)]);
    let (_, fields) = proposed(&["Name", "Kontoinhaber", "IBAN"]).unwrap();
    assert_eq!(fields, [("name", 1), ("iban", 2)]);
    let outlook = [
        "Vorname",
        "Nachname",
        "E-Mail-Adresse",
        "Telefon (geschäftlich)",
        "Mobiltelefon",
        "Firma",
        "Straße privat",
    ];
    let address =
        ["Straße geschäftlich", "Postleitzahl geschäftlich", "Ort geschäftlich", "Land/Region geschäftlich"];
    let (_, fields) = proposed(&[&outlook[..], &address].concat()).unwrap();
    let expected = [
        ("firstName", 0),
        ("lastName", 1),
        ("organisation", 5),
        ("phone", 3),
        ("mobile", 4),
        ("email", 2),
        ("street", 7),
        ("city", 9),
        ("postcode", 8),
        ("country", 10),
    ];
    assert_eq!(fields, expected);
    let outlook = [
        "First Name",
        "Last Name",
        "Company",
        "Home Phone",
        "Business Phone",
        "Home Street",
        "Business Street",
    ];
    let (_, fields) = proposed(&outlook).unwrap();
    assert_eq!(
        fields,
        [
            ("firstName", 0),
            ("lastName", 1),
            ("organisation", 2),
            ("phone", 4),
            ("street", 6),
            ("homePhone", 3)
        ]
    );
    let (_, fields) = proposed(&["Breite", "Koordinaten"]).unwrap();
    assert_eq!(fields, [("coordinates", 1)]);
    let (_, fields) = proposed(&["Lat", "Lon", "GPS"]).unwrap();
    assert_eq!(fields, [("latitude", 0), ("longitude", 1)]);
    let (_, fields) = proposed(&["E-Mail", "Betreff", "Text"]).unwrap();
    assert_eq!(fields, [("to", 0), ("subject", 1), ("body", 2)]);
    let (_, fields) = proposed(&["Nom", "Prénom", "Courriel", "Site web"]).unwrap();
    assert_eq!(fields, [("firstName", 1), ("lastName", 0), ("email", 2), ("url", 3)]);
    // A network may be open, and the name beside a family's is the first name.
    assert_eq!(proposed(&["SSID", "Room"]), Some(("wifi", vec![("ssid", 0)])));
    let (_, fields) = proposed(&["Nome", "Cognome", "Cellulare"]).unwrap();
    assert_eq!(fields, [("firstName", 0), ("lastName", 1), ("mobile", 2)]);
}

#[test]
fn telephones_have_short_words_beside_them() {
    for (name, field) in [
        ("Tél. prof.", "phone"),
        ("Tél. privé", "homePhone"),
        ("Tél. bureau", "phone"),
        ("Tel. geschäftl.", "phone"),
        ("Tel. dienstl.", "phone"),
        ("Tel. priv.", "homePhone"),
        ("Tel. Büro", "phone"),
        ("N° de tél.", "phone"),
    ] {
        let (kind, fields) = proposed(&["Nom", "Prénom", name]).unwrap();
        assert_eq!((kind, fields.contains(&(field, 2))), ("contact", true), "{name}: {fields:?}");
    }
    let both = proposed(&["Nom", "Prénom", "Tél. privé", "Tél. prof."]).unwrap().1;
    assert!(both.contains(&("phone", 3)) && both.contains(&("homePhone", 2)), "{both:?}");
    for names in [&["Name", "Prof."][..], &["Fach", "Prof."]] {
        assert_eq!(proposed(names), None, "{names:?}");
    }
}

#[test]
fn places_that_take_calls_stand_beside_a_short_word_for_telephones() {
    for name in ["Anmeldung Tel.", "Tel. Anmeldung", "Zentrale (Tel.)", "Tél. accueil", "Accueil Tél."] {
        let names = ["Standort", name];
        let proposal = proposal(&names, true).unwrap();
        assert_eq!((proposal.kind, proposal.doubtful(&names)), (Kind::Phone, Some(1)), "{name}");
        for (value, is_number) in [
            ("07531 / 22 14 - 0", true),
            ("+43 5574 43210", true),
            ("071 672 31 40", true),
            ("112", true),
            ("12", false),
            ("101", false),
            ("2026-11-02", false),
            ("ja", false),
            ("Frau Lang", false),
            ("45.60", false),
        ] {
            assert_eq!(proposal.takes(&names, value, true), Some(is_number), "{name}: {value}");
        }
    }
    for names in [
        &["Standort", "Tel./Fax"][..],
        &["Standort", "Fax Tel."],
        &["Standort", "Anmeldung Tel. bis"],
        &["Standort", "Hotel"],
        &["Standort", "Tel.-Kosten"],
        &["Standort", "Kosten Tel."],
        &["Standort", "Rechnung Tel."],
    ] {
        assert_ne!(proposed(names).map(|(kind, _)| kind), Some("phone"), "{names:?}");
    }
}
