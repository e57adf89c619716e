//! Logos as they come in a request and stand in SVG files: data URLs (RFC 2397) of PNG files in base64.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::LogoError;

/// The part of the URL before the base64.
pub(crate) const START: &str = "data:image/png;base64,";

/// The bytes of the file.
pub(crate) fn png_bytes(url: &str) -> Result<Vec<u8>, LogoError> {
    let base64 = url.strip_prefix(START).ok_or(LogoError::NotAPngDataUrl)?;
    STANDARD.decode(base64).map_err(|error| LogoError::NotBase64 { reason: error.to_string() })
}

/// The width and height that the file's header says (PNG, third edition, clause 11.2.1).
pub(crate) fn stated_size(url: &str) -> Option<[u32; 2]> {
    /// Signature, length and type of the first chunk, width, height: 24 bytes are 32 characters.
    const CHARACTERS: usize = 32;
    let start = url.strip_prefix(START)?.get(..CHARACTERS)?;
    let bytes = STANDARD.decode(start).ok()?;
    let number =
        |at: usize| bytes.get(at..).and_then(<[u8]>::first_chunk).map(|bytes| u32::from_be_bytes(*bytes));
    Some([number(16)?, number(20)?]).filter(|sides| !sides.contains(&0))
}
