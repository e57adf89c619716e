//! The choice of a version and of segments: the smallest version that any segmentation reaches.
//!
//! Bounds and costs hold for a range of versions, 1 to 9, 10 to 26 or 27 to 40: the headers of segments differ between them.
//! Data stays in one segment unless several segments make a smaller version. Most data is decided by bounds that look at every
//! character once: 64 at a time, a bit for each. Only where several segments may reach a smaller version does the dynamic
//! programme run: three costs a character, one for each mode.
//!
//! ```text
//! Survey::of               counts of digits, alphanumeric characters     a single segment's version
//! Survey::least_bits       every character in its own densest mode       could a smaller version hold that?
//! …least_bits_by_runs      their runs, with the headers of segments      could it still?
//! best_bits                dynamic programme                             the bits of the best segments
//! ```

mod bounds;
mod character_classes;

use qrpress_simd::{Simd, SimdLevel, WithSimd};

use crate::capacity::{data_capacity_bits, smallest_in_range};
use crate::segment::{Eci, Mode, VersionRange};
use crate::{DataSegment, DataTooLong, ErrorCorrectionLevel, Version};
use bounds::Survey;

/// The smallest version that holds the data at that level, with the designator of its character set.
///
/// # Errors
/// When none does.
pub fn smallest_version(data: &[u8], level: ErrorCorrectionLevel, eci: Eci) -> Result<Version, DataTooLong> {
    SimdLevel::detect().dispatch_narrow(Choose { data, level, eci }).map(|choice| choice.version)
}

/// Bytes that a symbol holds, whatever they are: in byte mode, with the designator of their character set.
pub fn byte_capacity(version: Version, level: ErrorCorrectionLevel, eci: Eci) -> usize {
    let header_bits = Mode::Byte.header_bits(VersionRange::of(version));
    (data_capacity_bits(version, level) - eci.most_bits() - header_bits) / 8
}

/// The segments that an [`Encoder`](crate::Encoder) makes of the data in that version: one where it has room for it, else those
/// that take the fewest bits.
pub fn segments(
    data: &[u8],
    version: Version,
    level: ErrorCorrectionLevel,
    eci: Eci,
) -> Vec<DataSegment<'_>> {
    let versions = VersionRange::of(version);
    let single = DataSegment::trusted(Survey::of(data).mode, data);
    if eci.bits(data) + single.bits(versions) <= data_capacity_bits(version, level) {
        vec![single]
    } else {
        best_segments(data, versions)
    }
}

/// The choice of a version, as work for a CPU level.
pub(crate) struct Choose<'a> {
    pub(crate) data: &'a [u8],
    pub(crate) level: ErrorCorrectionLevel,
    pub(crate) eci: Eci,
}

impl WithSimd for Choose<'_> {
    type Output = Result<Choice, DataTooLong>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Self::Output {
        choose(self.data, self.level, self.eci)
    }
}

/// A version and how the data is to be encoded in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    pub(crate) version: Version,
    /// The mode of the only segment; `None` when several segments are needed to fit the version.
    pub(crate) mode: Option<Mode>,
}

/// Chooses the smallest version, in a single segment where that will do.
///
/// # Errors
/// When no version holds the data.
#[inline(always)]
fn choose(data: &[u8], level: ErrorCorrectionLevel, eci: Eci) -> Result<Choice, DataTooLong> {
    let (survey, eci_bits) = (Survey::of(data), eci.bits(data));
    let single = VersionRange::ALL.into_iter().find_map(|versions| {
        smallest_in_range(versions, level, eci_bits + survey.mode.segment_bits(data.len(), versions))
    });
    for versions in VersionRange::ALL {
        // Only a smaller version is worth several segments.
        let (first, last) = versions.numbers();
        let last = single.map_or(last, |single| last.min(single.number() - 1));
        let Some(largest) = Version::new(last).filter(|largest| largest.number() >= first) else { break };
        let capacity_bits = data_capacity_bits(largest, level);
        // Each bound costs more than the one before and is closer; the last one is exact.
        if eci_bits + survey.least_bits(versions) <= capacity_bits
            && eci_bits + survey.least_bits_by_runs(data, versions) <= capacity_bits
            && let Some(version) = smallest_in_range(versions, level, eci_bits + best_bits(data, versions))
            && version <= largest
        {
            return Ok(Choice { version, mode: None });
        }
    }
    match single {
        Some(version) => Ok(Choice { version, mode: Some(survey.mode) }),
        None => Err(DataTooLong {
            used_bits: eci_bits + best_bits(data, VersionRange::Large),
            capacity_bits: data_capacity_bits(Version::MAX, level),
        }),
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

/// The dynamic programme: the least cost of the characters so far, by the mode of the last one, in sixths of a bit. The part
/// of a bit that a segment ends with is rounded up; rounding keeps the order, so the least cost is the best of each mode.
struct Costs {
    /// The cost of a segment's header, by mode.
    headers: [usize; 3],
    /// The least cost while the last segment, of that mode, may go on.
    open: [usize; 3],
}

impl Costs {
    /// More than the cost of any data.
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

    /// Appends a character. Returns, for each mode, the best mode of the character before, where this one is in that mode; any
    /// mode where it cannot be.
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
    use std::fmt::Write;

    use proptest::prelude::*;
    use qrpress_testkit::assert_on_page;

    use super::*;
    use crate::{Encoder, Symbol};

    /// Texts with runs of every mode.
    fn text() -> impl Strategy<Value = String> {
        let part = prop_oneof!["[0-9]{1,20}", "[A-Z0-9-]{1,25}", "[a-z]{1,8}", "[0-9a-z/]{1,12}"];
        prop::collection::vec(part, 1..8).prop_map(|parts| parts.concat())
    }

    /// The example of `docs/internals/engine.md`, computed by the code that chooses.
    #[test]
    fn the_choice_is_as_the_page_shows() {
        let (data, level, versions) =
            (b"order/12345678901234567890", ErrorCorrectionLevel::Low, VersionRange::Small);
        let survey = Survey::of(data);
        let single = survey.mode.segment_bits(data.len(), versions);
        let single_version = smallest_in_range(versions, level, single).unwrap().number();
        let mut example = String::new();
        let mut line = |name: &str, what: String| writeln!(example, "{name:<20}{what}").unwrap();
        line("one segment", format!("{single} bits in {:?} mode, so version {single_version}", survey.mode));
        line("version 1 holds", format!("{} bits", data_capacity_bits(Version::MIN, level)));
        line("least_bits", format!("{}", survey.least_bits(versions)));
        line("least_bits_by_runs", format!("{}", survey.least_bits_by_runs(data, versions)));
        line("best_bits", format!("{}", best_bits(data, versions)));
        for segment in best_segments(data, versions) {
            let text = str::from_utf8(segment.data()).unwrap();
            line("segment", format!("{} bits in {:?} mode: {text}", segment.bits(versions), segment.mode()));
        }
        let choice = choose(data, level, Eci::Absent).unwrap();
        assert_eq!((choice.version, choice.mode), (Version::MIN, None));
        assert_on_page("docs/internals/engine.md", &example);
    }

    #[test]
    fn a_symbol_holds_as_many_bytes_as_its_capacity_says() {
        let letters = [0xC3; 3_000];
        for level in ErrorCorrectionLevel::ALL {
            for eci in [Eci::Absent, Eci::Utf8] {
                for version in (1..=40).filter_map(Version::new) {
                    let bytes = byte_capacity(version, level, eci);
                    assert_eq!(smallest_version(&letters[..bytes], level, eci).ok(), Some(version));
                    let next = Version::new(version.number() + 1);
                    assert_eq!(smallest_version(&letters[..=bytes], level, eci).ok(), next);
                }
            }
        }
        assert_eq!(byte_capacity(Version::MAX, ErrorCorrectionLevel::Low, Eci::Absent), 2953);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn no_segmentation_is_below_the_bounds(text in text(), range in 0..3_usize) {
            let (data, versions) = (text.as_bytes(), VersionRange::ALL[range]);
            let survey = Survey::of(data);
            let best = best_bits(data, versions);
            prop_assert!(survey.least_bits(versions) <= best);
            prop_assert!(survey.least_bits_by_runs(data, versions) <= best);
            prop_assert!(best <= survey.mode.segment_bits(data.len(), versions));
        }

        #[test]
        fn data_fits_into_all_versions_above_its_smallest(text in text(), level in 0..4_usize) {
            let (data, level) = (text.as_bytes(), ErrorCorrectionLevel::ALL[level]);
            for eci in [Eci::Absent, Eci::Utf8] {
                let smallest = smallest_version(data, level, eci).unwrap();
                let mut encoder = Encoder::new();
                for version in (1..=40).filter_map(Version::new) {
                    let found = encoder.encode_in(data, version, level, eci).map(Symbol::version);
                    prop_assert_eq!(found.is_ok(), version >= smallest);
                    prop_assert_eq!(found.unwrap_or(version), version);
                    if version == smallest {
                        let chosen = encoder.encode_in(data, version, level, eci).unwrap().clone();
                        prop_assert_eq!(encoder.encode_designated(data, level, eci).unwrap(), &chosen);
                    }
                }
            }
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
