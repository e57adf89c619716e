//! Items with something in common.

use super::kind::{Warning, WarningCode};

/// Characters of an item's data that a message shows.
const MOST_SHOWN: usize = 40;
/// Items that are listed by their indices.
pub(super) const MOST_LISTED: usize = 100;

/// Items with something in common, one or more.
#[derive(Debug)]
pub(super) struct Group {
    pub items: u64,
    /// The indices of the first [`MOST_LISTED`], in order.
    pub listed: Vec<u64>,
    /// A text about the first.
    pub words: String,
}

impl Group {
    /// Puts the next item into a group. Calls `words` for its first item alone.
    pub fn add(group: &mut Option<Self>, index: u64, words: impl FnOnce() -> String) {
        let group = group.get_or_insert_with(|| Self { items: 0, listed: Vec::new(), words: words() });
        group.items += 1;
        if group.listed.len() < MOST_LISTED {
            group.listed.push(index);
        }
    }

    /// Puts in a group of other items of the same job, such as those of the part that follows.
    pub fn merge(group: &mut Option<Self>, other: Option<Self>) {
        match (group.as_mut(), other) {
            (Some(group), Some(other)) => {
                if other.listed.first() < group.listed.first() {
                    group.words = other.words;
                }
                group.items += other.items;
                group.listed.extend(other.listed);
                group.listed.sort_unstable();
                group.listed.truncate(MOST_LISTED);
            }
            (None, other) => *group = other,
            (Some(_), None) => {}
        }
    }

    /// The beginning of a sentence about the items.
    pub fn have(&self) -> String {
        if self.items == 1 { "1 item has".to_owned() } else { format!("{} items have", self.items) }
    }

    /// The warning about data that is probably not meant: the words say why in the first of a job of `total` items.
    pub fn suspicious(self, total: u64) -> Warning {
        let message =
            format!("{} data that is probably not meant. In the first, {}.", self.have(), self.words);
        self.warning(WarningCode::SuspiciousData, message, total)
    }

    /// The warning about the items, in a job of `total`.
    pub fn warning(self, code: WarningCode, message: String, total: u64) -> Warning {
        Warning::about(code, message, [self.items, total], self.listed)
    }
}

/// The beginning of an item's data, as messages show it.
pub(super) fn shown(data: &str) -> String {
    let mut shown: String = data.chars().take(MOST_SHOWN).collect();
    if shown.len() < data.len() {
        shown.push('…');
    }
    shown
}
