//! The picture of an item as it stands on a label: its style, and its size.

use qrpress_batch::{ResolvedStyle, SpoolHeader};
use qrpress_image::{Style, image_side_px};
use qrpress_symbol::Version;

use crate::{LabelError, Labels};

/// The quiet zone of ISO/IEC 18004, clause 6.3.8, which a label never has less of.
const LEAST_QUIET_ZONE_MODULES: u32 = 4;

/// The style of a job on labels.
pub(crate) fn style_on_labels(job: &SpoolHeader) -> Result<ResolvedStyle, LabelError> {
    Ok(ResolvedStyle::new(job)?.with_least_quiet_zone(LEAST_QUIET_ZONE_MODULES))
}

/// The size of a code with its quiet zone and caption, in pixels of the job's pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extent {
    /// Modules of an edge of the symbol.
    pub modules: u32,
    /// The edge of the symbol.
    pub symbol_px: u32,
    pub width_px: u32,
    pub height_px: u32,
}

/// A scale: so many micrometres are so many pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scale {
    pub um: u64,
    pub px: u64,
}

impl Extent {
    pub fn new(style: &Style, version: Version, caption_px: u32) -> Self {
        let width_px = image_side_px(style, version);
        let modules = version.size() as u32;
        let symbol_px = modules * style.pixels_per_module;
        Self { modules, symbol_px, width_px, height_px: width_px + caption_px }
    }

    /// The largest scale at which it lies on a label.
    pub fn largest(&self, label_um: [u32; 2]) -> Scale {
        let [width, height] = label_um.map(u64::from);
        if width * u64::from(self.height_px) <= height * u64::from(self.width_px) {
            Scale { um: width, px: self.width_px.into() }
        } else {
            Scale { um: height, px: self.height_px.into() }
        }
    }

    /// The scale at which it is drawn.
    pub fn scale(&self, labels: &Labels) -> Scale {
        match labels.size_um {
            Some(edge) => Scale { um: edge.into(), px: self.symbol_px.into() },
            None => self.largest(labels.sheet.label_um),
        }
    }
}
