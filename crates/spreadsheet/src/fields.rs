//! The fields of a kind that columns fill, by their names in the languages of most customers.

use std::collections::HashMap;
use std::sync::LazyLock;

use qrpress_kinds::{Field, Kind};

use crate::names::{LONGEST, names_plain_data, role_of, simplified};
use crate::role::Role;

/// Fields whose wrong value a code does not show: where two columns could fill one, the person is asked.
const UNSEEN: [&str; 2] = ["password", "amount"];

/// Things with the names that columns have for them, simplified as names of roles are.
const NAMES: [(&str, &str); 40] = [
    (
        "ssid",
        "ssid ssids wifi wlan wifiname wlanname wifissid wlanssid network networkname wifinetwork netzwerk netzwerkname \
        réseau reseau nomduréseau red nombredered rete nomerete nomedellarete rede nomedarede netwerk netwerknaam sieć nazwasieci \
        nätverk nätverksnamn nettverk netværk netværksnavn verkko verkonnimi síť sieť názevsítě hálózat hálózatneve ağ ağadı сеть \
        wifisíť názovsiete назвамережі \
        имясети мережа δίκτυο ネットワーク ネットワーク名 网络 网络名称 網路 無線網路 네트워크 와이파이 شبكة רשת",
    ),
    (
        "password",
        "password passphrase pass pwd key wifipassword wifikey wlanpassword passwort kennwort wlanpasswort schlüssel \
        netzwerkschlüssel motdepasse mdp clé clef contraseña contrasena clave senha palavrapasse chave wachtwoord sleutel hasło \
        kodeord \
        lösenord passord adgangskode salasana heslo jelszó şifre parola пароль κωδικός パスワード 密码 密碼 비밀번호 암호 كلمةالمرور סיסמה",
    ),
    (
        "encryption",
        "encryption security authentication auth wifisecurity verschlüsselung sicherheit sicherheitstyp chiffrement \
        sécurité cifrado seguridad crittografia sicurezza criptografia segurança beveiliging versleuteling szyfrowanie \
        zabezpieczenia kryptering säkerhet sikkerhed sikkerhet salaus šifrování zabezpečení titkosítás şifreleme шифрование \
        encriptação šifrovanie zabezpečenie безопасность шифрування безпека κρυπτογράφηση ασφάλεια セキュリティ 安全性 보안 \
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
        "purpose",
        "purpose verwendungszweck zweck motif communication concepto causale descrição mededeling omschrijving tytułprzelewu \
        paymentpurpose paymenttext libellé motivo finalidade descrizione tytuł tytułpłatności celpłatności formål \
        betalingsmelding účel účelplatby zprávapropříjemce správapreprijímateľa amaç назначениеплатежа призначення \
        призначенняплатежу σκοπός αιτιολογία 用途 摘要 附言 적요 الغرض מטרה \
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
        krstnémeno \
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
        destinataire titulaire destinatario titular intestatario destinatário favorecido mottaker příjemceplatby jménoapříjmení \
        príjemca menoapriezvisko alıcı отримувач одержувач δικαιούχος 受取人 收款人 수취인 المستفيد מוטב \
        saaja celéjméno příjemce név kedvezményezett adsoyad фио получатель ονοματεπώνυμο 氏名 姓名 성명 이름 الاسم שם",
    ),
    (
        "organisation",
        "organisation organization company companyname employer firma unternehmen organisationname société \
        entreprise empresa organización azienda società ditta organizzazione organização bedrijf bedrijfsnaam organisatie \
        przedsiębiorstwo organizacja företag bolag virksomhed bedrift yritys společnost podnik cég vállalat şirket kuruluş \
        organizace spoločnosť організація \
        компания организация компанія εταιρεία 会社 会社名 公司 單位 单位 회사 شركة חברה",
    ),
    (
        "phone",
        "phone phonenumber telephone telephonenumber tel businessphone workphone officephone homephone telefon telefonnummer \
        rufnummer festnetz téléphone telephone teléfono telefono telefone telefoon telefoonnummer numertelefonu puhelin \
        telefón \
        puhelinnumero telefonníčíslo telefonszám телефон τηλέφωνο 電話 電話番号 电话 電話號碼 전화 전화번호 هاتف טלפון",
    ),
    (
        "mobile",
        "mobile mobilephone mobilenumber cell cellphone mobil mobiltelefon mobilnummer handy handynummer portable \
        mobiletelephone téléphonemobile móvil movil celular cellulare telemóvel telemovel mobiel mobielnummer komórka matkapuhelin \
        mobilnítelefon telefonkomórkowy \
        mobilní gsm cep ceptelefonu мобильный мобільний κινητό 携帯 携帯電話 手机 手機 휴대폰 휴대전화 جوال נייד",
    ),
    (
        "email",
        "email mail emailaddress mailaddress emailadresse mailadresse courriel adresseemail adressemail correo \
        correoelectrónico correoelectronico posta postaelettronica indirizzoemail emailadres epost epostadress sähköposti \
        adresemail adresaemail emailcím eposta почта электроннаяпочта пошта メール メールアドレス 邮箱 电子邮件 電子郵件 이메일 بريد דואל",
    ),
    ("url", "web homepage internet url website"),
    (
        "street",
        "street address streetaddress businessstreet homestreet straße strasse adresse anschrift rue calle dirección via indirizzo \
        gatuadress adress gateadresse osoite katuosoite lähiosoite domicilio morada ulice adresa cím lakcím cadde вулиця адреса \
        διεύθυνση 街道 도로명 شارع العنوان רחוב \
        rua endereço straat adres ulica gata gate gade katu utca sokak улица адрес οδός 住所 地址 주소 عنوان כתובת",
    ),
    (
        "city",
        "city town place businesscity homecity stadt ort ville ciudad città cidade plaats stad miasto ort stad by kaupunki město \
        wohnort localité commune localidad municipio località comune localidade woonplaats miejscowość postort poststed \
        paikkakunta obec mesto település helység 市区町村 \
        város şehir город місто πόλη 市 城市 도시 مدينة עיר",
    ),
    (
        "postcode",
        "postcode zip zipcode postalcode plz postleitzahl codepostal códigopostal cap códigopostal kodpocztowy postnummer \
        cp почтовыйиндекс індекс поштовийіндекс ταχυδρομικόςκώδικας 邮政编码 الرمزالبريدي מיקוד \
        postinumero psč irányítószám postakodu индекс 郵便番号 邮编 郵遞區號 우편번호",
    ),
    (
        "country",
        "country stát krajina štát nation land pays país paese land kraj maa země ország ülke страна країна χώρα 国 国家 國家 국가 بلد מדינה",
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
        "event",
        "event eventname eventtitle subject veranstaltung termin betreff événement evenement evento wydarzenie evenemang \
        arrangement tapahtuma událost esemény etkinlik событие подія εκδήλωση イベント 活动 活動 이벤트",
    ),
    (
        "start",
        "start starts startdate starttime begin begins startdatum beginn beginnt datumbeginn début debut datededébut \
        inicio fechadeinicio inizio datainizio início datadeinício aanvang startdato początek alku začátek kezdet başlangıç \
        začiatok \
        начало початок έναρξη 開始 开始 시작",
    ),
    (
        "end",
        "end ends enddate endtime ende endet enddatum fin datedefin fechafin fine datafine fim datadofim einde koniec slut \
        slutdatum loppu konec vége bitiş конец кінець λήξη 終了 结束 結束 종료",
    ),
    (
        "jobTitle",
        "jobtitle position role function beruf funktion stellung berufsbezeichnung fonction poste cargo puesto ruolo funzione \
        função functie stanowisko befattning stilling titteli tehtävä funkce pozice beosztás unvan görev должность посада \
        θέση 役職 職位 职位 职务 직책 직위 المسمىالوظيفي תפקיד",
    ),
    ("personTitle", "title titel"),
    (
        "region",
        "region state province county bundesland kanton région département provincia región comunidadautónoma regione estado \
        distrito regio provincie województwo län fylke maakunta megye il bölge область регион область регіон περιφέρεια \
        都道府県 省 省份 縣市 도 시도 المنطقة מחוז",
    ),
    (
        "note",
        "note notes comment comments remark notiz notizen bemerkung anmerkung remarque commentaire nota notas observaciones note \
        commento observação opmerking notitie uwagi notatka anteckning merknad bemærkning huomautus poznámka megjegyzés not \
        poznámky нотатка \
        примечание комментарий примітка σημείωση 備考 メモ 备注 備註 메모 비고 ملاحظة הערה",
    ),
    (
        "message",
        "message body text nachricht nachrichtentext mitteilung corps texte mensaje cuerpo messaggio corpo mensagem bericht tekst \
        wiadomość treść meddelande melding besked viesti zpráva üzenet mesaj сообщение повідомлення μήνυμα メッセージ 本文 信息 消息 \
        meddelelse správa \
        訊息 메시지 رسالة הודעה",
    ),
    (
        "subject",
        "subject betreff objet asunto oggetto assunto onderwerp temat ämne emne aihe předmět tárgy konu тема θέμα 件名 主题 主旨 제목 \
        predmet \
        الموضوع נושא",
    ),
    (
        "location",
        "location venue place room ort veranstaltungsort raum lieu salle lugar sala luogo local locatie plaats zaal miejsce plats \
        miesto \
        lokal sted paikka místo hely helyszín yer mekân место місце τόπος χώρος 場所 会場 地点 地點 장소 المكان מיקום",
    ),
    (
        "description",
        "description details beschreibung einzelheiten descripción descrizione descrição omschrijving opis beskrivning beskrivelse \
        kuvaus popis leírás açıklama описание опис περιγραφή 説明 詳細 描述 说明 說明 설명 الوصف תיאור",
    ),
    (
        "hidden",
        "hidden hiddennetwork versteckt verborgen unsichtbar masqué caché oculta oculto nascosta nascosto verborgen ukryta dold skjult \
        skrytásíť skrytý skryté ukryty masquée verstecktesnetzwerk \
        piilotettu skrytá rejtett gizli скрытая прихована κρυφό 隠し 隐藏 隱藏 숨김 مخفية מוסתרת",
    ),
    (
        "day",
        "date day datum tag fecha dia día jour giorno dzień dag päivä den nap tarih gün дата ημερομηνία 日付 日期 날짜 التاريخ תאריך",
    ),
    ("domain", "domain domäne domaine dominio domínio domein domena домен ドメイン 域名 網域 도메인"),
    (
        "reference",
        "reference rf creditorreference structuredreference referenz référence referencia riferimento referência referentie",
    ),
];

static THINGS: LazyLock<HashMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let mut things: HashMap<&str, Vec<&str>> = HashMap::new();
    for (thing, names) in NAMES {
        for name in names.split_ascii_whitespace() {
            things.entry(name).or_default().push(thing);
        }
    }
    things
});

/// Names of a column of currencies, which no kind takes.
const CURRENCY: &str = "currency currencycode ccy währung währungscode devise monnaie moneda divisa valuta moeda waluta mena měna valuutta \
    pénznem deviza parabirimi валюта νόμισμα 通貨 币种 貨幣 통화 العملة מטבע";

/// The column holds currencies.
pub(crate) fn names_currency(name: &str) -> bool {
    let simple = simplified(name);
    name.len() <= LONGEST && CURRENCY.split_ascii_whitespace().any(|word| word == simple)
}

/// Words in the names of columns of times.
const TIMES: &str = "time uhrzeit zeit heure heures horaire hora horas horário horario ora orario tijd tid klokkeslett kellonaika čas godzina     idő időpont saat время час ώρα 時間 時刻 时间 時間 시간 الوقت שעה";

/// The column holds times, by its name: `Start time`, `Uhrzeit von`, `Endzeit`.
pub(crate) fn names_time(name: &str) -> bool {
    let is_time = |word: &String| {
        TIMES.split_ascii_whitespace().any(|time| time == word)
            || ["time", "zeit"].iter().any(|end| word.ends_with(end))
    };
    name.len() <= LONGEST && words(name).iter().any(is_time)
}

/// The things that a field takes, the likeliest first.
fn things_of(kind: Kind, field: &'static str) -> Vec<&'static str> {
    match (kind, field) {
        (Kind::Contact | Kind::ContactV4, "title") => vec!["jobTitle", "personTitle"],
        (Kind::Event, "title") => vec!["event"],
        (Kind::Event, "start") => vec!["start", "day"],
        (Kind::Payment, "text") => vec!["purpose", "message"],
        (Kind::Sms, "text") | (Kind::Email, "body") => vec!["message"],
        (Kind::Sms, "number") => vec!["mobile", "phone"],
        (Kind::Phone, "number") => vec!["phone", "mobile"],
        (Kind::Email, "to") => vec!["email"],
        _ => vec![field],
    }
}

/// The column is called as the field is in the contract, however its name is written.
pub(crate) fn is_canonical_field(name: &str, field: &str) -> bool {
    simplified(name) == field.to_lowercase()
}

/// The place of the column's name among the names of the field, from 0; the contract's own goes first. None: another name.
fn rank(kind: Kind, field: &'static str, name: &str) -> Option<usize> {
    if name.len() > LONGEST {
        return None;
    }
    let simple = simplified(name);
    // A title may be `Dr.`: beside a column of jobs it is none.
    let may_be_of_person = field == "title" && matches!(kind, Kind::Contact | Kind::ContactV4);
    if simple == field.to_lowercase() && !may_be_of_person {
        return Some(0);
    }
    let things = THINGS.get(simple.as_str()).map_or(&[][..], Vec::as_slice);
    let place = things_of(kind, field).iter().position(|thing| things.contains(thing));
    let is_link = field == "url" && role_of(name) == Some(Role::Data) && !names_plain_data(name);
    place.or(is_link.then_some(0)).map(|place| place + 1)
}

/// The column may fill the field.
pub(crate) fn names_field(kind: Kind, field: &'static str, name: &str) -> bool {
    rank(kind, field, name).is_some()
}

/// The columns that fill the fields of a kind, in their order: one for each, the first of those with the likeliest name.
/// `is_taken`: a person chose the column for another field.
pub(crate) fn recognised(kind: Kind, names: &[&str], is_taken: impl Fn(u32) -> bool) -> Vec<Option<u32>> {
    let mut found: Vec<Option<u32>> = vec![None; kind.fields().len()];
    // Names of the contract's own words are never those of another field.
    for only_canonical in [true, false] {
        for (place, field) in kind.fields().iter().enumerate().filter(|_| kind != Kind::Text) {
            let columns = (0_u32..).zip(names).filter(|(position, _)| !is_taken(*position));
            let free = columns.filter(|(position, _)| !found.contains(&Some(*position)));
            let ranked = free.filter_map(|(position, name)| Some((rank(kind, field.name, name)?, position)));
            let best = ranked.min().filter(|(rank, _)| !only_canonical || *rank == 0);
            if found[place].is_none() {
                found[place] = best.map(|(_, position)| position);
            }
        }
    }
    complete_names(kind, names, &mut found);
    found
}

/// Other columns that are called as surely as `column` is: for a field that codes need, a password and an amount by any name, for the
/// others by the contract's. An amount beside a total, by whatever name, may be the net one. Of several networks, one may be for guests
/// and the others not.
pub(crate) fn rivals<'n>(
    kind: Kind,
    field: &'n Field,
    names: &'n [&str],
    column: u32,
) -> impl Iterator<Item = u32> + 'n {
    let sure = rank(kind, field.name, names[column as usize]);
    let is_asked = field.is_required || UNSEEN.contains(&field.name);
    let matters = sure == Some(0) || (sure.is_some() && is_asked);
    let others = (0_u32..).zip(names).filter(move |(position, _)| matters && *position != column);
    let is_rival = move |name: &str| match rank(kind, field.name, name) {
        rank @ Some(_) => rank == sure || field.name == "amount",
        None => false,
    };
    let is_of_other_network = move |name: &str| {
        kind == Kind::Wifi
            && ["ssid", "password"].contains(&field.name)
            && rank(kind, field.name, name).is_none()
            && network_field_in(name) == Some(field.name)
    };
    others.filter(move |(_, name)| is_rival(name) || is_of_other_network(name)).map(|(position, _)| position)
}

/// The words of a name, in lower case.
fn words(name: &str) -> Vec<String> {
    let words = name.split(|character: char| !character.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// The field of a network whose name stands in another one, as in a list of several networks: `Guest WiFi`, `Gästepasswort`.
fn network_field_in(name: &str) -> Option<&'static str> {
    /// A name with several of them is the first one's: `WLAN-Passwort` is no network.
    const FIELDS: [&str; 4] = ["hidden", "encryption", "password", "ssid"];
    /// Words in the longest names, such as `mot de passe`.
    const MOST_WORDS: usize = 3;
    /// Bytes from which on the end of a word is one in a compound: `Anrede` is no Portuguese network.
    const END_BYTES: usize = 5;

    if name.len() > LONGEST {
        return None;
    }
    let words = words(name);
    let runs = (1..=MOST_WORDS).flat_map(|count| words.windows(count).map(<[String]>::concat));
    let ends = words.iter().flat_map(|word| word.char_indices().map(|(start, _)| word[start..].to_owned()));
    let is_compound =
        |end: &String| end.len() >= END_BYTES || ["wlan", "wifi", "ssid"].contains(&end.as_str());
    let things: Vec<&str> = runs
        .chain(ends.filter(is_compound))
        .filter_map(|part| THINGS.get(part.as_str()))
        .flatten()
        .copied()
        .collect();
    FIELDS.into_iter().find(|field| things.contains(field))
}

/// Beside a first name, a name is the family's, and beside that it is the first name: `Nom, Prénom` and `Nome, Cognome`. Not so
/// where a sheet has the contract's own words.
fn complete_names(kind: Kind, names: &[&str], found: &mut [Option<u32>]) {
    let place = |name: &str| kind.fields().iter().position(|field| field.name == name);
    let (Some(whole), Some(first), Some(last)) = (place("name"), place("firstName"), place("lastName"))
    else {
        return;
    };
    let is_own =
        |column: Option<u32>, field: &str| column.is_some_and(|column| names[column as usize] == field);
    let is_own = is_own(found[first], "firstName") || is_own(found[last], "lastName");
    match (found[whole], found[first], found[last]) {
        (Some(_), Some(_), None) if !is_own => found[last] = found[whole].take(),
        (Some(_), None, Some(_)) if !is_own => found[first] = found[whole].take(),
        _ => {}
    }
}
