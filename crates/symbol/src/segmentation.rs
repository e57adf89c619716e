//! Splits data into segments so that the symbol is as small as can be.
//!
//! Data stays in one segment unless several would make a smaller version, whatever bits they might save.

use crate::capacity::{data_capacity_bits, smallest_in_range};
use crate::mode::{Mode, VersionRange};
use crate::{DataSegment, DataTooLong, ErrorCorrectionLevel, Version};

/// The smallest version that holds the data at that level.
///
/// # Errors
/// When none does.
pub fn smallest_version(data: &[u8], level: ErrorCorrectionLevel) -> Result<Version, DataTooLong> {
    choose(data, level).map(|choice| choice.version)
}

/// A version and how the data is to be encoded in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    pub(crate) version: Version,
    /// The mode of the only segment; none when it takes several to fit the version.
    pub(crate) mode: Option<Mode>,
}

/// Chooses the smallest version, in a single segment where that will do.
///
/// # Errors
/// When no version holds the data.
pub(crate) fn choose(data: &[u8], level: ErrorCorrectionLevel) -> Result<Choice, DataTooLong> {
    let survey = Survey::of(data);
    let single = smallest_with(level, |versions| survey.mode.segment_bits(data.len(), versions));
    let single = single.map(|version| Choice { version, mode: Some(survey.mode) });
    let bound = smallest_with(level, |versions| survey.least_bits(versions));
    match (single, bound) {
        (Some(choice), Some(bound)) if bound == choice.version => return Ok(choice),
        (single, Some(_)) => {
            let mixed = smallest_with(level, |versions| mixed_bits(data, versions));
            match (single, mixed) {
                (Some(choice), Some(version)) if version == choice.version => return Ok(choice),
                (_, Some(version)) => return Ok(Choice { version, mode: None }),
                (_, None) => {}
            }
        }
        (_, None) => {}
    }
    let used_bits = mixed_bits(data, VersionRange::Large);
    Err(DataTooLong { used_bits, capacity_bits: data_capacity_bits(Version::MAX, level) })
}

/// The smallest version whose capacity is at least the bits that its range takes.
fn smallest_with(level: ErrorCorrectionLevel, bits: impl Fn(VersionRange) -> usize) -> Option<Version> {
    VersionRange::ALL.into_iter().find_map(|versions| smallest_in_range(versions, level, bits(versions)))
}

/// What one look at every character tells.
struct Survey {
    /// The densest mode that holds them all; byte mode for none.
    mode: Mode,
    /// The sum of what each takes in its own densest mode, in sixths of a bit.
    least_sixths: u64,
}

/// For each byte, the sixths of a bit that it takes in its densest mode, and above 2³² whether that is byte mode.
const SURVEY: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mode = if Mode::Numeric.holds(byte as u8) {
            Mode::Numeric
        } else if Mode::Alphanumeric.holds(byte as u8) {
            Mode::Alphanumeric
        } else {
            Mode::Byte
        };
        table[byte] = mode.character_sixths() as u64 | (matches!(mode, Mode::Byte) as u64) << 32;
        byte += 1;
    }
    table
};

impl Survey {
    fn of(data: &[u8]) -> Self {
        let sum: u64 = data.iter().map(|&byte| SURVEY[usize::from(byte)]).sum();
        let least_sixths = sum & u64::from(u32::MAX);
        let mode = if sum >> 32 != 0 || data.is_empty() {
            Mode::Byte
        } else if least_sixths == (Mode::Numeric.character_sixths() * data.len()) as u64 {
            Mode::Numeric
        } else {
            Mode::Alphanumeric
        };
        Self { mode, least_sixths }
    }

    /// Bits that no segmentation can do without. The mode that holds every character has a segment, for the sake of the
    /// character that no denser mode holds.
    fn least_bits(&self, versions: VersionRange) -> usize {
        self.mode.header_bits(versions) + self.least_sixths.div_ceil(6) as usize
    }
}

/// Bits of the best segmentation.
fn mixed_bits(data: &[u8], versions: VersionRange) -> usize {
    let mut costs = Costs::new(versions);
    for &byte in data {
        costs.append(byte);
    }
    costs.closed().0 / 6
}

/// The best segments in a version of that range, in order.
pub(crate) fn best_segments(data: &[u8], versions: VersionRange) -> Vec<DataSegment<'_>> {
    let mut costs = Costs::new(versions);
    let previous: Vec<[Mode; 3]> = data.iter().map(|&byte| costs.append(byte)).collect();
    let mut mode = costs.closed().1;
    let mut end = data.len();
    let mut segments = Vec::new();
    for index in (0..data.len()).rev() {
        let before = previous[index][mode as usize];
        if index == 0 || before != mode {
            segments.extend(DataSegment::new(mode, &data[index..end]));
            end = index;
        }
        mode = before;
    }
    segments.reverse();
    segments
}

/// The dynamic programme: what the characters so far take at least, by the mode of the last, in sixths of a bit. A segment's
/// part of a bit is rounded up when the segment ends; rounding keeps the order, so the least is the best for each mode.
struct Costs {
    headers: [usize; 3],
    open: [usize; 3],
}

impl Costs {
    /// More than any data takes.
    const NEVER: usize = usize::MAX / 2;

    fn new(versions: VersionRange) -> Self {
        Self { headers: Mode::ALL.map(|mode| 6 * mode.header_bits(versions)), open: [Self::NEVER; 3] }
    }

    /// The cost of ending the last segment here, with its mode.
    fn closed(&self) -> (usize, Mode) {
        let mut least = (Self::NEVER, Mode::Byte);
        for mode in Mode::ALL {
            let cost = self.open[mode as usize].next_multiple_of(6);
            if cost < least.0 {
                least = (cost, mode);
            }
        }
        least
    }

    /// Appends a character; for each mode it may be in, tells the best mode of the character before.
    fn append(&mut self, byte: u8) -> [Mode; 3] {
        let (closed, last) = if self.open == [Self::NEVER; 3] { (0, Mode::Byte) } else { self.closed() };
        Mode::ALL.map(|mode| {
            let open = &mut self.open[mode as usize];
            let switched = closed + self.headers[mode as usize];
            let before = if switched < *open { last } else { mode };
            *open =
                if mode.holds(byte) { switched.min(*open) + mode.character_sixths() } else { Self::NEVER };
            before
        })
    }
}
