//! A logo on its plate, as the bytes of the scan lines that it takes from the code.
//!
//! The bytes that hold only pixels of the plate are the *box*. The same in every symbol's picture, they are tokens of
//! a plan; they copy nothing from outside of the box, and nothing outside of it copies them.

use std::ops::Range;

use super::adler::LineSums;
use super::deflate::{Code, LONGEST_MATCH, SHORTEST_MATCH, Token};
use super::lines::Lines;
use super::palette::Palette;
use super::parse::Unused;
use crate::{LogoPicture, LogoPlacement};

#[derive(Clone, Debug)]
pub(super) struct Plate {
    /// The plate's pixels in a line.
    pub(super) columns: Range<usize>,
    /// Its lines in the picture.
    pub(super) rows: Range<usize>,
    /// The box's bytes in a line, from that after the filter type.
    pub(super) bytes: Range<usize>,
    /// How many rows of modules it reaches into.
    pub(super) modules: usize,
    /// The bytes of the box, row by row.
    packed: Vec<u8>,
}

impl Plate {
    /// Whether all bytes with pixels of the code are without pixels of the logo, at that many bits per pixel.
    pub(super) fn fits(placement: &LogoPlacement, bits_per_pixel: usize) -> bool {
        let bytes = boxed(placement, bits_per_pixel);
        let pixels = 8 / bits_per_pixel;
        let (first, end) = (placement.logo.x as usize, (placement.logo.x + placement.logo.width) as usize);
        bytes.start * pixels <= first && end <= bytes.end * pixels
    }

    /// The plate of a logo by entries of `palette`. It must fit.
    pub(super) fn new(
        placement: &LogoPlacement,
        picture: &LogoPicture,
        palette: &Palette,
        lines: &Lines,
    ) -> Self {
        let LogoPlacement { logo, plate } = *placement;
        let bits = palette.bits_per_pixel;
        let bytes = boxed(placement, bits);
        let rows = plate.y as usize..(plate.y + plate.height) as usize;
        let (left, top) = (logo.x as usize - bytes.start * 8 / bits, (logo.y - plate.y) as usize);
        let mut packed = vec![0; bytes.len() * rows.len()];
        let logo_rows = packed.chunks_exact_mut(bytes.len()).skip(top);
        for (packed, indices) in logo_rows.zip(picture.indices.chunks_exact(logo.width as usize)) {
            for (x, &index) in (left..).zip(indices) {
                packed[x * bits / 8] |= index << (8 - bits - x * bits % 8);
            }
        }
        let scale = lines.pixels_per_module;
        let modules = rows.end.div_ceil(scale) - rows.start / scale;
        Self { columns: plate.x as usize..(plate.x + plate.width) as usize, rows, bytes, modules, packed }
    }

    /// The group in which the box begins, or which ends where it begins.
    pub(super) fn left_group(&self, lines: &Lines) -> usize {
        (self.bytes.start - 1 - lines.group_start(0)) / lines.group_bytes
    }

    /// The group in which the box ends, or which begins where it ends; the next if less than a module is left of the
    /// group, since a group is drawn as if the whole module before it were there.
    pub(super) fn right_group(&self, lines: &Lines) -> usize {
        let end_bits = self.columns.end * lines.bits_per_pixel;
        let group = (self.bytes.end - lines.group_start(0)) / lines.group_bytes;
        let module_start = lines.group_start(group + 1) - lines.group_bytes / 8;
        if group + 1 < lines.groups && end_bits > 8 * module_start { group + 1 } else { group }
    }

    /// The share in a line's sums of the box's bytes in `row`, 0 at its top.
    pub(super) fn sums(&self, row: usize, lines: &Lines) -> LineSums {
        let after = lines.stride - 1 - self.bytes.end;
        let sums = LineSums::of(self.row(row));
        LineSums { weighted: sums.weighted + sums.plain * after as u64, ..sums }
    }

    /// The bytes of the box, row by row.
    pub(super) fn packed(&self) -> &[u8] {
        &self.packed
    }

    fn row(&self, row: usize) -> &[u8] {
        &self.packed[row * self.bytes.len()..][..self.bytes.len()]
    }

    /// The tokens of each row under a given code, one after another.
    pub(super) fn parse(&self, code: &Code, unused: Unused, stride: usize) -> Vec<Vec<Token>> {
        let (unused_length, unused_distance) = unused.costs();
        let distance = stride as u16;
        let parser = RowParser {
            literals: (0..=255).map(|byte| code.literal_cost(byte).max(1)).collect(),
            lengths: (0..=LONGEST_MATCH.min(self.bytes.len()))
                .map(|length| code.length_cost(length.max(SHORTEST_MATCH) as u16, unused_length))
                .collect(),
            left: code.distance_cost(1, unused_distance),
            above: code.distance_cost(distance, unused_distance),
            stride: distance,
        };
        (0..self.rows.len())
            .map(|row| parser.parse(self.row(row), row.checked_sub(1).map(|above| self.row(above))))
            .collect()
    }
}

/// The bytes without pixels of the code.
fn boxed(placement: &LogoPlacement, bits_per_pixel: usize) -> Range<usize> {
    let plate = placement.plate;
    let bits = |column: u32| column as usize * bits_per_pixel;
    bits(plate.x).div_ceil(8)..bits(plate.x + plate.width) / 8
}

/// Finds the cheapest tokens of a row of the box among literals, copies of the byte before, and of the row above.
struct RowParser {
    literals: Vec<u32>,
    /// By length, as far as the longest match.
    lengths: Vec<u32>,
    /// Bits of the distance to the byte before.
    left: u32,
    /// Bits of the distance to the row above.
    above: u32,
    stride: u16,
}

impl RowParser {
    /// Longer matches are only tried in full.
    const TRIED: usize = 8;

    fn parse(&self, row: &[u8], above: Option<&[u8]>) -> Vec<Token> {
        // By position.
        let mut cheapest = vec![Way::new(0, 0, 0); row.len() + 1];
        let (mut left_run, mut above_run) = (0, 0);
        for at in (0..row.len()).rev() {
            let byte = row[at];
            let repeats_left = at > 0 && row[at - 1] == byte;
            let repeats_above = above.is_some_and(|above| above[at] == byte);
            left_run = (left_run + 1) * usize::from(repeats_left);
            above_run = (above_run + 1) * usize::from(repeats_above);
            let rest = &cheapest[at..];
            let literal = Way::new(self.literals[usize::from(byte)] + rest[1].bits(), 0, 1);
            cheapest[at] = literal
                .min(self.cheapest_copy(1, self.left, left_run, rest))
                .min(self.cheapest_copy(self.stride, self.above, above_run, rest));
        }
        let mut tokens = Vec::new();
        let mut at = 0;
        while at < row.len() {
            let way = cheapest[at];
            tokens.push(match way.distance() {
                0 => Token::Literal(row[at]),
                distance => Token::Match { length: way.length(), distance },
            });
            at += usize::from(way.length());
        }
        tokens
    }

    /// The cheapest way that begins with a match of up to `run` bytes at a distance of `cost` bits; `rest` are the ways
    /// from there on.
    #[inline]
    fn cheapest_copy(&self, distance: u16, cost: u32, run: usize, rest: &[Way]) -> Way {
        let mut best = Way(u64::MAX);
        if run < SHORTEST_MATCH {
            return best;
        }
        let longest = run.min(LONGEST_MATCH);
        let of_length = |length: usize| {
            Way::new(cost + self.lengths[length] + rest[length].bits(), distance, length as u16)
        };
        for length in SHORTEST_MATCH..=longest.min(Self::TRIED) {
            best = best.min(of_length(length));
        }
        if longest > Self::TRIED {
            best = best.min(of_length(longest));
        }
        best
    }
}

/// The cheapest way from a byte of a row to the row's end, and its first token.
///
/// In one number, so that the lesser is the better: the bits to the end; the token's distance, 0 for a literal; its
/// length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Way(u64);

impl Way {
    fn new(bits: u32, distance: u16, length: u16) -> Self {
        Self(u64::from(bits) << 32 | u64::from(distance) << 16 | u64::from(length))
    }

    fn bits(self) -> u32 {
        (self.0 >> 32) as u32
    }

    fn distance(self) -> u16 {
        (self.0 >> 16) as u16
    }

    fn length(self) -> u16 {
        self.0 as u16
    }
}
