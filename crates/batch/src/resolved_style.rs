//! A job's style as everything takes it that measures, checks and draws.

use std::sync::Arc;

use qrpress_image::{PlacedLogo, PngRenderer, Style, SvgRenderer};
use qrpress_logo::Logo;
use qrpress_symbol::{
    DataTooLong, Eci, Encoder, ErrorCorrectionLevel, Symbol, Version, byte_capacity, smallest_version,
};
use qrpress_text::{FittingTypesetter, FontSet, Typesetter};

use crate::style::{CaptionStyle, LogoStyle, RenderStyle, SymbolVersion, USUAL_PIXELS_PER_MODULE};
use crate::{BatchError, SpoolHeader};

/// A style with its logo decoded and everything settled that follows from its members.
///
/// Whoever takes a part of it takes it apart by all its members, so that the compiler asks what becomes of a new one.
#[derive(Clone, Debug)]
pub struct ResolvedStyle {
    /// The level of the symbols.
    pub level: ErrorCorrectionLevel,
    /// The designator of UTF-8 in symbols that are not ASCII.
    pub eci: Eci,
    /// The version of every symbol; none: each item's smallest.
    pub version: Option<Version>,
    /// The look of the pictures.
    pub picture: Style,
    /// The picture in the centre of every code.
    pub logo: Option<PlacedLogo<Arc<Logo>>>,
    /// The caption of items without one of their own; empty: none.
    pub caption: String,
    /// Pixels per em of captions, 1 or more.
    pub font_size_px: u32,
}

impl ResolvedStyle {
    /// Settles a style that was checked.
    ///
    /// # Errors
    /// [`BatchError::CorruptSpool`] for a style that no check lets through: it was read from a spool that nobody wrote.
    pub fn new(SpoolHeader { format: _, style, version }: &SpoolHeader) -> Result<Self, BatchError> {
        let corrupt = |reason| BatchError::CorruptSpool { offset: 16, reason };
        let RenderStyle {
            error_correction_level: level,
            pixels_per_module,
            quiet_zone_modules,
            foreground,
            background,
            dots_per_inch,
            eci,
            version: rule,
            caption: CaptionStyle { text, colour: caption_colour, font_size },
            logo,
        } = style;
        let picture =
            Style::new((*pixels_per_module).into(), (*quiet_zone_modules).into(), *foreground, *background)
                .and_then(|picture| match *dots_per_inch {
                    Some(dots) => picture.with_dots_per_inch(dots.into()),
                    None => Ok(picture),
                })
                .map_err(|_| corrupt("settings that no style has"))?;
        let decode = |LogoStyle { data_url, ratio_millionths }: &LogoStyle| match Logo::shared(data_url) {
            Ok(logo) => Ok(PlacedLogo { logo, ratio_millionths: *ratio_millionths, level: *level }),
            Err(_) => Err(corrupt("a logo that is no picture")),
        };
        // Captions grow with the modules, rounded half up.
        let scaled = u32::from(*font_size) * u32::from(*pixels_per_module);
        let usual = u32::from(USUAL_PIXELS_PER_MODULE);
        Ok(Self {
            level: *level,
            eci: *eci,
            version: match rule {
                SymbolVersion::Smallest => None,
                SymbolVersion::Same => *version,
                SymbolVersion::Exactly(version) => Some(*version),
            },
            picture: match *caption_colour {
                Some(rgb) => picture.with_caption_colour(rgb),
                None => picture,
            },
            logo: logo.as_ref().map(decode).transpose()?,
            caption: text.clone(),
            font_size_px: ((scaled + usual / 2) / usual).max(1),
        })
    }

    /// The same with a quiet zone of at least so many modules.
    #[must_use]
    pub fn with_least_quiet_zone(mut self, modules: u32) -> Self {
        self.picture.quiet_zone_modules = self.picture.quiet_zone_modules.max(modules);
        self
    }

    /// The version of the data's symbol; none where the data does not fit.
    #[inline]
    pub fn version_of(&self, data: &[u8]) -> Option<Version> {
        self.version_at(self.level, data)
    }

    /// The version of the data's symbol at another level; none where the data does not fit.
    #[inline]
    pub(crate) fn version_at(&self, level: ErrorCorrectionLevel, data: &[u8]) -> Option<Version> {
        let smallest = smallest_version(data, level, self.eci).ok()?;
        match self.version {
            None => Some(smallest),
            Some(version) => (smallest <= version).then_some(version),
        }
    }

    /// Bytes that the largest symbol holds, whatever they are.
    pub(crate) fn most_bytes(&self) -> usize {
        byte_capacity(self.version.unwrap_or(Version::MAX), self.level, self.eci)
    }

    /// The data's symbol.
    ///
    /// # Errors
    /// [`DataTooLong`] when no symbol holds the data.
    #[inline]
    pub fn encode<'e>(&self, data: &[u8], encoder: &'e mut Encoder) -> Result<&'e Symbol, DataTooLong> {
        match self.version {
            None => encoder.encode_designated(data, self.level, self.eci),
            Some(version) => encoder.encode_in(data, version, self.level, self.eci),
        }
    }

    /// A typesetter of captions. Half the quiet zone, and at least a module, is kept free at each side.
    pub fn typesetter(&self, fonts: Arc<FontSet>) -> FittingTypesetter {
        let Style { pixels_per_module, quiet_zone_modules, .. } = self.picture;
        let half_quiet_zone_px = (quiet_zone_modules * pixels_per_module).div_ceil(2);
        let usual = Typesetter::new(fonts, self.font_size_px);
        FittingTypesetter::new(usual.with_side_margin(half_quiet_zone_px.max(pixels_per_module)))
    }

    /// A renderer of PNG files.
    pub(crate) fn png(&self) -> PngRenderer {
        let renderer = PngRenderer::new(self.picture.clone());
        match &self.logo {
            Some(logo) => renderer.with_logo(logo.clone()),
            None => renderer,
        }
    }

    /// A renderer of SVG files.
    pub(crate) fn svg(&self) -> SvgRenderer {
        let renderer = SvgRenderer::new(self.picture.clone());
        match &self.logo {
            Some(logo) => renderer.with_logo(logo.clone()),
            None => renderer,
        }
    }
}
