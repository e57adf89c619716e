/** The second factor: codes of an authenticator app, and recovery codes that replace them. */

import { randomInt } from 'node:crypto';
import type { Database, DatabaseTransaction } from '../../database/connection.js';
import { transact } from '../../database/transaction.js';
import { AccountError } from '../account-error.js';
import type { Actor } from '../actor.js';
import { audit } from '../audit-store.js';
import { type AccountDependencies, accountUrl, mailPerson } from '../letters.js';
import { acceptedStep, isAppCode, plainCode } from './app-codes.js';
import { issueLink, lookUpLink, redeemLink, voidLinks } from './one-time-link-store.js';
import { findPerson, type PersonWithPassword } from './person-store.js';
import { type SecondFactorChange, secondFactorLetter, wrongCodesLetter } from './second-factor-letters.js';
import { tokenHash } from '../secret-token.js';
import { requireSession } from './session-store.js';

const RECOVERY_CODES = 10;

/** Without look-alike letters and digits. */
const RECOVERY_ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Characters of a recovery code: about 50 bits. */
const RECOVERY_CHARACTERS = 10;

interface StoredFactor {
  /** Base32. */
  secret: string;
  /** Time step of the last accepted code. */
  usedStep: number;
}

async function findSecondFactor(database: Database, personId: string): Promise<StoredFactor | undefined> {
  const row = await database
    .selectFrom('people')
    .select(['totp_secret as secret', 'totp_used_step as usedStep'])
    .where('id', '=', personId)
    .executeTakeFirst();
  return row?.secret ? { secret: row.secret, usedStep: row.usedStep ?? 0 } : undefined;
}

/** Sets a factor, or removes it, with the recovery codes. @returns false when there already was one, or none */
async function setSecondFactor(
  transaction: Database,
  personId: string,
  factor: StoredFactor | undefined,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('people')
    .set({ totp_secret: factor?.secret ?? null, totp_used_step: factor?.usedStep ?? null })
    .where('id', '=', personId)
    .where('totp_secret', factor === undefined ? 'is not' : 'is', null)
    .executeTakeFirst();
  await transaction.deleteFrom('recovery_codes').where('person_id', '=', personId).execute();
  return numUpdatedRows === 1n;
}

/** Removes a person's factor, if there is one. */
export async function removeSecondFactor(
  dependencies: AccountDependencies,
  transaction: DatabaseTransaction,
  actor: Actor,
): Promise<void> {
  if (await setSecondFactor(transaction, actor.personId, undefined)) {
    await audit(transaction, actor, null, 'second-factor-off');
    await mailChange(dependencies, transaction, actor, 'second-factor-off');
  }
}

/** Mails the person, so that a change they did not make is noticed. */
async function mailChange(
  dependencies: AccountDependencies,
  transaction: DatabaseTransaction,
  { personId }: Actor,
  change: SecondFactorChange,
): Promise<void> {
  const codesLeft = await recoveryCodesLeft(transaction, personId);
  const url = accountUrl(dependencies, 'forgot');
  await mailPerson(transaction, personId, (name) => secondFactorLetter(change, { name, codesLeft }, url));
}

async function recoveryCodesLeft(database: Database, personId: string): Promise<number> {
  const { left } = await database
    .selectFrom('recovery_codes')
    .select(({ fn }) => fn.countAll<number>().as('left'))
    .where('person_id', '=', personId)
    .executeTakeFirstOrThrow();
  return left;
}

/** Marks a time step as used. False when this or a later one was used before. */
async function useTimeStep(transaction: Database, personId: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('people')
    .set({ totp_used_step: step })
    .where('id', '=', personId)
    .where('totp_used_step', '<', step)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Gives a person new recovery codes in place of those they have. */
async function replaceRecoveryCodes(transaction: Database, personId: string, hashes: readonly string[]): Promise<void> {
  await transaction.deleteFrom('recovery_codes').where('person_id', '=', personId).execute();
  await transaction
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ person_id: personId, code_hash: hash })))
    .execute();
}

/** Locks a person's factor until the transaction ends. False when they have none. */
async function lockSecondFactor(transaction: Database, personId: string): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('people')
    .set((column) => ({ totp_used_step: column.ref('totp_used_step') }))
    .where('id', '=', personId)
    .where('totp_secret', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Deletes a recovery code. False when there is no such code. */
async function useRecoveryCode(transaction: Database, personId: string, hash: string): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('recovery_codes')
    .where('person_id', '=', personId)
    .where('code_hash', '=', hash)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

export class SecondFactor {
  readonly #dependencies: AccountDependencies;
  readonly #database: Database;

  constructor(dependencies: AccountDependencies) {
    this.#dependencies = dependencies;
    this.#database = dependencies.database;
  }

  /** True when signing in with a password also needs a code. */
  async isOn(personId: string): Promise<boolean> {
    return (await findSecondFactor(this.#database, personId))?.secret !== undefined;
  }

  /**
   * Turns the second factor on, if the code matches the secret.
   * @returns recovery codes, which are shown only once; undefined when the code is wrong
   * @throws AccountError `conflict` when it is already on, or the session has just ended: whoever held it must not lock out a
   * person who then set a new password
   */
  async turnOn(
    actor: Actor,
    { secret, code }: { secret: string; code: string },
    sessionKeyHash: string,
  ): Promise<string[] | undefined> {
    const step = acceptedStep(secret, code);
    if (step === undefined) {
      return undefined;
    }
    const codes = newRecoveryCodes();
    await transact(this.#database, async (transaction) => {
      await requireSession(transaction, actor, sessionKeyHash);
      if (!(await setSecondFactor(transaction, actor.personId, { secret, usedStep: step }))) {
        throw new AccountError('conflict', 'Two-factor authentication is on already.');
      }
      await replaceRecoveryCodes(transaction, actor.personId, codes.map(tokenHash));
      await audit(transaction, actor, null, 'second-factor-on');
      await mailChange(this.#dependencies, transaction, actor, 'second-factor-on');
    });
    return codes;
  }

  /** Number of recovery codes that a person has not used. */
  recoveryCodesLeft(personId: string): Promise<number> {
    return recoveryCodesLeft(this.#database, personId);
  }

  /**
   * Makes new recovery codes, which end the old ones.
   * @returns the codes, which are shown only once
   * @throws AccountError `conflict` when the second factor is off
   */
  async makeRecoveryCodes(actor: Actor): Promise<string[]> {
    const codes = newRecoveryCodes();
    await transact(this.#database, async (transaction) => {
      if (!(await lockSecondFactor(transaction, actor.personId))) {
        throw new AccountError('conflict', 'Two-factor authentication is off.');
      }
      await replaceRecoveryCodes(transaction, actor.personId, codes.map(tokenHash));
      await audit(transaction, actor, null, 'recovery-codes-made');
      await mailChange(this.#dependencies, transaction, actor, 'recovery-codes-made');
    });
    return codes;
  }

  /** Turns the second factor off. False when the code is wrong. */
  async turnOff(actor: Actor, code: string): Promise<boolean> {
    return transact(this.#database, async (transaction) => {
      if (!(await this.#accept(transaction, actor, code))) {
        return false;
      }
      await removeSecondFactor(this.#dependencies, transaction, actor);
      return true;
    });
  }

  /** Starts the second step of a sign-in, after the right password. @returns a token for the step's form */
  async begin(personId: string): Promise<string> {
    return transact(this.#database, (transaction) => issueLink(transaction, 'second-factor', { personId }));
  }

  /** The person whose password was right. Undefined once the step has ended. */
  async person(token: string): Promise<PersonWithPassword | undefined> {
    const link = await lookUpLink(this.#database, 'second-factor', token);
    return link.state === 'open' && link.personId !== null
      ? findPerson(this.#database, 'id', link.personId)
      : undefined;
  }

  /** Finishes the second step with an app code or a recovery code. False when the code is wrong or used. */
  async finish(token: string, actor: Actor, code: string): Promise<boolean> {
    return transact(this.#database, async (transaction) => {
      if (!(await this.#accept(transaction, actor, code))) {
        return false;
      }
      if (!isAppCode(code)) {
        await mailChange(this.#dependencies, transaction, actor, 'recovery-code-used');
      }
      const link = await redeemLink(transaction, 'second-factor', token);
      return link.state === 'open' && link.personId === actor.personId;
    });
  }

  /** Ends all open sign-ins of a person that wait for a code, and mails them that somebody guesses. */
  async endGuessing(personId: string): Promise<void> {
    await transact(this.#database, async (transaction) => {
      await voidLinks(transaction, 'second-factor', personId);
      const url = accountUrl(this.#dependencies, 'forgot');
      await mailPerson(transaction, personId, (name) => wrongCodesLetter(name, url));
    });
  }

  /** Checks a code and marks it as used. */
  async #accept(transaction: Database, actor: Actor, typed: string): Promise<boolean> {
    const code = plainCode(typed);
    const factor = await findSecondFactor(transaction, actor.personId);
    if (factor === undefined) {
      return false;
    }
    const step = acceptedStep(factor.secret, code);
    if (step === undefined && (await useRecoveryCode(transaction, actor.personId, tokenHash(code)))) {
      await audit(transaction, actor, null, 'recovery-code-used');
      return true;
    }
    if (step !== undefined && (await useTimeStep(transaction, actor.personId, step))) {
      return true;
    }
    await audit(transaction, actor, null, 'second-factor-refused');
    return false;
  }
}

function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
}

function newRecoveryCode(): string {
  return Array.from({ length: RECOVERY_CHARACTERS }, () => RECOVERY_ALPHABET[randomInt(RECOVERY_ALPHABET.length)]).join(
    '',
  );
}
