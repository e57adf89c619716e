//! XLSX workbooks (ECMA-376), read as a stream: what a sheet says about its size is not believed.

mod area;
mod damaged;
mod known_cells;
mod link_formulas;
mod links;
mod package;
mod relations;
mod sheet;
mod strings;
mod styles;
mod tables;
mod workbook;
mod xml;

use crate::composition::Composition;
use crate::error::Halt;
use crate::fault::Fault;
use crate::header::{FirstRows, Widths};
use crate::row::RowSink as _;
use crate::table::Table;
use crate::watch::Watch;
use crate::{ReadRequest, SheetLayout};

pub(crate) use area::Area;
use links::Links;
use package::Package;
use relations::SheetRelations;
pub(crate) use sheet::nodes;
use workbook::{SheetPart, Workbook};

/// Sheets of which the first rows are looked at.
const SHEETS: usize = 50;

/// Reads a sheet of the workbook into the table.
pub(crate) fn read(request: &ReadRequest<'_>, watch: &Watch<'_>, table: &mut Table<'_>) -> Result<(), Halt> {
    let mut package = Package::of_file(request.file, watch)?;
    let workbook = Workbook::read(&mut package)?;
    let names: Vec<String> = workbook.sheets.iter().map(|sheet| sheet.name.clone()).collect();
    let (hidden, mut visible): (Vec<&SheetPart>, Vec<&SheetPart>) =
        workbook.sheets.iter().partition(|sheet| sheet.hidden);
    let ordered: Vec<String> = visible.iter().chain(&hidden).map(|sheet| sheet.name.clone()).collect();
    table.set_sheet(None, ordered.clone(), visible.len());
    if request.finds_sheet {
        visible.sort_by_key(|sheet| !sheet.is_active);
    }
    let styles = match &workbook.styles {
        Some(part) => styles::read(&mut package, part)?,
        None => Vec::new(),
    };
    let strings = match &workbook.strings {
        Some(part) => strings::Strings::read(&mut package, part)?,
        None => strings::Strings::default(),
    };
    let (mut fitting, mut proposing, mut linking) = (Vec::new(), None, None);
    if request.finds_sheet && request.layout == SheetLayout::Header {
        let reader = sheet::Sheet::new(&workbook, &styles, &strings, watch);
        for sheet in visible.iter().take(SHEETS).filter(|_| visible.len() > 1) {
            match look(request, &reader, &mut package, &sheet.part)? {
                Look::Fits => fitting.push(*sheet),
                Look::Proposes => _ = proposing.get_or_insert(*sheet),
                Look::Links => _ = linking.get_or_insert(*sheet),
                Look::Nothing => {}
            }
        }
    }
    let mut rows_of = |part: &str| {
        let reader = sheet::Sheet::new(&workbook, &styles, &strings, watch);
        Ok(widths(&reader, &mut package, part)?.rows)
    };
    put_large_sheet_first(&mut fitting, &mut rows_of)?;
    let mut possible: Vec<&SheetPart> = proposing.into_iter().chain(linking).collect();
    put_large_sheet_first(&mut possible, &mut rows_of)?;
    table.set_fitting_sheets(fitting.iter().map(|sheet| sheet.name.clone()).collect());
    let sheet = match request.sheet {
        None => fitting.first().or(possible.first()).or(visible.first()).copied(),
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
    table.set_sheet(Some(sheet.name.clone()), ordered, visible.len());
    if request.sheet.is_none() && visible.iter().any(|other| other.part != sheet.part) {
        table.note_other_sheets();
    }
    let first = sheet::Sheet::new(&workbook, &styles, &strings, watch);
    table.set_width(widths(&first, &mut package, &sheet.part)?.most);
    let relations = SheetRelations::read(&mut package, &sheet.part)?;
    let totals = tables::totals(&mut package, &relations)?;
    let most_nodes = nodes(request.limits.max_items);
    let links = Links::read(&mut package, &sheet.part, &relations, most_nodes)?;
    let mut reader = sheet::Sheet::new(&workbook, &styles, &strings, watch);
    (reader.totals, reader.links) = (&totals, &links);
    reader.read(package.open_part(&sheet.part, nodes(0))?, table)
}

/// The rows of a sheet, so far as they are counted, and their columns.
fn widths(reader: &sheet::Sheet<'_>, package: &mut Package<'_>, part: &str) -> Result<Widths, Halt> {
    let mut widths = Widths::default();
    match reader.read(package.open_part(part, widths.most_nodes())?, &mut widths) {
        Err(halt @ Halt::Failed(_)) => Err(halt),
        // The reading of the whole sheet tells the fault.
        Ok(()) | Err(Halt::Enough | Halt::Refused(_)) => Ok(widths),
    }
}

/// Puts a sheet with many more rows than the first one before it, unless that was in sight when the workbook was saved. A sheet of a row
/// or two stands beside the list.
fn put_large_sheet_first(
    sheets: &mut [&SheetPart],
    rows_of: &mut impl FnMut(&str) -> Result<usize, Halt>,
) -> Result<(), Halt> {
    /// Rows for each of the first sheet.
    const MANY: usize = 10;

    let &mut [first, _, ..] = sheets else { return Ok(()) };
    if first.is_active {
        return Ok(());
    }
    let rows = sheets.iter().map(|sheet| rows_of(&sheet.part)).collect::<Result<Vec<usize>, Halt>>()?;
    let most = rows.iter().max().copied().unwrap_or_default();
    if let Some(place) = rows.iter().position(|rows| *rows == most).filter(|_| most >= MANY * rows[0]) {
        sheets[..=place].rotate_right(1);
    }
    Ok(())
}

/// The first rows of a sheet.
enum Look {
    /// They name the columns that the items need.
    Fits,
    /// They speak for a kind of codes, and no kind was chosen.
    Proposes,
    /// They name neither, and the first item has a link.
    Links,
    Nothing,
}

/// Looks at the first rows of a sheet, whatever columns a person chose on another one.
fn look(
    request: &ReadRequest<'_>,
    reader: &sheet::Sheet<'_>,
    package: &mut Package<'_>,
    part: &str,
) -> Result<Look, Halt> {
    let composed: Vec<_> = request
        .composed
        .iter()
        .map(|(role, composition)| match composition {
            Composition::Kind { kind, are_open, .. } => {
                (*role, Composition::Kind { kind: *kind, fields: Vec::new(), are_open: *are_open })
            }
            pattern @ Composition::Pattern(_) => (*role, pattern.clone()),
        })
        .collect();
    let plain = ReadRequest { columns: &[], composed: &composed, recognise: true, ..request.clone() };
    let mut rows = FirstRows::new(&plain);
    match reader.read(package.open_part(part, rows.most_nodes())?, &mut rows) {
        Ok(()) | Err(Halt::Enough) if rows.name_all() => Ok(Look::Fits),
        Ok(()) | Err(Halt::Enough) if rows.propose() => Ok(Look::Proposes),
        Ok(()) | Err(Halt::Enough) if rows.have_links() => Ok(Look::Links),
        // The reading of the whole sheet tells the fault.
        Ok(()) | Err(Halt::Enough | Halt::Refused(_)) => Ok(Look::Nothing),
        Err(halt @ Halt::Failed(_)) => Err(halt),
    }
}
