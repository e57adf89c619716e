/** The door that requests come in by: shut while the service drains, save for those who ask how it is. */

import type { Middleware } from 'koa';
import { ApiError } from '../contract/errors.js';

/** Answered until the very end. */
const ALWAYS_OPEN = new Set(['/healthz', '/readyz', '/metrics']);

export class RequestDrain {
  #open = true;
  #inside = 0;
  #onEmpty: (() => void) | undefined;

  get isOpen(): boolean {
    return this.#open;
  }

  /** Counts requests from here until they are done with: the answer was sent or its client is gone, and nobody works on it any more. */
  readonly pass: Middleware = async (ctx, next) => {
    if (ALWAYS_OPEN.has(ctx.path)) {
      await next();
      return;
    }
    if (!this.#open) {
      ctx.set('Connection', 'close');
      throw new ApiError('unavailable', 'The service is stopping; try again soon.', {}, { 'Retry-After': '5' });
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

  /** Lets nobody in any more. */
  shut(): void {
    this.#open = false;
  }

  /** Lets nobody in any more, and resolves when everybody is out. */
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
