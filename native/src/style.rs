//! A job's format and style as the host says them.

use napi::Error;
use napi_derive::napi;
use qrpress_batch::{Colour, SpoolHeader};

use crate::error::Result;

/// The pictures of an item; `both` is a PNG, then an SVG.
#[napi(string_enum = "lowercase")]
pub enum OutputFormat {
    Png,
    Svg,
    Both,
}

/// The error correction levels of ISO/IEC 18004, weakest first.
#[napi(string_enum)]
pub enum ErrorCorrectionLevel {
    L,
    M,
    Q,
    H,
}

/// The look of a job's pictures, every member resolved.
#[napi(object, object_to_js = false)]
pub struct RenderStyle {
    /// The level every symbol is encoded at.
    pub error_correction_level: ErrorCorrectionLevel,
    /// The side of a module in pixels, 1 to 40.
    pub pixels_per_module: u8,
    /// The width of the quiet zone in modules, 0 to 16.
    pub quiet_zone_modules: u8,
    /// The colour of dark modules: `#rrggbb` or `transparent`.
    pub foreground: String,
    /// The colour of light modules and the quiet zone: `#rrggbb` or `transparent`. Not transparent together with
    /// `foreground`.
    pub background: String,
    /// Pixels per inch in print, 72 to 2,400, where pictures say so.
    pub dots_per_inch: Option<u16>,
    /// The text under codes.
    pub caption: CaptionStyle,
    /// The picture in the centre of codes.
    pub logo: Option<LogoStyle>,
}

/// A picture for the centre of codes.
#[napi(object, object_to_js = false)]
pub struct LogoStyle {
    /// A PNG file as a data URL in base64.
    pub data_url: String,
    /// The logo's longer edge as a fraction of the symbol's, in millionths: 50,000 to 300,000.
    pub ratio_millionths: u32,
}

/// The look of captions, and their text where an item has none of its own.
#[napi(object, object_to_js = false)]
pub struct CaptionStyle {
    /// The caption of items without one of their own; empty: none.
    pub text: String,
    /// `#rrggbb`.
    pub colour: String,
    /// Pixels per em, 1 to 256.
    pub font_size_px: u16,
}

/// The settings that all items of a job share.
#[napi(object, object_to_js = false)]
pub struct JobLook {
    /// The pictures of an item.
    pub format: OutputFormat,
    /// The look of these pictures.
    pub style: RenderStyle,
}

impl TryFrom<JobLook> for SpoolHeader {
    type Error = Error<&'static str>;

    fn try_from(JobLook { format, style }: JobLook) -> Result<Self> {
        let format = match format {
            OutputFormat::Png => qrpress_batch::OutputFormat::Png,
            OutputFormat::Svg => qrpress_batch::OutputFormat::Svg,
            OutputFormat::Both => qrpress_batch::OutputFormat::Both,
        };
        Ok(Self { format, style: style.try_into()? })
    }
}

impl TryFrom<RenderStyle> for qrpress_batch::RenderStyle {
    type Error = Error<&'static str>;

    fn try_from(style: RenderStyle) -> Result<Self> {
        Ok(Self {
            error_correction_level: match style.error_correction_level {
                ErrorCorrectionLevel::L => qrpress_batch::ErrorCorrectionLevel::Low,
                ErrorCorrectionLevel::M => qrpress_batch::ErrorCorrectionLevel::Medium,
                ErrorCorrectionLevel::Q => qrpress_batch::ErrorCorrectionLevel::Quartile,
                ErrorCorrectionLevel::H => qrpress_batch::ErrorCorrectionLevel::High,
            },
            pixels_per_module: style.pixels_per_module,
            quiet_zone_modules: style.quiet_zone_modules,
            foreground: colour(&style.foreground)?,
            background: colour(&style.background)?,
            dots_per_inch: style.dots_per_inch,
            caption: style.caption.try_into()?,
            logo: style.logo.map(|LogoStyle { data_url, ratio_millionths }| qrpress_batch::LogoStyle {
                data_url,
                ratio_millionths,
            }),
        })
    }
}

impl TryFrom<CaptionStyle> for qrpress_batch::CaptionStyle {
    type Error = Error<&'static str>;

    fn try_from(CaptionStyle { text, colour: name, font_size_px }: CaptionStyle) -> Result<Self> {
        let Colour::Rgb(colour) = colour(&name)? else {
            return Err(Error::new("invalid_argument", "a caption cannot be transparent".to_owned()));
        };
        Ok(Self { text, colour, font_size_px })
    }
}

fn colour(text: &str) -> Result<Colour> {
    text.parse().map_err(|_| Error::new("invalid_argument", format!("{text:?} is no colour")))
}
