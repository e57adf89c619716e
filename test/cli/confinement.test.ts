/** Commands that read files of strangers give them to an engine that is confined before a byte has arrived. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { childProcesses } from '../support/child-processes.js';
import { MAIN } from '../support/command-line.js';

/** Waits until the command has started its engine, and its engine has confined itself. */
const confinedEngine = (pid: number) =>
  expect.poll(async () => {
    const [engine] = await childProcesses(pid);
    const status = engine === undefined ? '' : await readFile(`/proc/${engine}/status`, 'utf8').catch(() => '');
    return status.split('\n').filter((line) => /^(?:NoNewPrivs|Seccomp):/.test(line));
  });

test.skipIf(process.platform !== 'linux').each([
  ['render', []],
  ['submit', ['--url', 'http://127.0.0.1:9', '--key', `qrp_${'0'.repeat(32)}`]],
])('%s', async (command, options) => {
  const folder = await mkdtemp(join(tmpdir(), 'qrpress-confined-'));
  try {
    const words = [MAIN, command, '-', '--out', join(folder, 'codes.zip'), ...options];
    // Its standard input stays open: the command waits for its file meanwhile.
    const child = spawn(process.execPath, words, {
      cwd: folder,
      env: { PATH: process.env['PATH'] },
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    await confinedEngine(child.pid as number).toEqual(['NoNewPrivs:\t1', 'Seccomp:\t2']);
    child.stdin.end('{"items":[{"data":""}]}');
    const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    // It has read the file and found its mistake: the engine that was looked at is the one at work.
    expect([code, errors]).toEqual([1, expect.stringContaining('items/0/data')]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
