/**
 * The items of a complete job, for the API and the pages: `GET /api/v1/jobs/{jobId}/manifest`, every item and its files as NDJSON or CSV; `GET
 * /api/v1/jobs/{jobId}/items/{index}.png` or `.svg`, one picture as in the archive; `GET /api/v1/jobs/{jobId}/labels.pdf`, its
 * codes on sheets of labels, and `GET /api/v1/label-sheets`, the sheets that have a name.
 */

import type { RouterContext, RouterMiddleware } from '@koa/router';
import type { Context, Middleware } from 'koa';
import { ApiError } from '../../contract/errors.js';
import { PICTURE_TYPES, type PictureFormat } from '../../contract/request-schema.js';
import type { ManifestForm } from '../../engine/engine.js';
import { answersUnchanged, sendBody, sendFile, sendResource } from '../send-resource.js';
import { type DownloadDependencies, sendOutput } from './download.js';
import type { FindJob } from './job.js';
import {
  type ItemRange,
  type LabelLayout,
  labelLayout,
  type LabelParameters,
  onlyItem,
} from '../../contract/label-request.js';
import { LABEL_SHEETS, type LabelSheetList } from '../../contract/label-sheets.js';
import { filenameOf, type Job } from '../../jobs/job.js';
import { untilGone } from '../../jobs/intake/check-draft.js';
import { entityTagOf } from '../../platform/entity-tag.js';

type Form = Extract<ManifestForm, 'ndjson' | 'csv'>;

/**
 * Forms of a manifest by media type, with the parameters that a client may name in `Accept` (of CSV: RFC 4180, section 3).
 * The first is the default.
 */
const FORMS: Readonly<Record<string, Form>> = {
  'application/x-ndjson; charset=utf-8': 'ndjson',
  'text/csv; charset=utf-8; header=present': 'csv',
};

const CONTENT_TYPES: Readonly<Record<Form, string>> = {
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
};

/** @param only the form of a path that names it, for people: it names missing codes, and CSV has the rows of their list and is for Excel. Default: by `Accept` */
export function manifest(find: FindJob, needs: DownloadDependencies, only?: Form): RouterMiddleware {
  return async (ctx) => {
    const { output } = needs.jobs;
    const job = await find(ctx);
    const form = only ?? acceptedForm(ctx);
    const options = { form, namesMissing: only !== undefined, places: only && job.sourcePlaces };
    const { filename, fallback } = filenameOf(only === undefined ? { ...job, name: null } : job, form);
    if (answersUnchanged(ctx, { etag: output.manifestTag(job, options) })) {
      // The job may be renamed since.
      ctx.attachment(filename, { fallback });
      return;
    }
    await sendOutput(ctx, find, needs, job, async () => {
      const { read } = await output.openManifest(job, options);
      await sendBody(ctx, read, {});
      ctx.attachment(filename, { fallback });
      // Behind the name, which sets a type too.
      ctx.set('Content-Type', CONTENT_TYPES[form]);
    });
  };
}

/** @throws ApiError `not_acceptable` */
function acceptedForm(ctx: Context): Form {
  ctx.vary('Accept');
  const type = ctx.accepts(Object.keys(FORMS));
  const form = typeof type === 'string' ? FORMS[type] : undefined;
  if (form === undefined) {
    const found = ctx.get('Accept').slice(0, 100);
    const forms = 'application/x-ndjson, or text/csv with its header row';
    throw new ApiError('not_acceptable', `Accept must allow ${forms}, not only ${found}.`);
  }
  return form;
}

/** The index of an item. No job has indices of more digits. */
const INDEX = /^(?:0|[1-9]\d{0,6})$/;

/** @param formats the picture of an item is sent in the first of these that it has */
export function picture(
  find: FindJob,
  needs: DownloadDependencies,
  formats: readonly PictureFormat[],
): RouterMiddleware {
  return async (ctx) => {
    const { output } = needs.jobs;
    const job = await find(ctx);
    const text = ctx.params['index'] ?? '';
    const index = INDEX.test(text) ? Number(text) : -1;
    if (job.status === 'complete' && (index < 0 || index >= job.total)) {
      throw noPicture();
    }
    await sendOutput(ctx, find, needs, job, async () => {
      for (const format of formats) {
        const found = await output.findPicture(job, index, format);
        if (found !== undefined) {
          const headers = { 'Content-Type': PICTURE_TYPES[format], 'Content-Length': String(found.bytes) };
          await sendFile(ctx, found, headers);
          return;
        }
      }
      throw noPicture();
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

interface LabelRequest {
  parameters: LabelParameters;
  /** Of the items only the one with the narrowest modules is printed. */
  isTest?: boolean;
  /** Items that scan: the one that is printed is one of them. Absent where all scan as far as is known, or none does. */
  scanning?: readonly ItemRange[] | undefined;
  /** `inline` shows the file in the browser. Default: `attachment`. */
  disposition?: 'attachment' | 'inline';
}

/** @param requestOf reads the query. Default: the API's parameters */
export function labels(
  find: FindJob,
  needs: DownloadDependencies,
  requestOf: (ctx: RouterContext, job: Job) => LabelRequest = ({ query }) => ({ parameters: query }),
): RouterMiddleware {
  return async (ctx) => {
    const { output } = needs.jobs;
    const job = await find(ctx);
    const { parameters, isTest = false, scanning, disposition = 'attachment' } = requestOf(ctx, job);
    const wanted = labelLayout(parameters, job.total);
    await sendOutput(ctx, find, needs, job, async () => {
      const open = (each: LabelLayout) => untilGone(ctx, (signal) => output.openLabels(job, each, signal));
      const opened = await open(wanted);
      const { fit } = isTest && scanning ? await open({ ...wanted, items: [...scanning] }) : opened;
      const layout = isTest ? onlyItem(wanted, fit.narrowestItem) : wanted;
      const { read } = isTest ? await open(layout) : opened;
      const etag = entityTagOf(`labels ${job.id} ${JSON.stringify(layout)}`);
      await sendFile(ctx, { etag, read }, { 'Content-Type': 'application/pdf' });
      const { filename, fallback } = filenameOf(job, 'pdf');
      ctx.attachment(filename, { fallback, type: disposition });
    });
  };
}
