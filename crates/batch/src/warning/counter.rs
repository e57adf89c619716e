//! Collects the warnings about a job, item by item.

use std::hash::Hasher;
use std::sync::Arc;

use qrpress_image::image_side_px;
use qrpress_symbol::{Eci, Version, segments};
use qrpress_text::{FittingTypesetter, FontSet};
use rustc_hash::FxHasher;

use super::actions::{ActionCount, Actions};
use super::addresses::Addresses;
use super::charset;
use super::contacts::Contacts;
use super::digital_links::DigitalLinks;
use super::duplicates::duplicates;
use super::group::{Group, shown};
use super::kind::{Warning, WarningCode};
use super::lines::has_text_behind;
use super::logo::{CutLogo, LogoCheck};
use super::mail_addresses::named_mail_addresses;
use super::spaces::has_file_with_spaces;
use super::style::style_warnings;
use super::suspicious::{
    faulty_network, invisible, local_file, lone_begin, placeholder, space_in_bare_address, suspicion,
};
use super::web_address::address;
use crate::ResolvedStyle;

/// The least size of letters that can be read.
const LEAST_FONT_SIZE_PX: u32 = 6;

/// Everything found about a job.
#[derive(Default)]
pub(crate) struct Findings {
    pub warnings: Vec<Warning>,
    /// The codes of a list in which the logo does not look whole.
    pub cut_logo: Option<CutLogo>,
    /// The actions of phones on the codes of a list.
    pub actions: Vec<ActionCount>,
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
    /// The items with captions, where the letters are too small, and the size of the first.
    small_captions: Option<Group>,
    suspicious: Option<Group>,
    /// Placeholders and totals, which a person may leave out of a list together.
    placeholders: Option<Group>,
    /// Of the lists of people: data with characters that nobody sees, and addresses with spaces. One press mends each.
    invisible: Option<Group>,
    spaces: Option<Group>,
    /// Programs have data of all kinds, and people mostly links: addresses and placeholders are looked for in the lists of people alone.
    addresses: Option<Addresses>,
    /// Of the lists of people, too.
    actions: Option<Actions>,
    /// Of the lists of people, too.
    contacts: Option<Contacts>,
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
            // The API has no word for a logo that is cut off.
            logo: LogoCheck::new(style, is_list),
            tells_versions: is_list || style.picture.dots_per_inch.is_some(),
            versions: None,
            small_captions: None,
            suspicious: None,
            placeholders: None,
            invisible: None,
            spaces: None,
            addresses: is_list.then(Addresses::default),
            actions: is_list.then(Actions::default),
            contacts: is_list.then(Contacts::default),
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
        let is_list = self.addresses.is_some();
        let placeholder = if is_list { placeholder(data) } else { None };
        let is_placeholder = placeholder.is_some();
        let of_people = || {
            let of_code = || faulty_network(data).or_else(|| lone_begin(data));
            let of_mails = || named_mail_addresses(data);
            let of_address = || space_in_bare_address(data);
            let of_list = || local_file(data).or_else(of_code).or_else(of_mails).or_else(of_address);
            if is_list { of_list() } else { None }
        };
        let is_followed = is_list && has_text_behind(data);
        let told = if is_followed { None } else { suspicion(data).or(placeholder).or_else(of_people) };
        if let (Some(addresses), Some(actions)) = (&mut self.addresses, &mut self.actions) {
            let address = address(data);
            addresses.add(index, data, address, told.is_some(), is_followed);
            actions.add(index, data, address);
        }
        if let Some(words) = told {
            let group = match () {
                () if is_placeholder => &mut self.placeholders,
                () if is_list && invisible(data).is_some() => &mut self.invisible,
                () if is_list && has_file_with_spaces(data) => &mut self.spaces,
                () => &mut self.suspicious,
            };
            Group::add(group, index, || words);
        }
        if let Some(contacts) = &mut self.contacts {
            contacts.add(index, data);
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
        if let Some(logo) = &mut self.logo {
            logo.add(index, data, version);
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
            logo,
            tells_versions: _,
            versions,
            small_captions,
            suspicious,
            placeholders,
            invisible,
            spaces,
            addresses,
            actions,
            contacts,
            ambiguous,
            links,
            data,
        } = later;
        self.data.extend(data);
        if let (Some(addresses), Some(later)) = (&mut self.addresses, addresses) {
            addresses.append(later);
        }
        if let (Some(actions), Some(later)) = (&mut self.actions, actions) {
            actions.append(later);
        }
        if let (Some(contacts), Some(later)) = (&mut self.contacts, contacts) {
            contacts.append(later);
        }
        self.links.append(links);
        if let (Some(logo), Some(later)) = (&mut self.logo, logo) {
            logo.append(later);
        }
        self.versions = together(self.versions, versions);
        for (group, later) in [
            (&mut self.small_captions, small_captions),
            (&mut self.suspicious, suspicious),
            (&mut self.placeholders, placeholders),
            (&mut self.invisible, invisible),
            (&mut self.spaces, spaces),
            (&mut self.ambiguous, ambiguous),
        ] {
            Group::merge(group, later);
        }
    }

    /// Modules on a side of the smallest and the largest symbol, where they are wanted. `size` is
    /// the version of all symbols, where they have the same, with the data of the item that needs it.
    pub fn sides(&self, size: Option<(Version, &str)>) -> Option<[u32; 2]> {
        let versions = self.versions.map(|versions| size.map_or(versions, |(version, _)| [version; 2]));
        versions.map(|versions| versions.map(|version| version.size() as u32))
    }

    /// Everything found about the job, with its `size` as in [`Self::sides`].
    pub fn finish(self, size: Option<(Version, &str)>) -> Findings {
        let total = self.data.len() as u64;
        let (under_logo, cut_logo) = self.logo.map_or((None, None), |logo| logo.finish(size, total));
        let mut warnings = Vec::from_iter(under_logo);
        if total > 0 {
            let of_all = |(code, message)| Warning::about(code, message, [total; 2], Vec::new());
            warnings.extend(style_warnings(self.style).into_iter().map(of_all));
        }
        warnings.extend(self.small_captions.map(|group| {
            let message = small_captions(self.style, &group.words);
            group.warning(WarningCode::SmallCaption, message, total)
        }));
        warnings.extend(duplicates(&self.data).map(|(items, listed)| {
            let message = format!("{items} items seem to have the same data as another item.");
            Warning::about(WarningCode::DuplicateData, message, [items, total], listed)
        }));
        let told = [self.suspicious, self.invisible, self.spaces, self.placeholders];
        warnings.extend(told.into_iter().flatten().map(|group| group.suspicious(total)));
        warnings.extend(self.addresses.into_iter().flat_map(|addresses| addresses.finish(total)));
        warnings.extend(self.contacts.and_then(|contacts| contacts.finish(total)));
        warnings.extend(self.ambiguous.map(|group| {
            let message = format!(
                "{} text that some scanners misread, the first of them {:?}. Set eci to true: then the codes say that they are UTF-8.",
                group.have(),
                shown(&group.words)
            );
            group.warning(WarningCode::AmbiguousCharset, message, total)
        }));
        warnings.extend(self.links.finish(total, &self.style.picture));
        let actions = self.actions.map(Actions::finish).unwrap_or_default();
        Findings { warnings, cut_logo, actions }
    }
}

/// The message about captions, the letters of the first of which are `size_px` high.
fn small_captions(style: &ResolvedStyle, size_px: &str) -> String {
    let advice = if style.font_size_px < LEAST_FONT_SIZE_PX {
        "Choose a larger fontSize or scale."
    } else {
        "Larger ones are wider than the picture. Choose a larger scale."
    };
    format!(
        "The letters of captions are {size_px} px high; below {LEAST_FONT_SIZE_PX} px nobody can read them. {advice}"
    )
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
