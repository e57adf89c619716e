//! The look that all pictures of a job share.

use qrpress_image::Colour;
use qrpress_symbol::ErrorCorrectionLevel;

/// The pictures that an item becomes.
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
    /// Pixels per inch in print, 72 to 2,400, where pictures are to say so.
    pub dots_per_inch: Option<u16>,
    /// The look of captions, and their text where an item has none of its own.
    pub caption: CaptionStyle,
    /// The picture in the centre of every code.
    pub logo: Option<LogoStyle>,
}

/// A picture for the centre of codes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LogoStyle {
    /// A PNG file as a data URL in base64, kept as the client wrote it.
    pub data_url: String,
    /// The logo's longer edge as a fraction of the symbol's, in millionths: 50,000 to 300,000.
    pub ratio_millionths: u32,
}

/// The style of the text under codes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CaptionStyle {
    /// The caption of items without one of their own; empty: none.
    pub text: String,
    /// Its colour, and that of the items' own captions: red, green, blue in sRGB.
    pub colour: [u8; 3],
    /// Pixels per em, 1 to 256.
    pub font_size_px: u16,
}

impl Default for RenderStyle {
    /// The style of a job that gives none.
    fn default() -> Self {
        Self {
            error_correction_level: ErrorCorrectionLevel::Medium,
            pixels_per_module: 10,
            quiet_zone_modules: 4,
            foreground: Colour::BLACK,
            background: Colour::WHITE,
            dots_per_inch: None,
            caption: CaptionStyle::default(),
            logo: None,
        }
    }
}

impl Default for CaptionStyle {
    fn default() -> Self {
        Self { text: String::new(), colour: [0; 3], font_size_px: 16 }
    }
}
