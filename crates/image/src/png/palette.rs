//! The meaning of a pixel's bits: the colours of a picture, and the number of bits that they need.

use super::chunks::{ColourType, begin_file, push_chunk};
use super::logo_box::LogoBox;
use super::scanline::ScanlineLayout;
use crate::{Colour, LogoPlacement, PixelRect, Style};
use qrpress_logo::{Logo, LogoPicture};
use qrpress_symbol::Version;

/// Red, green, blue and alpha.
type Rgba = [u8; 4];

/// The colours of a picture and how pixels name them.
#[derive(Clone, Debug)]
pub(crate) struct Palette {
    /// 1, 2, 4 or 8.
    pub(crate) bits_per_pixel: usize,
    /// The colours of captions.
    pub(crate) ramp: Ramp,
    /// A background pixel: 0, but for greys in which that is black.
    background: u8,
    /// A foreground pixel.
    foreground: u8,
    colours: Colours,
}

#[derive(Clone, Debug)]
enum Colours {
    /// Black is 0 and white 1; a pixel of `transparent` is neither.
    Grey { transparent: Option<u8> },
    /// Entries in order.
    Indexed(Vec<Rgba>),
}

/// The pixels that stand for a caption: the background, then consecutive entries up to the caption's colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ramp {
    /// The entry of the least coverage that shows.
    pub(crate) first: u8,
    /// Number of entries.
    pub(crate) levels: u8,
}

impl Palette {
    /// The two colours of a code and nothing else: one bit per pixel.
    pub(crate) fn of_code(style: &Style) -> Self {
        let (foreground, background) = (style.foreground, style.background);
        let ramp = NO_RAMP;
        let grey = |bit: u8| {
            let transparent = match (foreground, background) {
                (Colour::Transparent, _) => Some(1 - bit),
                (_, Colour::Transparent) => Some(bit),
                _ => None,
            };
            let colours = Colours::Grey { transparent };
            Self { bits_per_pixel: 1, ramp, background: bit, foreground: 1 - bit, colours }
        };
        match (foreground, background) {
            (Colour::BLACK, Colour::WHITE | Colour::Transparent) | (Colour::Transparent, Colour::WHITE) => {
                grey(1)
            }
            (Colour::WHITE, Colour::BLACK | Colour::Transparent) | (Colour::Transparent, Colour::BLACK) => {
                grey(0)
            }
            _ => {
                let colours = Colours::Indexed(vec![rgba(background), rgba(foreground)]);
                Self { bits_per_pixel: 1, ramp, background: 0, foreground: 1, colours }
            }
        }
    }

    /// The colours of a code with a caption.
    pub(crate) fn with_caption(style: &Style) -> Self {
        let caption = style.caption_colour;
        if style.foreground == Colour::Rgb(caption) {
            // Four entries in all: the foreground is the end of the ramp.
            let mut entries = vec![rgba(style.background)];
            let ramp = push_ramp(&mut entries, style, 3);
            let colours = Colours::Indexed(entries);
            return Self { bits_per_pixel: 2, ramp, background: 0, foreground: 3, colours };
        }
        let mut entries = vec![rgba(style.background), rgba(style.foreground)];
        let ramp = push_ramp(&mut entries, style, RAMP_LEVELS);
        let colours = Colours::Indexed(entries);
        Self { bits_per_pixel: 4, ramp, background: 0, foreground: 1, colours }
    }

    /// The colours of a code with a logo, and a caption where `has_caption`, and the logo in them.
    pub(crate) fn with_logo(
        style: &Style,
        logo: &Logo,
        placement: &LogoPlacement,
        version: Version,
        has_caption: bool,
    ) -> (Self, LogoPicture) {
        let code = [style.background, style.foreground];
        let background = match style.background {
            Colour::Rgb(rgb) => Some(rgb),
            Colour::Transparent => None,
        };
        let mut entries = code.map(rgba).to_vec();
        let ramp = if has_caption { push_ramp(&mut entries, style, RAMP_LEVELS) } else { NO_RAMP };
        let levels = usize::from(ramp.levels);
        let reserved = code.map(|colour| if colour == Colour::Transparent { [0; 4] } else { rgba(colour) });
        let PixelRect { width, height, .. } = placement.logo;
        let drawn = |colours: usize| logo.quantise(width, height, background, &reserved, colours - levels);
        let mut picture = drawn(256);
        if picture.palette.len() + levels > FEW_COLOURS && is_flat(&picture) {
            picture = drawn(FEW_COLOURS);
        }
        // The logo's entries come after those of the caption.
        entries.extend(&picture.palette[code.len()..]);
        for index in picture.indices.iter_mut().filter(|index| usize::from(**index) >= code.len()) {
            *index += ramp.levels;
        }
        let bits_per_pixel = [2, 4, 8]
            .into_iter()
            .find(|&bits| {
                let layout = ScanlineLayout::new(style, version, bits);
                entries.len() <= 1 << bits && LogoBox::suits(placement, &picture, &layout)
            })
            .unwrap_or(8);
        let colours = Colours::Indexed(entries);
        (Self { bits_per_pixel, ramp, background: 0, foreground: 1, colours }, picture)
    }

    /// A byte of background pixels.
    pub(crate) fn background_byte(&self) -> u8 {
        self.repeated(self.background)
    }

    /// A byte of foreground pixels.
    pub(crate) fn foreground_byte(&self) -> u8 {
        self.repeated(self.foreground)
    }

    /// Every byte that the band of a caption may hold.
    pub(crate) fn caption_bytes(&self) -> Vec<u8> {
        let pixels: Vec<u8> = (0..=255).map(|coverage| self.ramp.pixel(coverage)).collect();
        let mask = ((1_u16 << self.bits_per_pixel) - 1) as u8;
        let holds = |byte: u8| {
            (0..8).step_by(self.bits_per_pixel).all(|place| pixels.contains(&(byte >> place & mask)))
        };
        (0..=255).filter(|&byte| holds(byte)).collect()
    }

    fn repeated(&self, pixel: u8) -> u8 {
        pixel * (255 / ((1_u16 << self.bits_per_pixel) - 1) as u8)
    }

    /// The signature and every chunk before the image data, for a picture of these pixels.
    pub(crate) fn head(&self, width_px: u32, height_px: u32) -> Vec<u8> {
        let bits = self.bits_per_pixel as u8;
        match &self.colours {
            Colours::Grey { transparent } => {
                let mut file = begin_file(width_px, height_px, bits, ColourType::Greyscale);
                if let Some(pixel) = *transparent {
                    push_chunk(&mut file, *b"tRNS", &[0, pixel]);
                }
                file
            }
            Colours::Indexed(entries) => {
                let mut file = begin_file(width_px, height_px, bits, ColourType::Indexed);
                let colours: Vec<u8> =
                    entries.iter().flat_map(|&[red, green, blue, _]| [red, green, blue]).collect();
                push_chunk(&mut file, *b"PLTE", &colours);
                // Entries after the last that is not opaque need no alpha.
                if let Some(last) = entries.iter().rposition(|entry| entry[3] < 255) {
                    let alphas: Vec<u8> = entries[..=last].iter().map(|entry| entry[3]).collect();
                    push_chunk(&mut file, *b"tRNS", &alphas);
                }
                file
            }
        }
    }
}

/// Entries of a caption's ramp beside those of the code.
const RAMP_LEVELS: u8 = 4;

const NO_RAMP: Ramp = Ramp { first: 1, levels: 0 };

/// Colours of a picture at four bits per pixel.
const FEW_COLOURS: usize = 16;
/// A logo is flat when so many colours cover three quarters of it: its other colours are those of its edges.
const FLAT_COLOURS: usize = 8;

fn is_flat(picture: &LogoPicture) -> bool {
    let mut counts = [0; 256];
    for &index in &picture.indices {
        counts[usize::from(index)] += 1;
    }
    counts.sort_unstable_by(|a: &usize, b| b.cmp(a));
    4 * counts[..FLAT_COLOURS].iter().sum::<usize>() >= 3 * picture.indices.len()
}

/// An entry. A viewer that ignores transparency shows white.
fn rgba(colour: Colour) -> Rgba {
    match colour {
        Colour::Rgb([red, green, blue]) => [red, green, blue, 255],
        Colour::Transparent => [255, 255, 255, 0],
    }
}

/// Appends the entries from nearly nothing of the caption's colour, over the background, to nothing else.
fn push_ramp(entries: &mut Vec<Rgba>, style: &Style, levels: u8) -> Ramp {
    let ramp = Ramp { first: entries.len() as u8, levels };
    let caption = style.caption_colour;
    let share = |from: u8, to: u8, level: u8| {
        let (from, to, level, levels) = (u32::from(from), u32::from(to), u32::from(level), u32::from(levels));
        ((from * (levels - level) + to * level + levels / 2) / levels) as u8
    };
    entries.extend((1..=levels).map(|level| match style.background {
        Colour::Rgb(background) => {
            let [red, green, blue] =
                [0, 1, 2].map(|channel| share(background[channel], caption[channel], level));
            [red, green, blue, 255]
        }
        Colour::Transparent => {
            let [red, green, blue] = caption;
            [red, green, blue, share(0, 255, level)]
        }
    }));
    ramp
}

impl Ramp {
    /// The pixels of a line's coverage, where the background is 0.
    pub(crate) fn draw(self, coverage: &[u8], pixels: &mut [u8]) {
        for (pixel, &coverage) in pixels.iter_mut().zip(coverage) {
            *pixel = self.pixel(coverage);
        }
    }

    /// The pixel of a coverage: how many of the levels it reaches, to the nearest, from the background at 0.
    #[inline]
    fn pixel(self, coverage: u8) -> u8 {
        let level = ((u16::from(coverage) * u16::from(self.levels) + 128) >> 8) as u8;
        level + u8::from(level > 0) * (self.first - 1)
    }
}
