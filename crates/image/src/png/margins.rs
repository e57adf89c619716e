//! The tokens of what is the same in every symbol's picture: margins and repeated lines.

use super::deflate::{LONGEST_MATCH, SHORTEST_MATCH, Token};
use super::lines::Lines;

/// Tokens before, between and after the data bytes of the module rows' first lines.
#[derive(Debug)]
pub(super) struct Margins {
    /// To the first row's data.
    pub(super) top: Vec<Token>,
    /// From a row's data to the next row's.
    pub(super) gap: Vec<Token>,
    /// From the last row's data.
    pub(super) bottom: Vec<Token>,
}

impl Margins {
    /// Margins of `background` bytes: 0 or 255.
    pub(super) fn new(lines: &Lines, background: u8) -> Self {
        let data_column = 1 + lines.left;
        let data_end = (data_column + lines.data) % lines.stride;
        let strip = |column| Strip { stride: lines.stride, background, column, tokens: Vec::new() };
        let (mut top, mut gap, mut bottom) = (strip(0), strip(data_end), strip(data_end));

        gap.repeat(lines.gap());
        if lines.margin_height == 0 {
            top.spell(data_column);
            bottom.repeat(lines.gap() - 1);
        } else {
            let more_lines = (lines.margin_height - 1) * lines.stride;
            top.run(lines.stride);
            top.repeat(more_lines + data_column);
            bottom.repeat(lines.gap());
            bottom.run(lines.data + lines.right);
            bottom.repeat(more_lines);
        }
        Self { top: top.tokens, gap: gap.tokens, bottom: bottom.tokens }
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
