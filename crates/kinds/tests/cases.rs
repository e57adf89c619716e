//! The kinds, held to the cases that the client library is held to as well.
#![allow(clippy::unwrap_used, reason = "the functions are parts of a test")]

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use qrpress_kinds::{CallingCode, Kind};
use serde_json::{Value, json};

fn cases() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/kinds/cases.json");
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn every_case_has_its_data_or_is_refused_by_field() {
    let cases = cases();
    let mut wrong = Vec::new();
    for case in cases["cases"].as_array().unwrap() {
        let kind = Kind::of_name(case["kind"].as_str().unwrap()).unwrap();
        let values: Vec<&str> = kind
            .fields()
            .iter()
            .map(|field| case["fields"][field.name].as_str().unwrap_or_default())
            .collect();
        let found = match kind.compose(&values) {
            Ok(data) => json!({ "data": data }),
            Err(fault) => json!({ "refused": fault.field }),
        };
        let expected = if case["data"].is_null() {
            json!({ "refused": case["refused"] })
        } else {
            json!({ "data": case["data"] })
        };
        if found != expected {
            wrong.push(format!("{case}\n  found {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn countries_that_people_choose_are_known() {
    for code in cases()["callingCodes"].as_array().unwrap() {
        assert!(CallingCode::of(code.as_str().unwrap()).is_some(), "{code}");
    }
    assert!(CallingCode::of("999").is_none());
}

#[test]
fn data_is_read_back_as_the_fields_that_give_it_again() {
    for case in cases()["cases"].as_array().unwrap() {
        let Some(data) = case["data"].as_str() else { continue };
        let kind = Kind::of_name(case["kind"].as_str().unwrap()).unwrap();
        for (place, _) in data.char_indices() {
            if let Some((kind, values)) = Kind::read(&data[..place]) {
                let values: Vec<&str> = values.iter().map(String::as_str).collect();
                assert_eq!(kind.compose(&values).unwrap(), data[..place]);
            }
        }
        match Kind::read(data) {
            None => assert!(matches!(kind, Kind::Text | Kind::DigitalLink), "{case}"),
            Some((read, values)) => {
                let values: Vec<&str> = values.iter().map(String::as_str).collect();
                assert_eq!((read, kind.compose(&values).unwrap().as_str()), (kind, data));
            }
        }
    }
}

#[test]
fn fields_are_read_back_in_the_words_of_people() {
    let read = |data: &str| {
        let (kind, values) = Kind::read(data).unwrap();
        let fields = kind.fields().iter().zip(values).filter(|(_, value)| !value.is_empty());
        fields.map(|(field, value)| format!("{}={value}", field.name)).collect::<Vec<_>>().join(" ")
    };
    for (data, fields) in [
        (r"WIFI:T:nopass;S:a\\n\;b;H:true;;", r"ssid=a\n;b encryption=none hidden=yes"),
        (r"WIFI:T:WPA;S:Room: 12;P: pass word\:1 ;;", ""),
        (r"WIFI:T:WPA;S:Room 12;P: pass word\:1 ;;", "ssid=Room 12 password= pass word:1  encryption=WPA"),
        (
            "BCD\n002\n1\nSCT\n\nJane\nDE89370400440532013000\nEUR12.30\n\n\nNo. 7",
            "name=Jane iban=DE89370400440532013000 amount=12.30 text=No. 7",
        ),
        ("mailto:a@example.org?body=a%20b", "to=a@example.org body=a b"),
        ("SMSTO:80800:a: b", "number=80800 text=a: b"),
        ("geo:52.5,-0.1", "latitude=52.5 longitude=-0.1"),
        (
            "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Doe;Jane;;;\r\nFN:Jane Doe\r\nEND:VCARD\r\n",
            "firstName=Jane lastName=Doe",
        ),
        ("BEGIN:VCARD\r\nVERSION:3.0\r\nN:Jane Doe;;;;\r\nFN:Jane Doe\r\nEND:VCARD\r\n", "name=Jane Doe"),
    ] {
        if fields.is_empty() {
            assert_eq!(Kind::read(data), None, "{data}");
        } else {
            assert_eq!(read(data), fields);
        }
    }
    let event = Kind::Event
        .compose(&["Fair", "2026-02-28 09:30", "", "2026-03-01 10:00:05", "", "", "a\nb"])
        .unwrap();
    assert_eq!(read(&event), "title=Fair start=2026-02-28 09:30 end=2026-03-01 10:00:05 description=a\nb");
    let days = Kind::Event.compose(&["Fair", "2026-02-28", "", "2026-02-28"]).unwrap();
    assert_eq!(read(&days), "title=Fair start=2026-02-28 end=2026-02-28");
}

#[test]
fn data_of_others_is_not_read_where_it_would_change() {
    for data in [
        "WIFI:S:Room;T:WPA;P:password;;",
        "WIFI:T:WPA;S:Room;P:password;R:1;;",
        "WIFI:T:WPA;S:Room;P:short;;",
        "BCD\n002\n1\nSCT\n\nJane\nDE89370400440532013000\nEUR12.3",
        "mailto:a@example.org?cc=b@example.org",
        "mailto:a%4",
        "tel:+49 30 1",
        "geo:52.5,-0.1?q=x",
        "geo:",
        "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Jane\r\nEND:VCARD\r\n",
        "BEGIN:VCARD\nVERSION:3.0\nN:Jane;;;;\nFN:Jane\nEND:VCARD\n",
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nDTSTART:é\r\nEND:VCALENDAR\r\n",
        "https://example.org",
        "",
    ] {
        assert_eq!(Kind::read(data), None, "{data:?}");
    }
}

#[test]
fn the_kinds_have_their_fields() {
    let cases = cases();
    let names: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
    assert_eq!(names.len(), cases["kinds"].as_object().unwrap().len());
    for kind in Kind::ALL {
        let fields: Vec<&str> = kind.fields().iter().map(|field| field.name).collect();
        let required: Vec<&str> =
            kind.fields().iter().filter(|field| field.is_required).map(|field| field.name).collect();
        assert_eq!(
            json!({ "fields": fields, "required": required }),
            cases["kinds"][kind.name()],
            "{kind:?}"
        );
    }
    assert_eq!(Kind::of_name("letter"), None);
}

#[test]
fn pictures_are_named_after_what_people_know() {
    for (kind, values, title) in [
        (Kind::Contact, &[("name", " Jane Doe "), ("firstName", "J"), ("phone", "+49301")][..], "Jane Doe"),
        (Kind::Contact, &[("firstName", "Jane"), ("lastName", "Doe")], "Jane Doe"),
        (Kind::ContactV4, &[("lastName", "Doe")], "Doe"),
        (Kind::Wifi, &[("ssid", "Guests"), ("password", "welcome-1")], "Guests"),
        (
            Kind::Payment,
            &[("name", "Red Cross"), ("iban", "BE68539007547034"), ("text", " Invoice 2026-17 ")],
            "Red Cross Invoice 2026-17",
        ),
        (
            Kind::Payment,
            &[("name", "Red Cross"), ("reference", "RF18539007547034")],
            "Red Cross RF18539007547034",
        ),
        (Kind::Payment, &[("name", "Red Cross"), ("iban", "BE68539007547034")], "Red Cross"),
        (Kind::Event, &[("title", "Fair"), ("start", "2026-01-31")], "Fair"),
        (Kind::Email, &[("to", "a@example.org"), ("body", "secret")], "a@example.org"),
        (Kind::Sms, &[("number", "+15105550101"), ("text", "JOIN")], "+15105550101"),
        (Kind::Phone, &[("number", "112")], "112"),
        (Kind::Geo, &[("latitude", "52.5"), ("longitude", "13.4")], "52.5,13.4"),
        (Kind::Geo, &[("coordinates", "52,5 13,4")], "52.5,13.4"),
        (
            Kind::DigitalLink,
            &[("gtin", "4006381333931"), ("lot", "A7"), ("serial", "1")],
            "4006381333931-1-A7",
        ),
        (Kind::DigitalLink, &[("gtin", "4006381333931"), ("domain", "id.example")], "4006381333931"),
        (Kind::Text, &[("text", "https://example.org")], ""),
    ] {
        let value =
            |name: &str| values.iter().find(|(field, _)| *field == name).map_or("", |(_, value)| value);
        let values: Vec<&str> = kind.fields().iter().map(|field| value(field.name)).collect();
        assert_eq!(kind.title(&values), title);
    }
}

#[test]
fn amounts_may_have_a_dash_in_place_of_cents() {
    let paid = |amount: &str| Kind::Payment.compose(&["A", "BE68539007547034", "", amount]);
    for amount in
        ["1.250,-", "1'250.-", "1’250.–", "1.250,--", "1.250.-", "1,250.-", "€ 1.250,-", "1 250,– €"]
    {
        assert!(paid(amount).is_ok_and(|code| code.ends_with("\nEUR1250.00")), "{amount}");
    }
    assert!(paid("1.234.567,-").is_ok_and(|code| code.ends_with("\nEUR1234567.00")));
    assert!(paid("45.–").is_ok_and(|code| code.ends_with("\nEUR45.00")));
    assert!(paid("12.50,-").is_ok_and(|code| code.ends_with("\nEUR12.50")));
    // They have three decimals, or wrong groups.
    for amount in ["1250.500,-", "1.250,00,-", "1.250.5,-", "0.250,-", "1250.000,-"] {
        assert!(paid(amount).is_err(), "{amount}");
    }
}

#[test]
fn sentences_say_what_to_write() {
    let refusal = |kind: Kind, values: &[&str]| kind.compose(values).unwrap_err().message;
    let amount = |amount: &str| refusal(Kind::Payment, &["A", "BE68539007547034", "", amount]);
    assert_eq!(amount("1.299"), "write two decimals: 1.299 may be 1299.00 or have three decimals.");
    assert_eq!(amount("0.299"), "the amount has more than two decimals.");
    let paid = |amount: &str| Kind::Payment.compose(&["A", "BE68539007547034", "", amount]);
    for amount in ["€ 25,-", "25,- €", "25,–", "EUR 25.—", "25,-"] {
        assert!(paid(amount).is_ok_and(|code| code.ends_with("\nEUR25.00")), "{amount}");
    }
    for other in ["5 CHF", "$5", "5 Kč", "CHF 12,30 €"] {
        assert_eq!(
            amount(other),
            "payments are in euros. Write the amount as a number, such as 12.30.",
            "{other}"
        );
    }
    assert_eq!(amount("-5 €"), "the amount must be above 0.");
    for credit in ["1.250,00-", "89,90 -", "5-", "1.250,00- €", "5−"] {
        assert_eq!(amount(credit), "the amount is a credit, below 0: it has a minus at the end.", "{credit}");
    }
    for word in ["-", "–", "--", "frei", "open", "libre", "€", "five"] {
        assert_eq!(
            amount(word),
            "there is no number. Write an amount in euros such as 12.30, or leave the cell empty: then whoever pays types it.",
            "{word}"
        );
    }
    let same = |amount: &str| Kind::Payment.compose(&["A", "BE68539007547034", "", amount]).unwrap();
    for (written, number) in [
        ("1.210,50 €", "1210.50"),
        ("1\u{202f}210,50\u{a0}€", "1210.50"),
        ("€ 12.30", "12.30"),
        ("€12,30", "12.30"),
        ("EUR 12,30", "12.30"),
        ("eur\u{a0}12,30", "12.30"),
        ("650,50 EUR", "650.50"),
        ("12 Euro", "12"),
    ] {
        assert_eq!(same(written), same(number), "{written}");
    }
    assert_eq!(amount("1.299 €"), amount("1.299"));
    assert_eq!(
        refusal(Kind::Wifi, &["a"]),
        "there is no password. For an open network write none in a column called encryption."
    );
    assert_eq!(refusal(Kind::Email, &["", "Hi"]), "the address is empty, but a code of this kind needs it.");
    assert_eq!(refusal(Kind::Wifi, &["a", "welcome-1", "", "maybe"]), "write yes or no.");
    assert_eq!(
        refusal(Kind::Wifi, &["a", "short"]),
        "a password of WPA has 8 to 63 characters; this one has 5."
    );
    for encryption in ["", "WPA2"] {
        for password in [
            "kein Passwort",
            "offenes Netz",
            "sans mot de passe",
            "pas de mot de passe",
            "no password required",
            "utan lösenord",
            "ilman salasanaa",
            "bez hasła",
            "senza password",
            "Ohne!",
            "keins",
            "-",
            "n/a",
        ] {
            assert_eq!(
                refusal(Kind::Wifi, &["a", password, encryption]),
                "there is no password, but a network with encryption has one. An open network has the encryption none.",
                "{password}"
            );
            assert_eq!(Kind::Wifi.compose(&["a", password, "none"]).unwrap(), "WIFI:T:nopass;S:a;;");
        }
    }
    for password in
        ["openwifi", "sinclave", "mouton noir 12", "no mouton noir", "--------", "passwort", "Passwort Netz"]
    {
        assert!(Kind::Wifi.compose(&["a", password]).is_ok(), "{password}");
    }
    // Signs between words are usual in passwords. Words with spaces between them say something.
    for password in ["open-wifi", "wifi-libre", "open-access", "Offenes_WLAN", "code-pas-wifi", "open.wifi!"]
    {
        for encryption in ["", "WPA2", "yes"] {
            let code = Kind::Wifi.compose(&["a", password, encryption]).unwrap();
            assert_eq!(code, format!("WIFI:T:WPA;S:a;P:{password};;"));
        }
    }
    assert_eq!(Kind::Wifi.compose(&["a", "libre", "WEP"]).unwrap(), "WIFI:T:WEP;S:a;P:libre;;");
    // A password beside the name of an encryption, and none where nothing names one.
    assert_eq!(Kind::Wifi.compose(&["a", "unsecured", "WPA"]).unwrap(), "WIFI:T:WPA;S:a;P:unsecured;;");
    let none = refusal(Kind::Wifi, &["a", "kein Passwort", "WEP"]);
    assert!(none.starts_with("there is no password"), "{none}");
    for text in ["unsecured", "(kein Passwort)", "No password."] {
        assert_eq!(refusal(Kind::Wifi, &["a", text]), none, "{text}");
    }
    assert_eq!(Kind::Wifi.compose(&["a", "open-wifi", "none"]).unwrap(), "WIFI:T:nopass;S:a;;");
    for password in ["Schlüssel", "ключ", "ü"] {
        assert_eq!(
            refusal(Kind::Wifi, &["a", password]),
            "a password of WPA has letters without accents, digits and signs alone."
        );
    }
}

/// The lines of an event's start and end, or the field and the sentence of its refusal.
fn event(fields: &[(&str, &str)]) -> String {
    let value = |name| fields.iter().find(|(field, _)| *field == name).map_or("", |(_, value)| value);
    let values: Vec<&str> = Kind::Event.fields().iter().map(|field| value(field.name)).collect();
    match Kind::Event.compose(&[&["a"], &values[1..]].concat()) {
        Ok(data) => {
            let lines = data.lines().filter_map(|line| line.strip_prefix("DT"));
            lines.filter(|line| !line.starts_with("STAMP")).collect::<Vec<_>>().join(" ")
        }
        Err(fault) => format!("{}: {}", fault.field, fault.message),
    }
}

#[test]
fn zones_behind_times_are_not_lost() {
    for (start, lines) in [
        ("2027-02-03 16:00 CET", "START:20270203T150000Z"),
        ("2027-07-03 16:00 CEST", "START:20270703T140000Z"),
        ("3.2.2027 16 Uhr (MEZ)", "START:20270203T150000Z"),
        ("2027-02-03 16:00 UTC", "START:20270203T160000Z"),
        ("2027-02-03 4 pm GMT", "START:20270203T160000Z"),
        ("2027-02-03 16:00 UTC-5", "START:20270203T210000Z"),
        ("2027-02-03 16:00 - 17:30 EET", "START:20270203T140000Z END:20270203T153000Z"),
        ("2027-02-03 00:30 CET", "START:20270202T233000Z"),
        // A Thursday in Croatian.
        ("4.2.2027 cet", "START;VALUE=DATE:20270204"),
    ] {
        assert_eq!(event(&[("start", start)]), lines, "{start}");
    }
    let beside = |time: &str| event(&[("start", "2027-02-03"), ("startTime", time)]);
    assert_eq!(beside("16:00 MEZ"), "START:20270203T150000Z");
    assert_eq!(beside("15:00 - 16:00 GMT"), "START:20270203T150000Z END:20270203T160000Z");
    assert_eq!(beside("23:00 - 01:00 UTC+2"), "START:20270203T210000Z END:20270203T230000Z");
    let ends = |start: &str, end: &str| event(&[("start", start), ("end", end)]);
    let whole = "START:20270203T150000Z END:20270203T163000Z";
    assert_eq!(ends("2027-02-03 16:00 CET", "2027-02-03 17:30 CET"), whole);
    assert_eq!(ends("2027-02-03 16:00 CET", "17:30 CET"), whole);
    assert_eq!(ends("2027-02-03 16:00 CET", "2027-02-03 18:30 EET"), whole);
    let times = [("start", "2027-02-03"), ("startTime", "16:00 CET"), ("endTime", "17:30 CET")];
    assert_eq!(event(&times), whole);
    assert_eq!(
        ends("2027-02-03 00:00 UTC", "2027-02-04 00:00 UTC"),
        "START:20270203T000000Z END:20270204T000000Z"
    );
    for [start, end] in [["2027-02-03 16:00 CET", "17:30"], ["2027-02-03 16:00", "17:30 CET"]] {
        assert_eq!(
            ends(start, end),
            "end: start and end are both dates, both times, or both times with a zone."
        );
    }
    // Clocks change at 1:00 UTC: from 2:00 CET to 3:00 CEST, and from 4:00 EEST to 3:00 EET.
    for (start, lines) in [
        ("2027-03-28 00:30 CET", "START:20270327T233000Z"),
        ("2027-03-28 03:00 CEST", "START:20270328T010000Z"),
        ("2027-03-28 02:30 EET", "START:20270328T003000Z"),
        ("2027-10-31 01:00 CEST", "START:20271030T230000Z"),
        ("2027-10-31 02:30 CEST", "START:20271031T003000Z"),
        ("2027-10-31 02:30 CET", "START:20271031T013000Z"),
        ("2027-10-31 03:30 EEST", "START:20271031T003000Z"),
    ] {
        assert_eq!(event(&[("start", start)]), lines, "{start}");
    }
    // A word in brackets may be a language.
    assert!(!beside("20:00 (DE)").contains("zone"), "{}", beside("20:00 (DE)"));
    // `Pet` is a Friday in Slovene, `mart` begins a Tuesday in Spanish.
    for time in ["10:00 AM EST", "10:00 - 11:00 (PST)", "10:00 America/New_York", "16:00 PET", "16:00 (MART)"]
    {
        let name = time.rsplit([' ', '(']).next().unwrap().trim_end_matches(')');
        let refused = format!(
            ": the time zone {name} is not known here. Write its distance from UTC behind the time, such as 16:00 UTC+1 or 16:00 UTC-5."
        );
        assert_eq!(beside(time), format!("startTime{refused}"));
        assert_eq!(event(&[("start", &format!("2027-02-03 {time}"))]), format!("start{refused}"));
    }
    for [day, zone, other] in [
        ["2027-07-03", "MEZ", "MESZ"],
        ["2027-02-03", "CEST", "CET"],
        ["2027-03-28", "CET", "CEST"],
        ["2027-10-31", "CEST", "CET"],
    ] {
        assert_eq!(
            event(&[("start", &format!("{day} 16:00 {zone}"))]),
            format!(
                "start: the zone is not {zone} but {other} at this time. Write {other} behind the time, or the distance from UTC, such as 16:00 UTC+1."
            )
        );
    }
}

#[test]
fn times_behind_hyphens_are_ends_or_refused_where_they_may_be_distances_from_utc() {
    let refused = "start: the time behind the hyphen may be the end, or the distance from UTC. Write the end as 10:00 - 11:00, with \
                   spaces, and the distance as 10:00 UTC-11.";
    let range = "START:20270203T100000 END:20270203T110000";
    for (start, lines) in [
        ("2027-02-03 10:00-11:00", refused),
        ("2027-02-03 22:00-02:00", refused),
        ("2027-02-03 18:00-05:00", refused),
        ("2027-02-03 08:00-09:30 UTC", refused),
        ("2027-02-03 10:00 - 11:00", range),
        ("2027-02-03 10:00-12:00", "START:20270203T100000 END:20270203T120000"),
        ("2027/02/03 18:00-05:00", refused),
        ("2027.02.03 18:00-05:00", refused),
        ("2027. 02. 03. 18:00-05:00", refused),
        ("2027年2月3日 18:00-05:00", refused),
        ("Sat 2027-02-06 18:00-05:00", refused),
        ("Tue 2027-02-02 18:00-05:00", refused),
        ("3.2.2027 10:00-11:00", range),
        ("13/02/2027 10:00-11:00", "START:20270213T100000 END:20270213T110000"),
        ("Wed 3 February 2027 10:00-11:00", range),
        ("3.2.2027 22:00-02:00", "START:20270203T220000 END:20270204T020000"),
        ("2027-02-03T10:00-11:00", "START:20270203T210000Z"),
        ("SAT 2027-02-06T18:00-05:00", "START:20270206T230000Z"),
        ("2027-02-03 10:00:00-11:00", "START:20270203T210000Z"),
        // No event ends so.
        ("2027-02-03 12:00-05:00", "START:20270203T170000Z"),
        ("2027-02-03 10:00+02:00", "START:20270203T080000Z"),
    ] {
        let found = event(&[("start", start)]);
        assert!(found.starts_with(lines), "{start}: {found}");
    }
    let times = [("start", "2027-02-03"), ("startTime", "10:00-11:00")];
    assert_eq!(event(&times), range);
    // The end has a value of its own.
    for (start, end) in [
        ("3.2.2027 18:00-05:00", "3.2.2027 20:00-05:00"),
        ("2027-02-03 18:00-05:00", "2027-02-03 20:00-05:00"),
    ] {
        let utc = "START:20270203T230000Z END:20270204T010000Z";
        assert_eq!(event(&[("start", start), ("end", end)]), utc);
    }
    let times = [("start", "3.2.2027 18:00-05:00"), ("endTime", "2027-02-03T23:30:00Z")];
    assert_eq!(event(&times), "START:20270203T230000Z END:20270203T233000Z");
}

#[test]
fn capitals_behind_a_time_may_name_the_day_of_the_week() {
    let friday = "START:20270205T180000";
    let tuesday = "START:20270202T180000";
    for (start, lines) in [
        ("16.01.2027 18:00 SAT", "START:20270116T180000"),
        ("16.01.2027 18:00 (SAM)", "START:20270116T180000"),
        ("2027-01-14 18:00 THUR", "START:20270114T180000"),
        ("5.2.2027 18:00 FRI", friday),
        ("5.2.2027 18:00 (FRI)", friday),
        ("5.2.2027 18:00, FRI", friday),
        ("5.2.2027 18:00 VEN", friday),
        ("5.2.2027 18:00 VIE", friday),
        ("5.2.2027 18:00 (VEND)", friday),
        ("5.2.2027 18:00 PET", friday),
        ("5 FEB 2027 18:00 FRI", friday),
        ("2.2.2027 18:00 MAR", tuesday),
        ("2.2.2027 18:00 DIEN", tuesday),
        ("2.2.2027 18:00 MART", tuesday),
        // Another day, and no zone.
        ("6.2.2027 18:00 FRI", "START:20270206T180000"),
        ("3.2.2027 18:00 DIEN", "START:20270203T180000"),
    ] {
        assert_eq!(event(&[("start", start)]), lines, "{start}");
    }
    for name in ["PET", "MART"] {
        let refused = format!(
            "start: the time zone {name} is not known here. Write its distance from UTC behind the time, such as 16:00 UTC+1 or 16:00 UTC-5."
        );
        assert_eq!(event(&[("start", &format!("6.2.2027 18:00 {name}"))]), refused);
    }
    let both = [("start", "5.2.2027 18:00 FRI"), ("end", "5.2.2027 20:00 FRI")];
    assert_eq!(event(&both), format!("{friday} END:20270205T200000"));
    let night = [("start", "5.2.2027 18:00 (FRI)"), ("end", "6.2.2027 02:00 (SAT)")];
    assert_eq!(event(&night), format!("{friday} END:20270206T020000"));
    for times in [["18:00 FRI", "20:00 FRI"], ["18:00 (FRI)", "20:00"], ["18:00 - 20:00 VEN", ""]] {
        let fields = [("start", "2027-02-05"), ("startTime", times[0]), ("endTime", times[1])];
        assert_eq!(event(&fields), format!("{friday} END:20270205T200000"), "{times:?}");
    }
}

#[test]
fn an_end_at_midnight_is_a_day_where_the_start_is_one() {
    for (start, end, lines) in [
        ("2027-08-02 00:00", "2027-08-06 00:00", "START;VALUE=DATE:20270802 END;VALUE=DATE:20270807"),
        ("2027-08-02T00:00:00", "2027-08-02T00:00:00", "START;VALUE=DATE:20270802 END;VALUE=DATE:20270803"),
        ("2027-08-02T00:00:00", "2027-08-07T00:00:00", "START;VALUE=DATE:20270802 END;VALUE=DATE:20270807"),
        (
            "2027-08-02T00:00:00.0",
            "2027-08-07T00:00:00.0",
            "START;VALUE=DATE:20270802 END;VALUE=DATE:20270807",
        ),
        ("2027-08-02 00:00", "2027-08-03 00:00", "START;VALUE=DATE:20270802 END;VALUE=DATE:20270803"),
        ("2027-08-02 00:00", "2027-08-06 23:59", "START;VALUE=DATE:20270802 END;VALUE=DATE:20270807"),
        ("2027-08-02 18:00", "2027-08-06 00:00", "START:20270802T180000 END:20270806T000000"),
        ("2027-08-02 00:00", "2027-08-06 12:00", "START:20270802T000000 END:20270806T120000"),
        ("2027-08-06 00:00", "2027-08-02 00:00", "end: the end is before the start, or at the same time."),
    ] {
        assert_eq!(event(&[("start", start), ("end", end)]), lines, "{start} {end}");
    }
    let calendar =
        [("start", "2027-08-02"), ("startTime", "0:00"), ("end", "2027-08-06"), ("endTime", "0:00")];
    assert_eq!(event(&calendar), "START;VALUE=DATE:20270802 END;VALUE=DATE:20270806");
}

#[test]
fn words_for_the_whole_day_are_no_times() {
    let day = "START;VALUE=DATE:20270204";
    for word in [
        "ganztägig",
        "All day",
        "hele dag",
        "toute la journée",
        "todo el día",
        "tutto il giorno",
        "cały dzień",
        "dia inteiro",
        "(all-day)",
    ] {
        assert_eq!(event(&[("start", "2027-02-04"), ("startTime", word)]), day, "{word}");
        assert_eq!(
            event(&[("start", "2027-02-04 00:00"), ("startTime", word), ("endTime", word)]),
            day,
            "{word}"
        );
    }
    let days =
        [("start", "2027-02-04"), ("startTime", "all day"), ("end", "2027-02-05"), ("endTime", "all day")];
    assert_eq!(event(&days), "START;VALUE=DATE:20270204 END;VALUE=DATE:20270206");
    assert_eq!(
        event(&[("start", "2027-02-04 18:00"), ("startTime", "all day")]),
        "startTime: the start has a time already. Leave one of them empty."
    );
    for start in ["2027-02-04 16:00 CET", "2027-02-04 16:00Z", "2027-02-04 00:00 UTC"] {
        assert_eq!(
            event(&[("start", start), ("startTime", "all day")]),
            "startTime: the start has a time already. Leave one of them empty.",
            "{start}"
        );
    }
    for time in ["18:00", "18:00 CET", "18:00 - 19:00"] {
        for field in ["end", "endTime"] {
            assert_eq!(
                event(&[("start", "2027-02-04"), ("startTime", time), (field, "all day")]),
                format!(
                    "{field}: the start has a time, so the event is not of the whole day. Write the time of the end, or leave it empty."
                ),
                "{time}"
            );
        }
    }
    for start in ["2027-02-04", "2027-02-04 00:00"] {
        assert_eq!(event(&[("start", start), ("endTime", "all day")]), day, "{start}");
    }
    for word in ["TBA", "tbd", "noon", "-"] {
        assert_eq!(
            event(&[("start", "2027-02-04"), ("startTime", word)]),
            "startTime: write times as 18:00, 9:30, 18:00:00 or 6:00 PM. Leave the cell empty for an event of the whole day."
        );
    }
}

#[test]
fn a_code_without_values_is_refused() {
    for kind in Kind::ALL {
        assert!(kind.compose(&[]).is_err(), "{kind:?}");
        assert!(kind.lacks(|_| false).is_some(), "{kind:?}");
        assert_eq!(kind.lacks(|_| true), None, "{kind:?}");
    }
    assert_eq!(Kind::Contact.lacks(|name| name == "lastName"), None);
    assert_eq!(Kind::Wifi.lacks(|name| name == "ssid"), Some("password"));
    assert_eq!(Kind::Wifi.lacks(|name| matches!(name, "ssid" | "encryption")), None);
}

#[test]
fn no_two_of_many_events_share_an_identifier() {
    let identifiers: HashSet<String> = (0..100_000)
        .map(|number| {
            let event = Kind::Event.compose(&[&format!("Event {number}"), "2026-01-31"]).unwrap();
            event.lines().find(|line| line.starts_with("UID:")).unwrap().to_owned()
        })
        .collect();
    assert_eq!(identifiers.len(), 100_000);
}

#[test]
fn ends_at_24_are_the_midnight_behind_their_day() {
    let midnight = "START:20270612T200000 END:20270613T000000";
    for end in ["24:00", "24 Uhr", "24h", "24.00 Uhr", "24:00:00", "24 h", "0:00", "Mitternacht", "minuit"] {
        for field in ["end", "endTime"] {
            let fields = [("start", "12.06.2027"), ("startTime", "20:00"), (field, end)];
            assert_eq!(event(&fields), midnight, "{field}: {end}");
        }
        let range = format!("20 Uhr - {end}");
        assert_eq!(event(&[("start", "12.06.2027"), ("startTime", &range)]), midnight, "{range}");
        assert_eq!(event(&[("start", "12.06.2027 20:00"), ("end", end)]), midnight, "{end}");
    }
    for range in ["20:00-24:00", "20-24 Uhr", "20.00 – 24.00 Uhr", "de 20h à minuit", "8 pm - midnight"] {
        assert_eq!(event(&[("start", "12.06.2027"), ("startTime", range)]), midnight, "{range}");
    }
    assert_eq!(event(&[("start", "12.06.2027 20:00-24:00")]), midnight);
    for end in ["12.06.2027 24:00", "2027-06-12T24:00:00", "12.06.2027, 24 Uhr"] {
        assert_eq!(event(&[("start", "12.06.2027 20:00"), ("end", end)]), midnight, "{end}");
    }
    let days = |start_time: &str, end: &str, end_time: &str| {
        let start = [("start", "24.06.2027"), ("startTime", start_time)];
        event(&[start[0], start[1], ("end", end), ("endTime", end_time)])
    };
    assert_eq!(days("10:00", "", "24:00"), "START:20270624T100000 END:20270625T000000");
    assert_eq!(days("10:00", "25.06.2027", "24 Uhr"), "START:20270624T100000 END:20270626T000000");
    assert_eq!(days("20:00 UTC", "", "24:00 UTC"), "START:20270624T200000Z END:20270625T000000Z");
    assert_eq!(days("0:00", "", "24:00"), "START;VALUE=DATE:20270624 END;VALUE=DATE:20270625");
    let whole = event(&[("start", "24.06.2027 00:00"), ("end", "25.06.2027 24:00")]);
    assert_eq!(whole, "START;VALUE=DATE:20270624 END;VALUE=DATE:20270626");
    // Starts, times that no clock shows, and the midnight of a day, which may be the one before it.
    for (start, start_time, end, end_time, field) in [
        ("24.06.2027", "24:00", "", "", "startTime"),
        ("24.06.2027", "24 Uhr", "", "", "startTime"),
        ("24.06.2027", "24 - 2 Uhr", "", "", "startTime"),
        ("24.06.2027", "Mitternacht", "", "", "startTime"),
        ("24.06.2027 24:00", "", "", "", "start"),
        ("24.06.2027", "20:00", "", "24:30", "endTime"),
        ("24.06.2027", "20:00", "", "24", "endTime"),
        ("24.06.2027", "20:00", "", "25:00", "endTime"),
        ("24.06.2027", "20:00", "24.06.2027", "midnight", "endTime"),
        ("24.06.2027 20:00", "", "24.06.2027 24:01", "", "end"),
        ("24.06.2027 20:00", "", "31.06.2027 24:00", "", "end"),
    ] {
        let fields = [("start", start), ("startTime", start_time), ("end", end), ("endTime", end_time)];
        assert!(event(&fields).starts_with(&format!("{field}: ")), "{fields:?}: {}", event(&fields));
    }
}
