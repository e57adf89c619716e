import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { OrganisationStore } from '../../src/account/organisation-store.js';
import type { Database } from '../../src/database/connection.js';
import { newRowId } from '../../src/database/row-id.js';
import { transact } from '../../src/database/transaction.js';
import { type Claim, IdempotencyStore, recordAnswer } from '../../src/jobs/idempotency-store.js';
import { receiptOf } from '../../src/jobs/job.js';
import { newJob } from '../../src/jobs/new-job-store.js';
import { describeOnDatabases, openTestDatabase } from '../support/databases.js';

describeOnDatabases('a claimed Idempotency-Key', (kind) => {
  let database: Database;
  let close: () => Promise<void>;
  let store: IdempotencyStore;
  let claim: Claim;
  beforeEach(async () => {
    ({ database, close } = await openTestDatabase(kind));
    store = new IdempotencyStore(database);
    const owner = { name: 'Example', ownerEmail: 'owner@example.org', credits: 0 };
    const organisationId = await new OrganisationStore(database).create(owner);
    claim = { organisationId, keyHash: 'a'.repeat(64), jobId: newRowId() };
    await store.claim(claim);
  });
  afterEach(() => close());

  const expiry = async () =>
    (await database.selectFrom('idempotency_records').select('expires_at').executeTakeFirstOrThrow()).expires_at;

  it('is free again when the work fails', async () => {
    await expect(store.hold(claim, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    expect(await store.claim(claim)).toBeUndefined();
  });

  it('stays answered when the work fails behind its answer, whose commit was not heard of', async () => {
    const fingerprint = 'b'.repeat(64);
    const { jobId: id, organisationId } = claim;
    const times = { createdAt: Date.now(), expiresAt: Date.now() };
    const job = newJob({
      id,
      token: newRowId(),
      organisationId,
      origin: {},
      sendEmail: false,
      warnings: [],
      total: 1,
      spoolBytes: 1,
      chunks: [],
      ...times,
    });
    const work = async () => {
      await transact(database, (transaction) => recordAnswer(transaction, { ...claim, fingerprint }, job));
      throw new Error('the connection was lost');
    };
    await expect(store.hold(claim, work)).rejects.toThrow('the connection was lost');
    expect(await store.claim({ ...claim, jobId: newRowId() })).toEqual({ fingerprint, receipt: receiptOf(job) });
  });

  it('is kept for as long as the work takes', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      let finish = () => undefined as void;
      const held = store.hold(claim, () => new Promise<void>((resolve) => (finish = resolve)));
      await database.updateTable('idempotency_records').set({ expires_at: 0 }).execute();
      vi.advanceTimersByTime(10_000);
      await vi.waitFor(async () => expect(await expiry()).toBeGreaterThan(Date.now() + 10_000), { timeout: 10_000 });
      finish();
      await held;
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});
