/** Reports the start and end of each request to an observer, and records its span. */

import type { Context, Middleware } from 'koa';
import { ApiError } from '../contract/errors.js';
import { requestSpan } from '../platform/tracing/spans.js';
import { CLIENT_LEFT, type RequestObserver, type Scrape } from '../observability/metrics.js';
import { PROBE_PATHS } from './request-drain.js';
import { requestState } from './request-state.js';

/** Methods reported by name. There could be any number of others. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS']);

export function observeRequests({ begun, ended }: RequestObserver): Middleware {
  return (ctx, next) => {
    const started = performance.now();
    begun();
    const method = METHODS.has(ctx.method) ? ctx.method : '_OTHER';
    const span = requestSpan(method, ctx.get('traceparent'));
    ctx.res.once('close', () => {
      const status = ctx.headerSent ? ctx.status : CLIENT_LEFT;
      const route = routeOf(ctx);
      ended({ method, route, status, seconds: (performance.now() - started) / 1_000 });
      // Probes get no spans.
      if (route === undefined || !PROBE_PATHS.has(route)) {
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

function routeOf(ctx: Context): string | undefined {
  const route: unknown = ctx['_matchedRoute'];
  return typeof route === 'string' ? route : undefined;
}

/** `GET /metrics`, only for direct requests: through a trusted proxy the path does not exist. */
export function metricsEndpoint(scrape: Scrape): Middleware {
  return async (ctx) => {
    if (requestState(ctx).isForwarded) {
      throw new ApiError(
        'not_found',
        'Metrics are not given to addresses of QRPRESS_TRUSTED_PROXIES. Let the proxy ask from another address than Prometheus.',
      );
    }
    const { type, text } = await scrape();
    ctx.body = text;
    ctx.set('Content-Type', type);
  };
}
