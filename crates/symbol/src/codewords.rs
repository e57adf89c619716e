//! Splits data codewords into blocks, appends their error correction codewords and interleaves both (ISO/IEC 18004, clause 7.6).

use crate::capacity::{Blocks, MAX_BLOCKS};
use crate::reed_solomon::{Divisor, MAX_DEGREE};
use crate::vector::Level;

/// Blocks, and codewords of each, that are interleaved at once.
const SQUARE: usize = 8;

/// The blocks' error correction codewords, one block after another.
pub(crate) type Corrections = [[u8; MAX_DEGREE]; MAX_BLOCKS];

/// Writes the final sequence of codewords of `data`; `corrections` is memory for the blocks' error correction codewords.
#[inline(always)]
pub(crate) fn interleave<L: Level>(
    level: L,
    blocks: &Blocks,
    divisor: &Divisor,
    data: &[u8],
    corrections: &mut Corrections,
    codewords: &mut [u8],
) {
    let (data_part, ec_part) = codewords.split_at_mut(data.len());
    let (even_part, last_part) = data_part.split_at_mut(blocks.short_data * blocks.count);
    // The last codewords of longer blocks come after all others.
    for (last, index) in last_part.iter_mut().zip(blocks.short_count..) {
        *last = data[blocks.start(index + 1) - 1];
    }
    exchange(even_part, blocks.count, |index| &data[blocks.start(index)..]);
    if !level.correct_interleaved(blocks, divisor, data_part, ec_part) {
        let corrections = &mut corrections[..blocks.count];
        correct(blocks, divisor, data, corrections);
        exchange(ec_part, blocks.count, |index| &corrections[index]);
    }
}

/// Finds the blocks' error correction codewords.
#[inline(always)]
fn correct(blocks: &Blocks, divisor: &Divisor, data: &[u8], corrections: &mut [[u8; MAX_DEGREE]]) {
    let block = |index: usize| &data[blocks.start(index)..blocks.start(index + 1)];
    // Three at a time, since each step of a division waits for the one before; more have no room in the registers.
    let (threes, rest) = corrections.as_chunks_mut();
    for (index, three) in threes.iter_mut().enumerate() {
        *three = divisor.remainders([0, 1, 2].map(|offset| block(3 * index + offset)));
    }
    let last = blocks.count - 1;
    match rest {
        [first, second] => [*first, *second] = divisor.remainders([block(last - 1), block(last)]),
        [only] => [*only] = divisor.remainders([block(last)]),
        _ => {}
    }
}

/// Writes the first codewords of `count` rows, then the second ones, and so on until `sequence` is full.
#[inline(always)]
fn exchange<'a>(sequence: &mut [u8], count: usize, row: impl Fn(usize) -> &'a [u8]) {
    match count {
        1 => sequence.copy_from_slice(&row(0)[..sequence.len()]),
        2 => exchange_few(sequence, [row(0), row(1)]),
        4 => exchange_few(sequence, [row(0), row(1), row(2), row(3)]),
        SQUARE.. => exchange_squares(sequence, count, row),
        _ => {
            for index in 0..count {
                for (to, from) in sequence[index..].iter_mut().step_by(count).zip(row(index)) {
                    *to = *from;
                }
            }
        }
    }
}

/// The same for a number of rows that is known in advance.
#[inline(always)]
fn exchange_few<const N: usize>(sequence: &mut [u8], rows: [&[u8]; N]) {
    let (sequence, _) = sequence.as_chunks_mut::<N>();
    let rows = rows.map(|row| &row[..sequence.len()]);
    for (index, codewords) in sequence.iter_mut().enumerate() {
        for (codeword, row) in codewords.iter_mut().zip(rows) {
            *codeword = row[index];
        }
    }
}

/// The same for eight rows or more: in squares, the last of which overlap those before, as long as there are not eights.
#[inline(always)]
fn exchange_squares<'a>(sequence: &mut [u8], count: usize, row: impl Fn(usize) -> &'a [u8]) {
    let length = sequence.len() / count;
    for first_row in (0..count).step_by(SQUARE) {
        let first_row = first_row.min(count - SQUARE);
        let mut rows = [&[][..]; SQUARE];
        for (index, row_of) in rows.iter_mut().enumerate() {
            *row_of = &row(first_row + index)[..length];
        }
        for first in (0..length).step_by(SQUARE) {
            let first = first.min(length - SQUARE);
            let mut square = [0; SQUARE];
            for (word, row) in square.iter_mut().zip(rows) {
                let mut bytes = [0; SQUARE];
                bytes.copy_from_slice(&row[first..first + SQUARE]);
                *word = u64::from_le_bytes(bytes);
            }
            transpose(&mut square);
            let columns = &mut sequence[first * count + first_row..][..(SQUARE - 1) * count + SQUARE];
            for (index, word) in square.iter().enumerate() {
                columns[index * count..index * count + SQUARE].copy_from_slice(&word.to_le_bytes());
            }
        }
    }
}

/// Exchanges byte `i` of word `j` with byte `j` of word `i`.
#[inline(always)]
fn transpose(square: &mut [u64; SQUARE]) {
    transpose_step::<4, 0x0000_0000_FFFF_FFFF>(square);
    transpose_step::<2, 0x0000_FFFF_0000_FFFF>(square);
    transpose_step::<1, 0x00FF_00FF_00FF_00FF>(square);
}

/// Exchanges the off-diagonal quarters, `HALF` bytes wide, of the squares twice as wide.
#[inline(always)]
fn transpose_step<const HALF: usize, const LOW: u64>(square: &mut [u64; SQUARE]) {
    for pair in square.chunks_exact_mut(2 * HALF) {
        for i in 0..HALF {
            let exchanged = (pair[i] >> (8 * HALF) ^ pair[i + HALF]) & LOW;
            pair[i] ^= exchanged << (8 * HALF);
            pair[i + HALF] ^= exchanged;
        }
    }
}
