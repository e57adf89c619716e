//! Counts the patterns of rule N3 that are wider than seven modules, in one finished symbol.
//!
//! They are rare: a test that few other lines pass picks the rows and columns whose runs are then looked at.

use crate::ROW_WORDS;
use crate::lines::{Lines, first_bits};
use crate::vector::{Level, Vector};

/// Lines that the test looks at together.
const WINDOW: usize = 16;
/// Lines of the narrowest patterns, those with n = 2.
const NARROWEST: usize = 14;
/// Light lines below the last that are looked at: a window's, and what a vector has more.
pub(crate) const LINES_BELOW: usize = WINDOW - NARROWEST + 7;

/// Patterns of runs n, n, 3n, n, n with n ≥ 2 in the rows and columns, as `penalty` reads rule N3.
#[inline(always)]
pub(crate) fn count_wide<L: Level>(level: L, lines: &Lines) -> u64 {
    let size = lines.version().size();
    let mut count = 0;
    for (index, strip) in lines.strips().enumerate() {
        let mut suspects = suspects(level, strip);
        while suspects != 0 {
            let bit = 64 * index + suspects.trailing_zeros() as usize;
            count += count_in_line(lines.across(bit), size);
            suspects &= suspects - 1;
        }
    }
    count
}

/// The bits of a strip that may have a pattern along its lines.
#[inline(always)]
#[allow(clippy::many_single_char_names, reason = "sixteen lines, the topmost first")]
fn suspects<L: Level>(level: L, strip: &[u64]) -> u64 {
    let none = level.splat(0);
    let (mut narrow, mut begins, mut ends) = (none, none, none);
    // Lines from y on in the vectors' first words, from y + 1 on in their second ones. Where half of a window is in the one
    // before, there are registers to keep it.
    let words = L::Vector::WORDS;
    let kept = if 2 * words >= WINDOW { WINDOW - words } else { 0 };
    let mut window = [none; WINDOW];
    for line in 0..kept {
        window[words + line] = level.load(&strip[line..]);
    }
    // As many windows as there are lines at which a pattern can begin.
    for lines in strip.windows(WINDOW + 7).step_by(words) {
        for line in 0..kept {
            window[line] = window[line + words];
        }
        for line in kept..WINDOW {
            window[line] = level.load(&lines[line..]);
        }
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = window;
        let dark = e & f & g & h & i & j;
        // For n = 2, the runs 2, 2, 6, 2, 2 and what follows; for n = 3, the runs 3, 9 and 3 and the end of what is before.
        narrow = narrow | a & b & !(c | d) & dark & !(k | l) & m & n & !(o | p);
        narrow = narrow | a & !(b | c | d) & dark & k & l & m & !(n | o | p);
        // For larger n, how the middle begins and how it ends.
        begins = begins | !(a | b | c | d) & dark & k & l & m & n & o & p;
        ends = ends | a & b & c & d & dark & k & l & !(m | n | o | p);
    }
    any(narrow) | any(begins) & any(ends)
}

/// The bits that are set in any of the words.
#[inline(always)]
fn any<V: Vector>(vector: V) -> u64 {
    let mut words = [0; 8];
    vector.store(&mut words);
    words.iter().fold(0, |any, word| any | word)
}

/// The patterns of a row or column: module `i` is bit `i`.
fn count_in_line(line: [u64; ROW_WORDS], size: usize) -> u64 {
    let changes = Changes::of(&line);
    let mut count = 0;
    for word in 0..ROW_WORDS {
        let next = line.get(word + 1).copied().unwrap_or(0);
        let modules = u128::from(next) << 64 | u128::from(line[word]);
        let two = modules & modules >> 1;
        let six = two & two >> 2 & two >> 4;
        // A middle follows two light modules at least.
        let mut middles = six as u64 & changes.0[word] & !(changes.0[word] << 1);
        while middles != 0 {
            let middle = 64 * word + middles.trailing_zeros() as usize;
            count += changes.patterns_around(middle, size).unwrap_or(0);
            middles &= middles - 1;
        }
    }
    count
}

/// The modules of a row or column that differ from the one before; before the first it is light.
struct Changes([u64; ROW_WORDS]);

impl Changes {
    fn of(line: &[u64; ROW_WORDS]) -> Self {
        let mut changes = *line;
        for word in 0..ROW_WORDS {
            let carry = if word > 0 { line[word - 1] >> 63 } else { 0 };
            changes[word] ^= line[word] << 1 | carry;
        }
        Self(changes)
    }

    /// The patterns, 0 to 2, whose middle is the dark run that begins at `middle`; `None` where a run of theirs is missing.
    fn patterns_around(&self, middle: usize, size: usize) -> Option<u64> {
        let middle_end = self.after(middle)?;
        let unit = (middle_end - middle) / 3;
        let first_end = self.before(middle)?;
        let first = self.before(first_end)?;
        let last = self.after(middle_end)?;
        let last_end = self.after(last)?;
        let is_core = middle_end - middle == 3 * unit
            && middle - first_end == unit
            && first_end - first == unit
            && last - middle_end == unit
            && last_end - last == unit;
        // Light around the symbol is as wide as need be.
        let before = self.before(first).map_or(size, |start| first - start);
        let after = self.after(last_end).map_or(size, |end| end - last_end);
        let sides = [before >= 4 * unit && after >= unit, after >= 4 * unit && before >= unit];
        Some(if is_core { sides.into_iter().map(u64::from).sum() } else { 0 })
    }

    /// The last change before a module.
    fn before(&self, module: usize) -> Option<usize> {
        (0..=module / 64).rev().find_map(|word| {
            let bits = self.0[word] & first_bits(module, word);
            (bits != 0).then(|| 64 * word + bits.ilog2() as usize)
        })
    }

    /// The first change after a module.
    fn after(&self, module: usize) -> Option<usize> {
        (module / 64..ROW_WORDS).find_map(|word| {
            let bits = self.0[word] & !first_bits(module + 1, word);
            (bits != 0).then(|| 64 * word + bits.trailing_zeros() as usize)
        })
    }
}
