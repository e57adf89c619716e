//! Bits in the order of a deflate stream: least significant first.
//!
//! Bits lie in words in two ways. The five bits `1 0 1 1 1`, the first one on the left, are:
//!
//! ```text
//! place          63 62 61 60 59 58  …   5  4  3  2  1  0
//! Bits::value     0  0  0  0  0  0  …   0  1  1  1  0  1   the first in the lowest place
//! Piece::bits     1  1  1  0  1  0  …   0  0  0  0  0  0   the last in the highest place
//! ```
//!
//! A writer keeps its latest 64 bits in the second way. To *join* a piece is then a shift and an *or*. Joined bits *wait* until a
//! *flush* writes the eight bytes that end with the last bit. To *put* is to flush, then to join:
//!
//! ```text
//! place    63 62 61 60 59 58 57  …
//! before    a  b  c  d  e  f  g  …   `a` is the last bit
//! joined    3  2  1  a  b  c  d  …   a piece of three bits, of which 1 is the first
//! ```

#[cfg(test)]
mod tests;

/// The bits of a codeword, the first in the lowest place; the places above `length` are 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bits {
    /// The bits.
    pub value: u64,
    /// Their number.
    pub length: u32,
}

impl Bits {
    /// No bits.
    pub const NONE: Self = Self { value: 0, length: 0 };
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
    /// The bits in words, the first in the lowest place, between words of zeros. Empty before the first bit.
    ///
    /// ```text
    /// word 0   1 …   …
    /// zeros    bits  zeros: one word at least, since the bits get longer where they begin within a byte
    ///          ──────────── a multiple of WORDS_AT_ONCE
    /// ```
    words: Vec<u64>,
    /// The last 64 bits, the last in the highest place.
    latest: u64,
    /// The number of bits.
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

    /// The bits in order, in as few pieces as can be.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = Piece> {
        (0..self.length).step_by(Piece::CAPACITY as usize).map(|start| {
            let length = Piece::CAPACITY.min((self.length - start) as u32);
            let (word, place) = (1 + start / 64, start % 64);
            let value = self.words[word] >> place | (self.words[word + 1] << 1) << (63 - place);
            Piece { bits: value << (64 - length), length }
        })
    }

    /// The number of bits that wait for a flush once the string is joined.
    pub(crate) fn waiting(&self) -> usize {
        if self.is_piece() { self.length } else { 0 }
    }

    /// The number of bits.
    pub(crate) fn length(&self) -> usize {
        self.length
    }

    /// The memory that the bits take, in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>()
    }

    /// Returns true if the bits are one piece.
    fn is_piece(&self) -> bool {
        self.length <= Piece::CAPACITY as usize
    }
}

/// Writes bits into a buffer. The buffer begins with the [`BitWriter::BEFORE`] bytes that come before the bits, and has
/// [`BitWriter::ROOM`] bytes, or those of the longest line, after them.
///
/// A flush writes the latest 64 bits, whether or not some of them have been written before: so nothing that comes after
/// it waits for how many there were.
///
/// ```text
/// byte of the buffer   0 … 6          7       8        9          last / 8 + 7
/// number of a bit                     0 … 7   8 … 15   16 …       last
///                      bytes before           written
/// flushed                                           last / 8 … last / 8 + 7
/// ```
pub(crate) struct BitWriter<'a> {
    buffer: &'a mut [u8],
    /// The latest 64 bits, the last in the highest place.
    latest: u64,
    /// The number of the last bit: 7 before the first is written.
    last: usize,
}

impl<'a> BitWriter<'a> {
    /// Bytes before the first that it writes.
    pub(crate) const BEFORE: usize = 8;
    /// Bytes after the last one that may be overwritten by anything but a line.
    pub(crate) const ROOM: usize = 8 * (WORDS_AT_ONCE + 1);

    pub(crate) fn new(buffer: &'a mut [u8]) -> Self {
        let mut before = [0; Self::BEFORE];
        before.copy_from_slice(&buffer[..Self::BEFORE]);
        let latest = u64::from_le_bytes(before);
        Self { buffer, latest, last: 7 }
    }

    /// Begins a line; also the place of the last bit in its byte, from which the caller counts on.
    #[inline]
    pub(crate) fn begin_line<const BYTES: usize>(&mut self) -> (LineWriter<'_, BYTES>, usize) {
        let (byte, place) = (self.last / 8, self.last % 8);
        let (lines, _) = self.buffer[byte..byte + BYTES].as_chunks_mut();
        (LineWriter { bytes: &mut lines[0], latest: self.latest }, place)
    }

    /// Ends the line, at the last bit that its caller has counted.
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

    /// Joins bits, at most [`Piece::CAPACITY`] since the last flush.
    #[inline]
    pub(crate) fn join(&mut self, piece: Piece) {
        self.latest = self.latest.wrapping_shr(piece.length) | piece.bits;
        self.last += piece.length as usize;
    }

    /// Puts bits.
    #[inline]
    pub(crate) fn put(&mut self, piece: Piece) {
        self.flush();
        self.join(piece);
    }

    /// Puts a string. Where it is a piece, it waits; a longer one is written.
    #[inline]
    pub(crate) fn put_all(&mut self, string: &BitString) {
        if string.is_piece() {
            self.flush();
        }
        self.join_all(string);
    }

    /// Joins a string that is a piece; flushes and writes a longer one.
    #[inline]
    pub(crate) fn join_all(&mut self, string: &BitString) {
        if string.is_piece() {
            self.join(Piece { bits: string.latest, length: string.length as u32 });
        } else {
            self.flush();
            let next = self.last + 1;
            let buffer = &mut self.buffer[Self::BEFORE - 1 + next / 8..];
            move_in(&string.words, next % 8, self.latest, buffer);
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
/// It has `BYTES` bytes of the buffer, whatever the line needs: a power of two, and a word. The number of a byte modulo the power
/// of two is always one of them, so no flush has to look for the end.
pub(crate) struct LineWriter<'a, const BYTES: usize> {
    /// The bytes from that on in which the last 64 bits before the line begin.
    bytes: &'a mut [u8; BYTES],
    /// The latest 64 bits, the last in the highest place.
    latest: u64,
}

impl<const BYTES: usize> LineWriter<'_, BYTES> {
    /// Writes the bits that wait. `last` is the number of the last one; bit 0 is the lowest of byte `WORD - 1`.
    #[inline]
    pub(crate) fn flush_to(&mut self, last: usize) {
        let (byte, place) = (last / 8 % (BYTES - WORD), last % 8);
        self.bytes[byte..byte + WORD].copy_from_slice(&(self.latest >> (7 - place)).to_le_bytes());
    }

    /// Joins bits, at most [`Piece::CAPACITY`] since the last flush. The lowest six bits of `length` are their number.
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

/// Writes the words of a string to a buffer whose first byte has `taken` bits already, the latest of `before`. Some words are
/// moved at once, none of which waits for those before. A function apart from its caller, whose state stays in registers.
#[inline(never)]
fn move_in(words: &[u64], taken: usize, before: u64, buffer: &mut [u8]) {
    let moved = |before: u64, word: u64| word << taken | (before >> 1) >> (63 - taken);
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
