//! The placement of the codewords' bits: up and down pairs of columns, from the right (ISO/IEC 18004, clause 7.7.3).
//!
//! Consecutive bits go to one pair, in each row to the right module before the left one, past the function patterns. Three
//! steps do this with whole words:
//!
//! 1. *Deposit*: a word has 32 rows of a pair, two bits each. A run of free modules takes the next bits of the codewords:
//!    eight codewords are loaded as a word, which is rotated until the bits lie where the run does.
//!
//!    ```text
//!    pair 3, upward     row 0   row 1   row 2   row 3           the last bits are in row 0,
//!    bits of its word   0 1     2 3     4 5     6 7   …         the first ones in the highest bits
//!    ```
//!
//! 2. *Part*: the left and the right column of each pair are parted, 32 rows of each in half a word.
//! 3. *Transpose*: columns become rows, 64 × 64 modules at a time. The penalty rules need both.

mod transpose;

use crate::bit_matrix::{WordsOfRows, row_words};
use crate::capacity::{MAX_CODEWORDS, total_codewords};
use crate::function_patterns::FunctionPatterns;
use crate::{ROW_WORDS, Version};
use transpose::{SQUARE, transpose};

/// Rows of a pair that fit in a word.
const PAIR_ROWS: usize = 32;
/// Pairs of columns of the largest symbol that are filled in one direction.
const MAX_PAIRS: usize = Version::MAX.size() / 4;
/// Columns before the vertical timing pattern, which is in no pair.
const LEFT_COLUMNS: usize = 6;

/// The codewords, before bytes of any value: the last deposits read whole words.
pub(crate) type PaddedCodewords = [u8; MAX_CODEWORDS + WORD];
/// Bytes of a word.
const WORD: usize = 8;
/// Bits that a word has from any bit of its first byte on.
const MAX_RUN: usize = 57;

/// The words of the pairs: for each 32 rows those of the downward pairs, every other one from the left, and those of the
/// upward pairs. Bits `2 * y` and `2 * y + 1` of a word are row `y` of an upward pair, but row `31 - y` of a downward pair: so
/// earlier bits of the codewords are always in higher bits than later ones.
pub(crate) type PairWords = [[[u64; MAX_PAIRS]; 2]; 2 * ROW_WORDS];

/// At most [`MAX_RUN`] consecutive bits of the codewords, which go to a run of modules of a pair, in one word.
#[derive(Clone, Copy, Debug)]
struct Deposit {
    /// The modules, as bits of the word.
    modules: u64,
    /// The codeword that has the first bit.
    codeword: u16,
    /// The index of the word that has the modules.
    word: u16,
    /// The rotation to the left that brings the bits to the modules.
    rotation: u8,
}

/// The deposits of a version, which do not depend on the data.
#[derive(Debug)]
pub(crate) struct Placement {
    version: Version,
    deposits: Vec<Deposit>,
}

impl Deposit {
    /// The bits, each where its module is. Other bits have any value.
    #[inline(always)]
    fn bits(&self, codewords: &PaddedCodewords) -> u64 {
        let mut word = [0; WORD];
        word.copy_from_slice(&codewords[usize::from(self.codeword)..][..WORD]);
        u64::from_be_bytes(word).rotate_left(self.rotation.into())
    }
}

impl Placement {
    pub(crate) fn new(version: Version, patterns: &FunctionPatterns) -> Self {
        let size = version.size();
        let mut deposits = Vec::new();
        let mut bits = 0..8 * total_codewords(version);
        for pair in (0..size / 2).rev() {
            let upward = pair % 2 == 1;
            let left = if 2 * pair < LEFT_COLUMNS { 2 * pair } else { 2 * pair + 1 };
            let words = size.div_ceil(PAIR_ROWS);
            for turn in 0..words {
                let down = if upward { words - 1 - turn } else { turn };
                let word = ((2 * down + usize::from(upward)) * MAX_PAIRS + pair / 2) as u16;
                let mut run: Option<Deposit> = None;
                for bit in (0..u64::BITS as usize).rev() {
                    let row = if upward { bit / 2 } else { PAIR_ROWS - 1 - bit / 2 };
                    let (x, y) = (left + bit % 2, PAIR_ROWS * down + row);
                    let is_free = y < size && patterns.is_free(x, y);
                    let is_full = run.is_some_and(|run| run.modules.count_ones() as usize == MAX_RUN);
                    if !is_free || is_full {
                        deposits.extend(run.take());
                    }
                    if is_free && let Some(first) = bits.next() {
                        // The first codeword is in the highest bits of the word that is loaded.
                        let (codeword, rotation) = ((first / 8) as u16, ((bit + 1 + first % 8) % 64) as u8);
                        let run = run.get_or_insert(Deposit { modules: 0, codeword, word, rotation });
                        run.modules |= 1 << bit;
                    }
                }
                deposits.extend(run);
            }
        }
        assert!(bits.is_empty(), "every bit has a module");
        Self { version, deposits }
    }

    /// Places the bits of the codewords in columns and rows; all other modules are light.
    #[inline(always)]
    pub(crate) fn place(
        &self,
        codewords: &PaddedCodewords,
        pairs: &mut PairWords,
        columns: &mut WordsOfRows,
        rows: &mut WordsOfRows,
    ) {
        let squares = row_words(self.version);
        let pairs = &mut pairs[..2 * squares];
        self.fill(codewords, pairs);
        for (halves, columns) in pairs.as_chunks().0.iter().zip(&mut *columns) {
            part_columns(halves, self.version.size(), &mut columns[..squares * SQUARE]);
        }
        for down in 0..squares {
            for across in 0..squares {
                let square = &columns[down].as_chunks().0[across];
                transpose(square, &mut rows[across].as_chunks_mut().0[down]);
            }
        }
    }

    #[inline(always)]
    fn fill(&self, codewords: &PaddedCodewords, pairs: &mut [[[u64; MAX_PAIRS]; 2]]) {
        pairs.as_flattened_mut().fill([0; MAX_PAIRS]);
        let words = pairs.as_flattened_mut().as_flattened_mut();
        for deposit in &self.deposits {
            words[usize::from(deposit.word)] |= deposit.bits(codewords) & deposit.modules;
        }
    }
}

/// Makes words of columns, 64 rows each, of the pairs' words of two times 32 rows.
#[inline(always)]
fn part_columns([above, below]: &[[[u64; MAX_PAIRS]; 2]; 2], size: usize, columns: &mut [u64]) {
    let (paired, after) = columns[1..].split_at_mut(size - 1);
    after.fill(0);
    let downward = above[0].iter().zip(&below[0]);
    let upward = above[1].iter().zip(&below[1]);
    for ((columns, downward), upward) in paired.as_chunks_mut::<4>().0.iter_mut().zip(downward).zip(upward) {
        let [right, left] = joined(part::<true>(*downward.0), part::<true>(*downward.1));
        [columns[0], columns[1]] = [left, right];
        [columns[2], columns[3]] = joined(part::<false>(*upward.0), part::<false>(*upward.1));
    }
    // The columns before the timing pattern were stored one further right.
    columns.copy_within(1..=LEFT_COLUMNS, 0);
    columns[LEFT_COLUMNS] = 0;
}

/// The lower halves of both words, and the upper halves.
#[inline(always)]
fn joined(above: u64, below: u64) -> [u64; 2] {
    const LOW: u64 = u64::MAX >> 32;
    [above & LOW | below << 32, above >> 32 | below & !LOW]
}

/// Moves the even bits of a word to its lower half and the odd bits to its upper half, in their order; or all of that in the
/// reverse order of bits, `REVERSED`. In each step, parts of a bit, two bits, four and so on change places:
///
/// ```text
/// bits of a pair's word   r3 l3 r2 l2 r1 l1 r0 l0    part 1 of 0 to 3 with part 2
///                         r3 r2 l3 l2 r1 r0 l1 l0    the same with parts of two bits
///                         r3 r2 r1 r0 l3 l2 l1 l0
/// reversed                l0 l1 r0 r1 l2 l3 r2 r3 …  part 0 of 0 to 3 with part 3
/// ```
#[inline(always)]
fn part<const REVERSED: bool>(mut word: u64) -> u64 {
    // The first of every four parts.
    const FIRST: [u64; 5] = [
        0x1111_1111_1111_1111,
        0x0303_0303_0303_0303,
        0x000F_000F_000F_000F,
        0x0000_00FF_0000_00FF,
        0x0000_0000_0000_FFFF,
    ];
    for (step, first) in FIRST.into_iter().enumerate() {
        let bits = 1 << step;
        let (low, apart) = if REVERSED { (first, 3 * bits) } else { (first << bits, bits) };
        let changed = (word >> apart ^ word) & low;
        word ^= changed | changed << apart;
    }
    word
}

#[cfg(test)]
mod tests {
    use qrpress_testkit::Random;

    use super::*;

    #[test]
    fn parts_even_bits_from_odd_ones() {
        let word = Random(1).bits();
        let parted =
            |word: u64| (0..64).fold(0, |sum, bit| sum | (word >> bit & 1) << (bit / 2 + bit % 2 * 32));
        assert_eq!(part::<false>(word), parted(word));
        assert_eq!(part::<true>(word), parted(word.reverse_bits()));
    }
}
