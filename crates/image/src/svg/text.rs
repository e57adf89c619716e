//! Text as the content of an XML element (XML 1.0, clauses 2.2 and 2.4).

/// Appends `text`; characters that XML cannot hold become U+FFFD.
pub(super) fn push_escaped(text: &str, out: &mut Vec<u8>) {
    let mut rest = text;
    while let Some(at) = rest.find(is_special) {
        let (plain, special) = rest.split_at(at);
        out.extend_from_slice(plain.as_bytes());
        let mut characters = special.chars();
        out.extend_from_slice(match characters.next() {
            Some('&') => b"&amp;",
            Some('<') => b"&lt;",
            Some('>') => b"&gt;",
            // A reader would make it a line feed.
            Some('\r') => b"&#13;",
            _ => "\u{fffd}".as_bytes(),
        });
        rest = characters.as_str();
    }
    out.extend_from_slice(rest.as_bytes());
}

fn is_special(character: char) -> bool {
    match character {
        '&' | '<' | '>' | '\u{fffe}' | '\u{ffff}' => true,
        '\t' | '\n' => false,
        other => other < ' ',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_and_what_xml_lacks() {
        let mut out = Vec::new();
        push_escaped("a & b <i>é\u{0}\u{b}\r\n\t東\u{ffff}]]>", &mut out);
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "a &amp; b &lt;i&gt;é\u{fffd}\u{fffd}&#13;\n\t東\u{fffd}]]&gt;"
        );
    }
}
