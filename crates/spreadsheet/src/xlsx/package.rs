//! The parts of a workbook file: a ZIP archive whose claims are bounded before they are believed.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, Read, Seek};
use std::path::Path;

use memchr::memmem;
use zip::ZipArchive;
use zip::result::ZipError;

use super::damaged::damaged;
use super::xml::Xml;
use crate::blocks::read_full;
use crate::error::{Halt, SpreadsheetError};
use crate::fault::Fault;
use crate::watch::Watch;

/// Parts of an archive. A workbook has a few for each sheet and picture.
const PARTS: usize = 10_000;

/// Bytes of a part, decompressed: a full sheet of a million rows has about half.
const PART_BYTES: u64 = 1_000_000_000;

/// Bytes of a part that lists sheets, relations or formats: links of 66,000 cells, the most of a sheet, have about a tenth.
const LIST_BYTES: u64 = 100_000_000;

/// Nodes of such a part.
const LIST_NODES: u64 = 3_000_000;

/// Bytes and nodes of a part before the end of its first element's tag. A sheet may refer to a thousand such parts.
const START_BYTES: u64 = 100_000;
const START_NODES: u64 = 100;

/// Bytes of the part that tells the kind of an `OpenDocument` file.
const KIND_BYTES: u64 = 100;

/// An open workbook.
pub(crate) struct Package<'w> {
    watch: &'w Watch<'w>,
    archive: ZipArchive<BufReader<File>>,
    /// Positions in the archive by name, in lower case: names of parts differ by more than case (ECMA-376-2).
    parts: HashMap<String, usize>,
}

impl<'w> Package<'w> {
    /// Opens the archive, and refuses those of other programs.
    pub fn of_file(path: &Path, watch: &'w Watch<'w>) -> Result<Self, Halt> {
        let fail = SpreadsheetError::io(path);
        let mut file = File::open(path).map_err(&fail)?;
        // The entry count in the end record may be false; the number of header signatures bounds it.
        if signatures(&mut file).map_err(&fail)? > PARTS {
            return Err(Halt::refuse(Fault::ManyParts));
        }
        let mut archive = ZipArchive::new(BufReader::new(file)).map_err(|_| damaged())?;
        let mut parts = HashMap::new();
        for index in 0..archive.len() {
            let entry = archive.by_index_raw(index).map_err(|_| damaged())?;
            // Programs differ in which one of two they take.
            if parts.insert(name_of(&String::from_utf8_lossy(entry.name_raw())), index).is_some() {
                return Err(damaged());
            }
        }
        let mut package = Self { watch, archive, parts };
        package.refuse_others()?;
        Ok(package)
    }

    /// A part is there.
    pub fn has(&self, name: &str) -> bool {
        self.parts.contains_key(&name_of(name))
    }

    /// Opens a part that has to be there, and that lists a few things.
    pub fn open_list(&mut self, name: &str) -> Result<Xml<'w, impl Read + '_>, Halt> {
        self.open(name, LIST_BYTES, LIST_NODES)
    }

    /// Opens a part that has to be there, for its first element.
    pub fn open_start(&mut self, name: &str) -> Result<Xml<'w, impl Read + '_>, Halt> {
        self.open(name, START_BYTES, START_NODES)
    }

    /// Opens a part that has to be there, and has at most so many nodes.
    pub fn open_part(&mut self, name: &str, most_nodes: u64) -> Result<Xml<'w, impl Read + '_>, Halt> {
        self.open(name, PART_BYTES, most_nodes)
    }

    fn open(
        &mut self,
        name: &str,
        most_bytes: u64,
        most_nodes: u64,
    ) -> Result<Xml<'w, impl Read + '_>, Halt> {
        let &index = self.parts.get(&name_of(name)).ok_or_else(damaged)?;
        let entry = self.archive.by_index(index).map_err(|error| match error {
            ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) => Halt::refuse(Fault::Password),
            _ => damaged(),
        })?;
        Ok(Xml::new(BufReader::new(entry), self.watch, most_bytes, most_nodes))
    }

    fn refuse_others(&mut self) -> Result<(), Halt> {
        let refuse = |what: &'static str| Err(Halt::refuse(Fault::OtherKind(what)));
        if self.has("content.xml") && self.has("mimetype") {
            let mut kind = Vec::new();
            if let Ok(entry) = self.archive.by_name("mimetype") {
                // A kind that cannot be read is one that is not known.
                _ = entry.take(KIND_BYTES).read_to_end(&mut kind);
            }
            let is_sheet = memmem::find(&kind, b"spreadsheet").is_some();
            return refuse(if is_sheet {
                "an OpenDocument file (.ods)"
            } else {
                "an OpenDocument file, and no workbook"
            });
        }
        if self.has("Index.zip") || self.parts.keys().any(|name| name.starts_with("index/")) {
            return refuse("a Numbers file");
        }
        if self.has("xl/workbook.bin") {
            return refuse("a binary workbook (.xlsb)");
        }
        if self.has("word/document.xml") {
            return refuse("a Word document (.docx)");
        }
        if self.has("ppt/presentation.xml") {
            return refuse("a presentation (.pptx)");
        }
        if self.has("_rels/.rels") { Ok(()) } else { refuse("a ZIP archive, and no workbook") }
    }
}

fn name_of(name: &str) -> String {
    name.replace('\\', "/").trim_start_matches('/').to_lowercase()
}

/// Signatures of central directory headers, at most one more than may be.
fn signatures(file: &mut File) -> std::io::Result<usize> {
    const SIGNATURE: &[u8] = b"PK\x01\x02";
    let mut buffer = vec![0; 1 << 16];
    let (mut kept, mut count) = (0, 0);
    loop {
        let read = read_full(file, &mut buffer[kept..])?;
        if read == 0 || count > PARTS {
            break;
        }
        let end = kept + read;
        count += memmem::find_iter(&buffer[..end], SIGNATURE).count();
        kept = end.min(SIGNATURE.len() - 1);
        buffer.copy_within(end - kept..end, 0);
    }
    file.rewind()?;
    Ok(count)
}
