/** The bytes of a request as they arrive, counted against a limit and a clock. */

import type { IncomingMessage } from 'node:http';
import { ApiError } from '../contract/errors.js';
import { payloadTooLarge } from './body-form.js';

/** The client went away, or was too slow, before its body was whole: there is nobody to answer. */
export class BodyAbortedError extends Error {
  override readonly name = 'BodyAbortedError';
}

/** The slowest body that is waited for: this many bytes in each window of time. */
const SLOWEST = { bytes: 32_768, windowMs: 30_000 };

/** A body that brings fewer bytes in each of these windows gives way to others when there is no room for them. */
const GIVES_WAY = { bytes: 32_768, windowMs: 2_000 };

/** Bodies that are on their way into this process. */
const receiving = new Set<ReceivedBytes>();

/**
 * Ends the slowest body that `isCandidate`, where one is slow enough to give way.
 * @returns the body; undefined where there is none
 */
export function endSlowest(isCandidate: (body: ReceivedBytes) => boolean = () => true): ReceivedBytes | undefined {
  const [slowest] = [...receiving]
    .filter((body) => body.isSlow && isCandidate(body))
    .toSorted((one, other) => one.recentBytes - other.recentBytes);
  slowest?.end(new BodyAbortedError('The body arrived too slowly, and others wait'));
  return slowest;
}

export class ReceivedBytes {
  readonly #request: IncomingMessage;
  readonly #limitBytes: number;
  #bytes = 0;
  #recentBytes = 0;
  #isSlow = false;

  constructor(request: IncomingMessage, limitBytes: number) {
    this.#request = request;
    this.#limitBytes = limitBytes;
  }

  /** Bytes so far, as they came over the wire. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Bytes of the last window of two seconds. */
  get recentBytes(): number {
    return this.#recentBytes;
  }

  /** True for a body that gives way to others. */
  get isSlow(): boolean {
    return this.#isSlow;
  }

  /** Closes the connection. */
  end(reason: Error): void {
    receiving.delete(this);
    this.#request.destroy(reason);
  }

  /**
   * The request itself is left open, so that a refusal can still be answered.
   * @throws ApiError `payload_too_large`
   * @throws BodyAbortedError
   */
  async *chunks(): AsyncGenerator<Buffer> {
    let [windowBytes, recentFrom, windows] = [0, 0, 0];
    const clock = setInterval(() => {
      this.#recentBytes = this.#bytes - recentFrom;
      this.#isSlow = this.#recentBytes < GIVES_WAY.bytes && !this.#request.readableEnded;
      recentFrom = this.#bytes;
      windows += 1;
      if (windows * GIVES_WAY.windowMs >= SLOWEST.windowMs) {
        if (this.#bytes - windowBytes < SLOWEST.bytes && !this.#request.readableEnded) {
          this.end(new BodyAbortedError('The body arrived too slowly'));
        }
        [windowBytes, windows] = [this.#bytes, 0];
      }
    }, GIVES_WAY.windowMs);
    receiving.add(this);
    try {
      // Ending the iteration early must not close the connection that the refusal goes out on.
      for await (const chunk of this.#request.iterator({ destroyOnReturn: false })) {
        this.#bytes += (chunk as Buffer).length;
        if (this.#bytes > this.#limitBytes) {
          throw payloadTooLarge(this.#limitBytes);
        }
        yield chunk as Buffer;
      }
    } catch (error) {
      throw this.#request.destroyed && !(error instanceof ApiError)
        ? new BodyAbortedError('The client went away', { cause: error })
        : error;
    } finally {
      clearInterval(clock);
      receiving.delete(this);
    }
  }
}
