/**
 * The key or person behind a job, checked in the transactions that create and end it: keys may be revoked and members
 * may leave meanwhile.
 */

import { type RawBuilder, sql } from 'kysely';
import { ApiError } from '../contract/errors.js';
import type { Origin } from '../credits/ledger-store.js';
import type { Database, DatabaseTransaction } from '../database/connection.js';
import { isMysql } from '../database/migrations/portable-tables.js';
import { statement } from '../database/statement.js';
import type { Job } from './job.js';

interface PaidJob {
  organisationId: string;
  origin: Origin;
}

/** Returns what refuses a job: its key is revoked, or its person is no member any more. */
export async function payerRefusals(
  transaction: DatabaseTransaction,
  jobs: readonly PaidJob[],
): Promise<(job: PaidJob) => ApiError | undefined> {
  const keys = await activeKeys(transaction, present(jobs.map(({ origin }) => origin.keyId)));
  const members = await membersAmong(transaction, present(jobs.map(({ origin }) => origin.personId)));
  return ({ organisationId, origin: { keyId, personId } }) =>
    (keyId !== undefined && !keys.has(keyId)) ||
    (personId !== undefined && !members.has(`${organisationId} ${personId}`))
      ? payerGone()
      : undefined;
}

function payerGone(): ApiError {
  const message = 'The API key was revoked or expired, or the membership ended, while the job was received.';
  return new ApiError('invalid_api_key', message, {}, { 'WWW-Authenticate': 'Bearer' });
}

/**
 * Name of a job's organisation, and the recipient of its link: the member who asked for it, or else the owner. Empty when
 * they deleted their account.
 */
export async function recipientOf(
  transaction: DatabaseTransaction,
  job: Job,
): Promise<{ name: string; email: string }> {
  const { name, ownerEmail, memberEmail } = await transaction
    .selectFrom('organisations')
    // A person who is no longer a member gets no link.
    .leftJoin('memberships', (join) =>
      join
        .onRef('memberships.organisation_id', '=', 'organisations.id')
        .on('memberships.person_id', '=', job.mailPersonId ?? ''),
    )
    .leftJoin('people', 'people.id', 'memberships.person_id')
    .select(['organisations.name', 'organisations.owner_email as ownerEmail', 'people.email as memberEmail'])
    .where('organisations.id', '=', job.organisationId)
    .executeTakeFirstOrThrow();
  return { name, email: memberEmail ?? ownerEmail };
}

const selectActiveKeys = statement((database, { ids, now }: { ids: readonly string[]; now: number }) =>
  database
    .selectFrom('api_keys')
    .select('id')
    .where('id', 'in', ids)
    .where('revoked_at', 'is', null)
    .where((key) => key.or([key('expires_at', 'is', null), key('expires_at', '>', now)]))
    .modifyEnd(lockOf(database)),
);

/**
 * Keeps the rows that are read as they are until the end of the transaction: a revocation waits for the jobs that the key still
 * pays. SQLite has one writer at a time.
 */
function lockOf(database: Database): RawBuilder<unknown> {
  return isMysql(database) ? sql`lock in share mode` : sql``;
}

async function activeKeys(transaction: DatabaseTransaction, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) {
    return new Set();
  }
  const { rows } = await selectActiveKeys(transaction, { ids, now: Date.now() });
  return new Set(rows.map(({ id }) => id));
}

/** Memberships, as organisation and person. */
async function membersAmong(transaction: DatabaseTransaction, personIds: readonly string[]): Promise<Set<string>> {
  if (personIds.length === 0) {
    return new Set();
  }
  const rows = await transaction
    .selectFrom('memberships')
    .select(['organisation_id', 'person_id'])
    .where('person_id', 'in', personIds)
    .modifyEnd(lockOf(transaction))
    .execute();
  return new Set(rows.map((row) => `${row.organisation_id} ${row.person_id}`));
}

function present(ids: readonly (string | undefined)[]): string[] {
  return [...new Set(ids.filter((id) => id !== undefined))];
}
