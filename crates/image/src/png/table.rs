//! Coded groups by window, with what they add to a checksum.

use super::adler::LineSums;
use super::bits::{BitWriter, Bits};
use super::deflate::Code;
use super::groups::Slotted;
use super::parse::Parser;
use crate::windows::WINDOWS;

/// Up to 56 bits of a coded group.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Piece {
    bits: u64,
    /// Number of bits from bit 56; in a group's first piece its plain sum from bit 32, its weighted sum from bit 0, and
    /// whether others follow in [`HAS_TAIL`].
    packed: u64,
}

const HAS_TAIL: u64 = 1 << 55;

impl Piece {
    #[inline]
    pub(super) fn bits(self) -> Bits {
        Bits { value: self.bits, length: (self.packed >> 56) as u32 }
    }

    /// Its bits, or none if a match has `taken` the group in.
    #[inline]
    pub(super) fn bits_unless(self, taken: bool) -> Bits {
        let kept = u64::from(taken).wrapping_sub(1);
        Bits { value: self.bits & kept, length: ((self.packed >> 56) & kept) as u32 }
    }
}

/// The sums of the groups of a line, as they are read.
///
/// The weighted sums of a line's groups, at most 23, stay below 2^26, the sum of their running totals below 2^31, and
/// that of the plain sums' below 2^23: in one word, none reaches the next, and what is above them is lost without harm.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GroupSums {
    total: u64,
    running_totals: u64,
}

impl GroupSums {
    /// Takes a group in, by its first piece.
    #[inline]
    pub(super) fn add(&mut self, head: Piece) {
        self.total = self.total.wrapping_add(head.packed);
    }

    /// Counts what has been added as lying one group further from the end of the line.
    #[inline]
    pub(super) fn advance(&mut self) {
        self.running_totals = self.running_totals.wrapping_add(self.total);
    }

    /// The sums, where a group is `bytes` long.
    #[inline]
    pub(super) fn sums(self, bytes: usize) -> LineSums {
        let plain = |packed: u64| packed >> 32 & 0x7f_ffff;
        LineSums {
            plain: plain(self.total),
            weighted: (self.total & 0xffff_ffff) + plain(self.running_totals) * bytes as u64,
        }
    }
}

/// The coded groups of a place in the row.
#[derive(Debug)]
pub(super) struct Table {
    /// The first piece of every group.
    pub(super) heads: Box<[Piece; WINDOWS]>,
    /// Their second pieces, and so on; none where no group has more than [`Bits::CAPACITY`] bits.
    pub(super) tails: Vec<[Piece; WINDOWS]>,
    /// No group has more bits.
    pub(super) longest: usize,
}

impl Table {
    /// Writes the group of a window; its first piece.
    #[inline]
    pub(super) fn draw(&self, window: usize, writer: &mut BitWriter<'_>) -> Piece {
        let head = self.heads[window];
        writer.put(head.bits());
        self.draw_tails(head, window, writer);
        head
    }

    /// Writes the pieces after the first. Where groups are rarely long, processors foresee that there are none.
    #[inline]
    pub(super) fn draw_tails(&self, head: Piece, window: usize, writer: &mut BitWriter<'_>) {
        if head.packed & HAS_TAIL != 0 {
            for tail in &self.tails {
                writer.put(tail[window].bits());
            }
        }
    }

    /// The table of a slot's groups.
    pub(super) fn new(slot: &Slotted, code: &Code, parser: &mut Parser) -> Self {
        let mut table = Self { heads: Box::new([Piece::default(); WINDOWS]), tails: Vec::new(), longest: 0 };
        parser.for_each_group(slot, |group, tokens| {
            let bits = code.encoded(tokens);
            table.longest = table.longest.max(bits.length());
            let sums = group.sums.plain << 32 | group.sums.weighted;
            table.heads[group.window].packed = sums;
            for (index, piece) in bits.pieces().iter().enumerate() {
                if index > table.tails.len() {
                    table.tails.push([Piece::default(); WINDOWS]);
                }
                let place = if index == 0 { &mut *table.heads } else { &mut table.tails[index - 1] };
                place[group.window].bits = piece.value;
                place[group.window].packed |= u64::from(piece.length) << 56;
            }
            if bits.pieces().len() > 1 {
                table.heads[group.window].packed |= HAS_TAIL;
            }
        });
        for table in table.tails.iter_mut().chain([&mut *table.heads]) {
            for window in 0..WINDOWS {
                table[window] = table[window & slot.telling];
            }
        }
        table
    }
}
