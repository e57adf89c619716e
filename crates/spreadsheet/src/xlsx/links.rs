//! Cells that are links: the sheet's list of them.

use super::area::{Area, area_of};
use super::damaged::damaged;
use super::package::Package;
use super::relations::SheetRelations;
use super::xml::Node;
use crate::error::Halt;

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
