/** Organisations and their API keys: form, recognition, revocation. */

import { crc32 } from 'node:zlib';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { COMMAND_LINE } from '../../src/accounts/actor.js';
import { deleteExpiredOfAccounts } from '../../src/accounts/expiry.js';
import { isApiKey, newApiKey, storedFormOf } from '../../src/accounts/keys/api-key.js';
import { ApiKeyStore } from '../../src/accounts/keys/api-key-store.js';
import { KeyRequests } from '../../src/accounts/keys/key-request-store.js';
import { OrganisationStore } from '../../src/accounts/organisations/organisation-store.js';
import { DAY_MS } from '../../src/contract/limits.js';
import { type Database, type DatabaseUrl, openDatabase } from '../../src/database/connection.js';
import { isMysql } from '../../src/database/migrations/portable-tables.js';
import { newRowId } from '../../src/database/row-id.js';
import { transact } from '../../src/database/transaction.js';
import { payerRefusals } from '../../src/jobs/payer-store.js';
import { signal } from '../jobs/jobs-fixture.js';
import { describeOnDatabases, openTestDatabase } from '../support/databases.js';

test('a key carries the checksum of its other characters', () => {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  for (let count = 0; count < 200; count += 1) {
    const key = newApiKey();
    expect(key).toMatch(/^qrp_[0-9A-Za-z]{38}$/);
    const sum = Array.from(key.slice(-6)).reduce((value, digit) => value * 62 + digits.indexOf(digit), 0);
    expect(sum).toBe(crc32(key.slice(0, -6)));
  }
});

test('a typo in any character is no key', () => {
  const key = newApiKey();
  expect(isApiKey(key)).toBe(true);
  for (let position = 0; position < key.length; position += 1) {
    const other = key[position] === 'a' ? 'b' : 'a';
    expect(isApiKey(key.slice(0, position) + other + key.slice(position + 1))).toBe(false);
  }
  for (const text of ['', 'qrp_', key.slice(0, -1), `${key}a`, `${key}\n`, ` ${key}`, 'x'.repeat(100_000)]) {
    expect(isApiKey(text)).toBe(false);
  }
});

test('the random part uses the whole alphabet evenly', () => {
  const counts = new Map<string, number>();
  const keys = 2_000;
  for (let count = 0; count < keys; count += 1) {
    for (const character of newApiKey().slice(4, 36)) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
  }
  expect(counts.size).toBe(62);
  // 1,032 expected of each; six standard deviations either side.
  expect(Math.min(...counts.values())).toBeGreaterThan(840);
  expect(Math.max(...counts.values())).toBeLessThan(1_225);
});

describeOnDatabases('accounts', (kind) => {
  let database: Database;
  let url: DatabaseUrl;
  let close: () => Promise<void>;
  let keys: ApiKeyStore;
  let organisations: OrganisationStore;
  let organisationId: string;

  beforeEach(async () => {
    ({ database, url, close } = await openTestDatabase(kind));
    keys = new ApiKeyStore(database);
    organisations = new OrganisationStore(database);
    organisationId = await organisations.create({ name: ' Acme ', ownerEmail: 'a@example.com', credits: 0 });
  });
  afterEach(() => close());

  test('an organisation is listed as it was made', async () => {
    const second = await organisations.create({ name: 'Brühl & Söhne', ownerEmail: 'b@example.com', credits: 500 });
    const listed = await organisations.list();
    expect(new Map(listed.map((organisation) => [organisation.id, organisation]))).toMatchObject(
      new Map([
        [organisationId, { name: 'Acme', ownerEmail: 'a@example.com', balance: 0 }],
        [second, { name: 'Brühl & Söhne', ownerEmail: 'b@example.com', balance: 500 }],
      ]),
    );
  });

  test('an empty or endless name is refused with its place', async () => {
    for (const name of ['', '  ', 'é'.repeat(201)]) {
      await expect(organisations.create({ name, ownerEmail: 'a@example.com', credits: 0 })).rejects.toMatchObject({
        code: 'invalid_input',
        members: { issues: [{ path: '/name' }], issueCount: 1 },
      });
      await expect(keys.create(COMMAND_LINE, organisationId, name)).rejects.toMatchObject({ code: 'invalid_input' });
    }
    await expect(organisations.create({ name: 'x', ownerEmail: 'a@example.com', credits: -1 })).rejects.toThrow(
      RangeError,
    );
    expect(await organisations.list()).toHaveLength(1);
  });

  test('a key is its organisation’s until it is revoked, from then on at once nobody’s', {
    tags: ['5/own-organisation'],
  }, async () => {
    const { keyId, key } = await keys.create(COMMAND_LINE, organisationId, 'first');
    const other = await keys.create(COMMAND_LINE, organisationId, 'second');
    expect(await keys.authenticate(key)).toEqual({
      keyId,
      keyName: 'first',
      organisationId,
      createdBy: null,
      access: 'full',
      isSuspended: false,
    });
    await keys.revoke(COMMAND_LINE, keyId);
    expect(await keys.authenticate(key)).toBeUndefined();
    expect(await keys.authenticate(other.key)).toEqual({
      keyId: other.keyId,
      keyName: 'second',
      organisationId,
      createdBy: null,
      access: 'full',
      isSuspended: false,
    });
    const revokedAt = (await keys.list(organisationId)).find(({ id }) => id === keyId)?.revokedAt;
    await keys.revoke(COMMAND_LINE, keyId);
    expect((await keys.list(organisationId)).find(({ id }) => id === keyId)?.revokedAt).toBe(revokedAt);
  });

  test('a key works until the moment it expires, and is nobody’s from that moment on, also where it is known', {
    tags: ['additions/keys'],
  }, async () => {
    const expiresAt = Date.now() + 3_600_000;
    const { keyId, key } = await keys.create(COMMAND_LINE, organisationId, 'till', { expiresAt, access: 'read' });
    const caller = { keyId, keyName: 'till', organisationId, createdBy: null, access: 'read', isSuspended: false };
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      vi.setSystemTime(expiresAt - 1);
      // The second answer is a known key's.
      expect([await keys.authenticate(key), await keys.authenticate(key)]).toEqual([caller, caller]);
      vi.setSystemTime(expiresAt);
      expect(await keys.authenticate(key)).toBeUndefined();
      expect(await new ApiKeyStore(database).authenticate(key)).toBeUndefined();
      expect(await keys.list(organisationId)).toMatchObject([{ id: keyId, isActive: false, expiresAt }]);
    } finally {
      vi.useRealTimers();
    }
    expect(await keys.list(organisationId)).toMatchObject([{ id: keyId, isActive: true, access: 'read' }]);
  });

  test('a revoked key is nobody’s soon, also where the clock is set back meanwhile', async () => {
    const { keyId, key } = await keys.create(COMMAND_LINE, organisationId, 'till');
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    try {
      expect(await keys.authenticate(key)).toMatchObject({ keyId });
      await new ApiKeyStore(database).revoke(COMMAND_LINE, keyId);
      vi.setSystemTime(Date.now() - 3_600_000);
      vi.advanceTimersByTime(1_000);
      expect(await keys.authenticate(key)).toBeUndefined();
    } finally {
      vi.useRealTimers();
    }
  });

  test('the log of a key keeps what several processes write late, at once', async () => {
    const { keyId } = await keys.create(COMMAND_LINE, organisationId, 'busy');
    const processes = Array.from({ length: 4 }, () => new KeyRequests(database));
    const request = (time: number) => ({
      time,
      method: 'GET',
      path: '/',
      status: 200,
      requestId: `r${time}`,
      address: '',
    });
    processes[0]?.add(keyId, request(1_000));
    await processes[0]?.write();
    // Opens a connection for each: who has to connect first comes too late to race.
    await Promise.all(processes.map((each) => each.list(organisationId, keyId)));
    for (let round = 0; round < 10; round += 1) {
      processes.forEach((each, index) => each.add(keyId, request(10 * round + index)));
      await Promise.all(processes.map((each) => each.write()));
    }
    expect(await processes[0]?.list(organisationId, keyId)).toHaveLength(41);
    expect(await keys.find(organisationId, keyId)).toMatchObject({ lastUsedAt: 1_000 });
  });

  test('a key that is not used any more loses its log and its last address after 90 days', async () => {
    const requests = new KeyRequests(database);
    const request = { method: 'GET', path: '/', status: 200, requestId: 'r', address: '192.0.2.1' };
    const now = Date.now();
    const [old, young] = [
      (await keys.create(COMMAND_LINE, organisationId, 'old')).keyId,
      (await keys.create(COMMAND_LINE, organisationId, 'young')).keyId,
    ];
    requests.add(old, { ...request, time: now - DAY_MS });
    requests.add(young, { ...request, time: now + DAY_MS });
    await requests.write();
    await deleteExpiredOfAccounts(database, Date.now() + 90 * DAY_MS);
    // The process that wrote them may still have them.
    expect(await new KeyRequests(database).list(organisationId, old)).toEqual([]);
    expect(await keys.find(organisationId, old)).toMatchObject({ lastUsedAt: now - DAY_MS, lastUsedAddress: null });
    expect(await keys.find(organisationId, young)).toMatchObject({ lastUsedAddress: '192.0.2.1' });
  });

  test('the log of a key has its last hundred requests, whichever processes answered them', async () => {
    const { keyId, key } = await keys.create(COMMAND_LINE, organisationId, 'busy');
    const other = await keys.create(COMMAND_LINE, organisationId, 'other');
    await keys.authenticate(key);
    const [one, two] = [new KeyRequests(database), new KeyRequests(database)];
    const request = (time: number) => ({
      time,
      method: 'GET',
      path: `/${'ü'.repeat(300)}`,
      status: 200,
      requestId: `r${time}`,
      address: `192.0.2.${time}`,
    });
    for (let time = 1; time <= 240; time += 2) {
      one.add(keyId, request(time));
      two.add(keyId, request(time + 1));
    }
    two.add(other.keyId, { ...request(7), status: null });
    await Promise.all([one.write(), two.write()]);
    const log = await one.list(organisationId, keyId);
    expect(log.map(({ time }) => time)).toEqual(Array.from({ length: 100 }, (_, index) => 240 - index));
    expect(log[0]).toEqual({ ...request(240), path: `/${'ü'.repeat(199)}` });
    expect(await keys.find(organisationId, keyId)).toMatchObject({ lastUsedAt: 240, lastUsedAddress: '192.0.2.240' });
    // A process that writes late does not take back what is newer.
    two.add(keyId, request(100));
    await two.write();
    expect(await keys.find(organisationId, keyId)).toMatchObject({ lastUsedAt: 240 });
    expect(await one.list(organisationId, other.keyId)).toMatchObject([{ time: 7, status: null }]);
    expect(await one.list(newRowId(), keyId)).toEqual([]);
  });

  test('the logs of many keys that wait are bounded', async () => {
    const log = new KeyRequests(database);
    const second = await organisations.create({ name: 'B', ownerEmail: 'b@example.com', credits: 0 });
    const last = await keys.create(COMMAND_LINE, second, 'too much');
    const request = { time: 1, method: 'GET', path: '/', status: 200, requestId: 'r', address: '' };
    for (let count = 0; count < 100; count += 1) {
      const { keyId } = await keys.create(COMMAND_LINE, organisationId, 'k');
      // Of each key a hundred wait, of ten thousand requests in all.
      Array.from({ length: 150 }, () => log.add(keyId, request));
    }
    log.add(last.keyId, request);
    expect(await log.list(second, last.keyId)).toEqual([]);
    await log.write();
    log.add(last.keyId, request);
    expect(await log.list(second, last.keyId)).toHaveLength(1);
  });

  test('the log of a key is read without a write: it has what waits, while the database takes none', async () => {
    const { keyId } = await keys.create(COMMAND_LINE, organisationId, 'one');
    const log = new KeyRequests(database);
    const request = { time: 1, method: 'GET', path: '/', status: 200, requestId: 'r', address: '192.0.2.1' };
    log.add(keyId, request);
    if (kind.name === 'SQLite') await sql.raw('pragma query_only = 1').execute(database);
    expect(await log.list(organisationId, keyId)).toEqual([request]);
    expect(log.lastUse(keyId)).toEqual(request);
    if (kind.name === 'SQLite') await sql.raw('pragma query_only = 0').execute(database);
    expect(await database.selectFrom('key_requests').selectAll().execute()).toEqual([]);
    await log.write();
    expect(await log.list(organisationId, keyId)).toEqual([request]);
  });

  test('an organisation has at most a hundred active keys, also where several are created at once', async () => {
    for (let count = 0; count < 98; count += 1) await keys.create(COMMAND_LINE, organisationId, 'k');
    const created = await Promise.allSettled(
      Array.from({ length: 6 }, () => keys.create(COMMAND_LINE, organisationId, 'k')),
    );
    expect(created.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  });

  test('a revocation waits for the jobs that the key pays in a transaction that has begun', async () => {
    // SQLite has one transaction at a time.
    if (!isMysql(database)) return;
    const { keyId } = await keys.create(COMMAND_LINE, organisationId, 'one');
    const order: string[] = [];
    let revoking: Promise<unknown> = Promise.resolve();
    await transact(database, async (transaction) => {
      const refusalOf = await payerRefusals(transaction, [{ organisationId, origin: { keyId } }]);
      expect(refusalOf({ organisationId, origin: { keyId } })).toBeUndefined();
      revoking = keys.revoke(COMMAND_LINE, keyId).then(() => order.push('revoked'));
      await vi.waitFor(async () => {
        const waits = sql`select 1 from information_schema.processlist where db = database() and info like ${'update `api_keys`%'}`;
        expect((await waits.execute(database)).rows).not.toEqual([]);
      });
      order.push('committed');
    });
    await revoking;
    expect(order).toEqual(['committed', 'revoked']);
  });

  test('a key that many requests bring at once is looked up once', async () => {
    const { keyId, key } = await keys.create(COMMAND_LINE, organisationId, 'first');
    let selects = 0;
    const query = (statement: string) => {
      selects += statement === 'select' ? 1 : 0;
    };
    const observer = { query, connectFailed: () => undefined, connections: () => undefined, wait: () => undefined };
    const observed = openDatabase(url, { observer });
    const store = new ApiKeyStore(observed);
    const callers = await Promise.all(Array.from({ length: 50 }, () => store.authenticate(key)));
    expect(callers).toEqual(
      Array.from({ length: 50 }, () => ({
        keyId,
        keyName: 'first',
        organisationId,
        createdBy: null,
        access: 'full',
        isSuspended: false,
      })),
    );
    expect(selects).toBe(1);
    await observed.destroy();
  });

  test('a revoked key is nobody’s at once, also where it was being looked up', async () => {
    // SQLite has one connection: a revocation waits until the key was looked up.
    if (!isMysql(database)) return;
    const { key } = await keys.create(COMMAND_LINE, organisationId, 'first');
    const [found, answered] = [signal(), signal()];
    let isFirst = true;
    const slow = database.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        if (isFirst) {
          isFirst = false;
          found.reach();
          await answered.reached;
        }
        return result;
      },
    });
    const store = new ApiKeyStore(slow);
    const before = store.authenticate(key);
    await found.reached;
    const { id } = await database.selectFrom('api_keys').select('id').executeTakeFirstOrThrow();
    await store.revoke(COMMAND_LINE, id);
    const after = store.authenticate(key);
    answered.reach();
    await before;
    expect([await after, await store.authenticate(key)]).toEqual([undefined, undefined]);
  });

  test('a key that was never given out is nobody’s; a malformed one is not even looked for', async () => {
    expect(await keys.authenticate(newApiKey())).toBeUndefined();
    await database.schema.dropTable('key_requests').execute();
    await database.schema.dropTable('api_keys').execute();
    for (const malformed of ['', 'qrp_', newApiKey().slice(0, -1)]) {
      expect(await keys.authenticate(malformed)).toBeUndefined();
    }
  });

  test('neither the key nor what it is made from is stored', async () => {
    const { key } = await keys.create(COMMAND_LINE, organisationId, 'first');
    const rows = await database.selectFrom('api_keys').selectAll().execute();
    expect(rows).toMatchObject([storedFormOf(key)]);
    expect(key.startsWith(rows[0]!.prefix)).toBe(true);
    expect(JSON.stringify(rows)).not.toContain(key.slice(rows[0]!.prefix.length, -6));
  });

  test('keys of nobody, and keys that are nobody’s, are not found', async () => {
    await expect(keys.create(COMMAND_LINE, newRowId(), 'x')).rejects.toMatchObject({ code: 'not_found' });
    await expect(keys.revoke(COMMAND_LINE, newRowId())).rejects.toMatchObject({ code: 'not_found' });
  });
});
