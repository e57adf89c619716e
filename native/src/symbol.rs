//! A single symbol, drawn in the process that asks for it.

use napi::Error;
use napi_derive::napi;

use crate::error::{Result, guard};

/// Draws a symbol in the default style as an SVG file, in some dozens of microseconds. Reads no file, and parses nothing.
///
/// Throws `field_too_long` for a text that no symbol holds, or `panic`.
#[napi(catch_unwind)]
pub fn draw_symbol(text: String, pixels_per_module: u32) -> Result<String> {
    let drawn = guard(|| qrpress_batch::draw::draw_symbol(&text, pixels_per_module as u8))?;
    String::from_utf8(drawn).map_err(|error| Error::new("panic", error.to_string()))
}
