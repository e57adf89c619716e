//! Captions in letters that are not wider than their picture.

use crate::{Coverage, TextLayout, Typesetter};

/// The number of times that letters are made smaller. The first makes a caption fit, but for what rounding adds.
const MAX_STEPS: usize = 4;

/// A typesetter that sets a caption in smaller letters where a single grapheme would be wider than the image.
pub struct FittingTypesetter {
    usual: Typesetter,
    /// That of the latest caption that needed one: the same caption often comes again.
    smaller: Option<Typesetter>,
    is_smaller: bool,
}

impl FittingTypesetter {
    /// Captions are set by `usual`, or as by it in smaller letters.
    pub fn new(usual: Typesetter) -> Self {
        Self { usual, smaller: None, is_smaller: false }
    }

    /// Lays `text` out in an image of `width_px` pixels, as [`Typesetter::lay_out`] does.
    pub fn lay_out(&mut self, text: &str, width_px: u32) -> &TextLayout {
        self.is_smaller = false;
        self.usual.lay_out(text, width_px);
        for _ in 0..MAX_STEPS {
            let latest = self.latest();
            if !latest.layout().is_cut() || latest.font_size_px() == 1 {
                break;
            }
            let size_px = latest.fitting_size_px();
            let kept = self.smaller.take().filter(|kept| kept.font_size_px() == size_px);
            let smaller = self.smaller.insert(kept.unwrap_or_else(|| self.usual.resized(size_px)));
            smaller.lay_out(text, width_px);
            self.is_smaller = true;
        }
        self.latest().layout()
    }

    /// The font size of the latest layout, in pixels per em.
    pub fn font_size_px(&mut self) -> u32 {
        self.latest().font_size_px()
    }

    /// A height in pixels that the caption does not pass in any width.
    pub fn height_bound(&self, text: &str) -> u32 {
        // Smaller letters make no more lines, and lower ones.
        self.usual.height_bound(text)
    }

    /// The latest layout as coverage of the band, in `out`.
    pub fn rasterise(&mut self, out: &mut Coverage) {
        self.latest().rasterise(out);
    }

    /// Appends the latest layout to `out` as [`Typesetter::outline`] does.
    pub fn outline(&mut self, top_px: u32, out: &mut Vec<u8>) {
        self.latest().outline(top_px, out);
    }

    fn latest(&mut self) -> &mut Typesetter {
        match &mut self.smaller {
            Some(smaller) if self.is_smaller => smaller,
            _ => &mut self.usual,
        }
    }
}
