/** `GET /api/v1/jobs/{jobId}/download` (section 4.4), and the same for the holder of a signed URL. */

import { Readable } from 'node:stream';
import type { RouterMiddleware } from '@koa/router';
import type { AdmissionControl } from '../../admission/admission-control.js';
import type { Jobs } from '../../jobs/jobs.js';
import type { FindJob } from '../find-job.js';
import { sendArchive } from '../send-archive.js';

export interface DownloadRooms {
  jobs: Jobs;
  admission: AdmissionControl;
}

export function download(find: FindJob, { jobs, admission }: DownloadRooms): RouterMiddleware {
  return async (ctx) => {
    const job = await find(ctx);
    const leave = admission.take('download', { organisationId: job.organisationId });
    try {
      sendArchive(ctx, await jobs.openArchive(job), `qrpress-${job.id}.zip`);
    } finally {
      if (ctx.body instanceof Readable) {
        ctx.body.once('close', leave);
      } else {
        leave();
      }
    }
  };
}
