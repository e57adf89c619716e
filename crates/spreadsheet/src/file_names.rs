//! The column that tells codes apart where the names of their pictures would not: `Parkplatz` beside the same network in each row.

use std::collections::{BTreeMap, HashSet};

use qrpress_kinds::{Kind, ValueForm};

use crate::composition::Source;
use crate::error::Halt;
use crate::fields::names_field;
use crate::moments::is_date;
use crate::names::{LONGEST, is_mail_address, is_one_of, is_web_link, simplified, words};
use crate::role::Role;
use crate::row::{Cell, Row};
use crate::table::Table;
use crate::things::is_name_of;

/// Rows with items that are looked at.
const ROWS: usize = 100;

/// Characters of the longest name, digits of the longest number of one, and those of an account.
const CHARACTERS: usize = 60;
const DIGITS: usize = 6;
const DIGITS_OF_ACCOUNT: usize = 10;

/// Words for prices and counts.
const MEASURES: &str = "price preis prix precio prezzo preço prijs cena pris hinta cost kosten coût coste costo custo quantity qty menge anzahl quantité cantidad quantità \
    quantidade aantal ilość antal age alter âge edad età idade leeftijd wiek ålder";

/// The names of the first pictures, as their kind gives them, and the columns that may have better ones.
#[derive(Debug, Default)]
pub(crate) struct NameSample {
    /// A column is looked for.
    is_sought: bool,
    rows: usize,
    names: HashSet<String>,
    /// Names without a letter.
    numbers: usize,
    columns: BTreeMap<u32, Candidate>,
}

/// A column that gives nothing to the items, and whose texts are names so far.
#[derive(Debug, Default)]
struct Candidate {
    texts: HashSet<String>,
    are_numbers: bool,
}

impl NameSample {
    /// More rows are looked at.
    pub fn is_open(&self) -> bool {
        self.is_sought && self.rows < ROWS
    }

    /// The first column with a text of its own in each row, where at least half of the names repeat others or none has a letter. One of
    /// whole numbers may count the rows, and goes behind the others.
    pub fn column(&self) -> Option<u32> {
        let repeats = self.rows - self.names.len();
        let are_numbers = self.numbers == self.rows;
        if self.rows < 2 || (!are_numbers && 2 * repeats < self.rows) {
            return None;
        }
        let mut whole = self.columns.iter().filter(|(_, column)| column.texts.len() == self.rows);
        let of_words = whole.clone().find(|(_, column)| !column.are_numbers);
        of_words.or_else(|| whole.next()).map(|(column, _)| *column)
    }
}

impl Table<'_> {
    /// Begins to look for a column of names, where nobody chose one and no name tells one. Contacts of one name are rare, and goods have numbers.
    pub(crate) fn begin_names(&mut self) {
        let request = self.request;
        let is_name = |role: &Role| *role == Role::Filename;
        let is_chosen = request.columns.iter().any(|(role, _)| is_name(role))
            || request.composed.iter().any(|(role, _)| is_name(role));
        let kind = match self.columns.data() {
            Some(Source::Kind { kind, .. }) => *kind,
            _ => Kind::Text,
        };
        let has_names = matches!(kind, Kind::Text | Kind::Contact | Kind::ContactV4 | Kind::DigitalLink);
        self.sample.is_sought =
            request.recognise && !is_chosen && !has_names && self.columns.source(Role::Filename).is_none();
    }

    /// Looks at a row whose picture the kind gives this name. A column that is found ends the reading, which begins again with it.
    pub(crate) fn look_for_names(&mut self, row: &Row, name: &str) -> Result<(), Halt> {
        if !self.sample.is_open() {
            return Ok(());
        }
        let rows = self.sample.rows;
        for cell in &row.cells {
            if self.columns.is_used(cell.column) || !self.may_hold_names(cell.column) {
                continue;
            }
            let text = row.text(cell).trim();
            let Some(is_number) = number_or_name(cell, text) else { continue };
            let candidate = self.sample.columns.entry(cell.column).or_default();
            if candidate.texts.len() == rows {
                candidate.texts.insert(text.to_lowercase());
                candidate.are_numbers |= is_number;
            }
        }
        self.sample.rows += 1;
        self.sample.numbers += usize::from(!name.contains(char::is_alphabetic));
        self.sample.names.insert(name.to_lowercase());
        if self.sample.rows == ROWS && self.sample.column().is_some() { Err(Halt::Enough) } else { Ok(()) }
    }

    /// The column has a name, which is not that of a secret, an account, an amount or count, a note or a time.
    fn may_hold_names(&self, column: u32) -> bool {
        let Some(name) = self.columns.all.get(column as usize).map(|column| column.name.as_str()) else {
            return false;
        };
        let is_time = || {
            ["start", "startTime", "end", "endTime"].iter().any(|field| names_field(Kind::Event, field, name))
        };
        !name.is_empty()
            && name.len() <= LONGEST
            && self.columns.of_currencies != Some(column)
            && !names_secret(name)
            && !names_field(Kind::Payment, "iban", name)
            && !names_field(Kind::Payment, "amount", name)
            && !words(name).iter().any(|word| is_one_of(word, MEASURES))
            && !names_field(Kind::Contact, "note", name)
            && !is_time()
    }
}

/// The name is that of a password, a PIN or the like, which no picture's name shows.
fn names_secret(name: &str) -> bool {
    const PARTS: [&str; 10] = [
        "pass",
        "kennwort",
        "wachtwoord",
        "contrase",
        "lösenord",
        "heslo",
        "hasło",
        "secret",
        "geheim",
        "salasana",
    ];
    const WORDS: [&str; 8] = ["pin", "puk", "psk", "key", "code", "token", "login", "iban"];

    let simple = simplified(name);
    PARTS.iter().any(|part| simple.contains(part))
        || words(name).iter().any(|word| WORDS.contains(&word.as_str()) || is_name_of("password", word))
        || ["password", "code"].iter().any(|thing| is_name_of(thing, &simple))
        || names_field(Kind::Wifi, "password", name)
}

/// Whether a text that may be a name is a whole number. None: it is a date, a link, an account or the like.
fn number_or_name(cell: &Cell, text: &str) -> Option<bool> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    let is_moment =
        || cell.number.as_ref().is_some_and(|number| !is_number && number.value(ValueForm::Moment).is_ok());
    let is_other = cell.fault.is_some()
        || text.chars().count() > CHARACTERS
        || text.contains(char::is_control)
        || text.chars().filter(char::is_ascii_digit).count() > DIGITS_OF_ACCOUNT
        || (is_number && text.len() > DIGITS)
        || (!is_number && !text.contains(char::is_alphabetic))
        || is_mail_address(text)
        || is_web_link(text)
        || is_moment()
        || is_date(text);
    (!is_other).then_some(is_number)
}
