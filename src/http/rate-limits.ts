/** Rate limits: a bucket of requests per minute for each key and endpoint, and for each signed link. */

import { RateLimiterRes } from 'rate-limiter-flexible';
import type { Config } from '../config.js';
import { ApiError } from '../errors.js';
import { LIMITS } from '../limits.js';
import type { Redis } from '../redis/connection.js';
import { type SharedLimiter, sharedLimiter } from '../redis/shared-limiter.js';

/** What has a bucket of its own for each key or link. */
export type Endpoint =
  | 'jobs-create'
  | 'jobs-validate'
  | 'job-status'
  | 'download'
  | 'credits'
  | 'link-status'
  | 'link-download';

const WINDOW_SECONDS = 60;

/** What a bucket says after a request: the fields of draft-ietf-httpapi-ratelimit-headers. */
export interface RateLimitState {
  headers: { 'RateLimit-Policy': string; RateLimit: string };
  /** The refusal to answer with, when the bucket was empty. */
  refusal: ApiError | undefined;
}

export class RateLimits {
  readonly #limiters: Readonly<Record<Endpoint, SharedLimiter>>;

  /** @param redis where the buckets are that several processes share; without it, and while it is away, they are in memory */
  constructor({ create, read }: Config['rateLimits'], redis?: Redis) {
    const limiter = (name: Endpoint, points: number) => sharedLimiter({ name, points, seconds: WINDOW_SECONDS }, redis);
    this.#limiters = {
      'jobs-create': limiter('jobs-create', create),
      'jobs-validate': limiter('jobs-validate', create),
      'job-status': limiter('job-status', read),
      download: limiter('download', read),
      credits: limiter('credits', read),
      'link-status': limiter('link-status', LIMITS.linkRequestsPerMinute.status),
      'link-download': limiter('link-download', LIMITS.linkRequestsPerMinute.download),
    };
  }

  /** Counts a request of `holder`, a key's id or a link's token. */
  async consume(endpoint: Endpoint, holder: string): Promise<RateLimitState> {
    const limiter = this.#limiters[endpoint];
    const state = await limiter.consume(holder).catch((reason: unknown) => {
      if (reason instanceof RateLimiterRes) {
        return reason;
      }
      throw reason;
    });
    const seconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
    return {
      headers: {
        'RateLimit-Policy': `"${endpoint}";q=${limiter.points};w=${WINDOW_SECONDS}`,
        RateLimit: `"${endpoint}";r=${state.remainingPoints};t=${seconds}`,
      },
      refusal:
        state.consumedPoints > limiter.points
          ? new ApiError(
              'rate_limited',
              `At most ${limiter.points} requests per minute; try again in ${seconds} seconds.`,
              {},
              { 'Retry-After': String(seconds) },
            )
          : undefined,
    };
  }
}
