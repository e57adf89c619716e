//! Cuts a cleaned name to its room, and makes sure that what is left can be a name.

use unicode_segmentation::UnicodeSegmentation;

/// What an item is called whose name has nothing left.
const NAMELESS: &str = "qr";

/// Writes to `out` as many whole graphemes of `cleaned` as `room` characters hold, without trailing dots, spaces and `-`.
pub(super) fn shorten(cleaned: &str, room: usize, out: &mut String) {
    out.clear();
    let mut base = cut(cleaned, room);
    // Either the whole is the name of a device, or what is left of it when its middle was spaces.
    if is_device(cleaned) || is_device(base) {
        base = cut(cleaned, room.saturating_sub(1));
        out.push('_');
    } else if base.is_empty() {
        base = NAMELESS;
    }
    out.push_str(base);
}

fn cut(cleaned: &str, room: usize) -> &str {
    let end = if cleaned.is_ascii() {
        cleaned.len().min(room)
    } else {
        let (mut end, mut count) = (0, 0);
        for grapheme in cleaned.graphemes(true) {
            count += grapheme.chars().count();
            if count > room {
                break;
            }
            end += grapheme.len();
        }
        end
    };
    cleaned[..end].trim_end_matches(['.', ' ', '-'])
}

/// Whether Windows takes a file of this name for a device, whatever its extension.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end_matches(' ');
    let is = |device: &str| stem.eq_ignore_ascii_case(device);
    match stem.char_indices().nth(3) {
        None => ["con", "prn", "aux", "nul"].into_iter().any(is),
        Some((3, digit)) if stem.len() == 3 + digit.len_utf8() => {
            let is_port = ["com", "lpt"].into_iter().any(|port| stem[..3].eq_ignore_ascii_case(port));
            is_port && matches!(digit, '0'..='9' | '¹' | '²' | '³')
        }
        Some(_) => ["conin$", "conout$"].into_iter().any(is),
    }
}
