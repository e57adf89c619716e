//! Format and version information with their BCH codes (ISO/IEC 18004, clauses 7.9 and 7.10).

use crate::{ErrorCorrectionLevel, Mask, Version};

/// The 15 bits of format information of a level and mask, its own mask pattern applied.
pub(crate) fn format_information(level: ErrorCorrectionLevel, mask: Mask) -> u32 {
    let indicator = match level {
        ErrorCorrectionLevel::Low => 0b01,
        ErrorCorrectionLevel::Medium => 0b00,
        ErrorCorrectionLevel::Quartile => 0b11,
        ErrorCorrectionLevel::High => 0b10,
    };
    append_bch(indicator << 3 | u32::from(mask.number()), 10, 0b101_0011_0111) ^ 0b101_0100_0001_0010
}

/// The 18 bits of version information, which versions from 7 on carry.
pub(crate) fn version_information(version: Version) -> u32 {
    append_bch(version.number().into(), 12, 0b1_1111_0010_0101)
}

/// `data` followed by its remainder modulo a generator of that degree.
fn append_bch(data: u32, degree: u32, generator: u32) -> u32 {
    let mut remainder = data << degree;
    while remainder >> degree != 0 {
        remainder ^= generator << (remainder.ilog2() - degree);
    }
    data << degree | remainder
}
