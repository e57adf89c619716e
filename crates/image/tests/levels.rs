//! Files of every CPU level, byte for byte the same. A level that this machine lacks is a skipped test.

#![allow(clippy::unwrap_used, reason = "tests unwrap")]

mod support;

use std::process::ExitCode;
use std::sync::{Arc, LazyLock};

use qrpress_image::{CaptionPixels, PngRenderer, Style, image_side_px};
use qrpress_simd::SimdLevel;
use qrpress_symbol::{Encoder, ErrorCorrectionLevel};
use qrpress_testkit::LevelTests;
use support::{COLOURS, colourful_logo, flat_logo, placed, random_coverage, url};

/// Pixels per module and modules of the quiet zone: groups of one, several and many pieces, with and without margins.
const SIZES: [(u32, u32); 4] = [(10, 4), (1, 0), (3, 1), (40, 16)];

static PORTABLE: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| files(SimdLevel::PORTABLE));

fn main() -> ExitCode {
    LevelTests::new(SimdLevel::NAMES, SimdLevel::named)
        .test("files_are_those_of_portable_code", |level| assert!(files(level) == *PORTABLE))
        .run()
}

/// The files of texts of all three modes and all lengths, with logos and captions among them.
fn files(level: SimdLevel) -> Vec<Vec<u8>> {
    let mut encoder = Encoder::with_simd_level(level);
    let logos = [flat_logo(), colourful_logo(60, 40)].map(Arc::new);
    let mut files = Vec::new();
    for (number, (scale, margin)) in (0_usize..).zip(SIZES) {
        for length in [17, 60, 140, 300, 700, 1000].into_iter().filter(|length| scale * length <= 7000) {
            let style = Style::new(scale, margin, COLOURS[number].0, COLOURS[number].1).unwrap();
            let text = String::from_utf8(url(length as usize, number as u64)).unwrap();
            let texts = [text.clone(), text.to_uppercase(), format!("{text}{}", "0123456789".repeat(9))];
            for text in texts {
                let symbol = encoder.encode(text.as_bytes(), ErrorCorrectionLevel::High).unwrap();
                let side_px = image_side_px(&style, symbol.version());
                let coverage = random_coverage(side_px as usize, 10, u64::from(side_px));
                let renderer = || PngRenderer::new(style.clone()).with_simd_level(level);
                let mut draw = |mut renderer: PngRenderer, caption| {
                    let mut file = Vec::new();
                    renderer.render(symbol, caption, &mut file);
                    files.push(file);
                };
                draw(renderer(), None);
                draw(renderer(), Some(CaptionPixels::new(side_px, &coverage)));
                // Large logos take long to resize.
                if scale * length <= 1400 {
                    draw(renderer().with_logo(placed(&logos[number % 2], 200_000)), None);
                }
            }
        }
    }
    files
}
