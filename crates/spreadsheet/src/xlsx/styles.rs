//! Number formats by the index that cells carry.

use std::collections::HashMap;
use std::rc::Rc;

use super::package::Package;
use super::xml::{Node, too_large};
use crate::error::Halt;
use crate::number_format::{CODE_CHARACTERS, NumberFormat, built_in};

/// Formats of cells that a program writes at most.
const FORMATS: usize = 65_536;

/// Bytes of all codes. Their parsed forms take about 30 times that. Excel allows a few hundred codes.
const CODE_BYTES: usize = 1_000_000;

/// The format of each index.
pub(crate) fn read(package: &mut Package<'_>, part: &str) -> Result<Vec<Rc<NumberFormat>>, Halt> {
    let mut codes: HashMap<u32, String> = HashMap::new();
    let mut known: HashMap<u32, Rc<NumberFormat>> = HashMap::new();
    let mut formats = Vec::new();
    let mut code_bytes = 0;
    let mut in_cell_formats = false;
    let mut xml = package.open_list(part)?;
    while let Some(node) = xml.next()? {
        match node {
            Node::Start(element) => match element.name() {
                "numFmt" => {
                    let id = element.attribute("numFmtId").and_then(|id| id.parse().ok());
                    let code = element.attribute("formatCode");
                    if let (Some(id), Some(code)) = (id, code)
                        && codes.len() < FORMATS
                    {
                        let code: String = code.chars().take(CODE_CHARACTERS + 1).collect();
                        code_bytes += code.len();
                        if code_bytes > CODE_BYTES {
                            return Err(too_large());
                        }
                        codes.insert(id, code);
                    }
                }
                "cellXfs" => in_cell_formats = true,
                "xf" if in_cell_formats && formats.len() < FORMATS => {
                    let id = element.attribute("numFmtId").and_then(|id| id.parse().ok()).unwrap_or(0);
                    let format = known.entry(id).or_insert_with(|| {
                        Rc::new(match codes.get(&id) {
                            // Programs show these two as the country does, with a code or without.
                            Some(code) if ![14, 22].contains(&id) => NumberFormat::parse(code),
                            _ => built_in(id),
                        })
                    });
                    formats.push(Rc::clone(format));
                }
                _ => {}
            },
            Node::End(end) if end.name() == "cellXfs" => in_cell_formats = false,
            _ => {}
        }
    }
    Ok(formats)
}
