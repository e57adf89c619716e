//! The data of a symbol.

use qrpress_simd::SimdLevel;
use qrpress_symbol::{Encoder, ErrorCorrectionLevel};

/// Encodes data at the level that the first byte says, on the widest path and on the portable one.
///
/// # Panics
/// When a law is broken.
pub fn symbol(bytes: &[u8]) {
    let Some((&first, data)) = bytes.split_first() else { return };
    let levels = [
        ErrorCorrectionLevel::Low,
        ErrorCorrectionLevel::Medium,
        ErrorCorrectionLevel::Quartile,
        ErrorCorrectionLevel::High,
    ];
    let level = levels[usize::from(first) % 4];
    let mut wide = Encoder::new();
    let mut portable = Encoder::with_simd_level(SimdLevel::PORTABLE);
    match (wide.encode(data, level), portable.encode(data, level)) {
        (Ok(symbol), Ok(other)) => assert!(symbol == other, "the paths differ"),
        (Err(one), Err(other)) => assert!(one == other && data.len() > 1200),
        _ => panic!("one path refuses what the other encodes"),
    }
}
