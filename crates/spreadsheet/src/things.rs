//! The names that columns have for the things that kinds are made of, in the languages of most customers.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::names::folded;

/// Things with the names that columns have for them, simplified as names of roles are.
const NAMES: [(&str, &str); 79] = [
    (
        "ssid",
        "ssid ssids wifi nomwifi nomduwifi wlan wifiname wlanname wifissid wlanssid network networkname wifinetwork netzwerk netzwerkname \
        réseau reseau nomduréseau red nombredered nombredelared rete nomerete nomedellarete rede nomedarede netwerk netwerknaam sieć nazwasieci \
        rețea nätverk nätverksnamn nettverk netværk netværksnavn verkko verkonnimi kablosuzağ kablosuzağadı wifiadı síť sieť názevsítě hálózat hálózatneve ağ ağadı сеть \
        wifisíť názovsiete назвамережі \
        имясети мережа δίκτυο ネットワーク ネットワーク名 网络 网络名称 網路 無線網路 네트워크 와이파이 شبكة רשת \
        netz mreža mreže omrežje omrežja sieci sítě síti siete sieti rețelei сети мережі δικτύου nettverksnavn hálózatnév 无线名称 无线网络 网络名 網路名稱 네트워크이름 와이파이이름 الشبكة اسمالشبكة שםהרשת שםרשת הרשת mạng \
        võrk võrgu võrgunimi tīkls tīkla tinklas tinklo \
        мрежа именамрежата wifiмрежа namawifi namajaringan jaringan ชื่อwifi ชื่อเครือข่าย \
        wifi名称 wifi名稱",
    ),
    (
        "password",
        "password paswoord passphrase psk presharedkey pass pwd pw key wifipassword wifikey wificode wlancode networkpassword networkkey wpakey wpapassword wlanpassword passwort kennwort wlanpasswort schlüssel \
        netzwerkschlüssel motdepasse mdp motdepassewifi cléwpa cléwifi clédesécurité codewifi clé clef contraseña contrasena clave senha palavrapasse chave wachtwoord sleutel hasło \
        kodeord \
        lösenord passord adgangskode salasana heslo jelszó şifre wifişifresi ağşifresi kablosuzağşifresi wifiparolası parola пароль κωδικός パスワード 密码 密碼 비밀번호 암호 كلمةالمرور סיסמה \
        zugangscode passcode securitykey sicherheitsschlüssel clavedeseguridad chiavedisicurezza parolă lozinka geslo κωδικόςπρόσβασης סיסמא كلمةالسر mậtkhẩu 暗号化キー \
        parool salasõna parole slaptažodis \
        парола katasandi katasandiwifi passwordwifi รหัสผ่าน รหัสผ่านwifi รหัสwifi \
        wifi密码 wifi密碼 wifiパスワード codedaccès codeaccès codedaccèswifi códigodeacceso codicediaccesso",
    ),
    (
        "encryption",
        "encryption security authentication auth wifisecurity verschlüsselung sicherheit sicherheitstyp chiffrement \
        sécurité cifrado seguridad tipodeseguridad crittografia sicurezza criptografia segurança beveiliging versleuteling szyfrowanie \
        zabezpieczenia kryptering säkerhet sikkerhed sikkerhet salaus šifrování zabezpečení titkosítás şifreleme güvenlik güvenliktürü шифрование \
        encriptação šifrovanie zabezpečenie безопасность шифрування безпека κρυπτογράφηση ασφάλεια セキュリティ 安全性 보안 \
        暗号化 加密 암호화 تشفير הצפנה \
        типбезопасности نوعالأمان bảomật \
        turvalisus krüpteering drošība šifrēšana saugumas šifravimas \
        zabezpieczenie 暗号化方式 加密方式 보안방식 защита keamanan",
    ),
    ("type", "type typ art tipo rodzaj typsieci netzwerktyp networktype wlantyp wifitype"),
    (
        "iban",
        "iban accountiban kontoiban ibannummer ibannumber numéroiban compteiban rekeningnummer ibanrekeningnummer \
        kontonummer bankkonto numerrachunku nrrachunku numerrachunkubankowego nrrachunkubankowego nrkonta nrkontabankowego numerkonta rachunek rachunekbankowy čísloúčtu bankovníúčet \
        bankszámlaszám számlaszám bankszámla númerodecuenta cuentabancaria contobancario numerodiconto kontonr tilinumero saajantili contbancar bankaccount bankaccountnumber comptebancaire \
        nrkontaiban \
        saajakonto pangakonto arvelduskonto kontonumber konts saņēmējakonts kontanumurs gavėjosąskaita gavėjosąskaitosnr gavėjosąskaitosnumeris sąskaitosnr",
    ),
    ("bic", "bic swift bicswift swiftbic biccode swiftcode"),
    (
        "amount",
        "sumă amount total sum betrag summe gesamtbetrag montant somme importe monto importo valor quantia montante bedrag \
        gross brutto bruttobetrag bruttosumme rechnungsbetrag rechnungssumme gesamtsumme endbetrag zahlbetrag zahlungsbetrag ttc netàpayer \
        offen offenerbetrag offenerposten restbetrag balance balancedue outstanding solde saldo resteàpayer openstaand \
        zuzahlen amountdue quota openamount openbalance pendiente saldopendiente apagar porpagar soldedû montantdû resteàrégler residuo dapagare nettoapagare totaledocumento contributie beitrag \
        tebetalen nogtebetalen dozapłaty pozostałodozapłaty kúhradě kzaplacení zbývá attbetala restbelopp udestående restbeløb \
        tilbetaling utestående restsumma avoinna avoinsumma maksettavaa fizetendő deplată restdeplată \
        totale lordo totaal totaalbedrag factuurbedrag bruto razem celkem bruttobeløb fakturabelopp fakturabeløb kokonaissumma \
        miete kaltmiete warmmiete kwota belopp beløb beløp summa částka suma összeg tutar сумма сума ποσό 金額 金额 금액 المبلغ סכום \
        iznos znesek sốtiền \
        cotisation cuota contributo contribuição składka příspěvek členskýpříspěvek tagdíj medlemsavgift kontingent medlemskontingent jäsenmaksu članarina aidat mitgliedsbeitrag jahresbeitrag monatsbeitrag kursbeitrag teilnahmebeitrag \
        rent rentdue monthlyrent fee fees feedue membershipfee annualfee dues loyer affitto alquiler huur",
    ),
    (
        "purpose",
        "purpose detaliiplată verwendungszweck verwendungszweckzeile vwz zahlungszweck spendenzweck zweck motif communication concepto causale descrição mededeling omschrijving gestructureerdemededeling tytułprzelewu tytułem \
        paymentpurpose purposeline paymenttext zahlungsreferenz libellé motivo finalidade descrizione tytuł tytułpłatności celpłatności formål remittancetext remittanceinformation remittanceinfo paymentdetails \
        betalingsmelding účel účelplatby zprávapropříjemce správapreprijímateľa amaç назначениеплатежа призначення \
        призначенняплатежу σκοπός αιτιολογία 用途 摘要 附言 적요 الغرض מטרה \
        meddelande viesti közlemény açıklama назначение \
        opisplaćanja namen libelledupaiement الغرضمنالدفع \
        motifduvirement motifdevirement objetduvirement conceptodelpago conceptodepago motivodopagamento causaledelpagamento causalebonifico causaledelbonifico tytułwpłaty opisprzelewu popisplatby namenplačila svrhaplaćanja svrhauplate közleményrovat selgitus makseselgitus maksājumamērķis mērķis mokėjimopaskirtis paskirtis meddelandetillmottagare meldingtilmottaker beskedtilmodtager viestisaajalle основаниезаплащане",
    ),
    (
        "gtin",
        "gtin gtin8 gtin12 gtin13 gtin14 isbn13 ean ean8 ean13 eancode upc upca jan jancode gencod codeean códigoean kodean codiceean ean编码 \
        upccode eanupc janコード",
    ),
    // It may have 10 digits, which are no GTIN.
    ("isbn", "isbn"),
    (
        "barcode",
        "barcode variantbarcode strichcode codebarres codebarre codeàbarres codiceabarre códigodebarras streepjescode kodkreskowy \
        streckkod strekkode stregkode viivakoodi vonalkód čárovýkód čiarovýkód codbare coddebare barkod штрихкод バーコード 条形码 바코드 \
        čiarkovýkód črtnakoda γραμμωτόςκώδικας 条码 條碼 الباركود ברקוד mãvạch \
        barkodas svītrkods svītrukods triipkood ribakood баркод บาร์โค้ด",
    ),
    (
        "lot",
        "lot lotnumber lotno lot# batch batchnumber batchno batch# batchnr charge chargennummer chargennr chargenr los losnummer losnr n°lot numérodelot n°delot nºdelot nodelot númerodelote nºdelote n°dilotto lote lotto numerolotto \
        partij partijnummer partia numerpartii nrpartii parti batchnummer erä šarže číslošarže tétel tételszám partino партия партія παρτίδα ロット ロット番号 \
        批号 批次 批號 로트 로트번호 \
        numerodelote nºlote номерпартии номерпартії eränumero šarža رقمالدفعة אצווה sốlô 生产批号 \
        nlotto \
        партида partija",
    ),
    (
        "serial",
        "serial serialnumber serialno sn seriennummer seriennr serie numérodesérie nºdesérie n°desérie n°série nosérie númerodeserie numerodiserie \
        númerodesérie serienummer numerseryjny nrseryjny sarjanumero výrobníčíslo sériovéčíslo sorozatszám serino серийныйномер \
        серійнийномер σειριακόςαριθμός シリアル番号 序列号 序號 일련번호 الرقمالتسلسلي מספרסידורי \
        matricola",
    ),
    (
        "productionDate",
        "productiondate proddate manufacturedate manufacturingdate manufacturedon dateofmanufacture dateofproduction mfgdate \
        herstellungsdatum herstelldatum produktionsdatum hergestelltam datedefabrication datedeproduction fechadefabricación \
        fechadeproducción datadiproduzione datadefabrico datadefabricação productiedatum dataprodukcji datumvýroby dátumvýroby \
        gyártásidátum gyártásiidő tillverkningsdatum produktionsdato produksjonsdato valmistuspäivä valmistuspvm",
    ),
    (
        "bestBefore",
        "bestbefore bestbeforedate bestbeforeend bestbeforeenddate bbd bbe bestby bestbydate mhd mindesthaltbarkeit \
        mindesthaltbarkeitsdatum mindestenshaltbarbis haltbarkeitsdatum haltbarbis ddm dluo datededurabilitéminimale \
        datelimitedutilisationoptimale àconsommerdepréférenceavant àconsommerdepréférenceavantle tmc termineminimodiconservazione \
        daconsumarsipreferibilmenteentro daconsumarsipreferibilmenteentroil consumopreferente fechadeconsumopreferente fechaconsumopreferente \
        consumirpreferentementeantesde consumirpreferentementeantesdel consumirdepreferênciaantesde datadedurabilidademínima tht thtdatum \
        tenminstehoudbaartot najlepiejspożyćprzed dataminimalnejtrwałości minimálnítrvanlivost minimálnítrvanlivostdo datumminimálnítrvanlivosti dmt minimálnatrvanlivosť dátumminimálnejtrvanlivosti \
        minőségétmegőrzi minőségmegőrzésiidő bästföre bästföredatum bedstfør mindstholdbartil bestfør parastaennen tett 賞味期限 품질유지기한",
    ),
    (
        "expiry",
        "expiry expirydate expires expirationdate expdate useby usebydate verfall verfallsdatum verfalldatum verwendbarbis verbrauchsdatum péremption \
        datedepéremption datelimitedeconsommation àconsommerjusquau dlc caducidad fechadecaducidad scadenza \
        datadiscadenza daconsumarsientro validade datadevalidade vervaldatum \
        dataważności terminprzydatności terminważności należyspożyćdo datumspotřeby spotřebujtedo datumpoužitelnosti zuverbrauchenbis tgt \
        utgångsdatum udløbsdato utløpsdato datumexpirace lejárat sonkullanma срокгодности 有効期限 有效期 유효기간 \
        cad fechacaducidad dataexpirării expiră szavatosság viimeinenkäyttöpäivä sonkullanmatarihi roktrajanja rokuporabe годендо термінпридатності ημερομηνίαλήξης λήξη 消費期限 有效期限 保质期至 유통기한 تاريخالانتهاء תאריךתפוגה hạnsửdụng \
        fcaducidad fechacad fechavencimiento fechadevencimiento fvencimiento tinkaiki galiojaiki derīgslīdz kõlblikkuni срокнагодност kedaluwarsa tanggalkedaluwarsa วันหมดอายุ",
    ),
    (
        "firstName",
        "firstname givenname forename ime prenume nomepróprio vorname rufname prénom prenom nombredepila primernombre nomebatteismo \
        krstnémeno \
        primeironome voornaam imię förnamn fornavn etunimi křestníjméno jméno keresztnév utónév ad имя імя име όνομα 名 이름 الاسمالاول الاسمالأول שםפרטי \
        الاسمالشخصي tên \
        eesnimi vārds vardas adı adi",
    ),
    (
        "lastName",
        "lastname surname familyname prezime priimek primerapellido apellidoprimero apellido1 1apellido 1ºapellido apellidopaterno efternavn nachname familienname zuname nomdefamille apellido apellidos cognome sobrenome \
        apelido achternaam familienaam nazwisko efternamn etternavn sukunimi příjmení priezvisko vezetéknév családnév soyad \
        soyadı фамилия прізвище επώνυμο 姓 姓氏 성 اسمالعائلة שםמשפחה \
        họ اللقب \
        perekonnanimi perenimi uzvārds pavardė \
        นามสกุล",
    ),
    (
        "name",
        "name nume meno contact contactname contactperson person ansprechpartner ansprechperson kontaktperson nom personneàcontacter \
        interlocuteur interlocutrice interlocutor contacto contato contatto nomducontact nombredecontacto nomecontatto \
        nombre personadecontacto nome kontaktosoba kontaktnaosoba personadicontatto pessoadecontato naam contactpersoon osobakontaktowa namn navn nimi \
        yhteyshenkilö kontaktníosoba név kapcsolattartó 이름 الاسم שם \
        mitarbeiter mitarbeiterin employee 名前 nama \
        ชื่อ \
        referente nominativo isim 担当者 担当者名",
    ),
    (
        "wholeName",
        "fullname completename displayname namalengkap имеифамилия имяифамилия nameandsurname vollständigername anzeigename vorundnachname nomcomplet \
        nombrecompleto nombreyapellidos nomecompleto nomeecognome nomeesobrenome nomeeapelido volledigenaam imięinazwisko \
        fullständigtnamn fuldenavn fulltnavn kokonimi jménoapříjmení menoapriezvisko celéjméno celémeno adısoyadı \
        teljesnév numecomplet imeiprezime imeinpriimek punoime adsoyad фио піб ονοματεπώνυμο 氏名 姓名 성명 \
        الاسمالكامل שםמלא họvàtên họtên \
        numeșiprenume eesjaperekonnanimi eesjaperenimi täisnimi \
        ชื่อนามสกุล ชื่อสกุล \
        фамилияио фамилияимяотчество фамилияимя прізвищеіо",
    ),
    (
        "payee",
        "payee opnaamvan zahlbaran payableto recipient beneficiary beneficiar accountholder empfänger zahlungsempfänger begünstigter kontoinhaber bénéficiaire beneficiario \
        beneficiário begunstigde odbiorca mottagare modtager destinataire titulaire destinatario titular intestatario destinatário \
        favorecido mottaker příjemceplatby príjemca alıcı отримувач одержувач δικαιούχος 受取人 收款人 수취인 المستفيد מוטב \
        saaja saajannimi příjemce kedvezményezett получатель creditor vermieter landlord bailleur intitulédutiers tiers intestatarioconto \
        kontrahent creditorname kreditorname kreditorenname \
        titulaireducompte titulardelacuenta nazwaodbiorcy primatelj prejemnik \
        tnv tennamevan \
        gavėjas saņēmējs получател primalac",
    ),
    (
        "accountHolder",
        "accountholder kontoinhaber titulaire titulaireducompte titular titulardelacuenta intestatario intestatarioconto",
    ),
    (
        "supplier",
        "supplier suppliername vendor vendorname lieferant kreditor fournisseur proveedor fornitore fornecedor leverancier dostawca dodavatel \
        dodávateľ szállító furnizor leverantör leverandør toimittaja поставщик постачальник kontobezeichnung",
    ),
    (
        "organisation",
        "organisation organization institution institut einrichtung körperschaft koor naamkoor chor choeur chorale choir organizationname companie company companyname businessname accountname employer firma firmenname unternehmen \
        unternehmensname organisationname société raisonsociale razónsocial ragionesociale razãosocial denominazione företagsnamn firmanavn \
        virksomhedsnavn bedriftsnavn yrityksennimi nazwafirmy názevfirmy názovfirmy cégnév numefirmă denumirefirmă \
        entreprise établissement organisme prestataire placówka tvrtka podjetje poduzeće preduzeće kompanija organizacija ustanova empresa organización azienda società ditta organizzazione organização bedrijf bedrijfsnaam organisatie \
        przedsiębiorstwo organizacja företag bolag virksomhed bedrift yritys společnost podnik cég vállalat şirket kuruluş \
        organizace spoločnosť організація \
        фирма компания организация компанія perusahaan εταιρεία 会社 会社名 公司 單位 单位 회사 شركة חברה \
        公司名稱 公司名称 الشركة côngty \
        ettevõte asutus uzņēmums iestāde įmonė bendrovė įstaiga \
        verein vereinsname vereniging naamvereniging club klub association asociación associazione associação asociația förening forening yhdistys seura stowarzyszenie spolek egyesület udruga društvo schule école escuela escola scuola school skola skole szkoła škola iskola koulu школа okul ente",
    ),
    ("office", "collectivité dienststelle behörde"),
    // An amount in English: no payee.
    ("post", "amt"),
    // A trade, or a place in a list.
    ("profession", "profession posizione"),
    ("calledName", "roepnaam"),
    ("theme", "sujet"),
    // They are the titles of events beside a day, a time and a place.
    ("film", "film theaterstück"),
    (
        "work",
        "voorstelling spektakl przedstawienie představení predstavenie exposition \
        messe messa misa missa msza mše viering eucharistieviering célébration celebrazione celebración \
        réunion réunions reunión reunião riunione vergadering zebranie posiedzenie schůze jednání",
    ),
    // So are they where no other column may have the work.
    (
        "performer",
        "artist artists artiste interprète artista künstler künstlerin künstler/in künstler*in künstler:in",
    ),
    ("label", "bezeichnung benennung führung rondleiding"),
    // It is the title of events where every other column is known.
    ("outline", "omschrijving"),
    ("municipality", "gemeente"),
    ("bankDetails", "bankverbindung rekening"),
    // The text of a payment where no other column has one.
    ("object", "objet"),
    ("due", "totaldue"),
    (
        "phone",
        "phone phonenumber directline directdial directnumber brojtelefona telefonskibroj telefonskaštevilka officephone workphone businessphone telephone telephonenumber tel telefon telefonnummer notrufnummer hotline \
        rufnummer festnetz direktnr direktnummer irodaitelefon téléphone telephone teléfono telefono telefone telefoon telefoonnummer numertelefonu puhelin \
        telefón tlf tfn työpuhelin arbetstelefon arbejdstelefon jobbtelefon tél télfixe telfixe téléphonefixe telephonefixe lignefixe numérodetéléphone \
        tfno telf teléf puhelinnumero telefonníčíslo telefonszám телефон τηλέφωνο 電話 電話番号 电话 電話號碼 전화 전화번호 هاتف טלפון \
        contactnumber contactno lignedirecte 电话号码 연락처 الهاتف رقمالهاتف מספרטלפון điệnthoại sốđiệnthoại sđt telepon notelepon nomortelepon notelp \
        telefonas tālrunis \
        โทรศัพท์ เบอร์โทร เบอร์โทรศัพท์ 办公电话 固定电话 联系电话 固定電話 사무실전화",
    ),
    // Prices may be so, too.
    (
        "landline",
        "fixe fijo fisso fixo vastelijn vastnummer \
        σταθερό стационарный стационарен",
    ),
    ("homePhone", "kotipuhelin hemtelefon hjemmetelefon privattelefon"),
    ("otherPhone", "otherphone primaryphone zweitnummer weiteretelefonnummer"),
    (
        "fax",
        "fax faxnumber faxnummer faxnr telefax telefaxnummer telefaks faks numérodefax númerodefax numerofax télécopie \
        fakss faksas \
        fax番号",
    ),
    (
        "mobile",
        "mobile mobilephone mobilenumber mobitel brojmobitela mobilnaštevilka мобильныйтелефон мобільнийтелефон cell cellphone mobil mobiltelefon mobilnummer handy handynummer portable \
        mobiletelephone téléphonemobile móvil movil celular cellulare telemóvel telemovel mobiel mobielnummer komórka matkapuhelin \
        mobilnítelefon telefonkomórkowy numérodeportable numérodemobile téléphoneportable télportable telportable númerodemóvil \
        mobilní gsm cep ceptelefonu мобильный мобільний κινητό 携帯 携帯電話 手机 手機 휴대폰 휴대전화 جوال נייד \
        携帯番号 手机号 手机号码 手機號碼 휴대폰번호 الجوال رقمالجوال الموبايل טלפוןנייד diđộng sốdiđộng hp nohp nomorhp мобилен мобилентелефон \
        มือถือ เบอร์มือถือ โทรศัพท์มือถือ \
        natel natelnummer",
    ),
    // Most of them hold the numbers of mobile telephones.
    ("messenger", "whatsapp whatsappnumber whatsappnummer whatsappnr signal signalnumber signalnummer"),
    (
        "email",
        "email mail emailaddress mailaddress emailadresse mailadresse courriel adresseemail adressemail correo \
        correoelectrónico correoelectronico posta postaelettronica indirizzoemail emailadres epost epostadress sähköposti \
        adresemail adresaemail διεύθυνσηemail ηλεκτρονικόταχυδρομείο emailcím eposta почта элпочта электроннаяпочта электронныйадрес пошта елпошта електроннапошта elektroničkapošta elektronskapošta メール メールアドレス 邮箱 电子邮件 電子郵件 이메일 بريد דואל \
        sähköpostiosoite epostadresse epostaadresi enaslov elektronskinaslov ηλεκτρονικήδιεύθυνση 电子邮箱 이메일주소 البريدالإلكتروني البريدالالكتروني אימייל מייל имейл \
        ηλταχυδρομείο epostiaadress meiliaadress epasts epastaadrese elpaštas elpaštoadresas elektroninispaštas \
        adresseélectronique direcciónelectrónica indirizzopostaelettronica indirizzodipostaelettronica indirizzoelettronico endereçoeletrónico endereçoeletrônico \
        pocztaelektroniczna adrespocztyelektronicznej elektronischepost elektronischeadresse elektronischepostadresse \
        mél อีเมล อีเมล์ alamatemail surel 宛先メールアドレス 邮箱地址 \
        البريد",
    ),
    (
        "url",
        "web www homepage internet url website webpage sito strona webstranica internetskastranica spletnastran vebsajt stronawww stronainternetowa hemsida hemsideadress hjemmeside nettside verkkosivu verkkosivut kotisivu kotisivut webovéstránky webovástránka honlap weboldal \
        veebileht koduleht mājaslapa svetainė internetosvetainė",
    ),
    (
        "street",
        "street str address streetaddress address1 addressline1 addressline straße strasse adresse anschrift rue calle dirección via indirizzo \
        gatuadress adress gateadresse osoite katuosoite lähiosoite domicilio morada ulice adresa cím lakcím cadde вулиця адреса \
        διεύθυνση 街道 도로명 شارع العنوان רחוב \
        rua endereço straat adres ulica gata gate gade katu utca sokak улица адрес οδός 住所 地址 주소 عنوان כתובת \
        địachỉ العنوانالبريدي \
        strada aadress tänav adrese iela adresas gatvė \
        alamat ที่อยู่",
    ),
    (
        "city",
        "city town suburb place mjesto oraș stadt ort ville ciudad città cidade plaats stad miasto ort stad by kaupunki město \
        wohnort localité commune localidad municipio población poblacion località comune localidade woonplaats miejscowość postort poststed \
        paikkakunta obec mesto település helység 市区町村 \
        város şehir город місто πόλη 市 城市 도시 مدينة עיר \
        المدينة \
        postitoimipaikka localitate linn pilsēta miestas \
        kota",
    ),
    // A town in Croatian, and a degree in German.
    ("grad", "grad"),
    (
        "postcode",
        "postcode npa zip zipcode poštanskibroj poštnaštevilka postnr codpoștal postalcode plz postleitzahl codepostal códigopostal cap códigopostal kodpocztowy postnummer \
        cp почтовыйиндекс індекс поштовийіндекс ταχυδρομικόςκώδικας τκ 邮政编码 الرمزالبريدي מיקוד \
        cpostal irsz pincode eircode postkod postinumero psč irányítószám postakodu индекс 郵便番号 邮编 郵遞區號 우편번호 \
        mãbưuđiện \
        postiindeks sihtnumber indekss pastaindekss paštokodas paštoindeksas",
    ),
    (
        "country",
        "country countryregion država țară landregion nazione stát krajina štát nation land pays país paese land kraj maa země ország ülke страна країна χώρα 国 国家 國家 국가 بلد מדינה \
        الدولة البلد quốcgia \
        riik valsts šalis",
    ),
    (
        "latitude",
        "latitude lat nb noorderbreedte breite breitengrad latitud latitudine breedtegraad szerokość szerokośćgeograficzna šířka zeměpisnášířka zemepisnášírka szélesség földrajziszélesség enlem широта πλάτος γεωγραφικόπλάτος 緯度 纬度 위도 \
        širina breddegrad leveysaste خطالعرض קורוחב vĩđộ \
        platuma platums laius laiuskraad ширина lintang ละติจูด \
        szer",
    ),
    (
        "longitude",
        "longitude lon lng long ol oosterlengte länge längengrad longitud longitudine lengtegraad długość długośćgeograficzna délka zeměpisnádélka zemepisnádĺžka hosszúság földrajzihosszúság boylam долгота μήκος γεωγραφικόμήκος \
        経度 经度 경도 \
        dužina dolžina længdegrad lengdegrad pituusaste довгота 經度 خطالطول קואורך kinhđộ \
        ilguma garums pikkus pikkuskraad дължина bujur ลองจิจูด \
        dł",
    ),
    (
        "event",
        "event eventname eventtitle what was activity activité actividad atividade attività activiteit manifestation kurs kursname course coursename cours corso curso cursus workshop seminar vortrag talk session lesung konzert vorstellung aufführung lecture concert conférence conferencia concierto concerto lezing wykład koncert subject onderwerp asunto assunto temat veranstaltung veranstaltungsname veranstaltungstitel termin betreff événement evenement evento wydarzenie nazwawydarzenia názevakce evenemang händelse \
        arrangement tapahtuma událost esemény eseményneve akce podujatie podujatia eveniment aktivitet etkinlik событие подія εκδήλωση イベント 活动 活動 이벤트 \
        atelier taller rendezvény begivenhed događaj dogodek мероприятие захід イベント名 活动名称 活動名稱 행사 행사명 الحدث الفعالية אירוע sựkiện \
        sündmus üritus pasākums renginys \
        spectacle spettacolo espectáculo събитие acara kegiatan กิจกรรม ชื่องาน \
        проведения проведення konání konania мероприятия kurstitel anlass szkolenie školení tréning warsztaty \
        gottesdienst kerkdienst eredienst nabożeństwo gudstjänst fixture fixtures begegnung wat vad hvad hva quoi qué cosa exhibition ausstellung mostra exposición exposição tentoonstelling wystawa utställning \
        training trainings schulung lehrgang formation formazione tour wanderung hike randonnée excursion ausflug \
        webinar webinars webinaire webinario webinaari webinář вебинар вебінар",
    ),
    (
        "start",
        "start starts dtstart wann when wanneer när hvornår quand cuándo quando kiedy kdy starts startsat startdate starttime begin begins startdatum beginn beginnt datumbeginn début debut datededébut \
        inicio comienzo fechadeinicio inizio datainizio início datadeinício aanvang startdato początek rozpoczęcie alku alkaa început začátek zahájení kezdet kezdés başlangıç \
        začiatok \
        начало початок έναρξη 開始 开始 시작 \
        開始日時 البدء البداية התחלה bắtđầu početak začetek \
        algus sākums pradžia \
        termin \
        termínkonání",
    ),
    (
        "end",
        "end dtend finish finishes ends endsat enddate endtime ende endet enddatum fin finalización datedefin fechafin fine datafine fim datadofim einde koniec zakończenie slut slutt termino término sfârșit päättyy \
        slutdatum loppu konec ukončení vége befejezés bitiş конец кінець λήξη 終了 结束 結束 종료 \
        終了日時 الانتهاء النهاية סיום kếtthúc \
        lõpp beigas pabaiga",
    ),
    (
        "jobTitle",
        "jobtitle tehtävänimike radnomjesto radnomesto delovnomesto zanimanje funkcija pracovnípozice organizationtitle titreprofessionnel arbeitstitel pozícia funcție position role function beruf funktion stellung berufsbezeichnung fonction poste cargo puesto ruolo funzione qualifica \
        função functie stanowisko befattning stilling titteli tehtävä funkce pozice beosztás unvan görev должность посада \
        θέση 役職 職位 职位 职务 직책 직위 المسمىالوظيفي תפקיד \
        職稱 المنصب chứcvụ \
        funcția amet ametikoht amats pareigos \
        görevi ünvan ünvanı unvanı rolle الوظيفة ตำแหน่ง jabatan длъжност funkcia 직급 직함",
    ),
    ("personTitle", "title titel titre titolo título titul titulpředjménem civilité"),
    (
        "heading",
        "title intitulé summary titel titre título titulo titolo objet oggetto předmět predmet tárgy tittel tytuł název názov nazwa naziv denumire cím otsikko başlık заголовок название назва τίτλος \
        タイトル 标题 標題 제목 العنوان כותרת \
        rubrik thema emne ämne aihe konu тема θέμα 件名 主题 主旨 נושא الموضوع subiect zadeva tiêuđề \
        pealkiri nimetus nosaukums pavadinimas \
        tema program programme programm programma программа programmpunkt programmpunkte",
    ),
    (
        "region",
        "region županija state province county bundesland kanton région département provincia región comunidadautónoma regione estado \
        distrito provinciaoestado estadooprovincia regio provincie województwo län fylke maakunta megye il bölge область регион область регіон περιφέρεια \
        都道府県 省 省份 縣市 도 시도 المنطقة מחוז \
        prov uf județ județul maakond novads apskritis",
    ),
    (
        "note",
        "note napomena opomba notes comment comments remark notiz notizen bemerkung bemerkungen anmerkung anmerkungen remarque remarques commentaire commentaires observation observations nota notas observaciones note \
        commento observação opmerking notitie uwagi notatka anteckning merknad bemærkning huomautus poznámka megjegyzés not \
        poznámky нотатка \
        примечание комментарий примітка σημείωση 備考 メモ 备注 備註 메모 비고 ملاحظة הערה \
        ملاحظات הערות ghichú \
        märkus märkused piezīmes pastaba pastabos",
    ),
    (
        "message",
        "message nachricht nachrichtentext treśćwiadomości mitteilung mensaje messaggio mensagem bericht wiadomość meddelande melding besked viesti zpráva \
        üzenet mesaj сообщение повідомлення μήνυμα メッセージ 信息 消息 meddelelse správa 訊息 메시지 رسالة הודעה \
        poruka sporočilo الرسالة tinnhắn corpsdumessage 短信内容 \
        sõnum ziņa žinutė \
        pesan isipesan nộidungtinnhắn",
    ),
    (
        "body",
        "body text mailtext corps texte texto testo cuerpo corpo tekst treść content contents inhalt contenu contenido conteúdo contenuto inhoud \
        obsah innehåll innhold indhold sisältö içerik tartalom conținut sadržaj содержание зміст περιεχόμενο 本文 内容 內容 내용 المحتوى תוכן \
        текст 正文 內文 nộidung \
        szöveg szövege",
    ),
    // Short words that say this of mail addresses alone.
    (
        "receiver",
        "an do à a pour til till aan komu para per kime vastaanottaja címzett către кому προς 宛先 收件人 받는사람 إلى אל \
        收件者",
    ),
    (
        "number",
        "number nummer kurzwahl shortcode rufnr numéro numero número numer numărul numer номер αριθμός 番号 号码 號碼 번호",
    ),
    (
        "coordinates",
        "coordinates coordinate coords latlng latlon latlong gps gpscoordinates gpskoordinaten koordinaten geokoordinaten coordonnées \
        coordonnéesgps coordenadas coordinategps coördinaten współrzędne koordinater koordinaatit souřadnice súradnice koordináták \
        koordinatlar координаты координати συντεταγμένες 座標 坐标 좌표 إحداثيات קואורדינטות \
        gpslocation gpsposition koordinatları coordonate koordinate tọađộ",
    ),
    (
        "subject",
        "subject betreff objet asunto oggetto assunto onderwerp temat subiect ämne emne aihe předmět tárgy konu тема θέμα 件名 主题 主旨 제목 \
        predmet \
        الموضوع נושא \
        zadeva tiêuđề chủđề \
        subjek perihal",
    ),
    (
        "location",
        "location arena stadion stadium stade estadio estádio stadio spielort spielstätte sportplatz halle sporthalle sede where wo lokalizacja locație venue place room ort veranstaltungsort raum lieu salle lugar sala luogo local locatie plaats zaal miejsce plats \
        miesto \
        lokal sted paikka místo hely helyszín yer mekân место місце τόπος χώρος 場所 会場 地点 地點 장소 المكان מיקום \
        emplacement ubicación localização sijainti τοποθεσία 위치 الموقع placering lokation konum locul địađiểm mjesto המקום \
        koht toimumiskoht vieta waar var hvor où dónde dove onde gdzie kde \
        място tempat lokasi สถานที่ saal halle bühne stage scène escenario palco scena színpad zāle salė norisesvieta \
        kursort местопроведения місцепроведення místokonání miestokonania",
    ),
    // They are places of events where no other column is: beside one they are parts of it.
    (
        "court",
        "court campo bane kenttä terrain terrein boisko hřiště pálya lokaal leslokaal klassenzimmer učebna \
        kirche kerk church église chiesa iglesia igreja kościół kostel theater theatre théâtre teatro teatr divadlo rathaus \
        vertrekplaats startplaats treffpunkt sammelpunkt meetingpoint pointderencontre puntodiritrovo ritrovo puntodeencuentro verzamelplaats \
        ontmoetingsplaats zbiórka miejscezbiórki mötesplats mødested sitzungsort tagungsort",
    ),
    (
        "description",
        "description details beschreibung einzelheiten descripción descrizione descrição omschrijving opis beskrivning beskrivelse \
        kuvaus popis leírás açıklama описание опис περιγραφή 説明 詳細 描述 说明 說明 설명 الوصف תיאור \
        môtả \
        kirjeldus apraksts aprašymas",
    ),
    (
        "hidden",
        "hidden hide hiddennetwork hiddenssid hidessid dolt doltnätverk doltssid skjultnetværk skjultnettverk versteckt verborgen unsichtbar masqué caché oculta oculto nascosta nascosto verborgen ukryta dold skjult \
        skrytásíť skrytý skryté ukryty masquée verstecktesnetzwerk \
        piilotettu skrytá rejtett gizli скрытая прихована κρυφό 隠し 隐藏 隱藏 숨김 مخفية מוסתרת",
    ),
    (
        "day",
        "date day datum datetime eventdate veranstaltungsdatum tag fecha dia día jour giorno dzień dag päivä den nap dátum pvm päivämäärä tarih tarihi gün дата ημερομηνία 日付 日期 날짜 التاريخ תאריך \
        تاريخ ngày 日 일 \
        kuupäev datums diena \
        วันที่ tanggal",
    ),
    // The subject of a mail beside its text: elsewhere what a talk is about.
    ("topic", "tema"),
    // The password of a network beside the name of one that is called so.
    ("code", "code kod código codice kód kodas kood koodi kode код"),
    ("domain", "domain domäne domaine dominio domínio domein domena домен ドメイン 域名 網域 도메인"),
    ("reference", "rf rfreference rfreferenz creditorreference structuredreference"),
    (
        "invoiceNumber",
        "invoice invoicenumber invoiceno invoice# invoicenr rechnungnr rechnungsnummer rechnungsnr rechnungno référencefacture référencedefacture \
        référencedelafacture réffacture numérofacture numérodefacture nofacture n°facture n°defacture númerodefactura nºfactura nºdefactura \
        numerofattura nfattura n°fattura factuurnummer factuurnr numerfaktury nrfaktury fakturanummer fakturanr číslofaktury laskunnumero",
    ),
    // Most of them hold the numbers of invoices.
    (
        "otherReference",
        "reference references ref refs refno refnr referenz référence referencia riferimento referência referentie referencja referens paymentreference viite viitenumero betalingskenmerk kenmerk",
    ),
];

static THINGS: LazyLock<HashMap<String, Vec<&str>>> = LazyLock::new(|| {
    let mut things: HashMap<String, Vec<&str>> = HashMap::new();
    for (thing, names) in NAMES {
        for name in names.split_ascii_whitespace() {
            things.entry(folded(name)).or_default().push(thing);
        }
    }
    things
});

/// The things that the word, simplified, is a name of.
pub(crate) fn things_of_name(word: &str) -> &'static [&'static str] {
    THINGS.get(folded(word).as_str()).map_or(&[], Vec::as_slice)
}

/// The word, simplified, is a name of the thing.
pub(crate) fn is_name_of(thing: &str, word: &str) -> bool {
    things_of_name(word).contains(&thing)
}

/// Names of days.
pub(crate) fn days() -> impl Iterator<Item = &'static str> {
    NAMES.iter().filter(|(thing, _)| *thing == "day").flat_map(|(_, days)| days.split_ascii_whitespace())
}
