//! Texts: the shared ones of a workbook, and how a text is put together of its pieces.

use std::borrow::Cow;
use std::mem;

use super::damaged::damaged;
use super::package::Package;
use super::xml::{Element, Node};
use crate::bounds::CELL_BYTES;
use crate::error::Halt;
use crate::fault::Fault;

/// Bytes of all shared texts: as many as a job may have.
const TEXT_BYTES: usize = 100_000_000;

/// Shared texts. A job has a million items, with three texts each.
const TEXTS: usize = 4_000_000;

/// Bytes of a cell's text before its escapes are replaced: those of control characters are seven bytes each.
pub(super) const MOST_ESCAPED: usize = 7 * CELL_BYTES;

/// Nodes of the part: some more than its texts need.
const NODES: u64 = 30_000_000;

/// The texts that cells refer to by their index.
#[derive(Debug, Default)]
pub(crate) struct Strings {
    text: String,
    /// The end of each one.
    ends: Vec<u32>,
}

impl Strings {
    /// Reads the part.
    pub fn read(package: &mut Package<'_>, part: &str) -> Result<Self, Halt> {
        let mut strings = Self::default();
        let mut piece = TextPieces::default();
        let mut in_item = false;
        let mut xml = package.open_part(part, NODES)?;
        while let Some(node) = xml.next()? {
            match node {
                Node::Start(element) if element.name() == "si" => {
                    if mem::replace(&mut in_item, true) {
                        return Err(damaged());
                    }
                    piece.clear();
                }
                Node::Start(element) => piece.start(&element)?,
                Node::Text(text) => piece.text(&text),
                Node::End(end) if end.name() == "si" => {
                    in_item = false;
                    let text = piece.text.as_str();
                    // A text of spaces shows nothing, as an empty one does.
                    if !text.trim().is_empty() {
                        strings.text.push_str(beginning(text));
                    }
                    if strings.text.len() > TEXT_BYTES || strings.ends.len() >= TEXTS {
                        return Err(Halt::refuse(Fault::ManyTexts));
                    }
                    strings.ends.push(u32::try_from(strings.text.len()).map_err(|_| damaged())?);
                }
                Node::End(end) => piece.end(end.name()),
                Node::Nothing => {}
            }
        }
        Ok(strings)
    }

    /// The text of an index.
    pub fn get(&self, index: usize) -> Option<&str> {
        let end = *self.ends.get(index)? as usize;
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        self.text.get(start..end)
    }
}

/// A text on its way: runs one after the other, without what only says how they sound.
#[derive(Debug, Default)]
pub(crate) struct TextPieces {
    pub text: String,
    piece: String,
    in_text: bool,
    keeps_spaces: bool,
    in_phonetic: bool,
}

impl TextPieces {
    pub fn clear(&mut self) {
        *self =
            Self { text: mem::take(&mut self.text), piece: mem::take(&mut self.piece), ..Self::default() };
        self.text.clear();
        self.piece.clear();
    }

    pub fn start(&mut self, element: &Element<'_>) -> Result<(), Halt> {
        match element.name() {
            "rPh" => self.in_phonetic = true,
            _ if self.in_text => return Err(damaged()),
            "t" => {
                self.in_text = !self.in_phonetic;
                self.keeps_spaces = element.attribute("space").is_some_and(|space| space == "preserve");
                self.piece.clear();
            }
            _ => {}
        }
        Ok(())
    }

    /// Takes more of the text, until it is longer than that of a cell can be.
    pub fn text(&mut self, text: &str) {
        if self.in_text && self.text.len() + self.piece.len() <= MOST_ESCAPED {
            self.piece.push_str(text);
        }
    }

    pub fn end(&mut self, name: &str) {
        match name {
            "rPh" => self.in_phonetic = false,
            "t" if self.in_text => {
                self.in_text = false;
                let white = |character: char| " \t\n\r".contains(character);
                let kept =
                    if self.keeps_spaces { self.piece.as_str() } else { self.piece.trim_matches(white) };
                // An escape stands in one run.
                self.text.push_str(&unescaped(kept));
            }
            _ => {}
        }
    }
}

/// The text of a cell; of a text that no cell has, a beginning that is longer than a cell.
fn beginning(text: &str) -> &str {
    let end = (CELL_BYTES + 1..text.len()).find(|&end| text.is_char_boundary(end));
    &text[..end.unwrap_or(text.len())]
}

/// Replaces escapes such as `_x000D_` by their characters (ECMA-376-1, 22.9.2.19).
pub(crate) fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains("_x") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("_x") {
        let (before, escape) = rest.split_at(start);
        out.push_str(before);
        let number = escape
            .get(2..6)
            .filter(|digits| {
                digits.bytes().all(|byte| byte.is_ascii_hexdigit()) && escape.as_bytes().get(6) == Some(&b'_')
            })
            .and_then(|digits| u32::from_str_radix(digits, 16).ok());
        if let Some(number) = number {
            // Half of a surrogate pair is no character.
            out.push(char::from_u32(number).unwrap_or('\u{fffd}'));
            rest = &escape[7..];
        } else {
            out.push_str("_x");
            rest = &escape[2..];
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_characters() {
        assert_eq!(unescaped("a_x000D_\nb"), "a\r\nb");
        assert_eq!(unescaped("_x005F_x0041_"), "_x0041_");
        assert_eq!(unescaped("_x004_ _x_ _xGGGG_ _x"), "_x004_ _x_ _xGGGG_ _x");
        assert_eq!(unescaped("_xD800_"), "\u{fffd}");
    }
}
