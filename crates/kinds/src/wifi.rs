//! A wireless network, as phones read it: `WIFI:T:WPA;S:name;P:password;;`.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::placeholders::is_placeholder;
use crate::values::{Fault, Values, one_line, trimmed};

/// Bytes of a network's name (IEEE 802.11).
const SSID_BYTES: usize = 32;

/// *Yes* and *true*, in the languages in which the columns are known. Spreadsheets save a ticked box as the latter.
const YES: &str = "true yes y 1 x ja j oui sí si sì sim tak kyllä joo ano áno igen evet да так ναι はい 是 예 네 نعم כן \
    wahr vrai verdadero vero verdadeiro waar prawda sant sand sann tosi pravda igaz doğru истина істина αληθες αληθής \
    jah jā taip ya có ใช่ ✓ ✔ ☑";

/// *No* and *false*.
const NO: &str = "false no n 0 nein non não nao nee nie nej nei ei ne nem hayır hayir нет ні όχι いいえ 否 아니요 아니오 لا לא \
    falsch faux falso onwaar fałsz falskt falsk usann epätosi nepravda hamis yanlış yanliş ложь хибність ψευδες ψευδής \
    nē tidak không ไม่ ไม่ใช่ ☐";

/// *On* and *off*, as routers say of the broadcast of a name.
const ON: &str = "enabled on ein an aktiviert aktiv activé activée active activado activo attivato attivo ingeschakeld aan włączone włączony";
const OFF: &str = "disabled off aus deaktiviert inaktiv désactivé désactivée inactive desactivado inactivo disattivato uitgeschakeld uit wyłączone wyłączony";

/// Words for *personal* behind the version of WPA.
const PERSONAL: &str = "personal personnel personnelle personale persönlich persoonlijk pessoal osobisty osobní osobné személyes personlig personligt kişisel";

/// Words for a network that anyone may join.
const OPEN: &str = "none open nopass without unencrypted unsecured offen offenes keine keins kein ohne unverschlüsselt ungesichert \
    ouvert ouverte aucun aucune sans abierta abierto ninguna ninguno sin aperta aperto nessuna nessuno senza \
    aberta aberto nenhuma nenhum sem geen otwarta otwarty otwarte brak bez без χωρίς nélkül fără öppen öppet ingen inget inga åben åbent åpen åpent \
    avoin otevřená otevřený otevřené otevřeno žádná žádný žádné otvorená otvorené žiadna žiadne nyílt nyitott nincs açık yok \
    открытая открытый открыто відкрита відкрито немає ανοιχτό ανοικτό オープン なし 开放 無 无 開放 개방 없음 مفتوحة מפתוחה פתוחה \
    not nicht nichts pas niet ikke inte není frei freies freier offener libre libero livre utan uden uten ilman brez nema nav nėra be ilma puudub";

/// Words for one that are long enough for a password, and that nobody uses as one.
const NO_KEY: &str = "unencrypted unsecured ungesichert";

/// Signs of a dash that stands for no password. More of them may be one.
const DASHES: usize = 7;

/// Words beside them.
const ENCRYPTION: &str = "network system encryption security password netz netzwerk verschlüsselung passwort réseau chiffrement \
    sécurité red cifrado seguridad contraseña rete crittografia sicurezza password rede criptografia segurança netwerk beveiliging \
    sieć hasła szyfrowania zabezpieczeń clave senha kennwort mot de passe wachtwoord lösenord adgangskode kode passord heslo heslem jelszó \
    şifre parola parolă salasanaa hasło пароля пароль κωδικό κωδικός nätverk netværk nettverk kryptering síť šifrování zabezpečení hesla hálózat titkosítás сеть \
    wifi wlan pw code código codigo codice kod kód key schlüssel clé chiave sleutel klucz klucza lozinke lozinka gesla geslo slaptažodžio paroles parole parool parooli \
    비밀번호 access zugang accès acceso accesso acesso toegang besoin required needed necessary nötig erforderlich notwendig requis nécessaire necesario necesaria requerida richiesta necessaria necessária \
    nodig vereist wymagane potrzebne nutné vyžadováno nødvendig påkrævet behövs nödvändigt";

const NO_PASSWORD: &str =
    "there is no password, but a network with encryption has one. An open network has the encryption none.";

pub(crate) fn compose(values: Values<'_>) -> Result<String, Fault> {
    // Spaces around a name or a password are part of it.
    let ssid = one_line("ssid", values.text("ssid"))?;
    let written = one_line("password", values.text("password"))?;
    if ssid.len() > SSID_BYTES {
        return Err(Fault::new("ssid", format!("the name of a network has at most {SSID_BYTES} bytes.")));
    }
    let encryption = encryption(values.trimmed("encryption"))?;
    let is_open = encryption == Encryption::None;
    let says_none = says_no_password(written, values.trimmed("encryption"));
    let password = if is_open && (says_none || is_yet_to_come(written)) { "" } else { written };
    if !is_open && says_none {
        return Err(Fault::new("password", NO_PASSWORD));
    }
    if is_open && !password.is_empty() {
        return Err(Fault::new("password", "a network without encryption has no password."));
    }
    if !is_open && password.is_empty() {
        return Err(Fault::new("password", NO_PASSWORD));
    }
    let is_wep = encryption == Encryption::Wep;
    if !is_open && !is_wep && !is_passphrase(password) {
        return Err(if is_printable(password.as_bytes()) {
            let length = password.len();
            Fault::new(
                "password",
                format!("a password of WPA has 8 to 63 characters; this one has {length}."),
            )
        } else {
            Fault::new("password", "a password of WPA has letters without accents, digits and signs alone.")
        });
    }
    if is_wep && !is_wep_key(password) {
        return Err(Fault::new(
            "password",
            "a password of WEP has 5 or 13 characters without accents, or 10 or 26 of 0 to 9 and A to F.",
        ));
    }
    let name = match encryption {
        Encryption::Wpa => "WPA",
        Encryption::Wep => "WEP",
        Encryption::None => "nopass",
    };
    let mut code = format!("WIFI:T:{name};S:{};", escaped(ssid));
    if !password.is_empty() {
        code.extend(["P:", &escaped(password), ";"]);
    }
    let hidden = values.trimmed("hidden");
    if !hidden.is_empty() {
        match yes_or_no(hidden) {
            Some(true) => code.push_str("H:true;"),
            Some(false) => {}
            None => return Err(Fault::new("hidden", "write yes or no.")),
        }
    }
    code.push(';');
    Ok(code)
}

fn yes_or_no(text: &str) -> Option<bool> {
    let word = text.to_lowercase();
    let is_any = |lists: [&str; 2]| lists.iter().any(|words| is_one_of(&word, words));
    if is_any([NO, OFF]) { Some(false) } else { is_any([YES, ON]).then_some(true) }
}

/// *No* for a text that says yes, and *yes* for one that says no: a network that is visible is not hidden.
pub fn opposite(text: &str) -> Option<&'static str> {
    yes_or_no(trimmed(text)).map(|is_yes| if is_yes { "no" } else { "yes" })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Encryption {
    /// Of any version, with a password that all share.
    Wpa,
    Wep,
    None,
}

fn is_one_of(word: &str, words: &str) -> bool {
    words.split_ascii_whitespace().any(|other| other == word)
}

/// The text says how a network is encrypted, or seems to.
pub fn names_encryption(text: &str) -> bool {
    let lower = text.to_lowercase();
    let mut words = lower.split(|character: char| !character.is_alphanumeric());
    encryption(text).is_ok()
        || words.any(|word| matches!(word, "wpa" | "wpa2" | "wpa3" | "wep" | "eap" | "enterprise"))
}

/// The encryption in the words of routers, such as `WPA2/WPA3-Personal`. WPA where nothing is said but that there is one.
fn encryption(text: &str) -> Result<Encryption, Fault> {
    let text = text.to_lowercase();
    let words: Vec<&str> =
        text.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let is_of_company = |word: &&str| matches!(*word, "eap" | "enterprise" | "8021x");
    if words.iter().any(is_of_company) || text.contains("802.1x") {
        return Err(Fault::new(
            "encryption",
            "a network that asks each person for a name (EAP, Enterprise) cannot be joined by a code.",
        ));
    }
    // Controllers write `wpapsk`.
    let is_wpa = |word: &&str| {
        let word = word.strip_suffix("psk").filter(|rest| !rest.is_empty()).unwrap_or(word);
        matches!(word, "wpa" | "wpa2" | "wpa3" | "sae" | "psk")
    };
    let is_of_wpa = |word: &&str| {
        is_wpa(word) || is_one_of(word, PERSONAL) || matches!(*word, "aes" | "ccmp" | "tkip" | "mixed")
    };
    match words.as_slice() {
        [] => Ok(Encryption::Wpa),
        [word] if is_one_of(word, YES) => Ok(Encryption::Wpa),
        words if says_none(words) => Ok(Encryption::None),
        ["wep"] => Ok(Encryption::Wep),
        words if words.iter().any(is_wpa) && words.iter().all(is_of_wpa) => Ok(Encryption::Wpa),
        _ => Err(Fault::new("encryption", "write WPA (also for WPA2 and WPA3), WEP or none.")),
    }
}

/// Words of [`OPEN`] and [`NO`], and words beside them. Each password of a list is looked up among them.
static SAYING_NONE: LazyLock<[HashSet<&str>; 2]> = LazyLock::new(|| {
    [
        OPEN.split_ascii_whitespace().chain(NO.split_ascii_whitespace()).collect(),
        ENCRYPTION.split_ascii_whitespace().collect(),
    ]
});

/// One word says that there is none, and the others say of what: `offenes Netz`, `jelszó nélkül`.
fn says_none(words: &[&str]) -> bool {
    let [open, beside] = &*SAYING_NONE;
    words.iter().filter(|word| open.contains(*word)).count() == 1
        && words.iter().all(|word| open.contains(word) || beside.contains(word))
}

/// The text says that a network of this encryption, which may be empty, has no password: `-`, `keins`, `sin clave`, `offenes Netz`. A password
/// may be yet to come where it says `tbd`.
///
/// `open-wifi` and `libre` are passwords where the encryption takes them. A phrase with spaces, such as `kein Passwort`, is none.
pub fn says_no_password(text: &str, of_encryption: &str) -> bool {
    /// Bytes of the longest such text.
    const LONGEST: usize = 100;

    let lower = trimmed(text).to_lowercase();
    if lower.is_empty() || lower.len() > LONGEST {
        return false;
    }
    if lower.chars().all(|sign| "-–—/".contains(sign)) && lower.chars().count() <= DASHES {
        return true;
    }
    let named =
        Some(of_encryption).filter(|name| !name.trim().is_empty()).and_then(|name| encryption(name).ok());
    let may_be_password = match named {
        Some(Encryption::None) => false,
        Some(Encryption::Wep) => is_wep_key(trimmed(text)),
        Some(Encryption::Wpa) | None => is_passphrase(trimmed(text)),
    };
    if may_be_password {
        let phrase: Vec<&str> = lower.trim_matches(['(', ')', '[', ']', '.']).split_whitespace().collect();
        return match phrase.as_slice() {
            [word] => named.is_none() && is_one_of(word, NO_KEY),
            words => says_none(words),
        };
    }
    let words: Vec<&str> =
        lower.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    says_none(&words) || lower == "n/a"
}

/// The text stands for a password that is not known yet. Dots or stars hide a password.
fn is_yet_to_come(text: &str) -> bool {
    is_placeholder(text) && !text.trim().starts_with(['*', '.', '•', '●'])
}

/// IEEE 802.11: 8 to 63 characters of ASCII, or a key of 64 hexadecimal digits.
fn is_passphrase(password: &str) -> bool {
    let bytes = password.as_bytes();
    let is_key = bytes.len() == 64 && bytes.iter().all(u8::is_ascii_hexdigit);
    is_key || ((8..=63).contains(&bytes.len()) && is_printable(bytes))
}

fn is_printable(ascii: &[u8]) -> bool {
    ascii.iter().all(|byte| (32..=126).contains(byte))
}

/// Keys of 40 and 104 bits.
fn is_wep_key(password: &str) -> bool {
    let bytes = password.as_bytes();
    match bytes.len() {
        5 | 13 => is_printable(bytes),
        10 | 26 => bytes.iter().all(u8::is_ascii_hexdigit),
        _ => false,
    }
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if "\\;,:\"".contains(character) {
            out.push('\\');
        }
        out.push(character);
    }
    out
}
