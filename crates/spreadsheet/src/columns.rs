//! Columns, and the members of items that they hold.

use std::collections::HashMap;

use qrpress_kinds::{Field, Kind, Pattern, ValueForm, names_encryption};

use crate::composition::{Composition, Source};
use crate::fault::Fault;
use crate::fields::{
    Part, complete_pairs, is_canonical_field, is_creditor_reference, letter_of_o, names_currency,
    names_degree, names_field, names_other_reference, names_person_title, names_salutation, names_type,
    other_currency, parts, place, recognised, rivals,
};
use crate::moments::may_be_date;
use crate::names::{is_canonical, looks_like_data, role_of, simplified, words};
use crate::problem::{letters, position};
use crate::role::{ColumnChoice, Role};
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
    /// The columns of parts of what contacts take.
    parts: Vec<Part>,
    /// Columns of numbers with those that say what number each is: `Phone 1 - Label`.
    labels: Vec<(u32, u32)>,
    /// The column of the titles of people.
    of_titles: Option<u32>,
    /// It has degrees, salutations, and other titles.
    has_titles: [bool; 3],
    /// The column of references of payments, most of which may be numbers of invoices.
    pub of_references: Option<u32>,
    /// The column of the amounts of payments, or of the times at which events start.
    pub of_usual: Option<u32>,
    /// The column of currencies of payments, which are in euros.
    pub of_currencies: Option<u32>,
    /// The column of the countries of contacts.
    pub of_countries: Option<u32>,
    /// The reason why the columns have to be asked for.
    pub unclear: Option<Fault>,
}

impl Columns {
    /// The roles of columns with these names. Those that are `empty` are not recognised by theirs.
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
        for position in empty {
            columns.all[*position as usize].name.clear();
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
        columns.parts = columns.parts_of_contacts();
        columns.of_titles = columns.titles_of_people();
        columns.labels = columns.labels_of_numbers();
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
        columns.of_currencies = columns.currencies();
        columns.of_countries = columns.of_contacts("country");
        columns.of_types = columns.types();
        let is_other =
            |column: &Column| column.field == Some("reference") && names_other_reference(&column.name);
        columns.of_references =
            (0..).zip(&columns.all).find(|(_, column)| is_other(column)).map(|(position, _)| position);
        columns.used.dedup();
        for position in empty {
            let position = *position as usize;
            columns.all[position].name = column((position, &names[position])).name;
        }
        columns
    }

    /// Columns of which a kind takes nothing but numbers, and no other member takes anything.
    fn numbers(&self) -> Vec<u32> {
        let Some(Source::Kind { kind, columns, .. }) = self.data() else { return Vec::new() };
        let fields = kind.fields().iter().zip(columns);
        let (numbers, texts): (Vec<_>, Vec<_>) =
            fields.partition(|(field, _)| kind.value_form(field.name) != ValueForm::Text);
        let numbers = numbers.into_iter().filter_map(|(_, column)| *column);
        let others = || self.sources.iter().skip(1).flatten().flat_map(Source::columns);
        let texts: Vec<u32> = texts.into_iter().filter_map(|(_, column)| *column).chain(others()).collect();
        numbers.filter(|column| !texts.contains(column)).collect()
    }

    /// Columns of which a kind takes dates or times.
    fn dates(&self) -> Vec<u32> {
        let Some(Source::Kind { kind, columns, .. }) = self.data() else { return Vec::new() };
        let is_date =
            |field: &Field| matches!(kind.value_form(field.name), ValueForm::Date | ValueForm::Moment);
        kind.fields()
            .iter()
            .zip(columns)
            .filter(|(field, _)| is_date(field))
            .filter_map(|(_, column)| *column)
            .collect()
    }

    /// The column of a field that codes may be without, and seldom are.
    fn usual(&self) -> Option<u32> {
        let Some(Source::Kind { kind, columns, .. }) = self.data() else { return None };
        let usual = match kind {
            Kind::Payment => "amount",
            Kind::Event => "startTime",
            _ => return None,
        };
        let mut fields = kind.fields().iter().zip(columns);
        fields.find(|(field, _)| field.name == usual).and_then(|(_, column)| *column)
    }

    /// The column of currencies of payments.
    fn currencies(&self) -> Option<u32> {
        let Some(Source::Kind { kind: Kind::Payment, .. }) = self.data() else { return None };
        let mut named = (0..).zip(&self.all);
        named.find(|(_, column)| names_currency(&column.name)).map(|(position, _)| position)
    }

    /// The currency that the column of the amounts of payments names, unless it is the euro.
    pub fn currency(&self) -> Option<&str> {
        let Some(Source::Kind { kind: Kind::Payment, .. }) = self.data() else { return None };
        other_currency(&self.all[self.of_usual? as usize].name)
    }

    /// The column of the encryption of networks, where its name may be that of something else.
    fn types(&self) -> Option<u32> {
        let Some(Source::Kind { kind: Kind::Wifi, columns, .. }) = self.data() else { return None };
        let fields = Kind::Wifi.fields().iter().zip(columns);
        let encryption =
            fields.filter(|(field, _)| field.name == "encryption").find_map(|(_, column)| *column);
        encryption.filter(|column| names_type(&self.all[*column as usize].name))
    }

    /// The columns of labels, beside those of numbers that are called as they are.
    fn labels_of_numbers(&self) -> Vec<(u32, u32)> {
        let Some(Source::Kind { kind, columns, .. }) = self.data().filter(|_| self.are_of_contacts()) else {
            return Vec::new();
        };
        let fields = kind.fields().iter().zip(columns).filter(|(field, _)| kind.is_telephone(field.name));
        let label_of = |number: u32| {
            let mut wanted = words(&self.all[number as usize].name);
            wanted.pop_if(|word| word == "value")?;
            let is_label = |column: &Column| {
                let mut words = words(&column.name);
                words.pop_if(|word| word == "label" || word == "type").is_some() && words == wanted
            };
            let mut others = (0..).zip(&self.all);
            others.find(|(_, column)| is_label(column)).map(|(label, _)| (number, label))
        };
        fields.filter_map(|(_, column)| label_of((*column)?)).collect()
    }

    /// The column that says what the number of this column is.
    pub fn label(&self, column: u32) -> Option<u32> {
        self.labels.iter().find(|(number, _)| *number == column).map(|(_, label)| *label)
    }

    /// The columns of the numbers of contacts and of their extensions.
    pub fn of_extensions(&self) -> Option<(u32, u32)> {
        let part = self.parts.iter().find(|part| part.field == "phone")?;
        Some((self.of_contacts("phone")?, part.column))
    }

    /// The names of people are Hungarian, where the family's goes first.
    pub fn puts_family_first(&self) -> bool {
        self.of_contacts("lastName").is_some_and(|column| {
            ["vezetéknév", "családnév"].contains(&simplified(&self.all[column as usize].name).as_str())
        })
    }

    /// The columns of parts, for which a contact has no fields.
    fn parts_of_contacts(&self) -> Vec<Part> {
        let names: Vec<&str> = self.all.iter().map(|column| column.name.as_str()).collect();
        let is_free = |position: u32| {
            let column = &self.all[position as usize];
            column.role.is_none() && column.field.is_none()
        };
        parts(&names, |field| self.of_contacts(field), is_free)
    }

    /// The column of the titles of people, which may be their jobs.
    fn titles_of_people(&self) -> Option<u32> {
        let person = ["name", "firstName", "lastName"];
        person.into_iter().find_map(|field| self.of_contacts(field))?;
        let mut named = (0..).zip(&self.all);
        let is_free =
            |column: &Column| column.role.is_none() && column.field.is_none_or(|field| field == "title");
        named
            .find(|(_, column)| is_free(column) && names_person_title(&column.name))
            .map(|(position, _)| position)
    }

    /// The codes are contacts.
    pub fn are_of_contacts(&self) -> bool {
        matches!(self.data(), Some(Source::Kind { kind: Kind::Contact | Kind::ContactV4, .. }))
    }

    /// The column of a field of contacts.
    fn of_contacts(&self, field: &str) -> Option<u32> {
        let Some(Source::Kind { kind: kind @ (Kind::Contact | Kind::ContactV4), columns, .. }) = self.data()
        else {
            return None;
        };
        let mut fields = kind.fields().iter().zip(columns);
        fields.find(|(each, _)| each.name == field).and_then(|(_, column)| *column)
    }

    /// The parts that belong to the texts of this column, in their order.
    pub fn parts(&self, column: u32) -> impl Iterator<Item = &Part> {
        self.parts.iter().filter(move |part| self.of_contacts(part.field) == Some(column))
    }

    /// The column of what stands before last names.
    pub fn prefix_column(&self) -> Option<&Column> {
        let part = self.parts.iter().find(|part| part.field == "lastName")?;
        Some(&self.all[part.column as usize])
    }

    /// The column of titles that stand before the names of people, such as `Dr.`
    pub fn of_titles(&self) -> Option<u32> {
        self.of_titles
    }

    /// A cell of that column.
    pub fn note_title(&mut self, title: &str) {
        let place = if names_degree(title) { 0 } else { 2 - usize::from(names_salutation(title)) };
        self.has_titles[place] = true;
    }

    /// Says that a column of nothing but degrees and salutations is no job. Degrees are a part of the name.
    pub fn settle_titles(&mut self) {
        let [has_degrees, has_salutations, has_others] = self.has_titles;
        if let Some(column) = self.of_titles.filter(|_| (has_degrees || has_salutations) && !has_others) {
            let column = &mut self.all[column as usize];
            (column.field, column.part_of) = (None, has_degrees.then_some("name"));
        }
    }

    /// The name by which people know the column: `Fax`, `column C`.
    pub fn called(&self, column: u32) -> String {
        match self.all.get(column as usize).map_or("", |column| column.name.trim()) {
            "" => format!("column {}", letters(column)),
            name => shortened(name, NAME_CHARACTERS),
        }
    }

    /// The column holds websites of contacts.
    pub fn holds_websites(&self, column: u32) -> bool {
        self.all.get(column as usize).is_some_and(|column| column.field == Some("url"))
    }

    /// Spaces around the column's texts are part of the data.
    pub fn keep_spaces(&self, column: u32) -> bool {
        match self.data() {
            Some(Source::Kind { kind, .. }) => {
                let field = self.all.get(column as usize).and_then(|column| column.field);
                field.is_some_and(|field| kind.keeps_spaces(field))
            }
            _ => true,
        }
    }

    /// The data is put together from the fields of a kind.
    pub fn make_fields(&self) -> bool {
        matches!(self.data(), Some(Source::Kind { kind, .. }) if *kind != Kind::Text)
    }

    /// The codes are of networks.
    pub fn make_networks(&self) -> bool {
        matches!(self.data(), Some(Source::Kind { kind: Kind::Wifi, .. }))
    }

    /// Degrees with the English letter in place of `O`, which is the east in German and Dutch, and the west in Spanish and Italian. The
    /// column's name tells the language.
    pub fn in_english(&self, column: u32, text: &str) -> Option<String> {
        let column = self.all.get(column as usize).filter(|column| {
            column.field.is_some_and(|field| ["longitude", "coordinates"].contains(&field))
        })?;
        let letter = letter_of_o(&column.name)?;
        text.contains(['O', 'o']).then(|| text.replace(['O', 'o'], letter))
    }

    /// The kind takes this text of the column.
    pub fn takes(&self, column: u32, text: &str) -> bool {
        (self.of_types != Some(column) || names_encryption(text))
            && (self.of_titles != Some(column) || !(names_degree(text) || names_salutation(text)))
            && (self.of_references != Some(column) || is_creditor_reference(text))
    }

    /// The column makes the data, or a part of it.
    pub fn makes_data(&self, column: u32) -> bool {
        self.of_data.contains(&column)
    }

    /// One of the columns that make the data is among these.
    pub fn has_data_between(&self, first: u32, last: u32) -> bool {
        self.of_data.iter().any(|column| (first..=last).contains(column))
    }

    /// The items take the number of the column's cells, however the cells show it, and nothing else.
    pub fn takes_number(&self, column: u32) -> bool {
        self.of_numbers.contains(&column)
    }

    /// A kind takes dates or times of the column.
    pub fn takes_dates(&self, column: u32) -> bool {
        self.of_dates.contains(&column)
    }

    /// The field of the column, if it is a telephone number.
    pub fn telephone(&self, column: u32) -> Option<&'static str> {
        let Some(Source::Kind { kind, .. }) = self.data() else { return None };
        self.all.get(column as usize)?.field.filter(|field| kind.is_telephone(field))
    }

    /// The codes can hold no telephone number without its country's code.
    pub fn need_country(&self) -> bool {
        matches!(self.data(), Some(Source::Kind { kind: Kind::Sms | Kind::Phone, .. }))
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

    fn assign(&mut self, names: &[String], request: &ReadRequest<'_>) -> Result<(), Fault> {
        let mut unclear = None;
        for (role, composition) in request.composed {
            match self.composed(*role, composition, request) {
                Ok(source) => {
                    unclear = unclear.or(self.lacking(&source));
                    // Also where a field lacks: a person who is asked for that keeps the columns that were chosen for others.
                    self.sources[*role as usize] = Some(source);
                }
                Err(reason) => unclear = unclear.or(Some(reason)),
            }
        }
        for role in Role::ALL {
            if request.composed.iter().any(|(composed, _)| *composed == role) {
                continue;
            }
            let choice = request.columns.iter().rev().find(|(chosen, _)| *chosen == role);
            let found = match choice {
                Some((_, choice)) => self.chosen(choice),
                None if request.recognise => self.recognised(role, request),
                None => Ok(None),
            };
            let found = match (found, choice) {
                (Ok(None), None) if role == Role::Filename && request.recognise => Ok(self.named_place()),
                (found, _) => found,
            };
            match found {
                Ok(position) => self.sources[role as usize] = position.map(Source::Column),
                Err(reason) => unclear = unclear.or(Some(reason)),
            }
        }
        if let Some(reason) = unclear {
            return Err(reason);
        }
        if self.data().is_some() {
            return Ok(());
        }
        if request.layout == SheetLayout::NoHeader && self.all.len() == 1 {
            self.sources[Role::Data as usize] = Some(Source::Column(0));
            return Ok(());
        }
        if request.layout != SheetLayout::NoHeader && names.iter().any(|name| looks_like_data(name)) {
            return Err(Fault::NoHeader);
        }
        Err(Fault::NoDataColumn(self.titles()))
    }

    fn composed(
        &self,
        role: Role,
        composition: &Composition,
        request: &ReadRequest<'_>,
    ) -> Result<Source, Fault> {
        match composition {
            Composition::Pattern(text) => {
                let pattern =
                    if role == Role::Data { Pattern::of_data(text) } else { Pattern::of_text(text) };
                let pattern = pattern.map_err(|error| Fault::BadPattern { role, error })?;
                let choices = pattern.names().iter().map(|name| ColumnChoice::Named(name.clone()));
                let columns = choices.filter_map(|choice| self.chosen(&choice).transpose());
                let columns = columns.collect::<Result<Vec<u32>, Fault>>()?;
                Ok(Source::Pattern { pattern, columns })
            }
            Composition::Kind { kind, fields, are_open } => {
                if let Some((name, _)) =
                    fields.iter().find(|(name, _)| !kind.fields().iter().any(|field| field.name == name))
                {
                    return Err(Fault::UnknownField { kind: *kind, field: shortened(name, NAME_CHARACTERS) });
                }
                let found = if request.recognise { self.fields(*kind, fields, request)? } else { Vec::new() };
                let columns = kind.fields().iter().enumerate().map(|(place, field)| {
                    let choice = fields.iter().rev().find(|(name, _)| name == field.name);
                    choice.map_or(Ok(found.get(place).copied().flatten()), |(_, choice)| self.chosen(choice))
                });
                let mut columns: Vec<Option<u32>> = columns.collect::<Result<_, _>>()?;
                if request.recognise {
                    let names: Vec<&str> = self.all.iter().map(|column| column.name.as_str()).collect();
                    complete_pairs(*kind, &names, &mut columns);
                }
                Ok(Source::Kind { kind: *kind, columns, are_open: *are_open })
            }
        }
    }

    /// The field of a kind that no column fills, although codes need it.
    fn lacking(&self, source: &Source) -> Option<Fault> {
        let Source::Kind { kind, .. } = source else { return None };
        let field = source.lacking(|_| true)?;
        Some(Fault::NoFieldColumn { field, kind: *kind, columns: self.titles() })
    }

    /// The columns that are called as the fields of a kind are, but for those that were chosen for another one.
    fn fields(
        &self,
        kind: Kind,
        fields: &[(String, ColumnChoice)],
        request: &ReadRequest<'_>,
    ) -> Result<Vec<Option<u32>>, Fault> {
        if kind == Kind::Text {
            // A column that a person chose goes before all that others are called.
            return Ok(vec![if fields.is_empty() { self.text(request)? } else { None }]);
        }
        let chosen: Vec<u32> =
            fields.iter().filter_map(|(_, choice)| self.chosen(choice).ok().flatten()).collect();
        let names: Vec<&str> = self.all.iter().map(|column| column.name.as_str()).collect();
        let found = recognised(kind, &names, |column| chosen.contains(&column));
        for (field, column) in kind.fields().iter().zip(&found) {
            let (Some(first), false) = (*column, fields.iter().any(|(name, _)| name == field.name)) else {
                continue;
            };
            let is_free = |column: &u32| !found.contains(&Some(*column)) && !chosen.contains(column);
            let also = rivals(kind, field, &names, first).find(is_free);
            if let Some(second) = also {
                let columns = [first, second].map(|column| self.all[column as usize].title());
                return Err(Fault::SeveralColumns { columns, target: field.name });
            }
        }
        Ok(found)
    }

    /// The column for the kind `text`: the one of that name, or any that would be recognised as data.
    fn text(&self, request: &ReadRequest<'_>) -> Result<Option<u32>, Fault> {
        let mut named = (0..).zip(&self.all).filter(|(_, column)| is_canonical_field(&column.name, "text"));
        match (named.next(), named.next()) {
            (Some((_, first)), Some((_, second))) => {
                Err(Fault::SeveralColumns { columns: [first.title(), second.title()], target: "text" })
            }
            (None, _) => self.recognised(Role::Data, request),
            (first, _) => Ok(first.map(|(position, _)| position)),
        }
    }

    fn chosen(&self, choice: &ColumnChoice) -> Result<Option<u32>, Fault> {
        let name = match choice {
            ColumnChoice::Nothing => return Ok(None),
            ColumnChoice::At(position) if (*position as usize) < self.all.len() => {
                return Ok(Some(*position));
            }
            ColumnChoice::At(position) => return Err(self.absent(&letters(*position))),
            ColumnChoice::Named(name) => name.trim(),
        };
        match self.by_name.get(&name.to_lowercase()).map_or(&[][..], Vec::as_slice) {
            &[position] => Ok(Some(position)),
            &[first, second, ..] => Err(Fault::SameName {
                letters: [first, second].map(letters),
                name: shortened(name, NAME_CHARACTERS),
            }),
            [] => match position(name).filter(|position| (*position as usize) < self.all.len()) {
                Some(position) => Ok(Some(position)),
                None => Err(self.absent(name)),
            },
        }
    }

    fn absent(&self, name: &str) -> Fault {
        Fault::UnknownColumn { name: shortened(name, NAME_CHARACTERS), columns: self.titles() }
    }

    fn recognised(&self, role: Role, request: &ReadRequest<'_>) -> Result<Option<u32>, Fault> {
        if request.layout == SheetLayout::NoHeader {
            return Ok(None);
        }
        let is_taken = |index: u32| {
            let name = &self.all[index as usize].name;
            let is_field = self.sources.iter().flatten().any(|source| {
                // The title of a person is no caption, where another column has the jobs, and labels are groups of people.
                let is_of_people =
                    || names_field(Kind::Contact, "title", name) || name.eq_ignore_ascii_case("labels");
                matches!(source, Source::Kind { kind, columns, .. } if columns.contains(&Some(index))
                    || (matches!(kind, Kind::Contact | Kind::ContactV4) && is_of_people()))
            });
            is_field
                || request
                    .columns
                    .iter()
                    .any(|(_, choice)| matches!(self.chosen(choice), Ok(Some(position)) if position == index))
        };
        let claims =
            |(position, column): &(u32, &Column)| role_of(&column.name) == Some(role) && !is_taken(*position);
        // `Data` is the date in Italian, Polish and Portuguese.
        let may_be_date = |name: &str| role == Role::Data && name != role.as_str();
        let is_member = |(position, column): &(u32, &Column)| {
            is_canonical(&column.name, role) && !may_be_date(&column.name) && !is_taken(*position)
        };
        // A column with the name of the item's member goes before others.
        let mut members = (0..).zip(&self.all).filter(is_member);
        if let (Some((position, _)), None) = (members.next(), members.next()) {
            return Ok(Some(position));
        }
        let mut found = (0..).zip(&self.all).filter(claims);
        match (found.next(), found.next()) {
            (Some((_, first)), Some((_, second))) => {
                let columns = [first.title(), second.title()];
                Err(Fault::SeveralColumns { columns, target: role.as_str() })
            }
            (first, _) => Ok(first.map(|(position, _)| position)),
        }
    }

    fn named_place(&self) -> Option<u32> {
        let Source::Kind { kind, columns, .. } = self.data()? else { return None };
        let names: Vec<&str> = self.all.iter().map(|column| column.name.as_str()).collect();
        place(*kind, &names, |position| columns.contains(&Some(position)))
    }

    /// The first columns, for a sentence.
    fn titles(&self) -> String {
        let mut titles: Vec<String> = self.all.iter().take(12).map(Column::title).collect();
        if self.all.len() > titles.len() {
            titles.push("…".to_owned());
        }
        titles.join(", ")
    }
}
