//! The caption band: its pixels by the palette's ramp, and the block of the deflate stream that holds them.
//!
//! The band is one string of bytes, in which the background is 0 as the filter types are: between the ink of one line
//! and that of the next lies one run of zeros.

use std::ops::Range;

use super::adler::Adler32;
use super::bits::{BitString, BitWriter, Bits};
use super::deflate::{Code, Frequencies, LONGEST_MATCH, SHORTEST_MATCH, Token};
use super::palette::Palette;
use crate::CaptionPixels;

/// Most bits of a literal. So few keep the header short, and six can be written at once.
const LONGEST_LITERAL: u8 = 9;
/// Literals that are written at once.
const LITERALS_PER_WORD: usize = Bits::CAPACITY as usize / LONGEST_LITERAL as usize;

/// How often the sample's tokens count for each that it may lack.
const SAMPLE_WEIGHT: u64 = 4;

/// A caption's lines in a picture's pixels. Reused from caption to caption, it does not allocate.
#[derive(Clone, Debug, Default)]
pub(super) struct Ink {
    /// The bytes of all lines from their first to their last that is not 0.
    bytes: Vec<u8>,
    /// The zeros before each line's bytes, and where these lie in `bytes`; lines without ink are left out.
    lines: Vec<(usize, Range<usize>)>,
    /// Zeros after all.
    trailing: usize,
    /// The pixels of one line.
    pixels: Vec<u8>,
}

impl Ink {
    /// Takes a caption's pixels, which it centres on lines of `width_px` pixels, in `stride` bytes each.
    pub(super) fn set(
        &mut self,
        caption: CaptionPixels<'_>,
        palette: &Palette,
        width_px: usize,
        stride: usize,
    ) {
        self.bytes.clear();
        self.lines.clear();
        let pixels_per_byte = 8 / palette.bits_per_pixel;
        // What doesn't fit is cut off at both sides.
        let cut = caption.width_px().saturating_sub(width_px) / 2;
        let left = width_px.saturating_sub(caption.width_px()) / 2;
        let fits = cut..caption.width_px().min(cut + width_px);
        let mut end = 0;
        for (line, row) in caption.rows().enumerate() {
            let row = &row[fits.clone()];
            let Some(inked) = inked_columns(row) else { continue };
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

    /// Calls `part` with the number of zeros before each line's bytes, and these.
    fn for_each_part(&self, mut part: impl FnMut(usize, &[u8])) {
        for (zeros, bytes) in &self.lines {
            part(*zeros, &self.bytes[bytes.clone()]);
        }
        part(self.trailing, &[]);
    }

    /// Counts its tokens, `times` each.
    fn count(&self, frequencies: &mut Frequencies, times: u64) {
        self.for_each_part(|zeros, bytes| {
            frequencies.add_literals(&[0; SHORTEST_MATCH][..zeros.min(literal_zeros(zeros))], times);
            for_each_run(zeros - literal_zeros(zeros), |length| frequencies.add(&[zero_run(length)], times));
            frequencies.add_literals(bytes, times);
        });
    }
}

/// The columns from the first to the last with any coverage.
fn inked_columns(row: &[u8]) -> Option<Range<usize>> {
    let (chunks, tail) = row.as_chunks::<16>();
    let bits = |chunk: &[u8; 16]| u128::from_le_bytes(*chunk);
    let (is_inked, tail_start) = (|&coverage: &u8| coverage > 0, 16 * chunks.len());
    let first = match chunks.iter().position(|chunk| bits(chunk) != 0) {
        Some(index) => 16 * index + bits(&chunks[index]).trailing_zeros() as usize / 8,
        None => tail_start + tail.iter().position(is_inked)?,
    };
    let last = if let Some(index) = tail.iter().rposition(is_inked) {
        tail_start + index
    } else {
        let index = chunks.iter().rposition(|chunk| bits(chunk) != 0)?;
        16 * index + 15 - bits(&chunks[index]).leading_zeros() as usize / 8
    };
    Some(first..last + 1)
}

/// Zeros of a run that are literals: all where they are too few, else the first, which the others repeat.
fn literal_zeros(zeros: usize) -> usize {
    if zeros > SHORTEST_MATCH { 1 } else { zeros }
}

/// Calls `run` with the lengths of matches that make up `count` bytes, none of them or 3 and more.
fn for_each_run(count: usize, mut run: impl FnMut(usize)) {
    let mut left = count;
    while left > 0 {
        // What a match leaves must be enough for another.
        let most = if left > LONGEST_MATCH { left - SHORTEST_MATCH } else { left };
        let length = most.min(LONGEST_MATCH);
        run(length);
        left -= length;
    }
}

fn zero_run(length: usize) -> Token {
    Token::Match { length: length as u16, distance: 1 }
}

/// Appends pixels, whole bytes of them.
fn pack(pixels: &[u8], bits_per_pixel: usize, out: &mut Vec<u8>) {
    match bits_per_pixel {
        2 => out.extend(pixels.as_chunks::<4>().0.iter().map(|pixels| {
            // What the shifts leave of other pixels is outside of the byte.
            let word = u32::from_be_bytes(*pixels);
            (word >> 18 | word >> 12 | word >> 6 | word) as u8
        })),
        4 => out.extend(pixels.as_chunks::<2>().0.iter().map(|&[left, right]| left << 4 | right)),
        _ => out.extend_from_slice(pixels),
    }
}

/// How a plan writes captions.
#[derive(Debug)]
pub(super) struct BandCode {
    header: BitString,
    literals: Box<[Bits; 256]>,
    /// Runs by their length.
    runs: Box<[Bits; LONGEST_MATCH + 1]>,
    end: Bits,
}

impl BandCode {
    /// The code for captions like `sample` on lines of `width_px` pixels, in `stride` bytes each.
    pub(super) fn new(sample: CaptionPixels<'_>, palette: &Palette, width_px: usize, stride: usize) -> Self {
        let mut frequencies = Frequencies::new(SAMPLE_WEIGHT);
        // Other captions may need whatever the sample lacks.
        frequencies.add_literals(&palette.caption_bytes(), 1);
        for length in SHORTEST_MATCH..=LONGEST_MATCH {
            frequencies.add(&[zero_run(length)], 1);
        }
        let mut ink = Ink::default();
        ink.set(sample, palette, width_px, stride);
        ink.count(&mut frequencies, SAMPLE_WEIGHT);
        let code = Code::new(&frequencies, LONGEST_LITERAL);

        let string = |tokens: &[Token]| {
            let mut string = BitString::default();
            code.encode(tokens, &mut string);
            string
        };
        let single = |string: &BitString| string.pieces().first().copied().unwrap_or_default();
        let mut runs = Box::new([Bits::default(); LONGEST_MATCH + 1]);
        for (length, run) in runs.iter_mut().enumerate().skip(SHORTEST_MATCH) {
            *run = single(&string(&[zero_run(length)]));
        }
        let mut end = BitString::default();
        code.encode_end(&mut end);
        Self {
            header: code.header(true),
            literals: Box::new(std::array::from_fn(|byte| code.literal(byte as u8))),
            runs,
            end: single(&end),
        }
    }

    /// No caption takes more bytes.
    pub(super) fn longest(&self, ink: &Ink) -> usize {
        let runs: usize = ink.lines.iter().map(|(zeros, _)| zeros / LONGEST_MATCH + 2).sum();
        self.header.length() / 8 + 2 * ink.bytes.len() + 8 * (runs + ink.trailing / LONGEST_MATCH + 3)
    }

    /// Writes a caption's block, the last of the stream.
    pub(super) fn draw(&self, ink: &Ink, writer: &mut BitWriter<'_>, adler: &mut Adler32) {
        writer.put_all(&self.header);
        ink.for_each_part(|zeros, bytes| {
            let spelled = literal_zeros(zeros);
            writer.flush();
            for _ in 0..spelled {
                writer.join(self.literals[0]);
            }
            for_each_run(zeros - spelled, |length| writer.put(self.runs[length]));
            let (words, rest) = bytes.as_chunks::<LITERALS_PER_WORD>();
            for word in words {
                writer.flush();
                for &byte in word {
                    writer.join(self.literals[usize::from(byte)]);
                }
            }
            writer.flush();
            for &byte in rest {
                writer.join(self.literals[usize::from(byte)]);
            }
            adler.append_zeros(zeros);
            adler.append(bytes);
        });
        writer.put(self.end);
    }
}
