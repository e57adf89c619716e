//! Error correction codewords: remainders over GF(2⁸) modulo x⁸ + x⁴ + x³ + x² + 1 (ISO/IEC 18004, clause 7.5.2).

use std::sync::OnceLock;

/// A remainder's coefficients, the highest power in the first byte; a power the divisor's degree excludes is zero.
type Remainder = [u64; REMAINDER_WORDS];
/// 30 codewords fit in four words.
const REMAINDER_WORDS: usize = 4;
/// Codewords that there is room for in a remainder.
pub(crate) const MAX_DEGREE: usize = 8 * REMAINDER_WORDS;
/// Data codewords that are divided in one step: one word of the remainder.
const STEP: usize = 8;

/// Nibbles of a step.
const NIBBLES: usize = 2 * STEP;

/// The degree of the largest generator polynomial.
pub(crate) const LARGEST_GENERATOR: usize = 30;

/// Room for the matrices of a polynomial's coefficients, and so many more that eight can be read from each on.
const MATRICES: usize = LARGEST_GENERATOR + 7;
/// Polynomials whose coefficients have matrices.
pub(crate) const WITH_MATRICES: usize = 4;

/// Divides data polynomials by one generator polynomial.
pub(crate) struct Divisor {
    /// For each of the coefficients of xⁿ mod g, xⁿ⁺¹ mod g and so on, the highest power first, the matrix over bits that
    /// multiplies by it: byte `7 - i` has the bits that make bit `i` of the product. The first polynomial is the generator
    /// itself without its leading 1.
    pub(crate) matrices: [[u64; MATRICES]; WITH_MATRICES],
    /// For each codeword of a step, the last one first, and each of its nibbles, the low one first: its 16 values × xⁿ⁺ʲ mod g.
    multiples: [Remainder; NIBBLES * 16],
}

/// The divisor of that degree, 7 to 30.
pub(crate) fn divisor(degree: usize) -> &'static Divisor {
    static DIVISORS: [OnceLock<Box<Divisor>>; 31] = [const { OnceLock::new() }; 31];
    DIVISORS[degree].get_or_init(|| Box::new(Divisor::new(degree)))
}

impl Divisor {
    fn new(degree: usize) -> Self {
        let generator = generator(degree);
        let mut multiples = [[0; REMAINDER_WORDS]; NIBBLES * 16];
        // x to the power of n + j, modulo the generator: of the lowest power, it is the generator without its lead.
        let mut power = generator;
        let mut matrices = [[0; MATRICES]; WITH_MATRICES];
        for (codeword, nibbles) in multiples.chunks_exact_mut(32).enumerate() {
            if let Some(matrices) = matrices.get_mut(codeword) {
                for (of_coefficient, coefficient) in matrices.iter_mut().zip(power) {
                    *of_coefficient = matrix(coefficient);
                }
            }
            for (index, row) in nibbles.iter_mut().enumerate() {
                let value = if index < 16 { index } else { (index - 16) << 4 };
                *row = pack(power.map(|coefficient| multiply(coefficient, value as u8)));
            }
            let lead = power[0];
            for i in 0..power.len() {
                let next = power.get(i + 1).copied().unwrap_or(0);
                power[i] = next ^ multiply(generator[i], lead);
            }
        }
        Self { matrices, multiples }
    }

    /// The error correction codewords of some blocks' data codewords, each of [`STEP`] at least. The blocks' lengths are
    /// the same, or the later ones are one longer.
    #[inline(always)]
    pub(crate) fn remainders<const N: usize>(&self, blocks: [&[u8]; N]) -> [[u8; MAX_DEGREE]; N] {
        let mut remainders = [[0; REMAINDER_WORDS]; N];
        let whole_steps = (blocks[N - 1].len() - 1) / STEP;
        for (remainder, block) in remainders.iter_mut().zip(blocks) {
            // Leading zeros change nothing.
            let zeros = STEP * (whole_steps + 1) - block.len();
            let first = block.first_chunk().map_or(0, |first| u64::from_be_bytes(*first));
            *remainder = self.next(remainder, first.checked_shr(8 * zeros as u32).unwrap_or(0));
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
        let mut low = [remainder[1], remainder[2], remainder[3], 0];
        let mut high = [0; REMAINDER_WORDS];
        for nibble in (0..NIBBLES).step_by(2) {
            let factor = factors >> (4 * nibble);
            let low_row = &self.multiples[16 * nibble + (factor & 15) as usize];
            let high_row = &self.multiples[16 * nibble + 16 + (factor >> 4 & 15) as usize];
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

/// The codewords of a remainder; those past the divisor's degree are zero.
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

/// What multiplies by a field element, as in [`Divisor::matrices`].
fn matrix(element: u8) -> u64 {
    let mut matrix = 0;
    for column in 0..8 {
        let product = multiply(element, 1 << column);
        for bit in 0..8 {
            matrix |= u64::from(product >> bit & 1) << (8 * (7 - bit) + column);
        }
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
