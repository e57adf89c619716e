//! The bytes of a group of eight modules in a row's first scan line.

use qrpress_symbol::Version;

use super::adler::LineSums;
use super::lines::Lines;
use crate::windows::WINDOWS;

/// Where in a row a group lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    First,
    Middle,
    Last,
}

/// A group's data bytes, and bytes before them that are known.
pub(super) struct Group {
    pub(super) window: usize,
    pub(super) bytes: Vec<u8>,
    /// Where in `bytes` the data starts.
    pub(super) start: usize,
    /// The data's share in the sums of its line, but for the groups after it.
    pub(super) sums: LineSums,
    /// How often it occurs in a symbol of random modules, in 512ths.
    pub(super) weight: u64,
}

/// The groups that can occur at `place`.
pub(super) fn groups(lines: &Lines, version: Version, background: u8, place: Place) -> Vec<Group> {
    let scale = lines.pixels_per_module;
    let margin = lines.first_column as usize;
    let skipped = lines.first_group_skips();
    let size = version.size();
    let (before, start, end, after) = match place {
        // The margin before the group is known as well.
        Place::First => {
            let before = lines.left.min(scale) - skipped;
            (before, before + skipped, scale, lines.right + lines.last_group_bytes())
        }
        Place::Middle => (scale / 8, scale / 8, scale, lines.right + lines.last_group_bytes()),
        Place::Last => (scale / 8, scale / 8, lines.last_group_bytes(), lines.right),
    };
    // The windows are the multiples of `step` below `windows`: modules outside the symbol are light.
    let (step, windows, count) = match place {
        Place::First => (2 << margin, WINDOWS, size),
        Place::Middle => (1, WINDOWS, size * (lines.groups - 2)),
        Place::Last => (1, 2 << (margin + size - 8 * (lines.groups - 1)), size),
    };
    let group = |window: usize| {
        let dark = |module: usize| window >> module & 1 == 1;
        let byte = |dark| if dark { !background } else { background };
        let mut bytes = vec![byte(dark(0)); before];
        bytes.extend(
            (0..end)
                .map(|at| (8 * at..8 * at + 8).fold(0, |bits, x| bits << 1 | byte(dark(1 + x / scale)) & 1)),
        );
        let data = LineSums::of(&bytes[start..]);
        let sums = LineSums { weighted: data.weighted + data.plain * after as u64, ..data };
        Group { window, bytes, start, sums, weight: (count * WINDOWS * step / windows) as u64 }
    };
    (0..windows).step_by(step).map(group).collect()
}
