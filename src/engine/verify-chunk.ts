/** Reads the codes of a chunk back: all that are asked for module by module, and a sample of them as a phone would. */

import { LIMITS } from '../contract/limits.js';
import { type Engine, EngineError, type ReadingsSummary } from './engine.js';

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

/** Crashes of the engine that a chunk's readings survive: an item that causes them is unread. */
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
  await readBack(engine, request);
  const { readingsPath, proofsPath, chunk } = request;
  const unread: number[] = [];
  let offset: number | undefined = 0;
  while (offset !== undefined) {
    const report = await engine.verify({ path: proofsPath, offset });
    unread.push(...report.unread);
    offset = report.next;
  }
  return engine.sumUpReadings({ readingsPath, firstItem: chunk.firstItem, unread });
}

async function readBack(engine: Pick<Engine, 'readBack'>, request: Request): Promise<void> {
  let crashes = 0;
  let isFinished = false;
  while (!isFinished) {
    try {
      isFinished = await engine.readBack(request);
    } catch (error) {
      crashes += 1;
      if (!(error instanceof EngineError && error.code === 'crash') || crashes > MAX_CRASHES) {
        throw error;
      }
    }
  }
}
