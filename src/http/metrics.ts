/** What Prometheus can ask for: the process, and how long which endpoint took. */

import type { Middleware } from 'koa';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** Upper bounds in seconds: from a look-up in memory to a body of 100 MB over a slow line. */
const BUCKETS_SECONDS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300];

/** One registry for each server, so that several can live in a process. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests: Histogram<'method' | 'route' | 'status'>;

  constructor() {
    collectDefaultMetrics({ register: this.#registry, prefix: 'qrpress_' });
    this.#requests = new Histogram({
      name: 'qrpress_http_request_seconds',
      help: 'From the headers of a request to the last byte of its answer',
      labelNames: ['method', 'route', 'status'],
      buckets: BUCKETS_SECONDS,
      registers: [this.#registry],
    });
  }

  /** Times every request that a route takes; others could name any number of paths. */
  readonly observe: Middleware = async (ctx, next) => {
    const stop = this.#requests.startTimer();
    ctx.res.once('close', () => {
      const route: unknown = ctx['_matchedRoute'];
      if (typeof route === 'string') {
        stop({ method: ctx.method, route, status: ctx.status });
      }
    });
    await next();
  };

  /** `GET /metrics` */
  readonly answer: Middleware = async (ctx) => {
    ctx.body = await this.#registry.metrics();
    ctx.set('Content-Type', this.#registry.contentType);
  };
}
