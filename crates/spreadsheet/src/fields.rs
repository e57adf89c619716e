//! The fields of a kind that columns fill, by their names.

use qrpress_kinds::{Field, Kind, ValueForm, opposite};

use crate::currencies::{names_cents, names_due, says_due, without_terms};
use crate::moments::{
    has_end, has_ends_of_others, has_other_zone, leave_other_zones, leave_whole_moments, names_duration,
    names_time, rank_beside_zone, take_openings,
};
use crate::names::{LONGEST, folded, is_one_of, names_plain_data, role_of, several, simplified, words};
use crate::parts::{leave_half_pairs, names_department, numbered, pair_in, parts, take_payee};
use crate::places::{leave_one_form, without_cep, without_earth};
use crate::premises::{Premises, is_institution, premises, premises_in};
use crate::role::Role;
use crate::stems;
use crate::teams::title_of_teams;
use crate::things::{is_name_of, things_of_name};

/// Fields whose wrong value a code does not show: where two columns could fill one, the person is asked.
const UNSEEN: [&str; 4] = ["password", "amount", "latitude", "longitude"];

/// The things that a field takes, the likeliest first.
fn things_of(kind: Kind, field: &'static str) -> Vec<&'static str> {
    match (kind, field) {
        (Kind::Contact | Kind::ContactV4, "title") => vec!["jobTitle", "personTitle"],
        (Kind::Event, "title") => vec!["event", "heading", "name"],
        (Kind::Event, "description") => vec!["description", "body", "note"],
        (Kind::Contact | Kind::ContactV4, "name") => vec!["wholeName", "name", "payee"],
        (Kind::Contact | Kind::ContactV4, "mobile") => vec!["mobile", "messenger"],
        (Kind::Contact | Kind::ContactV4, "otherPhone") => vec!["otherPhone", "phone", "mobile", "messenger"],
        (Kind::Contact | Kind::ContactV4, "phone") => vec!["phone", "landline"],
        (Kind::Contact | Kind::ContactV4, "homePhone") => vec!["phone"],
        (Kind::Contact | Kind::ContactV4, "otherEmail") => vec!["email"],
        (Kind::Contact | Kind::ContactV4, "city") => vec!["city", "grad"],
        (Kind::Payment, "name") => vec!["payee", "name", "wholeName", "supplier", "organisation"],
        (Kind::Payment, "text") => {
            vec!["purpose", "message", "body", "description", "otherReference", "invoiceNumber"]
        }
        (Kind::Sms, "text") | (Kind::Email, "body") => vec!["message", "body"],
        (Kind::Sms, "number") => vec!["mobile", "phone", "number"],
        (Kind::Phone, "number") => vec!["phone", "mobile", "number"],
        (Kind::DigitalLink, "gtin") => vec!["gtin", "barcode"],
        (Kind::Email, "to") => vec!["email", "payee", "receiver"],
        (Kind::Email, "subject") => vec!["subject", "topic"],
        (Kind::Wifi, "encryption") => vec!["encryption", "type"],
        (Kind::Wifi, "password") => vec!["password", "code"],
        _ => vec![field],
    }
}

/// The things that a field takes where no column is called as the others are, the likeliest first.
fn late_things_of(kind: Kind, field: &str) -> &'static [&'static str] {
    match (kind, field) {
        (Kind::Contact | Kind::ContactV4, "organisation") => &["office", "post"],
        (Kind::Contact | Kind::ContactV4, "firstName") => &["calledName"],
        (Kind::Contact | Kind::ContactV4, "title") => &["profession"],
        (Kind::Event, "title") => &["theme", "film", "work", "performer", "label", "outline"],
        (Kind::Email, "subject") => &["theme"],
        (Kind::Event, "location") => &["court"],
        (Kind::Payment, "amount") => &["due"],
        (Kind::Payment, "iban") => &["bankDetails"],
        (Kind::Contact | Kind::ContactV4, "city") => &["municipality"],
        (Kind::Payment, "text") => &["object"],
        (Kind::DigitalLink, "gtin") => &["isbn"],
        _ => &[],
    }
}

/// The column holds references of payments, most of which are numbers of invoices.
pub(crate) fn names_other_reference(name: &str) -> bool {
    is_name_of("otherReference", &simplified(name))
}

/// The text is written as a reference of a creditor (ISO 11649).
pub(crate) fn is_creditor_reference(text: &str) -> bool {
    let mut bytes = text.trim().bytes();
    bytes.by_ref().take(2).map(|byte| byte.to_ascii_uppercase()).eq(*b"RF")
        && bytes.take(2).filter(u8::is_ascii_digit).count() == 2
}

/// The column is called as the field is in the contract, however its name is written.
pub(crate) fn is_canonical_field(name: &str, field: &str) -> bool {
    simplified(name) == field.to_lowercase()
}

/// The column is called `Recipient` or the like, and may hold a name or a number as well as the address of a mail.
pub(crate) fn names_recipient(name: &str) -> bool {
    is_name_of("payee", &simplified(name)) || names_receiver(name)
}

/// The column of payees may hold the people who pay: it is called `Name`, `Account holder` or the like, and neither `Payee` nor `Supplier`.
pub(crate) fn may_name_payers(name: &str) -> bool {
    /// The places of `name` and `wholeName` among the things of the field.
    const OF_NAMES: [usize; 2] = [2, 3];

    rank(Kind::Payment, "name", name).is_none_or(|rank| OF_NAMES.contains(&rank))
        || names_account_holder(name)
}

/// The column is called `Verein` or the like: it may hold the firms or clubs that get the money, or those that pay.
pub(crate) fn names_organisation(name: &str) -> bool {
    is_name_of("organisation", &simplified(name))
}

/// The column holds those whose accounts these are. Lists of members have such columns as well as lists of suppliers.
fn names_account_holder(name: &str) -> bool {
    let is_holder = |word: &str| is_name_of("accountHolder", word);
    is_holder(&simplified(name)) || words(name).iter().any(|word| is_holder(word))
}

/// The column is called `An` or the like: it may hold the address of a mail, or the end of an event.
pub(crate) fn names_receiver(name: &str) -> bool {
    is_name_of("receiver", &simplified(name))
}

/// The column is called `Type` or the like. It may be the encryption of a network, or something else.
pub(crate) fn names_type(name: &str) -> bool {
    is_name_of("type", &simplified(name))
}

/// The column is called `WhatsApp` or the like. It may hold links as well as numbers.
pub(crate) fn names_messenger(name: &str) -> bool {
    words(name).iter().any(|word| is_name_of("messenger", word)) || is_name_of("messenger", &simplified(name))
}

/// The place of names that say more than a field of a network, such as `WLAN Gäste (SSID)`, behind all others.
const IN_NAME: usize = 100;

/// The field of hidden networks.
pub(crate) const HIDDEN: &str = "hidden";

/// The place of `Name` among the names of titles of events.
const AS_NAME: usize = 3;

/// The place of the column's name among the names of the field, from 0; the contract's own goes first. None: another name.
fn rank(kind: Kind, field: &'static str, name: &str) -> Option<usize> {
    if name.len() > LONGEST {
        return None;
    }
    if kind == Kind::Event && kind.value_form(field) == ValueForm::Moment {
        return rank_beside_zone(field, name);
    }
    let simple = simplified(name);
    let is_contact = matches!(kind, Kind::Contact | Kind::ContactV4);
    let is_payee = (kind, field) == (Kind::Payment, "name");
    // A title may be `Dr.`: beside a column of jobs it is none. A name may be a customer's: beside a column of payees it is none. Most
    // references are numbers of invoices.
    let may_be_other =
        (field == "title" && is_contact) || (["name", "reference"].contains(&field) && kind == Kind::Payment);
    if simple == field.to_lowercase() && !may_be_other {
        return Some(0);
    }
    // `Termin` may be the day, too: beside another name of events it is.
    if (kind, field) == (Kind::Event, "title") && is_name_of("start", &simple) {
        return is_name_of("event", &simple).then_some(AS_NAME);
    }
    if let (Kind::Contact | Kind::ContactV4, Some(_)) = (kind, phone_and_mobile(name)) {
        return ["phone", "otherPhone"].contains(&field).then_some(PAIR);
    }
    let wanted = things_of(kind, field);
    let place_of = |simple: &str| {
        let things = things_of_name(simple);
        wanted.iter().position(|thing| things.contains(thing)).map(|place| place + 1)
    };
    let is_link = field == "url" && role_of(name) == Some(Role::Data) && !names_plain_data(name);
    let is_in_name = || {
        kind == Kind::Wifi
            && (["hidden", "encryption"].contains(&field) || names_network(field, name, &simple))
            && network_field_in(name) == Some(field)
    };
    let found = place_of(&simple).or(is_link.then_some(1)).or_else(|| is_in_name().then_some(IN_NAME));
    let found = found.or_else(|| {
        let rest = without_terms(name).filter(|_| (kind, field) == (Kind::Payment, "amount"))?;
        Some(place_of(&rest)? + if names_cents(name) { IN_NAME } else { 0 })
    });
    let found = found.or_else(|| {
        let rest =
            Some(name).filter(|_| (kind, field) == (Kind::Payment, "text")).and_then(without_payment)?;
        let is_text = ["purpose", "description", "object"].iter().any(|thing| is_name_of(thing, &rest));
        is_text.then_some(1)
    });
    let found = found.or_else(|| {
        let has_lines = (kind, field) == (Kind::Payment, "text");
        let (rest, number) = numbered(name).filter(|(_, number)| has_lines || (*number == 1 && is_payee))?;
        Some(rank(kind, field, rest)? + usize::from(number))
    });
    let of_home = || without_premises(name).filter(|(_, distance)| is_contact && *distance == HOME);
    if field == "homePhone" {
        return if is_name_of(field, &simple) { Some(1) } else { place_of(&of_home()?.0) };
    }
    let found = found.or_else(|| {
        let (rest, distance) =
            without_number(name).or_else(|| premises_of(field, name)).filter(|_| is_contact)?;
        Some(place_of(&rest)? + distance)
    });
    let found = found.or_else(|| {
        Some(PAIR).filter(|_| is_contact && pair_in(name).is_some_and(|pair| pair.contains(&field)))
    });
    let found = found.or_else(|| names_number(kind, field, name).then_some(IN_NAME));
    let found = found.or_else(|| {
        let rest = without_earth(name).filter(|_| kind == Kind::Geo)?;
        Some(place_of(&rest)? + OF_NAME)
    });
    let found = found.or_else(|| {
        let rest = without_person(name).filter(|_| is_contact)?;
        Some(place_of(&rest)? + OF_NAME)
    });
    let found = found.or_else(|| Some(stem_distance(kind, field, name)? + OF_STEMS));
    // `Text number` may be that of a text where no other column has the message.
    let is_of_text = || {
        (kind, field) == (Kind::Sms, "number")
            && ["text number", "text to"].contains(&&*words(name).join(" "))
    };
    let found = found.or_else(|| (names_sms(kind, field, name) || is_of_text()).then_some(OF_NAME));
    let found = found.or_else(|| names_of_message(&wanted, name).then_some(OF_NAME));
    let found = found.or_else(|| {
        let place = late_things_of(kind, field).iter().position(|thing| is_name_of(thing, &simple));
        let of_due = || Some(0).filter(|_| (kind, field) == (Kind::Payment, "amount") && names_due(name));
        Some(place.or_else(of_due)? + IN_NAME)
    });
    let found = found.or_else(|| (kind == Kind::Phone && names_call(name)).then_some(IN_NAME));
    found.or_else(|| rank_of_several(kind, field, name)).or_else(|| {
        // `Organization title` is a job.
        let is_job = || is_name_of("jobTitle", &simple);
        let may_be_named = (HAVE_NAMES.contains(&field) && !is_job()) || kind == Kind::Payment;
        let rest = without_name(name).filter(|_| may_be_named)?;
        // `Creditor name` says as much as `Creditor`.
        Some(place_of(&rest)? + if kind == Kind::Payment { 0 } else { OF_NAME })
    })
}

/// The column says that a network is visible, and nothing else: `Broadcast SSID`, `SSID sichtbar (ja/nein)`. `Hide broadcast` says that it is
/// hidden.
pub(crate) fn names_visible(name: &str) -> bool {
    const ON: &str = "is enable enabled on active aktiv aktivieren aktiviert an yes ja";

    if name.len() > LONGEST {
        return false;
    }
    // `Non attivo` has no sign between two answers.
    let are_answers = |part: &&str| {
        let words = words(part);
        let answers: Vec<_> = words.iter().map(|word| opposite(word)).collect();
        part.contains(['/', '|', ',']) && matches!(*answers, [Some(first), Some(second)] if first != second)
    };
    // `No = hidden` says nothing new; `1 = off` says the opposite.
    let agrees = |equation: &str| {
        let says_hidden =
            |text: &str| opposite(text) == Some("yes") || is_name_of("hidden", &simplified(text));
        let sides = equation.split_once('=');
        sides.is_some_and(|(answer, meant)| {
            opposite(answer).is_some_and(|no| says_hidden(meant) == (no == "yes"))
        })
    };
    let are_equations = |part: &&str| part.split([',', ';', '/', '|']).all(agrees);
    let parts = name.split(['(', ')', '[', ']']).filter(|part| !are_answers(part) && !are_equations(part));
    let rest: Vec<&str> = parts.flat_map(str::split_whitespace).filter(|part| !are_answers(part)).collect();
    let words = words(&rest.join(" "));
    let has = |word: &String, list| is_one_of(word, list);
    words.iter().any(|word| has(word, VISIBLE))
        && words.iter().all(|word| is_name_of("ssid", word) || has(word, VISIBLE) || has(word, ON))
}

/// The name has a word for visible, be it a part of one for hidden: `Unsichtbar`, `SSID visibility`.
fn has_visible(name: &str) -> bool {
    let lower = name.to_lowercase();
    VISIBLE.split_ascii_whitespace().chain(["visib"]).any(|word| lower.contains(word))
}

const VISIBLE: &str = "broadcast broadcasting visible sichtbar visibile visível zichtbaar widoczna widoczny synlig synligt näkyvä viditelná viditelný látható görünür видимая";

/// The order of the two numbers that a column for both holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Both {
    PhoneFirst,
    MobileFirst,
}

/// The column holds telephone numbers as well as those of mobile telephones: `Tel./Handy`, `Telefono / Cellulare`. `Telefon (mobil)` holds
/// mobile ones.
pub(crate) fn phone_and_mobile(name: &str) -> Option<Both> {
    const BETWEEN: [char; 5] = ['/', '|', '+', '&', ';'];
    const WORDS: [&str; 14] = [
        " und ", " oder ", " and ", " or ", " et ", " ou ", " e ", " o ", " y ", " en ", " of ", " i ",
        " lub ", " och ",
    ];

    if name.len() > LONGEST {
        return None;
    }
    let in_words = || WORDS.iter().find_map(|word| name.split_once(word));
    let (first, second) = name.split_once(BETWEEN).or_else(in_words)?;
    let is =
        |part: &str, thing| stems::distance(thing, part).is_some() || is_name_of(thing, &simplified(part));
    let is_mobile = |part: &str| is(part, "mobile");
    let is_phone = |part: &str| !is_mobile(part) && (is(part, "phone") || is(part, "landline"));
    if is_phone(first) && is_mobile(second) {
        return Some(Both::PhoneFirst);
    }
    (is_mobile(first) && is_phone(second)).then_some(Both::MobileFirst)
}

/// The name has a word for a network: `Netzwerkpasswort`, `Heslo k síti`.
fn names_network(field: &str, name: &str, simple: &str) -> bool {
    const IN_COMPOUNDS: [&str; 8] =
        ["ssid", "wpa", "wlan", "wifi", "netzwerk", "netwerk", "nätverk", "와이파이"];

    // `Red` is a colour, too.
    let has_word = || words(name).iter().any(|word| is_name_of("ssid", word));
    IN_COMPOUNDS.iter().any(|word| simple.contains(word)) || (field == "password" && has_word())
}

/// The name has a word for an account or for the number of goods. Beside another account the person is asked. Goods have a number, and their
/// boxes another.
fn names_number(kind: Kind, field: &str, name: &str) -> bool {
    let has = |numbers: &str| words(name).iter().any(|word| is_one_of(word, numbers));
    match (kind, field) {
        (Kind::Payment, "iban") => has("iban"),
        (Kind::DigitalLink, "gtin") => has("ean gtin ean13 ean8 gtin13 gtin14") || names_bars(name),
        _ => false,
    }
}

/// The name is that of a bar code in several words, whole or short: `Cód. barras`, `Codice a barre`.
fn names_bars(name: &str) -> bool {
    let words = words(name);
    let is_code = |word: &String| word.starts_with("cod") || word.starts_with("cód");
    words.iter().any(is_code) && words.iter().any(|word| is_one_of(word, "barras barra barre barres bare"))
}

/// The distance of a name of several words to the names of the field, as contacts, telephones and mails have them.
fn stem_distance(kind: Kind, field: &'static str, name: &str) -> Option<usize> {
    let of_contacts: &[&str] = match (kind, field) {
        (Kind::Contact | Kind::ContactV4, _) | (Kind::Phone | Kind::Sms, "phone" | "mobile") => &[field],
        (Kind::Phone, "number") => &["phone", "mobile"],
        (Kind::Sms, "number") => &["mobile", "phone"],
        (Kind::Email, "to") => &["email"],
        _ => &[],
    };
    (0..).zip(of_contacts).find_map(|(place, field)| Some(stems::distance(field, name)? + place))
}

/// The place of names of several words that all belong to a field, behind those of one.
const OF_STEMS: usize = 60;

/// Fields whose things have names.
const HAVE_NAMES: [&str; 8] =
    ["ssid", "event", "title", "organisation", "street", "city", "country", "location"];

/// The distance of a name such as `Nome do evento` to one without the word for a name.
const OF_NAME: usize = 40;

/// The name of a column without the word for a name: `Nombre del evento`, `Název akce`, `Hálózat neve`.
fn without_name(name: &str) -> Option<String> {
    const NAMES: &str = "name names nom nombre nome nume naam namn navn nimi nazwa název nazev názov nazov naziv denumire denumirea név neve \
        title titel titre título titulo titolo bezeichnung nimetus nosaukums pavadinimas имя название назва όνομα اسم שם tên";
    const BETWEEN: &str = "of the de del de la el los das der des do da di du d l della dell dello van het";

    without_words(name, NAMES, BETWEEN)
}

/// The name of a column without the payment that it is of: `Libellé du virement`, `Zweck der Zahlung`.
fn without_payment(name: &str) -> Option<String> {
    const PAYMENTS: &str = "payment transfer transaction virement paiement règlement opération bonifico pagamento transferencia pago transferência \
        überweisung zahlung betaling overschrijving przelewu płatności";
    const OF: &str = "of the du de des d la l del della dell der van do da";

    without_words(name, PAYMENTS, OF)
}

/// The name of a column without words of `dropped`, and without those of `between`, where it has one of the former and another word.
fn without_words(name: &str, dropped: &str, between: &str) -> Option<String> {
    let words = words(name);
    let rest: Vec<&str> = words.iter().map(String::as_str).filter(|word| !is_one_of(word, dropped)).collect();
    let has_both = !rest.is_empty() && rest.len() < words.len();
    has_both.then(|| rest.into_iter().filter(|word| !is_one_of(word, between)).collect())
}

/// The name has `SMS` beside a word for a number or for a text: `SMS-Nummer`, `SMS to`, `Texte du SMS`.
fn names_sms(kind: Kind, field: &str, name: &str) -> bool {
    let (things, others): (&[&str], _) = match (kind, field) {
        (Kind::Sms, "number" | "mobile") => {
            (&["number", "mobile", "phone", "receiver"], "to naar an à nr no n n° nº")
        }
        (Kind::Sms, "text" | "message") => (&["message", "body"], ""),
        _ => return false,
    };
    let words = words(name);
    let simple: String = words
        .iter()
        .filter(|word| !["du", "del", "dell"].contains(&word.as_str()))
        .map(String::as_str)
        .collect();
    if simple == "sms" {
        return field == "number";
    }
    let rest = simple.strip_prefix("sms").or_else(|| simple.strip_suffix("sms"));
    rest.is_some_and(|rest| is_one_of(rest, others) || things.iter().any(|thing| is_name_of(thing, rest)))
}

/// The column holds numbers of text messages, by its name.
pub(crate) fn names_number_of_sms(name: &str) -> bool {
    name.len() <= LONGEST && names_sms(Kind::Sms, "number", name)
}

/// The name says the text or the subject of a message in several words: `Corps du message`, `Objet du mail`, `Treść wiadomości SMS`.
fn names_of_message(wanted: &[&str], name: &str) -> bool {
    const OF: &str = "of the de del du della do da der la el sms e mail mails wiadomości сообщения повідомлення письма листа mesajului zprávy správy \
        poruke sporočila žinutės laiško ziņas sõnumi viestin";

    let is_part = |word: &String| {
        ["message", "body", "subject"].iter().any(|thing| wanted.contains(thing) && is_name_of(thing, word))
    };
    let is_of = |word: &String| {
        is_one_of(word, OF) || ["message", "email"].iter().any(|thing| is_name_of(thing, word))
    };
    let words = words(name);
    words.len() > 1 && words.iter().any(is_part) && words.iter().all(|word| is_part(word) || is_of(word))
}

/// The name has a word with one for a telephone in it: `Jourtelefon`, `Teléfono de emergencia`. The first number decides.
fn names_call(name: &str) -> bool {
    const CALLS: [&str; 5] = ["telefon", "telefoon", "telephon", "phone", "телефон"];

    words(name).iter().map(|word| folded(word)).any(|word| CALLS.iter().any(|call| word.contains(call)))
        || names_place_of_calls(name)
}

/// The column is called by a place or a thing and a short word for a telephone: `Anmeldung Tel.`, `Tel. Zentrale`. Its values have to tell
/// that they are numbers.
pub(crate) fn names_place_of_calls(name: &str) -> bool {
    const OTHERS: &str = "fax faks kosten rechnung rechnungen gebühr gebühren tarif vertrag anbieter zeit zeiten minuten frais facture forfait";

    let words = if name.len() <= LONGEST { words(name) } else { Vec::new() };
    let is_tel = |word: Option<&String>| word.is_some_and(|word| ["tel", "tél"].contains(&word.as_str()));
    words.len() == 2
        && (is_tel(words.first()) || is_tel(words.last()))
        && !words.iter().any(|word| is_one_of(word, OTHERS))
}

/// The name of a column without the person that it is of: `Attendee First Name`.
fn without_person(name: &str) -> Option<String> {
    const PERSONS: &str = "attendee participant employee guest member teilnehmer mitarbeiter";

    let words = words(name);
    let (first, rest) = words.split_first()?;
    is_one_of(first, PERSONS).then(|| rest.concat())
}

/// The place of several names, all of the field: `Mindesthaltbarkeit / MHD`, `GTIN (EAN)`.
fn rank_of_several(kind: Kind, field: &'static str, name: &str) -> Option<usize> {
    let ranks: Option<Vec<usize>> = several(name)?.map(|each| rank(kind, field, each)).collect();
    ranks?.into_iter().max()
}

/// The name without the number that contacts have in an export, and that number: `Phone 1 - Value`, `Address 1 - Street`.
fn without_number(name: &str) -> Option<(String, usize)> {
    let words = words(name);
    let number = |word: &String| word.parse().ok().filter(|number| (1..10).contains(number));
    let (place, number) = words.iter().enumerate().find_map(|(place, word)| Some((place, number(word)?)))?;
    let (thing, part) = (words[..place].concat(), words[place + 1..].concat());
    match part.as_str() {
        "" | "value" => Some((thing, number)),
        _ if thing == "address" => Some((part, number)),
        _ => Some((thing + &part, number)),
    }
}

/// Fields whose names have no word of premises: `Company Name` is nobody's name.
const OF_PEOPLE: [&str; 3] = ["name", "firstName", "lastName"];

/// The name without the word that says whose address or number it is, such as `Straße geschäftlich`, and the distance to a name without
/// such a word. That of a firm goes before that of a home, and that of an institution behind both.
fn without_premises(name: &str) -> Option<(String, usize)> {
    let mut words = words(name);
    let distance = |word: &str| match premises(word) {
        Some(Premises::Home) => Some(HOME),
        Some(Premises::Firm) => Some(FIRM),
        None => is_institution(word).then_some(INSTITUTION),
    };
    let mut found = words.iter().enumerate().filter_map(|(place, word)| Some((distance(word)?, place)));
    let (distance, place) = found.next()?;
    words.remove(place);
    // `Calle del trabajo`.
    if place > 0 && is_one_of(&words[place - 1], "de del") {
        words.remove(place - 1);
    }
    Some((words.concat(), distance))
}

fn premises_of(field: &str, name: &str) -> Option<(String, usize)> {
    without_premises(name).filter(|_| !OF_PEOPLE.contains(&field))
}

/// The distance of a name such as `Telefon geschäftlich` to one without the firm.
const FIRM: usize = 10;

/// The distance of a name such as `Telefon privat` to one without the home.
const HOME: usize = 20;

/// The distance of a name such as `Telefon Schule` to one without the school.
const INSTITUTION: usize = 30;

/// The place of a name of two things behind those of one.
const PAIR: usize = 60;

/// The column may fill the field.
pub(crate) fn names_field(kind: Kind, field: &'static str, name: &str) -> bool {
    rank(kind, field, name).is_some()
}

/// The columns that fill the fields of a kind, in their order: one for each, the first of those with the likeliest name.
/// `is_taken`: a person chose the column for another field.
pub(crate) fn recognised(kind: Kind, names: &[&str], is_taken: impl Fn(u32) -> bool) -> Vec<Option<u32>> {
    let names = &*without_cep(names);
    let mut found: Vec<Option<u32>> = vec![None; kind.fields().len()];
    // Before others are found: `Local` may be a place.
    let teams =
        title_of_teams(kind, names, |name| rank(kind, "title", name).is_some_and(|rank| rank < IN_NAME))
            .filter(|teams| !teams.iter().any(|column| is_taken(*column)));
    if let (Some([home, _]), Some(title)) =
        (teams, kind.fields().iter().position(|field| field.name == "title"))
    {
        found[title] = Some(home);
    }
    let is_taken = |column: u32| is_taken(column) || teams.is_some_and(|[_, guests]| guests == column);
    let has_end = has_end(kind, names);
    // Names of the contract's own words are never those of another field.
    for only_canonical in [true, false] {
        for (place, field) in kind.fields().iter().enumerate().filter(|_| kind != Kind::Text) {
            let columns = (0_u32..).zip(names).filter(|(position, _)| !is_taken(*position));
            let free = columns.filter(|(position, _)| !found.contains(&Some(*position)));
            let is_moment = kind == Kind::Event && kind.value_form(field.name) == ValueForm::Moment;
            let ranked = free.filter_map(|(position, name)| {
                let rank = rank(kind, field.name, name)?;
                if is_moment && has_ends_of_others(kind, names, &found, field.name, name) {
                    return None;
                }
                let is_other = is_moment && has_other_zone(kind, names, &found, name, has_end);
                Some((is_other, rank, position))
            });
            let best = ranked.min().filter(|(_, rank, _)| !only_canonical || *rank == 0);
            if found[place].is_none() {
                found[place] = best.map(|(.., position)| position);
            }
        }
    }
    let reference = kind.fields().iter().position(|field| kind == Kind::Payment && field.name == "reference");
    if let Some(place) = reference.filter(|place| found[*place].is_none()) {
        // Beside the column of the text, which takes such a column where there is no other.
        let mut others = (0_u32..).zip(names).filter(|(_, name)| names_other_reference(name));
        let free = others.find(|(position, _)| !is_taken(*position) && !found.contains(&Some(*position)));
        found[place] = free.map(|(position, _)| position);
    }
    leave_plain_purpose(kind, names, is_taken, &mut found);
    leave_offices(kind, names, is_taken, &mut found);
    leave_performers(kind, names, is_taken, &mut found);
    take_department(kind, names, is_taken, &mut found);
    take_payee(kind, names, is_taken, &mut found);
    leave_home(kind, names, &mut found);
    take_one_address(kind, names, is_taken, &mut found);
    leave_half_pairs(kind, names, &mut found);
    complete_names(kind, names, &mut found);
    leave_whole_moments(kind, names, &mut found);
    take_openings(kind, names, is_taken, &mut found);
    leave_other_zones(kind, names, &mut found);
    leave_one_form(kind, &mut found);
    found
}

/// `Zweck` may be that of a firm: `Verwendungszweck` or `Verwendungszweck 1` goes before it.
fn leave_plain_purpose(
    kind: Kind,
    names: &[&str],
    is_taken: impl Fn(u32) -> bool,
    found: &mut [Option<u32>],
) {
    let text = kind.fields().iter().position(|field| kind == Kind::Payment && field.name == "text");
    let Some(text) = text else { return };
    if found[text].is_none_or(|column| simplified(names[column as usize]) != "zweck") {
        return;
    }
    let is_pure = |name: &str| {
        let first_line = numbered(name).filter(|(_, number)| *number == 1).map(|(name, _)| name);
        is_one_of(&simplified(first_line.unwrap_or(name)), "verwendungszweck vwz zahlungszweck")
    };
    let mut pure = (0_u32..).zip(names).filter(|(_, name)| is_pure(name)).map(|(position, _)| position);
    let pure = pure.find(|position| !is_taken(*position) && !found.contains(&Some(*position)));
    found[text] = pure.or(found[text]);
}

/// Without a person's name, an office may be that of people whose column has an unknown name: `Teilnehmer;Dienststelle`. Not so where
/// all other columns are known. Beside a person's name, `Amt` is a post, as in a list of boards.
fn leave_offices(kind: Kind, names: &[&str], is_taken: impl Fn(u32) -> bool, found: &mut [Option<u32>]) {
    let place = |name: &str| kind.fields().iter().position(|field| field.name == name);
    let has = |name: &str| place(name).is_some_and(|place| found[place].is_some());
    let has_person = ["name", "firstName", "lastName"].into_iter().any(has);
    let may_have_people = !has_person && has_unknown(kind, names, is_taken, found);
    if let Some(organisation) = place("organisation") {
        found[organisation].take_if(|column| {
            let is = |thing| is_name_of(thing, &simplified(names[*column as usize]));
            (may_have_people && (is("office") || is("post"))) || (has_person && is("post"))
        });
    }
}

/// Performers and outlines are no titles of events beside a column of an unknown name, which may have the work: `Stück;Künstler`.
fn leave_performers(kind: Kind, names: &[&str], is_taken: impl Fn(u32) -> bool, found: &mut [Option<u32>]) {
    /// Words in the names of columns beside events that have no work.
    const NO_WORKS: &str = "door doors open opening einlass einlaß türen türöffnung portes ouverture puertas apertura porte deuren insläpp dörrar dører wejście vstup \
        price prices ticket tickets cost costs fee admission eur chf preis preise eintritt eintrittspreis vorverkauf vvk abendkasse ak karten ticketpreis \
        tarif tarifs prix billet billets entrée precio precios entrada entradas prezzo prezzi biglietti ingresso preço preços bilhetes prijs prijzen kaartjes \
        cena ceny bilety vstupné vstupenky biljetter billetter pris hinta liput \
        genre genres género gênero genere musikrichtung stil style age ages alter altersfreigabe fsk âge edad età idade leeftijd wiek \
        capacity kapazität capacité capacidad capienza capacidade capaciteit plätze seats status";

    let title = kind.fields().iter().position(|field| kind == Kind::Event && field.name == "title");
    let has_no_work = |name: &str| {
        let is_short = name.len() <= LONGEST;
        names_time(name)
            || names_duration(name)
            || (is_short && words(name).iter().all(|word| is_one_of(word, NO_WORKS)))
    };
    let is_performer = |column: &u32| {
        let name = simplified(names[*column as usize]);
        is_name_of("performer", &name) || is_name_of("outline", &name)
    };
    if let Some(title) = title
        && found[title].as_ref().is_some_and(is_performer)
        && has_unknown(kind, names, |column| is_taken(column) || has_no_work(names[column as usize]), found)
    {
        found[title] = None;
    }
}

/// A column fills no field, and nobody knows by its name what it holds.
fn has_unknown(kind: Kind, names: &[&str], is_taken: impl Fn(u32) -> bool, found: &[Option<u32>]) -> bool {
    /// Columns of numbers and short names of rows, in which nobody's name is.
    const OF_ROWS: &str = "id nr no n° nº lfdnr laufendenummer kürzel kurzzeichen abkürzung";

    let place = |name: &str| kind.fields().iter().position(|field| field.name == name);
    let parts = parts(names, |field| found[place(field)?], |column| !found.contains(&Some(column)));
    let is_unknown = |(column, name): (u32, &&str)| {
        let is_part = || parts.iter().any(|part| part.column == column);
        !name.is_empty()
            && !found.contains(&Some(column))
            && !is_taken(column)
            && role_of(name).is_none()
            && !is_one_of(&simplified(name), OF_ROWS)
            && !is_part()
    };
    (0..).zip(names).any(is_unknown)
}

/// A person's department is the organisation where no column has that. Beside one, it is a part of it.
fn take_department(kind: Kind, names: &[&str], is_taken: impl Fn(u32) -> bool, found: &mut [Option<u32>]) {
    let place = |name: &str| kind.fields().iter().position(|field| field.name == name);
    let has = |name: &str| place(name).is_some_and(|place| found[place].is_some());
    let Some(organisation) = place("organisation").filter(|place| found[*place].is_none()) else { return };
    if ["name", "firstName", "lastName"].into_iter().any(has) {
        let mut departments = (0_u32..).zip(names).filter(|(_, name)| names_department(name));
        let free =
            departments.find(|(position, _)| !is_taken(*position) && !found.contains(&Some(*position)));
        found[organisation] = free.map(|(position, _)| position);
    }
}

/// Other columns that are called as surely as `column` is: for a field that codes need, a password and an amount by any name, for the
/// others by the contract's. An amount beside a total, by whatever name, may be the net one, also beside `Total TTC` unless its name says what
/// is due. Of several networks, one may be for guests and the others not.
pub(crate) fn rivals<'n>(
    kind: Kind,
    field: &'n Field,
    names: &'n [&str],
    column: u32,
) -> impl Iterator<Item = u32> + 'n {
    let sure = rank(kind, field.name, names[column as usize]);
    let is_asked = field.is_required || UNSEEN.contains(&field.name);
    let matters = sure == Some(0) || (sure.is_some() && is_asked);
    let others = (0_u32..).zip(names).filter(move |(position, _)| matters && *position != column);
    let is_due = says_due(names[column as usize]);
    let may_be_gross = move |name: &str| !is_due && words(name).iter().any(|word| is_one_of(word, "ttc"));
    let is_rival = move |name: &str| match rank(kind, field.name, name) {
        rank @ Some(place) => {
            rank == sure || (field.name == "amount" && (place < IN_NAME || may_be_gross(name)))
        }
        None => false,
    };
    let is_of_other_network = move |name: &str| {
        kind == Kind::Wifi
            && ["ssid", "password"].contains(&field.name)
            && rank(kind, field.name, name).is_none_or(|rank| rank == IN_NAME)
            && network_field_in(name) == Some(field.name)
    };
    others.filter(move |(_, name)| is_rival(name) || is_of_other_network(name)).map(|(position, _)| position)
}

/// The column is called as networks are, or as one of several, or says that they are visible. Where it says yes or no, it is no network. A name
/// such as `Disable SSID broadcast` is asked about.
pub(crate) fn may_mark_networks(name: &str) -> bool {
    let names_a_network =
        || rank(Kind::Wifi, "ssid", name).is_some() || network_field_in(name) == Some("ssid");
    names_visible(name) || (!has_visible(name) && names_a_network())
}

/// The field of a network whose name stands in another one, as in a list of several networks: `Guest WiFi`, `Gästepasswort`.
fn network_field_in(name: &str) -> Option<&'static str> {
    /// A name with several of them is the first one's: `WLAN-Passwort` is no network.
    const FIELDS: [&str; 4] = ["hidden", "encryption", "password", "ssid"];
    /// Words in the longest names, such as `mot de passe`.
    const MOST_WORDS: usize = 3;
    /// Bytes from which on the end of a word is one in a compound: `Anrede` is no Portuguese network.
    const END_BYTES: usize = 5;

    if name.len() > LONGEST {
        return None;
    }
    let words = words(name);
    let runs = (1..=MOST_WORDS).flat_map(|count| words.windows(count).map(<[String]>::concat));
    let ends = words.iter().flat_map(|word| word.char_indices().map(|(start, _)| word[start..].to_owned()));
    let is_compound =
        |end: &String| end.len() >= END_BYTES || ["wlan", "wifi", "ssid"].contains(&end.as_str());
    let things: Vec<&str> =
        runs.chain(ends.filter(is_compound)).flat_map(|part| things_of_name(&part)).copied().collect();
    FIELDS.into_iter().find(|field| things.contains(field))
}

/// The number of a home is called so, where it is the only one.
fn leave_home(kind: Kind, names: &[&str], found: &mut [Option<u32>]) {
    let place = |name: &str| kind.fields().iter().position(|field| field.name == name);
    let (Some(phone), Some(home)) = (place("phone"), place("homePhone")) else { return };
    if found[home].is_none()
        && found[phone].is_some_and(|column| names_field(kind, "homePhone", names[column as usize]))
    {
        found[home] = found[phone].take();
    }
}

/// The parts of an address are of the place of the street, where its name says one: a firm or a home. Parts of the other one give way to
/// those of the place. Beside the street of a firm so do parts that say no place.
fn take_one_address(kind: Kind, names: &[&str], is_taken: impl Fn(u32) -> bool, found: &mut [Option<u32>]) {
    const STREET: &str = "street";
    const ADDRESS: [&str; 5] = [STREET, "city", "region", "postcode", "country"];

    if !matches!(kind, Kind::Contact | Kind::ContactV4) {
        return;
    }
    let of = |column: u32| premises_in(names[column as usize]);
    let fields = || (0..).zip(kind.fields()).filter(|(_, field)| ADDRESS.contains(&field.name));
    let street = fields().find(|(_, field)| field.name == STREET).and_then(|(place, _)| found[place]);
    let Some(wanted) = street.and_then(of) else { return };
    for (place, field) in fields() {
        let Some(column) = found[place] else { continue };
        let own = of(column);
        if own == Some(wanted) || (own.is_none() && wanted == Premises::Home) {
            continue;
        }
        let free =
            (0_u32..).zip(names).filter(|(other, _)| !is_taken(*other) && !found.contains(&Some(*other)));
        let of_place = free.filter(|(other, _)| of(*other) == Some(wanted));
        let best = of_place.filter_map(|(other, name)| Some((rank(kind, field.name, name)?, other))).min();
        found[place] = best.map(|(_, other)| other).or(found[place].filter(|_| own.is_none()));
    }
}

/// Beside a first name, a name is the family's, and beside that it is the first name: `Nom, Prénom` and `Nome, Cognome`. Not so
/// where a sheet has the contract's own words.
pub(crate) fn complete_names(kind: Kind, names: &[&str], found: &mut [Option<u32>]) {
    let place = |name: &str| kind.fields().iter().position(|field| field.name == name);
    let (Some(whole), Some(first), Some(last)) = (place("name"), place("firstName"), place("lastName"))
    else {
        return;
    };
    let is_own =
        |column: Option<u32>, field: &str| column.is_some_and(|column| names[column as usize] == field);
    let is_own = is_own(found[first], "firstName") || is_own(found[last], "lastName");
    let is_whole =
        |name: &str| is_name_of("wholeName", &simplified(name)) || pair_in(name) == Some(["name", "name"]);
    let is_part = |column: u32| !is_whole(names[column as usize]);
    match (found[whole], found[first], found[last]) {
        (Some(column), Some(_), None) if !is_own && is_part(column) => found[last] = found[whole].take(),
        (Some(column), None, Some(_)) if !is_own && is_part(column) => found[first] = found[whole].take(),
        _ => {}
    }
}
