//! The places of the modules in a picture.

use crate::ReadError;

/// The most pixels, or user units, on a side of a picture.
pub(crate) const MOST_PIXELS: u32 = 4096;

/// The size of modules and quiet zone that a job's style declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry {
    /// The side of a module in pixels, 1 or more.
    pub pixels_per_module: u32,
    /// The quiet zone on each side.
    pub quiet_zone_modules: u32,
}

impl Geometry {
    /// The modules on a side of the symbol in a picture of that size, 21 to 177. A caption may lie below the code.
    pub(crate) fn modules(self, width: u32, height: u32) -> Result<usize, ReadError> {
        let size = (width / self.pixels_per_module).saturating_sub(self.quiet_zone_modules.saturating_mul(2));
        let is_whole = width.is_multiple_of(self.pixels_per_module);
        if is_whole && (width..=MOST_PIXELS).contains(&height) && (21..=177).contains(&size) && size % 4 == 1
        {
            Ok(size as usize)
        } else {
            Err(ReadError::Size { width, height })
        }
    }

    /// The pixel in the middle of a module.
    pub(crate) fn middle(self, module: usize) -> usize {
        let scale = self.pixels_per_module as usize;
        (module + self.quiet_zone_modules as usize) * scale + scale / 2
    }
}
