/** How much may be on its way in at once, and whether there is room for it on disk. */

import { ApiError } from '../errors.js';

/** Bodies that are received and checked at once: bounds files, buffers and the farm's queue. */
const BODIES_AT_ONCE = 256;

/** Those of one organisation: bodies that trickle must not keep the others out. */
const BODIES_OF_ONE_AT_ONCE = 128;

/** How long an answer about the storage holds. */
const CHECK_EVERY_MS = 5_000;

export class IntakeRoom {
  readonly #check: () => Promise<void>;
  #bodies = 0;
  /** Those of each organisation that has any. */
  readonly #bodiesOf = new Map<string, number>();
  #checkedAt = Number.NEGATIVE_INFINITY;

  /** `check` rejects when the storage cannot take more, and says so in the log. */
  constructor(check: () => Promise<void>) {
    this.#check = check;
  }

  /** Runs `work` where there is room for one more body of an organisation. @throws ApiError `unavailable` */
  async enter<T>(organisationId: string, work: () => Promise<T>): Promise<T> {
    const ofOne = this.#bodiesOf.get(organisationId) ?? 0;
    if (this.#bodies >= BODIES_AT_ONCE || ofOne >= BODIES_OF_ONE_AT_ONCE) {
      const message = 'Too many jobs are being received; try again soon.';
      throw new ApiError('unavailable', message, {}, { 'Retry-After': '5' });
    }
    this.#count(organisationId, 1);
    try {
      await this.#checkStorage();
      return await work();
    } finally {
      this.#count(organisationId, -1);
    }
  }

  #count(organisationId: string, change: 1 | -1): void {
    const ofOne = (this.#bodiesOf.get(organisationId) ?? 0) + change;
    this.#bodies += change;
    if (ofOne === 0) {
      this.#bodiesOf.delete(organisationId);
    } else {
      this.#bodiesOf.set(organisationId, ofOne);
    }
  }

  async #checkStorage(): Promise<void> {
    if (performance.now() - this.#checkedAt < CHECK_EVERY_MS) {
      return;
    }
    try {
      await this.#check();
    } catch {
      const message = 'The service cannot store more jobs at the moment; try again later.';
      throw new ApiError('unavailable', message, {}, { 'Retry-After': '60' });
    }
    this.#checkedAt = performance.now();
  }
}
