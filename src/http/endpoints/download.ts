/** `GET /api/v1/jobs/{jobId}/download` (section 4.4), and the same for the holder of a signed URL. */

import type { RouterMiddleware } from '@koa/router';
import type { Jobs } from '../../jobs/jobs.js';
import type { FindJob } from '../find-job.js';
import { sendArchive } from '../send-archive.js';

export function download(find: FindJob, jobs: Jobs): RouterMiddleware {
  return async (ctx) => {
    const job = await find(ctx);
    await sendArchive(ctx, await jobs.openArchive(job), `qrpress-${job.id}.zip`);
  };
}
