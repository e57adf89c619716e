//! Records of a CSV file (RFC 4180), told apart by one separator.
//!
//! The crate `csv` reads a quote in the wrong place as it can, without a word; here it is a problem with a place.

use std::mem;

use crate::columns::Columns;
use crate::error::{Halt, SpreadsheetError};
use crate::problem::Problem;
use crate::row::{CELL_BYTES, COLUMNS, Row, RowSink};
use crate::table::Table;
use crate::text::{Encoding, TextReader};
use crate::{Layout, ReadRequest};

/// Characters that separate cells, where the file does not name another.
const SEPARATORS: [u8; 3] = [b',', b';', b'\t'];

/// Bytes that the first record may have, and every other one as far as its cells are used.
const RECORD_BYTES: usize = 1_000_000;

/// Reads the file into the table.
pub(crate) fn read(request: &ReadRequest<'_>, encoding: Encoding, table: &mut Table<'_>) -> Result<(), Halt> {
    let fail = SpreadsheetError::io(request.file);
    let mut reader = TextReader::open(request.file, encoding).map_err(&fail)?;
    if encoding == Encoding::Windows1252 {
        table.note_windows_1252();
    }
    let mut text = String::new();
    let mut more = true;
    let head = loop {
        more = more && reader.read(&mut text).map_err(&fail)?;
        match Head::find(&text, !more) {
            Some(head) => break head,
            None if more && text.len() <= RECORD_BYTES => {}
            None if more => {
                return Err(Halt::refuse("The first row is longer than a megabyte. The file is no table."));
            }
            None => return Ok(()),
        }
    };
    let separator = head.separator(&text, request)?;
    if matches!(separator, Separator::Line) {
        table.expect_lines();
    }
    table.set_separated(!matches!(separator, Separator::None | Separator::Line));
    let mut records = Records::new(separator);
    let mut start = head.start;
    loop {
        records.feed(&text.as_bytes()[start..], table)?;
        text.clear();
        start = 0;
        more = more && reader.read(&mut text).map_err(&fail)?;
        if !more && text.is_empty() {
            return records.finish(table);
        }
    }
}

/// How cells are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Separator {
    Byte(u8),
    /// The header has one cell.
    None,
    /// A line is a cell, quotes and all.
    Line,
}

/// The beginning of a file.
struct Head {
    /// The separator that the file names in a line of its own.
    named: Option<u8>,
    /// Where the rows begin.
    start: usize,
    /// Where the first record that is not empty begins.
    record: usize,
    /// Where it ends.
    end: usize,
}

impl Head {
    /// Nothing where the text ends before the first record does.
    fn find(text: &str, is_whole: bool) -> Option<Self> {
        let bytes = text.as_bytes();
        let mut named = None;
        let (mut start, mut position) = (0, 0);
        loop {
            let end = record_end(bytes, position).or(if is_whole { Some(bytes.len()) } else { None })?;
            if end == position && end == bytes.len() {
                return None;
            }
            let record = &text[position..end];
            let after = if bytes.get(end) == Some(&b'\r') && bytes.get(end + 1) == Some(&b'\n') {
                end + 2
            } else {
                end + 1
            };
            if position == start
                && named.is_none()
                && let Some(separator) = named_separator(record)
            {
                named = Some(separator);
                start = after.min(bytes.len());
            } else if !record.bytes().all(|byte| b" \t,;\"".contains(&byte)) {
                return Some(Self { named, start, record: position, end });
            }
            if after >= bytes.len() {
                // The other half of the line end may be in the next block.
                return None;
            }
            position = after;
        }
    }

    /// The separator with which the header makes most sense.
    fn separator(&self, text: &str, request: &ReadRequest<'_>) -> Result<Separator, Halt> {
        if let Some(separator) = self.named {
            return Ok(Separator::Byte(separator));
        }
        let record = &text[self.record..self.end];
        let mut candidates: Vec<(bool, usize, usize, u8)> = Vec::new();
        for separator in SEPARATORS {
            let names = cells_of(record, Separator::Byte(separator));
            if names.len() > 1 {
                let columns = Columns::resolve(&names, request);
                let has_data = columns.by_role[0].is_some();
                candidates.push((has_data, columns.used(), names.len(), separator));
            }
        }
        candidates.sort_unstable();
        if request.layout == Layout::Lines {
            let alone = Columns::resolve(&cells_of(record, Separator::None), request);
            return Ok(match candidates.last() {
                Some((true, _, _, separator)) => Separator::Byte(*separator),
                _ if alone.by_role[0].is_some() => Separator::None,
                _ => Separator::Line,
            });
        }
        match candidates.as_slice() {
            [] => Ok(Separator::None),
            [.., (data, used, cells, _), (other_data, other_used, other_cells, _)]
                if (data, used, cells) == (other_data, other_used, other_cells) =>
            {
                Err(Halt::Refused(Problem::of_row(
                    1,
                    "the cells may be separated by more than one character. Write a line such as sep=; before the \
                     first row, or save the file as XLSX.",
                )))
            }
            [.., (_, _, _, separator)] => Ok(Separator::Byte(*separator)),
        }
    }
}

/// The separator of a line such as `sep=;`.
fn named_separator(record: &str) -> Option<u8> {
    let record = record.trim_matches('"');
    let (word, separator) = record.split_at_checked(4)?;
    let &[separator] = separator.as_bytes() else { return None };
    let is_separator = separator == b'\t' || (separator.is_ascii_punctuation() && separator != b'"');
    (word.eq_ignore_ascii_case("sep=") && is_separator).then_some(separator)
}

/// The end of the record that begins at `start`, without its line end.
fn record_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut quoted = false;
    for (index, byte) in bytes.iter().enumerate().skip(start) {
        match byte {
            b'"' => quoted = !quoted,
            b'\r' | b'\n' if !quoted => return Some(index),
            _ => {}
        }
    }
    None
}

/// The cells of one record.
fn cells_of(record: &str, separator: Separator) -> Vec<String> {
    struct Cells(Vec<String>);
    impl RowSink for Cells {
        fn wants(&self, _: u32) -> bool {
            true
        }
        fn row(&mut self, row: &Row) -> Result<(), Halt> {
            for cell in &row.cells {
                self.0.resize(cell.column as usize, String::new());
                self.0.push(row.text(cell).into_owned());
            }
            Ok(())
        }
    }
    let mut cells = Cells(Vec::new());
    let mut records = Records::new(separator);
    // What is wrong is told when the file is read.
    let _ = records.feed(record.as_bytes(), &mut cells).and_then(|()| records.finish(&mut cells));
    cells.0
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Before the first character of a cell that counts.
    Start,
    Bare,
    Quoted,
    /// Behind a quote inside a quoted cell.
    Quote,
    /// Behind the closing quote and spaces.
    Closed,
}

/// A reader of records.
struct Records {
    separator: Separator,
    state: State,
    /// The byte before was a carriage return that ended a record.
    after_return: bool,
    /// Something of the record was read.
    begun: bool,
    column: u32,
    cell: Vec<u8>,
    fault: Option<String>,
    row: Row,
}

impl Records {
    fn new(separator: Separator) -> Self {
        let mut row = Row::default();
        row.clear(1);
        Self {
            separator,
            state: State::Start,
            after_return: false,
            begun: false,
            column: 0,
            cell: Vec::new(),
            fault: None,
            row,
        }
    }

    fn feed(&mut self, bytes: &[u8], sink: &mut impl RowSink) -> Result<(), Halt> {
        for &byte in bytes {
            if mem::take(&mut self.after_return) && byte == b'\n' {
                continue;
            }
            self.take(byte, sink)?;
        }
        Ok(())
    }

    #[inline]
    fn take(&mut self, byte: u8, sink: &mut impl RowSink) -> Result<(), Halt> {
        if self.state == State::Quoted {
            if byte == b'"' {
                self.state = State::Quote;
            } else {
                self.push(byte)?;
            }
            return Ok(());
        }
        if byte == b'\n' || byte == b'\r' {
            self.after_return = byte == b'\r';
            return self.end_row(sink);
        }
        self.begun = true;
        if self.separator == Separator::Byte(byte) {
            return self.end_cell(sink);
        }
        if self.separator == Separator::Line {
            return self.push(byte);
        }
        let is_space = byte == b' ' || byte == b'\t';
        match self.state {
            State::Start if byte == b'"' => {
                self.cell.clear();
                self.state = State::Quoted;
            }
            State::Start if is_space => {}
            State::Quote if byte == b'"' => {
                self.push(byte)?;
                self.state = State::Quoted;
            }
            State::Quote | State::Closed if is_space => self.state = State::Closed,
            State::Quote | State::Closed => {
                self.blame("text follows the closing quote. A quote inside a cell is written twice");
                self.state = State::Bare;
                self.push(byte)?;
            }
            State::Start | State::Bare => {
                if byte == b'"' {
                    self.blame("a quote stands inside a cell that does not begin with one. Put the cell in quotes, and write the quote twice");
                } else if byte == b'\t' {
                    self.blame("the cell holds a tab, but tabs do not separate the columns of the first row");
                }
                self.state = State::Bare;
                self.row.unseparated |= self.separator == Separator::None && (byte == b',' || byte == b';');
                self.push(byte)?;
            }
            State::Quoted => {}
        }
        Ok(())
    }

    fn blame(&mut self, what: &str) {
        self.fault.get_or_insert_with(|| format!("{what}."));
    }

    #[inline]
    fn push(&mut self, byte: u8) -> Result<(), Halt> {
        self.cell.push(byte);
        if self.cell.len() > CELL_BYTES {
            let what = if self.state == State::Quoted {
                "the quote that opens this cell is not closed."
            } else {
                "the cell is longer than a spreadsheet program allows."
            };
            return Err(Halt::Refused(Problem::of_cell(self.row.number, self.column, what)));
        }
        Ok(())
    }

    fn end_cell(&mut self, sink: &mut impl RowSink) -> Result<(), Halt> {
        if self.separator == Separator::Line {
            self.cell = self.cell.trim_ascii().to_vec();
        } else if self.state == State::Bare {
            let kept = self.cell.trim_ascii_end().len();
            self.cell.truncate(kept);
        }
        if !self.cell.is_empty() || self.fault.is_some() {
            if sink.wants(self.column) || self.fault.is_some() {
                self.row.push(self.column, &self.cell, self.fault.take());
            } else {
                self.row.other.get_or_insert(self.column);
            }
        }
        if self.row.len() > RECORD_BYTES || self.column >= COLUMNS {
            let what = "the row is longer than a spreadsheet program allows.";
            return Err(Halt::Refused(Problem::of_row(self.row.number, what)));
        }
        self.fault = None;
        self.cell.clear();
        self.column += 1;
        self.state = State::Start;
        Ok(())
    }

    fn end_row(&mut self, sink: &mut impl RowSink) -> Result<(), Halt> {
        self.end_cell(sink)?;
        self.row.width = self.column;
        sink.row(&self.row)?;
        self.row.clear(self.row.number + 1);
        self.column = 0;
        self.begun = false;
        Ok(())
    }

    fn finish(&mut self, sink: &mut impl RowSink) -> Result<(), Halt> {
        if self.state == State::Quoted {
            let what = "the quote that opens this cell is not closed.";
            return Err(Halt::Refused(Problem::of_cell(self.row.number, self.column, what)));
        }
        if self.begun || self.state != State::Start { self.end_row(sink) } else { Ok(()) }
    }
}
