/** Owns all scarce resources. Code that admits work asks here first and is answered at once. */

import { type ApiError, noRoom } from '../contract/errors.js';
import type { Machine } from './machine.js';
import { type QueueFigures, QueueRoom } from './queue-room.js';
import { type AdmissionFigures, KINDS_OF_WORK, placesOn, SCARCE, tryAgain, type Work } from './table.js';
import { Transfers } from './transfers.js';

/** On whose behalf work is admitted. Each of those given has a share of its own. */
export interface Holder {
  organisationId?: string | undefined;
  personId?: string | undefined;
  address?: string | undefined;
}

export interface Needs {
  /** Bytes that may be written to the data folder. */
  diskBytes?: number;
  /** False for work that can mostly do without the store, and must not wait for one that hangs. Default: true. */
  usesStorage?: boolean;
}

export interface AdmissionOptions {
  machine: Machine;
  /** Rejects, after logging, when the store cannot accept more. */
  checkStorage: () => Promise<void>;
  /** Length of the queue. Undefined when it is unknown. */
  queueFigures: (organisationId: string) => Promise<QueueFigures | undefined>;
  /** Limit of concurrent work of each kind that the organisation has of its own; null: none. */
  atOnceOf?: (organisationId: string) => number | null;
}

/** Bytes of the disk that the bodies of one holder may need at once, in all. */
const DISK_BYTES_OF_ONE = 2_000_000_000;

/** Step in which a body of unknown length takes more of the disk. */
const DISK_STEP_BYTES = 4_000_000;

/** `Retry-After` of a holder that has its share of the disk. */
const SHARE_RETRY_SECONDS = 10;

/** Time for which a result about disk and store is reused. */
const CHECK_TTL_MS = 1_000;

/** A body's part of the disk. */
export interface DiskShare {
  /** Makes the part at least this large. @throws ApiError `rate_limited`, `unavailable` */
  growTo: (bytes: number) => void;
}

export class AdmissionControl {
  /** Transfers in flight, by the kind of work whose places they hold. */
  readonly transfers = { job: new Transfers(), download: new Transfers(), export: new Transfers() };
  readonly #options: AdmissionOptions;
  readonly #kinds: ReadonlyMap<Work, Places>;
  readonly #queue: QueueRoom;
  readonly #diskCheck = new RecentCheck(async () => {
    this.#freeDiskBytes = await this.#options.machine.freeDiskBytes();
  });
  readonly #storageCheck = new RecentCheck(() => this.#options.checkStorage());
  #freeDiskBytes = 0;
  /** Bytes of the disk that bodies may still need. */
  readonly #reserved = new Tally();

  constructor(options: AdmissionOptions) {
    this.#options = options;
    const transfers: Partial<Record<Work, Transfers>> = this.transfers;
    this.#kinds = new Map(
      KINDS_OF_WORK.map((work) => [work, new Places(work, placesOn(options.machine, work), transfers[work])]),
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
  async within<T>(
    work: Work,
    holder: Holder,
    task: (disk: DiskShare) => Promise<T>,
    { diskBytes = 0, usesStorage = true }: Needs = {},
  ): Promise<T> {
    const release = this.take(work, holder);
    const names = namesOf(holder);
    let reserved = 0;
    const growTo = (bytes: number, step = DISK_STEP_BYTES) => {
      if (bytes > reserved) {
        const more = Math.max(bytes - reserved, step);
        this.#requireDisk(work, names, more);
        this.#reserved.add(names, more);
        reserved += more;
      }
    };
    try {
      if (diskBytes > 0) {
        await this.#check(usesStorage);
        growTo(diskBytes, 0);
      }
      return await task({ growTo });
    } finally {
      this.#reserved.add(names, -reserved);
      release();
    }
  }

  /** The rule of `Places`: a holder gets more disk space while it has less than is left, and less than one may have. */
  #requireDisk(work: Work, names: readonly string[], bytes: number): void {
    const left = this.#freeDiskBytes - this.#reserved.total;
    if (bytes > left) {
      throw noRoom();
    }
    const held = Math.max(...names.map((name) => this.#reserved.of(name)));
    if (held >= left || held + bytes > DISK_BYTES_OF_ONE) {
      throw tryAgain('rate_limited', `Too many of your ${SCARCE[work].tooMuch}`, SHARE_RETRY_SECONDS);
    }
  }

  async #check(usesStorage: boolean): Promise<void> {
    try {
      await Promise.all([this.#diskCheck.pass(), usesStorage && this.#storageCheck.pass()]);
    } catch (error) {
      throw noRoom(error);
    }
  }
}

/** A check that concurrent callers share. Its success is reused for `CHECK_TTL_MS`. */
class RecentCheck {
  readonly #check: () => Promise<void>;
  #passedAt = Number.NEGATIVE_INFINITY;
  #running: Promise<void> | undefined;

  constructor(check: () => Promise<void>) {
    this.#check = check;
  }

  async pass(): Promise<void> {
    if (performance.now() - this.#passedAt < CHECK_TTL_MS) {
      return;
    }
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    await this.#running;
  }

  async #run(): Promise<void> {
    await this.#check();
    this.#passedAt = performance.now();
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
  readonly #transfers: Transfers | undefined;
  readonly #tally = new Tally();
  readonly #ended = new Rate();
  readonly #refusals = new Rate();

  /** @param transfers of this kind; the slowest gives way where no place is free */
  constructor(work: Work, total: number, transfers: Transfers | undefined) {
    this.work = work;
    this.total = total;
    this.#transfers = transfers;
  }

  get taken(): number {
    return this.#tally.total;
  }

  /** @param ownLimit the organisation's own limit, or infinity */
  take(names: readonly string[], ownLimit: number): () => void {
    const most = Math.min(this.#maxPerHolder, ownLimit);
    // Asked first: nobody's transfer is ended for a holder that would be refused all the same.
    if (names.some((name) => this.#tally.of(name) >= most)) {
      throw this.#refusal('rate_limited', `Too many of your ${SCARCE[this.work].tooMuch}`);
    }
    // A transfer that gives way returns its place a moment later.
    if (this.taken >= this.total && this.#transfers?.endSlowest() === undefined) {
      throw this.#refusal('unavailable', `Too many ${SCARCE[this.work].tooMuch}`);
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
