/** Every route, on one screen. */

import { Router } from '@koa/router';
import type { Context, Middleware } from 'koa';
import type { ApiKeyStore } from '../account/api-key-store.js';
import type { Ledger } from '../credits/ledger.js';
import { ApiError } from '../errors.js';
import { authenticate } from './authenticate.js';
import { type CreateJobRooms, createJob } from './endpoints/create-job.js';
import { credits } from './endpoints/credits.js';
import { download } from './endpoints/download.js';
import { type FixedDocument, fixedDocument } from './endpoints/fixed-document.js';
import { healthz } from './endpoints/health.js';
import { jobStatus } from './endpoints/job-status.js';
import { validateJob } from './endpoints/validate-job.js';
import { jobOfCaller, jobOfLink } from './find-job.js';
import type { Endpoint, RateLimits } from './rate-limits.js';
import { signedLink } from './signed-link.js';
import type { LinkKind } from './signed-urls.js';

export interface Rooms extends CreateJobRooms {
  keys: ApiKeyStore;
  ledger: Ledger;
  limits: RateLimits;
  openApi: FixedDocument;
  docs: FixedDocument;
}

/** What tells operators how the service is. */
export interface Probes {
  readyz: Middleware;
  metrics: Middleware;
}

export function createRouter(rooms: Rooms, probes: Probes): Router {
  const { keys, ledger, limits, jobs, urls, openApi, docs } = rooms;
  const key = (endpoint: Endpoint) => authenticate(endpoint, keys, limits);
  const link = (kind: LinkKind) => signedLink(kind, urls, limits);

  return createProbeRouter(probes)
    .post('/api/v1/jobs', key('jobs-create'), createJob(rooms))
    .post('/api/v1/jobs/validate', key('jobs-validate'), validateJob(rooms))
    .get('/api/v1/jobs/:jobId', key('job-status'), jobStatus(jobOfCaller(jobs), urls))
    .get('/api/v1/jobs/:jobId/download', key('download'), download(jobOfCaller(jobs), jobs))
    .get('/api/v1/credits', key('credits'), credits(ledger))
    .get('/d/:token/status', link('status'), jobStatus(jobOfLink(jobs), urls))
    .get('/d/:token', link('download'), download(jobOfLink(jobs), jobs))
    .get('/api/v1/openapi.json', fixedDocument(openApi))
    .get('/docs', fixedDocument(docs));
}

/** All that a process answers that takes no jobs. */
export function createProbeRouter({ readyz, metrics }: Probes): Router {
  return new Router({ strict: true, sensitive: true })
    .get('/healthz', healthz)
    .get('/readyz', readyz)
    .get('/metrics', metrics);
}

/** A path that a route spells out is not also another's parameter: `GET /api/v1/jobs/validate` asks for no job. */
export function answerOtherMethods({ stack }: Router): Middleware {
  return async (ctx, next) => {
    const own = stack.filter(({ path }) => path === ctx.path);
    if (own.length > 0 && !own.some(({ methods }) => methods.includes(ctx.method))) {
      answerMethods(ctx, own);
    } else {
      await next();
    }
  };
}

/** What no route took: 404, or 405. */
export const answerUnrouted: Middleware = (ctx) => {
  const matched: Router['stack'] = ctx['matched'] ?? [];
  if (matched.length === 0) {
    throw new ApiError('not_found', 'There is nothing at this path.');
  }
  answerMethods(ctx, matched);
};

/** Says which methods a path has: `OPTIONS` asks for just that, to others it is 405. */
function answerMethods(ctx: Context, routes: Router['stack']): void {
  const allow = [...new Set([...routes.flatMap(({ methods }) => methods), 'OPTIONS'])].join(', ');
  if (ctx.method !== 'OPTIONS') {
    throw new ApiError('method_not_allowed', `Expected one of ${allow}.`, {}, { Allow: allow });
  }
  ctx.status = 204;
  ctx.set('Allow', allow);
}
