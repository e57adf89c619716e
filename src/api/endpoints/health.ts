/** `GET /healthz` and `GET /readyz`: whether the process runs, and whether it can do its work. */

import type { Middleware } from 'koa';
import { unavailable } from '../../contract/errors.js';
import type { ReadinessChecks } from '../../observability/readiness.js';
import { inTime, oneAtATime } from '../../platform/concurrency.js';

type CheckState = 'ok' | 'degraded' | 'failed';

/** A check that takes longer counts as failed. */
const CHECK_TIMEOUT_MS = 2_000;

const RETRY_AFTER_SECONDS = 5;

export const healthz: Middleware = (ctx) => {
  ctx.body = { status: 'ok' };
};

/** A 503 names the failed checks. The reasons are only logged. */
export function readyz(
  checks: ReadinessChecks,
  isDraining: () => boolean,
  onFailure: (name: string, reason: unknown) => void,
): Middleware {
  // Concurrent probes must not use up the connections of a part that hangs.
  const single = Object.entries(checks).map(([name, check]) => [name, oneAtATime(check)] as const);
  return async (ctx) => {
    if (isDraining()) {
      throw unavailable('The service is stopping.', RETRY_AFTER_SECONDS);
    }
    const results = await Promise.all(
      single.map(async ([name, check]) => {
        const started = performance.now();
        const state = await inTime(CHECK_TIMEOUT_MS, check()).catch((reason: unknown) => {
          onFailure(name, reason);
          return 'failed' as const;
        });
        return [name, { state, durationMs: Math.round(performance.now() - started) }] as const;
      }),
    );
    const states = new Set<CheckState>(results.map(([, { state }]) => state));
    const members = { checks: Object.fromEntries(results) };
    if (states.has('failed')) {
      throw unavailable('The service is not ready.', RETRY_AFTER_SECONDS, members);
    }
    ctx.body = { status: states.has('degraded') ? 'degraded' : 'ok', ...members };
  };
}
