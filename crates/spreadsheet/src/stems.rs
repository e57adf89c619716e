//! Names of columns of contacts that say a field in several words, in any order: `Tél. mobile`, `Primary Email`, `Mobil-Tel.-Nr.`

use crate::names::{folded, words};
use crate::premises::{Premises, premises};

/// Words by which a field is known; `*` stands for any ending.
type Words = &'static str;

/// Fields with their words, and with others that say nothing beside these.
const FIELDS: [(&str, Words, Words); 6] = [
    (
        "email",
        "mail* email* messagerie courriel correo correio epost arbejdsmail sahkopost* почта почты пошта пошти",
        "an to a à aan till do empfanger* recipient* destinataire destinatari* ontvanger odbiorc* prijemc* mottagare* modtager* mottaker* e adress* adres* address* indirizzo direccion electroni* eletronico elettroni* elektroni* pracovni эл ел электронн* електронн* адрес*",
    ),
    (
        "mobile",
        "mob mobil* mobiil* mobiel* handy* cell cellul* celular* movil móvil telemov* komork* kom gsm portable matkapuh* cep моб мобил* мобіл* κινητ*",
        PHONES,
    ),
    ("phone", PHONES, "fijo fisso fixo fixe stacjonarn* direkt direkte direct"),
    (
        "url",
        "web www website* webseite* webpage* homepage* internet",
        "page site sitio seite adress* address* pagina",
    ),
    ("country", "country land pays pais país paese", "region o"),
    ("region", "region state province bundesland dep dép", "kanton departement"),
];

/// Words for telephones.
const PHONES: Words = "tel tél rufnummer rufnummern rufnr telefon* telefoon* telephon* phone kontakttel* puh puhelin* talrun* tālr tlf tfn tfno telf teléf телефон* тел τηλεφων* τηλ";

/// Words for numbers, and for those by whom people are reached.
const NUMBERS: Words = "nr no n nº º number nummer numero numer numeris numurs numar* numara* cislo szam* szám broj stevilk* номер αριθμ* kontakt* contact* контактн* επικοινων*";

/// Words that say nothing of any field, and those for the parents of pupils.
const BETWEEN: &str = "eltern mutter vater parents mother father mère père madre padre familia genitori mamma papà rodziców de la le del della di d do da du l of der die des til";

/// Words for the first one of several.
const FIRST: &str = "1 primary main default principal* primar* primär haupt hlavni glown*";

/// The distance of a name of a home to one of a firm.
const OF_HOME: usize = 20;

/// The distance of a column's name to the field's own, where all of its words belong to the field.
pub(crate) fn distance(field: &str, name: &str) -> Option<usize> {
    let (_, own, beside) = FIELDS.into_iter().find(|(each, ..)| *each == field)?;
    let words = words(name);
    let mut has_own = false;
    let mut distance = 0;
    for word in words.iter().map(|word| folded(word)) {
        let is = |list| is_in(&word, list);
        match premises(&word) {
            Some(Premises::Home) => distance = OF_HOME,
            Some(Premises::Firm) => {}
            None if is(own) => has_own = true,
            None if [beside, NUMBERS, BETWEEN, FIRST].into_iter().any(is) => {}
            None => return None,
        }
    }
    has_own.then_some(distance)
}

fn is_in(word: &str, list: &str) -> bool {
    list.split_ascii_whitespace().any(|each| match each.strip_suffix('*') {
        Some(stem) => word.starts_with(stem),
        None => each == word,
    })
}
