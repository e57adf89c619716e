//! The placement of the codewords' bits: up and down pairs of columns, from the right (ISO/IEC 18004, clause 7.7.3).
//!
//! Consecutive bits go to one pair, in each row to the right module before the left one, past the function patterns. Three
//! steps do this with whole words:
//!
//! 1. *Deposit*: a word has 32 rows of a pair, two bits each. The next bits of the codewords are spread to its free modules.
//!
//!    ```text
//!    pair 3, upward     row 0   row 1   row 2   row 3           the last bits are in row 0,
//!    bits of its word   0 1     2 3     4 5     6 7   …         the first ones in the highest bits
//!    ```
//!
//! 2. *Transpose pairs*: word `i` of pair `j` becomes pair `j` of row `i`. That makes rows.
//! 3. *Transpose*: rows become columns, which the penalty rules need as well.

use qrpress_simd::{SQUARE, Simd};

use crate::bit_matrix::{WordsOfRows, row_words};
use crate::capacity::{MAX_CODEWORDS, total_codewords};
use crate::function_patterns::FunctionPatterns;
use crate::{ROW_WORDS, Version};

/// Rows of a pair that fit in a word.
const PAIR_ROWS: usize = 32;
/// Columns before the vertical timing pattern, which is in no pair.
const LEFT_COLUMNS: u64 = 0x3F;
/// The pairs that are filled upward: the last one and every other.
const UPWARD: u64 = 0xCCCC_CCCC_CCCC_CCCC;

/// The codewords, after bytes of any value: the first deposits read a whole word that ends with their bits.
pub(crate) type PaddedCodewords = [u8; BYTES_BEFORE + MAX_CODEWORDS];
/// Bytes before the first codeword.
pub(crate) const BYTES_BEFORE: usize = WORD;
/// Bytes of a word.
const WORD: usize = 8;

/// Pairs of columns in squares of 64 × 64 modules, from left to right and then from top to bottom. A square has rows 0 to 31 of
/// its 32 pairs, a word each, and then rows 32 to 63. Bits `2 * y` and `2 * y + 1` of a word are row `y` of an upward pair, but row
/// `31 - y` of a downward pair: so earlier bits of the codewords are always in higher bits than later ones.
pub(crate) type PairSquares = [[u64; SQUARE]; ROW_WORDS * ROW_WORDS];

/// Consecutive bits of the codewords that go to modules of a pair, in one word.
#[derive(Clone, Copy, Debug)]
struct Deposit {
    /// The modules, as bits of the word.
    modules: u64,
    /// The codeword in which the last of the bits is.
    codeword: u16,
    /// The index of the word that has the modules.
    word: u16,
    /// The number of bits that the codeword has after the last one.
    shift: u8,
}

/// The deposits of a version, which do not depend on the data.
#[derive(Debug)]
pub(crate) struct Placement {
    /// Squares on a side.
    squares: usize,
    deposits: Vec<Deposit>,
}

impl Deposit {
    /// The bits, the last one lowest. Bits above the first have any value.
    #[inline(always)]
    fn bits(&self, codewords: &PaddedCodewords) -> u64 {
        let first = usize::from(self.codeword) + BYTES_BEFORE - WORD;
        let bytes = &codewords[first..=first + WORD];
        let mut word = [0; WORD];
        word.copy_from_slice(&bytes[1..]);
        u64::from_be_bytes(word) >> self.shift | u64::from(bytes[0]) << 56 << (8 - self.shift)
    }
}

impl Placement {
    pub(crate) fn new(version: Version, patterns: &FunctionPatterns) -> Self {
        let size = version.size();
        let squares = row_words(version);
        let mut deposits = Vec::new();
        let mut bits = 0..8 * total_codewords(version);
        for pair in (0..size / 2).rev() {
            let upward = pair % 2 == 1;
            let left = if 2 * pair < LEFT_COLUMNS.count_ones() as usize { 2 * pair } else { 2 * pair + 1 };
            let words = size.div_ceil(PAIR_ROWS);
            for turn in 0..words {
                let down = if upward { words - 1 - turn } else { turn };
                let mut modules = 0;
                for bit in (0..u64::BITS as usize).rev() {
                    let row = if upward { bit / 2 } else { PAIR_ROWS - 1 - bit / 2 };
                    let (x, y) = (left + bit % 2, PAIR_ROWS * down + row);
                    if y < size && patterns.is_free(x, y) && bits.next().is_some() {
                        modules |= 1 << bit;
                    }
                }
                if modules != 0 {
                    let square = down / 2 * squares + pair / PAIR_ROWS;
                    let word = (square * SQUARE + down % 2 * PAIR_ROWS + pair % PAIR_ROWS) as u16;
                    let last = bits.start - 1;
                    let (codeword, shift) = ((last / 8) as u16, 7 - (last % 8) as u8);
                    deposits.push(Deposit { modules, codeword, word, shift });
                }
            }
        }
        assert!(bits.is_empty(), "every bit has a module");
        Self { squares, deposits }
    }

    /// Places the bits of the codewords in columns and rows; all other modules are light.
    #[inline(always)]
    pub(crate) fn place<S: Simd>(
        &self,
        simd: S,
        codewords: &PaddedCodewords,
        pairs: &mut PairSquares,
        columns: &mut WordsOfRows,
        rows: &mut WordsOfRows,
    ) {
        self.fill(simd, codewords, pairs);
        let pairs = &mut pairs[..self.squares * self.squares];
        // From the right: the leftmost pairs, stored just now, cannot be loaded as fast.
        for square in pairs.iter_mut().rev() {
            simd.transpose_pairs(square);
        }
        for down in 0..self.squares {
            make_rows(&pairs[down * self.squares..][..self.squares], rows, down);
            for across in 0..self.squares {
                let square = &rows[across].as_chunks().0[down];
                let column = &mut columns[down].as_chunks_mut().0[across];
                simd.transpose(square, column);
            }
        }
    }

    #[inline(always)]
    fn fill<S: Simd>(&self, simd: S, codewords: &PaddedCodewords, pairs: &mut PairSquares) {
        pairs[..self.squares * self.squares].fill([0; SQUARE]);
        let words = pairs.as_flattened_mut();
        for deposit in &self.deposits {
            words[usize::from(deposit.word)] = simd.deposit(deposit.bits(codewords), deposit.modules);
        }
    }
}

/// Makes rows of the transposed squares that lie side by side.
#[inline(always)]
fn make_rows(squares: &[[u64; SQUARE]], rows: &mut WordsOfRows, down: usize) {
    let mut before = [0; SQUARE];
    let mut left = LEFT_COLUMNS;
    for (square, rows) in squares.iter().zip(rows) {
        let (rows, _) = rows[SQUARE * down..][..SQUARE].as_chunks_mut::<PAIR_ROWS>();
        let (before, _) = before.as_chunks_mut::<PAIR_ROWS>();
        for ((half, rows), before) in square.as_chunks::<PAIR_ROWS>().0.iter().zip(rows).zip(before) {
            for y in 0..PAIR_ROWS {
                let modules = half[y] & UPWARD | half[PAIR_ROWS - 1 - y] & !UPWARD;
                rows[y] = modules & left | (modules & !left) << 1 | before[y];
                before[y] = modules >> 63;
            }
        }
        left = 0;
    }
}
