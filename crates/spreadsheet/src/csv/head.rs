//! The beginning of a CSV file: which character separates its cells.

use std::cmp::Reverse;

use super::records::{BAR, Records, Separator};
use crate::columns::Columns;
use crate::error::Halt;
use crate::fault::Fault;
use crate::header::{self, FirstRows, Header, TITLES};
use crate::problem::Problem;
use crate::row::RowSink;
use crate::{ReadRequest, SheetLayout};

/// Characters that separate cells, where the file does not name another.
const SEPARATORS: [u8; 4] = [b',', b';', b'\t', BAR];

/// The layout of a file, by its first rows.
pub(super) struct Head {
    /// The position at which the rows begin.
    pub start: usize,
    pub separator: Separator,
}

impl Head {
    /// Returns `None` if more text is needed. `is_all`: decide with this text.
    pub fn find(text: &str, is_all: bool, request: &ReadRequest<'_>) -> Result<Option<Self>, Halt> {
        let line = text.split_inclusive(['\n', '\r']).next().unwrap_or(text);
        if let Some(separator) = named_separator(line.trim_end_matches(['\n', '\r'])) {
            let start =
                line.len() + usize::from(line.ends_with('\r') && text[line.len()..].starts_with('\n'));
            let is_cut = start == text.len() && !is_all;
            return Ok((!is_cut).then_some(Self { start, separator: Separator::Byte(separator) }));
        }
        let (mut separated, mut needs_more) = (Vec::new(), false);
        for separator in SEPARATORS.map(Separator::Byte).into_iter().chain([Separator::None]) {
            let rows = first_rows(text, is_all, separator, request);
            match header::find(&rows.candidates, is_all) {
                Header::Searching => needs_more = true,
                found => separated.push((separator, rows, found)),
            }
        }
        // A named header is certain whatever else the file holds. A whole line may be a title above it.
        let is_certain = |(_, rows, found): &(Separator, FirstRows<'_>, Header)| matches!(found, Header::Named(index) if rows.names[*index].len() > 1);
        if needs_more && !separated.iter().any(is_certain) {
            return Ok(None);
        }
        Ok(Some(Self { start: 0, separator: choose(text, &separated, request)? }))
    }
}

/// The separator with which the header makes most sense.
fn choose(
    text: &str,
    separated: &[(Separator, FirstRows<'_>, Header)],
    request: &ReadRequest<'_>,
) -> Result<Separator, Halt> {
    let mut choices = Vec::new();
    let mut fits_alone = false;
    // The line alone is a title above the names.
    let mut is_titled = false;
    for (separator, rows, found) in separated {
        // Commas are in texts, too.
        let least = if *separator == Separator::Byte(b',') { 3 } else { 2 };
        let cells_of = |index: usize| rows.names.get(index).map_or(0, Vec::len);
        let names_extensions = |index: usize| {
            cells_of(index) > 1 && rows.candidates.get(index).is_some_and(|row| row.names_extensions)
        };
        let is_table = |index: usize| {
            let cells = cells_of(index);
            let has_least = cells >= least || names_extensions(index);
            index <= TITLES && has_least && is_even(text, *separator, cells)
        };
        let (index, is_named) = match *found {
            Header::Named(index) if request.layout == SheetLayout::Header || index == 0 => (index, true),
            Header::Named(index) if is_table(index) => (index, true),
            Header::Unnamed(index) if is_table(index) => (index, false),
            _ => (0, false),
        };
        let names = match (rows.names.get(index), separator) {
            (Some(names), _) => names,
            // Nothing but separators.
            (None, Separator::Byte(_)) if rows.is_sound => return Ok(*separator),
            (None, _) => continue,
        };
        is_titled |= index > 0 && names_extensions(index);
        let columns = Columns::resolve(names, request, &[]);
        let has_data = columns.data().is_some();
        if *separator == Separator::None {
            fits_alone = has_data && is_named;
        } else if names.len() > 1 {
            let filled = names.iter().filter(|name| !name.is_empty()).count();
            let is_even = is_even(text, *separator, names.len());
            // Names such as `Nachname, Vorname` are in one cell, and so are those of the people.
            let cells = if has_data { 0 } else { filled };
            choices.push(((has_data, is_even, Reverse(index), cells, columns.used(), filled), *separator));
        }
    }
    choices.sort_unstable_by_key(|&(key, _)| key);
    let alone =
        if request.layout == SheetLayout::Lines && !fits_alone { Separator::Line } else { Separator::None };
    match choices.as_slice() {
        [.., ((false, ..), separator)]
            if (fits_alone && !is_titled)
                || (request.layout == SheetLayout::Lines && *separator != Separator::Byte(b'\t')) =>
        {
            Ok(alone)
        }
        [] => Ok(alone),
        [.., (key, _), (other, _)] if key == other => {
            Err(Halt::Refused(Problem::of_row(1, Fault::SeveralSeparators)))
        }
        [.., (_, separator)] => Ok(*separator),
    }
}

/// Most lines of a text have so many cells.
fn is_even(text: &str, separator: Separator, cells: usize) -> bool {
    let Separator::Byte(separator) = separator else { return false };
    let lines = || text.split(['\r', '\n']).filter(|line| !line.trim().is_empty());
    let has_as_many = |line: &&str| outside_quotes(line, separator) + 1 == cells;
    2 * lines().filter(has_as_many).count() >= lines().count()
}

/// The separators of a line that are not in quotes. A cell in quotes begins with one, whatever separates the cells.
fn outside_quotes(line: &str, separator: u8) -> usize {
    let (mut is_quoted, mut before, mut count) = (false, b',', 0);
    for byte in line.bytes() {
        let is_quote = byte == b'"';
        if is_quoted {
            is_quoted = !is_quote;
        } else if is_quote && (SEPARATORS.contains(&before) || before == b'"') {
            is_quoted = true;
        } else {
            count += usize::from(byte == separator);
        }
        before = byte;
    }
    count
}

/// The first rows of a text, whose cells are separated so.
fn first_rows<'r>(
    text: &str,
    is_all: bool,
    separator: Separator,
    request: &'r ReadRequest<'r>,
) -> FirstRows<'r> {
    let mut rows = FirstRows::new(request);
    let mut records = Records::new(separator);
    let mut read = records.feed(text.as_bytes(), &mut rows);
    if is_all && read.is_ok() {
        read = records.finish(&mut rows);
    }
    if matches!(read, Err(Halt::Refused(_))) {
        // The reading of the whole file tells the fault; until then the beginning of the row has to do.
        rows.is_sound = false;
        let _ = rows.row(&records.row);
    }
    rows
}

/// The separator of a line such as `sep=;`.
fn named_separator(line: &str) -> Option<u8> {
    let (word, separator) = line.trim_matches('"').split_at_checked(4)?;
    let &[separator] = separator.as_bytes() else { return None };
    let is_separator = separator == b'\t' || (separator.is_ascii_punctuation() && separator != b'"');
    (word.eq_ignore_ascii_case("sep=") && is_separator).then_some(separator)
}
