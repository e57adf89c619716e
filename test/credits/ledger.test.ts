/** Money: what can be paid is paid exactly once, on every database, however many ask at once. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { COMMAND_LINE } from '../../src/accounts/actor.js';
import { OrganisationStore } from '../../src/accounts/organisations/organisation-store.js';
import { ApiKeyStore } from '../../src/accounts/keys/api-key-store.js';
import { DAY_MS } from '../../src/contract/limits.js';
import { lastDays, LedgerReportStore } from '../../src/credits/ledger-report-store.js';
import { startOfDay } from '../../src/credits/ledger-day-store.js';
import { chargeJob, chargeJobs, Ledger, refundJob } from '../../src/credits/ledger-store.js';
import type { Database } from '../../src/database/connection.js';
import { isMysql } from '../../src/database/migrations/portable-tables.js';
import { newRowId } from '../../src/database/row-id.js';
import { listUse } from '../../src/site/organisation/use.js';
import { transact } from '../../src/database/transaction.js';
import { readWrongBalances, readWrongDays } from '../../src/cli/verify-store.js';
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
  const newKey = async (name: string) =>
    (await new ApiKeyStore(database).create(COMMAND_LINE, organisationId, name)).keyId;
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

  test.each(['metered', 'unlimited'] as const)(
    'takes nothing from a suspended organisation, %s or not, and returns what it paid',
    async (mode) => {
      const jobId = newRowId();
      await charge(40, jobId);
      const refusal = await transact(database, async (transaction) => {
        // As an operator does while the job is being checked. SQLite has one transaction at a time.
        const suspender = isMysql(database) ? database : transaction;
        await transaction.selectFrom('organisations').select('suspended_at').execute();
        await suspender.updateTable('organisations').set({ suspended_at: Date.now() }).execute();
        const job = { organisationId, jobId: newRowId(), credits: 1_000 };
        return chargeJobs(transaction, [job, { ...job, jobId: newRowId(), credits: 1 }], mode);
      });
      expect(refusal.map((error) => error?.code)).toEqual(['organisation_suspended', 'organisation_suspended']);
      await refund(15, jobId);
      expect(await ledger.grant(organisationId, 5, 'goodwill')).toBe(80);
      expect((await entries()).map(({ kind: entry }) => entry)).toEqual(['grant', 'charge', 'refund', 'grant']);
    },
  );

  test('charges and grants nothing where an organisation is suspended once its credits were found too few', async () => {
    const refusals = await transact(database, async (transaction) => {
      const suspender = isMysql(database) ? database : transaction;
      const run = transaction.executeQuery.bind(transaction);
      let isSuspended = false;
      vi.spyOn(transaction, 'executeQuery').mockImplementation(async (query) => {
        const result = await run(query);
        // After the first look at the balance, and before the grant.
        if (!isSuspended && 'sql' in query && query.sql.startsWith('select')) {
          isSuspended = true;
          await suspender.updateTable('organisations').set({ suspended_at: Date.now() }).execute();
        }
        return result;
      });
      return chargeJobs(transaction, [{ organisationId, jobId: newRowId(), credits: 1_000 }], 'unlimited');
    });
    expect(refusals.map((error) => error?.code)).toEqual(['organisation_suspended']);
    expect((await entries()).map(({ amount }) => amount)).toEqual([100]);
    expect(await readWrongBalances(database)).toEqual([]);
  });

  test('adds up each day and key what is charged and refunded, and admin verify tells where it does not', async () => {
    const reports = new LedgerReportStore(database);
    const [first, second, ada, ben] = [await newKey('first'), await newKey('second'), newRowId(), newRowId()];
    const job = (credits: number, keyId?: string, personId?: string) => ({
      organisationId,
      jobId: newRowId(),
      credits,
      origin: { keyId, personId },
    });
    const failed = job(20, first);
    const refusals = await transact(database, (transaction) =>
      chargeJobs(transaction, [failed, job(5, second), job(7, first), job(3, undefined, ada), job(1_000, second)]),
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
    await transact(database, (transaction) => chargeJobs(transaction, [job(2, undefined, ben)]));
    expect(await reports.useBy('key', organisationId, lastDays(1))).toEqual({
      users: [
        { id: first, name: 'first', credits: 12, jobs: 2 },
        { id: second, name: 'second', credits: 5, jobs: 1 },
      ],
      more: { users: 0, credits: 0, jobs: 0 },
      others: { credits: 13, jobs: 10 },
    });
    // The charges of nobody are those of people whom an earlier version did not keep.
    expect(await reports.useBy('person', organisationId, lastDays(1))).toEqual({
      users: [
        { id: '', name: null, credits: 8, jobs: 8 },
        { id: ada, name: null, credits: 3, jobs: 1 },
        { id: ben, name: null, credits: 2, jobs: 1 },
      ],
      more: { users: 0, credits: 0, jobs: 0 },
      others: { credits: 17, jobs: 3 },
    });
    expect(await reports.useBy('key', organisationId, { first: 0, count: 1 })).toEqual({
      users: [],
      more: { users: 0, credits: 0, jobs: 0 },
      others: { credits: 0, jobs: 0 },
    });
    const used = async (user?: string | null) =>
      (await reports.useByDay(organisationId, lastDays(7), user)).map(({ credits }) => credits);
    expect(await used()).toEqual([0, 0, 0, 0, 0, 0, 30]);
    expect(await used(ada)).toEqual([0, 0, 0, 0, 0, 0, 3]);
    expect(await used(first)).toEqual([0, 0, 0, 0, 0, 0, 12]);
    expect(await used(null)).toEqual([0, 0, 0, 0, 0, 0, 13]);
    expect(await used(newRowId())).toEqual(Array(7).fill(0));
    expect(await readWrongDays(database)).toEqual([]);
    await database.updateTable('ledger_days').set({ credits: 4 }).where('user_id', '=', second).execute();
    await database.deleteFrom('ledger_days').where('user_id', '=', first).execute();
    const wrong = await readWrongDays(database);
    expect(wrong.toSorted((one, other) => one.credits - other.credits)).toMatchObject([
      { organisationId, userId: second, credits: 1, jobs: 0 },
      { organisationId, userId: first, credits: 12, jobs: 2 },
    ]);
  });

  test('lists a hundred people, and adds up the others', async () => {
    const reports = new LedgerReportStore(database);
    const people = Array.from({ length: 103 }, (_, place) => ({
      organisation_id: organisationId,
      day: startOfDay(Date.now()),
      user_id: `P${String(place).padStart(25, '0')}`,
      credits: 200 - place,
      jobs: 2,
    }));
    await database.insertInto('ledger_days').values(people).execute();
    const { users, more, others } = await reports.useBy('person', organisationId, lastDays(1));
    expect(users).toHaveLength(100);
    expect(more).toEqual({ users: 3, credits: 100 + 99 + 98, jobs: 6 });
    expect(others).toEqual({ credits: 0, jobs: 0 });
    const lines = await listUse(reports, organisationId, lastDays(1), 'person');
    expect(lines.at(-1)).toMatchObject({ id: null, name: 'And 3 others', credits: 297, jobs: 6 });
    const [{ credits: all } = { credits: 0 }] = await reports.useByDay(organisationId, lastDays(1));
    expect(lines.reduce((sum, { credits }) => sum + credits, 0)).toBe(all);
  });

  test('lists the entries of a day page by page, and of a kind', async () => {
    const reports = new LedgerReportStore(database);
    for (const credits of [1, 2, 3, 4, 5, 6]) await charge(credits);
    const [, ...charges] = await database.selectFrom('ledger_entries').select('id').orderBy('id').execute();
    const day = startOfDay(Date.now()) - 400 * DAY_MS;
    // The first and the last millisecond of the day, one before and one after; two at the same time.
    const times = [day - 1, day, day + 5, day + 5, day + DAY_MS - 1, day + DAY_MS];
    for (const [place, { id }] of charges.entries()) {
      await database
        .updateTable('ledger_entries')
        .set({ created_at: times[place] ?? 0 })
        .where('id', '=', id)
        .execute();
    }
    const amounts: number[][] = [];
    for (let before: number | undefined; ; ) {
      const page = await reports.page(organisationId, { days: { first: day, count: 1 }, before, limit: 3 });
      amounts.push(page.map(({ amount }) => -amount));
      before = page.at(-1)?.id;
      if (page.length < 3) break;
    }
    expect(amounts).toEqual([[5, 4, 3], [2]]);
    expect(await reports.page(organisationId, { days: { first: day, count: 1 }, kind: 'grant', limit: 3 })).toEqual([]);
    // An entry of another organisation is no place.
    expect(
      await reports.page(newRowId(), { days: { first: day, count: 1 }, before: charges[0]?.id, limit: 3 }),
    ).toEqual([]);
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
