/**
 * Rate limits shared by several processes through Redis. Without Redis, and while it is away, each process counts for
 * itself.
 */

import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { Redis } from './connection.js';

/** Emitted on the connection for each attempt that is counted in memory instead. */
export const FALLBACK = 'fallback';

export type SharedLimiter = RateLimiterAbstract;

export interface Limit {
  /** Name of what is limited. Each name has its own counters. */
  name: string;
  /** Allowed attempts within `seconds`. */
  points: number;
  seconds: number;
}

export function sharedLimiter({ name, points, seconds }: Limit, redis: Redis | undefined): SharedLimiter {
  const bucket = { keyPrefix: `qrpress:limit:${name}`, points, duration: seconds };
  return redis === undefined
    ? new RateLimiterMemory(bucket)
    : new RateLimiterRedis({ ...bucket, storeClient: redis, insuranceLimiter: new ReportedFallback(bucket, redis) });
}

/** Counts in memory and emits `FALLBACK`. */
class ReportedFallback extends RateLimiterMemory {
  readonly #redis: Redis;

  constructor(bucket: ConstructorParameters<typeof RateLimiterMemory>[0], redis: Redis) {
    super(bucket);
    this.#redis = redis;
  }

  override consume(...attempt: Parameters<RateLimiterMemory['consume']>): ReturnType<RateLimiterMemory['consume']> {
    this.#redis.emit(FALLBACK);
    return super.consume(...attempt);
  }
}
