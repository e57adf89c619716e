//! The confinement of the engine's process: no network, no other program, and no files but those that it was given.
//!
//! The supervisor has the system's loader load this addon before Node starts, so that no thread exists yet and all
//! threads inherit the confinement. Nothing that the process reads later can lift it.

use std::sync::OnceLock;

/// The environment variable that asks for the confinement: a path on each line, behind `r` for reading or `w` for
/// reading and writing.
const PATHS: &str = "QRPRESS_ENGINE_PATHS";

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
    use landlock::{
        ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError,
        RulesetStatus, Scope, path_beneath_rules,
    };
    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter};

    /// The newest features that are asked for. An older kernel gives those that it has.
    const FEATURES: ABI = ABI::V6;

    /// System calls that the engine never makes: connections, `io_uring` as another way to them, other programs, and
    /// the memory of other processes.
    const REFUSED: [libc::c_long; 17] = [
        libc::SYS_socket,
        libc::SYS_socketpair,
        libc::SYS_connect,
        libc::SYS_bind,
        libc::SYS_listen,
        libc::SYS_accept,
        libc::SYS_accept4,
        libc::SYS_io_uring_setup,
        libc::SYS_execve,
        libc::SYS_execveat,
        libc::SYS_ptrace,
        libc::SYS_process_vm_readv,
        libc::SYS_process_vm_writev,
        libc::SYS_pidfd_getfd,
        libc::SYS_unshare,
        libc::SYS_setns,
        libc::SYS_bpf,
    ];

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
        refuse().is_ok()
    }

    fn refuse() -> Result<(), seccompiler::Error> {
        let rules = REFUSED.into_iter().map(|call| (call, Vec::new())).collect();
        let refused = SeccompAction::Errno(libc::EPERM.unsigned_abs());
        let filter =
            SeccompFilter::new(rules, SeccompAction::Allow, refused, std::env::consts::ARCH.try_into()?)?;
        apply_filter(&BpfProgram::try_from(filter)?)
    }
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
