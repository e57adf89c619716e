import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { OrganisationStore } from '../../src/accounts/organisations/organisation-store.js';
import type { Database } from '../../src/database/connection.js';
import { newRowId } from '../../src/database/row-id.js';
import { type Claim, IdempotencyStore, recordAnswer } from '../../src/jobs/idempotency-store.js';
import { receiptOf } from '../../src/jobs/job.js';
import { newJob } from '../../src/jobs/new-job-store.js';
import { describeOnDatabases, openTestDatabase } from '../support/databases.js';

const FINGERPRINT = 'b'.repeat(64);

/** The job that a claim becomes. */
const jobOf = ({ jobId: id, organisationId }: Claim) =>
  newJob({
    id,
    token: newRowId(),
    organisationId,
    origin: {},
    sendEmail: false,
    warnings: [],
    total: 1,
    spoolBytes: 1,
    chunks: [],
    createdAt: Date.now(),
    expiresAt: Date.now(),
  });

describeOnDatabases('a claimed Idempotency-Key', (kind) => {
  let database: Database;
  let close: () => Promise<void>;
  let store: IdempotencyStore;
  let claim: Claim;
  beforeEach(async () => {
    ({ database, close } = await openTestDatabase(kind));
    store = new IdempotencyStore(database, 'me');
    const owner = { name: 'Example', ownerEmail: 'owner@example.org', credits: 0 };
    const organisationId = await new OrganisationStore(database).create(owner);
    claim = { organisationId, keyHash: 'a'.repeat(64), jobId: newRowId() };
    await store.claim(claim);
  });
  afterEach(() => close());

  /** Answers as the creation of a job does, but does not try again after a deadlock. */
  const answer = (answered: Claim, job = jobOf(answered)) =>
    database
      .transaction()
      .execute((transaction) => recordAnswer(transaction, { ...answered, fingerprint: FINGERPRINT }, job));

  const expiry = async () =>
    (await database.selectFrom('idempotency_records').select('expires_at').executeTakeFirstOrThrow()).expires_at;

  it('is free again when the work fails', async () => {
    await expect(store.hold(claim, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    expect(await store.claim(claim)).toBeUndefined();
  });

  it('stays answered when the work fails behind its answer, whose commit was not heard of', async () => {
    const job = jobOf(claim);
    const work = async () => {
      await answer(claim, job);
      throw new Error('the connection was lost');
    };
    await expect(store.hold(claim, work)).rejects.toThrow('the connection was lost');
    const receipt = receiptOf(job);
    expect(await store.claim({ ...claim, jobId: newRowId() })).toEqual({ fingerprint: FINGERPRINT, receipt });
  });

  // SQLite has one writer at a time.
  it.skipIf(kind.name === 'SQLite')('is answered while others are claimed, without a deadlock', async () => {
    await database.transaction().execute(async (transaction) => {
      await transaction
        .selectFrom('idempotency_records')
        .select('job_id')
        .where('organisation_id', '=', claim.organisationId)
        .where('key_hash', '=', claim.keyHash)
        .forUpdate()
        .execute();
      expect(await store.claim({ ...claim, keyHash: 'c'.repeat(64), jobId: newRowId() })).toBeUndefined();
      const answered = { ...claim, fingerprint: FINGERPRINT };
      expect(await recordAnswer(transaction, answered, jobOf(claim))).toBe(true);
    });
  });

  it('passes to one of several requests when the process that held it is silent', async () => {
    await database.updateTable('idempotency_records').set({ expires_at: Date.now() }).execute();
    const others = Array.from({ length: 8 }, () => store.claim({ ...claim, jobId: newRowId() }));
    const outcomes = await Promise.allSettled(others);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toEqual([
      { status: 'fulfilled', value: undefined },
    ]);
    expect(await answer(claim)).toBe(false);
  });

  it('is free again when its process has died, and the clock has jumped back since', async () => {
    await database
      .updateTable('idempotency_records')
      .set({ expires_at: Date.now() + 3_600_000 })
      .execute();
    expect(await store.claim({ ...claim, jobId: newRowId() })).toBeUndefined();
  });

  it('is free again once the database answers, when it could not be released at once', async () => {
    let failures = 3;
    const cut = database.withPlugin({
      transformQuery: ({ node }) => {
        if (node.kind === 'DeleteQueryNode' && failures > 0) {
          failures -= 1;
          throw Object.assign(new Error('the connection was cut'), { code: 'PROTOCOL_CONNECTION_LOST' });
        }
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const failed = new IdempotencyStore(cut, 'me').hold(claim, () => Promise.reject(new Error('refused')));
    await expect(failed).rejects.toThrow('refused');
    await vi.waitFor(async () => expect(await store.claim({ ...claim, jobId: newRowId() })).toBeUndefined(), 5_000);
    expect(failures).toBe(0);
  });

  it('is free again when the next start finds that its process has died', async () => {
    const answered = { ...claim, keyHash: 'c'.repeat(64), jobId: newRowId() };
    await store.claim(answered);
    await answer(answered);
    const living = { ...claim, keyHash: 'd'.repeat(64), jobId: newRowId() };
    await new IdempotencyStore(database, 'other').claim(living);
    await store.releaseAll('me');
    expect(await store.claim({ ...claim, jobId: newRowId() })).toBeUndefined();
    expect(await store.claim({ ...answered, jobId: newRowId() })).toMatchObject({ fingerprint: FINGERPRINT });
    await expect(store.claim({ ...living, jobId: newRowId() })).rejects.toMatchObject({ code: 'request_in_progress' });
  });

  it('is kept for as long as the work takes', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      let finish = () => undefined as void;
      const held = store.hold(claim, () => new Promise<void>((resolve) => (finish = resolve)));
      await database.updateTable('idempotency_records').set({ expires_at: 0 }).execute();
      vi.advanceTimersByTime(4_000);
      await vi.waitFor(async () => expect(await expiry()).toBeGreaterThan(Date.now() + 5_000), { timeout: 10_000 });
      finish();
      await held;
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});
