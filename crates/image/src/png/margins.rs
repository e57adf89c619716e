//! The tokens of what is the same in every symbol's picture: margins and repeated lines.

use super::deflate::{LONGEST_MATCH, SHORTEST_MATCH, Token};
use super::lines::Lines;
use super::plate::Plate;

/// Which of a section's gaps takes in the last group of the row before it, and the first group of the row after it.
#[inline]
pub(super) fn gap_index(takes_last: bool, takes_first: bool) -> usize {
    usize::from(takes_last) + 2 * usize::from(takes_first)
}

/// Makes the tokens around the data of rows of `height` lines.
///
/// A row's first or last group that equals the one above needs no tokens of its own: the match beside it is made longer.
/// Rows of the finder patterns do so in every symbol.
#[derive(Clone, Copy, Debug)]
pub(super) struct Margins<'a> {
    pub(super) lines: &'a Lines,
    /// A byte of background pixels: 0 or 255.
    pub(super) background: u8,
}

impl Margins<'_> {
    /// To the first row's data.
    pub(super) fn top(self) -> Vec<Token> {
        let lines = self.lines;
        let data_column = 1 + lines.left;
        let mut top = self.strip(0);
        if lines.margin_height == 0 {
            top.spell(data_column);
        } else {
            top.run(lines.stride);
            top.repeat((lines.margin_height - 1) * lines.stride + data_column);
        }
        top.tokens
    }

    /// From a row's data to the next row's, by [`gap_index`].
    pub(super) fn gaps(self, height: usize) -> [Vec<Token>; 4] {
        let takes = takes_equal_groups(height);
        let gap = |takes_last, takes_first| {
            let more = if takes_first { self.lines.first_group_bytes() } else { 0 };
            self.row_end(height, takes_last, 1 + self.lines.left + more).tokens
        };
        [gap(false, false), gap(takes, false), gap(false, takes), gap(takes, takes)]
    }

    /// From the last row's data to the end of the picture, by whether the row's last group is taken in.
    pub(super) fn bottoms(self, height: usize) -> [Vec<Token>; 2] {
        let lines = self.lines;
        [false, takes_equal_groups(height)].map(|takes_last| {
            if lines.margin_height == 0 {
                return self.row_end(height, takes_last, 0).tokens;
            }
            let mut bottom = self.row_end(height, takes_last, 1 + lines.left);
            bottom.run(lines.data + lines.right);
            bottom.repeat((lines.margin_height - 1) * lines.stride);
            bottom.tokens
        })
    }

    /// The tokens around the box of a logo.
    pub(super) fn around(self, plate: &Plate) -> AroundBox {
        let (lines, boxed) = (self.lines, &plate.bytes);
        let copy = |column: usize, count: usize| {
            let mut strip = self.strip(column % lines.stride);
            strip.repeat(count);
            strip.tokens
        };
        let data_column = 1 + lines.left;
        let data_end = data_column + lines.data;
        let (box_column, box_end) = (1 + boxed.start, 1 + boxed.end);
        AroundBox {
            into: copy(data_end, lines.right + box_column),
            between: copy(box_end, lines.stride - boxed.len()),
            out_of: copy(box_end, lines.stride - box_end + data_column),
            past: copy(data_end, lines.right + data_column),
        }
    }

    /// From the end of a row's data through the repeated lines, and `count` bytes on.
    fn row_end(self, height: usize, takes_last: bool, count: usize) -> Strip {
        let lines = self.lines;
        let taken = if takes_last { lines.last_group_bytes() } else { 0 };
        let mut strip = self.strip((1 + lines.left + lines.data - taken) % lines.stride);
        strip.repeat(taken + lines.right + (height - 1) * lines.stride + count);
        strip
    }

    fn strip(self, column: usize) -> Strip {
        Strip { stride: self.lines.stride, background: self.background, column, tokens: Vec::new() }
    }
}

/// Whether a row's first or last group that equals the one above is left to the matches beside it, which must then be
/// long enough to be matches.
pub(super) fn takes_equal_groups(height: usize) -> bool {
    height > 1
}

/// Tokens outside of a logo's box, in rows of its lines.
#[derive(Debug)]
pub(super) struct AroundBox {
    /// From a row's data to the box in the row's second line.
    pub(super) into: Vec<Token>,
    /// From the box to that in the next line.
    pub(super) between: Vec<Token>,
    /// From the box in a row's last line to the next row's data.
    pub(super) out_of: Vec<Token>,
    /// From the data of a row of one line to the next row's.
    pub(super) past: Vec<Token>,
}

impl AroundBox {
    /// From the data of a row to the next row's, where `boxed` are the tokens of the box in the row's lines but the first.
    pub(super) fn gap(&self, boxed: &[Vec<Token>]) -> Vec<Token> {
        let Some((last, others)) = boxed.split_last() else { return self.past.clone() };
        let mut gap = self.into.clone();
        for line in others {
            gap.extend(line.iter().chain(&self.between));
        }
        gap.extend(last.iter().chain(&self.out_of));
        gap
    }
}

/// Tokens from some column of a line on.
struct Strip {
    stride: usize,
    background: u8,
    /// Of the next byte; the filter type is column 0.
    column: usize,
    tokens: Vec<Token>,
}

impl Strip {
    /// `count` bytes of margin, as literals.
    fn spell(&mut self, count: usize) {
        for _ in 0..count {
            self.tokens.push(Token::Literal(if self.column == 0 { 0 } else { self.background }));
            self.column = (self.column + 1) % self.stride;
        }
    }

    /// `count` bytes of margin within one line, the first of them as a literal where it differs from the byte before.
    fn run(&mut self, count: usize) {
        let spelled = match self.column {
            0 if self.background == 0 => 1,
            0 => 2,
            1 if self.background != 0 => 1,
            _ => 0,
        };
        self.spell(spelled);
        self.copy(count - spelled, 1);
    }

    /// `count` bytes that the line before has in the same columns.
    fn repeat(&mut self, count: usize) {
        self.copy(count, self.stride);
    }

    /// `count` bytes from `distance` bytes earlier. Too few for a match are margin, and spelled out.
    fn copy(&mut self, count: usize, distance: usize) {
        let mut left = count;
        while left >= SHORTEST_MATCH {
            // What a match leaves must be enough for another.
            let most = if left > LONGEST_MATCH { left - SHORTEST_MATCH } else { left };
            let length = most.min(LONGEST_MATCH);
            self.tokens.push(Token::Match { length: length as u16, distance: distance as u16 });
            self.column = (self.column + length) % self.stride;
            left -= length;
        }
        self.spell(left);
    }
}
