//! A line of the manifest, or of a body, as JSON (RFC 8259).

use std::io::Write;

use super::Thousandths;
use crate::Record;
use crate::read_back::ItemReading;
use crate::rendered::Line;

/// Writes a line of the manifest. `missing`: the name of an item without files, if it is to be told. `with_offsets`: tells the
/// place of each file's first byte in the segment.
pub(super) fn write(
    line: &Line<'_>,
    missing: Option<&str>,
    reading: ItemReading,
    with_offsets: bool,
    out: &mut Vec<u8>,
) {
    let Line { index, record, caption, files } = *line;
    number(out, "{\"index\":", index);
    if let Some(reference) = record.reference {
        text(out, ",\"reference\":", reference);
    }
    text(out, ",\"data\":", record.data);
    if !caption.is_empty() {
        text(out, ",\"caption\":", caption);
    }
    let status = if files.is_empty() { "failed" } else { "completed" };
    text(out, ",\"status\":", status);
    if let Some(name) = missing {
        text(out, ",\"filename\":", name);
    }
    out.extend_from_slice(b",\"files\":[");
    for (place, file) in files.iter().enumerate() {
        text(out, if place == 0 { "{\"name\":" } else { ",{\"name\":" }, &file.name);
        number(out, ",\"bytes\":", file.bytes);
        if with_offsets {
            number(out, ",\"offset\":", file.offset);
        }
        write!(out, ",\"crc32\":\"{:08x}\"}}", file.crc32).expect("memory takes what is written");
    }
    out.push(b']');
    match reading {
        ItemReading::Read { unused_thousandths } => {
            let unused = Thousandths(unused_thousandths);
            write!(out, ",\"unusedErrorCorrection\":{unused}").expect("memory takes what is written");
        }
        ItemReading::Unread => out.extend_from_slice(b",\"unread\":true"),
        ItemReading::NotTried => {}
    }
    out.extend_from_slice(b"}\n");
}

/// Writes an item as the body of a job has it: the file keeps its name, and the caption its origin.
pub(super) fn write_item(record: &Record<'_>, out: &mut Vec<u8>) {
    text(out, "{\"data\":", record.data);
    text(out, ",\"filename\":", record.name);
    if let Some(caption) = record.caption {
        text(out, ",\"caption\":", caption);
    }
    if let Some(reference) = record.reference {
        text(out, ",\"reference\":", reference);
    }
    out.extend_from_slice(b"}\n");
}

fn number(out: &mut Vec<u8>, before: &str, value: u64) {
    write!(out, "{before}{value}").expect("memory takes what is written");
}

fn text(out: &mut Vec<u8>, before: &str, value: &str) {
    out.extend_from_slice(before.as_bytes());
    serde_json::to_writer(out, value).expect("memory takes what is written");
}
