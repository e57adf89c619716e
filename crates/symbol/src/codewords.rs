//! Splits data codewords into blocks, appends their error correction codewords and interleaves both (ISO/IEC 18004, clause 7.6).

use crate::capacity::Blocks;
use crate::reed_solomon::{Divisor, unpack};

/// Writes the final sequence of codewords of `data`.
#[inline(always)]
pub(crate) fn interleave(blocks: &Blocks, divisor: &Divisor, data: &[u8], codewords: &mut [u8]) {
    let (data_part, ec_part) = codewords.split_at_mut(data.len());
    let mut start = 0;
    for index in 0..blocks.count {
        let length = blocks.short_data + usize::from(index >= blocks.short_count);
        let block = &data[start..start + length];
        start += length;
        let (short, extra) = block.split_at(blocks.short_data);
        for (codeword, &data) in data_part[index..].iter_mut().step_by(blocks.count).zip(short) {
            *codeword = data;
        }
        if let [last] = *extra {
            data_part[blocks.short_data * blocks.count + index - blocks.short_count] = last;
        }
        let ec = unpack(&divisor.remainder(block));
        for (codeword, &ec) in ec_part[index..].iter_mut().step_by(blocks.count).zip(&ec[..blocks.ec]) {
            *codeword = ec;
        }
    }
}
