/** Streams that a person may have open in this process: a connection each, for as long as a job runs. */

import { AccountError } from '../account/account-error.js';

const PLACES = 8;

export class StreamPlaces {
  readonly #taken = new Map<string, number>();

  /** Takes a place, and returns what gives it back. @throws AccountError `too_many` */
  take(personId: string): () => void {
    const taken = this.#taken.get(personId) ?? 0;
    if (taken >= PLACES) {
      throw new AccountError('too_many', `At most ${PLACES} pages at a time are told of a job's progress.`, 5);
    }
    this.#taken.set(personId, taken + 1);
    return () => {
      const left = (this.#taken.get(personId) ?? 0) - 1;
      if (left > 0) {
        this.#taken.set(personId, left);
      } else {
        this.#taken.delete(personId);
      }
    };
  }
}
