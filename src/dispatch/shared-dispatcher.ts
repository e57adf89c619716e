/**
 * The queue that several processes share: BullMQ in a Redis, one queue job for each chunk. It is a hint and may lose
 * everything at any time: nothing waits for it, and what it lost is submitted again by whoever finds it in the database.
 * While the Redis is away each process has a queue of its own, and the leases keep the processes apart.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { DelayedError, type Job, Queue, Worker } from 'bullmq';
import type { Redis } from '../redis/connection.js';
import type { Dispatcher, QueueFigures, Task, TaskHandler } from './dispatcher.js';
import { FairTags } from './fair-tags.js';
import { LocalDispatcher } from './local-dispatcher.js';

/** A process that does not say for this long that it is at a task is no longer: the task goes to another. */
const LOCK_MS = 30_000;
const LOOK_FOR_STALLED_MS = 10_000;

/** Jobs whose tasks wait to be sent; more of them are left to whoever looks into the database. */
const MOST_UNSENT = 1_000;

/** The longest wait at the end for a Redis that does not answer. */
const PATIENCE_MS = 2_000;

/** BullMQ's word for what goes before all that has a priority: to finish an archive is little work, and somebody waits. */
const FIRST = 0;

/** Kept for those who look at the queue. */
const EVENTS = 100;

export interface SharedDispatcherOptions {
  /** Connection of its own that waits for its server, and which it closes. */
  redis: Redis;
  /** Begins the names of all keys; in braces, which keeps them together in a cluster. */
  prefix?: string;
  /** Tasks at a time; 0: this process only submits. */
  slots: number;
  /** Called when something went wrong that mends itself. */
  onFailure: (error: unknown) => void;
  /** `LOCK_MS` when absent. */
  lockMs?: number | undefined;
}

const PREFIX = '{qrpress}';

interface Payload {
  task: Task;
  tag: number;
}

export class SharedDispatcher implements Dispatcher {
  readonly #options: SharedDispatcherOptions;
  readonly #queue: Queue<Payload>;
  #worker: Worker<Payload> | undefined;
  /** The queue of tasks while the server is away; a process that only submits leaves them to the others. */
  #meanwhile: LocalDispatcher | undefined;
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
      streams: { events: { maxLen: EVENTS } },
    });
    this.#queue.on('error', onFailure);
    this.#tags = new FairTags(redis, {
      prefix: this.#queue.toKey(''),
      waiting: this.#queue.toKey('prioritized'),
      active: this.#queue.toKey('active'),
    });
  }

  /** `lookForWork` is called when the server is back, and when it is away and this process has nothing left to start. */
  start(handle: TaskHandler, lookForWork: () => void): void {
    const { redis, slots } = this.#options;
    redis.on('ready', () => {
      this.#meanwhile?.drop();
      lookForWork();
    });
    if (slots > 0) {
      this.#work(handle, lookForWork);
    }
  }

  #work(handle: TaskHandler, lookForWork: () => void): void {
    const { redis, prefix = PREFIX, slots, onFailure, lockMs = LOCK_MS } = this.#options;
    const meanwhile = new LocalDispatcher(slots);
    meanwhile.start(handle);
    this.#meanwhile = meanwhile;
    // Also after each attempt to connect again.
    redis.on('close', () => {
      if (meanwhile.isEmpty && !this.#closed) {
        lookForWork();
      }
    });
    this.#worker = new Worker<Payload>('chunks', (job, token) => this.#process(handle, job, token), {
      connection: redis,
      prefix,
      concurrency: slots,
      lockDuration: lockMs,
      stalledInterval: Math.min(LOOK_FOR_STALLED_MS, lockMs),
      // The database says whether a task is still worth it.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    });
    this.#worker.on('error', onFailure);
  }

  submit(tasks: readonly Task[]): void {
    const { redis, onFailure } = this.#options;
    if (redis.status !== 'ready') {
      this.#meanwhile?.submit(tasks);
      return;
    }
    for (const ofJob of groupByJob(tasks)) {
      if (this.#closed || this.#unsent >= MOST_UNSENT) {
        return;
      }
      this.#unsent += 1;
      this.#sending = this.#sending
        .then(() => this.#send(ofJob))
        .catch(onFailure)
        .finally(() => {
          this.#unsent -= 1;
        });
    }
  }

  async sent(): Promise<void> {
    const { redis } = this.#options;
    if (redis.status !== 'ready') {
      return;
    }
    // A command that is on its way when the server goes is sent at its return, or lost.
    let onClose = () => {};
    const gone = new Promise<void>((resolve) => {
      onClose = resolve;
      redis.once('close', resolve);
    });
    await Promise.race([this.#sending, gone]);
    redis.off('close', onClose);
  }

  async figures(organisationId: string): Promise<QueueFigures | undefined> {
    const { redis, onFailure } = this.#options;
    if (redis.status !== 'ready') {
      return undefined;
    }
    try {
      return await this.#tags.count(organisationId);
    } catch (error) {
      onFailure(error);
      return undefined;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    const { redis, onFailure } = this.#options;
    const patience = () => delay(PATIENCE_MS, undefined, { ref: false });
    const ended = (this.#worker?.close() ?? Promise.resolve()).then(() => this.#queue.close()).catch(onFailure);
    await Promise.all([...this.#running, this.#meanwhile?.close()]);
    if (redis.status === 'ready') {
      await Promise.race([Promise.all([ended, this.#sending]), patience()]);
      redis.disconnect();
      await Promise.race([ended, patience()]);
    } else {
      // Commands for a server that is away are given up.
      redis.disconnect();
    }
  }

  /** `tasks`: the chunks of a job, or the finishing of one. */
  async #send(tasks: readonly Task[]): Promise<void> {
    const isFinish = tasks[0]?.chunk === undefined;
    const tags = isFinish ? [FIRST] : await this.#tags.give(tasks, idOf);
    const jobs = tasks.flatMap((task, index) => {
      const tag = tags[index];
      if (tag === undefined) {
        return [];
      }
      const opts = { jobId: idOf(task), priority: tag, removeOnComplete: true, removeOnFail: true };
      return [{ name: 'chunk', data: { task, tag }, opts }];
    });
    if (jobs.length > 0) {
      await this.#queue.addBulk(jobs);
    }
  }

  async #process(handle: TaskHandler, job: Job<Payload>, token: string | undefined): Promise<void> {
    const { task, tag } = job.data;
    if (tag !== FIRST) {
      // That the time stands still costs fairness for a moment, no more.
      void this.#tags.start(tag).catch(this.#options.onFailure);
    }
    const handled = handle(task);
    this.#running.add(handled);
    const comeAgainAt = await handled.finally(() => this.#running.delete(handled));
    if (comeAgainAt !== undefined && !this.#closed) {
      await job.moveToDelayed(comeAgainAt, token);
      throw new DelayedError();
    }
  }
}

/** A task that is submitted twice has the same name. */
function idOf({ jobId, chunk }: Task): string {
  return `${jobId}-${chunk ?? 'finish'}`;
}

/** The chunks of each job, and the finishing of each. */
function groupByJob(tasks: readonly Task[]): Task[][] {
  const groups = new Map<string, Task[]>();
  for (const task of tasks) {
    const name = `${task.jobId} ${task.chunk === undefined}`;
    const group = groups.get(name);
    if (group === undefined) {
      groups.set(name, [task]);
    } else {
      group.push(task);
    }
  }
  return [...groups.values()];
}
