//! The kind of a file, by its content: names lie.

use std::fs::File;
use std::io::{BufReader, Read};

use memchr::memmem;

use crate::ReadRequest;
use crate::error::{Halt, SpreadsheetError};
use crate::fault::Fault;
use crate::text::{Encoding, encoding_of, is_utf16};
use crate::watch::Watch;

/// A kind of file that can be read.
#[derive(Debug)]
pub(crate) enum FileKind {
    /// CSV.
    Text(Encoding),
    /// A ZIP file, which may be an XLSX workbook.
    Xlsx,
}

/// Bytes that tell the kind.
const HEAD_BYTES: usize = 1024;

/// Finds what the file is.
pub(crate) fn kind_of(request: &ReadRequest<'_>, watch: &Watch<'_>) -> Result<FileKind, Halt> {
    let fail = SpreadsheetError::io(request.file);
    let mut file = File::open(request.file).map_err(&fail)?;
    let bytes = file.metadata().map_err(&fail)?.len();
    if bytes == 0 {
        return Err(Halt::refuse(Fault::EmptyFile));
    }
    if bytes > request.limits.max_bytes {
        return Err(Halt::refuse(Fault::LargeFile(request.limits.max_bytes / 1_000_000)));
    }
    let mut head = Vec::with_capacity(HEAD_BYTES);
    file.by_ref().take(HEAD_BYTES as u64).read_to_end(&mut head).map_err(&fail)?;
    let refuse = |what: &'static str| Err(Halt::refuse(Fault::OtherKind(what)));
    if head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06") {
        return Ok(FileKind::Xlsx);
    }
    if head.starts_with(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1") {
        let mut rest = head;
        BufReader::new(file).read_to_end(&mut rest).map_err(&fail)?;
        // The names of streams in a compound file are UTF-16.
        let has = |name: &str| {
            let name: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
            memmem::find(&rest, &name).is_some()
        };
        if has("EncryptedPackage") {
            return Err(Halt::refuse(Fault::Password));
        }
        // A workbook may have a document or a presentation within it.
        return refuse(match ["Workbook", "WordDocument", "PowerPoint Document"].map(has) {
            [false, true, _] => "a Word file of the old kind (.doc)",
            [false, _, true] => "a PowerPoint file of the old kind (.ppt)",
            _ => "an Excel file of the old kind (.xls)",
        });
    }
    if let Some(what) = other_kind(&head) {
        return refuse(what);
    }
    let start = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&head).trim_ascii_start();
    let begins =
        |word: &str| start.len() >= word.len() && start[..word.len()].eq_ignore_ascii_case(word.as_bytes());
    if begins("<svg") || (begins("<?xml") && memmem::find(start, b"<svg").is_some()) {
        return refuse("a picture");
    }
    if ["<?xml", "<html", "<!doctype", "<table", "<meta", "<div", "mime-version:"].into_iter().any(begins) {
        return refuse("a web page or XML");
    }
    if begins("begin:vcard") {
        return Err(Halt::refuse(Fault::VCards));
    }
    if begins("begin:vcalendar") {
        return Err(Halt::refuse(Fault::Calendar));
    }
    if is_binary(&head) {
        return refuse("neither text nor a workbook");
    }
    Ok(FileKind::Text(encoding_of(request.file, request.encoding, watch)?))
}

/// Another kind of file, by its first bytes.
fn other_kind(head: &[u8]) -> Option<&'static str> {
    if is_sylk(head) {
        return Some("a SYLK file");
    }
    // Text may begin with the two letters of a bitmap: four bytes of its header are reserved.
    let is_bitmap = head.starts_with(b"BM") && head.get(6..10) == Some(&[0; 4]);
    if is_bitmap || (head.starts_with(b"RIFF") && head.get(8..12) == Some(b"WEBP")) {
        return Some("a picture");
    }
    // The brand of a file of ISO/IEC 14496-12.
    if head.get(4..8) == Some(b"ftyp") && head[0] == 0 {
        let pictures: [&[u8]; 5] = [b"hei", b"hev", b"mif", b"msf", b"avi"];
        let is_picture = pictures.iter().any(|brand| head[8..].starts_with(brand));
        return Some(if is_picture { "a picture" } else { "a film or a sound" });
    }
    let known: [(&[u8], &'static str); 12] = [
        (b"%PDF", "a PDF"),
        (b"{\\rtf", "an RTF document"),
        (b"\x89PNG", "a picture"),
        (b"\xff\xd8\xff", "a picture"),
        (b"GIF87a", "a picture"),
        (b"GIF89a", "a picture"),
        (b"II*\0", "a picture"),
        (b"MM\0*", "a picture"),
        (b"\x1f\x8b", "compressed"),
        (b"7z\xbc\xaf", "compressed"),
        (b"TABLE\r\n0,1\r\n", "a DIF file"),
        (b"TABLE\n0,1\n", "a DIF file"),
    ];
    known.iter().find(|(magic, _)| head.starts_with(magic)).map(|&(_, what)| what)
}

/// True for bytes that no encoding of text has: a 0 and other control characters. A text may have a 0 by mistake, and UTF-16 has
/// many.
fn is_binary(head: &[u8]) -> bool {
    let is_control = |byte: &u8| matches!(byte, 1..=8 | 14..=31);
    let has_mark =
        head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") || head.starts_with(b"\0\0\xfe\xff");
    !has_mark && head.contains(&0) && head.iter().any(is_control) && !is_utf16(head)
}

/// Tells a SYLK file from CSV whose first columns are called `ID` and, say, `Price`: its second line is a record too, a type and
/// fields that begin with capitals.
fn is_sylk(head: &[u8]) -> bool {
    let mut lines = head.split(|byte| b"\r\n".contains(byte)).filter(|line| !line.is_empty());
    if !lines.next().is_some_and(|line| line.starts_with(b"ID;P")) {
        return false;
    }
    let mut fields = lines.next().unwrap_or_default().split(|&byte| byte == b';');
    let kind = fields.next().unwrap_or_default();
    let kinds: [&[u8]; 10] = [b"P", b"B", b"C", b"F", b"O", b"W", b"NN", b"NE", b"NU", b"NL"];
    let has_field = fields.next().is_some_and(|field| field.first().is_some_and(u8::is_ascii_uppercase));
    kind == b"E" || (kinds.contains(&kind) && has_field)
}
