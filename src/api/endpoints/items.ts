/**
 * The items of a complete job: `GET /api/v1/jobs/{jobId}/manifest`, every item and its files as NDJSON or CSV, and `GET
 * /api/v1/jobs/{jobId}/items/{index}.png` or `.svg`, one picture as in the archive.
 */

import type { RouterMiddleware } from '@koa/router';
import { withinDownload } from '../../admission/download-pace.js';
import { ApiError } from '../../contract/errors.js';
import { type ManifestForm, PICTURE_MEDIA_TYPES, type PictureExtension } from '../../engine/engine.js';
import { answersUnchanged, begun } from '../send-resource.js';
import type { DownloadDependencies } from './download.js';
import type { FindJob } from './job.js';

/**
 * Forms of a manifest by media type, with the parameters that a client may name in `Accept` (of CSV: RFC 4180, section 3).
 * The first is the default.
 */
const FORMS: Readonly<Record<string, { form: ManifestForm; contentType: string }>> = {
  'application/x-ndjson; charset=utf-8': { form: 'ndjson', contentType: 'application/x-ndjson; charset=utf-8' },
  'text/csv; charset=utf-8; header=present': { form: 'csv', contentType: 'text/csv; charset=utf-8' },
};

export function manifest(find: FindJob, { jobs, admission }: DownloadDependencies): RouterMiddleware {
  return async (ctx) => {
    const job = await find(ctx);
    ctx.vary('Accept');
    const type = ctx.accepts(Object.keys(FORMS));
    const accepted = typeof type === 'string' ? FORMS[type] : undefined;
    if (accepted === undefined) {
      const found = ctx.get('Accept').slice(0, 100);
      const forms = 'application/x-ndjson, or text/csv with its header row';
      throw new ApiError('not_acceptable', `Accept must allow ${forms}, not only ${found}.`);
    }
    const { form, contentType } = accepted;
    await withinDownload(ctx, admission, { organisationId: job.organisationId }, 'download', async () => {
      const { entityTag, read } = await jobs.openManifest(job, form);
      if (answersUnchanged(ctx, { etag: entityTag })) {
        return;
      }
      if (ctx.method === 'GET') {
        ctx.body = await begun(ctx, read());
      }
      ctx.status = 200;
      ctx.set({
        'Content-Type': contentType,
        'Content-Disposition': `attachment; filename="qrpress-${job.id}.${form}"`,
      });
    });
  };
}

/** The index of an item. No job has indices of more digits. */
const INDEX = /^(?:0|[1-9]\d{0,6})$/;

export function picture(
  find: FindJob,
  { jobs, admission }: DownloadDependencies,
  extension: PictureExtension,
): RouterMiddleware {
  return async (ctx) => {
    const job = await find(ctx);
    const index = ctx.params['index'] ?? '';
    await withinDownload(ctx, admission, { organisationId: job.organisationId }, 'download', async () => {
      const found = await jobs.findPicture(job, INDEX.test(index) ? Number(index) : -1, extension);
      if (found === undefined) {
        throw new ApiError('not_found', 'The job has no such item, or no such picture of it.');
      }
      const { entityTag, bytes, read } = found;
      if (answersUnchanged(ctx, { etag: entityTag })) {
        return;
      }
      if (ctx.method === 'GET') {
        ctx.body = await begun(ctx, read());
      }
      ctx.status = 200;
      ctx.set('Content-Type', PICTURE_MEDIA_TYPES[extension]);
      ctx.length = bytes;
    });
  };
}
