/** Knows the requests in flight, and refuses new ones while the service drains, except probes. */

import type { ServerResponse } from 'node:http';
import type { Middleware } from 'koa';
import { unavailable } from '../contract/errors.js';

/** Polled every few seconds, and answered until the end. */
export const PROBE_PATHS = new Set(['/healthz', '/readyz', '/metrics']);

export class RequestDrain {
  #open = true;
  readonly #inside = new Set<ServerResponse>();
  #onEmpty: (() => void) | undefined;

  get isOpen(): boolean {
    return this.#open;
  }

  /** Holds a request until its response was sent or its client is gone, and its work has ended. */
  readonly pass: Middleware = async (ctx, next) => {
    if (PROBE_PATHS.has(ctx.path)) {
      await next();
      return;
    }
    if (!this.#open) {
      ctx.set('Connection', 'close');
      throw unavailable('The service is stopping; try again soon.', 5);
    }
    const { res } = ctx;
    this.#inside.add(res);
    const closed = new Promise<void>((resolve) => {
      res.once('close', () => resolve());
    });
    try {
      await next();
    } finally {
      void closed.then(() => this.#leave(res));
    }
  };

  /** Refuses new requests from now on. Answers end their connections: a proxy sends no request over one that is being closed. */
  shut(): void {
    this.#open = false;
    for (const response of this.#inside) {
      response.shouldKeepAlive = false;
    }
  }

  /** Refuses new requests, and resolves when all others have ended. */
  async drain(): Promise<void> {
    this.shut();
    if (this.#inside.size > 0) {
      await new Promise<void>((resolve) => {
        this.#onEmpty = resolve;
      });
    }
  }

  #leave(response: ServerResponse): void {
    this.#inside.delete(response);
    if (this.#inside.size === 0) {
      this.#onEmpty?.();
    }
  }
}
