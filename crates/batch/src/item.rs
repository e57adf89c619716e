//! The rules of one item (section 2.3 of the specification).

use std::borrow::Cow;

use qrpress_json::{Cursor, JsonError, Text, Token};

use crate::issue::{Issue, IssueCode, Issues};

/// The limits of section 8 of the specification that concern items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ItemLimits {
    /// Items of a job.
    pub max_items: u64,
    /// Characters (code points) of an item's data.
    pub max_data_characters: usize,
    /// Characters of an item's file name as the client writes it.
    pub max_filename_characters: usize,
    /// Characters of an item's caption.
    pub max_caption_characters: usize,
    /// Characters of an item's reference.
    pub max_reference_characters: usize,
    /// Characters of an entry's name in the archive, its extension included. At least 24.
    pub max_archive_name_characters: usize,
    /// Pixels on a side of a picture.
    pub max_side_px: u32,
    /// Issues that a report lists.
    pub max_issues: usize,
}

/// An item that follows the rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Item<'a> {
    pub data: Cow<'a, str>,
    pub filename: Option<Cow<'a, str>>,
    pub caption: Option<Cow<'a, str>>,
    pub reference: Option<Cow<'a, str>>,
}

/// Reads the item that `first` begins, notes in `issues` what is wrong with it, and leaves out what has an issue.
///
/// # Errors
/// The place at which the text is not JSON.
pub(crate) fn read_item<'a>(
    cursor: &mut Cursor<'a, '_>,
    first: Token<'a>,
    limits: &ItemLimits,
    issues: &mut Issues,
) -> Result<Item<'a>, JsonError> {
    let mut item = Item::default();
    if !matches!(first, Token::Object) {
        issues.add(limits.max_issues, || match &first {
            Token::String(text) if text.raw.trim_ascii_start().starts_with('{') => {
                let message = "must be an object, not a string that holds one: the JSON was encoded twice";
                Issue::new(cursor.place(), IssueCode::WrongType, message)
            }
            _ => wrong_type(cursor, "an object", &first),
        });
        cursor.skip(first)?;
        return Ok(item);
    }
    let mut has_data = false;
    while let Token::Name(name) = cursor.next_token()? {
        if name.is("data") {
            has_data = true;
            let data = read_string(cursor, 1, limits.max_data_characters, limits, issues)?;
            item.data = data.unwrap_or_default();
        } else if name.is("filename") {
            item.filename = read_string(cursor, 0, limits.max_filename_characters, limits, issues)?;
        } else if name.is("caption") {
            item.caption = read_string(cursor, 0, limits.max_caption_characters, limits, issues)?;
        } else if name.is("reference") {
            item.reference = read_string(cursor, 1, limits.max_reference_characters, limits, issues)?;
        } else {
            if !name.unpaired {
                let message = "unknown member; an item may have data, filename, caption and reference";
                let unknown = || Issue::new(cursor.place(), IssueCode::UnknownMember, message);
                issues.add(limits.max_issues, unknown);
            }
            let value = cursor.next_token()?;
            cursor.skip(value)?;
        }
    }
    if !has_data {
        let message = "is required";
        issues
            .add(limits.max_issues, || Issue::new(cursor.member_place("data"), IssueCode::Required, message));
    }
    Ok(item)
}

/// Reads a member's value, which must be a string of `min` to `max` characters.
#[inline]
fn read_string<'a>(
    cursor: &mut Cursor<'a, '_>,
    min: usize,
    max: usize,
    limits: &ItemLimits,
    issues: &mut Issues,
) -> Result<Option<Cow<'a, str>>, JsonError> {
    let value = cursor.next_token()?;
    let Token::String(text) = value else {
        issues.add(limits.max_issues, || wrong_type(cursor, "a string", &value));
        cursor.skip(value)?;
        return Ok(None);
    };
    if let Some((code, message)) = wrong_length(&text, min, max) {
        issues.add(limits.max_issues, || Issue::new(cursor.place(), code, message));
        return Ok(None);
    }
    Ok(if text.unpaired { None } else { Some(text.decode()) })
}

#[inline]
fn wrong_length(text: &Text<'_>, min: usize, max: usize) -> Option<(IssueCode, String)> {
    // As it is written, a string has at least a byte per character.
    if text.raw.len() <= max && text.raw.len() >= min {
        return None;
    }
    let found = text.characters();
    if found < min {
        Some((IssueCode::TooShort, format!("must have at least {min} character")))
    } else if found > max {
        let message = format!("is too long: {} characters; at most {} fit", grouped(found), grouped(max));
        Some((IssueCode::TooLong, message))
    } else {
        None
    }
}

/// A number with commas between groups of three digits.
pub(crate) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(|group| String::from_utf8_lossy(group));
    groups.collect::<Vec<_>>().join(",")
}

/// The issue of a value, just read, that should have been another.
pub(crate) fn wrong_type(cursor: &Cursor<'_, '_>, expected: &str, found: &Token<'_>) -> Issue {
    Issue::new(cursor.place(), IssueCode::WrongType, format!("must be {expected}, not {}", found.kind()))
}
