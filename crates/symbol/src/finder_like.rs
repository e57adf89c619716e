//! Counts the patterns of rule N3 that are wider than seven modules, in one finished symbol.
//!
//! They are rare: a test that few other lines pass picks the rows and columns whose runs are then looked at.

use crate::lines::Lines;
use crate::vector::{Level, Vector};
use crate::{ROW_WORDS, Version};

/// Lines that the test looks at together.
pub(crate) const WINDOW: usize = 15;

/// Patterns of runs n, n, 3n, n, n with n ≥ 2 in the rows and columns, as `penalty` reads rule N3.
#[inline(always)]
pub(crate) fn count_wide<L: Level>(level: L, lines: &Lines) -> u64 {
    let size = lines.version().size();
    let mut count = 0;
    for (index, strip) in lines.strips().enumerate() {
        let mut suspects = suspects(level, strip, size);
        while suspects != 0 {
            let bit = 64 * index + suspects.trailing_zeros() as usize;
            count += count_in_line(lines.across(bit), size);
            suspects &= suspects - 1;
        }
    }
    count
}

/// The bits of a strip that may have a pattern along its `size` lines.
#[inline(always)]
#[allow(clippy::many_single_char_names, reason = "fifteen lines, the topmost first")]
fn suspects<L: Level>(level: L, strip: &[u64], size: usize) -> u64 {
    let none = level.splat(0);
    let (mut narrow, mut begins, mut ends) = (none, none, none);
    // Lines from y on in the vectors' first words, from y + 1 on in their second ones. Where half of a window is in the one
    // before, there are registers to keep it.
    let words = L::Vector::WORDS;
    let kept = if 2 * words > WINDOW { WINDOW - words } else { 0 };
    let mut window = [none; WINDOW];
    for line in 0..kept {
        window[words + line] = level.load(&strip[line..]);
    }
    for y in (0..size).step_by(words) {
        for line in 0..kept {
            window[line] = window[line + words];
        }
        for line in kept..WINDOW {
            window[line] = level.load(&strip[y + line..]);
        }
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = window;
        let dark = e & f & g & h & i;
        // For n = 2, the runs 2, 2, 6, 2 and 2. For larger n, how the middle begins and how it ends.
        narrow = narrow | a & b & !(c | d) & dark & j & !(k | l) & m & n & !o;
        begins = begins | !(a | b | c) & d & dark & j & k & l;
        ends = ends | a & b & c & d & dark & !(j | k | l);
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
    // Where runs begin, those of dark modules at even indices.
    let mut starts = [0; Version::MAX.size() + 1];
    let mut runs = 0;
    let mut carry = 0;
    for (index, word) in line.into_iter().enumerate() {
        let mut changes = word ^ (word << 1 | carry);
        carry = word >> 63;
        while changes != 0 {
            starts[runs] = 64 * index + changes.trailing_zeros() as usize;
            runs += 1;
            changes &= changes - 1;
        }
    }
    let starts = &starts[..runs];
    let mut count = 0;
    for (index, core) in starts.windows(6).enumerate().step_by(2) {
        let unit = core[1] - core[0];
        let is_core = core[3] - core[2] == 3 * unit
            && core[2] - core[1] == unit
            && core[4] - core[3] == unit
            && core[5] - core[4] == unit;
        if is_core && unit >= 2 {
            // Light around the symbol is as wide as need be.
            let before = if index == 0 { size } else { core[0] - starts[index - 1] };
            let after = starts.get(index + 6).map_or(size, |end| end - core[5]);
            count += u64::from(before >= 4 * unit && after >= unit);
            count += u64::from(after >= 4 * unit && before >= unit);
        }
    }
    count
}
