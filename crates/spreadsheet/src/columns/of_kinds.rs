//! Questions about columns that depend on the kind of the codes.

use std::borrow::Cow;

use qrpress_kinds::{
    Field, Kind, ValueForm, ZoneInName, days_of_calendar, names_encryption, opposite, with_zone_behind,
    zone_in_name,
};

use super::{Column, Columns};
use crate::composition::Source;
use crate::currencies::{names_cents, names_currency, other_currency};
use crate::fields::{
    Both, HIDDEN, is_creditor_reference, may_name_payers, names_field, names_messenger, names_organisation,
    names_type, names_visible, phone_and_mobile,
};
use crate::moments::{
    have_several_zones, have_times_of_zone, may_name_zone, names_duration, names_local_time, names_time_zone,
    names_whole_day,
};
use crate::names::{LONGEST, is_bare_link, is_link, is_one_of, simplified, words};
use crate::parts::{Part, first_names_of_payees, lines, parts, puts_family_first};
use crate::places::{letter_of_o, names_status};
use crate::teams::guests;
use crate::titles::{degree_in, names_person_title, names_salutation};

/// Fields of yes or no, or of one of a few words.
const MARKS: [&str; 2] = ["encryption", "hidden"];

/// Fields of contacts of which a code needs one.
const OF_NAMES: [&str; 4] = ["name", "firstName", "lastName", "organisation"];

impl Columns {
    /// Columns that fill number fields of the kind, and no text field or other member of the item.
    pub(super) fn numbers(&self) -> Vec<u32> {
        let Some(Source::Kind { kind, columns, .. }) = self.data() else { return Vec::new() };
        let fields = kind.fields().iter().zip(columns);
        let (numbers, texts): (Vec<_>, Vec<_>) =
            fields.partition(|(field, _)| kind.value_form(field.name) != ValueForm::Text);
        let numbers = numbers.into_iter().filter_map(|(_, column)| *column);
        let others = || self.sources.iter().skip(1).flatten().flat_map(Source::columns);
        let texts: Vec<u32> = texts.into_iter().filter_map(|(_, column)| *column).chain(others()).collect();
        numbers.filter(|column| !texts.contains(column)).collect()
    }

    /// Columns that fill date or time fields of the kind.
    pub(super) fn dates(&self) -> Vec<u32> {
        let Some(Source::Kind { kind, columns, .. }) = self.data() else { return Vec::new() };
        let is_date =
            |field: &Field| matches!(kind.value_form(field.name), ValueForm::Date | ValueForm::Moment);
        kind.fields()
            .iter()
            .zip(columns)
            .filter(|(field, _)| is_date(field))
            .filter_map(|(_, column)| *column)
            .collect()
    }

    /// The column of the field that no code needs and most codes have.
    pub(super) fn usual(&self) -> Option<u32> {
        let Some(Source::Kind { kind, .. }) = self.data() else { return None };
        match kind {
            Kind::Payment => self.of_field("amount"),
            Kind::Event => self.of_field("startTime"),
            _ => None,
        }
    }

    /// The column of currencies of payments.
    pub(super) fn currencies(&self) -> Option<u32> {
        let Some(Source::Kind { kind: Kind::Payment, .. }) = self.data() else { return None };
        let mut named = (0..).zip(&self.all);
        named.find(|(_, column)| names_currency(&column.name)).map(|(position, _)| position)
    }

    /// The currency that the column of the amounts of payments names, unless it is the euro.
    pub fn currency(&self) -> Option<&str> {
        let Some(Source::Kind { kind: Kind::Payment, .. }) = self.data() else { return None };
        other_currency(&self.all[self.of_usual? as usize].name)
    }

    /// The column of the amounts of payments says that they are in cents.
    pub(super) fn has_cents(&self) -> bool {
        self.of_payments("amount").is_some_and(|column| names_cents(&self.all[column as usize].name))
    }

    /// The column of the encryption of networks, where its name may be that of something else.
    pub(super) fn types(&self) -> Option<u32> {
        let Some(Source::Kind { kind: Kind::Wifi, columns, .. }) = self.data() else { return None };
        let fields = Kind::Wifi.fields().iter().zip(columns);
        let encryption =
            fields.filter(|(field, _)| field.name == "encryption").find_map(|(_, column)| *column);
        encryption.filter(|column| names_type(&self.all[*column as usize].name))
    }

    /// The columns of telephone numbers, each with the column of its labels: `Phone 1 - Value` with `Phone 1 - Label`.
    pub(super) fn labels_of_numbers(&self) -> Vec<(u32, u32)> {
        let Some(Source::Kind { kind, columns, .. }) = self.data().filter(|_| self.are_of_contacts()) else {
            return Vec::new();
        };
        let fields = kind.fields().iter().zip(columns).filter(|(field, _)| kind.is_telephone(field.name));
        let label_of = |number: u32| {
            let mut wanted = words(&self.all[number as usize].name);
            wanted.pop_if(|word| word == "value")?;
            let is_label = |column: &Column| {
                let mut words = words(&column.name);
                words.pop_if(|word| word == "label" || word == "type").is_some() && words == wanted
            };
            let mut others = (0..).zip(&self.all);
            others.find(|(_, column)| is_label(column)).map(|(label, _)| (number, label))
        };
        fields.filter_map(|(_, column)| label_of((*column)?)).collect()
    }

    /// The column that says what the number of this column is.
    pub fn label(&self, column: u32) -> Option<u32> {
        self.labels.iter().find(|(number, _)| *number == column).map(|(_, label)| *label)
    }

    /// The column of the telephone numbers of contacts, and that of their extensions.
    pub fn of_extensions(&self) -> Option<(u32, u32)> {
        let part = self.parts.iter().find(|part| part.field == "phone")?;
        Some((self.of_contacts("phone")?, part.column))
    }

    /// The names of people are Hungarian: the family's name goes first.
    pub fn puts_family_first(&self) -> bool {
        self.of_contacts("lastName").is_some_and(|column| puts_family_first(&self.all[column as usize].name))
    }

    /// The column of the titles of events.
    fn of_titles_of_events(&self) -> Option<u32> {
        self.of_field("title").filter(|_| self.make_events())
    }

    /// The columns of parts of fields, such as a house number or the second line of a purpose.
    pub(super) fn parts_of_fields(&self) -> Vec<Part> {
        let names: Vec<&str> = self.all.iter().map(|column| column.name.as_str()).collect();
        let is_free = |position: u32| {
            let column = &self.all[position as usize];
            column.role.is_none() && column.field.is_none()
        };
        if self.are_of_contacts() {
            return parts(&names, |field| self.of_contacts(field), is_free);
        }
        if let Some(guests) = self.of_titles_of_events().and_then(|title| guests(&names, title)) {
            return Vec::from_iter(Some(guests).filter(|part| is_free(part.column)));
        }
        let of_payee = self.of_payees().and_then(|payee| first_names_of_payees(&names, payee, is_free));
        let purposes = self.of_purposes().map(|column| lines(&names, "text", column, is_free));
        of_payee.into_iter().chain(purposes.into_iter().flatten()).collect()
    }

    /// The column of the titles of people, which may be their jobs.
    pub(super) fn titles_of_people(&self) -> Option<u32> {
        let person = ["name", "firstName", "lastName"];
        person.into_iter().find_map(|field| self.of_contacts(field))?;
        let mut named = (0..).zip(&self.all);
        let is_free =
            |column: &Column| column.role.is_none() && column.field.is_none_or(|field| field == "title");
        named
            .find(|(_, column)| is_free(column) && names_person_title(&column.name))
            .map(|(position, _)| position)
    }

    /// The codes are contacts.
    pub fn are_of_contacts(&self) -> bool {
        matches!(self.data(), Some(Source::Kind { kind: Kind::Contact | Kind::ContactV4, .. }))
    }

    /// The column of a field of contacts.
    pub(super) fn of_contacts(&self, field: &str) -> Option<u32> {
        self.of_field(field).filter(|_| self.are_of_contacts())
    }

    /// The column of a field of payments.
    fn of_payments(&self, field: &str) -> Option<u32> {
        self.of_field(field).filter(|_| matches!(self.data(), Some(Source::Kind { kind: Kind::Payment, .. })))
    }

    /// The column of a field of the kind.
    fn of_field(&self, field: &str) -> Option<u32> {
        self.given(field).0
    }

    /// The column that fills a field of the kind, and the text that was typed for it.
    pub fn given(&self, field: &str) -> (Option<u32>, &str) {
        let Some(Source::Kind { kind, columns, typed, .. }) = self.data() else { return (None, "") };
        let place = kind.fields().iter().position(|each| each.name == field);
        place.map_or((None, ""), |place| (columns[place], typed[place].as_str()))
    }

    /// The codes are links of goods at the address of GS1.
    pub fn lead_to_gs1(&self) -> bool {
        matches!(self.data(), Some(Source::Kind { kind: Kind::DigitalLink, .. }))
            && self.given("domain") == (None, "")
    }

    /// The parts that belong to the texts of this column, in their order.
    pub fn parts(&self, column: u32) -> impl Iterator<Item = &Part> {
        self.parts.iter().filter(move |part| self.of_field(part.field) == Some(column))
    }

    /// The column holds the whole names of contacts.
    pub fn holds_names(&self, column: u32) -> bool {
        self.of_contacts("name") == Some(column)
    }

    /// The first word in the name of the column of whole names.
    pub fn word_of_names(&self) -> Option<String> {
        let column = self.of_contacts("name")?;
        words(&self.all[column as usize].name).into_iter().next()
    }

    /// The column of words before last names, such as `van der`.
    pub fn prefix_column(&self) -> Option<&Column> {
        let part = self.parts.iter().find(|part| part.field == "lastName" && part.is_before)?;
        Some(&self.all[part.column as usize])
    }

    /// The column of titles that stand before the names of people, such as `Dr.`
    pub fn of_titles(&self) -> Option<u32> {
        self.of_titles
    }

    /// Notes a cell of titles: a degree, a salutation, or anything else.
    pub fn note_title(&mut self, title: &str) {
        let [has_degrees, has_salutations, has_others] = &mut self.has_titles;
        let found = match title {
            _ if degree_in(title).is_some() => has_degrees,
            _ if names_salutation(title) => has_salutations,
            _ => has_others,
        };
        *found = true;
    }

    /// Takes a column of nothing but degrees and salutations from the field of jobs. Degrees become a part of the name.
    pub fn settle_titles(&mut self) {
        let [has_degrees, has_salutations, has_others] = self.has_titles;
        if let Some(column) = self.of_titles.filter(|_| (has_degrees || has_salutations) && !has_others) {
            let column = &mut self.all[column as usize];
            (column.field, column.part_of) = (None, has_degrees.then_some("name"));
        }
    }

    /// The field of a kind that the column fills.
    pub fn field(&self, column: u32) -> Option<&'static str> {
        self.all.get(column as usize)?.field
    }

    /// The column fills a field in which words such as `x` and `none` are values, and no placeholders.
    pub fn holds_marks(&self, column: u32) -> bool {
        self.field(column).is_some_and(|field| MARKS.contains(&field))
    }

    /// The column fills a text that contacts, goods and events do without.
    pub fn may_be_empty(&self, column: u32) -> bool {
        let Some(Source::Kind { kind, .. }) = self.data() else { return false };
        let does_without = |field: &Field| {
            !field.is_required
                && !OF_NAMES.contains(&field.name)
                && kind.value_form(field.name) == ValueForm::Text
        };
        matches!(kind, Kind::Contact | Kind::ContactV4 | Kind::DigitalLink | Kind::Event)
            && kind.fields().iter().any(|field| Some(field.name) == self.field(column) && does_without(field))
    }

    /// The column holds websites of contacts.
    pub fn holds_websites(&self, column: u32) -> bool {
        self.field(column) == Some("url")
    }

    /// The column of the texts of payments.
    pub fn of_purposes(&self) -> Option<u32> {
        self.of_payments("text")
    }

    /// The columns that may hold these as well, by their names.
    pub(super) fn other_texts(&self) -> Vec<u32> {
        let may_be = |(position, column): &(u32, &Column)| {
            !self.is_used(*position) && names_field(Kind::Payment, "text", &column.name)
        };
        let all = (0..).zip(&self.all).filter(|_| self.of_purposes().is_some());
        all.filter(may_be).map(|(position, _)| position).collect()
    }

    /// The column holds the numbers of goods.
    pub fn holds_goods(&self, column: u32) -> bool {
        self.field(column) == Some("gtin")
    }

    /// The column of payees.
    pub fn of_payees(&self) -> Option<u32> {
        self.of_payments("name")
    }

    /// The payee and the IBAN that were typed for all payments.
    pub fn account(&self) -> Option<[&str; 2]> {
        let account = ["name", "iban"].map(|field| self.given(field).1);
        (self.make_payments() && !account[1].is_empty()).then_some(account)
    }

    /// The column of payees, or all columns that may be, where the person is asked for it.
    pub fn payees(&self) -> Vec<u32> {
        if !self.asked.contains(&"name") {
            return self.of_payees().into_iter().collect();
        }
        let named = (0..)
            .zip(&self.all)
            .filter(|(_, column)| column.field.is_none() && names_field(Kind::Payment, "name", &column.name));
        named.map(|(position, _)| position).collect()
    }

    /// The payees of payments may be the people who pay: nothing in the name of their column says that they get the money.
    pub fn may_be_of_payers(&self) -> bool {
        self.account().is_none()
            && self.of_payees().is_some_and(|column| may_name_payers(&self.all[column as usize].name))
    }

    /// The payees of payments are organisations, as the name of their column says.
    pub fn are_payees_organisations(&self) -> bool {
        self.account().is_none()
            && self.of_payees().is_some_and(|column| names_organisation(&self.all[column as usize].name))
    }

    /// The column of time zones, beside events that have a start.
    pub fn of_zones(&self) -> Option<u32> {
        let makes_events = self.make_events();
        let all = || (0..).zip(&self.all).filter(|(column, _)| !self.is_used(*column));
        all().find(|(_, column)| makes_events && names_time_zone(&column.name)).map(|(column, _)| column)
    }

    /// The columns of the times of events, each with the place of its field.
    fn of_times(&self) -> impl Iterator<Item = (usize, &Column)> {
        let columns: &[Option<u32>] = match self.data() {
            Some(Source::Kind { kind: Kind::Event, columns, .. }) => columns,
            _ => &[],
        };
        let fields = Kind::Event.fields().iter().zip(columns).enumerate();
        fields
            .filter(|(_, (field, _))| Kind::Event.value_form(field.name) == ValueForm::Moment)
            .filter_map(|(place, (_, column))| Some((place, self.all.get((*column)? as usize)?)))
    }

    /// The zones of the times of events, by the names of their columns, with the places of the fields. The only zone that the names say is that
    /// of all times, unless a column has those of the place or of another zone. Of several, that of a day is also the one of its time.
    pub(super) fn zones_in_names(&self) -> Vec<(String, usize)> {
        let place = |name: &str| Kind::Event.fields().iter().position(|field| field.name == name);
        let name_of = |place: usize| {
            let (_, column) = self.of_times().find(|(each, _)| *each == place)?;
            Some(column.name.as_str())
        };
        let zone = |place: usize| zone_in_name(name_of(place)?);
        let known = |place: usize| zone(place).filter(ZoneInName::is_known).map(|zone| zone.zone);
        let mut all = self.of_times().filter_map(|(place, _)| known(place));
        let Some(first) = all.next() else { return Vec::new() };
        let names: Vec<&str> = self.all.iter().map(|column| column.name.as_str()).collect();
        let columns: Vec<Option<u32>> =
            Kind::Event.fields().iter().map(|field| self.of_field(field.name)).collect();
        let is_of_place = |name: &str| names_local_time(name) && zone_in_name(name).is_none();
        let has_others = have_several_zones(Kind::Event, &names, &columns)
            || self.of_times().any(|(_, column)| is_of_place(&column.name));
        let only = (!has_others && all.all(|zone| zone == first)).then_some(first);
        let fields = [("start", "start"), ("startTime", "start"), ("end", "end"), ("endTime", "end")];
        let zone_and_place = |(field, day): (&str, &str)| {
            let own = place(field)?;
            let of_day = || place(day).and_then(known);
            let zone = match zone(own) {
                Some(_) => known(own),
                None if name_of(own).is_some_and(|name| names_local_time(name) || may_name_zone(name)) => {
                    None
                }
                None => only.or_else(of_day),
            };
            Some((zone?.to_owned(), own))
        };
        fields.into_iter().filter_map(zone_and_place).collect()
    }

    /// Two columns have the starts and ends of events in one zone, by their names.
    pub fn have_times_of_zone(&self) -> bool {
        let names: Vec<&str> = self.all.iter().map(|column| column.name.as_str()).collect();
        have_times_of_zone(&names)
    }

    /// The column of ends is called as in calendars, `DTEND (UTC)` or the like. Ends at midnight are the first moment behind an event there, and
    /// days alone are the first ones behind it.
    pub(super) fn have_ends_of_calendar(&self) -> bool {
        self.of_ends().is_some_and(|column| simplified(&self.all[column as usize].name).starts_with("dtend"))
    }

    /// The column that says which events are of the whole day.
    pub(super) fn whole_days(&self) -> Option<u32> {
        let mut all = (0..).zip(&self.all).filter(|_| self.make_events());
        all.find(|(_, column)| names_whole_day(&column.name)).map(|(column, _)| column)
    }

    /// The columns of start times, ends and end times of events.
    pub fn beside_starts(&self) -> [Option<u32>; 3] {
        ["startTime", "end", "endTime"].map(|field| self.of_field(field).filter(|_| self.make_events()))
    }

    /// The column of the ends of events.
    pub fn of_ends(&self) -> Option<u32> {
        self.of_field("end").filter(|_| self.make_events())
    }

    /// Columns of times whose names say a zone that is not known, each with whether that is certain.
    pub fn of_unknown_zones(&self) -> impl Iterator<Item = (&Column, bool)> {
        self.of_times().filter_map(|(_, column)| match zone_in_name(&column.name) {
            Some(zone) => (!zone.is_known()).then_some((column, true)),
            None => may_name_zone(&column.name).then_some((column, false)),
        })
    }

    /// The place of the field of hidden networks, where its column says that they are visible.
    pub(super) fn opposites(&self) -> Option<usize> {
        let column = self.of_field(HIDDEN)?;
        let place = Kind::Wifi.fields().iter().position(|field| field.name == HIDDEN);
        place.filter(|_| names_visible(&self.all[column as usize].name))
    }

    /// Writes the times of an event as days, if they are midnights. Events without an end stay as they are unless `may_lack_end`.
    fn write_days(&self, values: &mut [Cow<'_, str>], may_lack_end: bool) {
        let place = |field: &str| Kind::Event.fields().iter().position(|each| each.name == field);
        let places = ["start", "startTime", "end", "endTime"].map(|field| place(field).unwrap_or_default());
        if let Some((first, last)) =
            days_of_calendar(places.map(|place| &*values[place]), self.are_of_calendar)
            && (may_lack_end || last.is_some())
        {
            let days = [first, String::new(), last.unwrap_or_default(), String::new()];
            for (place, day) in places.into_iter().zip(days) {
                values[place] = day.into();
            }
        }
    }

    /// Changes the values of fields as the names of columns say: events of whole days get their days without times, times get their zones,
    /// and a visible network is not hidden. `is_of_whole_days`: a column says so of the row's event.
    pub fn apply_names(&self, values: &mut [Cow<'_, str>], is_of_whole_days: bool) {
        if is_of_whole_days {
            self.write_days(values, true);
        }
        for (zone, place) in &self.zones {
            if let Some(time) = with_zone_behind(&values[*place], zone) {
                values[*place] = time.into();
            }
        }
        // A midnight with its zone is a time.
        if self.are_of_calendar && !is_of_whole_days {
            self.write_days(values, false);
        }
        if let Some(place) = self.of_opposites
            && let Some(word) = opposite(&values[place])
        {
            values[place] = word.into();
        }
    }

    /// The columns for telephones and mobiles.
    pub(super) fn columns_of_both(&self) -> Vec<(u32, Both)> {
        let all = (0..).zip(&self.all).filter(|(_, column)| self.are_of_contacts() && column.field.is_some());
        all.filter_map(|(position, column)| Some((position, phone_and_mobile(&column.name)?))).collect()
    }

    /// The field of a column for telephones and mobiles, and the order of the numbers in it.
    pub fn phones_and_mobiles(&self, column: u32) -> Option<(&'static str, Both)> {
        let (_, both) = self.of_both.iter().find(|(each, _)| *each == column)?;
        Some((self.field(column)?, *both))
    }

    /// The column holds the texts of payments.
    pub fn holds_purposes(&self, column: u32) -> bool {
        self.of_purposes() == Some(column)
    }

    /// The column of the references of payments.
    pub fn of_references(&self) -> Option<u32> {
        self.of_field("reference")
    }

    /// Spaces around the column's texts are part of the data.
    pub fn keep_spaces(&self, column: u32) -> bool {
        match self.data() {
            Some(Source::Kind { kind, .. }) => {
                self.field(column).is_some_and(|field| kind.keeps_spaces(field))
            }
            _ => true,
        }
    }

    /// The data is put together from the fields of a kind.
    pub fn make_fields(&self) -> bool {
        matches!(self.data(), Some(Source::Kind { kind, .. }) if *kind != Kind::Text)
    }

    /// The codes are of events.
    pub fn make_events(&self) -> bool {
        matches!(self.data(), Some(Source::Kind { kind: Kind::Event, .. }))
    }

    /// The codes are payments.
    pub fn make_payments(&self) -> bool {
        matches!(self.data(), Some(Source::Kind { kind: Kind::Payment, .. }))
    }

    /// A column has the durations of events.
    pub fn have_durations(&self) -> bool {
        self.all.iter().any(|column| names_duration(&column.name))
    }

    /// The column of the starts of events.
    pub fn of_starts(&self) -> Option<u32> {
        self.of_field("start").filter(|_| self.make_events())
    }

    /// The codes are of networks.
    pub fn make_networks(&self) -> bool {
        matches!(self.data(), Some(Source::Kind { kind: Kind::Wifi, .. }))
    }

    /// Degrees with the English letter in place of `O`. `O` is the east in German and Dutch, and the west in Spanish and Italian. The column's
    /// name tells the language.
    pub fn in_english(&self, column: u32, text: &str) -> Option<String> {
        let column = self.all.get(column as usize).filter(|column| {
            column.field.is_some_and(|field| ["longitude", "coordinates"].contains(&field))
        })?;
        let letter = letter_of_o(&column.name)?;
        text.contains(['O', 'o']).then(|| text.replace(['O', 'o'], letter))
    }

    /// The kind takes this text of the column.
    pub fn takes(&self, column: u32, text: &str) -> bool {
        (self.of_types != Some(column) || names_encryption(text))
            && (self.of_titles != Some(column) || !(degree_in(text).is_some() || names_salutation(text)))
            && !self.is_of_messenger(column, text)
            && !(self.field(column) == Some("region") && names_status(text))
            && (self.of_other_references != Some(column) || is_creditor_reference(text))
    }

    /// The column holds the passwords of networks.
    pub fn holds_passwords(&self, column: u32) -> bool {
        self.make_networks() && self.field(column) == Some("password")
    }

    /// The encryption of networks: the column's, or the one that was typed for all.
    pub fn of_encryption(&self) -> (Option<u32>, &str) {
        self.given("encryption")
    }

    /// The text is a link or a name of a messenger, in a column of these, and no telephone number.
    pub fn is_of_messenger(&self, column: u32, text: &str) -> bool {
        let is_number =
            |text: &str| text.contains(|letter: char| letter.is_ascii_digit()) && !text.starts_with('@');
        self.telephone(column).is_some()
            && names_messenger(&self.all[column as usize].name)
            && (is_link(text) || is_bare_link(text) || !is_number(text.trim()))
    }

    /// The column holds numbers or addresses by which a contact can be reached.
    pub fn reaches_contacts(&self, column: u32) -> bool {
        const FIELDS: [&str; 6] = ["phone", "mobile", "homePhone", "otherPhone", "email", "otherEmail"];

        self.are_of_contacts() && self.field(column).is_some_and(|field| FIELDS.contains(&field))
    }

    /// The items take the number of the column's cells, however the cells show it, and nothing else.
    pub fn takes_number(&self, column: u32) -> bool {
        self.of_numbers.contains(&column)
    }

    /// A kind takes dates or times of the column.
    pub fn takes_dates(&self, column: u32) -> bool {
        self.of_dates.contains(&column)
    }

    /// The field of the column, if it is a telephone number.
    pub fn telephone(&self, column: u32) -> Option<&'static str> {
        let Some(Source::Kind { kind, .. }) = self.data() else { return None };
        self.field(column).filter(|field| kind.is_telephone(field))
    }

    /// The column of the countries of contacts, or that beside the numbers of calls, messages and contacts.
    pub(super) fn countries(&self) -> Option<u32> {
        /// Names of columns of countries' letters.
        const OF_CODES: &str = "countryiso isocountry isocountrycode ländercode landescode länderkürzel landkürzel länderkennung \
            landeskennung länderkennzeichen landcode codepays códigopaís codicepaese kodkraju kódzemě kódkrajiny";

        let names_country = |name: &str| {
            names_field(Kind::Contact, "country", name)
                || is_one_of(&simplified(name), OF_CODES)
                || names_calling_codes(name)
        };
        let mut named = (0..).zip(&self.all).filter(|(_, column)| column.name.len() <= LONGEST);
        let beside = named.find(|(_, column)| names_country(&column.name));
        let beside = beside.filter(|_| self.need_country() || self.are_of_contacts());
        self.of_contacts("country").or(beside.map(|(position, _)| position))
    }

    /// The name of the column of countries says that it holds calling codes.
    pub fn have_calling_codes(&self) -> bool {
        self.of_countries.is_some_and(|column| names_calling_codes(&self.all[column as usize].name))
    }

    /// Columns by which the country of a row may be known beside its numbers without a code: those of numbers, mails and websites.
    pub(super) fn countries_of_rows(&self) -> Vec<u32> {
        const FIELDS: [&str; 7] =
            ["phone", "mobile", "homePhone", "otherPhone", "email", "otherEmail", "url"];

        let is_one = |position: u32, name: &str| {
            self.telephone(position).is_some()
                || self.reaches_contacts(position)
                || self.holds_websites(position)
                || FIELDS.iter().any(|field| names_field(Kind::Contact, field, name))
        };
        let all = (0..).zip(&self.all).filter(|_| self.need_country() || self.are_of_contacts());
        all.filter(|(position, column)| is_one(*position, &column.name))
            .map(|(position, _)| position)
            .collect()
    }

    /// The codes are text messages.
    pub fn make_messages(&self) -> bool {
        matches!(self.data(), Some(Source::Kind { kind: Kind::Sms, .. }))
    }

    /// The codes are calls.
    pub fn make_calls(&self) -> bool {
        matches!(self.data(), Some(Source::Kind { kind: Kind::Phone, .. }))
    }

    /// The codes can hold no telephone number without its country's code.
    pub fn need_country(&self) -> bool {
        self.make_calls() || self.make_messages()
    }
}

/// The column has the calling codes of countries by its name. `Vorwahl` is that of areas.
fn names_calling_codes(name: &str) -> bool {
    const OF_CALLING_CODES: &str = "countrycode callingcode countrycallingcode dialingcode diallingcode countrydialingcode ländervorwahl landesvorwahl";

    is_one_of(&simplified(name), OF_CALLING_CODES)
}
