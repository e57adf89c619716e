/** `QRPRESS_CREDITS=unlimited`: jobs are counted in the ledger, and none is refused for its cost. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { COMMAND_LINE } from '../../src/accounts/actor.js';
import { WebhookStore } from '../../src/accounts/webhook-store.js';
import { AddressGuard } from '../../src/outbox/address-guard.js';
import { describeOnDatabases } from '../support/databases.js';
import { startTestService, type TestService } from '../support/service.js';

describeOnDatabases('unlimited credits', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind, { credits: 'unlimited' });
  });
  afterAll(() => service.close());

  const items = (count: number) => ({ items: Array.from({ length: count }, (_, index) => ({ data: String(index) })) });
  const entries = (organisationId: string) =>
    service.admin.database
      .selectFrom('ledger_entries')
      .select(['kind', 'amount', 'balance_after'])
      .where('organisation_id', '=', organisationId)
      .orderBy('id')
      .execute();

  it('pays what the balance does not suffice for by a grant, in the same transaction', async () => {
    const { organisationId, key } = await service.createAccount(3);
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
    await service.submit(items(2), headers);
    const job = await service.submit(items(5), headers);
    expect(job.creditsCharged).toBe(5);
    expect(await entries(organisationId)).toEqual([
      { kind: 'grant', amount: 3, balance_after: 3 },
      { kind: 'charge', amount: -2, balance_after: 1 },
      { kind: 'grant', amount: 5, balance_after: 6 },
      { kind: 'charge', amount: -5, balance_after: 1 },
    ]);
  });

  it('keeps the balance right for jobs that are posted at once', async () => {
    const { organisationId, key } = await service.createAccount(1);
    const jobs = await Promise.all(
      Array.from({ length: 8 }, () =>
        service.submit(items(2), { 'content-type': 'application/json', authorization: `Bearer ${key}` }),
      ),
    );
    expect(new Set(jobs.map(({ jobId }) => jobId)).size).toBe(8);
    expect(await service.admin.ledger.balance(organisationId)).toBe(1);
    const sum = (await entries(organisationId)).reduce((total, { amount }) => total + amount, 0);
    expect(sum).toBe(1);
  });

  it('says of no job that credits run low', async () => {
    const { organisationId, key } = await service.createAccount(3);
    const { database } = service.admin;
    await database.updateTable('organisations').set({ low_balance: 4 }).where('id', '=', organisationId).execute();
    await new WebhookStore(database, new AddressGuard(['127.0.0.1'])).create(COMMAND_LINE, {
      organisationId,
      url: 'http://127.0.0.1:9',
      events: ['credits.low'],
    });
    for (let jobs = 0; jobs < 2; jobs += 1) {
      await service.submit(items(5), { 'content-type': 'application/json', authorization: `Bearer ${key}` });
    }
    expect(await database.selectFrom('webhook_deliveries').select('event').execute()).toEqual([]);
  });

  it('validates every job as sufficient', async () => {
    const { key } = await service.createAccount(1);
    const response = await service.fetch('/api/v1/jobs/validate', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify(items(4)),
    });
    expect(await response.json()).toEqual({ total: 4, creditsRequired: 4, balance: 1, sufficient: true });
  });
});
