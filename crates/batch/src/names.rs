//! The way of a job to unique names.

use crate::BodyForm;

/// The way in which names become unique.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// Every name has its item's index.
    Indexed,
    /// A name that is in use gets a number. The job is inspected on one thread.
    Distinct,
}

impl Names {
    /// The way of a request's body (section 2.3 of the specification).
    pub fn of_form(form: BodyForm) -> Self {
        match form {
            BodyForm::Json => Self::Distinct,
            BodyForm::Ndjson => Self::Indexed,
        }
    }
}
