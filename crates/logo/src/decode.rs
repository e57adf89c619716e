//! Reads a PNG file (PNG, third edition) under limits that hold before anything is allocated.
//!
//! Colour spaces other than sRGB, text and every other ancillary chunk are ignored, and so is what follows the picture.
//! Of an animation, the default picture counts.

use png::{ColorType, DecodeOptions, Decoder, DecodingError, Limits, Reader, Transformations};

use crate::downscale::Reducer;
use crate::raster::Raster;
use crate::{LogoError, MAX_MASTER_PX, MAX_SIDE_PX};

/// The most bytes of decoded pixels: 4,096 × 4,096 of 8 bits per channel with alpha, and a filter type for each row.
/// Only pictures of 16 bits per channel can be refused for it, as their deflate stream takes the longest to read.
const MAX_DECODED_BYTES: u64 = 4096 * (4 * 4096 + 1);

/// The memory that the reader may allocate for chunks: only the palette and the transparent colours are kept.
const MAX_CHUNK_BYTES: usize = 1 << 20;

const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

/// The kind of the first chunk.
const FIRST_KIND: std::ops::Range<usize> = 12..16;

/// Adam7 (PNG, third edition, clause 8.1): first column, first row, columns apart, and rows apart of each pass.
const PASSES: [[usize; 4]; 7] =
    [[0, 0, 8, 8], [4, 0, 8, 8], [0, 4, 4, 8], [2, 0, 4, 4], [0, 2, 2, 4], [1, 0, 2, 2], [0, 1, 1, 2]];

/// A picture as it is kept.
#[derive(Debug)]
pub(crate) struct Decoded {
    /// Of the picture in the file.
    pub width_px: u32,
    pub height_px: u32,
    /// Reduced by a whole factor so that no side is above [`MAX_MASTER_PX`].
    pub raster: Raster,
    /// Pixels of the file per pixel of `raster`, and side.
    pub factor: usize,
}

/// Reads the picture of a PNG file.
pub(crate) fn decode(file: &[u8]) -> Result<Decoded, LogoError> {
    if !file.starts_with(&SIGNATURE) {
        return Err(LogoError::NotAPng);
    }
    if file.get(FIRST_KIND) == Some(b"CgBI") {
        return Err(LogoError::MadeForPhones);
    }
    let mut options = DecodeOptions::default();
    options.set_ignore_checksums(false);
    options.set_ignore_text_chunk(true);
    options.set_ignore_iccp_chunk(true);
    let mut decoder = Decoder::new_with_options(std::io::Cursor::new(file), options);
    decoder.set_limits(Limits { bytes: MAX_CHUNK_BYTES });
    // Every kind of pixel comes as grey and alpha, or red, green, blue and alpha, of 8 bits each.
    decoder.set_transformations(Transformations::normalize_to_color8() | Transformations::ALPHA);

    let header = decoder.read_header_info().map_err(refused)?;
    let (width_px, height_px) = (header.width, header.height);
    if width_px.max(height_px) > MAX_SIDE_PX {
        return Err(LogoError::TooLarge { width_px, height_px });
    }
    let bytes = header.raw_row_length() as u64 * u64::from(height_px);
    if bytes > MAX_DECODED_BYTES {
        return Err(LogoError::TooManyBytes { bytes, limit_bytes: MAX_DECODED_BYTES });
    }

    let mut reader = decoder.read_info().map_err(refused)?;
    if let Some(frame) = reader.info().frame_control()
        && (frame.width, frame.height) != (width_px, height_px)
    {
        let reason = "the first frame of the animation is smaller than the picture".to_owned();
        return Err(LogoError::Malformed { reason });
    }
    // PNG, third edition, clause 11.2.2. The reader would take the colours from it without looking, and panic.
    if reader.info().palette.as_ref().is_some_and(|palette| palette.len() % 3 != 0) {
        return Err(LogoError::Malformed { reason: "its palette ends within a colour".to_owned() });
    }
    let (width, height) = (width_px as usize, height_px as usize);
    let factor = width.max(height).div_ceil(MAX_MASTER_PX as usize);
    let mut reducer = Reducer::new(width, height, factor);
    if reader.info().interlaced {
        for [left, top, columns, rows] in PASSES {
            if left < width {
                for y in (top..height).step_by(rows) {
                    add_row(&mut reader, &mut reducer, y, left, columns)?;
                }
            }
        }
    } else {
        for y in 0..height {
            add_row(&mut reader, &mut reducer, y, 0, 1)?;
        }
    }
    // Reads the checksums at the end of the pixels.
    reader.next_row().map_err(refused)?;
    Ok(Decoded { width_px, height_px, raster: reducer.finish(), factor })
}

type Source<'a> = std::io::Cursor<&'a [u8]>;

/// Reads one row of a pass: the pixels at column `x` of row `y`, and at every `step`th after it.
fn add_row(
    reader: &mut Reader<Source<'_>>,
    reducer: &mut Reducer,
    y: usize,
    x: usize,
    step: usize,
) -> Result<(), LogoError> {
    let (colours, _) = reader.output_color_type();
    let row = reader.next_row().map_err(refused)?.ok_or(LogoError::Truncated)?;
    if colours == ColorType::GrayscaleAlpha {
        let pixels = row.data().as_chunks().0.iter();
        reducer.add(y, x, step, pixels.map(|&[grey, alpha]| [grey, grey, grey, alpha]));
    } else {
        reducer.add(y, x, step, row.data().as_chunks().0.iter().copied());
    }
    Ok(())
}

fn refused(error: DecodingError) -> LogoError {
    match error {
        DecodingError::IoError(_) => LogoError::Truncated,
        other => LogoError::Malformed { reason: in_words(&other.to_string()) },
    }
}

/// The reader's own words, where it shows the name of a chunk instead of what it knows about it.
fn in_words(reason: &str) -> String {
    const CHUNK: &str = "ChunkType { type: ";
    let mut words = String::new();
    let mut rest = reason;
    while let Some((before, chunk)) = rest.split_once(CHUNK) {
        let (shown, after) = chunk.split_once('}').unwrap_or((chunk, ""));
        words += before;
        words += shown.split(',').next().unwrap_or_default().trim();
        rest = after;
    }
    words + rest
}
