/** The one table of limited work: each kind, and what a piece of it holds while it runs. */

import { ApiError } from '../contract/errors.js';
import { counted } from '../platform/counted.js';
import type { Machine } from './machine.js';

const MEGABYTE = 1_000_000;

/** Share of the machine's memory for all admitted work. The rest is for the engine, the database and the page cache. */
const MEMORY_SHARE = 1 / 4;

interface Scarce {
  /** Names the work on pages. */
  name: string;
  /** Describes the work in a refusal: what there is too much of. */
  tooMuch: string;
  /** Maximum number of concurrent pieces. */
  places: number;
  /** Maximum for one organisation, person or address. Absent: as many as are free. */
  placesOfOne?: number;
  /** Memory that one piece holds in this process and the engine's. */
  memoryBytes: number;
}

export const SCARCE = {
  /**
   * From the headers of a POST to its 202, in the API and the studio. A dry run is the same work and has the same places: a
   * job that its organisation cannot pay is a dry run, too.
   */
  job: { name: 'Uploads', tooMuch: 'jobs are being received', places: 256, memoryBytes: MEGABYTE },
  preview: {
    name: 'Previews',
    tooMuch: 'previews are being drawn',
    places: 16,
    placesOfOne: 1,
    memoryBytes: 16 * MEGABYTE,
  },
  /** 2 MB of this process, and what the system sends from: Linux lets a connection have 4 MB for bytes that its client has not taken. */
  download: { name: 'Downloads', tooMuch: 'files are being downloaded', places: 512, memoryBytes: 6 * MEGABYTE },
  /** A password that is checked or set: its hash is deliberately memory-hard. */
  signIn: {
    name: 'Sign-ins',
    tooMuch: 'passwords are being checked',
    places: 16,
    placesOfOne: 4,
    memoryBytes: 32 * MEGABYTE,
  },
  export: {
    name: 'Exports',
    tooMuch: 'exports are being made',
    places: 8,
    placesOfOne: 1,
    memoryBytes: 8 * MEGABYTE,
  },
  /** A webhook that is called while the page waits. */
  webhookTest: {
    name: 'Webhook tests',
    tooMuch: 'webhooks are being tested',
    places: 16,
    placesOfOne: 1,
    memoryBytes: MEGABYTE / 10,
  },
} as const satisfies Record<string, Scarce>;

export type Work = keyof typeof SCARCE;

export const KINDS_OF_WORK = Object.keys(SCARCE) as readonly Work[];

/**
 * Limit of waiting chunks: as many as are drawn in `seconds` at the current rate, but at least `chunks`, the size of
 * one or two big jobs. A job beyond that is refused: it would not be finished in time.
 */
export const QUEUE = { tooMuch: 'jobs wait to be drawn', seconds: 15, chunks: 500 } as const;

/** Places of one kind of work, for `/metrics` and the operator's page. */
export interface AdmissionFigures {
  /** Names the work on pages. */
  name: string;
  work: Work | 'queue';
  places: number;
  taken: number;
  refused: number;
}

/** Upper bound of `Retry-After`. */
const MAX_RETRY_AFTER_SECONDS = 60;

/** A refusal of work that may be accepted `seconds` later. */
export function tryAgain(code: 'rate_limited' | 'unavailable', message: string, seconds: number): ApiError {
  const retryAfter = Math.min(MAX_RETRY_AFTER_SECONDS, Math.max(1, seconds));
  const headers = { 'Retry-After': String(retryAfter) };
  return new ApiError(code, `${message}; try again in ${counted(retryAfter, 'second')}.`, {}, headers);
}

/** Share of the work's memory that one kind may use before it gets in the way of others. */
const MEMORY_OF_ONE_KIND = 1 / 2;

/** Places of a kind on this machine: as many as the table says, or as fit into its memory. */
export function placesOn({ memoryBytes }: Machine, work: Work): number {
  const affordable = (memoryBytes * MEMORY_SHARE * MEMORY_OF_ONE_KIND) / SCARCE[work].memoryBytes;
  return Math.max(1, Math.min(SCARCE[work].places, Math.floor(affordable)));
}
