/**
 * Admits requests by API keys and signed URLs, within their rate limits: a bucket of requests per minute for each key and
 * endpoint, and for each signed link.
 */

import type { RouterMiddleware } from '@koa/router';
import type { Context, Middleware } from 'koa';
import { RateLimiterRes } from 'rate-limiter-flexible';
import type { ApiKeyStore } from '../accounts/keys/api-key-store.js';
import type { KeyRequest, KeyRequests } from '../accounts/keys/key-request-store.js';
import type { Config } from '../config/config.js';
import { ApiError, organisationSuspended } from '../contract/errors.js';
import { LIMITS, PICTURES_PER_READ } from '../contract/limits.js';
import { counted } from '../platform/counted.js';
import { loggedPath } from '../platform/log.js';
import type { SharedRedis } from '../platform/redis/shared-redis.js';
import { type SharedLimiter, sharedLimiter } from '../platform/redis/shared-limiter.js';
import { requestState } from './request-state.js';
import type { LinkKind, SignedUrls } from './signed-urls.js';

/** RFC 9110, section 11.4: the scheme is case-insensitive. */
const BEARER = /^bearer +(\S+)$/i;

/** Methods that change nothing. */
const SAFE = new Set(['GET', 'HEAD']);

interface KeyChecks {
  keys: ApiKeyStore;
  keyRequests: KeyRequests;
  limits: RateLimits;
}

/**
 * Admits a request with a valid key, which may do what it asks for, and whose bucket for `endpoint` is not empty. Every
 * request with a key counts, whatever its outcome, and is in the key's log.
 */
export function authenticate(endpoint: Endpoint, { keys, keyRequests, limits }: KeyChecks): Middleware {
  return async (ctx, next) => {
    const [, key] = BEARER.exec(ctx.get('Authorization').trim()) ?? [];
    const caller = key === undefined ? undefined : await keys.authenticate(key);
    if (caller === undefined) {
      throw new ApiError(
        'invalid_api_key',
        'The API key is missing, malformed, revoked or expired. Send it as Authorization: Bearer <key>.',
        {},
        { 'WWW-Authenticate': 'Bearer' },
      );
    }
    requestState(ctx).caller = caller;
    ctx.res.once('close', () => keyRequests.add(caller.keyId, requestOf(ctx)));
    const { headers, refusal } = await limits.consume(endpoint, caller.keyId, caller.organisationId);
    ctx.set(headers);
    if (caller.access === 'read' && !SAFE.has(ctx.method)) {
      throw new ApiError(
        'read_only_key',
        'The API key is read-only: it can read and download, not spend or change anything.',
      );
    }
    if (refusal !== undefined) {
      throw refusal;
    }
    // Before the body is read. The transaction that creates the job asks again.
    if (caller.isSuspended && CREATING.has(endpoint)) {
      throw organisationSuspended();
    }
    await next();
  };
}

/** A request that has ended, for the log of its key. */
function requestOf(ctx: Context): KeyRequest {
  const { requestId, client } = requestState(ctx);
  return {
    time: Date.now(),
    method: ctx.method,
    // Without the query, which may hold a secret.
    path: loggedPath(ctx.path),
    status: ctx.res.writableFinished ? ctx.status : null,
    requestId,
    address: client,
  };
}

/**
 * Admits a request whose URL is signed and has not expired. For routes with the parameter `token`. A wrong signature is
 * refused before anything is counted.
 */
export function signedLink(kind: LinkKind, urls: SignedUrls, limits: RateLimits): RouterMiddleware {
  return async (ctx, next) => {
    const token = ctx.params['token'] ?? '';
    const expiresAt = urls.verify(kind, token, ctx.querystring);
    const { refusal } = await limits.consume(`link-${kind}`, token);
    if (refusal !== undefined) {
      throw refusal;
    }
    if (expiresAt <= Date.now()) {
      throw new ApiError('link_expired', 'The link has expired.');
    }
    await next();
  };
}

const WINDOW_SECONDS = 60;

/** All keys of an organisation together may make as many requests as this number of keys. */
const ORGANISATION_LIMIT_IN_KEYS = 10;

/** The size of each endpoint's bucket. Each key has one for each endpoint, and each link. */
function bucketSizes({ create, read }: Config['rateLimits']) {
  return {
    'jobs-create': create,
    'jobs-validate': create,
    'jobs-list': read,
    'job-status': read,
    'job-cancel': read,
    'job-delete': read,
    'job-manifest': read,
    'job-picture': read * PICTURES_PER_READ,
    'job-labels': read,
    'label-sheets': read,
    download: read,
    credits: read,
    'link-status': LIMITS.linkRequestsPerMinute.status,
    'link-download': LIMITS.linkRequestsPerMinute.download,
  };
}

export type Endpoint = keyof ReturnType<typeof bucketSizes>;

const CREATING: ReadonlySet<Endpoint> = new Set(['jobs-create', 'jobs-validate']);

export class RateLimits {
  readonly #limiters: Readonly<Record<Endpoint, SharedLimiter>>;
  readonly #ofOrganisations: Readonly<Record<Endpoint, SharedLimiter>>;

  /** @param redis holds the buckets shared by several processes; without it, and while it is away, they are in memory */
  constructor(rateLimits: Config['rateLimits'], redis?: SharedRedis) {
    const limiters = (prefix: string, factor: number) =>
      Object.fromEntries(
        Object.entries(bucketSizes(rateLimits)).map(([name, points]) => [
          name,
          sharedLimiter({ name: prefix + name, points: factor * points, seconds: WINDOW_SECONDS }, redis),
        ]),
      ) as Record<Endpoint, SharedLimiter>;
    this.#limiters = limiters('', 1);
    this.#ofOrganisations = limiters('organisation-', ORGANISATION_LIMIT_IN_KEYS);
  }

  /**
   * Counts a request of `holder` (a key's id or a link's token) and of the organisation of the key.
   * @returns the state of the emptier bucket in the fields of draft-ietf-httpapi-ratelimit-headers, and the refusal if it was
   * empty
   */
  async consume(endpoint: Endpoint, holder: string, organisationId?: string) {
    const limiter = this.#limiters[endpoint];
    let state = await stateOf(limiter, holder, organisationId === undefined ? 'this link' : 'one key');
    // A key that is over its own limit takes nothing from the other keys.
    if (organisationId !== undefined && state.refusal === undefined) {
      const all = await stateOf(this.#ofOrganisations[endpoint], organisationId, 'all keys of the organisation');
      const isEmptier =
        all.remaining < state.remaining || (all.remaining === state.remaining && all.seconds > state.seconds);
      if (isEmptier || all.refusal !== undefined) {
        state = all;
      }
    }
    return {
      headers: {
        'RateLimit-Policy': `"${endpoint}";q=${limiter.points};w=${WINDOW_SECONDS}`,
        RateLimit: `"${endpoint}";r=${state.remaining};t=${state.seconds}`,
      },
      refusal: state.refusal,
    };
  }
}

/** Counts a request in one bucket. @param whose in the words of the refusal */
async function stateOf(limiter: SharedLimiter, holder: string, whose: string) {
  const { points } = limiter;
  const state = await limiter.consume(holder).catch((reason: unknown) => {
    if (reason instanceof RateLimiterRes) {
      return reason;
    }
    throw reason;
  });
  const seconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
  const message = `At most ${counted(points, 'request')} per minute with ${whose}; try again in ${counted(seconds, 'second')}.`;
  return {
    remaining: Math.max(0, points - state.consumedPoints),
    seconds,
    refusal:
      state.consumedPoints > points
        ? new ApiError('rate_limited', message, {}, { 'Retry-After': String(seconds) })
        : undefined,
  };
}
