/** The one table of what is scarce: the kinds of work that are let in, and what each of them holds while it goes on. */

import type { Machine } from './machine.js';

const MEGABYTE = 1_000_000;

/** Share of the machine's memory that all work together may hold; the rest is for the engine, the database and the page cache. */
const MEMORY_SHARE = 1 / 4;

interface Scarce {
  /** Sentence for whoever is refused: what there is too much of. */
  tooMuch: string;
  /** Work of the kind at once, at most. */
  places: number;
  /** Work at once of one organisation, person or address, at most; absent: as many as are free. */
  placesOfOne?: number;
  /** Memory that a piece of the work holds in this process and in the engine's. */
  memoryBytes: number;
}

export const SCARCE = {
  /** From the headers of a POST to its 202, in the API and the studio. */
  job: { tooMuch: 'jobs are being received', places: 256, memoryBytes: MEGABYTE },
  /** A dry run: the same, and free. It leaves places to what is paid for. */
  check: { tooMuch: 'jobs are being checked', places: 32, memoryBytes: MEGABYTE },
  preview: { tooMuch: 'previews are being drawn', places: 16, placesOfOne: 1, memoryBytes: 16 * MEGABYTE },
  download: { tooMuch: 'archives are being downloaded', places: 512, memoryBytes: 2 * MEGABYTE },
  /** A page that follows a job. */
  stream: { tooMuch: 'pages follow a job', places: 1_000, placesOfOne: 8, memoryBytes: MEGABYTE / 10 },
  /** Password hashes are made to cost memory. */
  signIn: { tooMuch: 'people are signing in', places: 16, placesOfOne: 4, memoryBytes: 32 * MEGABYTE },
  export: { tooMuch: 'exports are being made', places: 8, placesOfOne: 1, memoryBytes: 8 * MEGABYTE },
} as const satisfies Record<string, Scarce>;

export type Work = keyof typeof SCARCE;

export const KINDS_OF_WORK = Object.keys(SCARCE) as readonly Work[];

/**
 * Chunks that may wait to be drawn: as many as are drawn in so many seconds, at the pace of the last ones, but not fewer than a
 * big job or two have. What is more is not let in: it would be accepted, and not be finished in time.
 */
export const QUEUE = { tooMuch: 'jobs wait to be drawn', seconds: 15, chunks: 500 } as const;

/** Memory that one of the kinds may take of all that work may hold, before the others are in the way. */
const MEMORY_OF_ONE_KIND = 1 / 2;

/** Places of a kind on this machine: as many as the table says, or as its memory is enough for. */
export function placesOn({ memoryBytes }: Machine, work: Work): number {
  const affordable = (memoryBytes * MEMORY_SHARE * MEMORY_OF_ONE_KIND) / SCARCE[work].memoryBytes;
  return Math.max(1, Math.min(SCARCE[work].places, Math.floor(affordable)));
}
