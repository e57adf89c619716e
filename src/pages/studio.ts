/** `/account/o/…/studio`: a job without code. */

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { RouterContext, RouterMiddleware } from '@koa/router';
import { newRowId } from '../database/row-id.js';
import { ApiError, type Issue } from '../errors.js';
import { checkDraft } from '../intake/check-draft.js';
import type { JobMeta } from '../intake/request-schema.js';
import { LIMITS } from '../limits.js';
import { Form, formOf } from './form.js';
import type { PageRooms } from './page-rooms.js';
import { membershipOf, personOf } from './page-state.js';
import { seeOther } from './sign-in.js';
import { type ItemSource, writeStudioBody } from './studio-body.js';
import { curlOf } from './studio-curl.js';
import { FIRST_STYLE, jobMetaOf, LOGO_PERCENT } from './studio-style.js';
import { UnreadableItemsError } from './unreadable-items-error.js';
import { uploadOf } from './upload.js';
import { organisationPath } from './view.js';

export function showStudio(rooms: PageRooms): RouterMiddleware {
  return (ctx) => show(ctx, rooms, new Form(FIRST_STYLE), 200);
}

/** Bounds what comes in before a byte of it is read, as the API does. @throws AccountError `too_many`; ApiError `unavailable` */
export function admitJob({ throttle, room }: PageRooms): RouterMiddleware {
  return async (ctx, next) => {
    await throttle.job(personOf(ctx).id);
    await room.enter(membershipOf(ctx).organisationId, () => next() as Promise<void>);
  };
}

/** Makes a job of the form. The same form sent twice makes one job. */
export function submitStudio(rooms: PageRooms): RouterMiddleware {
  return async (ctx) => {
    const form = formOf(ctx);
    const meta = jobMetaOf(form, await logoOf(ctx));
    const source = sourceOf(ctx, form);
    if (source === undefined || !form.isValid) {
      await show(ctx, rooms, form, 422);
      return;
    }
    try {
      const jobId = await acceptOnce(ctx, rooms, form.get('submission'), source, meta);
      seeOther(ctx, `${organisationPath(membershipOf(ctx).organisationId)}/jobs/${jobId}`);
    } catch (error) {
      const problems = problemsOf(error);
      if (problems === undefined) {
        throw error;
      }
      form.refuse('file', problems[0] ?? '');
      await show(ctx, rooms, form, error instanceof ApiError ? error.status : 422, problems);
    }
  };
}

/** The id of the job that the form becomes, or became when it was sent before. */
async function acceptOnce(
  ctx: RouterContext,
  rooms: PageRooms,
  submission: string,
  source: ItemSource,
  meta: JobMeta,
): Promise<string> {
  const { jobs } = rooms;
  const { organisationId } = membershipOf(ctx);
  const draftId = newRowId();
  const keyHash = createHash('sha256').update(`studio\n${submission}`).digest('hex');
  const claim = { organisationId, keyHash, jobId: draftId };
  const earlier = await jobs.idempotency.claim(claim);
  if (earlier !== undefined) {
    return earlier.jobId;
  }
  return jobs.idempotency.hold(claim, async () => {
    const checked = await receive(rooms, draftId, source, meta);
    const payer = { organisationId, personId: personOf(ctx).id };
    const { id } = await jobs.accept(payer, draftId, checked, { ...claim, fingerprint: keyHash });
    return id;
  });
}

async function receive({ drafts, engine }: PageRooms, draftId: string, source: ItemSource, meta: JobMeta) {
  const [bodyPath, spoolPath] = [drafts.bodyPath(draftId), drafts.spoolPath(draftId)];
  try {
    const form = await writeStudioBody(source, meta, bodyPath);
    return await checkDraft(engine, { bodyPath, form, spoolPath });
  } catch (error) {
    await drafts.remove(draftId);
    throw error;
  }
}

function sourceOf(ctx: RouterContext, form: Form): ItemSource | undefined {
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
async function logoOf(ctx: RouterContext): Promise<string | undefined> {
  const logo = uploadOf(ctx, 'logo');
  return logo && `data:image/png;base64,${await readFile(logo.path, 'base64')}`;
}

/** What is wrong with what the person gave, a sentence each; undefined when that is not it. */
function problemsOf(error: unknown): string[] | undefined {
  if (error instanceof UnreadableItemsError) {
    return [`The file cannot be read: ${error.message}.`];
  }
  if (!(error instanceof ApiError) || error.status >= 500) {
    return undefined;
  }
  const issues = (error.members['issues'] ?? []) as Issue[];
  // Line 1 is the style, which is not in the person's file.
  const problems = issues.map(
    ({ line, path, message }) => `${line ? `Item ${line - 1}, ` : ''}${path || '/'}: ${message}`,
  );
  return problems.length > 0 ? problems : [error.message];
}

async function show(
  ctx: RouterContext,
  rooms: PageRooms,
  form: Form,
  status: number,
  problems: readonly string[] = [],
): Promise<void> {
  const balance = await rooms.ledger.balance(membershipOf(ctx).organisationId);
  // The controls may be what is wrong with the form.
  const meta = jobMetaOf(new Form({ ...FIRST_STYLE }));
  rooms.view.show(
    ctx,
    'studio',
    { title: 'Studio', section: 'studio', status },
    {
      form,
      problems,
      balance,
      limits: { ...LIMITS, logoPercent: LOGO_PERCENT },
      curl: curlOf(rooms.config.baseUrl, meta),
      submission: newRowId(),
    },
  );
}
