//! The findings of a read spreadsheet.

use qrpress_kinds::Kind;

use crate::columns::Column;
use crate::days::MergedDays;
use crate::merging::MergedCells;
use crate::problem::Problem;
use crate::proposal::Proposal;
use crate::role::{ColumnChoice, DateOrder};

/// One of the first rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstRow {
    /// As the spreadsheet program numbers it, from 1.
    pub row: u64,
    /// The first characters of its cells, by the position of the column.
    pub cells: Vec<String>,
}

/// Rows that name the columns together. A workbook lists its merged cells behind its rows, so that the next reading needs them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Heading {
    /// The first row, from 1.
    pub top: u64,
    /// The last row.
    pub bottom: u64,
    /// The first columns of cells that are merged downwards.
    pub columns: Vec<u32>,
}

/// Rows with a telephone number without its country's code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CountryRows {
    /// Those that name a country whose code is known.
    pub known: u64,
    /// Those of them that do so by letters or a calling code, which may be something else: `BE` is Berlin, too.
    pub by_letters: u64,
    /// Those that name another one, or something else.
    pub unknown: u64,
    /// Those that name none.
    pub unnamed: u64,
}

/// Findings of a reading about columns, which the next one needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Found {
    /// Columns whose names tell nothing: those without a cell that keep others from being recognised, such as `Ort` beside
    /// `Ort geschäftlich`, and one of payees' numbers beside their names.
    pub unnamed: Vec<u32>,
    /// The column of currencies of payments, whose name does not tell.
    pub currencies: Option<u32>,
    /// Several rows name the columns.
    pub heading: Option<Heading>,
    /// Numbers without their country's code get that of the country of their row: all such rows name one by its name.
    pub takes_countries: bool,
    /// Contacts with nothing but a name are left out.
    pub leaves_names_alone: bool,
    /// The events of rows without a day take that of the row above: in these merged cells alone, if there are any.
    pub days: Option<MergedDays>,
    /// Cells that are merged downwards, whose rows take what they show.
    pub merged: MergedCells,
    /// Columns that have nothing but days, where a person typed the day of all events.
    pub columns_of_days: Vec<u32>,
    /// Notes below this row are left out.
    pub notes_below: Option<u64>,
}

/// The findings of a read spreadsheet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a question of its own")]
pub struct Report {
    /// The name of the sheet that was read; none of a CSV file.
    pub sheet: Option<String>,
    /// The names of all sheets; those that are hidden come last.
    pub sheets: Vec<String>,
    /// Sheets that are not hidden.
    pub visible_sheets: usize,
    /// The names of the first sheets whose columns have what the codes need, where these are looked for.
    pub fitting_sheets: Vec<String>,
    /// The encoding of a CSV file that is not UTF-8 and does not name it: the one that it is read in, or that it seems to have.
    pub encoding: Option<&'static str>,
    /// All columns.
    pub columns: Vec<Column>,
    /// The person has to say which column is which.
    pub asks_for_columns: bool,
    /// The field that the kind needs and no column holds.
    pub asks_for_field: Option<&'static str>,
    /// The fields of the kind that several columns could fill: the person is asked for one after the other.
    pub asked_fields: Vec<&'static str>,
    /// The first column whose first cells are all links, where the column of the links or texts is asked for.
    pub links_column: Option<u32>,
    /// The one column whose cells are times, by no name of it, where no event has a start time.
    pub times_column: Option<u32>,
    /// The kind of codes that the names of the columns speak for, where none was chosen.
    pub proposal: Option<Proposal>,
    /// The first row is no header, as it seems.
    pub asks_for_header: bool,
    /// The row that was found to be the first item, where no row names the columns.
    pub first_code: Option<u64>,
    /// The person has to say whether the letters of a CSV file are right: in another encoding they are others.
    pub asks_for_encoding: bool,
    /// The person has to say whether codes take the texts of links or their addresses.
    pub asks_for_links: bool,
    /// The person has to say whether the day or the month comes first in dates such as `01/02/2026`.
    pub asks_for_dates: bool,
    /// Such dates.
    pub ambiguous_dates: u64,
    /// The first number of the other dates, where it is the same one in all of them.
    pub date_order: Option<DateOrder>,
    /// The person has to say to which country telephone numbers without their country's code belong.
    pub asks_for_country: bool,
    /// Such numbers.
    pub national_numbers: u64,
    /// The column by which the person may choose the country of each row.
    pub country_column: Option<u32>,
    /// Rows with such numbers, by what that column says.
    pub country_rows: CountryRows,
    /// Cells that are links to something else than their texts, in the columns that make the data.
    pub link_cells: u64,
    /// The kind that the rows may be of, by their cells: nobody chose one, and no name speaks for one.
    pub likely_kind: Option<Kind>,
    /// The events have times, and no day.
    pub asks_for_day: bool,
    /// Networks that have no password, and say nothing of their encryption.
    pub passwordless_networks: u64,
    /// Rows with a placeholder, such as `n/a`, in the data.
    pub placeholder_rows: u64,
    /// The first of these rows, and of the contacts among them, in order.
    pub placeholder_places: Vec<u64>,
    /// Rows with a number of goods whose check digit is wrong, and whose digits are all there.
    pub wrong_check_digits: u64,
    /// Contacts with nothing but a name among others that can be reached. They are among the rows with a placeholder.
    pub name_rows: u64,
    /// Contacts with nothing but a name that is none, which need no other contact to be left out.
    pub(crate) no_names: u64,
    /// The last row of the list that is no note, where notes stand below it.
    pub(crate) notes_below: Option<u64>,
    /// The first rows with items, or that would be.
    pub first_rows: Vec<FirstRow>,
    /// Items of the body.
    pub items: u64,
    /// The first problems, by row and column.
    pub problems: Vec<Problem>,
    /// The number of all problems.
    pub problem_count: u64,
    /// Rows that are left out of the body for their problems. 0 where a problem concerns more than a row.
    pub faulty_rows: u64,
    /// Sentences that do not prevent a job.
    pub notices: Vec<String>,
    /// The one of them about rows that are totals or notes, as it seems.
    pub rows_below: Option<String>,
    /// Another one, about columns that give nothing to codes which are links or texts.
    pub unused_columns: Option<String>,
    /// The column called `Data` holds dates: the choice of another one, or of none.
    pub(crate) data_beside_dates: Option<ColumnChoice>,
    /// A field that codes need, and its column, whose name does not tell: the receivers of mails, or the coordinates of places.
    pub(crate) told_by_cells: Option<(&'static str, u32)>,
    /// The column that tells codes apart, where the names that their kind gives them do not, or `Nothing` where the recognised one has
    /// merged cells. Absent: the columns stay as they are.
    pub(crate) column_of_names: Option<ColumnChoice>,
    /// The sentence about these cells.
    pub(crate) merged_names: Option<String>,
    /// The findings that the next reading needs.
    pub(crate) found: Found,
    /// A row's number is the line of the body plus this.
    pub rows_before_line_1: i64,
    /// Bytes that were looked at: of the file, unpacked, and of what its cells show.
    pub work: u64,
}
