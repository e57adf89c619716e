//! The painted modules of a symbol as rectangles of a path: runs of a row, joined with equal runs of the rows below.

use std::ops::Range;

use qrpress_image::ClearedModules;
use qrpress_symbol::{ROW_WORDS, Symbol, Version};

/// The bits of a row behind a light module, so that every run has one on each side:
///
/// ```text
/// bit      0        1          size      size + 1
///          light    column 0 … the last  light
/// ```
type Row<const WORDS: usize> = [u64; WORDS];

/// The modules of a row and the two beside them.
const MAX_BITS: usize = Version::MAX.size() + 2;
const _: () = assert!(MAX_BITS <= 64 * ROW_WORDS);

/// A number and a space, as many bytes of them as the last byte says.
type Number = [u8; 5];

/// The numbers of modules.
const NUMBERS: [Number; Version::MAX.size() + 1] = {
    let mut numbers = [[b' ', b' ', b' ', b' ', 0]; Version::MAX.size() + 1];
    let mut value = 0;
    while value < numbers.len() {
        let digits = if value >= 100 {
            3
        } else if value >= 10 {
            2
        } else {
            1
        };
        let (mut rest, mut place) = (value, digits);
        while place > 0 {
            place -= 1;
            numbers[value][place] = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
        numbers[value][4] = digits as u8 + 1;
        value += 1;
    }
    numbers
};

/// Bytes that a rectangle takes at most, and those that its last write reaches past them.
const RECTANGLE_BYTES: usize = 4 * 4 + 3;
const SPARE_BYTES: usize = 8;

/// Appends the rectangles of the symbol's dark modules, or of its light ones where it is `flipped`; in modules from its top
/// left corner, y downwards.
pub(crate) fn push_modules(symbol: &Symbol, is_flipped: bool, cleared: &ClearedModules, out: &mut Vec<u8>) {
    if symbol.size() + 2 <= 64 {
        push_rows::<1>(symbol, is_flipped, cleared, out);
    } else {
        push_rows::<ROW_WORDS>(symbol, is_flipped, cleared, out);
    }
}

fn push_rows<const WORDS: usize>(
    symbol: &Symbol,
    is_flipped: bool,
    cleared: &ClearedModules,
    out: &mut Vec<u8>,
) {
    let size = symbol.size();
    let mut rows = [[0; WORDS]; Version::MAX.size() + 2];
    // Light rows above and below.
    for (y, row) in rows[1..=size].iter_mut().enumerate() {
        *row = row_of(symbol, y, is_flipped, cleared);
    }
    for y in 1..=size {
        let row = rows[y];
        let mut column = 0;
        while let Some(run) = next_run(&row, column) {
            column = run.end;
            let (bits, around) = (bits::<WORDS>(run.clone()), bits::<WORDS>(run.start - 1..run.end + 1));
            let has_run = |row: &Row<WORDS>| (0..WORDS).all(|word| row[word] & around[word] == bits[word]);
            if has_run(&rows[y - 1]) {
                continue;
            }
            let height = rows[y..].iter().take_while(|row| has_run(row)).count();
            push_rectangle([run.start - 1, y - 1, run.len(), height], out);
        }
    }
}

fn row_of<const WORDS: usize>(
    symbol: &Symbol,
    y: usize,
    is_flipped: bool,
    cleared: &ClearedModules,
) -> Row<WORDS> {
    let modules = bits::<WORDS>(1..symbol.size() + 1);
    let (row, hidden) = (symbol.row(y), cleared.row(y));
    let shown = |word: usize| row[word] & !hidden[word];
    std::array::from_fn(|word| {
        let below = if word == 0 { 0 } else { shown(word - 1) >> 63 };
        let dark = shown(word) << 1 | below;
        if is_flipped { !dark & modules[word] } else { dark }
    })
}

/// The set bits from `start` up to the next one that is not, where there are any. No row ends with a set bit.
fn next_run<const WORDS: usize>(row: &Row<WORDS>, start: usize) -> Option<Range<usize>> {
    let first = position(row, start, 0)?;
    Some(first..position(row, first, u64::MAX)?)
}

/// The first bit from `start` on that is set in the row with all words inverted by `inverted`.
fn position<const WORDS: usize>(row: &Row<WORDS>, start: usize, inverted: u64) -> Option<usize> {
    let mut word = start / 64;
    let mut bits = (row.get(word)? ^ inverted) & (u64::MAX << (start % 64));
    while bits == 0 {
        word += 1;
        bits = row.get(word)? ^ inverted;
    }
    Some(64 * word + bits.trailing_zeros() as usize)
}

/// A row with these bits set.
fn bits<const WORDS: usize>(range: Range<usize>) -> Row<WORDS> {
    let below = |end: usize, word: usize| match end.saturating_sub(64 * word) {
        count @ 0..64 => (1 << count) - 1,
        _ => u64::MAX,
    };
    std::array::from_fn(|word| below(range.end, word) & !below(range.start, word))
}

fn push_rectangle(numbers: [usize; 4], out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + RECTANGLE_BYTES + SPARE_BYTES, 0);
    let mut at = start;
    for number in numbers {
        let [text @ .., length] = &NUMBERS[number];
        out[at..at + 4].copy_from_slice(text);
        at += usize::from(*length);
    }
    out[at..at + 3].copy_from_slice(b"re\n");
    out.truncate(at + 3);
}

#[cfg(test)]
mod tests {
    use qrpress_symbol::{Encoder, ErrorCorrectionLevel};
    use qrpress_testkit::Random;

    use super::*;

    /// Paints the rectangles, and asserts that none paints a module twice.
    fn painted(path: &[u8], size: usize) -> Vec<Vec<bool>> {
        let mut modules = vec![vec![false; size]; size];
        for line in str::from_utf8(path).unwrap().lines() {
            let numbers: Vec<usize> =
                line.strip_suffix(" re").unwrap().split(' ').map(|number| number.parse().unwrap()).collect();
            let [x, y, width, height] = numbers[..] else { panic!("{line}") };
            for module in modules[y..y + height].iter_mut().flat_map(|row| &mut row[x..x + width]) {
                assert!(!*module);
                *module = true;
            }
        }
        modules
    }

    #[test]
    fn rectangles_are_the_modules_of_every_version() {
        let (mut encoder, mut random) = (Encoder::new(), Random(7));
        for version in (1..=40).filter_map(Version::new) {
            let data = vec![b'a' + random.below(26) as u8; 10 + 70 * usize::from(version.number() - 1)];
            let symbol = encoder.encode(&data, ErrorCorrectionLevel::Low).unwrap();
            let size = symbol.size();
            let columns = [8..12, 7..size - 7, 9..10];
            let cleared = ClearedModules::new(9, &columns);
            let is_cleared = |x: usize, y: usize| {
                y.checked_sub(9).and_then(|row| columns.get(row)).is_some_and(|columns| columns.contains(&x))
            };
            for is_flipped in [false, true] {
                let mut path = Vec::new();
                push_modules(symbol, is_flipped, &cleared, &mut path);
                for (y, row) in painted(&path, size).into_iter().enumerate() {
                    for (x, module) in row.into_iter().enumerate() {
                        let is_dark = symbol.row(y)[x / 64] >> (x % 64) & 1 == 1 && !is_cleared(x, y);
                        assert_eq!(module, is_dark != is_flipped, "version {version:?}, {x}, {y}");
                    }
                }
            }
        }
    }

    #[test]
    fn equal_runs_below_one_another_are_one_rectangle() {
        let mut path = Vec::new();
        let symbol = Encoder::new().encode(b"1", ErrorCorrectionLevel::Low).unwrap().clone();
        push_modules(&symbol, false, &ClearedModules::default(), &mut path);
        let path = String::from_utf8(path).unwrap();
        // The parts of the finder pattern in the top left corner.
        for part in ["0 0 7 1 re\n", "0 1 1 5 re\n", "2 2 3 3 re\n", "6 1 1 5 re\n", "0 6 7 1 re\n"] {
            assert!(path.contains(part), "{part}");
        }
    }
}
