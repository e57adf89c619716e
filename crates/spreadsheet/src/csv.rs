//! Reads a CSV file (RFC 4180) into the table.

mod head;
mod labelled;
mod line_fields;
mod networks;
mod records;
mod secret;

use encoding_rs::UTF_8;

use crate::ReadRequest;
use crate::bounds::ROW_BYTES;
use crate::error::{Halt, SpreadsheetError};
use crate::row::RowSink;
use crate::table::Table;
use crate::text::{Encoding, TextReader};
use crate::watch::Watch;
use head::Head;
pub use labelled::kind_of_fields;
pub use networks::{NetworkLines, lines_of_networks, with_networks};
use records::{Records, Separator};

/// Reads the file into the table.
pub(crate) fn read(
    request: &ReadRequest<'_>,
    encoding: Encoding,
    watch: &Watch<'_>,
    table: &mut Table<'_>,
) -> Result<(), Halt> {
    let fail = SpreadsheetError::io(request.file);
    let is_utf8 = matches!(encoding, Encoding::Utf8 { .. });
    let encoded_twice = is_utf8 && request.encoded_twice;
    let mut reader = TextReader::open(request.file, encoding, encoded_twice).map_err(&fail)?;
    table.report.encoding = is_utf8.then_some(UTF_8.name());
    if let Encoding::Other(name) | Encoding::Doubtful(name) = encoding {
        table.note_encoding(name.name(), matches!(encoding, Encoding::Doubtful(_)));
    }
    let mut text = String::new();
    let mut more = true;
    let mut least = 0;
    let mut head = loop {
        more = more && reader.read(&mut text).map_err(&fail)?;
        watch.count(text.len() as u64)?;
        // Twice as much text each time: all of it is looked at again.
        if more && text.len() < least {
            continue;
        }
        least = 2 * text.len();
        if let Some(head) = Head::find(&text, !more || text.len() > ROW_BYTES, request)? {
            break head;
        }
    };
    if head.separator == Separator::Byte(b':') {
        while more && text.len() <= ROW_BYTES {
            more = reader.read(&mut text).map_err(&fail)?;
            watch.count(text.len() as u64)?;
        }
        let rows = &text[head.start..];
        if let Some(table) = Some(rows).filter(|_| !more).and_then(labelled::table_of) {
            text = table;
            head = Head { start: 0, separator: Separator::Byte(b'\t') };
        }
    }
    if head.separator == Separator::Line {
        table.expect_lines();
    }
    table.set_separated(matches!(head.separator, Separator::Byte(_)));
    let mut records = Records::new(head.separator);
    let mut start = head.start;
    loop {
        watch.count(text.len() as u64)?;
        records.feed(&text.as_bytes()[start..], table)?;
        text.clear();
        start = 0;
        more = more && reader.read(&mut text).map_err(&fail)?;
        if !more && text.is_empty() {
            records.finish(table)?;
            return table.end_rows();
        }
    }
}
