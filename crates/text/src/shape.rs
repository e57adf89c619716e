//! Words to glyphs: the shaper, with the words of one font size that it has met.

use std::collections::HashMap;
use std::ops::Range;

use harfrust::{Buffer, BufferFlags, Direction, Script, ShapeOptions, ShapePlan, ShaperFont, Tag, shape};

use crate::face::Face;
use crate::units::Size;

/// A glyph where the pen stands, in 1/256 px.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ShapedGlyph {
    pub(crate) face: u8,
    pub(crate) glyph: u32,
    /// Byte offset of its cluster: in the word as cached, in the paragraph as given out.
    pub(crate) cluster: u32,
    /// The distance that the pen moves.
    pub(crate) advance: i32,
    /// From the pen, to the right and upwards.
    pub(crate) offset: (i32, i32),
}

/// The properties that a word is shaped with.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Style {
    pub(crate) face: u8,
    /// ISO 15924 tag.
    pub(crate) script: [u8; 4],
    pub(crate) right_to_left: bool,
}

/// The words that are kept, and the glyphs that they may have together: about 3 MB. Past either, all are let go.
const MAX_WORDS: usize = 1 << 14;
const MAX_GLYPHS: usize = 1 << 16;
/// Plans that are kept: every script of every font would be thousands.
const MAX_PLANS: usize = 256;

/// Shapes words at one size.
pub(crate) struct Shaper {
    size: Size,
    buffer: Option<Buffer>,
    plans: HashMap<Style, ShapePlan>,
    /// By style and text, see `key`.
    words: HashMap<Box<[u8]>, Range<usize>>,
    glyphs: Vec<ShapedGlyph>,
    key: Vec<u8>,
}

impl Shaper {
    pub(crate) fn new(size: Size) -> Self {
        Self {
            size,
            buffer: None,
            plans: HashMap::new(),
            words: HashMap::new(),
            glyphs: Vec::new(),
            key: Vec::new(),
        }
    }

    /// Appends the glyphs of `word`, which stands at byte `start` of its paragraph, in visual order.
    pub(crate) fn shape(
        &mut self,
        face: &Face,
        style: Style,
        word: &str,
        start: u32,
        out: &mut Vec<ShapedGlyph>,
    ) {
        self.key.clear();
        self.key.extend([style.face, u8::from(style.right_to_left)]);
        self.key.extend(style.script);
        self.key.extend_from_slice(word.as_bytes());
        let range = match self.words.get(self.key.as_slice()) {
            Some(range) => range.clone(),
            None => self.shape_new(face, style, word),
        };
        out.extend(
            self.glyphs[range].iter().map(|glyph| ShapedGlyph { cluster: start + glyph.cluster, ..*glyph }),
        );
    }

    fn shape_new(&mut self, face: &Face, style: Style, word: &str) -> Range<usize> {
        if self.words.len() >= MAX_WORDS || self.glyphs.len() >= MAX_GLYPHS {
            self.words.clear();
            self.glyphs.clear();
        }
        if self.plans.len() >= MAX_PLANS {
            self.plans.clear();
        }
        let direction = if style.right_to_left { Direction::RightToLeft } else { Direction::LeftToRight };
        let script = Script::from_iso15924_tag(Tag::new(&style.script));
        let plan = self
            .plans
            .entry(style)
            .or_insert_with(|| ShapePlan::new(&face.font, direction, script, None, &[]));
        let mut buffer = self.buffer.take().unwrap_or_default();
        buffer.clear();
        buffer.push_str(word);
        buffer.set_direction(direction);
        buffer.set_script(script);
        buffer.set_flags(BufferFlags::REMOVE_DEFAULT_IGNORABLES);

        let start = self.glyphs.len();
        let font = ShaperFont::new(&face.font);
        if shape(&font, &mut buffer, ShapeOptions::new().plan(Some(plan))).is_ok() {
            let scale = |units| self.size.scale(units, face.units_per_em);
            let positioned = buffer.glyph_infos().iter().zip(buffer.glyph_positions());
            self.glyphs.extend(positioned.map(|(info, position)| ShapedGlyph {
                face: style.face,
                glyph: info.glyph_id,
                cluster: info.cluster,
                advance: scale(position.x_advance),
                offset: (scale(position.x_offset), scale(position.y_offset)),
            }));
        }
        self.buffer = Some(buffer);
        let range = start..self.glyphs.len();
        self.words.insert(self.key.as_slice().into(), range.clone());
        range
    }
}
