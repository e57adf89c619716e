//! Lines that say how to join a network each, such as `WLAN: Guest, Password: abc12345`, and their codes.

use qrpress_kinds::Kind;

use super::line_fields::{
    COLONS, Field, LONGEST_LINE, MOST_WORDS, fields_in, is_wireless, name_of_open, without_bullet,
};
use super::secret::{LOGINS, OTHER_KEYS, is_pair, is_secret, is_sure_name, may_be_name};
use crate::names::{is_one_of, simplified, words};

/// Networks that become codes at once, at most: the engine has other requests.
const MOST_NETWORKS: u32 = 2_000;
/// Words of the name of a field in a line that becomes a code, at most. Before that of a network may be those of a place.
const MOST_WORDS_OF_FIELD: usize = 2;
const MOST_WORDS_OF_NETWORK: usize = MOST_WORDS + 1;

/// The lines of a text that say how to join a network, counted from 1.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct NetworkLines {
    /// Lines that [`with_networks`] changes.
    pub whole: Vec<u32>,
    /// Lines with a network and a password, not all of which is sure.
    pub unsure: Vec<u32>,
    /// The first of those whose code can be written, and the code.
    pub written: Option<(u32, String)>,
}

/// A network that a line says.
enum Network {
    Whole(String),
    /// With its code, if all of the line may be a network's.
    Unsure(Option<String>),
}

/// The lines, with codes in place of those that say a network.
pub fn with_networks(text: &str) -> String {
    let (mut changed, mut looked_at) = (String::with_capacity(text.len()), 0);
    let are_wireless = says_wireless(text);
    for line in text.split_inclusive('\n') {
        looked_at += u32::from(may_be_network(line, are_wireless));
        match if looked_at <= MOST_NETWORKS { network_of(line, are_wireless) } else { None } {
            Some(Network::Whole(code)) => changed.push_str(&line.replace(line.trim(), &code)),
            _ => changed.push_str(line),
        }
    }
    changed
}

/// The lines that say how to join a network.
pub fn lines_of_networks(text: &str) -> NetworkLines {
    let mut found = NetworkLines::default();
    let are_wireless = says_wireless(text);
    for (place, line) in (1..).zip(text.split('\n')) {
        match network_of(line, are_wireless) {
            Some(Network::Whole(_)) => found.whole.push(place),
            Some(Network::Unsure(code)) => {
                found.unsure.push(place);
                found.written = found.written.or_else(|| Some((place, code?)));
            }
            None => {}
        }
    }
    found
}

/// The network that a line says. `are_wireless`: a line of the list has a word for them.
fn network_of(line: &str, are_wireless: bool) -> Option<Network> {
    let line = line.trim();
    let fields = if may_be_network(line, are_wireless) { fields_in(line) } else { return None };
    let of_thing = |thing: &str| fields.iter().find(|field| field.thing() == Some(thing)).map(Field::text);
    let (ssid, password) = (of_thing("ssid")?, of_thing("password").unwrap_or_default());
    let is_open = fields.iter().any(Field::is_open);
    let is_login = |field: &Field<'_>| is_one_of(&simplified(field.name), LOGINS);
    if fields.iter().any(is_login) || (is_open && !may_be_name(ssid)) {
        return None;
    }
    if password.is_empty() && !is_open {
        return is_pair(ssid).then_some(Network::Unsure(None));
    }
    let is_once = |field: &Field<'_>| {
        let thing = field.thing();
        thing.is_some() && fields.iter().filter(|other| other.thing() == thing).count() == 1
    };
    let values: Vec<&str> =
        Kind::Wifi.fields().iter().map(|field| of_thing(field.name).unwrap_or_default()).collect();
    let code = Kind::Wifi.compose(&values).ok().filter(|_| may_be_name(ssid) && fields.iter().all(is_once));
    let is_label = |field: &Field<'_>| {
        let is_network = field.thing() == Some("ssid");
        let most = if is_network { MOST_WORDS_OF_NETWORK } else { MOST_WORDS_OF_FIELD };
        !is_one_of(&simplified(field.name), OTHER_KEYS) && words(field.name).len() <= most
    };
    let is_sure =
        fields.iter().all(is_label) && is_sure_name(ssid, is_open) && (is_open || is_secret(password));
    Some(match code {
        Some(code) if is_sure => Network::Whole(code),
        code => Network::Unsure(code),
    })
}

/// True for a list with a line that has a word for wireless networks.
fn says_wireless(text: &str) -> bool {
    text.lines().any(|line| line.len() <= LONGEST_LINE && names_wireless(line))
}

fn names_wireless(line: &str) -> bool {
    is_wireless(line) || line.to_lowercase().contains("ssid")
}

/// True for a line that may say how to join a network. Codes have a letter behind `WIFI:`.
fn may_be_network(line: &str, are_wireless: bool) -> bool {
    let line = line.trim();
    let is_code = || {
        let (scheme, rest) = without_bullet(line).split_once(':').unwrap_or_default();
        scheme.eq_ignore_ascii_case("wifi") && rest.as_bytes().get(1) == Some(&b':')
    };
    line.len() <= LONGEST_LINE
        && line.contains(COLONS)
        && (names_wireless(line) || (are_wireless && name_of_open(line).is_some()))
        && !is_code()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_in_lines() {
        for (line, code) in [
            ("WLAN: Gast, Passwort: abc12345", "WIFI:T:WPA;S:Gast;P:abc12345;;"),
            ("Room 101 - wifi BA-101, password: fuchsia;4471", "WIFI:T:WPA;S:BA-101;P:fuchsia\\;4471;;"),
            ("Room 102 - wifi BA-102, password: heather8812", "WIFI:T:WPA;S:BA-102;P:heather8812;;"),
            ("Pub wifi: TheSnug / pw: craic2025", "WIFI:T:WPA;S:TheSnug;P:craic2025;;"),
            ("Zimmer 3: WLAN Gast-3, Passwort: abcd1234", "WIFI:T:WPA;S:Gast-3;P:abcd1234;;"),
            ("WiFi BA-3, password: none", "WIFI:T:nopass;S:BA-3;;"),
            ("Flat 3 WiFi: BT-EF56 password: qwe45rty", "WIFI:T:WPA;S:BT-EF56;P:qwe45rty;;"),
            ("Camp Shop WiFi: Guest (no password)", "WIFI:T:nopass;S:Guest;;"),
            ("  WiFi: Guest; password: a;b12345\n", "  WIFI:T:WPA;S:Guest;P:a\\;b12345;;\n"),
            ("• WiFi Bar: Guest / password: abc12345", "WIFI:T:WPA;S:Guest;P:abc12345;;"),
            (
                "WiFi Café: Ardmore_Cafe / password: scone;cream\"jam",
                "WIFI:T:WPA;S:Ardmore_Cafe;P:scone\\;cream\\\"jam;;",
            ),
            ("WiFi: Guest, passphrase: a,b:c;d8", "WIFI:T:WPA;S:Guest;P:a\\,b\\:c\\;d8;;"),
            ("WiFi:Guest password:abc12345", "WIFI:T:WPA;S:Guest;P:abc12345;;"),
            ("WiFi Museum: Ardmore_Museum (no password)", "WIFI:T:nopass;S:Ardmore_Museum;;"),
            ("WLAN: Gast, Passwort: keins", "WIFI:T:nopass;S:Gast;;"),
            ("WLAN: Gast, Verschlüsselung: WPA2, Passwort: abc12345", "WIFI:T:WPA;S:Gast;P:abc12345;;"),
        ] {
            assert_eq!(with_networks(line), code);
            assert_eq!(lines_of_networks(line), NetworkLines { whole: vec![1], ..NetworkLines::default() });
        }
        for line in [
            "WLAN: Gast",
            "WiFi: Floor 1 / Floor 2",
            "WiFi: https://laden.example/map/abc12345",
            "Free wifi here, password: abc12345",
            "Zimmer mit WLAN Zugang, Passwort: abc12345",
            "Room 3 wifi 5GHz, password: abc12345",
            "Room 3 wifi WPA2, password: abc12345",
            "Ask at the bar or desk: wifi BA-101, password: abc12345",
            "Name: Anna, Passwort: abc12345",
            "Router Netzwerk: LAN1 Passwort: admin1234",
            "Network: Museum (no password)",
            "WiFi: https://laden.example/map (open)",
            "WLAN: Gast, Login: anna, Passwort: abc12345",
            "Reset your wifi password: https://laden.example/abc123",
            "Login: anna, Passwort: abc12345",
            "WIFI:S:Saal;T:WPA;P:geheim123;;",
            "- WIFI:S:password: a;T:WPA;P:geheim123;;",
            "Gate 7",
        ] {
            assert_eq!(with_networks(line), line);
            assert_eq!(lines_of_networks(line), NetworkLines::default());
        }
    }

    #[test]
    fn networks_that_are_not_sure() {
        for (line, code) in [
            ("WLAN: inklusive, Passwort: Rezeption", None),
            ("WLAN: Gast, Raum: 5, Passwort: abc12345", None),
            ("Klasse 3b: WLAN: Schule, Passwort: Lernen2027!", None),
            ("SSID: Gast Verschlüsselung: WPA2 Passwort: abc12345", None),
            ("SSID: Gast Room: 5 Passwort: abc12345", None),
            ("Free WiFi: yes, password: guest2027", None),
            ("WLAN: Gast-2G / Gast-5G, Passwort: abc12345", None),
            ("WLAN: Störung, Code: E1234567", None),
            ("WLAN: Gast, Passwort: abc12", None),
            ("WiFi Pub: TheSnug / craic2025", None),
            ("WiFi Rooms: BurrenArms-Guest / Seaspray2025!", None),
            ("WiFi: works in all rooms, no password", Some("WIFI:T:nopass;S:works in all rooms;;")),
            ("WLAN: im ganzen Haus (offen)", Some("WIFI:T:nopass;S:im ganzen Haus;;")),
            ("Free WiFi: ask at the desk (no password)", Some("WIFI:T:nopass;S:ask at the desk;;")),
            ("WiFi: yes - free, no password", Some("WIFI:T:nopass;S:yes - free;;")),
            ("WLAN: überall (ohne Passwort)", Some("WIFI:T:nopass;S:überall;;")),
            ("WLAN: im ganzen Haus, Passwort: abc12345", Some("WIFI:T:WPA;S:im ganzen Haus;P:abc12345;;")),
            ("WiFi: TSV-Gast, password: moin moin 28217", Some("WIFI:T:WPA;S:TSV-Gast;P:moin moin 28217;;")),
            ("WLAN: Gast, Passwort: siehe Aushang 12", Some("WIFI:T:WPA;S:Gast;P:siehe Aushang 12;;")),
            ("WLAN: Gast, Passwort: liegt in Raum 12", Some("WIFI:T:WPA;S:Gast;P:liegt in Raum 12;;")),
            ("WiFi: Guest, password: cafe27 thanks", Some("WIFI:T:WPA;S:Guest;P:cafe27 thanks;;")),
            ("Room 3 wifi BA-3, password: your room 3", Some("WIFI:T:WPA;S:BA-3;P:your room 3;;")),
            ("WiFi: Guest, password: {abc12345}", Some("WIFI:T:WPA;S:Guest;P:{abc12345};;")),
            ("WLAN: Schule, Passwort: \"Lernen2027!\"", Some("WIFI:T:WPA;S:Schule;P:\\\"Lernen2027!\\\";;")),
            ("WLAN: Gast, Passwort: abc12345.", Some("WIFI:T:WPA;S:Gast;P:abc12345.;;")),
            ("WiFi: Guest, password: sconecream", Some("WIFI:T:WPA;S:Guest;P:sconecream;;")),
            ("WiFi: Guest, password: abc12345 ask us", Some("WIFI:T:WPA;S:Guest;P:abc12345 ask us;;")),
        ] {
            assert_eq!(with_networks(line), line);
            let written = code.map(|code| (1, code.to_owned()));
            assert_eq!(
                lines_of_networks(line),
                NetworkLines { unsure: vec![1], written, ..NetworkLines::default() },
                "{line}"
            );
        }
    }

    #[test]
    fn networks_among_other_lines() {
        let lines = "WiFi Reception: Guest / password: Seal&Otter22\nGas: swap at reception\nNetwork: Museum (open)\n\
                     WiFi Bar: Bar / password: sconecream\nGate 7 (open)\nShop: Tearoom (open)";
        let expected = NetworkLines {
            whole: vec![1, 3],
            unsure: vec![4],
            written: Some((4, "WIFI:T:WPA;S:Bar;P:sconecream;;".to_owned())),
        };
        assert_eq!(lines_of_networks(lines), expected);
        let changed = with_networks(lines);
        let changed: Vec<&str> = changed.lines().collect();
        let others: Vec<&str> = lines.lines().collect();
        assert_eq!(changed[0], "WIFI:T:WPA;S:Guest;P:Seal&Otter22;;");
        assert_eq!(changed[2], "WIFI:T:nopass;S:Museum;;");
        assert_eq!((changed[1], &changed[3..]), (others[1], &others[3..]));
    }
}
