//! Every operation of every level against what it is defined to do, bit by bit.

use std::process::ExitCode;

use qrpress_simd::{ROW, Simd, SimdLevel, WithSimd, Words};
use qrpress_testkit::{LevelTests, Random};

fn main() -> ExitCode {
    LevelTests::new(SimdLevel::NAMES, SimdLevel::named)
        .test("operators_work_on_every_lane", |level| level.dispatch(Operators))
        .test("combines_rows", |level| level.dispatch(Combinations))
        .test("narrow_work_is_the_same", |level| {
            level.dispatch_narrow(Operators);
            level.dispatch_narrow(Combinations);
        })
        .common_test("the_portable_level_is_always_there", || {
            assert_eq!(SimdLevel::available().next(), Some(SimdLevel::PORTABLE));
            assert_eq!(SimdLevel::available().last(), Some(SimdLevel::detect()));
            assert!(SimdLevel::available().all(|level| SimdLevel::named(level.name()) == Some(level)));
        })
        .run()
}

struct Operators;

impl WithSimd for Operators {
    type Output = ();

    fn with_simd<S: Simd>(self, simd: S) {
        let mut random = Random(1);
        let words = [0; 64].map(|_: u64| random.bits());
        let (a, b) = words.split_at(32);
        let assert_same = |vector: S::Words, word: &dyn Fn(u64, u64) -> u64| {
            let mut stored = [0; 8];
            vector.store(&mut stored);
            for i in 0..S::Words::LANES {
                assert_eq!(stored[i], word(a[i], b[i]));
            }
        };
        let [x, y] = [simd.load(a), simd.load(b)];
        assert_same(x + y, &u64::wrapping_add);
        assert_same(x & y, &|x, y| x & y);
        assert_same(x | y, &|x, y| x | y);
        assert_same(x ^ y, &|x, y| x ^ y);
        assert_same(!x, &|x, _| !x);
        assert_same(x << 5, &|x, _| x << 5);
        assert_same(x >> 63, &|x, _| x >> 63);
        assert_same(x.count_ones(), &|x, _| x.count_ones().into());
        assert_same(simd.splat(words[0]), &|_, _| words[0]);
    }
}

struct Combinations;

impl WithSimd for Combinations {
    type Output = ();

    fn with_simd<S: Simd>(self, simd: S) {
        let mut random = Random(2);
        let mut bytes = |count: usize| (0..count).map(|_| random.bits() as u8).collect::<Vec<u8>>();
        let rows: Vec<[u8; ROW]> = bytes(9 * ROW).as_chunks().0.to_vec();
        let products = std::array::from_fn(|element| matrix(element as u8));
        for lengths in [[0, 0, 0], [1, 0, 2], [7, 7, 8], [8, 8, 9], [9, 9, 9]] {
            let factors = lengths.map(&mut bytes);
            let Some(sums) = simd.combine(factors.each_ref().map(Vec::as_slice), &rows, &products) else {
                return;
            };
            for (sum, factors) in sums.iter().zip(factors) {
                let mut expected = [0; ROW];
                for (row, factor) in rows.iter().rev().zip(factors.iter().rev()) {
                    for (sum, &element) in expected.iter_mut().zip(row) {
                        *sum ^= multiply(element, *factor);
                    }
                }
                assert_eq!(*sum, expected, "{} factors", factors.len());
            }
        }
    }
}

/// The matrix over bits that multiplies by a field element.
fn matrix(element: u8) -> u64 {
    (0..8).fold(0, |matrix, column| {
        let product = u64::from(multiply(element, 1 << column));
        (0..8).fold(matrix, |matrix, bit| matrix | (product >> bit & 1) << (8 * (7 - bit) + column))
    })
}

/// The product modulo x⁸ + x⁴ + x³ + x² + 1.
fn multiply(a: u8, b: u8) -> u8 {
    (0..8).rev().fold(0, |product: u8, bit| {
        let doubled = product << 1 ^ if product & 0x80 == 0 { 0 } else { 0x1D };
        doubled ^ if b >> bit & 1 == 1 { a } else { 0 }
    })
}
