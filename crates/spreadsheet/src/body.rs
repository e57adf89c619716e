//! The body of a job, line by line.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, ErrorKind, Write};
use std::path::PathBuf;

use crate::ReadRequest;
use crate::error::SpreadsheetError;

/// A writer of NDJSON whose lines stand where the rows of the sheet do.
pub(crate) struct Body {
    file: BufWriter<File>,
    path: PathBuf,
    /// Bytes written so far.
    pub bytes: u64,
    /// The next line, from 1.
    line: u64,
}

impl Body {
    /// Opens the file, and writes the job's meta object.
    pub fn open(request: &ReadRequest<'_>) -> Result<Self, SpreadsheetError> {
        let path = request.body.to_owned();
        // The caller deletes the file when nobody waits for it: it must not come back.
        let file = OpenOptions::new().write(true).truncate(true).open(&path).map_err(|error| {
            if error.kind() == ErrorKind::NotFound {
                SpreadsheetError::Cancelled
            } else {
                SpreadsheetError::io(&path)(error)
            }
        })?;
        let mut body = Self { file: BufWriter::with_capacity(1 << 18, file), path, bytes: 0, line: 1 };
        body.write(request.meta.as_bytes())?;
        body.end_line()?;
        Ok(body)
    }

    /// Writes empty lines up to this one.
    pub fn skip_to(&mut self, line: u64) -> Result<(), SpreadsheetError> {
        while self.line < line {
            self.end_line()?;
        }
        Ok(())
    }

    /// Writes an item of these members.
    pub fn item<'t>(
        &mut self,
        members: impl Iterator<Item = (&'static str, &'t str)>,
    ) -> Result<(), SpreadsheetError> {
        let mut separator = b"{";
        for (name, text) in members {
            self.write(separator)?;
            separator = b",";
            self.write(format!("\"{name}\":").as_bytes())?;
            self.write(&serde_json::to_vec(text).unwrap_or_default())?;
        }
        self.write(b"}")?;
        self.end_line()
    }

    /// Ends the file.
    pub fn flush(&mut self) -> Result<(), SpreadsheetError> {
        self.file.flush().map_err(SpreadsheetError::io(&self.path))
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), SpreadsheetError> {
        self.bytes += bytes.len() as u64;
        self.file.write_all(bytes).map_err(SpreadsheetError::io(&self.path))
    }

    fn end_line(&mut self) -> Result<(), SpreadsheetError> {
        self.line += 1;
        self.write(b"\n")
    }
}
