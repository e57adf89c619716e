//! Members of items that are put together from several columns: by a pattern, or as a kind of code.

use std::borrow::Cow;

use qrpress_kinds::{Kind, Pattern, ValueForm};

use crate::fault::Fault;
use crate::role::{ColumnChoice, Role};
use crate::row::CELL_BYTES;

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
    },
}

impl Composition {
    /// The names that a header has for it as the data, in lower case. None for a pattern that cannot be read.
    pub(crate) fn names(&self) -> Option<Vec<String>> {
        let names: Vec<String> = match self {
            Self::Pattern(text) => Pattern::of_data(text).ok()?.names().to_vec(),
            Self::Kind { kind, fields } => {
                let is_chosen = |name: &str| fields.iter().any(|(field, _)| field == name);
                let required =
                    kind.fields().iter().filter(|field| field.is_required && !is_chosen(field.name));
                let named = fields.iter().filter_map(|(_, choice)| match choice {
                    ColumnChoice::Named(name) => Some(name.as_str()),
                    ColumnChoice::At(_) | ColumnChoice::Nothing => None,
                });
                required.map(|field| field.name).chain(named).map(str::to_owned).collect()
            }
        };
        Some(names.iter().map(|name| name.trim().to_lowercase()).collect())
    }

    /// Any column that holds data will do.
    pub(crate) fn is_any_text(&self) -> bool {
        matches!(self, Self::Kind { kind: Kind::Text, fields } if fields.is_empty())
    }
}

/// The columns that a member comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// The cell of a column, as it stands.
    Column(u32),
    /// A pattern with the columns of its names, in order.
    Pattern { pattern: Pattern, columns: Vec<u32> },
    /// A kind with the columns of its fields, in order.
    Kind { kind: Kind, columns: Vec<Option<u32>> },
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
            Self::Kind { kind, columns } => kind
                .fields()
                .iter()
                .zip(columns)
                .all(|(field, column)| !field.is_required || column.is_some_and(&has_cell)),
        }
    }

    /// Appends the member of a row. `value` returns the value of a column's cell in a form, which is empty where there is none.
    ///
    /// # Errors
    /// The column at fault, and the fault.
    pub fn compose<'r>(
        &self,
        role: Role,
        value: impl Fn(u32, ValueForm) -> Result<Cow<'r, str>, Fault>,
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
                pattern.expand(values.iter().map(AsRef::as_ref), CELL_BYTES, out);
                if out.len() > CELL_BYTES {
                    return Err((None, Fault::LongMember { role, most: CELL_BYTES }));
                }
            }
            Self::Kind { kind, columns } => {
                let values: Vec<Cow<'_, str>> = kind
                    .fields()
                    .iter()
                    .zip(columns)
                    .map(|(field, column)| match column {
                        Some(column) => value(*column, kind.value_form(field.name)),
                        None => Ok("".into()),
                    })
                    .collect::<Result<_, _>>()?;
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
