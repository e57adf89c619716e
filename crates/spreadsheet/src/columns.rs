//! Columns, and the members of items that they hold.

mod assignment;
mod of_kinds;

use std::collections::HashMap;

use qrpress_kinds::Kind;

use crate::composition::Source;
use crate::fault::Fault;
use crate::fields::{Both, HIDDEN, names_field, names_other_reference, names_visible};
use crate::moments::may_be_date;
use crate::names::{names_file, role_of};
use crate::parts::Part;
use crate::problem::letters;
use crate::role::Role;
use crate::{ReadRequest, SheetLayout};

/// A column of the sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its letters: `A`, `B`, …
    pub letters: String,
    /// The text of its first cell; empty without a header.
    pub name: String,
    /// The member of an item that it fills.
    pub role: Option<Role>,
    /// The field of a kind that it fills.
    pub field: Option<&'static str>,
    /// The thing of which it has a part, beside no field: a `name` has `van der` or `Dr.`, a `street` its number.
    pub part_of: Option<&'static str>,
}

/// Characters of a name that are repeated to people.
const NAME_CHARACTERS: usize = 40;

impl Column {
    /// The name of the column in a sentence: `B (Name)`.
    pub(crate) fn title(&self) -> String {
        match self.name.trim() {
            "" => self.letters.clone(),
            name => format!("{} ({})", self.letters, shortened(name, NAME_CHARACTERS)),
        }
    }
}

/// The first characters of a text, on one line.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    let mut characters = text.chars().map(|character| if character.is_control() { ' ' } else { character });
    let mut short: String = characters.by_ref().take(most).collect();
    if characters.next().is_some() {
        short.push('…');
    }
    short
}

/// The columns with their roles.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    pub all: Vec<Column>,
    /// The positions of columns with a name, by that in lower case.
    by_name: HashMap<String, Vec<u32>>,
    /// The source of each role, in the order of `Role::ALL`.
    sources: [Option<Source>; 4],
    /// The positions of all columns that give something to the items, in order.
    used: Vec<u32>,
    /// The columns that make the data.
    of_data: Vec<u32>,
    /// Columns of which the items take nothing but the number of each cell.
    of_numbers: Vec<u32>,
    /// Columns of dates and times.
    of_dates: Vec<u32>,
    /// The column that tells the encryption of networks where its cell is one, and something else where it is none.
    of_types: Option<u32>,
    /// The columns of parts of what contacts or payments take.
    parts: Vec<Part>,
    /// Columns of numbers with those that say what number each is: `Phone 1 - Label`.
    labels: Vec<(u32, u32)>,
    /// Columns for telephones and mobiles.
    of_both: Vec<(u32, Both)>,
    /// Zones in the names of columns of events, with the places of the fields whose times are in them.
    zones: Vec<(String, usize)>,
    /// Ends of events at midnight, or on a day alone, are the first moment or day behind them, by the name of their column.
    pub are_of_calendar: bool,
    /// The column that says which events are of the whole day.
    pub of_whole_days: Option<u32>,
    /// The place of the field whose column says the opposite of it: that networks are visible.
    of_opposites: Option<usize>,
    /// The column of the titles of people.
    of_titles: Option<u32>,
    /// It has degrees, salutations, and other titles.
    has_titles: [bool; 3],
    /// The column of references of payments, where most of these may be numbers of invoices.
    of_other_references: Option<u32>,
    /// Columns that may hold the texts of payments, beside the one that does.
    pub of_other_texts: Vec<u32>,
    /// The column of the amounts of payments, or of the times at which events start.
    pub of_usual: Option<u32>,
    /// The column of the amounts of payments says that they are in cents.
    pub are_in_cents: bool,
    /// The column of currencies of payments, which are in euros.
    pub of_currencies: Option<u32>,
    /// The column of the countries of contacts, calls and messages.
    pub of_countries: Option<u32>,
    /// Columns that may say the country of their row, such as those of addresses of mails, where telephone numbers are in the codes.
    pub of_countries_of_rows: Vec<u32>,
    /// Fields that several columns could fill, of which nobody knows the one.
    pub asked: Vec<&'static str>,
    /// The reason why the columns have to be asked for.
    pub unclear: Option<Fault>,
}

impl Columns {
    /// The roles of columns with these names. Those that are `empty` are not recognised by theirs, and those of them that say that networks
    /// are visible are recognised as columns of hidden ones, whose words are the opposite.
    pub fn resolve(names: &[String], request: &ReadRequest<'_>, empty: &[u32]) -> Self {
        let has_header = request.layout != SheetLayout::NoHeader;
        let column = |(index, name): (usize, &String)| Column {
            letters: letters(index as u32),
            name: if has_header {
                name.trim().trim_start_matches('\u{feff}').trim().to_owned()
            } else {
                String::new()
            },
            role: None,
            field: None,
            part_of: None,
        };
        let mut columns = Self { all: names.iter().enumerate().map(column).collect(), ..Self::default() };
        for (position, column) in (0..).zip(&columns.all).filter(|(_, column)| !column.name.is_empty()) {
            columns.by_name.entry(column.name.to_lowercase()).or_default().push(position);
        }
        let is_hidden = |name: &str| names_field(Kind::Wifi, HIDDEN, name) && !names_visible(name);
        let has_hidden = columns.all.iter().any(|column| is_hidden(&column.name));
        for position in empty {
            let name = &mut columns.all[*position as usize].name;
            *name = if names_visible(name) && !has_hidden { HIDDEN.to_owned() } else { String::new() };
        }
        columns.unclear = columns.assign(names, request).err();
        for (role, source) in Role::ALL.into_iter().zip(&columns.sources) {
            columns.used.extend(source.iter().flat_map(Source::columns));
            match source {
                Some(Source::Column(position)) => {
                    if let Some(column) = columns.all.get_mut(*position as usize) {
                        column.role.get_or_insert(role);
                    }
                }
                Some(Source::Kind { kind, columns: positions, .. }) => {
                    for (field, position) in kind.fields().iter().zip(positions) {
                        if let Some(column) =
                            position.and_then(|position| columns.all.get_mut(position as usize))
                        {
                            column.field.get_or_insert(field.name);
                        }
                    }
                }
                Some(Source::Pattern { .. }) | None => {}
            }
        }
        columns.parts = columns.parts_of_fields();
        columns.of_titles = columns.titles_of_people();
        columns.labels = columns.labels_of_numbers();
        columns.of_both = columns.columns_of_both();
        columns.zones = columns.zones_in_names();
        columns.are_of_calendar = columns.have_ends_of_calendar();
        columns.of_whole_days = columns.whole_days();
        columns.used.extend(columns.of_whole_days);
        let parts = columns.parts.iter().map(|part| (part.column, part.whole()));
        let labels = columns.labels.iter().map(|(_, label)| (*label, "phone"));
        let parts: Vec<(u32, &'static str)> = parts.chain(labels).collect();
        for (position, whole) in parts.into_iter().chain(columns.of_titles.map(|column| (column, "name"))) {
            columns.used.push(position);
            let column = &mut columns.all[position as usize];
            column.part_of = Some(whole).filter(|_| column.field.is_none());
        }
        columns.used.sort_unstable();
        columns.of_data = columns.data().into_iter().flat_map(Source::columns).collect();
        columns.of_numbers = columns.numbers();
        columns.of_dates = columns.dates();
        columns.of_usual = columns.usual();
        columns.are_in_cents = columns.has_cents();
        columns.of_currencies = columns.currencies();
        columns.of_countries = columns.countries();
        columns.of_countries_of_rows = columns.countries_of_rows();
        columns.of_types = columns.types();
        let is_other =
            |column: &Column| column.field == Some("reference") && names_other_reference(&column.name);
        columns.of_other_references =
            (0..).zip(&columns.all).find(|(_, column)| is_other(column)).map(|(position, _)| position);
        columns.used.dedup();
        columns.of_other_texts = columns.other_texts();
        for position in empty {
            let position = *position as usize;
            columns.all[position].name = column((position, &names[position])).name;
        }
        columns.of_opposites = columns.opposites();
        columns
    }

    /// The name by which people know the column: `Fax`, `column C`.
    pub fn called(&self, column: u32) -> String {
        match self.all.get(column as usize).map_or("", |column| column.name.trim()) {
            "" => format!("column {}", letters(column)),
            name => shortened(name, NAME_CHARACTERS),
        }
    }

    /// The column makes the data, or a part of it.
    pub fn makes_data(&self, column: u32) -> bool {
        self.of_data.contains(&column)
    }

    /// The column gives names to the pictures and nothing to the data, and is not called as names of files are.
    pub fn names_pictures(&self, column: u32) -> bool {
        let is_source = self
            .all
            .get(column as usize)
            .is_some_and(|column| column.role == Some(Role::Filename) && !names_file(&column.name));
        is_source && !self.makes_data(column)
    }

    /// One of the columns that make the data is among these.
    pub fn has_data_between(&self, first: u32, last: u32) -> bool {
        self.of_data.iter().any(|column| (first..=last).contains(column))
    }

    /// Columns with a name.
    pub fn named(&self) -> usize {
        self.all.iter().filter(|column| !column.name.is_empty()).count()
    }

    /// The source of the data.
    pub fn data(&self) -> Option<&Source> {
        self.source(Role::Data)
    }

    /// Two columns that could both be the data, of which nobody knows the one.
    pub fn rivals_of_data(&self) -> Option<[u32; 2]> {
        let is_asked = matches!(self.unclear, Some(Fault::SeveralColumns { target: "data", .. }));
        let named = (0..).zip(&self.all).filter(|(_, column)| role_of(&column.name) == Some(Role::Data));
        let named: Vec<u32> = named.map(|(position, _)| position).collect();
        named.try_into().ok().filter(|_| is_asked)
    }

    /// Columns that may hold dates as well as the data, beside others. Among names of the contract alone `data` is one of them.
    pub fn data_or_dates(&self) -> Vec<u32> {
        let is_of_contract = self.all.iter().all(|column| column.role.is_some());
        let is_own = |name: &str| is_of_contract && name == Role::Data.as_str();
        let may_be_either = |column: &Column| may_be_date(&column.name) && !is_own(&column.name);
        let has_others = self.named() > 1;
        let columns = (0..).zip(&self.all).filter(|(_, column)| has_others && may_be_either(column));
        columns.map(|(position, _)| position).collect()
    }

    /// The source of a member.
    pub fn source(&self, role: Role) -> Option<&Source> {
        self.sources[role as usize].as_ref()
    }

    /// The column gives something to the items.
    pub fn is_used(&self, column: u32) -> bool {
        self.used.binary_search(&column).is_ok()
    }

    /// Columns that give something to the items, from one to another.
    pub fn used_between(&self, first: u32, last: u32) -> usize {
        self.used.iter().filter(|position| (first..=last).contains(*position)).count()
    }

    /// Columns that give something to the items.
    pub fn used(&self) -> usize {
        self.used.len()
    }
}
