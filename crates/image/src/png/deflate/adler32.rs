//! Adler-32 (RFC 1950, clause 8.2) of lines that repeat, in closed form.

use std::ops::Range;

const MODULUS: u64 = 65_521;
/// Bytes that are summed up at once.
const LANES: usize = 16;

/// The share of scan lines in a checksum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LineSums {
    /// Sum of the bytes.
    pub(crate) plain: u64,
    /// Sum of the bytes, each times the number of bytes from it to the end of its line, itself included.
    pub(crate) weighted: u64,
}

impl LineSums {
    /// Sums that come to the same in a checksum, each below 2¹⁶.
    pub(crate) fn reduced(self) -> Self {
        Self { plain: self.plain % MODULUS, weighted: self.weighted % MODULUS }
    }

    pub(crate) fn of(bytes: &[u8]) -> Self {
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

/// The weight of the bytes of equal lines in a checksum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LineWeight {
    /// Number of lines.
    lines: u64,
    /// The bytes between a line's end and that of the picture, over all of these lines.
    bytes_after: u64,
}

impl LineWeight {
    /// The weight of the scan lines of these numbers, of `stride` bytes each, in a picture of `picture_lines`.
    pub(crate) fn of(rows: Range<usize>, stride: usize, picture_lines: usize) -> Self {
        let lines = rows.len() as u64;
        let lines_after = (picture_lines - rows.end) as u64 * lines + triangle(lines);
        Self { lines, bytes_after: stride as u64 * lines_after }
    }
}

/// The sums of the lines of rows that differ, added up as they come.
///
/// The rows have equally many lines, so the bytes after a row's lines are those after the last row's, and for each row between
/// as many again. Hence two numbers are enough: the sums of all rows, as if each were the last, and how often the plain sum of
/// each has to be counted again:
///
/// ```text
/// plain sums of the rows        p0    p1         p2
/// total before each row         0     p0         p0 + p1
/// running_totals after each     0     p0         2 p0 + p1
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RowSums {
    total: LineSums,
    /// The plain sums before each row, added up.
    running_totals: u64,
}

impl RowSums {
    /// Takes in a row whose lines have these sums.
    #[inline]
    pub(crate) fn add(&mut self, line: LineSums) {
        self.running_totals += self.total.plain;
        self.total.plain += line.plain;
        self.total.weighted += line.weighted;
    }
}

/// The sum of the numbers below `count`.
fn triangle(count: u64) -> u64 {
    count * count.saturating_sub(1) / 2
}

/// A checksum that is added up in any order. The sums of lines are not reduced before the end: 2²⁸ bytes of any
/// value do not overflow them, and a picture without its caption has fewer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Adler32 {
    a: u64,
    b: u64,
}

impl Adler32 {
    /// The checksum of `count` zeros.
    pub(crate) const fn of_zeros(count: usize) -> Self {
        Self { a: 1, b: count as u64 }
    }

    /// Adds the bytes of lines.
    #[inline]
    pub(crate) fn add(&mut self, line: LineSums, weight: LineWeight) {
        self.a += weight.lines * line.plain;
        self.b += weight.lines * line.weighted + weight.bytes_after * line.plain;
    }

    /// Adds the bytes of consecutive rows of equally many lines of `stride` bytes, the last of which weighs `last`.
    pub(crate) fn add_rows(&mut self, rows: RowSums, last: LineWeight, stride: usize) {
        self.add(rows.total, last);
        self.b += last.lines * last.lines * stride as u64 * rows.running_totals;
    }

    /// Appends `count` zeros, fewer than 2³¹.
    pub(crate) fn append_zeros(&mut self, count: usize) {
        // A caption may be of any height, and is of few lines as a rule.
        if self.a >= 1 << 32 || self.b >= 1 << 62 {
            (self.a, self.b) = (self.a % MODULUS, self.b % MODULUS);
        }
        self.b += self.a * count as u64;
    }

    /// Appends bytes.
    pub(crate) fn append(&mut self, bytes: &[u8]) {
        let sums = LineSums::of(bytes);
        self.append_zeros(bytes.len());
        self.a += sums.plain;
        self.b += sums.weighted;
    }

    pub(crate) fn finish(self) -> u32 {
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
    fn appended_bytes() {
        let bytes: Vec<u8> = (0..500_u32).map(|n| (n * n % 251) as u8).collect();
        for split in [0, 1, 15, 16, 17, 250, 500] {
            let mut adler = Adler32::of_zeros(3);
            adler.append(&bytes[..split]);
            adler.append_zeros(7);
            adler.append(&bytes[split..]);
            let all = [&[0; 3], &bytes[..split], &[0; 7], &bytes[split..]].concat();
            assert_eq!(adler.finish(), by_definition(all.into_iter()));
        }
    }

    #[test]
    fn rows_of_lines_that_have_a_part_in_common() {
        let rows = [[7, 200, 90, 3], [7, 0, 0, 3], [7, 255, 1, 3]];
        for height in 1..12 {
            let count = 2 + 3 * height;
            let mut adler = Adler32::of_zeros(4 * count);
            adler.add(LineSums::of(&[1, 2, 3, 4]), LineWeight::of(0..2, 4, count));
            adler.add(LineSums::of(&[7, 0, 0, 3]), LineWeight::of(2..count, 4, count));
            let mut sums = RowSums::default();
            for [_, second, third, _] in rows {
                sums.add(LineSums::of(&[0, second, third, 0]));
            }
            adler.add_rows(sums, LineWeight::of(count - height..count, 4, count), 4);
            let repeated = rows.iter().flat_map(|row| std::iter::repeat_n(*row, height));
            assert_eq!(
                adler.finish(),
                by_definition([[1, 2, 3, 4]; 2].into_iter().chain(repeated).flatten())
            );
        }
    }

    #[test]
    fn the_largest_image_and_any_caption_fit() {
        // Eight bits per pixel, 8,360 pixels on a side.
        let (stride, lines) = (8361, 8360);
        let bytes = (stride * lines) as u128;
        let mut adler = Adler32::of_zeros(bytes as usize);
        adler.add(LineSums::of(&vec![255; stride]), LineWeight::of(0..lines, stride, lines));
        let b = bytes + 255 * (bytes * (bytes + 1) / 2);
        assert_eq!(u128::from(adler.finish() >> 16), b % 65_521);
        // A caption that is ten times as high.
        let line = vec![255; stride];
        for _ in 0..10 * lines {
            adler.append(&line);
        }
        let bytes = 11 * bytes;
        let b = bytes + 255 * (bytes * (bytes + 1) / 2);
        assert_eq!(u128::from(adler.finish() >> 16), b % 65_521);
    }
}
