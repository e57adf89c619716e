//! The warnings about items that are GS1 Digital Links.

use qrpress_gs1::faults_of;
use qrpress_image::Style;

use super::group::Group;
use super::kind::{Warning, WarningCode};
use super::style::MICROMETRES_PER_INCH;

/// The least side of a module of a Digital Link at the point of sale (GS1 General Specifications, section 5.12.3.1).
const LEAST_MODULE_MICROMETRES: u64 = 396;

impl Group {
    /// A sentence about the items, which have `what`.
    pub fn message(&self, what: &str) -> String {
        let Self { items, words, .. } = self;
        let have = if *items == 1 { "GS1 Digital Link has" } else { "GS1 Digital Links have" };
        format!("{items} {have} {what}. In the first, {words}.")
    }
}

/// The faults of the items so far.
#[derive(Debug, Default)]
pub(super) struct DigitalLinks {
    all: Option<Group>,
    check_digit: Option<Group>,
    syntax: Option<Group>,
}

impl DigitalLinks {
    /// Takes note of an item.
    #[inline]
    pub fn add(&mut self, index: u64, data: &str) {
        let Some(faults) = faults_of(data) else { return };
        let groups = [
            (&mut self.all, Some(String::new())),
            (&mut self.check_digit, faults.check_digit),
            (&mut self.syntax, faults.syntax),
        ];
        for (group, words) in groups {
            if let Some(words) = words {
                Group::add(group, index, || words);
            }
        }
    }

    /// Takes in what was found in the part of the job that follows.
    pub fn append(&mut self, later: Self) {
        Group::merge(&mut self.all, later.all);
        Group::merge(&mut self.check_digit, later.check_digit);
        Group::merge(&mut self.syntax, later.syntax);
    }

    /// The warnings about a job of `total` items.
    pub fn finish(self, total: u64, picture: &Style) -> Vec<Warning> {
        let mut warnings = Vec::new();
        for (code, group, what) in [
            (WarningCode::Gs1CheckDigit, self.check_digit, "a wrong check digit"),
            (WarningCode::Gs1Syntax, self.syntax, "another form than GS1 gives them"),
        ] {
            warnings.extend(group.map(|group| {
                let message = group.message(what);
                group.warning(code, message, total)
            }));
        }
        if let (Some(dots), Some(all)) = (picture.dots_per_inch.map(u64::from), self.all) {
            let module = u64::from(picture.pixels_per_module) * MICROMETRES_PER_INCH;
            if module < LEAST_MODULE_MICROMETRES * dots {
                let message = format!(
                    "In print a module is 0.{:03} mm wide; GS1 wants at least 0.{LEAST_MODULE_MICROMETRES} mm for Digital Links.",
                    module / dots
                );
                warnings.push(all.warning(WarningCode::Gs1ModuleSize, message, total));
            }
        }
        warnings
    }
}
