/** Every route, on one screen. */

import { Router } from '@koa/router';
import type { Context, Middleware } from 'koa';
import type { ApiKeyStore } from '../accounts/keys/api-key-store.js';
import type { KeyRequests } from '../accounts/keys/key-request-store.js';
import type { Database } from '../database/connection.js';
import { EventLoopTurns } from '../platform/concurrency.js';
import { ApiError } from '../contract/errors.js';
import { PICTURE_TYPES, type PictureFormat } from '../contract/request-schema.js';
import type { JobListStore } from '../jobs/job-list-store.js';
import type { DocsFile } from './docs/page/docs-site.js';
import { authenticate, type Endpoint, type RateLimits, signedLink } from './authenticate.js';
import { createJob, type CreateJobDependencies, validateJob } from './endpoints/create-job.js';
import { credits } from './endpoints/credits.js';
import { download } from './endpoints/download.js';
import { documents } from './send-resource.js';
import { healthz } from './endpoints/health.js';
import { labels, labelSheets, manifest, picture } from './endpoints/items.js';
import { cancelJob, deleteJob, jobOfCaller, jobOfLink, jobStatus } from './endpoints/job.js';
import { listJobs } from './endpoints/list-jobs.js';
import type { LinkKind } from './signed-urls.js';

export interface ApiDependencies extends CreateJobDependencies {
  database: Database;
  keys: ApiKeyStore;
  keyRequests: KeyRequests;
  jobList: JobListStore;
  limits: RateLimits;
  /** Makes the OpenAPI document, `/llms.txt`, `/docs` and everything below it, by path. */
  docs: () => ReadonlyMap<string, DocsFile>;
}

/** Endpoints that report the state of the service to operators. */
export interface Probes {
  readyz: Middleware;
  metrics: Middleware;
}

export function createRouter(dependencies: ApiDependencies, probes: Probes): Router {
  const { ledger, limits, jobs, jobList, urls } = dependencies;
  const key = (endpoint: Endpoint) => authenticate(endpoint, dependencies);
  const turn = inTurns();
  const docs = documents(dependencies.docs);
  const link = (kind: LinkKind) => signedLink(kind, urls, limits);

  const router = createProbeRouter(probes);
  for (const format of Object.keys(PICTURE_TYPES) as PictureFormat[]) {
    const path = `/api/v1/jobs/:jobId/items/:index.${format}`;
    router.get(path, key('job-picture'), picture(jobOfCaller(jobs), dependencies, [format]));
  }
  return router
    .get('/api/v1/jobs', key('jobs-list'), turn, listJobs(jobList, urls))
    .post('/api/v1/jobs', key('jobs-create'), createJob(dependencies))
    .post('/api/v1/jobs/validate', key('jobs-validate'), validateJob(dependencies))
    .get('/api/v1/jobs/:jobId', key('job-status'), jobStatus(jobOfCaller(jobs), urls))
    .delete('/api/v1/jobs/:jobId', key('job-delete'), deleteJob(jobOfCaller(jobs), dependencies))
    .post('/api/v1/jobs/:jobId/cancel', key('job-cancel'), cancelJob(jobOfCaller(jobs), dependencies))
    .get('/api/v1/jobs/:jobId/manifest', key('job-manifest'), manifest(jobOfCaller(jobs), dependencies))
    .get('/api/v1/jobs/:jobId/labels.pdf', key('job-labels'), turn, labels(jobOfCaller(jobs), dependencies))
    .get('/api/v1/label-sheets', key('label-sheets'), turn, labelSheets())
    .get('/api/v1/jobs/:jobId/download', key('download'), turn, download(jobOfCaller(jobs), dependencies))
    .get('/api/v1/credits', key('credits'), credits(ledger))
    .get('/d/:token/status', link('status'), jobStatus(jobOfLink(jobs), urls))
    .get('/d/:token', link('download'), turn, download(jobOfLink(jobs), dependencies))
    .get('/api/v1/openapi.json', turn, docs)
    .get('/llms.txt', turn, docs)
    .get('/docs', turn, docs)
    .get('/docs.md', turn, docs)
    .get('/docs/:page', turn, docs)
    .get('/docs/pictures/:picture', turn, docs);
}

/**
 * Lets one request go on in each turn of the event loop. Some answers take milliseconds of it: many at once must not keep
 * it from everybody else.
 */
function inTurns(): Middleware {
  const turns = new EventLoopTurns();
  return async (_ctx, next) => {
    await turns.take();
    await next();
  };
}

/** All routes of a process that takes no jobs. */
export function createProbeRouter({ readyz, metrics }: Probes): Router {
  return new Router({ strict: true, sensitive: true })
    .get('/healthz', healthz)
    .get('/readyz', readyz)
    .get('/metrics', inTurns(), metrics);
}

/**
 * Answers other methods of a literal path, so that it does not match another route's parameter: `GET
 * /api/v1/jobs/validate` does not ask for a job.
 */
export function answerOtherMethods({ stack }: Router): Middleware {
  return (ctx, next) => {
    const own = stack.filter(({ path }) => path === ctx.path);
    if (own.length === 0 || own.some(({ methods }) => methods.includes(ctx.method))) {
      return next();
    }
    answerMethods(ctx, own);
    return undefined;
  };
}

/** Answers a request without a matching route: 404 or 405. */
export const answerUnrouted: Middleware = (ctx) => {
  const matched: Router['stack'] = ctx['matched'] ?? [];
  if (matched.length === 0) {
    throw new ApiError('not_found', 'There is nothing at this path.');
  }
  answerMethods(ctx, matched);
};

/** Lists a path's methods: for `OPTIONS` as the answer, for others as a 405. */
function answerMethods(ctx: Context, routes: Router['stack']): void {
  const allow = [...new Set([...routes.flatMap(({ methods }) => methods), 'OPTIONS'])].join(', ');
  if (ctx.method !== 'OPTIONS') {
    throw new ApiError('method_not_allowed', `The method must be one of ${allow}.`, {}, { Allow: allow });
  }
  ctx.status = 204;
  ctx.set('Allow', allow);
}
