/** The pool's queue: callers wait for checks, so checks go ahead of chunks, but never take more of the threads' time than chunks do. */

import { FixedQueue, queueOptionsSymbol, type TaskQueue } from 'piscina';
import type { TaskName } from './task-messages.js';

type QueuedTask = Parameters<TaskQueue['push']>[0];

/**
 * `quick`: milliseconds, and somebody waits. `check`: free of charge, and as long as its caller makes it.
 * `chunk`: paid for.
 */
type Lane = 'quick' | 'check' | 'chunk';

const LANES: Readonly<Partial<Record<TaskName, Lane>>> = {
  check: 'check',
  scan: 'check',
  renderChunk: 'chunk',
  verify: 'chunk',
};

/** The time that checks may be ahead of chunks by: a few seconds of many small jobs are checked without a pause. */
const MOST_AHEAD_MS = 1_000;

/** The time that chunks get back, at most, after a check that took long. */
const MOST_OWED_MS = 30_000;

/** Goes with a task, under piscina's `queueOptionsSymbol`. */
export class TaskTicket {
  readonly lane: Lane;
  /** Time that the task may take once it has started. */
  readonly mostMs: number;
  startedAt: number | undefined;

  constructor(name: TaskName, mostMs = Number.POSITIVE_INFINITY) {
    this.mostMs = mostMs;
    this.lane = LANES[name] ?? 'quick';
  }
}

export class FairTaskQueue implements TaskQueue {
  readonly #threads: number;
  readonly #now: () => number;
  readonly #queues: Readonly<Record<Lane, FixedQueue>> = {
    quick: new FixedQueue(),
    check: new FixedQueue(),
    chunk: new FixedQueue(),
  };
  #runningChecks = 0;
  /** Thread time of checks less that of chunks, in milliseconds, while chunks waited. */
  #aheadMs = 0;

  constructor(threads: number, now: () => number = () => performance.now()) {
    this.#threads = threads;
    this.#now = now;
  }

  get size(): number {
    return Object.values(this.#queues).reduce((sum, { size }) => sum + size, 0);
  }

  push(task: QueuedTask): void {
    this.#queueOf(task).push(task);
  }

  /** Takes a task back that `shift` gave, and that found no free thread. */
  unshift(task: QueuedTask): void {
    const ticket = ticketOf(task);
    if (ticket?.startedAt !== undefined) {
      ticket.startedAt = undefined;
      this.#runningChecks -= ticket.lane === 'check' ? 1 : 0;
    }
    this.#queueOf(task).unshift(task);
  }

  shift(): QueuedTask | null {
    const { quick, check, chunk } = this.#queues;
    const checkFirst = chunk.size === 0 || (this.#mayCheck() && check.size > 0);
    const task = quick.shift() ?? (checkFirst ? check.shift() : null) ?? chunk.shift() ?? check.shift();
    const ticket = task === null ? undefined : ticketOf(task);
    if (ticket !== undefined) {
      this.begin(ticket);
    }
    return task;
  }

  remove(task: QueuedTask): void {
    this.#queueOf(task).remove(task);
  }

  /** To be called for a task that finds a free thread at once; `shift` does so for the others. */
  begin(ticket: TaskTicket): void {
    ticket.startedAt = this.#now();
    this.#runningChecks += ticket.lane === 'check' ? 1 : 0;
  }

  /** To be called when a task that has begun has ended. */
  end({ lane, startedAt }: TaskTicket): void {
    if (startedAt === undefined || lane === 'quick') {
      return;
    }
    const tookMs = this.#now() - startedAt;
    this.#runningChecks -= lane === 'check' ? 1 : 0;
    if (lane === 'chunk') {
      this.#aheadMs = Math.max(0, this.#aheadMs - tookMs);
    } else if (this.#queues.chunk.size > 0) {
      this.#aheadMs = Math.min(MOST_OWED_MS, this.#aheadMs + tookMs);
    }
  }

  /** A thread stays for chunks, and so does half of the time. */
  #mayCheck(): boolean {
    return this.#aheadMs < MOST_AHEAD_MS && this.#runningChecks < Math.max(1, this.#threads - 1);
  }

  #queueOf(task: QueuedTask): FixedQueue {
    return this.#queues[ticketOf(task)?.lane ?? 'quick'];
  }
}

function ticketOf(task: QueuedTask): TaskTicket | undefined {
  const ticket: unknown = task[queueOptionsSymbol];
  return ticket instanceof TaskTicket ? ticket : undefined;
}
