/** Backups: taken from a running service, restored on either kind of database, and refused where they would do harm. */

import { execFile } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { KeyRequests } from '../../../src/accounts/keys/key-request-store.js';
import { backUp } from '../../../src/cli/backup/backup.js';
import { checkFolder } from '../../../src/cli/backup/checked-folder.js';
import { openBackup, restore } from '../../../src/cli/backup/restore.js';
import * as commands from '../../../src/cli/backup.js';
import { administer } from '../../../src/composition/administer.js';
import type { Config } from '../../../src/config/config.js';
import { type Database, openDatabase } from '../../../src/database/connection.js';
import { migrate } from '../../../src/database/migrate.js';
import { fillTables, readSnapshot, TABLES } from '../../../src/database/snapshot.js';
import { ProcessFolder } from '../../../src/jobs/files/process-folder.js';
import { verify } from '../../../src/cli/verify.js';
import { createLog } from '../../../src/platform/log.js';
import { createService } from '../../../src/composition/service.js';
import { FileSystemStore } from '../../../src/storage/file-system-store.js';
import { JobsFixture, signal } from '../../jobs/jobs-fixture.js';
import { stepping } from '../../jobs/stepping.js';
import { ROOT } from '../../packages/tool.js';
import {
  DATABASES,
  type DatabaseKind,
  describeOnDatabases,
  type EmptyDatabase,
  openTestDatabase,
} from '../../support/databases.js';
import { describeWithObjectStore, ObjectStore } from '../../support/object-store.js';
import { namesBelow } from '../../support/names-below.js';
import { snippetsOf } from '../../support/pages.js';
import { startTestService, type TestService } from '../../support/service.js';

const run = promisify(execFile);

const writeBackup = (config: Config, path: string, archives: boolean) =>
  commands.writeBackup(administer, config, path, archives);
const readBackup = (config: Config, path: string) => commands.readBackup(administer, config, path);
const verifyInvariants = (config: Config) => administer(config, (context) => verify(context));

/** Too large for rows. */
const JOB_WITH_FILES = { items: Array.from({ length: 101 }, (_, index) => ({ data: `${index}` })) };

// The requests of keys are written every ten seconds: between a backup and the look at what it is a copy of.
beforeEach(() => void vi.spyOn(KeyRequests.prototype, 'write').mockResolvedValue());
afterEach(() => void vi.restoreAllMocks());

const JOB = { items: [{ data: 'one' }, { data: 'two\u2028three', filename: 'zwei 🦓' }], sendEmail: true };

describeOnDatabases('a backup', (kind) => {
  let service: TestService;
  let folder: string;
  let targets: EmptyDatabase[];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'qrpress-backup-'));
    targets = [];
    service = await startTestService(kind);
  });
  afterEach(async () => {
    await service.close();
    await Promise.all(targets.map((target) => target.drop()));
    await rm(folder, { recursive: true });
  });

  /** An empty place to restore into. */
  async function emptyPlace(on = kind): Promise<Config> {
    const target = await on.create();
    targets.push(target);
    return { ...service.config, dataDir: join(folder, `data-${targets.length}`), databaseUrl: target.url };
  }

  async function endedJob() {
    const { jobId } = await service.submit(JOB);
    const job = await service.ended(jobId);
    await service.nextMail('owner@example.org');
    return { job, archive: await bytesOf(await service.fetch(`/api/v1/jobs/${jobId}/download`)) };
  }

  for (const other of DATABASES.filter(({ absent }) => absent === undefined)) {
    test(`of a running service is the same service on ${other.name}`, { timeout: 60_000 }, async () => {
      const { job, archive } = await endedJob();
      const places = JSON.stringify({
        unit: 'row',
        runs: [
          [2, 1],
          [4, 1],
        ],
      });
      await service.admin.database.updateTable('jobs').set({ source_places: places }).execute();
      const path = join(folder, 'copy');
      const rows = await allRows(service.config);
      await writeBackup(service.config, path, true);
      const place = await emptyPlace(other);
      const report = await readBackup(place, path);
      expect(report.rows).toBeGreaterThan(5);
      expect(await allRows(place)).toEqual(rows);
      expect(await verifyInvariants(place)).toEqual([]);
      expect(await readFile(join(place.dataDir, 'secrets'))).toEqual(
        await readFile(join(service.config.dataDir, 'secrets')),
      );
      expect(await readdir(join(place.dataDir, 'outbox'))).toHaveLength(1);

      const restored = await createService(place, { log: createLog('silent') });
      try {
        const origin = `http://127.0.0.1:${await restored.listen()}`;
        expect(await bytesOf(await fetch(new URL(job.downloadUrl ?? '', origin)))).toEqual(archive);
        // The numbers of new rows go on behind those of the restored ones.
        await restored.admin.ledger.grant(service.organisationId, 5, 'after');
      } finally {
        await restored.close();
      }
      expect(await verifyInvariants(place)).toEqual([]);
    });
  }

  test('is readable for its owner alone', async () => {
    await endedJob();
    await writeBackup(service.config, join(folder, 'copy'), true);
    const entries = await readdir(join(folder, 'copy'), { recursive: true, withFileTypes: true });
    const paths = entries.map((entry) => join(entry.parentPath, entry.name));
    const modes = await Promise.all(
      [join(folder, 'copy'), ...paths].map(async (path) => {
        const found = await stat(path);
        return `${found.isDirectory() ? 'folder' : 'file'} ${(found.mode & 0o777).toString(8)}`;
      }),
    );
    expect(modes.length).toBeGreaterThan(TABLES.length);
    expect(new Set(modes)).toEqual(new Set(['folder 700', 'file 600']));
  });

  test('without archives has the whole ledger, and the jobs as if they had expired', async () => {
    const { job } = await endedJob();
    const path = join(folder, 'copy');
    const { jobs } = await writeBackup(service.config, path, false);
    expect(jobs).toBe(0);
    const place = await emptyPlace();
    await readBackup(place, path);
    expect(await verifyInvariants(place)).toEqual([]);
    const rows = await allRows(place);
    expect(rows['jobs']).toEqual([]);
    expect(rows['ledger_entries']).toEqual((await allRows(service.config))['ledger_entries']);
    expect(JSON.stringify(rows['ledger_entries'])).toContain(job.id);
  });

  test('is written where nothing is, or not at all', async () => {
    await writeFile(join(folder, 'file'), 'precious');
    await mkdir(join(folder, 'copy'));
    await writeFile(join(folder, 'copy', 'file'), 'precious');
    await expect(writeBackup(service.config, join(folder, 'file'), true)).rejects.toThrow('it is a file');
    await expect(writeBackup(service.config, join(folder, 'copy'), true)).rejects.toThrow('is not empty');
    expect((await readdir(folder)).toSorted()).toEqual(['copy', 'file']);
    await mkdir(join(folder, 'empty'));
    for (const name of ['empty', 'absent']) {
      await writeBackup(service.config, `${join(folder, name)}/`, true);
      expect(await readdir(join(folder, name))).toContain('manifest.json');
    }
    expect((await readdir(folder)).toSorted()).toEqual(['absent', 'copy', 'empty', 'file']);
  });
});

describe('a backup that is there', () => {
  const [kind] = DATABASES as [DatabaseKind];
  let service: TestService;
  let folder: string;
  let copy: string;
  let place: Config;
  let target: EmptyDatabase;
  beforeAll(async () => {
    service = await startTestService(kind);
    await service.ended((await service.submit(JOB)).jobId);
    await service.nextMail('owner@example.org');
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'qrpress-backup-'));
    copy = join(folder, 'copy');
    await writeBackup(service.config, copy, true);
    target = await kind.create();
    place = { ...service.config, dataDir: join(folder, 'data'), databaseUrl: target.url };
  });
  afterEach(async () => {
    await target.drop();
    await rm(folder, { recursive: true });
  });

  test('is written, restored and verified by the commands of docs/run/backup.md', async () => {
    const command = async (dataDir: string, ...words: string[]) => {
      const env = { PATH: process.env['PATH'], QRPRESS_DATA_DIR: dataDir };
      const { stdout } = await run(process.execPath, ['dist/main.js', 'admin', ...words], { env, cwd: ROOT });
      return stdout;
    };
    const origin = join(folder, 'origin');
    await command(origin, 'create-organisation', '--name', 'N', '--owner', 'n@example.org', '--credits', '7');
    const [writing = '', restoring = ''] = snippetsOf('docs/run/backup.md', 'backup');
    const shell = async (dataDir: string, lines: string) => {
      const program = `qrpress() { '${process.execPath}' dist/main.js "$@"; }\n${lines.replaceAll('/var/backups/qrpress', folder)}`;
      const env = { PATH: process.env['PATH'], QRPRESS_DATA_DIR: dataDir };
      const { stdout } = await run('bash', ['-euc', program], { env, cwd: ROOT });
      return stdout;
    };
    expect(await shell(origin, writing)).toContain('0 jobs');
    const restored = await shell(place.dataDir, restoring);
    expect(restored).toContain('Restored');
    expect(restored).toContain('Everything holds.');
    expect(await command(place.dataDir, 'list-organisations')).toBe(await command(origin, 'list-organisations'));
    await expect(shell(place.dataDir, restoring)).rejects.toMatchObject({ code: 1 });
  }, 120_000);

  const damages: [what: string, how: () => Promise<unknown>, message: string][] = [
    ['a changed file', () => appendFile(join(copy, 'secrets'), ' '), 'secrets is not as written'],
    ['a missing file', () => rm(join(copy, 'secrets')), 'secrets is missing'],
    ['a file too many', () => writeFile(join(copy, 'outbox', 'other'), ''), 'outbox/other is not in its manifest'],
    ['no manifest', () => rm(join(copy, 'manifest.json')), 'it has no manifest.json'],
    ['half of a manifest', () => truncate(join(copy, 'manifest.json'), 99), 'manifest.json is not as written'],
    ['a newer format', () => changeManifest({ format: 2 }), 'the backup has format 2'],
    ['tables of a newer version', () => changeManifest({ migration: '9999-x' }), 'a newer version of qrpress'],
  ];
  for (const [what, how, message] of damages) {
    test(`is refused with ${what}, before anything is written`, async () => {
      await how();
      await expect(readBackup(place, copy)).rejects.toThrow(message);
      expect(await readdir(folder)).toEqual(['copy']);
      const database = openDatabase(place.databaseUrl);
      expect(await database.introspection.getTables()).toEqual([]);
      await database.destroy();
    });
  }

  test('that is a file, or nothing, makes nothing, and says so', async () => {
    const env = { PATH: process.env['PATH'], QRPRESS_DATA_DIR: place.dataDir };
    const restoring = (path: string) =>
      run(process.execPath, ['dist/main.js', 'admin', 'restore', '--from', path], { env, cwd: ROOT });
    await expect(restoring(join(copy, 'secrets'))).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('secrets: not a directory'),
    });
    await expect(restoring(join(folder, 'none'))).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('none: no such file or directory'),
    });
    expect(await readdir(folder)).toEqual(['copy']);
  });

  test('that has no files is not restored where the storage takes none, and the database stays empty', async () => {
    await rm(copy, { recursive: true });
    await writeBackup(service.config, copy, false);
    const file = join(folder, 'file');
    await writeFile(file, '');
    const restoring = readBackup({ ...place, storage: { kind: 'folder', path: join(file, 'storage') } }, copy);
    await expect(restoring).rejects.toThrow('a restore needs a storage that can be written to');
    const database = openDatabase(place.databaseUrl);
    expect(await database.introspection.getTables()).toEqual([]);
    await database.destroy();
  });

  async function changeManifest(members: object): Promise<void> {
    const path = join(copy, 'manifest.json');
    await writeFile(path, JSON.stringify({ ...JSON.parse(await readFile(path, 'utf8')), ...members }));
  }

  const obstacles: [what: string, how: () => Promise<unknown>, message: string][] = [
    [
      'a row',
      async () => {
        const database = openDatabase(place.databaseUrl);
        await migrate(database);
        const row = { id: 'a', name: 'a', folded_name: 'A', owner_email: 'a@b.c', balance: 0, created_at: 0 };
        await database.insertInto('organisations').values(row).execute();
        await database.destroy();
      },
      'the table organisations has rows',
    ],
    ['secrets', () => writeFile(join(place.dataDir, 'secrets'), 'x'), 'secrets exists'],
    ['a mail', () => put(join(place.dataDir, 'outbox')), 'has mails'],
    ['a job', () => put(join(place.dataDir, 'storage', 'jobs', 'x')), 'the storage has jobs'],
  ];
  for (const [what, how, message] of obstacles) {
    test(`is not restored over ${what}`, async () => {
      await mkdir(place.dataDir, { recursive: true });
      await how();
      await expect(readBackup(place, copy)).rejects.toThrow(message);
    });
  }
});

describeWithObjectStore('a backup of a service with a bucket', () => {
  const [kind] = DATABASES as [DatabaseKind];
  let objects: ObjectStore;
  let service: TestService;
  let folder: string;
  let target: EmptyDatabase;
  beforeAll(async () => {
    objects = await ObjectStore.start();
  });
  afterAll(() => objects.stop());
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'qrpress-backup-'));
    const storage = { ...(await objects.createBucket()), prefix: 'codes' };
    service = await startTestService(kind, { storage });
    target = await kind.create();
  });
  afterEach(async () => {
    await service.close();
    await target.drop();
    await rm(folder, { recursive: true });
  });

  const places: [where: string, storage: () => Promise<Config['storage']>][] = [
    ['into another bucket', async () => ({ ...(await objects.createBucket()), prefix: 'restored' })],
    ['into a folder', async () => undefined],
  ];
  for (const [where, storage] of places) {
    test(`has what lies in the bucket, and is restored ${where}`, async () => {
      const { jobId } = await service.submit(JOB_WITH_FILES);
      const { downloadUrl = '' } = await service.ended(jobId);
      const archive = await bytesOf(await service.fetch(`/api/v1/jobs/${jobId}/download`));
      const path = join(folder, 'copy');
      const rows = await allRows(service.config);
      const { bytes } = await writeBackup(service.config, path, true);
      // The headers of an archive are made as it is read.
      expect(bytes).toBeGreaterThan(0.9 * archive.length);
      // The bucket is lost with all that is in it.
      await service.admin.storage.deleteAll('jobs');
      const place = {
        ...service.config,
        dataDir: join(folder, 'data'),
        databaseUrl: target.url,
        storage: await storage(),
      };
      await readBackup(place, path);
      expect(await verifyInvariants(place)).toEqual([]);
      expect(await allRows(place)).toEqual(rows);

      const restored = await createService(place, { log: createLog('silent') });
      try {
        const origin = `http://127.0.0.1:${await restored.listen()}`;
        expect(await bytesOf(await fetch(new URL(downloadUrl, origin)))).toEqual(archive);
      } finally {
        await restored.close();
      }
    }, 60_000);
  }

  test('leaves out what is deleted meanwhile, and the files of others are whole', async () => {
    const jobs = [await service.submit(JOB_WITH_FILES), await service.submit(JOB_WITH_FILES)];
    await Promise.all(jobs.map(({ jobId }) => service.ended(jobId)));
    const { database, storage } = service.admin;
    const [deleted, kept] = jobs.map(({ jobId }) => `jobs/${jobId}`) as [string, string];
    const names = await namesBelow(storage, kept);
    // Deletes a job's files between the look at them and the read.
    const meanwhile = stepping(storage, ['size', 'materialise'], async (when, [key]) => {
      if (['after size', 'before materialise'].includes(when) && String(key).startsWith(deleted)) {
        await storage.deleteAll(deleted);
      }
    });
    const path = join(folder, 'copy');
    const paths = { secretsPath: join(folder, 'none'), outboxPath: join(folder, 'none') };
    await backUp(path, { database, storage: meanwhile, ...paths }, { version: '0', archives: true });
    const manifest = JSON.parse(await readFile(join(path, 'manifest.json'), 'utf8')) as { files: { name: string }[] };
    const copied = manifest.files.map(({ name }) => name).filter((name) => name.startsWith('storage/'));
    expect(copied).toEqual(names.map((name) => `storage/${kept}/${name}`));
    await checkFolder(path);
    expect(await readdir(folder)).toEqual(['copy']);
  }, 60_000);

  test('is not restored over what lies there', async () => {
    await service.ended((await service.submit(JOB_WITH_FILES)).jobId);
    const path = join(folder, 'copy');
    await writeBackup(service.config, path, true);
    const place = { ...service.config, dataDir: join(folder, 'data'), databaseUrl: target.url };
    await expect(readBackup(place, path)).rejects.toThrow('the storage has jobs');
  }, 60_000);
});

describeOnDatabases('large rows', (kind) => {
  test('are restored, however many there are', async () => {
    const origin = await openTestDatabase(kind);
    const target = await kind.create();
    const database = openDatabase(target.url);
    try {
      const row = { organisation_id: 'o', meta: '{}', created_at: 0 };
      // A server takes statements of 16 MB.
      const styles = Array.from({ length: 40 }, (_, index) => ({
        ...row,
        id: String(index),
        name: String(index),
        logo: 'x'.repeat(500_000),
      }));
      const organisation = {
        id: 'o',
        name: 'o',
        folded_name: 'O',
        owner_email: 'o@example.org',
        balance: 0,
        created_at: 0,
      };
      await origin.database.insertInto('organisations').values(organisation).execute();
      for (const style of styles) {
        await origin.database.insertInto('styles').values(style).execute();
      }
      await migrate(database);
      await readSnapshot(origin.database, (read) =>
        fillTables(database, async (fill) => {
          for (const table of TABLES) {
            await fill(table, read(table));
          }
        }),
      );
      const restored = await database.selectFrom('styles').selectAll().execute();
      expect(restored.map(({ logo }) => logo?.length)).toEqual(styles.map(({ logo }) => logo.length));
    } finally {
      await database.destroy();
      await target.drop();
      await origin.close();
    }
  });
});

describeOnDatabases('a job under way', (kind) => {
  test('ends after the restore of a backup that was taken meanwhile', async () => {
    const fixture = await JobsFixture.open(kind);
    const folder = await mkdtemp(join(tmpdir(), 'qrpress-backup-'));
    const target = await kind.create();
    let database: Database | undefined;
    try {
      const held = signal();
      const oneIsDone = signal();
      fixture.engine.onRender = async ({ firstItem }) => {
        if (firstItem === 10) {
          oneIsDone.reach();
          await held.reached;
        }
      };
      const { id } = await fixture.accept(30);
      await oneIsDone.reached;
      const places = { secretsPath: join(folder, 'secrets'), outboxPath: join(folder, 'outbox') };
      await backUp(join(folder, 'copy'), { ...fixture, ...places }, { version: 'x', archives: false });
      held.reach();
      await fixture.ended(id);

      database = openDatabase(target.url);
      const storage = new FileSystemStore(join(folder, 'blobs'));
      await restore(await openBackup(join(folder, 'copy')), { database, storage, ...places }, join(folder, 'scratch'));
      expect(await verify({ database, storage })).toEqual([]);
      await fixture.jobs.close();
      const ended = signal();
      await fixture.start({
        database,
        storage,
        folder: new ProcessFolder(join(folder, 'work')),
        onEnded: ended.reach,
      });
      await ended.reached;
      expect(await fixture.find(id)).toMatchObject({ status: 'complete', completed: 30 });
      expect(await verify({ database, storage })).toEqual([]);
    } finally {
      await fixture.close();
      await database?.destroy();
      await target.drop();
      await rm(folder, { recursive: true });
    }
  });
});

async function bytesOf(response: Response): Promise<Buffer> {
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

async function put(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, 'file'), '');
}

async function allRows({ databaseUrl }: Config): Promise<Record<string, object[]>> {
  const database = openDatabase(databaseUrl);
  try {
    const rows = await Promise.all(
      TABLES.map(async (table) => {
        const found = await database.selectFrom(table).selectAll().execute();
        // Drivers differ in how they hand out bytes.
        const same = found.map((row) => ('content' in row ? { ...row, content: Buffer.from(row.content) } : row));
        return [table, same] as const;
      }),
    );
    return Object.fromEntries(rows);
  } finally {
    await database.destroy();
  }
}
