//! Names of the days of the week, which stand beside dates and say nothing that these do not.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::month::folded;

/// Names, in the languages of most customers. Their beginnings are names, too. Names of several words stand here word by word.
const NAMES: &str = "monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonnabend \
    sonntag lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes sábado domingo lunedì martedì mercoledì \
    giovedì venerdì sabato domenica maandag dinsdag woensdag donderdag vrijdag zaterdag zondag poniedziałek wtorek środa czwartek piątek sobota \
    niedziela segunda terça quarta quinta sexta feira måndag tisdag onsdag torsdag fredag lördag söndag mandag tirsdag lørdag søndag pondělí úterý \
    středa čtvrtek pátek neděle pondelok utorok streda štvrtok piatok nedeľa hétfő kedd szerda csütörtök péntek szombat vasárnap \
    luni marți miercuri joi vineri sâmbătă duminică ponedjeljak utorak srijeda četvrtak petak subota nedjelja ponedeljek torek sreda četrtek petek \
    nedelja maanantai tiistai keskiviikko torstai perjantai lauantai sunnuntai pazartesi salı çarşamba perşembe cuma cumartesi pazar \
    esmaspäev teisipäev kolmapäev neljapäev reede laupäev pühapäev pirmdiena otrdiena trešdiena ceturtdiena piektdiena sestdiena svētdiena \
    pirmadienis antradienis trečiadienis ketvirtadienis penktadienis šeštadienis sekmadienis senin selasa rabu kamis jumat sabtu minggu \
    понедельник вторник среда четверг пятница суббота воскресенье пн вт ср чт пт сб вс понеділок вівторок середа четвер пятниця субота неділя нд \
    понеделник сряда четвъртък петък събота неделя δευτέρα τρίτη τετάρτη πέμπτη παρασκευή σάββατο κυριακή \
    thứ hai ba tư năm sáu bảy chủ nhật יום ראשון שני שלישי רביעי חמישי שישי שבת الأحد الإثنين الاثنين الثلاثاء الأربعاء الخميس الجمعة السبت \
    月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日 星期一 星期二 星期三 星期四 星期五 星期六 星期日 星期天 周一 周二 周三 周四 周五 周六 周日 \
    週一 週二 週三 週四 週五 週六 週日 월요일 화요일 수요일 목요일 금요일 토요일 일요일 \
    วันจันทร์ วันอังคาร วันพุธ วันพฤหัสบดี วันศุกร์ วันเสาร์ วันอาทิตย์ จันทร์ อังคาร พุธ พฤหัสบดี ศุกร์ เสาร์ อาทิตย์";

/// Names of one letter, which stand in brackets: `1月16日(土)`.
const LETTERS: &str = "月火水木金土日一二三四五六월화수목금토일";

/// Capitals that are a zone as well as the beginning of a name, with their day of the week, counted from Monday: `PET` is a Friday in Slovene,
/// and a zone of Peru.
const DAYS_AND_ZONES: [(&str, usize); 3] = [("MART", 1), ("CET", 3), ("PET", 4)];

/// The capitals are a zone, and name no day, or not this one.
pub(crate) fn may_be_zone(name: &str, day: usize) -> bool {
    DAYS_AND_ZONES.iter().any(|(each, of_name)| *each == name && *of_name != day)
}

/// The capitals name a day of the week, and are no zone.
pub(crate) fn names_day_alone(name: &str) -> bool {
    !DAYS_AND_ZONES.iter().any(|(each, _)| *each == name) && is_weekday(name, false)
}

/// Letters of the shortest beginnings of names.
const SHORTEST: usize = 2;

static WEEKDAYS: LazyLock<Vec<String>> =
    LazyLock::new(|| NAMES.split_ascii_whitespace().map(folded).collect());

static WHOLE_NAMES: LazyLock<HashSet<&str>> = LazyLock::new(|| WEEKDAYS.iter().map(String::as_str).collect());

/// The text without the name of a day of the week: `Sat, Dec 5, 2026`, `Sa., 5.12.2026`, `5.12.2026 (сб) 18:00`.
pub(crate) fn without_weekday(text: &str) -> Option<String> {
    const BEFORE: [char; 6] = [' ', '\u{a0}', ',', '.', '(', '（'];
    const BEHIND: [char; 7] = [' ', '\u{a0}', ',', '.', '-', ')', '）'];

    let mut from = 0;
    let (start, end) = loop {
        let (start, end) = word_in(text, from)?;
        if is_weekday(&text[start..end], text[..start].ends_with(['(', '（'])) {
            break (start, end);
        }
        from = end;
    };
    let before = text[..start].trim_end_matches(BEFORE);
    let mut rest = text[end..].trim_start_matches(BEHIND);
    // A name may have several words.
    while let Some((0, end)) = word_in(rest, 0).filter(|(_, end)| is_weekday(&rest[..*end], false)) {
        rest = rest[end..].trim_start_matches(BEHIND);
    }
    let between = if before.is_empty() || rest.is_empty() { "" } else { " " };
    Some(format!("{before}{between}{rest}"))
}

/// The place of the next word.
fn word_in(text: &str, from: usize) -> Option<(usize, usize)> {
    // Thai has accents that are no letters.
    let is_letter = |letter: char| letter.is_alphabetic() || ('\u{e47}'..='\u{e4e}').contains(&letter);
    let start = from + text[from..].find(is_letter)?;
    let end = text[start..]
        .find(|letter| !is_letter(letter) && letter != '\'')
        .map_or(text.len(), |end| start + end);
    Some((start, end))
}

/// The text is the name of a day of the week, or its beginning: `Samstag`, `Sa.`
pub fn is_name_of_weekday(text: &str) -> bool {
    let name = crate::values::trimmed(text).trim_end_matches(['.', ':']);
    word_in(name, 0) == Some((0, name.len())) && is_weekday(name, false)
}

/// A word of the text is the whole name of a day of the week, or begins with a long one: `Sonntag, 13. Juni`, `Samstagabend`. Names of three
/// letters may be initials.
pub fn has_weekday(text: &str) -> bool {
    /// Letters of the shortest name with which a word may begin.
    const LONG: usize = 6;
    /// Letters of the shortest name that is no initials.
    const WHOLE: usize = 4;

    let mut from = 0;
    while let Some((start, end)) = word_in(text, from) {
        let word = folded(&text[start..end]);
        let is_whole = word.chars().count() >= WHOLE || !word.is_ascii();
        let mut beginnings = word.char_indices().skip(LONG).map(|(end, _)| &word[..end]);
        if (is_whole && WHOLE_NAMES.contains(&*word)) || beginnings.any(|name| WHOLE_NAMES.contains(name)) {
            return true;
        }
        from = end;
    }
    false
}

/// The text has no other words than days of the week, or their beginnings, and those between them: `Mo`, `Mo-Fr`, `Sa und So 10:00`.
pub fn has_weekdays_alone(text: &str) -> bool {
    const BETWEEN: [&str; 11] = ["bis", "und", "and", "to", "et", "au", "en", "tot", "al", "do", "til"];

    let words = || {
        let mut from = 0;
        std::iter::from_fn(move || {
            let (start, end) = word_in(text, from)?;
            from = end;
            Some(&text[start..end])
        })
    };
    let is_between = |word: &str| word.chars().nth(1).is_none() || BETWEEN.contains(&word);
    words().any(|word| is_weekday(word, false))
        && words().all(|word| is_between(word) || is_weekday(word, false))
}

fn is_weekday(word: &str, is_in_brackets: bool) -> bool {
    // `วันเสาร์ที่ 16`: behind the day, the word for a number.
    let word = folded(word.strip_suffix("ที่").unwrap_or(word));
    match word.chars().count() {
        0 => false,
        1 => is_in_brackets && LETTERS.contains(&word),
        count => count >= SHORTEST && WEEKDAYS.iter().any(|weekday| weekday.starts_with(&word)),
    }
}

#[cfg(test)]
mod tests {
    use super::{has_weekday, has_weekdays_alone};
    use crate::time::Moment;

    #[test]
    fn texts_have_days_of_the_week() {
        for text in ["Sonntag, 13. Juni", "jeden Montag", "Samstagabend", "Zondagochtend", "周一", "MONTAGS"]
        {
            assert!(has_weekday(text), "{text}");
        }
        for text in ["", "Mo", "BA", "Sam", "So geht es weiter", "Monat", "Halle 2"] {
            assert!(!has_weekday(text), "{text}");
        }
        for text in ["Mo", "Mo-Fr", "Sa und So", "Mo, Mi 10:00", "Mittwoch"] {
            assert!(has_weekdays_alone(text), "{text}");
        }
        for text in ["", "12:00", "A", "Kai", "Mo Kai", "jeden Montag"] {
            assert!(!has_weekdays_alone(text), "{text}");
        }
    }

    #[test]
    fn dates_have_days_of_the_week_in_many_languages() {
        for text in [
            "Sat, Jan 16, 2027",
            "Sa., 16.1.2027",
            "samedi 16 janvier 2027",
            "16.01.2027 Cumartesi",
            "2027-01-16, šeštadienis",
            "laupäev, 16. jaanuar 2027",
            "sestdiena, 16.01.2027.",
            "събота, 16.01.2027 г.",
            "16 января 2027 г. (сб)",
            "суббота, 16.01.2027",
            "sâmbătă, 16 ianuarie 2027",
            "sambata 16.01.2027",
            "la 16.1.2027",
            "2027. január 16., szombat",
            "Σάββατο 16/01/2027",
            "Sabtu, 16 Januari 2027",
            "Thứ bảy 16/01/2027",
            "Thứ Bảy, 16/01/2027",
            "יום שבת 16.1.2027",
            "السبت 16/01/2027",
            "2027年1月16日(土)",
            "2027年1月16日（土）",
            "2027年1月16日 土曜日",
            "2027年1月16日 星期六",
            "2027-01-16(토)",
            "2027년 1월 16일 (토)",
            "2027년 1월 16일 토요일",
            "วันเสาร์ 16/01/2570",
            "16 de janeiro de 2027, sábado",
            "Lørdag d. 16. januar 2027",
            "Samstag, den 16. Januar 2027",
            "le samedi 16 janvier 2027",
        ] {
            let date = Moment::parse(text).map(Moment::date);
            assert_eq!(date.as_deref(), Some("20270116"), "{text}");
        }
        for text in ["segunda-feira, 18 de janeiro de 2027", "Segunda, 18/01/2027", "18.01.2027 (Mo)"] {
            assert_eq!(Moment::parse(text).map(Moment::date).as_deref(), Some("20270118"), "{text}");
        }
        for text in [
            "2027-01-16(토) 18:00",
            "Sa 16.01.2027 18:00",
            "16.01.2027 (сб), 18:00",
            "2027年1月16日(土) 18:00",
        ] {
            let moment = Moment::parse(text).map(Moment::date_time);
            assert_eq!(moment.as_deref(), Some("20270116T180000"), "{text}");
        }
        for text in ["x 16.1.2027", "2027-01-16 土", "Sa", "(土)", "sat", "16.1.2027 abgesagt"] {
            assert_eq!(Moment::parse(text), None, "{text}");
        }
    }
}
