/**
 * `/account/o/…/jobs/…`: one job, with its codes; and the actions on jobs: cancel one, delete one or several, each after a
 * question; rename or download one, or withdraw its links.
 */

import type { RouterContext } from '@koa/router';
import { ApiError, isDone } from '../../contract/errors.js';
import { LIMITS } from '../../contract/limits.js';
import type { JobMeta } from '../../contract/request-schema.js';
import { untilGone } from '../../jobs/intake/check-draft.js';
import { newRowId } from '../../database/row-id.js';
import { FAILURE_TEXT, type FoundWarning, type Job, titleOf } from '../../jobs/job.js';
import { NOTHING_VERIFIED } from '../../engine/verify-chunk.js';
import { isLost } from '../../jobs/job-output.js';
import type { ItemPage, ItemQuery, UnreadCodes } from '../../jobs/files/job-items.js';
import { firstPictureOf, firstWidth } from './job-pictures.js';
import type { Needs } from '../shell/page-dependencies.js';
import { actorOf, findJob, holderOf, membershipOf, organisationPath } from '../shell/page-state.js';
import { searchOf } from '../shell/paging.js';
import { itemAt, placeOf } from '../../jobs/source-places.js';
import { audit } from '../../accounts/audit-store.js';
import type { Correction } from '../../jobs/job-report-store.js';
import type { RecordChange } from '../../jobs/job-store.js';
import { Form, formOf, seeOther } from '../shell/form.js';
import { LINES } from './jobs.js';
import { missingMadeIn } from './remake.js';
import { progressOf } from '../shell/job-progress.js';
import { forPeople, pageFormats } from '../shell/formats.js';
import { ItemNames } from '../shell/item-names.js';

/** Codes of a page, and of one that is to be printed. Divisible by 2, 3 and 4, the columns of the grid. */
const [CODES, CODES_TO_PRINT] = [24, 240];

/** Codes on a page of paper. */
const CODES_ON_PAGE = 16;

/** Characters of data that a proof sheet has of longer data: its start, and its end, in which codes often differ. */
const [START_ON_PAPER, END_ON_PAPER] = [200, 100];

/** Corrections, the latest first, of which the page says whether their codes are missing. */
const CORRECTIONS = 10;

/** Warnings beside one of the codes that they concern. */
const WARNINGS_OF_ONE_CODE: Readonly<Record<FoundWarning['code'], string>> = {
  logo_covers_too_much: 'logo too large',
  low_contrast: 'too little contrast',
  light_on_dark: 'lighter than its background',
  low_contrast_in_red_light: 'too little contrast in red light',
  small_quiet_zone: 'quiet zone too narrow',
  small_modules: 'too small in print',
  small_caption: 'letters of the caption too small',
  duplicate_data: 'same data as another code',
  suspicious_data: 'probably not meant',
  ambiguous_charset: 'letters some scanners misread',
  gs1_check_digit: 'wrong check digit',
  gs1_syntax: 'no valid GS1 link',
  gs1_module_size: 'too small for GS1',
};

/** The classes of `Verification.distribution`. */
const UNUSED_CLASSES = ['below 25 %', '25 to 49 %', '50 to 74 %', '75 to 99 %', '100 %'];

type JobPage = Needs<'jobs' | 'config' | 'jobReports' | 'view' | 'urls' | 'log' | 'admission'>;

export async function showJob(ctx: RouterContext, needs: JobPage, form = new Form()): Promise<void> {
  const job = await findJob(ctx, needs);
  if (ctx.query['then'] === 'labels' && job.status === 'complete') {
    seeOther(ctx, `${organisationPath(job.organisationId)}/jobs/${job.id}/labels`);
    return;
  }
  const { baseUrl } = needs.config;
  const [report, corrections] = await Promise.all([needs.jobReports.report(job.id), needs.jobReports.corrections(job)]);
  const remade = missingMadeIn(job, report.remade);
  const isComplete = job.status === 'complete';
  const names = new ItemNames(job.sourcePlaces, pageFormats(ctx));
  needs.view.show(ctx, 'job', {
    title: titleOf(job),
    section: 'jobs',
    form,
    submission: newRowId(),
    awaitsLabels: ctx.query['then'] === 'labels' && job.status !== 'failed',
    job,
    names,
    titleOf,
    from: job.madeFrom === null ? undefined : await needs.jobs.find(job.organisationId, job.madeFrom),
    why: job.failure && FAILURE_TEXT[job.failure],
    progress: progressOf(job, pageFormats(ctx)),
    report,
    remade,
    corrections,
    madeAlone: remade === undefined ? await madeAlone(needs, job, corrections) : [],
    weakest: isComplete ? await weakestOf(needs, job) : undefined,
    warnings: job.warnings.map((warning) => warningOf(job, warning)),
    ofOneCode: WARNINGS_OF_ONE_CODE,
    codesToPrint: CODES_TO_PRINT,
    proofPages: Math.ceil(CODES_TO_PRINT / CODES_ON_PAGE),
    onPaper,
    picture: isComplete ? undefined : await firstPictureOf(needs, job, report),
    isFirstPicture: report.firstRendered?.position === 0,
    downloadUrl: baseUrl + needs.urls.download(job),
    unusedClasses: UNUSED_CLASSES,
    ...(isComplete && {
      codes: await codesOf(ctx, needs, job),
      style: await styleOf(needs, job),
      widthPx: await firstWidth(needs, job, report),
    }),
  });
}

/** The progress as JSON, for which the job's page asks until the job has ended. */
export async function showProgress(ctx: RouterContext, needs: Needs<'jobs'>): Promise<void> {
  ctx.body = progressOf(await findJob(ctx, needs), pageFormats(ctx));
}

/** Data on a proof sheet. The whole of the longest would not fit on a page. */
function onPaper(data: string): string {
  const characters = [...data];
  return characters.length <= START_ON_PAPER + END_ON_PAPER
    ? data
    : `${characters.slice(0, START_ON_PAPER).join('')} … ${characters.slice(-END_ON_PAPER).join('')}`;
}

/** A warning with the codes that it concerns, as far as they are known. Empty: all codes of the job. */
function warningOf({ total }: Job, { message, listed = [], ...warning }: FoundWarning) {
  const known = listed.length > 0 ? listed : [warning.first];
  return { ...warning, message: forPeople(message), listed: warning.items === total ? [] : known };
}

/** The code with which a page or a search begins, and the number of the page in the search. */
interface CodePlace {
  from: number;
  page?: number;
}

/** Codes as the page shows them. */
interface CodeList extends Partial<ItemPage> {
  from: number;
  /** The row, line or code that was asked for and is none of the job's. */
  absent?: number | undefined;
  search: string | undefined;
  /** The store has lost the files of the codes. */
  isLost?: boolean;
  /** Only unread codes are shown. */
  isUnread: boolean;
  /** The page is to be printed. */
  isProof: boolean;
  /** Codes that a search found, and that stand on the pages before. */
  skip: number;
  /** The pages before and behind this one. */
  earlier?: CodePlace | false;
  later?: CodePlace | false;
}

/** A page of the job's codes, in a place for a download. Without one there are no items, and the page says so. */
async function codesOf(
  ctx: RouterContext,
  { jobs, admission, log }: Needs<'jobs' | 'admission' | 'log'>,
  job: Job,
): Promise<CodeList> {
  const { search, named, unread } = codeSearch(ctx, job);
  const { absent, ...place } = { ...firstIn(ctx, job), search };
  const isSearch = search !== undefined || unread !== undefined;
  const isProof = ctx.query['proof'] !== undefined;
  const limit = isProof ? CODES_TO_PRINT : CODES;
  const skip = isSearch ? Math.max(0, numberIn(ctx, 'page') - 1) * limit : 0;
  const shown = { ...place, absent, isUnread: unread !== undefined, isProof, skip };
  try {
    const leave = admission.take('download', holderOf(ctx));
    try {
      const found = await untilGone(ctx, (signal) =>
        jobs.output.findItems(job, { ...place, named, unread, skip, limit, countsAll: isSearch, signal }),
      );
      const { from } = place;
      const page = skip / limit + 1;
      const earlier = isSearch ? skip > 0 && { from, page: page - 1 } : from > 0 && { from: Math.max(0, from - limit) };
      const hasMoreFound = isSearch && found.found > skip + found.items.length;
      const behind = { from: isSearch ? found.searched : found.next };
      const later = hasMoreFound ? { from, page: page + 1 } : behind.from < job.total && behind;
      return { ...shown, ...found, earlier, later };
    } finally {
      leave();
    }
  } catch (error) {
    if (error instanceof ApiError) {
      return shown;
    }
    if (isLost(error)) {
      log.error({ jobId: job.id, err: error }, 'page: the files of a job are gone');
      return { ...shown, isLost: true };
    }
    throw error;
  }
}

/** The search of the query among the codes of a job. */
export function codeSearch(ctx: RouterContext, job: Job): Pick<ItemQuery, 'search' | 'named' | 'unread'> {
  const unread = ctx.query['unread'] === undefined ? undefined : unreadOf(job);
  const search = searchOf(ctx, LIMITS.dataCharacters);
  return { search, named: itemNamed(search, job), unread };
}

/** The code that has this name on the page, such as `Row 16` or `code 1,200`. */
function itemNamed(search = '', { sourcePlaces, total }: Job): number | undefined {
  const [, unit, digits = ''] = /^(row|line|code)\s+(\d[\d.,\s]*)$/i.exec(search) ?? [];
  if (unit?.toLowerCase() !== (sourcePlaces?.unit ?? 'code')) return undefined;
  const at = Number(digits.replaceAll(/\D/g, ''));
  const item = sourcePlaces === null ? at - 1 : itemAt(sourcePlaces, at);
  const isKnown = sourcePlaces === null ? item < total : placeOf(sourcePlaces, item) === at;
  return isKnown ? item : undefined;
}

/** Corrections of codes that are missing. */
async function madeAlone({ jobs, log }: Needs<'jobs' | 'log'>, job: Job, corrections: readonly Correction[]) {
  const latest = corrections.slice(0, CORRECTIONS);
  if (job.status !== 'complete' || job.failed === 0 || latest.length === 0) {
    return [];
  }
  const only = latest.map(({ correctedItem }) => correctedItem);
  try {
    const { items } = await jobs.output.findItems(job, { from: 0, only, limit: only.length });
    const missing = new Set(items.filter(({ files }) => files.length === 0).map(({ index }) => index));
    return latest.filter(({ correctedItem }) => missing.has(correctedItem));
  } catch (error) {
    // The page is useful without them.
    log.error({ jobId: job.id, err: error }, 'page: could not read which corrected codes are missing');
    return [];
  }
}

/** The name of the code that has the least error correction left. Undefined where nothing is lost, or nobody looked. */
async function weakestOf({ jobs, log }: Needs<'jobs' | 'log'>, job: Job): Promise<string | undefined> {
  const least = job.verification?.least;
  if (least === undefined || least.thousandths === 1_000) {
    return undefined;
  }
  try {
    const { items } = await jobs.output.findItems(job, { from: least.item, limit: 1 });
    return items[0]?.files[0]?.name.replace(/\.[a-z]{3}$/, '');
  } catch (error) {
    // The page is useful without the name.
    log.error({ jobId: job.id, err: error }, 'page: could not read the name of a code');
    return undefined;
  }
}

/** Undefined for a job whose codes were all read, or not read back. */
function unreadOf({ verification }: Job): UnreadCodes | undefined {
  const { unread: count, unreadItems: listed } = verification ?? NOTHING_VERIFIED;
  return count === 0 ? undefined : { listed, count };
}

/** The first code to show: that of an index, or of the row, line or number in the person's list. */
function firstIn(ctx: RouterContext, { sourcePlaces, total }: Job): Pick<CodeList, 'from' | 'absent'> {
  const at = numberIn(ctx, 'at');
  if (at === 0) {
    return { from: Math.min(numberIn(ctx, 'from'), total - 1) };
  }
  const from = Math.min(sourcePlaces === null ? at - 1 : itemAt(sourcePlaces, at), total - 1);
  const place = sourcePlaces === null ? from + 1 : placeOf(sourcePlaces, from);
  return { from, absent: place === at ? undefined : at };
}

function numberIn(ctx: RouterContext, name: string): number {
  const text = String(ctx.query[name] ?? '');
  return /^\d{1,7}$/.test(text) ? Number(text) : 0;
}

/** The look of the job's codes. Undefined when its file cannot be read: the page is useful without it. */
async function styleOf({ jobs, log }: Needs<'jobs' | 'log'>, job: Job): Promise<JobMeta | undefined> {
  try {
    return await jobs.output.settings(job);
  } catch (error) {
    log.error({ jobId: job.id, err: error }, 'page: could not read the style');
    return undefined;
  }
}

/** Members may cancel jobs, as they may create them. */
export async function cancelJob(ctx: RouterContext, needs: Needs<'jobs'>): Promise<void> {
  const job = await findJob(ctx, needs);
  const isCancelled = await isDone(needs.jobs.cancel(job, recordOf(ctx, 'job-cancelled', job)));
  seeOther(ctx, `${jobsPath(ctx)}/${job.id}?done=${isCancelled ? 'cancelled' : 'ended-before'}`);
}

/** Members may rename jobs, as they may create them. */
export async function renameJob(ctx: RouterContext, needs: JobPage): Promise<void> {
  const job = await findJob(ctx, needs);
  const form = formOf(ctx);
  const name = form.text('name', 'The name', LIMITS.jobNameCharacters);
  if (!form.isValid) {
    await showJob(ctx, needs, form);
    return;
  }
  await needs.jobs.rename(job, name, recordOf(ctx, 'job-renamed', { ...job, name }));
  seeOther(ctx, `${jobsPath(ctx)}/${job.id}?done=renamed`);
}

/** Members may withdraw the links of jobs, as they may send them. */
export async function withdrawLinks(ctx: RouterContext, { jobs }: Needs<'jobs'>): Promise<void> {
  const job = await findJob(ctx, { jobs });
  await jobs.withdrawLinks(job, recordOf(ctx, 'job-links-withdrawn', job));
  seeOther(ctx, `${jobsPath(ctx)}/${job.id}?done=links-withdrawn#links`);
}

/** Asks before the jobs in the query are deleted. */
export async function askToDelete(ctx: RouterContext, needs: Needs<'view' | 'jobs' | 'jobReports'>): Promise<void> {
  const jobs = await jobsOf(ctx, needs, [ctx.query['job'] ?? []].flat());
  if (jobs.length === 0) {
    seeOther(ctx, jobsPath(ctx));
    return;
  }
  const ended = jobs.filter((job) => progressOf(job, pageFormats(ctx)).ended);
  const title = jobs.length === 1 ? 'Delete this job?' : 'Delete these jobs?';
  needs.view.show(ctx, 'delete-jobs', {
    title,
    section: 'jobs',
    jobs: ended,
    left: jobs.length - ended.length,
    undone: (await undoneWith(needs, ended)).map(({ job, item }) => ({
      job: titleOf(job),
      code: new ItemNames(job.sourcePlaces, pageFormats(ctx)).name(item),
    })),
  });
}

/** The codes, in jobs that stay, that lose their correction when some jobs are deleted. */
async function undoneWith({ jobs, jobReports }: Needs<'jobs' | 'jobReports'>, deleted: readonly Job[]) {
  const undone: { job: Job; item: number }[] = [];
  for (const { id, organisationId, madeFrom, correctedItem: item } of deleted) {
    const isOfOther = madeFrom !== null && item !== null && deleted.every((other) => other.id !== madeFrom);
    const job = isOfOther ? await jobs.find(organisationId, madeFrom) : undefined;
    const corrections = job && (await jobReports.allCorrections(job));
    if (job && item !== null && corrections?.some((correction) => correction.id === id)) {
      undone.push({ job, item });
    }
  }
  return undone;
}

/** Deletes the jobs of the form that have ended. */
export async function deleteJobs(ctx: RouterContext, needs: Needs<'jobs'>): Promise<void> {
  const jobs = await jobsOf(ctx, needs, formOf(ctx).get('jobs').split(' '));
  let deleted = 0;
  for (const job of jobs) {
    deleted += (await isDone(needs.jobs.delete(job, recordOf(ctx, 'job-deleted', job)))) ? 1 : 0;
  }
  const done = deleted < jobs.length ? 'not-ended' : deleted === 1 ? 'deleted' : 'jobs-deleted';
  seeOther(ctx, `${jobsPath(ctx)}${jobs.length === 0 ? '' : `?done=${done}`}`);
}

/** Writes into the audit log what a person did. */
function recordOf(
  ctx: RouterContext,
  action: 'job-cancelled' | 'job-deleted' | 'job-links-withdrawn' | 'job-renamed',
  { organisationId, name, id }: Job,
): RecordChange {
  return (transaction) => audit(transaction, actorOf(ctx), organisationId, action, name ?? id);
}

/** Redirects to the signed link, which serves ranges and has its own rate limit. */
export async function downloadJob(ctx: RouterContext, needs: Needs<'urls' | 'jobs'>): Promise<void> {
  seeOther(ctx, needs.urls.download(await findJob(ctx, needs)));
}

/** The organisation's jobs of these ids, as many as a list shows. Others are left out. */
async function jobsOf(ctx: RouterContext, { jobs }: Needs<'jobs'>, ids: readonly string[]): Promise<Job[]> {
  const { organisationId } = membershipOf(ctx);
  const found = await Promise.all([...new Set(ids)].slice(0, LINES).map((id) => jobs.find(organisationId, id)));
  return found.filter((job) => job !== undefined);
}

function jobsPath(ctx: RouterContext): string {
  return `${organisationPath(membershipOf(ctx).organisationId)}/jobs`;
}
