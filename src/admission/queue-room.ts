/** The room of the queue: whether a job that is drawn later can be begun in time, and that what waits is drawn while others come. */

import { ApiError } from '../contract/errors.js';
import type { AdmissionFigures } from './admission-control.js';
import { QUEUE } from './table.js';

/** What waits in the queue, as an organisation sees it. */
export interface QueueLook {
  /** Chunks of all; and the organisation's own, of which each job that waits counts as one. */
  chunks: number;
  own: number;
  /** Chunks that were started so far. */
  started: number;
}

/** Time that the pace is measured over. */
const PACE_MS = { shortest: 1_000, longest: 10_000 };

/** Chunks that may wait before jobs are let in so many at a time: whoever stores and commits them takes turns from those who draw. */
const BUSY = { chunks: 32, atOnce: 2 };

/** Refused callers are told to come back within this time. */
const LONGEST_WAIT_SECONDS = 60;

export class QueueRoom {
  readonly #look: (organisationId: string) => Promise<QueueLook | undefined>;
  readonly #now: () => number;
  /** Looks of the last seconds, the oldest first. */
  #looks: { at: number; started: number }[] = [];
  #perSecond = 0;
  #chunks = 0;
  #refused = 0;
  #storing = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(look: (organisationId: string) => Promise<QueueLook | undefined>, now = () => performance.now()) {
    this.#look = look;
    this.#now = now;
  }

  get figures(): AdmissionFigures {
    // Nobody looks while no job comes.
    const isKnown = this.#now() - (this.#looks.at(-1)?.at ?? 0) <= PACE_MS.longest;
    return {
      work: 'queue',
      sentence: 'parts of jobs are waiting',
      places: this.#places,
      taken: isKnown ? this.#chunks : 0,
      refused: this.#refused,
    };
  }

  /**
   * Stores a job that is drawn later, where the queue has room, or where its organisation has less than half of it.
   * @throws ApiError `unavailable`
   */
  async enter<T>(organisationId: string, store: () => Promise<T>): Promise<T> {
    const look = await this.#look(organisationId);
    if (look === undefined) {
      return store();
    }
    this.#measure(look);
    this.#refuseFull(look);
    return look.chunks > BUSY.chunks ? this.#inTurn(store) : store();
  }

  async #inTurn<T>(store: () => Promise<T>): Promise<T> {
    if (this.#storing >= BUSY.atOnce) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    } else {
      this.#storing += 1;
    }
    try {
      return await store();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) {
        this.#storing -= 1;
      } else {
        next();
      }
    }
  }

  #refuseFull(look: QueueLook): void {
    const share = look.own < look.chunks ? this.#places / 2 : this.#places;
    if (look.chunks <= this.#places || look.own <= share) {
      return;
    }
    this.#refused += 1;
    const seconds = Math.ceil((look.chunks - this.#places) / Math.max(1, this.#perSecond));
    const retryAfter = Math.min(LONGEST_WAIT_SECONDS, Math.max(1, seconds));
    const message = `Too many ${QUEUE.tooMuch}; try again in ${retryAfter} seconds.`;
    throw new ApiError('unavailable', message, {}, { 'Retry-After': String(retryAfter) });
  }

  get #places(): number {
    return Math.max(QUEUE.chunks, Math.floor(this.#perSecond * QUEUE.seconds));
  }

  #measure({ chunks, started }: QueueLook): void {
    this.#chunks = chunks;
    const now = this.#now();
    this.#looks = this.#looks.filter(({ at }) => now - at <= PACE_MS.longest);
    const [first] = this.#looks;
    if (first !== undefined && now - first.at >= PACE_MS.shortest) {
      this.#perSecond = (1_000 * (started - first.started)) / (now - first.at);
    }
    const last = this.#looks.at(-1);
    if (last === undefined || now - last.at >= PACE_MS.shortest) {
      this.#looks.push({ at: now, started });
    }
  }
}
