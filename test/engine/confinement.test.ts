/** Attempts of hostile input that has taken over the engine's process. */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EngineCrash, EngineSupervisor } from '../../src/engine/engine-supervisor.js';
import { sqlite } from '../support/databases.js';
import { startTestService } from '../support/service.js';

const PROGRAM = fileURLToPath(new URL('confined-process.js', import.meta.url));

/** The addon that makes any system call, and the headers that it is built with. */
const ADDON = fileURLToPath(new URL('system-call.c', import.meta.url));
const HEADERS = join(dirname(dirname(process.execPath)), 'include/node');
const canCall =
  process.platform === 'linux' &&
  process.arch === 'x64' &&
  existsSync(join(HEADERS, 'node_api.h')) &&
  spawnSync('cc', ['--version']).status === 0;

/** Not in the temporary folder, which can be in `/dev/shm`: the engine may write there. */
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

const tried = (trial: string) => supervisor.check({ bodyPath: trial, form: 'json', spoolPath: join(own, 'spool') });
const port = () => (server.address() as { port: number }).port;

it.each([
  ['write', () => join(own, 'new'), 'done'],
  ['read', () => join(own, 'file'), 'done'],
  ['read', () => join(blobs, 'file'), 'done'],
  ['write', () => join(blobs, 'file'), 'EACCES'],
  ['read', () => join(folder, 'secrets'), 'EACCES'],
  ['readInThread', () => join(folder, 'secrets'), 'EACCES'],
  ['write', () => join(folder, 'new'), 'EACCES'],
  ['read', () => '/etc/passwd', 'EACCES'],
  ['read', () => `/proc/${process.pid}/environ`, 'EACCES'],
  ['connect', () => String(port()), 'EPERM'],
  ['connectToFile', () => '/run/docker.sock', 'EPERM'],
  ['listen', () => '', 'EPERM'],
  ['datagram', () => String(port()), 'EPERM'],
  ['run', () => process.execPath, 'EPERM'],
  ['signal', () => String(process.pid), 'EPERM'],
  ['signalItself', () => '', 'done'],
  ['environment', () => '', 'LD_PRELOAD,QRPRESS_ENGINE_PATHS'],
])('%s %o', async (trial, argument, outcome) => {
  expect(await tried(`${trial} ${argument()}`)).toBe(outcome);
});

/** Numbers of system calls on x86-64, and those of the x32 ABI. */
const [OPEN, IOCTL, SOCKET, KILL, FCNTL, TRUNCATE] = [2, 16, 41, 62, 72, 76];
const [TKILL, TGKILL, OPENAT, PRLIMIT, PIDFD_OPEN] = [200, 234, 257, 302, 434];
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
  ['EPERM', 'truncate', () => [TRUNCATE, join(folder, 'missing'), 0]],
  ['EPERM', 'open for reading that truncates', () => [OPEN, join(folder, 'missing'), O_TRUNC]],
  ['EPERM', 'openat for reading that truncates', () => [OPENAT, -100, join(folder, 'missing'), O_TRUNC]],
  ['done', 'its own limits', () => [PRLIMIT, 0, 7, 0, 0]],
])('the filter of system calls answers %s for %s', async (outcome, _subject, call) => {
  const addon = join(own, 'system-call.node');
  const built = spawnSync('cc', ['-shared', '-fPIC', `-I${HEADERS}`, '-o', addon, ADDON]);
  expect(built.stderr.toString()).toBe('');
  expect(await tried(`call ${JSON.stringify([addon, ...call()])}`)).toBe(outcome);
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
  const check = (trial: string) => other.check({ bodyPath: trial, form: 'json', spoolPath: join(own, 'spool') });
  expect(await check('environment')).toBe('');
  expect(crashes).toHaveLength(2);
  await expect(check('end')).rejects.toMatchObject({ code: 'crash' });
  expect(await check('environment')).toBe('');
  await other.close();
});

it('is kept for what killed a process, however often the next one does not start', async () => {
  const program = join(folder, 'program.mjs');
  writeFileSync(program, unsteadyProgram(join(own, 'starts')));
  const folders = { readable: [folder], writable: [own] };
  const other = new EngineSupervisor({ threads: 2, chunkItems: 10, program, folders });
  const environment = other.check({ bodyPath: '', form: 'json', spoolPath: '' });
  expect(await environment).toBe('LD_PRELOAD,QRPRESS_ENGINE_PATHS');
  await other.close();
});

/** A process that a task kills. For a task alone it has one thread: then it starts at the third attempt, and answers its environment. */
function unsteadyProgram(starts: string): string {
  return `
    import { appendFileSync, statSync } from 'node:fs';
    const isAlone = process.argv[2] === '1';
    if (isAlone) {
      appendFileSync(${JSON.stringify(starts)}, '.');
      if (statSync(${JSON.stringify(starts)}).size < 3) process.exit(1);
    }
    const value = Object.keys(process.env).toSorted().join();
    process.on('message', ([{ id }]) => (isAlone ? process.send([{ id, value }]) : process.exit(1)));
    process.on('disconnect', () => process.exit());
    process.send([{ ready: true }]);
  `;
}
