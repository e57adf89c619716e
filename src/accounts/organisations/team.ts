/** Changes of an organisation's members. Owners and admins manage; only owners make owners. */

import { setAllowance } from '../../credits/allowance-store.js';
import { grantCredits } from '../../credits/ledger-store.js';
import { LIMITS } from '../../contract/limits.js';
import type { Database, DatabaseTransaction } from '../../database/connection.js';
import type { Role } from '../../database/schema.js';
import { transact } from '../../database/transaction.js';
import { postMail } from '../../outbox/mail-store.js';
import { AccountError } from '../account-error.js';
import type { Actor } from '../actor.js';
import { audit } from '../audit-store.js';
import {
  createInvitation,
  type Invitation,
  invitationByToken,
  joinByInvitation,
  openInvitations,
  requireInvitation,
  withdrawUnauthorised,
  withdrawInvitation,
} from './invitation-store.js';
import { reportKeysOfLeaver } from '../keys/keys-of-leavers.js';
import {
  type AccountDependencies,
  accountUrl,
  formerOwnerLetter,
  invitationLetter,
  mailPerson,
  ownershipLetter,
} from '../letters.js';
import {
  deleteMembership,
  updateOwnerEmail,
  insertMembership,
  membershipsOf,
  MANAGERS,
  requireOtherOwner,
  requireRole,
  ROLES,
  roleOf,
  setRole,
} from './membership-store.js';
import { insertOrganisation, nameOfOrganisation, renameOrganisation } from './organisation-store.js';
import { lockPerson, nameOf, takeWelcome } from '../people/person-store.js';
import { isFirstSending } from '../sent-form-store.js';

export class Team {
  readonly #dependencies: AccountDependencies;
  readonly #database: Database;

  constructor(dependencies: AccountDependencies) {
    this.#dependencies = dependencies;
    this.#database = dependencies.database;
  }

  /**
   * Creates an organisation, and returns its id. The first one of a person with a verified address gets welcome credits, others
   * get none now or each month: a person can create many.
   * Undefined when the form `formId` already created it.
   * @throws ApiError `invalid_input` for its name; AccountError `conflict` when the person is in too many
   */
  async found(actor: Actor, name: string, email: string, formId: string): Promise<string | undefined> {
    return transact(this.#database, async (transaction) => {
      if (!(await isFirstSending(transaction, actor.personId, formId))) {
        return undefined;
      }
      // Of several forms that arrive at once, one counts after the other.
      await lockPerson(transaction, actor.personId);
      if ((await membershipsOf(transaction, actor.personId)).length >= LIMITS.memberships) {
        const message = `You are in ${LIMITS.memberships} organisations. Leave one before you create another.`;
        throw new AccountError('conflict', message);
      }
      const organisationId = await insertOrganisation(transaction, name, email);
      await insertMembership(transaction, organisationId, actor.personId, 'owner');
      if (await takeWelcome(transaction, actor.personId)) {
        const reason = 'address confirmed';
        await grantCredits(transaction, organisationId, LIMITS.welcomeCredits, reason, { personId: actor.personId });
      } else {
        await setAllowance(transaction, organisationId, 0);
      }
      await audit(transaction, actor, organisationId, 'organisation-created', name);
      return organisationId;
    });
  }

  async rename(actor: Actor, organisationId: string, name: string): Promise<void> {
    await this.#withRole(actor, organisationId, ['owner'], async (transaction) => {
      await renameOrganisation(transaction, organisationId, name);
      await audit(transaction, actor, organisationId, 'organisation-renamed', name);
    });
  }

  /** Open invitations, newest first. */
  async invitations(organisationId: string): Promise<Invitation[]> {
    return openInvitations(this.#database)
      .where('organisation_id', '=', organisationId)
      .orderBy('invitations.created_at', 'desc')
      .execute();
  }

  /** Undefined when the invitation was withdrawn or has expired. */
  async invitation(token: string): Promise<Invitation | undefined> {
    return invitationByToken(this.#database, token);
  }

  /** Invites an address. Replaces an open invitation of this organisation to it. @throws AccountError */
  async invite(actor: Actor, inviter: string, organisationId: string, email: string, role: Role): Promise<void> {
    await this.#withRole(actor, organisationId, role === 'owner' ? ['owner'] : MANAGERS, async (transaction) => {
      const { token, organisation } = await createInvitation(transaction, actor, { organisationId, email, role });
      const url = accountUrl(this.#dependencies, `invitation/${token}`);
      await postMail(transaction, email, invitationLetter({ inviter, organisation, role }, url), organisationId);
    });
  }

  /** @throws AccountError `not_found` when the invitation is not open */
  async openInvitation(organisationId: string, invitationId: string): Promise<Invitation> {
    return requireInvitation(this.#database, organisationId, invitationId);
  }

  /** @throws AccountError `not_found` when the invitation is not open */
  async withdraw(actor: Actor, organisationId: string, invitationId: string): Promise<void> {
    await this.#withRole(actor, organisationId, MANAGERS, async (transaction) => {
      const email = await withdrawInvitation(transaction, organisationId, invitationId);
      await audit(transaction, actor, organisationId, 'invitation-withdrawn', email);
    });
  }

  /**
   * Joins through an invitation link, which is then used. @throws AccountError `link_ended`; `forbidden` when the
   * invitation is for another address
   */
  async join(actor: Actor, email: string, token: string): Promise<string> {
    return transact(this.#database, (transaction) => joinByInvitation(transaction, actor, email, token));
  }

  /** Gives a member another role. @throws AccountError */
  async changeRole(actor: Actor, organisationId: string, personId: string, role: Role): Promise<void> {
    await this.#withRole(actor, organisationId, MANAGERS, async (transaction, own) => {
      const before = await this.#requireMember(transaction, organisationId, personId);
      if (own !== 'owner' && (before === 'owner' || role === 'owner')) {
        throw new AccountError('forbidden', 'Only an owner can change who owns the organisation.');
      }
      if (before === 'owner' && role !== 'owner') {
        await requireOtherOwner(transaction, organisationId, personId);
      }
      await setRole(transaction, organisationId, personId, role);
      await updateOwnerEmail(transaction, organisationId);
      // Their own name would stay after the deletion of their account.
      const subject = personId === actor.personId ? role : `${await nameOf(transaction, personId)}: ${role}`;
      const action = role === 'owner' ? 'ownership-shared' : 'role-changed';
      await audit(transaction, actor, organisationId, action, subject);
      if ((role === 'owner') !== (before === 'owner') && personId !== actor.personId) {
        await this.#mailOwnership(transaction, actor, organisationId, { personId, role });
      }
      await withdrawUnauthorised(transaction, actor, organisationId, { personId, role });
    });
  }

  async remove(actor: Actor, organisationId: string, personId: string): Promise<void> {
    await this.#withRole(actor, organisationId, MANAGERS, async (transaction, own) => {
      const role = await this.#requireMember(transaction, organisationId, personId);
      if (role === 'owner' && own !== 'owner') {
        throw new AccountError('forbidden', 'Only an owner can remove an owner.');
      }
      if (role === 'owner') {
        await requireOtherOwner(transaction, organisationId, personId);
      }
      await deleteMembership(transaction, organisationId, personId);
      await updateOwnerEmail(transaction, organisationId);
      await audit(transaction, actor, organisationId, 'member-removed', await nameOf(transaction, personId));
      await withdrawUnauthorised(transaction, actor, organisationId, { personId });
      await reportKeysOfLeaver(this.#dependencies, transaction, actor, { organisationId, personId });
    });
  }

  /** Ends the actor's own membership. @throws AccountError `conflict` for the last owner */
  async leave(actor: Actor, organisationId: string): Promise<void> {
    await this.#withRole(actor, organisationId, ROLES, async (transaction, own) => {
      if (own === 'owner') {
        await requireOtherOwner(transaction, organisationId, actor.personId);
      }
      await deleteMembership(transaction, organisationId, actor.personId);
      await updateOwnerEmail(transaction, organisationId);
      await audit(transaction, actor, organisationId, 'left');
      await withdrawUnauthorised(transaction, actor, organisationId, { personId: actor.personId });
      await reportKeysOfLeaver(this.#dependencies, transaction, actor, { organisationId, personId: actor.personId });
    });
  }

  /** Makes a member the owner in place of the actor, who becomes an admin. @throws AccountError */
  async handOver(actor: Actor, organisationId: string, personId: string): Promise<void> {
    await this.#withRole(actor, organisationId, ['owner'], async (transaction) => {
      await this.#requireMember(transaction, organisationId, personId);
      if (personId === actor.personId) {
        throw new AccountError('conflict', 'Choose another member as the new owner.');
      }
      await setRole(transaction, organisationId, personId, 'owner');
      await setRole(transaction, organisationId, actor.personId, 'admin');
      await updateOwnerEmail(transaction, organisationId);
      const name = await nameOf(transaction, personId);
      await audit(transaction, actor, organisationId, 'ownership-handed-over', name);
      await this.#mailOwnership(transaction, actor, organisationId, { personId, role: 'owner' });
      await withdrawUnauthorised(transaction, actor, organisationId, { personId: actor.personId, role: 'admin' });
    });
  }

  async #mailOwnership(
    transaction: DatabaseTransaction,
    actor: Actor,
    organisationId: string,
    { personId, role }: { personId: string; role: Role },
  ): Promise<void> {
    const organisation = await nameOfOrganisation(transaction, organisationId);
    const by = await nameOf(transaction, actor.personId);
    const url = accountUrl(this.#dependencies, `o/${organisationId}/members`);
    await mailPerson(transaction, personId, (name) =>
      role === 'owner'
        ? ownershipLetter({ organisation, name, by }, url)
        : formerOwnerLetter({ organisation, name, by, role }, url),
    );
  }

  /** Runs `work` with the members locked, if the actor has one of `roles` at that moment. */
  async #withRole(
    actor: Actor,
    organisationId: string,
    roles: readonly Role[],
    work: (transaction: DatabaseTransaction, own: Role) => Promise<void>,
  ): Promise<void> {
    await transact(this.#database, async (transaction) => {
      const own = await requireRole(transaction, actor, organisationId, roles);
      await work(transaction, own);
    });
  }

  async #requireMember(transaction: DatabaseTransaction, organisationId: string, personId: string): Promise<Role> {
    const role = await roleOf(transaction, organisationId, personId);
    if (role === undefined) {
      throw new AccountError('not_found', 'There is no such member.');
    }
    return role;
  }
}
