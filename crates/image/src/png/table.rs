//! Coded groups by window, with what they add to a checksum.

use super::adler::LineSums;
use super::bits::{BitWriter, Piece};
use super::deflate::Code;
use super::groups::Slotted;
use super::parse::Parser;
use crate::windows::WINDOWS;

/// A piece of a coded group.
#[derive(Clone, Copy, Debug, Default)]
struct Coded {
    /// As in [`Piece`].
    bits: u64,
    /// The number of bits; in a group's first piece its weighted sum from bit [`WEIGHTED`], its plain sum from [`PLAIN`].
    packed: u64,
}

const WEIGHTED: u32 = 14;
const PLAIN: u32 = 39;
/// The bits of a number of bits.
const LENGTH: u64 = (1 << WEIGHTED) - 1;

impl Coded {
    fn new(piece: Piece, sums: LineSums) -> Self {
        let LineSums { plain, weighted } = sums.reduced();
        Self { bits: piece.bits, packed: u64::from(piece.length) | weighted << WEIGHTED | plain << PLAIN }
    }

    /// Its sums alone.
    fn without_bits(self) -> Self {
        Self { bits: 0, packed: self.packed & !LENGTH }
    }

    /// Whether others may follow.
    #[inline]
    fn is_full(self) -> bool {
        self.packed & LENGTH == u64::from(Piece::CAPACITY)
    }
}

/// What the groups of a line come to, as they are joined: how many bits, and which sums.
///
/// Both in one word, none reaching the next: a line has less than 2^14 bits; a group's sums are below 2^16, and those of
/// at most 23 groups, each added up to 22 times, below 2^25. Of the running totals only the plain sum is of use.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    total: u64,
    running_totals: u64,
}

impl Tally {
    /// Counts what there is as lying one group further from the end of the line.
    #[inline]
    pub(super) fn advance(&mut self) {
        self.running_totals += self.total;
    }

    #[inline]
    fn add(&mut self, group: Coded) {
        self.total += group.packed;
    }

    /// The number of bits.
    #[inline]
    pub(super) fn bits(self) -> usize {
        (self.total & LENGTH) as usize
    }

    /// The number of bits, and counts them anew.
    #[inline]
    pub(super) fn take_bits(&mut self) -> usize {
        let bits = self.bits();
        self.total &= !LENGTH;
        bits
    }

    /// The sums, where a group is `bytes` long.
    #[inline]
    pub(super) fn sums(self, bytes: usize) -> LineSums {
        let weighted = self.total >> WEIGHTED & ((1 << (PLAIN - WEIGHTED)) - 1);
        LineSums {
            plain: self.total >> PLAIN,
            weighted: weighted + (self.running_totals >> PLAIN) * bytes as u64,
        }
    }
}

/// The coded groups of a place in the row.
///
/// What is joined waits for a flush, and is counted in the tally, not by the writer.
#[derive(Debug)]
pub(super) struct Table {
    /// The first piece of every group, then its sums alone.
    heads: Box<[Coded; 2 * WINDOWS]>,
    /// Their second pieces, and so on; none where no group has more than [`Piece::CAPACITY`] bits.
    tails: Vec<[Coded; WINDOWS]>,
    /// No group has more bits.
    pub(super) longest: usize,
}

impl Table {
    /// Joins the group of a window that is a single piece.
    #[inline]
    pub(super) fn join(&self, window: usize, writer: &mut BitWriter<'_>, tally: &mut Tally) {
        self.join_unless(false, window, writer, tally);
    }

    /// Joins the group of a window that is a single piece, or counts only its sums if a match has `taken` it in.
    #[inline]
    pub(super) fn join_unless(
        &self,
        taken: bool,
        window: usize,
        writer: &mut BitWriter<'_>,
        tally: &mut Tally,
    ) {
        // What a branch would choose, processors could not foresee.
        let head = self.heads[window + usize::from(taken) * WINDOWS];
        writer.join_uncounted(head.bits, head.packed);
        tally.add(head);
    }

    /// Joins groups after a flush that follow others of the row, and that together are no longer than a piece.
    #[inline]
    pub(super) fn put_together<const COUNT: usize>(
        &self,
        windows: [usize; COUNT],
        writer: &mut BitWriter<'_>,
        tally: &mut Tally,
    ) {
        writer.flush_with(tally.bits());
        // Joined to one another first, they wait for what is before them but once.
        let (before, mut joined) = (tally.total, 0_u64);
        for window in windows {
            let head = self.heads[window];
            tally.advance();
            tally.add(head);
            joined = joined.wrapping_shr(head.packed as u32) | head.bits;
        }
        writer.join_uncounted(joined, tally.total - before);
    }

    /// Joins a group after a flush that may be of several pieces.
    #[inline]
    pub(super) fn put_pieces(
        &self,
        taken: bool,
        window: usize,
        writer: &mut BitWriter<'_>,
        tally: &mut Tally,
    ) {
        writer.flush_with(tally.bits());
        self.join_unless(taken, window, writer, tally);
        // Where groups are rarely long, processors foresee that there are no others.
        if !taken && self.heads[window].is_full() {
            for tail in &self.tails {
                writer.flush_with(tally.bits());
                let tail = tail[window];
                writer.join_uncounted(tail.bits, tail.packed);
                tally.add(tail);
            }
        }
    }

    /// The table of a slot's groups.
    pub(super) fn new(slot: &Slotted, code: &Code, parser: &mut Parser) -> Self {
        let mut table =
            Self { heads: Box::new([Coded::default(); 2 * WINDOWS]), tails: Vec::new(), longest: 0 };
        parser.for_each_group(slot, |group, tokens| {
            let bits = code.encoded(tokens);
            table.longest = table.longest.max(bits.length());
            table.heads[group.window] = Coded::new(Piece::default(), group.sums);
            for (index, piece) in bits.pieces().enumerate() {
                if index == 0 {
                    table.heads[group.window] = Coded::new(piece, group.sums);
                    continue;
                }
                if index > table.tails.len() {
                    table.tails.push([Coded::default(); WINDOWS]);
                }
                table.tails[index - 1][group.window] = Coded::new(piece, LineSums::default());
            }
        });
        for window in 0..WINDOWS {
            let told = window & slot.telling;
            table.heads[window] = table.heads[told];
            table.heads[window + WINDOWS] = table.heads[told].without_bits();
            for tail in &mut table.tails {
                tail[window] = tail[told];
            }
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_sums_fit() {
        const GREATEST: u64 = 65_520;
        let group = Coded::new(
            Piece { bits: 0, length: Piece::CAPACITY },
            LineSums { plain: GREATEST, weighted: GREATEST },
        );
        let mut tally = Tally::default();
        tally.add(group);
        for _ in 1..23 {
            tally.advance();
            tally.add(group);
        }
        assert_eq!(tally.bits(), 23 * Piece::CAPACITY as usize);
        let advanced = (0..23).sum::<u64>();
        assert_eq!(
            tally.sums(320),
            LineSums { plain: 23 * GREATEST, weighted: (23 + 320 * advanced) * GREATEST }
        );
    }
}
