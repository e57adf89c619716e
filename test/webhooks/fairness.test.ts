/** One organisation's receivers, however many and slow, do not delay the deliveries of another. */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { insertMembership } from '../../src/account/membership-store.js';
import { OrganisationStore } from '../../src/account/organisation-store.js';
import { insertPerson } from '../../src/account/person-store.js';
import { Team } from '../../src/account/team.js';
import type { Database } from '../../src/database/connection.js';
import { newRowId } from '../../src/database/row-id.js';
import type { Role } from '../../src/database/schema.js';
import { transact } from '../../src/database/transaction.js';
import { AddressGuard } from '../../src/webhooks/address-guard.js';
import { DeliveryStore } from '../../src/webhooks/delivery-store.js';
import { WebhookStore } from '../../src/webhooks/webhook-store.js';
import { WebhookWorker } from '../../src/webhooks/webhook-worker.js';
import { describeOnDatabases, openTestDatabase } from '../support/databases.js';
import { lineLog } from '../support/log.js';

const guard = new AddressGuard(['127.0.0.1']);

describeOnDatabases('deliveries of two organisations', (kind) => {
  let database: Database;
  let closeDatabase: () => Promise<void>;
  let worker: WebhookWorker;
  let server: Server;
  /** Paths that were called, in order. */
  let called: string[];
  /** Leaves calls of this path without an answer. */
  let silent: string;

  beforeEach(async () => {
    ({ database, close: closeDatabase } = await openTestDatabase(kind));
    called = [];
    silent = '';
    server = createServer((request, response) => {
      called.push(request.url ?? '');
      if (request.url !== silent) response.writeHead(204).end();
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    worker = new WebhookWorker({ store: new DeliveryStore(database), guard, log: lineLog(() => undefined) });
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
      const { webhookId } = await new WebhookStore(database, guard).create({ organisationId, url, events });
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
    await expect.poll(() => called.length, { timeout: 20_000 }).toBe(201);
    expect(called.indexOf('/few')).toBeLessThan(5);
  });

  test('are claimed behind more of one organisation than are due first', async () => {
    const many = await outbox('many', 2, 300, Date.now() - 60_000);
    const few = await outbox('few', 1, 1, Date.now() - 1_000);
    const store = new DeliveryStore(database);
    const claimed = await store.claim({ webhooks: [], organisations: [many] });
    expect(claimed).toMatchObject({ organisationId: few, attempts: 0, body: '{}' });
    expect(await store.claim({ webhooks: [], organisations: [many] })).toBeUndefined();
    expect(await store.claim({ webhooks: [], organisations: [] })).toMatchObject({ organisationId: many });
  });

  test('are deleted with their webhook, however many', async () => {
    const many = await outbox('many', 2, 1_100, Date.now());
    const webhooks = new WebhookStore(database, guard);
    const [first, second] = await webhooks.list(many);
    await webhooks.remove(first?.id ?? '');
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
    const team = new Team({ database, baseUrl: 'https://qr.example.com', wakeOutboxWorker: () => undefined });
    const [webhook] = await webhooks.list(organisationId);
    const [removed] = await Promise.allSettled([
      webhooks.removeAs(admin, organisationId, webhook?.id ?? ''),
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
    await webhooks.remove(webhook?.id ?? '');
    expect([(await webhooks.list(organisationId)).length, await deliveries()]).toEqual([0, 0]);
    expect(deletions).toBe(5);
  });

  test('leave a place: receivers of one that do not answer do not hold them all', async () => {
    await outbox('hanging', 5, 1, Date.now() - 60_000);
    silent = '/hanging';
    worker.start();
    await expect.poll(() => called.length).toBeGreaterThan(1);
    await outbox('few', 1, 1, Date.now());
    worker.wake();
    await expect.poll(() => called).toContain('/few');
    expect(called.filter((path) => path === '/hanging').length).toBe(2);
  });
});
