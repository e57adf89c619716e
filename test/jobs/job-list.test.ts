/** An organisation's list of jobs: a search looks at so many of them, and goes on where it ended. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import { OrganisationStore } from '../../src/accounts/organisations/organisation-store.js';
import { DAY_MS } from '../../src/contract/limits.js';
import { LedgerReportStore } from '../../src/credits/ledger-report-store.js';
import type { Database } from '../../src/database/connection.js';
import { folded } from '../../src/database/folded.js';
import { newRowId } from '../../src/database/row-id.js';
import { type JobPlace, JOBS_SEARCHED, JobListStore, MOST_COUNTED } from '../../src/jobs/job-list-store.js';
import { describeOnDatabases, openTestDatabase } from '../support/databases.js';

describeOnDatabases('a search of jobs', (kind) => {
  let database: Database;
  let close: () => Promise<void>;
  let reports: JobListStore;
  let organisationId: string;
  beforeEach(async () => {
    ({ database, close } = await openTestDatabase(kind));
    reports = new JobListStore(database);
    const organisation = { name: 'Acme', ownerEmail: 'a@example.org', credits: 0 };
    organisationId = await new OrganisationStore(database).create(organisation);
  });
  afterEach(() => close());

  /** Inserts jobs of these names, oldest first, seven at a time at the same time. */
  async function insert(names: readonly string[]): Promise<void> {
    const job = {
      organisation_id: organisationId,
      status: 'complete' as const,
      send_email: 0,
      verify_items: 0,
      verified: 0,
      unread: 0,
      unused_error_correction: null,
      total: 1,
      completed: 1,
      failed: 0,
      credits_charged: 1,
      credits_refunded: 0,
      skipped_rows: 0,
      source_places: null,
      made_from: null,
      corrected_item: null,
      spool_bytes: 1,
      finish_attempt: 0,
      expires_at: Date.now() + 60_000,
    };
    const rows = names.map((name, index) => ({
      ...job,
      id: newRowId(),
      token: newRowId(),
      name,
      folded_name: folded(name),
      created_at: 1_000 + Math.floor(index / 7),
    }));
    for (let first = 0; first < rows.length; first += 1_000) {
      await database
        .insertInto('jobs')
        .values(rows.slice(first, first + 1_000))
        .execute();
    }
  }

  test('lists the jobs of a period that cost most', async () => {
    await insert(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']);
    const cost = async (name: string, credits_charged: number, credits_refunded = 0) =>
      database.updateTable('jobs').set({ credits_charged, credits_refunded }).where('name', '=', name).execute();
    await cost('b', 50, 10);
    await cost('c', 30);
    // Cancelled before anything was drawn.
    await cost('a', 900, 900);
    await cost('d', 900, 899);
    await cost('h', 1_000);
    await database.updateTable('jobs').set({ created_at: DAY_MS }).where('name', '=', 'h').execute();
    const ledger = new LedgerReportStore(database);
    const most = await ledger.useByJob(organisationId, { first: 0, count: 1 }, 3);
    expect(most.map(({ name, credits }) => [name, credits])).toEqual([
      ['b', 40],
      ['c', 30],
      ['i', 1],
    ]);
    expect(await ledger.useByJob(newRowId(), { first: 0, count: 2 }, 3)).toEqual([]);
    // Of more jobs than are all looked at, the same ones.
    await insert(Array.from({ length: 1_001 }, () => 'cheap'));
    await database
      .updateTable('jobs')
      .set({ credits_charged: 70, credits_refunded: 70 })
      .where('name', '=', 'cheap')
      .execute();
    expect((await ledger.useByJob(organisationId, { first: 0, count: 1 }, 2)).map(({ name }) => name)).toEqual([
      'b',
      'c',
    ]);
    expect((await ledger.useByJob(organisationId, { first: 0, count: 2 }, 1)).map(({ name }) => name)).toEqual(['h']);
  });

  test('finds each match once, in order, however many jobs lie between', async () => {
    const count = JOBS_SEARCHED + 10;
    const named = [0, 6, 8, 9, 10, 11, 12, count - 1];
    await insert(Array.from({ length: count }, (_, index) => (named.includes(index) ? `Found ${index}` : 'Other')));
    const found: string[] = [];
    let searches = 0;
    for (let after: JobPlace | undefined; ; searches += 1) {
      const until: JobPlace | undefined = await reports.searchEnd(organisationId, { after });
      const page = await reports.page(organisationId, { search: 'found', after, until, limit: 100 });
      found.push(...page.map(({ name }) => name ?? ''));
      if (until === undefined) break;
      after = until;
    }
    expect(searches).toBe(1);
    const all = await reports.page(organisationId, { search: 'found', limit: 100 });
    expect(found).toEqual(all.map(({ name }) => name));
    expect(found).toHaveLength(named.length);
  });

  test('counts jobs with missing codes among the newest complete ones', async () => {
    await insert(['Gaps', ...Array.from({ length: JOBS_SEARCHED - 2 }, () => 'Whole'), 'Gaps']);
    await database.updateTable('jobs').set({ completed: 0, failed: 1 }).where('name', '=', 'Gaps').execute();
    // As many as are looked at.
    expect(await reports.counts(organisationId)).toMatchObject({
      complete: { count: MOST_COUNTED, isAll: false },
      incomplete: { count: 2, isAll: false },
      failed: { count: 0, isAll: true },
    });
    await insert(['Whole']);
    await database.updateTable('jobs').set({ created_at: 9_999 }).where('name', '=', 'Whole').execute();
    expect((await reports.counts(organisationId)).incomplete).toEqual({ count: 1, isAll: false });
    await database.deleteFrom('jobs').where('name', '=', 'Whole').execute();
    expect(await reports.counts(organisationId)).toMatchObject({
      complete: { count: 0, isAll: true },
      incomplete: { count: 2, isAll: true },
    });
  });

  test('has no end where it looks at all jobs, or at all of one state', async () => {
    await insert(Array.from({ length: JOBS_SEARCHED - 1 }, () => 'Other'));
    expect(await reports.searchEnd(organisationId, {})).toBeUndefined();
    await insert(['Another']);
    expect(await reports.searchEnd(organisationId, {})).toBeDefined();
    expect(await reports.searchEnd(organisationId, { status: 'failed' })).toBeUndefined();
  });
});
