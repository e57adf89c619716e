//! Columns whose texts may name pictures: which ones are looked at, and when.

use qrpress_kinds::{Kind, has_letters};

use crate::columns::shortened;
use crate::composition::Source;
use crate::fields::names_field;
use crate::names::{LONGEST, is_one_of, simplified, words};
use crate::parts::names_extension;
use crate::problem::letters;
use crate::role::Role;
use crate::row::Row;
use crate::table::Table;
use crate::things::is_name_of;

/// Columns that are looked at: names of columns take long to tell, and a sheet may have thousands.
const MOST_COLUMNS: usize = 100;

/// Characters of a column's name in a sentence.
const CHARACTERS: usize = 40;

/// Words for prices and counts.
const MEASURES: &str = "price preis prix precio prezzo preço prijs cena pris hinta cost kosten coût coste costo custo quantity qty menge anzahl quantité cantidad quantità \
    quantidade aantal ilość antal age alter âge edad età idade leeftijd wiek ålder";

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
        if request.recognise && !is_chosen && !has_names && self.columns.source(Role::Filename).is_none() {
            self.sample.begin();
        }
    }

    /// Looks at a row whose picture the kind gives this name.
    pub(crate) fn look_for_names(&mut self, row: &Row, name: &str) {
        if !self.sample.is_open() {
            return;
        }
        if self.sample.is_empty() {
            let unused =
                row.cells.iter().map(|cell| cell.column).filter(|column| !self.columns.is_used(*column));
            let columns: Vec<u32> =
                unused.take(MOST_COLUMNS).filter(|column| self.may_hold_names(*column)).collect();
            for column in columns {
                self.sample.add_column(column);
            }
        }
        // Extensions have words.
        let is_number =
            !name.contains(char::is_alphabetic) || (self.columns.make_calls() && !has_letters(name));
        self.sample.add_row(row, name, is_number);
    }

    /// Names no pictures after the one column in use that has merged cells, if nobody chose it: the codes can be made without. Returns
    /// true where that is so.
    pub(crate) fn leave_merged_names(&mut self, left: u32, right: u32, cells: &str) -> bool {
        let is_chosen = self.request.columns.iter().any(|(role, _)| *role == Role::Filename);
        let Some(&Source::Column(column)) = self.columns.source(Role::Filename) else { return false };
        if is_chosen || !(left..=right).contains(&column) || self.columns.used_between(left, right) > 1 {
            return false;
        }
        let name = &self.columns.all[column as usize].name;
        self.report.merged_names = Some(format!(
            "No picture is named after column {} ({}): its cells {cells} are merged.",
            letters(column),
            shortened(name, CHARACTERS)
        ));
        true
    }

    /// The column has a name, which is not that of a secret, an account, a country of numbers, an amount or count, a note, an
    /// extension or a time.
    fn may_hold_names(&self, column: u32) -> bool {
        let Some(name) = self.columns.all.get(column as usize).map(|column| column.name.as_str()) else {
            return false;
        };
        let is_time = || {
            ["start", "startTime", "end", "endTime"].iter().any(|field| names_field(Kind::Event, field, name))
        };
        !name.is_empty()
            && name.len() <= LONGEST
            && ![self.columns.of_currencies, self.columns.of_countries].contains(&Some(column))
            && !names_secret(name)
            && !names_extension(name)
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
