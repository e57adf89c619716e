//! The style that a picture is drawn in, and the size that it gives.

use qrpress_symbol::Version;

use crate::{Colour, ImageError};

/// The look of symbols. [`Self::new`] checks it: sizes are in range, and at most one colour is transparent.
///
/// Everything that draws takes it apart by all its members, so that the compiler asks what becomes of a new one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Style {
    /// The side of a module, 1 to 40 pixels.
    pub pixels_per_module: u32,
    /// The quiet zone on each side, 0 to 16 modules.
    pub quiet_zone_modules: u32,
    /// The colour of the dark modules.
    pub foreground: Colour,
    /// The colour of the light modules, the quiet zone and the caption band.
    pub background: Colour,
    /// The colour of captions, red, green, blue in sRGB: the foreground's unless another was chosen, black where that is
    /// transparent.
    pub caption_colour: [u8; 3],
    /// Pixels per inch in print, if the pictures say so.
    pub dots_per_inch: Option<u32>,
}

impl Style {
    /// A style of `pixels_per_module` (1 to 40), a quiet zone of `quiet_zone_modules` (0 to 16) on each side,
    /// dark modules in `foreground`, and everything else in `background`.
    ///
    /// # Errors
    /// A size out of its range, or both colours transparent.
    pub fn new(
        pixels_per_module: u32,
        quiet_zone_modules: u32,
        foreground: Colour,
        background: Colour,
    ) -> Result<Self, ImageError> {
        if !(1..=40).contains(&pixels_per_module) {
            return Err(ImageError::PixelsPerModuleOutOfRange { pixels: pixels_per_module });
        }
        if quiet_zone_modules > 16 {
            return Err(ImageError::QuietZoneTooWide { modules: quiet_zone_modules });
        }
        if foreground == Colour::Transparent && background == Colour::Transparent {
            return Err(ImageError::NothingVisible);
        }
        let caption_colour = if let Colour::Rgb(rgb) = foreground { rgb } else { [0; 3] };
        Ok(Self {
            pixels_per_module,
            quiet_zone_modules,
            foreground,
            background,
            caption_colour,
            dots_per_inch: None,
        })
    }

    /// The same style with captions in another colour than the foreground's: red, green, blue in sRGB.
    #[must_use]
    pub fn with_caption_colour(self, caption_colour: [u8; 3]) -> Self {
        Self { caption_colour, ..self }
    }

    /// The same style with the density at which pictures are printed, 72 to 2,400 pixels per inch. PNG files state it, and
    /// SVG files have their size in millimetres.
    ///
    /// # Errors
    /// A density out of its range.
    pub fn with_dots_per_inch(self, dots: u32) -> Result<Self, ImageError> {
        if !(72..=2400).contains(&dots) {
            return Err(ImageError::DotsPerInchOutOfRange { dots });
        }
        Ok(Self { dots_per_inch: Some(dots), ..self })
    }
}

impl Default for Style {
    /// Black on white, ten pixels per module, and the quiet zone of ISO/IEC 18004, clause 6.3.8: four modules.
    fn default() -> Self {
        Self {
            pixels_per_module: 10,
            quiet_zone_modules: 4,
            foreground: Colour::BLACK,
            background: Colour::WHITE,
            caption_colour: [0; 3],
            dots_per_inch: None,
        }
    }
}

/// The longest side that a picture may have; callers refuse symbols whose picture would be larger.
pub const MAX_SIDE_PX: u32 = 4096;

/// The side of the picture of a symbol of `version`, quiet zone included: at most 8,360 pixels.
pub fn image_side_px(style: &Style, version: Version) -> u32 {
    (version.size() as u32 + 2 * style.quiet_zone_modules) * style.pixels_per_module
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_inclusive() {
        let style = |pixels, modules| Style::new(pixels, modules, Colour::BLACK, Colour::WHITE);
        assert!(style(1, 0).is_ok() && style(40, 16).is_ok());
        assert_eq!(style(0, 4), Err(ImageError::PixelsPerModuleOutOfRange { pixels: 0 }));
        assert_eq!(style(41, 4), Err(ImageError::PixelsPerModuleOutOfRange { pixels: 41 }));
        assert_eq!(style(10, 17), Err(ImageError::QuietZoneTooWide { modules: 17 }));
    }

    #[test]
    fn one_colour_may_be_transparent() {
        let style = |foreground, background| Style::new(10, 4, foreground, background);
        assert!(style(Colour::Transparent, Colour::WHITE).is_ok());
        assert!(style(Colour::WHITE, Colour::Transparent).is_ok());
        assert_eq!(style(Colour::Transparent, Colour::Transparent), Err(ImageError::NothingVisible));
    }

    #[test]
    fn the_default_is_valid() {
        let style = Style::default();
        assert_eq!(
            Style::new(style.pixels_per_module, style.quiet_zone_modules, style.foreground, style.background),
            Ok(style)
        );
    }
}
