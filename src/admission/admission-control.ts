/** The one owner of what is scarce: whoever lets work in asks here first, and is answered at once. */

import { ApiError } from '../contract/errors.js';
import type { Machine } from './machine.js';
import { type QueueLook, QueueRoom } from './queue-room.js';
import { KINDS_OF_WORK, placesOn, SCARCE, type Work } from './table.js';

/** In whose name work is let in; each of those that are given has a share of its own. */
export interface Holder {
  organisationId?: string | undefined;
  personId?: string | undefined;
  address?: string | undefined;
}

export interface Needs {
  /** Bytes that may be written below the data folder. */
  diskBytes?: number;
}

/** Places of a kind of work, for `/metrics` and the operator's page. */
export interface AdmissionFigures {
  /** Sentence about the work, such as “jobs are being received”. */
  sentence: string;
  work: Work | 'queue';
  places: number;
  taken: number;
  refused: number;
}

export interface AdmissionOptions {
  machine: Machine;
  /** Rejects when the store cannot take more, and says so in the log. */
  checkStorage: () => Promise<void>;
  /** What waits to be drawn; undefined where nobody can tell. */
  lookAtQueue: (organisationId: string) => Promise<QueueLook | undefined>;
  /** Pieces of each kind of work at once that an organisation may have, where it has a limit of its own. */
  atOnceOf?: (organisationId: string) => number | null;
  /** Of a kind that has no place left: ends the piece of work that is slowest through its client's fault; false where none is. */
  makeRoom?: Partial<Record<Work, () => boolean>>;
}

/** Time for which an answer about disk and store holds. */
const LOOK_EVERY_MS = 1_000;

/** Refused callers are told to come back within this time. */
const LONGEST_WAIT_SECONDS = 60;

export class AdmissionControl {
  readonly #options: AdmissionOptions;
  readonly #kinds: ReadonlyMap<Work, Places>;
  readonly #queue: QueueRoom;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | undefined;
  #freeDiskBytes = 0;
  #reservedDiskBytes = 0;

  constructor(options: AdmissionOptions) {
    this.#options = options;
    this.#kinds = new Map(
      KINDS_OF_WORK.map((work) => [work, new Places(work, placesOn(options.machine, work), options.makeRoom?.[work])]),
    );
    this.#queue = new QueueRoom(options.lookAtQueue);
  }

  get figures(): AdmissionFigures[] {
    const kinds = [...this.#kinds.values()].map(({ work, total, taken, refused }) => ({
      work,
      sentence: SCARCE[work].tooMuch,
      places: total,
      taken,
      refused,
    }));
    return [...kinds, this.#queue.figures];
  }

  /** Lets a job into the queue by `store`. @throws ApiError `unavailable` where it could not be finished in time */
  enterQueue<T>(organisationId: string, store: () => Promise<T>): Promise<T> {
    return this.#queue.enter(organisationId, store);
  }

  /** Work of an organisation in this process, and how much of each kind it may have at once now. */
  figuresOf(organisationId: string): { sentence: string; taken: number; most: number }[] {
    return [...this.#kinds.values()].map((places) => ({
      sentence: SCARCE[places.work].tooMuch,
      ...places.figuresOf(namesOf({ organisationId })[0] as string, this.#ownLimit({ organisationId })),
    }));
  }

  /** Takes a place, and returns what gives it back; a second call of that does nothing. @throws ApiError `rate_limited`, `unavailable` */
  take(work: Work, holder: Holder): () => void {
    return (this.#kinds.get(work) as Places).take(namesOf(holder), this.#ownLimit(holder));
  }

  #ownLimit({ organisationId }: Holder): number {
    const own = organisationId === undefined ? null : this.#options.atOnceOf?.(organisationId);
    return own ?? Number.POSITIVE_INFINITY;
  }

  /** Does `work` in a place of its kind. @throws ApiError `rate_limited`, `unavailable` */
  async within<T>(work: Work, holder: Holder, task: () => Promise<T>, { diskBytes = 0 }: Needs = {}): Promise<T> {
    const leave = this.take(work, holder);
    try {
      if (diskBytes === 0) {
        return await task();
      }
      await this.#look();
      return await this.#withDisk(diskBytes, task);
    } finally {
      leave();
    }
  }

  async #withDisk<T>(bytes: number, task: () => Promise<T>): Promise<T> {
    if (this.#reservedDiskBytes + bytes > this.#freeDiskBytes) {
      throw noSpace();
    }
    this.#reservedDiskBytes += bytes;
    try {
      return await task();
    } finally {
      this.#reservedDiskBytes -= bytes;
    }
  }

  /** Those who come while a look is under way wait for it. */
  async #look(): Promise<void> {
    if (performance.now() - this.#lookedAt < LOOK_EVERY_MS) {
      return;
    }
    this.#looking ??= this.#lookNow().finally(() => {
      this.#looking = undefined;
    });
    await this.#looking;
  }

  async #lookNow(): Promise<void> {
    try {
      const [freeDiskBytes] = await Promise.all([this.#options.machine.freeDiskBytes(), this.#options.checkStorage()]);
      this.#freeDiskBytes = freeDiskBytes;
    } catch (error) {
      throw noSpace(error);
    }
    this.#lookedAt = performance.now();
  }
}

/**
 * Places of one kind of work. A holder is let in while it holds fewer than are free: alone it gets half of all, and the
 * more there are, the fewer each gets; some are always free for who comes next.
 */
class Places {
  readonly work: Work;
  readonly total: number;
  taken = 0;
  refused = 0;
  readonly #makeRoom: () => boolean;
  readonly #takenBy = new Map<string, number>();
  readonly #left = new Pace();
  readonly #turnedAway = new Pace();

  constructor(work: Work, total: number, makeRoom: () => boolean = () => false) {
    this.work = work;
    this.total = total;
    this.#makeRoom = makeRoom;
  }

  /** @param ownLimit of the organisation that is the holder, or infinity */
  take(names: readonly string[], ownLimit: number): () => void {
    // Work that is ended for it gives its place back a moment later.
    const hasRoom = this.taken < this.total || this.#makeRoom();
    const most = Math.min(this.#mostOfOne, ownLimit);
    if (!hasRoom) {
      throw this.#refusal('unavailable', `Too many ${SCARCE[this.work].tooMuch}`);
    }
    if (names.some((name) => (this.#takenBy.get(name) ?? 0) >= most)) {
      throw this.#refusal('rate_limited', `Too many of your ${SCARCE[this.work].tooMuch}`);
    }
    this.#count(names, 1);
    let isHeld = true;
    return () => {
      if (isHeld) {
        isHeld = false;
        this.#count(names, -1);
        this.#left.add();
      }
    };
  }

  figuresOf(name: string, ownLimit: number): { taken: number; most: number } {
    const taken = this.#takenBy.get(name) ?? 0;
    return { taken, most: Math.max(taken, Math.min(this.#mostOfOne, ownLimit)) };
  }

  /** A holder that has as many gets no more. */
  get #mostOfOne(): number {
    const { placesOfOne = Number.POSITIVE_INFINITY } = SCARCE[this.work] as { placesOfOne?: number };
    return Math.min(Math.max(this.total - this.taken, 1), placesOfOne);
  }

  #count(names: readonly string[], change: 1 | -1): void {
    this.taken += change;
    for (const name of names) {
      const taken = (this.#takenBy.get(name) ?? 0) + change;
      if (taken === 0) {
        this.#takenBy.delete(name);
      } else {
        this.#takenBy.set(name, taken);
      }
    }
  }

  /** All who are turned away come back: they are told when there is room for as many, at the pace at which work ends. */
  #refusal(code: 'rate_limited' | 'unavailable', message: string): ApiError {
    this.refused += 1;
    this.#turnedAway.add();
    const seconds = Math.ceil((this.taken + this.#turnedAway.perSecond) / Math.max(1, this.#left.perSecond));
    const retryAfter = Math.min(LONGEST_WAIT_SECONDS, Math.max(1, seconds));
    return new ApiError(
      code,
      `${message}; try again in ${retryAfter} seconds.`,
      {},
      { 'Retry-After': String(retryAfter) },
    );
  }
}

/** Events a second: those of the last whole second, or of the one that runs, where they are more. */
class Pace {
  #second = 0;
  #count = 0;
  #before = 0;

  add(): void {
    this.#turn();
    this.#count += 1;
  }

  get perSecond(): number {
    this.#turn();
    return Math.max(this.#before, this.#count);
  }

  #turn(): void {
    const second = Math.floor(performance.now() / 1_000);
    if (second !== this.#second) {
      this.#before = second === this.#second + 1 ? this.#count : 0;
      this.#count = 0;
      this.#second = second;
    }
  }
}

function namesOf({ organisationId, personId, address }: Holder): string[] {
  const holders = { organisation: organisationId, person: personId, address };
  return Object.entries(holders).flatMap(([kind, name]) => (name === undefined ? [] : [`${kind} ${name}`]));
}

function noSpace(cause?: unknown): ApiError {
  const message = 'The service cannot store more jobs at the moment; try again later.';
  const error = new ApiError('unavailable', message, {}, { 'Retry-After': '60' });
  error.cause = cause;
  return error;
}
