//! The confinement of the engine's process: no network, no other program, no other process, no files but those that it was
//! given, and bounds on memory and files.
//!
//! The supervisor has the system's loader load this addon before Node starts, so that no thread exists yet and all
//! threads inherit the confinement. Nothing that the process reads later can lift it.

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
mod limits;
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
mod system_calls;

use std::sync::OnceLock;

/// The environment variable that asks for the confinement: a path on each line, behind `r` for reading or `w` for
/// reading and writing.
const PATHS: &str = "QRPRESS_ENGINE_PATHS";

/// The environment variable with the bounds: bytes of memory, and of a file, with a space between.
const LIMITS: &str = "QRPRESS_ENGINE_LIMITS";

/// Resources that this process cannot reach: some of `network` and `files`. Empty without a confinement.
static CONFINED: OnceLock<Vec<&'static str>> = OnceLock::new();

/// Resources that this process cannot reach: some of `network` and `files`.
pub fn confinement() -> &'static [&'static str] {
    CONFINED.get().map_or(&[], Vec::as_slice)
}

#[napi_derive::module_init]
fn confine() {
    if let Ok(paths) = std::env::var(PATHS)
        && is_before_threads()
    {
        limits::set(&std::env::var(LIMITS).unwrap_or_default());
        let confined = [("files", linux::confine_files(&paths)), ("network", linux::confine_calls())];
        CONFINED
            .get_or_init(|| confined.into_iter().filter_map(|(name, holds)| holds.then_some(name)).collect());
    }
}

/// False when Node loads the addon itself: only the calling thread would be confined.
fn is_before_threads() -> bool {
    std::fs::read_dir("/proc/self/task").is_ok_and(|threads| threads.count() == 1)
}

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
mod linux {
    use super::system_calls;
    use landlock::{
        ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError,
        RulesetStatus, Scope, path_beneath_rules,
    };

    /// The newest features that are asked for. An older kernel gives those that it has.
    const FEATURES: ABI = ABI::V6;

    /// Keeps this process from files by Landlock. True when the kernel does so.
    pub fn confine_files(paths: &str) -> bool {
        restrict(paths).is_ok_and(|status| status != RulesetStatus::NotEnforced)
    }

    fn restrict(paths: &str) -> Result<RulesetStatus, RulesetError> {
        let read = AccessFs::ReadFile | AccessFs::ReadDir;
        let write =
            read | AccessFs::WriteFile | AccessFs::Truncate | AccessFs::MakeReg | AccessFs::RemoveFile;
        let ruleset = Ruleset::default()
            .handle_access(AccessFs::from_all(FEATURES))?
            .handle_access(AccessNet::from_all(FEATURES))?
            .scope(Scope::from_all(FEATURES))?
            .create()?
            .add_rules(path_beneath_rules(paths_of(paths, 'r'), read))?
            .add_rules(path_beneath_rules(paths_of(paths, 'w'), write))?;
        Ok(ruleset.restrict_self()?.ruleset)
    }

    fn paths_of(paths: &str, kind: char) -> impl Iterator<Item = &str> {
        paths.lines().filter_map(move |line| line.strip_prefix(kind))
    }

    /// Refuses system calls with `EPERM`. True when the kernel does so.
    pub fn confine_calls() -> bool {
        system_calls::refuse().is_ok()
    }
}

#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
mod limits {
    pub fn set(_: &str) {}
}

#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
mod linux {
    pub fn confine_files(_: &str) -> bool {
        false
    }

    pub fn confine_calls() -> bool {
        false
    }
}
