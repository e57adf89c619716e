/** Looks into the database for work that nobody does, now and then, and queues it: what a queue lost, or a process that is gone. */

import { setImmediate as otherWork } from 'node:timers/promises';
import type { Dispatcher } from '../../dispatch/dispatcher.js';
import type { LeaseStore, UnfinishedJob, UnfinishedStatus } from '../lease-store.js';

/** Mean pause between looks. */
const RECONCILE_EVERY_MS = 20_000;

/** Added to the pause for each job that a look has read, so that looks take no more of the time where many wait. */
const PAUSE_FOR_JOB_MS = 1;

/** Jobs that are read at once. */
const PAGE = 100;

export interface ReconcilerOptions {
  leases: LeaseStore;
  queue: Pick<Dispatcher, 'submit' | 'sent'>;
  /** Called after each look, when the database has answered: settles what faults have left open. */
  settle: () => Promise<void>;
  onFailure: (error: unknown) => void;
  everyMs?: number | undefined;
}

export class Reconciler {
  readonly #options: ReconcilerOptions;
  readonly #everyMs: number;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  /** Jobs that the look under way has read. */
  #seen = 0;
  #started = false;
  #closed = false;

  constructor(options: ReconcilerOptions) {
    this.#options = options;
    this.#everyMs = options.everyMs ?? RECONCILE_EVERY_MS;
  }

  /** Looks at once, and from then on again and again. */
  start(): void {
    this.#started = true;
    this.#looking ??= this.#look();
  }

  /** Looks soon, once it has been started; several processes that have the same reason do not look all at once. */
  lookSoon(): void {
    this.#lookAfter((Math.random() * this.#everyMs) / 10);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#looking;
  }

  #lookAfter(pauseMs: number): void {
    if (this.#started && !this.#closed) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.start(), pauseMs).unref();
    }
  }

  async #look(): Promise<void> {
    const { settle, onFailure } = this.#options;
    this.#seen = 0;
    await this.#lookAtAll().then(settle).catch(onFailure);
    this.#looking = undefined;
    this.#lookAfter(this.#everyMs * (0.5 + Math.random()) + this.#seen * PAUSE_FOR_JOB_MS);
  }

  /** A job that goes on to the second state meanwhile is seen there. */
  async #lookAtAll(): Promise<void> {
    const { leases } = this.#options;
    await this.#lookAtJobs('processing', (jobs) => leases.freeChunks(jobs.map(({ id }) => id)));
    await this.#lookAtJobs('zipping', async (jobs) =>
      jobs.filter(({ isFinishFree }) => isFinishFree).map(({ id }) => ({ jobId: id })),
    );
  }

  async #lookAtJobs(
    status: UnfinishedStatus,
    freeTasks: (jobs: readonly UnfinishedJob[]) => Promise<{ jobId: string; chunk?: number }[]>,
  ): Promise<void> {
    const { leases, queue } = this.#options;
    let last: UnfinishedJob | undefined;
    do {
      const page = await leases.unfinished(status, PAGE, last);
      const organisations = new Map(page.map(({ id, organisationId }) => [id, organisationId]));
      const tasks = await freeTasks(page);
      queue.submit(tasks.map((task) => ({ ...task, organisationId: organisations.get(task.jobId) as string })));
      await queue.sent();
      this.#seen += page.length;
      // SQLite answers without a pause: many pages, one after the other, would let nothing else happen.
      await otherWork();
      last = page.length === PAGE ? page.at(-1) : undefined;
    } while (last !== undefined && !this.#closed);
  }
}
