/** Tells whoever counts or traces requests of each one's beginning and end. */

import type { Context, Middleware } from 'koa';
import { ApiError } from '../errors.js';
import { requestState } from './request-state.js';

/** How a request ended. */
export interface EndedRequest {
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

/** Begins to trace a request. `traceparent`: as received (W3C Trace Context); empty where there is none. */
export type RequestTracer = (request: { method: string; traceparent: string }) => {
  /** Does the work that answers the request. */
  run: (work: () => Promise<void>) => Promise<void>;
  ended: (request: EndedRequest) => void;
};

export function observeRequests({ begun, ended }: RequestObserver, trace?: RequestTracer): Middleware {
  return async (ctx, next) => {
    const started = performance.now();
    begun();
    const traced = trace?.({ method: ctx.method, traceparent: ctx.get('traceparent') });
    ctx.res.once('close', () => {
      const request: EndedRequest = {
        method: ctx.method,
        route: routeOf(ctx),
        status: ctx.status,
        seconds: (performance.now() - started) / 1_000,
      };
      ended(request);
      traced?.ended(request);
    });
    await (traced === undefined ? next() : traced.run(next));
  };
}

/** The pattern of the route that took a request; undefined: none did. */
function routeOf(ctx: Context): string | undefined {
  const route: unknown = ctx['_matchedRoute'];
  return typeof route === 'string' ? route : undefined;
}

/** What `GET /metrics` answers with. */
export type Scrape = () => Promise<{ type: string; text: string }>;

/** `GET /metrics`, for those who ask the process itself: through a trusted proxy there is no such path. */
export function metricsEndpoint(scrape: Scrape): Middleware {
  return async (ctx) => {
    if (isForwarded(ctx)) {
      throw new ApiError('not_found', 'There is nothing at this path.');
    }
    const { type, text } = await scrape();
    ctx.body = text;
    ctx.set('Content-Type', type);
  };
}

function isForwarded(ctx: Context): boolean {
  return requestState(ctx).client !== (ctx.req.socket.remoteAddress ?? '');
}
