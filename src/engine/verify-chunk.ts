/** Reads back all proofs of a chunk, one slice at a time. */

import { LIMITS } from '../contract/limits.js';
import type { Engine } from './engine.js';

/** Result of reading codes back. */
export interface Verification {
  /** Items that were read back. */
  verified: number;
  /** Number of them that could not be read. */
  unread: number;
  /** The first hundred of those, in order. */
  unreadItems: number[];
}

export const NOTHING_VERIFIED: Verification = { verified: 0, unread: 0, unreadItems: [] };

/** Adds the results of two parts of a job. */
export function merged(one: Verification, other: Verification): Verification {
  return {
    verified: one.verified + other.verified,
    unread: one.unread + other.unread,
    unreadItems: firstUnread([...one.unreadItems, ...other.unreadItems]),
  };
}

/** The unread items that are listed: the first hundred, in order. */
export function firstUnread(items: readonly number[]): number[] {
  return items.toSorted((one, other) => one - other).slice(0, LIMITS.unreadItems);
}

/** @param path of the proofs; undefined when there are none */
export async function verifyChunk(engine: Pick<Engine, 'verify'>, path: string | undefined): Promise<Verification> {
  let verification = NOTHING_VERIFIED;
  let next = path === undefined ? undefined : { path, offset: 0 };
  while (next !== undefined) {
    const report = await engine.verify(next);
    const { verified, unread } = report;
    verification = merged(verification, { verified, unread: unread.length, unreadItems: unread });
    next = report.next === undefined ? undefined : { ...next, offset: report.next };
  }
  return verification;
}
