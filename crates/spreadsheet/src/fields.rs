//! The fields of a kind that columns fill, by their names.

use qrpress_kinds::{Field, Kind, ValueForm};

use crate::moments::{leave_whole_moments, rank_of_moment};
use crate::names::{LONGEST, names_plain_data, role_of, several, simplified, words};
use crate::role::Role;
use crate::stems;
use crate::things::{is_name_of, things_of_name};

/// Fields whose wrong value a code does not show: where two columns could fill one, the person is asked.
const UNSEEN: [&str; 4] = ["password", "amount", "latitude", "longitude"];

/// Names of a column of currencies, which no kind takes.
const CURRENCY: &str = "currency currencycode ccy währung währungscode devise monnaie moneda divisa valuta moeda waluta mena měna valuutta \
    pénznem deviza parabirimi валюта νόμισμα 通貨 币种 貨幣 통화 العملة מטבע";

/// The column holds currencies.
pub(crate) fn names_currency(name: &str) -> bool {
    let simple = simplified(name);
    name.len() <= LONGEST && is_one_of(&simple, CURRENCY)
}

/// Names and signs of the euro.
const EURO: &str = "eur euro euros eura eurá evro евро ευρώ €";

/// Currencies as the names of columns of amounts have them.
const OTHERS: &str = "chf sfr fr franken francs usd dollar dollars $ gbp pound pounds £ pln zł zl czk kč kc huf ft ron lei leu sek nok dkk isk kr bgn лв \
    rsd din try tl ₺ uah грн ₴ rub руб ₽ mkd bam mdl gel jpy ¥ cny cad aud";

/// The cell of a column of currencies has another one than the euro. Dates are none: `Valuta` may be the day of the value.
pub(crate) fn is_other_currency(text: &str) -> bool {
    let is_sign = |character: char| character.is_alphabetic() || "$£¥₺₴₽".contains(character);
    text.contains(is_sign)
        && !text.contains(char::is_numeric)
        && !with_signs(text).any(|word| is_one_of(word, EURO))
}

/// The words of a text, and its signs of currencies.
fn with_signs(text: &str) -> impl Iterator<Item = &str> {
    let is_between = |character: char| !character.is_alphanumeric() && !"€$£¥₺₴₽".contains(character);
    text.split(is_between).filter(|word| !word.is_empty())
}

fn is_one_of(word: &str, words: &str) -> bool {
    let word = word.to_lowercase();
    words.split_ascii_whitespace().any(|other| other == word)
}

/// The currency that the name of a column of amounts shows, unless it is the euro: `Kwota (PLN)`.
pub(crate) fn other_currency(name: &str) -> Option<&str> {
    with_signs(name).find(|word| is_one_of(word, OTHERS))
}

/// The name of a column of amounts without their currency, the tax that is in them, and the invoice, where it shows one of these:
/// `Betrag in EUR`, `Montant TTC`, `Bedrag incl. btw`. None where it holds the tax, as `MwSt-Betrag` does.
fn without_terms(name: &str) -> Option<String> {
    const INCLUDING: &str = "gross brutto bruto lordo ttc incl inkl including inclusive inclusief incluant inclus incluida incluido inclusa incluso";
    const TAX: &str = "tax mwst ust steuer vat btw iva tva dph moms alv áfa";
    const INVOICE: &str =
        "invoice rechnung facture factura fattura fatura factuur faktury due zahlbar payable";
    const BETWEEN: &str = "in en em w v i of der de da della di del con com avec met";

    let is_any = |word: &str, lists: &[&str]| lists.iter().any(|list| is_one_of(word, list));
    let has = |lists: &[&str]| with_signs(name).any(|word| is_any(word, lists));
    let is_tax = has(&[TAX]) && !has(&[INCLUDING]);
    if is_tax || !has(&[EURO, OTHERS, INCLUDING, INVOICE]) {
        return None;
    }
    let rest =
        with_signs(name).filter(|word| !is_any(word, &[EURO, OTHERS, INCLUDING, TAX, INVOICE, BETWEEN]));
    Some(simplified(&rest.collect::<String>()))
}

/// The things that a field takes, the likeliest first.
fn things_of(kind: Kind, field: &'static str) -> Vec<&'static str> {
    match (kind, field) {
        (Kind::Contact | Kind::ContactV4, "title") => vec!["jobTitle", "personTitle"],
        (Kind::Event, "title") => vec!["event", "heading", "name"],
        (Kind::Event, "description") => vec!["description", "body", "note"],
        (Kind::Contact | Kind::ContactV4, "name") => vec!["name", "payee"],
        (Kind::Contact | Kind::ContactV4, "otherPhone") => vec!["otherPhone", "phone", "mobile"],
        (Kind::Contact | Kind::ContactV4, "homePhone") => vec!["phone"],
        (Kind::Contact | Kind::ContactV4, "otherEmail") => vec!["email"],
        (Kind::Payment, "name") => vec!["payee", "name", "organisation", "supplier"],
        (Kind::Payment, "text") => vec!["purpose", "message", "body", "otherReference"],
        (Kind::Sms, "text") | (Kind::Email, "body") => vec!["message", "body"],
        (Kind::Sms, "number") => vec!["mobile", "phone", "number"],
        (Kind::Phone, "number") => vec!["phone", "mobile", "number"],
        (Kind::DigitalLink, "gtin") => vec!["gtin", "barcode"],
        (Kind::Email, "to") => vec!["email", "payee"],
        (Kind::Wifi, "encryption") => vec!["encryption", "type"],
        _ => vec![field],
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
    is_name_of("payee", &simplified(name))
}

/// A column that has a part of what a field of contacts takes, beside no field of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub column: u32,
    /// The field.
    pub field: &'static str,
    /// The text between the rest and this part.
    pub joint: &'static str,
    /// The part stands before the rest.
    pub is_before: bool,
}

impl Part {
    /// The thing that people take the field for.
    pub fn whole(self) -> &'static str {
        if self.field.ends_with("Name") { "name" } else { self.field }
    }
}

/// Fields with what stands between the rest and a part, and names of columns of such parts. A unit of an organisation is on a line.
const PARTS: [(&str, &str, &str); 9] = [
    ("lastName", " ", "tussenvoegsel tussenvoegsels voorvoegsel voorvoegsels"),
    ("firstName", " ", "middlename middlenames weiterevornamen zweitervorname"),
    (
        "street",
        " ",
        "hausnummer hausnr housenumber houseno streetnumber huisnummer huisnr civico ncivico numerocivico nrdomu numerdomu čp číslopopisné \
        číslodomu súpisnéčíslo házszám husnummer husnr talonnumero",
    ),
    ("street", " ", "toevoeging huisnummertoevoeging huisnrtoevoeging hausnummerzusatz hausnrzusatz"),
    ("street", "/", "nrlokalu numerlokalu nrmieszkania numermieszkania čo čísloorientační orientačnéčíslo"),
    (
        "street",
        ", ",
        "piso planta puerta escalera apartment apt suite unit appartement étage scala piętro lakás emelet ajtó",
    ),
    ("phone", DIRECT, "durchwahl dw nebenstelle nst"),
    (
        "phone",
        " ext. ",
        "extension ext klapka linka mellék wew numerwewnętrzny interno poste toestel anknytning",
    ),
    (
        "organisation",
        "\n",
        "department dept abteilung service reparto ufficio departamento dział afdeling oddělení oddelenie osztály avdelning afdeling \
        avdeling osasto organizationdepartment",
    ),
];

/// Between the main number of a firm and the last digits of a desk: `089 1234-56`.
pub(crate) const DIRECT: &str = "-";

/// Names of columns of house numbers right behind a street. Elsewhere they may be those of rows.
const NUMBERS: &str = "nr no número numero num n° nº numer č číslo szám";

/// The columns of parts, in their order. `of_field` tells the column of a field of contacts.
pub(crate) fn parts(
    names: &[&str],
    of_field: impl Fn(&str) -> Option<u32>,
    is_free: impl Fn(u32) -> bool,
) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for (field, joint, words) in PARTS {
        let Some(whole) = of_field(field) else { continue };
        let is_number = |column, word: &str| {
            (field, joint) == ("street", " ")
                && is_one_of(word, NUMBERS)
                && (column == whole + 1
                    || (column + 1 == whole && is_one_of(&simplified(names[whole as usize]), "rue voie")))
        };
        let is_part = |column, word: &str| is_one_of(word, words) || is_number(column, word);
        let mut columns = (0..).zip(names).filter(|(column, _)| is_free(*column));
        let found = columns.find(|(column, name)| {
            is_part(*column, &simplified(name)) && parts.iter().all(|part| part.column != *column)
        });
        parts.extend(found.map(|(column, _)| Part {
            column,
            field,
            joint,
            // `12 rue de Lyon`.
            is_before: field == "lastName" || (field == "street" && column + 1 == whole),
        }));
    }
    parts.sort_by_key(|part| part.column);
    parts
}

/// The column may hold the titles of people, such as `Dr.`
pub(crate) fn names_person_title(name: &str) -> bool {
    is_name_of("personTitle", &simplified(name))
}

/// The title of a person is an academic one: `Prof. Dr.`, `Dipl.-Ing.`
pub(crate) fn names_degree(title: &str) -> bool {
    const BEGINNINGS: [&str; 10] =
        ["dr", "prof", "professor", "doctor", "doktor", "dipl", "mag", "ing", "pd", "dott"];

    words(title).first().is_some_and(|word| BEGINNINGS.contains(&word.as_str()))
}

/// The title of a person is no job: `Mme`, `Herr Dr.`
pub(crate) fn names_salutation(title: &str) -> bool {
    const SALUTATIONS: &str = "mr mrs ms miss mx sir madam m mme mlle monsieur madame mademoiselle herr frau fräulein hr fr sr sra srta señor señora \
        don doña sig signor signora dhr mevr mw mevrouw meneer pan pani paní fru frøken herra rouva bay bayan";

    let words = words(title);
    let is_part = |word: &String| is_one_of(word, SALUTATIONS) || names_degree(word);
    words.iter().any(|word| is_one_of(word, SALUTATIONS)) && words.iter().all(is_part)
}

/// The column is called `Type` or the like. It may be the encryption of a network, or something else.
pub(crate) fn names_type(name: &str) -> bool {
    is_name_of("type", &simplified(name))
}

/// The place of names that say more than a field of a network, such as `WLAN Gäste (SSID)`, behind all others.
const IN_NAME: usize = 100;

/// The place of the column's name among the names of the field, from 0; the contract's own goes first. None: another name.
fn rank(kind: Kind, field: &'static str, name: &str) -> Option<usize> {
    if name.len() > LONGEST {
        return None;
    }
    if kind == Kind::Event && kind.value_form(field) == ValueForm::Moment {
        return rank_of_moment(field, name);
    }
    let simple = simplified(name);
    let is_contact = matches!(kind, Kind::Contact | Kind::ContactV4);
    // A title may be `Dr.`: beside a column of jobs it is none. A name may be a customer's: beside a column of payees it is none. Most
    // references are numbers of invoices.
    let may_be_other =
        (field == "title" && is_contact) || (["name", "reference"].contains(&field) && kind == Kind::Payment);
    if simple == field.to_lowercase() && !may_be_other {
        return Some(0);
    }
    let wanted = things_of(kind, field);
    let place_of = |simple: &str| {
        let things = things_of_name(simple);
        wanted.iter().position(|thing| things.contains(thing)).map(|place| place + 1)
    };
    let is_link = field == "url" && role_of(name) == Some(Role::Data) && !names_plain_data(name);
    let is_in_name = || {
        kind == Kind::Wifi
            && (["hidden", "encryption"].contains(&field)
                || ["ssid", "wlan", "wifi"].iter().any(|word| simple.contains(word)))
            && network_field_in(name) == Some(field)
    };
    let found = place_of(&simple).or(is_link.then_some(1)).or_else(|| is_in_name().then_some(IN_NAME));
    let found = found.or_else(|| {
        let rest = without_terms(name).filter(|_| (kind, field) == (Kind::Payment, "amount"))?;
        place_of(&rest)
    });
    let of_home = || without_premises(name).filter(|(_, distance)| is_contact && *distance == HOME);
    if field == "homePhone" {
        return place_of(&of_home()?.0);
    }
    let found = found.or_else(|| {
        let (rest, distance) =
            without_number(name).or_else(|| without_premises(name)).filter(|_| is_contact)?;
        Some(place_of(&rest)? + distance)
    });
    let found = found.or_else(|| {
        Some(PAIR).filter(|_| is_contact && pair_in(name).is_some_and(|pair| pair.contains(&field)))
    });
    // Beside another account the person is asked.
    let is_account =
        (kind, field) == (Kind::Payment, "iban") && words(name).iter().any(|word| word == "iban");
    let found = found.or_else(|| is_account.then_some(IN_NAME));
    let found = found.or_else(|| Some(stems::distance(field, name).filter(|_| is_contact)? + OF_STEMS));
    found.or_else(|| rank_of_several(kind, field, name)).or_else(|| {
        let rest = without_name(name).filter(|_| HAVE_NAMES.contains(&field) || kind == Kind::Payment)?;
        Some(place_of(&rest)? + OF_NAME)
    })
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
        title titel titre título titulo titolo bezeichnung имя название назва όνομα";
    const BETWEEN: &str = "of the de del de la el los das der des do da di du d l della dell dello van het";

    let words = words(name);
    let rest: Vec<&str> = words.iter().map(String::as_str).filter(|word| !is_one_of(word, NAMES)).collect();
    let is_named = !rest.is_empty() && rest.len() < words.len();
    is_named.then(|| rest.into_iter().filter(|word| !is_one_of(word, BETWEEN)).collect())
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

/// The name without the word that says whose address or number it is, such as `Straße geschäftlich`, and the distance to a name without
/// such a word. That of a firm goes before that of a home.
fn without_premises(name: &str) -> Option<(String, usize)> {
    const PREMISES: [&str; 2] = [
        "business work office company geschäftlich dienstlich beruflich büro arbeit bureau professionnel trabajo oficina ufficio lavoro werk \
        zakelijk",
        "home private personal privat domicile personnel casa privé thuis",
    ];

    let mut words = words(name);
    for (distance, premises) in [(10, PREMISES[0]), (HOME, PREMISES[1])] {
        let is_premise = |word: &String| premises.split_ascii_whitespace().any(|each| each == word);
        if let Some(place) = words.iter().position(is_premise) {
            words.remove(place);
            return Some((words.concat(), distance));
        }
    }
    None
}

/// The English letter for the `O` of degrees, where the name of their column is of one language.
pub(crate) fn letter_of_o(name: &str) -> Option<&'static str> {
    const EAST: &str =
        "länge längengrad lengtegraad lengte koordinaten geokoordinaten gpskoordinaten coördinaten";
    const WEST: &str = "longitud longitudine coordenadas coordinate coordinategps";

    let simple = simplified(name);
    [(EAST, "E"), (WEST, "W")]
        .into_iter()
        .find(|(names, _)| is_one_of(&simple, names))
        .map(|(_, letter)| letter)
}

/// The distance of a name such as `Telefon privat` to one without the home.
const HOME: usize = 20;

/// The place of a name of two things behind those of one.
const PAIR: usize = 60;

/// The fields of a contact whose values stand in one cell each: `Nachname, Vorname`, `PLZ / Ort`, `Str. / Nr.`. A field that stands twice
/// takes the cell as it is.
pub(crate) fn pair_in(name: &str) -> Option<[&'static str; 2]> {
    const PAIRS: [([&[&str]; 2], [&str; 2]); 4] = [
        ([&["lastName", "name"], &["firstName"]], ["lastName", "firstName"]),
        ([&["firstName"], &["lastName", "name"]], ["name", "name"]),
        ([&["postcode"], &["city"]], ["postcode", "city"]),
        ([&["street"], &[]], ["street", "street"]),
    ];

    let all = words(name);
    let parts: Vec<&String> =
        all.iter().filter(|word| !is_one_of(word, "und and et e y i a en och og u")).collect();
    let &[first, second] = parts.as_slice() else { return None };
    let is = |things: &[&str], word: &str| {
        if things.is_empty() {
            is_one_of(word, NUMBERS) || is_one_of(word, PARTS[2].2)
        } else {
            things.iter().any(|thing| is_name_of(thing, word))
        }
    };
    PAIRS.into_iter().find(|([one, other], _)| is(one, first) && is(other, second)).map(|(_, fields)| fields)
}

/// The columns that hold two fields of a contact, each with its pair, and their places among the fields.
fn pairs(kind: Kind, names: &[&str], found: &[Option<u32>]) -> Vec<([usize; 2], u32)> {
    let place = |name: &str| kind.fields().iter().position(|field| field.name == name);
    let columns = found.iter().flatten().copied();
    let pair = |column: u32| Some((pair_in(names[column as usize])?.map(place), column));
    columns
        .filter_map(pair)
        .filter_map(|([first, second], column)| Some(([first?, second?], column)))
        .collect()
}

/// Gives both fields of a pair that stands in one cell its column.
pub(crate) fn complete_pairs(kind: Kind, names: &[&str], found: &mut [Option<u32>]) {
    for (places, column) in pairs(kind, names, found) {
        for place in places {
            found[place].get_or_insert(column);
        }
    }
}

/// Leaves out a column of two things where another one has one of them.
fn leave_half_pairs(kind: Kind, names: &[&str], found: &mut [Option<u32>]) {
    for (places, column) in pairs(kind, names, found) {
        if places.iter().any(|place| found[*place].is_some_and(|other| other != column)) {
            for place in places {
                found[place] = found[place].filter(|other| *other != column);
            }
        }
    }
}

/// The column may hold the widths of goods as well as latitudes.
pub(crate) fn names_width(name: &str) -> bool {
    is_one_of(&simplified(name), "breite szerokość šířka szélesség")
}

/// The column holds another measure of goods: `Höhe (cm)`.
pub(crate) fn names_measure(name: &str) -> bool {
    const MEASURES: &str = "höhe tiefe gewicht wysokość głębokość waga ciężar výška hloubka hmotnost váha magasság mélység súly tömeg";

    name.len() <= LONGEST && words(name).first().is_some_and(|word| is_one_of(word, MEASURES))
}

/// Names of columns after which people know a place, beside those of the field of events.
const PLACES: &str = "roomname roomnumber raumname raumnummer zimmer zimmernummer standort chambre habitación camera quarto kamer pokój pokoj szoba izba";

/// The column with the names of rooms or other places. Many of them have the same network, and nobody knows one by its degrees.
pub(crate) fn place(kind: Kind, names: &[&str], is_taken: impl Fn(u32) -> bool) -> Option<u32> {
    if !matches!(kind, Kind::Wifi | Kind::Geo) {
        return None;
    }
    (0..).zip(names).find_map(|(position, name)| {
        (!is_taken(position) && role_of(name).is_none() && names_place(name)).then_some(position)
    })
}

fn names_place(name: &str) -> bool {
    let simple = simplified(name);
    name.len() <= LONGEST
        && (PLACES.split_ascii_whitespace().any(|word| word == simple) || is_name_of("location", &simple))
}

/// The column may fill the field.
pub(crate) fn names_field(kind: Kind, field: &'static str, name: &str) -> bool {
    rank(kind, field, name).is_some()
}

/// The columns that fill the fields of a kind, in their order: one for each, the first of those with the likeliest name.
/// `is_taken`: a person chose the column for another field.
pub(crate) fn recognised(kind: Kind, names: &[&str], is_taken: impl Fn(u32) -> bool) -> Vec<Option<u32>> {
    let mut found: Vec<Option<u32>> = vec![None; kind.fields().len()];
    // Names of the contract's own words are never those of another field.
    for only_canonical in [true, false] {
        for (place, field) in kind.fields().iter().enumerate().filter(|_| kind != Kind::Text) {
            let columns = (0_u32..).zip(names).filter(|(position, _)| !is_taken(*position));
            let free = columns.filter(|(position, _)| !found.contains(&Some(*position)));
            let ranked = free.filter_map(|(position, name)| Some((rank(kind, field.name, name)?, position)));
            let best = ranked.min().filter(|(rank, _)| !only_canonical || *rank == 0);
            if found[place].is_none() {
                found[place] = best.map(|(_, position)| position);
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
    leave_home(kind, names, &mut found);
    leave_half_pairs(kind, names, &mut found);
    complete_names(kind, names, &mut found);
    leave_whole_moments(kind, names, &mut found);
    leave_one_form(kind, &mut found);
    found
}

/// Other columns that are called as surely as `column` is: for a field that codes need, a password and an amount by any name, for the
/// others by the contract's. An amount beside a total, by whatever name, may be the net one. Of several networks, one may be for guests
/// and the others not.
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
    let is_rival = move |name: &str| match rank(kind, field.name, name) {
        rank @ Some(_) => rank == sure || field.name == "amount",
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

/// Beside a first name, a name is the family's, and beside that it is the first name: `Nom, Prénom` and `Nome, Cognome`. Not so
/// where a sheet has the contract's own words.
fn complete_names(kind: Kind, names: &[&str], found: &mut [Option<u32>]) {
    let place = |name: &str| kind.fields().iter().position(|field| field.name == name);
    let (Some(whole), Some(first), Some(last)) = (place("name"), place("firstName"), place("lastName"))
    else {
        return;
    };
    let is_own =
        |column: Option<u32>, field: &str| column.is_some_and(|column| names[column as usize] == field);
    let is_own = is_own(found[first], "firstName") || is_own(found[last], "lastName");
    match (found[whole], found[first], found[last]) {
        (Some(_), Some(_), None) if !is_own => found[last] = found[whole].take(),
        (Some(_), None, Some(_)) if !is_own => found[first] = found[whole].take(),
        _ => {}
    }
}

/// A place has its latitude and longitude, or both as coordinates.
fn leave_one_form(kind: Kind, found: &mut [Option<u32>]) {
    let place = |name: &str| kind.fields().iter().position(|field| field.name == name);
    let (Some(latitude), Some(longitude), Some(both)) =
        (place("latitude"), place("longitude"), place("coordinates"))
    else {
        return;
    };
    if found[latitude].is_some() && found[longitude].is_some() {
        found[both] = None;
    } else if found[both].is_some() {
        (found[latitude], found[longitude]) = (None, None);
    }
}
