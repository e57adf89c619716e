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
    /// The halves of a day: `AM` and `PM` in capitals however they are written, `A` and `P` as they are written.
    HalfDay([String; 2]),
}
