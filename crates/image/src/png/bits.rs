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

    /// Bits of its last piece.
    pub(super) fn last_piece(&self) -> u32 {
        self.0.last().map_or(0, |piece| piece.length)
    }

    /// Its length in bits.
    pub(super) fn length(&self) -> usize {
        self.0.iter().map(|piece| piece.length as usize).sum()
    }
}

/// A long string of bits, which the writer moves into place a word at a time, each without waiting for the one before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Splice {
    /// Nothing, the bits, and room for what moving them to a place within a byte adds.
    words: Vec<u64>,
    length: usize,
}

impl Splice {
    pub(super) fn new(string: &BitString) -> Self {
        let length = string.length();
        let mut words = vec![0; (length + 7) / 64 + 2];
        let mut at = 64;
        for piece in string.pieces() {
            let (word, place) = (at / 64, at % 64);
            words[word] |= piece.value << place;
            if place > 64 - Bits::CAPACITY as usize && word + 1 < words.len() {
                words[word + 1] |= piece.value >> (64 - place);
            }
            at += piece.length as usize;
        }
        Self { words, length }
    }

    /// Its length in bits.
    pub(super) fn length(&self) -> usize {
        self.length
    }
}

/// Writes bits into a buffer that is [`BitWriter::ROOM`] bytes longer than what is written.
pub(super) struct BitWriter<'a> {
    buffer: &'a mut [u8],
    /// Whole bytes written.
    position: u32,
    /// The bits after these; above their number all are 0.
    waiting: u64,
    waiting_length: u32,
}

impl<'a> BitWriter<'a> {
    /// What it may overwrite after its last byte.
    pub(super) const ROOM: usize = 16;

    pub(super) fn new(buffer: &'a mut [u8]) -> Self {
        Self { buffer, position: 0, waiting: 0, waiting_length: 0 }
    }

    /// Writes what waits, but for the bits of a begun byte.
    #[inline]
    pub(super) fn flush(&mut self) {
        let position = self.position as usize;
        self.buffer[position..position + 8].copy_from_slice(&self.waiting.to_le_bytes());
        self.position += self.waiting_length / 8;
        self.waiting >>= self.waiting_length & 0x38;
        self.waiting_length %= 8;
    }

    /// Appends bits, at most [`Bits::CAPACITY`] since the last flush.
    #[inline]
    pub(super) fn join(&mut self, bits: Bits) {
        self.waiting |= bits.value << self.waiting_length;
        self.waiting_length += bits.length;
    }

    /// Appends bits after a flush.
    #[inline]
    pub(super) fn put(&mut self, bits: Bits) {
        self.flush();
        self.join(bits);
    }

    /// Appends a string after a flush; its last piece waits.
    #[inline]
    pub(super) fn put_all(&mut self, string: &BitString) {
        for &piece in &string.0 {
            self.put(piece);
        }
    }

    /// Appends a long string after a flush; less than a byte of it waits.
    #[inline]
    pub(super) fn splice(&mut self, string: &Splice) {
        self.flush();
        let (start, places) = (self.position as usize, self.waiting_length);
        let Some((_, words)) = string.words.split_first() else { return };
        let (written, _) = self.buffer[start..start + 8 * words.len()].as_chunks_mut::<8>();
        for ((written, word), before) in written.iter_mut().zip(words).zip(&string.words) {
            *written = (word << places | (before >> 1) >> (63 - places)).to_le_bytes();
        }
        self.buffer[start] |= self.waiting as u8;
        let length = places as usize + string.length;
        self.position += (length / 8) as u32;
        self.waiting = u64::from(self.buffer[start + length / 8]);
        self.waiting_length = (length % 8) as u32;
    }

    /// Fills the last byte with zeros; the number of bytes written.
    pub(super) fn finish(mut self) -> usize {
        self.flush();
        self.position as usize + usize::from(self.waiting_length > 0)
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
        let mut buffer = [0; 176 + BitWriter::ROOM];
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

    #[test]
    fn what_is_spliced_is_what_is_put() {
        let mut string = BitString::default();
        for length in 0..200_u32 {
            for places in 0..70 {
                let written = |splices: bool| {
                    let mut buffer = vec![0; 64 + BitWriter::ROOM];
                    let mut writer = BitWriter::new(&mut buffer);
                    for _ in 0..places {
                        writer.put(Bits { value: 1, length: 1 });
                    }
                    for _ in 0..2 {
                        if splices {
                            writer.splice(&Splice::new(&string));
                        } else {
                            writer.put_all(&string);
                        }
                        writer.put(Bits { value: 0b01, length: 2 });
                    }
                    let length = writer.finish();
                    buffer.truncate(length);
                    buffer
                };
                assert_eq!(written(true), written(false), "{length} bits after {places}");
            }
            string.push(u64::from(length.wrapping_mul(0x9e37_79b9) >> 31), 1);
        }
    }
}
