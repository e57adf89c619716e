//! The text of a CSV file: its encoding, and its characters block by block.

use std::fs::File;
use std::io::{BufReader, Read, Result, Seek, SeekFrom};
use std::path::Path;

use encoding_rs::{
    CoderResult, Decoder, ISO_8859_2, ISO_8859_15, MACINTOSH, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1250,
    WINDOWS_1252, WINDOWS_1254,
};
use memchr::memchr;

use crate::blocks::read_full;
use crate::bounds::ROW_BYTES;
use crate::central_europe::may_be_central_european;
use crate::encoded_twice::decoded_again;
use crate::error::{Halt, SpreadsheetError};
use crate::fault::Fault;
use crate::foreign::{
    MAC_OR_DOS, OTHER, foreign, has_names_of_1250, has_sharp_s_of_mac, is_undefined, may_be_1250,
    may_be_hungarian, may_be_mac,
};
use crate::latin_2::is_iso_8859_2;
use crate::problem::Problem;
use crate::turkish::may_be_turkish;
use crate::watch::Watch;

/// Bytes that are read at a time.
const BLOCK_BYTES: usize = 64 * 1024;

/// Bytes of a file that is no UTF-8 that tell its encoding.
const SAMPLE_BYTES: usize = 256 * 1024;

/// The encoding of characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// With a byte order mark, or without.
    Utf8 { mark: bool },
    /// With a byte order mark.
    Utf16Le,
    /// With a byte order mark.
    Utf16Be,
    /// The bytes are no UTF-8, or a person says so.
    Other(&'static encoding_rs::Encoding),
    /// The bytes are no UTF-8, and may be of another encoding than this.
    Doubtful(&'static encoding_rs::Encoding),
}

/// Finds the encoding, or refuses the file. The one that a person has `chosen` goes before what the bytes tell, but not before a
/// byte order mark.
///
/// A file that has more characters of UTF-8 than bytes that are none is damaged UTF-8: its characters are read as such,
/// and the damage shows as replacement characters, which the table refuses by place.
pub(crate) fn encoding_of(
    path: &Path,
    chosen: Option<&'static encoding_rs::Encoding>,
    watch: &Watch<'_>,
) -> std::result::Result<Encoding, Halt> {
    let fail = SpreadsheetError::io(path);
    let mut file = File::open(path).map_err(&fail)?;
    let mut buffer = vec![0; BLOCK_BYTES];
    let (mut kept, mut characters, mut strays) = (0, 0_u64, 0_u64);
    let mut mark = false;
    let mut first = true;
    let mut sample = Vec::new();
    let mut has_undefined = false;
    let mut offset = 0;
    loop {
        let read = read_full(&mut file, &mut buffer[kept..]).map_err(&fail)?;
        watch.count(read as u64)?;
        let end = kept + read;
        let block = &buffer[..end];
        if first {
            first = false;
            if block.starts_with(b"\xff\xfe\0\0") || block.starts_with(b"\0\0\xfe\xff") {
                return Err(Halt::refuse(Fault::Utf32));
            }
            if block.starts_with(b"\xff\xfe") {
                return Ok(Encoding::Utf16Le);
            }
            if block.starts_with(b"\xfe\xff") {
                return Ok(Encoding::Utf16Be);
            }
            mark = block.starts_with(b"\xef\xbb\xbf");
        }
        if let Some(zero) = memchr(0, block) {
            if is_utf16(block) {
                return Err(Halt::refuse(Fault::Utf16WithoutMark));
            }
            let row = row_at(path, offset + zero as u64).map_err(&fail)?;
            return Err(Halt::Refused(Problem::of_row(row, Fault::Nul)));
        }
        if !block.is_ascii() {
            has_undefined = has_undefined || block.iter().copied().any(is_undefined);
            if sample.len() < SAMPLE_BYTES {
                sample.extend_from_slice(block);
            }
        }
        let mut start = 0;
        kept = 0;
        while start < end {
            match str::from_utf8(&block[start..]) {
                Ok(text) => {
                    characters += lead_bytes(text.as_bytes());
                    start = end;
                }
                Err(error) => {
                    let valid = start + error.valid_up_to();
                    characters += lead_bytes(&block[start..valid]);
                    match error.error_len() {
                        Some(length) => {
                            strays += length as u64;
                            start = valid + length;
                        }
                        // Cut off by the end of the block, or of the file.
                        None if read > 0 => {
                            kept = end - valid;
                            start = end;
                        }
                        None => {
                            strays += (end - valid) as u64;
                            start = end;
                        }
                    }
                }
            }
        }
        if read == 0 {
            break;
        }
        offset += (end - kept) as u64;
        buffer.copy_within(end - kept..end, 0);
    }
    match chosen {
        Some(encoding) if encoding == UTF_8 => return Ok(Encoding::Utf8 { mark }),
        Some(encoding) if !mark => return Ok(Encoding::Other(encoding)),
        _ if mark || strays == 0 || characters >= strays => return Ok(Encoding::Utf8 { mark }),
        _ => {}
    }
    let found = foreign(&sample, has_undefined);
    let may_be_1250 = matches!(found, Some(MAC_OR_DOS | OTHER)) && may_be_1250(&sample);
    let has_names = || {
        (found.is_none() || may_be_1250 || found == Some(WINDOWS_1250.name())) && has_names_of_1250(&sample)
    };
    match found {
        _ if (may_be_1250 || has_names()) && is_iso_8859_2(&sample) => Ok(Encoding::Doubtful(ISO_8859_2)),
        _ if has_names() => Ok(Encoding::Other(WINDOWS_1250)),
        _ if may_be_1250 => Ok(Encoding::Doubtful(WINDOWS_1250)),
        None | Some(OTHER) if may_be_central_european(&sample) => Ok(Encoding::Doubtful(WINDOWS_1250)),
        None | Some(MAC_OR_DOS) if has_sharp_s_of_mac(&sample) => Ok(Encoding::Doubtful(MACINTOSH)),
        None if may_be_hungarian(&sample) => Ok(Encoding::Doubtful(WINDOWS_1250)),
        None if may_be_turkish(&sample) => Ok(Encoding::Doubtful(WINDOWS_1254)),
        None if may_be_mac(&sample) => Ok(Encoding::Doubtful(MACINTOSH)),
        Some(name) => encoding_rs::Encoding::for_label(name.as_bytes())
            .map(Encoding::Other)
            .ok_or_else(|| Halt::refuse(Fault::ForeignEncoding(name))),
        None if has_euro_of_latin_9(&sample) => Ok(Encoding::Other(ISO_8859_15)),
        None => Ok(Encoding::Other(WINDOWS_1252)),
    }
}

/// The euro of ISO-8859-15 stands beside no letter. Windows-1252 has `¤` there, which nobody writes, and characters where ISO-8859-15 has none.
fn has_euro_of_latin_9(bytes: &[u8]) -> bool {
    let is_alone = |around: &[u8]| {
        around[1] == 0xa4 && [around[0], around[2]].iter().all(|byte| !byte.is_ascii_alphabetic())
    };
    bytes.windows(3).any(is_alone) && !bytes.iter().any(|byte| (0x80..0xa0).contains(byte))
}

/// Returns true for a block of UTF-16. Most texts in it have characters of ASCII, of which every other byte is 0.
pub(crate) fn is_utf16(block: &[u8]) -> bool {
    let halves = [0, 1].map(|half| block.iter().skip(half).step_by(2).filter(|&&byte| byte == 0).count());
    halves.iter().any(|zeros| 4 * zeros > block.len()) && halves.contains(&0)
}

/// The row of a byte, from 1. Line ends between quotes are part of a cell.
fn row_at(path: &Path, offset: u64) -> Result<u64> {
    let (mut row, mut quoted, mut after_return) = (1, false, false);
    for byte in BufReader::new(File::open(path)?).take(offset).bytes() {
        let byte = byte?;
        match byte {
            b'"' => quoted = !quoted,
            b'\n' if after_return => {}
            b'\r' | b'\n' if !quoted => row += 1,
            _ => {}
        }
        after_return = byte == b'\r' && !quoted;
    }
    Ok(row)
}

/// Characters of more than a byte.
fn lead_bytes(text: &[u8]) -> u64 {
    text.iter().filter(|&&byte| byte >= 0xc0).count() as u64
}

/// The characters of a file.
pub(crate) struct TextReader {
    file: File,
    decoder: Decoder,
    buffer: Vec<u8>,
    ended: bool,
    /// Lines are UTF-8 that was encoded twice, where they can be.
    encoded_twice: bool,
    /// The beginning of a line that was encoded twice.
    line: String,
    /// Marks of the end at the end of what was read.
    marks: usize,
}

/// The end of a text file in CP/M and DOS. Some programs write it still.
const END_OF_FILE: char = '\u{1a}';

const LINE_ENDS: [char; 2] = ['\n', '\r'];

impl TextReader {
    /// Begins behind the byte order mark.
    pub fn open(path: &Path, encoding: Encoding, encoded_twice: bool) -> Result<Self> {
        let mut file = File::open(path)?;
        let (decoder, mark_bytes) = match encoding {
            Encoding::Utf8 { mark } => (UTF_8, if mark { 3 } else { 0 }),
            Encoding::Utf16Le => (UTF_16LE, 2),
            Encoding::Utf16Be => (UTF_16BE, 2),
            Encoding::Other(encoding) | Encoding::Doubtful(encoding) => (encoding, 0),
        };
        file.seek(SeekFrom::Start(mark_bytes))?;
        let decoder = decoder.new_decoder_without_bom_handling();
        let buffer = vec![0; BLOCK_BYTES];
        Ok(Self { file, decoder, buffer, ended: false, encoded_twice, line: String::new(), marks: 0 })
    }

    /// Appends the next characters to `text`; false where there are no more. Marks of the end are no text.
    pub fn read(&mut self, text: &mut String) -> Result<bool> {
        let start = text.len();
        text.extend(std::iter::repeat_n(END_OF_FILE, std::mem::take(&mut self.marks)));
        let more = self.read_block(text)?;
        if self.encoded_twice {
            self.decode_again(text, start, more);
        }
        let kept = text[start..].trim_end_matches(END_OF_FILE).len();
        self.marks = text.len() - start - kept;
        text.truncate(start + kept);
        Ok(more)
    }

    /// Decodes the lines from `start` on again, and keeps the last one until all of it is there.
    fn decode_again(&mut self, text: &mut String, start: usize, more: bool) {
        self.line.push_str(&text[start..]);
        text.truncate(start);
        let is_whole = !more || self.line.len() > ROW_BYTES;
        let end =
            if is_whole { self.line.len() } else { self.line.rfind(LINE_ENDS).map_or(0, |end| end + 1) };
        for line in self.line[..end].split_inclusive(LINE_ENDS) {
            text.push_str(decoded_again(line).as_deref().unwrap_or(line));
        }
        self.line.drain(..end);
    }

    fn read_block(&mut self, text: &mut String) -> Result<bool> {
        if self.ended {
            return Ok(false);
        }
        let count = read_full(&mut self.file, &mut self.buffer)?;
        self.ended = count < self.buffer.len();
        let mut source = &self.buffer[..count];
        loop {
            text.reserve(self.decoder.max_utf8_buffer_length(source.len()).unwrap_or(4 * BLOCK_BYTES));
            let (result, used, _) = self.decoder.decode_to_string(source, text, self.ended);
            source = &source[used..];
            if result == CoderResult::InputEmpty {
                return Ok(true);
            }
        }
    }
}
