//! The patterns of rule N3 that are wider than seven modules, counted in one masked symbol.
//!
//! They are rare. A test that few other lines pass picks the rows and columns whose runs are then measured one by one.
//! One row of 21 modules, whose pattern has runs of 2, 2, 6, 2 and 2. It counts for both sides: eight light modules are before it
//! (5 and the quiet zone) and after it:
//!
//! ```text
//! line        000001100111111001100
//! runs begin  5 7 9 15 17 19
//! middle      9 to 14
//! found       2
//! ```

use qrpress_simd::{Simd, Words};

use crate::ROW_WORDS;
use crate::bit_matrix::{BitMatrix, LINES_BELOW, first_bits};

/// Lines that the test looks at together.
const WINDOW: usize = 16;
/// Lines of the narrowest patterns, those with n = 2.
const NARROWEST: usize = 14;
// The last window begins `NARROWEST` lines before the symbol's end. A vector of eight words has seven more windows.
const _: () = assert!(LINES_BELOW == WINDOW - NARROWEST + 7);

/// Patterns of runs n, n, 3n, n, n with n ≥ 2 in the rows and columns, as `penalty` reads rule N3.
#[inline(always)]
pub(crate) fn count_wide<S: Simd>(simd: S, matrix: &BitMatrix) -> u64 {
    let size = matrix.version().size();
    let mut count = 0;
    for (index, strip) in matrix.strips().enumerate() {
        let mut suspects = suspects(simd, strip);
        while suspects != 0 {
            let bit = 64 * index + suspects.trailing_zeros() as usize;
            count += count_in_line(matrix.row_or_column(bit), size);
            suspects &= suspects - 1;
        }
    }
    count
}

/// The bits of a strip that may have a pattern along its lines. A window of sixteen lines is one of these:
///
/// ```text
/// a b c d e f g h i j k l m n o p
/// 1 1 0 0 1 1 1 1 1 1 0 0 1 1 0 0   n = 2, the whole pattern and two light modules
/// 1 0 0 0 1 1 1 1 1 1 1 1 1 0 0 0   n = 3, the end of the first run, then 3, 9 and 3 modules
/// 0 0 0 0 1 1 1 1 1 1 1 1 1 1 1 1   n ≥ 4, the middle begins
/// 1 1 1 1 1 1 1 1 1 1 1 1 0 0 0 0   n ≥ 4, the middle ends
/// ```
#[inline(always)]
#[allow(clippy::many_single_char_names, reason = "sixteen lines, the topmost first")]
fn suspects<S: Simd>(simd: S, strip: &[u64]) -> u64 {
    let none = simd.splat(0);
    let (mut narrow, mut begins, mut ends) = (none, none, none);
    // A vector has the windows from line y on in its first word, from line y + 1 on in its second, and so on. A step of eight
    // lines keeps half of the window before, in registers. Levels with smaller vectors load every line: they have too few
    // registers to keep more than half.
    let words = S::Words::LANES;
    let kept = if 2 * words >= WINDOW { WINDOW - words } else { 0 };
    let mut window = [none; WINDOW];
    for line in 0..kept {
        window[words + line] = simd.load(&strip[line..]);
    }
    // As many windows as there are lines at which a pattern can begin.
    for lines in strip.windows(WINDOW + 7).step_by(words) {
        for line in 0..kept {
            window[line] = window[line + words];
        }
        for line in kept..WINDOW {
            window[line] = simd.load(&lines[line..]);
        }
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = window;
        let dark = e & f & g & h & i & j;
        narrow = narrow | a & b & !(c | d) & dark & !(k | l) & m & n & !(o | p);
        narrow = narrow | a & !(b | c | d) & dark & k & l & m & !(n | o | p);
        begins = begins | !(a | b | c | d) & dark & k & l & m & n & o & p;
        ends = ends | a & b & c & d & dark & k & l & !(m | n | o | p);
    }
    any(narrow) | any(begins) & any(ends)
}

/// The bits that are set in any of the words.
#[inline(always)]
fn any<V: Words>(vector: V) -> u64 {
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
        // A middle run follows two light modules at least.
        let mut middles = six as u64 & changes.0[word] & !(changes.0[word] << 1);
        while middles != 0 {
            let middle = 64 * word + middles.trailing_zeros() as usize;
            count += changes.finders_around(middle, size).unwrap_or(0);
            middles &= middles - 1;
        }
    }
    count
}

/// The modules of a row or column that differ from the one before; the module before the first is light.
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
    fn finders_around(&self, middle: usize, size: usize) -> Option<u64> {
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
        // The quiet zone around the symbol is as wide as need be.
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

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use qrpress_testkit::assert_on_page;

    use super::*;

    /// The example at the head of this file, computed by the code that counts.
    #[test]
    fn the_wide_pattern_is_as_the_file_shows() {
        let modules = 0b110_0111_1110_0110_0000;
        let changes = Changes::of(&[modules, 0, 0]);
        let starts: Vec<String> =
            (0..21).filter(|at| changes.0[0] >> at & 1 == 1).map(|at| at.to_string()).collect();
        let middle = 9;
        let mut example = String::new();
        let line: String = (0..21).map(|at| if modules >> at & 1 == 1 { '1' } else { '0' }).collect();
        writeln!(example, "line        {line}").unwrap();
        writeln!(example, "runs begin  {}", starts.join(" ")).unwrap();
        let found = changes.finders_around(middle, 21);
        writeln!(example, "middle      {middle} to {}", changes.after(middle).unwrap() - 1).unwrap();
        writeln!(example, "found       {}", found.unwrap_or(0)).unwrap();
        assert_eq!(found, Some(count_in_line([modules, 0, 0], 21)));
        let comment = format!("//! {}", example.trim_end().replace('\n', "\n//! "));
        assert_on_page("crates/symbol/src/penalty/wide_finders.rs", &comment);
    }
}
