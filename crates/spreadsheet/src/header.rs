//! Finds the row that names the columns: titles and comments may stand above it.

use std::collections::HashSet;

use crate::ReadRequest;
use crate::columns::Columns;
use crate::error::Halt;
use crate::fields::names_field;
use crate::names::{is_web_link, looks_like_data, role_of};
use crate::parts::names_extension;
use crate::proposal::proposal;
use crate::role::{ColumnChoice, Role};
use crate::row::{Row, RowSink};

/// Rows that are not empty, among which the names of the columns are looked for.
const ROWS: usize = 20;

/// Rows that are not empty, by which the columns of a sheet are counted.
const WIDE_ROWS: usize = 100;

/// Rows that may stand above a header that has no more cells than they have.
pub(crate) const TITLES: usize = 3;

/// One of the first rows of a sheet: the signs by which it names the columns, or does not.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a thing that the row says or does not say")]
pub(crate) struct Candidate {
    row: u64,
    filled: usize,
    /// Cells between others are empty, as those are that a merged one covers.
    has_gaps: bool,
    pub names_data: bool,
    /// Every cell is a name that is recognised.
    names_all: bool,
    pub holds_data: bool,
    /// A cell is a number or a date.
    pub holds_number: bool,
    is_comment: bool,
    /// A cell names extensions of telephones, which are no field of calls.
    pub names_extensions: bool,
    /// A cell alone that names a field of the chosen kind: of networks that may be open, the name is all that a code needs.
    is_field_alone: bool,
}

impl Candidate {
    /// Judges the texts of a row's cells.
    pub fn of(row: &Row, request: &ReadRequest<'_>) -> Self {
        let chosen = request.columns.iter().rev().find(|(role, _)| *role == Role::Data);
        let is_data_name = |cell: &str| match chosen {
            Some((_, ColumnChoice::Named(name))) => cell.trim().to_lowercase() == name.trim().to_lowercase(),
            _ => role_of(cell) == Some(Role::Data),
        };
        let composed = request.composed.iter().find(|(role, _)| *role == Role::Data);
        let cells = row.cells.iter();
        let mut filled: Vec<&str> =
            cells.map(|cell| row.text(cell)).filter(|text| !text.is_empty()).collect();
        let is_comment = filled.first().is_some_and(|cell| cell.starts_with('#') || is_mark_of_datev(cell))
            || is_pair(&filled);
        if filled.first().is_some_and(|cell| is_mark_of_datev(cell)) {
            filled.clear();
        }
        let names_data = || filled.iter().any(|cell| is_data_name(cell));
        // For the kind `text`, any column that would be recognised as data will do.
        let is_any_text = composed.is_some_and(|(_, composition)| composition.is_any_text());
        Self {
            row: row.number,
            filled: filled.len(),
            has_gaps: row.cells.last().is_some_and(|last| last.column as usize >= row.cells.len()),
            names_data: match composed {
                Some((_, composition)) => {
                    let cells: HashSet<String> =
                        filled.iter().map(|cell| cell.trim().to_lowercase()).collect();
                    let has_field = |kind, field| filled.iter().any(|cell| names_field(kind, field, cell));
                    composition.is_named_by(|name| cells.contains(name), has_field)
                        || (is_any_text && names_data())
                }
                None => names_data(),
            },
            names_all: filled.iter().all(|cell| role_of(cell).is_some()),
            holds_data: filled.iter().any(|cell| looks_like_data(cell)),
            holds_number: filled.iter().any(|cell| is_number(cell)),
            is_comment,
            names_extensions: filled.iter().any(|cell| names_extension(cell)),
            is_field_alone: composed.is_some() && filled.len() == 1,
        }
    }
}

/// The first cell of the line that DATEV writes above the names: `"EXTF";700;21;…`
fn is_mark_of_datev(cell: &str) -> bool {
    ["EXTF", "DTVF"].contains(&cell.trim())
}

/// Two cells of which the first one says what the other is: `Customer:` and `ACME`.
fn is_pair(filled: &[&str]) -> bool {
    let ends = |cell: &str| cell.trim_end().ends_with(':');
    matches!(filled, [key, value] if ends(key) && !ends(value) && role_of(key).is_none())
}

/// A cell of digits and signs. Years are names of columns, too.
fn is_number(cell: &str) -> bool {
    let is_year = cell.len() == 4 && ["19", "20"].iter().any(|century| cell.starts_with(century));
    !is_year && is_number_or_year(cell)
}

/// A cell of digits and signs.
pub(crate) fn is_number_or_year(cell: &str) -> bool {
    cell.contains(|character: char| character.is_ascii_digit()) && !cell.contains(char::is_alphabetic)
}

/// The row that would be the first item if no row named the columns: titles of words alone may stand above a row of several cells.
pub(crate) fn first_of_items(rows: &[Candidate]) -> usize {
    let is_title = |row: &Candidate| row.filled == 1 && !row.holds_data && !row.holds_number;
    let titles = rows.iter().take_while(|row| is_title(row)).count();
    let is_above_row = rows.get(titles).is_some_and(|row| row.filled > 1);
    if titles <= TITLES && is_above_row { titles } else { 0 }
}

/// The rows are enough to tell whether the first one is an item.
pub(crate) fn are_enough(rows: &[Candidate]) -> bool {
    rows.len() >= ROWS
}

/// The place of the header, as far as the rows tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Header {
    /// More rows are needed.
    Searching,
    /// The row at this index names a column of data.
    Named(usize),
    /// No row does. The one at this index comes nearest.
    Unnamed(usize),
}

/// Finds the header among the first rows that are not empty; `ended` where there are no more.
pub(crate) fn find(rows: &[Candidate], ended: bool) -> Header {
    for (index, row) in rows.iter().enumerate() {
        if row.names_data && (index == 0 || stands_out(rows, index)) {
            match is_above_names(row, &rows[index + 1..]) {
                None if !ended => return Header::Searching,
                Some(true) => continue,
                _ => return Header::Named(index),
            }
        }
        // The items have begun.
        if row.holds_data {
            return widest(&rows[..=index], true);
        }
    }
    if ended || rows.len() >= ROWS { widest(rows, false) } else { Header::Searching }
}

/// No column holds the data: one that is called so holds dates, or the person says so.
pub(crate) fn has_no_data(request: &ReadRequest<'_>) -> bool {
    let mut choices = request.columns.iter().rev();
    matches!(choices.find(|(role, _)| *role == Role::Data), Some((_, ColumnChoice::Nothing)))
}

/// The row has titles of groups of columns, which the next one names, or is a title above the names of columns. None where more rows are
/// needed.
fn is_above_names(row: &Candidate, below: &[Candidate]) -> Option<bool> {
    let holds_nothing = |row: &Candidate| !row.holds_data && !row.holds_number;
    let most = if row.is_field_alone { TITLES } else { usize::from(row.has_gaps) };
    let mut texts = below.iter().take(most).take_while(|next| holds_nothing(next));
    let is_above = texts.any(|next| (next.names_data || next.names_extensions) && next.filled > row.filled);
    let is_whole = below.len() >= most || below.iter().any(|next| !holds_nothing(next));
    if is_above && holds_nothing(row) { Some(true) } else { is_whole.then_some(false) }
}

/// The rows above are titles: shorter than this one, or apart from it. An item may say `link`, too.
fn stands_out(rows: &[Candidate], index: usize) -> bool {
    let (above, row) = (&rows[..index], &rows[index]);
    let is_wider = above.iter().all(|title| title.filled < row.filled);
    let is_apart =
        above.last().is_some_and(|last| last.row + 1 < row.row) || above.iter().all(|title| title.is_comment);
    !row.holds_data && (is_wider || (is_apart && row.names_all && index <= TITLES))
}

/// The rows at the beginning that are not empty, as far as they may be the header.
pub(crate) struct FirstRows<'r> {
    request: &'r ReadRequest<'r>,
    pub names: Vec<Vec<String>>,
    pub candidates: Vec<Candidate>,
    /// They could be read.
    pub is_sound: bool,
}

impl<'r> FirstRows<'r> {
    pub fn new(request: &'r ReadRequest<'r>) -> Self {
        Self { request, names: Vec::new(), candidates: Vec::new(), is_sound: true }
    }

    /// One of the rows names all that the items need.
    pub fn name_all(&self) -> bool {
        match find(&self.candidates, true) {
            Header::Named(index) => Columns::resolve(&self.names[index], self.request, &[]).unclear.is_none(),
            Header::Searching | Header::Unnamed(_) => false,
        }
    }

    /// The first row with data has a link, where the person chose no other codes.
    pub fn have_links(&self) -> bool {
        let is_item = |row: &Candidate| row.filled > 1 && !row.is_comment;
        let has_link = |cells: &Vec<String>| cells.iter().any(|cell| is_web_link(cell));
        self.request.composed.iter().all(|(role, _)| *role != Role::Data)
            && self.candidates.last().is_some_and(is_item)
            && self.names.last().is_some_and(has_link)
    }

    /// The names speak for a kind of codes, where the person chose nothing else.
    pub fn propose(&self) -> bool {
        if self.request.composed.iter().any(|(role, _)| *role == Role::Data) {
            return false;
        }
        let index = match find(&self.candidates, true) {
            Header::Named(index) | Header::Unnamed(index) => index,
            Header::Searching => return false,
        };
        let names: Vec<&str> = self.names.get(index).into_iter().flatten().map(String::as_str).collect();
        proposal(&names, has_no_data(self.request)).is_some_and(|proposal| proposal.is_told_by(&names))
    }
}

/// The columns that the first rows fill.
#[derive(Default)]
pub(crate) struct Widths {
    /// Rows, until there are enough of them.
    pub rows: usize,
    pub most: u32,
}

impl RowSink for Widths {
    fn wants(&self, _: u32) -> bool {
        true
    }

    fn row(&mut self, row: &Row) -> Result<(), Halt> {
        let Some(last) = row.cells.last() else { return Ok(()) };
        self.most = self.most.max(last.column + 1);
        self.rows += 1;
        if self.rows < WIDE_ROWS { Ok(()) } else { Err(Halt::Enough) }
    }
}

impl RowSink for FirstRows<'_> {
    fn wants(&self, _: u32) -> bool {
        true
    }

    fn row(&mut self, row: &Row) -> Result<(), Halt> {
        let Some(last) = row.cells.last() else { return Ok(()) };
        let mut names = vec![String::new(); row.width.max(last.column + 1) as usize];
        for cell in &row.cells {
            row.text(cell).clone_into(&mut names[cell.column as usize]);
        }
        self.candidates.push(Candidate::of(row, self.request));
        self.names.push(names);
        match find(&self.candidates, false) {
            Header::Searching => Ok(()),
            _ => Err(Halt::Enough),
        }
    }
}

/// The first row that is as wide as most rows below it: narrower ones are titles. `ends_in_data`: the last row holds data, and the names
/// are above it; else a title is told only by an empty row behind it.
fn widest(rows: &[Candidate], ends_in_data: bool) -> Header {
    let last = rows.len() - usize::from(ends_in_data);
    let is_named = |index: &usize| {
        let row = &rows[*index];
        row.filled > 1 && !row.holds_number && !row.is_comment
    };
    let is_title = |index: &usize| {
        let below = &rows[index + 1..];
        let is_wider = |other: &&Candidate| other.filled > rows[*index].filled;
        2 * below.iter().filter(is_wider).count() > below.len()
            && (ends_in_data || below.first().is_some_and(|next| next.row > rows[*index].row + 1))
    };
    let named = || (0..last).filter(is_named);
    let most = named().map(|index| rows[index].filled).max();
    let found = named()
        .find(|index| !is_title(index))
        .or_else(|| named().find(|index| Some(rows[*index].filled) == most))
        .or_else(|| (0..last).find(|index| rows[*index].filled > 1))
        .unwrap_or(0);
    // Titles as wide as the names stand apart from them.
    let above_data = last.checked_sub(1).filter(|index| {
        ends_in_data
            && *index > found
            && rows[*index].filled >= rows[found].filled
            && !rows[*index].holds_number
            && rows[index - 1].row + 1 < rows[*index].row
    });
    let index = above_data.unwrap_or(found);
    if index > 0 && rows[index].names_data { Header::Named(index) } else { Header::Unnamed(index) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, SheetLayout};
    use std::path::Path;
    use std::time::Duration;

    fn found(rows: &[(u64, &[&str])]) -> Header {
        let request = ReadRequest {
            file: Path::new(""),
            body: Path::new(""),
            meta: "",
            sheet: None,
            columns: &[],
            composed: &[],
            recognise: true,
            layout: SheetLayout::Header,
            links: None,
            dates: None,
            leaves_placeholders: false,
            mends_check_digits: false,
            country: None,
            encoding: None,
            encoded_twice: false,
            finds_sheet: false,
            finds_header: false,
            limits: Limits { max_items: 1, max_bytes: 1, max_problems: 1, max_archive_name_characters: 100 },
            time: Duration::ZERO,
        };
        let candidate = |(number, cells): &(u64, &[&str])| {
            let mut row = Row::default();
            row.clear(*number);
            for (column, text) in (0..).zip(*cells) {
                row.push(column, text, None).unwrap();
            }
            Candidate::of(&row, &request)
        };
        let rows: Vec<Candidate> = rows.iter().map(candidate).collect();
        find(&rows, true)
    }

    #[test]
    fn titles_are_no_header() {
        for (rows, expected) in [
            (&[(1, &["data", "name"][..])][..], Header::Named(0)),
            (
                &[
                    (1, &["Link", "", "Place"]),
                    (2, &["Link", "Text", "Street", "City"]),
                    (3, &["https://example.org", "a", "b", "c"]),
                ],
                Header::Named(1),
            ),
            // A column between them has no name.
            (
                &[
                    (1, &["Link", "", "Place"]),
                    (2, &["https://example.org", "1", "b"]),
                    (3, &["https://example.org", "1", "b", "Link"]),
                ],
                Header::Named(0),
            ),
            (&[(1, &["Our labels"]), (3, &["data", "name"])], Header::Named(1)),
            (&[(1, &["Customer", "ACME"]), (2, &["url", "name", "text"])], Header::Named(1)),
            (&[(1, &["# exported"]), (2, &["url"]), (3, &["a"])], Header::Named(1)),
            (&[(1, &["Our labels"]), (3, &["url"]), (4, &["a"])], Header::Named(1)),
            (&[(1, &["Our labels"]), (3, &["Article", "Target"])], Header::Unnamed(1)),
            (
                &[
                    (1, &["List 2026"]),
                    (3, &["Branch", "North"]),
                    (5, &["No.", "Name", "Sign"]),
                    (6, &["1", "a", "https://example.org"]),
                ],
                Header::Unnamed(2),
            ),
            (
                &[
                    (1, &["Branch", "North"]),
                    (2, &["No.", "Name", "Sign"]),
                    (3, &["1", "a", "www.a.example"]),
                ],
                Header::Unnamed(1),
            ),
            (
                &[(1, &["Branch", "North"]), (3, &["No.", "Sign"]), (4, &["1", "www.a.example"])],
                Header::Unnamed(1),
            ),
            (
                &[(1, &["Branch", "North"]), (3, &["No.", "Link"]), (4, &["1", "www.a.example"])],
                Header::Named(1),
            ),
            (
                &[(1, &["Customer:", "ACME"]), (3, &["Place", "Sign"]), (4, &["A", "Exit"])],
                Header::Unnamed(1),
            ),
            (&[(1, &["Our labels"]), (3, &["Sign"]), (4, &["www.a.example"])], Header::Unnamed(1)),
            (
                &[
                    (1, &["Branch", "North"]),
                    (3, &["A", "B", "C"]),
                    (4, &["x", "y", "z"]),
                    (5, &["x", "y", "z"]),
                ],
                Header::Unnamed(1),
            ),
            (
                &[
                    (1, &["EXTF", "700", "21", "20260101120000"]),
                    (2, &["Account", "Name"]),
                    (3, &["1", "www.a.example"]),
                ],
                Header::Unnamed(1),
            ),
            (
                &[
                    (1, &["EXTF", "700", "21", "20260101120000"]),
                    (2, &["Account", "Link"]),
                    (3, &["1", "www.a.example"]),
                ],
                Header::Named(1),
            ),
        ] {
            assert_eq!(found(rows), expected, "{rows:?}");
        }
    }

    #[test]
    fn items_are_no_header() {
        for rows in [
            &[(1, &["Target", "Kind"][..]), (2, &["A-1", "Text"]), (3, &["A-2", "Link"])][..],
            &[(1, &["Target", "Kind"]), (2, &["A-1", "Text"]), (4, &["A-2", "Link"])],
            &[(1, &["Target"]), (2, &["https://example.org", "Link"])],
            &[(1, &["Target"]), (2, &["foo"]), (3, &["link"])],
            &[(1, &["https://example.org"]), (2, &["url", "name"])],
            // A column without a name, and a note behind a row.
            &[(1, &["No.", "Name"]), (2, &["1", "a", "https://example.org"])],
            &[(1, &["No.", "Name"]), (2, &["1", "a", "x"]), (3, &["2", "b", "https://example.org"])],
            &[(1, &["Room", "Network"]), (2, &["A", "a", "x"]), (3, &["B", "b", "x"])],
            &[(1, &["Room", "Network"]), (3, &["A", "a"]), (4, &["B", "b"]), (5, &["C", "c", "note"])],
        ] {
            assert_eq!(found(rows), Header::Unnamed(0), "{rows:?}");
        }
    }
}
