/** A service whose database is away, takes no writes or has no room: it says so, reads what it can, and leaves nothing behind. */

import { mkdtemp, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { openAdminContext } from '../../src/composition/admin-context.js';
import { type Config, readConfig } from '../../src/config/config.js';
import { type Database, openDatabase } from '../../src/database/connection.js';
import { asUnavailable } from '../../src/jobs/unavailable.js';
import { EngineError } from '../../src/engine/engine.js';
import { Metrics } from '../../src/observability/metrics.js';
import { DATABASES, sqlite } from '../support/databases.js';
import { ServerLine } from '../support/server-line.js';
import { errorOf, ndjson, startTestService, type TestService } from '../support/service.js';
import { namesBelow } from '../support/names-below.js';
import { Visitor } from '../support/visitor.js';

let service: TestService;
const toClose: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of toClose.splice(0)) {
    await close();
  }
});

async function start(...options: Parameters<typeof startTestService>): Promise<void> {
  service = await startTestService(...options);
  toClose.unshift(() => service.close());
}

/** Soon, so that a test need not wait. */
const PATIENCE = { patience: { reconcileEveryMs: 100 } };

/** Drawn at once; its archive is a row that needs pages of its own. */
const SMALL_ITEMS = 50;
const SMALL: [object] = [{ items: Array.from({ length: SMALL_ITEMS }, (_, item) => ({ data: `small ${item}` })) }];
/** Too many items to be drawn at once: its input is stored before its row. */
const BIG = ndjson(['{}', ...Array.from({ length: 300 }, (_, item) => `{"data":"${item}"}`)].join('\n'));

async function expectUnavailable(response: Response): Promise<void> {
  expect(response.status).toBe(503);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await errorOf(response)).error).toBe('unavailable');
}

const post = (...request: Parameters<TestService['post']>) => service.post(...request);
const keyed = (key: string) => ({ 'content-type': 'application/json', 'idempotency-key': key });

const as = (key: string) => ({ 'content-type': 'application/json', authorization: `Bearer ${key}` });

/** Nothing is stored but the files of these jobs. */
async function expectNothingLeft(jobIds: string[]): Promise<void> {
  await vi.waitFor(async () => expect(await namesBelow(service.admin.storage, 'jobs')).toEqual(jobIds), {
    timeout: 20_000,
  });
  await vi.waitFor(async () => expect(await service.admin.folder.drafts.list()).toEqual([]), { timeout: 20_000 });
}

describe('SQLite', () => {
  test.each([
    ['takes no writes', 'pragma query_only = 1', 'pragma query_only = 0', [BIG, SMALL]],
    // The few rows of a big job may find room in pages that are there.
    ['has no room', 'pragma max_page_count = 1', 'pragma max_page_count = 1000000', [SMALL]],
  ] as const)('that %s', async (_, breakIt, mendIt, refused) => {
    await start(sqlite, {}, PATIENCE);
    const { database } = service.admin;
    const { jobId } = await service.submit(...BIG);
    await service.ended(jobId);
    const balance = await service.balance();
    await sql.raw(breakIt).execute(database);
    for (const [body, headers] of refused) {
      await expectUnavailable(await post(body, headers));
    }
    await expectUnavailable(await post(SMALL[0], keyed('a')));
    expect((await service.fetch(`/api/v1/jobs/${jobId}`)).status).toBe(200);
    expect((await service.fetch(`/api/v1/jobs/${jobId}/download`)).status).toBe(200);
    await sql.raw(mendIt).execute(database);
    await expectNothingLeft([jobId]);
    expect((await post(SMALL[0], keyed('a'))).status).toBe(202);
    expect(await service.balance()).toBe(balance - SMALL_ITEMS);
  });

  test('that takes no writes lets a key read that was not used yet', async () => {
    await start(sqlite);
    const { database } = service.admin;
    await sql.raw('pragma query_only = 1').execute(database);
    expect((await service.fetch('/api/v1/credits')).status).toBe(200);
    expect((await fetch(`${service.url}/account/sign-in`)).status).toBe(200);
    await sql.raw('pragma query_only = 0').execute(database);
  });
});

for (const kind of DATABASES.filter(({ name, absent }) => name === 'MySQL' && absent === undefined)) {
  test('MySQL that keeps silent counts as away, and answers when it is back', async () => {
    const { url, drop } = await kind.create();
    toClose.push(drop);
    const line = await ServerLine.open(url);
    toClose.unshift(() => line.close());
    let counts = [0, 0];
    let failures = 0;
    const observer = {
      query: () => undefined,
      connectFailed: () => void (failures += 1),
      connections: (...found: [number, number]) => void (counts = found),
      wait: () => undefined,
    };
    const database = openDatabase(line.url as Config['databaseUrl'], { silenceMs: 500, observer });
    toClose.unshift(() => database.destroy());
    const ask = () => sql`select 1`.execute(database);
    await ask();
    line.fallSilent();
    const failing = ask().catch((error: unknown) => error);
    await vi.waitFor(() => expect(counts).toEqual([1, 1]), { timeout: 20_000 });
    expect(asUnavailable(await failing)).toBeDefined();
    await vi.waitFor(() => expect(counts).toEqual([0, 0]), { timeout: 20_000 });
    line.mend();
    await ask();
    await vi.waitFor(() => expect(counts, 'closed while it was idle').toEqual([0, 0]), {
      timeout: 5_000,
    });
    await ask();
    expect(counts).toEqual([1, 0]);
    expect(failures).toBe(0);
    line.cut();
    await expect(ask()).rejects.toThrow();
    await expect(ask()).rejects.toThrow();
    expect(failures, 'connections that the metrics count').toBeGreaterThan(0);
  });

  test('MySQL that refuses its user, or a write of it, counts as away', async () => {
    const { url, drop } = await kind.create();
    toClose.push(drop);
    const root = openDatabase(url);
    toClose.unshift(() => root.destroy());
    const name = new URL(url).pathname.slice(1);
    const asked = await sql<{ host: string }>`select substring_index(current_user(), '@', -1) as host`.execute(root);
    // Under another host, the server may take it for an anonymous user.
    const user = sql.raw(`'${name.slice(-30)}'@'${asked.rows[0]!.host}'`);
    await sql`create user ${user} identified by 'secret'`.execute(root);
    toClose.unshift(() => sql`drop user ${user}`.execute(root));
    await sql`create table kept (id int)`.execute(root);
    await sql`grant select on ${sql.id(name)}.* to ${user}`.execute(root);
    const own = new URL(url);
    [own.username, own.password] = [name.slice(-30), 'secret'];
    const refusal = async (query: ReturnType<typeof sql>) => {
      const database = openDatabase(own.href as Config['databaseUrl']);
      const outcome = await query.execute(database).catch((error: unknown) => error);
      await database.destroy();
      return asUnavailable(outcome);
    };
    expect(await refusal(sql`select id from kept`)).toBeUndefined();
    expect(await refusal(sql`insert into kept values (1)`)).toBeDefined();
    expect(await refusal(sql`select id from absent`)).toBeDefined();
    await sql`alter user ${user} account lock`.execute(root);
    expect(await refusal(sql`select id from kept`)).toBeDefined();
    await sql`alter user ${user} account unlock`.execute(root);
    await sql`alter user ${user} identified by 'another'`.execute(root);
    expect(await refusal(sql`select id from kept`)).toBeDefined();
    own.pathname = 'absent';
    expect(await refusal(sql`select id from kept`)).toBeDefined();
  });

  test('MySQL may take any time for a migration, and not for what follows', async () => {
    const { url, drop } = await kind.create();
    toClose.push(drop);
    const folder = await mkdtemp(join(tmpdir(), 'qrpress-faults-'));
    toClose.push(() => rm(folder, { recursive: true }));
    const times = vi.spyOn(Socket.prototype, 'setTimeout');
    toClose.unshift(async () => times.mockRestore());
    const config = readConfig({ QRPRESS_DATABASE_URL: url, QRPRESS_DATA_DIR: folder });
    const prepare = async (database: Database) => {
      await sql`select 1`.execute(database);
      expect(times).not.toHaveBeenCalled();
    };
    const admin = await openAdminContext(config, prepare, new Metrics());
    toClose.unshift(() => admin.close());
    await sql`select 1`.execute(admin.database);
    expect(times).toHaveBeenCalledWith(60_000, expect.any(Function));
  });

  test('MySQL where somebody holds the row of an organisation: jobs of others are taken', async () => {
    await start(kind);
    const person = openDatabase(service.config.databaseUrl);
    toClose.unshift(() => person.destroy());
    const other = await service.createAccount(1_000);
    const { own } = await person.transaction().execute(async (transaction) => {
      const row = transaction.selectFrom('organisations').select('id').where('id', '=', service.organisationId);
      await row.forUpdate().execute();
      const answer = post(...SMALL);
      // Shares the transaction of the next, whose organisation is locked.
      const answers = await Promise.all([1, 2].map(() => post(SMALL[0], as(other.key))));
      expect(answers.map(({ status }) => status)).toEqual([202, 202]);
      return { own: answer };
    });
    expect((await own).status).toBe(202);
  });

  async function startBehindLine(): Promise<ServerLine> {
    const database = await kind.prepare();
    const line = await ServerLine.open(database.url);
    toClose.push(() => line.close());
    await start(
      { ...kind, prepare: async () => ({ ...database, url: line.url as Config['databaseUrl'] }) },
      {},
      PATIENCE,
    );
    return line;
  }

  test('MySQL that is away: every page is 503, that of operators too', async () => {
    const line = await startBehindLine();
    const root = new Visitor(service);
    const link = `/account/operator/${await service.admin.operators.issueLink()}`;
    await root.get(link);
    await root.post(link, { name: 'Root', email: 'root@example.org', password: 'run this service' });
    expect((await root.get('/account/operator')).status).toBe(200);
    line.cut();
    for (const path of ['/account/operator', '/account']) {
      expect((await root.get(path, { accept: 'text/html' })).status, path).toBe(503);
    }
  });

  /** Other transactions of the service commit at the same time. */
  const INSERT = 'insert into `jobs`';

  describe.each([
    ['small', SMALL, SMALL_ITEMS],
    ['big', BIG, 300],
  ] as const)('MySQL whose connection breaks at the COMMIT of a %s job', (size, [body, headers], items) => {
    const request = { ...(headers ?? { 'content-type': 'application/json' }), 'idempotency-key': size };

    test('which the server did not get: the job does not exist', async () => {
      const line = await startBehindLine();
      const balance = await service.balance();
      line.breakAt('commit', INSERT, 'unsent');
      await expectUnavailable(await post(body, request));
      expect(await service.balance()).toBe(balance);
      await expectNothingLeft([]);
      expect((await post(body, request)).status).toBe(202);
      expect(await service.balance()).toBe(balance - items);
    });

    test('whose answer is lost: the job is accepted', async () => {
      const line = await startBehindLine();
      const balance = await service.balance();
      line.breakAt('commit', INSERT, 'unanswered');
      const { jobId } = await service.submit(body, request);
      expect(await service.ended(jobId)).toMatchObject({ status: 'complete' });
      expect(await service.balance()).toBe(balance - items);
    });

    test('which the server gets later: the answer says that it is not known', async () => {
      const line = await startBehindLine();
      const balance = await service.balance();
      line.breakAt('commit', INSERT, 'stuck');
      const unknown = await post(body, request);
      expect(unknown.status).toBe(503);
      expect(Number(unknown.headers.get('retry-after'))).toBeGreaterThan(0);
      const { error, jobId } = await errorOf(unknown);
      expect(error).toBe('outcome_unknown');
      line.mend();
      const status = async () => (await service.fetch(`/api/v1/jobs/${String(jobId)}`)).json();
      await vi.waitFor(async () => expect(await status()).toMatchObject({ status: 'complete' }), { timeout: 20_000 });
      const repeated = await post(body, request);
      expect(repeated.headers.get('idempotent-replayed')).toBe('true');
      expect(await repeated.json()).toMatchObject({ jobId });
      expect(await service.balance()).toBe(balance - items);
    });
  });

  test('MySQL that is away', async () => {
    const line = await startBehindLine();
    const { jobId } = await service.submit(...BIG);
    await service.ended(jobId);
    const paid = await service.balance();
    line.cut();
    await expectUnavailable(await post(...BIG));
    await expectUnavailable(await service.fetch(`/api/v1/jobs/${jobId}`));
    expect(
      (await fetch(`${service.url}/account/organisations`, { headers: { cookie: 'qrpress-session=x' } })).status,
    ).toBe(503);
    line.mend();
    await vi.waitFor(async () => expect((await service.fetch('/readyz')).status).toBe(200), { timeout: 20_000 });
    // Cut off where the answer to its COMMIT would have come.
    const { storage } = service.admin;
    vi.spyOn(storage, 'adopt').mockImplementationOnce(async (blobs) => {
      vi.restoreAllMocks();
      await storage.adopt(blobs);
      line.fallSilent();
      setTimeout(() => line.cut(), 200);
    });
    await expectUnavailable(await post(...BIG));
    line.mend();
    await vi.waitFor(async () => expect((await service.fetch('/readyz')).status).toBe(200), { timeout: 20_000 });
    await expectNothingLeft([jobId]);
    expect(await service.balance()).toBe(paid);
    expect((await post(...SMALL)).status).toBe(202);
  });
}

test.each(['busy', 'down', 'io'] as const)('an engine that answers `%s` has a fault that passes', (code) => {
  expect(asUnavailable(new EngineError(code, 'no thread'))).toMatchObject({ code: 'unavailable' });
  expect(asUnavailable(new EngineError('panic', 'index out of bounds'))).toBeUndefined();
});

test.each(['EMFILE', 'ENFILE'])('too many open files are a fault that passes: %s', (code) => {
  const error = Object.assign(new Error('too many open files'), { code });
  expect(asUnavailable(error)).toMatchObject({ code: 'unavailable' });
});
