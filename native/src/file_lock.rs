//! Locks of files by `flock`, which Node lacks. The system ends a lock with the process that holds it, whatever ends the
//! process, and processes of all PID namespaces see it.

use std::fs::{OpenOptions, TryLockError};
use std::os::fd::IntoRawFd;

use napi::Error;
use napi_derive::napi;

use crate::error::Result;

/// Locks a file, which is made if it is absent. Returns its descriptor, which holds the lock until it is closed; none when
/// another descriptor holds a lock that excludes this one. Child processes do not inherit the descriptor.
///
/// Throws `io`.
#[napi(catch_unwind)]
pub fn lock_file(path: String, is_shared: bool) -> Result<Option<i32>> {
    let failed = |error: std::io::Error| Error::new("io", format!("cannot lock {path}: {error}"));
    // Network file systems lock only files that are open for writing.
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(&path).map_err(failed)?;
    let locked = if is_shared { file.try_lock_shared() } else { file.try_lock() };
    match locked {
        Ok(()) => Ok(Some(file.into_raw_fd())),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(failed(error)),
    }
}
