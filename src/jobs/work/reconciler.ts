/**
 * Periodically queues work that no process does, according to the database: steps that a queue or a dead process lost.
 */

import { pagesOf } from '../../database/keyset.js';
import type { Dispatcher } from './queue/dispatcher.js';
import { Rounds } from '../../platform/rounds.js';
import type { LeaseStore, UnfinishedJob, UnfinishedStatus } from '../lease-store.js';

/** Mean interval. */
const RECONCILE_EVERY_MS = 20_000;

/** Extra interval per job that a round has read, so that rounds take no more of the time when many jobs wait. */
const INTERVAL_PER_JOB_MS = 1;

/** Jobs per query. */
const PAGE = 100;

interface ReconcilerOptions {
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
  readonly #rounds: Rounds;
  #started = false;
  #soon: NodeJS.Timeout | undefined;
  /** Jobs read in the last round. */
  #jobsRead = 0;

  constructor(options: ReconcilerOptions) {
    this.#options = options;
    this.#everyMs = options.everyMs ?? RECONCILE_EVERY_MS;
    this.#rounds = new Rounds({
      work: () => this.#queueAll().then(options.settle),
      everyMs: () => this.#everyMs * (0.5 + Math.random()) + this.#jobsRead * INTERVAL_PER_JOB_MS,
      onFailure: options.onFailure,
    });
  }

  /** Runs a round at once, and from then on regularly. */
  start(): void {
    this.#started = true;
    void this.#rounds.start();
  }

  /** Runs a round soon, if started. The random delay spreads processes that have the same reason. */
  runSoon(): void {
    if (this.#started) {
      clearTimeout(this.#soon);
      this.#soon = setTimeout(() => this.#rounds.runSoon(), (Math.random() * this.#everyMs) / 10).unref();
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#soon);
    await this.#rounds.close();
  }

  /** A job that moves on to `zipping` meanwhile is seen in the second query. */
  async #queueAll(): Promise<void> {
    const { leases } = this.#options;
    this.#jobsRead = 0;
    await this.#queueFree('processing', (jobs) => leases.freeChunks(jobs.map(({ id }) => id)));
    await this.#queueFree('zipping', async (jobs) =>
      jobs.filter(({ isFinishFree }) => isFinishFree).map(({ id }) => ({ jobId: id })),
    );
  }

  async #queueFree(
    status: UnfinishedStatus,
    freeSteps: (jobs: readonly UnfinishedJob[]) => Promise<{ jobId: string; chunk?: number }[]>,
  ): Promise<void> {
    const { leases, queue } = this.#options;
    const pages = pagesOf((limit, last: UnfinishedJob | undefined) => leases.unfinished(status, limit, last), PAGE);
    for await (const page of pages) {
      const organisations = new Map(page.map(({ id, organisationId }) => [id, organisationId]));
      const steps = await freeSteps(page);
      queue.submit(steps.map((step) => ({ ...step, organisationId: organisations.get(step.jobId) as string })));
      await queue.sent();
      this.#jobsRead += page.length;
      if (this.#rounds.isClosed) {
        return;
      }
    }
  }
}
