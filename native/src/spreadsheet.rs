//! The call that turns a customer's spreadsheet into a body.

use std::path::Path;
use std::time::Duration;

use napi::Error;
use napi_derive::napi;
use qrpress_spreadsheet::{
    CallingCode, ColumnChoice, Composition, CountryChoice, DateOrder, Encoding, Kind, Limits, LinkChoice,
    ReadRequest,
};

use crate::error::{Result, guard_coded};
use crate::number::{from_js, to_js};

/// The member of an item that a column fills.
#[napi(string_enum = "lowercase")]
pub enum ColumnRole {
    Data,
    Filename,
    Caption,
    Reference,
}

/// The meaning of a spreadsheet's rows.
#[napi(string_enum = "lowercase")]
pub enum SpreadsheetLayout {
    /// The first row that is not empty names the columns.
    Header,
    /// Every row is an item.
    Rows,
    /// A table if its first line names a column of data, else every line is what a code says.
    Lines,
}

/// The thing that codes take of cells that are links.
#[napi(string_enum = "lowercase")]
pub enum SpreadsheetLinks {
    /// The text that the cell shows.
    Text,
    /// The address that the link leads to.
    Address,
}

/// The first number of dates such as 01/02/2026.
#[napi(string_enum = "lowercase")]
pub enum SpreadsheetDates {
    Day,
    Month,
}

/// The column that a person gives a role: by name or letters, by position, or none.
#[napi(object, object_to_js = false)]
pub struct ChosenColumn {
    /// The role.
    pub role: ColumnRole,
    /// The column's name, or else its letters.
    pub name: Option<String>,
    /// The column's position, from 0.
    pub position: Option<u32>,
}

/// The column that a person gives a field of a kind, or the text that all rows have in its place.
#[napi(object, object_to_js = false)]
pub struct ChosenField {
    /// The field.
    pub field: String,
    /// The text of all rows.
    pub text: Option<String>,
    /// The column's name, or else its letters.
    pub name: Option<String>,
    /// The column's position, from 0.
    pub position: Option<u32>,
    /// True if the column's name tells, also where names tell nothing else.
    pub is_recognised: Option<bool>,
}

/// A member of items that is put together from several columns: by a pattern, or as a kind of code.
#[napi(object, object_to_js = false)]
pub struct ComposedMember {
    /// The member.
    pub role: ColumnRole,
    /// A pattern over the columns' names.
    pub pattern: Option<String>,
    /// The name of a kind, where there is no pattern.
    pub kind: Option<String>,
    /// Columns of the kind's fields.
    pub fields: Option<Vec<ChosenField>>,
    /// True if networks without a password are open: the person says so.
    pub are_open: Option<bool>,
}

/// The limits that hold.
#[napi(object, object_to_js = false)]
#[allow(clippy::struct_field_names, reason = "each is the most of what it names")]
pub struct SpreadsheetLimits {
    /// Items of a job.
    pub max_items: i64,
    /// Bytes of the file, and of the body.
    pub max_bytes: i64,
    /// Problems that a report lists.
    pub max_problems: i64,
    /// Characters of a name in the archive, with its extension.
    pub max_archive_name_characters: i64,
}

/// A file to be read.
#[napi(object, object_to_js = false)]
pub struct ReadSpreadsheetRequest {
    /// The file, CSV or XLSX.
    pub path: String,
    /// Path of the NDJSON body: an empty file. The reading ends when it is deleted.
    pub body_path: String,
    /// JSON text of the job's meta object, line 1 of the body.
    pub meta: String,
    /// The sheet's name; absent: the first that is not hidden.
    pub sheet: Option<String>,
    /// Columns that the person named.
    pub columns: Vec<ChosenColumn>,
    /// Members that are put together from several columns. Their roles are not in `columns`.
    pub composed: Option<Vec<ComposedMember>>,
    /// Other roles, and fields of a kind, are found by the names of the columns.
    pub recognise: bool,
    /// The meaning of the rows.
    pub layout: SpreadsheetLayout,
    /// The thing that codes take of cells that are links; absent: a row with such a cell is refused.
    pub links: Option<SpreadsheetLinks>,
    /// The first number of dates such as 01/02/2026; absent: the other dates tell, or such a row is refused.
    pub dates: Option<SpreadsheetDates>,
    /// Rows with a placeholder in the data are left out.
    pub leaves_placeholders: Option<bool>,
    /// Numbers of goods get the check digit that they should have.
    pub mends_check_digits: Option<bool>,
    /// The country of telephone numbers without their country's code, by that code, or `row` for that of each row; absent: a call or text
    /// message to one is refused.
    pub calling_code: Option<String>,
    /// The encoding of a CSV file, by a label of the Encoding Standard, or `utf-8-twice`; absent: the file tells.
    pub encoding: Option<String>,
    /// The first sheet is opened whose columns have what the codes need; absent: the first that is not hidden.
    pub finds_sheet: Option<bool>,
    /// A first row that looks like the rows below it, and names nothing that is known, is an item; absent: the first row names the columns.
    pub finds_header: Option<bool>,
    /// The limits that hold.
    pub limits: SpreadsheetLimits,
    /// The time that the reading may take, in milliseconds.
    pub time_ms: i64,
}

/// A column of a sheet.
#[napi(object, object_from_js = false)]
pub struct SpreadsheetColumn {
    /// `A`, `B`, …
    pub letters: String,
    /// The text of its header; empty where there is none.
    pub name: String,
    /// The member of an item that it fills, if any.
    pub role: Option<ColumnRole>,
    /// The field of a kind that it fills, if any.
    pub field: Option<String>,
    /// The thing of which it has a part, beside no field.
    pub part_of: Option<String>,
}

/// One of the first rows of a sheet.
#[napi(object, object_from_js = false)]
pub struct SpreadsheetRow {
    /// The row as spreadsheet programs number it.
    pub row: i64,
    /// The beginnings of its cells, by the position of the column.
    pub cells: Vec<String>,
}

/// One thing that is wrong with a spreadsheet.
#[napi(object, object_from_js = false)]
pub struct SpreadsheetProblem {
    /// The row as spreadsheet programs number it.
    pub row: Option<i64>,
    /// The column's position, from 0.
    pub column: Option<u32>,
    /// The text of the cell, or its beginning; empty or absent for a problem of more than a cell.
    pub value: Option<String>,
    /// A sentence about it.
    pub what: String,
    /// The sentence with the place.
    pub message: String,
    /// The choice that mends or leaves out such rows, beside that of all faulty rows: `placeholder` or `checkDigit`.
    pub choice: Option<String>,
}

/// The report of a spreadsheet that was read.
#[napi(object, object_from_js = false)]
#[allow(clippy::struct_excessive_bools, reason = "each is a question of its own")]
pub struct ReadSpreadsheetReport {
    /// The sheet that was read; absent for a CSV file.
    pub sheet: Option<String>,
    /// The names of all sheets.
    pub sheets: Vec<String>,
    /// The names of the first sheets whose columns have what the codes need, where these are looked for.
    pub fitting_sheets: Vec<String>,
    /// The encoding of a CSV file that is not UTF-8 and does not name it: the one that it is read in, or that it seems to have.
    pub encoding: Option<String>,
    /// All columns.
    pub columns: Vec<SpreadsheetColumn>,
    /// The person has to say which column is which.
    pub asks_for_columns: bool,
    /// The field that the kind needs and no column holds.
    pub asks_for_field: Option<String>,
    /// The fields of the kind that several columns could fill: the person is asked for one after the other.
    pub asked_fields: Vec<String>,
    /// The first column whose first cells are all links, where the column of the links or texts is asked for.
    pub links_column: Option<u32>,
    /// The one column whose cells are times, by no name of it, where no event has a start time.
    pub times_column: Option<u32>,
    /// The kind of codes that the names of the columns speak for, where none was chosen.
    pub proposed_kind: Option<String>,
    /// The first row seems to be no header.
    pub asks_for_header: bool,
    /// The first row was found to be an item: no row names the columns.
    pub has_no_header: bool,
    /// The person has to say whether the letters of a CSV file are right: in another encoding they are others.
    pub asks_for_encoding: bool,
    /// The person has to say whether codes take the texts of links or their addresses.
    pub asks_for_links: bool,
    /// The person has to say whether the day or the month comes first in dates such as 01/02/2026.
    pub asks_for_dates: bool,
    /// Such dates.
    pub ambiguous_dates: i64,
    /// The person has to say to which country telephone numbers without their country's code belong.
    pub asks_for_country: bool,
    /// Such numbers.
    pub national_numbers: i64,
    /// The column by which the person may choose the country of each row.
    pub country_column: Option<u32>,
    /// Rows with such numbers that name no country which is known.
    pub rows_without_country: i64,
    /// Cells that are links to something else than their texts, in the columns that make the data.
    pub link_cells: i64,
    /// The kind that the rows may be of, by their cells: nobody chose one, and no name speaks for one.
    pub likely_kind: Option<String>,
    /// The events have times, and no day.
    pub asks_for_day: bool,
    /// Networks that have no password, and say nothing of their encryption.
    pub passwordless_networks: i64,
    /// Rows with a placeholder, such as `n/a`, in the data.
    pub placeholder_rows: i64,
    /// The first of these rows.
    pub placeholder_places: Vec<i64>,
    /// Those of them that are contacts with nothing but a name.
    pub name_rows: i64,
    /// Cells with a number of goods whose check digit is wrong, and whose digits are all there.
    pub wrong_check_digits: i64,
    /// The first rows below the header.
    pub first_rows: Vec<SpreadsheetRow>,
    /// Items of the body. Rows with a problem are not among them.
    pub items: i64,
    /// The first problems, in order.
    pub problems: Vec<SpreadsheetProblem>,
    /// Number of all of them.
    pub problem_count: i64,
    /// Rows that are not in the body for their problems. 0 where a problem concerns more than a row.
    pub faulty_rows: i64,
    /// Sentences that do not prevent a job.
    pub notices: Vec<String>,
    /// The one of them about rows that are totals or notes, as it seems.
    pub rows_below: Option<String>,
    /// Another one, about columns that give nothing to the codes.
    pub unused_columns: Option<String>,
    /// A row's number is the line of the body plus this.
    pub rows_before_line_1: i64,
}

/// Reads a spreadsheet, and writes the body of a job.
///
/// Throws `io`, `cancelled`, `out_of_time`, `invalid_argument` or `panic`.
#[napi(catch_unwind)]
pub fn read_spreadsheet(request: ReadSpreadsheetRequest) -> Result<ReadSpreadsheetReport> {
    let columns: Vec<_> = request
        .columns
        .into_iter()
        .map(|ChosenColumn { role, name, position }| (role.into(), choice(name, position)))
        .collect();
    let composed = request.composed.unwrap_or_default().into_iter().map(composed);
    let composed = composed.collect::<Result<Vec<_>>>()?;
    let limits = &request.limits;
    let chosen = request.encoding.as_deref();
    let encoded_twice = chosen == Some("utf-8-twice");
    let read = ReadRequest {
        file: Path::new(&request.path),
        body: Path::new(&request.body_path),
        meta: &request.meta,
        sheet: request.sheet.as_deref(),
        columns: &columns,
        composed: &composed,
        recognise: request.recognise,
        layout: match request.layout {
            SpreadsheetLayout::Header => qrpress_spreadsheet::SheetLayout::Header,
            SpreadsheetLayout::Rows => qrpress_spreadsheet::SheetLayout::NoHeader,
            SpreadsheetLayout::Lines => qrpress_spreadsheet::SheetLayout::Lines,
        },
        links: request.links.map(|links| match links {
            SpreadsheetLinks::Text => LinkChoice::Text,
            SpreadsheetLinks::Address => LinkChoice::Address,
        }),
        dates: request.dates.map(|dates| match dates {
            SpreadsheetDates::Day => DateOrder::DayFirst,
            SpreadsheetDates::Month => DateOrder::MonthFirst,
        }),
        leaves_placeholders: request.leaves_placeholders.unwrap_or(false),
        mends_check_digits: request.mends_check_digits.unwrap_or(false),
        country: request.calling_code.as_deref().map(country).transpose()?,
        encoding: chosen.filter(|_| !encoded_twice).map(encoding).transpose()?,
        encoded_twice,
        finds_sheet: request.finds_sheet.unwrap_or(false),
        finds_header: request.finds_header.unwrap_or(false),
        limits: Limits {
            max_items: from_js(limits.max_items)?,
            max_bytes: from_js(limits.max_bytes)?,
            max_problems: from_js(limits.max_problems)? as usize,
            max_archive_name_characters: from_js(limits.max_archive_name_characters)? as usize,
        },
        time: Duration::from_millis(from_js(request.time_ms)?),
    };
    let report = guard_coded(|| qrpress_spreadsheet::read_spreadsheet(&read))?;
    let problems = report.problems.iter().map(|problem| SpreadsheetProblem {
        row: problem.row.map(to_js),
        column: problem.column,
        value: Some(problem.value.clone()),
        what: problem.fault.to_string(),
        choice: problem.fault.choice().map(str::to_owned),
        message: report.sentence(problem),
    });
    let problems = problems.collect();
    Ok(ReadSpreadsheetReport {
        sheet: report.sheet,
        sheets: report.sheets,
        fitting_sheets: report.fitting_sheets,
        encoding: report.encoding.map(str::to_owned),
        columns: report.columns.into_iter().map(SpreadsheetColumn::from).collect(),
        asks_for_columns: report.asks_for_columns,
        asks_for_field: report.asks_for_field.map(str::to_owned),
        asked_fields: report.asked_fields.into_iter().map(str::to_owned).collect(),
        links_column: report.links_column,
        times_column: report.times_column,
        proposed_kind: report.proposal.map(|proposal| proposal.kind.name().to_owned()),
        asks_for_header: report.asks_for_header,
        has_no_header: report.first_code.is_some(),
        asks_for_encoding: report.asks_for_encoding,
        asks_for_links: report.asks_for_links,
        asks_for_dates: report.asks_for_dates,
        ambiguous_dates: to_js(report.ambiguous_dates),
        asks_for_country: report.asks_for_country,
        national_numbers: to_js(report.national_numbers),
        country_column: report.country_column,
        rows_without_country: to_js(report.country_rows.unknown + report.country_rows.unnamed),
        link_cells: to_js(report.link_cells),
        likely_kind: report.likely_kind.map(|kind| kind.name().to_owned()),
        asks_for_day: report.asks_for_day,
        passwordless_networks: to_js(report.passwordless_networks),
        placeholder_rows: to_js(report.placeholder_rows),
        placeholder_places: report.placeholder_places.into_iter().map(to_js).collect(),
        name_rows: to_js(report.name_rows),
        wrong_check_digits: to_js(report.wrong_check_digits),
        first_rows: report
            .first_rows
            .into_iter()
            .map(|row| SpreadsheetRow { row: to_js(row.row), cells: row.cells })
            .collect(),
        items: to_js(report.items),
        problems,
        problem_count: to_js(report.problem_count),
        faulty_rows: to_js(report.faulty_rows),
        notices: report.notices,
        rows_below: report.rows_below,
        unused_columns: report.unused_columns,
        rows_before_line_1: report.rows_before_line_1,
    })
}

fn choice(name: Option<String>, position: Option<u32>) -> ColumnChoice {
    match (name, position) {
        (Some(name), _) => ColumnChoice::Named(name),
        (None, Some(position)) => ColumnChoice::At(position),
        (None, None) => ColumnChoice::Nothing,
    }
}

fn encoding(label: &str) -> Result<&'static Encoding> {
    let known = Encoding::for_label(label.as_bytes());
    known.ok_or_else(|| Error::new("invalid_argument", format!("there is no encoding {label}")))
}

fn country(code: &str) -> Result<CountryChoice> {
    let known = match code {
        "row" => Some(CountryChoice::OfRow),
        code => CallingCode::of(code).map(CountryChoice::All),
    };
    known.ok_or_else(|| Error::new("invalid_argument", format!("there is no calling code {code}")))
}

fn composed(member: ComposedMember) -> Result<(qrpress_spreadsheet::Role, Composition)> {
    let kind = member.kind.as_deref().and_then(Kind::of_name);
    let composition = match (member.pattern, kind) {
        (Some(pattern), _) => Composition::Pattern(pattern),
        (None, Some(kind)) => {
            let fields = member.fields.unwrap_or_default().into_iter();
            let fields = fields.map(|ChosenField { field, text, name, position, is_recognised }| {
                let choice = match text {
                    Some(text) => ColumnChoice::Typed(text),
                    None if is_recognised == Some(true) => ColumnChoice::Recognised,
                    None => choice(name, position),
                };
                (field, choice)
            });
            let fields = fields.collect();
            Composition::Kind { kind, fields, are_open: member.are_open.unwrap_or(false) }
        }
        (None, None) => {
            return Err(Error::new("invalid_argument", "a member has a pattern or a kind".to_owned()));
        }
    };
    Ok((member.role.into(), composition))
}

impl From<ColumnRole> for qrpress_spreadsheet::Role {
    fn from(role: ColumnRole) -> Self {
        match role {
            ColumnRole::Data => Self::Data,
            ColumnRole::Filename => Self::Filename,
            ColumnRole::Caption => Self::Caption,
            ColumnRole::Reference => Self::Reference,
        }
    }
}

impl From<qrpress_spreadsheet::Role> for ColumnRole {
    fn from(role: qrpress_spreadsheet::Role) -> Self {
        match role {
            qrpress_spreadsheet::Role::Data => Self::Data,
            qrpress_spreadsheet::Role::Filename => Self::Filename,
            qrpress_spreadsheet::Role::Caption => Self::Caption,
            qrpress_spreadsheet::Role::Reference => Self::Reference,
        }
    }
}

impl From<qrpress_spreadsheet::Column> for SpreadsheetColumn {
    fn from(column: qrpress_spreadsheet::Column) -> Self {
        Self {
            letters: column.letters,
            name: column.name,
            role: column.role.map(ColumnRole::from),
            field: column.field.map(str::to_owned),
            part_of: column.part_of.map(str::to_owned),
        }
    }
}
