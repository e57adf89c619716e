//! Captions under codes: text in any script to lines, their coverage for PNG, and their outlines for SVG.
//!
//! A [`FontSet`] says which characters can be drawn. A [`Typesetter`] lays a caption out for a font size and an image width
//! (bidirectional order, shaping, line breaks, centring), and draws the latest [`TextLayout`]. All lengths are
//! integers of fixed point: the same text and fonts give the same pixels on every machine.

#![forbid(unsafe_code)]
#![allow(
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "pixels and font units are bounded far inside 31 bits, and clamped before they are indices"
)]

mod ascii;
mod characters;
mod coverage;
mod error;
mod face;
mod fitting;
mod font_set;
mod glyph_extents;
mod glyph_outline;
mod glyphs;
mod itemise;
mod metrics;
mod paragraph;
mod raster;
mod shape;
mod svg;
#[cfg(test)]
mod tests;
mod typesetter;
mod units;

pub use coverage::Coverage;
pub use error::TextError;
pub use face::Unusable;
pub use fitting::FittingTypesetter;
pub use font_set::FontSet;
pub use glyph_outline::Segment;
pub use typesetter::{Alignment, PlacedGlyph, TextLayout, Typesetter};
