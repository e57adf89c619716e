//! The system calls that the engine's process is refused, as a seccomp filter.

use seccompiler::{
    BpfProgram, Error, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, apply_filter, sock_filter,
};

/// System calls that the engine never makes: connections, `io_uring` as another way to them, other programs, the memory of
/// other processes, signals that name a thread or a process in a way that a filter cannot compare, and those by which
/// Linux before 6.2 lets Landlock's rules be passed (`truncate`; `openat2`, whose flags a filter cannot read).
const REFUSED: [libc::c_long; 25] = [
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
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_getfd,
    libc::SYS_pidfd_send_signal,
    libc::SYS_tkill,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_truncate,
    libc::SYS_openat2,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_bpf,
    libc::SYS_kcmp,
];

/// The bit that marks system calls of the x32 ABI, which have the architecture of x86-64 and numbers of their own
/// (`__X32_SYSCALL_BIT`).
#[cfg(target_arch = "x86_64")]
const X32_BIT: u32 = 0x4000_0000;

/// `F_SETSIG` of `fcntl`, which chooses the signal that the owner of a file gets. The `libc` crate lacks it for some targets.
const F_SETSIG: u64 = 10;

/// `F_SETOWN_EX` of `fcntl`.
const F_SETOWN_EX: u64 = 15;

/// `FIOSETOWN` and `SIOCSPGRP` of `ioctl`: `F_SETOWN` for sockets, such as the one to the supervisor.
const SET_OWNER: [u64; 2] = [0x8901, 0x8902];

/// Refuses system calls with `EPERM` from now on, in this process and all threads that it starts.
pub fn refuse() -> Result<(), Error> {
    apply_filter(&program()?)
}

fn program() -> Result<BpfProgram, Error> {
    let mut rules: Vec<_> = REFUSED.into_iter().map(|call| (call, Vec::new())).collect();
    rules.extend(beyond_this_process()?);
    rules.extend(truncating_opens()?);
    let refused = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    let filter = SeccompFilter::new(
        rules.into_iter().collect(),
        SeccompAction::Allow,
        refused,
        std::env::consts::ARCH.try_into()?,
    )?;
    Ok([x32_calls(), BpfProgram::try_from(filter)?].concat())
}

/// Calls that act on a process, where it is not this one: signals, limits, and signals that a file sends to its owner.
fn beyond_this_process() -> Result<Vec<(libc::c_long, Vec<SeccompRule>)>, Error> {
    let this = u64::from(std::process::id());
    let another = [if_argument(0, SeccompCmpOp::Ne, this)?];
    // Zero is the caller, as the C library asks for its own limits.
    let limited = [another.clone(), [if_argument(0, SeccompCmpOp::Ne, 0)?]].concat();
    Ok(vec![
        (libc::SYS_kill, vec![SeccompRule::new(another.to_vec())?]),
        (libc::SYS_tgkill, vec![SeccompRule::new(another.to_vec())?]),
        (libc::SYS_prlimit64, vec![SeccompRule::new(limited)?]),
        (libc::SYS_fcntl, any_of(1, [u64::from(libc::F_SETOWN.unsigned_abs()), F_SETSIG, F_SETOWN_EX])?),
        (libc::SYS_ioctl, any_of(1, SET_OWNER)?),
    ])
}

/// Opens that truncate a file without opening it for writing: before Linux 6.2, Landlock takes them for reads.
fn truncating_opens() -> Result<Vec<(libc::c_long, Vec<SeccompRule>)>, Error> {
    let truncating = |flags: u8| {
        let mask = u64::from((libc::O_TRUNC | libc::O_ACCMODE).unsigned_abs());
        // Access mode 3 asks for neither reading nor writing.
        [libc::O_RDONLY, libc::O_ACCMODE]
            .map(|mode| u64::from((libc::O_TRUNC | mode).unsigned_abs()))
            .into_iter()
            .map(|value| {
                SeccompRule::new(vec![if_argument(flags, SeccompCmpOp::MaskedEq(mask), value)?])
                    .map_err(Error::from)
            })
            .collect::<Result<Vec<_>, Error>>()
    };
    Ok(vec![
        (libc::SYS_openat, truncating(2)?),
        #[cfg(target_arch = "x86_64")]
        (libc::SYS_open, truncating(1)?),
    ])
}

/// Rules that match a call whose argument is one of `values`.
fn any_of<const N: usize>(argument: u8, values: [u64; N]) -> Result<Vec<SeccompRule>, Error> {
    values
        .into_iter()
        .map(|value| Ok(SeccompRule::new(vec![if_argument(argument, SeccompCmpOp::Eq, value)?])?))
        .collect()
}

/// A condition on the low 32 bits of an argument, which is an `int`.
fn if_argument(argument: u8, operator: SeccompCmpOp, value: u64) -> Result<SeccompCondition, Error> {
    Ok(SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value)?)
}

/// The beginning of the program: refuses every call of the x32 ABI.
#[cfg(target_arch = "x86_64")]
fn x32_calls() -> BpfProgram {
    let [load, jump_if_not_below, return_value] = [0x20, 0x35, 0x06];
    let refuse = libc::SECCOMP_RET_ERRNO | libc::EPERM.unsigned_abs();
    vec![
        // The number of the call is the first member of `seccomp_data`.
        sock_filter { code: load, jt: 0, jf: 0, k: 0 },
        sock_filter { code: jump_if_not_below, jt: 0, jf: 1, k: X32_BIT },
        sock_filter { code: return_value, jt: 0, jf: 0, k: refuse },
    ]
}

#[cfg(not(target_arch = "x86_64"))]
fn x32_calls() -> BpfProgram {
    Vec::new()
}
