//! The bytes of a group of eight modules in a row's first scan line, for each window.
//!
//! A group has as many bytes as a module has bits, so it begins and ends with whole bytes, whatever the scale. Its bytes show
//! its own modules alone; the module before it counts because matches may copy from there.

use std::ops::Range;

use qrpress_symbol::Version;

use super::deflate::Token;
use super::deflate::adler32::LineSums;
use super::deflate::optimal_parse::{MatchTable, OptimalParser};
use super::logo_box::LogoBox;
use super::palette::Palette;
use super::scanline::ScanlineLayout;
use crate::windows::WINDOWS;

/// The modules of a window.
const MODULES: usize = WINDOWS.ilog2() as usize;
/// Modules between position 0, the start of the group before, and the module before the group, which is bit 0 of a window.
const MODULES_BEFORE_WINDOW: usize = 7;

/// A part of a scan line that one `GroupTable` codes: a group, or what a logo's box leaves of it, or a group and the end of
/// the module before it.
///
/// Positions are counted from the start of the group before:
///
/// ```text
///          group before          |  group
/// 0             start - known    start                 end
/// |             |  known bytes   |  bytes of the span  |  after …  end of the line
/// ```
///
/// A box of a logo on modules 11 to 16, at scale 10 with a quiet zone of four modules and one bit per pixel. A group has 10
/// bytes. The box begins in group 1 and ends in group 2:
///
/// ```text
/// module of the symbol        … 3 | 4 … 10   11 |              12 … 16   17 … 19 |
/// bit of the group's window     0   1 … 7    8                 1 … 5     6 … 8
///
/// left of the box                                right of the box
/// position, in bits    80      150 = shown.end   position, in bits   130 = shown.start   160
/// position, in bytes   10      19 = end          position, in bytes   16 = start          20
/// significant bits     0 to 7                    significant bits     6 to 8
/// ```
///
/// Byte 18 on the left has pixels of modules 9 and 10 alone, byte 19 is the first with nothing but cleared pixels. Byte 16 on
/// the right has two cleared pixels, and then module 17.
#[derive(Clone, Debug)]
pub(crate) struct GroupSpan {
    /// The first byte of the span.
    start: usize,
    /// The end of the span.
    end: usize,
    /// The number of bytes before `start` that are known: of the module or the margin before.
    known: usize,
    /// Bytes of the line after `end`. Last group and right margin only; `RowTally` adds the groups between.
    after: usize,
    /// The bits of the line that show modules. Other bits show background.
    shown: Range<usize>,
    /// The bits of a window that the bytes depend on. A row's first group may have modules of the margin, and its last
    /// group places without a module; their bits are 0 here.
    significant: usize,
    /// The number of such spans in a symbol.
    count: usize,
}

impl GroupSpan {
    /// A row's first group.
    pub(crate) fn first(layout: &ScanlineLayout, version: Version) -> Self {
        Self {
            start: layout.group_bytes + layout.first_group_skips(),
            known: layout.left.min(layout.group_bytes),
            significant: WINDOWS - (2 << layout.first_column),
            count: version.size(),
            ..Self::middle(layout, version)
        }
    }

    /// Any of the groups between.
    pub(crate) fn middle(layout: &ScanlineLayout, version: Version) -> Self {
        Self {
            start: layout.group_bytes,
            end: 2 * layout.group_bytes,
            known: layout.group_bytes / 8,
            after: layout.right + layout.last_group_bytes(),
            shown: 0..16 * layout.group_bytes,
            significant: WINDOWS - 1,
            count: version.size() * (layout.groups - 2),
        }
    }

    /// A row's last group.
    pub(crate) fn last(layout: &ScanlineLayout, version: Version) -> Self {
        let modules = layout.first_column as usize + version.size() - 8 * (layout.groups - 1);
        Self {
            end: layout.group_bytes + layout.last_group_bytes(),
            after: layout.right,
            significant: (2 << modules) - 1,
            count: version.size(),
            ..Self::middle(layout, version)
        }
    }

    /// The part left of the box in the group in which it begins.
    pub(crate) fn left_of(logo: &LogoBox, layout: &ScanlineLayout, version: Version) -> Self {
        let group = logo.left_group(layout);
        let whole = Self::of_group(group, layout, version);
        let origin = layout.group_start(group);
        let end = layout.group_bytes + logo.bytes.start - origin;
        let shown = 8 * layout.group_bytes + logo.columns.start * layout.bits_per_pixel - 8 * origin;
        let first_cleared = shown.div_ceil(layout.group_bytes) - MODULES_BEFORE_WINDOW;
        Self {
            after: whole.after + whole.end - end,
            end,
            shown: 0..shown,
            significant: whole.significant & ((1 << first_cleared) - 1),
            count: logo.rows.len(),
            ..whole
        }
    }

    /// The part right of the box, to the end of the group in which it ends, or of the next group. Nothing before it is
    /// known.
    pub(crate) fn right_of(logo: &LogoBox, layout: &ScanlineLayout, version: Version) -> Self {
        let group = logo.right_group(layout);
        let whole = Self::of_group(group, layout, version);
        let origin = layout.group_start(group);
        let shown = 8 * layout.group_bytes + logo.columns.end * layout.bits_per_pixel - 8 * origin;
        let first_shown = shown / layout.group_bytes - MODULES_BEFORE_WINDOW;
        Self {
            start: layout.group_bytes + logo.bytes.end - origin,
            known: 0,
            shown: shown..16 * layout.group_bytes,
            significant: whole.significant & (WINDOWS - (1 << first_shown)),
            count: logo.rows.len(),
            ..whole
        }
    }

    fn of_group(group: usize, layout: &ScanlineLayout, version: Version) -> Self {
        if group == 0 {
            Self::first(layout, version)
        } else if group == layout.groups - 1 {
            Self::last(layout, version)
        } else {
            Self::middle(layout, version)
        }
    }

    /// The groups that can occur in the span.
    fn groups(&self, layout: &ScanlineLayout, palette: &Palette) -> Vec<Group> {
        let light = palette.background_byte();
        let difference = light ^ palette.foreground_byte();
        let masks = self.masks(layout);
        let kinds = 1 << self.significant.count_ones();
        let weight = (self.count * WINDOWS / kinds) as u64;
        // Those that begin alike are neighbours: what a parser finds for one serves the next.
        (0..WINDOWS)
            .map(|reversed| reversed.reverse_bits() >> (usize::BITS - WINDOWS.ilog2()))
            .filter(|window| window & !self.significant == 0)
            .map(|window| {
                let mut bytes = vec![light; self.known + self.end - self.start];
                for place in (0..MODULES).filter(|place| window >> place & 1 == 1) {
                    for (byte, bits) in bytes.iter_mut().zip(&masks[place]) {
                        *byte ^= difference & bits;
                    }
                }
                let data = LineSums::of(&bytes[self.known..]);
                let sums = LineSums { weighted: data.weighted + data.plain * self.after as u64, ..data };
                Group { window, bytes, start: self.known, sums, weight }
            })
            .collect()
    }

    /// The bits of a group's bytes that show each module of a window.
    fn masks(&self, layout: &ScanlineLayout) -> [Vec<u8>; MODULES] {
        std::array::from_fn(|place| {
            // A module is as many bits of its line as a group is bytes, and eight modules lie before the group.
            let start = if place == 0 { 0 } else { (MODULES_BEFORE_WINDOW + place) * layout.group_bytes };
            let end = (MODULES_BEFORE_WINDOW + place + 1) * layout.group_bytes;
            let shown = start.max(self.shown.start)..end.min(self.shown.end);
            let mask = |at: usize| {
                (0..8).fold(0, |mask, bit| mask | u8::from(shown.contains(&(8 * at + bit))) << (7 - bit))
            };
            (self.start - self.known..self.end).map(mask).collect()
        })
    }

    /// The places at which tokens may begin and end, counted from the first byte: around the modules' edges, since
    /// nothing changes between them.
    fn stops(&self, layout: &ScanlineLayout) -> Vec<usize> {
        let mut stops = vec![self.start, self.end];
        let edges = (MODULES_BEFORE_WINDOW..=16).map(|module| module * layout.group_bytes);
        for edge_bits in edges.chain([self.shown.start, self.shown.end]) {
            stops.extend([edge_bits / 8, edge_bits.div_ceil(8), edge_bits.div_ceil(8) + 1]);
        }
        stops.retain(|stop| (self.start..=self.end).contains(stop));
        stops.sort_unstable();
        stops.dedup();
        stops.iter().map(|stop| stop - self.start).collect()
    }
}

/// The groups that can occur in a span, and the matches that they allow.
pub(crate) struct GroupSet {
    pub(crate) groups: Vec<Group>,
    pub(crate) matches: MatchTable,
    /// The bits of a window that the bytes depend on: windows that agree in them have the same group.
    pub(crate) significant: usize,
}

impl GroupSet {
    pub(crate) fn new(span: &GroupSpan, layout: &ScanlineLayout, palette: &Palette) -> Self {
        let groups = span.groups(layout, palette);
        let strings = groups.iter().map(|group| &group.bytes[..]);
        let matches = MatchTable::of_strings(strings, span.known, span.stops(layout), &layout.distances());
        Self { groups, matches, significant: span.significant }
    }

    /// Calls `each` with every group and its tokens.
    pub(crate) fn parse(&self, parser: &mut OptimalParser, mut each: impl FnMut(&Group, &[Token])) {
        let data = self.groups.iter().map(|group| &group.bytes[group.start..]);
        parser.parse(&self.matches, data, |number, tokens| each(&self.groups[number], tokens));
    }
}

/// A group's data bytes, and bytes before them that are known.
#[derive(Clone)]
pub(crate) struct Group {
    pub(crate) window: usize,
    pub(crate) bytes: Vec<u8>,
    /// The start of the data in `bytes`.
    pub(crate) start: usize,
    /// The data's share in the sums of its line, but for the groups after it.
    pub(crate) sums: LineSums,
    /// The number of times that it occurs in a symbol of random modules, in 512ths.
    pub(crate) weight: u64,
}
