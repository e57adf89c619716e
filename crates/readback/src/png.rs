//! The light of the modules of a PNG file.

use std::io::Cursor;

use png::{BitDepth, ColorType, Decoder, DecodingError, Info, Limits, Reader, Transformations};

use crate::geometry::MOST_PIXELS;
use crate::light::{Light, light_of};
use crate::{Geometry, ReadError};

/// Memory that the decoder may take: more than some rows of the largest picture.
const DECODER_LIMIT_BYTES: usize = 1 << 20;

/// Reads pictures; keeps its buffers.
#[derive(Debug, Default)]
pub(crate) struct PngSampler {
    row: Vec<u8>,
    columns: Vec<usize>,
}

impl PngSampler {
    /// Takes the light in the middle of each module.
    pub fn sample(&mut self, file: &[u8], geometry: Geometry, light: &mut Light) -> Result<(), ReadError> {
        let mut picture = PngRows::open(file)?;
        let (width, height) = picture.size();
        let size = geometry.modules(width, height)?;
        self.columns.clear();
        self.columns.extend((0..size).map(|column| geometry.middle(column)));
        light.clear(size);
        let mut middles = (0..size).map(|row| geometry.middle(row)).peekable();
        for y in 0..height as usize {
            picture.read(&mut self.row)?;
            if middles.next_if_eq(&y).is_some() {
                picture.pixels.extend(light, &self.row, &self.columns);
            }
        }
        picture.finish()
    }
}

/// A picture that is decoded row by row.
pub(crate) struct PngRows<'a> {
    reader: Reader<Cursor<&'a [u8]>>,
    row_bytes: usize,
    pub pixels: Pixels,
}

impl<'a> PngRows<'a> {
    pub fn open(file: &'a [u8]) -> Result<Self, ReadError> {
        let mut decoder = Decoder::new_with_limits(Cursor::new(file), Limits { bytes: DECODER_LIMIT_BYTES });
        decoder.set_transformations(Transformations::IDENTITY);
        decoder.ignore_checksums(false);
        let reader = decoder.read_info().map_err(refused)?;
        let info = reader.info();
        if info.interlaced {
            return Err(ReadError::Picture("it is interlaced".to_owned()));
        }
        let (width, height) = info.size();
        if width.max(height) > MOST_PIXELS {
            return Err(ReadError::Size { width, height });
        }
        let pixels = Pixels::of(info)?;
        let row_bytes = reader.output_line_size(info.width).unwrap_or(0);
        Ok(Self { reader, row_bytes, pixels })
    }

    /// Width and height.
    pub fn size(&self) -> (u32, u32) {
        self.reader.info().size()
    }

    /// Reads the next row.
    pub fn read(&mut self, row: &mut Vec<u8>) -> Result<(), ReadError> {
        row.resize(self.row_bytes, 0);
        match self.reader.read_row(row) {
            Ok(Some(_)) => Ok(()),
            Ok(None) => Err(ReadError::Picture("it ends too early".to_owned())),
            Err(error) => Err(refused(error)),
        }
    }

    /// Reads what is behind the rows: the checksums of the pixels, and the file's end.
    pub fn finish(mut self) -> Result<(), ReadError> {
        self.reader.finish().map_err(refused)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
fn refused(error: DecodingError) -> ReadError {
    ReadError::Picture(error.to_string())
}

/// The meaning of a row's bytes.
pub(crate) enum Pixels {
    /// Greys or entries of a palette of 1, 2, 4 or 8 bits, and the light of each.
    Entries { bits: usize, lights: Box<[[u8; 2]; 256]> },
    /// Bytes of a pixel: grey or three colours, and with an even number alpha.
    Channels(usize),
}

impl Pixels {
    fn of(info: &Info<'_>) -> Result<Self, ReadError> {
        let bits = info.bit_depth as usize;
        match info.color_type {
            ColorType::Grayscale | ColorType::Indexed if bits <= 8 => {
                let mut lights = Box::new([[0; 2]; 256]);
                for (entry, light) in lights.iter_mut().enumerate().take(1 << bits) {
                    *light = entry_light(info, entry, bits);
                }
                Ok(Self::Entries { bits, lights })
            }
            colours if info.bit_depth == BitDepth::Eight && info.trns.is_none() => {
                Ok(Self::Channels(colours.samples()))
            }
            _ => Err(ReadError::Picture("its pixels are of a form that is never drawn".to_owned())),
        }
    }

    /// Tells whether some pixel may not be opaque.
    pub fn may_be_transparent(&self) -> bool {
        match self {
            Self::Entries { lights, .. } => lights.iter().any(|[white, black]| white != black),
            Self::Channels(count) => count.is_multiple_of(2),
        }
    }

    /// Adds the light of the pixels in those columns of a row.
    pub fn extend(&self, light: &mut Light, row: &[u8], columns: &[usize]) {
        match self {
            Self::Entries { bits: 1, lights } => {
                let lights = [lights[0], lights[1]];
                light.extend(columns.iter().map(|&x| lights[usize::from(row[x / 8] >> (7 - x % 8) & 1)]));
            }
            _ => light.extend(columns.iter().map(|&x| self.light(row, x))),
        }
    }

    /// The light of the pixel in that column.
    pub fn light(&self, row: &[u8], x: usize) -> [u8; 2] {
        match self {
            Self::Entries { bits, lights } => {
                let first = x * bits;
                let entry = row[first / 8] << (first % 8) >> (8 - bits);
                lights[usize::from(entry)]
            }
            Self::Channels(count) => match row[x * count..][..*count] {
                [grey, alpha] => light_of([grey; 3], alpha),
                [red, green, blue] => light_of([red, green, blue], u8::MAX),
                [red, green, blue, alpha] => light_of([red, green, blue], alpha),
                _ => [0; 2],
            },
        }
    }
}

/// The light of a grey, or of an entry of the palette. A pixel beyond the palette is none of the code's: no reader shows it.
fn entry_light(info: &Info<'_>, entry: usize, bits: usize) -> [u8; 2] {
    let transparency = info.trns.as_deref().unwrap_or_default();
    if info.color_type == ColorType::Indexed {
        let colour = info.palette.as_deref().unwrap_or_default().as_chunks().0.get(entry);
        let alpha = transparency.get(entry).copied().unwrap_or(u8::MAX);
        return light_of(colour.copied().unwrap_or_default(), alpha);
    }
    let grey = (entry * 255 / ((1 << bits) - 1)) as u8;
    // Of the two bytes in the file the decoder keeps the one that counts.
    let is_transparent = matches!(transparency, &[key] if usize::from(key) == entry);
    light_of([grey; 3], if is_transparent { 0 } else { u8::MAX })
}
