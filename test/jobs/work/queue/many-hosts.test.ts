/** Two processes that take jobs and two that render them, on one database, Redis and folder or bucket: whatever stops, every job ends, once. */

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { JobCreated, JobResource } from '../../../../src/contract/response-schema.js';
import { verify } from '../../../../src/cli/verify.js';
import { type DatabaseKind, describeOnDatabases } from '../../../support/databases.js';
import type { Fault } from '../../../support/faulty-proxy.js';
import { endHost, type Host, Hosts } from '../../../support/hosts.js';
import { describeWithObjectStore, ObjectStore } from '../../../support/object-store.js';
import { absentProgram, describeWithOwnRedis } from '../../../support/redis.js';
import { namesBelow } from '../../../support/names-below.js';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const PROGRAM = `
  import { readConfig } from './dist/config/config.js';
  import { createService } from './dist/composition/service.js';
  const service = await createService(readConfig(), JSON.parse(process.argv[1]));
  await service.listen();
  await new Promise((resolve) => process.once('SIGTERM', resolve));
  await service.close();`;
/** Short, so that a process that stands still is soon past its leases. */
const PATIENCE = { leaseMs: 1_500, reconcileEveryMs: 1_000 };

const ITEMS = 80_000;
const CHUNK_ITEMS = 10_000;
const CHUNKS = ITEMS / CHUNK_ITEMS;
const BODY = [
  JSON.stringify({ style: { caption: { text: 'Städte' } } }),
  ...Array.from({ length: ITEMS }, (_, index) => `{"data":"${index}"}`),
].join('\n');

/** The fault of a store's request by its number: three of ten fail, each in another way. */
const FAILURES: readonly (Fault | undefined)[] = [
  { kind: 'answer', status: 500, code: 'InternalError' },
  undefined,
  undefined,
  { kind: 'answer', status: 503, code: 'SlowDown' },
  undefined,
  undefined,
  { kind: 'lose' },
  undefined,
  undefined,
  undefined,
];

const suite = (kind: DatabaseKind, inBucket: boolean) => {
  /** Tests of the queue, which does not know where files are kept: in a bucket they run each night. */
  let store: ObjectStore | undefined;
  let hosts: Hosts;
  let expected: string;
  const apis: Host[] = [];
  const workers: Host[] = [];
  const jobs: string[] = [];

  beforeAll(async () => {
    const environment: Record<string, string> = { QRPRESS_CHUNK_ITEMS: String(CHUNK_ITEMS) };
    if (inBucket) {
      store = await ObjectStore.start();
      const { bucket, endpoint } = await store.createBucket();
      environment['QRPRESS_STORAGE_URL'] = `s3://${bucket}/codes?endpoint=${endpoint}`;
    }
    const program = (role: string) => [
      '--input-type=module',
      '-e',
      PROGRAM,
      JSON.stringify({ role, patience: PATIENCE }),
    ];
    hosts = await Hosts.open(kind, { credits: 100 * ITEMS, environment, program });
    expected = await render();
    apis.push(await hosts.start('api'), await hosts.start('api'));
    workers.push(await hosts.start('worker'), await hosts.start('worker'));
  }, 120_000);
  afterAll(async () => {
    await hosts.close();
    await store?.stop();
  }, 60_000);

  /** The archive that one process makes of the body, as a hash. */
  async function render(): Promise<string> {
    const [body, archive] = [join(hosts.folder, 'body.ndjson'), join(hosts.folder, 'codes.zip')];
    await writeFile(body, BODY);
    const env = { PATH: process.env['PATH'] };
    await promisify(execFile)(process.execPath, ['dist/main.js', 'render', body, '--out', archive], { cwd: ROOT, env });
    return hash(await readFile(archive));
  }

  async function submit({ url }: Host): Promise<JobCreated> {
    const response = await fetch(`${url}/api/v1/jobs`, { method: 'POST', headers: hosts.headers, body: BODY });
    expect(response.status).toBe(202);
    const job = (await response.json()) as JobCreated;
    jobs.push(job.jobId);
    return job;
  }

  /** Waits for the end of a job, which has all its pictures, and the bytes that one process would have made. */
  async function expectWhole({ url }: Host, job: JobCreated): Promise<void> {
    await vi.waitFor(
      async () => {
        const response = await fetch(`${url}/api/v1/jobs/${job.jobId}`, { headers: hosts.headers });
        const state = (await response.json()) as JobResource;
        expect(state).toMatchObject({ status: 'complete', completed: ITEMS, failed: 0, creditsCharged: ITEMS });
      },
      { timeout: 120_000, interval: 50 },
    );
    const archive = await (await fetch(url + job.downloadUrl)).arrayBuffer();
    expect(hash(Buffer.from(archive))).toBe(expected);
  }

  /** Resolves when a process has at least one of a job's chunks in hand. */
  async function untilRendering({ jobId }: JobCreated, { child }: Host): Promise<void> {
    await vi.waitFor(
      async () => {
        const rows = await hosts.admin.database
          .selectFrom('chunks')
          .select('worker')
          .where('job_id', '=', jobId)
          .where('status', '=', 'pending')
          .where('worker', 'like', `%-${child.pid}-%`)
          .execute();
        expect(rows.length).toBeGreaterThan(0);
      },
      { timeout: 60_000, interval: 5 },
    );
  }

  const [first, second] = [() => apis[0]!, () => apis[1]!];

  test('a job taken by one process ends, and every other has it', { timeout: 180_000 }, async () => {
    const job = await submit(first());
    await expectWhole(second(), job);
    const health = await Promise.all(workers.map(({ url }) => fetch(`${url}/readyz`)));
    expect(health.map(({ status }) => status)).toEqual([200, 200]);
    expect((await fetch(`${workers[0]!.url}/account`)).status).toBe(404);
  });

  test('a job ends whose worker was killed in the middle', { timeout: 180_000 }, async () => {
    const job = await submit(first());
    await untilRendering(job, workers[0]!);
    await endHost(workers[0]!, 'SIGKILL');
    await expectWhole(second(), job);
    workers[0] = await hosts.start('worker');
  });

  test('a worker that stood still past its leases changes nothing', { timeout: 180_000 }, async () => {
    const job = await submit(first());
    const { child } = workers[0]!;
    await untilRendering(job, workers[0]!);
    child.kill('SIGSTOP');
    await expectWhole(second(), job);
    child.kill('SIGCONT');
    // It has refused outcomes to clean up after, and then takes part again. In a bucket each chunk has a spool.
    const files = 2 * CHUNKS + (inBucket ? CHUNKS : 1) + 1;
    await vi.waitFor(
      async () => expect(await namesBelow(hosts.admin.storage, `jobs/${job.jobId}`)).toHaveLength(files),
      {
        timeout: 60_000,
        interval: 50,
      },
    );
    await expectWhole(second(), job);
    const next = await submit(second());
    await untilRendering(next, workers[0]!);
    await expectWhole(first(), next);
  });

  test.runIf(inBucket)(
    'a job ends whose store fails, is busy and forgets to answer',
    { timeout: 180_000 },
    async () => {
      const { proxy } = store!;
      let requests = 0;
      proxy.chooseFault = () => FAILURES[requests++ % FAILURES.length];
      const job = await submit(first());
      await expectWhole(second(), job);
      expect(requests).toBeGreaterThan(CHUNKS * FAILURES.length);
      proxy.chooseFault = () => undefined;
    },
  );

  test('a job ends whose queue was lost', { timeout: 180_000 }, async () => {
    const job = await submit(first());
    await untilRendering(job, workers[1]!);
    await hosts.redis.flush();
    await expectWhole(second(), job);
  });

  test('jobs are taken while Redis is away, and end when it is back', { timeout: 180_000 }, async () => {
    const job = await submit(first());
    await untilRendering(job, workers[1]!);
    await hosts.redis.kill();
    const meanwhile = await submit(second());
    await hosts.redis.restart();
    await expectWhole(first(), job);
    await expectWhole(first(), meanwhile);
  });

  test('a job ends whose taker was killed', { timeout: 180_000 }, async () => {
    const job = await submit(first());
    await endHost(first(), 'SIGKILL');
    await expectWhole(second(), job);
    apis[0] = await hosts.start('api');
  });

  test('every process drains, and what was charged is what was made', { timeout: 180_000 }, async () => {
    const job = await submit(first());
    await untilRendering(job, workers[0]!);
    const drained = await Promise.all([endHost(workers[0]!, 'SIGTERM'), endHost(first(), 'SIGTERM')]);
    expect(drained).toEqual([0, 0]);
    await expectWhole(second(), job);
    expect(await Promise.all([endHost(workers[1]!, 'SIGTERM'), endHost(second(), 'SIGTERM')])).toEqual([0, 0]);
    expect(await verify(hosts.admin)).toEqual([]);
    expect(await hosts.admin.ledger.balance(hosts.organisationId)).toBe((100 - jobs.length) * ITEMS);
  });
};

describeWithOwnRedis('many hosts', () => {
  describeOnDatabases('with jobs', (kind) => {
    if (kind.name !== 'SQLite' && absentProgram === undefined) {
      describe('in a folder', () => suite(kind, false));
      describeWithObjectStore('in a bucket', () => suite(kind, true));
    } else {
      test.skip('SQLite is one host’s', () => undefined);
    }
  });
});

function hash(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
