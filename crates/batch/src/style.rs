//! The look that all pictures of a job share, and how the contract writes it.
//!
//! The derives read and write the members of a request (`src/contract/request-schema.ts`) under their names there. A member
//! that is absent has its default, so a spool that is older than a member can be read.

pub(crate) mod forms;
mod symbol_version;

use qrpress_image::Colour;
use qrpress_symbol::{Eci, ErrorCorrectionLevel};
use serde::{Deserialize, Serialize};

pub use symbol_version::SymbolVersion;

use forms::{Level, colour, designator, millionths, opaque_colour};

/// The scale at which font sizes are pixels.
pub(crate) const USUAL_PIXELS_PER_MODULE: u8 = 10;

/// The pictures that an item becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OutputFormat {
    /// One PNG.
    Png,
    /// One SVG.
    Svg,
    /// A PNG, then an SVG.
    Both,
}

/// The style of a job.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RenderStyle {
    /// The level every symbol is encoded at.
    #[serde(rename = "ecLevel", with = "Level")]
    pub error_correction_level: ErrorCorrectionLevel,
    /// The side of a module in pixels, 1 to 40.
    #[serde(rename = "scale")]
    pub pixels_per_module: u8,
    /// The width of the quiet zone in modules, 0 to 16.
    #[serde(rename = "margin")]
    pub quiet_zone_modules: u8,
    /// The colour of dark modules.
    #[serde(with = "colour")]
    pub foreground: Colour,
    /// The colour of light modules and the quiet zone. Not transparent together with `foreground`.
    #[serde(with = "colour")]
    pub background: Colour,
    /// Pixels per inch in print, 72 to 2,400, where pictures are to say so.
    #[serde(rename = "dpi", skip_serializing_if = "Option::is_none")]
    pub dots_per_inch: Option<u16>,
    /// The designator of UTF-8 in symbols that are not ASCII.
    #[serde(with = "designator")]
    pub eci: Eci,
    /// The versions of the symbols.
    pub version: SymbolVersion,
    /// The look of captions, and their text where an item has none of its own.
    pub caption: CaptionStyle,
    /// The picture in the centre of every code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logo: Option<LogoStyle>,
}

/// A picture for the centre of codes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogoStyle {
    /// A PNG file as a data URL in base64, kept as the client wrote it.
    #[serde(rename = "dataUrl")]
    pub data_url: String,
    /// The logo's longer edge as a fraction of the symbol's, in millionths: 50,000 to 300,000.
    #[serde(rename = "sizeRatio", default = "LogoStyle::usual_ratio_millionths", with = "millionths")]
    pub ratio_millionths: u32,
}

/// The style of the text under codes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CaptionStyle {
    /// The caption of items without one of their own; empty: none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Its colour, and that of the items' own captions: red, green, blue in sRGB. None: the foreground.
    #[serde(with = "opaque_colour", skip_serializing_if = "Option::is_none")]
    pub colour: Option<[u8; 3]>,
    /// Pixels per em at ten pixels per module, 6 to 64.
    #[serde(rename = "fontSize")]
    pub font_size: u16,
}

impl Default for RenderStyle {
    /// The style of a job that gives none.
    fn default() -> Self {
        Self {
            error_correction_level: ErrorCorrectionLevel::Medium,
            pixels_per_module: USUAL_PIXELS_PER_MODULE,
            quiet_zone_modules: 4,
            foreground: Colour::BLACK,
            background: Colour::WHITE,
            dots_per_inch: None,
            eci: Eci::Absent,
            version: SymbolVersion::Smallest,
            caption: CaptionStyle::default(),
            logo: None,
        }
    }
}

impl LogoStyle {
    fn usual_ratio_millionths() -> u32 {
        200_000
    }
}

impl Default for CaptionStyle {
    fn default() -> Self {
        Self { text: String::new(), colour: None, font_size: 16 }
    }
}
