//! Sentences about a spreadsheet that do not prevent a job.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::mem;

use encoding_rs::{MACINTOSH, WINDOWS_1252};
use qrpress_kinds::{CallingCode, DayAndMonth, Kind, country_without_euro};

use crate::columns::{Columns, shortened};
use crate::composition::Source;
use crate::foreign::is_other_letter;
use crate::moments::names_time;
use crate::names::is_link;
use crate::problem::letters;
use crate::role::{DateOrder, Role};
use crate::row::{Cell, Row};
use crate::value::{decoded_again, ends_in_zeros, is_invisible};

/// Rows that a sentence names.
const NAMED_ROWS: usize = 5;

/// Columns of times that a sentence names, and of any that are not in the codes.
const NAMED_COLUMNS: usize = 12;
const UNUSED_COLUMNS: usize = 6;

/// Values that show how a file is read. One of them has a letter in doubt, where any value has.
const SAMPLES: usize = 3;

/// Characters of a value that a sentence shows, and of these the most before the letter that it is about.
const SHOWN: usize = 60;
const BEFORE: usize = 30;

/// The part of a text around a letter at this place, or its first one that is not ASCII.
fn around(text: &str, place: Option<usize>) -> String {
    let place = place.or_else(|| text.chars().position(|letter| !letter.is_ascii())).unwrap_or(0);
    let left_out = if place + BEFORE < SHOWN { 0 } else { place - BEFORE };
    let start = text.char_indices().nth(left_out).map_or(0, |(start, _)| start);
    let before = if start > 0 { "…" } else { "" };
    format!("{before}{}", shortened(&text[start..], SHOWN))
}

/// Counts with the place of the first.
#[derive(Debug, Default)]
struct Tally {
    count: u64,
    first: Option<(u64, u32)>,
}

impl Tally {
    fn add(&mut self, row: u64, column: u32) {
        self.count += 1;
        self.first.get_or_insert((row, column));
    }
}

/// Counts and places for the notices, collected while the rows go by.
#[derive(Debug, Default)]
pub(crate) struct Notices {
    /// The encoding of a file that does not name it, and the first values that are not ASCII.
    encoding: Option<(&'static str, Vec<String>)>,
    /// Any letter that is not ASCII may be another one.
    is_doubtful: bool,
    /// Values have letters that are others in another encoding: in Windows-1250, where they are read in Windows-1252.
    has_other_letters: bool,
    /// The first and last row above the header.
    titles: Option<(u64, u64)>,
    /// Columns that have cells.
    filled: Vec<bool>,
    edge_spaces: Tally,
    spaces_of_links: Tally,
    lost_spaces: Tally,
    hidden_rows: Tally,
    unseparated_rows: Tally,
    zeros: Tally,
    websites: Tally,
    other_titles: Tally,
    other_references: Tally,
    other_extensions: Tally,
    several: Tally,
    lettered_numbers: Tally,
    invisible: Tally,
    totals: Tally,
    varying: Tally,
    /// Values of UTF-8 that was encoded twice, and the first of these as it stands and as it may be meant.
    encoded_twice: Tally,
    meant: [String; 2],
    /// Payments to countries without the euro, and the first of these.
    without_euro: Tally,
    country: &'static str,
    /// The first country of a number that got the country's code, and the first other one, with their rows.
    countries: Vec<(String, u64)>,
    /// Dates such as `01/02/2026`.
    dates: Tally,
    /// There are others that begin with the day, and with the month.
    begin_with: [bool; 2],
    /// The first text that is written as in English.
    varying_text: String,
    /// Some payments have an amount, or events a start time.
    has_usual: bool,
    /// The number of the others, and the first rows of these.
    without_usual: u64,
    rows_without: Vec<u64>,
    /// Hashes of data, and of names, with their rows.
    data: Vec<(u64, u32)>,
    names: Vec<(u64, u32)>,
}

impl Notices {
    /// The file is read in an encoding that it does not name, and that may be another one where it `is_doubtful`.
    pub fn note_encoding(&mut self, name: &'static str, is_doubtful: bool) {
        self.encoding = Some((name, Vec::new()));
        self.is_doubtful = is_doubtful;
    }

    /// The rows from `first` to `last` stand above the header.
    pub fn note_titles(&mut self, first: u64, last: u64) {
        self.titles = Some((first, last));
    }

    /// A column has a cell.
    pub fn note_filled(&mut self, column: u32) {
        let position = column as usize;
        if self.filled.len() <= position {
            self.filled.resize(position + 1, false);
        }
        self.filled[position] = true;
    }

    /// A cell of the column was noted.
    pub fn is_filled(&self, column: u32) -> bool {
        self.filled.get(column as usize) == Some(&true)
    }

    /// A row with an item is hidden, by hand or by a filter.
    pub fn note_hidden(&mut self, row: u64) {
        self.hidden_rows.add(row, 0);
    }

    /// The row holds the totals of a table, and is left out.
    pub fn note_totals(&mut self, row: u64) {
        self.totals.add(row, 0);
    }

    /// A member of an item, of one cell or of several.
    pub fn note_member(&mut self, role: Role, row: &Row, text: &str) {
        let number = u32::try_from(row.number).unwrap_or(u32::MAX);
        match role {
            Role::Data => {
                self.data.push((hash_of(text), number));
                if let Some(country) = country_without_euro(text) {
                    if self.without_euro.count == 0 {
                        self.country = country;
                    }
                    self.without_euro.add(row.number, 0);
                }
            }
            Role::Filename => self.names.push((hash_of(&text.to_lowercase()), number)),
            Role::Caption | Role::Reference => {}
        }
    }

    /// A cell from which a member of an item comes.
    pub fn note_cell(&mut self, role: Role, row: &Row, cell: &Cell, text: &str) {
        let number = row.number;
        match role {
            Role::Data => {
                if row.unseparated {
                    self.unseparated_rows.add(row.number, cell.column);
                }
                if text.contains(is_invisible) {
                    self.invisible.add(row.number, cell.column);
                }
                if ends_in_zeros(text) {
                    self.zeros.add(row.number, cell.column);
                }
            }
            Role::Filename | Role::Caption | Role::Reference => {}
        }
        if cell.varies {
            if self.varying.count == 0 {
                self.varying_text = shortened(text, SHOWN);
            }
            self.varying.add(row.number, cell.column);
        }
        if let Some(meant) = decoded_again(text) {
            if self.encoded_twice.count == 0 {
                self.meant = [text, &meant].map(|text| around(text, None));
            }
            self.encoded_twice.add(row.number, cell.column);
        }
        let Some((name, values)) = &mut self.encoding else { return };
        if text.is_ascii() {
            return;
        }
        let is_1252 = *name == WINDOWS_1252.name();
        let other = text.chars().position(is_other_letter).filter(|_| is_1252);
        if values.len() == SAMPLES && other.is_some() && !self.has_other_letters {
            values.pop();
        }
        self.has_other_letters |= self.is_doubtful || other.is_some();
        let sample = around(text, other);
        if values.len() < SAMPLES && !values.iter().any(|value| value.ends_with(&format!(": {sample}"))) {
            values.push(format!("row {number}, column {}: {sample}", letters(cell.column)));
        }
    }

    /// Spaces around a value of the data that keeps them, around a link, and those that a name or password of a network has lost.
    pub fn note_spaces(&mut self, row: &Row, cell: &Cell, columns: &Columns) {
        let text = row.text(cell);
        let has_spaces = text.trim().len() < text.len();
        if has_spaces && !columns.make_fields() && is_link(text) {
            self.spaces_of_links.add(row.number, cell.column);
            return;
        }
        if !columns.keep_spaces(cell.column) {
            return;
        }
        if has_spaces {
            self.edge_spaces.add(row.number, cell.column);
        }
        if cell.lost_spaces && columns.make_networks() {
            self.lost_spaces.add(row.number, cell.column);
        }
    }

    /// A website of a contact that is written without `https://`.
    pub fn note_website(&mut self, row: &Row, cell: &Cell) {
        self.websites.add(row.number, cell.column);
    }

    /// A telephone number with letters.
    pub fn note_letters(&mut self, row: &Row, cell: &Cell) {
        self.lettered_numbers.add(row.number, cell.column);
    }

    /// A cell of several values, of which a contact takes the first.
    pub fn note_several(&mut self, row: &Row, cell: &Cell) {
        self.several.add(row.number, cell.column);
    }

    /// The title of a person that is neither a job nor part of the name.
    pub fn note_title(&mut self, row: &Row, cell: &Cell) {
        self.other_titles.add(row.number, cell.column);
    }

    /// An extension that no number takes.
    pub fn note_extension(&mut self, row: &Row, cell: &Cell) {
        self.other_extensions.add(row.number, cell.column);
    }

    /// A reference of a payment is no creditor's.
    pub fn note_reference(&mut self, row: &Row, cell: &Cell) {
        self.other_references.add(row.number, cell.column);
    }

    /// A payment that has an amount or not, or an event that has a start time or not.
    pub fn note_usual(&mut self, row: u64, has_it: bool) {
        self.has_usual |= has_it;
        if !has_it {
            self.without_usual += 1;
            if self.rows_without.len() < NAMED_ROWS {
                self.rows_without.push(row);
            }
        }
    }

    /// The country of a contact whose number got the country's code.
    pub fn note_country(&mut self, row: &Row, text: &str) {
        let country = text.trim();
        let is_new = match self.countries.as_slice() {
            [] => true,
            [(first, _)] => first != country && first.to_lowercase() != country.to_lowercase(),
            _ => false,
        };
        if is_new {
            self.countries.push((country.to_owned(), row.number));
        }
    }

    /// A date of two numbers and a year.
    pub fn note_date(&mut self, row: &Row, cell: &Cell, order: &DayAndMonth) {
        match order {
            DayAndMonth::DayFirst => self.begin_with[0] = true,
            DayAndMonth::MonthFirst => self.begin_with[1] = true,
            DayAndMonth::Either(_) => self.dates.add(row.number, cell.column),
        }
    }

    /// Dates that may begin with the day or with the month.
    pub fn ambiguous_dates(&self) -> u64 {
        self.dates.count
    }

    /// The first number of the other dates, where it is the same one in all of them.
    pub fn date_order(&self) -> Option<DateOrder> {
        match self.begin_with {
            [true, false] => Some(DateOrder::DayFirst),
            [false, true] => Some(DateOrder::MonthFirst),
            _ => None,
        }
    }

    /// Values have letters that are others in another encoding.
    pub fn has_other_letters(&self) -> bool {
        self.has_other_letters
    }

    /// Values seem to be UTF-8 that was encoded twice.
    pub fn has_encoded_twice(&self) -> bool {
        self.encoded_twice.count > 0
    }

    /// The sentences. `is_utf8`: of a CSV file in UTF-8, for which people can choose that it was encoded twice.
    pub fn sentences(&mut self, columns: &Columns, code: Option<CallingCode>, is_utf8: bool) -> Vec<String> {
        let mut notices = Vec::new();
        match self.titles {
            Some((first, last)) if first == last => {
                notices.push(format!("Row {first} is not used: it stands above the names of the columns."));
            }
            Some((first, last)) => notices.push(format!(
                "Rows {first} to {last} are not used: they stand above the names of the columns."
            )),
            None => {}
        }
        if let Some((name, values)) = self.encoding.take().filter(|(_, values)| !values.is_empty()) {
            notices.push(format!(
                "The file is not UTF-8; it is read as {}. Look at these values: {}. Where they are wrong, choose another \
                 encoding, or save the file as CSV in UTF-8.",
                if name == MACINTOSH.name() {
                    "Western European (Mac)".to_owned()
                } else {
                    name.replacen('w', "W", 1)
                },
                values.join("; ")
            ));
        }
        if let (Some((row, column)), [written, meant]) = (self.encoded_twice.first, &self.meant) {
            let values = if self.encoded_twice.count == 1 { "value seems" } else { "values seem" };
            let choose =
                if is_utf8 { "Choose the encoding “UTF-8, encoded twice”, or save" } else { "Save" };
            notices.push(format!(
                "{} {values} to be UTF-8 that was encoded twice; the first is in row {row}, column {}: {written}, which may be \
                 {meant}. {choose} the file as UTF-8 again where it comes from.",
                self.encoded_twice.count,
                letters(column)
            ));
        }
        for (hashes, what, [one, several]) in [
            (mem::take(&mut self.data), "the same data as a row above", ["", ""]),
            (
                mem::take(&mut self.names),
                "the same file name as a row above",
                [" Its picture gets", " Their pictures get"],
            ),
        ] {
            notices.extend(repeated(hashes).map(|Repeated { count, row, earlier }| {
                let (told, pictures) = match count {
                    1 => (format!("1 row has {what}: row {row} repeats row {earlier}."), one),
                    _ => (
                        format!(
                            "{count} rows have {what}; the first is row {row}, which repeats row {earlier}."
                        ),
                        several,
                    ),
                };
                let number = if pictures.is_empty() { "" } else { " a number behind the name, such as -2." };
                told + pictures + number
            }));
        }
        if let Some((row, _)) = self.without_euro.first {
            let country = self.country;
            let (first, payments) = match self.without_euro.count {
                1 => ("Is this amount", format!("1 payment (row {row}) goes to an account in a country")),
                count => (
                    "Are these amounts",
                    format!("{count} payments (the first in row {row}) go to accounts in countries"),
                ),
            };
            notices.push(format!(
                "{first} in euros? {payments} without the euro ({country}). Payment codes are in euros."
            ));
        }
        notices.extend(self.without_usual(columns));
        notices.extend(self.several_countries(columns, code));
        notices.extend(
            columns
                .prefix_column()
                .map(|column| format!("Last names begin with what the column {} says.", column.title())),
        );
        notices.extend(columns_of_times(columns));
        notices.extend(self.tallies());
        notices
    }

    /// Columns that have cells, and give nothing to the items. Sentences of their own tell of currencies and times.
    fn idle(&self, columns: &Columns) -> impl Iterator<Item = u32> {
        let is_told =
            |column: u32| columns.of_currencies == Some(column) || is_time_left_out(columns, column);
        (0..self.filled.len() as u32)
            .filter(move |column| self.is_filled(*column) && !columns.is_used(*column) && !is_told(*column))
    }

    /// The sentence about such columns.
    pub fn unused_columns(&self, columns: &Columns) -> Option<String> {
        let called: Vec<String> = self.idle(columns).map(|column| columns.called(column)).collect();
        let (named, others) = called.split_at(called.len().min(UNUSED_COLUMNS));
        let named = named.join(", ");
        let more = if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
        let told = format!("Not in the codes: {named}{more}");
        (!called.is_empty()).then(|| if told.ends_with('.') { told } else { told + "." })
    }

    /// A sentence about payments without an amount, or events without a start time, where others have it.
    fn without_usual(&self, columns: &Columns) -> Option<String> {
        let Some(Source::Kind { kind, .. }) = columns.data() else { return None };
        let (thing, lack, outcome) = match kind {
            Kind::Payment => ("payment", "amount", "Whoever pays has to type it."),
            _ => ("event", "start time", "They are of whole days."),
        };
        let count = self.without_usual;
        // A list of accounts and names alone is of payments without an amount.
        let may_lack = || columns.of_usual.is_some() || self.idle(columns).next().is_some();
        if *kind == Kind::Payment && !self.has_usual && count > 0 && may_lack() {
            return Some("No payment has an amount. Whoever pays has to type it.".to_owned());
        }
        let rows: Vec<String> = self.rows_without.iter().map(u64::to_string).collect();
        let (last, others) = rows.split_last().filter(|_| self.has_usual)?;
        let more = count - rows.len() as u64;
        Some(match (others, more) {
            ([], _) => {
                let outcome = outcome.replace("They are of whole days", "It is of a whole day");
                format!("1 {thing} (row {last}) has no {lack}. {outcome}")
            }
            (_, 0) => {
                format!("{count} {thing}s (rows {} and {last}) have no {lack}. {outcome}", others.join(", "))
            }
            _ => format!(
                "{count} {thing}s (rows {} and {more} more) have no {lack}. {outcome}",
                rows.join(", ")
            ),
        })
    }

    /// A sentence about numbers that got the same country's code beside several countries.
    fn several_countries(&self, columns: &Columns, code: Option<CallingCode>) -> Option<String> {
        let [(first, first_row), (second, second_row)] = self.countries.as_slice() else { return None };
        let [first, second] = [first, second].map(|country| shortened(country, SHOWN));
        Some(format!(
            "All numbers without a country's code get +{}, though the column {} says {first} in row {first_row} and {second} in row \
             {second_row}.",
            code?.digits(),
            columns.all[columns.of_countries? as usize].title()
        ))
    }

    fn tallies(&self) -> Vec<String> {
        let written = format!(
            " written as in English, and may look different in your program: {} (a column of =TEXT(…) keeps that look: see Files in the docs)",
            self.varying_text
        );
        let none = Tally::default();
        let order = self.date_order();
        let as_others =
            order.map(|order| format!(" read with the {} first, as others of the sheet are", order.first()));
        let tallies = [
            (
                if order.is_some() { &self.dates } else { &none },
                "date of two numbers and a year is",
                "dates of two numbers and a year are",
                as_others.as_deref().unwrap_or_default(),
            ),
            (
                &self.edge_spaces,
                "value begins or ends",
                "values begin or end",
                " with a space, which is kept",
            ),
            (
                &self.spaces_of_links,
                "link begins or ends",
                "links begin or end",
                " with a space, which is left out",
            ),
            (
                &self.lost_spaces,
                "name or password of a network begins or ends",
                "names or passwords of networks begin or end",
                " with a space, which is left out, since it is not in quotes",
            ),
            (
                &self.invisible,
                "value holds",
                "values hold",
                " a character that cannot be seen, which is part of the code",
            ),
            (&self.hidden_rows, "row is hidden, and is", "rows are hidden, and are", " used all the same"),
            (&self.websites, "website gets", "websites get", " https:// in front"),
            (
                &self.lettered_numbers,
                "telephone number has",
                "telephone numbers have",
                " letters, and phones may not dial what is meant",
            ),
            (
                &self.other_titles,
                "title is",
                "titles are",
                " not used: only academic ones, such as Dr., stand before the name",
            ),
            (
                &self.other_references,
                "reference is",
                "references are",
                " not in the codes, which take those of creditors alone (RF…)",
            ),
            (
                &self.other_extensions,
                "extension is",
                "extensions are",
                " not in the codes: one of a few digits belongs to a number that ends in “-” or “-0”",
            ),
            (
                &self.several,
                "cell has",
                "cells have",
                " several values between “:::”, of which the first is used",
            ),
            (&self.totals, "row is", "rows are", " not used, with the totals of a table"),
            (&self.varying, "number or date is", "numbers or dates are", &written),
            (
                &self.unseparated_rows,
                "value holds a comma or semicolon, which is",
                "values hold a comma or semicolon, which is",
                " part of the code, since the file has one column",
            ),
            (
                &self.zeros,
                "number has",
                "numbers have",
                " zeros from the 16th digit on, where spreadsheet programs leave digits out",
            ),
        ];
        let sentence = |(Tally { count, first }, one, many, rest): (&Tally, &str, &str, &str)| {
            let (row, column) = (*first)?;
            let what = if *count == 1 { one } else { many };
            Some(format!("{count} {what}{rest}; the first is in row {row}, column {}.", letters(column)))
        };
        tallies.into_iter().filter_map(sentence).collect()
    }
}

/// The column holds times that events do not take.
fn is_time_left_out(columns: &Columns, column: u32) -> bool {
    let makes_events = matches!(columns.data(), Some(Source::Kind { kind: Kind::Event, .. }));
    let name = columns.all.get(column as usize).map_or("", |column| column.name.as_str());
    makes_events && names_time(name) && !columns.is_used(column)
}

/// A sentence about these columns.
fn columns_of_times(columns: &Columns) -> Option<String> {
    let of_times = (0..columns.all.len() as u32).filter(|column| is_time_left_out(columns, *column));
    let titles: Vec<String> =
        of_times.take(NAMED_COLUMNS).map(|column| columns.all[column as usize].title()).collect();
    let what = if titles.len() == 1 { "column" } else { "columns" };
    (!titles.is_empty()).then(|| {
        format!(
            "The times in the {what} {} are not used. An event takes a start time and an end time: choose their columns.",
            titles.join(", ")
        )
    })
}

fn hash_of(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// Rows that repeat earlier ones.
struct Repeated {
    count: u64,
    /// The first of them.
    row: u32,
    /// The row that it repeats.
    earlier: u32,
}

fn repeated(mut hashes: Vec<(u64, u32)>) -> Option<Repeated> {
    hashes.sort_unstable();
    let again = hashes.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| (pair[1].1, pair[0].1));
    let count = again.clone().count() as u64;
    again.min().map(|(row, earlier)| Repeated { count, row, earlier })
}
