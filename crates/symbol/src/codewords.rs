//! Splits data codewords into blocks, appends their error correction codewords and interleaves both (ISO/IEC 18004, clause 7.6).

use crate::capacity::Blocks;
use crate::reed_solomon::{Divisor, unpack};

/// Data codewords of the largest block, rounded up to eights.
const MAX_BLOCK: usize = 128;

/// Writes the final sequence of codewords of `data`.
#[inline(always)]
pub(crate) fn interleave(blocks: &Blocks, divisor: &Divisor, data: &[u8], codewords: &mut [u8]) {
    let (data_part, ec_part) = codewords.split_at_mut(data.len());
    let mut start = 0;
    for index in 0..blocks.count {
        let length = blocks.short_data + usize::from(index >= blocks.short_count);
        let block = &data[start..start + length];
        start += length;
        for (row, &codeword) in block[..blocks.short_data].iter().enumerate() {
            data_part[row * blocks.count + index] = codeword;
        }
        if length > blocks.short_data {
            let row = blocks.short_data * blocks.count;
            data_part[row + index - blocks.short_count] = block[length - 1];
        }
        let mut padded = [0; MAX_BLOCK];
        let rounded = length.next_multiple_of(8);
        padded[rounded - length..rounded].copy_from_slice(block);
        let (steps, _) = padded[..rounded].as_chunks();
        let ec = unpack(&divisor.remainder(steps));
        for (row, &codeword) in ec[..blocks.ec].iter().enumerate() {
            ec_part[row * blocks.count + index] = codeword;
        }
    }
}
