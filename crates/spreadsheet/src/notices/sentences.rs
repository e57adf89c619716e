//! The notices as sentences.

use std::mem;

use encoding_rs::MACINTOSH;
use qrpress_kinds::{Kind, day_in_words};

use super::{FreeCells, Notices, SHOWN, Tally};
use crate::columns::{Column, Columns, shortened};
use crate::composition::Source;
use crate::currencies::other_currency;
use crate::moments::{names_reminder, names_time};
use crate::names::{is_one_of, words};
use crate::problem::letters;
use crate::role::CountryChoice;

/// Columns that a sentence names: those of times, and those that give nothing.
const NAMED_TIMES: usize = 12;
const NAMED_UNUSED: usize = 100;
/// Countries' codes that a sentence names.
const NAMED_CODES: usize = 12;

/// The sentence about links of goods at the address of GS1.
const LEADS_TO_GS1: &str = "Scanners for GS1 read the number. Phones open it at id.gs1.org, the address of GS1, which leads on to the page that the brand has \
    entered there, if it has one. For pages of your own, add a column “Domain” with your address.";

impl Notices {
    /// The sentences. `country`: of telephone numbers without its code, which the person chose, and `of_countries` the column by which they
    /// may choose that of each row. `is_utf8`: of a CSV file in UTF-8, for which people can choose that it was encoded twice.
    pub fn sentences(
        &mut self,
        columns: &Columns,
        (country, of_countries): (Option<CountryChoice>, Option<u32>),
        is_utf8: bool,
    ) -> Vec<String> {
        let mut notices = Vec::new();
        let without_text = self.without_text(columns);
        let of_payers = self.of_payers(columns);
        match self.titles {
            Some((first, last, below)) if first == last => {
                notices.push(format!("Row {first} is not used: it stands above {below}."));
            }
            Some((first, last, below)) => {
                notices.push(format!("Rows {first} to {last} are not used: they stand above {below}."));
            }
            None => {}
        }
        let samples = self.encoding.as_ref().and_then(|(name, samples)| Some((*name, samples.sentence()?)));
        if let Some((name, values)) = samples {
            notices.push(format!(
                "The file is not UTF-8; it is read as {}. Look at these values: {}. Where they are wrong, choose another \
                 encoding, or save the file as CSV in UTF-8.",
                if name == MACINTOSH.name() {
                    "Western European (Mac)".to_owned()
                } else {
                    name.replacen('w', "W", 1)
                },
                values
            ));
        }
        if let (Some((row, column)), [written, meant]) = (self.encoded_twice.first, &self.meant) {
            let values = if self.encoded_twice.count == 1 { "value seems" } else { "values seem" };
            let choose =
                if is_utf8 { "Choose the encoding “UTF-8, encoded twice”, or save" } else { "Save" };
            notices.push(format!(
                "{} {values} to be UTF-8 that was encoded twice; the first is in row {row}, column {}: {written}, which may be \
                 {meant}. {choose} the file as UTF-8 again where it comes from.",
                self.encoded_twice.count,
                letters(column)
            ));
        }
        notices.extend(self.repeats());
        if let Some((row, _)) = self.without_euro.first {
            let country = self.country;
            let (first, payments) = match self.without_euro.count {
                1 => ("Is this amount", format!("1 payment (row {row}) goes to an account in a country")),
                count => (
                    "Are these amounts",
                    format!("{count} payments (the first in row {row}) go to accounts in countries"),
                ),
            };
            notices.push(format!(
                "{first} in euros? {payments} without the euro ({country}). Payment codes are in euros."
            ));
        }
        let account = columns.account().map(|account| account.map(|text| shortened(text, SHOWN)));
        notices
            .extend(account.map(|[payee, iban]| format!("All codes are for payments to {payee}, {iban}.")));
        notices.extend(of_payers);
        notices.extend(self.without_usual(columns));
        notices.extend(self.of_merged_cells());
        notices.extend(self.of_one_day(columns));
        notices.extend(self.of_days_above());
        notices.extend(self.of_starts_at_midnight(columns));
        notices.extend(self.of_long_events());
        notices.extend(self.of_times_of_days());
        notices.extend(without_text);
        let payees = ["payment has", "payments have"];
        notices.extend(self.payees_of_numbers.sentence(payees, " a number in place of the payee's name"));
        notices.extend(self.of_short_years());
        notices.extend(self.of_placeholders());
        notices.extend(self.rows_below());
        notices.extend(self.without_password());
        notices.extend(self.of_phrases());
        notices.extend(self.of_users(columns));
        notices.extend(self.of_nationals(columns, country, of_countries));
        notices.extend(self.of_codes(columns));
        notices.extend(self.several_countries(columns, country, of_countries));
        notices.extend(self.of_other_country.sentence(columns, country, of_countries));
        notices.extend(
            columns
                .prefix_column()
                .map(|column| format!("Last names begin with what the column {} says.", column.title())),
        );
        notices.extend(self.times_left_out(columns));
        notices.extend(self.times_for_events(columns));
        notices.extend(column_of_zones(columns));
        notices.extend(columns.of_unknown_zones().map(zone_in_name));
        notices.extend(self.of_salutations());
        notices.extend(self.of_notes(columns));
        notices.extend(columns.lead_to_gs1().then(|| LEADS_TO_GS1.to_owned()));
        notices.extend(self.tallies());
        notices
    }

    /// Sentences about rows that have the same data, and the same names.
    fn repeats(&mut self) -> Vec<String> {
        let mut notices = Vec::new();
        for (hashes, what, [one, several]) in [
            (mem::take(&mut self.data), "the same data as a row above", ["", ""]),
            (
                mem::take(&mut self.names),
                "the same file name as a row above",
                [" Its picture gets", " Their pictures get"],
            ),
        ] {
            notices.extend(repeated(hashes).map(|Repeated { count, row, earlier }| {
                let (told, pictures) = match count {
                    1 => (format!("1 row has {what}: row {row} repeats row {earlier}."), one),
                    _ => (
                        format!(
                            "{count} rows have {what}; the first is row {row}, which repeats row {earlier}."
                        ),
                        several,
                    ),
                };
                let number = if pictures.is_empty() { "" } else { " a number behind the name, such as -2." };
                told + pictures + number
            }));
        }
        notices
    }

    /// Columns that have cells, and give nothing to the items. Sentences of their own tell of currencies and times.
    fn idle(&self, columns: &Columns) -> impl Iterator<Item = u32> {
        let (of_zones, has_codes) = (columns.of_zones(), !self.codes.is_empty());
        let of_times = self.columns_of_times(columns);
        let is_told = move |column: u32| {
            columns.of_currencies == Some(column)
                || (columns.of_countries == Some(column) && has_codes)
                || of_zones == Some(column)
                || of_times.contains(&column)
                || self.is_time_left_out(columns, column)
        };
        let is_idle = |column: u32| {
            !columns.is_used(column) || (self.other_marks > 0 && columns.of_whole_days == Some(column))
        };
        (0..self.filled.len() as u32)
            .filter(move |column| self.is_filled(*column) && is_idle(*column) && !is_told(*column))
    }

    /// The sentence about such columns.
    pub fn unused_columns(&self, columns: &Columns) -> Option<String> {
        let called: Vec<String> = self.idle(columns).map(|column| columns.called(column)).collect();
        let (named, others) = called.split_at(called.len().min(NAMED_UNUSED));
        let named = named.join(", ");
        let more = if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
        let told = format!("Not in the codes: {named}{more}");
        (!called.is_empty()).then(|| if told.ends_with('.') { told } else { told + "." })
    }

    /// A sentence about payments without an amount, or events without a start time, where others have it.
    fn without_usual(&self, columns: &Columns) -> Option<String> {
        let Some(Source::Kind { kind, .. }) = columns.data() else { return None };
        let (thing, lack, outcome) = match kind {
            Kind::Payment => ("payment", "amount", "Whoever pays has to type it."),
            _ => ("event", "start time", "They are of whole days."),
        };
        let count = self.without_usual;
        // A list of accounts and names alone is of payments without an amount.
        let may_lack = || columns.of_usual.is_some() || self.idle(columns).next().is_some();
        if *kind == Kind::Payment && !self.has_usual && count > 0 && may_lack() {
            return Some(self.without_amount(columns));
        }
        let rows: Vec<String> = self.rows_without.iter().map(u64::to_string).collect();
        let (last, others) = rows.split_last().filter(|_| self.has_usual)?;
        let more = count - rows.len() as u64;
        Some(match (others, more) {
            ([], _) => {
                let outcome = outcome.replace("They are of whole days", "It is of a whole day");
                format!("1 {thing} (row {last}) has no {lack}. {outcome}")
            }
            (_, 0) => {
                format!("{count} {thing}s (rows {} and {last}) have no {lack}. {outcome}", others.join(", "))
            }
            _ => format!(
                "{count} {thing}s (rows {} and {more} more) have no {lack}. {outcome}",
                rows.join(", ")
            ),
        })
    }

    /// A sentence about columns of times that events do not take.
    fn times_left_out(&self, columns: &Columns) -> Option<String> {
        let of_times = (0..self.filled.len() as u32)
            .filter(|column| self.is_filled(*column) && self.is_time_left_out(columns, *column));
        let titles: Vec<String> =
            of_times.take(NAMED_TIMES).map(|column| columns.all[column as usize].title()).collect();
        let what = if titles.len() == 1 { "column" } else { "columns" };
        (!titles.is_empty()).then(|| {
            format!(
                "The times in the {what} {} are not used. An event takes a start time and an end time: choose their columns.",
                titles.join(", ")
            )
        })
    }

    /// The column holds times that events do not take: it is called so, and its first cells are not all something else, such as those of
    /// `Show time as`.
    fn is_time_left_out(&self, columns: &Columns, column: u32) -> bool {
        let name = columns.all.get(column as usize).map_or("", |column| column.name.as_str());
        let has_none = |cells: &FreeCells| cells.found == 0 && cells.others > 0;
        columns.make_events()
            && names_time(name)
            && !names_reminder(name)
            && !columns.is_used(column)
            && !self.free.get(&column).is_some_and(has_none)
    }

    /// A sentence about payments without amounts, and the columns that hold some: a fee may be the amount, or a part of it.
    fn without_amount(&self, columns: &Columns) -> String {
        let are_amounts = |(_, cells): &(&u32, &FreeCells)| cells.found > 2 * cells.others;
        let is_in_euros =
            |(column, _): &(&u32, &FreeCells)| other_currency(&columns.all[**column as usize].name).is_none();
        let of_amounts = self.free.iter().filter(are_amounts).filter(is_in_euros).take(NAMED_TIMES);
        let titles: Vec<String> =
            of_amounts.map(|(column, _)| columns.all[*column as usize].title()).collect();
        let [what, hold] = if titles.len() == 1 { ["column", "holds"] } else { ["columns", "hold"] };
        if titles.is_empty() {
            return "No payment has an amount. Whoever pays has to type it.".to_owned();
        }
        format!(
            "No payment has an amount, so that whoever pays has to type it. The {what} {} {hold} amounts: choose the one that is to be paid.",
            titles.join(", ")
        )
    }

    /// Columns that hold times by their cells, and not by their names, where no event has a start time.
    pub fn columns_of_times(&self, columns: &Columns) -> Vec<u32> {
        let lack_time = (self.without_usual > 0 || self.starts_at_midnight.count > 0) && !self.has_usual;
        let are_times = |cells: &FreeCells| cells.has_start && cells.found >= 2 * cells.others;
        let of_times = self
            .free
            .iter()
            .filter(|(column, cells)| {
                lack_time && are_times(cells) && !self.is_time_left_out(columns, **column)
            })
            .filter(|(column, _)| !names_reminder(&columns.all[**column as usize].name));
        of_times.map(|(column, _)| *column).collect()
    }

    /// A sentence about these columns.
    fn times_for_events(&self, columns: &Columns) -> Option<String> {
        let of_times = self.columns_of_times(columns);
        let titles = of_times.iter().take(NAMED_TIMES).map(|column| columns.all[*column as usize].title());
        let [what, hold, it] = match of_times.len() {
            0 => return None,
            1 => ["column", "holds", "it"],
            _ => ["columns", "hold", "the right one"],
        };
        Some(format!(
            "No event has a start time, but the {what} {} {hold} times. If events start then, choose {it} as the start time.",
            titles.collect::<Vec<_>>().join(", ")
        ))
    }

    /// A sentence about events that start at midnight and have no end. Sheets show 0:00 where people typed a day.
    fn of_starts_at_midnight(&self, columns: &Columns) -> Option<String> {
        if columns.have_durations() {
            return None;
        }
        let told = self.starts_at_midnight.sentence(["event starts", "events start"], " at midnight")?;
        Some(format!("{told} For an event of the whole day, write or format its date without the time."))
    }

    /// A sentence about events that take the day of the row above.
    fn of_days_above(&self) -> Option<String> {
        let (row, _) = self.days_above.first?;
        Some(match self.days_above.count {
            1 => format!("1 row has no date and takes the last one above it; it is row {row}."),
            count => {
                format!("{count} rows have no date and take the last one above them; the first is row {row}.")
            }
        })
    }

    /// The sentence about cells that are merged downwards.
    fn of_merged_cells(&self) -> Option<String> {
        let ([top, bottom], text) = self.first_merged.as_ref()?;
        Some(match self.merged_cells.len() {
            1 => format!("The merged cell “{text}” counts for rows {top} to {bottom}."),
            count => format!(
                "{count} merged cells count for all their rows; the first is “{text}”, for rows {top} to {bottom}."
            ),
        })
    }

    /// The sentence about the day that was typed for all events.
    fn of_one_day(&self, columns: &Columns) -> Option<String> {
        let all = format!("All events are on {}.", day_in_words(columns.typed_day()?)?);
        let Some((row, _)) = self.back.first else { return Some(all) };
        let back = match self.back.count {
            1 => format!("1 event starts before the one above it: row {row}."),
            count => format!("{count} events start before the one above them; the first is in row {row}."),
        };
        Some(format!(
            "{all} {back} Look whether that is meant: it may be on another day, or in the afternoon."
        ))
    }

    /// Sentences about events that last for weeks, most of which are courses that meet once a week.
    fn of_long_events(&self) -> Option<String> {
        let (row, _) = self.long_events.first?;
        let told = match self.long_events.count {
            1 => format!("1 event lasts longer than a week; it is in row {row}."),
            count => format!("{count} events last longer than a week; the first is in row {row}."),
        };
        Some(format!(
            "{told} Calendars show one event from the first day to the last. If people meet again and again, write a row for each \
             meeting, or choose no column for the end."
        ))
    }

    /// A sentence about events of several days whose times may be those of each day.
    fn of_times_of_days(&self) -> Option<String> {
        let (row, _) = self.times_of_days.first?;
        let told = match self.times_of_days.count {
            1 => format!(
                "1 event lasts without a break from its start time on the first day to its end time on the last; it is in row {row}."
            ),
            count => format!(
                "{count} events last without a break from their start times on the first day to their end times on the last; the first is in row \
                 {row}."
            ),
        };
        Some(format!("{told} If these are the times of each day, write a row for each day."))
    }

    /// A sentence about networks without a password.
    fn without_password(&self) -> Option<String> {
        let have = if self.passwordless == 1 { "network has" } else { "networks have" };
        let rows = self.passwordless_rows.join(", ");
        let more = match self.passwordless - self.passwordless_rows.len() as u64 {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        (self.passwordless > 0).then(|| format!("{} {have} no password: {rows}{more}.", self.passwordless))
    }

    /// A sentence about passwords of several words. People write notes such as `see router` in their place.
    fn of_phrases(&self) -> Option<String> {
        let (row, column) = self.phrases.first?;
        let first = format!("“{}” (row {row}, column {})", self.first_phrase, letters(column));
        Some(match self.phrases.count {
            1 => format!("1 password has several words: {first}. Check that it is no note."),
            count => format!(
                "{count} passwords have several words, such as {first}. Check that they are no notes."
            ),
        })
    }

    /// A sentence about networks that ask each person for a name, as a column shows.
    fn of_users(&self, columns: &Columns) -> Option<String> {
        const USER: &str = "user username login identity benutzer benutzername benutzerkennung nutzername anmeldename utilisateur identifiant utente \
            usuario utilizador usuário gebruiker gebruikersnaam użytkownik użytkownika uživatel uživatele používateľ användare användarnamn bruger \
            brugernavn bruker brukernavn käyttäjä käyttäjätunnus felhasználónév korisnik";
        const NAME: &str = "name id nom d nombre de nome do nazwa jméno meno";

        let is_any = |word: &String| is_one_of(word, USER);
        let names_user = |name: &str| {
            let words = words(name);
            words.iter().any(is_any) && words.iter().all(|word| is_any(word) || is_one_of(word, NAME))
        };
        if !columns.make_networks() {
            return None;
        }
        let column = self.idle(columns).find(|column| names_user(&columns.all[*column as usize].name))?;
        Some(format!(
            "The column {} is not in the codes: a network that asks each person for a name (EAP, Enterprise, a page for guests) cannot be joined by \
             a code alone.",
            columns.all[column as usize].title()
        ))
    }

    /// A sentence about payments most of which go to accounts of their own, or all to one, whose names may be those of the people who pay.
    /// Members of a family share an account.
    fn of_payers(&self, columns: &Columns) -> Option<String> {
        let (count, accounts) = (self.data.len(), self.accounts.len());
        // Organisations are payees of accounts of their own.
        let may_pay_into_one = accounts == 1 && self.payees.len() > 1 && columns.are_payees_organisations();
        if count < 2 || !(columns.may_be_of_payers() || may_pay_into_one) {
            return None;
        }
        match accounts {
            1 => Some(format!(
                "The {count} payments go to one account, each to the payee whom its row names. If these people pay, type the payee once for all \
                 codes."
            )),
            _ => (accounts * 2 > count).then(|| {
                format!(
                    "The {count} payments go to {accounts} accounts: each to the one in its row. If these belong to the people who pay, type \
                     the one account that gets the money."
                )
            }),
        }
    }

    /// A sentence about payments with neither text nor reference, where others have one, or a column may hold one.
    fn without_text(&self, columns: &Columns) -> Option<String> {
        let all = self.data.len() as u64;
        let may_hold_it =
            || columns.of_purposes().or(columns.of_references()).is_some() || self.unused_texts > 0;
        match self.without_text {
            0 => None,
            count if count < all => {
                let have = if count == 1 { "has" } else { "have" };
                let other = self.other_text.map(|column| columns.all[column as usize].title());
                let choose =
                    other.map_or(String::new(), |title| format!(" The column {title} has texts: choose it."));
                Some(format!("{count} of {all} payments {have} neither text nor reference.{choose}"))
            }
            _ => may_hold_it().then(|| "No payment has a text or a reference.".to_owned()),
        }
    }

    /// A sentence about dates that may begin with the year, where no other one tells its place.
    fn of_short_years(&self) -> Option<String> {
        let rest = format!(" read with the year last ({})", self.first_short_year);
        self.short_years.sentence(["date is", "dates are"], &rest).filter(|_| self.certain_years == 0)
    }

    /// Sentences about cells that stand for nothing.
    fn of_placeholders(&self) -> impl Iterator<Item = String> {
        let outcomes =
            [["It is in the code.", "They are in the codes."], ["It is left out.", "They are left out."]];
        self.placeholders.iter().zip(outcomes).filter_map(|((placeholders, text), [of_one, of_all])| {
            let (row, column) = placeholders.first?;
            let place = format!("“{text}” (row {row}, column {})", letters(column));
            Some(match placeholders.count {
                1 => format!("1 cell holds a placeholder: {place}. {of_one}"),
                count => format!("{count} cells hold a placeholder, such as {place}. {of_all}"),
            })
        })
    }

    /// A sentence about rows that are totals or notes, as it seems.
    pub fn rows_below(&self) -> Option<String> {
        let (row, text) = self.first_below.as_ref()?;
        Some(match self.below {
            1 => format!(
                "1 row has data that is probably not meant: row {row} (“{text}”) seems to be a total or a note."
            ),
            count => format!(
                "{count} rows have data that is probably not meant: they seem to be totals or notes. The first is row {row} (“{text}”)."
            ),
        })
    }

    /// A sentence about numbers of contacts that stay without their country's code. `of_countries`: the column by which people may choose it.
    fn of_nationals(
        &self,
        columns: &Columns,
        country: Option<CountryChoice>,
        of_countries: Option<u32>,
    ) -> Option<String> {
        let (row, column) = self.nationals.first?;
        let first = format!("“{}” (row {row}, column {})", self.first_national, letters(column));
        let (told, their) = match self.nationals.count {
            1 => (
                format!("1 telephone number has no country's code: {first}. Phones abroad cannot call it."),
                "its",
            ),
            count => (
                format!(
                    "{count} telephone numbers have no country's code, such as {first}: phones abroad cannot call them."
                ),
                "their",
            ),
        };
        if let (Some(CountryChoice::OfRow), Some(column)) = (country, of_countries) {
            let title = columns.all[column as usize].title();
            return Some(format!("{told} The column {title} names no known country there."));
        }
        let or_of_row = of_countries.map_or(String::new(), |column| {
            format!(", or that of each row in the column {}", columns.all[column as usize].title())
        });
        Some(format!("{told} Choose {their} country{or_of_row}."))
    }

    /// A sentence about numbers that get the code of the country of their row.
    fn of_codes(&self, columns: &Columns) -> Option<String> {
        let column = columns.all[columns.of_countries? as usize].title();
        let codes: Vec<String> =
            self.codes.iter().map(|(code, country)| format!("+{} ({country})", code.digits())).collect();
        let (named, others) = codes.split_at(codes.len().min(NAMED_CODES));
        let rows = if self.rows_with_codes == 1 { "row" } else { "rows" };
        let more = if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
        (!named.is_empty()).then(|| {
            format!(
                "The numbers of {} {rows} get the code of the country in the column {column}: {}{more}.",
                self.rows_with_codes,
                named.join(", ")
            )
        })
    }

    /// A sentence about numbers that got the same country's code beside several countries.
    fn several_countries(
        &self,
        columns: &Columns,
        country: Option<CountryChoice>,
        of_countries: Option<u32>,
    ) -> Option<String> {
        let Some(CountryChoice::All(code)) = country else { return None };
        let [(first, first_row), (second, second_row)] = self.countries.as_slice() else { return None };
        let [first, second] = [first, second].map(|country| shortened(country, SHOWN));
        let column = columns.all[columns.of_countries? as usize].title();
        let choose =
            of_countries.map_or("", |_| " If the numbers are of these countries, choose that of each row.");
        Some(format!(
            "All numbers without a country's code get +{}, though the column {column} says {first} in row {first_row} and {second} in row \
             {second_row}.{choose}",
            code.digits()
        ))
    }

    fn tallies(&self) -> Vec<String> {
        let written = format!(
            " written as in English, and may look different in your program: {} (a column of =TEXT(…) keeps that look: see Files in the docs)",
            self.varying_text
        );
        let none = Tally::default();
        let order = self.date_order();
        let as_others =
            order.map(|order| format!(" read with the {} first, as others of the sheet are", order.first()));
        let tallies = [
            (
                if order.is_some() { &self.dates } else { &none },
                "date of two numbers and a year is",
                "dates of two numbers and a year are",
                as_others.as_deref().unwrap_or_default(),
            ),
            (
                &self.edge_spaces,
                "value begins or ends",
                "values begin or end",
                " with a space, which is kept",
            ),
            (
                &self.spaces_of_links,
                "link begins or ends",
                "links begin or end",
                " with a space, which is left out",
            ),
            (
                &self.lost_spaces,
                "name or password of a network begins or ends",
                "names or passwords of networks begin or end",
                " with a space, which is left out, since it is not in quotes",
            ),
            (
                &self.invisible,
                "value holds",
                "values hold",
                " a character that cannot be seen, which is part of the code",
            ),
            (&self.hidden_rows, "row is hidden, and is", "rows are hidden, and are", " used all the same"),
            (
                &self.other_references,
                "reference is",
                "references are",
                " not in the codes, which take those of creditors alone (RF…)",
            ),
            (
                &self.other_texts,
                "text is",
                "texts are",
                " not in the codes, which have the reference of the creditor (RF…) in its place",
            ),
            (
                &self.other_extensions,
                "extension is",
                "extensions are",
                " not in the codes: one of a few digits belongs to a number that ends in “-” or “-0”",
            ),
            (&self.several, "cell has", "cells have", " several values, of which the first is used"),
            (
                &self.check_digits,
                "GTIN has",
                "GTINs have",
                " the right check digit in the codes, in place of the wrong one of the list",
            ),
            (
                &self.zeros_in_front,
                "GTIN has 7 or 9 to 11 digits, and is",
                "GTINs have 7 or 9 to 11 digits, and are",
                " read with zeros in front: check that no digit is missing at the end",
            ),
            (
                &self.last_days,
                "end at midnight is taken for the last day",
                "ends at midnight are taken for last days",
                "",
            ),
            (&self.totals, "row is", "rows are", " not used, with the totals of a table"),
            (&self.varying, "number or date is", "numbers or dates are", &written),
            (
                &self.unseparated_rows,
                "value holds a comma or semicolon, which is",
                "values hold a comma or semicolon, which is",
                " part of the code, since the file has one column",
            ),
            (
                &self.zeros,
                "number has",
                "numbers have",
                " zeros from the 16th digit on, where spreadsheet programs leave digits out",
            ),
        ];
        let all = tallies.into_iter().chain(self.tallies_of_contacts());
        let sentences = all.map(|(tally, one, many, rest)| tally.sentence([one, many], rest));
        let others =
            [self.of_extensions_without_country(), self.of_exclusive_ends(), self.of_marks_with_times()];
        sentences.chain(others).flatten().collect()
    }

    /// A sentence about salutations before names.
    fn of_salutations(&self) -> Option<String> {
        let what = ["salutation before a name is", "salutations before names are"];
        self.salutations.sentence(what, &format!(" left out ({})", self.first_salutation))
    }

    /// A sentence about notes, which may be meant for the office alone.
    fn of_notes(&self, columns: &Columns) -> Option<String> {
        let (row, column) = self.notes.first?;
        let title = columns.all[column as usize].title();
        let note = &self.first_note;
        Some(format!(
            "Whoever scans the codes can read the notes of the column {title}, such as “{note}” (row {row}). Choose “Not used” for it where they are not for everybody."
        ))
    }

    /// A sentence about extensions that belong to their numbers in some countries.
    fn of_extensions_without_country(&self) -> Option<String> {
        let what = [
            "extension is not in the codes: it depends on the country where it stands",
            "extensions are not in the codes: it depends on the country where they stand",
        ];
        let told = self.extensions_without_country.sentence(what, "")?;
        Some(format!("{told} Choose the country of the numbers."))
    }

    /// A sentence about events that one column calls those of the whole day, and that have times by others.
    fn of_marks_with_times(&self) -> Option<String> {
        let what = [
            "event of the whole day has a time, and keeps it",
            "events of the whole day have times, and keep them",
        ];
        self.marks_with_times.sentence(what, "")
    }

    /// A sentence about ends at midnight that may be last days.
    fn of_exclusive_ends(&self) -> Option<String> {
        let what = [
            "end at midnight is taken for the end of the day before",
            "ends at midnight are taken for the ends of the days before",
        ];
        let told = self.exclusive_ends.sentence(what, "")?;
        Some(format!("{told} If such a day is part of its event, write the days without times."))
    }

    /// Tallies of what contacts do not take as it is written, with the beginnings of sentences for one and for several, and their ends.
    fn tallies_of_contacts(&self) -> [(&Tally, &str, &str, &str); 8] {
        [
            (&self.websites, "website gets", "websites get", " https:// in front"),
            (
                &self.lettered_numbers,
                "telephone number has",
                "telephone numbers have",
                " letters, and phones may not dial what is meant",
            ),
            (
                &self.services,
                "telephone number is of a service, such as 0800, and",
                "telephone numbers are of services, such as 0800, and",
                " may not be dialled from other countries",
            ),
            (
                &self.startless_numbers,
                "telephone number has",
                "telephone numbers have",
                " neither a plus nor a 0 at the start: choose the country, or phones may not dial what is meant",
            ),
            (
                &self.desk_numbers,
                "telephone number has",
                "telephone numbers have",
                " five digits at most: phones cannot dial an extension without the number before it",
            ),
            (
                &self.desks_alone,
                "telephone number is not in the codes: it is an extension",
                "telephone numbers are not in the codes: they are extensions",
                " without the number before it",
            ),
            (
                &self.messengers,
                "link or name of a messenger is",
                "links or names of messengers are",
                " not in the codes, which take its telephone numbers alone",
            ),
            (
                &self.other_titles,
                "title is",
                "titles are",
                " not used: only academic ones, such as Dr., stand before the name",
            ),
        ]
    }
}

impl Tally {
    /// The sentence about these, and the place of the first. `what`: the beginnings for one and for several.
    fn sentence(&self, what: [&str; 2], rest: &str) -> Option<String> {
        let (row, column) = self.first?;
        let what = what[usize::from(self.count != 1)];
        Some(format!("{} {what}{rest}; the first is in row {row}, column {}.", self.count, letters(column)))
    }
}

/// A sentence about the column of time zones.
fn column_of_zones(columns: &Columns) -> Option<String> {
    let title = columns.all[columns.of_zones()? as usize].title();
    Some(format!(
        "The time zones in the column {title} are not used: a time without a zone is that of the place where the phone is. Write zones \
         behind the times, such as 16:00 UTC+1."
    ))
}

/// A sentence about a column of times whose name says a zone that is not known, or may say one.
fn zone_in_name((column, is_certain): (&Column, bool)) -> String {
    let title = column.title();
    let told = if is_certain {
        format!("The time zone in the name of the column {title} is not known here")
    } else {
        format!("If the name of the column {title} says a time zone, it is not in the codes")
    };
    format!(
        "{told}: a time without a zone is that of the place where the phone is. Write zones behind the times, such as 16:00 UTC+1."
    )
}

/// Rows that repeat earlier ones.
struct Repeated {
    count: u64,
    /// The first of them.
    row: u32,
    /// The row that it repeats.
    earlier: u32,
}

fn repeated(mut hashes: Vec<(u64, u32)>) -> Option<Repeated> {
    hashes.sort_unstable();
    let again = hashes.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| (pair[1].1, pair[0].1));
    let count = again.clone().count() as u64;
    again.min().map(|(row, earlier)| Repeated { count, row, earlier })
}
