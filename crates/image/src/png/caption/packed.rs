//! The ink of a caption: its lines in the bytes of a picture.

use std::ops::Range;

use crate::CaptionPixels;
use crate::png::palette::Palette;

/// Pixels that are looked at together.
const STEP: usize = 32;

/// The lines that captions are drawn on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Canvas<'a> {
    pub(crate) palette: &'a Palette,
    pub(crate) width_px: usize,
    /// Bytes of a line with its filter type.
    pub(crate) stride: usize,
}

/// The way in which a line's bytes are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// The bytes from the line's first ink to its last.
    OfLine,
    /// The bytes from the leftmost ink of all lines to the rightmost, so that each line lies under the one above.
    OfCaption,
}

/// A caption's lines in a picture's pixels. Reused from caption to caption, it does not allocate.
#[derive(Clone, Debug, Default)]
pub(crate) struct PackedCaption {
    /// The bytes of all lines that have ink.
    bytes: Vec<u8>,
    /// The zeros before each line's bytes, and where these lie in `bytes`.
    lines: Vec<(usize, Range<usize>)>,
    /// Zeros after all.
    trailing: usize,
    /// Bytes of a line with its filter type.
    stride: usize,
    /// The pixels of one line.
    pixels: Vec<u8>,
}

impl PackedCaption {
    /// Takes a caption's pixels, centred on their lines; what is wider is cut off at both sides.
    pub(crate) fn set(&mut self, caption: CaptionPixels<'_>, canvas: Canvas<'_>, extent: Extent) {
        let Canvas { palette, width_px, stride } = canvas;
        self.bytes.clear();
        self.lines.clear();
        self.stride = stride;
        let pixels_per_byte = 8 / palette.bits_per_pixel;
        let cut = caption.width_px().saturating_sub(width_px) / 2;
        let left = width_px.saturating_sub(caption.width_px()) / 2;
        let fits = cut..caption.width_px().min(cut + width_px);
        let rows = || caption.rows().map(|row| &row[fits.clone()]);
        let all = match extent {
            Extent::OfLine => None,
            Extent::OfCaption => rows()
                .filter_map(inked_columns)
                .reduce(|one, other| one.start.min(other.start)..one.end.max(other.end)),
        };
        let mut end = 0;
        for (line, row) in rows().enumerate() {
            let Some(inked) = inked_columns(row) else { continue };
            let inked = all.clone().unwrap_or(inked);
            let column = left + inked.start;
            let skipped = column % pixels_per_byte;
            self.pixels.clear();
            self.pixels.resize((skipped + inked.len()).next_multiple_of(pixels_per_byte), 0);
            palette.ramp.draw(&row[inked], &mut self.pixels[skipped..]);
            let start = self.bytes.len();
            pack(&self.pixels, palette.bits_per_pixel, &mut self.bytes);
            let place = line * stride + 1 + column / pixels_per_byte;
            self.lines.push((place - end, start..self.bytes.len()));
            end = place + self.bytes.len() - start;
        }
        self.trailing = caption.height_px() * stride - end;
    }

    /// Calls `draw` with the number of zeros before each line's bytes, these, and the bytes above them if those are ink
    /// as well; at last with the zeros after all.
    #[inline]
    pub(crate) fn for_each_line(&self, mut draw: impl FnMut(usize, &[u8], Option<&[u8]>)) {
        let mut previous: &[u8] = &[];
        for (zeros, bytes) in &self.lines {
            let bytes = &self.bytes[bytes.clone()];
            let is_under = bytes.len() == previous.len() && zeros + bytes.len() == self.stride;
            draw(*zeros, bytes, is_under.then_some(previous));
            previous = bytes;
        }
        draw(self.trailing, &[], None);
    }
}

/// The columns from the first to the last with any coverage.
fn inked_columns(row: &[u8]) -> Option<Range<usize>> {
    // Most of a band is blank, and is passed over by large steps.
    let is_blank = |chunk: &&[u8]| chunk.iter().fold(0, |any, coverage| any | coverage) == 0;
    let before = STEP * row.chunks_exact(STEP).take_while(is_blank).count();
    let after = STEP * row.rchunks_exact(STEP).take_while(is_blank).count();
    let rest = row.get(before..row.len() - after)?;

    let (words, tail) = rest.as_chunks::<16>();
    let bits = |word: &[u8; 16]| u128::from_le_bytes(*word);
    let (is_inked, tail_start) = (|&coverage: &u8| coverage > 0, 16 * words.len());
    let first = match words.iter().position(|word| bits(word) != 0) {
        Some(index) => 16 * index + bits(&words[index]).trailing_zeros() as usize / 8,
        None => tail_start + tail.iter().position(is_inked)?,
    };
    let last = if let Some(index) = tail.iter().rposition(is_inked) {
        tail_start + index
    } else {
        let index = words.iter().rposition(|word| bits(word) != 0)?;
        16 * index + 15 - bits(&words[index]).leading_zeros() as usize / 8
    };
    Some(before + first..before + last + 1)
}

/// Appends pixels, whole bytes of them.
fn pack(pixels: &[u8], bits_per_pixel: usize, out: &mut Vec<u8>) {
    match bits_per_pixel {
        2 => out.extend(pixels.as_chunks::<4>().0.iter().map(|pixels| {
            // The shifts move the bits of other pixels out of the lowest byte.
            let word = u32::from_be_bytes(*pixels);
            (word >> 18 | word >> 12 | word >> 6 | word) as u8
        })),
        4 => out.extend(pixels.as_chunks::<2>().0.iter().map(|&[left, right]| left << 4 | right)),
        _ => out.extend_from_slice(pixels),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ink_is_found_wherever_it_is() {
        for width in [0, 1, 15, 16, 31, 32, 33, 64, 70, 130] {
            assert_eq!(inked_columns(&vec![0; width]), None);
            for first in 0..width {
                for last in first..width {
                    let mut row = vec![0; width];
                    (row[first], row[last]) = (1, 255);
                    assert_eq!(inked_columns(&row), Some(first..last + 1), "{width}");
                }
            }
        }
    }
}
