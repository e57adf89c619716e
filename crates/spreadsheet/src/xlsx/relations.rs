//! The relations of a sheet: its tables, and the addresses of its links.

use std::collections::{BTreeSet, HashMap};

use super::package::Package;
use super::workbook::{folder_of, resolved};
use super::xml::Node;
use crate::error::Halt;

/// Tables of a sheet that are looked at.
const TABLES: usize = 1_000;

/// The relations that matter here.
#[derive(Debug, Default)]
pub(super) struct SheetRelations {
    /// The parts of tables.
    pub tables: BTreeSet<String>,
    /// The addresses of links, by the relation's identifier.
    pub addresses: HashMap<String, String>,
}

impl SheetRelations {
    /// Reads the relations of the sheet with this part.
    pub fn read(package: &mut Package<'_>, sheet: &str) -> Result<Self, Halt> {
        let mut found = Self::default();
        let (folder, name) = folder_of(sheet);
        let part = format!("{folder}/_rels/{name}.rels");
        if !package.has(&part) {
            return Ok(found);
        }
        let mut xml = package.open_list(&part)?;
        while let Some(node) = xml.next()? {
            let Node::Start(element) = node else { continue };
            let text = |name: &str| element.attribute(name).unwrap_or_default();
            let kind = text("Type");
            if kind.ends_with("/table") && found.tables.len() < TABLES {
                found.tables.insert(resolved(&text("Target"), folder));
            } else if kind.ends_with("/hyperlink") && text("TargetMode") == "External" {
                found.addresses.insert(text("Id").into_owned(), text("Target").into_owned());
            }
        }
        Ok(found)
    }
}
