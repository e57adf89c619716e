//! A caption as the emitters take it: pixels for PNG, outlines for SVG.

/// A text for [`PngRenderer::with_captions_like`](crate::PngRenderer::with_captions_like): letters, digits and marks about
/// as often as captions have them.
pub const CAPTION_SAMPLE: &str = "Serial number 0123456789, Gate B-47 / Row 58: www.example.com";

/// The caption band of a picture as coverage: how much of each pixel the text takes, 0 (none) to 255 (all).
#[derive(Clone, Copy, Debug)]
pub struct CaptionPixels<'a> {
    width_px: usize,
    coverage: &'a [u8],
}

impl<'a> CaptionPixels<'a> {
    /// A band of rows of `width_px` pixels, one byte each, from the top.
    ///
    /// # Panics
    /// When the last row is not whole.
    pub fn new(width_px: u32, coverage: &'a [u8]) -> Self {
        let width_px = width_px as usize;
        assert!(coverage.len().is_multiple_of(width_px.max(1)), "rows of {width_px} pixels");
        Self { width_px, coverage }
    }

    /// Pixels of a row.
    pub fn width_px(&self) -> usize {
        self.width_px
    }

    /// Number of rows.
    pub fn height_px(&self) -> usize {
        self.coverage.len() / self.width_px.max(1)
    }

    /// The rows, from the top.
    pub(crate) fn rows(&self) -> std::slice::ChunksExact<'a, u8> {
        self.coverage.chunks_exact(self.width_px.max(1))
    }
}

/// A caption as the outlines of its glyphs.
#[derive(Clone, Copy, Debug)]
pub struct CaptionOutline<'a> {
    /// Its text; any characters.
    pub text: &'a str,
    /// Height of the band under the code, in pixels.
    pub height_px: u32,
    /// The `d` attribute of a path, filled by the non-zero rule, in pixels from the picture's top left corner.
    pub path: &'a [u8],
}
