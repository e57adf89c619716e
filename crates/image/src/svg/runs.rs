//! Rows of modules as path commands, from tables by group of eight modules.

use std::ops::Range;

use qrpress_symbol::{ROW_WORDS, Symbol, Version};

use crate::windows::{WINDOWS, for_each_window};

/// The number of a dark run, less its length. Runs have numbers, which tell their commands:
///
/// ```text
/// 1 … 177      a light run of that length
/// 256 … 433    the light run that a row begins with, 256 and its length: no command, since the row's start moves past it
/// 513 … 689    a dark run: 512 and its length
/// ```
const DARK: usize = 512;
/// The number of the light run that a row begins with, less its length.
const ROW_START: usize = 256;
const RUNS: usize = DARK + Version::MAX.size() + 1;

/// The text that a group adds to the path, given the module before it.
#[derive(Clone, Copy, Debug)]
struct Group {
    /// The runs that begin and end in the group.
    text: [u8; 24],
    text_length: u8,
    /// Modules that continue the run before the group, 0 to 8.
    continuing: u8,
    /// Modules of the run that the group begins and leaves open, 0 if it begins none.
    open: u8,
    /// All ones if the run before the group ends in it, else 0.
    ends: u64,
}

/// A command of up to seven bytes:
///
/// ```text
/// 63    56 55                    8 7          0
/// | length |  …   second byte      first byte |
/// ```
type Command = u64;

/// Modules that are drawn light, those of a logo.
#[derive(Debug, Default)]
pub(super) struct Cleared {
    pub(super) rows: Range<usize>,
    /// The columns in each of the rows, as in a row of the symbol.
    pub(super) columns: Vec<[u64; ROW_WORDS]>,
}

/// The commands of runs and groups.
#[derive(Debug)]
pub(super) struct RunTables {
    groups: Box<[Group; WINDOWS]>,
    /// The commands by number of a run; those of length 0 are empty.
    commands: Box<[Command; RUNS]>,
    /// The first part of the move to a row's first dark module, by its column.
    columns: [Command; Version::MAX.size()],
    /// The second part, by row.
    rows: [Command; Version::MAX.size()],
}

impl RunTables {
    pub(super) fn new() -> Self {
        let mut commands = Box::new([0; RUNS]);
        for length in 1..=Version::MAX.size() {
            commands[length] = command(&run_text(false, length));
            commands[DARK + length] = command(&run_text(true, length));
        }
        Self {
            groups: Box::new(std::array::from_fn(group)),
            commands,
            columns: std::array::from_fn(|column| command(&format!("M{column} "))),
            rows: std::array::from_fn(|row| command(&row.to_string())),
        }
    }

    /// A length that no symbol of `size` modules exceeds: runs take three bytes a module at most, a row's start eight,
    /// and the last write reaches past its text.
    pub(super) fn longest(size: usize) -> usize {
        size * (3 * (size + 1) + 8) + 32
    }

    /// Writes the runs of the symbol's modules, those of `flipped` inverted. Returns the number of bytes written.
    pub(super) fn draw(
        &self,
        symbol: &Symbol,
        flipped: [u64; ROW_WORDS],
        cleared: &Cleared,
        out: &mut [u8],
    ) -> usize {
        if symbol.size() < 64 {
            self.draw_rows::<1>(symbol, flipped, cleared, out)
        } else {
            self.draw_rows::<ROW_WORDS>(symbol, flipped, cleared, out)
        }
    }

    /// Writes the runs of rows that take `WORDS` words with one module more, so that every dark run ends.
    fn draw_rows<const WORDS: usize>(
        &self,
        symbol: &Symbol,
        flipped: [u64; ROW_WORDS],
        cleared: &Cleared,
        out: &mut [u8],
    ) -> usize {
        let groups = (symbol.size() + 1).div_ceil(8);
        let mut position = 0;
        for y in 0..symbol.size() {
            let mut row: [u64; WORDS] = std::array::from_fn(|word| symbol.row(y)[word]);
            if cleared.rows.contains(&y) {
                let columns = &cleared.columns[y - cleared.rows.start];
                row = std::array::from_fn(|word| row[word] & !columns[word]);
            }
            row = std::array::from_fn(|word| row[word] ^ flipped[word]);
            let Some(word) = row.iter().position(|&word| word != 0) else { continue };
            let column = 64 * word + row[word].trailing_zeros() as usize;
            position += put(self.columns[column], &mut out[position..]);
            position += put(self.rows[y], &mut out[position..]);
            let mut run = ROW_START;
            for_each_window(&row, groups, |window| {
                let group = &self.groups[window];
                run += usize::from(group.continuing);
                let ended = run & group.ends as usize;
                position += put(self.commands[(window & 1) * DARK + ended], &mut out[position..]);
                out[position..position + 24].copy_from_slice(&group.text);
                position += usize::from(group.text_length);
                run = run - ended + usize::from(group.open);
            });
        }
        position
    }
}

#[inline]
fn put(command: Command, out: &mut [u8]) -> usize {
    out[..8].copy_from_slice(&command.to_le_bytes());
    (command >> 56) as usize
}

fn command(text: &str) -> Command {
    let mut bytes = [0; 8];
    bytes[..text.len()].copy_from_slice(text.as_bytes());
    bytes[7] = text.len() as u8;
    u64::from_le_bytes(bytes)
}

/// A dark run is stroked, a light one is moved over.
fn run_text(dark: bool, length: usize) -> String {
    if dark { format!("h{length}") } else { format!("m{length} 0") }
}

fn group(window: usize) -> Group {
    let modules: [bool; 9] = std::array::from_fn(|place| window >> place & 1 == 1);
    let runs: Vec<&[bool]> = modules.chunk_by(|a, b| a == b).collect();
    let continuing = runs[0].len() as u8 - 1;
    let (open, ended) = match &runs[1..] {
        [] => (0, &[][..]),
        [ended @ .., open] => (open.len() as u8, ended),
    };
    let mut joined = String::new();
    for run in ended {
        joined += &run_text(run[0], run.len());
    }
    let mut text = [0; 24];
    text[..joined.len()].copy_from_slice(joined.as_bytes());
    let ends = if open > 0 { u64::MAX } else { 0 };
    Group { text, text_length: joined.len() as u8, continuing, open, ends }
}
