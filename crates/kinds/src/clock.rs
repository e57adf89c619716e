//! Times of the day as people write them, alone and from one to another.

use crate::moment::{DAY, Form, Moment};

/// Signs and words between the start and the end of an event.
pub(crate) const BETWEEN: [&str; 28] = [
    "-",
    "–",
    "—",
    "~",
    "〜",
    "～",
    " bis ",
    " to ",
    " à ",
    " a ",
    " a las ",
    " al ",
    " alle ",
    " alle ore ",
    " às ",
    " até ",
    " do ",
    " до ",
    " tot ",
    " til ",
    " till ",
    " hasta ",
    " hasta las ",
    " έως ",
    " ως ",
    " đến ",
    " sampai ",
    " s/d ",
];

/// The start, as `read` reads it, and the seconds from midnight to the end in `18:00 - 19:30 Uhr`, `18–20 h`, `6 to 8 pm`, `dalle 18 alle 20` and
/// `下午2:00-4:00`.
pub(crate) fn start_and_end(text: &str, read: impl Fn(&str) -> Option<Moment>) -> Option<(Moment, i64)> {
    let place = |between: &&str| Some((text.rfind(*between)?, between.len()));
    let (start, length) = BETWEEN.iter().filter_map(place).max()?;
    let (first, last) = (text[..start].trim(), text[start + length..].trim());
    let seconds = |start: Moment| start.seconds.rem_euclid(DAY);
    let Some(end) = time_of_end(last) else {
        // `ore 19 - 21`. Behind minutes it may be a zone: `18:00-05`.
        let is_hour = (1..=2).contains(&last.len()) && last.bytes().all(|digit| digit.is_ascii_digit());
        let may_be_zone = first.contains(':') && text[start..] == format!("-{last}");
        let end = time_of_end(&format!("{last}:00")).filter(|_| is_hour && !may_be_zone)?;
        return Some((read(first).filter(|start| end > seconds(*start))?, end));
    };
    let word = last.rsplit(|character: char| character.is_ascii_digit()).next()?.trim();
    let Some(start) =
        Some(word).filter(|word| !word.is_empty()).and_then(|word| read(&format!("{first} {word}")))
    else {
        let start = read(first)?;
        let is_of_half = HALVES.iter().any(|(word, half)| *half > 0 && first.contains(word));
        let is_later = is_of_half && end < DAY / 2 && end < seconds(start);
        return Some((start, if is_later { end + DAY / 2 } else { end }));
    };
    // In `10 - 2 pm` the start is in the morning.
    let is_of_start = end > seconds(start) || !word.to_lowercase().contains('m');
    is_of_start.then_some((start, end))
}

/// Words before times, such as `klo`, `ore` and `um`. One that begins with another stands before it.
const BEFORE: [&str; 41] = [
    "klo",
    "kl.",
    "kl",
    "kell",
    "plkst.",
    "à",
    "às",
    "a las",
    "um",
    "om",
    "alle ore",
    "alle",
    "ore",
    "la ora",
    "ora",
    "o godz.",
    "godz.",
    "ob",
    "od",
    "o",
    "u",
    "saat",
    "στις",
    "в",
    "о",
    "von",
    "ab",
    "from",
    "de las",
    "de",
    "das",
    "dalle ore",
    "dalle",
    "от",
    "с",
    "з",
    "από",
    "fra",
    "från",
    "van",
    "desde las",
];

/// Halves of the day, before times.
const HALVES: [(&str, i64); 6] =
    [("午前", 0), ("上午", 0), ("오전", 0), ("午後", 12), ("下午", 12), ("오후", 12)];

/// The clock of `午後2時30分`, `14时` or `오전 10:00` as `2:30`, `14:00` or `10:00`, and the half of the day that it says.
fn of_east(text: &str) -> Option<(String, Option<i64>)> {
    let half =
        HALVES.into_iter().find_map(|(word, half)| Some((text.strip_prefix(word)?.trim_start(), half)));
    let clock = half.map_or(text, |(clock, _)| clock);
    let is_hour = ['時', '时', '点', '點', '시'];
    if half.is_none() && !clock.contains(is_hour) {
        return None;
    }
    let mut plain = clock.replace(is_hour, ":").replace(['分', '분', ' '], "");
    if plain.ends_with(':') {
        plain.push_str("00");
    }
    Some((plain, half.map(|(_, half)| half)))
}

/// Words behind times, without the point that may end them. One that ends with another stands before it.
const BEHIND: [(&str, Option<i64>); 34] = [
    ("a.m", Some(0)),
    ("am", Some(0)),
    ("p.m", Some(12)),
    ("pm", Some(12)),
    ("π.μ", Some(0)),
    ("πμ", Some(0)),
    ("μ.μ", Some(12)),
    ("μμ", Some(12)),
    ("صباحًا", Some(0)),
    ("صباحاً", Some(0)),
    ("صباحا", Some(0)),
    ("ص", Some(0)),
    ("مساءً", Some(12)),
    ("مساء", Some(12)),
    ("م", Some(12)),
    ("uhr", None),
    ("uur", None),
    ("wib", None),
    ("wita", None),
    ("wit", None),
    ("น", None),
    ("sati", None),
    ("часа", None),
    ("órakor", None),
    ("hodin", None),
    ("hod", None),
    ("val", None),
    ("óra", None),
    ("uri", None),
    ("часов", None),
    ("год", None),
    ("ч", None),
    ("u", None),
    ("h", None),
];

/// Seconds since midnight of `18:00`, `klo 18.00`, `9:30`, `18:00:00`, `6:00 PM`, `6 pm`, `18.00`, `18.00 Uhr`, `18 Uhr`, `18h30`, `18u30`, `18:00 h`, `18 h`,
/// `ore 19`, `19.00 uur` and `18.30 hod.`.
pub(crate) fn time_of_day(text: &str) -> Option<i64> {
    /// Minutes behind a point that may be a quarter or half of an hour.
    const PARTS_OF_HOURS: [&str; 2] = ["25", "50"];

    let lower = text.to_lowercase();
    if let Some((clock, half)) = (!lower.is_ascii()).then(|| of_east(&lower)).flatten() {
        return seconds(&clock, half);
    }
    let after = |word: &&str| Some(lower.strip_prefix(*word)?.strip_prefix([' ', '\u{a0}'])?.trim_start());
    let after = BEFORE.iter().find_map(after);
    let (lower, is_said) = (after.unwrap_or(&lower), after.is_some());
    let whole = lower.strip_suffix('.').unwrap_or(lower);
    let word = BEHIND.into_iter().find_map(|(word, half)| Some((whole.strip_suffix(word)?, half)));
    let (clock, half) = word.unwrap_or((lower, None));
    let clock = clock.trim_end();
    let clock = match clock.split_once(['.', 'h', 'u']) {
        _ if clock.contains(':') => clock.to_owned(),
        Some((hour, minutes)) if clock.contains(['h', 'u']) => {
            format!("{}:{:0>2}", hour.trim_end(), minutes.trim_start())
        }
        Some((_, minutes)) if !is_said && word.is_none() && PARTS_OF_HOURS.contains(&minutes) => return None,
        Some((hour, minutes)) => format!("{hour}:{minutes}"),
        None if is_said || word.is_some() => format!("{clock}:00"),
        None => return None,
    };
    seconds(&clock, half)
}

/// Seconds from midnight to the end of an event, which may be the next midnight: `24:00`, `24 Uhr`, `midnight`.
pub(crate) fn time_of_end(text: &str) -> Option<i64> {
    const MIDNIGHT: [&str; 6] =
        ["midnight", "mitternacht", "minuit", "medianoche", "mezzanotte", "meia-noite"];

    let is_midnight = || MIDNIGHT.iter().any(|word| word.eq_ignore_ascii_case(text));
    time_of_day(text).or_else(|| (is_end_of_day(text) || is_midnight()).then_some(DAY))
}

/// The clock is at the end of a day: `24:00`, `24 Uhr`, `24.00 h`.
pub(crate) fn is_end_of_day(text: &str) -> bool {
    const LAST_HOUR: i64 = 23 * 3600;

    text.contains("24")
        && time_of_day(text).is_none()
        && time_of_day(&text.replacen("24", "23", 1)) == Some(LAST_HOUR)
}

/// Seconds since midnight of a clock such as `6:30`, in a half of the day.
fn seconds(clock: &str, half: Option<i64>) -> Option<i64> {
    let time = Moment::at_time(0, clock).filter(|time| time.form == Form::Local)?.seconds;
    let (hour, rest) = (time / 3600, time % 3600);
    match half {
        Some(half) => (1..=12).contains(&hour).then_some((hour % 12 + half) * 3600 + rest),
        None => Some(time),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_words_of_many_languages() {
        for text in [
            "18.30 uur",
            "18:30 uur",
            "ore 18.30",
            "ora 18:30",
            "18.30 hod",
            "18:30 hod.",
            "u 18:30 h",
            "18.30 h",
            "18h30",
            "18 h 30",
            "18u30",
            "18:30 val.",
            "klo 18.30",
            "o godz. 18:30",
            "às 18h30",
            "saat 18:30",
            "18.30 u",
            "om 18.30 uur",
            "в 18:30",
            "ob 18.30 uri",
            "6.30 p.m.",
            "6:30 μ.μ.",
            "6:30 مساءً",
            "18.30 WIB",
            "18.30 น.",
            "ab 18:30 Uhr",
            "с 18:30",
            "午後6時30分",
            "18時30分",
            "下午6:30",
            "오후 6시 30분",
        ] {
            assert_eq!(time_of_day(text), Some(66_600), "{text}");
        }
        for text in [
            "ore 18",
            "18 h",
            "u 18 h",
            "18 val.",
            "18 uur",
            "18h",
            "18 ч",
            "klo 18",
            "6 p.m.",
            "18 hod.",
            "18時",
            "下午6点",
        ] {
            assert_eq!(time_of_day(text), Some(64_800), "{text}");
        }
        for text in ["18", "18.", "18.50", "u", "h", "ore", "18 hours", "18 kg", "25 h", "18.30."] {
            assert_eq!(time_of_day(text), None, "{text}");
        }
    }

    #[test]
    fn ranges_have_words_of_many_languages() {
        let read = |text: &str| {
            let found =
                start_and_end(text, |text| Some(Moment { form: Form::Local, seconds: time_of_day(text)? }));
            found.map(|(start, end)| (start.seconds / 60, end / 60))
        };
        for text in [
            "18:00-20:00",
            "18:00~20:00",
            "18:00〜20:00",
            "ore 18 - 20",
            "klo 18-20",
            "kl. 18–20",
            "dalle 18:00 alle 20:00",
            "dalle 18 alle 20",
            "dalle ore 18 alle ore 20",
            "de 18h à 20h",
            "de 18:00 a 20:00",
            "de 18:00 a las 20:00",
            "das 18h às 20h",
            "с 18:00 до 20:00",
            "od 18:00 do 20:00",
            "von 18 bis 20 Uhr",
            "van 18.00 tot 20.00 uur",
            "18 - 20 h",
            "6 to 8 pm",
            "下午6:00-8:00",
            "午後6時〜8時",
            "18:00 - 20",
        ] {
            assert_eq!(read(text), Some((18 * 60, 20 * 60)), "{text}");
        }
        for text in ["18:00-05", "18:00-20", "18-20", "6 pm - 8", "18:00", "ore 18 - 120", "ore 18 - x"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
