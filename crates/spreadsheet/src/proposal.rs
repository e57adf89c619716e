//! Proposes the kind of codes that a sheet is for, by the names of its columns.

use qrpress_kinds::Kind;

use crate::fields::{names_field, recognised};
use crate::names::{names_plain_data, role_of, simplified};
use crate::role::Role;

/// A kind of codes, and the columns that would fill its fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// The kind.
    pub kind: Kind,
    /// Fields with the positions of their columns, in the order of the kind's fields.
    pub fields: Vec<(&'static str, u32)>,
}

/// The fields by which a kind is proposed, the surest kind first. A sheet needs one field of each list.
const SIGNS: [(Kind, &[&[&str]]); 7] = [
    (Kind::Wifi, &[&["ssid"], &["password", "encryption"]]),
    (Kind::Payment, &[&["iban"], &["name"]]),
    (Kind::Contact, &[&["firstName"], &["lastName"], &["phone", "mobile", "email", "organisation"]]),
    (Kind::Contact, &[&["name"], &["phone", "mobile", "email"]]),
    (Kind::DigitalLink, &[&["gtin"]]),
    (Kind::Geo, &[&["latitude"], &["longitude"]]),
    (Kind::Event, &[&["title"], &["start"]]),
];

/// The kind that the names of columns speak for. None where a column holds the text of codes. The fields that codes need are there,
/// but for the password of networks, which may be open.
pub(crate) fn proposal(names: &[&str]) -> Option<Proposal> {
    if names.iter().any(|name| names_plain_data(name)) {
        return None;
    }
    let has_link = names.iter().any(|name| role_of(name) == Some(Role::Data));
    let kind = SIGNS.iter().find_map(|(kind, signs)| {
        // A contact has a website; the others do not, and the links of a sheet are what its codes say.
        let is_likely = !has_link || matches!(kind, Kind::Contact | Kind::Wifi | Kind::Payment);
        let has = |fields: &&[&'static str]| {
            fields.iter().any(|field| names.iter().any(|name| names_field(*kind, field, name)))
        };
        (is_likely && signs.iter().all(has)).then_some(*kind)
    });
    let kind =
        kind.or_else(|| names.iter().any(|name| simplified(name).contains("ssid")).then_some(Kind::Wifi))?;
    let columns = recognised(kind, names, |_| false);
    let fields: Vec<(&'static str, u32)> =
        kind.fields().iter().zip(columns).filter_map(|(field, column)| Some((field.name, column?))).collect();
    let has_field = |name: &str| fields.iter().any(|(field, _)| *field == name);
    matches!(kind.lacks(has_field), None | Some("password")).then_some(Proposal { kind, fields })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proposed(names: &[&str]) -> Option<(&'static str, Vec<(&'static str, u32)>)> {
        proposal(names).map(|proposal| (proposal.kind.name(), proposal.fields))
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
                ][..],
            ),
            (
                "payment",
                &[
                    &["Name", "IBAN", "Amount"],
                    &["Zahlungsempfänger", "IBAN", "BIC", "Betrag", "Verwendungszweck"],
                    &["Bénéficiaire", "IBAN", "Montant"],
                ],
            ),
            (
                "contact",
                &[
                    &["First name", "Last name", "Company", "Phone", "Mobile", "E-mail", "Website"],
                    &["Vorname", "Nachname", "Telefon"],
                    &["Nom", "Prénom", "Courriel"],
                    &["Name", "Mobile"],
                    &["姓名", "手机"],
                    &["Имя", "Фамилия", "Телефон"],
                ],
            ),
            ("digital-link", &[&["GTIN", "Lot"], &["EAN", "Chargennummer", "MHD"], &["Article", "EAN-13"]]),
            ("geo", &[&["Ort", "Breitengrad", "Längengrad"], &["lat", "lng"]]),
            ("event", &[&["Event", "Start", "End"], &["Veranstaltung", "Beginn", "Ende"]]),
        ] {
            for names in sheets {
                assert_eq!(proposed(names).map(|(kind, _)| kind), Some(kind), "{names:?}");
            }
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
            &["IBAN"],
            &["Start", "Ende"],
            &[],
        ] {
            assert_eq!(proposed(names), None, "{names:?}");
        }
    }

    #[test]
    fn names_as_long_as_texts_are_not_looked_at() {
        let network = |spaces: usize| format!("SS{}ID", " ".repeat(spaces));
        assert!(proposed(&[&network(196), "Password"]).is_some());
        assert_eq!(proposed(&[&network(197), "Password"]), None);
    }

    #[test]
    fn columns_fill_one_field_each() {
        let (_, fields) =
            proposed(&["First name", "Last name", "Company", "Phone", "Mobile", "E-mail", "Website"])
                .unwrap();
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
        let (_, fields) = proposed(&["Nom", "Prénom", "Courriel", "Site web"]).unwrap();
        assert_eq!(fields, [("firstName", 1), ("lastName", 0), ("email", 2), ("url", 3)]);
        // A network may be open, and the name beside a family's is the first name.
        assert_eq!(proposed(&["SSID", "Room"]), Some(("wifi", vec![("ssid", 0)])));
        let (_, fields) = proposed(&["Nome", "Cognome", "Cellulare"]).unwrap();
        assert_eq!(fields, [("firstName", 0), ("lastName", 1), ("mobile", 2)]);
    }
}
