/** Metrics that a running service gives to Prometheus, and secrets that it does not. */

import { connect } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { COMMAND_LINE } from '../../src/accounts/actor.js';
import { audit } from '../../src/accounts/audit-store.js';
import { LedgerSampleStore } from '../../src/credits/ledger-sample-store.js';
import { transact } from '../../src/database/transaction.js';
import { JobReportStore } from '../../src/jobs/job-report-store.js';
import { LoadHourStore } from '../../src/observability/load-hour-store.js';
import { MailStore, postMail } from '../../src/outbox/mail-store.js';
import { JobsFixture, signal } from '../jobs/jobs-fixture.js';
import { describeOnDatabases, openTestDatabase, sqlite } from '../support/databases.js';
import { describeWithRedis, REDIS_URL } from '../support/redis.js';
import { ServerLine } from '../support/server-line.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService | undefined;
afterEach(async () => {
  await service?.close();
  service = undefined;
});

/** Samples by name and labels, as they are written. */
async function samples(of: TestService): Promise<Map<string, number>> {
  const text = await (await fetch(`${of.url}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

describeOnDatabases('a job', (kind) => {
  test('is counted wherever it passes', async () => {
    service = await startTestService(kind);
    const { jobId } = await service.submit({
      format: 'both',
      // More than a job has that is drawn while it is accepted.
      items: Array.from({ length: 101 }, (_, index) => ({ data: String(index) })),
      sendEmail: true,
    });
    await service.ended(jobId);
    await service.nextMail('owner@example.org');
    expect((await service.post({ items: [{ data: '' }] })).status).toBe(400);
    await vi.waitFor(
      async () => {
        const found = await samples(service as TestService);
        expect(found.get('qrpress_jobs_ended_total{outcome="complete"}')).toBe(1);
        expect(found.get('qrpress_mails_sent_total')).toBe(1);
      },
      { timeout: 20_000 },
    );
    const found = await samples(service);
    for (const [name, value] of [
      ['qrpress_jobs_accepted_total', 1],
      ['qrpress_job_items_accepted_total', 101],
      ['qrpress_job_duration_seconds_count', 1],
      ['qrpress_intake_items_total{format="both"}', 101],
      ['qrpress_intake_check_duration_seconds_count{outcome="accepted"}', 1],
      ['qrpress_intake_check_duration_seconds_count{outcome="refused"}', 1],
      ['qrpress_items_rendered_total', 101],
      ['qrpress_items_failed_total', 0],
      ['qrpress_codes_read_back_total{outcome="unread"}', 0],
      ['qrpress_chunk_duration_seconds_count', 1],
      ['qrpress_engine_threads', 1],
      ['qrpress_redis_connected', 1],
      ['qrpress_http_request_duration_seconds_count{method="POST",route="/api/v1/jobs",status="2xx"}', 1],
      ['qrpress_http_request_duration_seconds_count{method="POST",route="/api/v1/jobs",status="4xx"}', 1],
    ] as const) {
      expect(found.get(name), name).toBe(value);
    }
    for (const name of [
      'qrpress_intake_body_bytes_total',
      'qrpress_segment_bytes_total',
      'qrpress_storage_operation_duration_seconds_count{operation="adopt"}',
      'qrpress_database_query_duration_seconds_count{kind="select"}',
      'qrpress_database_query_duration_seconds_count{kind="insert"}',
      'qrpress_disk_free_bytes',
      'qrpress_collection_timestamp_seconds',
      ...(kind.name === 'SQLite' ? [] : ['qrpress_database_connections{state="open"}']),
    ]) {
      expect(found.get(name), name).toBeGreaterThan(0);
    }
    // Neither an id nor a path, and nobody who is not asked for.
    const text = [...found.keys()].join('\n');
    for (const secret of [jobId, service.organisationId, service.keyId, service.key]) {
      expect(text).not.toContain(secret);
    }
  });
});

test('requests are counted by routes, methods and classes that are few', async () => {
  const told = vi.spyOn(LoadHourStore.prototype, 'refused');
  service = await startTestService(sqlite, { rateLimits: { create: 1, read: 1 } });
  for (const path of ['/a', '/b', '/api/v1/jobs/x', '/api/v1/jobs/y', '/api/v1/jobs/z']) {
    await service.fetch(path);
    await service.fetch(path, { method: 'PROPFIND' });
  }
  await service.fetch('/api/v1/jobs/x', { method: 'DELETE' });
  const found = await samples(service);
  const routes = [...found.keys()].flatMap(
    (name) => /duration_seconds_count\{method="(\w+)",route="([^"]*)"/.exec(name) ?? [],
  );
  expect(new Set(routes.filter((_, index) => index % 3 === 2))).toEqual(new Set(['unmatched', '/api/v1/jobs/:jobId']));
  expect(new Set(routes.filter((_, index) => index % 3 === 1))).toEqual(new Set(['GET', 'DELETE', '_OTHER']));
  expect(found.get('qrpress_http_requests_refused_total{reason="rate_limited"}')).toBe(2);
  expect(told, 'for the page of operators').toHaveBeenCalledTimes(2);
  // The scrape itself.
  expect(found.get('qrpress_http_requests_in_flight')).toBe(1);
});

test('a request whose client leaves before an answer is told from one that was answered 404', async () => {
  service = await startTestService(sqlite);
  const upload = connect(Number(new URL(service.url).port), '127.0.0.1');
  const head = [
    'POST /api/v1/jobs HTTP/1.1',
    'Host: a',
    `Authorization: Bearer ${service.key}`,
    'Content-Type: application/json',
    'Content-Length: 9',
  ];
  upload.write(`${head.join('\r\n')}\r\n\r\n{`);
  const sample = async (name: string) => (await samples(service as TestService)).get(name);
  await vi.waitFor(async () => expect(await sample('qrpress_admission_places_taken{work="job"}')).toBe(1), {
    timeout: 20_000,
  });
  upload.destroy();
  const counted = (status: string) =>
    sample(`qrpress_http_request_duration_seconds_count{method="POST",route="/api/v1/jobs",status="${status}"}`);
  await vi.waitFor(async () => expect(await counted('499')).toBe(1), { timeout: 20_000 });
  expect(await counted('4xx')).toBeUndefined();
});

test('the metrics are not for those who come through the proxy', async () => {
  service = await startTestService(sqlite, { trustedProxies: ['127.0.0.1'] });
  const forwarded = { headers: { 'x-forwarded-for': '203.0.113.9' } };
  expect((await fetch(`${service.url}/metrics`, forwarded)).status).toBe(404);
  // A proxy that forwards no address looks like this.
  expect((await fetch(`${service.url}/metrics`)).status).toBe(404);
});

test('the time of the last backup is known after the next start', async () => {
  const before = await startTestService(sqlite);
  try {
    expect((await samples(before)).get('qrpress_backup_timestamp_seconds')).toBe(0);
    const now = Date.now() / 1_000;
    await audit(before.admin.database, COMMAND_LINE, null, 'backup-made');
    await before.stop();
    const { dataDir, databaseUrl } = before.config;
    service = await startTestService(sqlite, { dataDir, databaseUrl });
    expect((await samples(service)).get('qrpress_backup_timestamp_seconds')).toBeGreaterThanOrEqual(now);
  } finally {
    await service?.close();
    service = undefined;
    await before.close();
  }
});

/** Counters that a read asks: the key's and the organisation's. */
const LIMITS_OF_A_READ = 2;

describeWithRedis('a Redis', () => {
  test('that is away is seen, and how often memory stood in for it', async () => {
    const line = await ServerLine.open(REDIS_URL);
    try {
      service = await startTestService(sqlite, { redisUrl: line.url });
      const read = () => samples(service as TestService);
      await vi.waitFor(async () => expect((await read()).get('qrpress_redis_connected')).toBe(1), { timeout: 20_000 });
      line.cut();
      await vi.waitFor(async () => expect((await read()).get('qrpress_redis_connected')).toBe(0), { timeout: 20_000 });
      const before = (await read()).get('qrpress_redis_fallbacks_total') ?? 0;
      await service.fetch('/api/v1/credits');
      expect((await read()).get('qrpress_redis_fallbacks_total')).toBe(before + LIMITS_OF_A_READ);
    } finally {
      await service?.close();
      service = undefined;
      await line.close();
    }
  });
});

describeOnDatabases('the figures', (kind) => {
  test('of the queue say what waits, and for how long', async () => {
    const fixture = await JobsFixture.open(kind);
    try {
      const figures = new JobReportStore(fixture.database);
      expect(await figures.queue()).toEqual({ processing: 0, zipping: 0, items: 0, chunks: 0, oldestSeconds: 0 });
      const held = signal();
      fixture.engine.onRender = () => held.reached;
      const job = await fixture.accept(30);
      expect(await figures.queue(job.createdAt + 5_000)).toEqual({
        processing: 1,
        zipping: 0,
        items: 30,
        chunks: 3,
        oldestSeconds: 5,
      });
      expect(await figures.ended(job.id)).toBeUndefined();
      held.reach();
      await fixture.ended(job.id);
      expect(await figures.ended(job.id)).toMatchObject({ outcome: 'complete', creditsRefunded: 0 });
    } finally {
      await fixture.close();
    }
  });

  test('of the outbox say what waits and what was given up', async () => {
    const { database, close } = await openTestDatabase(kind);
    const mails = new MailStore(database);
    expect(await mails.figures()).toEqual({ waiting: 0, givenUp: 0, oldestSeconds: 0 });
    for (const recipient of ['a@example.org', 'b@example.org']) {
      await transact(database, (transaction) =>
        postMail(transaction, recipient, { subject: 's', text: 't', html: 'h' }),
      );
    }
    await database.updateTable('mails').set({ created_at: 1_000 }).execute();
    await database
      .updateTable('mails')
      .set({ next_attempt_at: null })
      .where('recipient', '=', 'a@example.org')
      .execute();
    expect(await mails.figures(4_000)).toEqual({ waiting: 1, givenUp: 1, oldestSeconds: 3 });
    await close();
  });

  test('of the ledger name a balance or an entry that does not add up, until it is mended', async () => {
    const fixture = await JobsFixture.open(kind);
    try {
      const { database } = fixture;
      await fixture.ended((await fixture.accept(20)).id);
      const ledger = new LedgerSampleStore(database);
      const anomalies = async () => {
        expect(await ledger.checkNext()).toBe(1);
        return ledger.anomalies;
      };
      expect(await anomalies()).toBe(0);
      await database.updateTable('organisations').set({ balance: 981 }).execute();
      expect(await anomalies()).toBe(1);
      await database.updateTable('organisations').set({ balance: 980 }).execute();
      expect(await anomalies()).toBe(0);
      await database.updateTable('ledger_entries').set({ amount: 999 }).where('kind', '=', 'grant').execute();
      expect(await anomalies()).toBe(1);
    } finally {
      await fixture.close();
    }
  });
});
