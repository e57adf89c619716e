//! The warnings about items that are GS1 Digital Links.

use qrpress_kinds::gs1::faults_of;

use super::{MICROMETRES_PER_INCH, Warning, WarningCode};
use crate::RenderStyle;

/// The least side of a module of a Digital Link at the point of sale (GS1 General Specifications, section 5.12.3.1).
const LEAST_MODULE_MICROMETRES: u64 = 396;

/// Items with something in common: their number, and the index and the words of the first.
#[derive(Debug)]
struct Group {
    items: u64,
    first: u64,
    words: String,
}

/// What was found among the items so far.
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
                group.get_or_insert(Group { items: 0, first: index, words }).items += 1;
            }
        }
    }

    /// Takes in what was found in the part of the job that follows.
    pub fn append(&mut self, later: Self) {
        for (group, later) in [
            (&mut self.all, later.all),
            (&mut self.check_digit, later.check_digit),
            (&mut self.syntax, later.syntax),
        ] {
            match (group.as_mut(), later) {
                (Some(group), Some(later)) => group.items += later.items,
                (None, later) => *group = later,
                (Some(_), None) => {}
            }
        }
    }

    /// The warnings about a job of that style.
    pub fn finish(self, style: &RenderStyle) -> Vec<Warning> {
        let faulty = [
            (WarningCode::Gs1CheckDigit, self.check_digit, "a wrong check digit"),
            (WarningCode::Gs1Syntax, self.syntax, "another form than GS1 gives them"),
        ];
        let mut warnings = Vec::new();
        for (code, group, what) in faulty {
            if let Some(Group { items, first, words }) = group {
                let have = if items == 1 { "GS1 Digital Link has" } else { "GS1 Digital Links have" };
                let message = format!("{items} {have} {what}. In the first, {words}.");
                warnings.push(Warning { code, message, items, first });
            }
        }
        let dots = style.dots_per_inch.map(u64::from);
        let module = u64::from(style.pixels_per_module) * MICROMETRES_PER_INCH;
        if let (Some(dots), Some(Group { items, first, .. })) = (dots, self.all)
            && module < LEAST_MODULE_MICROMETRES * dots
        {
            let micrometres = module / dots;
            let message = format!(
                "In print a module is 0.{micrometres:03} mm wide; GS1 wants at least 0.{LEAST_MODULE_MICROMETRES:03} mm for Digital Links."
            );
            warnings.push(Warning { code: WarningCode::Gs1ModuleSize, message, items, first });
        }
        warnings
    }
}
