//! The warnings about items that are GS1 Digital Links.

use qrpress_gs1::faults_of;

use super::group::Group;

/// The least side of a module of a Digital Link at the point of sale (GS1 General Specifications, section 5.12.3.1).
pub(super) const LEAST_MODULE_MICROMETRES: u64 = 396;

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
    pub all: Option<Group>,
    pub check_digit: Option<Group>,
    pub syntax: Option<Group>,
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
        Group::append(&mut self.all, later.all);
        Group::append(&mut self.check_digit, later.check_digit);
        Group::append(&mut self.syntax, later.syntax);
    }
}
