//! Names by which columns are recognised, in the languages of most customers.

use std::collections::HashMap;
use std::sync::LazyLock;

use qrpress_kinds::LINK_SCHEMES;

use crate::role::Role;

/// Bytes of a name that may be recognised, with all spaces in it.
pub(crate) const LONGEST: usize = 200;

/// Without spaces, apostrophes, `_`, `-` and `.`, in lower case.
const DATA: &str = "data url urls uri link links href qr qrcode qrdata qrcontent qrtext qrtarget qrziel qrcodedata content contents payload website \
    webaddress weblink weburl websiteurl websitelink qrurl qrlink qrcodeurl qrcodelink qrcodetext qrcodecontent targeturl shorturl shortlink \
    daten kurzlink kurzlinks kurzurl dateninhalt inhalt qrinhalt qrcodeinhalt internetadresse webadresse webseite verknüpfung zieladresse zielurl \
    donnée données donnee donnees lien liens contenu adresseweb siteweb \
    dato datos enlace enlaces vínculo vinculo contenido direcciónweb direccionweb páginaweb paginaweb sitioweb \
    dati collegamento contenuto indirizzoweb indirizzointernet sitoweb \
    dados ligação ligacao conteúdo conteudo endereçoweb enderecoweb \
    gegevens koppeling inhoud webadres \
    dane łącze odnośnik treść adresurl adreswww adresstrony adresinternetowy \
    länk länkar innehåll webbadress lenke lenker innhold nettadresse indhold \
    linkki sisältö verkkoosoite odkaz odkazy obsah hivatkozás adatok tartalom \
    bağlantı veri içerik ссылка ссылки данные посилання дані σύνδεσμος δεδομένα \
    リンク データ 内容 链接 数据 网址 連結 資料 網址 링크 데이터 رابط الرابط קישור";
const FILENAME: &str = "filename filenames file name names imagename picturename \
    dateiname dateinamen datei bildname \
    nom noms nomdefichier nomdimage nomdufichier nomfichier fichier \
    nombre nombres nombredearchivo nombredelarchivo nombrearchivo nombredefichero nombredelfichero archivo \
    nome nomi nomefile nomedelfile nomedoarquivo nomearquivo arquivo nomedoficheiro ficheiro \
    bestandsnaam bestand naam nazwapliku nazwa plik \
    filnamn namn filnavn navn tiedostonimi tiedosto nimi názevsouboru název soubor fájlnév név \
    dosyaadı dosya имяфайла имя файл назвафайлу όνομααρχείου \
    ファイル名 名前 文件名 名称 檔名 名稱 파일이름 파일명 이름 اسمالملف שםקובץ";
/// Those of them that may name a person or a thing as well.
const PLAIN_NAMES: &str = "name names nom noms nombre nombres nome nomi naam nazwa namn navn nimi název név имя όνομα 名前 名称 名稱 이름 اسم";
const CAPTION: &str = "caption captions label labels text texts title titles subtitle labeltext captiontext \
    beschriftung beschriftungen bildunterschrift unterschrift untertitel titel etikett \
    légende legende libellé libelle étiquette etiquette texte titre \
    leyenda etiqueta texto título titulo rótulo rotulo \
    didascalia etichetta testo titolo \
    legenda \
    bijschrift onderschrift tekst \
    podpis etykieta tytuł tytul \
    bildtext rubrik bildetekst billedtekst tittel kuvateksti teksti otsikko popisek popis felirat szöveg \
    altyazı etiket başlık metin подпись текст надпись підпис λεζάντα κείμενο \
    キャプション ラベル テキスト 标题 标签 文字 标注 標題 標籤 캡션 라벨 텍스트 نص כיתוב";
const REFERENCE: &str = "reference references ref referenz référence referencia riferimento referência referentie referencja referens";

/// Names of columns that only languages of Windows-1250 have, in letters that Windows-1252 has too.
const CENTRAL: &str = "odkaz odkazy obsah názevsouboru název soubor popisek popis podpis etykieta nazwapliku nazwa plik adresurl adreswww \
    adresstrony adresinternetowy hivatkozás adatok tartalom fájlnév név felirat szöveg";

static ROLES: LazyLock<HashMap<&str, Role>> = LazyLock::new(|| {
    let lists = [
        (REFERENCE, Role::Reference),
        (CAPTION, Role::Caption),
        (FILENAME, Role::Filename),
        (DATA, Role::Data),
    ];
    lists
        .into_iter()
        .flat_map(|(list, role)| list.split_ascii_whitespace().map(move |name| (name, role)))
        .collect()
});

/// The role that a column of this name has.
pub(crate) fn role_of(name: &str) -> Option<Role> {
    if name.len() > LONGEST {
        return None;
    }
    ROLES.get(simplified(name).as_str()).copied().or_else(|| role_of_several(name))
}

/// The names in a name of several, such as `URL / Link`; none for one name.
pub(crate) fn several(name: &str) -> Option<impl Iterator<Item = &str>> {
    const BETWEEN: [char; 3] = ['/', '(', ')'];

    let names = name.split(BETWEEN).filter(|each| !each.trim().is_empty());
    name.contains(BETWEEN).then_some(names)
}

/// The role of several names that all have it: `Link (QR)`, `URL / Link`.
fn role_of_several(name: &str) -> Option<Role> {
    let mut names = several(name)?;
    let first = role_of(names.next()?)?;
    names.all(|each| role_of(each) == Some(first)).then_some(first)
}

/// A column of this name is in a file of Windows-1250.
pub(crate) fn is_central_european(name: &str) -> bool {
    let simple = simplified(name);
    is_one_of(&simple, CENTRAL)
}

/// Names of data that no contact, network or payment has a column for: unlike those of links, which may be a website.
const PLAIN_DATA: &str = "data content contents payload daten dateninhalt inhalt donnée donnees données contenu dato datos contenido dati \
    dados conteúdo conteudo gegevens inhoud dane treść innehåll innhold indhold sisältö obsah adatok tartalom veri içerik данные \
    дані δεδομένα データ 内容 数据 資料 데이터";

/// The column says that it holds what codes say, whatever their kind.
pub(crate) fn names_plain_data(name: &str) -> bool {
    let simple = simplified(name);
    role_of(name) == Some(Role::Data) && (simple.starts_with("qr") || is_one_of(&simple, PLAIN_DATA))
}

/// The column holds names of files by its name, and not those of people or things.
pub(crate) fn names_file(name: &str) -> bool {
    role_of(name) == Some(Role::Filename) && !is_plain_name(name)
}

/// The name is one that persons and things have, too.
pub(crate) fn is_plain_name(name: &str) -> bool {
    is_one_of(&simplified(name), PLAIN_NAMES)
}

/// The name is that of the item's member.
pub(crate) fn is_canonical(name: &str, role: Role) -> bool {
    simplified(name) == role.as_str()
}

/// The dot that the small letter of a Turkish `İ` would have beside its own.
const DOT: char = '\u{307}';

/// Without what people put between and around the letters of names, in lower case.
pub(crate) fn simplified(name: &str) -> String {
    let kept = |character: &char| !character.is_whitespace() && !"_-.:*'’\"״\u{feff}".contains(*character);
    name.chars().filter(kept).flat_map(char::to_lowercase).filter(|letter| *letter != DOT).collect()
}

/// Letters without and with accents.
const ACCENTS: [(char, &str); 23] = [
    ('a', "áàâäãåāăą"),
    ('c', "çćč"),
    ('d', "ďđ"),
    ('e', "éèêëēėęě"),
    ('g', "ğģ"),
    ('i', "íìîïīįı"),
    ('k', "ķ"),
    ('l', "łľĺļ"),
    ('n', "ñńňņ"),
    ('o', "óòôöõøőō"),
    ('r', "řŕ"),
    ('s', "śšşș"),
    ('t', "ťţț"),
    ('u', "úùûüůűūų"),
    ('y', "ýÿ"),
    ('z', "źżž"),
    ('α', "ά"),
    ('ε', "έ"),
    ('η', "ή"),
    ('ι', "ίϊ"),
    ('ο', "ό"),
    ('υ', "ύ"),
    ('ω', "ώ"),
];

/// Letters of the shortest words that mean the same without their accents.
const FOLDED: usize = 5;

/// A word of small letters without their accents. Short ones would be others: `ağ` and `AG`.
pub(crate) fn folded(word: &str) -> String {
    if word.is_ascii() || word.chars().count() < FOLDED {
        return word.to_owned();
    }
    let plain = |letter: char| {
        let mut known = ACCENTS.iter().filter(|_| !letter.is_ascii());
        known.find(|(_, accented)| accented.contains(letter)).map_or(letter, |(plain, _)| *plain)
    };
    word.chars().map(plain).collect()
}

/// The word, in whatever case, is one of a list of words in lower case with spaces between them.
pub(crate) fn is_one_of(word: &str, words: &str) -> bool {
    let word = word.to_lowercase();
    words.split_ascii_whitespace().any(|other| other == word)
}

/// The words of a name, in lower case.
pub(crate) fn words(name: &str) -> Vec<String> {
    // Thai has accents that are no letters.
    let is_of_word =
        |character: char| character.is_alphanumeric() || ('\u{e47}'..='\u{e4e}').contains(&character);
    let words = name.split(|character| !is_of_word(character));
    words.filter(|word| !word.is_empty()).map(|word| word.to_lowercase().replace(DOT, "")).collect()
}

/// A cell of a first row that is a value, and no name of a column.
pub(crate) fn looks_like_data(cell: &str) -> bool {
    let cell = cell.trim();
    let lower: String = cell.chars().take(40).flat_map(char::to_lowercase).collect();
    let begins = ["www.", "mailto:", "tel:", "sms:", "geo:", "wifi:", "begin:", "otpauth:"];
    let is_number = cell.len() >= 6 && cell.bytes().all(|byte| byte.is_ascii_digit());
    let is_address = cell.split_once('@').is_some_and(|(user, host)| !user.is_empty() && host.contains('.'));
    lower.contains("://") || begins.into_iter().any(|word| lower.starts_with(word)) || is_number || is_address
}

/// A text that begins as a link does: `https:`, `mailto:`, or any scheme before `//`. Spaces may stand around it.
pub(crate) fn is_link(text: &str) -> bool {
    let Some((scheme, rest)) = text.trim_start().split_once(':') else { return false };
    let is_known = |known: &&str| known.trim_end_matches(':').eq_ignore_ascii_case(scheme);
    let is_scheme = || {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.chars().all(|character| character.is_ascii_alphanumeric() || "+-.".contains(character))
    };
    LINK_SCHEMES.iter().any(is_known) || (rest.starts_with("//") && is_scheme())
}

/// A cell that is the address of a web page, and nothing else.
pub(crate) fn is_web_link(cell: &str) -> bool {
    let cell = cell.trim();
    let begins = |start: &str| cell.get(..start.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(start));
    ["https://", "http://", "www."].iter().any(|start| begins(start) && cell.len() > start.len())
        && !cell.contains(char::is_whitespace)
}

/// A cell that is the address of a mail, and nothing else.
pub(crate) fn is_mail_address(cell: &str) -> bool {
    let is_host = |host: &str| host.contains('.') && !host.contains(['@', ',', ';']);
    let cell = cell.trim();
    !cell.contains(char::is_whitespace)
        && cell.split_once('@').is_some_and(|(user, host)| !user.is_empty() && is_host(host))
}

/// The link in `<https://a.example/>`, as mail programs write it.
pub(crate) fn without_angle_brackets(text: &str) -> Option<&str> {
    let inner = text.trim().strip_prefix('<')?.strip_suffix('>')?.trim();
    (is_web_link(inner) && !inner.contains(['<', '>'])).then_some(inner)
}

/// A host and a path without a scheme, such as `shop.example/a`.
pub(crate) fn is_bare_link(cell: &str) -> bool {
    let Some((host, path)) = cell.trim().split_once('/') else { return false };
    let is_of_host = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b".-".contains(&byte);
    let ends_in_letters = |(name, end): (&str, &str)| {
        name.len() > 1 && end.len() > 1 && end.bytes().all(|byte| byte.is_ascii_lowercase())
    };
    host.bytes().all(is_of_host)
        && host.rsplit_once('.').is_some_and(ends_in_letters)
        && !path.is_empty()
        && !path.contains(char::is_whitespace)
}

/// The link is that of a picture or a document, by the end of its path.
pub(crate) fn is_file_link(link: &str) -> bool {
    const ENDS: [&str; 8] = [".jpg", ".jpeg", ".png", ".webp", ".gif", ".svg", ".tif", ".pdf"];

    let path = link.split(['?', '#']).next().unwrap_or_default().trim().to_lowercase();
    ENDS.iter().any(|end| path.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_recognised_however_they_are_written() {
        for (name, role) in [
            ("data", Role::Data),
            (" URL ", Role::Data),
            ("QR-Code", Role::Data),
            ("File name", Role::Filename),
            ("FILE_NAME", Role::Filename),
            ("Dateiname:", Role::Filename),
            ("Nom du fichier", Role::Filename),
            ("Légende", Role::Caption),
            ("Beschriftung", Role::Caption),
            ("Référence", Role::Reference),
            ("Link\n(QR)", Role::Data),
            ("URL / Link", Role::Data),
        ] {
            assert_eq!(role_of(name), Some(role), "{name}");
        }
        for name in ["Price", "Name (Link)", "Link (old)", "(/)"] {
            assert_eq!(role_of(name), None, "{name}");
        }
        assert_eq!(role_of(""), None);
    }

    #[test]
    fn no_name_has_two_roles() {
        let mut all: Vec<&str> =
            [DATA, FILENAME, CAPTION].iter().flat_map(|list| list.split_ascii_whitespace()).collect();
        all.sort_unstable();
        let twice: Vec<&str> = all.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }
}
