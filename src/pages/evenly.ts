/** Makes a response take the same time, whatever the outcome. */

import { setTimeout as delay } from 'node:timers/promises';

/** Longer than the slowest outcome takes on an idle machine. */
const MIN_DURATION_MS = 250;

/** Resolves with the result of `work`, but not before a fixed time, so that the duration reveals nothing. */
export async function evenly<T>(work: () => Promise<T>): Promise<T> {
  const [result] = await Promise.all([work(), delay(MIN_DURATION_MS)]);
  return result;
}
