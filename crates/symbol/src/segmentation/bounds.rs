//! Lower bounds of the bits of any segmentation. They are cheap, and the dynamic programme is seldom needed beside them.

use super::character_classes::{CLASSIFIED, Classes, Runs, count};
use crate::segment::{Mode, VersionRange};

/// The counts of one look at every character.
pub(super) struct Survey {
    /// The densest mode that holds all characters; byte mode when there are none.
    pub(super) mode: Mode,
    /// The sum of the costs of all characters, each in its own densest mode, in sixths of a bit.
    least_sixths: usize,
}

impl Survey {
    #[inline(always)]
    pub(super) fn of(data: &[u8]) -> Self {
        let [digits, characters] = count(data);
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
    pub(super) fn least_bits(&self, versions: VersionRange) -> usize {
        self.mode.header_bits(versions) + self.least_sixths.div_ceil(6)
    }

    /// The same, closer: the bits of one byte segment, less the most that runs of denser characters may save. Where no
    /// character needs byte mode, it is [`least_bits`](Self::least_bits).
    #[inline(always)]
    pub(super) fn least_bits_by_runs(&self, data: &[u8], versions: VersionRange) -> usize {
        if self.mode == Mode::Byte {
            Mode::Byte.segment_bits(data.len(), versions) - RunSavings::new(versions).most(data) / 6
        } else {
            self.least_bits(versions)
        }
    }
}

/// An upper bound of the savings of denser modes over a single byte segment, in sixths of a bit.
///
/// Numeric and alphanumeric segments lie in *runs* of characters of alphanumeric mode, which has the digits too:
///
/// ```text
/// data       a b c A B C D E F 1 2 3 4 5 6 7 8 d e f
/// run              A B C D E F 1 2 3 4 5 6 7 8
/// segments   byte  alphanum.   numeric         byte      three headers more than a single byte segment has
/// ```
///
/// A run saves at most the larger of two sums:
/// - `over_bytes`, where all of its segments are numeric or bytes: of each run of digits the savings over bytes, less the
///   numeric header and the header of the bytes after it;
/// - else the savings of one alphanumeric segment for the whole run, less its header and that of the bytes after it, and
///   `over_alphanumeric`: of each run of digits the savings over alphanumeric mode, less the numeric header.
struct RunSavings {
    numeric_header: usize,
    alphanumeric_header: usize,
    byte_header: usize,
    total: usize,
    /// The most that numeric segments may save over bytes in the current run.
    over_bytes: usize,
    /// The most that they may save there over alphanumeric mode.
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
    fn most(mut self, data: &[u8]) -> usize {
        let (mut digits, mut characters) = (Runs::default(), Runs::default());
        let mut has_one_run = true;
        // The last step looks past the end of the data, where every run has ended. `characters` are those of alphanumeric mode.
        for start in (0..=data.len()).step_by(CLASSIFIED) {
            let classes = Classes::of(data, start);
            digits.advance(classes.digits);
            characters.advance(classes.characters);
            // A run inside the data splits the bytes around it in two, and the second part needs a header. A run at the
            // beginning or at the end does not. The exclusive or has the lowest ones, and the place after them.
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
