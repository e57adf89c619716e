//! Counts the patterns of rule N3 that are wider than seven modules, in one finished symbol.

use crate::penalty::LIGHT_ROWS;

/// Patterns of runs n, n, 3n, n, n with n ≥ 2 in the rows and columns, as `penalty` reads rule N3. `lines` are as there.
#[inline(always)]
pub(crate) fn count_wide<const W: usize>(lines: &[[u64; W]]) -> u64 {
    let size = lines.len() - 2 * LIGHT_ROWS;
    let is_dark = |x: usize, y: usize| lines[y + LIGHT_ROWS][(x + 1) / 64] >> ((x + 1) % 64) & 1 == 1;
    let mut count = 0;
    for line in 0..size {
        count += count_in_line(size, |i| is_dark(i, line));
        count += count_in_line(size, |i| is_dark(line, i));
    }
    count
}

/// The patterns of one row or column of `size` modules.
fn count_in_line(size: usize, is_dark: impl Fn(usize) -> bool) -> u64 {
    // The last seven runs, the newest last, the first and the last one light. The quiet zone is as wide as it need be.
    let mut runs = [0; 7];
    let mut dark = false;
    let mut run = size;
    let mut count = 0;
    for i in 0..=size {
        let module = i < size && is_dark(i);
        if module == dark && i < size {
            run += 1;
            continue;
        }
        runs.rotate_left(1);
        runs[6] = if i == size && !dark { run + size } else { run };
        if !dark {
            count += count_at_end(&runs);
        }
        if i == size && dark {
            runs.rotate_left(1);
            runs[6] = size;
            count += count_at_end(&runs);
        }
        dark = module;
        run = 1;
    }
    count
}

fn count_at_end(runs: &[usize; 7]) -> u64 {
    let unit = runs[1];
    if unit < 2 || runs[2..6] != [unit, 3 * unit, unit, unit] {
        return 0;
    }
    let (before, after) = (runs[0], runs[6]);
    u64::from(before >= 4 * unit && after >= unit) + u64::from(after >= 4 * unit && before >= unit)
}
