//! Sentences about a spreadsheet that do not prevent a job.

mod sentences;

use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use encoding_rs::WINDOWS_1252;
use qrpress_filenames::shared_form;
use qrpress_kinds::{
    CallingCode, DayAndMonth, ShortYear, account_of_payment, country_without_euro, days_of_event,
};

use crate::columns::{Columns, shortened};
use crate::encoded_twice::decoded_again;
use crate::letter_samples::{LetterSamples, around};
use crate::names::is_link;
use crate::other_country::OfOtherCountry;
use crate::problem::letters;
use crate::role::{DateOrder, Role};
use crate::row::{Cell, Row};
use crate::value::{ends_in_zeros, is_invisible};

/// Rows that a sentence names.
pub(crate) const NAMED_ROWS: usize = 5;

/// The data is an event that lasts longer than a week.
fn lasts_long(data: &str) -> bool {
    days_of_event(data).is_some_and(|days| days > LONGEST_EVENT)
}

/// Takes the number of a row, if it is one of the first.
pub(crate) fn note_place(places: &mut Vec<u64>, row: u64) {
    if places.len() < NAMED_ROWS {
        places.push(row);
    }
}

/// Networks without a password that are named.
const NETWORKS: usize = 10;

/// Columns that events do not take whose cells are looked at. No list of events has more.
const FREE: usize = 100;

/// Days of the longest event of which nobody is told: a week from Saturday to Saturday.
const LONGEST_EVENT: i64 = 8;

/// Characters of a value that a sentence shows.
const SHOWN: usize = 60;

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

/// The first cells of a column that events or payments do not take.
#[derive(Debug, Default)]
struct FreeCells {
    /// Times of the day, and days; for payments, amounts.
    found: usize,
    others: usize,
    /// Events start at one of the times.
    has_start: bool,
}

/// Counts and places for the notices, collected while the rows go by.
#[derive(Debug, Default)]
pub(crate) struct Notices {
    /// The encoding of a file that does not name it, and values that are not ASCII.
    encoding: Option<(&'static str, LetterSamples)>,
    /// Any letter that is not ASCII may be another one.
    is_doubtful: bool,
    /// Values have letters that are others in another encoding: in Windows-1250, where they are read in Windows-1252.
    has_other_letters: bool,
    /// The first and last row above the header, or above the first item, with words for that.
    titles: Option<(u64, u64, &'static str)>,
    /// Columns that have cells.
    filled: Vec<bool>,
    edge_spaces: Tally,
    spaces_of_links: Tally,
    lost_spaces: Tally,
    hidden_rows: Tally,
    unseparated_rows: Tally,
    zeros: Tally,
    check_digits: Tally,
    zeros_in_front: Tally,
    websites: Tally,
    other_titles: Tally,
    /// Salutations before names, which contacts do not take, and the first of these.
    salutations: Tally,
    first_salutation: String,
    /// Notes in contacts.
    notes: Tally,
    first_note: String,
    other_references: Tally,
    other_texts: Tally,
    payees_of_numbers: Tally,
    /// The payees of payments, of which two are enough.
    payees: Vec<String>,
    other_extensions: Tally,
    extensions_without_country: Tally,
    several: Tally,
    lettered_numbers: Tally,
    startless_numbers: Tally,
    desk_numbers: Tally,
    desks_alone: Tally,
    messengers: Tally,
    invisible: Tally,
    /// Cells that stand for nothing, with the text of the first: those in the codes, and those left out of them.
    placeholders: [(Tally, String); 2],
    totals: Tally,
    /// Rows that are totals or notes, as it seems, and become codes. The row of the first, and what it says.
    below: u64,
    first_below: Option<(u64, String)>,
    /// Networks without a password, and the first of them by row and name.
    passwordless: u64,
    passwordless_rows: Vec<String>,
    last_passwordless: Option<u64>,
    /// Passwords of several words, and the first of them.
    phrases: Tally,
    first_phrase: String,
    varying: Tally,
    /// Values of UTF-8 that was encoded twice, and the first of these as it stands and as it may be meant.
    encoded_twice: Tally,
    meant: [String; 2],
    /// Payments to countries without the euro, and the first of these.
    without_euro: Tally,
    country: &'static str,
    /// Accounts of payments.
    accounts: HashSet<u64>,
    /// Payments with neither text nor reference.
    without_text: u64,
    /// A column that may hold the texts of payments, and has a cell beside one that lacks it.
    other_text: Option<u32>,
    /// Texts of columns that give nothing to payments.
    unused_texts: u64,
    /// Numbers of contacts without their country's code, and the first of these.
    nationals: Tally,
    first_national: String,
    /// Rows whose numbers get the code of their country, and these codes with their first names.
    rows_with_codes: u64,
    codes: Vec<(CallingCode, String)>,
    /// Numbers of services.
    services: Tally,
    /// The first country of a number without its code, and the first other one, with their rows.
    countries: Vec<(String, u64)>,
    /// Numbers that get the code of one country in rows with signs of another.
    pub of_other_country: OfOtherCountry,
    /// Events that last longer than a week.
    long_events: Tally,
    /// Events of several days whose times may be those of each day.
    times_of_days: Tally,
    /// Ends at midnight that were taken for last days.
    last_days: Tally,
    /// Ends at midnight that were taken for the first moments behind events of whole days.
    exclusive_ends: Tally,
    /// Dates such as `01/02/2026`.
    dates: Tally,
    /// Dates such as `25/12/27`, which may begin with the year.
    short_years: Tally,
    first_short_year: String,
    /// Others, which cannot.
    certain_years: u64,
    /// There are others that begin with the day, and with the month.
    begin_with: [bool; 2],
    /// The first text that is written as in English.
    varying_text: String,
    /// Some payments have an amount, or events a start time.
    has_usual: bool,
    /// The number of the others, and the first rows of these.
    without_usual: u64,
    rows_without: Vec<u64>,
    /// Columns that events do not take.
    free: BTreeMap<u32, FreeCells>,
    /// Events that start at midnight, and have no end.
    starts_at_midnight: Tally,
    /// Events that take the day of the row above.
    days_above: Tally,
    /// Cells that are merged downwards, by first row and column. The first one with its last row, and what it says.
    merged_cells: HashSet<(u64, u32)>,
    first_merged: Option<([u64; 2], String)>,
    /// Events that start before the one above, where one day was typed for all.
    back: Tally,
    /// Cells of the column that says which events are of the whole day that say neither yes nor no.
    other_marks: u64,
    /// Cells of it that say yes beside times.
    marks_with_times: Tally,
    /// Hashes of data, and of names, with their rows.
    data: Vec<(u64, u32)>,
    names: Vec<(u64, u32)>,
    max_name_characters: usize,
}

impl Notices {
    /// Names in the archive have as many characters at most.
    pub fn new(max_name_characters: usize) -> Self {
        Self { max_name_characters, ..Self::default() }
    }

    /// The file is read in an encoding that it does not name, and that may be another one where it `is_doubtful`.
    pub fn note_encoding(&mut self, name: &'static str, is_doubtful: bool) {
        self.encoding = Some((name, LetterSamples::new(name)));
        self.is_doubtful = is_doubtful;
    }

    /// The rows from `first` to `last` stand above the header, or above the first item where there is none.
    pub fn note_titles(&mut self, first: u64, last: u64, has_header: bool) {
        let below = if has_header { "the names of the columns" } else { "the first code" };
        self.titles = Some((first, last, below));
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

    /// A network without a password: codes would be for an open one.
    pub fn note_passwordless(&mut self, row: u64, network: &str) {
        self.passwordless += 1;
        self.last_passwordless = Some(row);
        if self.passwordless_rows.len() < NETWORKS {
            self.passwordless_rows.push(format!("row {row} ({})", shortened(network.trim(), SHOWN)));
        }
    }

    /// The row is no network. Returns true if it was counted as one without a password.
    pub fn take_network_back(&mut self, row: u64) -> bool {
        let is_counted = self.last_passwordless.take_if(|last| *last == row).is_some();
        if is_counted {
            self.passwordless -= 1;
            let start = format!("row {row} (");
            self.passwordless_rows.pop_if(|last| last.starts_with(&start));
        }
        is_counted
    }

    /// A password of several words, which may be a note.
    pub fn note_phrase(&mut self, row: &Row, cell: &Cell) {
        if self.phrases.count == 0 {
            self.first_phrase = shortened(row.text(cell).trim(), SHOWN);
        }
        self.phrases.add(row.number, cell.column);
    }

    /// The row holds the totals of a table, and is left out.
    pub fn note_totals(&mut self, row: u64) {
        self.totals.add(row, 0);
    }

    /// So many rows are totals or notes, as it seems, of which this is the first one.
    pub fn note_rows_below(&mut self, count: u64, row: u64, text: String) {
        self.below += count;
        // Notes at the end are known last, and may stand above a total.
        if self.first_below.as_ref().is_none_or(|(first, _)| row < *first) {
            self.first_below = Some((row, text));
        }
    }

    /// The value seems to be UTF-8 that was encoded twice: it as it stands, and as it may be meant.
    pub fn note_encoded_twice(&mut self, row: &Row, cell: &Cell, texts: [&str; 2]) {
        if self.encoded_twice.count == 0 {
            self.meant = texts.map(|text| around(text, None));
        }
        self.encoded_twice.add(row.number, cell.column);
    }

    /// A member of an item, of one cell or of several.
    pub fn note_member(&mut self, role: Role, row: &Row, text: &str) {
        let number = u32::try_from(row.number).unwrap_or(u32::MAX);
        match role {
            Role::Data => {
                self.data.push((hash_of(text), number));
                if lasts_long(text) {
                    self.long_events.add(row.number, 0);
                }
                if let Some(iban) = account_of_payment(text) {
                    self.accounts.insert(hash_of(iban));
                }
                if let Some(country) = country_without_euro(text) {
                    if self.without_euro.count == 0 {
                        self.country = country;
                    }
                    self.without_euro.add(row.number, 0);
                }
            }
            Role::Filename => {
                self.names.push((hash_of(&shared_form(text, self.max_name_characters)), number));
            }
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
            self.note_encoded_twice(row, cell, [text, &meant]);
        }
        let Some((name, samples)) = self.encoding.as_mut().filter(|_| !text.is_ascii()) else { return };
        let has_other = samples.add(text, || format!("row {number}, column {}", letters(cell.column)));
        self.has_other_letters |= self.is_doubtful || (has_other && *name == WINDOWS_1252.name());
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

    /// A cell that stands for nothing, and fills a field all the same unless it `is_left_out`.
    pub fn note_placeholder(&mut self, row: &Row, cell: &Cell, is_left_out: bool) {
        let (placeholders, first) = &mut self.placeholders[usize::from(is_left_out)];
        if placeholders.count == 0 {
            *first = shortened(row.text(cell).trim(), SHOWN);
        }
        placeholders.add(row.number, cell.column);
    }

    /// A number of goods that got another check digit.
    pub fn note_check_digit(&mut self, row: &Row, cell: &Cell) {
        self.check_digits.add(row.number, cell.column);
    }

    /// A number of goods that gets zeros in front.
    pub fn note_zeros_in_front(&mut self, row: &Row, cell: &Cell) {
        self.zeros_in_front.add(row.number, cell.column);
    }

    /// A website of a contact that is written without `https://`.
    pub fn note_website(&mut self, row: &Row, cell: &Cell) {
        self.websites.add(row.number, cell.column);
    }

    /// A telephone number with letters.
    pub fn note_letters(&mut self, row: &Row, cell: &Cell) {
        self.lettered_numbers.add(row.number, cell.column);
    }

    /// A telephone number with neither a plus nor a 0 at its start, of no country.
    pub fn note_startless(&mut self, row: &Row, cell: &Cell) {
        self.startless_numbers.add(row.number, cell.column);
    }

    /// A telephone number of a contact that is an extension, as it seems.
    pub fn note_desk(&mut self, row: &Row, cell: &Cell) {
        self.desk_numbers.add(row.number, cell.column);
    }

    /// An extension of a contact without the number before it, which is left out.
    pub fn note_desk_alone(&mut self, row: &Row, cell: &Cell) {
        self.desks_alone.add(row.number, cell.column);
    }

    /// A link or a name of a messenger in place of a telephone number.
    pub fn note_messenger(&mut self, row: &Row, cell: &Cell) {
        self.messengers.add(row.number, cell.column);
    }

    /// A cell of several values, of which a contact takes the first.
    pub fn note_several(&mut self, row: &Row, cell: &Cell) {
        self.several.add(row.number, cell.column);
    }

    /// A salutation before the name of a contact, which is left out.
    pub fn note_salutation(&mut self, row: &Row, cell: &Cell, salutation: &str) {
        if self.salutations.count == 0 {
            salutation.clone_into(&mut self.first_salutation);
        }
        self.salutations.add(row.number, cell.column);
    }

    /// The note of a contact.
    pub fn note_remark(&mut self, row: &Row, cell: &Cell) {
        if self.notes.count == 0 {
            self.first_note = shortened(row.text(cell).trim(), SHOWN);
        }
        self.notes.add(row.number, cell.column);
    }

    /// The title of a person that is neither a job nor part of the name.
    pub fn note_title(&mut self, row: &Row, cell: &Cell) {
        self.other_titles.add(row.number, cell.column);
    }

    /// A telephone number of a contact without its country's code.
    pub fn note_national(&mut self, row: &Row, cell: &Cell, number: &str) {
        if self.nationals.count == 0 {
            self.first_national = shortened(number.trim(), SHOWN);
        }
        self.nationals.add(row.number, cell.column);
    }

    /// The numbers of a row get the code of the country that it names.
    pub fn note_code(&mut self, code: CallingCode, country: &str) {
        self.rows_with_codes += 1;
        if self.codes.iter().all(|(each, _)| *each != code) {
            self.codes.push((code, shortened(country, SHOWN)));
        }
    }

    /// A telephone number of a service, such as 0800.
    pub fn note_service(&mut self, row: &Row, cell: &Cell) {
        self.services.add(row.number, cell.column);
    }

    /// An extension that no number takes. One that `awaits_country` belongs to its number in some countries.
    pub fn note_extension(&mut self, row: &Row, cell: &Cell, awaits_country: bool) {
        let tally =
            if awaits_country { &mut self.extensions_without_country } else { &mut self.other_extensions };
        tally.add(row.number, cell.column);
    }

    /// An event takes the day of the row above.
    pub fn note_day_above(&mut self, row: u64) {
        self.days_above.add(row, 0);
    }

    /// The text of a cell that is merged downwards counts for all its rows.
    pub fn note_merged_cell(&mut self, rows: [u64; 2], column: u32, text: &str) {
        self.merged_cells.insert((rows[0], column));
        self.first_merged.get_or_insert_with(|| (rows, text.to_owned()));
    }

    /// An event starts before the one above.
    pub fn note_back(&mut self, row: u64) {
        self.back.add(row, 0);
    }

    /// A reference of a payment is no creditor's.
    pub fn note_reference(&mut self, row: &Row, cell: &Cell) {
        self.other_references.add(row.number, cell.column);
    }

    /// The text of a payment that has the reference of the creditor in its place.
    pub fn note_text(&mut self, row: &Row, cell: &Cell) {
        self.other_texts.add(row.number, cell.column);
    }

    /// A payment with neither text nor reference, and a column beside it that may hold the text.
    pub fn note_without_text(&mut self, other: Option<u32>) {
        self.without_text += 1;
        self.other_text = self.other_text.or(other);
    }

    /// The text of a column that gives nothing to payments.
    pub fn note_other(&mut self, text: &str) {
        self.unused_texts += u64::from(text.contains(char::is_alphabetic));
    }

    /// The payee of a payment is a number.
    pub fn note_number_of_payee(&mut self, row: &Row, cell: &Cell) {
        self.payees_of_numbers.add(row.number, cell.column);
    }

    /// A payment goes to this payee.
    pub fn note_payee(&mut self, name: &str) {
        if self.payees.len() < 2 && self.payees.iter().all(|payee| payee != name) {
            self.payees.push(name.to_owned());
        }
    }

    /// A payment that has an amount or not, or an event that has a start time or not.
    pub fn note_usual(&mut self, row: u64, has_it: bool) {
        self.has_usual |= has_it;
        if !has_it {
            self.without_usual += 1;
            note_place(&mut self.rows_without, row);
        }
    }

    /// One of the first cells of a column that events or payments do not take. `found`: it is a time, a day or an amount, and events start
    /// then.
    pub fn note_free(&mut self, column: u32, found: impl FnOnce() -> Option<bool>) {
        if self.free.len() < FREE || self.free.contains_key(&column) {
            let cells = self.free.entry(column).or_default();
            match found() {
                Some(is_start) => {
                    cells.found += 1;
                    cells.has_start |= is_start;
                }
                None => cells.others += 1,
            }
        }
    }

    /// An event of several days, the times of which may be those of each day.
    pub fn note_times_of_days(&mut self, row: u64, data: &str) {
        if !lasts_long(data) {
            self.times_of_days.add(row, 0);
        }
    }

    /// An end at midnight that was taken for the last day of an event.
    pub fn note_last_day(&mut self, row: u64, column: u32) {
        self.last_days.add(row, column);
    }

    /// An end at midnight that was taken for the first moment behind an event of whole days.
    pub fn note_exclusive_end(&mut self, row: u64, column: u32) {
        self.exclusive_ends.add(row, column);
    }

    /// An event that starts at midnight, and has no end.
    pub fn note_start_at_midnight(&mut self, row: u64, column: u32) {
        self.starts_at_midnight.add(row, column);
    }

    /// A cell of the column that says which events are of the whole day, which says yes of an event with a time.
    pub fn note_mark_with_time(&mut self, row: u64, column: u32) {
        self.marks_with_times.add(row, column);
    }

    /// A cell of the column that says which events are of the whole day, which says neither yes nor no.
    pub fn note_other_mark(&mut self) {
        self.other_marks += 1;
    }

    /// The country of a row with a number without its code.
    pub fn note_country(&mut self, row: &Row, text: &str) {
        let country = text.trim();
        let is_new = match self.countries.as_slice() {
            [] => true,
            [(first, _)] => {
                let [one, other] = [first.as_str(), country].map(CallingCode::of_country);
                first.to_lowercase() != country.to_lowercase() && (one.is_none() || one != other)
            }
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

    /// A date whose year has two digits and is read as its last number.
    pub fn note_short_year(&mut self, row: &Row, cell: &Cell, year: &ShortYear) {
        if *year == ShortYear::Last {
            self.certain_years += 1;
            return;
        }
        if self.short_years.count == 0 {
            self.first_short_year = shortened(row.text(cell).trim(), SHOWN);
        }
        self.short_years.add(row.number, cell.column);
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
}

fn hash_of(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
