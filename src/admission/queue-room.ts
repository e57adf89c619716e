/**
 * Limits the queue: admits a job that is drawn later only if it can start in time, and makes sure that waiting chunks
 * are drawn while new jobs arrive.
 */

import { Slots } from '../platform/concurrency.js';
import { type AdmissionFigures, QUEUE, tryAgain } from './table.js';

/** Length of the queue, as seen by one organisation. */
export interface QueueFigures {
  /** Waiting chunks of all organisations. */
  chunks: number;
  /** The organisation's waiting jobs. Each has at least one waiting chunk. */
  own: number;
  /** Chunks started since the queue was created. */
  started: number;
}

/** Period over which the rate is measured. */
const RATE_WINDOW_MS = { shortest: 1_000, longest: 10_000 };

/**
 * When more than `chunks` wait, jobs are admitted only `atOnce` at a time: storing and committing them competes with
 * drawing.
 */
const BUSY = { chunks: 32, atOnce: 2 };

/** A job that waits for longer is refused: its connection, and proxies, do not wait much longer. */
const MAX_WAIT_MS = 30_000;

/** `Retry-After` of a job that waited in vain. */
const WAITED_RETRY_SECONDS = 15;

export class QueueRoom {
  readonly #read: (organisationId: string) => Promise<QueueFigures | undefined>;
  readonly #now: () => number;
  readonly #maxWaitMs: number;
  /** Readings of the last seconds, oldest first. */
  #readings: { at: number; started: number }[] = [];
  #perSecond = 0;
  #chunks = 0;
  #refused = 0;
  readonly #storing = new Slots(BUSY.atOnce);

  constructor(
    read: (organisationId: string) => Promise<QueueFigures | undefined>,
    now = () => performance.now(),
    maxWaitMs = MAX_WAIT_MS,
  ) {
    this.#read = read;
    this.#now = now;
    this.#maxWaitMs = maxWaitMs;
  }

  get figures(): AdmissionFigures {
    // No readings are taken while no job arrives.
    const isKnown = this.#now() - (this.#readings.at(-1)?.at ?? 0) <= RATE_WINDOW_MS.longest;
    return {
      work: 'queue',
      name: 'Parts of jobs in the queue',
      places: this.#places,
      taken: isKnown ? this.#chunks : 0,
      refused: this.#refused,
    };
  }

  /**
   * Stores a job that is drawn later, if the queue has room, or if few jobs of its organisation wait: at most half as many
   * as chunks may wait.
   * @throws ApiError `unavailable`
   */
  async enter<T>(organisationId: string, store: () => Promise<T>): Promise<T> {
    const figures = await this.#read(organisationId);
    if (figures === undefined) {
      return store();
    }
    this.#measure(figures);
    this.#refuseFull(figures);
    return figures.chunks > BUSY.chunks ? this.#inTurn(store) : store();
  }

  async #inTurn<T>(store: () => Promise<T>): Promise<T> {
    const tooLong = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    try {
      return await this.#storing.within(store, '', () => {
        timer = setTimeout(() => tooLong.abort(), this.#maxWaitMs);
        return tooLong.signal;
      });
    } catch (error) {
      if (error === tooLong.signal.reason) {
        this.#refused += 1;
        throw tryAgain('unavailable', `Too many ${QUEUE.tooMuch}`, WAITED_RETRY_SECONDS);
      }
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  #refuseFull({ chunks, own }: QueueFigures): void {
    if (chunks <= this.#places || own <= this.#places / 2) {
      return;
    }
    this.#refused += 1;
    const seconds = Math.ceil((chunks - this.#places) / Math.max(1, this.#perSecond));
    throw tryAgain('unavailable', `Too many ${QUEUE.tooMuch}`, seconds);
  }

  get #places(): number {
    return Math.max(QUEUE.chunks, Math.floor(this.#perSecond * QUEUE.seconds));
  }

  #measure({ chunks, started }: QueueFigures): void {
    this.#chunks = chunks;
    const now = this.#now();
    this.#readings = this.#readings.filter(({ at }) => now - at <= RATE_WINDOW_MS.longest);
    const [first] = this.#readings;
    if (first !== undefined && now - first.at >= RATE_WINDOW_MS.shortest) {
      this.#perSecond = (1_000 * (started - first.started)) / (now - first.at);
    }
    const last = this.#readings.at(-1);
    if (last === undefined || now - last.at >= RATE_WINDOW_MS.shortest) {
      this.#readings.push({ at: now, started });
    }
  }
}
