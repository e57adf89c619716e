//! A row as an item: what is wrong with it, what comes of its cells, and its line of the body.

use std::mem;

use crate::composition::Source;
use crate::error::Halt;
use crate::fault::Fault;
use crate::problem::Problem;
use crate::role::Role;
use crate::row::{Cell, Row};
use crate::table::Table;
use crate::value::{csv_fault_of, fault_of, number_fault_of, unreadable};

impl Table<'_> {
    /// Adds what is wrong with the row.
    pub(crate) fn judge(&mut self, row: &Row) {
        let width = self.columns.all.len();
        for cell in &row.cells {
            if self.is_csv && cell.column as usize >= width {
                self.add_problem(Problem::of_row(row.number, Fault::ManyCells(width)));
                break;
            }
            let is_used = self.columns.is_used(cell.column);
            let wrong = match &cell.fault {
                // A quote in the wrong place moves the cells behind it.
                Some(fault) if is_used || self.is_csv => Some(fault.clone()),
                None if is_used => self.wrong_value(row.text(cell)),
                _ => None,
            };
            if !is_used {
                self.notices.note_unused(cell.column, width);
            }
            if let Some(fault) = wrong {
                self.add_problem(Problem::of_cell(row.number, cell.column, fault));
            }
        }
        if let Some(other) = row.other {
            self.notices.note_unused(other, width);
        }
        if let Some(&Source::Column(data)) = self.columns.data()
            && cell_at(row, data).is_none()
        {
            self.add_problem(Problem::of_cell(row.number, data, Fault::NoData));
        }
    }

    /// The reason why a text is not what the person means.
    fn wrong_value(&self, text: &str) -> Option<Fault> {
        if self.is_lines {
            return unreadable(text);
        }
        if self.is_csv {
            number_fault_of(text).or_else(|| fault_of(text)).or_else(|| csv_fault_of(text))
        } else {
            fault_of(text)
        }
    }

    /// Puts the members together that come of several columns.
    pub(crate) fn compose(&mut self, row: &Row) {
        for (index, role) in Role::ALL.into_iter().enumerate() {
            let mut text = mem::take(&mut self.composed[index]);
            text.clear();
            let composed = match self.columns.source(role) {
                None | Some(Source::Column(_)) => Ok(()),
                Some(source) => source.compose(role, |column| text_at(row, column), &mut text),
            };
            self.composed[index] = text;
            match composed {
                Ok(()) => {}
                Err((Some(column), fault)) => self.add_problem(Problem::of_cell(row.number, column, fault)),
                Err((None, fault)) => self.add_problem(Problem::of_row(row.number, fault)),
            }
        }
    }

    /// Writes the line of a row that has nothing wrong.
    pub(crate) fn write_item(&mut self, row: &Row) -> Result<(), Halt> {
        self.body.skip_to(row.number.saturating_add_signed(1 - self.header_row.unwrap_or(1)))?;
        let mut members: [Option<(&'static str, &str)>; 4] = Default::default();
        for (index, (role, member)) in Role::ALL.into_iter().zip(&mut members).enumerate() {
            let Some(source) = self.columns.source(role) else { continue };
            for column in source.columns() {
                if let Some(cell) = cell_at(row, column) {
                    self.notices.note_cell(role, row, cell, row.text(cell));
                }
            }
            let text = match source {
                Source::Column(column) => text_at(row, *column),
                Source::Pattern { .. } | Source::Kind { .. } => self.composed[index].as_str(),
            };
            if !text.is_empty() {
                self.notices.note_member(role, row, text);
                *member = Some((role.as_str(), text));
            }
        }
        self.body.item(members.iter().flatten().copied())?;
        self.report.items += 1;
        if self.body.bytes > self.request.limits.max_bytes {
            return Err(Halt::refuse(Fault::LargeBody(self.request.limits.max_bytes / 1_000_000)));
        }
        Ok(())
    }
}

/// The row's cell in a column, unless it is empty.
fn cell_at(row: &Row, column: u32) -> Option<&Cell> {
    let place = row.cells.binary_search_by_key(&column, |cell| cell.column);
    place.ok().map(|place| &row.cells[place])
}

/// The text of the row's cell in a column; empty where there is none.
fn text_at(row: &Row, column: u32) -> &str {
    cell_at(row, column).map_or("", |cell| row.text(cell))
}
