/** Counters of attempts that several processes share where there is a Redis; without it, and while it is away, each counts for itself. */

import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { Redis } from './connection.js';

export type SharedLimiter = RateLimiterAbstract;

export interface Limit {
  /** What is counted; each name has counters of its own. */
  name: string;
  /** Attempts within `seconds`. */
  points: number;
  seconds: number;
}

export function sharedLimiter({ name, points, seconds }: Limit, redis: Redis | undefined): SharedLimiter {
  const bucket = { keyPrefix: `qrpress:limit:${name}`, points, duration: seconds };
  const inMemory = new RateLimiterMemory(bucket);
  return redis === undefined
    ? inMemory
    : new RateLimiterRedis({ ...bucket, storeClient: redis, insuranceLimiter: inMemory });
}
