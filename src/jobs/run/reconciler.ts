/**
 * Periodically queues work that no process does, according to the database: tasks that a queue or a dead process lost.
 */

import { setImmediate as otherWork } from 'node:timers/promises';
import type { Dispatcher } from '../../dispatch/dispatcher.js';
import type { LeaseStore, UnfinishedJob, UnfinishedStatus } from '../lease-store.js';

/** Mean interval. */
const RECONCILE_EVERY_MS = 20_000;

/** Extra interval per job that a round has read, so that rounds take no more of the time when many jobs wait. */
const INTERVAL_PER_JOB_MS = 1;

/** Jobs per query. */
const PAGE = 100;

export interface ReconcilerOptions {
  leases: LeaseStore;
  queue: Pick<Dispatcher, 'submit' | 'sent'>;
  /** Called after each successful round. Settles what faults have left open. */
  settle: () => Promise<void>;
  onFailure: (error: unknown) => void;
  everyMs?: number | undefined;
}

export class Reconciler {
  readonly #options: ReconcilerOptions;
  readonly #everyMs: number;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  /** Jobs read in the current round. */
  #jobsRead = 0;
  #started = false;
  #closed = false;

  constructor(options: ReconcilerOptions) {
    this.#options = options;
    this.#everyMs = options.everyMs ?? RECONCILE_EVERY_MS;
  }

  /** Runs a round at once, and from then on regularly. */
  start(): void {
    this.#started = true;
    this.#round ??= this.#run();
  }

  /** Runs a round soon, if started. The random delay spreads processes that have the same reason. */
  runSoon(): void {
    this.#schedule((Math.random() * this.#everyMs) / 10);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#round;
  }

  #schedule(pauseMs: number): void {
    if (this.#started && !this.#closed) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.start(), pauseMs).unref();
    }
  }

  async #run(): Promise<void> {
    const { settle, onFailure } = this.#options;
    this.#jobsRead = 0;
    await this.#queueAll().then(settle).catch(onFailure);
    this.#round = undefined;
    this.#schedule(this.#everyMs * (0.5 + Math.random()) + this.#jobsRead * INTERVAL_PER_JOB_MS);
  }

  /** A job that moves on to `zipping` meanwhile is seen in the second query. */
  async #queueAll(): Promise<void> {
    const { leases } = this.#options;
    await this.#queueFree('processing', (jobs) => leases.freeChunks(jobs.map(({ id }) => id)));
    await this.#queueFree('zipping', async (jobs) =>
      jobs.filter(({ isFinishFree }) => isFinishFree).map(({ id }) => ({ jobId: id })),
    );
  }

  async #queueFree(
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
      this.#jobsRead += page.length;
      // SQLite answers without a pause: many pages, one after the other, would let nothing else happen.
      await otherWork();
      last = page.length === PAGE ? page.at(-1) : undefined;
    } while (last !== undefined && !this.#closed);
  }
}
