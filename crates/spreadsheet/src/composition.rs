//! Members of items that are put together from several columns: by a pattern, or as a kind of code.

use std::borrow::Cow;

use qrpress_kinds::{Kind, Pattern, ValueForm};

use crate::bounds::CELL_BYTES;
use crate::fault::Fault;
use crate::names::is_link;
use crate::role::{ColumnChoice, Role};

/// The field that a network without it lacks, and the one that says that it is open.
const PASSWORD: &str = "password";
const ENCRYPTION: &str = "encryption";

/// The way in which a member is put together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Composition {
    /// A pattern over the names of the columns.
    Pattern(String),
    /// A kind of code, with the columns that a person chose for its fields.
    Kind {
        /// The kind.
        kind: Kind,
        /// Fields by name.
        fields: Vec<(String, ColumnChoice)>,
        /// True if networks without a password are open: the person says so.
        are_open: bool,
    },
}

impl Composition {
    /// Returns true if a header names all that it needs as the data: it `has` names, in lower case, and names that a field of
    /// the kind may have.
    pub(crate) fn is_named_by(
        &self,
        has: impl Fn(&str) -> bool,
        has_field: impl Fn(Kind, &'static str) -> bool,
    ) -> bool {
        let has = |name: &str| has(&name.trim().to_lowercase());
        match self {
            Self::Pattern(text) => Pattern::of_data(text).is_ok_and(|pattern| {
                !pattern.names().is_empty() && pattern.names().iter().all(|name| has(name))
            }),
            Self::Kind { kind, fields, are_open } => {
                let has_field = |name: &str| {
                    kind.fields().iter().any(|field| field.name == name && has_field(*kind, field.name))
                };
                let is_chosen = |name: &str| {
                    fields.iter().any(|(field, choice)| field == name && *choice != ColumnChoice::Recognised)
                };
                let mut named = fields.iter().filter_map(|(_, choice)| match choice {
                    ColumnChoice::Named(name) => Some(name),
                    ColumnChoice::At(_)
                    | ColumnChoice::Nothing
                    | ColumnChoice::Recognised
                    | ColumnChoice::Typed(_) => None,
                });
                let has_name = named.clone().next().is_some()
                    || kind.fields().iter().any(|field| !is_chosen(field.name) && has_field(field.name));
                has_name
                    && named.all(|name| has(name))
                    && kind
                        .lacks(|name| is_chosen(name) || has_field(name))
                        .is_none_or(|field| *are_open && field == PASSWORD)
            }
        }
    }

    /// Any column that holds data will do.
    pub(crate) fn is_any_text(&self) -> bool {
        matches!(self, Self::Kind { kind: Kind::Text, fields, .. } if fields.is_empty())
    }
}

/// The columns that a member comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// The cell of a column, as it stands.
    Column(u32),
    /// A pattern with the columns of its names, in order.
    Pattern { pattern: Pattern, columns: Vec<u32> },
    /// A kind with the columns of its fields, in order, and with the texts that every row has, which are empty where there is none.
    Kind { kind: Kind, columns: Vec<Option<u32>>, typed: Vec<String>, are_open: bool },
}

impl Source {
    /// All its columns.
    pub fn columns(&self) -> impl Iterator<Item = u32> + '_ {
        let (one, named, fields): (Option<u32>, &[u32], &[Option<u32>]) = match self {
            Self::Column(column) => (Some(*column), &[], &[]),
            Self::Pattern { columns, .. } => (None, columns, &[]),
            Self::Kind { columns, .. } => (None, &[], columns),
        };
        one.into_iter().chain(named.iter().copied()).chain(fields.iter().flatten().copied())
    }

    /// The row has a cell in each column that the member cannot be without.
    pub fn is_whole(&self, has_cell: impl Fn(u32) -> bool) -> bool {
        match self {
            Self::Column(column) => has_cell(*column),
            Self::Pattern { columns, .. } => columns.iter().all(|column| has_cell(*column)),
            Self::Kind { .. } => self.lacking(has_cell).is_none(),
        }
    }

    /// The field of a kind that codes need, and that no column with a cell fills. An open network needs no password.
    pub fn lacking(&self, has_cell: impl Fn(u32) -> bool) -> Option<&'static str> {
        let Self::Kind { are_open, .. } = self else { return None };
        self.empty(has_cell).filter(|field| !(*are_open && *field == PASSWORD))
    }

    /// The row is a network that has no password, and says nothing of its encryption.
    pub fn has_no_password(&self, has_cell: impl Fn(u32) -> bool) -> bool {
        self.empty(has_cell) == Some(PASSWORD)
    }

    fn empty(&self, has_cell: impl Fn(u32) -> bool) -> Option<&'static str> {
        let Self::Kind { kind, columns, typed, .. } = self else { return None };
        kind.lacks(|name| {
            let place = kind.fields().iter().position(|field| field.name == name);
            place.is_some_and(|place| columns[place].is_some_and(&has_cell) || !typed[place].is_empty())
        })
    }

    /// Appends the member of a row, which has these cells. `value` returns the value of a column's cell in a form, which is empty
    /// where there is none.
    ///
    /// `refine` changes values of a kind that say more than their own.
    ///
    /// # Errors
    /// The column at fault, and the fault.
    pub fn compose<'r>(
        &'r self,
        role: Role,
        has_cell: impl Fn(u32) -> bool,
        value: impl Fn(u32, ValueForm) -> Result<Cow<'r, str>, Fault>,
        refine: impl FnOnce(Kind, &[Option<u32>], &mut [Cow<'r, str>]),
        out: &mut String,
    ) -> Result<(), (Option<u32>, Fault)> {
        let value = |column: u32, form| value(column, form).map_err(|fault| (Some(column), fault));
        match self {
            Self::Column(column) => out.push_str(&value(*column, ValueForm::Text)?),
            Self::Pattern { pattern, columns } => {
                let values: Vec<Cow<'_, str>> = columns
                    .iter()
                    .map(|&column| match value(column, ValueForm::Text)? {
                        text if text.is_empty() => Err((Some(column), Fault::EmptyInPattern(role))),
                        text => Ok(text),
                    })
                    .collect::<Result<_, _>>()?;
                // A whole link has its scheme, and a text such as `see 1` has no host.
                let is_text = |value: &str| {
                    let mut words = value.split_whitespace();
                    words.next().is_some_and(|first| !first.contains('.')) && words.next().is_some()
                };
                if let [value] = &values[..]
                    && pattern.writes_scheme()
                    && (is_link(value) || is_text(value))
                {
                    out.push_str(value);
                    return Ok(());
                }
                pattern.expand(values.iter().map(AsRef::as_ref), CELL_BYTES, out);
                if out.len() > CELL_BYTES {
                    return Err((None, Fault::LongMember { role, most: CELL_BYTES }));
                }
            }
            Self::Kind { kind, columns, typed, are_open } => {
                let is_open = *are_open && self.has_no_password(&has_cell);
                let mut values: Vec<Cow<'_, str>> = kind
                    .fields()
                    .iter()
                    .zip(columns.iter().zip(typed))
                    .map(|(field, (column, typed))| match column {
                        _ if is_open && field.name == ENCRYPTION => Ok("none".into()),
                        Some(column) => value(*column, kind.value_form(field.name)),
                        None => Ok(typed.as_str().into()),
                    })
                    .collect::<Result<_, _>>()?;
                refine(*kind, columns, &mut values);
                let values: Vec<&str> = values.iter().map(AsRef::as_ref).collect();
                let composed = kind.compose(&values).map_err(|fault| {
                    let index = kind.fields().iter().position(|field| field.name == fault.field);
                    (index.and_then(|index| columns[index]), Fault::Kind(fault))
                })?;
                out.push_str(&composed);
            }
        }
        Ok(())
    }
}
