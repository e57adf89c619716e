//! The warnings that concern every item of a style.

use qrpress_image::{Colour, Style};

use super::kind::WarningCode;
use crate::ResolvedStyle;

/// The least contrast of foreground and background that scanners need: 3 to 1.
const LEAST_CONTRAST_HUNDREDTHS: u32 = 300;
/// The quiet zone of ISO/IEC 18004, clause 6.3.8.
const QUIET_ZONE_MODULES: u32 = 4;
/// The least side of a module in print.
const LEAST_MODULE_MICROMETRES: u64 = 250;
pub(super) const MICROMETRES_PER_INCH: u64 = 25_400;

/// A contrast with one decimal.
fn ratio(hundredths: u32) -> String {
    format!("{}.{}:1", hundredths / 100, hundredths % 100 / 10)
}

/// The warnings that concern every item of a style.
pub(super) fn style_warnings(style: &ResolvedStyle) -> Vec<(WarningCode, String)> {
    // All members by name: the compiler asks what becomes of a new one.
    let &Style {
        pixels_per_module,
        quiet_zone_modules,
        foreground,
        background,
        caption_colour: _,
        dots_per_inch,
    } = &style.picture;
    let mut warnings = Vec::new();
    let contrast = foreground.contrast_hundredths(background);
    if contrast < LEAST_CONTRAST_HUNDREDTHS {
        let message = format!(
            "The contrast of foreground and background is {}; scanners need at least 3:1.",
            ratio(contrast)
        );
        warnings.push((WarningCode::LowContrast, message));
    }
    if foreground.luminance() > background.luminance() {
        let message = "The foreground is lighter than the background; many scanners read only dark codes on a light background.";
        warnings.push((WarningCode::LightOnDark, message.to_owned()));
    }
    let [foreground, background] =
        [foreground, background].map(|colour| Colour::Rgb([colour.on_paper()[0]; 3]));
    let contrast = foreground.contrast_hundredths(background);
    if contrast < LEAST_CONTRAST_HUNDREDTHS {
        let message = format!(
            "In red light the contrast of foreground and background is {}. Laser scanners and many industrial ones see no other light, and need at least 3:1.",
            ratio(contrast)
        );
        warnings.push((WarningCode::LowContrastInRedLight, message));
    }
    if quiet_zone_modules < QUIET_ZONE_MODULES {
        let noun = if quiet_zone_modules == 1 { "module" } else { "modules" };
        let message = format!(
            "The quiet zone is {quiet_zone_modules} {noun} wide; scanners need {QUIET_ZONE_MODULES}."
        );
        warnings.push((WarningCode::SmallQuietZone, message));
    }
    if let Some(dots) = dots_per_inch.map(u64::from) {
        let module = u64::from(pixels_per_module) * MICROMETRES_PER_INCH;
        if module < LEAST_MODULE_MICROMETRES * dots {
            let micrometres = module / dots;
            let message = format!(
                "In print a module is 0.{micrometres:03} mm wide; scanners need at least 0.{LEAST_MODULE_MICROMETRES:03} mm."
            );
            warnings.push((WarningCode::SmallModules, message));
        }
    }
    warnings
}
