//! Symbols as PNG files (PNG third edition): as few bits per pixel as the picture's colours need, written straight as a
//! deflate stream (RFC 1951).
//!
//! A module row is as many equal scan lines as a module has pixels. Its first line is coded group by group from tables. The
//! *gap* follows: matches at the distance of a line, which cover the right margin, the repeated lines, and the left margin
//! of the next row.

mod caption;
mod chunks;
mod deflate;
mod group_table;
mod logo_box;
mod module_groups;
mod palette;
mod quiet_zone;
mod render;
mod scanline;
mod template;

use std::sync::Arc;

use qrpress_logo::Logo;
use qrpress_simd::SimdLevel;
use qrpress_symbol::{Symbol, Version};

pub use deflate::bit_writer::Bits;
pub use deflate::huffman::write_canonical_code;

use crate::placement::assert_ratio;
use crate::{CaptionPixels, PlacedLogo, Style};
use caption::packed::PackedCaption;
use template::{Template, TemplateInput};

/// Draws symbols in one style as PNG files. What a version needs is built when its first symbol comes, and kept.
#[derive(Debug)]
pub struct PngRenderer {
    style: Style,
    logo: Option<PlacedLogo<Arc<Logo>>>,
    sample: Sample,
    templates: Templates,
    caption_templates: Templates,
    ink: PackedCaption,
    simd_level: SimdLevel,
}

type Templates = [Option<Box<Template>>; Version::MAX.number() as usize];

/// The pixels of a caption that others are like.
#[derive(Debug, Default)]
struct Sample {
    width_px: u32,
    coverage: Vec<u8>,
}

impl PngRenderer {
    /// A renderer for `style`; costs nothing until the first symbol.
    pub fn new(style: Style) -> Self {
        Self {
            style,
            logo: None,
            sample: Sample::default(),
            templates: [const { None }; _],
            caption_templates: [const { None }; _],
            ink: PackedCaption::default(),
            simd_level: SimdLevel::detect(),
        }
    }

    /// A renderer that uses that CPU level. All levels draw the same files.
    #[must_use]
    pub fn with_simd_level(self, simd_level: SimdLevel) -> Self {
        Self { simd_level, ..self }
    }

    /// A renderer that draws a logo over the middle of every code.
    ///
    /// # Panics
    /// When the logo's ratio is above 1,000,000 millionths.
    #[must_use]
    pub fn with_logo(self, logo: PlacedLogo<Arc<Logo>>) -> Self {
        assert_ratio(logo.ratio_millionths);
        Self { logo: Some(logo), ..self }
    }

    /// A renderer whose captions are smallest where they are like `sample`: [`CAPTION_SAMPLE`](crate::CAPTION_SAMPLE),
    /// as a rule, in the captions' font and size, in one line. The sample changes the files' bytes, not their pixels.
    #[must_use]
    pub fn with_captions_like(self, sample: CaptionPixels<'_>) -> Self {
        let coverage = sample.rows().flatten().copied().collect();
        Self { sample: Sample { width_px: sample.width_px() as u32, coverage }, ..self }
    }

    /// The memory that the renderer has built so far, in bytes, without the logo itself.
    pub fn memory_bytes(&self) -> usize {
        let templates = self.templates.iter().chain(&self.caption_templates).flatten();
        self.sample.coverage.len() + templates.map(|template| template.memory_bytes).sum::<usize>()
    }

    /// Appends the PNG file of `symbol` to `out`, with the band of a caption under the code. The same symbol and caption
    /// give the same bytes whatever was drawn before. A caption that is wider than the code's picture is cut off at both
    /// sides, one that isn't as wide is centred.
    pub fn render(&mut self, symbol: &Symbol, caption: Option<CaptionPixels<'_>>, out: &mut Vec<u8>) {
        let version = symbol.version();
        let place = usize::from(version.number()) - 1;
        let logo = self.logo.as_ref().map(PlacedLogo::borrowed);
        let input = TemplateInput { style: &self.style, logo, caption: None };
        if let Some(caption) = caption.filter(|caption| caption.height_px() > 0) {
            let template = self.caption_templates[place].get_or_insert_with(|| {
                let sample = CaptionPixels::new(self.sample.width_px, &self.sample.coverage);
                Box::new(Template::new(&TemplateInput { caption: Some(sample), ..input }, version))
            });
            template.draw_with_caption(self.simd_level, symbol, caption, &mut self.ink, out);
        } else {
            let template =
                self.templates[place].get_or_insert_with(|| Box::new(Template::new(&input, version)));
            template.draw(self.simd_level, symbol, out);
        }
    }
}
