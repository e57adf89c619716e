//! A logo on the modules that are cleared for it, as the bytes of the scan lines that it takes from the symbol.
//!
//! The bytes that hold only cleared pixels are the *box*. They are the same in every symbol's picture, and become tokens of
//! the template. They copy nothing from outside of the box, and nothing outside of it copies them.

use std::ops::Range;

use qrpress_logo::LogoPicture;

use super::deflate::adler32::LineSums;
use super::deflate::optimal_parse::{MatchTable, OptimalParser, Unused};
use super::deflate::{Code, Token};
use super::palette::Palette;
use super::scanline::ScanlineLayout;
use crate::LogoPlacement;

/// The box of a logo.
#[derive(Clone, Debug)]
pub(crate) struct LogoBox {
    /// The cleared pixels of a line.
    pub(crate) columns: Range<usize>,
    /// The symbol's rows that are cleared.
    pub(crate) rows: Range<usize>,
    /// The box's bytes in a line, from that after the filter type.
    pub(crate) bytes: Range<usize>,
    /// The bytes of the box, line by line.
    packed: Vec<u8>,
}

impl LogoBox {
    /// The box of a logo by entries of `palette`. It must fit.
    pub(crate) fn new(
        placement: &LogoPlacement,
        picture: &LogoPicture,
        palette: &Palette,
        layout: &ScanlineLayout,
    ) -> Self {
        let LogoPlacement { logo, cleared, .. } = *placement;
        let bits = palette.bits_per_pixel;
        let bytes = placement.cleared_bytes(bits);
        let (left, top) = (logo.x as usize - bytes.start * 8 / bits, (logo.y - cleared.y) as usize);
        let rows = placement.rows.clone();
        let mut packed = vec![0; bytes.len() * rows.len() * layout.pixels_per_module];
        let logo_lines = packed.chunks_exact_mut(bytes.len()).skip(top);
        for (packed, indices) in logo_lines.zip(picture.indices.chunks_exact(logo.width as usize)) {
            for (x, &index) in (left..).zip(indices) {
                packed[x * bits / 8] |= index << (8 - bits - x * bits % 8);
            }
        }
        let columns = cleared.x as usize..(cleared.x + cleared.width) as usize;
        Self { columns, rows, bytes, packed }
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
        for line in self.packed.chunks_exact(width) {
            table.set_row(line, above);
            parser.parse(&table, [line].into_iter(), |_, tokens| lines.push(tokens.to_vec()));
            above = Some(line);
        }
        lines
    }
}
