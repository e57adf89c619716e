//! Records of a CSV file (RFC 4180), told apart by one separator.
//!
//! A quote inside a cell that does not begin with one is a character. The crate `csv` reads a text behind a closing quote as it can,
//! without a word; here it is a problem with a place.

use std::mem;

use crate::bounds::{CELL_BYTES, COLUMNS};
use crate::error::Halt;
use crate::fault::Fault;
use crate::problem::Problem;
use crate::row::{Row, RowSink};

/// The separator of lists that SAP prints, with lines of hyphens between their rows.
pub(super) const BAR: u8 = b'|';

/// The way in which cells are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Separator {
    Byte(u8),
    /// The header has one cell.
    None,
    /// A line is a cell, quotes and all.
    Line,
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
#[allow(clippy::struct_excessive_bools, reason = "each is a thing that was read or not")]
pub(super) struct Records {
    separator: Separator,
    state: State,
    /// The byte before was a carriage return that ended a record.
    after_return: bool,
    /// Something of the record was read.
    begun: bool,
    column: u32,
    cell: Vec<u8>,
    /// Spaces around the cell were left out.
    lost_spaces: bool,
    fault: Option<Fault>,
    /// The record has nothing but hyphens so far, and may be a line between rows.
    is_line: bool,
    /// The record that is read.
    pub row: Row,
}

impl Records {
    pub fn new(separator: Separator) -> Self {
        let mut row = Row::default();
        row.clear(1);
        Self {
            separator,
            state: State::Start,
            after_return: false,
            begun: false,
            column: 0,
            cell: Vec::new(),
            lost_spaces: false,
            fault: None,
            is_line: true,
            row,
        }
    }

    pub fn feed(&mut self, bytes: &[u8], sink: &mut impl RowSink) -> Result<(), Halt> {
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
                self.lost_spaces = false;
                self.state = State::Quoted;
            }
            State::Start if is_space => self.lost_spaces = true,
            State::Quote if byte == b'"' => {
                self.push(byte)?;
                self.state = State::Quoted;
            }
            State::Quote | State::Closed if is_space => self.state = State::Closed,
            State::Quote | State::Closed => {
                self.blame(Fault::TextBehindQuote);
                self.state = State::Bare;
                self.push(byte)?;
            }
            State::Start | State::Bare => {
                if byte == b'\t' {
                    self.blame(Fault::Tab);
                }
                self.state = State::Bare;
                self.row.unseparated |= self.separator == Separator::None && (byte == b',' || byte == b';');
                self.push(byte)?;
            }
            State::Quoted => {}
        }
        Ok(())
    }

    fn blame(&mut self, fault: Fault) {
        self.fault.get_or_insert(fault);
    }

    #[inline]
    fn push(&mut self, byte: u8) -> Result<(), Halt> {
        self.cell.push(byte);
        if self.cell.len() > CELL_BYTES {
            let is_quoted = self.state == State::Quoted;
            let fault = if is_quoted { Fault::LongQuotedCell } else { Fault::LongCell };
            return Err(Halt::Refused(Problem::of_cell(self.row.number, self.column, fault)));
        }
        Ok(())
    }

    fn end_cell(&mut self, sink: &mut impl RowSink) -> Result<(), Halt> {
        if self.separator == Separator::Line {
            self.cell = self.cell.trim_ascii().to_vec();
        } else if self.state == State::Bare {
            let kept = self.cell.trim_ascii_end().len();
            self.lost_spaces |= kept < self.cell.len();
            self.cell.truncate(kept);
        }
        self.is_line &= self.cell.iter().all(|byte| b"-+=".contains(byte));
        if self.separator == Separator::Byte(BAR) {
            // The cells are as wide as their column.
            self.lost_spaces = false;
        }
        let text = String::from_utf8_lossy(&self.cell);
        let value = if self.separator == Separator::Line { None } else { value_behind_equals(&text) };
        if value.is_none() && self.state == State::Bare && text.starts_with('=') && text.contains('"') {
            self.fault.get_or_insert(Fault::Formula);
        }
        let text = value.as_deref().unwrap_or(&text);
        if !text.is_empty() || self.fault.is_some() {
            if self.row.is_as_header() {
                self.row.compare(sink.is_in_header(self.column, text));
            }
            if sink.wants(self.column) || self.fault.is_some() {
                if let Some(cell) = self.row.push(self.column, text, self.fault.take())? {
                    cell.lost_spaces = self.lost_spaces;
                }
            } else {
                self.row.other.get_or_insert(self.column);
            }
        }
        if self.column >= COLUMNS {
            return Err(Halt::Refused(Problem::of_row(self.row.number, Fault::ManyColumns(COLUMNS))));
        }
        self.fault = None;
        self.lost_spaces = false;
        self.cell.clear();
        self.column += 1;
        self.state = State::Start;
        Ok(())
    }

    fn end_row(&mut self, sink: &mut impl RowSink) -> Result<(), Halt> {
        self.end_cell(sink)?;
        self.row.width = self.column;
        if self.separator != Separator::Byte(BAR) || !self.is_line {
            sink.row(&self.row)?;
        }
        self.is_line = true;
        self.row.clear(self.row.number + 1);
        self.column = 0;
        self.begun = false;
        Ok(())
    }

    pub fn finish(&mut self, sink: &mut impl RowSink) -> Result<(), Halt> {
        if self.state == State::Quoted {
            return Err(Halt::Refused(Problem::of_cell(self.row.number, self.column, Fault::OpenQuote)));
        }
        if self.begun || self.state != State::Start { self.end_row(sink) } else { Ok(()) }
    }
}

/// The value of a cell such as `="007"`, by which programs keep spreadsheet programs from reading a number.
fn value_behind_equals(text: &str) -> Option<String> {
    let inner = text.strip_prefix("=\"")?.strip_suffix('"')?;
    let quotes_are_twins = inner.split("\"\"").all(|part| !part.contains('"'));
    quotes_are_twins.then(|| inner.replace("\"\"", "\""))
}
