//! Files as programs export them: contacts, networks and events, with the columns that each program writes.

use qrpress_spreadsheet::Kind;

use crate::composed::{Choices, items, kind, read};

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
    for (salutation, job) in [
        ("Mme", ""),
        ("Herr Dr.", ""),
        ("Directrice", "TITLE:Directrice\r\n"),
        ("Sr Engineer", "TITLE:Sr Engineer\r\n"),
    ] {
        let csv = format!("Titre;Prénom;Nom;Courriel\n{salutation};Zoé;Bos;z@a.fr\n");
        assert!(code(&csv).contains(&format!("FN:Zoé Bos\r\n{job}EMAIL")), "{}", code(&csv));
        let report = read(&csv, &Choices { composed: vec![kind("contact", &[])], ..Choices::default() }).0;
        assert_eq!(report.columns[0].field, (!job.is_empty()).then_some("title"));
        assert_eq!(report.notices.len(), usize::from(job.is_empty()), "{:?}", report.notices);
    }
}
