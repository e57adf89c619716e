//! The outlines of a symbol's dark areas as path commands.
//!
//! A *corner* is a point at which an odd number of the four modules around it is dark. Along every line between two rows the
//! corners are, in pairs, the ends of edges, since an edge is where the modules above and below differ. The same holds along
//! every line between two columns. So each corner ends one edge of each direction, and the edges form closed outlines:
//!
//! ```text
//! dark modules    corners, and the outline M1 1h1v2h2v-1h-3z
//!
//! . . . . .         0───1
//! . # . . .         │   │
//! . . # # .         2───┼───────3
//! . . . . .             │       │
//!                       4───────5
//! ```
//!
//! Corners have numbers, line by line, so that those of a horizontal edge differ in their lowest bit. Where two areas meet at
//! a point their outlines cross there, and the point is no corner. By the even-odd rule the areas are the same as with
//! outlines that turn there, and there are a third fewer corners.

#![allow(clippy::cast_possible_wrap, clippy::cast_sign_loss, reason = "columns and lines are below 178")]

use qrpress_symbol::{ROW_WORDS, Symbol, Version};

use crate::ClearedModules;

/// Lines between rows, or between columns, with those around the symbol.
const LINES: usize = Version::MAX.size() + 1;
/// A power of two above the number of corners, which the last index is free of.
const CORNERS: usize = 1 << 15;
const _: () = assert!(LINES * LINES < CORNERS);
/// The place of what belongs to no corner.
const NOWHERE: usize = CORNERS - 1;
const WORDS_OF_EDGES: usize = CORNERS / 2 / 64;

/// The bytes of text that two corners take at most: an outline has four at least, a start and an end.
///
/// ```text
/// M176 176     8 for four corners or more
/// h-176v-176   10 for two corners
/// z            1 for four corners or more
/// ```
const BYTES_OF_CORNERS: usize = 10 + (8 + 1_usize).div_ceil(2);

/// Edges of up to that many modules in both directions have their text in one table.
const SHORT: i32 = 16;
const SHORT_LENGTHS: usize = 2 * SHORT as usize;

/// A command of up to seven bytes:
///
/// ```text
/// 63    56 55                    8 7          0
/// | length |  …   second byte      first byte |
/// ```
type Command = u64;

/// Draws outlines; keeps its tables and its memory from symbol to symbol.
#[derive(Debug)]
pub(super) struct Outlines {
    /// The commands of a horizontal edge and the vertical one behind it, by both lengths; 0 where they take more than seven
    /// bytes.
    turns: Box<[[Command; SHORT_LENGTHS]; SHORT_LENGTHS]>,
    /// The command of a horizontal edge, by its length and `LINES`.
    across: [Command; 2 * LINES],
    /// The same of a vertical edge.
    down: [Command; 2 * LINES],
    /// The first part of the move to an outline's first corner, by its column.
    columns: [Command; LINES],
    /// The second part, by line.
    lines: [Command; LINES],
    /// Column and line of each corner.
    corners: Box<[[u8; 2]; CORNERS]>,
    /// For each corner, the corner at the far end of the horizontal edge that the corner's vertical edge leads to.
    next: Box<[u16; CORNERS]>,
    /// Edges that are in no outline yet, by half the index of their corners.
    left: Box<[u64; WORDS_OF_EDGES]>,
    text: Vec<u8>,
}

impl Outlines {
    pub(super) fn new() -> Self {
        let lengths = |letter| {
            std::array::from_fn(|index| command(&format!("{letter}{}", index as isize - LINES as isize)))
        };
        Self {
            turns: Box::new(std::array::from_fn(|across| {
                std::array::from_fn(|down| {
                    command(&format!("h{}v{}", across as i32 - SHORT, down as i32 - SHORT))
                })
            })),
            across: lengths('h'),
            down: lengths('v'),
            columns: std::array::from_fn(|column| command(&format!("M{column} "))),
            lines: std::array::from_fn(|line| command(&line.to_string())),
            corners: on_the_heap([0; 2]),
            next: on_the_heap(0),
            left: on_the_heap(0),
            text: Vec::new(),
        }
    }

    /// The path of the symbol's modules, those of `flipped` inverted.
    pub(super) fn draw(
        &mut self,
        symbol: &Symbol,
        flipped: [u64; ROW_WORDS],
        cleared: &ClearedModules,
    ) -> &[u8] {
        let row = |y: usize| -> [u64; ROW_WORDS] {
            let (row, hidden) = (symbol.row(y), cleared.row(y));
            std::array::from_fn(|word| row[word] & !hidden[word] ^ flipped[word])
        };
        let corners = if symbol.size() < 64 {
            self.find_corners::<1>(symbol.size(), row)
        } else {
            self.find_corners::<ROW_WORDS>(symbol.size(), row)
        };
        let length = self.trace(corners);
        &self.text[..length]
    }

    /// Finds the corners line by line, and the vertical edges between them. Returns the number of corners.
    fn find_corners<const WORDS: usize>(
        &mut self,
        size: usize,
        row: impl Fn(usize) -> [u64; ROW_WORDS],
    ) -> usize {
        let (corners, next) = (&mut *self.corners, &mut *self.next);
        // The latest corner of each column, and the columns in which it is the upper end of an edge.
        let mut latest = [[0_u16; 64]; WORDS];
        let mut open = [0; WORDS];
        let mut above = [0; WORDS];
        let mut count = 0;
        for line in 0..=size {
            let below = if line < size { row(line) } else { [0; _] };
            let mut carry = 0;
            for word in 0..WORDS {
                let differing = above[word] ^ below[word];
                above[word] = below[word];
                let mut places = differing ^ (differing << 1 | carry);
                carry = differing >> 63;
                let closing = open[word];
                open[word] ^= places;
                while places != 0 {
                    let place = places.trailing_zeros() as usize % 64;
                    places &= places - 1;
                    let upper = latest[word][place];
                    latest[word][place] = count as u16;
                    corners[count % CORNERS] = [(64 * word + place) as u8, line as u8];
                    // Written for every corner, since a branch could not be foretold. An upper end's is written again.
                    next[count % CORNERS] = upper ^ 1;
                    let upper = if closing >> place & 1 == 1 { usize::from(upper) } else { NOWHERE };
                    next[upper % CORNERS] = count as u16 ^ 1;
                    count += 1;
                }
            }
        }
        count
    }

    /// Writes the outlines one after the other. Returns the length of the text.
    fn trace(&mut self, corners: usize) -> usize {
        let edges = corners / 2;
        let longest = edges * BYTES_OF_CORNERS + 2 * size_of::<Command>();
        if self.text.len() < longest {
            self.text.resize(longest, 0);
        }
        let (places, next, left) = (&*self.corners, &*self.next, &mut *self.left);
        let words = edges.div_ceil(64);
        for (word, bits) in left[..words].iter_mut().enumerate() {
            *bits = u64::MAX >> (64 - (edges - 64 * word).min(64));
        }
        let mut out = Writer { text: &mut self.text, position: 0 };
        for word in 0..words {
            while left[word] != 0 {
                let start = 2 * (64 * word + left[word].trailing_zeros() as usize);
                let [column, line] = places[start % CORNERS];
                out.put(self.columns[usize::from(column)]);
                out.put(self.lines[usize::from(line)]);
                // The far end of the current horizontal edge.
                let mut end = start ^ 1;
                loop {
                    left[end / 128 % WORDS_OF_EDGES] &= !(1 << (end / 2 % 64));
                    let [from, _] = places[(end ^ 1) % CORNERS];
                    let [column, line] = places[end % CORNERS];
                    let across = i32::from(column) - i32::from(from);
                    end = usize::from(next[end % CORNERS]);
                    if end == start ^ 1 {
                        out.put(self.across[(across + LINES as i32) as usize]);
                        // Closes the outline by its last edge.
                        out.put(const { command_of(b"z") });
                        break;
                    }
                    let down = i32::from(places[end % CORNERS][1]) - i32::from(line);
                    let turn = self
                        .turns
                        .get((across + SHORT) as usize)
                        .and_then(|row| row.get((down + SHORT) as usize));
                    if let Some(&turn @ 1..) = turn {
                        out.put(turn);
                    } else {
                        out.put(self.across[(across + LINES as i32) as usize]);
                        out.put(self.down[(down + LINES as i32) as usize]);
                    }
                }
            }
        }
        out.position
    }
}

#[allow(clippy::unnecessary_box_returns, reason = "the array is too large for a stack")]
fn on_the_heap<T: Copy, const LENGTH: usize>(value: T) -> Box<[T; LENGTH]> {
    vec![value; LENGTH]
        .into_boxed_slice()
        .try_into()
        .unwrap_or_else(|_| unreachable!("the lengths are equal"))
}

struct Writer<'a> {
    text: &'a mut [u8],
    position: usize,
}

impl Writer<'_> {
    #[inline]
    fn put(&mut self, command: Command) {
        self.text[self.position..][..8].copy_from_slice(&command.to_le_bytes());
        self.position += (command >> 56) as usize;
    }
}

/// A text as a command, 0 where it is too long.
fn command(text: &str) -> Command {
    command_of(text.as_bytes())
}

const fn command_of(text: &[u8]) -> Command {
    if text.len() > 7 {
        return 0;
    }
    let mut bytes = [0; 8];
    let mut place = 0;
    while place < text.len() {
        bytes[place] = text[place];
        place += 1;
    }
    bytes[7] = text.len() as u8;
    u64::from_le_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use qrpress_symbol::{ErrorCorrectionLevel, Mask};

    use super::*;

    fn path(dark: &[(usize, usize)]) -> String {
        let mut rows = [[0; ROW_WORDS]; 177];
        for &(column, row) in dark {
            rows[row][column / 64] |= 1 << (column % 64);
        }
        let version = Version::new(40).unwrap();
        let symbol =
            Symbol::from_rows(version, ErrorCorrectionLevel::Low, Mask::new(0).unwrap(), &rows).unwrap();
        let path = Outlines::new().draw(&symbol, [0; ROW_WORDS], &ClearedModules::default()).to_vec();
        String::from_utf8(path).unwrap()
    }

    #[test]
    fn areas_that_meet_at_a_point_share_an_outline() {
        // The picture at the head of this file.
        assert_eq!(path(&[(1, 1), (2, 2), (3, 2)]), "M1 1h1v2h2v-1h-3z");
    }

    #[test]
    fn a_hole_is_an_outline_of_its_own() {
        let ring = [(0, 0), (1, 0), (2, 0), (0, 1), (2, 1), (0, 2), (1, 2), (2, 2)];
        assert_eq!(path(&ring), "M0 0h3v3h-3zM1 1h1v1h-1z");
    }

    #[test]
    fn long_edges_and_far_corners() {
        let all: Vec<_> = (0..177 * 177).map(|module| (module % 177, module / 177)).collect();
        assert_eq!(path(&all), "M0 0h177v177h-177z");
        assert_eq!(path(&all[176 * 177 + 160..]), "M160 176h17v1h-17z");
        assert_eq!(path(&[(176, 176)]), "M176 176h1v1h-1z");
        assert_eq!(path(&[]), "");
    }

    /// Areas with the most corners: every other module of every other row.
    #[test]
    fn the_text_of_the_most_corners_fits() {
        let spread: Vec<_> = (0..89 * 89).map(|module| (2 * (module % 89), 2 * (module / 89))).collect();
        assert_eq!(path(&spread).matches('z').count(), 89 * 89);
    }
}
