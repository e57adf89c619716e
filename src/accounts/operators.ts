/**
 * Operators run the service. A person becomes one through a one-time link, printed at start-up or by the command line.
 */

import { setAllowance } from '../credits/allowance-store.js';
import { balanceOf, grantCredits, type Origin, takeBackCredits } from '../credits/ledger-store.js';
import type { Database, DatabaseTransaction } from '../database/connection.js';
import { transact } from '../database/transaction.js';
import { counted, grouped } from '../platform/counted.js';
import { AccountError } from './account-error.js';
import type { Actor, AnyActor } from './actor.js';
import { audit } from './audit-store.js';
import { setSuspended } from './organisations/organisation-store.js';
import { issueLink, type LinkState, lookUpLink, redeemLink, requireOpen } from './people/one-time-link-store.js';
import { hashPassword } from './people/password.js';
import { findPerson, insertPerson, listOperators, lockPerson, setOperator } from './people/person-store.js';
import { isFirstSending } from './sent-form-store.js';

const ANOTHER_LINK = 'Print another one.';

/** Credits of an organisation. The ledger keeps the reason. */
interface Grant {
  organisationId: string;
  /** A positive integer. */
  credits: number;
  reason: string;
}

/** Called in the transaction that changes the balance. */
interface Hooks {
  /** Called before the grant. */
  onGrant?: (transaction: DatabaseTransaction, actor: AnyActor, grant: Omit<Grant, 'reason'>) => Promise<void>;
  onTakenBack?:
    | ((transaction: DatabaseTransaction, taken: readonly Omit<Grant, 'reason'>[]) => Promise<void>)
    | undefined;
}

export class Operators {
  readonly #database: Database;
  readonly #hooks: Hooks;

  constructor(database: Database, hooks: Hooks = {}) {
    this.#database = database;
    this.#hooks = hooks;
  }

  async any(): Promise<boolean> {
    return (await this.list()).length > 0;
  }

  /** Issues a link and returns its token. Earlier links end. */
  async issueLink(): Promise<string> {
    return transact(this.#database, (transaction) => issueLink(transaction, 'operator', {}));
  }

  lookUpLink(token: string): Promise<LinkState> {
    return lookUpLink(this.#database, 'operator', token);
  }

  /**
   * Uses the link and creates an operator's account. @throws AccountError `link_ended`; `conflict` when the address has
   * an account
   */
  async becomeOperator(
    token: string,
    { name, email, password }: { name: string; email: string; password: string },
    address: string,
  ): Promise<string> {
    // Checked first: nobody without a link can make the service compute a hash.
    requireOpen(await this.lookUpLink(token), ANOTHER_LINK);
    const passwordHash = await hashPassword(password);
    return transact(this.#database, async (transaction) => {
      requireOpen(await redeemLink(transaction, 'operator', token), ANOTHER_LINK);
      if ((await findPerson(transaction, 'email', email)) !== undefined) {
        throw new AccountError('conflict', 'This address has an account. Sign in with it, then open the link again.');
      }
      const personId = await insertPerson(transaction, { name, email, passwordHash, isOperator: true });
      await audit(transaction, { personId, address }, null, 'became-operator');
      return personId;
    });
  }

  /** Uses the link to make a signed-in person an operator. @throws AccountError `link_ended` */
  async promote(token: string, actor: Actor): Promise<void> {
    await transact(this.#database, async (transaction) => {
      requireOpen(await redeemLink(transaction, 'operator', token), ANOTHER_LINK);
      await setOperator(transaction, actor.personId, true);
      await audit(transaction, actor, null, 'became-operator');
    });
  }

  /** All operators, sorted by name. */
  list(): Promise<{ name: string; email: string }[]> {
    return listOperators(this.#database);
  }

  /**
   * Makes a person stop being an operator, by their address. Also ends an unused operator link.
   * @param actor an operator, who cannot withdraw themselves, or the command line
   * @throws AccountError `not_found`; `conflict`
   */
  async withdraw(actor: AnyActor, email: string): Promise<void> {
    await this.#asOperator(actor, async (transaction) => {
      const person = await findPerson(transaction, 'email', email);
      if (person?.isOperator !== true) {
        throw new AccountError('not_found', `Nobody with the address ${email} runs this service.`);
      }
      if (person.id === actor.personId) {
        throw new AccountError('conflict', 'You cannot withdraw yourself. Ask another operator.');
      }
      await setOperator(transaction, person.id, false);
      await issueLink(transaction, 'operator', {});
      await audit(transaction, actor, null, 'operator-withdrawn', email);
    });
  }

  /**
   * Grants credits, for an operator. A form with the same `formId` grants only once.
   * @returns the balance
   * @throws AccountError `not_found` when the actor is not an operator; ApiError `not_found`
   */
  async grant(actor: AnyActor, { organisationId, credits, reason }: Grant, formId?: string): Promise<number> {
    return this.#onceAsOperator(actor, organisationId, formId, async (transaction, origin) => {
      await audit(transaction, actor, organisationId, 'credits-granted', `${credits}: ${reason}`);
      await this.#hooks.onGrant?.(transaction, actor, { organisationId, credits });
      return grantCredits(transaction, organisationId, credits, reason, origin);
    });
  }

  /**
   * Takes granted credits back, for an operator. The balance does not fall below zero. A form with the same `formId` takes
   * only once.
   * @returns the balance
   * @throws AccountError `not_found` when the actor is not an operator, `conflict` when fewer credits are left; ApiError
   * `not_found`
   */
  async takeBack(actor: AnyActor, { organisationId, credits, reason }: Grant, formId?: string): Promise<number> {
    return this.#onceAsOperator(actor, organisationId, formId, async (transaction, origin) => {
      const balance = await takeBackCredits(transaction, organisationId, credits, reason, origin);
      if (balance === undefined) {
        const left = counted(await balanceOf(transaction, organisationId), 'credit', grouped);
        throw new AccountError('conflict', `The organisation has ${left}. No more than that can be taken back.`);
      }
      await audit(transaction, actor, organisationId, 'credits-taken-back', `${credits}: ${reason}`);
      await this.#hooks.onTakenBack?.(transaction, [{ organisationId, credits }]);
      return balance;
    });
  }

  /** Changes a balance. A form that was sent before changes nothing. @returns the balance */
  async #onceAsOperator(
    actor: AnyActor,
    organisationId: string,
    formId: string | undefined,
    change: (transaction: DatabaseTransaction, origin: Origin) => Promise<number>,
  ): Promise<number> {
    return this.#asOperator(actor, async (transaction) => {
      const { personId } = actor;
      if (personId !== null && formId !== undefined && !(await isFirstSending(transaction, personId, formId))) {
        return balanceOf(transaction, organisationId);
      }
      return change(transaction, personId === null ? {} : { personId });
    });
  }

  /**
   * Sets an organisation's monthly credits, for an operator. Null: the service's standard allowance.
   * @throws AccountError `not_found` when the actor is not an operator
   */
  async setAllowance(actor: AnyActor, organisationId: string, credits: number | null): Promise<void> {
    await this.#asOperator(actor, async (transaction) => {
      await setAllowance(transaction, organisationId, credits);
      await audit(transaction, actor, organisationId, 'allowance-set', credits === null ? 'standard' : String(credits));
    });
  }

  /**
   * Suspends an organisation, or lets it go on, as an operator. A suspended organisation makes no jobs; everything else goes
   * on, jobs in progress too.
   * @throws AccountError `not_found` when the actor is not an operator
   */
  async setSuspended(actor: AnyActor, organisationId: string, isSuspended: boolean): Promise<void> {
    await this.#asOperator(actor, async (transaction) => {
      if (await setSuspended(transaction, organisationId, isSuspended)) {
        await audit(
          transaction,
          actor,
          organisationId,
          isSuspended ? 'organisation-suspended' : 'organisation-resumed',
        );
      }
    });
  }

  /** Runs `work`, if the actor is an operator at that moment, or the command line. */
  async #asOperator<T>(actor: AnyActor, work: (transaction: DatabaseTransaction) => Promise<T>): Promise<T> {
    return transact(this.#database, async (transaction) => {
      if (actor.personId !== null) {
        await requireOperator(transaction, actor);
      }
      return work(transaction);
    });
  }
}

/**
 * Locks the actor's row, so that an operator stays one until the transaction ends: two who withdraw each other must not both
 * succeed. @throws AccountError `not_found` when the actor is no longer an operator
 */
async function requireOperator(transaction: DatabaseTransaction, { personId }: Actor): Promise<void> {
  await lockPerson(transaction, personId);
  if ((await findPerson(transaction, 'id', personId))?.isOperator !== true) {
    throw new AccountError('not_found', 'There is nothing at this address.');
  }
}
