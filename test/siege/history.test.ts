/**
 * Pages of an organisation with a long history: 100,000 jobs, 300,000 ledger entries, 100,000 deliveries of webhooks. SQLite
 * answers on the thread of the event loop, so each query must read little of it.
 */

import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { COMMAND_LINE } from '../../src/accounts/actor.js';
import { insertPerson } from '../../src/accounts/people/person-store.js';
import { SessionStore } from '../../src/accounts/people/session-store.js';
import { startOfDay } from '../../src/credits/ledger-day-store.js';
import { transact } from '../../src/database/transaction.js';
import { Visitor } from '../support/visitor.js';
import { type Siege, startSiege } from './bystander.js';

const JOBS = 100_000;
const DELIVERIES = 100_000;
const EVENT_LOOP_P99_MS = 40;
const ROUNDS = 5;

let siege: Siege;
beforeEach(async () => {
  siege = await startSiege();
});
afterEach(() => siege.close());

/** Numbers from 0 in a table `n`. */
function numbers(count: number) {
  return sql`with recursive n(i) as (select 0 union all select i + 1 from n where i < ${sql.lit(count - 1)})`;
}

/** Fills an organisation with jobs that were cancelled, their charges and refunds, and deliveries that are due. */
async function fill(organisationId: string, keyId: string, webhookId: string): Promise<void> {
  const { database } = siege.admin;
  const now = Date.now();
  const id = (kind: string) => sql`printf(${sql.lit(`${kind}%025d`)}, i)`;
  await sql`${numbers(JOBS)} insert into jobs (id, token, organisation_id, name, status, send_email, verify_items, verified,
    unread, total, completed, failed, credits_charged, credits_refunded, skipped_rows, spool_bytes, failure, finish_attempt, created_at,
    ended_at, expires_at) select ${id('J')}, ${id('T')}, ${organisationId}, 'Posters ' || i, 'failed', 0, 0, 0, 0, 1, 0, 1, 1,
    1, 0, 10, 'cancelled', 0, ${now} - i, ${now}, ${now + 86_400_000} from n`.execute(database);
  for (const round of [0, 1, 2]) {
    const job = id(round === 2 ? 'X' : 'J');
    const kind = round === 1 ? 'refund' : 'charge';
    await sql`${numbers(JOBS)} insert into ledger_entries (organisation_id, kind, amount, balance_after, job_id, key_id, reason,
      created_at) select ${organisationId}, ${kind}, ${round === 1 ? 1 : -1}, 500, ${job}, ${keyId}, 'a reason', ${now} - i
      from n`.execute(database);
  }
  await sql`insert into ledger_days (organisation_id, day, user_id, credits, jobs) select organisation_id, ${startOfDay(now)},
    key_id, -sum(amount), 200000 from ledger_entries where organisation_id = ${organisationId} and kind <> 'grant'
    group by key_id`.execute(database);
  await sql`${numbers(DELIVERIES)} insert into webhook_deliveries (id, webhook_id, event, body, attempts, next_attempt_at,
    delivered_at, created_at) select ${id('D')}, ${webhookId}, 'job.failed', printf('%0500d', i), 1,
    case when i % 2 = 0 then ${now + 3_600_000} + i end, null, ${now} - i from n`.execute(database);
}

/** Number of line feeds in an answer. Read piece by piece, so that this process goes on measuring. */
async function linesOf({ cookies }: Visitor, path: string): Promise<number> {
  const headers = { cookie: Array.from(cookies, (pair) => pair.join('=')).join('; ') };
  const { body } = await fetch(siege.url + path, { headers });
  let lines = 0;
  for await (const piece of body as ReadableStream<Uint8Array>) {
    for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) {
      lines += 1;
    }
  }
  return lines;
}

it('holds the event loop for a short time', { timeout: 180_000 }, async () => {
  const { database, keys, organisations } = siege.admin;
  const organisationId = await organisations.create({ name: 'Old', ownerEmail: 'a@example.org', credits: 500 });
  const { keyId, key } = await keys.create(COMMAND_LINE, organisationId, 'a key');
  const person = { email: 'a@example.org', name: 'Ada', passwordHash: 'none' };
  const personId = await transact(database, (transaction) => insertPerson(transaction, person));
  const created = { organisation_id: organisationId, created_at: Date.now() };
  await database
    .insertInto('memberships')
    .values({ ...created, person_id: personId, role: 'owner' })
    .execute();
  const webhookId = 'W'.repeat(26);
  const webhook = { ...created, id: webhookId, url: 'http://192.0.2.1/', events: 'job.failed', secret: 'none' };
  await database.insertInto('webhooks').values(webhook).execute();
  await fill(organisationId, keyId, webhookId);
  const session = crypto.randomUUID();
  const from = { personId, address: '127.0.0.1', browser: 'test' };
  await new SessionStore(database).start(session, from, 3_600_000);
  const visitor = new Visitor(siege);
  visitor.cookies.set('qrpress-session', session);
  const base = `/account/o/${organisationId}`;
  const pages = [
    base,
    `${base}/jobs?q=nowhere`,
    `${base}/jobs?q=nowhere&status=failed`,
    `${base}/jobs?status=complete`,
    `${base}/jobs?key=${keyId}&q=nowhere`,
    `${base}/credits?days=90`,
    `${base}/credits?days=90&key=${keyId}`,
    `${base}/credits?kind=grant`,
    `${base}/credits?days=90&by=person`,
    `${base}/credits?days=90&by=job`,
    `${base}/credits?day=2020-01-01&kind=refund`,
    `${base}/credits?day=${new Date().toISOString().slice(0, 10)}`,
    `${base}/credits/use.csv?days=90`,
    `${base}/keys`,
    `${base}/webhooks/${webhookId}`,
    `${base}/settings`,
  ];
  await siege.withstand(async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const page of pages) {
        expect((await visitor.get(page)).status, page).toBe(200);
      }
      const headers = { authorization: `Bearer ${key}` };
      const list = await fetch(`${siege.url}/api/v1/jobs?status=processing`, { headers });
      expect(await list.json()).toEqual({ jobs: [] });
    }
  });
  siege.expectFreeEventLoop(EVENT_LOOP_P99_MS);
  await siege.withstand(async () => {
    // A line for each entry, and one for the columns.
    expect(await linesOf(visitor, `${base}/credits.csv?kind=charge`)).toBe(2 * JOBS + 1);
    expect(await linesOf(visitor, `${base}/export.zip`)).toBeGreaterThan(0);
  });
  siege.expectFreeEventLoop(EVENT_LOOP_P99_MS);
});
