/** One organisation's receivers, however many and slow, do not delay the deliveries of another. */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { COMMAND_LINE } from '../../src/accounts/actor.js';
import { insertMembership } from '../../src/accounts/organisations/membership-store.js';
import { webhookPausedMail } from '../../src/accounts/organisations/notice-store.js';
import { OrganisationStore } from '../../src/accounts/organisations/organisation-store.js';
import { insertPerson } from '../../src/accounts/people/person-store.js';
import { Team } from '../../src/accounts/organisations/team.js';
import type { Database } from '../../src/database/connection.js';
import { newRowId } from '../../src/database/row-id.js';
import type { Role } from '../../src/database/schema.js';
import { transact } from '../../src/database/transaction.js';
import { AddressGuard } from '../../src/outbox/address-guard.js';
import { type ClaimedDelivery, DeliveryStore } from '../../src/outbox/delivery-store.js';
import { postEvents } from '../../src/outbox/event-store.js';
import { WebhookStore } from '../../src/accounts/webhook-store.js';
import { Outbox, pauseMs } from '../../src/outbox/outbox.js';
import { webhookKind } from '../../src/outbox/webhook-kind.js';
import { describeOnDatabases, openTestDatabase, sqlite } from '../support/databases.js';
import { lineLog } from '../support/log.js';

/** For a loaded machine. */
const PATIENCE = { timeout: 20_000 };

const guard = new AddressGuard(['127.0.0.1']);

describeOnDatabases('deliveries of two organisations', (kind) => {
  let database: Database;
  let closeDatabase: () => Promise<void>;
  let store: DeliveryStore;
  let worker: Outbox<ClaimedDelivery>;
  let server: Server;
  /** Paths that were called, in order. */
  let called: string[];
  /** Leaves calls of paths that begin like this without an answer. */
  let silent: string;
  /** Answers calls of this path with 500. */
  let failing: string;

  beforeEach(async () => {
    ({ database, close: closeDatabase } = await openTestDatabase(kind));
    called = [];
    silent = '/silent';
    failing = '/failing';
    server = createServer((request, response) => {
      called.push(request.url ?? '');
      if (!request.url?.startsWith(silent)) response.writeHead(request.url === failing ? 500 : 204).end();
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    store = new DeliveryStore(database, webhookPausedMail({ baseUrl: 'https://qr.example.com' }));
    worker = new Outbox({ kind: webhookKind(store, guard, [10]), log: lineLog() });
  });
  afterEach(async () => {
    await worker.close();
    server.closeAllConnections();
    server.close();
    await closeDatabase();
  });

  /** An organisation with so many webhooks, each with so many deliveries that are due. */
  async function outbox(name: string, webhooks: number, deliveries: number, dueAt: number): Promise<string> {
    const organisationId = await new OrganisationStore(database).create({
      name,
      ownerEmail: 'a@example.org',
      credits: 0,
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${name}`;
    for (let webhook = 0; webhook < webhooks; webhook += 1) {
      const events = ['job.complete'] as const;
      const { webhookId } = await new WebhookStore(database, guard).create(COMMAND_LINE, {
        organisationId,
        url,
        events,
      });
      const rows = Array.from({ length: deliveries }, () => ({
        id: newRowId(),
        webhook_id: webhookId,
        event: 'job.complete',
        body: '{}',
        attempts: 0,
        next_attempt_at: dueAt,
        delivered_at: null,
        last_outcome: null,
        created_at: dueAt,
      }));
      await database.insertInto('webhook_deliveries').values(rows).execute();
    }
    return organisationId;
  }

  test('take turns: the one of a few goes before the rest of the one of many', async () => {
    await outbox('many', 5, 40, Date.now() - 60_000);
    await outbox('few', 1, 1, Date.now() - 1_000);
    worker.start();
    await expect.poll(() => called.length, PATIENCE).toBe(201);
    expect(called.indexOf('/few')).toBeLessThan(5);
  });

  test('are claimed behind more of one organisation than are due first', async () => {
    const many = await outbox('many', 2, 300, Date.now() - 60_000);
    const few = await outbox('few', 1, 1, Date.now() - 1_000);
    const due = await store.due();
    expect(due.map(({ organisationId }) => organisationId)).toEqual([many, many, few]);
    const [, , last] = due;
    const claimed = last && (await store.claim(last, 30_000));
    expect(claimed).toMatchObject({ attempts: 0, body: '{}' });
    expect(last && (await store.claim(last, 30_000))).toBeUndefined();
    expect((await store.due()).map(({ organisationId }) => organisationId)).toEqual([many, many]);
  });

  test('are deleted with their webhook, however many', async () => {
    const many = await outbox('many', 2, 1_100, Date.now());
    const webhooks = new WebhookStore(database, guard);
    const [first, second] = await webhooks.list(many);
    await webhooks.remove(COMMAND_LINE, first?.id ?? '');
    const left = await database.selectFrom('webhook_deliveries').select('webhook_id').distinct().execute();
    expect(left).toEqual([{ webhook_id: second?.id }]);
    expect(await webhooks.list(many)).toHaveLength(1);
  });

  /** A person with this role in an organisation. */
  const add = (organisationId: string, name: string, role: Role) =>
    transact(database, async (transaction) => {
      const personId = await insertPerson(transaction, { name, email: `${name}@example.org`, passwordHash: null });
      await insertMembership(transaction, organisationId, personId, role);
      return { personId, address: '192.0.2.1' };
    });

  const deliveries = async () => (await database.selectFrom('webhook_deliveries').select('id').execute()).length;

  test('are deleted with their webhook, although the person who asked for it loses the role meanwhile', async () => {
    const organisationId = await outbox('many', 1, 1_100, Date.now());
    const [owner, admin] = [await add(organisationId, 'ada', 'owner'), await add(organisationId, 'grace', 'admin')];
    const webhooks = new WebhookStore(database, guard);
    const team = new Team({ database, baseUrl: 'https://qr.example.com' });
    const [webhook] = await webhooks.list(organisationId);
    const [removed] = await Promise.allSettled([
      webhooks.remove(admin, webhook?.id ?? ''),
      team.changeRole(owner, organisationId, admin.personId, 'member'),
    ]);
    // On MariaDB the role may be gone before the first look at it.
    const left = removed.status === 'fulfilled' ? [0, 0] : [1, 1_100];
    expect([(await webhooks.list(organisationId)).length, await deliveries()]).toEqual(left);
  });

  test('are deleted with their webhook after a deadlock', async () => {
    const organisationId = await outbox('many', 1, 600, Date.now());
    let deletions = 0;
    const deadlocking = database.withPlugin({
      transformQuery: ({ node }) => {
        deletions += node.kind === 'DeleteQueryNode' ? 1 : 0;
        // The first deletion of deliveries, and the webhook's.
        if (node.kind === 'DeleteQueryNode' && [1, 4].includes(deletions)) {
          throw Object.assign(new Error('Deadlock found'), { errno: 1213 });
        }
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const webhooks = new WebhookStore(deadlocking, guard);
    const [webhook] = await webhooks.list(organisationId);
    await webhooks.remove(COMMAND_LINE, webhook?.id ?? '');
    expect([(await webhooks.list(organisationId)).length, await deliveries()]).toEqual([0, 0]);
    expect(deletions).toBe(5);
  });

  // SQLite lets one transaction run at a time.
  test.skipIf(kind === sqlite)('whose webhook is deleted while they are posted fail nothing else', async () => {
    const organisationId = await outbox('one', 2, 1, Date.now());
    const webhooks = new WebhookStore(database, guard);
    const [first, second] = await webhooks.list(organisationId);
    let insertions = 0;
    const posted = transact(database, (transaction) => {
      const executeQuery: typeof transaction.executeQuery = async (query) => {
        if ('sql' in query && query.sql.startsWith('insert into `webhook_deliveries`')) {
          insertions += 1;
          if (insertions === 1) await webhooks.remove(COMMAND_LINE, first?.id ?? '');
        }
        return transaction.executeQuery(query);
      };
      const deleting = new Proxy(transaction, {
        get: (target, name) => {
          const value: unknown = name === 'executeQuery' ? executeQuery : Reflect.get(target, name, target);
          return typeof value === 'function' ? (value.bind(target) as unknown) : value;
        },
      });
      return postEvents(deleting, [{ organisationId, type: 'job.complete', data: () => ({}) }]);
    });
    await posted;
    const left = await database.selectFrom('webhook_deliveries').select('webhook_id').execute();
    expect(left).toEqual([{ webhook_id: second?.id }, { webhook_id: second?.id }]);
    expect(insertions).toBe(2);
  });

  test('leave places: receivers of one that do not answer hold four at most', async () => {
    await outbox('silent', 5, 1, Date.now() - 60_000);
    worker.start();
    await expect.poll(() => called.length, PATIENCE).toBeGreaterThan(3);
    await outbox('few', 1, 1, Date.now());
    worker.wake();
    await expect.poll(() => called, PATIENCE).toContain('/few');
    expect(called.filter((path) => path === '/silent').length).toBe(4);
  });

  test('arrive within a second beside thirty organisations whose receivers never answer', async () => {
    for (let index = 0; index < 30; index += 1) {
      await outbox(`silent-${index}`, 3, 4, Date.now() - 60_000);
    }
    worker.start();
    await expect.poll(() => new Set(called).size, PATIENCE).toBe(30);
    const waitsMs: number[] = [];
    for (let event = 1; event <= 20; event += 1) {
      await outbox(`healthy-${event}`, 1, 1, Date.now());
      const start = performance.now();
      worker.wake();
      // A silent receiver is given ten seconds.
      await expect.poll(() => called, { timeout: 5_000, interval: 5 }).toContain(`/healthy-${event}`);
      waitsMs.push(performance.now() - start);
    }
    expect(waitsMs.toSorted((a, b) => a - b)[10]).toBeLessThan(1_000);
  });

  test('arrive beside more receivers that failed and never answer than there are places', async () => {
    for (let index = 0; index < 60; index += 1) {
      await outbox(`silent-${index}`, 1, 1, Date.now() - 60_000);
    }
    await database.updateTable('webhooks').set({ failures: 1 }).execute();
    worker.start();
    await expect.poll(() => new Set(called).size, PATIENCE).toBeGreaterThanOrEqual(25);
    await outbox('healthy', 1, 1, Date.now());
    worker.wake();
    // A silent receiver is given ten seconds.
    await expect.poll(() => called, { timeout: 5_000, interval: 5 }).toContain('/healthy');
  });

  test('wait while their webhook is paused after failures; its other webhooks go on', async () => {
    const organisationId = await outbox('failing', 1, 20, Date.now() - 60_000);
    worker.start();
    await expect.poll(() => called.length, PATIENCE).toBe(5);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/other`;
    const webhooks = new WebhookStore(database, guard);
    const { webhookId } = await webhooks.create(COMMAND_LINE, { organisationId, url, events: ['job.complete'] });
    await transact(database, (transaction) =>
      postEvents(transaction, [{ organisationId, type: 'job.complete', data: () => ({}) }]),
    );
    worker.wake();
    await expect.poll(() => called, PATIENCE).toContain('/other');
    expect(called.filter((path) => path === '/failing')).toHaveLength(5);
    const [paused, other] = await webhooks.list(organisationId);
    expect(paused).toMatchObject({ failures: 5 });
    expect(paused?.pausedUntil).toBeGreaterThan(Date.now());
    expect(other).toMatchObject({ id: webhookId, failures: 0, pausedUntil: null });
    expect(await store.paused()).toBe(1);
    expect(await store.figures()).toMatchObject({ waiting: 21, overdueSeconds: 0 });
    // The next failures are no news.
    await database.updateTable('webhooks').set({ paused_until: null }).where('failures', '=', 5).execute();
    worker.wake();
    await expect.poll(async () => (await webhooks.list(organisationId))[0]?.failures, PATIENCE).toBe(6);
    const mails = await database.selectFrom('mails').selectAll().execute();
    expect(mails).toMatchObject([{ recipient: 'a@example.org', subject: 'A webhook of failing is failing' }]);
    expect(mails[0]?.text).toContain(`https://qr.example.com/account/o/${organisationId}/webhooks/${paused?.id}`);
  });

  test('go to a new address at once, although a call of the old one fails later', async () => {
    const organisationId = await outbox('old', 1, 1, Date.now());
    await database
      .updateTable('webhooks')
      .set({ failures: 8, paused_until: Date.now() - 1 })
      .execute();
    const [due] = await store.due();
    const call = due && (await store.claim(due, 30_000));
    const owner = await add(organisationId, 'ada', 'owner');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/new`;
    const webhooks = new WebhookStore(database, guard);
    await webhooks.change(owner, call?.webhookId ?? '', { url, events: ['job.complete'] });
    if (call) await store.settle(call, { outcome: 'failed', text: 'HTTP 500', nextAttemptAt: Date.now() });
    expect(await webhooks.list(organisationId)).toMatchObject([{ url, failures: 0, pausedUntil: null }]);
    worker.start();
    await expect.poll(() => called, PATIENCE).toEqual(['/new']);
  });

  test('count no failure and no success of a call whose claim was lost meanwhile', async () => {
    const organisationId = await outbox('slow', 1, 1, Date.now());
    await database.updateTable('webhooks').set({ failures: 2 }).execute();
    const [due] = await store.due();
    const call = due && (await store.claim(due, 30_000));
    if (call === undefined) throw new Error('nothing was due');
    // Its lease ran out, and another process has claimed it.
    await database
      .updateTable('webhook_deliveries')
      .set({ next_attempt_at: call.leasedUntil + 30_000 })
      .execute();
    const failures = async () => (await new WebhookStore(database, guard).list(organisationId))[0]?.failures;
    await store.settle(call, { outcome: 'failed', text: 'HTTP 500', nextAttemptAt: Date.now() });
    expect(await failures()).toBe(2);
    await store.settle(call, { outcome: 'delivered', text: 'HTTP 204', nextAttemptAt: null });
    expect(await failures()).toBe(2);
    expect(await database.selectFrom('webhook_deliveries').select('attempts').execute()).toEqual([{ attempts: 0 }]);
  });

  test('follow at once when the first call after a pause succeeds', async () => {
    const organisationId = await outbox('failing', 1, 12, Date.now() - 60_000);
    const paused = { failures: 8, paused_until: Date.now() + 60_000 };
    await database.updateTable('webhooks').set(paused).execute();
    expect(await store.due()).toEqual([]);
    await database
      .updateTable('webhooks')
      .set({ paused_until: Date.now() - 1 })
      .execute();
    // One fails, and the pause grows.
    worker.start();
    await expect
      .poll(async () => (await new WebhookStore(database, guard).list(organisationId))[0]?.failures, PATIENCE)
      .toBe(9);
    expect(called).toHaveLength(1);
    failing = '';
    await database.updateTable('webhooks').set({ paused_until: null }).execute();
    worker.wake();
    await expect.poll(() => called.length, PATIENCE).toBe(13);
    expect((await new WebhookStore(database, guard).list(organisationId))[0]).toMatchObject({ failures: 0 });
  });
});

test('pauses begin with the fifth failure, double, and end at 15 minutes', () => {
  const seconds = Array.from({ length: 16 }, (_, failures) => pauseMs(failures) / 1_000);
  expect(seconds).toEqual([0, 0, 0, 0, 0, 5, 10, 20, 40, 80, 160, 320, 640, 900, 900, 900]);
});
