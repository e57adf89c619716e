/** Owns all scarce resources. Code that admits work asks here first and is answered at once. */

import { type ApiError, noRoom } from '../contract/errors.js';
import type { Machine } from './machine.js';
import { type QueueFigures, QueueRoom } from './queue-room.js';
import { type AdmissionFigures, KINDS_OF_WORK, placesOn, SCARCE, tryAgain, type Work } from './table.js';

/** On whose behalf work is admitted. Each of those given has a share of its own. */
export interface Holder {
  organisationId?: string | undefined;
  personId?: string | undefined;
  address?: string | undefined;
}

export interface Needs {
  /** Bytes that may be written to the data folder. */
  diskBytes?: number;
}

export interface AdmissionOptions {
  machine: Machine;
  /** Rejects, after logging, when the store cannot accept more. */
  checkStorage: () => Promise<void>;
  /** Length of the queue. Undefined when it is unknown. */
  queueFigures: (organisationId: string) => Promise<QueueFigures | undefined>;
  /** Limit of concurrent work of each kind that the organisation has of its own; null: none. */
  atOnceOf?: (organisationId: string) => number | null;
  /**
   * For a kind without a free place: ends the piece of work that is slowest through its client's fault. False when
   * there is none.
   */
  makeRoom?: Partial<Record<Work, () => boolean>>;
}

/** `Retry-After` of a holder that has its share of the disk. */
const SHARE_RETRY_SECONDS = 10;

/** Time for which a result about disk and store is reused. */
const CHECK_TTL_MS = 1_000;

export class AdmissionControl {
  readonly #options: AdmissionOptions;
  readonly #kinds: ReadonlyMap<Work, Places>;
  readonly #queue: QueueRoom;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #checking: Promise<void> | undefined;
  #freeDiskBytes = 0;
  /** Bytes of the disk that bodies may still need. */
  readonly #reserved = new Tally();

  constructor(options: AdmissionOptions) {
    this.#options = options;
    this.#kinds = new Map(
      KINDS_OF_WORK.map((work) => [work, new Places(work, placesOn(options.machine, work), options.makeRoom?.[work])]),
    );
    this.#queue = new QueueRoom(options.queueFigures);
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

  /**
   * Admits a job to the queue and runs `store`. @throws ApiError `unavailable` when it could not be finished in time
   */
  enterQueue<T>(organisationId: string, store: () => Promise<T>): Promise<T> {
    return this.#queue.enter(organisationId, store);
  }

  /** Work of an organisation in this process, and how much of each kind it may have at once. */
  figuresOf(organisationId: string): { sentence: string; taken: number; most: number }[] {
    return [...this.#kinds.values()].map((places) => ({
      sentence: SCARCE[places.work].tooMuch,
      ...places.figuresOf(namesOf({ organisationId })[0] as string, this.#ownLimit({ organisationId })),
    }));
  }

  /**
   * Takes a place and returns a function that releases it. Calling that twice does no harm. @throws ApiError
   * `rate_limited`, `unavailable`
   */
  take(work: Work, holder: Holder): () => void {
    return (this.#kinds.get(work) as Places).take(namesOf(holder), this.#ownLimit(holder));
  }

  #ownLimit({ organisationId }: Holder): number {
    const own = organisationId === undefined ? null : this.#options.atOnceOf?.(organisationId);
    return own ?? Number.POSITIVE_INFINITY;
  }

  /** Runs `task` in a place of its kind. @throws ApiError `rate_limited`, `unavailable` */
  async within<T>(work: Work, holder: Holder, task: () => Promise<T>, { diskBytes = 0 }: Needs = {}): Promise<T> {
    const release = this.take(work, holder);
    try {
      if (diskBytes === 0) {
        return await task();
      }
      await this.#check();
      return await this.#withDisk(work, namesOf(holder), diskBytes, task);
    } finally {
      release();
    }
  }

  /** Reserves disk space by the rule of `Places`: a holder gets more while it has less than is left. */
  async #withDisk<T>(work: Work, names: readonly string[], bytes: number, task: () => Promise<T>): Promise<T> {
    const left = this.#freeDiskBytes - this.#reserved.total;
    if (bytes > left) {
      throw noRoom();
    }
    if (names.some((name) => this.#reserved.of(name) >= left)) {
      throw tryAgain('rate_limited', `Too many of your ${SCARCE[work].tooMuch}`, SHARE_RETRY_SECONDS);
    }
    this.#reserved.add(names, bytes);
    try {
      return await task();
    } finally {
      this.#reserved.add(names, -bytes);
    }
  }

  /** Concurrent callers share one check. */
  async #check(): Promise<void> {
    if (performance.now() - this.#checkedAt < CHECK_TTL_MS) {
      return;
    }
    this.#checking ??= this.#checkNow().finally(() => {
      this.#checking = undefined;
    });
    await this.#checking;
  }

  async #checkNow(): Promise<void> {
    try {
      const [freeDiskBytes] = await Promise.all([this.#options.machine.freeDiskBytes(), this.#options.checkStorage()]);
      this.#freeDiskBytes = freeDiskBytes;
    } catch (error) {
      throw noRoom(error);
    }
    this.#checkedAt = performance.now();
  }
}

/** How much of something is taken, in all and by each holder. */
class Tally {
  total = 0;
  readonly #by = new Map<string, number>();

  of(name: string): number {
    return this.#by.get(name) ?? 0;
  }

  add(names: readonly string[], change: number): void {
    this.total += change;
    for (const name of names) {
      const taken = this.of(name) + change;
      if (taken === 0) {
        this.#by.delete(name);
      } else {
        this.#by.set(name, taken);
      }
    }
  }
}

/**
 * The places of one kind of work. A holder may take another place while it holds fewer than are free: alone it gets
 * half of all. The more holders there are, the fewer each gets, and some places always stay free for new holders.
 */
class Places {
  readonly work: Work;
  readonly total: number;
  refused = 0;
  readonly #makeRoom: () => boolean;
  readonly #tally = new Tally();
  readonly #ended = new Rate();
  readonly #refusals = new Rate();

  constructor(work: Work, total: number, makeRoom: () => boolean = () => false) {
    this.work = work;
    this.total = total;
    this.#makeRoom = makeRoom;
  }

  get taken(): number {
    return this.#tally.total;
  }

  /** @param ownLimit the organisation's own limit, or infinity */
  take(names: readonly string[], ownLimit: number): () => void {
    // Work that is ended to make room gives its place back a moment later.
    const hasRoom = this.taken < this.total || this.#makeRoom();
    const most = Math.min(this.#maxPerHolder, ownLimit);
    if (!hasRoom) {
      throw this.#refusal('unavailable', `Too many ${SCARCE[this.work].tooMuch}`);
    }
    if (names.some((name) => this.#tally.of(name) >= most)) {
      throw this.#refusal('rate_limited', `Too many of your ${SCARCE[this.work].tooMuch}`);
    }
    this.#tally.add(names, 1);
    let isHeld = true;
    return () => {
      if (isHeld) {
        isHeld = false;
        this.#tally.add(names, -1);
        this.#ended.add();
      }
    };
  }

  figuresOf(name: string, ownLimit: number): { taken: number; most: number } {
    const taken = this.#tally.of(name);
    return { taken, most: Math.max(taken, Math.min(this.#maxPerHolder, ownLimit)) };
  }

  /** A holder with this many places gets no more. */
  get #maxPerHolder(): number {
    const { placesOfOne = Number.POSITIVE_INFINITY } = SCARCE[this.work] as { placesOfOne?: number };
    return Math.min(Math.max(this.total - this.taken, 1), placesOfOne);
  }

  /**
   * Refused callers come back. `Retry-After` is the time until there is room for them all, at the current rate at which
   * work ends.
   */
  #refusal(code: 'rate_limited' | 'unavailable', message: string): ApiError {
    this.refused += 1;
    this.#refusals.add();
    const seconds = Math.ceil((this.taken + this.#refusals.perSecond) / Math.max(1, this.#ended.perSecond));
    return tryAgain(code, message, seconds);
  }
}

/** Counts events per second: those of the last whole second, or of the current one if they are more. */
class Rate {
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
