//! Warnings: when each is told, of which items, and that what is said of logos is what a reader finds.

use std::fmt::Write;
use std::fs;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use qrpress_batch::{
    ActionCount, Body, BodyForm, CaptionStyle, CodeAction, Colour, ErrorCorrectionLevel, ItemLimits,
    LogoStyle, Names, OutputFormat, RenderStyle, SpoolHeader, SymbolVersion, Warning, WarningCode,
    inspect::{InspectReport, InspectRequest, inspect_body, read_envelope},
};
use qrpress_image::{LogoPlacement, Style, damage};
use qrpress_logo::Outline;
use qrpress_symbol::Encoder;
use qrpress_testkit::{fonts, item_limits};

/// The warnings about an NDJSON job of these items' data.
fn warnings(style: RenderStyle, data: &[&str]) -> Vec<Warning> {
    inspect(style, data, Names::Indexed).warnings
}

/// `Names::Distinct`: of a person's list.
fn inspect(style: RenderStyle, data: &[&str], names: Names) -> InspectReport {
    let mut body = "{}\n".to_owned();
    for data in data {
        writeln!(body, "{{\"data\":\"{data}\"}}").unwrap();
    }
    let folder = qrpress_testkit::TempDir::new();
    let path = folder.path().join("body");
    fs::write(&path, body).unwrap();
    let items = read_envelope(Body::File(&path), BodyForm::Ndjson).unwrap().items.unwrap();
    let job = SpoolHeader::new(OutputFormat::Png, style);
    let report = inspect_body(&InspectRequest {
        body: Body::File(&path),
        form: BodyForm::Ndjson,
        items,
        limits: ItemLimits { max_items: 1_000_000, ..item_limits!(ItemLimits) },
        fonts: fonts(),
        job: Some(&job),
        spool: Some(&folder.path().join("spool")),
        chunk_items: 2,
        skip_faulty: false,
        names,
        time: std::time::Duration::from_secs(600),
    });
    let report = report.unwrap();
    assert!(report.refusal.is_none(), "{:?}", report.refusal);
    report
}

fn told(style: RenderStyle, data: &[&str]) -> Vec<(WarningCode, u64, u64)> {
    warnings(style, data).into_iter().map(|warning| (warning.code, warning.items, warning.first)).collect()
}

#[test]
fn a_style_that_scans_has_none() {
    assert_eq!(told(RenderStyle::default(), &["a", "b"]), []);
    let printed = RenderStyle { dots_per_inch: Some(1016), ..RenderStyle::default() };
    assert_eq!(told(printed, &["a"]), [], "a module of 0.25 mm");
}

#[test]
fn digital_links_of_gs1() {
    let data = [
        "https://example.org/",
        "https://id.example/01/09506000134352/10/A",
        "https://id.example/01/09506000134353",
        "https://id.example/01/9506000134352",
        "https://id.example/01/09506000134353/21/a%20b",
    ];
    let found = warnings(RenderStyle::default(), &data);
    assert_eq!(
        found.iter().map(|warning| (warning.code, warning.first, &warning.listed[..])).collect::<Vec<_>>(),
        [(WarningCode::Gs1CheckDigit, 2, &[2, 4][..]), (WarningCode::Gs1Syntax, 3, &[3, 4])]
    );
    assert!(found[0].message.contains("01 ends in a check digit that should be 2"), "{}", found[0].message);
    assert!(found[1].message.contains("the value of 01"), "{}", found[1].message);
    // 10 pixels of 0.0396 mm, and one dot more per inch.
    for (dots, expected) in [(641, vec![]), (642, vec![(WarningCode::Gs1ModuleSize, 1, 1)])] {
        let style = RenderStyle { dots_per_inch: Some(dots), ..RenderStyle::default() };
        assert_eq!(told(style, &data[..2]), expected, "{dots}");
    }
}

#[test]
fn colours() {
    let style = |foreground: &str, background: &str| RenderStyle {
        foreground: foreground.parse().unwrap(),
        background: background.parse().unwrap(),
        ..RenderStyle::default()
    };
    // The lightest grey that has a contrast of 3 to 1 with white, and the next.
    assert_eq!(told(style("#949494", "#ffffff"), &["a"]), []);
    let grey = [(WarningCode::LowContrast, 1, 0), (WarningCode::LowContrastInRedLight, 1, 0)];
    assert_eq!(told(style("#959595", "#ffffff"), &["a"]), grey);
    assert_eq!(told(style("#ffffff", "#000000"), &["a", "b"]), [(WarningCode::LightOnDark, 2, 0)]);
    assert_eq!(
        told(style("#ffff00", "#ffe000"), &["a"]),
        [
            (WarningCode::LowContrast, 1, 0),
            (WarningCode::LightOnDark, 1, 0),
            (WarningCode::LowContrastInRedLight, 1, 0)
        ]
    );
    // Transparent colours lie on paper and on pages, which are white.
    let unseen = [(WarningCode::LowContrast, 1, 0), (WarningCode::LowContrastInRedLight, 1, 0)];
    assert_eq!(told(style("#ffffff", "transparent"), &["a"]), unseen);
    assert_eq!(told(style("transparent", "#ffffff"), &["a"]), unseen);
    assert_eq!(told(style("transparent", "#000000"), &["a"]), [(WarningCode::LightOnDark, 1, 0)]);
    assert_eq!(told(style("#000000", "transparent"), &["a"]), []);
    // Red light shows nothing of what is red.
    assert_eq!(told(style("#ff0000", "#ffffff"), &["a"]), [(WarningCode::LowContrastInRedLight, 1, 0)]);
    assert_eq!(told(style("#0000ff", "#ffffff"), &["a"]), []);
    assert_eq!(told(style("#000000", "#ff0000"), &["a"]), []);
    let [warning] = &warnings(style("#ff0000", "#808080"), &["a"])[..] else { panic!("one warning") };
    assert!(warning.message.contains(" 1.0:1;"), "{}", warning.message);
}

#[test]
fn sizes() {
    let style = RenderStyle { quiet_zone_modules: 3, dots_per_inch: Some(1017), ..RenderStyle::default() };
    let found = warnings(style, &["a", "b", "c"]);
    assert_eq!(
        found.iter().map(|warning| warning.message.as_str()).collect::<Vec<_>>(),
        [
            "The quiet zone is 3 modules wide; scanners need 4.",
            "In print a module is 0.249 mm wide; scanners need at least 0.250 mm."
        ]
    );
    assert!(found.iter().all(|warning| (warning.items, warning.first) == (3, 0)));
}

#[test]
fn the_sides_of_symbols_are_told_where_they_are_printed() {
    let long = "x".repeat(100);
    let printed = RenderStyle { dots_per_inch: Some(300), ..RenderStyle::default() };
    // Versions 1 and 6 at level M.
    assert_eq!(inspect(printed, &["b", &long, "a"], Names::Indexed).sides, Some([21, 41]));
    assert_eq!(inspect(RenderStyle::default(), &["b", &long], Names::Indexed).sides, None);
}

#[test]
fn small_captions() {
    let style = |font_size, pixels_per_module, text: &str| RenderStyle {
        pixels_per_module,
        caption: CaptionStyle { text: text.to_owned(), font_size, ..CaptionStyle::default() },
        ..RenderStyle::default()
    };
    // 16 px at the default scale are 5 px at three pixels a module, and 6 at four.
    let found = warnings(style(16, 3, "Gate 7"), &["a", "b"]);
    assert_eq!((found.len(), found[0].code, found[0].items), (1, WarningCode::SmallCaption, 2));
    assert!(found[0].message.starts_with("The letters of captions are 5 px high;"), "{}", found[0].message);
    assert_eq!(told(style(16, 4, "Gate 7"), &["a"]), []);
    assert_eq!(told(style(16, 1, " "), &["a"]), []);
    // At 6 px this ligature is 58 px wide, and the picture 29 px; at three pixels a module the picture is 87 px wide.
    let found = warnings(style(64, 1, "﷽"), &["a", "b"]);
    assert_eq!((found.len(), found[0].code, found[0].items), (1, WarningCode::SmallCaption, 2));
    assert!(found[0].message.starts_with("The letters of captions are 2 px high;"), "{}", found[0].message);
    assert_eq!(told(style(64, 1, "Gate 7"), &["a", "b"]), []);
    assert_eq!(told(style(64, 3, "﷽"), &["a", "b"]), []);
}

#[test]
fn suspicious_and_ambiguous_data() {
    let found = warnings(RenderStyle::default(), &["fine", "NULL", "x ", "Zürich"]);
    let told: Vec<_> = found.iter().map(|warning| (warning.code, warning.items, warning.first)).collect();
    assert_eq!(told, [(WarningCode::SuspiciousData, 2, 1), (WarningCode::AmbiguousCharset, 1, 3)]);
    assert_eq!(
        found[0].message,
        "2 items have data that is probably not meant. In the first, the data is the word NULL."
    );
    assert!(found[1].message.contains("eci") && found[1].message.contains("Zürich"), "{}", found[1].message);
    let named = RenderStyle { eci: qrpress_symbol::Eci::Utf8, ..RenderStyle::default() };
    assert_eq!(warnings(named, &["fine", "Zürich"]), []);
}

#[test]
fn web_addresses_with_faults_and_data_that_is_none() {
    let good = ["https://a.example/1", "https://a.example/2", "http://a.example/3", "https://a.example/4"];
    let faulty = ["htps://typo.example/a", "https//b.example", "http:/c.example", "https://d,example/a"];
    let bare = ["laden.example/karte", "baeckerei.example", "www.e.example"];
    let told_of = |data: &[&str]| -> Vec<(String, Vec<u64>)> {
        assert_eq!(warnings(RenderStyle::default(), data), []);
        let found = inspect(RenderStyle::default(), data, Names::Distinct).warnings;
        assert!(found.iter().all(|warning| warning.code == WarningCode::SuspiciousData), "{found:?}");
        found.into_iter().map(|warning| (warning.message, warning.listed)).collect()
    };
    assert_eq!(told_of(&good), []);
    assert_eq!(
        told_of(&[&good[..], &faulty, &bare, &["\\\"https://f.example/\\\"", "info@park.example", "Regal 7", "tel:+49123"]].concat()),
        [
            (
                "3 items have data that is probably not meant. In the first, the address begins with htps:// instead of https://."
                    .to_owned(),
                vec![4, 5, 6]
            ),
            (
                "1 item has data that is probably not meant. In the first, d,example in the address has a comma."
                    .to_owned(),
                vec![7]
            ),
            (
                "1 item has data that is probably not meant. In the first, the address is in quotes: a code opens one that stands alone.".to_owned(),
                vec![11]
            ),
            (
                "3 items are web addresses without https://: phones search for them instead of opening them. Write https:// in front."
                    .to_owned(),
                vec![8, 9, 10]
            ),
            (
                "1 item is a mail address alone: phones show it as text. Write mailto: in front, and the code opens a mail."
                    .to_owned(),
                vec![12]
            ),
            ("12 items are web addresses; 1 is not: \"Regal 7\".".to_owned(), vec![13]),
        ]
    );
    // Placeholders and totals, which one choice leaves out, have a sentence of their own.
    let mixed = ["file:///C:/a.pdf", "https://a.example/{ID}", "n/a", "Summe", "http//b.example"];
    assert_eq!(
        told_of(&mixed).into_iter().map(|(_, listed)| listed).collect::<Vec<_>>(),
        [vec![0], vec![1, 2, 3], vec![4]]
    );
    let message = "1 item is a pair of coordinates alone: phones show it as text. Write geo: in front, and the code opens a map.";
    assert_eq!(
        told_of(&["48.13743, 11.57549", "geo:48.1,11.5", "48.1, 11.5"]),
        [(message.to_owned(), vec![0])]
    );
    let message = "2 items call a number; 1 does not: \"1900 20 50 50\".";
    assert_eq!(told_of(&["tel:112", "tel:+35321123", "1900 20 50 50"]), [(message.to_owned(), vec![2])]);
    // Too few addresses, or too many others.
    assert_eq!(told_of(&["https://a.example/1", "Gate 7"]), []);
    let gates = ["Gate 1", "Gate 2", "Gate 3", "Gate 4", "Gate 5", "Gate 6", "Gate 7"];
    assert_eq!(told_of(&[&good[..2], &gates].concat()), []);
    let mail = [&["Hi Eva,", "thanks", "Ben"], &good[..2]].concat();
    let told =
        ("2 items are web addresses; 3 are not, the first of them \"Hi Eva,\". A code opens an address that stands alone.".to_owned(), vec![0, 1, 2]);
    assert_eq!(told_of(&mail), [told]);
    assert_eq!(told_of(&[&good[..2], &["Total: 2", "As of 03/2027"]].concat()).len(), 2);
}

#[test]
fn web_addresses_behind_marks_of_lists_and_behind_names() {
    let told_of = |data: &[&str]| -> Vec<(String, Vec<u64>)> {
        assert_eq!(warnings(RenderStyle::default(), data), []);
        let found = inspect(RenderStyle::default(), data, Names::Distinct).warnings;
        found.into_iter().map(|warning| (warning.message, warning.listed)).collect()
    };
    let marked = ["- https://a.example/1", "2) https://a.example/2", "https://a.example/3"];
    let message = "2 items have data that is probably not meant. In the first, - stands before the address, so that phones search for it \
                   instead of opening it.";
    assert_eq!(told_of(&marked), [(message.to_owned(), vec![0, 1])]);
    let named = ["Anna https://a.example/1", "Bert https://a.example/2", "https://a.example/3"];
    let message = "2 items are probably not meant: they have text before a web address, so that phones search for them instead of \
                   opening it. A code opens an address that stands alone.";
    assert_eq!(told_of(&named), [(message.to_owned(), vec![0, 1])]);
    let named = ["url,caption", "https://a.example/1,Eingang", "https://a.example/2,Ausgang"];
    let message = "2 items are probably not meant: a name seems to stand behind the web address, so that phones open another address. A \
                   code opens an address that stands alone.";
    let told = told_of(&named);
    assert_eq!(told[0], (message.to_owned(), vec![1, 2]));
    assert_eq!(told_of(&[named[1], "https://a.example/2", "https://a.example/3"]), []);
    let bracketed =
        ["https://a.example/1", "https://a.example/2", "<https://a.example/3>", "(https://a.example/4)"];
    let message = "2 items have data that is probably not meant. In the first, the address is in brackets: a code opens one that \
                   stands alone.";
    assert_eq!(told_of(&bracketed), [(message.to_owned(), vec![2, 3])]);
    // Most are addresses, or texts of another kind.
    let few = [&named[..1], &["https://a.example/4", "https://a.example/5"]].concat();
    let told = told_of(&few);
    assert!(told.len() == 1 && told[0].0.contains("2 items are web addresses; 1 is not"), "{told:?}");
    assert_eq!(told_of(&[&named[..2], &["Gate 7", "Gate 8"]].concat()), []);
}

#[test]
fn sentences_in_a_list_of_numbers() {
    let numbers = ["SN-0001", "SN-0002", "SN-0003", "1004"];
    let told_of = |others: &[&str]| -> Vec<(String, Vec<u64>)> {
        let data = [&numbers[..], others].concat();
        assert_eq!(warnings(RenderStyle::default(), &data), []);
        let found = inspect(RenderStyle::default(), &data, Names::Distinct).warnings;
        assert!(found.iter().all(|warning| warning.code == WarningCode::SuspiciousData), "{found:?}");
        found.into_iter().map(|warning| (warning.message, warning.listed)).collect()
    };
    assert_eq!(
        told_of(&["Page 1 of 2", "Made on 01.11.2026", "SN-0005"]),
        [(
            "5 items have digits and no spaces; 2 have spaces, the first of them \"Page 1 of 2\".".to_owned(),
            vec![4, 5]
        )]
    );
    // Numbers with spaces, other words, and as many sentences as numbers.
    assert_eq!(told_of(&["SN 0005", "+49 30 123", "RESERVE", "Foyer"]), []);
    assert_eq!(told_of(&["Room one", "Room two", "Room three", "Room four"]), []);
    for total in ["Summe: 4", "Gesamt", "Zwischensumme", "TOTAL 4"] {
        let sentence = format!(
            "1 item has data that is probably not meant. In the first, the data is {total}, as in a row of totals."
        );
        assert_eq!(told_of(&[total]), [(sentence, vec![4])]);
    }
}

#[test]
fn placeholders_in_a_list_of_a_person() {
    for (data, listed) in [
        (&["https://a.example/1", "n/a", "-", "TBD", "folgt", "https://a.example/6"][..], &[1, 2, 3, 4][..]),
        (&["Gate 7", "Keine"], &[1]),
    ] {
        assert_eq!(warnings(RenderStyle::default(), data), []);
        let found = inspect(RenderStyle::default(), data, Names::Distinct).warnings;
        let [warning] = &found[..] else { panic!("{found:?}") };
        assert_eq!((warning.code, &warning.listed[..]), (WarningCode::SuspiciousData, listed));
        assert!(
            warning.message.ends_with(&format!(
                "In the first, the data is {}, as in a cell that has none.",
                data[listed[0] as usize]
            )),
            "{}",
            warning.message
        );
    }
    let data = ["https://a.example/1", "https://a.example/{ID}", "Link folgt", "https://a.example/xxx"];
    assert_eq!(warnings(RenderStyle::default(), &data), []);
    let found = inspect(RenderStyle::default(), &data, Names::Distinct).warnings;
    let [warning] = &found[..] else { panic!("{found:?}") };
    assert_eq!(
        (&*warning.message, &warning.listed[..]),
        (
            "3 items have data that is probably not meant. In the first, the address https://a.example/{ID} has a part that is to be filled in.",
            &[1, 2, 3][..]
        )
    );
}

#[test]
fn contacts_with_a_name_alone_in_a_list_of_a_person() {
    let card = |rest: &str| format!("BEGIN:VCARD\\r\\nVERSION:3.0\\r\\n{rest}\\r\\nEND:VCARD\\r\\n");
    let data = [
        card("FN:Eva\\r\\nTEL:1"),
        card("FN:Ada\\r\\nEMAIL:a@a.example"),
        card("N:Total;;;;\\r\\nFN:Total"),
        card("FN:Page 1\\r\\nORG:Page"),
        card("FN:Ida\\r\\nTITLE:Chair"),
    ];
    let data: Vec<&str> = data.iter().map(String::as_str).collect();
    let told = |data: &[&str]| {
        let found = inspect(RenderStyle::default(), data, Names::Distinct).warnings;
        found.into_iter().map(|warning| (warning.message, warning.listed)).collect::<Vec<_>>()
    };
    assert_eq!(warnings(RenderStyle::default(), &data), []);
    let sentence =
        "2 items have data that is probably not meant: contacts such as \"Total\" have nothing but a name.";
    assert_eq!(told(&data), [(sentence.to_owned(), vec![2, 3])]);
    let sentence =
        "1 item has data that is probably not meant: the contact \"Page 1\" has nothing but a name.";
    assert_eq!(told(&data[3..].iter().copied().chain([data[0]]).collect::<Vec<_>>())[0].0, sentence);
    // Headings between contacts may be as many as these, or more.
    let headings = ["FN:Board", "FN:Eva\\r\\nTEL:1", "FN:Coaches", "FN:Team"].map(card);
    assert_eq!(told(&headings.each_ref().map(String::as_str))[0].1, [0, 2, 3]);
    // A list of names alone, and what is none of them.
    assert_eq!(told(&data[2..])[0].1, [0, 1]);
    let names = ["FN:Eva", "FN:Ada", "FN:Total Energies"].map(card);
    assert_eq!(told(&names.each_ref().map(String::as_str)), []);
}

#[test]
fn lines_of_a_contact_that_are_items() {
    let told = |data: &[&str]| {
        assert_eq!(warnings(RenderStyle::default(), data), []);
        let found = inspect(RenderStyle::default(), data, Names::Distinct).warnings;
        found.into_iter().map(|warning| (warning.message, warning.listed)).collect::<Vec<_>>()
    };
    let lines = ["BEGIN:VCARD", "VERSION:3.0", "FN:Eva", "TEL:+49711123456", "END:VCARD"];
    let sentence = "1 item has data that is probably not meant. In the first, the data is BEGIN:VCARD alone: each line of a contact became \
                    a code of its own.";
    assert_eq!(told(&lines), [(sentence.to_owned(), vec![0])]);
    assert_eq!(told(&[&lines.join("\\r\\n"), &lines[..4].join("\\n")]), []);
}

#[test]
fn mail_addresses_with_names() {
    let data = ["Anna Maier <anna@firma.example>", "A <a@x.example>; c@x.example", "mailto:a@x.example"];
    assert_eq!(warnings(RenderStyle::default(), &data), []);
    let found = inspect(RenderStyle::default(), &data, Names::Distinct).warnings;
    let [warning] = &found[..] else { panic!("{found:?}") };
    assert_eq!(
        (&*warning.message, &warning.listed[..]),
        (
            "2 items have data that is probably not meant. In the first, a name or brackets stand beside the mail address: phones show it \
             as text. A code with mailto: and the address alone opens a mail.",
            &[0, 1][..]
        )
    );
}

#[test]
fn texts_with_addresses_among_addresses_alone() {
    let told_of = |data: &[&str]| -> Vec<(String, Vec<u64>)> {
        let found = inspect(RenderStyle::default(), data, Names::Distinct).warnings;
        found.into_iter().map(|warning| (warning.message, warning.listed)).collect()
    };
    let sentence = |items: &str| {
        format!(
            "{items} have an address or a phone number that phones show or search for. A code opens what stands alone, with https://, \
             mailto:, tel: or geo: in front."
        )
    };
    let data =
        ["Office: 0711 123456", "info@firma.example", "www.firma.example", "Gate 7", "48.13743, 11.57549"];
    assert_eq!(told_of(&data), [(sentence("4 items"), vec![0, 1, 2, 4])]);
    let data = ["Menu: https://firma.example/a", "Map: https://firma.example/b", "info@firma.example"];
    assert_eq!(told_of(&data)[0], (sentence("3 items are probably not meant: they"), vec![]));
}

#[test]
fn actions_of_phones_on_a_list() {
    let data = ["https://firma.example", "Gate 7", "https://firma.example/b"];
    let of = |names| inspect(RenderStyle::default(), &data, names).actions;
    assert_eq!(of(Names::Indexed), []);
    let counted = |action, items, listed: &[u64]| ActionCount { action, items, listed: listed.to_vec() };
    let expected = [counted(CodeAction::WebPage, 2, &[0, 2]), counted(CodeAction::Text, 1, &[1])];
    assert_eq!(of(Names::Distinct), expected);
}

#[test]
fn mail_addresses_and_phone_numbers_alone() {
    let told_of = |data: &[&str]| -> Vec<(String, Vec<u64>)> {
        assert_eq!(warnings(RenderStyle::default(), data), []);
        let found = inspect(RenderStyle::default(), data, Names::Distinct).warnings;
        found.into_iter().map(|warning| (warning.message, warning.listed)).collect()
    };
    let data = [
        "info@firma.example",
        "0711 123456",
        "(030) 12 34 56-0",
        "mailto:a@firma.example",
        "tel:+49711123457",
    ];
    assert_eq!(
        told_of(&data),
        [
            (
                "1 item is a mail address alone: phones show it as text. Write mailto: in front, and the code opens a mail."
                    .to_owned(),
                vec![0]
            ),
            (
                "2 items are phone numbers alone: phones show them as text. Write tel: in front, without spaces, and the \
                 code opens a call."
                    .to_owned(),
                vec![1, 2]
            ),
        ]
    );
    let message = "1 item is an address of what3words alone: phones show it as text. Write https://w3w.co/ in place of ///, and the \
                   code opens the place.";
    assert_eq!(told_of(&["///filled.count.soap", "tel:112"]), [(message.to_owned(), vec![0])]);
    let message = "1 item is a pair of coordinates alone: phones show it as text. Write geo: in front, and the code opens a map.";
    assert_eq!(told_of(&["N 56.4534 W 5.4467", "12.5000 13.9000"]), [(message.to_owned(), vec![0])]);
    assert_eq!(told_of(&["4006381333931", "0001234", "2027-02-03", "100-200-300", "00 12"]), []);
    assert_eq!(
        told_of(&["tel:0612345678", "tel:+49421123456", "tel:112", "tel:080012345"]),
        [(
            "1 item calls a number without its country's code (tel:0612345678): phones in other countries cannot call it. Write \
             + and the code in place of the first 0."
                .to_owned(),
            vec![0]
        )]
    );
    // Digits alone are phone numbers where others begin as they do.
    let told = told_of(&["Tel:0871234567", "0871234568", "087-1234569", "Electrician: 0879999999"]);
    assert_eq!(told.len(), 1);
    assert!(told[0].0.starts_with("4 items have an address or a phone number"), "{told:?}");
    let told = told_of(&["Tel:0871234567", "087-1234569", "0214501234"]);
    assert!(
        told.len() == 2
            && told[0]
                .0
                .starts_with("1 item may have a phone number that phones show as text: \"0214501234\"."),
        "{told:?}"
    );
}

#[test]
fn marks_of_lists_before_nearly_all_texts() {
    let told_of = |data: &[&str]| -> Vec<(String, Vec<u64>)> {
        let found = inspect(RenderStyle::default(), data, Names::Distinct).warnings;
        found.into_iter().map(|warning| (warning.message, warning.listed)).collect()
    };
    let rules = ["House rules", "- No fires", "- Dogs on leads", "- 5 mph"];
    let message =
        "3 items have the mark of a list, which is probably not meant: - stands before the text.".to_owned();
    assert_eq!(told_of(&rules[1..]), [(message.clone(), vec![])]);
    let with_code = [&rules[1..], &["WIFI:S:a;T:WPA;P:geheim12;;"]].concat();
    assert_eq!(told_of(&with_code), [(message, vec![0, 1, 2])]);
    assert_eq!(told_of(&["- No fires", "Gate 7", "-5 mm", "-A17"]), []);
}

#[test]
fn titles_above_codes_and_headings() {
    let told_of = |data: &[&str]| -> Vec<(String, Vec<u64>)> {
        assert_eq!(warnings(RenderStyle::default(), data), []);
        let found = inspect(RenderStyle::default(), data, Names::Distinct).warnings;
        found.into_iter().map(|warning| (warning.message, warning.listed)).collect()
    };
    let links = ["Washer Flat 5", "https://a.example/5", "Washer Flat 6", "https://a.example/6"];
    let message = "2 items are web addresses; 2 are not, the first of them \"Washer Flat 5\". A code opens an address that stands alone.";
    assert_eq!(told_of(&links), [(message.to_owned(), vec![0, 2])]);
    let message = "2 items are probably not meant: they seem to be titles of the items below them, the first of them \"Room 1\". A code \
                   opens what stands alone.";
    let networks = ["WIFI:S:a;T:WPA;P:geheim12;;", "WIFI:S:b;T:WPA;P:geheim12;;"];
    assert_eq!(told_of(&["Room 1", networks[0], "Lobby", networks[1]]), [(message.to_owned(), vec![0, 2])]);
    // They may be codes.
    assert_eq!(told_of(&["SN-17", networks[0], "SN-18", networks[1]]), []);
    assert_eq!(told_of(&["Room 1", networks[0]]), []);
    assert_eq!(told_of(&["Room 1", "Room 2", networks[0], networks[1]]), []);
    for (heading, item) in [("Link", "https://a.example/5"), ("E-Mails:", "mailto:a@a.example")] {
        let message = format!(
            "1 item is probably not meant: {heading:?} seems to be the heading of the list. A code opens what stands alone."
        );
        assert_eq!(told_of(&[heading, item]), [(message, vec![0])]);
    }
    assert_eq!(told_of(&["Link", "Gate 7"]), []);
    assert_eq!(told_of(&[networks[0], "Link"]), []);
}

#[test]
fn web_addresses_that_go_on_in_the_next_item() {
    let data =
        ["https://www.example.org/minutes-and-agendas/2027/pa", "th/to/page.html", "https://a.example/1"];
    let found = inspect(RenderStyle::default(), &data, Names::Distinct).warnings;
    let [warning] = &found[..] else { panic!("{found:?}") };
    assert_eq!(
        (&*warning.message, &warning.listed[..]),
        (
            "1 item is probably not meant: \"th/to/page.html\" seems to be the rest of the web address before it. Join these lines.",
            &[1][..]
        )
    );
}

#[test]
fn duplicates_are_all_counted() {
    let found = told(RenderStyle::default(), &["a", "b", "c", "b", "a", "b", "d"]);
    assert_eq!(found, [(WarningCode::DuplicateData, 5, 0)]);
    let found = told(RenderStyle::default(), &["x", "a", "b", "b"]);
    assert_eq!(found, [(WarningCode::DuplicateData, 2, 2)]);
}

fn with_logo(level: ErrorCorrectionLevel, ratio_millionths: u32) -> RenderStyle {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, 2, 2);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.write_header().unwrap().write_image_data(&[90; 4]).unwrap();
    let data_url = format!("data:image/png;base64,{}", STANDARD.encode(file));
    RenderStyle {
        error_correction_level: level,
        logo: Some(LogoStyle { data_url, ratio_millionths }),
        ..RenderStyle::default()
    }
}

#[test]
fn logos() {
    let short = "https://example.com/";
    let long = format!("https://example.com/{}", "path/".repeat(100));
    assert_eq!(told(with_logo(ErrorCorrectionLevel::High, 200_000), &[short, &long]), []);
    let found = warnings(with_logo(ErrorCorrectionLevel::Low, 300_000), &[short, &long, short]);
    let [logo, duplicate] = &found[..] else { panic!("{found:?}") };
    assert_eq!((logo.code, logo.items, logo.first), (WarningCode::LogoCoversTooMuch, 3, 0));
    assert_eq!((duplicate.code, &duplicate.listed[..]), (WarningCode::DuplicateData, &[0, 2][..]));
    assert!(logo.listed.is_empty(), "it concerns all items");
    assert!(logo.message.ends_with("Use H, or make it smaller."), "{}", logo.message);
}

#[test]
fn logos_that_are_cut_off() {
    use ErrorCorrectionLevel::{High, Medium};
    let (short, long) = ("x".repeat(10), "x".repeat(60));
    let of = |names, level, ratio| inspect(with_logo(level, ratio), &[&long, &short, &long], names).cut_logo;
    let of_list = |level, ratio| of(Names::Distinct, level, ratio);
    let Some(cut) = of_list(Medium, 150_000) else { panic!("it is cut off") };
    assert_eq!((cut.items, &cut.listed[..]), (1, &[1][..]));
    assert!(cut.message.ends_with("use ecLevel H, or a logo of 14 %."), "{}", cut.message);
    assert_eq!([of_list(High, 150_000), of_list(Medium, 140_000)], [None, None]);
    // The warning that it hides too much says more. The API has no word for it.
    assert_eq!([of_list(Medium, 300_000), of(Names::Indexed, Medium, 150_000)], [None, None]);
    let same = RenderStyle { version: SymbolVersion::Same, ..with_logo(Medium, 150_000) };
    assert_eq!(inspect(same.clone(), &[&long, &short], Names::Distinct).cut_logo, None);
    let cut = inspect(same, &[&short, &short], Names::Distinct).cut_logo;
    assert_eq!(cut.map(|cut| cut.items), Some(2));
}

#[test]
fn the_levels_that_are_named_would_do() {
    let levels = [
        ("L", ErrorCorrectionLevel::Low),
        ("M", ErrorCorrectionLevel::Medium),
        ("Q", ErrorCorrectionLevel::Quartile),
        ("H", ErrorCorrectionLevel::High),
    ];
    let mut named = 0;
    let lengths = [10, 30, 60, 150, 400];
    for [first, second] in lengths.into_iter().flat_map(|first| [10, 400].map(|second| [first, second])) {
        let data = [first, second].map(|length| "x".repeat(length));
        let data = &[&data[0][..], &data[1][1..]];
        for ratio in [100_000, 150_000, 200_000, 250_000, 300_000] {
            let warned = levels.map(|(_, level)| warnings(with_logo(level, ratio), data));
            for (number, (letter, _)) in levels.iter().enumerate() {
                let Some(warning) = warned[number].first() else { continue };
                let advice =
                    warning.message.split_once("Use ").and_then(|(_, rest)| rest.split_once(", or make"));
                let advice = advice.map_or("", |(levels, _)| levels);
                assert!(warning.message.contains(&format!("too large for ecLevel {letter}.")));
                for (higher, (other, _)) in levels.iter().enumerate() {
                    let is_named = advice.contains(other);
                    let would_do = higher > number && warned[higher].is_empty();
                    assert_eq!(
                        is_named, would_do,
                        "{first} and {second} at {ratio}: {}, {other}",
                        warning.message
                    );
                    named += usize::from(is_named);
                }
            }
        }
    }
    assert!(named > 5, "{named} levels were named");
}

/// All modules under a logo are inverted. An independent reader still reads the code just where no block has lost more
/// codewords than are said to be repairable.
#[test]
fn a_reader_repairs_what_is_said_to_be_repairable() {
    let style = Style::new(4, 4, Colour::BLACK, Colour::WHITE).unwrap();
    let (mut readable, mut unreadable) = (0, 0);
    for (level, length) in
        ErrorCorrectionLevel::ALL.iter().flat_map(|level| [20, 40, 70].map(|length| (*level, length)))
    {
        for ratio in (100_000..=500_000).step_by(50_000) {
            let text = "a/b?c".repeat(length / 5);
            let mut encoder = Encoder::new();
            let symbol = encoder.encode(text.as_bytes(), level).unwrap();
            let version = symbol.version();
            // From version 7 on, an alignment pattern lies in the middle.
            if !(2..7).contains(&version.number()) {
                continue;
            }
            let outline = Outline::of_rectangle([1, 1]);
            let placement = LogoPlacement::new(&style, version, level, &outline, ratio);
            let is_cleared = |x: usize, y: usize| placement.columns(y).contains(&x);
            let is_said =
                damage(version, level, is_cleared).iter().all(|block| block.lost <= block.repairable);
            let mut image = rqrr::PreparedImage::prepare_from_greyscale(
                4 * (version.size() + 8),
                4 * (version.size() + 8),
                |x, y| {
                    let (x, y) = ((x / 4).wrapping_sub(4), (y / 4).wrapping_sub(4));
                    let inside = x < version.size() && y < version.size();
                    let dark = inside && symbol.rows()[y][x / 64] >> (x % 64) & 1 == 1;
                    let dark = dark ^ is_cleared(x, y);
                    if dark { 0 } else { 255 }
                },
            );
            let grids = image.detect_grids();
            let read = grids.first().and_then(|grid| grid.decode().ok());
            assert_eq!(
                read.is_some_and(|(_, found)| found == text),
                is_said,
                "{version:?} {level:?} {ratio}"
            );
            if is_said { readable += 1 } else { unreadable += 1 }
        }
    }
    assert!(readable > 20 && unreadable > 20, "{readable} {unreadable}");
}

#[test]
fn text_behind_web_addresses_is_told_of_apart_from_white_space_within_them() {
    let data = [
        "https://a.example/my file.pdf",
        "https://a.example/1 – Anna",
        "https://a.example/2 (Ben)",
        "a.example/late arrivals.pdf",
    ];
    // Programs have data of all kinds.
    assert_eq!(warnings(RenderStyle::default(), &data[3..]), []);
    let found = inspect(RenderStyle::default(), &data, Names::Distinct).warnings;
    let found: Vec<_> = found.into_iter().map(|warning| (warning.message, warning.listed)).collect();
    let messages = [
        "2 items have data that is probably not meant. In the first, the address has white space: write %20 for each space.",
        "2 items have text behind a web address: phones open another one, or none. A code opens an address that stands alone.",
    ];
    let listed = [vec![0, 3], vec![1, 2]];
    assert_eq!(found, messages.map(str::to_owned).into_iter().zip(listed).collect::<Vec<_>>());
}
