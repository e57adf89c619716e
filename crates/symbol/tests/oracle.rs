//! Every version and level against another implementation, given the same segments: each mask, and the mask chosen.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::cast_possible_wrap, reason = "a symbol has 177 modules a side at most")]

use std::process::ExitCode;
use std::sync::LazyLock;

use qrcodegen::{QrCode, QrCodeEcc, QrSegment};
use qrpress_simd::SimdLevel;
use qrpress_symbol::{DataSegment, Eci, Encoder, ErrorCorrectionLevel, Mask, Mode, Symbol, Version};
use qrpress_testkit::{LevelTests, Random};

fn main() -> ExitCode {
    LevelTests::new(SimdLevel::NAMES, SimdLevel::named)
        .test("every_version_level_and_mask_is_the_oracle_s", |simd_level| {
            assert_all(simd_level, &EVERY_MASK);
        })
        .test("masks_are_chosen_as_the_oracle_does", |simd_level| assert_all(simd_level, &CHOSEN_MASKS))
        .test("a_smaller_symbol_shows_nothing_of_a_larger_one", shows_nothing_of_a_larger_one)
        .run()
}

/// A segment, and the symbol that the oracle makes of it: once for the tests of all CPU levels.
struct Case {
    mode: Mode,
    data: Vec<u8>,
    mask: Option<Mask>,
    version: Version,
    level: ErrorCorrectionLevel,
    expected: QrCode,
}

impl Case {
    fn new(segment: &DataSegment, version: Version, level: ErrorCorrectionLevel, mask: Option<Mask>) -> Self {
        let expected = oracle(segment, version, level, mask);
        Self { mode: segment.mode(), data: segment.data().to_vec(), mask, version, level, expected }
    }
}

/// Every version and level filled with bytes, with each mask and with the one of least penalty.
static EVERY_MASK: LazyLock<Vec<Case>> = LazyLock::new(|| {
    let bytes: Vec<u8> = (0..=u8::MAX).collect();
    let mut cases = Vec::new();
    for (version, level) in cells() {
        let data = characters(&bytes, 3000, u64::from(version.number()) * 4 + level as u64);
        let segment = filling(Mode::Byte, &data, version, level);
        let masks = Mask::ALL.into_iter().map(Some).chain([None]);
        cases.extend(masks.map(|mask| Case::new(&segment, version, level, mask)));
    }
    cases
});

/// Every version and level in all modes, many small symbols and a few large ones.
static CHOSEN_MASKS: LazyLock<Vec<Case>> = LazyLock::new(|| {
    let alphabets: [(Mode, &[u8]); 5] = [
        (Mode::Numeric, b"0123456789"),
        (Mode::Alphanumeric, b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"),
        (Mode::Byte, b"abcdefghijklmnopqrstuvwxyz./?=-_"),
        // Data that repeats makes large areas and wide patterns.
        (Mode::Byte, b"\0"),
        (Mode::Byte, b"\0\0\0\0\0\0\xFF\x33\xCC"),
    ];
    let mut cases = Vec::new();
    for (index, (mode, alphabet)) in alphabets.into_iter().enumerate() {
        for (version, level) in cells() {
            for turn in 0..(40 / u64::from(version.number())).max(1) {
                let seed = (turn * 160 + u64::from(version.number())) * 20 + level as u64 * 5 + index as u64;
                let length = if turn % 2 == 0 { 7089 } else { 4 * version.size() };
                let data = characters(alphabet, length, seed);
                cases.push(Case::new(&filling(mode, &data, version, level), version, level, None));
            }
        }
    }
    cases
});

fn assert_all(simd_level: SimdLevel, cases: &[Case]) {
    let mut encoder = Encoder::with_simd_level(simd_level);
    for Case { mode, data, mask, version, level, expected } in cases {
        let what = format!("{version:?} {level:?} {mask:?} {mode:?}");
        let segment = DataSegment::new(*mode, data).unwrap();
        let symbol = encoder.encode_segments(&[segment], Eci::Absent, *version, *level, *mask).unwrap();
        assert_eq!((symbol.version(), symbol.level()), (*version, *level));
        assert_same(symbol, expected, &what);
    }
}

fn shows_nothing_of_a_larger_one(simd_level: SimdLevel) {
    let data = characters(b"abcdefghijklmnopqrstuvwxyz./?=-_", 1000, 1);
    let mut encoder = Encoder::with_simd_level(simd_level);
    for length in [1000, 60, 300, 10, 600, 60] {
        let symbol = encoder.encode(&data[..length], ErrorCorrectionLevel::Medium).unwrap().clone();
        let segment = DataSegment::new(Mode::Byte, &data[..length]).unwrap();
        let expected = oracle(&segment, symbol.version(), symbol.level(), None);
        assert_same(&symbol, &expected, &format!("{length} bytes"));
    }
}

fn cells() -> impl Iterator<Item = (Version, ErrorCorrectionLevel)> {
    let versions = (1..=40).filter_map(Version::new);
    versions.flat_map(|version| ErrorCorrectionLevel::ALL.map(|level| (version, level)))
}

/// Characters of `alphabet` that look random and are the same each time.
fn characters(alphabet: &[u8], length: usize, seed: u64) -> Vec<u8> {
    Random(seed).picks(alphabet, length)
}

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
        mode => unreachable!("the encoder writes no {mode:?}"),
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

/// The first characters that fit that version and level.
fn filling(mode: Mode, data: &[u8], version: Version, level: ErrorCorrectionLevel) -> DataSegment<'_> {
    let mut encoder = Encoder::new();
    let mut fits = |length: usize| {
        let segment = DataSegment::new(mode, &data[..length]).unwrap();
        encoder.encode_segments(&[segment], Eci::Absent, version, level, Some(Mask::ALL[0])).is_ok()
    };
    let (mut low, mut high) = (0, data.len() + 1);
    while low + 1 < high {
        let middle = low.midpoint(high);
        if fits(middle) { low = middle } else { high = middle }
    }
    DataSegment::new(mode, &data[..low]).unwrap()
}
