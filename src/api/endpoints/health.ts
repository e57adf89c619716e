/** `GET /healthz` and `GET /readyz`: whether the process runs, and whether it can do its work. */

import type { Middleware } from 'koa';
import { unavailable } from '../../contract/errors.js';
import type { Examine } from '../../observability/readiness.js';

const RETRY_AFTER_SECONDS = 5;

export const healthz: Middleware = (ctx) => {
  ctx.body = { status: 'ok' };
};

/** A 503 names the failed checks. The reasons are only logged. */
export function readyz(examine: Examine, isDraining: () => boolean): Middleware {
  return async (ctx) => {
    if (isDraining()) {
      throw unavailable('The service is stopping.', RETRY_AFTER_SECONDS);
    }
    const checks = await examine();
    const states = new Set(Object.values(checks).map(({ state }) => state));
    if (states.has('failed')) {
      throw unavailable('The service is not ready.', RETRY_AFTER_SECONDS, { checks });
    }
    ctx.body = { status: states.has('degraded') ? 'degraded' : 'ok', checks };
  };
}
