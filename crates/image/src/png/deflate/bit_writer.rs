//! Bits in the order of a deflate stream: least significant first.

/// The bits of a codeword, the first in the lowest place; the places above `length` are 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bits {
    pub(crate) value: u64,
    pub(crate) length: u32,
}

/// Up to [`Piece::CAPACITY`] bits as the writer takes them: the last in the highest place; the places below are 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) bits: u64,
    pub(crate) length: u32,
}

impl Piece {
    /// The bits that the writer takes between two flushes. A flush writes the eight bytes up to the last bit's, and up to
    /// seven bits after the last bit are still free.
    pub(crate) const CAPACITY: u32 = 57;
}

impl From<Bits> for Piece {
    fn from(Bits { value, length }: Bits) -> Self {
        Self { bits: value.checked_shl(64 - length).unwrap_or(0), length }
    }
}

/// A string of bits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BitString {
    /// A word of nothing, the bits, and nothing up to a multiple of [`WORDS_AT_ONCE`] after the first word: at least a
    /// word, for what moving the bits to a place within a byte adds. Empty before the first bit.
    words: Vec<u64>,
    /// Its last 64 bits, the last in the highest place.
    latest: u64,
    length: usize,
}

/// Words of a string that are moved together, as vectors where the compiler finds some.
const WORDS_AT_ONCE: usize = 4;

impl BitString {
    /// Appends `length` bits, at most 32.
    pub(crate) fn push(&mut self, value: u64, length: u32) {
        let (word, place) = (1 + self.length / 64, self.length % 64);
        if self.words.len() < word + 2 {
            self.words.resize(1 + (word + 1).next_multiple_of(WORDS_AT_ONCE), 0);
        }
        self.words[word] |= value << place;
        self.words[word + 1] |= (value >> 1) >> (63 - place);
        self.latest = self.latest >> length | Piece::from(Bits { value, length }).bits;
        self.length += length as usize;
    }

    /// Its bits in order, as few pieces as can be.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = Piece> {
        (0..self.length).step_by(Piece::CAPACITY as usize).map(|start| {
            let length = Piece::CAPACITY.min((self.length - start) as u32);
            let (word, place) = (1 + start / 64, start % 64);
            let value = self.words[word] >> place | (self.words[word + 1] << 1) << (63 - place);
            Piece { bits: value << (64 - length), length }
        })
    }

    /// The number of its bits that wait for a flush once the writer has it.
    pub(crate) fn waiting(&self) -> usize {
        if self.is_piece() { self.length } else { 0 }
    }

    /// Its length in bits.
    pub(crate) fn length(&self) -> usize {
        self.length
    }

    fn is_piece(&self) -> bool {
        self.length <= Piece::CAPACITY as usize
    }
}

/// Writes bits into a buffer that begins with [`BitWriter::BEFORE`] bytes of what comes before them, and that is
/// [`BitWriter::ROOM`] bytes longer than what is written, or as the longest line.
///
/// A flush writes the latest 64 bits, whether or not some of them have been written before: so nothing that comes after
/// it waits for how many there were.
pub(crate) struct BitWriter<'a> {
    buffer: &'a mut [u8],
    /// The last in the highest place.
    latest: u64,
    /// The place of the last bit, counted from that of the buffer's byte `BEFORE - 1`.
    last: usize,
}

impl<'a> BitWriter<'a> {
    /// Bytes before the first that it writes.
    pub(crate) const BEFORE: usize = 8;
    /// The bytes that it may overwrite after its last byte, but for lines, each of which has its bytes.
    pub(crate) const ROOM: usize = 8 * (WORDS_AT_ONCE + 1);

    pub(crate) fn new(buffer: &'a mut [u8]) -> Self {
        let mut before = [0; Self::BEFORE];
        before.copy_from_slice(&buffer[..Self::BEFORE]);
        let latest = u64::from_le_bytes(before);
        Self { buffer, latest, last: 7 }
    }

    /// Begins a line, whose bits the caller counts on from the place of the last one in its byte.
    #[inline]
    pub(crate) fn begin_line<const BYTES: usize>(&mut self) -> (LineWriter<'_, BYTES>, usize) {
        let (byte, place) = (self.last / 8, self.last % 8);
        let (lines, _) = self.buffer[byte..byte + BYTES].as_chunks_mut();
        (LineWriter { bytes: &mut lines[0], latest: self.latest }, place)
    }

    /// Ends the line, where its caller has the last bit.
    #[inline]
    pub(crate) fn end_line(&mut self, latest: u64, last: usize) {
        self.latest = latest;
        self.last = self.last / 8 * 8 + last;
    }

    /// Writes the bits that wait.
    #[inline]
    pub(crate) fn flush(&mut self) {
        let (byte, place) = (self.last / 8, self.last % 8);
        self.buffer[byte..byte + 8].copy_from_slice(&(self.latest >> (7 - place)).to_le_bytes());
    }

    /// Appends bits, at most [`Piece::CAPACITY`] since the last flush.
    #[inline]
    pub(crate) fn join(&mut self, piece: Piece) {
        self.latest = self.latest.wrapping_shr(piece.length) | piece.bits;
        self.last += piece.length as usize;
    }

    /// Appends bits after a flush.
    #[inline]
    pub(crate) fn put(&mut self, piece: Piece) {
        self.flush();
        self.join(piece);
    }

    /// Appends a string after a flush; if it is not longer than a piece, it waits.
    #[inline]
    pub(crate) fn put_all(&mut self, string: &BitString) {
        if string.is_piece() {
            self.flush();
        }
        self.join_all(string);
    }

    /// Appends a string; if it is not longer than a piece, it waits like one, others come after a flush.
    #[inline]
    pub(crate) fn join_all(&mut self, string: &BitString) {
        if string.is_piece() {
            self.join(Piece { bits: string.latest, length: string.length as u32 });
        } else {
            self.flush();
            let end = self.last + 1;
            let buffer = &mut self.buffer[Self::BEFORE - 1 + end / 8..];
            move_in(&string.words, end % 8, self.latest, buffer);
            self.latest = self.latest.checked_shr(string.length as u32).unwrap_or(0) | string.latest;
            self.last += string.length;
        }
    }

    /// Fills the last byte with zeros; the number of bytes written.
    pub(crate) fn finish(mut self) -> usize {
        self.flush();
        self.last / 8
    }
}

/// The width of a number that counts the coded bits of a line.
pub(crate) const LENGTH_BITS: u32 = 14;
/// Bytes for the coded bits of any scan line.
pub(crate) const LONG_LINE: usize = (1 << LENGTH_BITS) / 8 + WORD;
/// Bytes for the coded bits of most scan lines.
pub(crate) const SHORT_LINE: usize = 256 + WORD;
/// Bytes that are written at once.
const WORD: usize = 8;

/// The bits that a line of so many bytes has at most, wherever in a byte it begins.
pub(crate) const fn most_bits(line_bytes: usize) -> usize {
    8 * (line_bytes - WORD) - 8
}

/// Writes the bits of a scan line's groups, and leaves it to its caller to count them.
///
/// There are `BYTES` for it, a power of two and a word: so no flush has to look for the end of the buffer. Bits *wait* in
/// `latest` from a join to the next flush.
pub(crate) struct LineWriter<'a, const BYTES: usize> {
    /// From the byte in which the last 64 bits before the line begin.
    bytes: &'a mut [u8; BYTES],
    latest: u64,
}

impl<const BYTES: usize> LineWriter<'_, BYTES> {
    /// Writes the bits that wait; `last` is the place of the last one, counted from the first bit of byte
    /// `WORD - 1`.
    #[inline]
    pub(crate) fn flush_to(&mut self, last: usize) {
        let (byte, place) = (last / 8 % (BYTES - WORD), last % 8);
        self.bytes[byte..byte + WORD].copy_from_slice(&(self.latest >> (7 - place)).to_le_bytes());
    }

    /// Appends bits, at most [`Piece::CAPACITY`] since the last flush. Of `length` the lowest six bits tell the length.
    #[inline]
    pub(crate) fn join(&mut self, bits: u64, length: u64) {
        self.latest = self.latest.wrapping_shr(length as u32) | bits;
    }

    /// The latest 64 bits, the last in the highest place.
    #[inline]
    pub(crate) fn latest(self) -> u64 {
        self.latest
    }
}

/// Writes the words of a string where `places` bits of the byte before are left: some words at once, none of which waits
/// for those before. Apart from its caller, whose state stays in registers.
#[inline(never)]
fn move_in(words: &[u64], places: usize, before: u64, buffer: &mut [u8]) {
    let moved = |before: u64, word: u64| word << places | (before >> 1) >> (63 - places);
    let Some((_, rest)) = words.split_first() else { return };
    let preceding = words.as_chunks::<WORDS_AT_ONCE>().0;
    let (words, _) = rest.as_chunks::<WORDS_AT_ONCE>();
    let (written, _) = buffer[..8 * rest.len()].as_chunks_mut::<{ 8 * WORDS_AT_ONCE }>();
    for ((written, words), preceding) in written.iter_mut().zip(words).zip(preceding) {
        let (written, _) = written.as_chunks_mut::<8>();
        for lane in 0..WORDS_AT_ONCE {
            written[lane] = moved(preceding[lane], words[lane]).to_le_bytes();
        }
    }
    buffer[0] |= moved(before, 0) as u8;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes that `write` writes after others, which it must leave as they are.
    fn written(write: impl FnOnce(&mut BitWriter<'_>)) -> Vec<u8> {
        let before = *b"12345678";
        let mut buffer = [&before[..], &[0xff; 800]].concat();
        let mut writer = BitWriter::new(&mut buffer);
        write(&mut writer);
        let length = writer.finish();
        buffer.truncate(BitWriter::BEFORE + length);
        assert_eq!(buffer[..8], before);
        buffer.split_off(8)
    }

    #[test]
    fn pieces_join_without_gaps() {
        for length in 1..=Piece::CAPACITY {
            let bit = |index: u32| u64::from(index.wrapping_mul(0x9e37_79b9) >> 31);
            let bytes = written(|writer| {
                for start in (0..).step_by(length as usize).take(40) {
                    let value = (0..length).fold(0, |value, place| value | bit(start + place) << place);
                    writer.put(Bits { value, length }.into());
                }
            });
            let bits = 40 * length;
            assert_eq!(bytes.len(), bits.div_ceil(8) as usize);
            for index in 0..8 * bytes.len() as u32 {
                let expected = if index < bits { bit(index) } else { 0 };
                assert_eq!(u64::from(bytes[index as usize / 8] >> (index % 8) & 1), expected);
            }
        }
    }

    #[test]
    fn lines_are_their_pieces() {
        let piece = |number: u32| {
            let bits = u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let length = 1 + number.wrapping_mul(37) % Piece::CAPACITY;
            Piece::from(Bits { value: bits >> (64 - length), length })
        };
        for places in 0..70 {
            let written = |in_lines: bool| {
                written(|writer| {
                    for _ in 0..places {
                        writer.put(Bits { value: 1, length: 1 }.into());
                    }
                    for numbers in [0..60, 60..60, 60..90] {
                        if in_lines {
                            let (mut line, mut last) = writer.begin_line::<SHORT_LINE>();
                            for piece in numbers.map(piece) {
                                line.flush_to(last);
                                line.join(piece.bits, piece.length.into());
                                last += piece.length as usize;
                            }
                            let latest = line.latest();
                            writer.end_line(latest, last);
                        } else {
                            numbers.for_each(|number| writer.put(piece(number)));
                        }
                    }
                })
            };
            assert_eq!(written(true), written(false), "after {places}");
        }
    }

    #[test]
    fn strings_are_their_pieces() {
        let mut string = BitString::default();
        for length in 0..200_u32 {
            assert_eq!(string.length(), length as usize);
            for places in 0..70 {
                let written = |in_pieces: bool| {
                    written(|writer| {
                        for _ in 0..places {
                            writer.put(Bits { value: 1, length: 1 }.into());
                        }
                        for _ in 0..2 {
                            if in_pieces {
                                string.pieces().for_each(|piece| writer.put(piece));
                            } else {
                                writer.put_all(&string);
                            }
                            writer.put(Bits { value: 0b01, length: 2 }.into());
                        }
                    })
                };
                assert_eq!(written(true), written(false), "{length} bits after {places}");
            }
            string.push(u64::from(length.wrapping_mul(0x9e37_79b9) >> 31), 1);
        }
    }
}
