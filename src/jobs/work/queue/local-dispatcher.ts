/**
 * The queue local to this process. Runs a bounded number of steps at a time, round-robin over organisations and then
 * over each organisation's jobs.
 */

import type { QueueFigures } from '../../../admission/queue-room.js';
import { Turns } from '../../../platform/turns.js';
import type { Dispatcher, Step, StepHandler } from './dispatcher.js';

export class LocalDispatcher implements Dispatcher {
  readonly #slots: number;
  #handle: StepHandler | undefined;
  /**
   * Chunks with their steps, by organisation, then job. The order of each Map is the order of turns: the first entry is
   * next.
   */
  readonly #waiting = new Turns<Turns<Map<number, Step>>>();
  /** Steps that finish an archive, by job. They go first: they are little work, and somebody waits for the archive. */
  readonly #finishes = new Map<string, Step>();
  #chunks = 0;
  #started = 0;
  /** Timers of steps to be handled again later. */
  readonly #postponed = new Set<NodeJS.Timeout>();
  #running = 0;
  #paused = false;
  #closed = false;
  #onIdle: (() => void) | undefined;

  /**
   * `slots`: steps at a time, at least 1. A few more than the engine has threads keep the threads busy while chunks are
   * stored.
   */
  constructor(slots: number) {
    this.#slots = slots;
  }

  start(handle: StepHandler): void {
    this.#handle = handle;
  }

  submit(steps: readonly Step[]): void {
    for (const step of steps) {
      const { organisationId, jobId, chunk } = step;
      if (chunk === undefined) {
        getOrAdd(this.#finishes, jobId, () => step);
        continue;
      }
      const jobs = getOrAdd(this.#waiting, organisationId, () => new Turns<Map<number, Step>>());
      const chunks = getOrAdd(jobs, jobId, () => new Map<number, Step>());
      this.#chunks += chunks.has(chunk) ? 0 : 1;
      getOrAdd(chunks, chunk, () => step);
    }
    this.#startSteps();
  }

  async sent(): Promise<void> {}

  /** True when every step has been started. */
  get isEmpty(): boolean {
    return this.#waiting.size + this.#finishes.size === 0;
  }

  async figures(organisationId: string): Promise<QueueFigures> {
    const own = this.#waiting.get(organisationId)?.size ?? 0;
    return { chunks: this.#chunks, own, started: this.#started };
  }

  /** Discards the steps that have not been started. */
  drop(): void {
    this.#waiting.clear();
    this.#finishes.clear();
    this.#chunks = 0;
    this.#dropPostponed();
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#startSteps();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#dropPostponed();
    if (this.#running > 0) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
    }
  }

  #dropPostponed(): void {
    for (const timer of this.#postponed) {
      clearTimeout(timer);
    }
    this.#postponed.clear();
  }

  #startSteps(): void {
    while (!this.#closed && !this.#paused && this.#running < this.#slots) {
      const step = this.#takeFinish() ?? this.#takeTurn();
      if (step === undefined) {
        return;
      }
      void this.#run(step);
    }
  }

  async #run(step: Step): Promise<void> {
    this.#running += 1;
    const retryAt = await this.#handle?.(step);
    this.#running -= 1;
    if (retryAt !== undefined && !this.#closed) {
      this.#postpone(step, retryAt);
    }
    if (this.#running === 0) {
      this.#onIdle?.();
    }
    this.#startSteps();
  }

  #postpone(step: Step, until: number): void {
    const timer = setTimeout(() => {
      this.#postponed.delete(timer);
      this.submit([step]);
    }, until - Date.now()).unref();
    this.#postponed.add(timer);
  }

  #takeFinish(): Step | undefined {
    const [[jobId, step] = []] = this.#finishes;
    if (jobId !== undefined) {
      this.#finishes.delete(jobId);
    }
    return step;
  }

  /** Takes the next chunk of the next job of the next organisation. Both then go to the end of the round. */
  #takeTurn(): Step | undefined {
    const [organisationId, jobs] = this.#waiting.take() ?? [];
    const [jobId, chunks] = jobs?.take() ?? [];
    if (organisationId === undefined || jobs === undefined || jobId === undefined || chunks === undefined) {
      return undefined;
    }
    const [[chunk, step] = []] = chunks;
    if (chunk !== undefined) {
      chunks.delete(chunk);
      this.#chunks -= 1;
      this.#started += 1;
    }
    if (chunks.size > 0) {
      jobs.set(jobId, chunks);
    }
    if (jobs.size > 0) {
      this.#waiting.set(organisationId, jobs);
    }
    return step;
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
