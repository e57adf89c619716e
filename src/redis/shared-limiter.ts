/** Counters of attempts that several processes share where there is a Redis; without it, and while it is away, each counts for itself. */

import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { Redis } from './connection.js';

/** Emitted by the connection for each attempt that was counted in memory instead. */
export const FALLBACK = 'fallback';

export type SharedLimiter = RateLimiterAbstract;

export interface Limit {
  /** The thing that is counted; each name has counters of its own. */
  name: string;
  /** Attempts within `seconds`. */
  points: number;
  seconds: number;
}

export function sharedLimiter({ name, points, seconds }: Limit, redis: Redis | undefined): SharedLimiter {
  const bucket = { keyPrefix: `qrpress:limit:${name}`, points, duration: seconds };
  return redis === undefined
    ? new RateLimiterMemory(bucket)
    : new RateLimiterRedis({ ...bucket, storeClient: redis, insuranceLimiter: new InsteadOfRedis(bucket, redis) });
}

/** Counts in memory, and says so. */
class InsteadOfRedis extends RateLimiterMemory {
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
