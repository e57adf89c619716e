//! The values of a kind's fields, and what is wrong with one.

/// A field of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name by which people choose a column for it.
    pub name: &'static str,
    /// A code of the kind cannot be without it, whatever other fields say: [`crate::Kind::lacks`] knows all.
    pub is_required: bool,
}

/// The name of a field in a sentence.
pub fn spoken(field: &str) -> String {
    match field {
        "bic" | "gtin" | "iban" | "ssid" => field.to_uppercase(),
        "to" => "address".to_owned(),
        _ => field.to_owned(),
    }
}

/// A value that the kind's document forbids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The field.
    pub field: &'static str,
    /// A sentence that begins in lower case, without the place.
    pub message: String,
}

impl Fault {
    pub(crate) fn new(field: &'static str, message: impl Into<String>) -> Self {
        Self { field, message: message.into() }
    }

    /// The field is a date that no calendar has.
    pub(crate) fn no_day(field: &'static str) -> Self {
        Self::new(field, "this day does not exist. Correct the date.")
    }
}

/// The values of a row, in the order of the kind's fields.
#[derive(Clone, Copy)]
pub(crate) struct Values<'v> {
    fields: &'static [Field],
    values: &'v [&'v str],
}

impl<'v> Values<'v> {
    /// # Errors
    /// A control character.
    pub fn new(fields: &'static [Field], values: &'v [&'v str]) -> Result<Self, Fault> {
        for (field, value) in fields.iter().zip(values) {
            if let Some(control) = value.chars().find(|&character| is_control(character)) {
                let number = u32::from(control);
                return Err(Fault::new(field.name, format!("the character U+{number:04X} is no text.")));
            }
        }
        Ok(Self { fields, values })
    }

    /// The kind's fields.
    pub fn fields(&self) -> &'static [Field] {
        self.fields
    }

    /// The value as it stands; empty where there is none.
    pub fn text(&self, name: &str) -> &'v str {
        let index = self.fields.iter().position(|field| field.name == name);
        let value = index.and_then(|index| self.values.get(index)).copied().unwrap_or_default();
        if trimmed(value).is_empty() { "" } else { value }
    }

    /// The value without spaces around it.
    pub fn trimmed(&self, name: &str) -> &'v str {
        trimmed(self.text(name))
    }

    /// The value of one line, without spaces around it.
    pub fn line(&self, name: &'static str) -> Result<&'v str, Fault> {
        one_line(name, self.trimmed(name))
    }
}

/// Returns `text` if it is a single line.
pub(crate) fn one_line<'t>(field: &'static str, text: &'t str) -> Result<&'t str, Fault> {
    if text.contains(['\n', '\r', '\t']) {
        return Err(Fault::new(field, "the value must be one line, without tabs."));
    }
    Ok(text)
}

/// Without spaces and line ends around it.
pub(crate) fn trimmed(text: &str) -> &str {
    text.trim_matches([' ', '\t', '\r', '\n', '\u{a0}'])
}

fn is_control(character: char) -> bool {
    character.is_control() && !matches!(character, '\t' | '\n' | '\r')
}
