//! Splits data codewords into blocks, appends their error correction codewords and interleaves both (ISO/IEC 18004, clause 7.6).

use qrpress_simd::Simd;

use crate::capacity::{Blocks, MAX_BLOCKS};
use crate::reed_solomon::{Divisor, MAX_DEGREE};

/// Blocks of a square, and codewords of each: their bytes are transposed.
const SQUARE: usize = 8;
/// Squares that are transposed at once.
const SQUARES: usize = 4;

/// The remainders of the blocks, one block after another: their error correction codewords.
pub(crate) type Remainders = [[u8; MAX_DEGREE]; MAX_BLOCKS];

/// Writes the final sequence of codewords of `data`, error correction codewords included. As many bytes as squares side by
/// side have in a row must follow the data. `remainders` is memory to work in.
#[inline(always)]
pub(crate) fn interleave<S: Simd>(
    simd: S,
    blocks: &Blocks,
    divisor: &Divisor,
    data: &[u8],
    remainders: &mut Remainders,
    codewords: &mut [u8],
) {
    let (data_part, ec_part) = codewords.split_at_mut(blocks.data_codewords());
    let (even_part, last_part) = data_part.split_at_mut(blocks.short_data * blocks.count);
    // The last codewords of longer blocks come after all others.
    for (last, index) in last_part.iter_mut().zip(blocks.short_count..) {
        *last = data[blocks.start(index + 1) - 1];
    }
    take_turns(even_part, blocks.count, |index| &data[blocks.start(index)..]);
    let remainders = &mut remainders[..blocks.count];
    divide(simd, blocks, divisor, data, remainders);
    take_turns(ec_part, blocks.count, |index| &remainders[index]);
}

/// Finds the remainders of the blocks.
#[inline(always)]
fn divide<S: Simd>(
    simd: S,
    blocks: &Blocks,
    divisor: &Divisor,
    data: &[u8],
    remainders: &mut [[u8; MAX_DEGREE]],
) {
    let block = |index: usize| &data[blocks.start(index)..blocks.start(index + 1)];
    // Three at a time, to fill the pauses of each; more have no room in the registers of AVX2.
    let (threes, rest) = remainders.as_chunks_mut();
    for (index, three) in threes.iter_mut().enumerate() {
        *three = divisor.remainders(simd, [0, 1, 2].map(|offset| block(3 * index + offset)));
    }
    let last = blocks.count - 1;
    match rest {
        [first, second] => [*first, *second] = divisor.remainders(simd, [block(last - 1), block(last)]),
        [only] => [*only] = divisor.remainders(simd, [block(last)]),
        _ => {}
    }
}

/// Writes the first codewords of `count` rows, then the second ones, and so on until `sequence` is full.
#[inline(always)]
fn take_turns<'a>(sequence: &mut [u8], count: usize, row: impl Fn(usize) -> &'a [u8]) {
    match count {
        1 => sequence.copy_from_slice(&row(0)[..sequence.len()]),
        2 => take_turns_of_few(sequence, [row(0), row(1)]),
        4 => take_turns_of_few(sequence, [row(0), row(1), row(2), row(3)]),
        SQUARE.. => take_turns_in_squares(sequence, count, row),
        _ => {
            for index in 0..count {
                for (to, from) in sequence[index..].iter_mut().step_by(count).zip(row(index)) {
                    *to = *from;
                }
            }
        }
    }
}

/// [`take_turns`] of a number of rows that is known in advance: of eight codewords each, which the last eight overlap.
#[inline(always)]
fn take_turns_of_few<const N: usize>(sequence: &mut [u8], rows: [&[u8]; N]) {
    let length = sequence.len() / N;
    for first in (0..length).step_by(SQUARE) {
        let first = first.min(length - SQUARE);
        let mut turns = [[0; N]; SQUARE];
        for (index, row) in rows.into_iter().enumerate() {
            let mut codewords = [0; SQUARE];
            codewords.copy_from_slice(&row[first..first + SQUARE]);
            for turn in 0..SQUARE {
                turns[turn][index] = codewords[turn];
            }
        }
        sequence[first * N..][..SQUARE * N].copy_from_slice(turns.as_flattened());
    }
}

/// [`take_turns`] of eight rows or more, in squares of eight rows. The last squares begin higher where fewer than eight rows are
/// left, and write some codewords a second time. Bytes that follow the rows are read too.
#[inline(always)]
fn take_turns_in_squares<'a>(sequence: &mut [u8], count: usize, row: impl Fn(usize) -> &'a [u8]) {
    let length = sequence.len() / count;
    for first_row in (0..count).step_by(SQUARE) {
        let first_row = first_row.min(count - SQUARE);
        let mut rows = [&[][..]; SQUARE];
        for (index, row_of) in rows.iter_mut().enumerate() {
            *row_of = row(first_row + index);
        }
        for first in (0..length).step_by(SQUARE * SQUARES) {
            let mut squares = [[0; SQUARES]; SQUARE];
            for (words, row) in squares.iter_mut().zip(rows) {
                let (bytes, _) = row[first..first + SQUARE * SQUARES].as_chunks();
                for (word, bytes) in words.iter_mut().zip(bytes) {
                    *word = u64::from_le_bytes(*bytes);
                }
            }
            transpose_step::<4, 0x0000_0000_FFFF_FFFF>(&mut squares);
            transpose_step::<2, 0x0000_FFFF_0000_FFFF>(&mut squares);
            transpose_step::<1, 0x00FF_00FF_00FF_00FF>(&mut squares);
            let columns = sequence[first * count..].chunks_exact_mut(count);
            for (index, column) in columns.take(SQUARE * SQUARES).enumerate() {
                let word = squares[index % SQUARE][index / SQUARE];
                column[first_row..first_row + SQUARE].copy_from_slice(&word.to_le_bytes());
            }
        }
    }
}

/// Exchanges the off-diagonal quarters, `HALF` bytes wide, of parts twice as wide, in each of the squares. A row of a square is a
/// word.
#[inline(always)]
fn transpose_step<const HALF: usize, const LOW: u64>(squares: &mut [[u64; SQUARES]; SQUARE]) {
    for pair in squares.chunks_exact_mut(2 * HALF) {
        for i in 0..HALF {
            for square in 0..SQUARES {
                let (a, b) = (pair[i][square], pair[i + HALF][square]);
                let exchanged = (a >> (8 * HALF) ^ b) & LOW;
                pair[i][square] = a ^ exchanged << (8 * HALF);
                pair[i + HALF][square] = b ^ exchanged;
            }
        }
    }
}
