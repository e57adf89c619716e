//! Adler-32 (RFC 1950, clause 8.2) of lines that repeat, in closed form.

/// Bytes that are summed up at once.
const LANES: usize = 16;

/// The share of scan lines in a checksum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LineSums {
    /// Sum of the bytes.
    pub(super) plain: u64,
    /// Sum of the bytes, each times the number of bytes from it to the end of its line, itself included.
    pub(super) weighted: u64,
}

impl LineSums {
    pub(super) fn of(bytes: &[u8]) -> Self {
        let (chunks, rest) = bytes.as_chunks::<LANES>();
        let mut sums = Self::default();
        for chunk in chunks {
            let (mut plain, mut weighted) = (0, 0);
            for (lane, &byte) in chunk.iter().enumerate() {
                plain += u32::from(byte);
                weighted += (LANES - lane) as u32 * u32::from(byte);
            }
            sums.weighted += LANES as u64 * sums.plain + u64::from(weighted);
            sums.plain += u64::from(plain);
        }
        for &byte in rest {
            sums.plain += u64::from(byte);
            sums.weighted += sums.plain;
        }
        sums
    }
}

/// The sums of rows of lines that differ in part, added up as they come.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RowSums {
    count: u64,
    total: LineSums,
    /// The plain sums before each row, added up.
    running_totals: u64,
}

impl RowSums {
    /// Takes in a row whose lines have these sums.
    #[inline]
    pub(super) fn add(&mut self, line: LineSums) {
        self.count += 1;
        self.running_totals += self.total.plain;
        self.total.plain += line.plain;
        self.total.weighted += line.weighted;
    }

    /// The same rows with what all of their lines have in common.
    pub(super) fn with(self, common: LineSums) -> Self {
        Self {
            count: self.count,
            total: LineSums {
                plain: self.total.plain + self.count * common.plain,
                weighted: self.total.weighted + self.count * common.weighted,
            },
            running_totals: self.running_totals + triangle(self.count) * common.plain,
        }
    }
}

/// The sum of the numbers below `count`.
fn triangle(count: u64) -> u64 {
    count * count.saturating_sub(1) / 2
}

/// A running checksum. Its sums are not reduced before the end: an image of at most 2²⁴ bytes cannot overflow
/// them.
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
    pub(super) fn add_lines(&mut self, line: LineSums, length: usize, count: usize) {
        let mut row = RowSums::default();
        row.add(line);
        self.add_rows(row, length, count);
    }

    /// Takes in `count` zeros.
    pub(super) fn add_zeros(&mut self, count: usize) {
        self.b += self.a * count as u64;
    }

    /// Takes in rows of `height` equal lines of `length` bytes each.
    pub(super) fn add_rows(&mut self, rows: RowSums, length: usize, height: usize) {
        let (length, height) = (length as u64, height as u64);
        self.b += height * length * (rows.count * self.a + height * rows.running_totals)
            + height * rows.total.weighted
            + triangle(height) * length * rows.total.plain;
        self.a += height * rows.total.plain;
    }

    pub(super) fn finish(self) -> u32 {
        const MODULUS: u64 = 65_521;
        (((self.b % MODULUS) << 16) | (self.a % MODULUS)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_definition(bytes: impl Iterator<Item = u8>) -> u32 {
        let (a, b) = bytes.fold((1_u32, 0_u32), |(a, b), byte| {
            let a = (a + u32::from(byte)) % 65_521;
            (a, (b + a) % 65_521)
        });
        b << 16 | a
    }

    #[test]
    fn repeated_lines() {
        let line = [255, 0, 17, 255, 254];
        for count in 0..50 {
            let mut adler = Adler32::new();
            adler.add_lines(LineSums::of(&[9]), 1, 1);
            adler.add_lines(LineSums::of(&line), 5, count);
            assert_eq!(adler.finish(), by_definition([9].into_iter().chain((0..count).flat_map(|_| line))));
        }
    }

    #[test]
    fn rows_of_lines_that_have_a_part_in_common() {
        let rows = [[7, 200, 90, 3], [7, 0, 0, 3], [7, 255, 1, 3]];
        let mut sums = RowSums::default();
        for [_, second, third, _] in rows {
            sums.add(LineSums::of(&[0, second, third, 0]));
        }
        for height in 1..12 {
            let mut adler = Adler32::new();
            adler.add_lines(LineSums::of(&[1, 2, 3, 4]), 4, 2);
            adler.add_rows(sums.with(LineSums::of(&[7, 0, 0, 3])), 4, height);
            let repeated = rows.iter().flat_map(|row| std::iter::repeat_n(*row, height));
            assert_eq!(
                adler.finish(),
                by_definition([[1, 2, 3, 4]; 2].into_iter().chain(repeated).flatten())
            );
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
