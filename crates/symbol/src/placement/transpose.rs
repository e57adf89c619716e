//! A square of bits, transposed in whole words. The compiler makes vector code of the steps.

/// Words of a square, and bits of each.
pub(super) const SQUARE: usize = 64;

/// Makes bit `i` of word `j` of `from` bit `j` of word `i` of `to`: in six steps, each of which exchanges quarters of half
/// the size.
#[inline(always)]
pub(super) fn transpose(from: &[u64; SQUARE], to: &mut [u64; SQUARE]) {
    *to = *from;
    exchange_quarters::<32, 32>(to);
    exchange_quarters::<16, 16>(to);
    exchange_quarters::<8, 8>(to);
    exchange_quarters::<4, 4>(to);
    exchange_quarters::<2, 2>(to);
    exchange_quarters::<1, 1>(to);
}

/// Exchanges the off-diagonal quarters, `WORDS` high and `BITS` wide, of every square of twice the size.
///
/// ```text
///           low bits  high bits                  low bits  high bits
/// word 0       A          B          word 0         A          C
/// word 1       C          D          word 1         B          D
/// ```
#[inline(always)]
fn exchange_quarters<const WORDS: usize, const BITS: usize>(square: &mut [u64; SQUARE]) {
    let low = u64::MAX / ((1 << BITS) + 1);
    for pair in square.chunks_exact_mut(2 * WORDS) {
        for i in 0..WORDS {
            let (a, b) = (pair[i], pair[i + WORDS]);
            let exchanged = (a >> BITS ^ b) & low;
            pair[i] = a ^ exchanged << BITS;
            pair[i + WORDS] = b ^ exchanged;
        }
    }
}

#[cfg(test)]
mod tests {
    use qrpress_testkit::Random;

    use super::*;

    #[test]
    fn transposes_bits() {
        let mut random = Random(1);
        let from = [0; SQUARE].map(|_: u64| random.bits());
        let mut square = [0; SQUARE];
        transpose(&from, &mut square);
        for (y, word) in square.iter().enumerate() {
            assert!((0..SQUARE).all(|x| word >> x & 1 == from[x] >> y & 1));
        }
    }
}
