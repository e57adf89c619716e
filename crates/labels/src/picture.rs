//! The picture of an item as it stands on a label: the look of its code, and its size.

use std::sync::Arc;

use qrpress_batch::{BatchError, RenderStyle};
use qrpress_image::{Colour, PlacedLogo, Style, image_side_px};
use qrpress_logo::Logo;
use qrpress_symbol::Version;

use crate::{LabelError, Labels};

/// The quiet zone of ISO/IEC 18004, clause 6.3.8, which a label never has less of.
const LEAST_QUIET_ZONE_MODULES: u8 = 4;

/// The look of a job's codes on labels.
pub(crate) struct Look {
    /// The job's style, with a quiet zone that is whole.
    pub settings: RenderStyle,
    pub style: Style,
    pub logo: Option<PlacedLogo<Arc<Logo>>>,
}

impl Look {
    pub fn new(style: &RenderStyle) -> Result<Self, LabelError> {
        let corrupt = |reason| LabelError::Batch(BatchError::CorruptSpool { offset: 0, reason });
        let quiet_zone_modules = style.quiet_zone_modules.max(LEAST_QUIET_ZONE_MODULES);
        let settings = RenderStyle { quiet_zone_modules, ..style.clone() };
        let picture = Style::new(
            settings.pixels_per_module.into(),
            quiet_zone_modules.into(),
            settings.foreground,
            settings.background,
        );
        let logo = settings.logo.as_ref().map(|logo| {
            let decoded = Logo::shared(&logo.data_url).map_err(|_| corrupt("a logo that is no picture"))?;
            Ok::<_, LabelError>(PlacedLogo {
                logo: decoded,
                ratio_millionths: logo.ratio_millionths,
                level: settings.error_correction_level,
            })
        });
        Ok(Self {
            style: picture.map_err(|_| corrupt("settings that no style has"))?,
            logo: logo.transpose()?,
            settings,
        })
    }

    /// The paint behind the code; none where the paper shows. White is the paper's.
    pub fn backdrop(&self) -> Option<[u8; 3]> {
        match self.style.background() {
            Colour::Rgb(rgb) if rgb != [255; 3] => Some(rgb),
            _ => None,
        }
    }

    /// The colour of the painted modules.
    pub fn paint(&self) -> [u8; 3] {
        match (self.style.foreground(), self.style.background()) {
            (Colour::Rgb(rgb), _) | (_, Colour::Rgb(rgb)) => rgb,
            _ => [0; 3],
        }
    }

    /// Returns true if the light modules are painted, and not the dark ones.
    pub fn is_flipped(&self) -> bool {
        self.style.foreground() == Colour::Transparent
    }
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
        let symbol_px = modules * style.pixels_per_module();
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
