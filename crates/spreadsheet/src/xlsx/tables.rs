//! The tables of a sheet, as far as they have rows of totals.

use std::collections::BTreeSet;

use super::area::{Area, area_of};
use super::damaged::damaged;
use super::package::Package;
use super::workbook::{folder_of, resolved};
use super::xml::Node;
use crate::error::Halt;

/// Tables of a sheet that are looked at.
const TABLES: usize = 1_000;

/// The rows of totals of the tables on the sheet with this part.
pub(super) fn totals(package: &mut Package<'_>, sheet: &str) -> Result<Vec<Area>, Halt> {
    let mut tables = BTreeSet::new();
    let (folder, name) = folder_of(sheet);
    let relations = format!("{folder}/_rels/{name}.rels");
    if !package.has(&relations) {
        return Ok(Vec::new());
    }
    let mut xml = package.open_list(&relations)?;
    while let Some(node) = xml.next()? {
        let Node::Start(element) = node else { continue };
        let text = |name: &str| element.attribute(name).unwrap_or_default();
        if text("Type").ends_with("/table") && tables.len() < TABLES {
            tables.insert(resolved(&text("Target"), folder));
        }
    }
    drop(xml);
    let mut totals = Vec::new();
    for table in tables {
        if package.has(&table) {
            totals.extend(totals_of(package, &table)?);
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
