/** Failures of the rooms below that may pass, as the client's error. */

import { type ApiError, unavailable } from '../contract/errors.js';
import { databaseShortage } from '../database/shortage.js';
import { engineShortage } from '../engine/engine.js';
import { type Shortage, systemShortage } from '../platform/shortage.js';

/** Message and `Retry-After` in seconds. */
const ANSWERS: Readonly<Record<Shortage, readonly [string, number]>> = {
  disk: ['The service lacks disk space; try again later.', 60],
  server: ['The service is temporarily unavailable; try again later.', 5],
};

/** Undefined for an error that does not pass. */
export function asUnavailable(error: unknown): ApiError | undefined {
  const shortage = engineShortage(error) ?? databaseShortage(error) ?? systemShortage(error);
  return shortage && unavailable(...ANSWERS[shortage]);
}
