/** Processes of one database have one storage: another one, where the files of its jobs are not, is refused at the start. */

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { examineSurroundings } from '../../src/cli/doctor.js';
import { administer } from '../../src/composition/administer.js';
import { createService, type Service } from '../../src/composition/service.js';
import { type Config, readConfig } from '../../src/config/config.js';
import { createLog } from '../../src/platform/log.js';
import { describeOnDatabases, type EmptyDatabase } from '../support/databases.js';
import { describeWithObjectStore, ObjectStore } from '../support/object-store.js';

vi.setConfig({ testTimeout: 60_000 });

/** Nobody answers there, which keeps no process from its start. */
const WITH_REDIS = { redisUrl: 'redis://127.0.0.1:1' };

describeOnDatabases('a second process', (kind) => {
  let folder: string;
  let database: EmptyDatabase;
  const running: Service[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'qrpress-storage-'));
    database = await kind.prepare();
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((service) => service.close()));
    await database.drop();
    await rm(folder, { recursive: true });
  });

  const at = (name: string, settings: Partial<Config> = {}): Config => ({
    ...readConfig({}),
    port: 0,
    dataDir: join(folder, name),
    databaseUrl: database.url,
    renderThreads: 1,
    ...settings,
  });
  const start = async (config: Config) => {
    const service = await createService(config, { log: createLog('silent') });
    running.push(service);
  };
  const stop = () => running.pop()?.close();
  const blamed = async (config: Config) =>
    (await examineSurroundings(config, administer)).filter(({ ok, name }) => !ok && name !== 'redis');

  test('with Redis and files of its own ends with what to do, and doctor says so before its start', async () => {
    await start(at('one', WITH_REDIS));
    const other = at('other', WITH_REDIS);
    const reason =
      /^The files of the database are in another storage than .*\/other\/storage\. .*QRPRESS_STORAGE_URL.*\/other\/storage\/id\.$/;
    await expect(start(other)).rejects.toThrow(reason);
    expect(await blamed(other)).toEqual([{ name: 'storage', ok: false, detail: expect.stringMatching(reason) }]);
    expect(await blamed(at('one', WITH_REDIS))).toEqual([]);
  });

  test('with Redis and the same files works', async () => {
    const storage = { kind: 'folder' as const, path: join(folder, 'storage') };
    const processes = ['one', 'other', 'third'].map((name) => at(name, { ...WITH_REDIS, storage }));
    // At the same moment, so that each may find that the storage has no id yet.
    await Promise.all(processes.map(start));
    for (const config of processes) expect(await blamed(config)).toEqual([]);
  });

  test('without Redis ends where it shares the files and has a data folder of its own', async () => {
    const storage = { kind: 'folder' as const, path: join(folder, 'storage') };
    await start(at('one', { storage }));
    const other = at('other', { storage });
    await expect(start(other)).rejects.toThrow(/^Another `qrpress serve` uses the database\..*QRPRESS_REDIS_URL/);
    const detail = expect.stringMatching(/another data folder.*set QRPRESS_REDIS_URL for both$/);
    expect(await blamed(other)).toEqual([{ name: 'database', ok: false, detail }]);
    await stop();
    expect(await blamed(other)).toEqual([]);
    await start(other);
  });

  test('of later takes other files once it is told that they are the right ones', async () => {
    await start(at('one'));
    await stop();
    const id = (await readFile(join(folder, 'one', 'storage', 'id'), 'utf8')).trim();
    const other = at('other', WITH_REDIS);
    await expect(start(other)).rejects.toThrow(`write ${id} into ${join(folder, 'other', 'storage', 'id')}`);
    await mkdir(join(folder, 'other', 'storage'), { recursive: true });
    await writeFile(join(folder, 'other', 'storage', 'id'), `${id}\n`);
    await start(other);
    expect(await blamed(other)).toEqual([]);
  });

  test('of later, if it is the only one, starts although the files are lost, but not with the files of another database', async () => {
    await start(at('one'));
    await stop();
    await rm(join(folder, 'one'), { recursive: true });
    await start(at('one'));
    expect(await blamed(at('one'))).toMatchObject([{ name: 'storage' }]);
    await stop();
    await writeFile(join(folder, 'one', 'storage', 'id'), 'other\n');
    await expect(start(at('one'))).rejects.toThrow(/^The files of the database are in another storage/);
  });

  test('does not start on a new database beside files of jobs, which it would delete', async () => {
    await start(at('one'));
    await stop();
    await mkdir(join(folder, 'one', 'storage', 'jobs', 'lost'), { recursive: true });
    await writeFile(join(folder, 'one', 'storage', 'jobs', 'lost', 'manifest.json'), '{}');
    const next = await kind.prepare();
    try {
      const onNext = at('one', { databaseUrl: next.url });
      const reason =
        /^The database is new, and .*\/one\/storage has the files of another database's jobs\. .*restore a backup/;
      await expect(start(onNext)).rejects.toThrow(reason);
      expect(await blamed(onNext)).toEqual([{ name: 'storage', ok: false, detail: expect.stringMatching(reason) }]);
      await rm(join(folder, 'one', 'storage', 'jobs'), { recursive: true });
      await start(onNext);
      await stop();
    } finally {
      await next.drop();
    }
  });

  describeWithObjectStore('on a bucket', () => {
    test('is one of the same storage, and of another than that of another prefix', async () => {
      const objects = await ObjectStore.start();
      const storage = { ...(await objects.createBucket()), prefix: 'codes' };
      await start(at('one', { storage }));
      await stop();
      await start(at('other', { storage }));
      await stop();
      await expect(start(at('one', { ...WITH_REDIS, storage: { ...storage, prefix: '' } }))).rejects.toThrow(
        new RegExp(`another storage than s3://${storage.bucket}\\. .* into s3://${storage.bucket}/id\\.$`),
      );
      await objects.stop();
    });
  });
});
