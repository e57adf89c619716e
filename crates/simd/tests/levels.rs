//! Every operation of every level against what it is defined to do, bit by bit.

use std::process::ExitCode;

use qrpress_simd::{Simd, SimdLevel, WithSimd, Words};
use qrpress_testkit::{LevelTests, Random};

fn main() -> ExitCode {
    LevelTests::new(SimdLevel::NAMES, SimdLevel::named)
        .test("operators_work_on_every_lane", |level| level.dispatch(Operators))
        .test("narrow_work_is_the_same", |level| level.dispatch_narrow(Operators))
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
