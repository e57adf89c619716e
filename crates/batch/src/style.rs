//! The look that all pictures of a job share.

use qrpress_image::Colour;
use qrpress_symbol::ErrorCorrectionLevel;

/// Which pictures an item becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutputFormat {
    /// One PNG.
    Png,
    /// One SVG.
    Svg,
    /// A PNG, then an SVG.
    Both,
}

/// The style of a job, its defaults filled in.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RenderStyle {
    /// The level every symbol is encoded at.
    pub error_correction_level: ErrorCorrectionLevel,
    /// The side of a module in pixels, 1 to 40.
    pub pixels_per_module: u8,
    /// The width of the quiet zone in modules, 0 to 16.
    pub quiet_zone_modules: u8,
    /// The colour of dark modules.
    pub foreground: Colour,
    /// The colour of light modules and the quiet zone. Not transparent together with `foreground`.
    pub background: Colour,
}
