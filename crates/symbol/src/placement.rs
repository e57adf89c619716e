//! Where the codewords' bits go: up and down the column pairs (ISO/IEC 18004, clause 7.7.3).
//!
//! A pair takes the bits that follow one another, in each row the right module before the left one. So words of so many rows
//! of a pair are filled by depositing consecutive bits in their free modules. Transposing these words makes rows, and
//! transposing the rows makes columns.

use crate::capacity::{MAX_CODEWORDS, total_codewords};
use crate::layout::Layout;
use crate::lines::{Squares, row_words};
use crate::vector::{Level, SQUARE, Used};
use crate::{ROW_WORDS, Version};

/// Rows of a pair that fit in a word.
const PAIR_ROWS: usize = 32;
/// Columns before the vertical timing pattern, which is in no pair.
const LEFT_COLUMNS: u64 = 0x3F;
/// The pairs that are filled upward: the last one and every other.
const UPWARD: u64 = 0xCCCC_CCCC_CCCC_CCCC;

/// Codewords after as many bytes, of any value, as a deposit may reach back.
pub(crate) type Codewords = [u8; LEAD + MAX_CODEWORDS];
/// Bytes before the first codeword.
pub(crate) const LEAD: usize = WORD;
/// Bytes of a word.
const WORD: usize = 8;

/// Column pairs in squares, from left to right and then from top to bottom: 32 rows of each pair, and the next 32 rows. Bits
/// `2 * y` and `2 * y + 1` are row `y` of the upward pairs, but row `31 - y` of the others, so that in each pair earlier bits of the
/// codewords are above later ones.
pub(crate) type Pairs = [[u64; SQUARE]; ROW_WORDS * ROW_WORDS];

/// Consecutive bits of the codewords that go to modules of a pair, in one word.
#[derive(Clone, Copy, Debug)]
struct Deposit {
    /// The modules, as bits of the word.
    modules: u64,
    /// The codeword in which the last of the bits is.
    codeword: u16,
    /// Which of the pairs' words has the modules.
    word: u16,
    /// The bits of the codeword after the last.
    shift: u8,
}

/// The way of a version's codeword bits to its columns and rows.
#[derive(Debug)]
pub(crate) struct Placement {
    /// Modules on a side of the symbol.
    size: usize,
    /// Squares on a side.
    squares: usize,
    deposits: Vec<Deposit>,
}

impl Deposit {
    /// The bits, the last one lowest; of any value above the first.
    #[inline(always)]
    fn bits(&self, codewords: &Codewords) -> u64 {
        let first = usize::from(self.codeword) + LEAD - WORD;
        let bytes = &codewords[first..=first + WORD];
        let mut word = [0; WORD];
        word.copy_from_slice(&bytes[1..]);
        u64::from_be_bytes(word) >> self.shift | u64::from(bytes[0]) << 56 << (8 - self.shift)
    }
}

impl Placement {
    pub(crate) fn new(version: Version, layout: &Layout) -> Self {
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
                    if y < size && layout.is_free(x, y) && bits.next().is_some() {
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
        debug_assert!(bits.is_empty());
        Self { size, squares, deposits }
    }

    /// Places the codewords' bits in columns and rows; all other modules are light.
    #[inline(always)]
    pub(crate) fn place<L: Level>(
        &self,
        level: L,
        codewords: &Codewords,
        pairs: &mut Pairs,
        columns: &mut Squares,
        rows: &mut Squares,
    ) {
        self.fill(level, codewords, pairs);
        let pairs = &mut pairs[..self.squares * self.squares];
        // From the right: the leftmost pairs, stored just now, cannot be loaded as fast.
        for (down, squares) in pairs.chunks_exact_mut(self.squares).enumerate().rev() {
            for (across, square) in squares.iter_mut().enumerate().rev() {
                level.transpose_pairs(square, self.used(across, down));
            }
        }
        for down in 0..self.squares {
            make_rows(&pairs[down * self.squares..][..self.squares], rows, down);
            for across in 0..self.squares {
                let square = &rows[across].as_chunks().0[down];
                let column = &mut columns[down].as_chunks_mut().0[across];
                level.transpose(square, column, self.used(across, down));
            }
        }
    }

    /// What is in use of the square that has so many to its left and above.
    #[inline(always)]
    fn used(&self, across: usize, down: usize) -> Used {
        let [columns, rows] = [across, down].map(|before| (self.size - SQUARE * before).min(SQUARE));
        Used { columns, rows }
    }

    #[inline(always)]
    fn fill<L: Level>(&self, level: L, codewords: &Codewords, pairs: &mut Pairs) {
        pairs[..self.squares * self.squares].fill([0; SQUARE]);
        let words = pairs.as_flattened_mut();
        for deposit in &self.deposits {
            words[usize::from(deposit.word)] = level.deposit(deposit.bits(codewords), deposit.modules);
        }
    }
}

/// Makes rows of the transposed squares that lie side by side.
#[inline(always)]
fn make_rows(squares: &[[u64; SQUARE]], rows: &mut Squares, down: usize) {
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
