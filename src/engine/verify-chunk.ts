/** Reads the codes of a chunk back: all that are asked for module by module, and a sample of them as a phone would. */

import { LIMITS } from '../contract/limits.js';
import { type Engine, EngineError, type ReadingsSummary, type VerifyReport } from './engine.js';

type Request = Parameters<Engine['readBack']>[0];

/** Result of reading codes back. */
export interface Verification {
  /** Items that were read back. */
  verified: number;
  /** Number of them that could not be read. */
  unread: number;
  /** The first hundred of those, in order. */
  unreadItems: number[];
  /** The least unused error correction of the items that were read, and the first item that has it. */
  least?: NonNullable<ReadingsSummary['least']>;
  /** Items that were read, by their unused error correction: below 25, 50, 75 and 100 percent, and all of it. */
  distribution: number[];
}

export const NOTHING_VERIFIED: Verification = {
  verified: 0,
  unread: 0,
  unreadItems: [],
  distribution: [0, 0, 0, 0, 0],
};

/** Crashes of the engine or of its thread, or tasks without end, that the reading of a chunk survives: an item that causes them is unread. */
const MAX_CRASHES = 8;

/** Adds the results of two parts of a job. */
export function merged(one: Verification, other: Verification): Verification {
  const least = [one.least, other.least]
    .filter((each) => each !== undefined)
    .toSorted((a, b) => a.thousandths - b.thousandths || a.item - b.item)[0];
  return {
    verified: one.verified + other.verified,
    unread: one.unread + other.unread,
    unreadItems: firstUnread([...one.unreadItems, ...other.unreadItems]),
    ...(least && { least }),
    distribution: one.distribution.map((count, place) => count + (other.distribution[place] ?? 0)),
  };
}

/** The result as the status of a job tells it. */
export function toldOf({ verified, unread, unreadItems, least }: Verification) {
  return {
    verified,
    unread,
    ...(unreadItems.length > 0 && { unreadItems }),
    ...(least && { leastUnusedErrorCorrection: least.thousandths / 1_000, leastUnusedItem: least.item }),
  };
}

/** The unread items that are listed: the first hundred, in order. */
function firstUnread(items: readonly number[]): number[] {
  return items.toSorted((one, other) => one - other).slice(0, LIMITS.unreadItems);
}

/** Items that are read as a phone would read them, of so many that are read module by module. */
export function phoneItemsOf(verifyItems: number): number {
  return Math.min(verifyItems, LIMITS.sampleItems);
}

/** Writes the readings of a chunk, and returns what they come to. */
export async function verifyChunk(
  engine: Pick<Engine, 'readBack' | 'verify' | 'sumUpReadings'>,
  request: Request,
): Promise<ReadingsSummary> {
  const { readingsPath, proofsPath, chunk } = request;
  const survive = crashCounter();
  let isFinished = false;
  while (!isFinished) {
    // After a crash the engine finds in its files which item was to blame.
    isFinished = (await survive(engine.readBack(request))) === true;
  }
  const unread: number[] = [];
  let offset: number | undefined = 0;
  let most: number | undefined;
  while (offset !== undefined) {
    const report: VerifyReport | undefined = await survive(engine.verify({ path: proofsPath, offset, most }));
    if (report === undefined) {
      // One proof at a time finds the one to blame, which is then left out.
      most = most === 1 ? 0 : 1;
    } else {
      unread.push(...report.unread);
      offset = report.next;
      most = most === undefined ? undefined : 1;
    }
  }
  return engine.sumUpReadings({ readingsPath, firstItem: chunk.firstItem, unread });
}

/** A function that awaits work of the engine. Its result is undefined after a crash, of which there may be `MAX_CRASHES`. */
function crashCounter() {
  let crashes = 0;
  return async <T>(work: Promise<T>): Promise<T | undefined> => {
    try {
      return await work;
    } catch (error) {
      crashes += 1;
      const isCrash = error instanceof EngineError && (error.code === 'crash' || error.code === 'thread_lost');
      if (!isCrash || crashes > MAX_CRASHES) {
        throw error;
      }
      return undefined;
    }
  };
}
