//! Cuts a cleaned name to its limits, and makes sure that what is left can be a name.

use unicode_segmentation::UnicodeSegmentation;

/// The name of an item whose own name has nothing left.
const NAMELESS: &str = "qr";

/// Characters that a formula of a spreadsheet begins with, and an option of a command: no name begins with one.
const FIRST_OF_FORMULAS: [char; 4] = ['=', '+', '-', '@'];

/// The length that a name may have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    pub characters: usize,
    /// At least as many.
    pub bytes: usize,
}

impl Room {
    /// The room that so many ASCII characters leave.
    pub fn beside(self, ascii: usize) -> Self {
        Self { characters: self.characters.saturating_sub(ascii), bytes: self.bytes.saturating_sub(ascii) }
    }
}

/// Writes to `out` as many whole graphemes of `cleaned` as there is room for, without trailing dots, spaces and `-`.
pub(super) fn shorten(cleaned: &str, room: Room, out: &mut String) {
    out.clear();
    let mut base = cut(cleaned, room);
    // Either the whole is the name of a device, or what is left of it when its middle was spaces.
    if is_device(cleaned) || is_device(base) {
        base = cut(cleaned, room.beside(1));
        out.push('_');
    } else if base.is_empty() {
        base = NAMELESS;
    } else if let Some(rest) = base.strip_prefix(FIRST_OF_FORMULAS) {
        base = rest;
        out.push('_');
    }
    out.push_str(base);
}

fn cut(cleaned: &str, room: Room) -> &str {
    let mut end = cleaned.len();
    if end > room.characters && cleaned.is_ascii() {
        end = room.characters;
    } else if end > room.bytes || (end > room.characters && cleaned.chars().count() > room.characters) {
        let (mut characters, mut bytes) = (0, 0);
        let fits = |grapheme: &&str| {
            characters += grapheme.chars().count();
            bytes += grapheme.len();
            characters <= room.characters && bytes <= room.bytes
        };
        end = cleaned.graphemes(true).take_while(fits).map(str::len).sum();
    }
    cleaned[..end].trim_end_matches(['.', ' ', '-'])
}

/// Returns true if Windows takes a file of this name for a device, whatever its extension.
fn is_device(name: &str) -> bool {
    let Some((start, rest)) = name.split_at_checked(3) else { return false };
    let starts_as = |device: &&str| start.eq_ignore_ascii_case(device);
    let Some(device) = ["con", "prn", "aux", "nul", "com", "lpt"].into_iter().find(starts_as) else {
        return false;
    };
    let rest = rest.split('.').next().unwrap_or_default().trim_end_matches(' ');
    match device {
        "com" | "lpt" => {
            let mut characters = rest.chars();
            let is_number = matches!(characters.next(), Some('0'..='9' | '¹' | '²' | '³'));
            is_number && characters.next().is_none()
        }
        "con" if !rest.is_empty() => rest.eq_ignore_ascii_case("in$") || rest.eq_ignore_ascii_case("out$"),
        _ => rest.is_empty(),
    }
}
