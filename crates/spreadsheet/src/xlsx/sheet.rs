//! The rows of a sheet.

use std::borrow::Cow;
use std::io::Read;
use std::mem;
use std::rc::Rc;

use super::area::{Area, area_of, place_of};
use super::damaged::damaged;
use super::known_cells::{Content, KnownCells};
use super::link_formulas::{FORMULA_BYTES, LinkFormula, SharedFormulas, Target};
use super::links::{Links, LinksInRows, is_one};
use super::strings::{MOST_ESCAPED, Strings, TextPieces, unescaped};
use super::workbook::Workbook;
use super::xml::{Element, Node, Xml};
use crate::bounds::{CELL_BYTES, COLUMNS, ROWS};
use crate::columns::shortened;
use crate::error::Halt;
use crate::fault::Fault;
use crate::names::{is_bare_link, is_link, is_web_link};
use crate::number_format::{CellNumber, NumberFormat, Shows, serial_of_iso};
use crate::row::{Row, RowSink};
use crate::watch::Watch;

/// Nodes of a sheet that has no items: a million rows that are formatted, and empty.
const NODES: u64 = 30_000_000;

/// Nodes that each item allows besides.
const ITEM_NODES: u64 = 100;

/// Nodes of a sheet that has so many items.
pub(crate) fn nodes(items: u64) -> u64 {
    NODES.saturating_add(ITEM_NODES.saturating_mul(items))
}

/// The links of a sheet that has none.
static NO_LINKS: Links = Links::none();

/// Work for each byte of the code that a cell is shown by, beside a byte of the text that it shows.
const CODE_WORK: u64 = 2;

/// The innermost element of the rows that a node is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Inside {
    /// Before the rows.
    #[default]
    Start,
    /// In the list of rows.
    Rows,
    Row,
    Cell,
    Value,
    Formula,
    /// Behind the rows.
    Rest,
}

/// A cell on its way.
#[derive(Debug, Default)]
struct CellState {
    column: u32,
    kind: String,
    style: usize,
    value: String,
    has_value: bool,
    has_formula: bool,
    formula: String,
    /// The index of a formula that several cells share; empty where they do not.
    shared: String,
    is_wanted: bool,
    inline: TextPieces,
}

/// Bytes of formulas of links that a row's cells have of their own.
const ROW_FORMULA_BYTES: usize = 1_000_000;

/// Formulas of links, and the cells that they refer to.
#[derive(Debug, Default)]
struct Formulas {
    shared: SharedFormulas,
    known: KnownCells,
    /// The formulas of the row's cells that are wanted.
    of_row: Vec<(u32, Rc<LinkFormula>)>,
    /// Bytes of the row's formulas that are not shared.
    row_bytes: usize,
}

impl Formulas {
    fn begin_row(&mut self, row: u64) {
        self.of_row.clear();
        self.row_bytes = 0;
        self.known.begin_row(row);
    }

    /// Keeps a cell's own formula until the row ends. A formula that finds no room is kept without its address.
    fn add(&mut self, column: u32, formula: Rc<LinkFormula>) {
        let bytes = self.row_bytes + formula.bytes();
        if bytes <= ROW_FORMULA_BYTES {
            self.row_bytes = bytes;
            self.of_row.push((column, formula));
        } else {
            self.of_row.push((column, Rc::new(formula.without_address())));
        }
    }
}

/// A reader of sheets.
pub(crate) struct Sheet<'w> {
    workbook: &'w Workbook,
    styles: &'w [Rc<NumberFormat>],
    strings: &'w Strings,
    /// Rows of totals of the sheet's tables.
    pub totals: &'w [Area],
    pub links: &'w Links,
    general: Rc<NumberFormat>,
    watch: &'w Watch<'w>,
}

impl<'w> Sheet<'w> {
    /// A reader of the workbook's sheets, without totals and links.
    pub fn new(
        workbook: &'w Workbook,
        styles: &'w [Rc<NumberFormat>],
        strings: &'w Strings,
        watch: &'w Watch<'w>,
    ) -> Self {
        let general = Rc::new(NumberFormat::parse("General"));
        Self { workbook, styles, strings, totals: &[], links: &NO_LINKS, general, watch }
    }

    /// Reads the rows, and then the sheet's list of merged cells.
    pub fn read<R: Read>(&self, mut xml: Xml<'_, R>, sink: &mut impl RowSink) -> Result<(), Halt> {
        let mut links = self.links.in_rows();
        let mut formulas = Formulas::default();
        let mut row = Row::default();
        let mut cell = CellState::default();
        let mut inside = Inside::Start;
        loop {
            xml.allow(sink.most_nodes());
            let Some(node) = xml.next()? else { return Ok(()) };
            match node {
                Node::Start(element) => match (inside, element.name()) {
                    (Inside::Start, "sheetData") => inside = Inside::Rows,
                    (Inside::Rows, "row") => {
                        begin_row(&mut row, &element)?;
                        self.watch.count_cell(links.begin_row(row.number))?;
                        formulas.begin_row(row.number);
                        cell.column = 0;
                        inside = Inside::Row;
                    }
                    (Inside::Row, "c") => {
                        let column = column_of(&element, row.number, cell.column)?;
                        begin_cell(&mut cell, &element, column);
                        cell.is_wanted = sink.wants(column);
                        inside = Inside::Cell;
                    }
                    (Inside::Cell, "v") if !mem::replace(&mut cell.has_value, true) => inside = Inside::Value,
                    (Inside::Cell, "f") if !mem::replace(&mut cell.has_formula, true) => {
                        cell.shared.push_str(&element.attribute("si").unwrap_or_default());
                        inside = Inside::Formula;
                    }
                    (Inside::Value | Inside::Formula, _)
                    | (Inside::Rows | Inside::Row | Inside::Cell, "sheetData" | "row" | "c" | "v" | "f")
                    | (Inside::Rest, "sheetData") => return Err(damaged()),
                    (Inside::Cell, _) => cell.inline.start(&element)?,
                    (Inside::Start | Inside::Rest, "mergeCell") => {
                        let reference = element.attribute("ref").unwrap_or_default();
                        sink.merged(area_of(&reference).ok_or_else(damaged)?, &reference);
                    }
                    _ => {}
                },
                Node::Text(text) => match inside {
                    Inside::Value if cell.value.len() <= MOST_ESCAPED => cell.value.push_str(&text),
                    Inside::Formula
                        if (cell.is_wanted || !cell.shared.is_empty())
                            && cell.formula.len() <= FORMULA_BYTES =>
                    {
                        cell.formula.push_str(&text);
                    }
                    Inside::Cell => cell.inline.text(&text),
                    _ => {}
                },
                Node::End(end) => match (inside, end.name()) {
                    (Inside::Value, "v") | (Inside::Formula, "f") => inside = Inside::Cell,
                    (Inside::Cell, "c") => {
                        self.note_cell(&cell, row.number, &mut formulas)?;
                        self.end_cell(&cell, &mut row, sink, &links)?;
                        cell.column += 1;
                        inside = Inside::Row;
                    }
                    (Inside::Cell, name) => cell.inline.end(name),
                    (Inside::Row, "row") => {
                        self.link(&mut row, &formulas)?;
                        self.end_row(&row, sink)?;
                        inside = Inside::Rows;
                    }
                    (Inside::Rows, "sheetData") => {
                        sink.end_rows()?;
                        inside = Inside::Rest;
                    }
                    _ => {}
                },
                Node::Nothing => {}
            }
        }
    }

    fn end_cell(
        &self,
        cell: &CellState,
        row: &mut Row,
        sink: &impl RowSink,
        links: &LinksInRows<'_>,
    ) -> Result<(), Halt> {
        if !cell.is_wanted {
            let is_shown = match cell.kind.as_str() {
                "inlineStr" => !cell.inline.text.trim().is_empty(),
                "s" => self.shared_text(cell.value.trim_ascii()) != Some(""),
                // Boxes that nobody has ticked are no content.
                "b" => matches!(cell.value.trim_ascii(), "1" | "true"),
                _ => !cell.value.trim().is_empty(),
            };
            if is_shown {
                if row.is_as_header() {
                    let format = self.format_of(cell);
                    self.watch
                        .count_cell(CODE_WORK * format.as_ref().map_or(0, |format| format.code_bytes))?;
                    let shown = format.and_then(|format| self.shown(cell, format));
                    row.compare(shown.is_ok_and(|text| sink.is_in_header(cell.column, &text)));
                }
                row.other.get_or_insert(cell.column);
            }
            return Ok(());
        }
        let format = self.format_of(cell);
        let code_bytes = format.as_ref().map_or(0, |format| format.code_bytes);
        let shown = format.and_then(|format| self.shown(cell, format));
        let shown_bytes = shown.as_ref().map_or(0, |text| text.len());
        self.watch.count_cell(CODE_WORK * code_bytes + shown_bytes as u64)?;
        let address = links.address(cell.column);
        let number = self.number(cell);
        let (text, fault) = match shown {
            Ok(text) if text.len() > CELL_BYTES => ("".into(), Some(Fault::LongCell)),
            Ok(text) => (text, None),
            Err(fault) => ("".into(), Some(fault)),
        };
        let is_sound = fault.is_none();
        let Some(pushed) = row.push(cell.column, &text, fault)? else { return Ok(()) };
        pushed.number = number;
        if is_sound {
            pushed.varies = self.varies(cell, &text);
            row.compare(sink.is_in_header(cell.column, &text));
            if let Some(address) = address.filter(|address| !is_one(&text, address)) {
                self.watch.count_cell(address.len() as u64)?;
                row.link(cell.column, Some(address))?;
            }
        }
        Ok(())
    }

    /// Keeps the cell for formulas that refer to it, and its own formula if that makes it a link.
    fn note_cell(&self, cell: &CellState, row: u64, formulas: &mut Formulas) -> Result<(), Halt> {
        let (content, bytes) = match cell.kind.as_str() {
            _ if cell.has_formula && !self.is_computed(cell) => (Content::Other, ""),
            "inlineStr" => (Content::Text, cell.inline.text.as_str()),
            "str" => (Content::Escaped, cell.value.as_str()),
            "s" => (Content::Shared, cell.value.trim_ascii()),
            "" | "n" => (Content::Number, cell.value.trim_ascii()),
            _ => (Content::Other, cell.value.as_str()),
        };
        if !bytes.is_empty() || content == Content::Other {
            formulas.known.add(cell.column, content, bytes);
        }
        if cell.has_formula && (cell.is_wanted || !cell.shared.is_empty()) {
            let index = Some(cell.shared.as_str()).filter(|index| !index.is_empty());
            self.watch.count(cell.formula.len() as u64)?;
            match formulas.shared.formula(&cell.formula, index, (cell.column, row))? {
                Some(formula) if cell.is_wanted && index.is_some() => {
                    formulas.of_row.push((cell.column, formula));
                }
                Some(formula) if cell.is_wanted => formulas.add(cell.column, formula),
                _ => {}
            }
        }
        Ok(())
    }

    /// Makes links of the row's cells that have formulas of such.
    fn link(&self, row: &mut Row, formulas: &Formulas) -> Result<(), Halt> {
        for (column, formula) in &formulas.of_row {
            let Some(cell) = row.cell(*column).filter(|cell| cell.fault.is_none()) else { continue };
            self.watch.count_cell(formula.bytes() as u64)?;
            let text = row.text(cell);
            let is_told = row.address(cell).is_some() || is_address(text);
            match formula.target((*column, row.number), |place| formulas.known.value(place, self.strings)) {
                Some(Target::Address(address)) => {
                    self.watch.count_cell(address.len() as u64)?;
                    if !is_one(text, &address) {
                        row.link(*column, Some(&address))?;
                    }
                }
                Some(Target::Unknown) if !is_told => row.link(*column, None)?,
                Some(Target::Unknown) | None => {}
            }
        }
        Ok(())
    }

    /// The number of a cell that holds one.
    fn number(&self, cell: &CellState) -> Option<CellNumber> {
        let is_1904 = self.workbook.is_1904;
        let value = cell.value.trim_ascii();
        let number = match cell.kind.as_str() {
            _ if cell.has_formula && !self.is_computed(cell) => None,
            "" | "n" => value.parse().ok().filter(|number: &f64| number.is_finite()),
            "d" => serial_of_iso(value, is_1904).ok(),
            _ => None,
        }?;
        let shows = match self.format_of(cell).ok()?.shows(number) {
            Shows::Number if cell.kind == "d" && value.contains('T') => Shows::Time,
            Shows::Number if cell.kind == "d" => Shows::Date,
            shows => shows,
        };
        Some(CellNumber { number, shows, is_1904 })
    }

    fn end_row(&self, row: &Row, sink: &mut impl RowSink) -> Result<(), Halt> {
        self.watch.count_cell(self.totals.len() as u64)?;
        let totals = self.totals.iter().filter(|area| (area.top..=area.bottom).contains(&row.number));
        for area in totals {
            if sink.skips_totals(row.number, area.left, area.right) {
                return Ok(());
            }
        }
        sink.row(row)
    }

    /// The format of the cell, or the reason why the cell cannot be taken.
    fn format_of(&self, cell: &CellState) -> Result<&NumberFormat, Fault> {
        match self.styles.get(cell.style) {
            Some(format) => Ok(format),
            None if cell.style == 0 => Ok(&self.general),
            // A number may be a date then.
            None => Err(Fault::DamagedCell),
        }
    }

    /// The text that the cell shows in its format, or a part of it that is longer than a cell.
    fn shown<'c>(&'c self, cell: &'c CellState, format: &NumberFormat) -> Result<Cow<'c, str>, Fault> {
        if cell.has_formula && !self.is_computed(cell) {
            return Err(Fault::UncomputedFormula);
        }
        let value = cell.value.trim_ascii();
        match cell.kind.as_str() {
            "inlineStr" => format.text(&cell.inline.text),
            "str" => in_format(format, unescaped(&cell.value)),
            "e" => Err(Fault::ErrorValue(shortened(value, 40))),
            _ if value.is_empty() => Ok("".into()),
            "s" => {
                let text = self.shared_text(value).ok_or(Fault::DamagedCell)?;
                format.text(text)
            }
            "b" => match value {
                "1" | "true" => Ok("TRUE".into()),
                "0" | "false" => Ok("FALSE".into()),
                _ => Err(Fault::DamagedCell),
            },
            "d" => {
                let is_1904 = self.workbook.is_1904;
                let date = serial_of_iso(value, is_1904)?;
                format.number(date, is_1904).map(Cow::Owned)
            }
            "" | "n" => {
                let number =
                    value.parse().ok().filter(|number: &f64| number.is_finite()).ok_or(Fault::DamagedCell)?;
                format.number(number, self.workbook.is_1904).map(Cow::Owned)
            }
            _ => Err(Fault::DamagedCell),
        }
    }

    /// The shared text of an index.
    fn shared_text(&self, index: &str) -> Option<&str> {
        index.parse().ok().and_then(|index| self.strings.get(index))
    }

    /// The number of the cell looks different in programs of other countries.
    fn varies(&self, cell: &CellState, shown: &str) -> bool {
        let is_number = matches!(cell.kind.as_str(), "" | "n" | "d");
        let number = cell.value.trim_ascii().parse().unwrap_or(0.0);
        is_number && self.styles.get(cell.style).unwrap_or(&self.general).varies(number, shown)
    }

    /// Programs that do not compute write no value, or 0, and leave the rest to the one that opens the file.
    fn is_computed(&self, cell: &CellState) -> bool {
        let is_placeholder =
            self.workbook.is_uncomputed && cell.kind != "str" && cell.value.trim_ascii() == "0";
        let is_empty = !cell.has_value || (cell.kind != "str" && cell.value.trim_ascii().is_empty());
        !is_placeholder && !is_empty
    }
}

/// The text that a link shows is an address itself.
fn is_address(text: &str) -> bool {
    is_web_link(text) || is_bare_link(text) || (is_link(text) && !text.trim().contains(char::is_whitespace))
}

/// A text in a format.
fn in_format<'t>(format: &NumberFormat, text: Cow<'t, str>) -> Result<Cow<'t, str>, Fault> {
    match text {
        Cow::Borrowed(text) => format.text(text),
        Cow::Owned(text) => format.text(&text).map(|shown| Cow::Owned(shown.into_owned())),
    }
}

/// Begins a row: the one that it says, or the next one.
fn begin_row(row: &mut Row, element: &Element<'_>) -> Result<(), Halt> {
    let next = row.number + 1;
    let number = match element.attribute("r") {
        Some(number) => number.parse().map_err(|_| damaged())?,
        None => next,
    };
    if number < next || number > ROWS {
        return Err(damaged());
    }
    row.clear(number);
    row.hidden = element.flag("hidden");
    Ok(())
}

fn begin_cell(cell: &mut CellState, element: &Element<'_>, column: u32) {
    cell.column = column;
    cell.kind.clear();
    cell.kind.push_str(&element.attribute("t").unwrap_or_default());
    cell.style = element.attribute("s").and_then(|style| style.parse().ok()).unwrap_or(0);
    cell.value.clear();
    cell.has_value = false;
    cell.has_formula = false;
    cell.formula.clear();
    cell.shared.clear();
    cell.inline.clear();
}

/// The column of a cell: as it says, or the next one.
fn column_of(element: &Element<'_>, row: u64, next: u32) -> Result<u32, Halt> {
    let column = match element.attribute("r") {
        None => next,
        Some(reference) => {
            let (column, cell_row) = place_of(&reference).ok_or_else(damaged)?;
            if cell_row != row {
                return Err(damaged());
            }
            column
        }
    };
    if column < next || column >= COLUMNS { Err(damaged()) } else { Ok(column) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_of_a_row_are_bounded_together() {
        let mut formulas = Formulas::default();
        let cells = vec!["A2"; 200].join("&");
        let link = LinkFormula::of(&format!("HYPERLINK({cells},\"x\")"), (1, 2)).map(Rc::new).unwrap();
        for _ in 0..2 {
            formulas.begin_row(2);
            for column in 1..1_000 {
                formulas.add(column, link.clone());
            }
            let bytes: usize = formulas.of_row.iter().map(|(_, formula)| formula.bytes()).sum();
            assert!((900_000..1_200_000).contains(&bytes), "{bytes}");
            assert_eq!(formulas.of_row.len(), 999);
        }
    }
}
