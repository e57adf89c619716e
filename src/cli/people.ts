/** Links that the command line prints for people, and accounts that it deletes. */

import { COMMAND_LINE } from '../accounts/actor.js';
import { type AccountDependencies, accountUrl } from '../accounts/letters.js';
import { createInvitation } from '../accounts/organisations/invitation-store.js';
import { Credentials } from '../accounts/people/credentials.js';
import { Profile } from '../accounts/people/profile.js';
import type { Database } from '../database/connection.js';
import type { Role } from '../database/schema.js';
import { transact } from '../database/transaction.js';
import type { AdminContext } from './administer.js';

/** The link of a new invitation. Sends no mail. @throws AccountError `conflict`; ApiError `not_found` */
export async function invitationUrl(
  baseUrl: string,
  database: Database,
  { organisationId, email, role }: { organisationId: string; email: string; role: Role },
): Promise<string> {
  const { token } = await transact(database, (transaction) =>
    createInvitation(transaction, COMMAND_LINE, { organisationId, email, role }),
  );
  return accountUrl({ baseUrl }, `invitation/${token}`);
}

/** A new one-time link that makes a person an operator. Earlier links end. */
export async function operatorUrl(baseUrl: string, operators: AdminContext['operators']): Promise<string> {
  return accountUrl({ baseUrl }, `operator/${await operators.issueLink()}`);
}

/** A one-time link that sets a person's password. @throws AccountError `not_found` */
export function passwordUrl(
  dependencies: AccountDependencies,
  { email, removesSecondFactor }: { email: string; removesSecondFactor: boolean },
): Promise<string> {
  return new Credentials(dependencies).issueReset(email, removesSecondFactor);
}

/** Deletes the account of a person. @throws AccountError `not_found`, `conflict` */
export function deleteAccount(dependencies: AccountDependencies, email: string): Promise<void> {
  return new Profile(dependencies).removeByAddress(email);
}
