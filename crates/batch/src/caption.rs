//! Captions: a glyph for every character, room under their codes, and drawing.

use std::sync::Arc;

use qrpress_image::{CAPTION_SAMPLE, CaptionOutline, CaptionPixels, PngRenderer};
use qrpress_text::{Coverage, FittingTypesetter, FontSet};

use crate::ResolvedStyle;

/// Measures captions in a job's font size.
pub(crate) struct CaptionMeasure {
    typesetter: FittingTypesetter,
    max_side_px: u32,
}

impl CaptionMeasure {
    pub fn new(fonts: &Arc<FontSet>, style: &ResolvedStyle, max_side_px: u32) -> Self {
        Self { typesetter: style.typesetter(Arc::clone(fonts)), max_side_px }
    }

    /// A height that the caption does not pass in any width.
    pub fn bound_px(&self, text: &str) -> u32 {
        self.typesetter.height_bound(text)
    }

    /// An upper bound of the caption's height if even that fits; otherwise the exact height. All in pixels.
    pub fn height_px(&mut self, text: &str, width_px: u32) -> u32 {
        let bound = self.typesetter.height_bound(text);
        if width_px.saturating_add(bound) <= self.max_side_px {
            bound
        } else {
            self.typesetter.lay_out(text, width_px).height_px()
        }
    }
}

/// The issue of a caption that has characters no font draws.
pub(crate) fn uncovered(fonts: &FontSet, text: &str) -> Option<String> {
    let character = fonts.first_uncovered(text)?;
    Some(format!("no font has the character U+{:04X}", u32::from(character)))
}

/// Draws captions of one font size.
pub(crate) struct CaptionRenderer {
    typesetter: FittingTypesetter,
    font_size_px: u32,
    /// The caption in work, and the width of its picture.
    text: String,
    width_px: u32,
    height_px: u32,
    /// Its pixels and its outlines, once they were asked for: many items have the same caption as the one before.
    coverage: Coverage,
    has_coverage: bool,
    path: Vec<u8>,
}

impl CaptionRenderer {
    pub fn new(fonts: Arc<FontSet>, style: &ResolvedStyle) -> Self {
        Self {
            typesetter: style.typesetter(fonts),
            font_size_px: style.font_size_px,
            text: String::new(),
            width_px: 0,
            height_px: 0,
            coverage: Coverage::new(),
            has_coverage: false,
            path: Vec::new(),
        }
    }

    /// Tells a renderer what captions of this font size are like.
    pub fn tune(&mut self, renderer: PngRenderer) -> PngRenderer {
        // No letter is as wide as it is high, and no margin wider than eight modules of 40 pixels: one line.
        self.set(CAPTION_SAMPLE, CAPTION_SAMPLE.len() as u32 * self.font_size_px + 2 * 8 * 40);
        match self.pixels() {
            Some(sample) => renderer.with_captions_like(sample),
            None => renderer,
        }
    }

    /// Takes up a caption under a code whose picture has a width.
    pub fn set(&mut self, text: &str, width_px: u32) {
        if (text, width_px) != (&self.text, self.width_px) {
            self.text.clear();
            self.text.push_str(text);
            self.width_px = width_px;
            self.height_px = self.typesetter.lay_out(text, width_px).height_px();
            self.has_coverage = false;
            self.path.clear();
        }
    }

    /// The caption for a PNG; none where it has no line.
    pub fn pixels(&mut self) -> Option<CaptionPixels<'_>> {
        if self.height_px > 0 && !self.has_coverage {
            self.typesetter.rasterise(&mut self.coverage);
            self.has_coverage = true;
        }
        (self.height_px > 0).then(|| CaptionPixels::new(self.width_px, self.coverage.bytes()))
    }

    /// The caption for an SVG; none where it has no line.
    pub fn outline(&mut self) -> Option<CaptionOutline<'_>> {
        if self.path.is_empty() {
            // The picture of a code is as high as it is wide.
            self.typesetter.outline(self.width_px, &mut self.path);
        }
        let Self { ref text, height_px, ref path, .. } = *self;
        (height_px > 0).then_some(CaptionOutline { text, height_px, path })
    }
}
