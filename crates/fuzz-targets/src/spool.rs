//! Spools: the reader that every rendering thread begins with.

use qrpress_batch::{
    BatchError, Chunk, RenderStyle, SpoolReader,
    draw::{ChunkFiles, render_chunk},
    style_issues,
};
use qrpress_testkit::fonts;

use crate::body::scratch_folder;
use crate::pictures::assert_pictures;

/// Bytes of the header before its settings; the last four are the settings' length.
const PREFIX_BYTES: usize = 16;
/// Items that are rendered at most.
const MAX_ITEMS: usize = 8;

/// Reads a spool with one chunk, compares it with a naive reading, and draws it when a job could have its style.
///
/// # Panics
/// When a law is broken.
pub fn spool(bytes: &[u8]) {
    let folder = scratch_folder();
    let [path, segment, index] = ["spool", "segment", "index"].map(|name| folder.path().join(name));
    std::fs::write(&path, bytes).expect("the scratch folder takes files");
    let Ok(mut reader) = SpoolReader::open(&path) else { return };
    let style = reader.header().style.clone();
    let length = u32::from_le_bytes([12, 13, 14, 15].map(|at| bytes[at])) as usize;
    let records = &bytes[PREFIX_BYTES + length..];
    let naive = naive_records(records);
    let chunk = Chunk {
        first_item: 0,
        item_count: naive.as_ref().map_or(1, Vec::len) as u64,
        spool_offset: (PREFIX_BYTES + length) as u64,
        spool_bytes: records.len() as u64,
    };
    assert!(reader.records(&Chunk { spool_bytes: chunk.spool_bytes + 1, ..chunk }).is_err());
    let mut read = reader.records(&chunk).expect("the chunk lies in the file");
    let mut naive_left = naive.clone().unwrap_or_default().into_iter();
    let whole = loop {
        match read.next_record() {
            Ok(Some(record)) => {
                let fields = [Some(record.data), Some(record.name), record.caption, record.reference];
                if naive.is_some() {
                    assert_eq!(
                        naive_left.next().as_ref().map(|fields| fields.each_ref().map(Option::as_deref)),
                        Some(fields)
                    );
                }
            }
            Ok(None) => break true,
            Err(_) => break false,
        }
    };
    if naive.is_some() {
        assert!(whole && naive_left.next().is_none(), "a whole spool is refused, or ends early");
    }
    let drawable = naive.is_some_and(|records| {
        (1..=MAX_ITEMS).contains(&records.len())
            && records.iter().all(|[data, name, ..]| {
                name.as_ref().is_some_and(|name| !name.is_empty())
                    && data.as_ref().is_some_and(|data| data.len() <= 300)
            })
    });
    if drawable && is_small(&style) && style_issues(&style, fonts()).is_empty() {
        let files = ChunkFiles { spool: &path, segment: &segment, index: &index };
        let report = match render_chunk(&chunk, &files, fonts()) {
            // A size or a density out of its range.
            Err(BatchError::CorruptSpool { .. }) => return,
            report => report.expect("the scratch folder takes files"),
        };
        assert_eq!(report.completed + report.failed, chunk.item_count);
        assert_pictures(&std::fs::read(segment).expect("the segment is there"), &style);
    }
}

/// Returns true if pictures of the style are drawn quickly.
fn is_small(style: &RenderStyle) -> bool {
    style.pixels_per_module <= 20
        && style.caption.font_size <= 64
        && style.caption.text.chars().count() <= 120
        // Colours that are alike cannot be read back.
        && style.foreground != style.background
}

/// Data, name, caption and reference of every record; `None` where the bytes are not whole records.
fn naive_records(mut bytes: &[u8]) -> Option<Vec<[Option<String>; 4]>> {
    let mut records = Vec::new();
    while !bytes.is_empty() {
        let (lengths, mut rest) = bytes.split_at_checked(8)?;
        let mut fields = [const { None }; 4];
        for (index, field) in fields.iter_mut().enumerate() {
            let length = u16::from_le_bytes([lengths[2 * index], lengths[2 * index + 1]]);
            // A caption may be absent or empty; no reference is empty.
            let absent = if index == 2 { length == u16::MAX } else { index == 3 && length == 0 };
            if !absent {
                let (text, after) = rest.split_at_checked(length.into())?;
                *field = Some(str::from_utf8(text).ok()?.to_owned());
                rest = after;
            }
        }
        records.push(fields);
        bytes = rest;
    }
    (!records.is_empty()).then_some(records)
}
