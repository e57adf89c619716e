//! Members that are put together from several columns, by patterns and as kinds, and what is refused by row and column.

use std::fs;

use qrpress_spreadsheet::{
    CallingCode, ColumnChoice, Composition, CountryChoice, DateOrder, Kind, ReadRequest, Report, Role,
    SheetLayout, read_spreadsheet,
};
use serde_json::{Value, json};

use crate::workbook::{request, sentences};

#[derive(Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct Choices {
    pub columns: Vec<(Role, ColumnChoice)>,
    pub composed: Vec<(Role, Composition)>,
    pub layout: Option<SheetLayout>,
    pub dates: Option<DateOrder>,
    pub leaves_placeholders: bool,
    pub mends_check_digits: bool,
    pub country: Option<CountryChoice>,
    pub encoded_twice: bool,
    pub finds_header: bool,
}

fn pattern(role: Role, text: &str) -> (Role, Composition) {
    (role, Composition::Pattern(text.to_owned()))
}

pub fn kind(name: &str, fields: &[(&str, &str)]) -> (Role, Composition) {
    let fields = fields
        .iter()
        .map(|(field, column)| ((*field).to_owned(), ColumnChoice::Named((*column).to_owned())))
        .collect();
    (Role::Data, Composition::Kind { kind: Kind::of_name(name).unwrap(), fields, are_open: false })
}

pub fn read(csv: &str, choices: &Choices) -> (Report, Vec<Value>) {
    let folder = qrpress_testkit::TempDir::new();
    let (file, body) = (folder.path().join("file"), folder.path().join("body"));
    fs::write(&file, csv).unwrap();
    fs::write(&body, "").unwrap();
    let report = read_spreadsheet(&ReadRequest {
        columns: &choices.columns,
        composed: &choices.composed,
        layout: choices.layout.unwrap_or(SheetLayout::Header),
        dates: choices.dates,
        leaves_placeholders: choices.leaves_placeholders,
        mends_check_digits: choices.mends_check_digits,
        country: choices.country,
        encoded_twice: choices.encoded_twice,
        finds_header: choices.finds_header,
        ..request(&file, &body)
    })
    .unwrap();
    let body = fs::read_to_string(body).unwrap();
    let lines = body.lines().skip(1).filter(|line| !line.is_empty());
    let items = lines.map(|line| serde_json::from_str(line).unwrap()).collect();
    (report, items)
}

pub fn items(csv: &str, choices: &Choices) -> Value {
    let (report, items) = read(csv, choices);
    assert_eq!(report.problems, []);
    json!(items)
}

pub fn problems(csv: &str, choices: &Choices) -> Vec<String> {
    sentences(&read(csv, choices).0)
}

#[test]
fn patterns_put_members_together_from_columns() {
    let choices = Choices {
        composed: vec![
            pattern(Role::Data, "https://id.example/{ASSET ID}?room={+ room }"),
            pattern(Role::Caption, "{Asset ID} · {Room}"),
            pattern(Role::Filename, "{asset id}"),
        ],
        ..Choices::default()
    };
    assert_eq!(
        items("Our assets\n\nAsset ID,Room,url\na/1,B 2,unused\n\n007,C,\n", &choices),
        json!([
            { "data": "https://id.example/a%2F1?room=B%202", "filename": "a/1", "caption": "a/1 · B 2" },
            { "data": "https://id.example/007?room=C", "filename": "007", "caption": "007 · C" },
        ])
    );
    // Other roles are recognised as ever, and letters name columns where there are no names.
    let data = vec![pattern(Role::Data, "{A}-{B}")];
    let plain = Choices { composed: data.clone(), ..Choices::default() };
    assert_eq!(items("x;name\n1;2\n", &plain), json!([{ "data": "1-2", "filename": "2" }]));
    let rows = Choices { composed: data, layout: Some(SheetLayout::NoHeader), ..Choices::default() };
    assert_eq!(items("x;y\n1;2\n", &rows), json!([{ "data": "x-y" }, { "data": "1-2" }]));
    // A constant caption, beside data as it stands.
    let caption = Choices { composed: vec![pattern(Role::Caption, "ACME")], ..Choices::default() };
    assert_eq!(items("url,label\na,b\n", &caption), json!([{ "data": "a", "caption": "ACME" }]));
}

#[test]
fn a_pattern_is_refused_by_row_and_column() {
    let choices = |text: &str| Choices { composed: vec![pattern(Role::Data, text)], ..Choices::default() };
    assert_eq!(
        problems("id,room\n1,\n2,b\n,c\n", &choices("{id}/{room}")),
        [
            "Row 2, column B (room): the cell is empty, but the pattern of the data needs it.",
            "Row 4, column A (id): the cell is empty, but the pattern of the data needs it.",
        ]
    );
    assert_eq!(
        problems("id,room\n1,a\n", &choices("{id}/{floor}")),
        ["There is no column floor. The columns are A (id), B (room)."]
    );
    assert_eq!(
        problems("id,ID\n1,a\n", &choices("{id}")),
        ["The columns A and B are both called id. Name one of them by its letter."]
    );
    assert_eq!(
        problems("id,room\n1,a\n", &choices("{id")),
        ["The pattern of the data has a brace without its other one; a brace that is text is written twice."]
    );
    assert_eq!(
        problems("id,room\n1,#REF!\n", &choices("{id}/{room}")),
        ["Row 2, column B (room): the cell shows the error #REF!. Correct it."]
    );
    // The whole file is refused, but the report tells which columns there are.
    assert!(read("id,room\n1,a\n", &choices("{floor}")).0.asks_for_columns);
}

#[test]
fn a_pattern_makes_no_more_text_than_a_cell_may_have() {
    // In full it would be 2 GB.
    for text in ["{+a}".repeat(20_000), "{a}".repeat(20_000), format!("{}{{a}}", "b".repeat(100_000))] {
        let choices = Choices { composed: vec![pattern(Role::Data, &text)], ..Choices::default() };
        let csv = format!("a\n{}\nb", "ü".repeat(49_000));
        let found = problems(&csv, &choices);
        assert!(found[0].starts_with("Row 2: the pattern of the data makes more than"), "{:?}", &found[0]);
    }
}

#[test]
fn kinds_put_the_data_together() {
    let choices = Choices {
        composed: vec![kind("wifi", &[("ssid", "Network"), ("password", "C")])],
        ..Choices::default()
    };
    let csv = "Label,Network,Key\nBar,Guests;1,welcome-1\nHall,Staff,welcome-2\n";
    assert_eq!(
        items(csv, &choices),
        json!([
            { "data": "WIFI:T:WPA;S:Guests\\;1;P:welcome-1;;", "filename": "Guests;1", "caption": "Bar" },
            { "data": "WIFI:T:WPA;S:Staff;P:welcome-2;;", "filename": "Staff", "caption": "Hall" },
        ])
    );
    let fields: Vec<_> =
        read(csv, &choices).0.columns.into_iter().map(|column| (column.name, column.field)).collect();
    assert_eq!(
        fields,
        [
            ("Label".to_owned(), None),
            ("Network".to_owned(), Some("ssid")),
            ("Key".to_owned(), Some("password"))
        ]
    );
    // Columns that are called as fields are need no choice, however their names are written.
    let contact = Choices { composed: vec![kind("contact", &[])], ..Choices::default() };
    let (report, found) = read("Name,E-mail\nJane,jane@example.org\n", &contact);
    assert_eq!(report.problems, []);
    assert_eq!(found[0]["filename"], "Jane");
    assert!(found[0]["data"].as_str().unwrap().contains("\r\nEMAIL:jane@example.org\r\n"));
    let found = items("Our people\n\nFirst name,Last name,Phone\nJane,Doe,+49301\n,Roe,+49302\n", &contact);
    assert_eq!((&found[0]["filename"], &found[1]["filename"]), (&json!("Jane Doe"), &json!("Roe")));
    // A name that a person chooses goes before that of the kind.
    let chosen = Choices {
        columns: vec![(Role::Filename, ColumnChoice::Named("Phone".to_owned()))],
        composed: vec![kind("contact", &[])],
        ..Choices::default()
    };
    assert_eq!(items("Name,Phone\nJane,+49301\n", &chosen)[0]["filename"], "+49301");
    // A text is found as the data of other sheets is.
    let text = Choices { composed: vec![kind("text", &[])], ..Choices::default() };
    assert_eq!(items("link,x\na,b\n", &text), json!([{ "data": "a" }]));
    assert_eq!(items("Our labels\n\nlink,name\na,b\n", &text), json!([{ "data": "a", "filename": "b" }]));
    assert_eq!(items("Our labels\n\nText,link\na,b\n", &text), json!([{ "data": "a" }]));
    // The caller's own key stands beside a reference that is part of the payment.
    let payment = Choices {
        columns: vec![(Role::Reference, ColumnChoice::Named("Key".to_owned()))],
        composed: vec![kind("payment", &[("reference", "Invoice")])],
        ..Choices::default()
    };
    assert_eq!(
        items("Name,IBAN,Invoice,Key\nA,BE68539007547034,rf18539007547034,k\n", &payment),
        json!([{ "data": "BCD\n002\n1\nSCT\n\nA\nBE68539007547034\n\n\nRF18539007547034", "filename": "A rf18539007547034", "reference": "k" }])
    );
}

#[test]
fn open_networks_are_not_made_unasked() {
    let wifi = Choices { composed: vec![kind("wifi", &[])], ..Choices::default() };
    let (report, _) = read("ssid,hidden\nGuests,no\n", &wifi);
    assert_eq!((report.asks_for_columns, report.asks_for_field), (true, Some("password")));
    assert_eq!(
        problems("ssid,password,encryption\nA,,\nB,,open\nC,,WPA\n", &wifi),
        [
            "Row 2, column B (password): there is no password. For an open network write none in a column called encryption.",
            "Row 4, column B (password): there is no password, but a network with encryption has one. \
            An open network has the encryption none.",
        ]
    );
}

#[test]
fn words_for_no_password_are_no_password() {
    let wifi = |are_open| {
        let composed = Composition::Kind { kind: Kind::Wifi, fields: Vec::new(), are_open };
        Choices { composed: vec![(Role::Data, composed)], ..Choices::default() }
    };
    let words = [
        "kein Passwort",
        "ohne Passwort",
        "offenes Netz",
        "sans mot de passe",
        "pas de mot de passe",
        "réseau ouvert",
        "sin contraseña",
        "geen",
        "keins",
        "-",
        "no password",
        "",
    ];
    for word in words {
        let csv = format!("Raum,SSID,Passwort\nR1,Pfarrheim,sommer2026\nR2,Pfarrheim-2,{word}\n");
        let (report, _) = read(&csv, &wifi(false));
        assert_eq!((report.passwordless_networks, report.faulty_rows), (1, 1), "{word}");
        assert_eq!(
            problems(&csv, &wifi(false)),
            [
                "Row 3, column C (Passwort): there is no password. For an open network write none in a column called encryption."
            ]
        );
        let (report, items) = read(&csv, &wifi(true));
        assert_eq!(items[1]["data"], "WIFI:T:nopass;S:Pfarrheim-2;;", "{word}");
        assert!(report.notices.contains(&"1 network has no password: row 3 (Pfarrheim-2).".to_owned()));
    }
    // The encryption says it, or says that there is a password.
    let csv = "SSID,Password,Security\na,no password,None\nb,not required,Open\nc,no password,WPA2\n";
    let (report, items) = read(csv, &wifi(true));
    assert_eq!(items.len(), 2);
    assert_eq!(report.problems.len(), 1);
    assert_eq!(items[1]["data"], "WIFI:T:nopass;S:b;;");
    // Texts that are passwords as well.
    for password in ["open-access", "Offenes_WLAN", "code-pas-wifi", "wifi-libre"] {
        for csv in
            [format!("SSID,Password\na,{password}\n"), format!("SSID,Password,Security\na,{password},WPA2\n")]
        {
            let (report, items) = read(&csv, &wifi(true));
            assert_eq!(report.passwordless_networks, 0);
            assert_eq!(items[0]["data"], format!("WIFI:T:WPA;S:a;P:{password};;"));
        }
    }
    let (report, items) =
        read("SSID,Password,Security\na,unsecured,\nb,unsecured,WPA2\nc,libre,WEP\n", &wifi(true));
    assert_eq!(report.passwordless_networks, 1);
    let codes = ["WIFI:T:nopass;S:a;;", "WIFI:T:WPA;S:b;P:unsecured;;", "WIFI:T:WEP;S:c;P:libre;;"];
    assert_eq!([0, 1, 2].map(|place: usize| items[place]["data"].clone()), codes);
    // A password that is yet to come is none of an open network.
    let (report, _) = read("SSID,Password\na,sommer2026\nb,tbd\n", &wifi(true));
    assert_eq!((report.passwordless_networks, report.faulty_rows), (0, 1));
}

#[test]
fn fields_of_a_kind_are_found_in_many_languages() {
    let data = |name: &str, csv: &str| {
        let choices = Choices { composed: vec![kind(name, &[])], ..Choices::default() };
        items(csv, &choices)[0]["data"].as_str().unwrap().to_owned()
    };
    for csv in [
        "Raum,WLAN,Passwort\nHalle,Gäste,welcome-1\n",
        "Réseau;Mot de passe\nGäste;welcome-1\n",
        "密码,网络\nwelcome-1,Gäste\n",
    ] {
        assert_eq!(data("wifi", csv), "WIFI:T:WPA;S:Gäste;P:welcome-1;;", "{csv}");
    }
    // Beside a first name the name is the family's, and the other way round.
    for csv in ["Nom,Prénom\nDoe,Jane\n", "Nome,Cognome\nJane,Doe\n", "Name,Vorname\nDoe,Jane\n"] {
        assert!(data("contact", csv).contains("\r\nN:Doe;Jane;;;\r\nFN:Jane Doe\r\n"), "{csv}");
    }
    assert!(
        data("contact", "Name,Funktion,Ort,Webseite\nJane,Chef,Ulm,https://example.org\n")
            .contains("\r\nTITLE:Chef\r\n")
    );
    assert_eq!(data("sms", "Handy,Nachricht\n+49170123456,Hallo\n"), "SMSTO:+49170123456:Hallo");
    assert!(data("event", "Veranstaltung,Beginn\nFest,2026-01-31 18:00\n").contains("SUMMARY:Fest"));
    assert!(data("event", "Nome,Data,Ora\nFesta,2026-01-31,18:00\n").contains("DTSTART:20260131T180000"));
    assert_eq!(
        data("email", "Empfänger,Adresse,E-Mail-Adresse\na,b,jane@example.org\n"),
        "mailto:jane@example.org"
    );
    for (csv, text) in [
        ("Příjemce;IBAN;Částka;Účel\nA;BE68539007547034;5;Dar\n", "Dar"),
        ("Odbiorca;IBAN;Tytuł płatności\nA;BE68539007547034;Dar\n", "Dar"),
        ("Příjemce;IBAN;Zpráva pro příjemce\nA;BE68539007547034;Dar\n", "Dar"),
        ("Modtager;IBAN;Besked\nA;BE68539007547034;Gave\n", "Gave"),
        ("Beneficiario;IBAN;Motivo\nA;BE68539007547034;Dono\n", "Dono"),
        ("Получатель;IBAN;Назначение платежа\nA;BE68539007547034;Дар\n", "Дар"),
        ("Name;IBAN;Message\nA;BE68539007547034;Gift\n", "Gift"),
        ("Bénéficiaire;IBAN;Référence\nA;BE68539007547034;F-101\n", "\nF-101"),
        ("Beneficiary;IBAN;Reference\nA;BE68539007547034;INV-7\n", "\nINV-7"),
        ("Beneficiary;IBAN;Reference\nA;BE68539007547034;RF18539007547034\n", "\n\nRF18539007547034"),
        ("Beneficiary;IBAN;Reference;Text\nA;BE68539007547034;INV-7;Gift\n", "\nGift"),
        ("Odbiorca;Numer rachunku;Tytułem\nA;BE68539007547034;Dar\n", "Dar"),
        ("Bénéficiaire;IBAN;Référence\nA;BE68539007547034;RF18 5390 0754 7034\n", "\n\nRF18539007547034"),
        ("Bénéficiaire;IBAN;Référence;Motif\nA;BE68539007547034;F-101;Don\n", "\nDon"),
        ("Empfänger;IBAN;Referenz;Zweck\nA;BE68539007547034;RF18539007547034;\n", "\n\nRF18539007547034"),
        ("Empfänger;IBAN;Zahlungszweck\nA;BE68539007547034;Rg 1\n", "\nRg 1"),
        ("Begunstigde;IBAN;Betalingskenmerk\nA;BE68539007547034;7\n", "\n7"),
    ] {
        assert!(data("payment", csv).ends_with(&format!("\n{text}")), "{csv}");
    }
    for csv in [
        "Jméno;Příjmení;Ulice;Obec;PSČ;Stát\nJan;Novák;Dlouhá 1;Brno;60200;ČR\n",
        "Vezetéknév;Keresztnév;Cím;Település;Irányítószám;Ország\nNovák;Jan;Dlouhá 1;Brno;60200;ČR\n",
        "Nome;Cognome;Indirizzo;Comune;CAP;Paese\nJan;Novák;Dlouhá 1;Brno;60200;ČR\n",
        "Förnamn;Efternamn;Gatuadress;Postort;Postnummer;Land\nJan;Novák;Dlouhá 1;Brno;60200;ČR\n",
        "Etunimi;Sukunimi;Osoite;Paikkakunta;Postinumero;Maa\nJan;Novák;Dlouhá 1;Brno;60200;ČR\n",
        "Ім’я;Прізвище;Вулиця;Місто;Індекс;Країна\nJan;Novák;Dlouhá 1;Brno;60200;ČR\n",
    ] {
        assert!(data("contact", csv).contains("\r\nADR:;;Dlouhá 1;Brno;;60200;ČR\r\n"), "{csv}");
    }
    // A column that a field takes is neither caption nor file name.
    for (name, csv, expected) in [
        ("event", "Titel,Datum,Uhrzeit,Text\nFest,2026-01-31,18:00,a\n", json!("Fest")),
        ("email", "E-Mail,Betreff,Text\njane@example.org,a,b\n", json!("jane@example.org")),
        ("sms", "Name,Telefon,Text\nJane,+49170123456,a\n", json!("Jane")),
    ] {
        let choices = Choices { composed: vec![kind(name, &[])], ..Choices::default() };
        let found = &items(csv, &choices)[0];
        assert_eq!((&found["filename"], found.get("caption")), (&expected, None), "{csv}");
    }
    // A field that codes need is not guessed between two columns.
    let payment = Choices { composed: vec![kind("payment", &[])], ..Choices::default() };
    assert_eq!(
        problems("Name,Konto-IBAN,IBAN-Nummer\nA,BE68539007547034,x\n", &payment),
        ["The columns B (Konto-IBAN) and C (IBAN-Nummer) could both be the IBAN. Say which one it is."]
    );
}

#[test]
fn payments_to_countries_without_the_euro_are_told() {
    let payment = Choices { composed: vec![kind("payment", &[])], ..Choices::default() };
    let notices = |csv: &str| read(csv, &payment).0.notices;
    assert_eq!(notices("Payee,IBAN\nA,BE68539007547034\nB,SK3112000000198742637541\n"), [""; 0]);
    assert_eq!(
        notices("Payee,IBAN\nA,BE68539007547034\nB,CZ6508000000192000145399\n"),
        [
            "Is this amount in euros? 1 payment (row 3) goes to an account in a country without the euro (CZ). Payment codes are in euros."
        ]
    );
    assert_eq!(
        notices("Payee,IBAN\nA,GB82WEST12345698765432\nB,CZ6508000000192000145399\n"),
        [
            "Are these amounts in euros? 2 payments (the first in row 2) go to accounts in countries without the euro (GB). Payment codes are in euros."
        ]
    );
}

#[test]
fn payments_in_other_currencies_are_refused() {
    let payment = Choices { composed: vec![kind("payment", &[])], ..Choices::default() };
    let row = |currency: &str| format!("A;BE68539007547034;10;{currency}\n");
    let euros = ["EUR", " euro ", "€", "Euro (€)", "", "-", "31.12.2026"].map(row).concat();
    for name in ["Währung", "Waluta", "Měna", "Devise", "Currency", "Valuta", "Pénznem", "Moneda"] {
        let header = format!("Name;IBAN;Betrag;{name}\n");
        let (report, found) = read(&(header.clone() + &euros), &payment);
        assert_eq!(found.len(), 7);
        assert!(!report.notices.concat().contains("Not in the codes"), "{:?}", report.notices);
        let found = problems(&(header + &euros + &row("CHF") + &row("US-Dollar")), &payment);
        let expected = [
            format!("Row 9, column D ({name}): CHF. Payment codes are in euros."),
            format!("Row 10, column D ({name}): US-Dollar. Payment codes are in euros."),
        ];
        assert_eq!(found, expected);
    }
    assert_eq!(
        problems("Name,IBAN,Currency\nA,BE68539007547034,zł\n", &payment),
        ["Row 2, column C (Currency): zł. Payment codes are in euros."]
    );
}

#[test]
fn amounts_are_in_the_currency_that_their_column_names() {
    let payment = Choices { composed: vec![kind("payment", &[])], ..Choices::default() };
    let csv = |name: &str| format!("Name;IBAN;{name}\nA;BE68539007547034;10,00\nB;BE68539007547034;\n");
    for (name, currency) in [
        ("Kwota (PLN)", "PLN"),
        ("Částka Kč", "Kč"),
        ("Összeg [Ft]", "Ft"),
        ("Amount in $", "$"),
        ("Betrag CHF", "CHF"),
        ("Amount USD", "USD"),
        ("Betrag THB", "THB"),
    ] {
        let expected = format!("Row 2, column C ({name}): {currency}. Payment codes are in euros.");
        assert_eq!(problems(&csv(name), &payment), [expected]);
        // Nobody is offered codes that cannot be made.
        let offered = |csv: &str| read(csv, &Choices::default()).0.proposal.map(|proposal| proposal.kind);
        assert_eq!(offered(&csv(name)), None, "{name}");
        let told = read(&csv(name), &Choices::default()).0.notices;
        assert_eq!(told, [format!("The amounts are in {currency}: payment codes are in euros.")], "{name}");
        let both = format!("Name;IBAN;{name};Betrag EUR\nA;BE68539007547034;10;9\n");
        assert_eq!(offered(&both), Some(Kind::Payment), "{name}");
    }
    // Nothing but the currency speaks against payments there.
    for csv in ["Name;Betrag CHF\nA;10\n", "Name;IBAN;Betrag\nA;BE68539007547034;10\n"] {
        let told = read(csv, &Choices::default()).0.notices;
        assert!(!told.iter().any(|notice| notice.contains("amounts are in")), "{csv}");
    }
    // A person chose the column.
    for name in ["AmountUSD", "Preis CHF", "Total HKD", "CHF"] {
        let (report, _) = read(&csv(name), &payment);
        let told = "No payment has an amount. Whoever pays has to type it.";
        assert!(report.notices.iter().any(|notice| notice == told), "{name} {:?}", report.notices);
        let chosen = Choices { composed: vec![kind("payment", &[("amount", name)])], ..Choices::default() };
        assert!(problems(&csv(name), &chosen)[0].ends_with(". Payment codes are in euros."), "{name}");
    }
    for name in ["Betrag (EUR)", "Betrag in EUR", "Betrag €", "Montant en euros", "Kwota w EUR", "Amount"] {
        let found = items(&csv(name), &payment);
        assert!(found[0]["data"].as_str().unwrap().ends_with("\nEUR10.00"), "{name} {found}");
    }
    let found = problems("Odbiorca;IBAN;Kwota\nA;PL61109010140000071219812874;12,50 zł\n", &payment);
    assert_eq!(
        found,
        ["Row 2, column C (Kwota): payments are in euros. Write the amount as a number, such as 12.30."]
    );
}

#[test]
fn titles_of_people_are_no_jobs_beside_a_column_of_jobs() {
    let contact = Choices { composed: vec![kind("contact", &[])], ..Choices::default() };
    for (csv, title) in [
        ("Title,First Name,Last Name,Job Title\nDr.,Anna,Berg,Head\n", "TITLE:Head"),
        ("Titel;Vorname;Nachname;Position\nDr.;Anna;Berg;Head\n", "TITLE:Head"),
        ("title,Name\nHead,Anna Berg\n", "TITLE:Head"),
        (
            "Titel;Vorname;Nachname;Position\nDr.;Anna;Berg;Head\n",
            "N:Berg;Anna;;Dr.;\r\nFN:Dr. Anna Berg\r\nTITLE:Head",
        ),
        ("Titel;Name\nProf. Dr.;Anna Berg\n", "FN:Prof. Dr. Anna Berg\r\nEND"),
        ("Titel;Name;Firma\nDr.;;ACME\n", "FN:ACME\r\nORG:ACME\r\nEND"),
    ] {
        let found = items(csv, &contact);
        assert!(found[0]["data"].as_str().unwrap().contains(title), "{found}");
        assert_eq!(found[0].get("caption"), None, "{found}");
    }
    // A column of nothing but degrees is part of the name; one of jobs, and one that is chosen for jobs, has those.
    let uses = |csv: &str, fields: &[(&str, &str)]| {
        let (report, found) =
            read(csv, &Choices { composed: vec![kind("contact", fields)], ..Choices::default() });
        let column = &report.columns[0];
        (
            column.field,
            column.part_of,
            found[0]["data"].as_str().unwrap().contains("FN:Prof. Dr. Anna Berg\r\nEND"),
        )
    };
    let degrees = "Titel;Vorname;Nachname\nProf. Dr.;Anna;Berg\n;Eva;Bos\n";
    assert_eq!(uses(degrees, &[]), (None, Some("name"), true));
    assert_eq!(
        uses(degrees, &[("firstName", "Vorname"), ("lastName", "Nachname")]),
        (None, Some("name"), true)
    );
    assert_eq!(uses(&(degrees.to_owned() + "Chef;Ida;Bo\n"), &[]), (Some("title"), None, true));
}

#[test]
fn contacts_take_what_stands_before_last_names_and_websites_without_their_scheme() {
    let contact = Choices { composed: vec![kind("contact", &[])], ..Choices::default() };
    let csv = "Voornaam;Tussenvoegsel;Achternaam;Strona;Nazione;Qualifica\nJan;van der;Berg;www.firma.example/a;IT;Capo\n\
        Eva;;Bos;https://eva.example;NL;\n";
    let (report, found) = read(csv, &contact);
    let data = found[0]["data"].as_str().unwrap();
    for line in [
        "N:van der Berg;Jan;;;",
        "FN:Jan van der Berg",
        "TITLE:Capo",
        "URL:https://www.firma.example/a",
        "ADR:;;;;;;IT",
    ] {
        assert!(data.contains(&format!("\r\n{line}\r\n")), "{line} {data}");
    }
    assert_eq!([&found[0]["filename"], &found[1]["filename"]], ["Jan van der Berg", "Eva Bos"]);
    let expected = [
        "Last names begin with what the column B (Tussenvoegsel) says.",
        "1 website gets https:// in front; the first is in row 2, column D.",
    ];
    assert_eq!((report.notices, report.unused_columns), (expected.map(str::to_owned).to_vec(), None));
    assert!(problems("Name;Website\nA;see page\n", &contact)[0].contains("a link begins with its scheme"));
    let (report, _) = read("Title,Name,Job title\nMr,Anna Berg,Head\n", &contact);
    let other = "1 title is not used: only academic ones, such as Dr., stand before the name; the first is in row 2, column A.";
    assert_eq!(report.notices, [other]);
}

#[test]
fn names_with_the_family_first_are_taken_apart() {
    let contact = Choices { composed: vec![kind("contact", &[])], ..Choices::default() };
    for (name, lines) in [
        ("Müller, Anna", ["N:Müller;Anna;;;", "FN:Anna Müller"]),
        ("Dr. Özdemir, Can", ["N:Özdemir;Can;;Dr.;", "FN:Dr. Can Özdemir"]),
        ("Smith, Ann B.", ["N:Smith;Ann B.;;;", "FN:Ann B. Smith"]),
        ("Lang, GmbH", ["N:", "FN:Lang\\, GmbH"]),
        ("Ann Lee, PhD", ["N:", "FN:Ann Lee\\, PhD"]),
        ("Lang, Frau", ["N:", "FN:Lang\\, Frau"]),
        ("Ann Lee, Abteilungsleiterin", ["N:", "FN:Ann Lee\\, Abteilungsleiterin"]),
    ] {
        let (_, found) = read(&format!("Name;Telefon\n\"{name}\";+49 30 1\n"), &contact);
        let data = found[0]["data"].as_str().unwrap();
        assert!(lines.iter().all(|line| data.contains(line)), "{name} {data}");
    }
}

#[test]
fn streets_take_their_numbers_and_organisations_their_departments() {
    let contact = Choices { composed: vec![kind("contact", &[])], ..Choices::default() };
    for (header, row, line) in [
        (
            "Achternaam;Straat;Huisnummer;Toevoeging;Postcode;Plaats",
            "Bos;Kerkstraat;12;a;1017 GC;Amsterdam",
            "Kerkstraat 12 a;Amsterdam;;1017 GC;",
        ),
        ("Name;Straße;Hausnr.;PLZ;Ort", "Bos;Ringweg;12a;80331;München", "Ringweg 12a;München;;80331;"),
        ("Nr.;Name;Straße;Nr.;PLZ;Ort", "7;Bos;Ringweg;12a;80331;München", "Ringweg 12a;München;;80331;"),
        ("Nr.;Straße;Name;PLZ;Ort", "7;Ringweg;Bos;80331;München", "Ringweg;München;;80331;"),
        (
            "Nombre;Apellidos;Calle;Número;C.P.;Población;Provincia",
            "Ana;Bos;Calle Mayor;1;28013;Alcobendas;Madrid",
            "Calle Mayor 1;Alcobendas;Madrid;28013;",
        ),
        ("Nome;Cognome;Via;Civico;CAP;Città", "Ana;Bos;Via Roma;1;00184;Roma", "Via Roma 1;Roma;;00184;"),
        ("Imię;Nazwisko;Ulica;Nr domu;Nr lokalu;Miejscowość", "Ana;Bos;Długa;3;5;Łódź", "Długa 3/5;Łódź;;;"),
        ("Imię;Nazwisko;Ulica;Nr domu;Nr lokalu;Miejscowość", "Ana;Bos;Długa;3;;Łódź", "Długa 3;Łódź;;;"),
        ("Jméno;Příjmení;Ulice;Č.p.;Obec", "Jan;Bos;Dlouhá;3;Brno", "Dlouhá 3;Brno;;;"),
        ("Vezetéknév;Keresztnév;Utca;Házszám;Város", "Bos;Jan;Fő utca;1.;Győr", "Fő utca 1.;Győr;;;"),
    ] {
        let (report, found) = read(&format!("{header}\n{row}\n"), &contact);
        let data = found[0]["data"].as_str().unwrap();
        assert!(data.contains(&format!("\r\nADR:;;{line}\r\n")), "{header} {data}");
        let number = header.starts_with("Nr.").then(|| "Not in the codes: Nr.".to_owned());
        assert_eq!(report.notices, Vec::from_iter(number), "{header}");
    }
    let (report, found) = read(
        "Vorname;Weitere Vornamen;Nachname;Firma;Abteilung\nEva;Maria;Bos;\"Maier; Söhne\";Einkauf\n",
        &contact,
    );
    let data = found[0]["data"].as_str().unwrap();
    for line in ["N:Bos;Eva Maria;;;", "FN:Eva Maria Bos", "ORG:Maier\\; Söhne;Einkauf"] {
        assert!(data.contains(&format!("\r\n{line}\r\n")), "{line} {data}");
    }
    let parts: Vec<_> = report.columns.iter().map(|column| column.part_of).collect();
    assert_eq!(parts, [None, Some("name"), None, None, Some("organisation")]);
    let company = &items("Firma;Abteilung;Telefon\nACME;Einkauf;+49301\n", &contact)[0];
    assert_eq!(company["filename"], "ACME");
    assert!(company["data"].as_str().unwrap().contains("\r\nFN:ACME\r\nORG:ACME;Einkauf\r\n"));
}

#[test]
fn widths_of_goods_are_no_latitudes() {
    let proposed = |csv: &str| read(csv, &Choices::default()).0.proposal.map(|proposal| proposal.kind);
    assert_eq!(proposed("Platz;Breite;Länge\nA1;120;80\n"), None);
    assert_eq!(proposed("Platz;Breite;Länge;Höhe\nA1;12,5;80;144\n"), None);
    assert_eq!(proposed("Platz;Breite;Länge\nA1;48,137;11,575\n"), Some(Kind::Geo));
}

#[test]
fn the_text_of_codes_is_one_column() {
    let text = |fields| Choices { composed: vec![kind("text", fields)], ..Choices::default() };
    let csv = "URL,Link,Text\na,b,c\n";
    assert_eq!(items(csv, &text(&[]))[0]["data"], "c");
    assert_eq!(items(csv, &text(&[("text", "Link")]))[0]["data"], "b");
    let csv = "URL,Link\na,b\n";
    assert_eq!(items(csv, &text(&[("text", "Link")]))[0]["data"], "b");
    assert_eq!(
        problems("Text,Note,text\na,b,c\n", &text(&[])),
        ["The columns A (Text) and C (text) could both be the text. Say which one it is."]
    );
}

#[test]
fn amounts_are_taken_with_the_tax_that_is_in_them() {
    let payment = Choices { composed: vec![kind("payment", &[])], ..Choices::default() };
    for names in [
        "Netto;MwSt;Brutto",
        "Nettobetrag;Steuer;Bruttobetrag",
        "Betrag netto;MwSt-Betrag;Betrag brutto",
        "Montant HT;TVA;Montant TTC",
        "Total HT;TVA;Net à payer",
        "Bedrag excl. btw;btw;Bedrag incl. btw",
        "Imponibile;IVA;Totale fattura",
        "Net;VAT;Invoice amount (EUR)",
        "Base imponible;IVA;Importe con IVA incluida",
        "Netto;VAT;Kwota brutto (EUR)",
        "x;y;Rechnungsbetrag",
    ] {
        let found = items(&format!("Name;IBAN;{names}\nA;BE68539007547034;10,00;1,90;11,90\n"), &payment);
        assert!(found[0]["data"].as_str().unwrap().ends_with("\nEUR11.90"), "{names} {found}");
    }
}

#[test]
fn columns_without_a_cell_leave_their_fields_to_others() {
    let choices = |name: &str| Choices { composed: vec![kind(name, &[])], ..Choices::default() };
    let csv = "Naam;IBAN;Bedrag;Betalingskenmerk;Omschrijving\nA;BE68539007547034;10,00;;Factuur 1\n";
    let (report, found) = read(csv, &choices("payment"));
    assert!(found[0]["data"].as_str().unwrap().ends_with("Factuur 1"), "{found:?}");
    assert_eq!(report.columns[3].name, "Betalingskenmerk");
    let csv = "Name;Ort;Ort geschäftlich;Straße geschäftlich\nAda;;Köln;Hauptstr. 5\n";
    let found = items(csv, &choices("contact"));
    assert!(found[0]["data"].as_str().unwrap().contains("ADR:;;Hauptstr. 5;Köln"), "{found}");
    // A column that a person chose stays, and so does the whole sheet where nothing else could be meant.
    let chosen = Choices { composed: vec![kind("contact", &[("city", "Ort")])], ..Choices::default() };
    let found = items(csv, &chosen);
    assert!(!found[0]["data"].as_str().unwrap().contains("Köln"), "{found}");
    let (report, _) = read("Name;Ort\nAda;\n", &choices("contact"));
    assert_eq!(report.columns[1].field, Some("city"));
}

#[test]
fn amounts_and_passwords_are_not_guessed_between_two_columns() {
    let choices = |name, fields| Choices { composed: vec![kind(name, fields)], ..Choices::default() };
    let payments = "Empfänger;IBAN;Betrag;Gesamtbetrag\nA;BE68539007547034;10,00;11,90\n";
    assert_eq!(
        problems(payments, &choices("payment", &[])),
        ["The columns C (Betrag) and D (Gesamtbetrag) could both be the amount. Say which one it is."]
    );
    let chosen = items(payments, &choices("payment", &[("amount", "Gesamtbetrag")]));
    assert!(chosen[0]["data"].as_str().unwrap().ends_with("\nEUR11.90"), "{chosen}");
    assert_eq!(
        problems("SSID,Key,Passwort\na,b,c\n", &choices("wifi", &[])),
        ["The columns B (Key) and C (Passwort) could both be the password. Say which one it is."]
    );
    assert_eq!(
        problems("Name,IBAN,Amount,VAT,Total\nA,BE68539007547034,10,1.90,11.90\n", &choices("payment", &[])),
        ["The columns C (Amount) and E (Total) could both be the amount. Say which one it is."]
    );
    // The contract's own word is surer.
    let own = items("SSID,Key,Password\na,b,welcome-1\n", &choices("wifi", &[]));
    assert_eq!(own[0]["data"], "WIFI:T:WPA;S:a;P:welcome-1;;");
}

#[test]
fn one_of_several_networks_is_not_taken_unasked() {
    let wifi = |fields| Choices { composed: vec![kind("wifi", fields)], ..Choices::default() };
    for (header, first, second, field) in [
        ("WLAN,WLAN-Passwort,Gast-WLAN,Gast-Passwort", "A (WLAN)", "C (Gast-WLAN)", "network"),
        ("SSID,Password,Guest SSID,Guest password", "A (SSID)", "C (Guest SSID)", "network"),
        ("Réseau,Mot de passe,Réseau invités,x", "A (Réseau)", "C (Réseau invités)", "network"),
        ("Netzwerk,Passwort,x,Gästepasswort", "B (Passwort)", "D (Gästepasswort)", "password"),
        ("网络,密码,访客网络,x", "A (网络)", "C (访客网络)", "network"),
    ] {
        let (report, _) = read(&format!("{header}\na,welcome-1,b,welcome-2\n"), &wifi(&[]));
        assert_eq!(
            (sentences(&report), report.asks_for_columns),
            (
                vec![format!(
                    "The columns {first} and {second} could both be the {field}. Say which one it is."
                )],
                true
            )
        );
    }
    let csv = "WLAN,WLAN-Passwort,Gast-WLAN,Gast-Passwort\na,welcome-1,b,welcome-2\n";
    assert_eq!(
        problems(csv, &wifi(&[("ssid", "Gast-WLAN")])),
        [
            "The columns B (WLAN-Passwort) and D (Gast-Passwort) could both be the password. Say which one it is."
        ]
    );
    let guests = items(csv, &wifi(&[("ssid", "Gast-WLAN"), ("password", "Gast-Passwort")]));
    assert_eq!(guests[0]["data"], "WIFI:T:WPA;S:b;P:welcome-2;;");
    // Columns of one network.
    for header in
        ["SSID,Password,WiFi security,Room", "WLAN,WLAN-Passwort,WLAN-Verschlüsselung,WLAN versteckt"]
    {
        assert_eq!(problems(&format!("{header}\na,welcome-1,,\n"), &wifi(&[])), [""; 0], "{header}");
    }
}

#[test]
fn times_of_events_may_have_columns_of_their_own() {
    let event = |fields| Choices { composed: vec![kind("event", fields)], ..Choices::default() };
    let times = |report: &Report, items: &[Value]| {
        let data = items[0]["data"].as_str().unwrap();
        let line =
            |name| data.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().to_owned();
        (line("DTSTART"), line("DTEND"), report.notices.clone())
    };
    let csv = "Titel,Datum,Uhrzeit von,Uhrzeit bis,Einlasszeit\nFest,12.07.2026,18:00,20:00,17:30\n";
    let (report, items) = read(csv, &event(&[]));
    let notice = "The times in the column E (Einlasszeit) are not used. An event takes a start time and an end time: \
        choose their columns.";
    let expected = (":20260712T180000".to_owned(), ":20260712T200000".to_owned(), vec![notice.to_owned()]);
    assert_eq!(times(&report, &items), expected);
    let csv = "Event,Start date,Start time\nFest,2026-07-12,\nDance,2026-07-12,6:00 PM\n";
    let (report, items) = read(csv, &event(&[]));
    let notice = "1 event (row 2) has no start time. It is of a whole day.".to_owned();
    assert_eq!(times(&report, &items), (";VALUE=DATE:20260712".to_owned(), String::new(), vec![notice]));
    assert_eq!(times(&report, &items[1..]).0, ":20260712T180000");
    let csv = "Termin;Datum;Beginn;Ende\nFest;12.07.2026;9.00 Uhr;02:00\nTanz;12.07.2026;ab sechs;\n";
    assert_eq!(
        problems(csv, &event(&[])),
        [
            "Row 2, column D (Ende): the end is before the start, or at the same time. If it is on a later day, write its date, \
            too.",
            "Row 3, column C (Beginn): write times as 18:00, 9:30, 18:00:00 or 6:00 PM. Leave the cell empty for an event of \
            the whole day.",
        ]
    );
    for names in
        ["Event Date,Event Time", "Kursdatum,Kursuhrzeit", "Fecha del evento,Hora del evento", "Pvm,Kello"]
    {
        let csv = format!("Event Name,{names},Venue\nGala,2026-06-13,19:00,Hall\n");
        let (report, items) = read(&csv, &event(&[]));
        assert_eq!(times(&report, &items), (":20260613T190000".to_owned(), String::new(), vec![]), "{names}");
    }
    for zone in [
        "Time zone",
        "Fuseau horaire",
        "Zeitzone",
        "Start time zone",
        "Fuso orario",
        "tijdzone",
        "Saat dilimi",
    ] {
        let csv = format!("Event,{zone},Date,Start time\nFest,Europe/Berlin,2026-07-12,18:00\n");
        let (report, items) = read(&csv, &event(&[]));
        let told = vec![format!(
            "The time zones in the column B ({zone}) are not used: a time without a zone is that of the place where the phone is. \
             Write zones behind the times, such as 16:00 UTC+1."
        )];
        assert_eq!(times(&report, &items), (":20260712T180000".to_owned(), String::new(), told));
    }
    let csv = "Denumire eveniment;Data începerii;Ora;Data încheierii\nȘedință;15.01.2027;10:00;15.01.2027\n\
        Târg;16.01.2027;09:30;17.01.2027\n";
    let (report, items) = read(csv, &event(&[]));
    assert_eq!(times(&report, &items), (":20270115T100000".to_owned(), String::new(), Vec::new()));
    assert_eq!(
        sentences(&report),
        [
            "Row 3, column D (Data încheierii): the end is on a later day, and its time is missing. Write the time, too, or \
            leave the time of the start out."
        ]
    );
    let csv = "Event,Start time,End time\nFest,2026-07-12 18:00,2026-07-12 20:00\n";
    assert_eq!(read(csv, &event(&[])).0.notices, [""; 0]);
}

#[test]
fn a_contact_is_named_by_its_organisation_where_it_names_no_person() {
    let contact = Choices { composed: vec![kind("contact", &[])], ..Choices::default() };
    let found = items("Firma,Telefon,E-Mail\nACME,+49301,a@example.org\n", &contact);
    assert_eq!(found[0]["filename"], "ACME");
    assert!(found[0]["data"].as_str().unwrap().contains("\r\nFN:ACME\r\nORG:ACME\r\n"));
    let sentence = "a contact needs a name, a first or last name, or an organisation.";
    assert_eq!(
        problems("Vorname,Firma,Telefon\nJane,,+49301\n,,+49302\n", &contact),
        [format!("Row 3: {sentence}")]
    );
    assert_eq!(
        problems("Telefon,E-Mail\n+49301,a@example.org\n", &contact),
        [
            "Which columns hold the first and last name? The kind contact needs one of them, or an organisation. \
          The columns are A (Telefon), B (E-Mail)."
        ]
    );
}

#[test]
fn networks_are_open_where_the_person_says_so() {
    let open = |fields: &[(&str, &str)]| {
        let (role, composition) = kind("wifi", fields);
        let Composition::Kind { kind, fields, .. } = composition else { panic!("a kind") };
        Choices {
            composed: vec![(role, Composition::Kind { kind, fields, are_open: true })],
            ..Choices::default()
        }
    };
    assert_eq!(
        items("Room,SSID\nHall,Guests\n", &open(&[("ssid", "SSID")]))[0]["data"],
        "WIFI:T:nopass;S:Guests;;"
    );
    // A password that is there goes before.
    let found = items("SSID,Key\nStaff,welcome-1\nGuests,\n", &open(&[]));
    assert_eq!(
        [&found[0]["data"], &found[1]["data"]],
        ["WIFI:T:WPA;S:Staff;P:welcome-1;;", "WIFI:T:nopass;S:Guests;;"]
    );
    // An encryption asks for a password all the same.
    let found = problems("SSID,Key,Encryption\nStaff,,WPA\nGuests,,\n", &open(&[]));
    assert!(
        found.len() == 1 && found[0].starts_with("Row 2, column B (Key): there is no password, but"),
        "{found:?}"
    );
}

#[test]
fn spaces_around_names_and_passwords_of_networks_are_told() {
    let notices = |name: &str, csv: &str| {
        read(csv, &Choices { composed: vec![kind(name, &[])], ..Choices::default() }).0.notices
    };
    let lost = "which is left out, since it is not in quotes; the first is in row 2, column B.";
    assert_eq!(
        notices("wifi", "Room,SSID,Password\nA ,Guests ,welcome-1\nB,Staff, welcome-2\nC,Lab,welcome-3\n"),
        [format!("2 names or passwords of networks begin or end with a space, {lost}")]
    );
    assert_eq!(
        notices("wifi", "SSID,Password\nGuests,welcome-1 \n"),
        [format!("1 name or password of a network begins or ends with a space, {lost}")]
    );
    assert_eq!(
        notices("wifi", "SSID,Password\nGuests, \"welcome-1 \" \n"),
        ["1 value begins or ends with a space, which is kept; the first is in row 2, column B."]
    );
    assert_eq!(notices("wifi", "SSID,Password,Hidden\nGuests,welcome-1, no \n"), [""; 0]);
    // A contact leaves them out, whatever the file does.
    assert_eq!(notices("contact", "Name,Phone\n\" Ada \",+49 30 1 \n"), [""; 0]);
}

#[test]
fn repeated_names_of_pictures_are_told() {
    let wifi = Choices { composed: vec![kind("wifi", &[])], ..Choices::default() };
    let csv = "Area,SSID,Password\n1,Guests,welcome-1\n1,Guests,welcome-2\n1,guests,welcome-3\n";
    assert_eq!(
        read(csv, &wifi).0.notices,
        [
            "Not in the codes: Area.",
            "2 rows have the same file name as a row above; the first is row 3, which repeats row 2. \
          Their pictures get a number behind the name, such as -2."
        ]
    );
    let names = Choices::default();
    assert_eq!(
        read("url,filename\na,x\nb,X\n", &names).0.notices,
        ["1 row has the same file name as a row above: row 3 repeats row 2. \
          Its picture gets a number behind the name, such as -2."]
    );
    // A column of names of files goes before one of any names.
    for header in ["Name;Dateiname;Link", "Nom;Nom du fichier;Lien", "Nazwa;Plik;Link"] {
        let found = items(&format!("{header}\nEva;eva_1;https://a.example\n"), &names);
        assert_eq!(found[0]["filename"], "eva_1", "{header}");
    }
    let (report, _) = read("Name;Bildname;Dateiname;Link\nEva;a;b;https://a.example\n", &names);
    let rivals = "B (Bildname) and C (Dateiname)";
    assert!(report.problems.iter().any(|problem| report.sentence(problem).contains(rivals)), "{report:?}");
    // Names that are the same one without the characters that no file may have.
    for (first, second) in [("B/1", "B-1"), ("B:1", "b?1"), ("foto1", "foto1.png")] {
        let told = read(&format!("url,filename\na,{first}\nb,{second}\nc,other\n"), &names).0.notices;
        assert!(
            told.len() == 1 && told[0].starts_with("1 row has the same file name as a row above: row 3"),
            "{told:?}"
        );
    }
}

#[test]
fn pictures_are_named_after_rooms_and_places() {
    for name in ["Pokoj", "Szoba", "Pokój"] {
        let wifi = Choices { composed: vec![kind("wifi", &[])], ..Choices::default() };
        let found = items(&format!("{name};SSID;Heslo\n12;Hotel;welcome-1\n"), &wifi);
        assert_eq!(found[0]["filename"], "12", "{name}");
    }
    let names = |name: &str, csv: &str| {
        let choices = Choices { composed: vec![kind(name, &[])], ..Choices::default() };
        let (report, items) = read(csv, &choices);
        assert_eq!(report.problems, []);
        items.iter().map(|item| item["filename"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let rooms = "Raum,SSID,Passwort\n101,Guests,welcome-1\n102,Guests,welcome-2\n,Guests,welcome-3\n";
    assert_eq!(names("wifi", rooms), ["101", "102", "Guests"]);
    assert_eq!(names("wifi", "Name,Room,SSID,Password\nBar,101,Guests,welcome-1\n"), ["Bar"]);
    assert_eq!(names("geo", "Ort,Koordinaten\nDom,\"50,9413 6,9583\"\n"), ["Dom"]);
}

#[test]
fn a_number_of_a_contact_has_a_digit() {
    let contact = Choices { composed: vec![kind("contact", &[])], ..Choices::default() };
    let csv = "Name,Telefon,Handy\nA,ask Ann,\nB,-,per Mail\nC,+49 30 1 App. 5,0170/1\n";
    let sentence = "this is no number to call: it has no digit. Leave it empty where there is none.";
    assert_eq!(
        problems(csv, &contact),
        [format!("Row 2, column B (Telefon): {sentence}"), format!("Row 3, column C (Handy): {sentence}")]
    );
}

#[test]
fn utf_8_that_another_program_encoded_twice_is_told() {
    // Read as Windows-1251, 1250 and 1252, of which the last has no letter for one of the bytes.
    for (text, meant) in [("РџРѕР»РєР°", "Полка"), ("FĹ±rĂ©sz", "Fűrész"), ("Ã\u{81}gua", "Água")]
    {
        let csv = format!("Nr;Text\n1;{text}\n");
        let choices = || Choices { columns: vec![(Role::Data, ColumnChoice::At(1))], ..Choices::default() };
        let (report, _) = read(&csv, &choices());
        assert!(report.asks_for_encoding, "{text}");
        let told = format!(", which may be {meant}. Choose the encoding “UTF-8, encoded twice”");
        assert!(report.notices[0].contains(&told), "{:?}", report.notices);
        let (report, items) = read(&csv, &Choices { encoded_twice: true, ..choices() });
        assert_eq!((report.problem_count, items[0]["data"].as_str()), (0, Some(meant)));
    }
}

#[test]
fn utf_8_that_was_encoded_twice_is_told() {
    assert_eq!(
        read("data,name\nKÃ¶ln,a\nUlm,b\nMÃ¼nchen,c\n", &Choices::default()).0.notices,
        [
            "2 values seem to be UTF-8 that was encoded twice; the first is in row 2, column A: KÃ¶ln, which may be Köln. \
          Choose the encoding “UTF-8, encoded twice”, or save the file as UTF-8 again where it comes from."
        ]
    );
    let asks = |csv: &str| read(csv, &Choices::default()).0.asks_for_encoding;
    assert!(asks("data,name\nKÃ¶ln,a\nUlm,b\n") && asks("data\nCafÃ© Rouge\n"));
    for csv in
        ["data\nKöln\n", "data\nCafé Ãngela\n", "data\nSÃO PAULO\n", "data\nÂ© 2027\n", "data\nà © é\n"]
    {
        assert!(csv.contains("Â©") || !asks(csv), "{csv}");
    }
    let choices = Choices { encoded_twice: true, ..Choices::default() };
    // Longer than what is read at a time, and with lines that were encoded once.
    let rows = (0..9_000).map(|row| format!("DvoÅ™Ã¡k {row};Ã„rzte\n")).collect::<Vec<_>>().concat();
    let (report, items) = read("GerÃ¤t;filename;data\n;b;Köln Ã¶\n;a;DvoÅ™Ã¡k\r\n;c;Köln", &choices);
    assert_eq!((report.columns[0].name.as_str(), report.encoding), ("Gerät", Some("UTF-8")));
    let data: Vec<_> = items.iter().map(|item| item["data"].as_str().unwrap()).collect();
    assert_eq!(data, ["Köln Ã¶", "Dvořák", "Köln"]);
    let (report, items) = read(&format!("data;filename\n{rows}"), &choices);
    assert_eq!((report.items, report.notices.len()), (9_000, 1));
    let is_repaired =
        |(row, item): (usize, &Value)| item["data"] == format!("Dvořák {row}") && item["filename"] == "Ärzte";
    assert!(items.iter().enumerate().all(is_repaired));
}

#[test]
fn a_sheet_proposes_its_kind() {
    let proposed = |csv: &str, choices: &Choices| {
        let proposal = read(csv, choices).0.proposal;
        proposal.map(|proposal| (proposal.kind, proposal.fields))
    };
    let csv = "Raum,WLAN,Passwort\nHalle,Gäste,welcome-1\n";
    let wifi = (Kind::Wifi, vec![("ssid", 1), ("password", 2)]);
    assert_eq!(proposed(csv, &Choices::default()), Some(wifi));
    // Networks may be open, which is asked once the kind is chosen.
    assert_eq!(proposed("SSID,Room\na,b\n", &Choices::default()), Some((Kind::Wifi, vec![("ssid", 0)])));
    assert_eq!(proposed("url,name\na,b\n", &Choices::default()), None);
    let composed = vec![kind("wifi", &[("ssid", "WLAN"), ("password", "Passwort")])];
    assert_eq!(proposed(csv, &Choices { composed, ..Choices::default() }), None);
    assert_eq!(proposed(csv, &Choices { layout: Some(SheetLayout::NoHeader), ..Choices::default() }), None);
}

#[test]
fn a_kind_is_refused_by_row_and_column() {
    let choices = |fields: &[(&str, &str)]| Choices {
        composed: vec![kind("digital-link", fields)],
        ..Choices::default()
    };
    assert_eq!(
        problems(
            "Article,Lot\n4006381333931,1\n4006381333932,1\n,2\n4006381333931,a b\n",
            &choices(&[("gtin", "Article")])
        ),
        [
            "Row 3, column A (Article): the check digit of 4006381333932 is wrong; 1 would be right.",
            "Row 4, column A (Article): the GTIN is empty, but a code of this kind needs it.",
            "Row 5, column B (Lot): the lot has a space, which GS1 does not allow.",
        ]
    );
    assert_eq!(
        problems("Article,Lot\n4006381333931,1\n", &choices(&[])),
        [
            "Which column holds the GTIN? The kind digital-link needs it. The columns are A (Article), B (Lot)."
        ]
    );
    let (report, _) = read("Article,Lot\n4006381333931,1\n", &choices(&[]));
    assert_eq!((report.asks_for_columns, report.asks_for_field), (true, Some("gtin")));
    assert_eq!(
        problems("Article,Lot\n4006381333931,1\n", &choices(&[("gtin", "EAN")])),
        ["There is no column EAN. The columns are A (Article), B (Lot)."]
    );
    assert_eq!(
        problems("gtin,lot\n4006381333931,1\n", &choices(&[("batch", "lot")])),
        ["The kind digital-link has no field batch."]
    );
}

#[test]
fn rows_with_a_problem_are_counted_once_and_left_out() {
    let (report, items) = read("url,note\na,1\n,2\nb\nc,1,2,3\n1.5E+12,\nd,\n", &Choices::default());
    assert_eq!((report.items, report.faulty_rows, report.problem_count), (3, 3, 3));
    assert_eq!(items.iter().map(|item| item["data"].as_str().unwrap()).collect::<Vec<_>>(), ["a", "b", "d"]);
    let first = &report.problems[0];
    assert_eq!((first.row, first.column), (Some(3), Some(0)));
    assert_eq!(report.sentence(first), format!("Row 3, column A (url): {}", first.fault));
    assert_eq!(report.unused_columns.unwrap(), "Not in the codes: note.");
}

#[test]
fn no_row_is_left_out_where_the_file_is_wrong() {
    let (report, _) = read("url,note\n,1\nb,\"2\n", &Choices::default());
    assert!(report.problem_count > 1, "{:?}", report.problems);
    assert_eq!(report.faulty_rows, 0);
}

#[test]
fn one_column_of_data_that_is_wanted_for_captions_is_no_column_of_bars() {
    let captions = Choices {
        columns: vec![(Role::Caption, ColumnChoice::Named("data".to_owned()))],
        ..Choices::default()
    };
    let found = problems("data\nhello\n", &captions);
    assert!(!found.is_empty() && !found.iter().any(|problem| problem.contains("sep=|")), "{found:?}");
}

#[test]
fn payments_without_an_amount_and_events_without_a_time_are_named_where_others_have_one() {
    let notices = |name: &str, csv: &str| {
        let choices = Choices { composed: vec![kind(name, &[])], ..Choices::default() };
        read(csv, &choices).0.notices
    };
    let payments = |amounts: &[&str]| {
        let rows: Vec<String> = amounts
            .iter()
            .enumerate()
            .map(|(n, amount)| format!("A{n};BE68539007547034;{amount}\n"))
            .collect();
        let rows = rows.concat();
        notices("payment", &format!("payee;iban;amount\n{rows}"))
    };
    assert_eq!(payments(&["5", "", "6"]), ["1 payment (row 3) has no amount. Whoever pays has to type it."]);
    assert_eq!(
        payments(&["", "5", ""]),
        ["2 payments (rows 2 and 4) have no amount. Whoever pays has to type it."]
    );
    assert_eq!(
        payments(&["5", "", "", "", "", "", "", ""]),
        ["7 payments (rows 3, 4, 5, 6, 7 and 2 more) have no amount. Whoever pays has to type it."]
    );
    assert_eq!(payments(&["", ""]), ["No payment has an amount. Whoever pays has to type it."]);
    assert_eq!(notices("payment", "name;iban;text\nA;BE68539007547034;Donation\n"), [""; 0]);
    assert_eq!(
        notices("payment", "name;iban;Kurs;Kursgebühr;Anzahlung\nA;BE68539007547034;17;85,00 €;20.00\n")[1],
        "No payment has an amount, so that whoever pays has to type it. The columns D (Kursgebühr), E (Anzahlung) hold amounts: choose the one \
         that is to be paid."
    );
    assert_eq!(
        notices("payment", "name;iban;Netto\nA;BE68539007547034;10,00\n"),
        [
            "Not in the codes: Netto.",
            "No payment has an amount, so that whoever pays has to type it. The column C (Netto) holds amounts: choose the one that is to be \
             paid."
        ]
    );
    assert_eq!(
        notices("event", "title;start;startTime\na;2026-01-31;18:00\nb;2026-01-31;\n"),
        ["1 event (row 3) has no start time. It is of a whole day."]
    );
    let starts = |starts: &str| {
        let rows = (1..).zip(starts.split(' ')).map(|(number, start)| format!("{number};{start}\n"));
        notices("event", &format!("title;start\n{}", rows.collect::<String>()))
    };
    assert_eq!(
        starts("2026-01-31T18:00 31.01.2026 2026-02-01T00:00 1.2.2026"),
        [
            "2 events (rows 3 and 5) have no start time. They are of whole days.",
            "1 event starts at midnight; the first is in row 4, column B. For an event of the whole day, write or format its date without the time.",
        ]
    );
    assert_eq!(starts("2026-01-31 31.01.2026"), [""; 0]);
    assert_eq!(notices("event", "title;start;startTime\na;2026-01-31T18:00;\nb;2026-01-31;18:00\n"), [""; 0]);
}

#[test]
fn receivers_of_mails_are_found_by_short_words_beside_a_subject_and_by_their_cells() {
    let proposed = |csv: &str| read(csv, &Choices::default()).0.proposal.map(|proposal| proposal.kind);
    for names in [
        "An;Betreff;Inhalt",
        "An;Betreff;Nachricht",
        "Do;Temat;Treść",
        "À;Objet;Contenu",
        "Para;Asunto;Contenido",
        "Para;Assunto;Conteúdo",
        "A;Oggetto;Contenuto",
        "Aan;Onderwerp;Inhoud",
        "Komu;Předmět;Obsah",
        "Till;Ämne;Innehåll",
        "Til;Emne;Indhold",
        "Vastaanottaja;Aihe;Sisältö",
        "Kime;Konu;İçerik",
        "Címzett;Tárgy;Tartalom",
        "Către;Subiect;Conținut",
        "Кому;Тема;Содержание",
        "Προς;Θέμα;Περιεχόμενο",
        "To;Subject;Content",
    ] {
        let csv = format!("{names}\nada@example.org;Hi;Hello\n");
        assert_eq!(proposed(&csv), Some(Kind::Email), "{names}");
        let mail = &items(&csv, &Choices { composed: vec![kind("email", &[])], ..Choices::default() })[0];
        assert_eq!(mail["data"], "mailto:ada@example.org?subject=Hi&body=Hello", "{names}");
    }
    for (found, csv) in [
        (None, "An;Betreff;Inhalt\nAda;Hi;Hello\n"),
        (None, "Nummer;Inhalt\n1;Hello\n"),
        (None, "Titel;Inhalt\nHi;Hello\n"),
        (None, "Od;Do;Treść\nada@example.org;ada@example.org;Hello\n"),
        (Some(Kind::Event), "Temat;Od;Do\nHi;12.07.2026 18:00;12.07.2026 20:00\n"),
        (Some(Kind::Event), "Arrangement;Dato;Fra;Til;Melding\nHi;12.07.2026;18:00;20:00;Hello\n"),
    ] {
        assert_eq!(proposed(csv), found, "{csv}");
    }

    let choices = Choices { composed: vec![kind("email", &[])], ..Choices::default() };
    assert_eq!(
        items("Bearbeiter;Betreff\nada@example.org;Hi\n", &choices)[0]["data"],
        "mailto:ada@example.org?subject=Hi"
    );
    for csv in ["A1;Betreff\nAda;Hi\n", "A1;B1\nada@example.org;b@example.org\n"] {
        assert_eq!(read(csv, &choices).0.asks_for_field, Some("to"), "{csv}");
    }
}

#[test]
fn a_column_of_recipients_or_types_is_taken_by_its_values() {
    let proposed = |csv: &str| read(csv, &Choices::default()).0.proposal.map(|proposal| proposal.kind);
    let mails = "Empfänger;Betreff;Text\nada@example.org;Hi;Hello\n";
    assert_eq!(proposed(mails), Some(Kind::Email));
    assert_eq!(proposed("Empfänger;Betreff;Text\nAda;Hi;Hello\n"), None);
    for (name, csv) in [
        (Some(Kind::Phone), "Abteilung;Telefonnummer\nEinkauf;\nLager;+49 (30) 1234-5\n"),
        (None, "Abteilung;Telefonnummer\nEinkauf;siehe Liste\n"),
        (Some(Kind::DigitalLink), "EAN\n4006381333931\n"),
        (None, "EAN;Größe\nw20;1\n"),
        (Some(Kind::Event), "Titel;Von;Bis\nFest;12.07.2026 18:00;12.07.2026 20:00\n"),
        (Some(Kind::Event), "Titel;Von;Bis\nFest;01/02/2026;02/02/2026\n"),
        (None, "Titel;Von;Bis\nFahrt;Ulm;Bonn\n"),
        (Some(Kind::Payment), "Begunstigde;Rekeningnummer\nA;BE68539007547034\n"),
        (None, "Begunstigde;Rekeningnummer\nA;123456\n"),
        (Some(Kind::Email), "Adres e-mail;Temat;Treść\nada@example.org;Hej;Dzień dobry\n"),
    ] {
        assert_eq!(proposed(csv), name, "{csv}");
    }
    let choices = |name: &str| Choices { composed: vec![kind(name, &[])], ..Choices::default() };
    let events = items("Titel;Von;Bis\nFest;21/06/2026 20h30;22h\n", &choices("event"));
    let event = events[0]["data"].as_str().unwrap();
    assert!(event.contains("DTSTART:20260621T203000\r\nDTEND:20260621T220000"), "{event}");
    assert_eq!(
        items("Adres e-mail;Temat;Treść\nada@example.org;Hej;Dzień\n", &choices("email"))[0]["data"],
        "mailto:ada@example.org?subject=Hej&body=Dzie%C5%84"
    );
    assert_eq!(
        items(mails, &choices("email")),
        json!([{ "data": "mailto:ada@example.org?subject=Hi&body=Hello", "filename": "ada@example.org" }])
    );

    let (report, items) = read(
        "SSID;Passwort;Typ\na;;offen\nb;welcome-1;WPA2\nc;welcome-1;Gäste\nd;;Gäste\n",
        &choices("wifi"),
    );
    let data: Vec<_> = items.iter().map(|item| item["data"].as_str().unwrap()).collect();
    assert_eq!(data, ["WIFI:T:nopass;S:a;;", "WIFI:T:WPA;S:b;P:welcome-1;;", "WIFI:T:WPA;S:c;P:welcome-1;;"]);
    assert_eq!((report.passwordless_networks, report.faulty_rows), (1, 1));

    // A title names the network, too.
    for title in ["Gästenetz WLAN 2026;;", "Hotel WiFi codes;;\nAs of May;;", "WLAN;;\n;;"] {
        let csv = format!("{title}\nZimmer;WLAN;Passwort\n101;Gast;welcome-1\nLobby;Frei;\n");
        let composed = Composition::Kind { kind: Kind::Wifi, fields: Vec::new(), are_open: true };
        let (report, items) =
            read(&csv, &Choices { composed: vec![(Role::Data, composed)], ..Choices::default() });
        let data: Vec<_> = items.iter().map(|item| item["data"].as_str().unwrap()).collect();
        assert_eq!(data, ["WIFI:T:WPA;S:Gast;P:welcome-1;;", "WIFI:T:nopass;S:Frei;;"], "{report:?}");
        let row = title.lines().count() + 3;
        let told = format!("1 network has no password: row {row} (Frei).");
        assert!(report.notices.contains(&told), "{:?}", report.notices);
    }

    let guests = "WLAN Gäste (SSID);WLAN Gäste (Passwort);WLAN intern (SSID)\na;welcome-1;b\n";
    assert_eq!(proposed(guests), Some(Kind::Wifi));
    assert_eq!(
        problems(guests, &choices("wifi")),
        [
            "The columns A (WLAN Gäste (SSID)) and C (WLAN intern (SSID)) could both be the network. Say which one it is."
        ]
    );
    let fields = kind("wifi", &[("ssid", "WLAN intern (SSID)"), ("password", "WLAN Gäste (Passwort)")]);
    let (report, _) = read(guests, &Choices { composed: vec![fields], ..Choices::default() });
    assert_eq!((report.problems, report.items), (vec![], 1));
}

#[test]
fn days_and_months_are_told_apart_by_other_dates_or_by_the_person() {
    let read = |dates: Option<DateOrder>, starts: &[&str]| {
        let rows: Vec<String> =
            starts.iter().enumerate().map(|(n, start)| format!("{n};{start}\n")).collect();
        let rows = rows.concat();
        let choices = Choices { composed: vec![kind("event", &[])], dates, ..Choices::default() };
        let (report, items) = read(&format!("title;start\n{rows}"), &choices);
        let start = |item: &Value| {
            let lines = item["data"].as_str().unwrap().lines().map(str::to_owned);
            lines.filter_map(|line| line.strip_prefix("DTSTART").map(str::to_owned)).collect::<String>()
        };
        (report, items.iter().map(start).collect::<Vec<_>>())
    };
    let (report, starts) = read(None, &["01/02/2026", "05/05/2026", "2026-01-31"]);
    assert_eq!(
        sentences(&report),
        [
            "Row 2, column B (start): the first number of the date may be the day or the month. Say which, or write it as 2026-01-31."
        ]
    );
    assert_eq!((report.asks_for_dates, report.ambiguous_dates, report.faulty_rows), (true, 1, 1));
    assert_eq!(starts, [";VALUE=DATE:20260505", ";VALUE=DATE:20260131"]);
    for (dates, others, expected, notices) in [
        (Some(DateOrder::DayFirst), "2026-01-31 9:00", ":20260201T180000", 0),
        (Some(DateOrder::MonthFirst), "2026-01-31 9:00", ":20260102T180000", 0),
        (None, "28/11/2026 9:00", ":20260201T180000", 1),
        (None, "11/28/2026 9:00", ":20260102T180000", 1),
    ] {
        let (report, starts) = read(dates, &["01/02/2026 18:00", others]);
        assert_eq!((report.asks_for_dates, report.ambiguous_dates, report.items), (false, 1, 2), "{others}");
        assert_eq!(starts[0], expected, "{others}");
        assert_eq!(report.notices.len(), notices, "{others}");
    }
    let (report, _) = read(None, &["01/02/2026", "28/11/2026", "11/28/2026"]);
    assert!(report.asks_for_dates);
    let (report, _) = read(None, &["03-04-2026", "28-11-2026"]);
    assert_eq!(
        report.notices,
        [
            "1 date of two numbers and a year is read with the day first, as others of the sheet are; the first is in row 2, column B."
        ]
    );
}

#[test]
fn years_of_two_digits_are_read_behind_slashes() {
    let read = |starts: &[&str]| {
        let rows: Vec<String> =
            starts.iter().enumerate().map(|(n, start)| format!("{n};{start}\n")).collect();
        let choices = Choices { composed: vec![kind("event", &[])], ..Choices::default() };
        let (report, items) = read(&format!("title;start\n{}", rows.concat()), &choices);
        let start = |item: &Value| {
            let lines = item["data"].as_str().unwrap().lines();
            lines.filter_map(|line| line.strip_prefix("DTSTART")).collect::<String>()
        };
        (
            report.ambiguous_dates,
            sentences(&report),
            report.notices,
            items.iter().map(start).collect::<Vec<_>>(),
        )
    };
    let (_, problems, notices, starts) = read(&["13/02/27", "Fri 05/03/27", "25/12/27 18:00"]);
    assert_eq!(problems, [""; 0]);
    assert_eq!(starts, [";VALUE=DATE:20270213", ";VALUE=DATE:20270305", ":20271225T180000"]);
    assert!(
        notices[1].starts_with("1 date of two numbers and a year is read with the day first"),
        "{notices:?}"
    );
    assert_eq!(read(&["05/03/27"]).0, 1);
    let doubt = "2 dates are read with the year last (25/12/27); the first is in row 2, column B.";
    assert_eq!(read(&["25/12/27", "27/11/26"]).2, [doubt]);
    assert_eq!(read(&["25/12/27", "13/11/26"]).2, [""; 0]);
    assert_eq!(read(&["25/12/2027"]).2, [""; 0]);
    // They may begin with the year, or are of no event that is to come.
    for start in ["27/02/13", "32/01/27", "99/12/27", "13/02/85", "13-02-27", "0/02/27"] {
        let (_, problems, ..) = read(&[start]);
        assert!(problems.len() == 1 && problems[0].contains("write dates"), "{start} {problems:?}");
    }
}

#[test]
fn contacts_as_vcards_are_refused_with_what_to_do() {
    assert_eq!(
        problems("BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada\r\nEND:VCARD\r\n", &Choices::default()),
        [
            "The file holds contacts as vCards, which are not read. Export the contacts as CSV where they come from."
        ]
    );
}

#[test]
fn calendars_are_refused_with_what_to_do() {
    assert_eq!(
        problems("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n", &Choices::default()),
        [
            "The file is a calendar (.ics), which is not read. Export the events as CSV, as Outlook can, or make a table with the columns title, start and end."
        ]
    );
}

#[test]
fn numbers_without_a_code_belong_to_the_country_that_the_person_says() {
    let read = |name: &str, code: Option<&str>, csv: &str| {
        let country = code.and_then(CallingCode::of).map(CountryChoice::All);
        read(csv, &Choices { composed: vec![kind(name, &[])], country, ..Choices::default() })
    };
    let texts = "mobile,message\n0171 2345678,Hi\n+43 664 1234567,Hi\n80800,JOIN\n0171 CALL,Hi\n";
    let (report, items) = read("sms", None, texts);
    assert_eq!(
        sentences(&report),
        [
            "Row 2, column A (mobile): the number has no country's code. Say which country such numbers belong to, or write it as \
             +49 30 123456.",
            "Row 5, column A (mobile): a number has digits, spaces, points, hyphens and parentheses alone."
        ]
    );
    assert_eq!((report.asks_for_country, report.national_numbers, items.len()), (true, 1, 2));
    let (report, items) = read("sms", Some("49"), texts);
    assert_eq!((report.asks_for_country, report.national_numbers, report.faulty_rows), (false, 1, 1));
    assert_eq!(items[0], json!({ "data": "SMSTO:+491712345678:Hi", "filename": "0171 2345678" }));
    let (report, _) = read("sms", Some("45"), texts);
    assert_eq!(
        sentences(&report)[0],
        "Row 2, column A (mobile): a number of +45 has 8 digits and does not begin with 0. Correct it, or write it with + and its \
         country's code."
    );

    let people = "name,phone,mobile\nAda,030 123456,0171 2345678 (evenings)\n";
    for (code, phone) in [(None, "030 123456"), (Some("49"), "+4930123456")] {
        let (report, items) = read("contact", code, people);
        assert_eq!((report.asks_for_country, report.national_numbers, report.items), (false, 1, 1));
        let card = items[0]["data"].as_str().unwrap();
        let expected = format!("TEL;TYPE=voice:{phone}\r\nTEL;TYPE=cell:0171 2345678 (evenings)\r\n");
        assert!(card.contains(&expected), "{card}");
    }
}

#[test]
fn one_code_for_numbers_beside_several_countries_is_told() {
    let told =
        |rows: &str| read(&format!("Naam,Mobiel,Land\n{rows}"), &in_country("contact", "31")).0.notices;
    assert_eq!(
        told("Jan,06 12345678,Nederland\nMarie,06 12345679,Frankrijk\nEva,06 12345670,België\n"),
        [
            "All numbers without a country's code get +31, though the column C (Land) says Nederland in row 2 and Frankrijk in row 3. If the numbers are of these countries, choose that of each row."
        ]
    );
    let alike = "Jan,06 12345678,Nederland\nPiet,06 12345679, NEDERLAND \nEva,06 12345670,\n";
    let complete = "Marie,+33 6 12345678,Frankrijk\nLuc,0033 6 12345679,Frankrijk\nAda,,Italië\n";
    assert!(!told(&format!("{alike}{complete}")).iter().any(|notice| notice.contains("+31")));
}

#[test]
fn french_columns_of_telephones_are_found_by_their_names() {
    let contact = Choices { composed: vec![kind("contact", &[])], ..Choices::default() };
    for fixed in ["Tél.", "Tél. fixe", "Téléphone fixe", "Fixe", "Ligne fixe", "Numéro de téléphone"] {
        for mobile in ["Portable", "Tél. portable"] {
            let csv = format!("Nom,{mobile},{fixed}\nAda,+33612345678,+33123456789\n");
            let card = items(&csv, &contact)[0]["data"].as_str().unwrap().to_owned();
            let expected = "TEL;TYPE=voice:+33123456789\r\nTEL;TYPE=cell:+33612345678\r\n";
            assert!(card.contains(expected), "{fixed} {mobile} {card}");
        }
    }
}

#[test]
fn a_kind_is_proposed_where_half_of_the_first_rows_have_what_it_needs() {
    let proposed = |csv: &str| read(csv, &Choices::default()).0.proposal.map(|proposal| proposal.kind);
    assert_eq!(proposed("Article,EAN\nA,\nB,\nC,\n"), None);
    assert_eq!(proposed("Article,EAN,URL\nA,,https://example.org\nB,,https://example.org\n"), None);
    assert_eq!(proposed("Article,EAN\nA,\nB,4006381333931\n"), Some(Kind::DigitalLink));
    assert_eq!(proposed("Article,EAN\nA,\nB,4006381333931\nC,\n"), None);
}

#[test]
fn extensions_are_dialled_after_a_pause_and_other_letters_are_told() {
    let choices = |name: &str| Choices {
        composed: vec![kind(name, &[])],
        country: CallingCode::of("48").map(CountryChoice::All),
        ..Choices::default()
    };
    let sheet = "Name,Phone\nAla,22 123 45 69 wew. 12\nOla,\"+48 22 123 45 69, ext. 7\"\nIda,0800 FLOWERS\n";
    let (report, found) = read(sheet, &choices("contact"));
    for (item, number) in found.iter().zip(["+48221234569\\,12", "+48 22 123 45 69\\,7", "0800 FLOWERS"]) {
        let data = item["data"].as_str().unwrap();
        assert!(data.contains(&format!("TEL;TYPE=voice:{number}\r\n")), "{data}");
    }
    let told = "1 telephone number has letters, and phones may not dial what is meant; the first is in row 4, column B.";
    assert!(report.notices.iter().any(|notice| notice == told), "{:?}", report.notices);
    let calls = items("Phone\n22 123 45 69 (wew. 12)\n\"+48221234569,12\"\n", &choices("phone"));
    assert_eq!([&calls[0]["data"], &calls[1]["data"]], ["tel:+48221234569,12"; 2]);
    assert_eq!(
        problems("Phone,Message\n22 123 45 69 wew. 12,Hi\n", &choices("sms")),
        ["Row 2, column A (Phone): a text message cannot go to an extension."]
    );
}

/// Codes of the kind, with the code of a country for numbers that have none. An empty one: nobody chose a country. `row`: that of each row.
fn in_country(name: &str, code: &str) -> Choices {
    let country = match code {
        "row" => Some(CountryChoice::OfRow),
        code => CallingCode::of(code).map(CountryChoice::All),
    };
    Choices { composed: vec![kind(name, &[])], country, ..Choices::default() }
}

#[test]
fn the_last_digits_of_a_desk_are_dialled_right_behind_those_of_the_firm() {
    let sheet = "Telefon\n+43 1 234567 DW 15\n089/1234-0 Durchwahl 20\n+43 1 234567-0 Kl. 7\n01 234567 Klappe 17\n+420 222 333 444 kl. 5\n";
    let calls = items(sheet, &in_country("phone", "49"));
    let found: Vec<&str> = (0_usize..5).map(|row| calls[row]["data"].as_str().unwrap()).collect();
    assert_eq!(
        found,
        ["tel:+43123456715", "tel:+4989123420", "tel:+4312345677", "tel:+49123456717", "tel:+420222333444,5"]
    );
    let (report, found) = read(
        "Name;Telefon\nAda;+49 89 1234-56 DW 20\nBob;01 234567 Kl. 17\nEva;+49 89 1234-0 DW 20\nIda;+41 44 123 45 67 DW 12\n",
        &in_country("contact", ""),
    );
    let numbers = ["+49 89 1234-56\\,20", "01 234567-17", "+49 89 1234-20", "+41 44 123 45 67\\,12"];
    for (item, number) in found.iter().zip(numbers) {
        let data = item["data"].as_str().unwrap();
        assert!(data.contains(&format!("TEL;TYPE=voice:{number}\r\n")), "{data}");
    }
    assert!(report.notices.iter().all(|notice| notice.contains("abroad")), "{:?}", report.notices);
    let (_, german) = read("Name;Telefon\nAda;030 12340 DW 15\n", &in_country("contact", "49"));
    assert!(german[0]["data"].as_str().unwrap().contains("TEL;TYPE=voice:+493012340\\,15\r\n"));
    // In Switzerland, the number of a firm is whole without the extension.
    let swiss = items("Telefon\n+41 44 123 45 67 DW 12\n044 123 45 67 DW 12\n", &in_country("phone", "41"));
    assert_eq!([&swiss[0]["data"], &swiss[1]["data"]], ["tel:+41441234567,12"; 2]);
    let austrian = items("Telefon\n+43 1 58800 DW 10\n0316 8760-0 Klappe 10\n", &in_country("phone", "43"));
    assert_eq!([&austrian[0]["data"], &austrian[1]["data"]], ["tel:+4315880010", "tel:+43316876010"]);
    let told = "the extension may belong in place of the last digits, or behind them. Write the number with its extension, such as +43 1 5880010.";
    for number in ["030 12340 DW 15", "089 1234-56 DW 20", "+49 89 1234-56 DW 20"] {
        let sheet = format!("Telefon\n{number}\n");
        assert_eq!(
            problems(&sheet, &in_country("phone", "49")),
            [format!("Row 2, column A (Telefon): {told}")],
            "{number}"
        );
    }
    for number in ["089 1234-0 DW 12", "030 12340 DW 15", "+43 1 58800 DW 10", "089 1234-56 DW 20"] {
        assert_eq!(
            problems(&format!("Phone,Message\n{number},Hi\n"), &in_country("sms", "49")),
            ["Row 2, column A (Phone): a text message cannot go to an extension."],
            "{number}"
        );
    }
}

#[test]
fn numbers_get_the_code_of_the_country_in_their_row_where_the_person_says_so() {
    let rows = "Ada;044 123 45 67;CH\nBob;01 234567;Österreich\nEva;+49 30 123456;\nIda;0222 33344;at\n";
    for column in
        ["Land", "Country", "Pays", "Paese", "Kraj", "Země", "Krajina", "Country code", "Länderkürzel"]
    {
        let sheet = format!("Name;Telefon;{column}\n{rows}");
        let (report, found) = read(&sheet, &in_country("phone", ""));
        assert_eq!((report.asks_for_country, report.national_numbers, found.len()), (true, 3, 1), "{column}");
        assert_eq!((report.country_column, report.problems.len()), (Some(2), 3), "{column}");
        let (report, found) = read(&sheet, &in_country("phone", "row"));
        assert_eq!(
            found.iter().map(|item| item["data"].as_str().unwrap()).collect::<Vec<_>>(),
            ["tel:+41441234567", "tel:+431234567", "tel:+4930123456", "tel:+4322233344"]
        );
        assert_eq!((report.asks_for_country, report.country_column), (false, Some(2)));
        let told = format!(
            "The numbers of 3 rows get the code of the country in the column C ({column}): +41 (CH), +43 (Österreich)."
        );
        assert_eq!(report.notices, [told]);
    }
    let sheet = format!("Name;Telefon;Land\n{rows}");
    let (chosen, _) = read(&sheet, &in_country("phone", "49"));
    let told = "All numbers without a country's code get +49, though the column C (Land) says CH in row 2 and Österreich in row 3. \
        If the numbers are of these countries, choose that of each row.";
    assert!(chosen.notices.iter().any(|notice| notice == told), "{:?}", chosen.notices);
    let messages =
        "Mobil;Nachricht;Land\n0171 1234567;Hi;D\n0043 664 1234567;Hi;A\n079 123 45 67;Hi;Suisse\n";
    let (report, found) = read(messages, &in_country("sms", "row"));
    let data: Vec<&str> = found.iter().map(|item| item["data"].as_str().unwrap()).collect();
    assert_eq!(data, ["SMSTO:+491711234567:Hi", "SMSTO:+436641234567:Hi", "SMSTO:+41791234567:Hi"]);
    // Countries tell no pictures apart.
    assert_ne!(found[0]["filename"], "D");
    assert_eq!(report.columns[2].role, None);
    let codes = "Name;Telefon;Ländercode\nAda;044 123 45 67;+41\nBob;01 234567;0043\n";
    for name in ["phone", "contact"] {
        let (report, found) = read(codes, &in_country(name, "row"));
        assert_eq!((report.problems.len(), found.len()), (0, 2), "{name}");
        assert!(found[0]["data"].as_str().unwrap().contains("+41441234567"), "{name}");
    }
    // The country stands in all rows of a long and wide sheet.
    let rows = "0171 1234567;a;b;c;d;D\n".repeat(150);
    let (_, found) = read(&format!("Telefon;A;B;C;D;Land\n{rows}"), &in_country("phone", "row"));
    assert!(found.len() == 150 && found.iter().all(|item| item["data"] == "tel:+491711234567"));
}

#[test]
fn rows_without_a_country_that_is_known_are_refused_with_the_cell_that_lacks_it() {
    let sheet = "Name;Telefon;Land\nAda;044 123 45 67;CH\nBob;01 234567;\nEva;030 123456;Atlantis\nIda;112;\nUli;+49 30 123456;Atlantis\n\
        Jan;0221 98765;D\nTom;071 234 56 7;CH\n";
    let (report, found) = read(sheet, &in_country("phone", ""));
    let rows = &report.country_rows;
    assert_eq!((rows.known, rows.unknown, rows.unnamed, found.len()), (3, 1, 1, 2));
    let (report, found) = read(sheet, &in_country("phone", "row"));
    assert_eq!(
        sentences(&report),
        [
            "Row 3, column C (Land): the cell is empty, and the number has no country's code. Write the country, or write the number as \
             +49 30 123456.",
            "Row 4, column C (Land): no country is known here as “Atlantis”, and the number has no code of one. Write another name of the \
             country, or write the number as +49 30 123456.",
            "Row 8, column B (Telefon): a number of +41 has 9 digits behind a first 0. Correct it, or write it with + and its country's code. \
             The column C (Land) says “CH”."
        ]
    );
    assert_eq!((report.asks_for_country, found.len(), report.faulty_rows), (false, 4, 3));
    // The column is that of parts of a country, or the sheet has none.
    for lands in ["BE;SN;BW", "Bayern;NRW;Bayern", "Praha;Brno;Plzeň", ";;"] {
        let lands: Vec<&str> = lands.split(';').collect();
        let sheet = format!(
            "Telefon;Land\n030 1234567;{}\n0341 1234567;{}\n0711 1234567;{}\n",
            lands[0], lands[1], lands[2]
        );
        let (report, found) = read(&sheet, &in_country("phone", ""));
        assert_eq!((report.country_column, found.len(), report.problems.len()), (None, 0, 3), "{sheet}");
        let told = &read(&sheet, &in_country("phone", "49")).0.notices;
        assert!(told.iter().all(|notice| notice == "Not in the codes: Land."), "{told:?}");
    }
    // The choice was one for another sheet.
    let (report, _) = read("Name;Telefon\nAda;044 123 45 67\n", &in_country("phone", "row"));
    assert_eq!((report.asks_for_country, report.country_column), (true, None));
    assert!(sentences(&report)[0].contains("Say which country such numbers belong to"));
    // One country in two spellings.
    let sheet = "Name;Telefon;Land\nAda;089 123456;Deutschland\nBob;0221 123456;DE\n";
    assert_eq!(read(sheet, &in_country("phone", "49")).0.notices, ["Not in the codes: Land."]);
}

#[test]
fn contacts_are_told_of_numbers_that_phones_abroad_cannot_dial() {
    let told = |sheet: &str, code: &str| {
        let (report, found) = read(sheet, &in_country("contact", code));
        assert_eq!(report.problems, [], "{sheet}");
        let numbers = found.iter().flat_map(|item| {
            let lines =
                item["data"].as_str().unwrap().lines().filter_map(|line| line.strip_prefix("TEL;TYPE="));
            lines.map(str::to_owned).collect::<Vec<_>>()
        });
        (numbers.collect::<Vec<_>>(), report.notices)
    };
    let sheet = "Name;Telefon;Mobil;Land\nAda;044 123 45 67;079 123 45 67;CH\nBob;01 234567;+43 664 1234567;Österreich\n\
        Eva;0049 30 123456;112;\n";
    let (numbers, notices) = told(sheet, "");
    assert_eq!(numbers[..3], ["voice:044 123 45 67", "cell:079 123 45 67", "voice:01 234567"]);
    assert_eq!(
        notices[0],
        "3 telephone numbers have no country's code, such as “044 123 45 67” (row 2, column B): phones abroad cannot call them. Choose their \
         country, or that of each row in the column D (Land)."
    );
    let (numbers, notices) = told(sheet, "row");
    assert_eq!(
        numbers[..4],
        ["voice:+41441234567", "cell:+41791234567", "voice:+431234567", "cell:+43 664 1234567"]
    );
    assert_eq!(
        notices[0],
        "The numbers of 2 rows get the code of the country in the column D (Land): +41 (CH), +43 (Österreich)."
    );
    let (_, notices) = told("Name;Telefon\nLinz;0732 6543\n", "");
    assert_eq!(
        notices,
        [
            "1 telephone number has no country's code: “0732 6543” (row 2, column B). Phones abroad cannot call it. Choose its country."
        ]
    );
    for (sheet, code) in [
        ("Name;Telefon\nLinz;0732 6543\n", "43"),
        ("Name;Telefon\nLinz;+43 732 6543\n", ""),
        ("Name;Telefon\nLinz;0043 732 6543\n", ""),
        ("Name;Telefon\nLinz;133\n", ""),
    ] {
        assert!(!told(sheet, code).1.iter().any(|notice| notice.contains("abroad")), "{sheet}");
    }
    // Only calls and messages are refused without a country. A number with the code of one behind 00 needs none.
    let sheet = "Name;Telefon;Land\nAda;044 123 45 67;CH\nBob;01 234567;\nEva;0041 44 1234567;\nIda;0043 1 5555;Atlantis\n";
    let (numbers, notices) = told(sheet, "row");
    assert_eq!(
        numbers,
        ["voice:+41441234567", "voice:01 234567", "voice:+41 44 1234567", "voice:+43 1 5555"]
    );
    assert_eq!(
        notices[0],
        "1 telephone number has no country's code: “01 234567” (row 3, column B). Phones abroad cannot call it. The column C (Land) names no \
         known country there."
    );
}

#[test]
fn numbers_get_the_code_of_the_country_in_their_row_where_all_rows_have_its_name() {
    let told = |sheet: &str, kind: &str| {
        let (report, found) = read(sheet, &in_country(kind, ""));
        (report.asks_for_country, found.len(), report.notices)
    };
    let calls = "Name;Telefon;Land\nTaxi;030 2345678;Deutschland\nBahn;01 2345679;Österreich\nKurz;044 1234567;Schweiz\nRuf;+49 30 123456;\n";
    let notice = |codes: &str| {
        format!("The numbers of 3 rows get the code of the country in the column C (Land): {codes}.")
    };
    assert_eq!(
        told(calls, "phone"),
        (false, 4, vec![notice("+49 (Deutschland), +43 (Österreich), +41 (Schweiz)")])
    );
    let messages = "Mobil;Text;Land\n0171 1234567;Hi;Deutschland\n079 123 45 67;Hi;Schweiz\n0172 1234567;Ho;Deutschland\n";
    assert_eq!(told(messages, "sms"), (false, 3, vec![notice("+49 (Deutschland), +41 (Schweiz)")]));
    let one = calls.replace("Österreich", "Deutschland").replace("Schweiz", "Deutschland");
    assert_eq!(told(&one.replace("044 1", "040 1"), "phone"), (false, 4, vec![notice("+49 (Deutschland)")]));
    for other in ["DE", "A", "BE", "", "Atlantis", "+49"] {
        let (asks, items, _) = told(&calls.replace("Deutschland", other), "phone");
        assert_eq!((asks, items), (true, 1), "{other}");
    }
    // A person's choice goes first, and contacts keep their numbers until there is one.
    let (_, found) = read(calls, &in_country("phone", "43"));
    assert_eq!(found[0]["data"], "tel:+43302345678");
    let (_, found) = read(calls, &in_country("contact", ""));
    assert!(found[0]["data"].as_str().unwrap().contains("TEL;TYPE=voice:030 2345678\r\n"));
}

#[test]
fn numbers_with_a_country_s_code_behind_00_need_no_country_in_their_row() {
    let sheet = "Name;Telefon;Land\nA;044 123 45 67;CH\nE;0043 1 5555;Atlantis\nF;0041 44 1234567;\nG;001 212 5550123;\n";
    let (report, found) = read(sheet, &in_country("phone", "row"));
    let data: Vec<&str> = found.iter().map(|item| item["data"].as_str().unwrap()).collect();
    assert_eq!(data, ["tel:+41441234567", "tel:+4315555", "tel:+41441234567", "tel:+12125550123"]);
    assert_eq!(report.problems, []);
}

#[test]
fn columns_of_calling_codes_hold_them_without_a_plus() {
    for (column, expected) in [
        ("Country code", [Some("tel:+4312345678"), Some("tel:+49301234567")]),
        ("Ländervorwahl", [Some("tel:+4312345678"), Some("tel:+49301234567")]),
        ("Land", [None, None]),
    ] {
        let sheet = format!("Name;Telefon;{column}\nAda;01 2345678;43\nBob;030 1234567;49\n");
        let (report, found) = read(&sheet, &in_country("phone", "row"));
        let data: Vec<&str> = found.iter().map(|item| item["data"].as_str().unwrap()).collect();
        assert_eq!(data, expected.into_iter().flatten().collect::<Vec<_>>(), "{column}");
        assert_eq!(report.faulty_rows, 2 - found.len() as u64);
        assert!(read(&sheet, &in_country("phone", "")).0.asks_for_country, "{column}");
    }
    // Area codes are no countries.
    let sheet = "Name;Telefon;Vorwahl\nAda;2345678;30\nBob;030 1234567;40\n";
    assert!(read(sheet, &in_country("phone", "row")).0.asks_for_country);
}

#[test]
fn payments_know_the_account_and_the_invoice_in_words_of_offices() {
    let choices = Choices { composed: vec![kind("payment", &[])], ..Choices::default() };
    let iban = "DE02120300000000202051";
    let sheet = format!("RechnungNr;Kunde;Betrag;Empfänger;Bankverbindung\nR-1;Bos;12,50;A GmbH;{iban}\n");
    let found = items(&sheet, &choices);
    assert_eq!(found[0]["data"], format!("BCD\n002\n1\nSCT\n\nA GmbH\n{iban}\nEUR12.50\n\n\nR-1"));
    // The text of a payment stands beside the invoice, and the account beside the bank.
    let sheet = format!(
        "Facture;Bénéficiaire;Bankverbindung;IBAN;Montant;Motif\nF-1;A SARL;Sparkasse;{iban};12,50;Loyer\n"
    );
    let found = items(&sheet, &choices);
    assert_eq!(found[0]["data"], format!("BCD\n002\n1\nSCT\n\nA SARL\n{iban}\nEUR12.50\n\n\nLoyer"));
}

#[test]
fn names_of_banks_make_no_payments_of_contacts() {
    let proposed = |csv: &str| read(csv, &Choices::default()).0.proposal.map(|proposal| proposal.kind);
    for bank in ["Sparkasse Ulm", "DE02120300000000202051", ""] {
        let sheet = format!("Firma;Bankverbindung;Telefon;E-Mail\nSV;{bank};0711 1234567;a@b.example\n");
        assert_eq!(proposed(&sheet), Some(Kind::Contact), "{bank}");
    }
    let sheet = |bank: &str| format!("Empfänger;Betrag;Bankverbindung\nBos;12,50;{bank}\n");
    for bank in ["DE02120300000000202051", "IBAN: DE02 1203 0000 0000 2020 51", "de02 1203"] {
        assert_eq!(proposed(&sheet(bank)), Some(Kind::Payment), "{bank}");
    }
    assert_eq!(proposed(&sheet("Sparkasse Ulm")), None);
}

#[test]
fn numbers_of_national_grids_are_told() {
    let choices = Choices { composed: vec![kind("geo", &[])], ..Choices::default() };
    for names in ["E;N", "Rechtswert;Hochwert", "LV95 E;LV95 N"] {
        let told = problems(&format!("Name;{names}\nBern;2600000;1200000\n"), &choices);
        assert!(
            told[0].ends_with(" Numbers of national grids, such as E and N, are not supported."),
            "{told:?}"
        );
    }
    for (names, last) in [("Zone Nord;Rang", "C (Rang)."), ("Ost;Nord", "C (Nord).")] {
        let told = problems(&format!("Name;{names}\nBern;9,2;48,1\n"), &choices);
        assert!(told[0].ends_with(last), "{told:?}");
    }
}

#[test]
fn numbers_of_services_are_told() {
    let read_from = |code: &str, sheet: &str| {
        let (report, found) = read(sheet, &in_country("phone", code));
        (found[0]["data"].as_str().unwrap().to_owned(), report.notices)
    };
    let told = "1 telephone number is of a service, such as 0800, and may not be dialled from other countries; the first is in row 2, column A.";
    let (data, notices) = read_from("353", "Phone\n1800 123 456\n");
    assert_eq!((data.as_str(), notices.as_slice()), ("tel:1800123456", [told.to_owned()].as_slice()));
    let (data, notices) = read_from("43", "Telefon\n0800 123 456\n");
    assert_eq!((data.as_str(), notices.as_slice()), ("tel:+43800123456", [told.to_owned()].as_slice()));
    for (code, sheet) in [("43", "Telefon\n+43 800 123456\n"), ("49", "Telefon\n0851 0800 12\n")] {
        assert!(read_from(code, sheet).1.is_empty(), "{sheet}");
    }
}

#[test]
fn salutations_of_all_languages_are_left_out_alike() {
    let choices = Choices { composed: vec![kind("contact", &[])], ..Choices::default() };
    let sheet = "Name\nMs Ada Bos\nMevr. Ada Bos\nSig.ra Ada Bos\nSra. Ada Bos\nHr. Ada Bos\nM. Ada Bos\nSig Ada Bos\nDon Ada\nFrau Dr. Ada Bos\nSr. Ada Bos\nHerr und Frau Bos\n";
    let name_of = |item: &Value| item["filename"].as_str().unwrap().to_owned();
    let found: Vec<String> = read(sheet, &choices).1.iter().map(name_of).collect();
    let ada = ["Ada Bos"; 5];
    assert_eq!(found[..5], ada);
    assert_eq!(
        found[5..],
        ["M. Ada Bos", "Sig Ada Bos", "Don Ada", "Dr. Ada Bos", "Sr. Ada Bos", "Herr und Frau Bos"]
    );
    let told = "6 salutations before names are left out (Ms); the first is in row 2, column A.";
    assert!(read(sheet, &choices).0.notices.iter().any(|notice| notice == told));
    for (name, expected) in [
        ("Frau Müller, Anna", "Anna Müller"),
        ("Dr.in Lang, Ida", "Dr.in Ida Lang"),
        ("Frau Prof.in Dr.in Lang, Ida", "Prof.in Dr.in Ida Lang"),
        ("Mag.a Eva Huber", "Mag.a Eva Huber"),
        ("Ing. Jan Novák, Ph.D.", "Ing. Jan Novák, Ph.D."),
        ("Jan Novák, CSc.", "Jan Novák, CSc."),
        ("Frau Müller, Herr Maier", "Frau Müller, Herr Maier"),
        ("St. Pierre, Anna", "Anna St. Pierre"),
        ("Dr. Müller, Anna", "Dr. Anna Müller"),
        ("Herr, Peter", "Peter Herr"),
        ("Frau Herr, Ida", "Ida Herr"),
        ("Müller, Frau Anna", "Anna Müller"),
        ("Ewing, J. R.", "J. R. Ewing"),
        ("Ewing, J.R.", "J.R. Ewing"),
        ("Brown, M. A.", "M. A. Brown"),
        ("Martin, S. A.", "S. A. Martin"),
        ("Huber, A. G.", "A. G. Huber"),
        ("King, C. O.", "C. O. King"),
        ("Shyamalan, M. Night", "M. Night Shyamalan"),
        ("Smith, M. John", "M. John Smith"),
        ("de Gaulle, M. Charles", "M. Charles de Gaulle"),
        ("Novák, Ph.D.", "Novák, Ph.D."),
        ("Novák, CSc.", "Novák, CSc."),
        ("Novák, LL.M.", "Novák, LL.M."),
        ("Lang, GmbH", "Lang, GmbH"),
        ("Müller, Frau", "Müller, Frau"),
        ("Müller, Herr und Frau", "Müller, Herr und Frau"),
        ("Müller, Frau Anna und Herr Paul", "Müller, Frau Anna und Herr Paul"),
        ("Autohaus Lang, Frau Huber", "Autohaus Lang, Frau Huber"),
    ] {
        assert_eq!(name_of(&read(&format!("Name\n\"{name}\"\n"), &choices).1[0]), expected, "{name}");
    }
    let sheet = "Name\n\"Müller, Frau Anna\"\nAda Bos\n";
    let told = "1 salutation before a name is left out (Frau); the first is in row 2, column A.";
    assert!(read(sheet, &choices).0.notices.iter().any(|notice| notice == told));
    // `M.` may be the first letter of a first name.
    let french =
        "Nom\nA. Martin\nM. Durand\nMme Ada Bos\nMlle Ada Bos\nMarc Bos\nM. et Mme Bos\nMme ou M. Bos\n";
    let found: Vec<String> = read(french, &choices).1.iter().map(name_of).collect();
    assert_eq!(
        found,
        ["A. Martin", "M. Durand", "Ada Bos", "Ada Bos", "Marc Bos", "M. et Mme Bos", "Mme ou M. Bos"]
    );
    let couples = "Nome\nSr. Pedro e Sra. Ana\nSr. Pedro\nFrau oder Herr Bos\nFrau Bos und Herr Bos\nHerr Peter von und zu Bos\n";
    let found: Vec<String> = read(couples, &choices).1.iter().map(name_of).collect();
    assert_eq!(
        found,
        [
            "Sr. Pedro e Sra. Ana",
            "Pedro",
            "Frau oder Herr Bos",
            "Frau Bos und Herr Bos",
            "Peter von und zu Bos"
        ]
    );
    let titles = "Civilité;Nom;Prénom\nMme;Bos;Ada\nMe;Bos;Ada\nPr;Bos;Ada\nMme Dr;Bos;Ada\n";
    let cards: Vec<String> =
        read(titles, &choices).1.iter().map(|item| item["data"].as_str().unwrap().to_owned()).collect();
    for (card, name) in cards.iter().zip(["Ada Bos", "Me Ada Bos", "Pr Ada Bos", "Dr Ada Bos"]) {
        assert!(card.contains(&format!("FN:{name}\r\n")) && !card.contains("TITLE"), "{card}");
    }
}

#[test]
fn a_text_file_with_tabs_is_a_table_and_one_with_commas_is_lines() {
    let lines = Choices { layout: Some(SheetLayout::Lines), ..Choices::default() };
    let (table, _) = read("Nr\tZiel\n1\thttps://example.org/1\n2\thttps://example.org/2\n", &lines);
    assert_eq!((table.asks_for_columns, table.links_column), (true, Some(1)));
    let (texts, found) = read("Nr, Ziel\n1, Haus\n2, Hof\n", &lines);
    assert_eq!((texts.asks_for_columns, found.len()), (false, 3));
}

#[test]
fn websites_and_last_days_of_use_are_found_by_their_names() {
    let choices = |name: &str| Choices { composed: vec![kind(name, &[])], ..Choices::default() };
    let sites = [
        "WWW",
        "Strona www",
        "Strona internetowa",
        "Webseite",
        "Site web",
        "Sito",
        "Homepage",
        "Webové stránky",
        "Honlap",
    ];
    for name in sites {
        let found = items(&format!("Name,{name}\nAda,www.example.org\n"), &choices("contact"));
        assert!(found[0]["data"].as_str().unwrap().contains("URL:https://www.example.org\r\n"), "{name}");
    }
    let days = [
        "Datum spotřeby",
        "Spotřebujte do",
        "Termin przydatności",
        "Należy spożyć do",
        "Verfallsdatum",
        "Verbrauchsdatum",
        "À consommer jusqu’au",
        "DLC",
        "TGT",
        "Use-by date",
    ];
    for name in days {
        let found = items(&format!("EAN,{name}\n4006381333931,2027-03-31\n"), &choices("digital-link"));
        assert!(found[0]["data"].as_str().unwrap().ends_with("?17=270331"), "{name}");
    }
}

#[test]
fn lots_and_barcodes_of_shops_are_found_by_their_names() {
    let link = Choices { composed: vec![kind("digital-link", &[])], ..Choices::default() };
    for lot in [
        "N° de lot",
        "Nr partii",
        "Numer partii",
        "Tételszám",
        "Šarže",
        "Lote",
        "Lotto",
        "Partij",
        "Partijnummer",
        "Chargen-Nr.",
    ] {
        let found = items(&format!("EAN;{lot}\n4006381333931;L12\n"), &link);
        assert_eq!(found[0]["data"], "https://id.gs1.org/01/04006381333931/10/L12", "{lot}");
    }
    let csv = "Handle,Title,Variant Barcode\na,A,'4006381333931\n";
    let found = &items(csv, &link)[0];
    assert_eq!(
        [&found["data"], &found["filename"]],
        ["https://id.gs1.org/01/04006381333931", "4006381333931"]
    );
    assert_eq!(read(csv, &Choices::default()).0.proposal.unwrap().kind, Kind::DigitalLink);
}

#[test]
fn best_before_dates_are_no_expiry_dates() {
    let choices = || Choices { composed: vec![kind("digital-link", &[])], ..Choices::default() };
    let names = [
        "Mindesthaltbarkeit / MHD",
        "Mindesthaltbarkeitsdatum (MHD)",
        "THT",
        "Ten minste houdbaar tot",
        "DDM",
        "À consommer de préférence avant le",
        "Termine minimo di conservazione",
        "Da consumarsi preferibilmente entro",
        "Consumo preferente",
        "Najlepiej spożyć przed",
        "Minimální trvanlivost",
        "DMT",
        "Minőségét megőrzi",
        "Best before",
        "BBE",
    ];
    for name in names {
        let found = items(&format!("EAN,{name}\n4006381333931,31.03.2027\n"), &choices());
        assert!(found[0]["data"].as_str().unwrap().ends_with("31?15=270331"), "{name}");
    }
    let both = "EAN,Verfallsdatum,MHD\n4006381333931,30.04.2027,31.03.2027\n";
    assert!(items(both, &choices())[0]["data"].as_str().unwrap().ends_with("31?15=270331&17=270430"));
    // A column for either date says neither.
    let either = "EAN,MHD / Verfallsdatum\n4006381333931,31.03.2027\n";
    assert!(items(either, &choices())[0]["data"].as_str().unwrap().ends_with("31"));
    let found = problems("EAN,MHD\n4006381333931,01/02/2027\n", &choices());
    assert!(found[0].contains("day or the month"), "{found:?}");
}

#[test]
fn contacts_of_google_are_found() {
    let csv = "First Name,Middle Name,Last Name,Phonetic First Name,Name Prefix,Nickname,File As,Organization Name,Organization Title,\
        Organization Department,Birthday,Notes,Photo,Labels,E-mail 1 - Label,E-mail 1 - Value,E-mail 2 - Value,Phone 1 - Label,\
        Phone 1 - Value,Phone 2 - Label,Phone 2 - Value,Address 1 - Label,Address 1 - Formatted,Address 1 - Street,Address 1 - City,\
        Address 1 - PO Box,Address 1 - Region,Address 1 - Postal Code,Address 1 - Country,Address 1 - Extended Address,\
        Website 1 - Label,Website 1 - Value\n\
        Zoë,Ada,Dijk,,,,,ACME,Head,Sales,,n,,* myContacts,* Work,z@example.nl,y@example.nl,Mobile,+31 6 1,Work,+31 20 5,Home,\
        \"Kade 1\n1011 AB\",Kade 1,Amsterdam,,NH,1011 AB,NL,,Blog,example.nl\n";
    let (report, _) = read(csv, &Choices::default());
    assert_eq!(report.proposal.unwrap().kind, Kind::Contact);
    let found = items(csv, &Choices { composed: vec![kind("contact", &[])], ..Choices::default() });
    let expected = "N:Dijk;Zoë Ada;;;\r\nFN:Zoë Ada Dijk\r\nORG:ACME;Sales\r\nTITLE:Head\r\nTEL;TYPE=voice:+31 20 5\r\n\
        TEL;TYPE=cell:+31 6 1\r\nEMAIL:z@example.nl\r\nEMAIL:y@example.nl\r\nURL:https://example.nl\r\nADR:;;Kade 1;Amsterdam;NH;1011 AB;NL\r\nNOTE:n\r\nEND";
    assert!(found[0]["data"].as_str().unwrap().contains(expected), "{found}");
    assert_eq!((found[0].get("caption"), found[0]["filename"].as_str()), (None, Some("Zoë Ada Dijk")));
    let contact = Choices { composed: vec![kind("contact", &[])], ..Choices::default() };
    let (report, found) = read("Name,Phone 1 - Value\nEva,+31 6 1 ::: +31 6 2\n", &contact);
    let numbers = "TEL;TYPE=voice:+31 6 1\r\nTEL;TYPE=voice:+31 6 2\r\n";
    assert!(found[0]["data"].as_str().unwrap().contains(numbers), "{found:?}");
    assert_eq!(report.notices, Vec::<String>::new());
    let told = "1 cell has several values, of which the first is used; the first is in row 2, column B.";
    let (report, found) = read("Name,E-mail\nEva,a@b.example; c@b.example\n", &contact);
    assert!(found[0]["data"].as_str().unwrap().contains("EMAIL:a@b.example\r\n"), "{found:?}");
    assert_eq!(report.notices, [told]);
}

#[test]
fn the_status_of_a_member_is_no_region() {
    let choices = Choices { composed: vec![kind("contact", &[])], ..Choices::default() };
    for (status, address) in [("Ativo", "ADR:;;;Lisboa;;;"), ("São Paulo", "ADR:;;;Lisboa;São Paulo;;")] {
        let found = items(
            &format!("Nome,Telemóvel,Localidade,Estado\nAna Sá,+351 912 345 678,Lisboa,{status}\n"),
            &choices,
        );
        assert!(found[0]["data"].as_str().unwrap().contains(address), "{found}");
    }
}

#[test]
fn calls_are_named_by_departments_and_branches() {
    for (name, number) in [("Abteilung", "Telefon"), ("Vestiging", "Telefoonnummer")] {
        let choices = Choices { composed: vec![kind("phone", &[])], ..Choices::default() };
        let found = items(&format!("{name},{number}\nEinkauf,+49 89 1234\n"), &choices);
        assert_eq!(found[0]["filename"], "Einkauf", "{found}");
    }
    // Also where a number has the word before an extension.
    let csv = "Dienst;Telefon\nBüro;01 234567 DW 15\nLager;01 234567\n";
    assert_eq!(items(csv, &in_country("phone", "43"))[0]["filename"], "Büro");
    // Extensions name nothing.
    let csv = "Telefon;DW\n01 234567-0;15\n01 234568-0;16\n";
    assert_ne!(items(csv, &in_country("phone", "43"))[0]["filename"], "15");
}

#[test]
fn dates_of_calendars_are_read_in_many_languages() {
    let event = Choices { composed: vec![kind("event", &[])], ..Choices::default() };
    for csv in [
        "Betreff;Beginnt am;Beginnt um;Endet am;Endet um\na;2.3.2027;09:00:00;2.3.2027;10:30:00\n",
        "Subject,Start Date,Start Time,End Date,End Time\na,2027-03-02,9:00 AM,2027-03-02,10:30 AM\n",
        "Onderwerp;Begindatum;Begintijd;Einddatum;Eindtijd\na;2.3.2027;09:00;2.3.2027;10:30\n",
        "Název;Začátek;Konec\na;2. 3. 2027 9:00;2. 3. 2027 10:30\n",
        "Esemény;Kezdés;Befejezés\na;2027.03.02. 09:00;2027. 03. 02. 10:30\n",
        "Tárgy;Kezdés;Befejezés\na;2027.03.02 09:00;2027. 3. 2 10:30\n",
    ] {
        let (report, _) = read(csv, &Choices::default());
        assert_eq!(report.proposal.map(|proposal| proposal.kind), Some(Kind::Event), "{csv}");
        let found = items(csv, &event);
        let times = "DTSTART:20270302T090000\r\nDTEND:20270302T103000\r\nSUMMARY:a\r\n";
        assert!(found[0]["data"].as_str().unwrap().contains(times), "{found}");
    }
    let days = items("Esemény;Kezdés\na;2027. 03. 02.\n", &event);
    assert!(days[0]["data"].as_str().unwrap().contains("DTSTART;VALUE=DATE:20270302\r\n"), "{days}");
    let told = problems("Název;Začátek\na;31. 2. 2027 9:00\na;2. 3. 2027x\n", &event);
    assert!(told[0].ends_with("this day does not exist. Correct the date."), "{told:?}");
    assert!(told[1].contains("write dates and times as"), "{told:?}");
}

#[test]
fn days_that_no_calendar_has_are_told() {
    let choices = |name: &str| Choices { composed: vec![kind(name, &[])], ..Choices::default() };
    for day in ["31-02-2027", "31/02/2027", "2027-02-31", "31.02.2027", "31 February 2027"] {
        for (name, csv) in [
            ("digital-link", format!("EAN,Expiry\n4006381333931,{day}\n")),
            ("digital-link", format!("EAN,MHD\n4006381333931,{day}\n")),
            ("event", format!("Event,Start\nFair,{day}\n")),
        ] {
            let found = problems(&csv, &choices(name));
            assert!(
                found[0].ends_with("this day does not exist. Correct the date."),
                "{name} {day} {found:?}"
            );
        }
    }
}

/// As calendars and offices in these countries write them.
#[test]
fn lists_of_events_are_proposed_in_their_languages() {
    for (header, day) in [
        ("Název akce;Datum;Začátek;Konec", "31.1.2026"),
        ("Esemény;Dátum;Kezdés;Befejezés", "2026.01.31."),
        ("Esemény neve;Dátum;Kezdés;Befejezés", "2026. 01. 31."),
        ("Nazwa wydarzenia;Data;Godzina rozpoczęcia;Godzina zakończenia", "31.01.2026"),
        ("Evenemang;Datum;Starttid;Sluttid", "2026-01-31"),
        ("Tapahtuma;Pvm;Alkamisaika;Päättymisaika", "31.1.2026"),
        ("Tapahtuma;Päivämäärä;Alkaa;Päättyy", "31.1.2026"),
        ("Aktivitet;Dato;Starttidspunkt;Sluttidspunkt", "31.01.2026"),
        ("Arrangement;Dato;Start;Slutt", "31.01.2026"),
        ("Nome do evento;Data;Início;Término", "31/01/2026"),
        ("Evento;Data;Hora de início;Hora de fim", "31/01/2026"),
        ("Denumire eveniment;Data;Ora începerii;Ora încheierii", "31.01.2026"),
        ("Eveniment;Data;Ora de început;Ora de sfârșit", "31.01.2026"),
        ("Názov podujatia;Dátum;Začiatok;Koniec", "31. 1. 2026"),
        ("Nombre del evento;Fecha;Hora de inicio;Hora de fin", "31/01/2026"),
        ("Nome evento;Data;Ora inizio;Ora fine", "31/01/2026"),
    ] {
        let csv = format!("{header}\nBal;{day};18:00;23:00\n");
        let (report, _) = read(&csv, &Choices::default());
        let proposal = report.proposal.unwrap_or_else(|| panic!("{header}: {:?}", report.problems));
        assert_eq!((proposal.kind, report.asks_for_columns), (Kind::Event, true), "{header}");
        let (report, found) =
            read(&csv, &Choices { composed: vec![kind("event", &[])], ..Choices::default() });
        assert_eq!(report.problems, [], "{header}");
        let data = found[0]["data"].as_str().unwrap();
        for line in ["DTSTART:20260131T180000", "DTEND:20260131T230000", "SUMMARY:Bal"] {
            assert!(data.contains(&format!("\r\n{line}\r\n")), "{header}: {data}");
        }
        assert_eq!(report.notices, [""; 0], "{header}");
    }
}

#[test]
fn the_site_of_a_person_is_no_list_of_links() {
    let csv = "Nominativo;Qualifica;Ente;Tel.;Cell.;Indirizzo e-mail;Sito\n\
        Anna Rossi;Sindaca;Comune;06 1234567;333 1234567;a@b.example;https://b.example/\n";
    let (report, _) = read(csv, &Choices::default());
    let kind = report.proposal.map(|proposal| proposal.kind);
    assert_eq!((kind, report.asks_for_columns), (Some(Kind::Contact), true));
}

#[test]
fn a_column_called_data_that_holds_dates_is_not_what_codes_say() {
    let asked = |csv: &str| {
        let (report, items) = read(csv, &Choices::default());
        assert_eq!(items.len(), report.items as usize);
        (report.asks_for_columns, report.proposal.map(|proposal| proposal.kind.name()), report.items)
    };
    assert_eq!(asked("Nazwa;Data;Opis\nBal;31.01.2026;zabawa\nFest;01.02.2026;\n"), (true, None, 0));
    assert_eq!(asked("Evento;Data;Luogo\nBallo;31/01/2026;Roma\n"), (true, Some("event"), 0));
    // The other column that may be the data is.
    assert_eq!(asked("Titolo;Data;Link\nBallo;31/01/2026;https://example.org/1\n"), (false, None, 1));
    // They are what codes say where there is no other column, where one is no date, and where a person says so.
    assert_eq!(asked("data\n31.01.2026\n").2, 1);
    assert_eq!(asked("data;name\n31.01.2026;a\nA-1;b\n").2, 2);
    assert_eq!(asked("data;name\n31.01.2026;a\n").2, 1);
    assert_eq!(asked("Data;Nome\n20260131;a\n").2, 1);
    let columns = vec![(Role::Data, ColumnChoice::Named("Data".to_owned()))];
    let csv = "Nazwa;Data\nBal;31.01.2026\n";
    assert_eq!(items(csv, &Choices { columns, ..Choices::default() })[0]["data"], "31.01.2026");
}

#[test]
fn o_is_the_east_in_german_and_the_west_in_spanish() {
    let place = Choices { composed: vec![kind("geo", &[])], ..Choices::default() };
    for (csv, data) in [
        ("Ort;Breitengrad;Längengrad\nA;48°08'14\"N;11°34'31\"O\n", "geo:48.137222,11.575278"),
        ("Naam;Coördinaten\nA;52°22'N 4°54'O\n", "geo:52.366667,4.9"),
        ("Nombre;Latitud;Longitud\nA;40°25'N;3°42'O\n", "geo:40.416667,-3.7"),
    ] {
        assert_eq!(items(csv, &place)[0]["data"], data, "{csv}");
    }
    let told = "the letter O may mean the east (Ost) or the west (Ouest, Oeste). Write E or W.";
    for csv in [
        "Place;Latitude;Longitude\nA;48°08'14\"N;11°34'31\"O\n",
        "Lieu;Coordonnées\nA;\"45°49'57\"\" N 1°15'43\"\" O\"\n",
    ] {
        assert!(problems(csv, &place)[0].ends_with(told), "{:?}", problems(csv, &place));
    }
    for csv in [
        "Place;Latitude;Longitude\nA;48°08'14\"O;11°34'31\"E\n",
        "Place;Latitude;Longitude\nA;48°08'14\"N;k.o\n",
    ] {
        assert!(problems(csv, &place)[0].contains("write degrees as"));
    }
}

#[test]
fn numbers_of_national_grids_are_refused_with_what_is_needed() {
    let place = Choices { composed: vec![kind("geo", &[])], ..Choices::default() };
    let told = "this is no number of degrees, and those of national grids are not supported. Write degrees, such as 46.9511 and 7.4386.";
    for csv in [
        "Ort;Koordinaten\nBern;2600000, 1200000\n",
        "Ort;Koordinaten\nBern;2600000.5 / 1200000.5\n",
        "Ort;Breite;Länge\nBern;1200000;2600000\n",
    ] {
        assert!(problems(csv, &place)[0].ends_with(told), "{:?}", problems(csv, &place));
    }
    let wrong = problems("Ort;Breite;Länge\nBern;95;7\n", &place);
    assert!(wrong[0].ends_with("the latitude is between -90 and 90 degrees."), "{wrong:?}");
    let none = problems("Ort;E;N\nBern;2600000;1200000\n", &place);
    assert!(none[0].ends_with("Numbers of national grids, such as E and N, are not supported."), "{none:?}");
    let none = problems("Ort;Strasse\nBern;Ring 1\n", &place);
    assert!(!none[0].contains("grids"), "{none:?}");
}

/// The contact of a sheet with one has these numbers and addresses, and these notices.
fn assert_numbers(csv: &str, lines: &[&str], notices: &[&str]) {
    let (report, found) = read(csv, &Choices { composed: vec![kind("contact", &[])], ..Choices::default() });
    assert_eq!(report.problems, [], "{csv}");
    let data = found[0]["data"].as_str().unwrap();
    let numbers: Vec<&str> =
        data.lines().filter(|line| line.starts_with("TEL") || line.starts_with("EMAIL")).collect();
    let is_other = |notice: &String| !notice.contains("abroad");
    assert_eq!(
        (numbers.as_slice(), report.notices.into_iter().filter(is_other).collect::<Vec<_>>()),
        (lines, notices.iter().map(|notice| (*notice).to_owned()).collect()),
        "{csv}"
    );
}

#[test]
fn numbers_of_messengers_are_mobile_ones_and_their_links_are_told() {
    for (csv, lines, notices) in [
        ("Name;E-Mail;WhatsApp\nBos;;+49 171 2\n", &["TEL;TYPE=cell:+49 171 2"][..], &[][..]),
        (
            "Name;Telefon;Handy/WhatsApp\nBos;+49 1;+49 2\n",
            &["TEL;TYPE=voice:+49 1", "TEL;TYPE=cell:+49 2"],
            &[],
        ),
        (
            "Name;Telefon;WhatsApp;Mobil (Signal)\nBos;+49 1;+49 2;\n",
            &["TEL;TYPE=voice:+49 1", "TEL;TYPE=cell:+49 2"],
            &[],
        ),
        (
            "Name;Telefon;Signal;Mobil\nBos;+49 1;+49 2;+49 3\n",
            &["TEL;TYPE=voice:+49 1", "TEL;TYPE=cell:+49 3", "TEL;TYPE=voice:+49 2"],
            &[],
        ),
        (
            "Name;Telefon;WhatsApp\nBos;+49 1;https://wa.me/492\n",
            &["TEL;TYPE=voice:+49 1"],
            &[
                "1 link or name of a messenger is not in the codes, which take its telephone numbers alone; the first is in row 2, column C.",
            ],
        ),
    ] {
        assert_numbers(csv, lines, notices);
    }
}

/// Exports of Google and Outlook, and lists of offices.
#[test]
fn desks_stand_behind_the_numbers_of_austrian_firms() {
    for (cells, code, number) in [
        ("+43 7434/42330;10", "", "+43 7434/42330-10"),
        ("0043 662 42330;10", "", "0043 662 42330-10"),
        ("07434/42330;10", "43", "+4374344233010"),
        // A mobile, and a number that has its digits already.
        ("+43 664 1234567;10", "", "+43 664 1234567"),
        ("+43 7434 4233010;10", "", "+43 7434 4233010"),
        ("07434/42330;10", "", "07434/42330"),
        ("07434/42330;10", "49", "+49743442330"),
    ] {
        let found = items(&format!("Name;Telefon;DW\nBos;{cells}\n"), &in_country("contact", code));
        let data = found[0]["data"].as_str().unwrap();
        assert!(data.contains(&format!("TEL;TYPE=voice:{number}\r")), "{cells} {code}: {data}");
    }
}

#[test]
fn desks_may_have_words_where_the_country_is_known() {
    for (cells, code, number) in [
        ("07242/47123;DW 12", "43", "+4372424712312"),
        ("07242/47123;-12", "43", "+4372424712312"),
        ("07242/47123;Kl. 12", "43", "+4372424712312"),
        ("089 1234-0;DW 56", "49", "+4989123456"),
        ("+49 89 1234-0;–56", "", "+49 89 1234-56"),
        ("01/8041010;12", "43", "+431804101012"),
    ] {
        let (report, found) = read(&format!("Name;Telefon;DW\nBos;{cells}\n"), &in_country("contact", code));
        let data = found[0]["data"].as_str().unwrap();
        assert!(data.contains(&format!("TEL;TYPE=voice:{number}\r")), "{cells} {code}: {data}");
        assert_eq!(report.notices, Vec::<String>::new(), "{cells} {code}");
    }
    for (cells, code, number) in [
        ("+49 89 1234;56", "", "+49 89 1234"),
        ("089 1234;56", "49", "+49891234"),
        ("0664 1234567;12", "43", "+436641234567"),
        ("0664 1234567;12", "", "0664 1234567"),
        // Services, short numbers, and desks of zeros.
        ("0800 123456;12", "43", "+43800123456"),
        ("0180 123456;12", "43", "+43180123456"),
        ("0900 123456;12", "43", "+43900123456"),
        ("+43 810 123456;12", "", "+43 810 123456"),
        ("0820 123456;12", "", "0820 123456"),
        ("112;7", "43", "112"),
        ("07242/47123;00", "43", "+43724247123"),
        // The desk is there, or that of another one.
        ("07242/4712312;12", "", "07242/4712312"),
        ("07242/47123-15;12", "43", "+4372424712315"),
        // No digits of a desk.
        ("07242/47123;+12", "", "07242/47123"),
        ("07242/47123;Zi. 12", "43", "+43724247123"),
        ("07242/47123;ext. 12", "43", "+43724247123"),
        ("07242/47123;12-14", "43", "+43724247123"),
        ("07242/47123;2026-06-12", "43", "+43724247123"),
    ] {
        let (report, found) = read(&format!("Name;Telefon;DW\nBos;{cells}\n"), &in_country("contact", code));
        let data = found[0]["data"].as_str().unwrap();
        assert!(data.contains(&format!("TEL;TYPE=voice:{number}\r")), "{cells} {code}: {data}");
        let told = "1 extension is not in the codes: one of a few digits belongs to a number that ends in “-” or “-0”; the first is in row 2, column C.";
        assert!(report.notices.iter().any(|notice| notice == told), "{cells} {code}: {:?}", report.notices);
    }
    // One of two numbers has the desk, and nobody knows which one.
    let csv = "Name;Telefon;DW\nBos;07242/47123 / 07242/47456;12\n";
    let (report, found) = read(csv, &in_country("contact", "43"));
    assert!(found[0]["data"].as_str().unwrap().contains("TEL;TYPE=voice:+43724247123\r"), "{found:?}");
    assert!(report.notices[0].starts_with("1 extension is not in the codes: one of"), "{:?}", report.notices);
}

#[test]
fn extensions_stand_in_place_of_a_zero_behind_a_hyphen_however_it_is_spaced() {
    for (number, extended) in [
        ("07531 / 22 14 - 0", "07531 / 22 14-12"),
        ("089 1234 – 0", "089 1234-12"),
        ("089 1234 -0", "089 1234-12"),
        ("089 1234- 0", "089 1234-12"),
        // Nothing stands between them, or more behind them.
        ("089 1234 0", "089 1234 0"),
        ("089 1234-00", "089 1234-00"),
        ("089 1234 - 10", "089 1234 - 10"),
    ] {
        let csv = format!("Name;Vorname;Telefon;Durchwahl\nBos;Anna;{number};12\n");
        let data = &items(&csv, &in_country("contact", ""))[0]["data"];
        assert!(data.as_str().unwrap().contains(&format!("TEL;TYPE=voice:{extended}\r")), "{number}: {data}");
    }
}

#[test]
fn extensions_that_depend_on_the_country_ask_for_it() {
    let csv = "Name;Telefon;DW\nBos;07242/47123;12\nEva;089 1234;DW 56\nIda;089 1234;-57\n";
    let (report, found) = read(csv, &in_country("contact", ""));
    assert!(found[0]["data"].as_str().unwrap().contains("TEL;TYPE=voice:07242/47123\r"));
    assert!(report.national_numbers > 0);
    assert_eq!(
        report.notices[1..],
        [
            "3 extensions are not in the codes: it depends on the country where they stand; the first is in row 2, column C. Choose the country of the numbers."
        ]
    );
    let (report, found) = read(csv, &in_country("contact", "43"));
    assert!(found[0]["data"].as_str().unwrap().contains("TEL;TYPE=voice:+4372424712312\r"));
    assert_eq!(report.notices, Vec::<String>::new());
}

#[test]
fn extensions_alone_are_left_out_of_contacts_that_can_be_reached() {
    assert_numbers(
        "Name;E-Mail;Telefon\nBos;a@b.example;-10\n",
        &["EMAIL:a@b.example"],
        &[
            "1 telephone number is not in the codes: it is an extension without the number before it; the first is in row 2, column C.",
        ],
    );
    let contact = Choices { composed: vec![kind("contact", &[])], ..Choices::default() };
    assert_numbers(
        "Name;E-Mail;Telefon;DW\nBos;a@b.example;-10;12\n",
        &["EMAIL:a@b.example"],
        &[
            "1 telephone number is not in the codes: it is an extension without the number before it; the first is in row 2, column C.",
        ],
    );
    for csv in [
        "Name;Telefon\nBos;-10\n",
        "Name;Telefon;Handy\nBos;-10;-11\n",
        "Name;Telefon;Handy\nBos;-10;-\n",
        "Name;Telefon;E-Mail\nBos;-10;--\n",
        "Name;Telefon;Handy\nBos;-10;keine\n",
        "Name;Telefon;E-Mail\nBos;-10;keine\n",
    ] {
        assert!(problems(csv, &contact)[0].contains("this is an extension alone"), "{csv}");
    }
}

#[test]
fn numbers_of_contacts_have_their_kinds_and_all_that_is_left_out_is_named() {
    for (csv, lines, notices) in [
        (
            "First Name,Last Name,Labels,E-mail 1 - Value,E-mail 2 - Value,Phone 1 - Label,Phone 1 - Value,Phone 2 - Label,\
             Phone 2 - Value,Phone 3 - Value\nAnna,Bos,* myContacts,a@b.example,c@b.example,Mobile,+49 170 1,Work Fax,+49 89 2,+49 89 3\n",
            &["TEL;TYPE=cell:+49 170 1", "TEL;TYPE=fax:+49 89 2", "EMAIL:a@b.example", "EMAIL:c@b.example"][..],
            &["Not in the codes: Labels, Phone 3 - Value."][..],
        ),
        (
            "First Name,Last Name,Business Fax,Business Phone,Home Phone,Mobile Phone,Other Phone,Pager\n\
             Anna,Bos,+49 1,+49 2,+49 3,+49 4,+49 5,+49 6\n",
            &[
                "TEL;TYPE=voice:+49 2",
                "TEL;TYPE=cell:+49 4",
                "TEL;TYPE=home:+49 3",
                "TEL;TYPE=voice:+49 5",
                "TEL;TYPE=fax:+49 1",
            ],
            &["Not in the codes: Pager."],
        ),
        (
            "Name;Telefon privat;Telefax\nAnna Bos;+49 89 1;+49 89 3\n",
            &["TEL;TYPE=home:+49 89 1", "TEL;TYPE=fax:+49 89 3"],
            &[],
        ),
        (
            "Förnamn;Efternamn;Telefon, arbete;Telefon, hem;Mobiltelefon\nAnna;Bos;+46 1;+46 2;+46 3\n",
            &["TEL;TYPE=voice:+46 1", "TEL;TYPE=cell:+46 3", "TEL;TYPE=home:+46 2"],
            &[],
        ),
        (
            "Imię;Nazwisko;Telefon służbowy;Telefon domowy;Telefon komórkowy\nAnna;Bos;+48 1;+48 2;+48 3\n",
            &["TEL;TYPE=voice:+48 1", "TEL;TYPE=cell:+48 3", "TEL;TYPE=home:+48 2"],
            &[],
        ),
        (
            "Etunimi;Sukunimi;Työpuhelin;Kotipuhelin;Matkapuhelin\nAnna;Bos;+358 1;+358 2;+358 3\n",
            &["TEL;TYPE=voice:+358 1", "TEL;TYPE=cell:+358 3", "TEL;TYPE=home:+358 2"],
            &[],
        ),
        (
            "Vezetéknév;Keresztnév;Munkahelyi telefon;Otthoni telefon\nBos;Anna;+36 1;+36 2\n",
            &["TEL;TYPE=voice:+36 1", "TEL;TYPE=home:+36 2"],
            &[],
        ),
        (
            "Nome próprio;Apelido;Telefone comercial;Telefone particular\nAnna;Bos;+351 1;+351 2\n",
            &["TEL;TYPE=voice:+351 1", "TEL;TYPE=home:+351 2"],
            &[],
        ),
        ("Name;Vorname;Telefon;Durchwahl\nBos;Anna;089 1234-;56\n", &["TEL;TYPE=voice:089 1234-56"], &[]),
        ("Name;Vorname;Telefon;Durchwahl\nBos;Anna;089 1234-0;56\n", &["TEL;TYPE=voice:089 1234-56"], &[]),
        ("Name;Vorname;Telefon;Durchwahl\nBos;Anna;089–1234–0;56\n", &["TEL;TYPE=voice:089-1234-56"], &[]),
        ("Name;Telefon\nBos;+49 (0)89–1234‑56\n", &["TEL;TYPE=voice:+49 89-1234-56"], &[]),
        (
            "Name;Vorname;Telefon;Durchwahl\nBos;Anna;089 1234;56\n",
            &["TEL;TYPE=voice:089 1234"],
            &[
                "1 extension is not in the codes: it depends on the country where it stands; the first is in row 2, column D. Choose the \
              country of the numbers.",
            ],
        ),
        (
            "Name;Direct line;Ext\nBos;+44 1632 960101;101\n",
            &["TEL;TYPE=voice:+44 1632 960101"],
            &["Not in the codes: Ext."],
        ),
        ("Name;Telefon (direkt);Nebenstelle\nBos;089 1234-0;15\n", &["TEL;TYPE=voice:089 1234-15"], &[]),
        ("Name;Phone;Ext\nBos;+49 89 1234;56\n", &["TEL;TYPE=voice:+49 89 1234\\,56"], &[]),
        (
            "Name;Direct dial\nBos;56\n",
            &["TEL;TYPE=voice:56"],
            &[
                "1 telephone number has five digits at most: phones cannot dial an extension without the number before it; the first is in \
                row 2, column B.",
            ],
        ),
        ("Name;Telefon\nBos;089 1234-\n", &["TEL;TYPE=voice:089 1234"], &[]),
        (
            "Name;Mobil;Telefon\nBos;+44 20 7946 0958, +44 7700 900123;0711 123400 / 0171 1234500\n",
            &[
                "TEL;TYPE=voice:0711 123400",
                "TEL;TYPE=cell:+44 20 7946 0958",
                "TEL;TYPE=voice:+44 7700 900123",
            ],
            &["1 cell has several values, of which the first is used; the first is in row 2, column C."],
        ),
        (
            "Name;Mobil;Telefon\nBos;0711/123400;089 / 1234 56\n",
            &["TEL;TYPE=voice:089 / 1234 56", "TEL;TYPE=cell:0711/123400"],
            &[],
        ),
        (
            "Name;Telefon\nBos;089 1234-10 / -11\n",
            &["TEL;TYPE=voice:089 1234-10"],
            &["1 cell has several values, of which the first is used; the first is in row 2, column B."],
        ),
        ("Name;Téléphone\nBos;04 93 00 00 00\n", &["TEL;TYPE=voice:04 93 00 00 00"], &[]),
    ] {
        assert_numbers(csv, lines, notices);
    }
}

#[test]
fn cells_of_contacts_with_two_things_are_taken_apart() {
    let read_as_proposed = |csv: &str| {
        let proposal = read(csv, &Choices::default()).0.proposal.unwrap_or_else(|| panic!("{csv}"));
        let fields =
            proposal.fields.iter().map(|(field, column)| ((*field).to_owned(), ColumnChoice::At(*column)));
        let composition =
            Composition::Kind { kind: proposal.kind, fields: fields.collect(), are_open: false };
        items(csv, &Choices { composed: vec![(Role::Data, composition)], ..Choices::default() })
    };
    for (csv, name, lines) in [
        (
            "Nachname, Vorname;Str. / Nr.;PLZ/Ort;Tel.;Mail\nMüller, Anna;Ringweg 5;80331 Bad Tölz;+49 89 1;a@b.example\n",
            "Anna Müller",
            &["N:Müller;Anna;;;", "FN:Anna Müller", "ADR:;;Ringweg 5;Bad Tölz;;80331;"][..],
        ),
        (
            "Name, Vorname;PLZ Ort;Telefon\nStadtwerke;Bad Tölz;+49 89 1\n",
            "Stadtwerke",
            &["N:Stadtwerke;;;;", "FN:Stadtwerke", "ADR:;;;Bad Tölz;;;"],
        ),
        (
            "Naam;Postcode en plaats;Telefoon\nAnna Bos;1017 GC Amsterdam;+31 1\n",
            "Anna Bos",
            &["ADR:;;;Amsterdam;;1017 GC;"],
        ),
        (
            "Namn;Postnummer och ort;Telefon\nAnna Bos;111 22 Stockholm;+46 1\n",
            "Anna Bos",
            &["ADR:;;;Stockholm;;111 22;"],
        ),
        (
            "Vorname, Nachname;Telefon;Firma\nAnna Bos;+49 1;ACME\n",
            "Anna Bos",
            &["N:Anna Bos;;;;", "FN:Anna Bos"],
        ),
        (
            "Nombre;Apellidos;Calle;Número;Piso;Teléfono\nAna;Bos;Calle Mayor;1;3º B;+34 1\n",
            "Ana Bos",
            &["ADR:;;Calle Mayor 1\\, 3º B;;;;"],
        ),
        (
            "Nom;Prénom;N°;Rue;Ville;Téléphone\nDupont;Anne;12;rue de Lyon;Paris;+33 1\n",
            "Anne Dupont",
            &["ADR:;;12 rue de Lyon;Paris;;;"],
        ),
        (
            "Vezetéknév;Keresztnév;Telefonszám\nNagy;Anna;+36 1\n",
            "Nagy Anna",
            &["N:Nagy;Anna;;;", "FN:Nagy Anna"],
        ),
    ] {
        let found = read_as_proposed(csv);
        let data = found[0]["data"].as_str().unwrap();
        for line in lines {
            assert!(data.contains(&format!("\r\n{line}\r\n")), "{csv} {line} {data}");
        }
        assert_eq!(found[0]["filename"], name, "{csv}");
    }
    // A city that stands in a column of its own, too.
    let (report, found) = read(
        "Name;PLZ/Ort;Ort\nBos;80331 München;Bad Tölz\n",
        &Choices { composed: vec![kind("contact", &[])], ..Choices::default() },
    );
    assert!(found[0]["data"].as_str().unwrap().contains("\r\nADR:;;;Bad Tölz;;;\r\n"));
    assert_eq!(report.notices, ["Not in the codes: PLZ/Ort."]);
}

#[test]
fn no_second_scheme_is_written_before_whole_links() {
    for (link, data) in [
        ("shop.example/2", "https://shop.example/2"),
        ("shop.example:8080/ä", "https://shop.example:8080/%C3%A4"),
        ("intranet", "https://intranet"),
        ("shop.example/my file", "https://shop.example/my%20file"),
        ("zie 1", "zie 1"),
        ("siehe Abschnitt 2.3", "siehe Abschnitt 2.3"),
        ("https://shop.example/1", "https://shop.example/1"),
        ("HTTP://shop.example/ä", "HTTP://shop.example/ä"),
        ("htps://shop.example", "htps://shop.example"),
        ("tel:110", "tel:110"),
    ] {
        let choices = Choices {
            composed: vec![(Role::Data, Composition::Pattern("https://{+Link}".to_owned()))],
            ..Choices::default()
        };
        assert_eq!(items(&format!("Link\n{link}\n"), &choices)[0]["data"], data);
    }
}

/// As SAP saves a list without converting it.
#[test]
fn lists_of_sap_are_tables() {
    let csv = "Lieferantenliste\n\n-----------------------------------------\n|Name 1    |PLZ  |Ort    |Telefon 1  |\n\
        |----------|-----|-------|-----------|\n|ACME GmbH |80331|München|+49 89 1   |\n|Bos AG    |50667|Köln   |           |\n\
        -----------------------------------------\n";
    let (report, _) = read(csv, &Choices::default());
    assert_eq!(report.proposal.map(|proposal| proposal.kind), Some(Kind::Contact));
    let (report, found) = read(csv, &Choices { composed: vec![kind("contact", &[])], ..Choices::default() });
    assert_eq!((report.problems, found.len()), (vec![], 2));
    assert_eq!(report.notices, ["Row 1 is not used: it stands above the names of the columns."]);
    let data = found[0]["data"].as_str().unwrap();
    for line in ["FN:ACME GmbH", "TEL;TYPE=voice:+49 89 1", "ADR:;;;München;;80331;"] {
        assert!(data.contains(&format!("\r\n{line}\r\n")), "{data}");
    }
    // A line of hyphens is none where commas separate the cells.
    assert_eq!(items("data,name\n---,a\n", &Choices::default())[0]["data"], "---");
}

#[test]
fn contacts_with_a_name_alone_are_left_out_of_a_list_of_others() {
    let read = |csv: &str, leaves_placeholders| {
        let composed = vec![kind("contact", &[])];
        read(csv, &Choices { composed, leaves_placeholders, ..Choices::default() })
    };
    let csv = "Name;Position;Phone\nunfilled;;\nEva;;1\nN.N.;;\nAda;CTO;2\nUdo;CEO;\nIna;;3\n\nTotal: 2;;\n";
    let (report, found) = read(csv, false);
    assert_eq!((report.name_rows, report.placeholder_rows, report.faulty_rows, found.len()), (2, 3, 0, 7));
    assert_eq!(report.placeholder_places, [2, 4, 9]);
    let (report, found) = read(csv, true);
    assert_eq!((report.name_rows, report.placeholder_rows, report.faulty_rows, found.len()), (2, 3, 3, 4));
    assert_eq!(
        sentences(&report),
        [
            "Row 2: the row holds nothing but the name “unfilled”.",
            "Row 4, column A (Name): the cell holds the placeholder “N.N.”.",
            "Row 9: the row holds nothing but the name “Total: 2”.",
        ]
    );
    // Rows below find the columns, and are read once more for it.
    let (report, found) = read("Bedrijf;Naam;Tel.\nBakker BV;Jan Bakker;1\nTotaal;1 contact;\n", true);
    assert_eq!((report.name_rows, report.faulty_rows, found.len()), (1, 1, 1));
    // Headings may be as many as contacts. The choice that leaves the total out leaves out all of them.
    let csv = "Vorname;Nachname;Telefon\nVorstand;;\nPetra;Klein;+49 711 1234567\nTrainer;;\n\
        Jan;Groß;+49 711 1234568\nHinweis: Bitte melden;;\nGesamt;2;\n";
    let (report, found) = read(csv, false);
    assert_eq!((report.name_rows, report.placeholder_rows, found.len()), (4, 4, 6));
    let (report, found) = read(csv, true);
    assert_eq!((report.name_rows, report.faulty_rows, found.len()), (4, 4, 2));
    // A text that is no name is left out where nobody can be reached.
    let csv = "Name;Phone\nEva;\nAda;\nUdo;\nSumme 3;\nMade by:;\n";
    let (report, found) = read(csv, false);
    assert_eq!((report.name_rows, report.placeholder_rows, found.len()), (2, 2, 5));
    let (report, found) = read(csv, true);
    assert_eq!((report.name_rows, report.faulty_rows, found.len()), (2, 2, 3));
}

#[test]
fn links_in_angle_brackets_are_taken_without_them() {
    let csv = "Name;Link\nA;<https://a.example/7>\nB; < HTTP://a.example/8 > \nC;a <https://a.example/9>\nD;<https://a.example/<id>\n";
    let found = items(csv, &Choices::default());
    let data: Vec<&str> =
        found.as_array().unwrap().iter().map(|item| item["data"].as_str().unwrap()).collect();
    let expected =
        ["https://a.example/7", "HTTP://a.example/8", "a <https://a.example/9>", "<https://a.example/<id>"];
    assert_eq!(data, expected);
    let contact = Choices { composed: vec![kind("contact", &[])], ..Choices::default() };
    let found = items("Name;Website\nEva;<https://a.example/>\n", &contact);
    assert!(found[0]["data"].as_str().unwrap().contains("URL:https://a.example/\r\n"));
}

#[test]
fn cells_that_stand_for_nothing_are_told() {
    let told = |name: &str, csv: &str| {
        let (report, _) = read(csv, &Choices { composed: vec![kind(name, &[])], ..Choices::default() });
        assert_eq!(report.problems, [], "{csv}");
        report.notices.into_iter().filter(|notice| notice.contains("placeholder")).collect::<Vec<_>>()
    };
    let networks = "SSID;Password;Hidden;Type\nCafé;Sommer-2026;x;WPA2\nBar;********;;\nInn;siehe Aushang;x;WPA2\nDen;xxxxxxxx;;WPA\nOpen;;;none\n";
    let sentence =
        "3 cells hold a placeholder, such as “********” (row 3, column B). They are in the codes.".to_owned();
    assert_eq!(told("wifi", networks), [sentence]);
    let contacts = "Name;Organisation;Phone;City\nEva;AAA;+49 221 4711;Au\nUdo;X AG;+49 221 0000000;Köln\nIna;;0221 4711-0;\n";
    let sentence =
        "1 cell holds a placeholder: “+49 221 0000000” (row 3, column C). It is left out.".to_owned();
    assert_eq!(told("contact", contacts), [sentence]);
    let goods = "GTIN;Lot\n4006381333931;n/a\n4006381333931;000\n";
    let sentence = "1 cell holds a placeholder: “n/a” (row 2, column B). It is left out.".to_owned();
    assert_eq!(told("digital-link", goods), [sentence]);
    let contact = Choices { composed: vec![kind("contact", &[])], ..Choices::default() };
    let (report, found) = read("Name;Phone;E-Mail\nEva;-;n/a\ntba;030 1;e@a.example\n", &contact);
    let data = found[0]["data"].as_str().unwrap();
    assert!(!data.contains("TEL") && !data.contains("EMAIL"), "{data}");
    assert_eq!((report.placeholder_rows, report.name_rows), (2, 1));
    let none: Vec<String> = Vec::new();
    assert_eq!(told("payment", "Payee;IBAN;Amount;Text\nEva;DE89370400440532013000;5;Invoice 1\n"), none);
    // Links have a warning of their own.
    let csv = "Link;Caption\nhttps://a.example;-\nLink folgt;b\nhttps://a.example/{ID};c\n";
    let (report, _) = read(csv, &Choices::default());
    assert_eq!(report.notices.iter().filter(|notice| notice.contains("placeholder")).count(), 0);
    assert_eq!((report.placeholder_rows, report.faulty_rows, report.items), (2, 0, 3));
    let (report, found) = read(csv, &Choices { leaves_placeholders: true, ..Choices::default() });
    assert_eq!((report.placeholder_rows, report.faulty_rows, found.len()), (2, 2, 1));
    let (totals, _) = read("data\nSN-1\nSN-2\nSumme: 2\nGesamt\nTotal SA\n", &Choices::default());
    assert_eq!((totals.placeholder_rows, totals.items), (2, 5));
    assert_eq!(
        report.sentence(&report.problems[0]),
        "Row 3, column A (Link): the cell holds the placeholder “Link folgt”."
    );
}

#[test]
fn passwords_of_several_words_are_told() {
    let wifi = Choices { composed: vec![kind("wifi", &[])], ..Choices::default() };
    let told = |csv: &str| read(csv, &wifi).0.notices;
    assert_eq!(
        told("SSID,Password\na,see router\nb,abcdefgh1\nc,an der Rezeption fragen\n"),
        [
            "2 passwords have several words, such as “see router” (row 2, column B). Check that they are no notes."
        ]
    );
    assert_eq!(
        told("SSID,Password\na,abcdefgh1\nb,ask at desk\n"),
        ["1 password has several words: “ask at desk” (row 3, column B). Check that it is no note."]
    );
    assert!(!told("SSID,Password\na,kein Passwort\n").iter().any(|notice| notice.contains("several words")));
    let of_users =
        "The column B (Benutzername) is not in the codes: a network that asks each person for a name";
    let has = |list: &str| told(list).iter().any(|notice| notice.contains(of_users));
    assert!(has("SSID,Benutzername,Passwort\na,anna,welcome-1\n"));
    assert!(!has("SSID,Benutzername,Passwort\na,,welcome-1\n"));
}

#[test]
fn numbers_of_one_country_are_told_where_their_row_names_another() {
    let told = |kind: &str, sheet: &str, code: &str| {
        let (report, _) = read(sheet, &in_country(kind, code));
        assert_eq!(report.problems, [], "{sheet}");
        report.notices.into_iter().find(|notice| notice.contains(" became "))
    };
    let sheet = "Nachname;Vorname;Standort;Telefon;Durchwahl;Mobil;E-Mail\n\
        Lang;Eva;Konstanz;07531 / 22 14 - 0;12;0171 2345678;lang@physio.de\n\
        Bos;Jan;Konstanz;07531 / 22 14 - 0;13;;bos@physio.de\n\
        Huber;Ida;Bregenz (AT);+43 5574 / 43 210-12;;0664 1234567;huber@physio.de\n\
        Frei;Urs;Kreuzlingen (CH);071 672 31 40;;;frei@physio.ch\n";
    assert_eq!(
        told("contact", sheet, "49").unwrap(),
        "2 numbers became ones of +49 although their rows have +43 or a .ch address: rows 4 and 5. If they are of another country, write that \
         country's code in front, or add a column “Country” or “Land”, and choose the country of each row."
    );
    for (kind, sheet, code, expected) in [
        (
            "contact",
            "Name;Telefon;Mobil\nA;0043 5574 43210;0664 1234567\n",
            "49",
            "1 number became one of +49 although its row has +43: row 2.",
        ),
        (
            "contact",
            "Name;Telefon;Mobil;Web\nA;071 672 31 40;079 123 45 67;www.physio.ch/kontakt\n",
            "49",
            "2 numbers became ones of +49 although their row has a .ch address: row 2.",
        ),
        (
            "phone",
            "Filiale;Telefon;E-Mail\nA;071 672 31 40;a@physio.ch\n",
            "49",
            "1 number became one of +49 although its row has a .ch address: row 2.",
        ),
        (
            "sms",
            "Mobil;Nachricht;Website\n0664 1234567;Hallo;https://physio.at\n",
            "49",
            "1 number became one of +49 although its row has a .at address: row 2.",
        ),
        (
            "contact",
            "Name;Telefon;E-Mail\nA;01 234 5678;a@shop.co.uk\n",
            "353",
            "1 number became one of +353 although its row has a .uk address: row 2.",
        ),
    ] {
        let notice = told(kind, sheet, code).unwrap_or_else(|| panic!("{sheet}"));
        assert!(notice.starts_with(expected), "{notice}");
    }
    let sheet = "Name;Telefon;Land;E-Mail\nA;071 672 31 40;CH;a@physio.ch\nB;07531 2214;DE;b@physio.de\n";
    let notice = told("contact", sheet, "49").unwrap();
    assert!(
        notice.ends_with("in front, or choose the country of each row in the column C (Land)."),
        "{notice}"
    );
    for (kind, sheet, code) in [
        ("contact", "Name;Telefon;E-Mail\nA;07531 2214;a@physio.de\n", "49"),
        (
            "contact",
            "Name;Telefon;E-Mail\nA;07531 2214;a@physio.com\nB;07531 2215;b@physio.io\nC;07531 2216;c@a.me\n",
            "49",
        ),
        (
            "contact",
            "Name;Telefon;E-Mail\nA;0664 1234567;a@gmx.de\nB;0664 1234568;b@t-online.de\nC;0664 1234569;c@hotmail.fr\n",
            "43",
        ),
        ("contact", "Name;Telefon;E-Mail;Web\nA;02 123 45 67;a@x.nl;www.x.be\n", "32"),
        // Nothing is added to a number with its code.
        ("contact", "Name;Telefon;E-Mail\nA;+43 5574 43210;a@physio.at\nB;112;b@physio.at\n", "49"),
        // A number of the country says more than an address.
        ("contact", "Name;Telefon;Mobil;E-Mail\nA;07531 2214;+49 171 2345678;a@physio.ch\n", "49"),
        ("contact", "Name;Telefon;Mobil\nA;07531 2214;0049 171 2345678\n", "49"),
        ("contact", "Name;Telefon;Notiz\nA;07531 2214;kommt von a@physio.ch\n", "49"),
        ("contact", "Name;Telefon;Notiz\nA;07531 2214;physio.ch\n", "49"),
        ("phone", "Filiale;Telefon;Lager\nA;07531 2214;0043\n", "49"),
        ("contact", "Name;Telefon;Fax\nA;07531 2214;0043\n", "49"),
        ("contact", "Name;Telefon;Mobil;E-Mail\nA;071 672 31 40;+43 664 1234567;a@physio.ch\n", "row"),
    ] {
        assert_eq!(told(kind, sheet, code), None, "{sheet}");
    }
}

#[test]
fn numbers_behind_00_with_a_known_code_need_no_country() {
    for (kind, sheet, data) in [
        ("phone", "Telefon\n0043 664 1234567\n", "tel:+436641234567"),
        ("phone", "Telefon\n0041 (0)44 123 45 67\n", "tel:+41441234567"),
        ("phone", "Telefon\n0043 1 234567 DW 15\n", "tel:+43123456715"),
        ("sms", "Mobil;Nachricht\n0043 664 1234567;Hallo\n", "SMSTO:+436641234567:Hallo"),
    ] {
        for code in ["", "49", "row"] {
            let (report, found) = read(sheet, &in_country(kind, code));
            assert_eq!((report.asks_for_country, report.national_numbers), (false, 0), "{sheet}");
            assert_eq!(found[0]["data"], data, "{sheet} {code}");
        }
    }
    let (report, _) = read("Telefon\n0043 664 1234567\n0171 2345678\n", &in_country("phone", ""));
    assert_eq!((report.asks_for_country, report.national_numbers, report.problems.len()), (true, 1, 1));
    for number in ["00999 123456", "0041 44 123", "00800 1234 5678"] {
        let (report, found) = read(&format!("Telefon\n{number}\n"), &in_country("phone", ""));
        assert_eq!((report.asks_for_country, found.len()), (true, 0), "{number}");
    }
}

#[test]
fn a_column_of_degrees_in_pairs_is_taken_for_a_place() {
    let place = Choices { composed: vec![kind("geo", &[])], ..Choices::default() };
    let sheet = "Filiale;Lage\nA;47.6593, 9.1775\nB;47.5031, 9.7471\n";
    let (report, found) = read(sheet, &place);
    assert_eq!((report.problems.len(), report.asks_for_field), (0, None));
    assert_eq!(found[1]["data"], "geo:47.5031,9.7471");
    for sheet in [
        "Filiale;Lage\nA;47.6593, 9.1775\nB;Seestr. 5\n",
        "Filiale;Lage\nA;47.65, 9.17\n",
        "Filiale;Lage\nA;47.6593, 190.1775\n",
        "Filiale;Lage\nA;1.234 5.678\n",
        "Filiale;Anfang;Ende\nA;47.6593, 9.1775;47.5031, 9.7471\n",
    ] {
        assert_eq!(read(sheet, &place).0.asks_for_field, Some("latitude"), "{sheet}");
    }
    // The studio names the field that it asks for.
    let (role, mut asked) = kind("geo", &[]);
    if let Composition::Kind { fields, .. } = &mut asked {
        fields.push(("latitude".to_owned(), ColumnChoice::Recognised));
    }
    let asked = Choices { composed: vec![(role, asked)], ..Choices::default() };
    assert_eq!(read(sheet, &asked).1.len(), 2);
    let named = Choices { composed: vec![kind("geo", &[("latitude", "Filiale")])], ..Choices::default() };
    assert!(!read("Filiale;Lage\nA;47.6593, 9.1775\n", &named).0.problems.is_empty());
}

#[test]
fn notes_below_networks_lack_no_password() {
    let choices = Choices { composed: vec![kind("wifi", &[])], ..Choices::default() };
    let (report, items) = read("SSID;Passwort\nGast;geheim123\nHinweis: nicht weitergeben;\n", &choices);
    assert_eq!((report.passwordless_networks, report.faulty_rows, items.len()), (0, 1, 1));
    assert!(report.notices.iter().all(|notice| !notice.contains("password")), "{:?}", report.notices);
}
