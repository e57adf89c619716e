//! The check that an item's data fits a symbol, and the symbol with its caption the picture.

use qrpress_image::image_side_px;
use qrpress_symbol::{ErrorCorrectionLevel, Version, byte_capacity};

use crate::ResolvedStyle;

/// The reason why an item cannot be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FitError {
    /// No symbol of the level, and of the version that the job asks for, holds the data, of so many bytes. In byte mode the
    /// largest one holds `most_bytes`.
    DataTooLong { bytes: usize, most_bytes: usize, level: ErrorCorrectionLevel, version: Option<Version> },
    /// The picture would be this wide.
    TooWide { side_px: u32 },
    /// The picture would be this high, with its caption.
    TooHigh { height_px: u32 },
}

/// The data that fits into a picture in a style.
#[derive(Clone, Debug)]
pub(crate) struct Capacity<'s> {
    style: &'s ResolvedStyle,
    max_side_px: u32,
    /// The job's own caption under the symbol of each version, in pixels. Wider pictures have fewer lines.
    caption_px: [u32; Version::MAX.number() as usize],
    /// Data of up to so many bytes fits with the job's own caption, whatever it says.
    surely_bytes: usize,
}

impl<'s> Capacity<'s> {
    /// `caption_px` is the height that the job's own caption takes in a picture of a width, both in pixels.
    pub fn new(style: &'s ResolvedStyle, max_side_px: u32, mut caption_px: impl FnMut(u32) -> u32) -> Self {
        let mut capacity = Self { style, max_side_px, caption_px: [0; _], surely_bytes: 0 };
        let versions = || (1..=Version::MAX.number()).filter_map(Version::new);
        for version in versions() {
            let side_px = capacity.side_px(version);
            if side_px <= max_side_px {
                capacity.caption_px[index(version)] = caption_px(side_px);
            }
        }
        // No data needs more than byte mode does.
        let largest = match style.version {
            Some(version) => Some(version).filter(|&version| capacity.check_version(version).is_ok()),
            None => versions().take_while(|&version| capacity.check_version(version).is_ok()).last(),
        };
        capacity.surely_bytes = largest.map_or(0, |version| byte_capacity(version, style.level, style.eci));
        capacity
    }

    /// Checks the data of an item with the job's own caption.
    #[inline]
    pub fn check(&self, data: &[u8]) -> Result<(), FitError> {
        if data.len() <= self.surely_bytes { Ok(()) } else { self.check_version(self.version(data)?) }
    }

    /// Checks the data of an item with a caption that takes `caption_px` in a picture of a width.
    pub fn check_with(&self, data: &[u8], caption_px: impl FnOnce(u32) -> u32) -> Result<(), FitError> {
        self.check_picture(self.side_px(self.version(data)?), caption_px)
    }

    /// The version of the data's symbol.
    pub fn version(&self, data: &[u8]) -> Result<Version, FitError> {
        self.style.version_of(data).ok_or_else(|| FitError::DataTooLong {
            bytes: data.len(),
            most_bytes: self.style.most_bytes(),
            level: self.style.level,
            version: self.style.version,
        })
    }

    fn check_version(&self, version: Version) -> Result<(), FitError> {
        self.check_picture(self.side_px(version), |_| self.caption_px[index(version)])
    }

    fn check_picture(&self, side_px: u32, caption_px: impl FnOnce(u32) -> u32) -> Result<(), FitError> {
        if side_px > self.max_side_px {
            return Err(FitError::TooWide { side_px });
        }
        let height_px = side_px.saturating_add(caption_px(side_px));
        if height_px > self.max_side_px { Err(FitError::TooHigh { height_px }) } else { Ok(()) }
    }

    /// The side of the pictures of a version.
    pub fn side_px(&self, version: Version) -> u32 {
        image_side_px(&self.style.picture, version)
    }
}

fn index(version: Version) -> usize {
    usize::from(version.number()) - 1
}
