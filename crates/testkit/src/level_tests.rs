//! Tests that run once for each CPU level.

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

/// The tests of a program that runs each of them once for every CPU level.
///
/// A level that this machine lacks is an ignored test, as the test harness and `npm test` count it. The program has its
/// own `main`, so its `[[test]]` in `Cargo.toml` says `harness = false`. The names of the levels and the way to find one
/// are `qrpress_simd::SimdLevel::NAMES` and `SimdLevel::named`.
///
/// ```no_run
/// # use std::process::ExitCode;
/// # use qrpress_testkit::LevelTests;
/// fn sums_do_not_wrap(level: u8) {
///     assert!(level < 3);
/// }
///
/// fn main() -> ExitCode {
///     let named = |name: &str| (name == "portable").then_some(0);
///     LevelTests::new(["portable", "avx2", "avx512"], named)
///         .test("sums_do_not_wrap", sums_do_not_wrap)
///         .run()
/// }
/// ```
pub struct LevelTests<L> {
    levels: Vec<(&'static str, Option<L>)>,
    trials: Vec<Trial>,
}

impl<L: Copy + Send + 'static> LevelTests<L> {
    /// The levels by name; `named` returns `None` for a level that this machine lacks.
    pub fn new(levels: impl IntoIterator<Item = &'static str>, named: impl Fn(&str) -> Option<L>) -> Self {
        let levels = levels.into_iter().map(|name| (name, named(name))).collect();
        Self { levels, trials: Vec::new() }
    }

    /// Adds a test of every level.
    #[must_use]
    pub fn test(mut self, name: &str, run: fn(L)) -> Self {
        for &(level_name, level) in &self.levels {
            let trial = Trial::test(format!("{level_name}::{name}"), move || {
                if let Some(level) = level {
                    run(level);
                }
                Ok(())
            });
            self.trials.push(trial.with_ignored_flag(level.is_none()));
        }
        self
    }

    /// Adds a test that does not depend on the level.
    #[must_use]
    pub fn common_test(mut self, name: &str, run: fn()) -> Self {
        self.trials.push(Trial::test(name, move || {
            run();
            Ok(())
        }));
        self
    }

    /// Runs the tests that the command line asks for.
    pub fn run(self) -> ExitCode {
        libtest_mimic::run(&Arguments::from_args(), self.trials).exit_code()
    }
}
