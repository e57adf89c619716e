/** Attempts of hostile input that has taken over the engine's process. */

import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EngineCrash, EngineSupervisor } from '../../src/engine/engine-supervisor.js';
import { sqlite } from '../support/databases.js';
import { startTestService } from '../support/service.js';
import { textOf } from './carried-text.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const PROGRAM = fileURLToPath(new URL('confined-process.js', import.meta.url));

/** The variables of a process that is confined: all that it has. */
const CONFINING = 'LD_PRELOAD,QRPRESS_ENGINE_LIMITS,QRPRESS_ENGINE_PATHS';

const STAND_IN = fileURLToPath(new URL('stand-in.js', import.meta.url));

/** The addon that makes any system call, and the headers that it is built with. */
const ADDON = fileURLToPath(new URL('system-call.c', import.meta.url));
const HEADERS = join(dirname(dirname(process.execPath)), 'include/node');
const canCall =
  process.platform === 'linux' &&
  process.arch === 'x64' &&
  existsSync(join(HEADERS, 'node_api.h')) &&
  spawnSync('cc', ['--version']).status === 0;

const folder = mkdtempSync('/var/tmp/qrpress-confinement-');
const [own, blobs] = [join(folder, 'own'), join(folder, 'blobs')];
const server = createServer((socket) => void socket.end());
let supervisor: EngineSupervisor;
beforeAll(async () => {
  for (const each of [own, blobs]) {
    mkdirSync(each);
    writeFileSync(join(each, 'file'), 'text');
  }
  writeFileSync(join(folder, 'secrets'), 'text');
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const folders = { readable: [dirname(PROGRAM), blobs], writable: [own] };
  supervisor = new EngineSupervisor({ threads: 1, chunkItems: 10, program: PROGRAM, folders });
});
afterAll(async () => {
  await supervisor.close();
  server.close();
  rmSync(folder, { recursive: true });
});

let built: string | undefined;

/** Path of the addon, which the first caller builds. */
function builtAddon(): string {
  if (built === undefined) {
    const path = join(own, 'system-call.node');
    const { stderr } = spawnSync('cc', ['-shared', '-fPIC', `-I${HEADERS}`, '-o', path, ADDON]);
    expect(stderr.toString()).toBe('');
    built = path;
  }
  return built;
}

const tried = async (trial: string, engine = supervisor) =>
  textOf(await engine.check({ bodyPath: trial, form: 'json', spoolPath: join(own, 'spool') }));
const port = () => (server.address() as { port: number }).port;

it.each([
  ['write', () => join(own, 'new'), 'done'],
  ['read', () => join(own, 'file'), 'done'],
  ['read', () => join(blobs, 'file'), 'done'],
  ['write', () => join(blobs, 'file'), 'EACCES'],
  ['read', () => join(folder, 'secrets'), 'EACCES'],
  ['readInThread', () => join(folder, 'secrets'), 'EACCES'],
  ['write', () => join(folder, 'new'), 'EACCES'],
  ['write', () => '/dev/shm/qrpress-test', 'EACCES'],
  ['read', () => '/etc/passwd', 'EACCES'],
  ['read', () => `/proc/${process.pid}/environ`, 'EACCES'],
  ['connect', () => String(port()), 'EPERM'],
  ['connectToFile', () => '/run/docker.sock', 'EPERM'],
  ['listen', () => '', 'EPERM'],
  ['datagram', () => String(port()), 'EPERM'],
  ['run', () => process.execPath, 'EPERM'],
  ['signal', () => String(process.pid), 'EPERM'],
  ['signalItself', () => '', 'done'],
  ['environment', () => '', CONFINING],
])('%s %o', async (trial, argument, outcome) => {
  expect(await tried(`${trial} ${argument()}`)).toBe(outcome);
});

/** Numbers of system calls on x86-64, and those of the x32 ABI. */
const [OPEN, IOCTL, SHMGET, SOCKET, CLONE, FORK, VFORK, KILL, FCNTL, TRUNCATE] = [
  2, 16, 29, 41, 56, 57, 58, 62, 72, 76,
];
const [CHMOD, FCHMOD, CHOWN, SETSID, UTIME, SETPRIORITY, SCHED_SETSCHEDULER] = [90, 91, 92, 112, 132, 141, 144];
const [SETXATTR, TKILL, SCHED_SETAFFINITY, TGKILL, KEYCTL, IOPRIO_SET, OPENAT] = [188, 200, 203, 234, 250, 251, 257];
const [FCHMODAT, UTIMENSAT, PERF_EVENT_OPEN, PRLIMIT, USERFAULTFD] = [268, 280, 298, 302, 323];
const [PIDFD_OPEN, CLONE3, FCHMODAT2, SETXATTRAT] = [434, 435, 452, 463];
const [TIOCSTI, TIOCLINUX, CLONE_VM] = [0x5412, 0x541c, 0x100];
const [X32, X32_EXECVE] = [0x4000_0000, 0x4000_0000 + 520];
const [O_TRUNC, F_SETOWN, FIOSETOWN, NO_SIGNAL] = [0o1000, 8, 0x8901, 9_999];

// Older kernels have no rule of Landlock for signals and truncation. The filter answers before the kernel looks at the
// arguments, which name no file and no signal: without it, the answer is another error.
it.skipIf(!canCall).each([
  ['EPERM', 'a socket of the x32 ABI', () => [X32 + SOCKET, 1, 1, 0]],
  ['EPERM', 'another program of the x32 ABI', () => [X32_EXECVE, '/bin/true', 0, 0]],
  ['EPERM', 'the limits of the supervisor', () => [PRLIMIT, process.pid, 7, 0, 0]],
  ['EPERM', 'the owner of a file', () => [FCNTL, 1, F_SETOWN, process.pid]],
  ['EPERM', 'the owner of a socket', () => [IOCTL, 1, FIOSETOWN, 0]],
  ['EPERM', 'a handle of the supervisor', () => [PIDFD_OPEN, process.pid, 0]],
  ['EPERM', 'a signal to the supervisor', () => [KILL, process.pid, NO_SIGNAL]],
  ['EPERM', 'a signal to the group', () => [KILL, 0, NO_SIGNAL]],
  ['EPERM', 'a signal to a thread', () => [TKILL, process.pid, NO_SIGNAL]],
  ['EPERM', 'a signal to a thread of the supervisor', () => [TGKILL, process.pid, process.pid, NO_SIGNAL]],
  ['EPERM', 'typing into a terminal', () => [IOCTL, 0, TIOCSTI, 'x']],
  ['EPERM', 'pasting into a console', () => [IOCTL, 0, TIOCLINUX, 'x']],
  ['EPERM', 'another process', () => [CLONE, 0, 0, 0, 0, 0]],
  ['EPERM', 'another process with its memory', () => [CLONE, CLONE_VM, 0, 0, 0, 0]],
  ['ENOSYS', 'clone3, in whose place threads use clone', () => [CLONE3, 0, 0]],
  ['EPERM', 'fork', () => [FORK]],
  ['EPERM', 'vfork', () => [VFORK]],
  ['EPERM', 'another session', () => [SETSID]],
  ['EPERM', 'the priority of the supervisor', () => [SETPRIORITY, 0, process.pid, 19]],
  ['EPERM', 'the scheduler of the supervisor', () => [SCHED_SETSCHEDULER, process.pid, 0, 0]],
  ['EPERM', 'the processors of the supervisor', () => [SCHED_SETAFFINITY, process.pid, 0, 0]],
  ['EPERM', "the supervisor's priority at the disk", () => [IOPRIO_SET, 1, process.pid, 0]],
  ['EPERM', 'modes', () => [CHMOD, join(folder, 'secrets'), 0]],
  ['EPERM', 'modes of an open file', () => [FCHMOD, 0, 0]],
  ['EPERM', 'modes in a folder', () => [FCHMODAT, -100, join(folder, 'secrets'), 0]],
  ['EPERM', 'modes, by the latest call', () => [FCHMODAT2, -100, join(folder, 'secrets'), 0, 0]],
  ['EPERM', 'owners', () => [CHOWN, join(folder, 'secrets'), -1, -1]],
  ['EPERM', 'times', () => [UTIME, join(folder, 'secrets'), 0]],
  ['EPERM', 'times in a folder', () => [UTIMENSAT, -100, join(folder, 'secrets'), 0, 0]],
  ['EPERM', 'attributes', () => [SETXATTR, join(folder, 'secrets'), 'user.a', 'b', 1, 0]],
  ['EPERM', 'attributes, by the latest call', () => [SETXATTRAT, -100, join(folder, 'secrets'), 0, 'user.a', 0, 0]],
  ['EPERM', 'memory that processes share', () => [SHMGET, 1, 4_096, 0]],
  ['EPERM', 'counters of the processor', () => [PERF_EVENT_OPEN, 0, 0, -1, -1, 0]],
  ['EPERM', "pages of memory on a program's own terms", () => [USERFAULTFD, 0]],
  ['EPERM', 'keys of the kernel', () => [KEYCTL, 0, -3, 0]],
  ['EPERM', 'higher limits', () => [PRLIMIT, 0, 7, 'a text', 0]],
  ['EPERM', 'truncate', () => [TRUNCATE, join(folder, 'missing'), 0]],
  ['EPERM', 'open for reading that truncates', () => [OPEN, join(folder, 'missing'), O_TRUNC]],
  ['EPERM', 'openat for reading that truncates', () => [OPENAT, -100, join(folder, 'missing'), O_TRUNC]],
  ['done', 'its own limits', () => [PRLIMIT, 0, 7, 0, 0]],
])('the filter of system calls answers %s for %s', async (outcome, _subject, call) => {
  expect(await tried(`call ${JSON.stringify([builtAddon(), ...call()])}`)).toBe(outcome);
});

it('holds in the service, whose log says nothing of it', async () => {
  const service = await startTestService(sqlite);
  await service.submit({ items: [{ data: 'a' }] });
  expect(service.log.join('')).not.toContain('confine');
  await service.close();
});

it('is given up for a system on which no confined process starts, also after a crash', async () => {
  const crashes: EngineCrash[] = [];
  // The program is in no folder that the process may read.
  const folders = { readable: [], writable: [own] };
  const onCrash = (crash: EngineCrash) => void crashes.push(crash);
  const other = new EngineSupervisor({ threads: 1, chunkItems: 10, program: PROGRAM, folders, onCrash });
  expect(await tried('environment', other)).toBe('');
  expect(crashes).toHaveLength(2);
  await expect(tried('end', other)).rejects.toMatchObject({ code: 'crash' });
  expect(await tried('environment', other)).toBe('');
  await other.close();
});

it.skipIf(process.platform !== 'linux')('preloads the addon that is loaded, of several that are installed', () => {
  const modules = join(folder, 'node_modules');
  const [installed, confinement] = [join(modules, 'qrpress'), join('dist', 'engine', 'confinement.js')];
  for (const each of ['package.json', 'dist/engine/addon.js', 'dist/engine/in-process.js', confinement]) {
    mkdirSync(dirname(join(installed, each)), { recursive: true });
    copyFileSync(join(ROOT, each), join(installed, each));
  }
  const ours = readdirSync(join(ROOT, 'native')).find((name) => name.endsWith('.node')) as string;
  for (const name of [ours, 'qrpress.linux-another-musl.node']) {
    const addon = join(modules, name.replace(/^qrpress\.(.*)\.node$/, 'qrpress-$1'));
    mkdirSync(addon);
    copyFileSync(join(ROOT, 'native', ours), join(addon, name));
    writeFileSync(join(addon, 'package.json'), JSON.stringify({ main: name }));
  }
  const program = `
    import { confinedTo } from ${JSON.stringify(pathToFileURL(join(installed, confinement)))};
    process.stdout.write(String(confinedTo({ readable: [], writable: [] }, 1).LD_PRELOAD));
  `;
  const words = ['--input-type=module', '--eval', program];
  const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  expect([stdout, stderr]).toEqual([expect.stringMatching(new RegExp(`/qrpress-[^/]*/${ours}$`)), '']);
});

it('is kept for what killed a process, however often the next one does not start', async () => {
  const program = join(folder, 'program.mjs');
  writeFileSync(program, unsteadyProgram(join(own, 'starts')));
  const folders = { readable: [folder, dirname(STAND_IN)], writable: [own] };
  const other = new EngineSupervisor({ threads: 2, chunkItems: 10, program, folders });
  expect(await tried('', other)).toBe(CONFINING);
  await other.close();
});

/** A process that a task kills. For a task alone it has one thread: then it starts at the third attempt, and answers its environment. */
function unsteadyProgram(starts: string): string {
  return `
    import { appendFileSync, statSync } from 'node:fs';
    import { standIn } from ${JSON.stringify(STAND_IN)};
    const isAlone = process.argv[2] === '1';
    if (isAlone) {
      appendFileSync(${JSON.stringify(starts)}, '.');
      if (statSync(${JSON.stringify(starts)}).size < 3) process.exit(1);
    }
    const variables = Object.keys(process.env).toSorted().join();
    standIn(() => (isAlone ? variables : process.exit(1)));
  `;
}
