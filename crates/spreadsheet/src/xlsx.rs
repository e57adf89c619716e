//! XLSX workbooks (ECMA-376), read as a stream: what a sheet says about its size is not believed.

mod area;
mod damaged;
mod package;
mod sheet;
mod strings;
mod styles;
mod tables;
mod workbook;
mod xml;

use crate::ReadRequest;
use crate::error::Halt;
use crate::fault::Fault;
use crate::table::Table;
use crate::watch::Watch;

use package::Package;
use workbook::Workbook;

/// Reads a sheet of the workbook into the table.
pub(crate) fn read(request: &ReadRequest<'_>, watch: &Watch<'_>, table: &mut Table<'_>) -> Result<(), Halt> {
    let mut package = Package::of_file(request.file, watch)?;
    let workbook = Workbook::read(&mut package)?;
    let names: Vec<String> = workbook.sheets.iter().map(|sheet| sheet.name.clone()).collect();
    table.set_sheet(None, names.clone());
    let sheet = match request.sheet {
        None => workbook.sheets.iter().find(|sheet| !sheet.hidden),
        Some(name) => {
            let wanted = name.trim().to_lowercase();
            let mut sheets = workbook.sheets.iter();
            let exact = sheets.clone().find(|sheet| sheet.name == name);
            exact.or_else(|| sheets.find(|sheet| sheet.name.trim().to_lowercase() == wanted))
        }
    };
    let Some(sheet) = sheet else {
        let known = names.join(", ");
        return Err(Halt::refuse(match request.sheet {
            Some(name) => Fault::UnknownSheet { name: name.to_owned(), known },
            None if names.is_empty() => Fault::NoSheets,
            None => Fault::HiddenSheets(known),
        }));
    };
    table.set_sheet(Some(sheet.name.clone()), names);
    let others = workbook.sheets.iter().filter(|other| !other.hidden && other.part != sheet.part).count();
    if request.sheet.is_none() && others > 0 {
        table.note_other_sheets();
    }
    let styles = match &workbook.styles {
        Some(part) => styles::read(&mut package, part)?,
        None => Vec::new(),
    };
    let strings = match &workbook.strings {
        Some(part) => strings::Strings::read(&mut package, part)?,
        None => strings::Strings::default(),
    };
    let totals = tables::totals(&mut package, &sheet.part)?;
    let reader = sheet::Sheet::new(&workbook, &styles, &strings, &totals, watch);
    reader.read(package.open_part(&sheet.part, sheet::NODES)?, table)
}
