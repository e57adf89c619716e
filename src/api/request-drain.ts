/** Counts requests in flight and refuses new ones while the service drains, except probes. */

import type { Middleware } from 'koa';
import { unavailable } from '../contract/errors.js';

/** Polled every few seconds, and answered until the end. */
export const PROBE_PATHS = new Set(['/healthz', '/readyz', '/metrics']);

export class RequestDrain {
  #open = true;
  #inside = 0;
  #onEmpty: (() => void) | undefined;

  get isOpen(): boolean {
    return this.#open;
  }

  /** Counts a request until its response was sent or its client is gone, and its work has ended. */
  readonly pass: Middleware = async (ctx, next) => {
    if (PROBE_PATHS.has(ctx.path)) {
      await next();
      return;
    }
    if (!this.#open) {
      ctx.set('Connection', 'close');
      throw unavailable('The service is stopping; try again soon.', 5);
    }
    this.#inside += 1;
    const closed = new Promise<void>((resolve) => {
      ctx.res.once('close', () => resolve());
    });
    try {
      await next();
    } finally {
      void closed.then(() => this.#leave());
    }
  };

  /** Refuses new requests from now on. */
  shut(): void {
    this.#open = false;
  }

  /** Refuses new requests, and resolves when all others have ended. */
  async drain(): Promise<void> {
    this.shut();
    if (this.#inside > 0) {
      await new Promise<void>((resolve) => {
        this.#onEmpty = resolve;
      });
    }
  }

  #leave(): void {
    this.#inside -= 1;
    if (this.#inside === 0) {
      this.#onEmpty?.();
    }
  }
}
