//! Every version and level against another implementation, given the same segments: each mask, and the mask chosen.

use qrcodegen::{QrCode, QrCodeEcc, QrSegment};
use qrpress_symbol::{CpuPath, DataSegment, Encoder, ErrorCorrectionLevel, Mask, Mode, Symbol, Version};

fn oracle(data: &[u8], version: Version, level: ErrorCorrectionLevel, mask: Option<Mask>) -> QrCode {
    let level = match level {
        ErrorCorrectionLevel::Low => QrCodeEcc::Low,
        ErrorCorrectionLevel::Medium => QrCodeEcc::Medium,
        ErrorCorrectionLevel::Quartile => QrCodeEcc::Quartile,
        ErrorCorrectionLevel::High => QrCodeEcc::High,
    };
    let version = qrcodegen::Version::new(version.number());
    let mask = mask.map(|mask| qrcodegen::Mask::new(mask.number()));
    let segments = [QrSegment::make_bytes(data)];
    QrCode::encode_segments_advanced(&segments, level, version, version, mask, false).unwrap()
}

fn assert_same(symbol: &Symbol, oracle: &QrCode, what: &str) {
    assert_eq!(symbol.mask().number(), oracle.mask().value(), "the mask of {what}");
    for y in 0..symbol.size() {
        for x in 0..symbol.size() {
            let expected = oracle.get_module(x as i32, y as i32);
            assert_eq!(symbol.is_dark(x, y), expected, "column {x} of row {y} of {what}");
        }
    }
}

/// Bytes that look random and are the same each time.
fn noise(length: usize, seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    (0..length).map(|_| next()).collect()
}

fn versions() -> impl Iterator<Item = Version> {
    (1..=40).filter_map(Version::new)
}

/// The most bytes that one segment of that version and level holds.
fn byte_capacity(version: Version, level: ErrorCorrectionLevel) -> usize {
    let mut encoder = Encoder::new();
    let data = [0; 3000];
    let fits = |length: usize, encoder: &mut Encoder| {
        let segment = DataSegment::new(Mode::Byte, &data[..length]).unwrap();
        encoder.encode_segments(&[segment], version, level, Some(Mask::ALL[0])).is_ok()
    };
    let (mut low, mut high) = (0, data.len());
    while low + 1 < high {
        let middle = low.midpoint(high);
        if fits(middle, &mut encoder) { low = middle } else { high = middle }
    }
    low
}

#[test]
fn every_version_level_and_mask_is_the_oracle_s() {
    let mut encoders: Vec<Encoder> = CpuPath::available().map(Encoder::with_path).collect();
    for version in versions() {
        for level in ErrorCorrectionLevel::ALL {
            let seed = u64::from(version.number()) * 4 + level as u64;
            let data = noise(byte_capacity(version, level), seed);
            let segments = [DataSegment::new(Mode::Byte, &data).unwrap()];
            for mask in Mask::ALL.into_iter().map(Some).chain([None]) {
                let expected = oracle(&data, version, level, mask);
                for encoder in &mut encoders {
                    let what = format!("version {version:?} {level:?} {mask:?} {}", encoder.path().name());
                    let symbol = encoder.encode_segments(&segments, version, level, mask).unwrap();
                    assert_same(symbol, &expected, &what);
                }
            }
        }
    }
}
