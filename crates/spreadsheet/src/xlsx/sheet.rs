//! The rows of a sheet.

use std::borrow::Cow;
use std::io::Read;
use std::mem;
use std::rc::Rc;

use super::area::{Area, area_of, place_of};
use super::damaged::damaged;
use super::strings::{MOST_ESCAPED, Strings, TextPieces, unescaped};
use super::workbook::Workbook;
use super::xml::{Element, Node, Xml};
use crate::columns::shortened;
use crate::error::Halt;
use crate::fault::Fault;
use crate::number_format::{NumberFormat, serial_of_iso};
use crate::problem::Problem;
use crate::row::{CELL_BYTES, COLUMNS, ROWS, Row, RowSink};
use crate::table::Table;
use crate::watch::Watch;

/// Nodes of a sheet that has no items: a million rows that are formatted, and empty.
pub(crate) const NODES: u64 = 30_000_000;

/// Nodes that each item allows besides.
const ITEM_NODES: u64 = 100;

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
    is_wanted: bool,
    inline: TextPieces,
}

/// A reader of sheets.
pub(crate) struct Sheet<'w> {
    workbook: &'w Workbook,
    styles: &'w [Rc<NumberFormat>],
    strings: &'w Strings,
    /// Rows of totals of the sheet's tables.
    totals: &'w [Area],
    general: Rc<NumberFormat>,
    watch: &'w Watch<'w>,
}

impl<'w> Sheet<'w> {
    /// A reader of the workbook's sheets.
    pub fn new(
        workbook: &'w Workbook,
        styles: &'w [Rc<NumberFormat>],
        strings: &'w Strings,
        totals: &'w [Area],
        watch: &'w Watch<'w>,
    ) -> Self {
        Self { workbook, styles, strings, totals, general: Rc::new(NumberFormat::parse("General")), watch }
    }

    /// Reads the rows, and then the sheet's list of merged cells.
    pub fn read<R: Read>(&self, mut xml: Xml<'_, R>, table: &mut Table<'_>) -> Result<(), Halt> {
        let mut row = Row::default();
        let mut cell = CellState::default();
        let mut inside = Inside::Start;
        loop {
            xml.allow(NODES.saturating_add(ITEM_NODES.saturating_mul(table.items())));
            let Some(node) = xml.next()? else { return Ok(()) };
            match node {
                Node::Start(element) => match (inside, element.name()) {
                    (Inside::Start, "sheetData") => inside = Inside::Rows,
                    (Inside::Rows, "row") => {
                        begin_row(&mut row, &element)?;
                        cell.column = 0;
                        inside = Inside::Row;
                    }
                    (Inside::Row, "c") => {
                        let column = column_of(&element, row.number, cell.column)?;
                        begin_cell(&mut cell, &element, column);
                        cell.is_wanted = table.wants(column);
                        inside = Inside::Cell;
                    }
                    (Inside::Cell, "v") if !mem::replace(&mut cell.has_value, true) => inside = Inside::Value,
                    (Inside::Cell, "f") if !mem::replace(&mut cell.has_formula, true) => {
                        inside = Inside::Formula;
                    }
                    (Inside::Value | Inside::Formula, _)
                    | (Inside::Rows | Inside::Row | Inside::Cell, "sheetData" | "row" | "c" | "v" | "f")
                    | (Inside::Rest, "sheetData") => return Err(damaged()),
                    (Inside::Cell, _) => cell.inline.start(&element)?,
                    (Inside::Start | Inside::Rest, "mergeCell") => check_merged(&element, table)?,
                    _ => {}
                },
                Node::Text(text) => match inside {
                    Inside::Value if cell.value.len() <= MOST_ESCAPED => cell.value.push_str(&text),
                    Inside::Cell => cell.inline.text(&text),
                    _ => {}
                },
                Node::End(end) => match (inside, end.name()) {
                    (Inside::Value, "v") | (Inside::Formula, "f") => inside = Inside::Cell,
                    (Inside::Cell, "c") => {
                        self.end_cell(&mut cell, &mut row)?;
                        cell.column += 1;
                        inside = Inside::Row;
                    }
                    (Inside::Cell, name) => cell.inline.end(name),
                    (Inside::Row, "row") => {
                        self.end_row(&row, table)?;
                        inside = Inside::Rows;
                    }
                    (Inside::Rows, "sheetData") => {
                        table.end_rows()?;
                        inside = Inside::Rest;
                    }
                    _ => {}
                },
                Node::Nothing => {}
            }
        }
    }

    fn end_cell(&self, cell: &mut CellState, row: &mut Row) -> Result<(), Halt> {
        if !cell.is_wanted {
            let is_shown = match cell.kind.as_str() {
                "inlineStr" => !cell.inline.text.trim().is_empty(),
                "s" => self.shared_text(cell.value.trim_ascii()) != Some(""),
                // Boxes that nobody has ticked are no content.
                "b" => matches!(cell.value.trim_ascii(), "1" | "true"),
                _ => !cell.value.trim().is_empty(),
            };
            if is_shown {
                row.other.get_or_insert(cell.column);
            }
            return Ok(());
        }
        let format = self.format_of(cell);
        let code_bytes = format.as_ref().map_or(0, |format| format.code_bytes);
        let shown = format.and_then(|format| self.shown(cell, format));
        let shown_bytes = shown.as_ref().map_or(0, |text| text.len());
        self.watch.count_cell(CODE_WORK * code_bytes + shown_bytes as u64)?;
        match shown {
            Ok(text) if text.len() > CELL_BYTES => row.push(cell.column, "", Some(Fault::LongCell)),
            Ok(text) => {
                row.push(cell.column, &text, None)?;
                if let Some(pushed) = row.cells.last_mut().filter(|pushed| pushed.column == cell.column) {
                    pushed.varies = self.varies(cell, &text);
                }
                Ok(())
            }
            Err(fault) => row.push(cell.column, "", Some(fault)),
        }
    }

    fn end_row(&self, row: &Row, table: &mut Table<'_>) -> Result<(), Halt> {
        // The row is one with the totals of a table in which the data lies.
        let holds = |area: &Area| {
            (area.top..=area.bottom).contains(&row.number) && table.has_data_between(area.left, area.right)
        };
        self.watch.count_cell(self.totals.len() as u64)?;
        if self.totals.iter().any(holds) {
            table.skip_totals(row.number);
            return Ok(());
        }
        table.row(row)
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
            "inlineStr" => in_format(format, unescaped(&cell.inline.text)),
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
                let date =
                    serial_of_iso(value, is_1904).ok_or_else(|| Fault::NoDate(shortened(value, 40)))?;
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

/// Refuses merged cells where items lie: only the first one has a value, but all of them show it.
fn check_merged(element: &Element<'_>, table: &mut Table<'_>) -> Result<(), Halt> {
    let reference = element.attribute("ref").unwrap_or_default();
    let Area { left, right, top, bottom } = area_of(&reference).ok_or_else(damaged)?;
    let Some(header) = table.header_row().and_then(|row| u64::try_from(row).ok()) else { return Ok(()) };
    if bottom <= header || top > table.last_row() || left > right || right >= COLUMNS {
        return Ok(());
    }
    let used = table.used_between(left, right);
    let is_one_cell = top == bottom && used == 1 && table.used_between(left, left) == 1;
    if used > 0 && !is_one_cell {
        let fault = Fault::MergedCells(shortened(&reference, 40));
        table.add_problem(Problem::of_cell(top.max(header + 1), left, fault));
    }
    Ok(())
}
