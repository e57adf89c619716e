//! Huffman codes as deflate defines them (RFC 1951, clause 3.2.2).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::png::deflate::bit_writer::Bits;

/// The code lengths of a prefix code, none above `longest`. Symbols of frequency 0 get length 0, a symbol alone gets 1.
///
/// The code is Huffman's, and optimal, where that has no longer codeword. Else the frequencies are halved until it has none:
/// the code is then near the optimum that package-merge would find.
pub(crate) fn code_lengths(frequencies: &[u64], longest: u8) -> Vec<u8> {
    let mut flattened = frequencies.to_vec();
    loop {
        let lengths = unlimited_code_lengths(&flattened);
        if lengths.iter().all(|&length| length <= longest) {
            return lengths;
        }
        // Halving brings rare symbols nearer to frequent ones, and with them their depth.
        for frequency in &mut flattened {
            *frequency = frequency.div_ceil(2);
        }
    }
}

fn unlimited_code_lengths(frequencies: &[u64]) -> Vec<u8> {
    let symbols: Vec<usize> = (0..frequencies.len()).filter(|&symbol| frequencies[symbol] > 0).collect();
    let mut lengths = vec![0; frequencies.len()];
    if let [only] = symbols[..] {
        lengths[only] = 1;
        return lengths;
    }
    // Trees still apart, the rarest on top; a tree is numbered in the order of its making, so that ties are settled.
    let mut heap: BinaryHeap<Reverse<(u64, usize)>> =
        symbols.iter().enumerate().map(|(tree, &symbol)| Reverse((frequencies[symbol], tree))).collect();
    // For each tree, first those of one symbol, the one that it was joined into.
    let mut parents = vec![0; symbols.len()];
    while let (Some(Reverse((rarest, one))), Some(Reverse((next, other)))) = (heap.pop(), heap.pop()) {
        let joined = parents.len();
        (parents[one], parents[other]) = (joined, joined);
        heap.push(Reverse((rarest + next, joined)));
        parents.push(0);
    }
    // A tree is made after those in it: from the last on, which holds all, the depth of the parent is known.
    let mut depths = vec![0; parents.len()];
    for tree in (0..parents.len().saturating_sub(1)).rev() {
        depths[tree] = depths[parents[tree]] + 1;
    }
    for (symbol, depth) in symbols.into_iter().zip(depths) {
        lengths[symbol] = depth;
    }
    lengths
}

/// The canonical code of these lengths.
pub(crate) fn codewords(lengths: &[u8]) -> Vec<Bits> {
    let mut codewords = vec![Bits::NONE; lengths.len()];
    write_canonical_code(lengths, &mut codewords);
    codewords
}

/// Writes the canonical code of these lengths, 0 to 15, each codeword ready to be written: its first bit is the lowest. A
/// symbol of length 0 has no codeword, and its place stays as it is.
///
/// # Panics
/// When there are fewer places than symbols.
pub const fn write_canonical_code(lengths: &[u8], codewords: &mut [Bits]) {
    let mut next = 0_u32;
    let mut length = 1;
    while length <= 15 {
        next <<= 1;
        let mut symbol = 0;
        while symbol < lengths.len() {
            if lengths[symbol] as u32 == length {
                codewords[symbol] = Bits { value: (next.reverse_bits() >> (32 - length)) as u64, length };
                next += 1;
            }
            symbol += 1;
        }
        length += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standards_example() {
        let codes = codewords(&[3, 3, 3, 3, 3, 2, 4, 4]);
        let written: Vec<String> = codes
            .iter()
            .map(|code| {
                (0..code.length).map(|place| if code.value >> place & 1 == 1 { '1' } else { '0' }).collect()
            })
            .collect();
        assert_eq!(written, ["010", "011", "100", "101", "110", "00", "1110", "1111"]);
    }

    #[test]
    fn frequent_symbols_get_short_codewords() {
        assert_eq!(code_lengths(&[8, 0, 4, 2, 1, 1], 15), [1, 0, 2, 3, 4, 4]);
        assert_eq!(code_lengths(&[0, 5], 15), [0, 1]);
        assert_eq!(code_lengths(&[0, 0], 15), [0, 0]);
    }

    #[test]
    fn lengths_are_limited_and_complete() {
        let fibonacci: Vec<u64> = (0..30)
            .scan((1, 1), |(a, b), _| Some(std::mem::replace(a, std::mem::replace(b, *a + *b))))
            .collect();
        for longest in [7, 15] {
            let lengths = code_lengths(&fibonacci, longest);
            assert!(lengths.iter().all(|length| (1..=longest).contains(length)));
            let kraft: u32 = lengths.iter().map(|&length| 1 << (longest - length)).sum();
            assert_eq!(kraft, 1 << longest);
        }
    }
}
