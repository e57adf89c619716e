//! Web addresses as people write them: whole ones, those with a fault, and those that phones search for instead of opening.

use memchr::{memchr, memchr_iter, memchr2, memchr3, memmem};

use super::group::shown;

/// Bytes of the longest name of a host (RFC 1035, clause 2.3.4).
const LONGEST_HOST: usize = 253;
/// Common top-level domains, without those that are the ends of file names as well.
const TOP_LEVEL_DOMAINS: &str = "\
    academy agency alsace amsterdam app ar asia at au barcelona bayern be berlin bg biz blog br brussels \
    bzh ca cafe camp cat catering center ch charity church cl cloud club cn co coffee com community \
    cymru cz de design dev dk edu ee email es eu eus events example farm fi fitness football foundation \
    fr frl fun gal gallery garden gent gl gle gmbh golf gov gr group hamburg hk hotel hr hu ie il in \
    info io irish it jp kitchen koeln kr li life live london lt lu lv ly madrid me media museum mx net \
    ngo nl no nrw nz online org page paris photography pl pt restaurant ro ruhr saarland school scot se \
    shop si site sk social store studio swiss team tech tickets tirol tours tr travel uk us video \
    vlaanderen wales wien world yoga zuerich";

/// The way in which data is a web address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Address<'d> {
    /// With a scheme and a host.
    Whole,
    /// Whole, with a mark at its end that people write behind an address in a sentence.
    Marked,
    /// Whole, with something at its end that may be the name of its code.
    Named,
    /// No browser opens it as it is.
    Faulty(Fault<'d>),
    /// Without a scheme.
    Bare,
    /// One alone, behind other text on its line.
    Behind,
    /// Three words behind `///`, by which what3words names a place.
    ThreeWords,
    /// Of another scheme, such as `mailto:`.
    OtherScheme,
    /// No address.
    None,
}

/// A fault of an address, with the part that has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault<'d> {
    /// It begins with something that is nearly a scheme.
    Scheme(&'d str),
    /// Its host has a comma.
    Comma(&'d str),
    /// Its host has no dot.
    NoDot(&'d str),
    /// It is in straight quotes.
    Quotes,
    /// It is in brackets.
    Brackets,
    /// Another one stands behind it.
    Two,
    /// It stands behind the mark or number of a list.
    ListMark(&'d str),
}

impl Fault<'_> {
    /// The kinds of faults.
    pub const KINDS: usize = 7;

    /// The place of its kind among them.
    pub fn kind(self) -> usize {
        match self {
            Self::Scheme(_) => 0,
            Self::Comma(_) => 1,
            Self::NoDot(_) => 2,
            Self::Quotes => 3,
            Self::Two => 4,
            Self::ListMark(_) => 5,
            Self::Brackets => 6,
        }
    }

    /// The fault as the end of a sentence.
    pub fn words(self) -> String {
        match self {
            Self::Scheme(start) => format!("the address begins with {start} instead of {}", scheme_of(start)),
            Self::Comma(host) => format!("{} in the address has a comma", shown(host)),
            Self::NoDot("") => "the address has no host".to_owned(),
            Self::NoDot(host) => {
                format!("{} in the address has no dot: it opens only where that name is known", shown(host))
            }
            Self::Quotes => "the address is in quotes: a code opens one that stands alone".to_owned(),
            Self::Brackets => "the address is in brackets: a code opens one that stands alone".to_owned(),
            Self::ListMark(mark) => {
                format!(
                    "{mark} stands before the address, so that phones search for it instead of opening it"
                )
            }
            Self::Two => "the address has another one behind it: a code opens one alone".to_owned(),
        }
    }
}

/// The way in which data is a web address.
#[inline]
pub(super) fn address(data: &str) -> Address<'_> {
    let bytes = data.as_bytes();
    if let Some(rest) = bytes.strip_prefix(b"https://").or_else(|| bytes.strip_prefix(b"http://")) {
        let end = memchr2(b'/', b',', rest).unwrap_or(rest.len());
        if rest.get(end) != Some(&b',') && memchr(b'.', &rest[..end]).is_some() {
            return whole(bytes, rest);
        }
        return of_host(&data[data.len() - rest.len()..]);
    }
    match memchr3(b'.', b'/', b':', bytes) {
        Some(place) => match look(data, place) {
            Address::None => behind(data),
            found => found,
        },
        None => Address::None,
    }
}

/// Looks at data that may end with an address behind something else: `Anna https://a.example`, `[Anna](https://a.example)`.
#[cold]
fn behind(data: &str) -> Address<'_> {
    if is_in_brackets(data) {
        return Address::Faulty(Fault::Brackets);
    }
    let mut rest = data.trim();
    // Lists may stand in lists.
    for _ in 0..2 {
        let Some((mark, behind)) = rest.split_once(char::is_whitespace) else { break };
        if !is_list_mark(mark) {
            break;
        }
        rest = behind.trim_start();
        if is_address(rest) || begins_with_other_scheme(rest) {
            return Address::Faulty(Fault::ListMark(mark));
        }
    }
    let is_bracket = |character| "<([\"“„«‹".contains(character);
    let is_edge = |character: char| character.is_whitespace() || is_bracket(character);
    // An address may have brackets within it.
    let begins = ["https://", "http://", "www."].iter().find_map(|start| rest.find(start));
    let place = begins.filter(|&place| rest[..place].ends_with(is_edge)).or_else(|| rest.rfind(is_edge));
    let label = rest.find(": ").map(|place| place + 1);
    let is_outside = |character: char| is_edge(character) || ">)]\"”»›".contains(character);
    let is_web = |word: Option<&str>| word.is_some_and(|word| is_sure(word.trim_matches(is_outside)));
    let is_behind = |place: usize| {
        let (before, from) = rest.split_at(place);
        let mut words = from.trim_start_matches(is_outside).split_whitespace();
        // Sentences go on behind an address, too: only one behind a label is a list's.
        let is_labelled = before.trim_end().ends_with(':')
            && is_web(words.clone().next())
            && words.clone().skip(1).all(|word| !word.contains(':'));
        is_labelled || is_web(words.next_back())
    };
    if !rest.contains('\n') && [label, place].into_iter().flatten().any(is_behind) {
        Address::Behind
    } else {
        Address::None
    }
}

/// Returns true for `<https://a.example>`, `(https://a.example).` and the like. In `[Anna](https://a.example)`, text is in brackets.
fn is_in_brackets(data: &str) -> bool {
    let data = data.trim().trim_end_matches(['.', ',', ';']);
    let inner = [('<', '>'), ('(', ')'), ('[', ']')]
        .into_iter()
        .find_map(|(open, close)| data.strip_prefix(open)?.strip_suffix(close));
    inner.is_some_and(|inner| !inner.contains(['<', '>', '[', ']', '|']) && is_sure(inner.trim()))
}

/// The scheme that the beginning of an address was meant to be.
pub(super) fn scheme_of(start: &str) -> &'static str {
    if start.contains(['s', 'S']) { "https://" } else { "http://" }
}

/// Marks of lists, of one character each.
pub(super) const BULLETS: [&str; 10] = ["-", "–", "—", "•", "·", "*", "▪", "‣", "◦", "●"];

/// The mark of a list with a tab behind it, as word processors copy them, and the text. A number behind a sign is its value.
pub(super) fn tabbed_mark(text: &str) -> Option<(&str, &str)> {
    let (mark, rest) = text.split_once('\t')?;
    let is_round = mark == "o" || BULLETS.contains(&mark);
    let is_numbered = mark.ends_with(['.', ')']) && is_list_mark(mark);
    let is_text = rest.contains(char::is_alphabetic) && !rest.contains('\t');
    ((is_round || is_numbered) && is_text).then_some((mark, rest))
}

/// Returns true for `-`, `•`, `1.`, `a)`, `(2)` and the like, and for `o`, as which round marks are copied.
pub(super) fn is_list_mark(word: &str) -> bool {
    let is_sign = |character: char| !character.is_alphanumeric();
    let number = word.strip_prefix('(').unwrap_or(word).strip_suffix(['.', ')']);
    // `Dr.` and `Art.` are none.
    let is_number = |number: &str| match number.as_bytes() {
        [letter] => letter.is_ascii_alphanumeric(),
        digits => (2..=3).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit),
    };
    word == "o" || number.is_some_and(is_number) || (word.chars().all(is_sign) && word.chars().count() <= 3)
}

fn is_address(text: &str) -> bool {
    let found = match memchr3(b'.', b'/', b':', text.as_bytes()) {
        Some(place) if !text.contains(char::is_whitespace) => look(text, place),
        _ => Address::None,
    };
    matches!(
        found,
        Address::Whole | Address::Marked | Address::Bare | Address::ThreeWords | Address::Faulty(_)
    )
}

/// Returns true for codes such as `tel:+4930123` and `WIFI:S:a;;`. `Tel: 030 123` and `WiFi: ask` are none.
pub(super) fn begins_with_other_scheme(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    match scheme.to_ascii_lowercase().as_str() {
        "tel" if is_label(scheme) => false,
        "mailto" => rest.contains('@') && !rest.starts_with(char::is_whitespace),
        "tel" | "sms" | "smsto" | "geo" => {
            rest.starts_with(|first: char| first.is_ascii_digit() || "+-".contains(first))
        }
        "wifi" => rest.as_bytes().get(1) == Some(&b':'),
        _ => false,
    }
}

/// Returns true for `Tel`, which some phones do not take for a scheme: people write it before a number.
fn is_label(scheme: &str) -> bool {
    scheme == "Tel"
}

/// An address by itself. One without a scheme needs a top-level domain that is known: `index.html/x` is none.
pub(super) fn is_sure(text: &str) -> bool {
    let host = text.split(['/', ':', '?', '#']).next().unwrap_or_default();
    let is_known = || host.rsplit('.').next().is_some_and(is_top_level_domain);
    is_address(text) && (text.contains("://") || text.starts_with("www.") || is_known())
}

fn is_top_level_domain(name: &str) -> bool {
    TOP_LEVEL_DOMAINS.split_ascii_whitespace().any(|known| known == name)
}

/// Looks at data whose first full stop, slash or colon stands at `place`.
fn look(data: &str, place: usize) -> Address<'_> {
    if let Some(inner) = data.strip_prefix(['"', '\'']) {
        let inner = inner.strip_suffix(['"', '\'']).unwrap_or(inner);
        return match memchr3(b'.', b'/', b':', inner.as_bytes()).map(|place| unquoted(inner, place)) {
            Some(Address::Whole | Address::Marked | Address::Faulty(_) | Address::Bare) => {
                Address::Faulty(Fault::Quotes)
            }
            _ => Address::None,
        };
    }
    unquoted(data, place)
}

/// The words of `///filled.count.soap`.
pub(super) fn three_words(text: &str) -> Option<&str> {
    let words = text.strip_prefix("///")?;
    // Most scripts with marks that are no letters stand between these.
    let is_of_word = |sign: char| sign.is_alphabetic() || matches!(sign, '\u{300}'..='\u{1cff}');
    let is_word = |word: &str| word.starts_with(char::is_alphabetic) && word.chars().all(is_of_word);
    let are_three = words.split('.').count() == 3 && !words.starts_with("www.");
    (are_three && words.split('.').all(is_word)).then_some(words)
}

fn unquoted(data: &str, place: usize) -> Address<'_> {
    if three_words(data).is_some() {
        return Address::ThreeWords;
    }
    let (word, rest) = data.split_at(place);
    if rest.starts_with('.') {
        return match is_bare(data).then(|| of_host(data)) {
            Some(fault @ Address::Faulty(Fault::Comma(_))) => fault,
            Some(_) => Address::Bare,
            None => Address::None,
        };
    }
    let name = word.trim_end_matches([';', ',']);
    if is_nearly_http(name) {
        let is_http = name.eq_ignore_ascii_case("http") || name.eq_ignore_ascii_case("https");
        if let Some(rest) = rest.strip_prefix("://").filter(|_| is_http && name == word) {
            return of_host(rest);
        }
        let slashes = rest.trim_start_matches([':', '/', '\\']);
        let signs = &rest[..rest.len() - slashes.len()];
        // `HTTP/2` is no address, and neither is `http: a protocol`.
        let is_meant = signs.len() > 1 || (signs == ":" && is_http && is_bare(slashes));
        if is_meant && !slashes.starts_with(char::is_whitespace) {
            return Address::Faulty(Fault::Scheme(&data[..word.len() + signs.len()]));
        }
    }
    // `Total:` and `Total:46` are none.
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || b".,".contains(&byte));
    let may_have_number =
        ["tel", "sms", "smsto", "geo"].iter().any(|scheme| word.eq_ignore_ascii_case(scheme));
    let is_scheme = rest.starts_with(':')
        && word.len() > 1
        && !is_label(word)
        && word.starts_with(|first: char| first.is_ascii_alphabetic())
        && (may_have_number || !is_number(&rest[1..]))
        && !rest[1..].starts_with(char::is_whitespace)
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    if is_scheme { Address::OtherScheme } else { Address::None }
}

/// Returns true for `http`, `https` and what becomes of them when letters are lost, doubled or change places.
fn is_nearly_http(word: &str) -> bool {
    let has = |letter: u8| word.bytes().any(|byte| byte.eq_ignore_ascii_case(&letter));
    (3..=7).contains(&word.len())
        && word.bytes().all(|byte| b"htps".contains(&byte.to_ascii_lowercase()))
        && word.starts_with(['h', 't', 'H', 'T'])
        && has(b't')
        && has(b'p')
}

/// Looks at the host of an address, which `rest` of the address begins with.
#[cold]
fn of_host(rest: &str) -> Address<'_> {
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or(rest);
    let host = authority.rsplit('@').next().unwrap_or(authority);
    let (name, port) = host.rsplit_once(':').unwrap_or((host, ""));
    let is_local = name.eq_ignore_ascii_case("localhost") || name.starts_with('[');
    // A name with a port is one of a network at home or in a company.
    let has_port = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    if name.contains(',') {
        Address::Faulty(Fault::Comma(host))
    } else if host.contains(['.', '。']) || is_local || (has_port && !name.is_empty()) {
        whole(rest.as_bytes(), rest.as_bytes())
    } else {
        Address::Faulty(Fault::NoDot(host))
    }
}

/// Looks at an address with a host. `rest` is behind its scheme.
fn whole<'d>(address: &[u8], rest: &[u8]) -> Address<'d> {
    if has_second(rest) {
        Address::Faulty(Fault::Two)
    } else if has_mark(address) {
        Address::Marked
    } else if memchr2(b',', b';', rest).is_some_and(|place| has_name(&rest[..place], &rest[place + 1..])) {
        Address::Named
    } else {
        Address::Whole
    }
}

/// Returns true where another address follows, as in a cell with two. An address may have another one within it, behind `/` or `=`.
fn has_second(rest: &[u8]) -> bool {
    memmem::find_iter(rest, b"://").any(|place| {
        let before = rest[..place].trim_ascii_end();
        let name = [&b"https"[..], b"http"].into_iter().find_map(|scheme| before.strip_suffix(scheme));
        name.is_some_and(|before| matches!(before.last(), Some(b',' | b';' | b'|')))
    })
}

/// Returns true where a comma or semicolon stands between an address and a name: `https://a.example/1,Eingang`. Of addresses of places,
/// such as `https://a.example/Berlin,Germany`, the last part before it begins with a capital letter as well.
#[cold]
fn has_name(before: &[u8], name: &[u8]) -> bool {
    let (Ok(before), Ok(name)) = (str::from_utf8(before), str::from_utf8(name)) else { return false };
    let last = before.rsplit(['/', '=', '?', '#']).next().unwrap_or_default();
    let is_of_name = |character: char| character.is_alphanumeric() || " -'’()".contains(character);
    name.starts_with(char::is_uppercase)
        && name.contains(char::is_lowercase)
        && name.chars().all(is_of_name)
        && (!last.starts_with(char::is_uppercase)
            || last.contains(|character: char| character.is_ascii_digit()))
}

/// Returns true for an address that ends with a mark of a sentence, or closes a bracket that it does not open.
fn has_mark(address: &[u8]) -> bool {
    match address.last() {
        Some(b'.' | b',' | b';') => true,
        Some(b')') => memchr_iter(b')', address).count() > memchr_iter(b'(', address).count(),
        _ => address.ends_with("…".as_bytes()),
    }
}

/// Returns true for a host without a scheme, alone or with a path. File names, numbers of versions and the like are none.
fn is_bare(data: &str) -> bool {
    let is_of_host = |character: char| character.is_alphanumeric() || "-.".contains(character);
    let end = data.find(|character| !is_of_host(character)).unwrap_or(data.len());
    let (host, rest) = data.split_at(end);
    if data.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("www.")) {
        return host.len() > 4 && !data.contains(char::is_whitespace);
    }
    let Some((name, top)) = host.rsplit_once('.') else { return false };
    let is_host = top.len() > 1
        && top.bytes().all(|byte| byte.is_ascii_lowercase())
        && host.len() <= LONGEST_HOST
        && host.split('.').all(|label| !label.is_empty() && !label.starts_with('-') && !label.ends_with('-'))
        && name.contains(char::is_alphabetic)
        // Names of programs begin with the top-level domain.
        && !["com", "org", "net", "io"].contains(&host.split('.').next().unwrap_or(host));
    if !is_host {
        return false;
    }
    let path = rest
        .strip_prefix(':')
        .map_or(rest, |port| port.trim_start_matches(|digit: char| digit.is_ascii_digit()));
    let has_path = path.len() > 1 && path.starts_with('/') && !path.contains(char::is_whitespace);
    has_path
        || (!path.contains(char::is_whitespace)
            && (path.is_empty() || path.starts_with(['/', '?', '#']))
            && is_top_level_domain(top))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_with_a_fault_and_their_words() {
        let faulty = [
            ("htps://typo.example/a", "begins with htps:// instead of https://"),
            ("hhtp://typo.example", "begins with hhtp:// instead of http://"),
            ("https//fehlt.example/a", "begins with https// instead of https://"),
            ("http//fehlt.example", "begins with http// instead of http://"),
            ("http:/shop.example", "begins with http:/ instead"),
            ("https:shop.example", "begins with https: instead"),
            ("https;//shop.example", "begins with https;// instead"),
            ("HTTPS:\\\\shop.example", "instead of https://"),
            ("https://laden,example/a", "laden,example in the address has a comma"),
            ("https://www.laden,example", "has a comma"),
            ("HTTPS://LADEN,EXAMPLE/A", "has a comma"),
            ("www.laden,example", "www.laden,example in the address has a comma"),
            ("www.laden,example/a,b", "www.laden,example in the address has a comma"),
            (
                "https://laden/a.html",
                "laden in the address has no dot: it opens only where that name is known",
            ),
            ("https://https://laden.example", "has no dot"),
            ("https://", "no host"),
            ("\"https://laden.example/a\"", "in quotes"),
            ("'https://laden.example'", "in quotes"),
            ("https://laden.example/a,https://laden.example/b", "another one behind it"),
            ("https://laden.example;http://laden.example", "another one behind it"),
            ("HTTPS://laden.example/a|https://laden.example/b", "another one behind it"),
            ("\"laden.example/a", "in quotes"),
            ("<https://laden.example>", "in brackets"),
            ("(https://laden.example/a_(b)).", "in brackets"),
            ("[HTTPS://laden.example/a],", "in brackets"),
            ("(www.laden.example/a)", "in brackets"),
            ("< laden.de >", "in brackets"),
            ("- https://laden.example/a", "- stands before the address"),
            ("• https://laden.example", "• stands before"),
            ("* HTTPS://laden.example/a.", "* stands before"),
            ("1. https://laden.example", "1. stands before"),
            ("12)\thttp://laden.example", "12) stands before"),
            ("o   https://laden.example", "o stands before"),
            ("a) https://laden.example", "a) stands before"),
            ("- 1. https://laden.example", "1. stands before"),
            ("- www.laden.example/a", "- stands before"),
            ("- laden.de/c", "- stands before"),
            ("• mailto:a@laden.example", "• stands before"),
            ("1. WIFI:S:a b;P:c;;", "1. stands before"),
        ];
        for (data, part) in faulty {
            let found = address(data);
            let Address::Faulty(fault) = found else { panic!("{data}: {found:?}") };
            assert!(fault.words().contains(part), "{data}: {}", fault.words());
        }
    }

    #[test]
    fn addresses_without_a_scheme() {
        let bare = [
            "www.laden.example",
            "WWW.LADEN.EXAMPLE/A",
            "laden.example/karte",
            "baeckerei.example",
            "bäckerei.de",
            "laden.example:8080/karte",
            "laden.com?x=1",
            "shop.laden.co.uk/",
            "laden.photo/a",
            "www.laden.example/a,b",
        ];
        for data in bare {
            assert_eq!(address(data), Address::Bare, "{data}");
        }
        for data in ["Total:", "Razem:", "Total:46", "Summe:1.234,50"] {
            assert_eq!(address(data), Address::None, "{data}");
        }
        assert_eq!(address("tel:110"), Address::OtherScheme);
        let none = [
            "",
            "a.b",
            "v1.2",
            "3.14",
            "1.234,50",
            "report.pdf",
            "Dr.Meier",
            "Dr. Meier",
            "info@park.example",
            "12.30",
            "a.de b",
            "a.de/b c",
            "18:00 Yoga",
            "com.laden.app",
            "siehe Aushang",
            "siehe: Aushang",
            "...",
            ".de",
            "4711.de",
            "10.0.0.1",
            "Art.No",
            "README.md",
            "SN-12/34",
            "HTTP/2",
            "a/b",
            "Inv.Nr/12",
            "\"quoted. And more\"",
            "www. is short",
            "ME.LOC.DE",
            "http. a",
            "12:30",
            "x.de, y.de",
        ];
        for data in none {
            assert!(
                !matches!(address(data), Address::Bare | Address::Faulty(_)),
                "{data}: {:?}",
                address(data)
            );
        }
    }

    #[test]
    fn three_words_of_a_place() {
        for data in
            ["///filled.count.soap", "///größe.été.soap", "///डोलने.पीसना.संभाला", "///Filled.Count.Soap"]
        {
            assert_eq!(address(data), Address::ThreeWords, "{data}");
        }
        for data in [
            "filled.count.soap",
            "//filled.count.soap",
            "////filled.count.soap",
            "///filled.count",
            "///www.laden.example",
            "///filled.count.soap.now",
            "///filled.count.soap/a",
            "///filled.count.soap now",
            "///filled..soap",
            "///filled.count.s0ap",
            "///filled-in.count.soap",
            "///a.b.c–d",
            "///",
        ] {
            assert_eq!(address(data), Address::None, "{data}");
        }
    }

    #[test]
    fn addresses_behind_other_text() {
        for data in [
            "Anna https://laden.example",
            "Shop: https://laden.example/a",
            "12.05.2027 https://laden.example",
            "Anna <https://laden.example>",
            "(Anna https://laden.example)",
            "<https://laden.example",
            "Anna https://laden.example https://laden.example",
            "Kurse: www.laden.example/kurse",
            "Kurse: laden.de (Anmeldung)",
            "Anmeldung: forms.gle/abc",
            "18:00 Yoga https://laden.example/a",
            "[Team](www.laden.example/team)",
            "[Anna](https://laden.example/a)",
            "Mars: https://laden.example/Mars_(planet)",
            "Mars (https://laden.example/Mars_(planet))",
            "- [Mars](https://laden.example/Mars_(planet))",
            "Dates: https://laden.example/dates until 1.3.",
        ] {
            assert_eq!(address(data), Address::Behind, "{data}");
        }
        for data in [
            "Anna https://laden.example and more",
            "Sign in: https://laden.example/x Name: anna PIN: 1234",
            "Please rate us: here https://laden.example is the place",
            "Anna\nhttps://laden.example",
            "Anna ftp://laden.example",
            "o:https://laden.example",
            "(see index.html/x)",
            "(9.30)",
            "[a/b]",
            "<a.b>",
            "<link href=https://laden.example>",
            "(tel:+49123)",
            "(01)09506000134352(10)A",
            "- Info: siehe Plan",
            "- Gate 7",
            "12. Gate: 7",
            "- Tel: 0711 123456",
            "1. WiFi: ask at desk",
            "Open index.html/x",
            "We close at 9.30",
        ] {
            assert_eq!(address(data), Address::None, "{data}");
        }
    }

    #[test]
    fn addresses_with_a_mark_behind_them() {
        for mark in [".", ",", ";", ")", ").", "_(b))"] {
            for start in ["https://laden.example/a", "HTTPS://laden.example/a?b=c", "http://server:8080/a"] {
                assert_eq!(address(&format!("{start}{mark}")), Address::Marked, "{start}{mark}");
            }
        }
        assert_eq!(address("https://laden.example."), Address::Marked);
        assert_eq!(address("https://laden.example/manua…"), Address::Marked);
    }

    #[test]
    fn addresses_with_a_name_behind_them() {
        for data in [
            "https://laden.example/1,Eingang",
            "https://laden.example/a;Nord-Tor",
            "https://laden.example/A1,Eingang (2)",
            "https://laden.example/?id=1,Übergang",
            "https://laden.example/,Eingang",
        ] {
            assert_eq!(address(data), Address::Named, "{data}");
        }
        for data in [
            "https://maps.example/@48.1,11.5,17z",
            "https://laden.example/artikel,123,Titel",
            "https://laden.example/a,b",
            "https://laden.example/a,B",
            "https://laden.example/1,A4",
            "https://laden.example/1,EUR",
            "https://laden.example/Berlin,Germany",
            "https://laden.example/?q=Berlin,Germany",
            "https://laden.example/paris,_Texas",
            "https://laden.example/1,Eingang,2",
            "https://laden.example/1,Eingang/a",
            "https://laden.example/1,Eingang.html",
            "https://laden.example/1,Eingang?a=1",
            "https://laden.example/1;Sitzung=1",
            "https://laden.example/1,Eingang%20Nord",
        ] {
            assert_eq!(address(data), Address::Whole, "{data}");
        }
    }

    #[test]
    fn addresses_without_a_fault() {
        let whole = [
            "https://laden.example/a,b",
            "https://archive.example/2027/https://laden.example",
            "https://laden.example/?to=https://laden.example/a",
            "https://laden.example?a,b",
            "https://laden.example/a_(b)",
            "HTTP://LADEN.EXAMPLE",
            "http://localhost/a",
            "http://server:8080/a",
            "http://[::1]/",
            "http://me:secret,word@laden.example/",
            "https://bücher.example",
        ];
        for data in whole {
            assert_eq!(address(data), Address::Whole, "{data}");
        }
        for data in [
            "mailto:info@park.example",
            "tel:+49123",
            "WIFI:S:a;;",
            "BEGIN:VCARD\nVERSION:3.0",
            "geo:1.2,3.4",
        ] {
            assert_eq!(address(data), Address::OtherScheme, "{data}");
        }
    }
}
