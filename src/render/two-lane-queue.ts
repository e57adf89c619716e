/** The pool's queue: what a client waits for goes ahead of the chunks. */

import { FixedQueue, queueOptionsSymbol, type TaskQueue } from 'piscina';

type QueuedTask = Parameters<TaskQueue['push']>[0];

/** Marks a task for the fast lane, under piscina's `queueOptionsSymbol`. */
export const FAST_LANE = Object.freeze({});

export class TwoLaneQueue implements TaskQueue {
  readonly #fast = new FixedQueue();
  readonly #slow = new FixedQueue();

  get size(): number {
    return this.#fast.size + this.#slow.size;
  }

  push(task: QueuedTask): void {
    this.#laneOf(task).push(task);
  }

  unshift(task: QueuedTask): void {
    this.#laneOf(task).unshift(task);
  }

  shift(): QueuedTask | null {
    return this.#fast.shift() ?? this.#slow.shift();
  }

  remove(task: QueuedTask): void {
    this.#laneOf(task).remove(task);
  }

  #laneOf(task: QueuedTask): FixedQueue {
    return task[queueOptionsSymbol] === FAST_LANE ? this.#fast : this.#slow;
  }
}
