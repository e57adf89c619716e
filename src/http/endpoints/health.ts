/** `GET /healthz` and `GET /readyz`: whether the process is up, and whether it can do its work. */

import { setTimeout as delay } from 'node:timers/promises';
import type { Middleware } from 'koa';
import { ApiError } from '../../contract/errors.js';

/** `degraded`: it works, and somebody should have a look. */
type CheckState = 'ok' | 'degraded' | 'failed';

/** Things that the service needs, each with a check that rejects with the reason. */
export type ReadinessChecks = Readonly<Record<string, () => Promise<Exclude<CheckState, 'failed'>>>>;

/** The result of a check, and the time that it took. */
interface CheckResult {
  state: CheckState;
  durationMs: number;
}

/** A check that takes longer has failed. */
const PATIENCE_MS = 2_000;

export const healthz: Middleware = (ctx) => {
  ctx.body = { status: 'ok' };
};

/** 503 names what is missing; the reasons are for the log. */
export function readyz(
  checks: ReadinessChecks,
  isDraining: () => boolean,
  onFailure: (name: string, reason: unknown) => void,
): Middleware {
  const single = Object.entries(checks).map(([name, check]) => [name, oneAtATime(check)] as const);
  return async (ctx) => {
    if (isDraining()) {
      throw unavailable('The service is stopping.', {});
    }
    const results = await Promise.all(
      single.map(async ([name, check]): Promise<[string, CheckResult]> => {
        const started = performance.now();
        const state = await inTime(check).catch((reason: unknown) => {
          onFailure(name, reason);
          return 'failed' as const;
        });
        return [name, { state, durationMs: Math.round(performance.now() - started) }];
      }),
    );
    const states = new Set(results.map(([, { state }]) => state));
    const members = { checks: Object.fromEntries(results) };
    if (states.has('failed')) {
      throw unavailable('The service is not ready.', members);
    }
    ctx.body = { status: states.has('degraded') ? 'degraded' : 'ok', ...members };
  };
}

/** Probes that come while a check hangs share it: they must not take up every connection of what is away. */
function oneAtATime<T>(check: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= check().finally(() => {
      running = undefined;
    });
    return running;
  };
}

async function inTime<T>(check: () => Promise<T>): Promise<T> {
  const over = new AbortController();
  try {
    const late = delay(PATIENCE_MS, undefined, { signal: over.signal, ref: false }).then(() => {
      throw new Error(`no answer within ${PATIENCE_MS} ms`);
    });
    return await Promise.race([check(), late]);
  } finally {
    over.abort();
  }
}

function unavailable(message: string, members: Readonly<Record<string, unknown>>): ApiError {
  return new ApiError('unavailable', message, members, { 'Retry-After': '5' });
}
