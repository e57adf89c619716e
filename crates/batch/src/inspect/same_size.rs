//! The one size of a job whose symbols are all the same version.

use qrpress_image::image_side_px;
use qrpress_json::ValuePlace;
use qrpress_symbol::Version;

use crate::ResolvedStyle;

/// The item that needs the largest version, and the room that captions take below the codes.
#[derive(Debug)]
pub(super) struct SameSize {
    pub version: Version,
    /// The data of the item that sets the size, the first that needs the version, and its place.
    pub data: String,
    pub place: ValuePlace,
    /// A height that no caption of the job passes, in pixels.
    pub caption_bound_px: u32,
}

impl SameSize {
    /// Takes note of the next item. `place` is that of its data.
    #[inline]
    pub fn add(
        size: &mut Option<Self>,
        version: Version,
        data: &str,
        caption_bound_px: u32,
        place: impl FnOnce() -> ValuePlace,
    ) {
        let bound_px = size.as_ref().map_or(0, |size| size.caption_bound_px).max(caption_bound_px);
        match size {
            Some(size) if size.version >= version => size.caption_bound_px = bound_px,
            _ => {
                let data = data.to_owned();
                *size = Some(Self { version, data, place: place(), caption_bound_px: bound_px });
            }
        }
    }

    /// Returns true if the pictures are not too high, whatever the captions are.
    pub fn surely_fits(&self, style: &ResolvedStyle, max_side_px: u32) -> bool {
        image_side_px(&style.picture, self.version).saturating_add(self.caption_bound_px) <= max_side_px
    }

    /// The size of a job of two parts.
    pub fn of_both(earlier: Option<Self>, later: Option<Self>) -> Option<Self> {
        let (Some(earlier), Some(later)) = (&earlier, &later) else { return earlier.or(later) };
        let caption_bound_px = earlier.caption_bound_px.max(later.caption_bound_px);
        let larger = if later.version > earlier.version { later } else { earlier };
        Some(Self { caption_bound_px, data: larger.data.clone(), place: larger.place.clone(), ..*larger })
    }
}
