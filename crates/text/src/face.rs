//! One font file: its outlines, character map and line extents.

use std::fmt;

use harfrust::Font;

/// A font that captions are drawn with.
pub(crate) struct Face {
    pub(crate) font: Font,
    /// 16 to 16,384.
    pub(crate) units_per_em: i32,
    /// The extents that `hhea` asks for: the rhythm of lines in this font alone.
    pub(crate) extents: LineExtents,
    /// The extents that nothing is drawn outside of, as `OS/2` says; not smaller than `extents`.
    pub(crate) clipping: LineExtents,
    /// The width of the widest glyph, as `hhea` says, rounded up.
    pub(crate) widest_em: u32,
}

/// The distances that a line reaches from its baseline, in font units.
#[derive(Clone, Copy)]
pub(crate) struct LineExtents {
    /// Upwards: 0 to 3 em.
    pub(crate) ascent: i32,
    /// Downwards: 0 to 2 em.
    pub(crate) descent: i32,
}

/// No line is taller than this, whatever a font claims.
const MAX_ASCENT_EM: i32 = 3;
const MAX_DESCENT_EM: i32 = 2;

/// The reason why a font file is not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unusable {
    /// Not an OpenType font, or a damaged one.
    Malformed,
    /// No Unicode character map.
    NoCharacterMap,
    /// No outlines (a font of bitmaps alone).
    NoOutlines,
    /// The set already has the most fonts that it can hold.
    TooManyFonts,
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Malformed => "not an OpenType font, or damaged",
            Self::NoCharacterMap => "no Unicode character map",
            Self::NoOutlines => "no outlines",
            Self::TooManyFonts => "more fonts than a set can hold",
        })
    }
}

impl Face {
    /// Reads the bytes of a font file.
    pub(crate) fn read(bytes: Vec<u8>) -> Result<Self, Unusable> {
        let font = Font::new(bytes, 0).ok_or(Unusable::Malformed)?;
        if !font.charmap().has_unicode() {
            return Err(Unusable::NoCharacterMap);
        }
        if font.outline_glyphs().is_empty() {
            return Err(Unusable::NoOutlines);
        }
        let metrics = font.metrics();
        if metrics.raw_units_per_em != metrics.units_per_em || metrics.num_glyphs == 0 {
            return Err(Unusable::Malformed);
        }
        let units_per_em = i32::from(metrics.units_per_em);
        let (hhea, win) = (metrics.hhea_line.unwrap_or_default(), metrics.win_line.unwrap_or_default());
        let extents = LineExtents {
            ascent: hhea.ascender.to_i32().clamp(0, MAX_ASCENT_EM * units_per_em),
            descent: (-hhea.descender.to_i32()).clamp(0, MAX_DESCENT_EM * units_per_em),
        };
        let clipping = LineExtents {
            ascent: win.ascender.to_i32().clamp(extents.ascent, MAX_ASCENT_EM * units_per_em),
            descent: (-win.descender.to_i32()).clamp(extents.descent, MAX_DESCENT_EM * units_per_em),
        };
        let widest = metrics.max_h_advance.map_or(0, |advance| advance.to_i32().max(0));
        let widest_em = widest.unsigned_abs().div_ceil(units_per_em.unsigned_abs()).max(1);
        Ok(Self { font, units_per_em, extents, clipping, widest_em })
    }

    /// Returns true if the font maps `character` to a glyph of its own.
    pub(crate) fn maps(&self, character: char) -> bool {
        self.font.charmap().map_unicode(character).is_some()
    }
}
