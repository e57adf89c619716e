//! A line of the manifest as rows of CSV (RFC 4180).

use std::io::Write;

use super::Thousandths;
use crate::read_back::ItemReading;
use crate::rendered::{FoundFile, Line};

/// Characters that make a spreadsheet take a cell for a formula when it begins with one; in some languages, also their
/// wide forms.
const FORMULA: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
/// White space that a spreadsheet may drop before such a character.
const BLANK: [char; 3] = ['\t', '\r', '\n'];
/// The ends of cells within a text. Where a comma separates decimals, spreadsheets split lines at semicolons, and take quotes
/// within a line for text: so a line may also end in a quoted cell.
const CELL_ENDS: [char; 4] = [';', '\t', '\r', '\n'];

/// Writes `before`, then the cells index, reference, data, caption, status, @image, name, bytes, crc32, unusedErrorCorrection, in this
/// order. `missing`: the name of an item without files, if it is to be told.
pub(super) fn write(
    line: &Line<'_>,
    missing: Option<&str>,
    reading: ItemReading,
    before: &str,
    out: &mut Vec<u8>,
) {
    let mut add = |file| {
        out.extend_from_slice(before.as_bytes());
        row(line, file, reading, out);
    };
    line.files.iter().map(Ok).for_each(&mut add);
    if line.files.is_empty() {
        add(Err(missing.unwrap_or_default()));
    }
}

/// `file`: a file of the item, or the name that stands in its place.
fn row(line: &Line<'_>, file: Result<&FoundFile, &str>, reading: ItemReading, out: &mut Vec<u8>) {
    let Line { index, record, caption, .. } = *line;
    write!(out, "{index}").expect("memory takes what is written");
    cell(out, record.reference.unwrap_or_default());
    cell(out, record.data);
    cell(out, caption);
    cell(out, if file.is_ok() { "completed" } else { "failed" });
    match file {
        Ok(FoundFile { name, bytes, crc32, .. }) => {
            // A path that a layout program opens: an apostrophe would make it another file's.
            plain_cell(out, name);
            cell(out, name);
            write!(out, ",{bytes},{crc32:08x}").expect("memory takes what is written");
        }
        Err(name) => {
            out.push(b',');
            cell(out, name);
            out.extend_from_slice(b",,");
        }
    }
    out.push(b',');
    if let ItemReading::Read { unused_thousandths } = reading {
        write!(out, "{}", Thousandths(unused_thousandths)).expect("memory takes what is written");
    }
    out.extend_from_slice(b"\r\n");
}

/// A cell that no spreadsheet takes for a formula, wherever it splits the text: an apostrophe stands before what would be one.
fn cell(out: &mut Vec<u8>, text: &str) {
    if !text.starts_with(BLANK) && !text.split(CELL_ENDS).any(|part| part.starts_with(FORMULA)) {
        return plain_cell(out, text);
    }
    let mut marked = String::from(if text.starts_with(BLANK) { "'" } else { "" });
    for part in text.split_inclusive(CELL_ENDS) {
        marked.push_str(if part.starts_with(FORMULA) { "'" } else { "" });
        marked.push_str(part);
    }
    plain_cell(out, &marked);
}

fn plain_cell(out: &mut Vec<u8>, text: &str) {
    out.push(b',');
    if !text.contains([',', '"', '\r', '\n']) {
        out.extend_from_slice(text.as_bytes());
        return;
    }
    out.push(b'"');
    out.extend_from_slice(text.replace('"', "\"\"").as_bytes());
    out.push(b'"');
}
