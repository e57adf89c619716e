//! The bytes, against tables written down from APPNOTE 6.3.

use crate::support::{archive, directory, segment};

/// Bytes of hexadecimal text, spaces aside.
fn hex(lines: &[&str]) -> Vec<u8> {
    let digits: Vec<u8> = lines.concat().bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.chunks(2).map(byte).collect()
}

#[test]
fn two_entries_byte_by_byte() {
    // CRC-32 of "123456789" is cbf43926 (the check value), of no bytes 0.
    let expected = hex(&[
        "504b0304 0a00 0008 0000 0000 4100 2639f4cb 09000000 09000000 0500 0000",
        "612e706e67 313233343536373839",
        "504b0304 0a00 0008 0000 0000 4100 00000000 00000000 00000000 0200 0000 c3a9",
        "504b0102 3f03 0a00 0008 0000 0000 4100 2639f4cb 09000000 09000000 0500 0000 0000 0000 0000",
        "0000a481 00000000 612e706e67",
        "504b0102 3f03 0a00 0008 0000 0000 4100 00000000 00000000 00000000 0200 0000 0000 0000 0000",
        "0000a481 2c000000 c3a9",
        "504b0506 0000 0000 0200 0200 63000000 4c000000 0000",
    ]);
    assert_eq!(archive(&[segment(&[("a.png".into(), b"123456789".into()), ("é".into(), vec![])])]), expected);
}

#[test]
fn zip64_byte_by_byte() {
    // Indexes of two entries: 4 GiB − 2 bytes named "a", none named "b".
    let index = hex(&["feffffff 04030201 0100 61", "00000000 00000000 0100 62"]);
    let expected = hex(&[
        "504b0102 3f03 0a00 0008 0000 0000 4100 04030201 feffffff feffffff 0100 0000 0000 0000 0000",
        "0000a481 00000000 61",
        "504b0102 3f03 2d00 0008 0000 0000 4100 00000000 00000000 00000000 0100 0c00 0000 0000 0000",
        "0000a481 ffffffff 62 0100 0800 1d00000001000000",
        "504b0606 2c00000000000000 3f03 2d00 00000000 00000000 0200000000000000 0200000000000000",
        "6a00000000000000 3c00000001000000",
        "504b0607 00000000 a600000001000000 01000000",
        "504b0506 0000 0000 0200 0200 6a000000 ffffffff 0000",
    ]);
    let (directory, summary) = directory(&[(&index, 0x1_0000_003c)]).unwrap();
    assert_eq!(directory, expected);
    assert_eq!(summary.archive_bytes, 0x1_0000_003c + expected.len() as u64);
}

#[test]
fn an_empty_archive_is_its_end() {
    let expected = hex(&["504b0506 0000 0000 0000 0000 00000000 00000000 0000"]);
    assert_eq!(archive(&[]), expected);
    assert_eq!(archive(&[segment(&[]), segment(&[])]), expected);
}

/// The example of `docs/internals/engine.md`, computed by the writer.
#[test]
fn one_entry_is_as_the_page_shows() {
    let segment = segment(&[("a.png".into(), b"123456789".into())]);
    let archive = archive(std::slice::from_ref(&segment));
    let directory = &archive[segment.bytes.len()..];
    let (header, end) = directory.split_at(directory.len() - 22);
    let hex = |name: &str, bytes: &[u8]| {
        let digits: Vec<String> = bytes.iter().map(|byte| format!(" {byte:02x}")).collect();
        let digits = digits.concat();
        format!("{name:<10}{digits}\n")
    };
    let example = [
        hex("segment", &segment.bytes),
        hex("index", &segment.index),
        hex("header", header),
        hex("end", end),
    ];
    qrpress_testkit::assert_on_page("docs/internals/engine.md", &example.concat());
}
