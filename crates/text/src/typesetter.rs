//! Captions to lines: the one door to shaping, breaking and drawing.

use std::sync::Arc;

use unicode_normalization::{UnicodeNormalization, is_nfc};

use crate::ascii::LatinPairs;
use crate::characters::{has_mark, prepare};
use crate::glyph_extents::GlyphExtents;
use crate::glyph_outline::{FRACTIONS, Segment, outline};
use crate::glyphs::Glyphs;
use crate::metrics::{Heights, LineHeight};
use crate::paragraph::Paragraph;
use crate::shape::{ShapedGlyph, Shaper};
use crate::svg::SvgGlyphs;
use crate::units::{PX, Size};
use crate::{Coverage, FontSet};

/// A glyph of a laid-out caption.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacedGlyph {
    /// The number of its font in the set.
    pub face: u8,
    /// Its number in the font.
    pub glyph: u32,
    /// The place of its pen, in 1/256 px from the top left corner of the band, y downwards.
    pub at: (i32, i32),
}

/// The place of the lines of a caption in their band.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Alignment {
    /// In the middle.
    #[default]
    Centre,
    /// At the side where reading begins.
    Start,
}

/// A caption as it stands under a code: lines in a band as wide as the image.
#[derive(Clone, Debug, Default)]
pub struct TextLayout {
    pub(crate) glyphs: Vec<PlacedGlyph>,
    lines: u32,
    width_px: u32,
    height_px: u32,
    /// Of the widest line, in 1/256 px.
    widest: i32,
    /// The side at which the first line begins, and that at which the last one ends, from the left of the band, in 1/256 px.
    sides: Option<[i32; 2]>,
    overflows: bool,
    breaks_words: bool,
}

impl TextLayout {
    /// Lines, empty ones between others included. 0 for a caption of white space alone.
    pub fn lines(&self) -> u32 {
        self.lines
    }

    /// Width of the band: that of the image.
    pub fn width_px(&self) -> u32 {
        self.width_px
    }

    /// Height of the band: gap, lines, gap. 0 without lines.
    pub fn height_px(&self) -> u32 {
        self.height_px
    }

    /// Returns true if a line is wider than the band without its side margins.
    pub fn overflows(&self) -> bool {
        self.overflows
    }

    /// Returns true if a line is wider than the band.
    pub(crate) fn is_cut(&self) -> bool {
        i64::from(self.widest) > i64::from(self.width_px) * i64::from(PX)
    }

    /// The left and the right side of all lines together, in pixels from the left of the band, rounded outwards. 0 without lines.
    pub fn sides_px(&self) -> [u32; 2] {
        let [left, right] = self.sides.unwrap_or_default();
        [
            left.max(0).unsigned_abs() / PX.unsigned_abs(),
            right.max(0).unsigned_abs().div_ceil(PX.unsigned_abs()),
        ]
    }

    /// Returns true if a line ends inside a word.
    pub fn breaks_words(&self) -> bool {
        self.breaks_words
    }
}

/// The baseline of the line above another, or the top of the band.
#[derive(Clone, Copy)]
#[expect(clippy::struct_field_names, reason = "names end with their unit")]
struct Baseline {
    /// Pixels from the top of the band.
    y_px: u32,
    /// Pixels from it to the next baseline, unless ink needs more.
    leading_px: u32,
    /// Pixels that ink reaches below it.
    ink_px: u32,
}

impl Baseline {
    fn before_first(heights: &Heights) -> Self {
        Self { y_px: 0, leading_px: heights.top_gap_px + heights.line.ascent_px, ink_px: 0 }
    }
}

/// Sets captions in one font size. One per thread: it keeps the words and glyphs it has met, some 10 MB at most,
/// whatever the captions are.
pub struct Typesetter {
    fonts: Arc<FontSet>,
    size: Size,
    heights: Heights,
    extents: GlyphExtents,
    side_margin_px: u32,
    alignment: Alignment,
    shaper: Shaper,
    latin: LatinPairs,
    glyphs: Glyphs,
    svg: SvgGlyphs,
    text: String,
    line: Vec<ShapedGlyph>,
    layout: TextLayout,
}

impl Typesetter {
    /// A typesetter of `font_size_px` pixels per em, 1 to 256; sizes beyond are brought into the range.
    pub fn new(fonts: Arc<FontSet>, font_size_px: u32) -> Self {
        let size = Size::new(font_size_px);
        Self {
            size,
            heights: Heights::new(&fonts, size),
            extents: GlyphExtents::new(size),
            side_margin_px: 0,
            alignment: Alignment::default(),
            shaper: Shaper::new(size),
            latin: LatinPairs::new(),
            glyphs: Glyphs::new(size),
            svg: SvgGlyphs::new(size),
            text: String::new(),
            line: Vec::new(),
            layout: TextLayout::default(),
            fonts,
        }
    }

    /// The same typesetter with so many pixels kept free at each side of every line.
    #[must_use]
    pub fn with_side_margin(self, side_margin_px: u32) -> Self {
        Self { side_margin_px, ..self }
    }

    /// Chooses the place of lines in the band, for captions that are laid out from now on.
    pub fn align(&mut self, alignment: Alignment) {
        self.alignment = alignment;
    }

    /// Pixels per em.
    pub(crate) fn font_size_px(&self) -> u32 {
        self.size.px()
    }

    /// A smaller font size in which the widest line of the latest layout has room, 1 or more.
    pub(crate) fn fitting_size_px(&self) -> u32 {
        let room = i64::from(self.room_px(self.layout.width_px)) * i64::from(PX);
        let size = i64::from(self.size.px());
        (size * room / i64::from(self.layout.widest).max(1)).min(size - 1).max(1) as u32
    }

    /// The same typesetter, of another font size.
    pub(crate) fn resized(&self, font_size_px: u32) -> Self {
        let resized = Self::new(Arc::clone(&self.fonts), font_size_px).with_side_margin(self.side_margin_px);
        Self { alignment: self.alignment, ..resized }
    }

    /// Pixels of a line between the side margins.
    fn room_px(&self, width_px: u32) -> u32 {
        width_px.saturating_sub(self.side_margin_px.saturating_mul(2))
    }

    /// Pixels above the first line of every layout, and below the last.
    pub fn gaps_px(&self) -> [u32; 2] {
        [self.heights.top_gap_px, self.heights.bottom_gap_px]
    }

    /// Lays `text` out in an image of `width_px` pixels.
    ///
    /// Lines break where the text says so, and else at the last opportunity of UAX 14 that fits, but not between a number and its
    /// unit or before a separator such as `·` if there is another, or inside a word that is wider
    /// than the image without its side margins, at a grapheme. A single grapheme that is wider than the image is cut off at
    /// both sides; a [`FittingTypesetter`](crate::FittingTypesetter) sets such captions in smaller letters.
    ///
    /// Baselines are equally far apart whatever the script. Only where the ink of a line would touch that of the line above,
    /// or leave the band, the line is moved down, or the band is higher.
    /// Characters that the fonts do not [cover](FontSet::covers) leave no mark.
    pub fn lay_out(&mut self, text: &str, width_px: u32) -> &TextLayout {
        self.layout.glyphs.clear();
        self.layout.lines = 0;
        (self.layout.widest, self.layout.overflows, self.layout.breaks_words) = (0, false, false);
        self.layout.sides = None;
        self.layout.width_px = width_px;
        let mut above = Baseline::before_first(&self.heights);
        let limit = i32::try_from(self.room_px(width_px)).unwrap_or(i32::MAX).saturating_mul(PX);

        let trimmed = text.trim();
        self.line.clear();
        if self.latin.shape(&self.fonts, &mut self.shaper, trimmed.as_bytes(), limit, &mut self.line) {
            // The line height of the first face has room for all of ASCII.
            let ink = self.heights.line;
            above = self.place_line(above, ink, limit, false);
        } else {
            prepare(trimmed, &mut self.text);
            let text = std::mem::take(&mut self.text);
            if has_mark(&text) {
                let han_face = self.fonts.han_face(&text);
                for paragraph in text.split('\n') {
                    let mut paragraph = Paragraph::new(&self.fonts, paragraph.trim(), han_face);
                    let is_right_to_left = paragraph.is_right_to_left();
                    while paragraph.next_line(&self.fonts, &mut self.shaper, limit, &mut self.line) {
                        let ink = self.ink(paragraph.line_characters());
                        above = self.place_line(above, ink, limit, is_right_to_left);
                    }
                    self.layout.breaks_words |= paragraph.breaks_words();
                }
            }
            self.text = text;
        }
        self.layout.height_px = match self.layout.lines {
            0 => 0,
            _ => above.y_px + (self.heights.line.descent_px + self.heights.bottom_gap_px).max(above.ink_px),
        };
        &self.layout
    }

    /// The reach of the shaped line's ink, as far as its faces say that they draw: marks that stand on each other reach as far as
    /// so many lines.
    fn ink(&mut self, characters: usize) -> LineHeight {
        let characters = u32::try_from(characters).unwrap_or(u32::MAX).max(1);
        let mut ink = LineHeight { ascent_px: 0, descent_px: 0 };
        for glyph in &self.line {
            let Some((up, down)) = self.extents.reach(&self.fonts, glyph.face, glyph.glyph) else { continue };
            let most = self.heights.tallest_ink(glyph.face);
            let px = |reach: i32| reach.max(0).unsigned_abs().div_ceil(PX.unsigned_abs());
            let within = |reach, most: u32| px(reach).min(most.saturating_mul(characters));
            ink.ascent_px = ink.ascent_px.max(within(up.saturating_add(glyph.offset.1), most.ascent_px));
            ink.descent_px = ink.descent_px.max(within(down.saturating_sub(glyph.offset.1), most.descent_px));
        }
        ink
    }

    /// Places the shaped line, whose ink reaches as far as `ink` says, below the line above.
    fn place_line(
        &mut self,
        above: Baseline,
        ink: LineHeight,
        limit: i32,
        is_right_to_left: bool,
    ) -> Baseline {
        let leading = above.leading_px.max(above.ink_px + ink.ascent_px);
        let y_px = above.y_px + leading;
        let baseline = y_px.saturating_mul(PX as u32) as i32;
        let width = self.line.iter().fold(0_i32, |width, glyph| width.saturating_add(glyph.advance));
        let band = i32::try_from(self.layout.width_px).unwrap_or(i32::MAX).saturating_mul(PX);
        // Lines begin on whole pixels, so that captions of one job share the glyphs' bitmaps.
        let free = band.saturating_sub(width);
        let before = match (self.alignment, is_right_to_left) {
            (Alignment::Centre, _) => free / 2,
            (Alignment::Start, false) => self.side_margin_px as i32 * PX,
            (Alignment::Start, true) => free - self.side_margin_px as i32 * PX,
        };
        self.layout.widest = self.layout.widest.max(width);
        self.layout.overflows |= width > limit;
        let mut pen = before.div_euclid(PX) * PX;
        let [left, right] = self.layout.sides.unwrap_or([i32::MAX, i32::MIN]);
        self.layout.sides = Some([left.min(pen), right.max(pen.saturating_add(width))]);
        for glyph in &self.line {
            let (x, y) = glyph.offset;
            // Glyph 0 stands for what the font does not have.
            if glyph.glyph != 0 {
                let at = (pen.saturating_add(x), baseline.saturating_sub(y));
                self.layout.glyphs.push(PlacedGlyph { face: glyph.face, glyph: glyph.glyph, at });
            }
            pen = pen.saturating_add(glyph.advance);
        }
        self.layout.lines += 1;
        Baseline { y_px, leading_px: self.heights.line.total_px(), ink_px: ink.descent_px }
    }

    /// A height in pixels that the caption does not pass in any width: found from the characters alone, in nanoseconds.
    pub fn height_bound(&self, text: &str) -> u32 {
        let text = text.trim();
        // A line for each character: a line is not higher than all of its characters on lines of their own.
        let is_ascii = text.is_ascii();
        let is_as_laid_out = is_ascii || is_nfc(text);
        let lines = if is_as_laid_out { text.chars().count() } else { text.nfc().count() } as u32;
        if lines == 0 {
            return 0;
        }
        let line = self.heights.bound(is_ascii).total_px();
        lines.saturating_mul(line).saturating_add(self.heights.top_gap_px + self.heights.bottom_gap_px)
    }

    /// The latest layout as coverage of the band, in `out`.
    pub fn rasterise(&mut self, out: &mut Coverage) {
        out.reset(self.layout.width_px, self.layout.height_px);
        for glyph in &self.layout.glyphs {
            self.glyphs.draw(&self.fonts, glyph.face, glyph.glyph, glyph.at, out);
        }
    }

    /// Appends the latest layout to `out` as the `d` attribute of an SVG path, filled by the non-zero rule: absolute `M`
    /// for each glyph, relative commands inside. Its origin is the band's top left corner moved down by `top_px`.
    pub fn outline(&mut self, top_px: u32, out: &mut Vec<u8>) {
        for glyph in &self.layout.glyphs {
            self.svg.write(&self.fonts, glyph.face, glyph.glyph, glyph.at, top_px, out);
        }
    }

    /// The latest layout.
    pub(crate) fn layout(&self) -> &TextLayout {
        &self.layout
    }

    /// The glyphs of the latest layout.
    pub fn glyphs(&self) -> &[PlacedGlyph] {
        &self.layout.glyphs
    }

    /// Fills `out` with the outline of a glyph of a layout, in 1/256 px from its pen, y downwards, filled by the non-zero rule;
    /// with nothing where it has none.
    pub fn glyph_outline(&self, glyph: &PlacedGlyph, out: &mut Vec<Segment>) {
        let face = self.fonts.face(glyph.face);
        outline(face, glyph.glyph, out);
        let em = face.units_per_em * FRACTIONS;
        for segment in out {
            *segment = segment.map(|(x, y)| (self.size.scale(x, em), self.size.scale(-y, em)));
        }
    }
}
