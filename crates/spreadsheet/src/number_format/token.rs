//! The pieces of a section of a number format.

/// A piece of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    Literal(String),
    /// `0`, `#` or `?`.
    Digit(char),
    Point,
    Comma,
    Percent,
    /// `E+` shows every sign, `E-` that of negative exponents.
    Exponent {
        shows_plus: bool,
    },
    General,
    /// `@`.
    Text,
    /// A letter of `ymdhs`, so many times.
    Date(char, usize),
    /// `[h]`, `[m]` or `[s]`.
    Elapsed(char, usize),
    /// `AM/PM`, or `A/P`.
    AmPm {
        is_short: bool,
    },
}
