//! The warnings about titles among the items of a person's list: one above each code, or one above all.

use super::group::{Group, shown};
use super::kind::{Warning, WarningCode};
use super::lines::{is_heading, may_be_title};

/// The fewest titles in a list of codes with one each.
const LEAST_TITLES: u64 = 2;

/// The items that open nothing.
#[derive(Debug, Default)]
pub(super) struct Titles {
    /// The first item of a list, if it says what the others are.
    heading: Option<Group>,
    /// Items that may be the title of the next one.
    above: Option<Group>,
    /// Others.
    others: u64,
}

impl Titles {
    /// Takes note of an item without an address, or with one within it.
    pub fn add(&mut self, index: u64, data: &str, is_within: bool) {
        if index == 0 && is_heading(data) {
            Group::add(&mut self.heading, index, || data.to_owned());
        } else if index.is_multiple_of(2) && !is_within && may_be_title(data) {
            Group::add(&mut self.above, index, || data.to_owned());
        } else {
            self.others += 1;
        }
    }

    /// Takes in what was found in the part of the job that follows.
    pub fn append(&mut self, later: Self) {
        Group::merge(&mut self.heading, later.heading);
        Group::merge(&mut self.above, later.above);
        self.others += later.others;
    }

    /// Returns true where each code of a job of `total` items has its title above it.
    pub fn are_above_each(&self, total: u64) -> bool {
        let titles = self.above.as_ref().map_or(0, |titles| titles.items);
        self.others == 0 && self.heading.is_none() && titles >= LEAST_TITLES && titles * 2 == total
    }

    /// The warning about a job of `total` items.
    pub fn finish(self, total: u64) -> Option<Warning> {
        let (group, message) = if self.are_above_each(total) {
            let group = self.above?;
            let message = format!(
                "{} items are probably not meant: they seem to be titles of the items below them, the first of them {:?}.",
                group.items,
                shown(&group.words)
            );
            (group, message)
        } else {
            let group = self.heading.filter(|_| self.others == 0 && self.above.is_none() && total > 1)?;
            let first = shown(&group.words);
            let message =
                format!("1 item is probably not meant: {first:?} seems to be the heading of the list.");
            (group, message)
        };
        let message = message + " A code opens what stands alone.";
        Some(group.warning(WarningCode::SuspiciousData, message, total))
    }
}
