//! Writes segments and padding as data codewords (ISO/IEC 18004, clauses 7.4.2 to 7.4.10).

use crate::DataSegment;
use crate::segment::{Eci, Mode, VersionRange, alphanumeric_value};

/// Appends bits to codewords, the most significant first.
pub(crate) struct BitWriter<'a> {
    codewords: &'a mut [u8],
    written: usize,
    /// The latest bits, of which the lowest `pending_bits` are not yet written: fewer than eight between calls.
    ///
    /// ```text
    /// 63                 pending_bits           0
    /// | written before | not yet written, 0 to 7 |
    /// ```
    pending: u64,
    pending_bits: usize,
}

impl<'a> BitWriter<'a> {
    pub(crate) fn new(codewords: &'a mut [u8]) -> Self {
        Self { codewords, written: 0, pending: 0, pending_bits: 0 }
    }

    /// Appends the low `count` bits of `value`; `count` is at most 32 and the bits above are zero.
    fn push(&mut self, value: u64, count: usize) {
        self.pending = self.pending << count | value;
        self.pending_bits += count;
        while self.pending_bits >= 8 {
            self.pending_bits -= 8;
            self.codewords[self.written] = (self.pending >> self.pending_bits) as u8;
            self.written += 1;
        }
    }

    /// Appends the designator of UTF-8.
    pub(crate) fn push_utf8_designator(&mut self) {
        self.push(Eci::INDICATOR, 4);
        self.push(Eci::UTF_8, 8);
    }

    /// Appends a segment with its header.
    pub(crate) fn push_segment(&mut self, segment: &DataSegment, versions: VersionRange) {
        let (mode, data) = (segment.mode(), segment.data());
        self.push(mode.indicator(), 4);
        self.push(data.len() as u64, mode.count_bits(versions));
        match mode {
            Mode::Numeric => {
                for group in data.chunks(3) {
                    let value = group.iter().fold(0, |value, &digit| value * 10 + u64::from(digit - b'0'));
                    self.push(value, [0, 4, 7, 10][group.len()]);
                }
            }
            Mode::Alphanumeric => {
                for group in data.chunks(2) {
                    let value = group.iter().fold(0, |value, &byte| value * 45 + alphanumeric_value(byte));
                    self.push(value, [0, 6, 11][group.len()]);
                }
            }
            Mode::Byte => self.push_bytes(data),
        }
    }

    fn push_bytes(&mut self, data: &[u8]) {
        let Some((&first, rest)) = data.split_first() else { return };
        let (codewords, after) = self.codewords[self.written..][..data.len()].split_at_mut(1);
        // At most seven bits are pending: each codeword has the last bits of one byte and the first of the next.
        let split = |byte: u8, next: u8| (u16::from_be_bytes([byte, next]) >> self.pending_bits) as u8;
        codewords[0] = split(self.pending as u8, first);
        for ((codeword, &byte), &next) in after.iter_mut().zip(data).zip(rest) {
            *codeword = split(byte, next);
        }
        self.written += data.len();
        self.pending = data[data.len() - 1].into();
    }

    /// Fills the rest: the terminator of up to four zero bits, zeros to a whole codeword, the pad codewords.
    pub(crate) fn finish(mut self) {
        let left = (self.codewords.len() - self.written) * 8 - self.pending_bits;
        self.push(0, left.min(4));
        self.push(0, (8 - self.pending_bits) % 8);
        let (pads, last) = self.codewords[self.written..].as_chunks_mut();
        pads.fill([0xEC, 0x11]);
        last.fill(0xEC);
    }
}
