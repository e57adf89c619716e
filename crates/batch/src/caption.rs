//! What a caption must have: a glyph for every character, and room under its code.

use std::sync::Arc;

use qrpress_text::{FontSet, Typesetter};

use crate::style::CaptionStyle;

/// Measures captions in a job's font size.
pub(crate) struct CaptionRoom {
    typesetter: Typesetter,
    max_side_px: u32,
}

impl CaptionRoom {
    pub fn new(fonts: &Arc<FontSet>, style: &CaptionStyle, max_side_px: u32) -> Self {
        Self { typesetter: Typesetter::new(Arc::clone(fonts), style.font_size_px.into()), max_side_px }
    }

    /// A height for the caption in a picture of that width, both in pixels: one that it does not pass where even that
    /// has room, else its own.
    pub fn height_px(&mut self, text: &str, width_px: u32) -> u32 {
        let bound = self.typesetter.height_bound(text);
        if width_px.saturating_add(bound) <= self.max_side_px {
            bound
        } else {
            self.typesetter.lay_out(text, width_px).height_px()
        }
    }
}

/// What is wrong with a caption that has characters no font draws.
pub(crate) fn uncovered(fonts: &FontSet, text: &str) -> Option<String> {
    let character = fonts.first_uncovered(text)?;
    Some(format!("expected characters that the fonts have, found U+{:04X}", u32::from(character)))
}
