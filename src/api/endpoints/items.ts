/**
 * The items of a complete job: `GET /api/v1/jobs/{jobId}/manifest`, every item and its files as NDJSON or CSV; `GET
 * /api/v1/jobs/{jobId}/items/{index}.png` or `.svg`, one picture as in the archive; `GET /api/v1/jobs/{jobId}/labels.pdf`, its
 * codes on sheets of labels, and `GET /api/v1/label-sheets`, the sheets that have a name.
 */

import type { RouterMiddleware } from '@koa/router';
import type { Middleware } from 'koa';
import { ApiError } from '../../contract/errors.js';
import { PICTURE_TYPES, type PictureFormat } from '../../contract/request-schema.js';
import type { ManifestForm } from '../../engine/engine.js';
import { answersUnchanged, sendBody, sendFile, sendResource } from '../send-resource.js';
import { type DownloadDependencies, sendOutput } from './download.js';
import type { FindJob } from './job.js';
import { labelLayout } from '../../contract/label-request.js';
import { LABEL_SHEETS, type LabelSheetList } from '../../contract/label-sheets.js';
import { labelFilename } from '../../jobs/files/labels.js';
import { untilGone } from '../../jobs/intake/check-draft.js';
import { entityTagOf } from '../../platform/entity-tag.js';

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
    if (answersUnchanged(ctx, { etag: jobs.output.manifestTag(job, form) })) {
      return;
    }
    await sendOutput(ctx, find, admission, job, async () => {
      const { read } = await jobs.output.openManifest(job, form);
      await sendBody(ctx, read, {
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
  format: PictureFormat,
): RouterMiddleware {
  return async (ctx) => {
    const job = await find(ctx);
    const text = ctx.params['index'] ?? '';
    const index = INDEX.test(text) ? Number(text) : -1;
    if (job.status === 'complete' && (index < 0 || index >= job.total)) {
      throw noPicture();
    }
    await sendOutput(ctx, find, admission, job, async () => {
      const found = await jobs.output.findPicture(job, index, format);
      if (found === undefined) {
        throw noPicture();
      }
      const headers = { 'Content-Type': PICTURE_TYPES[format], 'Content-Length': String(found.bytes) };
      await sendFile(ctx, found, headers);
    });
  };
}

function noPicture(): ApiError {
  return new ApiError('not_found', 'The job has no such item, or no such picture of it.');
}

export function labelSheets(): Middleware {
  const list: LabelSheetList = { sheets: [...LABEL_SHEETS] };
  return (ctx) => sendResource(ctx, list);
}

export function labels(find: FindJob, { jobs, admission }: DownloadDependencies): RouterMiddleware {
  return async (ctx) => {
    const job = await find(ctx);
    const layout = labelLayout(ctx.query, job.total);
    await sendOutput(ctx, find, admission, job, async () => {
      const { read } = await untilGone(ctx, (signal) => jobs.output.openLabels(job, layout, signal));
      const etag = entityTagOf(`labels ${job.id} ${JSON.stringify(layout)}`);
      if (await sendFile(ctx, { etag, read }, { 'Content-Type': 'application/pdf' })) {
        const { filename, fallback } = labelFilename(job);
        ctx.attachment(filename, { fallback });
      }
    });
  };
}
