//! The content of a page, compressed while it is drawn (RFC 1950, RFC 1951): one block in a fixed Huffman code.
//!
//! Contents are digits, spaces and some operators, whose frequencies hardly change from job to job: one code serves them all.
//! The only repetition that is looked for is the end of a rectangle one module high, since a search for all of them would
//! take several times as long as everything else.

use std::sync::LazyLock;

use qrpress_image::{Bits, write_canonical_code};
use simd_adler32::Adler32;

/// The end of most rectangles, and the symbol of a repetition of so many bytes.
const ENDING: &[u8; 6] = b" 1 re\n";
const ENDING_SYMBOL: usize = 260;
const END_OF_BLOCK: usize = 256;
/// Symbols of the code: literals, the end of the block, lengths up to that of the ending.
const SYMBOLS: usize = ENDING_SYMBOL + 1;
/// The lengths of the codewords of all symbols that a content may have.
const LENGTHS: [u8; SYMBOLS] = {
    let mut lengths = [0; SYMBOLS];
    // Those of Huffman's code for labels of which every tenth has a caption.
    let by_length: [(u8, &[u8]); 9] = [
        (2, b" "),
        (3, b"12"),
        (4, b"34"),
        (5, b"056789-\n"),
        (6, b"rec"),
        (8, b"l."),
        (9, b"mf"),
        (10, b"qQk"),
        (14, b"/DLMWgno"),
    ];
    let mut group = 0;
    while group < by_length.len() {
        let (length, bytes) = by_length[group];
        let mut place = 0;
        while place < bytes.len() {
            lengths[bytes[place] as usize] = length;
            place += 1;
        }
        group += 1;
    }
    lengths[ENDING_SYMBOL] = 4;
    lengths[END_OF_BLOCK] = 11;
    lengths
};

const CODE: [Bits; SYMBOLS] = canonical(&LENGTHS);

/// The code of distances, of 7 to 32 bytes; the symbols before have no codeword (RFC 1951, clause 3.2.5).
const DISTANCE_LENGTHS: [u8; 10] = [0, 0, 0, 0, 0, 4, 1, 2, 3, 4];
const DISTANCE_CODE: [Bits; 10] = canonical(&DISTANCE_LENGTHS);
/// The first distance of each symbol, and its extra bits.
const DISTANCES: [(u64, u8); 10] =
    [(1, 0), (2, 0), (3, 0), (4, 0), (5, 1), (7, 1), (9, 2), (13, 2), (17, 3), (25, 3)];
const MIN_DISTANCE: u64 = 7;
const MAX_DISTANCE: u64 = 32;

/// The symbol of each distance.
const DISTANCE_SYMBOLS: [u8; MAX_DISTANCE as usize + 1] = {
    let mut symbols = [0; MAX_DISTANCE as usize + 1];
    let mut distance = MIN_DISTANCE as usize;
    let mut symbol = 5;
    while distance < symbols.len() {
        if symbol + 1 < DISTANCES.len() && DISTANCES[symbol + 1].0 as usize == distance {
            symbol += 1;
        }
        symbols[distance] = symbol as u8;
        distance += 1;
    }
    symbols
};

/// The canonical code of these lengths (clause 3.2.2).
const fn canonical<const COUNT: usize>(lengths: &[u8; COUNT]) -> [Bits; COUNT] {
    let mut code = [Bits::NONE; COUNT];
    write_canonical_code(lengths, &mut code);
    code
}

/// A content that is compressed piece by piece.
pub(crate) struct Drawing {
    out: Vec<u8>,
    /// Bits that wait for more, the first in the lowest place, and their number, below 8 between two pieces.
    bits: u64,
    held: u32,
    checksum: Adler32,
    /// Bytes of the content so far.
    length: u64,
    /// The place of the latest ending in the content.
    ending: Option<u64>,
}

impl Drawing {
    /// An empty content.
    pub fn new() -> Self {
        let mut drawing =
            Self { out: Vec::new(), bits: 0, held: 0, checksum: Adler32::new(), length: 0, ending: None };
        drawing.begin();
        drawing
    }

    fn begin(&mut self) {
        self.out.clear();
        (self.bits, self.held) = (0, 0);
        self.checksum = Adler32::new();
        (self.length, self.ending) = (0, None);
        // A window of 32 KiB, and no dictionary (RFC 1950, clause 2.2).
        self.out.extend_from_slice(&[0x78, 0x01]);
        for &(value, length) in BLOCK_HEADER.iter() {
            self.put(value, length);
        }
    }

    /// Appends bytes, all of them of the code.
    pub fn push(&mut self, content: &[u8]) {
        self.checksum.write(content);
        let mut at = 0;
        while let Some(&byte) = content.get(at) {
            if byte == ENDING[0] && content[at..].starts_with(ENDING) {
                let place = self.length + at as u64;
                let distance = self.ending.replace(place).map_or(0, |latest| place - latest);
                if (MIN_DISTANCE..=MAX_DISTANCE).contains(&distance) {
                    self.put_repetition(distance);
                    at += ENDING.len();
                    continue;
                }
            }
            let Bits { value, length } = CODE[usize::from(byte)];
            assert!(length > 0, "a content has no {byte}");
            self.put(value, length);
            at += 1;
        }
        self.length += content.len() as u64;
    }

    fn put_repetition(&mut self, distance: u64) {
        let symbol = usize::from(DISTANCE_SYMBOLS[distance as usize]);
        let (first, extra_bits) = DISTANCES[symbol];
        let (ending, code) = (CODE[ENDING_SYMBOL], DISTANCE_CODE[symbol]);
        let joined =
            ending.value | code.value << ending.length | (distance - first) << (ending.length + code.length);
        self.put(joined, ending.length + code.length + u32::from(extra_bits));
    }

    /// Appends up to 32 bits.
    #[inline]
    fn put(&mut self, value: u64, length: u32) {
        self.bits |= value << self.held;
        self.held += length;
        if self.held >= 32 {
            self.out.extend_from_slice(&(self.bits as u32).to_le_bytes());
            self.bits >>= 32;
            self.held -= 32;
        }
    }

    /// The compressed content. Then a new one begins with the next piece.
    pub fn finish(&mut self) -> Vec<u8> {
        let Bits { value, length } = CODE[END_OF_BLOCK];
        self.put(value, length);
        let rest = self.bits.to_le_bytes();
        self.out.extend_from_slice(&rest[..self.held.div_ceil(8) as usize]);
        self.out.extend_from_slice(&self.checksum.finish().to_be_bytes());
        let content = std::mem::take(&mut self.out);
        self.begin();
        content
    }
}

/// Lengths of the codewords that the header has for lengths: those that occur, and two repetitions of zeros.
const LENGTH_LENGTHS: [u8; 19] = [4, 4, 4, 4, 4, 3, 4, 0, 4, 4, 4, 4, 0, 0, 4, 0, 0, 4, 3];
/// Three to ten zeros, and 11 to 138.
const FEW_ZEROS: usize = 17;
const MANY_ZEROS: usize = 18;

/// The header of the only block (clause 3.2.7): values and their lengths in bits.
static BLOCK_HEADER: LazyLock<Vec<(u64, u32)>> = LazyLock::new(|| {
    /// The order in which the header has the lengths of its own code.
    const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
    const CODE: [Bits; 19] = canonical(&LENGTH_LENGTHS);
    let codeword = |symbol: usize| (CODE[symbol].value, CODE[symbol].length);
    let counts = [(SYMBOLS - 257, 5), (DISTANCE_LENGTHS.len() - 1, 5), (ORDER.len() - 4, 4)];
    // The last block, with codes of its own.
    let mut header = vec![(0b101, 3)];
    header.extend(counts.map(|(count, bits)| (count as u64, bits)));
    header.extend(ORDER.map(|symbol| (LENGTH_LENGTHS[symbol].into(), 3)));
    let lengths = [LENGTHS.as_slice(), &DISTANCE_LENGTHS].concat();
    for run in lengths.chunk_by(|one, next| one == next) {
        let mut left = if run[0] == 0 { run.len() } else { 0 };
        while left >= 3 {
            let (symbol, least, bits) = if left > 10 { (MANY_ZEROS, 11, 7) } else { (FEW_ZEROS, 3, 3) };
            let zeros = left.min(least + (1 << bits) - 1);
            header.extend([codeword(symbol), ((zeros - least) as u64, bits)]);
            left -= zeros;
        }
        let single = if run[0] == 0 { left } else { run.len() };
        header.extend(vec![codeword(run[0].into()); single]);
    }
    header
});

#[cfg(test)]
mod tests {
    use super::*;

    /// The longest codeword.
    const MAX_LENGTH: usize = 14;

    fn kraft(lengths: &[u8]) -> u64 {
        lengths
            .iter()
            .filter(|&&length| length > 0)
            .map(|length| 1 << (MAX_LENGTH - usize::from(*length)))
            .sum()
    }

    fn inflated(compressed: &[u8]) -> Vec<u8> {
        miniz_oxide::inflate::decompress_to_vec_zlib(compressed).unwrap()
    }

    #[test]
    fn contents_come_back() {
        let mut drawing = Drawing::new();
        let pieces: [&[u8]; 5] =
            [b"0 0 7 1 re\n", b"", b"8 0 1 1 re\n12 0 100 1 re\n", b" 1 re\n", b"q\n-.5 1 re\nf\nQ\n"];
        for repeats in [0, 1, 9] {
            let content = pieces.concat().repeat(repeats);
            for piece in pieces.iter().cycle().take(pieces.len() * repeats) {
                drawing.push(piece);
            }
            assert_eq!(inflated(&drawing.finish()), content);
        }
        let every: Vec<u8> = (0..=255).filter(|&byte| LENGTHS[usize::from(byte)] > 0).collect();
        drawing.push(&every);
        assert_eq!(inflated(&drawing.finish()), every);
    }

    #[test]
    fn endings_repeat_at_every_distance() {
        for distance in 6..40 {
            let mut drawing = Drawing::new();
            let content = [ENDING.as_slice(), &vec![b'7'; distance - 6], ENDING].concat();
            drawing.push(&content);
            assert_eq!(inflated(&drawing.finish()), content, "{distance}");
        }
    }

    #[test]
    fn codes_are_complete() {
        for lengths in [LENGTHS.as_slice(), &DISTANCE_LENGTHS, &LENGTH_LENGTHS] {
            assert_eq!(kraft(lengths), 1 << MAX_LENGTH);
        }
        for length in LENGTHS.into_iter().chain(DISTANCE_LENGTHS) {
            assert!(LENGTH_LENGTHS[usize::from(length)] > 0, "{length}");
        }
    }
}
