//! Bounds on what the engine's process takes, which it cannot raise again.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Open files: threads have a dozen each.
const FILES: u64 = 4_096;

/// Sets the bounds: those of `limits`, bytes of memory and of a file, where there are such, on open files, and no core dump, which
/// would hold bodies.
pub fn set(limits: &str) {
    let mut numbers = limits.split(' ').map(|number| number.parse().ok());
    let bounds = [
        (Resource::Data, numbers.next().flatten()),
        (Resource::Fsize, numbers.next().flatten()),
        (Resource::Nofile, Some(FILES)),
        (Resource::Core, Some(0)),
    ];
    for (resource, most) in bounds {
        let bound = match (most, getrlimit(resource).maximum) {
            (Some(most), Some(maximum)) => Some(most.min(maximum)),
            (most, maximum) => most.or(maximum),
        };
        // Node asks for the highest number of open files, which a filter would refuse: it has it already.
        let _ = setrlimit(resource, Rlimit { current: bound, maximum: bound });
    }
}
