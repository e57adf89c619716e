/**
 * The pool's task queue. Checks go before chunks, since their callers wait, but get no more thread time than chunks do.
 */

import { FixedQueue, queueOptionsSymbol, type TaskQueue } from 'piscina';
import type { TaskName } from './task-messages.js';

type QueuedTask = Parameters<TaskQueue['push']>[0];

/**
 * `quick`: takes milliseconds, and somebody waits. `check`: free of charge, and as long as the caller makes it.
 * `chunk`: paid for.
 */
type Lane = 'quick' | 'check' | 'chunk';

const LANES: Readonly<Partial<Record<TaskName, Lane>>> = {
  check: 'check',
  scan: 'check',
  renderChunk: 'chunk',
  verify: 'chunk',
};

/**
 * Thread time by which checks may be ahead of chunks: a burst of many small jobs is checked for a few seconds without a
 * pause.
 */
const MAX_AHEAD_MS = 1_000;

/** Upper bound of the thread time that chunks get back after a long check. */
const MAX_OWED_MS = 30_000;

/** Accompanies a task, under piscina's `queueOptionsSymbol`. */
export class TaskTicket {
  readonly lane: Lane;
  /** Timeout of the task once it has started. */
  readonly timeoutMs: number;
  startedAt: number | undefined;

  constructor(name: TaskName, timeoutMs = Number.POSITIVE_INFINITY) {
    this.timeoutMs = timeoutMs;
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
  /** Thread time of checks minus that of chunks, in milliseconds, counted while chunks waited. */
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

  /** Puts back a task from `shift` that found no free thread. */
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

  /** Call it for a task that finds a free thread at once. `shift` calls it for the others. */
  begin(ticket: TaskTicket): void {
    ticket.startedAt = this.#now();
    this.#runningChecks += ticket.lane === 'check' ? 1 : 0;
  }

  /** Call it when a started task has ended. */
  end({ lane, startedAt }: TaskTicket): void {
    if (startedAt === undefined || lane === 'quick') {
      return;
    }
    const tookMs = this.#now() - startedAt;
    this.#runningChecks -= lane === 'check' ? 1 : 0;
    if (lane === 'chunk') {
      this.#aheadMs = Math.max(0, this.#aheadMs - tookMs);
    } else if (this.#queues.chunk.size > 0) {
      this.#aheadMs = Math.min(MAX_OWED_MS, this.#aheadMs + tookMs);
    }
  }

  /** Reserves one thread, and half of the time, for chunks. */
  #mayCheck(): boolean {
    return this.#aheadMs < MAX_AHEAD_MS && this.#runningChecks < Math.max(1, this.#threads - 1);
  }

  #queueOf(task: QueuedTask): FixedQueue {
    return this.#queues[ticketOf(task)?.lane ?? 'quick'];
  }
}

function ticketOf(task: QueuedTask): TaskTicket | undefined {
  const ticket: unknown = task[queueOptionsSymbol];
  return ticket instanceof TaskTicket ? ticket : undefined;
}
