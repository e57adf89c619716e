//! The engine on one thread against other crates in the same run. Prints one line of JSON for each contestant of a
//! workload; `bench/engine.js` adds the peers of npm and makes the tables.
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run has nothing to recover")]

mod contest;
mod logos;
mod peers;
mod plans;
mod texts;
mod workloads;

fn main() {
    workloads::symbols();
    workloads::pictures();
    plans::first_images();
}
