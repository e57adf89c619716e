//! Warnings: things in a job that its sender may not want. They go beside the answer, and are never a reason to refuse.

mod charset;
mod digital_links;
mod group;
mod suspicious;
mod web_address;

use std::collections::HashMap;
use std::hash::Hasher;
use std::sync::Arc;

use qrpress_image::{Colour, LogoPlacement, PlacedLogo, Style, image_side_px};
use qrpress_logo::Outline;
use qrpress_symbol::{Eci, ErrorCorrectionLevel, Version, segments};
use qrpress_text::{FittingTypesetter, FontSet};
use rustc_hash::FxHasher;

use crate::ResolvedStyle;

use digital_links::DigitalLinks;
use group::{Group, MOST_LISTED};
use suspicious::suspicion;
use web_address::{Address, address};

/// The least contrast of foreground and background that scanners need: 3 to 1.
const LEAST_CONTRAST_HUNDREDTHS: u32 = 300;
/// The least size of letters that can be read.
const LEAST_FONT_SIZE_PX: u32 = 6;
/// Characters of an item's data that a message shows.
const MOST_SHOWN: usize = 40;
/// The fewest web addresses, and the least of their shares, that make a list one of web addresses.
const LEAST_ADDRESSES: u64 = 3;
const LEAST_ADDRESSES_PERCENT: u64 = 80;
/// The quiet zone of ISO/IEC 18004, clause 6.3.8.
const QUIET_ZONE_MODULES: u32 = 4;
/// The least side of a module in print.
const LEAST_MODULE_MICROMETRES: u64 = 250;
const MICROMETRES_PER_INCH: u64 = 25_400;

/// A warning about some items of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The kind.
    pub code: WarningCode,
    /// One or two sentences for people.
    pub message: String,
    /// Number of items that it concerns, 1 or more.
    pub items: u64,
    /// Index of the first of them in the job, from 0.
    pub first: u64,
    /// Indices of the first hundred of them. Empty where it concerns all items.
    pub listed: Vec<u64>,
}

impl Warning {
    /// A warning about `items` of the `total` items of a job, the first of which are `listed`.
    fn about(code: WarningCode, message: String, [items, total]: [u64; 2], listed: Vec<u64>) -> Self {
        let first = listed.first().copied().unwrap_or(0);
        Self { code, message, items, first, listed: if items == total { Vec::new() } else { listed } }
    }
}

/// The kinds of warnings, in the order in which they are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WarningCode {
    /// Under the logo lie more codewords than error correction repairs, or nearly as many.
    LogoCoversTooMuch,
    /// Foreground and background are too similar.
    LowContrast,
    /// The foreground is lighter than the background.
    LightOnDark,
    /// Foreground and background are too similar in red light.
    LowContrastInRedLight,
    /// The quiet zone is narrower than the standard's.
    SmallQuietZone,
    /// Modules are too small in print.
    SmallModules,
    /// Letters of captions are too small.
    SmallCaption,
    /// Items have the same data as others: data of the same 64-bit hash. Of a million items without duplicates, two have the
    /// same hash with a probability of 3 · 10⁻⁸.
    DuplicateData,
    /// Data that was probably not meant.
    SuspiciousData,
    /// Text that readers take for another character set.
    AmbiguousCharset,
    /// GS1 Digital Links have a wrong check digit.
    Gs1CheckDigit,
    /// GS1 Digital Links do not have the form that GS1 gives them.
    Gs1Syntax,
    /// Modules of GS1 Digital Links are too small in print.
    Gs1ModuleSize,
}

impl WarningCode {
    /// The code by which clients know it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::LogoCoversTooMuch => "logo_covers_too_much",
            Self::LowContrast => "low_contrast",
            Self::LightOnDark => "light_on_dark",
            Self::LowContrastInRedLight => "low_contrast_in_red_light",
            Self::SmallQuietZone => "small_quiet_zone",
            Self::SmallModules => "small_modules",
            Self::SmallCaption => "small_caption",
            Self::DuplicateData => "duplicate_data",
            Self::SuspiciousData => "suspicious_data",
            Self::AmbiguousCharset => "ambiguous_charset",
            Self::Gs1CheckDigit => "gs1_check_digit",
            Self::Gs1Syntax => "gs1_syntax",
            Self::Gs1ModuleSize => "gs1_module_size",
        }
    }
}

/// Collects the warnings about the items of a job, or of a part of one.
pub(crate) struct WarningCounter<'s> {
    style: &'s ResolvedStyle,
    fonts: &'s Arc<FontSet>,
    /// Made for the first caption whose letters may be wider than its picture.
    typesetter: Option<FittingTypesetter>,
    /// The common caption may need smaller letters than the style's.
    common_may_be_small: bool,
    logo: Option<LogoCheck<'s>>,
    /// The versions are wanted: the style says how large modules are printed, or the caller asked for them.
    tells_versions: bool,
    /// The smallest and the largest version, where they are wanted.
    versions: Option<[Version; 2]>,
    /// The items with too large a logo, and the data of the first.
    under_logo: Option<Group>,
    /// The items with captions, where the letters are too small, and the size of the first.
    small_captions: Option<Group>,
    suspicious: Option<Group>,
    /// Web addresses are looked at: programs have data of all kinds, and people mostly links.
    is_list: bool,
    /// The web addresses, whole or not.
    addresses: u64,
    /// Those without a scheme.
    bare_addresses: Option<Group>,
    /// The items that are no address of any kind, and the data of the first.
    no_addresses: Option<Group>,
    ambiguous: Option<Group>,
    links: DigitalLinks,
    /// Hashes of the items' data, in order.
    data: Vec<u64>,
}

impl<'s> WarningCounter<'s> {
    /// `is_list`: the items are a person's list. Versions are wanted of it also where the style does not say how large modules are
    /// printed.
    pub fn new(style: &'s ResolvedStyle, fonts: &'s Arc<FontSet>, is_list: bool) -> Self {
        Self {
            style,
            fonts,
            typesetter: None,
            common_may_be_small: may_be_small(style, fonts, &style.caption),
            logo: LogoCheck::new(style),
            tells_versions: is_list || style.picture.dots_per_inch.is_some(),
            versions: None,
            under_logo: None,
            small_captions: None,
            suspicious: None,
            is_list,
            addresses: 0,
            bare_addresses: None,
            no_addresses: None,
            ambiguous: None,
            links: DigitalLinks::default(),
            data: Vec::new(),
        }
    }

    /// Takes note of the next item. `caption` is its own, if it has one.
    #[inline]
    pub fn add(&mut self, index: u64, data: &str, caption: Option<&str>) {
        let mut hasher = FxHasher::default();
        hasher.write(data.as_bytes());
        self.data.push(hasher.finish());
        self.links.add(index, data);
        let suspicion = suspicion(data);
        let is_suspicious = suspicion.is_some();
        if let Some(words) = suspicion {
            Group::add(&mut self.suspicious, index, || words);
        }
        if self.is_list {
            self.add_address(index, data, is_suspicious);
        }
        if !data.is_ascii() && self.style.eci == Eci::Absent && self.is_ambiguous(data.as_bytes()) {
            Group::add(&mut self.ambiguous, index, || data.to_owned());
        }
        if caption.map_or(self.common_may_be_small, |caption| may_be_small(self.style, self.fonts, caption)) {
            self.add_caption(index, data, caption.unwrap_or(&self.style.caption));
        }
        if self.logo.is_none() && !self.tells_versions {
            return;
        }
        let Some(version) = self.style.version_of(data.as_bytes()) else { return };
        if self.tells_versions {
            self.versions = together(self.versions, Some([version; 2]));
        }
        if self.logo.as_ref().is_some_and(|logo| logo.covers_too_much(version)) {
            Group::add(&mut self.under_logo, index, || data.to_owned());
        }
    }

    /// `is_told`: something else is said of the item already.
    fn add_address(&mut self, index: u64, data: &str, is_told: bool) {
        let address = address(data);
        self.addresses += u64::from(matches!(address, Address::Whole | Address::Faulty(_) | Address::Bare));
        match address {
            _ if is_told => {}
            Address::Faulty(fault) => Group::add(&mut self.suspicious, index, || fault.words()),
            Address::Bare => Group::add(&mut self.bare_addresses, index, String::new),
            Address::None => Group::add(&mut self.no_addresses, index, || data.to_owned()),
            Address::Whole | Address::OtherScheme => {}
        }
    }

    /// Takes note of a caption whose letters may be too small.
    #[cold]
    fn add_caption(&mut self, index: u64, data: &str, caption: &str) {
        let mut size_px = self.style.font_size_px;
        if size_px >= LEAST_FONT_SIZE_PX {
            let Some(version) = self.style.version_of(data.as_bytes()) else { return };
            let typesetter =
                self.typesetter.get_or_insert_with(|| self.style.typesetter(Arc::clone(self.fonts)));
            typesetter.lay_out(caption, image_side_px(&self.style.picture, version));
            size_px = typesetter.font_size_px();
        }
        if size_px < LEAST_FONT_SIZE_PX {
            Group::add(&mut self.small_captions, index, || size_px.to_string());
        }
    }

    /// Returns true if readers that guess take the text for one of another character set.
    #[cold]
    fn is_ambiguous(&self, data: &[u8]) -> bool {
        let Some(version) = self.style.version_of(data) else { return false };
        charset::is_misread(&segments(data, version, self.style.level, self.style.eci))
    }

    /// Takes in the warnings about the part of the job that follows.
    pub fn append(&mut self, later: Self) {
        // Named one by one, so that a new field is not forgotten here.
        let Self {
            style: _,
            fonts: _,
            typesetter: _,
            common_may_be_small: _,
            logo: _,
            tells_versions: _,
            versions,
            under_logo,
            small_captions,
            suspicious,
            is_list: _,
            addresses,
            bare_addresses,
            no_addresses,
            ambiguous,
            links,
            data,
        } = later;
        self.data.extend(data);
        self.addresses += addresses;
        self.links.append(links);
        self.versions = together(self.versions, versions);
        for (group, later) in [
            (&mut self.under_logo, under_logo),
            (&mut self.small_captions, small_captions),
            (&mut self.suspicious, suspicious),
            (&mut self.bare_addresses, bare_addresses),
            (&mut self.no_addresses, no_addresses),
            (&mut self.ambiguous, ambiguous),
        ] {
            Group::append(group, later);
        }
    }

    /// Modules on a side of the smallest and the largest symbol, where they are wanted. `size` is
    /// the version of all symbols, where they have the same, with the data of the item that needs it.
    pub fn sides(&self, size: Option<(Version, &str)>) -> Option<[u32; 2]> {
        let versions = self.versions.map(|versions| size.map_or(versions, |(version, _)| [version; 2]));
        versions.map(|versions| versions.map(|version| version.size() as u32))
    }

    /// The warnings about the job, with its `size` as in [`Self::sides`].
    pub fn finish(self, size: Option<(Version, &str)>) -> Vec<Warning> {
        let style = self.style;
        let total = self.data.len() as u64;
        let mut warnings = Vec::new();
        let under_logo = match (size, &self.logo) {
            (Some((version, data)), Some(logo)) => logo.covers_too_much(version).then(|| Group {
                items: total,
                listed: vec![0],
                words: data.to_owned(),
            }),
            _ => self.under_logo,
        };
        if let (Some(logo), Some(Group { items, listed, words })) = (self.logo, under_logo) {
            let message = logo.message(&words);
            warnings.push(Warning::about(WarningCode::LogoCoversTooMuch, message, [items, total], listed));
        }
        if total > 0 {
            let of_all = |(code, message)| Warning::about(code, message, [total; 2], Vec::new());
            warnings.extend(style_warnings(style).into_iter().map(of_all));
        }
        if let Some(Group { items, listed, words: size_px }) = self.small_captions {
            let advice = if style.font_size_px < LEAST_FONT_SIZE_PX {
                "Choose a larger fontSize or scale."
            } else {
                "Larger ones are wider than the picture. Choose a larger scale."
            };
            let message = format!(
                "The letters of captions are {size_px} px high; below {LEAST_FONT_SIZE_PX} px nobody can read them. {advice}"
            );
            warnings.push(Warning::about(WarningCode::SmallCaption, message, [items, total], listed));
        }
        if let Some((items, listed)) = duplicates(&self.data) {
            let message = format!("{items} items seem to have the same data as another item.");
            warnings.push(Warning::about(WarningCode::DuplicateData, message, [items, total], listed));
        }
        if let Some(Group { items, listed, words }) = self.suspicious {
            let have = if items == 1 { "1 item has" } else { &format!("{items} items have") };
            let message = format!("{have} data that is probably not meant. In the first, {words}.");
            warnings.push(Warning::about(WarningCode::SuspiciousData, message, [items, total], listed));
        }
        if let Some(Group { items, listed, words: _ }) = self.bare_addresses {
            let (are, them) = if items == 1 {
                ("1 item is a web address", "it")
            } else {
                (&*format!("{items} items are web addresses"), "them")
            };
            let message = format!(
                "{are} without https://: phones search for {them} instead of opening {them}. Write https:// in front."
            );
            warnings.push(Warning::about(WarningCode::SuspiciousData, message, [items, total], listed));
        }
        let is_list_of_addresses =
            self.addresses >= LEAST_ADDRESSES && self.addresses * 100 >= total * LEAST_ADDRESSES_PERCENT;
        if let Some(Group { items, listed, words }) = self.no_addresses.filter(|_| is_list_of_addresses) {
            let are = if items == 1 { "1 is" } else { &format!("{items} are") };
            let shown: String = words.chars().take(MOST_SHOWN).collect();
            let message = format!("Most items are web addresses; {are} not, the first of them {shown:?}.");
            warnings.push(Warning::about(WarningCode::SuspiciousData, message, [items, total], listed));
        }
        if let Some(Group { items, listed, words }) = self.ambiguous {
            let have = if items == 1 { "1 item has" } else { &format!("{items} items have") };
            let shown: String = words.chars().take(MOST_SHOWN).collect();
            let message = format!(
                "{have} text that some scanners misread, the first of them {shown:?}. Set eci to true: then the codes say that they are UTF-8."
            );
            warnings.push(Warning::about(WarningCode::AmbiguousCharset, message, [items, total], listed));
        }
        warnings.extend(link_warnings(self.links, total, &style.picture));
        warnings
    }
}

/// Returns true if the letters of a caption are too small, or may be wider than its picture if they are not.
fn may_be_small(style: &ResolvedStyle, fonts: &FontSet, caption: &str) -> bool {
    if caption.trim().is_empty() {
        return false;
    }
    let narrowest_px = image_side_px(&style.picture, style.version.unwrap_or(Version::MIN));
    let width_px = fonts.width_bound_em(caption).saturating_mul(LEAST_FONT_SIZE_PX);
    style.font_size_px < LEAST_FONT_SIZE_PX || width_px > narrowest_px
}

/// The range of two ranges.
fn together(one: Option<[Version; 2]>, other: Option<[Version; 2]>) -> Option<[Version; 2]> {
    match (one, other) {
        (Some([least, most]), Some([low, high])) => Some([least.min(low), most.max(high)]),
        _ => one.or(other),
    }
}

/// The versions in which a logo hides too much.
struct LogoCheck<'s> {
    style: &'s ResolvedStyle,
    outline: Outline,
    ratio_millionths: u32,
    /// By version number less 1.
    too_much: [bool; Version::MAX.number() as usize],
}

impl<'s> LogoCheck<'s> {
    /// None where the logo hides too much in no version.
    fn new(style: &'s ResolvedStyle) -> Option<Self> {
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
    fn covers_too_much(&self, version: Version) -> bool {
        self.too_much[usize::from(version.number()) - 1]
    }

    fn message(&self, first_data: &str) -> String {
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

pub(crate) fn letter(level: ErrorCorrectionLevel) -> &'static str {
    match level {
        ErrorCorrectionLevel::Low => "L",
        ErrorCorrectionLevel::Medium => "M",
        ErrorCorrectionLevel::Quartile => "Q",
        ErrorCorrectionLevel::High => "H",
    }
}

/// A contrast with one decimal.
fn ratio(hundredths: u32) -> String {
    format!("{}.{}:1", hundredths / 100, hundredths % 100 / 10)
}

/// The warnings that concern every item of a style.
fn style_warnings(style: &ResolvedStyle) -> Vec<(WarningCode, String)> {
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

/// The warnings about items that are GS1 Digital Links.
fn link_warnings(links: DigitalLinks, total: u64, picture: &Style) -> Vec<Warning> {
    let mut warnings = Vec::new();
    for (code, group, what) in [
        (WarningCode::Gs1CheckDigit, links.check_digit, "a wrong check digit"),
        (WarningCode::Gs1Syntax, links.syntax, "another form than GS1 gives them"),
    ] {
        if let Some(group) = group {
            let message = group.message(what);
            warnings.push(Warning::about(code, message, [group.items, total], group.listed));
        }
    }
    if let (Some(dots), Some(all)) = (picture.dots_per_inch.map(u64::from), links.all) {
        let module = u64::from(picture.pixels_per_module) * MICROMETRES_PER_INCH;
        if module < digital_links::LEAST_MODULE_MICROMETRES * dots {
            let message = format!(
                "In print a module is 0.{:03} mm wide; GS1 wants at least 0.{} mm for Digital Links.",
                module / dots,
                digital_links::LEAST_MODULE_MICROMETRES
            );
            let code = WarningCode::Gs1ModuleSize;
            warnings.push(Warning::about(code, message, [all.items, total], all.listed));
        }
    }
    warnings
}

/// The number of hashes that occur more than once, and the places of the first [`MOST_LISTED`] of them; none where each occurs
/// once.
fn duplicates(hashes: &[u64]) -> Option<(u64, Vec<u64>)> {
    // A hash has one bit in each of two sets, with 16 bits or more for every hash: most hashes that are alone are found to be so
    // without a look-up.
    let bits = (16 * hashes.len()).next_power_of_two();
    let position = |hash: u64| (hash >> 20) as usize & (bits - 1);
    let mut seen = vec![0_u64; bits.div_ceil(64)];
    // Keyed at random: nobody can choose data whose hashes all have the same place in it.
    let mut twice: HashMap<u64, u64> = HashMap::new();
    let mut suspected = vec![0_u64; bits.div_ceil(64)];
    for &hash in hashes {
        let (word, bit) = (position(hash) / 64, 1 << (position(hash) % 64));
        if seen[word] & bit != 0 {
            suspected[word] |= bit;
            twice.insert(hash, 0);
        }
        seen[word] |= bit;
    }
    let is_suspected = |hash: u64| suspected[position(hash) / 64] >> (position(hash) % 64) & 1 == 1;
    for hash in hashes.iter().filter(|&&hash| is_suspected(hash)) {
        if let Some(count) = twice.get_mut(hash) {
            *count += 1;
        }
    }
    let is_double = |hash: &u64| is_suspected(*hash) && twice.get(hash).is_some_and(|&count| count > 1);
    let places = hashes.iter().enumerate().filter(|(_, hash)| is_double(hash));
    let listed: Vec<u64> = places.map(|(place, _)| place as u64).take(MOST_LISTED).collect();
    (!listed.is_empty()).then(|| (twice.values().filter(|&&count| count > 1).sum(), listed))
}

#[cfg(test)]
mod tests {
    use std::hash::BuildHasher;

    use super::*;

    #[test]
    fn duplicates_are_counted_as_a_naive_twin_counts_them() {
        let mut state = 1_u64;
        for count in [0, 1, 2, 3, 10, 100, 5000] {
            for kinds in [1, 2, 7, 400, u64::MAX] {
                let hashes: Vec<u64> = (0..count)
                    .map(|_| {
                        state = state
                            .wrapping_mul(6_364_136_223_846_793_005)
                            .wrapping_add(1_442_695_040_888_963_407);
                        ((state >> 20) % kinds) << 25
                    })
                    .collect();
                let mut naive: HashMap<u64, u64> = HashMap::new();
                for &hash in &hashes {
                    *naive.entry(hash).or_default() += 1;
                }
                let places = (0..).zip(&hashes).filter(|(_, hash)| naive[hash] > 1);
                let listed: Vec<u64> = places.map(|(place, _)| place).take(MOST_LISTED).collect();
                let items = naive.values().filter(|&&count| count > 1).sum();
                let expected = (items > 0).then_some((items, listed));
                assert_eq!(duplicates(&hashes), expected, "{count} of {kinds}");
            }
        }
    }

    /// Hashes of data that somebody chose: in a table without a key all of them would have the same place, and each would be
    /// compared with all others, which takes minutes.
    #[test]
    fn chosen_hashes_are_counted_as_fast_as_others() {
        const KINDS: u64 = 300_000;
        // The inverse of the multiplier of `FxHasher`, by Newton's rule.
        let multiplier = 0xf135_7aea_2e62_a9c5_u64;
        let inverse = (0..5).fold(multiplier, |inverse, _| {
            inverse.wrapping_mul(2_u64.wrapping_sub(multiplier.wrapping_mul(inverse)))
        });
        let chosen = |kind: u64| (kind << 20).rotate_right(26).wrapping_mul(inverse);
        assert_eq!(rustc_hash::FxBuildHasher.hash_one(chosen(7)), 7 << 20);
        let hashes: Vec<u64> = (0..2 * KINDS).map(|place| chosen(place % KINDS)).collect();
        assert_eq!(duplicates(&hashes), Some((2 * KINDS, (0..100).collect())));
    }
}
