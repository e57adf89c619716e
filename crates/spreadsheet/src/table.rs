//! The rows of a sheet as items: finds the header, takes the cells that are used, and writes the job's body.

use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufWriter, Write};
use std::mem;

use crate::columns::{Column, Columns, Role, Unclear, shortened};
use crate::error::{Halt, SpreadsheetError};
use crate::problem::{Problem, Problems, letters};
use crate::row::{Row, RowSink};
use crate::{Layout, ReadRequest};

/// Rows that are shown before a job is made.
const FIRST_ROWS: usize = 5;

/// Columns of these that are shown.
const FIRST_COLUMNS: u32 = 30;

/// Characters of a cell that are shown.
const CELL_CHARACTERS: usize = 120;

/// Columns of a report.
const LISTED_COLUMNS: usize = 200;

/// One of the first rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstRow {
    /// As the spreadsheet program numbers it, from 1.
    pub row: u64,
    /// The first characters of its cells, by the position of the column.
    pub cells: Vec<String>,
}

/// What was found in a spreadsheet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The name of the sheet that was read; none of a CSV file.
    pub sheet: Option<String>,
    /// The names of all sheets.
    pub sheets: Vec<String>,
    /// The first two hundred columns.
    pub columns: Vec<Column>,
    /// The person has to say which column is which.
    pub asks_for_columns: bool,
    /// The first row is no header, as it seems.
    pub asks_for_header: bool,
    /// The first rows with items, or that would be.
    pub first_rows: Vec<FirstRow>,
    /// Items of the body.
    pub items: u64,
    /// The first problems, by row and column; their messages name the place.
    pub problems: Vec<Problem>,
    /// The number of all problems.
    pub problem_count: u64,
    /// Sentences that do not prevent a job.
    pub notices: Vec<String>,
    /// A row's number is the line of the body plus this.
    pub rows_before_line_1: i64,
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

/// A sheet on its way to a body.
pub(crate) struct Table<'r> {
    request: &'r ReadRequest<'r>,
    body: BufWriter<File>,
    body_bytes: u64,
    /// The next line of the body, from 1.
    line: u64,
    report: Report,
    problems: Problems,
    columns: Columns,
    /// The row of the header; one before the first row where there is none.
    header_row: Option<i64>,
    layout: Layout,
    is_csv: bool,
    /// Columns without a role that have cells.
    unused: Vec<bool>,
    windows_1252: Option<Vec<String>>,
    edge_spaces: Tally,
    hidden_rows: Tally,
    unseparated_rows: Tally,
    /// Hashes of data, and of names, with their rows.
    data: Vec<(u64, u32)>,
    names: Vec<(u64, u32)>,
}

impl<'r> Table<'r> {
    /// Creates the body, with its first line.
    pub fn create(request: &'r ReadRequest<'r>) -> Result<Self, SpreadsheetError> {
        let body = File::create(request.body).map_err(SpreadsheetError::io(request.body))?;
        let mut table = Self {
            request,
            body: BufWriter::with_capacity(1 << 18, body),
            body_bytes: 0,
            line: 1,
            report: Report::default(),
            problems: Problems::default(),
            columns: Columns::default(),
            header_row: None,
            layout: request.layout,
            is_csv: true,
            unused: Vec::new(),
            windows_1252: None,
            edge_spaces: Tally::default(),
            hidden_rows: Tally::default(),
            unseparated_rows: Tally::default(),
            data: Vec::new(),
            names: Vec::new(),
        };
        table.write(request.meta.as_bytes())?;
        table.end_line()?;
        Ok(table)
    }

    /// The rows come from this sheet of a workbook.
    pub fn set_sheet(&mut self, name: Option<String>, sheets: Vec<String>) {
        self.is_csv = false;
        self.report.sheet = name;
        self.report.sheets = sheets;
    }

    /// The rows of a text file have several cells.
    pub fn set_separated(&mut self, is_separated: bool) {
        if is_separated && self.layout == Layout::Lines {
            self.layout = Layout::Header;
        }
    }

    /// Every line is what a code says.
    pub fn expect_lines(&mut self) {
        self.layout = Layout::NoHeader;
    }

    /// The bytes of the file are read as Windows-1252.
    pub fn note_windows_1252(&mut self) {
        self.windows_1252 = Some(Vec::new());
    }

    /// Adds a problem.
    pub fn add_problem(&mut self, problem: Problem) {
        self.problems.add(self.request.limits.max_problems, problem);
    }

    /// The column gives something to the items.
    pub fn is_used(&self, column: u32) -> bool {
        self.columns.by_role.contains(&Some(column))
    }

    /// Columns that give something to the items, from one to another.
    pub fn used_between(&self, first: u32, last: u32) -> usize {
        self.columns.by_role.iter().flatten().filter(|position| (first..=last).contains(*position)).count()
    }

    /// The row of the header, when it was found.
    pub fn header_row(&self) -> Option<i64> {
        self.header_row
    }

    /// Ends the body, and says what was found.
    pub fn finish(mut self) -> Result<Report, SpreadsheetError> {
        self.body.flush().map_err(SpreadsheetError::io(self.request.body))?;
        let asks = self.columns.unclear.is_some();
        if self.problems.count == 0 && self.report.items == 0 && !asks {
            let what = if self.header_row.is_none() {
                "There is nothing in the file."
            } else {
                "There is no row below the names of the columns."
            };
            let what = match &self.report.sheet {
                Some(sheet) if self.header_row.is_none() => format!("The sheet {sheet} is empty."),
                _ => what.to_owned(),
            };
            self.add_problem(Problem::of_file(what));
        }
        if self.problems.count == 0 {
            self.add_notices();
        }
        let sheet = self.report.sheet.clone();
        let mut listed = mem::take(&mut self.problems.listed);
        listed.sort_by_key(|problem| (problem.row, problem.column));
        for problem in &mut listed {
            problem.message = self.with_place(problem, sheet.as_deref());
        }
        self.report.problems = listed;
        self.report.problem_count = self.problems.count;
        self.report.rows_before_line_1 = self.header_row.unwrap_or(1) - 1;
        self.columns.all.truncate(LISTED_COLUMNS);
        self.report.columns = self.columns.all;
        Ok(self.report)
    }

    fn with_place(&self, problem: &Problem, sheet: Option<&str>) -> String {
        let Some(row) = problem.row else { return problem.message.clone() };
        let mut place = match sheet {
            Some(name) => format!("Sheet {}, row {row}", shortened(name, 40)),
            None => format!("Row {row}"),
        };
        if let Some(position) = problem.column {
            let title =
                self.columns.all.get(position as usize).map_or_else(|| letters(position), Column::title);
            place = format!("{place}, column {title}");
        }
        format!("{place}: {}", problem.message)
    }

    fn add_notices(&mut self) {
        let mut notices = Vec::new();
        if let Some(values) = self.windows_1252.take().filter(|values| !values.is_empty()) {
            notices.push(format!(
                "The file is not UTF-8; it is read as Windows-1252. Look at these values: {}.",
                values.join("; ")
            ));
        }
        let named = (0..).zip(&self.columns.all).filter(|(position, column)| {
            column.role.is_none()
                && !self.is_used(*position)
                && (!column.name.is_empty() || self.unused.get(*position as usize) == Some(&true))
        });
        let titles: Vec<String> = named.map(|(_, column)| column.title()).collect();
        if !titles.is_empty() {
            let more = if titles.len() > 12 { ", …" } else { "" };
            let what = if titles.len() == 1 { "This column is" } else { "These columns are" };
            notices.push(format!("{what} not used: {}{more}.", titles[..titles.len().min(12)].join(", ")));
        }
        let beyond = self.unused.get(self.columns.all.len()..).unwrap_or_default().contains(&true);
        if beyond {
            notices.push("Columns without a name are not used.".to_owned());
        }
        for (hashes, what) in [
            (mem::take(&mut self.data), "the same data as a row above"),
            (mem::take(&mut self.names), "the same file name as a row above"),
        ] {
            if let Some((count, first)) = repeated(hashes) {
                let rows = if count == 1 { "row has" } else { "rows have" };
                notices.push(format!("{count} {rows} {what}; the first is row {first}."));
            }
        }
        let tallies = [
            (
                &self.edge_spaces,
                "value begins or ends",
                "values begin or end",
                " with a space, which is kept",
            ),
            (&self.hidden_rows, "row is hidden, and is", "rows are hidden, and are", " used all the same"),
            (
                &self.unseparated_rows,
                "value holds a comma or semicolon, which is",
                "values hold a comma or semicolon, which is",
                " part of the code, since the file has one column",
            ),
        ];
        for (Tally { count, first }, one, many, rest) in tallies {
            if let Some((row, column)) = first {
                let what = if *count == 1 { one } else { many };
                notices.push(format!(
                    "{count} {what}{rest}; the first is in row {row}, column {}.",
                    letters(*column)
                ));
            }
        }
        self.report.notices.append(&mut notices);
    }

    /// Takes the first row that is not empty.
    fn begin(&mut self, row: &Row) -> Result<(), Halt> {
        let filled = row.cells.last().map_or(0, |cell| cell.column + 1);
        let mut names = vec![String::new(); filled.max(row.width) as usize];
        for cell in &row.cells {
            names[cell.column as usize] = row.text(cell).into_owned();
            if let (Some(fault), true) = (&cell.fault, self.layout == Layout::Header) {
                self.add_problem(Problem::of_cell(row.number, cell.column, fault.clone()));
            }
        }
        let is_line = self.layout == Layout::Lines || self.layout == Layout::NoHeader;
        let request = ReadRequest { layout: self.layout, ..self.request.clone() };
        self.columns = Columns::resolve(&names, &request);
        self.unused = vec![false; names.len()];
        let number = i64::try_from(row.number).unwrap_or(i64::MAX);
        let has_header = !is_line || (self.layout == Layout::Lines && self.columns.by_role[0].is_some());
        self.header_row = Some(if has_header { number } else { number - 1 });
        match &self.columns.unclear {
            Some(Unclear::NoHeader) => {
                self.report.asks_for_header = true;
                self.report.asks_for_columns = true;
                let what = "the row looks like data, and not like the names of columns.";
                self.add_problem(Problem::of_row(row.number, what));
                self.show(row);
            }
            Some(Unclear::Columns(what)) => {
                self.report.asks_for_columns = true;
                let problem = Problem::of_file(what.clone());
                self.add_problem(problem);
            }
            None => {}
        }
        if has_header { Ok(()) } else { self.take(row) }
    }

    /// Keeps the beginnings of a row's cells, for people to look at.
    fn show(&mut self, row: &Row) {
        if self.report.first_rows.len() == FIRST_ROWS {
            return;
        }
        let mut cells: Vec<String> = Vec::new();
        for cell in row.cells.iter().filter(|cell| cell.column < FIRST_COLUMNS) {
            cells.resize(cell.column as usize, String::new());
            cells.push(shortened(&row.text(cell), CELL_CHARACTERS));
        }
        self.report.first_rows.push(FirstRow { row: row.number, cells });
    }

    /// Takes a row that should be an item.
    fn take(&mut self, row: &Row) -> Result<(), Halt> {
        self.show(row);
        if self.columns.unclear.is_some() {
            return if self.report.first_rows.len() == FIRST_ROWS { Err(Halt::Enough) } else { Ok(()) };
        }
        if self.report.items >= self.request.limits.max_items {
            let most = self.request.limits.max_items;
            return Err(Halt::Refused(Problem::of_row(
                row.number,
                format!("a job has at most {most} codes. Split the file."),
            )));
        }
        if row.hidden {
            self.hidden_rows.add(row.number, 0);
        }
        let problems_before = self.problems.count;
        self.judge(row);
        if self.problems.count > problems_before {
            return Ok(());
        }
        self.write_item(row)
    }

    /// Adds what is wrong with the row.
    fn judge(&mut self, row: &Row) {
        let width = self.columns.all.len();
        for cell in &row.cells {
            let position = cell.column as usize;
            if self.is_csv && position >= width {
                let what = format!(
                    "the row has more cells than the first row, which has {width}. A cell that holds the separator has to stand in quotes."
                );
                self.add_problem(Problem::of_row(row.number, what));
                break;
            }
            if !self.is_used(cell.column) {
                self.mark_unused(position);
                if let (Some(fault), true) = (&cell.fault, self.is_csv) {
                    self.add_problem(Problem::of_cell(row.number, cell.column, fault.clone()));
                }
                continue;
            }
            let wrong = match &cell.fault {
                Some(fault) => Some(fault.clone()),
                None => unreadable(&row.text(cell)),
            };
            if let Some(what) = wrong {
                self.add_problem(Problem::of_cell(row.number, cell.column, what));
            }
        }
        if let Some(other) = row.other {
            self.mark_unused(other as usize);
        }
        if let Some(data) = self.columns.by_role[0] {
            match row.cells.iter().find(|cell| cell.column == data) {
                None => {
                    let what = "the cell is empty, but the row is not. Fill it, or delete the row.";
                    self.add_problem(Problem::of_cell(row.number, data, what));
                }
                Some(cell) => {
                    if self.is_csv && is_shortened_number(&row.text(cell)) {
                        let what = "the program that wrote the file left digits of this number out. Format the column as text, and save the file again.";
                        self.add_problem(Problem::of_cell(row.number, data, what));
                    }
                }
            }
        }
    }

    fn mark_unused(&mut self, position: usize) {
        // Of columns beyond the header one flag is enough.
        let position = position.min(self.columns.all.len());
        if self.unused.len() <= position {
            self.unused.resize(position + 1, false);
        }
        self.unused[position] = true;
    }

    fn write_item(&mut self, row: &Row) -> Result<(), Halt> {
        let header_row = self.header_row.unwrap_or(1);
        let line = row.number.saturating_add_signed(1 - header_row);
        while self.line < line {
            self.end_line()?;
        }
        let number = u32::try_from(row.number).unwrap_or(u32::MAX);
        let mut separator = b"{";
        for (role, position) in Role::ALL.into_iter().zip(self.columns.by_role) {
            let Some(cell) =
                position.and_then(|position| row.cells.iter().find(|cell| cell.column == position))
            else {
                continue;
            };
            let text = row.text(cell);
            self.write(separator)?;
            separator = b",";
            self.write(format!("\"{}\":", role.as_str()).as_bytes())?;
            let json = serde_json::to_vec(text.as_ref()).unwrap_or_default();
            self.write(&json)?;
            match role {
                Role::Data => self.data.push((hash_of(&text), number)),
                Role::Filename => self.names.push((hash_of(&text.to_lowercase()), number)),
                Role::Caption | Role::Reference => {}
            }
            if role == Role::Data && text.trim_ascii().len() < text.len() {
                self.edge_spaces.add(row.number, cell.column);
            }
            if role == Role::Data && row.unseparated {
                self.unseparated_rows.add(row.number, cell.column);
            }
            if let Some(values) = &mut self.windows_1252
                && values.len() < 3
                && !text.is_ascii()
            {
                values.push(format!(
                    "row {}, column {}: {}",
                    row.number,
                    letters(cell.column),
                    shortened(&text, 60)
                ));
            }
        }
        self.write(b"}")?;
        self.end_line()?;
        self.report.items += 1;
        if self.body_bytes > self.request.limits.max_bytes {
            let most = self.request.limits.max_bytes / 1_000_000;
            return Err(Halt::refuse(format!("The codes are more than {most} MB together. Split the file.")));
        }
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), SpreadsheetError> {
        self.body_bytes += bytes.len() as u64;
        self.body.write_all(bytes).map_err(SpreadsheetError::io(self.request.body))
    }

    fn end_line(&mut self) -> Result<(), SpreadsheetError> {
        self.line += 1;
        self.write(b"\n")
    }
}

impl RowSink for Table<'_> {
    fn wants(&self, column: u32) -> bool {
        self.header_row.is_none()
            || self.is_used(column)
            || (self.is_csv && column as usize >= self.columns.all.len())
            || (column < FIRST_COLUMNS && self.report.first_rows.len() < FIRST_ROWS)
    }

    fn row(&mut self, row: &Row) -> Result<(), Halt> {
        if row.is_empty() {
            return Ok(());
        }
        if self.header_row.is_none() { self.begin(row) } else { self.take(row) }
    }
}

/// What keeps a text from being drawn.
fn unreadable(text: &str) -> Option<String> {
    if text.contains('\u{fffd}') {
        let what = "a character is damaged. Save the file again as CSV in UTF-8, or as XLSX.";
        return Some(what.to_owned());
    }
    let control = |character: &char| character.is_control() && !"\t\n\r".contains(*character);
    text.chars().find(control).map(|character| {
        let number = u32::from(character);
        format!("the control character U+{number:04X} is no text. Save the file again as CSV in UTF-8, or as XLSX.")
    })
}

/// A number such as `4.00638E+12`, of which a spreadsheet program wrote the first digits.
fn is_shortened_number(text: &str) -> bool {
    let Some((digits, exponent)) = text.split_once(['E', 'e']) else { return false };
    let is_exponent = exponent
        .strip_prefix('+')
        .is_some_and(|rest| (2..=3).contains(&rest.len()) && rest.bytes().all(|byte| byte.is_ascii_digit()));
    let bytes = digits.strip_prefix('-').unwrap_or(digits).as_bytes();
    let is_fraction = match bytes {
        [first, b'.' | b',', rest @ ..] => first.is_ascii_digit() && rest.iter().all(u8::is_ascii_digit),
        [first] => first.is_ascii_digit(),
        _ => false,
    };
    is_exponent && is_fraction
}

fn hash_of(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// The number of rows that repeat an earlier one, and the first of them.
fn repeated(mut hashes: Vec<(u64, u32)>) -> Option<(u64, u32)> {
    hashes.sort_unstable();
    let again = hashes.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| pair[1].1);
    let (count, first) = again.fold((0, u32::MAX), |(count, first), row| (count + 1, first.min(row)));
    (count > 0).then_some((count, first))
}
