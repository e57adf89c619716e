/** Slows down guessing and flooding, by account and by address, without ever locking an account for those elsewhere. */

import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { RateLimiterRes } from 'rate-limiter-flexible';
import type { Redis } from '../redis/connection.js';
import { type SharedLimiter, sharedLimiter } from '../redis/shared-limiter.js';
import { AccountError } from './account-error.js';

/** Attempts, and the seconds in which they are counted. */
const LIMITS = {
  /** Wrong passwords for one account from one address. */
  pair: { points: 5, seconds: 900 },
  /** Wrong passwords from one address, whatever the account. */
  address: { points: 50, seconds: 3_600 },
  /** Wrong passwords for one account, from wherever; beyond it every attempt takes longer. */
  account: { points: 30, seconds: 3_600 },
  /** Mails to one recipient that anybody can ask for. */
  mail: { points: 4, seconds: 3_600 },
  /** Previews that a person asks for while they try styles. */
  preview: { points: 240, seconds: 60 },
  /** Jobs that a person makes in the studio. */
  job: { points: 60, seconds: 60 },
  /** Keys that an organisation makes. */
  key: { points: 30, seconds: 3_600 },
  /** Invitations that an organisation sends, and those to one recipient: they say what their sender wants them to. */
  organisation: { points: 50, seconds: 86_400 },
  invitation: { points: 3, seconds: 3_600 },
  /** Forms from one address that make a mail or an account. */
  forms: { points: 60, seconds: 3_600 },
} as const;

/** The cost of an attempt on an account that many others guess at. */
const SLOW_MS = 1_500;

type Limit = keyof typeof LIMITS;

export class Throttle {
  readonly #limiters: Readonly<Record<Limit, SharedLimiter>>;

  /** @param redis where the counters are that several processes share; without it, and while it is away, they are in memory */
  constructor(redis?: Redis) {
    const limiters = Object.entries(LIMITS).map(([name, limit]) => [
      name,
      sharedLimiter({ name: `account-${name}`, ...limit }, redis),
    ]);
    this.#limiters = Object.fromEntries(limiters) as Record<Limit, SharedLimiter>;
  }

  /**
   * Runs an attempt to sign in, which resolves with nothing when it fails. @throws AccountError `too_many`, where this
   * address has failed too often; others still get in.
   */
  async attempt<T>(email: string, address: string, attempt: () => Promise<T | undefined>): Promise<T | undefined> {
    const network = addressKey(address);
    const keys = { pair: digest(`${email}\n${network}`), address: network, account: digest(email) };
    // Taken before the attempt, so that many at once are counted as many; given back by those who succeed.
    await this.#take('address', keys.address);
    await this.#take('pair', keys.pair);
    const others = await this.#limiters.account.get(keys.account);
    if (others !== null && others.consumedPoints >= LIMITS.account.points) {
      await delay(SLOW_MS);
    }
    const result = await attempt();
    if (result === undefined) {
      await this.#limiters.account.penalty(keys.account);
    } else {
      await this.#limiters.pair.delete(keys.pair);
      await this.#limiters.address.reward(keys.address);
    }
    return result;
  }

  /** Counts a form that makes a mail or an account. @throws AccountError `too_many` */
  async form(address: string): Promise<void> {
    await this.#take('forms', addressKey(address));
  }

  /** Counts a preview. @throws AccountError `too_many` */
  async preview(personId: string): Promise<void> {
    await this.#take('preview', personId);
  }

  /** Counts a job of the studio. @throws AccountError `too_many` */
  async job(personId: string): Promise<void> {
    await this.#take('job', personId);
  }

  /** Counts a key. @throws AccountError `too_many` */
  async key(organisationId: string): Promise<void> {
    await this.#take('key', organisationId);
  }

  /** Counts an invitation. @throws AccountError `too_many` */
  async invitation(organisationId: string, email: string): Promise<void> {
    await this.#take('invitation', digest(`${organisationId}\n${email}`));
    await this.#take('organisation', organisationId);
  }

  /** True where another mail may go to a recipient who did not ask for it with their password. */
  async mayMail(email: string): Promise<boolean> {
    return this.#take('mail', digest(email)).then(
      () => true,
      (error: unknown) => {
        if (error instanceof AccountError) {
          return false;
        }
        throw error;
      },
    );
  }

  async #take(limit: Limit, key: string): Promise<void> {
    try {
      await this.#limiters[limit].consume(key);
    } catch (error) {
      if (error instanceof RateLimiterRes) {
        const seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
        const minutes = Math.ceil(seconds / 60);
        const message = `Too many attempts. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`;
        throw new AccountError('too_many', message, seconds);
      }
      throw error;
    }
  }
}

/** Keys of one length, whatever was typed. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** The owner of an IPv6 address has the 64-bit network around it; that network has one spelling, whatever that of the address. */
function addressKey(address: string): string {
  if (!address.includes(':') || address.includes('.')) {
    return address;
  }
  const [before, after] = address.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const [left, right] = [before ?? [], after ?? []];
  const zeros = Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0');
  const network = [...left, ...zeros, ...right].slice(0, 4);
  return network.map((group) => Number.parseInt(group, 16).toString(16)).join(':');
}
