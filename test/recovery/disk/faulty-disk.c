/*
 * A disk that fails on purpose, for LD_PRELOAD: it counts all that needs room below a folder (writes, new files, folders and
 * names), in all processes together, and refuses what comes after a number of them, or slows all of it down. Syncs can fail, or
 * take longer, by themselves.
 *
 * FAULTY_DISK is the folder, FAULTY_DISK_CONTROL a file that the test reads and writes, with six 64-bit numbers: the steps so far;
 * the first step that fails; its errno; the microseconds that each step takes longer; the syncs that still fail (EIO, once each,
 * as on Linux); the microseconds that each sync takes longer. A text follows: only syncs of paths that end with it fail. Behind it is
 * the number of such syncs that succeed first.
 * FAULTY_DISK_CONTROL.syncs gets a line for each sync: `synced` or `failed`, `main` or `other` thread, and the path.
 */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

struct control {
  uint64_t steps, first_failing, error, delay_us, failing_syncs, sync_delay_us;
  char failing_suffix[64];
  uint64_t sound_syncs;
};

static volatile struct control *control;
static const char *folder;
static int syncs = -1;

__attribute__((constructor)) static void open_control(void) {
  const char *path = getenv("FAULTY_DISK_CONTROL");
  folder = getenv("FAULTY_DISK");
  int fd = path && folder ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (fd < 0) return;
  void *mapped = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (mapped != MAP_FAILED) control = mapped;
  char log[4096];
  snprintf(log, sizeof log, "%s.syncs", path);
  syncs = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static int is_below(const char *path) { return strncmp(path, folder, strlen(folder)) == 0; }

/* Takes a step; true where it fails. */
static int fails(void) {
  if (control->delay_us > 0) usleep(control->delay_us);
  if (__sync_fetch_and_add(&control->steps, 1) < control->first_failing) return 0;
  errno = (int)control->error;
  return 1;
}

static int path_fails(const char *path) { return control && path[0] == '/' && is_below(path) && fails(); }

/* The path of a file below the folder; false for others. */
static int path_of(int fd, char *path, size_t bytes) {
  if (!control) return 0;
  char link[32];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, bytes - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return is_below(path);
}

static int file_fails(int fd) {
  char path[4096];
  return path_of(fd, path, sizeof path) && fails();
}

static int ends_with(const char *path, const char *suffix) {
  size_t length = strlen(path), end = strlen(suffix);
  return length >= end && strcmp(path + length - end, suffix) == 0;
}

static int sync_fails(const char *path) {
  if (!ends_with(path, (const char *)control->failing_suffix)) return 0;
  for (uint64_t left = control->sound_syncs; left > 0; left = control->sound_syncs)
    if (__sync_bool_compare_and_swap(&control->sound_syncs, left, left - 1)) return 0;
  for (uint64_t left = control->failing_syncs; left > 0; left = control->failing_syncs)
    if (__sync_bool_compare_and_swap(&control->failing_syncs, left, left - 1)) return 1;
  return 0;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define WRITE(type, name, parameters, arguments)        \
  type name parameters {                                \
    static __typeof__(&name) real;                      \
    if (!real) real = REAL(name);                       \
    return file_fails(fd) ? -1 : real arguments;        \
  }

WRITE(ssize_t, write, (int fd, const void *data, size_t bytes), (fd, data, bytes))
WRITE(ssize_t, pwrite, (int fd, const void *data, size_t bytes, off_t at), (fd, data, bytes, at))
WRITE(ssize_t, pwrite64, (int fd, const void *data, size_t bytes, off64_t at), (fd, data, bytes, at))
WRITE(ssize_t, writev, (int fd, const struct iovec *parts, int count), (fd, parts, count))
WRITE(ssize_t, pwritev, (int fd, const struct iovec *parts, int count, off_t at), (fd, parts, count, at))
WRITE(ssize_t, pwritev64, (int fd, const struct iovec *parts, int count, off64_t at), (fd, parts, count, at))

#define SYNC(name)                                                                                    \
  int name(int fd) {                                                                                  \
    char path[4096], line[4200];                                                                      \
    if (!path_of(fd, path, sizeof path)) return REAL(name)(fd);                                       \
    if (control->sync_delay_us > 0) usleep(control->sync_delay_us);                                   \
    int failed = sync_fails(path);                                                                    \
    const char *thread = gettid() == getpid() ? "main" : "other";                                     \
    int length = snprintf(line, sizeof line, "%s %s %s\n", failed ? "failed" : "synced", thread, path); \
    if (REAL(write)(syncs, line, length) != length) abort();                                          \
    if (!failed) return REAL(name)(fd);                                                               \
    errno = EIO;                                                                                      \
    return -1;                                                                                        \
  }

SYNC(fsync)
SYNC(fdatasync)

static int makes_file(const char *path, int flags) {
  return (flags & O_CREAT) && access(path, F_OK) != 0;
}

#define MODE(flags)                       \
  mode_t mode = 0;                        \
  if (flags & O_CREAT) {                  \
    va_list rest;                         \
    va_start(rest, flags);                \
    mode = va_arg(rest, mode_t);          \
    va_end(rest);                         \
  }

#define OPEN(name)                                              \
  int name(const char *path, int flags, ...) {                  \
    static int (*real)(const char *, int, ...);                 \
    if (!real) real = REAL(name);                               \
    MODE(flags)                                                 \
    return makes_file(path, flags) && path_fails(path) ? -1 : real(path, flags, mode); \
  }

OPEN(open)
OPEN(open64)

int mkdir(const char *path, mode_t mode) {
  return access(path, F_OK) != 0 && path_fails(path) ? -1 : REAL(mkdir)(path, mode);
}

int rename(const char *from, const char *to) { return path_fails(to) ? -1 : REAL(rename)(from, to); }

int link(const char *from, const char *to) { return path_fails(to) ? -1 : REAL(link)(from, to); }
