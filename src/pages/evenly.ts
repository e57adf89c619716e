/** Makes an answer take the same time, whatever it found out. */

import { setTimeout as delay } from 'node:timers/promises';

/** More than the longest of the ways takes on an idle machine. */
const AT_LEAST_MS = 250;

/** Resolves with what `work` does, not before a fixed time has passed: how long it took tells nothing. */
export async function evenly<T>(work: () => Promise<T>): Promise<T> {
  const [result] = await Promise.all([work(), delay(AT_LEAST_MS)]);
  return result;
}
