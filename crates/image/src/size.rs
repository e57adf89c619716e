//! The size of a picture.

use qrpress_symbol::Version;

use crate::Style;

/// The longest side that a picture may have; callers refuse symbols whose picture would be larger.
pub const MAX_SIDE_PX: u32 = 4096;

/// The side of the picture of a symbol of `version`, quiet zone included: at most 8,360 pixels.
pub fn image_side_px(style: &Style, version: Version) -> u32 {
    (version.size() as u32 + 2 * style.quiet_zone_modules()) * style.pixels_per_module()
}
