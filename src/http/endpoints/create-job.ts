/** `POST /api/v1/jobs` (section 4.2): receive the body, check it, accept the job; once for each `Idempotency-Key`. */

import { createHash } from 'node:crypto';
import type { Middleware } from 'koa';
import { ApiError } from '../../contract/errors.js';
import type { Job } from '../../jobs/job.js';
import type { Jobs } from '../../jobs/jobs.js';
import { jobCreated } from '../job-resource.js';
import {
  type DraftDependencies,
  type DraftRequest,
  describeRequest,
  needsOf,
  receiveAndCheck,
  receiveDraft,
} from '../receive-draft.js';
import { callerOf } from '../request-state.js';
import type { SignedUrls } from '../signed-urls.js';

/** Seconds until a first look at the job is worth it. */
const FIRST_LOOK_SECONDS = '1';

export interface CreateJobDependencies extends DraftDependencies {
  jobs: Jobs;
  urls: SignedUrls;
}

export function createJob(dependencies: CreateJobDependencies): Middleware {
  return async (ctx) => {
    const request = describeRequest(ctx);
    const job = await dependencies.admission.within(
      'job',
      callerOf(ctx),
      () =>
        request.keyHash === undefined
          ? accept(request, dependencies)
          : acceptOnce(request, request.keyHash, dependencies),
      needsOf(request),
    );
    ctx.status = 202;
    ctx.set({ Location: `/api/v1/jobs/${job.id}`, 'Retry-After': FIRST_LOOK_SECONDS });
    ctx.body = jobCreated(job, dependencies.urls);
  };
}

async function accept(request: DraftRequest, dependencies: CreateJobDependencies): Promise<Job> {
  const checked = await receiveAndCheck(request, dependencies, { drawIfSmall: true });
  return dependencies.jobs.accept(callerOf(request.ctx), request.draftId, checked);
}

/** Accepts the job, or finds the one that an equal request with the same key was answered with. */
async function acceptOnce(request: DraftRequest, keyHash: string, dependencies: CreateJobDependencies): Promise<Job> {
  const { ctx, description, draftId } = request;
  const { jobs, drafts } = dependencies;
  const { organisationId } = callerOf(ctx);
  const claim = { organisationId, keyHash, jobId: draftId };
  const digest = createHash('sha256').update(`${description.form}\n`);
  const earlier = await jobs.idempotency.claim(claim);
  if (earlier === undefined) {
    return jobs.idempotency.hold(claim, async () => {
      const checked = await receiveAndCheck(request, dependencies, { digest, drawIfSmall: true });
      return jobs.accept(callerOf(ctx), draftId, checked, { ...claim, fingerprint: digest.digest('hex') });
    });
  }
  await receiveDraft(request, dependencies, digest);
  await drafts.remove(draftId);
  if (digest.digest('hex') !== earlier.fingerprint) {
    throw new ApiError('idempotency_key_reused', 'The Idempotency-Key was used with another body.');
  }
  const job = await jobs.find(organisationId, earlier.jobId);
  if (job === undefined) {
    throw new ApiError('idempotency_key_reused', 'The job of this Idempotency-Key was deleted; use another key.');
  }
  ctx.set('Idempotent-Replayed', 'true');
  return job;
}
