//! The calls that draw a job's codes on sheets of labels, as a PDF file in parts.

use std::ops::Range;
use std::path::Path;

use napi_derive::napi;
use qrpress_labels::{LabelError, Labels, PartFiles, STEPS, Sheet, SpoolChunk};

use crate::chunk_range::ChunkRange;
use crate::error::{Coded, Result, guard_coded};
use crate::fonts::fonts;
use crate::number::{from_js, to_js};

impl Coded for LabelError {
    fn code(&self) -> &'static str {
        self.code()
    }
}

/// A page with labels in columns and rows, in micrometres.
#[napi(object, object_to_js = false)]
pub struct SheetOfLabels {
    /// Width of the page.
    pub page_width_um: u32,
    /// Height of the page.
    pub page_height_um: u32,
    /// Width of a label.
    pub label_width_um: u32,
    /// Height of a label.
    pub label_height_um: u32,
    /// Labels beside one another.
    pub columns: u32,
    /// Labels below one another.
    pub rows: u32,
    /// From the left edge of the page to the first label.
    pub left_um: u32,
    /// From the top edge of the page to the first label.
    pub top_um: u32,
    /// Between two labels beside one another.
    pub gap_x_um: u32,
    /// Between two labels below one another.
    pub gap_y_um: u32,
}

/// The place of captions.
#[napi(string_enum = "lowercase")]
pub enum CaptionPlace {
    /// Below the code.
    Below,
    /// On the right of the code.
    Beside,
    /// Captions are left out.
    None,
}

/// The labels of some items of a job.
#[napi(object, object_to_js = false)]
pub struct LabelLayout {
    /// The sheets.
    pub sheet: SheetOfLabels,
    /// Labels of the first sheet that are used up.
    pub used: u32,
    /// The items that get a label, in order.
    pub items: Vec<ItemRange>,
    /// The edge of every code without its quiet zone, in micrometres. Absent: as large as the label allows.
    pub size_um: Option<u32>,
    /// The place of captions.
    pub caption: CaptionPlace,
    /// The size of captions, in tenths of a point. Absent: one that suits their place.
    pub caption_size_tenths: Option<u32>,
    /// The largest step of a caption, where no sizes are given. Absent: the last.
    pub largest_step: Option<u32>,
    /// The edge that no code exceeds, in micrometres, where no size is given. Absent: each is as large as its label allows.
    pub largest_um: Option<u32>,
    /// Draws crosses at the corners of the labels.
    pub cut_marks: bool,
    /// Moves everything on the page to the right, in micrometres.
    pub shift_x_um: i32,
    /// Moves everything on the page down, in micrometres.
    pub shift_y_um: i32,
}

/// A chunk of items for labels.
#[napi(object, object_to_js = false)]
pub struct LabelChunk {
    /// The job's spool.
    pub spool_path: String,
    /// The chunk.
    pub range: ChunkRange,
}

/// Some items.
#[napi(object)]
pub struct ItemRange {
    /// Index of the first.
    pub first_item: i64,
    /// Index behind the last.
    pub end_item: i64,
}

/// Items of chunks that are measured on their labels.
#[napi(object, object_to_js = false)]
pub struct MeasureLabelsRequest {
    /// The labels of the items.
    pub layout: LabelLayout,
    /// Chunks in their order, which hold the items.
    pub chunks: Vec<LabelChunk>,
}

/// The items that have the least room on their labels.
#[napi(object)]
pub struct LabelFit {
    /// Index of the item with the narrowest modules.
    pub narrowest_item: i64,
    /// The width of its modules in nanometres.
    pub module_nm: i64,
    /// The width of its modules without its caption.
    pub bare_module_nm: i64,
    /// Modules of an edge of its symbol.
    pub modules: u32,
    /// Modules of each side of its quiet zone.
    pub quiet_zone_modules: u32,
    /// Index of the item whose label has room for the smallest code.
    pub tightest_item: i64,
    /// The edge of that code without its quiet zone, in micrometres.
    pub largest_edge_um: i64,
    /// Index of the first item whose code is the smallest of those that stand on their labels.
    pub smallest_item: i64,
    /// The edge of that code without its quiet zone, in micrometres. Absent: no code stands on its label.
    pub least_edge_um: Option<i64>,
    /// The edge of the largest of them. Absent with the other.
    pub most_edge_um: Option<i64>,
    /// The sides of symbols without their quiet zones and of texts on a label, of all items together.
    pub printed: Printed,
    /// The contrast of the codes on white paper, in hundredths.
    pub contrast_hundredths: u32,
    /// Index of the first item whose caption finds no room, if any.
    pub crowded_item: Option<i64>,
    /// The items that cannot stand on their labels.
    pub misfits: ItemList,
    /// The items whose caption has a line that ends inside a word.
    pub broken: ItemList,
    /// The captions whose size is not given by their step: how small letters are, and beside them the code, for the sake of whole words.
    pub captions: Vec<i64>,
}

/// The sides of symbols without their quiet zones and of texts on a label, in micrometres from its corner, rounded outwards.
#[napi(object)]
#[expect(clippy::struct_field_names, reason = "names end with their unit")]
pub struct Printed {
    /// The left side.
    pub left_um: i64,
    /// The top.
    pub top_um: i64,
    /// The right side.
    pub right_um: i64,
    /// The bottom.
    pub bottom_um: i64,
}

/// Some items: all of them are counted, and the first ranges are listed.
#[napi(object)]
pub struct ItemList {
    /// Number of items.
    pub count: i64,
    /// The first of them, 500 ranges at most.
    pub ranges: Vec<ItemRange>,
}

/// A part of the file.
#[napi(object, object_to_js = false)]
pub struct DrawLabelsRequest {
    /// The labels of the whole file.
    pub layout: LabelLayout,
    /// Chunks in their order, which hold the part's items.
    pub chunks: Vec<LabelChunk>,
    /// The part, from 0.
    pub part: i64,
    /// Length of the parts before it, in bytes.
    pub offset: i64,
    /// Path of the part to write. A file that exists is replaced.
    pub part_path: String,
    /// Path of the cross-reference table, the same for all parts of a file.
    pub entries_path: String,
}

/// The items of each part of the file.
///
/// Throws `invalid_argument` or `panic`.
#[napi(catch_unwind)]
pub fn plan_labels(layout: LabelLayout) -> Result<Vec<Vec<ItemRange>>> {
    let labels = to_labels(&layout)?;
    guard_coded(|| {
        labels.check()?;
        let ranges = |part| labels.items_in(part).into_iter().map(to_range).collect();
        Ok::<_, LabelError>((0..labels.parts()).map(ranges).collect())
    })
}

/// Measures items on their labels.
///
/// Throws `io`, `corrupt_spool`, `fonts`, `invalid_argument` or `panic`.
#[napi(catch_unwind)]
pub fn measure_labels(request: MeasureLabelsRequest) -> Result<LabelFit> {
    let (labels, chunks) = (to_labels(&request.layout)?, to_chunks(request.chunks)?);
    let fonts = fonts()?;
    let fit = guard_coded(|| qrpress_labels::measure(&labels, &chunks, &fonts))?;
    Ok(LabelFit {
        narrowest_item: to_js(fit.narrowest_item),
        module_nm: to_js(fit.module_nm),
        bare_module_nm: to_js(fit.bare_module_nm),
        modules: fit.modules,
        tightest_item: to_js(fit.tightest_item),
        largest_edge_um: to_js(fit.largest_edge_um),
        smallest_item: to_js(fit.smallest_item),
        least_edge_um: fit.edges_um.map(|[least, _]| to_js(least)),
        most_edge_um: fit.edges_um.map(|[_, most]| to_js(most)),
        printed: to_printed(fit.printed_nm),
        contrast_hundredths: fit.contrast_hundredths,
        crowded_item: fit.crowded_item.map(to_js),
        quiet_zone_modules: fit.quiet_zone_modules,
        misfits: to_list(fit.misfits),
        broken: to_list(fit.broken),
        captions: fit.captions.map(to_js).to_vec(),
    })
}

/// Labels on which a code does not fit are refused, and lie on their page: no side is outside it else.
fn to_printed([from, to]: [[i64; 2]; 2]) -> Printed {
    let [left_um, top_um] = from.map(|edge| edge.max(0).div_euclid(1000));
    let [right_um, bottom_um] = to.map(|edge| -(-edge.max(0)).div_euclid(1000));
    Printed { left_um, top_um, right_um, bottom_um }
}

fn to_list(list: qrpress_labels::ItemList) -> ItemList {
    ItemList { count: to_js(list.count), ranges: list.ranges.into_iter().map(to_range).collect() }
}

fn to_range(Range { start, end }: Range<u64>) -> ItemRange {
    ItemRange { first_item: to_js(start), end_item: to_js(end) }
}

/// Writes a part of the file. Returns its length in bytes. The parts are written in order; together they are the file.
///
/// Throws `io`, `corrupt_spool`, `fonts`, `too_long`, `invalid_argument` or `panic`; then the call can be repeated.
#[napi(catch_unwind)]
pub fn draw_labels(request: DrawLabelsRequest) -> Result<i64> {
    let (labels, chunks) = (to_labels(&request.layout)?, to_chunks(request.chunks)?);
    let (part, offset) = (from_js(request.part)?, from_js(request.offset)?);
    let files = PartFiles { part: Path::new(&request.part_path), entries: Path::new(&request.entries_path) };
    let fonts = fonts()?;
    let bytes = guard_coded(|| qrpress_labels::write_part(&labels, &chunks, part, offset, &files, &fonts))?;
    Ok(to_js(bytes))
}

fn to_labels(layout: &LabelLayout) -> Result<Labels> {
    let sheet = &layout.sheet;
    let range = |items: &ItemRange| Ok(from_js(items.first_item)?..from_js(items.end_item)?);
    Ok(Labels {
        sheet: Sheet {
            page_um: [sheet.page_width_um, sheet.page_height_um],
            label_um: [sheet.label_width_um, sheet.label_height_um],
            columns: sheet.columns,
            rows: sheet.rows,
            margin_um: [sheet.left_um, sheet.top_um],
            gap_um: [sheet.gap_x_um, sheet.gap_y_um],
        },
        used: layout.used.into(),
        items: layout.items.iter().map(range).collect::<Result<_>>()?,
        size_um: layout.size_um,
        caption: match layout.caption {
            CaptionPlace::Below => qrpress_labels::CaptionPlace::Below,
            CaptionPlace::Beside => qrpress_labels::CaptionPlace::Beside,
            CaptionPlace::None => qrpress_labels::CaptionPlace::Nowhere,
        },
        caption_size: layout.caption_size_tenths,
        largest_step: layout.largest_step.map_or(STEPS - 1, |step| step.min(STEPS - 1)),
        largest_um: layout.largest_um,
        has_cut_marks: layout.cut_marks,
        shift_um: [layout.shift_x_um, layout.shift_y_um],
    })
}

fn to_chunks(chunks: Vec<LabelChunk>) -> Result<Vec<SpoolChunk>> {
    let place = |LabelChunk { spool_path, range }| {
        Ok(SpoolChunk { path: spool_path.into(), chunk: range.try_into()? })
    };
    chunks.into_iter().map(place).collect()
}
