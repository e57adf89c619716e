/** How far a job is, as pages show it: on its own page, and as a row of a table. */

import type { Context } from 'koa';
import { type Job, type JobState, STATE_NAMES, stateOf } from '../../jobs/job.js';
import type { ListedJob } from '../../jobs/job-list-store.js';
import { type Formats, pageFormats } from './formats.js';
import type { Needs } from './page-dependencies.js';

/** Before a tenth of a job is drawn, the pace is only said after so many seconds: its first part may be slow or small. */
const SECONDS_UNTIL_PACE = 10;

export interface JobProgress {
  /** A job with codes that do not scan is not quite complete either. */
  state: JobState;
  /** Name of the state, with the number of codes that are missing or do not scan. */
  name: string;
  /** Codes that were drawn; while the job runs, also those that failed. */
  done: number;
  total: number;
  /** The first picture can be seen. */
  hasPicture: boolean;
  /** As text, in the reader's locale. */
  summary: string;
  pace: string;
  ended: boolean;
  /** The question before the job is cancelled, with numbers of now. A page that does not renew itself asks without them. */
  cancelQuestion: string;
}

export function progressOf(job: Job, formats: Formats, now = Date.now()): JobProgress {
  const ended = job.status === 'complete' || job.status === 'failed';
  const state = stateOf(job);
  const unread = state === 'complete' ? (job.verification?.unread ?? 0) : 0;
  const done = ended ? job.completed : job.completed + job.failed;
  const seconds = Math.max(1, now - (job.startedAt ?? job.createdAt)) / 1000;
  const perSecond = done / seconds;
  const isKnown = done > 0 && (seconds >= SECONDS_UNTIL_PACE || done * 10 >= job.total);
  const pace = !isKnown || ended ? '' : `${formats.counted(Math.round(perSecond), 'code')} per second`;
  const left = job.status === 'processing' && isKnown ? (job.total - done) / perSecond : 0;
  return {
    state: unread > 0 ? 'incomplete' : state,
    name: nameOf(state, job.failed, unread, formats),
    done,
    total: job.total,
    hasPicture: job.completed > 0,
    summary: `${formats.number(done)} of ${formats.number(job.total)}`,
    pace: left > 0 ? `${pace}, about ${formats.duration(left)} left` : pace,
    ended,
    cancelQuestion: cancelQuestion(job, formats),
  };
}

function nameOf(state: JobState, missing: number, unread: number, { number }: Formats): string {
  if (unread > 0) {
    return `Complete, ${number(unread)} ${unread === 1 ? 'does' : 'do'} not scan`;
  }
  return state === 'incomplete' ? `Complete, ${number(missing)} missing` : STATE_NAMES[state];
}

function cancelQuestion({ completed }: Job, { counted }: Formats): string {
  const paid =
    completed === 0
      ? // Codes of a part that is not finished are not counted yet.
        'You pay for all codes that are drawn until it stops. They are deleted, and your list is, too. The rest is refunded.'
      : `${completed === 1 ? '1 code is' : `About ${counted(completed, 'code')} are`} drawn so far: you pay for all that are drawn until it stops. They are deleted, and your list is, too. The rest is refunded.`;
  return `Cancel this job? ${paid}`;
}

/** A job as a row of a table. */
interface JobLine extends ListedJob {
  progress: JobProgress;
  /** The signed link, absolute. */
  downloadUrl: string;
}

export function jobRows(
  ctx: Context,
  { config, urls }: Needs<'config' | 'urls'>,
  jobs: readonly ListedJob[],
): JobLine[] {
  const formats = pageFormats(ctx);
  return jobs.map((job) => ({
    ...job,
    progress: progressOf(job, formats),
    downloadUrl: config.baseUrl + urls.download(job),
  }));
}
