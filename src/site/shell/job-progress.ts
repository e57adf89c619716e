/** How far a job is, as pages show it: on its own page, and as a row of a table. */

import type { Context } from 'koa';
import { type Job, type JobState, STATE_NAMES, stateOf } from '../../jobs/job.js';
import type { ListedJob } from '../../jobs/job-list-store.js';
import { type Formats, pageFormats } from './formats.js';
import type { Needs } from './page-dependencies.js';

/** Before a tenth of a job is drawn, the pace is only said after so many seconds: its first part may be slow or small. */
const SECONDS_UNTIL_PACE = 10;

export interface JobProgress {
  state: JobState;
  /** Name of the state, with the number of codes that are missing. */
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
  const done = ended ? job.completed : job.completed + job.failed;
  const seconds = Math.max(1, now - (job.startedAt ?? job.createdAt)) / 1000;
  const perSecond = done / seconds;
  const isKnown = done > 0 && (seconds >= SECONDS_UNTIL_PACE || done * 10 >= job.total);
  const pace = !isKnown || ended ? '' : `${formats.counted(Math.round(perSecond), 'code')} per second`;
  const left = job.status === 'processing' && isKnown ? (job.total - done) / perSecond : 0;
  return {
    state,
    name: state === 'incomplete' ? `Complete, ${formats.number(job.failed)} missing` : STATE_NAMES[state],
    done,
    total: job.total,
    hasPicture: job.completed > 0,
    summary: `${formats.number(done)} of ${formats.number(job.total)}`,
    pace: left > 0 ? `${pace}, about ${formats.duration(left)} left` : pace,
    ended,
    cancelQuestion: cancelQuestion(job, formats),
  };
}

function cancelQuestion({ completed }: Job, { counted }: Formats): string {
  const paid =
    completed === 0
      ? 'No code is drawn so far. You pay for those that are drawn until it stops; the rest is refunded.'
      : `${completed === 1 ? '1 code is' : `About ${counted(completed, 'code')} are`} drawn so far: you pay for all that are drawn until it stops, and they are deleted. The rest is refunded.`;
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
