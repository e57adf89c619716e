//! Makes the item of a row: judges its cells, composes its values, and writes its line of the body.

use std::borrow::Cow;
use std::mem;

use qrpress_kinds::{
    CallingCode, DayAndMonth, ShortYear, ValueForm, day_and_month, has_letters, is_day, is_desk_alone,
    is_desk_number, is_event_at_midnight, is_event_of_whole_days, is_last_day_at_midnight,
    is_midnight_behind_last_day, is_national_number, is_placeholder, lacks_code, may_be_daily, opposite,
    says_no_password, says_whole_day, short_year,
};

use crate::columns::shortened;
use crate::composition::Source;
use crate::contacts::{AUSTRIA, Contact, extended, salutation_in};
use crate::currencies::{is_in_euros, is_other_currency};
use crate::error::Halt;
use crate::fault::Fault;
use crate::names::{is_link, without_angle_brackets};
use crate::parts::DIRECT;
use crate::problem::Problem;
use crate::role::{DateOrder, LinkChoice, Role};
use crate::row::{Cell, Row};
use crate::several::OTHER_PHONE;
use crate::table::Table;
use crate::titles::{degree_in, names_salutation};
use crate::value::{csv_fault_of, fault_of, number_fault_of, unreadable};

/// Characters of a link's text and address that a sentence repeats.
const LINK_CHARACTERS: usize = 60;
/// Characters of a currency that a sentence repeats.
const CURRENCY_CHARACTERS: usize = 20;
/// Counts of cells and rows that people are offered a choice for.
const COUNTS: usize = 7;
/// Characters of the longest picture's name that is made of a row.
const TITLE_CHARACTERS: usize = 100;

impl Table<'_> {
    /// Adds what is wrong with the row.
    pub(crate) fn judge(&mut self, row: &Row) {
        let width = self.columns.all.len();
        for cell in &row.cells {
            if self.is_csv && cell.column as usize >= width {
                self.add_problem(Problem::of_row(row.number, Fault::ManyCells(width)));
                break;
            }
            let is_used = self.columns.is_used(cell.column);
            let wrong = match &cell.fault {
                // The kind takes the number, and not its text.
                _ if cell.number.is_some() && self.columns.takes_number(cell.column) => None,
                // In CSV, a quote in the wrong place moves the cells behind it.
                Some(fault) if is_used || self.is_csv => Some(fault.clone()),
                None if is_used => self
                    .wrong_link(row, cell)
                    .or_else(|| self.wrong_value(row.text(cell)))
                    .or_else(|| self.wrong_date(row, cell))
                    .or_else(|| self.wrong_telephone(row, cell))
                    .or_else(|| self.wrong_isbn(row, cell)),
                _ => None,
            };
            self.notices.note_filled(cell.column);
            if self.has_wrong_check_digit(row, cell) {
                self.report.wrong_check_digits += 1;
            }
            if let Some(fault) = wrong {
                if let Fault::EncodedTwice([text, meant]) = &fault {
                    self.notices.note_encoded_twice(row, cell, [text, meant]);
                }
                self.add_problem(Problem::of_cell(row.number, cell.column, fault));
            }
        }
        self.judge_country(row);
        if let Some((column, currency)) = self.wrong_currency(row) {
            self.add_problem(Problem::of_cell(row.number, column, Fault::OtherCurrency(currency)));
        }
        if self.columns.are_in_cents
            && let Some(amount) = self.columns.of_usual.and_then(|column| row.cell(column))
            && !is_in_euros(row.text(amount))
        {
            self.add_problem(Problem::of_cell(row.number, amount.column, Fault::Cents));
        }
        if let Some(other) = row.other {
            self.notices.note_filled(other);
        }
        if let Some(&Source::Column(data)) = self.columns.data()
            && row.cell(data).is_none()
        {
            self.add_problem(Problem::of_cell(row.number, data, Fault::NoData));
        }
    }

    /// The counts of cells and rows that people are offered a choice for.
    pub(crate) fn counted_cells(&mut self) -> [&mut u64; COUNTS] {
        let report = &mut self.report;
        let rows = &mut report.country_rows;
        [
            &mut report.wrong_check_digits,
            &mut report.national_numbers,
            &mut report.link_cells,
            &mut rows.known,
            &mut rows.by_letters,
            &mut rows.unknown,
            &mut rows.unnamed,
        ]
    }

    /// Counts no cells of the last row, which is no item: these were the `counts` before it.
    pub(crate) fn take_cells_back(&mut self, counts: [u64; COUNTS]) {
        for (count, before) in self.counted_cells().into_iter().zip(counts) {
            *count = before;
        }
        self.report.asks_for_links &= self.report.link_cells > 0;
    }

    /// The refusal of a link where the person has yet to choose its text or its address, or of an address that cannot be a value.
    fn wrong_link(&mut self, row: &Row, cell: &Cell) -> Option<Fault> {
        let address = row.address(cell);
        if !self.columns.makes_data(cell.column) || (address.is_none() && !cell.hides_address) {
            return None;
        }
        self.report.link_cells += 1;
        self.report.asks_for_links |= self.request.links.is_none();
        match (self.request.links, address) {
            (Some(LinkChoice::Text), _) => None,
            (_, None) => Some(Fault::HiddenAddress(shortened(row.text(cell), LINK_CHARACTERS))),
            (None, Some(address)) => {
                let [text, address] = [row.text(cell), address].map(|text| shortened(text, LINK_CHARACTERS));
                Some(Fault::Link { text, address })
            }
            (Some(LinkChoice::Address), Some(address)) => self.wrong_value(address),
        }
    }

    /// The currency of a payment that is not in euros, and the column that says so.
    fn wrong_currency(&self, row: &Row) -> Option<(u32, String)> {
        let named = self.columns.of_currencies.and_then(|column| row.cell(column));
        if let Some(cell) = named.filter(|cell| is_other_currency(row.text(cell))) {
            return Some((cell.column, shortened(row.text(cell).trim(), CURRENCY_CHARACTERS)));
        }
        let amount = self.columns.of_usual.and_then(|column| row.cell(column))?;
        Some((amount.column, self.columns.currency()?.to_owned()))
    }

    /// The refusal of a date that may begin with the day or the month.
    fn wrong_date(&mut self, row: &Row, cell: &Cell) -> Option<Fault> {
        if !self.columns.takes_dates(cell.column) {
            return None;
        }
        if let Some(year) = short_year(self.taken(row, cell)) {
            self.notices.note_short_year(row, cell, &year);
        }
        let order = day_and_month(self.taken(row, cell))?;
        self.notices.note_date(row, cell, &order);
        (matches!(order, DayAndMonth::Either(_)) && self.request.dates.is_none()).then_some(Fault::DayOrMonth)
    }

    /// The refusal of a call or text message to a number without a country.
    fn wrong_telephone(&mut self, row: &Row, cell: &Cell) -> Option<Fault> {
        self.columns.telephone(cell.column).filter(|_| is_national_number(self.taken(row, cell)))?;
        // Such a number has its country, whatever is chosen.
        if self.columns.need_country() && CallingCode::with_plus(self.taken(row, cell)).is_some() {
            return None;
        }
        self.report.national_numbers += 1;
        (!self.has_country() && self.columns.need_country()).then_some(Fault::NoCountry)
    }

    /// The row has a cell in this column whose text the kind takes.
    fn takes_cell(&self, row: &Row, column: u32) -> bool {
        row.cell(column).is_some_and(|cell| self.takes(row, cell))
    }

    /// The kind takes the text of this cell.
    fn takes(&self, row: &Row, cell: &Cell) -> bool {
        self.columns.takes(cell.column, row.text(cell))
            && !self.has_no_password(row, cell)
            && !self.leaves_desk(row, cell)
    }

    /// The cell is an extension without the number before it, of a contact that can be reached otherwise.
    fn leaves_desk(&self, row: &Row, cell: &Cell) -> bool {
        let is_alone = |cell: &Cell| is_desk_alone(row.text(cell));
        let reaches = |other: &Cell| {
            self.columns.reaches_contacts(other.column)
                && !is_alone(other)
                && !self.has_placeholder(row, other)
        };
        self.columns.are_of_contacts()
            && self.columns.telephone(cell.column).is_some()
            && is_alone(cell)
            && row.cells.iter().any(reaches)
    }

    /// The cell has words for no password, in place of one. The row's encryption tells some of them from passwords.
    pub(crate) fn has_no_password(&self, row: &Row, cell: &Cell) -> bool {
        let says_none = || {
            let (column, typed) = self.columns.of_encryption();
            let encryption = column.and_then(|column| row.cell(column)).map_or(typed, |cell| row.text(cell));
            says_no_password(row.text(cell), encryption)
        };
        self.columns.holds_passwords(cell.column) && says_none()
    }

    /// The value of the row's cell in a column, for a member of the item.
    pub(crate) fn value<'r>(
        &self,
        row: &'r Row,
        role: Role,
        column: u32,
        form: ValueForm,
    ) -> Result<Cow<'r, str>, Fault> {
        if role == Role::Data && self.columns.holds_purposes(column) {
            return Ok(self.purpose(row, column).into());
        }
        let Some(cell) = row.cell(column) else { return Ok("".into()) };
        if let (Some(number), true) = (cell.number, form != ValueForm::Text) {
            return number.value(form).map(Cow::Owned);
        }
        let text = match role {
            Role::Data if !self.takes(row, cell) || self.leaves_empty(row, cell) => "",
            Role::Data => self.taken(row, cell),
            _ => row.text(cell),
        };
        if let (Some(order), ValueForm::Date | ValueForm::Moment) = (self.request.dates, form)
            && let Some(DayAndMonth::Either([day_first, month_first])) = day_and_month(text)
        {
            return Ok(Cow::Owned(match order {
                DateOrder::DayFirst => day_first,
                DateOrder::MonthFirst => month_first,
            }));
        }
        if let (ValueForm::Date | ValueForm::Moment, Some(ShortYear::Either(year_last))) =
            (form, short_year(text))
        {
            return Ok(Cow::Owned(year_last));
        }
        let extended = if role == Role::Data { self.extended(row, column, text) } else { None };
        // A text message cannot go to an extension: the kind refuses it.
        let is_message_to_letters = || self.columns.make_messages() && text.contains(char::is_alphabetic);
        if let (Role::Data, Some(code), Some(field)) =
            (role, self.code_for(row, text), self.columns.telephone(column))
            && !is_message_to_letters()
            && let Some(number) = code
                .complete(field, extended.as_deref().unwrap_or(text))
                .map_err(|fault| self.wrong_number(row, fault))?
        {
            return Ok(Cow::Owned(number));
        }
        if role == Role::Data
            && self.columns.need_country()
            && self.columns.telephone(column).is_some()
            && let Some(number) = CallingCode::with_plus(text)
        {
            return Ok(Cow::Owned(number));
        }
        if let Some(extended) = extended {
            return Ok(extended.into());
        }
        if role == Role::Data {
            if let Some(website) =
                Some(text).filter(|_| self.columns.holds_websites(column)).and_then(with_scheme)
            {
                return Ok(website.into());
            }
            if self.columns.holds_goods(column) {
                return Ok(self.number_of_goods(text).into());
            }
            if let Some(degrees) = self.columns.in_english(column, text) {
                return Ok(degrees.into());
            }
            return Ok(self.with_parts(row, column, text));
        }
        Ok(text.into())
    }

    /// The text with its parts from columns of their own, such as a last name behind `van der`, or a street with its number.
    fn with_parts<'r>(&self, row: &'r Row, column: u32, text: &'r str) -> Cow<'r, str> {
        let parts = self
            .columns
            .parts(column)
            .filter(|part| part.field != "phone")
            .filter_map(|part| Some((part, row.text(row.cell(part.column)?).trim())));
        parts.fold(Cow::Borrowed(text), |whole, (part, text)| {
            // The number of a flat stands behind a slash, if that of the house stands before it.
            let joint = if part.joint == "/" && matches!(whole, Cow::Borrowed(_)) { " " } else { part.joint };
            let [first, second] = if part.is_before { [text, &whole] } else { [&whole, text] };
            format!("{}{joint}{second}", first.trim_end()).into()
        })
    }

    /// The text or address of a cell, as the data takes it: a link without the spaces around it.
    pub(crate) fn taken<'r>(&self, row: &'r Row, cell: &Cell) -> &'r str {
        let takes_address =
            self.columns.makes_data(cell.column) && self.request.links == Some(LinkChoice::Address);
        let address = row.address(cell).filter(|_| takes_address).map(|address| self.without_scheme(address));
        let text = address.unwrap_or_else(|| self.first_of_several(cell.column, row.text(cell)));
        let is_of_links = self.columns.makes_data(cell.column) && !self.columns.make_fields();
        if (is_of_links || self.columns.holds_websites(cell.column))
            && let Some(link) = without_angle_brackets(text)
        {
            return link;
        }
        if is_of_links && is_link(text) { text.trim() } else { text }
    }

    /// The address as the field of a contact, a mail or a call has it.
    fn without_scheme<'a>(&self, address: &'a str) -> &'a str {
        let mut schemes = ["mailto:", "tel:"].into_iter().filter(|_| self.columns.make_fields());
        schemes.find_map(|scheme| address.strip_prefix(scheme)).unwrap_or(address)
    }

    /// The reason why a text is not what the person means.
    fn wrong_value(&self, text: &str) -> Option<Fault> {
        if self.is_lines {
            return unreadable(text);
        }
        if self.is_csv {
            number_fault_of(text).or_else(|| fault_of(text)).or_else(|| csv_fault_of(text))
        } else {
            fault_of(text)
        }
    }

    /// Puts the members together that come of several columns.
    pub(crate) fn compose(&mut self, row: &Row) {
        for (index, role) in Role::ALL.into_iter().enumerate() {
            let mut text = mem::take(&mut self.composed[index]);
            text.clear();
            let composed = match self.columns.source(role) {
                None => Ok(()),
                Some(source) => {
                    if source.has_no_password(|column| self.takes_cell(row, column)) {
                        self.report.passwordless_networks += 1;
                        let network = source.columns().next().and_then(|column| row.cell(column));
                        let name = network.map_or("", |cell| row.text(cell));
                        self.notices.note_passwordless(row.number, name);
                    }
                    let value = |column, form| self.value(row, role, column, form);
                    let title = self.columns.of_titles().filter(|_| role == Role::Data);
                    let title = title.and_then(|column| row.cell(column)).map(|cell| row.text(cell).trim());
                    let degree = title.and_then(degree_in).unwrap_or_default();
                    let refine = |kind, columns: &[Option<u32>], values: &mut [Cow<'_, str>]| {
                        self.columns.apply_names(values, self.whole_days(row) == Some(true));
                        self.columns.put_on_day(values);
                        self.refine(row, Contact { kind, columns, values }, degree);
                    };
                    let has_cell = |column| self.takes_cell(row, column);
                    source.compose(role, has_cell, value, refine, &mut text)
                }
            };
            self.composed[index] = text;
            match composed {
                Ok(()) => {}
                Err((Some(column), Fault::Kind(fault)))
                    if row.cell(column).is_some_and(|cell| self.has_wrong_check_digit(row, cell)) =>
                {
                    self.add_problem(Problem::of_cell(row.number, column, Fault::CheckDigit(fault)));
                }
                Err((Some(column), fault)) => self.add_problem(Problem::of_cell(row.number, column, fault)),
                Err((None, fault)) => self.add_problem(Problem::of_row(row.number, fault)),
            }
        }
    }

    /// Takes values of a contact apart that share a cell, and puts names and numbers where they belong.
    fn refine(&self, row: &Row, mut contact: Contact<'_, '_>, degree: &str) {
        if !self.columns.are_of_contacts() {
            return;
        }
        let word_of_names = self.columns.word_of_names();
        contact.leave_salutation(word_of_names.as_deref());
        contact.take_apart();
        contact.leave_salutation(word_of_names.as_deref());
        contact.complete_name();
        if self.columns.puts_family_first() {
            contact.put_family_first();
        }
        contact.add_degree(degree);
        if let Some((column, number, _)) = self.second_number(row) {
            let code = self.code_for(row, number);
            let whole = code.and_then(|code| code.complete(OTHER_PHONE, number).ok().flatten());
            let number = whole.unwrap_or_else(|| number.to_owned());
            contact.add_second_number(number, self.columns.phones_and_mobiles(column));
        }
        contact.place_numbers(|column| row.cell(self.columns.label(column)?).map(|cell| row.text(cell)));
    }

    /// The number of a cell with the extension from another column. None: the row has none, or it is not plain where it belongs.
    fn extended(&self, row: &Row, column: u32, text: &str) -> Option<String> {
        self.extended_in(self.code_of(row), row, column, text)
    }

    /// The same in this country. It is not plain behind which one of two numbers the digits of a desk belong.
    fn extended_in(
        &self,
        country: Option<CallingCode>,
        row: &Row,
        column: u32,
        text: &str,
    ) -> Option<String> {
        let part = self.columns.parts(column).find(|part| part.field == "phone")?;
        let has_two = || row.cell(column).is_some_and(|cell| self.several(column, row.text(cell)).is_some());
        if part.joint == DIRECT && has_two() {
            return None;
        }
        extended(text, row.text(row.cell(part.column)?), part.joint, country)
    }

    /// The extension from another column belongs to the number of a cell in one country, and not in others: nobody chose one.
    fn awaits_country(&self, row: &Row, cell: &Cell) -> bool {
        let text = self.taken(row, cell);
        !self.has_country()
            && lacks_code(text)
            && self.extended_in(CallingCode::of(AUSTRIA), row, cell.column, text).is_some()
    }

    /// The name of the picture, made of the fields of its kind, unless the row has a name. The text of a network has its password; its name is
    /// what people know.
    fn title(&self, row: &Row) -> String {
        let has_name = !self.composed[Role::Filename as usize].is_empty();
        let (Some(Source::Kind { kind, columns, .. }), false) = (self.columns.data(), has_name) else {
            return String::new();
        };
        let text = |column: u32| match row.cell(column) {
            _ if self.columns.holds_purposes(column) => self.lines_of_purpose(row, column).into(),
            Some(cell) if self.columns.holds_goods(column) => self.number_of_goods(row.text(cell)).into(),
            Some(cell) => self.with_parts(row, column, row.text(cell)),
            None => "".into(),
        };
        let mut values: Vec<Cow<'_, str>> =
            columns.iter().map(|column| column.map_or("".into(), text)).collect();
        self.refine(row, Contact { kind: *kind, columns, values: &mut values }, "");
        let values: Vec<&str> = values.iter().map(AsRef::as_ref).collect();
        kind.title(&values).chars().take(TITLE_CHARACTERS).collect()
    }

    /// The number of a contact is an extension, as it seems.
    fn is_desk_number(&self, row: &Row, cell: &Cell) -> bool {
        self.columns.are_of_contacts()
            && self.columns.telephone(cell.column).is_some()
            && is_desk_number(self.taken(row, cell))
            && !self.has_placeholder(row, cell)
    }

    /// Notes what the person should know of the cells that a member comes from.
    fn note_cells(&mut self, role: Role, row: &Row) {
        let columns = self.columns.source(role).into_iter().flat_map(Source::columns);
        let cells = columns.filter(|column| !self.columns.takes_number(*column));
        let code = self.code_of(row);
        for cell in cells.filter_map(|column| row.cell(column)) {
            let (column, text) = (cell.column, row.text(cell));
            let is_telephone = self.columns.telephone(column).is_some();
            self.notices.note_cell(role, row, cell, text);
            if role == Role::Data {
                self.notices.note_spaces(row, cell, &self.columns);
            }
            let is_phrase =
                || self.columns.holds_passwords(column) && text.trim().contains(char::is_whitespace);
            if role == Role::Data && is_phrase() && !self.has_no_password(row, cell) {
                self.notices.note_phrase(row, cell);
            }
            let is_taken_whole = || {
                self.second_number(row).is_some_and(|(second, _, rest)| second == column && rest.is_empty())
            };
            if self.several(column, text).is_some() && !is_taken_whole() {
                self.notices.note_several(row, cell);
            }
            if self.columns.is_of_messenger(column, text) {
                self.notices.note_messenger(row, cell);
            } else if is_telephone && has_letters(self.taken(row, cell)) {
                self.notices.note_letters(row, cell);
            }
            if self.leaves_desk(row, cell) {
                if role == Role::Data {
                    self.notices.note_desk_alone(row, cell);
                }
            } else if self.is_desk_number(row, cell) {
                self.notices.note_desk(row, cell);
            }
            if is_telephone && code.is_some_and(|code| code.is_of_service(self.taken(row, cell))) {
                self.notices.note_service(row, cell);
            }
            if is_telephone && code.is_none() && lacks_start(self.taken(row, cell)) {
                self.notices.note_startless(row, cell);
            } else if role == Role::Data
                && is_telephone
                && code.is_none()
                && lacks_code(self.taken(row, cell))
            {
                self.notices.note_national(row, cell, self.taken(row, cell));
            }
            if self.columns.holds_websites(column) && with_scheme(self.taken(row, cell)).is_some() {
                self.notices.note_website(row, cell);
            }
            if role == Role::Data
                && self.columns.holds_names(column)
                && let Some((salutation, _)) = salutation_in(text, self.columns.word_of_names().as_deref())
            {
                self.notices.note_salutation(row, cell, salutation);
            }
            if role == Role::Data && self.gets_zeros(row, cell) {
                self.notices.note_zeros_in_front(row, cell);
            }
            if role == Role::Data && self.request.mends_check_digits && self.has_wrong_check_digit(row, cell)
            {
                self.notices.note_check_digit(row, cell);
            }
            // Links and texts have a warning of their own.
            if role == Role::Data && self.columns.make_fields() && self.has_placeholder(row, cell) {
                self.notices.note_placeholder(row, cell, self.columns.may_be_empty(column));
            }
        }
    }

    /// The row has an amount or a start time. The start of an event may have the time.
    fn has_usual(&self, row: &Row) -> bool {
        let has_time = || !is_event_of_whole_days(&self.composed[Role::Data as usize]);
        self.columns.of_usual.is_some_and(|column| row.cell(column).is_some())
            || (self.columns.make_events() && has_time())
    }

    /// A column says that the row's event is of whole days, or that it is not. None: it says neither.
    pub(crate) fn whole_days(&self, row: &Row) -> Option<bool> {
        let mark = row.text(row.cell(self.columns.of_whole_days?)?);
        if says_whole_day(mark) { Some(true) } else { Some(opposite(mark)? == "no") }
    }

    /// The column of the start of an event that starts at midnight and has no end. Nobody typed that time into a column of its own.
    fn start_at_midnight(&self, row: &Row) -> Option<u32> {
        let has_time = self.columns.of_usual.is_some_and(|column| row.cell(column).is_some());
        let is_at_midnight = is_event_at_midnight(&self.composed[Role::Data as usize]);
        let is_asked = is_at_midnight && !has_time && self.whole_days(row) != Some(false);
        self.columns.of_starts().filter(|_| is_asked)
    }

    /// The column of the end of an event of whole days, if it is at midnight. `true`: the end was taken for the first moment behind the event;
    /// `false`: for its last day.
    fn end_at_midnight(&self, row: &Row) -> Option<(u32, bool)> {
        let data = &self.composed[Role::Data as usize];
        let column = self.columns.of_ends().filter(|_| is_event_of_whole_days(data))?;
        let end = self.value(row, Role::Data, column, ValueForm::Moment).ok()?;
        if is_last_day_at_midnight(data, &end) {
            return Some((column, false));
        }
        let has_start_time = || self.columns.of_usual.is_some_and(|column| row.cell(column).is_some());
        let is_unsure = !self.columns.are_of_calendar && !has_start_time();
        (is_unsure && is_midnight_behind_last_day(data, &end)).then_some((column, true))
    }

    /// The times of an event of several days may be those of each day: no cell has a time with its day.
    fn has_times_of_days(&self, row: &Row) -> bool {
        let [start_time, end, end_time] = self.columns.beside_starts();
        let has = |column: Option<u32>| column.is_some_and(|column| row.cell(column).is_some());
        let is_day =
            |column| self.value(row, Role::Data, column, ValueForm::Moment).is_ok_and(|end| is_day(&end));
        may_be_daily(&self.composed[Role::Data as usize])
            && has(start_time)
            && (has(end_time) || !has(end) || end.is_some_and(is_day))
    }

    /// Writes the line of a row that has nothing wrong.
    pub(crate) fn write_item(&mut self, row: &Row) -> Result<(), Halt> {
        self.body.skip_to(row.number.saturating_add_signed(1 - self.header_row.unwrap_or(1)))?;
        self.note_purpose(row);
        self.note_text_beside(row);
        self.note_payee(row);
        self.note_country(row);
        self.note_other_country(row);
        for role in Role::ALL {
            self.note_cells(role, row);
        }
        let title = self.title(row);
        self.look_for_names(row, &title);
        let mut members: [Option<(&'static str, &str)>; 4] = Default::default();
        if !title.is_empty() {
            self.notices.note_member(Role::Filename, row, &title);
            members[Role::Filename as usize] = Some((Role::Filename.as_str(), &title));
        }
        for (index, (role, member)) in Role::ALL.into_iter().zip(&mut members).enumerate() {
            if self.columns.source(role).is_none() {
                continue;
            }
            let text = self.composed[index].as_str();
            if !text.is_empty() {
                self.notices.note_member(role, row, text);
                *member = Some((role.as_str(), text));
            }
        }
        let is_note = |cell: &&Cell| self.columns.field(cell.column) == Some("note") && self.takes(row, cell);
        if self.columns.are_of_contacts()
            && let Some(cell) = row.cells.iter().find(is_note)
        {
            self.notices.note_remark(row, cell);
        }
        if let Some(cell) = self.columns.of_titles().and_then(|column| row.cell(column)) {
            let title = row.text(cell);
            self.columns.note_title(title);
            let is_job = self.columns.field(cell.column).is_some() && !names_salutation(title);
            if !is_job && degree_in(title).is_none() {
                self.notices.note_title(row, cell);
            }
        }
        if let Some((column, cell)) =
            self.columns.of_extensions().and_then(|(column, part)| Some((column, row.cell(part)?)))
            && row.cell(column).is_none_or(|number| {
                !self.leaves_desk(row, number) && self.extended(row, column, row.text(number)).is_none()
            })
        {
            let awaits = row.cell(column).is_some_and(|number| self.awaits_country(row, number));
            self.notices.note_extension(row, cell, awaits);
        }
        // Sheets show 0:00 where people typed a day: it says nothing of the time.
        let at_midnight = self.start_at_midnight(row).filter(|_| self.columns.make_events());
        match at_midnight {
            Some(start) => self.notices.note_start_at_midnight(row.number, start),
            None => self.notices.note_usual(row.number, self.has_usual(row)),
        }
        if self.columns.make_events() {
            let mark = self.columns.of_whole_days.and_then(|column| row.cell(column));
            if let Some(cell) = mark {
                match self.whole_days(row) {
                    Some(true) if !is_event_of_whole_days(&self.composed[Role::Data as usize]) => {
                        self.notices.note_mark_with_time(row.number, cell.column);
                    }
                    None if !is_placeholder(row.text(cell)) => self.notices.note_other_mark(),
                    _ => {}
                }
            }
            if self.has_times_of_days(row) {
                self.notices.note_times_of_days(row.number, &self.composed[Role::Data as usize]);
            }
            match self.end_at_midnight(row) {
                Some((end, false)) => self.notices.note_last_day(row.number, end),
                Some((end, true)) => self.notices.note_exclusive_end(row.number, end),
                None => {}
            }
        }
        self.body.item(members.iter().flatten().copied())?;
        self.report.items += 1;
        if self.body.bytes > self.request.limits.max_bytes {
            return Err(Halt::refuse(Fault::LargeBody(self.request.limits.max_bytes / 1_000_000)));
        }
        Ok(())
    }
}

/// The number has neither a plus nor a 0 at its start.
fn lacks_start(number: &str) -> bool {
    let digits = number.trim_start_matches(|sign: char| !sign.is_ascii_digit());
    is_national_number(number) && !digits.starts_with('0')
}

/// The website as a link, where it is written without `https://`: `www.example.org`.
fn with_scheme(text: &str) -> Option<String> {
    let text = text.trim();
    let host = text.split(['/', '?', '#']).next().unwrap_or_default();
    let is_host = host.split('.').count() > 1 && host.split('.').all(|label| !label.is_empty());
    let is_written = |character: char| character.is_alphanumeric() || ".-".contains(character);
    (is_host && host.chars().all(is_written)).then(|| format!("https://{text}"))
}
