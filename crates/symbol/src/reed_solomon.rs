//! Error correction codewords: remainders over GF(2⁸) modulo x⁸ + x⁴ + x³ + x² + 1 (ISO/IEC 18004, clause 7.5.2).
//!
//! Division step by step is a chain: each quotient waits for the one before. The remainder is also a sum, over the data
//! codewords, of `codeword × (xⁿ⁺ʲ mod g)` with `j` codewords after it. So eight codewords are taken at once: of each nibble, a
//! table has all 16 multiples, and 16 rows of it are added by exclusive or. Only the carry from step to step is a chain, and
//! three blocks are divided side by side to fill its pauses. Where the CPU has an instruction that multiplies by a codeword, the
//! sum is computed as it stands, without a chain.

use std::sync::OnceLock;

use qrpress_simd::{ROW, Simd};

/// The coefficients of a remainder, the highest power in the first byte. Powers that the degree of the divisor excludes are zero.
type Remainder = [u64; REMAINDER_WORDS];
/// 30 codewords fit in four words.
const REMAINDER_WORDS: usize = ROW / 8;
/// The most codewords of a remainder.
pub(crate) const MAX_DEGREE: usize = ROW;
/// The data codewords of the longest block, in version 38 at level L.
const MAX_BLOCK_DATA: usize = 123;
/// Data codewords that are divided in one step: one word of the remainder.
const STEP: usize = 8;

/// The high nibble of each codeword of a step.
const HIGH_NIBBLES: u64 = 0xF0F0_F0F0_F0F0_F0F0;
/// Nibbles of a step.
const NIBBLES: usize = 2 * STEP;

/// The tables that divide by one generator polynomial.
#[repr(C, align(64))]
pub(crate) struct Divisor {
    /// The powers of x that data codewords are multiplied by, modulo the generator, as coefficients from the highest power on:
    /// the last row is xⁿ mod g, the row before it xⁿ⁺¹ mod g, and so on.
    powers: [[u8; MAX_DEGREE]; MAX_BLOCK_DATA],
    /// For each codeword of a step, the last one first, and each of its nibbles, the low one first: its 16 values × xⁿ⁺ʲ mod g.
    multiples: [Remainder; NIBBLES * 16],
}

/// The matrix over bits that multiplies by each field element, as in [`Simd::combine`].
static PRODUCTS: [u64; 256] = {
    let mut matrices = [0; 256];
    let mut element = 0;
    while element < 256 {
        matrices[element] = matrix(element as u8);
        element += 1;
    }
    matrices
};

/// The divisor of that degree, 7 to 30.
pub(crate) fn divisor(degree: usize) -> &'static Divisor {
    static DIVISORS: [OnceLock<Box<Divisor>>; 31] = [const { OnceLock::new() }; 31];
    DIVISORS[degree].get_or_init(|| Box::new(Divisor::new(degree)))
}

impl Divisor {
    fn new(degree: usize) -> Self {
        let generator = generator(degree);
        let mut powers = [generator; MAX_BLOCK_DATA];
        // x to the power of n, modulo the generator, is the generator without its lead.
        let mut power = generator;
        for row in powers.iter_mut().rev() {
            *row = power;
            let lead = power[0];
            for i in 0..power.len() {
                let next = power.get(i + 1).copied().unwrap_or(0);
                power[i] = next ^ multiply(generator[i], lead);
            }
        }
        let mut multiples = [[0; REMAINDER_WORDS]; NIBBLES * 16];
        for (nibbles, power) in multiples.chunks_exact_mut(32).zip(powers.iter().rev()) {
            for (index, row) in nibbles.iter_mut().enumerate() {
                let value = if index < 16 { index } else { (index - 16) << 4 };
                *row = pack(power.map(|coefficient| multiply(coefficient, value as u8)));
            }
        }
        Self { powers, multiples }
    }

    /// The error correction codewords of some blocks of data codewords. Every block has [`STEP`] codewords at least; the
    /// blocks have the same length, or later ones have one codeword more.
    #[inline(always)]
    pub(crate) fn remainders<S: Simd, const N: usize>(
        &self,
        simd: S,
        blocks: [&[u8]; N],
    ) -> [[u8; MAX_DEGREE]; N] {
        simd.combine(blocks, &self.powers, &PRODUCTS).unwrap_or_else(|| self.divide(blocks))
    }

    /// The remainders of some blocks, by [`STEP`] codewords at a time.
    #[inline(always)]
    fn divide<const N: usize>(&self, blocks: [&[u8]; N]) -> [[u8; MAX_DEGREE]; N] {
        let mut remainders = [[0; REMAINDER_WORDS]; N];
        let whole_steps = (blocks[N - 1].len() - 1) / STEP;
        for (remainder, block) in remainders.iter_mut().zip(blocks) {
            // Leading zeros change nothing.
            let zeros = STEP * (whole_steps + 1) - block.len();
            let mut first = [0; STEP];
            first[zeros..].copy_from_slice(&block[..STEP - zeros]);
            *remainder = self.next(remainder, u64::from_be_bytes(first));
        }
        for left in (1..=whole_steps).rev() {
            for (remainder, block) in remainders.iter_mut().zip(blocks) {
                let mut step = [0; STEP];
                step.copy_from_slice(&block[block.len() - STEP * left..][..STEP]);
                *remainder = self.next(remainder, u64::from_be_bytes(step));
            }
        }
        remainders.map(|remainder| unpack(&remainder))
    }

    /// The remainder after one step more.
    #[inline(always)]
    fn next(&self, remainder: &Remainder, step: u64) -> Remainder {
        let factors = remainder[0] ^ step;
        // Sixteen times each nibble: the compiler makes addresses of rows of it without a shift.
        let low_nibbles = (factors << 4 & HIGH_NIBBLES).to_le_bytes();
        let high_nibbles = (factors & HIGH_NIBBLES).to_le_bytes();
        let mut low = [remainder[1], remainder[2], remainder[3], 0];
        let mut high = [0; REMAINDER_WORDS];
        for codeword in 0..STEP {
            let low_row = &self.multiples[32 * codeword + usize::from(low_nibbles[codeword]) / 16];
            let high_row = &self.multiples[32 * codeword + 16 + usize::from(high_nibbles[codeword]) / 16];
            for word in 0..REMAINDER_WORDS {
                low[word] ^= low_row[word];
                high[word] ^= high_row[word];
            }
        }
        for word in 0..REMAINDER_WORDS {
            low[word] ^= high[word];
        }
        low
    }
}

/// The codewords of a remainder; those past the degree of the divisor are zero.
#[inline(always)]
fn unpack(remainder: &Remainder) -> [u8; MAX_DEGREE] {
    let mut bytes = [0; MAX_DEGREE];
    for word in 0..REMAINDER_WORDS {
        bytes[8 * word..8 * word + 8].copy_from_slice(&remainder[word].to_be_bytes());
    }
    bytes
}

fn pack(coefficients: [u8; 32]) -> Remainder {
    let mut words = [0; REMAINDER_WORDS];
    for (index, &coefficient) in coefficients.iter().enumerate() {
        words[index / 8] |= u64::from(coefficient) << (56 - 8 * (index % 8));
    }
    words
}

/// The product of (x − αⁱ) for i below the degree (annex A), the highest power first and the leading 1 left out.
fn generator(degree: usize) -> [u8; 32] {
    let mut product = [0; 32];
    product[degree - 1] = 1;
    let mut root = 1;
    for _ in 0..degree {
        for i in 0..degree {
            let next = if i + 1 < degree { product[i + 1] } else { 0 };
            product[i] = multiply(product[i], root) ^ next;
        }
        root = multiply(root, 2);
    }
    product
}

/// The matrix over bits that multiplies by a field element; see [`PRODUCTS`].
const fn matrix(element: u8) -> u64 {
    let mut matrix = 0;
    let mut place = 0;
    while place < 64 {
        let (bit, column) = (7 - place / 8, place % 8);
        let product = multiply(element, 1 << column);
        matrix |= ((product >> bit & 1) as u64) << place;
        place += 1;
    }
    matrix
}

/// The product of two field elements.
const fn multiply(a: u8, b: u8) -> u8 {
    let mut product = 0;
    let mut bit = 8;
    while bit > 0 {
        bit -= 1;
        product = (product << 1) ^ if product & 0x80 == 0 { 0 } else { 0x1D };
        if b >> bit & 1 == 1 {
            product ^= a;
        }
    }
    product
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use qrpress_testkit::assert_on_page;

    use super::*;
    use crate::DataSegment;
    use crate::bit_stream::BitWriter;
    use crate::segment::{Mode, VersionRange};

    /// The example of `docs/internals/engine.md`, computed by the code that divides.
    #[test]
    fn the_division_is_as_the_page_shows() {
        let mut data = [0; 19];
        let mut writer = BitWriter::new(&mut data);
        writer.push_segment(&DataSegment::trusted(Mode::Byte, b"https://qr.test/1"), VersionRange::Small);
        writer.finish();
        let divisor = divisor(7);
        let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!(" {byte:02x}")).collect::<Vec<_>>().concat();
        let mut example = format!("data      {}\n", hex(&data));
        let mut remainder = [0; REMAINDER_WORDS];
        let padded = [&[0; 5], &data[..]].concat();
        for (number, step) in (1..).zip(padded.as_chunks::<STEP>().0) {
            remainder = divisor.next(&remainder, u64::from_be_bytes(*step));
            writeln!(example, "step {number}     {}  remainder{}", hex(step), hex(&unpack(&remainder)[..7]))
                .unwrap();
        }
        assert_eq!(divisor.divide([&data])[0], unpack(&remainder));
        assert_on_page("docs/internals/engine.md", &example);
    }
}
