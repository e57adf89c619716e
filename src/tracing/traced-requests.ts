/** A span for every request but those that look after the process. */

import type { RequestTracer } from '../http/request-observer.js';
import type { Notes, Tracing } from './tracing.js';

/** Methods that have a name of their own; others could be any number. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'OPTIONS']);

/** Asked for every few seconds, for ever. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics']);

export function traceRequestsWith(tracing: Tracing): RequestTracer {
  return ({ method, traceparent }) => {
    const known = METHODS.has(method) ? method : '_OTHER';
    const span = tracing.request(known, traceparent);
    return {
      run: span.run,
      ended: ({ route, status }) => {
        if (route !== undefined && PROBES.has(route)) {
          return;
        }
        const notes: Notes = { 'http.request.method': known, 'http.response.status_code': status };
        if (route !== undefined) {
          notes['http.route'] = route;
        }
        span.end(route === undefined ? known : `${known} ${route}`, notes, status >= 500);
      },
    };
  };
}
