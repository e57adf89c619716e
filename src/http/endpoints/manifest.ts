/** `GET /api/v1/jobs/{jobId}/manifest`: every item and its files, as NDJSON or CSV. */

import type { RouterMiddleware } from '@koa/router';
import { withinDownload } from '../../admission/download-pace.js';
import { ApiError } from '../../contract/errors.js';
import type { ManifestForm } from '../../engine/engine.js';
import type { FindJob } from '../find-job.js';
import { answersUnchanged } from '../send-resource.js';
import type { DownloadDependencies } from './download.js';

/** Forms of a manifest by media type. The first is the default. */
const FORMS: Readonly<Record<string, ManifestForm>> = { 'application/x-ndjson': 'ndjson', 'text/csv': 'csv' };

export function manifest(find: FindJob, { jobs, admission }: DownloadDependencies): RouterMiddleware {
  return async (ctx) => {
    const job = await find(ctx);
    ctx.vary('Accept');
    const type = ctx.accepts(Object.keys(FORMS));
    const form = typeof type === 'string' ? FORMS[type] : undefined;
    if (form === undefined) {
      const found = ctx.get('Accept').slice(0, 100);
      const message = `Accept must allow ${Object.keys(FORMS).join(' or ')}, not only ${found}.`;
      throw new ApiError('not_acceptable', message);
    }
    await withinDownload(ctx, admission, { organisationId: job.organisationId }, async () => {
      const { entityTag, read } = await jobs.openManifest(job, form);
      if (answersUnchanged(ctx, { etag: entityTag })) {
        return;
      }
      ctx.status = 200;
      if (ctx.method === 'GET') {
        ctx.body = read();
      }
      ctx.set({
        'Content-Type': `${type as string}; charset=utf-8`,
        'Content-Disposition': `attachment; filename="qrpress-${job.id}.${form}"`,
      });
    });
  };
}
