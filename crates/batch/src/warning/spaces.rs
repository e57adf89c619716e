//! Spaces in web addresses, as the names of files and pages have them. Words may stand behind an address all the same.

use super::web_address::{address, has_name, is_sure};
use super::within::{Found, LONGEST_LINE, found_in};

/// Returns true where the text behind the web address may be the rest of it.
pub(super) fn goes_on(text: &str, Found { place, .. }: &Found) -> bool {
    // A link in Markdown has its address twice.
    let part = &text[place.clone()];
    let behind = text.rsplit(part).next().unwrap_or_default();
    let is_closed = behind.starts_with(['"', '”', '“', '»', '«']);
    let is_apart = behind.starts_with(char::is_whitespace);
    let words = behind.trim();
    let is_named = is_closed || (is_apart && words.starts_with(['-', '–', '—', '|', '(']));
    let begins_text = || place.start == 0 && part.contains('/') && !(is_apart && is_name(part, words));
    let has_ending = || {
        let ending = words.rsplit_once('.').map_or("", |(_, ending)| ending);
        (2..=4).contains(&ending.chars().count()) && ending.chars().all(char::is_alphabetic)
    };
    is_sure(part)
        && !is_named
        && words.contains(char::is_alphanumeric)
        && (begins_text() || part.contains('?') || words.contains(['/', '=', '&', '?', ':']) || has_ending())
}

/// Returns true for a web address with a path that begins a text and seems to have a space, with `https://` or without.
pub(super) fn has_space_within(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    first.len() < text.len()
        && text.len() <= LONGEST_LINE
        && !text.contains(['\n', '\r'])
        && first.contains('/')
        && is_sure(first)
        && matches!(&found_in(text, address(text), 0)[..], [only] if goes_on(text, only))
}

/// Returns true where spaces are rather part of the path than before other words: `https://example.org/Menu May.pdf`,
/// `example.org/late arrivals`.
pub(super) fn has_path_with_spaces(data: &str) -> bool {
    const OF_SENTENCES: [&str; 8] = ["ask", "for", "ou", "or", "see", "siehe", "voir", "zie"];
    /// Of more, the end is that of a sentence.
    const MOST_SPACES: usize = 3;
    const ENDINGS: [&str; 16] = [
        "csv", "doc", "docx", "gif", "htm", "html", "jpeg", "jpg", "mp3", "mp4", "pdf", "png", "ppt", "pptx",
        "xls", "xlsx",
    ];

    let Some((first, behind)) = data.split_once(' ') else { return false };
    let address = first.split_once("://").map_or(first, |(_, rest)| rest);
    let Some((host, _)) = address.split_once('/') else { return false };
    let path = &data[first.len() - address.len() + host.len() + 1..];
    let (name, is_of_path) = match path.rsplit_once('.') {
        Some((name, ending)) => {
            let file = name.rsplit_once(' ').and_then(|(before, _)| before.rsplit('/').next());
            let names_one_file = !file.is_some_and(|file| file.contains('.'));
            (name, names_one_file && ENDINGS.contains(&&*ending.to_lowercase()))
        }
        None => (
            path,
            behind.split(' ').all(|word| word.starts_with(char::is_alphabetic)) && !is_name(first, behind),
        ),
    };
    let is_of_name = |sign: char| sign.is_alphanumeric() || " /-_.()+&'".contains(sign);
    is_of_path
        && (1..=MOST_SPACES).contains(&name.matches(' ').count())
        && name.chars().all(is_of_name)
        && !name.to_lowercase().split(' ').any(|word| OF_SENTENCES.contains(&word))
        && is_sure(first)
}

/// Returns true for words with a capital letter behind an address without one: they are its name.
fn is_name(address: &str, words: &str) -> bool {
    has_name(address.as_bytes(), words.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_within_addresses() {
        for path in
            ["late arrivals", "late arrivals 2027", "Late Arrivals", "menu ask at the desk", "Menu May.pdf"]
        {
            for start in ["https://laden.example/", "laden.example/", "www.laden.example/"] {
                assert!(has_space_within(&format!("{start}{path}")), "{start}{path}");
            }
        }
        for text in [
            "laden.example/late",
            "laden.example/a Anna's page",
            "https://laden.example/a Anna's page",
            "laden.example/a – Anna",
            "laden.example/a (open daily)",
            "laden.example (open daily)",
            "www.laden.example open daily",
            "laden.example open daily",
            "Menu: laden.example/late arrivals",
            "laden.example/a laden.example/b",
            "index.html/x or more",
            "and/or more",
            "laden.example/a\nb",
        ] {
            assert!(!has_space_within(text), "{text}");
        }
    }

    #[test]
    fn paths_with_spaces() {
        for path in [
            "Menu May.pdf",
            "files/2027 05/Menu May.pdf",
            "late arrivals",
            "Late Arrivals",
            "info/late arrivals here",
        ] {
            for start in
                ["https://laden.example/", "HTTP://laden.example/", "laden.example/", "www.laden.example/"]
            {
                assert!(has_path_with_spaces(&format!("{start}{path}")), "{start}{path}");
            }
        }
        for path in [
            "late",
            "x or ask for flyer.pdf",
            "menu.pdf Menu.pdf",
            "menu.pdf lunch menu",
            "20% off.pdf",
            "menu ask at the desk",
            "a Anna's page",
            "a Anna",
            "a – anna",
            "a (album)",
            "menu, open daily",
            "menu 07700 900461",
            "a b c d e",
        ] {
            for start in ["https://laden.example/", "laden.example/"] {
                assert!(!has_path_with_spaces(&format!("{start}{path}")), "{start}{path}");
            }
        }
        for data in [
            "https://laden. example/Menu.pdf",
            "https:laden.example/a b.pdf",
            "Menu May.pdf",
            "index.html/x y",
            "a/b c",
            "laden.example open daily",
        ] {
            assert!(!has_path_with_spaces(data), "{data}");
        }
    }
}
