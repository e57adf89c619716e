//! Rules N1 and N3 along rows and columns: runs of five modules or more, and the pattern 1011101 of a finder pattern.
//!
//! The lines are read from the first to the last. At line `t`, every bit of a word is the module `m(t)` of one row or
//! column, and `m(t - 1)` is the same bit of the line before. The light quiet zone comes before the first line.
//!
//! ```text
//! change(t)        m(t) differs from m(t - 1)
//! change in three  m(t - 2), m(t - 1) and m(t) are not all equal      change(t) | change(t - 1)
//! change in five   m(t - 4) to m(t) are not all equal                 change in three at t, or at t - 2
//! arm              101 ends at t                                      m(t) & change(t) & change(t - 1)
//! 0101             0101 ends at t                                     arm at t, and change(t - 2)
//! core             01011101 ends at t                                 arm at t, no change(t - 2), and 0101 at t - 4
//! dark in four     m(t - 3) to m(t) are not all light
//! ```
//!
//! Rule N1 gives `n - 2` points to a run of `n` modules, five or more. A run of five ends at `n - 4` of its lines. With the two
//! lines that follow the last of them, that makes `n - 2` lines, and each counts one point:
//!
//! ```text
//! modules            0 1 1 1 1 1 1 0 1     a run of six
//! a run of five ends           * *
//! counted                      * * * *     four points
//! ```
//!
//! A core is the pattern 1011101 and the light module before it. It counts for rule N3 once where four light modules lie before
//! the pattern and one after it, and once where four lie after it.

use std::ops::Range;

use qrpress_simd::{Simd, Words};

use super::variants::{MaskLanes, Variants};
use crate::Version;

/// Light modules past the last one that are read: as far as the formulas reach beyond a run or pattern.
const READ_PAST_END: usize = 4;

/// The counts of some variants.
#[derive(Clone, Copy)]
pub(super) struct Counts<V> {
    /// The points of rule N1.
    pub(super) run_points: V,
    /// The patterns of rule N3, once for each side that has four light modules.
    pub(super) finders: V,
}

impl<V: Words> Counts<V> {
    #[inline(always)]
    pub(super) fn new<S: Simd<Words = V>>(simd: S) -> Self {
        Self { run_points: simd.splat(0), finders: simd.splat(0) }
    }
}

/// Counts along the rows and columns that a strip has in the bits of `inside`.
#[inline(always)]
pub(super) fn count_strip<S: Simd>(
    variants: &Variants<S>,
    strip: usize,
    inside: u64,
    counts: &mut Counts<S::Words>,
) {
    let simd = variants.simd;
    let outside = simd.splat(!inside);
    let mut history = History::new(simd);
    let (words, overlay) = variants.strip(strip);
    // A size is 17 and four times the version: after fours of lines comes one.
    let ([first, words @ ..], &[last]) = words.as_chunks() else { unreachable!() };
    let ([first_overlay, overlay @ ..], [last_overlay]) = overlay.as_chunks() else { unreachable!() };
    // The quiet zone and the first modules are no run.
    history.advance_four(variants, 0, first, first_overlay, simd.splat(u64::MAX), counts);
    let (words, last_words) = words.as_chunks();
    let (overlay, last_overlays) = overlay.as_chunks();
    for ([words, next_words], [overlay, next_overlay]) in words.iter().zip(overlay) {
        history.advance_four(variants, 4, words, overlay, outside, counts);
        history.advance_four(variants, 0, next_words, next_overlay, outside, counts);
    }
    let last = variants.mask(last, last_overlay);
    if let ([words], [overlay]) = (last_words, last_overlays) {
        history.advance_four(variants, 4, words, overlay, outside, counts);
        history.end(simd, 0, last, outside, counts);
    } else {
        history.end(simd, 4, last, outside, counts);
    }
}

/// Returns true if the last strip has just two rows, each of which fits in a word with [`READ_PAST_END`] more modules: in
/// version 4, which many URLs take.
pub(super) fn has_last_rows_in_words(version: Version) -> bool {
    2 * version.size() % 64 == 2 && version.size() + READ_PAST_END <= 64
}

/// Counts along some rows that lie in one word each. The formulas are the same, with `m(t - 1)` in the next lower bit:
///
/// ```text
/// modules        … m(3) m(2) m(1) m(0)
/// modules << 1   … m(2) m(1) m(0)   0
/// ```
#[inline(always)]
pub(super) fn within_words<S: Simd>(
    variants: &Variants<S>,
    rows: Range<usize>,
    counts: &mut Counts<S::Words>,
) {
    let simd = variants.simd;
    let columns = simd.splat((1 << variants.size()) - 1);
    for row in rows {
        let modules = variants.word(row) & columns;
        let [one_before, two_before, three_before] = [modules << 1, modules << 2, modules << 3];
        // Bit i of `two`: modules i - 1 and i are equal. The lowest bit has none before it.
        let two = !(modules ^ one_before) & columns & !simd.splat(1);
        let three = two & two << 1;
        let five = three & three << 2;
        let arm = modules & !one_before & two_before;
        let core = arm & three_before & (arm & !three_before) << 4;
        let light = !(modules | one_before | two_before | three_before);
        let light_around = light << 8 | simd.splat(0xFF);
        let in_runs = five | five << 1 | five << 2;
        let finders = core << 1 & !modules & light_around | core << 4 & light;
        counts.run_points = counts.run_points + in_runs.count_ones();
        counts.finders = counts.finders + finders.count_ones();
    }
}

/// The values of the last `N` lines: element `line % N` is that of the line. Of five lines, a ring of four has these:
///
/// ```text
/// element    0  1  2  3
/// of line    4  1  2  3
/// ```
///
/// After eight lines every ring is where it began. With eight lines unrolled, all indices are constants: the elements stay in
/// registers and none is moved.
struct Ring<V, const N: usize>([V; N]);

impl<V: Copy, const N: usize> Ring<V, N> {
    /// The value of the line that lies `lines` before the line `turn`, 1 to `N`.
    #[inline(always)]
    fn before(&self, turn: usize, lines: usize) -> V {
        self.0[(turn + N - lines) % N]
    }

    /// Makes `value` that of the line `turn`. The value of `N` lines before is lost.
    #[inline(always)]
    fn set(&mut self, turn: usize, value: V) {
        self.0[turn % N] = value;
    }
}

/// The values of the lines before.
struct History<V> {
    modules: V,
    change: Ring<V, 4>,
    change_in_three: Ring<V, 2>,
    change_in_five: Ring<V, 4>,
    /// The lines at which 0101 ends.
    ends_of_0101: Ring<V, 4>,
    cores: Ring<V, 4>,
    dark_in_four: Ring<V, 8>,
    /// Patterns that are not counted yet: those of up to three lines that follow one another, which are in different bits.
    finders: V,
}

impl<V: Words> History<V> {
    /// The history before the first line: all light, and no part of a run.
    #[inline(always)]
    fn new<S: Simd<Words = V>>(simd: S) -> Self {
        let none = simd.splat(0);
        Self {
            modules: none,
            change: Ring([none; 4]),
            change_in_three: Ring([none; 2]),
            change_in_five: Ring([!none; 4]),
            ends_of_0101: Ring([none; 4]),
            cores: Ring([none; 4]),
            dark_in_four: Ring([none; 8]),
            finders: none,
        }
    }

    /// Goes on by four lines: loops of more may not be unrolled.
    #[inline(always)]
    fn advance_four<S: Simd<Words = V>>(
        &mut self,
        variants: &Variants<S>,
        first_turn: usize,
        words: &[u64; 4],
        overlay: &[MaskLanes; 4],
        no_run: V,
        counts: &mut Counts<V>,
    ) {
        for line in 0..4 {
            let modules = variants.mask(words[line], &overlay[line]);
            self.advance(first_turn + line, modules, no_run, counts);
        }
    }

    /// Goes on to the last line, and past it until nothing more can be found.
    #[inline(always)]
    fn end<S: Simd<Words = V>>(
        &mut self,
        simd: S,
        turn: usize,
        modules: V,
        no_run: V,
        counts: &mut Counts<V>,
    ) {
        self.advance(turn, modules, no_run, counts);
        for line in 0..READ_PAST_END {
            self.advance(turn + 1 + line, simd.splat(0), simd.splat(u64::MAX), counts);
        }
        self.count_finders(counts);
    }

    /// Goes on to the next line and counts what ends at it. `turn` is the line's number modulo eight; past the last line it
    /// goes on to eight. `no_run` has the bits in which no run of five may end.
    #[inline(always)]
    fn advance(&mut self, turn: usize, modules: V, no_run: V, counts: &mut Counts<V>) {
        let change = modules ^ self.modules;
        let change_before = self.change.before(turn, 1);
        let change_two_before = self.change.before(turn, 2);
        let change_in_three = change | change_before;
        let change_in_five = change_in_three | self.change_in_three.before(turn, 2) | no_run;
        let not_in_runs =
            change_in_five & self.change_in_five.before(turn, 1) & self.change_in_five.before(turn, 2);
        let arm = modules & change & change_before;
        let core = arm & !change_two_before & self.ends_of_0101.before(turn, 4);
        let dark_in_four = modules | change_in_three | change_two_before;
        // A core that ended one line ago, after three more light modules; one that ended four lines ago, with four
        // light modules after it. Two patterns share one module at most, so finds in one bit are at least three lines apart.
        let light_before = self.cores.before(turn, 1) & !(modules | self.dark_in_four.before(turn, 8));
        let light_after = self.cores.before(turn, 4) & !dark_in_four;
        self.modules = modules;
        self.change.set(turn, change);
        self.change_in_three.set(turn, change_in_three);
        self.change_in_five.set(turn, change_in_five);
        self.ends_of_0101.set(turn, arm & change_two_before);
        self.cores.set(turn, core);
        self.dark_in_four.set(turn, dark_in_four);
        counts.run_points = counts.run_points + (!not_in_runs).count_ones();
        // Turns 1, 4 and 7, and 1 of the next eight lines: at most three lines apart.
        if turn % 3 == 1 {
            self.count_finders(counts);
            self.finders = light_before | light_after;
        } else {
            self.finders = self.finders | light_before | light_after;
        }
    }

    /// Counts the patterns that are not counted yet.
    #[inline(always)]
    fn count_finders(&self, counts: &mut Counts<V>) {
        counts.finders = counts.finders + self.finders.count_ones();
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use qrpress_simd::Portable;
    use qrpress_testkit::assert_on_page;

    use super::*;

    /// The example of rule N1 at the head of this file, computed by the code that counts.
    #[test]
    fn the_run_of_six_is_as_the_file_shows() {
        let (mut history, mut counts) = (History::new(Portable), Counts::new(Portable));
        let (mut modules, mut ends, mut counted) = (String::new(), String::new(), String::new());
        for (turn, module) in [0, 1, 1, 1, 1, 1, 1, 0, 1].into_iter().enumerate() {
            let before = counts.run_points;
            history.advance(turn % 8, module, if turn < 4 { u64::MAX } else { !1 }, &mut counts);
            let mark = |is_marked: bool| if is_marked { " *" } else { "  " };
            write!(modules, " {module}").unwrap();
            ends += mark(history.change_in_five.0[turn % 4] & 1 == 0);
            counted += mark(counts.run_points > before);
        }
        assert_eq!(counts.run_points, 4);
        let example = format!(
            "modules           {modules}     a run of six\na run of five ends{}\ncounted           {}     four points\n",
            ends.trim_end(),
            counted.trim_end(),
        );
        let comment = format!("//! {}", example.trim_end().replace('\n', "\n//! "));
        assert_on_page("crates/symbol/src/penalty/runs.rs", &comment);
    }
}
