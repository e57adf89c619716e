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
import type { Needs } from '../page-dependencies.js';
import { holderOf, membershipOf, pageState, personOf } from '../page-state.js';
import { checkItems, type ItemSource, problemsOf, type StudioItems } from './studio-body.js';
import { SkipChoice, type SkipOffer } from './spreadsheet-choices.js';
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
export function admitJob({ throttle, admission }: Needs<'throttle' | 'admission'>): RouterMiddleware {
  return async (ctx, next) => {
    await throttle.count('job', personOf(ctx).id);
    // The upload, the body that is made of it, and its spool. A longer upload is refused as such.
    const bytes = Math.min(ctx.request.length ?? Number.POSITIVE_INFINITY, LIMITS.ndjsonBodyBytes);
    const needs = { diskBytes: 3 * bytes };
    await admission.within('job', holderOf(ctx), () => next() as Promise<void>, needs);
  };
}

/** Creates a job from the form. The same form sent twice creates one job. */
export async function submitStudio(ctx: RouterContext, needs: Needs<'jobs' | 'engine'> & StudioPage): Promise<void> {
  const { jobs, engine } = needs;
  const form = formOf(ctx);
  const personId = personOf(ctx).id;
  const mailPersonId = form.get('sendEmail') === 'me' ? personId : undefined;
  const payer = { organisationId: membershipOf(ctx).organisationId, personId, mailPersonId };
  const style = jobMetaOf(form, await logoOf(ctx, form, needs));
  const source = sourceOf(ctx, form);
  const name = nameOf(form, source);
  const meta = name === undefined ? style : { ...style, name };
  if (source === undefined || !form.isValid) {
    await showStudio(ctx, needs, form, 422);
    return;
  }
  const skip = new SkipChoice(ctx, form);
  try {
    const { skips, choices } = skip;
    const items = { holder: personId, source, choices, meta, skips };
    const { job, isReplayed } = await jobs.accept(payer, submissionOf(ctx, engine, items));
    if (isReplayed && (await jobs.find(payer.organisationId, job.id)) === undefined) {
      const message = 'You sent this form before, and its job was deleted. Open the studio again to make another job.';
      throw new ApiError('idempotency_key_reused', message);
    }
    seeOther(ctx, `${organisationPath(payer.organisationId)}/jobs/${job.id}`);
  } catch (error) {
    const problems = problemsOf(error);
    form.refuse('lines' in source ? 'items' : 'file', problems[0] ?? '');
    const { status = 422, headers = {} }: Partial<ApiError> = error instanceof ApiError ? error : {};
    ctx.set(headers);
    const report = error instanceof SpreadsheetRefusal ? error.report : undefined;
    // Columns that were picked stay: the file is sent again, to leave out rows or after it was corrected.
    const table = report?.asksForColumns || !skip.choices.recognise ? report : undefined;
    await showStudio(ctx, needs, form, status, { problems, table, faulty: skip.offer });
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

/** The job's name: as typed, or else the name of the file, or the first line. */
function nameOf(form: Form, source: ItemSource | undefined): string | undefined {
  const typed = form.get('name').trim();
  if (typed !== '') {
    return form.text('name', 'The name', LIMITS.jobNameCharacters);
  }
  if (source === undefined) {
    return undefined;
  }
  const given = 'lines' in source ? /\S[^\n]*/.exec(source.lines)?.[0] : source.name.replace(/\.[a-z0-9]{1,6}$/i, '');
  const name = [...(given ?? '').replaceAll(/\p{Cc}/gu, '')].slice(0, LIMITS.jobNameCharacters).join('').trim();
  return name === '' ? undefined : name;
}

/**
 * The chosen logo, or that of the style that the form started with, as a data URL. Records an error for another image
 * format.
 */
export async function logoOf(
  ctx: RouterContext,
  form: Form,
  needs: Needs<'jobs' | 'styles'>,
): Promise<string | undefined> {
  const logo = uploadOf(ctx, 'logo');
  if (logo === undefined) {
    return keptLogoOf(ctx, form, needs);
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
  needs: Needs<'jobs' | 'styles'>,
): Promise<string | undefined> {
  const source = form.get('keptLogo');
  return source === '' ? undefined : (await metaOf(ctx, needs, source))?.style?.logo?.dataUrl;
}

interface Shown {
  problems?: readonly string[];
  table?: ReadSpreadsheetReport | undefined;
  faulty?: SkipOffer | undefined;
  again?: Again | undefined;
}

/** A job that is made again. */
interface Again {
  id: string;
  name: string;
  /** The page reads its items anew. */
  hasItems: boolean;
}

export type StudioPage = Needs<'ledger' | 'organisations' | 'styles' | 'view' | 'config'>;

export async function showStudio(
  ctx: RouterContext,
  { ledger, organisations, styles, view, config }: StudioPage,
  form: Form,
  status = 200,
  { problems = [], table, faulty, again }: Shown = {},
): Promise<void> {
  const { organisationId } = membershipOf(ctx);
  const [organisation, saved] = await Promise.all([organisations.find(organisationId), styles.list(organisationId)]);
  // The controls may be what is wrong with the form.
  const meta = jobMetaOf(new Form({ ...FIRST_STYLE }));
  view.show(ctx, 'studio', {
    title: 'Studio',
    section: 'studio',
    status,
    form,
    problems,
    table,
    faulty,
    again,
    styles: saved,
    balance: organisation?.balance ?? 0,
    isUnlimited: ledger.isUnlimited,
    // `insufficient_credits`: the balance was high enough when the page was opened.
    isShort: status === 402,
    ownerEmail: organisation?.ownerEmail,
    logoBytes: LOGO_BYTES,
    limits: { ...LIMITS, logoPercent: LOGO_PERCENT },
    pictureFormats: FORMATS,
    curl: curlOf(config.baseUrl, meta),
    submission: newRowId(),
  });
}

/**
 * The style of a form's reference: `style:ID` for a saved style, `job:ID` for that of a job. Undefined when it no longer
 * exists.
 */
export async function metaOf(
  ctx: RouterContext,
  { styles, jobs }: Needs<'styles' | 'jobs'>,
  source: string,
): Promise<JobMeta | undefined> {
  const { organisationId } = membershipOf(ctx);
  const [kind, id = ''] = source.split(':');
  if (kind === 'style') {
    return (await styles.find(organisationId, id))?.meta;
  }
  const job = await jobs.find(organisationId, id);
  try {
    return job && (await jobs.output.settings(job));
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) {
      return undefined;
    }
    throw error;
  }
}
