//! Whether an item's data fits a symbol, and the symbol the picture.

use qrpress_symbol::{DataTooLong, ErrorCorrectionLevel, Version, smallest_version};

use crate::RenderStyle;

/// Why an item cannot be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Misfit {
    /// No symbol of the level holds the data.
    DataTooLong(DataTooLong),
    /// The picture would be this wide.
    QrTooLarge { side_px: u32 },
}

/// The room that a style leaves for data.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Capacity {
    level: ErrorCorrectionLevel,
    pixels_per_module: u32,
    quiet_zone_modules: u32,
    max_side_px: u32,
    /// Data of up to so many bytes fits, whatever it says.
    surely_bytes: usize,
}

impl Capacity {
    pub fn new(style: &RenderStyle, max_side_px: u32) -> Self {
        /// Bytes that the largest symbol holds (ISO/IEC 18004, table 7: 40-L, byte mode).
        const MAX_BYTES: usize = 2953;
        let mut capacity = Self {
            level: style.error_correction_level,
            pixels_per_module: style.pixels_per_module.into(),
            quiet_zone_modules: style.quiet_zone_modules.into(),
            max_side_px,
            surely_bytes: 0,
        };
        // No data needs more than byte mode does, and lower-case letters need byte mode: by halves, the most of them.
        let letters = [b'a'; MAX_BYTES];
        let (mut fits, mut misfits) = (0, MAX_BYTES + 1);
        while misfits - fits > 1 {
            let middle = usize::midpoint(fits, misfits);
            if capacity.measure(&letters[..middle]).is_ok() { fits = middle } else { misfits = middle }
        }
        capacity.surely_bytes = fits;
        capacity
    }

    /// Checks the data of an item.
    #[inline]
    pub fn check(&self, data: &[u8]) -> Result<(), Misfit> {
        if data.len() <= self.surely_bytes { Ok(()) } else { self.measure(data) }
    }

    fn measure(&self, data: &[u8]) -> Result<(), Misfit> {
        let version = smallest_version(data, self.level).map_err(Misfit::DataTooLong)?;
        let side_px = self.side_px(version);
        if side_px > self.max_side_px { Err(Misfit::QrTooLarge { side_px }) } else { Ok(()) }
    }

    fn side_px(&self, version: Version) -> u32 {
        (version.size() as u32 + 2 * self.quiet_zone_modules) * self.pixels_per_module
    }
}
