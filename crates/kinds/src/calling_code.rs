//! Telephone numbers without their country's code, and the numbers that they are in a country (ITU-T E.123, E.129, E.164).

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

use crate::Kind;
use crate::phone::{
    SHORT, direct, extension, is_irish_service, is_separator, refuse_desk, refuse_two, with_bare_code,
    without_extension, without_prefix,
};
use crate::values::{Fault, trimmed};

/// The code of a country, and the way in which people write numbers without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallingCode {
    /// Its digits.
    code: &'static str,
    /// The national prefixes, which nobody dials after the code, with spaces between them. The usual one goes first.
    prefixes: &'static str,
    /// The least and most digits of a number without the prefix.
    digits: (usize, usize),
}

/// Every country that people can choose.
const COUNTRIES: [(&str, &str, (usize, usize)); 51] = [
    ("1", "1", (10, 10)),
    ("20", "0", (8, 10)),
    ("212", "0", (9, 9)),
    ("27", "0", (9, 9)),
    ("30", "", (10, 10)),
    ("31", "0", (9, 9)),
    ("32", "0", (8, 9)),
    ("33", "0", (9, 9)),
    ("34", "", (9, 9)),
    ("351", "", (9, 9)),
    ("353", "0", (7, 9)),
    ("354", "", (7, 7)),
    ("355", "0", (8, 9)),
    ("358", "0", (5, 12)),
    ("359", "0", (7, 9)),
    // Longer ones have an extension. One of 11 or 12 digits may have the code.
    ("352", "", (6, 9)),
    ("36", "06", (8, 9)),
    // It was 8 until 2024.
    ("370", "0 8", (8, 8)),
    ("371", "", (8, 8)),
    ("372", "", (7, 8)),
    // People dial 8, and 0 before the area code. They write both or one of them.
    ("375", "80 8 0", (9, 9)),
    ("380", "0", (9, 9)),
    ("381", "0", (8, 10)),
    ("385", "0", (7, 9)),
    ("386", "0", (8, 8)),
    ("387", "0", (8, 9)),
    ("389", "0", (8, 8)),
    // A number of 11 digits may be one with the code.
    (ITALY, "", (6, 10)),
    ("40", "0", (9, 9)),
    ("41", "0", (9, 9)),
    ("420", "", (9, 9)),
    ("421", "0", (9, 9)),
    (LIECHTENSTEIN, "", (7, 7)),
    ("43", "0", (5, 13)),
    ("44", "0", (7, 10)),
    ("45", "", (8, 8)),
    ("46", "0", (7, 9)),
    ("47", "", (8, 8)),
    ("48", "", (9, 9)),
    ("49", "0", (5, 13)),
    ("52", "", (10, 10)),
    ("55", "0", (10, 11)),
    ("61", "0", (9, 9)),
    ("64", "0", (8, 10)),
    ("7", "8", (10, 10)),
    ("81", "0", (9, 10)),
    ("82", "0", (8, 10)),
    ("86", "0", (10, 11)),
    ("90", "0", (10, 10)),
    ("91", "0", (10, 10)),
    ("972", "0", (8, 9)),
];

/// The country whose numbers keep their first 0.
const ITALY: &str = "39";

/// Countries where the prefix 8 is the first digit of numbers, too: `812 123-45-67` in Saint Petersburg.
const BEGIN_WITH_8: [&str; 2] = ["7", "370"];

/// Liechtenstein's code.
const LIECHTENSTEIN: &str = "423";

/// Ireland's code.
const IRELAND: &str = "353";

/// Names of countries, in small letters and without spaces, behind their code. `BY` is Bavaria in German lists.
const NAMES: [(&str, &str); 51] = [
    (
        "1",
        "us usa unitedstates unitedstatesofamerica vereinigtestaaten étatsunis statiuniti estadosunidos stanyzjednoczone verenigdestaten \
         ca can canada kanada",
    ),
    ("20", "eg egy ägypten egypt égypte egitto egipto egipt egypte"),
    ("212", "ma mar marokko morocco maroc marocco marruecos maroko"),
    ("27", "za zaf südafrika southafrica afriquedusud sudafrica sudáfrica zuidafrika"),
    ("30", "gr grc griechenland greece grèce grecia griekenland grecja řecko grécko ελλάδα ellada"),
    (
        "31",
        "nl nld niederlande dieniederlande netherlands thenetherlands paysbas nederland paesibassi paísesbajos holland holandia niderlandy \
         nizozemsko holandsko nizozemí",
    ),
    ("32", "be bel b belgien belgique belgië belgie belgium belgio bélgica belgia belgicko"),
    ("33", "fr fra f frankreich france francia frankrijk francja francie francúzsko"),
    ("34", "es esp e spanien spain españa espagne spagna spanje hiszpania španělsko španielsko"),
    ("351", "pt prt portugal portogallo portugalia portugalsko"),
    (IRELAND, "ie irl ireland irland irlande republicofireland éire irlanda ierland irlandia irsko írsko"),
    ("354", "is isl island iceland islande islanda islandia ijsland ísland"),
    ("355", "al alb albanien albania albanie shqipëri shqipëria"),
    ("358", "fi fin finnland finland finlande finlandia suomi finsko fínsko"),
    ("359", "bg bgr bulgarien bulgaria bulgarie bułgaria bulharsko българия"),
    ("352", "lu lux l luxemburg luxembourg lussemburgo luksemburg lucembursko luxembursko"),
    ("36", "hu hun ungarn hungary hongrie magyarország węgry ungheria hungría hongarije maďarsko"),
    ("370", "lt ltu litauen lithuania lituanie lituania litwa litouwen litva lietuva"),
    ("371", "lv lva lettland latvia lettonie lettonia letonia łotwa letland lotyšsko latvija"),
    ("372", "ee est estland estonia estonie estonsko estónsko eesti"),
    ("375", "blr belarus weißrussland bielorussia białoruś bělorusko bielorusko беларусь"),
    ("380", "ua ukr ukraine ucraina ucrania ukraina oekraïne ukrajina україна"),
    ("381", "rs srb serbien serbia serbie servië srbsko srbija србија"),
    ("385", "hr hrv kroatien croatia hrvatska croatie croazia croacia chorwacja kroatië chorvatsko"),
    ("386", "si svn slowenien slovenia slovenija slovénie eslovenia słowenia slovenië slovinsko"),
    (
        "387",
        "ba bih bosnien bosnia bosnienundherzegowina bosnienherzegowina bosniaandherzegovina bosniaherzegovina bosnaihercegovina",
    ),
    ("389", "mk mkd nordmazedonien northmacedonia mazedonien macedonia македонија"),
    (ITALY, "it ita i italien italy italia italie italië włochy itálie taliansko itálii"),
    ("40", "ro rou rumänien romania roumanie românia rumunia roemenië rumunsko rumania"),
    (
        "41",
        "ch che schweiz dieschweiz switzerland suisse svizzera suiza zwitserland szwajcaria švýcarsko švajčiarsko",
    ),
    (
        "420",
        "cz cze tschechien tschechischerepublik czechia czechrepublic česko čr českárepublika czechy tchéquie républiquetchèque repubblicaceca \
         chequia tsjechië",
    ),
    (
        "421",
        "sk svk slowakei slovakia slovensko słowacja slovenskárepublika slovaquie slovacchia eslovaquia slowakije",
    ),
    (LIECHTENSTEIN, "li lie fl liechtenstein fürstentumliechtenstein"),
    ("43", "at aut a österreich oesterreich austria autriche oostenrijk rakousko rakúsko ausztria"),
    (
        "44",
        "gb gbr uk unitedkingdom greatbritain england scotland wales northernireland großbritannien vereinigteskönigreich royaumeuni angleterre \
         regnounito reinounido wielkabrytania verenigdkoninkrijk velkábritánie veľkábritánia",
    ),
    ("45", "dk dnk dänemark denmark danmark danemark danimarca dinamarca dania denemarken dánsko"),
    ("46", "se swe schweden sweden sverige suède svezia suecia szwecja zweden švédsko"),
    ("47", "no nor norwegen norway norge norvège norvegia noruega norwegia noorwegen norsko nórsko"),
    ("48", "pl pol polen poland polska pologne polonia polsko poľsko"),
    (
        "49",
        "de deu d ger deutschland germany allemagne germania alemania duitsland niemcy německo nemecko brd bundesrepublikdeutschland \
         németország",
    ),
    ("52", "mx mex mexiko mexico méxico mexique messico"),
    ("55", "br bra brasilien brazil brasil brésil brasile"),
    ("61", "au aus australien australia australie"),
    ("64", "nz nzl neuseeland newzealand nouvellezélande nuovazelanda"),
    ("7", "ru rus russland russia russie rosja rusko россия kz kaz kasachstan kazakhstan"),
    ("81", "jp jpn japan japon giappone japón japonia japonsko 日本"),
    ("82", "kr kor südkorea southkorea coréedusud koreasouth"),
    ("86", "cn chn china chine cina chiny čína 中国"),
    ("90", "tr tur türkei turkey türkiye turquie turchia turcja turkije turecko"),
    ("91", "in ind indien india inde indie"),
    ("972", "il isr israel israël israele izrael"),
];

/// The codes of countries, by each of their names. Every row of a sheet may name one.
static CODES: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let all = NAMES.into_iter().flat_map(|(code, names)| names.split(' ').map(move |name| (name, code)));
    all.collect()
});

/// The beginnings of numbers of services, which are free of charge or dear, with the code of their country. Without one, they are those of
/// every country with the prefix 0.
const SERVICES: [(&str, &str); 5] = [
    ("", "0800 0900"),
    (IRELAND, "1800 1850 1890 0818"),
    ("34", "900 901 902"),
    (ITALY, "800"),
    ("49", "0180 0137"),
];

/// Digits from which on a number without the national prefix has its area code: spreadsheet programs take the prefix away.
const WITH_AREA: RangeInclusive<usize> = 9..=15;

/// The digits of a number without + and its country's code. None of a short number, which has no country, and of other texts.
fn national(text: &str) -> Option<String> {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let is_number = text.chars().all(|character| character.is_ascii_digit() || is_separator(character));
    (is_number && digits.len() > *SHORT.end()).then_some(digits)
}

/// The text is a number without + and its country's code, and no short one.
pub fn is_national_number(text: &str) -> bool {
    national(without_extension(&with_bare_code(trimmed(text)))).is_some()
}

/// The text is a number that gets the code of a country: it has none, not even behind 00.
pub fn lacks_code(text: &str) -> bool {
    is_national_number(text) && !with_bare_code(trimmed(text)).starts_with("00")
}

impl Kind {
    /// The field is a telephone number.
    pub fn is_telephone(self, field: &str) -> bool {
        match self {
            Self::Contact | Self::ContactV4 => {
                ["phone", "mobile", "homePhone", "otherPhone", "fax"].contains(&field)
            }
            Self::Sms | Self::Phone => field == "number",
            _ => false,
        }
    }
}

impl CallingCode {
    /// The code of a country by its name, its letters or the code itself: `Schweiz`, `CH`, `+41`.
    pub fn of_country(name: &str) -> Option<Self> {
        /// Bytes of the longest name that is looked at.
        const LONGEST: usize = 60;

        let name = Some(name).filter(|name| name.len() <= LONGEST)?;
        let text = trimmed(name);
        if let Some(code) = text.strip_prefix('+').or_else(|| text.strip_prefix("00")) {
            return Self::of(code);
        }
        let name: String =
            name.chars().filter(|letter| letter.is_alphabetic()).flat_map(char::to_lowercase).collect();
        Self::of(CODES.get(&*name)?)
    }

    /// The country whose code the number begins with, behind + or 00.
    pub fn in_number(text: &str) -> Option<Self> {
        let text = with_bare_code(trimmed(text));
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        let digits = if text.starts_with('+') { &*digits } else { digits.strip_prefix("00")? };
        let (code, ..) = COUNTRIES.into_iter().find(|(code, ..)| digits.starts_with(code))?;
        Self::of(code)
    }

    /// The number with + in place of the 00 before its country's code. None: it has no 00, or is none of that country.
    pub fn with_plus(text: &str) -> Option<String> {
        let text = with_bare_code(trimmed(text));
        let whole = format!("+{}", text.strip_prefix("00")?);
        let Self { code, digits: (least, most), .. } = Self::in_number(&text)?;
        let digits = national(without_extension(&without_prefix(&whole)[1..]))?;
        let number = digits.strip_prefix(code)?;
        let is_whole = (least..=most).contains(&number.len()) && (!number.starts_with('0') || code == ITALY);
        is_whole.then_some(whole)
    }

    /// The number is one of a service, such as 0800: it may not be dialled from other countries.
    pub fn is_of_service(self, text: &str) -> bool {
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        let is_of = |of: &str| of == self.code || (of.is_empty() && self.prefixes == "0");
        let mut starts =
            SERVICES.iter().filter(|(of, _)| is_of(of)).flat_map(|(_, starts)| starts.split(' '));
        lacks_code(text) && starts.any(|start| digits.starts_with(start))
    }

    /// The country's code of these digits.
    pub fn of(code: &str) -> Option<Self> {
        let (code, prefixes, digits) = COUNTRIES.into_iter().find(|country| country.0 == code)?;
        Some(Self { code, prefixes, digits })
    }

    /// The digits of the country's code.
    pub fn digits(self) -> &'static str {
        self.code
    }

    /// No country: it completes numbers that have the code of one behind 00.
    pub fn of_none() -> Self {
        Self { code: "", prefixes: "", digits: (0, 0) }
    }

    /// The number with + and the country's code, and its extension behind a comma; None of a text that is no number without them.
    ///
    /// # Errors
    /// The country has no such number, or the number may have the code already.
    pub fn complete(self, field: &'static str, text: &str) -> Result<Option<String>, Fault> {
        let text = &*with_bare_code(trimmed(text));
        refuse_two(field, text)?;
        // A contact keeps the pause: its other numbers are right.
        if field == "number" {
            refuse_desk(field, text, Some(self.code))?;
        }
        if let Some(number) = direct(text, Some(self.code)) {
            return self.complete(field, &number);
        }
        if let Some((number, extension)) = extension(text) {
            let number = self.complete(field, number)?;
            return Ok(number.map(|number| format!("{number},{extension}")));
        }
        let Some(digits) = national(text) else { return Ok(None) };
        let Self { code, prefixes, digits: (least, most) } = self;
        if code == IRELAND && is_irish_service(&digits) {
            return Ok(Some(digits));
        }
        // In America it is another prefix.
        if let Some(rest) = text.strip_prefix("00").filter(|_| code != "1") {
            return Ok(Some(format!("+{rest}")));
        }
        let prefix = prefixes.split(' ').next().unwrap_or_default();
        let fits = |digits: usize| (least..=most).contains(&digits);
        let stripped = self.without_prefix(&digits);
        let number = stripped.unwrap_or(&digits);
        let begins_with_zero = number.starts_with('0') && code != ITALY;
        if begins_with_zero || !fits(number.len()) {
            let count = if least == most { least.to_string() } else { format!("{least} to {most}") };
            let begin = match prefix {
                "" if code == ITALY => String::new(),
                "" => " and does not begin with 0".to_owned(),
                _ => format!(" behind a first {prefix}"),
            };
            let message = format!(
                "a number of +{code} has {count} digits{begin}. Correct it, or write it with + and its country's code."
            );
            return Err(Fault::new(field, message));
        }
        if code == ITALY && !number.starts_with(['0', '3', '8']) {
            let message = "a number of +39 begins with 0, 3 or 8. Correct it, or write it with + and its country's code.";
            return Err(Fault::new(field, message));
        }
        let behind_code = number.strip_prefix(code).map_or(0, str::len);
        let may_have_code = stripped.is_none() && code != ITALY && fits(behind_code);
        let has_area =
            prefix.is_empty() || stripped.is_some() || least == most || WITH_AREA.contains(&number.len());
        if may_have_code || !has_area {
            let message = if prefix.is_empty() {
                "the number may begin with its country's code. Write it with + and that code.".to_owned()
            } else {
                format!(
                    "the number begins neither with {prefix} nor with +. Write it with its area code, or with + and its country's code."
                )
            };
            return Err(Fault::new(field, message));
        }
        Ok(Some(format!("+{code}{number}")))
    }

    /// The digits behind the national prefix; None of digits that have none.
    fn without_prefix(self, digits: &str) -> Option<&str> {
        let (least, most) = self.digits;
        let is_number = |number: &&str| (least..=most).contains(&number.len());
        let mut behind =
            self.prefixes.split_ascii_whitespace().filter_map(|prefix| digits.strip_prefix(prefix));
        let is_whole = BEGIN_WITH_8.contains(&self.code) && is_number(&digits);
        behind.clone().find(is_number).or_else(|| behind.next().filter(|_| !is_whole))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_completed_as_their_country_writes_them() {
        for (code, text, expected) in [
            ("49", "0171 2345678", Some("+491712345678")),
            ("49", "(030) 12-34.56", Some("+4930123456")),
            ("49", "1712345678", Some("+491712345678")),
            ("49", "030\u{2013}1234\u{2011}56\u{2012}7\u{2212}8", Some("+493012345678")),
            ("49", "0043 664 1234567", Some("+43 664 1234567")),
            ("43", "0664/1234567", Some("+436641234567")),
            ("41", "079 123 45 67", Some("+41791234567")),
            ("44", "07700 900123", Some("+447700900123")),
            ("33", "06 12 34 56 78", Some("+33612345678")),
            ("39", "06 1234 5678", Some("+390612345678")),
            ("39", "392 123 4567", Some("+393921234567")),
            ("34", "612 345 678", Some("+34612345678")),
            ("48", "48 123 45 67", Some("+48481234567")),
            ("36", "06 30 123 4567", Some("+36301234567")),
            ("1", "(212) 555-0101", Some("+12125550101")),
            ("1", "1 212 555 0101", Some("+12125550101")),
            ("1", "(212) 555-0101x12", Some("+12125550101,12")),
            ("48", "22 123 45 69 wew. 12", Some("+48221234569,12")),
            ("48", "22 123 45 69 (W.12)", Some("+48221234569,12")),
            ("49", "030 123456 Durchwahl: 5", Some("+49301234565")),
            ("49", "089/1234-0 DW 20", Some("+4989123420")),
            ("43", "01 234567 Kl. 17", Some("+43123456717")),
            ("43", "01 / 234567 - 0 Klappe 17", Some("+43123456717")),
            ("43", "01 234567 0 DW: 15", Some("+43123456715")),
            ("421", "02/5555 1234 kl. 12", Some("+421255551234,12")),
            ("420", "222 333 444 kl. 12", Some("+420222333444,12")),
            ("43", "01 58800 DW 10", Some("+4315880010")),
            ("43", "0316 8760 Klappe 10", Some("+43316876010")),
            ("41", "044 123 45 67 DW 12", Some("+41441234567,12")),
            ("36", "06 1 123 4567 MELLÉK 3", Some("+3611234567,3")),
            ("33", "01 23 45 67 89, poste 21", Some("+33123456789,21")),
            ("7", "8 (916) 123-45-67", Some("+79161234567")),
            ("7", "701 123 45 67", Some("+77011234567")),
            ("7", "800 100 20 30", Some("+78001002030")),
            ("375", "8 (029) 123-45-67", Some("+375291234567")),
            ("90", "0532 123 45 67", Some("+905321234567")),
            ("91", "91234 56789", Some("+919123456789")),
            ("86", "138 0013 8000", Some("+8613800138000")),
            ("55", "(55) 99123-4567", Some("+5555991234567")),
            ("81", "090-1234-5678", Some("+819012345678")),
            ("372", "5123 4567", Some("+37251234567")),
            ("52", "55 1234 5678", Some("+525512345678")),
            ("353", "1800 123 456", Some("1800123456")),
        ] {
            let completed = CallingCode::of(code).unwrap().complete("number", text);
            assert_eq!(completed.unwrap().as_deref(), expected, "{code} {text}");
        }
        for text in ["+49 171 2345678", "112", "116117", "", "0171 CALL"] {
            assert_eq!(CallingCode::of("49").unwrap().complete("number", text), Ok(None), "{text}");
            assert!(!is_national_number(text), "{text}");
        }
    }

    #[test]
    fn a_country_stands_behind_00_as_behind_a_plus() {
        for (text, number) in [
            ("0043 664 1234567", "+43 664 1234567"),
            ("0049 (0)30 123456", "+49 (0)30 123456"),
            ("0041 (0)44 123 45 67", "+41 (0)44 123 45 67"),
            ("0039 06 1234 5678", "+39 06 1234 5678"),
            ("001 212 555 0101", "+1 212 555 0101"),
            ("0043 1 234567 DW 15", "+43 1 234567 DW 15"),
            ("(0041) 79 123 45 67", "+41 79 123 45 67"),
        ] {
            assert_eq!(CallingCode::with_plus(text).as_deref(), Some(number), "{text}");
        }
        for text in [
            "0664 1234567",
            "+43 664 1234567",
            "00800 1234 5678",
            "00999 123456",
            "0049 030 123456",
            "0041 44 123",
            "0041 044 123 45 67",
            "0012345",
            "0043",
            "0043 CALL",
            "",
        ] {
            assert_eq!(CallingCode::with_plus(text), None, "{text}");
        }
        let code = |text| CallingCode::in_number(text).map(CallingCode::digits);
        assert_eq!(code("+43 5574 / 43 210-12"), Some("43"));
        assert_eq!(code("(+41) 71 672 31 40"), Some("41"));
        assert_eq!(code("0043 1 2345"), Some("43"));
        assert_eq!(code("+999 1"), None);
        assert_eq!(code("043 12"), None);
    }

    #[test]
    fn countries_are_known_by_name_and_services_by_their_beginning() {
        for (name, code) in [
            ("Schweiz", "41"),
            (" CH ", "41"),
            ("A", "43"),
            ("Pays-Bas", "31"),
            ("U.S.A.", "1"),
            ("España", "34"),
            ("FL", "423"),
            ("Čína", "86"),
            ("ČR", "420"),
            ("Norge", "47"),
            ("+43", "43"),
            ("0049", "49"),
        ] {
            assert_eq!(CallingCode::of_country(name), CallingCode::of(code), "{name}");
        }
        for name in [
            "",
            "Bayern",
            "43",
            "+999",
            "+43 1 234567",
            "Land",
            "BY",
            "SN",
            "Atlantis",
            &"Schweiz".repeat(4000),
            &format!("Schweiz{}", " ".repeat(60)),
        ] {
            assert_eq!(CallingCode::of_country(name), None, "{name}");
        }
        let abroad = CallingCode::of_none().complete("number", "0041 44 1234567");
        assert_eq!(abroad.unwrap().as_deref(), Some("+41 44 1234567"));
        let is_of_service = |code: &str, text: &str| CallingCode::of(code).unwrap().is_of_service(text);
        for (code, text) in
            [("43", "0800 123 456"), ("49", "(0900) 1234567"), ("353", "1800 123 456"), ("34", "900 123 456")]
        {
            assert!(is_of_service(code, text), "{text}");
        }
        for (code, text) in
            [("43", "01 800 900"), ("49", "+49 800 1234567"), ("49", "089 1800 123"), ("1", "800 555 0199")]
        {
            assert!(!is_of_service(code, text), "{text}");
        }
    }

    /// Numbers of mobile telephones and of capitals as their countries' plans have them (ITU-T E.129).
    #[test]
    fn every_country_has_its_prefix_and_its_lengths() {
        let plans = "1:202-456-1111=2024561111 20:010-12345678=1012345678,02-27901234=227901234 212:0612-345678=612345678 \
            27:082-1234567=821234567 30:210-1234567=2101234567,6912345678=6912345678 31:06-12345678=612345678,020-1234567=201234567 \
            32:0470-123456=470123456,02-1234567=21234567 33:06-12345678=612345678 34:612-345678=612345678,912-345678=912345678 \
            351:912-345678=912345678,21-1234567=211234567 352:621-123456=621123456,26-123456=26123456 353:085-1234567=851234567,01-1234567=11234567 \
            354:611-1234=6111234 355:067-2123456=672123456,04-2345678=42345678 358:050-1234567=501234567,09-123456=9123456 \
            359:087-1234567=871234567,02-1234567=21234567 36:06-20-1234567=201234567,06-1-2345678=12345678 \
            370:0-612-34567=61234567,8-612-34567=61234567,612-34567=61234567,8-5-2123456=52123456,800-12345=80012345,8-800-12345=80012345 \
            371:2123-4567=21234567 372:5123-4567=51234567,612-3456=6123456 375:8-029-1234567=291234567,029-1234567=291234567,8-29-1234567=291234567 \
            380:050-1234567=501234567 381:060-1234567=601234567,011-1234567=111234567 385:091-234567=91234567,01-2345678=12345678 \
            386:031-234567=31234567,31-234567=31234567 387:061-123456=61123456 389:072-345678=72345678,72-345678=72345678 \
            39:312-3456789=3123456789,06-12345678=0612345678 40:0712-034567=712034567 41:078-1234567=781234567 420:601-123456=601123456 \
            423:660-1234=6601234,232-1234=2321234 421:0912-123456=912123456,02-12345678=212345678 43:0664-123456=664123456,01-5123456=15123456 44:07400-123456=7400123456 \
            45:3212-3456=32123456 46:070-1234567=701234567,08-123456=8123456 47:406-12345=40612345 48:512-345678=512345678 \
            49:01512-3456789=15123456789,030-123456=30123456 52:55-12345678=5512345678 55:011-961234567=11961234567,11-12345678=1112345678 \
            61:0412-345678=412345678 64:021-1234567=211234567,09-1234567=91234567 7:8-912-3456789=9123456789,812-1234567=8121234567,8-812-1234567=8121234567 \
            81:090-12345678=9012345678,03-12345678=312345678 82:010-20000000=1020000000,02-1234567=21234567 86:13123456789=13123456789,010-12345678=1012345678 \
            90:0501-2345678=5012345678 91:081234-56789=8123456789 972:050-2345678=502345678,02-1234567=21234567";
        let plans: Vec<_> = plans.split_ascii_whitespace().filter_map(|plan| plan.split_once(':')).collect();
        assert!(COUNTRIES.iter().all(|(code, ..)| plans.iter().any(|(each, _)| each == code)));
        for (code, numbers) in plans {
            for (text, number) in numbers.split(',').filter_map(|number| number.split_once('=')) {
                let completed = CallingCode::of(code).unwrap().complete("number", text);
                assert_eq!(completed, Ok(Some(format!("+{code}{number}"))), "{code} {text}");
            }
        }
    }

    #[test]
    fn numbers_that_may_be_others_are_refused() {
        for (code, text, expected) in [
            ("45", "0171 2345678", "a number of +45 has 8 digits and does not begin with 0."),
            ("48", "48 501 234 567", "a number of +48 has 9 digits and does not begin with 0."),
            ("33", "33 6 12 34 56 78", "a number of +33 has 9 digits behind a first 0."),
            ("39", "39 06 1234 5678", "a number of +39 has 6 to 10 digits."),
            ("39", "4854585", "a number of +39 begins with 0, 3 or 8."),
            ("1", "0049 171 2345678", "a number of +1 has 10 digits behind a first 1."),
            ("49", "089 1234-10 / -11", "these are two numbers to call. Leave one of them."),
            ("43", "0732 6543-10/11", "these are two numbers to call. Leave one of them."),
            ("43", "01 2345678 oder 0664 1234567", "these are two numbers to call. Leave one of them."),
            // The last digits may be those of another desk, or of the switchboard.
            (
                "49",
                "089 1234-56 DW 20",
                "the extension may belong in place of the last digits, or behind them.",
            ),
            (
                "43",
                "01 1234-56 DW 20",
                "the extension may belong in place of the last digits, or behind them.",
            ),
            (
                "49",
                "030 12340 DW 15",
                "the extension may belong in place of the last digits, or behind them.",
            ),
            ("49", "2345678", "the number begins neither with 0 nor with +."),
            ("7", "7 916 123 45 67", "a number of +7 has 10 digits behind a first 8."),
            ("7", "8 123 45 67", "a number of +7 has 10 digits behind a first 8."),
            ("375", "029 123 45 6", "a number of +375 has 9 digits behind a first 80."),
            ("370", "370 612 34567", "a number of +370 has 8 digits behind a first 0."),
            ("352", "352 40 23 45", "the number may begin with its country's code."),
            ("352", "352 621 123 456", "a number of +352 has 6 to 9 digits and does not begin with 0."),
            ("52", "01 55 1234 5678", "a number of +52 has 10 digits and does not begin with 0."),
            ("64", "64 3 123 4567", "the number begins neither with 0 nor with +."),
            ("49", "49 30 123456", "the number begins neither with 0 nor with +."),
        ] {
            let fault = CallingCode::of(code).unwrap().complete("number", text).unwrap_err();
            assert!(fault.message.starts_with(expected), "{code} {text}: {}", fault.message);
        }
    }
}
