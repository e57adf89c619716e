//! The refusal of a workbook that is damaged.

use crate::error::Halt;

/// The refusal of a file that breaks the rules of its format.
pub(crate) fn damaged() -> Halt {
    Halt::refuse("The workbook is damaged. Open it in a spreadsheet program, and save it again as XLSX.")
}
