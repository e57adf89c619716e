//! XML as workbooks have it: elements and text, without entities and without depth.

use std::borrow::Cow;
use std::io::{self, BufRead, Read};

use quick_xml::XmlVersion;
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesEnd, BytesRef, BytesStart, BytesText, Event};
use quick_xml::reader::Reader;

use super::damaged::damaged;
use crate::error::Halt;
use crate::fault::Fault;
use crate::watch::Watch;

/// Bytes of a tag or of a piece of text: more than the 32,767 characters of a cell need, however they are escaped.
const PIECE_BYTES: u64 = 1_000_000;

/// Attributes of an element that are looked at. Programs write thirty at most.
const ATTRIBUTES: usize = 64;

/// Bytes of all tags and comments of a part: these, and so many for each node. The tags of a cell with a value are five nodes, and
/// programs write some fifty bytes of them.
const TAG_BYTES: u64 = 16_000_000;
const NODE_TAG_BYTES: u64 = 64;

/// Work of a node besides that of its bytes.
const NODE_WORK: u64 = 32;

/// Elements inside each other. A workbook has fewer than ten.
const DEPTH: usize = 64;

/// Something of a part.
pub(crate) enum Node<'a> {
    /// The start of an element.
    Start(Element<'a>),
    /// The end of an element.
    End(EndTag<'a>),
    /// Text between tags; there may be several pieces in a row.
    Text(Cow<'a, str>),
    /// A comment, or another thing without meaning.
    Nothing,
}

/// The start of an element.
pub(crate) struct Element<'a>(BytesStart<'a>);

impl Element<'_> {
    /// The name without its prefix.
    pub fn name(&self) -> &str {
        self.0.local_name().into_inner()
    }

    /// An attribute by its name without prefix.
    pub fn attribute(&self, name: &str) -> Option<Cow<'_, str>> {
        let mut attributes = self.0.attributes();
        attributes.with_checks(false);
        let mut attributes = attributes.take(ATTRIBUTES).flatten();
        let found = attributes.find(|attribute| attribute.key.local_name().into_inner() == name)?;
        found.normalized_value(XmlVersion::Implicit1_0).ok()
    }

    /// A flag: `1` or `true`.
    pub fn flag(&self, name: &str) -> bool {
        matches!(self.attribute(name).as_deref(), Some("1" | "true"))
    }
}

/// The end of an element.
pub(crate) struct EndTag<'a>(BytesEnd<'a>);

impl EndTag<'_> {
    /// The name without its prefix.
    pub fn name(&self) -> &str {
        self.0.local_name().into_inner()
    }
}

/// A reader of a part.
pub(crate) struct Xml<'w, R: Read> {
    watch: &'w Watch<'w>,
    reader: Reader<Bounded<io::BufReader<R>>>,
    buffer: Vec<u8>,
    depth: usize,
    nodes: u64,
    most_nodes: u64,
    /// Bytes of tags and comments so far.
    tag_bytes: u64,
}

impl<'w, R: Read> Xml<'w, R> {
    /// Reads at most `most_bytes`, and `most_nodes` of them.
    pub fn new(source: io::BufReader<R>, watch: &'w Watch<'w>, most_bytes: u64, most_nodes: u64) -> Self {
        let mut reader = Reader::from_reader(Bounded { source, piece: PIECE_BYTES, all: most_bytes });
        reader.config_mut().expand_empty_elements = true;
        Self { watch, reader, buffer: Vec::new(), depth: 0, nodes: 0, most_nodes, tag_bytes: 0 }
    }

    /// Allows so many nodes in all.
    pub fn allow(&mut self, most_nodes: u64) {
        self.most_nodes = most_nodes;
    }

    /// The next node; none at the end.
    pub fn next(&mut self) -> Result<Option<Node<'_>>, Halt> {
        self.nodes += 1;
        if self.nodes > self.most_nodes {
            return Err(too_large());
        }
        let source = self.reader.get_mut();
        self.watch.count(NODE_WORK + PIECE_BYTES - source.piece)?;
        source.piece = PIECE_BYTES;
        self.buffer.clear();
        let event = self.reader.read_event_into(&mut self.buffer).map_err(refusal)?;
        if !matches!(event, Event::Text(_) | Event::CData(_)) {
            self.tag_bytes += event.len() as u64;
            if self.tag_bytes > TAG_BYTES + NODE_TAG_BYTES * self.nodes {
                return Err(too_large());
            }
        }
        Ok(Some(match event {
            Event::Start(start) => {
                self.depth += 1;
                if self.depth > DEPTH {
                    return Err(damaged());
                }
                Node::Start(Element(start))
            }
            Event::End(end) => {
                self.depth -= 1;
                Node::End(EndTag(end))
            }
            Event::Text(text) => Node::Text(match text.into_inner() {
                Cow::Borrowed(text) => BytesText::from_escaped(text).xml10_content(),
                Cow::Owned(text) => Cow::Owned(BytesText::from_escaped(text).xml10_content().into_owned()),
            }),
            Event::CData(data) => Node::Text(Cow::Owned(data.xml10_content().into_owned())),
            Event::GeneralRef(reference) => Node::Text(Cow::Owned(resolved(&reference)?)),
            Event::Decl(declaration) => {
                let is_utf8 = match declaration.encoding() {
                    Some(Ok(name)) => ["utf-8", "utf8", "us-ascii"].contains(&name.to_lowercase().as_str()),
                    Some(Err(_)) => false,
                    None => true,
                };
                if !is_utf8 {
                    return Err(damaged());
                }
                Node::Nothing
            }
            Event::DocType(_) => {
                return Err(Halt::refuse(Fault::DocumentType));
            }
            Event::Eof if self.depth > 0 => return Err(damaged()),
            Event::Eof => return Ok(None),
            _ => Node::Nothing,
        }))
    }
}

/// The character of a reference: those of XML itself, and numbers.
fn resolved(reference: &BytesRef<'_>) -> Result<String, Halt> {
    if let Some(character) = reference.resolve_char_ref().map_err(|_| damaged())? {
        return Ok(character.to_string());
    }
    resolve_xml_entity(reference).map(str::to_owned).ok_or_else(damaged)
}

fn refusal(error: quick_xml::Error) -> Halt {
    match error {
        quick_xml::Error::Io(error) if error.kind() == io::ErrorKind::FileTooLarge => too_large(),
        _ => damaged(),
    }
}

/// The refusal of a part that is larger than it may be.
pub(super) fn too_large() -> Halt {
    Halt::refuse(Fault::LargePart)
}

/// A source that ends with an error behind a number of bytes.
struct Bounded<R> {
    source: R,
    /// Bytes that are left for the piece.
    piece: u64,
    /// Bytes that are left for the part.
    all: u64,
}

impl<R: BufRead> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Bounded<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let left = self.piece.min(self.all);
        let block = self.source.fill_buf()?;
        if left == 0 && !block.is_empty() {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        let most = usize::try_from(left).unwrap_or(usize::MAX).min(block.len());
        Ok(&block[..most])
    }

    fn consume(&mut self, count: usize) {
        self.source.consume(count);
        self.piece = self.piece.saturating_sub(count as u64);
        self.all = self.all.saturating_sub(count as u64);
    }
}
