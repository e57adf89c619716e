//! Cells that are links: the sheet's list of them, and formulas that name a constant address.

use std::collections::HashMap;

use super::area::{Area, area_of};
use super::damaged::damaged;
use super::package::Package;
use super::relations::SheetRelations;
use super::xml::{Node, too_large};
use crate::error::Halt;

/// Bytes of a formula that is looked at. Excel allows 8,192 characters.
pub(super) const FORMULA_BYTES: usize = 32_768;

/// Bytes of all addresses that formulas share.
const SHARED_BYTES: usize = 1_000_000;

/// The links of a sheet, from top to bottom.
#[derive(Debug, Default)]
pub(super) struct Links(Vec<(Area, String)>);

impl Links {
    /// No links.
    pub const fn none() -> Self {
        Self(Vec::new())
    }

    /// Reads the list, which stands behind the rows. Links to a place in the workbook have no address.
    pub fn read(
        package: &mut Package<'_>,
        sheet: &str,
        relations: &SheetRelations,
        most_nodes: u64,
    ) -> Result<Self, Halt> {
        let mut links = Vec::new();
        if relations.addresses.is_empty() {
            return Ok(Self(links));
        }
        let mut xml = package.open_part(sheet, most_nodes)?;
        while let Some(node) = xml.next()? {
            let Node::Start(element) = node else { continue };
            if element.name() != "hyperlink" {
                continue;
            }
            let id = element.attribute("id").unwrap_or_default();
            let Some(address) = relations.addresses.get(id.as_ref()) else { continue };
            let area =
                element.attribute("ref").and_then(|reference| area_of(&reference)).ok_or_else(damaged)?;
            let place = element.attribute("location").unwrap_or_default();
            let hash = if place.is_empty() { "" } else { "#" };
            links.push((area, format!("{address}{hash}{place}")));
        }
        links.sort_by_key(|(area, _)| area.top);
        Ok(Self(links))
    }

    /// The links in the order of rows.
    pub fn in_rows(&self) -> LinksInRows<'_> {
        LinksInRows { rest: &self.0, open: Vec::new() }
    }
}

/// The links of the row that is read.
pub(super) struct LinksInRows<'l> {
    /// Links below the row.
    rest: &'l [(Area, String)],
    /// Links that may lie in the row.
    open: Vec<&'l (Area, String)>,
}

impl LinksInRows<'_> {
    /// Goes on to a row below. Returns the number of its links.
    pub fn begin_row(&mut self, row: u64) -> u64 {
        while let Some((first, rest)) = self.rest.split_first().filter(|((area, _), _)| area.top <= row) {
            self.open.push(first);
            self.rest = rest;
        }
        self.open.retain(|(area, _)| area.bottom >= row);
        self.open.len() as u64
    }

    /// The address of the row's cell in a column.
    pub fn address(&self, column: u32) -> Option<&str> {
        let mut links = self.open.iter();
        links
            .find(|(area, _)| (area.left..=area.right).contains(&column))
            .map(|(_, address)| address.as_str())
    }
}

/// Addresses of formulas that several cells share, by the formula's index.
#[derive(Debug, Default)]
pub(super) struct SharedAddresses {
    addresses: HashMap<String, String>,
    bytes: usize,
}

impl SharedAddresses {
    /// The constant address that a formula names. A shared formula stands in its first cell.
    pub fn address(&mut self, formula: &str, shared: Option<&str>) -> Result<Option<String>, Halt> {
        let address = address_of(formula);
        let Some(index) = shared else { return Ok(address) };
        if let Some(address) = &address {
            self.bytes += address.len() + index.len();
            if self.bytes > SHARED_BYTES {
                return Err(too_large());
            }
            self.addresses.insert(index.to_owned(), address.clone());
        }
        Ok(address.or_else(|| self.addresses.get(index).cloned().filter(|_| formula.is_empty())))
    }
}

/// The address of a formula such as `HYPERLINK("https://example.org/1", "Open")`, whose first argument is nothing but texts.
fn address_of(formula: &str) -> Option<String> {
    let formula = formula.trim_start().trim_start_matches('=').trim_start();
    let name = formula.get(..9)?;
    let mut rest =
        formula[9..].trim_start().strip_prefix('(').filter(|_| name.eq_ignore_ascii_case("HYPERLINK"))?;
    let mut address = String::new();
    loop {
        rest = rest.trim_start().strip_prefix('"')?;
        loop {
            let end = rest.find('"')?;
            address.push_str(&rest[..end]);
            rest = &rest[end + 1..];
            match rest.strip_prefix('"') {
                Some(after) => {
                    address.push('"');
                    rest = after;
                }
                None => break,
            }
        }
        rest = rest.trim_start();
        match rest.strip_prefix('&') {
            Some(after) => rest = after,
            None => break,
        }
    }
    // A place in the workbook begins with `#`.
    let is_address = rest.starts_with([',', ')']) && !address.starts_with('#') && !address.is_empty();
    is_address.then_some(address)
}

/// The text is the address, as people write it.
pub(super) fn is_one(text: &str, address: &str) -> bool {
    simplified(text) == simplified(address)
}

/// An address without what programs add: `mailto:`, the `/` of a host, capitals of a host, and encoded letters.
fn simplified(address: &str) -> String {
    const MAIL: &str = "mailto:";
    let address = address.trim();
    if address.get(..MAIL.len()).is_some_and(|start| start.eq_ignore_ascii_case(MAIL)) {
        return address[MAIL.len()..].to_owned();
    }
    let Some(scheme) = address.find("://") else { return address.to_owned() };
    let host = scheme + 3;
    let end = address[host..].find(['/', '?', '#']).map_or(address.len(), |end| host + end);
    let (origin, rest) = address.split_at(end);
    let rest = match rest.strip_prefix('/') {
        Some(path) if path.is_empty() || path.starts_with(['?', '#']) => path,
        _ => rest,
    };
    origin.to_lowercase() + &decoded(rest)
}

/// The text with its encoded letters of other scripts, and spaces, as such.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let triplet = rest.get(1..3).filter(|_| *first == b'%');
        let byte = triplet.and_then(|digits| u8::from_str_radix(str::from_utf8(digits).ok()?, 16).ok());
        if let Some(byte) = byte.filter(|byte| !byte.is_ascii() || *byte == b' ') {
            bytes.push(byte);
            rest = &rest[3..];
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_with_constant_addresses_are_links() {
        for (formula, address) in [
            ("HYPERLINK(\"https://a.example/1\",\"Open\")", Some("https://a.example/1")),
            ("hyperlink( \"https://a.example/\" & \"1\" , B2)", Some("https://a.example/1")),
            ("=HYPERLINK(\"a\"\"b\")", Some("a\"b")),
            ("HYPERLINK(A1,\"Open\")", None),
            ("HYPERLINK(\"https://a.example/\"&A1)", None),
            ("HYPERLINK(\"#Two!A1\",\"Open\")", None),
            ("HYPERLINK(\"open", None),
            ("SUM(1)", None),
            ("HYPERLINKÄ", None),
        ] {
            assert_eq!(address_of(formula).as_deref(), address, "{formula}");
        }
        let mut shared = SharedAddresses::default();
        let mut address = |formula: &str, index| shared.address(formula, index).unwrap();
        assert_eq!(address("HYPERLINK(\"a\",\"b\")", Some("0")).as_deref(), Some("a"));
        assert_eq!(address("", Some("0")).as_deref(), Some("a"));
        assert_eq!(address("", Some("1")), None);
        assert_eq!(address("", None), None);
    }

    #[test]
    fn an_address_is_one_however_it_is_written() {
        for (text, address) in [
            ("https://a.example", "https://a.example/"),
            ("https://a.example?x", "https://a.example/?x"),
            ("x@a.example", "mailto:x@a.example"),
            ("HTTPS://A.example/x", "https://a.example/x"),
            (" https://a.example/x ", "https://a.example/x"),
            ("https://a.example/zürich nord", "https://a.example/z%C3%BCrich%20nord"),
        ] {
            assert!(is_one(text, address), "{text} {address}");
        }
        for (text, address) in [
            ("Open", "https://a.example"),
            ("a.example", "https://a.example"),
            ("https://a.example/X", "https://a.example/x"),
            ("https://a.example/a/", "https://a.example/a"),
            ("https://a.example/a%2Fb", "https://a.example/a/b"),
            ("http://a.example", "https://a.example"),
        ] {
            assert!(!is_one(text, address), "{text} {address}");
        }
    }
}
