//! All of a PNG file that a style and a version settle before a symbol is known, and the drawing of the rest.

use qrpress_symbol::{Symbol, Version};

use super::adler::{Adler32, LineSums};
use super::bits::{BitString, BitWriter, Bits};
use super::chunks::{IEND, Pixels, begin_chunk, end_chunk};
use super::deflate::{Code, Frequencies};
use super::groups::{Group, Place, groups};
use super::lines::Lines;
use super::margins::Margins;
use super::parse::{Parser, Unused};
use crate::windows::{WINDOWS, for_each_window, shifted};
use crate::{Style, image_side_px};

/// Header of a zlib stream: deflate, a window of 32 KiB, strongest compression (RFC 1950, clause 2.2).
const ZLIB_HEADER: [u8; 2] = [0x78, 0xda];

/// How often the code is made anew from the cheapest tokens under the one before.
const ROUNDS: usize = 3;

/// Up to 56 bits of a coded group.
#[derive(Clone, Copy, Debug, Default)]
struct Piece {
    bits: u64,
    /// Number of bits from bit 56; in a group's first piece its plain sum from bit 32, its weighted sum from bit 0.
    ///
    /// The weighted sums of a line's groups, at most 23, stay below 2^26, the sum of their running totals below 2^31,
    /// that of the plain sums' below 2^23: all are added in one word without running into each other.
    packed: u64,
}

impl Piece {
    fn new(bits: Bits, sums: LineSums) -> Self {
        let packed = u64::from(bits.length) << 56 | sums.plain << 32 | sums.weighted;
        Self { bits: bits.value, packed }
    }

    #[inline]
    fn bits(self) -> Bits {
        Bits { value: self.bits, length: (self.packed >> 56) as u32 }
    }
}

/// The sums that pieces add up to.
#[inline]
fn unpacked(total: u64) -> LineSums {
    LineSums { plain: total >> 32 & 0xff_ffff, weighted: total & 0xffff_ffff }
}

/// Everything of a file but its symbol's modules.
#[derive(Debug)]
pub(super) struct Plan {
    lines: Lines,
    /// The file up to the deflate stream.
    head: Vec<u8>,
    /// Where the chunk of image data starts in `head`.
    data_chunk: usize,
    /// From the block's header to the first row's data.
    top: BitString,
    /// From a row's data to the next row's.
    gap: BitString,
    /// From the last row's data to the end of the block.
    bottom: BitString,
    /// Coded groups by window: the first of a row, those between, the last.
    tables: [Vec<Piece>; 3],
    /// Pieces of a group.
    pieces: usize,
    margin_line: LineSums,
    /// The margins' share in the sums of a line with data.
    sides: LineSums,
    longest_file: usize,
}

impl Plan {
    pub(super) fn new(style: &Style, version: Version) -> Self {
        let lines = Lines::new(style, version);
        let pixels = Pixels::new(style);
        let margins = Margins::new(&lines, pixels.background_byte());
        let places = Place::ALL.map(|place| groups(&lines, version, pixels.background_byte(), place));
        let code = tuned_code(&lines, version, &margins, &places);

        let mut top = code.header();
        code.encode(&margins.top, &mut top);
        let mut gap = BitString::default();
        code.encode(&margins.gap, &mut gap);
        let mut bottom = BitString::default();
        code.encode(&margins.bottom, &mut bottom);
        code.encode_end(&mut bottom);

        let mut parser = Parser::new(&code, &lines, Unused::Forbidden);
        let coded = places.each_ref().map(|groups| {
            groups
                .iter()
                .map(|group| {
                    let mut bits = BitString::default();
                    code.encode(&parser.parse(&group.bytes, group.start), &mut bits);
                    bits
                })
                .collect::<Vec<_>>()
        });
        let pieces = coded.iter().flatten().map(|bits| bits.pieces().len()).max().unwrap_or(1);
        let longest_row: usize = coded
            .iter()
            .zip([1, lines.groups - 2, 1])
            .map(|(coded, count)| count * coded.iter().map(BitString::length).max().unwrap_or(0))
            .sum();
        let mut tables = [const { Vec::new() }; 3];
        for (table, (groups, coded)) in tables.iter_mut().zip(places.iter().zip(&coded)) {
            table.resize(WINDOWS * pieces, Piece::default());
            for (group, bits) in groups.iter().zip(coded) {
                let mut sums = group.sums;
                for (piece, &bits) in table[group.window * pieces..].iter_mut().zip(bits.pieces()) {
                    *piece = Piece::new(bits, std::mem::take(&mut sums));
                }
            }
        }

        let side_px = image_side_px(style, version);
        let mut head = pixels.head(side_px, side_px);
        let data_chunk = begin_chunk(&mut head, *b"IDAT");
        head.extend_from_slice(&ZLIB_HEADER);
        let bits = top.length() + version.size() * (longest_row + gap.length()) + bottom.length();
        let longest_file = head.len() + bits.div_ceil(8) + 8 + 4 + 4 + IEND.len();

        let mut line = vec![pixels.background_byte(); lines.stride];
        line[0] = 0;
        let margin_line = LineSums::of(&line);
        line[1 + lines.left..][..lines.data].fill(0);
        let sides = LineSums::of(&line);

        Self { lines, head, data_chunk, top, gap, bottom, tables, pieces, margin_line, sides, longest_file }
    }

    /// Appends the file of `symbol`, which is of the plan's version.
    pub(super) fn draw(&self, symbol: &Symbol, out: &mut Vec<u8>) {
        let start = out.len();
        out.extend_from_slice(&self.head);
        let stream = out.len();
        out.resize(start + self.longest_file, 0);
        let (length, adler) = match self.pieces {
            1 => self.draw_stream::<1>(symbol, &mut out[stream..]),
            2 => self.draw_stream::<2>(symbol, &mut out[stream..]),
            3 => self.draw_stream::<3>(symbol, &mut out[stream..]),
            more => panic!("{more} pieces in a group"),
        };
        out.truncate(stream + length);
        out.extend_from_slice(&adler.to_be_bytes());
        end_chunk(out, start + self.data_chunk);
        out.extend_from_slice(&IEND);
    }

    /// Writes the deflate stream; its length in bytes, and the checksum of what it unpacks to.
    fn draw_stream<const PIECES: usize>(&self, symbol: &Symbol, out: &mut [u8]) -> (usize, u32) {
        let [first, middle, last] = self.tables.each_ref().map(|table| {
            let groups: &[[Piece; PIECES]; WINDOWS] =
                table.as_chunks().0.try_into().expect("a group for every window");
            groups
        });
        let Lines { stride, pixels_per_module, .. } = self.lines;
        let mut writer = BitWriter::new(out);
        let mut adler = Adler32::new();
        writer.put_all(&self.top);
        adler.add_lines(self.margin_line, stride, self.lines.margin_height);
        let size = symbol.size();
        for y in 0..size {
            let row = shifted(symbol.row(y), self.lines.first_column);
            let mut total = 0_u64;
            let mut running_totals = 0_u64;
            let mut index = 0;
            for_each_window(&row, self.lines.groups, |window| {
                let table = if index == 0 {
                    first
                } else if index == self.lines.groups - 1 {
                    last
                } else {
                    middle
                };
                let group = &table[window];
                for piece in group {
                    writer.put(piece.bits());
                }
                if index < self.lines.groups - 1 {
                    running_totals = running_totals.wrapping_add(total);
                }
                total = total.wrapping_add(group[0].packed);
                index += 1;
            });
            writer.put_all(if y + 1 < size { &self.gap } else { &self.bottom });
            let (data, earlier) = (unpacked(total), unpacked(running_totals));
            let sums = LineSums {
                plain: self.sides.plain + data.plain,
                weighted: self.sides.weighted + data.weighted + earlier.plain * pixels_per_module as u64,
            };
            adler.add_lines(sums, stride, pixels_per_module);
        }
        adler.add_lines(self.margin_line, stride, self.lines.margin_height);
        (writer.finish(), adler.finish())
    }
}

/// The code that suits a symbol of random modules: what masking makes of every symbol, so that files come out nearly
/// as small as with a code of their own.
fn tuned_code(lines: &Lines, version: Version, margins: &Margins, places: &[Vec<Group>; 3]) -> Code {
    let once = WINDOWS as u64;
    let mut always = Frequencies::new(once);
    always.add(&margins.top, once);
    always.add(&margins.gap, once * (version.size() as u64 - 1));
    always.add(&margins.bottom, once);

    let mut frequencies = always.clone();
    for group in places.iter().flatten() {
        frequencies.add_literals(&group.bytes[group.start..], group.weight);
    }
    for _ in 0..ROUNDS {
        let mut parser = Parser::new(&Code::new(&frequencies), lines, Unused::Allowed);
        frequencies = always.clone();
        for group in places.iter().flatten() {
            frequencies.add(&parser.parse(&group.bytes, group.start), group.weight);
        }
    }
    Code::new(&frequencies)
}
