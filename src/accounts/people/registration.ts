/**
 * Sign-up: the service mails a link to an address, and opening the link creates the account. Before that there is
 * neither a person nor a password, so nobody can prepare an account for the address's owner to walk into.
 */

import { LIMITS } from '../../contract/limits.js';
import { grantCredits } from '../../credits/ledger-store.js';
import { isDuplicate, transact } from '../../database/transaction.js';
import { postMail } from '../../outbox/mail-store.js';
import { AccountError } from '../account-error.js';
import { audit } from '../audit-store.js';
import { joinByInvitation } from '../organisations/invitation-store.js';
import { type AccountDependencies, accountUrl, alreadyRegisteredLetter, signUpLetter } from '../letters.js';
import { insertMembership } from '../organisations/membership-store.js';
import { issueLink, lookUpLink, redeemLink, requireOpen, voidLinksTo } from './one-time-link-store.js';
import { insertOrganisation } from '../organisations/organisation-store.js';
import { hashPassword } from './password.js';
import { findPerson, insertPerson } from './person-store.js';

interface NewAccount {
  organisation: string;
  name: string;
  password: string;
}

/** The state of a sign-up link. `used`: its address has an account. */
export type SignUpState = { state: 'open'; email: string } | { state: 'used' | 'ended' };

export class Registration {
  readonly #dependencies: AccountDependencies;

  constructor(dependencies: AccountDependencies) {
    this.#dependencies = dependencies;
  }

  /** Mails a sign-up link. An address that has an account gets a different letter. The caller cannot see which. */
  async signUp(email: string): Promise<void> {
    await transact(this.#dependencies.database, async (transaction) => {
      const known = await findPerson(transaction, 'email', email);
      const letter =
        known === undefined
          ? signUpLetter(
              accountUrl(this.#dependencies, `sign-up/${await issueLink(transaction, 'sign-up', { email })}`),
            )
          : alreadyRegisteredLetter(known.name, accountUrl(this.#dependencies, 'sign-in'));
      await postMail(transaction, email, letter);
    });
  }

  async lookUp(token: string): Promise<SignUpState> {
    const { database } = this.#dependencies;
    const link = await lookUpLink(database, 'sign-up', token);
    if (link.state === 'ended' || link.email === null) {
      return { state: 'ended' };
    }
    const isKnown = link.state === 'used' || (await findPerson(database, 'email', link.email)) !== undefined;
    return isKnown ? { state: 'used' } : { state: 'open', email: link.email };
  }

  /**
   * Creates the account of a link's address, and an organisation with welcome credits.
   * @throws AccountError `link_ended`; `conflict` when the address has an account; ApiError `invalid_input`
   */
  async complete(
    token: string,
    { organisation, name, password }: NewAccount,
    address: string,
  ): Promise<{ personId: string; organisationId: string }> {
    const passwordHash = await hashPassword(password);
    return transact(this.#dependencies.database, async (transaction) => {
      const link = requireOpen(await redeemLink(transaction, 'sign-up', token), 'Sign in, or sign up again.');
      const email = link.email as string;
      await voidLinksTo(transaction, email);
      const personId = await insertPerson(transaction, { email, name, passwordHash });
      const organisationId = await insertOrganisation(transaction, organisation, email);
      await insertMembership(transaction, organisationId, personId, 'owner');
      await grantCredits(transaction, organisationId, LIMITS.welcomeCredits, 'address confirmed', { personId });
      await audit(transaction, { personId, address }, organisationId, 'signed-up', email);
      return { personId, organisationId };
    }).catch(refuseKnown);
  }

  /**
   * Creates an account for an invited address, which the invitation's link confirms, and joins the organisation.
   * @throws AccountError `link_ended`; `conflict` when the address has an account
   */
  async signUpInvited(
    { name, password }: Pick<NewAccount, 'name' | 'password'>,
    invitation: { email: string; token: string },
    address: string,
  ): Promise<{ personId: string; organisationId: string }> {
    const { email, token } = invitation;
    const passwordHash = await hashPassword(password);
    return transact(this.#dependencies.database, async (transaction) => {
      const personId = await insertPerson(transaction, { email, name, passwordHash, hasWelcome: true });
      await voidLinksTo(transaction, email);
      const organisationId = await joinByInvitation(transaction, { personId, address }, email, token);
      return { personId, organisationId };
    }).catch(refuseKnown);
  }
}

/** A duplicate means that another link, or the same form sent twice, created the account first. */
function refuseKnown(error: unknown): never {
  throw isDuplicate(error)
    ? new AccountError('conflict', 'This address has an account already. Sign in with it.')
    : error;
}
