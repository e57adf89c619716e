//! Writes an archive of two segments, which could come from two processes: `cargo run --example segments -- archive.zip`.

use std::convert::Infallible;
use std::error::Error;

use qrpress_zip::{SegmentWriter, ZipError, ZipSegment, write_central_directory};

/// Bytes of a segment, and of its index.
type Written = (Vec<u8>, Vec<u8>);

fn segment(texts: &[(&str, &str)]) -> Result<Written, ZipError> {
    let (mut bytes, mut index) = (Vec::new(), Vec::new());
    let mut writer = SegmentWriter::new(&mut bytes, &mut index);
    for (name, text) in texts {
        let Ok(()) = writer.entry(name, |data| {
            data.extend_from_slice(text.as_bytes());
            Ok::<_, Infallible>(())
        })?;
    }
    writer.finish()?;
    Ok((bytes, index))
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "archive.zip".to_owned());
    let written =
        [segment(&[("one.txt", "first"), ("two.txt", "second")])?, segment(&[("three.txt", "third")])?];
    let mut archive: Vec<u8> = written.iter().flat_map(|(bytes, _)| bytes.iter().copied()).collect();
    let segments = written
        .iter()
        .map(|(bytes, index)| Ok(ZipSegment { index: index.as_slice(), segment_bytes: bytes.len() as u64 }));
    let summary = write_central_directory(segments, &mut archive)?;
    std::fs::write(&path, archive)?;
    println!("{path}: {} entries", summary.entries);
    Ok(())
}
