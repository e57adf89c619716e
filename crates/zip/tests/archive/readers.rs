//! Archives read back by other people's code.

use std::{fs::File, io::Read, process::Command};

use zip::{CompressionMethod, ZipArchive};

use crate::{
    support::{Entry, Segment, TemporaryFile, archive, segment},
    tools,
};

/// Reads the archive with the `zip` crate and every unzipper of the machine.
fn read_everywhere(segments: &[Segment], entries: &[Entry]) {
    let file = TemporaryFile::holding(&archive(segments));
    let mut archive = ZipArchive::new(File::open(file.path()).unwrap()).unwrap();
    assert_eq!(archive.len(), entries.len());
    for (index, (name, data)) in entries.iter().enumerate() {
        let mut entry = archive.by_index(index).unwrap();
        assert_eq!(entry.name().unwrap(), name.as_str());
        assert_eq!(entry.unix_mode(), Some(0o100_644));
        assert_eq!(entry.compression(), CompressionMethod::Stored);
        let mut read = Vec::new();
        entry.read_to_end(&mut read).unwrap();
        assert!(read == *data, "{name}");
    }
    tools::read_all(file.path(), entries);
}

/// Distinct data of a length that varies.
fn data(index: usize) -> Vec<u8> {
    index.to_le_bytes().repeat(1 + index % 100)
}

// Clauses: names/order
#[test]
fn names_in_many_scripts() {
    let names = [
        "plain.png",
        "Café Zoë.png",
        "Ελλάδα.svg",
        "Москва.png",
        "ירושלים.png",
        "القاهرة.png",
        "दिल्ली.svg",
        "กรุงเทพฯ.png",
        "東京都.png",
        "서울.png",
        "北京-🧨.svg",
        "ትግርኛ.png",
        "a\u{0301}.png",
        "👩🏽\u{200d}🚀.png",
        "with space & 'quotes'.png",
        "%20#$!~^()[]{}.png",
    ];
    let mut entries: Vec<Entry> =
        names.iter().enumerate().map(|(index, name)| ((*name).to_owned(), data(index))).collect();
    entries.push(("ሀ".repeat(85), data(99)));
    let segments: Vec<_> = entries.chunks(3).map(segment).collect();
    read_everywhere(&segments, &entries);
}

#[test]
fn seventy_thousand_entries_need_zip64() {
    let entries: Vec<Entry> = (0..70_000).map(|index| (format!("{index}.png"), data(index))).collect();
    let segments: Vec<_> = entries.chunks(9_999).map(segment).collect();
    read_everywhere(&segments, &entries);
}

#[test]
fn entries_of_every_size_around_the_buffer() {
    let sizes = [0, 1, 114_000, 114_687, 114_688, 114_689, 3, 1 << 20, 5_000_000, 0, 70_000];
    let entries: Vec<Entry> = sizes
        .iter()
        .enumerate()
        .map(|(index, &size)| (format!("{index}"), vec![index as u8; size]))
        .collect();
    read_everywhere(&[segment(&entries)], &entries);
}

#[test]
fn an_empty_archive() {
    let file = TemporaryFile::holding(&archive(&[]));
    assert!(ZipArchive::new(File::open(file.path()).unwrap()).unwrap().is_empty());
    tools::compare_in_python(file.path(), []);
    // unzip takes no archive without entries for whole (exit 1, a warning).
    if let Some(output) = tools::run(Command::new("7z").arg("t").arg(file.path())) {
        assert!(output.status.success(), "{output:?}");
    }
}
