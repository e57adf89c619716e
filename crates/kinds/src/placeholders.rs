//! Placeholders: words and signs that stand in a cell in place of a value.

use std::collections::HashSet;
use std::sync::LazyLock;

/// The words, in lower case, with `|` between them. Names of people or countries in some language, such as `na` and `nil`, are not among them.
const WORDS: &str = "n/a|n.a.|n. a.|#n/a|#nv|-|--|–|—|?|??|…|x|xx|n.n.|n. n.|tbd|t.b.d.|tba|tbc|todo|none|null|pending|unknown|see above|see below|\
    keine|keiner|kein|folgt|k.a.|k. a.|entfällt|unbekannt|siehe aushang|siehe oben|wird noch vergeben|wird nachgereicht|néant|inconnu|inconnue|\
    à venir|voir affichage|voir ci-dessus|sin datos|pendiente|desconocido|desconocida|nessuno|sconosciuto|sconosciuta|desconhecido|brak|\
    nieznany|geen|onbekend|volgt|zie boven|saknas|okänd|ukjent|ukendt|tuntematon|neznámý|ismeretlen|bilinmiyor";
/// Phrases, in lower case. Brackets and full stops around them do not matter. `link` is a name of people, and none.
const PHRASES: &str = "link folgt|link folgt noch|folgt noch|folgt in kürze|link kommt|link kommt noch|kommt noch|kein link|kein link vorhanden|noch kein link|\
    link fehlt|fehlt|fehlt noch|keine url|keine webseite|keine website|keine angabe|nicht vorhanden|nicht bekannt|noch offen|noch nicht bekannt|in arbeit|in vorbereitung|\
    no link|no link yet|no url|no website|no data|link follows|link to follow|link pending|link missing|link tbd|link tba|coming soon|link coming soon|to follow|\
    to be added|to be announced|to be confirmed|to be defined|to be determined|not available|not yet available|not applicable|not known|missing|placeholder|\
    url|url here|link here|your url|your url here|your link|your link here|insert link|insert link here|insert url|insert url here|add link|add link here|enter url|paste link here|\
    lien à venir|pas de lien|aucun lien|sans lien|bientôt|bientôt disponible|à compléter|à définir|non disponible|sin enlace|sin link|enlace pendiente|próximamente|\
    por definir|no disponible|nessun link|link in arrivo|in arrivo|da definire|non disponibile|sem link|link em breve|em breve|a definir|não disponível|\
    geen link|link volgt|nog niet bekend|brak linku|brak linka|wkrótce|ingen länk|länk kommer|kommer snart|ingen lenke|lenke kommer|intet link|ei linkkiä|\
    kommer senere|kommer senare|följer|følger|tulossa|täydennetään|bude doplněno|bude upřesněno|doplníme|připravuje se|v přípravě|bude doplnené|\
    do uzupełnienia|w przygotowaniu|będzie później|hamarosan|később|pótlás alatt|în curând|urmează|uskoro|naknadno|kmalu|eklenecek|скоро|\
    будет позже|нет ссылки|уточняется|незабаром|σύντομα|未定|準備中|近日公開|暂无|待定|미정|준비중";
static WORD_SET: LazyLock<HashSet<&str>> = LazyLock::new(|| WORDS.split('|').collect());
static PHRASE_SET: LazyLock<HashSet<&str>> = LazyLock::new(|| PHRASES.split('|').collect());
/// Bytes of the longest word or phrase, also in capitals.
const LONGEST: usize = 32;
const AROUND: [char; 12] = ['(', ')', '[', ']', '{', '}', '<', '>', '.', '…', '!', ' '];
/// Letters of the longest name of a part of a link: a GUID in braces is no name.
const LONGEST_NAME: usize = 30;
/// Signs that end a part of a link.
const BETWEEN: [char; 5] = ['/', '?', '&', '=', '#'];
const ENCODED: [(&str, &str); 6] =
    [("%7B", "{"), ("%7D", "}"), ("%3C", "<"), ("%3E", ">"), ("%5B", "["), ("%5D", "]")];
/// A sign stands for nothing where it stands this many times or more: `***`.
const FEWEST_SIGNS: usize = 3;
/// A telephone number stands for nothing if its last group is this many zeros or more: `0221/00000`.
const FEWEST_ZEROS: usize = 5;
/// Zeros in groups at the end of a telephone number, at most. Numbers of switchboards end in zeros: `04 90 00 00 00`.
const MOST_ZEROS: usize = 6;
/// Zeros at the end of a telephone number without groups, at most: `0140000000`.
const MOST_ZEROS_OF_ALL: usize = 8;

/// The text stands for nothing, whatever it is the value of.
pub fn is_placeholder(text: &str) -> bool {
    let text = text.trim();
    if text.len() <= LONGEST {
        let lower = text.to_lowercase();
        if WORD_SET.contains(lower.as_str()) || PHRASE_SET.contains(lower.trim_matches(AROUND)) {
            return true;
        }
    }
    is_repeated_sign(text) || is_unfilled_link(text)
}

fn is_repeated_sign(text: &str) -> bool {
    let mut signs = text.chars();
    let Some(first) = signs.next().filter(|sign| !sign.is_alphanumeric() || "xX".contains(*sign)) else {
        return false;
    };
    signs.clone().count() + 1 >= FEWEST_SIGNS && signs.all(|sign| sign == first)
}

/// The text is a web address with a part that is to be filled in: `https://a.example/{ID}`, `https://a.example/xxx`.
pub fn is_unfilled_link(text: &str) -> bool {
    let text = text.trim();
    let Some(address) = without_scheme(text) else { return false };
    let last = address.trim_end_matches('/').rsplit(BETWEEN).next().unwrap_or_default();
    if is_repeated_sign(last) {
        return true;
    }
    if !address.bytes().any(|byte| b"{<[%".contains(&byte)) {
        return false;
    }
    let mut address = address.to_owned();
    for (code, sign) in ENCODED {
        address = address.replace(code, sign).replace(&code.to_lowercase(), sign);
    }
    has_name_in(&address, ['{', '}'])
        || has_name_in(&address, ['<', '>'])
        // Brackets within a part are usual: `a[]=1`. A host of IPv6 has them, too.
        || address.split(BETWEEN).skip(1).any(|part| {
            let name = part.strip_prefix('[').and_then(|part| part.strip_suffix(']'));
            name.is_some_and(|name| is_name(name) && !name.starts_with(|sign: char| sign.is_ascii_digit()))
        })
}

/// A web address without its scheme; one that has none begins with a host and a path.
fn without_scheme(text: &str) -> Option<&str> {
    let after = |scheme: &str| {
        text.get(..scheme.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(scheme))
            .then(|| &text[scheme.len()..])
    };
    let is_host = |host: &str| {
        host.contains('.') && host.chars().all(|sign| sign.is_alphanumeric() || ".-".contains(sign))
    };
    after("https://")
        .or_else(|| after("http://"))
        .or_else(|| text.split_once('/').is_some_and(|(host, _)| is_host(host)).then_some(text))
}

/// A name stands between the signs.
fn has_name_in(address: &str, [start, end]: [char; 2]) -> bool {
    address.split(start).skip(1).any(|rest| rest.split_once(end).is_some_and(|(name, _)| is_name(name)))
}

/// The text may be the name of a part, or dots for it. Data in braces, such as JSON, is none.
fn is_name(text: &str) -> bool {
    text.chars().count() <= LONGEST_NAME
        && text.starts_with(|sign: char| sign.is_alphanumeric() || "_.…".contains(sign))
        && text.chars().all(|sign| sign.is_alphanumeric() || "_-.… %+".contains(sign))
}

/// The text of a telephone number that stands for nothing: `0`, `+49 221 0000000`.
pub fn is_no_number(text: &str) -> bool {
    let text = text.trim();
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let zeros = digits.len() - digits.trim_end_matches('0').len();
    let groups = text.rsplit(|sign: char| !sign.is_ascii_digit()).filter(|group| !group.is_empty());
    let mut of_zeros = groups.take_while(|group| group.bytes().all(|digit| digit == b'0')).map(str::len);
    let last = of_zeros.next().unwrap_or_default();
    zeros > 0
        && (zeros == digits.len()
            || zeros > MOST_ZEROS_OF_ALL
            || last >= FEWEST_ZEROS
            || last + of_zeros.sum::<usize>() > MOST_ZEROS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_whole_texts() {
        for word in WORDS.split('|') {
            assert!(word.len() <= LONGEST, "{word}");
            assert!(is_placeholder(&word.to_uppercase()), "{word}");
        }
        for phrase in PHRASES.split('|') {
            assert!(phrase.len() <= LONGEST && phrase.to_uppercase().len() <= LONGEST, "{phrase}");
            assert!(is_placeholder(&phrase.to_uppercase()), "{phrase}");
        }
        for text in
            ["Link folgt…", "(coming soon)", "<URL>", "[Your link here]", "Kein Link.", " Lien à venir "]
        {
            assert!(is_placeholder(text), "{text}");
        }
        for text in ["********", "xxxxxxxx", "XXX", "----", "k. A.     ", "....", "N.N.", "Unbekannt"] {
            assert!(is_placeholder(text), "{text}");
        }
        for text in [
            "",
            " ",
            "AAA",
            "111",
            "0",
            "Gate -",
            "X1",
            "Na",
            "**a**",
            "Sommer-2026-K",
            "keine Ahnung",
            "Link",
            "Link 7",
            "Coming soon: the film",
        ] {
            assert!(!is_placeholder(text), "{text}");
        }
    }

    #[test]
    fn links_are_to_be_filled() {
        for text in [
            "https://a.example/{ID}",
            "https://a.example/{{id}}/show",
            "https://a.example/a?id={Kunden-Nr}&b=1",
            "HTTP://a.example/%7Bid%7D",
            "https://a.example/%7bN%C3%BAmero%7d",
            "https://{shop}.example/1",
            "https://a.example/<id>",
            "https://a.example/%3Cid%3E?b=1",
            "https://a.example/[ID]",
            "https://a.example/[your id]/x",
            "https://a.example/?id=[ID]",
            "https://[2001:db8::1]/[ID]",
            "https://example.com/xxx",
            "https://a.example/XXXX",
            "https://a.example/XXXX/",
            "https://a.example/?id=xxx",
            "https://a.example/...",
            "a.example/{ID}",
        ] {
            assert!(is_unfilled_link(text) && is_placeholder(text), "{text}");
        }
        for text in [
            "https://a.example/",
            "https://[2001:db8::1]/a",
            "https://a.example/?a[]=1",
            "https://a.example/?a%5B%5D=1&filter[name]=b",
            "https://a.example/wiki/Foo_[bar]",
            "https://a.example/?ids=[1,2]&b=[1]",
            "https://a.example/xxxl",
            "https://a.example/xx",
            "https://a.example/XXX/2",
            "https://www.example.xxx/",
            "https://a.example/Doc.aspx?sourcedoc=%7BE0A7F1C2-1111-2222-3333-444455556666%7D&b=1",
            "https://a.example/?q=%7B%22a%22%3A1%7D",
            "https://a.example/100%25",
            "https://a.example/a<b",
            "See https://a.example/{ID}",
            "{ID}",
            "and/{or}",
        ] {
            assert!(!is_unfilled_link(text) && !is_placeholder(text), "{text}");
        }
    }

    #[test]
    fn numbers_of_zeros_are_none() {
        for text in ["0", "000000", "+49 221 0000000", "+1 800 000 0000", "0221/00000", "+00 000"] {
            assert!(is_no_number(text), "{text}");
        }
        for text in [
            "",
            "-",
            "+49 30 900000",
            "0221 4711-0",
            "+49 800 1000000",
            "110",
            "0171 1234567",
            "04 93 00 00 00",
            "01 40 00 00 00",
            "+33 4 90 00 00 00",
            "0140000000",
        ] {
            assert!(!is_no_number(text), "{text}");
        }
    }
}
