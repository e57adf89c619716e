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
