//! Rules N1 and N3 along rows and columns: runs of five modules or more, and patterns like a finder pattern's.
//!
//! All formulas speak of the module at hand and of those before it. *Across lines*, before means lines above, and each bit of a
//! word is a row or column of its own; *within words*, it means lower bits.

use std::ops::Range;

use crate::penalty::Variants;
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

    /// Adds those that were found.
    #[inline(always)]
    fn add(&mut self, found: &Self) {
        self.runs = self.runs + found.runs.count_ones();
        self.patterns = self.patterns + found.patterns.count_ones();
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
    let none = level.splat(0);
    let inside = level.splat(inside);
    let mut history = History::new(level);
    // The first line has none before it that it could equal.
    let mut has_before = none;
    let (words, overlay) = variants.strip(strip);
    let (words, last_words) = words.as_chunks::<PERIOD>();
    let (overlay, last_overlay) = overlay.as_chunks::<PERIOD>();
    for (words, overlay) in words.iter().zip(overlay) {
        for turn in 0..PERIOD {
            counts.add(&history.advance(turn, variants.mask(words[turn], &overlay[turn]), has_before));
            has_before = inside;
        }
    }
    for turn in 0..PERIOD {
        let (modules, has_before) = match (last_words.get(turn), last_overlay.get(turn)) {
            (Some(&word), Some(overlay)) => (variants.mask(word, overlay), inside),
            _ => (none, none),
        };
        counts.add(&history.advance(turn, modules, has_before));
    }
    if last_words.len() + ROOM > PERIOD {
        for turn in 0..ROOM {
            counts.add(&history.advance(turn, none, none));
        }
    }
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
        counts.add(&Counts {
            runs: five | five << 1 | five << 2,
            patterns: core << 1 & !modules & light_around | core << 4 & light,
        });
    }
}

/// Lines after which all rings of a [`History`] are where they were. With its turns unrolled, the rings' elements stay in
/// registers, and none is moved.
const PERIOD: usize = 8;

/// What is remembered of the lines before, in rings: element `line % length` is that of the line.
struct History<V> {
    modules: [V; 4],
    /// Modules that equal the one before; the two before; the four before.
    two: [V; 2],
    three: [V; 2],
    five: [V; 4],
    /// Ends of 0101.
    arms: [V; 4],
    /// Ends of 01011101.
    cores: [V; 4],
    /// Ends of four light modules.
    light: [V; 8],
}

impl<V: Vector> History<V> {
    /// Before the first line all is light, and no part of a run.
    #[inline(always)]
    fn new<L: Level<Vector = V>>(level: L) -> Self {
        let none = level.splat(0);
        Self {
            modules: [none; 4],
            two: [none; 2],
            three: [none; 2],
            five: [none; 4],
            arms: [none; 4],
            cores: [none; 4],
            light: [!none; 8],
        }
    }

    /// Goes on to the next line, `turn` being its number modulo [`PERIOD`], and tells what is found at it. `has_before` has the bits where a run may go on.
    #[inline(always)]
    fn advance(&mut self, turn: usize, modules: V, has_before: V) -> Counts<V> {
        let one_before = self.modules[(turn + 3) % 4];
        let two_before = self.modules[(turn + 2) % 4];
        let three_before = self.modules[(turn + 1) % 4];
        let two = !(modules ^ one_before) & has_before;
        let three = two & self.two[(turn + 1) % 2];
        let five = three & self.three[turn % 2];
        let runs = five | self.five[(turn + 3) % 4] | self.five[(turn + 2) % 4];
        let arm = modules & !one_before & two_before;
        let core = arm & three_before & self.arms[turn % 4];
        let light = !(modules | one_before | two_before) & !three_before;
        let patterns =
            self.cores[(turn + 3) % 4] & !modules & self.light[turn % 8] | self.cores[turn % 4] & light;
        self.modules[turn % 4] = modules;
        self.two[turn % 2] = two;
        self.three[turn % 2] = three;
        self.five[turn % 4] = five;
        self.arms[turn % 4] = arm & !three_before;
        self.cores[turn % 4] = core;
        self.light[turn % 8] = light;
        Counts { runs, patterns }
    }
}
