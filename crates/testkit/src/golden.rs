//! Golden files: results of earlier runs that tests compare with.

use std::fs;
use std::path::Path;

/// The content of a golden file. With `QRPRESS_BLESS=1` in the environment, `current` is written to it first.
///
/// The path is best made of `concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden.txt")`.
pub fn recorded(path: impl AsRef<Path>, current: &str) -> String {
    let path = path.as_ref();
    if std::env::var_os("QRPRESS_BLESS").is_some_and(|value| value == "1") {
        fs::write(path, current).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    read(path)
}

/// Compares a text with a golden file line by line; see [`recorded`].
pub fn assert_recorded(path: impl AsRef<Path>, current: &str) {
    let recorded = recorded(&path, current);
    for (number, (recorded, current)) in (1..).zip(recorded.lines().zip(current.lines())) {
        assert_eq!(recorded, current, "line {number} of {}", path.as_ref().display());
    }
    let [before, now] = [&*recorded, current].map(|text| text.lines().count());
    assert_eq!(before, now, "lines of {}", path.as_ref().display());
}

/// Asserts that a page of the project, such as `docs/internals/engine.md`, shows an example as the code computes it: all lines of
/// `example`, one after another. Spaces at the ends of lines do not count.
pub fn assert_on_page(page: &str, example: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page);
    let trimmed = |text: &str| text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
    assert!(trimmed(&read(&path)).contains(&trimmed(example)), "{page} does not show:\n{example}");
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The 64-bit FNV-1a hash, which golden files hold in place of long results.
pub fn fnv1a(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::fnv1a;

    #[test]
    fn hashes_are_those_of_the_algorithm_s_authors() {
        assert_eq!(fnv1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
