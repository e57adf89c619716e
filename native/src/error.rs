//! The errors of calls: each has a stable member `code`, and a message for the log.

use std::panic::{AssertUnwindSafe, catch_unwind};

use napi::Error;
use napi::bindgen_prelude::panic_to_error;
use qrpress_batch::BatchError;
use qrpress_spreadsheet::SpreadsheetError;

/// The answer of a call, or the `code` and message of the error that it throws. `#[napi]` knows this type by its name.
pub type Result<T> = std::result::Result<T, Error<&'static str>>;

/// An error of a crate below, with the code by which it is known outside.
pub trait Coded: std::fmt::Display {
    /// The code.
    fn code(&self) -> &'static str;
}

impl Coded for BatchError {
    fn code(&self) -> &'static str {
        self.code()
    }
}

impl Coded for SpreadsheetError {
    fn code(&self) -> &'static str {
        self.code()
    }
}

/// Runs the engine. A panic that reaches the export has the code `GenericFailure`, which Node's own failures share;
/// here it becomes `panic`.
pub fn guard<T>(call: impl FnOnce() -> std::result::Result<T, BatchError>) -> Result<T> {
    guard_coded(call)
}

/// Runs a part of the engine that has errors of its own.
pub fn guard_coded<T, E: Coded>(call: impl FnOnce() -> std::result::Result<T, E>) -> Result<T> {
    // The engine drops whatever a panic left half done.
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(answer) => answer.map_err(|error| Error::new(error.code(), error.to_string())),
        Err(payload) => Err(Error::new("panic", panic_to_error(payload).reason.clone())),
    }
}
