//! The rows of a sheet.

use std::io::Read;
use std::rc::Rc;

use super::area::{Area, area_of, place_of};
use super::damaged::damaged;
use super::related::Related;
use super::strings::{Strings, TextPieces, unescaped};
use super::workbook::Workbook;
use super::xml::{Element, Node, Xml};
use crate::columns::shortened;
use crate::error::Halt;
use crate::links::links_elsewhere;
use crate::number_format::{NumberFormat, serial_of_iso};
use crate::problem::Problem;
use crate::row::{COLUMNS, Row, RowSink};
use crate::table::Table;

/// Rows that a sheet may have.
const ROWS: u64 = 1_048_576;

/// Nodes of a sheet that has no items: a million rows that are formatted, and empty.
pub(crate) const NODES: u64 = 30_000_000;

/// Nodes that each item allows besides.
const ITEM_NODES: u64 = 100;

/// Characters of a formula that spreadsheet programs allow.
const FORMULA_BYTES: usize = 8_192;

/// A cell on its way.
#[allow(clippy::struct_excessive_bools, reason = "each is a thing that the cell has or has not")]
#[derive(Debug, Default)]
struct CellState {
    column: u32,
    kind: String,
    style: usize,
    value: String,
    formula: String,
    has_value: bool,
    has_formula: bool,
    in_value: bool,
    in_formula: bool,
    is_wanted: bool,
    inline: TextPieces,
}

/// A reader of sheets.
pub(crate) struct Sheet<'w> {
    workbook: &'w Workbook,
    styles: &'w [Rc<NumberFormat>],
    strings: &'w Strings,
    related: &'w Related,
    general: Rc<NumberFormat>,
}

impl<'w> Sheet<'w> {
    /// A reader of the workbook's sheets.
    pub fn new(
        workbook: &'w Workbook,
        styles: &'w [Rc<NumberFormat>],
        strings: &'w Strings,
        related: &'w Related,
    ) -> Self {
        Self { workbook, styles, strings, related, general: Rc::new(NumberFormat::parse("General")) }
    }

    /// Reads the rows, and then the sheet's lists of merged cells and links.
    pub fn read<R: Read>(&self, mut xml: Xml<R>, table: &mut Table<'_>) -> Result<(), Halt> {
        let mut row = Row::default();
        let mut cell = CellState::default();
        let (mut in_rows, mut in_cell, mut next_row) = (false, false, 1);
        loop {
            xml.allow(NODES + ITEM_NODES * table.items());
            let Some(node) = xml.next()? else { return Ok(()) };
            match node {
                Node::Start(element) if in_cell => start_in_cell(&mut cell, &element),
                Node::Start(element) => match element.name() {
                    "sheetData" => in_rows = true,
                    "row" if in_rows => {
                        let number = match element.attribute("r") {
                            Some(number) => number.parse().map_err(|_| damaged())?,
                            None => next_row,
                        };
                        if number < next_row || number > ROWS {
                            return Err(damaged());
                        }
                        next_row = number + 1;
                        row.clear(number);
                        row.hidden = element.flag("hidden");
                        cell.column = 0;
                    }
                    "c" if in_rows => {
                        let column = column_of(&element, row.number, cell.column)?;
                        begin_cell(&mut cell, &element, column);
                        cell.is_wanted = table.wants(column);
                        in_cell = true;
                    }
                    "mergeCell" => check_merged(&element, table)?,
                    "hyperlink" => self.check_link(&element, table),
                    _ => {}
                },
                Node::Text(text) if in_cell => {
                    if cell.in_value {
                        cell.value.push_str(&text);
                        if cell.value.len() > 1_000_000 {
                            return Err(damaged());
                        }
                    }
                    if cell.in_formula && cell.formula.len() < FORMULA_BYTES {
                        cell.formula.push_str(&text);
                    }
                    cell.inline.text(&text)?;
                }
                Node::End(end) => match end.name() {
                    "v" if in_cell => cell.in_value = false,
                    "f" if in_cell => cell.in_formula = false,
                    "c" if in_cell => {
                        in_cell = false;
                        self.end_cell(&mut cell, &mut row)?;
                        cell.column += 1;
                    }
                    "row" if in_rows && self.is_totals(&row, table) => table.skip_totals(row.number),
                    "row" if in_rows => table.row(&row)?,
                    "sheetData" => {
                        in_rows = false;
                        table.end_rows()?;
                    }
                    name => cell.inline.end(name),
                },
                Node::Text(_) | Node::Nothing => {}
            }
        }
    }

    fn end_cell(&self, cell: &mut CellState, row: &mut Row) -> Result<(), Halt> {
        if !cell.is_wanted {
            let is_shown = match cell.kind.as_str() {
                "inlineStr" => !cell.inline.text.is_empty(),
                // Boxes that nobody has ticked are no content.
                "b" => cell.value == "1",
                _ => !cell.value.is_empty(),
            };
            if is_shown {
                row.other.get_or_insert(cell.column);
            }
            return Ok(());
        }
        match self.shown(cell) {
            Ok(text) => {
                row.push(cell.column, &text, None)?;
                if let Some(pushed) = row.cells.last_mut().filter(|pushed| pushed.column == cell.column) {
                    pushed.varies = self.varies(cell, &text);
                    pushed.links_elsewhere = links_elsewhere(&cell.formula, &text);
                }
                Ok(())
            }
            Err(fault) => row.push(cell.column, "", Some(fault)),
        }
    }

    /// The row is the one with the totals of a table, in which the data lies.
    fn is_totals(&self, row: &Row, table: &Table<'_>) -> bool {
        let holds = |area: &Area| {
            (area.top..=area.bottom).contains(&row.number) && table.has_data_between(area.left, area.right)
        };
        self.related.totals.iter().any(holds)
    }

    /// Notes a cell of data that shows another address than it links to. Of several cells the first one is looked at.
    fn check_link(&self, element: &Element<'_>, table: &mut Table<'_>) {
        let area = element.attribute("ref").and_then(|reference| area_of(&reference));
        let link = element.attribute("id").and_then(|id| self.related.links.get(id.as_ref()).copied());
        if let (Some(area), Some(link)) = (area, link) {
            table.check_link(area.top, area.left, link);
        }
    }

    /// The text that the cell shows.
    fn shown(&self, cell: &CellState) -> Result<String, String> {
        if cell.has_formula && !self.is_computed(cell) {
            return Err(
                "the formula has not been computed. Open the file in a spreadsheet program, and save it again.".to_owned()
            );
        }
        let value = cell.value.trim_ascii();
        let damaged = || "the cell is damaged. Type it again.".to_owned();
        let format = match self.styles.get(cell.style) {
            Some(format) => format,
            None if cell.style == 0 => &self.general,
            // A number may be a date then.
            None => return Err(damaged()),
        };
        match cell.kind.as_str() {
            "inlineStr" => format.text(&unescaped(&cell.inline.text)),
            "str" => format.text(&unescaped(&cell.value)),
            "e" => {
                let error = shortened(value, 40);
                Err(format!("the cell shows the error {error}. Correct it."))
            }
            _ if value.is_empty() => Ok(String::new()),
            "s" => {
                let text =
                    value.parse().ok().and_then(|index| self.strings.get(index)).ok_or_else(damaged)?;
                format.text(text)
            }
            "b" => match value {
                "1" | "true" => Ok("TRUE".to_owned()),
                "0" | "false" => Ok("FALSE".to_owned()),
                _ => Err(damaged()),
            },
            kind @ ("" | "n" | "d") => {
                let is_1904 = self.workbook.is_1904;
                let number =
                    if kind == "d" { serial_of_iso(value, is_1904) } else { value.parse::<f64>().ok() };
                let number = number.filter(|number| number.is_finite()).ok_or_else(damaged)?;
                format.number(number, is_1904)
            }
            _ => Err(damaged()),
        }
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

fn begin_cell(cell: &mut CellState, element: &Element<'_>, column: u32) {
    cell.column = column;
    cell.kind.clear();
    cell.kind.push_str(&element.attribute("t").unwrap_or_default());
    cell.style = element.attribute("s").and_then(|style| style.parse().ok()).unwrap_or(0);
    cell.value.clear();
    cell.formula.clear();
    cell.has_value = false;
    cell.has_formula = false;
    cell.in_value = false;
    cell.in_formula = false;
    cell.inline.clear();
}

fn start_in_cell(cell: &mut CellState, element: &Element<'_>) {
    match element.name() {
        "v" => {
            cell.has_value = true;
            cell.in_value = true;
        }
        "f" => {
            cell.has_formula = true;
            cell.in_formula = true;
        }
        _ => cell.inline.start(element),
    }
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
    if bottom <= header || left > right || right >= COLUMNS {
        return Ok(());
    }
    let used = table.used_between(left, right);
    let is_one_cell = top == bottom && used == 1 && table.used_between(left, left) == 1;
    if used > 0 && !is_one_cell {
        let cells = shortened(&reference, 40);
        let what =
            format!("the cells {cells} are merged. Unmerge them, and write into each what it should say.");
        table.add_problem(Problem::of_cell(top.max(header + 1), left, what));
    }
    Ok(())
}
