/** Retries after failures: which work, how often, and with which delays. */

import { setTimeout as delay } from 'node:timers/promises';
import { EngineError } from '../../engine/engine.js';

/** Delays before retries: a disk or a network has a minute to recover. */
export const RETRY_DELAYS_MS: readonly number[] = [100, 300, 1_000, 3_000, 10_000, 20_000, 30_000];

/** The job was deleted or failed during the work. A retry would not find its input. */
export class JobOverError extends Error {
  override readonly name = 'JobOverError';
}

export class Retries {
  readonly #delaysMs: readonly number[];
  readonly #stopping: AbortSignal;

  /** Once `stopping` is aborted, delays end and nothing is retried. */
  constructor(delaysMs: readonly number[], stopping: AbortSignal) {
    this.#delaysMs = delaysMs;
    this.#stopping = stopping;
  }

  /**
   * Runs `work` until it resolves, or fails for a reason that a retry would not change. Calls `onFailure` for every failure
   * before a retry. @throws the last failure
   */
  async retry<T>(work: () => Promise<T>, onFailure: (error: unknown) => void): Promise<T> {
    for (let failures = 0; ; ) {
      try {
        return await work();
      } catch (error) {
        if (!isTransient(error) || failures === this.#delaysMs.length) {
          throw error;
        }
        onFailure(error);
        await this.#pause(failures);
        failures += 1;
      }
    }
  }

  /** Time of the first retry of work that is given back now (Unix milliseconds). */
  get firstAt(): number {
    return Date.now() + (this.#delaysMs[0] ?? 0);
  }

  /**
   * Runs `work` until it resolves, calling `onFailure` for every failure. Undefined when `stopping` is aborted before.
   */
  async retryForever<T>(work: () => Promise<T>, onFailure: (error: unknown) => void): Promise<T | undefined> {
    for (let failures = 0; !this.#stopping.aborted; failures += 1) {
      try {
        return await work();
      } catch (error) {
        if (!this.#stopping.aborted) {
          onFailure(error);
          await this.#pause(failures).catch(() => undefined);
        }
      }
    }
    return undefined;
  }

  /** Rejects as soon as `stopping` is aborted. */
  async #pause(failures: number): Promise<void> {
    await delay(this.#delaysMs[Math.min(failures, this.#delaysMs.length - 1)], undefined, { signal: this.#stopping });
  }
}

/**
 * Among the engine's failures, only a full disk or a lost thread may be temporary; failures of the storage and the
 * system always may.
 */
function isTransient(error: unknown): boolean {
  if (error instanceof EngineError) {
    return error.code === 'io' || error.code === 'thread_lost';
  }
  return !(error instanceof JobOverError);
}

/** True when the engine's process does not start: another process may have one that does. */
export function isDown(error: unknown): boolean {
  return error instanceof EngineError && error.code === 'down';
}

/** True when a file that the engine wrote has changed since. */
export function isCorrupt(error: unknown): boolean {
  return error instanceof EngineError && (error.code === 'corrupt_index' || error.code === 'corrupt_spool');
}

/** True when the chunk, and not the storage, caused the failure. */
export function isFault(error: unknown): boolean {
  return error instanceof EngineError && error.code !== 'io';
}
