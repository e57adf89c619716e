/** Links that work once: to create an account, set a new password, confirm another address, or become an operator. */

import { HOUR_MS, LIMITS } from '../../contract/limits.js';
import type { Database, DatabaseTransaction } from '../../database/connection.js';
import type { LinkPurpose } from '../../database/schema.js';
import { AccountError } from '../account-error.js';
import { newToken, tokenHash } from '../secret-token.js';

/** The state of a link. `used`: it was valid and has been used. */
export type LinkState = KnownLink | { state: 'ended' };

interface KnownLink {
  state: 'open' | 'used';
  personId: string | null;
  email: string | null;
}

/**
 * Issues a link for a person, for an address without an account, or for anyone who has it. Returns its token. Voids the
 * person's unused links for the same purpose. Does not void those mailed to an address, since anybody can request them.
 */
export async function issueLink(
  transaction: DatabaseTransaction,
  purpose: LinkPurpose,
  holder: { personId?: string; email?: string },
): Promise<string> {
  const { personId = null, email = null } = holder;
  const token = newToken();
  if (email === null || personId !== null) {
    await voidLinks(transaction, purpose, personId);
  }
  await transaction
    .insertInto('one_time_links')
    .values({
      token_hash: tokenHash(token),
      purpose,
      person_id: personId,
      email,
      expires_at: Date.now() + LIMITS.linkHours[purpose] * HOUR_MS,
      used_at: null,
    })
    .execute();
  return token;
}

/** Voids the unused links for a purpose. @param personId whose links; null: those for anyone who has them */
export async function voidLinks(
  transaction: DatabaseTransaction,
  purpose: LinkPurpose,
  personId: string | null,
): Promise<void> {
  await transaction
    .deleteFrom('one_time_links')
    .where('purpose', '=', purpose)
    .where('person_id', personId === null ? 'is' : '=', personId)
    .where('used_at', 'is', null)
    .execute();
}

/** Reads a link's state without using it. */
export async function lookUpLink(database: Database, purpose: LinkPurpose, token: string): Promise<LinkState> {
  const link = await database
    .selectFrom('one_time_links')
    .select(['person_id as personId', 'email', 'used_at as usedAt'])
    .where('token_hash', '=', tokenHash(token))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', Date.now())
    .executeTakeFirst();
  return link === undefined
    ? { state: 'ended' }
    : { state: link.usedAt === null ? 'open' : 'used', personId: link.personId, email: link.email };
}

/** Uses a link. Of several concurrent calls, one finds it open. */
export async function redeemLink(
  transaction: DatabaseTransaction,
  purpose: LinkPurpose,
  token: string,
): Promise<LinkState> {
  const now = Date.now();
  const { numUpdatedRows } = await transaction
    .updateTable('one_time_links')
    .set({ used_at: now })
    .where('token_hash', '=', tokenHash(token))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  const found = await lookUpLink(transaction, purpose, token);
  return numUpdatedRows === 1n && found.state === 'used' ? { ...found, state: 'open' } : found;
}

/** Returns a link that is open. @param remedy advice for the person @throws AccountError `link_ended` */
export function requireOpen(link: LinkState, remedy: string): KnownLink {
  if (link.state !== 'open') {
    throw new AccountError('link_ended', `The link has been used or has ended. ${remedy}`);
  }
  return link;
}

/** Voids the unused sign-up links mailed to an address. */
export async function voidLinksTo(transaction: DatabaseTransaction, email: string): Promise<void> {
  await transaction.deleteFrom('one_time_links').where('email', '=', email).where('used_at', 'is', null).execute();
}
