//! The days and times of events, by the names of their columns: `Datum, Beginn, Ende`, `Start date, Start time`.

use qrpress_kinds::{Kind, ValueForm, day_and_month, says_whole_day, zone_in_name};

use crate::names::{LONGEST, folded, is_one_of, simplified, words};
use crate::things::{days, is_name_of};

/// Words in the names of columns of times.
const TIMES: &str = "time uhrzeit zeit heure heures horaire hora horas horário horario ora orario tijd tijdstip uur tid tidspunkt klokkeslett \
    klokkeslæt kello kellonaika aika čas godzina idő időpont saat saati время час ώρα um 時間 時刻 时间 시간 الوقت وقت שעה שעת vrijeme ura giờ thờigian waktu jam เวลา horaires időpont godz klo uhr laiko kell aeg kellaaeg laiks laikas anstoß anstoss anpfiff spielbeginn kickoff coupdenvoi výkop kampstart tipoff calciodinizio avspark avkast";

/// A time in Flemish beside a word for a side: `Beginuur`. Alone, it may be the number of a lesson.
const HOUR: &str = "uur";

/// The word before times in Danish, Norwegian and Swedish. `Kl.` may also be a German class.
const AT: &str = "kl";

/// Words for the two sides of an event in the names of columns of dates and times, beside those that may be names themselves.
const SIDES: [(Side, &str); 2] = [
    (Side::Start, "anfang rozpoczęcia kezdete algus alguse sākuma pradžios начала початку έναρξης"),
    (Side::End, "eind schluss zakończenia konce lõpp lõpu beigu pabaigos окончания кінця закінчення λήξης"),
];

/// Short words for these, which may stand behind anything: `Datum Anmeldung bis`.
const SHORT_SIDES: [(Side, &str); 2] = [
    (Side::Start, "von ab van du dal dalle from fra från desde od da"),
    (Side::End, "bis to until till til hasta do al alle au tot totenmet"),
];

/// Words that are no side before others: `Datum van betaling`, `Date du paiement`, `Data do lembrete`.
const OF: [&str; 5] = ["van", "til", "du", "au", "do"];

/// A word for a day in Polish, before which `do` is a side: `Data do dnia`.
const UNTIL_DAY: &str = "dnia";

/// The words without those of the list that stand before others. The last one is a side: `Data wydarzenia do`.
fn without<'w>(words: &'w [String], list: &[&str]) -> impl Iterator<Item = &'w str> {
    let is_before = |place: usize| words.get(place + 1).is_some_and(|next| next != UNTIL_DAY);
    let kept = move |(place, word): &(usize, &String)| !list.contains(&word.as_str()) || !is_before(*place);
    words.iter().enumerate().filter(kept).map(|(_, word)| word.as_str())
}

/// A side of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Start,
    End,
}

/// A part of a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Day,
    Time,
}

/// The side that a word names.
fn side_of(word: &str) -> Option<Side> {
    let of_thing =
        [("start", Side::Start), ("end", Side::End)].into_iter().find(|(thing, _)| is_name_of(thing, word));
    let mut of_words = SIDES
        .into_iter()
        .chain(SHORT_SIDES)
        .filter(|(_, words)| words.split_ascii_whitespace().any(|each| each == word));
    of_thing.map(|(_, side)| side).or_else(|| of_words.next().map(|(side, _)| side))
}

/// Beginnings of words for the two sides of an event, beside a word for a day or a time: `Hora de início`, `Ora începerii`, `Alkamisaika`.
const STEMS: [(Side, &str); 2] = [
    (
        Side::Start,
        "start begin aanvang anfang debut inici inizi incep aloit pocet zacet poczat rozpoc zacat zaciat zahaj kezd alka comienz comec нача поча εναρξ",
    ),
    (
        Side::End,
        "slut konc konec koniec zavrs lopet zakonc ukonc befej vege paatt lopp sfars inchei bitis finaliz conclus конц оконч закин",
    ),
];

/// Contracts are concluded before they start: in French this word is no end, unlike the Spanish one with its accent.
const CONCLUSION: &str = "conclusion";

/// The side that a word beside one for a day or a time names.
fn side_in(word: &str) -> Option<Side> {
    if word == CONCLUSION {
        return None;
    }
    let folded = folded(word);
    let has_stem = |stems: &str| stems.split_ascii_whitespace().any(|stem| folded.starts_with(stem));
    side_of(word).or_else(|| STEMS.into_iter().find(|(_, stems)| has_stem(stems)).map(|(side, _)| side))
}

/// The date in Italian, Polish and Portuguese, and in Danish and Norwegian: the text of a code in English, and in Spanish.
const DATES: [&str; 2] = ["data", "dato"];

/// Names of columns that hold days of the week where another column has the dates.
const DAYS_OF_WEEKS: [&str; 12] =
    ["tag", "day", "jour", "día", "dia", "giorno", "dag", "dzień", "den", "nap", "gün", "diena"];

/// The column may hold dates as well as the texts of codes.
pub(crate) fn may_be_date(name: &str) -> bool {
    DATES.contains(&simplified(name).as_str())
}

/// A text that is a date, or a time on one.
pub(crate) fn is_date(text: &str) -> bool {
    text.contains(|character: char| !character.is_ascii_digit())
        && (Kind::Event.compose(&["-", text]).is_ok() || day_and_month(text).is_some())
}

/// A text that is a time of the day, or from one to another: `18:00`, `19h30`, `18 - 20 Uhr`. `12.30` may be a price. Some: events start then.
/// `1:30` is more often a duration, and `3:16` a verse.
pub(crate) fn time(text: &str) -> Option<bool> {
    /// Bytes of the longest one.
    const LONGEST: usize = 40;
    /// Events start then, or later.
    const MORNING: &str = "06";

    let text = text.trim();
    let may_be_time = text.len() <= LONGEST
        && text.contains(|character: char| character.is_ascii_digit())
        && text.parse::<f64>().is_err();
    let event = may_be_time.then(|| Kind::Event.compose(&["-", "2027-01-31", text]))?.ok()?;
    let (_, start) = event.split_once("DTSTART:")?;
    let (_, clock) = start.lines().next()?.split_once('T')?;
    Some(clock >= MORNING || clock.ends_with('Z'))
}

/// A text that events take for the time on their day: `18:00`, `18 Uhr`.
pub(crate) fn is_time_of_day(text: &str) -> bool {
    Kind::Event.compose(&["-", "2027-01-31", text]).is_ok()
}

/// The column holds durations, by its name.
pub(crate) fn names_duration(name: &str) -> bool {
    const DURATIONS: &str = "duration dauer spieldauer länge length runtime hours stunden arbeitsstunden lap laps split runde result results ergebnis résultat \
        resultado risultato durée duración durata duração duur längd varighed varighet kesto trwania długość délka trvání trvanie dĺžka trajanje duljina \
        dolžina hossz időtartam süre süresi длительность продолжительность тривалість διάρκεια 所要時間 時長 时长 소요시간 المدة משך";

    name.len() <= LONGEST && words(name).iter().any(|word| is_one_of(word, DURATIONS))
}

/// A text with words before a date: `od 25.10.2026`, `dal 12/11/2026`.
pub(crate) fn ends_in_date(text: &str) -> bool {
    text.len() <= LONGEST && text.match_indices(' ').any(|(place, _)| is_date(&text[place + 1..]))
}

/// Counts of the cells of a column that may hold dates or the data.
#[derive(Default)]
pub(crate) struct CellsOfDates {
    dates: usize,
    /// Neither dates nor placeholders.
    others: usize,
    has_link: bool,
}

impl CellsOfDates {
    pub fn add(&mut self, is_date: bool, has_link: bool, is_placeholder: bool) {
        self.dates += usize::from(is_date);
        self.others += usize::from(!is_date && !is_placeholder);
        self.has_link |= has_link;
    }

    /// They are dates: most of them, or any beside the columns of events, where days may be yet to come.
    pub fn are_dates(&self, are_events: impl Fn() -> bool) -> bool {
        let are_most = self.dates > 0 && self.dates >= 2 * self.others;
        !self.has_link && (are_most || ((self.dates > 0 || self.others == 0) && are_events()))
    }
}

/// The word before days in German, as in `Beginnt am`, beside which `Beginnt um` is the time.
const ON: &str = "am";

/// Words for zones beside those of times: `Time zone`, `Fuseau horaire`, `Saat dilimi`.
const ZONES: [&str; 8] = ["zone", "zones", "zona", "fuseau", "fuso", "dilimi", "offset", "tz"];

/// Words that name the zones of times alone: `Zone` may be a part of a hall.
const ZONES_OF_TIMES: [&str; 8] =
    ["timezone", "zeitzone", "tijdzone", "tidszone", "tidszon", "fuseau", "fuso", "tz"];

/// The column holds the time zones of times. In `Start time (zone of Berlin)` the zone belongs to times.
fn names_zone(name: &str) -> bool {
    let words = words(name.split('(').next().unwrap_or_default());
    words.iter().any(|word| ZONES.contains(&word.as_str()))
}

/// The column holds the time zones of times, and no zones of anything else.
pub(crate) fn names_time_zone(name: &str) -> bool {
    let is_of_time =
        |word: &String| TIMES.split_ascii_whitespace().any(|time| time == word) || word.starts_with("horari");
    let words = || words(name.split('(').next().unwrap_or_default());
    name.len() <= LONGEST
        && (words().iter().any(|word| ZONES_OF_TIMES.contains(&word.as_str()))
            || (names_zone(name) && words().iter().any(is_of_time)))
}

/// Words between one for a time and one for an event: `Hora del evento`.
const OF_EVENT: [&str; 10] = ["of", "de", "del", "dell", "der", "des", "du", "do", "da", "di"];

/// A word for an event, as a whole or as the beginning of another: `Veranstaltungszeit`.
fn names_event(word: &str) -> bool {
    is_name_of("event", word) || word.strip_suffix('s').is_some_and(|word| is_name_of("event", word))
}

/// Words between those for a day and for a time: `Fecha y hora`.
const AND: [&str; 13] = ["and", "und", "et", "y", "e", "i", "en", "a", "och", "og", "și", "ja", "és"];

/// The part in a name of a day and a time on it, which is that of a day: `Date and time`, `Datum/Uhrzeit`, `Data e hora de início`. A cell
/// of a day may have the time as well.
fn part_of_both(words: &[String]) -> Option<(Part, Option<Side>)> {
    let is_day = |word: &String| days().chain(DATES).any(|day| day == word);
    let is_time = |word: &String| TIMES.split_ascii_whitespace().any(|time| time == word);
    let between = [OF.as_slice(), &OF_EVENT].concat();
    let (day, time) = (words.iter().position(is_day)?, words.iter().rposition(is_time)?);
    let is_of_both = |word: &str| [day, time].iter().any(|place| words[*place] == word);
    let is_other = |word: &&str| !is_of_both(word) && !AND.contains(word) && !names_event(word);
    let mut rest = without(words, &between).filter(is_other);
    let side = rest.next().map(side_in);
    (day < time && rest.next().is_none() && side != Some(None)).then(|| (Part::Day, side.flatten()))
}

/// The side in a word for that of an event: `Beginn` in `Kursbeginn`.
fn without_event(word: &str) -> &str {
    let is_side = |text: &str| is_name_of("start", text) || is_name_of("end", text);
    let mut ends = word.char_indices().skip(1).map(|(place, _)| word.split_at(place));
    ends.find(|(event, side)| is_side(side) && names_event(event)).map_or(word, |(_, side)| side)
}

/// The name of a column of times without their zone: `Start (UTC)`.
fn without_zone(name: &str) -> &str {
    zone_in_name(name).map_or(name, |zone| zone.rest)
}

/// The part of an event's moment that a name says, and its side where it says one: `Date`, `Event time`, `Startzeit`, `Uhrzeit bis`.
fn part_of(name: &str) -> Option<(Part, Option<Side>)> {
    if name.len() > LONGEST || names_zone(name) {
        return None;
    }
    let words = words(without_zone(name));
    let all = words.concat();
    if all == AT {
        return Some((Part::Time, None));
    }
    if let Some(part) = part_of_both(&words) {
        return Some(part);
    }
    let plain: String = without(&words, &OF_EVENT).collect();
    let in_name = |word: &str, part: Part| {
        // `Am` and `um` say nothing alone.
        if all == word && word.len() > ON.len() && word != HOUR {
            return Some((part, None));
        }
        // `Startdatum` does not end in `um`, nor `Start huur` in `uur`.
        let of_hour = |text: &str| side_of(text.strip_suffix('s').unwrap_or(text));
        let side = match word {
            HOUR => of_hour,
            _ if word.len() > ON.len() => side_in,
            _ => side_of,
        };
        let beside = [all.strip_prefix(word), all.strip_suffix(word)].into_iter().flatten().find_map(side);
        if [plain.strip_prefix(word), plain.strip_suffix(word)].into_iter().flatten().any(names_event) {
            return Some((part, None));
        }
        if beside.is_none() && !words.iter().any(|each| each == word) {
            return None;
        }
        beside.or_else(|| without(&words, &OF).find_map(side_in)).map(|side| (part, Some(side)))
    };
    let mut times = TIMES.split_ascii_whitespace().chain([AT]);
    times
        .find_map(|time| in_name(time, Part::Time))
        .or_else(|| days().chain(DATES).chain([ON]).find_map(|day| in_name(day, Part::Day)))
}

/// A word for times, as a whole or at its end.
fn is_of_times(word: &str) -> bool {
    ["time", "zeit"].iter().any(|end| word.ends_with(end))
        || TIMES.split_ascii_whitespace().any(|time| time == word)
}

/// Words before a short one for a side that are neither of times nor of events: `přihlášení` in `Datum přihlášení do`.
fn others_before_side(name: &str) -> Vec<String> {
    let mut words = words(without_zone(name));
    let is_side = |word: String| SHORT_SIDES.iter().any(|(_, sides)| is_one_of(&word, sides));
    if !words.pop().is_some_and(is_side) {
        return Vec::new();
    }
    words.retain(|word| {
        !is_of_times(word)
            && ![AT, ON, UNTIL_DAY].contains(&word.as_str())
            && !days().chain(DATES).any(|day| day == word)
            && !AND.contains(&word.as_str())
            && !OF_EVENT.contains(&word.as_str())
            && !names_event(word)
            && side_in(word).is_none()
    });
    words
}

/// The ends in a column are those of something else than the events, by its name: `Datum přihlášení do` beside `Datum`. Beside
/// `Datum přihlášení od` they are not.
pub(crate) fn has_ends_of_others(
    kind: Kind,
    names: &[&str],
    found: &[Option<u32>],
    field: &str,
    name: &str,
) -> bool {
    let mut others = if ["end", "endTime"].contains(&field) { others_before_side(name) } else { Vec::new() };
    let starts = moments(kind, found).filter(|(field, _)| ["start", "startTime"].contains(field));
    for (_, column) in starts {
        let of_start = words(names[column as usize]);
        others.retain(|word| !of_start.contains(word));
    }
    is_mark_of_all(names, name) || !others.is_empty()
}

/// `Alle` is the end of times beside `Dalle`, and elsewhere a mark of those who are for all.
fn is_mark_of_all(names: &[&str], name: &str) -> bool {
    simplified(name) == "alle" && !names.iter().any(|other| simplified(other) == "dalle")
}

/// The place of a column's name among those of a time of events, from 1. A day goes before a name that may be that of a day or of a time,
/// such as `Beginn`, which is the time where another column has the day.
pub(crate) fn rank_of_moment(field: &str, name: &str) -> Option<usize> {
    if name.len() > LONGEST {
        return None;
    }
    let part = part_of(name);
    let all = words(without_zone(name)).concat();
    let all = without_event(&all);
    Some(match (field, part) {
        // Applications may start then.
        ("start", Some((Part::Day, Some(Side::Start))))
        | ("startTime", Some((Part::Time, Some(Side::Start))))
            if !others_before_side(name).is_empty() =>
        {
            4
        }
        ("start", Some((Part::Day, Some(Side::Start))))
        | ("startTime", Some((Part::Time, Some(Side::Start))))
        | ("end", Some((Part::Day, Some(Side::End))))
        | ("endTime", Some((Part::Time, Some(Side::End)))) => 1,
        ("start", Some((Part::Day, None))) if DATES.contains(&all) => 3,
        ("start", Some((Part::Day, None))) if DAYS_OF_WEEKS.contains(&all) => 4,
        ("startTime", Some((Part::Time, None))) if all == AT => 4,
        ("start", Some((Part::Day, None))) | ("startTime", Some((Part::Time, None))) => 2,
        ("start", Some((Part::Time, Some(Side::Start)))) => 6,
        ("start", None) if is_name_of("start", all) => 5,
        ("end", None) if is_name_of("end", all) => 2,
        // `Von` and `Bis` may be places.
        ("startTime", None) if side_of(all) == Some(Side::Start) => 3,
        ("endTime", None) if side_of(all) == Some(Side::End) => 2,
        _ => return None,
    })
}

/// This place where, of equal names, one without a zone goes first, and one with a zone that is not known last.
pub(crate) fn rank_beside_zone(field: &str, name: &str) -> Option<usize> {
    let of_zone = zone_in_name(name).map_or(0, |zone| if zone.is_known() { 1 } else { 2 });
    rank_of_moment(field, name).map(|rank| rank * 3 + of_zone)
}

/// The name of a column of times may say a zone in words: `Start (New York time)`, `Beginn (Berliner Zeit)`.
pub(crate) fn may_name_zone(name: &str) -> bool {
    /// Words with capitals beside those for times that are no places: `Game Time`, `Daylight Time`.
    const NO_PLACES: &str = "the of and game show military standard daylight summer winter actual real planned scheduled exact approx approximate \
        estimated optional required doors door opening closing meeting arrival departure call kickoff rehearsal service lunch dinner \
        sunday monday tuesday wednesday thursday friday saturday \
        genaue exakte ungefähre voraussichtliche geplante tatsächliche volle";

    let in_brackets = name.strip_suffix([')', ']']).and_then(|name| name.rsplit_once(['(', '[']));
    let Some((_, zone)) = in_brackets.filter(|_| name.len() <= LONGEST && !names_local_time(name)) else {
        return false;
    };
    let is_time = |word: &str| is_of_times(word) || ZONES.contains(&word);
    let is_place = |word: &str| {
        let lower = word.to_lowercase();
        word.starts_with(char::is_uppercase)
            && !is_time(&lower)
            && !is_one_of(&lower, NO_PLACES)
            && side_in(&lower).is_none()
            && !names_event(&lower)
            && !days().chain(DATES).any(|day| day == lower)
    };
    let all = || zone.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty());
    !zone.contains(char::is_numeric) && all().any(|word| is_time(&word.to_lowercase())) && all().any(is_place)
}

/// The column holds times, by its name: `Start time`, `Uhrzeit von`, `Endzeit`.
pub(crate) fn names_time(name: &str) -> bool {
    name.len() <= LONGEST && !names_zone(name) && words(name).iter().any(|word| is_of_times(word))
}

/// The column holds the times at which calendars remind of events, by its name: `Reminder Time`, `Erinnerungszeit`.
pub(crate) fn names_reminder(name: &str) -> bool {
    const REMINDERS: &str = "reminder erinnerung erinnerungszeit rappel promemoria recordatorio aviso lembrete herinnering herinneringstijd przypomnienia påmindelse připomenutí";

    name.len() <= LONGEST && words(name).iter().any(|word| is_one_of(word, REMINDERS))
}

/// The column says which events are of the whole day, by its name: `All day event`.
pub(crate) fn names_whole_day(name: &str) -> bool {
    /// Words beside those for the whole day and for an event: `Is all day event?`, `Duurt hele dag`.
    const OTHERS: [&str; 3] = ["is", "duurt", "ereignis"];
    /// Names without spaces.
    const TOGETHER: [&str; 3] = ["alldayevent", "isallday", "isalldayevent"];
    /// Names of programmes within a day, and of lengths of courses.
    const DURING_DAY: [&str; 7] =
        ["journée", "la journée", "journée complète", "ganztags", "full day", "heldag", "heldags"];

    let mut words = if name.len() <= LONGEST { words(name) } else { Vec::new() };
    words.retain(|word| !OTHERS.contains(&word.as_str()) && !names_event(word));
    let name = words.join(" ");
    !DURING_DAY.contains(&name.as_str()) && (TOGETHER.contains(&name.as_str()) || says_whole_day(&name))
}

/// The column holds days or times by the clocks of the place, by its name: `Start (local time)`, `Ortszeit`.
pub(crate) fn names_local_time(name: &str) -> bool {
    const LOCAL: &str = "local locale locales lokal lokale lokaler lokalt lokalny lokalna";
    const LOCAL_TIMES: &str = "ortszeit lokalzeit lokaltid localtime";

    let words = if name.len() <= LONGEST && !names_zone(name) { words(name) } else { Vec::new() };
    // `Local do evento` is a place.
    let is_part = |word: &String| {
        let is_time = TIMES.split_ascii_whitespace().any(|time| time == word) || word.ends_with("zeit");
        let is_side = !OF.contains(&word.as_str()) && !OF_EVENT.contains(&word.as_str());
        is_time || days().any(|day| day == word) || (is_side && side_in(word).is_some())
    };
    words.iter().any(|word| is_one_of(word, LOCAL_TIMES))
        || (words.iter().any(|word| is_one_of(word, LOCAL)) && words.iter().any(is_part))
}

/// The column is called `Von` or the like. It may be the start of an event, or a place or a sender.
pub(crate) fn names_side_alone(name: &str) -> bool {
    name.len() <= LONGEST && part_of(name).is_none() && side_of(&simplified(name)) == Some(Side::Start)
}

/// A name that may be that of a day or of a time, such as `Ende`, is a time's beside the name of a day alone. Without one, `Von` and `Bis`
/// are whole moments.
pub(crate) fn leave_whole_moments(kind: Kind, names: &[&str], found: &mut [Option<u32>]) {
    let place = |name: &str| kind.fields().iter().position(|field| field.name == name);
    let is = |part, column: u32| part_of(names[column as usize]).is_some_and(|(found, _)| found == part);
    let has_no_start = place("start").is_some_and(|start| found[start].is_none());
    for (day, time) in [("start", "startTime"), ("end", "endTime")] {
        let (Some(day), Some(time)) = (place(day), place(time)) else { return };
        let is_side = |column: &mut u32| part_of(names[*column as usize]).is_none();
        if has_no_start && let Some(column) = found[time].take_if(is_side) {
            found[day] = Some(column);
        }
        let has_no_day = found[day].is_some_and(|column| !is(Part::Day, column));
        found[time].take_if(|column| has_no_day && !is(Part::Time, *column));
    }
}

/// Names of the days on which exhibitions open and close. Shops, accounts and lists of grants have some of them, too.
const OPENINGS: [[&str; 2]; 8] = [
    [VERNISSAGE, "finissage"],
    ["opens", "closes"],
    ["openingdate", "closingdate"],
    ["opening", "closing"],
    ["eröffnung", "ende"],
    ["ouverture", "clôture"],
    ["inaugurazione", "chiusura"],
    ["inauguración", "clausura"],
];

/// The opening of nothing but exhibitions.
const VERNISSAGE: &str = "vernissage";

/// Names of columns of exhibitions.
const EXHIBITIONS: &str = "exhibition ausstellung exposition exposición exposição mostra tentoonstelling wystawa výstava utställning";

/// The columns of the days on which exhibitions open and close.
pub(crate) fn openings(names: &[&str]) -> Option<[u32; 2]> {
    let names: Vec<String> = names.iter().map(|name| simplified(name)).collect();
    let of = |word: &str| (0..).zip(&names).find(|(_, name)| *name == word).map(|(column, _)| column);
    let has_exhibitions = names.iter().any(|name| is_one_of(name, EXHIBITIONS));
    let mut pairs = OPENINGS.iter().filter(|[opening, _]| has_exhibitions || *opening == VERNISSAGE);
    pairs.find_map(|[opening, closing]| Some([of(opening)?, of(closing)?]))
}

/// The column has the days on which exhibitions open, or something else of that name.
pub(crate) fn names_opening(name: &str) -> bool {
    let name = simplified(name);
    OPENINGS.iter().any(|[opening, _]| name == *opening)
}

/// Exhibitions start on the day of their opening where no other column has a day or a time.
pub(crate) fn take_openings(
    kind: Kind,
    names: &[&str],
    is_taken: impl Fn(u32) -> bool,
    found: &mut [Option<u32>],
) {
    let places = ["start", "end"].map(|name| kind.fields().iter().position(|field| field.name == name));
    let has_end_alone = moments(kind, found).all(|(field, _)| field == "end");
    if let ([Some(start), Some(end)], Some(columns), true) = (places, openings(names), has_end_alone)
        && kind == Kind::Event
        && !names.iter().any(|name| names_day(name))
        && !columns.into_iter().any(is_taken)
    {
        (found[start], found[end]) = (Some(columns[0]), Some(columns[1]));
    }
}

/// A clock that tells columns of times apart, such as `Time` and `Time (ET)`. `CET` and `MEZ` are the same one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Clock<'n> {
    /// Seconds ahead of UTC.
    Known(i64),
    /// The name of a zone in which no times are read.
    Unknown(&'n str),
    OfPlace,
}

/// The clock of the zone in a name.
fn zone(name: &str) -> Option<Clock<'_>> {
    zone_in_name(name).map(|zone| zone.offset.map_or(Clock::Unknown(zone.zone), Clock::Known))
}

/// The column holds days, by its name.
pub(crate) fn names_day(name: &str) -> bool {
    part_of(name).is_some_and(|(part, _)| part == Part::Day)
}

/// The fields of times that have a column, with it.
fn moments(kind: Kind, found: &[Option<u32>]) -> impl Iterator<Item = (&'static str, u32)> {
    let fields = kind.fields().iter().zip(found);
    let moments = fields
        .filter(move |(field, _)| kind == Kind::Event && kind.value_form(field.name) == ValueForm::Moment);
    moments.filter_map(|(field, column)| Some((field.name, (*column)?)))
}

/// The column of times has not the zone of the column of starts. `From` may be a place where no column has an end.
pub(crate) fn has_other_zone(
    kind: Kind,
    names: &[&str],
    found: &[Option<u32>],
    name: &str,
    has_end: bool,
) -> bool {
    let start = moments(kind, found).find(|(field, _)| *field == "start");
    start.is_some_and(|(_, start)| zone(names[start as usize]) != zone(name))
        || (!has_end && may_be_place(name))
}

/// The column is called `From` or the like.
fn may_be_place(name: &str) -> bool {
    names_side_alone(name) && !is_name_of("start", &simplified(name))
}

/// A column has the end of events by its name.
pub(crate) fn has_end(kind: Kind, names: &[&str]) -> bool {
    kind == Kind::Event && names.iter().any(|name| rank_of_moment("endTime", name).is_some())
}

/// A column that fills no field has the times of one that does in another zone, or those of the place.
pub(crate) fn have_several_zones(kind: Kind, names: &[&str], found: &[Option<u32>]) -> bool {
    let has_end = has_end(kind, names);
    let is_other = |name: &str| {
        let mut others = moments(kind, found).filter(|(_, used)| zone(names[*used as usize]) != zone(name));
        others.any(|(field, _)| names_local_time(name) || rank_of_moment(field, name).is_some())
            && (has_end || !may_be_place(name))
    };
    let mut free = (0..).zip(names).filter(|(column, _)| !found.contains(&Some(*column)));
    free.any(|(_, name)| is_other(name))
}

/// Columns such as `Start` and `Start (UTC)` have the same times in several zones: those with the zone of the start's column are taken. Another
/// one may have another day, and an end needs the zone of its start.
pub(crate) fn leave_other_zones(kind: Kind, names: &[&str], found: &mut [Option<u32>]) {
    if have_several_zones(kind, names, found) {
        let others: Vec<u32> = moments(kind, found)
            .map(|(_, column)| column)
            .filter(|column| has_other_zone(kind, names, found, names[*column as usize], true))
            .collect();
        for column in found {
            column.take_if(|column| others.contains(column));
        }
    }
}

/// The clock by which a column has the times of a field, if its name says that: one of a zone, or that of the place.
fn clock_of<'n>(field: &str, name: &'n str) -> Option<Clock<'n>> {
    if let Some(zone) = zone(name) {
        return rank_of_moment(field, name).map(|_| zone);
    }
    let words = if names_local_time(name) { words(name) } else { Vec::new() };
    let is_end = words.iter().any(|word| side_in(word) == Some(Side::End));
    let is_day = words.iter().any(|word| days().chain(DATES).any(|day| day == word));
    (!words.is_empty() && !is_day && is_end == (field == "endTime")).then_some(Clock::OfPlace)
}

/// The columns of times by clocks whose columns all `is_empty`.
pub(crate) fn times_of_empty_clocks(names: &[&str], is_empty: impl Fn(usize) -> bool) -> Vec<u32> {
    let mut clocks: Vec<Option<Clock<'_>>> = Vec::new();
    for name in names {
        clocks.push(clock_of("startTime", name).or_else(|| clock_of("endTime", name)));
    }
    let has_cells =
        |clock| clocks.iter().enumerate().any(|(column, other)| *other == clock && !is_empty(column));
    let empty = (0..).zip(&clocks).filter(|(_, clock)| clock.is_some() && !has_cells(**clock));
    empty.map(|(column, _)| column).collect()
}

/// The columns of starts and ends by one clock: `Start (CET)` and `End (CET)`.
pub(crate) struct TimesOfClock<'n> {
    clock: Clock<'n>,
    pub start: u32,
    pub end: Option<u32>,
}

/// The times of each clock of which a column has the starts.
fn times_of_clocks<'n>(names: &[&'n str]) -> Vec<TimesOfClock<'n>> {
    let of_field = |field| {
        let columns = (0_u32..).zip(names);
        columns.filter_map(move |(column, name)| Some((clock_of(field, name)?, column)))
    };
    let mut all: Vec<TimesOfClock<'n>> = Vec::new();
    for (clock, start) in of_field("startTime") {
        if all.iter().all(|times| times.clock != clock) {
            let end = of_field("endTime").find(|(other, _)| *other == clock).map(|(_, end)| end);
            all.push(TimesOfClock { clock, start, end });
        }
    }
    all
}

/// Two columns have the starts and ends of events in one zone that is known.
pub(crate) fn have_times_of_zone(names: &[&str]) -> bool {
    times_of_clocks(names).iter().any(|times| matches!(times.clock, Clock::Known(_)) && times.end.is_some())
}

/// The times by several clocks, one of a zone that is known, beside days without a zone: nobody knows by which clocks these are the days.
/// One clock by two names is returned alone. A person may have chosen the column of the days, beside which others were found that are in a zone.
pub(crate) fn times_of_several_clocks<'n>(
    kind: Kind,
    names: &[&'n str],
    found: &[Option<u32>],
    chosen_start: Option<u32>,
) -> Vec<TimesOfClock<'n>> {
    let zone_of = |column: u32| zone(names[column as usize]);
    let found_start = || moments(kind, found).find(|(field, _)| *field == "start").map(|(_, start)| start);
    let is_day_alone = chosen_start
        .or_else(found_start)
        .is_some_and(|start| names_day(names[start as usize]) && zone_of(start).is_none())
        && moments(kind, found).all(|(field, column)| {
            ["start", "end"].contains(&field) || (chosen_start.is_some() && zone_of(column).is_some())
        });
    let all = if is_day_alone { times_of_clocks(names) } else { Vec::new() };
    let has_known = all.iter().any(|times| matches!(times.clock, Clock::Known(_)));
    // Two names of one clock: `Start (CET)` and `Start (MEZ)`.
    let is_twice = names.iter().filter(|name| clock_of("startTime", name).is_some()).count() > 1
        && !names.iter().any(|name| names_local_time(name));
    if has_known && (all.len() > 1 || is_twice) { all } else { Vec::new() }
}
