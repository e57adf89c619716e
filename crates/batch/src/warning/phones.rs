//! Phone numbers as people write them: with a country's code, or with the code of an area that stands apart.

use std::ops::Range;

use super::web_address::is_list_mark;
use qrpress_kinds::{CallingCode, is_of_number, with_hyphens};

/// Digits of a number with the country's code, and of one without.
const GLOBAL: std::ops::RangeInclusive<usize> = 8..=15;
const NATIONAL: std::ops::RangeInclusive<usize> = 8..=12;
/// Digits of an area's code, with its 0.
const AREA: std::ops::RangeInclusive<usize> = 3..=6;
/// Digits of a number whose area has a code of two.
const WITH_SHORT_AREA: std::ops::RangeInclusive<usize> = 9..=10;
/// Digits that follow a slash at once, where it stands behind an area's code, or digits of all the number, if spaces separate its parts:
/// `012/2027` is the number of an invoice.
const FEWEST_BEHIND_SLASH: usize = 5;
const FEWEST_WITH_SLASH: usize = 9;
/// Digits of a number behind an area's code and a hyphen, and of all of a number with a hyphen or with digits alone.
const BEHIND_HYPHEN: std::ops::RangeInclusive<usize> = 6..=8;
const WITHOUT_SPACES: std::ops::RangeInclusive<usize> = 9..=11;
/// Words beside a number. More are a sentence, or the name of something else with digits.
pub(super) const MOST_WORDS: usize = 5;
/// Characters of a number as people write it.
const LONGEST_WRITTEN: usize = 40;
/// Digits behind a country's code with the international prefix, at least.
const FEWEST_BEHIND_CODE: usize = 8;
/// Digits of a number that is called within its country, at least.
const FEWEST_NATIONAL: usize = 7;
/// Words before the numbers of phones.
const LABELS: [&str; 14] = [
    "gsm",
    "handy",
    "mob",
    "mobil",
    "mobile",
    "natel",
    "phone",
    "tel",
    "telefon",
    "telefoon",
    "telephone",
    "teléfono",
    "tél",
    "téléphone",
];
/// Words alone before numbers to which people write.
const FOR_MESSAGES: [&str; 4] = ["imessage", "sms", "telegram", "whatsapp"];
/// Words before the numbers of fax machines.
const FAX: [&str; 7] = ["fax", "faxgerät", "faxnr", "faxnummer", "telefax", "télécopie", "télécopieur"];
/// Words before other numbers.
const OF_OTHERS: [&str; 40] = [
    "account", "art", "article", "artikel", "batch", "box", "case", "charge", "code", "customer", "ean",
    "gtin", "id", "inv", "inventar", "invoice", "isbn", "item", "konto", "kunde", "lot", "meter", "mitglied",
    "model", "no", "nr", "order", "part", "patient", "po", "rechnung", "ref", "serial", "sku", "sn", "tax",
    "ticket", "vat", "version", "zähler",
];

/// Returns true for a phone number that is hardly anything else. Numbers of articles have more hyphens or fewer digits, dates and decimals
/// have points, and codes of goods have no spaces, or a 0 alone before the first.
pub(super) fn is_phone_number(data: &str) -> bool {
    if data.starts_with('1') {
        return is_freephone(data);
    }
    if !data.starts_with(['+', '0', '(']) || !data.chars().all(is_of_number) {
        return false;
    }
    let data = &*with_hyphens(data).replace(['\u{a0}', '\u{202f}'], " ");
    let digits = data.bytes().filter(u8::is_ascii_digit).count();
    if data.contains('.') {
        return (FEWEST_WITH_SLASH..=*NATIONAL.end()).contains(&digits) && has_pairs_behind_slash(data);
    }
    if let Some(rest) = data.strip_prefix("00").filter(|rest| rest.starts_with(|first: char| first != '0')) {
        return has_code_behind_prefix(rest) && GLOBAL.contains(&(digits - 2));
    }
    if let Some(rest) = data.strip_prefix('+') {
        let is_code = rest.starts_with(|first: char| first.is_ascii_digit() && first != '0');
        is_code && !rest.contains('+') && !rest.contains(" / ") && GLOBAL.contains(&digits)
    } else {
        let is_written_so =
            has_area(data, digits) || has_short_area(data, digits) || has_hyphen_behind_area(data);
        !data.contains('+') && NATIONAL.contains(&digits) && is_written_so
    }
}

/// The places of phone numbers behind a few words without numbers, or behind the mark of a list, and of those behind them. A number alone
/// has none.
pub(super) fn numbers_within(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut words = 0;
    let mut from = match text.split_once(char::is_whitespace) {
        Some((mark, rest)) if is_list_mark(mark) => text.len() - rest.len(),
        _ => 0,
    };
    let mut searched = from;
    while let Some(start) = text[searched..].find(|sign: char| sign.is_ascii_digit() || "+(".contains(sign)) {
        let start = searched + start;
        let is_of_word = text[..start].ends_with(char::is_alphanumeric);
        match if is_of_word { None } else { end_of_number(text, start) } {
            Some(end) => {
                words += words_in(&text[from..start]);
                found.push(start..end);
                (from, searched) = (end, end);
            }
            None if text[start..].starts_with('(') => searched = start + 1,
            None if is_name_of_team(&text[word_at(text, start)]) => searched = word_at(text, start).end,
            None => break,
        }
    }
    let is_alone = found.first().is_some_and(|number| number.len() == text.trim().len());
    if is_alone || words > MOST_WORDS { Vec::new() } else { found }
}

/// The place of the word that has something at that place.
fn word_at(text: &str, place: usize) -> Range<usize> {
    let start = text[..place].trim_end_matches(|sign: char| !sign.is_whitespace()).len();
    let end = text[place..].find(char::is_whitespace).map_or(text.len(), |length| place + length);
    start..end
}

pub(super) fn words_in(text: &str) -> usize {
    text.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count()
}

/// Returns true for `U11`, `2b` and `U7s`.
fn is_name_of_team(word: &str) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    word.contains(char::is_alphabetic) && digits <= 2 && !begins_account(word)
}

/// Returns true for two capital letters and two characters more, as in `DE12`: they begin the number of an account.
pub(super) fn begins_account(word: &str) -> bool {
    word.len() == 4 && word.bytes().take(2).all(|byte| byte.is_ascii_uppercase())
}

/// The end of a number that starts at that place of a text, before a sign, another number or a mail address.
fn end_of_number(text: &str, start: usize) -> Option<usize> {
    let rest = &text[start..];
    let signs = rest.char_indices().take(LONGEST_WRITTEN).take_while(|&(_, sign)| is_of_number(sign));
    let length = signs.last().map_or(0, |(place, sign)| place + sign.len_utf8());
    let mut number = &rest[..length];
    loop {
        number = number.trim_end_matches(|sign: char| !sign.is_ascii_digit());
        let name = &text[..start];
        // Other numbers are written so, too.
        let is_rare = || number.starts_with("1800") || has_hyphen_behind_area(&with_hyphens(number));
        let goes_on = || rest[number.len()..].starts_with(['-', '/']);
        let is_other = || is_rare() && (has_word_of_others(name) || goes_on());
        let is_written =
            || (is_phone_number(number) && !is_other()) || (start > 0 && is_mobile_number(name, number));
        let is_number = is_labelled(name, number) || (is_written() && !is_for_messages(name));
        if is_number && ends_number(&rest[number.len()..]) {
            return Some(start + number.len());
        }
        number = &number[..number.rfind([' ', '/', '('])?];
    }
}

/// Returns true for digits alone behind a name, as the numbers of mobile phones are written: in Britain, France, the Netherlands and
/// Switzerland, in Germany, and in Ireland.
fn is_mobile_number(name: &str, number: &str) -> bool {
    let are_digits = number.bytes().all(|byte| byte.is_ascii_digit());
    let is_written_so = match number.get(..2) {
        Some("06") => number.len() == 10,
        Some("07") => (10..=11).contains(&number.len()),
        Some("01") => (11..=12).contains(&number.len()) && number[2..].starts_with(['5', '6', '7']),
        Some("08") => number.len() == 10 && number[2..].starts_with(['3', '5', '6', '7', '9']),
        _ => false,
    };
    are_digits && is_written_so && !has_word_of_others(name)
}

/// Returns true for digits alone, or with a hyphen, behind the word for a phone that begins the text or its part, or has a colon behind it.
fn is_labelled(name: &str, number: &str) -> bool {
    let has_colon = name.trim_end().ends_with(':');
    let name = name.trim_end_matches(|sign: char| !sign.is_alphanumeric());
    let label = name.rsplit(|sign: char| !sign.is_alphanumeric()).next().unwrap_or_default();
    let before = name[..name.len() - label.len()].trim_end();
    let is_begun = before.is_empty() || before.ends_with([',', ';', '|', '/', '(', '·', '–']);
    let digits = number.replacen('-', "", 1).replace(' ', "");
    let is_label = |word: &str| is_label_of_phones(&word.to_lowercase());
    // `Telephone desk:` is one, too.
    let is_first =
        || has_colon && name.split(|sign: char| !sign.is_alphanumeric()).next().is_some_and(is_label);
    (((has_colon || is_begun) && is_label(label)) || is_first()) && is_of_digits(&digits)
}

/// Returns true for a word before the numbers of phones, in small letters.
pub(super) fn is_label_of_phones(word: &str) -> bool {
    LABELS.contains(&word)
}

/// Returns true for digits alone that may be a national number, and be another one as well: 9 to 11 behind a single 0, or those of a call
/// that costs nothing.
pub(super) fn is_of_digits(number: &str) -> bool {
    let is_national =
        WITHOUT_SPACES.contains(&number.len()) && number.starts_with('0') && !number.starts_with("00");
    let is_free = || number.len() == 10 && number.starts_with("1800");
    number.bytes().all(|byte| byte.is_ascii_digit()) && (is_national || is_free())
}

/// Returns true for a text that ends with a word before numbers of other things.
pub(super) fn has_word_of_others(text: &str) -> bool {
    let mut words = text.split_whitespace().rev().map(str::to_lowercase);
    let [last, before] = [(); 2].map(|()| words.next().unwrap_or_default());
    let word = last.trim_end_matches(['.', ':', '-']);
    let word = word.rsplit(['.', '-', ':']).next().unwrap_or(word);
    let is_of_phone = || LABELS.iter().any(|label| before == *label || word.starts_with(label));
    let is_number = word.ends_with("number") || word.ends_with("nummer");
    OF_OTHERS.contains(&word) || (is_number && !is_of_phone())
}

/// Returns true for a text that says that nobody calls the next number: `Text HALL to`, `Fax:`.
pub(super) fn is_never_called(text: &str) -> bool {
    let words = words_before(text);
    let are_for_calls = words.iter().any(|word| is_label_of_phones(word));
    let is_fax = |word: &String| FAX.contains(&word.as_str());
    let is_message = words.len() > 1 && words[0] == "text" && words[words.len() - 1] == "to";
    is_message || (!are_for_calls && words.iter().any(is_fax))
}

/// Returns true for such a text, and for `WhatsApp` alone, behind which phones call all the same.
fn is_for_messages(text: &str) -> bool {
    let words = words_before(text);
    is_never_called(text) || (words.len() == 1 && FOR_MESSAGES.contains(&&*words[0]))
}

/// The words between the last number and the next one, in small letters.
fn words_before(text: &str) -> Vec<String> {
    let name = text.rsplit(|sign: char| sign.is_ascii_digit()).next().unwrap_or_default().to_lowercase();
    let words = name.split(|sign: char| !sign.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Returns true where the text behind a number is not a part of its sentence, of the name of something else, or of the number.
fn ends_number(behind: &str) -> bool {
    let rest = behind.trim_start_matches(|sign: char| sign.is_whitespace() || ".,;".contains(sign));
    let is_apart = rest.len() < behind.len();
    rest.is_empty()
        || rest.starts_with(['(', ')', ']', '|', '/', '–', '—', '-', '·', '>'])
        || (is_apart && rest.starts_with('+'))
        || (behind.trim_start().starts_with([',', ';']) && rest.starts_with('0'))
        || (is_apart
            && rest.split_whitespace().next().is_some_and(|word| word.contains('@') || begins_label(word)))
}

/// Returns true for `Mob:` and `Tel.`
fn begins_label(word: &str) -> bool {
    word.strip_suffix([':', '.']).is_some_and(|word| is_label_of_phones(&word.to_lowercase()))
}

/// A number with an area's code before a space, a slash or a closing bracket: `0711 123456`, `(030) 12 34 56-0`.
fn has_area(data: &str, digits: usize) -> bool {
    let closed = data.strip_prefix('(');
    let is_closed = closed.is_some();
    let parts = match closed {
        Some(closed) => closed.split_once(')'),
        None => data.find([' ', '/', '\u{a0}', '\u{202f}']).map(|end| data.split_at(end)),
    };
    let Some((area, rest)) = parts else { return false };
    let has_slash = rest.trim_start().starts_with('/');
    let rest = rest.trim_start_matches(|sign: char| sign == '/' || sign.is_whitespace());
    let at_once = rest.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(rest.len());
    area.len() > 1
        && AREA.contains(&area.len())
        && area.starts_with('0')
        && !area.starts_with("00")
        && area.bytes().all(|byte| byte.is_ascii_digit())
        && rest.starts_with(|first: char| first.is_ascii_digit())
        && !rest.contains(['/', '(', ')'])
        && (is_closed
            || !has_slash
            || at_once >= FEWEST_BEHIND_SLASH
            || (digits >= FEWEST_WITH_SLASH && !rest.contains('-')))
}

/// Returns true for `01 555 0123`, `03 226 17 89` and `01 23 45 67 89`, as numbers are written in Dublin, Antwerp and France.
fn has_short_area(data: &str, digits: usize) -> bool {
    let is_part = |part: &str| part.len() > 1 && part.bytes().all(|byte| byte.is_ascii_digit());
    !data.starts_with("00")
        && data.split(' ').next().is_some_and(|area| area.len() == 2)
        && WITH_SHORT_AREA.contains(&digits)
        && data.split(' ').all(is_part)
}

/// Returns true for `087-1234567`, `06-12345678` and other mobile numbers, and for `021-450 1234`. Numbers of articles have no spaces there.
fn has_hyphen_behind_area(data: &str) -> bool {
    let Some((area, rest)) = data.split_once('-') else { return false };
    let are_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let number = rest.replace(' ', "");
    let is_mobile = match area.as_bytes() {
        b"06" => number.len() == 8,
        [b'0', b'8', b'3' | b'5' | b'6' | b'7' | b'9'] | [b'0', b'7', _] => number.len() == 7,
        [b'0', b'7', _, _, _] => number.len() == 6,
        [b'0', b'1', b'5' | b'6' | b'7', _] => (7..=8).contains(&number.len()),
        _ => false,
    };
    let is_spaced =
        rest.contains(' ') && (2..=4).contains(&area.len()) && BEHIND_HYPHEN.contains(&number.len());
    area.starts_with('0')
        && !area.starts_with("00")
        && are_digits(area)
        && (is_mobile || is_spaced)
        && WITHOUT_SPACES.contains(&(area.len() + number.len()))
        && rest.split(' ').all(|part| part.len() > 1 && are_digits(part))
        // Numbers of lots have zeros there.
        && !number.starts_with("00")
}

/// Returns true for `1800 123 456`, as numbers are written that cost nothing in Ireland and Australia.
fn is_freephone(data: &str) -> bool {
    let parts: Vec<&str> = data.split(' ').collect();
    let is_part = |part: &&str| part.len() == 3 && part.bytes().all(|byte| byte.is_ascii_digit());
    matches!(&parts[..], ["1800", rest @ ..] if rest.len() == 2 && rest.iter().all(is_part))
}

/// Returns true for `0485/98.76.54`, as numbers are written in Belgium. Numbers of other things have a date behind the slash.
fn has_pairs_behind_slash(data: &str) -> bool {
    let are_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let is_area = |area: &str| area.starts_with('0') && !area.starts_with("00") && are_digits(area);
    let is_pair = |part: &str| (2..=3).contains(&part.len()) && are_digits(part);
    data.split_once('/').is_some_and(|(area, rest)| {
        let area = area.trim_end();
        let is_day =
            |part: &str, last: u32| part.len() == 2 && part.parse::<u32>().is_ok_and(|day| day <= last);
        let is_date = rest.trim_start().split('.').zip([31, 12]).all(|(part, last)| is_day(part, last));
        !is_date
            && (2..=*AREA.end()).contains(&area.len())
            && is_area(area)
            && rest.trim_start().split('.').all(is_pair)
    })
}

/// Returns true for a country's code that stands apart behind the international prefix: `32 485 98 76 54`. Codes of a digit are none: numbers
/// of other things begin with `001`. Serial numbers begin with zeros, and numbers of cards have four digits in each part.
fn has_code_behind_prefix(rest: &str) -> bool {
    rest.split_once(' ').is_some_and(|(code, number)| {
        let of_card = number.split(' ').all(|part| part.len() == 4);
        let digits = number.bytes().filter(u8::is_ascii_digit).count();
        let is_number = !number.starts_with('0') && digits >= FEWEST_BEHIND_CODE && !of_card;
        code.len() > 1 && CallingCode::of(code).is_some() && is_number && !number.contains(['+', '/'])
    })
}

/// Returns true for a number that is called within its country alone. Numbers for help and of a few digits are others.
pub(super) fn is_national(number: &str) -> bool {
    number.len() >= FEWEST_NATIONAL
        && number.starts_with('0')
        && !number.starts_with("00")
        && !number.starts_with("0800")
}

/// A call within a country, with the country's code: `tel:+441631566120`. None of other texts, and of numbers that the country has not.
pub(super) fn called_from_abroad(text: &str, code: CallingCode) -> Option<String> {
    let number = text.strip_prefix("tel:").filter(|number| is_national(number))?;
    let number = code.complete("number", number).ok()??;
    Some(format!("tel:{number}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_phones() {
        for data in [
            "+49 711 123457",
            "+49711123457",
            "+49 (0)711 123457",
            "+49 711/123457-0",
            "+1 (212) 555-0100",
            "0711 123456",
            "0711 99887",
            "0711/123456",
            "0711 / 123456",
            "(030) 12 34 56-0",
            "(030)123456",
            "030 12 34 56\u{2013}0",
            "020 7946 0958",
            "044 123 45 67",
            "0171 1234567",
            "01 23 45 67 89",
            "01 555 0123",
            "01 4445566",
            "03 226 17 89",
            "07242/47 123",
            "0485/98.76.54",
            "02/123.45.67",
            "02 / 123.45.67",
            "1800 123 456",
            "087-1234567",
            "085-111 2233",
            "021-450 1234",
            "01-555 0123",
            "087-2012345",
            "086-0601234",
            "06-12345678",
            "079-1234567",
            "07700-900123",
            "0171\u{2011}1234567",
            "0032 485 98 76 54",
            "0049 (0)711 123456",
            "00353 1 555 0123",
            "0676/8776 5001",
        ] {
            assert!(is_phone_number(data), "{data}");
        }
    }

    #[test]
    fn other_numbers() {
        for data in [
            "",
            "+",
            "0",
            "(",
            "()",
            "(0",
            "2027-02-03",
            "03.02.2027",
            "03/02/2027",
            "03 02 2027",
            "03.02.2027 18:00",
            "0001234",
            "00012345678",
            "4006381333931",
            "0 12345 67890 5",
            "012345678905",
            "100-200-300",
            "010-200-300",
            "0815-4711",
            "0815-4711-12",
            "0-306-40615-2",
            "0 306 40615 2",
            "00 12",
            "01 02 2027",
            "01 555 012",
            "00 555 0123",
            "00 1234567",
            "0032485987654",
            "0049 123400",
            "0049 1234 5678 9000",
            "0034 0123 4567 89",
            "0031 000123",
            "0123/12.05.26",
            "0010 485 98 76 54",
            "0099 485 98 76 54",
            "0032 485",
            "0485/98.76",
            "0485/98.7654",
            "0485/1.234,5",
            "0123/27.05.2027",
            "01/05.06.26",
            "012/27.05",
            "001 212 555 0100",
            "12/03.2026",
            "1800 123",
            "1800 1234 567",
            "1800-123-456",
            "1900 123 456",
            "1 800 123 456",
            "0001 234567",
            "012/2027",
            "0123/2027",
            "0123/27-0001",
            "0.1234567",
            "0711.123456",
            "+1",
            "+12 345",
            "+49 30 123",
            "+48.1234567",
            "+48.13743 +11.57549",
            "+0711 123456",
            "+1234567890123456",
            "+49 711 12345 / 12346",
            "0123 4567 8901 2345",
            "06A 905 115",
            "0711 123456 Anna",
            "Tel. 0711 123456",
            "tel:+49711123457",
            "12 0711 123456",
            "012 345",
            "(12) 345678",
            "(1) 0711",
            "0800-1000",
            "08:00 - 12:00",
            "08 - 12",
            "(\u{a0}) 12",
            "(\u{a0})",
            "(\u{202f}) 0711 123456",
        ] {
            assert!(!is_phone_number(data), "{data}");
        }
    }

    #[test]
    fn numbers_of_other_things_with_hyphens_and_of_digits() {
        for data in [
            "08154-71123",
            "0815-4711234",
            "021-3456789",
            "0711-234567",
            "010-12345678",
            "01-5550123",
            "1800 20 50 50",
            "1800 372999",
            "0815-000123",
            "0815-012345",
            "0815-270526",
            "0815-260527",
            "02-20260527",
            "012-20260527",
            "012-27052026",
            "001-1234567",
            "0-306406152",
            "0306-40615-2",
            "0123-4567-890",
            "012-3456789012",
            "0214501234",
            "0871234567",
            "1800372999",
            "1800 12 3456",
            "1800 2027",
            "09-01-28 12345",
            "087-123 4 567",
        ] {
            assert!(!is_phone_number(data), "{data}");
        }
    }
}
