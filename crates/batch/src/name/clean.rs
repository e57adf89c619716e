//! Takes out of a name what a file system or a reader could stumble over.

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// What stands in the place of a character that a name must not have.
const SUBSTITUTE: char = '-';

/// Writes `wish` to `out` in NFC and without forbidden characters, a `.png` or `.svg` at its end, leading dots and spaces.
/// One character more than `room` is enough: it tells whether the name is to be shortened, and where it may be.
pub(super) fn clean(wish: &str, room: usize, out: &mut String) {
    out.clear();
    let wish = without_extension(wish);
    if wish.is_ascii() {
        push_ascii(wish, room, out);
    } else if is_nfc_quick(wish.chars()) == IsNormalized::Yes {
        push_all(wish.chars(), room, out);
    } else {
        push_all(wish.nfc(), room, out);
    }
}

fn without_extension(wish: &str) -> &str {
    match wish.split_at_checked(wish.len().saturating_sub(4)) {
        Some((base, end)) if end.eq_ignore_ascii_case(".png") || end.eq_ignore_ascii_case(".svg") => base,
        _ => wish,
    }
}

fn push_all(characters: impl Iterator<Item = char>, room: usize, out: &mut String) {
    let (mut count, mut last) = (0, None);
    for character in characters.skip_while(|&first| is_dropped_first(first)) {
        let character = if is_forbidden(character) { SUBSTITUTE } else { character };
        if character == SUBSTITUTE && last == Some(SUBSTITUTE) {
            continue;
        }
        out.push(character);
        last = Some(character);
        count += 1;
        if count > room {
            break;
        }
    }
}

/// As [`push_all`], for a name that is ASCII: whole runs of allowed characters at once.
fn push_ascii(wish: &str, room: usize, out: &mut String) {
    let mut rest = wish.trim_start_matches(is_dropped_first);
    while !rest.is_empty() && out.len() <= room {
        let most = &rest.as_bytes()[..rest.len().min(room + 1 - out.len())];
        let run = most.iter().position(|&byte| IS_BREAK[usize::from(byte)]).unwrap_or(most.len());
        out.push_str(&rest[..run]);
        rest = &rest[run..];
        if run < most.len() {
            if !out.ends_with(SUBSTITUTE) {
                out.push(SUBSTITUTE);
            }
            rest = &rest[1..];
        }
    }
}

/// ASCII that ends a run of characters to be taken as they are: forbidden, or the substitute itself.
const IS_BREAK: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = is_forbidden(byte as u8 as char) || byte as u8 as char == SUBSTITUTE;
        byte += 1;
    }
    table
};

fn is_dropped_first(character: char) -> bool {
    matches!(character, '.' | ' ')
}

/// Control characters, what Windows reserves, and what changes the direction of the text around it.
const fn is_forbidden(character: char) -> bool {
    matches!(
        character,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}'
            | '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|'
            // Unicode Bidirectional Algorithm, 2.1 to 2.4: embeddings, overrides, and isolates.
            | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    )
}
