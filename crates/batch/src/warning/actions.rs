//! The actions of phones on the codes of a list, counted: a text among web addresses is seen, whatever it looks like.

use super::group::Group;
use super::web_address::Address;
use super::within::begins;

/// Beginnings of data that phones do not show as text.
const BEGINNINGS: [(&str, CodeAction); 9] = [
    ("MATMSG:", CodeAction::Mail),
    ("BEGIN:VCARD", CodeAction::Contact),
    ("MECARD:", CodeAction::Contact),
    ("BEGIN:VEVENT", CodeAction::Event),
    ("BEGIN:VCALENDAR", CodeAction::Event),
    // European Payments Council, EPC069-12, and Swiss Payment Standards, QR-bill.
    ("BCD\n", CodeAction::Payment),
    ("BCD\r\n", CodeAction::Payment),
    ("SPC\n", CodeAction::Payment),
    ("SPC\r\n", CodeAction::Payment),
];
/// Schemes without an authority. Apps have others as well.
const SCHEMES: [(&str, CodeAction); 14] = [
    ("WIFI:", CodeAction::Network),
    ("tel:", CodeAction::Call),
    ("sms:", CodeAction::Message),
    ("smsto:", CodeAction::Message),
    ("mailto:", CodeAction::Mail),
    ("geo:", CodeAction::Place),
    ("bitcoin:", CodeAction::App),
    ("ethereum:", CodeAction::App),
    ("facetime:", CodeAction::App),
    ("LPA:", CodeAction::App),
    ("sip:", CodeAction::App),
    ("skype:", CodeAction::App),
    ("spotify:", CodeAction::App),
    ("maps:", CodeAction::App),
];

/// The action of a phone on a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeAction {
    /// It opens a web page.
    WebPage,
    /// It searches for an address without a scheme.
    Search,
    /// It joins a Wi-Fi network.
    Network,
    /// It calls a number.
    Call,
    /// It begins a text message.
    Message,
    /// It begins a mail.
    Mail,
    /// It adds a contact.
    Contact,
    /// It adds an event.
    Event,
    /// It shows a place on a map.
    Place,
    /// The app of a bank fills in a payment.
    Payment,
    /// It opens the app that has the scheme.
    App,
    /// It shows the text.
    Text,
}

impl CodeAction {
    /// All of them, in the order in which they are told.
    const ALL: [Self; 12] = [
        Self::WebPage,
        Self::Search,
        Self::Network,
        Self::Call,
        Self::Message,
        Self::Mail,
        Self::Contact,
        Self::Event,
        Self::Place,
        Self::Payment,
        Self::App,
        Self::Text,
    ];

    /// The name by which the host knows it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::WebPage => "web_page",
            Self::Search => "search",
            Self::Network => "network",
            Self::Call => "call",
            Self::Message => "message",
            Self::Mail => "mail",
            Self::Contact => "contact",
            Self::Event => "event",
            Self::Place => "place",
            Self::Payment => "payment",
            Self::App => "app",
            Self::Text => "text",
        }
    }

    /// The action on data that is an address in that way.
    fn of(data: &str, address: Address<'_>) -> Self {
        let begun = |(start, action): &(&str, Self)| begins(data, start).then_some(*action);
        if let Some(action) = BEGINNINGS.iter().find_map(begun) {
            return action;
        }
        let has_authority = || data.split_once(':').is_some_and(|(_, rest)| rest.starts_with("//"));
        match address {
            Address::Bare => Self::Search,
            Address::OtherScheme if has_authority() => Self::App,
            Address::OtherScheme => SCHEMES.iter().find_map(begun).unwrap_or(Self::Text),
            Address::Faulty(_) => Self::Text,
            _ if begins(data, "http") && has_authority() && !data.contains(char::is_whitespace) => {
                Self::WebPage
            }
            _ => Self::Text,
        }
    }
}

/// The items of a list on which phones have the same action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionCount {
    /// The action.
    pub action: CodeAction,
    /// Number of these items, 1 or more.
    pub items: u64,
    /// Indices of the first hundred of them.
    pub listed: Vec<u64>,
}

/// The actions on the items so far.
#[derive(Debug, Default)]
pub(super) struct Actions([Option<Group>; CodeAction::ALL.len()]);

impl Actions {
    /// Takes note of an item that is an address in that way.
    pub fn add(&mut self, index: u64, data: &str, address: Address<'_>) {
        Group::add(&mut self.0[CodeAction::of(data, address) as usize], index, String::new);
    }

    /// Takes in what was found in the part of the job that follows.
    pub fn append(&mut self, later: Self) {
        self.0.iter_mut().zip(later.0).for_each(|(group, later)| Group::merge(group, later));
    }

    /// The actions that occur.
    pub fn finish(self) -> Vec<ActionCount> {
        let counted = CodeAction::ALL.into_iter().zip(self.0);
        counted
            .filter_map(|(action, group)| {
                group.map(|Group { items, listed, .. }| ActionCount { action, items, listed })
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::web_address::address;
    use super::*;

    #[test]
    fn actions_of_phones() {
        for (action, all) in [
            (
                CodeAction::WebPage,
                &["https://laden.example", "HTTP://LADEN.EXAMPLE/A", "https://laden.example/1,Eingang"][..],
            ),
            (CodeAction::Search, &["www.laden.example", "laden.de/menu"]),
            (CodeAction::Network, &["WIFI:S:a b;P:c;;", "wifi:T:WPA;S:a;;"]),
            (CodeAction::Call, &["tel:112", "TEL:+49711123456", "tel:*21#"]),
            (CodeAction::Message, &["sms:+49711123456", "SMSTO:112:Help"]),
            (CodeAction::Mail, &["mailto:a@laden.example", "MATMSG:TO:a@laden.example;;"]),
            (CodeAction::Contact, &["BEGIN:VCARD\nVERSION:3.0", "MECARD:N:Roth;;"]),
            (CodeAction::Event, &["BEGIN:VEVENT\nSUMMARY:a", "BEGIN:VCALENDAR\r\nVERSION:2.0"]),
            (CodeAction::Place, &["geo:48.13743,11.57549"]),
            (CodeAction::Payment, &["BCD\n002\n1\nSCT", "SPC\r\n0200"]),
            (CodeAction::App, &["whatsapp://send?text=a", "otpauth://totp/a?secret=b", "LPA:1$a.example$b"]),
            (
                CodeAction::Text,
                &[
                    "SN-0017",
                    "Plumber 087-1234567",
                    "Tel: 087 1234567",
                    "Tel:0871234567",
                    "Note:tiles",
                    "WIFI: ask",
                    "Menu: https://laden.example",
                    "https//laden.example",
                    "https://laden,example/a",
                    "https://laden.example https://laden.example/b",
                    "48.13743, 11.57549",
                    "a@laden.example",
                    "BCD",
                    "",
                ],
            ),
        ] {
            for data in all {
                assert_eq!(CodeAction::of(data, address(data)), action, "{data}");
            }
        }
    }

    #[test]
    fn counts_of_two_parts() {
        let of = |index: u64, data: &str| {
            let mut actions = Actions::default();
            actions.add(index, data, address(data));
            actions
        };
        let mut all = of(0, "Room 4");
        all.append(of(1, "https://laden.example"));
        all.append(of(2, "Room 5"));
        let counted = |action, items, listed: &[u64]| ActionCount { action, items, listed: listed.to_vec() };
        assert_eq!(
            all.finish(),
            [counted(CodeAction::WebPage, 1, &[1]), counted(CodeAction::Text, 2, &[0, 2])]
        );
    }
}
