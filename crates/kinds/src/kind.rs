//! The kinds with their fields.

use crate::values::{Fault, Field, Values, spoken, trimmed};
use crate::{contact, digital_link, event, geo, mail, payment, phone, wifi};

/// A kind of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A link or any text, as it stands.
    Text,
    /// vCard 3.0 (RFC 2426), which more phones read than 4.0.
    Contact,
    /// vCard 4.0 (RFC 6350).
    ContactV4,
    /// A wireless network.
    Wifi,
    /// A mail (RFC 6068).
    Email,
    /// A text message: `SMSTO:`, or `sms:` (RFC 5724) without a text.
    Sms,
    /// A telephone number (RFC 3966).
    Phone,
    /// A place (RFC 5870).
    Geo,
    /// An event (RFC 5545).
    Event,
    /// A SEPA credit transfer (EPC069-12).
    Payment,
    /// A GS1 Digital Link.
    DigitalLink,
}

const fn required(name: &'static str) -> Field {
    Field { name, is_required: true }
}

const fn optional(name: &'static str) -> Field {
    Field { name, is_required: false }
}

const CONTACT: &[Field] = &[
    optional("name"),
    optional("firstName"),
    optional("lastName"),
    optional("organisation"),
    optional("title"),
    optional("phone"),
    optional("mobile"),
    optional("email"),
    optional("url"),
    optional("street"),
    optional("city"),
    optional("region"),
    optional("postcode"),
    optional("country"),
    optional("note"),
    optional("homePhone"),
    optional("otherPhone"),
    optional("fax"),
    optional("otherEmail"),
];

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 11] = [
        Self::Text,
        Self::Contact,
        Self::ContactV4,
        Self::Wifi,
        Self::Email,
        Self::Sms,
        Self::Phone,
        Self::Geo,
        Self::Event,
        Self::Payment,
        Self::DigitalLink,
    ];

    /// The kind of that name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The name by which people choose it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Contact => "contact",
            Self::ContactV4 => "contact-v4",
            Self::Wifi => "wifi",
            Self::Email => "email",
            Self::Sms => "sms",
            Self::Phone => "phone",
            Self::Geo => "geo",
            Self::Event => "event",
            Self::Payment => "payment",
            Self::DigitalLink => "digital-link",
        }
    }

    /// Its fields. Those of contacts begin with name, first name and last name.
    pub fn fields(self) -> &'static [Field] {
        match self {
            Self::Text => const { &[required("text")] },
            Self::Contact | Self::ContactV4 => CONTACT,
            Self::Wifi => {
                const { &[required("ssid"), optional("password"), optional("encryption"), optional("hidden")] }
            }
            Self::Email => const { &[required("to"), optional("subject"), optional("body")] },
            Self::Sms => const { &[required("number"), optional("text")] },
            Self::Phone => const { &[required("number")] },
            Self::Geo => const { &[optional("latitude"), optional("longitude"), optional("coordinates")] },
            Self::Event => {
                const {
                    &[
                        required("title"),
                        required("start"),
                        optional("startTime"),
                        optional("end"),
                        optional("endTime"),
                        optional("location"),
                        optional("description"),
                    ]
                }
            }
            Self::Payment => {
                const {
                    &[
                        required("name"),
                        required("iban"),
                        optional("bic"),
                        optional("amount"),
                        optional("reference"),
                        optional("text"),
                    ]
                }
            }
            Self::DigitalLink => {
                const {
                    &[
                        required("gtin"),
                        optional("lot"),
                        optional("serial"),
                        optional("productionDate"),
                        optional("bestBefore"),
                        optional("expiry"),
                        optional("domain"),
                    ]
                }
            }
        }
    }

    /// Spaces around the field's value are part of it.
    pub fn keeps_spaces(self, field: &str) -> bool {
        matches!((self, field), (Self::Text, _) | (Self::Wifi, "ssid" | "password") | (Self::Email, "body"))
    }

    /// The first field that a code of the kind needs beside those that it `has`.
    pub fn lacks(self, has: impl Fn(&str) -> bool) -> Option<&'static str> {
        let required = self.fields().iter().find(|field| field.is_required && !has(field.name));
        required.map(|field| field.name).or_else(|| match self {
            Self::Contact | Self::ContactV4 => {
                (!["name", "firstName", "lastName", "organisation"].into_iter().any(has)).then_some("name")
            }
            // A list without passwords would make open networks unasked.
            Self::Wifi => (!["password", "encryption"].into_iter().any(has)).then_some("password"),
            Self::Geo if has("coordinates") => None,
            Self::Geo => ["latitude", "longitude"].into_iter().find(|field| !has(field)),
            _ => None,
        })
    }

    /// The words by which people know a code, such as a name: never a secret, an account or a whole card. Empty: its text.
    pub fn title(self, values: &[&str]) -> String {
        let value = |name: &str| {
            let place = self.fields().iter().position(|field| field.name == name);
            place.and_then(|place| values.get(place)).map_or("", |value| trimmed(value))
        };
        let joined = |names: &[&str], between: &str| {
            let parts: Vec<&str> =
                names.iter().map(|name| value(name)).filter(|part| !part.is_empty()).collect();
            parts.join(between)
        };
        match self {
            Self::Text => String::new(),
            Self::Contact | Self::ContactV4 => {
                let names = [value("name").to_owned(), joined(&["firstName", "lastName"], " ")];
                let name = names.into_iter().find(|name| !name.is_empty());
                name.unwrap_or_else(|| value("organisation").lines().next().unwrap_or_default().to_owned())
            }
            // Invoices of one payee differ in these.
            Self::Payment => joined(&["name", "reference", "text"], " "),
            Self::Wifi => value("ssid").to_owned(),
            Self::Event => value("title").to_owned(),
            Self::Email => value("to").to_owned(),
            Self::Sms | Self::Phone => value("number").to_owned(),
            Self::Geo => {
                let own = ["latitude", "longitude"].map(value);
                let [latitude, longitude] = geo::pair_of_degrees(value("coordinates")).unwrap_or(own);
                let decimal =
                    |(name, text): (&str, &str)| geo::decimal(name, text).unwrap_or_else(|| text.to_owned());
                [("latitude", latitude), ("longitude", longitude)].map(decimal).join(",")
            }
            Self::DigitalLink => joined(&["gtin", "serial", "lot"], "-").trim_start_matches('\'').to_owned(),
        }
    }

    /// The data of a code. `values` are in the order of [`Kind::fields`]; one that is empty is absent.
    ///
    /// # Errors
    /// A value that the kind's document forbids.
    pub fn compose(self, values: &[&str]) -> Result<String, Fault> {
        let values = Values::new(self.fields(), values)?;
        if let Some(field) = self.lacks(|name| !values.text(name).is_empty()) {
            let message = match (self, field) {
                (Self::Wifi, "password") => {
                    "there is no password. For an open network write none in a column called encryption."
                        .to_owned()
                }
                (Self::Contact | Self::ContactV4, "name") => {
                    "a contact needs a name, a first or last name, or an organisation.".to_owned()
                }
                (Self::Geo, "latitude") => {
                    "a place needs a latitude and a longitude, or both as coordinates.".to_owned()
                }
                _ => format!("the {} is empty, but a code of this kind needs it.", spoken(field)),
            };
            return Err(Fault::new(field, message));
        }
        match self {
            Self::Text => Ok(values.text("text").to_owned()),
            Self::Contact => contact::compose(values, contact::Version::Three),
            Self::ContactV4 => contact::compose(values, contact::Version::Four),
            Self::Wifi => wifi::compose(values),
            Self::Email => mail::compose(values),
            Self::Sms => phone::compose_message(values),
            Self::Phone => phone::compose(values),
            Self::Geo => geo::compose(values),
            Self::Event => event::compose(values),
            Self::Payment => payment::compose(values),
            Self::DigitalLink => digital_link::compose(values),
        }
    }
}
