//! Takes out of a name what a file system or a reader could stumble over.

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use crate::EXTENSIONS;

/// The character in the place of one that a name must not have.
const SUBSTITUTE: char = '-';

/// Writes `wish` to `out` in NFC and without forbidden characters, an extension of a picture at its end, leading dots and spaces.
/// One character more than `max_characters` is enough: if there is one, the name is too long, and may be cut before it.
pub(super) fn clean(wish: &str, max_characters: usize, out: &mut String) {
    out.clear();
    let wish = without_extension(wish);
    if wish.is_ascii() {
        push_ascii(wish, max_characters, out);
    } else if is_nfc_quick(wish.chars()) == IsNormalized::Yes {
        push_all(wish.chars(), max_characters, out);
    } else {
        push_all(wish.nfc(), max_characters, out);
    }
}

fn without_extension(wish: &str) -> &str {
    let base_before = |extension: &str| {
        let (base, end) = wish.split_at_checked(wish.len().checked_sub(extension.len())?)?;
        end.eq_ignore_ascii_case(extension).then_some(base)
    };
    EXTENSIONS.into_iter().find_map(base_before).unwrap_or(wish)
}

fn push_all(characters: impl Iterator<Item = char>, max_characters: usize, out: &mut String) {
    let (mut count, mut last) = (0, None);
    for character in characters.skip_while(|&first| is_dropped_first(first)) {
        let character = if is_forbidden(character) { SUBSTITUTE } else { character };
        if character == SUBSTITUTE && last == Some(SUBSTITUTE) {
            continue;
        }
        out.push(character);
        last = Some(character);
        count += 1;
        if count > max_characters {
            break;
        }
    }
}

/// [`push_all`] for a name that is ASCII: in loops without branches, of which the compiler makes vector code.
fn push_ascii(wish: &str, max_characters: usize, out: &mut String) {
    let wish = wish.trim_start_matches(is_dropped_first).as_bytes();
    let substitute = |&byte: &u8| if is_forbidden_ascii(byte) { SUBSTITUTE as u8 } else { byte };
    let mut bytes = std::mem::take(out).into_bytes();
    // Nothing more is needed if nothing collapses.
    bytes.extend(wish[..wish.len().min(max_characters + 1)].iter().map(substitute));
    if has_run(&bytes) {
        bytes.clear();
        bytes.extend(wish.iter().map(substitute));
        bytes.dedup_by(|next, last| *next == SUBSTITUTE as u8 && last == next);
        bytes.truncate(max_characters + 1);
    }
    *out = String::from_utf8(bytes).unwrap_or_default();
}

/// Returns true if a substitute follows another.
fn has_run(bytes: &[u8]) -> bool {
    let is_run = |(&one, &next): (&u8, &u8)| [one, next] == [SUBSTITUTE as u8; 2];
    let followers = bytes.get(1..).unwrap_or_default();
    bytes.iter().zip(followers).fold(false, |found, pair| found | is_run(pair))
}

fn is_dropped_first(character: char) -> bool {
    matches!(character, '.' | ' ')
}

/// Control characters, what Windows reserves, and what changes the direction of the text around it.
fn is_forbidden(character: char) -> bool {
    match character {
        '\0'..='\u{7f}' => is_forbidden_ascii(character as u8),
        // Unicode Bidirectional Algorithm, 2.1 to 2.6: embeddings, overrides, isolates, and marks.
        '\u{80}'..='\u{9f}'
        | '\u{61c}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}' => true,
        _ => false,
    }
}

fn is_forbidden_ascii(byte: u8) -> bool {
    // Sums instead of branches: see `push_ascii`.
    let reserved: u8 = b"/\\:*?\"<>|".iter().map(|reserved| u8::from(byte == *reserved)).sum();
    reserved + u8::from(byte < 0x20) + u8::from(byte == 0x7f) > 0
}
