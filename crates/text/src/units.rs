//! Fixed-point lengths: 1/256 px, so that every machine sets the same text.

/// Units of a pixel.
pub(crate) const PX: i32 = 256;

/// The largest font size in pixels: 64 at 40 pixels a module.
pub(crate) const MAX_FONT_SIZE_PX: u32 = 256;

/// A font size in pixels per em, 1 to [`MAX_FONT_SIZE_PX`].
#[derive(Clone, Copy)]
pub(crate) struct Size(i64);

impl Size {
    /// Sizes outside the range are brought into it.
    pub(crate) fn new(font_size_px: u32) -> Self {
        Self(i64::from(font_size_px.clamp(1, MAX_FONT_SIZE_PX)))
    }

    /// A length of the font in 1/256 px, rounded to the nearest, halves up. Font lengths are 32 bits at most, and what
    /// would not fit the result is cut.
    pub(crate) fn scale(self, font_units: i32, units_per_em: i32) -> i32 {
        let em = i64::from(units_per_em);
        let scaled = (i64::from(font_units) * self.0 * i64::from(PX) + em / 2).div_euclid(em);
        scaled.clamp(i64::from(-MAX_LENGTH), i64::from(MAX_LENGTH)) as i32
    }

    /// A length of the font in whole pixels, rounded up; `font_units` is not negative.
    pub(crate) fn scale_up_px(self, font_units: i32, units_per_em: i32) -> u32 {
        (font_units as u64 * self.0 as u64).div_ceil(units_per_em as u64) as u32
    }

    pub(crate) fn px(self) -> u32 {
        self.0 as u32
    }
}

/// No length is over 4,096 px, whatever a font claims; sums of them saturate.
const MAX_LENGTH: i32 = 1 << 20;
