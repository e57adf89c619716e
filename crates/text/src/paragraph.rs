//! A paragraph to lines: direction, line breaks, visual order.

use std::ops::Range;

use icu_segmenter::LineSegmenter;
use icu_segmenter::options::LineBreakOptions;
use unicode_bidi::BidiInfo;
use unicode_segmentation::UnicodeSegmentation;

use crate::FontSet;
use crate::characters::may_turn;
use crate::itemise::{Item, itemise};
use crate::shape::{ShapedGlyph, Shaper, Style};

/// Text without line ends, line by line.
pub(crate) struct Paragraph<'a> {
    text: &'a str,
    /// Only where the text may turn.
    bidi: Option<BidiInfo<'a>>,
    items: Vec<Item>,
    /// The start of the next line; none at the end.
    next: Option<usize>,
    /// Characters of the latest line.
    line_characters: usize,
    breaks: Option<Breaks>,
    /// A line so far ends inside a word.
    breaks_words: bool,
}

/// The places at which a paragraph that is too wide may be broken.
struct Breaks {
    /// Width of the text before each byte offset, as if on one line.
    width_before: Vec<i32>,
    /// Byte offsets behind which a line may end, ascending: opportunities of UAX 14.
    opportunities: Vec<usize>,
    /// Those of them that part what belongs together, taken where no other fits.
    parting: Vec<usize>,
    /// The same for every grapheme.
    graphemes: Vec<usize>,
}

/// The number of times that a line is shortened that turned out wider than it was on one line with the rest: letters
/// that join take other forms at an end. Beyond it the line stays too wide.
const MAX_SHORTENINGS: usize = 8;

/// The place at which a word may be broken with a hyphen.
const SOFT_HYPHEN: char = '\u{ad}';
const HYPHEN: &str = "-";

impl<'a> Paragraph<'a> {
    /// `han_face` is asked first for Han characters.
    pub(crate) fn new(fonts: &FontSet, text: &'a str, han_face: Option<u8>) -> Self {
        let mut items = Vec::new();
        itemise(fonts, text, han_face, &mut items);
        let bidi = text.chars().any(may_turn).then(|| BidiInfo::new(text, None));
        Self { text, bidi, items, next: Some(0), line_characters: 0, breaks: None, breaks_words: false }
    }

    /// Returns true if the text reads from right to left, by its first letter.
    pub(crate) fn is_right_to_left(&self) -> bool {
        let first = self.bidi.as_ref().and_then(|bidi| bidi.paragraphs.first());
        first.is_some_and(|paragraph| paragraph.level.is_rtl())
    }

    /// Returns true if a line so far ends inside a word.
    pub(crate) fn breaks_words(&self) -> bool {
        self.breaks_words
    }

    /// Characters of the latest line.
    pub(crate) fn line_characters(&self) -> usize {
        self.line_characters
    }

    /// Shapes the next line into `line`, in visual order. False when there is none; an empty paragraph is one line.
    pub(crate) fn next_line(
        &mut self,
        fonts: &FontSet,
        shaper: &mut Shaper,
        limit: i32,
        line: &mut Vec<ShapedGlyph>,
    ) -> bool {
        let Some(start) = self.next else { return false };
        if self.breaks.is_none() {
            self.shape(fonts, shaper, 0..self.text.len(), line);
            if width(line) <= limit {
                self.next = None;
                self.line_characters = self.text.chars().count();
                return true;
            }
            self.breaks = Some(Breaks::new(self.text, line));
        }
        let mut fit = limit;
        for shortening in 0.. {
            let (end, is_inside_word) = self.line_end(start, fit);
            let text = &self.text[start..end];
            let drawn = text.trim_end();
            self.shape(fonts, shaper, start..start + drawn.len(), line);
            if drawn.ends_with(SOFT_HYPHEN) && end < self.text.len() {
                self.push_hyphen(fonts, shaper, end, line);
            }
            let excess = width(line).saturating_sub(limit);
            let rest = self.text[end..].trim_start();
            self.next = (!rest.is_empty()).then(|| self.text.len() - rest.len());
            let is_shortest = text.graphemes(true).nth(1).is_none();
            if excess <= 0 || is_shortest || shortening == MAX_SHORTENINGS {
                self.breaks_words |= is_inside_word && self.next.is_some();
                self.line_characters = text.chars().count();
                break;
            }
            fit = fit.saturating_sub(excess);
        }
        true
    }

    /// Appends the hyphen of a word that is broken behind byte `end`.
    fn push_hyphen(&self, fonts: &FontSet, shaper: &mut Shaper, end: usize, line: &mut Vec<ShapedGlyph>) {
        let is_right_to_left = self.bidi.as_ref().is_some_and(|bidi| bidi.levels[end - 1].is_rtl());
        let Some(item) = self.items.iter().find(|item| item.bytes.contains(&(end - 1))) else { return };
        let Some(face) = fonts.face_for(HYPHEN, Some(item.face)) else { return };
        let style = Style { face, script: item.script, right_to_left: is_right_to_left };
        let at = (end - SOFT_HYPHEN.len_utf8()) as u32;
        if is_right_to_left {
            let rest = std::mem::take(line);
            shaper.shape(fonts.face(face), style, HYPHEN, at, line);
            line.extend(rest);
        } else {
            shaper.shape(fonts.face(face), style, HYPHEN, at, line);
        }
    }

    /// The end of the longest line from `start` that is not wider than `limit`, white space at its end aside: at least one
    /// grapheme. True: inside a word.
    fn line_end(&self, start: usize, limit: i32) -> (usize, bool) {
        let Some(breaks) = &self.breaks else { return (self.text.len(), false) };
        let fits = |end: usize| {
            let drawn = start + self.text[start..end].trim_end().len();
            breaks.width_before[drawn].saturating_sub(breaks.width_before[start]) <= limit
        };
        let last = |ends: &[usize]| {
            let ends = &ends[ends.partition_point(|&end| end <= start)..];
            ends[..ends.partition_point(|&end| fits(end))].last().copied()
        };
        let first_grapheme = || start + self.text[start..].graphemes(true).next().map_or(0, str::len);
        match last(&breaks.opportunities).or_else(|| last(&breaks.parting)) {
            Some(end) => (end, false),
            None => (last(&breaks.graphemes).unwrap_or_else(first_grapheme), true),
        }
    }

    /// Shapes `range` as a line of its own, in visual order.
    fn shape(&self, fonts: &FontSet, shaper: &mut Shaper, range: Range<usize>, line: &mut Vec<ShapedGlyph>) {
        line.clear();
        if range.is_empty() {
            return;
        }
        let Some(bidi) = &self.bidi else {
            self.shape_run(fonts, shaper, range, false, line);
            return;
        };
        let Some(paragraph) = bidi.paragraphs.first() else { return };
        let (levels, runs) = bidi.visual_runs(paragraph, range);
        for run in runs {
            let right_to_left = levels[run.start].is_rtl();
            self.shape_run(fonts, shaper, run, right_to_left, line);
        }
    }

    /// Shapes a run of one direction, word by word, from left to right.
    fn shape_run(
        &self,
        fonts: &FontSet,
        shaper: &mut Shaper,
        run: Range<usize>,
        right_to_left: bool,
        line: &mut Vec<ShapedGlyph>,
    ) {
        let first = self.items.partition_point(|item| item.bytes.end <= run.start);
        let last = self.items.partition_point(|item| item.bytes.start < run.end);
        let mut shape_item = |item: &Item| {
            let style = Style { face: item.face, script: item.script, right_to_left };
            let start = item.bytes.start.max(run.start);
            let text = &self.text[start..item.bytes.end.min(run.end)];
            let mut shape_word = |word: Range<usize>| {
                let at = (start + word.start) as u32;
                shaper.shape(fonts.face(item.face), style, &text[word], at, line);
            };
            if right_to_left {
                // The last word stands leftmost.
                let mut end = text.len();
                while end > 0 {
                    let word = word_start(&text[..end]);
                    shape_word(word..end);
                    end = word;
                }
            } else {
                let mut at = 0;
                while at < text.len() {
                    let end = at + word_len(&text[at..]);
                    shape_word(at..end);
                    at = end;
                }
            }
        };
        let items = &self.items[first..last];
        if right_to_left {
            items.iter().rev().for_each(&mut shape_item);
        } else {
            items.iter().for_each(&mut shape_item);
        }
    }
}

/// The length of the first word of `text`, the spaces behind it included.
fn word_len(text: &str) -> usize {
    let bytes = text.as_bytes();
    let ends = |at: usize| bytes[at - 1] == b' ' && bytes[at] != b' ';
    (1..bytes.len()).find(|&at| ends(at)).unwrap_or(bytes.len())
}

/// The start of the last word of `text`, words being cut as `word_len` does.
fn word_start(text: &str) -> usize {
    let bytes = text.as_bytes();
    let ends = |at: usize| bytes[at - 1] == b' ' && bytes[at] != b' ';
    (1..bytes.len()).rev().find(|&at| ends(at)).unwrap_or(0)
}

fn width(line: &[ShapedGlyph]) -> i32 {
    line.iter().fold(0, |width: i32, glyph| width.saturating_add(glyph.advance))
}

impl Breaks {
    /// `line` is the whole of `text`, shaped.
    fn new(text: &str, line: &[ShapedGlyph]) -> Self {
        let mut width_before = vec![0_i32; text.len() + 1];
        for glyph in line {
            let behind = &mut width_before[glyph.cluster as usize + 1];
            *behind = behind.saturating_add(glyph.advance);
        }
        let mut sum = 0_i32;
        for width in &mut width_before {
            sum = sum.saturating_add(*width);
            *width = sum;
        }
        // By dictionary, since the models that compete with it compute in floats.
        let segmenter = LineSegmenter::new_dictionary(LineBreakOptions::default());
        let (parting, opportunities) =
            segmenter.segment_str(text).skip(1).partition(|&end| parts_what_belongs_together(text, end));
        let graphemes = text.grapheme_indices(true).map(|(start, cluster)| start + cluster.len()).collect();
        Self { width_before, opportunities, parting, graphemes }
    }
}

/// Signs that separate the words beside them. A line ends with one, and begins with none.
const SEPARATORS: [&str; 5] = ["·", "•", "|", "–", "—"];

/// Units that are written in letters.
const UNITS: [&str; 13] = ["EUR", "CHF", "USD", "GBP", "mm", "cm", "m", "km", "g", "kg", "ml", "l", "pcs"];

/// The space before byte `end` stands before a separator, or between a number and its unit.
fn parts_what_belongs_together(text: &str, end: usize) -> bool {
    let (before, after) = text.split_at(end);
    if !before.ends_with(' ') {
        return false;
    }
    let left = before.split_whitespace().next_back().unwrap_or_default();
    let right = after.split_whitespace().next().unwrap_or_default();
    let is_sign =
        |character: char| matches!(character, '$' | '£' | '¥' | '%' | '‰' | '°' | '\u{20a0}'..='\u{20cf}');
    let is_unit = |word: &str| {
        word.starts_with(is_sign)
            || UNITS.contains(&word.trim_end_matches(|end: char| end.is_ascii_punctuation()))
    };
    let ends_number = left.ends_with(char::is_numeric);
    let begins_number = right.starts_with(char::is_numeric);
    SEPARATORS.contains(&right) || (ends_number && is_unit(right)) || (is_unit(left) && begins_number)
}
