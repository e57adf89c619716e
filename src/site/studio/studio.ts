/** `/account/o/…/studio`: creates a job without programming. */

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { RouterContext, RouterMiddleware } from '@koa/router';
import { ApiError } from '../../contract/errors.js';
import { LIMITS } from '../../contract/limits.js';
import { FORMATS, type JobMeta } from '../../contract/request-schema.js';
import { newRowId } from '../../database/row-id.js';
import type { Engine, ReadSpreadsheetReport } from '../../engine/engine.js';
import type { Submission } from '../../jobs/acceptance.js';
import { SpreadsheetRefusal } from '../../jobs/intake/spreadsheet.js';
import { requireClient } from '../../jobs/intake/check-draft.js';
import { Form, formOf, seeOther } from '../form.js';
import type { PageDependencies } from '../page-dependencies.js';
import { membershipOf, pageState, personOf } from '../page-state.js';
import { checkItems, type ItemSource, problemsOf, type StudioItems } from './studio-body.js';
import { spreadsheetChoicesOf } from './spreadsheet-choices.js';
import { curlOf, FIRST_STYLE, jobMetaOf, LOGO_PERCENT } from './studio-style.js';
import { emptyFileOf, LOGO_BYTES, uploadOf } from '../upload.js';
import { organisationPath } from '../view.js';

/**
 * First bytes of other image formats. With scripts enabled, the page converts such pictures to PNG; without, they
 * arrive unchanged.
 */
const OTHER_PICTURES: readonly [RegExp, string][] = [
  [/^\xff\xd8\xff/, 'a JPEG'],
  [/^RIFF.{4}WEBP/s, 'a WebP picture'],
  [/^GIF8/, 'a GIF'],
  [/^\s*(?:\xef\xbb\xbf)?\s*<(?:\?xml|!--|!doctype svg|svg)/i, 'an SVG drawing'],
  [/^%PDF/, 'a PDF'],
];

/**
 * Limits what is admitted before a byte of it is read, as the API does. @throws ApiError `rate_limited`,
 * `unavailable`
 */
export function admitJob({ throttle, admission }: PageDependencies): RouterMiddleware {
  return async (ctx, next) => {
    await throttle.count('job', personOf(ctx).id);
    const holder = { organisationId: membershipOf(ctx).organisationId, personId: personOf(ctx).id };
    // The upload, the body that is made of it, and its spool.
    const needs = { diskBytes: 3 * (ctx.request.length ?? LIMITS.ndjsonBodyBytes) };
    await admission.within('job', holder, () => next() as Promise<void>, needs);
  };
}

/** Creates a job from the form. The same form sent twice creates one job. */
export async function submitStudio(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const { jobs, engine } = dependencies;
  const form = formOf(ctx);
  const personId = personOf(ctx).id;
  const mailPersonId = form.get('sendEmail') === 'me' ? personId : undefined;
  const payer = { organisationId: membershipOf(ctx).organisationId, personId, mailPersonId };
  const style = jobMetaOf(form, await logoOf(ctx, form, dependencies));
  const source = sourceOf(ctx, form);
  const name = nameOf(form, source);
  const meta = name === undefined ? style : { ...style, name };
  if (source === undefined || !form.isValid) {
    await showStudio(ctx, dependencies, form, 422);
    return;
  }
  try {
    const items = { holder: personId, source, choices: spreadsheetChoicesOf(form), meta };
    const { job, isReplayed } = await jobs.accept(payer, submissionOf(ctx, engine, items));
    if (isReplayed && (await jobs.find(payer.organisationId, job.id)) === undefined) {
      const message = 'You sent this form before, and its job was deleted. Open the studio again to make another job.';
      throw new ApiError('idempotency_key_reused', message);
    }
    seeOther(ctx, `${organisationPath(payer.organisationId)}/jobs/${job.id}`);
  } catch (error) {
    const problems = problemsOf(error, source);
    if (problems === undefined) {
      throw error;
    }
    form.refuse('lines' in source ? 'items' : 'file', problems[0] ?? '');
    const { status = 422, headers = {} }: Partial<ApiError> = error instanceof ApiError ? error : {};
    ctx.set(headers);
    const table = error instanceof SpreadsheetRefusal ? error.report : undefined;
    await showStudio(ctx, dependencies, form, status, { problems, table });
  }
}

/** Hash of the form's id and contents. The same form with another file is another job. */
function hashOf(ctx: RouterContext): string {
  const { csrf: _, ...fields } = pageState(ctx).body as Record<string, string>;
  const digests = ['file', 'logo'].map((field) => uploadOf(ctx, field)?.digest);
  return createHash('sha256')
    .update(JSON.stringify(['studio', fields, digests]))
    .digest('hex');
}

/** The form as the submission of a job. Its files have been received. */
function submissionOf(ctx: RouterContext, engine: Engine, items: StudioItems): Submission {
  const hash = hashOf(ctx);
  return {
    key: { hash, fingerprint: () => hash },
    receive: () => Promise.resolve(),
    requireClient: () => requireClient(ctx.res),
    check: async (draft) => {
      const { checked } = await checkItems(engine, ctx.res, items, draft, { drawIfSmall: true });
      return checked;
    },
  };
}

/** Undefined when the person gave no items. The form then reports it. */
export function sourceOf(ctx: RouterContext, form: Form): ItemSource | undefined {
  const file = uploadOf(ctx, 'file');
  const lines = form.get('items');
  const hasLines = lines.trim() !== '';
  if (file !== undefined && hasLines) {
    form.refuse('items', 'Choose a file or type lines, not both. The file has to be chosen again.');
    return undefined;
  }
  if (file !== undefined || hasLines) {
    return file ?? { lines };
  }
  const empty = emptyFileOf(ctx, 'file');
  form.refuse('file', empty === undefined ? 'Add a file or a few lines to start.' : `The file “${empty}” is empty.`);
  return undefined;
}

/** The job's name: as typed, or else the name of the file. */
function nameOf(form: Form, source: ItemSource | undefined): string | undefined {
  const typed = form.get('name').trim();
  if (typed !== '') {
    return form.text('name', 'The name', LIMITS.jobNameCharacters);
  }
  const file = source !== undefined && 'name' in source ? source.name : '';
  const name = [...file.replace(/\.[a-z0-9]{1,6}$/i, '').replaceAll(/\p{Cc}/gu, '')]
    .slice(0, LIMITS.jobNameCharacters)
    .join('')
    .trim();
  return name === '' ? undefined : name;
}

/**
 * The chosen logo, or that of the style that the form started with, as a data URL. Records an error for another image
 * format.
 */
export async function logoOf(
  ctx: RouterContext,
  form: Form,
  dependencies: PageDependencies,
): Promise<string | undefined> {
  const logo = uploadOf(ctx, 'logo');
  if (logo === undefined) {
    return keptLogoOf(ctx, form, dependencies);
  }
  const content = await readFile(logo.path);
  const [, kind] = OTHER_PICTURES.find(([start]) => start.test(content.toString('latin1', 0, 1_000))) ?? [];
  if (kind !== undefined) {
    form.refuse('logo', `The logo must be a PNG file; this is ${kind}. Save it as PNG and choose it again.`);
  }
  return `data:image/png;base64,${content.toString('base64')}`;
}

/** The logo of the style that the form started with, unless the person removed it. */
export async function keptLogoOf(
  ctx: RouterContext,
  form: Form,
  dependencies: PageDependencies,
): Promise<string | undefined> {
  const source = form.get('keptLogo');
  return source === '' ? undefined : (await metaOf(ctx, dependencies, source))?.style?.logo?.dataUrl;
}

export async function showStudio(
  ctx: RouterContext,
  dependencies: PageDependencies,
  form: Form,
  status = 200,
  { problems = [], table }: { problems?: readonly string[]; table?: ReadSpreadsheetReport | undefined } = {},
): Promise<void> {
  const { ledger, organisations, styles } = dependencies;
  const { organisationId } = membershipOf(ctx);
  const [organisation, saved] = await Promise.all([organisations.find(organisationId), styles.list(organisationId)]);
  // The controls may be what is wrong with the form.
  const meta = jobMetaOf(new Form({ ...FIRST_STYLE }));
  dependencies.view.show(
    ctx,
    'studio',
    { title: 'Studio', section: 'studio', status },
    {
      form,
      problems,
      table: table?.asksForColumns ? table : undefined,
      styles: saved,
      balance: organisation?.balance ?? 0,
      isUnlimited: ledger.isUnlimited,
      ownerEmail: organisation?.ownerEmail,
      logoBytes: LOGO_BYTES,
      limits: { ...LIMITS, logoPercent: LOGO_PERCENT },
      pictureFormats: FORMATS,
      curl: curlOf(dependencies.config.baseUrl, meta),
      submission: newRowId(),
    },
  );
}

/**
 * The style of a form's reference: `style:ID` for a saved style, `job:ID` for that of a job. Undefined when it no longer
 * exists.
 */
export async function metaOf(
  ctx: RouterContext,
  { styles, jobs }: Pick<PageDependencies, 'styles' | 'jobs'>,
  source: string,
): Promise<JobMeta | undefined> {
  const { organisationId } = membershipOf(ctx);
  const [kind, id = ''] = source.split(':');
  if (kind === 'style') {
    return (await styles.find(organisationId, id))?.meta;
  }
  const job = await jobs.find(organisationId, id);
  try {
    return job && (await jobs.meta(job));
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) {
      return undefined;
    }
    throw error;
  }
}
