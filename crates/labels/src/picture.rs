//! The style of a job as it stands on labels.

use qrpress_batch::{ResolvedStyle, SpoolHeader};

use crate::LabelError;

/// The quiet zone of ISO/IEC 18004, clause 6.3.8, which a label never has less of.
const LEAST_QUIET_ZONE_MODULES: u32 = 4;

/// The style of a job on labels.
pub(crate) fn style_on_labels(job: &SpoolHeader) -> Result<ResolvedStyle, LabelError> {
    Ok(ResolvedStyle::new(job)?.with_least_quiet_zone(LEAST_QUIET_ZONE_MODULES))
}
