//! Where the codewords' bits go: up and down the column pairs (ISO/IEC 18004, clause 7.7.3).
//!
//! A column pair is a line of two-bit elements, one for each row. Squares of 32 pairs by 32 rows, a word for each pair,
//! are filled a run at a time and then transposed: a word for each row.

use crate::Version;
use crate::capacity::total_codewords;
use crate::layout::Layout;

/// Rows, or column pairs, of a square.
const SQUARE: usize = 32;
/// Rows of a run at most: its bits lie in the eight bytes from its first byte on.
const MAX_RUN_ROWS: usize = 28;
/// Bytes that are read beyond the last codeword.
pub(crate) const READ_AHEAD: usize = 7;
/// Words of all squares of the largest symbol.
pub(crate) const MAX_PAIR_WORDS: usize = SQUARE * Version::MAX.size().div_ceil(SQUARE) * 3;

/// Consecutive rows of a column pair in one square, both columns free.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// The first bit among all codewords' bits.
    start: u16,
    /// Which of the squares' words the pair is.
    word: u16,
    /// The topmost row in the square.
    top: u8,
    /// Rows, 1 to 28.
    rows: u8,
}

/// A bit whose neighbour in the pair is a function module or a remainder bit.
#[derive(Clone, Copy, Debug)]
struct Single {
    /// Which of the codewords' bits.
    bit: u16,
    /// Which of the squares' words the pair is.
    word: u16,
    /// Its place in the word.
    shift: u8,
}

/// The way of a version's codeword bits to its rows.
#[derive(Debug)]
pub(crate) struct Placement {
    /// Words of a row.
    row_words: usize,
    upward: Vec<Run>,
    downward: Vec<Run>,
    singles: Vec<Single>,
}

impl Placement {
    /// The placement for rows of `row_words` words, in which column `x` is bit `x + 1`.
    pub(crate) fn new(version: Version, layout: &Layout, row_words: usize) -> Self {
        let size = version.size();
        let bits = 8 * total_codewords(version);
        let mut placement = Self { row_words, upward: Vec::new(), downward: Vec::new(), singles: Vec::new() };
        let mut bit = 0;
        let pairs = (size - 1) / 2;
        for turn in 0..pairs {
            let element = Element::of_pair(pairs - 1 - turn);
            let upward = turn % 2 == 0;
            for step in 0..size {
                let y = if upward { size - 1 - step } else { step };
                let free = [element.right, element.right - 1].map(|x| layout.is_free(x, y));
                if free == [true; 2] && bit + 2 <= bits {
                    placement.push_row(bit, element, y, upward);
                    bit += 2;
                    continue;
                }
                for (column, _) in free.into_iter().enumerate().filter(|&(_, free)| free) {
                    if bit < bits {
                        placement.push_single(bit, element, y, column);
                        bit += 1;
                    }
                }
            }
        }
        debug_assert_eq!(bit, bits);
        placement
    }

    fn word(&self, element: Element, y: usize) -> u16 {
        let square = y / SQUARE * self.row_words + element.index / SQUARE;
        (square * SQUARE + element.index % SQUARE) as u16
    }

    /// Appends a row with both columns free to the last run, or begins another.
    fn push_row(&mut self, bit: usize, element: Element, y: usize, upward: bool) {
        let word = self.word(element, y);
        let row = (y % SQUARE) as u8;
        let runs = if upward { &mut self.upward } else { &mut self.downward };
        if let Some(run) = runs.last_mut()
            && run.word == word
            && usize::from(run.rows) < MAX_RUN_ROWS
            && row == if upward { run.top.wrapping_sub(1) } else { run.top + run.rows }
        {
            run.top = run.top.min(row);
            run.rows += 1;
        } else {
            runs.push(Run { start: bit as u16, word, top: row, rows: 1 });
        }
    }

    fn push_single(&mut self, bit: usize, element: Element, y: usize, column: usize) {
        let word = self.word(element, y);
        let shift = (2 * (y % SQUARE) + 1 - column) as u8;
        self.singles.push(Single { bit: bit as u16, word, shift });
    }

    /// Places the codewords' bits: column `x` of a row becomes bit `x + 1`, all other bits zero. `codewords` is
    /// followed by [`READ_AHEAD`] bytes of any value; there is room in `rows` for whole squares.
    #[inline(always)]
    pub(crate) fn place<const W: usize>(&self, codewords: &[u8], pairs: &mut [u64], rows: &mut [[u64; W]]) {
        let used = rows.len().div_ceil(SQUARE) * SQUARE * W;
        let pairs = &mut pairs[..used];
        pairs.fill(0);
        for run in &self.upward {
            // The first bit is that of the lowest row, whose element is the highest.
            let value = bits_at(codewords, run.start) >> (64 - 2 * run.rows);
            pairs[usize::from(run.word)] |= value << (2 * run.top);
        }
        for run in &self.downward {
            let mask = u64::MAX >> (64 - 2 * run.rows);
            let value = reverse_elements(bits_at(codewords, run.start)) & mask;
            pairs[usize::from(run.word)] |= value << (2 * run.top);
        }
        for single in &self.singles {
            let value = bits_at(codewords, single.bit) >> 63;
            pairs[usize::from(single.word)] |= value << single.shift;
        }
        let (squares, _) = pairs.as_chunks_mut::<SQUARE>();
        for (index, square) in squares.iter_mut().enumerate() {
            transpose(square);
            let left = index % W == 0;
            let rows = &mut rows[index / W * SQUARE..];
            for (row, &word) in rows.iter_mut().zip(square.iter()) {
                row[index % W] = if left { Element::spread_left(word) } else { word };
            }
        }
    }
}

/// A column pair's place in the rows.
#[derive(Clone, Copy)]
struct Element {
    /// Counted in twos of bits from the left, in the squares.
    index: usize,
    /// The column that takes the first bit.
    right: usize,
}

impl Element {
    /// Pairs left of the vertical timing pattern.
    const LEFT: usize = 3;

    /// The pair of that number, counted from the left. Those right of the timing pattern are where their bits
    /// in a row are; the three left of it one bit lower, which [`Element::spread_left`] makes up for.
    fn of_pair(pair: usize) -> Self {
        if pair < Self::LEFT {
            Self { index: pair, right: 2 * pair + 1 }
        } else {
            Self { index: pair + 1, right: 2 * pair + 2 }
        }
    }

    #[inline(always)]
    fn spread_left(word: u64) -> u64 {
        const MASK: u64 = (1 << (2 * Element::LEFT)) - 1;
        (word & !MASK) | (word & MASK) << 1
    }
}

/// The bits from `bit` on, the first at the top; at least 57 of them are right.
#[inline(always)]
fn bits_at(codewords: &[u8], bit: u16) -> u64 {
    let byte = usize::from(bit / 8);
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&codewords[byte..byte + 8]);
    u64::from_be_bytes(bytes) << (bit % 8)
}

/// Exchanges the first two-bit element with the last, and so on.
#[inline(always)]
fn reverse_elements(word: u64) -> u64 {
    let word = word.swap_bytes();
    let word = word >> 4 & 0x0F0F_0F0F_0F0F_0F0F | (word & 0x0F0F_0F0F_0F0F_0F0F) << 4;
    word >> 2 & 0x3333_3333_3333_3333 | (word & 0x3333_3333_3333_3333) << 2
}

/// Exchanges element `i` of word `j` with element `j` of word `i`.
#[inline(always)]
fn transpose(square: &mut [u64; SQUARE]) {
    transpose_step::<16, 0x0000_0000_FFFF_FFFF>(square);
    transpose_step::<8, 0x0000_FFFF_0000_FFFF>(square);
    transpose_step::<4, 0x00FF_00FF_00FF_00FF>(square);
    transpose_step::<2, 0x0F0F_0F0F_0F0F_0F0F>(square);
    transpose_step::<1, 0x3333_3333_3333_3333>(square);
}

/// Exchanges the off-diagonal quarters, `HALF` elements wide, of the squares twice as wide.
#[inline(always)]
fn transpose_step<const HALF: usize, const LOW: u64>(square: &mut [u64; SQUARE]) {
    for quarter in 0..SQUARE / 2 / HALF {
        for i in 2 * quarter * HALF..(2 * quarter + 1) * HALF {
            let (a, b) = (square[i], square[i + HALF]);
            square[i] = a & LOW | (b & LOW) << (2 * HALF);
            square[i + HALF] = a >> (2 * HALF) & LOW | b & !LOW;
        }
    }
}
