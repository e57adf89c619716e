//! The sentences about logos: they hide too much of a symbol, or are cut off so that they do not.

use std::sync::Arc;

use qrpress_image::{LogoPlacement, PlacedLogo};
use qrpress_logo::{Logo, Outline};
use qrpress_symbol::{ErrorCorrectionLevel, Version};

use super::group::Group;
use super::kind::{Warning, WarningCode};
use crate::ResolvedStyle;

/// The smallest logo, in percent of the symbol's edge.
const LEAST_PERCENT: u32 = 5;
const MILLIONTHS_PER_CENT: u32 = 10_000;

/// How a logo looks in the codes of a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    Whole,
    /// Its edge is cut off, so that it does not hide too much.
    CutOff,
    /// Some block has less than a quarter of its error correction left.
    HidesTooMuch,
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

/// The codes in which the logo hides too much, or is cut off.
pub(super) struct LogoCheck<'s> {
    style: &'s ResolvedStyle,
    logo: &'s PlacedLogo<Arc<Logo>>,
    /// By version number less 1.
    looks: [Look; Version::MAX.number() as usize],
    /// All versions that occur.
    versions: Versions,
    too_large: Affected,
    cut_off: Affected,
}

impl<'s> LogoCheck<'s> {
    /// None where no version has anything to tell. `tells_cut`: also that the logo is cut off.
    pub fn new(style: &'s ResolvedStyle, tells_cut: bool) -> Option<Self> {
        let logo = style.logo.as_ref()?;
        let (too_large, cut_off) = (Affected::default(), Affected::default());
        let mut check =
            Self { style, logo, looks: [Look::Whole; _], versions: Versions::default(), too_large, cut_off };
        // A whole rectangle hides most. Where that much does no harm, nobody has to look at the outline.
        let rectangle = Outline::of_rectangle(logo.logo.size_px());
        for version in (1..=Version::MAX.number()).filter_map(Version::new) {
            let is_safe = !tells_cut && check.look_of(&rectangle, version, style.level) != Look::HidesTooMuch;
            let look = if is_safe { Look::Whole } else { check.look(version, style.level) };
            check.looks[index_of(version)] =
                if look == Look::CutOff && !tells_cut { Look::Whole } else { look };
        }
        check.looks.iter().any(|&look| look != Look::Whole).then_some(check)
    }

    fn look(&self, version: Version, level: ErrorCorrectionLevel) -> Look {
        self.look_of(self.logo.logo.outline(), version, level)
    }

    fn look_of(&self, outline: &Outline, version: Version, level: ErrorCorrectionLevel) -> Look {
        look_at(self.style, outline, self.logo.ratio_millionths, version, level)
    }

    /// Takes note of the next item.
    #[inline]
    pub fn add(&mut self, index: u64, data: &str, version: Version) {
        self.versions.add(Some(version));
        let affected = match self.looks[index_of(version)] {
            Look::Whole => return,
            Look::CutOff => &mut self.cut_off,
            Look::HidesTooMuch => &mut self.too_large,
        };
        affected.add(self.style, index, data);
    }

    /// Takes in the items of the part of the job that follows.
    pub fn append(&mut self, later: Self) {
        self.versions.append(later.versions);
        self.too_large.append(later.too_large);
        self.cut_off.append(later.cut_off);
    }

    /// What there is to tell about a job of `total` items, with its size as in [`WarningCounter::sides`](super::WarningCounter::sides).
    pub fn finish(mut self, size: Option<(Version, &str)>, total: u64) -> (Option<Warning>, Option<CutLogo>) {
        if let Some((version, data)) = size {
            (self.versions, self.too_large, self.cut_off) = Default::default();
            self.add(0, data, version);
            for group in [&mut self.too_large.group, &mut self.cut_off.group].into_iter().flatten() {
                group.items = total;
            }
        }
        let too_large = self
            .too_large
            .group
            .take()
            .map(|group| group.warning(WarningCode::LogoCoversTooMuch, self.too_large_message(), total));
        let cut_off = self.cut_off.group.take().map(|Group { items, listed, .. }| {
            let message = self.cut_off_message();
            CutLogo { message, items, listed }
        });
        (too_large, cut_off)
    }

    fn too_large_message(&self) -> String {
        let levels = self.levels(&self.too_large, |look| look != Look::HidesTooMuch);
        let advice = if levels.is_empty() {
            "Make it smaller.".to_owned()
        } else {
            format!("Use {}, or make it smaller.", levels.join(" or "))
        };
        format!("The logo is too large for ecLevel {}. {advice}", letter(self.style.level))
    }

    fn cut_off_message(&self) -> String {
        let levels = self.levels(&self.cut_off, |look| look == Look::Whole);
        let mut ways: Vec<String> =
            levels.first().map(|level| format!("ecLevel {level}")).into_iter().collect();
        let mut smaller = (LEAST_PERCENT..self.logo.ratio_millionths.div_ceil(MILLIONTHS_PER_CENT)).rev();
        let (style, outline) = (self.style, self.logo.logo.outline());
        let shows_whole = |&percent: &u32| {
            let look = |version| look_at(style, outline, percent * MILLIONTHS_PER_CENT, version, style.level);
            self.versions.all(|version| look(version) == Look::Whole)
        };
        ways.extend(smaller.find(shows_whole).map(|percent| format!("a logo of {percent} %")));
        let advice = if ways.is_empty() {
            String::new()
        } else {
            format!(" To show all of it, use {}.", ways.join(", or "))
        };
        format!("The edge of the logo is cut off, so that it does not hide too much.{advice}")
    }

    /// The levels at which the logo looks well in all of these codes.
    fn levels(&self, affected: &Affected, looks_well: impl Fn(Look) -> bool) -> Vec<&'static str> {
        let levels =
            ErrorCorrectionLevel::ALL.into_iter().filter(|&level| level as u8 > self.style.level as u8);
        let would_do = |&level: &ErrorCorrectionLevel| {
            affected.versions[level as usize].all(|version| looks_well(self.look(version, level)))
        };
        levels.filter(would_do).map(letter).collect()
    }
}

/// How a logo of that outline and size looks.
fn look_at(
    style: &ResolvedStyle,
    outline: &Outline,
    ratio_millionths: u32,
    version: Version,
    level: ErrorCorrectionLevel,
) -> Look {
    let placement = LogoPlacement::new(&style.picture, version, level, outline, ratio_millionths);
    if placement.hides_too_much(version, level) {
        Look::HidesTooMuch
    } else if placement.is_cut_off(outline) {
        Look::CutOff
    } else {
        Look::Whole
    }
}

fn index_of(version: Version) -> usize {
    usize::from(version.number()) - 1
}

/// Codes in which the logo looks alike.
#[derive(Default)]
struct Affected {
    group: Option<Group>,
    /// The versions of these codes at each level above that of the style.
    versions: [Versions; ErrorCorrectionLevel::ALL.len()],
}

impl Affected {
    fn add(&mut self, style: &ResolvedStyle, index: u64, data: &str) {
        Group::add(&mut self.group, index, || data.to_owned());
        for level in ErrorCorrectionLevel::ALL.into_iter().filter(|&level| level as u8 > style.level as u8) {
            self.versions[level as usize].add(style.version_at(level, data.as_bytes()));
        }
    }

    fn append(&mut self, later: Self) {
        Group::merge(&mut self.group, later.group);
        for (versions, later) in self.versions.iter_mut().zip(later.versions) {
            versions.append(later);
        }
    }
}

/// A set of versions, by the bits of their numbers. Bit 0: data that no version holds.
#[derive(Clone, Copy, Default)]
struct Versions(u64);

impl Versions {
    fn add(&mut self, version: Option<Version>) {
        self.0 |= 1 << version.map_or(0, Version::number);
    }

    fn append(&mut self, Self(later): Self) {
        self.0 |= later;
    }

    /// Returns true if a version holds each data, and all of these are good.
    fn all(self, is_good: impl Fn(Version) -> bool) -> bool {
        (0..=Version::MAX.number())
            .filter(|number| self.0 >> number & 1 == 1)
            .all(|number| Version::new(number).is_some_and(&is_good))
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
