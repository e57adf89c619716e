//! Logos as they come in a request: data URLs (RFC 2397) of PNG files in base64.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::LogoError;

/// The bytes of the file.
pub(super) fn png_bytes(url: &str) -> Result<Vec<u8>, LogoError> {
    let base64 = url.strip_prefix("data:image/png;base64,").ok_or(LogoError::NotAPngDataUrl)?;
    STANDARD.decode(base64).map_err(|error| LogoError::NotBase64 { reason: error.to_string() })
}
