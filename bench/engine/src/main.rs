//! The engine on one thread against other crates in the same run: the one timing harness of the crates.
//!
//! ```text
//! qrpress-bench                                       comparisons: symbols, pictures, captions, archives
//! qrpress-bench inspection [--items N] [folder …]     a body to a spool, stage by stage
//! qrpress-bench rendering [--items N] [folder …]      a spool to segments, stage by stage
//! ```
//!
//! Comparisons print a line of JSON for each contestant; `bench/engine.js` adds the peers of npm and makes the tables. The
//! stages write to folders, `/dev/shm` and the temporary folder unless others are named: pin them to a core by `taskset`.
#![forbid(unsafe_code)]
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run has nothing to recover")]

mod archives;
mod captions;
mod comparison;
mod first_images;
mod inspection;
mod logos;
mod peers;
mod rendering;
mod texts;
mod workloads;

use std::path::PathBuf;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let stages = match arguments.next().as_deref() {
        None => {
            workloads::symbols();
            workloads::pictures();
            first_images::first_images();
            captions::captions();
            archives::archives();
            return;
        }
        Some("inspection") => inspection::inspection,
        Some("rendering") => rendering::rendering,
        Some(other) => panic!("no benchmark is called {other}"),
    };
    let mut items = 1_000_000;
    let mut folders = Vec::new();
    while let Some(argument) = arguments.next() {
        if argument == "--items" {
            items = arguments.next().and_then(|number| number.parse().ok()).expect("--items takes a number");
        } else {
            folders.push(PathBuf::from(argument));
        }
    }
    if folders.is_empty() {
        folders = vec!["/dev/shm".into(), std::env::temp_dir()];
    }
    stages(items, &folders);
}
