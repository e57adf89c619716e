/** Reads all proofs of a chunk back, a slice at a time. */

import { LIMITS } from '../contract/limits.js';
import type { Engine } from './engine.js';

/** What came of reading codes back. */
export interface Verification {
  /** Items that were tried. */
  verified: number;
  /** Of these, not read. */
  unread: number;
  /** The first hundred of them, in order. */
  unreadItems: number[];
}

export const NOTHING_VERIFIED: Verification = { verified: 0, unread: 0, unreadItems: [] };

/** Adds what came of one part of a job to that of another. */
export function together(one: Verification, other: Verification): Verification {
  return {
    verified: one.verified + other.verified,
    unread: one.unread + other.unread,
    unreadItems: firstUnread([...one.unreadItems, ...other.unreadItems]),
  };
}

/** The items that are named of those that could not be read. */
export function firstUnread(items: readonly number[]): number[] {
  return items.toSorted((one, other) => one - other).slice(0, LIMITS.unreadItems);
}

/** @param path of the proofs, undefined where there are none */
export async function verifyChunk(engine: Pick<Engine, 'verify'>, path: string | undefined): Promise<Verification> {
  let verification = NOTHING_VERIFIED;
  let next = path === undefined ? undefined : { path, offset: 0 };
  while (next !== undefined) {
    const report = await engine.verify(next);
    const { verified, unread } = report;
    verification = together(verification, { verified, unread: unread.length, unreadItems: unread });
    next = report.next === undefined ? undefined : { ...next, offset: report.next };
  }
  return verification;
}
