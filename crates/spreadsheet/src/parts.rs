//! Columns that hold a part of what a field of contacts takes, or two fields, and those of the lines of a text.

use qrpress_kinds::Kind;

use crate::names::{LONGEST, is_one_of, simplified, words};
use crate::things::is_name_of;

/// A column that has a part of what a field takes, beside no field of its own.
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

/// Names of columns of second last names, and of what else stands behind the last name.
const SECOND_NAMES: &str =
    "segundoapellido apellidosegundo apellido2 2apellido 2ºapellido apellidomaterno suffix namesuffix";

/// Names of columns of house numbers.
const HOUSE_NUMBERS: &str = "hausnummer hausnr housenumber houseno streetnumber huisnummer huisnr civico ncivico numerocivico nrdomu numerdomu čp číslopopisné \
    číslodomu súpisnéčíslo házszám husnummer husnr talonnumero";

/// Fields with what stands between the rest and a part, and names of columns of such parts. A unit of an organisation is on a line.
const PARTS: [(&str, &str, &str); 12] = [
    ("lastName", " ", SECOND_NAMES),
    ("lastName", " ", "tussenvoegsel tussenvoegsels voorvoegsel voorvoegsels"),
    ("firstName", " ", "middlename middlenames weiterevornamen zweitervorname отчество побатькові"),
    ("street", " ", HOUSE_NUMBERS),
    ("street", " ", "toevoeging toev huisnummertoevoeging huisnrtoevoeging hausnummerzusatz hausnrzusatz"),
    ("street", "/", "nrlokalu numerlokalu nrmieszkania numermieszkania čo čísloorientační orientačnéčíslo"),
    (
        "street",
        ", ",
        "piso planta puerta escalera apartment apt suite unit appartement étage scala piętro lakás emelet ajtó",
    ),
    ("street", ", ", "bairro barrio colonia"),
    ("street", ", ", SECOND_LINES),
    ("phone", DIRECT, DESKS),
    ("phone", " ext. ", EXTENSIONS),
    ("organisation", "\n", DEPARTMENTS),
];

/// Names of columns of the last digits of desks, and of extensions that phones dial after a pause.
const DESKS: &str = "durchwahl dw nebenstelle nst klappe";
const EXTENSIONS: &str =
    "extension ext klapka linka mellék wew numerwewnętrzny interno poste toestel anknytning";

/// The column holds extensions of telephones.
pub(crate) fn names_extension(name: &str) -> bool {
    let name = simplified(name);
    [DESKS, EXTENSIONS].iter().any(|words| is_one_of(&name, words))
}

/// Names of columns of second lines of addresses.
const SECOND_LINES: &str = "address2 addressline2 addressline02 streetaddress2 streetaddressline2 street2 adressline2 adresszusatz adreßzusatz anschriftenzusatz adresse2 adresszeile2     anschrift2 straße2 strasse2 zusatz complémentadresse complémentdadresse complementadresse complementdadresse dirección2 complementodirección     complementodedirección complemento indirizzo2 complementoindirizzo endereço2 complementodoendereço complementodeendereço adresregel2 adres2 adrestoevoeging     adreslinia2 adres2linia adressrad2 adressrad02 coadress adresselinje2 adressetillæg osoiterivi2 lisäosoite adresa2 druhýřádekadresy cím2 адрес2";

/// Names of columns of departments.
const DEPARTMENTS: &str = "department dept abteilung service reparto ufficio departamento dział afdeling oddělení oddelenie osztály avdelning avdeling \
    osasto osakond nodaļa skyrius organizationdepartment oddelek odjel отдел відділ τμήμα 部署 部门 部門 부서 القسم מחלקה phòngban nodala departman bölüm divisi bagian 所属 部署名 แผนก";

/// The column holds departments, also where no column has their firm. A `Service` there may be what people buy.
pub(crate) fn names_department(name: &str) -> bool {
    name.len() <= LONGEST && simplified(name) != "service" && is_one_of(&simplified(name), DEPARTMENTS)
}

/// Between the main number of a firm and the last digits of a desk: `089 1234-56`.
pub(crate) const DIRECT: &str = "-";

/// The column holds the numbers of desks, which have no extension after a pause: `Direct line`.
fn names_direct_line(name: &str) -> bool {
    const DIRECT: &str = "direct directe direkt direktwahl durchwahl directo diretto ddi doorkiesnummer";

    name.len() <= LONGEST && words(name).iter().any(|word| is_one_of(word, DIRECT))
}

/// Other names of columns of house numbers, right behind a street. Elsewhere they may be those of rows.
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
        if field == "phone" && joint != DIRECT && names_direct_line(names[whole as usize]) {
            continue;
        }
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
            is_before: (field == "lastName" && words != SECOND_NAMES)
                || (field == "street" && column + 1 == whole),
        }));
    }
    parts.sort_by_key(|part| part.column);
    parts
}

/// The column of first names of payees, whose last names are in the `payee` column. None: that column may hold whole names.
pub(crate) fn first_names_of_payees(
    names: &[&str],
    payee: u32,
    is_free: impl Fn(u32) -> bool,
) -> Option<Part> {
    let [first, last] = names_of_payees(names)?;
    let is_before = !puts_family_first(names[last as usize]);
    let part = Part { column: first, field: "name", joint: " ", is_before };
    (last == payee && is_free(first)).then_some(part)
}

/// A payee whose first and last name are in two columns has the last one for its name, of which the first is a part. Not so beside a column
/// that holds payees by its name.
pub(crate) fn take_payee(
    kind: Kind,
    names: &[&str],
    is_taken: impl Fn(u32) -> bool,
    found: &mut [Option<u32>],
) {
    let is_payment = kind == Kind::Payment;
    let place = kind.fields().iter().position(|field| is_payment && field.name == "name");
    let (Some(place), Some([first, last])) = (place, names_of_payees(names)) else { return };
    if found[place].is_none_or(|column| column == first || column == last)
        && ![first, last].into_iter().any(is_taken)
    {
        found[place] = Some(last);
    }
}

/// The columns of the first and last names of payees. Beside one of them, a name is the other.
fn names_of_payees(names: &[&str]) -> Option<[u32; 2]> {
    let column_of = |thing: &str| {
        let is_name = |name: &&str| name.len() <= LONGEST && is_name_of(thing, &without_payee(name));
        names.iter().position(is_name).map(|position| position as u32)
    };
    match (column_of("firstName"), column_of("lastName")) {
        (Some(first), Some(last)) => Some([first, last]),
        (Some(first), None) => Some([first, column_of("name")?]),
        (None, Some(last)) => Some([column_of("name")?, last]),
        (None, None) => None,
    }
}

/// The name of a column without the word for a payee: `Payee first name`, `Vorname des Empfängers`.
fn without_payee(name: &str) -> String {
    let is_kept = |word: &String| {
        !is_one_of(word, "des der du de del la le of the")
            && ![word, word.trim_end_matches('s')].iter().any(|word| is_name_of("payee", word))
    };
    words(name).into_iter().filter(is_kept).collect()
}

/// The name of the column of last names is Hungarian: the family's name goes first.
pub(crate) fn puts_family_first(name: &str) -> bool {
    ["vezetéknév", "családnév"].contains(&simplified(name).as_str())
}

/// A name without the number at its end, and that number: `Verwendungszweck 2`.
pub(crate) fn numbered(name: &str) -> Option<(&str, u8)> {
    let name = name.trim();
    let rest = name.trim_end_matches(|character: char| character.is_ascii_digit());
    Some((rest, name[rest.len()..].parse().ok()?))
}

/// The columns of the further lines of a field's text, by their numbers. Their names are that of its `column`, but for the numbers.
pub(crate) fn lines(
    names: &[&str],
    field: &'static str,
    column: u32,
    is_free: impl Fn(u32) -> bool,
) -> Vec<Part> {
    let line = |name: &str| {
        let (rest, number) = numbered(name).unwrap_or((name, 1));
        (simplified(rest), number)
    };
    let (text, first) = line(names[column as usize]);
    let others = (0..).zip(names).filter(|(column, name)| is_free(*column) && numbered(name).is_some());
    let mut further: Vec<(u8, u32)> = others
        .filter_map(|(column, name)| {
            let (rest, number) = line(name);
            (rest == text && number > first).then_some((number, column))
        })
        .collect();
    further.sort_unstable();
    further.into_iter().map(|(_, column)| Part { column, field, joint: " ", is_before: false }).collect()
}

/// The fields of a contact whose values stand in one cell each: `Nachname, Vorname`, `PLZ / Ort`, `Str. / Nr.`. A field that stands twice
/// takes the cell as it is.
pub(crate) fn pair_in(name: &str) -> Option<[&'static str; 2]> {
    const PAIRS: [([&[&str]; 2], [&str; 2]); 5] = [
        ([&["lastName", "name"], &["firstName"]], ["name", "name"]),
        ([&["firstName"], &["lastName", "name"]], ["name", "name"]),
        ([&["lastName"], &["name"]], ["name", "name"]),
        ([&["postcode"], &["city"]], ["postcode", "city"]),
        ([&["street"], &[]], ["street", "street"]),
    ];

    let all = words(name);
    let parts: Vec<&str> = all
        .iter()
        .map(String::as_str)
        .filter(|word| !is_one_of(word, "und and et e y i a en och og u și si ve ja és ir un та и"))
        .collect();
    if parts.len() > MOST_WORDS {
        return None;
    }
    let is = |things: &[&str], word: &str| {
        if things.is_empty() {
            is_one_of(word, NUMBERS) || is_one_of(word, HOUSE_NUMBERS)
        } else {
            things.iter().any(|thing| is_name_of(thing, word))
        }
    };
    (1..parts.len()).find_map(|place| {
        let [first, second] = [&parts[..place], &parts[place..]].map(<[&str]>::concat);
        let mut pairs = PAIRS.into_iter();
        pairs.find(|([one, other], _)| is(one, &first) && is(other, &second)).map(|(_, fields)| fields)
    })
}

/// Words in the names of two things: `Last name, first name`.
const MOST_WORDS: usize = 4;

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
pub(crate) fn leave_half_pairs(kind: Kind, names: &[&str], found: &mut [Option<u32>]) {
    for (places, column) in pairs(kind, names, found) {
        if places.iter().any(|place| found[*place].is_some_and(|other| other != column)) {
            for place in places {
                found[place] = found[place].filter(|other| *other != column);
            }
        }
    }
}
