//! Format and version information: what a symbol says about itself, in two copies each (ISO/IEC 18004, clauses 7.9, 7.10).

use crate::blocks::Level;
use crate::{Modules, ReadError};

/// Wrong bits in a copy that are put right, of either information.
const REPAIRABLE_BITS: u32 = 3;

/// The level and the mask, 0 to 7, of a symbol.
pub(crate) fn read_format(modules: &Modules) -> Result<(Level, usize), ReadError> {
    let last = modules.size() - 1;
    let upper_left = |bit: usize| match bit {
        0..=5 => modules.cell(8, bit),
        6 | 7 => modules.cell(8, bit + 1),
        8 => modules.cell(7, 8),
        _ => modules.cell(14 - bit, 8),
    };
    let others = |bit: usize| match bit {
        0..=7 => modules.cell(last - bit, 8),
        _ => modules.cell(8, last - 14 + bit),
    };
    let copies = [word(15, upper_left), word(15, others)];
    let (value, wrong) =
        nearest(0..32, &copies, |value| code(value, 10, 0b101_0011_0111) ^ 0b101_0100_0001_0010);
    if wrong > REPAIRABLE_BITS {
        return Err(ReadError::Format);
    }
    let level = match value >> 3 {
        0b01 => Level::Low,
        0b00 => Level::Medium,
        0b11 => Level::Quartile,
        _ => Level::High,
    };
    Ok((level, value as usize & 7))
}

/// Checks the version information, which versions from 7 on have.
pub(crate) fn check_version(modules: &Modules, version: usize) -> Result<(), ReadError> {
    if version < 7 {
        return Ok(());
    }
    let first = modules.size() - 11;
    let upper_right = |bit: usize| modules.cell(first + bit % 3, bit / 3);
    let lower_left = |bit: usize| modules.cell(bit / 3, first + bit % 3);
    let copies = [word(18, upper_right), word(18, lower_left)];
    let (value, wrong) = nearest(7..41, &copies, |value| code(value, 12, 0b1_1111_0010_0101));
    if wrong <= REPAIRABLE_BITS && value as usize == version { Ok(()) } else { Err(ReadError::Version) }
}

/// The word of that many bits, the lowest first.
fn word(bits: usize, bit: impl Fn(usize) -> u8) -> u32 {
    (0..bits).map(|place| u32::from(bit(place)) << place).sum()
}

/// The value with `check_bits` of the BCH code behind it (annexes C and D).
fn code(value: u32, check_bits: u32, generator: u32) -> u32 {
    let mut rest = value << check_bits;
    while rest >> check_bits != 0 {
        rest ^= generator << (rest.ilog2() - check_bits);
    }
    value << check_bits | rest
}

/// The value whose word differs least from one of the copies, and the number of bits that differ.
fn nearest(mut values: std::ops::Range<u32>, copies: &[u32], word: impl Fn(u32) -> u32) -> (u32, u32) {
    let wrong = |value: u32| copies.iter().map(|copy| (copy ^ word(value)).count_ones()).min();
    let first = values.next().unwrap_or(0);
    values.fold((first, wrong(first).unwrap_or(0)), |least, value| match wrong(value) {
        Some(wrong) if wrong < least.1 => (value, wrong),
        _ => least,
    })
}
