/** The studio's form as a job. */

import type { RouterContext, RouterMiddleware } from '@koa/router';
import { ApiError, type Issue } from '../../contract/errors.js';
import { LIMITS } from '../../contract/limits.js';
import type { Submission } from '../../jobs/acceptance.js';
import { type Job, titleOf } from '../../jobs/job.js';
import type { SourcePlaces } from '../../jobs/source-places.js';
import { SpreadsheetRefusal } from '../../jobs/intake/spreadsheet.js';
import { requireClient } from '../../jobs/intake/check-draft.js';
import { Form, formOf, hashOfForm, seeOther } from '../shell/form.js';
import { pageFormats } from '../shell/formats.js';
import type { Needs } from '../shell/page-dependencies.js';
import { holderOf, membershipOf, personOf, organisationPath } from '../shell/page-state.js';
import { ItemNames } from '../shell/item-names.js';
import { bracesIn, samplesOf, scaleWithinPage } from './preview.js';
import { type CheckedItems, checkItems, problemsOf, type StudioItems } from './studio-body.js';
import { firstItems, isNoList } from './studio-check.js';
import { chosenKind, questionOf, reportOfKind } from './offered-kind.js';
import { chosenOn, withSentChoices } from './shown-choices.js';
import { SkipChoice } from './spreadsheet-choices.js';
import { fieldOf, FIRST_STYLE, jobMetaOf, settingProblem } from './studio-style.js';
import { replacedFile, uploadOf } from '../shell/uploads.js';
import { logoOf, sourceOf } from './studio-form.js';
import { withQuietZone } from './code-sides.js';
import { beforeSizes, orderedFields, typedWidth, withResolution } from './printed-width.js';
import { coarseLogo, missedWidth, orderedWidth, smallCaption } from './printed-width-words.js';
import { type ItemSource } from './item-source.js';
import { tableNotice } from './pasted-table.js';
import { showStudio, type StudioPage } from './studio-page.js';
import { unseenLogo } from './unseen-logo.js';
import { isSeen, requireSeen, UnseenNotices } from './unseen-notices.js';

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
    await admission.admit('job', holderOf(ctx), () => next() as Promise<void>, needs);
  };
}

/** Creates a job from the form. The same form sent twice creates one job. */
export async function submitStudio(
  ctx: RouterContext,
  needs: Needs<'jobs' | 'engine' | 'folder'> & StudioPage,
): Promise<void> {
  const { jobs } = needs;
  const sent = chosenOn(ctx, formOf(ctx));
  const form = sent.get('noPrinter') === '' ? sent : sent.with({ dpi: '' });
  const personId = personOf(ctx).id;
  const mailPersonId = form.get('sendEmail') === 'me' ? personId : undefined;
  const payer = { organisationId: membershipOf(ctx).organisationId, personId, mailPersonId };
  const style = jobMetaOf(form, await logoOf(ctx, form, needs));
  const source = sourceOf(ctx, form);
  const name = nameOf(form, source);
  const named = name === undefined ? style : { ...style, name };
  if (!isSeen(form)) typedWidth(form);
  const skip = new SkipChoice(ctx, form);
  if (source === undefined || !form.isValid) {
    await refuse(ctx, needs, { form, source, skip });
    return;
  }
  try {
    const { skips, choices } = skip;
    const typed = { holder: personId, source, choices, meta: named, skips };
    const items = isSeen(form) ? typed : await inTypedWidth(ctx, needs, { form, items: typed });
    if (!form.isValid) {
      await showStudio(ctx, needs, form, 422);
      return;
    }
    const { job, isReplayed } = await jobs.accept(
      payer,
      submissionOf(ctx, needs, { form, items, skip, again: await madeAgain(ctx, needs, form, source) }),
    );
    if (isReplayed && (await jobs.find(payer.organisationId, job.id)) === undefined) {
      const message = 'You sent this form before, and its job was deleted. Open the studio again to make another job.';
      throw new ApiError('idempotency_key_reused', message);
    }
    // The page of the job leads on to its labels once it is complete.
    const then = form.get('then') === 'labels' ? '?then=labels' : '';
    seeOther(ctx, `${organisationPath(payer.organisationId)}/jobs/${job.id}${then}`);
  } catch (error) {
    if (error instanceof UnseenNotices) {
      await showStudio(ctx, needs, form, 422, {
        unseen: error,
        table: error.report,
        offers: skip.answer(error.report),
      });
      return;
    }
    await refuse(ctx, needs, { form, source, skip }, error);
  }
}

/** Shows at once all that is wrong with the form: with its settings, and with its list. */
async function refuse(
  ctx: RouterContext,
  needs: Needs<'engine' | 'folder'> & StudioPage,
  { form, source, skip }: { form: Form; source: ItemSource | undefined; skip: SkipChoice },
  refusal?: unknown,
): Promise<void> {
  const settings = settingsOf(refusal);
  for (const issue of settings) form.refuse(fieldOf(issue) ?? '', settingProblem(issue));
  const isOfList = refusal !== undefined && settings.length === 0;
  const error = isOfList ? refusal : source && (await errorOfList(ctx, needs, { source, skip }));
  if (source === undefined || error === undefined) {
    await showStudio(ctx, needs, form, 422);
    return;
  }
  // Choices stay: the file is sent again, to leave out rows or after it was corrected.
  const table = error instanceof SpreadsheetRefusal ? error.report : undefined;
  const question = table && questionOf(ctx, form, table);
  const said = question === undefined ? problemsOf(error, pageFormats(ctx)) : [question];
  const keptList = isNoList(error) ? replacedFile(ctx, 'file') : undefined;
  const problems = keptList
    ? [`“${uploadOf(ctx, 'file')?.name}” is not taken. ${said.join(' ')} The list is still “${keptList.name}”.`]
    : said;
  const page = keptList ? withSentChoices(ctx, form) : form;
  page.refuse('lines' in source ? 'items' : 'file', problems[0] ?? '');
  const { status = 422, headers = {} }: Partial<ApiError> = error instanceof ApiError ? error : {};
  ctx.set(headers);
  const kind = chosenKind(form, table);
  const ofKind = kind && (await reportOfKind(ctx, needs, { form, source, kind }));
  await showStudio(ctx, needs, page, status, {
    problems,
    table: ofKind || table,
    kind,
    offers: skip.answer(table),
    keptList,
  });
}

/** The issues of a refusal, where they are all about settings that have a field in the form. */
function settingsOf(error: unknown): Issue[] {
  const issues = error instanceof ApiError ? ((error.members['issues'] ?? []) as Issue[]) : [];
  return issues.every((issue) => fieldOf(issue) !== undefined) ? issues : [];
}

/** The error of a list in a style that is right. */
async function errorOfList(
  ctx: RouterContext,
  { engine, folder }: Needs<'engine' | 'folder'>,
  { source, skip: { choices, skips } }: { source: ItemSource; skip: SkipChoice },
): Promise<unknown> {
  const meta = jobMetaOf(new Form({ ...FIRST_STYLE }));
  await using draft = folder.drafts.create();
  try {
    await checkItems(engine, ctx.res, { holder: personOf(ctx).id, source, choices, meta, skips }, draft);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** The items in a style that makes their widest picture as wide as was typed. Checks them for it. */
async function inTypedWidth(
  ctx: RouterContext,
  { engine, folder }: Needs<'engine' | 'folder'>,
  { form, items }: { form: Form; items: StudioItems },
): Promise<StudioItems> {
  const widthMm = typedWidth(form);
  if (widthMm === undefined) return items;
  await using draft = folder.drafts.create();
  const meta = beforeSizes(form, items.meta);
  const { sides } = (await checkItems(engine, ctx.res, { ...items, meta }, draft, { isUnseen: true })).checked;
  const { number } = pageFormats(ctx);
  return sides === undefined ? items : { ...items, meta: orderedWidth(form, items.meta, { sides, widthMm, number }) };
}

/** The same form with another file is another job. */
function hashOf(ctx: RouterContext): string {
  return hashOfForm(ctx, 'studio', ...['file', 'logo'].map((field) => uploadOf(ctx, field)?.digest));
}

/** The job whose list the page took to make it again. Undefined for another list, and where the missing codes may be meant. */
async function madeAgain(
  ctx: RouterContext,
  { jobs }: Needs<'jobs'>,
  form: Form,
  source: ItemSource,
): Promise<Job | undefined> {
  const id = form.get('madeFrom');
  const job = id === '' ? undefined : await jobs.find(membershipOf(ctx).organisationId, id);
  // The page forgets the job when its lines are changed.
  const isItsList = 'lines' in source ? isSeen(form) : source.name === `${job && titleOf(job)}.ndjson`;
  return job !== undefined && isItsList && job.failed === 0 ? job : undefined;
}

/** The form as the submission of a job. Its files have been received. */
function submissionOf(
  ctx: RouterContext,
  { engine }: Needs<'engine'>,
  { form, items, skip, again }: { form: Form; items: StudioItems; skip: SkipChoice; again: Job | undefined },
): Submission {
  const hash = hashOf(ctx);
  const isUnseen = !isSeen(form);
  return {
    key: { hash, fingerprint: () => hash },
    ...(again && { madeFrom: { jobId: again.id } }),
    receive: () => Promise.resolve(),
    requireClient: () => requireClient(ctx.res),
    check: async (draft) => {
      const inPrint = { ...items, meta: withResolution(items.meta) };
      const found = await checkItems(engine, ctx.res, inPrint, draft, { drawIfSmall: true, isUnseen });
      if (isUnseen) {
        const first = firstItems(found, new ItemNames(found.checked.sourcePlaces, pageFormats(ctx)));
        const { holder, meta } = items;
        const { sides } = found.checked;
        const mostScale = sides && scaleWithinPage(withQuietZone(sides, meta).most);
        const drawn = await samplesOf({ engine }, holder, {
          form,
          meta,
          items: first,
          sides,
          ...(mostScale && { mostScale }),
        });
        const misses = missedWidth(form, meta, sides, pageFormats(ctx));
        const hasCaption =
          meta.style?.caption?.text !== undefined || first.some(({ caption }) => caption !== undefined);
        const captions = hasCaption ? smallCaption(form, inPrint.meta) : [];
        requireSeen(form, pageFormats(ctx), {
          skip,
          items: found,
          style: meta.style,
          drawn,
          misses,
          ofLook: [
            ...tableNotice(items.source),
            ...captions,
            ...bracesIn(meta),
            ...coarseLogo(form, inPrint.meta, sides, pageFormats(ctx)),
            ...(await unseenLogo(engine, holder, meta)),
          ],
        });
      }
      return { ...found.checked, sourcePlaces: placesOf(form, items, found, again) };
    },
  };
}

/** The places of the items in the list, and choices of the form that a job has nowhere else. */
function placesOf(form: Form, items: StudioItems, { checked }: CheckedItems, again: Job | undefined): SourcePlaces {
  const { sourcePlaces: places, sides } = checked;
  // The page writes each item on the line that has the number of its row.
  const unit = again?.sourcePlaces?.unit;
  const ordered = orderedFields(form, items.meta, sides);
  const { verify = 'none' } = items.meta;
  return {
    ...places,
    ...(unit && { unit }),
    ...('lines' in items.source && { isTyped: true }),
    ...(ordered && { ordered }),
    ...(verify !== 'none' && { verify }),
  };
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
