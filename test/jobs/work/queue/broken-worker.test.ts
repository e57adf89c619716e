/** Two processes that render, and the engine of one cannot start again, as after an upgrade that was cut off: it says so, and holds up no job. */

import { cp, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { JobCreated } from '../../../../src/contract/response-schema.js';
import { verify } from '../../../../src/cli/verify.js';
import { childProcesses } from '../../../support/child-processes.js';
import { sqlite } from '../../../support/databases.js';
import { Hosts } from '../../../support/hosts.js';
import { describeWithOwnRedis } from '../../../support/redis.js';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const WHOLE = 'dist/main.js';

describeWithOwnRedis('a worker whose addon is broken', () => {
  let hosts: Hosts;
  let installation: string;
  let addon: string;
  let program: string;

  beforeEach(async () => {
    installation = await mkdtemp(join(tmpdir(), 'qrpress-installation-'));
    await Promise.all(
      ['dist', 'package.json', 'web', 'native'].map((name) =>
        cp(join(ROOT, name), join(installation, name), { recursive: true }),
      ),
    );
    await Promise.all(['node_modules', 'fonts'].map((name) => symlink(join(ROOT, name), join(installation, name))));
    const name = (await readdir(join(installation, 'native'))).find((file) => file.endsWith('.node'));
    addon = join(installation, 'native', name!);
    hosts = await Hosts.open(sqlite, {
      credits: 10_000,
      environment: { QRPRESS_CHUNK_ITEMS: '1000' },
      program: (role) => [program, 'serve', '--role', role],
    });
  }, 60_000);
  afterEach(async () => {
    await hosts.close();
    await rm(installation, { recursive: true, force: true });
  });

  test('gives its chunks back, is not ready and says why; another draws them', { timeout: 120_000 }, async () => {
    program = WHOLE;
    const api = await hosts.start('api');
    program = join(installation, WHOLE);
    const worker = await hosts.start('worker');
    let log = '';
    worker.child.stdout!.setEncoding('utf8').on('data', (text: string) => (log += text));
    // The running engine keeps the file that it has loaded.
    await rm(addon);
    await writeFile(addon, 'cut off');
    const engines = await childProcesses(worker.child.pid!);
    expect(engines).toHaveLength(1);
    process.kill(engines[0]!, 'SIGKILL');
    const body = ['{}', ...Array.from({ length: 3_000 }, (_, item) => `{"data":"${item}"}`)].join('\n');
    const response = await fetch(`${api.url}/api/v1/jobs`, { method: 'POST', headers: hosts.headers, body });
    expect(response.status).toBe(202);
    const { jobId } = (await response.json()) as JobCreated;
    await vi.waitFor(
      async () => {
        const ready = await fetch(`${worker.url}/readyz`);
        expect({ status: ready.status, body: await ready.json() }).toMatchObject({
          status: 503,
          body: { checks: { engine: { state: 'failed' }, database: { state: 'ok' } } },
        });
        expect(log).toContain('process does not start, this process takes no jobs to draw until it does');
        expect(await leased(jobId)).toEqual([]);
      },
      { timeout: 60_000, interval: 100 },
    );
    program = WHOLE;
    await hosts.start('worker');
    await vi.waitFor(
      async () => {
        const job = await fetch(`${api.url}/api/v1/jobs/${jobId}`, { headers: hosts.headers });
        expect(await job.json()).toMatchObject({ status: 'complete', completed: 3_000, failed: 0 });
      },
      { timeout: 60_000, interval: 100 },
    );
    expect(worker.child.exitCode).toBeNull();
    expect(await verify(hosts.admin)).toEqual([]);
  });

  /** The job's chunks that a process holds. */
  const leased = (jobId: string) =>
    hosts.admin.database
      .selectFrom('chunks')
      .select('worker')
      .where('job_id', '=', jobId)
      .where('leased_until', 'is not', null)
      .execute();
});
