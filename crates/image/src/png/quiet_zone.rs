//! The tokens of what is the same in every symbol's picture: margins and repeated lines.

use super::deflate::{Token, match_lengths};
use super::logo_box::LogoBox;
use super::scanline::ScanlineLayout;

/// The index of the gap, by whether the last group of the row before it and the first group of the row after it are merged
/// into it.
#[inline]
pub(crate) fn gap_index(merges_last: bool, merges_first: bool) -> usize {
    usize::from(merges_last) + 2 * usize::from(merges_first)
}

/// Makes the tokens around the data of rows.
///
/// A row's first or last group that equals the one above needs no tokens of its own: it is *merged* into the gap, whose
/// match is made longer. Rows of the finder patterns have such groups in every symbol.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QuietZone<'a> {
    pub(crate) layout: &'a ScanlineLayout,
    /// A byte of background pixels: 0 or 255.
    pub(crate) background: u8,
}

impl QuietZone<'_> {
    /// The tokens to the first row's data.
    pub(crate) fn top(self) -> Vec<Token> {
        let layout = self.layout;
        let data_column = 1 + layout.left;
        let mut top = self.strip(0);
        if layout.margin_height == 0 {
            top.spell(data_column);
        } else {
            top.run(layout.stride);
            top.repeat((layout.margin_height - 1) * layout.stride + data_column);
        }
        top.tokens
    }

    /// The tokens from a row's data to the next row's, by [`gap_index`].
    pub(crate) fn gaps(self) -> [Vec<Token>; 4] {
        let merges = self.merges_equal_groups();
        let gap = |merges_last, merges_first| {
            let more = if merges_first { self.layout.first_group_bytes() } else { 0 };
            self.row_end(merges_last, 1 + self.layout.left + more).tokens
        };
        [gap(false, false), gap(merges, false), gap(false, merges), gap(merges, merges)]
    }

    /// The tokens from the last row's data to the end of the picture, by whether the row's last group is merged.
    pub(crate) fn bottoms(self) -> [Vec<Token>; 2] {
        let layout = self.layout;
        [false, self.merges_equal_groups()].map(|merges_last| {
            if layout.margin_height == 0 {
                return self.row_end(merges_last, 0).tokens;
            }
            let mut bottom = self.row_end(merges_last, 1 + layout.left);
            bottom.run(layout.data + layout.right);
            bottom.repeat((layout.margin_height - 1) * layout.stride);
            bottom.tokens
        })
    }

    /// The tokens around the box of a logo.
    pub(crate) fn around(self, logo: &LogoBox) -> AroundBox {
        let (layout, boxed) = (self.layout, &logo.bytes);
        let copy = |column: usize, count: usize| {
            let mut strip = self.strip(column % layout.stride);
            strip.repeat(count);
            strip.tokens
        };
        let data_column = 1 + layout.left;
        let data_end = data_column + layout.data;
        let (box_column, box_end) = (1 + boxed.start, 1 + boxed.end);
        AroundBox {
            into: copy(data_end, layout.right + box_column),
            between: copy(box_end, layout.stride - boxed.len()),
            out_of: copy(box_end, layout.stride - box_end + data_column),
            past: copy(data_end, layout.right + data_column),
        }
    }

    /// Returns true if a row's first or last group that equals the one above is merged into the gap. At one pixel a module no
    /// line is repeated, and the gap may be too short for a match.
    pub(crate) fn merges_equal_groups(self) -> bool {
        self.layout.pixels_per_module > 1
    }

    /// The tokens from the end of a row's data through the repeated lines, and `count` bytes on.
    fn row_end(self, merges_last: bool, count: usize) -> Strip {
        let layout = self.layout;
        let merged = if merges_last { layout.last_group_bytes() } else { 0 };
        let mut strip = self.strip((1 + layout.left + layout.data - merged) % layout.stride);
        strip.repeat(merged + layout.right + (layout.pixels_per_module - 1) * layout.stride + count);
        strip
    }

    fn strip(self, column: usize) -> Strip {
        Strip { stride: self.layout.stride, background: self.background, column, tokens: Vec::new() }
    }
}

/// Tokens outside of a logo's box, in rows of its lines.
#[derive(Debug)]
pub(crate) struct AroundBox {
    /// The tokens from a row's data to the box in the row's second line.
    pub(crate) into: Vec<Token>,
    /// The tokens from the box to that in the next line.
    pub(crate) between: Vec<Token>,
    /// The tokens from the box in a row's last line to the next row's data.
    pub(crate) out_of: Vec<Token>,
    /// The tokens from the data of a row of one line to the next row's.
    pub(crate) past: Vec<Token>,
}

impl AroundBox {
    /// The tokens from the data of a row to the next row's. `boxed` has the tokens of the box in the row's lines but the first.
    pub(crate) fn gap(&self, boxed: &[Vec<Token>]) -> Vec<Token> {
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
    /// The column of the next byte; the filter type is column 0.
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
        for length in match_lengths(count) {
            self.tokens.push(Token::Match { length: length as u16, distance: distance as u16 });
            self.column = (self.column + length) % self.stride;
            left -= length;
        }
        self.spell(left);
    }
}
