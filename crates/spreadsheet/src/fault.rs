//! Everything that can be wrong with a spreadsheet, as values. `sentences.rs` says them in words.

use qrpress_kinds::{Kind, PatternError};

use crate::role::Role;

/// A thing that is wrong with a file, a row or a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    // The file.
    /// The file has no bytes.
    EmptyFile,
    /// The file has more megabytes than this.
    LargeFile(u64),
    /// The body would have more megabytes than this.
    LargeBody(u64),
    /// The cells that are used show more text than a job may have.
    LargeText,
    /// A password protects the file.
    Password,
    /// The file is of another kind, which the words name.
    OtherKind(&'static str),
    /// The file holds contacts, each as a vCard.
    VCards,
    /// The file is a calendar (RFC 5545).
    Calendar,
    /// The text is UTF-32.
    Utf32,
    /// The text is UTF-16, and does not say so.
    Utf16WithoutMark,
    /// The text is in an encoding with this name.
    ForeignEncoding(&'static str),
    /// There is nothing in a CSV file.
    NothingInFile,
    /// There is nothing on the sheet.
    EmptySheet(String),
    /// There are names of columns, and no rows.
    NoRows,

    // A workbook.
    /// The workbook breaks the rules of its format.
    DamagedWorkbook,
    /// The ZIP archive holds no workbook.
    NoWorkbook,
    /// The archive has more parts than any program writes.
    ManyParts,
    /// A part is larger than any program writes it.
    LargePart,
    /// The shared texts are more than a job may have.
    ManyTexts,
    /// The workbook has more sheets than this.
    ManySheets(usize),
    /// A part has a document type.
    DocumentType,
    /// The workbook has no sheet.
    NoSheets,
    /// Every sheet is hidden. The sheets are these.
    HiddenSheets(String),
    /// There is no sheet of this name. The sheets are these.
    UnknownSheet {
        /// The name that was asked for.
        name: String,
        /// The names of all sheets.
        known: String,
    },

    // The columns.
    /// The first row holds data, and no names.
    NoHeader,
    /// No column holds the data. The columns are these.
    NoDataColumn(String),
    /// No column holds a field that the kind needs.
    NoFieldColumn {
        /// The field.
        field: &'static str,
        /// The kind.
        kind: Kind,
        /// The columns that there are.
        columns: String,
    },
    /// There is no column of this name.
    UnknownColumn {
        /// The name.
        name: String,
        /// The columns that there are.
        columns: String,
    },
    /// Two columns have the same name.
    SameName {
        /// The letters of both.
        letters: [String; 2],
        /// The name.
        name: String,
    },
    /// Two columns could be the member of an item, or the field of a kind.
    SeveralColumns {
        /// Both columns.
        columns: [String; 2],
        /// The member or field.
        target: &'static str,
    },
    /// The kind has no field of this name.
    UnknownField {
        /// The kind.
        kind: Kind,
        /// The name.
        field: String,
    },
    /// The kind forbids a text that was typed for all rows, for this reason.
    Text(String),
    /// The pattern of a member cannot be read.
    BadPattern {
        /// The member.
        role: Role,
        /// The reason.
        error: PatternError,
    },

    // A row.
    /// Several characters may separate the cells.
    SeveralSeparators,
    /// A byte is 0.
    Nul,
    /// The row has more cells than the first row, which has so many.
    ManyCells(usize),
    /// The row has more columns than a spreadsheet may have.
    ManyColumns(u32),
    /// The row has more text than any row.
    LongRow,
    /// A job has at most so many items.
    ManyItems(u64),
    /// The row repeats the header.
    RepeatedHeader,
    /// The pattern of the member makes more bytes than a cell may have.
    LongMember {
        /// The member.
        role: Role,
        /// The most bytes.
        most: usize,
    },

    // A cell.
    /// The cell of the data is empty, and the row is not.
    NoData,
    /// The pattern of the member needs the cell, which is empty.
    EmptyInPattern(Role),
    /// The cell is longer than any cell.
    LongCell,
    /// The cell is longer than any cell, or its quote is not closed.
    LongQuotedCell,
    /// The quote that opens the cell is not closed.
    OpenQuote,
    /// Text follows the closing quote.
    TextBehindQuote,
    /// The cell holds a tab.
    Tab,
    /// A formula of a CSV file.
    Formula,
    /// A formula that no program has computed.
    UncomputedFormula,
    /// A replacement character.
    DamagedCharacter,
    /// A control character.
    ControlCharacter(char),
    /// UTF-8 that was encoded twice: the text, and as it may be meant.
    EncodedTwice([String; 2]),
    /// The column was too narrow to show the value.
    NarrowColumn,
    /// The cell shows this error.
    ErrorValue(String),
    /// The program that wrote the file left digits out.
    ShortenedNumber,
    /// The program that wrote the file added a decimal.
    AddedDecimal,
    /// The number has a power of ten.
    PowerOfTen,
    /// The cell breaks the rules of its format.
    DamagedCell,
    /// These cells are merged.
    MergedCells(String),
    /// The cell is a link, and shows another text than the address.
    Link {
        /// The beginning of the text.
        text: String,
        /// The beginning of the address.
        address: String,
    },
    /// The cell shows this text and is a link, and its formula does not tell the address.
    HiddenAddress(String),
    /// The cell holds this placeholder, and the person leaves such rows out.
    Placeholder(String),
    /// The cell holds this note, and the person leaves such rows out.
    Note(String),
    /// The contact has nothing but this name, and the person leaves such rows out.
    NameAlone(String),
    /// The row has nothing but this note, and makes no code.
    NoteAlone(String),
    /// The payment is the total of those above it, as it seems.
    Total,
    /// The row has a word for totals and numbers alone.
    TotalOfColumns,
    /// The event is on another day than the one that was typed for all.
    OtherDay,
    /// The event has no time. Its day was typed for all.
    NoTime,
    /// A row above seems to begin another day than the one that was typed for all events.
    BelowOtherDay {
        /// That row.
        row: u64,
        /// The day as it says it.
        text: String,
    },
    /// The row says this day of its own. One day was typed for all events.
    OwnDay(String),
    /// The event starts before the morning, below others of its day.
    EarlyTime,
    /// The same, and the time says that it is before noon.
    EarlyMorning,
    /// The payment is in a currency with this name.
    OtherCurrency(String),
    /// The amount of a payment is in cents.
    Cents,
    /// The check digit of a number of goods is wrong, and all its digits are there.
    CheckDigit(qrpress_kinds::Fault),
    /// The kind forbids the value.
    Kind(qrpress_kinds::Fault),

    // A number and its format.
    /// The number has more digits than programs keep.
    ManyDigits,
    /// The format looks different in every country.
    CountryFormat,
    /// The number format is not known here.
    UnknownFormat(String),
    /// The number is negative, and its format shows no sign.
    HiddenSign,
    /// The format leaves digits out.
    HiddenDigits,
    /// The cell is a number, and the field a date.
    NumberForDate,
    /// The cell shows a unit, such as a currency other than the euro, and the field is a number.
    NumberWithUnit,
    /// The cell is a date, and the field a number.
    DateForNumber,
    /// The date has a time zone.
    ZonedDate(String),
    /// The first number of the date may be the day or the month.
    DayOrMonth,
    /// The telephone number has no country's code.
    NoCountry,
    /// An ISBN of 10 digits is no GTIN: the one of 13 digits, if its check digit is right.
    OldIsbn(Option<String>),
    /// The row of a telephone number without its country's code names no country that is known: this text.
    CountryOfRow(String),
    /// There is no such date.
    NoDate(String),
    /// There is no date for the number.
    NoDateOfNumber,
    /// The date is before 1 March 1900.
    EarlyDate,
    /// Programs differ in the day.
    Midnight,
}

impl Fault {
    /// The choice by which people mend or leave out such rows, beside that of all faulty rows: `placeholder` or `checkDigit`.
    pub fn choice(&self) -> Option<&'static str> {
        match self {
            Self::Placeholder(_)
            | Self::Note(_)
            | Self::NameAlone(_)
            | Self::NoteAlone(_)
            | Self::TotalOfColumns => Some("placeholder"),
            Self::CheckDigit(_) => Some("checkDigit"),
            _ => None,
        }
    }

    /// The person has to say which column is which.
    pub(crate) fn asks_for_columns(&self) -> bool {
        matches!(
            self,
            Self::NoHeader
                | Self::NoDataColumn(_)
                | Self::NoFieldColumn { .. }
                | Self::UnknownColumn { .. }
                | Self::SameName { .. }
                | Self::SeveralColumns { .. }
                | Self::UnknownField { .. }
                | Self::BadPattern { .. }
        )
    }
}
