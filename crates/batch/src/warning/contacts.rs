//! The warning about contacts with a name alone in a person's list: those whose name is none, and others beside contacts that can be reached.

use qrpress_kinds::{ContactCount, is_no_name, name_of_contact};

use super::group::{Group, shown};
use super::kind::{Warning, WarningCode};

/// The contacts among the items so far.
#[derive(Debug, Default)]
pub(super) struct Contacts {
    count: ContactCount,
    /// Those with nothing but names, and the name of the first.
    names_alone: Option<Group>,
    /// Those of them whose name is none.
    no_names: Option<Group>,
}

impl Contacts {
    /// Takes note of an item.
    #[inline]
    pub fn add(&mut self, index: u64, data: &str) {
        if self.count.add(data) {
            let name = name_of_contact(data).unwrap_or_default();
            Group::add(&mut self.names_alone, index, || shown(name));
            if is_no_name(name) {
                Group::add(&mut self.no_names, index, || shown(name));
            }
        }
    }

    /// Takes in what was found in the part of the job that follows.
    pub fn append(&mut self, later: Self) {
        self.count += later.count;
        Group::merge(&mut self.names_alone, later.names_alone);
        Group::merge(&mut self.no_names, later.no_names);
    }

    /// The warning about a job of `total` items.
    pub fn finish(self, total: u64) -> Option<Warning> {
        let group = if self.count.has_odd_names() { self.names_alone } else { self.no_names }?;
        let what = if group.items == 1 {
            format!("the contact {:?} has", group.words)
        } else {
            format!("contacts such as {:?} have", group.words)
        };
        let message = format!("{} data that is probably not meant: {what} nothing but a name.", group.have());
        Some(group.warning(WarningCode::SuspiciousData, message, total))
    }
}
