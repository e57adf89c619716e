//! Numbers in texts that may be those of phones. Nothing but the rest of their list speaks for it, so that people are asked.

use std::ops::Range;

use qrpress_kinds::is_of_number;

use super::phones::{begins_account, has_word_of_others, is_never_called, is_of_digits, is_phone_number};
use super::within::call;

/// Digits of a number that has signs between them.
const DIGITS: std::ops::RangeInclusive<usize> = 8..=15;
/// Bytes of the longest text in which numbers are looked for.
const LONGEST: usize = 200;
/// Numbers for help.
const FOR_HELP: [&str; 13] =
    ["101", "110", "111", "112", "115", "117", "118", "119", "122", "133", "144", "911", "999"];
/// The beginning of numbers for help of six digits, such as `116 117`.
const FOR_HELP_OF_SIX: &str = "116";
/// Parts of the words before them.
const HELP: [&str; 15] = [
    "alarm", "ambulan", "brigade", "emergen", "feuer", "guard", "help", "hilfe", "nhs", "notruf", "polic",
    "poliz", "rescue", "rettung", "urgence",
];

/// Words before numbers of other things, beside those before which no number is looked for.
const OF_OTHERS: [&str; 23] = [
    "az", "bay", "bsn", "btw", "bus", "commande", "contract", "dossier", "flight", "gps", "ip", "kd", "kto",
    "member", "ni", "nip", "page", "police", "policy", "room", "réf", "seite", "siret",
];

/// The places of such numbers in a text that is neither a web address nor another code.
pub(super) fn unsure_numbers(text: &str) -> Vec<Range<usize>> {
    if text.len() > LONGEST || text.contains("://") || text.contains("tel:") {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = text[from..].find(|sign: char| sign.is_ascii_digit() || "+(".contains(sign)) {
        let start = from + start;
        let rest = &text[start..];
        let end = start + rest.find(|sign: char| !is_of_number(sign)).unwrap_or(rest.len());
        if start == 0 || text[..start].ends_with(|sign: char| sign.is_whitespace() || "(|".contains(sign)) {
            let numbers = numbers_of(text, start..end).into_iter();
            found.extend(numbers.filter(|number| may_be_called(text, number)));
        }
        from = end;
    }
    // Digits behind a number may be its extension, or be of something else. A text that begins with a number would become another code.
    let last = found.last().map_or(0, |number| number.end);
    let are_all = !text[last..].contains(|sign: char| sign.is_ascii_digit())
        && found
            .windows(2)
            .all(|pair| !text[pair[0].end..pair[1].start].contains(|sign: char| sign.is_ascii_digit()))
        && found.first().is_none_or(|number| number.start > 0 || number.end == text.len());
    if are_all { found } else { Vec::new() }
}

/// The text with `tel:` before such numbers. None where it has none.
pub(super) fn with_calls(text: &str) -> Option<String> {
    let numbers = unsure_numbers(text);
    let mut changed = text.to_owned();
    for place in numbers.iter().rev() {
        changed.replace_range(place.clone(), &call(&text[place.clone()]));
    }
    (!numbers.is_empty()).then_some(changed)
}

/// The numbers of a run of digits and signs: a new one begins behind a slash or a dash with its prefix.
fn numbers_of(text: &str, run: Range<usize>) -> Vec<Range<usize>> {
    let mut numbers = Vec::new();
    let mut start = run.start;
    for (place, sign) in text[run.clone()].match_indices(['/', '-', '–']) {
        let (place, behind) = (run.start + place, run.start + place + sign.len());
        let next = text[behind..run.end].trim_start();
        let is_apart = text[..place].ends_with(' ') || sign == "/";
        if is_apart && next.starts_with(['0', '+']) && digits_in(&text[start..place]) >= *DIGITS.start() {
            numbers.push(start..place);
            start = run.end - next.len();
        }
    }
    numbers.push(start..run.end);
    let is_behind = |sign: char| !sign.is_ascii_digit();
    numbers
        .into_iter()
        .map(|Range { start, end }| start..start + text[start..end].trim_end_matches(is_behind).len())
        .collect()
}

fn digits_in(text: &str) -> usize {
    text.bytes().filter(u8::is_ascii_digit).count()
}

/// Returns true for a number that phones may call, in a text that does not call it a number of something else.
fn may_be_called(text: &str, place: &Range<usize>) -> bool {
    let (before, number, behind) = (&text[..place.start], &text[place.clone()], &text[place.end..]);
    let goes_on = behind.starts_with(|sign: char| sign.is_alphanumeric() || "%€$£°:-".contains(sign));
    let last = before.split_whitespace().next_back().unwrap_or_default().to_lowercase();
    let is_of_other = has_word_of_others(before)
        || OF_OTHERS.contains(&last.trim_end_matches([':', '.']))
        || is_never_called(before)
        || before.split_whitespace().next_back().is_some_and(begins_account);
    if goes_on || is_of_other || number.rfind('+').is_some_and(|place| place > 0) {
        return false;
    }
    let has_prefix = match number.strip_prefix('(').unwrap_or(number).as_bytes() {
        [b'+', first, ..] => first.is_ascii_digit(),
        [b'0', b'0', ..] => is_phone_number(number),
        [b'0', ..] => true,
        _ => is_of_digits(&number.replace(['-', ' '], "")),
    };
    let is_long = if number.bytes().all(|byte| byte.is_ascii_digit()) {
        is_of_digits(number)
    } else {
        DIGITS.contains(&digits_in(number))
    };
    (has_prefix && is_long && !is_moment(number))
        || (is_for_help(number)
            && behind.trim().is_empty()
            && HELP.iter().any(|part| before.to_lowercase().contains(part)))
}

/// Returns true for `0800-1800`, from an hour to a later one, for `01.12.2027`, `01/12/27`, `09.00 - 17.30` and other parts of two digits,
/// of which phone numbers have five.
fn is_moment(number: &str) -> bool {
    let parts: Vec<&str> =
        number.split(|sign: char| !sign.is_ascii_digit()).filter(|part| !part.is_empty()).collect();
    let of_two = |parts: &[&str]| parts.iter().all(|part| part.len() <= 2);
    match &parts[..] {
        [rest @ .., _] if parts.len() == 3 => of_two(rest),
        // An address of a computer.
        [_, _, _, _] if number.matches('.').count() == 3 => true,
        [from, to] if number.contains('-') => from.len() == 4 && to.len() == 4 && from < to && *to < "2400",
        _ => parts.len() <= 4 && number.contains('.') && of_two(&parts),
    }
}

fn is_for_help(number: &str) -> bool {
    let digits = number.replace(' ', "");
    FOR_HELP.contains(&number)
        || (digits.len() == 6
            && digits.starts_with(FOR_HELP_OF_SIX)
            && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_may_be_called() {
        for (text, changed) in [
            ("Sue (Tues am) 07700 900 456", "Sue (Tues am) tel:07700900456"),
            (
                "Out of hours: 01632 960002 or 07700 900 777",
                "Out of hours: tel:01632960002 or tel:07700900777",
            ),
            ("Alarm: 112", "Alarm: tel:112"),
            ("Alarm – 112", "Alarm – tel:112"),
            ("Coastguard – 999", "Coastguard – tel:999"),
            ("Coast guard - 999", "Coast guard - tel:999"),
            ("Mountain rescue: 999", "Mountain rescue: tel:999"),
            ("Ärztliche Hilfe 116 117", "Ärztliche Hilfe tel:116117"),
            ("Help: 1800-205050", "Help: tel:1800205050"),
            ("0800-0224", "tel:08000224"),
            ("Balie 088 - 123 45 67", "Balie tel:0881234567"),
            ("Büro +49 (0)221 / 98 76-54", "Büro tel:+49221987654"),
            ("Haus: 0711 123456 / 0171 1234567 (abends)", "Haus: tel:0711123456 / tel:01711234567 (abends)"),
            ("Electrician: 0214501234", "Electrician: tel:0214501234"),
            ("Anna (0711) 12 34 56, abends", "Anna tel:0711123456, abends"),
            ("WhatsApp: +353 87 234 5678", "WhatsApp: tel:+353872345678"),
            ("Anna (WhatsApp) 0171-123456", "Anna (WhatsApp) tel:0171123456"),
            ("Room 4B 0711 123456", "Room 4B tel:0711123456"),
        ] {
            assert_eq!(with_calls(text).as_deref(), Some(changed), "{text}");
        }
        for text in [
            "Room 112",
            "Porsche: 911",
            "Polizei 110 Liter",
            "Police office room 101",
            "GPS +48.1234 +11.2345",
            "Router 010.000.000.001",
            "0711 123456-0 Zentrale",
            "Tel:0711-123456 x",
            "Reception 01632 960001 ext 12",
            "Fattura 0012/2027",
            "Policy 0123 456 789 expires 2027",
            "BSN 012345678",
            "Text HALL to 07700 900 318",
            "Fax: 0711 123457",
            "Room: 112 A",
            "Bus: 42",
            "Open 09.00 - 17.30",
            "Open 09:00-17:30",
            "Open: 0800-1800",
            "01.12.2027",
            "Day: 01/12/2027",
            "2027-01-12",
            "Price: 0.50",
            "£0123 4567",
            "Lot 0123 45678",
            "IBAN DE12 0711 1234 56",
            "Card 0123 4567 8901 2345",
            "SN-0214501234",
            "0001234567",
            "012345678905",
            "Tor 01234567",
            "Invoice no. 0711 123456",
            "0123 45678kg",
            "1000 / 2000 / 3000",
            "",
        ] {
            assert_eq!(with_calls(text), None, "{text}");
        }
    }
}
