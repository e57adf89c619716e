//! Numbers in formats, held against two other readers of formats, npm `numfmt` and `ssf`.
//!
//! `test/spreadsheets/number-formats.js` writes the pairs. Where the three differ, the table of reasons says why.

use super::NumberFormat;
use crate::fault::Fault;

const PAIRS: &str = include_str!("../../../../test/spreadsheets/number-formats.ndjson");

/// A code and a number, and what `numfmt` and `ssf` show of them. Nothing where the package refuses the code.
type Pair = (String, f64, Option<String>, Option<String>);

struct Case {
    code: String,
    number: f64,
    ours: Result<String, Fault>,
    numfmt: Option<String>,
    ssf: Option<String>,
}

impl Case {
    fn of((code, number, numfmt, ssf): Pair) -> Self {
        let ours = NumberFormat::parse(&code).number(number, false);
        Self { code, number, ours, numfmt, ssf }
    }

    fn is(&self, shown: Option<&String>) -> bool {
        shown.is_some_and(|shown| self.ours.as_ref().is_ok_and(|ours| ours == shown.trim_matches(' ')))
    }
}

/// A reason for differences, the number of pairs that it is the first for, and the rule that finds them.
type Reason = (&'static str, usize, fn(&Case) -> bool);

const REASONS: [Reason; 7] = [
    ("A code needs all digits of a whole number; cells show a power of ten from 12 digits on.", 4, |case| {
        ["General", "@"].contains(&case.code.as_str()) && case.number >= 1e11 && case.number.fract() == 0.0
    }),
    ("A format that leaves digits of a long number out makes a wrong code.", 6, |case| {
        case.ours == Err(Fault::HiddenDigits)
    }),
    ("Programs disagree about dates before March 1900.", 81, |case| case.ours == Err(Fault::EarlyDate)),
    ("Programs disagree whether months behind seconds are minutes.", 22, |case| {
        case.ours == Err(Fault::UnknownFormat(case.code.clone()))
    }),
    ("Spaces at the edges of a cell are no text of a code.", 89, |case| {
        case.is(case.numfmt.as_ref()) && case.is(case.ssf.as_ref())
    }),
    (
        "numfmt shows numbers as in the country of a currency; Excel shows them as in the person's.",
        53,
        |case| case.code.contains("[$€-407]"),
    ),
    (
        "ssf rounds halves by their binary digits, keeps the sign of zeros, loses signs beside conditions and literals, and \
         refuses or changes some codes; numfmt does as Excel does.",
        311,
        |case| case.is(case.numfmt.as_ref()),
    ),
];

#[test]
fn numbers_are_shown_as_other_readers_show_them_or_for_a_reason() {
    let (mut counts, mut pairs) = ([0; REASONS.len()], 0);
    for line in PAIRS.lines() {
        let case = Case::of(serde_json::from_str(line).unwrap());
        pairs += 1;
        let ours = case.ours.as_ref().ok();
        if ours.is_some() && ours == case.numfmt.as_ref() && ours == case.ssf.as_ref() {
            continue;
        }
        let Some(reason) = REASONS.iter().position(|(_, _, holds)| holds(&case)) else {
            panic!("{line}: {:?}", case.ours);
        };
        counts[reason] += 1;
    }
    assert_eq!((pairs, counts), (3_470, REASONS.map(|(_, count, _)| count)));
}
