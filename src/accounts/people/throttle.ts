/**
 * Slows down guessing and flooding, per account and per IP address. Never locks an account for people elsewhere, but for
 * codes of a second factor: whoever may guess those knows the password.
 */

import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { ApiError, isDone } from '../../contract/errors.js';
import type { SharedRedis } from '../../platform/redis/shared-redis.js';
import { type SharedLimiter, sharedLimiter } from '../../platform/redis/shared-limiter.js';

/** Allowed attempts, and the period in seconds. */
const LIMITS = {
  /** Failed sign-ins to one account from one address. */
  pair: { points: 5, seconds: 900 },
  /** Failed sign-ins from one address, to any account. */
  address: { points: 50, seconds: 3_600 },
  /** Failed sign-ins to one account from anywhere. Beyond it every attempt is delayed. */
  account: { points: 30, seconds: 3_600 },
  /**
   * Wrong codes of a second factor for one account, from anywhere. Of a million codes three are right at a time:
   * a year of guesses finds one with a probability of a quarter, and each hour is mailed.
   */
  code: { points: 10, seconds: 3_600 },
  /** Mails to one recipient that anybody can request. */
  mail: { points: 4, seconds: 3_600 },
  /** Links for a new password. Counted apart, so that no other mails use them up. */
  resetMail: { points: 4, seconds: 3_600 },
  preview: { points: 240, seconds: 60 },
  /** Texts that strangers at one address try. */
  sample: { points: 120, seconds: 60 },
  job: { points: 60, seconds: 60 },
  /** Saved styles per person, each of up to half a megabyte, in any number of organisations. */
  style: { points: 100, seconds: 86_400 },
  /** Forms per person that change something: each writes a line of the log of actions, which is kept. */
  change: { points: 600, seconds: 3_600 },
  /** Right passwords and codes per account, and sign-ins by the provider per person: each starts a session. */
  signedIn: { points: 1_000, seconds: 3_600 },
  /**
   * Failed steps of sign-ins by the provider from one address: each may be a request to the provider. Ends soon, since
   * all of an office fail while the provider is away.
   */
  provider: { points: 60, seconds: 300 },
  key: { points: 30, seconds: 3_600 },
  /** Mails to operators, of one organisation. */
  ask: { points: 5, seconds: 3_600 },
  /**
   * Invitations per person, and of them per recipient, since they show text chosen by the sender. Not per organisation: a
   * person may found many.
   */
  inviter: { points: 50, seconds: 86_400 },
  invitation: { points: 3, seconds: 3_600 },
  /** Pages kept for one address after a form. Beyond it they are shown without. */
  keptPage: { points: 300, seconds: 600 },
  /** Forms from one address that send a mail or create an account. */
  forms: { points: 60, seconds: 3_600 },
} as const;

/** Delay of an attempt on an account with too many failed sign-ins. */
const DELAY_MS = 1_500;

type Limit = keyof typeof LIMITS;

export class Throttle {
  readonly #limiters: Readonly<Record<Limit, SharedLimiter>>;

  /**
   * @param redis holds the counters shared by several processes; without it, and while it is away, they are in memory
   */
  constructor(redis?: SharedRedis) {
    const limiters = Object.entries(LIMITS).map(([name, limit]) => [
      name,
      sharedLimiter({ name: `account-${name}`, ...limit }, redis),
    ]);
    this.#limiters = Object.fromEntries(limiters) as Record<Limit, SharedLimiter>;
  }

  /**
   * Runs a sign-in attempt, which resolves with undefined or false when it fails.
   * @param account its email address, or another name of what is guessed
   * @throws ApiError `rate_limited` when this address has failed too often, where other addresses still get in, or when
   * the account was signed in to too often
   */
  async attempt<T>(account: string, address: string, attempt: () => Promise<T>): Promise<T> {
    const network = addressKey(address);
    const keys = { pair: pairKey(account, address), address: network, account: digest(account) };
    // Counted before the attempt, so that concurrent attempts all count. A successful one is given back.
    // The pair comes first: what it refuses is no failed sign-in, and must not keep out others at the address.
    await this.#take('pair', keys.pair);
    await this.#take('address', keys.address).catch(async (error: unknown) => {
      await this.#limiters.pair.reward(keys.pair);
      throw error;
    });
    const others = await this.#limiters.account.get(keys.account);
    if (others !== null && others.consumedPoints >= LIMITS.account.points) {
      await delay(DELAY_MS);
    }
    const result = await attempt().catch(async (error: unknown) => {
      // The service had no place for the attempt, or is out of order: nothing was guessed.
      await this.#limiters.pair.reward(keys.pair);
      await this.#limiters.address.reward(keys.address);
      throw error;
    });
    if (result === undefined || result === false) {
      await this.#limiters.account.penalty(keys.account);
    } else {
      await this.#take('signedIn', keys.account);
      await this.#limiters.pair.delete(keys.pair);
      await this.#limiters.address.reward(keys.address);
    }
    return result;
  }

  /**
   * Runs an attempt at a code of a person's second factor, as `attempt` does, within an hourly bound for all addresses. Codes
   * are counted apart from passwords: a right password makes no room for more codes, and wrong ones do not keep out a
   * person who knows it.
   * @param onLast called when the attempt fails and leaves no other for now
   * @throws ApiError `rate_limited`
   */
  async code(
    personId: string,
    address: string,
    attempt: () => Promise<boolean>,
    onLast: () => Promise<void>,
  ): Promise<boolean> {
    const { remainingPoints } = await this.#take('code', personId);
    const isRight = await this.attempt(codesOf(personId), address, attempt).catch(async (error: unknown) => {
      await this.#limiters.code.reward(personId);
      throw error;
    });
    if (isRight) {
      await this.#limiters.code.reward(personId);
    } else if (remainingPoints === 0) {
      await onLast();
    }
    return isRight;
  }

  /** Forgets wrong codes and passwords for a person, once they have set a new password from an IP address by a mailed link. */
  async forget({ id, email }: { id: string; email: string }, address: string): Promise<void> {
    await this.#limiters.code.delete(id);
    await this.#limiters.pair.delete(pairKey(email, address));
    await this.#limiters.pair.delete(pairKey(codesOf(id), address));
  }

  /**
   * Runs a step of a sign-in by the provider. A whole company may sign in from one address, so only failures count.
   * @throws ApiError `rate_limited` when too many steps from this address have failed
   */
  async byProvider<T>(address: string, step: () => Promise<T>): Promise<T> {
    const network = addressKey(address);
    // Counted before, as in `attempt`.
    await this.#take('provider', network);
    const result = await step();
    await this.#limiters.provider.reward(network);
    return result;
  }

  /** Counts a form that sends a mail or creates an account. @throws ApiError `rate_limited` */
  async form(address: string): Promise<void> {
    await this.#take('forms', addressKey(address));
  }

  /** Counts something that a person does, or a new key of an organisation. @throws ApiError `rate_limited` */
  async count(
    limit: 'change' | 'preview' | 'job' | 'style' | 'key' | 'ask' | 'signedIn',
    holderId: string,
  ): Promise<void> {
    await this.#take(limit, holderId);
  }

  /** True when another page may be kept for this address. */
  async mayKeepPage(address: string): Promise<boolean> {
    return this.#may('keptPage', addressKey(address));
  }

  /** Counts a text that a stranger tries. @throws ApiError `rate_limited` */
  async sample(address: string): Promise<void> {
    await this.#take('sample', addressKey(address));
  }

  /** Counts an invitation. @throws ApiError `rate_limited` */
  async invitation(personId: string, email: string): Promise<void> {
    await this.#take('invitation', digest(`${personId}\n${mailbox(email)}`));
    await this.#take('inviter', personId);
  }

  /** True when another unauthenticated request may mail this recipient. */
  async mayMail(email: string, limit: 'mail' | 'resetMail' = 'mail'): Promise<boolean> {
    // Links for a new password go to addresses of accounts alone, and those of others must not use them up.
    return this.#may(limit, digest(limit === 'resetMail' ? email : mailbox(email)));
  }

  async #may(limit: Limit, key: string): Promise<boolean> {
    return isDone(this.#take(limit, key));
  }

  async #take(limit: Limit, key: string): Promise<RateLimiterRes> {
    try {
      return await this.#limiters[limit].consume(key);
    } catch (error) {
      if (error instanceof RateLimiterRes) {
        const seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
        const minutes = Math.ceil(seconds / 60);
        const message = `Too many attempts. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`;
        throw new ApiError('rate_limited', message, {}, { 'Retry-After': String(seconds) });
      }
      throw error;
    }
  }
}

/** The name of a person's codes as what is guessed. */
function codesOf(personId: string): string {
  return `codes of ${personId}`;
}

/** The key of an account as one address guesses at it. */
function pairKey(account: string, address: string): string {
  return digest(`${account}\n${addressKey(address)}`);
}

/** Keys of equal length, whatever was typed. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** The address without what follows a plus sign: many mail servers deliver all such addresses to one person. */
function mailbox(email: string): string {
  return email.replace(/\+[^@]*(?=@)/, '');
}

/**
 * The key of an IPv4 address is itself; that of an IPv6 address is its /64 network, in one canonical spelling, because
 * its owner has the whole network.
 */
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
