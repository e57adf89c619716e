//! Unzippers of this machine. One that is missing is named on standard error, or fails the test when
//! `QRPRESS_REQUIRE_TOOLS` is 1.

use std::{
    env,
    fmt::Write as _,
    io::{self, Write as _},
    path::Path,
    process::{Command, Output},
};

use crate::support::Entry;

/// Lists every entry, and reads those small enough: name in hexadecimal, CRC-32, size, mode, date.
const PYTHON: &str = r"
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    for entry in archive.infolist():
        if entry.file_size < 1 << 30:
            archive.read(entry)
        print(entry.filename.encode().hex(), entry.CRC, entry.file_size, oct(entry.external_attr >> 16), entry.date_time)
";

/// Lets every unzipper test the archive, of which `names` only when there are any.
pub fn test_archive(archive: &Path, names: &[&str]) {
    if let Some(output) = run(Command::new("unzip").arg("-tqq").arg(archive).args(names)) {
        assert!(output.status.success(), "unzip: {output:?}");
    }
    if let Some(output) = run(Command::new("7z").args(["t", "-bd", "-sccUTF-8"]).arg(archive).args(names)) {
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("Everything is Ok"), "7z: {output:?}");
        assert!(!text.contains("arning"), "7z: {text}");
    }
}

/// Lets Python read the archive, and compares what it finds with the entries, given as name, CRC-32 and size.
pub fn compare_in_python(archive: &Path, entries: impl IntoIterator<Item = (String, u32, u64)>) {
    let Some(output) = run(Command::new("python3").args(["-c", PYTHON]).arg(archive)) else { return };
    assert!(output.status.success(), "python3: {output:?}");
    let mut expected = String::new();
    for (name, crc32, size) in entries {
        for byte in name.bytes() {
            write!(expected, "{byte:02x}").unwrap();
        }
        writeln!(expected, " {crc32} {size} 0o100644 (1980, 2, 1, 0, 0, 0)").unwrap();
    }
    assert!(String::from_utf8(output.stdout).unwrap() == expected, "python3 finds other entries");
}

/// Lets every unzipper read all of an archive with these entries.
pub fn read_all(archive: &Path, entries: &[Entry]) {
    test_archive(archive, &[]);
    let entries = entries.iter().map(|(name, data)| (name.clone(), crc32fast::hash(data), data.len() as u64));
    compare_in_python(archive, entries);
}

/// The answer of the program, or `None` when it is missing.
pub fn run(command: &mut Command) -> Option<Output> {
    match command.env("LC_ALL", "C.UTF-8").output() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let program = command.get_program().display();
            assert!(env::var_os("QRPRESS_REQUIRE_TOOLS").is_none_or(|v| v != "1"), "{program} is missing");
            // `eprintln!` would be kept from sight in a test that passes.
            io::stderr().write_all(format!("skipped: {program} is missing\n").as_bytes()).unwrap();
            None
        }
        output => Some(output.unwrap()),
    }
}
