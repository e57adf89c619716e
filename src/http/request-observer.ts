/** Tells of each request's beginning and end: to whoever counts them, and as a span. */

import type { Context, Middleware } from 'koa';
import { ApiError } from '../contract/errors.js';
import { requestSpan } from '../tracing/spans.js';
import { requestState } from './request-state.js';

/** The end of a request. */
export interface EndedRequest {
  /** `_OTHER` for one of the methods that are not served. */
  method: string;
  /** The route's pattern, never the path: paths are without number. Undefined: no route took it. */
  route: string | undefined;
  status: number;
  /** From the request's headers to the last byte of its answer. */
  seconds: number;
}

export interface RequestObserver {
  begun: () => void;
  ended: (request: EndedRequest) => void;
}

/** Methods that have a name of their own; others could be any number. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'OPTIONS']);

/** Paths that are asked for every few seconds, for ever: they get no spans. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics']);

export function observeRequests({ begun, ended }: RequestObserver): Middleware {
  return (ctx, next) => {
    const started = performance.now();
    begun();
    const method = METHODS.has(ctx.method) ? ctx.method : '_OTHER';
    const span = requestSpan(method, ctx.get('traceparent'));
    ctx.res.once('close', () => {
      const { status } = ctx;
      const route = routeOf(ctx);
      ended({ method, route, status, seconds: (performance.now() - started) / 1_000 });
      if (route === undefined || !PROBES.has(route)) {
        const attributes = { 'http.request.method': method, 'http.response.status_code': status };
        span.end(
          route === undefined ? method : `${method} ${route}`,
          route === undefined ? attributes : { ...attributes, 'http.route': route },
          status >= 500,
        );
      }
    });
    return span.run(next);
  };
}

/** The pattern of the route that took a request; undefined: none did. */
function routeOf(ctx: Context): string | undefined {
  const route: unknown = ctx['_matchedRoute'];
  return typeof route === 'string' ? route : undefined;
}

/** The answer of `GET /metrics`. */
export type Scrape = () => Promise<{ type: string; text: string }>;

/** `GET /metrics`, for those who ask the process itself: through a trusted proxy there is no such path. */
export function metricsEndpoint(scrape: Scrape): Middleware {
  return async (ctx) => {
    if (requestState(ctx).isForwarded) {
      throw new ApiError('not_found', 'There is nothing at this path.');
    }
    const { type, text } = await scrape();
    ctx.body = text;
    ctx.set('Content-Type', type);
  };
}
