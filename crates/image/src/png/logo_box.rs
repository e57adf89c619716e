//! A logo on the modules that are cleared for it, as the bytes of the scan lines that it takes from the symbol.
//!
//! The bytes that hold only cleared pixels are a *box*, one for all rows with the same cleared columns. They are the same in
//! every symbol's picture, and become tokens of the template. They copy nothing from outside of the box, and nothing outside
//! of it copies them.

use std::ops::Range;

use qrpress_logo::LogoPicture;

use super::deflate::adler32::LineSums;
use super::deflate::optimal_parse::{MatchTable, OptimalParser, Unused};
use super::deflate::{Code, Token};
use super::scanline::ScanlineLayout;
use crate::LogoPlacement;

/// The box of a logo in the rows that have the same cleared columns.
#[derive(Clone, Debug)]
pub(crate) struct LogoBox {
    /// The cleared pixels of a line.
    pub(crate) columns: Range<usize>,
    /// The symbol's rows with these, ascending.
    pub(crate) rows: Vec<usize>,
    /// The box's bytes in a line, from that after the filter type.
    pub(crate) bytes: Range<usize>,
    /// The bytes of the box, line by line.
    packed: Vec<u8>,
}

impl LogoBox {
    /// The boxes of a logo. The layout's bits per pixel must [suit](Self::suits) it.
    pub(crate) fn all(
        placement: &LogoPlacement,
        picture: &LogoPicture,
        layout: &ScanlineLayout,
    ) -> Vec<Self> {
        let mut boxes: Vec<Self> = Vec::new();
        for row in placement.rows() {
            let columns = placement.pixels(&placement.columns(row));
            let place = boxes.iter().position(|other| other.columns == columns).unwrap_or_else(|| {
                let bytes = whole_bytes(&columns, layout.bits_per_pixel);
                boxes.push(Self { columns, rows: Vec::new(), bytes, packed: Vec::new() });
                boxes.len() - 1
            });
            boxes[place].add_row(row, placement, picture, layout);
        }
        boxes
    }

    fn add_row(
        &mut self,
        row: usize,
        placement: &LogoPlacement,
        picture: &LogoPicture,
        layout: &ScanlineLayout,
    ) {
        let bits = layout.bits_per_pixel;
        self.rows.push(row);
        let first_pixel = self.bytes.start * 8 / bits;
        for line in layout.row_lines(row) {
            let start = self.packed.len();
            self.packed.resize(start + self.bytes.len(), 0);
            for (column, index) in shown_pixels(placement, picture, &self.columns, line) {
                let bit = (column - first_pixel) * bits;
                self.packed[start + bit / 8] |= index << (8 - bits - bit % 8);
            }
        }
    }

    /// Returns true if no byte of that layout holds both a pixel of the logo and one of a module that is not cleared.
    pub(crate) fn suits(placement: &LogoPlacement, picture: &LogoPicture, layout: &ScanlineLayout) -> bool {
        let bits = layout.bits_per_pixel;
        placement.rows().all(|row| {
            let columns = placement.pixels(&placement.columns(row));
            let bytes = whole_bytes(&columns, bits);
            let pixels = bytes.start * 8 / bits..bytes.end * 8 / bits;
            !bytes.is_empty()
                && layout.row_lines(row).all(|line| {
                    shown_pixels(placement, picture, &columns, line)
                        .all(|(column, _)| pixels.contains(&column))
                })
        })
    }

    /// The group in which the box begins, or which ends where it begins.
    pub(crate) fn left_group(&self, layout: &ScanlineLayout) -> usize {
        (self.bytes.start - 1 - layout.group_start(0)) / layout.group_bytes
    }

    /// The group in which the box ends, or which begins where it ends; the next if less than a module is left of the
    /// group, since a group is drawn as if the whole module before it were there.
    pub(crate) fn right_group(&self, layout: &ScanlineLayout) -> usize {
        let end_bits = self.columns.end * layout.bits_per_pixel;
        let group = (self.bytes.end - layout.group_start(0)) / layout.group_bytes;
        let module_start = layout.group_start(group + 1) - layout.group_bytes / 8;
        if group + 1 < layout.groups && end_bits > 8 * module_start { group + 1 } else { group }
    }

    /// The share in a scan line's sums of a line of the box, 0 at its top.
    pub(crate) fn sums(&self, line: usize, layout: &ScanlineLayout) -> LineSums {
        let after = layout.stride - 1 - self.bytes.end;
        let sums = LineSums::of(&self.packed[line * self.bytes.len()..][..self.bytes.len()]);
        LineSums { weighted: sums.weighted + sums.plain * after as u64, ..sums }
    }

    /// The bytes of the box, line by line.
    pub(crate) fn packed(&self) -> &[u8] {
        &self.packed
    }

    /// The tokens of each line of the box under a given code: literals, copies of the byte before, and of the line above.
    pub(crate) fn parse(&self, code: &Code, unused: Unused, stride: usize) -> Vec<Vec<Token>> {
        let width = self.bytes.len();
        let mut parser = OptimalParser::new(code, &[1, stride as u16], width, unused);
        let mut table = MatchTable::default();
        let (mut lines, mut above) = (Vec::with_capacity(self.packed.len() / width), None);
        let lines_of_row = self.packed.len() / width / self.rows.len();
        for (number, line) in self.packed.chunks_exact(width).enumerate() {
            let row = number / lines_of_row;
            if number % lines_of_row == 0 && row > 0 && self.rows[row - 1] + 1 < self.rows[row] {
                above = None;
            }
            table.set_row(line, above);
            parser.parse(&table, [line].into_iter(), |_, tokens| lines.push(tokens.to_vec()));
            above = Some(line);
        }
        lines
    }
}

/// The bytes of a scan line that hold these pixels alone, counted from the first pixel's.
fn whole_bytes(pixels: &Range<usize>, bits_per_pixel: usize) -> Range<usize> {
    (pixels.start * bits_per_pixel).div_ceil(8)..pixels.end * bits_per_pixel / 8
}

/// The logo's pixels that are not background, of some columns of a line: their columns in the picture and their entries.
fn shown_pixels<'a>(
    placement: &LogoPlacement,
    picture: &'a LogoPicture,
    columns: &Range<usize>,
    line: usize,
) -> impl Iterator<Item = (usize, u8)> + 'a {
    let (left, width) = (placement.logo.x as usize, picture.width_px as usize);
    let row = line.checked_sub(placement.logo.y as usize).unwrap_or(usize::MAX);
    let indices = picture.indices.chunks_exact(width).nth(row).unwrap_or_default();
    let columns = columns.clone();
    (left..)
        .zip(indices)
        .filter(move |&(column, &index)| index > 0 && columns.contains(&column))
        .map(|(column, &index)| (column, index))
}
