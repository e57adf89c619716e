/** A job as the API shows it (section 2.8), and the links that lead to it. */

import type { JobCreated, JobResource } from '../intake/responses.js';
import type { Job } from '../jobs/job.js';
import type { SignedUrls } from './signed-urls.js';

export function jobCreated(job: Job, urls: SignedUrls): JobCreated {
  return {
    jobId: job.id,
    total: job.total,
    creditsCharged: job.creditsCharged,
    statusUrl: urls.sign('status', job.token, job.expiresAt),
    downloadUrl: urls.sign('download', job.token, job.expiresAt),
  };
}

export function jobResource(job: Job, urls: SignedUrls): JobResource {
  return {
    id: job.id,
    status: job.status,
    total: job.total,
    completed: job.completed,
    failed: job.failed,
    creditsCharged: job.creditsCharged,
    ...(job.creditsRefunded > 0 && { creditsRefunded: job.creditsRefunded }),
    ...(job.status === 'complete' && { downloadUrl: urls.sign('download', job.token, job.expiresAt) }),
  };
}
