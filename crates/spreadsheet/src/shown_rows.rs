//! The first rows of a sheet, which are shown before a job is made, and what they tell of the columns.

use qrpress_kinds::{Kind, ValueForm, is_amount, is_pair_of_degrees, is_placeholder, opposite};

use crate::columns::{Columns, shortened};
use crate::composition::{Composition, Source};
use crate::fault::Fault;
use crate::fields::may_mark_networks;
use crate::moments::{ends_in_date, is_date, is_time_of_day, names_duration, time, times_of_empty_clocks};
use crate::names::{
    is_bare_link, is_canonical, is_file_link, is_link, is_mail_address, is_web_link, role_of,
    without_angle_brackets,
};
use crate::proposal::proposal;
use crate::report::FirstRow;
use crate::role::{ColumnChoice, Role};
use crate::row::{Cell, Row};
use crate::table::{FIRST_ROWS, Table};

/// The field of mails for the address of their receiver.
const RECEIVER: &str = "to";

/// The field of places for latitude and longitude in one cell.
const COORDINATES: &str = "coordinates";

/// Fields of events for times.
const TIMES: [&str; 3] = ["startTime", "end", "endTime"];

/// Characters of a cell that are shown.
const CELL_CHARACTERS: usize = 120;

/// Bytes of all cells that are shown.
const FIRST_BYTES: usize = 100_000;

impl Table<'_> {
    /// Keeps the beginnings of a row's cells, for people to look at.
    pub(crate) fn show(&mut self, row: &Row) {
        if self.report.first_rows.len() == FIRST_ROWS {
            return;
        }
        self.look_for_links(row);
        self.look_for_dates(row);
        self.look_at_payment(row);
        self.look_for_field(row);
        self.look_for_free(row);
        self.look_for_words(row);
        self.look_for_marks(row);
        self.look_for_kind(row);
        if let Some(proposal) = &self.report.proposal {
            let column =
                |name| proposal.fields.iter().find(|(field, _)| *field == name).map(|(_, column)| *column);
            let [day, time] = ["start", "startTime"].map(column);
            let has_cell = |column: Option<u32>| column.is_some_and(|column| row.cell(column).is_some());
            self.shown.has_day |= has_cell(day);
            // A programme has each day once.
            let takes_day = self.shown.has_day && has_cell(time);
            let is_whole =
                proposal.is_whole(|column| row.cell(column).is_some() || (takes_day && Some(column) == day));
            self.shown.whole += usize::from(is_whole);
        }
        let mut cells: Vec<String> = Vec::new();
        for cell in &row.cells {
            let text = shortened(self.taken(row, cell), CELL_CHARACTERS);
            self.shown.bytes += text.len();
            if self.shown.bytes > FIRST_BYTES {
                break;
            }
            cells.resize(cell.column as usize, String::new());
            cells.push(text);
        }
        self.report.first_rows.push(FirstRow { row: row.number, cells });
    }

    /// Looks which columns hold links, and which one the codes may have, where no name says it: pages go before pictures.
    fn look_for_links(&mut self, row: &Row) {
        let width = self.columns.all.len();
        for cell in row.cells.iter().filter(|cell| (cell.column as usize) < width) {
            let text = row.address(cell).unwrap_or_else(|| row.text(cell));
            let text = without_angle_brackets(text).unwrap_or(text);
            let [are_links, are_pages] = self.shown.of_links.entry(cell.column).or_insert([true; 2]);
            *are_links &= is_web_link(text) || is_bare_link(text);
            *are_pages &= *are_links && !is_file_link(text);
        }
        if !matches!(self.columns.unclear, Some(Fault::NoHeader | Fault::NoDataColumn(_))) {
            return;
        }
        let page = self.columns_of_pages().next();
        let link = || self.shown.of_links.iter().find(|(_, [are_links, _])| *are_links);
        self.report.links_column = page.or_else(|| link().map(|(column, _)| *column));
        if self.report.links_column.is_some() {
            // The telephone number belongs to the page, as in a list of firms.
            self.report.proposal.take_if(|proposal| proposal.kind == Kind::Phone);
        }
    }

    /// The field whose column the cells may tell, where no name does and nobody chose it.
    fn sought(&self) -> Option<&'static str> {
        const PLACE: [&str; 3] = ["latitude", "longitude", COORDINATES];

        let (fields, target): (&[&str], _) = match self.columns.unclear {
            Some(Fault::NoFieldColumn { kind: Kind::Email, field: RECEIVER, .. }) => (&[RECEIVER], RECEIVER),
            Some(Fault::NoFieldColumn { kind: Kind::Geo, field: "latitude", .. }) => (&PLACE, COORDINATES),
            _ => return None,
        };
        // The studio names the fields that nobody has answered.
        let is_of_person = |(field, choice): &(String, ColumnChoice)| {
            fields.contains(&field.as_str()) && *choice != ColumnChoice::Recognised
        };
        let is_chosen = |composition: &Composition| matches!(composition, Composition::Kind { fields: chosen, .. } if chosen.iter().any(is_of_person));
        let is_free = !self.request.composed.iter().any(|(_, composition)| is_chosen(composition));
        is_free.then_some(target)
    }

    /// Looks which columns hold nothing but values of such a field.
    fn look_for_field(&mut self, row: &Row) {
        let Some(field) = self.sought() else { return };
        let is_one = if field == RECEIVER { is_mail_address } else { is_pair_of_degrees };
        for cell in &row.cells {
            *self.shown.told_by_cells.entry(cell.column).or_insert(true) &= is_one(row.text(cell));
        }
    }

    /// The field, and the one column that has it.
    pub(crate) fn told_by_cells(&self) -> Option<(&'static str, u32)> {
        let field = self.sought()?;
        let mut all = self.shown.told_by_cells.iter().filter(|(_, are_values)| **are_values);
        let (column, _) = all.next()?;
        all.next().is_none().then_some((field, *column))
    }

    /// Columns with nothing but links to pages.
    fn columns_of_pages(&self) -> impl Iterator<Item = u32> {
        let of_pages = self.shown.of_links.iter().filter(|(_, [_, are_pages])| *are_pages);
        of_pages.map(|(column, _)| *column)
    }

    /// The column of the data has nothing but links.
    pub(crate) fn data_are_links(&self) -> bool {
        let Some(Source::Column(data)) = self.columns.data() else { return false };
        self.shown.of_links.get(data).is_some_and(|[are_links, _]| *are_links)
    }

    /// A sentence about other columns of links than the one that the codes have: nobody chose it, and it is not called as the item's
    /// member is.
    pub(crate) fn other_links(&self) -> Option<String> {
        let Some(Source::Column(data)) = self.columns.data() else { return None };
        let name = &self.columns.all[*data as usize].name;
        // A column of no known name may have been found by its links.
        let is_chosen = |(role, choice): &(Role, ColumnChoice)| {
            *role == Role::Data && !(matches!(choice, ColumnChoice::At(_)) && role_of(name).is_none())
        };
        if self.request.columns.iter().any(is_chosen)
            || is_canonical(name, Role::Data)
            || !self.columns_of_pages().any(|column| column == *data)
        {
            return None;
        }
        let title = |column: u32| self.columns.all[column as usize].title();
        let others = self.columns_of_pages().filter(|column| !self.columns.is_used(*column));
        let others: Vec<String> = others.map(title).collect();
        let (last, first) = others.split_last()?;
        let hold = match first {
            [] => format!("Column {last} holds"),
            _ => format!("Columns {} and {last} hold", first.join(", ")),
        };
        Some(format!("{hold} links, too; the codes have those of column {}.", title(*data)))
    }

    /// Looks what a column called `Data` holds, which nobody chose for the codes. The sheet has others.
    fn look_for_dates(&mut self, row: &Row) {
        for (position, cell) in
            self.shown.may_be_dates.iter().filter_map(|position| Some((*position, row.cell(*position)?)))
        {
            let text = row.text(cell).trim();
            let is_date = match &cell.number {
                Some(number) => number.value(ValueForm::Moment).is_ok(),
                None => is_date(text) || ends_in_date(text),
            };
            let has_link = row.address(cell).is_some() || is_link(text);
            self.shown.of_dates.entry(position).or_default().add(is_date, has_link, is_placeholder(text));
        }
    }

    /// Looks which columns beside networks say yes or no.
    fn look_for_marks(&mut self, row: &Row) {
        if self.columns.make_networks() {
            for cell in &row.cells {
                *self.shown.marks.entry(cell.column).or_insert(true) &= opposite(row.text(cell)).is_some();
            }
        }
    }

    /// The free columns that say yes or no of networks, by their names, where `resolve` finds the networks without them.
    pub(crate) fn networks_of_marks(&self, resolve: impl FnOnce(&[u32]) -> Columns) -> Vec<u32> {
        let name = |column: &u32| self.columns.all.get(*column as usize).map(|column| column.name.as_str());
        let marks = self.shown.marks.iter().filter(|(_, are_marks)| **are_marks).map(|(column, _)| *column);
        let marks: Vec<u32> = marks.filter(|column| name(column).is_some_and(may_mark_networks)).collect();
        if !marks.is_empty() && resolve(&marks).unclear.is_none() { marks } else { Vec::new() }
    }

    /// Looks which columns that are called as times hold none, beside columns of starts and ends in one zone.
    fn look_for_words(&mut self, row: &Row) {
        let columns = &self.columns;
        let is_of_times = |column| columns.field(column).is_some_and(|field| TIMES.contains(&field));
        if !columns.make_events() || !columns.have_times_of_zone() {
            return;
        }
        for cell in row.cells.iter().filter(|cell| is_of_times(cell.column)) {
            let text = row.text(cell);
            if !is_placeholder(text) {
                let is_number = cell.number.is_some() || text.trim().parse::<f64>().is_ok();
                let is_word = !is_number && !is_time_of_day(text) && !is_date(text);
                *self.shown.words.entry(cell.column).or_insert(true) &= is_word;
            }
        }
    }

    /// The columns that are called as times and hold none.
    pub(crate) fn times_of_words(&self) -> impl Iterator<Item = u32> {
        self.shown.words.iter().filter(|(_, are_words)| **are_words).map(|(column, _)| *column)
    }

    /// The columns of times by clocks that the first rows leave empty, where `resolve` knows the start of events without them.
    pub(crate) fn times_of_no_rows(&self, resolve: impl FnOnce(&[u32]) -> Columns) -> Vec<u32> {
        let rows = &self.report.first_rows;
        if !self.columns.make_events() || !self.columns.asked.contains(&"startTime") || rows.is_empty() {
            return Vec::new();
        }
        let names: Vec<&str> = self.columns.all.iter().map(|column| column.name.as_str()).collect();
        let has_cell =
            |row: &FirstRow, column: usize| row.cells.get(column).is_some_and(|cell| !cell.trim().is_empty());
        let empty = times_of_empty_clocks(&names, |column| !rows.iter().any(|row| has_cell(row, column)));
        if !empty.is_empty() && resolve(&empty).unclear.is_none() { empty } else { Vec::new() }
    }

    /// Looks which columns hold times that events do not take, or amounts that payments do not take.
    fn look_for_free(&mut self, row: &Row) {
        let are_events = self.columns.make_events();
        if !are_events && !self.columns.make_payments() {
            return;
        }
        let width = self.columns.all.len();
        let is_free = |cell: &&Cell| {
            (cell.column as usize) < width
                && !self.columns.is_used(cell.column)
                && !is_placeholder(row.text(cell))
                && !names_duration(&self.columns.all[cell.column as usize].name)
        };
        for cell in row.cells.iter().filter(is_free) {
            self.notices.note_free(cell.column, || {
                if !are_events {
                    return is_sum(row.text(cell)).then_some(false);
                }
                let moment = cell.number.as_ref().and_then(|number| number.value(ValueForm::Moment).ok());
                let text = moment.as_deref().unwrap_or(row.text(cell)).trim();
                time(text).or_else(|| is_date(text).then_some(false))
            });
        }
    }

    /// The choice for the data where a column called so holds dates: the other column that could hold it, or none.
    pub(crate) fn data_beside_dates(&self) -> Option<ColumnChoice> {
        let names: Vec<&str> = self.columns.all.iter().map(|column| column.name.as_str()).collect();
        let are_events = || proposal(&names, true).is_some_and(|proposal| proposal.kind == Kind::Event);
        let holds_dates =
            |column: u32| self.shown.of_dates.get(&column).is_some_and(|found| found.are_dates(are_events));
        match (self.columns.data(), self.columns.rivals_of_data()) {
            (_, Some([first, second])) if holds_dates(first) != holds_dates(second) => {
                Some(ColumnChoice::At(if holds_dates(first) { second } else { first }))
            }
            (Some(Source::Column(data)), _) if holds_dates(*data) => Some(ColumnChoice::Nothing),
            _ => None,
        }
    }
}

/// The text is a number with two decimals or the sign of a currency.
fn is_sum(text: &str) -> bool {
    let is_decimal =
        |(_, cents): (&str, &str)| cents.len() == 2 && cents.bytes().all(|byte| byte.is_ascii_digit());
    is_amount(text)
        && (text.contains(['€', '$', '£']) || text.trim().rsplit_once([',', '.']).is_some_and(is_decimal))
}
