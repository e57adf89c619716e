//! Cells that link to another address than they show.

use std::hash::{DefaultHasher, Hash, Hasher};

/// Beginnings that programs add to an address.
const SCHEMES: [&str; 4] = ["https://", "http://", "mailto:", "tel:"];

/// A number that addresses share which differ in nothing that people see.
pub(crate) fn link_key(address: &str) -> u64 {
    let address = address.trim();
    let begins =
        |scheme: &&str| address.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    let rest =
        SCHEMES.iter().find(|scheme| begins(scheme)).map_or(address, |scheme| &address[scheme.len()..]);
    let mut hasher = DefaultHasher::new();
    rest.trim_end_matches('/').replace("%20", " ").hash(&mut hasher);
    hasher.finish()
}

/// A formula of the function HYPERLINK may link to another address than the cell shows.
pub(crate) fn links_elsewhere(formula: &str, shown: &str) -> bool {
    const NAME: &str = "HYPERLINK(";
    let Some(name) = formula.get(..NAME.len()).filter(|name| name.eq_ignore_ascii_case(NAME)) else {
        return false;
    };
    let arguments = &formula[name.len()..];
    let Some(comma) = first_comma(arguments) else { return false };
    let address = arguments[..comma].trim().strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    address.is_none_or(|address| link_key(&address.replace("\"\"", "\"")) != link_key(shown))
}

/// The position of the comma behind the first argument.
fn first_comma(arguments: &str) -> Option<usize> {
    let (mut depth, mut quoted) = (0_u32, false);
    for (index, byte) in arguments.bytes().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'(' | b'{' | b'[' => depth += 1,
            b')' | b'}' | b']' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => return Some(index),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_change_addresses_a_little() {
        for (target, shown) in [
            ("https://example.org/", "https://example.org"),
            ("http://www.example.org/", "www.example.org"),
            ("mailto:ann@example.org", "ann@example.org"),
            ("https://example.org/a%20b", "https://example.org/a b"),
        ] {
            assert_eq!(link_key(target), link_key(shown), "{target}");
        }
        assert_ne!(link_key("https://example.org/1"), link_key("https://example.org/2"));
    }

    #[test]
    fn formulas_may_link_elsewhere() {
        for (formula, shown, elsewhere) in [
            ("HYPERLINK(\"https://example.org\",\"Hall 5\")", "Hall 5", true),
            ("HYPERLINK(\"https://example.org\",A2)", "https://example.org", false),
            ("HYPERLINK(\"https://example.org/\"&A2)", "https://example.org/1", false),
            ("HYPERLINK(CONCAT(\"a,b\",A2,\"c\"))", "a,bc", false),
            ("hyperlink(A2,B2)", "Hall 5", true),
            ("A2&B2", "Hall 5", false),
        ] {
            assert_eq!(links_elsewhere(formula, shown), elsewhere, "{formula}");
        }
    }
}
