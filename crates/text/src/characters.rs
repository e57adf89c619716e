//! Classes of characters in a caption: which need a glyph, which break a line, which are refused.

use unicode_normalization::{UnicodeNormalization, is_nfc};

/// Line feed, vertical tab, form feed, carriage return, next line, line and paragraph separator: the mandatory breaks
/// of UAX 14 (classes BK, CR, LF, NL).
fn is_line_end(character: char) -> bool {
    matches!(character, '\n' | '\u{b}' | '\u{c}' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// A control character (Cc) that is neither a tab nor a line end: no caption may hold one.
pub(crate) fn is_refused_control(character: char) -> bool {
    character.is_control() && character != '\t' && !is_line_end(character)
}

/// White space that leaves no mark: all of it but U+1680 OGHAM SPACE MARK.
pub(crate) fn is_blank(character: char) -> bool {
    character.is_whitespace() && character != '\u{1680}'
}

/// Returns true if the shaper hides a character: default-ignorable code points (joiners, direction marks, variation
/// selectors, tags), and control characters.
pub(crate) fn is_hidden(character: char) -> bool {
    is_default_ignorable(character) || (character.is_control() && !character.is_whitespace())
}

/// Returns true if some character of a text is neither blank nor hidden.
pub(crate) fn has_mark(text: &str) -> bool {
    text.chars().any(|character| !is_blank(character) && !is_hidden(character))
}

/// `Default_Ignorable_Code_Point` of DerivedCoreProperties.txt, Unicode 17, but for what the shaper gives a glyph: the four
/// Hangul fillers, which fonts space like letters, and the format controls of shorthand. The ranges are written out instead of
/// taken from `icu_properties`, because they have to be those that the shaper hides, which is not the property. A test holds
/// them against the shaper.
fn is_default_ignorable(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff0}'..='\u{fff8}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Returns true if text with `character` may need the bidirectional algorithm: right-to-left blocks, and the formatting
/// characters that turn text around. Wider than the property: a false alarm costs time only.
pub(crate) fn may_turn(character: char) -> bool {
    matches!(character,
        '\u{590}'..='\u{8ff}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}' | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

/// Writes `text` to `out` as it is laid out: trimmed, in NFC, tabs as spaces, every line end as one `\n`, without the
/// control characters that [`is_refused_control`] names (callers refuse them before).
pub(crate) fn prepare(text: &str, out: &mut String) {
    out.clear();
    let text = text.trim();
    let mut previous = ' ';
    let cleaned = text.chars().filter_map(|character| {
        let after_carriage_return = std::mem::replace(&mut previous, character) == '\r';
        match character {
            '\t' => Some(' '),
            '\n' if after_carriage_return => None,
            character if is_line_end(character) => Some('\n'),
            character => (!character.is_control()).then_some(character),
        }
    });
    if is_nfc(text) { out.extend(cleaned) } else { out.extend(cleaned.nfc()) }
}
