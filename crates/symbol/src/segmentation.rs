//! Splits data into segments so that the symbol is as small as can be.
//!
//! Data stays in one segment unless several would make a smaller version, whatever bits they might save.

use crate::capacity::{data_capacity_bits, smallest_in_range};
use crate::classes::{CLASSIFIED, Classes, Runs};
use crate::cpu::AvailablePath;
use crate::mode::{Mode, VersionRange};
use crate::vector::Level;
use crate::{DataSegment, DataTooLong, ErrorCorrectionLevel, Version};

/// The smallest version that holds the data at that level.
///
/// # Errors
/// When none does.
pub fn smallest_version(data: &[u8], level: ErrorCorrectionLevel) -> Result<Version, DataTooLong> {
    AvailablePath::widest().choose(data, level).map(|choice| choice.version)
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
#[inline(always)]
pub(crate) fn choose<L: Level>(
    cpu: L,
    data: &[u8],
    level: ErrorCorrectionLevel,
) -> Result<Choice, DataTooLong> {
    let survey = Survey::of(cpu, data);
    let single = VersionRange::ALL.into_iter().find_map(|versions| {
        smallest_in_range(versions, level, survey.mode.segment_bits(data.len(), versions))
    });
    for versions in VersionRange::ALL {
        // Only a smaller version is worth several segments.
        let (first, last) = versions.numbers();
        let last = single.map_or(last, |single| last.min(single.number() - 1));
        let Some(largest) = Version::new(last).filter(|largest| largest.number() >= first) else { break };
        let capacity_bits = data_capacity_bits(largest, level);
        // The bounds become dearer and closer, and the last is the answer.
        if survey.least_bits(versions) <= capacity_bits
            && survey.least_bits_by_runs(cpu, data, versions) <= capacity_bits
            && let Some(version) = smallest_in_range(versions, level, best_bits(data, versions))
            && version <= largest
        {
            return Ok(Choice { version, mode: None });
        }
    }
    match single {
        Some(version) => Ok(Choice { version, mode: Some(survey.mode) }),
        None => Err(DataTooLong {
            used_bits: best_bits(data, VersionRange::Large),
            capacity_bits: data_capacity_bits(Version::MAX, level),
        }),
    }
}

/// What one look at every character tells.
struct Survey {
    /// The densest mode that holds them all; byte mode for none.
    mode: Mode,
    /// The sum of what each takes in its own densest mode, in sixths of a bit.
    least_sixths: usize,
}

impl Survey {
    #[inline(always)]
    fn of<L: Level>(cpu: L, data: &[u8]) -> Self {
        let (mut digits, mut characters) = (0, 0);
        for start in (0..data.len()).step_by(CLASSIFIED) {
            let classes = Classes::from(cpu, data, start);
            digits += classes.digits.count_ones() as usize;
            characters += classes.characters.count_ones() as usize;
        }
        let mode = if characters < data.len() || data.is_empty() {
            Mode::Byte
        } else if digits < data.len() {
            Mode::Alphanumeric
        } else {
            Mode::Numeric
        };
        let [numeric, alphanumeric, byte] = Mode::ALL.map(Mode::character_sixths);
        let least_sixths =
            byte * data.len() - (byte - alphanumeric) * characters - (alphanumeric - numeric) * digits;
        Self { mode, least_sixths }
    }

    /// Bits that no segmentation can do without. The mode that holds every character has a segment, for the sake of the
    /// character that no denser mode holds.
    fn least_bits(&self, versions: VersionRange) -> usize {
        self.mode.header_bits(versions) + self.least_sixths.div_ceil(6)
    }

    /// The same, closer: what one byte segment takes, less what runs of denser characters may save.
    #[inline(always)]
    fn least_bits_by_runs<L: Level>(&self, cpu: L, data: &[u8], versions: VersionRange) -> usize {
        if self.mode == Mode::Byte {
            Mode::Byte.segment_bits(data.len(), versions) - RunSavings::new(versions).most(cpu, data) / 6
        } else {
            self.least_bits(versions)
        }
    }
}

/// Bounds what segments of denser modes may save over a single byte segment, in sixths of a bit.
///
/// Such a segment lies in a run of digits and alphanumeric characters, and has a header; with byte segments before and
/// after the run, the second of them has a header too. Either all of the run's segments are numeric (and bytes
/// between them), or they save at most as if an alphanumeric segment took the whole run and numeric segments in it cost
/// only their own headers.
struct RunSavings {
    numeric_header: usize,
    alphanumeric_header: usize,
    byte_header: usize,
    total: usize,
    /// What numeric segments may save over bytes in the run that is looked at.
    over_bytes: usize,
    /// What they may save there over alphanumeric mode.
    over_alphanumeric: usize,
}

impl RunSavings {
    fn new(versions: VersionRange) -> Self {
        let [numeric_header, alphanumeric_header, byte_header] =
            Mode::ALL.map(|mode| 6 * mode.header_bits(versions));
        Self {
            numeric_header,
            alphanumeric_header,
            byte_header,
            total: 0,
            over_bytes: 0,
            over_alphanumeric: 0,
        }
    }

    #[inline(always)]
    fn most<L: Level>(mut self, cpu: L, data: &[u8]) -> usize {
        let (mut digits, mut characters) = (Runs::default(), Runs::default());
        let mut has_one_run = true;
        // A last look past the end, where every run has ended.
        for start in (0..=data.len()).step_by(CLASSIFIED) {
            let classes = Classes::from(cpu, data, start);
            digits.advance(classes.digits);
            characters.advance(classes.characters);
            // Before the first run are no bytes, which would need a header after it; after the data neither.
            let in_first_run =
                if has_one_run { classes.characters ^ classes.characters.wrapping_add(1) } else { 0 };
            has_one_run &= classes.characters == u64::MAX;
            let end = 1_u64.checked_shl((data.len() - start) as u32).unwrap_or(0);
            let edges = in_first_run | end;
            let (digits_ends, characters_ends) = (digits.long_ends(edges), characters.long_ends(edges));
            let mut ends = digits_ends | characters_ends;
            while ends != 0 {
                let end = ends.trailing_zeros();
                let position = start + end as usize;
                let length = characters.length_before(end);
                let between_bytes = length < position && position < data.len();
                let resumed = if between_bytes { self.byte_header } else { 0 };
                if digits_ends >> end & 1 == 1 {
                    self.end_digits(digits.length_before(end), resumed);
                }
                if characters_ends >> end & 1 == 1 {
                    self.end_run(length, resumed);
                }
                ends &= ends - 1;
            }
        }
        self.total
    }

    fn end_digits(&mut self, digits: usize, resumed: usize) {
        let [numeric, alphanumeric, byte] = Mode::ALL.map(Mode::character_sixths);
        self.over_bytes += (digits * (byte - numeric)).saturating_sub(self.numeric_header + resumed);
        self.over_alphanumeric += (digits * (alphanumeric - numeric)).saturating_sub(self.numeric_header);
    }

    fn end_run(&mut self, characters: usize, resumed: usize) {
        let [_, alphanumeric, byte] = Mode::ALL.map(Mode::character_sixths);
        let mixed = characters * (byte - alphanumeric) + self.over_alphanumeric;
        self.total += mixed.saturating_sub(self.alphanumeric_header + resumed).max(self.over_bytes);
        (self.over_bytes, self.over_alphanumeric) = (0, 0);
    }
}

/// Bits of the best segmentation.
fn best_bits(data: &[u8], versions: VersionRange) -> usize {
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
            segments.push(DataSegment::trusted(mode, &data[index..end]));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::Portable;
    use proptest::prelude::*;

    /// Texts with runs of every mode.
    fn text() -> impl Strategy<Value = String> {
        let part = prop_oneof!["[0-9]{1,20}", "[A-Z0-9-]{1,25}", "[a-z]{1,8}", "[0-9a-z/]{1,12}"];
        prop::collection::vec(part, 1..8).prop_map(|parts| parts.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn no_segmentation_is_below_the_bounds(text in text(), range in 0..3_usize) {
            let (data, versions) = (text.as_bytes(), VersionRange::ALL[range]);
            let survey = Survey::of(Portable, data);
            let best = best_bits(data, versions);
            prop_assert!(survey.least_bits(versions) <= best);
            prop_assert!(survey.least_bits_by_runs(Portable, data, versions) <= best);
            prop_assert!(best <= survey.mode.segment_bits(data.len(), versions));
        }

        #[test]
        fn the_best_segments_are_the_data_in_the_best_bits(text in text(), range in 0..3_usize) {
            let (data, versions) = (text.as_bytes(), VersionRange::ALL[range]);
            let segments = best_segments(data, versions);
            let bits: usize = segments.iter().map(|segment| segment.bits(versions)).sum();
            prop_assert_eq!(bits, best_bits(data, versions));
            let characters: Vec<u8> = segments.iter().flat_map(|segment| segment.data().iter().copied()).collect();
            prop_assert_eq!(characters, data);
            prop_assert!(segments.iter().all(|segment| segment.data().iter().all(|&byte| segment.mode().holds(byte))));
        }
    }
}
