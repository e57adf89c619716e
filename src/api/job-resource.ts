/** A job as the API represents it (section 2.8). */

import type { JobResource } from '../contract/response-schema.js';
import { toldOf } from '../engine/verify-chunk.js';
import type { Job } from '../jobs/job.js';
import type { SignedUrls } from './signed-urls.js';

/** The resource for webhooks: its links are absolute. */
export function absoluteJobResource(job: Job, urls: SignedUrls, baseUrl: string): JobResource {
  const { downloadUrl, ...resource } = jobResource(job, urls);
  return { ...resource, ...(downloadUrl !== undefined && { downloadUrl: baseUrl + downloadUrl }) };
}

export function jobResource(job: Job, urls: SignedUrls): JobResource {
  return {
    id: job.id,
    ...(job.name !== null && { name: job.name }),
    status: job.status,
    ...(job.failure !== null && { reason: job.failure }),
    createdAt: new Date(job.createdAt).toISOString(),
    total: job.total,
    completed: job.completed,
    failed: job.failed,
    ...(job.verification !== undefined && toldOf(job.verification)),
    creditsCharged: job.creditsCharged,
    ...(job.creditsRefunded > 0 && { creditsRefunded: job.creditsRefunded }),
    ...(job.status === 'complete' && { downloadUrl: urls.download(job) }),
  };
}
