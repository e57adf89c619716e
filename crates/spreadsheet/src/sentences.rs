//! The sentences of faults, and the places that they begin with.

use std::fmt::{self, Display, Formatter};

use qrpress_kinds::{Kind, spoken};

use crate::columns::{Column, shortened};
use crate::fault::Fault;
use crate::foreign::MAC_OR_DOS;
use crate::problem::{Problem, letters};
use crate::report::Report;

/// Sheets that a sentence names.
const NAMED_SHEETS: usize = 12;

/// Characters of a sheet's name in a sentence.
const SHEET_CHARACTERS: usize = 40;

const SAVE_AS: &str = "Save it as CSV or XLSX.";
const SAVE_TEXT_AGAIN: &str = "Save it as CSV in UTF-8, or as XLSX.";
const SAVE_FILE_AGAIN: &str = "Save the file again as CSV in UTF-8, or as XLSX.";

/// Names of the two columns of a national grid. `Ost` and `Nord` are those of degrees as well.
const GRIDS: [[&str; 2]; 4] =
    [["(E)", "(N)"], ["(Rechtswert", "(Hochwert"], ["(Easting", "(Northing"], ["(LV95", "(LV95"]];

impl Display for Fault {
    #[allow(clippy::too_many_lines, reason = "a table")]
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::EmptyFile => f.write_str("The file is empty."),
            Self::LargeFile(most) => write!(f, "The file is larger than {most} MB. Split it."),
            Self::LargeBody(most) => write!(f, "The codes are more than {most} MB together. Split the file."),
            Self::LargeText => {
                f.write_str("The cells that are used show more text than a job may have. Split the file.")
            }
            Self::Password => f.write_str(
                "The file is protected by a password. Save it without a password, as XLSX or CSV.",
            ),
            Self::OtherKind(what) => write!(f, "The file is {what}. {SAVE_AS}"),
            Self::VCards => f.write_str(
                "The file holds contacts as vCards, which are not read. Export the contacts as CSV where they come from.",
            ),
            Self::Calendar => f.write_str(
                "The file is a calendar (.ics), which is not read. Export the events as CSV, as Outlook can, or make a table with the columns \
                 title, start and end.",
            ),
            Self::Utf32 => write!(f, "The file is written in UTF-32. {SAVE_TEXT_AGAIN}"),
            Self::Utf16WithoutMark => {
                write!(f, "The file is written in UTF-16 without a byte order mark. {SAVE_TEXT_AGAIN}")
            }
            Self::ForeignEncoding(MAC_OR_DOS) => write!(
                f,
                "The file seems to be written in {MAC_OR_DOS}. Save it as CSV in UTF-8 (in Excel: CSV UTF-8), or as XLSX. \
                 Choose its encoding only if it comes from a Mac: those of DOS are not read."
            ),
            Self::ForeignEncoding(name) => {
                write!(f, "The file seems to be written in {name}. Choose its encoding, or save it as CSV in UTF-8 or as XLSX.")
            }
            Self::NothingInFile => f.write_str("There is nothing in the file."),
            Self::EmptySheet(name) => write!(f, "The sheet {name} is empty."),
            Self::NoRows => f.write_str("There is no row below the names of the columns."),

            Self::DamagedWorkbook => f.write_str(
                "The workbook is damaged. Open it in a spreadsheet program, and save it again as XLSX.",
            ),
            Self::NoWorkbook => write!(f, "The file is no workbook. {SAVE_AS}"),
            Self::ManyParts => {
                f.write_str("The workbook has more parts than any program writes. Save it again as XLSX.")
            }
            Self::LargePart => f.write_str(
                "The workbook is larger than any program writes it. Save it again as XLSX, or as CSV.",
            ),
            Self::ManyTexts => f.write_str("The workbook holds more text than a job may have. Split it."),
            Self::ManySheets(most) => write!(f, "The workbook has more than {most} sheets. Split it."),
            Self::DocumentType => f.write_str(
                "The workbook holds a document type, which no spreadsheet program writes. Save it again as XLSX.",
            ),
            Self::NoSheets => f.write_str("The workbook has no sheet."),
            Self::HiddenSheets(known) => {
                write!(f, "Every sheet of the workbook is hidden. The sheets are: {known}.")
            }
            Self::UnknownSheet { name, known } => {
                write!(f, "There is no sheet {name}. The sheets are: {known}.")
            }

            Self::NoHeader => f.write_str("the row looks like data, and not like the names of columns."),
            Self::NoDataColumn(columns) => {
                write!(f, "Which column holds the link or text? The columns are {columns}.")
            }
            Self::NoFieldColumn { field: "name", kind: kind @ (Kind::Contact | Kind::ContactV4), columns } => write!(
                f,
                "Which columns hold the first and last name? The kind {} needs one of them, or an organisation. The columns are {columns}.",
                kind.name()
            ),
            Self::NoFieldColumn { field, kind, columns } => {
                write!(
                    f,
                    "Which column holds the {}? The kind {} needs it. The columns are {columns}.",
                    spoken(field),
                    kind.name()
                )?;
                let are_of_grid = || GRIDS.iter().any(|names| names.iter().all(|name| columns.contains(name)));
                if *kind == Kind::Geo && are_of_grid() {
                    f.write_str(" Numbers of national grids, such as E and N, are not supported.")?;
                }
                Ok(())
            }
            Self::UnknownColumn { name, columns } => {
                write!(f, "There is no column {name}. The columns are {columns}.")
            }
            Self::SameName { letters: [first, second], name } => write!(
                f,
                "The columns {first} and {second} are both called {name}. Name one of them by its letter."
            ),
            Self::SeveralColumns { columns: [first, second], target } => {
                let target = if *target == "ssid" { "network".to_owned() } else { spoken(target) };
                write!(f, "The columns {first} and {second} could both be the {target}. Say which one it is.")
            }
            Self::UnknownField { kind, field } => {
                write!(f, "The kind {} has no field {field}.", kind.name())
            }
            Self::BadPattern { role, error } => write!(f, "The pattern of the {} {error}.", role.as_str()),

            Self::SeveralSeparators => f.write_str(
                "the cells may be separated by more than one character. Write a line such as sep=; before the first \
                 row, or save the file as XLSX.",
            ),
            Self::Nul => write!(f, "the file is no text: a NUL byte stands here. {SAVE_TEXT_AGAIN}"),
            Self::ManyCells(width) => write!(
                f,
                "the row has more cells than the first row ({width}). If a cell contains the separator, put the cell in quotes."
            ),
            Self::ManyColumns(most) => {
                write!(f, "the row has more than {most} columns, which is as many as a spreadsheet may have.")
            }
            Self::LongRow => {
                f.write_str("the row holds more than a megabyte of text. A quote may not be closed.")
            }
            Self::ManyItems(most) => write!(f, "a job has at most {most} codes. Split the file."),
            Self::RepeatedHeader => {
                f.write_str("the row repeats the names of the columns. Delete it.")
            }
            Self::LongMember { role, most } => {
                write!(f, "the pattern of the {} makes more than {most} bytes of text.", role.as_str())
            }

            Self::NoData => {
                f.write_str("the cell is empty, but the row is not. Fill it, or delete the row.")
            }
            Self::EmptyInPattern(role) => {
                write!(f, "the cell is empty, but the pattern of the {} needs it.", role.as_str())
            }
            Self::LongCell => f.write_str("the cell is longer than a spreadsheet program allows."),
            Self::LongQuotedCell => f.write_str(
                "the cell is longer than a spreadsheet program allows, or the quote that opens it is not closed.",
            ),
            Self::OpenQuote => f.write_str("the quote that opens this cell is not closed."),
            Self::TextBehindQuote => {
                f.write_str("text follows the closing quote. A quote inside a cell is written twice.")
            }
            Self::Tab => {
                f.write_str("the cell holds a tab, but tabs do not separate the columns of the first row.")
            }
            Self::Formula => f.write_str(
                "the cell holds a formula, and the file does not say what it shows. Write its result, or save the sheet as XLSX.",
            ),
            Self::UncomputedFormula => f.write_str(
                "the formula has not been computed. Open the file in a spreadsheet program, and save it again.",
            ),
            Self::DamagedCharacter => write!(f, "a character is damaged. {SAVE_FILE_AGAIN}"),
            Self::ControlCharacter(character) => write!(
                f,
                "the control character U+{:04X} is no text. {SAVE_FILE_AGAIN}",
                u32::from(*character)
            ),
            Self::EncodedTwice([text, meant]) => write!(
                f,
                "the text seems to be UTF-8 that was encoded twice: {text}, which may be {meant}. For a CSV file, choose the encoding \
                 “UTF-8, encoded twice”. Else write the text anew."
            ),
            Self::NarrowColumn => f.write_str(
                "the column was too narrow to show the value. Widen it, and save the file again.",
            ),
            Self::ErrorValue(error) => write!(f, "the cell shows the error {error}. Correct it."),
            Self::ShortenedNumber => f.write_str(
                "the program that wrote the file left digits of this number out. Format the column as text, and save the file again.",
            ),
            Self::AddedDecimal => f.write_str(
                "the program that wrote the file added a decimal to this number. Save it without decimals.",
            ),
            Self::PowerOfTen => {
                f.write_str("the number is written with a power of ten. Save it with all its digits.")
            }
            Self::DamagedCell => f.write_str("the cell is damaged. Type it again."),
            Self::MergedCells(cells) => write!(
                f,
                "the cells {cells} are merged. Unmerge them, and write into each what it should say."
            ),
            Self::Link { text, address } => write!(
                f,
                "the cell shows {text} and is a link to {address}. Say whether codes take the texts of links or their addresses."
            ),
            Self::HiddenAddress(text) => write!(
                f,
                "the cell shows {text} and is a link, but its formula does not tell the address. Make codes of the texts of links, or write \
                 the addresses into a column of their own."
            ),
            Self::NameAlone(name) => write!(f, "the row holds nothing but the name “{name}”."),
            Self::Placeholder(text) => write!(f, "the cell holds the placeholder “{text}”."),
            Self::Note(text) => write!(f, "the cell holds the note “{text}”."),
            Self::NoteAlone(text) => {
                write!(f, "the row has nothing but “{text}”. If it is a note, delete it, or skip it.")
            }
            Self::Total | Self::TotalOfColumns => {
                f.write_str("the row seems to be the total of the rows above it. Delete it, or skip it.")
            }
            Self::OtherDay => f.write_str(
                "the row has another day than the one that you typed for all events. Clear the typed day, and write the day of each event into a \
                 column, or skip the row.",
            ),
            Self::NoTime => f.write_str(
                "the row has no time, so it may be no event. Write its time, or all day for an event of the whole day, or skip the row.",
            ),
            Self::BelowOtherDay { row, text } => write!(
                f,
                "the row may belong to “{text}” in row {row} above, and you typed one day for all events. Clear the typed day, and write the day of each \
                 event into a column, or delete row {row}."
            ),
            Self::OwnDay(text) => write!(
                f,
                "the row says “{text}”, and you typed one day for all events. Clear the typed day, and write the day of each event into a column, \
                 or skip the row. If this is not the event's day, delete its column."
            ),
            Self::EarlyMorning => f.write_str(
                "this time may be on the next day: events above start later. Write the day of each event into a column.",
            ),
            Self::EarlyTime => f.write_str(
                "this time may be on the next day, or in the afternoon: events above start later. Write 13:00 for an afternoon. For the next day, \
                 write the day of each event into a column.",
            ),
            Self::OtherCurrency(name) => write!(f, "{name}. Payment codes are in euros."),
            Self::Cents => f.write_str(
                "the amount is in cents, by the name of its column. Write it in euros, such as 25.00, in a column called Amount.",
            ),
            Self::Kind(fault) | Self::CheckDigit(fault) => f.write_str(&fault.message),
            Self::Text(reason) => {
                let (first, rest) = reason.split_at(reason.chars().next().map_or(0, char::len_utf8));
                write!(f, "{}{rest}", first.to_uppercase())
            }

            Self::ManyDigits => f.write_str(
                "the number has more than 15 digits, of which spreadsheet programs keep 15. Format the column as \
                 text, and type the number again.",
            ),
            Self::CountryFormat => f.write_str(
                "the format of this number or date looks different in every country. Give the column a format \
                 such as 2026-01-31, or save the sheet as CSV.",
            ),
            Self::UnknownFormat(code) => write!(
                f,
                "the number format {code} is not known here. Format the column as text or as a plain number, or save the sheet as CSV."
            ),
            Self::HiddenSign => f.write_str(
                "the number is negative, and its format shows no sign. Choose a format with a minus sign.",
            ),
            Self::HiddenDigits => f.write_str(
                "the format leaves digits of the number out. Choose the format 0, or format the column as text, \
                 and type the number again.",
            ),
            Self::NumberForDate => f.write_str(
                "the cell holds a number, and its format shows no date or time. Give the cell such a format.",
            ),
            Self::NumberWithUnit => f.write_str(
                "the format of this number shows a unit that codes do not have, such as CHF or %: payments are in euros, and \
                 places in degrees. Check the number, and give the cell a format without the unit.",
            ),
            Self::DateForNumber => {
                f.write_str("the cell holds a date, and the code needs a number. Type the number.")
            }
            Self::ZonedDate(text) => {
                write!(f, "the date {text} has a time zone, which a cell has not. Type it without one.")
            }
            Self::DayOrMonth => f.write_str(
                "the first number of the date may be the day or the month. Say which, or write it as 2026-01-31.",
            ),
            Self::OldIsbn(Some(isbn)) => {
                write!(f, "an ISBN of 10 digits is no GTIN. Write the one of 13 digits: {isbn}.")
            }
            Self::OldIsbn(None) => f.write_str(
                "an ISBN of 10 digits is no GTIN. Write the one of 13 digits, which begins with 978 or 979.",
            ),
            Self::CountryOfRow(country) if country.is_empty() => f.write_str(
                "the cell is empty, and the number has no country's code. Write the country, or write the number as +49 30 123456.",
            ),
            Self::CountryOfRow(country) => write!(
                f,
                "no country is known here as “{country}”, and the number has no code of one. Write another name of the country, or write the \
                 number as +49 30 123456."
            ),
            Self::NoCountry => f.write_str(
                "the number has no country's code. Say which country such numbers belong to, or write it as +49 30 123456.",
            ),
            Self::NoDate(text) => write!(f, "there is no date {text}. Correct the cell."),
            Self::NoDateOfNumber => f.write_str("there is no date for this number. Correct the cell."),
            Self::EarlyDate => f.write_str(
                "spreadsheet programs disagree about dates before 1 March 1900. Format the column as text, \
                 and type the date.",
            ),
            Self::Midnight => f.write_str(
                "the time is so little before midnight that programs show it as one day or the other. Correct the cell.",
            ),
        }
    }
}

impl Report {
    /// The sentence of a problem, with its place.
    pub fn sentence(&self, Problem { row, column, fault, .. }: &Problem) -> String {
        let Some(row) = row else {
            return match fault {
                Fault::EmptySheet(_) => format!("{fault}{}", self.other_sheets()),
                fault if fault.asks_for_columns() => format!("{fault}{}", self.only_sheet()),
                fault => fault.to_string(),
            };
        };
        let mut place = match &self.sheet {
            Some(name) if self.sheets.len() > 1 => {
                format!("Sheet {}, row {row}", shortened(name, SHEET_CHARACTERS))
            }
            _ => format!("Row {row}"),
        };
        if let Some(position) = *column {
            let title = self.columns.get(position as usize).map_or_else(|| letters(position), Column::title);
            place = format!("{place}, column {title}");
        }
        format!("{place}: {fault}")
    }

    /// Sentences about the sheet that was read, where the workbook has others.
    pub(crate) fn only_sheet(&self) -> String {
        match (&self.sheet, self.other_sheets()) {
            (Some(name), others) if !others.is_empty() => {
                format!(" Only the sheet {} is read.{others}", shortened(name, SHEET_CHARACTERS))
            }
            _ => String::new(),
        }
    }

    /// A sentence with the sheets that were not read, for when this one is not the right one.
    fn other_sheets(&self) -> String {
        let visible = self.sheets.iter().take(self.visible_sheets);
        let others = visible.filter(|name| Some(*name) != self.sheet.as_ref());
        let mut names: Vec<String> =
            others.take(NAMED_SHEETS + 1).map(|name| shortened(name, SHEET_CHARACTERS)).collect();
        if names.len() > NAMED_SHEETS {
            "…".clone_into(&mut names[NAMED_SHEETS]);
        }
        match names.as_slice() {
            [] => String::new(),
            [name] => format!(" The workbook has another sheet: {name}."),
            names => format!(" The workbook has other sheets: {}.", names.join(", ")),
        }
    }
}
