//! The tables of a sheet, as far as they have rows of totals.

use super::area::{Area, area_of};
use super::damaged::damaged;
use super::package::Package;
use super::relations::SheetRelations;
use super::xml::Node;
use crate::error::Halt;

/// The rows of totals of the sheet's tables.
pub(super) fn totals(package: &mut Package<'_>, relations: &SheetRelations) -> Result<Vec<Area>, Halt> {
    let mut totals = Vec::new();
    for table in &relations.tables {
        if package.has(table) {
            totals.extend(totals_of(package, table)?);
        }
    }
    Ok(totals)
}

/// The rows of totals of a table: its last ones.
fn totals_of(package: &mut Package<'_>, part: &str) -> Result<Option<Area>, Halt> {
    let mut xml = package.open_start(part)?;
    while let Some(node) = xml.next()? {
        let Node::Start(element) = node else { continue };
        let rows: u64 = match element.attribute("totalsRowCount") {
            Some(count) => count.parse().map_err(|_| damaged())?,
            None => 0,
        };
        if rows == 0 {
            return Ok(None);
        }
        let area = element.attribute("ref").and_then(|reference| area_of(&reference)).ok_or_else(damaged)?;
        let above = (area.bottom - area.top + 1).checked_sub(rows).ok_or_else(damaged)?;
        return Ok(Some(Area { top: area.top + above, ..area }));
    }
    Ok(None)
}
