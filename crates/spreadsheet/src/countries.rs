//! The countries of telephone numbers without their country's code: one for all, or that of each row, as the person chose.

use qrpress_kinds::{CallingCode, lacks_code};

use crate::columns::shortened;
use crate::fault::Fault;
use crate::other_country::end_of_address;
use crate::problem::Problem;
use crate::role::CountryChoice;
use crate::row::{Cell, Row};
use crate::table::Table;

/// Characters of a country that a sentence repeats.
const COUNTRY_CHARACTERS: usize = 40;

/// Letters in place of a country's name, such as `USA`.
const LETTERS: usize = 3;

impl Table<'_> {
    /// The country that the person chose for the numbers, or that of each row, where all that matter have the name of one.
    pub(crate) fn country(&self) -> Option<CountryChoice> {
        self.request.country.or(self.found.takes_countries.then_some(CountryChoice::OfRow))
    }

    /// All rows with such numbers of calls and messages have the name of a country, and nobody chose one.
    pub(crate) fn names_countries(&self) -> bool {
        let rows = &self.report.country_rows;
        let are_named = rows.known > 0 && rows.by_letters + rows.unknown + rows.unnamed == 0;
        self.request.country.is_none() && self.columns.need_country() && are_named
    }

    /// The country's code of the row's numbers, if the person chose one for all, or that of each row.
    pub(crate) fn code_of(&self, row: &Row) -> Option<CallingCode> {
        match self.country()? {
            CountryChoice::All(code) => Some(code),
            CountryChoice::OfRow => self.code_in(row.text(row.cell(self.columns.of_countries?)?)),
        }
    }

    /// The country's code for this number of the row. One with a code behind 00 needs no country.
    pub(crate) fn code_for(&self, row: &Row, number: &str) -> Option<CallingCode> {
        let needs_none = self.country() == Some(CountryChoice::OfRow) && number.trim().starts_with("00");
        self.code_of(row).or_else(|| needs_none.then(CallingCode::of_none))
    }

    /// The code of the country that a cell names. In a column of calling codes, it is one without +, too.
    fn code_in(&self, text: &str) -> Option<CallingCode> {
        let of_digits = || CallingCode::of(text.trim()).filter(|_| self.columns.have_calling_codes());
        CallingCode::of_country(text).or_else(of_digits)
    }

    /// The fault of a number, with its country where that stands in its row.
    pub(crate) fn wrong_number(&self, row: &Row, mut fault: qrpress_kinds::Fault) -> Fault {
        let is_of_row =
            self.country() == Some(CountryChoice::OfRow) && fault.message.contains("country's code");
        let column = self.columns.of_countries.filter(|_| is_of_row);
        if let Some(cell) = column.and_then(|column| row.cell(column)) {
            let country = shortened(row.text(cell).trim(), COUNTRY_CHARACTERS);
            let title = self.columns.all[cell.column as usize].title();
            fault.message = format!("{} The column {title} says “{country}”.", fault.message);
        }
        Fault::Kind(fault)
    }

    /// The person chose the country of the numbers. A choice for the sheet before is none where this one has no column of countries.
    pub(crate) fn has_country(&self) -> bool {
        self.country().is_some_and(|choice| {
            matches!(choice, CountryChoice::All(_)) || self.columns.of_countries.is_some()
        })
    }

    /// The column of countries, by which people may choose the country of each row: most of its cells name one, or they chose so.
    pub(crate) fn column_of_countries(&self) -> Option<u32> {
        let rows = &self.report.country_rows;
        let is_chosen = self.country() == Some(CountryChoice::OfRow);
        self.columns.of_countries.filter(|_| rows.known > rows.unknown || is_chosen)
    }

    /// The row's first telephone number without its country's code.
    pub(crate) fn national_cell<'r>(&self, row: &'r Row) -> Option<&'r Cell> {
        let is_national =
            |cell: &&Cell| self.columns.telephone(cell.column).is_some() && lacks_code(self.taken(row, cell));
        row.cells.iter().find(is_national)
    }

    /// Counts the row by its country, and adds what is wrong with that where the person chose the country of each row.
    pub(crate) fn judge_country(&mut self, row: &Row) {
        let Some(column) = self.columns.of_countries.filter(|_| self.national_cell(row).is_some()) else {
            return;
        };
        let country = row.cell(column).map_or("", |cell| row.text(cell).trim());
        let code = self.code_in(country);
        let is_name =
            country == "USA" || country.chars().filter(|letter| letter.is_alphabetic()).count() > LETTERS;
        let rows = &mut self.report.country_rows;
        match (country, code) {
            (_, Some(_)) => {
                rows.known += 1;
                rows.by_letters += u64::from(!is_name);
                return;
            }
            ("", None) => rows.unnamed += 1,
            (_, None) => rows.unknown += 1,
        }
        // A contact keeps the number as it is.
        if self.country() == Some(CountryChoice::OfRow) && self.columns.need_country() {
            let fault = Fault::CountryOfRow(shortened(country, COUNTRY_CHARACTERS));
            self.add_problem(Problem::of_cell(row.number, column, fault));
        }
    }

    /// Notes the country of an item with such a number.
    pub(crate) fn note_country(&mut self, row: &Row) {
        let named = self.columns.of_countries.and_then(|column| row.cell(column));
        let Some(country) = named.filter(|_| self.national_cell(row).is_some()) else { return };
        let text = row.text(country).trim();
        let is_of_address = self.columns.are_of_contacts() && self.columns.field(country.column).is_some();
        match (self.country(), self.code_in(text)) {
            (Some(CountryChoice::OfRow), Some(code)) => self.notices.note_code(code, text),
            // `Land` may be a part of Germany.
            (Some(CountryChoice::All(_)), code) if code.is_some() || is_of_address => {
                self.notices.note_country(row, text);
            }
            _ => {}
        }
    }

    /// Notes numbers that get the code of the country for all, where another number or an address of the row is of another country.
    pub(crate) fn note_other_country(&mut self, row: &Row) {
        let Some(CountryChoice::All(code)) = self.request.country else { return };
        let is_completed =
            |cell: &&Cell| self.columns.telephone(cell.column).is_some() && lacks_code(self.taken(row, cell));
        let numbers = row.cells.iter().filter(is_completed).count();
        if numbers == 0 {
            return;
        }
        let cells = row.cells.iter().filter(|cell| self.columns.of_countries_of_rows.contains(&cell.column));
        let texts: Vec<&str> = cells.map(|cell| row.text(cell)).collect();
        let is_whole = |text: &&&str| text.trim().starts_with('+') || CallingCode::with_plus(text).is_some();
        let whole = texts.iter().filter(is_whole);
        let codes: Vec<CallingCode> = whole.filter_map(|text| CallingCode::in_number(text)).collect();
        let mut signs: Vec<String> =
            codes.iter().filter(|each| **each != code).map(|each| format!("+{}", each.digits())).collect();
        let ends: Vec<_> = texts.iter().filter_map(|text| end_of_address(text)).collect();
        // A number or another address of the country says more than such an address.
        if !codes.contains(&code) && ends.iter().all(|(_, each)| *each != code.digits()) {
            signs.extend(ends.iter().map(|(end, _)| format!("a .{end} address")));
        }
        if !signs.is_empty() {
            self.notices.of_other_country.add(numbers, row.number, signs);
        }
    }
}
