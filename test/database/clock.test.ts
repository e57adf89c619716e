/** A clock that jumps ahead by a year at a start: what has expired by it is kept until it has been so for a day. */

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { locationOfBlobs } from '../../src/config/config.js';
import { DAY_MS } from '../../src/contract/limits.js';
import { postMail } from '../../src/outbox/mail-store.js';
import { COMMAND_LINE } from '../../src/accounts/actor.js';
import { transact } from '../../src/database/transaction.js';
import { describeOnDatabases } from '../support/databases.js';
import { startTestService, type TestService } from '../support/service.js';
import { signUp } from '../support/visitor.js';

describeOnDatabases('a clock that is a year ahead', (kind) => {
  let service: TestService;
  /** Those that ran, the latest first. */
  let services: TestService[];
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    service = await startTestService(kind);
    services = [service];
  });
  afterEach(async () => {
    for (const each of services) await each.close();
    vi.useRealTimers();
  });

  const jump = (ms: number) => vi.setSystemTime(Date.now() + ms);
  /** Starts the service anew on its database, with all sweeps of a start. */
  const sweep = async () => {
    await service.stop();
    const { databaseUrl } = service.config;
    service = await startTestService(kind, { databaseUrl, storage: locationOfBlobs(service.config) });
    services.unshift(service);
  };
  const rows = async () => {
    const { database } = service.admin;
    const tables = ['sessions', 'mails', 'webhook_deliveries', 'idempotency_records'] as const;
    return Promise.all(
      tables.map(async (table) => (await database.selectFrom(table).selectAll().execute()).length > 0),
    );
  };

  it('deletes no session, no mail that was given up, no delivery and no Idempotency-Key', async () => {
    const { database, webhooks } = service.admin;
    const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' };
    const { organisationId } = await signUp(service);
    const webhook = { organisationId, url: 'https://192.88.1.1/', events: ['job.complete'] as const };
    const { webhookId: id } = await webhooks.create(COMMAND_LINE, webhook);
    const givenUp = { attempts: 1, next_attempt_at: null, created_at: Date.now() };
    // In one transaction: the outbox would deliver a mail that is due.
    await transact(database, async (transaction) => {
      await postMail(transaction, 'a@example.org', { subject: 's', text: 't', html: 'h' });
      await transaction.updateTable('mails').set(givenUp).execute();
    });
    await database
      .insertInto('webhook_deliveries')
      .values({ id, webhook_id: id, event: 'test', body: '{}', delivered_at: null, last_outcome: null, ...givenUp })
      .execute();
    const post = () => service.post({ items: [{ data: '1' }] }, { ...headers, 'idempotency-key': 'once' });
    const { jobId } = (await (await post()).json()) as { jobId: string };

    jump(365 * DAY_MS);
    await sweep();
    expect(await rows()).toEqual([true, true, true, true]);
    const replay = await post();
    expect(replay.headers.get('idempotent-replayed')).toBe('true');
    expect(await replay.json()).toMatchObject({ jobId });

    jump(DAY_MS);
    await sweep();
    await expect.poll(rows).toEqual([false, false, false, false]);
    expect((await post()).headers.has('idempotent-replayed')).toBe(false);
  });
});
