/** The bytes of a request as they arrive, with a size limit and a minimum speed. */

import type { IncomingMessage } from 'node:http';
import type { Transfer, Transfers } from '../../admission/transfers.js';
import { ApiError } from '../../contract/errors.js';
import { payloadTooLarge } from './body-form.js';

/** The client disconnected or was too slow before its body was complete. There is nobody to answer. */
export class BodyAbortedError extends Error {
  override readonly name = 'BodyAbortedError';
}

/** Minimum speed: a body that brings fewer bytes in a window is aborted. */
const MIN_SPEED = { bytes: 32_768, windowMs: 30_000 };

/** A body that brings fewer bytes in such a window may be aborted to make room for others. */
const SLOW_SPEED = { bytes: 32_768, windowMs: 2_000 };

export class ReceivedBytes implements Transfer {
  readonly #request: IncomingMessage;
  readonly #limitBytes: number;
  readonly #transfers: Transfers;
  #bytes = 0;
  #recentBytes = 0;
  #isSlow = false;

  /** @param transfers where it is listed while it arrives */
  constructor(request: IncomingMessage, limitBytes: number, transfers: Transfers) {
    this.#request = request;
    this.#limitBytes = limitBytes;
    this.#transfers = transfers;
  }

  /** Bytes received so far, before decoding. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Bytes received in the last two seconds' window. */
  get recentBytes(): number {
    return this.#recentBytes;
  }

  /** True for a body that may be aborted to make room. */
  get isSlow(): boolean {
    return this.#isSlow;
  }

  giveWay(): void {
    this.#request.destroy(new BodyAbortedError('The body arrived too slowly, and others wait'));
  }

  /**
   * Leaves the request open, so that a refusal can still be answered.
   * @throws ApiError `payload_too_large`
   * @throws BodyAbortedError
   */
  async *chunks(): AsyncGenerator<Buffer> {
    let [windowBytes, recentFrom, windows] = [0, 0, 0];
    // True while a chunk is being written: then it is not the client that is slow.
    let isHeldUp = false;
    const clock = setInterval(() => {
      if (isHeldUp) {
        this.#isSlow = false;
        [recentFrom, windowBytes, windows] = [this.#bytes, this.#bytes, 0];
        return;
      }
      this.#recentBytes = this.#bytes - recentFrom;
      this.#isSlow = this.#recentBytes < SLOW_SPEED.bytes && !this.#request.readableEnded;
      recentFrom = this.#bytes;
      windows += 1;
      if (windows * SLOW_SPEED.windowMs >= MIN_SPEED.windowMs) {
        if (this.#bytes - windowBytes < MIN_SPEED.bytes && !this.#request.readableEnded) {
          this.#request.destroy(new BodyAbortedError('The body arrived too slowly'));
        }
        [windowBytes, windows] = [this.#bytes, 0];
      }
    }, SLOW_SPEED.windowMs);
    this.#transfers.add(this);
    try {
      // Ending the iteration early must not close the connection: the refusal is sent on it.
      for await (const chunk of this.#request.iterator({ destroyOnReturn: false })) {
        this.#bytes += (chunk as Buffer).length;
        if (this.#bytes > this.#limitBytes) {
          throw payloadTooLarge(this.#limitBytes);
        }
        isHeldUp = true;
        yield chunk as Buffer;
        isHeldUp = false;
      }
    } catch (error) {
      throw this.#request.destroyed && !(error instanceof ApiError)
        ? new BodyAbortedError('The client went away', { cause: error })
        : error;
    } finally {
      clearInterval(clock);
      this.#transfers.delete(this);
    }
  }
}
