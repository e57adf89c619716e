//! The caption band: its pixels by the palette's ramp, and how a plan's code writes them.
//!
//! The band is one string of bytes, in which the background is 0 as the filter types are: between the ink of one line
//! and that of the next lies one run of zeros.

use std::ops::Range;

use super::adler::{Adler32, LineSums};
use super::bits::{BitString, BitWriter, Bits};
use super::deflate::{Code, Frequencies, LONGEST_MATCH, SHORTEST_MATCH, Token};
use super::palette::Palette;
use crate::CaptionPixels;

/// Most bits of a literal in a plan with captions: what lets four be written at once.
pub(super) const LONGEST_LITERAL: u8 = (Bits::CAPACITY / 4) as u8;

/// A caption's lines in a picture's pixels. Reused from caption to caption, it does not allocate.
#[derive(Clone, Debug, Default)]
pub(super) struct Ink {
    /// The bytes of all lines from their first to their last that is not 0.
    bytes: Vec<u8>,
    /// The zeros before each line's bytes, and where these lie in `bytes`; lines without ink are left out.
    lines: Vec<(usize, Range<usize>)>,
    /// Zeros after all.
    trailing: usize,
    /// By column, what the rows have in common; then the pixels of one row.
    columns: Vec<u8>,
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
        let columns = cut..caption.width_px().min(cut + width_px);

        self.columns.clear();
        self.columns.resize(columns.len(), 0);
        for row in caption.rows() {
            for (column, coverage) in self.columns.iter_mut().zip(&row[columns.clone()]) {
                *column |= coverage;
            }
        }
        let inked = |column: &u8| palette.ramp.level(*column) > 0;
        let Some(first) = self.columns.iter().position(inked) else {
            self.trailing = caption.height_px() * stride;
            return;
        };
        let last = self.columns.iter().rposition(inked).unwrap_or(first);
        // From here on columns are the picture's.
        let before = (left + first) % pixels_per_byte;
        let first_byte = 1 + (left + first) / pixels_per_byte;
        let inked = columns.start + first..=columns.start + last;
        self.columns.clear();
        self.columns.resize((before + last + 1 - first).next_multiple_of(pixels_per_byte), 0);

        let mut end = 0;
        for (line, row) in caption.rows().enumerate() {
            for (pixel, &coverage) in self.columns[before..].iter_mut().zip(&row[inked.clone()]) {
                *pixel = palette.ramp.pixel(coverage);
            }
            let start = self.bytes.len();
            pack(&self.columns, palette.bits_per_pixel, &mut self.bytes);
            let packed = &self.bytes[start..];
            let Some(skipped) = packed.iter().position(|&byte| byte != 0) else {
                self.bytes.truncate(start);
                continue;
            };
            let length = packed.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
            self.bytes.truncate(start + length);
            let place = line * stride + first_byte + skipped;
            self.lines.push((place - end, start + skipped..start + length));
            end = place + length - skipped;
        }
        self.trailing = caption.height_px() * stride - end;
    }

    /// Calls `zeros` with the length of every run between lines, and `bytes` with what is between these.
    fn for_each_part(&self, mut part: impl FnMut(usize, &[u8])) {
        for (zeros, bytes) in &self.lines {
            part(*zeros, &self.bytes[bytes.clone()]);
        }
        part(self.trailing, &[]);
    }

    /// What the symbols of its tokens occur, `times` each.
    pub(super) fn count(&self, frequencies: &mut Frequencies, times: u64) {
        self.for_each_part(|zeros, bytes| {
            frequencies.add_literals(&[0; SHORTEST_MATCH][..zeros.min(literal_zeros(zeros))], times);
            for_each_run(zeros - literal_zeros(zeros), |length| frequencies.add(&[zero_run(length)], times));
            frequencies.add_literals(bytes, times);
        });
    }

    /// No caption takes more bytes.
    pub(super) fn longest(&self) -> usize {
        let runs: usize = self.lines.iter().map(|(zeros, _)| zeros / LONGEST_MATCH + 2).sum();
        2 * self.bytes.len() + 8 * (runs + self.trailing / LONGEST_MATCH + 2)
    }
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
        2 => out.extend(pixels.as_chunks::<4>().0.iter().map(|&[a, b, c, d]| a << 6 | b << 4 | c << 2 | d)),
        4 => out.extend(pixels.as_chunks::<2>().0.iter().map(|&[a, b]| a << 4 | b)),
        _ => out.extend_from_slice(pixels),
    }
}

/// How a plan writes captions.
#[derive(Debug)]
pub(super) struct BandCode {
    literals: Box<[Bits; 256]>,
    /// Runs by their length.
    runs: Box<[Bits; LONGEST_MATCH + 1]>,
    end: Bits,
}

impl BandCode {
    pub(super) fn new(code: &Code) -> Self {
        let bits = |tokens: &[Token]| {
            let mut string = BitString::default();
            code.encode(tokens, &mut string);
            string.pieces()[0]
        };
        let mut runs = Box::new([Bits::default(); LONGEST_MATCH + 1]);
        for length in SHORTEST_MATCH..=LONGEST_MATCH {
            runs[length] = bits(&[zero_run(length)]);
        }
        let mut end = BitString::default();
        code.encode_end(&mut end);
        Self {
            literals: Box::new(std::array::from_fn(|byte| code.literal(byte as u8))),
            runs,
            end: end.pieces()[0],
        }
    }

    /// Counts everything that a band may need, so that the code has it.
    pub(super) fn count_all(palette: &Palette, frequencies: &mut Frequencies, times: u64) {
        frequencies.add_literals(&palette.caption_bytes(), times);
        for length in SHORTEST_MATCH..=LONGEST_MATCH {
            frequencies.add(&[zero_run(length)], 1);
        }
    }

    /// Writes a caption and the end of the block.
    pub(super) fn draw(&self, ink: &Ink, writer: &mut BitWriter<'_>, adler: &mut Adler32) {
        ink.for_each_part(|zeros, bytes| {
            let spelled = literal_zeros(zeros);
            writer.flush();
            for _ in 0..spelled {
                writer.join(self.literals[0]);
            }
            for_each_run(zeros - spelled, |length| writer.put(self.runs[length]));
            let (fours, rest) = bytes.as_chunks::<4>();
            for four in fours {
                writer.flush();
                for &byte in four {
                    writer.join(self.literals[usize::from(byte)]);
                }
            }
            writer.flush();
            for &byte in rest {
                writer.join(self.literals[usize::from(byte)]);
            }
            adler.add_zeros(zeros);
            adler.add_lines(LineSums::of(bytes), bytes.len(), 1);
        });
        writer.put(self.end);
    }
}
