//! Proposes the kind of codes that a sheet is for, by the names of its columns.

use std::cell::LazyCell;

use qrpress_kinds::{Kind, is_of_number};

use crate::books::{is_isbn, names_isbn};
use crate::currencies::other_currency;
use crate::fields::{
    names_field, names_messenger, names_number_of_sms, names_place_of_calls, names_receiver, names_recipient,
    names_type, recognised,
};
use crate::moments::{
    ends_in_date, is_date, may_be_date, names_opening, names_side_alone, openings, rank_of_moment,
};
use crate::names::{LONGEST, is_canonical, is_one_of, names_plain_data, role_of, simplified, words};
use crate::places::{names_measure, names_width, without_cep};
use crate::role::Role;
use crate::teams::teams;
use crate::things::is_name_of;

/// A kind of codes, and the columns that would fill its fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// The kind.
    pub kind: Kind,
    /// Fields with the positions of their columns, in the order of the kind's fields.
    pub fields: Vec<(&'static str, u32)>,
}

impl Proposal {
    /// The column whose name may be that of something else. Its first value decides.
    pub(crate) fn doubtful(&self, names: &[&str]) -> Option<u32> {
        let (field, is_doubtful): (_, fn(&str) -> bool) = match self.kind {
            Kind::Email => ("to", names_recipient),
            Kind::Phone => ("number", |_| true),
            Kind::Sms => ("number", |name| simplified(name) == "sms"),
            Kind::DigitalLink => ("gtin", |_| true),
            Kind::Payment => ("iban", |name| !simplified(name).contains("iban")),
            // `DTSTART` says it, whatever its days look like: `20270601`.
            Kind::Event => ("start", |name| {
                (names_side_alone(name) && simplified(name) != "dtstart") || names_opening(name)
            }),
            Kind::Geo => ("latitude", names_width),
            _ => return None,
        };
        let (_, column) = self.fields.iter().find(|(name, _)| *name == field)?;
        is_doubtful(names[*column as usize]).then_some(*column)
    }

    /// The names alone speak for the kind: none may be that of any number or period.
    pub(crate) fn is_told_by(&self, names: &[&str]) -> bool {
        let is_any = |column: u32| {
            let name = names[column as usize];
            names_number(name)
                || are_of_periods(names)
                || (self.kind == Kind::Phone && names_place_of_calls(name))
        };
        !self.doubtful(names).is_some_and(is_any)
    }

    /// A row with these cells has all that a code needs. An open network needs no password. One account may be typed for all payments.
    pub(crate) fn is_whole(&self, has_cell: impl Fn(u32) -> bool) -> bool {
        let has = |name: &str| self.fields.iter().any(|(field, column)| *field == name && has_cell(*column));
        matches!(self.kind.lacks(has), None | Some("password"))
            || (self.kind == Kind::Payment && has("amount"))
    }

    /// The currency of the amounts of payments, if it is not the euro, which alone their codes know: `Betrag CHF`.
    fn other_currency<'n>(&self, names: &[&'n str]) -> Option<&'n str> {
        let is_amount = |name: &&&str| names_field(self.kind, "amount", name);
        let amounts = names.iter().filter(is_amount).map(|name| other_currency(name));
        let currencies: Vec<Option<&str>> = amounts.collect();
        let are_other = self.kind == Kind::Payment && currencies.iter().all(Option::is_some);
        currencies.first().copied().flatten().filter(|_| are_other)
    }

    /// The value of the doubtful column may be one of the kind, beside columns with these names. None: the next one tells. A `Number` is that
    /// of a telephone where it is written as one, and all of those called `ISBN` have 13 digits. `is_first`: it stands in the first row. Behind
    /// others, a number for help proves nothing.
    pub(crate) fn takes(&self, names: &[&str], value: &str, is_first: bool) -> Option<bool> {
        let is_for_help =
            |number| FOR_HELP_OR_OTHERS.contains(&number) || (!is_first && FOR_HELP.contains(&number));
        match self.kind {
            Kind::Phone if !self.is_told_by(names) && is_for_help(value.trim()) => None,
            Kind::DigitalLink if self.is_of_books(names) => Some(false).filter(|_| !is_isbn(value)),
            _ => Some(self.may_be_of_kind(names, value)),
        }
    }

    /// A value of the doubtful column has to tell that it is one of the kind.
    pub(crate) fn needs_proof(&self) -> bool {
        self.kind == Kind::Phone
    }

    /// The goods are known by a column called `ISBN`.
    fn is_of_books(&self, names: &[&str]) -> bool {
        self.fields.iter().any(|(field, column)| *field == "gtin" && names_isbn(names[*column as usize]))
    }

    /// Another column than that of the numbers of books may tell them apart, or the list is one of something else.
    fn may_be_no_books(&self, names: &[&str]) -> bool {
        let is_of_book =
            |name: &str| name.trim().is_empty() || names_isbn(name) || is_one_of(&simplified(name), OF_BOOKS);
        self.is_of_books(names) && !names.iter().copied().all(is_of_book)
    }

    /// The value may be one of the kind.
    fn may_be_of_kind(&self, names: &[&str], value: &str) -> bool {
        let is_digit = |character: char| character.is_ascii_digit();
        let value = value.trim();
        match self.kind {
            Kind::Email => value.contains('@'),
            Kind::Phone if !self.is_told_by(names) => is_telephone_number(value),
            Kind::Event if are_of_periods(names) => value.contains(':') && is_date(value),
            Kind::Phone | Kind::Sms => {
                value.chars().all(is_of_number) && value.chars().filter(char::is_ascii_digit).count() > 2
            }
            // A row says what is wrong with a number such as `4.01E+12`.
            Kind::DigitalLink => {
                let value = value.trim_start_matches('\'');
                let is_sign = |sign: char| sign.is_whitespace() || sign == '-';
                let written: String = value.split(is_sign).collect();
                let fewest = if value.contains('-') { FEWEST_WITH_HYPHENS } else { 7 };
                value.contains('E') && value.starts_with(is_digit)
                    || ((fewest..=14).contains(&written.len()) && written.chars().all(is_digit))
            }
            // Widths of goods have no more than two decimals.
            Kind::Geo => {
                value.contains('°')
                    || value.rsplit_once(['.', ',']).is_some_and(|(_, decimals)| decimals.len() > 2)
            }
            // A name such as `Bankverbindung` may also be that of banks.
            Kind::Payment => {
                let account = value.trim_start_matches("IBAN").trim_start_matches([':', ' ']);
                let written: Vec<u8> = account.bytes().filter(|byte| *byte != b' ').take(4).collect();
                let [country, digits] = [written.get(..2), written.get(2..4)].map(Option::unwrap_or_default);
                !digits.is_empty()
                    && country.iter().all(u8::is_ascii_alphabetic)
                    && digits.iter().all(u8::is_ascii_digit)
            }
            Kind::Event => is_date(value) || ends_in_date(value),
            _ => true,
        }
    }
}

/// The fields by which a kind is proposed, the surest kind first. A sheet needs one field of each list.
const SIGNS: [(Kind, &[&[&str]]); 14] = [
    (Kind::Wifi, &[&["ssid"], &["password", "encryption"]]),
    (Kind::Payment, &[&["iban"], &["name"]]),
    // A message by that name alone: a text may be a caption.
    (Kind::Email, &[&["to"], &["subject"]]),
    (Kind::Email, &[&["to"], &["message"]]),
    (Kind::Sms, &[&["number"], &["message"]]),
    (
        Kind::Contact,
        &[&["firstName"], &["lastName"], &["phone", "mobile", "homePhone", "email", "organisation"]],
    ),
    (Kind::Contact, &[&["name"], &["phone", "mobile", "homePhone", "email"]]),
    (Kind::DigitalLink, &[&["gtin"]]),
    (Kind::Geo, &[&["latitude"], &["longitude"]]),
    (Kind::Geo, &[&["coordinates"]]),
    (Kind::Event, &[&["event", "heading"], &["start"]]),
    (Kind::Email, &[&["to"], &["body"]]),
    (Kind::Sms, &[&["mobile", "phone"], &["text"]]),
    (Kind::Contact, &[&["organisation"], &["phone", "mobile", "homePhone", "email"]]),
];

/// Columns of a list of telephone numbers or email addresses, at most. A wider sheet lists something that has one as well.
const MOST_OF_LIST: usize = 4;

/// The kind of codes that the names of the columns speak for. It has the fields that codes need, as `is_whole` says. None: a column holds the
/// text of codes, or the names speak for no kind.
///
/// `are_dates`: a column called `Data` holds dates.
pub(crate) fn proposal(names: &[&str], are_dates: bool) -> Option<Proposal> {
    by_names(names, are_dates).filter(|proposal| proposal.other_currency(names).is_none())
}

/// The currency in which the names of the columns say that payments are, which their codes do not know.
pub(crate) fn currency_of_payments<'n>(names: &[&'n str]) -> Option<&'n str> {
    let proposal = by_names(names, false).filter(|proposal| proposal.doubtful(names).is_none())?;
    proposal.other_currency(names)
}

/// The same in any currency.
fn by_names(names: &[&str], are_dates: bool) -> Option<Proposal> {
    let names = &*without_cep(names);
    let has_field = |kind, field| names.iter().any(|name| names_field(kind, field, name));
    // `Treść` may be the text of codes, or of a mail or message.
    let has_message = (has_field(Kind::Email, "to") && has_field(Kind::Email, "subject"))
        || (names.len() == 2 && has_field(Kind::Phone, "number"));
    let is_other = |name: &str| {
        (are_dates && may_be_date(name))
            || (has_field(Kind::DigitalLink, "gtin") && may_be_contents(name))
            || (has_message && is_name_of("body", &simplified(name)))
    };
    if names.iter().any(|name| names_plain_data(name) && !is_other(name)) {
        return None;
    }
    let has_link = names.iter().any(|name| role_of(name) == Some(Role::Data) && !is_other(name));
    let is_page = |name: &str| ["web", "internet"].iter().any(|word| simplified(name).contains(word));
    let has_page_alone = || names.iter().all(|name| role_of(name) != Some(Role::Data) || is_page(name));
    let has_person = || ["name", "firstName"].into_iter().any(|field| has_field(Kind::Contact, field));
    // A place, a time and a title tell an event from a campaign or a person with a link. `Name` may be that of either.
    let is_title =
        |name: &&str| names_field(Kind::Event, "title", name) && !is_name_of("name", &simplified(name));
    let has_title = || teams(names).is_some() || names.iter().any(is_title);
    let has_parts_of_name =
        || ["firstName", "lastName"].into_iter().any(|field| has_field(Kind::Contact, field));
    let has_whole_moment = || {
        has_title()
            && !has_parts_of_name()
            && has_field(Kind::Event, "location")
            && ["startTime", "end", "endTime"].into_iter().any(|field| has_field(Kind::Event, field))
    };
    // A bill has a firm and its email address, and is no contact. A customer with a balance has a first name or a telephone.
    let has_amount = has_field(Kind::Payment, "amount");
    let has_word = |words: &[&str]| {
        names.iter().map(|name| simplified(name)).any(|name| words.iter().any(|word| name.contains(word)))
    };
    let are_bills = has_amount
        && has_word(&OF_INVOICES)
        && !["firstName", "phone", "mobile"].into_iter().any(|field| has_field(Kind::Contact, field));
    let has_network = LazyCell::new(|| has_word(&["wlan", "wifi"]));
    let by_signs = SIGNS.iter().find_map(|(kind, signs)| {
        // A person, a firm or a place has a website. Links beside anything else are what the codes of the sheet say.
        let is_likely = !has_link
            || matches!(kind, Kind::Wifi | Kind::Payment)
            || (*kind == Kind::Contact && (has_person() || has_page_alone()))
            // `Breite` may be that of goods.
            || (*kind == Kind::Geo && has_page_alone() && !names.iter().any(|name| names_width(name)))
            || (*kind == Kind::Event && has_whole_moment());
        let is_likely = is_likely
            && !(are_bills && *kind == Kind::Contact)
            && !(*kind == Kind::Email && may_be_events(names));
        let has = |fields: &&[&'static str]| {
            let is_named = |field, name: &str| {
                let is_thing = |thing| is_name_of(thing, &simplified(name));
                let may_be_other = names_type(name)
                    || names_messenger(name)
                    || (*kind == Kind::Wifi && is_thing("code") && !*has_network)
                    || (*kind == Kind::Payment && is_thing("bankDetails"))
                    || (*kind == Kind::Email && is_thing("topic"));
                names_field(*kind, field, name) && !may_be_other
            };
            fields.iter().any(|field| names.iter().any(|name| is_named(field, name)))
        };
        (is_likely && signs.iter().all(has)).then(|| filled(*kind, names)).flatten()
    });
    let is_network = |name: &&str| simplified(name).contains("ssid");
    let has_moment = |field, rank| names.iter().any(|name| rank_of_moment(field, name) == Some(rank));
    let has_sides = || has_moment("start", 5) && has_moment("end", 2) && has_field(Kind::Event, "location");
    let is_of_start = || {
        let has_day = has_moment("start", 1) || has_moment("start", 2);
        let has_all =
            || ["start", "startTime", "location"].into_iter().all(|field| has_field(Kind::Event, field));
        (has_day && has_moment("startTime", 1)) || has_all()
    };
    // `Name` may be a person's. It is an event's beside a day and a start time, or beside a day, a time and a place.
    let is_event = || {
        (!has_link || has_whole_moment())
            && ((teams(names).is_some() && has_field(Kind::Event, "start"))
                || (has_field(Kind::Event, "title") && (has_sides() || openings(names).is_some()))
                || (has_field(Kind::Event, "title") && is_of_start())
                || (["event", "heading", "label"].into_iter().any(|thing| has_field(Kind::Event, thing))
                    && names.iter().any(|name| names_side_alone(name))))
    };
    let are_payments =
        are_bills || (has_amount && (has_word(&OF_PAYMENTS) || has_field(Kind::Payment, "iban")));
    let kind = if names.iter().any(is_network) {
        Some(Kind::Wifi)
    } else if are_payments && !has_link && !names.iter().any(|name| names_link(name)) {
        Some(Kind::Payment)
    } else if is_event() {
        Some(Kind::Event)
    } else {
        kind_of_list(names).filter(|_| !has_link)
    };
    by_signs.or_else(|| filled(kind?, names)).filter(|proposal| !proposal.may_be_no_books(names))
}

/// The name is that of the text of codes, and of what goods contain as well: `Inhalt`.
fn may_be_contents(name: &str) -> bool {
    names_plain_data(name) && !is_canonical(name, Role::Data) && !simplified(name).starts_with("qr")
}

/// The name has a word for a link: `Payment link`, `Zahlungslink`.
fn names_link(name: &str) -> bool {
    name.len() <= LONGEST && words(name).iter().any(|word| word == "url" || word.ends_with("link"))
}

/// The names may be those of events from a day or time to another, and not of mails: `Temat, Od, Do`.
fn may_be_events(names: &[&str]) -> bool {
    let has = |kind, field| names.iter().any(|name| names_field(kind, field, name));
    let has_address =
        || names.iter().any(|name| names_field(Kind::Email, "to", name) && !names_receiver(name));
    let is_mail = || has(Kind::Email, "subject") && has(Kind::Email, "body");
    (has(Kind::Event, "start") || has(Kind::Event, "startTime")) && !has_address() && !is_mail()
}

/// The kind of codes of a list of telephone numbers or email addresses.
fn kind_of_list(names: &[&str]) -> Option<Kind> {
    let has_field =
        |(kind, field): &(Kind, &'static str)| names.iter().any(|name| names_field(*kind, field, name));
    let kinds = [(Kind::Phone, "phone"), (Kind::Phone, "mobile"), (Kind::Email, "to")];
    let of_messages = || names.iter().any(|name| names_number_of_sms(name)).then_some(Kind::Sms);
    // Beside a text, it may be the number of that.
    let has_text = || names.iter().any(|name| role_of(name) == Some(Role::Caption));
    let has_number = || names.iter().any(|name| names_number(name)) && !has_text();
    let of_numbers = || has_number().then_some(Kind::Phone);
    let found = kinds.into_iter().find(has_field).map(|(kind, _)| kind);
    let found = found.or_else(of_messages).or_else(of_numbers);
    found.filter(|_| names.len() <= MOST_OF_LIST)
}

/// The names may be those of contracts or holidays as well as those of events: `Bezeichnung, von, bis`. Those have no times.
fn are_of_periods(names: &[&str]) -> bool {
    let has = |thing| names.iter().any(|name| names_field(Kind::Event, thing, name));
    has("label") && !["event", "heading", "location"].into_iter().any(has) && openings(names).is_none()
}

/// The column is called `Number` or the like, and may have numbers of anything.
fn names_number(name: &str) -> bool {
    is_name_of("number", &simplified(name))
}

/// The text is written as telephone numbers are, or is a number for help. Digits alone may be a number of goods.
pub(crate) fn is_telephone_number(text: &str) -> bool {
    const FEWEST_DIGITS: usize = 7;
    const DIGITS_ALONE: std::ops::RangeInclusive<usize> = 9..=11;

    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let is_long = if digits == text.len() {
        DIGITS_ALONE.contains(&digits) && !text.starts_with("00")
    } else {
        digits >= FEWEST_DIGITS
    };
    FOR_HELP.contains(&text)
        || (is_long && text.starts_with(['+', '0', '(']) && text.chars().all(is_of_number))
}

/// Numbers for help, but for those with which lists of rooms and runners begin, such as 101 and 118.
const FOR_HELP: [&str; 3] = ["112", "122", "133"];

/// Numbers for help with which other lists may begin, too: the next number tells.
const FOR_HELP_OR_OTHERS: [&str; 6] = ["140", "144", "911", "999", "1450", "116117"];

/// Names of columns of lists of books, beside their numbers.
const OF_BOOKS: &str = "titel title titre titolo título tytuł název buchtitel booktitle untertitel subtitle autor autorin author authors autoren auteur \
    auteurs autore autori auteurs verlag publisher éditeur editeur editore editorial uitgever wydawnictwo nakladatelství jahr erscheinungsjahr year \
    année anno año jaar rok preis price prix prezzo precio prijs cena auflage edition édition edizione edición druk reihe series collection collana \
    sprache language langue lingua idioma taal genre fach subject matière seiten pages menge anzahl quantity qty quantité quantità bestand stock stück stk";

/// Digits of a number of goods that has hyphens.
pub(crate) const FEWEST_WITH_HYPHENS: usize = 12;

/// Words in the names of columns of numbers and dates of invoices.
const OF_INVOICES: [&str; 8] =
    ["invoice", "rechnung", "facture", "factura", "fattura", "faktur", "factuur", "duedate"];

/// Words in the names of columns that hold what payments are for, and of nothing else.
const OF_PAYMENTS: [&str; 7] = [
    "verwendungszweck",
    "zahlungszweck",
    "zahlungsreferenz",
    "payment",
    "remittance",
    "causale",
    "tytułprzelewu",
];

/// The kind with the columns of its fields. None: the columns lack a field that codes need, or may be those of something else.
fn filled(kind: Kind, names: &[&str]) -> Option<Proposal> {
    let columns = recognised(kind, names, |_| false);
    let fields: Vec<(&'static str, u32)> =
        kind.fields().iter().zip(columns).filter_map(|(field, column)| Some((field.name, column?))).collect();
    let has_field = |name: &str| fields.iter().any(|(field, _)| *field == name);
    let is_start = |column: u32| fields.contains(&("start", column));
    let mut columns = (0..).zip(names);
    let mut is_of_event =
        || columns.any(|(column, name)| names_field(kind, "event", name) && !is_start(column));
    // Books and pictures have a title and a date, too.
    let may_be_other = kind == Kind::Event
        && teams(names).is_none()
        && !is_of_event()
        && !["startTime", "end", "endTime"].into_iter().any(has_field);
    let has_width = || fields.iter().any(|(_, column)| names_width(names[*column as usize]));
    let may_be_goods = kind == Kind::Geo && has_width() && names.iter().any(|name| names_measure(name));
    let proposal = Proposal { kind, fields };
    (proposal.is_whole(|_| true) && !may_be_other && !may_be_goods).then_some(proposal)
}

#[cfg(test)]
mod languages;
#[cfg(test)]
mod tests;
