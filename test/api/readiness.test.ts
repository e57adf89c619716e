/** Readiness of a process: failures that make it unready or degraded, and the time that a probe takes. */

import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, expect, test, vi } from 'vitest';
import type { Config } from '../../src/config/config.js';
import { EngineSupervisor } from '../../src/engine/engine-supervisor.js';
import { checkDisk } from '../../src/observability/readiness.js';
import { DATABASES, describeOnDatabases, sqlite } from '../support/databases.js';
import { describeWithRedis, REDIS_URL } from '../support/redis.js';
import { ServerLine } from '../support/server-line.js';
import { startTestService, type TestService } from '../support/service.js';

/** Longest that a probe may take: the patience of a check, and a busy machine. */
const PROBE_MS = 3_000;

let service: TestService;
const toClose: (() => unknown)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const close of toClose.splice(0)) {
    await close();
  }
});

async function start(...options: Parameters<typeof startTestService>): Promise<void> {
  service = await startTestService(...options);
  toClose.unshift(() => service.close());
}

async function ready(): Promise<{ status: number; overall: string | undefined; states: Record<string, string> }> {
  const started = performance.now();
  const response = await fetch(`${service.url}/readyz`);
  expect(performance.now() - started).toBeLessThan(PROBE_MS);
  const body = (await response.json()) as {
    status?: string;
    checks: Record<string, { state: string; durationMs: number }>;
  };
  for (const { durationMs } of Object.values(body.checks)) {
    expect(durationMs).toBeLessThan(PROBE_MS);
  }
  const states = Object.entries(body.checks).map(([name, { state }]) => [name, state]);
  return { status: response.status, overall: body.status, states: Object.fromEntries(states) };
}

describeOnDatabases('a process', (kind) => {
  test('is unready behind an older database, and degraded behind a newer one', async () => {
    await start(kind);
    const { database } = service.admin;
    await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '')`.execute(database);
    expect(await ready()).toMatchObject({ status: 200, overall: 'degraded', states: { schema: 'degraded' } });
    await sql`delete from kysely_migration where name >= '0001'`.execute(database);
    expect(await ready()).toMatchObject({ status: 503, states: { schema: 'failed', database: 'ok' } });
  });
});

test('a database that takes no writes makes it unready', async () => {
  await start(sqlite);
  const { database } = service.admin;
  await sql.raw('pragma query_only = 1').execute(database);
  expect(await ready()).toMatchObject({ status: 503, states: { database: 'failed', schema: 'ok', engine: 'ok' } });
  await sql.raw('pragma query_only = 0').execute(database);
  expect(await ready()).toMatchObject({ status: 200, overall: 'ok' });
});

test('a storage that takes nothing makes it unready', async () => {
  await start(sqlite);
  const root = join(service.config.dataDir, 'storage');
  await rm(root, { recursive: true, force: true });
  await writeFile(root, '');
  expect(await ready()).toMatchObject({ status: 503, states: { storage: 'failed', disk: 'ok' } });
});

test('an engine that does not answer makes it unready', async () => {
  await start(sqlite);
  vi.spyOn(EngineSupervisor.prototype, 'describe').mockReturnValue(new Promise(() => undefined));
  expect(await ready()).toMatchObject({ status: 503, states: { engine: 'failed', database: 'ok' } });
});

test('a disk is looked at before it is full', async () => {
  const folder = tmpdir();
  expect(await checkDisk(folder, { low: 0, full: 0 })).toBe('ok');
  expect(await checkDisk(folder, { low: Number.MAX_SAFE_INTEGER, full: 0 })).toBe('degraded');
  await expect(checkDisk(folder, { low: 0, full: Number.MAX_SAFE_INTEGER })).rejects.toThrow('bytes free');
});

describeWithRedis('with a Redis', () => {
  test('its absence degrades and no more', async () => {
    const line = await ServerLine.open(REDIS_URL);
    toClose.push(() => line.close());
    await start(sqlite, { redisUrl: line.url });
    await vi.waitFor(async () => expect(await ready()).toMatchObject({ overall: 'ok', states: { redis: 'ok' } }), {
      timeout: 20_000,
    });
    line.cut();
    await vi.waitFor(async () => expect(await ready()).toMatchObject({ status: 200, states: { redis: 'degraded' } }), {
      timeout: 20_000,
    });
  });
});

for (const kind of DATABASES.filter(({ name, absent }) => name === 'MySQL' && absent === undefined)) {
  test('a database that keeps silent makes it unready in time, probe after probe', async () => {
    const database = await kind.create();
    const line = await ServerLine.open(database.url);
    toClose.push(() => line.close());
    await start({ ...kind, prepare: async () => ({ ...database, url: line.url as Config['databaseUrl'] }) });
    expect(await ready()).toMatchObject({ status: 200 });
    line.fallSilent();
    // More probes than there are connections to hang on.
    for (let probe = 0; probe < 3; probe += 1) {
      const answers = await Promise.all(Array.from({ length: 5 }, ready));
      for (const answer of answers) {
        expect(answer).toMatchObject({ status: 503, states: { database: 'failed', storage: 'ok' } });
      }
    }
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
    line.mend();
    await vi.waitFor(async () => expect(await ready()).toMatchObject({ status: 200 }), 10_000);
  });
}
