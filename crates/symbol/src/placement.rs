//! Where the codewords' bits go: up and down the column pairs (ISO/IEC 18004, clause 7.7.3).
//!
//! Where both columns of a pair are free, they take turns: a column takes every other bit. So the codewords' bits are first
//! parted into those of even and of odd number, each in both directions; then a column is filled by depositing consecutive
//! bits of one of these streams in its free modules; and rows are made by transposing the columns.

use crate::capacity::{MAX_CODEWORDS, total_codewords};
use crate::layout::Layout;
use crate::lines::{Squares, row_words};
use crate::vector::{Level, SQUARE};
use crate::{ROW_WORDS, Version};

/// Codewords that are parted at once.
const STEP: usize = 16;
/// Bytes that are read beyond the last codeword.
pub(crate) const READ_AHEAD: usize = STEP - 1;
/// Bytes of one stream: half of the codewords' bits.
const STREAM: usize = MAX_CODEWORDS.div_ceil(STEP) * WORD;
/// Bytes of a word.
const WORD: usize = 8;

/// The codewords' bits, the first being the lowest of the first byte: those of even number, those of odd number, and both
/// again with the last bit first. Bytes that a deposit's second word may reach follow.
pub(crate) struct Streams([u8; 4 * STREAM + WORD]);

/// Consecutive bits of a stream that go to modules of a column, in one square.
#[derive(Clone, Copy, Debug)]
struct Deposit {
    /// The modules, as bits of the column's word.
    modules: u64,
    /// The byte of the streams in which the first of the bits is.
    byte: u16,
    /// Which of the columns' words has the modules.
    word: u16,
    /// How far up in its byte the first bit is.
    shift: u8,
}

/// The way of a version's codeword bits to its columns and rows.
#[derive(Debug)]
pub(crate) struct Placement {
    /// Codewords in [`STEP`]s.
    steps: usize,
    /// Squares on a side of the symbol.
    squares: usize,
    deposits: Vec<Deposit>,
}

impl Streams {
    pub(crate) const BLANK: Self = Self([0; 4 * STREAM + WORD]);

    /// Parts the codewords' bits.
    #[inline(always)]
    fn part<L: Level>(&mut self, level: L, codewords: &[[[u8; WORD]; 2]]) {
        let count = codewords.len();
        let [even, odd, even_back, odd_back] = self.sections(count);
        for index in 0..count {
            let [first, second] = codewords[index].map(u64::from_be_bytes);
            let parted = level.part(first, second);
            let back = count - 1 - index;
            (even_back[back], odd_back[back]) = (parted[0].to_le_bytes(), parted[1].to_le_bytes());
        }
        for (forward, back) in [(even, even_back), (odd, odd_back)] {
            // Slices of evidently equal lengths need no checks that keep vectors away.
            let (forward, back) = (&mut forward[..count], &back[..count]);
            for index in 0..count {
                forward[index] = u64::from_le_bytes(back[count - 1 - index]).reverse_bits().to_le_bytes();
            }
        }
    }

    /// The streams' words, as far as they are used.
    #[inline(always)]
    fn sections(&mut self, words: usize) -> [&mut [[u8; WORD]]; 4] {
        let (even, rest) = self.0.split_at_mut(STREAM);
        let (odd, rest) = rest.split_at_mut(STREAM);
        let (even_back, odd_back) = rest.split_at_mut(STREAM);
        [even, odd, even_back, odd_back].map(|stream| &mut stream.as_chunks_mut().0[..words])
    }

    /// Where the bit of that number is, in the streams forward or backward.
    fn position(bit: usize, forward: bool, steps: usize) -> usize {
        let half = bit / 2;
        let parity = bit % 2 * 8 * STREAM;
        if forward { parity + half } else { 16 * STREAM + parity + 64 * steps - 1 - half }
    }

    /// The 64 bits of the streams from where a deposit's begin.
    #[inline(always)]
    fn bits(&self, deposit: Deposit) -> u64 {
        let bytes = &self.0[usize::from(deposit.byte)..][..=WORD];
        let word = |first: usize| {
            let mut word = [0; WORD];
            word.copy_from_slice(&bytes[first..first + WORD]);
            u64::from_le_bytes(word)
        };
        word(0) >> deposit.shift | word(1) << (8 - deposit.shift)
    }
}

impl Deposit {
    /// The bit of the streams that comes after its own.
    fn end(&self) -> usize {
        8 * usize::from(self.byte) + usize::from(self.shift) + self.modules.count_ones() as usize
    }
}

impl Placement {
    pub(crate) fn new(version: Version, layout: &Layout) -> Self {
        let steps = total_codewords(version).div_ceil(STEP);
        let mut deposits: Vec<Deposit> = Vec::new();
        for (x, column) in sources(version, layout, steps).iter().enumerate() {
            for (square, sources) in column.chunks(SQUARE).enumerate() {
                let first = deposits.len();
                for (y, source) in sources.iter().enumerate() {
                    let Some(source) = *source else { continue };
                    let module = 1 << y;
                    // Beside a function pattern the column takes bits of both streams in turn, and then goes on with the other.
                    if let Some(deposit) =
                        deposits[first..].iter_mut().find(|deposit| deposit.end() == source)
                    {
                        deposit.modules |= module;
                    } else {
                        let word = (square * SQUARE * ROW_WORDS + x) as u16;
                        let (byte, shift) = ((source / 8) as u16, (source % 8) as u8);
                        deposits.push(Deposit { modules: module, byte, word, shift });
                    }
                }
            }
        }
        Self { steps, squares: row_words(version), deposits }
    }

    /// Places the codewords' bits in columns and rows; all other modules are light. `codewords` is followed by
    /// [`READ_AHEAD`] bytes of any value.
    #[inline(always)]
    pub(crate) fn place<L: Level>(
        &self,
        level: L,
        codewords: &[u8],
        streams: &mut Streams,
        columns: &mut Squares,
        rows: &mut Squares,
    ) {
        streams.part(level, &codewords.as_chunks().0.as_chunks().0[..self.steps]);
        self.fill(level, streams, columns);
        self.transpose(level, columns, rows);
    }

    #[inline(always)]
    fn fill<L: Level>(&self, level: L, streams: &Streams, columns: &mut Squares) {
        for words in &mut columns[..self.squares] {
            words[..SQUARE * self.squares].fill(0);
        }
        let columns = columns.as_flattened_mut();
        for &deposit in &self.deposits {
            columns[usize::from(deposit.word)] |= level.deposit(streams.bits(deposit), deposit.modules);
        }
    }

    #[inline(always)]
    fn transpose<L: Level>(&self, level: L, columns: &Squares, rows: &mut Squares) {
        for down in 0..self.squares {
            for across in 0..self.squares {
                let square = &mut rows[across].as_chunks_mut().0[down];
                *square = columns[down].as_chunks().0[across];
                level.transpose(square);
            }
        }
    }
}

/// For each module of each column, which of the streams' bits goes there.
fn sources(version: Version, layout: &Layout, steps: usize) -> Vec<Vec<Option<usize>>> {
    let size = version.size();
    let mut sources = vec![vec![None; size]; size];
    let mut bits = 0..8 * total_codewords(version);
    let pairs = (size - 1) / 2;
    for turn in 0..pairs {
        // The vertical timing pattern is in no pair.
        let pair = pairs - 1 - turn;
        let right = if pair < 3 { 2 * pair + 1 } else { 2 * pair + 2 };
        let upward = turn % 2 == 0;
        for step in 0..size {
            let y = if upward { size - 1 - step } else { step };
            for x in [right, right - 1] {
                if layout.is_free(x, y) {
                    sources[x][y] = bits.next().map(|bit| Streams::position(bit, !upward, steps));
                }
            }
        }
    }
    debug_assert!(bits.is_empty());
    sources
}
