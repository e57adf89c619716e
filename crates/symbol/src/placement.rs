//! Where the codewords' bits go: up and down the column pairs (ISO/IEC 18004, clause 7.7.3).
//!
//! Where both columns of a pair are free, they take turns: a column takes every other bit. So the codewords' bits are first
//! parted into those of even and of odd number, each in both directions; then a column is filled by copying runs of
//! consecutive bits; and rows are made by transposing the columns.

use crate::capacity::{MAX_CODEWORDS, total_codewords};
use crate::layout::Layout;
use crate::lines::{Squares, row_words};
use crate::vector::{Level, SQUARE};
use crate::{ROW_WORDS, Version};

/// Codewords that are parted at once.
const STEP: usize = 16;
/// Bytes that are read beyond the last codeword.
pub(crate) const READ_AHEAD: usize = STEP - 1;
/// Bits of a run at most: they lie in the eight bytes from its first byte on.
const MAX_RUN: usize = 57;
/// Bytes of one stream: half of the codewords' bits.
const STREAM: usize = MAX_CODEWORDS.div_ceil(STEP) * WORD;
/// Bytes of a word.
const WORD: usize = 8;

/// The codewords' bits, the first being the lowest of the first byte: those of even number, those of odd number, and both
/// again with the last bit first. Bytes that a run's last word may reach follow.
pub(crate) struct Streams([u8; 4 * STREAM + WORD]);

/// Consecutive bits of a stream that go to consecutive rows of a column, in one square.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// The first of the streams' eight bytes that hold the bits.
    byte: u16,
    /// Which of the columns' words they go to.
    word: u16,
    /// How far the bits go up to lose those above them, then down to lose those below, and up again to their row.
    shifts: [u8; 3],
}

/// The way of a version's codeword bits to its columns and rows.
#[derive(Debug)]
pub(crate) struct Placement {
    /// Codewords in [`STEP`]s.
    steps: usize,
    /// Squares on a side of the symbol.
    squares: usize,
    runs: Vec<Run>,
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

    /// A run's bits at their place in the column's word.
    #[inline(always)]
    fn bits(&self, run: Run) -> u64 {
        let mut bytes = [0; WORD];
        bytes.copy_from_slice(&self.0[usize::from(run.byte)..][..WORD]);
        u64::from_le_bytes(bytes) << run.shifts[0] >> run.shifts[1] << run.shifts[2]
    }
}

impl Placement {
    pub(crate) fn new(version: Version, layout: &Layout) -> Self {
        let steps = total_codewords(version).div_ceil(STEP);
        let mut runs = Vec::new();
        for (x, column) in sources(version, layout, steps).iter().enumerate() {
            let mut y = 0;
            while y < version.size() {
                let Some(source) = column[y] else {
                    y += 1;
                    continue;
                };
                let most = MAX_RUN.min(SQUARE - y % SQUARE);
                let follows = |&(index, &next): &(usize, &Option<usize>)| next == Some(source + index);
                let length = column[y..].iter().enumerate().take(most).take_while(follows).count();
                runs.push(Run {
                    byte: (source / 8) as u16,
                    word: (y / SQUARE * SQUARE * ROW_WORDS + x) as u16,
                    shifts: [64 - source % 8 - length, 64 - length, y % SQUARE].map(|bits| bits as u8),
                });
                y += length;
            }
        }
        Self { steps, squares: row_words(version), runs }
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
        self.fill(streams, columns);
        self.transpose(level, columns, rows);
    }

    #[inline(always)]
    fn fill(&self, streams: &Streams, columns: &mut Squares) {
        for words in &mut columns[..self.squares] {
            words[..SQUARE * self.squares].fill(0);
        }
        let columns = columns.as_flattened_mut();
        for &run in &self.runs {
            columns[usize::from(run.word)] |= streams.bits(run);
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
