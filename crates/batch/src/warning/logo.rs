//! The warning about a logo that hides too much of a symbol.

use qrpress_image::{LogoPlacement, PlacedLogo};
use qrpress_logo::Outline;
use qrpress_symbol::{ErrorCorrectionLevel, Version};

use crate::ResolvedStyle;

/// The versions in which a logo hides too much.
pub(super) struct LogoCheck<'s> {
    style: &'s ResolvedStyle,
    outline: Outline,
    ratio_millionths: u32,
    /// By version number less 1.
    too_much: [bool; Version::MAX.number() as usize],
}

impl<'s> LogoCheck<'s> {
    /// None where the logo hides too much in no version.
    pub fn new(style: &'s ResolvedStyle) -> Option<Self> {
        let &PlacedLogo { ref logo, ratio_millionths, level: _ } = style.logo.as_ref()?;
        // A whole rectangle hides most. Where that much does no harm, nobody has to look at the outline.
        let outline = Outline::of_rectangle(logo.size_px());
        let mut check = Self { style, outline, ratio_millionths, too_much: [true; _] };
        check.look();
        if check.too_much.contains(&true) {
            check.outline = logo.outline().clone();
            check.look();
        }
        check.too_much.contains(&true).then_some(check)
    }

    /// Looks again at the versions in which the logo hides too much so far.
    fn look(&mut self) {
        for number in 1..=Version::MAX.number() {
            let index = usize::from(number) - 1;
            self.too_much[index] = self.too_much[index]
                && Version::new(number).is_some_and(|version| self.hides_too_much(version, self.style.level));
        }
    }

    /// Returns true if some block has less than a quarter of its error correction left.
    fn hides_too_much(&self, version: Version, level: ErrorCorrectionLevel) -> bool {
        LogoPlacement::new(&self.style.picture, version, level, &self.outline, self.ratio_millionths)
            .hides_too_much(version, level)
    }

    #[inline]
    pub fn covers_too_much(&self, version: Version) -> bool {
        self.too_much[usize::from(version.number()) - 1]
    }

    pub fn message(&self, first_data: &str) -> String {
        let own_level = self.style.level;
        let would_do = |level: &ErrorCorrectionLevel| {
            let version = self.style.version_at(*level, first_data.as_bytes());
            version.is_some_and(|version| !self.hides_too_much(version, *level))
        };
        let levels: Vec<&str> = ErrorCorrectionLevel::ALL
            .iter()
            .filter(|&&level| level as u8 > own_level as u8)
            .filter(|level| would_do(level))
            .map(|&level| letter(level))
            .collect();
        let advice = if levels.is_empty() {
            "Make it smaller.".to_owned()
        } else {
            format!("Use {}, or make it smaller.", levels.join(" or "))
        };
        format!("The logo is too large for ecLevel {}. {advice}", letter(own_level))
    }
}

/// The name of a level in the contract.
pub(crate) fn letter(level: ErrorCorrectionLevel) -> &'static str {
    match level {
        ErrorCorrectionLevel::Low => "L",
        ErrorCorrectionLevel::Medium => "M",
        ErrorCorrectionLevel::Quartile => "Q",
        ErrorCorrectionLevel::High => "H",
    }
}
