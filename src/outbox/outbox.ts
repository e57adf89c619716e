/**
 * The outbox: claims what is due, sends it, tries again after failures with growing pauses, and gives up. Mails and webhook
 * calls are its kinds. Organisations take turns, so that the long outbox of one, or its silent receivers, delay nobody else.
 */

import { HOUR_MS } from '../contract/limits.js';
import type { Log } from '../platform/log.js';
import { withoutAddresses } from '../platform/quoting.js';
import { Rounds } from '../platform/rounds.js';
import type { Claimed, Due } from './outbox-rows-store.js';

/** Polling interval. Nothing wakes this process when a retry falls due or another process inserts a row. */
const POLL_INTERVAL_MS = 5_000;

/** Maximum number of concurrent sends for one organisation. */
const MAX_SENDS_OF_ONE = 4;

/** Organisations whose turns are remembered. The number only bounds the memory. */
const MAX_TURNS = 10_000;

/** Time for which a lease outlasts the send, to record the outcome. */
const RECORD_MS = 20_000;

/** Failures in a row after which a receiver is paused. */
const FAILURES_UNTIL_PAUSE = 5;
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 900_000;

/** Thrown by a send that must not be repeated. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

/** Result of an attempt. `failed` is retried. */
export type AttemptOutcome = 'delivered' | 'failed' | 'given_up';

export interface Attempt {
  outcome: AttemptOutcome;
  /** For people. */
  text: string;
  /** Unix milliseconds. Null: never. */
  nextAttemptAt: number | null;
}

/** One kind of what is sent: where its rows are, and how one is sent. */
export interface OutboxKind<Claim extends Claimed> {
  /** Begins the lines of the log. */
  name: string;
  /** Level of a failed attempt in the log. */
  failureLevel: 'info' | 'error';
  /** Maximum number of concurrent sends in this process. */
  places: number;
  /** Time limit of a send. */
  timeoutMs: number;
  /** Delays after failed attempts. After the last one follows one more attempt. */
  retryDelaysMs: readonly number[];
  /** True: sends in flight are aborted when the process ends, and repeated. False: they end first. */
  isAborted: boolean;
  /** Rows that are due, some of each receiver, those that have been due longest first. */
  due: () => Promise<Due[]>;
  /** Undefined when the row is no longer due. */
  claim: (due: Due, leaseMs: number) => Promise<Claim | undefined>;
  /** Resolves with the receiver's answer, for people. @throws RefusedError, or another error when a retry may succeed */
  send: (claim: Claim, signal: AbortSignal) => Promise<string>;
  /** Records an attempt, unless the claim had expired: then another process has the row. */
  settle: (claim: Claim, attempt: Attempt) => Promise<void>;
  /** Ends a claim without an attempt. */
  release: (claim: Claim) => Promise<void>;
  /** Names a row in the log. */
  describe: (claim: Claim) => object;
  /** Deletes what was settled long ago. */
  sweep: () => Promise<void>;
}

interface OutboxOptions<Claim extends Claimed> {
  kind: OutboxKind<Claim>;
  log: Log;
  onAttempt?: (outcome: AttemptOutcome, claim: Claim) => void;
}

interface Send extends Due {
  controller: AbortController;
  ended: Promise<void>;
}

/** Time until a receiver's next attempt after so many failures in a row: none for the first few, then 5 s, doubling up to 15 min. */
export function pauseMs(failures: number): number {
  const doublings = failures - FAILURES_UNTIL_PAUSE;
  return doublings < 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** doublings, MAX_PAUSE_MS);
}

/** Time that a claim keeps other processes from sending the same row: longer than a send can take. */
export function leaseMs(timeoutMs: number): number {
  return timeoutMs + RECORD_MS;
}

export class Outbox<Claim extends Claimed> {
  readonly #options: OutboxOptions<Claim>;
  /** By row. */
  readonly #sends = new Map<string, Send>();
  /** Rows that were due at the last look and have not been claimed since. */
  #due: Due[] = [];
  /** Number of the last turn of each organisation. The lowest is next. */
  readonly #turns = new Map<string, number>();
  #turn = 0;
  readonly #claims: Rounds;
  readonly #sweeps: Rounds;

  constructor(options: OutboxOptions<Claim>) {
    this.#options = options;
    const { kind, log } = options;
    this.#claims = new Rounds({
      work: () => this.#startSends(),
      everyMs: POLL_INTERVAL_MS,
      onFailure: (error) => log.error({ err: error }, `${kind.name}: could not read the outbox`),
    });
    this.#sweeps = new Rounds({
      work: () => kind.sweep(),
      everyMs: HOUR_MS,
      onFailure: (error) => log.error({ err: error }, `${kind.name}: could not delete what is settled`),
    });
  }

  start(): void {
    void this.#sweeps.start();
    void this.#claims.start();
  }

  /** Sends what is due now. Call it after committing a new row. */
  wake(): void {
    this.#due = [];
    this.#claims.runSoon();
  }

  /** Aborts sends in flight and releases their claims, or lets them end. The rest waits for the next start. */
  async close(): Promise<void> {
    await Promise.all([this.#claims.close(), this.#sweeps.close()]);
    const sends = [...this.#sends.values()];
    if (this.#options.kind.isAborted) {
      sends.forEach(({ controller }) => controller.abort(CLOSED));
    }
    await Promise.all(sends.map(({ ended }) => ended));
  }

  async #startSends(): Promise<void> {
    const { kind } = this.#options;
    while (!this.#claims.isClosed && this.#sends.size < kind.places) {
      let due = this.#takeNext();
      if (due === undefined) {
        this.#due = await kind.due();
        due = this.#takeNext();
      }
      if (due === undefined) {
        return;
      }
      const claim = await kind.claim(due, leaseMs(kind.timeoutMs));
      // A database that stood still may have used up the lease.
      if (claim !== undefined && claim.leasedUntil - Date.now() < kind.timeoutMs) {
        await kind.release(claim);
      } else if (claim !== undefined) {
        this.#start(due, claim);
      }
    }
  }

  /** Takes the row whose organisation has waited longest for its turn, of those that may be sent now. */
  #takeNext(): Due | undefined {
    const maySend = this.#allowance();
    const turnOf = ({ organisationId }: Due) => this.#turns.get(organisationId) ?? 0;
    let next: Due | undefined;
    for (const due of this.#due) {
      if ((next === undefined || turnOf(due) < turnOf(next)) && maySend(due)) {
        next = due;
      }
    }
    this.#due = this.#due.filter((due) => due !== next);
    return next;
  }

  /**
   * Tells which rows may be sent beside those in flight. A receiver gets one at a time, and an organisation a second one only
   * while more than half of the places are free. Receivers that failed last time get half of the places.
   */
  #allowance(): (due: Due) => boolean {
    const half = this.#options.kind.places / 2;
    const sends = [...this.#sends.values()];
    const receivers = new Set(sends.map(({ receiver }) => receiver));
    const mostOfOne = sends.length < half ? MAX_SENDS_OF_ONE : 1;
    const mayFail = sends.filter(({ isFailing }) => isFailing).length < half;
    return ({ organisationId, receiver, isFailing }) =>
      (mayFail || !isFailing) &&
      !receivers.has(receiver) &&
      sends.filter((send) => send.organisationId === organisationId).length < mostOfOne;
  }

  #start(due: Due, claim: Claim): void {
    const { kind, log } = this.#options;
    if (this.#turns.size >= MAX_TURNS) {
      this.#turns.clear();
    }
    this.#turn += 1;
    this.#turns.set(due.organisationId, this.#turn);
    const controller = new AbortController();
    const ended = this.#send(claim, controller)
      .catch((error: unknown) =>
        log.error({ ...kind.describe(claim), err: error }, `${kind.name}: could not record an attempt`),
      )
      .finally(() => {
        this.#sends.delete(due.id);
        this.#claims.runSoon();
      });
    this.#sends.set(due.id, { ...due, controller, ended });
  }

  async #send(claim: Claim, controller: AbortController): Promise<void> {
    const { kind, log, onAttempt } = this.#options;
    const attempt = await this.#attempt(claim, controller);
    if (controller.signal.reason === CLOSED && attempt.outcome !== 'delivered') {
      await kind.release(claim);
      return;
    }
    onAttempt?.(attempt.outcome, claim);
    await kind.settle(claim, attempt);
    const { outcome, text, nextAttemptAt } = attempt;
    if (outcome === 'delivered') {
      log.debug(kind.describe(claim), `${kind.name}: delivered`);
      return;
    }
    const details = { ...kind.describe(claim), outcome: withoutAddresses(text), givenUp: outcome === 'given_up' };
    log[kind.failureLevel](details, `${kind.name}: delivery failed`);
    const waitMs = nextAttemptAt === null ? Infinity : nextAttemptAt - Date.now();
    if (waitMs < POLL_INTERVAL_MS * 2) {
      setTimeout(() => this.wake(), waitMs).unref();
    }
  }

  async #attempt(claim: Claim, controller: AbortController): Promise<Attempt> {
    const { kind } = this.#options;
    try {
      const text = await within(kind.timeoutMs, (signal) => kind.send(claim, signal), controller);
      return { outcome: 'delivered', text, nextAttemptAt: null };
    } catch (error) {
      const { message: text } = error as Error;
      const delayMs = error instanceof RefusedError ? undefined : kind.retryDelaysMs[claim.attempts];
      return delayMs === undefined
        ? { outcome: 'given_up', text, nextAttemptAt: null }
        : { outcome: 'failed', text, nextAttemptAt: Date.now() + delayMs };
    }
  }
}

/** The reason of sends that are aborted because the process ends. */
const CLOSED = new Error('the process ends');

/**
 * Resolves as `work` does, unless the signal is aborted before: after `timeoutMs`, or by the caller.
 * @throws the signal's reason then
 */
export async function within<T>(
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
  controller = new AbortController(),
): Promise<T> {
  const { signal } = controller;
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });
  const timer = setTimeout(() => controller.abort(new Error(`no answer within ${timeoutMs / 1_000} s`)), timeoutMs);
  try {
    return await Promise.race([work(signal), aborted]);
  } finally {
    clearTimeout(timer);
  }
}
