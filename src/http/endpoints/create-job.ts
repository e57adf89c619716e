/** `POST /api/v1/jobs` (section 4.2). */

import type { Middleware } from 'koa';
import type { AdmissionControl } from '../../admission/admission-control.js';
import type { Engine } from '../../engine/engine.js';
import type { Jobs } from '../../jobs/jobs.js';
import { JobRequest } from '../job-request.js';
import { jobCreated } from '../job-resource.js';
import { callerOf } from '../request-state.js';
import type { SignedUrls } from '../signed-urls.js';

/** `Retry-After`: seconds until the first status request makes sense. */
const FIRST_POLL_SECONDS = '1';

export interface CreateJobDependencies {
  admission: AdmissionControl;
  engine: Engine;
  jobs: Jobs;
  urls: SignedUrls;
}

export function createJob({ admission, engine, jobs, urls }: CreateJobDependencies): Middleware {
  return async (ctx) => {
    const caller = callerOf(ctx);
    const request = new JobRequest(ctx, engine);
    const accept = () => jobs.accept(caller, request);
    const { job, isReplayed } = await admission.within('job', caller, accept, request.needs);
    ctx.status = 202;
    ctx.set({ Location: `/api/v1/jobs/${job.id}`, 'Retry-After': FIRST_POLL_SECONDS });
    if (isReplayed) {
      ctx.set('Idempotent-Replayed', 'true');
    }
    ctx.body = jobCreated(job, urls);
  };
}
