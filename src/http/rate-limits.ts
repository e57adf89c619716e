/** Rate limits: a bucket of requests per minute for each key and endpoint, and for each signed link. */

import { RateLimiterRes } from 'rate-limiter-flexible';
import type { OrganisationLimits, OwnLimits } from '../account/organisation-limits.js';
import type { Config } from '../config.js';
import { ApiError } from '../contract/errors.js';
import { LIMITS, PICTURES_PER_READ } from '../contract/limits.js';
import type { Redis } from '../redis/connection.js';
import { type SharedLimiter, sharedLimiter } from '../redis/shared-limiter.js';

/** Endpoints, each with a bucket of its own for each key or link. */
export type Endpoint =
  | 'jobs-create'
  | 'jobs-validate'
  | 'jobs-list'
  | 'job-status'
  | 'job-cancel'
  | 'job-delete'
  | 'job-manifest'
  | 'job-picture'
  | 'download'
  | 'credits'
  | 'link-status'
  | 'link-download';

const WINDOW_SECONDS = 60;

/** All keys of an organisation together have the requests of so many keys. */
const KEYS_WORTH = 10;

/** The state of a bucket after a request: the fields of draft-ietf-httpapi-ratelimit-headers. */
export interface RateLimitState {
  headers: { 'RateLimit-Policy': string; RateLimit: string };
  /** The refusal to answer with, when the bucket was empty. */
  refusal: ApiError | undefined;
}

/** Endpoints that make or check a job. */
const CREATING: ReadonlySet<Endpoint> = new Set(['jobs-create', 'jobs-validate']);

export class RateLimits {
  readonly #organisations: Pick<OrganisationLimits, 'of'>;
  readonly #limiters: Readonly<Record<Endpoint, SharedLimiter>>;
  readonly #ofOrganisations: Readonly<Record<Endpoint, SharedLimiter>>;

  /**
   * @param organisations limits of single organisations, in place of those of all
   * @param redis where the buckets are that several processes share; without it, and while it is away, they are in memory
   */
  constructor({ create, read }: Config['rateLimits'], organisations: Pick<OrganisationLimits, 'of'>, redis?: Redis) {
    this.#organisations = organisations;
    const points: Readonly<Record<Endpoint, number>> = {
      'jobs-create': create,
      'jobs-validate': create,
      'jobs-list': read,
      'job-status': read,
      'job-cancel': read,
      'job-delete': read,
      'job-manifest': read,
      'job-picture': read * PICTURES_PER_READ,
      download: read,
      credits: read,
      'link-status': LIMITS.linkRequestsPerMinute.status,
      'link-download': LIMITS.linkRequestsPerMinute.download,
    };
    const limiters = (prefix: string, factor: number) =>
      Object.fromEntries(
        Object.entries(points).map(([name, each]) => [
          name,
          sharedLimiter({ name: prefix + name, points: factor * each, seconds: WINDOW_SECONDS }, redis),
        ]),
      ) as Record<Endpoint, SharedLimiter>;
    this.#limiters = limiters('', 1);
    this.#ofOrganisations = limiters('organisation-', KEYS_WORTH);
  }

  /** Counts a request of `holder`, a key's id or a link's token, and of the organisation that the key is of. */
  async consume(endpoint: Endpoint, holder: string, organisationId?: string): Promise<RateLimitState> {
    const limiter = this.#limiters[endpoint];
    const points =
      (organisationId === undefined ? undefined : ownPoints(endpoint, this.#organisations.of(organisationId))) ??
      limiter.points;
    const [own, all] = await Promise.all([
      stateOf(limiter, holder, points),
      organisationId === undefined
        ? undefined
        : stateOf(this.#ofOrganisations[endpoint], organisationId, KEYS_WORTH * points),
    ]);
    return {
      headers: {
        'RateLimit-Policy': `"${endpoint}";q=${points};w=${WINDOW_SECONDS}`,
        RateLimit: `"${endpoint}";r=${own.remaining};t=${own.seconds}`,
      },
      refusal: own.refusal ?? all?.refusal,
    };
  }
}

/** Requests a minute that an organisation's own limit gives a key; undefined where it has none. */
function ownPoints(endpoint: Endpoint, { createsPerMinute, readsPerMinute }: OwnLimits): number | undefined {
  const own = CREATING.has(endpoint) ? createsPerMinute : readsPerMinute;
  return own === null ? undefined : own * (endpoint === 'job-picture' ? PICTURES_PER_READ : 1);
}

/** Counts a request in one bucket. @param points requests that it has room for: the limiter itself may have another number */
async function stateOf(limiter: SharedLimiter, holder: string, points: number) {
  const state = await limiter.consume(holder).catch((reason: unknown) => {
    if (reason instanceof RateLimiterRes) {
      return reason;
    }
    throw reason;
  });
  const seconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
  const message = `At most ${points} requests per minute; try again in ${seconds} seconds.`;
  return {
    remaining: Math.max(0, points - state.consumedPoints),
    seconds,
    refusal:
      state.consumedPoints > points
        ? new ApiError('rate_limited', message, {}, { 'Retry-After': String(seconds) })
        : undefined,
  };
}
