//! Sheets of many languages.

use super::tests::proposed;

#[test]
fn numbers_of_telephones_are_found_in_every_language() {
    for name in [
        "Tel.-Nr.",
        "Phone no.",
        "Contact telephone number",
        "Numéro de téléphone",
        "N° de tél.",
        "Número de teléfono",
        "Nº de teléfono",
        "Teléfono de contacto",
        "Número de móvil",
        "Número de telefone",
        "N.º de telemóvel",
        "Numero di telefono",
        "Numero di cellulare",
        "Telefoonnr.",
        "Nr telefonu",
        "Telefon kontaktowy",
        "Číslo telefonu",
        "Telefónne číslo",
        "Telefon száma",
        "Număr de telefon",
        "Tlf.nr.",
        "Kontakttelefon",
        "Puhelinnumero",
        "Telefon numarası",
        "Broj telefona",
        "Telefonska številka",
        "Номер телефона",
        "Моб. телефон",
        "Номер телефону",
        "Αριθμός τηλεφώνου",
        "Κινητό τηλέφωνο",
    ] {
        let kinds = [&["Ort", name][..], &[name, "Nachricht"], &["Vorname", "Nachname", name]];
        let found = kinds.map(|names| proposed(names).map(|(kind, _)| kind));
        assert_eq!(found, [Some("phone"), Some("sms"), Some("contact")], "{name}");
    }
}

#[test]
fn names_of_many_languages_fill_fields() {
    for (names, expected) in [
        (
            &["Ime", "Prezime", "Radno mjesto", "Tvrtka", "Mobitel", "E-pošta"][..],
            &[
                ("firstName", 0),
                ("lastName", 1),
                ("organisation", 3),
                ("title", 2),
                ("mobile", 4),
                ("email", 5),
            ][..],
        ),
        (
            &["Имя", "Отчество", "Фамилия", "Рабочий телефон", "Мобильный телефон", "Эл. почта"],
            &[("firstName", 0), ("lastName", 2), ("phone", 3), ("mobile", 4), ("email", 5)],
        ),
        (&["ПІБ", "Телефон", "Ел. пошта"], &[("name", 0), ("phone", 1), ("email", 2)]),
        (
            &["Nom", "Prénom", "Établissement", "Service", "Téléphone"],
            &[("firstName", 1), ("lastName", 0), ("organisation", 2), ("phone", 4)],
        ),
        // Without a firm, a department is the organisation.
        (&["Name", "Abteilung", "Telefon"], &[("name", 0), ("organisation", 1), ("phone", 2)]),
        (&["Name", "Abteilung", "Firma", "Telefon"], &[("name", 0), ("organisation", 2), ("phone", 3)]),
        (&["氏名", "部署", "電話番号"], &[("name", 0), ("organisation", 1), ("phone", 2)]),
        (
            &["שם פרטי", "שם משפחה", "טלפון", "דוא\"ל"],
            &[("firstName", 0), ("lastName", 1), ("phone", 2), ("email", 3)],
        ),
        (&["Nombre y apellidos", "Fijo", "Móvil"], &[("name", 0), ("phone", 1), ("mobile", 2)]),
        (&["GTIN", "Serien-Nr."], &[("gtin", 0), ("serial", 1)]),
        (&["Nome", "IBAN", "Quota"], &[("name", 0), ("iban", 1), ("amount", 2)]),
        (&["Bénéficiaire", "IBAN", "Référence facture"], &[("name", 0), ("iban", 1), ("text", 2)]),
        (&["Rechnungsnummer", "Name", "IBAN", "Zweck"], &[("name", 1), ("iban", 2), ("text", 3)]),
        (
            &["Nimi", "Puhelin", "Katuosoite", "Postinumero", "Postitoimipaikka"],
            &[("name", 0), ("phone", 1), ("street", 2), ("city", 4), ("postcode", 3)],
        ),
        (
            &["Ime i prezime", "Mobitel", "Adresa", "Poštanski broj", "Grad"],
            &[("name", 0), ("mobile", 1), ("street", 2), ("city", 4), ("postcode", 3)],
        ),
        (&["Grad", "Name", "Telefon", "Ort"], &[("name", 1), ("phone", 2), ("city", 3)]),
        (
            &["Nume și prenume", "Funcția", "Telefon", "Strada", "Localitate", "Județ"],
            &[("name", 0), ("title", 1), ("phone", 2), ("street", 3), ("city", 4), ("region", 5)],
        ),
        (
            &["Name", "Phone", "Address line 1", "Suburb", "Postcode"],
            &[("name", 0), ("phone", 1), ("street", 2), ("city", 3), ("postcode", 4)],
        ),
        (&["Ονοματεπώνυμο", "Ηλ. ταχυδρομείο"], &[("name", 0), ("email", 1)]),
        (&["Barcode", "N. lotto", "Matricola"], &[("gtin", 0), ("lot", 1), ("serial", 2)]),
        (&["Debiteur", "Te betalen", "T.n.v.", "IBAN"], &[("name", 2), ("iban", 3), ("amount", 1)]),
        (&["SMS an", "SMS-Text"], &[("number", 0), ("text", 1)]),
    ] {
        assert_eq!(proposed(names).map(|(_, fields)| fields), Some(expected.to_vec()), "{names:?}");
    }
}

#[test]
fn names_of_estonia_latvia_and_lithuania_fill_fields() {
    for (names, expected) in [
        (
            &["Eesnimi", "Perekonnanimi", "Ettevõte", "Ametikoht", "Telefon", "E-post", "Aadress", "Linn"][..],
            &[
                ("firstName", 0),
                ("lastName", 1),
                ("organisation", 2),
                ("title", 3),
                ("phone", 4),
                ("email", 5),
                ("street", 6),
                ("city", 7),
            ][..],
        ),
        (
            &["Ees- ja perekonnanimi", "Mobiiltelefon", "E-posti aadress", "Postiindeks", "Riik"],
            &[("name", 0), ("mobile", 1), ("email", 2), ("postcode", 3), ("country", 4)],
        ),
        (
            &["Vārds", "Uzvārds", "Uzņēmums", "Amats", "Tālrunis", "E-pasts", "Adrese", "Pilsēta"],
            &[
                ("firstName", 0),
                ("lastName", 1),
                ("organisation", 2),
                ("title", 3),
                ("phone", 4),
                ("email", 5),
                ("street", 6),
                ("city", 7),
            ],
        ),
        (
            &["Vārds un uzvārds", "Mobilais tālrunis", "Pasta indekss", "Valsts"],
            &[("name", 0), ("mobile", 1), ("postcode", 2), ("country", 3)],
        ),
        (
            &["Vardas", "Pavardė", "Įmonė", "Pareigos", "Telefonas", "El. paštas", "Adresas", "Miestas"],
            &[
                ("firstName", 0),
                ("lastName", 1),
                ("organisation", 2),
                ("title", 3),
                ("phone", 4),
                ("email", 5),
                ("street", 6),
                ("city", 7),
            ],
        ),
        (
            &["Vardas, pavardė", "Mobilusis telefonas", "Pašto kodas", "Šalis"],
            &[("name", 0), ("mobile", 1), ("postcode", 2), ("country", 3)],
        ),
        (
            &["Sündmus", "Kuupäev", "Kell", "Koht"],
            &[("title", 0), ("start", 1), ("startTime", 2), ("location", 3)],
        ),
        (
            &["Üritus", "Alguskuupäev", "Algusaeg", "Lõppkuupäev", "Lõpuaeg"],
            &[("title", 0), ("start", 1), ("startTime", 2), ("end", 3), ("endTime", 4)],
        ),
        (
            &["Pasākums", "Datums", "Laiks", "Vieta"],
            &[("title", 0), ("start", 1), ("startTime", 2), ("location", 3)],
        ),
        (
            &["Pasākums", "Datums", "Sākuma laiks", "Beigu laiks"],
            &[("title", 0), ("start", 1), ("startTime", 2), ("endTime", 3)],
        ),
        (
            &["Renginys", "Data", "Laikas", "Vieta"],
            &[("title", 0), ("start", 1), ("startTime", 2), ("location", 3)],
        ),
        (
            &["Renginys", "Data", "Pradžios laikas", "Pabaigos laikas"],
            &[("title", 0), ("start", 1), ("startTime", 2), ("endTime", 3)],
        ),
    ] {
        assert_eq!(proposed(names).map(|(_, fields)| fields), Some(expected.to_vec()), "{names:?}");
    }
}

#[test]
fn lists_of_more_languages_speak_for_their_kinds() {
    for (kind, names, expected) in [
        (
            "contact",
            &["ลำดับ", "ชื่อ-นามสกุล", "ตำแหน่ง", "แผนก", "โทรศัพท์", "มือถือ", "อีเมล"][..],
            "name title organisation phone mobile email",
        ),
        ("contact", &["ชื่อ", "นามสกุล", "เบอร์โทร"], "firstName lastName phone"),
        (
            "contact",
            &["Nama Lengkap", "Jabatan", "Divisi", "No. HP", "Email", "Alamat"],
            "name organisation title mobile email street",
        ),
        ("contact", &["Επώνυμο", "Όνομα", "Σταθερό", "Κινητό"], "firstName lastName phone mobile"),
        ("contact", &["姓名", "部门", "办公电话", "手机号码"], "name organisation phone mobile"),
        ("contact", &["Vardas, pavardė", "Telefonas", "Mob. tel."], "name phone mobile"),
        ("contact", &["Име и фамилия", "Длъжност", "GSM"], "name title mobile"),
        ("contact", &["Nom", "Prénom", "Mél"], "firstName lastName email"),
        ("contact", &["Name", "Verein", "Telefon"], "name organisation phone"),
        ("wifi", &["ห้อง", "ชื่อ WiFi", "รหัสผ่าน"], "ssid password"),
        ("wifi", &["Kamar", "Nama WiFi", "Kata Sandi"], "ssid password"),
        ("wifi", &["Стая", "Мрежа", "Парола"], "ssid password"),
        ("wifi", &["Sieć WiFi", "Hasło do WiFi", "Zabezpieczenie"], "ssid password encryption"),
        ("wifi", &["SSID", "パスワード", "暗号化方式"], "ssid password encryption"),
        ("wifi", &["WLAN", "Code"], "ssid password"),
        ("wifi", &["WiFi", "Código", "Habitación"], "ssid password"),
        ("event", &["วันที่", "เวลา", "กิจกรรม", "สถานที่"], "title start location startTime"),
        ("event", &["Tanggal", "Waktu", "Acara", "Tempat"], "title start location startTime"),
        ("event", &["Дата", "Час", "Събитие", "Място"], "title start location startTime"),
        ("event", &["Training", "Start date", "Start time", "Venue"], "title start location startTime"),
        ("event", &["Wanderung", "Datum", "Zeit", "Ort"], "title start location startTime"),
        ("event", &["Dátum", "Időpont", "Program", "Helyszín"], "title start location startTime"),
        ("event", &["Date", "Horaires", "Intitulé", "Salle"], "title start location startTime"),
        ("event", &["Ngày", "Thời gian", "Sự kiện"], "title start startTime"),
        ("event", &["Päivämäärä", "Klo", "Tapahtuma"], "title start startTime"),
        ("event", &["Data", "Godz.", "Wydarzenie"], "title start startTime"),
        ("event", &["Seminar", "Termin", "Ort"], "title start location"),
        ("event", &["Titel", "Bühne", "Tag", "Beginn", "Ende"], "title start end location startTime"),
        ("event", &["Fecha", "Hora", "Tema", "Ponente"], "title start startTime"),
        ("email", &["Adresse mail", "Objet du mail", "Corps du message"], "to subject body"),
        ("email", &["Címzett", "Tárgy", "Üzenet szövege"], "to subject body"),
        ("email", &["Alamat Email", "Subjek", "Isi Pesan"], "to subject body"),
        ("email", &["El. paštas", "Tema", "Žinutė"], "to subject body"),
        ("email", &["宛先メールアドレス", "件名", "本文"], "to subject body"),
        ("sms", &["Số điện thoại", "Nội dung tin nhắn"], "number text"),
        ("sms", &["SMS"], "number"),
        ("sms", &["Machine", "Numéro SMS"], "number"),
        ("phone", &["Ascensor", "Edificio", "Teléfono de emergencia"], "number"),
        ("phone", &["Plats", "Jourtelefon"], "number"),
        ("phone", &["สถานที่", "เบอร์โทร"], "number"),
        ("payment", &["Sanemejs", "Konts (IBAN)", "Summa, EUR", "Maksajuma merkis"], "name iban amount text"),
        (
            "payment",
            &["Gavėjas", "Gavėjo sąskaita", "Suma, EUR", "Mokėjimo paskirtis"],
            "name iban amount text",
        ),
        ("payment", &["Saaja nimi", "Saaja konto", "Summa", "Selgitus"], "name iban amount text"),
        ("payment", &["Bénéficiaire", "IBAN", "Cotisation", "Motif du virement"], "name iban amount text"),
        ("payment", &["Landlord", "IBAN", "Monthly rent (€)", "Payment reference"], "name iban amount text"),
        ("payment", &["Payee", "IBAN", "Rent due", "Reference"], "name iban amount text"),
        ("payment", &["Spendenzweck", "Kontoinhaber", "IBAN", "Betrag in €"], "name iban amount text"),
        ("payment", &["Prejemnik", "IBAN prejemnika", "Znesek", "Namen plačila"], "name iban amount text"),
        ("payment", &["Naam vereniging", "Rekeningnummer (IBAN)", "Bedrag"], "name iban amount"),
        ("digital-link", &["Réf.", "Code EAN13", "N° de lot", "DLC"], "gtin lot expiry"),
        ("digital-link", &["Código de barras", "Lote", "F. caducidad"], "gtin lot expiry"),
        ("digital-link", &["Barkodas", "Partija", "Tinka iki"], "gtin lot expiry"),
        ("geo", &["Taškas", "Platuma", "Ilguma"], "latitude longitude"),
        ("geo", &["Място", "Географска ширина", "Географска дължина"], "latitude longitude"),
        ("contact", &["Name", "Vorname", "Klasse", "Telefon Eltern"], "firstName lastName phone"),
        ("contact", &["Ονοματεπώνυμο", "Τηλέφωνο επικοινωνίας"], "name phone"),
        ("contact", &["Фамилия И.О.", "Должность", "Телефон"], "name title phone"),
        ("wifi", &["Réseau Wi-Fi", "Code d'accès"], "ssid password"),
        ("wifi", &["WiFi名称", "WiFi密码"], "ssid password"),
        ("event", &["Tag", "Datum", "von", "bis", "Was"], "title start startTime endTime"),
        ("event", &["Tag", "Beginn", "Was"], "title start startTime"),
        ("event", &["Data", "Giorno", "Ora", "Evento"], "title start startTime"),
        (
            "event",
            &["Дата проведения", "Время", "Название мероприятия", "Место проведения"],
            "title start location startTime",
        ),
        ("event", &["Název akce", "Termín konání", "Čas", "Místo konání"], "title start location startTime"),
        ("event", &["Kurstitel", "Beginn", "Ende", "Kursort"], "title start end location"),
        ("geo", &["Ort", "Koordinaten (WGS84)"], "coordinates"),
        ("geo", &["Name", "Latitude (N)", "Longitude (E)"], "latitude longitude"),
        ("geo", &["Obiekt", "Szer. geogr.", "Dł. geogr."], "latitude longitude"),
    ] {
        assert_proposed(kind, names, expected);
    }
}

/// Names that are shortened, or belong to other things elsewhere.
#[test]
fn lists_with_rarer_names_speak_for_their_kinds() {
    for (kind, names, expected) in [
        ("contact", &["Nome", "Celular", "CEP", "Bairro", "UF"][..], "name mobile postcode region"),
        ("contact", &["Ad Soyad", "Görevi", "Cep"], "name title mobile"),
        ("contact", &["Adı", "Soyadı", "Tel", "Cep"], "firstName lastName phone mobile"),
        ("contact", &["Müşteri", "İsim", "Cep"], "name mobile"),
        ("contact", &["Name", "Tel. P", "Tel. G"], "name homePhone phone"),
        ("contact", &["Nombre", "Tfno."], "name phone"),
        ("contact", &["Nom", "Tél. pro", "Tél. perso"], "name phone homePhone"),
        ("contact", &["Nome", "Tel.", "Prov."], "name phone region"),
        ("contact", &["Name", "Rolle", "Telefon"], "name title phone"),
        ("contact", &["الاسم", "الوظيفة", "الهاتف"], "name title phone"),
        (
            "contact",
            &["Nominativo", "Qualifica", "Ente", "Tel.", "Cell.", "Indirizzo e-mail", "Sito"],
            "name title organisation phone mobile email url",
        ),
        ("email", &["Gerät", "E-Mail an", "Betreff", "Nachricht"], "to subject body"),
        ("sms", &["Numéro", "Texte du SMS"], "number text"),
        ("wifi", &["Standort", "WLAN", "Schlüssel (WPA2)"], "ssid password"),
        ("event", &["Spectacle", "Date", "Horaire", "Salle", "Tarif"], "title start startTime location"),
        ("payment", &["Invoice", "Customer", "Amount due"], "amount text"),
    ] {
        assert_proposed(kind, names, expected);
    }
}

/// The names speak for the kind, and fill these fields, in any order.
fn assert_proposed(kind: &str, names: &[&str], expected: &str) {
    let (found, fields) = proposed(names).unwrap_or_else(|| panic!("{names:?}"));
    let mut fields: Vec<&str> = fields.into_iter().map(|(field, _)| field).collect();
    let mut expected: Vec<&str> = expected.split(' ').collect();
    fields.sort_unstable();
    expected.sort_unstable();
    assert_eq!((found, fields), (kind, expected), "{names:?}");
}

#[test]
fn words_of_other_lists_speak_for_none() {
    for names in [
        &["Red", "Green", "Code"][..],
        &["Ширина", "Дължина", "Височина"],
        &["Network", "Code"],
        &["Thema", "Termin"],
        &["Programm", "Version", "Datum"],
        &["Name", "Tema"],
        &["Aufgabe", "Termin", "Status"],
        &["Nome", "CEP"],
        &["Invoice", "Customer", "Amount due", "Payment link"],
    ] {
        assert_eq!(proposed(names), None, "{names:?}");
    }
    let speakers = proposed(&["Nombre", "Correo", "Tema"]).map(|(kind, _)| kind);
    assert_eq!(speakers, Some("contact"));
}

#[test]
fn postcodes_are_no_telephones() {
    for name in [
        "CEP",
        "CAP",
        "C.A.P.",
        "Code postal",
        "CP",
        "PSČ",
        "Postnr.",
        "Postnummer",
        "ZIP",
        "ZIP Code",
        "Zip/Postal Code",
        "PLZ",
        "Postleitzahl",
        "Código postal",
        "Cód. postal",
        "C.P.",
        "Kod pocztowy",
        "Irányítószám",
        "Irsz.",
        "Posta kodu",
        "Postinumero",
        "Post code",
        "Postal code",
        "Poštanski broj",
        "Cod poștal",
        "Pincode",
        "C. Postal",
        "Eircode",
    ] {
        let (_, fields) = proposed(&["Name", "Telefon", name]).unwrap();
        assert_eq!(fields, [("name", 0), ("phone", 1), ("postcode", 2)], "{name}");
    }
}
