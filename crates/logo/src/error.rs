//! The faults of a logo.

use std::fmt;

/// Why a logo is refused. Its text is one clause that completes "the logo is refused: …".
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LogoError {
    /// The text doesn't start as a data URL of a PNG does.
    NotAPngDataUrl,
    /// The part after the comma is not base64.
    NotBase64 {
        /// The base64 reader's own words.
        reason: String,
    },
    /// The bytes don't start as a PNG file does.
    NotAPng,
    /// A file that Xcode rewrote for iPhones, which no other program reads.
    MadeForPhones,
    /// A side of more than 4,096 pixels.
    TooLarge {
        /// As the file says.
        width_px: u32,
        /// As the file says.
        height_px: u32,
    },
    /// More bytes of pixels than a picture of 4,096 × 4,096 has at 8 bits per channel.
    TooManyBytes {
        /// Size of the decoded picture.
        bytes: u64,
        /// The most there may be.
        limit_bytes: u64,
    },
    /// The file ends before its picture does.
    Truncated,
    /// The file breaks a rule of PNG (third edition).
    Malformed {
        /// The PNG reader's own words.
        reason: String,
    },
}

impl fmt::Display for LogoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAPngDataUrl => f.write_str("must be a data URL that starts with data:image/png;base64,"),
            Self::NotBase64 { reason } => write!(f, "must be base64 after the comma: {reason}"),
            Self::NotAPng => f.write_str("must be a PNG file; this is another kind of file"),
            Self::MadeForPhones => f.write_str(
                "must be a plain PNG file; this one was made for iPhones (CgBI): open it in Preview, and export it as PNG",
            ),
            Self::TooLarge { width_px, height_px } => write!(
                f,
                "must have at most {side} × {side} pixels, not {width_px} × {height_px}",
                side = crate::MAX_SIDE_PX
            ),
            Self::TooManyBytes { bytes, limit_bytes } => write!(
                f,
                "must have at most {limit_bytes} bytes when decoded, not {bytes}: use 8 bits per channel"
            ),
            Self::Truncated => f.write_str("the PNG file ends before its picture does"),
            Self::Malformed { reason } => write!(f, "the PNG file is damaged: {reason}"),
        }
    }
}

impl std::error::Error for LogoError {}
