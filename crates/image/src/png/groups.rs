//! The bytes of a group of eight modules in a row's first scan line.

use std::ops::Range;

use qrpress_symbol::Version;

use super::adler::LineSums;
use super::lines::Lines;
use super::palette::Palette;
use super::plate::Plate;
use crate::windows::WINDOWS;

/// The modules of a window.
const MODULES: usize = WINDOWS.ilog2() as usize;

/// The bytes that one table codes, in a place of the row: those of a group, or of a part of it, or of a group and the
/// end of the module before it.
///
/// Positions are counted from the start of the group before.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    /// The bytes.
    start: usize,
    end: usize,
    /// How many bytes before `start` are known: of the module or the margin before.
    known: usize,
    /// Bytes of the line after `end`; where groups follow, they are counted as if only the last did.
    after: usize,
    /// The bits that show modules; others are background.
    shown: Range<usize>,
    /// The bits of a window that tell the bytes.
    telling: usize,
    /// How many a symbol has.
    count: usize,
}

impl Slot {
    /// A row's first group.
    pub(super) fn first(lines: &Lines, version: Version) -> Self {
        Self {
            start: lines.group_bytes + lines.first_group_skips(),
            known: lines.left.min(lines.group_bytes),
            telling: WINDOWS - (2 << lines.first_column),
            count: version.size(),
            ..Self::middle(lines, version)
        }
    }

    /// Any of the groups between.
    pub(super) fn middle(lines: &Lines, version: Version) -> Self {
        Self {
            start: lines.group_bytes,
            end: 2 * lines.group_bytes,
            known: lines.group_bytes / 8,
            after: lines.right + lines.last_group_bytes(),
            shown: 0..16 * lines.group_bytes,
            telling: WINDOWS - 1,
            count: version.size() * (lines.groups - 2),
        }
    }

    /// A row's last group.
    pub(super) fn last(lines: &Lines, version: Version) -> Self {
        let modules = lines.first_column as usize + version.size() - 8 * (lines.groups - 1);
        Self {
            end: lines.group_bytes + lines.last_group_bytes(),
            after: lines.right,
            telling: (2 << modules) - 1,
            count: version.size(),
            ..Self::middle(lines, version)
        }
    }

    /// What is left of the box in the group in which it begins.
    pub(super) fn left_of(plate: &Plate, lines: &Lines, version: Version) -> Self {
        let group = plate.left_group(lines);
        let whole = Self::of_group(group, lines, version);
        let origin = lines.group_start(group);
        let end = lines.group_bytes + plate.bytes.start - origin;
        let shown = 8 * lines.group_bytes + plate.columns.start * lines.bits_per_pixel - 8 * origin;
        let modules = shown.div_ceil(lines.group_bytes) - 8;
        Self {
            after: whole.after + whole.end - end,
            end,
            shown: 0..shown,
            telling: whole.telling & ((2 << modules) - 1),
            count: plate.modules,
            ..whole
        }
    }

    /// What is right of the box, to the end of the group in which it ends, or of the next group. Nothing before it is
    /// known.
    pub(super) fn right_of(plate: &Plate, lines: &Lines, version: Version) -> Self {
        let group = plate.right_group(lines);
        let whole = Self::of_group(group, lines, version);
        let origin = lines.group_start(group);
        let shown = 8 * lines.group_bytes + plate.columns.end * lines.bits_per_pixel - 8 * origin;
        // Counted from the module before the group, whose bit is the first.
        let module = shown / lines.group_bytes - 7;
        Self {
            start: lines.group_bytes + plate.bytes.end - origin,
            known: 0,
            shown: shown..16 * lines.group_bytes,
            telling: whole.telling & (WINDOWS - (1 << module)),
            count: plate.modules,
            ..whole
        }
    }

    fn of_group(group: usize, lines: &Lines, version: Version) -> Self {
        if group == 0 {
            Self::first(lines, version)
        } else if group == lines.groups - 1 {
            Self::last(lines, version)
        } else {
            Self::middle(lines, version)
        }
    }

    /// The groups that can occur there.
    fn groups(&self, lines: &Lines, palette: &Palette) -> Vec<Group> {
        let light = palette.background_byte();
        let difference = light ^ palette.foreground_byte();
        let masks = self.masks(lines);
        let telling_windows = 1 << self.telling.count_ones();
        let weight = (self.count * WINDOWS / telling_windows) as u64;
        // Those that begin alike are neighbours: what a parser finds for one serves the next.
        (0..WINDOWS)
            .map(|reversed| reversed.reverse_bits() >> (usize::BITS - WINDOWS.ilog2()))
            .filter(|window| window & !self.telling == 0)
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

    /// For each module of a window, the bits of a group's bytes that show it.
    fn masks(&self, lines: &Lines) -> [Vec<u8>; MODULES] {
        std::array::from_fn(|place| {
            // A module is as many bits of its line as a group is bytes, and eight modules lie before the group.
            let start = if place == 0 { 0 } else { (place + 7) * lines.group_bytes };
            let end = (place + 8) * lines.group_bytes;
            let shown = start.max(self.shown.start)..end.min(self.shown.end);
            let mask = |at: usize| {
                (0..8).fold(0, |mask, bit| mask | u8::from(shown.contains(&(8 * at + bit))) << (7 - bit))
            };
            (self.start - self.known..self.end).map(mask).collect()
        })
    }

    /// Where tokens may begin and end, counted from the first byte: around the modules' edges, since nothing changes
    /// between them.
    fn stops(&self, lines: &Lines) -> Vec<usize> {
        let mut stops = vec![self.start, self.end];
        let edges = (7..=16).map(|module| module * lines.group_bytes);
        for edge_bits in edges.chain([self.shown.start, self.shown.end]) {
            stops.extend([edge_bits / 8, edge_bits.div_ceil(8), edge_bits.div_ceil(8) + 1]);
        }
        stops.retain(|stop| (self.start..=self.end).contains(stop));
        stops.sort_unstable();
        stops.dedup();
        stops.iter().map(|stop| stop - self.start).collect()
    }
}

/// A slot's groups, and what any parser of them needs.
pub(super) struct Slotted {
    pub(super) groups: Vec<Group>,
    /// As [`Slot::stops`].
    pub(super) stops: Vec<usize>,
    /// For each group, its first stop that is not reached as in the group before, 1 or more.
    pub(super) first_new: Vec<usize>,
    /// For each group, by stop from the first new one on: from how many stops before it a match may lead there.
    pub(super) starts: Vec<usize>,
    /// For each of these stops, the nearest first: the [distances](Lines::distances) of such matches, as a set of bits.
    pub(super) matching: Vec<u16>,
    /// The bits of a window that tell the bytes: windows that agree in them have the same group.
    pub(super) telling: usize,
}

impl Slotted {
    pub(super) fn new(slot: &Slot, lines: &Lines, palette: &Palette) -> Self {
        let (groups, stops, distances) = (slot.groups(lines, palette), slot.stops(lines), lines.distances());
        let (mut first_new, mut starts) = (Vec::with_capacity(groups.len()), Vec::new());
        let mut matching: Vec<u16> = Vec::new();
        // Of the latest group, by stop: its part of `matching`.
        let mut latest = vec![0..0; stops.len()];
        let mut previous: &[u8] = &[];
        for group in &groups {
            let first = group.first_new_stop(previous, &stops);
            for to in first..stops.len() {
                let span = stops[to - 1]..stops[to];
                let repeating = (0..)
                    .zip(&distances)
                    .filter(|&(_, &distance)| group.repeats(&span, distance.into()))
                    .fold(0, |set, (place, _)| set | 1 << place);
                let start = matching.len();
                if repeating != 0 {
                    matching.push(repeating);
                    // What matches up to the stop before goes on where the span repeats too.
                    for index in latest[to - 1].clone() {
                        let both = matching[index] & repeating;
                        if both == 0 {
                            break;
                        }
                        matching.push(both);
                    }
                }
                latest[to] = start..matching.len();
                starts.push(latest[to].len());
            }
            first_new.push(first);
            previous = &group.bytes;
        }
        Self { groups, stops, first_new, starts, matching, telling: slot.telling }
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

impl Group {
    /// The first stop, 1 or more, before which it differs from the bytes of a `previous` group.
    fn first_new_stop(&self, previous: &[u8], stops: &[usize]) -> usize {
        let same = self.bytes.iter().zip(previous).take_while(|(byte, other)| byte == other).count();
        stops.iter().skip(1).take_while(|&stop| self.start + stop <= same).count() + 1
    }

    /// Whether a span of the data equals the bytes so far before it.
    fn repeats(&self, span: &Range<usize>, distance: usize) -> bool {
        let (from, end) = (self.start + span.start, self.start + span.end);
        from >= distance
            // Most often the first byte tells.
            && self.bytes[from] == self.bytes[from - distance]
            && self.bytes[from..end] == self.bytes[from - distance..end - distance]
    }
}
