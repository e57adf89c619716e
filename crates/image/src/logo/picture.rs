//! A logo as it is drawn: pixels by their index in a palette.

/// A picture of at most 256 colours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogoPicture {
    /// Pixels in a row, 1 or more.
    pub width_px: u32,
    /// Rows, 1 or more.
    pub height_px: u32,
    /// Red, green, blue and straight alpha in sRGB; all 0 where transparent.
    pub palette: Vec<[u8; 4]>,
    /// An index into `palette` for each pixel, row by row.
    pub indices: Vec<u8>,
}
