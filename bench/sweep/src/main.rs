//! Draws a sweep of styles and prints a line for each picture: its kind, its style, and a hash of the PNG and of the SVG file.
//!
//! `bench/sweep.js` runs it on two commits and compares the lines. So it uses only what both have: nothing of the workspace
//! but the public types of `symbol` and `image`.
#![forbid(unsafe_code)]
#![allow(clippy::unwrap_used, reason = "a sweep that cannot run has nothing to recover")]

use std::sync::Arc;

use qrpress_image::{CaptionOutline, CaptionPixels, Colour, PlacedLogo, PngRenderer, Style, SvgRenderer};
use qrpress_logo::Logo;
use qrpress_symbol::{Encoder, ErrorCorrectionLevel};

const BLUE: Colour = Colour::Rgb([0x0b, 0x5c, 0xad]);
const CREAM: Colour = Colour::Rgb([0xff, 0xf8, 0xe7]);

/// Foregrounds and backgrounds: greys, palettes, and each of the two transparent.
const COLOURS: [(Colour, Colour); 8] = [
    (Colour::BLACK, Colour::WHITE),
    (Colour::WHITE, Colour::BLACK),
    (BLUE, CREAM),
    (Colour::BLACK, Colour::Transparent),
    (Colour::WHITE, Colour::Transparent),
    (BLUE, Colour::Transparent),
    (Colour::Transparent, Colour::WHITE),
    (Colour::Transparent, CREAM),
];

/// Pixels per module of pictures with a logo or a caption; without, there are all of 1 to 40.
const FEW_SCALES: [u32; 10] = [1, 2, 3, 4, 7, 8, 10, 16, 25, 40];

fn main() {
    let mut sweep = Sweep { encoder: Encoder::new(), texts: Random(1) };
    for scale in 1..=40 {
        for margin in 0..=16 {
            for colours in 0..COLOURS.len() {
                sweep.draw("code", scale, margin, colours, None);
            }
        }
    }
    for kind in [LogoKind::Flat, LogoKind::Colourful] {
        let logo = Arc::new(Logo::from_png(&kind.png()).unwrap());
        for scale in FEW_SCALES {
            for (colours, margin) in (0..COLOURS.len()).zip([4, 0, 1, 16, 2, 7, 3, 10]) {
                sweep.draw(kind.name(), scale, margin, colours, Some(&logo));
            }
        }
    }
    for scale in FEW_SCALES {
        for (colours, margin) in (0..COLOURS.len()).zip([4, 0, 1, 16, 2, 7, 3, 10]) {
            sweep.draw("caption", scale, margin, colours, None);
        }
    }
}

/// The texts of a sweep, another for each picture, in versions from 1 to 40 at every level.
struct Sweep {
    encoder: Encoder,
    texts: Random,
}

impl Sweep {
    /// Prints the line of one style, drawn with a symbol of some version at each level.
    fn draw(&mut self, kind: &str, scale: u32, margin: u32, colours: usize, logo: Option<&Arc<Logo>>) {
        let (foreground, background) = COLOURS[colours];
        let style = Style::new(scale, margin, foreground, background).unwrap();
        let (mut png, mut svg) = (PngRenderer::new(style.clone()), SvgRenderer::new(style.clone()));
        if let Some(logo) = logo {
            let level = ErrorCorrectionLevel::Medium;
            let placed = || PlacedLogo { logo: Arc::clone(logo), ratio_millionths: 200_000, level };
            png = png.with_logo(placed());
            svg = svg.with_logo(placed());
        }
        for level in ErrorCorrectionLevel::ALL {
            // A few bytes most often, and any number up to what the largest symbol holds at level H.
            let most = if self.texts.below(4) == 0 { 1270 } else { 120 };
            let text: Vec<u8> = (0..=self.texts.below(most)).map(|_| self.texts.character()).collect();
            let symbol = self.encoder.encode(&text, level).unwrap();
            let (mut png_file, mut svg_file) = (Vec::new(), Vec::new());
            if kind == "caption" {
                let side = (symbol.size() as u32 + 2 * margin) * scale;
                let coverage: Vec<u8> = (0..12 * side).map(|at| self.texts.coverage(at % 9 < 3)).collect();
                png.render(symbol, Some(CaptionPixels::new(side, &coverage)), &mut png_file);
                let outline = CaptionOutline { text: "<a>", height_px: 12, path: b"M2 3h9v9h-9z" };
                svg.render(symbol, Some(outline), &mut svg_file);
            } else {
                png.render(symbol, None, &mut png_file);
                svg.render(symbol, None, &mut svg_file);
            }
            println!(
                "{kind}: scale {scale}, margin {margin}, colours {colours}, {level:?}, version {}\t{:016x} {:016x}",
                symbol.version().number(),
                fnv1a(&png_file),
                fnv1a(&svg_file)
            );
        }
    }
}

#[derive(Clone, Copy)]
enum LogoKind {
    Flat,
    Colourful,
}

impl LogoKind {
    fn name(self) -> &'static str {
        match self {
            Self::Flat => "flat logo",
            Self::Colourful => "colourful logo",
        }
    }

    /// A PNG file of 90 × 60 pixels, some of them transparent.
    fn png(self) -> Vec<u8> {
        const WIDTH: usize = 90;
        const HEIGHT: usize = 60;
        let mut random = Random(2);
        let pixels: Vec<u8> = (0..WIDTH * HEIGHT)
            .flat_map(|at| {
                let (x, y) = (at % WIDTH, at / WIDTH);
                match self {
                    _ if x + y < 12 => [0; 4],
                    Self::Flat if (x / 15 + y / 15).is_multiple_of(2) => [0xd0, 0x20, 0x30, 0xff],
                    Self::Flat => [0xff, 0xff, 0xff, 0xff],
                    Self::Colourful => [x as u8 * 2, y as u8 * 4, random.below(256) as u8, 0xff],
                }
            })
            .collect();
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, WIDTH as u32, HEIGHT as u32);
        encoder.set_color(png::ColorType::Rgba);
        encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
        file
    }
}

/// The generator `SplitMix64`, the same on every commit.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % end
    }

    /// A character of a URL, most often; digits and capitals come in runs of a few, so that segments are mixed as well.
    fn character(&mut self) -> u8 {
        const CHARACTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyz/?&=.-_%0123456789ABCDEF";
        CHARACTERS[self.below(CHARACTERS.len() as u64) as usize]
    }

    /// Full, half or no coverage where there is ink.
    fn coverage(&mut self, is_ink: bool) -> u8 {
        if is_ink { [0, 128, 255][self.below(3) as usize] } else { 0 }
    }
}

/// The 64-bit FNV-1a hash.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
