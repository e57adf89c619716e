/** Makes codes of a job anew, as a job of its own: those that are missing, or one with corrected words. */

import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { RouterContext } from '@koa/router';
import type { DiskShare } from '../../admission/admission-control.js';
import { AccountError } from '../../accounts/account-error.js';
import { ApiError, type Issue } from '../../contract/errors.js';
import { LIMITS } from '../../contract/limits.js';
import type { JobMeta } from '../../contract/request-schema.js';
import { newRowId } from '../../database/row-id.js';
import { checkDraft, requireClient, whileConnected } from '../../jobs/intake/check-draft.js';
import { withinLimit } from '../../jobs/intake/request-body.js';
import { type FoundWarning, type Job, titleOf, verifyOf } from '../../jobs/job.js';
import type { JobItem } from '../../jobs/files/job-items.js';
import { isLost } from '../../jobs/job-output.js';
import type { Correction, RemadeJob } from '../../jobs/job-report-store.js';
import type { MadeFrom } from '../../jobs/new-job-store.js';
import { placesOfSome } from '../../jobs/source-places.js';
import type { Log } from '../../platform/log.js';
import { Form, formOf, hashOfForm, seeOther } from '../shell/form.js';
import { forPeople, pageFormats } from '../shell/formats.js';
import { ItemNames } from '../shell/item-names.js';
import { dataOf, fieldsOf, valuesOf } from './code-fields.js';
import type { CorrectedLook, Looks } from '../shell/corrected-look.js';
import type { Needs } from '../shell/page-dependencies.js';
import { findJob, holderOf, membershipOf, organisationPath, personOf } from '../shell/page-state.js';

type Remaking = Needs<'jobs' | 'engine' | 'throttle' | 'admission' | 'log'>;

/** The body on the disk, and a spool about as long. */
const FILES_OF_A_BODY = 2;

/** Makes the codes that the service failed to draw: of a failed job all. Shows the job that makes them already, if there is one. */
export async function makeMissing(ctx: RouterContext, needs: Remaking & Needs<'jobReports'>): Promise<void> {
  const job = await findJob(ctx, needs);
  if (job.failed === 0) {
    throw new AccountError('conflict', 'This job has no missing codes.');
  }
  const name = job.status === 'failed' ? titleOf(job) : named(job, 'missing codes');
  const remade = { name, from: 0, lines: () => needs.jobs.output.openMissing(job) };
  if (await isMade(ctx, needs, job)) {
    return;
  }
  // Two pages may ask at the same time, before one of them finds the job of the other.
  const about = `missing codes of ${job.id}`;
  await remakeOnce(ctx, needs, job, { ...remade, about, isMade: () => isMade(ctx, needs, job) });
}

/** Shows the job that makes the missing codes. False where there is none. */
async function isMade(ctx: RouterContext, { jobReports }: Needs<'jobReports'>, job: Job): Promise<boolean> {
  const made = missingMadeIn(job, await jobReports.remade(job.id));
  if (made !== undefined) {
    seeOther(ctx, `${organisationPath(job.organisationId)}/jobs/${made.id}`);
  }
  return made !== undefined;
}

/** The one of these jobs that makes the missing codes. */
export function missingMadeIn({ failed }: Job, remade: readonly RemadeJob[]): RemadeJob | undefined {
  return remade.find(({ total }) => total === failed);
}

type Correcting = Remaking & Needs<'view' | 'jobReports'>;

/** Shows a code's words, to be corrected: those of its latest correction, if there is one. */
export async function showCode(ctx: RouterContext, needs: Correcting): Promise<void> {
  const job = await findJob(ctx, needs);
  const item = await itemOf(ctx, needs, job);
  const correction = await correctionOf(needs, job, item.index);
  const latest = await codeOf(needs, job, correction);
  showForm(ctx, needs, { job, item, correction, form: new Form(wordsOf(latest ?? item)) });
}

/** The latest correction of a code. */
async function correctionOf(
  { jobReports }: Needs<'jobReports'>,
  job: Job,
  item: number,
): Promise<Correction | undefined> {
  return (await jobReports.corrections(job)).find((correction) => correction.correctedItem === item);
}

/** The code of a correction. Undefined where there is none, or it is not made yet. */
async function codeOf(
  { jobs, log }: Needs<'jobs' | 'log'>,
  { organisationId }: Job,
  correction: Correction | undefined,
): Promise<JobItem | undefined> {
  const made = correction && (await jobs.find(organisationId, correction.id));
  if (made?.status !== 'complete') {
    return undefined;
  }
  return kept(made, log, async () => (await jobs.output.findItems(made, { from: 0, limit: 1 })).items[0]);
}

/** Fields of a code, as the subjects of messages about them. */
const SUBJECTS: Readonly<Record<string, string>> = {
  data: 'The text of the code',
  caption: 'The caption',
  filename: 'The file name',
  reference: 'The reference',
};

/** A code was corrected since the form was opened. */
class CorrectedMeanwhile extends Error {}

/** The code may not be what is meant: its person is asked first. */
class Asked extends Error {
  readonly questions: { doubts: string[]; risks: string[] };
  /** Says that these questions were asked, of this code. */
  readonly key: string;

  constructor(questions: Asked['questions'], key: string) {
    super('The code may not be what is meant.');
    this.questions = questions;
    this.key = key;
  }
}

/** A code's words, as its form shows them. */
function wordsOf({ data, caption = '', reference = '', files, filename: missing = '' }: JobItem) {
  const filename = files[0]?.name.replace(/\.[a-z]{3}$/i, '') ?? missing;
  return { ...valuesOf(data), caption, reference, filename };
}

/** Makes the code of the form. */
export async function makeCorrected(ctx: RouterContext, needs: Correcting & Looks): Promise<void> {
  const job = await findJob(ctx, needs);
  const item = await itemOf(ctx, needs, job);
  const { index } = item;
  const correction = await correctionOf(needs, job, index);
  const form = formOf(ctx);
  const seen = form.get('corrected');
  const isSeen = (latest: Correction | undefined) => seen === (latest?.id ?? '');
  const before = (isSeen(correction) ? await codeOf(needs, job, correction) : undefined) ?? item;
  const unified = (text: string) => text.replaceAll('\r\n', '\n');
  const isChanged = Object.entries(wordsOf(before)).some(([name, words]) => unified(form.get(name)) !== unified(words));
  if (!isChanged && before.files.length > 0) {
    form.refuse(fieldsOf(form)[0]?.name ?? 'data', 'Nothing is changed yet.');
    showForm(ctx, needs, { job, item, correction, form });
    return;
  }
  // A form does not say how lines end: those of a contact need both characters.
  const data = dataOf(form, before.data.includes('\r\n') ? '\r\n' : '\n');
  if (data === undefined) {
    showForm(ctx, needs, { job, item, correction, form });
    return;
  }
  const [filename, reference] = [form.get('filename').trim(), form.get('reference').trim()];
  const words = {
    data,
    caption: unified(form.get('caption')),
    ...(filename !== '' && { filename }),
    ...(reference !== '' && { reference }),
  };
  const original = await originalOf(needs, job, index);
  const earlier = await needs.jobReports.correctionCount(original.job.id, original.item);
  const number = earlier === 0 ? '' : ` (${earlier + 1})`;
  const name = named(original.job, `${itemName(ctx, original.job, original.item)} corrected${number}`);
  const requireNew = async () => {
    if (!isSeen(await correctionOf(needs, job, index))) {
      throw new CorrectedMeanwhile();
    }
  };
  const asked = asking(ctx, needs, { job, item, form, words, isNewData: data !== before.data });
  const madeFrom = { jobId: original.job.id, correctedItem: original.item };
  const lines = () => Promise.resolve([`${JSON.stringify(words)}\n`]);
  // Two forms may be sent at the same time, before one of them finds the job of the other: each version has one next one.
  const version = seen || (original.job.id === job.id ? '' : job.id);
  const about = `correction of ${JSON.stringify([madeFrom, version])}`;
  try {
    await remakeOnce(ctx, needs, job, { name, madeFrom, from: index, ...asked, requireNew, lines, about });
  } catch (error) {
    refuse(form, error);
    const meant = error instanceof Asked ? error.key : undefined;
    showForm(ctx, needs, { job, item, correction: await correctionOf(needs, job, index), form, meant });
  }
}

/** The look of a corrected code, and what its person is asked about it. */
function asking(
  ctx: RouterContext,
  needs: Correcting & Looks,
  {
    job,
    item,
    form,
    words: { data, caption },
    isNewData,
  }: { job: Job; item: JobItem; form: Form; words: { data: string; caption: string }; isNewData: boolean },
): Required<Pick<Remade, 'lookOf' | 'requireMeant'>> {
  const holder = personOf(ctx).id;
  const formats = pageFormats(ctx);
  const place = new ItemNames(job.sourcePlaces, formats).title(item.index);
  const drawn = { data, caption, place };
  return {
    lookOf: (settings) =>
      needs.lookOfCorrected(needs, holder, settings, {
        replaced: item.data,
        data,
        number: formats.number,
        ordered: job.sourcePlaces?.ordered,
      }),
    requireMeant: async (warnings, { judged, misses }) => {
      const doubtful = warnings.filter(({ code }) => code === 'suspicious_data' && isNewData);
      const doubts = doubtful.slice(0, 1).map(({ message }) => forPeople(message));
      const risks = [...misses, ...(await needs.risksOf(needs, holder, judged, drawn))];
      const key = sha256([drawn, doubts, risks]);
      if (doubts.length + risks.length > 0 && form.get('meant') !== key) throw new Asked({ doubts, risks }, key);
    },
  };
}

/** Records what is wrong with a correction. @throws the error where it is about something else */
function refuse(form: Form, error: unknown): void {
  if (error instanceof CorrectedMeanwhile || (error instanceof ApiError && error.code === 'request_in_progress')) {
    form.refuse('corrected', 'This code was corrected since you opened the form. Press again to make it once more.');
    return;
  }
  if (error instanceof Asked) {
    const { doubts, risks } = error.questions;
    for (const doubt of doubts) refuseField(form, 'data', `${doubt} Correct it, or press Make it anyway.`);
    if (risks.length > 0) form.refuse('meant', `${risks.join(' ')} To make it nevertheless, press Make it anyway.`);
    return;
  }
  const issues = error instanceof ApiError ? ((error.members['issues'] ?? []) as Issue[]) : [];
  if (issues.length === 0) {
    throw error;
  }
  for (const { path, message } of issues) {
    refuseField(form, path.slice(1) || 'data', forPeople(message));
  }
}

function refuseField(form: Form, field: string, message: string): void {
  const sentence = /^[a-z]/.test(message) ? `${SUBJECTS[field] ?? 'This code'} ${message}` : message;
  form.refuse(field === 'data' ? (fieldsOf(form)[0]?.name ?? field) : field, sentence);
}

/** The code that a correction replaces: in a job that is a correction itself, the code that this one replaces. */
async function originalOf({ jobs }: Needs<'jobs'>, job: Job, item: number): Promise<{ job: Job; item: number }> {
  const { organisationId, madeFrom, correctedItem } = job;
  const original = madeFrom === null ? undefined : await jobs.find(organisationId, madeFrom);
  return original === undefined || correctedItem === null ? { job, item } : { job: original, item: correctedItem };
}

function showForm(
  ctx: RouterContext,
  { view }: Needs<'view'>,
  shown: {
    job: Job;
    item: JobItem;
    correction: Correction | undefined;
    form: Form;
    /** Says what the form asks about. */
    meant?: string | undefined;
  },
): void {
  const names = new ItemNames(shown.job.sourcePlaces, pageFormats(ctx));
  view.show(ctx, 'code', {
    ...shown,
    title: `Change ${names.name(shown.item.index)}`,
    section: 'jobs',
    fields: fieldsOf(shown.form),
    names,
    titleOf,
    submission: newRowId(),
  });
}

function itemName(ctx: RouterContext, job: Job, index: number): string {
  return new ItemNames(job.sourcePlaces, pageFormats(ctx)).name(index);
}

/** @throws AccountError `not_found` */
async function itemOf(ctx: RouterContext, { jobs, log }: Needs<'jobs' | 'log'>, job: Job): Promise<JobItem> {
  const index = /^\d{1,7}$/.test(ctx.params['index'] ?? '') ? Number(ctx.params['index']) : job.total;
  const find = async () => (await jobs.output.findItems(job, { from: index, limit: 1 })).items;
  const [item] = index < job.total ? await kept(job, log, find) : [];
  if (item === undefined) {
    throw new AccountError('not_found', 'There is no such code.');
  }
  return item;
}

interface Remade {
  name: string;
  /** Names what is made, so that no other form makes it too. Default: it names the form alone. */
  key?: string;
  /** Default: the job, and what is missing of it. */
  madeFrom?: MadeFrom;
  /** The item of the job for which the first of the lines stands. Each line, blank or not, stands for the next one. */
  from: number;
  /** Rejects where the job is not to be made. Not called for a form that is sent again. */
  requireNew?: () => Promise<void>;
  /** Default: the look of the job. */
  lookOf?: (settings: JobMeta) => Promise<CorrectedLook>;
  /** Rejects where the person is to be asked about these warnings, or this look, first. */
  requireMeant?: (warnings: readonly FoundWarning[], look: CorrectedLook) => Promise<void>;
  /** The lines of the body after its first. */
  lines: () => Promise<AsyncIterable<Buffer | string> | Iterable<string>>;
}

/**
 * As `remake`, unless another form makes the same: by the claim of a key in the database.
 * @param about what is made
 * @param isMade true if there is a job of it, which is shown. Default: `requireNew` finds it
 */
async function remakeOnce(
  ctx: RouterContext,
  needs: Remaking,
  job: Job,
  { about, isMade: isThere, ...remade }: Remade & { about: string; isMade?: () => Promise<boolean> },
): Promise<void> {
  try {
    await remake(ctx, needs, job, { ...remade, key: sha256(about) });
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'idempotency_key_reused')) {
      throw error;
    }
    // Of the job that another form made, or that is cancelled or deleted since.
    if (!(await isThere?.())) {
      await remake(ctx, needs, job, remade);
    }
  }
}

function sha256(about: unknown): string {
  return createHash('sha256').update(JSON.stringify(about)).digest('hex');
}

/** Creates a job with the look and the scan check of another, and shows it. */
async function remake(
  ctx: RouterContext,
  needs: Remaking,
  job: Job,
  { name, key, madeFrom, from, lookOf, requireNew, requireMeant, lines }: Remade,
): Promise<void> {
  const { jobs, engine, throttle, admission, log } = needs;
  const personId = personOf(ctx).id;
  await throttle.count('job', personId);
  const settings = await kept(job, log, () => jobs.output.settings(job, true));
  const hash = hashOfForm(ctx, 'remake', job.id);
  const accept = async ({ growTo }: DiskShare) => {
    const look = await lookOf?.(settings);
    const meta = { ...(look?.meta ?? settings), name, verify: verifyOf(job) };
    async function* body() {
      yield `${JSON.stringify(meta)}\n`;
      let bytes = 0;
      for await (const piece of await lines()) {
        bytes += Buffer.byteLength(piece);
        growTo(FILES_OF_A_BODY * bytes);
        yield piece;
      }
    }
    return jobs.accept(
      { organisationId: membershipOf(ctx).organisationId, personId },
      {
        key: { hash: key ?? hash, fingerprint: () => hash },
        madeFrom: madeFrom ?? { jobId: job.id },
        receive: ({ bodyPath }) =>
          pipeline(
            withinLimit(body(), LIMITS.ndjsonBodyBytes),
            createWriteStream(bodyPath, { flags: 'wx', mode: 0o600 }),
          ),
        check: (draft) =>
          whileConnected(ctx.res, draft, async () => {
            await requireNew?.();
            const { bodyPath, spoolPath } = draft;
            const request = { bodyPath, spoolPath, form: 'ndjson', holder: personId } as const;
            const checked = await checkDraft(engine, { ...request, drawIfSmall: true, distinctNames: true });
            if (look) await requireMeant?.(checked.warnings, look);
            const places = job.sourcePlaces;
            return places === null ? checked : { ...checked, sourcePlaces: placesOfSome(places, checked.lines, from) };
          }),
        requireClient: () => requireClient(ctx.res),
      },
    );
  };
  const made = await admission.admit('job', holderOf(ctx), accept, { diskBytes: 0 });
  if (made.isReplayed && (await jobs.find(job.organisationId, made.job.id)) === undefined) {
    throw new AccountError('conflict', 'You sent this form before, and its job was deleted. Open the page again.');
  }
  seeOther(ctx, `${organisationPath(job.organisationId)}/jobs/${made.job.id}`);
}

/** @throws AccountError `conflict` where the store has lost the job's input */
async function kept<T>(job: Job, log: Log, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isLost(error)) {
      throw error;
    }
    log.error({ jobId: job.id, err: error }, 'page: the input of a job is gone');
    throw new AccountError(
      'conflict',
      'The list of this job is gone. Make the codes from your own list, in the studio.',
    );
  }
}

/** The job's name with an addition, which is never cut off. */
function named(job: Job, addition: string): string {
  const room = LIMITS.jobNameCharacters - [...addition].length - 2;
  return `${[...titleOf(job)].slice(0, room).join('')}, ${addition}`;
}
