//! The file, part by part: objects whose numbers follow from the labels alone, so that a part needs nothing of those before it
//! but their length.
//!
//! | Number | Object |
//! |---|---|
//! | 1 | catalog |
//! | 2 | root of the page tree; a child for each part |
//! | 3, 4 | logo and its mask, where the job has one |
//! | 3 or 5 | cut marks, where they are drawn |
//! | then for each part | its node of the page tree, then a page and its content for each page |

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

use miniz_oxide::deflate::compress_to_vec_zlib;
use pdf_writer::{Chunk, Filter, Name, Rect, Ref, Settings};
use qrpress_batch::{FontSet, ResolvedStyle};

use crate::drawing::Drawing;
use crate::logo::write_image;
use crate::numbers::Points;
use crate::painter::Painter;
use crate::picture::style_on_labels;
use crate::source::{SpoolChunk, for_each_record, header};
use crate::{LabelError, Labels, Sheet};

/// The version, and a line of bytes that says that the file is not text (ISO 32000-1, clause 7.5.2).
const HEADER: &[u8] = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n";
/// An entry of the cross-reference table (clause 7.5.4).
const ENTRY_BYTES: u64 = 20;
/// The largest offset that an entry can say.
const MAX_OFFSET: u64 = 9_999_999_999;

const CATALOG: i32 = 1;
const PAGE_TREE: i32 = 2;
const FIRST_SHARED: i32 = 3;

/// Half the length of a cut mark, and its width.
const MARK_UM: u32 = 1_500;
const MARK_WIDTH_UM: u32 = 70;

/// The files that a part is written to.
#[derive(Clone, Copy, Debug)]
pub struct PartFiles<'a> {
    /// The part. A file that exists is replaced.
    pub part: &'a Path,
    /// Cross-reference entries of all parts so far. Entries from this part on are overwritten.
    pub entries: &'a Path,
}

/// Writes part number `part` of the file, which begins at `offset`, and returns its length. The parts in order are the file;
/// each is written after those before it. The chunks hold the part's items.
///
/// # Errors
/// [`LabelError`] when a file cannot be read or written, or the chunks do not hold the items. Then the part can be written
/// again.
pub fn write_part(
    labels: &Labels,
    chunks: &[SpoolChunk],
    part: u64,
    offset: u64,
    files: &PartFiles<'_>,
    fonts: &Arc<FontSet>,
) -> Result<u64, LabelError> {
    labels.check()?;
    let items = labels.items_in(part);
    let style = style_on_labels(&header(chunks, &items)?)?;
    let objects = Objects::new(labels, &style);
    let first = if part == 0 { 0 } else { objects.node(part) };
    let mut writer = ObjectWriter::create(files, first, offset)?;
    if part == 0 {
        write_head(labels, &objects, &style, &mut writer)?;
    }
    write_pages(labels, &objects, part, &style, chunks, &mut writer, fonts)?;
    if part + 1 == labels.parts() {
        writer.write_end(objects.count())?;
    }
    writer.finish().map(|end| end - offset)
}

/// The numbers of objects.
struct Objects<'a> {
    labels: &'a Labels,
    logo: Option<[i32; 2]>,
    marks: Option<i32>,
    /// The operators that draw the cut marks on a page.
    marks_operators: Vec<u8>,
    first_node: i32,
}

impl<'a> Objects<'a> {
    fn new(labels: &'a Labels, style: &ResolvedStyle) -> Self {
        let mut next = FIRST_SHARED;
        let mut take = |count: i32| {
            next += count;
            next - count
        };
        let logo = style.logo.is_some().then(|| take(2)).map(|image| [image, image + 1]);
        let marks = labels.has_cut_marks.then(|| take(1));
        Self { labels, logo, marks, marks_operators: shifted(b"/M Do\n", labels.shift_um), first_node: next }
    }

    /// The node of a part.
    fn node(&self, part: u64) -> i32 {
        self.first_node + (part * (1 + 2 * self.labels.pages_of_part())) as i32
    }

    /// A page; its content is the object behind it.
    fn page(&self, page: u64) -> i32 {
        let length = self.labels.pages_of_part();
        self.node(page / length) + 1 + 2 * (page % length) as i32
    }

    /// The number behind the last.
    fn count(&self) -> i32 {
        self.page(self.labels.pages() - 1) + 2
    }
}

fn write_head(
    labels: &Labels,
    objects: &Objects<'_>,
    style: &ResolvedStyle,
    writer: &mut ObjectWriter<'_>,
) -> Result<(), LabelError> {
    writer.write_entry("0000000000 65535 f \n")?;
    writer.write(HEADER)?;
    writer.write_object(|out| {
        let mut catalog = out.indirect(Ref::new(CATALOG)).dict();
        catalog.pair(Name(b"Type"), Name(b"Catalog")).pair(Name(b"Pages"), Ref::new(PAGE_TREE));
        // A page that is fitted to the paper does not meet the labels.
        catalog.insert(Name(b"ViewerPreferences")).dict().pair(Name(b"PrintScaling"), Name(b"None"));
    })?;
    writer.write_object(|out| {
        let mut tree = out.pages(Ref::new(PAGE_TREE));
        tree.kids((0..labels.parts()).map(|part| Ref::new(objects.node(part))));
        tree.count(labels.pages() as i32).media_box(page_box(&labels.sheet));
        let mut resources = tree.resources();
        let mut shared = resources.x_objects();
        if let Some([image, _]) = objects.logo {
            shared.pair(Name(b"L"), Ref::new(image));
        }
        if let Some(marks) = objects.marks {
            shared.pair(Name(b"M"), Ref::new(marks));
        }
    })?;
    if let (Some([image, mask]), Some(logo)) = (objects.logo, &style.logo) {
        let [image_object, mask_object] = write_image(&logo.logo, Ref::new(image), Ref::new(mask));
        writer.write_chunk(&image_object)?;
        writer.write_chunk(&mask_object)?;
    }
    if let Some(marks) = objects.marks {
        let content = compress_to_vec_zlib(&cut_marks(&labels.sheet), 6);
        writer.write_object(|out| {
            let mut form = out.form_xobject(Ref::new(marks), &content);
            form.filter(Filter::FlateDecode);
            form.bbox(page_box(&labels.sheet));
        })?;
    }
    Ok(())
}

fn write_pages(
    labels: &Labels,
    objects: &Objects<'_>,
    part: u64,
    style: &ResolvedStyle,
    chunks: &[SpoolChunk],
    writer: &mut ObjectWriter<'_>,
    fonts: &Arc<FontSet>,
) -> Result<(), LabelError> {
    let pages = labels.pages_in(part);
    let node = Ref::new(objects.node(part));
    writer.write_object(|out| {
        let mut tree = out.pages(node);
        tree.parent(Ref::new(PAGE_TREE)).count((pages.end - pages.start) as i32);
        tree.kids(pages.clone().map(|page| Ref::new(objects.page(page))));
    })?;
    let mut painter = Painter::new(labels, style, fonts);
    let mut operators = Vec::new();
    let mut page = Page { number: pages.start, drawing: Drawing::new(), objects, node };
    page.begin();
    let mut before = 0;
    for_each_record(chunks, &labels.items_in(part), |_, record| {
        let (number, label) = labels.place(part, before);
        before += 1;
        while page.number < number {
            page.end(writer)?;
        }
        operators.clear();
        painter.draw(label, record, &mut operators);
        page.drawing.push(&operators);
        Ok(())
    })?;
    page.end(writer)
}

/// The page that is drawn.
struct Page<'a> {
    number: u64,
    drawing: Drawing,
    objects: &'a Objects<'a>,
    node: Ref,
}

impl Page<'_> {
    fn begin(&mut self) {
        if self.objects.marks.is_some() {
            self.drawing.push(&self.objects.marks_operators);
        }
    }

    /// Writes the page, and begins the next one.
    fn end(&mut self, writer: &mut ObjectWriter<'_>) -> Result<(), LabelError> {
        let page = self.objects.page(self.number);
        let content = Ref::new(page + 1);
        writer.write_object(|out| {
            out.page(Ref::new(page)).parent(self.node).contents(content);
        })?;
        let compressed = self.drawing.finish();
        writer.write_object(|out| {
            out.stream(content, &compressed).filter(Filter::FlateDecode);
        })?;
        self.number += 1;
        self.begin();
        Ok(())
    }
}

/// The operators, with all that they draw moved to the right and down.
fn shifted(operators: &[u8], shift_um: [i32; 2]) -> Vec<u8> {
    if shift_um == [0; 2] {
        return operators.to_vec();
    }
    let [x, y] = shift_um.map(|shift| Points::from_um(shift.into()));
    let mut out = b"q\n1 0 0 1 ".to_vec();
    x.push(&mut out);
    y.negated().push(&mut out);
    out.extend_from_slice(b"cm\n");
    out.extend_from_slice(operators);
    out.extend_from_slice(b"Q\n");
    out
}

/// The page, from its bottom left corner.
fn page_box(sheet: &Sheet) -> Rect {
    let [width, height] = sheet.page_um.map(|side| Points::from_um(side.into()).as_f32());
    Rect::new(0.0, 0.0, width, height)
}

/// Crosses at the corners of all labels.
fn cut_marks(sheet: &Sheet) -> Vec<u8> {
    let mut out = b"0 0 0 1 K\n".to_vec();
    Points::from_um(MARK_WIDTH_UM.into()).push(&mut out);
    out.extend_from_slice(b"w\n");
    let height = Points::from_um(sheet.page_um[1].into());
    let mut line = |from: [u32; 2], to: [u32; 2]| {
        for ([x, y], operator) in [(from, b"m\n"), (to, b"l\n")] {
            Points::from_um(x.into()).push(&mut out);
            height.minus(Points::from_um(y.into())).push(&mut out);
            out.extend_from_slice(operator);
        }
    };
    let ends = |middle: u32, page: u32| [middle.saturating_sub(MARK_UM), (middle + MARK_UM).min(page)];
    let columns = sheet.edges_um(0);
    for y in sheet.edges_um(1) {
        for &x in &columns {
            let [left, right] = ends(x, sheet.page_um[0]);
            let [top, bottom] = ends(y, sheet.page_um[1]);
            line([left, y], [right, y]);
            line([x, top], [x, bottom]);
        }
    }
    out.extend_from_slice(b"S\n");
    out
}

/// Writes objects in the order of their numbers, and the entries of the cross-reference table beside them.
struct ObjectWriter<'a> {
    files: &'a PartFiles<'a>,
    part: BufWriter<File>,
    entries: BufWriter<File>,
    /// The place of the next byte in the file.
    offset: u64,
}

impl<'a> ObjectWriter<'a> {
    fn create(files: &'a PartFiles<'a>, first: i32, offset: u64) -> Result<Self, LabelError> {
        let part = File::create(files.part).map_err(LabelError::io(files.part))?;
        let fail = LabelError::io(files.entries);
        let mut options = OpenOptions::new();
        let mut entries =
            options.create(true).truncate(false).read(true).write(true).open(files.entries).map_err(&fail)?;
        let start = ENTRY_BYTES * u64::from(first.unsigned_abs());
        entries.set_len(start).and_then(|()| entries.seek(SeekFrom::Start(start))).map_err(&fail)?;
        Ok(Self { files, part: BufWriter::new(part), entries: BufWriter::new(entries), offset })
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), LabelError> {
        self.offset += bytes.len() as u64;
        self.part.write_all(bytes).map_err(LabelError::io(self.files.part))
    }

    fn write_entry(&mut self, entry: &str) -> Result<(), LabelError> {
        self.entries.write_all(entry.as_bytes()).map_err(LabelError::io(self.files.entries))
    }

    /// Writes the next object.
    fn write_object(&mut self, object: impl FnOnce(&mut Chunk)) -> Result<(), LabelError> {
        let mut chunk = Chunk::with_settings(Settings { pretty: false });
        object(&mut chunk);
        self.write_chunk(&chunk)
    }

    fn write_chunk(&mut self, object: &Chunk) -> Result<(), LabelError> {
        if self.offset > MAX_OFFSET {
            return Err(LabelError::TooLong);
        }
        self.write_entry(&format!("{:010} 00000 n \n", self.offset))?;
        self.write(object.as_bytes())
    }

    /// Writes the cross-reference table of that many objects, and the trailer.
    fn write_end(&mut self, count: i32) -> Result<(), LabelError> {
        let fail = LabelError::io(self.files.entries);
        let start = self.offset;
        self.write(format!("xref\n0 {count}\n").as_bytes())?;
        self.entries.flush().map_err(&fail)?;
        let mut entries = self.entries.get_ref().try_clone().map_err(&fail)?;
        entries.seek(SeekFrom::Start(0)).map_err(&fail)?;
        let bytes = ENTRY_BYTES * u64::from(count.unsigned_abs());
        self.offset += io::copy(&mut entries.take(bytes), &mut self.part).map_err(&fail)?;
        let trailer = format!("trailer\n<</Size {count}/Root {CATALOG} 0 R>>\nstartxref\n{start}\n%%EOF\n");
        self.write(trailer.as_bytes())
    }

    /// The place behind the part in the file.
    fn finish(mut self) -> Result<u64, LabelError> {
        self.part.flush().map_err(LabelError::io(self.files.part))?;
        self.entries.flush().map_err(LabelError::io(self.files.entries))?;
        Ok(self.offset)
    }
}
