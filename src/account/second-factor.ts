/** The second factor: codes of an authenticator app (TOTP, RFC 6238), and recovery codes that replace them. */

import { randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { Database } from '../database/connection.js';
import { transact } from '../database/transaction.js';
import { AccountError } from './account-error.js';
import { type Actor, audit } from './audit-store.js';
import { issueLink, lookUpLink, redeemLink } from './one-time-link-store.js';
import { findPerson, type PersonWithPassword } from './person-store.js';
import {
  findSecondFactor,
  insertRecoveryCodes,
  setSecondFactor,
  useRecoveryCode,
  useTimeStep,
} from './second-factor-store.js';
import { tokenHash } from './secret-token.js';

/** 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20;

const PERIOD_SECONDS = 30;

/** Accepted steps before and after the current one, because clocks differ. */
const WINDOW_STEPS = 1;

const RECOVERY_CODES = 10;

/** Without look-alike letters and digits. */
const RECOVERY_ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Characters of a recovery code: about 50 bits. */
const RECOVERY_CHARACTERS = 10;

/** A secret shown to a person who has not confirmed it with a code yet. */
export interface NewSecret {
  /** Base32. */
  secret: string;
  /** The `otpauth:` URI that the app reads as a QR code. */
  uri: string;
}

export class SecondFactor {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** True when signing in with a password also needs a code. */
  async isOn(personId: string): Promise<boolean> {
    return (await findSecondFactor(this.#database, personId))?.secret !== undefined;
  }

  /** A new secret for a person's app. Nothing is stored until `turnOn`. */
  newSecret(email: string, secret = new Secret({ size: SECRET_BYTES }).base32): NewSecret {
    return { secret, uri: totpOf(secret, email).toString() };
  }

  /**
   * Turns the second factor on, if the code matches the secret.
   * @returns recovery codes, which are shown only once; undefined when the code is wrong
   * @throws AccountError `conflict` when it is already on
   */
  async turnOn(actor: Actor, secret: string, code: string): Promise<string[] | undefined> {
    const step = acceptedStep(secret, code);
    if (step === undefined) {
      return undefined;
    }
    const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
    await transact(this.#database, async (transaction) => {
      if (!(await setSecondFactor(transaction, actor.personId, { secret, usedStep: step }))) {
        throw new AccountError('conflict', 'Two-factor authentication is on already.');
      }
      await insertRecoveryCodes(transaction, actor.personId, codes.map(tokenHash));
      await audit(transaction, actor, null, 'second-factor-on');
    });
    return codes;
  }

  /** Turns the second factor off. False when the code is wrong. */
  async turnOff(actor: Actor, code: string): Promise<boolean> {
    return transact(this.#database, async (transaction) => {
      if (!(await this.#accept(transaction, actor, code))) {
        return false;
      }
      await setSecondFactor(transaction, actor.personId, undefined);
      await audit(transaction, actor, null, 'second-factor-off');
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
      const link = await redeemLink(transaction, 'second-factor', token);
      return link.state === 'open' && link.personId === actor.personId;
    });
  }

  /** Checks a code and marks it as used. */
  async #accept(transaction: Database, actor: Actor, typed: string): Promise<boolean> {
    const code = typed.replaceAll(/[\s-]/g, '').toLowerCase();
    const factor = await findSecondFactor(transaction, actor.personId);
    if (factor === undefined) {
      return false;
    }
    const step = acceptedStep(factor.secret, code);
    if (step !== undefined) {
      return useTimeStep(transaction, actor.personId, step);
    }
    if (!(await useRecoveryCode(transaction, actor.personId, tokenHash(code)))) {
      return false;
    }
    await audit(transaction, actor, null, 'recovery-code-used');
    return true;
  }
}

/** The time step for which a code is valid. */
function acceptedStep(secret: string, code: string): number | undefined {
  const delta = /^\d{6}$/.test(code) ? totpOf(secret).validate({ token: code, window: WINDOW_STEPS }) : null;
  return delta === null ? undefined : Math.floor(Date.now() / (PERIOD_SECONDS * 1_000)) + delta;
}

function totpOf(secret: string, label = ''): TOTP {
  return new TOTP({ issuer: 'qrpress', label, period: PERIOD_SECONDS, secret: Secret.fromBase32(secret) });
}

function newRecoveryCode(): string {
  return Array.from({ length: RECOVERY_CHARACTERS }, () => RECOVERY_ALPHABET[randomInt(RECOVERY_ALPHABET.length)]).join(
    '',
  );
}
