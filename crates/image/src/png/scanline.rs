//! The places of things in the scan lines of a style and version.

use std::ops::Range;

use qrpress_symbol::Version;

use super::deflate::Code;
use super::deflate::adler32::LineWeight;
use super::deflate::optimal_parse::{OptimalParser, Unused};
use crate::{Style, image_side_px};

/// Byte positions in a filtered scan line. Data bytes are those that hold a pixel of the symbol; they may hold pixels of the
/// margin too. Version 1 at scale 10 with a quiet zone of four modules, one bit per pixel:
///
/// ```text
/// byte    0            1 to 5       6 to 32                                33 to 37
///         filter type  left margin  data                                   right margin
///                                   group 0  group 1   group 2   group 3
/// bytes                             5        10        10        2
/// ```
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScanlineLayout {
    pub(crate) pixels_per_module: usize,
    /// 1, 2, 4 or 8.
    pub(crate) bits_per_pixel: usize,
    /// Bytes of a line with its filter type, 4 to 8,361: also the distance of a repeated line.
    pub(crate) stride: usize,
    /// Lines of the code, without a caption's.
    pub(crate) lines: usize,
    /// Lines of the top margin, and of the bottom margin.
    pub(crate) margin_height: usize,
    /// Whole bytes of left margin.
    pub(crate) left: usize,
    /// Data bytes.
    pub(crate) data: usize,
    /// Whole bytes of right margin.
    pub(crate) right: usize,
    /// Modules of left margin that share the first group with modules of the symbol, 0 to 7.
    pub(crate) first_column: u32,
    /// Groups of eight modules that hold a module of the symbol, 3 to 23.
    pub(crate) groups: usize,
    /// Bytes of a group, 1 to 320: as many as a module has bits.
    pub(crate) group_bytes: usize,
}

impl ScanlineLayout {
    pub(crate) fn new(style: &Style, version: Version, bits_per_pixel: usize) -> Self {
        let scale = style.pixels_per_module as usize;
        let margin = style.quiet_zone_modules as usize;
        let module_bits = scale * bits_per_pixel;
        let bytes = (image_side_px(style, version) as usize * bits_per_pixel).div_ceil(8);
        let left = margin * module_bits / 8;
        let data_end = ((margin + version.size()) * module_bits).div_ceil(8);
        Self {
            pixels_per_module: scale,
            bits_per_pixel,
            stride: 1 + bytes,
            lines: image_side_px(style, version) as usize,
            margin_height: margin * scale,
            left,
            data: data_end - left,
            right: bytes - data_end,
            first_column: margin as u32 % 8,
            groups: (margin % 8 + version.size()).div_ceil(8),
            group_bytes: module_bits,
        }
    }

    /// The distances at which the data of a group may be found again: a module's inside repeats from byte to byte, modules
    /// at distances of whole modules in whole bytes. At most nine, since no more than eight of the latter reach through a
    /// group.
    pub(crate) fn distances(&self) -> Vec<u16> {
        let period = self.group_bytes >> self.group_bytes.trailing_zeros().min(3);
        (1..=self.group_bytes)
            .filter(|distance| *distance == 1 || distance % period == 0)
            .map(|distance| distance as u16)
            .collect()
    }

    /// The scan lines of a module row.
    pub(crate) fn row_lines(&self, row: usize) -> Range<usize> {
        let first = self.margin_height + row * self.pixels_per_module;
        first..first + self.pixels_per_module
    }

    /// The weight of the lines of a module row in the picture's checksum.
    pub(crate) fn row_weight(&self, row: usize) -> LineWeight {
        LineWeight::of(self.row_lines(row), self.stride, self.lines)
    }

    /// A parser of groups.
    pub(crate) fn parser(&self, code: &Code, unused: Unused) -> OptimalParser {
        // A group may follow the end of the module before it.
        OptimalParser::new(code, &self.distances(), 2 * self.group_bytes, unused)
    }

    /// Bytes of left margin that fill up the first group, not among the data bytes.
    pub(crate) fn first_group_skips(&self) -> usize {
        self.first_column as usize * self.group_bytes / 8
    }

    /// The start of group `group`, counted from the byte after the filter type; the first group from where it would begin
    /// with all of its modules.
    pub(crate) fn group_start(&self, group: usize) -> usize {
        self.left - self.first_group_skips() + group * self.group_bytes
    }

    /// Data bytes of the first group.
    pub(crate) fn first_group_bytes(&self) -> usize {
        self.group_bytes - self.first_group_skips()
    }

    /// Data bytes of the last group.
    pub(crate) fn last_group_bytes(&self) -> usize {
        self.first_group_skips() + self.data - (self.groups - 1) * self.group_bytes
    }
}
