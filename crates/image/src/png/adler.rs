//! Adler-32 (RFC 1950, clause 8.2) of lines that repeat, in closed form.

/// The share of one scan line in a checksum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LineSums {
    /// Sum of the bytes.
    pub(super) plain: u64,
    /// Sum of the bytes, each times the number of bytes from it to the end of the line, itself included.
    pub(super) weighted: u64,
}

impl LineSums {
    pub(super) fn of(bytes: &[u8]) -> Self {
        bytes.iter().fold(Self::default(), |sums, &byte| {
            let plain = sums.plain + u64::from(byte);
            Self { plain, weighted: sums.weighted + plain }
        })
    }
}

/// A running checksum. Its sums are not reduced before the end: an image of at most 2²⁴ bytes cannot overflow them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Adler32 {
    a: u64,
    b: u64,
}

impl Adler32 {
    pub(super) const fn new() -> Self {
        Self { a: 1, b: 0 }
    }

    /// Takes in `count` equal lines of `length` bytes each.
    #[inline]
    pub(super) fn add_lines(&mut self, sums: LineSums, length: usize, count: usize) {
        let (length, count) = (length as u64, count as u64);
        let earlier_lines = count * count.wrapping_sub(1) / 2;
        self.b += count * (length * self.a + sums.weighted) + length * sums.plain * earlier_lines;
        self.a += count * sums.plain;
    }

    pub(super) fn finish(self) -> u32 {
        const MODULUS: u64 = 65_521;
        (((self.b % MODULUS) << 16) | (self.a % MODULUS)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_form_equals_the_definition() {
        let line = [255, 0, 17, 255, 254];
        for count in 0..50 {
            let mut adler = Adler32::new();
            adler.add_lines(LineSums::of(&[9]), 1, 1);
            adler.add_lines(LineSums::of(&line), 5, count);
            let bytes = [9].into_iter().chain((0..count).flat_map(|_| line));
            let (a, b) = bytes.fold((1_u32, 0_u32), |(a, b), byte| {
                let a = (a + u32::from(byte)) % 65_521;
                (a, (b + a) % 65_521)
            });
            assert_eq!(adler.finish(), b << 16 | a);
        }
    }

    #[test]
    fn the_largest_image_fits() {
        let line = vec![255; 1046];
        let mut adler = Adler32::new();
        adler.add_lines(LineSums::of(&line), 1046, 8360);
        let bytes = 1046_u128 * 8360;
        let b = bytes + 255 * (bytes * (bytes + 1) / 2);
        assert_eq!(u128::from(adler.finish() >> 16), b % 65_521);
    }
}
