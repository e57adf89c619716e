/**
 * Rate limits shared by several processes through Redis. Without Redis, and while it is away, each process counts for
 * itself.
 */

import {
  type IRateLimiterOptions,
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import type { SharedRedis } from './shared-redis.js';

export type SharedLimiter = Pick<RateLimiterAbstract, 'points' | 'consume' | 'get' | 'delete' | 'reward' | 'penalty'>;

export interface Limit {
  /** Name of what is limited. Each name has its own counters. */
  name: string;
  /** Allowed attempts within `seconds`. */
  points: number;
  seconds: number;
}

export function sharedLimiter({ name, points, seconds }: Limit, redis: SharedRedis | undefined): SharedLimiter {
  const bucket = { keyPrefix: `qrpress:limit:${name}`, points, duration: seconds };
  return redis === undefined ? new RateLimiterMemory(bucket) : insuredLimiter(bucket, redis);
}

/** Counts in Redis, and in memory while it is away. Nobody waits for a Redis that is known to be away. */
function insuredLimiter(bucket: IRateLimiterOptions, redis: SharedRedis): SharedLimiter {
  const shared = new RateLimiterRedis({ ...bucket, storeClient: redis.client });
  const own = new RateLimiterMemory(bucket);
  const count = async <T>(attempt: (limiter: RateLimiterAbstract) => Promise<T>): Promise<T> => {
    if (redis.isAvailable) {
      try {
        return await attempt(shared);
      } catch (reason) {
        if (reason instanceof RateLimiterRes) {
          throw reason;
        }
        redis.suspect(reason);
      }
    }
    redis.emit('fallback');
    return attempt(own);
  };
  return {
    points: own.points,
    consume: (key) => count((limiter) => limiter.consume(key)),
    get: (key) => count((limiter) => limiter.get(key)),
    delete: (key) => count((limiter) => limiter.delete(key)),
    reward: (key) => count((limiter) => limiter.reward(key)),
    penalty: (key) => count((limiter) => limiter.penalty(key)),
  };
}
