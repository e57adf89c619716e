/** Processes with data folders of their own on one database of a server: without Redis only one of them works there. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { examineSurroundings } from '../../src/cli/doctor.js';
import { administer } from '../../src/composition/administer.js';
import type { Config } from '../../src/config/config.js';
import { openDatabase } from '../../src/database/connection.js';
import { ServerLock } from '../../src/database/server-lock.js';
import { DATABASES, type EmptyDatabase } from '../support/databases.js';
import { ServerLine } from '../support/server-line.js';
import { startTestService } from '../support/service.js';

for (const kind of DATABASES.filter(({ name, absent }) => name === 'MySQL' && absent === undefined)) {
  let database: EmptyDatabase;
  const toClose: (() => unknown)[] = [];
  beforeEach(async () => {
    database = await kind.prepare();
    toClose.push(database.drop);
  });
  afterEach(async () => {
    for (const close of toClose.splice(0)) await close();
  });

  const on = (url: string) => {
    const prepare = async () => ({ url: url as Config['databaseUrl'], drop: async () => undefined });
    return { name: kind.name, create: prepare, prepare };
  };
  const take = (holder: 'alone' | 'shared') => ServerLock.take(database.url, holder);

  test('a second service ends with what to do, and doctor says so before its start', async () => {
    const storage = await mkdtemp(join(tmpdir(), 'qrpress-storage-'));
    toClose.push(() => rm(storage, { recursive: true }));
    const start = () => startTestService(on(database.url), { storage: { kind: 'folder', path: storage } });
    const first = await start();
    await expect(start()).rejects.toThrow(/^Another `qrpress serve` uses the database\..*QRPRESS_REDIS_URL/);
    const dataDir = await mkdtemp(join(tmpdir(), 'qrpress-lock-'));
    toClose.unshift(() => rm(dataDir, { recursive: true }));
    const blamed = async (config: Config) => (await examineSurroundings(config, administer)).filter(({ ok }) => !ok);
    expect(await blamed(first.config)).toEqual([]);
    expect(await blamed({ ...first.config, dataDir })).toEqual([
      { name: 'database', ok: false, detail: expect.stringContaining('with another data folder') },
    ]);
    await first.close();
    expect(await blamed({ ...first.config, dataDir })).toEqual([]);
    await (await start()).close();
  });

  test('processes with Redis share the database with each other, and with no other', async () => {
    const shared = [await take('shared'), await take('shared')];
    expect(shared).not.toContain(undefined);
    expect(await take('alone')).toBeUndefined();
    for (const lock of shared) await lock?.close();
    const alone = await take('alone');
    expect(alone).toBeDefined();
    expect(await take('alone')).toBeUndefined();
    expect(await take('shared')).toBeUndefined();
    await alone?.close();
    const last = await take('shared');
    expect(last).toBeDefined();
    await last?.close();
  });

  test('a process with Redis waits for one without that is ending', async () => {
    const alone = await take('alone');
    const shared = take('shared');
    await alone?.close();
    const lock = await shared;
    expect(lock).toBeDefined();
    await lock?.close();
  });

  test('a lock that the server holds for a broken connection is not taken for that of another process', async () => {
    const line = await ServerLine.open(database.url);
    toClose.unshift(() => line.close());
    const lock = await ServerLock.take(line.url as Config['databaseUrl'], 'alone');
    toClose.unshift(() => lock?.close());
    const told: boolean[] = [];
    lock?.watch((isUndisturbed) => told.push(isUndisturbed));
    const server = openDatabase(database.url, { connections: 1 });
    toClose.unshift(() => server.destroy());
    /** Seconds since each connection did something. */
    const idle = async () => {
      const { rows } = await sql<{ seconds: number }>`
        select time as seconds from information_schema.processlist
        where db = database() and id <> connection_id() order by id
      `.execute(server);
      return rows.map(({ seconds }) => seconds);
    };
    line.breakAt('is_used_lock', '', 'stuck');
    // The second connection is that of the next look.
    await expect.poll(async () => (await idle())[1], { timeout: 20_000 }).toBeGreaterThanOrEqual(1);
    expect(told).toEqual([]);
    expect(lock?.isUndisturbed).toBe(true);
  });

  test('a service that another one disturbs says so until that is gone', { timeout: 60_000 }, async () => {
    const line = await ServerLine.open(database.url);
    toClose.unshift(() => line.close());
    const service = await startTestService(on(line.url));
    toClose.unshift(() => service.close());
    const ready = async () => {
      const answer = await fetch(`${service.url}/readyz`);
      const { checks } = (await answer.json()) as { checks: Record<string, { state: string }> };
      return `${answer.status} ${checks['database']?.state}`;
    };
    expect(await ready()).toBe('200 ok');
    line.cut();
    let other: ServerLock | undefined;
    await expect.poll(async () => (other ??= await take('alone')), { timeout: 20_000 }).toBeDefined();
    line.mend();
    await expect.poll(ready, { timeout: 20_000 }).toBe('200 degraded');
    expect(service.log.join('')).toContain('does not share the queue');
    await other?.close();
    await expect.poll(ready, { timeout: 20_000 }).toBe('200 ok');
  });
}
