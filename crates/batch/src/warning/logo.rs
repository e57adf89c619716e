//! The sentences about logos: they hide too much of a symbol, or are cut off so that they do not.

use std::sync::Arc;

use qrpress_image::{LogoPlacement, PlacedLogo};
use qrpress_logo::{Logo, Outline};
use qrpress_symbol::{ErrorCorrectionLevel, Version};

use super::group::Group;
use crate::ResolvedStyle;

/// The smallest logo, in percent of the symbol's edge.
const LEAST_PERCENT: u32 = 5;
const MILLIONTHS_PER_CENT: u32 = 10_000;

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

/// Codes of a person's list in which the logo does not look whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CutLogo {
    /// One or two sentences for people.
    pub message: String,
    /// Number of these codes.
    pub items: u64,
    /// Indices of the first hundred of them.
    pub listed: Vec<u64>,
}

/// The codes in which the logo is cut off, so that it does not hide too much.
pub(super) struct CutLogoCheck<'s> {
    style: &'s ResolvedStyle,
    logo: &'s PlacedLogo<Arc<Logo>>,
    /// By version number less 1, of the versions that occur.
    is_cut_off: [Option<bool>; Version::MAX.number() as usize],
    cut: Option<Group>,
}

impl<'s> CutLogoCheck<'s> {
    /// None where the style has no logo.
    pub fn new(style: &'s ResolvedStyle) -> Option<Self> {
        Some(Self { style, logo: style.logo.as_ref()?, is_cut_off: [None; _], cut: None })
    }

    /// Takes note of the next item.
    pub fn add(&mut self, index: u64, data: &str, version: Version) {
        if self.is_cut_off(version) {
            Group::add(&mut self.cut, index, || data.to_owned());
        }
    }

    /// Takes in the items of the part of the job that follows.
    pub fn append(&mut self, later: Self) {
        let known = self.is_cut_off.iter_mut().zip(later.is_cut_off);
        known.for_each(|(is_cut_off, later)| *is_cut_off = is_cut_off.or(later));
        Group::append(&mut self.cut, later.cut);
    }

    fn is_cut_off(&mut self, version: Version) -> bool {
        let index = usize::from(version.number()) - 1;
        self.is_cut_off[index].unwrap_or_else(|| {
            let placement = self.placement(version, self.style.level, self.logo.ratio_millionths);
            let is_cut_off = placement.is_cut_off(self.logo.logo.outline())
                && !placement.hides_too_much(version, self.style.level);
            *self.is_cut_off[index].insert(is_cut_off)
        })
    }

    /// The sentences about a job of `total` items, with its size as in [`WarningCounter::sides`](super::WarningCounter::sides).
    pub fn finish(mut self, size: Option<(Version, &str)>, total: u64) -> Option<CutLogo> {
        if let Some((version, data)) = size {
            self.is_cut_off = [None; _];
            self.cut = self.is_cut_off(version).then(|| Group {
                items: total,
                listed: vec![0],
                words: data.to_owned(),
            });
        }
        let Group { items, listed, words } = self.cut.take()?;
        let mut ways: Vec<String> = Vec::new();
        let levels = ErrorCorrectionLevel::ALL.iter().filter(|&&level| level as u8 > self.style.level as u8);
        let shows_whole = |&&level: &&ErrorCorrectionLevel| {
            let version = self.style.version_at(level, words.as_bytes());
            version.is_some_and(|version| self.shows_whole(version, level, self.logo.ratio_millionths))
        };
        ways.extend(levels.filter(shows_whole).map(|&level| format!("ecLevel {}", letter(level))).next());
        let versions = (1..=Version::MAX.number()).filter_map(Version::new).zip(self.is_cut_off);
        let versions: Vec<Version> =
            versions.filter_map(|(version, is_cut_off)| is_cut_off.map(|_| version)).collect();
        let smaller = (LEAST_PERCENT..self.logo.ratio_millionths.div_ceil(MILLIONTHS_PER_CENT)).rev();
        let shows_whole = |percent: &u32| {
            let ratio_millionths = percent * MILLIONTHS_PER_CENT;
            versions.iter().all(|&version| self.shows_whole(version, self.style.level, ratio_millionths))
        };
        ways.extend(smaller.filter(shows_whole).map(|percent| format!("a logo of {percent} %")).next());
        let advice = if ways.is_empty() {
            String::new()
        } else {
            format!(" To show all of it, use {}.", ways.join(", or "))
        };
        let message = format!("The edge of the logo is cut off, so that it does not hide too much.{advice}");
        Some(CutLogo { message, items, listed })
    }

    fn shows_whole(&self, version: Version, level: ErrorCorrectionLevel, ratio_millionths: u32) -> bool {
        let placement = self.placement(version, level, ratio_millionths);
        !placement.is_cut_off(self.logo.logo.outline()) && !placement.hides_too_much(version, level)
    }

    fn placement(
        &self,
        version: Version,
        level: ErrorCorrectionLevel,
        ratio_millionths: u32,
    ) -> LogoPlacement {
        LogoPlacement::new(&self.style.picture, version, level, self.logo.logo.outline(), ratio_millionths)
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
