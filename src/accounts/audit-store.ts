/** The audit log: what people did, to whom or what, and from which IP address. Written in the transaction of the action. */

import type { Database, DatabaseTransaction } from '../database/connection.js';
import { pagesOf } from '../database/keyset.js';
import { afterCommit } from '../database/transaction.js';
import type { Log } from '../platform/log.js';
import { withoutAddresses } from '../platform/quoting.js';

type AuditAction =
  | 'signed-up'
  | 'signed-in'
  | 'signed-out-everywhere'
  | 'password-reset'
  | 'password-changed'
  | 'organisation-created'
  | 'organisation-renamed'
  | 'key-created'
  | 'key-revoked'
  | 'keys-still-active'
  | 'job-cancelled'
  | 'job-deleted'
  | 'style-saved'
  | 'style-changed'
  | 'style-deleted'
  | 'webhook-created'
  | 'webhook-changed'
  | 'webhook-paused'
  | 'webhook-resumed'
  | 'webhook-secret-changed'
  | 'webhook-deleted'
  | 'low-balance-set'
  | 'invited'
  | 'invitation-withdrawn'
  | 'joined'
  | 'role-changed'
  | 'member-removed'
  | 'left'
  | 'ownership-handed-over'
  | 'data-exported'
  | 'credits-granted'
  | 'credits-asked'
  | 'allowance-set'
  | 'organisation-suspended'
  | 'organisation-resumed'
  | 'became-operator'
  | 'operator-withdrawn'
  | 'identity-connected'
  | 'identity-disconnected'
  | 'session-ended'
  | 'second-factor-on'
  | 'second-factor-off'
  | 'second-factor-refused'
  | 'recovery-code-used'
  | 'recovery-codes-made'
  | 'profile-changed'
  | 'address-changed'
  | 'account-deleted';

/** A person who acts. */
export interface Actor {
  personId: string;
  /** The client's IP address. */
  address: string;
}

/** Whoever runs the machine, at its command line, acts with every right. The audit log has these words in place of an address. */
export const COMMAND_LINE = { personId: null, address: 'command line' } as const;

/** Whoever changes an organisation: a person, whose role decides, or the command line. */
export type AnyActor = Actor | typeof COMMAND_LINE;

export interface AuditEntry {
  id: number;
  action: AuditAction;
  subject: string;
  address: string;
  /** Null when nobody was signed in, for the command line, and when the person's account is deleted. */
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

/** Acts of people whose entries name no organisation. Each organisation sees them of its members. */
const SIGN_INS = ['signed-in', 'second-factor-refused'] as const satisfies AuditAction[];

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
  await database
    .insertInto('audit_entries')
    .values({
      organisation_id: organisationId,
      person_id: personId,
      action,
      subject: [...subject].slice(0, 300).join(''),
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
 * Deletes the entries that concern only a person, and their address from those of organisations. The person's id remains
 * in these, and names nobody any more.
 */
export async function forgetPerson(transaction: DatabaseTransaction, personId: string): Promise<void> {
  const entries = transaction.deleteFrom('audit_entries').where('person_id', '=', personId);
  await entries.where('organisation_id', 'is', null).execute();
  await transaction
    .updateTable('audit_entries')
    .set({ subject: '' })
    .where('person_id', '=', personId)
    .where('action', '=', 'signed-up')
    .execute();
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

/**
 * An organisation's entries, newest first, with the sign-ins of its members since they joined.
 * @param before only entries with a lower id
 */
export async function auditEntries(
  database: Database,
  organisationId: string,
  limit: number,
  before = Number.MAX_SAFE_INTEGER,
): Promise<AuditEntry[]> {
  const latest = database
    .selectFrom('audit_entries as entry')
    .leftJoin('people', 'people.id', 'entry.person_id')
    .select(['entry.id', 'entry.action', 'entry.subject', 'entry.address', 'entry.created_at as createdAt'])
    .select('people.name as personName')
    .where('entry.id', '<', before)
    .orderBy('entry.id', 'desc')
    .limit(limit);
  // Two queries, each of which has an index: one with OR would read the entries of everybody.
  const [own, signIns] = await Promise.all([
    latest.where('entry.organisation_id', '=', organisationId).execute(),
    latest
      .innerJoin('memberships as membership', 'membership.person_id', 'entry.person_id')
      .where('membership.organisation_id', '=', organisationId)
      .where('entry.organisation_id', 'is', null)
      .where('entry.action', 'in', SIGN_INS)
      .whereRef('entry.created_at', '>=', 'membership.created_at')
      .execute(),
  ]);
  const rows = [...own, ...signIns].toSorted((one, other) => other.id - one.id).slice(0, limit);
  return rows.map((row) => ({ ...row, action: row.action as AuditAction }));
}

/** All of an organisation's entries, newest first, page by page. */
export function allAuditEntries(database: Database, organisationId: string): AsyncGenerator<AuditEntry[]> {
  return pagesOf((limit, last: AuditEntry | undefined) => auditEntries(database, organisationId, limit, last?.id));
}
