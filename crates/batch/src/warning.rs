//! Warnings: things in a job that its sender may not want. They go beside the answer, and are never a reason to refuse.

mod actions;
mod addresses;
mod broken_links;
mod bullets;
mod charset;
mod contacts;
mod coordinates;
mod counter;
mod digital_links;
mod duplicates;
mod group;
mod kind;
mod lines;
mod logo;
mod mail_addresses;
mod numbered;
mod phone_list;
mod phones;
mod spaces;
mod style;
mod suspicious;
mod titles;
mod unsure_numbers;
mod web_address;
mod within;

pub use actions::{ActionCount, CodeAction};
pub(crate) use counter::{Findings, WarningCounter};
pub use kind::{Warning, WarningCode};
pub use lines::{ChangedLines, LineChange, change_lines};
pub use logo::CutLogo;
pub(crate) use logo::letter;
