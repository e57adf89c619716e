//! The workbook: its sheets, and the parts that they share.

use std::collections::HashMap;
use std::rc::Rc;

use super::damaged::damaged;
use super::package::Package;
use super::xml::Node;
use crate::error::Halt;
use crate::fault::Fault;

/// Sheets of a workbook. Programs allow as many as fit into memory; people have a few.
const SHEETS: usize = 1_000;

/// Characters of a sheet's name that are kept. Excel allows 31.
const NAME_CHARACTERS: usize = 100;

/// A sheet that has cells.
#[derive(Debug)]
pub(crate) struct SheetPart {
    pub name: String,
    pub hidden: bool,
    /// It was in sight when the workbook was saved.
    pub is_active: bool,
    pub part: Rc<str>,
}

/// The workbook's list of its parts.
#[derive(Debug, Default)]
pub(crate) struct Workbook {
    pub sheets: Vec<SheetPart>,
    pub styles: Option<Rc<str>>,
    pub strings: Option<Rc<str>>,
    /// Days are counted from 1904.
    pub is_1904: bool,
    /// The program that wrote the file left computing to the next one.
    pub is_uncomputed: bool,
}

/// A relation between parts.
struct Relation {
    id: String,
    /// The last word of the type, such as `worksheet`.
    kind: String,
    /// Shared, because a thousand sheets may have the same.
    target: Rc<str>,
}

impl Workbook {
    /// Reads the workbook and its relations.
    pub fn read(package: &mut Package<'_>) -> Result<Self, Halt> {
        let main = relations(package, "_rels/.rels", "")?
            .into_iter()
            .find(|relation| relation.kind == "officeDocument");
        let part = main.map(|relation| relation.target).filter(|part| package.has(part));
        let Some(part) = part else {
            return Err(Halt::refuse(Fault::NoWorkbook));
        };
        let (folder, name) = folder_of(&part);
        let part_relations = format!("{folder}/_rels/{name}.rels");
        if !package.has(&part_relations) {
            return Err(Halt::refuse(Fault::NoWorkbook));
        }
        let relations = relations(package, &part_relations, folder)?;
        let shared = |kind: &str| {
            relations
                .iter()
                .find(|relation| relation.kind == kind)
                .map(|relation| Rc::clone(&relation.target))
        };
        // Of two relations with the same identifier, the first one is taken.
        let by_id: HashMap<&str, &Relation> =
            relations.iter().rev().map(|relation| (relation.id.as_str(), relation)).collect();
        let mut workbook =
            Self { styles: shared("styles"), strings: shared("sharedStrings"), ..Self::default() };
        let mut is_workbook = false;
        // Counted with the sheets that are one chart.
        let (mut active, mut count) = (0, 0);
        let mut xml = package.open_list(&part)?;
        while let Some(node) = xml.next()? {
            let Node::Start(element) = node else { continue };
            match element.name() {
                "workbook" => is_workbook = true,
                "workbookPr" => workbook.is_1904 = element.flag("date1904"),
                "workbookView" => {
                    let tab = element.attribute("activeTab");
                    active = tab.and_then(|tab| tab.parse().ok()).unwrap_or(0);
                }
                "calcPr" => workbook.is_uncomputed = element.flag("fullCalcOnLoad"),
                "sheet" => {
                    let is_active = count == active;
                    count += 1;
                    let id = element.attribute("id").unwrap_or_default();
                    let relation = by_id.get(id.as_ref()).ok_or_else(damaged)?;
                    if relation.kind != "worksheet" {
                        // A sheet that is one chart.
                        continue;
                    }
                    if workbook.sheets.len() == SHEETS {
                        return Err(Halt::refuse(Fault::ManySheets(SHEETS)));
                    }
                    let name = element.attribute("name").unwrap_or_default();
                    let name = name.chars().take(NAME_CHARACTERS).collect();
                    let hidden = element.attribute("state").is_some_and(|state| state != "visible");
                    workbook.sheets.push(SheetPart {
                        name,
                        hidden,
                        is_active,
                        part: Rc::clone(&relation.target),
                    });
                }
                _ => {}
            }
        }
        if is_workbook { Ok(workbook) } else { Err(Halt::refuse(Fault::NoWorkbook)) }
    }
}

/// The relations of a part whose folder is `folder`.
fn relations(package: &mut Package<'_>, part: &str, folder: &str) -> Result<Vec<Relation>, Halt> {
    let mut relations = Vec::new();
    let mut xml = package.open_list(part)?;
    while let Some(node) = xml.next()? {
        let Node::Start(element) = node else { continue };
        if element.name() != "Relationship"
            || element.attribute("TargetMode").is_some_and(|mode| mode == "External")
        {
            continue;
        }
        if relations.len() == 10 * SHEETS {
            return Err(damaged());
        }
        let text = |name: &str| element.attribute(name).unwrap_or_default().into_owned();
        let kind = text("Type").rsplit('/').next().unwrap_or_default().to_owned();
        relations.push(Relation { id: text("Id"), kind, target: resolved(&text("Target"), folder).into() });
    }
    Ok(relations)
}

/// The folder of a part, and its name in there.
pub(super) fn folder_of(part: &str) -> (&str, &str) {
    part.rsplit_once('/').unwrap_or(("", part))
}

/// The name of the part that a target means, seen from a folder.
pub(super) fn resolved(target: &str, folder: &str) -> String {
    let target = target.replace('\\', "/");
    let path = if target.starts_with('/') { target } else { format!("{folder}/{target}") };
    let mut names: Vec<&str> = Vec::new();
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => {
                names.pop();
            }
            name => names.push(name),
        }
    }
    names.join("/")
}
