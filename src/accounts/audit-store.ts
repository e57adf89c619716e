/**
 * The audit log: what people did, to whom or what, and from which IP address. Written in the transaction of the action.
 */

import type { Database, DatabaseTransaction } from '../database/connection.js';
import { pagesOf } from '../database/keyset.js';

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
  | 'limits-set'
  | 'organisation-suspended'
  | 'organisation-resumed'
  | 'became-operator'
  | 'operator-withdrawn'
  | 'identity-connected'
  | 'identity-disconnected'
  | 'session-ended'
  | 'second-factor-on'
  | 'second-factor-off'
  | 'recovery-code-used'
  | 'profile-changed'
  | 'address-changed'
  | 'account-deleted';

export interface Actor {
  personId: string;
  /** The client's IP address. */
  address: string;
}

interface AuditEntry {
  id: number;
  action: AuditAction;
  subject: string;
  address: string;
  /** Null when nobody was signed in or the person's account is deleted. */
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

/** Appends an entry. @param organisationId null when the action concerns only the person */
export async function audit(
  database: Database,
  { personId, address }: Actor,
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

/** An organisation's entries, newest first. @param before only entries with a lower id */
export async function auditEntries(
  database: Database,
  organisationId: string,
  limit: number,
  before = Number.MAX_SAFE_INTEGER,
): Promise<AuditEntry[]> {
  const rows = await database
    .selectFrom('audit_entries')
    .leftJoin('people', 'people.id', 'audit_entries.person_id')
    .select(['audit_entries.id', 'audit_entries.action', 'audit_entries.subject', 'audit_entries.address'])
    .select(['people.name as personName', 'audit_entries.created_at as createdAt'])
    .where('audit_entries.organisation_id', '=', organisationId)
    .where('audit_entries.id', '<', before)
    .orderBy('audit_entries.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, action: row.action as AuditAction }));
}
