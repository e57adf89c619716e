//! Text to items: stretches of one font and one script.

use std::ops::Range;

use unicode_script::{Script, UnicodeScript};
use unicode_segmentation::UnicodeSegmentation;

use crate::FontSet;

/// A stretch of a paragraph that is shaped with one font, as one script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    /// Bytes of the paragraph.
    pub(crate) bytes: Range<usize>,
    pub(crate) face: u8,
    /// ISO 15924 tag.
    pub(crate) script: [u8; 4],
}

/// Fills `items` with the items of `paragraph` in logical order, without gaps.
///
/// A grapheme cluster is drawn by one font wherever one has all of it. Punctuation, digits and other characters without
/// a script of their own are taken to the script before them, or the first behind them, and to its font when that can draw them.
/// Han characters are drawn by `han_face` where that can.
pub(crate) fn itemise(fonts: &FontSet, paragraph: &str, han_face: Option<u8>, items: &mut Vec<Item>) {
    items.clear();
    if paragraph.bytes().all(|byte| fonts.first_face(char::from(byte)) == Some(0) && byte.is_ascii()) {
        items.push(Item { bytes: 0..paragraph.len(), face: 0, script: *b"Latn" });
        return;
    }
    let first_script =
        paragraph.chars().map(|character| character.script()).find(|&script| is_specific(script));
    let mut script = first_script.unwrap_or(Script::Latin);
    let mut script_face = None;
    for (start, cluster) in paragraph.grapheme_indices(true) {
        let own = cluster.chars().map(|character| character.script()).find(|&script| is_specific(script));
        let preferred = match own {
            Some(own) if own != script => {
                script = own;
                None
            }
            _ => script_face,
        };
        let face = fonts.face_for(cluster, preferred);
        if own.is_some() && face.is_some() {
            script_face = face;
        }
        let own_face = han_face.filter(|&face| own == Some(Script::Han) && fonts.draws(face, cluster));
        let face = own_face.or(face);
        let tag = script.as_iso15924_tag().to_be_bytes();
        if let Some(face) = face {
            push(items, Item { bytes: start..start + cluster.len(), face, script: tag });
        } else {
            // No font has the whole cluster: each character goes to its own.
            for (offset, character) in cluster.char_indices() {
                let start = start + offset;
                let face = fonts.first_face(character).unwrap_or(0);
                push(items, Item { bytes: start..start + character.len_utf8(), face, script: tag });
            }
        }
    }
}

fn is_specific(script: Script) -> bool {
    !matches!(script, Script::Common | Script::Inherited | Script::Unknown)
}

/// Appends `item`, or lengthens the last one when it is of the same kind.
fn push(items: &mut Vec<Item>, item: Item) {
    match items.last_mut() {
        Some(last) if last.face == item.face && last.script == item.script => last.bytes.end = item.bytes.end,
        _ => items.push(item),
    }
}
