/** Owns all scarce resources. Code that admits work asks here first and is answered at once. */

import { noRoom } from '../contract/errors.js';
import { oneAtATime } from '../platform/concurrency.js';
import { Shares } from '../platform/shares.js';
import type { Machine } from './machine.js';
import { Places, Transfers } from './places.js';
import { type QueueFigures, QueueRoom } from './queue-room.js';
import { type AdmissionFigures, KINDS_OF_WORK, placesOn, SCARCE, tryAgain, type Work } from './table.js';

/** On whose behalf work is admitted. Each of those given has a share of its own. */
export interface Holder {
  organisationId?: string | undefined;
  personId?: string | undefined;
  address?: string | undefined;
}

export interface Needs {
  /** Bytes that may be written to the data folder; 0 where that is not known yet. Undefined for work that writes nothing. */
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
  readonly #reserved = new Shares(() => this.#freeDiskBytes);

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
      name: SCARCE[work].name,
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
  figuresOf(organisationId: string): { name: string; taken: number; most: number }[] {
    return [...this.#kinds.values()].map((places) => ({
      name: SCARCE[places.work].name,
      ...places.figuresOf(namesOf({ organisationId })[0] as string),
    }));
  }

  /**
   * Takes a place and returns a function that releases it. Calling that twice does no harm. @throws ApiError
   * `rate_limited`, `unavailable`
   */
  take(work: Work, holder: Holder): () => void {
    return (this.#kinds.get(work) as Places).take(namesOf(holder));
  }

  /** Runs `task` in a place of its kind. @throws ApiError `rate_limited`, `unavailable` */
  async admit<T>(
    work: Work,
    holder: Holder,
    task: (disk: DiskShare) => Promise<T>,
    { diskBytes, usesStorage = true }: Needs = {},
  ): Promise<T> {
    const names = namesOf(holder);
    let release: (() => void) | undefined;
    let reserved = 0;
    const growTo = (bytes: number, step = DISK_STEP_BYTES) => {
      if (bytes > reserved) {
        if (diskBytes === undefined) {
          throw new Error('nobody has looked how much of the disk is free');
        }
        const more = Math.max(bytes - reserved, step);
        this.#requireDisk(work, names, more);
        this.#reserved.add(names, more);
        reserved += more;
      }
    };
    try {
      if (diskBytes !== undefined) {
        await this.#check(usesStorage);
        growTo(diskBytes, 0);
      }
      // Behind the disk: a place may end somebody's transfer, which nobody must do who is refused all the same.
      release = this.take(work, holder);
      return await task({ growTo });
    } finally {
      this.#reserved.add(names, -reserved);
      release?.();
    }
  }

  #requireDisk(work: Work, names: readonly string[], bytes: number): void {
    if (bytes > this.#reserved.left) {
      throw noRoom();
    }
    if (!this.#reserved.mayHaveMore(names, this.#reserved.limit({ most: DISK_BYTES_OF_ONE - bytes + 1 }))) {
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
  readonly #run: () => Promise<void>;
  #passedAt = Number.NEGATIVE_INFINITY;

  constructor(check: () => Promise<void>) {
    this.#run = oneAtATime(async () => {
      await check();
      this.#passedAt = performance.now();
    });
  }

  async pass(): Promise<void> {
    if (performance.now() - this.#passedAt >= CHECK_TTL_MS) {
      await this.#run();
    }
  }
}

function namesOf({ organisationId, personId, address }: Holder): string[] {
  const holders = { organisation: organisationId, person: personId, address };
  return Object.entries(holders).flatMap(([kind, name]) => (name === undefined ? [] : [`${kind} ${name}`]));
}
