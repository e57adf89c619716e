//! Writes segments and padding as data codewords (ISO/IEC 18004, clauses 7.4.2 to 7.4.10).

use crate::DataSegment;
use crate::mode::{Mode, VersionRange, alphanumeric_value};

/// Appends bits to codewords, the most significant first.
pub(crate) struct BitWriter<'a> {
    codewords: &'a mut [u8],
    written: usize,
    /// Bits not yet written, at the bottom, fewer than 8 between calls; what is above them was written.
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
        const STEP: usize = 8;
        let (steps, rest) = data.as_chunks::<STEP>();
        let written = self.written + STEP * steps.len();
        let (codewords, _) = self.codewords[self.written..written].as_chunks_mut::<STEP>();
        for (codewords, bytes) in codewords.iter_mut().zip(steps) {
            let bytes = u64::from_be_bytes(*bytes);
            // At most seven bits are pending, so that they go before the bytes' own without a shift too wide.
            let before = self.pending << 1 << (63 - self.pending_bits);
            *codewords = (before | bytes >> self.pending_bits).to_be_bytes();
            self.pending = bytes;
        }
        self.written = written;
        for &byte in rest {
            self.push(byte.into(), 8);
        }
    }

    /// Fills the rest: the terminator of up to four zero bits, zeros to a whole codeword, the pad codewords.
    pub(crate) fn finish(mut self) {
        let left = (self.codewords.len() - self.written) * 8 - self.pending_bits;
        self.push(0, left.min(4));
        self.push(0, (8 - self.pending_bits) % 8);
        for (pad, codeword) in [0xEC, 0x11].into_iter().cycle().zip(&mut self.codewords[self.written..]) {
            *codeword = pad;
        }
    }
}
