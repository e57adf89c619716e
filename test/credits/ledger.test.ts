/** Money: what can be paid is paid exactly once, on every database, however many ask at once. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import { OrganisationStore } from '../../src/accounts/organisation-store.js';
import { LedgerReportStore } from '../../src/credits/ledger-report-store.js';
import { chargeJob, chargeJobs, Ledger, refundJob } from '../../src/credits/ledger-store.js';
import type { Database } from '../../src/database/connection.js';
import { newRowId } from '../../src/database/row-id.js';
import { transact } from '../../src/database/transaction.js';
import { readWrongDays } from '../../src/cli/verify-store.js';
import { describeOnDatabases, openTestDatabase } from '../support/databases.js';

describeOnDatabases('the ledger', (kind) => {
  let database: Database;
  let close: () => Promise<void>;
  let ledger: Ledger;
  let organisationId: string;

  beforeEach(async () => {
    ({ database, close } = await openTestDatabase(kind));
    ledger = new Ledger(database);
    organisationId = await new OrganisationStore(database).create({
      name: 'Acme',
      ownerEmail: 'a@example.com',
      credits: 100,
    });
  });
  afterEach(() => close());

  const charge = (credits: number, jobId = newRowId()) =>
    transact(database, (transaction) => chargeJob(transaction, { organisationId, jobId, credits }));
  const refund = (credits: number, jobId: string) =>
    transact(database, (transaction) => refundJob(transaction, { organisationId, jobId, credits }, 'job failed'));
  const entries = () =>
    database.selectFrom('ledger_entries').select(['kind', 'amount', 'balance_after', 'job_id']).orderBy('id').execute();

  test('keeps an entry for every change', async () => {
    const jobId = newRowId();
    await charge(40, jobId);
    await refund(15, jobId);
    expect(await ledger.grant(organisationId, 5, 'goodwill')).toBe(80);
    expect(await ledger.balance(organisationId)).toBe(80);
    expect(await entries()).toEqual([
      { kind: 'grant', amount: 100, balance_after: 100, job_id: null },
      { kind: 'charge', amount: -40, balance_after: 60, job_id: jobId },
      { kind: 'refund', amount: 15, balance_after: 75, job_id: jobId },
      { kind: 'grant', amount: 5, balance_after: 80, job_id: null },
    ]);
  });

  test('adds up each day and key what is charged and refunded, and admin verify tells where it does not', async () => {
    const reports = new LedgerReportStore(database);
    const [first, second] = [newRowId(), newRowId()];
    const job = (credits: number, keyId?: string) => ({
      organisationId,
      jobId: newRowId(),
      credits,
      origin: { keyId },
    });
    const failed = job(20, first);
    const refusals = await transact(database, (transaction) =>
      chargeJobs(transaction, [failed, job(5, second), job(7, first), job(3), job(1_000, second)]),
    );
    expect(refusals.map((refusal) => refusal?.code)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      expect.any(String),
    ]);
    await refund(15, failed.jobId);
    await Promise.all(Array.from({ length: 8 }, () => charge(1)));
    await ledger.grant(organisationId, 50, 'goodwill');
    expect(await reports.useByKey(organisationId, 1)).toEqual([
      { keyId: first, keyName: null, credits: 12, jobs: 2 },
      { keyId: null, keyName: null, credits: 11, jobs: 9 },
      { keyId: second, keyName: null, credits: 5, jobs: 1 },
    ]);
    const used = async (keyId?: string | null) =>
      (await reports.useByDay(organisationId, 7, keyId)).map(({ credits }) => credits);
    expect(await used()).toEqual([0, 0, 0, 0, 0, 0, 28]);
    expect(await used(first)).toEqual([0, 0, 0, 0, 0, 0, 12]);
    expect(await used(null)).toEqual([0, 0, 0, 0, 0, 0, 11]);
    expect(await used(newRowId())).toEqual(Array(7).fill(0));
    expect(await readWrongDays(database)).toEqual([]);
    await database.updateTable('ledger_days').set({ credits: 4 }).where('key_id', '=', second).execute();
    await database.deleteFrom('ledger_days').where('key_id', '=', first).execute();
    const wrong = await readWrongDays(database);
    expect(wrong.toSorted((one, other) => one.credits - other.credits)).toMatchObject([
      { organisationId, keyId: second, credits: 1, jobs: 0 },
      { organisationId, keyId: first, credits: 12, jobs: 2 },
    ]);
  });

  test('refuses what cannot be paid, with what it costs and what there is', async () => {
    await expect(charge(101)).rejects.toMatchObject({
      code: 'insufficient_credits',
      members: { required: 101, balance: 100 },
    });
    await charge(100);
    expect(await ledger.balance(organisationId)).toBe(0);
    expect(await entries()).toHaveLength(2);
  });

  test('lets exactly the affordable of 64 charges through at once', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 64 }, () => charge(9)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(11);
    for (const outcome of outcomes.filter((each) => each.status === 'rejected')) {
      expect(outcome.reason).toMatchObject({ code: 'insufficient_credits' });
    }
    expect(await ledger.balance(organisationId)).toBe(1);
    const amounts = (await entries()).map(({ amount }) => amount);
    expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(1);
  });

  test('charges and refunds a job at most once', async () => {
    const jobId = newRowId();
    await charge(10, jobId);
    await expect(charge(10, jobId)).rejects.toThrow();
    const refunds = await Promise.allSettled(Array.from({ length: 8 }, () => refund(10, jobId)));
    expect(refunds.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await ledger.balance(organisationId)).toBe(100);
  });

  test('knows no other organisation and no odd amounts', async () => {
    await expect(ledger.balance(newRowId())).rejects.toMatchObject({ code: 'not_found' });
    await expect(ledger.grant(newRowId(), 1, 'x')).rejects.toMatchObject({ code: 'not_found' });
    for (const credits of [0, -1, 1.5, Number.NaN, 2 ** 53]) {
      await expect(ledger.grant(organisationId, credits, 'x')).rejects.toThrow(RangeError);
      await expect(charge(credits)).rejects.toThrow(RangeError);
    }
    expect(await ledger.balance(organisationId)).toBe(100);
  });

  test('moves no money outside a transaction', async () => {
    const job = { organisationId, jobId: newRowId(), credits: 1 };
    await expect(chargeJob(database as never, job)).rejects.toThrow('inside a transaction');
    await expect(refundJob(database as never, job, 'x')).rejects.toThrow('inside a transaction');
    expect(await entries()).toHaveLength(1);
  });
});
