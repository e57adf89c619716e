//! The rows of a sheet as items: finds the header, takes the cells that are used, and writes the job's body.

use std::collections::BTreeMap;
use std::mem;

use encoding_rs::UTF_8;
use qrpress_kinds::{ContactCount, Kind};

use crate::body::Body;
use crate::bounds::{COLUMNS, ROW_BYTES};
use crate::columns::{Columns, shortened};
use crate::composition::Composition;
use crate::contents::Contents;
use crate::days::Days;
use crate::error::{Halt, SpreadsheetError};
use crate::fault::Fault;
use crate::first_item::{columns_with_words_above, is_item, is_surely_item, may_be_item};
use crate::header::{self, Candidate, Header};
use crate::merging::Merging;
use crate::moments::CellsOfDates;
use crate::name_sample::NameSample;
use crate::notices::Notices;
use crate::problem::{Problem, Problems};
use crate::proposal::{currency_of_payments, proposal};
use crate::report::{Found, Heading, Report};
use crate::role::{ColumnChoice, Role};
use crate::row::{Cell, Row, RowSink};
use crate::totals::{Above, Below, TOTAL_COLUMNS};
use crate::typed_day::{OneDay, TimesAlone};
use crate::xlsx::{Area, nodes};
use crate::{ReadRequest, SheetLayout};

/// Rows that are shown before a job is made.
pub(crate) const FIRST_ROWS: usize = 5;

/// Columns without a name that may be chosen, beside the last one with a name.
const MOST_UNNAMED: u32 = 50;
/// Characters of a cell that are kept with its problem.
const VALUE_CHARACTERS: usize = 200;

/// Findings of the rows that are shown.
#[derive(Default)]
pub(crate) struct ShownRows {
    /// Bytes of the cells that are shown.
    pub bytes: usize,
    /// Columns with cells: whether all are links, and those of pages.
    pub of_links: BTreeMap<u32, [bool; 2]>,
    /// Columns that may hold dates or the data.
    pub may_be_dates: Vec<u32>,
    /// Those of them with cells, and what these are.
    pub of_dates: BTreeMap<u32, CellsOfDates>,
    /// Rows that have what codes of the proposed kind need.
    pub whole: usize,
    /// A row has a day of the proposed events.
    pub has_day: bool,
    /// Columns of the payees of payments, and of those that may be: all their cells are numbers.
    pub payees: BTreeMap<u32, bool>,
    /// Columns with cells that nothing of payments takes: whether all are codes of currencies, and one is no euro.
    pub currencies: BTreeMap<u32, [bool; 2]>,
    /// Columns of mails without one for their receivers: all their cells are addresses of mails. Of places, they are latitudes with longitudes.
    pub told_by_cells: BTreeMap<u32, bool>,
    /// Columns of times of events beside those of one zone: none of their cells is a time.
    pub words: BTreeMap<u32, bool>,
    /// Columns of sheets of networks: all their cells say yes or no.
    pub marks: BTreeMap<u32, bool>,
}

/// A sheet on its way to a body.
pub(crate) struct Table<'r> {
    pub(crate) request: &'r ReadRequest<'r>,
    /// The findings of an earlier reading.
    pub(crate) found: &'r Found,
    pub(crate) body: Body,
    pub(crate) report: Report,
    problems: Problems,
    /// Problems of rows that are left out.
    row_problems: u64,
    pub(crate) columns: Columns,
    /// Columns that the first rows fill.
    width: u32,
    /// The row of the header; one before the first row where there is none.
    pub(crate) header_row: Option<i64>,
    /// The last row that shows something.
    last_row: u64,
    /// Rows among which the header is still looked for.
    waiting: Vec<Row>,
    pub(crate) shown: ShownRows,
    pub(crate) days: Days,
    pub(crate) candidates: Vec<Candidate>,
    /// The rows that name the columns together, as far as merged cells show.
    pub(crate) heading: Option<Heading>,
    pub(crate) layout: SheetLayout,
    /// Every line of the file is a cell as it stands.
    pub(crate) is_lines: bool,
    pub(crate) is_csv: bool,
    has_unread_sheets: bool,
    /// The column of a proposal whose first values tell whether it is right.
    doubtful: Option<u32>,
    /// Contacts with and without a way to reach them.
    pub(crate) contacts: ContactCount,
    /// The first rows of contacts with nothing but a name, and of those whose name is none.
    pub(crate) name_places: [Vec<u64>; 2],
    /// The payments of the rows so far.
    pub(crate) above: Above,
    /// The notes that stand below the rows so far.
    pub(crate) below: Below,
    /// The events of the rows so far, where their day was typed, and their times, where it was not.
    pub(crate) one_day: Option<OneDay>,
    pub(crate) times_alone: TimesAlone,
    pub(crate) merging: Merging,
    pub(crate) contents: Contents,
    pub(crate) notices: Notices,
    pub(crate) sample: NameSample,
    /// The members of a row that are put together, in the order of `Role::ALL`.
    pub(crate) composed: [String; 4],
}

impl<'r> Table<'r> {
    /// Opens the body, and writes its first line. An earlier reading has `found` this.
    pub fn open(request: &'r ReadRequest<'r>, found: &'r Found) -> Result<Self, SpreadsheetError> {
        Ok(Self {
            request,
            found,
            body: Body::open(request)?,
            report: Report::default(),
            problems: Problems::default(),
            row_problems: 0,
            columns: Columns::default(),
            width: 0,
            header_row: None,
            last_row: 0,
            waiting: Vec::new(),
            shown: ShownRows::default(),
            days: Days::default(),
            candidates: Vec::new(),
            heading: None,
            layout: request.layout,
            is_lines: false,
            is_csv: true,
            has_unread_sheets: false,
            doubtful: None,
            contacts: ContactCount::default(),
            name_places: Default::default(),
            above: Above::default(),
            below: Below::default(),
            one_day: None,
            times_alone: TimesAlone::default(),
            merging: Merging::default(),
            contents: Contents::default(),
            notices: Notices::new(request.limits.max_archive_name_characters),
            sample: NameSample::default(),
            composed: Default::default(),
        })
    }

    /// The rows come from this sheet of a workbook. Its first sheets, so many, are visible.
    pub fn set_sheet(&mut self, name: Option<String>, sheets: Vec<String>, visible: usize) {
        self.is_csv = false;
        self.report.sheet = name;
        self.report.sheets = sheets;
        self.report.visible_sheets = visible;
    }

    /// The first rows of a workbook's sheet fill so many columns.
    pub fn set_width(&mut self, width: u32) {
        self.width = width;
    }

    /// The rows of a text file have several cells.
    pub fn set_separated(&mut self, is_separated: bool) {
        if is_separated && self.layout == SheetLayout::Lines {
            self.layout = SheetLayout::Header;
        }
    }

    /// Every line is what a code says.
    pub fn expect_lines(&mut self) {
        self.layout = SheetLayout::NoHeader;
        self.is_lines = true;
    }

    /// The file is read in an encoding that it does not name, and that may be another one where it `is_doubtful`.
    pub fn note_encoding(&mut self, name: &'static str, is_doubtful: bool) {
        self.report.encoding = Some(name);
        self.notices.note_encoding(name, is_doubtful);
    }

    /// The workbook has other sheets, which nobody named.
    pub fn note_other_sheets(&mut self) {
        self.has_unread_sheets = true;
    }

    /// The first sheets whose columns have what the codes need.
    pub fn set_fitting_sheets(&mut self, names: Vec<String>) {
        self.report.fitting_sheets = names;
    }

    /// Adds a problem.
    pub fn add_problem(&mut self, problem: Problem) {
        if let Fault::ForeignEncoding(name) = problem.fault {
            self.report.encoding = Some(name);
        }
        self.problems.add(self.request.limits.max_problems, problem);
    }

    /// Keeps the texts of the cells that the problems of a row are about: those that are listed behind the first `before`.
    fn keep_values(&mut self, row: &Row, before: usize) {
        for problem in self.problems.listed.iter_mut().skip(before) {
            let cell = problem.column.and_then(|column| row.cell(column));
            problem.value = cell.map_or_else(String::new, |cell| shortened(row.text(cell), VALUE_CHARACTERS));
        }
    }

    /// Ends the body, and says what was found.
    pub fn finish(mut self) -> Result<Report, SpreadsheetError> {
        match self.end_rows() {
            Ok(()) => self.report.found = self.found(),
            Err(Halt::Enough) => {}
            Err(Halt::Refused(problem)) => self.add_problem(problem),
            Err(Halt::Failed(error)) => return Err(error),
        }
        self.body.flush()?;
        self.settle_names_alone();
        self.settle_notes_below();
        self.settle_places();
        self.report.asks_for_day = self.report.items == 0 && self.times_alone.lack_day();
        if 2 * self.shown.whole < self.report.first_rows.len() {
            self.report.proposal = None;
        }
        let has_cell = |column: u32| {
            let cells = self.report.first_rows.iter().filter_map(|row| row.cells.get(column as usize));
            cells.into_iter().any(|cell| !cell.is_empty())
        };
        let has_links = self.data_are_links();
        let lacks_proof = self.doubtful.is_some_and(has_cell);
        self.report.proposal.take_if(|proposal| lacks_proof && proposal.needs_proof());
        // A column called `Inhalt` may hold links.
        self.report.proposal.take_if(|proposal| proposal.kind == Kind::DigitalLink && has_links);
        self.report.likely_kind = self.likely_kind();
        if self.problems.count == 0 && self.report.items == 0 && self.columns.unclear.is_none() {
            let fault = match &self.report.sheet {
                _ if self.header_row.is_some() => Fault::NoRows,
                Some(sheet) => Fault::EmptySheet(sheet.clone()),
                None => Fault::NothingInFile,
            };
            self.add_problem(Problem::of_file(fault));
        }
        let is_utf8 = self.report.encoding == Some(UTF_8.name());
        let seems_encoded_twice = is_utf8 && !self.request.encoded_twice && self.notices.has_encoded_twice();
        if self.problems.count > self.row_problems {
            self.report.faulty_rows = 0;
            self.report.notices.extend(self.no_header().into_iter().chain(self.no_payments()));
        } else {
            let unread = self.has_unread_sheets.then(|| self.report.only_sheet().trim_start().to_owned());
            self.report.asks_for_encoding =
                self.request.encoding.is_none() && (self.notices.has_other_letters() || seems_encoded_twice);
            self.report.ambiguous_dates = self.notices.ambiguous_dates();
            self.report.date_order = self.notices.date_order();
            self.report.asks_for_dates = self.request.dates.is_none() && self.report.ambiguous_dates > 0;
            self.report.asks_for_country =
                !self.has_country() && self.report.national_numbers > 0 && self.columns.need_country();
            self.report.country_column = self.column_of_countries();
            let countries = (self.country(), self.report.country_column);
            let sentences = self.notices.sentences(&self.columns, countries, is_utf8);
            let unused = self.notices.unused_columns(&self.columns);
            // Codes that are links have nothing to do with the other columns.
            let (left_out, unused) = if self.columns.make_fields() { (unused, None) } else { (None, unused) };
            self.report.unused_columns = unused;
            self.report.rows_below = self.notices.rows_below();
            if let &[column] = self.notices.columns_of_times(&self.columns).as_slice() {
                self.report.times_column = Some(column);
            }
            let of_columns = left_out.into_iter().chain(self.other_links());
            let of_rows = unread.into_iter().chain(self.no_header());
            self.report.notices = of_rows.chain(of_columns).chain(sentences).collect();
        }
        if is_utf8 && !self.request.encoded_twice && !seems_encoded_twice {
            // Nobody has to choose.
            self.report.encoding = None;
        }
        let mut listed = mem::take(&mut self.problems.listed);
        listed.sort_by_key(|problem| (problem.row, problem.column));
        self.report.problems = listed;
        self.report.problem_count = self.problems.count;
        self.report.data_beside_dates = self.data_beside_dates();
        self.report.told_by_cells = self.told_by_cells();
        self.report.column_of_names = match (self.sample.column(), &self.report.merged_names) {
            (Some(column), _) => Some(ColumnChoice::At(column)),
            (None, Some(_)) => Some(ColumnChoice::Nothing),
            (None, None) => None,
        };
        self.report.rows_before_line_1 = self.header_row.unwrap_or(1) - 1;
        self.columns.settle_titles();
        self.report.columns = self.columns.all;
        Ok(self.report)
    }

    /// The sentence about payments that are not offered.
    fn no_payments(&self) -> Option<String> {
        let is_asked = matches!(self.columns.unclear, Some(Fault::NoDataColumn(_)));
        let names: Vec<&str> = self.columns.all.iter().map(|column| column.name.as_str()).collect();
        let currency = Some(names).filter(|_| is_asked).and_then(|names| currency_of_payments(&names))?;
        Some(format!("The amounts are in {currency}: payment codes are in euros."))
    }

    /// The sentence about a table whose first row was found to be an item.
    fn no_header(&self) -> Option<String> {
        let row = self.report.first_code?;
        Some(format!("No row names the columns: row {row} is the first code."))
    }

    /// Takes the rows that wait, if it is certain which one is the header.
    fn begin(&mut self, ended: bool) -> Result<(), Halt> {
        let index = match self.layout {
            SheetLayout::Header => match header::find(&self.candidates, ended) {
                Header::Searching => return Ok(()),
                Header::Named(index) => index,
                Header::Unnamed(index) => {
                    let first = header::first_of_items(&self.candidates);
                    let may_be_item = self.request.finds_header && may_be_item(&self.waiting[first]);
                    if may_be_item && !ended && !header::are_enough(&self.candidates) {
                        return Ok(());
                    }
                    if may_be_item && is_surely_item(&self.waiting[first], &self.waiting[first + 1..]) {
                        self.layout = SheetLayout::NoHeader;
                        self.report.first_code = Some(self.waiting[first].number);
                        first
                    } else {
                        index
                    }
                }
            },
            SheetLayout::NoHeader | SheetLayout::Lines => 0,
        };
        if !ended && !self.has_heading(&self.waiting) {
            return Ok(());
        }
        let mut waiting = mem::take(&mut self.waiting);
        let heading = self.heading(&waiting, index)?;
        let [top, bottom] = heading.as_ref().map_or([index; 2], |(_, places)| *places);
        if let (Some(first), Some(last)) = (waiting.first(), top.checked_sub(1)) {
            let has_header = self.layout == SheetLayout::Header;
            self.notices.note_titles(first.number, waiting[last].number, has_header);
        }
        let is_first = self.layout == SheetLayout::Header && bottom == 0;
        let is_item = is_first && is_item(&waiting[0], &waiting[1..]);
        let words = if is_first { columns_with_words_above(&waiting[0], &waiting[1..]) } else { None };
        self.take_header(heading.as_ref().map_or(&waiting[index], |(row, _)| row), is_item, words)?;
        for row in &mut waiting[bottom + 1..] {
            // The header was not known when these were read.
            let cells: Vec<&Cell> = row.cells.iter().filter(|cell| cell.fault.is_none()).collect();
            let is_header = cells.len() == self.columns.named()
                && cells.iter().all(|cell| self.is_in_header(cell.column, row.text(cell)));
            self.take(row, is_header)?;
        }
        Ok(())
    }

    /// Takes the row that names the columns, or the first one where none does. `is_item`: it looks like those below it. `words`: it
    /// may be an item, too, unless it names the data by one of these columns.
    fn take_header(&mut self, row: &Row, is_item: bool, words: Option<Vec<u32>>) -> Result<(), Halt> {
        let own = row.cells.last().map_or(0, |cell| cell.column + 1).max(row.width);
        // A note far to the right would make thousands of columns to choose from.
        let filled = if self.width <= own + MOST_UNNAMED { own.max(self.width) } else { own };
        let names = row.texts(filled);
        let request = ReadRequest { layout: self.layout, ..self.request.clone() };
        self.columns = Columns::resolve(&names, &request, &self.found.unnamed);
        self.columns.of_currencies = self.columns.of_currencies.or(self.found.currencies);
        let is_data = |role: &Role| *role == Role::Data;
        let is_chosen = self.request.columns.iter().any(|(role, _)| is_data(role))
            || self.request.composed.iter().any(|(role, _)| is_data(role));
        if !is_chosen && self.layout == SheetLayout::Header {
            self.shown.may_be_dates = self.columns.data_or_dates();
        }
        for cell in &row.cells {
            // A name that cannot be read matters in a workbook only where the columns are asked for.
            let matters = self.is_csv || self.columns.unclear.is_some();
            if let (Some(fault), SheetLayout::Header, true) = (&cell.fault, self.layout, matters) {
                self.add_problem(Problem::of_cell(row.number, cell.column, fault.clone()));
            }
        }
        let number = i64::try_from(row.number).unwrap_or(i64::MAX);
        let has_header = match self.layout {
            SheetLayout::Header => true,
            SheetLayout::NoHeader => false,
            SheetLayout::Lines => self.columns.data().is_some(),
        };
        self.header_row = Some(if has_header { number } else { number - 1 });
        if has_header && self.request.composed.iter().all(|(role, _)| *role != Role::Data) {
            let names: Vec<&str> = self.columns.all.iter().map(|column| column.name.as_str()).collect();
            self.report.proposal = proposal(&names, header::has_no_data(self.request));
            self.doubtful = self.report.proposal.as_ref().and_then(|proposal| proposal.doubtful(&names));
        }
        if is_item
            && self.report.proposal.is_none()
            && matches!(self.columns.unclear, Some(Fault::NoDataColumn(_)))
        {
            self.columns.unclear = Some(Fault::NoHeader);
        }
        // A column that is chosen by its name has one.
        let is_unnamed = words.is_some_and(|words| {
            self.columns.are_placed(self.request)
                && self
                    .columns
                    .data()
                    .is_some_and(|data| !data.columns().any(|column| words.contains(&column)))
        });
        let may_be_item = (is_item && self.has_chosen_data()) || is_unnamed;
        self.report.asks_for_header = may_be_item && self.columns.unclear.is_none();
        self.begin_names();
        self.begin_day();
        self.report.asked_fields.clone_from(&self.columns.asked);
        match &self.columns.unclear {
            Some(Fault::NoHeader) => {
                self.report.asks_for_header = true;
                self.report.asks_for_columns = true;
                self.add_problem(Problem::of_row(row.number, Fault::NoHeader));
                self.show(row);
            }
            Some(fault) => {
                self.report.asks_for_columns = true;
                if let Fault::NoFieldColumn { field, .. } = fault {
                    self.report.asks_for_field = Some(field);
                }
                self.add_problem(Problem::of_file(fault.clone()));
            }
            None => {}
        }
        if has_header { Ok(()) } else { self.take(row, false) }
    }

    /// A person chose the column of the data, or one of its kind: so the first row is taken for names, although nothing in it is one.
    fn has_chosen_data(&self) -> bool {
        let is_column =
            |choice: &ColumnChoice| matches!(choice, ColumnChoice::At(_) | ColumnChoice::Named(_));
        let of_kind = |composition: &Composition| matches!(composition, Composition::Kind { fields, .. } if fields.iter().any(|(_, choice)| is_column(choice)));
        self.request.columns.iter().any(|(role, choice)| *role == Role::Data && is_column(choice))
            || self.request.composed.iter().any(|(role, of)| *role == Role::Data && of_kind(of))
    }

    /// The findings that the next reading needs: recognised columns without a cell, or with numbers of payees, where others would be
    /// recognised in their places, and the column of currencies.
    fn found(&self) -> Found {
        if self.header_row.is_none() {
            return Found::default();
        }
        let names: Vec<String> = self.columns.all.iter().map(|column| column.name.clone()).collect();
        let request = ReadRequest { layout: self.layout, ..self.request.clone() };
        let resolve = |unnamed: &[u32]| Columns::resolve(&names, &request, unnamed);
        let numbers = self.payees_of_numbers(resolve);
        let marks = self.networks_of_marks(resolve);
        let times = self.times_of_no_rows(resolve);
        let is_empty = |column: &u32| !self.notices.is_filled(*column);
        let is_read = self.columns.unclear.is_none() && self.problems.count == self.row_problems;
        let empty = (0..names.len() as u32).filter(|column| is_read && is_empty(column));
        let certain = [&numbers, &marks, &times].iter().any(|columns| !columns.is_empty());
        let unnamed: Vec<u32> =
            empty.chain(numbers).chain(marks).chain(times).chain(self.times_of_words()).collect();
        let gains = || {
            let others = resolve(&unnamed);
            let is_new = |column: u32| others.is_used(column) && !self.columns.is_used(column);
            others.unclear.is_none() && (0..names.len() as u32).any(is_new)
        };
        let unnamed = if certain || (!unnamed.is_empty() && gains()) { unnamed } else { Vec::new() };
        let heading = self.found.heading.clone().or_else(|| self.heading.clone());
        let merged = self.merging.all.clone();
        let takes_countries = self.names_countries();
        let columns_of_days = self.one_day.iter().flat_map(|one| one.columns.of_days()).collect();
        let days = self.days.merged();
        let found = Found { takes_countries, days, merged, columns_of_days, ..Found::default() };
        Found { unnamed, currencies: self.currencies_by_cells(), heading, ..found }
    }

    /// The row has nothing but boxes that nobody has ticked, and not what an item needs.
    fn has_empty_boxes_alone(&self, row: &Row) -> bool {
        let is_empty_box = |cell: &Cell| cell.fault.is_none() && row.text(cell) == "FALSE";
        if self.is_csv || row.other.is_some() || !row.cells.iter().all(is_empty_box) {
            return false;
        }
        let has_cell = |column: u32| row.cells.iter().any(|cell| cell.column == column);
        !self.columns.data().is_some_and(|data| data.is_whole(has_cell))
    }

    /// Takes a row that should be an item, or repeats the header.
    fn take(&mut self, row: &Row, is_header: bool) -> Result<(), Halt> {
        if self.has_empty_boxes_alone(row) {
            return Ok(());
        }
        if let Some(cell) = self.doubtful.and_then(|column| row.cell(column)) {
            let value = row.moment_or_text(cell);
            let names: Vec<&str> = self.columns.all.iter().map(|column| column.name.as_str()).collect();
            let is_first = self.report.first_rows.is_empty();
            let told =
                self.report.proposal.as_ref().and_then(|proposal| proposal.takes(&names, &value, is_first));
            self.doubtful = self.doubtful.filter(|_| told.is_none());
            self.report.proposal.take_if(|_| told == Some(false));
        }
        self.show(row);
        self.look_for_day(row);
        if self.columns.unclear.is_some() {
            return if self.report.first_rows.len() == FIRST_ROWS { Err(Halt::Enough) } else { Ok(()) };
        }
        if is_header {
            self.add_problem(Problem::of_row(row.number, Fault::RepeatedHeader));
            self.report.faulty_rows += 1;
            self.row_problems += 1;
            self.forget_day();
            return Ok(());
        }
        if self.report.items >= self.request.limits.max_items {
            let fault = Fault::ManyItems(self.request.limits.max_items);
            return Err(Halt::Refused(Problem::of_row(row.number, fault)));
        }
        if row.hidden {
            self.notices.note_hidden(row.number);
        }
        let merged = self.with_merged_cells(row);
        let row = merged.as_ref().unwrap_or(row);
        self.look_for_days(row);
        let (whole, above) = self.with_day_above(row).unzip();
        let row = whole.as_ref().unwrap_or(row);
        let problems_before = self.problems.count;
        let listed_before = self.problems.listed.len();
        let cells_before = self.counted_cells().map(|count| *count);
        self.judge(row);
        if self.problems.count == problems_before {
            self.compose(row);
        }
        if self.problems.count == problems_before {
            self.judge_on_day(row);
        }
        if self.problems.count == problems_before {
            let is_judged = self.judge_placeholders(row);
            self.judge_total(row, self.problems.count > problems_before);
            if !is_judged && self.problems.count == problems_before {
                self.judge_below(row);
            }
        } else if self.is_of_totals(row) || self.is_note_alone(row) {
            // Nothing else is wrong with it.
            self.problems.take_back(problems_before, listed_before);
            self.take_cells_back(cells_before);
            self.judge_faulty_total(row);
            self.judge_note_alone(row);
        }
        if self.problems.count > problems_before {
            self.keep_values(row, listed_before);
            self.look_for_other_day(row);
            self.note_refused(row);
            if above.is_none() {
                self.forget_day();
            }
            self.report.faulty_rows += 1;
            self.row_problems += self.problems.count - problems_before;
            return Ok(());
        }
        self.write_item(row)?;
        self.keep_day(row, above);
        Ok(())
    }
}

impl RowSink for Table<'_> {
    fn wants(&self, column: u32) -> bool {
        self.header_row.is_none()
            || self.columns.is_used(column)
            || [self.columns.of_currencies, self.columns.of_countries].contains(&Some(column))
            || (self.request.country.is_some() && self.columns.of_countries_of_rows.contains(&column))
            || self.columns.account().is_some()
            || self.one_day.is_some()
            || self.times_alone.lack_day()
            || (self.is_csv && column as usize >= self.columns.all.len())
            // Until the column has shown that it is filled.
            || !self.notices.is_filled(column)
            || column < TOTAL_COLUMNS
            || self.report.first_rows.len() < FIRST_ROWS
            || self.sample.is_open()
    }

    fn row(&mut self, row: &Row) -> Result<(), Halt> {
        if row.is_empty() {
            return Ok(());
        }
        self.last_row = row.number;
        if self.header_row.is_some() {
            let is_header =
                row.header_cells().is_some_and(|cells| cells > 0 && cells == self.columns.named());
            return self.take(row, is_header);
        }
        self.candidates.push(Candidate::of(row, self.request));
        self.waiting.push(row.clone());
        let bytes: usize = self.waiting.iter().map(Row::len).sum();
        self.begin(bytes > ROW_BYTES)
    }

    fn is_in_header(&self, column: u32, text: &str) -> bool {
        let header = self.columns.all.get(column as usize).map(|column| column.name.as_str());
        header.is_some_and(|name| !name.is_empty() && name == text.trim())
    }

    fn most_nodes(&self) -> u64 {
        nodes(self.report.items)
    }

    fn skips_totals(&mut self, row: u64, first: u32, last: u32) -> bool {
        let is_ours = self.columns.has_data_between(first, last);
        if is_ours {
            self.notices.note_totals(row);
        }
        is_ours
    }

    /// Decides about rows that wait for the header.
    fn end_rows(&mut self) -> Result<(), Halt> {
        if self.waiting.is_empty() { Ok(()) } else { self.begin(true) }
    }

    /// Refuses merged cells where items lie: only the first one has a value, but all of them show it.
    fn merged(&mut self, area: Area, reference: &str) {
        let Area { left, right, top, bottom } = area;
        let Some(header) = self.header_row.and_then(|row| u64::try_from(row).ok()) else { return };
        self.note_heading(area, header);
        if bottom <= header || top > self.last_row || left > right || right >= COLUMNS {
            return;
        }
        let used = self.columns.used_between(left, right);
        if used == 0 && top > header {
            self.note_merged_cells(area);
        }
        let is_one_cell = top == bottom && used == 1 && self.columns.used_between(left, left) == 1;
        if used == 0
            || is_one_cell
            || self.is_refused_alone(area, self.last_row)
            || self.note_merged_days(area)
        {
            return;
        }
        let reference = shortened(reference, 40);
        let is_taken = self.leave_merged_names(left, right, &reference)
            || (top > header && self.note_merged_cells(area));
        if !is_taken {
            let fault = Fault::MergedCells(reference);
            self.add_problem(Problem::of_cell(top.max(header + 1), left, fault));
        }
    }
}
