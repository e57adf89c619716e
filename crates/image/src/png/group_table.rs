//! Coded groups by window, with what they add to a checksum.

use super::deflate::Code;
use super::deflate::adler32::LineSums;
use super::deflate::bit_writer::{LENGTH_BITS, LineWriter, Piece};
use super::deflate::optimal_parse::OptimalParser;
use super::module_groups::GroupSet;
use crate::windows::WINDOWS;

/// A piece of a coded group; for the symbols of deflate see [`Code`].
///
/// ```text
/// packed   63      39 38        14 13      0
///          | plain   | weighted   | length  |
/// ```
#[derive(Clone, Copy, Debug, Default)]
struct CodedPiece {
    /// The bits, as in [`Piece`].
    bits: u64,
    /// The number of bits; in a group's first piece its weighted sum from bit [`WEIGHTED`], its plain sum from [`PLAIN`].
    packed: u64,
}

const WEIGHTED: u32 = LENGTH_BITS;
const PLAIN: u32 = WEIGHTED + 25;
/// The places of the length in `packed`.
const LENGTH: u64 = (1 << WEIGHTED) - 1;

impl CodedPiece {
    fn new(piece: Piece, sums: LineSums) -> Self {
        let LineSums { plain, weighted } = sums.reduced();
        Self { bits: piece.bits, packed: u64::from(piece.length) | weighted << WEIGHTED | plain << PLAIN }
    }

    /// The sums of the piece alone.
    fn without_bits(self) -> Self {
        Self { bits: 0, packed: self.packed & !LENGTH }
    }

    /// Returns true if other pieces may follow.
    #[inline]
    fn is_full(self) -> bool {
        self.packed & LENGTH == u64::from(Piece::CAPACITY)
    }
}

/// The totals of a line's groups, as they are joined: the place of the last bit, and the sums.
///
/// All three are in one word, laid out as in [`CodedPiece`]. None reaches into the next:
/// - a line has less than 2^14 bits;
/// - a group's sums are below 2^16. A line has at most 23 groups, and 22 advances: sums stay below 2^25.
///
/// Of the running totals only the plain sum is of use.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RowTally {
    total: u64,
    running_totals: u64,
}

impl RowTally {
    /// The tally of no group, where the last bit is `last`.
    #[inline]
    pub(crate) fn from(last: usize) -> Self {
        Self { total: last as u64, running_totals: 0 }
    }

    /// Counts one group more between the groups so far and the end of the line.
    #[inline]
    pub(crate) fn advance(&mut self) {
        self.running_totals += self.total;
    }

    #[inline]
    fn add(&mut self, group: CodedPiece) {
        self.total += group.packed;
    }

    /// The place of the last bit.
    #[inline]
    pub(crate) fn last(self) -> usize {
        (self.total & LENGTH) as usize
    }

    /// Counts bits on from another `last`.
    #[inline]
    pub(crate) fn set_last(&mut self, last: usize) {
        self.total = self.total & !LENGTH | last as u64;
    }

    /// The sums, where a group is `bytes` long.
    #[inline]
    pub(crate) fn sums(self, bytes: usize) -> LineSums {
        let weighted = self.total >> WEIGHTED & ((1 << (PLAIN - WEIGHTED)) - 1);
        LineSums {
            plain: self.total >> PLAIN,
            weighted: weighted + (self.running_totals >> PLAIN) * bytes as u64,
        }
    }
}

/// The first pieces of all groups. Element `window` has the group's piece; element `window + WINDOWS` has its sums without bits,
/// for a group that is merged. The two members of [`CodedPiece`] are arrays of their own, so that one index serves for both.
#[derive(Debug)]
struct FirstPieces {
    bits: [u64; 2 * WINDOWS],
    packed: [u64; 2 * WINDOWS],
}

impl FirstPieces {
    #[inline]
    fn get(&self, index: usize) -> CodedPiece {
        CodedPiece { bits: self.bits[index], packed: self.packed[index] }
    }

    fn set(&mut self, index: usize, piece: CodedPiece) {
        (self.bits[index], self.packed[index]) = (piece.bits, piece.packed);
    }
}

/// The coded groups of a place in the row.
///
/// Joined bits wait for a flush, and are counted in the tally, not by the writer.
#[derive(Debug)]
pub(crate) struct GroupTable {
    first_pieces: Box<FirstPieces>,
    /// The second pieces of all groups by window, then their third pieces, and so on. Empty where no group has more than
    /// [`Piece::CAPACITY`] bits.
    further_pieces: Vec<[CodedPiece; WINDOWS]>,
    /// The bits of the longest group.
    pub(crate) longest: usize,
}

impl GroupTable {
    /// Joins the group of a window that is a single piece.
    #[inline]
    pub(crate) fn join<const BYTES: usize>(
        &self,
        window: usize,
        line: &mut LineWriter<'_, BYTES>,
        tally: &mut RowTally,
    ) {
        self.join_unless(false, window, line, tally);
    }

    /// Joins the group of a window that is a single piece, or counts only its sums if it is `merged` into the gap.
    #[inline]
    pub(crate) fn join_unless<const BYTES: usize>(
        &self,
        merged: bool,
        window: usize,
        line: &mut LineWriter<'_, BYTES>,
        tally: &mut RowTally,
    ) {
        // No processor could predict a branch here.
        let first = self.first_pieces.get(window + usize::from(merged) * WINDOWS);
        line.join(first.bits, first.packed);
        tally.add(first);
    }

    /// Joins groups that follow others of the row, then flushes. Together they are no longer than a piece.
    #[inline]
    pub(crate) fn join_and_flush<const COUNT: usize, const BYTES: usize>(
        &self,
        windows: [usize; COUNT],
        line: &mut LineWriter<'_, BYTES>,
        tally: &mut RowTally,
    ) {
        // The groups are joined to one another first, so that only one join waits for the bits before.
        let (before, mut joined) = (tally.total, 0_u64);
        for window in windows {
            let first = self.first_pieces.get(window);
            tally.advance();
            tally.add(first);
            joined = joined.wrapping_shr(first.packed as u32) | first.bits;
        }
        line.join(joined, tally.total - before);
        line.flush_to(tally.last());
    }

    /// Puts a group, which may have several pieces: a flush before each.
    #[inline]
    pub(crate) fn put_pieces<const BYTES: usize>(
        &self,
        merged: bool,
        window: usize,
        line: &mut LineWriter<'_, BYTES>,
        tally: &mut RowTally,
    ) {
        line.flush_to(tally.last());
        self.join_unless(merged, window, line, tally);
        // Groups are rarely long, so processors predict this branch.
        if !merged && self.first_pieces.get(window).is_full() {
            for pieces in &self.further_pieces {
                line.flush_to(tally.last());
                let piece = pieces[window];
                line.join(piece.bits, piece.packed);
                tally.add(piece);
            }
        }
    }

    /// The memory that the pieces take, in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        size_of::<FirstPieces>() + size_of_val(&self.further_pieces[..])
    }

    /// The table of a set of groups, in that code.
    pub(crate) fn new(set: &GroupSet, code: &Code, parser: &mut OptimalParser) -> Self {
        let mut table = Self {
            first_pieces: Box::new(FirstPieces { bits: [0; _], packed: [0; _] }),
            further_pieces: Vec::new(),
            longest: 0,
        };
        set.parse(parser, |group, tokens| {
            let bits = code.encoded(tokens);
            table.longest = table.longest.max(bits.length());
            table.first_pieces.set(group.window, CodedPiece::new(Piece::default(), group.sums));
            for (index, piece) in bits.pieces().enumerate() {
                if index == 0 {
                    table.first_pieces.set(group.window, CodedPiece::new(piece, group.sums));
                    continue;
                }
                if index > table.further_pieces.len() {
                    table.further_pieces.push([CodedPiece::default(); WINDOWS]);
                }
                table.further_pieces[index - 1][group.window] = CodedPiece::new(piece, LineSums::default());
            }
        });
        for window in 0..WINDOWS {
            let same = window & set.significant;
            let first = table.first_pieces.get(same);
            table.first_pieces.set(window, first);
            table.first_pieces.set(window + WINDOWS, first.without_bits());
            for pieces in &mut table.further_pieces {
                pieces[window] = pieces[same];
            }
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use qrpress_symbol::Version;

    use super::*;
    use crate::png::deflate::bit_writer::{LONG_LINE, most_bits};

    /// The most groups of a line.
    const MOST_GROUPS: u64 = 23;
    /// The most bytes of a group.
    const MOST_BYTES: usize = 320;
    /// The greatest sum of a group.
    const GREATEST: u64 = 65_520;

    /// Asserts that a line's tally is the sum of its groups, for every number of groups. Each has these sums, and all together
    /// have the bits from `first` to `last`.
    fn assert_tally(sums: LineSums, first: usize, last: usize) {
        let group = CodedPiece::new(Piece { bits: 0, length: 0 }, sums);
        let mut tally = RowTally::from(first);
        for groups in 1..=MOST_GROUPS {
            if groups > 1 {
                tally.advance();
            }
            tally.add(group);
            tally.set_last(last);
            let advanced = (0..groups).sum::<u64>() * MOST_BYTES as u64;
            let expected = LineSums {
                plain: groups * sums.plain,
                weighted: groups * sums.weighted + advanced * sums.plain,
            };
            assert_eq!(
                (tally.last(), tally.sums(MOST_BYTES)),
                (last, expected),
                "{groups} groups of {sums:?}"
            );
        }
    }

    /// Proves by exhaustion that no part of a tally reaches into the next. The parts are sums, which are greatest where each
    /// group's are: every sum of a group is tried with the greatest others, and every place of the last bit.
    #[test]
    fn no_part_of_a_tally_reaches_into_the_next() {
        let most = (1 << LENGTH_BITS) - 1;
        for sum in 0..=GREATEST {
            assert_tally(LineSums { plain: sum, weighted: GREATEST }, 0, most);
            assert_tally(LineSums { plain: GREATEST, weighted: sum }, most, most);
        }
        for last in 0..=most {
            assert_tally(LineSums { plain: GREATEST, weighted: GREATEST }, last, last);
        }
    }

    /// Every piece that is joined counts its bits, for every length of a piece and as many as a line holds.
    #[test]
    fn bits_of_pieces_are_counted() {
        let sums = LineSums { plain: GREATEST, weighted: GREATEST };
        for length in 0..=Piece::CAPACITY {
            let mut tally = RowTally::from(7);
            let first = CodedPiece::new(Piece { bits: 0, length }, sums);
            let further = CodedPiece::new(Piece { bits: 0, length }, LineSums::default());
            tally.add(first);
            let mut last = 7 + length as usize;
            while length > 0 && last + length as usize <= 7 + most_bits(LONG_LINE) {
                tally.add(further);
                last += length as usize;
                assert_eq!((tally.last(), tally.sums(1)), (last, sums));
            }
        }
    }

    /// Lines of every version and quiet zone have no more groups than a tally counts.
    #[test]
    fn lines_have_few_groups() {
        for number in 1..=40 {
            let size = Version::new(number).unwrap().size();
            for skipped in 0..8 {
                assert!(((skipped + size).div_ceil(8)) as u64 <= MOST_GROUPS);
            }
        }
    }
}
