//! Every version and level against another implementation, given the same segments: each mask, and the mask chosen.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::cast_possible_wrap, reason = "a symbol has 177 modules a side at most")]

use qrcodegen::{QrCode, QrCodeEcc, QrSegment};
use qrpress_symbol::{CpuPath, DataSegment, Encoder, ErrorCorrectionLevel, Mask, Mode, Symbol, Version};

fn oracle(
    segment: &DataSegment,
    version: Version,
    level: ErrorCorrectionLevel,
    mask: Option<Mask>,
) -> QrCode {
    let text = || str::from_utf8(segment.data()).unwrap();
    let segment = match segment.mode() {
        Mode::Numeric => QrSegment::make_numeric(text()),
        Mode::Alphanumeric => QrSegment::make_alphanumeric(text()),
        Mode::Byte => QrSegment::make_bytes(segment.data()),
    };
    let level = match level {
        ErrorCorrectionLevel::Low => QrCodeEcc::Low,
        ErrorCorrectionLevel::Medium => QrCodeEcc::Medium,
        ErrorCorrectionLevel::Quartile => QrCodeEcc::Quartile,
        ErrorCorrectionLevel::High => QrCodeEcc::High,
    };
    let version = qrcodegen::Version::new(version.number());
    let mask = mask.map(|mask| qrcodegen::Mask::new(mask.number()));
    QrCode::encode_segments_advanced(&[segment], level, version, version, mask, false).unwrap()
}

fn assert_same(symbol: &Symbol, oracle: &QrCode, what: &str) {
    assert_eq!(symbol.mask().number(), oracle.mask().value(), "the mask of {what}");
    for y in 0..symbol.size() {
        for x in 0..symbol.size() {
            let expected = oracle.get_module(x as _, y as _);
            assert_eq!(symbol.is_dark(x, y), expected, "column {x} of row {y} of {what}");
        }
    }
}

/// Characters of `alphabet` that look random and are the same each time.
fn characters(alphabet: &[u8], length: usize, seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        alphabet[(state >> 32) as usize % alphabet.len()]
    };
    (0..length).map(|_| next()).collect()
}

fn versions() -> impl Iterator<Item = Version> {
    (1..=40).filter_map(Version::new)
}

/// The first characters that fit that version and level.
fn filling(mode: Mode, data: &[u8], version: Version, level: ErrorCorrectionLevel) -> DataSegment<'_> {
    let mut encoder = Encoder::new();
    let mut fits = |length: usize| {
        let segment = DataSegment::new(mode, &data[..length]).unwrap();
        encoder.encode_segments(&[segment], version, level, Some(Mask::ALL[0])).is_ok()
    };
    let (mut low, mut high) = (0, data.len() + 1);
    while low + 1 < high {
        let middle = low.midpoint(high);
        if fits(middle) { low = middle } else { high = middle }
    }
    DataSegment::new(mode, &data[..low]).unwrap()
}

fn assert_on_every_path(
    encoders: &mut [Encoder],
    segment: &DataSegment,
    version: Version,
    level: ErrorCorrectionLevel,
    mask: Option<Mask>,
) {
    let expected = oracle(segment, version, level, mask);
    for encoder in encoders {
        let what = format!("{version:?} {level:?} {mask:?} {:?} {}", segment.mode(), encoder.path().name());
        let symbol = encoder.encode_segments(&[*segment], version, level, mask).unwrap();
        assert_eq!((symbol.version(), symbol.level()), (version, level));
        assert_same(symbol, &expected, &what);
    }
}

fn encoders() -> Vec<Encoder> {
    CpuPath::available().map(Encoder::with_path).collect()
}

#[test]
fn every_version_level_and_mask_is_the_oracle_s() {
    let bytes: Vec<u8> = (0..=u8::MAX).collect();
    let mut encoders = encoders();
    for version in versions() {
        for level in ErrorCorrectionLevel::ALL {
            let seed = u64::from(version.number()) * 4 + level as u64;
            let data = characters(&bytes, 3000, seed);
            let segment = filling(Mode::Byte, &data, version, level);
            for mask in Mask::ALL.into_iter().map(Some).chain([None]) {
                assert_on_every_path(&mut encoders, &segment, version, level, mask);
            }
        }
    }
}

#[test]
fn masks_are_chosen_as_the_oracle_does() {
    let alphabets: [(Mode, &[u8]); 5] = [
        (Mode::Numeric, b"0123456789"),
        (Mode::Alphanumeric, b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"),
        (Mode::Byte, b"abcdefghijklmnopqrstuvwxyz./?=-_"),
        // Data that repeats makes large areas and wide patterns.
        (Mode::Byte, b"\0"),
        (Mode::Byte, b"\0\0\0\0\0\0\xFF\x33\xCC"),
    ];
    let mut encoders = encoders();
    for (index, (mode, alphabet)) in alphabets.into_iter().enumerate() {
        for version in versions() {
            for level in ErrorCorrectionLevel::ALL {
                // Many small symbols, and a few large ones.
                for turn in 0..(40 / u64::from(version.number())).max(1) {
                    let seed =
                        (turn * 160 + u64::from(version.number())) * 20 + level as u64 * 5 + index as u64;
                    let data =
                        characters(alphabet, if turn % 2 == 0 { 7089 } else { 4 * version.size() }, seed);
                    let full = filling(mode, &data, version, level);
                    assert_on_every_path(&mut encoders, &full, version, level, None);
                }
            }
        }
    }
}

#[test]
fn a_smaller_symbol_shows_nothing_of_a_larger_one() {
    let data = characters(b"abcdefghijklmnopqrstuvwxyz./?=-_", 1000, 1);
    for mut encoder in encoders() {
        for length in [1000, 60, 300, 10, 600, 60] {
            let symbol = encoder.encode(&data[..length], ErrorCorrectionLevel::Medium).unwrap().clone();
            let segment = DataSegment::new(Mode::Byte, &data[..length]).unwrap();
            let expected = oracle(&segment, symbol.version(), symbol.level(), None);
            assert_same(&symbol, &expected, &format!("{length} bytes, {}", encoder.path().name()));
        }
    }
}
