//! The place of a code and its caption on a label, in nanometres: below one another, or side by side.

use std::sync::Arc;

use qrpress_batch::{FontSet, ResolvedStyle};
use qrpress_symbol::Version;
use qrpress_text::Alignment;

use crate::caption::{CaptionLines, Lines, UNITS_PER_EM};
use crate::{CaptionPlace, Labels};

/// The least size of letters that people read, in tenths of a point.
const LEAST_SIZE: u32 = 70;
/// The distance between two sizes that are tried.
const SIZE_STEP: u32 = 5;
/// The sizes of letters beside a code: 7 to 12 points.
const SIZES: u32 = 11;

/// The room that a caption keeps free at the edges of its label.
const CLEAR_NM: u64 = 1_000_000;

/// The least part of its size that a code keeps for the sake of a long word, in hundredths.
const LEAST_SHARE: u32 = 85;
/// The smaller codes.
const SHARES: u32 = 100 - LEAST_SHARE;

/// The steps of a caption. Beside its code: letters of 7 points beside 85 % of the code that is as high as the label, 86 %, and so on to
/// 100 %, then letters of 7.5 points, 8, and so on to 12. Below its code: letters of 7 points, 7.5, and so on; the last step is all
/// larger ones.
pub const STEPS: u32 = SHARES + SIZES;

/// The module below which the host refuses labels, `labelModuleMm.minimum` of `src/contract/limits.ts`.
pub(crate) const LEAST_MODULE_NM: u64 = 250_000;

/// A caption on a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CaptionPlacement {
    /// The size of letters.
    pub em_nm: u64,
    /// From the label's corner to that of the caption's band.
    pub corner_nm: [i64; 2],
    /// The width of the band in [`UNITS_PER_EM`].
    pub width: u32,
    pub alignment: Alignment,
    /// The corners of its text, from the label's corner.
    pub text_nm: [[i64; 2]; 2],
}

impl CaptionPlacement {
    /// The caption in a band of `width` [`UNITS_PER_EM`].
    fn new(laid_out: &Lines, em_nm: u64, corner_nm: [i64; 2], width: u32, alignment: Alignment) -> Self {
        let at = |units: [u32; 2]| [0, 1].map(|axis| corner_nm[axis] + length(units[axis], em_nm) as i64);
        let [left, right] = laid_out.sides;
        let bottom = laid_out.top_gap + laid_out.text_height();
        let text_nm = [at([left, laid_out.top_gap]), at([right, bottom])];
        Self { em_nm, corner_nm, width, alignment, text_nm }
    }
}

/// A code with its quiet zone, and its caption, on a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Placement {
    /// The edge of a module.
    pub module_nm: u64,
    /// The edge of a module of the largest code for which there is room.
    pub largest_module_nm: u64,
    /// The edge of a module without the caption.
    pub bare_module_nm: u64,
    /// From the label's corner to that of the quiet zone.
    pub corner_nm: [i64; 2],
    /// The part of the label that has the background's colour: from corner to corner.
    pub field_nm: [[i64; 2]; 2],
    pub caption: Option<CaptionPlacement>,
    /// The caption finds no room.
    pub lacks_room: bool,
    /// A line of the caption ends inside a word.
    pub breaks_words: bool,
    /// The step of a caption whose size is not given.
    pub step: Option<u32>,
}

impl Placement {
    /// The corners of what is printed, from the label's corner: the symbol without its quiet zone, and the text of the caption.
    pub fn printed_nm(&self, version: Version, quiet_zone_modules: u32) -> [[i64; 2]; 2] {
        let from = self.corner_nm.map(|edge| edge + (u64::from(quiet_zone_modules) * self.module_nm) as i64);
        let symbol = [from, from.map(|edge| edge + (version.size() as u64 * self.module_nm) as i64)];
        match self.caption {
            Some(caption) => around(symbol, caption.text_nm),
            None => symbol,
        }
    }
}

/// The corners of the rectangle around two others.
pub(crate) fn around(one: [[i64; 2]; 2], other: [[i64; 2]; 2]) -> [[i64; 2]; 2] {
    let both = |corner: usize, choose: fn(i64, i64) -> i64| {
        [0, 1].map(|axis| choose(one[corner][axis], other[corner][axis]))
    };
    [both(0, i64::min), both(1, i64::max)]
}

/// Places the codes of items, those with the caption and the version of the one before like that.
pub(crate) struct Placer<'a> {
    labels: &'a Labels,
    style: &'a ResolvedStyle,
    pub lines: CaptionLines,
    caption: String,
    placed: Option<(Version, Placement)>,
}

impl<'a> Placer<'a> {
    pub fn new(labels: &'a Labels, style: &'a ResolvedStyle, fonts: &Arc<FontSet>) -> Self {
        Self { labels, style, lines: CaptionLines::new(fonts), caption: String::new(), placed: None }
    }

    /// Places the code of an item.
    pub fn place(&mut self, version: Version, caption: &str) -> Placement {
        match self.placed {
            Some((of_version, placement)) if of_version == version && self.caption == caption => placement,
            _ => {
                let placement = place(self.labels, self.style, version, caption, &mut self.lines);
                self.caption.clear();
                self.caption.push_str(caption);
                self.placed = Some((version, placement));
                placement
            }
        }
    }
}

fn place(
    labels: &Labels,
    style: &ResolvedStyle,
    version: Version,
    caption: &str,
    lines: &mut CaptionLines,
) -> Placement {
    let modules = version.size() as u64;
    let mut label = Label {
        size_nm: labels.sheet.label_um.map(|side| u64::from(side) * 1000),
        picture_modules: modules + 2 * u64::from(style.picture.quiet_zone_modules),
        given_module_nm: labels.size_um.map(|edge| u64::from(edge) * 1000 / modules),
        given_em_nm: labels.caption_size.map(em_nm),
        largest_step: labels.largest_step,
        limit_nm: labels.largest_um.map_or(u64::MAX, |edge| u64::from(edge) * 1000 / modules),
    };
    // A code that is larger than its label is refused. How large it may be depends on where the caption of the largest one stands.
    let most = label.largest_module_nm(label.size_nm[1]);
    label.given_module_nm = label.given_module_nm.map(|given| given.min(most));
    if caption.trim().is_empty() || labels.caption == CaptionPlace::Nowhere {
        return label.with_code_only();
    }
    if labels.caption == CaptionPlace::Below {
        return label.with_caption_below(style, caption, lines);
    }
    let beside = label.with_caption_beside(caption, lines);
    beside.unwrap_or_else(|| Placement { lacks_room: true, ..label.with_code_only() })
}

/// A length of so many tenths of a point.
fn em_nm(size: u32) -> u64 {
    u64::from(size) * 25_400_000 / 720
}

/// A label, and what the request says about codes on it.
struct Label {
    size_nm: [u64; 2],
    /// Modules of the edge of a code with its quiet zone.
    picture_modules: u64,
    given_module_nm: Option<u64>,
    given_em_nm: Option<u64>,
    largest_step: u32,
    /// The edge of a module that is not exceeded where none is given.
    limit_nm: u64,
}

impl Label {
    /// The edge of a module of the largest code in so much of the label's height.
    fn largest_module_nm(&self, height_nm: u64) -> u64 {
        self.size_nm[0].min(height_nm) / self.picture_modules
    }

    fn module_nm(&self, height_nm: u64) -> u64 {
        self.given_module_nm.unwrap_or_else(|| self.largest_module_nm(height_nm).min(self.limit_nm))
    }

    fn with_code_only(&self) -> Placement {
        self.with_code_of(self.module_nm(self.size_nm[1]))
    }

    fn with_code_of(&self, module_nm: u64) -> Placement {
        let side = module_nm * self.picture_modules;
        let corner_nm = self.size_nm.map(|edge| half(edge, side));
        Placement {
            module_nm,
            largest_module_nm: self.largest_module_nm(self.size_nm[1]),
            bare_module_nm: self.module_nm(self.size_nm[1]),
            corner_nm,
            field_nm: [corner_nm, corner_nm.map(|from| from + side as i64)],
            caption: None,
            lacks_room: false,
            breaks_words: false,
            step: None,
        }
    }

    /// The code at the left edge of the label, as high as that, and the caption in the middle of the rest: the largest step at which
    /// no word breaks. None where the caption finds no room.
    fn with_caption_beside(&self, caption: &str, lines: &mut CaptionLines) -> Option<Placement> {
        let largest_nm = self.largest_module_nm(self.size_nm[1]);
        let mut at = |step: u32| {
            let share = u64::from((LEAST_SHARE + step).min(100));
            // No smaller than it can be read.
            let shared_nm = (largest_nm * share / 100).max(largest_nm.min(LEAST_MODULE_NM));
            let module_nm = self.given_module_nm.unwrap_or(shared_nm.min(self.limit_nm));
            self.beside_code_of(module_nm, step.max(SHARES), caption, lines)
        };
        let is_whole = |placed: &Placement| !placed.breaks_words;
        let largest = at(self.largest_step);
        if self.given_module_nm.is_some() || largest.as_ref().is_some_and(is_whole) {
            return largest;
        }
        let mut found = at(0).filter(is_whole);
        let mut steps = 0..self.largest_step.min(SHARES);
        while found.is_some() && steps.start + 1 < steps.end {
            let middle = steps.start.midpoint(steps.end);
            match at(middle).filter(is_whole) {
                Some(larger) => (found, steps.start) = (Some(larger), middle),
                None => steps.end = middle,
            }
        }
        found.map(|placed| Placement { step: Some(steps.start), ..placed }).or(largest)
    }

    fn beside_code_of(
        &self,
        module_nm: u64,
        most: u32,
        caption: &str,
        lines: &mut CaptionLines,
    ) -> Option<Placement> {
        let [width, height] = self.size_nm;
        let bare = self.with_code_of(module_nm);
        let side = bare.module_nm * self.picture_modules;
        let room = [width.checked_sub(side + CLEAR_NM)?, height.checked_sub(2 * CLEAR_NM)?];
        let mut lay_out = |em_nm: u64| {
            let units = units(room[0], em_nm);
            let laid_out = lines.lay_out(caption, units, Alignment::Start);
            let fits = !laid_out.overflows && length(laid_out.text_height(), em_nm) <= room[1];
            fits.then_some((em_nm, laid_out))
        };
        let (step, (em_nm, laid_out)) = match self.given_em_nm {
            Some(given) => (SHARES, lay_out(given)?),
            None => largest_step(most, &mut lay_out)?,
        };
        let text_nm = length(laid_out.text_height(), em_nm);
        let top = half(height, text_nm);
        let field = (text_nm + 2 * CLEAR_NM).max(side);
        let field_top = half(height, field);
        Some(Placement {
            corner_nm: [0, half(height, side)],
            field_nm: [[0, field_top], [width as i64, field_top + field as i64]],
            caption: Some(CaptionPlacement::new(
                &laid_out,
                em_nm,
                [side as i64, top - length(laid_out.top_gap, em_nm) as i64],
                units(room[0], em_nm),
                Alignment::Start,
            )),
            breaks_words: laid_out.breaks_words,
            step: Some(step),
            ..bare
        })
    }

    /// The caption below the code: as in the job's pictures if people can read it in that size and no word breaks, else across the
    /// label.
    fn with_caption_below(
        &self,
        style: &ResolvedStyle,
        caption: &str,
        lines: &mut CaptionLines,
    ) -> Placement {
        if let Some(given) = self.given_em_nm {
            return self.with_caption_across(given, caption, lines);
        }
        let placed = self.with_caption_of_own_size(style, caption, lines);
        let step = placed.caption.map(|caption| step_below(caption.em_nm));
        Placement { step, ..placed }
    }

    fn with_caption_of_own_size(
        &self,
        style: &ResolvedStyle,
        caption: &str,
        lines: &mut CaptionLines,
    ) -> Placement {
        let like_pictures = self.like_pictures(style, caption, lines);
        let like_nm = like_pictures.caption.map_or(0, |caption| caption.em_nm);
        if like_nm < em_nm(LEAST_SIZE) {
            return self.with_caption_across(em_nm(LEAST_SIZE), caption, lines);
        }
        let limit_nm = em_nm(LEAST_SIZE + self.largest_step * SIZE_STEP);
        if self.largest_step + 1 < STEPS && like_nm > limit_nm {
            let limited = self.with_caption_across(limit_nm, caption, lines);
            if !limited.lacks_room && !limited.breaks_words && limited.module_nm >= like_pictures.module_nm {
                return limited;
            }
        }
        if !like_pictures.breaks_words {
            return like_pictures;
        }
        let least_nm = (like_pictures.module_nm * u64::from(LEAST_SHARE) / 100).max(LEAST_MODULE_NM);
        let mut across = [like_nm, em_nm(LEAST_SIZE)]
            .into_iter()
            .map(|size| self.with_caption_across(size, caption, lines));
        let whole = across.find(|below| {
            let has_room = (least_nm..=below.largest_module_nm).contains(&below.module_nm);
            has_room && !below.lacks_room && !below.breaks_words
        });
        whole.unwrap_or(like_pictures)
    }

    /// The caption below the code, across the label.
    fn with_caption_across(&self, em_nm: u64, caption: &str, lines: &mut CaptionLines) -> Placement {
        let [width, height] = self.size_nm;
        let units = units(width.saturating_sub(2 * CLEAR_NM), em_nm);
        let laid_out = lines.lay_out(caption, units, Alignment::Centre);
        let band = length(laid_out.height, em_nm);
        let rest = height.saturating_sub(band);
        let module_nm = self.module_nm(rest);
        let side = module_nm * self.picture_modules;
        let top = half(height, side + band);
        Placement {
            module_nm,
            largest_module_nm: self.largest_module_nm(rest),
            bare_module_nm: self.module_nm(height),
            corner_nm: [half(width, side), top],
            field_nm: [[0, top], [width as i64, top + (side + band) as i64]],
            caption: Some(CaptionPlacement::new(
                &laid_out,
                em_nm,
                [CLEAR_NM.min(width / 2) as i64, top + side as i64],
                units,
                Alignment::Centre,
            )),
            lacks_room: laid_out.overflows,
            breaks_words: laid_out.breaks_words,
            step: None,
        }
    }

    /// The picture of the job, caption included, as large as the label allows.
    fn like_pictures(&self, style: &ResolvedStyle, caption: &str, lines: &mut CaptionLines) -> Placement {
        let [width, height] = self.size_nm;
        let (scale, font_px) = (u64::from(style.picture.pixels_per_module), u64::from(style.font_size_px));
        let side_px = self.picture_modules * scale;
        // Half the quiet zone, and at least a module, is free at each side.
        let margin_px = (u64::from(style.picture.quiet_zone_modules) * scale).div_ceil(2).max(scale);
        let units = ((side_px - 2 * margin_px) * u64::from(UNITS_PER_EM) / font_px) as u32;
        let laid_out = lines.lay_out(caption, units, Alignment::Centre);
        // In parts of a pixel.
        let parts = u64::from(UNITS_PER_EM);
        let height_parts = side_px * parts + u64::from(laid_out.height) * font_px;
        let largest_module_nm = (width * scale / side_px).min(height * scale * parts / height_parts);
        let module_nm = self.given_module_nm.unwrap_or(largest_module_nm.min(self.limit_nm));
        let side = module_nm * self.picture_modules;
        let em_nm = module_nm * font_px / scale;
        let band = length(laid_out.height, em_nm);
        let corner_nm = [half(width, side), half(height, side + band)];
        let margin = module_nm * margin_px / scale;
        Placement {
            module_nm,
            largest_module_nm,
            bare_module_nm: self.module_nm(height),
            corner_nm,
            field_nm: [corner_nm, [corner_nm[0] + side as i64, corner_nm[1] + (side + band) as i64]],
            caption: Some(CaptionPlacement::new(
                &laid_out,
                em_nm,
                [corner_nm[0] + margin as i64, corner_nm[1] + side as i64],
                units,
                Alignment::Centre,
            )),
            lacks_room: false,
            breaks_words: laid_out.breaks_words,
            step: None,
        }
    }
}

/// The step of letters below their code.
fn step_below(size_nm: u64) -> u32 {
    // Sizes are rounded down to nanometres.
    let size = ((size_nm + 1) * 720 / 25_400_000) as u32;
    (size.saturating_sub(LEAST_SIZE) / SIZE_STEP).min(STEPS - 1)
}

/// The largest step of a code of its size, up to one, at which the caption fits without a broken word, or the least one where it fits
/// only so.
fn largest_step(
    most: u32,
    lay_out: &mut impl FnMut(u64) -> Option<(u64, Lines)>,
) -> Option<(u32, (u64, Lines))> {
    let size = |step: u32| em_nm(LEAST_SIZE + (step - SHARES) * SIZE_STEP);
    let mut whole = |step: u32| {
        lay_out(size(step)).filter(|(_, laid_out)| !laid_out.breaks_words).map(|found| (step, found))
    };
    if let Some(largest) = whole(most) {
        return Some(largest);
    }
    let mut found = None;
    let mut steps = SHARES..most;
    while !steps.is_empty() {
        let middle = steps.start.midpoint(steps.end);
        match whole(middle) {
            Some(larger) => {
                found = Some(larger);
                steps.start = middle + 1;
            }
            None => steps.end = middle,
        }
    }
    found.or_else(|| Some((SHARES, lay_out(size(SHARES))?)))
}

/// Half of what `inner` leaves free of `outer`; negative where it is larger.
fn half(outer: u64, inner: u64) -> i64 {
    (outer as i64 - inner as i64).div_euclid(2)
}

/// The length in [`UNITS_PER_EM`], rounded down.
fn units(length_nm: u64, em_nm: u64) -> u32 {
    (length_nm * u64::from(UNITS_PER_EM) / em_nm.max(1)).min(u32::MAX.into()) as u32
}

/// The length of so many [`UNITS_PER_EM`].
fn length(units: u32, em_nm: u64) -> u64 {
    u64::from(units) * em_nm / u64::from(UNITS_PER_EM)
}
