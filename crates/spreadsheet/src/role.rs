//! The members of an item that columns fill, and the columns that a person chooses for them.

use qrpress_kinds::CallingCode;

/// The member of an item that a column fills.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The content of the code.
    Data,
    /// The picture's name in the archive.
    Filename,
    /// The text below the code.
    Caption,
    /// The caller's own key.
    Reference,
}

impl Role {
    /// Every role, in the order of an item's members.
    pub const ALL: [Self; 4] = [Self::Data, Self::Filename, Self::Caption, Self::Reference];

    /// The item's member.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Data => "data",
            Self::Filename => "filename",
            Self::Caption => "caption",
            Self::Reference => "reference",
        }
    }
}

/// The column that a person gives a role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ColumnChoice {
    /// The column with this name, or else with these letters.
    Named(String),
    /// The column at this position, from 0.
    At(u32),
    /// None.
    Nothing,
    /// The one that its name tells, also where names tell nothing else.
    Recognised,
    /// None: every row has this text, as the value of a kind's field.
    Typed(String),
}

/// The first number of dates such as `01/02/2026`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateOrder {
    /// 1 February.
    DayFirst,
    /// January 2.
    MonthFirst,
}

impl DateOrder {
    /// The number in words.
    pub(crate) fn first(self) -> &'static str {
        match self {
            Self::DayFirst => "day",
            Self::MonthFirst => "month",
        }
    }
}

/// The country of telephone numbers without their country's code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountryChoice {
    /// This one, for all rows.
    All(CallingCode),
    /// That of each row, by the column of countries.
    OfRow,
}

/// The thing that a code takes of a cell that is a link whose text is not its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkChoice {
    /// The text that the cell shows.
    Text,
    /// The address that the link leads to.
    Address,
}
