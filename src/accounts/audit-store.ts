/** The audit log: what people did, to whom or what, and from which IP address. Written in the transaction of the action. */

import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import { DAY_MS } from '../contract/limits.js';
import type { Database, DatabaseTransaction } from '../database/connection.js';
import { contains, folded, literal } from '../database/folded.js';
import { inSteps } from '../database/delete-expired.js';
import { pagesOf } from '../database/keyset.js';
import type { Schema } from '../database/schema.js';
import { afterCommit, retryConflicts } from '../database/transaction.js';
import type { Log } from '../platform/log.js';
import { withoutAddresses } from '../platform/quoting.js';
import { type Actor, COMMAND_LINE } from './actor.js';
import { nameOf } from './people/person-store.js';

/** Actions in an organisation, which its log can be filtered by. */
export const ORGANISATION_ACTIONS = [
  'signed-up',
  'organisation-created',
  'organisation-renamed',
  'organisation-suspended',
  'organisation-resumed',
  'invited',
  'invited-again',
  'invitation-withdrawn',
  'joined',
  'role-changed',
  'member-removed',
  'left',
  'ownership-handed-over',
  'ownership-shared',
  'key-created',
  'key-revoked',
  'keys-still-active',
  'job-cancelled',
  'job-deleted',
  'job-links-withdrawn',
  'job-renamed',
  'style-saved',
  'style-changed',
  'style-deleted',
  'webhook-created',
  'webhook-changed',
  'webhook-paused',
  'webhook-resumed',
  'webhook-secret-changed',
  'webhook-deleted',
  'low-balance-set',
  'credits-asked',
  'credits-granted',
  'credits-taken-back',
  'allowance-set',
  'data-exported',
] as const;

/** Acts of people whose entries name no organisation. Each organisation sees them of its members. */
export const SIGN_IN_ACTIONS = [
  'signed-in',
  'second-factor-refused',
  'second-factor-on',
  'second-factor-off',
  'recovery-code-used',
  'recovery-codes-made',
  'password-changed',
  'password-reset',
  'address-changed',
  'identity-connected',
  'identity-disconnected',
] as const;

export type AuditAction =
  | (typeof ORGANISATION_ACTIONS)[number]
  | (typeof SIGN_IN_ACTIONS)[number]
  | 'signed-out-everywhere'
  | 'backup-made'
  | 'became-operator'
  | 'operator-withdrawn'
  | 'session-ended'
  | 'profile-changed'
  | 'account-deleted';

export interface AuditEntry {
  id: number;
  action: AuditAction;
  subject: string;
  address: string;
  /** The name at that time. Null when nobody was signed in, for the command line, and when the account is deleted. */
  personName: string | null;
  /** Unix milliseconds. */
  createdAt: number;
}

/** An entry as the person who acted reads it. */
interface PersonalEntry {
  id: number;
  /** Null: it concerns only the person. */
  organisationId: string | null;
  action: string;
  subject: string;
  address: string;
  /** Unix milliseconds. */
  createdAt: number;
}

/** Entries that one search looks at. */
export const ENTRIES_SEARCHED = 5_000;

/** Entries of an organisation's log. */
export interface AuditFilter {
  /** Part of a person's name, a subject or a network address, or the mail address of a member. */
  search?: string | undefined;
  action?: AuditAction | undefined;
  /** Unix milliseconds, both exclusive. */
  createdAfter?: number | undefined;
  createdBefore?: number | undefined;
  /** Only entries with a lower id. */
  before?: number | undefined;
  /** The last entry that is looked at. Default: the oldest one. */
  until?: number | undefined;
}

/** The log that also gets the entries of a database. */
const logs = new WeakMap<Database, Log>();

/** Makes each entry that is written to the database a line of the log. */
export function logEntries(database: Database, log: Log): void {
  logs.set(database, log);
}

/**
 * Appends an entry.
 * @param actor without a person: an API key
 * @param organisationId null when the action concerns only the person
 */
export async function audit(
  database: Database,
  { personId, address }: Omit<Actor, 'personId'> & { personId: string | null },
  organisationId: string | null,
  action: AuditAction,
  subject = '',
): Promise<void> {
  const name = personId === null ? '' : await nameOf(database, personId);
  const shownSubject = [...subject].slice(0, 300).join('');
  await database
    .insertInto('audit_entries')
    .values({
      organisation_id: organisationId,
      person_id: personId,
      person_name: name === '' ? null : name,
      folded_name: folded(name),
      action,
      subject: shownSubject,
      folded_subject: folded(shownSubject),
      address,
      created_at: Date.now(),
    })
    .execute();
  afterCommit(database, (committed) => {
    const entry = { action, organisationId, personId, subject: withoutAddresses(subject), address };
    logs.get(committed)?.info({ audit: entry }, `audit: ${action}`);
  });
}

/**
 * Deletes the entries that concern only a person, and their name and mail address from those of organisations. The person's id
 * and the network address remain in these.
 */
export async function forgetPerson(transaction: DatabaseTransaction, personId: string): Promise<void> {
  const entries = transaction.deleteFrom('audit_entries').where('person_id', '=', personId);
  await entries.where('organisation_id', 'is', null).execute();
  const rest = transaction.updateTable('audit_entries').where('person_id', '=', personId);
  await rest.set({ person_name: null, folded_name: '' }).execute();
  await rest.set({ subject: '', folded_subject: '' }).where('action', '=', 'signed-up').execute();
}

/** Entries lose the network address after this time, as the logs of keys do. */
const ADDRESSES_KEPT_MS = 90 * DAY_MS;

/**
 * Deletes the network addresses of old entries. No index knows the entries that have one, so the caller keeps the place.
 * @param after id of an entry up to which an earlier call did so. 0: none did
 * @returns the id of the last entry without one
 */
export async function forgetAddresses(database: Database, time: number, after: number): Promise<number> {
  let last = after;
  await inSteps(async (limit) => {
    const entries = database.selectFrom('audit_entries').select(['id', 'created_at']).where('id', '>', last);
    const next = await entries.orderBy('id').limit(limit).execute();
    const old = next.filter((entry) => entry.created_at <= time - ADDRESSES_KEPT_MS);
    const end = old.at(-1)?.id ?? last;
    await retryConflicts(() =>
      database
        .updateTable('audit_entries')
        .set({ address: '' })
        .where('id', '>', last)
        .where('id', '<=', end)
        .where('address', 'not in', ['', COMMAND_LINE.address])
        .execute(),
    );
    last = end;
    return old.length === limit;
  });
  return last;
}

/** The entries of a person's own acts, newest first, page by page. */
export function actionsOf(database: Database, personId: string): AsyncGenerator<PersonalEntry[]> {
  return pagesOf((limit, last: PersonalEntry | undefined) =>
    database
      .selectFrom('audit_entries')
      .select(['id', 'organisation_id as organisationId', 'action', 'subject', 'address', 'created_at as createdAt'])
      .where('person_id', '=', personId)
      .where('id', '<', last?.id ?? Number.MAX_SAFE_INTEGER)
      .orderBy('id', 'desc')
      .limit(limit)
      .execute(),
  );
}

/** An organisation's entries, newest first, with its members' sign-ins since they joined, and changes of how they sign in. */
export async function auditEntries(
  database: Database,
  organisationId: string,
  limit: number,
  filter: AuditFilter = {},
): Promise<AuditEntry[]> {
  const latest = database
    .selectFrom('audit_entries as entry')
    .select(['entry.id', 'entry.action', 'entry.subject', 'entry.address', 'entry.created_at as createdAt'])
    .select('entry.person_name as personName')
    .where(inFilter(filter, await memberAt(database, organisationId, filter.search)))
    .orderBy('entry.id', 'desc')
    .limit(limit);
  // Two queries, each of which has an index: one with OR would read the entries of everybody.
  const [own, signIns] = await Promise.all([
    latest.where('entry.organisation_id', '=', organisationId).execute(),
    latest
      .innerJoin('memberships as membership', 'membership.person_id', 'entry.person_id')
      .where('membership.organisation_id', '=', organisationId)
      .where(computed('entry.organisation_id'), '=', '')
      .where(computed('entry.action'), 'in', SIGN_IN_ACTIONS)
      .whereRef('entry.created_at', '>=', 'membership.created_at')
      .execute(),
  ]);
  const rows = [...own, ...signIns].toSorted((one, other) => other.id - one.id).slice(0, limit);
  return rows.map((row) => ({ ...row, action: row.action as AuditAction }));
}

/** The person's id of the member with a mail address. Undefined where there is none: nothing is said of people elsewhere. */
async function memberAt(database: Database, organisationId: string, email = ''): Promise<string | undefined> {
  if (!email.includes('@')) return undefined;
  const member = await database
    .selectFrom('people')
    .innerJoin('memberships', 'memberships.person_id', 'people.id')
    .select('people.id')
    .where('people.email', '=', email.trim().toLowerCase())
    .where('memberships.organisation_id', '=', organisationId)
    .executeTakeFirst();
  return member?.id;
}

/** A column that is compared without its index, in which are the entries of everybody: SQLite would take it. */
function computed(column: 'entry.action' | 'entry.organisation_id'): RawBuilder<string> {
  return sql<string>`coalesce(${sql.ref(column)}, '')`;
}

/** @param personId entries of this person are among what the search finds */
function inFilter(
  { search, action, createdAfter, createdBefore, before, until }: AuditFilter,
  personId: string | undefined,
) {
  return (row: ExpressionBuilder<{ entry: Schema['audit_entries'] }, 'entry'>) =>
    row.and([
      ...(before === undefined ? [] : [row('entry.id', '<', before)]),
      ...(until === undefined ? [] : [row('entry.id', '>=', until)]),
      ...(action === undefined ? [] : [row(computed('entry.action'), '=', action)]),
      ...(createdAfter === undefined ? [] : [row('entry.created_at', '>', createdAfter)]),
      ...(createdBefore === undefined ? [] : [row('entry.created_at', '<', createdBefore)]),
      ...(search === undefined
        ? []
        : [
            row.or([
              contains('entry.folded_name', search),
              contains('entry.folded_subject', search),
              sql<boolean>`entry.address like ${`${literal(search.toLowerCase())}%`} escape '!'`,
              ...(personId === undefined ? [] : [row('entry.person_id', '=', personId)]),
            ]),
          ]),
    ]);
}

/**
 * The last of the entries that one search looks at, since no index knows a part of a text. Undefined when there are not so
 * many. @param before only entries with a lower id
 */
export async function auditSearchEnd(
  database: Database,
  organisationId: string,
  before = Number.MAX_SAFE_INTEGER,
): Promise<number | undefined> {
  const last = await database
    .selectFrom('audit_entries')
    .select('id')
    .where('organisation_id', '=', organisationId)
    .where('id', '<', before)
    .orderBy('id', 'desc')
    .offset(ENTRIES_SEARCHED - 1)
    .limit(1)
    .executeTakeFirst();
  return last?.id;
}

/** Time of the last entry of an action that concerns no organisation, in Unix milliseconds. Undefined when there is none. */
export async function lastAct(database: Database, action: AuditAction): Promise<number | undefined> {
  const last = await database
    .selectFrom('audit_entries')
    .select('created_at')
    .where('action', '=', action)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.created_at;
}

/** All of an organisation's entries, newest first, page by page. */
export function allAuditEntries(database: Database, organisationId: string): AsyncGenerator<AuditEntry[]> {
  return pagesOf((limit, last: AuditEntry | undefined) =>
    auditEntries(database, organisationId, limit, { before: last?.id }),
  );
}
