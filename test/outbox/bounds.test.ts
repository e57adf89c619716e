/** The deliveries of a webhook are stored in bounds, however many its organisation makes. */

import { expect, test } from 'vitest';
import { COMMAND_LINE } from '../../src/accounts/actor.js';
import { OrganisationStore } from '../../src/accounts/organisations/organisation-store.js';
import { LIMITS } from '../../src/contract/limits.js';
import { newRowId } from '../../src/database/row-id.js';
import { AddressGuard } from '../../src/outbox/address-guard.js';
import { DeliveryStore, UNTIL_RESUMED } from '../../src/outbox/delivery-store.js';
import { WebhookStore } from '../../src/accounts/webhook-store.js';
import { describeOnDatabases, openTestDatabase } from '../support/databases.js';

const { waiting, settled } = LIMITS.webhookDeliveries;
const MINUTE_MS = 60_000;

/** Rows that one step of a sweep may leave over. */
const STEP = 500;

describeOnDatabases('deliveries of a webhook', (kind) => {
  async function open() {
    const { database, close } = await openTestDatabase(kind);
    const organisations = new OrganisationStore(database);
    const organisationId = await organisations.create({ name: 'N', ownerEmail: 'a@example.org', credits: 0 });
    const webhooks = new WebhookStore(database, new AddressGuard(['127.0.0.1']));
    const webhook = { organisationId, url: 'http://127.0.0.1:9/', events: ['job.complete'] as const };
    const create = () => webhooks.create(COMMAND_LINE, webhook);
    return { database, close, store: new DeliveryStore(database), create };
  }

  test('are given up from the oldest where too many wait or wait too long, and forgotten where too many are settled', async () => {
    const { database, close, store, create } = await open();
    try {
      const [{ webhookId: busy }, { webhookId: calm }] = [await create(), await create()];
      const { webhookId: paused } = await create();
      const now = Date.now();
      /** Deliveries, the oldest first. */
      const add = async (webhookId: string, count: number, nextAttemptAt: (index: number) => number | null) => {
        const rows = Array.from({ length: count }, (_, index) => ({
          id: newRowId(),
          webhook_id: webhookId,
          event: 'job.complete',
          body: '{}',
          attempts: 0,
          next_attempt_at: nextAttemptAt(index),
          delivered_at: null,
          last_outcome: null,
          created_at: now - MINUTE_MS + index,
        }));
        for (let first = 0; first < count; first += 1_000) {
          await database
            .insertInto('webhook_deliveries')
            .values(rows.slice(first, first + 1_000))
            .execute();
        }
        return rows.map(({ id }) => id);
      };
      const old = await add(busy, settled + 2 * STEP, () => null);
      // The oldest are being delivered, the second since the sweep began, and others wait for their next attempt.
      const busyUntil = [now + 20_000, now + 45_000];
      const all = await add(
        busy,
        waiting + 2 * STEP,
        (index) => busyUntil[index] ?? (index % 2 === 0 ? now - 1 : now + 5 * MINUTE_MS),
      );
      const [claimed, waits] = [all.slice(0, 2), all.slice(2)];
      await add(calm, 100, (index) => (index % 2 === 0 ? null : now));
      const isPaused = { failures: 20, paused_until: now + 10 * MINUTE_MS };
      await database.updateTable('webhooks').set(isPaused).where('id', '=', paused).execute();
      const { webhookId: stopped } = await create();
      await database.updateTable('webhooks').set({ stopped_at: now }).where('id', '=', stopped).execute();
      const [stoppedLong] = await add(stopped, 1, () => now - 25 * 60 * MINUTE_MS);
      const [waitedLong, ...waitedLess] = await add(paused, 3, (index) => now - (25 - 2 * index) * 60 * MINUTE_MS);

      await store.sweep(now);

      const rows = await database
        .selectFrom('webhook_deliveries')
        .select(['id', 'webhook_id as webhookId', 'next_attempt_at as nextAttemptAt', 'last_outcome as lastOutcome'])
        .execute();
      expect(rows.filter(({ webhookId }) => webhookId === calm)).toHaveLength(100);
      const left = new Map(rows.map((row) => [row.id, row]));
      expect(claimed.map((id) => left.get(id)?.nextAttemptAt)).toEqual(busyUntil);
      const stillWaiting = waits.filter((id) => left.get(id)?.nextAttemptAt !== null);
      expect(stillWaiting.length).toBeGreaterThanOrEqual(waiting);
      expect(stillWaiting.length).toBeLessThanOrEqual(waiting + STEP);
      expect(stillWaiting).toEqual(waits.slice(-stillWaiting.length));
      expect(left.get(waits[0] ?? '')?.lastOutcome).toBe('20,000 later events waited.');
      expect(left.get(stoppedLong ?? '')).toMatchObject({ nextAttemptAt: null });
      expect(left.get(waitedLong ?? '')).toMatchObject({
        nextAttemptAt: null,
        lastOutcome: 'The webhook was paused for a day.',
      });
      expect(waitedLess.map((id) => left.get(id)?.nextAttemptAt)).not.toContain(null);
      const kept = old.filter((id) => left.has(id));
      expect(kept.length).toBeGreaterThanOrEqual(settled);
      expect(kept.length).toBeLessThanOrEqual(settled + STEP);
      expect(kept).toEqual(old.slice(-kept.length));
    } finally {
      await close();
    }
  }, 60_000);

  test('are made, and end a pause, that a clock put off which has jumped back since', async () => {
    const { database, close, store, create } = await open();
    try {
      const [now, day] = [Date.now(), 24 * 60 * MINUTE_MS];
      const add = async (pausedUntil: number, nextAttemptAt: number) => {
        const { webhookId } = await create();
        await database.updateTable('webhooks').set({ paused_until: pausedUntil }).where('id', '=', webhookId).execute();
        const delivery = { id: newRowId(), webhook_id: webhookId, event: 'job.complete', body: '{}', attempts: 1 };
        await database
          .insertInto('webhook_deliveries')
          .values({ ...delivery, next_attempt_at: nextAttemptAt, created_at: now })
          .execute();
        return webhookId;
      };
      const putOff = await add(now + 365 * day, now + 365 * day);
      await add(now + day - MINUTE_MS, now);
      await add(now, now + day - MINUTE_MS);
      await add(UNTIL_RESUMED, now);
      await store.sweep();
      expect((await store.due()).map(({ receiver }) => receiver)).toEqual([putOff]);
    } finally {
      await close();
    }
  });
});
