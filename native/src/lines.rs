//! Typed lines, changed as warnings about them advise.

use napi_derive::napi;
use qrpress_batch::{LineChange, change_lines};
use qrpress_spreadsheet::{CallingCode, with_networks};

/// A change of lines that a warning advises.
#[napi(string_enum = "lowercase")]
#[derive(Clone, Copy)]
pub enum ChangeOfLines {
    /// Each address in a line by itself.
    Addresses,
    /// The same, as rows of a table with the words beside each address as its caption.
    Captions,
    /// No marks of lists before addresses and nearly all texts.
    Marks,
    /// `https://` before web addresses.
    Https,
    /// `mailto:` before mail addresses.
    Mailto,
    /// `tel:` before phone numbers.
    Tel,
    /// `geo:` before coordinates.
    Geo,
    /// Web addresses in place of three words that name a place.
    Words,
    /// Web addresses that go on in the next line, in one line each.
    Join,
    /// `tel:` before numbers that may be those of phones, where they stand.
    Calls,
    /// `%20` in place of spaces in the addresses of files.
    Spaces,
    /// No characters that nobody sees.
    Invisible,
    /// `https://` or `http://` in place of a beginning that is nearly that.
    Schemes,
    /// A country's code in the numbers of calls within it.
    Country,
    /// Codes of networks in place of lines that say how to join one.
    Networks,
}

/// The lines of a person's list, and the change.
#[napi(object, object_to_js = false)]
pub struct ChangeLinesRequest {
    /// The lines.
    pub lines: String,
    /// The change.
    pub change: ChangeOfLines,
    /// The code for `country`, such as `49`. None of another text: no line changes.
    pub calling_code: Option<String>,
    /// Characters of a caption at most. Words of more are left out.
    pub max_caption_characters: u32,
    /// Lines without an address stay, where others are left out.
    pub keeps_texts: bool,
}

/// Lines after a change.
#[napi(object, object_from_js = false)]
pub struct ChangedLines {
    /// The lines, or the rows of a table whose cells tabs separate.
    pub lines: String,
    /// The lines that were left out: they have no address.
    pub left_out: Vec<String>,
}

/// Changes the lines that a warning is about, and leaves others as they are. Takes time with the length of the lines, and reads no file.
///
/// Throws `panic`.
#[napi(catch_unwind, js_name = "changeLines")]
pub fn change(
    ChangeLinesRequest { lines, change, calling_code, max_caption_characters, keeps_texts }: ChangeLinesRequest,
) -> ChangedLines {
    let change = match change {
        ChangeOfLines::Addresses => LineChange::Addresses,
        ChangeOfLines::Captions => LineChange::Captions,
        ChangeOfLines::Marks => LineChange::Marks,
        ChangeOfLines::Https => LineChange::Https,
        ChangeOfLines::Mailto => LineChange::Mailto,
        ChangeOfLines::Tel => LineChange::Tel,
        ChangeOfLines::Geo => LineChange::Geo,
        ChangeOfLines::Words => LineChange::Words,
        ChangeOfLines::Join => LineChange::Join,
        ChangeOfLines::Calls => LineChange::Calls,
        ChangeOfLines::Spaces => LineChange::Spaces,
        ChangeOfLines::Invisible => LineChange::Invisible,
        ChangeOfLines::Schemes => LineChange::Schemes,
        ChangeOfLines::Country => match calling_code.as_deref().and_then(CallingCode::of) {
            Some(code) => LineChange::Country(code),
            None => return ChangedLines { lines, left_out: Vec::new() },
        },
        ChangeOfLines::Networks => {
            return ChangedLines { lines: with_networks(&lines), left_out: Vec::new() };
        }
    };
    let changed = change_lines(&lines, change, max_caption_characters as usize, keeps_texts);
    ChangedLines { lines: changed.lines, left_out: changed.left_out }
}
