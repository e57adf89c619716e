/** How much may be on its way in at once, and whether there is room for it on disk. */

import { ApiError } from '../errors.js';

/** Bodies that are received and checked at once: bounds files, buffers and the farm's queue. */
const BODIES_AT_ONCE = 256;

/** How long an answer about the storage holds. */
const CHECK_EVERY_MS = 5_000;

export class IntakeRoom {
  readonly #check: () => Promise<void>;
  #bodies = 0;
  #checkedAt = Number.NEGATIVE_INFINITY;

  /** `check` rejects when the storage cannot take more, and says so in the log. */
  constructor(check: () => Promise<void>) {
    this.#check = check;
  }

  /** Runs `work` where there is room for one more body. @throws ApiError `unavailable` */
  async enter<T>(work: () => Promise<T>): Promise<T> {
    if (this.#bodies >= BODIES_AT_ONCE) {
      throw new ApiError(
        'unavailable',
        'Too many jobs are being received; try again soon.',
        {},
        { 'Retry-After': '5' },
      );
    }
    this.#bodies += 1;
    try {
      await this.#checkStorage();
      return await work();
    } finally {
      this.#bodies -= 1;
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
