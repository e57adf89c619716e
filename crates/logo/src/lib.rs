//! Logos: decoded once for a job, then drawn for each size of symbol in a few colours.
//!
//! All arithmetic is in integers: the same file gives the same pixels on every machine.
#![forbid(unsafe_code)]

mod data_url;
mod decode;
mod downscale;
mod error;
mod k_means;
mod outline;
mod picture;
mod quantise;
mod raster;
mod resize;
mod srgb;
#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::sync::Arc;

pub use error::LogoError;
pub use outline::Outline;
pub use picture::LogoPicture;

use decode::{Decoded, decode};
use raster::{Pixel, Raster};
use srgb::{ONE, srgb};

/// The longest side of the picture in a logo's file.
const MAX_SIDE_PX: u32 = 4096;
/// The longest side that is kept: the largest logo of the largest image, 0.3 × 4,096 pixels.
const MAX_MASTER_PX: u32 = 1228;
/// The longest side of the pictures in documents, unless they are drawn larger.
const MAX_EMBEDDED_PX: u32 = 512;
/// The most colours of the pictures in documents, which repeat them in every file.
const MAX_EMBEDDED_COLOURS: usize = 128;

/// The linear light, 0 to 65,535, of a channel in sRGB.
pub fn linear_light(channel: u8) -> u16 {
    srgb::LINEAR[usize::from(channel)]
}

/// A decoded logo.
#[derive(Clone, Debug)]
pub struct Logo {
    /// Of the picture in the file.
    width_px: u32,
    height_px: u32,
    /// The picture, reduced by a whole factor, and its halves down to a single pixel.
    levels: Vec<Raster>,
    /// Pixels of the file per pixel of the first level, and side.
    factor: usize,
    outline: Outline,
}

thread_local! {
    /// The logo that this thread decoded last, and its data URL.
    static LAST: RefCell<Option<(String, Arc<Logo>)>> = const { RefCell::new(None) };
}

impl Logo {
    /// The logo of a data URL. It is decoded unless this thread asked for the same one last: the check of a style asks for
    /// it twice, and then each of its chunks.
    ///
    /// # Errors
    /// As [`Self::from_data_url`].
    pub fn shared(url: &str) -> Result<Arc<Self>, LogoError> {
        let known = |(last, logo): &(String, Arc<Self>)| (last == url).then(|| Arc::clone(logo));
        if let Some(logo) = LAST.with_borrow(|last| last.as_ref().and_then(known)) {
            return Ok(logo);
        }
        // Not both in memory at once.
        LAST.take();
        let logo = Arc::new(Self::from_data_url(url)?);
        LAST.set(Some((url.to_owned(), Arc::clone(&logo))));
        Ok(logo)
    }

    /// Decodes the data URL of a PNG file in base64.
    ///
    /// # Errors
    /// The fault of the URL, or as [`Self::from_png`].
    pub fn from_data_url(url: &str) -> Result<Self, LogoError> {
        Self::from_png(&data_url::png_bytes(url)?)
    }

    /// Decodes a PNG file: any colour type, depth and interlacing, sides of at most 4,096 pixels. Whatever the file
    /// claims or holds, this takes bounded memory (40 MB) and time.
    ///
    /// # Errors
    /// Why the file is refused.
    pub fn from_png(file: &[u8]) -> Result<Self, LogoError> {
        let Decoded { width_px, height_px, raster, factor } = decode(file)?;
        let outline = Outline::of_raster(&raster, [width_px, height_px], factor as u32);
        let mut levels = vec![raster];
        while let Some(last) = levels.last()
            && last.pixels.len() > 1
        {
            levels.push(last.halved());
        }
        Ok(Self { width_px, height_px, levels, factor, outline })
    }

    /// The memory that the picture takes, in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.levels.iter().map(|level| size_of_val(&level.pixels[..])).sum()
    }

    /// Width and height of the picture in the file, in pixels.
    pub fn size_px(&self) -> [u32; 2] {
        [self.width_px, self.height_px]
    }

    /// The part of its rectangle that shows something.
    pub fn outline(&self) -> &Outline {
        &self.outline
    }

    /// The logo at `width_px` × `height_px` (each 1 or more) in at most `max_colours` (up to 256) colours: over
    /// `background` (red, green, blue in sRGB), or as transparent as the logo is where there is none.
    ///
    /// The palette starts with `reserved` (red, green, blue and straight alpha), in their order. These and the colours of
    /// flat areas are drawn exactly.
    pub fn quantise(
        &self,
        width_px: u32,
        height_px: u32,
        background: Option<[u8; 3]>,
        reserved: &[[u8; 4]],
        max_colours: usize,
    ) -> LogoPicture {
        let blended = |pixel| background.map_or_else(|| straight(pixel), |rgb| composited(pixel, rgb));
        let pixels: Vec<[u8; 4]> =
            self.resized(width_px as usize, height_px as usize).into_iter().map(blended).collect();
        let (palette, indices) = quantise::quantised(&pixels, reserved, max_colours);
        LogoPicture { width_px, height_px, palette, indices }
    }

    /// The data URL of a PNG file for documents in which the logo is drawn at `width_px` × `height_px` (each 1 or more),
    /// and which may be enlarged: it has up to twice as many pixels per side, at most 512 unless it is drawn larger, and no
    /// more than the logo's own. Where the logo is transparent, so is the file, and so are the pixels of the drawn logo, by column
    /// and row, that `is_shown` leaves out.
    ///
    /// # Panics
    /// When both sides are 0.
    pub fn data_url(&self, width_px: u32, height_px: u32, is_shown: impl Fn(u32, u32) -> bool) -> String {
        let drawn = width_px.max(height_px);
        let edge = (2 * drawn).min(MAX_EMBEDDED_PX.max(drawn)).min(self.width_px.max(self.height_px));
        let side = |side: u32| ((u64::from(side) * u64::from(edge) / u64::from(drawn)) as u32).max(1);
        let [width, height] = [width_px, height_px].map(side);
        // The drawn pixel in which the middle of an embedded one lies.
        let drawn = |place: u32, drawn: u32, side: u32| {
            (u64::from(2 * place + 1) * u64::from(drawn) / u64::from(2 * side)) as u32
        };
        let mut pixels: Vec<[u8; 4]> =
            self.resized(width as usize, height as usize).into_iter().map(straight).collect();
        for (place, pixel) in (0..).zip(&mut pixels) {
            if !is_shown(drawn(place % width, width_px, width), drawn(place / width, height_px, height)) {
                *pixel = [0; 4];
            }
        }
        let (palette, indices) = quantise::quantised(&pixels, &[], MAX_EMBEDDED_COLOURS);
        LogoPicture { width_px: width, height_px: height, palette, indices }.data_url()
    }

    /// Resampled from the smallest level that is still at least twice as large.
    fn resized(&self, width: usize, height: usize) -> Vec<Pixel> {
        let is_enough = |level: &Raster| level.width >= 2 * width && level.height >= 2 * height;
        let level = self.levels.iter().rposition(is_enough).unwrap_or(0);
        let extent = [self.width_px as usize, self.height_px as usize];
        resize::resized(&self.levels[level], extent, self.factor << level, width, height)
    }
}

/// A pixel over an opaque colour, blended in sRGB as viewers blend the picture in an SVG file.
fn composited(pixel: Pixel, background: [u8; 3]) -> [u8; 4] {
    let [red, green, blue, alpha] = straight(pixel);
    let opacity = u32::from(alpha);
    let mix = |above: u8, below: u8| {
        ((u32::from(above) * opacity + u32::from(below) * (255 - opacity) + 127) / 255) as u8
    };
    [mix(red, background[0]), mix(green, background[1]), mix(blue, background[2]), 255]
}

/// A pixel in sRGB with straight alpha; all 0 where transparent.
fn straight([red, green, blue, alpha]: Pixel) -> [u8; 4] {
    let opacity = ((u32::from(alpha) * 255 + ONE / 2) / ONE) as u8;
    if opacity == 0 {
        return [0; 4];
    }
    let divisor = u32::from(alpha);
    let channel = |value: u16| srgb(((u32::from(value) * ONE + divisor / 2) / divisor).min(ONE) as u16);
    [channel(red), channel(green), channel(blue), opacity]
}
