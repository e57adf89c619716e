//! The colours of a style and how they are written.

use std::fmt;
use std::str::FromStr;

use crate::ImageError;

/// The paint of the dark or the light modules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Colour {
    /// Opaque: red, green, blue in sRGB.
    Rgb([u8; 3]),
    /// Fully transparent.
    Transparent,
}

impl Colour {
    /// `#000000`.
    pub const BLACK: Self = Self::Rgb([0; 3]);
    /// `#ffffff`.
    pub const WHITE: Self = Self::Rgb([255; 3]);

    /// The luminance of [`Colour::WHITE`].
    pub const WHITE_LUMINANCE: u32 = 655_350_000;

    /// The colour on white paper, where what is transparent is white: red, green, blue in sRGB.
    pub fn on_paper(self) -> [u8; 3] {
        if let Self::Rgb(rgb) = self { rgb } else { [255; 3] }
    }

    /// The luminance on white paper (ITU-R BT.709), 0 to [`Self::WHITE_LUMINANCE`].
    pub fn luminance(self) -> u32 {
        let [red, green, blue] =
            self.on_paper().map(|channel| u32::from(qrpress_logo::linear_light(channel)));
        2126 * red + 7152 * green + 722 * blue
    }

    /// The contrast of two colours on white paper (WCAG 2.2), 100 to 2,100 hundredths, rounded down.
    pub fn contrast_hundredths(self, other: Self) -> u32 {
        // 5 % of white are added to each luminance.
        let [one, other] = [self, other].map(|colour| u64::from(colour.luminance() + Self::GLARE));
        (100 * one.max(other) / one.min(other)) as u32
    }

    /// The luminance that glare adds to each colour.
    const GLARE: u32 = Self::WHITE_LUMINANCE / 20;
}

impl FromStr for Colour {
    type Err = ImageError;

    /// Reads `#rrggbb` in either case, or the word `transparent`.
    ///
    /// # Errors
    /// [`ImageError::NotAColour`] for anything else.
    fn from_str(text: &str) -> Result<Self, ImageError> {
        let refused = ImageError::NotAColour { length: text.len() };
        if text == "transparent" {
            return Ok(Self::Transparent);
        }
        let [b'#', digits @ ..] = text.as_bytes() else { return Err(refused) };
        let digits: [u8; 6] = digits.try_into().map_err(|_| refused)?;
        let mut rgb = [0; 3];
        for (channel, pair) in rgb.iter_mut().zip(digits.chunks_exact(2)) {
            for &digit in pair {
                let value = (digit as char).to_digit(16).ok_or(refused)?;
                *channel = *channel << 4 | value as u8;
            }
        }
        Ok(Self::Rgb(rgb))
    }
}

impl fmt::Display for Colour {
    /// Writes what `FromStr` reads, digits in lower case.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rgb([red, green, blue]) => write!(f, "#{red:02x}{green:02x}{blue:02x}"),
            Self::Transparent => f.write_str("transparent"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_hex_in_either_case() {
        assert_eq!("#0aF9e0".parse(), Ok(Colour::Rgb([0x0a, 0xf9, 0xe0])));
        assert_eq!("transparent".parse(), Ok(Colour::Transparent));
    }

    #[test]
    fn contrasts_are_those_of_white_paper() {
        let contrast = |one: Colour, other: Colour| one.contrast_hundredths(other);
        assert_eq!(contrast(Colour::BLACK, Colour::WHITE), 2100);
        assert_eq!(contrast(Colour::Transparent, Colour::BLACK), 2100);
        assert_eq!(contrast(Colour::WHITE, Colour::Transparent), 100);
        // Colours whose contrast with white is known.
        assert_eq!(contrast(Colour::Rgb([255, 0, 0]), Colour::WHITE), 399);
        assert_eq!(contrast(Colour::Transparent, Colour::Rgb([0x76; 3])), 454);
    }

    #[test]
    fn writes_what_it_reads() {
        for text in ["#0af9e0", "#000000", "transparent"] {
            assert_eq!(text.parse::<Colour>().map(|colour| colour.to_string()), Ok(text.to_owned()));
        }
    }

    #[test]
    fn refuses_every_other_spelling() {
        for text in
            ["", "#", "#fff", "ffffff", "#fffffff", "#ggffff", "#+1+1+1", "red", "Transparent", "#ffffé"]
        {
            assert_eq!(text.parse::<Colour>(), Err(ImageError::NotAColour { length: text.len() }), "{text}");
        }
    }
}
