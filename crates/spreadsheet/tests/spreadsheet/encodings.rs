//! Short lists in encodings of a byte for each character, which no mark names.

use qrpress_spreadsheet::Encoding;

use crate::workbook::read_text;

fn encoding_of(label: &str, names: &[&str]) -> (Option<&'static str>, bool) {
    let rows = names
        .iter()
        .enumerate()
        .map(|(row, name)| format!("https://a.example/{row};{name}\n"))
        .collect::<Vec<_>>()
        .concat();
    let (bytes, _, _) = Encoding::for_label(label.as_bytes()).unwrap().encode(&rows);
    let (report, items) = read_text(&[b"url;caption\n".as_slice(), &bytes].concat());
    assert_eq!(items.len(), names.len(), "{names:?}");
    (report.encoding, report.asks_for_encoding)
}

#[test]
fn western_lists_stay_windows_1252() {
    for names in [
        // German, French, Spanish, Portuguese.
        &["Müller", "Groß", "Jäger"][..],
        &["Hauptstraße 5", "Fußgänger", "25 °C"],
        &["Éric", "François", "Hélène", "Noël"],
        &["Crêpe", "Forêt", "Évêque", "Même"],
        &["Œuvre", "Cœur", "l’été"],
        &["Peña", "Núñez", "Logroño", "España"],
        &["¿Qué?", "Íñigo", "1ª planta"],
        &["São João", "Conceição", "Lições"],
        &["Ciência", "Português", "Três", "Agência"],
        // Icelandic, Faroese, Danish, Swedish, Italian, Dutch.
        &["Þórður", "Guðmundsson", "Ísafjörður"],
        &["Hveragerði", "Egilsstaðir", "Borgarfjörður"],
        &["Sigurður Þór", "Hafþór", "Daðason"],
        &["Mývatn", "Grýla", "Ýr"],
        &["Norðragøta", "Suðuroy", "Miðvágur"],
        &["Ærø", "Øyvind", "Tromsø", "Bodø"],
        &["Åsa", "Malmö", "Växjö"],
        &["Perché", "Niccolò", "Forlì"],
        &["Daniël", "Coördinatie", "Één"],
    ] {
        assert_eq!(encoding_of("windows-1252", names).0, Some("windows-1252"), "{names:?}");
    }
}

#[test]
fn lists_of_central_europe_and_turkey_are_read_as_such_or_asked_about() {
    for (label, names) in [
        ("windows-1250", &["Łódź", "Wójcik", "Świętochłowice"][..]),
        ("windows-1250", &["Kraków", "Gdańsk"]),
        ("windows-1250", &["Bydgoszcz", "Toruń"]),
        ("windows-1250", &["Częstochowa", "Zabrze"]),
        ("windows-1250", &["Łomża", "Tychy"]),
        ("windows-1250", &["Tychy", "Wiśniewska"]),
        ("windows-1250", &["Dvořák", "Novák"]),
        ("windows-1250", &["Jiří", "Tomáš"]),
        ("windows-1250", &["Plzeň", "Děčín"]),
        ("windows-1254", &["Şişli", "Çağrı", "Ağrı"]),
        ("windows-1254", &["Ayşe Yılmaz", "Mehmet Kaya"]),
        ("windows-1254", &["Oğuz", "Tuğba"]),
        ("windows-1254", &["Yıldız", "Işık"]),
        ("windows-1254", &["İstanbul", "Ankara"]),
        ("windows-1254", &["Diyarbakır", "Eskişehir"]),
    ] {
        assert_eq!(encoding_of(label, names).0, Some(label), "{names:?}");
    }
    // No letter tells, and people are asked.
    for (label, names) in [
        ("windows-1254", &["Sarıyer", "Bakırköy"][..]),
        ("windows-1254", &["Balıkesir"]),
        ("windows-1254", &["Tekirdağ"]),
        ("windows-1250", &["WÓJCIK", "ZIĘBA"]),
    ] {
        let (found, asks) = encoding_of(label, names);
        assert!(asks || found == Some(label), "{names:?}");
    }
}
