//! The tokens of what is the same in every symbol's picture: margins and repeated lines.

use super::deflate::{LONGEST_MATCH, SHORTEST_MATCH, Token};
use super::lines::Lines;

/// Tokens before, between and after the data bytes of the module rows' first lines.
///
/// A row's first or last group that equals the one above needs no tokens of its own: the match beside it is made longer.
/// Rows of the finder patterns do so in every symbol.
#[derive(Debug)]
pub(super) struct Margins {
    /// To the first row's data.
    pub(super) top: Vec<Token>,
    /// From a row's data to the next row's, by [`gap_index`].
    pub(super) gaps: [Vec<Token>; 4],
    /// From the last row's data, by whether its last group is taken in.
    pub(super) bottoms: [Vec<Token>; 2],
}

/// Which of the gaps takes in the last group of the row before it, and the first group of the row after it.
#[inline]
pub(super) fn gap_index(takes_last: bool, takes_first: bool) -> usize {
    usize::from(takes_last) + 2 * usize::from(takes_first)
}

impl Margins {
    /// Margins of `background` bytes: 0 or 255.
    pub(super) fn new(lines: &Lines, background: u8) -> Self {
        let strip = |column| Strip { stride: lines.stride, background, column, tokens: Vec::new() };
        let data_column = 1 + lines.left;
        // From the end of a row's data through the repeated lines, and on.
        let row_end = |takes_last: bool, count: usize| {
            let taken = if takes_last { lines.last_group_bytes() } else { 0 };
            let mut strip = strip((data_column + lines.data - taken) % lines.stride);
            strip.repeat(taken + lines.right + (lines.pixels_per_module - 1) * lines.stride + count);
            strip
        };
        let gap = |takes_last, takes_first| {
            let taken = if takes_first { lines.first_group_bytes() } else { 0 };
            row_end(takes_last, data_column + taken).tokens
        };
        let takes = lines.takes_equal_groups();
        let gaps = [gap(false, false), gap(takes, false), gap(false, takes), gap(takes, takes)];

        let mut top = strip(0);
        if lines.margin_height == 0 {
            top.spell(data_column);
            let bottoms = [false, takes].map(|takes_last| row_end(takes_last, 0).tokens);
            return Self { top: top.tokens, gaps, bottoms };
        }
        let more_lines = (lines.margin_height - 1) * lines.stride;
        top.run(lines.stride);
        top.repeat(more_lines + data_column);
        let bottoms = [false, takes].map(|takes_last| {
            let mut bottom = row_end(takes_last, data_column);
            bottom.run(lines.data + lines.right);
            bottom.repeat(more_lines);
            bottom.tokens
        });
        Self { top: top.tokens, gaps, bottoms }
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
