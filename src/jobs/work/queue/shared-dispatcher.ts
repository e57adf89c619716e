/**
 * The queue shared by several processes: BullMQ in Redis, one queue job per chunk. The queue is a hint and may lose
 * everything at any time: nothing waits for it, and whoever finds a lost step in the database submits it again.
 * While Redis is away, each process uses a local queue of its own, and the leases in the database keep the processes
 * apart.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { DelayedError, type Job, Queue, Worker } from 'bullmq';
import type { QueueFigures } from '../../../admission/queue-room.js';
import { inTime } from '../../../platform/concurrency.js';
import type { Redis } from '../../../platform/redis/connection.js';
import type { SharedRedis } from '../../../platform/redis/shared-redis.js';
import type { Dispatcher, Step, StepHandler } from './dispatcher.js';
import { FairTags } from './fair-tags.js';
import { LocalDispatcher } from './local-dispatcher.js';

/**
 * A process that does not renew its lock on a step for this long counts as dead: the step goes to another process, which waits
 * for the end of the dead one's lease. Lock and check end before the lease.
 */
const LOCK_MS = 10_000;
const STALLED_CHECK_MS = 5_000;

/** Pause of the worker after a failed command. */
const RETRY_MS = 1_000;

/** Jobs whose steps may wait to be sent. Beyond that steps are dropped; the next look into the database finds them. */
const MAX_UNSENT_JOBS = 1_000;

/** Time that a post waits for the figures of a Redis that does not answer, and steps for their place in the queue. */
const ANSWER_TIMEOUT_MS = { figures: 250, steps: 1_000 };

/** Time that `close` waits for a Redis that does not answer. */
const CLOSE_TIMEOUT_MS = 2_000;

/**
 * BullMQ's value for a step that goes before all that have a priority. Finishing an archive is little work, and
 * somebody waits for it.
 */
const FIRST = 0;

/** Length of BullMQ's event stream, for people who inspect the queue. */
const MAX_EVENTS = 100;

interface SharedDispatcherOptions {
  /** Knows whether Redis can be used. */
  shared: SharedRedis;
  /** A connection of the queue's own. Its commands wait for the server. The dispatcher closes it. */
  redis: Redis;
  /** Prefix of all key names. The braces keep the keys together in a Redis cluster. */
  prefix?: string;
  /** Steps at a time. 0: this process only submits. */
  slots: number;
  /** Called with a failure that needs no action: it recovers by itself. */
  onFailure: (error: unknown) => void;
  /** Default: `LOCK_MS`. */
  lockMs?: number | undefined;
}

const PREFIX = '{qrpress}';

interface Payload {
  step: Step;
  tag: number;
}

export class SharedDispatcher implements Dispatcher {
  readonly #options: SharedDispatcherOptions;
  readonly #queue: Queue<Payload>;
  #worker: Worker<Payload> | undefined;
  /**
   * The queue used while Redis is away. Undefined in a process that only submits: it leaves the steps to the others.
   */
  #fallback: LocalDispatcher | undefined;
  readonly #tags: FairTags;
  readonly #running = new Set<Promise<unknown>>();
  #unsent = 0;
  #sending: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: SharedDispatcherOptions) {
    const { redis, prefix = PREFIX, onFailure } = options;
    this.#options = options;
    this.#queue = new Queue<Payload>('chunks', {
      connection: redis,
      prefix,
      streams: { events: { maxLen: MAX_EVENTS } },
    });
    this.#queue.on('error', onFailure);
    this.#tags = new FairTags(redis, {
      prefix: this.#queue.toKey(''),
      waiting: this.#queue.toKey('prioritized'),
      active: this.#queue.toKey('active'),
    });
  }

  /** False while steps would be refused by Redis, or wait for it. */
  get #isAvailable(): boolean {
    const { shared, redis } = this.#options;
    return shared.isAvailable && redis.status === 'ready';
  }

  /** Calls `reconcile` when Redis is back, and while Redis is away and this process has nothing left to start. */
  start(handle: StepHandler, reconcile: () => void): void {
    const { shared, redis, slots } = this.#options;
    const onBack = () => {
      if (this.#isAvailable) {
        this.#fallback?.drop();
        reconcile();
      }
    };
    shared.on('available', onBack);
    redis.on('ready', onBack);
    if (slots > 0) {
      this.#work(handle, reconcile);
    }
  }

  #work(handle: StepHandler, reconcile: () => void): void {
    const { shared, redis, prefix = PREFIX, slots, onFailure, lockMs = LOCK_MS } = this.#options;
    const fallback = new LocalDispatcher(slots);
    fallback.start(handle);
    this.#fallback = fallback;
    const onAway = () => {
      if (fallback.isEmpty && !this.#closed) {
        reconcile();
      }
    };
    // Both are also emitted after each further failure.
    shared.on('away', onAway);
    redis.on('close', onAway);
    this.#worker = new Worker<Payload>('chunks', (job, token) => this.#process(handle, job, token), {
      connection: redis,
      prefix,
      concurrency: slots,
      lockDuration: lockMs,
      stalledInterval: Math.min(STALLED_CHECK_MS, lockMs),
      runRetryDelay: RETRY_MS,
      // The database decides whether a step is still worth running.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    });
    this.#worker.on('error', onFailure);
  }

  submit(steps: readonly Step[]): void {
    if (!this.#isAvailable) {
      this.#fallback?.submit(steps);
      return;
    }
    for (const jobSteps of groupByJob(steps)) {
      if (this.#closed || this.#unsent >= MAX_UNSENT_JOBS) {
        return;
      }
      this.#unsent += 1;
      this.#sending = this.#sending
        .then(() => this.#sendOrKeep(jobSteps))
        .finally(() => {
          this.#unsent -= 1;
        });
    }
  }

  async sent(): Promise<void> {
    await this.#sending;
  }

  async figures(organisationId: string): Promise<QueueFigures | undefined> {
    const { shared, onFailure } = this.#options;
    if (!this.#isAvailable) {
      return undefined;
    }
    try {
      return await inTime(ANSWER_TIMEOUT_MS.figures, this.#tags.count(organisationId));
    } catch (error) {
      shared.suspect(error);
      onFailure(error);
      return undefined;
    }
  }

  pause(): void {
    this.#fallback?.pause();
    // The running steps are not waited for.
    void this.#worker?.pause(true).catch(this.#options.onFailure);
  }

  resume(): void {
    this.#fallback?.resume();
    void this.#worker?.resume().catch(this.#options.onFailure);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const { redis, onFailure } = this.#options;
    const timeout = () => delay(CLOSE_TIMEOUT_MS, undefined, { ref: false });
    const ended = (this.#worker?.close() ?? Promise.resolve()).then(() => this.#queue.close()).catch(onFailure);
    await Promise.all([...this.#running, this.#fallback?.close()]);
    if (redis.status === 'ready') {
      await Promise.race([Promise.all([ended, this.#sending]), timeout()]);
      redis.disconnect();
      await Promise.race([ended, timeout()]);
    } else {
      // Gives up the commands that wait for the server.
      redis.disconnect();
    }
  }

  /** Steps that Redis refuses, or for which it has no answer, are done here. Never rejects. */
  async #sendOrKeep(steps: readonly Step[]): Promise<void> {
    const { shared, onFailure } = this.#options;
    if (!this.#isAvailable) {
      this.#fallback?.submit(steps);
      return;
    }
    try {
      // A command in flight when the server falls silent is sent again when it returns, or lost.
      await inTime(ANSWER_TIMEOUT_MS.steps, this.#send(steps));
    } catch (error) {
      shared.refuse(error);
      onFailure(error);
      this.#fallback?.submit(steps);
    }
  }

  /** `steps`: chunks of one job, or the one step that finishes its archive. */
  async #send(steps: readonly Step[]): Promise<void> {
    const isFinish = steps[0]?.chunk === undefined;
    const tags = isFinish ? [FIRST] : await this.#tags.give(steps, idOf);
    const jobs = steps.flatMap((step, index) => {
      const tag = tags[index];
      if (tag === undefined) {
        return [];
      }
      const opts = { jobId: idOf(step), priority: tag, removeOnComplete: true, removeOnFail: true };
      return [{ name: 'chunk', data: { step, tag }, opts }];
    });
    if (jobs.length > 0) {
      await this.#queue.addBulk(jobs);
    }
  }

  async #process(handle: StepHandler, job: Job<Payload>, token: string | undefined): Promise<void> {
    const { step, tag } = job.data;
    if (tag !== FIRST) {
      // A lost update only makes scheduling briefly unfair.
      void this.#tags.start(tag).catch(this.#options.onFailure);
    }
    const handled = handle(step);
    this.#running.add(handled);
    const retryAt = await handled.finally(() => this.#running.delete(handled));
    if (retryAt !== undefined && !this.#closed) {
      await job.moveToDelayed(retryAt, token);
      throw new DelayedError();
    }
  }
}

/** The queue job's id: a step submitted twice has the same one. */
function idOf({ jobId, chunk }: Step): string {
  return `${jobId}-${chunk ?? 'finish'}`;
}

/** Groups the chunks of each job; a step that finishes an archive is a group of its own. */
function groupByJob(steps: readonly Step[]): Step[][] {
  const groups = new Map<string, Step[]>();
  for (const step of steps) {
    const name = `${step.jobId} ${step.chunk === undefined}`;
    const group = groups.get(name);
    if (group === undefined) {
      groups.set(name, [step]);
    } else {
      group.push(step);
    }
  }
  return [...groups.values()];
}
