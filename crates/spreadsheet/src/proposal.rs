//! Proposes the kind of codes that a sheet is for, by the names of its columns.

use std::collections::HashMap;
use std::sync::LazyLock;

use qrpress_kinds::Kind;

use crate::names::{names_plain_data, role_of, simplified};
use crate::role::Role;

/// A kind of codes, and the columns that would fill its fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// The kind.
    pub kind: Kind,
    /// Fields with the positions of their columns, in the order of the kind's fields.
    pub fields: Vec<(&'static str, u32)>,
}

/// Fields with the names that columns have for them in the languages of most customers, simplified as names of roles are.
const FIELDS: [(&str, &str); 28] = [
    (
        "ssid",
        "ssid ssids wifi wlan wifiname wlanname wifissid wlanssid network networkname wifinetwork netzwerk netzwerkname \
        réseau reseau nomduréseau red nombredered rete nomerete nomedellarete rede nomedarede netwerk netwerknaam sieć nazwasieci \
        nätverk nätverksnamn nettverk netværk netværksnavn verkko verkonnimi síť sieť názevsítě hálózat hálózatneve ağ ağadı сеть \
        имясети мережа δίκτυο ネットワーク ネットワーク名 网络 网络名称 網路 無線網路 네트워크 와이파이 شبكة רשת",
    ),
    (
        "password",
        "password passphrase pass pwd key wifipassword wifikey wlanpassword passwort kennwort wlanpasswort schlüssel \
        netzwerkschlüssel motdepasse mdp clé clef contraseña contrasena clave senha palavrapasse chave wachtwoord sleutel hasło \
        lösenord passord adgangskode salasana heslo jelszó şifre parola пароль κωδικός パスワード 密码 密碼 비밀번호 암호 كلمةالمرور סיסמה",
    ),
    (
        "encryption",
        "encryption security authentication auth wifisecurity verschlüsselung sicherheit sicherheitstyp chiffrement \
        sécurité cifrado seguridad crittografia sicurezza criptografia segurança beveiliging versleuteling szyfrowanie \
        zabezpieczenia kryptering säkerhet sikkerhed sikkerhet salaus šifrování zabezpečení titkosítás şifreleme шифрование \
        暗号化 加密 암호화 تشفير הצפנה",
    ),
    ("iban", "iban accountiban kontoiban ibannummer ibannumber numéroiban compteiban"),
    ("bic", "bic swift bicswift swiftbic biccode swiftcode"),
    (
        "amount",
        "amount total sum betrag summe gesamtbetrag montant somme importe monto importo valor quantia montante bedrag \
        kwota belopp beløb beløp summa částka suma összeg tutar сумма сума ποσό 金額 金额 금액 المبلغ סכום",
    ),
    (
        "text",
        "purpose verwendungszweck zweck motif communication concepto causale descrição mededeling omschrijving tytułprzelewu \
        meddelande viesti közlemény açıklama назначение",
    ),
    (
        "gtin",
        "gtin gtin8 gtin12 gtin13 gtin14 ean ean8 ean13 eancode upc upca jan jancode gencod codeean códigoean kodean ean编码",
    ),
    (
        "lot",
        "lot lotnumber lotno batch batchnumber batchno charge chargennummer los losnummer numérodelot lote lotto numerolotto \
        partij partijnummer partia numerpartii parti batchnummer erä šarže tétel partino партия партія παρτίδα ロット ロット番号 \
        批号 批次 批號 로트 로트번호",
    ),
    (
        "serial",
        "serial serialnumber serialno sn seriennummer serie numérodesérie nºdesérie númerodeserie numerodiserie \
        númerodesérie serienummer numerseryjny sarjanumero výrobníčíslo sériovéčíslo sorozatszám serino серийныйномер \
        серійнийномер σειριακόςαριθμός シリアル番号 序列号 序號 일련번호 الرقمالتسلسلي מספרסידורי",
    ),
    (
        "expiry",
        "expiry expirydate expires expirationdate bestbefore verfallsdatum verfalldatum haltbarbis mhd péremption \
        datedepéremption dlc caducidad fechadecaducidad scadenza datadiscadenza validade datadevalidade vervaldatum houdbaartot \
        dataważności utgångsdatum udløbsdato utløpsdato datumexpirace lejárat sonkullanma срокгодности 有効期限 有效期 유효기간",
    ),
    (
        "firstName",
        "firstname givenname forename vorname rufname prénom prenom nombredepila primernombre nomebatteismo \
        primeironome voornaam imię förnamn fornavn etunimi křestníjméno jméno keresztnév utónév ad имя імя όνομα 名 이름 الاسمالاول שםפרטי",
    ),
    (
        "lastName",
        "lastname surname familyname nachname familienname zuname nomdefamille apellido apellidos cognome sobrenome \
        apelido achternaam familienaam nazwisko efternamn etternavn sukunimi příjmení priezvisko vezetéknév családnév soyad \
        soyadı фамилия прізвище επώνυμο 姓 姓氏 성 اسمالعائلة שםמשפחה",
    ),
    (
        "name",
        "name fullname displayname contact contactname person payee recipient beneficiary empfänger zahlungsempfänger \
        begünstigter kontoinhaber ansprechpartner nom nomcomplet bénéficiaire nombre nombrecompleto beneficiario nome \
        nomecompleto beneficiário naam volledigenaam begunstigde imięinazwisko odbiorca namn mottagare navn modtager nimi \
        saaja celéjméno příjemce név kedvezményezett adsoyad фио получатель ονοματεπώνυμο 氏名 姓名 성명 이름 الاسم שם",
    ),
    (
        "organisation",
        "organisation organization company companyname employer firma unternehmen organisationname société \
        entreprise empresa organización azienda società ditta organizzazione organização bedrijf bedrijfsnaam organisatie \
        przedsiębiorstwo organizacja företag bolag virksomhed bedrift yritys společnost podnik cég vállalat şirket kuruluş \
        компания организация компанія εταιρεία 会社 会社名 公司 單位 单位 회사 شركة חברה",
    ),
    (
        "phone",
        "phone phonenumber telephone telephonenumber tel businessphone workphone officephone homephone telefon telefonnummer \
        rufnummer festnetz téléphone telephone teléfono telefono telefone telefoon telefoonnummer numertelefonu puhelin \
        puhelinnumero telefonníčíslo telefonszám телефон τηλέφωνο 電話 電話番号 电话 電話號碼 전화 전화번호 هاتف טלפון",
    ),
    (
        "mobile",
        "mobile mobilephone mobilenumber cell cellphone mobil mobiltelefon mobilnummer handy handynummer portable \
        mobiletelephone téléphonemobile móvil movil celular cellulare telemóvel telemovel mobiel mobielnummer komórka matkapuhelin \
        mobilní gsm cep ceptelefonu мобильный мобільний κινητό 携帯 携帯電話 手机 手機 휴대폰 휴대전화 جوال נייד",
    ),
    (
        "email",
        "email mail emailaddress mailaddress emailadresse mailadresse courriel adresseemail adressemail correo \
        correoelectrónico correoelectronico posta postaelettronica indirizzoemail emailadres epost epostadress sähköposti \
        adresemail adresaemail emailcím eposta почта электроннаяпочта пошта メール メールアドレス 邮箱 电子邮件 電子郵件 이메일 بريد דואל",
    ),
    ("url", "web homepage internet"),
    (
        "street",
        "street address streetaddress businessstreet homestreet straße strasse adresse anschrift rue calle dirección via indirizzo \
        rua endereço straat adres ulica gata gate gade katu utca sokak улица адрес οδός 住所 地址 주소 عنوان כתובת",
    ),
    (
        "city",
        "city town place businesscity homecity stadt ort ville ciudad città cidade plaats stad miasto ort stad by kaupunki město \
        város şehir город місто πόλη 市 城市 도시 مدينة עיר",
    ),
    (
        "postcode",
        "postcode zip zipcode postalcode plz postleitzahl codepostal códigopostal cap códigopostal kodpocztowy postnummer \
        postinumero psč irányítószám postakodu индекс 郵便番号 邮编 郵遞區號 우편번호",
    ),
    (
        "country",
        "country nation land pays país paese land kraj maa země ország ülke страна країна χώρα 国 国家 國家 국가 بلد מדינה",
    ),
    (
        "latitude",
        "latitude lat breite breitengrad latitud latitudine breedtegraad szerokość šířka enlem широта πλάτος 緯度 纬度 위도",
    ),
    (
        "longitude",
        "longitude lon lng long länge längengrad longitud longitudine lengtegraad długość délka boylam долгота γεωγραφικόμήκος \
        経度 经度 경도",
    ),
    (
        "title",
        "event eventname eventtitle subject veranstaltung termin betreff événement evenement evento wydarzenie evenemang \
        arrangement tapahtuma událost esemény etkinlik событие подія εκδήλωση イベント 活动 活動 이벤트",
    ),
    (
        "start",
        "start starts startdate starttime begin begins startdatum beginn beginnt datumbeginn début debut datededébut \
        inicio fechadeinicio inizio datainizio início datadeinício aanvang startdato początek alku začátek kezdet başlangıç \
        начало початок έναρξη 開始 开始 시작",
    ),
    (
        "end",
        "end ends enddate endtime ende endet enddatum fin datedefin fechafin fine datafine fim datadofim einde koniec slut \
        slutdatum loppu konec vége bitiş конец кінець λήξη 終了 结束 結束 종료",
    ),
];

static NAMES: LazyLock<HashMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let mut fields: HashMap<&str, Vec<&str>> = HashMap::new();
    for (field, names) in FIELDS {
        for name in names.split_ascii_whitespace() {
            fields.entry(name).or_default().push(field);
        }
    }
    fields
});

/// The fields by which a kind is proposed, the surest kind first. A sheet needs one field of each list.
const SIGNS: [(Kind, &[&[&str]]); 7] = [
    (Kind::Wifi, &[&["ssid"], &["password", "encryption"]]),
    (Kind::Payment, &[&["iban"], &["name"]]),
    (Kind::Contact, &[&["firstName"], &["lastName"], &["phone", "mobile", "email", "organisation"]]),
    (Kind::Contact, &[&["name"], &["phone", "mobile", "email"]]),
    (Kind::DigitalLink, &[&["gtin"]]),
    (Kind::Geo, &[&["latitude"], &["longitude"]]),
    (Kind::Event, &[&["title"], &["start"]]),
];

/// The kind that the names of columns speak for. None where a column holds the text of codes.
pub(crate) fn proposal(names: &[&str]) -> Option<Proposal> {
    if names.iter().any(|name| names_plain_data(name)) {
        return None;
    }
    let has_link = names.iter().any(|name| role_of(name) == Some(Role::Data));
    let simple: Vec<String> = names.iter().map(|name| simplified(name)).collect();
    let is_link = |name: &str| role_of(name) == Some(Role::Data);
    let column = |field: &str| {
        let is_named = |name: &String| {
            let fields = NAMES.get(name.as_str()).map_or(&[][..], Vec::as_slice);
            fields.contains(&field) || *name == field.to_lowercase() || (field == "url" && is_link(name))
        };
        (0_u32..).zip(&simple).find(|(_, name)| is_named(name)).map(|(position, _)| position)
    };
    SIGNS.iter().find_map(|(kind, signs)| {
        // A contact has a website; the others do not, and the links of a sheet are what its codes say.
        let is_likely = !has_link || matches!(kind, Kind::Contact | Kind::Wifi | Kind::Payment);
        let has = |fields: &&[&str]| fields.iter().any(|field| column(field).is_some());
        if !is_likely || !signs.iter().all(has) {
            return None;
        }
        let mut fields: Vec<(&'static str, u32)> = Vec::new();
        for field in kind.fields() {
            if let Some(position) =
                column(field.name).filter(|position| fields.iter().all(|(_, of)| of != position))
            {
                fields.push((field.name, position));
            }
        }
        // Beside a first name, the name is the family's.
        let place = |name: &str| fields.iter().position(|(field, _)| *field == name);
        if let (Some(name), Some(_), None) = (place("name"), place("firstName"), place("lastName")) {
            fields[name].0 = "lastName";
        }
        let has_field = |name: &str| fields.iter().any(|(field, _)| *field == name);
        kind.lacks(has_field).is_none().then_some(Proposal { kind: *kind, fields })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proposed(names: &[&str]) -> Option<(&'static str, Vec<(&'static str, u32)>)> {
        proposal(names).map(|proposal| (proposal.kind.name(), proposal.fields))
    }

    #[test]
    fn sheets_speak_for_their_kind_in_every_language() {
        for (kind, sheets) in [
            (
                "wifi",
                &[
                    &["Room", "SSID", "Password"][..],
                    &["Raum", "Netzwerk", "Passwort", "Verschlüsselung"],
                    &["Réseau", "Mot de passe"],
                    &["Red", "Contraseña"],
                    &["Сеть", "Пароль"],
                    &["网络", "密码"],
                    &["SSID", "Encryption"],
                ][..],
            ),
            (
                "payment",
                &[
                    &["Name", "IBAN", "Amount"],
                    &["Zahlungsempfänger", "IBAN", "BIC", "Betrag", "Verwendungszweck"],
                    &["Bénéficiaire", "IBAN", "Montant"],
                ],
            ),
            (
                "contact",
                &[
                    &["First name", "Last name", "Company", "Phone", "Mobile", "E-mail", "Website"],
                    &["Vorname", "Nachname", "Telefon"],
                    &["Nom", "Prénom", "Courriel"],
                    &["Name", "Mobile"],
                    &["姓名", "手机"],
                    &["Имя", "Фамилия", "Телефон"],
                ],
            ),
            ("digital-link", &[&["GTIN", "Lot"], &["EAN", "Chargennummer", "MHD"], &["Article", "EAN-13"]]),
            ("geo", &[&["Ort", "Breitengrad", "Längengrad"], &["lat", "lng"]]),
            ("event", &[&["Event", "Start", "End"], &["Veranstaltung", "Beginn", "Ende"]]),
        ] {
            for names in sheets {
                assert_eq!(proposed(names).map(|(kind, _)| kind), Some(kind), "{names:?}");
            }
        }
    }

    #[test]
    fn sheets_of_links_speak_for_none() {
        for names in [
            &["URL", "Name"][..],
            &["GTIN", "Link"],
            &["data", "ssid", "password"],
            &["QR code", "First name", "Last name", "Phone"],
            &["Name", "Price"],
            &["Network"],
            &["IBAN"],
            &["Start", "Ende"],
            &[],
        ] {
            assert_eq!(proposed(names), None, "{names:?}");
        }
    }

    #[test]
    fn columns_fill_one_field_each() {
        let (_, fields) =
            proposed(&["First name", "Last name", "Company", "Phone", "Mobile", "E-mail", "Website"])
                .unwrap();
        let expected = [
            ("firstName", 0),
            ("lastName", 1),
            ("organisation", 2),
            ("phone", 3),
            ("mobile", 4),
            ("email", 5),
            ("url", 6),
        ];
        assert_eq!(fields, expected);
        let (_, fields) = proposed(&["Empfänger", "IBAN", "Verwendungszweck"]).unwrap();
        assert_eq!(fields, [("name", 0), ("iban", 1), ("text", 2)]);
        let (_, fields) = proposed(&["Nom", "Prénom", "Courriel", "Site web"]).unwrap();
        assert_eq!(fields, [("lastName", 0), ("firstName", 1), ("email", 2), ("url", 3)]);
    }
}
