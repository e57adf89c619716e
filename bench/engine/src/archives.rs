//! An entry of an archive without a disk, beside the crate `zip`.

use std::convert::Infallible;
use std::io::{self, Write};

use qrpress_zip::SegmentWriter;
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

use crate::comparison::Comparison;
use crate::texts::texts;
use crate::workloads::OWN;

/// The bytes of a common picture.
const DATA: [u8; 650] = [0x5a; 650];

pub(crate) fn archives() {
    let mut segment = SegmentWriter::new(io::sink(), io::sink());
    let mut archive = ZipWriter::new_stream(io::sink());
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    // The crate refuses a name that an archive has already.
    let mut number = 0_u64;
    Comparison::new("archive entry", texts(30))
        .add(OWN, move |text, _| {
            let Ok(()) = segment
                .entry(text, |buffer| {
                    buffer.extend_from_slice(&DATA);
                    Ok::<_, Infallible>(())
                })
                .unwrap();
        })
        .add("zip, streaming", move |_, _| {
            number += 1;
            archive.start_file(format!("example.com-products-{number:07}"), options).unwrap();
            archive.write_all(&DATA).unwrap();
        })
        .run();
}
