//! Files as programs export them: contacts, networks and events, with the columns that each program writes.

use std::fs;

use qrpress_spreadsheet::{ColumnChoice, Composition, Kind, ReadRequest, Report, Role, read_spreadsheet};

use crate::composed::{Choices, items, kind, read};
use crate::workbook::request;

/// The code of the first row, of the kind that the sheet proposes.
fn code(csv: &str) -> String {
    let proposed = read(csv, &Choices::default()).0.proposal.map(|proposal| proposal.kind);
    let name = proposed.map_or("none", Kind::name);
    let found = items(csv, &Choices { composed: vec![kind(name, &[])], ..Choices::default() });
    assert_eq!(found[0].get("caption"), None, "{found}");
    found[0]["data"].as_str().unwrap().to_owned()
}

#[test]
fn contacts_of_mail_programs_are_found_in_their_languages() {
    for (csv, lines) in [
        (
            "Titre,Prénom,Nom,Société,Service,Titre professionnel,Rue (bureau),Rue (bureau) 2,Ville (bureau),Code postal (bureau),\
            Pays/Région (bureau),Rue (domicile),Pays/Région (domicile),Téléphone (bureau),Téléphone 2 (bureau),Tél. mobile,\
            Adresse de messagerie,Type de messagerie,Nom complet de l'adresse de messagerie,Page Web\n\
            Mme,Zoé,Bézier,Ça SA,,Directrice,3 rue Haute,,Lyon,69001,France,9 privée,,+33 4 11,,+33 6 11,zoe@ca.fr,SMTP,\
            Zoé (zoe@ca.fr),http://ca.fr\n",
            &[
                "N:Bézier;Zoé;;;",
                "FN:Zoé Bézier",
                "TITLE:Directrice",
                "TEL;TYPE=voice:+33 4 11",
                "TEL;TYPE=cell:+33 6 11",
                "EMAIL:zoe@ca.fr",
                "URL:http://ca.fr",
                "ADR:;;3 rue Haute;Lyon;;69001;France",
            ][..],
        ),
        (
            "First Name,Last Name,Display Name,Primary Email,Secondary Email,Work Phone,Mobile Number,Home Address,Work Address,\
            Work Address 2,Job Title,Department,Organization,Web Page 1,Web Page 2\n\
            Ann,Lee,Ann Lee,a@x.ie,,+353 1 1,+353 87 1,1 Home,2 Work,Floor 3,Boss,Ops,Acme,https://x.ie,\n",
            &[
                "N:Lee;Ann;;;",
                "ORG:Acme;Ops",
                "EMAIL:a@x.ie",
                "URL:https://x.ie",
                "ADR:;;2 Work;;;;",
                "TEL;TYPE=cell:+353 87 1",
            ],
        ),
        (
            "Vorname,Nachname,Primäre E-Mail-Adresse,Sekundäre E-Mail-Adresse,Tel. dienstlich,Fax-Nummer,Mobil-Tel.-Nr.,\
            Privat: Adresse,Privat: PLZ,Dienstlich: Adresse,Dienstlich: PLZ,Arbeitstitel,Webseite 1\n\
            Ann,Lee,a@x.de,,+49 1 1,,+49 17 1,Heim 1,53111,Werk 2,50667,Chefin,https://x.de\n",
            &[
                "EMAIL:a@x.de",
                "TEL;TYPE=voice:+49 1 1",
                "TEL;TYPE=cell:+49 17 1",
                "TITLE:Chefin",
                "URL:https://x.de",
                "ADR:;;Werk 2;;;50667;",
            ],
        ),
        (
            "Fornavn,Efternavn,Mobil,Postnr.,By\nSøren,Ægir,2,2100,København\n",
            &["N:Ægir;Søren;;;", "ADR:;;;København;;2100;"],
        ),
        ("Nome próprio,Apelido,Telefone\nJoão,Reis,21\n", &["N:Reis;João;;;"]),
        (
            "Meno;Priezvisko;Titul;Pozícia;Telefón\nEva;Malá;Ing.;riaditeľka;1\n",
            &["N:Malá;Eva;;Ing.;", "TITLE:riaditeľka"],
        ),
        (
            "Nume,Prenume,Funcție,Companie,Telefon,Cod poștal,Oraș,Țară\nPop,Ana,director,Șoim SRL,1,010101,Iași,România\n",
            &["N:Pop;Ana;;;", "TITLE:director", "ORG:Șoim SRL", "ADR:;;;Iași;;010101;România"],
        ),
    ] {
        let code = code(csv);
        for line in lines {
            assert!(code.contains(&format!("\r\n{line}\r\n")), "{line} {code}");
        }
    }
}

#[test]
fn salutations_are_neither_jobs_nor_captions() {
    for (salutation, degree, job) in [
        ("Mme", "", ""),
        ("Herr Dr.", "Dr. ", ""),
        ("Directrice", "", "TITLE:Directrice\r\n"),
        ("Sr Engineer", "", "TITLE:Sr Engineer\r\n"),
    ] {
        let csv = format!("Titre;Prénom;Nom;Courriel\n{salutation};Zoé;Bos;z@a.fr\n");
        assert!(code(&csv).contains(&format!("FN:{degree}Zoé Bos\r\n{job}EMAIL")), "{}", code(&csv));
        let report = read(&csv, &Choices { composed: vec![kind("contact", &[])], ..Choices::default() }).0;
        assert_eq!(report.columns[0].field, (!job.is_empty()).then_some("title"));
        let is_left_out = job.is_empty() && degree.is_empty();
        assert_eq!(report.notices.len(), usize::from(is_left_out), "{:?}", report.notices);
    }
}

#[test]
fn networks_are_hidden_and_encrypted_by_any_of_the_words() {
    for (csv, expected) in [
        (
            "Chambre;SSID;Mot de passe;Type de sécurité;Réseau masqué\n1;Hotel;clefs1234;WPA2;oui\n",
            "WIFI:T:WPA;S:Hotel;P:clefs1234;H:true;;",
        ),
        ("Camera;Nome rete;Password;Tipo di sicurezza\n2;Libero;;Nessuna\n", "WIFI:T:nopass;S:Libero;;"),
        ("Location,WiFi Name,WiFi Password,Encryption Type\nBar,Bar,letmein12,WEP2\n", ""),
        (
            "Room,SSID,PSK,Security,Hidden\n1,Guest,\"pass,word;1\",wpapsk,TRUE\n2,Other,\"pass,word;1\",WPA2,no\n",
            "WIFI:T:WPA;S:Guest;P:pass\\,word\\;1;H:true;;",
        ),
    ] {
        let wifi = Choices { composed: vec![kind("wifi", &[])], ..Choices::default() };
        let (report, found) = read(csv, &wifi);
        match expected {
            "" => assert_eq!(report.problems[0].column, Some(3), "{csv}"),
            _ => assert_eq!(found[0]["data"], expected, "{csv} {:?}", report.problems),
        }
    }
}

#[test]
fn separators_in_quotes_separate_nothing() {
    let wifi = Choices { composed: vec![kind("wifi", &[])], ..Choices::default() };
    let csv = "Room,SSID,Password\n1,Guest,\"pass,word;1\"\n2,Guest,\"pass \"\"word\"\";,2\"\n";
    let (report, _) = read(csv, &Choices::default());
    assert_eq!(report.proposal.unwrap().kind, Kind::Wifi);
    assert_eq!(items(csv, &wifi)[1]["data"], "WIFI:T:WPA;S:Guest;P:pass \\\"word\\\"\\;\\,2;;");
}

#[test]
fn events_of_whole_days_are_so() {
    for (csv, dates) in [
        (
            "Subject,Start Date,Start Time,End Date,End Time,All day event,Location\n\
            Fair,12/18/2026,12:00:00 AM,12/20/2026,12:00:00 AM,True,Hall\n",
            "DTSTART;VALUE=DATE:20261218\r\nDTEND;VALUE=DATE:20261220\r\n",
        ),
        (
            "Betreff,Beginnt am,Beginnt um,Endet am,Endet um,Ganztägiges Ereignis,Ort\n\
            Messe,18.12.2026,00:00:00,19.12.2026,00:00:00,Ein,Halle\n",
            "DTSTART;VALUE=DATE:20261218\r\nDTEND;VALUE=DATE:20261219\r\n",
        ),
        (
            "Wydarzenie;Data;Godzina rozpoczęcia;Godzina zakończenia;Lokalizacja\nTargi;18.12.2026;0:00;23:59;Hala\n",
            "DTSTART;VALUE=DATE:20261218\r\nDTEND;VALUE=DATE:20261219\r\nSUMMARY:Targi\r\nLOCATION:Hala\r\n",
        ),
        (
            "DTSTART,DTEND,SUMMARY,LOCATION\n20261218T180000Z,20261218T200000Z,Fest,Hall\n",
            "DTSTART:20261218T180000Z\r\nDTEND:20261218T200000Z\r\nSUMMARY:Fest\r\nLOCATION:Hall\r\n",
        ),
        (
            "Event;Start;End\nFest;2026-12-18 00:00;2026-12-18 12:00\n",
            "DTSTART:20261218T000000\r\nDTEND:20261218T120000\r\n",
        ),
    ] {
        assert!(code(csv).contains(dates), "{}", code(csv));
    }
}

#[test]
fn references_of_invoices_are_the_text_of_payments() {
    let csv = "Payee,IBAN,Amount (EUR),Paid amount,Reference\nAcme,IE29AIBK93115212345678,12.50,0.00,X1\n";
    let proposal = read(csv, &Choices::default()).0.proposal.unwrap();
    assert_eq!((proposal.kind, proposal.fields.last()), (Kind::Payment, Some(&("text", 4))));
    let payment =
        Choices { composed: vec![kind("payment", &[("amount", "Amount (EUR)")])], ..Choices::default() };
    let data = "BCD\n002\n1\nSCT\n\nAcme\nIE29AIBK93115212345678\nEUR12.50\n\n\nX1";
    assert_eq!(items(csv, &payment)[0]["data"], data);
}

#[test]
fn payments_are_proposed_by_their_accounts() {
    for (csv, place) in [
        ("Beneficiary Name,Beneficiary IBAN,Amount\nAcme,IE29AIBK93115212345678,12.50\n", 1),
        ("Beneficiario;Cuenta IBAN;Importe\nSoc;ES9121000418450200051332;5\n", 1),
        ("Odbiorca;Numer konta;Kwota\nSoc;PL61109010140000071219812874;5\n", 1),
        ("Lieferant;Rechnung;IBAN;Zahlbetrag\nSoc;1;DE89370400440532013000;5\n", 2),
        ("Beneficiar;IBAN;Sumă;Detalii plată\nSoc;RO49AAAA1B31007593840000;5;F 1\n", 1),
    ] {
        let proposal = read(csv, &Choices::default()).0.proposal.unwrap();
        assert_eq!(proposal.kind, Kind::Payment, "{csv}");
        assert_eq!(proposal.fields[..2], [("name", 0), ("iban", place)], "{csv}");
    }
    let two = "Payee,Payer IBAN,Payee IBAN,Amount\nAcme,IE29AIBK93115212345678,ES9121000418450200051332,5\n";
    let payment = Choices { composed: vec![kind("payment", &[])], ..Choices::default() };
    assert!(read(two, &payment).0.asks_for_columns);
}

#[test]
fn dates_of_products_are_found() {
    for (csv, end) in [
        (
            "Artikel;GTIN/EAN;Losnummer;Mindesthaltbarkeitsdatum;Herstellungsdatum\nKäse;4006381333931;L1;31.03.2027;01.11.2026\n",
            "/10/L1?11=261101&15=270331",
        ),
        ("Item,GTIN,Lot,Best before\nPill,4006381333931,B1,03/2027\n", "/10/B1?15=270300"),
    ] {
        assert!(code(csv).ends_with(end), "{}", code(csv));
    }
    let link = Choices { composed: vec![kind("digital-link", &[])], ..Choices::default() };
    let (report, _) = read("GTIN,Expiry\n4006381333931,spring 2027\n", &link);
    let told = "Row 2, column B (Expiry): write the date as 2026-01-31, 31.01.2026 or 260131, and a month alone as 2026-01 or 01/2026.";
    assert_eq!(report.sentence(&report.problems[0]), told);
}

#[test]
fn references_by_any_name_are_taken_or_named() {
    for name in ["Ref", "Ref.", "Referens", "Referencja", "Reference"] {
        let csv = |value: &str| {
            format!(
                "Zahlungsempfänger;IBAN;Betrag;{name};Verwendungszweck\nA;DE89370400440532013000;10,00;{value};\n"
            )
        };
        let choices = Choices { composed: vec![kind("payment", &[])], ..Choices::default() };
        let found = items(&csv("RF18539007547034"), &choices);
        assert!(
            found[0]["data"].as_str().unwrap().ends_with("EUR10.00\n\nRF18539007547034"),
            "{name} {found}"
        );
        // A number of an invoice is the text of a payment that has no other.
        let (report, _) = read(&csv("F100"), &choices);
        assert_eq!(report.notices, [""; 0]);
        let found = items(&csv("F100"), &choices);
        assert!(found[0]["data"].as_str().unwrap().ends_with("EUR10.00\n\n\nF100"), "{name} {found}");
        let (report, _) = read(&csv("F100").replace(";\n", ";Thanks\n"), &choices);
        assert!(
            report.notices.concat().contains("1 reference is not in the codes"),
            "{name} {:?}",
            report.notices
        );
    }
}

#[test]
fn creditor_references_go_before_texts() {
    let csv = "Payee;IBAN;Amount;RF reference;Text\n\
        A;DE89370400440532013000;10;RF18 5390 0754 7034;Invoice 1\n\
        A;DE89370400440532013000;11;;Invoice 2\n\
        A;DE89370400440532013000;12;RF18539007547034;RF18 5390 0754 7034\n";
    let choices = Choices { composed: vec![kind("payment", &[])], ..Choices::default() };
    let (report, _) = read(csv, &choices);
    assert_eq!(
        report.notices,
        [
            "1 text is not in the codes, which have the reference of the creditor (RF…) in its place; the first is in row 2, column E."
        ]
    );
    let found = items(csv, &choices);
    for (index, end) in
        ["10.00\n\nRF18539007547034", "11.00\n\n\nInvoice 2", "12.00\n\nRF18539007547034"].iter().enumerate()
    {
        assert!(found[index]["data"].as_str().unwrap().ends_with(end), "{found}");
    }
    let (report, _) = read(&csv.replace("RF18 5390 0754 7034;I", "RF19 5390 0754 7034;I"), &choices);
    let told = "Row 2, column D (RF reference): the check digits of this creditor reference (RF…) are wrong.";
    assert_eq!(report.sentence(&report.problems[0]), told);
}

/// Payments with these fields, which are typed once.
fn typed(fields: &[(&str, &str)]) -> Choices {
    let field = |&(name, text): &(&str, &str)| (name.to_owned(), ColumnChoice::Typed(text.to_owned()));
    let fields = fields.iter().map(field).collect();
    let composed = vec![(Role::Data, Composition::Kind { kind: Kind::Payment, fields, are_open: false })];
    Choices { composed, ..Choices::default() }
}

#[test]
fn totals_are_no_payments_to_an_account_that_is_typed_once() {
    let account = [("name", "Club"), ("iban", "DE89370400440532013000")];
    let club = typed(&account);
    let fee = typed(&[account[0], account[1], ("text", "Fee")]);
    let rows = |count: usize| "Ada;20;Fee\n".repeat(count);
    for (csv, choices, row) in [
        // The sum, in a row with fewer cells than each above it.
        (
            "Name;Amount;Text\nAda;12,50;Fee 1\nBo;1.020,10;Fee 2\nall;1.032,60 €;\n".to_owned(),
            &club,
            Some(4),
        ),
        (format!("Name;Amount;Text\n{};40;\n", rows(2)), &club, Some(4)),
        (format!("Name;Amount;Text\n{}all;140;\n", rows(7)), &club, Some(9)),
        // The sum, in a row that says so, though nothing else is in the codes.
        ("Name;Amount\nAda;20\nBo;30\nSUMME:;50\n".to_owned(), &fee, Some(4)),
        (format!("Name;Amount\n{}Total 2027;140\n", "Bo;20\n".repeat(7)), &fee, Some(9)),
        // The sum of more rows than there are.
        (format!("Name;Amount;Text\n{}Totaal;90;\n", rows(2)), &club, Some(4)),
        // An amount alone, of rows that are not all above it.
        (format!("Name;Amount;Text\n{};90;\n", rows(3)), &club, Some(5)),
        // A family pays as much as the two above it.
        ("Name;Amount;Text\nAda;20;Fee\nBo;20;Fee\nEva;40;Fees\n".to_owned(), &club, None),
        ("Name;Amount\nAda;20\nBo;20\nEva;40\n".to_owned(), &fee, None),
        // A purpose is lacking.
        (format!("Name;Amount;Text\n{}Eva;30;\n", rows(2)), &club, None),
        // A firm, and one row above.
        (format!("Name;Amount;Text\n{}Total SA;30;Fee\n", rows(2)), &club, None),
        (format!("Name;Amount;Text\n{}Bo;20;\n", rows(1)), &club, None),
    ] {
        let (report, found) = read(&csv, choices);
        let told: Vec<String> = report.problems.iter().map(|problem| report.sentence(problem)).collect();
        let sentence = |row| {
            format!("Row {row}: the row seems to be the total of the rows above it. Delete it, or skip it.")
        };
        assert_eq!(told, row.map(sentence).into_iter().collect::<Vec<_>>(), "{csv}");
        assert_eq!(report.faulty_rows, u64::from(row.is_some()));
        assert_eq!(found.len() + told.len() + 1, csv.lines().count());
    }
    // A refused row is in no sum: behind it the word tells.
    let csv = "Name;Amount\nAda;20\nBo;30\nSubtotal;50\nIda;5\nEva;7\nSubtotal;12\nTotal;62\nTotal SA;9\n";
    let (report, _) = read(csv, &fee);
    assert_eq!(report.problems.iter().filter_map(|problem| problem.row).collect::<Vec<_>>(), [4, 7, 8]);
}

/// Hosts take the rows that are left out from the number of problems.
#[test]
fn a_row_that_is_left_out_has_one_problem() {
    let club = typed(&[("name", "Club"), ("iban", "DE89370400440532013000")]);
    let choices = Choices { leaves_placeholders: true, ..club };
    let rows = "Name;Amount;Text\nAda;12;Fee 1\nBo;20;Fee 2\n";
    let (report, _) = read(&format!("{rows};32;n/a\n"), &choices);
    assert_eq!((report.problem_count, report.placeholder_rows, report.faulty_rows), (1, 1, 1));
    // Its amount is in the sum all the same.
    let (report, _) = read(&format!("{rows}Ida;5;n/a\n;37;\n"), &choices);
    assert_eq!((report.problem_count, report.placeholder_rows, report.faulty_rows), (2, 1, 2));
}

#[test]
fn payments_go_to_an_account_that_is_typed_once() {
    let club = typed(&[("name", " Club "), ("iban", "DE89 3704 0044 0532 0130 00"), ("bic", "")]);
    for (csv, left_out) in [
        ("Name;Betrag;Text\nAda;12,50;Fee 1\nBo;9;Fee 2\n", None),
        // The accounts of members are none to pay to.
        (
            "Name;IBAN;BIC;Betrag;Text\nAda;x;y;12,50;Fee 1\nBo;;;9;Fee 2\n",
            Some("Not in the codes: IBAN, BIC."),
        ),
    ] {
        let (report, found) = read(csv, &club);
        assert_eq!(report.problems, [], "{csv}");
        let told = "All codes are for payments to Club, DE89 3704 0044 0532 0130 00.";
        assert_eq!(report.notices, left_out.into_iter().chain([told]).collect::<Vec<_>>());
        let data = "BCD\n002\n1\nSCT\n\nClub\nDE89370400440532013000\nEUR9.00\n\n\nFee 2";
        assert_eq!((found[1]["data"].as_str(), found[1]["filename"].as_str()), (Some(data), Some("Bo")));
    }
    let csv = "Name;Betrag\nAda;1\nBo;2\n";
    let asked = |fields| read(csv, &typed(fields)).0.asks_for_field;
    assert_eq!(asked(&[("iban", "DE89370400440532013000"), ("name", "")]), Some("name"));
    assert_eq!(asked(&[("name", "Club")]), Some("iban"));
    let (report, _) = read(csv, &typed(&[("iban", "DE88370400440532013000"), ("name", "Club")]));
    let told: Vec<String> = report.problems.iter().map(|problem| report.sentence(problem)).collect();
    assert_eq!(told, ["The check digits of the IBAN are wrong."]);
}

#[test]
fn lines_of_texts_are_one_text() {
    let choices = Choices { composed: vec![kind("payment", &[])], ..Choices::default() };
    for (names, text) in [
        ("Verwendungszweck 1;Verwendungszweck 2;Verwendungszweck 3", "Fee 7"),
        ("Verwendungszweck;Verwendungszweck2;Verwendungszweck 3", "Fee 7"),
        ("Zweck 1;Zweck 2;Zweck 3", "Fee 7"),
        ("Purpose line 1;Purpose line 2;Purpose line 3", "Fee 7"),
        ("Text 1;Text 2;Text 3", "Fee 7"),
        ("Verwendungszweck 1;Zweck 2;Purpose line 3", "Fee"),
    ] {
        let csv = format!("Empfänger;IBAN;{names}\nA;DE89370400440532013000; Fee ;;7\n");
        let found = items(&csv, &choices);
        assert!(found[0]["data"].as_str().unwrap().ends_with(&format!("\n\n\n{text}")), "{names} {found}");
    }
    let csv = "Empfänger;IBAN;Referenz;Zweck 1;Zweck 2\nA;DE89370400440532013000;X1;;Fee\nA;DE89370400440532013000;X2;;\n";
    let found = items(csv, &choices);
    assert!(found[0]["data"].as_str().unwrap().ends_with("\nFee"), "{found}");
    assert!(found[1]["data"].as_str().unwrap().ends_with("\nX2"), "{found}");
    let (report, _) = read(csv, &choices);
    assert_eq!(report.columns[4].part_of, Some("text"));
    let told = "1 reference is not in the codes, which take those of creditors alone (RF…); the first is in row 2, column C.";
    assert!(report.notices.contains(&told.to_owned()), "{:?}", report.notices);
    let long = csv.replace(";Fee", &format!(";{};{}", "a".repeat(70), "b".repeat(70))).replace("X1;;", "X1;");
    let (report, _) = read(&long, &choices);
    let told = "Row 2, column D (Zweck 1): the value has more than 140 characters.";
    assert_eq!(report.sentence(&report.problems[0]), told);
}

#[test]
fn people_have_two_last_names_where_the_sheet_has() {
    let csv = "Nombre;Primer apellido;Segundo apellido;Móvil\nMaría José;García;López;+34 600 1\n";
    let contact = code(csv);
    assert!(contact.contains("N:García López;María José;;;\r\nFN:María José García López"), "{contact}");
    let chosen =
        Choices { composed: vec![kind("contact", &[("lastName", "Apellidos X")])], ..Choices::default() };
    let found = items("Nombre;Apellidos X\nMaría;García\n", &chosen);
    assert!(found[0]["data"].as_str().unwrap().contains("N:García;María;;;"), "{found}");
}

#[test]
fn a_field_that_is_asked_for_leaves_the_others_found() {
    let choices = Choices { composed: vec![kind("payment", &[])], ..Choices::default() };
    let csv = "Payee;IBAN;Total;Amount due;Text\nA;DE89370400440532013000;10;4;Invoice 1\n";
    let (report, _) = read(csv, &choices);
    let fields: Vec<_> = report.columns.iter().map(|column| (column.field, column.role)).collect();
    assert_eq!(
        fields,
        [(Some("name"), None), (Some("iban"), None), (None, None), (None, None), (Some("text"), None)]
    );
    assert!(report.asks_for_columns);
    for names in ["Brutto;Offener Betrag", "Brutto;Offen"] {
        let (report, _) = read(&format!("Empfänger;IBAN;{names}\nA;DE89370400440532013000;10;4\n"), &choices);
        assert!(report.asks_for_columns, "{names}");
    }
}

#[test]
fn hidden_networks_are_no_second_network() {
    for names in
        ["Nätverksnamn;Lösenord;Dolt nätverk", "SSID;Password;Hide SSID", "ssid;passphrase;hide-ssid"]
    {
        let found = code(&format!("{names}\nGuest;welcome-1;true\n"));
        assert_eq!(found, "WIFI:T:WPA;S:Guest;P:welcome-1;H:true;;", "{names}");
    }
}

#[test]
fn names_of_firms_are_nobodys_names() {
    for (names, cells) in [
        ("First Name,Last Name,Company Name,Phone", "Ada,Byron,Engine Ltd,1"),
        ("First Name,Last Name,Phone,Contact owner,Company name", "Ada,Byron,1,Tom,Engine Ltd"),
        ("First Name,Surname,Business Name,Phone", "Ada,Byron,Engine Ltd,1"),
        ("Vorname,Nachname,Firmenname,Telefon", "Ada,Byron,Engine Ltd,1"),
        ("Förnamn,Efternamn,Företagsnamn,Telefon", "Ada,Byron,Engine Ltd,1"),
        ("Imię,Nazwisko,Nazwa firmy,Telefon", "Ada,Byron,Engine Ltd,1"),
        ("First Name,Last Name,Account Name,Phone", "Ada,Byron,Engine Ltd,1"),
        ("Company Name,Contact Person,Phone", "Engine Ltd,Ada Byron,1"),
    ] {
        let found = code(&format!("{names}\n{cells}\n"));
        assert!(found.contains("\r\nFN:Ada Byron\r\nORG:Engine Ltd\r\n"), "{names} {found}");
    }
}

#[test]
fn whole_names_are_no_familys() {
    for (names, cells) in [
        ("Full Name,First Name,Email", "Ada Byron,Ada,a@e.example"),
        ("Nom complet,Prénom,E-mail", "Ada Byron,Ada,a@e.example"),
        ("Nome completo,Cognome,Email", "Ada Byron,Byron,a@e.example"),
        ("Vollständiger Name,Vorname,E-Mail", "Ada Byron,Ada,a@e.example"),
        ("Nombre completo,Nombre de pila,Correo", "Ada Byron,Ada,a@e.example"),
        ("Imię i nazwisko,Imię,E-mail", "Ada Byron,Ada,a@e.example"),
        ("Full Name,First Name,Last Name,Email", "Ada Byron,Ada,Byron,a@e.example"),
        ("Nom,Prénom,Nom complet,E-mail", "Byron,Ada,Ada Byron,a@e.example"),
    ] {
        let found = code(&format!("{names}\n{cells}\n"));
        assert!(found.contains("\r\nN:Byron;Ada;;;\r\nFN:Ada Byron\r\n"), "{names} {found}");
    }
    let found = code("Full Name,First Name,Email\nAugusta Byron,Ada,a@e.example\n");
    assert!(found.contains("\r\nFN:Augusta Byron\r\n"), "{found}");
}

#[test]
fn payees_go_before_other_firms() {
    for (names, cells) in [
        ("Company Name,Beneficiary name,Beneficiary IBAN,Amount", "Own Ltd,Acme,DE89370400440532013000,5"),
        ("Company Name,Creditor Name,IBAN,Amount", "Own Ltd,Acme,DE89370400440532013000,5"),
        ("Company,Supplier,IBAN,Amount", "Own Ltd,Acme,DE89370400440532013000,5"),
        ("Ragione sociale,IBAN,Importo", "Acme,IT60X0542811101000000123456,5"),
        ("Kontrahent,Nr rachunku bankowego,Kwota", "Acme,PL61109010140000071219812874,5"),
        ("Intitulé du tiers,IBAN,Montant", "Acme,FR1420041010050500013M02606,5"),
        ("Vermieter,IBAN,Miete", "Acme,DE89370400440532013000,5"),
        ("Kreditor,Kreditorname,IBAN,Betrag", "Own Ltd,Acme,DE89370400440532013000,5"),
        ("Kontobezeichnung,IBAN,Beitrag", "Acme,DE89370400440532013000,5"),
        ("Fornitore,IBAN,Netto a pagare", "Acme,IT60X0542811101000000123456,5"),
        ("Fornitore,IBAN,Totale documento", "Acme,IT60X0542811101000000123456,5"),
        ("Naam,IBAN,Contributie 2026", "Acme,NL91ABNA0417164300,5"),
    ] {
        let found = code(&format!("{names}\n{cells}\n"));
        assert!(found.starts_with("BCD\n002\n1\nSCT\n\nAcme\n"), "{names} {found}");
        assert!(found.contains("\nEUR5.00"), "{names} {found}");
    }
}

#[test]
fn numbers_are_payees_where_there_is_no_name() {
    let found = |names: &str, first: &str| {
        code(&format!("{names}\n{first};Acme;DE89370400440532013000;5\nV02;Bo;DE89370400440532013000;6\n"))
    };
    assert!(found("Vendor;Beneficiary name;IBAN;Amount", "V0001").contains("\nAcme\n"));
    assert!(found("Lieferant;Name 1;IBAN;Betrag", "0000100234").contains("\nAcme\n"));
    assert!(found("Lieferant;Name;IBAN;Betrag", "Bau 24").contains("\nAcme\n"));
    // A firm, beside what else may be a name.
    assert!(found("Payee;Company;IBAN;Amount", "O2").contains("\nO2\n"));
    let payment = Choices { composed: vec![kind("payment", &[])], ..Choices::default() };
    let csv = "Vendor;Group;IBAN;Amount;Text\nV0001;Acme;DE89370400440532013000;5;a\nBo;B;DE89370400440532013000;6;b\n";
    let (report, _) = read(csv, &payment);
    let told = "1 payment has a number in place of the payee's name; the first is in row 2, column A.";
    assert!(report.notices.contains(&told.to_owned()), "{:?}", report.notices);
    // The question about the amounts keeps the names.
    let csv = "Vendor;Beneficiary name;IBAN;Total;Balance\nV0001;Acme;DE89370400440532013000;5;4\n";
    let (report, _) = read(csv, &payment);
    assert!(report.asks_for_columns);
    assert_eq!((report.columns[0].field, report.columns[1].field), (None, Some("name")));
    let chosen = Choices {
        composed: vec![kind("payment", &[("name", "Vendor"), ("amount", "Total")])],
        ..Choices::default()
    };
    assert!(items(csv, &chosen)[0]["data"].as_str().unwrap().contains("\nV0001\n"));
}

#[test]
fn currencies_are_told_by_their_cells() {
    let payment = Choices { composed: vec![kind("payment", &[])], ..Choices::default() };
    for name in ["Whg.", "WKZ", "Währg", "Curr.", "ISO-Code", "X"] {
        let csv = |first: &str| {
            format!(
                "Empfänger;IBAN;Betrag;Art;{name};Text\nA;DE89370400440532013000;1.176,00;ABC;{first};R1\n\
                B;DE89370400440532013000;45,10;USD;EUR;R2\nB;DE89370400440532013000;45,11;USD;EUR;R3\n"
            )
        };
        let (report, found) = read(&csv("USD"), &payment);
        let told: Vec<String> = report.problems.iter().map(|problem| report.sentence(problem)).collect();
        assert_eq!(told, [format!("Row 2, column E ({name}): USD. Payment codes are in euros.")]);
        assert_eq!(found.len(), 2);
        let (report, _) = read(&csv("EUR"), &payment);
        assert_eq!(
            (report.problems.len(), &*report.notices),
            (0, &["Not in the codes: Art.".to_owned()][..])
        );
        let (report, _) = read(&csv("EUR").replace("45,11;USD;EUR", "45,11;USD;CHF"), &payment);
        assert_eq!(report.problem_count, 1);
    }
}

#[test]
fn what_is_still_open_is_asked_for_beside_a_total() {
    let payment = Choices { composed: vec![kind("payment", &[])], ..Choices::default() };
    for names in [
        "Bedrag incl. btw;Openstaand bedrag",
        "Importe total;Pendiente",
        "Importe;Importe pendiente",
        "Montant TTC;Solde dû",
        "Totale;Importo da pagare",
        "Importo;Residuo",
        "Amount;Open amount",
        "Brutto;Zu zahlen",
        "Total;AmountDue",
        "Total;Balance",
        "Betrag;Saldo",
        "Montant TTC;Reste à payer",
        "Montant TTC;Montant restant dû",
        "Kwota brutto;Do zapłaty",
        "Celkem;K úhradě",
        "Belopp;Att betala",
        "Belopp;Restbelopp",
        "Beløb;Udestående",
        "Beløb;Restbeløb",
        "Summa;Avoinna",
        "Betrag;Betrag abzgl. Skonto",
    ] {
        let csv = format!("Payee;IBAN;{names};Text\nA;DE89370400440532013000;10;4;x\n");
        let (report, _) = read(&csv, &payment);
        let told: Vec<String> = report.problems.iter().map(|problem| report.sentence(problem)).collect();
        assert!(report.asks_for_columns && told[0].contains("could both be the amount"), "{names} {told:?}");
    }
    for other in ["Skonto", "Skonto Betrag", "MwSt-Betrag", "Bedrag excl. btw", "Open"] {
        let csv = format!("Payee;IBAN;Betrag;{other};Text\nA;DE89370400440532013000;10;4;x\n");
        assert!(!read(&csv, &payment).0.asks_for_columns, "{other}");
    }
}

#[test]
fn bills_are_payments_and_no_contacts() {
    let names = "*ContactName,EmailAddress,*InvoiceNumber,*DueDate,Total,Currency";
    let kind = |csv: &str| read(csv, &Choices::default()).0.proposal.map(|proposal| proposal.kind);
    assert_eq!(kind(&format!("{names}\nAcme,a@x.ie,INV-9,29/11/2026,12,EUR\n")), Some(Kind::Payment));
    assert_eq!(kind("Name,Phone,Balance,Last invoice\nAcme,1,12,2026-11-29\n"), Some(Kind::Contact));
    let csv = format!("{names},BankAccount\nAcme,a@x.ie,INV-9,29/11/2026,12,EUR,IE29AIBK93115212345678\n");
    assert_eq!(kind(&csv), Some(Kind::Payment));
}

#[test]
fn payments_without_text_are_told_beside_others() {
    let payment = Choices { composed: vec![kind("payment", &[])], ..Choices::default() };
    let notices = |csv: &str| read(csv, &payment).0.notices;
    let row = |text: &str, amount: u8| format!("A;FI2112345600000785;{amount};{text}\n");
    for (names, first) in [
        ("Saaja;IBAN;Summa;Viite", "RF83100234"),
        ("Saaja;IBAN;Summa;Viitenumero", "1009"),
        ("Saajan nimi;Saajan tili;Summa;Viitenumero", "RF83100234"),
        ("Begunstigde;IBAN;Bedrag;Betalingskenmerk", "RF83100234"),
        ("Payee;IBAN;Amount;Remittance text", "Invoice"),
        ("Payee;IBAN;Amount;Remittance information", "Invoice"),
        ("Payee;IBAN;Amount;Details", "Invoice"),
    ] {
        let csv = format!("{names}\n{}{}{}", row(first, 1), row("", 2), row("", 3).replace("A;", "B;"));
        assert_eq!(notices(&csv)[0], "2 of 3 payments have neither text nor reference.", "{names}");
        let (_, found) = read(&csv, &payment);
        assert!(found[0]["data"].as_str().unwrap().ends_with(&format!("\n{first}")), "{names}");
    }
    let none = "No payment has a text or a reference.";
    assert!(notices("Payee;IBAN;Amount;Scribble\nA;FI2112345600000785;1;x\n").contains(&none.to_owned()));
    assert_eq!(notices("Payee;IBAN;Amount;Text\nA;FI2112345600000785;1;\n"), [none]);
    assert_eq!(notices("Payee;IBAN;Amount\nA;FI2112345600000785;1\n"), [""; 0]);
    let csv = "Naam;IBAN;Bedrag;Omschrijving;Betalingskenmerk\nA;NL91ABNA0417164300;1;Fact 1;\nA;NL91ABNA0417164300;2;Fact 2;RF83100234\n";
    let (_, found) = read(csv, &payment);
    assert!(found[0]["data"].as_str().unwrap().ends_with("\nFact 1"));
    assert!(found[1]["data"].as_str().unwrap().ends_with("\nRF83100234"));
}

#[test]
fn texts_of_payments_are_found_beside_words_for_a_payment() {
    let payment = Choices { composed: vec![kind("payment", &[])], ..Choices::default() };
    let taken = |name: &str| {
        let csv = format!(
            "Payee;IBAN;Amount;{name}\nA;FI2112345600000785;1;Cotisation\nB;FI2112345600000785;2;Repas\n"
        );
        let (report, found) = read(&csv, &payment);
        (found[0]["data"].as_str().unwrap().ends_with("\nCotisation"), report.notices)
    };
    for name in [
        "Libellé du virement",
        "Libellé de paiement",
        "Libellé de l'opération",
        "Libellé de l’opération",
        "Objet du paiement",
        "Descrizione del bonifico",
        "Concepto de la transferencia",
        "Zweck der Zahlung",
        "Opis przelewu",
        "Payment description",
        "Omschrijving betaling",
    ] {
        let (is_taken, notices) = taken(name);
        assert!(
            is_taken && notices.iter().all(|notice| !notice.contains("No payment")),
            "{name} {notices:?}"
        );
    }
    for name in ["Date du virement", "Moyen de paiement", "Motif de rejet du virement", "Type of payment"] {
        assert!(!taken(name).0, "{name}");
    }
}

#[test]
fn payments_without_text_are_told_beside_a_column_that_names_the_pictures() {
    let notices = |name: &str| {
        let csv = format!(
            "Bénéficiaire;IBAN;Montant;{name}\nA;FI2112345600000785;1;Cotisation\nA;FI2112345600000785;2;Repas\n"
        );
        let choices = Choices {
            composed: vec![kind("payment", &[])],
            columns: vec![(Role::Filename, ColumnChoice::At(3))],
            ..Choices::default()
        };
        read(&csv, &choices).0.notices
    };
    assert_eq!(notices("Scribble"), ["No payment has a text or a reference."]);
    assert_eq!(notices("Nom du fichier"), [""; 0]);
}

#[test]
fn names_of_columns_are_known_in_several_words() {
    for (csv, line) in [
        ("Nazwisko;Imię;Telefon służbowy;Tel. kom.\nLis;Ewa;1;2\n", "TEL;TYPE=cell:2"),
        ("Nombre;Teléfono fijo\nEwa;1\n", "TEL;TYPE=voice:1"),
        ("Name;Tel. dienstl.\nEwa;1\n", "TEL;TYPE=voice:1"),
        ("GivenName,Surname,OfficePhone,MobilePhone\nEwa,Lis,1,2\n", "TEL;TYPE=voice:1"),
        ("Attendee First Name,Attendee Last Name,Cell Phone\nEwa,Lis,1\n", "N:Lis;Ewa;;;"),
        (
            "First Name,Last Name,Mailing Street,Mailing City,Mailing State/Province,Mailing Zip/Postal Code,Mailing Country,Phone\n\
            Ewa,Lis,1 Lane,Leeds,York,LS1,UK,1\n",
            "ADR:;;1 Lane;Leeds;York;LS1;UK",
        ),
        ("First Name,Last Name,Suffix,Company\nEwa,Lis,Jr.,Acme\n", "FN:Ewa Lis Jr."),
        (
            "Nome;Rua;Número;Bairro;CEP;UF;Celular\nAna;Rua A;5;Centro;01310-100;SP;1\n",
            "ADR:;;Rua A 5\\, Centro;;SP;01310-100;",
        ),
        ("Firma;Ansprechpartner;Telefon\nHolz;Frau Petra Meyer;1\n", "FN:Petra Meyer"),
        ("Apellidos y nombre;Móvil\n\"García Lorca, Federico\";1\n", "N:García Lorca;Federico;;;"),
        ("\"Apellidos, Nombre\";Móvil\n\"García Lorca, Federico\";1\n", "N:García Lorca;Federico;;;"),
        ("Cognome e nome;Cellulare\n\"Rossi, Maria\";1\n", "N:Rossi;Maria;;;"),
        ("Cognome e nome;Cellulare\nRossi Maria;1\n", "FN:Rossi Maria"),
        ("\"Last name, first name\";Mobile\n\"Byron, Ada\";1\n", "N:Byron;Ada;;;"),
        ("Имя;Отчество;Фамилия;Эл. почта\nИван;Ильич;Лис;a@b.example\n", "N:Лис;Иван Ильич;;;"),
        ("Nom;Établissement;Service;Courriel\nLis;ACME;Achats;a@b.example\n", "ORG:ACME;Achats"),
    ] {
        let found = code(csv);
        assert!(found.contains(&format!("\r\n{line}\r\n")), "{line} {found}");
    }
    for (csv, end) in [
        ("GTIN;Los-Nr.;N° de série\n4006381333931;L1;7\n", "/10/L1/21/7"),
        ("EAN-Code;Verfallsdatum\n4 006381 333931;31.01.2028\n", "/01/04006381333931?17=280131"),
        ("EAN;Lot\n40 06381 333931;1\n", "/01/04006381333931/10/1"),
        ("ISBN-13;Verwendbar bis\n978-3-16-148410-0;31.01.2028\n", "/01/09783161484100?17=280131"),
        ("Chambre;Nom du Wi-Fi;Clé WPA\n1;Box;aB12 cD34\n", "WIFI:T:WPA;S:Box;P:aB12 cD34;;"),
        ("Room;Network Name;Network Password\n1;Sea;welcome101\n", "WIFI:T:WPA;S:Sea;P:welcome101;;"),
    ] {
        let found = code(csv);
        assert!(found.ends_with(end), "{csv} {found}");
    }
    let link = Choices { composed: vec![kind("digital-link", &[])], ..Choices::default() };
    assert!(read("Item;EAN unit;EAN case\nJam;5012345678900;15012345678907\n", &link).0.asks_for_columns);
    for (csv, start) in [
        (
            "Name,Starts at,Ends at,Venue\nFair,2026-12-03 18:00,2026-12-03 20:00,Hub\n",
            "DTSTART:20261203T180000",
        ),
        ("Arrangement;Dato;Kl.;Sted\nLoppemarked;10.04.2027;kl. 10;Torget\n", "DTSTART:20270410T100000"),
        ("Evenemang;Datum;Kl;Plats\nLoppis;10.04.2027;18.30;Torget\n", "DTSTART:20270410T183000"),
        ("Arrangement;Dato;Fra kl.;Til kl.\nFest;10.04.2027;18.30;20\u{a0}h\n", "DTEND:20270410T200000"),
        ("Titel;Datum;Uhrzeit;Kl.\nElternabend;10.04.2027;18:30;5a\n", "DTSTART:20270410T183000"),
        ("Kurs;Beginn;Uhrzeit;Ende;Raum\nYoga;03.12.26;18:00;19:30;R 2\n", "DTSTART:20261203T180000"),
        (
            "Event Name,Event Date,Start Time,End Time\nSale,\"Sat, Dec 5, 2026\",9 AM,1 PM\n",
            "DTSTART:20261205T090000\r\nDTEND:20261205T130000",
        ),
        ("Event,Start\nSale,\"Wednesday, December 9, 2026 6:30 PM\"\n", "DTSTART:20261209T183000"),
        ("Veranstaltung;Datum\nFest;Sa., 5.12.2026\n", "DTSTART;VALUE=DATE:20261205"),
        ("Tapahtuma;Alkaa\nA;12.12.2026 klo 10.00\n", "DTSTART:20261212T100000"),
    ] {
        let event = Choices { composed: vec![kind("event", &[])], ..Choices::default() };
        let found = items(csv, &event)[0]["data"].as_str().unwrap().to_owned();
        assert!(found.contains(start), "{csv} {found}");
    }
}

#[test]
fn numbers_lose_to_names_beside_other_questions() {
    let payment = Choices { composed: vec![kind("payment", &[])], ..Choices::default() };
    for (csv, amount) in [
        ("Kreditor;Lieferant;Zahlbetrag;IBAN\n70001;Acme;5;DE89370400440532013000\n", Some("amount")),
        ("Kreditor;Lieferant;Brutto;IBAN;Zahlbetrag\n70001;Acme;6;DE89370400440532013000;5\n", None),
    ] {
        let (report, _) = read(csv, &payment);
        let fields: Vec<_> = report.columns.iter().map(|column| column.field).take(4).collect();
        let others = if amount.is_some() { Some("iban") } else { None };
        assert_eq!(fields[..2], [None, Some("name")], "{:?}", report.problems);
        assert_eq!(fields[2], amount);
        assert_eq!(others.or(fields[3]), Some("iban"));
        assert_eq!(report.asked_fields, if amount.is_some() { vec![] } else { vec!["amount"] });
    }
    let (report, _) = read("Kreditor;Lieferant;Betrag;IBAN\nBo;Acme;5;DE89370400440532013000\n", &payment);
    assert_eq!(report.asked_fields, ["name"]);
}

#[test]
fn a_question_stays_open_while_another_is_answered() {
    let csv = "Kreditor;Lieferant;Brutto;Zahlbetrag;IBAN\nBo;Acme;6;5;DE89370400440532013000\n";
    let payment = Choices { composed: vec![kind("payment", &[])], ..Choices::default() };
    assert_eq!(read(csv, &payment).0.asked_fields, ["name", "amount"]);
    let chosen = |amount: Option<ColumnChoice>| {
        let (role, mut composition) = kind("payment", &[("name", "Lieferant"), ("iban", "IBAN")]);
        let Composition::Kind { fields, .. } = &mut composition else { unreachable!() };
        fields.extend(amount.map(|choice| ("amount".to_owned(), choice)));
        read_alone(csv, &[(role, composition)])
    };
    let report = chosen(Some(ColumnChoice::Recognised));
    assert_eq!(report.asked_fields, ["amount"]);
    assert_eq!(report.columns[0].field, None);
    let report = chosen(Some(ColumnChoice::At(3)));
    assert_eq!((report.problems, report.items), (vec![], 1));
    // A person who wants no amount has none.
    assert_eq!(chosen(None).items, 1);
}

/// Reads a list whose names tell nothing but what is chosen.
fn read_alone(csv: &str, composed: &[(Role, Composition)]) -> Report {
    let folder = qrpress_testkit::TempDir::new();
    let (file, body) = (folder.path().join("file"), folder.path().join("body"));
    fs::write(&file, csv).unwrap();
    fs::write(&body, "").unwrap();
    read_spreadsheet(&ReadRequest { composed, recognise: false, ..request(&file, &body) }).unwrap()
}

#[test]
fn short_names_are_found() {
    let fields = |name: &str, csv: &str| {
        let chosen = Choices { composed: vec![kind(name, &[])], ..Choices::default() };
        read(csv, &chosen).0.columns.iter().map(|column| column.field.unwrap_or_default()).collect::<Vec<_>>()
    };
    for (lot, date) in [("Lot #", "Exp. Date"), ("Batchnr", "Exp Date")] {
        let csv = format!("GTIN;{lot};{date}\n4006381333931;A1;2027-01-31\n");
        assert_eq!(fields("digital-link", &csv), ["gtin", "lot", "expiry"]);
    }
    assert_eq!(fields("contact", "Name;Direktnr\nEva;+49 221 4711\n"), ["name", "phone"]);
    assert_eq!(fields("contact", "Név;Irodai telefon\nEva;+36 1 4711\n"), ["name", "phone"]);
    assert_eq!(fields("contact", "Adı Soyadı;Τ.Κ.\nEva;10431\n"), ["name", "postcode"]);
}

/// The first row as a contact.
fn contact(csv: &str) -> String {
    let found = items(csv, &Choices { composed: vec![kind("contact", &[])], ..Choices::default() });
    found[0]["data"].as_str().unwrap().to_owned()
}

#[test]
fn addresses_of_contacts_come_from_one_place() {
    for (csv, address) in [
        (
            "Vorname;Nachname;Ort;Straße geschäftlich;Ort geschäftlich;Postleitzahl geschäftlich;Land/Region geschäftlich\n\
             Ewa;Lis;Raum 5;Ring 1;Bonn;53111;Deutschland\n",
            ";;Ring 1;Bonn;;53111;Deutschland",
        ),
        (
            "Nombre;Apellidos;Calle del trabajo;Ciudad de trabajo;Código postal del trabajo;País o región del trabajo;\
             Calle particular;Ciudad particular;País o región particular\nEva;Lis;Mayor 1;Vigo;36201;España;Menor 2;Lugo;Francia\n",
            ";;Mayor 1;Vigo;;36201;España",
        ),
        (
            "Nome;Cognome;Via (uff.);Città (uff.);CAP (uff.);Paese (uff.)\nEva;Lis;Roma 1;Torino;10121;Italia\n",
            ";;Roma 1;Torino;;10121;Italia",
        ),
        // A part of a home beside the street of a firm.
        ("Name;Straße geschäftlich;Ort privat\nEwa;Ring 1;Köln\n", ";;Ring 1;;;;"),
        ("Name;Straße privat;Ort geschäftlich\nEwa;Ring 1;Köln\n", ";;Ring 1;;;;"),
        // A street of a home stays beside a part of a firm.
        (
            "Vorname;Nachname;Firma;Straße geschäftlich;Ort geschäftlich;Postleitzahl geschäftlich;Land/Region geschäftlich;\
             Straße privat;Ort privat;Postleitzahl privat;Land/Region privat\n\
             Anna;Bos;;;;;Deutschland;Weg 1;Stuttgart;70173;Belgien\n",
            ";;Weg 1;Stuttgart;;70173;Belgien",
        ),
        (
            "Name;Company;Company Country;Home Street;Home City;Home Postcode;Home Country\n\
             Anna Bos;Acme;France;Way 1;Leeds;LS1;England\n",
            ";;Way 1;Leeds;;LS1;England",
        ),
        (
            "Name;Company country;Home address;City;Postcode\nAnna Bos;France;Way 1;Leeds;LS1\n",
            ";;Way 1;Leeds;;LS1;",
        ),
        (
            "Name;Home Street;Home City;Work Street;Work City\nAnna Bos;Way 1;Leeds;;York\n",
            ";;Way 1;Leeds;;;",
        ),
        // No street, or one that says no place.
        ("Name;Ort privat;PLZ geschäftlich\nEwa;Köln;53111\n", ";;;Köln;;53111;"),
        ("Name;Adresse;Ort privat;Land geschäftlich\nEwa;Ring 1;Köln;DE\n", ";;Ring 1;Köln;;;DE"),
        // One place, or columns that do not say of which one they are.
        ("Name;Straße Schule;Ort Klinik\nEwa;Ring 1;Bonn\n", ";;Ring 1;Bonn;;;"),
        ("Name;Adresse Schule;Adresse privat;Ort\nEwa;Ring 1;Weg 2;Köln\n", ";;Weg 2;Köln;;;"),
        ("Name;Straße geschäftlich;Ort;PLZ\nEwa;Ring 1;Köln;50667\n", ";;Ring 1;Köln;;50667;"),
        ("Name;Straße;Ort;PLZ;Ort geschäftlich\nEwa;Ring 1;Köln;50667;Bonn\n", ";;Ring 1;Köln;;50667;"),
        ("Name;Straße;Ort;Land geschäftlich\nEwa;Ring 1;Köln;DE\n", ";;Ring 1;Köln;;;DE"),
        ("Name;Straße privat;Ort privat\nEwa;Ring 1;Köln\n", ";;Ring 1;Köln;;;"),
        ("Name;Straße privat;Ort\nEwa;Ring 1;Köln\n", ";;Ring 1;Köln;;;"),
        ("Nombre;Calle particular;Ciudad particular\nEva;Menor 2;Lugo\n", ";;Menor 2;Lugo;;;"),
        ("Name;Street;City;Company\nEwa;Ring 1;Leeds;Acme\n", ";;Ring 1;Leeds;;;"),
    ] {
        let found = contact(csv);
        assert!(found.contains(&format!("\r\nADR:{address}\r\n")), "{csv} {found}");
    }
    // Chosen columns stay.
    let chosen = Choices { composed: vec![kind("contact", &[("city", "Ort")])], ..Choices::default() };
    let found = items("Name;Ort;Straße geschäftlich;Ort geschäftlich\nEwa;Köln;Ring 1;Bonn\n", &chosen);
    assert!(found[0]["data"].as_str().unwrap().contains("ADR:;;Ring 1;Köln;"), "{found}");
}

#[test]
fn words_of_exports_of_outlook_are_known() {
    for (csv, line) in [
        ("Nombre;Apellidos;Fax del trabajo\nEva;Lis;1\n", "TEL;TYPE=fax:1"),
        ("Nombre;Apellidos;Teléfono del trabajo;Teléfono particular\nEva;Lis;1;2\n", "TEL;TYPE=voice:1"),
        ("Nombre;Apellidos;Teléfono del trabajo;Teléfono particular\nEva;Lis;1;2\n", "TEL;TYPE=home:2"),
        ("Nome;Cognome;Fax (uff.);Telefono (uff.)\nEva;Lis;1;2\n", "TEL;TYPE=fax:1"),
        ("Nome;Cognome;Fax (uff.);Telefono (uff.)\nEva;Lis;1;2\n", "TEL;TYPE=voice:2"),
        ("Nome;Cognome;Indirizzo posta elettronica\nEva;Lis;a@b.example\n", "EMAIL:a@b.example"),
        ("Nome;Cognome;Posizione;Via (uff.)\nEva;Lis;Capo;Roma 1\n", "TITLE:Capo"),
        ("Nome;Apelido;Sítio web\nEva;Lis;https://a.example\n", "URL:https://a.example"),
        ("Nom;Prénom;Profession\nLis;Eva;Avocate\n", "TITLE:Avocate"),
        ("Nombre;Apellidos;Puesto de trabajo\nEva;Lis;Jefa\n", "TITLE:Jefa"),
        ("Koor;Voornaam;Naam\nCanto;Els;Maes\n", "ORG:Canto"),
        ("Name Prefix,First Name,Last Name\nDr.,Eva,Lis\n", "N:Lis;Eva;;Dr.;"),
        ("Name Prefix,First Name,Last Name,Organization Title\nDr.,Eva,Lis,Head\n", "FN:Dr. Eva Lis"),
        ("Name Prefix,First Name,Last Name,Organization Title\nDr.,Eva,Lis,Head\n", "TITLE:Head"),
    ] {
        let found = contact(csv);
        assert!(found.contains(&format!("\r\n{line}\r\n")), "{csv} {found}");
    }
    for csv in [
        "Nombre;Apellidos;Nombre del trabajo\nEva;Lis;X1\n",
        "Nombre;Apellidos;Tipo de trabajo\nEva;Lis;X1\n",
        "Nome;Cognome;Uff.\nEva;Lis;X1\n",
        "Name Prefix,First Name,Last Name\nX1,Eva,Lis\n",
        "Prefix,First Name,Last Name\nDr. X1,Eva,Lis\n",
        "Nombre;Apellidos;Trabajo\nEva;Lis;X1\n",
    ] {
        let found = contact(csv);
        assert!(!found.contains("X1"), "{csv} {found}");
    }
}
