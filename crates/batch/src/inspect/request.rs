//! The order to inspect a body.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use qrpress_text::FontSet;

use crate::item::ItemLimits;
use crate::{Body, BodyForm, Names, SpoolHeader};

/// A body to inspect.
#[derive(Clone)]
pub struct InspectRequest<'a> {
    /// The body.
    pub body: Body<'a>,
    /// The body's form.
    pub form: BodyForm,
    /// The place of its items, from its envelope.
    pub items: Range<u64>,
    /// The limits that hold.
    pub limits: ItemLimits,
    /// The fonts that captions are drawn with.
    pub fonts: &'a Arc<FontSet>,
    /// The job's format and style. Without it only the rules of items are checked, and no spool is written.
    pub job: Option<&'a SpoolHeader>,
    /// The path of the spool. A file that is there is replaced, and removed when the body is refused. Without it the spool
    /// stays in memory.
    pub spool: Option<&'a Path>,
    /// Items of a chunk.
    pub chunk_items: u64,
    /// True if items with a fault are left out, and the others are a job. A line that is no item refuses the body all the same.
    pub skip_faulty: bool,
    /// The way in which names become unique.
    pub names: Names,
    /// The time that the inspection may take.
    pub time: Duration,
}

impl InspectRequest<'_> {
    /// True for an NDJSON body that was made of a person's list: its names are told apart.
    pub(super) fn is_list(&self) -> bool {
        self.form == BodyForm::Ndjson && self.names == Names::Distinct
    }
}
