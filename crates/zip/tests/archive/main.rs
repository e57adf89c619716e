//! Archives of segments and central directories, judged from outside.

#![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

mod corrupt_index;
mod failed_entry;
mod layout;
mod readers;
mod segmentation;
mod support;
mod tools;
mod zip64;
