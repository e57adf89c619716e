//! The system calls that the engine's process is refused, as seccomp filters.

use seccompiler::{
    BpfProgram, Error, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, apply_filter, sock_filter,
};

/// System calls that the engine never makes.
const REFUSED: &[libc::c_long] = &[
    // Connections, and `io_uring` as another way to them.
    libc::SYS_socket,
    libc::SYS_socketpair,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
    libc::SYS_io_uring_setup,
    // Other programs and processes, another session, and higher limits.
    libc::SYS_execve,
    libc::SYS_execveat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_fork,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_vfork,
    libc::SYS_setsid,
    libc::SYS_setpgid,
    libc::SYS_setrlimit,
    // The memory, the handles, the priorities and the processors of other processes.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    PROCESS_MADVISE,
    PROCESS_MRELEASE,
    libc::SYS_kcmp,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_getfd,
    libc::SYS_setpriority,
    libc::SYS_ioprio_set,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setattr,
    libc::SYS_sched_setaffinity,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
    // Signals that name a thread or a process in a way that a filter cannot compare.
    libc::SYS_pidfd_send_signal,
    libc::SYS_tkill,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    // By these, Linux before 6.2 lets Landlock's rules be passed (a filter cannot read the flags of `openat2`).
    libc::SYS_truncate,
    libc::SYS_openat2,
    // Modes, owners, times and attributes of files, for which Landlock has no rule.
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    FCHMODAT2,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utime,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_futimesat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    SETXATTRAT,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    REMOVEXATTRAT,
    FILE_SETATTR,
    libc::SYS_flock,
    // System V IPC and message queues, which other processes share.
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_semctl,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    // Parts of the kernel that no engine needs and that had more holes than others.
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_bpf,
    libc::SYS_fanotify_init,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    MOUNT_SETATTR,
    libc::SYS_open_by_handle_at,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_kexec_load,
    libc::SYS_syslog,
    libc::SYS_acct,
    libc::SYS_quotactl,
];

/// Numbers that the `libc` crate lacks for some targets; they are the same on all of them.
const PROCESS_MADVISE: libc::c_long = 440;
const MOUNT_SETATTR: libc::c_long = 442;
const PROCESS_MRELEASE: libc::c_long = 448;
const FCHMODAT2: libc::c_long = 452;
const SETXATTRAT: libc::c_long = 463;
const REMOVEXATTRAT: libc::c_long = 466;
const FILE_SETATTR: libc::c_long = 469;

/// Requests of `ioctl` that the runtime makes to descriptors of its own: `TCGETS`, `TIOCGWINSZ`, `FIONREAD`, `FIONBIO`,
/// `FIONCLEX`, `FIOCLEX`. All others are refused, such as those that type into a terminal (`TIOCSTI`, `TIOCLINUX`) or have the
/// kernel signal another process (`FIOSETOWN`).
const REQUESTS: [u64; 6] = [0x5401, 0x5413, 0x541b, 0x5421, 0x5450, 0x5451];

/// The bit that marks system calls of the x32 ABI, which have the architecture of x86-64 and numbers of their own
/// (`__X32_SYSCALL_BIT`).
#[cfg(target_arch = "x86_64")]
const X32_BIT: u32 = 0x4000_0000;

/// `F_SETSIG` of `fcntl`, which chooses the signal that the owner of a file gets. The `libc` crate lacks it for some targets.
const F_SETSIG: u64 = 10;

/// `F_SETOWN_EX` of `fcntl`.
const F_SETOWN_EX: u64 = 15;

/// Refuses system calls from now on, in this process and all threads that it starts: with `EPERM`, and `clone3`, whose flags a
/// filter cannot read, with `ENOSYS`, whereupon the C library starts its threads by `clone`.
pub fn refuse() -> Result<(), Error> {
    apply_filter(&program(vec![(libc::SYS_clone3, Vec::new())], libc::ENOSYS)?)?;
    let mut rules: Vec<_> = REFUSED.iter().map(|&call| (call, Vec::new())).collect();
    rules.extend(with_arguments()?);
    rules.extend(truncating_opens()?);
    let program = program(rules, libc::EPERM)?;
    apply_filter(&[x32_calls(), program].concat())
}

fn program(rules: Vec<(libc::c_long, Vec<SeccompRule>)>, error: libc::c_int) -> Result<BpfProgram, Error> {
    let refused = SeccompAction::Errno(error.unsigned_abs());
    let arch = std::env::consts::ARCH.try_into()?;
    Ok(SeccompFilter::new(rules.into_iter().collect(), SeccompAction::Allow, refused, arch)?.try_into()?)
}

/// Calls that are refused for their arguments: those that act on another process, that make one, and that raise a limit.
fn with_arguments() -> Result<Vec<(libc::c_long, Vec<SeccompRule>)>, Error> {
    let this = u64::from(std::process::id());
    let another = SeccompRule::new(vec![if_argument(0, SeccompCmpOp::Ne, this)?])?;
    // Zero is the caller, as the C library asks for its own limits.
    let limits_of_another =
        vec![if_argument(0, SeccompCmpOp::Ne, this)?, if_argument(0, SeccompCmpOp::Ne, 0)?];
    let new_limits = SeccompCondition::new(2, SeccompCmpArgLen::Qword, SeccompCmpOp::Ne, 0)?;
    let is_thread = u64::from(libc::CLONE_THREAD.unsigned_abs());
    let process = if_argument(0, SeccompCmpOp::MaskedEq(is_thread), 0)?;
    let requests: Result<Vec<_>, _> =
        REQUESTS.into_iter().map(|request| if_argument(1, SeccompCmpOp::Ne, request)).collect();
    Ok(vec![
        (libc::SYS_clone, vec![SeccompRule::new(vec![process])?]),
        (libc::SYS_kill, vec![another.clone()]),
        (libc::SYS_tgkill, vec![another]),
        (
            libc::SYS_prlimit64,
            vec![SeccompRule::new(limits_of_another)?, SeccompRule::new(vec![new_limits])?],
        ),
        (libc::SYS_fcntl, any_of(1, [u64::from(libc::F_SETOWN.unsigned_abs()), F_SETSIG, F_SETOWN_EX])?),
        (libc::SYS_ioctl, vec![SeccompRule::new(requests?)?]),
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
