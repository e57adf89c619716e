/** The API keys that a member leaves behind: they belong to the organisation and still work, and its owners are told. */

import type { DatabaseTransaction } from '../../database/connection.js';
import { postMail } from '../../outbox/mail-store.js';
import { activeKeysBy } from './api-key-store.js';
import type { Actor } from '../actor.js';
import { audit } from '../audit-store.js';
import { type AccountDependencies, accountUrl, keysStillActiveLetter } from '../letters.js';
import { ownersOf } from '../organisations/membership-store.js';
import { nameOfOrganisation } from '../organisations/organisation-store.js';
import { nameOf } from '../people/person-store.js';

/** Names of keys in a mail. An organisation has at most 100 active ones. */
const MAX_NAMED = 10;

/**
 * Records the active keys that a person created, and mails every other owner. Called in the transaction that ends the
 * membership.
 */
export async function reportKeysOfLeaver(
  dependencies: AccountDependencies,
  transaction: DatabaseTransaction,
  actor: Actor,
  { organisationId, personId }: { organisationId: string; personId: string },
): Promise<void> {
  const keys = await activeKeysBy(transaction, organisationId, personId);
  if (keys.length === 0) {
    return;
  }
  const creator = await nameOf(transaction, personId);
  // The entry itself names its actor, as long as they have an account.
  const subject = personId === actor.personId ? keys.join(', ') : `of ${creator}: ${keys.join(', ')}`;
  await audit(transaction, actor, organisationId, 'keys-still-active', subject);
  const organisation = await nameOfOrganisation(transaction, organisationId);
  const named = keys.length > MAX_NAMED ? [...keys.slice(0, MAX_NAMED), `${keys.length - MAX_NAMED} more`] : keys;
  const url = accountUrl(dependencies, `o/${organisationId}/keys`);
  const letter = keysStillActiveLetter({ organisation, creator, keys: named }, url);
  for (const owner of await ownersOf(transaction, organisationId)) {
    if (owner.personId !== personId) {
      await postMail(transaction, owner.email, letter);
    }
  }
}
