//! The columns that the members of items come from: those that a person chose, and those that are recognised by their names.

use qrpress_kinds::{Kind, Pattern, is_day};

use super::{Column, Columns, NAME_CHARACTERS, shortened};
use crate::composition::{Composition, Source};
use crate::fault::Fault;
use crate::fields::{complete_names, is_canonical_field, names_field, recognised, rivals};
use crate::moments::{TimesOfClock, names_day, times_of_several_clocks};
use crate::names::{is_canonical, is_link, looks_like_data, names_file, role_of};
use crate::parts::complete_pairs;
use crate::places::place;
use crate::problem::{letters, position};
use crate::role::{ColumnChoice, Role};
use crate::titles::names_person_title;
use crate::{ReadRequest, SheetLayout};

/// Marks of the first item of a list, which text editors write into a column of their own.
const MARKS: [&str; 8] = ["1.", "1)", "•", "·", "▪", "◦", "–", "-"];

impl Columns {
    /// Finds the source of each member.
    pub(super) fn assign(&mut self, names: &[String], request: &ReadRequest<'_>) -> Result<(), Fault> {
        let mut unclear = None;
        for (role, composition) in request.composed {
            match self.composed(*role, composition, request) {
                Ok((source, faults)) => {
                    self.asked.extend(faults.iter().filter_map(|fault| match fault {
                        Fault::SeveralColumns { target, .. } => Some(*target),
                        _ => None,
                    }));
                    unclear = unclear.or(faults.into_iter().next()).or_else(|| self.lacking(&source));
                    // Also where a field lacks: a person who is asked for that keeps the columns of the others.
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
        if let Some(data) = self.data() {
            // A name may have an example: `URL (https://…)`.
            let is_one = |name: &str| {
                !name.contains(char::is_whitespace) && !name.bytes().all(|byte| byte.is_ascii_digit())
            };
            let is_value = |name: &str| is_link(name) || (looks_like_data(name) && is_one(name.trim()));
            let is_list = self.all.first().is_some_and(|first| MARKS.contains(&first.name.trim()));
            let are_values = self.are_placed(request)
                && (is_list || data.columns().any(|column| is_value(&self.all[column as usize].name)));
            let is_header = request.layout == SheetLayout::Header;
            return if is_header && are_values { Err(Fault::NoHeader) } else { Ok(()) };
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
    ) -> Result<(Source, Vec<Fault>), Fault> {
        match composition {
            Composition::Pattern(text) => {
                let pattern =
                    if role == Role::Data { Pattern::of_data(text) } else { Pattern::of_text(text) };
                let pattern = pattern.map_err(|error| Fault::BadPattern { role, error })?;
                let choices = pattern.names().iter().map(|name| ColumnChoice::Named(name.clone()));
                let columns = choices.filter_map(|choice| self.chosen(&choice).transpose());
                let columns = columns.collect::<Result<Vec<u32>, Fault>>()?;
                Ok((Source::Pattern { pattern, columns }, Vec::new()))
            }
            Composition::Kind { kind, fields, are_open } => self.of_kind(*kind, fields, *are_open, request),
        }
    }

    fn of_kind(
        &self,
        kind: Kind,
        fields: &[(String, ColumnChoice)],
        are_open: bool,
        request: &ReadRequest<'_>,
    ) -> Result<(Source, Vec<Fault>), Fault> {
        let is_known = |name: &str| kind.fields().iter().any(|field| field.name == name);
        if let Some((name, _)) = fields.iter().find(|(name, _)| !is_known(name)) {
            return Err(Fault::UnknownField { kind, field: shortened(name, NAME_CHARACTERS) });
        }
        let is_recognised = |choice: &ColumnChoice| *choice == ColumnChoice::Recognised;
        let has_choice =
            |name: &str| fields.iter().any(|(field, choice)| field == name && is_recognised(choice));
        let is_sought = |name: &str| request.recognise || has_choice(name);
        let chosen: Vec<_> = fields.iter().filter(|(_, choice)| !is_recognised(choice)).cloned().collect();
        let (found, rivals) = if request.recognise || chosen.len() < fields.len() {
            self.fields(kind, &chosen, is_sought, request)?
        } else {
            Default::default()
        };
        let columns = kind.fields().iter().enumerate().map(|(place, field)| {
            // Beside the day that was typed for all events, a column may have their times.
            let has_column = |choice: &ColumnChoice| {
                !(kind == Kind::Event && field.name == "start" && matches!(choice, ColumnChoice::Typed(_)))
            };
            let choice = chosen.iter().rev().find(|(name, choice)| name == field.name && has_column(choice));
            choice.map_or(Ok(found.get(place).copied().flatten()), |(_, choice)| self.chosen(choice))
        });
        let mut columns: Vec<Option<u32>> = columns.collect::<Result<_, _>>()?;
        if request.recognise {
            let names: Vec<&str> = self.all.iter().map(|column| column.name.as_str()).collect();
            complete_pairs(kind, &names, &mut columns);
            if chosen.iter().all(|(field, _)| field != "name") {
                complete_names(kind, &names, &mut columns);
            }
        }
        let typed: Vec<String> = kind.fields().iter().map(|field| typed(field.name, &chosen)).collect();
        let unclear = wrong_text(kind, &typed).into_iter().chain(rivals).collect();
        Ok((Source::Kind { kind, columns, typed, are_open }, unclear))
    }

    /// The field of a kind that no column fills, although codes need it.
    fn lacking(&self, source: &Source) -> Option<Fault> {
        let Source::Kind { kind, .. } = source else { return None };
        let field = source.lacking(|_| true)?;
        Some(Fault::NoFieldColumn { field, kind: *kind, columns: self.titles() })
    }

    /// The columns that are called as the fields of a kind are, but for those that were chosen for another one. A field of which nobody
    /// knows the column has none, and is asked for; so has one that is not sought.
    fn fields(
        &self,
        kind: Kind,
        fields: &[(String, ColumnChoice)],
        is_sought: impl Fn(&str) -> bool,
        request: &ReadRequest<'_>,
    ) -> Result<(Vec<Option<u32>>, Vec<Fault>), Fault> {
        if kind == Kind::Text {
            // A column that a person chose goes before all that others are called.
            return Ok((vec![if fields.is_empty() { self.text(request)? } else { None }], Vec::new()));
        }
        let chosen: Vec<u32> =
            fields.iter().filter_map(|(_, choice)| self.chosen(choice).ok().flatten()).collect();
        let names: Vec<&str> = self.all.iter().map(|column| column.name.as_str()).collect();
        let found = recognised(kind, &names, |column| chosen.contains(&column));
        let mut clear = found.clone();
        let mut unclear = Vec::new();
        for (place, (field, column)) in kind.fields().iter().zip(&found).enumerate() {
            if !is_sought(field.name) {
                clear[place] = None;
                continue;
            }
            let (Some(first), false) = (*column, fields.iter().any(|(name, _)| name == field.name)) else {
                continue;
            };
            let is_free = |column: &u32| !found.contains(&Some(*column)) && !chosen.contains(column);
            let also = rivals(kind, field, &names, first).find(is_free);
            if let Some(second) = also {
                let columns = [first, second].map(|column| self.all[column as usize].title());
                clear[place] = None;
                unclear.push(Fault::SeveralColumns { columns, target: field.name });
            }
        }
        self.settle_clocks(kind, fields, is_sought, &found, &mut clear, &mut unclear);
        Ok((clear, unclear))
    }

    /// Takes the times of events by the clock of a chosen column. Without one, the start is asked for where several clocks have it, and so is
    /// the end.
    fn settle_clocks(
        &self,
        kind: Kind,
        fields: &[(String, ColumnChoice)],
        is_sought: impl Fn(&str) -> bool,
        found: &[Option<u32>],
        clear: &mut [Option<u32>],
        unclear: &mut Vec<Fault>,
    ) {
        let names: Vec<&str> = self.all.iter().map(|column| column.name.as_str()).collect();
        let choice = |field: &str| {
            let choice = fields.iter().rev().find(|(name, _)| name == field);
            choice.and_then(|(_, choice)| self.chosen(choice).ok().flatten())
        };
        let of_clocks = times_of_several_clocks(kind, &names, found, choice("start"));
        // An end that has a time needs no other.
        let has_end = choice("end").is_some_and(|end| !names_day(names[end as usize]));
        let end = choice("endTime").or(choice("end").filter(|_| has_end));
        let start = choice("startTime");
        let of_chosen = of_clocks
            .iter()
            .find(|times| start == Some(times.start) || (end.is_some() && end == times.end))
            .or(of_clocks.first().filter(|_| of_clocks.len() == 1));
        // Beside a chosen day, a time of the end was found for the whole end.
        if let Some(place) = kind.fields().iter().position(|field| field.name == "end") {
            clear[place].take_if(|column| of_clocks.iter().any(|times| times.end == Some(*column)));
        }
        for target in ["startTime", "endTime"] {
            let is_given = fields.iter().any(|(name, _)| name == target) || (target == "endTime" && has_end);
            let Some(place) = kind.fields().iter().position(|field| field.name == target) else { continue };
            if is_given || !is_sought(target) || of_clocks.is_empty() {
                continue;
            }
            let column = |times: &TimesOfClock<'_>| {
                if target == "startTime" { Some(times.start) } else { times.end }
            };
            clear[place] = of_chosen.and_then(column);
            if of_chosen.is_some() {
                continue;
            }
            if let [first, second, ..] = *of_clocks.iter().filter_map(column).collect::<Vec<u32>>() {
                let columns = [first, second].map(|column| self.all[column as usize].title());
                unclear.push(Fault::SeveralColumns { columns, target });
            }
        }
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
            ColumnChoice::Nothing | ColumnChoice::Typed(_) | ColumnChoice::Recognised => return Ok(None),
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

    /// A person chose every column of the data by its place, or by the letters of that.
    pub fn are_placed(&self, request: &ReadRequest<'_>) -> bool {
        let is_placed = |choice: &ColumnChoice| match choice {
            ColumnChoice::At(_) => true,
            ColumnChoice::Named(name) => !self.by_name.contains_key(&name.trim().to_lowercase()),
            ColumnChoice::Nothing | ColumnChoice::Typed(_) | ColumnChoice::Recognised => false,
        };
        let Some(data) = self.data() else { return false };
        if let Source::Pattern { pattern, .. } = data {
            let mut names = pattern.names().iter();
            return names.len() > 0 && names.all(|name| is_placed(&ColumnChoice::Named(name.clone())));
        }
        let columns =
            request.columns.iter().filter(|(role, _)| *role == Role::Data).map(|(_, choice)| choice);
        let fields = request.composed.iter().filter_map(|(role, composition)| match composition {
            Composition::Kind { fields, .. } if *role == Role::Data => Some(fields),
            _ => None,
        });
        let choices = columns.chain(fields.flatten().map(|(_, choice)| choice));
        let placed = choices.filter(|choice| is_placed(choice));
        let placed: Vec<u32> = placed.filter_map(|choice| self.chosen(choice).ok().flatten()).collect();
        !placed.is_empty() && data.columns().all(|column| placed.contains(&column))
    }

    fn absent(&self, name: &str) -> Fault {
        Fault::UnknownColumn { name: shortened(name, NAME_CHARACTERS), columns: self.titles() }
    }

    fn recognised(&self, role: Role, request: &ReadRequest<'_>) -> Result<Option<u32>, Fault> {
        if request.layout == SheetLayout::NoHeader {
            return Ok(None);
        }
        // They are the same for all columns.
        let of_parts: Vec<u32> = self.parts_of_fields().iter().map(|part| part.column).collect();
        let names_people = role == Role::Caption && self.names_people();
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
                || of_parts.contains(&index)
                || (names_people && names_person_title(name))
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
        let is_of_files = |(_, column): &(u32, &Column)| names_file(&column.name);
        let mut of_files = (0..).zip(&self.all).filter(claims).filter(is_of_files);
        let mut found = (0..).zip(&self.all).filter(claims);
        // A column of file names goes before others, and competes with its own alone.
        let found = match (of_files.next(), of_files.next()) {
            (None, _) => (found.next(), found.next()),
            of_files => of_files,
        };
        match found {
            (Some((_, first)), Some((_, second))) => {
                let columns = [first.title(), second.title()];
                Err(Fault::SeveralColumns { columns, target: role.as_str() })
            }
            (first, _) => Ok(first.map(|(position, _)| position)),
        }
    }

    /// The columns have the names of people, whose titles are `Mr` and `Dr.`
    fn names_people(&self) -> bool {
        ["firstName", "lastName"]
            .into_iter()
            .all(|field| self.all.iter().any(|column| names_field(Kind::Contact, field, &column.name)))
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

/// The text that every row has as the value of a field. Empty where there is none.
fn typed(field: &str, choices: &[(String, ColumnChoice)]) -> String {
    match choices.iter().rev().find(|(name, _)| name == field) {
        Some((_, ColumnChoice::Typed(text))) => text.trim().to_owned(),
        _ => String::new(),
    }
}

/// The reason why no code can have these texts, such as a wrong IBAN: it is said once, and not of each row.
fn wrong_text(kind: Kind, typed: &[String]) -> Option<Fault> {
    let start = kind.fields().iter().position(|field| kind == Kind::Event && field.name == "start");
    if start.is_some_and(|start| !typed[start].is_empty() && !is_day(&typed[start])) {
        return Some(Fault::Text("write the day of all events as 2027-06-12.".to_owned()));
    }
    let values: Vec<&str> = typed.iter().map(String::as_str).collect();
    let fault = kind.compose(&values).err()?;
    let place = kind.fields().iter().position(|field| field.name == fault.field)?;
    (!typed[place].is_empty()).then_some(Fault::Text(fault.message))
}
