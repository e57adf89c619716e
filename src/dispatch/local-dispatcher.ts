/** The queue in this process: a bounded number of tasks at a time, taken in turn from organisations and from their jobs. */

import type { Dispatcher, Task, TaskHandler } from './dispatcher.js';

export class LocalDispatcher implements Dispatcher {
  readonly #slots: number;
  readonly #handle: TaskHandler;
  /** Tasks by organisation, then job; a Map's order is the order of turns, whose first is next. */
  readonly #waiting = new Map<string, Map<string, Task[]>>();
  readonly #waitingAlone: Task[] = [];
  #running = 0;
  #aloneRuns = false;
  #closed = false;
  #onIdle: (() => void) | undefined;

  /** `slots`: tasks at a time, at least 1; more than the farm has threads keep it busy while chunks are stored. */
  constructor(slots: number, handle: TaskHandler) {
    this.#slots = slots;
    this.#handle = handle;
  }

  submit(tasks: readonly Task[]): void {
    for (const task of tasks) {
      if (task.alone === true) {
        this.#waitingAlone.push(task);
      } else {
        const jobs = getOrAdd(this.#waiting, task.organisationId, () => new Map<string, Task[]>());
        getOrAdd(jobs, task.jobId, () => []).push(task);
      }
    }
    this.#startTasks();
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#running > 0) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
    }
  }

  #startTasks(): void {
    while (!this.#closed && !this.#aloneRuns && this.#running < this.#slots) {
      if (this.#waitingAlone.length > 0 && this.#running > 0) {
        return;
      }
      const task = this.#waitingAlone.shift() ?? this.#takeTurn();
      if (task === undefined) {
        return;
      }
      void this.#run(task);
    }
  }

  async #run(task: Task): Promise<void> {
    this.#running += 1;
    this.#aloneRuns = task.alone === true;
    await this.#handle(task);
    this.#running -= 1;
    this.#aloneRuns = false;
    if (this.#running === 0) {
      this.#onIdle?.();
    }
    this.#startTasks();
  }

  /** The next task of the next job of the next organisation; both then go to the end of their round. */
  #takeTurn(): Task | undefined {
    for (const [organisationId, jobs] of this.#waiting) {
      this.#waiting.delete(organisationId);
      for (const [jobId, tasks] of jobs) {
        jobs.delete(jobId);
        const task = tasks.shift();
        if (tasks.length > 0) {
          jobs.set(jobId, tasks);
        }
        if (jobs.size > 0) {
          this.#waiting.set(organisationId, jobs);
        }
        return task;
      }
    }
    return undefined;
  }
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
