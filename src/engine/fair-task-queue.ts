/**
 * The pool's task queue. Checks go before chunks, since their callers wait, but get no more thread time than chunks do. The
 * checks of several holders take turns.
 */

import { queueOptionsSymbol, type TaskQueue } from 'piscina';
import { FairLines } from '../platform/turns.js';
import type { TaskName } from './engine.js';

type QueuedTask = Parameters<TaskQueue['push']>[0];

/**
 * `quick`: takes milliseconds, and somebody waits. `check`: free of charge, and as long as the caller makes it.
 * `chunk`: paid for.
 */
type Lane = 'quick' | 'check' | 'chunk';

const LANES: Readonly<Partial<Record<TaskName, Lane>>> = {
  check: 'check',
  drawSamples: 'check',
  readSpreadsheet: 'check',
  scan: 'check',
  writeManifest: 'check',
  measureLabels: 'check',
  drawLabels: 'check',
  changeLines: 'check',
  renderChunk: 'chunk',
  readBack: 'chunk',
  verify: 'chunk',
};

/**
 * Thread time by which checks may be ahead of chunks: a burst of many small jobs is checked for a few seconds without a
 * pause.
 */
const MAX_AHEAD_MS = 1_000;

/** Upper bound of the thread time that chunks get back after a holder's long checks. */
const MAX_OWED_MS = 30_000;

/** Accompanies a task, under piscina's `queueOptionsSymbol`. */
export class TaskTicket {
  readonly lane: Lane;
  /** Timeout of the task once it has started. */
  readonly timeoutMs: number;
  /** Whose task it is. Empty: nobody's in particular. */
  readonly holder: string;
  startedAt: number | undefined;

  constructor(name: TaskName, timeoutMs = Number.POSITIVE_INFINITY, holder = '') {
    this.timeoutMs = timeoutMs;
    this.holder = holder;
    this.lane = LANES[name] ?? 'quick';
  }
}

export class FairTaskQueue implements TaskQueue {
  readonly #threads: number;
  readonly #now: () => number;
  readonly #queues: Readonly<Record<Lane, FairLines<QueuedTask>>> = {
    quick: new FairLines(),
    check: new FairLines(),
    chunk: new FairLines(),
  };
  #runningChecks = 0;
  /** Thread time of each holder's checks minus that of chunks, in milliseconds, counted while chunks waited. */
  readonly #aheadMs = new Map<string, number>();

  constructor(threads: number, now: () => number = () => performance.now()) {
    this.#threads = threads;
    this.#now = now;
  }

  get size(): number {
    return Object.values(this.#queues).reduce((sum, { size }) => sum + size, 0);
  }

  push(task: QueuedTask): void {
    this.#queueOf(task).push(holderOf(task), task);
  }

  /** Puts back a task from `shift` that found no free thread. */
  unshift(task: QueuedTask): void {
    const ticket = ticketOf(task);
    if (ticket?.startedAt !== undefined) {
      ticket.startedAt = undefined;
      this.#runningChecks -= ticket.lane === 'check' ? 1 : 0;
    }
    this.#queueOf(task).unshift(holderOf(task), task);
  }

  shift(): QueuedTask | null {
    const { quick, check, chunk } = this.#queues;
    const task = quick.shift() ?? check.shift(this.#mayCheck()) ?? chunk.shift() ?? check.shift();
    const ticket = task && ticketOf(task);
    if (ticket !== undefined) {
      this.begin(ticket);
    }
    return task ?? null;
  }

  remove(task: QueuedTask): void {
    this.#queueOf(task).remove(holderOf(task), task);
  }

  /** Call it for a task that finds a free thread at once. `shift` calls it for the others. */
  begin(ticket: TaskTicket): void {
    ticket.startedAt = this.#now();
    this.#runningChecks += ticket.lane === 'check' ? 1 : 0;
  }

  /** Call it when a started task has ended. */
  end({ lane, holder, startedAt }: TaskTicket): void {
    if (startedAt === undefined || lane === 'quick') {
      return;
    }
    const tookMs = this.#now() - startedAt;
    this.#runningChecks -= lane === 'check' ? 1 : 0;
    if (lane === 'chunk') {
      for (const [each, aheadMs] of this.#aheadMs) {
        this.#setAhead(each, aheadMs - tookMs);
      }
    } else if (this.#queues.chunk.size > 0) {
      this.#setAhead(holder, Math.min(MAX_OWED_MS, (this.#aheadMs.get(holder) ?? 0) + tookMs));
    }
  }

  #setAhead(holder: string, aheadMs: number): void {
    if (aheadMs > 0) {
      this.#aheadMs.set(holder, aheadMs);
    } else {
      this.#aheadMs.delete(holder);
    }
  }

  /**
   * Tells whose checks go before chunks; undefined: everybody's. Reserves one thread, and half of the time, for chunks.
   * Whoever alone takes more than may be ahead waits alone.
   */
  #mayCheck(): ((holder: string) => boolean) | undefined {
    if (this.#queues.chunk.size === 0) {
      return undefined;
    }
    const others = [...this.#aheadMs.values()].filter((aheadMs) => aheadMs < MAX_AHEAD_MS);
    const aheadMs = others.reduce((sum, each) => sum + each, 0);
    const isLate = aheadMs >= MAX_AHEAD_MS || this.#runningChecks >= Math.max(1, this.#threads - 1);
    return (holder) => !isLate && (this.#aheadMs.get(holder) ?? 0) < MAX_AHEAD_MS;
  }

  #queueOf(task: QueuedTask): FairLines<QueuedTask> {
    return this.#queues[ticketOf(task)?.lane ?? 'quick'];
  }
}

function holderOf(task: QueuedTask): string {
  return ticketOf(task)?.holder ?? '';
}

function ticketOf(task: QueuedTask): TaskTicket | undefined {
  const ticket: unknown = task[queueOptionsSymbol];
  return ticket instanceof TaskTicket ? ticket : undefined;
}
