/** Files and rows that are on the disk before a job's 202, and their order, by a trace of the service's system calls. */

import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { COMMAND_LINE } from '../../src/accounts/actor.js';
import { openAdminContext } from '../../src/composition/admin-context.js';
import { readConfig } from '../../src/config/config.js';
import type { JobCreated } from '../../src/contract/response-schema.js';

const PROGRAM = fileURLToPath(new URL('mortal-service.js', import.meta.url));
const CALLS = 'trace=fsync,fdatasync,rename,renameat,renameat2,write,writev,sendto';

/** Too many items to be drawn at once: the job has files. */
const BODY = ['{}', ...Array.from({ length: 300 }, (_, item) => `{"data":"${item}"}`)].join('\n');

/** Containers may not trace. */
const canTrace = spawnSync('strace', ['-qq', '-o', '/dev/null', 'true']).status === 0;

test.runIf(canTrace)('spool, folder, commit, answer', { timeout: 120_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'qrpress-trace-'));
  const trace = join(folder, 'trace');
  const environment = {
    QRPRESS_DATA_DIR: join(folder, 'data'),
    QRPRESS_PORT: '0',
    QRPRESS_RENDER_THREADS: '1',
    QRPRESS_LOG_LEVEL: 'fatal',
  };
  const admin = await openAdminContext(readConfig(environment));
  try {
    const owner = { name: 'Example', ownerEmail: 'owner@example.org', credits: 1_000 };
    const { key } = await admin.keys.create(COMMAND_LINE, await admin.organisations.create(owner), 'test');
    const child = fork(PROGRAM, ['none'], {
      execPath: 'strace',
      execArgv: ['-f', '-y', '-qq', '-s', '40', '-e', CALLS, '-o', trace, process.execPath],
      env: { PATH: process.env['PATH'], ...environment },
    });
    const exit = once(child, 'exit');
    const [{ port }] = (await once(child, 'message')) as [{ port: number }];
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/jobs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
      body: BODY,
    });
    expect(response.status).toBe(202);
    const { jobId } = (await response.json()) as JobCreated;
    child.disconnect();
    await exit;

    const calls = callsOf(await readFile(trace, 'utf8'));
    const job = `storage/jobs/${jobId}`;
    const answer = calls.findIndex(({ begun }) => begun.includes('"HTTP/1.1 202'));
    const before = calls.slice(0, answer).flatMap(({ ended }) => ended ?? []);
    const first = (part: RegExp, after = -1) => before.findIndex((call, index) => index > after && part.test(call));
    const synced = first(new RegExp(`^fdatasync\\(.*${jobId}\\.spool>`));
    const moved = first(new RegExp(`^rename.*${job}/spool"\\) += 0`), synced);
    const entered = first(new RegExp(`^fsync\\(.*${job}>`), moved);
    const made = first(/^fsync\(.*storage\/jobs>/, moved);
    const committed = first(/^fdatasync\(.*-wal>/, Math.max(entered, made));
    expect([answer, synced, moved, entered, made, committed].every((index) => index >= 0)).toBe(true);
  } finally {
    await admin.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});

interface Call {
  /** The call as it began, at its place in the trace; empty for the end of one that was interrupted by other threads. */
  begun: string;
  /** The whole of a call that ends here. */
  ended?: string;
}

function callsOf(trace: string): Call[] {
  const open = new Map<string, string>();
  return trace.split('\n').map((line) => {
    const [, pid = '', text = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const [unfinished, start = ''] = /^(.*) <unfinished \.\.\.>$/.exec(text) ?? [];
    if (unfinished !== undefined) {
      open.set(pid, start);
      return { begun: start };
    }
    const [resumed, rest = ''] = /^<\.\.\. \w+ resumed>(.*)$/.exec(text) ?? [];
    return resumed === undefined ? { begun: text, ended: text } : { begun: '', ended: (open.get(pid) ?? '') + rest };
  });
}
