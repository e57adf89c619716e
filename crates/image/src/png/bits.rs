//! Bits in the order of a deflate stream: least significant first.

/// Up to [`Bits::CAPACITY`] bits, the first in the lowest place; the places above `length` are 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Bits {
    pub(super) value: u64,
    pub(super) length: u32,
}

impl Bits {
    /// What the writer takes at once: a word less the bits of a begun byte.
    pub(super) const CAPACITY: u32 = 56;
}

/// A string of bits, in pieces that the writer takes at once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct BitString(Vec<Bits>);

impl BitString {
    /// Appends `length` bits, at most 32.
    pub(super) fn push(&mut self, value: u64, length: u32) {
        match self.0.last_mut() {
            Some(last) if last.length + length <= Bits::CAPACITY => {
                last.value |= value << last.length;
                last.length += length;
            }
            _ => self.0.push(Bits { value, length }),
        }
    }

    /// Its pieces, in order.
    pub(super) fn pieces(&self) -> &[Bits] {
        &self.0
    }

    /// Its length in bits.
    pub(super) fn length(&self) -> usize {
        self.0.iter().map(|piece| piece.length as usize).sum()
    }
}

/// Writes bits into a buffer that is long enough: eight bytes past the last bit.
pub(super) struct BitWriter<'a> {
    buffer: &'a mut [u8],
    /// Whole bytes written.
    position: usize,
    begun: Bits,
}

impl<'a> BitWriter<'a> {
    pub(super) fn new(buffer: &'a mut [u8]) -> Self {
        Self { buffer, position: 0, begun: Bits::default() }
    }

    #[inline]
    pub(super) fn put(&mut self, bits: Bits) {
        let word = self.begun.value | bits.value << self.begun.length;
        self.buffer[self.position..self.position + 8].copy_from_slice(&word.to_le_bytes());
        let length = self.begun.length + bits.length;
        self.position += (length / 8) as usize;
        self.begun = Bits { value: word >> (length & 0x38), length: length % 8 };
    }

    #[inline]
    pub(super) fn put_all(&mut self, string: &BitString) {
        for &piece in &string.0 {
            self.put(piece);
        }
    }

    /// Fills the last byte with zeros; the number of bytes written.
    pub(super) fn finish(self) -> usize {
        if self.begun.length == 0 {
            return self.position;
        }
        self.buffer[self.position] = self.begun.value as u8;
        self.position + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_join_without_gaps() {
        let mut string = BitString::default();
        for value in 0..200 {
            string.push(value & 0x7f, 7);
        }
        assert_eq!(string.length(), 1400);
        let mut buffer = [0; 200];
        let mut writer = BitWriter::new(&mut buffer);
        writer.put(Bits { value: 0b101, length: 3 });
        writer.put_all(&string);
        assert_eq!(writer.finish(), 1403_usize.div_ceil(8));
        let bit = |index: usize| buffer[index / 8] >> (index % 8) & 1;
        assert_eq!([bit(0), bit(1), bit(2)], [1, 0, 1]);
        for value in 0..200 {
            let read = (0..7).fold(0, |read, place| read | bit(3 + 7 * value + place) << place);
            assert_eq!(usize::from(read), value & 0x7f);
        }
    }
}
