//! Names of columns that say the opposite of a field, two fields, or a unit.

use qrpress_spreadsheet::{ColumnChoice, Composition, Report, Role, SheetLayout};

use crate::composed::{Choices, items, kind, problems, read};

fn choices(name: &str, fields: &[(&str, &str)]) -> Choices {
    Choices { composed: vec![kind(name, fields)], ..Choices::default() }
}

#[test]
fn columns_that_say_that_networks_are_visible_are_the_opposite_of_hidden() {
    for name in
        ["Broadcast SSID", "SSID-Broadcast", "SSID sichtbar", "Visible", "WLAN sichtbar", "Réseau visible"]
    {
        for fields in [&[][..], &[("hidden", name)][..]] {
            let csv = format!(
                "SSID;Passwort;{name}\nA;welcome-1;yes\nB;welcome-2;Nein\nC;welcome-3;\nD;welcome-4;Enabled\n"
            );
            let found = items(&csv, &choices("wifi", fields));
            let hidden: Vec<bool> =
                (0..4).map(|row| found[row]["data"].as_str().unwrap().contains("H:true")).collect();
            assert_eq!(hidden, [false, true, false, false], "{name} {found}");
        }
    }
    for name in ["Hidden", "SSID versteckt", "Not visible", "Unsichtbar", "nicht sichtbar"] {
        let csv = format!("SSID;Passwort;{name}\nA;welcome-1;ja\nB;welcome-2;no\n");
        let found = items(&csv, &choices("wifi", &[("hidden", name)]));
        assert_eq!(found[0]["data"], "WIFI:T:WPA;S:A;P:welcome-1;H:true;;", "{name}");
        assert_eq!(found[1]["data"], "WIFI:T:WPA;S:B;P:welcome-2;;", "{name}");
    }
    let csv = "SSID;Passwort;Broadcast channel\nA;welcome-1;6\n";
    assert_eq!(items(csv, &choices("wifi", &[]))[0]["data"], "WIFI:T:WPA;S:A;P:welcome-1;;");
    for header in ["Gäste-WLAN;WLAN-Name;Passwort", "WLAN;Netzwerk;Passwort"] {
        let found = items(&format!("{header}\nja;A;welcome-1\nnein;B;welcome-2\n"), &choices("wifi", &[]));
        assert_eq!(found[1]["data"], "WIFI:T:WPA;S:B;P:welcome-2;;", "{header}");
    }
    let both = problems("WLAN;Netzwerk;Passwort\nja;nein;welcome-1\n", &choices("wifi", &[]));
    assert_eq!(
        both,
        ["The columns A (WLAN) and B (Netzwerk) could both be the network. Say which one it is."]
    );
    let csv = "WLAN-Name (SSID);Passwort;SSID sichtbar;Versteckt\nA;welcome-1;nein;nein\n";
    assert_eq!(items(csv, &choices("wifi", &[]))[0]["data"], "WIFI:T:WPA;S:A;P:welcome-1;;");
}

#[test]
fn names_with_other_words_beside_those_for_visible_say_what_hidden_says() {
    for name in [
        "No visible (sí/no)",
        "Non visible (oui/non)",
        "Nie widoczny (tak/nie)",
        "SSID Broadcast (non attivo)",
        "Broadcast (1 = off)",
        "Broadcast disabled/off",
        "Is SSID hidden (yes/no)",
        "Broadcast off (yes/no)",
        "Hide SSID Broadcast",
        "Hide broadcast",
        "Hide from broadcast",
        "SSID Broadcast versteckt",
        "SSID-Broadcast verborgen",
        "Hidden (no = visible)",
        "Visible (yes = hidden)",
        "Sichtbar (nein = sichtbar, ja = versteckt)",
        "Versteckt / sichtbar",
        "Versteckt (kein Broadcast)",
        "Disable SSID Broadcast",
        "Broadcast disabled",
        "Broadcast off",
        "Broadcast deaktiviert",
        "Broadcast aus",
        "Suppress broadcast",
        "No visible",
    ] {
        let is_found = name.to_lowercase().contains("hide") || name.to_lowercase().contains("ver");
        for fields in [&[("hidden", name)][..], &[][..]].into_iter().take(1 + usize::from(is_found)) {
            let csv = format!("SSID;Password;{name}\nA;welcome-1;yes\nB;welcome-2;no\n");
            let found = items(&csv, &choices("wifi", fields));
            assert_eq!(found[0]["data"], "WIFI:T:WPA;S:A;P:welcome-1;H:true;;", "{name}");
            assert_eq!(found[1]["data"], "WIFI:T:WPA;S:B;P:welcome-2;;", "{name}");
        }
    }
}

#[test]
fn columns_for_visible_are_taken_by_their_cells() {
    for (csv, expected) in [
        ("SSID;Password;IP;Netmask;Broadcast\nA;welcome-1;192.168.1.7;255.255.255.0;192.168.1.255\n", "A"),
        ("SSID;Password;Visible\nA;welcome-1;lobby\n", "A"),
        ("Broadcast SSID;Password\nB;welcome-1\n", "B"),
        ("SSID (Broadcast);Password\nB;welcome-1\n", "B"),
        ("SSID (visible);Password\nB;welcome-1\n", "B"),
        ("WLAN sichtbar;Passwort\nB;welcome-1\n", "B"),
    ] {
        let found = items(csv, &choices("wifi", &[]));
        assert_eq!(found[0]["data"], format!("WIFI:T:WPA;S:{expected};P:welcome-1;;"), "{csv}");
    }
    for name in [
        "Disable SSID Broadcast",
        "SSID nicht sichtbar",
        "Kein SSID-Broadcast",
        "Unsichtbare SSID",
        "SSID visibility",
    ] {
        let told = problems(&format!("SSID;Password;{name}\nA;welcome-1;yes\n"), &choices("wifi", &[]));
        let expected =
            format!("The columns A (SSID) and C ({name}) could both be the network. Say which one it is.");
        assert_eq!(told, [expected]);
    }
    for name in [
        "SSID Broadcast enabled",
        "Visible (no = hidden)",
        "SSID sichtbar (nein = versteckt)",
        "SSID Broadcast (off = hidden)",
        "Visible (1 = visible, 0 = hidden)",
        "SSID sichtbar (ja/nein)",
        "Broadcast on",
        "Visible (yes/no)",
        "Visible (Y / N)",
        "Visible (true|false)",
        "Visible(oui/non)",
        "SSID visible [0/1]",
        "Netwerk zichtbaar (ja/nee)",
        "SSID-Broadcast (an/aus)",
        "Broadcast on/off",
        "Broadcast enabled/disabled",
        "SSID Broadcasting",
        "Enable SSID Broadcast",
        "SSID-Broadcast aktivieren",
        "SSID is visible",
        "Is visible",
    ] {
        let csv = format!("SSID;Password;{name}\nA;welcome-1;no\nB;welcome-2;yes\n");
        let found = items(&csv, &choices("wifi", &[]));
        assert_eq!(found[0]["data"], "WIFI:T:WPA;S:A;P:welcome-1;H:true;;", "{name}");
        assert_eq!(found[1]["data"], "WIFI:T:WPA;S:B;P:welcome-2;;", "{name}");
    }
}

/// The numbers of the contact of a sheet with one, and what is told of them.
fn numbers(csv: &str) -> (Vec<String>, Vec<String>) {
    let (report, found) = read(csv, &choices("contact", &[]));
    assert_eq!(report.problems, [], "{csv}");
    let lines = found[0]["data"].as_str().unwrap().lines();
    (lines.filter_map(|line| line.strip_prefix("TEL;TYPE=")).map(str::to_owned).collect(), told(report))
}

/// The notices, but for the one of numbers without their country's code.
fn told(report: Report) -> Vec<String> {
    report.notices.into_iter().filter(|notice| !notice.contains("abroad")).collect()
}

#[test]
fn numbers_of_a_column_for_both_have_their_types_in_its_order() {
    for (name, cell, expected) in [
        ("Telefono / Cellulare", "0583 123456 / 333 1234567", &["voice:0583 123456", "cell:333 1234567"][..]),
        ("Tel./Handy", "0711 123456, 0171 1234567", &["voice:0711 123456", "cell:0171 1234567"]),
        ("Handy / Festnetz", "0171 1234567, 0711 123456", &["voice:0711 123456", "cell:0171 1234567"]),
        ("Handy/Tel.", "0171 1234567, 0711 123456", &["voice:0711 123456", "cell:0171 1234567"]),
        ("Mobile and phone", "0171 1234567; 0711 123456", &["voice:0711 123456", "cell:0171 1234567"]),
        ("Telefon / Mobil", "0171 1234567", &["voice:0171 1234567"]),
        ("Mobil / Telefon", "0171 1234567", &["voice:0171 1234567"]),
        ("Tel. oder Handy", "0171 1234567", &["voice:0171 1234567"]),
        ("Tél. mobile", "0171 1234567", &["cell:0171 1234567"]),
        ("Telefon (mobil)", "0171 1234567", &["cell:0171 1234567"]),
        ("Mobile/Cell", "0171 1234567", &["cell:0171 1234567"]),
    ] {
        let csv = format!("Name\t{name}\nAnna Bos\t{cell}\n");
        assert_eq!(
            numbers(&csv),
            (expected.iter().map(|line| (*line).to_owned()).collect(), vec![]),
            "{name}"
        );
    }
    // Beside columns of their own.
    let csv = "Name;Telefon / Mobil;Handy\nAnna Bos;0711 123456 / 0711 234567;0171 1234567\n";
    assert_eq!(numbers(csv).0, ["voice:0711 123456", "cell:0171 1234567", "voice:0711 234567"]);
    let csv = "Name;Telefon;Telefon / Mobil\nAnna Bos;0711 123456;0171 1234567\n";
    assert_eq!(numbers(csv).0, ["voice:0711 123456", "voice:0171 1234567"]);
    for (header, order) in [
        ("Name;Phone;Telefon / Handy", ["voice:0711 234567", "cell:0171 1234567", "voice:0711 123456"]),
        ("Name;Tel. privat;Telefon / Handy", ["voice:0711 123456", "cell:0171 1234567", "home:0711 234567"]),
    ] {
        let csv = format!("{header}\nAnna Bos;0711 234567;0711 123456 / 0171 1234567\n");
        let mut expected = order.map(str::to_owned).to_vec();
        let mut found = numbers(&csv).0;
        expected.sort();
        found.sort();
        assert_eq!(found, expected, "{header}");
    }
    let csv = "Name;Phone;Handy / Telefon\nAnna Bos;0711 234567;0171 1234567 / 0711 123456\n";
    assert_eq!(numbers(csv).0, ["voice:0711 234567", "cell:0171 1234567", "voice:0711 123456"]);
}

#[test]
fn amounts_in_cents_are_refused() {
    for name in [
        "Betrag in Cent",
        "Amount (cents)",
        "Montant (centimes)",
        "amount_cents",
        "Importe (céntimos)",
        "Betrag (ct)",
        "Betrag in ct",
        "Betrag in Cent (EUR)",
        "Amount (cents, EUR)",
        "amount_cents_eur",
        "Betrag inkl. MwSt in Cent",
        "Amount incl. VAT (cents)",
    ] {
        for fields in [&[][..], &[("amount", name)][..]] {
            let csv = format!("Name;IBAN;{name}\nA;BE68539007547034;2500\nB;BE68539007547034;\n");
            let told = problems(&csv, &choices("payment", fields));
            let expected = format!(
                "Row 2, column C ({name}): the amount is in cents, by the name of its column. Write it in euros, such as 25.00, in a column \
                 called Amount."
            );
            assert_eq!(told, [expected]);
        }
    }
    for header in ["Name;IBAN;Betrag in Cent;Betrag", "Name;IBAN;Amount (cents);Amount (EUR)"] {
        let found = items(&format!("{header}\nA;BE68539007547034;2500;25\n"), &choices("payment", &[]));
        assert!(found[0]["data"].as_str().unwrap().ends_with("EUR25.00"), "{header} {found}");
    }
}

#[test]
fn amounts_in_euros_and_cents_are_taken() {
    for (name, amount) in [
        ("Betrag in Euro und Cent", "25"),
        ("Amount (€ and cents)", "25"),
        ("Amount incl. cents", "25"),
        ("Betrag (Euro/Cent)", "25"),
        ("BETRAG IN EURO UND CENT", "25"),
        ("Betrag (€ + ct)", "25"),
        ("Betrag inkl. ct", "25"),
        ("Montant (euros et centimes)", "25"),
        ("Importo in euro e centesimi", "25"),
        ("Bedrag in euro's en centen", "25"),
        ("Betrag in Euro (mit Cent)", "25"),
        ("Betrag (Cent/Euro)", "25"),
        ("Betrag €,ct", "25,00"),
        ("Betrag (€,ct)", "25,00"),
        ("Amount EUR.ct", "25"),
        ("Betrag in Euro, Cent", "25,00"),
        ("Beitrag CT", "25,00"),
        ("Beitrag CT", "25"),
        ("Amount (cents)", "25 €"),
        ("Amount (cents)", "25.–"),
    ] {
        let csv = format!("Name;IBAN;{name}\nA;BE68539007547034;{amount}\n");
        let found = items(&csv, &choices("payment", &[("amount", name)]));
        assert!(found[0]["data"].as_str().unwrap().contains("\nEUR25."), "{name} {found}");
    }
    for (name, amount) in [
        ("Amount (cents)", "2.500"),
        ("Betrag in Cent", "2500,00"),
        ("amount_cents", "2500.0"),
        ("Amount (EUR cents)", "2500"),
        ("amount_eur_cents", "2500"),
        ("Betrag (€-Cent)", "2500"),
        ("Betrag EUR in Cent", "2500"),
        ("Amount EUR (in cents)", "2500"),
        ("Totaal incl. btw (in centen)", "2500"),
        ("Montant en centimes d'euro", "2500"),
        ("Importe en céntimos de euro", "2500"),
        ("Amount (EUR, cents)", "2500"),
        ("Amount (cents,EUR)", "2500"),
        ("Betrag in EUR. Angabe in Cent", "2500"),
    ] {
        let csv = format!("Name;IBAN;{name}\nA;BE68539007547034;{amount}\n");
        let found = problems(&csv, &choices("payment", &[("amount", name)]));
        assert!(found[0].contains("in cents"), "{name} {amount}");
    }
}

#[test]
fn names_that_say_less_leave_the_field_to_others() {
    for (name, header, cells, expected) in [
        ("payment", "Payee;IBAN;Amount;Total due", "A;BE68539007547034;5;6", "EUR5.00"),
        ("payment", "Payee;IBAN;Total due;Betrag", "A;BE68539007547034;6;5", "EUR5.00"),
        ("event", "Sujet;Titre;Début", "Fête;Bal;2027-02-03 18:00", "SUMMARY:Bal"),
        ("event", "Sujet;Intitulé;Début", "Fête;Bal;2027-02-03 18:00", "SUMMARY:Bal"),
        ("event", "Sujet;Film;Début", "Fête;Bal;2027-02-03 18:00", "SUMMARY:Fête"),
        ("event", "Film;Sujet;Début", "Bal;Fête;2027-02-03 18:00", "SUMMARY:Fête"),
        ("contact", "Name;Amt;Behörde", "Anna Bos;Vorsitz;Bauamt", "ORG:Bauamt"),
        ("event", "Nom;Sujet;Début", "Bal;Fête;2027-02-03 18:00", "SUMMARY:Bal"),
        ("email", "E-mail;Sujet;Objet", "a@b.example;x;y", "mailto:a@b.example?subject=y"),
        ("contact", "Name;Dienststelle;Firma", "Anna Bos;Bauamt;Bos", "ORG:Bos"),
        ("contact", "Nom;Collectivité;Organisme", "Anna Bos;Lyon;Bos", "ORG:Bos"),
        ("contact", "Nom;Profession;Fonction;Société", "Bos;Avocate;Cheffe;Acme", "TITLE:Cheffe"),
        ("contact", "Name;Profession;Title;Company", "Bos;Lawyer;Partner;Acme", "TITLE:Partner"),
        ("contact", "Nome;Cognome;Posizione;Ruolo", "Eva;Lis;3;Capo", "TITLE:Capo"),
        ("contact", "Name;Profession", "Anna Bos;Lawyer", "TITLE:Lawyer"),
        ("contact", "Roepnaam;Voornaam;Achternaam", "An;Anna;Bos", "N:Bos;Anna"),
    ] {
        let found = items(&format!("{header}\n{cells}\n"), &choices(name, &[]));
        let data = found[0]["data"].as_str().unwrap();
        assert!(data.contains(expected), "{header} {cells}: {data}");
    }
    let found = items("Name;Amt\nAnna Bos;Kassier\n", &choices("contact", &[]));
    assert!(!found[0]["data"].as_str().unwrap().contains("ORG"), "{found}");
    // People whose column has an unknown name.
    for header in [
        "Mitglied;Amt;Telefon",
        "Vorstand;Amt;Telefon",
        "Leiter;Amt;Telefon",
        "Leiter;Nr.;Amt;Telefon",
        "Teilnehmer;Dienststelle;Telefon",
        "Teilnehmer;Behörde;Telefon",
        "Élu;Collectivité;Téléphone",
    ] {
        let csv = format!("{header}\nAnna Bos;Kassier;0711 123456\n");
        let told = problems(&csv, &choices("contact", &[]));
        assert!(told.len() == 1 && told[0].contains("name"), "{header}: {told:?}");
    }
    // Nobody is in the other columns.
    for header in [
        "Behörde;Telefon;E-Mail",
        "Collectivité;Adresse;Téléphone",
        "Dienststelle;Straße;PLZ;Ort;Telefon",
        "Dienststelle;Straße;Hausnummer;PLZ;Ort;Fax",
        "Dienststelle;Telefon;Dateiname",
        "Dienststelle;;Telefon",
        "Amt;Telefon",
        "Amt;Straße;PLZ;Ort;Telefon",
        "Dienststelle;ID;Telefon",
        "Behörde;Kürzel;Telefon",
        "Amt;lfd. Nr.;Telefon",
    ] {
        let found = items(&format!("{header}\nBauamt;;\n"), &choices("contact", &[]));
        assert!(found[0]["data"].as_str().unwrap().contains("ORG:Bauamt"), "{header}: {found}");
    }
    let csv = "Name;E-mail\nAnna Bos;<>\n";
    assert!(problems(csv, &choices("contact", &[]))[0].contains("this is no address"));
}

#[test]
fn more_names_of_columns_are_known() {
    for (name, header, cells, expected) in [
        ("contact", "Roepnaam;Achternaam;E-mail", "Jan;Bos;a@b.example", "N:Bos;Jan"),
        ("contact", "Naam;Straat;Huisnummer;Toev.", "Jan Bos;Damrak;3;A", "Damrak 3 A"),
        ("contact", "Naam;Straat;Huisnummer;Toevoeging", "Jan Bos;Damrak;3;A", "Damrak 3 A"),
        ("contact", "Name;Dienststelle;Telefon", "Anna Bos;Bauamt;+49 30 12345678", "ORG:Bauamt"),
        ("contact", "Dienststelle;Vorname;Nachname", "Bauamt;Anna;Bos", "ORG:Bauamt"),
        ("contact", "Nom;Collectivité;Téléphone", "Bos;Lyon;+33 4 12345678", "ORG:Lyon"),
        (
            "contact",
            "Nazwisko;Tel. stacjonarny;Tel. komórkowy",
            "Bos;+48 22 1234567;+48 501 123456",
            "TYPE=voice:+48 22",
        ),
        ("contact", "Nom;E-mail", "Mairie;Mairie <mairie@ville.example>", "EMAIL:mairie@ville.example"),
        (
            "email",
            "E-mail;Sujet",
            "Mairie <mairie@ville.example>;Fête",
            "mailto:mairie@ville.example?subject=F",
        ),
        (
            "email",
            "E-mail;Sujet",
            "a@b.example, Mairie <mairie@ville.example>;x",
            "mailto:a@b.example,mairie@ville.example?",
        ),
        ("event", "Sujet;Date;Heure", "Fête;2027-02-03;18:00", "SUMMARY:Fête"),
        ("payment", "Payee;IBAN;Total due", "A;BE68539007547034;5", "EUR5.00"),
        ("payment", "Payee;IBAN;Amount due", "A;BE68539007547034;5", "EUR5.00"),
        ("payment", "Amt;Payee;IBAN;Betrag", "B;A;BE68539007547034;5", "A\nBE68539007547034\nEUR5.00"),
        ("payment", "Payee;IBAN;Amount", "A;BE68539007547034;€ 345.--", "EUR345.00"),
        ("payment", "Payee;IBAN;Amount", "A;BE68539007547034;345,-- €", "EUR345.00"),
        ("payment", "Payee;IBAN;Amount", "A;BE68539007547034;1'345.–", "EUR1345.00"),
        ("wifi", "SSID;Password;Security", "A;welcome-1;WPA2 Personnel", "T:WPA;"),
        ("wifi", "SSID;Password;Security", "A;welcome-1;WPA3 Personale", "T:WPA;"),
        ("wifi", "SSID;Password;Security", "A;welcome-1;WPA2 persönlich", "T:WPA;"),
    ] {
        let found = items(&format!("{header}\n{cells}\n"), &choices(name, &[]));
        let data = found[0]["data"].as_str().unwrap();
        assert!(data.contains(expected), "{header} {cells}: {data}");
    }
    assert!(
        problems("Payee;IBAN;Amount\nA;BE68539007547034;345-\n", &choices("payment", &[]))[0]
            .contains("is a credit")
    );
}

#[test]
fn totals_with_tax_are_not_paid_unasked_beside_what_is_still_due() {
    let row = "ACME;BE68539007547034;120,00;90,00";
    let payment = choices("payment", &[]);
    for name in [
        "Net à payer",
        "Reste à payer",
        "Solde dû",
        "Montant dû",
        "Montant à payer",
        "Montant restant",
        "Montant TTC",
        "TTC",
        "Montant à virer",
        "Solde à régler",
    ] {
        for csv in [
            format!("Bénéficiaire;IBAN;Total TTC;{name}\n{row}\n"),
            format!(
                "Bénéficiaire;IBAN;Total HT;Total TTC;Acompte versé;{name}\nACME;BE68539007547034;100;120;30;90\n"
            ),
        ] {
            let found = items(&csv, &payment);
            assert!(found[0]["data"].as_str().unwrap().contains("EUR90.00"), "{csv}: {found:?}");
        }
    }
    for name in [
        "Net à régler",
        "À régler",
        "À virer",
        "Reste dû",
        "Restant dû",
        "Restant dû/à payer",
        "Total à payer",
        "Total dû",
        "Total due",
        "Net TTC",
        "Total TTC à payer",
        // They may be without tax.
        "Montant",
        "Total",
    ] {
        let found = problems(&format!("Bénéficiaire;IBAN;Total TTC;{name}\n{row}\n"), &payment);
        assert!(found.len() == 1 && found[0].contains("could both be the amount"), "{name}: {found:?}");
    }
    for name in ["Total net", "Total HT", "Acompte versé", "Pay to", "Payer", "Open", "Net", "À"] {
        let found = items(&format!("Bénéficiaire;IBAN;Total TTC;{name}\n{row}\n"), &payment);
        assert!(found[0]["data"].as_str().unwrap().contains("EUR120.00"), "{name}: {found:?}");
        let found = items(&format!("Bénéficiaire;IBAN;{name}\nACME;BE68539007547034;x\n"), &payment);
        assert!(!found[0]["data"].as_str().unwrap().contains("EUR"), "{name}: {found:?}");
    }
}

#[test]
fn columns_of_texts_beside_the_chosen_one_are_named() {
    let csv = "Name;IBAN;Zahlungsreferenz;Verwendungszweck\nA;BE68539007547034;R 1;\nA;BE68539007547034;;Miete\nA;BE68539007547034;;Strom\n";
    let (report, found) = read(csv, &choices("payment", &[]));
    assert_eq!(found.len(), 3);
    let told = "2 of 3 payments have neither text nor reference. The column D (Verwendungszweck) has texts: choose it.";
    assert!(report.notices.iter().any(|notice| notice == told), "{:?}", report.notices);
}

#[test]
fn titles_above_extensions_are_no_headings() {
    for (csv, names) in [
        ("Telefonliste;\nName;DW\nAnna;12\nMax;13\n", ["Name", "DW"]),
        ("Telefonverzeichnis 2026;\n;\nBüro;Durchwahl\nBüro 1;12\nBüro 2;13\n", ["Büro", "Durchwahl"]),
        ("Telefonliste Gemeinde\nName,DW\nAnna,12\nMax,13\n", ["Name", "DW"]),
        ("Telefon;\nRoom;Ext.\nOffice;12\nHall;13\n", ["Room", "Ext."]),
    ] {
        let (report, _) = read(csv, &choices("phone", &[]));
        assert_eq!(report.columns.iter().map(|column| &column.name).collect::<Vec<_>>(), names, "{csv}");
        let (report, found) = read(csv, &choices("phone", &[("number", "B")]));
        assert_eq!((report.problems, found.len()), (vec![], 2), "{csv}");
    }
    // The column of a list stands alone.
    for csv in ["Telefon\n+49 89 1234\n", "Telefon;\n+49 89 1234;DW\n", "Telefon;\n+49 89 1234;12\n"] {
        assert_eq!(read(csv, &choices("phone", &[])).1.len(), 1, "{csv}");
    }
}

#[test]
fn purposes_of_payments_go_before_others() {
    let payment = choices("payment", &[]);
    for names in ["Zweck;Verwendungszweck", "Zweck;Verwendungszweck 1", "Zweck;VWZ"] {
        let csv = format!("Empfänger;IBAN;{names}\nA;BE68539007547034;Beitrag;Mitglied 17\n");
        let (report, found) = read(&csv, &payment);
        assert!(found[0]["data"].as_str().unwrap().ends_with("\nMitglied 17"), "{csv}: {found:?}");
        assert!(report.notices[0].starts_with("Not in the codes: "), "{csv}: {:?}", report.notices);
    }
}

#[test]
fn a_first_row_that_looks_like_those_below_it_may_be_an_item() {
    let asks = |csv: &str| read(csv, &Choices::default()).0.asks_for_header;
    for csv in [
        "Laptop Dell 5420\tINV-001\nBeamer Epson\tINV-002\nKamera Sony\tINV-003\n",
        "Anna Maier\t0711 123456\nBob Kurz\t0711 99887\n",
        "Anna\t\"Hauptstr. 1\n70173 Stuttgart\"\nBob\t\"Weg 2\n70174 Stuttgart\"\n",
    ] {
        assert!(asks(csv), "{csv}");
        let layout = Some(SheetLayout::NoHeader);
        let columns = vec![(Role::Data, ColumnChoice::At(1))];
        let (report, items) = read(csv, &Choices { columns, layout, ..Choices::default() });
        assert_eq!((report.asks_for_header, items.len()), (false, csv.matches('\t').count()), "{csv}");
    }
    for csv in [
        "Person\tTel 2\nAnna\t0711 123456\nBob\t0711 99887\n",
        "Filiale\t2026\nNord\t2026\nOst\t1800\n",
        "Filiale\tQ1 2026\nNord\t12\nOst\t14\n",
        "Ware\tPreis 2026\nSchraube\t12,50\nMutter\t3,50\n",
    ] {
        assert!(!asks(csv), "{csv}");
    }
    // A column that was chosen may have a name, or not: that is offered where no name is known.
    let columns = vec![(Role::Data, ColumnChoice::At(1))];
    for (csv, is_offered) in [
        ("Laptop\tINV-001\nBeamer\tINV-002\n", true),
        ("Anna Meier\tChair\nBen Kurz\tTreasurer\n", true),
        ("Name\tInventar\nBeamer\tINV-002\n", false),
        ("Laptop\tLink\nBeamer\tINV-002\n", false),
    ] {
        let (report, items) = read(csv, &Choices { columns: columns.clone(), ..Choices::default() });
        assert_eq!((report.asks_for_header, report.asks_for_columns), (is_offered, false), "{csv}");
        assert_eq!((report.problems, items.len()), (vec![], 1), "{csv}");
    }
    // A link or the address of a mail is no name.
    for csv in [
        "Anna Meier\tanna@example.org\nBen Kurz\tben@example.org\n",
        "1.\thttps://example.org/a\n2.\tfehlt noch\n3.\thttps://example.org/c\n",
        "Mensa\twww.example.org/mensa\nHort\twird noch gemacht\n",
        "1.\tWillkommen\n2.\tBitte Schuhe ausziehen\n",
        "•\tWillkommen\n•\tBitte Schuhe ausziehen\n",
    ] {
        let (report, _) = read(csv, &Choices { columns: columns.clone(), ..Choices::default() });
        assert_eq!((report.asks_for_header, report.asks_for_columns), (true, true), "{csv}");
        assert_eq!(report.problems.len(), 1, "{csv}");
        let layout = Some(SheetLayout::NoHeader);
        let (report, items) = read(csv, &Choices { columns: columns.clone(), layout, ..Choices::default() });
        assert_eq!((report.asks_for_columns, items.len()), (false, csv.matches('\t').count()), "{csv}");
    }
    let csv = "Anna Maier\t0711 123456\nBob Kurz\t0711 99887\n";
    assert!(read(csv, &choices("contact", &[("name", "A"), ("phone", "B")])).0.asks_for_header);
}

/// The report asks whether the first row is an item, with these columns chosen for the data.
fn offers_first_row(csv: &str, choices: &Choices) -> bool {
    let (report, items) = read(csv, choices);
    assert_eq!((report.problems, items.len(), report.asks_for_columns), (vec![], 1, false), "{csv}");
    report.asks_for_header
}

#[test]
fn a_first_row_without_names_may_be_an_item_of_any_kind() {
    let of_pattern = |text: &str| {
        let composed = vec![(Role::Data, Composition::Pattern(text.to_owned()))];
        Choices { composed, ..Choices::default() }
    };
    for (csv, choices) in [
        ("Anna Maier;ACME\nBen Kurz;Beta\n", choices("contact", &[("name", "A"), ("organisation", "B")])),
        ("Berghütte;47.1;8.2\nTalhütte;46.9;8.1\n", choices("geo", &[("latitude", "B"), ("longitude", "C")])),
        (
            "Yoga;2027-06-01;18:00\nPilates;2027-06-02;19:00\n",
            choices("event", &[("title", "A"), ("start", "B"), ("startTime", "C")]),
        ),
        ("Anna Maier;ACME\nBen Kurz;Beta\n", of_pattern("{A} {B}")),
    ] {
        assert!(offers_first_row(csv, &choices), "{csv}");
    }
    // A column that is chosen or recognised by its name has one.
    for (csv, choices) in [
        ("Wer;Zunft\nBen Kurz;Beta\n", choices("contact", &[("name", "Wer"), ("organisation", "B")])),
        ("Wer;Jourtelefon\nBen Kurz;+49 711 1234567\n", choices("contact", &[("name", "A"), ("phone", "B")])),
        ("Wer;Zunft\nBen Kurz;Beta\n", of_pattern("{Wer} {B}")),
        ("Wer;Zunft\nBen Kurz;Beta\n", of_pattern("{Wer} {zunft}")),
    ] {
        assert!(!offers_first_row(csv, &choices), "{csv}");
    }
}

#[test]
fn words_above_links_and_numbers_are_names() {
    let offers = |csv: &str, column| {
        let columns = vec![(Role::Data, ColumnChoice::At(column))];
        offers_first_row(csv, &Choices { columns, ..Choices::default() })
    };
    for (csv, column) in [
        ("SKU;Product\nA-100;Schraube\n", 0),
        ("Asset tag;Owner\nAT-001;Anna\n", 0),
        ("Inventarnr;Gerät\n4711;Bohrer\n", 0),
        ("Gutscheincode\nSOMMER10\n", 0),
        ("Order ID;Customer\n1001;ACME\n", 0),
        ("Tisch;Bestellseite\n1;https://example.org/1\n", 1),
        ("Raum;Bestellseite\nFoyer;https://example.org/a\n", 1),
        ("Raum;Bestellseite\nFoyer;www.example.org\n", 1),
        ("Raum;Bestellseite (https://...)\nFoyer;Saal\n", 0),
        ("Wer;Erreichbar\nBen Kurz;ben@example.org\n", 1),
    ] {
        assert!(!offers(csv, column), "{csv}");
    }
    for (csv, column) in [
        // Nothing tells these from items.
        ("Wer;Zunft\nBen Kurz;Beta\n", 1),
        ("Voucher code;Value\nHAPPY;10\n", 0),
        ("Foyer\nRaum 1\n", 0),
        ("ORD 1001\nORD1002\n", 0),
        ("example.com\nwww.example.org\n", 0),
        ("Anna Meier;keine\nBen Kurz;0711 123\n", 0),
        // The first row has a number or a link, too.
        ("Foyer;https://example.org/a\nRaum 1;https://example.org/1\n", 0),
        ("Raum 0;https://example.org/a\nRaum 1;https://example.org/1\n", 0),
        ("SOMMER10\nHERBST10\n", 0),
    ] {
        assert!(offers(csv, column), "{csv}");
    }
}
