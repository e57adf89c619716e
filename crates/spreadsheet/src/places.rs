//! Columns of places: their names, and their degrees beside the measures of goods.

use qrpress_kinds::Kind;

use crate::names::{LONGEST, folded, is_one_of, role_of, simplified, words};
use crate::parts::names_department;
use crate::things::is_name_of;

/// The English letter for the `O` of degrees, where the name of their column is of one language.
pub(crate) fn letter_of_o(name: &str) -> Option<&'static str> {
    const EAST: &str =
        "länge längengrad lengtegraad lengte koordinaten geokoordinaten gpskoordinaten coördinaten";
    const WEST: &str = "longitud longitudine coordenadas coordinate coordinategps";

    let simple = simplified(name);
    [(EAST, "E"), (WEST, "W")]
        .into_iter()
        .find(|(names, _)| is_one_of(&simple, names))
        .map(|(_, letter)| letter)
}

/// The name of a column of degrees without the words that say this alone: `GPS-Koordinaten`, `Geogr. Breite`.
pub(crate) fn without_earth(name: &str) -> Option<String> {
    let words = words(name);
    let is_of_earth = |word: &&String| {
        ["gps", "wgs84", "wgs", "n", "e"].contains(&word.as_str())
            || ["geogr", "геогр"].iter().any(|stem| folded(word).starts_with(stem))
    };
    let rest: Vec<&str> = words.iter().filter(|word| !is_of_earth(word)).map(String::as_str).collect();
    (!rest.is_empty() && rest.len() < words.len()).then(|| rest.concat())
}

/// The names of columns, with that of postcodes for a `CEP` that is none of a mobile telephone in Turkish.
pub(crate) fn without_cep<'n>(names: &[&'n str]) -> Vec<&'n str> {
    const TURKISH: &str = "ad adı adi soyad soyadı soyadi isim eposta şirket görev görevi ünvan unvan telefonu ev iş adres şehir ülke";

    let is_cep = |name: &str| name.len() <= LONGEST && simplified(name) == "cep";
    let is_turkish = |name: &str| {
        name.len() <= LONGEST
            && (name.contains(['ı', 'İ', 'ğ', 'ş'])
                || words(name).iter().any(|word| is_one_of(word, TURKISH))
                || is_one_of(&simplified(name), TURKISH))
    };
    let are_turkish = names.iter().any(|name| is_cep(name)) && names.iter().any(|name| is_turkish(name));
    names.iter().map(|name| if is_cep(name) && !are_turkish { "postcode" } else { name }).collect()
}

/// The column may hold the widths of goods as well as latitudes.
pub(crate) fn names_width(name: &str) -> bool {
    is_one_of(&simplified(name), "breite szerokość šířka szélesség širina πλάτος platums laius ширина")
}

/// The column holds another measure of goods: `Höhe (cm)`.
pub(crate) fn names_measure(name: &str) -> bool {
    const MEASURES: &str = "höhe tiefe gewicht visina dubina težina wysokość głębokość waga ciężar výška hloubka hmotnost váha magasság mélység súly tömeg augstums dziļums svars kõrgus sügavus kaal височина дълбочина тегло ύψος βάθος βάρος";

    name.len() <= LONGEST && words(name).first().is_some_and(|word| is_one_of(word, MEASURES))
}

/// The text says how a member or an order stands, and no region: `Estado` and `State` may be either.
pub(crate) fn names_status(text: &str) -> bool {
    const STATUS: &str = "active inactive pending paid unpaid open closed new ok activo activa inactivo inactiva pendiente vigente pagado pagada \
        suspendido suspendida ativo ativa inativo inativa pendente suspenso suspensa pago paga";

    is_one_of(text.trim(), STATUS)
}

/// Names of columns after which people know a place, beside those of the field of events.
const PLACES: &str = "roomname roomnumber roomno raumname raumnummer raumnr zimmer zimmernummer zimmernr standort chambre habitación camera quarto kamer pokój pokoj szoba izba ruum tuba telpa patalpa kambarys \
    vestiging filiale filiaal branch wohnung wohnungsnummer estación station şube ห้อง kamar phòng 部屋 místnost apartman стая rom oda lokaal rum učebna table stanza mesa tavolo tisch tafel stolik baum aufzug";

/// The column with the names of rooms or other places. Many of them have the same network, and nobody knows one by its
/// degrees, nor a department or branch by its number or address.
pub(crate) fn place(kind: Kind, names: &[&str], is_taken: impl Fn(u32) -> bool) -> Option<u32> {
    let are_calls = matches!(kind, Kind::Phone | Kind::Sms | Kind::Email);
    if !are_calls && !matches!(kind, Kind::Wifi | Kind::Geo) {
        return None;
    }
    let names_it = |name: &str| names_place(name) || (are_calls && names_department(name));
    (0..).zip(names).find_map(|(position, name)| {
        (!is_taken(position) && role_of(name).is_none() && names_it(name)).then_some(position)
    })
}

fn names_place(name: &str) -> bool {
    let simple = simplified(name);
    name.len() <= LONGEST && (is_one_of(&simple, PLACES) || is_name_of("location", &simple))
}

/// A place has its latitude and longitude, or both as coordinates.
pub(crate) fn leave_one_form(kind: Kind, found: &mut [Option<u32>]) {
    let place = |name: &str| kind.fields().iter().position(|field| field.name == name);
    let (Some(latitude), Some(longitude), Some(both)) =
        (place("latitude"), place("longitude"), place("coordinates"))
    else {
        return;
    };
    if found[latitude].is_some() && found[longitude].is_some() {
        found[both] = None;
    } else if found[both].is_some() {
        (found[latitude], found[longitude]) = (None, None);
    }
}
