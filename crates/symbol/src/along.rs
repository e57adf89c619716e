//! Rules N1 and N3 along rows and columns: runs of five modules or more, and patterns like a finder pattern's.
//!
//! All formulas speak of the module at hand and of those before it. *Across lines*, before means lines above, and each bit of a
//! word is a row or column of its own; *within words*, it means lower bits.

use std::ops::Range;

use crate::fold::{Fold, Folded, FoldedFour, LEAD};
use crate::penalty::{Lanes, Variants};
use crate::vector::{Level, Vector};

/// Modules, light ones, that are looked at past the last: so far reach the formulas beyond a run or pattern.
pub(crate) const ROOM: usize = 4;

/// What was counted of some variants.
#[derive(Clone, Copy)]
pub(crate) struct Counts<V> {
    /// Modules of runs of five or more, save two of each: so many are rule N1's points, 3 for five modules and 1 for
    /// every further one.
    pub(crate) runs: V,
    /// The patterns 1011101 of rule N3, once for each side on which four light modules are.
    pub(crate) patterns: V,
}

impl<V: Vector> Counts<V> {
    #[inline(always)]
    pub(crate) fn new<L: Level<Vector = V>>(level: L) -> Self {
        Self { runs: level.splat(0), patterns: level.splat(0) }
    }
}

/// Counts along the rows and columns that a strip has in the bits of `inside`.
#[inline(always)]
pub(crate) fn across_lines<L: Level>(
    variants: &Variants<L>,
    strip: usize,
    inside: u64,
    counts: &mut Counts<L::Vector>,
) {
    let level = variants.level;
    let outside = level.splat(!inside);
    let mut history = History::new(level);
    let (words, overlay) = variants.strip(strip);
    // A size is 17 and four times the version: after fours of lines comes one.
    let ([first, words @ ..], &[last]) = words.as_chunks() else { unreachable!() };
    let ([first_overlay, overlay @ ..], [last_overlay]) = overlay.as_chunks() else { unreachable!() };
    // No run of five comes from before the symbol.
    history.advance_four(variants, 0, first, first_overlay, level.splat(u64::MAX), counts);
    let (words, last_words) = words.as_chunks();
    let (overlay, last_overlays) = overlay.as_chunks();
    for ([words, next_words], [overlay, next_overlay]) in words.iter().zip(overlay) {
        history.advance_four(variants, 4, words, overlay, outside, counts);
        history.advance_four(variants, 0, next_words, next_overlay, outside, counts);
    }
    let last = variants.mask(last, last_overlay);
    if let ([words], [overlay]) = (last_words, last_overlays) {
        history.advance_four(variants, 4, words, overlay, outside, counts);
        history.end(level, 0, last, outside, counts);
    } else {
        history.end(level, 4, last, outside, counts);
    }
}

/// The same for the last strip where it is folded.
#[inline(always)]
pub(crate) fn across_folded<L: Level>(
    variants: &Variants<L>,
    fold: &Fold,
    folded: &Folded,
    counts: &mut Counts<L::Vector>,
) {
    let (words, fours) = fold.fours(folded);
    let four = |index: usize| (&words[index], &fours[index]);
    let mut history = History::new(variants.level);
    // What a part's first lines complete was counted in the part before.
    let mut uncounted = *counts;
    for index in 0..LEAD / 4 {
        history.advance_four_folded(variants, 4 * (index % 2), four(index), &mut uncounted);
    }
    history.patterns = variants.level.splat(0);
    let mut index = LEAD / 4;
    while index + 1 < fours.len() {
        history.advance_four_folded(variants, 4, four(index), counts);
        history.advance_four_folded(variants, 0, four(index + 1), counts);
        index += 2;
    }
    if index < fours.len() {
        history.advance_four_folded(variants, 4, four(index), counts);
    }
    history.count_patterns(counts);
}

/// Counts along some rows that lie in one word each, with [`ROOM`].
#[inline(always)]
pub(crate) fn within_words<L: Level>(
    variants: &Variants<L>,
    rows: Range<usize>,
    counts: &mut Counts<L::Vector>,
) {
    let level = variants.level;
    let columns = level.splat((1 << variants.size()) - 1);
    for row in rows {
        let modules = variants.word(row) & columns;
        let [one_before, two_before, three_before] = [modules << 1, modules << 2, modules << 3];
        // The lowest bit has none before it.
        let two = !(modules ^ one_before) & columns & !level.splat(1);
        let three = two & two << 1;
        let five = three & three << 2;
        let arm = modules & !one_before & two_before;
        let core = arm & three_before & (arm & !three_before) << 4;
        let light = !(modules | one_before | two_before | three_before);
        let light_around = light << 8 | level.splat(0xFF);
        let runs = five | five << 1 | five << 2;
        let patterns = core << 1 & !modules & light_around | core << 4 & light;
        counts.runs = counts.runs + runs.count_ones();
        counts.patterns = counts.patterns + patterns.count_ones();
    }
}

/// What is remembered of the lines before, in rings: element `line % length` is that of the line. With eight lines' turns
/// unrolled, after which all rings are where they were, the rings' elements stay in registers, and none is moved.
struct History<V> {
    modules: V,
    /// Modules that differ from the one before; not all equal among the last three; among the last five.
    change: [V; 4],
    change_in_three: [V; 2],
    change_in_five: [V; 4],
    /// Ends of 0101.
    arms: [V; 4],
    /// Ends of 01011101.
    cores: [V; 4],
    /// Not all light among the last four.
    dark_in_four: [V; 8],
    /// Patterns that are not counted yet: those of up to three lines, which are in different columns.
    patterns: V,
}

impl<V: Vector> History<V> {
    /// Before the first line all is light, and no part of a run.
    #[inline(always)]
    fn new<L: Level<Vector = V>>(level: L) -> Self {
        let none = level.splat(0);
        Self {
            modules: none,
            change: [none; 4],
            change_in_three: [none; 2],
            change_in_five: [!none; 4],
            arms: [none; 4],
            cores: [none; 4],
            dark_in_four: [none; 8],
            patterns: none,
        }
    }

    /// Goes on by four lines: loops of more may not be unrolled.
    #[inline(always)]
    fn advance_four<L: Level<Vector = V>>(
        &mut self,
        variants: &Variants<L>,
        first_turn: usize,
        words: &[u64; 4],
        overlay: &[Lanes; 4],
        no_run: V,
        counts: &mut Counts<V>,
    ) {
        for line in 0..4 {
            let modules = variants.mask(words[line], &overlay[line]);
            self.advance(first_turn + line, modules, no_run, counts);
        }
    }

    /// The same where runs of five end in other bits of every line.
    #[inline(always)]
    fn advance_four_folded<L: Level<Vector = V>>(
        &mut self,
        variants: &Variants<L>,
        first_turn: usize,
        (words, four): (&[u64; 4], &FoldedFour),
        counts: &mut Counts<V>,
    ) {
        for line in 0..4 {
            let modules = variants.mask(words[line], &four.overlay[line]);
            self.advance(first_turn + line, modules, variants.level.splat(four.no_run[line]), counts);
        }
    }

    /// Goes on to the last line and to where nothing can be found any more.
    #[inline(always)]
    fn end<L: Level<Vector = V>>(
        &mut self,
        level: L,
        turn: usize,
        modules: V,
        no_run: V,
        counts: &mut Counts<V>,
    ) {
        self.advance(turn, modules, no_run, counts);
        for line in 0..ROOM {
            self.advance(turn + 1 + line, level.splat(0), level.splat(u64::MAX), counts);
        }
        self.count_patterns(counts);
    }

    /// Goes on to the next line, `turn` being its number modulo eight, and counts what is found at it. `no_run` has the bits
    /// where no run of five ends.
    #[inline(always)]
    fn advance(&mut self, turn: usize, modules: V, no_run: V, counts: &mut Counts<V>) {
        let change = modules ^ self.modules;
        let change_before = self.change[(turn + 3) % 4];
        let change_two_before = self.change[(turn + 2) % 4];
        let change_in_three = change | change_before;
        let change_in_five = change_in_three | self.change_in_three[turn % 2] | no_run;
        let no_runs =
            change_in_five & self.change_in_five[(turn + 3) % 4] & self.change_in_five[(turn + 2) % 4];
        let arm = modules & change & change_before;
        let core = arm & !change_two_before & self.arms[turn % 4];
        let dark_in_four = modules | change_in_three | change_two_before;
        // Found at the first line after the pattern for the side before it, at the fourth for the side after it. Patterns share
        // one module at most, so that what is found in a column is three lines apart.
        let before = self.cores[(turn + 3) % 4] & !(modules | self.dark_in_four[turn % 8]);
        let after = self.cores[turn % 4] & !dark_in_four;
        self.modules = modules;
        self.change[turn % 4] = change;
        self.change_in_three[turn % 2] = change_in_three;
        self.change_in_five[turn % 4] = change_in_five;
        self.arms[turn % 4] = arm & change_two_before;
        self.cores[turn % 4] = core;
        self.dark_in_four[turn % 8] = dark_in_four;
        counts.runs = counts.runs + (!no_runs).count_ones();
        if turn % 3 == 1 {
            self.count_patterns(counts);
            self.patterns = before | after;
        } else {
            self.patterns = self.patterns | before | after;
        }
    }

    /// Counts those that are not counted yet.
    #[inline(always)]
    fn count_patterns(&self, counts: &mut Counts<V>) {
        counts.patterns = counts.patterns + self.patterns.count_ones();
    }
}
