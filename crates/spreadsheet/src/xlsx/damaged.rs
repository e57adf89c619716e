//! The refusal of a workbook that is damaged.

use crate::error::Halt;
use crate::fault::Fault;

/// The refusal of a file that breaks the rules of its format.
pub(crate) fn damaged() -> Halt {
    Halt::refuse(Fault::DamagedWorkbook)
}
