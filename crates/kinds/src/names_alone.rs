//! Contacts with which nobody can be reached: a row of totals or a note below a list has a name alone.

use crate::totals::is_total;

/// Properties of vCards that say who a contact is.
const NAMES: [&str; 6] = ["BEGIN", "VERSION", "N", "FN", "ORG", "END"];
/// Properties of vCards by which a contact is reached.
const WAYS: [&str; 4] = ["TEL", "EMAIL", "ADR", "URL"];

/// Contacts of a list, counted by what they say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContactCount {
    /// Contacts with a number, an address or a link.
    pub reachable: u64,
    /// Contacts with nothing but names.
    pub names_alone: u64,
}

impl ContactCount {
    /// Counts the data of a code, if it is a contact. Returns true for one with nothing but names.
    #[inline]
    pub fn add(&mut self, data: &str) -> bool {
        data.starts_with("BEGIN:VCARD") && self.add_card(data)
    }

    fn add_card(&mut self, card: &str) -> bool {
        let names = card.lines().map(|line| line.split([':', ';']).next().unwrap_or_default());
        let is_reachable = names.clone().any(|name| WAYS.contains(&name));
        let is_name_alone = names.clone().all(|name| NAMES.contains(&name));
        self.reachable += u64::from(is_reachable);
        self.names_alone += u64::from(is_name_alone);
        is_name_alone
    }

    /// Some contacts have nothing but names, and others can be reached. Headings between rows may be as many as the rows.
    pub fn has_odd_names(self) -> bool {
        self.names_alone > 0 && self.reachable > 0
    }
}

impl std::ops::AddAssign for ContactCount {
    fn add_assign(&mut self, later: Self) {
        self.reachable += later.reachable;
        self.names_alone += later.names_alone;
    }
}

/// The name is none: it has a digit, or is a total or the name of a value, such as `Page 1` and `Made by:`.
pub fn is_no_name(name: &str) -> bool {
    name.contains(|sign: char| sign.is_ascii_digit()) || name.trim_end().ends_with(':') || is_total(name)
}

/// The name of a contact, as its vCard has it.
pub fn name_of_contact(card: &str) -> Option<&str> {
    card.lines().find_map(|line| line.strip_prefix("FN:"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;

    #[test]
    fn contacts_are_counted_by_what_they_say() {
        let fields = Kind::Contact.fields();
        let data = |kind: Kind, values: &[(&str, &str)]| {
            let value = |name| values.iter().find(|(field, _)| *field == name).map_or("", |(_, value)| value);
            kind.compose(&fields.iter().map(|field| value(field.name)).collect::<Vec<_>>()).unwrap()
        };
        let mut count = ContactCount::default();
        for kind in [Kind::Contact, Kind::ContactV4] {
            assert!(count.add(&data(kind, &[("name", "Total: 2")])));
            assert!(count.add(&data(kind, &[("organisation", "Totaal"), ("lastName", "1 contact")])));
            for (field, value) in [
                ("phone", "1"),
                ("fax", "1"),
                ("otherEmail", "a@a.example"),
                ("url", "https://a.example"),
                ("city", "Ulm"),
            ] {
                assert!(!count.add(&data(kind, &[("name", "Eva"), (field, value)])), "{field}");
            }
            // A job says more than a name, though nobody can be reached by it.
            assert!(!count.add(&data(kind, &[("name", "Eva"), ("title", "Chair")])));
        }
        assert!(!count.add("Eva") && !count.add("MECARD:N:Eva;;"));
        assert_eq!(count, ContactCount { reachable: 10, names_alone: 4 });
        assert!(count.has_odd_names());
        assert!(ContactCount { reachable: 1, names_alone: 4 }.has_odd_names());
        assert!(!ContactCount { reachable: 0, names_alone: 4 }.has_odd_names());
        assert!(!ContactCount { reachable: 3, names_alone: 0 }.has_odd_names());
        for name in ["Page 1 of 2", "As of 1 Nov 2026", "Made by:", "Gesamt", "Total: all"] {
            assert!(is_no_name(name), "{name}");
        }
        for name in ["Eva", "Total Energies", "Sales"] {
            assert!(!is_no_name(name), "{name}");
        }
        assert_eq!(name_of_contact(&data(Kind::Contact, &[("name", "Eva")])), Some("Eva"));
    }
}
