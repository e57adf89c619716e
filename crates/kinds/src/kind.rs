//! The kinds with their fields.

use crate::values::{Fault, Field, Values};
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
    required("name"),
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

    /// Its fields.
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
            Self::Geo => const { &[required("latitude"), required("longitude")] },
            Self::Event => {
                const {
                    &[
                        required("title"),
                        required("start"),
                        optional("end"),
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
                        optional("expiry"),
                        optional("domain"),
                    ]
                }
            }
        }
    }

    /// The data of a code. `values` are in the order of [`Kind::fields`]; one that is empty is absent.
    ///
    /// # Errors
    /// A value that the kind's document forbids.
    pub fn compose(self, values: &[&str]) -> Result<String, Fault> {
        let values = Values::new(self.fields(), values)?;
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
