//! Symbols as PNG files (PNG third edition): as few bits per pixel as the picture's colours need, written straight as a
//! deflate stream (RFC 1951).
//!
//! A module row is `scale` equal scan lines. Its first line is coded group by group from tables; one match at the
//! distance of a line then covers the right margin, the repeated lines, and the left margin of the next row.

mod adler;
mod band;
mod bits;
mod chunks;
mod deflate;
mod draft;
mod draw;
mod groups;
mod huffman;
mod ink;
mod lines;
mod margins;
mod palette;
mod parse;
mod plan;
mod plate;
mod rows;
mod sections;
mod table;

use std::sync::Arc;

use qrpress_symbol::{AvailablePath, CpuPath, Symbol, Version};

use crate::{CaptionPixels, Logo, Style};
use ink::Ink;
use plan::{Design, Plan};

/// Draws symbols in one style as PNG files. What a version needs is built when its first symbol comes, and kept.
#[derive(Debug)]
pub struct PngRenderer {
    style: Style,
    /// With its size, as in [`LogoPlacement::new`](crate::LogoPlacement::new).
    logo: Option<(Arc<Logo>, u32)>,
    sample: Sample,
    plans: Plans,
    caption_plans: Plans,
    ink: Ink,
    path: AvailablePath,
}

type Plans = [Option<Box<Plan>>; Version::MAX.number() as usize];

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
            plans: [const { None }; _],
            caption_plans: [const { None }; _],
            ink: Ink::default(),
            path: AvailablePath::widest(),
        }
    }

    /// A renderer that uses that path, or the widest there is when this CPU lacks it. All draw the same files.
    #[must_use]
    pub fn with_path(self, path: CpuPath) -> Self {
        Self { path: AvailablePath::or_widest(path), ..self }
    }

    /// A renderer that draws a logo over the middle of every code. Its longer edge is `ratio_millionths`, 50,000 to
    /// 300,000, of the symbol's edge without quiet zone.
    #[must_use]
    pub fn with_logo(self, logo: Arc<Logo>, ratio_millionths: u32) -> Self {
        Self { logo: Some((logo, ratio_millionths)), ..self }
    }

    /// A renderer whose captions are smallest where they are like `sample`: [`CAPTION_SAMPLE`](crate::CAPTION_SAMPLE),
    /// as a rule, in the captions' font and size, in one line. The sample changes the files' bytes, not their pixels.
    #[must_use]
    pub fn with_captions_like(self, sample: CaptionPixels<'_>) -> Self {
        let coverage = sample.rows().flatten().copied().collect();
        Self { sample: Sample { width_px: sample.width_px() as u32, coverage }, ..self }
    }

    /// Appends the PNG file of `symbol` to `out`, with the band of a caption under the code. The same symbol and caption
    /// give the same bytes whatever was drawn before. A caption that is wider than the code's picture is cut off at both
    /// sides, one that isn't as wide is centred.
    pub fn render(&mut self, symbol: &Symbol, caption: Option<CaptionPixels<'_>>, out: &mut Vec<u8>) {
        let version = symbol.version();
        let place = usize::from(version.number()) - 1;
        let logo = self.logo.as_ref().map(|(logo, ratio_millionths)| (&**logo, *ratio_millionths));
        let design = Design { style: &self.style, logo, caption: None };
        if let Some(caption) = caption.filter(|caption| caption.height_px() > 0) {
            let plan = self.caption_plans[place].get_or_insert_with(|| {
                let sample = CaptionPixels::new(self.sample.width_px, &self.sample.coverage);
                Box::new(Plan::new(&Design { caption: Some(sample), ..design }, version))
            });
            plan.draw_with_caption(self.path, symbol, caption, &mut self.ink, out);
        } else {
            let plan = self.plans[place].get_or_insert_with(|| Box::new(Plan::new(&design, version)));
            plan.draw(self.path, symbol, out);
        }
    }
}
