//! The place of a logo in a picture.

use std::ops::Range;

use qrpress_symbol::Version;

use crate::Style;

/// A rectangle of whole pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PixelRect {
    /// Pixels left of it.
    pub x: u32,
    /// Pixels above it.
    pub y: u32,
    /// Its width, 1 or more.
    pub width: u32,
    /// Its height, 1 or more.
    pub height: u32,
}

/// The place of a logo in the pictures of a style and version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogoPlacement {
    /// The logo itself.
    pub logo: PixelRect,
    /// The modules that are cleared for it, in background: those that the logo touches, all of each.
    pub cleared: PixelRect,
    /// The columns of these modules in the symbol.
    pub columns: Range<usize>,
    /// The rows of these modules in the symbol.
    pub rows: Range<usize>,
}

impl LogoPlacement {
    /// The longer edge of a logo of `width` : `height` is `ratio_millionths` (50,000 to 300,000) of the symbol's edge
    /// without its quiet zone, and its middle is the symbol's.
    ///
    /// # Panics
    /// When the ratio is above 1,000,000, or both sides are 0.
    pub fn new(style: &Style, version: Version, [width, height]: [u32; 2], ratio_millionths: u32) -> Self {
        assert_ratio(ratio_millionths);
        assert!(width.max(height) > 0, "a logo without pixels");
        let (module, size) = (style.pixels_per_module(), version.size() as u32);
        let symbol = size * module;
        let rounded = |dividend: u64, divisor: u64| ((dividend + divisor / 2) / divisor).max(1) as u32;
        let edge = u64::from(rounded(u64::from(symbol) * u64::from(ratio_millionths), 1_000_000));
        let longer = u64::from(width.max(height));
        let [width, height] = [width, height].map(|side| rounded(edge * u64::from(side), longer));
        // A symbol has an odd number of modules on a side, and so has what lies in its middle.
        let touched = |px: u32| px.div_ceil(module) | 1;
        let (columns, rows) = (touched(width), touched(height));
        let corner = style.quiet_zone_modules() * module;
        let centred = |width, height| PixelRect {
            x: corner + (symbol - width) / 2,
            y: corner + (symbol - height) / 2,
            width,
            height,
        };
        let middle = |count: u32| ((size - count) / 2) as usize..size.midpoint(count) as usize;
        Self {
            logo: centred(width, height),
            cleared: centred(columns * module, rows * module),
            columns: middle(columns),
            rows: middle(rows),
        }
    }

    /// The bytes of a scan line that hold cleared pixels alone, counted from the first pixel's.
    pub(crate) fn cleared_bytes(&self, bits_per_pixel: usize) -> Range<usize> {
        let bits = |column: u32| column as usize * bits_per_pixel;
        bits(self.cleared.x).div_ceil(8)..bits(self.cleared.x + self.cleared.width) / 8
    }

    /// Tells whether no byte holds both a pixel of the logo and one of a module that is not cleared.
    pub(crate) fn fits(&self, bits_per_pixel: usize) -> bool {
        let bytes = self.cleared_bytes(bits_per_pixel);
        let pixels = 8 / bits_per_pixel;
        let (first, end) = (self.logo.x as usize, (self.logo.x + self.logo.width) as usize);
        bytes.start * pixels <= first && end <= bytes.end * pixels
    }
}

/// Asserts that a logo is not larger than its symbol.
pub(crate) fn assert_ratio(ratio_millionths: u32) {
    assert!(ratio_millionths <= 1_000_000, "a logo of {ratio_millionths} millionths of its symbol");
}
