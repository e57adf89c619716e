//! Names of months, in the languages of most customers.

use std::collections::HashMap;
use std::sync::LazyLock;

/// The twelve names of a language in each line, as they stand alone and as they stand in dates. Their beginnings are names, too, where they
/// are those of one month alone. Accents do not matter.
const NAMES: &[&str] = &[
    "january february march april may june july august september october november december",
    // German, with Austria.
    "januar februar märz april mai juni juli august september oktober november dezember",
    "jänner feber mrz april mai juni juli august september oktober november dezember",
    // French, Italian, Spanish, Portuguese and Romanian.
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "enero febrero marzo abril mayo junio julio agosto setiembre octubre noviembre diciembre",
    "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie",
    // Dutch, Swedish, Danish, Norwegian and Icelandic.
    "januari februari maart april mei juni juli augustus september oktober november december",
    "januari februari mars april maj juni juli augusti september oktober november december",
    "januar februar marts april maj juni juli august september oktober november december",
    "januar februar mars april mai juni juli august september oktober november desember",
    "janúar febrúar mars apríl maí júní júlí ágúst september október nóvember desember",
    // Polish.
    "styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień",
    "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
    // Czech and Slovak.
    "leden únor březen duben květen červen červenec srpen září říjen listopad prosinec",
    "ledna února března dubna května června července srpna září října listopadu prosince",
    "január február marec apríl máj jún júl august september október november december",
    "januára februára marca apríla mája júna júla augusta septembra októbra novembra decembra",
    // Slovenian, Serbian and Croatian.
    "januar februar marec april maj junij julij avgust september oktober november december",
    "januarja februarja marca aprila maja junija julija avgusta septembra oktobra novembra decembra",
    "januar februar mart april maj jun jul avgust septembar oktobar novembar decembar",
    "januara februara marta aprila maja juna jula avgusta septembra oktobra novembra decembra",
    "јануар фебруар март април мај јун јул август септембар октобар новембар децембар",
    "јануара фебруара марта априла маја јуна јула августа септембра октобра новембра децембра",
    "siječanj veljača ožujak travanj svibanj lipanj srpanj kolovoz rujan listopad studeni prosinac",
    "siječnja veljače ožujka travnja svibnja lipnja srpnja kolovoza rujna listopada studenoga prosinca",
    // Hungarian and Turkish.
    "január február március április május június július augusztus szeptember október november december",
    "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
    // Estonian, Latvian and Lithuanian.
    "jaanuar veebruar märts aprill mai juuni juuli august september oktoober november detsember",
    "janvāris februāris marts aprīlis maijs jūnijs jūlijs augusts septembris oktobris novembris decembris",
    "janvāra februāra marta aprīļa maija jūnija jūlija augusta septembra oktobra novembra decembra",
    "janvārī februārī martā aprīlī maijā jūnijā jūlijā augustā septembrī oktobrī novembrī decembrī",
    "sausis vasaris kovas balandis gegužė birželis liepa rugpjūtis rugsėjis spalis lapkritis gruodis",
    "sausio vasario kovo balandžio gegužės birželio liepos rugpjūčio rugsėjo spalio lapkričio gruodžio",
    // Russian, Ukrainian and Bulgarian.
    "январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь",
    "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "січень лютий березень квітень травень червень липень серпень вересень жовтень листопад грудень",
    "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня",
    "януари февруари март април май юни юли август септември октомври ноември декември",
    // Greek.
    "ιανουάριος φεβρουάριος μάρτιος απρίλιος μάιος ιούνιος ιούλιος αύγουστος σεπτέμβριος οκτώβριος νοέμβριος δεκέμβριος",
    "ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου νοεμβρίου δεκεμβρίου",
    THAI,
];

const THAI: &str = "มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม สิงหาคม กันยายน ตุลาคม พฤศจิกายน ธันวาคม";

/// Short names of Thai, which have points in them.
const SHORT_THAI: &str = "ม.ค. ก.พ. มี.ค. เม.ย. พ.ค. มิ.ย. ก.ค. ส.ค. ก.ย. ต.ค. พ.ย. ธ.ค.";

/// The text with the whole name in place of a short one of Thai, and without the word for its years, `พ.ศ.`
pub(crate) fn with_thai_name(text: &str) -> Option<String> {
    const YEARS: &str = "พ.ศ.";

    let name = SHORT_THAI.split(' ').zip(THAI.split(' ')).find(|(short, _)| text.contains(*short));
    let named =
        name.map_or_else(|| text.to_owned(), |(short, whole)| text.replacen(short, &format!(" {whole} "), 1));
    let plain = named.replacen(YEARS, " ", 1);
    (plain != text).then(|| plain.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Names of Finnish without their ends, `kuu` and `kuuta`. They have no shorter forms: `mar` is March elsewhere.
const FINNISH: &str = "tammi helmi maalis huhti touko kesä heinä elo syys loka marras joulu";
const FINNISH_ENDS: [&str; 4] = ["", "kuu", "kuuta", "kuun"];

/// Names that are of one month in Polish and of another in Croatian, with both.
const POLISH_AND_CROATIAN: [(&str, u32, u32); 4] =
    [("listopad", 11, 10), ("listopada", 11, 10), ("lis", 11, 10), ("lip", 7, 6)];

/// Letters of the shortest beginnings of names.
const SHORTEST: usize = 3;

/// The points and spaces of a date with the day first, which tell languages apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// `17 listopada 2027`, as in Polish.
    Spaces,
    /// `17. listopada 2027.`, as in Croatian.
    Points,
    Other,
}

/// Months by their names and the beginnings of these. 0 where these are of more than one month.
static MONTHS: LazyLock<HashMap<String, u32>> = LazyLock::new(months);

fn months() -> HashMap<String, u32> {
    let all = || NAMES.iter().flat_map(|names| (1..).zip(names.split(' ')));
    let mut months: HashMap<String, u32> = HashMap::new();
    let mut add = |name: &str, month: u32| {
        months
            .entry(name.to_owned())
            .and_modify(|known| *known *= u32::from(*known == month))
            .or_insert(month);
    };
    for (month, name) in all() {
        add(&folded(name), month);
    }
    for (month, name) in (1..).zip(FINNISH.split(' ')) {
        for end in FINNISH_ENDS {
            add(&folded(&format!("{name}{end}")), month);
        }
    }
    let whole = months.clone();
    for (month, name) in all() {
        let name = folded(name);
        for (end, _) in
            name.char_indices().skip(SHORTEST).filter(|(end, _)| !whole.contains_key(&name[..*end]))
        {
            let start = months.entry(name[..end].to_owned()).or_insert(month);
            *start *= u32::from(*start == month);
        }
    }
    months
}

/// The month of a name, in a date of this form.
pub(crate) fn month_of(word: &str, form: Form) -> Option<u32> {
    let word = folded(word);
    if let Some((name, polish, croatian)) = POLISH_AND_CROATIAN.into_iter().find(|(name, ..)| *name == word) {
        // A Czech date has the day with a point, and `listopad` for November.
        return match form {
            Form::Spaces => Some(polish),
            Form::Points if name != "listopad" => Some(croatian),
            _ => None,
        };
    }
    MONTHS.get(&word).copied().filter(|month| *month > 0)
}

/// The word in small letters without accents.
pub(crate) fn folded(word: &str) -> String {
    /// Accents that are characters of their own.
    const ACCENTS: [char; 3] = ['\u{301}', '\u{307}', '\u{308}'];

    let plain = |letter: char| match letter {
        'á' | 'ä' | 'ã' | 'ā' | 'ă' | 'â' => 'a',
        'č' | 'ç' | 'ć' => 'c',
        'é' | 'ě' | 'ė' | 'ē' => 'e',
        'ğ' => 'g',
        'í' | 'ī' | 'ı' => 'i',
        'ļ' => 'l',
        'ń' => 'n',
        'ó' | 'ö' => 'o',
        'ř' => 'r',
        'ś' | 'ş' | 'š' | 'ș' => 's',
        'ț' | 'ť' => 't',
        'ú' | 'ü' | 'ū' | 'û' | 'ů' => 'u',
        'ý' => 'y',
        'ź' | 'ž' | 'ż' => 'z',
        'ά' => 'α',
        'έ' => 'ε',
        'ί' | 'ϊ' | 'ΐ' => 'ι',
        'ό' => 'ο',
        'ύ' => 'υ',
        'ώ' => 'ω',
        'ς' => 'σ',
        _ => letter,
    };
    word.to_lowercase().chars().filter(|letter| !ACCENTS.contains(letter)).map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_of_one_month_in_any_case() {
        for names in NAMES {
            assert_eq!(names.split(' ').count(), 12, "{names}");
            for (month, name) in (1..).zip(names.split(' ')) {
                let is_of_two = POLISH_AND_CROATIAN.iter().any(|(word, ..)| *word == name);
                for name in [name.to_owned(), name.to_uppercase(), folded(name)] {
                    let found = month_of(&name, Form::Other);
                    assert_eq!(found, Some(month).filter(|_| !is_of_two), "{name}");
                }
            }
        }
        for (month, name) in (1..).zip(FINNISH.split(' ')) {
            assert_eq!(month_of(&format!("{name}kuuta"), Form::Other), Some(month), "{name}");
        }
    }

    #[test]
    fn beginnings_are_of_one_month() {
        for (names, month) in [
            ("jan jän ian oca янв яну січ ιαν sij sau tammi", 1),
            ("mar mär mrz mart мар μαρ mars ožu maalis", 3),
            ("apr abr avr nis kwi dub tra квіт huhti", 4),
            ("may mai maj mei máj svi май мая тра μαΐ touko", 5),
            ("jun juin giu iun haz cze июн июня lipn srpanjx", 6),
            ("jul juil lug iul tem июл лип liepo", 7),
            ("aug aoû ago ağu sie srpn kol авг elo", 8),
            ("nov noi kas studenog лис marras", 11),
            ("dec déc dic dez des ara pro gru дек", 12),
        ] {
            for name in names.split(' ') {
                let is_refused = ["srpn", "srpanjx"].contains(&name);
                assert_eq!(month_of(name, Form::Other), Some(month).filter(|_| !is_refused), "{name}");
            }
        }
        for name in
            ["ju", "juli1", "srp", "čer", "rug", "list", "lis", "lip", "listopad", "listopada", "mаr", ""]
        {
            assert_eq!(month_of(name, Form::Other), None, "{name}");
        }
    }

    #[test]
    fn names_of_two_months_are_told_apart_by_points() {
        for (name, spaces, points) in [
            ("listopada", Some(11), Some(10)),
            ("Listopad", Some(11), None),
            ("lip", Some(7), Some(6)),
            ("listopadu", Some(11), Some(11)),
            ("srpnja", Some(7), Some(7)),
            ("srpna", Some(8), Some(8)),
            ("srp", None, None),
        ] {
            assert_eq!(
                [Form::Spaces, Form::Points].map(|form| month_of(name, form)),
                [spaces, points],
                "{name}"
            );
        }
    }
}
