//! Folders that go with the test that made them.

use std::env;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of the next folder of this process.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// A new folder, which is deleted with all that is in it when this value is dropped.
#[derive(Debug)]
pub struct TempDir(PathBuf);

impl TempDir {
    /// A folder in the system's folder for such.
    #[expect(clippy::new_without_default, reason = "it makes a folder")]
    pub fn new() -> Self {
        Self::within(&env::temp_dir()).expect("the system's temporary folder takes folders")
    }

    /// A folder in another one.
    ///
    /// # Errors
    /// Those of the system, such as a parent that is absent or cannot be written to.
    pub fn within(parent: &Path) -> io::Result<Self> {
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = parent.join(format!("qrpress-{}-{number}", process::id()));
            match fs::create_dir(&path) {
                // Of a process that was killed and had the same id.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                made => return made.map(|()| Self(path)),
            }
        }
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        // A folder that stays harms no test.
        let _ = fs::remove_dir_all(&self.0);
    }
}
