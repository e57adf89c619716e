import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { COMMAND_LINE } from '../../src/accounts/actor.js';
import type { AdminContext } from '../../src/cli/administer.js';
import { openAdminContext } from '../../src/composition/admin-context.js';
import { readConfig } from '../../src/config/config.js';
import type { JobCreated, JobResource } from '../../src/contract/response-schema.js';
import { describeOnDatabases, type EmptyDatabase } from '../support/databases.js';
import { endHost, type Host, startHost } from '../support/hosts.js';
import { dataUrl, paintedPng } from '../support/png.js';

const ITEMS = 12_000;
const STYLE = {
  // Large pictures take longer: a busy machine kills the service late.
  scale: 20,
  caption: { text: 'Städte 東京' },
  logo: { dataUrl: dataUrl(paintedPng(32, '<circle cx="16" cy="16" r="15" fill="#0066cc"/>')) },
};
const BODY = [
  JSON.stringify({ style: STYLE }),
  ...Array.from({ length: ITEMS }, (_, index) => `{"data":"${index}"}`),
].join('\n');

describeOnDatabases('qrpress serve', (kind) => {
  let dataDir: string;
  let database: EmptyDatabase;
  let admin: AdminContext;
  let environment: Record<string, string>;
  let organisationId: string;
  let key: string;
  let running: Host | undefined;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'qrpress-restart-'));
    database = await kind.create();
    environment = {
      QRPRESS_DATA_DIR: dataDir,
      QRPRESS_DATABASE_URL: database.url,
      QRPRESS_PORT: '0',
      QRPRESS_RENDER_THREADS: '1',
      QRPRESS_CHUNK_ITEMS: '2000',
      QRPRESS_RATE_LIMIT_READ: '100000',
    };
    admin = await openAdminContext(readConfig(environment));
    organisationId = await admin.organisations.create({
      name: 'Example',
      ownerEmail: 'owner@example.org',
      credits: 2 * ITEMS,
    });
    ({ key } = await admin.keys.create(COMMAND_LINE, organisationId, 'test'));
  });
  afterEach(async () => {
    running?.child.kill('SIGKILL');
    await admin.close();
    await database.drop();
    await rm(dataDir, { recursive: true });
  });

  /** Starts the program and resolves with its origin. */
  async function start(): Promise<string> {
    running = await startHost(environment, ['dist/main.js', 'serve']);
    return running.url;
  }

  const headers = () => ({ authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' });

  async function submit(url: string): Promise<JobCreated> {
    const response = await fetch(`${url}/api/v1/jobs`, { method: 'POST', headers: headers(), body: BODY });
    expect(response.status).toBe(202);
    return (await response.json()) as JobCreated;
  }

  /** Waits until the job is complete, and hashes its archive, downloaded over its signed URL. */
  async function archiveOf(url: string, job: JobCreated): Promise<string> {
    await vi.waitFor(
      async () => {
        const state = (await (
          await fetch(`${url}/api/v1/jobs/${job.jobId}`, { headers: headers() })
        ).json()) as JobResource;
        expect(state).toMatchObject({ status: 'complete', completed: ITEMS, failed: 0, creditsCharged: ITEMS });
      },
      { timeout: 60_000, interval: 50 },
    );
    const response = await fetch(url + job.downloadUrl);
    return createHash('sha256')
      .update(Buffer.from(await response.arrayBuffer()))
      .digest('hex');
  }

  it('killed in the middle of a job, ends it after its restart, with the same bytes and one charge', {
    tags: ['picture/same-bytes', 'life/restart'],
    timeout: 120_000,
  }, async () => {
    const first = await start();
    // The first answer of a test is late: what holds it to the contract is loaded then.
    await fetch(`${first}/api/v1/credits`, { headers: headers() });
    const job = await submit(first);
    await endHost(running!, 'SIGKILL');
    const killed = admin.database.selectFrom('jobs').select('status').where('id', '=', job.jobId);
    expect(['processing', 'zipping']).toContain((await killed.executeTakeFirst())?.status);
    expect(await admin.ledger.balance(organisationId)).toBe(ITEMS);

    const second = await start();
    const resumed = await archiveOf(second, job);
    expect(await admin.ledger.balance(organisationId)).toBe(ITEMS);
    expect(await archiveOf(second, await submit(second))).toBe(resumed);
  });

  it('ends in time on SIGTERM though a chunk takes long, says so, and leaves the chunk to the next start', {
    tags: ['life/restart'],
    timeout: 120_000,
  }, async () => {
    environment['QRPRESS_STOP_SECONDS'] = '5';
    const url = await start();
    let log = '';
    running?.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
    // All of them are read back as a phone would, which takes a second for the larger ones.
    const style = { scale: 40, foreground: '#777777', ecLevel: 'H' };
    const items = Array.from({ length: 500 }, (_, item) => JSON.stringify({ data: `${item}`.padStart(400, '0') }));
    const body = [JSON.stringify({ verify: 'all', style }), ...items].join('\n');
    const posted = await fetch(`${url}/api/v1/jobs`, { method: 'POST', headers: headers(), body });
    const { jobId } = (await posted.json()) as JobCreated;
    const leases = () =>
      admin.database.selectFrom('chunks').select(['status', 'leased_until']).where('job_id', '=', jobId).execute();
    await expect.poll(leases).toContainEqual({ status: 'pending', leased_until: expect.any(Number) });
    const began = performance.now();
    expect(await endHost(running!, 'SIGTERM')).toBe(0);
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(await leases()).toContainEqual({ status: 'pending', leased_until: null });
    expect(log).toContain('jobs: chunks take longer than the process may; the next start draws them');
  });

  it('drains on SIGTERM and exits with 0; the job goes on after the next start', {
    tags: ['life/restart'],
    timeout: 120_000,
  }, async () => {
    await start();
    expect(await endHost(running!, 'SIGTERM'), 'as soon as it listens').toBe(0);
    const job = await submit(await start());
    expect(await endHost(running!, 'SIGTERM')).toBe(0);
    await archiveOf(await start(), job);
    expect(await admin.ledger.balance(organisationId)).toBe(ITEMS);
  });
});
