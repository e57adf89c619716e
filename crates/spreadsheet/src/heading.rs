//! A heading of several rows: a cell that is merged downwards begins in the row of the names, or ends in it.

use std::ops::RangeInclusive;

use crate::columns::Columns;
use crate::error::Halt;
use crate::header::TITLES;
use crate::report::Heading;
use crate::row::Row;
use crate::table::Table;
use crate::xlsx::Area;
use crate::{ReadRequest, SheetLayout};

/// Columns with merged cells that are kept. One that the items use tells enough.
const MOST_COLUMNS: usize = 100;

impl Table<'_> {
    /// Notes merged cells that reach over the row of the names, here the one numbered `header`.
    pub(crate) fn note_heading(&mut self, area: Area, header: u64) {
        let Area { left, top, bottom, .. } = area;
        if self.layout != SheetLayout::Header || top == bottom || !(top..=bottom).contains(&header) {
            return;
        }
        let heading = self.heading.get_or_insert(Heading { top, bottom, columns: Vec::new() });
        let (first, last) = (heading.top.min(top), heading.bottom.max(bottom));
        if last - first >= TITLES as u64 {
            return;
        }
        (heading.top, heading.bottom) = (first, last);
        if heading.columns.len() < MOST_COLUMNS {
            heading.columns.push(left);
        }
    }

    /// The rows that wait reach to the end of the heading.
    pub(crate) fn has_heading(&self, waiting: &[Row]) -> bool {
        let last = waiting.last().map_or(0, |row| row.number);
        self.found.heading.as_ref().is_none_or(|heading| last >= heading.bottom)
    }

    /// The row that names the columns, put together of those of the heading, with the index of its first and last. None where the row at
    /// this index names them alone.
    pub(crate) fn heading(&self, waiting: &[Row], index: usize) -> Result<Option<(Row, [usize; 2])>, Halt> {
        let Some(heading) = self.found.heading.as_ref().filter(|_| self.layout == SheetLayout::Header) else {
            return Ok(None);
        };
        if !(heading.top..=heading.bottom).contains(&waiting[index].number) {
            return Ok(None);
        }
        let first = waiting.partition_point(|row| row.number < heading.top);
        let last = waiting.partition_point(|row| row.number <= heading.bottom) - 1;
        let rows = &waiting[first..=last];
        let width =
            rows.iter().map(|row| row.cells.last().map_or(0, |cell| cell.column + 1).max(row.width)).max();
        let mut whole = Row::default();
        whole.clear(heading.bottom);
        whole.width = width.unwrap_or_default();
        for column in 0..whole.width {
            // The lowest text names the column: those above it are titles of groups.
            if let Some((row, cell)) = rows.iter().rev().find_map(|row| Some((row, row.cell(column)?))) {
                whole.push(column, row.text(cell), cell.fault.clone())?;
            }
        }
        let fits = heading.bottom == waiting[index].number || self.fits(heading, &whole, index..=last);
        Ok(fits.then_some((whole, [first, last])))
    }

    /// The rows below the first one hold names: they say so or a merged cell is used, and none has the data that it would have as an item.
    fn fits(&self, heading: &Heading, whole: &Row, places: RangeInclusive<usize>) -> bool {
        let names = whole.texts(whole.width);
        let request = ReadRequest { layout: self.layout, ..self.request.clone() };
        let columns = Columns::resolve(&names, &request, &self.found.unnamed);
        let has_no_data =
            heading.columns.iter().any(|column| columns.makes_data(*column) && !columns.make_fields());
        let below = || self.candidates[places.clone()].iter().skip(1);
        columns.unclear.is_none()
            && (heading.columns.iter().any(|column| columns.is_used(*column))
                || below().any(|row| row.names_data))
            && below().all(|row| !row.holds_data && (has_no_data || !row.holds_number))
    }
}
