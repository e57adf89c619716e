//! The faults of a style that only the engine can find: those of its logo, and characters that no font draws.

use qrpress_logo::Logo;
use qrpress_text::FontSet;

use crate::caption::uncovered;
use crate::{Issue, IssueCode, RenderStyle};

/// The faults of a style that follows the rules of its members, with pointers from the root of a body.
pub fn style_issues(style: &RenderStyle, fonts: &FontSet) -> Vec<Issue> {
    let issue = |path: &str, code, message| Issue { path: path.to_owned(), code, message, line: None };
    let logo = style.logo.as_ref().and_then(|logo| Logo::shared(&logo.data_url).err());
    let logo = logo.map(|error| issue("/style/logo/dataUrl", IssueCode::InvalidLogo, error.to_string()));
    let caption = uncovered(fonts, &style.caption.text);
    let caption = caption.map(|message| issue("/style/caption/text", IssueCode::NoGlyph, message));
    logo.into_iter().chain(caption).collect()
}
