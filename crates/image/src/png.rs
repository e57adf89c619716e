//! Symbols as PNG files (PNG third edition): one bit per pixel, written straight as a deflate stream (RFC 1951).
//!
//! A module row is `scale` equal scan lines. Its first line is coded group by group from tables; one match at the
//! distance of a line then covers the right margin, the repeated lines, and the left margin of the next row.

mod adler;
mod bits;
mod chunks;
mod deflate;
mod draw;
mod groups;
mod huffman;
mod lines;
mod margins;
mod parse;
mod plan;
mod table;

use qrpress_symbol::{Symbol, Version};

use crate::Style;
use plan::Plan;

/// Draws symbols in one style as PNG files. What a version needs is built when its first symbol comes, and kept.
#[derive(Debug)]
pub struct PngRenderer {
    style: Style,
    plans: [Option<Box<Plan>>; Version::MAX.number() as usize],
}

impl PngRenderer {
    /// A renderer for `style`; costs nothing until the first symbol.
    pub fn new(style: Style) -> Self {
        Self { style, plans: [const { None }; _] }
    }

    /// Appends the PNG file of `symbol` to `out`. The same symbol gives the same bytes whatever was drawn before.
    pub fn render(&mut self, symbol: &Symbol, out: &mut Vec<u8>) {
        let plan = self.plans[usize::from(symbol.version().number()) - 1]
            .get_or_insert_with(|| Box::new(Plan::new(&self.style, symbol.version())));
        plan.draw(symbol, out);
    }
}
