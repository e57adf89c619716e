//! How a call fails: with an error whose member `code` is stable, and whose message is for the log.

use std::panic::{AssertUnwindSafe, catch_unwind};

use napi::Error;
use napi::bindgen_prelude::panic_to_error;
use qrpress_batch::BatchError;

/// What a call answers, or the `code` and message of what it throws. `#[napi]` knows it by its name.
pub type Result<T> = std::result::Result<T, Error<&'static str>>;

/// Runs the engine. A panic that reaches the export has the code `GenericFailure`, which Node's own failures share;
/// here it becomes `panic`.
pub fn guard<T>(call: impl FnOnce() -> std::result::Result<T, BatchError>) -> Result<T> {
    // The engine drops whatever a panic left half done.
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(answer) => answer.map_err(|error| Error::new(error.code(), error.to_string())),
        Err(payload) => Err(Error::new("panic", panic_to_error(payload).reason.clone())),
    }
}
