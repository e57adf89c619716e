//! Parts that belong to a sheet: the addresses that its cells link to, and its tables.

use std::collections::HashMap;

use super::area::{Area, area_of};
use super::package::Package;
use super::workbook::{folder_of, resolved};
use super::xml::Node;
use crate::error::Halt;
use crate::links::link_key;

/// Links of a sheet: spreadsheet programs allow 65,530.
const LINKS: usize = 66_000;

/// Tables of a sheet that are looked at.
const TABLES: usize = 1_000;

/// The parts that belong to a sheet.
#[derive(Debug, Default)]
pub(crate) struct Related {
    /// Keys of the addresses outside the workbook, by the relation's identifier.
    pub links: HashMap<String, u64>,
    /// The last row of each table that has a row of totals.
    pub totals: Vec<Area>,
}

impl Related {
    /// Reads the relations of the sheet with this part.
    pub fn read(package: &mut Package, sheet: &str) -> Result<Self, Halt> {
        let mut related = Self::default();
        let mut tables = Vec::new();
        let (folder, name) = folder_of(sheet);
        let relations = format!("{folder}/_rels/{name}.rels");
        if !package.has(&relations) {
            return Ok(related);
        }
        let mut xml = package.open_list(&relations)?;
        while let Some(node) = xml.next()? {
            let Node::Start(element) = node else { continue };
            let text = |name: &str| element.attribute(name).unwrap_or_default();
            let kind = text("Type");
            if kind.ends_with("/hyperlink") && related.links.len() < LINKS {
                related.links.insert(text("Id").into_owned(), link_key(&text("Target")));
            } else if kind.ends_with("/table") && tables.len() < TABLES {
                tables.push(resolved(&text("Target"), folder));
            }
        }
        drop(xml);
        for table in tables {
            if package.has(&table) {
                related.totals.extend(totals(package, &table)?);
            }
        }
        Ok(related)
    }
}

/// The row of totals of a table.
fn totals(package: &mut Package, part: &str) -> Result<Option<Area>, Halt> {
    let mut xml = package.open_start(part)?;
    while let Some(node) = xml.next()? {
        let Node::Start(element) = node else { continue };
        let rows = element.attribute("totalsRowCount").and_then(|count| count.parse::<u64>().ok());
        let area = element.attribute("ref").and_then(|reference| area_of(&reference));
        return Ok(match (rows, area) {
            (Some(rows @ 1..), Some(area)) => {
                Some(Area { top: (area.bottom + 1).saturating_sub(rows).max(area.top), ..area })
            }
            _ => None,
        });
    }
    Ok(None)
}
