/** Invitations to organisations. The link works once, for one address. */

import { HOUR_MS, LIMITS } from '../../contract/limits.js';
import type { Database, DatabaseTransaction } from '../../database/connection.js';
import { newRowId } from '../../database/row-id.js';
import type { Role } from '../../database/schema.js';
import { AccountError } from '../account-error.js';
import type { Actor, AnyActor } from '../actor.js';
import { audit } from '../audit-store.js';
import { updateOwnerEmail, insertMembership, lockMembers, mayGive, roleOf } from './membership-store.js';
import { nameOfOrganisation } from './organisation-store.js';
import { newToken, tokenHash } from '../secret-token.js';

const INVITATION_MS = LIMITS.linkHours.invitation * HOUR_MS;

/** For people whose link leads nowhere. */
export const INVITATION_ENDED =
  'The invitation was sent again, was withdrawn, or has ended. Use the link in the newest email, or ask for another one.';

export interface Invitation {
  id: string;
  organisationId: string;
  organisationName: string;
  email: string;
  role: Role;
  /** Unix milliseconds. */
  createdAt: number;
  expiresAt: number;
  /** Null: it is open. */
  usedAt: number | null;
}

interface NewInvitation {
  organisationId: string;
  email: string;
  role: Role;
}

/** A query for the invitations that are neither used nor expired, to be narrowed by the caller. */
export function openInvitations(database: Database) {
  return unexpiredInvitations(database).where('used_at', 'is', null);
}

function unexpiredInvitations(database: Database) {
  return database
    .selectFrom('invitations')
    .innerJoin('organisations', 'organisations.id', 'invitations.organisation_id')
    .select(['invitations.id', 'organisation_id as organisationId', 'organisations.name as organisationName'])
    .select(['email', 'role', 'invitations.created_at as createdAt', 'expires_at as expiresAt', 'used_at as usedAt'])
    .where('expires_at', '>', Date.now());
}

/** Undefined when the invitation was withdrawn or has expired. */
export async function invitationByToken(database: Database, token: string): Promise<Invitation | undefined> {
  return unexpiredInvitations(database).where('token_hash', '=', tokenHash(token)).executeTakeFirst();
}

/**
 * Creates an invitation for an address that is not a member yet. Replaces an earlier one. @throws AccountError
 * `conflict`; ApiError `not_found`
 */
export async function createInvitation(
  transaction: DatabaseTransaction,
  actor: AnyActor,
  { organisationId, email, role }: NewInvitation,
): Promise<{ token: string; organisation: string }> {
  const organisation = await nameOfOrganisation(transaction, organisationId);
  const member = await transaction
    .selectFrom('memberships')
    .innerJoin('people', 'people.id', 'memberships.person_id')
    .select('people.id')
    .where('organisation_id', '=', organisationId)
    .where('email', '=', email)
    .executeTakeFirst();
  if (member !== undefined) {
    throw new AccountError('conflict', `${email} is a member already.`);
  }
  const token = newToken();
  const now = Date.now();
  const isOpen = await openInvitations(transaction)
    .where('invitations.organisation_id', '=', organisationId)
    .where('invitations.email', '=', email)
    .executeTakeFirst();
  await transaction
    .deleteFrom('invitations')
    .where('organisation_id', '=', organisationId)
    .where('email', '=', email)
    .execute();
  await transaction
    .insertInto('invitations')
    .values({
      id: newRowId(),
      organisation_id: organisationId,
      email,
      role,
      token_hash: tokenHash(token),
      invited_by: actor.personId,
      created_at: now,
      expires_at: now + INVITATION_MS,
      used_at: null,
    })
    .execute();
  await audit(transaction, actor, organisationId, isOpen ? 'invited-again' : 'invited', `${email} as ${role}`);
  return { token, organisation };
}

/** An organisation's open invitation. @throws AccountError `not_found` */
export async function requireInvitation(
  database: Database,
  organisationId: string,
  invitationId: string,
): Promise<Invitation> {
  const ended = 'The invitation was accepted, was withdrawn before, or has ended.';
  return openInvitations(database)
    .where('invitations.id', '=', invitationId)
    .where('organisation_id', '=', organisationId)
    .executeTakeFirstOrThrow(() => new AccountError('not_found', ended));
}

/** Withdraws an open invitation and returns its address. @throws AccountError `not_found` */
export async function withdrawInvitation(
  transaction: DatabaseTransaction,
  organisationId: string,
  invitationId: string,
): Promise<string> {
  const { email } = await requireInvitation(transaction, organisationId, invitationId);
  await transaction.deleteFrom('invitations').where('id', '=', invitationId).execute();
  return email;
}

/**
 * Withdraws a person's open invitations to roles that they may no longer give. @param inviter the person with their role;
 * without one they are not a member any more
 */
export async function withdrawUnauthorised(
  transaction: DatabaseTransaction,
  actor: Actor,
  organisationId: string,
  { personId, role }: { personId: string; role?: Role | undefined },
): Promise<void> {
  const offered = await openInvitations(transaction)
    .where('organisation_id', '=', organisationId)
    .where('invited_by', '=', personId)
    .execute();
  for (const { id, email } of offered.filter((offer) => role === undefined || !mayGive(role, offer.role))) {
    await transaction.deleteFrom('invitations').where('id', '=', id).execute();
    await audit(transaction, actor, organisationId, 'invitation-withdrawn', email);
  }
}

/** Does what `Team.join` does, inside the caller's transaction. Returns the organisation's id. */
export async function joinByInvitation(
  transaction: DatabaseTransaction,
  actor: Actor,
  email: string,
  token: string,
): Promise<string> {
  const invitation = await invitationByToken(transaction, token);
  if (invitation === undefined) {
    throw new AccountError('link_ended', INVITATION_ENDED);
  }
  if (invitation.email !== email) {
    throw new AccountError('forbidden', `The invitation is for ${invitation.email}. Sign in with that address.`);
  }
  const { organisationId, role } = invitation;
  await lockMembers(transaction, organisationId);
  const { numUpdatedRows } = await transaction
    .updateTable('invitations')
    .set({ used_at: Date.now() })
    .where('id', '=', invitation.id)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) {
    throw new AccountError('link_ended', 'This invitation was used before.');
  }
  if ((await roleOf(transaction, organisationId, actor.personId)) === undefined) {
    await insertMembership(transaction, organisationId, actor.personId, role);
    await updateOwnerEmail(transaction, organisationId);
    await audit(transaction, actor, organisationId, 'joined', `as ${role}`);
  }
  return organisationId;
}
