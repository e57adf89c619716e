//! Reads a customer's spreadsheet, CSV or XLSX, into the body of a job: what a cell shows is what its code says, or the
//! file is refused by row and column.
//!
//! The body is NDJSON. Its line 1 is the job's meta object, and every row of the sheet below the header has the line of
//! its number, blank where the row has no item: a line of the body and a row of the sheet differ by a constant.
#![forbid(unsafe_code)]

mod below;
mod blocks;
mod body;
mod books;
mod bounds;
mod central_europe;
mod columns;
mod composition;
mod contacts;
mod contents;
mod countries;
mod csv;
mod currencies;
mod days;
mod encoded_twice;
mod error;
mod fault;
mod fields;
mod file_names;
mod first_item;
mod foreign;
mod goods;
mod header;
mod heading;
mod item;
mod kind;
mod latin_2;
mod letter_samples;
mod likely_kind;
mod merged_cells;
mod merging;
mod moments;
mod name_sample;
mod names;
mod notices;
mod number_format;
mod one_day;
mod other_country;
mod parts;
mod payments;
mod placeholder_rows;
mod places;
mod premises;
mod problem;
mod programmes;
mod proposal;
mod purposes;
mod report;
mod role;
mod row;
mod sentences;
mod several;
mod shown_rows;
mod stems;
mod table;
mod teams;
mod text;
mod things;
mod titles;
mod totals;
mod turkish;
mod typed_day;
mod value;
mod watch;
mod xlsx;

use std::path::Path;
use std::time::{Duration, Instant};

pub use columns::Column;
pub use composition::Composition;
pub use csv::{NetworkLines, kind_of_fields, lines_of_networks, with_networks};
pub use encoding_rs::Encoding;
pub use error::SpreadsheetError;
pub use fault::Fault;
pub use problem::Problem;
pub use proposal::Proposal;
pub use qrpress_kinds::{CallingCode, Kind};
pub use report::{CountryRows, FirstRow, Report};
pub use role::{ColumnChoice, CountryChoice, DateOrder, LinkChoice, Role};

use error::Halt;
use kind::FileKind;
use report::Found;
use table::Table;
use watch::Watch;

/// The meaning of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SheetLayout {
    /// The first row that is not empty names the columns.
    Header,
    /// Every row is an item.
    NoHeader,
    /// A text file: a table if its first line names a column of data, else every line is what a code says.
    Lines,
}

/// The limits that hold.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Items of a job.
    pub max_items: u64,
    /// Bytes of the file, and of the body that is made of it.
    pub max_bytes: u64,
    /// Problems that a report lists.
    pub max_problems: usize,
    /// Characters of a name in the archive, with its extension.
    pub max_archive_name_characters: usize,
}

/// A file to be read.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct ReadRequest<'a> {
    /// The file.
    pub file: &'a Path,
    /// The path of the body: an empty file, which the caller has made. The body is complete when the report has no problem.
    /// The reading ends when the file is deleted.
    pub body: &'a Path,
    /// Line 1 of the body.
    pub meta: &'a str,
    /// The sheet's name; without it the first one that is not hidden. See `finds_sheet`.
    pub sheet: Option<&'a str>,
    /// Columns that the person named.
    pub columns: &'a [(Role, ColumnChoice)],
    /// Members that are put together from several columns. Such a role is not in `columns`.
    pub composed: &'a [(Role, Composition)],
    /// True if the names of the columns tell the roles that are not in `columns` and `composed`, and the fields of a kind.
    pub recognise: bool,
    /// The meaning of the rows.
    pub layout: SheetLayout,
    /// The thing that codes take of cells that are links; a row with such a cell is refused without it.
    pub links: Option<LinkChoice>,
    /// The first number of dates that have two, such as `01/02/2026`; without it the other dates of the sheet tell, or such a row is
    /// refused.
    pub dates: Option<DateOrder>,
    /// True if rows with a placeholder in the data are left out.
    pub leaves_placeholders: bool,
    /// True if numbers of goods get the check digit that they should have.
    pub mends_check_digits: bool,
    /// The country of telephone numbers without their country's code; without it, a call or text message to one is refused.
    pub country: Option<CountryChoice>,
    /// The encoding of a CSV file, where the person named it.
    pub encoding: Option<&'static Encoding>,
    /// True if the lines of a CSV file in UTF-8 are read as UTF-8 that was encoded twice, where they can be.
    pub encoded_twice: bool,
    /// True if a sheet is opened whose columns have what the codes need, where there is one: the sheet that was in sight when the workbook
    /// was saved goes before the others.
    pub finds_sheet: bool,
    /// True if a first row that looks like the rows below it, and names nothing that is known, is an item, where the layout has a header.
    pub finds_header: bool,
    /// The limits that hold.
    pub limits: Limits,
    /// The time that the reading may take.
    pub time: Duration,
}

/// Reads a spreadsheet, and writes the body of a job.
///
/// # Errors
/// [`SpreadsheetError::Io`] where the file cannot be read or the body not be written, [`SpreadsheetError::Cancelled`] when
/// the body's file is deleted meanwhile, [`SpreadsheetError::OutOfTime`]. Everything that is wrong with the spreadsheet is
/// in the report.
pub fn read_spreadsheet(request: &ReadRequest<'_>) -> Result<Report, SpreadsheetError> {
    let started = Instant::now();
    let read_again = |report: Report, request: &ReadRequest<'_>, found: &Found| {
        let time = request.time.saturating_sub(started.elapsed());
        let again = read(&ReadRequest { time, ..request.clone() }, found)?;
        Ok(Report { work: report.work + again.work, ..again })
    };
    let report = read(request, &Found::default())?;
    // A workbook lists its merged cells behind its rows.
    let found = Found { heading: report.found.heading.clone(), ..Found::default() };
    let report = if found.heading.is_some() { read_again(report, request, &found)? } else { report };
    let mut columns = request.columns.to_vec();
    columns.extend(report.data_beside_dates.iter().map(|choice| (Role::Data, choice.clone())));
    let mut composed = request.composed.to_vec();
    for (_, composition) in &mut composed {
        if let (Composition::Kind { fields, .. }, Some((field, column))) = (composition, report.told_by_cells)
        {
            fields.push((field.to_owned(), ColumnChoice::At(column)));
        }
    }
    // The date that tells may stand in the last row.
    let order = report.date_order.filter(|_| report.asks_for_dates && report.data_beside_dates.is_none());
    let is_told = [report.data_beside_dates.is_none(), report.told_by_cells.is_none(), order.is_none()]
        == [true; 3]
        && report.found == found;
    let told = ReadRequest {
        columns: &columns,
        composed: &composed,
        dates: order.or(request.dates),
        ..request.clone()
    };
    let found = report.found.clone();
    let report = if is_told { report } else { read_again(report, &told, &found)? };
    // The contacts that can be reached may stand below the others, and a note only where no other row stands below it.
    let leaves_names_alone = request.leaves_placeholders && report.name_rows > report.no_names;
    let notes_below = report.notes_below.filter(|_| request.leaves_placeholders);
    let leaves = leaves_names_alone || notes_below.is_some();
    let found = Found { leaves_names_alone, notes_below, ..found };
    let mut report = if leaves { read_again(report, &told, &found)? } else { report };
    // All rows tell which column names the pictures, and the other columns are known by now.
    let Some(choice) = report.column_of_names.take() else { return Ok(report) };
    let merged = report.merged_names.take();
    let columns = [told.columns, &[(Role::Filename, choice)]].concat();
    let mut report = read_again(report, &ReadRequest { columns: &columns, ..told }, &found)?;
    report.notices.extend(merged);
    Ok(report)
}

/// Reads a spreadsheet once, with what an earlier reading has found.
fn read(request: &ReadRequest<'_>, found: &Found) -> Result<Report, SpreadsheetError> {
    let watch = Watch::start(request);
    let mut table = Table::open(request, found)?;
    let read = kind::kind_of(request, &watch).and_then(|kind| match kind {
        FileKind::Text(encoding) => csv::read(request, encoding, &watch, &mut table),
        FileKind::Xlsx => xlsx::read(request, &watch, &mut table),
    });
    match read {
        Ok(()) | Err(Halt::Enough) => {}
        Err(Halt::Refused(problem)) => table.add_problem(problem),
        Err(Halt::Failed(error)) => return Err(error),
    }
    let report = table.finish()?;
    // The names of thousands of columns are no work that is counted.
    if watch.is_over() {
        return Err(SpreadsheetError::OutOfTime);
    }
    Ok(Report { work: watch.work(), ..report })
}
