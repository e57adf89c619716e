//! Draws a symbol in a style as the bytes of a PNG or SVG file.
//!
//! Everything that doesn't depend on the symbol's modules is resolved once per style and version, in a template;
//! drawing is then table lookups, without a buffer of pixels.
#![forbid(unsafe_code)]

mod caption;
mod colour;
mod damage;
mod error;
mod placement;
mod png;
mod style;
mod svg;
mod windows;

pub use caption::{CAPTION_SAMPLE, CaptionOutline, CaptionPixels};
pub use colour::Colour;
pub use damage::{BlockDamage, damage};
pub use error::ImageError;
pub use placement::{ClearedModules, LogoPlacement, PixelRect, PlacedLogo};
pub use png::{Bits, PngRenderer, write_canonical_code};
pub use style::{MAX_SIDE_PX, Style, image_side_px};
pub use svg::SvgRenderer;
