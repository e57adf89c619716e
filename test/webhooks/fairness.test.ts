/** One organisation's receivers, however many and slow, do not delay the deliveries of another. */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { OrganisationStore } from '../../src/account/organisation-store.js';
import type { Database } from '../../src/database/connection.js';
import { newRowId } from '../../src/database/row-id.js';
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
  async function outbox(name: string, webhooks: number, deliveries: number, dueAt: number): Promise<void> {
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
  }

  test('take turns: the one of a few goes before the rest of the one of many', async () => {
    await outbox('many', 5, 40, Date.now() - 60_000);
    await outbox('few', 1, 1, Date.now() - 1_000);
    worker.start();
    await expect.poll(() => called.length, { timeout: 20_000 }).toBe(201);
    expect(called.indexOf('/few')).toBeLessThan(5);
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
