//! The bytes of a group of eight modules in a row's first scan line.

use qrpress_symbol::Version;

use super::adler::LineSums;
use super::lines::Lines;
use super::palette::Palette;
use crate::windows::WINDOWS;

/// The bytes of a group that one table codes, in a place of the row.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    /// The bytes, counted from the group's first.
    start: usize,
    end: usize,
    /// How many bytes before `start` are known, those of the module or margin before the group included.
    known: usize,
    /// Bytes of the line from the group's end, where the group is the last but one or the last.
    after: usize,
    /// The bits of a window that tell the bytes.
    telling: usize,
    /// How many a symbol has.
    count: usize,
}

impl Slot {
    /// A row's first group.
    pub(super) fn first(lines: &Lines, version: Version) -> Self {
        let start = lines.first_group_skips();
        Self {
            start,
            end: lines.group_bytes,
            known: lines.left.min(lines.group_bytes),
            after: lines.right + lines.last_group_bytes(),
            telling: WINDOWS - (2 << lines.first_column),
            count: version.size(),
        }
    }

    /// Any of the groups between.
    pub(super) fn middle(lines: &Lines, version: Version) -> Self {
        Self {
            start: 0,
            end: lines.group_bytes,
            known: lines.group_bytes / 8,
            after: lines.right + lines.last_group_bytes(),
            telling: WINDOWS - 1,
            count: version.size() * (lines.groups - 2),
        }
    }

    /// A row's last group.
    pub(super) fn last(lines: &Lines, version: Version) -> Self {
        let modules = lines.first_column as usize + version.size() - 8 * (lines.groups - 1);
        Self {
            start: 0,
            end: lines.last_group_bytes(),
            known: lines.group_bytes / 8,
            after: lines.right,
            telling: (2 << modules) - 1,
            count: version.size(),
        }
    }

    /// The groups that can occur there.
    pub(super) fn groups(&self, lines: &Lines, palette: &Palette) -> Vec<Group> {
        let colours = [palette.background_byte(), palette.foreground_byte()];
        let telling_windows = 1 << self.telling.count_ones();
        let weight = (self.count * WINDOWS / telling_windows) as u64;
        (0..WINDOWS)
            .filter(|window| window & !self.telling == 0)
            .map(|window| {
                let pixels = WindowPixels { lines, window, colours };
                let mut bytes = vec![colours[window & 1]; self.known.saturating_sub(self.start)];
                let first = self.start.saturating_sub(self.known);
                bytes.extend((first..self.end).map(|at| pixels.byte(at)));
                let data = LineSums::of(&bytes[self.known..]);
                let sums = LineSums { weighted: data.weighted + data.plain * self.after as u64, ..data };
                Group { window, bytes, start: self.known, sums, weight }
            })
            .collect()
    }

    /// Where tokens may begin and end, counted from the first byte: around the modules' edges, since nothing changes
    /// between them.
    pub(super) fn stops(&self, lines: &Lines) -> Vec<usize> {
        let mut stops = vec![self.start, self.end];
        for module in 0..=8 {
            let edge_bits = module * lines.group_bytes;
            stops.extend([edge_bits / 8, edge_bits.div_ceil(8), edge_bits.div_ceil(8) + 1]);
        }
        stops.retain(|stop| (self.start..=self.end).contains(stop));
        stops.sort_unstable();
        stops.dedup();
        stops.iter().map(|stop| stop - self.start).collect()
    }
}

/// A group's data bytes, and bytes before them that are known.
pub(super) struct Group {
    pub(super) window: usize,
    pub(super) bytes: Vec<u8>,
    /// Where in `bytes` the data starts.
    pub(super) start: usize,
    /// The data's share in the sums of its line, but for the groups after it.
    pub(super) sums: LineSums,
    /// How often it occurs in a symbol of random modules, in 512ths.
    pub(super) weight: u64,
}

/// The pixels of a window's modules.
struct WindowPixels<'a> {
    lines: &'a Lines,
    window: usize,
    /// Bytes of light pixels, and of dark ones.
    colours: [u8; 2],
}

impl WindowPixels<'_> {
    /// The byte `at`, counted from the group's first.
    fn byte(&self, at: usize) -> u8 {
        // A module is as many bits of its line as a group is bytes.
        let colour = |bit: usize| self.colours[self.window >> (1 + bit / self.lines.group_bytes) & 1];
        let (first, last) = (colour(8 * at), colour(8 * at + 7));
        if first == last && self.lines.group_bytes >= 8 {
            return first;
        }
        (0..8).fold(0, |byte, bit| byte | colour(8 * at + bit) & 0x80 >> bit)
    }
}
