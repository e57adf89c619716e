//! Names of pictures that become the same one in the archive.

/// Characters of a name in an archive, without its extension.
const CHARACTERS: usize = 96;

/// The name as an archive has it, in small letters: without the characters that no file may have, an extension of a picture, and dots and
/// spaces at its ends. `crates/batch/src/name` gives the name itself, and a number to one that is in use.
pub(crate) fn as_in_archive(name: &str) -> String {
    let is_at_end = |character| matches!(character, '.' | ' ');
    let name = name.to_lowercase();
    let stem = [".png", ".svg"].iter().find_map(|extension| name.strip_suffix(extension)).unwrap_or(&name);
    let mut out = String::with_capacity(stem.len());
    let mut characters = 0;
    for character in stem.trim_start_matches(is_at_end).chars() {
        let is_forbidden = "/\\:*?\"<>|-".contains(character) || character.is_control();
        if is_forbidden && out.ends_with('-') {
            continue;
        }
        characters += 1;
        if characters > CHARACTERS {
            break;
        }
        out.push(if is_forbidden { '-' } else { character });
    }
    out.truncate(out.trim_end_matches(|character| is_at_end(character) || character == '-').len());
    if out.is_empty() { "qr".to_owned() } else { out }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_as_the_archive_has_them() {
        for (name, expected) in [
            ("B/1", "b-1"),
            ("b-1", "b-1"),
            ("B:\\1?", "b-1"),
            ("Room1.PNG", "room1"),
            (" .a. ", "a"),
            ("a.b", "a.b"),
            ("???", "qr"),
            ("Öl", "öl"),
        ] {
            assert_eq!(as_in_archive(name), expected, "{name}");
        }
        assert_eq!(as_in_archive(&"x".repeat(120)), "x".repeat(96));
    }
}
