/** `/account/o/…/studio`: a job without code. */

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { RouterContext, RouterMiddleware } from '@koa/router';
import { ApiError } from '../contract/errors.js';
import { LIMITS } from '../contract/limits.js';
import { newRowId } from '../database/row-id.js';
import { Form, formOf, seeOther } from './form.js';
import type { PageDependencies } from './page-dependencies.js';
import { membershipOf, personOf } from './page-state.js';
import { checkItems, type ItemSource, problemsOf, type StudioItems, spreadsheetChoicesOf } from './studio-body.js';
import { curlOf } from './studio-curl.js';
import { FIRST_STYLE, jobMetaOf, LOGO_PERCENT } from './studio-style.js';
import { uploadOf } from './upload.js';
import { organisationPath } from './view.js';

export function showStudio(dependencies: PageDependencies): RouterMiddleware {
  return (ctx) => show(ctx, dependencies, new Form(FIRST_STYLE), 200);
}

/** Bounds what comes in before a byte of it is read, as the API does. @throws AccountError `too_many`; ApiError `unavailable` */
export function admitJob({ throttle, admission }: PageDependencies): RouterMiddleware {
  return async (ctx, next) => {
    await throttle.job(personOf(ctx).id);
    const holder = { organisationId: membershipOf(ctx).organisationId, personId: personOf(ctx).id };
    const needs = { diskBytes: 3 * (ctx.request.length ?? LIMITS.ndjsonBodyBytes) };
    await admission.within('job', holder, () => next() as Promise<void>, needs);
  };
}

/** Makes a job of the form. The same form sent twice makes one job. */
export function submitStudio(dependencies: PageDependencies): RouterMiddleware {
  return async (ctx) => {
    const form = formOf(ctx);
    const meta = jobMetaOf(form, await logoOf(ctx));
    const source = sourceOf(ctx, form);
    if (source === undefined || !form.isValid) {
      await show(ctx, dependencies, form, 422);
      return;
    }
    try {
      const jobId = await acceptOnce(ctx, dependencies, submissionOf(ctx), {
        source,
        choices: spreadsheetChoicesOf(form),
        meta,
      });
      seeOther(ctx, `${organisationPath(membershipOf(ctx).organisationId)}/jobs/${jobId}`);
    } catch (error) {
      const problems = problemsOf(error);
      if (problems === undefined) {
        throw error;
      }
      form.refuse('file', problems[0] ?? '');
      await show(ctx, dependencies, form, error instanceof ApiError ? error.status : 422, problems);
    }
  };
}

/** Hash of the form's id and of all that it says: the same form with another file is another job. */
function submissionOf(ctx: RouterContext): string {
  const { csrf: _, ...fields } = ctx.request['body'] as Record<string, string>;
  const digests = ['file', 'logo'].map((field) => uploadOf(ctx, field)?.digest);
  return createHash('sha256')
    .update(JSON.stringify(['studio', fields, digests]))
    .digest('hex');
}

/** The id of the job that the form becomes, or became when it was sent before. */
async function acceptOnce(
  ctx: RouterContext,
  dependencies: PageDependencies,
  keyHash: string,
  items: StudioItems,
): Promise<string> {
  const { jobs } = dependencies;
  const { organisationId } = membershipOf(ctx);
  const draftId = newRowId();
  const claim = { organisationId, keyHash, jobId: draftId };
  const earlier = await jobs.idempotency.claim(claim);
  if (earlier !== undefined) {
    return earlier.jobId;
  }
  return jobs.idempotency.hold(claim, async () => {
    const checked = await receive(ctx, dependencies, draftId, items);
    const payer = { organisationId, personId: personOf(ctx).id };
    const { id } = await jobs.accept(payer, draftId, checked, { ...claim, fingerprint: keyHash });
    return id;
  });
}

async function receive(ctx: RouterContext, { drafts, engine }: PageDependencies, draftId: string, items: StudioItems) {
  const [bodyPath, spoolPath] = [drafts.bodyPath(draftId), drafts.spoolPath(draftId)];
  // The engine gives a check up whose body is gone.
  const cancel = () => void drafts.remove(draftId).catch(() => undefined);
  ctx.res.once('close', cancel);
  try {
    const { checked } = await checkItems(engine, items, { bodyPath, spoolPath, drawIfSmall: true });
    return checked;
  } catch (error) {
    await drafts.remove(draftId);
    throw error;
  } finally {
    ctx.res.off('close', cancel);
  }
}

/** Undefined where the person gave nothing, which the form then says. */
export function sourceOf(ctx: RouterContext, form: Form): ItemSource | undefined {
  const file = uploadOf(ctx, 'file');
  const lines = form.get('items');
  if (file !== undefined) {
    return file;
  }
  if (lines.trim() === '') {
    form.refuse('file', 'Choose a file, or write what the codes should say.');
    return undefined;
  }
  return { lines };
}

/** The chosen logo as a data URL; whether it is a PNG is for the check to say. */
export async function logoOf(ctx: RouterContext): Promise<string | undefined> {
  const logo = uploadOf(ctx, 'logo');
  return logo && `data:image/png;base64,${await readFile(logo.path, 'base64')}`;
}

async function show(
  ctx: RouterContext,
  dependencies: PageDependencies,
  form: Form,
  status: number,
  problems: readonly string[] = [],
): Promise<void> {
  const balance = await dependencies.ledger.balance(membershipOf(ctx).organisationId);
  // The controls may be what is wrong with the form.
  const meta = jobMetaOf(new Form({ ...FIRST_STYLE }));
  dependencies.view.show(
    ctx,
    'studio',
    { title: 'Studio', section: 'studio', status },
    {
      form,
      problems,
      balance,
      limits: { ...LIMITS, logoPercent: LOGO_PERCENT },
      curl: curlOf(dependencies.config.baseUrl, meta),
      submission: newRowId(),
    },
  );
}
