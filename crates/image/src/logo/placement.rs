//! Where a logo lies in a picture.

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

/// Where a logo and its plate lie in the pictures of a style and version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogoPlacement {
    /// The logo itself.
    pub logo: PixelRect,
    /// The background around it, half a module wider on each side.
    pub plate: PixelRect,
}

impl LogoPlacement {
    /// The longer edge of a logo of `width` : `height` is `ratio_millionths` (50,000 to 300,000) of the symbol's edge
    /// without its quiet zone, and its middle is the symbol's.
    pub fn new(style: &Style, version: Version, [width, height]: [u32; 2], ratio_millionths: u32) -> Self {
        let module = style.pixels_per_module();
        let symbol = version.size() as u32 * module;
        let rounded = |dividend: u64, divisor: u64| ((dividend + divisor / 2) / divisor).max(1) as u32;
        let edge = u64::from(rounded(u64::from(symbol) * u64::from(ratio_millionths), 1_000_000));
        let longer = u64::from(width.max(height));
        let corner = style.quiet_zone_modules() * module;
        let [width, height] = [width, height].map(|side| rounded(edge * u64::from(side), longer));
        let rim = module.div_ceil(2);
        let rect = |width, height| PixelRect {
            x: corner + (symbol - width) / 2,
            y: corner + (symbol - height) / 2,
            width,
            height,
        };
        let logo = rect(width, height);
        let plate =
            PixelRect { x: logo.x - rim, y: logo.y - rim, width: width + 2 * rim, height: height + 2 * rim };
        Self { logo, plate }
    }
}
