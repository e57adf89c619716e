//! The fonts of the process: read once, shared by all its threads.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use napi::Error;
use napi_derive::napi;
use qrpress_batch::FontSet;

use crate::error::{Result, guard};

/// The folders that were opened, and what came of it.
type Opened = (Vec<PathBuf>, std::result::Result<Arc<FontSet>, String>);

static FONTS: Mutex<Option<Opened>> = Mutex::new(None);

/// Reads the fonts of `folders`, in that order, for all threads of the process; costs nothing where another thread has
/// done so. Where it fails, every call that needs fonts throws `fonts` and says why.
#[napi(catch_unwind)]
pub fn open_fonts(folders: Vec<String>) {
    let folders: Vec<_> = folders.into_iter().map(PathBuf::from).collect();
    let mut opened = FONTS.lock().unwrap_or_else(PoisonError::into_inner);
    if opened.as_ref().is_none_or(|(open, _)| *open != folders) {
        let outcome = guard(|| Ok(FontSet::open(&folders))).map_err(|error| error.reason.clone());
        let fonts = outcome.and_then(|fonts| fonts.map_err(|error| error.to_string()));
        *opened = Some((folders, fonts.map(Arc::new)));
    }
}

/// The fonts, for a call.
pub fn fonts() -> Result<Arc<FontSet>> {
    let opened = FONTS.lock().unwrap_or_else(PoisonError::into_inner);
    match opened.as_ref() {
        Some((_, Ok(fonts))) => Ok(Arc::clone(fonts)),
        Some((_, Err(reason))) => Err(Error::new("fonts", reason.clone())),
        None => Err(Error::new("fonts", "the fonts were not opened".to_owned())),
    }
}
