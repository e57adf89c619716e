//! Logos that are computed, so that no picture needs to be kept: a flat one of three colours and one like a photograph.

/// Edge of the file that a job would carry.
const FILE_EDGE: usize = 256;

#[derive(Clone, Copy, Debug)]
pub(crate) enum LogoKind {
    Flat,
    Photographic,
}

impl LogoKind {
    /// A PNG file, RGB, of `FILE_EDGE` pixels.
    pub(crate) fn png(self) -> Vec<u8> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, FILE_EDGE as u32, FILE_EDGE as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.write_header().unwrap().write_image_data(&self.pixels(FILE_EDGE)).unwrap();
        file
    }

    /// Rows of RGB pixels.
    pub(crate) fn pixels(self, edge: usize) -> Vec<u8> {
        let colour = |x: usize, y: usize| match self {
            Self::Flat => flat(x, y, edge),
            Self::Photographic => photographic(x * FILE_EDGE / edge, y * FILE_EDGE / edge),
        };
        (0..edge * edge).flat_map(|i| colour(i % edge, i / edge)).collect()
    }
}

/// A ring on a square.
fn flat(x: usize, y: usize, edge: usize) -> [u8; 3] {
    let squared = |at: usize| (2 * at + 1).abs_diff(edge).pow(2);
    let distance = squared(x) + squared(y);
    if distance < (edge / 3).pow(2) || distance > (3 * edge / 4).pow(2) {
        [0x0b, 0x5c, 0xad]
    } else {
        [0xff, 0xc2, 0x0e]
    }
}

/// Soft light and shade with grain.
fn photographic(x: usize, y: usize) -> [u8; 3] {
    let wave = |at: usize, period: usize| (at % period).abs_diff(period / 2) * 200 / period;
    let grain =
        (x.wrapping_mul(0x9e37_79b9) ^ y.wrapping_mul(0x85eb_ca6b)).wrapping_mul(0xc2b2_ae35) >> 24 & 7;
    let channel = |bias: usize, horizontal, vertical| {
        (bias + wave(x, horizontal) + wave(y, vertical) / 2 + grain).min(255) as u8
    };
    [channel(60, 256, 190), channel(40, 330, 256), channel(30, 220, 410)]
}
