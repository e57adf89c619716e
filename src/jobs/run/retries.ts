/** Repetition after failures: of which work, how often, and after which pauses. */

import { setTimeout as delay } from 'node:timers/promises';
import { EngineError } from '../../engine/engine-error.js';

/** Pauses before the second and later attempts: a disk or a network has a minute to come back. */
export const RETRY_DELAYS_MS: readonly number[] = [100, 300, 1_000, 3_000, 10_000, 20_000, 30_000];

/** The job was deleted while it was worked on: no other attempt can find its input. */
export class JobDeletedError extends Error {
  override readonly name = 'JobDeletedError';
}

export class Retries {
  readonly #delaysMs: readonly number[];
  readonly #stopping: AbortSignal;

  /** Once `stopping` is aborted, no pause is waited for and nothing is tried again. */
  constructor(delaysMs: readonly number[], stopping: AbortSignal) {
    this.#delaysMs = delaysMs;
    this.#stopping = stopping;
  }

  /**
   * Runs `work` until it resolves or fails for a reason that another attempt would not change. An engine that is not up
   * is waited for, however long. @throws the last failure.
   */
  async retry<T>(work: () => Promise<T>): Promise<T> {
    for (let failures = 0; ; ) {
      try {
        return await work();
      } catch (error) {
        const engineIsDown = error instanceof EngineError && error.code === 'down';
        if (!engineIsDown && (!isTransient(error) || failures === this.#delaysMs.length)) {
          throw error;
        }
        await this.#pause(failures);
        failures += engineIsDown ? 0 : 1;
      }
    }
  }

  /** Runs `work` until it resolves or all stops, telling `onFailure` of every failure. */
  async retryForever(work: () => Promise<void>, onFailure: (error: unknown) => void): Promise<void> {
    for (let failures = 0; !this.#stopping.aborted; failures += 1) {
      try {
        await work();
        return;
      } catch (error) {
        if (this.#stopping.aborted) {
          return;
        }
        onFailure(error);
        await this.#pause(failures).catch(() => undefined);
      }
    }
  }

  /** Rejects as soon as all stops. */
  async #pause(failures: number): Promise<void> {
    await delay(this.#delaysMs[Math.min(failures, this.#delaysMs.length - 1)], undefined, { signal: this.#stopping });
  }
}

/** Of the engine's own failures, a full disk or a lost thread may pass; what the storage and the system say may always. */
function isTransient(error: unknown): boolean {
  if (error instanceof EngineError) {
    return error.code === 'io' || error.code === 'worker';
  }
  return !(error instanceof JobDeletedError);
}
