/**
 * Sheets of labels: `GET /api/v1/jobs/{jobId}/labels.pdf`, a complete job's codes as a PDF, and `GET /api/v1/label-sheets`, the
 * sheets that have a name.
 */

import type { RouterMiddleware } from '@koa/router';
import type { Middleware } from 'koa';
import { withinDownload } from '../../admission/download-pace.js';
import { labelLayout } from '../../contract/label-request.js';
import { LABEL_SHEETS, type LabelSheetList } from '../../contract/label-sheets.js';
import { labelFilename } from '../../jobs/files/labels.js';
import { entityTagOf } from '../../jobs/archive/archive.js';
import { answersUnchanged, begun, sendResource, untilGone } from '../send-resource.js';
import type { DownloadDependencies } from './download.js';
import type { FindJob } from './job.js';

export function labelSheets(): Middleware {
  const list: LabelSheetList = { sheets: [...LABEL_SHEETS] };
  return (ctx) => sendResource(ctx, list);
}

export function labels(find: FindJob, { jobs, admission }: DownloadDependencies): RouterMiddleware {
  return async (ctx) => {
    const job = await find(ctx);
    const layout = labelLayout(ctx.query, job.total);
    await withinDownload(ctx, admission, { organisationId: job.organisationId }, 'download', async () => {
      const { read } = await untilGone(ctx, (signal) => jobs.openLabels(job, layout, signal));
      if (answersUnchanged(ctx, { etag: entityTagOf(`labels ${job.id} ${JSON.stringify(layout)}`) })) {
        return;
      }
      if (ctx.method === 'GET') {
        ctx.body = await begun(ctx, read());
      }
      ctx.status = 200;
      ctx.attachment(labelFilename(job));
      ctx.set('Content-Type', 'application/pdf');
    });
  };
}
