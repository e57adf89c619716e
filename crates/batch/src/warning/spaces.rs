//! Spaces in web addresses, as the names of files have them. Words may stand behind an address all the same.

use super::web_address::is_sure;
use super::within::{Found, begins};

/// Returns true where the text behind the web address may be the rest of it: addresses of files have spaces.
pub(super) fn goes_on(text: &str, Found { place, data }: &Found) -> bool {
    // A link in Markdown has its address twice.
    let part = &text[place.clone()];
    let behind = text.rsplit(part).next().unwrap_or_default();
    let is_closed = behind.starts_with(['"', '”', '“', '»', '«']);
    let is_named = is_closed
        || (behind.starts_with(char::is_whitespace)
            && behind.trim_start().starts_with(['-', '–', '—', '|', '(']));
    let has_ending = || {
        let ending = behind.trim_end().rsplit_once('.').map_or("", |(_, ending)| ending);
        (2..=4).contains(&ending.chars().count()) && ending.chars().all(char::is_alphabetic)
    };
    begins(data, "http")
        && !is_named
        && behind.contains(char::is_alphanumeric)
        && (begins(text, "http")
            || data.contains('?')
            || behind.contains(['/', '=', '&', '?', ':'])
            || has_ending())
}

/// Returns true for the address of a file whose name has spaces, with `https://` or without: `https://example.org/Menu May.pdf`.
pub(super) fn has_file_with_spaces(data: &str) -> bool {
    const OF_SENTENCES: [&str; 8] = ["ask", "for", "ou", "or", "see", "siehe", "voir", "zie"];
    /// Of more, the end is that of a sentence.
    const MOST_SPACES: usize = 3;
    const ENDINGS: [&str; 16] = [
        "csv", "doc", "docx", "gif", "htm", "html", "jpeg", "jpg", "mp3", "mp4", "pdf", "png", "ppt", "pptx",
        "xls", "xlsx",
    ];

    let Some((first, _)) = data.split_once(' ') else { return false };
    let address = first.split_once("://").map_or(first, |(_, rest)| rest);
    let Some((host, _)) = address.split_once('/') else { return false };
    let path = &data[first.len() - address.len() + host.len() + 1..];
    let Some((name, ending)) = path.rsplit_once('.') else { return false };
    let file = name.rsplit_once(' ').and_then(|(before, _)| before.rsplit('/').next());
    let is_of_name = |sign: char| sign.is_alphanumeric() || " /-_.()+&'".contains(sign);
    !file.is_some_and(|file| file.contains('.'))
        && ENDINGS.contains(&&*ending.to_lowercase())
        && (1..=MOST_SPACES).contains(&name.matches(' ').count())
        && name.chars().all(is_of_name)
        && !name.to_lowercase().split(' ').any(|word| OF_SENTENCES.contains(&word))
        && is_sure(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_with_spaces() {
        for path in ["Menu May.pdf", "files/2027 05/Menu May.pdf"] {
            for start in
                ["https://laden.example/", "HTTP://laden.example/", "laden.example/", "www.laden.example/"]
            {
                assert!(has_file_with_spaces(&format!("{start}{path}")), "{start}{path}");
            }
        }
        for path in [
            "late",
            "late arrivals",
            "x or ask for flyer.pdf",
            "menu.pdf Menu.pdf",
            "menu.pdf lunch menu",
            "20% off.pdf",
            "menu ask at the desk",
            "menu, open daily",
            "a b c d e.pdf",
        ] {
            for start in ["https://laden.example/", "laden.example/"] {
                assert!(!has_file_with_spaces(&format!("{start}{path}")), "{start}{path}");
            }
        }
        for data in
            ["https://laden. example/Menu.pdf", "https:laden.example/a b.pdf", "Menu May.pdf", "a/b c"]
        {
            assert!(!has_file_with_spaces(data), "{data}");
        }
    }
}
