/** `GET /healthz` and `GET /readyz`: whether the process is up, and whether it can do its work. */

import { setTimeout as delay } from 'node:timers/promises';
import type { Middleware } from 'koa';
import { ApiError } from '../../errors.js';

/** What the service needs, each with a check that rejects with the reason. */
export type ReadinessChecks = Readonly<Record<string, () => Promise<unknown>>>;

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
  return async (ctx) => {
    if (isDraining()) {
      throw unavailable('The service is stopping.', {});
    }
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => {
        const ok = await inTime(check).catch((reason: unknown) => {
          onFailure(name, reason);
          return false;
        });
        return [name, ok ? 'ok' : 'failed'] as const;
      }),
    );
    const state = Object.fromEntries(results);
    if (results.some(([, result]) => result !== 'ok')) {
      throw unavailable('The service is not ready.', { checks: state });
    }
    ctx.body = { status: 'ok', checks: state };
  };
}

async function inTime(check: () => Promise<unknown>): Promise<boolean> {
  const over = new AbortController();
  try {
    const late = delay(PATIENCE_MS, undefined, { signal: over.signal, ref: false }).then(() => {
      throw new Error(`no answer within ${PATIENCE_MS} ms`);
    });
    await Promise.race([check(), late]);
    return true;
  } finally {
    over.abort();
  }
}

function unavailable(message: string, members: Readonly<Record<string, unknown>>): ApiError {
  return new ApiError('unavailable', message, members, { 'Retry-After': '5' });
}
