//! Data codewords to bytes: the segments of ISO/IEC 18004, clause 7.4, but for Kanji, FNC1 and structured append.

use crate::ReadError;

const ALPHANUMERIC: &[u8; 45] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";

/// The ECI assignment of UTF-8, in which all data is given.
const UTF_8: u32 = 26;

/// Appends the bytes of all segments of a version, 1 to 40.
pub(crate) fn read_segments(codewords: &[u8], version: usize, out: &mut Vec<u8>) -> Result<(), ReadError> {
    let range = match version {
        ..=9 => 0,
        10..=26 => 1,
        _ => 2,
    };
    let mut bits = Bits { codewords, next: 0 };
    // Fewer than four bits are a terminator that was cut off.
    while bits.left() >= 4 {
        match bits.take(4)? {
            0b0000 => break,
            0b0001 => read_numeric(&mut bits, [10, 12, 14][range], out)?,
            0b0010 => read_alphanumeric(&mut bits, [9, 11, 13][range], out)?,
            0b0100 => {
                for _ in 0..bits.take([8, 16, 16][range])? {
                    out.push(bits.take(8)? as u8);
                }
            }
            0b0111 if bits.take(8)? == UTF_8 => {}
            _ => return Err(ReadError::Segments),
        }
    }
    Ok(())
}

fn read_numeric(bits: &mut Bits<'_>, count_bits: usize, out: &mut Vec<u8>) -> Result<(), ReadError> {
    let mut left = bits.take(count_bits)? as usize;
    while left > 0 {
        let digits = left.min(3);
        let value = bits.take([0, 4, 7, 10][digits])?;
        if value >= 10_u32.pow(digits as u32) {
            return Err(ReadError::Segments);
        }
        let digit = |place: usize| b'0' + (value / 10_u32.pow(place as u32) % 10) as u8;
        out.extend((0..digits).rev().map(digit));
        left -= digits;
    }
    Ok(())
}

fn read_alphanumeric(bits: &mut Bits<'_>, count_bits: usize, out: &mut Vec<u8>) -> Result<(), ReadError> {
    let mut left = bits.take(count_bits)? as usize;
    let character = |value: u32| ALPHANUMERIC.get(value as usize).copied().ok_or(ReadError::Segments);
    while left > 1 {
        let value = bits.take(11)?;
        out.extend([character(value / 45)?, character(value % 45)?]);
        left -= 2;
    }
    if left == 1 {
        out.push(character(bits.take(6)?)?);
    }
    Ok(())
}

/// Codewords as a stream of bits.
struct Bits<'a> {
    codewords: &'a [u8],
    next: usize,
}

impl Bits<'_> {
    fn left(&self) -> usize {
        8 * self.codewords.len() - self.next
    }

    /// The next bits, 16 at most, the highest first.
    fn take(&mut self, count: usize) -> Result<u32, ReadError> {
        if count > self.left() {
            return Err(ReadError::Segments);
        }
        let first = self.next / 8;
        let codeword = |place: usize| u32::from(self.codewords.get(place).copied().unwrap_or(0));
        let window = codeword(first) << 16 | codeword(first + 1) << 8 | codeword(first + 2);
        let value = window << (8 + self.next % 8) >> (32 - count);
        self.next += count;
        Ok(value)
    }
}
